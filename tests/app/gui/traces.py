"""The traces of a window over an engine that only listens, with three tracks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from pyqtgraph.Qt import QtTest

from app.desk.engine import reports
from app.gui.traces.panel import TracesPanel
from pipelines.features import TRACK_DTYPE, State
from tests.app.gui.conftest import Desk


def panel(desk: Desk) -> TracesPanel:
    """The traces of a window."""
    made = desk.window.panels["traces"]
    assert isinstance(made, TracesPanel)
    return made


def play(desk: Desk, frames: int = 64) -> None:
    """Three tracks: one swings at 75 Hz, one stands, one falls."""
    desk.open()
    t = np.arange(frames) / 600
    parts = []
    for track, (x, y) in enumerate((
        (100 + 2 * np.sin(2 * np.pi * 75 * t), 0 * t + 50), (0 * t + 10, 0 * t + 20), (0 * t + 10, 20 + 500 * t**2)
    )):  # fmt: skip
        rows = np.zeros(frames, TRACK_DTYPE)
        rows["frame"], rows["time"], rows["track"], rows["x"], rows["y"] = np.arange(frames), t, track, x, y
        rows["state"] = State.TRACKED
        parts.append(rows)
    made = np.concatenate(parts)
    order = np.argsort(made["frame"], kind="stable")
    desk.link.reports.append(reports.Rows(0, frames - 1, made[order]))
    desk.bench.tick()
    desk.bench.tracks.select([0])
    panel(desk).redraw()


def until(done: Callable[[], object]) -> None:
    """Let the window live until something holds."""
    for _ in range(2000):
        if done():
            return
        QtTest.QTest.qWait(5)
    raise AssertionError("it never came")
