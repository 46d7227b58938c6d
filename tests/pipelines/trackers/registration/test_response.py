"""How windows answer, by plain NumPy and SciPy: least squares, shifted windows, convolutions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter
from scipy.ndimage import shift as moved
from scipy.signal import convolve2d, correlate2d

from kernels.loops.calling import call
from pipelines.trackers.registration.noise import autocovariance_loops
from pipelines.trackers.registration.noise.autocovariance_loops import FAR, SIDE, noise_seen
from pipelines.trackers.registration.response import response as r
from pipelines.trackers.registration.response.design_loops import STEEPER
from pipelines.trackers.registration.response.reference_noise import tables
from pipelines.trackers.registration.response.response import left_by, masks, responses
from pipelines.trackers.registration.windows.packing import halves, places
from pipelines.trackers.registration.windows.structs import Blocks, Chosen
from pipelines.trackers.registration.windows.subpixel import MARGIN, join, tiles_at
from pipelines.trackers.registration.windows.taps import SLOPE1, SLOPE2, SLOPE3
from pipelines.trackers.registration.windows.windows import as_picture, ready
from tests.oracles.registration import tapped, weights

WINDOW = 15


def speckle(seed, size, smooth=1.5):
    return 100 + 160 * gaussian_filter(np.random.default_rng(seed).normal(size=(size, size)), smooth)


def stripes(size):
    y, x = np.mgrid[:size, :size]
    return 120 + 60 * np.sin(0.7 * (x * np.cos(0.4) + y * np.sin(0.4)))


def patterns(picture):
    """Light, slopes along x and y, second derivatives xx, xy, yy; at the edges of what is no edge here anything."""

    def beside(dx, dy):
        return np.roll(picture, (-dy, -dx), (0, 1))

    x, y = (sum(t * (beside(k * a, k * b) - beside(-k * a, -k * b)) for k, t in ((1, SLOPE1), (2, SLOPE2), (3, SLOPE3)))
            for a, b in ((1, 0), (0, 1)))  # fmt: skip
    xx, yy = (beside(a, b) - 2 * picture + beside(-a, -b) for a, b in ((1, 0), (0, 1)))
    xy = (beside(1, 1) - beside(-1, 1) - beside(1, -1) + beside(-1, -1)) / 4
    return np.stack((picture, x, y, STEEPER * xx, STEEPER * xy, STEEPER * yy))


def along(looks, basis, axes):
    """The same along two directions, as the design has them; of stripes the second is not measured."""
    light, x, y, xx, xy, yy = looks
    (a, b), (c, d) = basis[0], basis[1] * (axes == 2)
    return np.stack((light, -(a * x + b * y), -(c * x + d * y), a * a * xx + 2 * a * b * xy + b * b * yy,
                     a * c * xx + (a * d + b * c) * xy + b * d * yy,
                     c * c * xx + 2 * c * d * xy + d * d * yy))  # fmt: skip


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
    first, inner = halves(WINDOW), slice(MARGIN, MARGIN + WINDOW)
    looks = patterns(tile)[:, inner, inner]
    turned = along(looks, basis, axes)
    design = sum(np.where(half, turned - turned[:, half].mean(axis=1)[:, None, None], 0) for half in (first, ~first))
    whole = np.zeros((6, WINDOW, WINDOW))
    packed = places(WINDOW).ravel()
    kept = made.columns[0].transpose(1, 0, 2).reshape(6, -1)
    whole.reshape(6, -1)[:, packed[packed >= 0]] = kept[:, packed >= 0]
    assert not kept[:, packed < 0].any()
    np.testing.assert_allclose(whole, design, rtol=1e-7, atol=1e-7 * np.abs(design).max())
    design = whole  # they are rounded, and all else is of them as they are
    # The noise of a pixel and of what is made of it, by a single one with so much noise around.
    lone = np.zeros((81, 81))
    lone[40, 40] = 1.0
    points = along(patterns(lone)[:, 20:61, 20:61], basis, axes)
    spread = np.stack([convolve2d(one, grain, "same") for one in points])
    alike = np.einsum("pij,qij->pq", points, spread)
    gx, gy = patterns(lone)[1:3, 20:61, 20:61]
    for k, (a, b) in enumerate(basis[:axes], 1):  # gx and gy have nothing in common if noise has a symmetry
        alike[k, k] = sum(e * e * (g * convolve2d(g, grain, "same")).sum() for e, g in ((a, gx), (b, gy)))
    used = np.flatnonzero([1, 1, axes == 2, 1, axes == 2, axes == 2])
    n = 1 + axes
    counts = {"whole": WINDOW**2, "first": int(first.sum()), "second": int((~first).sum())}
    masks_of = {"whole": first | ~first, "first": first, "second": ~first}
    grams = {k: np.einsum("pij,qij->pq", design * m, design) for k, m in masks_of.items()}
    few = {k: g[:n, :n] for k, g in grams.items()}
    parts = (np.linalg.inv(few[k]) * counts[k] * noise * np.diag(alike)[:n] for k in few)
    worst = max(np.linalg.eigvals(part).real.max() for part in parts)  # complex since NumPy 2.5
    share = noise * min(1.0, 0.5 / max(worst, 1e-9))
    inverses = {k: np.linalg.inv(few[k] - counts[k] * share * np.diag(np.diag(alike)[:n])) for k in few}
    for place, k in ((r.INVERSE, "whole"), (r.FIRST, "first"), (r.SECOND, "second")):
        got = constants[place : place + 9].reshape(3, 3)[:n, :n]
        np.testing.assert_allclose(got, inverses[k], rtol=1e-6, atol=1e-9 * np.abs(inverses[k]).max())
    plain = constants[r.PLAIN : r.PLAIN + 36].reshape(6, 6)[np.ix_(used, used)]
    if axes == 2:
        wanted = np.linalg.inv(grams["whole"][np.ix_(used, used)])
        np.testing.assert_allclose(plain, wanted, rtol=1e-6, atol=1e-9 * np.abs(wanted).max())
    else:  # of stripes that are a sine the second derivative is the light once more: it is left out
        assert not plain[2].any()
        wanted = np.linalg.inv(grams["whole"][:2, :2])
        np.testing.assert_allclose(plain[:2, :2], wanted, rtol=0.01, atol=1e-3 * np.abs(wanted).max())
    # Slopes have no noise in common with the light, nor with second derivatives; those have.
    kept = np.zeros((6, 6), bool)
    kept[[0, 1, 2], [0, 1, 2]] = kept[0, 3:] = kept[3:, 0] = kept[3:, 3:] = True
    if axes == 2:  # xx and xy have little in common: nothing if noise has a symmetry
        kept[[3, 4, 4, 5], [4, 3, 5, 4]] = False
    for place, k in ((r.GRAM, "whole"), (r.GRAM_A, "first")):
        wanted = grams[k] - counts[k] * share * np.where(kept, alike, 0)
        got = constants[place : place + 36].reshape(6, 6)
        np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=(1e-9 if axes == 2 else 0.03) * np.abs(wanted).max())
    raw, true = np.diag(grams["whole"])[3:], np.diag(constants[r.GRAM : r.GRAM + 36].reshape(6, 6))[3:]
    assert constants[r.CLEAR] == pytest.approx(np.maximum(true, 0).sum() / raw.sum(), rel=1e-9)
    look = alike[0] * kept[0]
    hidden = WINDOW**2 * look[used] @ plain @ look[used]
    assert constants[r.HIDDEN] == pytest.approx(min(share * hidden, 1.0), rel=1e-6)
    for far in (0.0, 0.3, -0.55):  # from there the patterns have other noise than the light
        away = basis[0] * far + (basis[1] * 0.4 * far if axes == 2 else 0)
        ahead = np.array((1, far, 0.4 * far, far * far / 2, 0.4 * far * far, 0.08 * far * far))
        ahead[2] *= axes == 2
        ahead[4:] *= axes == 2
        together = ahead @ np.where(kept, alike, 0)
        got = left_by(made.constants, grain[None], WINDOW, away[None])
        assert got[0][0] == pytest.approx(together @ ahead, rel=1e-6 if axes == 2 else 0.03)
        wanted = WINDOW**2 * together[used] @ plain @ together[used]
        assert got[1][0] == pytest.approx(wanted, rel=1e-6 if axes == 2 or far == 0 else 0.05)

    # Variances for noise so correlated.
    def variance(filters):
        return [(one * convolve2d(one, grain, "same")).sum() for one in filters[1:n]]

    both = variance(np.einsum("pq,qij->pij", inverses["whole"], design[:n]))
    apart = variance(np.einsum("pq,qij->pij", inverses["first"], design[:n] * first)
                     - np.einsum("pq,qij->pij", inverses["second"], design[:n] * ~first))  # fmt: skip
    assert constants[r.SPREAD] == pytest.approx(sum(both) / axes, rel=1e-8)
    np.testing.assert_allclose(constants[r.SCALE : r.SCALE + axes], np.sqrt(np.divide(both, apart)), rtol=1e-8)
    # The bend takes what second order leaves out of the answers to shifted references.
    errors = []
    for s in np.linspace(-0.6, 0.6, 9):
        d = basis[0] * s + (basis[1] * -0.5 * s if axes == 2 else 0)
        g, own = between(tile, -d, WINDOW // 2), between(lone, -d, 20)
        lost = share * np.array([(own * one).sum() for one in spread])
        q = {k: np.einsum("pij,ij->p", design * m, g) - counts[k] * lost for k, m in masks_of.items()}
        start = inverses["whole"] @ q["whole"][:n]
        at = np.append(start[1:] / start[0], 0.0)[:2]
        ahead = np.zeros((3, 6))
        ahead[0] = 1, *at, at[0] ** 2 / 2, at[0] * at[1], at[1] ** 2 / 2
        clear = constants[r.CLEAR] * at
        ahead[1, [1, 3, 4]], ahead[2, [2, 4, 5]] = (1, *clear), (1, *clear)
        answers = {}
        for k in masks_of:
            gram = grams[k] - counts[k] * share * np.where(kept, alike, 0)
            there = ahead @ gram @ ahead.T
            there[1:, 1:] = gram[1:3, 1:3]
            one = np.linalg.solve(there[:n, :n], (ahead @ q[k])[:n])
            answers[k] = np.append(one[1:] / one[0], 0.0)[:2]
        monomials = [at[0] ** i * at[1] ** j for i, j in r.POWERS]
        bend = constants[r.BEND : r.LEFT].reshape(4, -1) @ monomials
        errors.append((at[0] + answers["whole"][0] - bend[0] - s,
                       *(bend[2 : 2 + axes] - (answers["first"] - answers["second"])[:axes])))  # fmt: skip
    assert np.abs(errors).max() < (2e-3 if noise < 100 else 0.15)  # of the largest, half of every slope is noise
    assert noise < 100 or share < noise


def test_what_a_noisy_pixel_does_is_what_its_patterns_do():
    slopes, own = tables()
    lone = np.zeros((101, 101))
    lone[50, 50] = 1.0
    light, x, y, xx, xy, yy = patterns(lone)
    pairs = ((x, x), (y, y), (xx, xx), (xy, xy), (yy, yy), (xx, yy))
    for got, (one, other) in zip(slopes, pairs, strict=True):
        np.testing.assert_allclose(got, correlate2d(one, other, "same")[47:54, 47:54], atol=1e-12)
    for got, one in zip(own, (light, x, y, xx, xy, yy), strict=True):
        np.testing.assert_allclose(got, correlate2d(light, one, "same")[43:58, 43:67], atol=1e-12)


def test_the_noise_of_the_reference_is_taken_off_what_is_left():
    # What is left of g - t * f, of frames g and a reference f that have the same noise.
    f, x, y, xx, yy, xy = 0.9, 0.1, -0.15, 0.02, 0.03, 0.03
    stencil = np.array([[xy, yy - y, -xy], [xx - x, f - 2 * xx - 2 * yy, xx + x], [-xy, yy + y, xy]])
    noise = np.zeros((7, 7))
    noise[2:5, 2:5] = np.outer((0.2, 1.0, 0.2), (0.3, 1.0, 0.3))
    seen = noise + convolve2d(noise, correlate2d(stencil, stencil), "same")
    maps = np.zeros(autocovariance_loops.MAPS)
    autocovariance_loops.of_frames(flat := seen.ravel(), np.array([f, x, y, xx, yy, xy]), maps)
    np.testing.assert_allclose(flat.reshape(7, 7), noise, atol=0.01)


@pytest.mark.parametrize("smooth", [0.0, 0.7])
def test_noise_is_seen_as_correlated_as_it_is(smooth):
    rng, window, many = np.random.default_rng(4), 33, 60
    blocks = -(-window // 8)
    room = np.empty(autocovariance_loops.MAPS + 8 * (window + FAR) * (blocks + 2) + 56 * window * blocks)
    tile = speckle(5, window + 2 * MARGIN)
    noise = rng.normal(0, 1, (many, *tile.shape))
    if smooth:
        noise = gaussian_filter(noise, (0, smooth, smooth))
    seen = []
    for one, other in zip(noise[::2], noise[1::2], strict=True):
        frame = 1.3 * moved(tile + one, (0.1, -0.15), mode="mirror") - 20 if not smooth else tile + one
        middle = np.array([frame.shape[1] // 2])
        seen.append(np.empty((1, SIDE, SIDE)))
        rest = Blocks(window, blocks, MARGIN, masks(window)), seen[-1], room
        first = Chosen(np.zeros(1, np.int64), 1)
        call(noise_seen, as_picture(ready(frame)), first, middle, middle, (tile + other)[None], *rest)
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
