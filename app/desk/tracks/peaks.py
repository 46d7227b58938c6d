"""The lines of a spectrum that stand out of what lies beside them, and a table of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
DRIFT = 2
"""Lines behind the constant whose periods nearly fill the record: a drift is seen there."""
STANDS_OUT, BESIDE = 4.0, 16
"""Times the median of so many lines on each side."""
MOST = 8
"""Peaks of one spectrum that are told: the highest."""
LOOKED_AT = 500
"""Maxima of one spectrum that are looked at: the highest."""


@dataclass(frozen=True, slots=True)
class Peak:
    """One of them: Hz (cycles a frame where no rate is known), and the amplitude of a sine, in the signal's unit."""

    frequency: float
    amplitude: float


@dataclass(frozen=True, slots=True)
class PeaksOf:
    """Those of one curve.

    Args:
        name: of its track or tracks.
        peaks: the highest first.
        resolution: how far two lines lie apart, Hz; a frequency is known to half of it.
        note: why there is none, or what else is to be known.
    """

    name: str
    peaks: Sequence[Peak]
    resolution: float
    note: str = ""


def find_peaks(frequency: Values, amplitude: Values, resolution: float, most: int = MOST) -> tuple[Peak, ...]:
    """The highest lines that stand out, each refined by a parabola through the logarithms of three lines (Smith &
    Serra 1987). None are: fewer than `DRIFT` + 1 periods within the record, which are a drift, and what is not
    `STANDS_OUT` times the median of the lines on each side, which is noise (among 500 lines of white noise one is that
    high in 5.5 % of the cases) or the flank of a drift.

    Args:
        frequency: of the lines, Hz, from 0 on.
        amplitude: of the same length, in the signal's unit.
        resolution: Hz.
        most: how many at most.
    """
    lines, first = amplitude, DRIFT + 1
    inner = np.arange(first, len(lines) - 1)
    # Of lines that are equally high both may be maxima; they are too near for both to be taken below.
    inner = inner[(lines[inner] >= lines[inner - 1]) & (lines[inner] >= lines[inner + 1]) & (lines[inner] > 0)]
    inner = inner[np.argsort(-lines[inner], kind="stable")[:LOOKED_AT]]
    heights, drift = lines.tolist(), drifts(lines)
    found: list[Peak] = []
    taken: list[int] = []
    for k in inner.tolist():
        # Behind the main lobe of the window; at the foot of a drift nothing lies on the left.
        left, right = heights[max(first, k - BESIDE) : max(first, k - 2)], heights[k + 3 : k + 3 + BESIDE]
        if heights[k] < STANDS_OUT * max((median(part) for part in (left, right) if part), default=0.0):
            continue
        if (drift and not left) or any(abs(k - other) < 3 for other in taken):
            continue
        taken.append(k)
        found.append(_refined(k, frequency, lines, resolution))
        if len(found) == most:
            break
    return tuple(found)


def drifts(amplitude: Values) -> bool:
    """Whether the highest lines are those of a drift."""
    return len(amplitude) > 1 and int(np.argmax(amplitude[1:])) < DRIFT


def _refined(k: int, frequency: Values, lines: Values, resolution: float) -> Peak:
    # The logarithm needs all three.
    if not (lines[k - 1 : k + 2] > 0).all():
        return Peak(float(frequency[k]), float(lines[k]))
    a, b, c = np.log(lines[k - 1 : k + 2])
    # The vertex of the parabola through (-1, a), (0, b), (1, c), in lines.
    shift = 0.5 * (a - c) / (a - 2 * b + c) if a - 2 * b + c < 0 else 0.0
    return Peak(float(frequency[k] + shift * resolution), float(np.exp(b - 0.25 * (a - c) * shift)))


def rows_of_peaks(of: Sequence[PeaksOf], quantity: str, unit: str, timed: bool) -> Iterator[list[str]]:
    """The head with units, then a row a peak; one with a note alone where a curve has none.

    Args:
        of: a curve each.
        quantity, unit: of the amplitudes.
        timed: whether frequencies are Hz, not cycles a frame.

    >>> of = PeaksOf("7", (Peak(75.03125, 0.2),), 2.34)
    >>> [", ".join(row) for row in rows_of_peaks((of,), "y", "px", True)]
    ['track, peak, frequency_hz, half_line_hz, amplitude_y_px, note', '7, 1, 75.03125, 1.17, 0.2, ']
    """
    each = "hz" if timed else "per_frame"
    yield ["track", "peak", f"frequency_{each}", f"half_line_{each}", f"amplitude_{quantity}_{unit}", "note"]
    for one in of:
        for rank, peak in enumerate(one.peaks, 1):
            yield [one.name, str(rank), f"{peak.frequency:.9g}", f"{0.5 * one.resolution:.9g}",
                   f"{peak.amplitude:.9g}", one.note]  # fmt: skip
        if not one.peaks:
            yield [one.name, "", "", "", "", one.note]
