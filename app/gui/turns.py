"""Work in pieces: one a turn of the event loop, so that the window lives in between."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from pyqtgraph.Qt import QtCore

LATEST = 20
"""Milliseconds after which a piece is done though the window was never idle: on a busy machine a camera's pictures
leave it no time, and what waits for idle time alone would never come."""


class Turns(QtCore.QObject):  # type: ignore[misc]
    """See the module; what waits comes after input, painting and the clocks of the window, where these leave time.

    Args:
        parent: the work ends with it.
    """

    def __init__(self, parent: QtCore.QObject) -> None:
        super().__init__(parent)
        self._waiting: deque[Callable[[], object]] = deque()
        self._timers = [QtCore.QTimer(self) for _ in range(2)]
        for timer, interval in zip(self._timers, (0, LATEST), strict=True):
            timer.setInterval(interval)
            timer.timeout.connect(self._next)

    def begin(self, works: Iterable[Callable[[], object]]) -> None:
        """Do these one after the other, in place of what was left to do."""
        self._waiting = deque(works)
        for timer in self._timers:
            timer.start()

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""
        return not self._waiting

    def finish(self) -> None:
        """Do at once what is left."""
        while self._waiting:
            self._waiting.popleft()()
        self._stop()

    def _stop(self) -> None:
        for timer in self._timers:
            timer.stop()

    def _next(self) -> None:
        if not self._waiting:
            self._stop()
            return
        self._waiting.popleft()()
