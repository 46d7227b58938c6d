"""What rows of tracks say besides places: the one table of all such columns, and how features become them.

A measure is a number of a row that not every pipeline has: how large a thing is, how it lies, how far a window has
turned. It is beside the rows of `TRACK_DTYPE`, an entry a row, NaN where nothing was measured (a guess, a merged
detection); rows that carry their measures are of `measured_dtype`, whose first fields are those of TRACK_DTYPE.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.features import TRACK_DTYPE, Features, Tracks

Array = npt.NDArray[Any]
Measures = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Measure:
    """One such column.

    Args:
        field: of rows that carry it.
        unit: "px", "px2" (squared), "deg", "1" for a ratio, "" for what counts in the grey values of the picture.
        doc: what it is, one sentence.
        period: degrees after which an angle is the same again; along a track such angles go on past it. 0: no angle.
        flips: whether it changes its sign where y points up.
        turns: whether it is counted from the x axis, and so changes where that is turned.
    """

    field: str
    unit: str
    doc: str
    period: float = 0.0
    flips: bool = False
    turns: bool = False

    @property
    def sentence(self) -> str:
        """What it is, as people read it."""
        return self.doc[0].upper() + self.doc[1:]

    @property
    def type(self) -> str:
        """Its NumPy type: angles that go on and on are exacter."""
        return "f8" if self.period else "f4"


MEASURES = (
    Measure("area", "px2", "area of the thing: of the pixels of its mask, with centre = shape or ellipse of what its "
            "outline encloses, of refined peaks of their half maximum"),
    Measure("sigma_area", "px2", "standard uncertainty of the area: noise along the outline, and where the edge is"),
    Measure("diameter", "px", "diameter of the circle of that area"),
    Measure("sigma_diameter", "px", "standard uncertainty of the diameter"),
    Measure("mass", "", "sum of the light above the ground around it, in units of the picture that weighs it"),
    Measure("peak", "", "largest light above the ground around it, in the same units"),
    Measure("min", "", "least gray value of the thing's pixels (those of its mask), as they are in the picture that "
            "weighs it"),
    Measure("max", "", "largest gray value of the thing's pixels"),
    Measure("major", "px", "length of the longer axis of the ellipse with the thing's second moments (of its light, or "
            "of what its outline encloses): of an even ellipse that axis, of a Gaussian spot 4 standard deviations"),
    Measure("minor", "px", "length of its shorter axis"),
    Measure("sigma_major", "px", "standard uncertainty of the longer axis: noise along the outline, and where the edge "
            "is; not what a blur takes away from pointed ends"),
    Measure("sigma_minor", "px", "standard uncertainty of the shorter axis"),
    Measure("orientation", "deg", "direction of the longer axis from the x axis towards the y axis; it goes on past "
            "180 degrees along a track", 180.0, True, True),
    Measure("sigma_orientation", "deg", "standard uncertainty of that direction: noise along the outline"),
    Measure("rotation", "deg", "how far the window has turned since its reference, from the x axis towards the y axis; "
            "it goes on past 360 degrees along a track", 360.0, True),
    Measure("scale", "1", "how much larger the window has become since its reference: the root of the ratio of areas; "
            "1 as long as a window shifts and turns alone"),
)  # fmt: skip
"""All measures, in the order in which they are in tables."""
EDGE = 0.03
"""px: how well it is known where an outline lies, noise aside. Halfway between the levels of a thing and of its ground
depends on where its mask ends, from which on they are taken: dark discs of 10 to 15 px with a blur of 0.8 px had radii
that were off by -.04 to +.04 px with masks from a quarter to three quarters of their height."""
AROUND = 32
"""Points of an outline that integrals along it are taken at."""
ANY_WAY = 180.0 / 12.0**0.5
"""Standard deviation of a direction of which nothing is known, degrees."""
OF_AXES = ("sigma_major", "sigma_minor", "sigma_orientation")
BY_FIELD = {one.field: one for one in MEASURES}
FIELDS = tuple(BY_FIELD)


@cache
def measures_dtype(fields: tuple[str, ...]) -> np.dtype[Any]:
    """The structured dtype of measures beside rows."""
    return np.dtype([(name, BY_FIELD[name].type) for name in fields])


@cache
def measured_dtype(fields: tuple[str, ...]) -> np.dtype[Any]:
    """The dtype of rows that carry their measures; TRACK_DTYPE itself for none."""
    return np.dtype([*TRACK_DTYPE.descr, *measures_dtype(fields).descr]) if fields else TRACK_DTYPE


def fields_of(rows: Tracks) -> tuple[str, ...]:
    """The measures that rows carry."""
    return tuple(name for name in rows.dtype.names or () if name in BY_FIELD)


def in_order(fields: Iterable[str]) -> tuple[str, ...]:
    """Fields, each once, as they are in tables."""
    wanted = set(fields)
    return tuple(name for name in FIELDS if name in wanted)


def no_measures(count: int, fields: tuple[str, ...]) -> Measures:
    """Of so many rows that nothing is known of."""
    made = np.empty(count, measures_dtype(fields))
    for name in fields:
        made[name] = np.nan
    return made


def with_fields(measures: Measures, fields: tuple[str, ...]) -> Measures:
    """The same with these fields: others go, missing ones are NaN."""
    if measures.dtype.names == fields:
        return measures
    made = no_measures(len(measures), fields)
    for name in {*fields} & {*(measures.dtype.names or ())}:
        made[name] = measures[name]
    return made


def carrying(rows: Tracks, measures: Measures) -> Tracks:
    """Rows of TRACK_DTYPE and their measures in one table of `measured_dtype`; a copy."""
    made = np.empty(len(rows), measured_dtype(measures.dtype.names or ()))
    lying, head = made.view(np.uint8).reshape(len(made), made.itemsize), TRACK_DTYPE.itemsize
    lying[:, :head] = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), head)
    lying[:, head:] = np.ascontiguousarray(measures).view(np.uint8).reshape(len(rows), made.itemsize - head)
    return made


def with_measures(rows: Tracks, fields: tuple[str, ...]) -> Tracks:
    """Rows with these of the measures that they carry; a copy."""
    made = np.empty(len(rows), measured_dtype(fields))
    for name in made.dtype.names or ():
        made[name] = rows[name]
    return made


def measured_as(rows: Tracks, fields: tuple[str, ...]) -> Tracks:
    """Rows with these measures: those that they do not carry are NaN, others go; a copy, unless they are so."""
    have = fields_of(rows)
    if have == fields:
        return rows
    made = np.empty(len(rows), measured_dtype(fields))
    for name in made.dtype.names or ():
        made[name] = rows[name] if name in (rows.dtype.names or ()) else np.nan
    return made


def plain(rows: Tracks) -> Tracks:
    """The rows without their measures, of TRACK_DTYPE; a copy where there are some."""
    return rows if rows.dtype == TRACK_DTYPE else with_measures(rows, ())


def of_features(features: Features, found: Array, fields: tuple[str, ...], outlined: bool) -> Measures:
    """The measures of rows that were seen as features.

    The uncertainty of an area that an outline encloses follows from that of its centre: errors of an outline's points
    that do not know of each other move the centre of a circle by the root of 2 / n of theirs and its radius by the
    root of 1 / n (they are Fourier coefficients of the first and of the zeroth order, of the same noise). Where halfway
    up is, is known to EDGE.

    Args:
        features: rows of `FEATURE`.
        found: of each row its place among them, -1 for none.
        fields: that are wanted; those that features do not tell are NaN.
        outlined: whether area and sigma are those of an outline.
    """
    known = np.flatnonzero(found >= 0)
    made = no_measures(len(found), fields)
    if not len(known):
        return made
    one = features.take(found[known])
    wanted = {*fields}
    area = one["area"]
    radius = np.sqrt(area * (1.0 / np.pi))
    values: dict[str, Array] = {"area": area, "diameter": 2.0 * radius, "mass": one["mass"], "peak": one["peak"],
                              "min": one["min"], "max": one["max"]}  # fmt: skip
    if outlined and wanted & {"sigma_area", "sigma_diameter"}:
        around = 2.0 * np.pi * radius
        sigma = np.sqrt(0.5 * (around * one["sigma"]) ** 2 + unknown_area(radius) ** 2)
        values |= {"sigma_area": sigma, "sigma_diameter": sigma / np.maximum(np.pi * radius, 1e-300)}
    if wanted & {"major", "minor", *OF_AXES}:
        mean, half = 0.5 * (one["xx"] + one["yy"]), 0.5 * (one["xx"] - one["yy"])
        far = np.hypot(half, one["xy"])
        values |= {"major": 4.0 * np.sqrt(np.maximum(mean + far, 0.0)),
                 "minor": 4.0 * np.sqrt(np.maximum(mean - far, 0.0))}  # fmt: skip
        if outlined and wanted & {*OF_AXES}:
            values |= _errors_of_axes(0.5 * values["major"], 0.5 * values["minor"], one["sigma"])
    if "orientation" in wanted:  # what noise moves the least, where it is known
        half, both = one["stretch"], one["lean"]
        weak = ~(np.isfinite(half) & np.isfinite(both))
        if weak.any():
            half, both = np.where(weak, 0.5 * (one["xx"] - one["yy"]), half), np.where(weak, one["xy"], both)
        values["orientation"] = np.degrees(0.5 * np.arctan2(both, half))
    with np.errstate(over="ignore"):
        for name in fields:
            if name in values:
                made[name][known] = values[name]
    return made


def _errors_of_axes(a: Array, b: Array, sigma: Array) -> dict[str, Array]:
    """The uncertainty of the axes of an ellipse, and of its direction, by that of its centre.

    Where points of an outline err by e along its normal, and each knows nothing of the others, all of what lies within
    changes by integrals of e over the outline: the centre by x e / A, the second moments by (x^2 - a^2/4) e / A and
    x y e / A. So the variances of these are to each other as the integrals of the squares of what stands before e; of a
    circle the axes err by the root of 6 of the centre's error.

    Args:
        a, b: half axes, px. sigma: of the centre, root mean square of x and y.
    """
    t = 2.0 * np.pi * (np.arange(AROUND) + 0.5) / AROUND
    x, y = a[:, None] * np.cos(t), b[:, None] * np.sin(t)
    along = np.hypot(a[:, None] * np.sin(t), b[:, None] * np.cos(t))
    centre = np.maximum((0.5 * (x * x + y * y) * along).sum(axis=1), 1e-300)

    def moment(before: Array) -> Array:
        return np.asarray(sigma * np.sqrt((before * before * along).sum(axis=1) / centre))

    xx, yy = moment(x * x - 0.25 * (a * a)[:, None]), moment(y * y - 0.25 * (b * b)[:, None])
    with np.errstate(divide="ignore", invalid="ignore"):
        turn = np.degrees(4.0 * moment(x * y) / (a * a - b * b))
    return {
        "sigma_major": np.hypot(4.0 * xx / np.maximum(a, 1e-300), 2.0 * EDGE),
        "sigma_minor": np.hypot(4.0 * yy / np.maximum(b, 1e-300), 2.0 * EDGE),
        "sigma_orientation": np.where(turn < ANY_WAY, turn, ANY_WAY),
    }


def unknown_area(radius: Array) -> Array:
    """What is not known of the area of a disc of that radius (px) even without noise, px^2."""
    return np.asarray(2.0 * np.pi * EDGE * radius)


class Unwrapping:
    """Angles of rows that go on along their tracks, past the period after which they are the same again.

    An angle is taken to have moved by less than half of its period since the row before of its track that has one.
    """

    def __init__(self) -> None:
        self._last: dict[tuple[str, int], float] = {}  # the last angle of each track, as it went out

    def unwrap(self, rows: Tracks) -> None:
        """Change the angles of rows that carry measures, in place; rows of a track come in their order."""
        for name in fields_of(rows):
            if BY_FIELD[name].period:
                self._along(rows, name, BY_FIELD[name].period)

    def _along(self, rows: Tracks, name: str, period: float) -> None:
        known = np.flatnonzero(np.isfinite(rows[name]))
        if not len(known):
            return
        order = known[np.argsort(rows["track"][known], kind="stable")]
        tracks, angle = rows["track"][order], rows[name][order].astype(np.float64)
        first = np.concatenate(([True], tracks[1:] != tracks[:-1]))
        begins = np.flatnonzero(first)
        before = np.concatenate(([0.0], angle[:-1]))
        ids = tracks[begins].tolist()
        before[begins] = [self._last.get((name, track), own) for track, own in zip(ids, angle[begins].tolist(),
                                                                                  strict=True)]  # fmt: skip
        whole = -np.rint((angle - before) / period)
        total = np.cumsum(whole)
        start = total[begins] - whole[begins]
        total -= np.repeat(start, np.diff(np.append(begins, len(angle))))
        angle += period * total
        rows[name][order] = angle
        ends = np.append(begins[1:], len(angle)) - 1
        self._last.update(zip(((name, track) for track in ids), angle[ends].tolist(), strict=True))
