"""Work in pieces: one a turn of the event loop, so that the window lives in between."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from pyqtgraph.Qt import QtCore


class Turns(QtCore.QObject):  # type: ignore[misc]
    """See the module; what waits comes after input, painting and the clocks of the window.

    Args:
        parent: the work ends with it.
    """

    def __init__(self, parent: QtCore.QObject) -> None:
        super().__init__(parent)
        self._waiting: deque[Callable[[], object]] = deque()
        self._timer = QtCore.QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._next)

    def begin(self, works: Iterable[Callable[[], object]]) -> None:
        """Do these one after the other, in place of what was left to do."""
        self._waiting = deque(works)
        self._timer.start()

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""
        return not self._waiting

    def finish(self) -> None:
        """Do at once what is left."""
        while self._waiting:
            self._waiting.popleft()()
        self._timer.stop()

    def _next(self) -> None:
        if not self._waiting:
            self._timer.stop()
            return
        self._waiting.popleft()()
