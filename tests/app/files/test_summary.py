from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pytest

from app.files.summary import json_text, versions, write_summary
from kernels.errors import InputError
from pipelines.features import State


@dataclass(frozen=True)
class _Facts:
    fps: float
    name: str


def test_summary_is_strict_sorted_json(tmp_path: Path) -> None:
    path = tmp_path / "summary.json"
    write_summary(
        path,
        {
            "z": np.float32(0.5),
            "nan": float("nan"),
            "inf": [np.float64("inf"), -1],
            "array": np.arange(3, dtype=np.uint16),
            "bool": np.bool_(True),
            "when": datetime(2024, 5, 1, 12, 0, 0),
            "there": datetime(2024, 5, 1, 12, tzinfo=timezone(timedelta(hours=2))),
            "path": Path("a") / "b",
            "state": State.LOST,
            "facts": _Facts(float("nan"), "Ä"),
            "set": {"b", "a"},
            "tuple": (None, True),
            7: "number as key",
        },
    )
    text = path.read_text(encoding="utf-8")
    back = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert list(back) == sorted(back)
    assert back == {
        "z": 0.5,
        "nan": None,
        "inf": [None, -1],
        "array": [0, 1, 2],
        "bool": True,
        "when": "2024-05-01T12:00:00+00:00",
        "there": "2024-05-01T12:00:00+02:00",
        "path": str(Path("a") / "b"),
        "state": "lost",
        "facts": {"fps": None, "name": "Ä"},
        "set": ["a", "b"],
        "tuple": [None, True],
        "7": "number as key",
    }
    assert datetime.fromisoformat(back["when"]) == datetime(2024, 5, 1, 12, tzinfo=UTC)


def test_meaningless_values_and_missing_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="object cannot be written as JSON"):
        json_text({"a": object()})
    with pytest.raises(InputError, match="does not exist"):
        write_summary(tmp_path / "no" / "s.json", {})


def test_versions_tell_what_is_needed_to_repeat_a_run() -> None:
    found = versions()
    assert found["numpy"] == np.__version__
    assert {"fusetrack", "python", "opencv", "platform", "processor", "processors"} < set(found)
    assert isinstance(found["processors"], int)
    json_text(found)
