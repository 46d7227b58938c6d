"""Playing a clip: whatever the way to a frame, it looks as in a run from the beginning."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError, InputError
from pipelines.definition import load, loads
from pipelines.frame import FrameBatch, Result
from pipelines.graph import Pipeline
from pipelines.streaming.building import Order
from pipelines.streaming.changes import AnyChange, Change, Structure
from pipelines.streaming.playback import Playback
from pipelines.streaming.preparing import prepare
from pipelines.streaming.runner import PICTURE, Runner
from pipelines.streaming.snapshots import Snapshots
from pipelines.streaming.states import RunState
from pipelines.streaming.timeline import Timeline
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.test_runner import SPOTS, Keep

CLIP = moving_spots(48, 32)
BAD = (0, 13, 14, 47)
MORE = SPOTS + """
[trackers.other]
use = "blob"
inputs = "spots"
max_missed = 2
"""
PIPELINES = [loads(SPOTS), loads(SPOTS).with_settings({"smooth.sigma": 2.0}), loads(MORE), load("background-motion")]
VALUES: dict[tuple[str, str], tuple[Any, ...]] = {
    ("slow", "alpha"): (0.2, 0.5, 1.0), ("bright", "level"): (30, 60, 90, 300), ("follow", "max_missed"): (0, 3),
    ("follow", "gate"): (1.0, 4.0),
}  # fmt: skip
Said = dict[int, tuple[Any, ...]]
KNOWN: dict[str, Said] = {}


def said(results: Sequence[Result]) -> Said:
    """What is computed for each frame, as bytes."""
    return {
        r.index: (r.time, {name: tap.tobytes() for name, tap in r.taps.items()}, r.tracks.tobytes()) for r in results
    }


def timeline(changes: Sequence[AnyChange] = (), every: int = 0, batch: int = 16, **options: Any) -> Timeline:
    source = MemoryClip(CLIP, bad=options.pop("bad", BAD))
    order = Order(source.info, options.pop("device", "reference"), pictures=True)
    snapshots = Snapshots(0, every, options.pop("most", 1 << 30))
    return Timeline(source, order, options.pop("pipeline", PIPELINES[0]), frames=(0, len(CLIP)), batch=batch,
                    changes=changes, snapshots=snapshots, **options)  # fmt: skip


def forward(changes: Sequence[AnyChange] = (), **options: Any) -> Said:
    key = repr((changes, options))
    if key not in KNOWN:
        made, found = timeline(changes, **options), {}
        while made.next < made.end:
            found |= said(made.process(made.end).results)
        made.close()
        KNOWN[key] = found
    return KNOWN[key]


def draw_change(data: st.DataObject, frame: int) -> AnyChange:
    if data.draw(st.integers(0, 2)) == 0:
        return Structure(frame, data.draw(st.sampled_from(PIPELINES)))
    (node, param), values = data.draw(st.sampled_from(sorted(VALUES.items())))
    return Change(frame, node, param, data.draw(st.sampled_from(values)))


def draw_changes(data: st.DataObject, most: int = 4) -> list[AnyChange]:
    """Changes that fit one after the other."""
    found: list[AnyChange] = []
    for frame in sorted(data.draw(st.lists(st.integers(0, len(CLIP) - 1), max_size=most))):
        change = draw_change(data, frame)
        runs = next((c.pipeline for c in reversed(found) if isinstance(c, Structure)), PIPELINES[0])
        if isinstance(change, Structure) or change.node in {m.id for m in runs.members}:
            found.append(change)
    return found


def test_without_changes_it_is_the_runner() -> None:
    source, keep = MemoryClip(CLIP, bad=BAD), Keep()
    bound = prepare(PIPELINES[0], source)
    Runner(source, bound, [keep], frames=(0, len(CLIP)), device="cpu", pictures=True).run()
    assert forward(batch=5) == said(keep.results)
    assert any(PICTURE in r.taps for r in keep.results)


@settings(max_examples=12, deadline=None)
@given(st.data(), st.integers(1, 20), st.integers(0, 9))
def test_batches_and_snapshots_do_not_matter(data: st.DataObject, batch: int, every: int) -> None:
    changes = draw_changes(data)
    assert forward(changes, batch=batch, every=every) == forward(changes, batch=1)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_jumps_and_changes_give_what_a_run_from_the_beginning_gives(data: st.DataObject) -> None:
    """Jumps to and fro, changes of the present and of the past: the same as with all changes known beforehand."""
    first = draw_changes(data, 2)
    every, batch = data.draw(st.integers(0, 9)), data.draw(st.integers(1, 9))
    with closing(timeline(first, every, batch, most=data.draw(st.sampled_from([1 << 30, 40_000])))) as made:
        for _ in range(data.draw(st.integers(1, 4))):
            at = data.draw(st.integers(0, len(CLIP) - 1))
            if data.draw(st.booleans()):
                change = draw_change(data, at)
                runs = made.pipeline_at(at)
                if isinstance(change, Structure) or change.node in {m.id for m in runs.members}:
                    made.insert(change)
            target = data.draw(st.integers(0, len(CLIP) - 1))
            made.go_back(target)
            shown: Said = {}
            while made.next <= target:
                shown |= said(made.process(target + 1, ahead=data.draw(st.booleans())).results)
            whole = forward(list(made.changes))
            assert target in shown
            assert shown == {frame: whole[frame] for frame in shown}


def test_a_run_knows_changes_of_stages_as_the_engine_does() -> None:
    """The oracle of oracles: an engine, a tracker and a loop."""
    changes = [Change(7, "bright", "level", 90), Change(20, "slow", "alpha", 0.3), Change(20, "bright", "level", 40)]
    source = MemoryClip(CLIP)
    runner = Runner(source, prepare(PIPELINES[0], source), [], frames=(0, len(CLIP)), device="reference")
    follower, expected = runner.tracking.followers[0], []
    inputs = follower.node.inputs.items()
    for i in range(len(CLIP)):
        for change in changes:
            if change.frame == i:
                runner.engine.set_param(change.node, change.param, change.value)
        out = runner.engine.step(FrameBatch(np.array([i]), np.array([i / 1000]), CLIP[i : i + 1]))
        expected.append(follower.tracker.update(i, i / 1000, {n: out[ref][0].rows for n, ref in inputs}))
    found = forward(changes, bad=())
    assert [found[i][2] for i in range(len(CLIP))] == [rows.tobytes() for rows in expected]


def test_ids_are_never_used_twice_over_changes_of_the_pipeline() -> None:
    changes = [Structure(10, PIPELINES[2]), Structure(20, PIPELINES[0]), Structure(30, PIPELINES[3])]
    playback_rows = Keep()
    made = timeline(changes, bad=())
    while made.next < made.end:
        playback_rows.results += made.process(made.end).results
    rows = playback_rows.tracks
    spans = [set(rows["track"][(rows["frame"] >= a) & (rows["frame"] < b)].tolist())
             for a, b in ((0, 10), (10, 20), (20, 30), (30, 48))]  # fmt: skip
    assert spans[0] <= spans[1] & spans[2], "the tracker `follow` goes on"
    fresh = spans[1] - spans[0]
    assert fresh
    assert not fresh & spans[2], "the tracker `other` has ended"
    assert not spans[3] & (spans[0] | spans[1] | spans[2]), "background-motion begins anew"
    for frame in range(48):
        ids = rows["track"][rows["frame"] == frame]
        assert len(set(ids.tolist())) == len(ids)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 47), st.integers(0, 5)), max_size=4), st.integers(1, 9), st.booleans())
def test_left_out_frames_are_never_seen(ranges: list[tuple[int, int]], batch: int, ahead: bool) -> None:
    away = {i for a, n in ranges for i in range(a, min(a + n + 1, 48))}
    disjoint = [(i, i) for i in sorted(away)]
    made, found = timeline(left_out=disjoint, batch=batch), {}
    while made.next < made.end:
        found |= said(made.process(made.end, ahead).results)
    made.close()
    kept = [i for i in range(48) if i not in away]
    assert sorted(found) == kept
    source, rows = MemoryClip(CLIP), []
    runner = Runner(source, prepare(PIPELINES[0], source), [], frames=(0, 48), device="reference")
    follower = runner.tracking.followers[0]
    inputs = follower.node.inputs.items()
    for i in kept:
        if i in BAD:
            rows.append(follower.tracker.skip(i, i / 1000))
        else:
            out = runner.engine.step(FrameBatch(np.array([i]), np.array([i / 1000]), CLIP[i : i + 1]))
            rows.append(follower.tracker.update(i, i / 1000, {n: out[ref][0].rows for n, ref in inputs}))
    assert [found[i][2] for i in kept] == [r.tobytes() for r in rows]


def test_snapshots_keep_to_their_memory() -> None:
    made = timeline(every=1, most=60_000, bad=())
    while made.next < made.end:
        made.process(made.end)
        assert made.snapshots.nbytes <= 60_000 or len(made.snapshots) == 1
    assert made.snapshots.every > 1
    kept = made.snapshots
    assert kept.nbytes == sum(s.nbytes for s in kept._kept.values())
    assert len(kept) > 1


def opened(sinks: Sequence[Any] = (), **options: Any) -> Playback:
    options.setdefault("device", "reference")
    made = Playback(MemoryClip(CLIP, bad=BAD), PIPELINES[0], sinks, pictures=True, **options)
    made.start()
    return made


def shown(playback: Playback) -> Said:
    assert playback.settle(20)
    latest = playback.latest(5)
    assert latest is not None, playback.error
    return said([latest.result])


def test_seek_step_and_parameters_in_a_playback() -> None:
    playback, plain = opened(snapshot_every=5), forward()
    assert playback.state is RunState.PAUSED
    assert playback.position == -1
    for target in (20, 3, 46, 0, 30):
        playback.seek(target)
        assert shown(playback) == {target: plain[target]}
        assert playback.position == target
    playback.step(-4)
    assert shown(playback) == {26: plain[26]}
    playback.step()
    assert shown(playback) == {27: plain[27]}
    playback.set_param("bright", "level", 90)
    playback.step()
    changed = forward([Change(28, "bright", "level", 90)])
    assert shown(playback) == {28: changed[28]}
    assert changed[28] != plain[28]
    playback.seek(27)
    assert shown(playback) == {27: plain[27]}
    playback.set_param("slow", "alpha", 0.2, frame=5)
    both = forward([Change(5, "slow", "alpha", 0.2), Change(28, "bright", "level", 90)])
    assert shown(playback) == {27: both[27]}, "what is shown is computed again"
    playback.seek(500)
    assert shown(playback) == {47: both[47]}
    playback.seek(-500)
    assert shown(playback) == {0: both[0]}
    assert playback.changes == (Change(5, "slow", "alpha", 0.2), Change(28, "bright", "level", 90))
    assert playback.stop(10)
    assert playback.state is RunState.STOPPED


def test_a_structural_parameter_is_compiled_beside() -> None:
    playback = opened(snapshot_every=4)
    playback.seek(30)
    assert playback.settle(20)
    playback.set_param("smooth", "sigma", 2.0, frame=10)
    end = time.monotonic() + 20
    while not playback.changes and time.monotonic() < end:
        time.sleep(0.005)
    expected = forward([Structure(10, PIPELINES[1])])
    assert shown(playback) == {30: expected[30]}
    playback.stop(10)


def test_playing_shows_every_frame_once_and_stops_at_the_end() -> None:
    keep = Keep()
    playback = opened([keep], speed=None, batch=7)
    playback.play()
    assert playback.wait_for(RunState.RUNNING, timeout=10)
    assert playback.wait_for(RunState.PAUSED, timeout=20)
    assert said(keep.results) == forward()
    assert [r.index for r in keep.results] == list(range(48))
    playback.set_range(10, 15)
    playback.play()
    assert playback.settle(10)
    assert playback.wait_for(RunState.PAUSED, timeout=20)
    assert playback.position == 14
    playback.stop(10)


def test_playing_by_the_clock_and_in_a_loop() -> None:
    playback = opened(speed=0.05, loop=True)
    playback.set_range(40, 44)
    playback.play()
    seen: set[int] = set()
    end = time.monotonic() + 20
    while len(seen) < 4 and time.monotonic() < end:
        latest = playback.latest(1.0)
        if latest is not None:
            seen.add(latest.result.index)
    assert seen == {40, 41, 42, 43}
    playback.pause()
    assert playback.settle(10)
    assert playback.state is RunState.PAUSED
    playback.stop(10)


def test_a_slow_film_takes_its_time() -> None:
    playback = opened(speed=0.02)
    playback.play()
    time.sleep(0.3)
    playback.pause()
    assert playback.settle(10)
    assert playback.position < 20
    playback.stop(10)


def test_wrong_wishes_are_refused_at_once() -> None:
    playback = opened()
    with pytest.raises(DefinitionError, match="no node"):
        playback.set_param("nope", "level", 1)
    with pytest.raises(InputError, match="empty or reaches outside"):
        playback.set_range(5, 500)
    with pytest.raises(DefinitionError):
        playback.change_pipeline(Pipeline("none", "", (), PIPELINES[0].trackers))
    playback.stop(10)


@pytest.mark.parametrize("where", ["sink", "source"])
def test_what_fails_while_playing_is_said(where: str) -> None:
    class Full(Keep):
        closed = False

        def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
            if where == "sink":
                raise InputError("the disk is full")

        def close(self) -> None:
            self.closed = True

    sink, before = Full(), set(threading.enumerate())
    playback = opened([sink], speed=None)
    if where == "source":
        playback.source.read = lambda *_, **__: 1 / 0  # type: ignore[method-assign, assignment, return-value]
    playback.play()
    assert not playback.wait_for(RunState.STOPPED, timeout=20)
    assert playback.state is RunState.FAILED
    assert playback.error == ("the disk is full" if where == "sink" else "playing failed with ZeroDivisionError: "
                              "division by zero")  # fmt: skip
    assert sink.closed
    assert playback.stop(5)
    assert not [t for t in threading.enumerate() if t not in before and not t.join(5) and t.is_alive()]


def test_a_replay_is_run_at_once_and_accounts_for_all() -> None:
    keep = Keep()
    playback = Playback(MemoryClip(CLIP, bad=BAD), PIPELINES[0], [keep], device="reference", pictures=True,
                        unprocessed=[(20, 29)], changes=[Change(30, "bright", "level", 90)])  # fmt: skip
    report = playback.run()
    assert (report.ledger.processed, report.ledger.bad, report.ledger.not_reached) == (34, 4, 0)
    assert report.ledger.facts()["unprocessed"] == 10
    assert not report.interrupted
    assert sorted(said(keep.results)) == [i for i in range(48) if not 20 <= i <= 29]
    assert playback.state is RunState.STOPPED


def test_changes_that_are_asked_for_before_a_run_hold_from_its_beginning() -> None:
    keep = Keep()
    playback = Playback(MemoryClip(CLIP, bad=BAD), PIPELINES[0], [keep], device="reference", pictures=True)
    playback.set_param("bright", "level", 90)
    playback.set_param("slow", "alpha", 0.5, frame=9)
    playback.change_pipeline(PIPELINES[1], frame=30)
    playback.run()
    assert playback.notes == ()
    assert said(keep.results) == forward(list(playback.changes))
    assert [c.frame for c in playback.changes] == [0, 9, 30]
