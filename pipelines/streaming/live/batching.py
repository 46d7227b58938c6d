"""How many frames a batch of a live run has, and how many may be in hand at once.

Few frames a batch for a small latency, many where the engine falls behind; and never more in hand than can be through
within the latency that was asked for. An engine that is slower than the camera leaves frames out anyway: then those are
given up that would be too late, whatever was in hand when it slowed down, and less is planned for until no more than
one frame in a hundred is late (a quantile by stochastic approximation: Robbins, Monro 1951). Results depend on none of
this.
"""

from __future__ import annotations

import math

START = 16
"""Frames a batch to begin with, and where nothing else is needed."""
IN_HAND = 4
"""Batches in hand at least: waiting, in the engine, in the trackers, and one that comes."""
CALM = 8
"""Batches without a backlog after which they get shorter again."""
SHARE, OVERLOADED = 0.8, 0.65
"""Of the latency is planned for; the rest is for the unforeseen. Less where the engine is slower than the camera:
nothing makes up for what is late there."""
LATE, FIRMER, LEAST_SHARE = 0.005, 0.1, 0.3
"""Share of the batches of an overload that may be too late, half of what the 99th percentile allows; by how much less
is planned for after such a one; and what is planned for at least."""
SMOOTH = 0.2
"""Weight of a new measurement of the speed, once some are known."""
TRIAL, SEEN = 2.0, 1.25
"""A trial may have been disturbed: the truth is taken to be at most so much faster, until it is known; of made-up
pictures, and of the camera's own frames."""
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
        fps: frames a second that the camera announces; 0 or NaN if unknown.
        fixed: always so many frames a batch; None to adapt.
        rate: frames a second that were computed in a trial; 0 where there was none. A pipeline that may keep up by it
            has all slots from the beginning, so that nothing is left out while threads wake up.
        seen: the trial was one of frames of this camera.

    Attributes:
        wanted: frames that the next batch is to have; fewer come when `patience` is over.
        patience: seconds that the oldest frame may wait for others to fill the batch.
        sent: frames a second that the camera sends.
        limit: frames that may be in hand at once, between capture and the last that needs them: what is through in
            `latency` seconds, as far as the speed is known; without a trial half of what the camera sends in that time.
        capacity: frames a second that can be processed, as far as it is known.
    """

    def __init__(self, latency: float, slots: int, most: int, fps: float = 0.0, fixed: int | None = None,
                 rate: float = 0.0, seen: bool = False) -> None:  # fmt: skip
        self.latency, self.slots = latency, slots
        self.fixed = fixed is not None
        self.most = max(1, min(most, slots // 2))
        self.start = START if not fps > 0 else max(1, min(START, int(fps * latency / 4)))
        self.wanted = min(self.start if fixed is None else max(1, fixed), self.most)
        self.patience = latency / 4
        self.sent = sent = fps if fps > 0 else UNKNOWN_FPS
        self.capacity = self._believed = (SEEN if seen else TRIAL) * rate if rate > 0 else sent
        self._calm = self._known = 0
        self._best, self._doubted = 0.0, DOUBTED if rate > 0 else 0
        self._share, self._through = SHARE, 0.0
        # Without trust in the speed half of what the camera sends in the latency; two batches in any case.
        self.limit = max(min(slots, int(latency * min(self.capacity, sent) / 2)), min(slots, 2 * self.wanted))
        if self.capacity >= sent and rate > 0:
            self.limit = slots

    @property
    def _overloaded(self) -> bool:
        """Whether the engine is slower than the camera, as a trial or more than guesses say."""
        return self.capacity < self.sent and (self._known >= GUESSED or self._believed < self.sent)

    @property
    def too_old(self) -> float:
        """Seconds after its capture from which on a frame cannot be through in time any more. Infinite where the engine
        is as fast as the camera, or may be: then what is late is made up for, and nothing is left out."""
        if not self._overloaded:
            return math.inf
        # Half way from the planned share to the whole latency, less the time that the way through takes.
        planned = 0.5 * (1.0 + self._share) * self.latency
        return max(planned - self._through, 0.5 * self._share * self.latency)

    def done(self, frames: int, seconds: float, waiting: int, oldest: float = 0.0, through: float = 0.0) -> None:
        """A batch is through.

        Args:
            frames: it had.
            seconds: it held the slowest thread up.
            waiting: frames in the ring that are not taken yet.
            oldest: seconds since its first frame was captured.
            through: seconds since it was taken out of the ring.
        """
        self._known += 1
        measured = frames / max(seconds, 1e-6)
        self._best = max(self._best, measured)
        # The speed is measured in three stages: at first what a trial promised, at most TRIAL times the best batch so
        # far (threads wake up, caches are cold); after GUESSED batches the best of them; then a running mean.
        if self._known > GUESSED:
            self.capacity += SMOOTH * (measured - self.capacity)
        elif self._known == GUESSED:
            self.capacity = self._best
        elif self._known > self._doubted:
            self.capacity = min(self._believed, TRIAL * self._best)
        self._through += (SMOOTH if self._through else 1.0) * (through - self._through)
        late = oldest > self.latency
        # Robbins and Monro: the steps down and up balance when a share LATE of the batches is late, so that the
        # quantile is found without keeping any history.
        self._share *= 1.0 - FIRMER if late else 1.0 + FIRMER * LATE
        self._share = min(max(self._share, LEAST_SHARE), OVERLOADED) if self._overloaded else SHARE
        # Frames that are through within the planned share of the latency, at the speed that is known.
        fits = int(self._share * self.latency * self.capacity)
        if not self.fixed:
            longest = max(1, min(self.most, fits // IN_HAND))
            # Multiplicative both ways, as the load may change by decades: a backlog of two batches doubles the length
            # at once, eight calm batches halve it.
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
