"""How the tracks of a table move: smoothed places and derivatives, distances and angles, fits, in wanted units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.axes import Axes
from app.exports.scale import METRES, Scale, Units
from kernels.errors import InputError
from pipelines.analysis.curve_fits import Fit, fit
from pipelines.analysis.ground import Beside, Ground, beside_ground
from pipelines.analysis.local_polynomials import Smoothed, Window, smooth
from pipelines.analysis.measures import angle, direction, distance
from pipelines.analysis.smoothing_window import Choice, all_stated, choose_window
from pipelines.analysis.trails import Trail, trails_of
from pipelines.analysis.travel import Dwell, Region, Travel, dwell_of, speed_histogram, stays, travel_of
from pipelines.features import Tracks

Array = npt.NDArray[Any]
SHARED = 30.0
"""Values of all tracks that count beside those of one for its noise: of short tracks it is that of all."""
LEFT_OVER = 2.0
"""Times the noise that a fit may leave before a note says so."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked, as the options of `fusetrack motion`.

    Args:
        tracks: only these; () for all.
        frames: from the first to before the second; None for all.
        least: frames in which a track was seen.
        width: s of the window of polynomials; None for what suits.
        order: of the polynomials; None for what suits.
        references: tracks that are fixed to the ground; () for a ground that does not move.
        ground: how it moves.
        distances: pairs of tracks. angles: pairs, or three with the vertex in the middle.
        regions: in units and axes of the result.
        models: that are fitted, to the measures, and to the tracks where there are none or `tracks` names some.
        along: x, y or main, of oscillations and decays.
    """

    tracks: tuple[int, ...] = ()
    frames: tuple[int | None, int | None] | None = None
    least: int = 5
    width: float | None = None
    order: int | None = None
    references: tuple[int, ...] = ()
    ground: Ground = "rigid"
    distances: tuple[tuple[int, int], ...] = ()
    angles: tuple[tuple[int, ...], ...] = ()
    regions: tuple[Region, ...] = ()
    models: tuple[str, ...] = ()
    along: str = "main"


@dataclass(frozen=True, slots=True)
class Moving:
    """One trail, smoothed.

    Args:
        trail: as it was seen. unit: of its values: a length, or "deg".
        smoothed: its polynomials; variances are those of the noise that its own samples show.
        noise: that noise, standard deviation of one sample, a coordinate.
    """

    trail: Trail
    unit: str
    smoothed: Smoothed
    noise: float

    @property
    def speed(self) -> Array:
        """(n,) the length of its velocity."""
        found: Array = np.hypot(*self.smoothed.values[1]) if len(self.trail.values) == 2 else np.abs(
            self.smoothed.values[1, 0])  # fmt: skip
        return found

    @property
    def speed_sigma(self) -> Array:
        """(n,) its standard uncertainty."""
        return self.length_sigma(1)

    def length_sigma(self, derivative: int) -> Array:
        """(n,) the standard uncertainty of the length of a derivative: along it; where it is none that of a
        coordinate."""
        return _along(self.smoothed.values[derivative], self.smoothed.variances[derivative])

    @property
    def acceleration(self) -> Array:
        """(n,) the length of its acceleration."""
        found: Array = np.hypot(*self.smoothed.values[2]) if len(self.trail.values) == 2 else np.abs(
            self.smoothed.values[2, 0])  # fmt: skip
        return found


@dataclass(frozen=True, slots=True)
class Kinematics:
    """What was found, in `units`; angles in degrees.

    Args:
        tracks, measures: smoothed.
        window: of the tracks' polynomials, s, and whether it was chosen here (`choice`), None else.
        measure_windows: of each measure, likewise chosen from it.
        travels: of each track. dwells: of each track, of each region.
        speeds: edges and seconds between them, of all tracks.
        fits: curves. failed: sentences about those that there are none of.
        beside: what was taken away as motion of the ground, None without.
        left_out: tracks that were seen in too few frames.
        step: s between frames.
        units: of all numbers.
        coordinates: where they count from, in words.
    """

    tracks: tuple[Moving, ...]
    measures: tuple[Moving, ...]
    window: Window
    choice: Choice | None
    measure_windows: tuple[Window, ...]
    travels: tuple[Travel, ...]
    dwells: tuple[tuple[Dwell, ...], ...]
    speeds: tuple[Array, Array]
    fits: tuple[Fit, ...]
    failed: tuple[str, ...]
    beside: Beside | None
    left_out: int
    step: float
    units: Units
    coordinates: str = "x to the right, y down, px of the picture"
    notes: tuple[str, ...] = field(default=())

    def unit_of(self, of: str, unit: str) -> str:
        """A unit of a fit ("length/s2"), of the trail of that name."""
        length = next((one.unit for one in self.measures if one.trail.name == of), self.units.length)
        return unit.replace("length", length)


def kinematics_of(
    rows: Tracks, wanted: Wanted | None = None, *, fps: float | None = None, timed: bool = True,
    scale: Scale | None = None, axes: Axes | None = None, y_up: bool = False,
) -> Kinematics:  # fmt: skip
    """Analyse tracks.

    Args:
        rows: TRACK_DTYPE; those that are TRACKED count.
        wanted: what is asked.
        fps: in place of the times. timed: whether these are seconds.
        scale: lengths in place of px.
        axes: positions count along these, y down, or up with `y_up`; None for the picture's.

    Raises:
        InputError: no track is left, one that is asked for is not there, no rate is known, or as in `trails_of`.
    """
    wanted = wanted or Wanted()
    if axes is not None:
        rows = axes.turned(rows, y_up)
    found = trails_of(rows_within(rows, wanted.frames), fps=fps)
    if not found.timed or (fps is None and not timed):
        raise InputError("velocities need times in seconds, and the capture rate is not known; give it with --fps")
    factor = 1.0 if scale is None else scale.factor
    every = [replace(one, values=one.values * factor, sigmas=one.sigmas * factor) for one in found.trails]
    names = {one.name for one in every}
    asked = (*wanted.tracks, *wanted.references, *(t for pair in (*wanted.distances, *wanted.angles) for t in pair))
    for track in asked:
        if str(track) not in names:
            raise InputError(f"there is no track {track} that was seen{' in these frames' if wanted.frames else ''}; "
                             f"there are {_listed(every)}")  # fmt: skip
    beside = None
    try:
        if wanted.references:
            beside = beside_ground(every, [str(track) for track in wanted.references], wanted.ground)
            every = list(beside.trails)
        measures = _measures({one.name: one for one in every}, wanted)
    except ValueError as error:
        raise InputError(str(error)) from None
    # The ground may need tracks that are not asked for, so that the choice comes after it.
    chosen = [one for one in every if not wanted.tracks or int(one.name) in wanted.tracks]
    kept = [one for one in chosen if len(one.times) >= wanted.least]
    if not kept:
        raise InputError(f"none of {len(chosen)} tracks was seen in {wanted.least} frames or more (--min-frames)")
    units = Units(scale.unit if scale is not None else "px", "s")
    window, choice = window_of(kept, found.step, wanted.width, wanted.order)
    moving = tuple(smoothed_trails(kept, [window] * len(kept), found.step, [units.length] * len(kept)))
    # Each measure moves in its own way, and has a window of its own.
    widths = [window_of([one], found.step, wanted.width, wanted.order)[0] for one, _ in measures]
    turning = []
    for (one, kind), width in zip(measures, widths, strict=True):
        turning += smoothed_trails([one], [width], found.step, ["deg" if kind == "deg" else units.length])
    fits, failed = _fits(kept, [one for one, _ in measures], wanted)
    steps = [stays(one.trail.times, found.step) for one in moving]
    smooth_places = [one.smoothed.values[0] for one in moving]
    made = Kinematics(
        tracks=moving, measures=tuple(turning), window=window, choice=choice, measure_windows=tuple(widths),
        travels=tuple(travel_of(one.trail.times, places, one.speed, found.step)
                      for one, places in zip(moving, smooth_places, strict=True)),
        dwells=tuple(tuple(dwell_of(one.trail.times, places, region, found.step) for region in wanted.regions)
                     for one, places in zip(moving, smooth_places, strict=True)),
        speeds=speed_histogram([one.speed for one in moving], steps), fits=tuple(fits), failed=tuple(failed),
        beside=beside, left_out=len(chosen) - len(kept), step=found.step, units=units,
        coordinates=_words(axes, y_up, units),
    )  # fmt: skip
    return replace(made, notes=tuple(_notes(made)))


def rows_within(rows: Tracks, frames: tuple[int | None, int | None] | None) -> Tracks:
    """Those of frames from the first to before the last; negative ones count from the end, None is all.

    Raises:
        InputError: there are none.
    """
    if frames is None or not len(rows):
        return rows
    end = int(rows["frame"].max()) + 1
    first, last = (None if one is None else one + end if one < 0 else one for one in frames)
    kept: Tracks = rows[(rows["frame"] >= (first or 0)) & (rows["frame"] < (end if last is None else last))]
    if not len(kept):
        raise InputError(f"no track was seen in these frames; there are {rows['frame'].min()} to {end - 1}")
    return kept


def _listed(trails: Sequence[Trail]) -> str:
    names = [one.name for one in trails]
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")


def _measures(by_name: dict[str, Trail], wanted: Wanted) -> list[tuple[Trail, str]]:
    """Distances, and angles in degrees, each with "length" or "deg"."""
    made = [(distance(*(by_name[str(track)] for track in pair)), "length") for pair in wanted.distances]
    for of in wanted.angles:
        parts = [by_name[str(track)] for track in of]
        turn = direction(parts[0], parts[1]) if len(parts) == 2 else angle(parts[0], parts[1], parts[2])
        made.append((replace(turn, values=np.degrees(turn.values), sigmas=np.degrees(turn.sigmas)), "deg"))
    return made


def window_of(
    trails: Sequence[Trail], step: float, width: float | None = None, order: int | None = None
) -> tuple[Window, Choice | None]:  # fmt: skip
    """The window for the velocities of all of some trails, and how it was chosen; None where `width` or `order` was
    given.

    Args:
        trails: of one kind of values.
        step: s between samples where none is missing.
        width, order: that are wanted; None for what suits.
    """
    # Only what is not given is chosen; a given width or order is never doubted.
    choice = choose_window(trails, step) if width is None or order is None else None
    given = width is not None or order is not None
    if choice is not None:
        width = choice.window.width if width is None else width
        order = choice.window.order if order is None else order
    assert width is not None
    assert order is not None
    return Window(width, order), None if given else choice


def smoothed_trails(
    trails: Sequence[Trail], windows: Sequence[Window], step: float, units: Sequence[str]
) -> list[Moving]:  # fmt: skip
    """Trails smoothed by local polynomials, each with the noise that its residuals r show: the stated variances v (1
    where none are stated) are scaled by k^2 = sum (r^2 / v) / sum (1 - own), of short tracks mostly by that of all."""
    stated = all_stated(trails)
    variances = [np.square(one.sigmas) if stated else np.ones(one.values.shape) for one in trails]
    made = [smooth(one.times, one.values, v, window, step)
            for one, v, window in zip(trails, variances, windows, strict=True)]  # fmt: skip
    # Sums of squares in units of the stated variances, and the degrees of freedom that the local polynomials leave.
    left = [float((np.square(one.values - two.values[0]) / v).sum())
            for one, two, v in zip(trails, made, variances, strict=True)]  # fmt: skip
    free = [len(one.values) * float((1.0 - two.own).sum()) for one, two in zip(trails, made, strict=True)]
    shared = sum(left) / sum(free) if sum(free) > 0 else math.nan
    found = []
    for one, two, v, mine, own, unit in zip(trails, made, variances, left, free, units, strict=True):
        # Short tracks have few degrees of freedom of their own: what all tracks show counts as SHARED more of them.
        factor = (mine + SHARED * shared) / (own + SHARED)
        known = replace(two, variances=two.variances * factor)
        found.append(Moving(one, unit, known, math.sqrt(factor * float(v.mean()))))
    return found


def _fits(trails: Sequence[Trail], measures: Sequence[Trail], wanted: Wanted) -> tuple[list[Fit], list[str]]:
    fits, failed = [], []
    fitted = [*(trails if wanted.tracks or not measures else ()), *measures]
    for model in wanted.models:
        for one in fitted:
            try:
                fits.append(fit(one, model, along=wanted.along))
            except ValueError as error:
                failed.append(f"{title_of(one.name)}: no {model}: {error}")
    return fits, failed


def title_of(name: str) -> str:
    """A trail in words: "track 3", "distance 3-4"."""
    return f"track {name}" if name.lstrip("-").isdigit() else name


def _along(values: Array, variances: Array) -> Array:
    """Standard uncertainty (n,) of the length of vectors with these components and variances, (c, n) each."""
    if len(values) == 1:
        return np.asarray(np.sqrt(variances[0]))
    square = np.square(values).sum(axis=0)
    # First-order propagation: the variance along the direction of the vector itself. A vector of length 0 has no
    # direction, and the mean over the components stands in.
    with np.errstate(invalid="ignore", divide="ignore"):
        along = (np.square(values) * variances).sum(axis=0) / square
    return np.asarray(np.sqrt(np.where(square > 0, along, variances.mean(axis=0))))


def _words(axes: Axes | None, y_up: bool, units: Units) -> str:
    if axes is not None:
        return f"{axes.words(y_up)}, in {units.length}"
    return f"x to the right, y down, from the centre of the first pixel, in {units.length}"


def gravity_of(found: Kinematics, fitted: Fit) -> tuple[float, float] | None:
    """Of a parabola in lengths: the acceleration in m/s^2 and its standard error; None of other fits."""
    if fitted.model != "parabola" or found.units.length not in METRES or "acceleration" not in fitted.parameters:
        return None
    metres, value = METRES[found.units.length], fitted.parameters["acceleration"]
    return value.value * metres, value.error * metres


def _notes(found: Kinematics) -> list[str]:
    notes = list(found.failed)
    if found.beside is not None and found.beside.lost:
        notes.append(f"{found.beside.lost} places are left out: too few reference points were seen in their frames")
    if found.choice is not None and not math.isfinite(found.choice.noise):
        notes.append("no track was seen in seven frames, from which a window could be chosen; --window gives one")
    noise = {one.trail.name: one.noise for one in (*found.tracks, *found.measures)}
    for fitted in found.fits:
        own = noise.get(fitted.name, math.nan)
        if fitted.left > LEFT_OVER * own:
            notes.append(f"{title_of(fitted.name)}: the {fitted.model} leaves {fitted.left:.3g} where the noise is "
                         f"{own:.2g}: it is not all that moves there; --frames fits a part")  # fmt: skip
    return notes
