"""Tables that have no room for all rows of a frame."""

from __future__ import annotations

from pathlib import Path

from app.controller import run_clip
from kernels.plugins import find_stage


def test_it_is_said_at_once_and_once(tmp_path: Path) -> None:
    said: list[tuple[str, bool]] = []

    def told(words: str) -> None:
        said.append((words, (tmp_path / "summary.json").exists()))  # written at the end

    spec = "sim:blobs?count=60&width=160&height=160&snr=40"
    outcome = run_clip(
        spec, "blobs", settings={"spots.capacity": 5}, frames=(0, 40), out=tmp_path, overlay=False, notify=told, batch=4
    )
    ((sentence, ended),) = [one for one in said if "capacity" in one[0]]
    assert sentence.startswith("spots finds more than spots.capacity lets through, from about frame 0 on")
    assert not ended
    assert outcome.report.overflow["spots"] > 40


def test_there_is_room_for_ten_times_twenty_thousand_things() -> None:
    for stage in ("components", "peaks"):
        assert {param.name: param.default for param in find_stage(stage).params}["capacity"] >= 200_000
