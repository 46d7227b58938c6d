"""Components of masks as tables that are made on the device: the reference's rows, bit by bit."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kernels.codegen import cuda_components, cuda_decoders, nvrtc
from kernels.codegen.cuda import cuda
from kernels.executors.cuda_runner import CudaRunner
from kernels.executors.reference import ReferenceProgram
from kernels.ir.body import Body
from kernels.ir.image import BOOL, U8, DType, ImageType
from kernels.stages.components import components
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.kernels.executors.simulated_device import SimulatedDevice

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)


def _body(height: int, width: int, dtype: DType = BOOL, **params: Any) -> Body:
    return components.build([ImageType(dtype, height, width), None], params)


def _spiral(side: int) -> np.ndarray:
    """One line that winds to the middle: as many runs as rows, joined late."""
    mask = np.zeros((side, side), np.bool_)
    top, left, bottom, right = 0, 0, side - 1, side - 1
    while top <= bottom and left <= right:
        mask[top, left : right + 1] = mask[top : bottom + 1, right] = True
        mask[bottom, left : right + 1] = True
        mask[top + 2 : bottom + 1, left] = True
        mask[top + 2, left : left + 2] = True
        top, left, bottom, right = top + 2, left + 2, bottom - 2, right - 2
    return mask


def _agree(body: Body, clip: np.ndarray, seed: int, checked: bool = False, **params: Any) -> CudaRunner:
    runner = CudaRunner(body, cuda(body), SimulatedDevice(seed, checked=checked))
    got, wanted = (program.run([clip, None], params)["out"] for program in (runner, ReferenceProgram(body)))
    assert len(got) == len(wanted) == len(clip)
    for mine, theirs in zip(got, wanted, strict=True):
        assert mine.overflow == theirs.overflow
        assert mine.rows.tobytes() == theirs.rows.tobytes()
    return runner


@pytest.mark.parametrize("connectivity", ["4", "8"])
@pytest.mark.parametrize(("height", "width"), [(23, 37), (40, 64), (17, 132), (9, 300), (1, 70)])
def test_rows_are_the_references(height: int, width: int, connectivity: str) -> None:
    rng = np.random.default_rng(width)
    clip = np.stack([rng.random((height, width)) < density for density in (0.0, 0.05, 0.4, 0.6, 0.9, 1.0)])
    body = _body(height, width, connectivity=connectivity, capacity=150)
    _agree(body, clip, 1, checked=width < 70)
    _agree(body, clip, 2, min_area=3, max_area=20)
    _agree(body, clip, 3, max_share=0.02)


def test_bytes_other_than_one_are_inside() -> None:
    clip = np.random.default_rng(3).choice(np.array([0, 0, 1, 2, 16, 128, 255], np.uint8), (2, 20, 68))
    _agree(_body(20, 68, U8), clip, 4)


def test_rows_past_the_capacity_are_counted() -> None:
    clip = np.zeros((2, 30, 80), np.bool_)
    clip[:, ::2, ::2] = True
    body = _body(30, 80, capacity=500, connectivity="4")
    (table, _) = ReferenceProgram(body).run([clip, None], {})["out"]
    assert (len(table.rows), table.overflow) == (500, 100)
    _agree(body, clip, 5)


@pytest.mark.parametrize("seed", range(8))
def test_long_lines_are_joined_whoever_comes_first(seed: int) -> None:
    comb = np.zeros((48, 48), np.bool_)
    comb[:, ::2] = True
    comb[-1] = True
    clip = np.stack([_spiral(48), comb, comb[::-1], _spiral(48).T])
    _agree(_body(48, 48), clip, seed)


def test_frames_of_too_many_runs_are_the_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (cuda_components, cuda_decoders):
        monkeypatch.setattr(module, "RUNS", 40)
    rng = np.random.default_rng(6)
    clip = np.stack([rng.random((20, 70)) < density for density in (0.01, 0.3, 0.02, 0.5)])
    runner = _agree(_body(20, 70, capacity=99), clip, 6, checked=True)
    assert runner.sent_back == 2


FAULTS = {
    "lost union": (r"if \(was == b\) return;", "return;"),
    "missing barrier": (r"(unite\(parent, k, low\);\s*\}\s*)__syncthreads\(\);", r"\1"),
}


@pytest.mark.parametrize(("planted", "instead"), FAULTS.values(), ids=FAULTS)
def test_planted_faults_are_found(planted: str, instead: str) -> None:
    """A union that does not try again; sums of roots before all are joined."""
    clip = np.stack([_spiral(48), np.random.default_rng(7).random((48, 48)) < 0.5])
    body = _body(48, 48)
    program = cuda(body)
    spoilt, times = re.subn(planted, instead, program.text)
    assert times == 1
    wanted = [table.rows.tobytes() for table in ReferenceProgram(body).run([clip, None], {})["out"]]

    def right(text: str, seed: int) -> bool:
        runner = CudaRunner(body, replace(program, text=text), SimulatedDevice(seed))
        return [table.rows.tobytes() for table in runner.run([clip, None], {})["out"]] == wanted

    assert all(right(program.text, seed) for seed in range(3))
    assert not all(right(spoilt, seed) for seed in range(100))


@pytest.mark.parametrize("architecture", nvrtc.ARCHITECTURES)
def test_text_compiles_without_spills(architecture: str) -> None:
    if not nvrtc.available():
        pytest.skip("NVRTC is not installed (wheel nvidia-cuda-nvrtc)")
    program = cuda(_body(1024, 1024))
    (used,) = nvrtc.compile_text(program.text, architecture).usage.values()
    assert not used.spills
    assert not used.stack
    (kernel,) = program.kernels
    assert used.shared + kernel.shared <= 64 * 1024  # what a Turing block may have
