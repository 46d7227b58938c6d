"""A camera from places that are known in space: the direct linear transformation (Abdel-Aziz, Karara 1971), taken
apart into a pinhole (Hartley, Zisserman 2004, sections 6.2.4, 7.1) and refined on what is wrong in the picture (7.2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernels.errors import InputError
from pipelines.stereo.camera_model import PARAMETERS, Array, CameraModel, rodrigues

LEAST_POINTS = 6
"""Known places that a camera needs: 11 unknowns, two equations each."""
FREE = [at for at, name in enumerate(PARAMETERS) if not name.startswith(("k", "p"))]
"""Of `PARAMETERS`, those that known places tell."""
FLATTEST = 1e-3
"""How thin known places may be, the least of their extents by the largest: of places in one plane a camera's focal
length does not follow."""


@dataclass(frozen=True, slots=True, eq=False)
class Resected:
    """A camera by known places.

    Args:
        camera: without distortion.
        residual: what is left wrong, seen less projected, (N, 2) px.
        covariance: of its `PARAMETERS`, by the residual, (14, 14).
    """

    camera: CameraModel
    residual: Array
    covariance: Array


def camera_of_known_places(places: Array, seen: Array, size: tuple[int, int]) -> Resected:
    """The camera that sees known places where they are seen.

    Args:
        places: (N, 3), six or more, not in one plane.
        seen: (N, 2) px.
        size: of the picture, px.

    Raises:
        InputError: too few, in one plane, or no camera sees them so.
    """
    if len(places) < LEAST_POINTS:
        raise InputError(f"a camera needs {LEAST_POINTS} known places that it sees, and there are {len(places)}")
    extents = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)
    if extents[2] < FLATTEST * extents[0]:
        raise InputError("the known places lie in one plane; a camera needs some above or below it")
    matrix = _homogeneous(places, seen)
    start = _pinhole(matrix, places, size)
    return _refined(start, places, seen)


def _homogeneous(places: Array, seen: Array) -> Array:
    """The 3x4 matrix, by coordinates of mean 0 and extent 1 (Hartley 1997)."""
    middle, spread = places.mean(axis=0), places.std()
    centre, width = seen.mean(axis=0), seen.std()
    x = np.column_stack(((places - middle) / spread, np.ones(len(places))))
    u, v = ((seen - centre) / width).T
    zero = np.zeros_like(x)
    equations = np.concatenate((np.hstack((x, zero, -u[:, None] * x)), np.hstack((zero, x, -v[:, None] * x))))
    matrix = np.linalg.svd(equations)[2][-1].reshape(3, 4)
    into = np.diag([1 / spread, 1 / spread, 1 / spread, 1.0])
    into[:3, 3] = -middle / spread
    back = np.array([[width, 0, centre[0]], [0, width, centre[1]], [0, 0, 1.0]])
    return np.asarray(back @ matrix @ into)


def _pinhole(matrix: Array, places: Array, size: tuple[int, int]) -> CameraModel:
    """P = K [R t] with positive focal lengths and the places before the camera."""
    from scipy.linalg import rq  # not above: its import takes long

    if np.median(np.column_stack((places, np.ones(len(places)))) @ matrix[2]) * np.linalg.det(matrix[:, :3]) < 0:
        raise InputError("the known places are seen mirrored: look at the signs of their coordinates (right-handed), "
                         "or whether two of them are exchanged")  # fmt: skip
    matrix = matrix * np.sign(np.linalg.det(matrix[:, :3]))
    upper, rotation = rq(matrix[:, :3])
    signs = np.diag(np.sign(np.diag(upper)))
    upper, rotation = upper @ signs, signs @ rotation
    translation = np.linalg.solve(upper, matrix[:, 3])
    return CameraModel(size, upper / upper[2, 2], np.zeros(5), rotation, translation)


def _refined(start: CameraModel, places: Array, seen: Array) -> Resected:
    from scipy.optimize import least_squares  # not above: its import takes long

    def camera(x: Array) -> CameraModel:
        matrix = np.array([[x[0], 0.0, x[2]], [0.0, x[1], x[3]], [0.0, 0.0, 1.0]])
        return CameraModel(start.size, matrix, np.zeros(5), rodrigues(x[4:7]) @ start.rotation, x[7:10])

    def wrong(x: Array) -> Array:
        return np.asarray(np.nan_to_num((camera(x).project(places) - seen).ravel(), nan=1e6))

    k = start.matrix
    first = np.concatenate(([k[0, 0], k[1, 1], k[0, 2], k[1, 2]], np.zeros(3), start.translation))
    found = least_squares(wrong, first, x_scale="jac", method="lm" if 2 * len(seen) >= 10 else "trf")
    best = camera(found.x)
    residual = np.asarray(seen - best.project(places))
    change = best.by_parameters(places)[:, :, FREE].reshape(-1, len(FREE))
    variance = float((residual**2).sum()) / max(change.shape[0] - len(FREE), 1)
    covariance = np.zeros((len(PARAMETERS), len(PARAMETERS)))
    covariance[np.ix_(FREE, FREE)] = np.linalg.pinv(change.T @ change, hermitian=True) * variance
    return Resected(best, residual, covariance)
