"""Tables that CUDA text leaves, on the emulator, equal the reference's."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.codegen.cuda import cuda
from kernels.fusion.compose import compose
from kernels.ir.body import Part
from kernels.ir.image import BOOL, F32, U8, ImageType
from kernels.stages.gaussian import gaussian
from kernels.stages.moments import moments
from kernels.stages.peaks import peaks
from tests.kernels.codegen.emulated import Launcher, assert_equal
from tests.kernels.test_conformance import clip_of


@pytest.mark.parametrize("capacity", [1, 7, 100000])
def test_candidates_in_raster_order(capacity, emulator):
    body = peaks.build([ImageType(U8, 23, 131)], {"capacity": capacity, "threshold": 120.0})
    assert_equal(cuda(body), Launcher(emulator, checked=True), clip_of(body, 5))


@pytest.mark.parametrize("size", [(20, 37), (20, 36)])
@pytest.mark.parametrize("frame", [U8, F32, BOOL])
@pytest.mark.parametrize("regions", [{}, {"regions": "grid", "cell_width": 5, "cell_height": 9},
                                     {"regions": "grid", "cell_width": 16, "cell_height": 4}])  # fmt: skip
def test_reductions(regions, frame, size, emulator):
    body = moments.build([ImageType(frame, *size)], regions)
    assert_equal(cuda(body, tile=(16, 8)), Launcher(emulator), clip_of(body, 3))


def test_regions_overlap_leave_the_image_and_change(emulator):
    body = moments.build([ImageType(U8, 20, 37)], {"regions": "boxes", "capacity": 5})
    program, clip = cuda(body, tile=(16, 8)), clip_of(body, 3)
    launcher = Launcher(emulator)
    for boxes in ((), ((0.0, 0.0, 37.0, 20.0),), ((-5.0, -5.0, 9.0, 9.0), (30.4, 3.0, 90.0, 2.0), (3.0, 3.0, 0.0, 4.0),
                  (100.0, 1.0, 2.0, 2.0), (1.0, 18.0, 17.0, 9.0), (0.0, 0.0, 1.0, 1.0))):  # fmt: skip
        assert_equal(program, launcher, clip, params={"boxes": boxes})


def test_extrema_leave_nan_out(emulator):
    body = moments.build([ImageType(F32, 4, 9)], {})
    clip = np.full((1, 4, 9), np.nan, np.float32)
    assert_equal(cuda(body), Launcher(emulator), [clip, None], ((0, 1),))
    clip[0, 1, 3:6] = (-0.0, np.inf, -np.inf)
    assert_equal(cuda(body), Launcher(emulator), [clip, None], ((0, 1),))


BOXES = ((2.0, 3.0, 9.0, 30.0), (-4.0, 0.0, 50.0, 2.0))


@pytest.mark.parametrize(
    "regions", [{"regions": "grid", "cell_width": 7, "cell_height": 8}, {"regions": "boxes", "boxes": BOXES}]
)
def test_regions_beside_stages_with_a_halo(regions, emulator):
    """The sums run over a block's own pixels though its loop also makes the halo of a blur."""
    frame = ImageType(U8, 21, 38)
    parts = (
        Part("smooth", gaussian.build([frame], {"size": 5}), (0,)),
        Part("all", moments.build([frame], regions), (0, None)),
    )
    body = compose(parts, [("smooth", "out"), ("all", "out")])
    assert_equal(cuda(body, tile=(16, 8), threads=64), Launcher(emulator, checked=True), clip_of(body, 2))
