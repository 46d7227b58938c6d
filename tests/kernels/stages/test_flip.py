import numpy as np
import pytest

from kernels.executors.reference import evaluate
from kernels.opencv import cv2
from kernels.stages.flip import flip
from tests.kernels.stages.peers import ANYWHERE, SIZES, derived, picture


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("direction", "code"), [("horizontal", 1), ("vertical", 0), ("both", -1)])
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_equals_opencv(size, direction, code, dtype):
    image = picture(size, dtype)
    got = evaluate(flip, image, direction=direction)
    np.testing.assert_array_equal(got, cv2.flip(image, code))
    assert got.dtype == dtype


def test_properties():
    assert derived(flip) == ("resampling", ANYWHERE, True)
