from __future__ import annotations

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.opencv import cv2
from kernels.stages.binomial import binomial

BORDERS = {"reflect101": cv2.BORDER_REFLECT_101, "replicate": cv2.BORDER_REPLICATE, "constant": cv2.BORDER_CONSTANT}


@pytest.mark.parametrize("size", [3, 5])
@pytest.mark.parametrize("border", sorted(BORDERS))
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (5, 1), (2, 3), (12, 17), (33, 40)])
def test_bytes_are_opencvs_to_the_bit(size: int, border: str, shape: tuple[int, int]) -> None:
    image = np.random.default_rng(1).integers(0, 256, shape, np.uint8)
    wanted = cv2.GaussianBlur(image, (size, size), 0, borderType=BORDERS[border])
    np.testing.assert_array_equal(evaluate(binomial, image, size=size, border=border), wanted)


def test_floats_and_words() -> None:
    image = np.random.default_rng(1).random((9, 11)).astype(np.float32)
    kernel = np.array([1, 4, 6, 4, 1]) / 16
    wanted = cv2.sepFilter2D(image, cv2.CV_32F, kernel, kernel)
    np.testing.assert_allclose(evaluate(binomial, image), wanted, atol=1e-6)
    words = np.random.default_rng(1).integers(0, 65536, (9, 11), np.uint16)
    exact = cv2.sepFilter2D(words.astype(np.float64), cv2.CV_64F, kernel, kernel)
    np.testing.assert_array_equal(evaluate(binomial, words), np.floor(exact + 0.5).astype(np.uint16))
    np.testing.assert_array_equal(evaluate(binomial, words[:, :, np.newaxis].repeat(2, 2))[..., 1],
                                  evaluate(binomial, words))  # fmt: skip


def test_refusals() -> None:
    with pytest.raises(DefinitionError, match="odd"):
        evaluate(binomial, np.zeros((3, 3), np.uint8), size=4)
    with pytest.raises(DefinitionError, match="whole numbers"):
        evaluate(binomial, np.zeros((3, 3), np.bool_))
