"""What tests of the comparison share: a window that compares A with B, and an engine for A that only listens."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from pyqtgraph.Qt import QtWidgets

from app.desk.engine import commands, reports
from app.desk.engine.picture_box import Shown
from pipelines.features import TRACK_DTYPE
from tests.app.gui.conftest import Desk, Listening
from tests.app.gui.test_main_window import press
from tests.patience import PATIENCE


@contextmanager
def compared(desk: Desk) -> Iterator[Listening]:
    """A is pinned at frame 0; gives its engine."""
    other = Listening()
    compare = desk.window.tracking.compare
    compare.pinned._connect = lambda: other
    desk.open()
    desk.frame(0)
    press(desk, "C")
    order = other.orders[-1]
    assert isinstance(order, commands.Open)
    other.reports.append(reports.Opened(desk.source.info, False, order.pipeline, "cpu", ("a",), (("a", "u8"),), ""))
    compare.tick()
    yield other
    compare.switch(False)


def of_a(desk: Desk, other: Listening, frame: int) -> None:
    """A's engine has drawn a frame; its pixels are the frame's number."""
    rows = np.zeros(0, TRACK_DTYPE)
    pixels = np.full((288, 384), frame, np.uint8)
    other.pictures.append(Shown(frame + 1, frame, frame / 600, "", pixels, 8, rows))
    desk.window.tracking.compare.tick()


def settle() -> None:
    """Let the window lay itself out."""
    for _ in range(4):
        QtWidgets.QApplication.processEvents()
        time.sleep(0.005)


def ended(link: Listening) -> None:
    """Its engine was told to end, by another thread."""
    until = time.monotonic() + PATIENCE
    while not link.closed and time.monotonic() < until:
        time.sleep(0.005)
    assert link.closed
