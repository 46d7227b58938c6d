"""Cameras from a wand that is waved before them, two ends a known length apart (Theriault et al. 2014): from which
directions cameras see the same ends follow their poses to each other (Longuet-Higgins 1981), the length of the wand
gives the scale, and bundle adjustment makes everything agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from kernels.errors import InputError
from kernels.opencv import cv2
from pipelines.stereo.bundle import Adjusted, Lens, Sights, adjust
from pipelines.stereo.camera_model import Array, CameraModel
from pipelines.stereo.triangulation import first_places, triangulate

LEAST_FRAMES = 12
"""Frames in which two cameras have to see both ends: the fundamental matrix needs eight points, and some are noise."""
MOST_POSES = 100
"""Frames that count, spread over all: more add little and cost time."""
FOCALS = np.geomspace(0.5, 20.0, 60)
"""Focal lengths that are tried, in widths of the picture: from wide angles to telephoto lenses."""
ASTRAY = 0.5
"""Share of its length by which a wand may be longer or shorter where its ends are seen: of a pose that is further off
they were taken for something else."""
MOST_ROUNDS = 4
"""By a rough guess of the cameras many poses are astray; so they are looked at again with the cameras that the others
give, until they are the same ones. One or two rounds are the rule."""
FAR = 5.0
"""Sights that are further from their epipolar lines than so many times the median do not count for the first guess."""


def calibrate_by_wand(
    length: float, ends: Sequence[Array], sizes: Sequence[tuple[int, int]], lens: Lens, focal: float | None = None
) -> Adjusted:
    """Cameras that saw a wand.

    Args:
        length: from end to end, in the unit of space.
        ends: of each camera, (F, 2, 2) px: of each frame both ends, NaN where it does not see one.
        sizes: of each camera's pictures.
        lens: what is free.
        focal: the first guess, px; None: by trying.

    Returns:
        The cameras; `poses` are the frames of `ends` that count.

    Raises:
        InputError: two cameras see too little at once, or no convergence.
    """
    chosen = poses_of(ends).chosen
    ends = [one[chosen] for one in ends]
    links = _links(ends)
    matrices = [_fundamental(ends, link) for link in links]
    guesses = FOCALS * float(np.mean([size[0] for size in sizes])) if focal is None else [focal]
    placed = [_placed(length, ends, sizes, links, matrices, guess) for guess in guesses]
    cameras = min(placed, key=lambda some: _uneven(length, some, ends))
    seen, good = np.stack(ends), np.zeros(len(chosen), bool)  # (C, F, 2, 2)
    found: Adjusted | None = None
    for _ in range(MOST_ROUNDS):
        places = _places(cameras, seen)
        fits = np.abs(_apart(places) / length - 1.0) < ASTRAY
        if found is not None and (fits == good).all():
            break
        if fits.sum() < LEAST_FRAMES:
            raise InputError("the cameras do not agree on where the wand is: are its ends the same in all of them, and "
                             "are the frames of one moment (--offset)?")  # fmt: skip
        good = fits
        found = _adjusted(length, cameras, places[good], seen[:, good], lens)
        cameras = list(found.cameras)
    assert found is not None
    return replace(found, poses=tuple(chosen[good].tolist()))


def _places(cameras: Sequence[CameraModel], seen: Array) -> Array:
    """Both ends in space where `seen`, (C, F, 2, 2), says, (F, 2, 3); NaN where their lines of sight do not meet."""
    flat = seen.reshape(len(seen), -1, 2)
    return triangulate(cameras, flat, np.ones_like(flat)).places.reshape(-1, 2, 3)


def _lengths(cameras: Sequence[CameraModel], ends: Sequence[Array]) -> Array:
    """The wand's lengths by a guess of cameras, (F,): dozens of guesses are compared, for which linear equations do."""
    return _apart(first_places(cameras, np.stack(ends).reshape(len(ends), -1, 2)).reshape(-1, 2, 3))


def _apart(places: Array) -> Array:
    return np.asarray(np.linalg.norm(places[:, 1] - places[:, 0], axis=1))


def _adjusted(length: float, cameras: Sequence[CameraModel], places: Array, seen: Array, lens: Lens) -> Adjusted:
    camera, pose, part = np.nonzero(np.isfinite(seen).all(axis=3))
    sights = Sights(camera, pose, part, seen[camera, pose, part])
    thing = np.array([[-length / 2, 0.0, 0.0], [length / 2, 0.0, 0.0]])
    return adjust(cameras, thing, _along(places[:, 1] - places[:, 0]), places.mean(axis=1), sights, lens, least=2)


@dataclass(frozen=True, slots=True, eq=False)
class Poses:
    """Frames in which a wand is seen.

    Args:
        useful: in which at least two cameras see both ends.
        chosen: of these `MOST_POSES` at most, spread over all.
    """

    useful: np.ndarray
    chosen: np.ndarray


def poses_of(ends: Sequence[Array]) -> Poses:
    """Frames that tell of the cameras; `ends` are as in `calibrate_by_wand`."""
    whole = np.stack([np.isfinite(one).all(axis=(1, 2)) for one in ends])
    useful = np.flatnonzero(whole.sum(axis=0) >= 2)
    if len(useful) <= MOST_POSES:
        return Poses(useful, useful)
    return Poses(useful, useful[np.linspace(0, len(useful) - 1, MOST_POSES).round().astype(int)])


def _links(ends: Sequence[Array]) -> list[tuple[int, int]]:
    """Pairs of cameras that reach all from the first, those first that see most at once."""
    whole = [np.isfinite(one).all(axis=(1, 2)) for one in ends]
    links, reached = [], {0}
    while len(reached) < len(ends):
        pairs = [(a, b) for a, b in combinations(range(len(ends)), 2) if (a in reached) != (b in reached)]
        a, b = max(pairs, key=lambda pair: int((whole[pair[0]] & whole[pair[1]]).sum()))
        if int((whole[a] & whole[b]).sum()) < LEAST_FRAMES:
            missing = b if a in reached else a
            raise InputError(f"camera {missing + 1} sees both ends of the wand at once with another in fewer than "
                             f"{LEAST_FRAMES} frames")  # fmt: skip
        links.append((a, b) if a in reached else (b, a))
        reached |= {a, b}
    return links


def _pairs(ends: Sequence[Array], link: tuple[int, int]) -> tuple[Array, Array]:
    one, other = ends[link[0]].reshape(-1, 2), ends[link[1]].reshape(-1, 2)
    both = np.isfinite(one).all(axis=1) & np.isfinite(other).all(axis=1)
    return one[both], other[both]


def _fundamental(ends: Sequence[Array], link: tuple[int, int]) -> Array:
    """The fundamental matrix of two cameras: least median of squares, then eight points (Longuet-Higgins 1981; Hartley
    1997) by all that are near enough, in turns (Zhang 1998)."""
    one, other = _pairs(ends, link)
    matrix, _ = cv2.findFundamentalMat(one, other, cv2.FM_LMEDS, confidence=0.9999)
    near: np.ndarray | None = None
    for _ in range(MOST_ROUNDS):
        if matrix is None or matrix.shape != (3, 3):
            raise InputError(f"cameras {link[0] + 1} and {link[1] + 1} do not see the wand in different enough places")
        off = _off(matrix, one, other)
        fits = off <= FAR * np.median(off)
        if near is not None and (fits == near).all():
            break
        near = fits
        matrix, _ = cv2.findFundamentalMat(one[near], other[near], cv2.FM_8POINT)
    return np.asarray(matrix)


def _off(matrix: Array, one: Array, other: Array) -> Array:
    """How far from their epipolar lines points are, px (Sampson 1982)."""
    x, y = (np.column_stack((seen, np.ones(len(seen)))) for seen in (one, other))
    line, back = x @ matrix.T, y @ matrix
    squared = (line[:, :2] ** 2).sum(axis=1) + (back[:, :2] ** 2).sum(axis=1)
    return np.asarray(np.abs((y * line).sum(axis=1)) / np.sqrt(squared))


def _uneven(length: float, cameras: Sequence[CameraModel], ends: Sequence[Array]) -> float:
    """How differently long the wand is where its ends are seen, the median by its length.

    Of two cameras that look at one place from equally far the fundamental matrix tells no focal length (Sturm 2001),
    and that is how cameras are put up; but with a wrong one space is drawn out, and the wand in some directions.
    """
    apart = _lengths(cameras, ends)
    return float(np.median(np.where(np.isfinite(apart), np.abs(apart / length - 1.0), np.inf)))


def _matrix(focal: float, size: tuple[int, int]) -> Array:
    return np.array([[focal, 0.0, (size[0] - 1) / 2], [0.0, focal, (size[1] - 1) / 2], [0.0, 0.0, 1.0]])


def _placed(
    length: float, ends: Sequence[Array], sizes: Sequence[tuple[int, int]], links: Sequence[tuple[int, int]],
    matrices: Sequence[Array], focal: float,
) -> list[CameraModel]:  # fmt: skip
    """Poses of cameras to the first, by essential matrices and the length of the wand."""
    blank = [CameraModel(size, _matrix(focal, size), np.zeros(5), np.eye(3), np.zeros(3)) for size in sizes]
    cameras = {0: blank[0]}
    for (known, new), matrix in zip(links, matrices, strict=True):
        one, other = _pairs(ends, (known, new))
        essential = blank[new].matrix.T @ matrix @ blank[known].matrix
        _, turned, moved, _ = cv2.recoverPose(essential, blank[known].rays(one), blank[new].rays(other), np.eye(3))
        pair = (blank[known], replace(blank[new], rotation=turned, translation=moved.ravel()))
        apart = _lengths(pair, (ends[known], ends[new]))
        scale = length / float(np.median(apart[np.isfinite(apart)])) if np.isfinite(apart).any() else length
        base = cameras[known]
        cameras[new] = replace(blank[new], rotation=turned @ base.rotation,
                               translation=turned @ base.translation + scale * moved.ravel())  # fmt: skip
    return [cameras[at] for at in range(len(ends))]


def _along(ways: Array) -> Array:
    """Rotations that turn x into the directions of `ways`, (P, 3) -> (P, 3, 3)."""
    x = ways / np.linalg.norm(ways, axis=1, keepdims=True)
    aside = np.eye(3)[np.abs(x).argmin(axis=1)]
    y = np.cross(aside, x)
    y /= np.linalg.norm(y, axis=1, keepdims=True)
    return np.stack((x, y, np.cross(x, y)), axis=2)
