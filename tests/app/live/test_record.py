"""A simulated camera recorded through a pipeline: the ledger is the camera's own, and the replay is the same."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.cameras.opening import open_camera
from app.commands.record import parse_changes
from app.live import recording
from app.live.recording import record_camera, record_clip
from app.live.replay import Wish, replay
from app.live.wanted import Hands, Look, Wanted
from app.sessions import events
from app.sessions.asking import parse_triggers
from app.sessions.proof import Proof, prove
from app.sessions.proof_words import describe
from app.sessions.reader import open_session
from app.sessions.shared import RecorderState
from app.sessions.sink import SessionSink
from pipelines.frame import FrameBatch, Result
from pipelines.streaming.common.states import RunState
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="recording needs POSIX")


SMALL = "cam:sim?scene=vortex&size=64x48&fps=200&particles=8"


def proven(path: Path) -> tuple[Proof, list[dict[str, Any]]]:
    with open_session(path) as session:
        return prove(session), session.events()


def test_a_camera_with_faults(tmp_path: Path) -> None:
    """Drops, repetitions, a stall: counted as the camera itself counts them, from the file alone."""
    path = tmp_path / "a.mcap"
    camera = open_camera(f"{SMALL.replace('200', '100')}&frames=300&drop=0.03&duplicate=0.02&stall=@120&seed=5")
    looks: list[Look] = []
    changes = parse_changes(["60:bright.level=0.05", "110:band.sigma=1.5", "200:follow.gate=6.0"])
    # Slow, and with room: frames with changes are to be processed however busy this machine is.
    wanted = Wanted(SMALL, path, "blobs", changes=changes, latency=10.0)
    made = record_camera(wanted, camera=camera, look=looks.append)
    truth = camera.truth()  # type: ignore[attr-defined]
    assert made.problems == ()
    assert made.live is not None
    assert made.live.state is RunState.STOPPED
    proof, happened = proven(path)
    assert proof.complete
    assert proof.damaged == ()
    assert truth.announced == 300
    inner = [(a, b) for a, b in truth.missing if a > 0 and b < 299]
    assert list(proof.camera_lost) == inner
    repeated = [number for number in truth.duplicated if number not in [a for a, _ in truth.missing]]
    assert sorted(proof.camera_repeated) == sorted(repeated)
    assert proof.announced == proof.recorded == 300 - truth.lost
    assert proof.processing is not None
    assert proof.processing.balanced
    assert proof.processing.processed + proof.processing.left_out == proof.announced
    assert proof.camera["exposed"] == 300
    assert proof.camera["lost"] == truth.lost
    first, last = (e["frame"] for e in happened if e["kind"] == events.PARAMETER)
    (between,) = (e["frame"] for e in happened if e["kind"] == events.PIPELINE)
    assert 60 <= first <= between <= last  # later than asked for only where those frames were left out
    assert between >= 110
    assert last >= 200
    counts = f"says itself: 300 exposed, {truth.delivered} delivered, {truth.lost} lost, {len(truth.duplicated)} "
    assert any(counts in line for line in describe(proof))
    again = replay(Wish(path, check=True))
    assert again.likeness is not None
    assert again.identical, again.likeness.describe()
    assert again.likeness.rows > 100
    assert looks
    assert looks[-1].ledger.announced == proof.announced


def test_an_overloaded_engine(tmp_path: Path) -> None:
    """Everything is recorded, what the engine had no time for is named, and the replay leaves the same out."""
    path = tmp_path / "a.mcap"
    fast = "cam:sim?scene=vortex&size=256x256&fps=500&frames=500"
    made = record_camera(Wanted(fast, path, "blobs", latency=0.05, device="reference"))
    assert made.problems == ()
    proof, _ = proven(path)
    assert proof.complete
    assert proof.processing is not None
    assert proof.processing.left_out > 0
    assert proof.announced == proof.recorded == proof.processing.processed + proof.processing.left_out
    with open_session(path) as session:
        left_out = {k for a in proof.processing.unprocessed for k in range(a.first, a.last + 1)}
        assert not left_out & set(session.tracks()["frame"].tolist())
    again = replay(Wish(path, check=True))
    assert again.likeness is not None
    assert again.identical, again.likeness.describe()


def test_triggers(tmp_path: Path) -> None:
    """Frames before and after what a hand triggers, and after what a track does."""
    path = tmp_path / "a.mcap"
    hands: list[Hands] = []
    fired: list[int] = []

    def look(now: Look) -> None:
        if now.ledger.announced > 60 and not fired:
            fired.append(now.ledger.announced)
            hands[0].trigger("hand")
        if fired and now.ledger.announced > fired[0] + 60:
            hands[0].stop()

    wanted = Wanted(SMALL, path, "blobs", before=20, after=30, asked=parse_triggers(["speed>1e9"]))
    made = record_camera(wanted, started=hands.append, look=look)
    assert made.problems == ()
    assert made.triggers == 1
    proof, happened = proven(path)
    (trigger,) = [e for e in happened if e["kind"] == "trigger"]
    at = int(trigger["frame"])
    assert (trigger["reason"], trigger["after"]) == ("hand", 30)
    with open_session(path) as session:
        kept = session.rows["sequence"].tolist()
        (state,) = session.states()
    # From the frame before which a state of the run was kept: a little before what was asked for.
    assert kept == list(range(state.frame, at + 30))
    assert state.frame <= at - 20
    assert proof.complete
    assert proof.skipped == proof.announced - len(kept)
    assert replay(Wish(path, check=True)).identical
    tracked = record_camera(Wanted(SMALL, tmp_path / "b.mcap", "blobs", before=5, after=5, frames=120,
                                   asked=parse_triggers(["region:0,0,64,48"])))  # fmt: skip
    assert tracked.triggers > 0
    _, happened = proven(tmp_path / "b.mcap")
    first = next(e for e in happened if e["kind"] == "trigger")
    assert "enters the region" in first["reason"]
    with open_session(tmp_path / "b.mcap") as session:  # frames came while the trackers worked, and are there
        kept = session.rows["sequence"].tolist()
    assert set(range(max(0, first["frame"] - 5), first["frame"] + 5)) <= set(kept)


def test_without_a_pipeline(tmp_path: Path) -> None:
    made = record_camera(Wanted(SMALL, tmp_path / "a.mcap", frames=80))
    assert made.problems == ()
    proof, _ = proven(tmp_path / "a.mcap")
    assert (proof.announced, proof.recorded, proof.processing) == (80, 80, None)
    assert proof.complete
    with open_session(tmp_path / "a.mcap") as session:
        assert np.isfinite(session.rows["time"]).all()
        assert session.pipeline_toml == ""


def test_a_disk_that_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The recorder that fails for good ends the run with its sentence; what was written is kept."""
    path = tmp_path / "a.mcap"
    pids: list[int] = []

    def look(now: Look) -> None:
        if now.account.recorded > 20 and not pids:
            pids.append(1)
            path.unlink()  # the recorder looks for its file every second

    made = record_camera(Wanted(SMALL, path), look=look)
    assert made.account is None
    assert len(made.problems) == 1
    assert made.live is not None
    assert made.live.state is RunState.STOPPED


def test_the_state_is_told(tmp_path: Path) -> None:
    looks, begin = list[Look](), time.monotonic()
    record_camera(Wanted(SMALL, tmp_path / "a.mcap", "blobs", seconds=1.0), look=looks.append)
    assert looks[0].account.state is RecorderState.RECORDING
    assert 0 <= looks[0].seconds < looks[-1].seconds < time.monotonic() - begin
    assert looks[0].left is not None
    assert looks[0].triggers is None


def test_a_camera_that_is_away_at_the_end_is_a_problem(tmp_path: Path) -> None:
    """What came before is kept; whoever asked for seconds has fewer."""
    camera = "cam:sim?scene=vortex&size=64x48&fps=500&disconnect=@20&away=100"
    made = record_camera(Wanted(camera, tmp_path / "a.mcap", seconds=1.0))
    assert made.problems == ("cam:sim was lost and had not come back when the recording ended",)
    proof, _ = proven(tmp_path / "a.mcap")
    assert proof.announced == proof.recorded == 20
    assert any("it was lost once and came back never" in line for line in describe(proof))


@pytest.mark.parametrize("trigger", ["", "2021-03-04T05:06:07.250000000Z"])
def test_a_session_of_a_clip_plays_at_the_pace_of_the_clip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trigger: str
) -> None:
    """In any viewer of MCAP files: frames, tracks and events bear the times at which the frames were taken."""
    reader_of = pytest.importorskip("mcap.reader").make_reader
    scene = "sim:vortex?width=64&height=48&particles=8&fps=600"
    if trigger:
        plain = recording.open_source

        def with_trigger(*args: Any, **more: Any) -> Any:
            source = plain(*args, **more)
            source._info = replace(source.info, metadata={**source.info.metadata, "trigger_utc": trigger})
            return source

        monkeypatch.setattr(recording, "open_source", with_trigger)
    before = time.time_ns()
    record_clip(Wanted(scene, tmp_path / "a.mcap", "blobs", frames=50, changes=parse_changes(["20:bright.level=0.05"])))
    with (tmp_path / "a.mcap").open("rb") as file:
        reader = reader_of(file)
        frames = [message.log_time for *_, message in reader.iter_messages(topics=["/camera/image"])]
        others = [message.log_time for *_, message in reader.iter_messages(topics=["/tracks", "/events"])]
    assert np.diff(frames) == pytest.approx(1e9 / 600, abs=1.5)
    if trigger:
        assert frames[0] == 1_614_834_367_250_000_000
    else:
        assert before <= frames[0] <= time.time_ns()
    assert len(others) > 3
    assert frames[0] <= min(others) <= max(others) <= frames[-1]


def test_a_clip_is_not_worked_through_when_nothing_more_can_be_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Frames that no session takes are not processed either."""
    path, write = tmp_path / "a.mcap", SessionSink.write
    written: list[int] = []

    def write_once_gone(sink: SessionSink, frames: FrameBatch, results: Sequence[Result]) -> None:
        write(sink, frames, results)
        written.append(len(frames))
        end = time.monotonic() + PATIENCE
        while len(written) == 1 and sink.tap.recording.account.state is not RecorderState.FAILED:
            path.unlink(missing_ok=True)  # the recorder looks for its file every second
            assert time.monotonic() < end
            time.sleep(0.05)

    monkeypatch.setattr(SessionSink, "write", write_once_gone)
    clip = tmp_path / "clip.npy"
    np.save(clip, np.zeros((160, 32, 48), np.uint8))
    made = record_clip(Wanted(str(clip), path, "blobs", batch=8))
    assert made.account is None
    assert len(made.problems) == 1
    assert made.interrupted
    assert written == [8, 8]
