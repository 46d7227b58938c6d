"""The CUDA text of the shipped pipelines, on the emulator, equals the reference, with every access watched in some."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from kernels.codegen.cuda import cuda
from kernels.ir.image import U8, ImageType
from tests.emulator.report import KernelFaultError
from tests.kernels.codegen.cuda_driver import Driver
from tests.kernels.codegen.emulated import Launcher, assert_equal
from tests.kernels.codegen.shipped import NAMES, chain, units
from tests.kernels.test_conformance import clip_of


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("name", NAMES)
def test_shipped_pipelines(name, channels, emulator):
    for unit in units(name, ImageType(U8, 37, 76, channels)):
        assert_equal(cuda(unit.body, tile=(32, 8)), Launcher(emulator), clip_of(unit.body, 3))


@pytest.mark.parametrize("name", ["facial-markers", "corners"])
def test_no_access_is_wrong(name, emulator):
    """Nothing out of bounds, uninitialised, unwritten or raced for; barriers are met by all."""
    for unit in units(name, ImageType(U8, 21, 44)):
        assert_equal(cuda(unit.body, tile=(16, 8), threads=64), Launcher(emulator, checked=True), clip_of(unit.body, 3))


def test_the_seed_chain_moves_what_its_boxes_hold(emulator):
    """Bytes of global memory a pixel, counted sector by sector in each block, against those of the boxes with halo."""
    size, frames, (bx, by) = (128, 256), 8, (64, 16)
    (unit,) = chain("seed", ImageType(U8, *size, 4))
    launcher = Launcher(emulator, checked=True)
    driver = Driver(cuda(unit.body, tile=(bx, by)), launcher)
    clip = np.random.default_rng(0).integers(0, 256, (2 * frames, *size, 4)).astype(np.uint8)
    driver.run([clip[:frames]])
    driver.run([clip[frames:]])  # with the state of the first batch
    report = launcher.reports[-1][1]
    moved = 32 * sum(report.sectors_of_blocks.values()) / (frames * size[0] * size[1])
    halo = (bx + 6) * (by + 6) / (bx * by)  # 2 px for the binomial, 1 px for the gradient
    planned = 4 * halo + 1 + (4 * halo + 4) / frames
    assert planned * 0.9 <= moved <= planned * 1.1
    shared = report.traffic("shared", "load")
    assert shared.transactions <= 1.05 * shared.ideal  # hardly a bank conflict


@pytest.mark.parametrize("which", range(3))
def test_no_barrier_is_idle(which, emulator):
    """Without any of the barriers between two stages the checker finds a race."""
    (unit,) = chain("unsharp", ImageType(U8, 19, 40))
    program = cuda(unit.body, tile=(16, 8), threads=64)
    march = program.text.index("// the march")
    places = [m.start() for m in re.finditer(r"^        __syncthreads\(\);", program.text[march:], re.MULTILINE)]
    place = march + places[which % len(places)]
    broken = replace(program, text=program.text[:place] + program.text[place:].replace("__syncthreads();", "", 1))
    with pytest.raises(KernelFaultError, match=r"race in a block|uninitialised"):
        Driver(broken, Launcher(emulator, checked=True)).run(clip_of(unit.body, 1))
