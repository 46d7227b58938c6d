"""Standard deviations of blobs that lack pixels: at the picture's edges, in its corners and on dead pixels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kernels.centroids.centroid import ROUNDING, centres_in, window_radius
from kernels.centroids.centroid_scalar import OUTSIDE
from kernels.centroids.truncated_gaussian_errors import inverse_lanes
from kernels.centroids.truncated_gaussian_fit import inverse_loop
from kernels.executors import natives
from kernels.executors.reference import evaluate
from kernels.loops import language
from kernels.stages.components import components

Array = npt.NDArray[Any]
SIDE, WIDTH, WELL, READ, TOP, BACKDROP = 32, 1.4, 1e4, 8.0, 4095, 0.05
FLOOR = np.hypot(np.sqrt(READ**2 + WELL * BACKDROP) / WELL, 1 / np.sqrt(12) / TOP)  # noise of the backdrop
PLACES = [((5, 7), False), ((2, 5), False), ((0.5, 2), False), ((0, 0.5), False), ((-0.5, 0), False), ((1, 4), True),
          ((0, 1), True)]  # fmt: skip


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    language.provide(natives.load)
    yield
    language.provide(natives.load)


def sigmas(rows: Array) -> tuple[Array, Array]:
    return rows["sigma"] * np.sqrt(1 + rows["anisotropy"]), rows["sigma"] * np.sqrt(1 - rows["anisotropy"])


def bells(x: Array, y: Array) -> Array:
    pixels = np.arange(SIDE)
    across, down = (np.exp(-((pixels - at[:, None]) ** 2) / (2 * WIDTH**2)) for at in (x, y))
    return np.asarray(down[:, :, None] * across[:, None, :])


def camera(light: Array, snr: float, rng: np.random.Generator) -> Array:
    """Shot, read and rounding noise in 12 bits; `snr` is a peak over the noise of the backdrop."""
    electrons = rng.poisson((BACKDROP + snr * FLOOR * light) * WELL) + rng.normal(0, READ, light.shape)
    return np.asarray(np.clip(np.rint(electrons / WELL * TOP), 0, TOP), np.uint16)


def drawn(n: int, away: tuple[float, float], corner: bool, rng: np.random.Generator) -> tuple[Array, Array]:
    """Places so far from the first column (in a `corner` and from the first row), half of them as far from the last."""
    x = rng.uniform(*away, n)
    y = rng.uniform(*away, n) if corner else rng.uniform(12, 20, n)
    x[n // 2 :] = SIDE - 1 - x[n // 2 :]
    return x, y


def found_at(images: Array, x: Array, y: Array) -> Array:
    column, row = (np.clip(np.rint(at), 0, SIDE - 1) for at in (x, y))
    return centres_in(images, np.arange(len(x)), column, row, WIDTH, ROUNDING)


@pytest.mark.parametrize("snr", [6, 10, 40])
@pytest.mark.parametrize(("away", "corner"), PLACES)
def test_an_edge_blobs_sigma_is_that_of_its_errors(away: tuple[float, float], corner: bool, snr: float) -> None:
    rng = np.random.default_rng(3)
    x, y = drawn(2000, away, corner, rng)
    rows = found_at(camera(bells(x, y), snr, rng), x, y)
    across, along = variances(rows, x, y)
    assert 0.5 * (across + along) == pytest.approx(1.0, abs=0.2)  # up to 3.9 without the covariance
    # One sigma for both would say 1.9 and 0.4 of half a blob. Of less than half a faint one too little is left to tell.
    assert across == pytest.approx(1.0, abs=0.3 if snr == 6 else 0.2)
    assert along == pytest.approx(1.0, abs=0.2)


@pytest.mark.parametrize(("snr", "away", "corner"), [(6, (-1, -0.5), False), (10, (-1, -0.5), False),
                                                     (4, (-0.5, 0), False), (6, (-0.5, 0), False)])  # fmt: skip
def test_so_is_that_of_less_than_half_a_faint_blob(snr: float, away: tuple[float, float], corner: bool) -> None:
    rng = np.random.default_rng(19)
    x, y = drawn(3000, away, corner, rng)
    rows = found_at(camera(bells(x, y), snr, rng), x, y)
    known = np.isfinite(rows["sigma"])
    assert known.mean() > 0.99  # what is left are fits that ran out of the picture
    across, along = variances(rows[known], x[known], y[known])
    assert across == pytest.approx(1.0, abs=0.25)  # 1.4 to 1.7 if nothing is expected of the width
    assert along == pytest.approx(1.0, abs=0.2)


def test_a_faint_corner_is_nearer_to_the_truth_for_what_is_expected_of_its_width() -> None:
    rng = np.random.default_rng(20)
    x, y = drawn(3000, (-0.3, 0.3), True, rng)
    rows = found_at(camera(bells(x, y), 5, rng), x, y)
    away = np.hypot(rows["x"] - x, rows["y"] - y)[np.isfinite(rows["sigma"])]
    assert np.sqrt(np.mean(away**2)) < 1.0  # 1.6 without


def variances(rows: Array, x: Array, y: Array) -> tuple[float, float]:
    """Of (estimate - truth) / sigma, along x and along y."""
    found = [np.mean(((rows[name] - at) / sigma) ** 2)
             for name, at, sigma in zip("xy", (x, y), sigmas(rows), strict=True)]  # fmt: skip
    return float(found[0]), float(found[1])


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
@pytest.mark.parametrize("shape", [(23, 40), (41, 17)])
def test_at_every_side_of_odd_pictures_each_axis_has_its_own(shape: tuple[int, int], side: str, dark: bool) -> None:
    """For seeds that nothing was chosen on."""
    height, width = shape
    rng, n = np.random.default_rng(17 * height + len(side)), 1200
    away, along = rng.uniform(-0.2, 1.0, n), rng.uniform(8, (height if side in ("left", "right") else width) - 9, n)
    x, y = {"left": (away, along), "right": (width - 1 - away, along), "top": (along, away),
            "bottom": (along, height - 1 - away)}[side]  # fmt: skip
    across, down = (np.exp(-((np.arange(size) - at[:, None]) ** 2) / (2 * WIDTH**2))
                    for size, at in ((width, x), (height, y)))  # fmt: skip
    light = (300.0 * down[:, :, None] * across[:, None, :] + rng.normal(0, 15.0, (n, height, width))).astype(np.float32)
    given = np.clip(np.rint(x), 0, width - 1), np.clip(np.rint(y), 0, height - 1)
    rows = centres_in(-light if dark else light, np.arange(n), *given, WIDTH, dark=dark)
    of_x, of_y = variances(rows, x, y)
    assert of_x == pytest.approx(1.0, abs=0.2)
    assert of_y == pytest.approx(1.0, abs=0.2)
    share = rows["anisotropy"] * (1 if side in ("left", "right") else -1)
    assert np.median(share) > 0.3  # an edge leaves less certain where across it


@pytest.mark.parametrize("snr", [10, 40])
@pytest.mark.parametrize("width", [(2.0, 1.2), (1.1, 1.7)])
@pytest.mark.parametrize("dark", [False, True])
def test_oblong_blobs_are_less_certain_along_their_length(width: tuple[float, float], snr: float, dark: bool) -> None:
    rng, n, pixels = np.random.default_rng(23), 1500, np.arange(33)
    x, y = rng.uniform(14, 18, (2, n))
    across, down = (np.exp(-((pixels - at[:, None]) ** 2) / (2 * s * s)) for at, s in zip((x, y), width, strict=True))
    light = (400.0 * down[:, :, None] * across[:, None, :] + rng.normal(0, 400.0 / snr, (n, 33, 33))).astype(np.float32)
    image = -light if dark else light
    rows = centres_in(image, np.arange(n), np.rint(x), np.rint(y), WIDTH, dark=dark)
    masks = (down[:, :, None] * across[:, None, :]) > 0.3
    moments = np.concatenate([evaluate(components, mask, one, polarity="dark" if dark else "bright").rows[:1]
                              for mask, one in zip(masks, image, strict=True)])  # fmt: skip
    for found in (rows, moments):
        of_x, of_y = variances(found, x, y)
        assert of_x == pytest.approx(1.0, abs=0.25)
        assert of_y == pytest.approx(1.0, abs=0.25)
        assert np.median(found["anisotropy"]) * np.sign(width[0] - width[1]) > 0.15


@pytest.mark.parametrize(("width", "sigma"), [((2.0, 1.2), 1.4), ((1.6, 1.2), 1.4), ((1.2, 0.8), 1.0),
                                                ((2.8, 1.7), 2.0)])  # fmt: skip
@pytest.mark.parametrize(("method", "snr"), [("radial", 30), ("radial", 150), ("auto", 150)])
def test_oblong_blobs_have_no_centre_by_radial_symmetry(
    width: tuple[float, float], sigma: float, method: str, snr: float
) -> None:
    rng, n, pixels = np.random.default_rng(29), 800, np.arange(33)
    x, y, turn = *rng.uniform(14, 18, (2, n)), rng.uniform(0, np.pi, n)
    dx, dy = (pixels - x[:, None])[:, None, :], (pixels - y[:, None])[:, :, None]
    c, s = np.cos(turn)[:, None, None], np.sin(turn)[:, None, None]
    bell = np.exp(-((dx * c + dy * s) ** 2) / (2 * width[0] ** 2) - (dy * c - dx * s) ** 2 / (2 * width[1] ** 2))
    images = (400.0 * bell + rng.normal(0, 400.0 / snr, bell.shape)).astype(np.float32)
    plain, found = (centres_in(images, np.arange(n), np.rint(x), np.rint(y), sigma, method=how)
                    for how in ("gaussian", method))  # fmt: skip
    errors = [np.sqrt(np.mean((rows["x"] - x) ** 2 + (rows["y"] - y) ** 2)) for rows in (plain, found)]
    assert errors[1] < 1.05 * errors[0]  # by radial symmetry up to four times as much
    assert max(variances(found, x, y)) < 1.25  # up to 20


@pytest.mark.parametrize("snr", [10, 40])
@pytest.mark.parametrize(("away", "corner"), [((14, 17), False), ((0, 0.5), False)])
def test_so_is_that_of_a_blob_on_dead_pixels(away: tuple[float, float], corner: bool, snr: float) -> None:
    rng, n = np.random.default_rng(4), 1000
    x, y = drawn(n, away, corner, rng)
    images = camera(bells(x, y), snr, rng).astype(np.float32)
    column, row = (np.clip(np.rint(at).astype(int), 0, SIDE - 2) for at in (x, y))
    for d in range(-5, 6):
        images[np.arange(n), row + d, column + 1] = np.nan  # a column beside the middle
    rows = found_at(images, x, y)
    for found in variances(rows, x, y):
        assert found == pytest.approx(1.0, abs=0.2)


@pytest.mark.parametrize("dead", [False, True])
@pytest.mark.parametrize(("x", "y"), [(0.2, 15.3), (31.4, 14.8), (1.3, 0.6), (4.2, 17.0)])
def test_sigma_is_the_fits_covariance(x: float, y: float, dead: bool) -> None:
    rng, n, noise, height = np.random.default_rng(5), 300, 3.0, 150.0
    light = bells(np.array([x]), np.array([y]))[0]
    images = (60.0 + height * light + rng.normal(0, noise, (n, SIDE, SIDE))).astype(np.float32)
    hole = round(y) + 1, min(round(x) + 1, SIDE - 1)
    if dead:
        images[:, hole[0], hole[1]] = np.nan
    rows = found_at(images, np.full(n, x), np.full(n, y))
    py, px = np.mgrid[:SIDE, :SIDE]
    there = (abs(py - np.rint(y)) <= 7) & (abs(px - np.rint(x)) <= 7)
    there[hole] &= not dead
    dx, dy = px - x, py - y
    slopes = (height * light * dx / WIDTH**2, height * light * dy / WIDTH**2, light,
              height * light * (dx * dx + dy * dy) / WIDTH**3, np.ones_like(light))  # fmt: skip
    matrix = np.stack([one[there] for one in slopes], 1)
    variance = noise**2 * np.linalg.inv(matrix.T @ matrix)
    for k, sigma in enumerate(sigmas(rows)):
        assert np.mean(sigma**-2.0) ** -0.5 == pytest.approx(np.sqrt(variance[k, k]), rel=0.1)


def inverses(matrices: Array) -> tuple[Array, Array]:
    """By both loops, of eight matrices."""
    given, eight = np.full((5, 6, 8), np.nan), np.empty((5, 5, 8))
    one, single, made = np.full((5, 6), np.nan), np.empty((5, 5)), []
    for a in range(5):
        given[a, a:5] = matrices[:, a, a:].T
    for matrix in matrices:
        for a in range(5):
            one[a, a:5] = matrix[a, a:]
        inverse_loop(one.reshape(-1), single.reshape(-1))
        made.append(single.copy())
    inverse_lanes(given.reshape(-1, 8), eight.reshape(-1, 8))
    return eight.transpose(2, 0, 1), np.stack(made)


def test_inverses_are_those_of_the_matrices() -> None:
    half = np.random.default_rng(6).normal(size=(8, 5, 9))
    matrices = half @ half.transpose(0, 2, 1)
    for made in inverses(matrices):
        np.testing.assert_allclose(made, np.linalg.inv(matrices), rtol=1e-5, atol=1e-6)


def test_inverses_of_singular_matrices_are_large() -> None:
    matrices = np.zeros((8, 5, 5))
    matrices[1:] = 1.0
    for made in inverses(matrices):
        assert np.isfinite(made).all()
        assert (abs(made).max((1, 2)) > 1e6).all()


def test_bits_do_not_depend_on_company_or_compiler() -> None:
    rng = np.random.default_rng(7)
    x, y = (np.concatenate(both) for both in zip(drawn(7, (-0.4, 3), True, rng), drawn(4, (0, 1), False, rng),
                                                 strict=True))  # fmt: skip
    images = camera(bells(x, y), 12, rng).astype(np.float32)
    images[3, 1, 1] = np.nan
    together = found_at(images, x, y)
    assert np.isfinite(together["sigma"]).all()
    for k in range(len(x)):
        assert found_at(images[k : k + 1], x[k : k + 1], y[k : k + 1]).tobytes() == together[k : k + 1].tobytes()
    language.provide(None)
    assert found_at(images[:9], x[:9], y[:9]).tobytes() == together[:9].tobytes()


def test_a_corner_that_says_nothing_says_no_more_than_where_it_was_looked_for() -> None:
    rng = np.random.default_rng(8)
    x, y = drawn(300, (-0.5, 0), True, rng)
    stated = found_at(camera(bells(x, y), 3, rng), x, y)["sigma"]
    assert np.nanmax(stated) == window_radius(WIDTH)  # farther from its start it were lost


@pytest.mark.parametrize("dead", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (2, 2), (3, 5)])
def test_nor_do_too_few_pixels(shape: tuple[int, int], dead: bool) -> None:
    images = np.random.default_rng(8).normal(50.0, 3.0, (10, *shape)).astype(np.float32)
    images[:, shape[0] // 2, shape[1] // 2] += 100.0
    if dead and images[0].size > 1:
        images[:, 0, 0] = np.nan
    n = len(images)
    given = images, np.arange(n), np.full(n, shape[1] // 2), np.full(n, shape[0] // 2), WIDTH
    rows = centres_in(*given)
    stated = rows["sigma"][np.isfinite(rows["sigma"])]
    assert (stated > 0).all()
    assert (stated <= window_radius(WIDTH)).all()
    language.provide(None)  # where a division by 0 is an error
    assert centres_in(*given).tobytes() == rows.tobytes()


@pytest.mark.parametrize("kind", [np.uint16, np.float32, np.float64])
def test_no_centre_lies_farther_outside_than_its_light_reaches(kind: type) -> None:
    """A fit of mere noise at an edge, or of a bell's foot, ran up to 4.5 px out of the picture."""
    rng = np.random.default_rng(31)
    n = 1500
    x, y = drawn(n, (-3.0, -1.0), False, rng)
    snr = np.where(np.arange(n) % 3 == 0, 0.0, 20.0)[:, None, None]
    images = camera(bells(x, y) * snr / 20.0, 20.0, rng).astype(kind)
    rows = found_at(images, x, y)
    out = np.maximum(-0.5 - rows["x"], rows["x"] - (SIDE - 0.5))
    known = np.isfinite(rows["sigma"])
    assert 0.9 * OUTSIDE * WIDTH < out.max() <= OUTSIDE * WIDTH
    assert out[~known].max() <= 0.0  # those are where they began
    near = known & (snr.ravel() > 0) & (out < OUTSIDE * WIDTH)
    assert np.mean(out[near] > 0.5) > 0.5  # centres outside stay possible
    for i in range(120):  # by itself as in company
        alone = centres_in(images[i : i + 1], np.zeros(1, np.int64), np.clip(np.rint(x[i : i + 1]), 0, SIDE - 1),
                           np.rint(y[i : i + 1]), WIDTH, ROUNDING)  # fmt: skip
        assert alone.tobytes() == rows[i : i + 1].tobytes()
