"""The CUDA text of the shipped pipelines, on the emulator, equals the reference, with every access watched in some."""

from __future__ import annotations

import re
from dataclasses import replace

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
