"""How a camera maps space to its picture: a pinhole with the lens distortion of Brown (1966) and Conrady (1919), in
OpenCV's conventions.

A place X of space lies at R X + t before the camera (x right, y down, z forward), at (a, b) = (x/z, y/z) without a
lens, at (a', b') behind one,

    r2 = a^2 + b^2,   g = 1 + k1 r2 + k2 r2^2 + k3 r2^3
    a' = a g + 2 p1 a b + p2 (r2 + 2 a^2),   b' = b g + p1 (r2 + 2 b^2) + 2 p2 a b

and at (fx a' + s b' + cx, fy b' + cy) in the picture, pixels whose centres are at whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

PARAMETERS = (
    "fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "turn_x", "turn_y", "turn_z", "move_x", "move_y", "move_z",
)  # fmt: skip
"""What a calibration finds of a camera, in the order of covariances: px; radians by which the camera is turned from the
left (R becomes exp([turn]) R); by how much t changes, in the unit of space."""
NEWTON_STEPS = 20
"""To take distortion away; lenses in use need three to six."""
NEWTON_END = 1e-12
"""Steps shorter than this, in units of the focal length, are no steps: 1e-9 px."""


@dataclass(frozen=True, slots=True, eq=False)
class CameraModel:
    """See the module.

    Args:
        size: width and height of the picture, px.
        matrix: (3, 3): fx, s, cx; 0, fy, cy; 0, 0, 1, in px.
        distortion: (5,): k1, k2, p1, p2, k3.
        rotation: (3, 3), R.
        translation: (3,), t, in the unit of space.
    """

    size: tuple[int, int]
    matrix: Array
    distortion: Array
    rotation: Array
    translation: Array

    @property
    def centre(self) -> Array:
        """Where the camera is, (3,)."""
        return np.asarray(-self.rotation.T @ self.translation)

    @property
    def axis(self) -> Array:
        """Where it looks, a unit vector, (3,)."""
        return np.array(self.rotation[2])

    def project(self, places: Array) -> Array:
        """Where places of space, (N, 3), are in the picture, (N, 2) px; NaN behind the camera."""
        return self.project_with_jacobian(places)[0]

    def project_with_jacobian(self, places: Array) -> tuple[Array, Array]:
        """As `project`, and how pixels change with places, (N, 2, 3)."""
        before = places @ self.rotation.T + self.translation
        x, y, z = before.T
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where(z > 0, z, np.nan)
            flat = np.stack((x / z, y / z), axis=1)
            bent, by_flat = _distorted(flat, self.distortion)
            by_before = np.zeros((len(places), 2, 3))
            by_before[:, 0, 0] = by_before[:, 1, 1] = 1.0 / z
            by_before[:, :, 2] = -flat / z[:, None]
        focal = self.matrix[:2, :2]
        pixels = bent @ focal.T + self.matrix[:2, 2]
        return pixels, focal @ by_flat @ by_before @ self.rotation

    def by_parameters(self, places: Array) -> Array:
        """How pixels of places, (N, 3), change with `PARAMETERS`, (N, 2, 14); not a number behind the camera."""
        turned = places @ self.rotation.T
        before = turned + self.translation
        _, by_place = self.project_with_jacobian(places)
        by_before = by_place @ self.rotation.T
        with np.errstate(divide="ignore", invalid="ignore"):
            flat = before[:, :2] / np.where(before[:, 2:] > 0, before[:, 2:], np.nan)
        bent, _ = _distorted(flat, self.distortion)
        a, b = flat.T
        r2 = a * a + b * b
        lens = np.stack((np.stack((a * r2, b * r2)), np.stack((a * r2**2, b * r2**2)),
                         np.stack((2 * a * b, r2 + 2 * b * b)), np.stack((r2 + 2 * a * a, 2 * a * b))))  # fmt: skip
        made = np.zeros((len(places), 2, len(PARAMETERS)))
        made[:, 0, 0], made[:, 1, 1] = bent.T
        made[:, 0, 2] = made[:, 1, 3] = 1.0
        made[:, :, 4:8] = (self.matrix[:2, :2] @ lens).transpose(2, 1, 0)
        made[:, :, 8:11] = -by_before @ crossing(turned)
        made[:, :, 11:] = by_before
        return made

    def rays(self, pixels: Array) -> Array:
        """The straight lines on which what is seen at pixels, (N, 2), lies: (a, b) of the module, (N, 2).

        By Newton's method; NaN where the distortion cannot be inverted there.
        """
        bent = np.linalg.solve(self.matrix[:2, :2], (pixels - self.matrix[:2, 2]).T).T
        flat = bent.copy()
        for _ in range(NEWTON_STEPS):
            there, by_flat = _distorted(flat, self.distortion)
            with np.errstate(all="ignore"):
                determinant = by_flat[:, 0, 0] * by_flat[:, 1, 1] - by_flat[:, 0, 1] * by_flat[:, 1, 0]
                left = bent - there
                step = np.stack((by_flat[:, 1, 1] * left[:, 0] - by_flat[:, 0, 1] * left[:, 1],
                                 by_flat[:, 0, 0] * left[:, 1] - by_flat[:, 1, 0] * left[:, 0]), axis=1)  # fmt: skip
                # Beyond the place where a lens model turns back there are solutions that no lens has.
                step = np.where(determinant[:, None] > 0, step / determinant[:, None], np.nan)
            flat = flat + step
            if not (np.abs(step) > NEWTON_END).any():
                break
        return np.asarray(np.where(np.abs(step) <= 1e3 * NEWTON_END, flat, np.nan))

    def projection(self) -> Array:
        """Of undistorted pixels: the 3x4 matrix P = K [R t]."""
        return np.asarray(self.matrix @ np.column_stack((self.rotation, self.translation)))

    def direct_linear(self) -> Array:
        """The 11 coefficients of the direct linear transformation (Abdel-Aziz, Karara 1971), (11,), of undistorted
        pixels: u = (L1 X + L2 Y + L3 Z + L4) / (L9 X + L10 Y + L11 Z + 1)."""
        matrix = self.projection()
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((matrix / matrix[2, 3]).ravel()[:11])


def _distorted(flat: Array, distortion: Array) -> tuple[Array, Array]:
    """Behind the lens, (N, 2), and how that changes, (N, 2, 2)."""
    k1, k2, p1, p2, k3 = distortion
    a, b = flat.T
    r2 = a * a + b * b
    gain = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
    slope = k1 + r2 * (2.0 * k2 + 3.0 * r2 * k3)  # of the gain, by r2
    bent = np.stack((a * gain + 2 * p1 * a * b + p2 * (r2 + 2 * a * a),
                     b * gain + p1 * (r2 + 2 * b * b) + 2 * p2 * a * b), axis=1)  # fmt: skip
    change: Array = np.empty((len(flat), 2, 2))
    change[:, 0, 0] = gain + 2 * a * a * slope + 2 * p1 * b + 6 * p2 * a
    change[:, 0, 1] = change[:, 1, 0] = 2 * a * b * slope + 2 * p1 * a + 2 * p2 * b
    change[:, 1, 1] = gain + 2 * b * b * slope + 6 * p1 * b + 2 * p2 * a
    return bent, change


def essential_matrix(one: CameraModel, other: CameraModel) -> Array:
    """(3, 3): with F, (a', b', 1) F (a, b, 1) = 0 for the `rays` of one place in `other` (dashed) and in `one`: the
    essential matrix [t] R (Longuet-Higgins 1981)."""
    rotation = other.rotation @ one.rotation.T
    x, y, z = other.translation - rotation @ one.translation
    return np.asarray(np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]) @ rotation)


def crossing(vectors: Array) -> Array:
    """The matrices of the cross product with vectors from the left, (N, 3) -> (N, 3, 3)."""
    x, y, z = vectors.T
    zero = np.zeros_like(x)
    return np.stack((zero, -z, y, z, zero, -x, -y, x, zero), axis=1).reshape(-1, 3, 3)


def moved_covariance(cameras: Sequence[CameraModel], covariance: Array, translation: Array) -> Array:
    """The covariance of cameras in another space, whose places x are at R x + t of theirs.

    Args:
        covariance: (14 C + 6, 14 C + 6) of `PARAMETERS` of C cameras, and of that motion: radians by which it is turned
            from the left, and of t.
        translation: t.

    Returns:
        (14 C, 14 C), whatever R is.
    """
    size, count = len(PARAMETERS), len(cameras)
    change = np.eye(size * count, size * count + 6)
    for at, camera in enumerate(cameras):  # R' = exp(w) R_c exp(v) R, t' = exp(w) R_c (t + d) + t_c + e
        turn, move = slice(size * at + 8, size * at + 11), slice(size * at + 11, size * at + 14)
        change[turn, -6:-3] = camera.rotation
        change[move, turn] = -crossing((camera.rotation @ translation)[None])[0]
        change[move, -3:] = camera.rotation
    return np.asarray(change @ covariance @ change.T)


def rodrigues(turn: Any) -> Array:
    """The rotation by |turn| radians about `turn`, (..., 3) -> (..., 3, 3) (Rodrigues 1840)."""
    turn = np.asarray(turn, float)
    angle = np.linalg.norm(turn, axis=-1)[..., None, None]
    x, y, z = np.moveaxis(turn, -1, 0)
    zero = np.zeros_like(x)
    cross = np.stack((zero, -z, y, z, zero, -x, -y, x, zero), axis=-1).reshape(*turn.shape[:-1], 3, 3)
    small = angle < 1e-6
    safe = np.where(small, 1.0, angle)
    first = np.where(small, 1.0 - angle**2 / 6.0, np.sin(safe) / safe)
    second = np.where(small, 0.5 - angle**2 / 24.0, (1.0 - np.cos(safe)) / safe**2)
    return np.asarray(np.eye(3) + first * cross + second * (cross @ cross))
