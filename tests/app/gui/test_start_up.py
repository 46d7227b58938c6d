"""The real entry point in a process of its own: under Xvfb, where OpenCV's plugins would end it; ended by a signal."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.commands.gui import check_there
from kernels.errors import SourceError
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[3]
pytestmark = [pytest.mark.skipif(os.name != "posix", reason="signals"), pytest.mark.starts]


@pytest.fixture
def screen() -> Iterator[str]:
    """A display of its own."""
    xvfb = shutil.which("Xvfb")
    if xvfb is None:
        pytest.skip("Xvfb is not installed")
    read, write = os.pipe()
    server = subprocess.Popen(
        [xvfb, "-displayfd", str(write), "-screen", "0", "1280x800x24", "-dpi", "96", "-nolisten", "tcp"],
        pass_fds=(write,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    if not number:
        server.wait()
        pytest.skip("Xvfb does not start here")
    yield f":{number}"
    server.terminate()
    server.wait()


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("QT_", "DISPLAY", "WAYLAND"))}
    (tmp_path / "run").mkdir(mode=0o700)
    return {**kept, "XDG_CONFIG_HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path / "run"), **more}


def start(env: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-m", "app", "gui", *arguments], cwd=ROOT, env=env, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip


def descendants(pid: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        except OSError:
            continue
        if int(fields["PPid"]) == pid:
            child = int(fields["Pid"])
            found += [child, *descendants(child)]
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(tmp_path: Path, program: subprocess.Popen[str], what: str) -> None:
    """Until the settings of the program hold a word: they are written when something happens."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert program.poll() is None, program.communicate()
        if any(what in path.read_text() for path in tmp_path.rglob("settings.json")):
            return
        time.sleep(0.1)
    program.kill()
    raise AssertionError(f"no {what}: {program.communicate()}")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_window_opens_on_a_screen_and_a_signal_closes_it(
    tmp_path: Path, screen: str, number: signal.Signals
) -> None:
    program = start(environment(tmp_path, DISPLAY=screen), str(ROOT / "sample_videos" / "vortex_600fps.avi"))
    wait_for(tmp_path, program, "recent")
    children = descendants(program.pid)
    time.sleep(0.5)
    program.send_signal(number)
    _, said = program.communicate(timeout=PATIENCE)
    assert program.returncode == 0, said
    assert "Traceback" not in said
    assert "Exception" not in said
    kept = "".join(path.read_text() for path in tmp_path.rglob("settings.json"))
    assert "layout" in kept
    assert children
    end = time.monotonic() + PATIENCE
    while any(alive(child) for child in children):
        assert time.monotonic() < end
        time.sleep(0.1)


def test_without_a_screen_it_says_so(tmp_path: Path) -> None:
    program = start(environment(tmp_path))
    _, said = program.communicate(timeout=PATIENCE)
    assert program.returncode == 2
    assert "DISPLAY" in said
    assert said.count("\n") == 1


def test_a_name_that_is_mistyped_is_said_where_it_was_typed(tmp_path: Path) -> None:
    (tmp_path / "ball_01.mp4").touch()
    (tmp_path / "notes.d").mkdir()
    (tmp_path / "notes.d" / "a.txt").touch()
    for name, words in (("ball_1.mp4", "did you mean ball_01.mp4?"), ("notes.d", "holds no images; it holds a.txt")):
        with pytest.raises(SourceError) as caught:
            check_there(str(tmp_path / name))
        assert words in str(caught.value)
    for fine in (str(tmp_path / "ball_01.mp4"), "cam:sim?fps=10", "sim:beam", str(tmp_path / "shot_*.png")):
        check_there(fine)
    program = start({**environment(tmp_path), "QT_QPA_PLATFORM": "offscreen"}, str(tmp_path / "ball_1.mp4"))
    _, said = program.communicate(timeout=PATIENCE)
    assert program.returncode == 2
    assert said.count("\n") == 1
    assert "did you mean ball_01.mp4?" in said
