"""Tracks with trackpy's columns: what is in them, and that trackpy takes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from app.exports.formats.text import write_trackpy
from pipelines.features import State
from tests.app.exports.made import random_tracks
from tests.app.exports.test_track_formats import table


def test_trackpy_s_columns(tmp_path: Path) -> None:
    made = table()
    write_trackpy(made, tmp_path / "t.csv")
    frame = pd.read_csv(tmp_path / "t.csv")
    wanted = made.rows[np.isin(made.rows["state"], (State.TENTATIVE, State.TRACKED))]
    assert list(frame) == ["frame", "particle", "x", "y", "ep"]
    assert 0 < len(frame) == len(wanted) < len(made.rows)
    for ours, theirs in (("frame", "frame"), ("track", "particle"), ("x", "x"), ("y", "y"), ("sigma", "ep")):
        np.testing.assert_allclose(frame[theirs], wanted[ours], atol=6e-7)
    write_trackpy(table(guesses=True), tmp_path / "all.csv")
    assert len(pd.read_csv(tmp_path / "all.csv")) == len(made.rows)
    write_trackpy(table(names={1: 'a "b", c'}), tmp_path / "named.csv")
    named = pd.read_csv(tmp_path / "named.csv", keep_default_na=False)
    assert set(named["name"][named["particle"] == 1]) == {'a "b", c'}
    assert set(named["name"][named["particle"] != 1]) == {""}


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas, at trackpy
def test_trackpy_itself_takes_it(tmp_path: Path) -> None:
    trackpy = pytest.importorskip("trackpy")
    rows = random_tracks(50, 3, mixed=False)
    rows["x"], rows["y"] = 3.0 * rows["frame"], -4.0 * rows["frame"]
    write_trackpy(table(rows), tmp_path / "t.csv")
    frame = pd.read_csv(tmp_path / "t.csv")
    lags = np.arange(1, 11)
    for found in (trackpy.emsd(frame, 0.1, 1000.0, 10), trackpy.imsd(frame, 0.1, 1000.0, 10).iloc[:, 0]):
        np.testing.assert_allclose(found.index, lags / 1000.0)
        np.testing.assert_allclose(found, (0.5 * lags) ** 2)
