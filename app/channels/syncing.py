"""Where a channel lies in the clip's time: by a sample that is a frame, or by the first sample beyond a threshold."""

from __future__ import annotations

import math

import numpy as np

from app.channels.channel import Samples
from kernels.errors import InputError

PIECE = 1 << 20
"""Samples that are looked at at once."""


def offset_of(samples: Samples, sample: int, time: float) -> float:
    """s to be added to the channel's times, so that a sample lies at a time of the clip.

    Raises:
        InputError: there is no such sample.
    """
    if not 0 <= sample < samples.count:
        raise InputError(f"there is no sample {sample}; the channel has {samples.count}, counted from 0")
    return time - samples.time_of(sample)


def first_beyond(samples: Samples, column: str, threshold: float, below: bool = False) -> int:
    """The first sample that is above a threshold, or below it.

    Raises:
        InputError: there is none.
    """
    if not math.isfinite(threshold):
        raise InputError(f"a threshold is a number, not {threshold}")
    value = samples.values[column]
    for begin in range(0, len(value), PIECE):
        part = value[begin : begin + PIECE]
        beyond = part < threshold if below else part > threshold
        if beyond.any():
            return begin + int(np.argmax(beyond))
    known = value[np.isfinite(value)]
    way, most = ("below", float(known.min())) if below else ("above", float(known.max()))
    raise InputError(f"no sample of {column} is {way} {threshold:g}; it reaches {most:g}")
