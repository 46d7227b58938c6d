"""Patch interpolation against SciPy's on the whole picture."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import map_coordinates, spline_filter

from pipelines.trackers.patches.subpixel import MARGIN, PAD, coefficients, cut, gradient, shifted, tiles_at


@pytest.fixture(scope="module")
def picture():
    return np.random.default_rng(3).integers(0, 255, (80, 90)).astype(np.uint8)


X, Y = np.array([40, 30, 55]), np.array([35, 40, 44])
DX, DY = np.array([0.0, -1.3, 1.99]), np.array([0.5, 0.0, -2.0])


def test_windows_equal_the_spline_through_the_whole_picture(picture):
    radius = 6
    got = shifted(coefficients(cut(picture, X, Y, 9 + 2 + PAD)), DX, DY, radius)
    eta, xi = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    whole = spline_filter(picture.astype(float), 3, mode="mirror")
    for i in range(3):
        # 0.268^7 of the picture's contrast is left of the patch's own ends.
        place = Y[i] + DY[i] + eta, X[i] + DX[i] + xi
        np.testing.assert_allclose(got[i], map_coordinates(whole, place, order=3, prefilter=False), atol=0.05)


def test_tiles_are_sampled_at_any_place(picture):
    still = tiles_at(picture, X.astype(float), Y.astype(float), 5)
    np.testing.assert_array_equal(still, cut(picture, X, Y, 2 + MARGIN))
    moved = tiles_at(picture, X + 0.3, Y - 0.4, 5)
    whole = spline_filter(picture.astype(float), 3, mode="mirror")
    eta, xi = np.mgrid[-9:10, -9:10]
    for i in range(3):
        place = Y[i] - 0.4 + eta, X[i] + 0.3 + xi
        np.testing.assert_allclose(moved[i], map_coordinates(whole, place, order=3, prefilter=False), atol=0.5)


def test_slopes_equal_differences(picture):
    c = coefficients(cut(picture, X, Y, 15))
    gx, gy = gradient(c, 9)
    h, zero = np.full(3, 1e-5), np.zeros(3)
    np.testing.assert_allclose(gx, (shifted(c, h, zero, 6) - shifted(c, -h, zero, 6)) / 2e-5, atol=1e-3)
    np.testing.assert_allclose(gy, (shifted(c, zero, h, 6) - shifted(c, zero, -h, 6)) / 2e-5, atol=1e-3)


def test_beyond_the_edge_the_edge_goes_on(picture):
    patch = cut(picture, np.array([0]), np.array([79]), 2)[0]
    np.testing.assert_array_equal(patch[:3, 2:], picture[77:80, 0:3])
    assert (patch[:3, :2] == patch[:3, 2:3]).all()
    assert (patch[3:] == patch[2]).all()
