"""Signals over time: what they are, what is taken away from them, their statistics and spectra."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
import numpy.typing as npt

from app.desk.tracks.calibration import Calibration
from app.desk.tracks.peaks import MOST, Peak, drifts, find_peaks
from kernels.errors import InputError
from pipelines.measures import BY_FIELD

Values = npt.NDArray[np.float64]


class Quantity(Enum):
    """What can be drawn of one track, or between two or three; measures of rows by the names of their fields."""

    X = "x"
    Y = "y"
    VX = "vx"
    VY = "vy"
    SPEED = "speed"
    AX = "ax"
    AY = "ay"
    ACCELERATION = "acceleration"
    DISTANCE = "distance"
    DISTANCE_RATE = "rate of the distance"
    DIRECTION = "direction"
    TURN_RATE = "rate of the direction"
    ANGLE = "angle"
    SIGNED_ANGLE = "signed angle"
    UNWRAPPED_ANGLE = "unwrapped angle"
    ANGLE_RATE = "rate of the angle"
    SCORE = "score"
    AREA = "area"
    DIAMETER = "diameter"
    MASS = "mass"
    PEAK = "peak"
    MIN = "min"
    MAX = "max"
    MAJOR = "major"
    MINOR = "minor"
    ORIENTATION = "orientation"
    ROTATION = "rotation"
    SCALE = "scale"

    @property
    def measure(self) -> str:
        """The measure of rows (`pipelines.measures`) that it is, "" where it is none."""
        return self.value if self.value in BY_FIELD else ""

    @property
    def tracks(self) -> int:
        """How many tracks it is made of."""
        return 3 if self in ANGLES else 2 if self in _OF_TWO else 1

    @property
    def order(self) -> int:
        """Which derivative of a position, distance or angle it is; 0 for none."""
        return 1 if self in _FIRST else 2 if self in _SECOND else 0

    @property
    def turns(self) -> bool:
        """Whether it is an angle, or the rate of one."""
        return self in ANGLES or self in _DIRECTIONS

    def unit(self, calibration: Calibration, timed: bool, order: int = 0) -> str:
        """Its unit, or that of its `order`-th derivative, as it is at an axis; "" where it has none."""
        if self is Quantity.SCORE:
            return ""
        each, order = "s" if timed else "frame", self.order + order
        of = "°" if self.turns else calibration.unit
        if self.measure:
            of = calibration.measure_unit(self.measure) or ("1" if order else "")
        return of if not order else f"{of}/{each}" if order == 1 else f"{of}/{each}{RAISED[order]}"


RAISED = "\u2070\u00b9²³⁴"
"""Digits of powers."""
ANGLES = (Quantity.ANGLE, Quantity.SIGNED_ANGLE, Quantity.UNWRAPPED_ANGLE, Quantity.ANGLE_RATE)
_DIRECTIONS = (Quantity.DIRECTION, Quantity.TURN_RATE)
_OF_TWO = (Quantity.DISTANCE, Quantity.DISTANCE_RATE, *_DIRECTIONS)
_FIRST = (Quantity.VX, Quantity.VY, Quantity.SPEED, Quantity.DISTANCE_RATE, Quantity.TURN_RATE, Quantity.ANGLE_RATE)
_SECOND = (Quantity.AX, Quantity.AY, Quantity.ACCELERATION)


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


class Form(Enum):
    """What is taken away from the values of a signal."""

    PLAIN = "as they are"
    START = "from the first one"
    MEAN = "from their mean"
    LINE = "without their line"


def formed(of: Signal, form: Form) -> Signal:
    """A signal less its first value, its mean, or its line of least squares (detrended). The uncertainty is that of
    both where the first value is taken away, and that of each value else."""
    good = np.flatnonzero(np.isfinite(of.value))
    if form is Form.PLAIN or not len(good):
        return of
    if form is Form.START:
        sigma = np.hypot(of.sigma, of.sigma[good[0]])
        sigma[good[0]] = 0.0
        return replace(of, value=of.value - of.value[good[0]], sigma=sigma)
    middle = of.value[good].mean()
    slope = 0.0
    if form is Form.LINE and len(good) > 1:
        # Times about their mean: slope and middle of the line are independent then.
        away = of.time[good] - of.time[good].mean()
        slope = float(away @ of.value[good] / (away @ away))
    return replace(of, value=of.value - middle - slope * (of.time - of.time[good].mean()))


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
SEGMENTS = 8
"""Of a spectrogram, one behind the other, where nobody says how long they are: its lines are so many times as wide as
those of a spectrum."""
OVERLAP = 8
"""Segments that cover a time."""
FINER = 2
"""Lines for each that a segment tells apart: between two of those a sine would be up to 15 % too low."""
MOST_COLUMNS = 2000
"""Of a spectrogram: a wide screen's."""


@dataclass(frozen=True)
class Spectrogram:
    """How strong each frequency is, as time goes on.

    Args:
        time: (m,) s (frames where no rate is known), the middles of segments.
        frequency: (k,) Hz (cycles a frame likewise), from the first one above 0.
        amplitude: (k, m) of a sine at that frequency, in the signal's unit.
        segment: samples of one.
        filled: as of `Spectrum`.
    """

    time: Values
    frequency: Values
    amplitude: Values
    segment: int
    filled: float


def spectrogram(of: Signal, segment: int = 0) -> Spectrogram:
    """Spectra of overlapping segments of a signal, each less its line of least squares, by Hann windows (a short-time
    Fourier transform).

    Args:
        of: the signal.
        segment: samples; 0 for an eighth of all.

    Raises:
        InputError: there are fewer samples than in a segment, or too few at all.
    """
    step, value, filled, start = _even(of)
    length = segment or max(2 * LEAST, len(value) // SEGMENTS)
    length += length % 2
    if len(value) < length:
        raise InputError(f"a spectrogram needs {length} values at least; there are {len(value)}")
    hop = max(1, length // OVERLAP, -(-(len(value) - length) // MOST_COLUMNS))
    parts = np.lib.stride_tricks.sliding_window_view(value, length)[::hop]
    # Least squares by sums: on places that are symmetric about 0 mean and slope are independent.
    u = np.linspace(-1.0, 1.0, length)
    parts = parts - parts.mean(axis=1, keepdims=True) - (parts @ u / (u @ u))[:, None] * u
    # The periodic Hann window: its last sample would be the first of the next period.
    weights = np.hanning(length + 1)[:-1]
    amplitude = np.abs(np.fft.rfft(parts * weights, FINER * length, axis=1)).T * 2.0 / weights.sum()
    # The last line, at half the rate, has no counterpart of negative frequency; the first is left out below.
    amplitude[-1] /= 2.0
    middles: Values = start + step * (np.arange(len(parts), dtype=np.float64) * hop + 0.5 * (length - 1))
    frequency: Values = np.arange(1, len(amplitude), dtype=np.float64) / (FINER * length * step)
    return Spectrogram(middles, frequency, amplitude[1:].astype(np.float64), length, filled)


def _even(of: Signal) -> tuple[float, Values, float, float]:
    """A step, the values at even times from the first value that is known to the last, gaps filled in by straight
    lines, which share of them is filled in, and the first time.

    Raises:
        InputError: too few samples.
    """
    good = np.flatnonzero(np.isfinite(of.value))
    if len(good) < LEAST:
        raise InputError(f"a spectrum needs {LEAST} values at least; there are {len(good)}")
    steps = np.diff(of.time[good])
    step = float(np.median(steps[steps > 0])) if (steps > 0).any() else 0.0
    if not step > 0:
        raise InputError("a spectrum needs times that rise")
    start, length = float(of.time[good[0]]), float(of.time[good[-1]] - of.time[good[0]])
    # A whole number of steps from the first value to the last.
    step = length / max(1, round(length / step))
    even = start + step * np.arange(round(length / step) + 1)
    return step, np.interp(even, of.time[good], of.value[good]), 1.0 - min(1.0, len(good) / len(even)), start


def spectrum(of: Signal, window: str = "hann", detrend: bool = True, welch: int = 1) -> Spectrum:
    """The spectrum of a signal from its first known value to its last; gaps are filled in by straight lines.

    Args:
        of: the signal.
        window: a name that `scipy.signal.get_window` knows.
        detrend: take away a straight line first.
        welch: number of half-overlapping segments that the density is averaged over; 1 for none.

    Raises:
        InputError: too few samples.
    """
    from scipy import signal  # not above: it takes long to import, and the window shall appear soon

    step, value, filled, _ = _even(of)
    if detrend:
        value = signal.detrend(value)
    weights = signal.get_window(window, len(value))
    lines = np.fft.rfft(value * weights)
    amplitude = np.abs(lines) * 2.0 / weights.sum()
    # The constant and, of an even count, the line at half the rate have no counterpart of negative frequency.
    amplitude[0] /= 2.0
    if len(value) % 2 == 0:
        amplitude[-1] /= 2.0
    frequency: Values = np.fft.rfftfreq(len(value), step).astype(np.float64)
    # So long that so many segments, each half over the next, fill the signal.
    length = len(value) if welch <= 1 else max(LEAST, 2 * len(value) // (welch + 1))
    at, density = signal.welch(value, 1.0 / step, window, nperseg=length, detrend=False)
    return Spectrum(frequency, amplitude, np.interp(frequency, at, density), float(frequency[1]), filled)
