"""kill -9 at random moments: of the recorder, of the program that records, of both.

FUSETRACK_KILLS=60 kills so often each; the suite does it twice each.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.sessions import events
from app.sessions.proof import prove
from app.sessions.reader import SessionReader, SessionState, open_session
from app.sessions.recording import Recording
from app.sessions.recording_options import RecordingOptions
from kernels.errors import SourceError
from tests.app.sessions.made import SMALL, pixels, preamble, tracks
from tests.patience import PATIENCE

KILLS = int(os.environ.get("FUSETRACK_KILLS", "2"))
ROOT = Path(__file__).resolve().parents[3]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")

PRODUCER = """
import sys, time
sys.path.insert(0, {root!r})
from pathlib import Path
from app.sessions.recording import Recording
from tests.app.sessions.made import SMALL, pixels, preamble
recording = Recording.start(Path({path!r}), preamble())
print(recording.process, flush=True)
k = 0
while True:
    recording.put(pixels(SMALL, k), camera_id=k)
    k += 1
    print(k, flush=True)
    time.sleep(0.001)
"""


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return True


def check(path: Path, announced: int) -> int:
    """Whatever is there is whole, in order and without holes; the number of frames."""
    with open_session(path) as session:
        assert session.state is SessionState.FINISHED
        kept = session.rows["sequence"].tolist()
        assert kept == list(range(len(kept)))
        assert all((session.read(k) == pixels(SMALL, k)).all() for k in kept)
        proof = prove(session)
        assert proof.recorded == len(kept) <= announced
        assert proof.duplicates == 0
        assert proof.damaged == ()
        assert proof.announced == proof.recorded + proof.missing + proof.dropped
        return len(kept)


@pytest.mark.parametrize("seed", range(KILLS))
def test_the_recorder_dies(tmp_path: Path, seed: int) -> None:
    """Another one goes on where the file ends: not a frame is lost, doubled or dropped."""
    path, draw = tmp_path / "a.mcap", random.Random(seed)
    recording = Recording.start(path, preamble())
    count = noted = 0
    told: list[int] = []
    for killed in (1, 2):
        begin, end = count, time.monotonic() + draw.uniform(0.05, 0.6)
        while time.monotonic() < end:
            assert recording.put(pixels(SMALL, count), camera_id=count)
            recording.event(events.NOTE, count)
            recording.tracks(tracks(count, 1))
            count += 1
            noted = count
            time.sleep(draw.choice([0, 0.0005, 0.002]))
        dead = recording.process
        os.kill(dead, signal.SIGKILL)
        told += range(begin, noted)
        while recording.account.restarts < killed or recording.process == dead:  # it is counted, then started
            assert recording.put(pixels(SMALL, count), camera_id=count)
            count += 1
            time.sleep(0.001)
    account = recording.close()
    assert account.recorded == account.announced == count
    assert account.restarts == 2
    assert check(path, count) == count
    with SessionReader(path) as session:
        proof = prove(session)
        assert proof.complete
        assert proof.restarts == 2
        assert [e["frame"] for e in session.events() if e["kind"] == "note"] == told
        assert session.tracks().tobytes() == b"".join(tracks(k, 1).tobytes() for k in told)


def test_the_recorder_dies_before_the_trigger(tmp_path: Path) -> None:
    """What is held in memory for a trigger, and what was not wanted before, outlive it."""
    recording = Recording.start(tmp_path / "a.mcap", preamble(), RecordingOptions(before=20))
    for k in range(100):
        assert recording.put(pixels(SMALL, k))
    end = time.monotonic() + PATIENCE
    while recording.account.skipped < 80:
        assert time.monotonic() < end
        time.sleep(0.005)
    os.kill(recording.process, signal.SIGKILL)
    recording.trigger("key", after=5)
    for k in range(100, 130):
        assert recording.put(pixels(SMALL, k))
    recording.close()
    with open_session(tmp_path / "a.mcap") as session:
        proof = prove(session)
        assert session.rows["sequence"].tolist() == list(range(80, 105))
        assert all((session.read(k - 80) == pixels(SMALL, k)).all() for k in range(80, 105))
    assert (proof.skipped, proof.missing, proof.dropped) == (105, 0, 0)


def start_producer(path: Path) -> tuple[subprocess.Popen[str], int]:
    code = PRODUCER.format(root=str(ROOT), path=str(path))
    producer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert producer.stdout is not None
    return producer, int(producer.stdout.readline())


def kill_producer(producer: subprocess.Popen[str]) -> int:
    """The frames that it had put when it was killed, as far as it could say so."""
    producer.kill()
    assert producer.stdout is not None
    told = producer.stdout.read().split("\n")
    producer.wait()
    producer.stdout.close()
    return max((int(line) for line in told[:-1] if line), default=0)


@pytest.mark.parametrize("seed", range(KILLS))
def test_the_producer_dies(tmp_path: Path, seed: int) -> None:
    """The recorder writes what was put, says how the session ended, and closes it."""
    path = tmp_path / "a.mcap"
    producer, recorder = start_producer(path)
    time.sleep(random.Random(seed).uniform(0.0, 0.7))
    told = kill_producer(producer)
    end = time.monotonic() + PATIENCE
    while alive(recorder):
        assert time.monotonic() < end
        time.sleep(0.01)
    with SessionReader(path) as session:
        assert session.state is SessionState.FINISHED  # by the recorder, not by a repair
        proof = prove(session)
    kept = check(path, told + 1)  # one may have been put and not yet told
    assert told <= kept
    assert proof.announced_known
    assert proof.missing == 0  # what it was just putting is named
    assert "ended without closing" in proof.ending


@pytest.mark.parametrize("seed", range(KILLS))
def test_both_die(tmp_path: Path, seed: int) -> None:
    """What was handed to the system is there, and what the ledger knows of is there."""
    path, draw = tmp_path / "a.mcap", random.Random(seed)
    producer, recorder = start_producer(path)
    time.sleep(draw.uniform(0.0, 0.9))
    before = 0
    try:
        with SessionReader(path) as session:
            before = len(session)
    except SourceError:  # not even the beginning was written
        pytest.fail("a session that a recorder has opened has its beginning")
    os.kill(recorder, signal.SIGKILL)
    told = kill_producer(producer)
    end = time.monotonic() + PATIENCE
    while alive(recorder):
        assert time.monotonic() < end
        time.sleep(0.01)
    time.sleep(0.3)  # another recorder may have been started in between, and closes the session
    end = time.monotonic() + PATIENCE
    while SessionReader(path).state is SessionState.GROWING:
        assert time.monotonic() < end
        time.sleep(0.05)
    kept = check(path, told + 1)
    assert kept >= before
    # At 1 frame a millisecond a group is written every 16 frames, or after 200 ms.
    assert told - kept <= 300
