"""Signals over time from the rows of tracks: position, speed, acceleration, distance, angle, score; and their
spectra."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
import numpy.typing as npt

from app.desk.tracks.calibration import Calibration
from app.desk.tracks.peaks import MOST, Peak, drifts, find_peaks
from app.desk.tracks.store import seen
from app.joined import joined, usual_steps
from kernels.errors import InputError
from pipelines.features import Tracks, sigmas

Values = npt.NDArray[np.float64]


class Quantity(Enum):
    """What can be drawn of one track, or between two or three."""

    X = "x"
    Y = "y"
    VX = "vx"
    VY = "vy"
    SPEED = "speed"
    AX = "ax"
    AY = "ay"
    ACCELERATION = "acceleration"
    DISTANCE = "distance"
    ANGLE = "angle"
    SIGNED_ANGLE = "signed angle"
    UNWRAPPED_ANGLE = "unwrapped angle"
    SCORE = "score"

    @property
    def tracks(self) -> int:
        """How many tracks it is made of."""
        return 3 if self in ANGLES else 2 if self is Quantity.DISTANCE else 1

    @property
    def order(self) -> int:
        """Which derivative of the position it is; 0 for none."""
        return 1 if self in _SPEEDS else 2 if self in _ACCELERATIONS else 0

    def way(self, window: int) -> str:
        """How its derivative is taken, "" where it is none."""
        if not self.order:
            return ""
        if window:
            return f"Savitzky-Golay, cubic over {window} frames"
        return "central differences" + (", twice" if self.order == 2 else "")

    def unit(self, calibration: Calibration, timed: bool) -> str:
        """Its unit, as it stands at an axis; "" where it has none."""
        if self is Quantity.SCORE:
            return ""
        each = "s" if timed else "frame"
        length = calibration.unit
        return {0: "°" if self in ANGLES else length, 1: f"{length}/{each}", 2: f"{length}/{each}²"}[self.order]


ANGLES = (Quantity.ANGLE, Quantity.SIGNED_ANGLE, Quantity.UNWRAPPED_ANGLE)
_SPEEDS = (Quantity.VX, Quantity.VY, Quantity.SPEED)
_ACCELERATIONS = (Quantity.AX, Quantity.AY, Quantity.ACCELERATION)
_ALONG_X = (Quantity.VX, Quantity.AX)
_ALONG_Y = (Quantity.VY, Quantity.AY)
CUBIC = 3
"""Degree of the polynomials of Savitzky-Golay."""


@dataclass(frozen=True)
class Signal:
    """Values over time; gaps (frames in which a track was not seen) are NaN, so that a line is broken there.

    Args:
        time: seconds (frames where no rate is known), rising.
        value: of the same length.
        frame: of the same length.
        sigma: standard uncertainty of each value, NaN where unknown.
    """

    time: Values
    value: Values
    frame: npt.NDArray[np.int64]
    sigma: Values

    def at(self, frame: int) -> float:
        """The value at a frame, NaN if there is none."""
        k = int(np.searchsorted(self.frame, frame))
        return float(self.value[k]) if k < len(self.frame) and self.frame[k] == frame else float("nan")


def positions(rows: Tracks, calibration: Calibration, every: bool = False) -> tuple[Signal, Signal]:
    """x and y of one track in the user's coordinates.

    Args:
        rows: of one track, by frame.
        calibration: of the coordinates.
        every: draw guesses too, not only what was seen.
    """
    good = np.ones(len(rows), bool) if every else seen(rows)
    x, y = calibration.points(rows["x"].astype(float), rows["y"].astype(float))
    spread = calibration.spreads(*sigmas(rows), rows["correlation"].astype(np.float64))
    sx, sy = (np.where(good, one, np.nan) for one in spread)
    frame, time = rows["frame"].astype(np.int64), rows["time"].astype(float)
    x, y = np.where(good, x, np.nan), np.where(good, y, np.nan)
    return Signal(time, x, frame, sx), Signal(time, y, frame, sy)


def derivative(of: Signal) -> Signal:
    """The change a second, by central differences; one-sided beside gaps, so that no gap is bridged.

    Uncertainties are those of independent errors: sigma sqrt(2) / (t2 - t0).
    """
    n = len(of.time)
    if n < 2:
        return Signal(of.time, np.full(n, np.nan), of.frame, np.full(n, np.nan))
    value, time, sigma = of.value, of.time, of.sigma
    near = joined(of.frame)  # frames of which nothing is known are a gap as well
    left = np.append(False, near & np.isfinite(value[:-1])) & np.isfinite(value)
    right = np.append(near & np.isfinite(value[1:]), False) & np.isfinite(value)
    index = np.arange(n)
    a, b = index - left, index + right
    span = time[b] - time[a]
    with np.errstate(invalid="ignore", divide="ignore"):
        made = np.where(span > 0, (value[b] - value[a]) / span, np.nan)
        error = np.where(span > 0, np.hypot(sigma[a], sigma[b]) / span, np.nan)
    return Signal(time, made, of.frame, error)


def smooth_derivative(of: Signal, window: int, order: int) -> Signal:
    """The `order`-th derivative by time of cubic polynomials that are fitted to `window` frames around each (Savitzky &
    Golay 1964; those of the first and last window where it ends; of rows where every n-th frame has one). NaN in parts
    between gaps that are shorter.

    Uncertainties are those of independent errors, and NaN in the half windows at the ends.

    Args:
        window: odd, more than 3.
    """
    from scipy import signal  # not above: it takes long to import, and the window shall appear soon

    made, error = np.full(len(of.time), np.nan), np.full(len(of.time), np.nan)
    good = np.flatnonzero(np.isfinite(of.value))
    if not len(good):
        return Signal(of.time, made, of.frame, error)
    steps = np.diff(of.frame)
    uneven = steps != (1 if (steps == 1).all() else usual_steps(of.frame, None, np.arange(len(steps))))
    cuts = np.flatnonzero((np.diff(good) != 1) | uneven[good[:-1]]) + 1
    for part in np.split(good, cuts):
        first, last = part[0], part[-1]
        span = float(of.time[last] - of.time[first])
        if len(part) < window or span <= 0:
            continue
        step = span / (len(part) - 1)
        made[part] = signal.savgol_filter(of.value[part], window, CUBIC, deriv=order, delta=step)
        weights = signal.savgol_coeffs(window, CUBIC, deriv=order, delta=step) ** 2
        inside = part[window // 2 : len(part) - window // 2]
        error[inside] = np.sqrt(np.convolve(of.sigma[part] ** 2, weights, "valid"))
    return Signal(of.time, made, of.frame, error)


def make(
    quantity: Quantity, parts: list[Tracks], calibration: Calibration, every: bool = False, window: int = 0
) -> Signal:
    """A quantity of one track, or of two (distance) or three (angle at the second, from the first to the third: 0 to
    180 degrees; signed: -180 to 180, positive from the x axis towards the y axis; unwrapped: without jumps by 360).
    Nothing is known of the uncertainty of a score.

    Args:
        parts: rows of each track, by frame.
        calibration: of the coordinates.
        every: guesses too, not only what was seen.
        window: frames of `smooth_derivative`; 0 for central differences (`derivative`).

    Raises:
        InputError: the number of tracks is wrong.
    """
    if len(parts) != quantity.tracks:
        raise InputError(f"{quantity.value} is made of {quantity.tracks} tracks, not of {len(parts)}")
    if quantity is Quantity.SCORE:
        where, _ = positions(parts[0], calibration, every)
        score = np.where(np.isfinite(where.value), parts[0]["score"].astype(np.float64), np.nan)
        return replace(where, value=score, sigma=np.full(len(score), np.nan))
    # Lengths and angles are the same in axes that are not turned, where errors of x and y know nothing of each other.
    straight = replace(calibration, angle=0.0)
    if quantity in ANGLES or quantity is Quantity.DISTANCE:
        return _between(quantity, parts, straight, every)
    if quantity in (Quantity.X, *_ALONG_X):
        return _derived(positions(parts[0], calibration, every)[0], quantity.order, window)
    if quantity in (Quantity.Y, *_ALONG_Y):
        return _derived(positions(parts[0], calibration, every)[1], quantity.order, window)
    x, y = positions(parts[0], straight, every)
    return _norm(_derived(x, quantity.order, window), _derived(y, quantity.order, window))


def _derived(of: Signal, order: int, window: int) -> Signal:
    if window and order:
        return smooth_derivative(of, window, order)
    return derivative(_derived(of, order - 1, 0)) if order else of


def _between(quantity: Quantity, parts: list[Tracks], calibration: Calibration, every: bool) -> Signal:
    """A distance or an angle."""
    shared = parts[0]["frame"]
    for part in parts[1:]:
        shared = np.intersect1d(shared, part["frame"])
    picked = [positions(part[np.isin(part["frame"], shared)], calibration, every) for part in parts]
    (ax, ay), (bx, by) = picked[0], picked[1]
    if quantity is Quantity.DISTANCE:
        x, y = (Signal(a.time, b.value - a.value, a.frame, np.hypot(a.sigma, b.sigma)) for a, b in ((ax, bx), (ay, by)))
        return _norm(x, y)
    cx, cy = picked[2]
    u, v = ax.value - bx.value, ay.value - by.value
    w, z = cx.value - bx.value, cy.value - by.value
    value = np.degrees(np.arctan2(u * z - v * w, u * w + v * z))
    if quantity is Quantity.ANGLE:
        value = np.abs(value)
    elif quantity is Quantity.UNWRAPPED_ANGLE:
        there = np.isfinite(value)
        value[there] = np.unwrap(value[there], period=360.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second = u * u + v * v, w * w + z * z
        # How the angle changes with x and y of both ends; with those of the middle as both together, the other way.
        end, other = (v / first, -u / first), (-z / second, w / second)
        squares = [(a.sigma * p) ** 2 + (c.sigma * q) ** 2 + (b.sigma * (p + q)) ** 2
                   for (a, b, c), p, q in zip(zip(*picked, strict=True), end, other, strict=True)]  # fmt: skip
        error = np.degrees(np.sqrt(squares[0] + squares[1]))
    return Signal(ax.time, value, ax.frame, error)


def _norm(x: Signal, y: Signal) -> Signal:
    """The length of what has these components: its error is theirs along it."""
    value = np.hypot(x.value, y.value)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.hypot(x.sigma * x.value, y.sigma * y.value) / value
    mean = np.hypot(x.sigma, y.sigma) / np.sqrt(2.0)  # where it is none there is no direction
    return Signal(x.time, value, x.frame, np.where(value > 0, error, mean))


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of the values of a signal within some times: how many, their mean, root mean square about the mean, and highest
    minus lowest; NaN of none."""

    count: int
    mean: float
    rms: float
    peak_to_peak: float


def statistics(of: Signal, low: float, high: float) -> Statistics:
    """Of the values from time `low` to `high`, both among them; gaps do not count."""
    first, end = np.searchsorted(of.time, low), np.searchsorted(of.time, high, "right")
    values = of.value[first:end]
    values = values[np.isfinite(values)]
    if not len(values):
        return Statistics(0, float("nan"), float("nan"), float("nan"))
    return Statistics(len(values), float(values.mean()), float(values.std()), float(np.ptp(values)))


@dataclass(frozen=True)
class Spectrum:
    """A one-sided spectrum.

    Args:
        frequency: Hz (cycles a frame where no rate is known).
        amplitude: of a sine at that frequency, in the signal's unit.
        density: power spectral density, unit^2/Hz.
        resolution: Hz.
        filled: share of the samples that were filled in by a line between their neighbours.
    """

    frequency: Values
    amplitude: Values
    density: Values
    resolution: float
    filled: float

    def peak(self) -> tuple[float, float]:
        """Frequency and amplitude of the highest line that stands out (`peaks.find_peaks`); NaN where there is none."""
        found = self.peaks(1)
        return (found[0].frequency, found[0].amplitude) if found else (float("nan"), float("nan"))

    def peaks(self, most: int = MOST) -> tuple[Peak, ...]:
        """The highest lines that stand out."""
        return find_peaks(self.frequency, self.amplitude, self.resolution, most)

    @property
    def drifts(self) -> bool:
        """Whether the highest lines are those of a drift."""
        return drifts(self.amplitude)


LEAST = 8
"""Samples that a spectrum needs."""


def spectrum(of: Signal, window: str = "hann", detrend: bool = True, welch: int = 1) -> Spectrum:
    """The spectrum of a signal; its longest part is taken, short gaps are filled in by straight lines.

    Args:
        of: the signal.
        window: a name that `scipy.signal.get_window` knows.
        detrend: take away a straight line first.
        welch: number of half-overlapping segments that the density is averaged over; 1 for none.

    Raises:
        InputError: too few samples.
    """
    from scipy import signal  # not above: it takes long to import, and the window shall appear soon

    good = np.flatnonzero(np.isfinite(of.value))
    if len(good) < LEAST:
        raise InputError(f"a spectrum needs {LEAST} values at least; there are {len(good)}")
    a, b = good[0], good[-1] + 1
    steps = np.diff(of.time[good])
    step = float(np.median(steps[steps > 0])) if (steps > 0).any() else 0.0
    if not step > 0:
        raise InputError("a spectrum needs times that rise")
    step = (of.time[good[-1]] - of.time[good[0]]) / max(1, round((of.time[good[-1]] - of.time[good[0]]) / step))
    even = of.time[a] + step * np.arange(round((of.time[b - 1] - of.time[a]) / step) + 1)
    value = np.interp(even, of.time[good], of.value[good])
    filled = 1.0 - min(1.0, len(good) / len(even))
    if detrend:
        value = signal.detrend(value)
    weights = signal.get_window(window, len(value))
    lines = np.fft.rfft(value * weights)
    amplitude = np.abs(lines) * 2.0 / weights.sum()
    amplitude[0] /= 2.0
    if len(value) % 2 == 0:
        amplitude[-1] /= 2.0
    frequency = np.fft.rfftfreq(len(value), step)
    length = len(value) if welch <= 1 else max(LEAST, 2 * len(value) // (welch + 1))
    at, density = signal.welch(value, 1.0 / step, window, nperseg=length, detrend=False)
    return Spectrum(frequency, amplitude, np.interp(frequency, at, density), float(frequency[1]), filled)
