"""Vibrations of the truth, and what becomes of their amplitudes."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pipelines.evaluation.errors import runs

Array = npt.NDArray[Any]
SHORTEST = 64
"""Frames of a stretch in which tones are looked for."""
MOST_THINGS, MOST_TONES = 200, 4
LEAST = 2e-3
"""Amplitude in px below which nothing counts as a tone."""
ABOVE = 30.0
"""Least ratio of a tone's amplitude to the median of the spectrum."""
CYCLES = 4.0
"""Cycles in a stretch that a tone has at least: slower motion is a path."""


@dataclass(frozen=True, slots=True)
class Tone:
    """One frequency of the truth along one coordinate; means over the things that have it.

    Args:
        axis: along which coordinate.
        frequency: Hz (cycles a frame without fps).
        amplitude: true amplitude, px, root mean square over the things.
        amplitude_error: relative: 0.01 is 1 % too large; weighted by the true power.
        phase_error: degrees; negative is late.
        uncertainty: standard error of the amplitude error over the things (NaN for one).
        things: how many.
    """

    axis: Literal["x", "y"]
    frequency: float
    amplitude: float
    amplitude_error: float
    phase_error: float
    uncertainty: float
    things: int


def tones(table: Array, fps: float) -> tuple[Tone, ...]:
    """The strongest tones of rows of ERROR_DTYPE (by thing and frame), by rising frequency.

    Of each thing the longest stretch without a gap counts. Peaks of the spectrum of its true path give the
    frequencies; sines fitted to the truth and to the estimate at that frequency are compared.
    """
    first, count = runs(table)
    best: dict[int, tuple[int, int]] = {}
    for start, length in zip(first.tolist(), count.tolist(), strict=True):
        thing = int(table["thing"][start])
        if length >= SHORTEST and length > best.get(thing, (0, 0))[1]:
            best[thing] = (start, length)
    found: list[Tone] = []
    for axis in ("x", "y"):
        ratios: list[tuple[float, float, complex, float]] = []  # frequency, true amplitude, estimate / truth, width
        for start, length in list(best.values())[:MOST_THINGS]:
            truth, error = (table[name][start : start + length] for name in (axis, f"d{axis}"))
            for frequency in _peaks(truth):
                real, claimed = _amplitude(truth, frequency), _amplitude(truth + error, frequency)
                # Complex amplitudes: the absolute value of their ratio is the gain, its angle the error of phase.
                ratios.append((frequency, abs(real), claimed / real, 1.0 / length))
        found += _grouped("x" if axis == "x" else "y", ratios, fps or 1.0)
    return tuple(sorted(found, key=lambda tone: (tone.axis, tone.frequency)))


def _without_line(values: Array) -> Array:
    t = np.linspace(-1.0, 1.0, len(values))
    # Mean and slope go: their leakage would hide slow tones. t has mean 0, so one after the other will do.
    values = values - values.mean()
    line: Array = values - t * float(values @ t) / float(t @ t)
    return line


def _peaks(truth: Array) -> list[float]:
    """Frequencies of the tones, cycles a frame."""
    length = len(truth)
    # A periodic Hann window: its side lobes fall fast, so that a strong tone does not look like many.
    window = np.hanning(length + 1)[:length]
    spectrum = np.abs(np.fft.rfft(_without_line(truth) * window)) * 2 / float(window.sum())
    # Bins 0 and 1 hold what is left of mean and slope.
    floor = float(np.median(spectrum[2:]))
    middle = spectrum[1:-1]
    peak = (middle > spectrum[:-2]) & (middle >= spectrum[2:]) & (middle > max(LEAST, ABOVE * floor))
    peak &= middle > 0.05 * float(spectrum.max())
    at = np.flatnonzero(peak) + 1
    at = at[at >= CYCLES]
    at = at[np.argsort(-spectrum[at])][:MOST_TONES]
    frequencies = []
    for k in at.tolist():
        # Parabola through the logarithms of three bins: near the vertex of a Hann window's main lobe.
        a, b, c = (math.log(max(float(spectrum[k + d]), 1e-300)) for d in (-1, 0, 1))
        bend = a - 2 * b + c
        frequencies.append((k + (0.5 * (a - c) / bend if bend < 0 else 0.0)) / length)
    return frequencies


def _amplitude(values: Array, frequency: float) -> complex:
    """The tone's complex amplitude under a Hann window, which keeps other tones out."""
    length = len(values)
    window = np.hanning(length + 1)[:length]
    # The discrete-time Fourier transform at one frequency, which need not be a bin's.
    wave = np.exp(-2j * math.pi * frequency * np.arange(length))
    return complex((_without_line(values) * window) @ wave) * 2 / float(window.sum())


def _grouped(axis: Literal["x", "y"], ratios: list[tuple[float, float, complex, float]], fps: float) -> list[Tone]:
    ratios.sort(key=lambda entry: entry[0])
    groups: list[list[tuple[float, float, complex, float]]] = []
    for entry in ratios:
        # Frequencies within the resolution of a stretch, one over its length, are one tone.
        if groups and entry[0] - groups[-1][0][0] <= entry[3]:
            groups[-1].append(entry)
        else:
            groups.append([entry])
    out = []
    for group in groups:
        power = np.array([entry[1] ** 2 for entry in group])
        gain = np.array([entry[2] for entry in group])
        # A weighted mean of complex gains: amplitude and phase errors at once.
        mean = complex((power * gain).sum() / power.sum())
        spread = math.nan
        # The standard error of a weighted mean, with the factor n / (n - 1) of few things.
        if len(group) > 1:
            weight = power / power.sum()
            square = float((weight**2 * (np.abs(gain) - abs(mean)) ** 2).sum())
            spread = math.sqrt(square * len(group) / (len(group) - 1))
        out.append(
            Tone(
                axis=axis,
                frequency=float(np.average([entry[0] for entry in group], weights=power)) * fps,
                amplitude=math.sqrt(float(power.mean())),
                amplitude_error=abs(mean) - 1.0,
                phase_error=math.degrees(cmath.phase(mean)),
                uncertainty=spread,
                things=len(group),
            )
        )
    strongest = sorted(out, key=lambda tone: -tone.amplitude * math.sqrt(tone.things))
    return strongest[:MOST_TONES]
