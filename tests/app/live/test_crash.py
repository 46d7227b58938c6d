"""kill -9 at random moments while a simulated camera is recorded and tracked: of the program, of its camera, of its
recorder, of all. What is there then replays to the very tracks that were recorded.

FUSETRACK_LIVE_KILLS=50 kills so often in all; the suite does it four times.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from app.live.replay import Wish, replay
from app.sessions.proof import prove
from app.sessions.reader import SessionReader, SessionState, open_session
from kernels.errors import FusetrackError
from tests.patience import PATIENCE

KILLS = int(os.environ.get("FUSETRACK_LIVE_KILLS", "4"))
ROOT = Path(__file__).resolve().parents[3]
VICTIMS = ("program", "camera", "recorder", "all")
CAMERA = "cam:sim?scene=vortex&size=64x48&fps=400&particles=8&drop=0.01&duplicate=0.01"

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc and signals")


def children(process: int) -> dict[str, int]:
    """The camera and the recorder of a program that records, whichever of its threads started them."""
    found: dict[str, int] = {}
    for task in Path(f"/proc/{process}/task").iterdir():
        try:
            for number in (task / "children").read_text().split():
                words = Path(f"/proc/{number}/cmdline").read_bytes()
                if b"app.cameras.simulated" in words:
                    found["camera"] = int(number)
                elif b"app.sessions import process" in words:
                    found["recorder"] = int(number)
        except OSError:
            continue
    return found


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def until_frames(path: Path, count: int, running: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert running.poll() is None, running.communicate()
        try:
            with SessionReader(path) as session:
                if len(session) >= count and len(session.tracks()):
                    return
        except FusetrackError:
            pass
        time.sleep(0.02)
    raise AssertionError("nothing is recorded")


def kill(running: subprocess.Popen[bytes], victim: str) -> list[int]:
    """Kill -9; the processes that are to end by themselves."""
    others = children(running.pid)
    assert set(others) == {"camera", "recorder"}
    chosen = [running.pid, *others.values()] if victim == "all" else [{"program": running.pid, **others}[victim]]
    for process in chosen:
        os.kill(process, signal.SIGKILL)
    return list(others.values())


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_death(tmp_path: Path, seed: int) -> None:
    draw, victim, path = random.Random(seed), VICTIMS[seed % len(VICTIMS)], tmp_path / "a.mcap"
    running = subprocess.Popen(
        [sys.executable, "-m", "app", "record", CAMERA, "-o", str(path), "-p", "blobs", "--no-rehearsal", "-q",
         "--set-at", "40:bright.level=0.05", "--set-at", "90:band.sigma=1.5", "--set-at", "130:follow.gate=6.0",
         "--queue", "20000"],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        until_frames(path, draw.randrange(1, 300), running)
        time.sleep(draw.uniform(0.0, 0.4))
        others = kill(running, victim)
        if victim in ("camera", "recorder"):  # the program goes on: another recorder, the camera connected again
            time.sleep(1.0)
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=PATIENCE)
            assert running.returncode in (0, 1), err
            assert b"Traceback" not in out + err
        else:
            running.wait(PATIENCE)
        end = time.monotonic() + PATIENCE
        while any(map(alive, others)):
            assert time.monotonic() < end, "a process stays behind"
            time.sleep(0.02)
        while SessionReader(path).state is SessionState.GROWING:  # a thread of a dead process may still be in a sync
            assert time.monotonic() < end, "somebody holds the session"
            time.sleep(0.02)
        check(path, victim)
    finally:
        running.kill()
        running.communicate()


def check(path: Path, victim: str) -> None:
    """What is there is whole, in order, accounted for, and gives the tracks that were recorded."""
    with open_session(path) as session:
        assert session.state is SessionState.FINISHED
        proof, tracks = prove(session), session.tracks()
        kept = session.rows["sequence"].astype(np.int64)
    assert (np.diff(kept) == 1).all()
    assert kept[0] == 0
    assert proof.damaged == ()
    # A program that is killed may have announced a batch and not handed it over: that is named, too.
    assert proof.duplicates == 0
    assert proof.dropped <= (0 if victim in ("camera", "recorder") else 64)
    assert proof.announced == proof.recorded + proof.missing + proof.dropped
    assert proof.processing is not None
    if victim in ("camera", "recorder"):  # the program has lived to say its last word, and no frame is gone
        assert proof.complete, proof
        assert proof.processing.known
        assert proof.processing.processed + proof.processing.left_out == proof.announced
    if victim == "recorder":
        assert proof.restarts == 1
    made = replay(Wish(path, check=True, device="cpu"))
    assert made.likeness is not None
    assert made.identical, (made.likeness.describe(), made.remarks)
    assert made.likeness.rows == int(np.isin(tracks["frame"], kept).sum()) > 0
    assert made.likeness.whole == proof.processing.known
