"""The day script: its parts fit the time, and without a GPU it says so and fails nothing."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).with_name("day.sh")


def _ran(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", str(SCRIPT), *arguments], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})  # fmt: skip


def test_all_parts_fit_twelve_minutes_and_bits_come_early() -> None:
    listed = _ran("--list").stdout.splitlines()
    assert sum(int(line.split()[0]) for line in listed) <= 12 * 60
    assert next(line for line in listed if " gpu " in line).endswith("give the reference's")


def test_without_a_gpu_it_says_so_and_goes_on(tmp_path: Path) -> None:
    """With a Python that answers at once in place of the programs, and does not find the GPU."""
    python, report = tmp_path / "python", tmp_path / "report.txt"
    python.write_text('#!/bin/sh\ncase "$2" in *executor*) echo "DefinitionError: nothing there" >&2; exit 1;; esac\n'
                      'echo "asked: $*"\n')  # fmt: skip
    python.chmod(0o755)
    done = _ran(str(report), PYTHON=str(python))
    text = report.read_text()
    assert done.returncode == 0, text
    assert "no GPU: DefinitionError: nothing there" in text
    assert text.count("left out: it needs a GPU") == len(_ran("--list").stdout.splitlines()) - 2
    assert "asked: -m app doctor" in text
    assert "nothing failed" in text


def test_on_the_emulator_no_part_is_left_out(tmp_path: Path) -> None:
    """`FUSETRACK_GPU=emulated bash tests/gpu/day.sh` takes a minute and a half; here with a Python that answers."""
    python, report = tmp_path / "python", tmp_path / "report.txt"
    python.write_text('#!/bin/sh\necho "asked: $*"\n')
    python.chmod(0o755)
    done = _ran(str(report), PYTHON=str(python), FUSETRACK_GPU="emulated")
    text = report.read_text()
    assert done.returncode == 0, text
    assert "left out" not in text
    assert "asked: -m tests.gpu.emulated plan blobs --device cuda:0 --measure --size 64x64 --batch 2" in text
    assert "asked: tests/gpu/measure_day.py pace emulated" in text
    assert "asked: -m app" not in text


def test_a_part_that_fails_is_said_and_the_rest_goes_on(tmp_path: Path) -> None:
    python, report = tmp_path / "python", tmp_path / "report.txt"
    python.write_text('#!/bin/sh\ncase "$*" in *"pytest -q -x tests/gpu") exit 1;; esac\nexit 0\n')
    python.chmod(0o755)
    done = _ran(str(report), PYTHON=str(python))
    text = report.read_text()
    assert done.returncode == 1
    assert "code 1" in text
    assert "something failed" in text
    assert "== calibration" in text
