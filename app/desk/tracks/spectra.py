"""What a tracker says of its own noise, as a line under the spectrum of a track (`pipelines.trackers.vibration`)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from app.desk.tracks.calibration import Calibration
from app.desk.tracks.signals import Quantity, Spectrum

Values = npt.NDArray[np.float64]
SPECTRA = "spectra"
"""The table's name."""
BAND = 1.5
"""Lines that a Hann window makes of one (its equivalent noise bandwidth)."""


def noise_floor(
    tables: Mapping[str, npt.NDArray[Any]], track: int, quantity: Quantity, calibration: Calibration
) -> tuple[Values, Values] | None:
    """Frequencies (Hz) and the power density of the measurement's own noise (unit^2/Hz) of a track's x or y in the
    user's coordinates; None where the tracker does not say, or of other quantities."""
    rows = tables.get(SPECTRA)
    if rows is None or quantity not in (Quantity.X, Quantity.Y):
        return None
    rows = rows[rows["track"] == track]
    if not len(rows):
        return None
    turn = math.radians(calibration.angle)
    along, across = rows["noise_x"].astype(float) ** 2, rows["noise_y"].astype(float) ** 2
    if quantity is Quantity.Y:
        along, across = across, along
    # Noises of x and y are independent: their powers add.
    density = (along * math.cos(turn) ** 2 + across * math.sin(turn) ** 2) * calibration.per_px**2
    return rows["frequency"].astype(float), density


def as_amplitude(density: Values, of: Spectrum) -> Values:
    """The amplitude at which noise of such a density is in a spectrum (Hann window), root mean square."""
    # A line holds the power density * BAND * resolution; a sine of the amplitude a has a^2 / 2.
    return np.sqrt(2.0 * BAND * of.resolution * density)
