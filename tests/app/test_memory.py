"""Too little memory is one sentence, whoever runs out of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from app.batch.job import Control, Order, work
from app.cli import main
from kernels.errors import InputError, is_memory
from kernels.opencv import cv2
from tests.patience import PATIENCE

HOME = Path(__file__).resolve().parents[2]


def run_out(*_given: Any, **_options: Any) -> NoReturn:
    """OpenCV's own error."""
    cv2.resize(np.zeros((9, 9), np.uint8), (1 << 20, 1 << 20))
    raise AssertionError("this machine has a terabyte of memory")


@pytest.fixture
def clip(tmp_path: Path) -> str:
    np.save(tmp_path / "clip.npy", np.zeros((5, 24, 32), np.uint8))
    return str(tmp_path / "clip.npy")


def test_every_library_s_word_for_it_is_known() -> None:
    assert is_memory(MemoryError())
    assert is_memory(OSError(12, "Cannot allocate memory"))
    assert is_memory(RuntimeError("can't start new thread"))
    assert is_memory(ImportError("libavcodec.so.62: failed to map segment from shared object"))
    with pytest.raises(cv2.error) as raised:
        run_out()
    assert is_memory(raised.value)
    wrapped = InputError("a sentence")
    wrapped.__cause__ = MemoryError()
    assert is_memory(wrapped)
    assert not is_memory(ValueError("a defect"))
    assert not is_memory(ImportError("No module named 'x'"))


@pytest.mark.parametrize("place", ["exports.trajectories.png", "exports.overlay.TrailPainter", "exports.overlay.show"])
def test_pictures_that_find_no_memory_are_one_sentence(
    place: str, clip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(f"app.{place}", run_out)
    assert main(["run", clip, "--fps", "100", "-q", "--out", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err == "fusetrack: there is not enough memory; take a part of the picture (--roi)\n"
    assert not [*(tmp_path / "out").glob("*.png" if "trajectories" in place else "*.mp4")]


def test_frames_as_png_that_find_no_memory_leave_nothing(
    clip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("app.exports.formats.png.encoded", run_out)
    (tmp_path / "out").mkdir()
    assert main(["export", clip, "--to", "png", "-o", str(tmp_path / "out/pictures")]) == 1
    assert "there is not enough memory" in capsys.readouterr().err
    assert not [*(tmp_path / "out").iterdir()]


def test_a_clip_of_a_batch_that_finds_no_memory_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.batch.job._work", run_out)
    row = work(Order("k", "c", "c", "f", "p", "l", {}, "h", "v"), lambda _: None, Control())
    reason = "there was not enough memory; take fewer --jobs or a part of the picture (--roi)"
    assert row == {"status": "failed", "again": True, "reason": reason}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of addresses are Linux's")
@pytest.mark.parametrize("mib", [60, 500, 910, 1300])
def test_a_small_limit_of_addresses_is_one_sentence_or_enough(mib: int, clip: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "app", "run", clip, "--fps", "100", "-q", "--out", str(tmp_path / "out")]
    done = subprocess.run(
        ["sh", "-c", f'ulimit -c 0; ulimit -v {mib << 10}; exec "$@"', "sh", *words], cwd=HOME, text=True,
        capture_output=True, timeout=PATIENCE, env={**os.environ, "PYTHONPATH": str(HOME)}, check=False,
    )  # fmt: skip
    if done.returncode == 0:
        assert mib > 1000
        return
    assert done.returncode == (2 if mib < 900 else done.returncode)
    assert done.returncode in (1, 2)
    assert done.stderr.startswith("fusetrack: there is not enough memory")
    assert done.stderr.count("\n") == 1
