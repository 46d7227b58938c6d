"""How long a blob is, by its light under weights: what noise makes of it, two in one, and what lies beside it."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.executors.reference import evaluate
from kernels.stages.components import components
from tests.centres import gaussian_centres

SIZE, EVERY, WIDTH = 480, 24, 1.4


def lattice(seed=1):
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(np.arange(EVERY, SIZE - EVERY + 1, EVERY), np.arange(EVERY, SIZE - EVERY + 1, EVERY))
    return (v.ravel() + rng.uniform(-0.5, 0.5, v.size) for v in (x, y))


def drawn(x, y, amplitude, cxx=WIDTH**2, cxy=0.0, cyy=WIDTH**2):
    """Bells of that covariance, px^2."""
    columns, rows, picture = np.arange(SIZE), np.arange(SIZE)[:, None], np.full((SIZE, SIZE), 20.0)
    det = cxx * cyy - cxy * cxy
    for a, b, height in zip(x, y, np.broadcast_to(amplitude, x.shape), strict=True):
        left, top = max(int(a) - 14, 0), max(int(b) - 14, 0)
        dx, dy = columns[left : left + 29] - a, rows[top : top + 29] - b
        light = np.exp(-0.5 * (cyy * dx * dx - 2 * cxy * dx * dy + cxx * dy * dy) / det)
        picture[top : top + 29, left : left + 29] += height * light
    return picture


def found(picture, x, y):
    return gaussian_centres(picture.astype(np.float32), x, y, WIDTH)


@pytest.mark.parametrize("angle", [0.0, 0.5, 2.0])
def test_of_a_long_bell_it_is_half_the_difference_of_its_squared_widths(angle):
    x, y = lattice()
    long, c, s = 0.3, np.cos(angle), np.sin(angle)
    rows = found(drawn(x, y, 100.0, WIDTH**2 + long * c * c, long * c * s, WIDTH**2 + long * s * s), x, y)
    np.testing.assert_allclose(rows["stretch"], 0.5 * long * np.cos(2 * angle), atol=0.02)
    np.testing.assert_allclose(rows["lean"], 0.5 * long * np.sin(2 * angle), atol=0.02)


@pytest.mark.parametrize("angle", [0.0, 0.5, np.pi / 4, 1.2])
@pytest.mark.parametrize("apart", [0.7, 1.4, 2.1, 2.8, 3.5])
def test_of_two_of_equal_light_it_is_an_eighth_of_their_squared_distance(apart, angle):
    x, y = lattice()
    dx, dy = 0.5 * apart * np.cos(angle), 0.5 * apart * np.sin(angle)
    rows = found(drawn(x - dx, y - dy, 50.0) + drawn(x + dx, y + dy, 50.0), x, y)
    along = rows["stretch"] * np.cos(2 * angle) + rows["lean"] * np.sin(2 * angle)
    across = rows["lean"] * np.cos(2 * angle) - rows["stretch"] * np.sin(2 * angle)
    np.testing.assert_allclose(along, apart**2 / 8, rtol=0.12, atol=0.005)
    assert abs(across).max() < 0.01 + 0.02 * apart**2


def test_noise_moves_it_by_hardly_more_than_it_must():
    """The Cramer-Rao bound of either is 2 w^2 of that of a coordinate, w being the width."""
    rng, x, y = np.random.default_rng(3), *lattice()
    shapes, off, clean = [], [], drawn(x, y, 100.0)
    for _ in range(8):
        rows = found(clean + rng.normal(0, 5.0, clean.shape), x, y)
        shapes += [rows["stretch"], rows["lean"]]
        off += [rows["x"] - x, rows["y"] - y]
    bound = 2 * WIDTH**2 * np.var(off)
    assert 0.8 * bound < np.var(shapes) < 1.4 * bound
    assert abs(np.mean(shapes)) < 0.1 * np.sqrt(bound)


def test_it_is_the_same_of_light_too_bright_for_squares_in_f32():
    """Such a blob is measured by itself, not in a lane."""
    x, y = lattice()
    picture = drawn(x, y, 100.0, WIDTH**2 + 0.3, 0.1, WIDTH**2)
    bright, plain = found(picture * 2.0**70, x, y), found(picture, x, y)
    for name in ("stretch", "lean"):
        np.testing.assert_allclose(bright[name], plain[name], rtol=1e-3)


def test_what_lies_beside_it_does_not_make_it_long():
    """Four and a half widths away; the light of both is known."""
    x, y = lattice()
    beside = 4.5 * WIDTH
    picture = drawn(x, y, 100.0) + drawn(x + beside, y, 60.0) - 20.0
    rows = found(picture, np.concatenate((x, x + beside)), np.concatenate((y, y)))
    assert abs(rows["stretch"]).max() < 0.02 * WIDTH**2


def test_of_a_region_it_is_that_of_its_moments():
    x, y = lattice()
    image = drawn(x, y, 100.0, 1.3 * WIDTH**2, 0.2, WIDTH**2).astype(np.float32)
    rows = evaluate(components, image > 45, image).rows
    np.testing.assert_array_equal(rows["stretch"], 0.5 * (rows["xx"] - rows["yy"]))
    np.testing.assert_array_equal(rows["lean"], rows["xy"])
    better = evaluate(components, image > 45, image, refine_sigma=WIDTH).rows
    np.testing.assert_allclose(better["stretch"], 0.15 * WIDTH**2, rtol=0.2)
    np.testing.assert_allclose(better["lean"], 0.2, rtol=0.2)


def test_of_what_the_edge_cuts_it_is_unknown():
    x, y = np.array([1.0, 60.0]), np.array([60.0, 60.0])
    picture = drawn(x, y, 100.0)
    whole, single = found(picture, x, y), found(np.where(picture > 119.9, np.nan, picture), x, y)
    assert np.isnan(whole["stretch"]).tolist() == np.isnan(whole["lean"]).tolist() == [True, False]
    assert np.isfinite(whole["sigma"]).all()
    assert np.isnan(single["stretch"]).all()
