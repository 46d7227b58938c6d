"""A field of displacement or strain over the picture of one frame, as colours: worked out beside the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.analysis.strain import StrainField, StrainOptions
from app.exports.scale import Scale
from kernels.errors import InputError
from pipelines.analysis.displacement import displacements_of
from pipelines.analysis.strain import Gauge, Measure
from pipelines.features import State, Tracks, join_tracks

Array = npt.NDArray[Any]
CUT = 1.0
"""Percent of the values at either end that are beyond the colours."""
ARROWS = 20
"""Arrows along the longer side of a field at most."""
HIGHEST = 254
"""Number of the last colour; the first is 0, and 255 is none."""


@dataclass(frozen=True, slots=True)
class FieldAsk:
    """What is wanted.

    Args:
        reference, rows: rows of the reference frame and of the one that is shown.
        quantity: of `app.analysis.strain.QUANTITIES`.
        window, measure, subset: as of `StrainOptions`.
        scale: lengths in place of px.
        size: width and height of the picture, px.
        ends: values of the first and the last colour; None for those of the frame, with `before` within them.
        before: ends of earlier frames.
    """

    reference: Tracks
    rows: Tracks
    quantity: str
    window: int
    measure: Measure
    subset: float | None
    scale: Scale | None
    size: tuple[int, int]
    ends: tuple[float, float] | None = None
    before: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class FieldMap:
    """What is drawn.

    Args:
        colours: (height, width) u8, 0 to `HIGHEST`, 255 where there is nothing.
        ends: values of the first and the last colour.
        unit: of the values, "" of strains.
        starts, ways: (n, 2) px where arrows begin, and displacements there.
        points, missing: how many points the reference has, and how many of them have no value.
        gauge_length: over which strains are means, in `length`.
        length: unit of lengths.
        quantity: which field.
        reference: the frame since which points have moved.
    """

    colours: npt.NDArray[np.uint8]
    ends: tuple[float, float]
    unit: str
    starts: Array
    ways: Array
    points: int
    missing: int
    gauge_length: float
    length: str
    quantity: str
    reference: int


class FieldMaker:
    """Makes maps; keeps the windows of the points from one frame to the next."""

    def __init__(self) -> None:
        self._gauge: Gauge | None = None

    def make(self, ask: FieldAsk) -> FieldMap:
        """Work out a map.

        Raises:
            InputError: there are too few points, or as in `displacements_of`.
        """
        reference = ask.reference[ask.reference["state"] == State.TRACKED]
        if len(reference) < 3:
            raise InputError("a field needs three points or more; fill an area with a grid of points (Shift+B)")
        first = len(ask.rows) > 0 and int(ask.rows["frame"][0]) == int(reference["frame"][0])
        moved = displacements_of(reference if first else join_tracks([reference, ask.rows]))
        gauge = self._gauge
        same = gauge is not None and (gauge.window, gauge.subset) == (ask.window, ask.subset)
        # Which points are neighbours costs most, and is the same while the points and the window are.
        if gauge is None or not same or not np.array_equal(gauge.points, moved.points):
            gauge = self._gauge = Gauge(moved.points, ask.window, ask.subset)
        options = StrainOptions(ask.window, ask.measure, ask.subset)
        field = StrainField(moved, gauge, options, (), ask.scale)
        k = len(moved.frames) - 1
        if not first and (not len(ask.rows) or k == 0):
            values = np.full(len(moved.points), np.nan)  # all are lost
        else:
            values = field.values(ask.quantity, k)
        ends = ask.ends or spanned(values, ask.before)
        places = moved.points + np.nan_to_num(moved.moved[k])
        known = np.isfinite(values)
        starts, ways = _arrows(moved.points, moved.moved[k], gauge.step)
        return FieldMap(
            squares(places[known], values[known], gauge.step, ask.size, ends), ends, field.unit(ask.quantity), starts,
            ways, len(values), int((~known).sum()), field.gauge_length, field.units.length, ask.quantity,
            int(moved.frames[0]),
        )  # fmt: skip


def spanned(values: Array, before: tuple[float, float] | None) -> tuple[float, float]:
    """The ends of the colours: of these values, and of those before."""
    known = values[np.isfinite(values)]
    ends = [*(np.percentile(known, (CUT, 100.0 - CUT)).tolist() if len(known) else ()), *(before or ())]
    low, high = (min(ends), max(ends)) if ends else (0.0, 0.0)
    return (low, high) if high > low else (low - 1e-6, high + 1e-6)


def squares(
    places: Array, values: Array, step: float, size: tuple[int, int], ends: tuple[float, float]
) -> npt.NDArray[np.uint8]:
    """A square of the side `step` around each place, px of a picture of this width and height; nothing is made up
    between points."""
    width, height = size
    found = np.full((height, width), 255, np.uint8)
    side = max(1, int(np.ceil(step)))
    level = np.rint(HIGHEST * np.clip((values - ends[0]) / (ends[1] - ends[0]), 0.0, 1.0)).astype(np.uint8)
    corner = np.rint(places - 0.5 * (side - 1)).astype(np.int64)
    # a px more where neighbours have moved apart
    rows, columns = (corner[:, 1 - k, None] + np.arange(side + 1) for k in (0, 1))
    inside = ((rows >= 0) & (rows < height))[:, :, None] & ((columns >= 0) & (columns < width))[:, None, :]
    flat = (rows[:, :, None] * width + columns[:, None, :])[inside]
    found.reshape(-1)[flat] = np.broadcast_to(level[:, None, None], inside.shape)[inside]
    return found


def _arrows(points: Array, moved: Array, step: float) -> tuple[Array, Array]:
    """Where arrows begin, some of the points that were seen, and how far these have moved, px."""
    seen = np.flatnonzero(np.isfinite(moved[:, 0]))
    apart = max(step, float(np.ptp(points, axis=0).max()) / ARROWS)
    # One arrow in each square of side `apart`.
    _, first = np.unique(np.floor((points[seen] - points.min(axis=0)) / apart), axis=0, return_index=True)
    chosen = seen[first]
    return points[chosen], moved[chosen]
