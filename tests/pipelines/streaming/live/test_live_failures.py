"""Live runs whose camera is lost or in which something fails: said in a sentence, and every frame accounted for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kernels.errors import CameraLost, InputError
from pipelines.definition import loads
from pipelines.streaming.common.states import RunState
from pipelines.streaming.engine.tracking import Tracking
from pipelines.streaming.live.ledger import BEHIND, ENDED
from pipelines.streaming.live.live_runner import LiveRunner
from pipelines.streaming.live.options import LiveOptions
from tests.patience import PATIENCE
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.streaming.clip.test_runner import SPOTS, Keep
from tests.pipelines.streaming.live.cameras import FakeCamera, Tape
from tests.pipelines.streaming.live.live_runs import CLIP, WHOLE, Closing, gone, live


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
    runner = LiveRunner(camera, loads(SPOTS), options=LiveOptions(**WHOLE, reconnect=0.05))
    built, failed = runner.prepare(), threading.Event()
    submit, fail = built.engine.submit, runner._fail

    def late(*arguments: Any, **named: Any) -> Any:
        assert failed.wait(PATIENCE)
        return submit(*arguments, **named)

    def noticed(where: str, error: BaseException) -> None:
        fail(where, error)
        failed.set()

    monkeypatch.setattr(built.engine, "submit", late)
    monkeypatch.setattr(runner._threads, "_failed", noticed)
    runner.start()
    report = runner.wait(PATIENCE)
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
    runner = LiveRunner(FakeCamera(CLIP, ["away"]), loads(SPOTS), [sink], LiveOptions(**WHOLE))
    with pytest.raises(InputError, match="fake is not there"):
        runner.start()
    assert runner.state is RunState.FAILED
    assert sink.closed
    assert gone()


def test_a_camera_that_fell_just_before_is_waited_for_where_that_is_asked() -> None:
    keep = Keep()
    runner = LiveRunner(FakeCamera(CLIP, ["away", "away", 0, 1, 2]), loads(SPOTS), [keep], LiveOptions(**WHOLE))
    runner.start(patience=PATIENCE)
    report = runner.wait(PATIENCE)
    assert report is not None
    assert report.state is RunState.STOPPED
    assert (report.ledger.processed, report.ledger.losses, report.ledger.reconnects) == (3, 0, 0)
    absent = LiveRunner(FakeCamera(CLIP, ["away"] * 500), loads(SPOTS), options=LiveOptions(**WHOLE))
    with pytest.raises(InputError, match=r"^fake is not there$"):
        absent.start(patience=0.05)
    assert gone()


def test_a_pipeline_that_does_not_fit_is_said_at_the_start() -> None:
    runner = LiveRunner(FakeCamera(CLIP), loads(SPOTS), options=LiveOptions(**WHOLE, roi=(40, 40, 40, 40)))
    with pytest.raises(InputError, match="reaches outside"):
        runner.start()
    assert runner.state is RunState.FAILED


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
    runner = LiveRunner(camera, loads(SPOTS), [sink, other], LiveOptions(**WHOLE), recorder=tape)
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
    report = runner.wait(PATIENCE)
    assert report is not None, "the run hangs"
    assert (report.state, report.error) == (RunState.FAILED, said.format(thread))
    assert ("Traceback" in runner.trace) == ("failed with" in report.error)
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
    monkeypatch.setattr("pipelines.streaming.common.thread_group.ANSWER", 0.05)
    camera = FakeCamera(CLIP, range(10))

    def hang() -> None:
        camera.closed.wait(PATIENCE)
        raise CameraLost("fake was closed")

    camera.script.append(hang)
    runner = LiveRunner(camera, loads(SPOTS), options=LiveOptions(**WHOLE))
    runner.start()
    time.sleep(0.05)
    report = runner.stop(PATIENCE)
    assert report is not None
    assert camera.closed.is_set()
    assert report.ledger.announced == 10
    report.ledger.check(ended=True)
