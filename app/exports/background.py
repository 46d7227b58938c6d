"""A slow sink in a thread of its own, so that drawing and encoding overlap with decoding and computing."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Sequence

from pipelines.frame import FrameBatch, Result, Sink

MOST_BYTES = 64 << 20
"""Of pictures and rows that wait or are being written; where a batch makes it more, `write` returns when it has become
less, so nothing is lost and memory does not grow. The frames of a short clip all have room, so that its tables and
figures are made while the last of them are drawn."""


class InBackground:
    """Hands batches to another sink in order, in a thread.

    An error of that sink is raised by the next `write` or by `finish`. What is given must not be changed afterwards.
    """

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._waiting: deque[tuple[FrameBatch, Sequence[Result]] | None] = deque()
        self._bytes = 0  # of what waits or is being written
        self._changed = threading.Condition()
        self._error: BaseException | None = None
        self._failed = False
        self.seconds = 0.0
        """Wall time that the sink took so far."""
        self.waited = 0.0
        """Of it, what `write` and `finish` waited for."""
        self._thread = threading.Thread(target=self._work, name="sink", daemon=True)
        self._thread.start()

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        """Queue a batch; waits while that is more than MOST_BYTES."""
        self._raise()
        before = time.perf_counter()
        self._put((frames, results), _bytes_of(frames, results))
        with self._changed:
            self._changed.wait_for(lambda: self._bytes <= MOST_BYTES)
        self.waited += time.perf_counter() - before

    def _put(self, item: tuple[FrameBatch, Sequence[Result]] | None, size: int) -> None:
        with self._changed:
            self._waiting.append(item)
            self._bytes += size
            self._changed.notify_all()

    def finish(self) -> None:
        """Wait until all is written. A second call does nothing."""
        if self._thread.is_alive():
            before = time.perf_counter()
            self._put(None, 0)
            self._thread.join()
            self.waited += time.perf_counter() - before
        self._raise()

    def close(self) -> None:
        """Finish, then close the sink."""
        self.finish()
        self._sink.close()

    def __enter__(self) -> InBackground:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if kind is None:
            self.finish()
            return
        with contextlib.suppress(Exception):  # the first failure is the one that is reported
            self.finish()

    def _raise(self) -> None:
        if self._error is not None:
            error, self._error = self._error, None
            raise error

    def _work(self) -> None:
        # After an error the queue is still emptied, so that the other side never waits for ever.
        while (item := self._next()) is not None:
            if not self._failed:
                before = time.perf_counter()
                try:
                    self._sink.write(*item)
                except BaseException as error:  # handed to the thread that owns the run
                    self._error, self._failed = error, True
                self.seconds += time.perf_counter() - before
            size = _bytes_of(*item)
            del item
            with self._changed:
                self._bytes -= size
                self._changed.notify_all()

    def _next(self) -> tuple[FrameBatch, Sequence[Result]] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting)
            return self._waiting.popleft()


def _bytes_of(frames: FrameBatch, results: Sequence[Result]) -> int:
    """Of all that is held with a batch; pictures that are its own frames count twice."""
    taps = (tap for result in results for tap in result.taps.values())
    return frames.pixels.nbytes + sum(getattr(one, "nbytes", 0) for one in taps) + sum(r.tracks.nbytes for r in results)
