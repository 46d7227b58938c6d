import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.ir.reach import Reach
from kernels.stages.crop import crop
from tests.kernels.stages.peers import derived, picture


@pytest.mark.parametrize("roi", [(0, 0, 0, 0), (3, 2, 0, 0), (3, 2, 5, 4), (16, 11, 1, 1), (0, 5, 17, 2)])
@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.bool_])
def test_equals_slicing(roi, dtype):
    image = picture((12, 17), dtype)
    x, y, w, h = roi
    got = evaluate(crop, image, x=x, y=y, width=w, height=h)
    np.testing.assert_array_equal(got, image[y : y + h if h else None, x : x + w if w else None])
    assert got.dtype == dtype


def test_channels():
    image = np.stack([picture((6, 7), seed=s) for s in range(3)], axis=-1)
    np.testing.assert_array_equal(evaluate(crop, image, x=1, y=2), image[2:, 1:])


@pytest.mark.parametrize("roi", [{"x": 17}, {"y": 12}, {"x": 5, "width": 13}, {"height": 13}])
def test_a_rectangle_that_leaves_the_image_is_refused(roi):
    with pytest.raises(DefinitionError, match="is not inside the image, 17x12"):
        evaluate(crop, picture((12, 17)), **roi)


def test_properties():
    assert derived(crop, x=3, y=2) == ("resampling", Reach(3, 3, 2, 2), True)
    assert derived(crop) == ("point", Reach(), True)
