"""Tracks for the analysis panel, and what waits for its answers."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from pyqtgraph.Qt import QtGui, QtWidgets

from app.desk.engine import reports
from app.gui.analysis.panel import AnalysisPanel
from pipelines.features import TRACK_DTYPE, State, Tracks
from tests.app.gui.conftest import Desk
from tests.patience import PATIENCE
from tests.pipelines.analysis.driven import as_tracks, driven

RATE = 600.0


def walkers(tracks: int = 12, frames: int = 120) -> Tracks:
    """Brownian motion."""
    steps = np.random.default_rng(5).normal(0, 0.4, (frames, tracks, 2))
    places = 100 + 8 * np.arange(tracks)[:, None] + np.cumsum(steps, axis=0)
    return table(places, 0.02)


def beam(points: int = 9, frames: int = 256) -> Tracks:
    """Bending at 75 Hz, the tip in the middle of the beam's amplitude of 0.5 px; the noise has sigma 0.01 px."""
    rng = np.random.default_rng(3)
    along = np.linspace(20, 340, points)
    swing = np.sin(2 * math.pi * 75.0 * np.arange(frames) / RATE)
    places = np.zeros((frames, points, 2))
    places[..., 0], places[..., 1] = along, 100 + 0.5 * swing[:, None] * ((along - 20) / 320) ** 2
    return table(places + rng.normal(0, 0.01, places.shape), 0.01)


def table(places: npt.NDArray[np.float64], sigma: float) -> Tracks:
    frames, tracks = places.shape[:2]
    rows = np.zeros(frames * tracks, TRACK_DTYPE)
    rows["frame"], rows["track"] = np.repeat(np.arange(frames), tracks), np.tile(np.arange(tracks), frames)
    rows["time"], rows["state"], rows["score"] = rows["frame"] / RATE, State.TRACKED, 0.9
    rows["x"], rows["y"] = places[..., 0].ravel(), places[..., 1].ravel()
    for name in ("sigma", "sigma_x", "sigma_y"):
        if name in TRACK_DTYPE.names:
            rows[name] = sigma
    return rows


def until(desk: Desk, good: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not good():
        assert time.monotonic() < end
        QtWidgets.QApplication.processEvents()
        desk.window.jobs.tick()
        time.sleep(0.005)


def known(desk: Desk, rows: Tracks) -> None:
    desk.open()
    desk.frame(0, tracks=0)
    desk.link.reports.append(reports.Rows(0, int(rows["frame"].max()), rows))
    desk.bench.tick()


def shown_panel(desk: Desk) -> AnalysisPanel:
    made = desk.window.panels["analysis"]
    assert isinstance(made, AnalysisPanel)
    desk.window.show_panel("analysis")
    return made


def answered(desk: Desk, panel: AnalysisPanel, question: str) -> dict[str, Any]:
    until(desk, lambda: question in panel.results or panel._of.get(question, (0, ""))[1])
    until(desk, lambda: not desk.window.jobs.running)
    return panel.results.get(question, {})


def assert_lined_up(panel: AnalysisPanel, lines: list[str]) -> None:
    """Columns end at the same letter, and letters are as wide as each other."""
    ends = [[match.end() for match in re.finditer(r"\S+(?: \S+)*", line)] for line in lines]
    assert len(ends) > 1
    assert ends == [ends[0]] * len(ends)
    font = QtGui.QFontMetricsF(panel.words.font())
    assert font.horizontalAdvance("iiii") == font.horizontalAdvance("MMMM")


def shaken(frames: int = 4000) -> Tracks:
    """A base (track 0) that shakes, and three points that answer with the resonances of `driven`; 0.01 px of noise."""
    places, force = driven(1, frames, 0.0)
    base = np.stack((np.zeros_like(force), force))[None]
    both = 0.2 * np.concatenate((base, places)) + np.random.default_rng(4).normal(0, 0.01, (4, 2, frames))
    return as_tracks(both)
