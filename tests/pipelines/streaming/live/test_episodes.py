"""Episodes of a live run: what begins with a frame is as if the run began there, and no frame between is lost."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.ir.image import ImageType, dtype_of
from pipelines.definition import loads
from pipelines.graph import Pipeline
from pipelines.streaming.common.states import RunState
from pipelines.streaming.live.capture import RECENT
from pipelines.streaming.live.episode import Episode
from pipelines.streaming.live.live_runner import LiveRunner
from pipelines.streaming.live.options import LiveOptions
from pipelines.streaming.live.ring import Ring
from pipelines.writing import dumps
from tests.patience import PATIENCE
from tests.pipelines.streaming.clip.test_runner import SPOTS, Keep
from tests.pipelines.streaming.live.cameras import FakeCamera, RunTape
from tests.pipelines.streaming.live.live_runs import CLIP, WHOLE, gone, offline
from tests.shipped import UNFORESEEN, fixed

COUNT = len(CLIP)


class Parts(Keep):
    """Keeps each episode apart."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = [self.results]

    def begin_anew(self) -> None:
        self.results = []
        self.parts.append(self.results)


class Run:
    """A run of CLIP that begins anew before some of its frames, each time with another tape."""

    def __init__(self, at: list[int], pipeline: Any = None, **options: Any) -> None:
        self.tapes = [RunTape() for _ in range(len(at) + 1)]
        self.episodes: list[Episode] = []
        script: list[Any] = []
        for number in range(COUNT):
            script += [self._next for k in at if k == number]
            script.append(number)
        self.sink = Parts()
        self.camera = FakeCamera(CLIP, script)
        self.runner = LiveRunner(self.camera, pipeline or loads(SPOTS), [self.sink], recorder=self.tapes[0],
                                 options=LiveOptions(**{**WHOLE, **options}))  # fmt: skip
        self.episodes.append(self.runner.episode)
        self.runner.start()
        report = self.runner.wait(PATIENCE)
        assert report is not None
        assert (report.state, report.error) == (RunState.STOPPED, "")

    def _next(self) -> None:
        self.episodes.append(self.runner.begin_anew(self.tapes[len(self.episodes)], self.runner.pipeline))


@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(0, COUNT - 1), max_size=3).map(sorted), st.integers(1, 20))
def test_each_is_as_a_run_that_begins_there(at: list[int], batch: int) -> None:
    as_runs_of_their_own(loads(SPOTS), at, batch)


@pytest.mark.parametrize("name", ["background-motion", "corners", "template"])
def test_whatever_stages_and_trackers_remember(name: str) -> None:
    live = UNFORESEEN if name == "background-motion" else {}
    as_runs_of_their_own(fixed(name).with_settings(live), [17, 17, 40], 16)


def as_runs_of_their_own(pipeline: Pipeline, at: list[int], batch: int) -> None:
    """A run that begins anew before the frames `at` has the tracks of runs that begin there."""
    run = Run(at, pipeline, batch=batch)
    edges = [0, *at, COUNT]
    assert (run.camera.starts, run.camera.threads) == (1, {"capture"})
    parts = zip(run.tapes, run.episodes, run.sink.parts, pairwise(edges), strict=True)
    for tape, episode, part, (first, end) in parts:
        assert episode.ended.is_set()
        assert (episode.ledger.announced, episode.ledger.processed) == (end - first, end - first)
        assert tape.ids == list(range(first, end))
        assert tape.times == [k / 1000 for k in range(end - first)]
        assert tape.events == []
        assert [result.index for result in part] == list(range(end - first))
        if end > first:
            alone = offline(CLIP[first:end], pipeline).tracks
            assert b"".join(rows.tobytes() for rows in tape.rows) == alone.tobytes()
    assert gone()


def test_frames_that_a_slow_engine_leaves_out_are_named_in_their_own() -> None:
    class Slow(Parts):
        def write(self, frames: Any, results: Any) -> None:
            time.sleep(0.004)
            super().write(frames, results)

    first, second = RunTape(), RunTape()
    camera = FakeCamera(CLIP, [*range(300), lambda: runner.begin_anew(second), *range(300, 600)], pace=0.0005)
    runner = LiveRunner(camera, loads(SPOTS), [sink := Slow()], recorder=first,
                        options=LiveOptions(slots=12, latency=0.05, batch=2))  # fmt: skip
    before = runner.episode
    runner.start()
    assert runner.wait(PATIENCE) is not None
    for tape, episode, part in ((first, before, sink.parts[0]), (second, runner.episode, sink.parts[1])):
        left = [k for a, b in tape.unprocessed for k in range(a, b + 1)]
        assert sorted([result.index for result in part] + left) == list(range(300))
        assert (episode.ledger.announced, episode.ledger.left_out) == (300, len(left))
    assert runner.episode.ledger.left_out > 0


def test_a_pipeline_that_changes_before_the_first_frame_is_told_to_the_recorder() -> None:
    """It was written into the session before; a replay follows the change."""
    tape, written = RunTape(), loads(SPOTS)

    def begin() -> None:
        runner.begin_anew(tape, written)

    camera = FakeCamera(CLIP, [*range(20), lambda: runner.set_param("bright", "level", 90), *range(20, 40), begin,
                               *range(40, COUNT)])  # fmt: skip
    runner = LiveRunner(camera, written, options=LiveOptions(**WHOLE))
    runner.start()
    assert runner.wait(PATIENCE) is not None
    now = written.with_settings({"bright.level": 90})
    assert tape.events == [{"kind": "structure", "frame": 0, "pipeline": dumps(now)}]
    assert np.concatenate(tape.rows).tobytes() == offline(CLIP[40:], now).tracks.tobytes()


def test_frames_that_came_since_it_was_asked_for_are_counted() -> None:
    tape, asked = RunTape(), list[int]()

    def begin() -> None:
        runner.begin_anew(tape, asked=asked[0])

    camera = FakeCamera(CLIP, [*range(10), lambda: asked.append(time.time_ns()), *range(10, 23), begin, 23, 24])
    runner = LiveRunner(camera, loads(SPOTS), options=LiveOptions(**WHOLE))
    runner.start()
    assert runner.wait(PATIENCE) is not None
    episode = runner.episode
    assert tape.named("began") == [{"kind": "began", "frame": 0, "asked": asked[0], "came_before": 13}]
    assert (episode.came_before, len(tape.ids)) == (13, 2)
    assert episode.first_time is not None
    assert episode.delay == (episode.first_time - asked[0]) / 1e9
    assert RECENT > 20_000  # a second of the fastest cameras that are of use here, and minutes of others


def test_one_that_is_asked_for_after_the_end_has_no_frame() -> None:
    runner = LiveRunner(FakeCamera(CLIP), loads(SPOTS), options=LiveOptions(**WHOLE))
    runner.start()
    assert runner.wait(PATIENCE) is not None
    late = runner.begin_anew(RunTape())
    assert late.ended.is_set()
    assert late.ledger.announced == 0
    assert late.delay is None


def test_a_run_that_fails_ends_all_of_them() -> None:
    class Broken(Keep):
        def write(self, frames: Any, results: Any) -> None:
            raise OSError("no space")

    tape = RunTape()
    camera = FakeCamera(CLIP, [*range(20), lambda: runner.begin_anew(tape), *range(20, COUNT)])
    runner = LiveRunner(camera, loads(SPOTS), [Broken()], options=LiveOptions(**WHOLE))
    first = runner.episode
    runner.start()
    report = runner.wait(PATIENCE)
    assert report is not None
    assert report.state is RunState.FAILED
    assert first.ended.is_set()
    assert runner.episode.ended.is_set()


def test_no_batch_of_a_ring_has_frames_of_two() -> None:
    ring = Ring(16, ImageType(dtype_of(np.dtype("u1")), 1, 1))
    ring.sequence[:9] = [5, 6, 7, 0, 1, 0, 1, 2, 3]
    ring.captured[:9] = time.perf_counter() + 1000  # none is waited for
    second, third, empty = Episode(), Episode(), Episode()
    ring.publish(3)
    ring.cut(second)
    ring.publish(2)
    ring.cut(empty)
    ring.cut(third)
    ring.publish(4)
    ring.close()
    got: list[Any] = []
    while (taken := ring.batch(4, 1000.0)) is not None:
        got.append(taken if isinstance(taken, Episode) else taken[0].indices.tolist())
    assert got == [[5, 6, 7], second, [0, 1], empty, third, [0, 1, 2, 3]]


def test_a_ring_gives_up_frames_of_the_oldest_alone() -> None:
    ring = Ring(16, ImageType(dtype_of(np.dtype("u1")), 1, 1))
    ring.sequence[:5] = [5, 6, 7, 0, 1]
    second = Episode()
    ring.publish(3)
    ring.cut(second)
    ring.publish(2)
    assert ring.give_up(1.0).tolist() == [5, 6, 7]
    assert ring.batch(4, 0.0) is second
    assert ring.give_up(1.0).tolist() == [0, 1]
