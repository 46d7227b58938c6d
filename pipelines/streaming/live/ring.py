"""A bounded ring of frames between the capture thread and the engine; batches are views of it, never copies."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from kernels.ir.image import ImageType
from pipelines.frame import ARRIVAL, FrameBatch, Pixels
from pipelines.streaming.live.episode import Episode

PAGE = 4096
"""Bytes that a system hands out at once, at least."""


class Ring:
    """One thread writes, one takes batches out, any releases what was taken.

    Args:
        slots: frames that fit.
        image: type of a frame.
        make: gives memory of a shape and dtype (such as a device reads best).

    Attributes:
        pixels: (slots, *shape), C-contiguous; arrivals, sequence, times, captured: what is known of each slot's frame
            (`captured` in seconds of `time.perf_counter`).
        limit: slots that may be in use, at most.

    Raises:
        InputError: there is not enough memory.
    """

    def __init__(self, slots: int, image: ImageType, make: Callable[..., Pixels] = np.empty) -> None:
        self.slots = self.limit = slots
        try:
            self.pixels = make((slots, *image.shape), image.dtype.numpy)
        except MemoryError:
            raise InputError(f"there is not enough memory for {slots} frames of {image} between camera and engine; "
                             "ask for a shorter latency") from None  # fmt: skip
        # Memory that the system has yet to hand out takes as long as frames do at the highest rates.
        self.pixels.reshape(-1).view(np.uint8)[::PAGE] = 0
        self.arrivals = np.zeros(slots, ARRIVAL)
        self.sequence = np.zeros(slots, np.int64)
        self.times, self.captured = np.zeros(slots), np.zeros(slots)
        # Counts of frames since the beginning, which only rise: tail <= taken <= head, slot = count % slots. The writer
        # owns slots from head on, readers those between tail and taken. `used` and `waiting` are read without the lock:
        # each is written by one thread, and an older value only makes the writer more careful.
        self._head = self._taken = self._tail = 0
        self._given_up: deque[tuple[int, int]] = deque()  # from and to, counted as `_taken` is
        self._cuts: deque[tuple[int, Episode]] = deque()  # what begins with which frame, counted likewise
        self._needed = 1
        self._closed = False
        self._changed = threading.Condition()

    @property
    def used(self) -> int:
        """Frames that are there or given out."""
        return self._head - self._tail

    @property
    def waiting(self) -> int:
        """Frames that are not taken yet."""
        return self._head - self._taken

    def free(self) -> tuple[int, int]:
        """First slot and number of the slots that can be written at once: up to the limit, or the memory's end."""
        start = self._head % self.slots
        return start, max(0, min(self.limit - self.used, self.slots - start))

    def publish(self, count: int) -> None:
        """The next `count` slots are full."""
        with self._changed:
            self._head += count
            if self._head - self._taken >= self._needed:  # a wake costs more than a frame's share of the work
                self._changed.notify_all()

    def cut(self, episode: Episode) -> None:
        """What is published next is the first of another episode; no batch has frames of two."""
        with self._changed:
            self._cuts.append((self._head, episode))
            self._changed.notify_all()

    @property
    def _end(self) -> int:
        """One past the newest frame of the oldest episode that is there."""
        return self._cuts[0][0] if self._cuts else self._head

    def batch(self, wanted: int, patience: float) -> tuple[FrameBatch, int] | Episode | None:
        """The oldest frames that were not given out: up to `wanted`, or what is there `patience` seconds after the
        oldest was captured; and the slot of the first. Between two episodes the second of them, once. None once the
        ring is closed and empty."""
        with self._changed:
            while True:
                waiting = self._end - self._taken
                # The old episode is empty: now the new one may begin.
                if self._cuts and not waiting:
                    return self._cuts.popleft()[1]
                # A short batch before a cut, or at the end, is given out at once.
                if waiting >= wanted or self._closed or self._cuts:
                    break
                rest = None
                if waiting:
                    rest = self.captured[self._taken % self.slots] + patience - time.perf_counter()
                    if rest <= 0:
                        break
                # The reader says how many frames it waits for, so that the writer wakes it once, not with every frame.
                self._needed = wanted if waiting else 1
                self._changed.wait(rest)
            if not waiting:
                return None
            slot = self._taken % self.slots
            # A batch is one array: it ends where the ring's memory does, and the rest is the next batch.
            end = slot + min(waiting, wanted, self.slots - slot)
            self._taken += end - slot
        # Numbers are copied, as results keep them; pixels are lent until `release`.
        made = FrameBatch(self.sequence[slot:end].copy(), self.times[slot:end].copy(), self.pixels[slot:end])
        return made, slot

    def give_up(self, before: float) -> npt.NDArray[np.int64]:
        """Frames of the oldest episode that were captured before then and are not taken are needed no more; their
        numbers."""
        with self._changed:
            # `captured` rises within an episode, so that a binary search finds the first that is in time.
            slots = np.arange(self._taken, self._end) % self.slots
            late = slots[: int(np.searchsorted(self.captured[slots], before))]
            if len(late):
                self._given_up.append((self._taken, self._taken + len(late)))
                self._taken += len(late)
                self._pass_given_up()
            return self.sequence[late]

    def release(self, count: int) -> None:
        """The `count` oldest frames that were given out are no longer needed."""
        with self._changed:
            self._tail += count
            self._pass_given_up()

    def _pass_given_up(self) -> None:
        # Slots are freed in order. Frames that were given up in the middle are freed when everything before them is.
        while self._given_up and self._given_up[0][0] == self._tail:
            self._tail = self._given_up.popleft()[1]

    def close(self) -> None:
        """Nothing more comes; what is there can still be had."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def throw_away(self) -> None:
        """Close, and forget what was not taken."""
        with self._changed:
            self._closed = True
            self._taken = self._head
            self._cuts.clear()
            self._changed.notify_all()
