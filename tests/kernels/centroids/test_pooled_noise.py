"""What all blobs of a frame tell of the noise of a pixel."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kernels.centroids.centroid import ROUNDING, centres_in

Array = npt.NDArray[Any]
WIDTH, PITCH, READ = 1.4, 24, 0.8


def taken(seed: int, side: int, height: Array, ground: Array, gain: float = 0.04, odd: Array | None = None
          ) -> tuple[Array, Array, Array]:  # fmt: skip
    """A picture of side x side blobs with shot noise, read noise of READ and what is `odd` around blobs; x, y.

    Args:
        height: of each.
        ground: light beneath each.
        gain: variance of a pixel by its light.
        odd: standard deviation of more noise within some px of each.
    """
    rng = np.random.default_rng(seed)
    middle = np.arange(side) * PITCH + PITCH / 2
    x, y = (m.ravel() + rng.uniform(-2, 2, side**2) for m in np.meshgrid(middle, middle))
    light = np.repeat(np.repeat(ground.reshape(side, side), PITCH, 0), PITCH, 1).astype(np.float64)
    light += bells(x, y, WIDTH, height, side * PITCH)
    more = 0.0 if odd is None else bells(x, y, 4.0 / 2**0.5, odd**2, side * PITCH)
    picture = rng.normal(light, np.sqrt(gain * light + READ**2 + more))
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8), x, y


def bells(x: Array, y: Array, width: float, height: Array, size: int) -> Array:
    """(size, size): the sum of Gaussians."""
    pixels = np.arange(size)
    across, down = (np.exp(-((pixels - at[:, None]) ** 2) / (2 * width**2)) for at in (x, y))
    return np.asarray((down * height[:, None]).T @ across)


def centred(picture: Array, x: Array, y: Array, together: bool) -> Array:
    return centres_in(picture[None], np.zeros(len(x), np.int64), np.rint(x), np.rint(y), WIDTH, ROUNDING,
                      together=together)  # fmt: skip


def square(rows: Array, x: Array, y: Array) -> Array:
    """Mean square of the errors of both coordinates, px^2."""
    return np.asarray(((rows["x"] - x) ** 2 + (rows["y"] - y) ** 2) / 2)


@pytest.mark.parametrize("height", [12.0, 40.0, 180.0])
def test_equal_blobs_are_about_equally_sure_and_as_sure_as_they_say(height: float) -> None:
    one, all_, errors = [], [], []
    for seed in range(8):
        picture, x, y = taken(seed, 12, np.full(144, height), np.full(144, 20.0))
        alone, rows = centred(picture, x, y, False), centred(picture, x, y, True)
        for name in ("x", "y", "mass", "peak", "area", "xx", "stretch", "lean"):
            np.testing.assert_array_equal(rows[name], alone[name], name)
        one.append(alone["sigma"])
        all_.append(rows["sigma"])
        errors.append(square(rows, x, y))
    own, told, error = np.concatenate(one), np.concatenate(all_), np.concatenate(errors)
    assert np.mean(error / told**2) == pytest.approx(1.0, abs=0.12)
    assert np.std(np.log(told)) < 0.6 * np.std(np.log(own))
    for third in np.array_split(np.argsort(told), 3):  # what says to be surer is not worse than it says
        assert np.mean(error[third]) / np.mean(told[third] ** 2) == pytest.approx(1.0, abs=0.25)


def test_bright_blobs_have_more_noise_and_light_ground_has_too() -> None:
    errors, told = [], []
    height, ground = np.tile((30.0, 60.0, 120.0), 48), np.repeat((10.0, 100.0), 72)
    for seed in range(16):
        picture, x, y = taken(seed, 12, height, ground, gain=0.1)
        rows = centred(picture, x, y, True)
        errors.append(square(rows, x, y))
        told.append(rows["sigma"] ** 2)
    error, variance = np.concatenate(errors).reshape(16, -1), np.concatenate(told).reshape(16, -1)
    for level in (10.0, 100.0):
        for light in (30.0, 60.0, 120.0):
            there = (height == light) & (ground == level)
            assert np.mean(error[:, there] / variance[:, there]) == pytest.approx(1.0, abs=0.2), (level, light)


def test_where_blobs_differ_each_is_told_by_itself() -> None:
    errors, told, odd = [], [], np.tile((0.0, 8.0), 72)
    for seed in range(8):
        picture, x, y = taken(seed, 12, np.full(144, 80.0), np.full(144, 20.0), odd=odd)
        rows = centred(picture, x, y, True)
        errors.append(square(rows, x, y))
        told.append(rows["sigma"] ** 2)
    error, variance = np.stack(errors), np.stack(told)
    for noise in (0.0, 8.0):
        assert np.mean((error / variance)[:, odd == noise]) == pytest.approx(1.0, abs=0.3)
    assert np.mean(variance[:, odd > 0]) > 3 * np.mean(variance[:, odd == 0])


def test_what_no_chance_explains_is_told_by_itself_and_changes_no_other_much() -> None:
    odd = np.zeros(64)
    odd[20] = 25.0
    picture, x, y = taken(3, 8, np.full(64, 80.0), np.full(64, 20.0), odd=odd)
    alone, rows = centred(picture, x, y, False), centred(picture, x, y, True)
    assert rows[20].tobytes() == alone[20].tobytes()  # NaN, of what is not measured, is NaN
    assert rows["sigma"][20] > 2 * np.median(rows["sigma"])
    without = centred(picture, np.delete(x, 20), np.delete(y, 20), True)
    np.testing.assert_allclose(np.delete(rows["sigma"], 20), without["sigma"], rtol=0.05)


@pytest.mark.parametrize("count", [1, 2])
def test_few_blobs_tell_nothing_of_each_other(count: int) -> None:
    picture, x, y = taken(4, 3, np.full(9, 80.0), np.full(9, 20.0))
    alone, rows = (centred(picture, x[:count], y[:count], together) for together in (False, True))
    assert rows.tobytes() == alone.tobytes()


def test_pictures_without_noise_or_light_are_no_trouble() -> None:
    x, y = np.array([10.0, 30.0, 50.0, 12.0]), np.array([10.0, 11.0, 9.0, 40.0])
    for picture in (np.zeros((60, 60), np.float32), np.full((60, 60), 7.0, np.float32)):
        assert np.isnan(centred(picture, x, y, True)["sigma"]).all()
    down, along = np.mgrid[:60, :60]
    bell = sum(np.exp(-((along - a) ** 2 + (down - b) ** 2) / (2 * WIDTH**2)) for a, b in zip(x, y, strict=True))
    for kind in (np.float32, np.float64):
        rows = centred(bell.astype(kind), x, y, True)
        np.testing.assert_allclose(rows["x"], x, atol=1e-3)
        assert np.isfinite(rows["sigma"]).all()
