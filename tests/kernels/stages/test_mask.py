"""The mask by a polygon, against shapely's definition done by hand and OpenCV's test of a point."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.ir.reach import Reach
from kernels.opencv import cv2
from kernels.stages.mask import MOST_CORNERS, mask
from tests.kernels.stages.peers import derived, picture

HALF = st.integers(-8, 56).map(lambda v: v / 2 + 0.25)  # never on a pixel's centre


@given(st.lists(st.tuples(HALF, HALF), min_size=3, max_size=3), st.sampled_from(["inside", "outside"]))
def test_a_triangle_is_what_lies_on_one_side_of_all_its_edges(corners, keep):
    y, x = np.mgrid[:20, :24].astype(float)
    sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax)
             for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True)]  # fmt: skip
    near = np.minimum.reduce(np.abs(sides)) < 1e-3  # rounding decides there
    inside = np.logical_and.reduce([s > 0 for s in sides]) | np.logical_and.reduce([s < 0 for s in sides])
    got = evaluate(mask, np.full((20, 24), 9, np.uint8), points=tuple(corners), keep=keep) == 9
    np.testing.assert_array_equal(got[~near], (inside == (keep == "inside"))[~near])


def test_a_star_that_crosses_itself_and_a_polygon_that_is_not_convex():
    comb = ((2.3, 1.2), (20.6, 2.1), (19.2, 17.4), (14.1, 5.3), (10.7, 17.8), (7.2, 5.9), (3.4, 18.3))
    got = evaluate(mask, np.ones((20, 24), np.float32), points=comb)
    outline = np.array(comb, np.float32)
    wanted = [[cv2.pointPolygonTest(outline, (float(x), float(y)), False) > 0 for x in range(24)] for y in range(20)]
    np.testing.assert_array_equal(got > 0, wanted)
    star = ((10.2, 0.3), (16.4, 18.6), (0.7, 7.2), (19.6, 7.1), (4.1, 18.2))
    assert not evaluate(mask, np.ones((20, 24), np.uint8), points=star)[10, 10]  # even-odd: the middle is outside


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32, np.bool_])
def test_what_is_kept_keeps_its_value_and_the_parts_add_up(dtype):
    image = picture((12, 17), dtype)
    corners = ((3, 2), (14, 2), (14, 9), (3, 9))
    inside = evaluate(mask, image, points=corners)
    outside = evaluate(mask, image, points=corners, keep="outside")
    assert inside.dtype == outside.dtype == image.dtype
    np.testing.assert_array_equal(inside[2:9, 3:14], image[2:9, 3:14])  # left and upper edges belong to it
    np.testing.assert_array_equal(inside | outside if dtype == np.bool_ else inside + outside, image)
    assert not inside[:2].any()
    assert not inside[:, 14:].any()


def test_without_corners_everything_is_inside():
    image = picture((6, 7))
    np.testing.assert_array_equal(evaluate(mask, image), image)
    assert not evaluate(mask, image, keep="outside").any()


def test_too_few_and_too_many_corners_are_refused():
    image = picture((6, 7))
    for count in (1, 2, MOST_CORNERS + 1):
        with pytest.raises(DefinitionError, match=f"3 to {MOST_CORNERS} corners, not {count}"):
            evaluate(mask, image, points=((1.0, 2.0),) * count)


def test_properties():
    corners = ((3, 2), (14, 2), (9, 9))
    assert derived(mask, points=corners)[:2] == ("point", Reach())
