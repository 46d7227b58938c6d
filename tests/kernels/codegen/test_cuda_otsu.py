"""Otsu's threshold on the device: the reference's masks, bit by bit; and the level's loop against NumPy."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from kernels.codegen.cuda import cuda
from kernels.executors.cuda_runner import CudaRunner
from kernels.executors.reference import ReferenceProgram
from kernels.ir.body import Body
from kernels.ir.image import U8, U16, ImageType
from kernels.loops.calling import call
from kernels.regions.otsu_loops import TINY, otsu_bin
from kernels.stages.otsu import otsu
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.emulator.report import KernelFaultError
from tests.kernels.executors.simulated_device import SimulatedDevice

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

HEIGHT, WIDTH = 13, 37


def _body(polarity: str = "bright") -> Body:
    return otsu.build([ImageType(U8, HEIGHT, WIDTH)], {"polarity": polarity})


def _clip() -> np.ndarray:
    rng = np.random.default_rng(1)
    noise = rng.integers(0, 256, (HEIGHT, WIDTH))
    spots = np.where(rng.random((HEIGHT, WIDTH)) < 0.1, 200, 30) + rng.integers(0, 9, (HEIGHT, WIDTH))
    return np.stack([noise, spots, np.zeros_like(noise), np.full_like(noise, 255), noise % 2 * 7]).astype(np.uint8)


@pytest.mark.parametrize("polarity", ["bright", "dark"])
def test_masks_are_the_references(polarity: str) -> None:
    body = _body(polarity)
    runner = CudaRunner(body, cuda(body), SimulatedDevice(1, checked=polarity == "bright"))
    got, wanted = (program.run([_clip()], {})["out"] for program in (runner, ReferenceProgram(body)))
    np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))


def test_a_planted_fault_is_found() -> None:
    """The level is looked for before all have counted."""
    body = _body()
    program = cuda(body)
    spoilt, times = re.subn(r"(atomicAdd\(found \+ from\[n\], 1u\);\s*)__syncthreads\(\);", r"\1", program.text)
    assert times == 1
    with pytest.raises(KernelFaultError):
        CudaRunner(body, replace(program, text=spoilt), SimulatedDevice(1, checked=True)).run([_clip()], {})


def test_other_pixels_stay_with_the_host() -> None:
    body = otsu.build([ImageType(U16, HEIGHT, WIDTH)], {"polarity": "bright"})
    assert body.host is not None
    assert body.host.decoder is None


def test_the_level_is_that_of_numpy() -> None:
    rng = np.random.default_rng(3)
    for k in range(200):
        counts = rng.integers(0, 50, 256) * (rng.random(256) < (k + 1) / 200) * (rng.random(256) < 0.5)
        counts[rng.integers(0, 256, 2)] += rng.integers(1, 1 << 20)
        share = counts / counts.sum()
        weight, moment = np.cumsum(share), np.cumsum(share * np.arange(256))
        with np.errstate(divide="ignore", invalid="ignore"):
            between = (moment[-1] * weight - moment) ** 2 / (weight * (1.0 - weight))
        between[np.minimum(weight, 1.0 - weight) < TINY] = 0.0
        wanted = int(np.argmax(between)) if np.count_nonzero(counts) > 1 else int(np.argmax(counts))
        assert call(otsu_bin, counts, 256, np.empty(512)) == wanted
