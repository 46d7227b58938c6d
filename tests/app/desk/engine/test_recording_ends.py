"""What becomes of a recording when something else is opened, the window closes, or the engine crashes."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.engine import commands, reports
from app.desk.engine.link import EngineLink
from app.desk.engine.live_desk import LiveDesk
from app.desk.engine.rows_sink import RowsSink
from app.live.replay import Wish, replay
from app.sessions import events
from app.sessions.reader import SessionReader, SessionState
from kernels.errors import InputError
from pipelines.definition import load
from pipelines.graph import Pipeline
from pipelines.measures import fields_of
from pipelines.streaming.common.states import RunState
from pipelines.streaming.engine import restructuring
from pipelines.streaming.engine.building import Built, Order
from pipelines.streaming.live.ledger import MOST_NAMED, Unprocessed
from pipelines.writing import dumps
from tests.app.desk.engine.conftest import begun, until
from tests.app.desk.engine.test_engine_process import CLIP, opened
from tests.patience import PATIENCE

CAMERA = "cam:sim?scene=vortex&size=128x96&fps=200&seed=3"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="recording needs Linux or macOS")


@pytest.fixture
def leaving() -> Iterator[Workbench]:
    """With an engine of its own, which goes with it."""
    made = Workbench(EngineLink())
    yield made
    made.quit()


def recording(bench: Workbench, path: Path, frames: int = 60) -> None:
    """Open the camera, record, and wait for so many frames."""
    opened(bench, CAMERA)
    recording_of(bench, path, frames)


def recording_of(bench: Workbench, path: Path, frames: int) -> None:
    """Record what is open, and wait for so many frames."""
    bench.recorder.record(str(path))
    until(bench, lambda: bench.measured is not None and bench.measured.recording is not None
          and bench.measured.recording.recorded > frames)  # fmt: skip


def whole(path: Path, frames: int) -> None:
    """The session was closed properly, with every frame."""
    with SessionReader(path) as session:
        assert session.state is SessionState.FINISHED, session.problems
        assert not session.problems
        assert len(session) > frames


def test_opening_something_else_closes_the_recording_and_a_refusal_does_not(bench: Workbench, tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    recording(bench, path)
    bench.open(str(tmp_path / "none.mp4"))
    until(bench, lambda: bench.messages and bench.messages[-1].level is Level.ERROR)
    assert bench.recording
    with pytest.raises(InputError, match="being recorded"):
        bench.open(str(path))
    assert bench.measured is not None
    assert bench.measured.recording is not None
    count = bench.measured.recording.recorded
    until(bench, lambda: bench.measured is not None and bench.measured.recording is not None
          and bench.measured.recording.recorded > count + 20)  # fmt: skip
    bench.open(str(CLIP))
    until(bench, lambda: bench.opened is not None and not bench.live)
    assert bench.recording == ""
    assert [Path(r.path) for r in bench.recorded] == [path]
    whole(path, count + 20)
    bench.open(str(path), pipeline="own")  # the session itself, now that it is closed
    until(bench, lambda: bench.info is not None and bench.info.name == path.name)
    until(bench, lambda: bench.shown is not None and len(bench.store))


def test_a_recording_is_closed_properly_when_the_window_closes(leaving: Workbench, tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    recording(leaving, path)
    leaving.quit()
    whole(path, 60)


def test_a_crash_of_the_engine_leaves_a_session_with_what_was_recorded(bench: Workbench, tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    recording(bench, path)
    os.kill(bench._link.pid, signal.SIGKILL)  # type: ignore[attr-defined]
    until(bench, lambda: bench.opened is None)
    assert bench.recording == ""
    assert bench.state is RunState.FAILED
    assert "run.mcap holds what was recorded" in bench.messages[-1].sentence
    assert bench.messages[-2].level is Level.ERROR
    end = time.monotonic() + PATIENCE
    state = None
    while state is not SessionState.FINISHED:  # the recorder finishes by itself
        assert time.monotonic() < end, state
        time.sleep(0.1)
        with SessionReader(path) as session:
            state, count = session.state, len(session)
    assert count > 60
    bench.reopen()
    until(bench, lambda: bench.opened is not None and bench.live)


def test_closing_waits_for_nothing_that_is_only_computed(leaving: Workbench) -> None:
    opened(leaving, str(CLIP))
    until(leaving, lambda: leaving.shown is not None)
    os.kill(leaving._link.pid, signal.SIGSTOP)  # type: ignore[attr-defined] # an engine that takes forever
    box = leaving.opened.box  # type: ignore[union-attr]
    leaving.quit()
    assert not Path(f"/dev/shm/{box}").exists()
    assert not leaving._link._process.is_alive()  # type: ignore[attr-defined]


def test_a_recording_that_left_out_frames_in_very_many_places_is_closed_properly(tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    told: list[reports.Report] = []
    desk = LiveDesk(commands.Open(CAMERA, dumps(load("blobs"))), RowsSink())
    try:
        begun(desk, commands.StartRecording(str(path)), told.append)
        end = time.monotonic() + PATIENCE
        while desk.runner.ledger.processed < 20 and time.monotonic() < end:
            time.sleep(0.01)
        ledger = desk.runner.ledger
        ledger.unprocessed += [Unprocessed(3 * k, 3 * k, "the engine was behind") for k in range(MOST_NAMED)]
        desk.obey(commands.StopRecording(), told.append)
    finally:
        desk.close(told.append)
    assert [report.path for report in told if isinstance(report, reports.Recorded)] == [str(path)]
    whole(path, 19)
    assert any("missing" in fact for fact in camera_facts_of(path))


def camera_facts_of(path: Path) -> list[dict[str, object]]:
    """What a session says about its camera's numbers."""
    with SessionReader(path) as session:
        return [event["facts"] for event in session.events() if event["kind"] == events.CAMERA]


def processed(desk: LiveDesk, frames: int) -> None:
    """Wait until so many frames are through since the last beginning."""
    end = time.monotonic() + PATIENCE
    while desk.runner.ledger.processed < frames:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_rows_of_the_preview_are_not_those_of_the_recording(tmp_path: Path) -> None:
    sink = RowsSink()
    desk = LiveDesk(commands.Open(CAMERA, dumps(load("blobs"))), sink)

    def rows_come() -> list[reports.Rows | reports.Outdated | reports.Tables]:
        """Up to the first rows since the last beginning."""
        processed(desk, 20)
        found, end = sink.take(), time.monotonic() + PATIENCE
        while not any(isinstance(part, reports.Rows) and part.first < 20 for part in found):
            assert time.monotonic() < end
            time.sleep(0.01)
            found += sink.take()
        return found

    try:
        assert not any(isinstance(part, reports.Outdated) for part in rows_come())
        begun(desk, commands.StartRecording(str(tmp_path / "run.mcap")), lambda report: None)
        for begin in (lambda: None, lambda: desk.obey(commands.StopRecording(), lambda report: None)):
            begin()
            parts = rows_come()
            at = next(k for k, part in enumerate(parts) if isinstance(part, reports.Outdated))
            first = next(part for part in parts[at:] if isinstance(part, reports.Rows))
            assert first.first == 0
            assert {"area", "diameter", "mass"} < {*fields_of(first.rows)}, "recordings, too, have measures"
            sink.take()
    finally:
        desk.close()


def test_a_recording_goes_over_to_the_pipeline_that_was_chosen_once_that_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins with the frames at hand, and the choice, which the window shows, is not forgotten."""
    go_on, made = threading.Event(), restructuring.build_checked

    def slowly(pipeline: Pipeline, order: Order) -> Built:
        go_on.wait(PATIENCE)
        return made(pipeline, order)

    monkeypatch.setattr(restructuring, "build_checked", slowly)
    path = tmp_path / "run.mcap"
    desk = LiveDesk(commands.Open(CAMERA, dumps(load("blobs"))), RowsSink())
    try:
        desk.runner.change_pipeline(load("corners"))
        desk.runner.set_param("follow", "max_speed", 33.0)
        begun(desk, commands.StartRecording(str(path)), lambda report: None)
        processed(desk, 20)
        assert desk.runner.pipeline.name == "blobs"
        go_on.set()
        end = time.monotonic() + PATIENCE
        while desk.runner.pipeline.name != "corners" or desk.runner.pipeline.trackers[0].params["max_speed"] != 33.0:
            assert time.monotonic() < end
            time.sleep(0.01)
        processed(desk, desk.runner.ledger.announced + 1)
        desk.obey(commands.StopRecording(), lambda report: None)
        processed(desk, 20)
        assert desk.runner.pipeline.name == "corners"
    finally:
        go_on.set()
        desk.close()
    made_again = replay(Wish(path, check=True))
    assert made_again.identical
    with SessionReader(path) as session:
        assert "shi_tomasi" not in session.pipeline_toml
        changes = [event for event in session.events() if event["kind"] == events.PIPELINE]
        # Where the parameter took effect after the recording was asked for, the first frame has an event of its own.
        *first, last = changes
        assert all(event["frame"] == 0 and "shi_tomasi" not in event["pipeline"] for event in first)
        assert last["frame"] >= 20
        assert "shi_tomasi" in last["pipeline"]


def test_a_pipeline_that_cannot_be_compiled_is_told_and_the_one_before_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(pipeline: Pipeline, order: Order) -> Built:
        raise RuntimeError("no such register")

    monkeypatch.setattr(restructuring, "build_checked", broken)
    path = tmp_path / "run.mcap"
    desk = LiveDesk(commands.Open(CAMERA, dumps(load("blobs"))), RowsSink())
    try:
        desk.runner.change_pipeline(load("corners"))
        begun(desk, commands.StartRecording(str(path)), lambda report: None)
        processed(desk, 20)
        desk.obey(commands.StopRecording(), lambda report: None)
        assert desk.runner.pipeline.name == "blobs"
        (note,) = desk.runner.notes
        assert "no such register" in note
    finally:
        desk.close()
    whole(path, 19)


def test_a_recording_that_cannot_begin_is_told_and_another_can(bench: Workbench, tmp_path: Path) -> None:
    opened(bench, CAMERA)
    bench.recorder.record(str(tmp_path / "none" / "run.mcap"))
    until(bench, lambda: not bench.recording)
    assert bench.messages[-1].level is Level.ERROR
    assert "does not exist" in bench.messages[-1].sentence
    assert not bench.recorded
    recording_of(bench, tmp_path / "run.mcap", 20)
    bench.recorder.stop()
    until(bench, lambda: not bench.recording)
    whole(tmp_path / "run.mcap", 20)


def test_a_recorder_that_has_to_stop_ends_the_recording_and_the_camera_goes_on(
    bench: Workbench, tmp_path: Path
) -> None:
    path = tmp_path / "run.mcap"
    recording(bench, path, 20)
    path.unlink()  # as a full disk does, it stops the recorder within a second or so
    until(bench, lambda: not bench.recording)
    (ended,) = bench.recorded
    assert ended.account.recorded > 20
    assert ended.account.problem
    assert bench.messages[-1].level is Level.WARNING
    assert ended.account.problem in bench.messages[-1].sentence
    assert bench.opened is not None
    assert bench.live
    until(bench, lambda: bench.state is RunState.RUNNING)
    recording_of(bench, tmp_path / "second.mcap", 20)


def test_a_session_without_a_frame_is_not_kept(bench: Workbench, tmp_path: Path) -> None:
    """As on the command line: its name is free again, and it is said."""
    path = tmp_path / "run.mcap"
    opened(bench, f"{CAMERA}&stall=@0&stall_time=600")
    bench.recorder.record(str(path))
    until(bench, path.exists)
    bench.recorder.stop()
    until(bench, lambda: not bench.recording)
    assert bench.recorded == []
    assert bench.unkept is not None
    assert bench.messages[-1].sentence == ("run.mcap was not kept, as nothing is in it: no frame came before the "
                                           "recording ended")  # fmt: skip
    assert list(tmp_path.iterdir()) == []
