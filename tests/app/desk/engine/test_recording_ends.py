"""What becomes of a recording when something else is opened, the window closes, or the engine crashes."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from app.desk.bench.topics import Level
from app.desk.engine import orders as ask
from app.desk.engine import reports as say
from app.desk.engine.link import EngineLink
from app.desk.engine.live_desk import LiveDesk
from app.desk.engine.rows_sink import RowsSink
from app.desk.workbench import Workbench
from app.sessions import events
from app.sessions.reader import SessionReader, SessionState
from kernels.errors import InputError
from pipelines.definition import load
from pipelines.graph import Pipeline
from pipelines.streaming import live_pipeline, restructuring
from pipelines.streaming.building import Built, Order
from pipelines.streaming.live_ledger import MOST_NAMED, Unprocessed
from pipelines.streaming.states import RunState
from pipelines.writing import dumps
from tests.app.desk.engine.test_engine_process import CLIP, opened, until

CAMERA = "cam:sim?scene=vortex&size=128x96&fps=200&seed=3"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="recording needs Linux or macOS")


@pytest.fixture(scope="module")
def link() -> Iterator[EngineLink]:
    """An engine for all tests that leave it alive; to start one takes longer than most of them."""
    made = EngineLink()
    yield made
    made.close()


@pytest.fixture
def bench(link: EngineLink) -> Iterator[Workbench]:
    made = Workbench(link)
    yield made
    made.close()
    until(made, lambda: made.opened is None)


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
    bench.record(str(path))
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
    bench.open(str(path), own_pipeline=True)  # the session itself, now that it is closed
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
    end = time.monotonic() + 60
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
    told: list[say.Report] = []
    desk = LiveDesk(ask.Open(CAMERA, dumps(load("blobs"))), RowsSink())
    try:
        desk.obey(ask.StartRecording(str(path)), told.append)
        end = time.monotonic() + 60
        while desk.runner.ledger.processed < 20 and time.monotonic() < end:
            time.sleep(0.01)
        ledger = desk.runner.ledger
        ledger.unprocessed += [Unprocessed(3 * k, 3 * k, "the engine was behind") for k in range(MOST_NAMED)]
        desk.obey(ask.StopRecording(), told.append)
    finally:
        desk.close()
    assert [report.path for report in told if isinstance(report, say.Recorded)] == [str(path)]
    whole(path, 19)
    assert any("missing" in fact for fact in camera_facts_of(path))


def camera_facts_of(path: Path) -> list[dict[str, object]]:
    """What a session says about its camera's numbers."""
    with SessionReader(path) as session:
        return [event["facts"] for event in session.events() if event["kind"] == events.CAMERA]


def test_rows_of_the_preview_are_not_those_of_the_recording(tmp_path: Path) -> None:
    sink = RowsSink()
    desk = LiveDesk(ask.Open(CAMERA, dumps(load("blobs"))), sink)

    def rows_come() -> list[say.Rows | say.Outdated | say.Tables]:
        end = time.monotonic() + 60
        while desk.runner.ledger.processed < 20:
            assert time.monotonic() < end
            time.sleep(0.01)
        return sink.take()

    try:
        assert not any(isinstance(part, say.Outdated) for part in rows_come())
        for order in (ask.StartRecording(str(tmp_path / "run.mcap")), ask.StopRecording()):
            desk.obey(order, lambda report: None)
            first, *parts = rows_come()
            assert isinstance(first, say.Outdated)
            assert isinstance(parts[0], say.Rows)
            assert parts[0].first == 0
    finally:
        desk.close()


def test_a_recording_has_the_pipeline_that_was_chosen_also_while_that_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had the one before, and so had all that came after it, while the window showed the one that was chosen."""
    go_on, told = threading.Event(), list[say.Report]()

    def slowly(*_: object) -> NoReturn:
        go_on.wait(60)
        raise InputError("it was asked for twice")

    monkeypatch.setattr(restructuring, "build_checked", slowly)
    path = tmp_path / "run.mcap"
    desk = LiveDesk(ask.Open(CAMERA, dumps(load("blobs"))), RowsSink())
    try:
        desk.runner.change_pipeline(load("corners"))
        desk.runner.set_param("follow", "max_speed", 33.0)
        assert desk.runner.pipeline.name == "blobs"
        desk.obey(ask.StartRecording(str(path)), told.append)
        assert desk.runner.pipeline.name == "corners"
        assert desk.runner.pipeline.trackers[0].params["max_speed"] == 33.0
        end = time.monotonic() + 60
        while desk.runner.ledger.processed < 20 and time.monotonic() < end:
            time.sleep(0.01)
        desk.runner.change_pipeline(load("blobs"))
        desk.obey(ask.StopRecording(), told.append)
        assert desk.runner.pipeline.name == "blobs"
    finally:
        go_on.set()
        desk.close()
    with SessionReader(path) as session:
        assert "shi_tomasi" in session.pipeline_toml
    assert not any(isinstance(report, say.Noted) for report in told)


def test_a_pipeline_that_cannot_be_compiled_is_told_and_the_one_before_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, told = live_pipeline.build_checked, list[say.Report]()

    def broken(pipeline: Pipeline, order: Order) -> Built:
        if pipeline.name == "corners":
            raise RuntimeError("no such register")
        return made(pipeline, order)

    monkeypatch.setattr(live_pipeline, "build_checked", broken)
    monkeypatch.setattr(restructuring, "build_checked", lambda *_: time.sleep(1) or broken(*_))
    path = tmp_path / "run.mcap"
    desk = LiveDesk(ask.Open(CAMERA, dumps(load("blobs"))), RowsSink())
    try:
        desk.runner.change_pipeline(load("corners"))
        desk.obey(ask.StartRecording(str(path)), told.append)
        assert desk.runner.pipeline.name == "blobs"
        (note,) = [report for report in told if isinstance(report, say.Noted)]
        assert "no such register" in note.sentence
        end = time.monotonic() + 60
        while desk.runner.ledger.processed < 20 and time.monotonic() < end:
            time.sleep(0.01)
        desk.obey(ask.StopRecording(), told.append)
    finally:
        desk.close()
    whole(path, 19)


def test_a_recording_that_cannot_begin_is_told_and_another_can(bench: Workbench, tmp_path: Path) -> None:
    opened(bench, CAMERA)
    bench.record(str(tmp_path / "none" / "run.mcap"))
    until(bench, lambda: not bench.recording)
    assert bench.messages[-1].level is Level.ERROR
    assert "does not exist" in bench.messages[-1].sentence
    assert not bench.recorded
    recording_of(bench, tmp_path / "run.mcap", 20)
    bench.stop_recording()
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
    bench.record(str(path))
    until(bench, path.exists)
    bench.stop_recording()
    until(bench, lambda: not bench.recording)
    assert bench.recorded == []
    assert bench.unkept is not None
    assert bench.messages[-1].sentence == ("run.mcap was not kept, as nothing is in it: no frame came before the "
                                           "recording ended")  # fmt: skip
    assert list(tmp_path.iterdir()) == []
