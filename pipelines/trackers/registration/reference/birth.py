"""Which corners to follow: the strongest that keep their distance; and which ran onto each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.loops.language import F64, I64, at, loop
from kernels.loops.structs import Struct, struct
from pipelines.trackers.registration.windows.native import call

Array = npt.NDArray[Any]


@struct
class Candidates(Struct):
    """Points that may be followed."""

    x: F64  # px
    y: F64
    strength: F64
    order: I64  # the strongest first
    count: int


@struct
class Lived(Struct):
    """Points that are followed."""

    x: F64  # px
    y: F64
    count: int


@loop
def spread_out(candidates: Candidates, least: float, lived: Lived, apart: float, room: int, chosen: I64) -> int:
    """Take points in their order, `room` at most and none weaker than `least`, that are `apart` px from those that live
    and from those taken; how many."""
    x, y = at(candidates.x, 0), at(candidates.y, 0)
    taken = 0
    limit = apart * apart
    for n in range(candidates.count):
        i = candidates.order[n]
        if candidates.strength[i] < least or taken == room:
            break
        free = 1
        for j in range(lived.count):
            ex, ey = x[i] - lived.x[j], y[i] - lived.y[j]
            if ex * ex + ey * ey < limit:
                free = 0
                break
        if free:
            for j in range(taken):
                ex, ey = x[i] - x[chosen[j]], y[i] - y[chosen[j]]
                if ex * ex + ey * ey < limit:
                    free = 0
                    break
        if free:
            chosen[taken] = i
            taken += 1
    return taken


@loop
def close_pairs(x: F64, y: F64, order: I64, count: int, reach: float, younger: I64) -> int:
    """Mark the higher index of every pair nearer than `reach`. `order`: by rising y."""
    for n in range(count):
        i = order[n]
        for m in range(n + 1, count):
            j = order[m]
            ex, ey = x[j] - x[i], y[j] - y[i]
            if ey >= reach:
                break
            if ex * ex + ey * ey < reach * reach:
                younger[max(i, j)] = 1
    return 0


def corners_of(features: Array) -> tuple[Array, Array, Array]:
    """x, y and strength of a table's rows, those with finite ones.

    Raises:
        DefinitionError: it has no such columns.
    """
    found = np.asarray(features)
    names = found.dtype.names or ()
    strength = next((name for name in ("peak", "value") if name in names), "")
    if found.ndim != 1 or "x" not in names or "y" not in names or not strength:
        raise DefinitionError(
            f"tracker klt wants rows with x, y and peak (or value) as 'features', not an array of shape "
            f"{found.shape} and type {found.dtype}"
        )
    x, y = (found[a] + (found[f"d{a}"].astype(np.float64) if f"d{a}" in names else 0.0) for a in "xy")
    usable = np.isfinite(x) & np.isfinite(y) & np.isfinite(found[strength])
    return x[usable].astype(np.float64), y[usable].astype(np.float64), found[strength][usable].astype(np.float64)


def chosen(x: Array, y: Array, strength: Array, lived: Array, apart: float, room: int, quality: float) -> Array:
    """Indices of the strongest points that keep their distance.

    Args:
        x, y, strength: of n points.
        lived: (m, 2) points to keep away from.
        apart: least distance, px.
        room: at most so many.
        quality: weakest strength, relative to the strongest.
    """
    if not len(x) or room < 1:
        return np.zeros(0, np.int64)
    order = np.lexsort((x, y, -strength))
    least = quality * float(strength[order[0]])
    lived = np.ascontiguousarray(lived, np.float64).reshape(-1, 2)
    out = np.empty(min(room, len(x)), np.int64)
    others = Lived(lived[:, 0].copy(), lived[:, 1].copy(), len(lived))
    n = call(spread_out, Candidates(x, y, strength, order, len(x)), least, others, apart, len(out), out)
    return out[:n]


def merged(x: Array, y: Array, reach: float) -> Array:
    """True for each point that is nearer than `reach` px to one with a lower index."""
    younger = np.zeros(len(x), np.int64)
    call(close_pairs, np.ascontiguousarray(x), np.ascontiguousarray(y), np.argsort(y), len(x), reach, younger)
    made: Array = younger != 0
    return made
