"""Patch interpolation against SciPy's on the whole picture."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import map_coordinates, spline_filter

from pipelines.trackers.patches.subpixel import PAD, coefficients, cut, gradient, shifted, turned


@pytest.fixture(scope="module")
def picture():
    return np.random.default_rng(3).integers(0, 255, (80, 90)).astype(np.uint8)


X, Y = np.array([40, 30, 55]), np.array([35, 40, 44])
DX, DY = np.array([0.0, -1.3, 1.99]), np.array([0.5, 0.0, -2.0])


@pytest.mark.parametrize("theta", [0.0, 0.3, -2.0])
def test_windows_equal_the_spline_through_the_whole_picture(picture, theta):
    radius = 6
    c = coefficients(cut(picture, X, Y, 9 + 2 + PAD))
    angles = np.full(3, theta)
    got = turned(c, DX, DY, angles, radius) if theta else shifted(c, DX, DY, radius)
    eta, xi = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    whole = spline_filter(picture.astype(float), 3, mode="mirror")
    for i in range(3):
        x = X[i] + DX[i] + np.cos(theta) * xi - np.sin(theta) * eta
        y = Y[i] + DY[i] + np.sin(theta) * xi + np.cos(theta) * eta
        # 0.268^7 of the picture's contrast is left of the patch's own ends.
        np.testing.assert_allclose(got[i], map_coordinates(whole, (y, x), order=3, prefilter=False), atol=0.05)


def test_shifted_is_turned_by_nothing(picture):
    c = coefficients(cut(picture, X, Y, 17))
    np.testing.assert_allclose(shifted(c, DX, DY, 6), turned(c, DX, DY, np.zeros(3), 6), atol=1e-9)


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
