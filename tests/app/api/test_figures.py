"""Figures of tracks: on the caller's axes, on pyplot's where it is loaded, else on ones of their own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from app import launcher as fusetrack
from pipelines.features import TRACK_DTYPE, State

pytestmark = pytest.mark.sharp


@pytest.fixture
def tracks() -> Any:
    rows = np.zeros(24, TRACK_DTYPE)
    rows["frame"], rows["track"] = np.tile(np.arange(12), 2), np.repeat([3, 8], 12)
    rows["x"], rows["y"], rows["state"] = rows["frame"] * 2.0 + rows["track"], 5.0 + rows["track"], State.TRACKED
    rows["time"], rows["state"][4:6] = rows["frame"] / 100, State.PREDICTED
    return fusetrack.Tracks(rows, size=(80, 40), name="clip", fps=100)


def test_a_line_a_track_broken_where_nothing_was_seen(tracks: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "matplotlib.pyplot", raising=False)
    axes = tracks.plot()
    first, second = axes.lines
    assert np.isnan(first.get_xdata()).sum() == 1
    assert np.isfinite(first.get_xdata()).sum() == 10
    np.testing.assert_array_equal(second.get_xdata(), tracks.by_track()[8]["x"])
    np.testing.assert_array_equal(second.get_ydata(), tracks.by_track()[8]["y"])
    assert first.get_color() != second.get_color()
    assert axes.get_xlim() == (-0.5, 79.5)
    assert axes.get_ylim() == (39.5, -0.5)  # y points down
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_title(loc="left")) == ("x (px)", "y (px)", "clip")


def test_axes_go_in_and_come_out(tracks: Any, tmp_path: Path) -> None:
    axes = Figure().add_subplot()
    assert tracks.plot(axes) is axes
    assert tracks.plot(ax=axes) is axes
    assert len(axes.lines) == 4
    axes.figure.savefig(tmp_path / "paths.png")
    assert (tmp_path / "paths.png").stat().st_size > 1000
    plain = fusetrack.Tracks(tracks.rows).plot(Figure().add_subplot())
    assert plain.yaxis_inverted()


def test_where_pyplot_is_loaded_figures_are_its_own(tracks: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Figure().add_subplot()

    class Pyplot:
        @staticmethod
        def subplots() -> tuple[Any, Any]:
            return made.figure, made

    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", Pyplot)
    assert tracks.plot() is made
    assert fusetrack.msd(tracks, least=5, lags=4).plot() is made
