"""Sigma of regions on ground with a texture, and beside the edge of something else."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from kernels.executors.reference import evaluate
from kernels.regions.noise_correlation_loops import SECTORS, bandwidth, long_run, sector_of, sectors_of
from kernels.stages.components import components
from tests.kernels.components.scenes import texture

FINE, SIZE = 8, 64
SEEDS = range(40, 45)


def disc(rng, radius, grain=0.0, correlation=2.0, bar=None, noise=1.5):
    """A bright disc on ground that it covers, and its centre; `bar` px beside it begins something dark."""
    x, y = SIZE / 2 + rng.uniform(-3, 3, 2)
    at = (np.arange(SIZE * FINE) + 0.5) / FINE - 0.5
    down, across = at[:, None] - y, at[None] - x

    def seen(fine):
        return fine.reshape(SIZE, FINE, SIZE, FINE).mean(axis=(1, 3))

    cover, ground = seen(down**2 + across**2 <= radius**2), np.full((SIZE, SIZE), 60.0)
    if grain:
        ground += grain * texture(rng, ground.shape, correlation)
    if bar is not None:
        side = rng.uniform(0, 2 * np.pi)
        dark = seen(across * np.cos(side) + down * np.sin(side) > radius + bar)
        ground = ground * (1 - dark) + 20 * dark
    light = ndimage.gaussian_filter(ground * (1 - cover) + 140 * cover, 0.7) + rng.normal(0, noise, cover.shape)
    return np.clip(np.rint(light), 0, 255).astype(np.uint8), (x, y)


def variance(seeds, count, background="slope", **scene):
    """Of (estimate - truth) / sigma, over both axes."""
    squares = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        for _ in range(count):
            image, (x, y) = disc(rng, **scene)
            rows = evaluate(components, image > 100, image, min_area=20, background=background).rows
            row = rows[np.argmax(rows["area"])]
            part = np.sqrt((1 + row["anisotropy"], 1 - row["anisotropy"]))
            squares.append(((row["x"] - x, row["y"] - y) / (row["sigma"] * part)) ** 2)
    return np.mean(squares)


@pytest.mark.parametrize("radius", [5.0, 8.0, 14.0, 24.0])  # the last one by lists of pixels
@pytest.mark.parametrize("grain", [1.5, 6.0])
def test_a_texture_of_the_ground_is_in_sigma(radius, grain):
    """By noise that errs by itself it is 1.6 to 7."""
    assert 0.65 < variance(SEEDS, 14, radius=radius, grain=grain) < 1.5


@pytest.mark.parametrize("radius", [5.0, 8.0, 14.0])
def test_ground_without_a_texture_is_as_it_was(radius):
    assert 0.8 < variance(SEEDS, 14, radius=radius) < 1.25


def test_a_bar_beside_it_is_in_sigma():
    """Without its moment it is 4.5."""
    found = [variance(SEEDS, 6, radius=r, bar=b) for r in (5.0, 8.0, 14.0) for b in (1.0, 2.0, 3.0, 4.0, 6.0)]
    assert np.mean(found) < 1.75
    assert max(found) < 2.6


def test_a_ground_that_is_taken_as_level_has_a_texture_too():
    assert variance(SEEDS, 14, "ring", radius=8.0, grain=6.0) < 1.6


@pytest.mark.parametrize("alike", [0.0, 0.5, 0.9])
def test_the_variance_of_a_sum_of_an_autoregression(alike):
    """(1 + a) / (1 - a) of what it were if they erred by themselves."""
    rng, n = np.random.default_rng(5), 400
    found = []
    for _ in range(200):
        white = rng.standard_normal(2 * n)
        one = np.zeros(2 * n)
        for k in range(1, 2 * n):
            one[k] = alike * one[k - 1] + np.sqrt(1 - alike**2) * white[k]
        found.append(long_run(one[n:], n, bandwidth(alike, n)) / n)
    np.testing.assert_allclose(np.mean(found), (1 + alike) / (1 - alike), rtol=0.3)


def test_sectors_go_once_around():
    assert (sectors_of(2), sectors_of(300), sectors_of(9999)) == (1, 100, SECTORS)
    turn = np.linspace(0.001, 2 * np.pi - 0.001, 720)
    numbers = [sector_of(np.cos(t), np.sin(t), 24) for t in turn]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(24))
