"""Holes that are filled on the device: the reference's masks, bit by bit."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kernels.codegen import cuda_components, nvrtc
from kernels.codegen.cuda import cuda
from kernels.executors.cuda_runner import CudaRunner
from kernels.executors.reference import ReferenceProgram
from kernels.ir.bits import Bits
from kernels.ir.body import Body
from kernels.ir.image import BOOL, U8, DType, ImageType
from kernels.stages.fill import fill
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.emulator.report import KernelFaultError
from tests.kernels.executors.simulated_device import SimulatedDevice

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)


def _body(height: int, width: int, dtype: DType = BOOL) -> Body:
    return fill.build([ImageType(dtype, height, width)], {})


def _rings(height: int, width: int) -> np.ndarray:
    """Outlines, one in another, some open or beyond the edge, and dust."""
    rng = np.random.default_rng(width)
    y, x = np.mgrid[0:height, 0:width]
    mask = rng.random((height, width)) < 0.05
    for _ in range(6):
        far = np.hypot(x - rng.uniform(0, width), y - rng.uniform(0, height))
        mask |= abs(far - rng.uniform(2, 12)) < 0.8
    return mask


def _agree(body: Body, clip: np.ndarray, seed: int, checked: bool = False, **params: Any) -> None:
    runner = CudaRunner(body, cuda(body), SimulatedDevice(seed, checked=checked))
    got, wanted = (program.run([clip], params)["out"] for program in (runner, ReferenceProgram(body)))
    np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))


@pytest.mark.parametrize(("height", "width"), [(23, 37), (40, 64), (1, 70), (9, 1)])
def test_masks_are_the_references(height: int, width: int) -> None:
    rng = np.random.default_rng(height)
    clip = np.stack([_rings(height, width), rng.random((height, width)) < 0.6, np.zeros((height, width), np.bool_),
                     np.ones((height, width), np.bool_)])  # fmt: skip
    for size in (0, 3, 24):
        _agree(_body(height, width), clip, size, checked=size == 3 and width < 40, size=size)


def test_bytes_come_in_and_words_go_out() -> None:
    body, mask = _body(20, 70, U8), _rings(20, 70) * np.uint8(7)
    body = replace(body, outputs=(replace(body.outputs[0], words=True),))
    (wanted,) = ReferenceProgram(_body(20, 70, U8)).run([mask[None]], {})["out"]
    made = CudaRunner(body, cuda(body), SimulatedDevice(2)).run([mask[None]], {})["out"]
    assert isinstance(made, Bits)
    np.testing.assert_array_equal(np.asarray(made)[0], wanted)


def test_parents_of_many_runs_lie_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_components, "RUNS", 60)
    clip = np.random.default_rng(0).random((3, 30, 70)) < np.array([0.05, 0.3, 0.6])[:, None, None]
    _agree(_body(30, 70), clip, 3, size=0)


def test_a_planted_fault_is_found() -> None:
    """Boxes are looked at before all runs have said theirs."""
    body = _body(40, 64)
    program = cuda(body)
    spoilt, times = re.subn(r"(atomicMax\(low \+ root, lines\[k\]\);\s*\}\s*)__syncthreads\(\);", r"\1", program.text)
    assert times == 1
    runner = CudaRunner(body, replace(program, text=spoilt), SimulatedDevice(0, checked=True))
    with pytest.raises(KernelFaultError):
        runner.run([_rings(40, 64)[None]], {})


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
