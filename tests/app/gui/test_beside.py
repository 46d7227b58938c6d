"""Work in threads whose answers come to the window, in its own thread, and which holds nothing of Qt."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable

from pyqtgraph.Qt import QtCore, QtWidgets

from app.gui.beside import Beside
from tests.patience import PATIENCE


def until(done: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end
        QtWidgets.QApplication.processEvents()
        time.sleep(0.002)


def test_answers_come_in_the_thread_of_the_window_with_their_numbers(app: QtWidgets.QApplication) -> None:
    beside = Beside(app, "test")
    came: list[tuple[int, object, threading.Thread]] = []
    beside.came.connect(lambda number, answer: came.append((number, answer, threading.current_thread())))

    def refuse() -> None:
        raise ValueError("no")

    beside.begin(3, lambda: threading.current_thread())
    until(lambda: came)
    beside.begin(4, refuse)
    until(lambda: len(came) == 2)
    assert [number for number, _, _ in came] == [3, 4]
    assert came[0][1] is not threading.current_thread()
    assert isinstance(came[1][1], ValueError)
    assert came[1][1].__traceback__ is None
    assert all(where is threading.current_thread() for _, _, where in came)
    assert not beside._timer.isActive()
    beside.deleteLater()


def test_a_thread_that_outlives_its_window_holds_nothing_of_it(app: QtWidgets.QApplication) -> None:
    del app
    parent = QtCore.QObject()
    beside = Beside(parent, "late")
    came: list[object] = []
    beside.came.connect(lambda number, answer: came.append(answer))
    go, begun = threading.Event(), threading.Event()

    def work() -> str:
        begun.set()
        go.wait(PATIENCE)
        return "late"

    beside.begin(1, work)
    assert begun.wait(PATIENCE)
    (thread,) = [one for one in threading.enumerate() if one.name == "late"]
    gone = weakref.ref(beside), weakref.ref(parent)
    del beside, parent
    gc.collect()
    assert [one() for one in gone] == [None, None], "while the thread works"
    go.set()
    thread.join(PATIENCE)
    QtWidgets.QApplication.processEvents()
    assert not came
