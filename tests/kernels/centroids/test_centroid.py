"""gaussian_centres: bias, noise against the Cramer-Rao bound, neighbours, edges, holes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import least_squares

from kernels.centroids import batch_step_loops, centroid_scalar
from kernels.centroids.centroid import centres_in
from kernels.executors import natives
from kernels.loops import language
from tests.centres import gaussian_centres

FULL_WELL, WHITE, READ = 10_000.0, 4095.0, 8.0  # electrons, gray value of the full well, electrons
GAIN = FULL_WELL / WHITE  # electrons a gray value


def blobs(shape, x, y, sigma, height, ground=0.0):
    """Gaussians sampled at the pixel centres."""
    image = np.full(shape, ground, np.float64)
    rows, columns = np.arange(shape[0]), np.arange(shape[1])
    for cx, cy, s, h in zip(x, y, np.broadcast_to(sigma, len(x)), np.broadcast_to(height, len(x)), strict=True):
        across = np.exp(-((columns - cx) ** 2) / (2 * s * s))
        image += h * np.exp(-((rows - cy) ** 2) / (2 * s * s))[:, None] * across
    return image


def sensor(image, rng):
    """Shot noise, read noise, a 12-bit converter."""
    electrons = rng.poisson(image * GAIN) + rng.normal(0.0, READ, image.shape)
    return np.clip(np.rint(electrons / GAIN), 0, WHITE).astype(np.uint16)


def bound(sigma, height, ground):
    """Cramer-Rao bound of one coordinate of a Gaussian of known shape, px."""
    x = np.arange(-12, 13)
    light = height * np.exp(-(x[:, None] ** 2 + x**2) / (2 * sigma**2))
    variance = (light + ground) / GAIN + (READ / GAIN) ** 2 + 1 / 12
    return 1 / np.sqrt(((light * x / sigma**2) ** 2 / variance).sum())


@pytest.mark.parametrize(("sigma", "limit"), [(0.8, 0.016), (1.2, 1e-3), (1.5, 1e-4), (2.0, 1e-4)])
def test_s_curve(sigma, limit):
    phase = np.linspace(-0.5, 0.5, 21)
    x, y = 20 + 25 * np.arange(21) + phase, np.full(21, 20.3)
    found = gaussian_centres(blobs((41, 550), x, y, sigma, 1000.0, 50.0), np.rint(x), np.rint(y), sigma)
    assert abs(found["x"] - x).max() <= limit
    assert abs(found["y"] - y).max() <= limit


@pytest.mark.parametrize("factor", [0.75, 1.5])
@pytest.mark.parametrize("sigma", [1.2, 1.6])
def test_a_wrong_width_does_not_pull(sigma, factor):
    x, y = 20 + 25 * np.arange(20) + np.linspace(-0.5, 0.5, 20), np.full(20, 20.3)
    found = gaussian_centres(blobs((41, 530), x, y, sigma, 1000.0), np.rint(x), np.rint(y), sigma * factor)
    assert np.hypot(found["x"] - x, found["y"] - y).max() <= 2e-3
    np.testing.assert_allclose(np.sqrt(found["xx"]), sigma, rtol=0.02)


def test_a_ground_that_slopes_down_alone_is_the_same_for_who_stands_beside_one_that_slopes_across():
    image = 20.0 + 2.0 * np.arange(40)[:, None] + np.maximum(np.arange(90) - 45, 0)
    image = np.rint(blobs(image.shape, [20.0, 70.0], [19.7, 21.0], 1.4, 100.0) + image).astype(np.uint8)
    x, y = np.array([20.0, 70.0]), np.array([20.0, 21.0])
    both = centres_in(image[None], np.zeros(2, np.int64), x, y, 1.4, 1 / 12)
    alone = centres_in(image[None], np.zeros(1, np.int64), x[:1], y[:1], 1.4, 1 / 12)
    assert both[:1].tobytes() == alone.tobytes()
    assert abs(alone["y"][0] - 19.7) < 0.01


@pytest.mark.parametrize("left", [20, 3])  # of the first one: one of the lanes, and one by itself at the edge
def test_an_ovals_centre_is_the_same_wherever_it_is_looked_for_from(left):
    x, y = left + 26 * np.arange(12) + np.linspace(-0.15, 0.15, 12), np.full(12, 20.1)
    image, angle = np.full((41, 330), 50.0), np.linspace(0, np.pi, 12)
    rows, columns = np.mgrid[:41, :330]
    for cx, cy, turn in zip(x, y, angle, strict=True):
        along = (columns - cx) * np.cos(turn) + (rows - cy) * np.sin(turn)
        across = (rows - cy) * np.cos(turn) - (columns - cx) * np.sin(turn)
        image += 1000.0 * np.exp(-(along**2) / (2 * 2.2**2) - across**2 / (2 * 1.1**2))
    found = [gaussian_centres(image, x + dx, y + dy, 1.4) for dx, dy in ((0, 0), (0.6, 0.4), (-0.5, 0.7), (0.3, -0.8))]
    inside = slice(int(left < 8), None)  # at the edge the fit, which knows no ovals, says where
    for one in found:
        assert np.hypot(one["x"] - x, one["y"] - y)[inside].max() <= 5e-3
        assert np.hypot(one["x"] - found[0]["x"], one["y"] - found[0]["y"])[inside].max() <= 1e-4


@pytest.mark.parametrize("sigma", [1.2, 2.0])
@pytest.mark.parametrize("snr", [6, 12, 25, 50, 100])
def test_noise_is_at_the_bound_and_foretold(sigma, snr):
    rng = np.random.default_rng(snr)
    ground = 100.0
    height = snr * np.sqrt(ground / GAIN + (READ / GAIN) ** 2)
    x, y = (a.ravel() + rng.uniform(-0.5, 0.5, a.size) for a in np.meshgrid(*[np.arange(20, 480, 20.0)] * 2))
    image = sensor(blobs((500, 500), x, y, sigma, height, ground), rng)
    start = np.rint(x + rng.normal(0, 0.3, len(x))), np.rint(y + rng.normal(0, 0.3, len(y)))
    found = gaussian_centres(image, *start, sigma)
    errors = np.concatenate((found["x"] - x, found["y"] - y))
    rms = np.sqrt(np.mean(errors**2))
    # 1058 coordinates scatter by 2.2 % themselves; above SNR 25 shot noise makes white weights 5 % worse.
    assert rms <= (1.07 if snr <= 25 else 1.12) * bound(sigma, height, ground)
    assert np.mean((errors / np.tile(found["sigma"], 2)) ** 2) == pytest.approx(1.0, abs=0.2)
    assert found["mass"].mean() == pytest.approx(2 * np.pi * sigma**2 * height, rel=0.03)


@pytest.mark.parametrize("sigma", [1.2, 1.4])
@pytest.mark.parametrize("snr", [6, 12, 25, 50, 100])
def test_the_best_way_for_each_is_within_five_percent_of_the_bound(sigma, snr):
    rng = np.random.default_rng(snr + 7)
    ground = 100.0
    height = snr * np.sqrt(ground / GAIN + (READ / GAIN) ** 2)
    x, y = (a.ravel() + rng.uniform(-0.5, 0.5, a.size) for a in np.meshgrid(*[np.arange(20, 980, 20.0)] * 2))
    pixels = np.arange(1000)
    down, across = (np.exp(-((pixels - centre[:, None]) ** 2) / (2 * sigma**2)) for centre in (y, x))
    image = sensor(ground + height * down.T @ across, rng)
    found = centres_in(image[None], np.zeros(len(x), int), np.rint(x), np.rint(y), sigma, 1 / 12, method="auto")
    rms = np.sqrt(np.mean(np.concatenate((found["x"] - x, found["y"] - y)) ** 2))
    assert rms <= 1.05 * bound(sigma, height, ground)  # 4608 coordinates scatter by 1 % themselves


@pytest.mark.parametrize(("sigma", "limit"), [(1.2, 2e-3), (1.5, 2e-3), (2.0, 2e-3)])
@pytest.mark.parametrize("factor", [0.8, 1.0, 1.3])
def test_s_curve_of_radial_symmetry(sigma, factor, limit):
    phase = np.linspace(-0.5, 0.5, 21)
    x, y = 20 + 25 * np.arange(21) + phase, np.full(21, 20.3)
    image = blobs((41, 550), x, y, sigma, 1000.0, 50.0)
    start = np.rint(x), np.rint(y), sigma * factor
    found = centres_in(image[None], np.zeros(21, int), *start, method="radial")
    assert abs(found["x"] - x).max() <= limit
    assert abs(found["y"] - y).max() <= limit
    assert (found["x"] != gaussian_centres(image, *start)["x"]).any()


@pytest.mark.parametrize("sigma", [0.5, 0.6, 0.7, 0.75])
def test_windows_too_small_for_gradients_are_not_chosen_for_them(sigma):
    rng = np.random.default_rng(8)
    x, y = (a.ravel() + rng.uniform(-0.5, 0.5, a.size) for a in np.meshgrid(*[np.arange(20, 480, 20.0)] * 2))
    image = blobs((500, 500), x, y, sigma, 300.0, 100.0) + rng.normal(0, 1, (500, 500))
    start = image[None], np.zeros(len(x), int), np.rint(x), np.rint(y), sigma
    best, plain, lines = (centres_in(*start, method=method) for method in ("auto", "gaussian", "radial"))
    assert best.tobytes() == plain.tobytes()  # all are bright and alone
    assert (lines["x"] != plain["x"]).mean() > 0.5  # those that seem oblong by the noise are not chosen either


@pytest.mark.parametrize("method", ["gaussian", "radial"])
def test_a_window_that_is_not_cut_anew_is_still_the_one_that_is_summed(method, monkeypatch):
    image = blobs((31, 31), [15.9], [14.2], 1.5, 1000.0, 10.0)
    given = image[None], np.zeros(1, int), np.array([15.0]), np.array([15.0]), 1.5
    settled = centres_in(*given, method=method)
    language.provide(None)  # constants are in the machine code
    try:
        assert centres_in(*given, method=method).tobytes() == settled.tobytes()
        for module in (batch_step_loops, centroid_scalar):
            monkeypatch.setattr(module, "ROUNDS", 1)
        hasty = centres_in(*given, method=method)
    finally:
        language.provide(natives.load)
    for name in ("x", "y", "mass", "peak"):
        assert hasty[name][0] == pytest.approx(settled[name][0], rel=0.01, abs=0.02)


@pytest.mark.parametrize("kind", ["uint8", "float64"])
@pytest.mark.parametrize("spacing", [20.0, 9.0])
def test_blobs_whose_windows_are_cut_anew_are_what_they_are_alone(kind, spacing):
    """Such wait until there is a vector of them; here half of them do, at the picture's edges, too."""
    rng = np.random.default_rng(9)
    x, y = (a.ravel() + rng.uniform(-0.5, 0.5, a.size) for a in np.meshgrid(*[np.arange(2, 120, spacing)] * 2))
    images = (blobs((122, 122), x, y, 1.5, 150.0, 30.0) + rng.normal(0, 2, (3, 122, 122))).astype(kind)
    away = rng.uniform(0.0, 2.2, (2, 3, len(x))) * np.where(rng.random((2, 3, len(x))) < 0.5, -1, 1)
    start_x, start_y, frame = (x + away[0]).ravel(), (y + 0.5 * away[1]).ravel(), np.repeat(np.arange(3), len(x))
    found = centres_in(images, frame, start_x, start_y, 1.5)
    for k in range(3):
        one = gaussian_centres(images[k], start_x[frame == k], start_y[frame == k], 1.5)
        assert one.tobytes() == found[frame == k].tobytes()
    if spacing > 15:
        for k in range(0, len(frame), 5):
            alone = centres_in(images, frame[k : k + 1], start_x[k : k + 1], start_y[k : k + 1], 1.5)
            assert alone.tobytes() == found[k : k + 1].tobytes()


@pytest.mark.parametrize("kind", ["uint8", "float64"])
def test_blobs_that_arrive_slowly_take_as_many_steps_as_alone(kind):
    """Two things seen as one never quite arrive; those beside them, which do, let them go on later."""
    rng = np.random.default_rng(12)
    x, y = (a.ravel() + rng.uniform(-0.5, 0.5, a.size) for a in np.meshgrid(*[np.arange(20, 200, 24.0)] * 2))
    twin = np.arange(0, len(x), 6)
    apart, height = rng.uniform(3.0, 9.0, len(twin)), np.full(len(x) + len(twin), 150.0)
    all_x, all_y = np.concatenate((x, x[twin] + apart)), np.concatenate((y, y[twin]))
    image = (blobs((220, 220), all_x, all_y, 1.5, height, 30.0) + rng.normal(0, 2, (220, 220))).astype(kind)
    start_x, start_y = x.copy(), y
    start_x[twin] += 0.5 * apart
    found = gaussian_centres(image, start_x, start_y, 1.5)
    for k in twin:
        alone = gaussian_centres(image, start_x[k : k + 1], start_y[k : k + 1], 1.5)
        assert alone.tobytes() == found[k : k + 1].tobytes()


def test_blobs_that_wait_are_the_same_in_python():
    rng = np.random.default_rng(10)
    x, y = (a.ravel() + rng.uniform(-0.5, 0.5, a.size) for a in np.meshgrid(*[np.arange(3, 95, 15.0)] * 2))
    image = np.rint(blobs((92, 92), x, y, 1.2, 150.0, 30.0) + rng.normal(0, 2, (92, 92))).astype(np.uint8)
    given = image, x + rng.uniform(-1.5, 1.5, len(x)), y + rng.uniform(-1.5, 1.5, len(x)), 1.2
    native = gaussian_centres(*given)
    language.provide(None)
    try:
        assert gaussian_centres(*given).tobytes() == native.tobytes()
    finally:
        language.provide(natives.load)


@pytest.mark.parametrize("sigma", [1.2, 1.5, 2.0])
@pytest.mark.parametrize(("apart", "limit"), [(2.5, 0.06), (3.0, 0.015), (4.0, 0.002), (6.0, 0.002)])
@pytest.mark.parametrize("ratio", [1.0, 0.5])
def test_touching_blobs(sigma, apart, limit, ratio):
    rng = np.random.default_rng(3)
    angle, n = rng.uniform(0, 2 * np.pi, 15), 15
    cx, cy = 25 + 40 * np.arange(n) + rng.uniform(-0.5, 0.5, n), 25 + rng.uniform(-0.5, 0.5, n)
    dx, dy = 0.5 * apart * sigma * np.cos(angle), 0.5 * apart * sigma * np.sin(angle)
    x, y = np.concatenate((cx - dx, cx + dx)), np.concatenate((cy - dy, cy + dy))
    image = blobs((51, 620), x, y, sigma, np.repeat([1000.0, 1000.0 * ratio], n), 20.0)
    found = gaussian_centres(image, np.rint(x), np.rint(y), sigma)
    assert np.hypot(found["x"] - x, found["y"] - y).max() <= limit


def test_blobs_at_the_pictures_edge():
    rng = np.random.default_rng(4)
    image_shape = (60, 80)
    x = np.array([0.2, 79.1, 40.3, 20.2, 0.4, 78.8])
    y = np.array([30.4, 12.3, -0.2, 59.3, 0.3, 58.9])
    image = blobs(image_shape, x, y, 1.5, 1000.0, 100.0) + rng.normal(0, 1, image_shape)
    found = gaussian_centres(image, np.clip(np.rint(x), 0, 79), np.clip(np.rint(y), 0, 59), 1.5)
    assert np.hypot(found["x"] - x, found["y"] - y).max() <= 0.03


def seen(image, middle, radius=7):
    """The pixels of a window that exist, and their places."""
    rows, columns = (slice(max(0, m - radius), m + radius + 1) for m in middle[::-1])
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    return image[rows, columns].astype(float), x[rows, columns], y[rows, columns]


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
def test_at_an_edge_the_pixels_that_exist_are_fitted(kind):
    rng = np.random.default_rng(5)
    x = np.array([0.2, 39.3, 20.4, 18.8, 0.7, 38.6, 3.4, 36.1, 5.2])  # not as many as a vector has
    y = np.array([15.4, 12.3, -0.2, 28.7, 0.4, 28.9, 20.3, 4.4, 26.6])
    frames = np.stack([np.clip(blobs((30, 40), [a], [b], 1.6, 140.0, 60.0) + rng.normal(0, 2, (30, 40)), 0, 255)
                       for a, b in zip(x, y, strict=True)]).astype(kind)  # fmt: skip
    start = np.clip(np.rint(x), 0, 39), np.clip(np.rint(y), 0, 29)
    found = centres_in(frames, np.arange(9), *start, 1.4)
    for k in range(9):
        def rest(p, k=k):
            light, px, py = seen(frames[k], (round(found["x"][k]), round(found["y"][k])))
            bell = np.exp(-((px - p[0]) ** 2 + (py - p[1]) ** 2) / (2 * p[3] ** 2))
            return (light - p[4] - p[2] * bell).ravel()

        best = least_squares(rest, (x[k], y[k], 140.0, 1.6, 60.0), xtol=1e-12, ftol=1e-12).x
        np.testing.assert_allclose((found["x"][k], found["y"][k]), best[:2], atol=2e-3)
        np.testing.assert_allclose(np.sqrt(found["xx"][k]), best[3], rtol=0.01)
        assert found["sigma"][k] > 0


def test_dead_pixels_are_filled_by_the_model():
    image = blobs((31, 31), [15.3], [14.8], 1.5, 1000.0, 10.0).astype(np.float32)
    image[14, 16] = image[10, 10] = np.nan
    found = gaussian_centres(image, np.array([15]), np.array([15]), 1.5)
    assert found["x"][0] == pytest.approx(15.3, abs=5e-3)
    assert found["y"][0] == pytest.approx(14.8, abs=5e-3)


def test_no_light_and_no_candidates():
    flat = gaussian_centres(np.full((20, 20), 7, np.uint8), np.array([5, 12]), np.array([5, 12]), 1.5)
    np.testing.assert_array_equal(flat["x"], [5, 12])
    assert np.isnan(flat["sigma"]).all()
    assert len(gaussian_centres(np.zeros((3, 3)), np.zeros(0), np.zeros(0), 1.0)) == 0
    one = gaussian_centres(np.full((1, 1), 3.0), np.array([0]), np.array([0]), 1.0)
    assert (one["x"][0], one["y"][0]) == (0, 0)


def test_a_blob_does_not_depend_on_far_company():
    x, y = np.array([20.3, 200.2, 110.0]), np.array([20.1, 22.4, 21.3])
    image = blobs((50, 230), x, y, 1.5, 500.0, 30.0)
    together = gaussian_centres(image, np.rint(x), np.rint(y), 1.5)
    for i in range(3):
        alone = gaussian_centres(image, np.rint(x[i : i + 1]), np.rint(y[i : i + 1]), 1.5)
        assert alone[0].tobytes() == together[i].tobytes()  # NaN, of what is not measured, is NaN


def test_noise_of_dark_blobs_is_that_of_the_light_they_leave():
    rng, n = np.random.default_rng(7), 400
    x, y = 20.0 + 24 * (np.arange(n) % 20) + rng.uniform(-0.5, 0.5, n), 20.0 + 24 * (np.arange(n) // 20)
    light = 6000.0 - blobs((520, 520), x, y, 1.6, 5000.0)
    image = rng.poisson(np.maximum(light, 0.0)).astype(np.float32)
    found = centres_in(image[None], np.zeros(n, int), np.rint(x), y, 1.4, dark=True)
    errors = np.concatenate((found["x"] - x, found["y"] - y)) / np.tile(found["sigma"], 2)
    assert 0.75 < np.mean(errors**2) < 1.2  # 0.63 with the noise of the ground


@pytest.mark.parametrize(("method", "least"), [("gaussian", 0.7), ("radial", 0.45)])
def test_flat_discs_are_no_noise(method, least):
    rng, n = np.random.default_rng(8), 400
    x, y = 20.0 + 24 * (np.arange(n) % 20) + rng.uniform(-0.5, 0.5, n), 20.0 + 24 * (np.arange(n) // 20)
    rows, columns = np.mgrid[:520, :520]
    light = np.zeros((520, 520))
    for cx, cy in zip(x, y, strict=True):
        near = np.s_[int(cy) - 9 : int(cy) + 10, round(cx) - 9 : round(cx) + 10]
        away = np.hypot(columns[near] - cx, rows[near] - cy)
        light[near] = 0.5 - 0.5 * np.tanh((away - 2.8) / 1.0)
    image = (light * 200 + rng.normal(0, 2.0, light.shape)).astype(np.float32)
    found = centres_in(image[None], np.zeros(n, int), np.rint(x), y, 1.4, method=method)
    errors = np.concatenate((found["x"] - x, found["y"] - y)) / np.tile(found["sigma"], 2)
    assert least < np.mean(errors**2) < 1.2  # 0.29 and 0.23 where what is even about the middle counts as noise
