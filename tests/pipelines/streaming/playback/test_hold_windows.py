"""Trackers of windows whose size or model changes while they follow: in a window of the screen, or live."""

from __future__ import annotations

import pytest

from pipelines.definition import loads
from pipelines.graph import Pipeline
from pipelines.streaming.common.changes import Change
from pipelines.streaming.engine.building import Order
from pipelines.streaming.playback.snapshots import Snapshots
from pipelines.streaming.playback.timeline import Timeline
from tests.pipelines.clips import MemoryClip, moving_spots

CLIP = moving_spots(30, 64)


def timeline(pipeline: Pipeline, first: int = 0) -> Timeline:
    source = MemoryClip(CLIP)
    return Timeline(source, Order(source.info, "reference"), pipeline, frames=(first, len(CLIP)), batch=5,
                    snapshots=Snapshots(first, 8, 1 << 30))  # fmt: skip


def run(made: Timeline, end: int) -> dict[int, bytes]:
    """The rows of each frame, with ids from 0 on."""
    found: dict[int, bytes] = {}
    while made.next < end:
        done = made.process(end)
        assert done is not None
        for result in done.results:
            rows = result.tracks.copy()
            rows["track"] -= rows["track"][0] if len(rows) else 0
            found[result.index] = rows.tobytes()
    return found


POINTS = """
name = "points"
[stages.gray]
[trackers.track]
use = "{use}"
inputs = "gray"
window = {window}
points = [[30.0, 30.0], [40.0, 20.0]]
"""


@pytest.mark.parametrize("use", ["template", "klt", "vibration"])
@pytest.mark.parametrize(("before", "after"), [(25, 11), (11, 25)])
def test_windows_of_another_size_begin_anew(use: str, before: int, after: int) -> None:
    """A smaller one was cut out of no larger one: the player failed there, and a larger one had made-up edges."""
    made = timeline(loads(POINTS.format(use=use, window=before)))
    run(made, 20)
    made.hold(Change(0, "track", "window", after), None, 15)
    anew = timeline(loads(POINTS.format(use=use, window=after)), 15)
    assert run(made, len(CLIP)) == run(anew, len(CLIP))
    made.go_back(0)
    assert made.next == 0
    assert run(made, len(CLIP)) == run(timeline(loads(POINTS.format(use=use, window=after))), len(CLIP))


@pytest.mark.parametrize(("before", "after"), [("affine", "translation"), ("translation", "affine")])
def test_a_model_of_windows_changes_while_they_are_followed(before: str, after: str) -> None:
    text = POINTS.format(use="template", window=11)
    made = timeline(loads(f'{text}model = "{before}"\n'))
    run(made, 20)
    made.hold(Change(0, "track", "model", after), None, 15)
    assert min(run(made, len(CLIP))) == 15
