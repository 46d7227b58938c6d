"""Spectra of motion and of its own noise as rows of a table."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.registration.spectra.welch import Welch

Array = npt.NDArray[Any]

SPECTRA_DTYPE = np.dtype(
    [
        ("track", "i4"),
        ("frequency", "f8"),  # Hz
        ("x", "f8"),  # amplitude density of the motion, px/sqrt(Hz)
        ("y", "f8"),
        ("noise_x", "f8"),  # of the measurement's own noise, px/sqrt(Hz)
        ("noise_y", "f8"),
        ("pieces", "i4"),  # spectra that it is the mean of
    ]
)
"""A point and a frequency a row."""


def spectra_of(welch: Welch, which: Array, tracks: Array, fps: float) -> Array:
    """Rows of SPECTRA_DTYPE; none without a frame rate.

    Args:
        welch: heard x, y and the noise of both.
        which: of its rows, bool.
        tracks: ids of all.
        fps: frames a second; 0 where it is not known.
    """
    power, pieces, length = welch.spectra(which)
    known = np.flatnonzero(pieces > 0)
    frequencies = np.arange(1, length // 2 + 1) * (fps / length)
    made = np.zeros((len(known), len(frequencies)), SPECTRA_DTYPE)
    if fps and len(known):
        made["track"] = tracks[which][known][:, None]
        made["frequency"], made["pieces"] = frequencies, pieces[known][:, None]
        for k, name in enumerate(("x", "y", "noise_x", "noise_y")):
            made[name] = np.sqrt(power[known, k, 1:] / fps)
    return made.ravel() if fps else made[:0].ravel()
