"""How windows answer, by plain NumPy and SciPy: least squares, shifted splines, convolutions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter
from scipy.ndimage import shift as moved
from scipy.signal import convolve2d, correlate2d

import kernels.executors.natives  # noqa: F401 - provides the compiler of the loops
from pipelines.trackers.patches import noise_loops
from pipelines.trackers.patches import response as r
from pipelines.trackers.patches.reference_noise import autocovariance, tables
from pipelines.trackers.patches.response import halves, masks, ones, responses, starts
from pipelines.trackers.patches.subpixel import MARGIN, coefficients, gradient, join, tiles_at
from pipelines.trackers.patches.taps import tapped, weights

WINDOW = 15


def speckle(seed, size, smooth=1.5):
    return 100 + 160 * gaussian_filter(np.random.default_rng(seed).normal(size=(size, size)), smooth)


def stripes(size):
    y, x = np.mgrid[:size, :size]
    return 120 + 60 * np.sin(0.7 * (x * np.cos(0.4) + y * np.sin(0.4)))


def between(tile, d, half):
    """What is d px beyond each pixel of a tile's middle, by the taps."""
    (kx, ky), middle = np.floor(d).astype(int), len(tile) // 2
    wx, wy = weights(d[0] - kx), weights(d[1] - ky)
    part = tile[middle + ky - half - 3 : middle + ky + half + 5, middle + kx - half - 3 : middle + kx + half + 5]
    return tapped(tapped(part[None], wx[None], 2), wy[None], 1)[0]


@pytest.mark.parametrize("noise", [0.0, 9.0, 4000.0])
@pytest.mark.parametrize("picture", [speckle, stripes])
def test_a_window_answers_as_least_squares_do(picture, noise):
    size = WINDOW + 2 * MARGIN
    tile = picture(3, size) if picture is speckle else picture(size)
    grain = np.zeros((7, 7))
    grain[2:5, 2:5] = [[0.1, 0.3, 0.05], [0.2, 1.0, 0.2], [0.05, 0.3, 0.1]]
    made = responses(tile[None], "auto", np.array([noise]), grain[None])
    assert made.textured[0]
    constants = made.constants[0]
    axes, basis = int(constants[r.AXES]), constants[r.BASIS : r.BASIS + 4].reshape(2, 2)
    assert axes == (2 if picture is speckle else 1)
    if axes == 1:
        np.testing.assert_allclose(basis[0], (np.cos(0.4), np.sin(0.4)), atol=0.02)
    # The design, by the spline's own slopes.
    coefficient = coefficients(tile[None])
    gx, gy = (one[0] for one in gradient(coefficient, MARGIN))
    first, inner = halves(WINDOW), slice(MARGIN, MARGIN + WINDOW)
    design = np.stack((tile[inner, inner], *(-(b[0] * gx + b[1] * gy) for b in basis[:axes])))
    sides = [np.where(s, design - design[:, s].mean(axis=1)[:, None, None], 0) for s in (first, ~first)]
    counted = made.columns[0] * ones(WINDOW).reshape(-1, 8)
    for side, columns in zip(sides, (counted[:3], counted[3:]), strict=True):
        whole = np.zeros((3, WINDOW, WINDOW))
        for b, s in enumerate(starts(WINDOW)):
            whole[:, :, s : s + 8] += columns[:, :, b]
        np.testing.assert_allclose(whole[: 1 + axes], side, atol=1e-9)
    # The noise of a pixel and of its slopes, by a single one with so much noise around.
    lone = np.zeros((1, 81, 81))
    lone[0, 40, 40] = 1.0
    point = coefficients(lone)
    maps = np.stack((lone[0, 20:61, 20:61], *(g[0] for g in gradient(point, 20))))
    spread = np.stack([convolve2d(one, grain, "same") for one in maps])
    power = [1.0, *(b[0] ** 2 * (maps[1] * spread[1]).sum() + b[1] ** 2 * (maps[2] * spread[2]).sum()
                    for b in basis[:axes])]  # fmt: skip
    grams = [np.einsum("pij,qij->pq", side, side) for side in sides]
    counts = [int(first.sum()), int((~first).sum())]
    worst = max(np.linalg.eigvals(np.linalg.inv(g) * n * noise * power).max() for g, n in (
        (grams[0] + grams[1], WINDOW**2), (grams[0], counts[0]), (grams[1], counts[1])))  # fmt: skip
    share = noise * min(1.0, 0.5 / max(worst, 1e-9))
    inverses = [np.linalg.inv(g - n * share * np.diag(power)) for g, n in zip(grams, counts, strict=True)]
    whole = np.linalg.inv(grams[0] + grams[1] - WINDOW**2 * share * np.diag(power))
    n = 1 + axes
    for place, wanted in ((r.INVERSE, whole), (r.FIRST, inverses[0]), (r.SECOND, inverses[1]),
                          (r.PLAIN, np.linalg.inv(grams[0] + grams[1]))):  # fmt: skip
        got = constants[place : place + 9].reshape(3, 3)[:n, :n]
        np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-9 * np.abs(wanted).max())
    # Variances for noise so correlated.
    def variance(filters):
        return [(one * convolve2d(one, grain, "same")).sum() for one in filters[1:n]]

    both = variance(np.einsum("pq,qij->pij", whole, sides[0] + sides[1]))
    apart = variance(np.einsum("pq,qij->pij", inverses[0], sides[0]) - np.einsum("pq,qij->pij", inverses[1], sides[1]))
    assert constants[r.SPREAD] == pytest.approx(sum(both) / axes, rel=1e-8)
    np.testing.assert_allclose(constants[r.SCALE : r.SCALE + axes], np.sqrt(np.divide(both, apart)), rtol=1e-8)
    # The bend takes what first order leaves out of the answers to shifted references.
    errors = []
    for s in np.linspace(-0.7, 0.7, 9):
        d = basis[0] * s + (basis[1] * -0.5 * s if axes == 2 else 0)
        g, own = between(tile, -d, WINDOW // 2), between(lone[0], -d, 20)
        lost = share * np.array([(own * spread[0]).sum(), *(-b[0] * (own * spread[1]).sum() - b[1] * (
            own * spread[2]).sum() for b in basis[:axes])])  # fmt: skip
        q = [np.einsum("pij,ij->p", side, g) - m * lost for side, m in zip(sides, counts, strict=True)]
        gains = [m @ one for m, one in ((whole, q[0] + q[1]), (inverses[0], q[0]), (inverses[1], q[1]))]
        answers = [np.append(one[1:] / one[0], 0.0)[:2] for one in gains]
        monomials = [answers[0][0] ** i * answers[0][1] ** j for i, j in r.POWERS]
        straight = constants[r.BEND :].reshape(4, -1) @ monomials
        errors.append((straight[0] - s, *(straight[2 : 2 + axes] - (answers[1] - answers[2])[:axes])))
    assert np.abs(errors).max() < (2e-3 if noise < 100 else 0.1)  # of the largest, half of every slope is noise
    assert noise < 100 or share < noise


def test_what_a_noisy_pixel_does_is_what_its_spline_does():
    slopes, own = tables()
    lone = np.zeros((1, 101, 101))
    lone[0, 50, 50] = 1.0
    coefficient = coefficients(lone)
    gx, gy = (one[0] for one in gradient(coefficient, 10))
    for got, one in zip(slopes, (gx, gy), strict=True):
        np.testing.assert_allclose(got, correlate2d(one, one, "same")[37:44, 37:44], atol=1e-12)
    inner = lone[0, 10:-10, 10:-10]
    for got, one in zip(own, (inner, gx, gy), strict=True):
        np.testing.assert_allclose(got, correlate2d(inner, one, "same")[33:48, 33:57], atol=1e-12)


def test_the_noise_of_the_reference_is_taken_off_what_is_left():
    # What is left of g - t * f, of frames g and a reference f that have the same noise.
    f, x, y, xx, yy, xy = 0.9, 0.1, -0.15, 0.02, 0.03, 0.03
    stencil = np.array([[xy, yy - y, -xy], [xx - x, f - 2 * xx - 2 * yy, xx + x], [-xy, yy + y, xy]])
    noise = np.zeros((7, 7))
    noise[2:5, 2:5] = np.outer((0.2, 1.0, 0.2), (0.3, 1.0, 0.3))
    seen = noise + convolve2d(noise, correlate2d(stencil, stencil), "same")
    noise_loops.of_frames(flat := seen.ravel(), np.array([f, x, y, xx, yy, xy]), np.zeros(noise_loops.MAPS))
    np.testing.assert_allclose(flat.reshape(7, 7), noise, atol=0.01)


@pytest.mark.parametrize("smooth", [0.0, 0.7])
def test_noise_is_seen_as_correlated_as_it_is(smooth):
    rng, window, many = np.random.default_rng(4), 33, 60
    tile = speckle(5, window + 2 * MARGIN)
    noise = rng.normal(0, 1, (many, *tile.shape))
    if smooth:
        noise = gaussian_filter(noise, (0, smooth, smooth))
    seen = []
    for one, other in zip(noise[::2], noise[1::2], strict=True):
        frame = 1.3 * moved(tile + one, (0.1, -0.15), mode="mirror") - 20 if not smooth else tile + one
        middle = np.array([frame.shape[1] // 2])
        seen.append(autocovariance(frame, np.zeros(1, np.int64), middle, middle, (tile + other)[None], masks(window)))
    got = np.mean(seen, axis=(0, 1))
    np.testing.assert_allclose(got, got[::-1, ::-1], atol=1e-12)
    if smooth:
        wide = np.exp(-0.5 * (np.arange(-3, 4) / smooth) ** 2)
        wide /= wide.sum()
        alike = np.convolve(wide, wide)[3:-3]
        np.testing.assert_allclose(got, np.outer(alike, alike), atol=0.02)
    else:  # the frame's own noise, as its interpolation leaves it
        assert got[3, 3] == pytest.approx(1.69 * 0.8, rel=0.25)


@pytest.mark.parametrize("kind", [np.uint8, np.float32, np.float16])
def test_windows_join_a_mean_in_its_light_at_edges_too(kind):
    picture = np.clip(speckle(6, 80), 0, 255).astype(kind)
    tiles = 0.5 * tiles_at(picture, np.array([40.0, 40, 40]), np.array([40.0, 40, 40]), WINDOW) + 7
    place, which, number = np.array([[40.3, 39.6], [3.4, 71.5]]), np.array([2, 0]), np.array([2, 5])
    wanted = tiles.copy()
    for (x, y), tile, count in zip(place, which, number, strict=True):
        (kx, ky), half = np.floor((x, y)).astype(int), tiles.shape[1] // 2
        rows, columns = (np.clip(np.arange(k - half - 3, k + half + 5), 0, 79) for k in (ky, kx))
        block = picture[rows[:, None], columns].astype(float)[None]
        new = tapped(tapped(block, weights(np.array([x - kx])), 2), weights(np.array([y - ky])), 1)[0]
        new = (new - new.mean()) * tiles[tile].std() / new.std() + tiles[tile].mean()
        wanted[tile] += (new - wanted[tile]) / count
    join(picture, which, place, number, tiles)
    np.testing.assert_allclose(tiles, wanted, atol=1e-9)
