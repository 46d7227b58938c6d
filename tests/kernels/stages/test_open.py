import numpy as np
import pytest
from scipy import ndimage

from kernels.executors.reference import evaluate
from kernels.opencv import cv2
from kernels.plugins import find_stage
from kernels.stages.close_ import close_
from kernels.stages.open_ import open_
from tests.kernels.stages.peers import CV, SCIPY, SIZES, derived, picture, square

SHAPES = {"rect": cv2.MORPH_RECT, "cross": cv2.MORPH_CROSS, "ellipse": cv2.MORPH_ELLIPSE}
BOTH = [(open_, cv2.MORPH_OPEN), (close_, cv2.MORPH_CLOSE)]


def test_their_names_have_no_underscore():
    assert find_stage("open") is open_
    assert find_stage("close") is close_


@pytest.mark.parametrize(("stage", "operation"), BOTH)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_by_default_it_equals_opencv(stage, operation, size, shape, dtype):
    image = picture(size, dtype)
    want = cv2.morphologyEx(image, operation, cv2.getStructuringElement(SHAPES[shape], (5, 5)))
    np.testing.assert_array_equal(evaluate(stage, image, size=5, shape=shape), want)


@pytest.mark.parametrize(("stage", "operation"), BOTH)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("border", ["reflect101", "replicate", "constant"])
def test_borders_equal_opencvs(stage, operation, size, border):
    image = picture(size)
    want = cv2.morphologyEx(image, operation, np.ones((3, 3)), borderType=CV[border], borderValue=90)
    np.testing.assert_array_equal(evaluate(stage, image, border=border, border_value=90.0), want)


@pytest.mark.parametrize("border", SCIPY)
def test_equals_scipy(border):
    image = picture((12, 17), np.int16)
    for stage, peer in ((open_, ndimage.grey_opening), (close_, ndimage.grey_closing)):
        np.testing.assert_array_equal(evaluate(stage, image, border=border), peer(image, (3, 3), mode=SCIPY[border]))


def test_twice_is_once():
    image = picture((12, 17))
    for stage in (open_, close_):
        once = evaluate(stage, image, size=3)
        np.testing.assert_array_equal(evaluate(stage, once, size=3), once)


def test_properties():
    for stage in (open_, close_):
        assert derived(stage, size=3) == ("local", square(2), False)
