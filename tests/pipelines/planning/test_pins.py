"""The table [plan] of a pipeline's file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli import main
from kernels.errors import DefinitionError
from kernels.ir.image import U8, ImageType
from pipelines.definition import library, load, load_pins, loads
from pipelines.graph import bind
from pipelines.pins import Pins
from pipelines.writing import dumps

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
    assert pipeline.pins == load_pins(file)
    assert pipeline.digest == loads(TEXT.partition("[plan]")[0]).digest  # pins do not change what a pipeline computes
    assert loads(dumps(pipeline)) == pipeline
    assert dumps(pipeline, TEXT) == TEXT
    bare = replace(pipeline, pins=Pins())
    assert loads(dumps(bare, TEXT)) == bare
    apart = replace(pipeline, pins=Pins((("gray", "smooth"),), (("gray", "mask"),)))
    assert loads(dumps(apart, TEXT)) == apart
    assert bind(pipeline, ImageType(U8, 8, 8)).pins == pipeline.pins
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
        ("smooth|mask", "smoth|mask", r"pipeline:15: a pin names 'smoth', .* did you mean 'smooth'\?"),
        ("smooth|mask", "smooth|gray", r"pipeline:15: 'smooth' and 'gray' are pinned together and apart; drop one"),
        ("smooth|mask", "mask|mask", r"pipeline:15: a pin takes two stages, not 'mask' twice"),
    ],
)
def test_wrong_pins_are_named_by_their_line(old: str, new: str, sentence: str) -> None:
    with pytest.raises(DefinitionError, match=sentence):
        loads(TEXT.replace(old, new))
