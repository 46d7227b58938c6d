import numpy as np
import pytest
from scipy import ndimage

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.stages.nms import nms
from tests.kernels.stages.peers import SIZES, derived, picture, square


def is_peak(image):
    """Pixel by pixel: larger than each neighbour before, not smaller than each behind, in raster order."""
    height, width = image.shape
    found = np.zeros(image.shape, bool)
    for y in range(height):
        for x in range(width):
            near = [(v, u) for v in (y - 1, y, y + 1) for u in (x - 1, x, x + 1) if 0 <= v < height and 0 <= u < width]
            found[y, x] = all(
                image[y, x] > image[at] if at < (y, x) else image[y, x] >= image[at] for at in near if at != (y, x)
            )
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32])
def test_equals_its_definition(size, dtype):
    image = picture(size, dtype)
    got = evaluate(nms, image)
    np.testing.assert_array_equal(got, np.where(is_peak(image), image, 0))
    assert got.dtype == dtype


def test_without_ties_it_is_the_maximum_filter():
    random = np.random.default_rng(1)
    image = random.permutation(11 * 13).reshape(11, 13).astype(np.float32) + 1
    want = np.where(ndimage.maximum_filter(image, 3) == image, image, 0)
    np.testing.assert_array_equal(evaluate(nms, image), want)


def test_ties_go_to_the_first_in_raster_order():
    image = np.random.default_rng(2).integers(1, 4, (20, 30)).astype(np.uint8)
    got = evaluate(nms, image)
    np.testing.assert_array_equal(got, np.where(is_peak(image), image, 0))
    y, x = np.nonzero(got)
    near = np.maximum(np.abs(y[:, None] - y), np.abs(x[:, None] - x)) + 9 * np.eye(len(y))
    assert near.min() > 1  # no two survivors touch


def test_negative_peaks_stay():
    image = np.full((3, 4), -9.0, np.float32)
    image[0, 0] = -1.0
    assert evaluate(nms, image)[0, 0] == -1.0


def test_a_mask_is_refused():
    with pytest.raises(DefinitionError, match="nms: it takes gray values, not a mask"):
        evaluate(nms, np.ones((2, 2), bool))


def test_properties():
    assert derived(nms) == ("local", square(1), False)
