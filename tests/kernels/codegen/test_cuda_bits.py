"""Masks that leave a device as words of bits: the reference's, whatever the vector and the width, each byte written."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kernels.codegen.cuda import cuda
from kernels.executors.cuda_runner import CudaRunner
from kernels.executors.reference import evaluate_clip
from kernels.fusion.normal import Unsupported
from kernels.ir.bits import Bits
from kernels.ir.body import Body
from kernels.ir.image import U8, ImageType
from kernels.plugins import find_stage
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.kernels.executors.simulated_device import SimulatedDevice

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)


def _body(stage: str, height: int, width: int, **params: object) -> Body:
    body = find_stage(stage).build([ImageType(U8, height, width)], params)
    return replace(body, outputs=tuple(replace(output, words=True) for output in body.outputs))


CHECKED = (37, 129)
"""Widths of which every access is watched: a part of a word, and a pixel of the third."""


@pytest.mark.parametrize("vector", [4, 8, 16])
@pytest.mark.parametrize("width", [37, 64, 100, 129, 192])
def test_bits_are_the_references_mask(vector: int, width: int) -> None:
    body = _body("adaptive_threshold", 21, width)
    clip = np.random.default_rng(width).integers(0, 256, (3, 21, width), np.uint8)
    device = SimulatedDevice(1, checked=width in CHECKED)
    made = CudaRunner(body, cuda(body, vector=vector), device).run([clip], {})
    (name,) = made
    bits = made[name]
    assert isinstance(bits, Bits)
    wanted = evaluate_clip(find_stage("adaptive_threshold"), clip)
    assert np.array_equal(bits, wanted)
    assert np.array_equal(bits.words, Bits.of(wanted).words)  # nothing beyond the picture


def test_four_pixels_are_no_byte_where_two_warps_would_share_it() -> None:
    body = _body("adaptive_threshold", 21, 64)
    with pytest.raises(Unsupported, match="two warps"):
        cuda(body, tile=(36, 8), vector=4)
