"""Runs of tests draw coarse figures, here and in the processes that tests start (`tests/coarse.py`)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import main
from kernels.opencv import cv2

ROOT = Path(__file__).parents[2]
WORDS = ["run", "sim:vortex?width=96&height=64&particles=2&frames=8", "--no-overlay", "--quiet", "--out"]


def width(folder: Path) -> int:
    return int(cv2.imread(str(folder / "trajectories.png")).shape[1])


@pytest.mark.skipif(sys.platform != "linux", reason="only there processes are forked from one")
def test_figures_are_coarse_here_and_in_processes(tmp_path: Path) -> None:
    assert main([*WORDS, str(tmp_path / "here")]) == 0
    subprocess.run([sys.executable, "-m", "app", *WORDS, str(tmp_path / "there")], cwd=ROOT, check=True,
                   capture_output=True)  # fmt: skip
    assert width(tmp_path / "here") == width(tmp_path / "there") == 575
    assert (tmp_path / "here/trajectories.png").read_bytes() == (tmp_path / "there/trajectories.png").read_bytes()
