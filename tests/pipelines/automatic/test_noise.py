"""Levels and noise from numbers that are known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from pipelines.automatic.noise import (
    DEVIATIONS,
    _grown,
    brighter,
    ground,
    local_spread,
    medians,
    noise_between,
    noise_level,
    spread,
)


def noise(sigma: float, seed: int = 0, shape: tuple[int, ...] = (200, 300)) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.0, sigma, shape)


def test_spread_is_that_of_the_ground_whatever_stands_out() -> None:
    picture = noise(2.0) + 10.0
    picture[:20] += 500.0
    picture[0, :3] = np.nan, np.inf, -np.inf
    middle, sigma = spread(picture)
    assert middle == pytest.approx(10.0, abs=0.5)
    assert sigma == pytest.approx(2.0, rel=0.2)
    assert spread(np.full((3, 3), np.nan)) == (0.0, 0.0)


def test_hardly_a_pixel_of_noise_passes_and_faint_spots_do() -> None:
    """Twice as low a level has noise pass in each frame, twice as high loses things that are six deviations high."""
    pictures = [noise(1.0, seed) for seed in range(8)]
    level = noise_level(pictures, True)
    passing = sum(int(np.sum(picture > level)) for picture in pictures)
    assert passing <= 10
    assert sum(int(np.sum(picture > 0.5 * level)) for picture in pictures) > 1000
    assert level < 6.0 < 2 * level
    assert noise_level([-picture for picture in pictures], False) == pytest.approx(-level)


def test_under_a_lamp_it_is_the_noise_of_the_bright_frames() -> None:
    pictures = [noise(sigma, 7) for sigma in (1.0, 3.0, 1.0, 3.0, 1.0, 3.0, 1.0, 3.0)]
    assert noise_level(pictures, True) == pytest.approx(noise_level(pictures[1:2], True))
    flash = [*[noise(1.0, 7)] * 7, noise(30.0, 7)]
    assert noise_level(flash, True) == pytest.approx(noise_level(flash[:1], True))


@pytest.mark.parametrize("bright", [True, False])
def test_a_crowd_of_spots_is_no_noise(bright: bool) -> None:
    """The level falls by a third where they crowd, and few or a texture change nothing."""
    sign, rng = (1.0 if bright else -1.0), np.random.default_rng(6)
    y, x = np.indices((96, 96))
    for many in (10, 100):
        picture = noise(1.0, 5, (96, 96))
        for v, u in rng.uniform(0, 96, (many, 2)):
            far2 = (y - v) ** 2 + (x - u) ** 2
            picture += 60 * np.exp(-far2 / 6) - 9 * np.exp(-far2 / 25)
        middle, sigma = spread(picture)
        share = sign * noise_level([sign * picture], bright) / (middle + DEVIATIONS * sigma)
        assert share == 1.0 if many == 10 else share < 0.67
    texture = noise(20.0, 8)
    assert ground(texture, sign) == spread(texture)


def test_ground_without_noise_is_no_spot() -> None:
    picture = np.zeros((50, 50))
    picture += 1e-7 * noise(1.0, 1, (50, 50)).clip(0, 1) * (noise(1.0, 2, (50, 50)) > 1)  # rounding, here and there
    picture[10:13, 10:13] = 1.0
    assert np.sum(picture > noise_level([picture], True)) == 9
    picture[30, 30] = 2e-3  # a thing that is 500 times as faint is still there
    assert picture[30, 30] > noise_level([picture], True)


def test_even_ground_is_told_at_once() -> None:
    """Two spots, cut off at whole numbers, on ground of one value; and ground alone."""
    y, x = np.mgrid[:60, :80]
    light = sum(200 * np.exp(-((x - cx) ** 2 + (y - 30) ** 2) / 8) for cx in (24, 60))
    for picture in (10 + np.floor(light), np.full((9, 9), 3.0)):
        assert ground(picture, 1.0) == (picture.min(), 0.0)


def test_the_side_that_stands_out_more() -> None:
    picture = noise(1.0)
    picture[50, 50] += 20
    assert brighter([picture])
    picture[90, 50] -= 40
    assert not brighter([picture, picture, -picture])
    assert brighter([np.full((4, 4), np.nan)])


def test_noise_between_frames_is_that_of_the_bright_part_without_what_moves() -> None:
    still = np.random.default_rng(3).uniform(0, 50, (96, 160))
    sigma = np.where(np.arange(160) < 128, 1.0, 3.0)  # a fifth of the picture has more
    frames = [still + sigma * noise(1.0, seed, still.shape) for seed in range(4)]
    for k, frame in enumerate(frames):
        frame[8 + 4 * k : 12 + 4 * k, :8] += 300.0
    assert noise_between([frames]) == pytest.approx(3.0, rel=0.2)
    assert noise_between([[frame[:, :120] for frame in frames]]) == pytest.approx(1.0, rel=0.2)


def test_noise_is_at_least_that_of_rounding() -> None:
    flat = np.full((40, 40), 7.0)
    step = flat.copy()
    step[0, 0] = 8.0
    assert noise_between([[flat, step]]) == pytest.approx(1 / np.sqrt(12))
    assert noise_between([[flat[:5, :5], flat[:5, :5]]]) == 0.0
    assert noise_between([[flat]]) == 0.0


@pytest.mark.parametrize(("dtype", "white"), [("bool", 1), ("uint8", 255), ("float32", 1)])
def test_masks_round_no_grays(dtype: str, white: int) -> None:
    mask = np.zeros((40, 40), dtype)
    mask[3:9, 3:9] = white
    assert noise_between([[mask, np.roll(mask, 1, axis=1)]]) == 0.0
    gray = mask.astype(np.float32) / 2
    assert noise_between([[gray, np.roll(gray, 1, axis=1)]]) == pytest.approx(white / 2 / np.sqrt(12))


def test_noise_within_squares_knows_no_parts_of_other_brightness() -> None:
    rng = np.random.default_rng(7)
    picture = rng.normal(0, 2, (160, 240))
    picture[:, 100:] += 100.0
    picture[50:110] += 50.0
    assert spread(picture)[1] > 30.0
    assert local_spread(picture, spread(picture)[1]) == pytest.approx(2.0, rel=0.3)
    picture[:, 12:230:16] += 900.0  # in each square a line: no noise
    assert local_spread(picture, spread(picture)[1]) < 3.0
    assert local_spread(np.array([1.0, 2.0, 4.0]), 1.5) == 1.5
    noisy = rng.normal(0, 1, (160, 240))
    noisy[:, :120] *= 4.0  # half of the picture: it counts; a tenth of it does not
    assert local_spread(noisy, spread(noisy)[1]) == pytest.approx(spread(noisy)[1])
    noisy[:, 24:120] /= 4.0
    assert local_spread(noisy, spread(noisy)[1]) == pytest.approx(1.0, rel=0.2)


def band(picture: np.ndarray) -> np.ndarray:
    narrow, wide = (ndimage.gaussian_filter(picture, sigma, mode="reflect") for sigma in (1.2, 3.0))
    return narrow - wide


@pytest.mark.parametrize("bright", [True, False])
def test_light_that_changes_towards_the_rim_is_no_spot(bright: bool) -> None:
    """A slope that ends at the picture's side has a ridge there in a band pass; the level lies above it."""
    sign, x = (1.0 if bright else -1.0), np.arange(300)
    shade = sign * 0.004 * (x - 150) ** 2
    pictures = [band(shade + noise(1.0, seed)) for seed in range(8)]
    level = noise_level(pictures, bright)
    assert np.mean([np.mean(sign * picture > sign * level) for picture in pictures]) < 1e-4
    flat = [band(noise(1.0, seed)) for seed in range(8)]
    plain = noise_level(flat, bright)
    assert sign * level > 1.3 * sign * plain
    for steep, counts in ((0.5, False), (2.2, True)):  # deviations of the noise along a side
        rim = [picture.copy() for picture in flat]
        for picture in rim:
            picture[0] += sign * steep * spread(picture)[1]
        assert (sign * noise_level(rim, bright) > 1.2 * sign * plain) == counts


def test_a_thing_at_the_rim_is_no_shade() -> None:
    """A wall along a third of a side, far brighter than all else."""
    pictures = [band(noise(1.0, seed)) for seed in range(8)]
    plain = noise_level(pictures, True)
    for picture in pictures:
        picture[:6, 40:140] += 20.0
    assert noise_level(pictures, True) == pytest.approx(plain, rel=0.1)


@pytest.mark.parametrize("kind", ["u1", "u2", "f4", "f8"])
def test_medians_and_spreads_are_those_of_numpy_to_the_last_bit(kind: str) -> None:
    for count in (1, 2, 7, 100):
        values = (np.random.default_rng(count).normal(100.0, 20.0, (5, count))).astype(kind)
        wanted = np.median(values.astype(np.float64), axis=1)
        assert medians(values.copy()).tolist() == wanted.tolist()
        flat = values.ravel().astype(np.float64)
        off = np.median(np.abs(flat - np.median(flat)))
        assert spread(values) == (float(np.median(flat)), 1.4826 * float(off))


@pytest.mark.parametrize("shape", [(40, 50), (40, 50, 3)])
def test_masks_grow_as_far_in_rows_and_in_columns(shape: tuple[int, ...]) -> None:
    inside = np.random.default_rng(1).random(shape) > 0.995
    wanted = ndimage.binary_dilation(inside, np.ones((9, 9, 1)[: len(shape)], bool))
    np.testing.assert_array_equal(_grown(inside), wanted)
