"""A tracker of one's own that looks at a mask and measures: the ellipse of the largest outline, axes in tracks.csv."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.controller import run_clip
from app.exports.tables import read_tracks
from kernels.errors import ExprError, FusetrackError
from kernels.plugins import load_plugin
from pipelines.trackers import base

ELLIPSE = '''
"""Fits an ellipse to the outline of the largest thing in a mask."""

import numpy as np

from kernels.opencv import cv2
from pipelines.features import TRACK_DTYPE, Reason, State
from pipelines.measures import no_measures
from pipelines.trackers.base import Tracker, TrackerInput, tracker

AXES = ("major", "minor", "orientation")


@tracker
class Ellipse(Tracker):
    """One ellipse a frame, around the largest thing in the mask."""

    name = "NAME"
    summary = "fits an ellipse to the outline of the largest thing in a mask"
    inputs = (TrackerInput("mask", "image"),)

    def __init__(self, params, shape, fps):
        super().__init__(params, shape, fps)
        self.axes = no_measures(0, AXES)

    @classmethod
    def measures(cls, params):
        return AXES

    def measured(self):
        return [self.axes]

    def update(self, index, time, inputs):
        self.clock.advance(index, time)
        mask = (self.image(inputs, "mask") > 0).astype(np.uint8)
        outlines = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[-2]
        outline = max(outlines, key=cv2.contourArea, default=())
        self.axes = no_measures(int(len(outline) >= 5), AXES)
        row = np.zeros(len(self.axes), TRACK_DTYPE)
        if not len(row):
            return row
        (x, y), (width, height), angle = cv2.fitEllipse(outline)
        self.axes["major"], self.axes["minor"] = max(width, height), min(width, height)
        self.axes["orientation"] = angle if width >= height else angle - 90
        self.next_track = 1
        row["frame"], row["time"], row["x"], row["y"], row["sigma"] = index, time, x, y, 0.1
        row["state"], row["reason"], row["score"] = State.TRACKED, Reason.NONE, 1.0
        return row

    def skip(self, index, time):
        self.clock.advance(index, time)
        return np.zeros(0, TRACK_DTYPE)

    def snapshot(self):
        return {"next": np.array(self.next_track), **self.clock.snapshot()}

    def restore(self, state):
        self.next_track = int(state["next"])
        self.clock.restore(state)
'''
PIPELINE = """
name = "mine"
[stages.gray]
[stages.bright]
use = "threshold"
level = 100
[trackers.thing]
use = "NAME"
inputs = "bright"
"""


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_REGISTRY", dict(base.registry()))


def turning(frames: int) -> np.ndarray:
    """An ellipse of axes 40 and 20 px that turns by 2 degrees a frame; x right, y down."""
    y, x = np.mgrid[:64, :80]
    made = np.zeros((frames, 64, 80), np.uint8)
    for t in range(frames):
        a = np.deg2rad(2 * t)
        u, v = (x - 40) * np.cos(a) + (y - 32) * np.sin(a), (y - 32) * np.cos(a) - (x - 40) * np.sin(a)
        made[t] = 200 * ((u / 20) ** 2 + (v / 10) ** 2 <= 1)
    return made


def run(folder: Path, name: str, code: str) -> np.ndarray:
    (folder / f"{name}.py").write_text(code.replace("NAME", name))
    load_plugin(folder / f"{name}.py")
    (folder / f"{name}.toml").write_text(PIPELINE.replace("NAME", name))
    np.save(folder / "clip.npy", turning(20))
    run_clip(folder / "clip.npy", folder / f"{name}.toml", fps=100, out=folder / "out", overlay=False, batch=7)
    return read_tracks(folder / "out" / "tracks.parquet")


def test_its_axes_are_columns_of_every_row(tmp_path: Path) -> None:
    rows = run(tmp_path, "own-ellipse", ELLIPSE)
    assert rows["frame"].tolist() == list(range(20))
    assert np.abs(rows["x"] - 40).max() < 0.2
    assert np.abs(rows["y"] - 32).max() < 0.2
    assert np.abs(rows["major"] - 39).max() < 1  # through the centres of the outermost pixels
    assert np.abs(rows["minor"] - 19).max() < 1
    assert np.abs(rows["orientation"] - 2.0 * np.arange(20)).max() < 2


@pytest.mark.parametrize("measured", ["no_measures(2, AXES)", "None"])
def test_measures_of_other_rows_than_were_returned_are_named(tmp_path: Path, measured: str) -> None:
    wrong = ELLIPSE.replace("return [self.axes]", f"return [{measured}]")
    with pytest.raises(ExprError, match="measures other rows than it returned"):
        run(tmp_path, "own-wrong", wrong)


@pytest.mark.parametrize(("right", "wrong", "says"), [
    ("def measures(cls, params)", "def measures(cls)", "@classmethod def measures(cls, params)"),
    ("    @classmethod\n", "", "@classmethod def measures(cls, params)"),
    ("def skip(", "def skipped(", "needs the methods skip, too"),
    ("    def restore(", "    def restored(", "needs the methods restore, too"),
])  # fmt: skip
def test_what_a_tracker_lacks_is_said_when_its_file_is_loaded(
    tmp_path: Path, right: str, wrong: str, says: str
) -> None:
    assert right in ELLIPSE
    with pytest.raises(FusetrackError) as caught:
        run(tmp_path, "own-lacking", ELLIPSE.replace(right, wrong))
    assert says in str(caught.value)
