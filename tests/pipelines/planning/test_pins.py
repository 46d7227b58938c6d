"""The table [plan] of a pipeline's file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import main
from kernels.errors import DefinitionError
from pipelines.definition import Pins, dumps, library, load, load_pins, loads

TEXT = """name = "mine"
summary = ""
taps = ["mask"]

[stages.gray]

[stages.smooth]
use = "gaussian"

[stages.mask]
use = "threshold"

[plan]  # measured on our machine
fuse = ["gray+smooth"]
cut = ["smooth|mask"]
"""


def test_pins_are_read_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(TEXT)
    assert load_pins(file) == Pins((("gray", "smooth"),), (("smooth", "mask"),))
    pipeline = load(file)
    assert pipeline == loads(TEXT.partition("[plan]")[0])  # pins do not change what a pipeline computes
    changed = dumps(pipeline.with_settings({"mask.level": 9.0}), TEXT)
    assert "[plan]  # measured on our machine" in changed
    file.write_text(changed)
    assert load_pins(file) == Pins((("gray", "smooth"),), (("smooth", "mask"),))
    assert main(["plan", str(file), "--json", "--device", "h100"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [g["nodes"] for g in facts["groups"]] == [["gray", "smooth"], ["mask"]]
    assert all(edge["pinned"] for edge in facts["edges"])


@pytest.mark.parametrize("name", library())
def test_shipped_pipelines_pin_nothing(name: str) -> None:
    assert load_pins(name) == Pins()


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("fuse =", "fuze =", r"pipeline:14: \[plan\] has no entry 'fuze'; it takes fuse and cut"),
        ('["gray+smooth"]', '"gray+smooth"', r"pipeline:14: fuse must be a list of texts"),
        ("gray+smooth", "gray|smooth", r"pipeline:14: fuse takes stages such as gray\+smooth, not 'gray\|smooth'"),
        ("smooth|mask", "smoth|mask", r"pipeline:15: there is no stage 'smoth'; did you mean 'smooth'\?"),
    ],
)
def test_wrong_pins_are_named_by_their_line(old: str, new: str, sentence: str) -> None:
    with pytest.raises(DefinitionError, match=sentence):
        loads(TEXT.replace(old, new))
