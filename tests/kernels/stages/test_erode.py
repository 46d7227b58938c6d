import numpy as np
import pytest
from scipy import ndimage

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.ir.morphology import half_widths
from kernels.opencv import cv2
from kernels.stages.dilate import dilate
from kernels.stages.erode import erode
from tests.kernels.stages.peers import BORDERS, SCIPY, SIZES, beyond, derived, picture, square

SHAPES = {"rect": cv2.MORPH_RECT, "cross": cv2.MORPH_CROSS, "ellipse": cv2.MORPH_ELLIPSE}
BOTH = [(erode, cv2.erode), (dilate, cv2.dilate)]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_element_is_opencvs(shape):
    for size in range(1, 60, 2):
        rows = half_widths(size, shape)
        x, y = np.abs(np.mgrid[:size, :size] - size // 2)[::-1]
        np.testing.assert_array_equal(x <= np.array(rows)[y], cv2.getStructuringElement(SHAPES[shape], (size, size)))


@pytest.mark.parametrize(("stage", "peer"), BOTH)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int16, np.float32])
def test_by_default_it_equals_opencv(stage, peer, size, shape, dtype):
    image = picture(size, dtype)
    got = evaluate(stage, image, size=5, shape=shape)
    np.testing.assert_array_equal(got, peer(image, cv2.getStructuringElement(SHAPES[shape], (5, 5))))
    assert got.dtype == dtype


@pytest.mark.parametrize(("stage", "peer"), BOTH)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("border", BORDERS)
def test_borders(stage, peer, size, shape, border):
    image = picture(size)
    element = cv2.getStructuringElement(SHAPES[shape], (7, 7))
    got = evaluate(stage, image, size=7, shape=shape, border=border, border_value=100.0)
    np.testing.assert_array_equal(got, beyond(image, border, 3, lambda i: peer(i, element), 100.0))


@pytest.mark.parametrize("border", BORDERS)
def test_equals_scipy(border):
    image = picture((12, 17), np.float32)
    want = ndimage.grey_erosion(image, (3, 3), mode=SCIPY[border])
    np.testing.assert_array_equal(evaluate(erode, image, border=border), want)


def test_masks_stay_masks():
    mask = picture((9, 8), np.bool_)
    got = evaluate(erode, mask, shape="cross")
    np.testing.assert_array_equal(got, ndimage.binary_erosion(mask, border_value=1))
    np.testing.assert_array_equal(evaluate(dilate, mask, shape="cross"), ndimage.binary_dilation(mask))
    assert got.dtype == np.bool_


def test_an_even_size_is_refused():
    with pytest.raises(DefinitionError, match="dilate: size = 4 must be odd"):
        evaluate(dilate, picture((4, 4)), size=4)


def test_properties():
    for stage in (erode, dilate):
        assert derived(stage, size=5, shape="ellipse") == ("local", square(2), False)
        assert derived(stage, size=1)[1] == square(0)
