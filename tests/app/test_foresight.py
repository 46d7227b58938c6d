"""Before a run: which points cannot be as precise as is asked, and that it comes true."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.controller import run_clip
from app.foresight import precision_hints
from app.sources.opening import open_source
from pipelines.definition import load
from pipelines.features import State
from pipelines.streaming.common.preparing import prepare

PLATE = "sim:plate?points=16&frames=40&brightness=0.25"
POINTS = ((60.0, 60.0), (120.0, 60.0), (60.0, 120.0))


def foreseen(precision: float, frames: tuple[int, int], raw: bool = False) -> list[str]:
    pipeline = load("template").with_settings({"track.points": POINTS, "track.precision": precision})
    if raw:
        pipeline = pipeline.with_settings({"smooth.sigma": 0.1})
    source = open_source(PLATE)
    try:
        return precision_hints(source, prepare(pipeline, source), frames)
    finally:
        source.close()


def test_nothing_is_said_where_nothing_is_asked_or_all_can_be_had() -> None:
    assert foreseen(0.0, (0, 40)) == []
    assert foreseen(0.2, (0, 40)) == []


@pytest.mark.parametrize(("frames", "raw"), [((0, 40), False), ((5, 40), False), ((0, 1), True)])
def test_points_that_cannot_be_so_precise_are_named(frames: tuple[int, int], raw: bool) -> None:
    (sentence,) = foreseen(0.001, frames, raw)
    assert "3 of 3 points cannot be measured to track.precision = 0.001 px" in sentence
    for k, (x, y) in enumerate(POINTS):
        assert f"{k} at ({x:.4g}, {y:.4g}) 0.0" in sentence
    assert int(sentence.rpartition("track.window=")[2]) > 25


def test_points_without_texture_and_places_in_a_region() -> None:
    pipeline = load("template").with_settings({"track.points": ((38.0, 34.0),), "track.precision": 0.001})
    source = open_source("sim:blobs?count=1&snr=40&frames=4&width=128&height=128")
    try:
        (sentence,) = precision_hints(source, prepare(pipeline, source, (8, 4, 96, 96)), (0, 4), (8, 4))
    finally:
        source.close()
    assert "1 of 1 points" in sentence
    assert "0 at (38, 34)" in sentence


def test_every_point_is_looked_at_where_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Points that begin later count as those that begin at once, under their own numbers."""
    later = ((60.0, 60.0, 30.0), (120.0, 60.0), (60.0, 120.0, 12.0), (90.0, 90.0, 70.0))
    source = open_source(PLATE)
    seen: list[int] = []

    def read(index: int, out: object = None) -> object:
        seen.append(index)
        return was(index, out)  # type: ignore[arg-type]

    was = source.read
    monkeypatch.setattr(source, "read", read)
    pipeline = load("template").with_settings({"track.points": later, "track.precision": 0.001})
    (sentence,) = precision_hints(source, prepare(pipeline, source), (0, 40))
    assert "3 of 3 points" in sentence  # the last one begins behind the end
    assert "1 at (120, 60) 0.0" in sentence
    assert "2 at (60, 120) from frame 12 on 0.0" in sentence
    assert "0 at (60, 60) from frame 30 on 0.0" in sentence
    assert {0, 12, 30} <= set(seen)
    monkeypatch.setattr("app.foresight.MOST_BEGINS", 1)
    (sentence,) = precision_hints(source, prepare(pipeline, source), (0, 40))
    assert "1 of 1 points" in sentence
    assert "2 that begin later were not looked at" in sentence
    source.close()


def test_it_is_said_before_the_first_frame_and_is_true(tmp_path: Path) -> None:
    said: list[str] = []
    when: list[str] = []

    def started(_: object) -> None:
        when.append("run")

    outcome = run_clip(
        PLATE, "template", settings={"track.precision": 0.001, "track.max_points": 9}, out=tmp_path, overlay=False,
        device="cpu", started=started, notify=lambda text: (said.append(text), when.append("told"))[0],
    )  # fmt: skip
    assert when == ["told", "run"]
    assert outcome.summary["hints"][: len(said)] == said
    median = float(said[0].split("the median of all is ")[1].split(" px")[0])
    rows = outcome.tracks[(outcome.tracks["state"] == State.TRACKED) & (outcome.tracks["frame"] > 20)]
    assert median == pytest.approx(float(np.median(rows["sigma"])), rel=0.2)
