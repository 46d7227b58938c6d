"""Changes of a live run, and the replay that repeats them: the same tracks, bit for bit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError, InputError
from pipelines.definition import loads
from pipelines.frame import FrameBatch, Result
from pipelines.graph import Pipeline
from pipelines.streaming.common.changes import AnyChange, Change, Changes, Scheduled, Structure
from pipelines.streaming.engine import restructuring
from pipelines.streaming.engine.building import Built, Order
from pipelines.streaming.live.live_runner import LiveRunner
from pipelines.streaming.live.options import LiveOptions
from pipelines.streaming.live.report import LiveReport
from pipelines.streaming.playback.options import PlaybackOptions
from pipelines.streaming.playback.playback import Playback
from tests.patience import PATIENCE
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.streaming.clip.test_runner import SPOTS, Keep
from tests.pipelines.streaming.live.cameras import FakeCamera, RunTape
from tests.pipelines.streaming.playback.played import PIPELINES, VALUES
from tests.shipped import UNFORESEEN

CLIP = moving_spots(40, 32)
COUNT = 300
LIVE = [*PIPELINES[:-1], PIPELINES[-1].with_settings(UNFORESEEN)]
"""As what is still to come can be followed."""


class Hindered(Keep):
    """A sink that stands still at times, so that the ring runs full."""

    def __init__(self, at: Sequence[int]) -> None:
        super().__init__()
        self.at = set(at)

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        super().write(frames, results)
        if self.at & set(range(int(frames.indices[0]), int(frames.indices[-1]) + 1)):
            time.sleep(0.03)


def replay(tape: RunTape, changes: Sequence[AnyChange], pipeline: Pipeline, **options: Any) -> Any:
    """The tracks of the frames on a tape, with the same changes and the same frames left out."""
    clip = MemoryClip(np.stack(tape.pixels))
    info = clip.info
    clip.info = type(info)(**{f: getattr(info, f) for f in info.__slots__} | {
        "time": type(info.time)(1000.0, "stamps", "tape", np.array(tape.times))})  # fmt: skip
    keep = Keep()
    Playback(
        clip, pipeline, [keep], PlaybackOptions(device="cpu", **options), changes=changes, unprocessed=tape.unprocessed
    ).run()
    return keep


def finished(runner: LiveRunner) -> LiveReport:
    report = runner.wait(PATIENCE)
    assert report is not None, "the run hangs"
    assert report.error == ""
    report.ledger.check(ended=True)
    return report


@settings(max_examples=8, deadline=None)
@given(st.data(), st.integers(1, 16))
def test_a_replay_repeats_a_live_run(data: st.DataObject, batch: int) -> None:
    """Random changes of parameters and pipelines while it runs, frames that found no room; then the same from tape."""
    told: list[AnyChange] = []
    runner: LiveRunner

    def wish(node: str, param: str, value: Any) -> Callable[[], None]:
        def call() -> None:
            try:
                runner.set_param(node, param, value)
            except DefinitionError:  # the pipeline of the moment has no such parameter
                refused.append(node)

        return call

    def another(pipeline: Pipeline) -> Callable[[], None]:
        return lambda: runner.change_pipeline(pipeline)

    refused: list[str] = []
    script: list[Any] = list(range(COUNT))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(script)))
        if data.draw(st.integers(0, 2)) == 0:
            script.insert(at, another(data.draw(st.sampled_from(LIVE))))
            continue
        (node, param), values = data.draw(st.sampled_from([*sorted(VALUES.items()), (("smooth", "sigma"), (0.8, 1.5))]))
        script.insert(at, wish(node, param, data.draw(st.sampled_from(values))))
    planned: list[AnyChange] = [Change(20, "bright", "level", 50), Structure(41, PIPELINES[1])]
    keep = Hindered(data.draw(st.lists(st.integers(0, COUNT), max_size=6)))
    tape = RunTape()
    runner = LiveRunner(
        FakeCamera(CLIP, script, pace=0.0007, most=5), PIPELINES[0], [keep], LiveOptions(device="cpu", latency=0.02,
        slots=24), recorder=tape, changes=planned, on_change=told.append
    )  # fmt: skip
    runner.start()
    report = finished(runner)
    assert list(report.changes) == told
    assert len(tape.ids) == COUNT
    again = replay(tape, told, PIPELINES[0], batch=batch)
    assert [r.index for r in again.results] == [r.index for r in keep.results]
    assert again.tracks.tobytes() == keep.tracks.tobytes()
    events = [e for e in tape.events if e["kind"] in ("parameter", "structure")]
    assert [e["frame"] for e in events] == [c.frame for c in told]
    assert [loads(e["pipeline"]).digest for e in events if e["kind"] == "structure"] == [
        c.pipeline.digest for c in told if isinstance(c, Structure)]  # fmt: skip


def test_a_planned_change_holds_from_its_very_frame_on() -> None:
    keep, told = Keep(), []
    plan: list[AnyChange] = [Change(17, "bright", "level", 300), Change(23, "smooth", "sigma", 2.0)]
    runner = LiveRunner(
        FakeCamera(CLIP), loads(SPOTS), [keep], LiveOptions(device="cpu", latency=1000.0, slots=64), changes=plan,
        on_change=told.append
    )  # fmt: skip
    runner.start()
    finished(runner)
    assert [c.frame for c in told] == [17, 23]
    assert isinstance(told[1], Structure)
    states = {r.index: set(r.tracks["state"]) for r in keep.results}
    assert 2 not in states[16]
    assert states[17] <= {2, 3}
    taps = [r.taps["smooth"].astype(int) for r in keep.results]
    sharp = [np.abs(np.diff(t, axis=0)).sum() for t in taps]
    assert max(sharp[23:]) < min(sharp[:23])


def test_a_pipeline_that_cannot_be_compiled_leaves_the_old_one_running(monkeypatch: pytest.MonkeyPatch) -> None:
    real, seen, held = restructuring.build_checked, threading.Event(), threading.Event()

    def refuse(pipeline: Pipeline, order: Order) -> Built:
        if pipeline.digest == PIPELINES[1].digest:
            seen.set()
            assert held.wait(PATIENCE)
            raise InputError("the assembler is on holiday")
        return real(pipeline, order)

    monkeypatch.setattr(restructuring, "build_checked", refuse)
    keep = Keep()
    runner = LiveRunner(FakeCamera(CLIP, range(100_000), pace=0.001), PIPELINES[0], [keep], LiveOptions(device="cpu"))
    runner.start()
    runner.change_pipeline(PIPELINES[1])
    assert seen.wait(PATIENCE)
    runner.set_param("bright", "level", 70)
    held.set()
    end = time.monotonic() + PATIENCE
    while not runner.notes and time.monotonic() < end:
        time.sleep(0.002)
    assert runner.notes[-1].endswith("cannot be compiled, so the one before runs on: the assembler is on holiday")
    count = len(keep.results)
    while len(keep.results) < count + 20 and time.monotonic() < end:
        time.sleep(0.002)
    report = runner.stop(PATIENCE)
    assert report is not None
    assert report.error == ""
    assert [type(c) for c in report.changes] == [Change]
    assert runner.pipeline.digest == PIPELINES[0].with_settings({"bright.level": 70}).digest
    with pytest.raises(DefinitionError):
        runner.change_pipeline(Pipeline("none", "", (), PIPELINES[0].trackers))


def test_parameters_that_change_while_a_pipeline_is_compiled_change_in_both(monkeypatch: pytest.MonkeyPatch) -> None:
    real, seen, held = restructuring.build_checked, threading.Event(), threading.Event()

    def slow(pipeline: Pipeline, order: Order) -> Built:
        if pipeline.digest == PIPELINES[1].digest:
            seen.set()
            assert held.wait(PATIENCE)
        return real(pipeline, order)

    monkeypatch.setattr(restructuring, "build_checked", slow)
    runner = LiveRunner(FakeCamera(CLIP, range(100_000), pace=0.001), PIPELINES[0], options=LiveOptions(device="cpu"))
    runner.start()
    runner.change_pipeline(PIPELINES[1])
    assert seen.wait(PATIENCE)
    runner.set_param("bright", "level", 70)
    end = time.monotonic() + PATIENCE
    wanted = PIPELINES[0].with_settings({"bright.level": 70}).digest
    while runner.pipeline.digest != wanted and time.monotonic() < end:
        time.sleep(0.002)
    held.set()
    wanted = PIPELINES[1].with_settings({"bright.level": 70}).digest
    while runner.pipeline.digest != wanted and time.monotonic() < end:
        time.sleep(0.002)
    report = runner.stop(PATIENCE)
    assert report is not None
    assert [type(c) for c in report.changes] == [Change, Structure, Change]
    assert report.changes[1].frame == report.changes[2].frame
    assert runner.pipeline.digest == wanted


def test_a_parameter_of_a_stage_that_nobody_wants_changes_nothing() -> None:
    lonely = loads(SPOTS + '[stages.unused]\nuse = "threshold"\ninputs = "gray"\nlevel = 5\n')
    plan: list[AnyChange] = [Change(7, "unused", "level", 9)]
    keep, told = Keep(), []
    runner = LiveRunner(
        FakeCamera(CLIP), lonely, [keep], LiveOptions(device="cpu", latency=1000.0, slots=64), changes=plan,
        on_change=told.append
    )  # fmt: skip
    runner.start()
    finished(runner)
    again = Keep()
    Playback(MemoryClip(CLIP), lonely, [again], PlaybackOptions(device="cpu"), changes=plan).run()
    assert told == plan
    assert keep.tracks.tobytes() == again.tracks.tobytes()


def test_changes_are_taken_in_order_with_the_frame_that_they_hold_from() -> None:
    scheduled = Scheduled([Change(9, "b", "p", 1), Change(4, "a", "p", 1), Change(9, "b", "p", 2)])
    assert scheduled.boundary(0) == 4
    assert scheduled.take(3) == []
    assert scheduled.take(5) == [Change(5, "a", "p", 1)]
    assert scheduled.boundary(5) == 9
    assert [c.value for c in scheduled.take(9) if isinstance(c, Change)] == [1, 2]
    assert scheduled.boundary(9) is None
    both = Changes([Change(2, "a", "p", 1)])
    both.put(Change(-1, "a", "p", 5))
    assert both.take(0) == [Change(0, "a", "p", 5)]
    assert both.boundary(0) == 2
    both.put(Change(-1, "a", "p", 6))
    assert both.take(2) == [Change(2, "a", "p", 1), Change(2, "a", "p", 6)]
