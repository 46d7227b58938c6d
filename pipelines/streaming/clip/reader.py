"""The batches of a clip: read ahead, so that decoding and computing overlap, or when they are asked for: those that lie
in memory, and frames so large that others beside them cost more memory than time is gained."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from typing import Any

import numpy as np

from kernels.errors import BadFrame
from pipelines.frame import FrameBatch, FrameSource, Pixels
from pipelines.streaming.common.buffer_pool import BufferPool

Read = tuple[FrameBatch, list[tuple[int, str]]]
"""A batch of the frames that could be read, and (index, reason) of those that could not."""
Buffer = Callable[[tuple[int, ...], np.dtype[Any]], Pixels]
"""Makes an array of (shape, dtype), of any content."""


def read_frames(source: FrameSource, numbers: Sequence[int], buffer: Buffer = np.empty) -> Read:
    """The frames of these numbers, each in memory that `buffer` makes."""
    info = source.info
    pixels = buffer((len(numbers), *info.image.shape), info.image.dtype.numpy)
    # Readable frames lie one behind the other: a bad one leaves no hole.
    good: list[int] = []
    bad: list[tuple[int, str]] = []
    for number in numbers:
        try:
            source.read(number, out=pixels[len(good)])
            good.append(number)
        except BadFrame as error:
            bad.append((number, error.reason))
    return _batch(source, good, pixels[: len(good)]), bad


def _batch(source: FrameSource, numbers: Sequence[int], pixels: Pixels) -> FrameBatch:
    time_of = source.info.time.time
    return FrameBatch(np.array(numbers, np.int64), np.array([time_of(i) for i in numbers], np.float64), pixels)


class OnDemand:
    """The batches of a clip without a thread: of one that lies in memory its own memory, which is read-only.

    Args:
        source, frames, batch, seconds, buffer: as `Reader` takes them.
    """

    waiting = True

    def __init__(
        self,
        source: FrameSource,
        frames: tuple[int, int],
        batch: int,
        seconds: MutableMapping[str, float],
        buffer: Buffer = np.empty,
    ) -> None:
        self.source, self.frames, self.batch, self.seconds = source, frames, batch, seconds
        self.buffer = buffer

    def batches(self) -> Iterator[Read]:
        """As `Reader.batches`."""
        index, end = self.frames
        while index < end:
            begin = time.perf_counter()
            numbers = range(index, min(index + self.batch, end))
            inside = getattr(self.source, "view", None)  # `InMemory`
            pixels: Pixels | None = None if inside is None else inside(numbers.start, numbers.stop)
            if pixels is None:
                made = read_frames(self.source, numbers, self.buffer)
            else:
                pixels = pixels.view()
                pixels.flags.writeable = False
                made = _batch(self.source, numbers, pixels), []
            index = numbers.stop
            self.seconds["read"] += time.perf_counter() - begin
            # No name may hold the frames while the batch is away: memory is filled again once nobody refers to it
            # (`BufferPool`).
            del pixels
            yield made
            del made

    def close(self) -> None:
        """Nothing is held."""


class Reader:
    """Reads batches ahead in a thread of its own.

    Args:
        source: the clip.
        frames: first frame and one past the last.
        batch: frames a batch, at most.
        seconds: where "read" counts the time that reading takes.
        buffer: makes the arrays that frames are read into: memory that a device copies from needs no second copy.
            Called by the reading thread. Without it memory is filled again that was released.
    """

    def __init__(
        self,
        source: FrameSource,
        frames: tuple[int, int],
        batch: int,
        seconds: MutableMapping[str, float],
        buffer: Buffer | None = None,
    ) -> None:
        self.source, self.frames, self.batch, self.seconds = source, frames, batch, seconds
        self.buffer: Buffer = BufferPool() if buffer is None else buffer
        # Two batches wait at most: one evens out a slow frame, more would only hold memory.
        self.queue: queue.Queue[Read | BaseException | None] = queue.Queue(2)
        self.closed = threading.Event()
        self.thread = threading.Thread(target=self._guard(self._read), name="read", daemon=True)
        self.thread.start()

    @property
    def waiting(self) -> bool:
        """Whether there is something to take now, be it the end."""
        return not self.queue.empty()

    def batches(self) -> Iterator[Read]:
        """All batches, in order."""
        while (item := self.queue.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item

    def close(self) -> None:
        """Stop reading and wait for the thread."""
        self.closed.set()
        # Room in the queue lets the thread see that it is closed.
        with contextlib.suppress(queue.Empty):
            while True:
                self.queue.get_nowait()
        self.thread.join()

    def _guard(self, work: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            try:
                work()
                self._put(None)
            except BaseException as error:  # handed to the thread that waits for the frames
                self._put(error)

        return run

    def _put(self, item: Any) -> None:
        while not self.closed.is_set():
            # Never for ever: who closes takes nothing any more, and this thread has to see it.
            with contextlib.suppress(queue.Full):
                self.queue.put(item, timeout=0.1)
                return

    def _read(self) -> None:
        index, end = self.frames
        while index < end and not self.closed.is_set():
            numbers = range(index, min(index + self.batch, end))
            self._put_read(numbers)
            index = numbers.stop

    def _put_read(self, numbers: Sequence[int]) -> None:
        """Hand on some frames; their memory is free again when the batch is done with."""
        begin = time.perf_counter()
        made = read_frames(self.source, numbers, self.buffer)
        self.seconds["read"] += time.perf_counter() - begin
        self._put(made)
