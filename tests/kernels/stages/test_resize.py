import math
from fractions import Fraction

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.cpu import CpuExecutor
from kernels.executors.reference import ReferenceProgram, evaluate
from kernels.fusion.compose import compose
from kernels.ir.body import Part
from kernels.ir.expr import postorder
from kernels.ir.image import U8, ImageType
from kernels.ir.reach import Reach, kind, reach
from kernels.opencv import cv2
from kernels.plugins import registry
from kernels.stages import resize as resize_file
from kernels.stages.resize import resize
from tests.kernels.linearity import is_linear
from tests.kernels.stages.peers import ANYWHERE, SIZES, derived, picture
from tests.strategies import same

NEW = [(1, 1), (12, 17), (5, 9), (7, 30), (24, 34), (13, 2)]  # (height, width)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("new", NEW)
def test_linear_equals_opencv(size, new):
    image = picture(size, np.float32)
    got = evaluate(resize, image, width=new[1], height=new[0])
    want = cv2.resize(image, new[::-1], interpolation=cv2.INTER_LINEAR).reshape(new)
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-4)  # of 100; OpenCV's weights are f32 differences
    assert got.dtype == np.float32


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("new", NEW)
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32])
def test_nearest_equals_opencv_to_the_bit(size, new, dtype):
    image = picture(size, dtype)
    got = evaluate(resize, image, width=new[1], height=new[0], method="nearest")
    np.testing.assert_array_equal(got, cv2.resize(image, new[::-1], interpolation=cv2.INTER_NEAREST).reshape(new))
    assert got.dtype == dtype


@pytest.mark.parametrize("old", [1, 2, 3, 4, 6, 7, 9, 12, 13, 18, 24, 31, 47, 94])
def test_nearest_is_the_quotient_of_whole_numbers_for_all_sizes(old):
    """Never the neighbour that a rounded factor gives; OpenCV's rounded one is off only where the quotient is whole."""
    line = np.arange(old, dtype=np.float32)[None]
    for new in range(1, 150):
        want = [k * old // new for k in range(new)]
        assert nearest_columns(old, new) == want
        peer = cv2.resize(line, (new, 1), interpolation=cv2.INTER_NEAREST)[0].tolist()
        assert all(
            p == w or (p == w - 1 and k * old % new == 0) for k, (p, w) in enumerate(zip(peer, want, strict=True))
        )


def nearest_columns(old, new):
    """Which column of a line of `old` pixels each of `new` takes, without running it: the table of its gather."""
    body = resize.build([ImageType(U8, 1, old)], {"width": new, "height": 1, "method": "nearest"})
    (plane,) = body.outputs[0].planes
    return list(plane.src[2].arg)


@pytest.mark.parametrize("old", [1, 2, 3, 7, 47, 94, 101, 640, 1023])
def test_linear_neighbours_are_those_of_exact_positions(old):
    for new in (1, 2, 5, 49, 94, 98, 161, 1280, 4099):
        body = resize.build([ImageType(U8, 1, old)], {"width": new, "height": 1})
        tables = {n.arg for n in postorder(body.roots) if n.op == "table" and n.src[0].arg == "x"}
        at = [Fraction((2 * k + 1) * old, 2 * new) - Fraction(1, 2) for k in range(new)]
        first = [math.floor(p) for p in at]
        for side in (0, 1):
            assert tuple(min(max(k + side, 0), old - 1) for k in first) in tables
        assert tuple(float(np.float32(float(p - k))) for p, k in zip(at, first, strict=True)) in tables


@pytest.mark.parametrize("factors", [(1, 1), (2, 2), (3, 3), (4, 2), (1, 5)])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
def test_area_is_the_mean_of_the_block(factors, dtype):
    down, across = factors
    image = picture((3 * down, 5 * across), dtype)
    got = evaluate(resize, image, width=5, height=3, method="area")
    want = image.reshape(3, down, 5, across).mean(axis=(1, 3), dtype=np.float64)
    np.testing.assert_allclose(got, want, rtol=2e-7, atol=2e-5 if dtype == np.float32 else 0)
    peer = cv2.resize(image.astype(np.float32), (5, 3), interpolation=cv2.INTER_AREA)
    np.testing.assert_allclose(got, peer, rtol=1e-6, atol=2e-5)


def test_whole_numbers_are_interpolated_as_floats():
    image = picture((6, 7))
    got = evaluate(resize, image, width=10, height=10)
    np.testing.assert_array_equal(got, evaluate(resize, image.astype(np.float32), width=10, height=10))


FACTORS = [(2, 2), (3, 3), (2, 5), (4, 3), (7, 2)]


@pytest.mark.parametrize("factors", FACTORS)
@pytest.mark.parametrize("method", ["linear", "nearest"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32])
def test_whole_factors_have_the_bits_of_any_others(factors, method, dtype, monkeypatch):
    """Strides instead of tables, numbers that are none included."""
    image = picture((3 * factors[0], 5 * factors[1]), dtype)
    if dtype == np.float32:
        image[1::3, ::4], image[::2, 1::3] = np.nan, np.inf
    got = evaluate(resize, image, width=5, height=3, method=method)
    monkeypatch.setattr(resize_file, "_whole", lambda image, size: False)
    assert same(got, evaluate(resize, image, width=5, height=3, method=method))


@pytest.mark.parametrize("factors", FACTORS)
@pytest.mark.parametrize("method", ["linear", "nearest"])
def test_what_shrinks_by_whole_factors_is_fused_with_what_makes_it(factors, method):
    """In one body with a filter before it, on the cpu, by any number of threads: the reference's bits."""
    type_ = ImageType(U8, 6 * factors[0], 9 * factors[1])
    smooth = registry()["gaussian"].build([type_])
    made = smooth.outputs[0]
    small = resize.build([made.type], {"width": 9, "height": 6, "method": method})
    body = compose([Part("smooth", smooth, (0,)), Part("small", small, (("smooth", made.name),))],
                   [("small", small.outputs[0].name)])  # fmt: skip
    assert not any(node.op == "gather" for node in postorder(body.roots))
    assert reach(small.roots)[0].x0 > -math.inf
    frames = np.random.default_rng(5).integers(0, 256, (3, type_.height, type_.width)).astype(np.uint8)
    (wanted,) = ReferenceProgram(body).run([frames], {}).values()
    for threads in (1, 3):
        program = CpuExecutor(threads=threads).compile(body)
        assert program.back_end == "cpu"
        (found,) = program.run([frames], {}).values()
        assert same(np.asarray(found), np.asarray(wanted))


def test_one_side_keeps_the_shape():
    image = picture((12, 18))
    assert evaluate(resize, image, width=6).shape == (4, 6)
    assert evaluate(resize, image, height=24).shape == (24, 36)
    assert evaluate(resize, picture((1, 30)), width=3).shape == (1, 3)
    np.testing.assert_array_equal(evaluate(resize, image), image)


def test_what_is_refused():
    with pytest.raises(DefinitionError, match="area needs a whole factor, but 17x12 is no multiple of 5x4"):
        evaluate(resize, picture((12, 17)), width=5, height=4, method="area")


def test_properties():
    assert derived(resize, width=5) == ("resampling", ANYWHERE, True)
    assert derived(resize, width=5, method="nearest") == ("resampling", ANYWHERE, True)
    body = resize.build([ImageType(U8, 12, 18)], {"width": 6, "method": "area"})
    assert (kind(body), reach(body.roots)[0], is_linear(body)) == ("resampling", Reach(0, 2, 0, 2), True)
