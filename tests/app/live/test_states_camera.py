"""Recordings of a camera that wait for triggers: whatever is turned and whoever dies, what is there replays exactly."""

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

from app.cameras.opening import open_camera
from app.live.replay import Wish, replay
from app.live.wanted import Wanted, manifest
from app.sessions import events
from app.sessions.asking import parse_triggers
from app.sessions.reader import SessionReader, SessionState, open_session
from app.sessions.recording import Recording
from app.sessions.recording_options import RecordingOptions
from app.sessions.tap import SessionTap
from kernels.errors import FusetrackError
from pipelines.streaming.live.live_runner import LiveRunner
from pipelines.streaming.live.options import LiveOptions
from tests.app.live.test_crash import children
from tests.app.live.test_states import check, stretches, triggered
from tests.app.live.test_tap import turn
from tests.patience import PATIENCE
from tests.shipped import fixed

pytestmark = pytest.mark.skipif(os.name != "posix", reason="recording needs POSIX")

RUNS = int(os.environ.get("FUSETRACK_LIVE_RUNS", "1"))
KILLS = int(os.environ.get("FUSETRACK_LIVE_KILLS", "2"))
ROOT = Path(__file__).resolve().parents[3]
CAMERA = "cam:sim?scene=vortex&size=64x48&fps=150&particles=8&drop=0.01&duplicate=0.01&jitter=0.2"


@pytest.mark.parametrize("seed", range(RUNS))
def test_random_knobs_and_triggers(tmp_path: Path, seed: int) -> None:
    """Keys and conditions trigger stretches, one of them more frames back than there are, while knobs are turned."""
    draw, path, pipeline = random.Random(seed), tmp_path / "a.mcap", fixed("blobs")
    before, after = draw.choice([5, 40, 100_000]) if seed else 20, draw.choice([20, 40])
    camera = open_camera(f"{CAMERA}&seed={seed}")
    runner = LiveRunner(camera, pipeline, options=LiveOptions(latency=draw.choice([0.1, 0.5]), roi=None))
    built = runner.prepare()
    preamble = manifest(Wanted(CAMERA, path, "blobs"), camera.info, pipeline, built).preamble()
    options = RecordingOptions(before=min(before, 5000), late=450, state_every=draw.choice([20, 60]))
    recording = Recording.start(path, preamble, options)
    conditions = parse_triggers(["speed>80"]).conditions if draw.random() < 0.5 else ()
    runner.recorder = tap = SessionTap(recording, conditions=conditions, after=after)
    runner.start()
    end, keys = time.monotonic() + 4.0, [time.monotonic() + draw.uniform(0.4, 3.5) for _ in range(2)]
    while keys or time.monotonic() < end:
        time.sleep(draw.uniform(0.0, 0.25))
        if draw.random() < 0.7:
            turn(runner, draw)
        while keys and time.monotonic() > min(keys):
            keys.remove(min(keys))
            tap.trigger("key")
    runner.resume()
    report = runner.stop()
    assert report is not None
    assert report.error == ""
    tap.finish(report.ledger.processed, report.ledger.announced - 1, report.ledger.facts())
    recording.close()
    camera.close()
    assert tap.triggers
    check(path, states=0, rows=False)
    with open_session(path) as session:
        kept = set(session.rows["sequence"].tolist())
        triggers = [e["frame"] for e in session.events() if e["kind"] == events.TRIGGER]
    for at in triggers:
        assert set(range(max(0, at - before), min(at + after, report.ledger.announced))) <= kept


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc and signals")
@pytest.mark.parametrize("seed", range(KILLS))
def test_a_death_behind_a_trigger(tmp_path: Path, seed: int) -> None:
    """kill -9 of the program, or of all: where a frame is in the file, the state that it needs is."""
    draw, path = random.Random(seed), tmp_path / "a.mcap"
    running = subprocess.Popen(
        [sys.executable, "-m", "app", "record", CAMERA, "-o", str(path), "-p", "background-motion", "--no-rehearsal",
         "-q", "--queue", "20000", "--before", "10", "--set-at", "40:moving.alpha=0.05"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert running.stdin is not None
    try:
        end = time.monotonic() + PATIENCE
        while len(children(running.pid)) < 2:
            assert time.monotonic() < end
            time.sleep(0.05)
        while announced_in(path) < 120:
            assert time.monotonic() < end
            time.sleep(0.05)
        time.sleep(draw.uniform(0.0, 1.0))
        running.stdin.write(b"trigger\n")
        running.stdin.flush()
        while not frames_in(path):
            assert time.monotonic() < end
            time.sleep(0.005)
        time.sleep(draw.choice([0.0, 0.0, 0.5]))
        for process in [running.pid, *(children(running.pid).values() if seed % 2 else ())]:
            os.kill(process, signal.SIGKILL)
        while SessionReader(path).state is SessionState.GROWING:
            assert time.monotonic() < end
            time.sleep(0.02)
        assert stretches(path)[0] > 0
        check(path, rows=False)
    finally:
        running.kill()
        running.communicate()


def frames_in(path: Path) -> int:
    try:
        with SessionReader(path) as session:
            return len(session)
    except FusetrackError:
        return 0


def announced_in(path: Path) -> int:
    try:
        with SessionReader(path) as session:
            return max((e["announced"] for e in session.events() if e["kind"] == events.STATISTICS), default=0)
    except FusetrackError:
        return 0


def test_a_damaged_state(tmp_path: Path) -> None:
    """It is named with its frame, and so is what the replay cannot give."""
    path = tmp_path / "a.mcap"
    triggered(path, 0.01)
    data = bytearray(path.read_bytes())
    at = bytes(data).index(b"FTST") + 5000
    data[at] ^= 1
    path.write_bytes(data)
    made = replay(Wish(path, check=True))
    begin = stretches(path)[0]
    assert not made.identical
    said = " ".join(made.remarks)
    assert f"before frame {begin} is damaged, so that no replay can be the same from there on" in said
    assert "no trigger asked for them" in said
    with open_session(path) as session:
        assert np.diff(session.rows["sequence"].astype(int)).max() == 1


def test_a_trigger_while_the_run_stands_still(tmp_path: Path) -> None:
    """The state that holds when it goes on is recorded then."""
    path, pipeline = tmp_path / "a.mcap", fixed("background-motion")
    camera = open_camera("cam:sim?scene=vortex&size=64x48&fps=150&particles=8")
    runner = LiveRunner(camera, pipeline)
    built = runner.prepare()
    preamble = manifest(Wanted(CAMERA, path), camera.info, pipeline, built).preamble()
    recording = Recording.start(path, preamble, RecordingOptions(before=5, late=20, state_every=30))
    runner.recorder = tap = SessionTap(recording)

    def until(frames: int) -> None:
        end = time.monotonic() + PATIENCE
        while runner.ledger.announced < frames:
            assert time.monotonic() < end
            time.sleep(0.01)

    runner.start()
    until(60)
    runner.pause()
    until(runner.ledger.announced + 150)
    tap.trigger("key")
    until(runner.ledger.announced + 20)
    runner.resume()
    until(runner.ledger.announced + 60)
    report = runner.stop()
    assert report is not None
    tap.finish(report.ledger.processed, report.ledger.announced - 1, report.ledger.facts())
    recording.close()
    camera.close()
    check(path, rows=False)
    with open_session(path) as session:
        (state,) = session.states()
    assert state.frame > stretches(path)[0] > 0
