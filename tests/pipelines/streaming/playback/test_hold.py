"""Changes for the whole clip: at once for the frame that stands still, from the first frame on when played anew."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.definition import loads
from pipelines.frame import Result
from pipelines.graph import Pipeline
from pipelines.streaming.common.changes import Change, Structure
from pipelines.streaming.common.states import RunState
from pipelines.streaming.engine import restructuring
from pipelines.streaming.engine.building import Order
from pipelines.streaming.engine.restructuring import build_checked
from pipelines.streaming.playback.options import PlaybackOptions
from pipelines.streaming.playback.playback import Playback
from pipelines.streaming.playback.snapshots import Snapshots
from pipelines.streaming.playback.timeline import Timeline
from tests.patience import PATIENCE
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.streaming.clip.test_runner import SPOTS

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


def test_ids_begin_anew_with_another_tracker_and_stay_with_one_that_goes_on() -> None:
    """Nobody knows rows of before, so ids that only they had are free: they do not climb from pipeline to pipeline."""
    begun = loads(SPOTS)
    made = timeline(begun)

    def ids(end: int) -> set[int]:
        found: set[int] = set()
        while made.next < end:
            for result in made.process(end).results:
                found |= set(result.tracks["track"].tolist())
        return found

    first = ids(16)
    order = Order(MemoryClip(CLIP).info, "reference")
    for end, other in ((22, begun.with_settings({"follow.max_missed": 5})), (28, begun)):  # another tracker each time
        made.hold(Structure(0, other), build_checked(other, order), None)
        now = ids(end)
        assert 0 in first & now, "they begin at 0"
    smooth = begun.with_settings({"smooth.sigma": 2.0})
    made.hold(Structure(0, smooth), build_checked(smooth, order), None)
    assert ids(34) & now, "the same tracker knows its tracks"


def test_a_playback_that_stands_still_shows_a_slider_at_once() -> None:
    playback = Playback(
        MemoryClip(CLIP), loads(SPOTS), options=PlaybackOptions(device="reference", whole=True, pictures=True)
    )
    playback.start()
    try:
        playback.seek(20)
        assert playback.settle(PATIENCE)
        before = playback.latest(PATIENCE)
        assert before is not None
        assert len(before.result.tracks)
        playback.set_param("bright", "level", 255)  # nothing is as bright
        assert playback.settle(PATIENCE)
        after = playback.latest(PATIENCE)
        assert after is not None
        assert after.result.index == 20
        assert not (after.result.tracks["state"] == 1).any()
        playback.set_param("smooth", "sigma", 2.0)
        for _ in range(100):
            assert playback.settle(PATIENCE)
            if playback.pipeline.with_settings({}) == loads(SPOTS).with_settings(
                {"bright.level": 255, "smooth.sigma": 2.0}
            ):
                break
            playback.latest(0.1)
        playback.seek(3)
        assert playback.settle(PATIENCE)
        assert playback.changes == ()
        found = playback.latest(PATIENCE)
        assert found is not None
        assert found.result.index == 3
    finally:
        playback.stop()


def test_a_change_while_it_plays_does_not_take_it_back() -> None:
    playback = Playback(
        MemoryClip(CLIP), loads(SPOTS), options=PlaybackOptions(device="reference", whole=True, speed=None, loop=True)
    )
    playback.start()
    try:
        playback.play()
        for level in (40, 50, 60):
            playback.set_param("bright", "level", level)
        playback.pause()
        assert playback.settle(PATIENCE)
        assert playback.pipeline == loads(SPOTS).with_settings({"bright.level": 60})
        assert playback.error == ""
    finally:
        playback.stop()


def test_a_value_that_is_refused_leaves_everything_as_it_was() -> None:
    playback = Playback(MemoryClip(CLIP), loads(SPOTS), options=PlaybackOptions(device="reference", whole=True))
    playback.start()
    try:
        playback.seek(5)
        assert playback.settle(PATIENCE)
        with pytest.raises(Exception, match="alpha"):
            playback.set_param("slow", "alpha", 7.0)
        assert playback.pipeline == loads(SPOTS)
    finally:
        playback.stop()


@pytest.mark.parametrize("still", [True, False])
def test_a_jump_back_after_a_change_is_of_the_new_value_alone(still: bool) -> None:
    begun = loads(SPOTS)
    made = timeline(begun, every=4)
    run(made, 11)
    values: dict[tuple[str, str], Any] = {("slow", "alpha"): 0.02, ("bright", "level"): 20}
    for (node, param), value in values.items():
        made.hold(Change(0, node, param, value), None, 10 if still else None)
    run(made, len(CLIP))  # its stage and its tracker remember what they saw with the old values
    expected = run(timeline(with_values(begun, values)), len(CLIP))
    for frame in (30, 17, 35, 12):
        made.go_back(frame)
        assert run(made, frame + 1)[frame] == expected[frame]


class _Rows:
    """A sink that keeps what it gets, in order, and when it was told that all so far is of the past."""

    def __init__(self) -> None:
        self.events: list[Any] = []

    def write(self, frames: Any, results: Any) -> None:
        assert [r.index for r in results if len(r.taps)] == frames.indices.tolist() or not len(frames)
        self.events += [(result.index, result.tracks.tobytes()) for result in results]

    def outdated(self) -> None:
        self.events.append("outdated")

    def close(self) -> None:
        pass

    @property
    def known(self) -> dict[int, bytes]:
        """Rows by frame, of the parameters that hold."""
        last = max((k for k, event in enumerate(self.events) if event == "outdated"), default=-1)
        return dict(self.events[last + 1 :])


def test_a_window_gets_the_rows_of_every_frame_that_it_shows_and_knows_which_are_old() -> None:
    sink = _Rows()
    playback = Playback(
        MemoryClip(CLIP), loads(SPOTS), [sink], PlaybackOptions(device="reference", speed=None, whole=True),
        outdated=sink.outdated
    )  # fmt: skip
    playback.start()
    playback.seek(7)
    assert playback.settle(PATIENCE)
    assert list(sink.known) == [7]
    playback.set_param("bright", "level", 20)
    assert playback.settle(PATIENCE)
    assert [event if event == "outdated" else event[0] for event in sink.events] == [7, "outdated", 7]
    playback.seek(0)  # while it plays, too, the frame that is sought must not keep its old rows
    playback.play()
    end = time.monotonic() + PATIENCE
    while playback.position < len(CLIP) - 1 or playback.state is not RunState.PAUSED:
        assert time.monotonic() < end
        time.sleep(0.005)
    assert playback.stop(PATIENCE)
    known = sink.known
    expected = run(timeline_of(with_values(loads(SPOTS), {("bright", "level"): 20})), len(CLIP))
    assert known == {frame: one[2] for frame, one in expected.items()}


def test_rows_of_before_and_behind_a_jump_are_never_of_different_tracks_with_the_same_id() -> None:
    """After a change at frame 20 tracks go on from there; those that are found from the first frame on are others."""
    sink = _Rows()
    playback = Playback(
        MemoryClip(CLIP), loads(SPOTS), [sink], PlaybackOptions(device="reference", speed=None, whole=True),
        outdated=sink.outdated
    )  # fmt: skip
    playback.start()
    playback.seek(20)
    assert playback.settle(PATIENCE)
    playback.set_param("bright", "level", 20)
    assert playback.settle(PATIENCE)
    playback.seek(30)  # onwards they are the same tracks
    assert playback.settle(PATIENCE)
    assert list(sink.known) == [20, 30]
    playback.seek(3)
    assert playback.settle(PATIENCE)
    assert list(sink.known) == [3]
    playback.seek(30)
    assert playback.settle(PATIENCE)
    assert playback.stop(PATIENCE)
    expected = run(timeline_of(with_values(loads(SPOTS), {("bright", "level"): 20})), len(CLIP))
    assert sink.known == {frame: expected[frame][2] for frame in (3, 30)}


def timeline_of(pipeline: Pipeline) -> Timeline:
    source = MemoryClip(CLIP)
    return Timeline(source, Order(source.info, "reference"), pipeline, frames=(0, len(CLIP)), batch=5,
                    snapshots=Snapshots(0, 0, 1 << 30))  # fmt: skip


def test_what_is_changed_while_another_pipeline_is_compiled_is_changed_in_that_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    go, real = threading.Event(), restructuring.build

    def slow(*args: Any) -> Any:
        assert go.wait(PATIENCE)
        return real(*args)

    playback = Playback(MemoryClip(CLIP), loads(SPOTS), options=PlaybackOptions(device="reference", whole=True))
    playback.start()
    playback.seek(5)
    assert playback.settle(PATIENCE)
    monkeypatch.setattr(restructuring, "build", slow)
    other = with_values(loads(SPOTS), {("bright", "level"): 90, ("follow", "max_missed"): 0})
    playback.change_pipeline(other)
    playback.set_param("bright", "level", 20)
    playback.set_param("follow", "gate", 1.0)
    assert playback.settle(PATIENCE)
    assert playback.pipeline == with_values(loads(SPOTS), {("bright", "level"): 20, ("follow", "gate"): 1.0})
    go.set()
    wanted = with_values(other, {("bright", "level"): 20, ("follow", "gate"): 1.0})
    end = time.monotonic() + PATIENCE
    while playback.pipeline != wanted:
        assert time.monotonic() < end, playback.pipeline
        playback.settle(PATIENCE)
        time.sleep(0.01)
    assert playback.notes == ()
    assert playback.stop(PATIENCE)
