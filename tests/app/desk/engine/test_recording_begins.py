"""A recording of a camera begins with the frames at hand: nothing is compiled, connected or lost for it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.desk.engine import commands, reports
from app.desk.engine.live_desk import LiveDesk
from app.desk.engine.rows_sink import RowsSink
from app.live.replay import Wish, replay
from app.sessions import events, recording, spare
from app.sessions.proof import prove
from app.sessions.proof_words import describe
from app.sessions.reader import SessionReader
from app.sessions.shared import Geometry
from app.sessions.spare import SpareMemory
from kernels.errors import InputError
from pipelines.definition import load
from pipelines.streaming.common.states import RunState
from pipelines.streaming.engine import restructuring
from pipelines.streaming.live import pipeline as live_pipeline
from pipelines.streaming.live.ledger import PAUSED
from pipelines.writing import dumps
from tests.app.desk.engine.conftest import begun
from tests.app.desk.engine.test_recording_ends import processed
from tests.patience import PATIENCE

CAMERA = "cam:sim?scene=vortex&size=128x96&fps=200&seed=3"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="recording needs Linux or macOS")


@pytest.fixture
def desk() -> Iterator[LiveDesk]:
    """A camera that is open, with stages that remember the frames before."""
    made = LiveDesk(commands.Open(CAMERA, dumps(load("background-motion"))), RowsSink())
    yield made
    made.close()


def ended(desk: LiveDesk, told: list[reports.Report]) -> reports.Recorded:
    """How the recording ended, once it is closed."""
    end = time.monotonic() + PATIENCE
    while not (found := [report for report in told if isinstance(report, reports.Recorded)]):
        assert time.monotonic() < end
        desk.look(told.append)
        time.sleep(0.01)
    return found[-1]


def test_it_begins_in_the_midst_of_a_run_and_replays_to_the_same_tracks(
    desk: LiveDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, told = tmp_path / "run.mcap", list[reports.Report]()
    processed(desk, 30)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("a recording waits for this")

    for where in (restructuring, live_pipeline):
        monkeypatch.setattr(where, "build_checked", never)
    monkeypatch.setattr(desk.camera, "start", never)
    runner = desk.runner
    for name in ("run.mcap", "again.mcap"):
        told.clear()
        if name == "again.mcap":
            desk.obey(commands.Pause(), told.append)
        asked = time.time_ns()
        begun(desk, commands.StartRecording(str(tmp_path / name), asked=asked), told.append)
        assert desk.runner.state is RunState.RUNNING, "who records wants to see it, and tracks"
        processed(desk, 40)
        desk.obey(commands.StopRecording(), told.append)
        processed(desk, 20)  # the camera goes on at once
        last = ended(desk, told)
        assert desk.runner is runner
        assert (last.losses, last.missing, last.account.dropped) == (0, 0, 0)
        assert last.account.recorded == last.account.announced >= 40
        assert last.processed + sum(last.left_out.values()) == last.account.announced
        assert PAUSED not in last.left_out
        with SessionReader(tmp_path / name) as session:
            ids, hosts = session.rows["camera_id"], session.rows["host_time"]
            (begins,) = [event for event in session.events() if event["kind"] == events.BEGAN]
            proof = prove(session)
        assert ids.tolist() == list(range(int(ids[0]), int(ids[0]) + len(ids)))
        assert (begins["asked"], begins["came_before"], begins["frame"]) == (asked, last.came_before, 0)
        assert last.delay == pytest.approx((int(hosts[0]) - asked) / 1e9)
        assert last.came_before == pytest.approx(200 * last.delay, abs=3)
        assert (proof.delay, proof.came_before) == (last.delay, last.came_before)
        assert proof.complete
        assert any("after it was asked for" in line for line in describe(proof))
    assert replay(Wish(path, check=True)).identical


def test_a_camera_that_is_set_while_it_is_recorded_goes_on_and_the_session_says_so(
    desk: LiveDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, told = tmp_path / "run.mcap", list[reports.Report]()
    processed(desk, 30)
    desk.obey(commands.SetCamera((("exposure", "1.2"),)), told.append)
    begun(desk, commands.StartRecording(str(path)), told.append)
    processed(desk, 20)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("it is opened again")

    monkeypatch.setattr(desk.camera, "start", never)
    desk.obey(commands.SetCamera((("exposure", "0.5"),)), told.append)
    with pytest.raises(InputError, match="cannot be set while it delivers"):
        desk.obey(commands.SetCamera((("exposure", "0.7"), ("size", "64x48"))), told.append)
    (_, half, last) = [report.info for report in told if isinstance(report, reports.CameraIs)]
    assert half.identity["address"] == f"{CAMERA}&exposure=0.5"
    assert last.identity["address"] == f"{CAMERA}&exposure=0.7", "what came before that stays"
    processed(desk, 20)
    desk.obey(commands.StopRecording(), told.append)
    assert ended(desk, told).account.dropped == 0
    with SessionReader(path) as session:
        found = [event for event in session.events() if event["kind"] == events.SETTING]
        assert "exposure=1.2" in str(session.manifest), "as it was set when it began"
    assert [(one["name"], one["value"]) for one in found] == [("exposure", "0.5"), ("exposure", "0.7")]
    assert 20 <= found[0]["frame"] <= found[1]["frame"]
    assert replay(Wish(path, check=True)).identical


def test_one_that_is_stopped_while_it_waits_for_memory_is_told(
    desk: LiveDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SpareMemory, "ready", False)
    desk.obey(commands.StartRecording(str(tmp_path / "run.mcap")), lambda report: None)
    assert desk.beginning
    with pytest.raises(InputError, match=r"run\.mcap is being recorded"):
        desk.obey(commands.StartRecording(str(tmp_path / "other.mcap")), lambda report: None)
    with pytest.raises(InputError, match="before it began"):
        desk.obey(commands.StopRecording(), lambda report: None)
    assert not desk.beginning
    assert list(tmp_path.iterdir()) == []


def test_one_that_cannot_begin_once_there_is_memory_is_told(
    desk: LiveDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, told = tmp_path / "none" / "run.mcap", list[reports.Report]()
    with monkeypatch.context() as patch:
        patch.setattr(SpareMemory, "ready", False)
        desk.obey(commands.StartRecording(str(path)), told.append)
    begun_by = time.monotonic() + PATIENCE
    while desk.beginning:
        assert time.monotonic() < begun_by
        desk.look(told.append)
    (refused,) = told
    assert isinstance(refused, reports.Refused)
    assert refused.recording == str(path)
    assert "does not exist" in refused.sentence


def test_spare_memory_is_made_once_and_of_its_kind_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Geometry] = []
    real = spare.SharedMemory

    def counted(*, geometry: Geometry) -> object:
        made.append(geometry)
        return real(geometry=geometry)

    monkeypatch.setattr(spare, "SharedMemory", counted)
    small, other = Geometry(4, 100), Geometry(8, 100)
    kept = SpareMemory(small)
    kept.prepare()
    first = kept.take(small)
    assert (made, first.geometry) == ([small], small)
    assert kept.ready
    second = kept.take(small)  # there is none by now
    assert (made, kept.take(other).geometry) == ([small, small, other], other)
    kept.prepare()
    kept.close()
    assert made == [small, small, other, small]
    for memory in (first, second):
        memory.close()


def test_where_there_is_no_memory_to_spare_a_recording_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.sessions.shared.free_memory", lambda: 0.0)
    kept = SpareMemory(Geometry(4, 100))
    with pytest.raises(InputError, match="no memory for 4 frames"):
        kept.take(Geometry(4, 100))


def test_the_queue_holds_what_comes_in_half_a_minute_and_half_a_gigabyte_at_most(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "QUEUE_BYTES", 512 << 20)
    size = 512 * 512
    assert recording.queue_slots(size, 0.0) == pytest.approx((512 << 20) / size, rel=0.01)
    assert recording.queue_slots(size, 1000.0 * size) == recording.queue_slots(size, 0.0)
    assert recording.queue_slots(size, 10.0 * size) == pytest.approx(300, rel=0.01)
