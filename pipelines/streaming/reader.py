"""Reads a clip ahead, so that decoding and computing overlap."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

import numpy as np

from kernels.errors import BadFrame
from pipelines.frame import FrameBatch, FrameSource, Pixels


class Reader:
    """Reads batches ahead in a thread of its own.

    Args:
        source: the clip.
        frames: first frame and one past the last.
        batch: frames a batch, at most.
        seconds: where "read" counts the time that reading takes.
        buffer: makes the arrays, of (shape, dtype), that frames are read into: where they go to a device from there,
            nobody has to copy them again. Called by the reading thread.
    """

    def __init__(
        self,
        source: FrameSource,
        frames: tuple[int, int],
        batch: int,
        seconds: MutableMapping[str, float],
        buffer: Callable[[tuple[int, ...], np.dtype[Any]], Pixels] = np.empty,
    ) -> None:
        self.source, self.frames, self.batch, self.seconds = source, frames, batch, seconds
        self.buffer = buffer
        self.queue: queue.Queue[tuple[FrameBatch, list[tuple[int, str]]] | BaseException | None] = queue.Queue(2)
        self.closed = threading.Event()
        self.thread = threading.Thread(target=self._guard(self._read), name="read", daemon=True)
        self.thread.start()

    @property
    def waiting(self) -> bool:
        """Whether there is something to take now, be it the end."""
        return not self.queue.empty()

    def batches(self) -> Iterator[tuple[FrameBatch, list[tuple[int, str]]]]:
        """Batches of the frames that could be read, and (index, reason) of those that could not."""
        while (item := self.queue.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item

    def close(self) -> None:
        """Stop reading and wait for the thread."""
        self.closed.set()
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
            with contextlib.suppress(queue.Full):
                self.queue.put(item, timeout=0.1)
                return

    def _read(self) -> None:
        info = self.source.info
        index, end = self.frames
        while index < end and not self.closed.is_set():
            begin = time.perf_counter()
            pixels = self.buffer((min(self.batch, end - index), *info.image.shape), info.image.dtype.numpy)
            good: list[int] = []
            bad: list[tuple[int, str]] = []
            for i in range(index, index + len(pixels)):
                try:
                    self.source.read(i, out=pixels[len(good)])
                    good.append(i)
                except BadFrame as error:
                    bad.append((i, error.reason))
            index += len(pixels)
            times = np.array([info.time.time(i) for i in good], np.float64)
            batch = FrameBatch(np.array(good, np.int64), times, pixels[: len(good)])
            del pixels  # so that its memory is free again when the batch is done with
            self.seconds["read"] += time.perf_counter() - begin
            self._put((batch, bad))
            del batch
