"""Displacement and strain of the points of a run, frame by frame, and virtual extensometers, in wanted units."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from app.analysis.kinematics import rows_within
from app.exports.scale import Scale, Units
from kernels.errors import InputError
from pipelines.analysis.areas import SPELT, Area, parse_area
from pipelines.analysis.displacement import Displacements, Extension, displacements_of, extension_of
from pipelines.analysis.mesh import cells_of
from pipelines.analysis.strain import NAMES, Gauge, Measure, Strains
from pipelines.features import Tracks

Array = npt.NDArray[Any]
MOVES = ("u", "v", "magnitude")
"""Fields of displacement: along x, along y, and how far."""
QUANTITIES = (*MOVES, *NAMES)
"""All fields."""
SYMBOLS = {"u": "u", "v": "v", "magnitude": "|u|", "exx": "εxx", "eyy": "εyy", "exy": "εxy", "e1": "ε1", "e2": "ε2",
           "von_mises": "εvM"}  # fmt: skip
"""How fields are called in figures."""


@dataclass(frozen=True, slots=True)
class End:
    """An end of an extensometer: a track, or all points in an area of the reference frame."""

    track: int = -1
    area: Area | None = None

    def __str__(self) -> str:
        return str(self.track) if self.area is None else str(self.area)


@dataclass(frozen=True, slots=True)
class Extensometer:
    """Two ends and a name."""

    name: str
    ends: tuple[End, End]


@dataclass(frozen=True, slots=True)
class StrainOptions:
    """What is asked, as the options of `fusetrack strain`.

    Args:
        window: points along a side of the windows in which planes are fitted, odd.
        measure: which strain.
        subset: side of the windows of pixels that points were followed with, px; None for what the run tells.
        frames: from the first, which is the reference, to before the second; None for all.
        extensometers: lengths that are followed besides.
    """

    window: int = 5
    measure: Measure = "green-lagrange"
    subset: float | None = None
    frames: tuple[int | None, int | None] | None = None
    extensometers: tuple[Extensometer, ...] = ()


@dataclass(frozen=True)
class StrainField:
    """What was found; strains of a frame are worked out when they are asked for.

    Args:
        moved: displacements, px.
        gauge: how strain is fitted.
        options: what was asked.
        extensions: of the extensometers.
        scale: lengths in place of px; None for px.
        notes: sentences to read with it.
    """

    moved: Displacements
    gauge: Gauge
    options: StrainOptions
    extensions: tuple[Extension, ...]
    scale: Scale | None
    notes: tuple[str, ...] = field(default=())

    @property
    def units(self) -> Units:
        """Of lengths and times."""
        return Units(self.scale.unit if self.scale is not None else "px", "s" if self.moved.timed else "frame")

    @property
    def factor(self) -> float:
        """Length of a pixel in `units`."""
        return self.scale.factor if self.scale is not None else 1.0

    @property
    def gauge_length(self) -> float:
        """Over which strains are means, in `units`."""
        return self.gauge.length * self.factor

    @cached_property
    def cells(self) -> Array:
        """As of `pipelines.analysis.mesh.cells_of`."""
        return cells_of(self.moved.points, self.gauge.step, self.gauge.lattice)

    def strains(self, k: int) -> Strains:
        """Of frame number `k` of those that there are."""
        moved = self.moved
        return self.gauge.strains(moved.moved[k], moved.sigmas[k].astype(np.float64), moved.correlation[k],
                                  self.options.measure)  # fmt: skip

    def values(self, quantity: str, k: int, strains: Strains | None = None) -> Array:
        """(P,) one of `QUANTITIES` in frame number `k`, lengths in `units`; NaN where it is not known."""
        if quantity in NAMES:
            found = self.strains(k) if strains is None else strains
            return np.asarray(found.values[NAMES.index(quantity)])
        moved = self.moved.moved[k] * self.factor
        return np.asarray(np.hypot(*moved.T) if quantity == "magnitude" else moved[:, MOVES.index(quantity)])

    def unit(self, quantity: str) -> str:
        """Of a quantity; "" of strains."""
        return self.units.length if quantity in MOVES else ""

    @cached_property
    def frames(self) -> tuple[FrameSummary, ...]:
        """Every frame summed up."""
        return tuple(self._summed(k, strains) for k, strains in self.each())

    def each(self) -> Iterator[tuple[int, Strains]]:
        """All frames, by number."""
        return ((k, self.strains(k)) for k in range(len(self.moved.frames)))

    def _summed(self, k: int, strains: Strains) -> FrameSummary:
        known = np.isfinite(strains.values[0])
        seen = int(np.isfinite(self.moved.moved[k, :, 0]).sum())
        values, sigmas = strains.values[:, known], strains.sigmas[:, known]
        empty = not known.any()
        nothing = np.full(len(NAMES), math.nan)
        return FrameSummary(
            int(self.moved.frames[k]), float(self.moved.times[k]), seen, len(known) - seen, int(known.sum()),
            nothing if empty else values.mean(axis=1), nothing if empty else values.std(axis=1),
            nothing if empty else np.sqrt(np.square(sigmas).mean(axis=1)),
            nothing if empty else values.min(axis=1), nothing if empty else values.max(axis=1),
        )  # fmt: skip

    @property
    def hardest(self) -> int:
        """The number of the frame in which the mean equivalent strain is largest; 0 where there is none."""
        means = np.array([one.mean[NAMES.index("von_mises")] for one in self.frames])
        return int(np.nanargmax(means)) if np.isfinite(means).any() else 0


@dataclass(frozen=True, slots=True)
class FrameSummary:
    """One frame.

    Args:
        frame, time: its number; s.
        seen, lost: points that were seen, and those of the reference that were not.
        strained: points with a strain: enough of their neighbours were seen.
        mean, spread, sigma, lowest, highest: (6,) of each strain (`NAMES`) over these points: mean, standard deviation,
            root mean square of the stated uncertainties, least and largest.
    """

    frame: int
    time: float
    seen: int
    lost: int
    strained: int
    mean: Array
    spread: Array
    sigma: Array
    lowest: Array
    highest: Array


def strain_of(
    rows: Tracks, options: StrainOptions | None = None, *, fps: float | None = None, timed: bool = True,
    scale: Scale | None = None, subset: float | None = None,
) -> StrainField:  # fmt: skip
    """Analyse tracks.

    Args:
        rows: TRACK_DTYPE; those that are TRACKED count.
        options: what is asked.
        fps: in place of the times. timed: whether these are seconds.
        scale: lengths in place of px.
        subset: of the run, px, where the options have none; None where it is not known.

    Raises:
        InputError: no point is left, an extensometer has no end, or as in `Gauge` and `displacements_of`.
    """
    options = options or StrainOptions()
    # Times that are not in seconds count as unknown: frames are the axis of time then.
    if not timed and fps is None:
        rows = rows.copy()
        rows["time"] = math.nan
    moved = displacements_of(rows_within(rows, options.frames), fps)
    side = subset if options.subset is None else options.subset
    gauge = Gauge(moved.points, options.window, side)
    extensions = tuple(extension_of(moved, one.name, _ends(moved, one), side) for one in options.extensometers)
    found = StrainField(moved, gauge, options, extensions, scale)
    return StrainField(moved, gauge, options, extensions, scale, tuple(_notes(found)))


def _ends(moved: Displacements, wanted: Extensometer) -> tuple[Array, Array]:
    """Numbers of the points at both ends."""
    found = []
    for end in wanted.ends:
        held = moved.tracks == end.track if end.area is None else end.area.holds(moved.points.T)
        if not held.any():
            what = f"track {end.track} was not seen" if end.area is None else f"no point lies in {end.area}"
            raise InputError(f"extensometer {wanted.name}: {what} in the reference frame {moved.frames[0]}")
        found.append(np.flatnonzero(held))
    return found[0], found[1]


def _notes(found: StrainField) -> list[str]:
    moved, gauge, notes = found.moved, found.gauge, []
    if moved.late:
        notes.append(f"{moved.late} tracks were not seen in the reference frame {moved.frames[0]} and are left out")
    lost = len(moved.tracks) - moved.seen
    if lost.any():
        worst = int(np.argmax(lost))
        notes.append(f"{int(lost.sum())} of {len(lost) * len(moved.tracks)} places were not seen and are left out, "
                     f"most in frame {moved.frames[worst]}: {lost[worst]} of {len(moved.tracks)}")  # fmt: skip
    if gauge.subset is None:
        notes.append("the side of the windows that points were followed with is not known (--subset): the gauge length "
                     "is that of the points alone, and errors of neighbours are taken as independent")  # fmt: skip
    if gauge.lattice is None:
        notes.append("the points lie on no square grid: windows hold different numbers of them; `fusetrack run --grid` "
                     "follows a grid")  # fmt: skip
    if not np.isfinite(moved.sigmas[np.isfinite(moved.moved)]).all():
        notes.append("not every row states its sigma, so that errors of strains are not known everywhere")
    return notes


def parse_extensometer(text: str) -> Extensometer:
    """What --extensometer says: two tracks, or two areas.

    >>> str(parse_extensometer("gauge=circle:100,200,20 to circle:400,200,20").ends[1]), parse_extensometer("3,57").name
    ('circle:400,200,20', '3 to 57')

    Raises:
        InputError: it is something else.
    """
    # Areas hold no "=": all before the last one is the name.
    name, _, spelt = text.rpartition("=")
    parts = [part.strip() for part in re.split(r"\s+to\s+", spelt.strip())]
    if len(parts) == 1 and re.fullmatch(r"\d{1,9}\s*,\s*\d{1,9}", parts[0]):
        parts = [part.strip() for part in parts[0].split(",")]
    try:
        first, second = (End(int(part)) if re.fullmatch(r"\d{1,9}", part) else End(area=parse_area(part))
                         for part in parts)  # fmt: skip
    except (ValueError, InputError):
        raise InputError("--extensometer takes [NAME=]TRACK,TRACK or [NAME=]AREA to AREA, an area being "
                         f"{SPELT}, in px of the reference frame, not {text!r}") from None  # fmt: skip
    if first == second:
        raise InputError(f"--extensometer: both ends of {text!r} are the same")
    return Extensometer(name.strip() or f"{first} to {second}", (first, second))
