"""How programs end that lose what they were started with: streams, readers, the terminal."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from app.ending import Heedless
from app.exports.tables import read_tracks
from app.sessions.proof import prove
from app.sessions.reader import open_session
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals, terminals, descriptors")
ROOT = Path(__file__).parents[2]
CAMERA = "cam:sim?scene=vortex&size=64x48&fps=100&ring=1000"
PROGRAM = [sys.executable, "-m", "app"]


def shell(text: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A line of sh with the program as "$@"."""
    return subprocess.run(["sh", "-c", text, "sh", *PROGRAM, *words], cwd=ROOT, capture_output=True, text=True,
                          check=False, timeout=PATIENCE)  # fmt: skip


@pytest.mark.parametrize("closed", ["<&-", "<&- >&-", "<&- >&- 2>&-"])
def test_a_camera_is_recorded_by_a_program_without_streams(closed: str, tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    words = ["record", CAMERA, "-o", str(path), "-p", "blobs", "--frames", "20", "--no-rehearsal"]
    done = shell(f'"$@" {closed}', *words)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    with open_session(path) as session:
        assert prove(session).complete
        assert len(session) == 20


def test_a_reader_of_the_status_that_goes_away_ends_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    words = ["record", CAMERA, "-o", str(path), "-p", "blobs", "--frames", "20", "--no-rehearsal"]
    done = shell('{ "$@" 2>&1 >/dev/null; echo $? >&3; } 3>&1 | true; sleep 0', *words)
    end = time.monotonic() + PATIENCE
    while not (done.stdout or _ended(path)):
        assert time.monotonic() < end
        time.sleep(0.1)
    with open_session(path) as session:
        assert len(session) == 20


@pytest.mark.parametrize(("words", "code"), [("", 3), ("sys.setprofile(lambda *_: None)", 3)])
def test_what_leaves_has_done_all_that_is_to_be_done_at_the_exit(words: str, code: int) -> None:
    text = f"""
import atexit, sys, threading, time
from app.ending import leave
atexit.register(print, "at the exit", end=" ")
threading.Thread(target=lambda: (time.sleep(0.2), print("thread", end=" "))).start()
{words}
leave({code})
"""
    done = subprocess.run([sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE,
                          check=False)  # fmt: skip
    assert done.returncode == code
    assert done.stdout.split() == ["thread", "at", "the", "exit"]


def test_words_that_are_lost_at_the_exit_are_told_by_the_code() -> None:
    text = "import sys; from app.ending import leave; sys.stdout.write('word'); leave(0)"
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-c", text], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False,
                              env={k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"})  # fmt: skip
    assert done.returncode == 120


def _ended(path: Path) -> bool:
    if not path.exists():
        return False
    with open_session(path) as session:
        return prove(session, checksums=False).complete and len(session) == 20


def hang_up(words: list[str], begun: Callable[[], bool]) -> int:
    """Run the program on a terminal that is closed once it has begun, as by a lost connection; the exit code."""
    import pty

    child, master = pty.fork()
    if child == 0:
        os.chdir(ROOT)
        os.execv(sys.executable, [*PROGRAM, *words])
    end = time.monotonic() + PATIENCE
    os.set_blocking(master, False)
    while not begun():
        assert time.monotonic() < end
        with suppress(OSError):
            os.read(master, 65536)  # else it waits for its words to be read
        time.sleep(0.05)
    os.close(master)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_run_whose_terminal_is_closed_keeps_what_was_done(tmp_path: Path) -> None:
    out = tmp_path / "o"
    clip = "sim:vortex?width=64&height=48&frames=1000000"
    code = hang_up(["run", clip, "--out", str(out)], lambda: any(f.stat().st_size > 9999 for f in out.glob("*.part.*")))
    assert code == 130
    assert len(read_tracks(out / "tracks.parquet"))
    assert {"summary.json", "overlay.mp4", "trajectories.png", "tracks.csv"} <= {file.name for file in out.iterdir()}


def test_a_recording_whose_terminal_is_closed_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    words = ["record", CAMERA, "-o", str(path), "-p", "blobs", "--no-rehearsal"]
    assert hang_up(words, lambda: path.exists() and path.stat().st_size > 99999) == 0
    with open_session(path) as session:
        assert prove(session).complete
        assert session.events()[-1]["reason"] == "closed"


def test_words_without_a_reader_or_room_are_dropped() -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    told = Heedless(writer, "w", closefd=False)
    assert all(told.write(b"x" * 65536) > 0 for _ in range(4))  # more than a pipe holds
    os.close(reader)
    assert told.write(b"x") == 1
    os.close(writer)
    assert told.write(b"x") == 1


def test_nohup_means_it() -> None:
    code = "from app.ending import ENDS, heard; print([number.name for number in ENDS if number not in heard()])"
    words = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", sys.executable, "-c", code]
    assert subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout == "['SIGHUP']\n"
