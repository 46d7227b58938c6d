"""A slow sink in a thread of its own, so that drawing and encoding overlap with decoding and computing."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Sequence

from pipelines.frame import FrameBatch, Result, Sink

WAITING = 2
"""Batches that may wait; then `write` blocks, so nothing is lost and memory does not grow."""
LARGE_BYTES = 64 << 20
"""Batches of more do not wait: `write` returns when they are written."""


class InBackground:
    """Hands batches to another sink in order, in a thread.

    An error of that sink is raised by the next `write` or by `finish`. What is given must not be changed afterwards.
    """

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._queue: queue.Queue[tuple[FrameBatch, Sequence[Result]] | None] = queue.Queue(WAITING)
        self._error: BaseException | None = None
        self._failed = False
        self.seconds = 0.0
        """Wall time that the sink took so far."""
        self.waited = 0.0
        """Of it, what `write` and `finish` waited for."""
        self._thread = threading.Thread(target=self._work, name="sink", daemon=True)
        self._thread.start()

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        """Queue a batch; waits while WAITING others are queued."""
        self._raise()
        before = time.perf_counter()
        self._queue.put((frames, results))
        if frames.pixels.nbytes > LARGE_BYTES:
            self._queue.join()
        self.waited += time.perf_counter() - before

    def finish(self) -> None:
        """Wait until all is written. A second call does nothing."""
        if self._thread.is_alive():
            before = time.perf_counter()
            self._queue.put(None)
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
        while (item := self._queue.get()) is not None:
            if not self._failed:
                before = time.perf_counter()
                try:
                    self._sink.write(*item)
                except BaseException as error:  # handed to the thread that owns the run
                    self._error, self._failed = error, True
                self.seconds += time.perf_counter() - before
            del item
            self._queue.task_done()
