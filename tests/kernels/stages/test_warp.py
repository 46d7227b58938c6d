"""A crop by a placement that changes from frame to frame: what it is, and that every back end has the same bits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from kernels.errors import DefinitionError
from kernels.executors.base import executor
from kernels.executors.reference import evaluate
from kernels.ir.image import F32, U8, U16, ImageType
from kernels.ir.placement import PLACEMENT
from kernels.stages.warp import warp
from tests.kernels.stages.peers import BORDERS, SCIPY, picture
from tests.pipelines.emulated import EmulatedExecutor

SIZE = 23, 31
RNG = np.random.default_rng(8)


def placed(*numbers: float) -> np.ndarray:
    return np.array([*numbers, 16, 12], np.float64).reshape(1, 1, 8)


def somewhere() -> np.ndarray:
    """A turned, scaled and shifted crop, often beyond the picture's edges."""
    angle, step = RNG.uniform(-3, 3), RNG.uniform(0.3, 3)
    c, s = step * np.cos(angle), step * np.sin(angle)
    return placed(c, -s, RNG.uniform(-10, 40), s, c, RNG.uniform(-10, 30))


@pytest.mark.parametrize("border", BORDERS)
def test_it_is_bilinear_sampling_where_the_placement_says(border):
    image = picture(SIZE, np.float32)
    for _ in range(6):
        where = somewhere()
        a, b, c, d, e, f = where.ravel()[:6]
        v, u = np.mgrid[0:12, 0:16]
        places = [d * u + e * v + f, a * u + b * v + c]
        if border == "constant":  # SciPy's does not interpolate towards the outside
            wide = np.pad(image, 80).astype(float)
            wanted = ndimage.map_coordinates(wide, [p + 80 for p in places], order=1)
        else:
            wanted = ndimage.map_coordinates(image.astype(float), places, order=1, mode=SCIPY[border])
        found = evaluate(warp, image, where, width=16, height=12, border=border)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=2e-4)


def test_whole_numbers_are_rounded_to_the_type_and_keep_their_bits():
    frame = RNG.integers(0, 4096, (*SIZE, 3), np.uint16)
    where = somewhere()
    found = evaluate(warp, frame, where, width=16, height=12)
    exact = evaluate(warp, frame.astype(np.float32), where, width=16, height=12)
    assert np.array_equal(found, np.rint(exact).astype(np.uint16))
    (output,) = warp.build([ImageType(U16, *SIZE, 3, bits=12), PLACEMENT]).outputs
    assert output.type == ImageType(U16, 128, 128, 3, bits=12)


def test_without_a_place_it_is_nothing():
    image = np.full(SIZE, 7, np.float32)
    assert not evaluate(warp, image, np.full((1, 1, 8), np.nan), width=4, border="replicate").any()
    assert evaluate(warp, image, placed(1, 0, 3, 0, 1, 3), width=4).all()


STRANGE = [np.full(8, np.nan), np.full(8, np.inf), np.full(8, -np.inf), np.full(8, 1e300), np.full(8, -1e9),
           np.array([1, 0, 2147483647.0, 0, 1, -2147483648.0, 1, 1]), np.array([0, 0, np.nan, 0, 0, 3, 1, 1]),
           np.array([1, 0, 0, 0, 1, np.inf, 1, 1]), np.array([1e-320, 0, 5e-324, 0, 1, -0.0, 1, 1])]  # fmt: skip


@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
@pytest.mark.parametrize("back_end", ["cpu", "cuda"])
def test_every_back_end_has_the_same_bits_wherever_it_looks(back_end, dtype, border):
    where = np.stack([one.reshape(1, 1, 8) for one in STRANGE] + [somewhere() for _ in range(5)])
    frames = RNG.integers(0, 256, (len(where), *SIZE, 3)).astype(dtype)
    body = warp.build([ImageType(U8 if dtype == np.uint8 else F32, *SIZE, 3), PLACEMENT],
                      {"width": 19, "height": 7, "border": border, "border_value": 5.0})  # fmt: skip
    wanted = executor("reference").compile(body).run([frames, where], {})["out"]
    program = (EmulatedExecutor() if back_end == "cuda" else executor("cpu")).compile(body)
    assert np.array_equal(program.run([frames, where], {})["out"], wanted)
    assert not getattr(program, "reason", "")
    if back_end == "cuda":
        assert type(program).__name__ == "CudaRunner"


def test_mistakes_are_named():
    with pytest.raises(DefinitionError, match="its placement is an image of one pixel with 8 channels of f64"):
        warp.build([ImageType(U8, 4, 4), ImageType(F32, 1, 1, 8)])
