"""Labelling of few pixels against OpenCV; batches of `components` against single frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate_clip
from kernels.opencv import cv2
from kernels.plugins import find_stage
from kernels.regions import labels
from kernels.regions.labels import Canvas, components, foreground


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 4), st.integers(1, 20), st.integers(1, 20), st.floats(0, 1), st.sampled_from((4, 8)),
       st.integers(0, 999))  # fmt: skip
def test_labels_are_opencvs_in_raster_order(
    frames: int, height: int, width: int, share: float, connectivity: int, seed: int
) -> None:
    masks = np.random.default_rng(seed).random((frames, height, width)) < share
    pixels = foreground(masks)
    assert np.array_equal(pixels, np.flatnonzero(masks))
    found, count = components(pixels, (height, width), connectivity)
    expected, before = [np.zeros(0, np.int64)], 0
    for mask in masks:
        own = cv2.connectedComponents(mask.view(np.uint8), connectivity=connectivity)[1][mask]
        _, first, inverse = np.unique(own, return_index=True, return_inverse=True)
        expected.append(np.argsort(np.argsort(first))[inverse] + before)
        before += len(first)
    assert count == before
    assert np.array_equal(found, np.concatenate(expected))


def test_a_long_spiral_is_one() -> None:
    mask = np.zeros((101, 101), np.bool_)
    y = x = 50
    mask[y, x] = True
    for turn in range(1, 49):
        for dy, dx in ((0, 1), (1, 0)) if turn % 2 else ((0, -1), (-1, 0)):
            for _ in range(2 * turn if turn < 49 else 1):
                y, x = y + dy, x + dx
                if 0 <= y < 101 and 0 <= x < 101:
                    mask[y, x] = True
    assert components(foreground(mask), (101, 101), 4)[1] == 1
    assert mask.sum() > 2000


def table_of(inputs: list[np.ndarray], params: dict[str, Any]) -> list[tuple[bytes, int]]:
    return [(t.rows.tobytes(), t.overflow) for t in evaluate_clip(find_stage("components"), *inputs, **params)]


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.integers(1, 30), st.integers(1, 30), st.integers(0, 999), st.sampled_from((0.0, 2.5, 6.0)),
       st.sampled_from((0.0, 1.4)), st.integers(0, 4), st.sampled_from(("bright", "dark")),
       st.sampled_from(("slope", "ring", "level")), st.sampled_from((3, 4096)))  # fmt: skip
def test_a_batch_is_its_frames(
    frames: int, height: int, width: int, seed: int, split: float, sigma: float, grow: int, polarity: str, ground: str,
    capacity: int,
) -> None:  # fmt: skip
    random = np.random.default_rng(seed)
    images = np.stack([cv2.GaussianBlur(i, (0, 0), 1.5).reshape(height, width)
                       for i in random.integers(0, 255, (frames, height, width)).astype(np.uint8)])  # fmt: skip
    masks = images > np.quantile(images, random.choice([0.5, 0.9]))
    params: dict[str, Any] = {"split": split, "refine_sigma": sigma, "grow": grow, "polarity": polarity,
                                 "background": ground, "capacity": capacity}  # fmt: skip
    whole = table_of([masks, images], params)
    assert whole == [table_of([masks[i : i + 1], images[i : i + 1]], params)[0] for i in range(frames)]


def test_the_canvas_is_clean_after_use_and_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    masks = np.zeros((3, 20, 80), np.bool_)
    masks[:, 5:9, 5:75] = True  # too large for a tile
    images = masks.astype(np.uint8) * 200
    before = table_of([masks, images], {"split": 2.5})
    kept = labels.canvas(3, (20, 80))
    assert np.array_equal(kept.labels, Canvas(kept.frames, (20, 80)).labels)
    monkeypatch.setattr("kernels.components.blobs.weighed", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        table_of([masks, images], {})
    monkeypatch.undo()
    assert table_of([masks, images], {"split": 2.5}) == before


def test_a_batch_that_gives_too_few_frames_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.stages.components.measure", lambda *_: [])
    with pytest.raises(DefinitionError, match="came for 0 of 2 frames"):
        table_of([np.zeros((2, 4, 4), np.bool_), np.zeros((2, 4, 4), np.uint8)], {})
