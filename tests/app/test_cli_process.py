"""The command line as a process: signals keep what was done, memory stays flat, what cannot be printed is said."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.exports.tables import read_tracks
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.starts


def rows_come(process: subprocess.Popen[str], out: Path) -> None:
    """Wait until a run has written rows of its first frames."""
    end = time.monotonic() + PATIENCE
    while not any(path.stat().st_size > 4096 for path in out.glob("tracks.*.csv")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_keeps_what_was_done(tmp_path: Path) -> None:
    out = tmp_path / "o"
    command = [sys.executable, "-m", "app", "run", "sim:vortex?frames=100000", "--out", str(out), "--no-overlay"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    rows_come(process, out)
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, errors
    assert "not reached (stopped; what was done is kept)" in said
    assert "Traceback" not in errors
    assert "stopping after the frames in hand; once more breaks off" in errors
    summary = json.loads((out / "summary.json").read_text())
    frames = summary["frames"]
    assert summary["interrupted"]
    assert 0 < frames["processed"] < 100000
    assert frames["processed"] + frames["not_reached"] == 100000
    tracks = read_tracks(out / "tracks.parquet")
    assert tracks["frame"].max() == frames["processed"] - 1


def test_memory_stays_flat(tmp_path: Path) -> None:
    def peak(frames: int) -> int:
        clip = f"sim:vortex?width=96&height=64&particles=6&frames={frames}"
        code = (
            "import resource; from app.cli import main;"
            f"assert main(['run', {clip!r}, '--out', {str(tmp_path / 'o')!r}, '--quiet']) == 0;"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        env = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}  # as users have it
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True,
                              check=True)  # fmt: skip
        return int(done.stdout.split()[-1])

    if sys.platform == "win32":
        pytest.skip("no resource module")
    short, long = peak(60), peak(600)
    assert long <= 1.1 * short


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, getattr(signal, "SIGHUP", None)])
def test_other_signals_keep_what_was_done_too(tmp_path: Path, number: signal.Signals) -> None:
    out = tmp_path / "o"
    command = [sys.executable, "-m", "app", "run", "sim:vortex?frames=100000", "--out", str(out), "--no-overlay", "-q"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    rows_come(process, out)
    process.send_signal(number)
    said, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, errors
    assert "what was done is kept" in said
    assert (out / "tracks.csv").exists()


INTERRUPTED = """
import atexit, os, signal, sys
sys.path.insert(0, {root!r})
from app import cli
press = "import os, signal, time; os.kill(os.getpid(), signal.SIGINT); time.sleep(9)"
def parser(called=""):
    atexit.register(lambda: {at_exit} and exec(press))
    try:
        exec(press)  # as dataclasses execute what they have written
    finally:
        if {again}:
            exec(press)
cli.parser = parser
sys.exit(cli.program())
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(("again", "at_exit"), [(False, False), (True, False), (False, True)])
def test_ctrl_c_ends_with_the_same_code_whenever_and_however_often(tmp_path: Path, again: bool, at_exit: bool) -> None:
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED.format(root=str(ROOT), again=again, at_exit=at_exit))
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "fusetrack: stopped\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux")
@pytest.mark.parametrize("words", [["trackers"], ["run", "--help"], []])
def test_what_cannot_be_printed_is_said_once_and_who_reads_no_more_hears_nothing(words: list[str]) -> None:
    own = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    reader, writer = os.pipe()
    os.close(reader)
    with open("/dev/full", "w") as full, open(writer, "w") as pipe:
        for out, said in ((full, (2, "fusetrack: No space left on device\n")), (pipe, (1, ""))):
            ended = subprocess.run([sys.executable, "-m", "app", *words], cwd=ROOT, env=own, stdout=out,
                                   stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE)  # fmt: skip
            assert (ended.returncode, ended.stderr) == said


@pytest.mark.skipif(os.name != "posix", reason="a shell")
@pytest.mark.parametrize(("words", "closed"), [("trackers", ">&-"), ("simulate vortex?frames=2 {}", ">&- 2>&-")])
def test_a_process_without_a_place_to_print_to_ends_as_others_do(tmp_path: Path, words: str, closed: str) -> None:
    command = f"exec '{sys.executable}' -m app {words.format(tmp_path / 'clip.npy')} {closed}"
    ended = subprocess.run(command, shell=True, cwd=ROOT, stderr=subprocess.PIPE, check=False, timeout=PATIENCE)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert (tmp_path / "clip.npy").exists() is ("simulate" in words)
