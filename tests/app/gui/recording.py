"""What tests of the recording bar share: the bar of a camera, and what is done with it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.desk.engine import reports
from app.gui.sessions.record_bar import RecordBar
from pipelines.frame import TimeBase
from tests.app.desk.readings import account
from tests.app.gui.conftest import Desk
from tests.patience import PATIENCE

LEFT = QtCore.Qt.MouseButton.LeftButton


def camera_bar(desk: Desk, folder: Path) -> RecordBar:
    """The bar of a camera of 1000 frames a second, whose sessions go into a folder."""
    desk.window.settings.set_text("sessions", str(folder))
    desk.open(live=True)
    assert desk.bench.opened is not None
    info = replace(desk.bench.opened.info, time=TimeBase(1000.0, "scene", ""))
    desk.bench.opened = replace(desk.bench.opened, info=info)
    desk.window.record_bar.refresh()
    return desk.window.record_bar


def click(button: QtWidgets.QAbstractButton) -> None:
    """As a user does."""
    assert button.isEnabled()
    QtTest.QTest.mouseClick(button, LEFT)


def ended(desk: Desk, dropped: int = 0) -> None:
    """The engine says that 500 frames were recorded."""
    desk.link.reports.append(reports.Recorded(desk.bench.recording, account(500, dropped)))
    desk.bench.tick()


def until(desk: Desk, good: Callable[[], object]) -> None:
    """Wait for what a job does."""
    end = time.monotonic() + PATIENCE
    while not good():
        assert time.monotonic() < end
        desk.window.jobs.tick()
        QtWidgets.QApplication.processEvents()
        time.sleep(0.01)
