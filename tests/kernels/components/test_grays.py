"""The least and the largest gray value of regions, whichever way they are measured, against labels of SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import ndimage

from kernels.executors.reference import evaluate
from kernels.stages.components import components
from tests.centres import gaussian_centres

Array = npt.NDArray[Any]
EIGHT = np.ones((3, 3), int)


def scene(seed: int, dtype: npt.DTypeLike) -> tuple[Array, Array]:
    """A mask with spots, discs and one thing too large for a tile, and a picture with noise."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:140, :300]
    light = np.full(y.shape, 40.0)
    for cx, cy, wide, high in rng.uniform((5, 5, 1.0, 60), (295, 75, 5.0, 180), (30, 4)):
        light += high * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * wide * wide))
    light[90:130, 10:280] += 90
    light = np.clip(light + rng.normal(0, 4, y.shape), 0, 250)
    mask = light > 85
    return mask, (light if np.dtype(dtype).kind == "f" else np.rint(light)).astype(dtype)


def expected(mask: Array, image: Array) -> tuple[Array, Array]:
    labels, count = ndimage.label(mask, EIGHT)
    numbers = np.arange(1, count + 1)
    flat = labels.ravel()
    order = numbers[np.argsort([np.flatnonzero(flat == number)[0] for number in numbers], kind="stable")]
    return ndimage.minimum(image, labels, order), ndimage.maximum(image, labels, order)


@pytest.mark.parametrize("dtype", ["u1", "u2", "f4", "f8", "i4"])
@pytest.mark.parametrize(
    "how",
    [{}, {"refine_sigma": 1.5}, {"refine_sigma": 1.5, "polarity": "dark"}, {"polarity": "dark", "background": "level"},
     {"centre": "ellipse"}, {"grow": 0, "background": "ring", "refine_sigma": 4.0, "refine": "radial"}],
)  # fmt: skip
def test_they_are_those_of_the_masks_pixels(dtype: str, how: dict[str, Any]) -> None:
    mask, image = scene(len(how), dtype)
    image = 250 - image if how.get("polarity") == "dark" else image
    rows = evaluate(components, mask, image, **how).rows
    low, high = expected(mask, image)
    assert len(rows) == len(low) > 8
    assert rows["min"].tolist() == low.tolist()
    assert rows["max"].tolist() == high.tolist()


@pytest.mark.parametrize("dtype", ["u1", "f4", "f8"])
def test_parts_that_are_split_off_have_their_own(dtype: str) -> None:
    mask, image = scene(3, dtype)
    whole = evaluate(components, mask, image).rows
    rows = evaluate(components, mask, image, split=6.0).rows
    assert len(rows) > len(whole)
    for name, ends in (("min", np.minimum), ("max", np.maximum)):
        assert ends.reduce(rows[name]) == ends.reduce(whole[name])
    assert {*whole["max"].tolist()} <= {*rows["max"].tolist()}, "the brightest pixel is in one of the parts"
    assert (rows["max"] >= rows["min"]).all()


def test_both_ways_split_alike() -> None:
    mask, image = scene(5, "f4")
    tiles, lists = (evaluate(components, mask[:85], image[:85].astype(dtype), split=6.0).rows for dtype in ("f4", "f8"))
    assert tiles[["min", "max"]].tolist() == lists[["min", "max"]].tolist()


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_what_is_no_number_is_left_out(dtype: str) -> None:
    mask = np.zeros((20, 40), bool)
    mask[5:9, 5:9] = mask[5:9, 20:24] = True
    image = np.full(mask.shape, 7.0, dtype)
    image[6, 6], image[7, 7], image[8, 8], image[5, 5] = np.nan, 9.0, np.inf, -0.0
    image[5:9, 20:24] = np.nan
    for how in ({}, {"refine_sigma": 1.5}):
        rows = evaluate(components, mask, image, **how).rows
        assert rows["min"].tolist()[0] == 0.0
        assert not np.signbit(rows["min"][0])
        assert rows["max"].tolist()[0] == 9.0
        assert np.isnan([rows["min"][1], rows["max"][1]]).all()


def test_there_are_none_without_pixels_of_ones_own() -> None:
    mask, image = scene(1, "u1")
    alone = evaluate(components, mask).rows
    spots = gaussian_centres(image, np.array([50.0]), np.array([40.0]), 1.5)
    for rows in (alone, spots):
        assert np.isnan(rows["min"]).all()
        assert np.isnan(rows["max"]).all()
