"""Places in space of what several cameras see at once, with covariances.

First the place whose lines of sight are nearest in the sense of linear equations (Hartley, Sturm 1997, their
"Linear-LS" with its iterated weights), then Gauss and Newton's steps on what is really wrong, distances in the pictures
by their standard uncertainties (maximum likelihood for normal errors). The covariance is the inverse of the normal
matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.stereo.camera_model import PARAMETERS, Array, CameraModel

REWEIGHTED = 3
"""Times that the linear equations are weighted by depth; two are enough within a percent."""
NEWTON_STEPS = 12
NEWTON_END = 1e-9
"""Steps shorter than this share of a place's distance are no steps."""
BLOCK = 1 << 13
"""Places whose changes with all parameters are held at once: some 20 MB of two cameras."""
LEAST_ANGLE = 1e-4
"""Radians between lines of sight (as the normal matrix sees it) below which they do not meet anywhere in particular."""


@dataclass(frozen=True, slots=True, eq=False)
class Triangulated:
    """N places.

    Args:
        places: (N, 3), NaN where fewer than two cameras see something or its lines of sight are parallel or meet
            behind a camera.
        covariance: (N, 3, 3) of the stated uncertainties alone; `by_calibration` is what the cameras' own add, nearly
            alike for places that are near each other.
        residual: (C, N, 2) px, seen less projected; NaN where a camera sees nothing.
        chi_square: (N,), squared residuals by their variances; its mean is `freedom` where uncertainties are right.
        freedom: (N,), twice the number of cameras less three.
    """

    places: Array
    covariance: Array
    residual: Array
    chi_square: Array
    freedom: Array


def triangulate(cameras: Sequence[CameraModel], seen: Array, sigma: Array) -> Triangulated:
    """Places of what is seen.

    Args:
        cameras: C of them.
        seen: (C, N, 2) px, NaN where a camera does not see it.
        sigma: (C, N, 2), standard uncertainties, px.
    """
    there: Array = np.asarray(np.isfinite(seen).all(axis=2))
    sigma = np.where(there[..., None], sigma, 1.0)
    places = _linear(cameras, seen, there, sigma)
    for _ in range(NEWTON_STEPS):
        normal, gradient, _ = _normal(cameras, places, seen, there, sigma)
        step = _solved(normal, gradient)
        places = places + step
        distance = np.linalg.norm(places - cameras[0].centre, axis=1)
        if not (np.linalg.norm(step, axis=1) > NEWTON_END * distance).any():
            break
    normal, _, residual = _normal(cameras, places, seen, there, sigma)
    covariance = _inverted(normal)
    count = there.sum(axis=0)
    good = (count >= 2) & np.isfinite(places).all(axis=1) & np.isfinite(covariance).all(axis=(1, 2))
    good &= ~(there & ~np.isfinite(residual).all(axis=2)).any(axis=0)  # behind a camera that sees it
    places, covariance = np.where(good[:, None], places, np.nan), np.where(good[:, None, None], covariance, np.nan)
    residual = np.where((there & good)[..., None], residual, np.nan)
    by_sigma = np.where(there[..., None], residual / sigma, 0.0)
    return Triangulated(places, covariance, residual, np.where(good, (by_sigma**2).sum(axis=(0, 2)), np.nan),
                        np.maximum(2 * count - 3, 0).astype(float))  # fmt: skip


def first_places(cameras: Sequence[CameraModel], seen: Array) -> Array:
    """Places by linear equations alone, for guesses: in about two fifths of the time of `triangulate`, of whose places
    they are within the noise.

    Args:
        cameras, seen: as `triangulate` takes them.

    Returns:
        (N, 3), NaN where there is no place or it is behind a camera that sees it.
    """
    there: Array = np.asarray(np.isfinite(seen).all(axis=2))
    places = _linear(cameras, seen, there, np.ones_like(seen))
    for camera, sees in zip(cameras, there, strict=True):
        depth = places @ camera.rotation[2] + camera.translation[2]
        places = np.where((sees & ~(depth > 0))[:, None], np.nan, places)
    return np.asarray(np.where((there.sum(axis=0) >= 2)[:, None], places, np.nan))


def by_calibration(
    cameras: Sequence[CameraModel], places: Array, seen: Array, sigma: Array, covariance: Array
) -> Array:  # fmt: skip
    """What the uncertainty of the cameras makes of that of triangulated places.

    A place is where sum r' W r is least, r being seen less projected, so that with the parameters p of the cameras it
    moves by dX = -(J' W J)^-1 J' W (dr/dp) dp (the implicit function theorem), J and dr/dp being how projections change
    with places and parameters.

    Args:
        cameras, seen, sigma: as `triangulate` takes them. places: as it gave them.
        covariance: (14 C, 14 C) of `PARAMETERS` of the cameras.

    Returns:
        (N, 3, 3), NaN where there is no place.
    """
    made = np.full((len(places), 3, 3), np.nan)
    there: Array = np.asarray(np.isfinite(seen).all(axis=2))
    size = len(PARAMETERS)
    for first in range(0, len(places), BLOCK):
        some = slice(first, first + BLOCK)
        x, good, spread = places[some], there[:, some], np.where(there[:, some, None], sigma[:, some], 1.0)
        normal, _, _ = _normal(cameras, x, seen[:, some], good, spread)
        moved = np.zeros((len(x), 3, size * len(cameras)))
        for at, camera in enumerate(cameras):
            _, change = camera.project_with_jacobian(x)
            weighted = np.where(good[at][:, None, None], change / np.square(spread[at])[:, :, None], 0.0)
            own = np.where(good[at][:, None, None], camera.by_parameters(x), 0.0)
            moved[:, :, size * at : size * (at + 1)] = np.swapaxes(weighted, 1, 2) @ own
        moved = _inverted(normal) @ moved
        made[some] = moved @ covariance @ np.swapaxes(moved, 1, 2)
    return made


def _linear(cameras: Sequence[CameraModel], seen: Array, there: Array, sigma: Array) -> Array:
    rays = np.stack([camera.rays(picture) for camera, picture in zip(cameras, seen, strict=True)])
    there = there & np.isfinite(rays).all(axis=2)
    weight = np.where(there, 1.0 / sigma.mean(axis=2) ** 2, 0.0)
    rays = np.where(there[..., None], rays, 0.0)
    count = seen.shape[1]
    places = np.full((count, 3), np.nan)
    depth = np.ones((len(cameras), count))
    for _ in range(REWEIGHTED):
        normal, right = np.zeros((count, 3, 3)), np.zeros((count, 3))
        for camera, ray, good, far in zip(cameras, rays, weight, depth, strict=True):
            for axis in (0, 1):  # ray (R3 X + t3) = R1 X + t1, and with R2
                row = camera.rotation[axis] - ray[:, axis : axis + 1] * camera.rotation[2]
                value = ray[:, axis] * camera.translation[2] - camera.translation[axis]
                share = good / far**2
                normal += share[:, None, None] * row[:, :, None] * row[:, None, :]
                right += (share * value)[:, None] * row
        places = _solved(normal, right)
        for at, camera in enumerate(cameras):
            far = np.abs(places @ camera.rotation[2] + camera.translation[2])
            depth[at] = np.where(np.isfinite(far) & (far > 0), far, 1.0)
    return places


def _normal(
    cameras: Sequence[CameraModel], places: Array, seen: Array, there: Array, sigma: Array
) -> tuple[Array, Array, Array]:
    """J' W J, J' W r and r."""
    count = len(places)
    normal, gradient = np.zeros((count, 3, 3)), np.zeros((count, 3))
    residual = np.empty_like(seen)
    for at, camera in enumerate(cameras):
        pixels, change = camera.project_with_jacobian(places)
        residual[at] = seen[at] - pixels
        weighted = np.where(there[at][:, None, None], change / sigma[at][:, :, None], 0.0)
        left = np.where(there[at][:, None], residual[at] / sigma[at], 0.0)
        normal += np.swapaxes(weighted, 1, 2) @ weighted
        gradient += (np.swapaxes(weighted, 1, 2) @ left[:, :, None])[:, :, 0]
    return normal, gradient, residual


def _inverted(normal: Array) -> Array:
    """Inverses; NaN where a direction is left open."""
    with np.errstate(all="ignore"):
        safe = np.where(np.isfinite(normal), normal, 0.0)
        values, vectors = np.linalg.eigh(safe)
        open_ = (values[:, 0] <= LEAST_ANGLE**2 * values[:, 2]) | ~np.isfinite(normal).all(axis=(1, 2))
        inverse = (vectors / np.where(values > 0, values, 1.0)[:, None, :]) @ np.swapaxes(vectors, 1, 2)
    return np.where(open_[:, None, None], np.nan, inverse)


def _solved(normal: Array, right: Array) -> Array:
    return np.asarray((_inverted(normal) @ right[:, :, None])[:, :, 0])
