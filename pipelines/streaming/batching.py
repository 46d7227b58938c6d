"""How many frames a batch of a live run has: few for a small latency, many where the engine falls behind."""

from __future__ import annotations

START = 16
"""Frames a batch to begin with, and where nothing else is needed."""


class BatchLength:
    """Adapts the length of batches; results do not depend on it.

    Args:
        latency: seconds that a frame may take from capture to tracks.
        most: frames a batch at most (what memory allows, and a part of the ring).
        fixed: always so many; None to adapt.

    Attributes:
        wanted: frames that the next batch is to have; fewer come when `patience` is over.
        patience: seconds that the oldest frame may wait for others to fill the batch.
    """

    def __init__(self, latency: float, most: int, fixed: int | None = None) -> None:
        self.latency, self.most, self.fixed = latency, max(1, most), fixed
        self.wanted = min(fixed or START, self.most)
        self.patience = latency / 4

    def done(self, frames: int, seconds: float, waiting: int, age: float) -> None:
        """A batch is through the engine.

        Args:
            frames: it had.
            seconds: it took.
            waiting: frames in the ring now.
            age: seconds since its oldest frame was captured.
        """
        raise NotImplementedError
