"""A recorder that hangs, dies, does not start or is left alone: said in a sentence, and nothing stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from app.sessions.proof import prove
from app.sessions.reader import open_session
from app.sessions.recorder import RecorderProcess
from app.sessions.recording import Recording
from app.sessions.shared import RecorderState
from kernels.errors import InputError
from tests.app.sessions.made import SMALL, held_up, pixels, preamble, until
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")


def test_a_recorder_that_hangs(tmp_path: Path) -> None:
    recording = Recording.start(tmp_path / "a.mcap", preamble())
    recording.put(pixels(SMALL, 0))
    with held_up(recording), pytest.raises(InputError, match=r"a\.mcap is still writing after 0 seconds"):
        recording.close(patience=0.2)
    assert recording.close().recorded == 1


def test_a_recorder_that_dies_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.sessions.recorder.MOST_RESTARTS", 1)
    recording = Recording.start(tmp_path / "a.mcap", preamble())
    for k in range(2):
        recording.put(pixels(SMALL, k))
        until(lambda expected=k: recording.account.recorded > expected, recording)
        os.kill(recording.process, signal.SIGKILL)
        until(lambda died=k: recording.account.restarts > died or recording.account.problem, recording)
    until(lambda: recording.account.state is RecorderState.FAILED, recording)
    assert not recording.put(pixels(SMALL, 2))
    with pytest.raises(InputError, match="died 2 times, at last with SIGKILL; what it wrote is kept"):
        recording.close()
    with open_session(tmp_path / "a.mcap") as session:
        assert session.rows["sequence"].tolist() == [0, 1]
        assert not prove(session).announced_known


@pytest.mark.parametrize("where", ["recorder.RecorderProcess.await_start", "writer.sync_folder"])
def test_ctrl_c_before_the_first_frame_leaves_no_file(
    tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is free again, and so is the memory: the recorder ends."""
    spawned: list[int] = []
    spawn = RecorderProcess._spawn

    def noted(recorder: RecorderProcess) -> Any:
        process = spawn(recorder)
        spawned.append(process.pid)
        return process

    def pressed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(RecorderProcess, "_spawn", noted)
    with monkeypatch.context() as context:
        context.setattr(f"app.sessions.{where}", pressed)
        with pytest.raises(KeyboardInterrupt):
            Recording.start(tmp_path / "a.mcap", preamble())
    assert list(tmp_path.iterdir()) == []
    end = time.monotonic() + PATIENCE
    while any(alive(number) for number in spawned) and time.monotonic() < end:
        time.sleep(0.02)
    assert not any(alive(number) for number in spawned)
    with Recording.start(tmp_path / "a.mcap", preamble()) as recording:
        assert recording.put(pixels(SMALL, 0))


@pytest.mark.parametrize(("code", "said"), [
    ("import os; os._exit(7)", "its process ended with exit code 7, 6 times"),
    ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "its process ended with SIGKILL, 6 times"),
])  # fmt: skip
def test_a_recorder_that_does_not_start(tmp_path: Path, code: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has not died on the way, and nothing of it is kept; the name is free again."""
    monkeypatch.setattr("app.sessions.recorder.code_of", lambda *_: code)
    with pytest.raises(InputError) as caught:
        Recording.start(tmp_path / "a.mcap", preamble())
    assert str(caught.value) == f"the recorder of {tmp_path / 'a.mcap'} does not start: {said}; nothing was recorded"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("frames", "trial"), [(0, False), (0, True), (3, True)])
def test_a_program_that_is_killed_before_there_is_anything_to_keep(tmp_path: Path, frames: int, trial: bool) -> None:
    """The recorder leaves nothing, of a trial not even its folder."""
    folder = tmp_path / "session"
    folder.mkdir()
    script = f"""
import sys, time
from pathlib import Path
from app.sessions.recording import Recording
from app.sessions.recording_options import RecordingOptions
from tests.app.sessions.made import SMALL, pixels, preamble
recording = Recording.start(Path({str(folder)!r}) / "a.mcap", preamble(), RecordingOptions(trial={trial}))
for k in range({frames}):
    recording.put(pixels(SMALL, k))
print("there", flush=True)
time.sleep(600)
"""
    root = Path(__file__).resolve().parents[3]
    with subprocess.Popen([sys.executable, "-c", script], cwd=root, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"there\n"
        assert (folder / "a.mcap").exists()
        program.kill()
    end, left = time.monotonic() + PATIENCE, [] if trial else [folder]
    while found(tmp_path) != left and time.monotonic() < end:
        time.sleep(0.02)
    assert found(tmp_path) == left


def found(folder: Path) -> list[Path] | None:
    """All that is in it; None where something vanished while it was listed."""
    try:
        return list(folder.rglob("*"))
    except FileNotFoundError:
        return None


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
