import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.ir.image import F32, I64, U8, ImageType
from kernels.ir.reach import Reach
from kernels.opencv import cv2
from kernels.stages.moments import POWERS, moments
from tests.kernels.stages.peers import SIZES, derived, picture

CORNER, SIDE = st.integers(-9, 20), st.integers(0, 30)
GRID = {"regions": "grid", "cell_width": 5, "cell_height": 4}


def exact(image, x0=0, y0=0, inside=None):
    """Moments of a region at (x0, y0), in Python's whole numbers of any size."""
    inside = np.ones(image.shape, bool) if inside is None else inside
    y, x = np.nonzero(inside)
    values = [int(v) for v in image[y, x]]
    row = {"count": len(values)}
    for name, (p, q) in POWERS.items():
        row[name] = sum((int(a) + x0) ** p * (int(b) + y0) ** q * v for a, b, v in zip(x, y, values, strict=True))
    return row


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.uint16, np.int16, np.int32])
def test_the_whole_image(size, dtype):
    image = picture(size, dtype)
    (row,) = evaluate(moments, image).rows
    for name, value in exact(image).items():
        assert row[name] == value
    assert row["min"] == image.min()
    assert row["max"] == image.max()


def test_a_grid_with_partial_cells_and_a_mask():
    image, mask = picture((11, 17)), picture((11, 17), np.uint8, 1) > 100
    rows = evaluate(moments, image, mask, **GRID).rows
    assert len(rows) == 3 * 4
    for i, row in enumerate(rows):
        y0, x0 = i // 4 * 4, i % 4 * 5
        cell = np.s_[y0 : y0 + 4, x0 : x0 + 5]
        for name, value in exact(image[cell], x0, y0, mask[cell]).items():
            assert row[name] == value
        assert row["min"] == image[cell][mask[cell]].min()
        assert row["max"] == image[cell][mask[cell]].max()


def test_equals_cv2_moments():
    image = picture((12, 17))
    (row,) = evaluate(moments, image).rows
    want = cv2.moments(image)
    for name in POWERS:
        assert row[name] == want[name]
    assert row["m10"] / row["m00"] == pytest.approx(want["m10"] / want["m00"], rel=1e-15)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-9, 20), st.integers(-9, 16), st.integers(0, 30), st.integers(0, 30)), max_size=5)
)
def test_boxes_are_clipped_to_the_image(boxes):
    image = picture((12, 17), np.int16)
    table = evaluate(moments, image, regions="boxes", boxes=tuple(boxes), capacity=4)
    assert len(table.rows) == min(len(boxes), 4)
    assert table.overflow == max(0, len(boxes) - 4)
    for row, (x, y, w, h) in zip(table.rows, boxes, strict=False):
        inside = np.zeros(image.shape, bool)
        inside[max(0, y) : max(0, y + h), max(0, x) : max(0, x + w)] = True
        for name, value in exact(image, 0, 0, inside).items():
            assert row[name] == value
        assert row["min"] == (image[inside].min() if inside.any() else 32767)
        assert row["max"] == (image[inside].max() if inside.any() else -32768)


def test_floats_are_summed_in_fixed_point():
    image = picture((12, 17), np.float32)
    (row,) = evaluate(moments, image, fraction_bits=10).rows
    whole = np.rint(image.astype(np.float64) * 1024).astype(np.int64)
    for name, value in exact(whole).items():
        assert row[name] == value
    assert row["min"] == image.min()
    assert abs(row["m00"] / 1024 - image.sum(dtype=np.float64)) <= image.size / 2048


def test_an_empty_mask_leaves_the_types_ends():
    image = picture((3, 4), np.float32)
    (row,) = evaluate(moments, image, np.zeros((3, 4), np.uint8)).rows
    assert row["count"] == row["m20"] == 0
    assert row["min"] == np.finfo(np.float32).max
    assert row["max"] == np.finfo(np.float32).min


def test_large_coordinates_do_not_overflow():
    image = np.full((1, 40000), 65535, np.uint16)
    (row,) = evaluate(moments, image).rows
    assert row["m20"] == 65535 * sum(x * x for x in range(40000))


def test_what_is_refused():
    with pytest.raises(DefinitionError, match="moments: it takes pixels of at most 32 bits"):
        evaluate(moments, np.zeros((2, 2)))
    with pytest.raises(DefinitionError, match="must have one size"):
        evaluate(moments, np.zeros((2, 2), np.uint8), np.zeros((2, 3), np.uint8))
    with pytest.raises(DefinitionError, match="boxes must have 4 members, not 3"):
        evaluate(moments, np.zeros((2, 2), np.uint8), regions="boxes", boxes=((1, 2, 3),))


def test_properties():
    assert derived(moments) == ("reduction", Reach(), False)
    (out,) = moments.build([ImageType(U8, 11, 17)], GRID).outputs
    assert out.type.capacity == 12
    assert dict(out.type.columns)["m11"] == I64
    assert dict(out.type.columns)["max"] == U8
    (out,) = moments.build([ImageType(F32, 11, 17)]).outputs
    assert dict(out.type.columns)["min"] == F32
