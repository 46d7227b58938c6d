"""Signals of the tracks that are drawn: places, velocities, accelerations, distances, angles, beside a moving ground.

All of it is worked out as `fusetrack motion` does (`app.analysis.kinematics`): derivatives are those of polynomials
over a window on the real times, which is chosen from the tracks, or as wide as somebody wants.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from app.analysis.kinematics import Moving, smoothed_trails, window_of
from app.desk.tracks.calibration import Calibration
from app.desk.tracks.signals import Quantity, Signal, Values
from app.desk.tracks.store import seen
from kernels.errors import InputError
from pipelines.analysis.ground import Ground, beside_ground
from pipelines.analysis.local_polynomials import Window
from pipelines.analysis.measures import angle, direction, distance
from pipelines.analysis.trails import Trail
from pipelines.features import Tracks, sigmas
from pipelines.measures import Unwrapping, fields_of

Frames = npt.NDArray[np.int64]
CENTRAL = 3
"""Frames of central differences: a line through the places before, at and behind a frame. Accelerations take a parabola
through two more, as of a line there is none."""
CUBIC = 3
"""Degree of the polynomials over a window of a width that somebody chose."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Points that are fixed to a ground whose motion is taken away.

    Args:
        tracks: of these points; () for the picture.
        ground: how it moves.
    """

    tracks: tuple[int, ...] = ()
    ground: Ground = "rigid"

    @property
    def kind(self) -> Ground:
        """How it moves: one point tells no more than a shift."""
        return "shift" if len(self.tracks) == 1 else self.ground

    @property
    def words(self) -> str:
        """As a caption says it, "" for the picture."""
        names = ", ".join(map(str, self.tracks))
        return f"beside {names}" + (f" ({self.kind})" if len(self.tracks) > 1 else "") if self.tracks else ""


@dataclass
class Motions:
    """Some tracks, in the user's coordinates; worked out once, when it is asked for.

    Args:
        rows: of each track, by frame.
        calibration: of the coordinates.
        every: guesses count, too, not only what was seen.
        frames: that derivatives are smoothed over: 0 for what suits, `CENTRAL`, or more.
        reference: what stands still; its tracks are among `rows`.
        drawn: the tracks whose velocities the window is to suit; None for all.
    """

    rows: Mapping[int, Tracks]
    calibration: Calibration
    every: bool = False
    frames: int = 0
    reference: Reference = field(default_factory=Reference)
    drawn: Sequence[int] | None = None
    _moving: dict[tuple[bool, int], dict[int, Moving]] = field(default_factory=dict, init=False)
    _trails: dict[bool, dict[int, Trail]] = field(default_factory=dict, init=False)
    _windows: dict[object, Window] = field(default_factory=dict, init=False)

    def signal(self, quantity: Quantity, tracks: Sequence[int]) -> Signal:
        """A quantity of one track, or of two (distance, direction) or three (angle at the second, from the first to the
        third: 0 to 180 degrees; signed: -180 to 180, positive from the x axis towards the y axis; unwrapped: without
        jumps by 360). NaN in frames in which not all of them were seen.

        Raises:
            InputError: the number of tracks is wrong, the points of the reference do not tell a ground, or the rows do
                not carry that measure.
        """
        if len(tracks) != quantity.tracks:
            raise InputError(f"{quantity.value} is made of {quantity.tracks} tracks, not of {len(tracks)}")
        if quantity is Quantity.SCORE:
            rows = self.rows[tracks[0]]
            known = np.ones(len(rows), bool) if self.every else seen(rows)
            return self._over(tracks, rows["frame"][known], rows["score"][known].astype(np.float64), None)
        if quantity.measure:
            return self._measure(quantity.measure, tracks)
        if quantity.tracks > 1:
            return self._between(quantity, tracks)
        # Lengths are the same in axes that are not turned, where errors of x and y know nothing of each other.
        turned = quantity not in (Quantity.SPEED, Quantity.ACCELERATION)
        line = 1 if quantity in (Quantity.Y, Quantity.VY, Quantity.AY) else 0
        if not quantity.order:
            trail = self.trail(tracks[0], turned)
            return self._over(tracks, trail.frames, trail.values[line], trail.sigmas[line])
        found = self._smooth(quantity.order, turned).get(tracks[0])
        if found is None:
            return self._over(tracks, np.zeros(0, np.int64), np.zeros(0), None)
        values, variances = found.smoothed.values[quantity.order], found.smoothed.variances[quantity.order]
        if turned:
            return self._over(tracks, found.trail.frames, values[line], np.sqrt(variances[line]))
        return self._over(tracks, found.trail.frames, np.hypot(*values), found.length_sigma(quantity.order))

    def _measure(self, field: str, tracks: Sequence[int]) -> Signal:
        """A measure of a track's rows, with its uncertainty where that was measured, too."""
        rows = self.rows[tracks[0]].copy()
        Unwrapping().unwrap(rows)
        have, sigma = fields_of(rows), f"sigma_{field}"
        if field not in have:
            raise InputError(f"this pipeline does not measure the {field} of its tracks")
        value = self.calibration.measure(field, rows[field].astype(np.float64))
        spread = self.calibration.measure(sigma, rows[sigma].astype(np.float64)) if sigma in have else None
        return self._over(tracks, rows["frame"].astype(np.int64), value, spread)

    def trail(self, track: int, turned: bool = True) -> Trail:
        """Where a track was seen, in the user's coordinates, or in those along the picture's axes.

        Raises:
            InputError: as in `signal`.
        """
        if turned not in self._trails:
            calibration = self.calibration if turned else replace(self.calibration, angle=0.0)
            made = {track: _trail(track, rows, calibration, self.every) for track, rows in self.rows.items()}
            wanted = self.reference
            if wanted.tracks:
                try:
                    beside = beside_ground(list(made.values()), [str(one) for one in wanted.tracks], wanted.kind)
                except ValueError as error:
                    raise InputError(str(error)) from None
                made = dict(zip(made, beside.trails, strict=True))
            self._trails[turned] = made
        return self._trails[turned][track]

    def way(self, quantity: Quantity, tracks: Sequence[int]) -> str:
        """How its derivative is taken, "" where it is none."""
        if not quantity.order:
            return ""
        if self.frames == CENTRAL:
            return "central differences" if quantity.order == 1 else "parabola over 5 frames"
        window = self._windows.get(tuple(tracks) if quantity.tracks > 1 else quantity.order)
        if window is None:
            return ""
        step = _step(self.trail(tracks[0]))
        over = f"over {round(window.width / step)} frames" if math.isfinite(step) else ""
        return f"{'cubic' if window.order == CUBIC else f'order {window.order}'} {over}" + (
            "" if self.frames else ", chosen")  # fmt: skip

    def _smooth(self, order: int, turned: bool) -> dict[int, Moving]:
        """All tracks, smoothed for a derivative; one window for all of them, as motions of one clip."""
        if (turned, order) not in self._moving:
            wanted = [one for one in (self.rows if self.drawn is None else self.drawn) if one in self.rows]
            trails = [self.trail(track, turned) for track in wanted]
            there = [one for one in trails if len(one.times)]
            steps = [step for step in map(_step, there) if math.isfinite(step)]
            step = float(np.median(steps)) if steps else 1.0
            window = self._window(there, step, order)
            self._windows[order] = window
            made = smoothed_trails(there, [window] * len(there), step, [self.calibration.unit] * len(there))
            self._moving[turned, order] = {int(one.trail.name): one for one in made}
        return self._moving[turned, order]

    def _window(self, trails: Sequence[Trail], step: float, order: int) -> Window:
        if self.frames == CENTRAL:
            return Window((CENTRAL + 2 * (order - 1)) * step, order)
        if self.frames:
            return Window(self.frames * step, CUBIC)
        return window_of(trails, step)[0]

    def _between(self, quantity: Quantity, tracks: Sequence[int]) -> Signal:
        """A distance, a direction or an angle, or its rate."""
        parts = [self.trail(track, False) for track in tracks]
        try:
            made = (distance(parts[0], parts[1]) if quantity in (Quantity.DISTANCE, Quantity.DISTANCE_RATE) else
                    direction(parts[0], parts[1]) if quantity.tracks == 2 else
                    angle(parts[0], parts[1], parts[2]))  # fmt: skip
        except ValueError as error:
            raise InputError(str(error)) from None
        if quantity.turns:
            made = replace(made, values=np.degrees(made.values), sigmas=np.degrees(made.sigmas))
        value, sigma = made.values[0], made.sigmas[0]
        if quantity.order:
            step = _step(made)
            step = step if math.isfinite(step) else 1.0
            window = self._windows[tuple(tracks)] = self._window([made], step, quantity.order)
            found = smoothed_trails([made], [window], step, [""])[0].smoothed
            value, sigma = found.values[quantity.order, 0], np.sqrt(found.variances[quantity.order, 0])
        elif quantity in (Quantity.ANGLE, Quantity.SIGNED_ANGLE):
            # Above -180 and up to 180 degrees.
            value = 180.0 - np.mod(180.0 - value, 360.0)
            value = np.abs(value) if quantity is Quantity.ANGLE else value
        return self._over(tracks, made.frames, value, sigma)

    def _over(self, tracks: Sequence[int], frames: Frames, value: Values, sigma: Values | None) -> Signal:
        """Over the frames in which all these tracks have rows."""
        first = self.rows[tracks[0]]
        shared = first["frame"]
        # Frames in which all have rows; those in which one was not seen stay NaN.
        for track in tracks[1:]:
            shared = np.intersect1d(shared, self.rows[track]["frame"])
        time = first["time"][np.searchsorted(first["frame"], shared)].astype(float)
        whole, spread = np.full(len(shared), np.nan), np.full(len(shared), np.nan)
        at = np.searchsorted(shared, frames)
        whole[at] = value
        if sigma is not None:
            spread[at] = sigma
        return Signal(time, whole, shared.astype(np.int64), spread)


def make(
    quantity: Quantity, parts: Sequence[Tracks], calibration: Calibration, every: bool = False, frames: int = CENTRAL
) -> Signal:
    """One quantity of some tracks; see `Motions`.

    Args:
        parts: rows of each track, by frame.

    Raises:
        InputError: as in `Motions.signal`.
    """
    return Motions(dict(enumerate(parts)), calibration, every, frames).signal(quantity, range(len(parts)))


def _trail(track: int, rows: Tracks, calibration: Calibration, every: bool) -> Trail:
    rows = rows if every else rows[seen(rows)]
    rows = rows[np.isfinite(rows["x"]) & np.isfinite(rows["y"])]
    places = calibration.points(rows["x"].astype(float), rows["y"].astype(float))
    spread = calibration.spreads(*sigmas(rows), rows["correlation"].astype(np.float64))
    return Trail(str(track), rows["frame"].astype(np.int64), rows["time"].astype(float), np.stack(places),
                 np.stack(spread))  # fmt: skip


def _step(trail: Trail) -> float:
    """The time from a place to the next, usually; NaN of one place."""
    steps = np.diff(trail.times)
    steps = steps[steps > 0]
    return float(np.median(steps)) if len(steps) else math.nan
