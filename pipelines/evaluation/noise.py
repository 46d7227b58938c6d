"""The density of the noise at each frequency.

Welch: The use of fast Fourier transform for the estimation of power spectra, IEEE Transactions on Audio and
Electroacoustics 15, 1967: stretches of equal length that overlap by half, each without its mean and under a Hann
window; their periodograms are averaged over stretches and things.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.evaluation.errors import runs

Array = npt.NDArray[Any]
SHORTEST, LONGEST = 16, 1024
BLOCK = 2048
"""Stretches that are transformed at a time."""


@dataclass(frozen=True, slots=True)
class NoiseDensity:
    """One-sided amplitude spectral density of the errors.

    Args:
        frequency: Hz (cycles a frame without fps); 0 and the window's first neighbours are left out.
        x, y: px / sqrt(Hz).
        floor_x, floor_y: their medians over frequency; of white noise of standard deviation s: s sqrt(2 / fps).
        stretches: how many were averaged.
        length: frames of a stretch.
    """

    frequency: tuple[float, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]
    floor_x: float
    floor_y: float
    stretches: int
    length: int


def noise_density(table: Array, fps: float) -> NoiseDensity | None:
    """The spectrum of rows of ERROR_DTYPE, by thing and frame; None if no stretch without a gap has SHORTEST frames.

    The length is the greatest power of two with which at least half of the rows lie in stretches long enough.
    """
    first, count = runs(table)
    length = LONGEST
    while length > SHORTEST and count[count >= length].sum() < 0.5 * len(table):
        length //= 2
    enough = count >= length
    if not enough.any():
        return None
    # Stretches of a run: they overlap by half.
    many = (count[enough] - length) // (length // 2) + 1
    # Which of its run's stretches each one is: 0, 1, 2 ... for every run.
    within = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
    starts = np.repeat(first[enough], many) + within * (length // 2)
    # A periodic Hann window: one value more, the last left out.
    window = np.hanning(length + 1)[:length]
    # 2 for one-sided; the window's sum of squares is the power that it lets through.
    scale = 2.0 / ((fps or 1.0) * float((window**2).sum()))
    powers = []
    for name in ("dx", "dy"):
        power = np.zeros(length // 2 + 1)
        # In blocks: the stretches of a long clip would fill the memory.
        for block in range(0, len(starts), BLOCK):
            pieces = table[name][starts[block : block + BLOCK, None] + np.arange(length)]
            pieces = (pieces - pieces.mean(axis=1, keepdims=True)) * window
            power += (np.abs(np.fft.rfft(pieces, axis=1)) ** 2).sum(axis=0)
        powers.append(np.sqrt(power * scale / len(starts)))
    # The mean that was taken away is missing in the first bins; the last one has no twin at a negative frequency.
    inner = slice(2, length // 2)
    frequency = (np.arange(length // 2 + 1) * (fps or 1.0) / length)[inner]
    x, y = (power[inner] for power in powers)
    return NoiseDensity(
        tuple(frequency.tolist()), tuple(x.tolist()), tuple(y.tolist()), _median(x), _median(y), len(starts), length
    )


def _median(density: Array) -> float:
    return math.sqrt(float(np.median(density**2)))
