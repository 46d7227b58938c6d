"""CUDA text of every shipped stage on the emulator equals the reference, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.codegen.cuda import cuda
from kernels.fusion.compose import compose
from kernels.ir.body import Part
from kernels.ir.image import U8, ImageType
from kernels.plugins import registry
from tests.kernels.codegen.emulated import Launcher, assert_equal
from tests.kernels.test_conformance import STAGES, bodies_of, clip_of

TILES = ((8, 4), None, (16, 8))
THREADS = (32, 96, 64)  # an emulated kernel keeps its threads' stacks mapped, of which a process may have 65530


@pytest.mark.parametrize("name", STAGES)
def test_stages(name, emulator):
    """One of the stage's bodies over sizes, types and channels: another one for every stage."""
    compiled = [body for body in bodies_of(name) if body.host is None]
    if not compiled:
        pytest.skip("computed on the host")
    i = sorted(STAGES).index(name)
    body = compiled[(7 * i + len(compiled) // 2) % len(compiled)]
    assert_equal(cuda(body, tile=TILES[i % 3], threads=THREADS[i % 3]), Launcher(emulator, seed=i), clip_of(body, i))


@pytest.mark.parametrize("method", ["linear", "nearest"])
@pytest.mark.parametrize(("height", "width"), [(2, 5), (3, 3), (5, 4)])
def test_pictures_that_shrink_by_whole_factors(emulator, method, height, width):
    """By one a side, behind a filter."""
    type_ = ImageType(U8, 7 * height, 11 * width)
    smooth = registry()["gaussian"].build([type_])
    small = registry()["resize"].build([smooth.outputs[0].type], {"width": 11, "height": 7, "method": method})
    body = compose([Part("smooth", smooth, (0,)), Part("small", small, (("smooth", "out"),))], [("small", "out")])
    frames = np.random.default_rng(2).integers(0, 256, (2, type_.height, type_.width)).astype(np.uint8)
    assert_equal(cuda(body), Launcher(emulator), [frames], ((0, 1), (1, 2)))
