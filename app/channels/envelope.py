"""The lowest and highest of blocks of samples, in levels: what is seen of ten million is drawn from thousands."""

from __future__ import annotations

import numpy as np

from app.channels.channel import Samples, Values

FIRST, RATIO = 16, 4
"""Samples of a block of the lowest level, and blocks of a level in one of the next."""
FEW = 128
"""Blocks below which no further level is made: fewer than any plot has columns."""


class Envelope:
    """Of a column.

    Args:
        value: (n,) its samples; NaN where nothing was measured.

    Attributes:
        low, high: of all that is known; NaN where nothing is.
    """

    def __init__(self, value: Values) -> None:
        self._value = value
        self._levels: list[tuple[int, Values, Values]] = []
        lows = highs = value
        each = 1
        while len(lows) > FEW:
            step = FIRST if each == 1 else RATIO
            each *= step
            # fmin and fmax pass over NaN where a number is there, too.
            lows, highs = _blocks(lows, step, np.fmin), _blocks(highs, step, np.fmax)
            self._levels.append((each, lows, highs))
        self.low = float(np.fmin.reduce(lows)) if len(lows) else float("nan")
        self.high = float(np.fmax.reduce(highs)) if len(highs) else float("nan")

    def seen(self, samples: Samples, low: float, high: float, columns: int) -> tuple[Values, Values]:
        """Times and values of a line that shows what can be distinguished.

        Args:
            samples: whose column it is.
            low, high: what is seen, s on the channel's clock.
            columns: of pixels.

        Returns:
            (m,) each: the samples, or of each block its lowest and its highest at its first sample's time and at that
            of its middle. m is `MOST` times `columns` at most.
        """
        count = len(self._value)
        # One more sample to each side, so that the line goes on beyond the view.
        first = max(0, samples.nearest(low) - 1)
        end = min(count, samples.nearest(high) + 2)
        if end - first <= MOST * columns or not self._levels:
            return samples.times_of(first, end), self._value[first:end]
        # The finest level that is coarse enough: two points a block.
        each, lows, highs = next(
            (one for one in self._levels if 2 * ((end - first) // one[0] + 2) <= MOST * columns), self._levels[-1])
        begin, stop = first // each, min(-(-end // each), len(lows))
        # The lowest at the block's beginning, the highest at its middle: a zigzag of true heights.
        at = np.minimum(np.arange(begin, stop) * each, count - 1)
        middle = np.minimum(at + each // 2, count - 1)
        both = np.stack((at, middle), axis=1).ravel()
        times = samples.start + samples.interval * both if samples.times is None else samples.times[both]
        return times, np.stack((lows[begin:stop], highs[begin:stop]), axis=1).ravel()


MOST = 4
"""Points a column of pixels, at most: a level has between a quarter of them and all of them."""


def _blocks(value: Values, each: int, extreme: np.ufunc) -> Values:
    """Of each block the extreme that is known; NaN of one in which nothing is."""
    whole = len(value) // each * each
    made: Values = extreme.reduce(value[:whole].reshape(-1, each), axis=1)
    if whole < len(value):
        made = np.append(made, extreme.reduce(value[whole:]))
    return made
