import itertools

import numpy as np
import pytest
from scipy import ndimage

from kernels.executors.reference import evaluate
from kernels.opencv import cv2
from kernels.stages.median3 import EXCHANGES, median3
from tests.kernels.stages.peers import BORDERS, SCIPY, SIZES, derived, extended, picture, square


def test_the_network_finds_the_median_of_all_binary_patterns():
    # By the 0-1 principle this proves it for all values.
    for bits in itertools.product((0, 1), repeat=9):
        p = list(bits)
        for a, b in EXCHANGES:
            p[a], p[b] = min(p[a], p[b]), max(p[a], p[b])
        assert p[4] == sorted(bits)[4]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int16, np.float32])
def test_by_default_it_equals_opencv(size, dtype):
    image = picture(size, dtype)
    got = evaluate(median3, image)
    np.testing.assert_array_equal(got, cv2.medianBlur(image, 3))
    assert got.dtype == dtype


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("border", BORDERS)
def test_borders(size, border):
    image = picture(size)
    got = evaluate(median3, image, border=border)
    np.testing.assert_array_equal(got, ndimage.median_filter(extended(image, border, 1), 3)[1:-1, 1:-1])
    if size == (12, 17):
        np.testing.assert_array_equal(got, ndimage.median_filter(image, 3, mode=SCIPY[border]))


def test_of_a_mask_it_is_the_majority():
    mask = picture((12, 17), np.bool_)
    votes = ndimage.correlate(mask.astype(int), np.ones((3, 3), int), mode="nearest")
    np.testing.assert_array_equal(evaluate(median3, mask), votes > 4)


def test_properties():
    assert derived(median3) == ("local", square(1), False)
