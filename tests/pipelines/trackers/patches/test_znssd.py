"""Sub-pixel registration against analytic motion and the Cramer-Rao bound."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.trackers.patches.znssd import references, refine, tiles_at

WINDOW = 21


@pytest.fixture(scope="module")
def plate(scene):
    return scene.Speckle(seed=4)


@pytest.fixture(scope="module")
def grid():
    x, y = np.meshgrid(np.arange(30.0, 230, 22), np.arange(30.0, 230, 22))
    return x.ravel(), y.ravel()


def prepare(image, x, y, model="translation"):
    return references(tiles_at(image, x, y, np.zeros(len(x)), WINDOW), model)


def test_the_systematic_error_stays_below_five_thousandths(plate, grid):
    x, y = grid
    ref = prepare(120 + 40 * plate.image(260, 260), x, y)
    bias, rms = [], []
    for d in np.linspace(0, 1, 9):
        fit = refine(np.rint(120 + 40 * plate.image(260, 260, d, -0.6 * d)), ref, x, y, np.zeros(len(x)), "translation")
        assert fit.converged.all()
        error = np.stack((fit.x - x - d, fit.y - y + 0.6 * d))
        bias.append(np.abs(error.mean(axis=1)).max())
        rms.append(np.sqrt(np.mean(error**2)))
    assert max(bias) < 0.003
    assert max(rms) < 0.003


@pytest.mark.parametrize("noise", [2.0, 8.0])
def test_noise_is_at_the_cramer_rao_bound_and_reported(plate, grid, noise):
    rng = np.random.default_rng(8)
    x, y = grid
    clean = 120 + 40 * plate.image(260, 260)
    exact = prepare(clean, x, y)
    # Both pictures are noisy: twice the variance of one.
    bound = np.sqrt(2 * noise**2 * exact.variance[:, :2].mean())
    ref = prepare(clean + rng.normal(0, noise, clean.shape), x, y)
    errors, sigma = [], []
    for d in (0.0, 0.25, 0.5, 0.8):
        moved = 120 + 40 * plate.image(260, 260, d, d / 2)
        fit = refine(moved + rng.normal(0, noise, clean.shape), ref, x, y, np.zeros(len(x)), "translation")
        errors.append(np.stack((fit.x - x - d, fit.y - y - d / 2)))
        sigma.append(fit.variance)
    rms = np.sqrt(np.mean(np.square(errors)))
    # Flicker changes nothing; the spline's smoothing at half pixels makes the residual a little small.
    assert 0.9 * bound < rms < 1.1 * bound
    assert 0.75 * rms < np.sqrt(np.mean(sigma)) < 1.1 * rms


def test_gain_and_offset_change_nothing(plate, grid):
    x, y = grid
    ref = prepare(100 + 40 * plate.image(260, 260), x, y)
    moved = 100 + 40 * plate.image(260, 260, 0.7, -0.4)
    one = refine(moved, ref, x, y, np.zeros(len(x)), "translation")
    for gain, offset in ((0.75, 0.0), (16.0, -300.0), (0.01, 5.0)):
        two = refine(gain * moved + offset, ref, x, y, np.zeros(len(x)), "translation")
        np.testing.assert_allclose(two.x, one.x, atol=1e-7)
        np.testing.assert_allclose(two.y, one.y, atol=1e-7)
        np.testing.assert_allclose(two.score, one.score, atol=1e-9)


@pytest.mark.parametrize("theta", [-0.12, 0.03, 0.2])
def test_rotation_is_found_about_the_given_point(plate, theta):
    x, y = np.array([64.0]), np.array([60.0])
    ref = prepare(100 + 40 * plate.image(128, 128), x, y, "rigid")
    moved = 100 + 40 * plate.image(128, 128, 0.35, -0.7, theta, (64.0, 60.0))
    fit = refine(moved, ref, x, y, np.array([theta - 0.05]), "rigid", 30)
    assert fit.converged[0]
    assert fit.score[0] > 0.999
    np.testing.assert_allclose((fit.x[0], fit.y[0], fit.theta[0]), (64.35, 59.3, theta), atol=3e-3)


def test_large_starting_errors_do_not_count_as_found(plate):
    x, y = np.array([64.0]), np.array([64.0])
    ref = prepare(plate.image(128, 128), x, y)
    fit = refine(plate.image(128, 128), ref, x + 6, y, np.zeros(1), "translation")
    assert not fit.converged[0] or fit.score[0] < 0.6


def test_no_texture_is_known_beforehand(plate):
    x, y = np.array([40.0]), np.array([40.0])
    speckle = plate.image(80, 80)
    stripes = np.tile(speckle[:1], (80, 1))
    for image, expected in ((speckle, True), (np.full((80, 80), 7.0), False), (stripes, False), (stripes.T, False)):
        assert prepare(image, x, y).textured.tolist() == [expected]
    yy, xx = np.mgrid[:80, :80]
    ball = np.exp(-((xx - 40) ** 2 + (yy - 40) ** 2) / 30.0)
    assert prepare(ball, x, y).textured.all()
    assert not prepare(ball, x, y, "rigid").textured.any()
    fit = refine(ball, prepare(ball, x, y, "rigid"), x, y, np.zeros(1), "rigid")
    assert not fit.converged.any()


def test_a_window_does_not_depend_on_its_company(plate, grid):
    x, y = grid
    ref = prepare(plate.image(260, 260), x, y)
    moved = plate.image(260, 260, 0.3, 0.3)
    both = refine(moved, ref, x, y, np.zeros(len(x)), "translation")
    one = refine(moved, prepare(plate.image(260, 260), x[5:6], y[5:6]), x[5:6], y[5:6], np.zeros(1), "translation")
    np.testing.assert_allclose((one.x[0], one.y[0]), (both.x[5], both.y[5]), atol=1e-12)


def test_tiles_are_sampled_at_any_place_and_angle(plate):
    centre = (64.3, 63.6)
    moved = plate.image(128, 128, 0.3, -0.4, 0.4, (64.0, 64.0))
    tile = tiles_at(moved, np.array([centre[0]]), np.array([centre[1]]), np.array([0.4]), WINDOW)
    still = tiles_at(plate.image(128, 128), np.array([64.0]), np.array([64.0]), np.zeros(1), WINDOW)
    np.testing.assert_allclose(tile, still, atol=0.03)
