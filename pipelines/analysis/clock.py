"""A signal with time stamps of its own (a force, an acceleration) on the clock of the frames.

Each value is the signal through a low pass, taken at the frame's instant: a windowed sinc (Kaiser, 80 dB) over the
signal's own samples, so that nothing above half the lower one of both rates is folded down, and phases stay.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
CROSSINGS = 32
"""Zeros of the sinc on either side."""
SHAPE = 8.0
"""Kaiser's beta: 80 dB."""
PASS, HALF = 0.42, 0.46
"""Of the lower rate: up to where the signal passes as it is (within 1e-3), and where half of it does."""
AT_ONCE = 1 << 21
"""Weights that are made at once: of a signal of 1 MHz beside frames of 600 Hz one frame takes 116000."""
UNEVEN = 0.5
"""Steps by which a stamp may lie from an even clock."""


@dataclass(frozen=True, slots=True)
class Clocked:
    """A signal on a clock.

    Args:
        values: one a slot of `slots`.
        slots: those whose low pass lies within the signal.
        limit: Hz up to which it is as it was.
        rate: its own, Hz.
    """

    values: Array
    slots: slice
    limit: float
    rate: float


def on_clock(times: Array, values: Array, start: float, interval: float, count: int) -> Clocked:
    """The signal at `start` + k `interval`, k = 0 ... count - 1.

    Args:
        times: of its samples, s, rising.
        values: as many.
        start, interval: s.
        count: slots.

    Raises:
        ValueError: fewer than two samples, times that do not rise evenly, or no slot within the signal.
    """
    if len(times) < 2 or not (np.diff(times) > 0).all():
        raise ValueError("its times must rise from row to row, and there must be two rows at least")
    step = float(times[-1] - times[0]) / (len(times) - 1)
    even = times[0] + step * np.arange(len(times))
    if np.abs(times - even).max() > UNEVEN * step:
        raise ValueError(f"its times are not even: they lie up to {np.abs(times - even).max() / step:.3g} steps of "
                         f"{step:.4g} s from an even clock (rows that are missing?)")  # fmt: skip
    # Stamps that jitter: the signal is brought onto an even clock first.
    if np.abs(times - even).max() > 1e-3 * step:
        values = np.interp(even, times, values)
    rate = min(1.0 / step, 1.0 / interval)
    reach = CROSSINGS / (2.0 * HALF * rate)
    at = start + interval * np.arange(count)
    inside = np.flatnonzero((at - reach >= even[0]) & (at + reach <= even[-1]))
    if not len(inside):
        raise ValueError(f"it lasts from {even[0]:.6g} to {even[-1]:.6g} s, the frames from {at[0]:.6g} to "
                         f"{at[-1]:.6g} s: no frame has {reach:.3g} s of it on either side")  # fmt: skip
    taps = 2 * math.ceil(reach / step) + 1
    whole = np.pad(values - values.mean(), taps)
    # Zeros around the signal, so that weights of a slot near its ends need no test; slots that reach beyond are left
    # out.
    made = np.empty(len(inside))
    few = max(1, AT_ONCE // taps)
    for k in range(0, len(inside), few):
        place = (at[inside[k : k + few]] - even[0]) / step
        nearest = np.rint(place).astype(np.int64)
        rows = nearest[:, None] + np.arange(-(taps // 2), taps // 2 + 1)
        away = (rows - place[:, None]) * step
        # A sinc low pass with a Kaiser window, centred on the slot, not on a sample: resampling and filter in one.
        bell = np.i0(SHAPE * np.sqrt(np.maximum(1.0 - np.square(away / reach), 0.0))) * (np.abs(away) < reach)
        weights = np.sinc(2.0 * HALF * rate * away) * bell
        made[k : k + few] = (weights * whole[rows + taps]).sum(axis=1) / weights.sum(axis=1)
    return Clocked(made + values.mean(), slice(int(inside[0]), int(inside[-1]) + 1), PASS * rate, 1.0 / step)
