"""The CUDA text of the shipped pipelines, on the emulator, equals the reference, with every access watched in some."""

from __future__ import annotations

import pytest

from kernels.codegen.cuda import cuda
from kernels.ir.image import U8, ImageType
from tests.kernels.codegen.emulated import Launcher, assert_equal
from tests.kernels.codegen.shipped import NAMES, units
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
