"""Live runs: the tracks of a clip, every frame accounted for, changes at exact frames, whatever fails is said."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import CameraLost, DefinitionError, InputError
from pipelines.definition import library, load, loads
from pipelines.frame import FrameBatch, Result
from pipelines.streaming.changes import Change
from pipelines.streaming.live import LiveRunner
from pipelines.streaming.live_ledger import BEHIND, ENDED, PAUSED
from pipelines.streaming.live_report import LiveReport
from pipelines.streaming.preparing import prepare
from pipelines.streaming.runner import PICTURE, Runner
from pipelines.streaming.states import RunState
from pipelines.streaming.tracking import Tracking
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.streaming.cameras import FakeCamera, RunTape, Tape
from tests.pipelines.test_runner import SPOTS, Keep

CLIP = moving_spots(60, 48)
WHOLE: dict[str, Any] = {"latency": 1000.0, "slots": 3000, "device": "cpu"}
"""Nothing is left out."""


def live(camera: FakeCamera, sinks: Sequence[Any] = (), **options: Any) -> tuple[LiveRunner, LiveReport]:
    """A whole run."""
    runner = LiveRunner(camera, options.pop("pipeline", loads(SPOTS)), sinks, **{**WHOLE, **options})
    runner.start()
    report = runner.wait(30)
    assert report is not None
    assert runner.state is report.state
    report.ledger.check(ended=True)
    return runner, report


def offline(clip: Any = CLIP, pipeline: Any = None, **options: Any) -> Keep:
    keep, source = Keep(), MemoryClip(clip)
    bound = prepare(pipeline or loads(SPOTS), source, options.get("roi"))
    Runner(source, bound, [keep], frames=(0, len(clip)), device="cpu", **options).run()
    return keep


def gone() -> bool:
    """Whether no thread of a run is left."""
    names = {"capture", "engine", "track", "live", "sink 0"}
    end = time.monotonic() + 5
    while time.monotonic() < end:
        if not [t for t in threading.enumerate() if t.name in names]:
            return True
        time.sleep(0.005)
    return False


@pytest.mark.parametrize("options", [{}, {"batch": 1}, {"batch": 7}, {"roi": (3, 5, 40, 37)}, {"pictures": True}])
def test_a_live_run_gives_the_tracks_of_the_clip(options: dict[str, Any]) -> None:
    keep, tape = Keep(), RunTape()
    runner, report = live(FakeCamera(CLIP), [keep], recorder=tape, **options)
    assert (report.state, report.error, report.ledger.processed) == (RunState.STOPPED, "", len(CLIP))
    same = offline(**{key: value for key, value in options.items() if key != "batch"})
    assert [r.index for r in keep.results] == list(range(len(CLIP)))
    assert keep.tracks.tobytes() == same.tracks.tobytes()
    for a, b in zip(keep.results, same.results, strict=True):
        assert a.taps.keys() == b.taps.keys()
        assert all(a.taps[name].tobytes() == b.taps[name].tobytes() for name in a.taps)
    assert np.concatenate(tape.rows).tobytes() == same.tracks.tobytes()
    assert np.array_equal(np.stack(tape.pixels), CLIP)
    assert tape.times == [i / 1000 for i in range(len(CLIP))]
    assert tape.events == []
    last = runner.latest()
    assert last is not None
    assert (last.result.index, PICTURE in last.result.taps) == (len(CLIP) - 1, "pictures" in options)
    assert runner.latest() is None
    assert gone()


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(sorted(library())), st.integers(1, 20), st.integers(1, 40))
def test_every_shipped_pipeline_in_any_batches_and_takes(name: str, batch: int, most: int) -> None:
    keep = Keep()
    live(FakeCamera(CLIP[:24], most=most), [keep], pipeline=load(name), batch=batch)
    assert keep.tracks.tobytes() == offline(CLIP[:24], load(name)).tracks.tobytes()


def test_one_thread_talks_to_the_camera() -> None:
    camera = FakeCamera(CLIP)
    live(camera)
    assert camera.threads == {"capture"}


@pytest.mark.parametrize("tape", [Tape(), RunTape()])
def test_a_ring_that_is_full_leaves_frames_out_by_name(tape: Tape) -> None:
    """The recorder has every frame; what is processed and what is named as left out is all, once."""

    class Slow(Keep):
        def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
            time.sleep(0.004)
            super().write(frames, results)

    slow, count = Slow(), 600
    camera = FakeCamera(CLIP, range(count), pace=0.0005)
    _, report = live(camera, [slow], recorder=tape, slots=12, latency=0.05, batch=2)
    ledger = report.ledger
    processed = [r.index for r in slow.results]
    left = [i for first, last in tape.unprocessed for i in range(first, last + 1)]
    assert sorted(processed + left) == list(range(count))
    assert (ledger.announced, ledger.processed, ledger.left_out) == (count, len(processed), len(left))
    assert ledger.reasons == {BEHIND: len(left)}
    assert len(left) > 50
    assert tape.ids == list(range(count))
    assert [(u.first, u.last) for u in ledger.unprocessed] == tape.unprocessed
    assert report.reading.depths["ring"].deepest <= 12
    rows = np.concatenate(tape.rows)
    assert set(rows["frame"]) <= set(processed)
    assert rows["time"].tolist() == [tape.times[i] for i in rows["frame"]]


def test_gaps_and_duplicates_are_counted_and_named() -> None:
    script = [0, 1, 2, 2, 3, 7, 8, 7, 8, 8, 9, 20, 20, 21]
    tape, keep = Tape(), Keep()
    _, report = live(FakeCamera(CLIP, script), [keep], recorder=tape)
    ledger = report.ledger
    assert tape.ids == [0, 1, 2, 3, 7, 8, 9, 20, 21]
    assert [r.index for r in keep.results] == list(range(9))
    assert [(g.sequence, g.first_id, g.last_id) for g in ledger.gaps] == [(4, 4, 6), (7, 10, 19)]
    assert (ledger.missing, ledger.duplicates, ledger.duplicate_ids) == (13, 5, [2, 7, 8, 8, 20])
    assert [e["camera_id"] for e in tape.named("duplicate")] == [2, 7, 8, 8, 20]
    assert [e["frame"] for e in tape.named("duplicate")] == [3, 6, 6, 6, 8]
    assert [(t.sequence, round(t.seconds, 6)) for t in ledger.slow_steps] == [(4, 0.004), (7, 0.011)]
    np.testing.assert_allclose(tape.times, [i / 1000 for i in tape.ids])
    assert all(np.array_equal(p, CLIP[i % len(CLIP)]) for p, i in zip(tape.pixels, tape.ids, strict=True))


def test_a_frame_that_comes_late_is_no_repetition() -> None:
    """It is neither announced nor missing: counted and named by itself; when it comes once more, it comes again."""
    script = [0, 1, 3, 2, 4, 8, 6, 6, 5, 9, 1]
    tape = Tape()
    _, report = live(FakeCamera(CLIP, script), recorder=tape)
    ledger = report.ledger
    assert tape.ids == [0, 1, 3, 4, 8, 9]
    assert (ledger.late, ledger.late_ids) == (3, [2, 6, 5])
    assert (ledger.duplicates, ledger.duplicate_ids) == (2, [6, 1])
    assert ledger.missing == 1  # 7
    assert [(g.first_id, g.last_id) for g in ledger.gaps] == [(2, 2), (5, 7)]
    assert [(e["camera_id"], e["frame"]) for e in tape.named("late")] == [(2, 3), (6, 5), (5, 5)]
    assert [(e["camera_id"], e["frame"]) for e in tape.named("duplicate")] == [(6, 5), (1, 6)]
    assert ledger.facts()["late_ids"] == [2, 6, 5]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=80), st.integers(1, 9))
def test_any_numbers(steps: list[int], most: int) -> None:
    """Steps of 0 are duplicates, of more than 1 gaps; a plain loop is the oracle."""
    script = np.cumsum([0, *steps]).tolist()
    tape = RunTape()
    _, report = live(FakeCamera(CLIP, script, most=most), recorder=tape)
    assert tape.ids == sorted(set(script))
    assert report.ledger.duplicates == len(script) - len(set(script))
    assert report.ledger.missing == script[-1] + 1 - len(set(script))


def test_a_camera_without_numbers_and_clock_is_timed_by_the_host() -> None:
    tape = Tape()
    _, report = live(FakeCamera(CLIP, range(30), numbers=False, clock=False), recorder=tape)
    assert (report.ledger.announced, report.ledger.missing, report.ledger.duplicates) == (30, 0, 0)
    assert tape.times[0] == 0.0
    assert (np.diff(tape.times) >= 0).all()


def test_a_lost_camera_comes_back() -> None:
    states: list[RunState] = []
    script = [0, 1, 2, "lost", "away", "away", 5, 6, "lost", 0, 1, 2]
    tape, camera = Tape(), FakeCamera(CLIP, script)
    _, report = live(camera, recorder=tape, on_state=states.append)
    assert report.state is RunState.STOPPED
    assert tape.ids == [0, 1, 2, 5, 6, 0, 1, 2]
    assert (report.ledger.losses, report.ledger.reconnects, report.ledger.missing) == (2, 2, 2)
    assert report.ledger.duplicates == 0
    assert [e["frame"] for e in tape.events] == [3, 3, 5, 5]
    assert (np.diff(tape.times) > 0).all()
    assert states == [RunState.STARTING, RunState.RUNNING, RunState.RECONNECTING, RunState.RUNNING,
                      RunState.RECONNECTING, RunState.RUNNING, RunState.STOPPING, RunState.STOPPED]  # fmt: skip


def test_a_camera_that_stays_away_ends_the_run() -> None:
    keep = Keep()
    _, report = live(FakeCamera(CLIP, [0, 1, "lost", *["away"] * 500]), [keep], reconnect=0.1)
    assert report.state is RunState.FAILED
    assert report.error == "fake is not there; it did not come back within 0.1 seconds, so the run ends"
    assert report.ledger.processed + report.ledger.left_out == 2


def test_what_came_before_the_camera_failed_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine is held up until the run has failed: frames are in hand then."""
    camera = FakeCamera(CLIP, [*range(12), "lost", *["away"] * 500])
    runner = LiveRunner(camera, loads(SPOTS), **WHOLE, reconnect=0.05)
    built, failed = runner.prepare(), threading.Event()
    submit, fail = built.engine.submit, runner._fail

    def late(*arguments: Any, **named: Any) -> Any:
        assert failed.wait(20)
        return submit(*arguments, **named)

    def noticed(where: str, error: BaseException) -> None:
        fail(where, error)
        failed.set()

    monkeypatch.setattr(built.engine, "submit", late)
    monkeypatch.setattr(runner._crew, "_failed", noticed)
    runner.start()
    report = runner.wait(20)
    assert report is not None
    assert report.state is RunState.FAILED
    assert "did not come back" in report.error
    assert (report.ledger.processed, report.ledger.left_out) == (12, 0)


def test_another_size_after_a_loss_ends_the_run_in_a_sentence() -> None:
    camera = FakeCamera(CLIP, [0, 1, lambda: None, "lost", 2])
    other = MemoryClip(moving_spots(1, 32)).info

    def change() -> None:
        camera.info = other

    camera.script[2] = change
    _, report = live(camera)
    assert report.state is RunState.FAILED
    assert report.error == ("memory delivers 32x32 u8 now, not 48x48 u8 as before, so the run ends; start another one "
                            "for the new pictures")  # fmt: skip


def test_a_camera_that_is_not_there_is_said_at_the_start() -> None:
    class Sink(Keep):
        closed = False

        def close(self) -> None:
            self.closed = True

    sink = Sink()
    runner = LiveRunner(FakeCamera(CLIP, ["away"]), loads(SPOTS), [sink], **WHOLE)
    with pytest.raises(InputError, match="fake is not there"):
        runner.start()
    assert runner.state is RunState.FAILED
    assert sink.closed
    assert gone()


def test_a_pipeline_that_does_not_fit_is_said_at_the_start() -> None:
    runner = LiveRunner(FakeCamera(CLIP), loads(SPOTS), **WHOLE, roi=(40, 40, 40, 40))
    with pytest.raises(InputError, match="reaches outside"):
        runner.start()
    assert runner.state is RunState.FAILED


class Late(FakeCamera):
    """Knows its size only once it is started."""

    def __init__(self) -> None:
        super().__init__(CLIP)
        self.true, self.info = self.info, MemoryClip(moving_spots(1, 20)).info

    def start(self) -> None:
        super().start()
        self.info = self.true


def test_a_camera_that_knows_its_size_late_is_prepared_for_again() -> None:
    keep, camera = Keep(), Late()
    live(camera, [keep])
    assert keep.tracks.tobytes() == offline().tracks.tobytes()
    assert camera.threads == {"capture"}
    runner = LiveRunner(Late(), loads(SPOTS), **WHOLE, recorder=Tape())
    with pytest.raises(InputError, match="fake delivers 48x48 u8 at 1000 fps, not 20x20 u8 at 1000 fps as it said"):
        runner.start()


def test_a_slow_step_of_the_clock_is_named_where_a_camera_has_no_numbers() -> None:
    tape = Tape()
    _, report = live(FakeCamera(CLIP, [0, 1, 2, 6, 7], numbers=False), recorder=tape)
    assert [(t.sequence, t.seconds) for t in report.ledger.slow_steps] == [(3, 0.004)]
    assert tape.events == [{"kind": "time gap", "frame": 3, "seconds": 0.004}]
    assert report.ledger.facts()["time_gaps"] == 1


class Closing(Keep):
    """Says whether it was closed."""

    closed = 0

    def close(self) -> None:
        self.closed += 1


def fails(*_: Any, **__: Any) -> Any:
    raise InputError("the wire was cut")


def breaks(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError("no such luck")


BROKEN = "the {} thread failed with ZeroDivisionError: no such luck"


@pytest.mark.parametrize(("how", "said"), [(fails, "the wire was cut"), (breaks, BROKEN)])
@pytest.mark.parametrize("where", ["camera", "kernel", "tracker", "sink", "frame", "rows", "event", "closing"])
def test_what_fails_in_any_thread_ends_the_run(
    where: str, how: Callable[..., Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sink, other, tape = Closing(), Closing(), Tape()
    camera = FakeCamera(CLIP, [*range(30), 32, 31, *range(33, 2000)], pace=0.0005)
    runner = LiveRunner(camera, loads(SPOTS), [sink, other], **WHOLE, recorder=tape)
    calls = {"n": 0}

    def later(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            calls["n"] += 1
            return how() if calls["n"] > 3 else real(*arguments, **named)

        return call

    built = runner.prepare()
    thread = {"camera": "capture", "kernel": "engine", "tracker": "track", "sink": "sink 0", "frame": "capture",
              "rows": "track", "event": "capture", "closing": "closing"}[where]  # fmt: skip
    match where:
        case "camera":
            camera.take = later(camera.take)  # type: ignore[method-assign]
        case "kernel":
            built.engine.submit = later(built.engine.submit)  # type: ignore[method-assign]
        case "tracker":
            monkeypatch.setattr(Tracking, "follow", later(Tracking.follow))
        case "sink":
            sink.write = later(sink.write)  # type: ignore[method-assign]
        case "frame":
            tape.frame = later(tape.frame)  # type: ignore[method-assign]
        case "rows":
            tape.tracks = later(tape.tracks)  # type: ignore[method-assign]
        case "event":
            tape.event = how  # type: ignore[method-assign]
        case "closing":
            sink.close = how  # type: ignore[method-assign]
            camera.script = camera.script[:20]
    runner.start()
    report = runner.wait(20)
    assert report is not None, "the run hangs"
    assert (report.state, report.error) == (RunState.FAILED, said.format(thread))
    if where != "event":
        report.ledger.check(ended=True)
        assert set(report.ledger.reasons) <= {ENDED, BEHIND}
        left = [i for u in report.ledger.unprocessed for i in range(u.first, u.last + 1)]
        assert sorted(i for a, b in tape.unprocessed for i in range(a, b + 1)) == left
        assert len(left) == report.ledger.left_out
    assert other.closed == 1
    assert sink.closed == (where != "closing")
    assert gone()


def test_a_camera_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.streaming.crew.ANSWER", 0.05)
    camera = FakeCamera(CLIP, range(10))

    def hang() -> None:
        camera.closed.wait(20)
        raise CameraLost("fake was closed")

    camera.script.append(hang)
    runner = LiveRunner(camera, loads(SPOTS), **WHOLE)
    runner.start()
    time.sleep(0.05)
    report = runner.stop(20)
    assert report is not None
    assert camera.closed.is_set()
    assert report.ledger.announced == 10
    report.ledger.check(ended=True)


def test_pause_leaves_frames_out_and_records_them() -> None:
    tape, keep = Tape(), Keep()
    steps = {"pause": 20, "resume": 50}
    runner: LiveRunner

    def pause() -> None:
        runner.pause()

    def resume() -> None:
        runner.resume()

    script: list[Any] = list(range(80))
    script.insert(steps["resume"], resume)
    script.insert(steps["pause"], pause)
    states: list[RunState] = []
    runner = LiveRunner(FakeCamera(CLIP, script), loads(SPOTS), [keep], **WHOLE, recorder=tape, on_state=states.append)
    runner.start()
    report = runner.wait(20)
    assert report is not None
    assert tape.ids == list(range(80))
    assert [r.index for r in keep.results] == [*range(20), *range(50, 80)]
    assert tape.unprocessed == [(20, 49)]
    assert report.ledger.reasons == {PAUSED: 30}
    assert [s for s in states if s in (RunState.PAUSED, RunState.RUNNING)] == [
        RunState.RUNNING, RunState.PAUSED, RunState.RUNNING]  # fmt: skip


def test_so_many_frames_and_no_more() -> None:
    camera, keep = FakeCamera(CLIP, range(10_000)), Keep()
    _, report = live(camera, [keep], frames=33)
    assert (report.ledger.announced, len(keep.results)) == (33, 33)
    assert camera.stopped


def test_stop_finishes_what_was_taken() -> None:
    keep = Keep()
    camera = FakeCamera(CLIP, range(100_000), pace=0.002)
    runner = LiveRunner(camera, loads(SPOTS), [keep], **WHOLE)
    runner.start()
    assert runner.latest(10) is not None
    report = runner.stop(20)
    assert report is not None
    assert report.state is RunState.STOPPED
    assert report.ledger.left_out == 0
    assert report.ledger.processed == report.ledger.announced == len(keep.results) > 0
    assert runner.stop(1) is report


def test_a_run_that_never_began_can_be_stopped() -> None:
    sink = Closing()
    report = LiveRunner(FakeCamera(CLIP), loads(SPOTS), [sink], **WHOLE).stop(1)
    assert report is not None
    assert (report.state, report.ledger.announced, sink.closed) == (RunState.STOPPED, 0, 1)


def test_bad_changes_are_refused_at_once() -> None:
    runner = LiveRunner(FakeCamera(CLIP), loads(SPOTS), **WHOLE)
    for node, param, value, said in (
        ("nope", "level", 1, "no node"), ("bright", "nope", 1, "no parameter"), ("slow", "alpha", 7, "outside"),
        ("follow", "gate", -1, "outside"), ("smooth", "sigma", -1.0, "outside"),
    ):  # fmt: skip
        with pytest.raises(DefinitionError, match=said):
            runner.set_param(node, param, value)
    with pytest.raises(DefinitionError, match="no node"):
        LiveRunner(FakeCamera(CLIP), loads(SPOTS), **WHOLE, changes=[Change(3, "nope", "level", 1)]).prepare()
