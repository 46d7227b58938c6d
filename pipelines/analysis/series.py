"""Points that were seen through a record as series of even steps, their gaps bridged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.analysis.paths import Path

Array = npt.NDArray[Any]
LEAST = 32
"""Frames of the shortest record."""
SEEN = 0.95
"""Part of the record in which a point was seen at least; the gaps in it are bridged by straight lines."""


@dataclass(frozen=True, slots=True)
class Series:
    """Places of P points in N slots.

    Args:
        tracks: (P,) ids.
        places: (P, 2, N) px.
        variances: (P, 2) means of the stated ones, px^2; NaN where none are stated.
        first: slot of the first column.
        bridged: places that were not seen and are bridged.
        left_out: points that were not seen enough.
    """

    tracks: Array
    places: Array
    variances: Array
    first: int
    bridged: int
    left_out: int


def series_of(paths: Sequence[Path]) -> Series:
    """All points that were seen in SEEN of the record.

    Raises:
        ValueError: the record is shorter than LEAST frames, or no point was seen enough.
    """
    first = min((path.first for path in paths), default=0)
    length = max((path.first + path.places.shape[1] for path in paths), default=0) - first
    kept = [path for path in paths if path.seen >= SEEN * length]
    if length < LEAST or not kept:
        raise ValueError(f"no point was seen in {SEEN:.0%} of a record of {LEAST} frames or more")
    slots, places, variances, bridged = np.arange(length, dtype=float), [], [], 0
    for path in kept:
        seen = np.isfinite(path.places[0])
        # Slots of all series count from the earliest first one.
        at = slots[: len(seen)][seen] + (path.first - first)
        places.append(np.stack([np.interp(slots, at, axis[seen]) for axis in path.places]))
        variances.append(path.variances[:, seen].mean(axis=1))
        bridged += length - int(seen.sum())
    return Series(np.array([path.track for path in kept], np.int64), np.array(places), np.array(variances), first,
                  bridged, len(paths) - len(kept))  # fmt: skip
