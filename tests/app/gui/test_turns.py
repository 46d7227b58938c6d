"""Work in pieces, one a turn of the window's loop."""

from __future__ import annotations

from functools import partial

from pyqtgraph.Qt import QtTest, QtWidgets

from app.gui.turns import LATEST, Turns


def test_pieces_of_work_come_though_the_window_is_never_idle(app: QtWidgets.QApplication) -> None:
    turns, done = Turns(app), list[int]()
    turns.begin([partial(done.append, k) for k in range(3)])
    turns._timers[0].stop()  # as a system does that gives idle time to nobody
    QtTest.QTest.qWait(10 * LATEST)
    assert done == [0, 1, 2]
    assert turns.done
