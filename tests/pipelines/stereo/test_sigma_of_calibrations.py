"""What calibrations say of their uncertainty, and what becomes of it in places, over many simulated calibrations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from pipelines.stereo.board import Board, calibrate_by_board
from pipelines.stereo.bundle import Lens
from pipelines.stereo.camera_model import Array, CameraModel, moved_covariance, rodrigues
from pipelines.stereo.direct_linear import camera_of_known_places
from pipelines.stereo.triangulation import by_calibration, triangulate
from pipelines.stereo.wand import calibrate_by_wand
from tests.pipelines.stereo.rigs import board_poses, camera, seen_corners, three_cameras

BOARD = Board(8, 6, 12.0)
NOISE, SIGMA = 0.1, 0.02
MANY = 20
Made = tuple[tuple[CameraModel, ...], Array]


def pair() -> list[CameraModel]:
    """Two that follow what is free of a lens by default."""
    return three_cameras()[:2]


def by_board(random: np.random.Generator) -> Made:
    seen = seen_corners(BOARD, pair(), board_poses(BOARD, 14, random), NOISE, random)
    found, _ = calibrate_by_board(BOARD, seen, [one.size for one in pair()], Lens.RADIAL)
    return found.cameras, found.covariance_of_cameras()


def by_wand(random: np.random.Generator) -> Made:
    middle, turns = random.uniform(-50, 50, (60, 3)) + [0, 0, 500], rodrigues(random.uniform(-3, 3, (60, 3)))
    ends = np.stack([middle + turns @ [-30.0, 0, 0], middle + turns @ [30.0, 0, 0]], axis=1)
    seen = [one.project(ends.reshape(-1, 3)).reshape(-1, 2, 2) for one in middled()]
    seen = [one + random.normal(size=one.shape) * NOISE for one in seen]
    found = calibrate_by_wand(60.0, seen, [one.size for one in middled()], Lens.NONE, 925.0)
    return found.cameras, found.covariance_of_cameras()


def by_control(random: np.random.Generator) -> Made:
    places = np.random.default_rng(0).uniform(-60, 60, (14, 3)) + [0, 0, 500]
    made = [camera_of_known_places(places, seen + random.normal(size=seen.shape) * NOISE, one.size)
            for one in straight() for seen in (one.project(places),)]  # fmt: skip
    whole = np.zeros((28, 28))
    whole[:14, :14], whole[14:, 14:] = (one.covariance for one in made)
    return tuple(one.camera for one in made), whole


def middled() -> list[CameraModel]:
    """Two of which the focal length is all that is not known of the lens."""
    middle = np.array([[0.0, 0.0, -3.5], [0.0, 0.0, 3.5], [0.0, 0.0, 0.0]])
    return [replace(one, matrix=one.matrix + middle) for one in straight()]


def straight() -> list[CameraModel]:
    """Two without distortion."""
    return [camera(900, (0, 0, 0), (0, 0, 0)), camera(950, (0, 0.5, 0.02), (250, 0, 60))]


@cache
def errors(way: Callable[[np.random.Generator], Made]) -> tuple[Array, Array, Array]:
    """Of each calibration (a row) and five places: errors, and both parts of their variance, (MANY, 5, 3)."""
    true = {by_board: pair, by_wand: middled, by_control: straight}[way]()
    places = np.random.default_rng(1).uniform(-50, 50, (5, 3)) + [0, 0, 500]
    wrong, own, common = [], [], []
    for seed in range(MANY):
        random = np.random.default_rng(1000 + seed)
        cameras, covariance = way(random)
        sigma = np.full((2, 5, 2), SIGMA)
        seen = np.stack([one.project(places) for one in true]) + random.normal(size=sigma.shape) * sigma
        found = triangulate(cameras, seen, sigma)
        wrong.append(found.places - places)
        own.append(np.diagonal(found.covariance, axis1=1, axis2=2))
        made = by_calibration(cameras, found.places, seen, sigma, covariance)
        common.append(np.diagonal(made, axis1=1, axis2=2))
    return np.array(wrong), np.array(own), np.array(common)


@pytest.mark.parametrize("way", [by_board, by_wand, by_control])
def test_errors_of_places_are_as_large_as_sigma_with_the_calibrations_part(
    way: Callable[[np.random.Generator], Made],
) -> None:
    wrong, own, common = errors(way)
    ratio = wrong**2 / (own + common)
    assert 0.8 < ratio.mean() < 1.4
    assert (ratio.mean(axis=(0, 1)) > 0.6).all()  # of x, y, z alone there are some MANY independent values
    assert (ratio.mean(axis=(0, 1)) < 1.6).all()
    assert (wrong**2 / own).mean() > 3.0, "without it they are several times as large"


def test_differences_of_near_places_are_as_large_as_the_tracks_part() -> None:
    """Two samples of one thing: what the calibration does to both is the same."""
    random = np.random.default_rng(5)
    cameras, covariance = by_board(random)
    place = np.array([[10.0, 20.0, 510.0], [10.5, 20.0, 510.5]]).repeat(500, axis=0)
    sigma = np.full((2, 1000, 2), SIGMA)
    seen = np.stack([one.project(place) for one in pair()]) + random.normal(size=sigma.shape) * sigma
    found = triangulate(cameras, seen, sigma)
    moved = found.places[500:] - found.places[:500] - (place[500:] - place[:500])
    own = np.diagonal(found.covariance[500:] + found.covariance[:500], axis1=1, axis2=2)
    assert (moved**2 / own).mean() == pytest.approx(1.0, abs=0.15)
    common = by_calibration(cameras, found.places, seen, sigma, covariance)
    np.testing.assert_allclose(common[0], common[500], rtol=0.05)


def test_places_do_not_mind_in_which_space_their_cameras_are() -> None:
    """Carried into another space, the covariance of a place is the same, turned."""
    random = np.random.default_rng(6)
    cameras, covariance = by_board(random)
    rotation, translation = rodrigues(np.array([0.4, -0.2, 0.7])), np.array([30.0, -20.0, 480.0])
    other = [CameraModel(one.size, one.matrix, one.distortion, one.rotation @ rotation,
                         one.rotation @ translation + one.translation) for one in cameras]  # fmt: skip
    carried = moved_covariance(cameras, np.pad(covariance, (0, 6)), translation)
    places = random.uniform(-50, 50, (4, 3)) + [0, 0, 500]
    seen, sigma = np.stack([one.project(places) for one in cameras]), np.full((2, 4, 2), SIGMA)
    here = by_calibration(cameras, places, seen, sigma, covariance)
    there = by_calibration(other, (places - translation) @ rotation, seen, sigma, carried)
    np.testing.assert_allclose(rotation @ there @ rotation.T, here, rtol=1e-6, atol=1e-12)


def test_where_space_is_a_boards_its_own_uncertainty_counts() -> None:
    """Places on that board are known to what the tracks say and little more; in the first camera's space they are as
    far off as that camera is."""
    ratio, nearer = [], []
    for seed in range(12):
        random = np.random.default_rng(2000 + seed)
        poses = board_poses(BOARD, 14, random)
        found, frames = calibrate_by_board(BOARD, seen_corners(BOARD, pair(), poses, NOISE, random),
                                           [one.size for one in pair()], Lens.RADIAL)  # fmt: skip
        at = frames.index(0)
        rotation, translation = found.rotations[at], found.translations[at]
        cameras = [CameraModel(one.size, one.matrix, one.distortion, one.rotation @ rotation,
                               one.rotation @ translation + one.translation) for one in found.cameras]  # fmt: skip
        carried = moved_covariance(found.cameras, found.covariance_of_cameras(at), translation)
        places = BOARD.corners[[0, 21, 47]] + [0, 0, 3.0]
        true = places @ poses[0][0].T + poses[0][1]
        seen, sigma = np.stack([one.project(true) for one in pair()]), np.full((2, 3, 2), SIGMA)
        made = triangulate(cameras, seen, sigma)
        common = np.diagonal(by_calibration(cameras, made.places, seen, sigma, carried), axis1=1, axis2=2)
        ratio.append((made.places - places) ** 2 / common)
        plain = by_calibration(found.cameras, true, seen, sigma, found.covariance_of_cameras())
        nearer.append(np.trace(plain, axis1=1, axis2=2) / common.sum(axis=1))
    assert 0.6 < np.mean(ratio) < 1.6
    assert np.median(nearer) > 2.0
