"""Tracks whose thing goes into what a mask hides, or out of the region that is processed, say so."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.executors.reference import evaluate
from kernels.stages.mask import mask
from pipelines.definition import loads
from pipelines.features import Reason, State
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.unseen_areas import NEAR, Mask
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.streaming.clip.test_runner import Keep

PIPELINE = """
[stages.gray]
[stages.bright]
use = "threshold"
level = 60
[stages.look]
use = "mask"
points = {points}
keep = "{keep}"
[stages.spots]
use = "components"
inputs = {{ mask = "look", weights = "gray" }}
[trackers.follow]
use = "blob"
inputs = "spots"
max_missed = 4
"""
NOTHING = "[]"


def tracked(points: str = NOTHING, keep: str = "inside", frames: Any = None, **options: Any) -> npt.NDArray[Any]:
    """All rows."""
    clip = MemoryClip(moving_spots(frames=60) if frames is None else frames)
    kept = Keep()
    bound = prepare(loads(PIPELINE.format(points=points, keep=keep)), clip, options.get("roi"))
    Runner(clip, bound, [kept], frames=(0, clip.info.frames), options=RunOptions(**options)).run()
    rows: npt.NDArray[Any] = kept.tracks
    return rows


def last_of(rows: npt.NDArray[Any], x: float, y: float) -> npt.NDArray[Any]:
    """Rows without a sighting of the track that began there."""
    near = np.hypot(rows["x"] - x, rows["y"] - y) < 2
    track = rows["track"][near & (rows["frame"] == 0)][0]
    own = rows[rows["track"] == track]
    return own[(own["state"] == State.PREDICTED) | (own["state"] == State.LOST)]


def test_a_thing_that_leaves_what_a_mask_keeps_left_the_region() -> None:
    rows = last_of(tracked("[[0, 0], [24, 0], [24, 64], [0, 64]]"), 12, 12)
    assert rows["state"][-1] == State.LOST
    assert set(rows["reason"].tolist()) == {Reason.LEFT_REGION}


def test_a_thing_that_goes_into_what_a_mask_hides_left_the_region() -> None:
    rows = last_of(tracked("[[24, 0], [64, 0], [64, 24], [24, 24]]", "outside"), 12, 12)
    assert rows["state"][-1] == State.LOST
    assert set(rows["reason"].tolist()) == {Reason.LEFT_REGION}


def test_what_goes_dark_within_the_region_was_not_detected() -> None:
    frames = moving_spots(frames=60)
    frames[30:] = 20
    rows = last_of(tracked("[[0, 0], [64, 0], [64, 64], [0, 64]]", frames=frames), 12, 12)
    assert set(rows["reason"].tolist()) == {Reason.NOT_DETECTED}


def test_masks_change_nothing_but_the_reason() -> None:
    """A polygon around everything: bit for bit what is tracked without one."""
    frames = moving_spots(frames=60)
    frames[30:36] = 20
    around = "[[-9, -9], [99, -9], [99, 99], [-9, 99]]"
    assert tracked(around, frames=frames).tobytes() == tracked(frames=frames).tobytes()


def test_a_thing_that_leaves_the_box_left_the_region_and_one_that_leaves_the_picture_that() -> None:
    rows = last_of(tracked(roi=(0, 0, 24, 64)), 12, 12)
    assert rows["state"][-1] == State.LOST or rows["frame"][-1] == 59
    assert set(rows["reason"].tolist()) == {Reason.LEFT_REGION}
    whole = MemoryClip(moving_spots(frames=60)).frames[:, :, :30]
    for options in ({}, {"roi": (0, 8, 30, 48)}):  # a side of the box that is the picture's is no side of a region
        gone = last_of(tracked(frames=np.ascontiguousarray(whole), **options), 12, 12)
        assert len(gone)
        assert Reason.LEFT_REGION not in gone["reason"]


@pytest.mark.parametrize("keep", ["inside", "outside"])
@given(st.lists(st.tuples(st.integers(-4, 40), st.integers(-4, 30)), min_size=3, max_size=7))
def test_what_is_hidden_is_what_the_stage_blanks(keep: str, corners: list[tuple[int, int]]) -> None:
    """But for a margin, in which an edge cuts things."""
    kept = evaluate(mask, np.ones((26, 36), np.uint8), points=tuple(corners), keep=keep) > 0
    y, x = np.mgrid[:26, :36].astype(float)
    made = Mask(tuple((float(a), float(b)) for a, b in corners), keep == "inside")
    hidden = made.hides(x.ravel(), y.ravel()).reshape(kept.shape)
    assert hidden[~kept].all()
    wrong = hidden & kept
    for row, column in zip(*np.nonzero(wrong), strict=True):  # within the margin something of another side lies
        away = np.hypot(x - column, y - row) <= NEAR + 1.5
        assert not kept[away].all() or _edge_within(corners, float(column), float(row))


def _edge_within(corners: list[tuple[int, int]], x: float, y: float) -> bool:
    """Whether a (thin) edge passes within the margin."""
    steps = np.linspace(0, 1, 200)
    ends = np.array(corners, float)
    ways = ends[:, None] + steps[None, :, None] * (np.roll(ends, -1, axis=0) - ends)[:, None]
    return bool((np.hypot(ways[..., 0] - x, ways[..., 1] - y) <= NEAR + 0.2).any())
