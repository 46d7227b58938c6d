import numpy as np
import pytest
from scipy import ndimage

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.opencv import cv2
from kernels.stages.dog import dog
from tests.kernels.stages.peers import BORDERS, SCIPY, SIZES, beyond, derived, picture, square


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("border", BORDERS)
def test_equals_the_difference_of_two_blurs(size, border):
    image = picture(size).astype(np.float32)

    def peer(i):
        return cv2.GaussianBlur(i, (9, 9), 1.0) - cv2.GaussianBlur(i, (17, 17), 2.0)

    got = evaluate(dog, image, sigma=1.0, ratio=2.0, border=border)
    np.testing.assert_allclose(got, beyond(image, border, 8, peer), rtol=0, atol=1e-4)  # of 255
    smooth = [ndimage.gaussian_filter(image.astype(float), s, mode=SCIPY[border]) for s in (1.0, 2.0)]
    np.testing.assert_allclose(got, smooth[0] - smooth[1], rtol=0, atol=1e-4)


def test_the_answer_to_a_disk_is_largest_at_its_radius_by_1_76():
    y, x = np.mgrid[-30:31, -30:31]
    disk = (np.hypot(x, y) <= 8).astype(np.float32)
    sigmas = np.arange(3.0, 6.5, 0.25)
    answers = [evaluate(dog, disk, sigma=float(s))[30, 30] for s in sigmas]
    assert abs(sigmas[int(np.argmax(answers))] - 8 / 1.76) <= 0.25


def test_a_blur_that_is_too_wide_is_refused():
    with pytest.raises(DefinitionError, match="dog: the wide blur's standard deviation is 80 px; at most 50 px"):
        evaluate(dog, picture((3, 3)), sigma=40.0, ratio=2.0)


def test_properties():
    assert derived(dog, sigma=1.0, ratio=1.5) == ("local", square(6), True)
