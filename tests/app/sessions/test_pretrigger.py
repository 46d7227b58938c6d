"""Recordings that wait for a trigger keep what came before it, and name what they skip."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.sessions.proof import prove
from app.sessions.reader import open_session
from app.sessions.recording import Recording
from app.sessions.recording_options import RecordingOptions
from tests.app.sessions.made import SMALL, pixels, preamble, until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")


def test_before_and_after_a_trigger(tmp_path: Path) -> None:
    recording = Recording.start(tmp_path / "a.mcap", preamble(), RecordingOptions(queue=200, before=10))

    def put(first: int, end: int) -> None:
        for k in range(first, end):
            assert recording.put(pixels(SMALL, k), camera_id=k)

    put(0, 50)
    until(lambda: recording.account.skipped == 40, recording)
    recording.trigger("key", after=5)  # about frame 50: 40-54
    put(50, 100)
    until(lambda: recording.account.waiting <= 10, recording)
    recording.trigger("time", frame=95, after=10)  # 85-104, of which 85-89 are gone
    recording.trigger("time", frame=100, after=10)  # longer: to 109
    put(100, 150)
    until(lambda: recording.account.waiting <= 10, recording)
    account = recording.close()
    assert account.announced == account.recorded + account.skipped == 150
    with open_session(tmp_path / "a.mcap") as session:
        kept = session.rows["sequence"].tolist()
        assert kept == [*range(40, 55), *range(90, 110)]
        assert all((session.read(i) == pixels(SMALL, k)).all() for i, k in enumerate(kept))
        proof = prove(session)
        assert [e["reason"] for e in session.events() if e["kind"] == "trigger"] == ["key", "time", "time"]
    assert [(a.first, a.last, a.kind) for a in proof.absences] == [
        (0, 39, "skipped"), (55, 89, "skipped"), (110, 149, "skipped")
    ]  # fmt: skip
    assert proof.complete


def test_no_trigger_no_frames(tmp_path: Path) -> None:
    with Recording.start(tmp_path / "a.mcap", preamble(), RecordingOptions(before=5)) as recording:
        for k in range(20):
            recording.put(pixels(SMALL, k))
    with open_session(tmp_path / "a.mcap") as session:
        proof = prove(session)
        assert (len(session), proof.skipped, proof.announced) == (0, 20, 20)


def test_a_trigger_until_the_end(tmp_path: Path) -> None:
    with Recording.start(tmp_path / "a.mcap", preamble(), RecordingOptions(before=5)) as recording:
        for k in range(20):
            recording.put(pixels(SMALL, k))
        until(lambda: recording.account.skipped == 15, recording)
        recording.trigger("now")
        for k in range(20, 40):
            recording.put(pixels(SMALL, k))
    with open_session(tmp_path / "a.mcap") as session:
        assert session.rows["sequence"].tolist() == list(range(15, 40))
