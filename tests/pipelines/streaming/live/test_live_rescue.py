"""The processor takes over from a GPU that fails in a live run: tracks go on, and every frame has its fate."""

from __future__ import annotations

import gc
import re
import time
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors.base import executor as real_executor
from kernels.executors.cuda_runner import CudaRunner
from pipelines.features import Tracks, join_tracks
from pipelines.frame import FrameBatch
from pipelines.graph import Pipeline
from pipelines.streaming.common.changes import AnyChange, Change, Structure
from pipelines.streaming.common.preparing import bound_for
from pipelines.streaming.engine import building
from pipelines.streaming.engine.building import set_live
from pipelines.streaming.engine.checkpoint import Checkpoint, engine_at, tracking_at
from pipelines.streaming.engine.choice import Choice
from pipelines.streaming.engine.engine import Engine
from pipelines.streaming.engine.tracking import Tracking
from pipelines.streaming.live import computing
from pipelines.streaming.live.ledger import TAKING_OVER
from pipelines.streaming.live.live_runner import LiveRunner
from pipelines.streaming.live.options import LiveOptions
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.patience import PATIENCE
from tests.pipelines.clips import moving_spots
from tests.pipelines.emulated import EmulatedExecutor
from tests.pipelines.streaming.clip.test_rescue import Doomed
from tests.pipelines.streaming.clip.test_runner import Keep
from tests.pipelines.streaming.live.cameras import FakeCamera
from tests.shipped import fixed

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

START = LiveRunner.start
LENGTH = 40
CLIP = moving_spots(LENGTH, 32)
INFO = FakeCamera(CLIP).info
KNOB = {"blobs": ("bright", "level", 0.05), "facial-markers": ("steady", "alpha", 0.4),
        "background-motion": ("moving", "alpha", 0.05)}  # fmt: skip
FAILED = re.compile(r"cuda:0 failed at frame (\d+): .*; the processor computes from frame (\d+) on(?:, (.*))?")
FORGOT = re.compile(r"its stages without memory of frames (\d+) to (\d+)")


class States(Keep):
    """A recorder that keeps events and states."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[tuple[str, int | None, dict[str, Any]]] = []
        self.states: list[Checkpoint] = []

    def frame(self, *_: Any) -> bool:
        return True

    def event(self, kind: str, frame: int | None, **facts: Any) -> None:
        self.events.append((kind, frame, facts))

    def tracks(self, rows: Tracks) -> None: ...

    def taken_over(self, made: Checkpoint) -> None:
        self.states.append(made)


def a_gpu(patch: pytest.MonkeyPatch, made: Any, after: int | None = None) -> None:
    """A GPU, which fails so many calls after the first frame came. The reference takes over: nothing is compiled."""
    patch.setattr(building, "choose", lambda *_: Choice(made, "auto", "cuda:0", machine={}))
    patch.setattr(building, "on_cpu", lambda asked, why: Choice(real_executor("reference"), asked, "cpu", why))

    def start(runner: LiveRunner) -> None:
        runner.prepare()  # trials take some
        if after is not None:
            made.left = after
        START(runner)

    patch.setattr(LiveRunner, "start", start)


def live(name: str, changes: Sequence[AnyChange] = (), **options: Any) -> tuple[Keep, States, LiveRunner, Any]:
    keep, states = Keep(), States()
    options = {"latency": 1000.0, "slots": 64, "batch": 3, **options}
    camera = options.pop("camera", None) or FakeCamera(CLIP, most=5)
    runner = LiveRunner(camera, fixed(name), [keep], LiveOptions(**options), recorder=states, changes=changes)
    runner.start()
    report = runner.wait(PATIENCE)
    assert report is not None
    assert report.error == ""
    report.ledger.check(ended=True)
    return keep, states, runner, report


def by_hand(name: str, changes: Sequence[Change], frames: Sequence[int], at: int = -1, copy: int = -1) -> Tracks:
    """Stages and trackers, frame by frame; before frame `at` the stages have the state from before frame `copy` (that
    of the beginning, where it is -1)."""
    bound = bound_for(fixed(name), INFO)
    engine, tracking = Engine(bound, real_executor("cpu")), Tracking(bound, INFO.time.fps)
    states = {-1: engine.snapshot()}
    rows = []
    for frame in frames:
        states[frame] = engine.snapshot()
        if frame == at:
            engine.restore(states[copy])
        for change in changes:
            if change.frame == frame:
                set_live(engine, change)
        batch = FrameBatch(np.array([frame]), np.array([frame / INFO.time.fps]), CLIP[frame : frame + 1])
        rows += tracking.follow(batch, engine.step(batch))
    return join_tracks(rows)


def told(notes: Sequence[str]) -> tuple[int, int]:
    """The frame from which on the processor computes, and that before which the copy stood."""
    (found,) = [match for note in notes if (match := FAILED.fullmatch(note))]
    assert found[1] == found[2]
    if found[3] is None:
        return int(found[1]), int(found[1])
    forgot = FORGOT.fullmatch(found[3])
    if forgot is None:
        assert found[3] == "without memory of those before"
        return int(found[1]), -1
    assert int(forgot[2]) == int(found[1]) - 1
    return int(found[1]), int(forgot[1])


@settings(max_examples=8, deadline=None)
@given(
    name=st.sampled_from(("facial-markers", "background-motion")),
    after=st.integers(0, 24),
    call=st.sampled_from(("launch", "synchronize", "upload", "download")),
    said=st.sampled_from(("memory", "lost")),
    batch=st.integers(2, 6),
    spacing=st.sampled_from((0.0, 1e9)),
    turned=st.integers(1, LENGTH - 1),
)
def test_wherever_a_gpu_fails_the_processor_goes_on(
    name: str, after: int, call: str, said: str, batch: int, spacing: float, turned: int
) -> None:
    changes = [Change(turned, *KNOB[name])]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(computing, "SPACING", spacing)
        a_gpu(patch, doomed := Doomed(1 << 30, call, said), after)
        keep, states, runner, report = live(name, changes, batch=batch)
    assert runner.built is not None
    everything = range(LENGTH)
    assert report.ledger.processed == LENGTH
    if doomed.left >= 0:
        assert runner.built.choice.device == "cuda:0"
        assert keep.tracks.tobytes() == by_hand(name, changes, everything).tobytes()
        assert not states.states
        return
    at, copy = told(report.notes)
    assert runner.built.choice.device == "cpu"
    assert keep.tracks.tobytes() == by_hand(name, changes, everything, at, copy).tobytes()
    assert [facts["text"] for kind, _, facts in states.events if kind == "note"] == [report.notes[-1]]
    assert_goes_on(states, at, keep.tracks, changes)
    assert copy >= 0 or spacing > 0 or at <= batch


def assert_goes_on(states: States, at: int, tracks: Tracks, changes: Sequence[Change]) -> None:
    """Whoever has the state that was recorded makes the rest of the tracks of it."""
    (point,) = states.states
    assert point.frame == at
    bound = bound_for(point.pipeline, INFO)
    engine, tracking = engine_at(point, bound, real_executor("cpu")), tracking_at(point, bound, INFO.time.fps)
    rows = []
    for frame in range(at, LENGTH):
        for change in changes:
            if change.frame == frame > at:
                set_live(engine, change)
        batch = FrameBatch(np.array([frame]), np.array([frame / INFO.time.fps]), CLIP[frame : frame + 1])
        rows += tracking.follow(batch, engine.step(batch))
    assert join_tracks(rows).tobytes() == tracks[tracks["frame"] >= at].tobytes()


def test_what_remembers_nothing_goes_on_as_if_nothing_had_been(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trackers included, through changes of the pipeline that were compiled for the GPU."""
    plan: list[AnyChange] = [
        Change(7, "bright", "level", 0.05), Change(12, "follow", "gate", 3.0),
        Structure(21, fixed("blobs").with_settings({"band.sigma": 1.6})), Change(30, "bright", "level", 0.02),
    ]  # fmt: skip
    a_gpu(monkeypatch, EmulatedExecutor())
    expected = live("blobs", plan)[0]
    a_gpu(monkeypatch, Doomed(1 << 30, "upload", "lost"), 4)
    keep, _, runner, report = live("blobs", plan)
    assert sum("failed at frame" in note for note in report.notes) == 2  # both that had been compiled
    assert keep.tracks.tobytes() == expected.tracks.tobytes()
    assert isinstance(runner.pipeline, Pipeline)


def test_frames_that_come_meanwhile_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    a_gpu(monkeypatch, Doomed(1 << 30, "upload", "lost"), 6)
    camera = FakeCamera(CLIP, list(range(400)), pace=1e-3, most=2)
    quick, write, behind = computing.on_processor, Keep.write, [400]

    def slow(*arguments: Any) -> Any:
        before = camera.at
        while camera.at < before + 60:
            time.sleep(0.001)
        camera.pace = 0.2  # however slow this machine is, it is there before the camera ends
        behind[0] = camera.at
        return quick(*arguments)

    def goes_on(keep: Keep, info: Any, results: Any) -> None:
        write(keep, info, results)
        if any(result.index > behind[0] for result in results):
            camera.pace = 5e-3

    monkeypatch.setattr(computing, "on_processor", slow)
    monkeypatch.setattr(Keep, "write", goes_on)
    keep, states, _, report = live("blobs", camera=camera, slots=12)
    named = [r for r in report.ledger.unprocessed if r.reason == TAKING_OVER]
    assert named
    assert report.ledger.reasons[TAKING_OVER] >= 20
    assert report.ledger.processed + report.ledger.left_out == 400
    said = [facts for kind, _, facts in states.events if kind == "unprocessed" and facts["reason"] == TAKING_OVER]
    assert said[0]["first"] == named[0].first
    at, _ = told(report.notes)
    assert at < named[0].first
    assert any(keep.tracks["frame"] > named[-1].last)


def test_the_memory_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[weakref.ref[CudaRunner]] = []

    class Watched(Doomed):
        def compile(self, body: Any) -> Any:
            program = super().compile(body)
            if isinstance(program, CudaRunner):
                made.append(weakref.ref(program))
            return program

    a_gpu(monkeypatch, Watched(1 << 30, "upload", "lost"), 5)
    alive: list[int] = []
    ends = LiveRunner.ends

    def ended(runner: LiveRunner, frame: int, note: str) -> None:
        ends(runner, frame, note)
        alive.append(sum(ref() is not None for ref in made))

    monkeypatch.setattr(LiveRunner, "ends", ended)
    gc.disable()
    try:
        live("facial-markers")
    finally:
        gc.enable()
    assert made
    assert alive == [0]
