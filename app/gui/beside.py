"""Work in threads whose answers come to the window.

A thread holds nothing of Qt: what it held last would be taken apart in it, and Qt's objects that are taken apart in
another thread than their own spoil memory, of which the program ends some time later and somewhere else.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from pyqtgraph.Qt import QtCore

LOOK = 10
"""Milliseconds between two looks for answers, less than people see."""


class Beside(QtCore.QObject):  # type: ignore[misc]
    """See the module.

    Args:
        parent: what it ends with; answers that come later are dropped.
        name: of the threads.

    Attributes:
        came: a signal: the number that the work was given, and its answer, or the exception that it ended with.
    """

    came = QtCore.pyqtSignal(int, object)

    def __init__(self, parent: QtCore.QObject, name: str) -> None:
        super().__init__(parent)
        self._name = name
        self._answers = queue.SimpleQueue[tuple[int, object]]()
        self._waiting = 0
        self._timer = QtCore.QTimer(self)
        self._timer.setInterval(LOOK)
        self._timer.timeout.connect(self._look)

    def begin(self, number: int, work: Callable[[], object]) -> None:
        """Have a thread work.

        Args:
            number: comes back with the answer.
            work: refers to no widget and to nothing that has one.
        """
        answers = self._answers

        def run() -> None:
            try:
                answer: object = work()
            except Exception as error:
                answer = error.with_traceback(None)  # whose frames hold what was worked with
            answers.put((number, answer))

        self._waiting += 1
        self._timer.start()
        threading.Thread(target=run, name=self._name, daemon=True).start()

    def _look(self) -> None:
        while self._waiting:
            try:
                number, answer = self._answers.get_nowait()
            except queue.Empty:
                return
            self._waiting -= 1
            self.came.emit(number, answer)
        self._timer.stop()
