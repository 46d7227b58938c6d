"""Sessions in which something is missing: what can be replayed is the same, what cannot be is said."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.live.clip import Schedule, ScheduledRunner
from app.live.replay import Wish, how_far, replay
from app.sessions import events
from app.sessions.manifest import Manifest
from app.sessions.proof import prove
from app.sessions.reader import open_session
from app.sessions.recording import Recording
from app.sessions.recording_options import RecordingOptions
from app.sessions.sink import SessionSink
from app.sources.opening import open_source
from kernels.errors import DefinitionError, InputError
from kernels.param import Param
from pipelines.frame import FrameBatch, Result
from pipelines.streaming.common.changes import Change, Structure
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.trackers.blob import BlobTracker
from tests.app.live.made import CLIP, FRAMES, Keep, changes_of, record
from tests.patience import PATIENCE
from tests.shipped import fixed

pytestmark = pytest.mark.skipif(os.name != "posix", reason="recording needs POSIX")


def test_frames_that_could_not_be_read(tmp_path: Path) -> None:
    """They are numbered, named, and predicted in the replay as they were then; also at both ends."""
    live = record(tmp_path / "a.mcap", "blobs", torn={0, 11, 12, 30, FRAMES - 1})
    with open_session(tmp_path / "a.mcap") as session:
        proof = prove(session)
        assert session.rows["sequence"].tolist() == [k for k in range(FRAMES) if k not in (0, 11, 12, 30, FRAMES - 1)]
    assert (proof.announced, proof.recorded, proof.unreadable, proof.missing) == (FRAMES, FRAMES - 5, 5, 0)
    assert proof.complete
    assert [(a.first, a.last, a.kind) for a in proof.absences][1] == (11, 12, "unreadable")
    assert (live["reason"] == 8).any()  # BAD_FRAME
    made = replay(Wish(tmp_path / "a.mcap", check=True, batch=3))
    assert made.identical
    assert made.report.ledger.bad == 5


def test_frames_that_were_not_processed(tmp_path: Path) -> None:
    """A session of which some frames were only recorded is replayed without them, and reprocessed with them."""
    source, pipeline = open_source(CLIP), fixed("blobs")
    out = {*range(10, 17), 20, 33}
    begin = Manifest(source.info, pipeline, "cpu").preamble()
    recording = Recording.start(tmp_path / "a.mcap", begin, RecordingOptions(wait=True))
    keep = Keep()
    wanted = np.array([k for k in range(40) if k not in out])
    ScheduledRunner(
        source, prepare(pipeline, source), [keep], frames=(0, 40), schedule=Schedule(pipeline, wanted=wanted),
        options=RunOptions(device="cpu")
    ).run()  # fmt: skip
    for k in range(40):
        recording.put(source.read(k), camera_id=100 + k, time_s=source.info.time.time(k))
    for first, last in ((10, 16), (20, 20), (33, 33)):
        recording.event(events.UNPROCESSED, first, first=first, last=last, reason="behind")
    recording.tracks(keep.all)
    recording.event(events.PROCESSED, 39, count=len(wanted), complete=True)
    recording.close()
    made = replay(Wish(tmp_path / "a.mcap", check=True))
    assert made.identical
    assert made.remarks == ("left out as they were then: frames 10-16 (behind), frame 20 (behind), frame 33 (behind)",)
    with open_session(tmp_path / "a.mcap") as session:
        proof = prove(session)
    assert proof.complete
    assert proof.processing is not None
    assert (proof.processing.processed, proof.processing.left_out) == (31, 9)
    again = replay(Wish(tmp_path / "a.mcap", pipeline="corners", out=tmp_path / "out", overlay=False))
    assert again.likeness is None
    assert again.report.ledger.processed == 40


def test_what_cannot_be_the_same_is_said(tmp_path: Path) -> None:
    """Frames that were processed and not recorded, and frames that are damaged."""
    path = tmp_path / "a.mcap"
    record(path, "blobs", spoil=lambda r: r.event(events.LOSS, 50, first=50, last=53, reason="no room in the queue"))
    made = replay(Wish(path, check=True))
    assert made.remarks == ()  # nobody processed what comes behind the end
    with open_session(path) as session:
        pixels = session.read(25).tobytes()
    data = bytearray(path.read_bytes())
    data[bytes(data).index(pixels) + 100] ^= 1
    path.write_bytes(data)
    made = replay(Wish(path, check=True))
    assert not made.identical
    assert any("damaged since" in remark and "frame 25" in remark for remark in made.remarks)


class Held(SessionSink):
    """Holds the recorder up from frame 14 to 42."""

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        recording = self.tap.recording
        if frames.indices[0] == 14:
            os.kill(recording.process, signal.SIGSTOP)
        if frames.indices[0] == 42:
            os.kill(recording.process, signal.SIGCONT)
            end = time.monotonic() + PATIENCE
            while recording.account.waiting:
                assert time.monotonic() < end
                time.sleep(0.01)
        super().write(frames, results)


def test_a_recorder_that_was_too_slow(tmp_path: Path) -> None:
    """Frames that found no room were processed all the same; the range is named."""
    path, source, pipeline = tmp_path / "a.mcap", open_source(CLIP), fixed("blobs")
    sink = Held(Recording.start(path, Manifest(source.info, pipeline, "cpu").preamble(), RecordingOptions(queue=20)))
    runner = ScheduledRunner(
        source, prepare(pipeline, source), [sink], frames=(0, FRAMES), schedule=Schedule(pipeline),
        options=RunOptions(batch=7, device="cpu"),
    )  # fmt: skip
    runner.run()
    sink.close()
    with open_session(path) as session:
        proof = prove(session)
    (lost,) = proof.absences
    assert (lost.kind, lost.last, proof.complete) == ("loss", 41, False)
    made = replay(Wish(path, check=True))
    assert made.likeness is not None
    assert made.likeness.unreplayable > 0
    assert made.report.ledger.processed == proof.recorded == FRAMES - lost.count
    assert made.likeness.difference is None or made.likeness.difference.frame > lost.first
    assert made.remarks == (
        "processed then and not recorded, so that no replay can be the same from there on: "
        f"frames {lost.first}-41 (no room in the queue)",
    )


def test_other_defaults_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The manifest has every parameter as it was, given or not."""
    record(tmp_path / "a.mcap", "blobs")
    other = {"bright.level": 0.2, "follow.min_hits": 5, "spots.grow": 1}
    monkeypatch.setattr("app.live.replay.loads", lambda *_, **__: fixed("blobs").with_settings(other))
    made = replay(Wish(tmp_path / "a.mcap", check=True))
    assert made.likeness is not None
    assert made.likeness.identical
    assert made.likeness.rows > 0
    assert made.remarks == ()


def test_other_stages_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record(tmp_path / "a.mcap", "blobs")
    monkeypatch.setattr("app.live.replay.loads", lambda *_, **__: fixed("objects"))
    made = replay(Wish(tmp_path / "a.mcap", check=True))
    assert "have other parameters" in made.remarks[0]


def test_sessions_of_another_linker_are_linked_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parameters that its tracker had then, in the definition, in the manifest and among the changes, are left out."""
    with monkeypatch.context() as then:
        then.setattr(BlobTracker, "params", (*BlobTracker.params, Param("momentum", "float", 1.0, "of then")))
        then.setattr(BlobTracker, "retired", {})
        was = fixed("blobs").with_settings({"follow.momentum": 2.0, "bright.level": 0.05})
        then.setattr("tests.app.live.made.fixed", lambda _: was)
        record(tmp_path / "a.mcap", "blobs", [Change(9, "follow", "momentum", 3.0), Structure(23, was)])
    assert "momentum" in BlobTracker.retired
    made = replay(Wish(tmp_path / "a.mcap", out=tmp_path / "out", overlay=False))
    assert made.report.ledger.processed == FRAMES
    assert any("links anew" in remark and "blob" in remark for remark in made.remarks)
    with pytest.raises(DefinitionError, match="no parameter 'momentum' any more: the filter's covariance"):
        replay(Wish(tmp_path / "a.mcap", settings={"follow.momentum": 1.0}))


def test_triggered_sessions_begin_in_the_midst(tmp_path: Path) -> None:
    source, pipeline = open_source(CLIP), fixed("blobs")
    begin = Manifest(source.info, pipeline, "cpu").preamble()
    recording = Recording.start(tmp_path / "a.mcap", begin, RecordingOptions(before=10))
    sink = SessionSink(recording)
    runner = ScheduledRunner(
        source, prepare(pipeline, source), [sink], frames=(0, 50), schedule=Schedule(pipeline),
        options=RunOptions(device="cpu"),
    )  # fmt: skip
    runner.run()
    recording.trigger("key", frame=50)
    sink.close()
    made = replay(Wish(tmp_path / "a.mcap", check=True))
    assert made.likeness is not None
    assert made.likeness.unreplayable > 0
    assert any("frames 0-39 (no trigger asked for them)" in remark for remark in made.remarks)
    assert made.report.ledger.processed == 10


def test_a_recording_that_broke_off(tmp_path: Path) -> None:
    """Without the last word on processing, what was recorded is compared as far as it goes."""
    source, pipeline = open_source(CLIP), fixed("blobs")
    begin = Manifest(source.info, pipeline, "cpu").preamble()
    recording = Recording.start(tmp_path / "a.mcap", begin, RecordingOptions(wait=True))
    keep = Keep()
    ScheduledRunner(
        source, prepare(pipeline, source), [keep], frames=(0, 40), schedule=Schedule(pipeline),
        options=RunOptions(device="cpu"),
    ).run()  # fmt: skip
    for k in range(40):
        recording.put(source.read(k), time_s=source.info.time.time(k))
    recording.tracks(keep.all[:-25])
    recording.close()
    made = replay(Wish(tmp_path / "a.mcap", check=True))
    assert made.likeness is not None
    assert made.identical
    assert made.likeness.beyond == 25
    assert any("is not compared" in remark for remark in made.remarks)


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A session with changes, of which the recorder wrote every batch at once."""
    path = tmp_path_factory.mktemp("changed") / "a.mcap"
    source, pipeline = open_source(CLIP), fixed("blobs")
    recording = Recording.start(path, Manifest(source.info, pipeline, "cpu").preamble(), RecordingOptions(wait=True))
    sink = SessionSink(recording)

    class Slowly:
        """Lets the recorder hand over what it has, so that there are many places to cut."""

        def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
            sink.write(frames, results)
            time.sleep(0.21)

        def close(self) -> None:
            sink.close()

    runner = ScheduledRunner(
        source, prepare(pipeline, source), [Slowly()], frames=(0, FRAMES),
        schedule=Schedule(pipeline, changes_of("blobs"), applied=sink.changed),
        options=RunOptions(batch=7, device="cpu"),
    )  # fmt: skip
    runner.run()
    sink.close()
    return path.read_bytes()


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0.02, 1.0))
def test_cut_anywhere(changed: bytes, tmp_path: Path, share: float) -> None:
    """Wherever a session ends, what is left of it replays to what is left of its tracks."""
    path = tmp_path / "a.mcap"
    path.write_bytes(changed[: int(share * len(changed))])
    try:
        made = replay(Wish(path, check=True, device="cpu"))
    except InputError as error:
        assert "holds no frame" in str(error) or "no session that can be read" in str(error)  # noqa: PT017
        return
    if made.likeness is not None:
        assert made.identical, (share, made.likeness.describe(), made.remarks)


def test_recorded_tracks_that_are_damaged_are_said(tmp_path: Path) -> None:
    """Else a replay would seem to give rows that were never recorded."""
    path = tmp_path / "a.mcap"
    live = record(path, "blobs")
    data = bytearray(path.read_bytes())
    data[data.index(np.float64(live["x"][-1]).tobytes())] ^= 1
    path.write_bytes(data)
    made = replay(Wish(path, check=True))
    assert not made.identical
    assert any("tracks or events are lost" in remark for remark in made.remarks)
    whole = replay(Wish(path, out=tmp_path / "out", overlay=False))
    assert whole.outcome is not None
    said = (*whole.remarks, *whole.outcome.summary["source"]["warnings"])
    assert sum("tracks or events are lost" in sentence for sentence in said) == 1


def test_a_state_that_was_stored_later_is_said_to_mend() -> None:
    assert how_far(7, [5, 40, 90]) == "from there up to frame 40, before which the session holds the state again"
    assert how_far(90, [40, 90]) == "from there on"
    assert how_far(3, []) == "from there on"
