"""Playing a clip: seek, step, play, loop, change; whatever fails is said."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest

from kernels.errors import DefinitionError, InputError
from pipelines.frame import FrameBatch, Result
from pipelines.graph import Pipeline
from pipelines.streaming.common.changes import Change, Structure
from pipelines.streaming.common.states import RunState
from pipelines.streaming.playback.options import PlaybackOptions
from pipelines.streaming.playback.playback import Playback
from tests.patience import PATIENCE
from tests.pipelines.clips import MemoryClip
from tests.pipelines.streaming.clip.test_runner import Keep
from tests.pipelines.streaming.playback.played import BAD, CLIP, PIPELINES, Said, forward, said
from tests.records import taken


def opened(sinks: Sequence[Any] = (), **options: Any) -> Playback:
    options = {"device": "reference", "pictures": True, **options}
    made = Playback(MemoryClip(CLIP, bad=BAD), PIPELINES[0], sinks, taken(PlaybackOptions, options), **options)
    made.start()
    return made


def shown(playback: Playback) -> Said:
    assert playback.settle(PATIENCE)
    latest = playback.latest(PATIENCE)
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
    assert playback.stop(PATIENCE)
    assert playback.state is RunState.STOPPED


def test_a_structural_parameter_is_compiled_beside() -> None:
    playback = opened(snapshot_every=4)
    playback.seek(30)
    assert playback.settle(PATIENCE)
    playback.set_param("smooth", "sigma", 2.0, frame=10)
    end = time.monotonic() + PATIENCE
    while not playback.changes and time.monotonic() < end:
        time.sleep(0.005)
    expected = forward([Structure(10, PIPELINES[1])])
    assert shown(playback) == {30: expected[30]}
    playback.stop(PATIENCE)


def test_playing_shows_every_frame_once_and_stops_at_the_end() -> None:
    keep = Keep()
    playback = opened([keep], speed=None, batch=7)
    playback.play()
    assert playback.wait_for(RunState.RUNNING, timeout=PATIENCE)
    assert playback.wait_for(RunState.PAUSED, timeout=PATIENCE)
    assert said(keep.results) == forward()
    assert [r.index for r in keep.results] == list(range(48))
    playback.set_range(10, 15)
    playback.play()
    assert playback.settle(PATIENCE)
    assert playback.wait_for(RunState.PAUSED, timeout=PATIENCE)
    assert playback.position == 14
    playback.stop(PATIENCE)


def test_playing_by_the_clock_and_in_a_loop() -> None:
    playback = opened(speed=0.05, loop=True)
    playback.set_range(40, 44)
    playback.play()
    seen: set[int] = set()
    end = time.monotonic() + PATIENCE
    while len(seen) < 4 and time.monotonic() < end:
        latest = playback.latest(1.0)
        if latest is not None:
            seen.add(latest.result.index)
    assert seen == {40, 41, 42, 43}
    playback.pause()
    assert playback.settle(PATIENCE)
    assert playback.state is RunState.PAUSED
    playback.stop(PATIENCE)


def test_a_single_frame_is_shown_once_and_not_in_a_loop() -> None:
    """It would be computed again and again, as fast as it goes, and be sought for ever."""
    playback = opened(loop=True)
    playback.set_range(40, 41)
    playback.play()
    end = time.monotonic() + PATIENCE
    while (playback.state is not RunState.PAUSED or playback.position != 40) and time.monotonic() < end:
        time.sleep(0.01)
    for _ in range(20):
        assert (playback.state, playback.position) == (RunState.PAUSED, 40)
        time.sleep(0.01)
    playback.stop(PATIENCE)


def test_a_slow_film_takes_its_time() -> None:
    playback, begin = opened(speed=0.02), time.monotonic()
    playback.play()
    while playback.position < 3:
        assert time.monotonic() < begin + PATIENCE
        time.sleep(0.01)
    playback.pause()
    assert playback.settle(PATIENCE)
    assert playback.position <= 0.02 * 1000 * (time.monotonic() - begin) + 1
    playback.stop(PATIENCE)


def test_wrong_wishes_are_refused_at_once() -> None:
    playback = opened()
    with pytest.raises(DefinitionError, match="no node"):
        playback.set_param("nope", "level", 1)
    with pytest.raises(InputError, match="empty or reaches outside"):
        playback.set_range(5, 500)
    with pytest.raises(DefinitionError):
        playback.change_pipeline(Pipeline("none", "", (), PIPELINES[0].trackers))
    playback.stop(PATIENCE)


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
    said = "" if where == "sink" else "test_playback.py"  # a sentence for people needs no place in the code
    assert said in playback.trace
    assert bool(playback.trace) == bool(said)
    assert sink.closed
    assert playback.stop(PATIENCE)
    assert not [t for t in threading.enumerate() if t not in before and not t.join(PATIENCE) and t.is_alive()]


def test_a_replay_is_run_at_once_and_accounts_for_all() -> None:
    keep = Keep()
    playback = Playback(
        MemoryClip(CLIP, bad=BAD), PIPELINES[0], [keep], PlaybackOptions(device="reference", pictures=True),
        unprocessed=[(20, 29)], changes=[Change(30, "bright", "level", 90)]
    )  # fmt: skip
    report = playback.run()
    assert (report.ledger.processed, report.ledger.bad, report.ledger.not_reached) == (34, 4, 0)
    assert report.ledger.facts()["unprocessed"] == 10
    assert not report.interrupted
    assert sorted(said(keep.results)) == [i for i in range(48) if not 20 <= i <= 29]
    assert playback.state is RunState.STOPPED


def test_changes_that_are_asked_for_before_a_run_hold_from_its_beginning() -> None:
    keep = Keep()
    playback = Playback(
        MemoryClip(CLIP, bad=BAD), PIPELINES[0], [keep], PlaybackOptions(device="reference", pictures=True)
    )
    playback.set_param("bright", "level", 90)
    playback.set_param("slow", "alpha", 0.5, frame=9)
    playback.change_pipeline(PIPELINES[1], frame=30)
    playback.run()
    assert playback.notes == ()
    assert said(keep.results) == forward(list(playback.changes))
    assert [c.frame for c in playback.changes] == [0, 9, 30]
