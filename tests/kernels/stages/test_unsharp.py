import numpy as np
import pytest

from kernels.executors.reference import evaluate
from kernels.opencv import cv2
from kernels.stages.unsharp import unsharp
from tests.kernels.stages.peers import BORDERS, SIZES, beyond, derived, picture, square


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("border", BORDERS)
def test_equals_its_formula_with_opencvs_blur(size, border):
    image = picture(size)

    def peer(i):
        return 2.5 * i - 1.5 * cv2.GaussianBlur(i.astype(np.float32), (9, 9), 1.0)

    got = evaluate(unsharp, image, sigma=1.0, amount=1.5, border=border)
    np.testing.assert_allclose(got, beyond(image, border, 4, peer), rtol=0, atol=3e-4)  # of 255
    assert got.dtype == np.float32


def test_amount_zero_changes_nothing():
    image = picture((8, 9), np.uint16)
    np.testing.assert_array_equal(evaluate(unsharp, image, amount=0.0), image.astype(np.float32))


def test_properties():
    assert derived(unsharp, sigma=0.5) == ("local", square(2), True)
