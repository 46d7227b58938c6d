"""Strain of a surface from the displacements of many points: planes by least squares in windows of neighbours.

In a window of points around each one the displacement is fitted by a plane, u = a + u_x dX + u_y dY and v likewise,
over the places X, Y of the reference. Its slopes are the displacement gradient there, F = I + grad u, and strains
follow from it (Pan et al., Measurement Science and Technology 20, 062001 (2009); International Digital Image
Correlation Society, A Good Practices Guide for Digital Image Correlation, 2018). The gauge length is that over which
such a strain is a mean, the guide's virtual strain gauge: the window of points and half a subset at either end.

    Green-Lagrange  E = (F' F - I) / 2        of large rotations free
    small           (grad u + grad u') / 2    shows a rotation by r as a strain of -r^2 / 2
    Hencky          ln(F' F) / 2              logarithmic ("true") strain

exy is the tensor's component, half of the engineering shear; x right, y down. The equivalent strain is von Mises's of a
surface whose volume stays, 2 / sqrt(3) sqrt(e1^2 + e1 e2 + e2^2), which of a rod is the strain along it.

Uncertainties are carried through the fit by first order. Errors of neighbours are alike as far as their subsets have
pixels in common: the correlation of two subsets of side w, dx and dy apart, is (1 - |dx| / w) (1 - |dy| / w).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError

Array = npt.NDArray[Any]
Measure = Literal["green-lagrange", "small", "hencky"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
NAMES = ("exx", "eyy", "exy", "e1", "e2", "von_mises")
"""Of the strains, in the order of `Strains.values`; e1 is the larger principal one."""
SHARE = 1.0 / 3.0
"""Of a full window's points that have to be there: in the corner of a grid 9 of 25 are."""
SLIM = 0.4
"""Steps: a window's points have to lie so far from any line, root mean square; two rows do by a half."""
MOST = 121
"""Points of a window; of irregular ones the nearest."""
LATTICE = 0.02
"""Steps that points may lie beside a square grid."""


@dataclass(frozen=True, slots=True)
class Strains:
    """Strains of one frame.

    Args:
        values: (6, P) f8, `NAMES`; NaN where too few neighbours were seen.
        sigmas: (6, P) f8, their standard uncertainties; NaN where the displacements state none.
        angle: (P,) of e1 against x, towards y, degrees in (-90, 90].
        neighbours: (P,) i8 points in the window, 0 where there is no strain.
        gradient: (2, 2, P) f8 [[du/dX, du/dY], [dv/dX, dv/dY]].
    """

    values: Array
    sigmas: Array
    angle: Array
    neighbours: Array
    gradient: Array


def step_of(points: Array) -> float:
    """The distance between neighbours, the median over all points (n, 2); NaN of a single one."""
    if len(points) < 2:
        return math.nan
    from scipy.spatial import cKDTree  # here: it takes long to load

    apart, _ = cKDTree(points).query(points, k=2)
    return float(np.median(apart[:, 1]))


class Gauge:
    """Windows of neighbours around points, with the weights of the fit; made once, used for every frame.

    Args:
        points: (P, 2) f8 places in the reference, px; three at least.
        window: points along a side of a window, odd: 5 is the point and two steps in each direction.
        subset: side of the window of pixels that each point was followed with, px; None where it is not known: the
            errors of neighbours are then taken as independent, and the gauge length is that of the points alone.

    Attributes:
        step: distance of neighbours, px.
        lattice: (P, 2) i8 column and row of each point where all lie on one square grid, else None.
        length: gauge length, px.

    Raises:
        InputError: the window is none, there are too few points, or they are not apart.
    """

    def __init__(self, points: Array, window: int = 5, subset: float | None = None) -> None:
        if window < 3 or window % 2 == 0:
            raise InputError(f"a strain window has an odd number of points along its side, 3 or more, not {window}")
        if len(points) < 3:
            raise InputError(f"strain needs three points or more, and {len(points)} were seen in the first frame; "
                             "`fusetrack run CLIP -p template --grid 12` follows a grid of them")  # fmt: skip
        self.points, self.window, self.subset = np.asarray(points, np.float64), window, subset
        self.step = step_of(self.points)
        if not self.step > 0:
            raise InputError("half of the points lie where another does; strain needs points that are apart")
        self.length = (window - 1) * self.step + (subset or 0.0)
        self.lattice = self._on_lattice()
        self._near, self._there = self._windows()
        self._dx, self._dy = (np.where(self._there, self.points[self._near, k] - self.points[:, k, None], 0.0)
                              for k in (0, 1))  # fmt: skip
        self.full = int(self._there.sum(axis=1).max())
        self._alike = self._correlations()
        self._weights, self._count = self._fit(self._there, self._dx, self._dy)

    def _on_lattice(self) -> Array | None:
        # All points within LATTICE of one square grid of that step.
        at = (self.points - self.points.min(axis=0)) / self.step
        near = np.rint(at)
        return near.astype(np.int64) if bool((np.abs(at - near) <= LATTICE).all()) else None

    def _windows(self) -> tuple[Array, Array]:
        """Numbers of the points in each window (P, K), and which of these columns are used."""
        half, count = self.window // 2, len(self.points)
        if self.lattice is not None:
            # a column of each window for each place of the grid, so that all have one correlation matrix
            columns, rows = self.lattice.max(axis=0) + 1
            # A border of `half` without points, so that windows at the edge need no test.
            numbers = np.full((rows + 2 * half, columns + 2 * half), -1)
            numbers[self.lattice[:, 1] + half, self.lattice[:, 0] + half] = np.arange(count)
            offsets = np.arange(self.window)
            down, right = (axis.ravel() for axis in np.meshgrid(offsets, offsets, indexing="ij"))
            near = numbers[self.lattice[:, 1, None] + down, self.lattice[:, 0, None] + right]
            return np.maximum(near, 0), near >= 0
        reach = self.step * (half + 0.5)
        from scipy.spatial import cKDTree

        tree = cKDTree(self.points)
        # Chebyshev distance: windows are squares.
        apart, near = tree.query(self.points, k=min(MOST, count), p=math.inf, distance_upper_bound=reach)
        there = np.isfinite(apart)
        most = int(there.sum(axis=1).max())
        return np.where(there, near, 0)[:, :most], there[:, :most]

    def _correlations(self) -> Array | None:
        """Of the errors of points in a window: (K, K) on a grid, else (P, K, K) f4; None where nothing is known."""
        if self.subset is None:
            return None
        if self.lattice is not None:
            offsets = self.step * np.arange(self.window)
            y, x = (axis.ravel() for axis in np.meshgrid(offsets, offsets, indexing="ij"))
            return overlap(x[:, None] - x, y[:, None] - y, self.subset)
        x, y = self._dx.astype(np.float32), self._dy.astype(np.float32)
        return overlap(x[:, :, None] - x[:, None, :], y[:, :, None] - y[:, None, :], self.subset)

    def _fit(self, there: Array, dx: Array, dy: Array) -> tuple[Array, Array]:
        """Weights (n, 2, K) whose sums over displacements are the slopes along x and y, NaN where the points are too
        few or on a line; and how many points there are."""
        count = there.sum(axis=1)
        # The slopes of a plane through displacements by least squares: weights depend on places alone.
        with np.errstate(invalid="ignore", divide="ignore"):
            mx, my = dx.sum(axis=1) / count, dy.sum(axis=1) / count
            cx, cy = (np.where(there, d - m[:, None], 0.0) for d, m in ((dx, mx), (dy, my)))
            xx, xy, yy = (cx * cx).sum(axis=1), (cx * cy).sum(axis=1), (cy * cy).sum(axis=1)
            # The smaller eigenvalue of the scatter: points on a line say nothing of the slope across it.
            half, far = 0.5 * (xx + yy), np.hypot(0.5 * (xx - yy), xy)
            good = (count >= max(3.0, SHARE * self.full)) & (half - far >= count * (SLIM * self.step) ** 2)
            det = np.where(good, xx * yy - xy * xy, np.nan)[:, None]
            weights = np.stack(((yy[:, None] * cx - xy[:, None] * cy) / det,
                                (xx[:, None] * cy - xy[:, None] * cx) / det), axis=1)  # fmt: skip
        return weights, np.where(good, count, 0)

    def strains(
        self, moved: Array, sigmas: Array, correlation: Array | None = None, measure: Measure = "green-lagrange"
    ) -> Strains:
        """Strains of a frame.

        Args:
            moved: (P, 2) f8 displacements along x and y, px; NaN of points that were not seen.
            sigmas: (P, 2) f8 their standard uncertainties; NaN where none is stated.
            correlation: (P,) of their errors along x and y; None for none.
            measure: which strain.
        """
        seen = np.asarray(np.isfinite(moved).all(axis=1))
        weights, count = self._weights, self._count
        # Windows that lack points in this frame get weights of their own.
        lacking = np.flatnonzero((self._there & ~seen[self._near]).any(axis=1)) if not seen.all() else ()
        if len(lacking):
            there = self._there[lacking] & seen[self._near[lacking]]
            dx, dy = (np.where(there, d[lacking], 0.0) for d in (self._dx, self._dy))
            weights, count = weights.copy(), count.copy()
            weights[lacking], count[lacking] = self._fit(there, dx, dy)
        count = np.where(seen, count, 0)
        known = np.where(seen[:, None], moved, 0.0)
        gradient = np.einsum("pgk,pkc->cgp", weights, known[self._near])
        gradient[:, :, ~seen] = np.nan
        spread = self._covariance(weights, np.where(seen[:, None], sigmas, 0.0), correlation)
        return _strains(gradient, spread, count, measure)

    def _covariance(self, weights: Array, sigmas: Array, correlation: Array | None) -> Array:
        """(P, 4, 4) of du/dX, du/dY, dv/dX, dv/dY."""
        near = sigmas[self._near]
        # Errors by weight, then correlated between the points of a window: w C w'.
        errors = np.concatenate((weights * near[:, None, :, 0], weights * near[:, None, :, 1]), axis=1)
        alike = errors if self._alike is None else errors @ self._alike
        spread: Array = alike @ errors.transpose(0, 2, 1)
        both = np.zeros(len(weights)) if correlation is None else np.nan_to_num(correlation)
        spread[:, :2, 2:] *= both[:, None, None]
        spread[:, 2:, :2] *= both[:, None, None]
        return spread


def overlap(dx: Array, dy: Array, side: float) -> Array:
    """Which part of a square of this side it shares with one that lies dx and dy beside it: the correlation of errors
    that come from the same pixels."""
    one = np.float32(1.0) if dx.dtype == np.float32 else 1.0
    return np.asarray(np.maximum(one - np.abs(dx) / side, 0.0) * np.maximum(one - np.abs(dy) / side, 0.0), dx.dtype)


def _strains(gradient: Array, spread: Array, count: Array, measure: Measure) -> Strains:
    """Strains and their uncertainties of gradients (2, 2, P) with covariances (P, 4, 4)."""
    (ux, uy), (vx, vy) = gradient
    one, zero = np.ones_like(ux), np.zeros_like(ux)
    if measure == "small":
        tensor = np.stack((ux, vy, 0.5 * (uy + vx)))
        slopes = np.stack((np.stack((one, zero, zero, zero)), np.stack((zero, zero, zero, one)),
                           np.stack((zero, 0.5 * one, 0.5 * one, zero))))  # fmt: skip
    else:
        tensor = np.stack((ux + 0.5 * (ux * ux + vx * vx), vy + 0.5 * (uy * uy + vy * vy),
                           0.5 * (uy + vx + ux * uy + vx * vy)))  # fmt: skip
        slopes = np.stack((np.stack((1.0 + ux, zero, vx, zero)), np.stack((zero, uy, zero, 1.0 + vy)),
                           0.5 * np.stack((uy, 1.0 + ux, 1.0 + vy, vx))))  # fmt: skip
    # To first order: the strain's slopes by the four components of the gradient.
    variances = np.einsum("iap,pab,jbp->ijp", slopes, spread, slopes)
    if measure == "hencky":
        tensor, variances = _logarithmic(tensor, variances)
    xx, yy, xy = tensor
    mean, far = 0.5 * (xx + yy), np.hypot(0.5 * (xx - yy), xy)
    e1, e2 = mean + far, mean - far
    # The first principal direction, against x towards y; y is down in pictures.
    turn = 0.5 * np.arctan2(2.0 * xy, xx - yy)
    c, s = np.cos(turn), np.sin(turn)
    # by first order: the components along the directions that are found
    along = np.stack((c * c, s * s, 2.0 * s * c)), np.stack((s * s, c * c, -2.0 * s * c))
    # Von Mises' equivalent strain, of what keeps its volume: e3 = -(e1 + e2).
    equal = np.sqrt(np.maximum(e1 * e1 + e1 * e2 + e2 * e2, 0.0)) * (2.0 / math.sqrt(3.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.stack((2.0 * e1 + e2, 2.0 * e2 + e1)) * (2.0 / 3.0) / equal
    share = np.where(equal > 0, share, 0.0)
    mises = share[0] * along[0] + share[1] * along[1]
    axes = np.eye(3)[:, :, None] * np.ones_like(xx)
    squares = np.stack([np.einsum("ip,ijp,jp->p", way, variances, way) for way in (*axes, *along, mises)])
    values = np.stack((xx, yy, xy, e1, e2, equal))
    sigmas = np.where(np.isfinite(values), np.sqrt(np.maximum(squares, 0.0)), np.nan)
    return Strains(values, sigmas, np.degrees(turn), np.where(np.isfinite(xx), count, 0), gradient)


def _logarithmic(tensor: Array, variances: Array) -> tuple[Array, Array]:
    """Hencky strains (3, P) and covariances (3, 3, P) of Green-Lagrange ones: ln(I + 2 E) / 2, by the eigenvalues; the
    derivative of a function of a tensor, in its axes, is the function's or its difference quotient."""
    xx, yy, xy = tensor
    mean, far = 0.5 * (xx + yy), np.hypot(0.5 * (xx - yy), xy)
    with np.errstate(invalid="ignore"):
        first, second = (1.0 + 2.0 * (mean + far)), (1.0 + 2.0 * (mean - far))
        first, second = (np.where(one > 0, one, np.nan) for one in (first, second))
        logs = 0.5 * np.log(first), 0.5 * np.log(second)
    turn = 0.5 * np.arctan2(2.0 * xy, xx - yy)
    c, s = np.cos(turn), np.sin(turn)
    into = np.stack((np.stack((c * c, s * s, 2 * s * c)), np.stack((s * s, c * c, -2 * s * c)),
                     np.stack((-s * c, s * c, c * c - s * s))))  # fmt: skip
    back = np.stack((np.stack((c * c, s * s, -2 * s * c)), np.stack((s * s, c * c, 2 * s * c)),
                     np.stack((s * c, -s * c, c * c - s * s))))  # fmt: skip
    apart = far > 1e-9
    with np.errstate(invalid="ignore", divide="ignore"):
        across = np.where(apart, (logs[0] - logs[1]) / np.where(apart, 2.0 * far, 1.0), 1.0 / first)
    scale = np.stack((1.0 / first, 1.0 / second, across))
    slopes = np.einsum("ijp,jp,jkp->ikp", back, scale, into)
    found = np.einsum("ijp,jp->ip", back, np.stack((logs[0], logs[1], np.zeros_like(c))))
    return found, np.einsum("iap,abp,jbp->ijp", slopes, variances, slopes)
