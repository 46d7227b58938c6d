"""How well a run tracks, frame by frame, for the shading of a timeline; nothing here knows a window."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pipelines.features import State, Tracks

UNKNOWN = -1.0
MOST_BLOCKS = 1 << 16
"""Blocks of frames that are kept apart: more than any strip has pixels."""


class Shares:
    """Shares of the points that were seen, of blocks of frames that grow with the run.

    Rows may come in any order. Blocks are single frames up to `MOST_BLOCKS` of them, then twice as long, and so on.
    """

    def __init__(self, most: int = MOST_BLOCKS) -> None:
        self._most = most
        self._shift = 0
        self._counts = np.zeros((3, 1024), np.int64)  # believed, seen, all

    def take(self, rows: Tracks) -> None:
        """Rows that were not there yet."""
        if not len(rows):
            return
        last = int(rows["frame"].max())
        while last >> self._shift >= self._most:
            halved = self._counts.reshape(3, -1, 2).sum(axis=2)
            self._counts = np.pad(halved, ((0, 0), (0, halved.shape[1])))
            self._shift += 1
        blocks = rows["frame"] >> self._shift
        if int(blocks.max()) >= self._counts.shape[1]:
            size = 1 << int(blocks.max()).bit_length()
            self._counts = np.pad(self._counts, ((0, 0), (0, size - self._counts.shape[1])))
        low = int(blocks.min())
        blocks -= low
        state = rows["state"]
        for counts, chosen in zip(
            self._counts, (blocks[state != State.TENTATIVE], blocks[state == State.TRACKED], blocks), strict=True
        ):
            made = np.bincount(chosen)
            counts[low : low + len(made)] += made

    def over(self, first: int, end: int, places: int) -> npt.NDArray[np.float64]:
        """What a strip of frames shows.

        Args:
            first, end: frames that the strip spans.
            places: how many; each stands for the frames that fall into it.

        Returns:
            (places,): 0 to 1, `UNKNOWN` where there is no row.
        """
        if end <= first:
            return np.full(places, UNKNOWN)
        a, b = max(0, first >> self._shift), min(self._counts.shape[1], ((end - 1) >> self._shift) + 1)
        middles = (np.arange(a, b) << self._shift) + (1 << self._shift >> 1)
        place = (np.clip(middles, first, end - 1) - first) * places // (end - first)
        count, seen, there = (np.bincount(place, part[a:b], places) for part in self._counts)
        return np.where(there > 0, np.where(count > 0, seen / np.maximum(count, 1), 1.0), UNKNOWN)


def quality(rows: Tracks, first: int, end: int, places: int) -> npt.NDArray[np.float64]:
    """The same of rows that are all there."""
    made = Shares()
    made.take(rows)
    return made.over(first, end, places)
