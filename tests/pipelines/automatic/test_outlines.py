"""The level between which and another one outlines stay the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from pipelines.automatic.outlines import LASTS, STEP, Sizes, _steadiest, outline_level

ANY = Sizes(4.0, np.inf)
Y, X = np.mgrid[:160, :240]


def above(picture: np.ndarray, levels: Sequence[float]) -> list[np.ndarray]:
    return [picture > level for level in levels]


def below(picture: np.ndarray, levels: Sequence[float]) -> list[np.ndarray]:
    return [picture <= level for level in levels]


def discs(heights: Sequence[float], noise: float = 1.0, seed: int = 0) -> np.ndarray:
    """Discs of 5 px with soft rims, in a row, on noise about 20."""
    picture = 20.0 + np.random.default_rng(seed).normal(0, noise, X.shape)
    for k, height in enumerate(heights):
        away = np.hypot(X - 15 - 30 * (k % 8), Y - 20 - 40 * (k // 8))
        picture += height / (1 + np.exp(np.clip((away - 5) / 0.6, -50, 50)))
    return picture


def test_it_lies_between_the_noise_and_the_tops() -> None:
    picture = discs([100.0] * 8)
    level, score = outline_level([picture], True, ANY, above)
    assert score > 0
    assert 25.0 < level < 90.0
    dark, score = outline_level([-picture], False, ANY, below)
    assert score > 0
    assert dark == pytest.approx(-level)


def test_texture_is_left_below() -> None:
    """Patches of all heights up to a third of the things' are not found, though there are more of them."""
    rng = np.random.default_rng(5)
    picture = discs([120.0] * 8)
    for _ in range(60):
        x, y, height = rng.uniform(0, 240), rng.uniform(70, 160), rng.uniform(5, 40)
        picture += height * np.exp(-((X - x) ** 2 + (Y - y) ** 2) / (2 * rng.uniform(1.5, 5) ** 2))
    level, score = outline_level([picture, picture], True, ANY, above)
    assert score > 0
    assert 60.0 < level < 130.0


def test_one_glint_far_above_is_not_all_there_is() -> None:
    level, _ = outline_level([discs([60.0] * 15 + [1500.0])], True, ANY, above)
    assert level < 75.0


def test_a_thing_that_comes_or_goes_does_not_end_a_run() -> None:
    """Of 26 things one that is there for a while longer or less is none; of 14 it is."""
    for others, first in ((25, 0), (13, 5)):
        things = np.array([[4, 14]] * others + [[0, 14]])
        assert _steadiest([things[:others], things[others:]], 15)[1:] == (4, 14)
        things = np.array([[0, 14]] * others + [[5, 14]])
        assert _steadiest([things], 15)[1:] == (first, 14)


def test_nothing_there_is_a_level_above_the_noise() -> None:
    picture = discs([])
    level, score = outline_level([picture], True, ANY, above)
    assert score == 0
    assert not (picture > level).any()
    assert level < 30.0  # what comes later and stands out passes
    assert outline_level([np.full((9, 9), 3.0)], True, ANY, above) == (3.0, 0.0)
    assert outline_level([np.full((9, 9), np.nan)], True, ANY, above) == (0.0, 0.0)


def test_what_lasts_for_a_step_or_two_is_no_thing() -> None:
    """Heights by which the same things are there for LASTS steps; with less between ground and top nothing is told."""
    for factor, told in ((STEP ** (LASTS + 1.5), True), (STEP ** (LASTS / 2 - 0.5), False)):
        picture = discs([8.0 * 4.5 * factor] * 8, 0.01)
        picture += np.where(Y > 90, (X % 7) * (Y % 5) * 36.0 / 24.0, 0.0)  # stripes that change from step to step
        _, score = outline_level([picture], True, Sizes(4.0, 150.0), above)
        assert (score > 0) == told or told is False


def test_regions_that_do_not_count_do_not_count() -> None:
    """A bar that is too large goes on far longer than the discs do."""
    picture = discs([40.0] * 8)
    picture[100:150] += 1000.0
    level, _ = outline_level([picture], True, Sizes(4.0, 500.0), above)
    assert level < 60.0
