"""`fusetrack record` in a process of its own: Ctrl-C, triggers from outside, refusals, rehearsals."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from app.cli import main
from app.commands.record import report
from app.ending import ENDS
from app.live.recording import record_camera
from app.live.rehearsal import rehearsal
from app.live.replay import Wish, replay
from app.live.wanted import Wanted
from app.sessions import events
from app.sessions.proof import Proof, prove
from app.sessions.reader import open_session
from kernels.errors import InputError
from pipelines.frame import FrameBatch
from pipelines.streaming.live.computing import EngineWork
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="recording needs POSIX")


ROOT = Path(__file__).resolve().parents[3]
WAITING = "cam:sim?scene=vortex&size=64x48&fps=100&stall=@0&stall_time=600"
"""A camera that waits for a trigger of its own."""
SMALL = "cam:sim?scene=vortex&size=64x48&fps=200&particles=8&ring=2000"  # ten seconds, so that none is lost here


def proven(path: Path) -> tuple[Proof, list[dict[str, Any]]]:
    with open_session(path) as session:
        return prove(session), session.events()


def test_nothing_is_left_behind_by_what_cannot_begin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.mcap"
    for options in (
        ["-p", "nothing"], ["--set", "bright.level=1"], ["-p", "blobs", "--set-at", "9:bright.levle=1"],
        ["-p", "blobs", "--roi", "50,40,30,30"], ["--trigger", "speed>3"], ["--frames", "0"], ["--seconds", "-1"],
        ["-p", "blobs", "--set-at", "bright.level=1"], ["--trigger", "loud"], ["--after", "9"],
    ):  # fmt: skip
        assert main(["record", SMALL, "-o", str(path), "--no-rehearsal", *options]) == 2, options
        said = capsys.readouterr().err
        assert said.splitlines()[-1].startswith("fusetrack: ")
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
    before, disk, pipeline = capsys.readouterr().err.splitlines()
    assert before == "rehearsal tries the disk, then pipeline 'blobs', then both, 0.2 s each and the time to start"
    assert "enough for 10 frames/s with a quarter to spare" in disk
    assert pipeline.startswith("rehearsal pipeline 'blobs' takes ")
    assert "enough for 10 frames/s" in pipeline
    assert main(["record", "sim:vortex", "-o", str(tmp_path / "a.mcap"), "--rehearse", "-p", "blobs"]) == 0
    assert "frames/s of sim:vortex here" in capsys.readouterr().err
    fast = "cam:sim?scene=vortex&size=64x48&fps=900000"  # more than any pipeline takes
    assert main(["record", fast, "-o", str(tmp_path / "a.mcap"), "--rehearse", "-p", "blobs"]) == 1
    assert "NOT enough for 900000 frames/s" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("wrong", [["cam:nowhere"], [SMALL, "-p", "nothing"]])
@pytest.mark.parametrize("asked", [[], ["--rehearse"]])
def test_what_cannot_be_recorded_is_not_rehearsed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: list[str], asked: list[str]
) -> None:
    """The reason is all that is said."""
    assert main(["record", *wrong, "-o", str(tmp_path / "a.mcap"), *asked]) == 2
    assert [line.startswith("fusetrack: ") for line in capsys.readouterr().err.splitlines()] == [True]
    assert not list(tmp_path.iterdir())


@contextmanager
def program(*options: str) -> Iterator[subprocess.Popen[str]]:
    """`fusetrack record` in a process of its own."""
    running = subprocess.Popen(
        [sys.executable, "-m", "app", "record", *options, "-q", "--queue", "20000"], cwd=ROOT, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def frames_of(path: Path, least: int) -> None:
    """Wait until a session that is being recorded says of so many announced frames."""
    end = time.monotonic() + PATIENCE
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
    with program(SMALL, "-o", str(path), "--no-rehearsal", "-p", "blobs") as running:
        frames_of(path, 100)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 0, err
    assert "processed" in out
    assert "Traceback" not in err
    proof, happened = proven(path)
    assert proof.complete
    assert proof.processing is not None
    assert proof.processing.known
    assert happened[-1]["kind"] == "close"
    assert replay(Wish(path, check=True)).identical


@pytest.mark.parametrize("number", ENDS)
@pytest.mark.parametrize("begun", [".rehearsal-*/rehearsal.mcap", "a.mcap"])
def test_an_end_before_the_first_frame_leaves_nothing(tmp_path: Path, number: signal.Signals, begun: str) -> None:
    """Neither a session nor what a rehearsal wrote; the name is free again."""
    path = tmp_path / "a.mcap"
    rehearsal = [] if begun.startswith(".") else ["--no-rehearsal"]
    with program(WAITING, "-o", str(path), "-p", "blobs", *rehearsal) as running:
        until(lambda: any(tmp_path.glob(begun)))
        running.send_signal(number)
        _, err = running.communicate(timeout=PATIENCE)
    assert "Traceback" not in err
    assert running.returncode in (1, 130)
    assert err in (
        "fusetrack: stopped before a frame was recorded; nothing is left behind\n",
        "fusetrack: cam:sim gave no frame before the recording ended\n"
        f"fusetrack: {path} was not kept, as nothing is in it\n",
    ) or begun.startswith(".")
    assert "nothing" in err
    assert list(tmp_path.iterdir()) == []


def test_a_camera_that_gave_no_frame_leaves_no_session(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Stopped while the run waits: a sentence says that there was nothing to keep."""
    path = tmp_path / "a.mcap"
    made = record_camera(Wanted(WAITING, path), started=lambda hands: hands.stop())
    assert report(made, 0.25) == 1
    assert capsys.readouterr().err.splitlines() == [
        "fusetrack: cam:sim gave no frame before the recording ended",
        f"fusetrack: {path} was not kept, as nothing is in it",
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_killed_program_keeps_what_it_recorded(tmp_path: Path) -> None:
    """One frame is enough."""
    path = tmp_path / "a.mcap"
    with program(SMALL, "-o", str(path), "--no-rehearsal") as running:
        frames_of(path, 1)
        running.send_signal(signal.SIGKILL)
        running.wait(PATIENCE)
    assert proven(path)[0].recorded >= 1


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_lines_and_signals_trigger(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    waits = ["--before", "10", "--after", "10", "--trigger", "key"]
    with program(SMALL, "-o", str(path), "--no-rehearsal", *waits) as running:
        frames_of(path, 100)
        send(running.stdin, "nonsense")
        send(running.stdin, "trigger lamp on")
        time.sleep(0.5)
        running.send_signal(signal.SIGUSR1)
        time.sleep(0.5)
        send(running.stdin, "stop")
        running.wait(PATIENCE)
    assert running.returncode == 0
    proof, happened = proven(path)
    assert [e["reason"] for e in happened if e["kind"] == "trigger"] == ["lamp on", "signal"]
    assert proof.recorded == 40
    assert proof.complete


def test_a_signal_before_the_first_frame_triggers_then(tmp_path: Path) -> None:
    """It ends nothing, and is not forgotten."""
    path = tmp_path / "a.mcap"
    waits = ["--before", "5", "--after", "10", "--trigger", "key", "--frames", "100"]
    with program(SMALL, "-o", str(path), *waits) as running:
        until(lambda: any(tmp_path.glob(".rehearsal-*")))
        running.send_signal(signal.SIGUSR1)
        _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 0, err
    proof, happened = proven(path)
    assert [e["reason"] for e in happened if e["kind"] == "trigger"] == ["signal"]
    assert proof.recorded >= 10
    assert proof.complete


def test_frames_that_a_camera_lost_are_an_end_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.mcap"
    assert main(["record", f"{SMALL}&drop=@5,8", "-o", str(path), "--frames", "20", "--no-rehearsal", "-q"]) == 1
    said = "2 frames lost: by the camera's own numbers, they never came from the camera"
    assert capsys.readouterr().err == f"fusetrack: {said}\n"
    assert main(["ledger", str(path)]) == 0  # all that came is there


def test_a_latency_beyond_the_limit_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = record_camera(Wanted(f"{SMALL}&frames=20", tmp_path / "a.mcap", "blobs"))
    report(made, 60.0)
    assert "--latency allows" not in capsys.readouterr().out
    report(made, 1e-9)
    assert "beyond the 1e-06 ms that --latency allows" in capsys.readouterr().out


def test_a_session_that_is_moved_away_is_missed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = record_camera(Wanted(f"{SMALL}&frames=10", tmp_path / "a.mcap"))
    (tmp_path / "a.mcap").rename(tmp_path / "b.mcap")
    assert report(made, 0.25) == 1
    assert "a.mcap is not there any more: it was moved or deleted while it was recorded" in capsys.readouterr().err


def test_the_ledger_of_a_session_that_grows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.mcap"
    with program(SMALL, "-o", str(path), "--no-rehearsal", "-p", "blobs"):
        frames_of(path, 100)
        assert main(["ledger", str(path)]) == 0
        assert "ending         none yet: it is still being recorded" in capsys.readouterr().out
        assert main(["ledger", str(path), "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["growing"], told["complete"], told["missing"]) == (True, False, 0)


def test_what_takes_long_is_told_as_it_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.commands.record.REHEARSAL", 0.2)
    path = tmp_path / "a.mcap"
    assert main(["record", SMALL, "-o", str(path), "-p", "blobs", "--frames", "20", "--before", "3"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert [line for line in told if not line.startswith(("rehearsal", "0 s", "fusetrack: bright.level"))] == [
        f"starting  {SMALL} with pipeline 'blobs'",
        f"recording {path}, waiting for a trigger; Ctrl-C ends",
    ]
    assert told[0].startswith("rehearsal tries ")


def test_a_rehearsal_says_what_is_left_while_frames_are_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pipeline alone is fast enough; it is held up once frames come from a camera and go to a recorder."""
    submit = EngineWork._submit

    def held_up(self: EngineWork, batch: FrameBatch, *rest: Any) -> None:
        time.sleep(0.02 * len(batch))
        submit(self, batch, *rest)

    monkeypatch.setattr("app.live.rehearsal.pipeline_speed", lambda *_: 1e6)
    monkeypatch.setattr(EngineWork, "_submit", held_up)
    wanted = Wanted("cam:sim?scene=vortex&size=64x48&fps=500", tmp_path / "a.mcap", "blobs", latency=0.05)
    said, enough = rehearsal(wanted, 0.5)
    assert not enough
    assert re.search(r"'blobs' takes [1-5]?\d frames/s of cam:sim here while they are recorded \(1000000 alone\), NOT "
                     "enough for 500 frames/s", said[-1])  # fmt: skip
    assert not list(tmp_path.iterdir())


def test_a_rehearsal_without_a_frame_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A camera may wait for a trigger of its own."""
    waiting = "cam:sim?scene=vortex&size=64x48&fps=100&stall=@0&stall_time=60"
    assert main(["record", waiting, "-o", str(tmp_path / "a.mcap"), "--rehearse", "-p", "blobs"]) in (0, 1)
    assert "gave no frame within 2 seconds, so pipeline 'blobs' was not tried" in capsys.readouterr().err
