"""Bundle adjustment (Brown 1958; Triggs et al. 1999): all cameras and the things that they saw, at once, so that what
is wrong in the pictures is least in the sum of squares.

What was seen is rigid and known but for where it is: a board of corners, or a wand whose two ends are a known length
apart. So lengths are known, too. Space is that of the first camera.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from kernels.errors import InputError
from pipelines.stereo.camera_model import PARAMETERS, Array, CameraModel, crossing, rodrigues

ROBUST = 2.0
"""Errors beyond so many times the median count less (Huber 1964) until it is known which are wrong, so that blunders
take no good sights along: 2.4 standard deviations of normal errors in both directions; and however far off the first
guess is, half of all count in full."""
FAR = 7.5
"""Sights that are wrong by more than this many times the median are left out: of normal errors none, five standard
deviations of those in one direction (of two cameras' sights, that is all that is left of an error) and nine of those in
two. What is left is adjusted and looked at again until none is."""
MOST_ROUNDS = 20
"""Of both, more than any needs: the median settles in some three, and wrong sights are found in one or two."""
SETTLED = 0.05
"""Share by which the median error changes where it has settled."""
LEAST_ERROR = 1e-9
"""Pixels, what rounding leaves: so large the median is at least."""
MOST_STEPS = 200
"""A calibration that needs more goes nowhere."""
SMALL, ROUGHLY = 1e-10, 1e-4
"""A step that lowers the sum of squares by less than this share is the last; and of a sum in which large errors count
less, which weights find slowly, and which only tells the sights that are wrong."""
OPEN = 1e-13
"""Share of the largest eigenvalue of the normal matrix below which nothing tells a direction: what rounding leaves."""
DAMPING, EASED, RAISED, MOST_DAMPING = 1e-3, 0.3, 4.0, 1e12
"""Of Levenberg (1944) and Marquardt (1963): the first factor on the diagonal, how it changes with a step that lowers
the sum and with one that does not, and where there is nothing to be gained."""
NOWHERE = "the calibration does not converge; more, and more different, poses would help it"


class Lens(Enum):
    """Which numbers of a lens are free."""

    NONE = "none"  # the focal length
    RADIAL = "radial"  # and the principal point, k1
    FULL = "full"  # and k2, p1, p2

    @property
    def free(self) -> tuple[int, ...]:
        """Places in (f, cx, cy, k1, k2, p1, p2)."""
        return {Lens.NONE: (0,), Lens.RADIAL: (0, 1, 2, 3), Lens.FULL: tuple(range(7))}[self]


@dataclass(frozen=True, slots=True, eq=False)
class Sights:
    """What was seen, N sights in any order.

    Args:
        camera: (N,), which camera saw it.
        pose: (N,), of which pose of the thing it is part.
        part: (N,), which part of the thing.
        pixels: (N, 2).
    """

    camera: np.ndarray
    pose: np.ndarray
    part: np.ndarray
    pixels: Array

    def __len__(self) -> int:
        return len(self.camera)

    def only(self, wanted: np.ndarray) -> Sights:
        """Those of a mask."""
        return Sights(self.camera[wanted], self.pose[wanted], self.part[wanted], self.pixels[wanted])


@dataclass(frozen=True, slots=True, eq=False)
class Adjusted:
    """Args:
    cameras: as adjusted; the first is at the origin and looks along z.
    rotations, translations: of each pose, (P, 3, 3), (P, 3): where the thing was.
    sights: those that count.
    residual: of each, seen less projected, px.
    covariance: of `PARAMETERS` of each camera, then of each pose (radians by which it is turned from the left, and its
        translation), by the residuals, (14 C + 6 P, 14 C + 6 P).
    every: all sights, and wrong: of each as `residual`, px; of those that were left out, too.
    counts: of each of `every` whether it does; the others fit nowhere, or tell nothing without those.
    poses: of each pose its place among those that were given, where some of these do not count; () for all.
    """

    cameras: tuple[CameraModel, ...]
    rotations: Array
    translations: Array
    sights: Sights
    residual: Array
    covariance: Array
    every: Sights
    wrong: Array
    counts: np.ndarray
    poses: tuple[int, ...] = ()

    @property
    def left_out(self) -> int:
        """Sights that do not count."""
        return int((~self.counts).sum())

    @property
    def rms(self) -> float:
        """Root of the mean squared distance between what was seen and what is projected, px."""
        return math.sqrt(float((self.residual**2).sum(axis=1).mean()))

    @property
    def rms_of_cameras(self) -> tuple[float, ...]:
        """The same of each camera; NaN where none of its sights counts."""
        squared = (self.residual**2).sum(axis=1)
        each = (squared[self.sights.camera == at] for at in range(len(self.cameras)))
        return tuple(math.sqrt(float(its.mean())) if len(its) else math.nan for its in each)

    @property
    def focal_error(self) -> Array:
        """Standard uncertainties of the focal lengths, px, (C,)."""
        at = len(PARAMETERS) * np.arange(len(self.cameras))
        return np.asarray(np.sqrt(np.maximum(self.covariance[at, at], 0.0)))

    def covariance_of_cameras(self, pose: int | None = None) -> Array:
        """Of `PARAMETERS` of all cameras, (14 C, 14 C); and of a pose, behind them, (14 C + 6, 14 C + 6)."""
        cameras = len(PARAMETERS) * len(self.cameras)
        wanted = np.arange(cameras)
        if pose is not None:
            wanted = np.append(wanted, cameras + 6 * pose + np.arange(6))
        return self.covariance[np.ix_(wanted, wanted)]


def adjust(
    cameras: Sequence[CameraModel], thing: Array, rotations: Array, translations: Array, sights: Sights, lens: Lens,
    least: int = 1,
) -> Adjusted:  # fmt: skip
    """Adjust everything.

    Args:
        cameras: first guesses.
        thing: its parts in its own space, (M, 3).
        rotations, translations: first guesses of its poses, (P, 3, 3), (P, 3).
        sights: what was seen.
        lens: what is free of each camera.
        least: cameras that have to see a part of a pose for it to count. One sight and the length of a wand leave two
            places for its other end, or one that is hard to find where they are about to become none.

    Raises:
        InputError: it does not converge.
    """
    problem = _Problem(thing, lens, float(np.median(np.linalg.norm(translations, axis=1))))
    state = _robust(problem, _State(tuple(cameras), rotations, translations), sights)
    kept = np.ones(len(sights), bool)
    for _ in range(MOST_ROUNDS):
        wrong = problem.error(state, sights)
        fits = _told(thing, sights, kept & (wrong <= FAR * _median(wrong[kept])), least)
        if not fits.any():
            raise InputError(NOWHERE)
        state = problem.solve(state, sights.only(fits))
        if (fits == kept).all():
            break
        kept = fits
    inner = sights.only(kept)
    return Adjusted(state.cameras, state.rotations, state.translations, inner, problem.residual(state, inner),
                    problem.covariance(state, inner), sights, problem.residual(state, sights), kept)  # fmt: skip


def _robust(problem: _Problem, state: _State, sights: Sights) -> _State:
    """By all sights, those that are wrong counting less: Huber's estimate with its scale by the median, in turns."""
    median = _median(problem.error(state, sights))
    for _ in range(MOST_ROUNDS):
        state = problem.solve(state, sights, ROBUST * median)
        before, median = median, _median(problem.error(state, sights))
        if median >= (1.0 - SETTLED) * before:
            break
    return state


def _median(wrong: Array) -> float:
    return max(float(np.median(wrong)), LEAST_ERROR)


def _told(thing: Array, sights: Sights, kept: np.ndarray, least: int) -> np.ndarray:
    """Of the sights of a mask those of parts that enough cameras see, of poses that have more equations than unknowns:
    others fit whatever is wrong."""
    unknowns = min(4 + int(np.linalg.matrix_rank(thing - thing.mean(axis=0))), 6)  # one less where all is on a line
    part = sights.pose * len(thing) + sights.part
    kept = kept & (np.bincount(part, kept)[part] >= least)
    return np.asarray(kept & (2 * np.bincount(sights.pose, kept)[sights.pose] > unknowns))


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """The unknowns."""

    cameras: tuple[CameraModel, ...]
    rotations: Array
    translations: Array


class _Problem:
    """Steps change, of each camera, what is free of its lens; of all but the first how it is turned (from the left) and
    moved; of each pose likewise. They count so that equal steps are alike important: focal lengths by shares of
    themselves, principal points by the focal length, moves by `far`, how far things are."""

    def __init__(self, thing: Array, lens: Lens, far: float) -> None:
        self.thing, self.free, self.far = thing, list(lens.free), far

    def columns(self, state: _State, sights: Sights) -> tuple[np.ndarray, int]:
        """Which unknowns each sight depends on, (N, free + 12), -1 for none; and how many there are."""
        free, count = len(self.free), len(state.cameras)
        six = np.arange(6)
        poses = free * count + 6 * (count - 1)
        lens = free * sights.camera[:, None] + np.arange(free)
        own = free * count + 6 * (sights.camera[:, None] - 1) + six
        own = np.where(sights.camera[:, None] > 0, own, -1)
        return np.hstack((lens, own, poses + 6 * sights.pose[:, None] + six)), poses + 6 * len(state.rotations)

    def places(self, state: _State, sights: Sights) -> tuple[Array, Array]:
        """Of what was seen, beside the pose's own middle and in space."""
        turned = (state.rotations[sights.pose] @ self.thing[sights.part][:, :, None])[:, :, 0]
        return turned, turned + state.translations[sights.pose]

    def residual(self, state: _State, sights: Sights) -> Array:
        """Seen less projected, (N, 2) px."""
        _, places = self.places(state, sights)
        wrong = np.empty((len(sights), 2))
        for at, camera in enumerate(state.cameras):
            mine = sights.camera == at
            wrong[mine] = sights.pixels[mine] - camera.project(places[mine])
        return np.nan_to_num(wrong, nan=1e4)  # behind a camera: far from right

    def jacobian(self, state: _State, sights: Sights) -> Array:
        """How projections change with the unknowns of `columns`, (N, 2, free + 12)."""
        turned, places = self.places(state, sights)
        free = len(self.free)
        made = np.zeros((len(sights), 2, free + 12))
        for at, camera in enumerate(state.cameras):
            mine = sights.camera == at
            _, by_place = camera.project_with_jacobian(places[mine])
            own = camera.by_parameters(places[mine])
            made[mine, :, :free] = own[:, :, :8] @ _of_lens(camera)[:, self.free]
            made[mine, :, free : free + 3] = own[:, :, 8:11]
            made[mine, :, free + 3 : free + 6] = own[:, :, 11:] * self.far
            made[mine, :, free + 6 : free + 9] = -by_place @ crossing(turned[mine])
            made[mine, :, free + 9 :] = by_place * self.far
        return np.nan_to_num(made)

    def normal(self, state: _State, sights: Sights, weight: Array) -> tuple[Array, Array]:
        """J' W J and J' W r."""
        from scipy.sparse import coo_array  # not above: its import takes long

        columns, unknowns = self.columns(state, sights)
        root = np.sqrt(weight)
        made = self.jacobian(state, sights) * root[:, None, None]
        rows = np.broadcast_to(np.arange(2 * len(sights)).reshape(-1, 2, 1), made.shape)
        wide = np.broadcast_to(columns[:, None, :], made.shape)
        real = wide >= 0
        whole = coo_array((made[real], (rows[real], wide[real])), shape=(2 * len(sights), unknowns)).tocsr()
        wrong = (self.residual(state, sights) * root[:, None]).ravel()
        return (whole.T @ whole).toarray(), whole.T @ wrong

    def stepped(self, state: _State, step: Array) -> _State:
        free, count = len(self.free), len(state.cameras)
        cameras = []
        for at, camera in enumerate(state.cameras):
            change = np.zeros(7)
            change[self.free] = step[at * free : (at + 1) * free]
            matrix = camera.matrix.copy()
            matrix[:2, 2] += change[1:3] * matrix[0, 0]
            matrix[[0, 1], [0, 1]] *= math.exp(np.clip(change[0], -1.0, 1.0))
            camera = replace(camera, matrix=matrix, distortion=camera.distortion + np.append(change[3:], 0.0))
            if at:
                six = step[free * count + 6 * (at - 1) :][:6]
                turn = rodrigues(six[:3])
                camera = replace(camera, rotation=turn @ camera.rotation,
                                 translation=camera.translation + self.far * six[3:])  # fmt: skip
            cameras.append(camera)
        six = step[free * count + 6 * (count - 1) :].reshape(-1, 6)
        return _State(tuple(cameras), rodrigues(six[:, :3]) @ state.rotations,
                      state.translations + self.far * six[:, 3:])  # fmt: skip

    def solve(self, state: _State, sights: Sights, soft: float = math.inf) -> _State:
        """Least squares of errors up to `soft` px, and Huber's of those beyond."""
        damping, cost = DAMPING, self.cost(state, sights, soft)
        for _ in range(MOST_STEPS):
            weight = np.minimum(1.0, soft / np.maximum(self.error(state, sights), 1e-12))
            normal, gradient = self.normal(state, sights, weight)
            scale = np.maximum(normal.diagonal(), 1e-12 * normal.diagonal().max())
            while True:
                step = np.linalg.solve(normal + np.diag(damping * scale), gradient)
                after = self.stepped(state, step)
                lower = self.cost(after, sights, soft)
                if lower <= cost:
                    break
                damping *= RAISED
                if damping > MOST_DAMPING:
                    return state
            gained, state, cost, damping = cost - lower, after, lower, damping * EASED
            if gained <= (SMALL if math.isinf(soft) else ROUGHLY) * cost:
                return state
        raise InputError(NOWHERE)

    def error(self, state: _State, sights: Sights) -> Array:
        """Of each sight, px, (N,)."""
        return np.asarray(np.linalg.norm(self.residual(state, sights), axis=1))

    def cost(self, state: _State, sights: Sights, soft: float) -> float:
        wrong = self.error(state, sights)
        within = np.minimum(wrong, soft)
        return float((within * (2.0 * wrong - within)).sum())

    def covariance(self, state: _State, sights: Sights) -> Array:
        """Of what `Adjusted.covariance` says: the inverse of the normal matrix times the mean squared residual; of what
        nothing tells, such as how a wand is turned about its length, 0."""
        normal, _ = self.normal(state, sights, np.ones(len(sights)))
        values, vectors = np.linalg.eigh(normal)
        known = values > OPEN * values[-1]
        freedom = max(2 * len(sights) - int(known.sum()), 1)
        variance = float((self.residual(state, sights) ** 2).sum()) / freedom
        free, count, size = len(self.free), len(state.cameras), len(PARAMETERS)
        change = np.zeros((size * count + 6 * len(state.rotations), len(normal)))
        for at, camera in enumerate(state.cameras):
            own = size * at
            change[own : own + 8, free * at : free * (at + 1)] = _of_lens(camera)[:, self.free]
            if at:
                change[own + 8 : own + 14, free * count + 6 * (at - 1) :][:, :6] = self.of_motion
        poses = 6 * len(state.rotations)
        change[-poses:, -poses:] = np.kron(np.eye(len(state.rotations)), self.of_motion)
        part = change @ vectors[:, known]
        made = variance * (part / values[known]) @ part.T
        return np.asarray(0.5 * (made + made.T))

    @property
    def of_motion(self) -> Array:
        """How turns and moves follow from steps, (6, 6)."""
        return np.diag([1.0, 1.0, 1.0, self.far, self.far, self.far])


def _of_lens(camera: CameraModel) -> Array:
    """How the first eight of `PARAMETERS` change with (log f, cx / f, cy / f, k1, k2, p1, p2), (8, 7)."""
    made = np.zeros((8, 7))
    made[0, 0], made[1, 0] = camera.matrix[0, 0], camera.matrix[1, 1]
    made[2, 1] = made[3, 2] = camera.matrix[0, 0]
    made[4:, 3:] = np.eye(4)
    return made
