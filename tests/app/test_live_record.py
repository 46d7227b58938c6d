"""A simulated camera recorded through a pipeline: the ledger is the camera's own, and the replay is the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest

from app.cameras.opening import open_camera
from app.cli import main
from app.commands.record import parse_changes
from app.live import record_camera
from app.live_replay import Wish, replay
from app.live_wanted import Hands, Look, Wanted
from app.sessions import events
from app.sessions.asking import parse_triggers
from app.sessions.proof import Proof, describe, prove
from app.sessions.reader import open_session
from app.sessions.shared import RecorderState
from kernels.errors import InputError
from pipelines.streaming.states import RunState

pytestmark = pytest.mark.skipif(os.name != "posix", reason="recording needs POSIX")

ROOT = Path(__file__).resolve().parents[2]
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
    assert any("it says itself: " in line for line in describe(proof))
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
        if now.account.recorded >= 50:
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
        assert session.rows["sequence"].tolist() == list(range(at - 20, at + 30))
    assert proof.complete
    assert proof.skipped == proof.announced - 50
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


def test_nothing_is_left_behind_by_what_cannot_begin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.mcap"
    for options in (
        ["-p", "nothing"], ["--set", "bright.level=1"], ["-p", "blobs", "--set-at", "9:bright.levle=1"],
        ["-p", "blobs", "--roi", "50,40,30,30"], ["--trigger", "speed>3"], ["--frames", "0"], ["--seconds", "-1"],
        ["-p", "blobs", "--set-at", "bright.level=1"], ["--trigger", "loud"], ["--after", "9"],
    ):  # fmt: skip
        assert main(["record", SMALL, "-o", str(path), "--no-rehearsal", *options]) == 2, options
        said = capsys.readouterr().err
        assert said.startswith("fusetrack: ")
        assert "Traceback" not in said
        assert not path.exists(), options
    assert main(["record", SMALL, "-o", str(tmp_path / "a.mp4")]) == 2
    path.write_bytes(b"precious")
    assert main(["record", SMALL, "-o", str(path)]) == 2
    assert main(["record", "sim:vortex", "-o", str(path)]) == 2
    assert "overwrite nothing" in capsys.readouterr().err
    assert path.read_bytes() == b"precious"
    with pytest.raises(InputError, match="overwrite nothing"):
        record_camera(Wanted(SMALL, path, "blobs"))
    with pytest.raises(InputError):
        record_camera(Wanted(SMALL, tmp_path / "no" / "where.mcap", "blobs"))


def test_a_rehearsal_only(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.commands.record.LONG_REHEARSAL", 0.2)
    slow = "cam:sim?scene=vortex&size=64x48&fps=10"
    assert main(["record", slow, "-o", str(tmp_path / "a.mcap"), "--rehearse"]) == 0
    assert "frames/s with a quarter to spare" in capsys.readouterr().err
    assert main(["record", slow, "-o", str(tmp_path / "a.mcap"), "--rehearse", "-p", "blobs"]) in (0, 1)
    disk, pipeline = capsys.readouterr().err.splitlines()
    assert "enough for 10 frames/s with a quarter to spare" in disk
    assert pipeline.startswith("rehearsal pipeline 'blobs' takes ")
    assert "enough for 10 frames/s" in pipeline
    assert main(["record", "sim:vortex", "-o", str(tmp_path / "a.mcap"), "--rehearse", "-p", "blobs"]) == 0
    assert "frames/s of sim:vortex here" in capsys.readouterr().err
    fast = "cam:sim?scene=vortex&size=64x48&fps=900000"  # more than any pipeline takes
    assert main(["record", fast, "-o", str(tmp_path / "a.mcap"), "--rehearse", "-p", "blobs"]) == 1
    assert "NOT enough for 900000 frames/s" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@contextmanager
def program(*options: str) -> Iterator[subprocess.Popen[str]]:
    """`fusetrack record` in a process of its own."""
    running = subprocess.Popen(
        [sys.executable, "-m", "app", "record", *options, "--no-rehearsal", "-q"], cwd=ROOT, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def frames_of(path: Path, least: int) -> None:
    """Wait until a session that is being recorded says of so many announced frames."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if path.exists() and path.stat().st_size > 4096:
            with open_session(path) as session:
                told = [e.get("announced", 0) for e in session.events() if e["kind"] == events.STATISTICS]
                if max([len(session), *told]) >= least:
                    return
        time.sleep(0.05)
    raise AssertionError("the recording does not begin")


def send(stream: IO[str] | None, line: str) -> None:
    assert stream is not None
    stream.write(line + "\n")
    stream.flush()


def test_ctrl_c_ends_cleanly(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    with program(SMALL, "-o", str(path), "-p", "blobs") as running:
        frames_of(path, 100)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 0, err
    assert "processed" in out
    assert "Traceback" not in err
    proof, happened = proven(path)
    assert proof.complete
    assert proof.processing is not None
    assert proof.processing.known
    assert happened[-1]["kind"] == "close"
    assert replay(Wish(path, check=True)).identical


def test_lines_and_signals_trigger(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    with program(SMALL, "-o", str(path), "--before", "10", "--after", "10", "--trigger", "key") as running:
        frames_of(path, 100)
        send(running.stdin, "nonsense")
        send(running.stdin, "trigger lamp on")
        time.sleep(0.5)
        running.send_signal(signal.SIGUSR1)
        time.sleep(0.5)
        send(running.stdin, "stop")
        running.wait(60)
    assert running.returncode == 0
    proof, happened = proven(path)
    assert [e["reason"] for e in happened if e["kind"] == "trigger"] == ["lamp on", "signal"]
    assert proof.recorded == 40
    assert proof.complete


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
    looks: list[Look] = []
    record_camera(Wanted(SMALL, tmp_path / "a.mcap", "blobs", seconds=1.0), look=looks.append)
    assert looks[0].account.state is RecorderState.RECORDING
    assert looks[-1].seconds < 3
    assert looks[0].left is not None
    assert looks[0].triggers is None
