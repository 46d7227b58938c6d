"""adaptive_threshold and otsu against OpenCV: 0 on u8."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.opencv import cv2
from kernels.stages.adaptive_threshold import adaptive_threshold
from kernels.stages.otsu import otsu, otsu_level

SIZES = [(1, 1), (1, 9), (9, 1), (2, 2), (5, 4), (17, 23), (33, 40)]
POLARITIES = [("bright", cv2.THRESH_BINARY, -1), ("dark", cv2.THRESH_BINARY_INV, 1)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("window", [3, 5, 11, 31])
@pytest.mark.parametrize(("polarity", "code", "sign"), POLARITIES)
def test_adaptive_equals_opencv(size, window, polarity, code, sign):
    frame = np.random.default_rng(10).integers(0, 256, size).astype(np.uint8)
    frame[: size[0] // 2] //= 8
    for offset in (-7, 0, 5):
        mask = evaluate(adaptive_threshold, frame, size=window, offset=float(offset), polarity=polarity)
        expected = cv2.adaptiveThreshold(frame, 1, cv2.ADAPTIVE_THRESH_MEAN_C, code, window, sign * offset)
        np.testing.assert_array_equal(mask, expected.reshape(size) > 0)


def test_adaptive_mean_of_large_windows_and_values():
    frame = np.random.default_rng(11).integers(60000, 65536, (12, 15)).astype(np.uint16)
    mask = evaluate(adaptive_threshold, frame, size=181, offset=0.0)
    far = np.pad(frame.astype(np.int64), 90, mode="edge")
    sums = np.lib.stride_tricks.sliding_window_view(far, (181, 181)).sum(axis=(2, 3))
    np.testing.assert_array_equal(mask, frame > np.rint(sums / 181**2))


def test_adaptive_of_floats_agrees_with_a_box_filter():
    frame = np.random.default_rng(12).random((19, 21), np.float32)
    mask = evaluate(adaptive_threshold, frame, size=7, offset=0.1)
    excess = frame - cv2.boxFilter(frame.astype(np.float64), -1, (7, 7), borderType=cv2.BORDER_REPLICATE)
    clear = abs(excess - 0.1) > 1e-6
    np.testing.assert_array_equal(mask[clear], excess[clear] > 0.1)


def test_adaptive_refuses_even_windows_and_masks():
    with pytest.raises(DefinitionError, match="odd"):
        evaluate(adaptive_threshold, np.zeros((3, 3), np.uint8), size=4)
    with pytest.raises(DefinitionError, match="mask"):
        evaluate(adaptive_threshold, np.zeros((3, 3), bool))


@pytest.mark.parametrize("size", SIZES[1:])
@pytest.mark.parametrize("seed", range(12))
def test_otsu_equals_opencv_on_bytes(size, seed):
    rng = np.random.default_rng(seed)
    dark, light = rng.normal(rng.uniform(20, 100), rng.uniform(1, 30), size), rng.normal(180, 20, size)
    frame = np.clip(np.where(rng.random(size) < rng.uniform(0.02, 0.9), dark, light), 0, 255).astype(np.uint8)
    frame[0, 0], frame[-1, -1] = 3, 250  # a frame of one value is another test
    level, mask = cv2.threshold(frame, 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    assert otsu_level(frame) == level
    np.testing.assert_array_equal(evaluate(otsu, frame), mask.reshape(size) > 0)
    np.testing.assert_array_equal(evaluate(otsu, frame, polarity="dark"), mask.reshape(size) == 0)


@pytest.mark.parametrize("dtype", [np.uint16, np.float32])
def test_otsu_separates_two_levels_of_any_scale(dtype):
    rng = np.random.default_rng(13)
    bright = rng.random((40, 40)) < 0.2
    frame = np.where(bright, rng.normal(30000, 900, (40, 40)), rng.normal(9000, 900, (40, 40))).astype(dtype)
    np.testing.assert_array_equal(evaluate(otsu, frame), bright)
    counts, edges = np.histogram(frame, 256)
    at = np.searchsorted(edges, otsu_level(frame))
    np.testing.assert_array_equal(evaluate(otsu, frame), np.digitize(frame, edges) > at)
    assert counts.sum() == frame.size


def test_otsu_of_flat_and_broken_frames():
    assert not evaluate(otsu, np.full((3, 4), 7, np.uint8)).any()
    assert not evaluate(otsu, np.full((3, 4), 7, np.float32)).any()
    assert not evaluate(otsu, np.full((3, 4), np.nan, np.float32)).any()
    frame = np.array([[np.nan, 0.0, 1.0, 1.0]], np.float32)
    np.testing.assert_array_equal(evaluate(otsu, frame), [[False, False, True, True]])
    with pytest.raises(DefinitionError, match="gray"):
        evaluate(otsu, np.zeros((3, 4, 3), np.uint8))
