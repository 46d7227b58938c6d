"""Motion beside a ground that moves itself: the shaking of the camera, or the body that something is fixed to.

In each frame the reference points are laid onto their mean configuration by least squares, weighted by their
variances: a shift; a rigid motion, a shift and a turn; or a similarity, which also grows. With z = x + i y, the
weighted means z0 of the places now and m0 of the configuration m,

    z' = m0 + s (z - z0),    s = sum w conj(z - z0) (m - m0) / sum w |z - z0|^2    (|s| = 1 of a rigid motion)

(Umeyama: Least-squares estimation of transformation parameters between two point patterns, IEEE Transactions on Pattern
Analysis and Machine Intelligence 13, 376, 1991). The configuration is the mean of all frames laid onto each other
(generalised Procrustes analysis; Gower, Psychometrika 40, 33, 1975), placed as in the first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pipelines.analysis.trails import Trail

Array = npt.NDArray[Any]
Ground = Literal["shift", "rigid", "similarity"]
GROUNDS: tuple[Ground, ...] = ("shift", "rigid", "similarity")
ROUNDS = 4
"""Configurations, each the mean of all frames laid onto the one before."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Tracks beside a ground.

    Args:
        trails: what is left of each; only frames in which the ground is known.
        lost: places in frames in which too few reference points were seen.
        shift: how far the ground went, from its place in its first frame to the farthest, in the unit of the places.
        turn: by how much it turned at most, rad.
        left: root mean square of what the reference points still move, a coordinate.
    """

    trails: tuple[Trail, ...]
    lost: int
    shift: float
    turn: float
    left: float


def beside_ground(trails: Sequence[Trail], references: Sequence[str], kind: Ground) -> Beside:
    """Take the motion of a ground away.

    Args:
        trails: of two coordinates each, of one clock.
        references: the names of those that are fixed to the ground; one for a shift, two or more else.
        kind: how it moves.

    Raises:
        ValueError: the references are too few, or never seen together.
    """
    fixed = [trail for trail in trails if trail.name in references]
    need = 1 if kind == "shift" else 2
    if len(fixed) < need:
        raise ValueError(f"a {kind} ground needs {need} reference points or more")
    frames = np.unique(np.concatenate([trail.frames for trail in fixed]))
    places = np.full((len(fixed), len(frames)), np.nan + 0j)
    variances = np.full((len(fixed), len(frames)), np.nan)
    for row, trail in enumerate(fixed):
        at = np.searchsorted(frames, trail.frames)
        places[row, at] = trail.values[0] + 1j * trail.values[1]
        variances[row, at] = 0.5 * np.square(trail.sigmas).sum(axis=0)
    seen = np.isfinite(places)
    whole = np.flatnonzero(seen.all(axis=0))
    if not len(whole):
        raise ValueError(f"the reference points {', '.join(one.name for one in fixed)} are in no frame seen together")
    stated = bool((variances[seen] > 0).all())
    # Weights are 1 / variance where all are stated, else all alike.
    weights = np.where(seen, 1.0 / np.where(seen & stated, variances, 1.0), 0.0)
    enough = np.flatnonzero(seen.sum(axis=0) >= need)
    form = places[:, whole[0]]
    for _ in range(ROUNDS):
        laid = _lay(places[:, whole], weights[:, whole], form, kind)
        form = laid.onto(places[:, whole]).mean(axis=1)
        # The mean of the laid frames is put back onto the first frame in each round, lest it drifts.
        first = _lay(form[:, None], weights[:, whole[:1]], places[:, whole[0]], kind if kind == "shift" else "rigid")
        form = first.onto(form[:, None])[:, 0]
    laid = _lay(places[:, enough], weights[:, enough], form, kind)
    rest = np.abs(laid.onto(np.where(seen, places, np.nan)[:, enough]) - form[:, None])
    left = math.sqrt(float(np.nanmean(np.square(rest))) / 2.0)
    # Without stated variances the noise is what the references leave of each other.
    own = np.where(stated, laid.own, left**2 / np.maximum((weights[:, enough] > 0).sum(axis=0), 1))
    reach = np.where(stated, laid.reach, left**2 / np.maximum(laid.size, np.finfo(float).tiny))
    made, lost = [], 0
    for trail in trails:
        # A frame with too few references has no known motion; its places are lost.
        at = np.minimum(np.searchsorted(frames[enough], trail.frames), len(enough) - 1)
        known = frames[enough][at] == trail.frames
        lost += int((~known).sum())
        at = at[known]
        part = trail.part(known)
        z = part.values[0] + 1j * part.values[1]
        found = laid.target[at] + laid.scale[at] * (z - laid.middle[at])
        # The farther from the references' middle, the more an error of the turn moves a place.
        lever = np.square(np.abs(z - laid.middle[at])) if kind != "shift" else 0.0
        turned = np.angle(laid.scale[at])
        # Variances turn with the axes; the ground's own noise is added.
        vx, vy = np.square(part.sigmas)
        cos, sin = np.square(np.cos(turned)), np.square(np.sin(turned))
        ground = own[at] + lever * reach[at]
        sigmas = np.sqrt(np.stack((cos * vx + sin * vy + ground, sin * vx + cos * vy + ground)))
        made.append(replace(part, values=np.stack((found.real, found.imag)), sigmas=sigmas))
    moved = form.mean() - (laid.target + laid.scale * (form.mean() - laid.middle))
    angles = np.unwrap(np.angle(laid.scale))
    shift, turn = float(np.abs(moved - moved[0]).max()), float(np.abs(angles - angles[0]).max())
    return Beside(tuple(made), lost, shift, turn, left)


@dataclass(frozen=True, slots=True)
class _Laid:
    """Motions of frames (f,): `target` + `scale` (z - `middle`); `own` the variance of the middle a coordinate, `reach`
    that of scale and turn, and `size` the sum of squared distances from the middle."""

    target: Array
    middle: Array
    scale: Array
    own: Array
    reach: Array
    size: Array

    def onto(self, places: Array) -> Array:
        """Places (p, f) laid onto the configuration."""
        found: Array = self.target + self.scale * (places - self.middle)
        return found


def _lay(places: Array, weights: Array, form: Array, kind: Ground) -> _Laid:
    """(p, f) places onto (p,) form."""
    whole = weights.sum(axis=0)
    there = np.where(weights > 0, places, 0.0)
    middle = (weights * there).sum(axis=0) / whole
    target = (weights * form[:, None]).sum(axis=0) / whole
    away, wanted = there - middle, form[:, None] - target
    size = (weights * np.square(np.abs(away))).sum(axis=0)
    tiny = np.finfo(float).tiny
    scale = np.ones(len(middle), complex)
    if kind != "shift":
        scale = (weights * np.conj(away) * wanted).sum(axis=0) / np.maximum(size, tiny)
        if kind == "rigid":
            scale = scale / np.maximum(np.abs(scale), tiny)
    return _Laid(target, middle, scale, 1.0 / whole, 1.0 / np.maximum(size, tiny),
                 np.square(np.abs(away * (weights > 0))).sum(axis=0))  # fmt: skip
