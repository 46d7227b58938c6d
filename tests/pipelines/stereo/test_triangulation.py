"""Places in space are where they are, within what is said of their uncertainty."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.stereo.triangulation import first_places, triangulate
from tests.pipelines.stereo.rigs import camera, three_cameras


@pytest.mark.parametrize("count", [2, 3])
def test_errors_are_as_large_as_their_sigma(count: int) -> None:
    random, cameras = np.random.default_rng(2), three_cameras()[:count]
    places = random.uniform(-60, 60, (3000, 3)) + [0, 0, 500]
    sigma = np.broadcast_to(np.array([0.05, 0.02]), (count, 3000, 2))  # not alike along x and y
    seen = np.stack([one.project(places) for one in cameras]) + random.normal(size=sigma.shape) * sigma
    found = triangulate(cameras, seen, sigma)
    error = found.places - places
    by_sigma = np.einsum("ni,nij,nj->n", error, np.linalg.inv(found.covariance), error)
    assert by_sigma.mean() == pytest.approx(3.0, rel=0.06)
    ratio = np.sqrt((error**2).mean(axis=0) / np.diagonal(found.covariance, axis1=1, axis2=2).mean(axis=0))
    assert (ratio < 1.2).all()
    assert (ratio > 0.8).all()
    assert found.chi_square.mean() == pytest.approx(2 * count - 3, rel=0.1)
    assert (found.freedom == 2 * count - 3).all()


def test_first_places_are_within_the_noise() -> None:
    random, cameras = np.random.default_rng(4), three_cameras()
    places = random.uniform(-60, 60, (500, 3)) + [0, 0, 500]
    seen = np.stack([one.project(places) for one in cameras]) + random.normal(0, 0.1, (3, 500, 2))
    found = triangulate(cameras, seen, np.full(seen.shape, 0.1))
    sigma = np.sqrt(np.diagonal(found.covariance, axis1=1, axis2=2))
    assert (np.abs(first_places(cameras, seen) - found.places) < sigma).mean() > 0.95


def test_without_noise_places_are_exact() -> None:
    cameras = three_cameras()
    places = np.random.default_rng(3).uniform(-60, 60, (50, 3)) + [0, 0, 500]
    seen = np.stack([one.project(places) for one in cameras])
    found = triangulate(cameras, seen, np.full(seen.shape, 0.1))
    np.testing.assert_allclose(found.places, places, atol=1e-6)
    np.testing.assert_allclose(first_places(cameras, seen), places, atol=1e-6)
    assert np.abs(found.residual).max() < 1e-6


def test_what_one_camera_sees_has_no_place() -> None:
    cameras = three_cameras()
    places = np.array([[0.0, 0, 500], [10, 0, 500], [20, 0, 500]])
    seen = np.stack([one.project(places) for one in cameras])
    seen[1:, 0] = np.nan
    seen[2, 1] = np.nan
    found = triangulate(cameras, seen, np.full(seen.shape, 0.1))
    assert np.isfinite(found.places).all(axis=1).tolist() == [False, True, True]
    assert found.freedom.tolist() == [0.0, 1.0, 3.0]
    assert np.isnan(found.covariance[0]).all()
    assert np.isfinite(first_places(cameras, seen)).all(axis=1).tolist() == [False, True, True]


def test_lines_of_sight_that_are_parallel_or_part_behind_the_cameras_have_no_place() -> None:
    left, right = camera(900, (0, 0, 0), (0, 0, 0)), camera(900, (0, 0, 0), (100, 0, 0))
    middle = left.matrix[:2, 2]
    seen = np.array([[middle, middle, middle + [9, 0]], [middle, middle + [9, 0], middle]])  # parallel, apart, together
    found = triangulate((left, right), seen, np.full(seen.shape, 0.1))
    assert np.isfinite(found.places).all(axis=1).tolist() == [False, False, True]
    np.testing.assert_allclose(found.places[2], [100.0, 0.0, 10000.0], atol=1e-3)
    assert np.isfinite(first_places((left, right), seen)).all(axis=1).tolist() == [False, False, True]
