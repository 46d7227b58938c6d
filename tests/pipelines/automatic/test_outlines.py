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


def eye(pupil: float, iris: float, glint: float = 0.0, seed: int = 1) -> np.ndarray:
    """Skin of 150, the white of an eye, an iris of 36 px, a pupil of 15 px at (120, 80) with a glint, noise of 1; and
    shadow in a corner."""
    picture = np.full(X.shape, 150.0)
    picture[:18, :90] = pupil - 10.0
    picture[((X - 120) / 90.0) ** 2 + ((Y - 80) / 45.0) ** 2 < 1] = 190.0
    for radius, value in ((36, iris), (15, pupil)):
        picture[np.hypot(X - 120, Y - 80) < radius] = value
    picture[np.hypot(X - 123, Y - 76) < glint] = 250.0
    return picture + np.random.default_rng(seed).normal(0, 1, X.shape)


@pytest.mark.parametrize(("pupil", "iris"), [(40.0, 105.0), (40.0, 62.0), (90.0, 112.0)])
def test_the_innermost_ellipse_is_the_pupil(pupil: float, iris: float) -> None:
    """Not the iris, not the eye, though both stand out more; nor what the border cuts, though it is darker."""
    picture = eye(pupil, iris)
    level, score = outline_level([picture], False, Sizes(100.0, 15000.0, inner=True), below)
    assert score > 0
    assert pupil + 3.0 < level < iris - 3.0
    assert outline_level([picture], False, Sizes(100.0, 15000.0), below)[0] > iris


@pytest.mark.parametrize(("glint", "found"), [(2.0, "pupil"), (3.5, "glint")])
def test_a_glint_in_a_bright_pupil_is_no_pupil(glint: float, found: str) -> None:
    """Of 1/56 of the pupil's pixels it is none; of 1/18 it may be what is looked for."""
    picture = eye(215.0, 95.0, glint)
    picture[:18, :90] = 150.0
    level, _ = outline_level([picture], True, Sizes(6.0, 15000.0, inner=True), above)
    assert (192.0 < level < 213.0) == (found == "pupil")


@pytest.mark.parametrize(("blinks", "seen"), [(3, True), (5, False)])
def test_a_blink_hides_the_innermost_one(blinks: int, seen: bool) -> None:
    """In half of the frames, at most; then the iris, which is there in all, is what is left."""
    open_, closed = eye(40.0, 105.0), eye(105.0, 105.0)
    closed[:18, :90] = 150.0
    pictures = [open_] * (8 - blinks) + [closed] * blinks
    level, _ = outline_level(pictures, False, Sizes(100.0, 15000.0, inner=True), below)
    assert (level < 100.0) == seen


@pytest.mark.parametrize(("high", "counts"), [(0.45, True), (0.25, False)])
def test_what_is_oblong_is_no_ellipse_to_look_for(high: float, counts: bool) -> None:
    picture = np.full(X.shape, 150.0) + np.random.default_rng(2).normal(0, 1, X.shape)
    picture[((X - 120) / 40.0) ** 2 + ((Y - 80) / (40.0 * high)) ** 2 < 1] -= 80.0
    assert (outline_level([picture], False, Sizes(100.0, 15000.0, inner=True), below)[1] > 0) == counts


@pytest.mark.parametrize(("deep", "counts"), [(0.15, True), (0.75, False)])
def test_what_is_ragged_is_no_ellipse(deep: float, counts: bool) -> None:
    """A star with five rays, of which the hull is half empty."""
    away, turn = np.hypot(X - 120, Y - 80), np.arctan2(Y - 80, X - 120)
    picture = np.full(X.shape, 150.0) + np.random.default_rng(3).normal(0, 1, X.shape)
    picture[away < 40 * (1 - deep + deep * np.abs(np.cos(2.5 * turn)) ** 3)] -= 80.0
    assert (outline_level([picture], False, Sizes(100.0, 15000.0, inner=True), below)[1] > 0) == counts


def test_a_region_that_falls_to_a_part_of_itself_is_another() -> None:
    """A step in a thing's height: its upper part of a quarter is another thing, one of three quarters is the same."""
    for radius, same in ((5.0, False), (9.0, True)):
        picture = np.full(X.shape, 20.0) + np.random.default_rng(4).normal(0, 1, X.shape)
        for x in (60, 120, 180):
            picture[np.hypot(X - x, Y - 80) < 10] = 60.0
            picture[np.hypot(X - x, Y - 80) < radius] = 400.0
        level, _ = outline_level([picture], True, ANY, above)
        assert (50.0 < level < 115.0) == same


def test_parts_of_different_brightness_are_no_noise() -> None:
    """A bright half and a dark one, and a disc in the one: what MAD calls noise there is 50 times the noise."""
    picture = np.where(X < 118, 100.0, 200.0) + np.random.default_rng(6).normal(0, 1, X.shape)
    picture[np.hypot(X - 50, Y - 80) < 8] = 20.0
    level, score = outline_level([picture], False, Sizes(4.0, 2000.0), below)
    assert score > 0
    assert 25.0 < level < 95.0
