"""What goes into a threshold: how far its things are above its noise, and the level between the two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.automatic.noise import local_spread, spread

Array = npt.NDArray[Any]

STANDS_OUT = 6.0
"""Standard deviations above the median from which a pixel is no noise; of 1e7 Gaussian ones none goes so far."""
NOISE_REACHES = 2.5
"""Deviations that the peak of a picture of mere noise reaches at least; below, there are two levels and no noise."""


@dataclass(frozen=True, slots=True)
class Response:
    """What goes into a threshold, in one frame.

    Args:
        low, middle, high: least value, median, largest value.
        noise: standard deviation by the median of the absolute deviations, which things do not move; of pictures within
            squares, as parts of different brightness are no noise.
    """

    low: float
    middle: float
    high: float
    noise: float

    @staticmethod
    def of(values: Array) -> Response:
        """Of the pixels that are finite numbers, of a picture (height, width) or any others."""
        values = np.asarray(values, np.float64)
        flat = values[np.isfinite(values)]
        if not len(flat):
            return Response(0.0, 0.0, 0.0, 0.0)
        low, middle, high = (float(v) for v in np.quantile(flat, (0.0, 0.5, 1.0)))
        return Response(low, middle, high, local_spread(values, spread(values)[1]))

    def peak(self, bright: bool) -> float:
        """How far the brightest (darkest) pixel lies from the median."""
        return self.high - self.middle if bright else self.middle - self.low

    def mere_noise(self) -> bool:
        """Whether no pixel on either side goes farther than noise does."""
        farthest = max(self.peak(True), self.peak(False))
        return farthest == 0 or NOISE_REACHES * self.noise < farthest < STANDS_OUT * self.noise

    def level(self, bright: bool) -> float:
        """Between the noise and what stands out of it: STANDS_OUT deviations off, or a quarter of the way to the peak
        if that is more; the middle where there are two levels rather than noise."""
        peak = self.peak(bright)
        off = max(STANDS_OUT * self.noise, 0.25 * peak)
        if off >= peak:
            return 0.5 * (self.low + self.high)
        return self.middle + (off if bright else -off)
