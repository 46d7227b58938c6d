"""Demosaicing against cv2.demosaicing (interior, 0) and a plain loop (borders, 0)."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.opencv import cv2
from kernels.stages.bayer import PATTERNS, bayer

CODES = {"rggb": cv2.COLOR_BayerBG2RGB, "bggr": cv2.COLOR_BayerRG2RGB, "grbg": cv2.COLOR_BayerGB2RGB,
         "gbrg": cv2.COLOR_BayerGR2RGB}  # fmt: skip


def by_loop(raw, pattern):
    """The nearest samples of each color, found by looking; mirrored at the borders without repeating them."""
    height, width = raw.shape
    color_of = lambda y, x: "rgb".index(pattern[(y % 2) * 2 + x % 2])  # noqa: E731
    far = np.pad(raw.astype(int), 1, mode="reflect")
    out = np.zeros((height, width, 3), raw.dtype)
    for y in range(height):
        for x in range(width):
            for c in range(3):
                if color_of(y, x) == c:
                    out[y, x, c] = raw[y, x]
                    continue
                around = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if color_of(y + dy, x + dx) == c]
                nearest = min(dy * dy + dx * dx for dy, dx in around)
                samples = [far[y + dy + 1, x + dx + 1] for dy, dx in around if dy * dy + dx * dx == nearest]
                out[y, x, c] = (sum(samples) + len(samples) // 2) // len(samples)
    return out


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("size", [(4, 4), (16, 34), (17, 23), (5, 8)])
def test_interior_equals_opencv(pattern, dtype, size):
    raw = np.random.default_rng(3).integers(0, np.iinfo(dtype).max + 1, size).astype(dtype)
    out = evaluate(bayer, raw, pattern=pattern)
    assert out.dtype == dtype
    np.testing.assert_array_equal(out[1:-1, 1:-1], cv2.demosaicing(raw, CODES[pattern])[1:-1, 1:-1])


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("size", [(2, 2), (2, 5), (5, 2), (7, 6)])
def test_all_pixels_equal_the_loop(pattern, size):
    raw = np.random.default_rng(4).integers(0, 256, size).astype(np.uint8)
    np.testing.assert_array_equal(evaluate(bayer, raw, pattern=pattern), by_loop(raw, pattern))


def test_refusals():
    with pytest.raises(DefinitionError, match="at least 2x2"):
        evaluate(bayer, np.zeros((1, 8), np.uint8))
    with pytest.raises(DefinitionError, match="u8 or u16"):
        evaluate(bayer, np.zeros((4, 8), np.float32))
