import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.opencv import cv2
from kernels.stages.local_contrast import local_contrast
from tests.kernels.stages.peers import BORDERS, SIZES, beyond, derived, picture, square


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("border", BORDERS)
def test_equals_its_formula_with_opencvs_means(size, border):
    image = picture(size)

    def peer(i):
        i = i.astype(np.float64)
        mean, square = cv2.blur(i, (5, 5)), cv2.sqrBoxFilter(i, cv2.CV_64F, (5, 5))
        return (i - mean) / (np.sqrt(np.maximum(square - mean**2, 0)) + 0.02 * 255)

    got = evaluate(local_contrast, image, size=5, floor=0.02, border=border)
    np.testing.assert_allclose(got, beyond(image, border, 2, peer), rtol=0, atol=2e-4)
    assert got.dtype == np.float32


def test_the_light_is_gone():
    """A lamp of a tenth changes little, one of a tenth of 16 bits next to nothing."""
    rng = np.random.default_rng(3)
    scene = 0.5 + 0.4 * rng.random((60, 70))
    bright, dim = (evaluate(local_contrast, np.rint(scene * light * 65535).astype(np.uint16), floor=1e-4)
                   for light in (1.0, 0.1))  # fmt: skip
    assert np.abs(bright - dim).max() < 0.02 * np.abs(bright).max()
    dark = evaluate(local_contrast, np.zeros((30, 30), np.uint8))
    np.testing.assert_array_equal(dark, np.zeros((30, 30), np.float32))


@pytest.mark.parametrize(("image", "error"), [
    (np.full((60, 60), 0.9, np.float32), 0.0), (np.full((60, 60), 65000, np.uint16), 0.0),
    (np.full((60, 60), 251, np.uint8), 0.0),
])  # fmt: skip
def test_even_ground_has_no_contrast(image, error):
    """Whatever the sums round to: the spread is far below what the floor stands for."""
    assert np.abs(evaluate(local_contrast, image, size=25)).max() == pytest.approx(error, abs=1e-2)


def test_full_scale_follows_the_bits():
    image = picture((20, 30), np.uint16) >> 4
    wide = evaluate(local_contrast, image, size=7, floor=0.016, bits=16)
    narrow = evaluate(local_contrast, image, size=7, floor=0.016 * 65535 / 4095, bits=12)
    np.testing.assert_allclose(wide, narrow, rtol=1e-5)


def test_an_even_size_is_refused():
    with pytest.raises(DefinitionError, match="size = 4 must be odd"):
        evaluate(local_contrast, picture((8, 9)), size=4)


def test_properties():
    assert derived(local_contrast, size=9) == ("local", square(4), False)
