"""Changes for the whole clip: at once for the frame that stands still, from the first frame on when played anew."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.definition import loads
from pipelines.frame import Result
from pipelines.graph import Pipeline
from pipelines.streaming.building import Order
from pipelines.streaming.changes import Change, Structure
from pipelines.streaming.playback import Playback
from pipelines.streaming.restructuring import build_checked
from pipelines.streaming.snapshots import Snapshots
from pipelines.streaming.timeline import Timeline
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.test_runner import SPOTS

CLIP = moving_spots(40, 32)
VALUES: dict[tuple[str, str], tuple[Any, ...]] = {
    ("slow", "alpha"): (0.2, 0.5, 1.0), ("bright", "level"): (30, 60, 90), ("follow", "max_missed"): (0, 3),
    ("follow", "gate"): (1.0, 4.0),
}  # fmt: skip
Said = tuple[float, dict[str, bytes], bytes]


def timeline(pipeline: Pipeline, changes: list[Change] | None = None, every: int = 8) -> Timeline:
    source = MemoryClip(CLIP, bad=(13,))
    return Timeline(source, Order(source.info, "reference"), pipeline, frames=(0, len(CLIP)), batch=5,
                    changes=changes or [], snapshots=Snapshots(0, every, 1 << 30))  # fmt: skip


def said(result: Result) -> Said:
    return result.time, {name: tap.tobytes() for name, tap in result.taps.items()}, result.tracks.tobytes()


def run(made: Timeline, end: int) -> dict[int, Said]:
    found: dict[int, Said] = {}
    while made.next < end:
        found |= {result.index: said(result) for result in made.process(end).results}
    return found


def with_values(pipeline: Pipeline, values: dict[tuple[str, str], Any]) -> Pipeline:
    return pipeline.with_settings({f"{node}.{param}": value for (node, param), value in values.items()})


@given(st.data())
@settings(max_examples=20, deadline=None)
def test_any_way_of_tuning_leads_to_one_pipeline_for_the_whole_clip(data: st.DataObject) -> None:
    begun = loads(SPOTS)
    made = timeline(begun)
    values: dict[tuple[str, str], Any] = {}
    for _ in range(data.draw(st.integers(1, 4))):
        if data.draw(st.booleans()):
            end = data.draw(st.integers(1, len(CLIP)))
            made.go_back(end - 1)
            run(made, end)
        node, param = data.draw(st.sampled_from(list(VALUES)))
        value = data.draw(st.sampled_from(VALUES[node, param]))
        still = data.draw(st.booleans()) and made.next > 0
        made.hold(Change(0, node, param, value), None, made.next - 1 if still else None)
        values[node, param] = value
    assert made.pipeline == with_values(begun, values)
    made.go_back(0)
    if made.next:  # the only snapshot is that of the beginning
        raise AssertionError("what was processed with old values was kept")
    assert run(made, len(CLIP)) == run(timeline(with_values(begun, values)), len(CLIP))


@given(st.integers(1, 39), st.data())
@settings(max_examples=20, deadline=None)
def test_a_frame_that_stands_still_is_that_of_a_change_at_it(frame: int, data: st.DataObject) -> None:
    begun = loads(SPOTS)
    made = timeline(begun)
    run(made, frame + 1)
    changes: list[Change] = []
    for _ in range(data.draw(st.integers(1, 3))):  # a slider that is dragged
        node, param = data.draw(st.sampled_from(list(VALUES)))
        value = data.draw(st.sampled_from(VALUES[node, param]))
        changes = [*changes, Change(frame, node, param, value)]
        made.hold(changes[-1], None, frame)
        assert made.next == frame
        shown = run(made, frame + 1)
        expected = run(timeline(begun, changes, every=0), frame + 1)
        assert shown[frame] == expected[frame]


def test_another_pipeline_begins_at_the_frame_and_then_holds_for_all() -> None:
    begun = loads(SPOTS)
    other = begun.with_settings({"smooth.sigma": 2.0})
    made = timeline(begun)
    run(made, 21)
    source = MemoryClip(CLIP, bad=(13,))
    made.hold(Structure(0, other), build_checked(other, Order(source.info, "reference")), 20)
    made.hold(Change(0, "bright", "level", 60), None, 20)
    run(made, 30)
    made.go_back(3)
    assert made.next == 0
    assert run(made, len(CLIP)) == run(timeline(other.with_settings({"bright.level": 60})), len(CLIP))


def test_a_playback_that_stands_still_shows_a_slider_at_once() -> None:
    playback = Playback(MemoryClip(CLIP), loads(SPOTS), device="reference", whole=True, pictures=True)
    playback.start()
    try:
        playback.seek(20)
        assert playback.settle(30)
        before = playback.latest(5)
        assert before is not None
        assert len(before.result.tracks)
        playback.set_param("bright", "level", 255)  # nothing is as bright
        assert playback.settle(30)
        after = playback.latest(5)
        assert after is not None
        assert after.result.index == 20
        assert not (after.result.tracks["state"] == 1).any()
        playback.set_param("smooth", "sigma", 2.0)
        for _ in range(100):
            assert playback.settle(30)
            if playback.pipeline.with_settings({}) == loads(SPOTS).with_settings(
                {"bright.level": 255, "smooth.sigma": 2.0}
            ):
                break
            playback.latest(0.1)
        playback.seek(3)
        assert playback.settle(30)
        assert playback.changes == ()
        found = playback.latest(5)
        assert found is not None
        assert found.result.index == 3
    finally:
        playback.stop()


def test_a_change_while_it_plays_does_not_take_it_back() -> None:
    playback = Playback(MemoryClip(CLIP), loads(SPOTS), device="reference", whole=True, speed=None, loop=True)
    playback.start()
    try:
        playback.play()
        for level in (40, 50, 60):
            playback.set_param("bright", "level", level)
        playback.pause()
        assert playback.settle(30)
        assert playback.pipeline == loads(SPOTS).with_settings({"bright.level": 60})
        assert playback.error == ""
    finally:
        playback.stop()


def test_a_value_that_is_refused_leaves_everything_as_it_was() -> None:
    playback = Playback(MemoryClip(CLIP), loads(SPOTS), device="reference", whole=True)
    playback.start()
    try:
        playback.seek(5)
        assert playback.settle(30)
        with pytest.raises(Exception, match="alpha"):
            playback.set_param("slow", "alpha", 7.0)
        assert playback.pipeline == loads(SPOTS)
    finally:
        playback.stop()
