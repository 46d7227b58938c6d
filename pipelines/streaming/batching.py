"""How many frames a batch of a live run has, and how many may be in hand at once.

Few frames a batch for a small latency, many where the engine falls behind; and never more in hand than can be through
within the latency that was asked for. Results depend on neither.
"""

from __future__ import annotations

START = 16
"""Frames a batch to begin with, and where nothing else is needed."""
CALM = 8
"""Batches without a backlog after which they get shorter again."""
SHARE = 0.8
"""Of the latency is planned for; the rest is for what nobody foresees."""
SMOOTH = 0.2
"""Weight of a new measurement of the speed, once some are known."""
TRIAL = 2.0
"""A trial may have been disturbed: the truth is taken to be at most so much faster, until it is known."""
GUESSED = 4
"""First batches, each of which may have been disturbed likewise, and none of which was faster than the engine is: the
best of them counts, and the truth is at most so much faster."""
DOUBTED = 1
"""First batches that say nothing against a trial: threads wake up, others have the processor."""
UNKNOWN_FPS = 1000.0
"""Frames a second that are reckoned with where the camera does not say."""


class BatchLength:
    """Adapts the length of batches to the load.

    Args:
        latency: seconds that a frame may take from capture to tracks.
        slots: frames that the ring holds.
        most: frames a batch at most, by memory.
        fps: frames a second that the camera announces; 0 or NaN where nobody knows.
        fixed: always so many frames a batch; None to adapt.
        rate: frames a second that were computed in a trial; 0 where there was none. A pipeline that may keep up by it
            has all slots from the beginning, so that nothing is left out while threads wake up.

    Attributes:
        wanted: frames that the next batch is to have; fewer come when `patience` is over.
        patience: seconds that the oldest frame may wait for others to fill the batch.
        limit: frames that may be in hand at once, between capture and the last that needs them: what is through in
            `latency` seconds, as far as the speed is known; without a trial half of what the camera sends in that time.
        capacity: frames a second that can be processed, as far as it is known.
    """

    def __init__(self, latency: float, slots: int, most: int, fps: float = 0.0, fixed: int | None = None,
                 rate: float = 0.0) -> None:  # fmt: skip
        self.latency, self.slots = latency, slots
        self.fixed = fixed is not None
        self.most = max(1, min(most, slots // 2))
        self.start = START if not fps > 0 else max(1, min(START, int(fps * latency / 4)))
        self.wanted = min(self.start if fixed is None else max(1, fixed), self.most)
        self.patience = latency / 4
        sent = fps if fps > 0 else UNKNOWN_FPS
        self.capacity = self._believed = TRIAL * rate if rate > 0 else sent
        self._calm = self._known = 0
        self._best, self._doubted = 0.0, DOUBTED if rate > 0 else 0
        self.limit = max(min(slots, int(latency * min(self.capacity, sent) / 2)), min(slots, 2 * self.wanted))
        if self.capacity >= sent and rate > 0:
            self.limit = slots

    def done(self, frames: int, seconds: float, waiting: int) -> None:
        """A batch is through.

        Args:
            frames: it had.
            seconds: it held the slowest thread up.
            waiting: frames in the ring that nobody has taken yet.
        """
        self._known += 1
        measured = frames / max(seconds, 1e-6)
        self._best = max(self._best, measured)
        if self._known > GUESSED:
            self.capacity += SMOOTH * (measured - self.capacity)
        elif self._known == GUESSED:
            self.capacity = self._best
        elif self._known > self._doubted:
            self.capacity = min(self._believed, TRIAL * self._best)
        fits = int(SHARE * self.latency * self.capacity)
        if not self.fixed:
            longest = max(1, min(self.most, fits // 3))
            if waiting >= 2 * self.wanted:
                self._calm, self.wanted = 0, self.wanted * 2
            elif waiting < self.wanted and self.wanted > self.start:
                self._calm += 1
                if self._calm >= CALM:
                    self._calm, self.wanted = 0, max(self.start, self.wanted // 2)
            self.wanted = min(self.wanted, longest)
            if self.wanted < self.start <= longest:
                self.wanted = self.start
        self.limit = min(self.slots, max(fits, 2 * self.wanted))
