"""Batches that are killed or stopped at any moment: nothing is lost, nothing goes on, the next call ends the work."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.batch.finding import DONE
from app.batch.lock import FolderLock
from app.cli import main
from app.ending import ENDS, HANGUP
from app.exports.tables import read_tracks
from tests.app.batch.made import HANG, SLOW, alive, halves, report, run, start, statuses, write_clip, write_fate
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc and signals")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def workers(out: Path) -> list[int]:
    """The processes of clips, by their logs."""
    found = [re.search(r"process (\d+)", log.read_text()) for log in out.rglob("*.log")]
    return [int(match[1]) for match in found if match]


def wait_until(condition: object, process: subprocess.Popen[str]) -> None:
    assert callable(condition)
    end = time.monotonic() + PATIENCE
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


def end(process: subprocess.Popen[str]) -> str:
    said, told = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in told
    return said + told


def test_killing_the_driver_leaves_no_process_and_the_next_call_goes_on(here: Path) -> None:
    write_clip(here / "clips/1.npy")
    write_clip(here / "clips/2.npy", SLOW, frames=600)
    write_clip(here / "clips/3.npy")
    call = ["clips", "--out", "out", "--jobs", "1", *write_fate(here)]
    process = start(here, *call)
    out = here / "out"
    wait_until(lambda: (out / "1" / DONE).exists() and len(workers(out)) == 2 and halves(out), process)
    assert statuses(out)["3.npy"] == "waiting"  # the report is there while the batch runs
    process.kill()
    end(process)
    until = time.monotonic() + PATIENCE
    while any(alive(pid) for pid in workers(out)):
        assert time.monotonic() < until
        time.sleep(0.02)
    assert halves(out)  # nobody was there to clean up
    write_clip(here / "clips/2.npy", seed=7)
    write_clip(here / "clips/calm.npy", seed=7)
    assert run(here, *call) == 0
    assert statuses(out) == {"1.npy": "skipped", "2.npy": "done", "3.npy": "done", "calm.npy": "done"}
    assert not halves(out)
    # The same as of a clip that nobody disturbed.
    assert (out / "2/tracks.csv").read_bytes() == (out / "calm/tracks.csv").read_bytes()
    assert (out / "tracks.parquet").exists()


@pytest.mark.parametrize("number", [ENDS[0], ENDS[-1]])
def test_a_signal_ends_what_runs_and_writes_the_report(here: Path, number: signal.Signals) -> None:
    write_clip(here / "clips/1.npy", SLOW, frames=600)
    write_clip(here / "clips/2.npy")
    process = start(here, "clips", "--out", "out", "--jobs", "1", *write_fate(here))
    out = here / "out"
    wait_until(lambda: (out / "report.json").exists() and report(out)["rows"]["1.npy"].get("done"), process)
    for _ in range(2 if number == HANGUP else 1):  # a terminal that is closed sends several
        process.send_signal(number)
    said = end(process)
    assert process.returncode == 130
    assert "2 stopped" in said
    assert report(out)["state"] == "stopped"
    assert statuses(out) == {"1.npy": "stopped", "2.npy": "stopped"}
    assert re.match(r"stopped after \d+ of 600 frames", report(out)["rows"]["1.npy"]["reason"])
    assert not halves(out)
    assert not any(alive(pid) for pid in workers(out))


def test_a_second_ctrl_c_breaks_off_what_does_not_end(here: Path) -> None:
    write_clip(here / "clips/1.npy", HANG)
    process = start(here, "clips", "--out", "out", *write_fate(here))
    out = here / "out"
    wait_until(lambda: halves(out), process)
    for _ in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
    end(process)
    assert process.returncode == 130
    assert statuses(out) == {"1.npy": "stopped"}
    assert not any(alive(pid) for pid in workers(out))
    assert not halves(out)


def test_two_batches_do_not_write_into_one_folder(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_clip(here / "clips/1.npy", SLOW, frames=600)
    process = start(here, "clips", "--out", "out", *write_fate(here))
    wait_until(lambda: workers(here / "out"), process)
    assert main(["batch", "clips", "--out", "out"]) == 2
    said = capsys.readouterr().err
    assert f"another batch is at work in {here / 'out'} (process {process.pid} on " in said
    process.kill()
    end(process)
    with FolderLock(here / "out"):  # the system takes the lock of the dead
        pass


def test_a_worker_that_is_killed_is_tried_again(here: Path) -> None:
    clip = write_clip(here / "clips/1.npy", SLOW, frames=40)
    process = start(here, "clips", "--out", "out", *write_fate(here))
    out = here / "out"
    wait_until(lambda: workers(out) and halves(out), process)
    os.kill(workers(out)[0], signal.SIGKILL)
    said = end(process)
    assert process.returncode == 0
    assert "attempt 1 failed, trying again: its process was killed (SIGKILL)" in said
    row = report(out)["rows"]["1.npy"]
    assert (row["status"], row["attempts"]) == ("done", 2)
    assert len(read_tracks(out / "1/tracks.csv"))
    assert clip.exists()
