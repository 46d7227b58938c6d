"""Operating deflection shapes: with which amplitude and phase all points move at a peak, beside a reference point.

Bendat, Piersol: Random Data, chapters 6 and 9; Schwarz, Richardson: Introduction to operating deflection shapes, 1999.
The spectrum of the whole record (Hann window) is summed over the bins of a peak: with the reference R and a point Y

    H = sum conj(R) Y / sum |R|^2        (H1; the reference's own noise is taken off the sum below)

|H| is the point's amplitude as a part of the reference's, its argument how far it is ahead. A sine fills the window's
main lobe, so the same sums hold for tones and, over more bins, for broad resonances. Amplitudes are sqrt(2) times the
root mean square in the band: of a tone its amplitude.

Errors: the rows state variances s^2, white noise of the one-sided density 2 s^2 T. Bins under a Hann window know of
their neighbours (-2/3, 1/6); a quadrature of H has the variance (N_Y + |H|^2 N_R) / 2 times
Q = sum conj(R_k) R_l C_kl / (sum |R|^2)^2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.analysis.paths import Path
from pipelines.analysis.series import series_of

Array = npt.NDArray[Any]
LOBE = 2
"""Bins from the middle of a Hann window's main lobe to its end."""
ABOVE = 30.0
"""How far a peak's power is above the median around it: of white noise of a single coordinate one bin in 3e6 does
(one in 1e9 of a known level, but the median scatters by a fifth), of both coordinates of a point one in 1e14."""
AROUND = 32
"""Bins on either side whose median that is."""
NEIGHBOURS = (1.0, -2.0 / 3.0, 1.0 / 6.0)


@dataclass(frozen=True, slots=True)
class Spectrum:
    """Spectra of the motion of P points at F frequencies.

    Args:
        tracks: (P,) ids.
        places: (P, 2) mean places, px.
        bins: (P, 2, F) complex; the square of the magnitude is the one-sided density, px^2/Hz.
        noise: (P, 2) one-sided density of the stated variances, px^2/Hz; NaN where none are stated.
        step: Hz between bins.
        bridged: places that were not seen and are bridged.
        left_out: points that were not seen enough.
    """

    tracks: Array
    places: Array
    bins: Array
    noise: Array
    step: float
    bridged: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Shape:
    """The operating deflection shape at one peak of the spectra; arrays (P, 2) of points and coordinates.

    Args:
        frequency: Hz.
        reference: point and coordinate (0 x, 1 y) that phases are beside, indices.
        ratio: complex H.
        ratio_error: standard error of each of its quadratures; 0 of the reference.
        amplitude: px, of the motion that is coherent with the reference.
        amplitude_error: its standard error.
        coherence: within the band, 0..1; 1 of a tone without noise.
    """

    frequency: float
    reference: tuple[int, int]
    ratio: Array
    ratio_error: Array
    amplitude: Array
    amplitude_error: Array
    coherence: Array

    @property
    def phase(self) -> Array:
        """Ahead of the reference, degrees, -180..180."""
        return np.asarray(np.degrees(np.angle(self.ratio)))

    @property
    def phase_error(self) -> Array:
        """Standard error, degrees; 180 at most: a phase that is unknown."""
        with np.errstate(divide="ignore", invalid="ignore"):
            error = np.degrees(self.ratio_error / np.abs(self.ratio))
        return np.asarray(np.where(self.ratio_error > 0, np.minimum(error, 180.0), self.ratio_error))


def spectrum_of(paths: Sequence[Path], interval: float) -> Spectrum:
    """The spectrum of all points that were seen in SEEN of the record, their straight lines taken off.

    Raises:
        ValueError: the record is shorter than LEAST frames, or no point was seen enough.
    """
    series = series_of(paths)
    length = series.places.shape[2]
    window = np.hanning(length + 1)[:length]
    line = np.linspace(-1.0, 1.0, length)
    # One-sided density: twice the power, by the window's own.
    scale = math.sqrt(2.0 * interval / float((window**2).sum()))
    places, bins = series.places.mean(axis=2), []
    for own, place in zip(series.places, places, strict=True):
        ways = own - place[:, None]
        ways -= (ways @ line / float(line @ line))[:, None] * line  # the mean is off already, so this is the slope
        bins.append(np.fft.rfft(ways * window, axis=1) * scale)
    return Spectrum(series.tracks, places, np.array(bins), 2.0 * interval * series.variances, 1.0 / (length * interval),
                    series.bridged, series.left_out)  # fmt: skip


def peaks_of(found: Spectrum, half: int = LOBE, most: int = 8) -> list[float]:
    """Frequencies at which the points move most, Hz, rising.

    Powers are summed over points and over a band. The strongest come first; a weaker one counts where it is above
    what a Hann window lets through of the stronger ones, and outside of their bands.

    Args:
        found: the spectrum.
        half: bins of a band on either side.
        most: peaks at most.
    """
    power = np.square(np.abs(found.bins)).sum(axis=(0, 1))
    smooth = np.convolve(power, np.ones(2 * (half - LOBE) + 1), "same") if half > LOBE else power
    count = len(power)
    floor = np.array([np.median(smooth[max(0, k - AROUND * half // LOBE) : k + AROUND * half // LOBE + 1])
                      for k in range(count)])  # fmt: skip
    inner = np.arange(LOBE + 1, count - 1)
    tops = inner[(smooth[inner] >= smooth[inner - 1]) & (smooth[inner] > smooth[inner + 1])
                 & (smooth[inner] > ABOVE * floor[inner])]  # fmt: skip
    taken: list[int] = []
    for top in tops[np.argsort(-smooth[tops])].tolist():
        apart = [abs(top - other) for other in taken]
        # A Hann window's side lobes fall as 1 / (pi d (d^2 - 1)) of the amplitude at d bins; twice that in amplitude
        # is allowed, since a line between two bins is higher than either.
        through = sum(4.0 * smooth[other] / (math.pi * d * (d * d - 1.0)) ** 2
                      for other, d in zip(taken, apart, strict=True) if d > 1)  # fmt: skip
        if all(d > 2 * half for d in apart) and smooth[top] > through:
            taken.append(top)
            if len(taken) == most:
                break
    between = _tone if half == LOBE else _middle
    return [found.step * between(smooth, top) for top in sorted(taken)]


def _tone(power: Array, top: int) -> float:
    """Where a tone lies between bins, exactly: under a Hann window the bin beside the greatest has (1 + d) / (2 - d) of
    its amplitude, d being how far the tone lies towards it (Grandke, IEEE Transactions on Instrumentation and
    Measurement 32, 1983)."""
    side = 1 if power[top + 1] > power[top - 1] else -1
    ratio = math.sqrt(float(power[top + side]) / float(power[top]))
    return top + side * (2.0 * ratio - 1.0) / (ratio + 1.0)


def _middle(power: Array, top: int) -> float:
    """Where a broad maximum lies between bins: a parabola through three logarithms."""
    a, b, c = np.log(np.maximum(power[top - 1 : top + 2], 1e-300)).tolist()
    bend = a - 2 * b + c  # of logarithms: in these the top of a resonance is nearly a parabola
    return top + (0.5 * (a - c) / bend if bend < 0 else 0.0)


def band_of(found: Spectrum, frequency: float, half: int = LOBE) -> slice:
    """The bins of a peak."""
    middle = round(frequency / found.step)
    return slice(max(1, middle - half), min(found.bins.shape[2], middle + half + 1))


def strongest(found: Spectrum, frequency: float, half: int = LOBE) -> int:
    """The point that moves most at a frequency, its index."""
    power = np.square(np.abs(found.bins[:, :, band_of(found, frequency, half)])).sum(axis=(1, 2))
    return int(np.argmax(power))


def shape_of(found: Spectrum, frequency: float, reference: int, half: int = LOBE) -> Shape:
    """How all points move at a frequency, beside the coordinate of the reference point that moves more there.

    Raises:
        ValueError: the reference point does not move at all.
    """
    bins = found.bins[:, :, band_of(found, frequency, half)]
    power = np.square(np.abs(bins)).sum(axis=2)
    axis = int(np.argmax(power[reference]))
    base = bins[reference, axis]
    whole, own = float(power[reference, axis]), found.noise
    if not whole > 0:
        raise ValueError(f"track {found.tracks[reference]} does not move at all at {frequency:g} Hz")
    offsets = np.abs(np.subtract.outer(np.arange(len(base)), np.arange(len(base))))
    alike = np.where(offsets < len(NEIGHBOURS), np.take(NEIGHBOURS, np.minimum(offsets, len(NEIGHBOURS) - 1)), 0.0)
    # Noise of neighbouring bins is correlated by the window (NEIGHBOURS, Hann's autocorrelation): the sum over the band
    # has fewer independent terms than bins.
    q = float((np.conj(base) @ alike @ base).real) / whole**2
    noise = float(own[reference, axis])
    # The reference's own noise is in its power but not in the cross power: it would make all ratios too small (H1).
    clean = max(whole - (noise * len(base) if math.isfinite(noise) else 0.0), 1e-3 * whole)
    cross = (np.conj(base) * bins).sum(axis=2)
    ratio = cross / clean
    ratio[reference, axis] = 1.0
    unit = math.sqrt(2.0 * found.step * clean)
    error = np.sqrt(0.5 * (own + np.square(np.abs(ratio)) * noise) * q)
    error[reference, axis] = 0.0
    coherence = np.square(np.abs(cross)) / np.maximum(whole * power, 1e-300)
    return Shape(frequency, (reference, axis), ratio, error, np.abs(ratio) * unit, unit * np.sqrt(0.5 * own * q),
                 coherence)  # fmt: skip
