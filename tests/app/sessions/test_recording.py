"""The recorder in its own process: what is put in is there, and what is not is counted and named."""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np
import pytest

from app.sessions import events
from app.sessions.proof import prove
from app.sessions.proof_words import describe
from app.sessions.reader import SessionReader, SessionState, open_session
from app.sessions.recording import Recording
from app.sessions.recording_options import RecordingOptions
from app.sessions.shared import MESSAGE_SLOTS, RecorderState
from kernels.errors import InputError
from tests.app.sessions.made import SMALL, held_up, picture, pixels, preamble, tracks, until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")


def test_everything_is_there(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    recording = Recording.start(path, preamble(), RecordingOptions(wait=True))
    for k in range(100):
        assert recording.put(pixels(SMALL, k), camera_id=k, camera_time=k * 1000, time_s=k / 600)
        if k % 10 == 0:
            recording.tracks(tracks(k, 3))
    recording.tracks(tracks(7, 400))  # longer than a message
    recording.event(events.PARAMETER, 42, node="bright", param="level", value=0.25)
    with SessionReader(path) as session:
        assert session.state is SessionState.GROWING
    account = recording.close()
    assert (account.state, account.announced, account.recorded) == (RecorderState.DONE, 100, 100)
    assert (account.dropped, account.skipped, account.waiting, account.restarts, account.problem) == (0, 0, 0, 0, "")
    with open_session(path) as session:
        assert session.state is SessionState.FINISHED
        assert all((session.read(k) == pixels(SMALL, k)).all() for k in range(100))
        assert session.rows["time"].tolist() == [k / 600 for k in range(100)]
        expected = np.concatenate([*(tracks(k, 3) for k in range(0, 100, 10)), tracks(7, 400)])
        assert session.tracks().tobytes() == expected.tobytes()
        assert session.events() == [
            {"kind": "parameter", "frame": 42, "node": "bright", "param": "level", "value": 0.25},
            {"kind": "close", "frame": None, "announced": 100, "reason": "closed"},
        ]
        proof = prove(session)
    assert proof.complete
    assert (proof.announced, proof.recorded, proof.damaged, proof.absences) == (100, 100, (), ())


def test_overload_is_counted_and_named(tmp_path: Path) -> None:
    """What finds no room is dropped at once, never waited for; the ledger has the very frames."""
    recording = Recording.start(tmp_path / "a.mcap", preamble(), RecordingOptions(queue=20))
    expected: list[tuple[int, int]] = []
    count = 0
    for _ in range(3):
        until(lambda: recording.account.waiting == 0, recording)
        with held_up(recording):
            taken = [recording.put(pixels(SMALL, count + k), camera_id=count + k) for k in range(33)]
        assert taken == [True] * 20 + [False] * 13
        expected.append((count + 20, count + 32))
        count += 33
    account = recording.close()
    assert (account.announced, account.recorded, account.dropped) == (99, 60, 39)
    with open_session(tmp_path / "a.mcap") as session:
        proof = prove(session)
        kept = session.rows["sequence"].tolist()
        assert all((session.read(i) == pixels(SMALL, k)).all() for i, k in enumerate(kept))
    assert [(a.first, a.last, a.kind) for a in proof.absences] == [(a, b, "loss") for a, b in expected]
    assert (proof.announced, proof.recorded, proof.dropped, proof.missing, proof.skipped) == (99, 60, 39, 0, 0)
    assert not proof.complete
    assert proof.camera_lost == ()  # the camera gave them all
    assert any("frames 20-32: no room in the queue" in line for line in describe(proof))


def test_waiting_loses_nothing(tmp_path: Path) -> None:
    with Recording.start(tmp_path / "a.mcap", preamble(), RecordingOptions(queue=2, wait=True)) as recording:
        for k in range(300):
            assert recording.put(pixels(SMALL, k))
    with open_session(tmp_path / "a.mcap") as session:
        assert session.rows["sequence"].tolist() == list(range(300))
        assert prove(session).complete


def test_the_camera_is_checked(tmp_path: Path) -> None:
    """Numbers that jump, come again or late, and a stall that only the time stamps show."""
    ids = [5, 6, 7, 10, 11, 11, 12, 9, 13, 20]
    times = [0, 1, 2, 5, 6, 7, 8, 9, 10, 20]
    with Recording.start(tmp_path / "a.mcap", preamble()) as recording:
        for k, (camera_id, at) in enumerate(zip(ids, times, strict=True)):
            recording.put(pixels(SMALL, k), camera_id=camera_id, time_s=at / 1000)
    with open_session(tmp_path / "a.mcap") as session:
        proof = prove(session)
        kinds = [e["kind"] for e in session.events()]
    assert proof.camera_lost == ((8, 8), (14, 19))  # 9 came late
    assert (proof.camera_repeated, proof.camera_late) == ((11,), (9,))
    told = describe(proof)
    assert "lost                 7  never came from the camera, by its own numbers" in told
    assert "  numbers: 8, 14-19" in told
    assert "came late            1  after a higher number" in told
    assert any("pauses that no number tells of, 3 frames long" in line and "3 before frame 9" in line for line in told)
    assert proof.time_gaps == ((9, 3),)  # 13 to 20 is seven frames, the clock says ten
    assert kinds == ["gap", "duplicate", "late", "gap", "close"]
    assert proof.complete  # of what was announced


def test_messages_wait_for_room(tmp_path: Path) -> None:
    recording = Recording.start(tmp_path / "a.mcap", preamble())
    with held_up(recording):
        for k in range(2 * MESSAGE_SLOTS):
            recording.event(events.NOTE, k)
    assert recording.close().messages_lost == 0
    with open_session(tmp_path / "a.mcap") as session:
        assert [e["frame"] for e in session.events() if e["kind"] == "note"] == list(range(2 * MESSAGE_SLOTS))


def test_too_many_messages_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.sessions.outbox.MOST_PENDING", 5)
    recording = Recording.start(tmp_path / "a.mcap", preamble())
    with held_up(recording):
        for k in range(MESSAGE_SLOTS + 12):
            recording.event(events.NOTE, k)
    account = recording.close()
    assert account.messages_lost == 7
    with open_session(tmp_path / "a.mcap") as session:
        assert prove(session).messages_lost == 7
        assert sum(e["kind"] == "note" for e in session.events()) == MESSAGE_SLOTS + 5


def test_wrong_use_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        Recording.start(tmp_path / "no" / "a.mcap", preamble())
    with pytest.raises(InputError, match="no memory for"):
        Recording.start(tmp_path / "a.mcap", preamble(), RecordingOptions(queue=1 << 44))
    assert not (tmp_path / "a.mcap").exists()
    recording = Recording.start(tmp_path / "a.mcap", preamble())
    with pytest.raises(ValueError, match=r"frames of a\.mcap are u8"):
        recording.put(np.zeros((3, 3), np.uint8))
    with pytest.raises(ValueError, match="too long"):
        recording.event(events.NOTE, text="x" * 100_000)
    with pytest.raises(InputError, match="exists already"):
        Recording.start(tmp_path / "a.mcap", preamble())
    assert recording.put(pixels(SMALL, 0).copy(order="F"))
    account = recording.close()
    assert account.recorded == account.announced == 1
    with pytest.raises(InputError, match="exists already"):
        Recording.start(tmp_path / "a.mcap", preamble())
    assert not recording.put(pixels(SMALL, 1))  # closed: counted, not recorded


def test_the_account_while_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = Recording.start(tmp_path / "a.mcap", preamble(), RecordingOptions(sync_every=0.05))
    with monkeypatch.context() as patched:
        patched.setattr(recording._pace, "see", lambda *_: 1e6)
        free = recording._memory.recorder["free"].copy()
        recording._memory.recorder["free"] = 0  # as before the recorder has looked at the disk
        assert recording.account.seconds_left == math.inf
        recording._memory.recorder["free"] = free
    for k in range(60):
        recording.put(pixels(SMALL, k))
    until(lambda: recording.account.recorded == 60, recording)
    until(lambda: recording.account.synced_bytes == recording.account.bytes > 0, recording)
    account = recording.account
    assert account.free_bytes > 0
    assert account.seconds_left > 0
    recording.close()


def test_what_the_camera_said_is_told_in_words(tmp_path: Path) -> None:
    facts = {"missing": 2, "repeated": 0, "losses": 1, "reconnects": 0, "exposed": 9, "delivered": 4, "lost": 5,
             "duplicated": 0, "log_complete": False}  # fmt: skip
    with Recording.start(tmp_path / "a.mcap", preamble()) as recording:
        for k, number in enumerate((0, 1, 4, 5)):
            recording.put(pixels(SMALL, k), camera_id=number)
        recording.event(events.CAMERA, None, facts=facts)
    with open_session(tmp_path / "a.mcap") as session:
        lines = describe(prove(session))
    assert "  numbers: 2-3" in lines
    assert any("it was lost once and came back never" in line for line in lines)
    assert "pipeline       none; these frames were only recorded" in lines
    told = "camera         says itself: 9 exposed, 4 delivered, 5 lost, 0 duplicated"
    where = "3 of the lost before the first frame here or after the last"
    assert f"{told} ({where}); its log was too short for all" in lines


def test_the_queue_of_tiny_frames_is_no_larger(tmp_path: Path) -> None:
    """Memory is counted with what stands beside the pixels: half a gigabyte holds no half a milliard of them."""
    with Recording.start(tmp_path / "a.mcap", preamble(picture(1, 1))) as recording:
        assert recording.put(np.full((1, 1), 7, np.uint8))
        slots = recording.account.slots
    assert 100_000 < slots < 10_000_000
    with open_session(tmp_path / "a.mcap") as session:
        assert session.read(0).tolist() == [[7]]
