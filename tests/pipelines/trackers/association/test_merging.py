"""Two things in one detection: where between them it is, and what it says of one that turned meanwhile."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.features import State
from pipelines.trackers.association.merging import weighted_part
from pipelines.trackers.base import make_tracker
from tests.centres import gaussian_centres

SHAPE, WIDTH = (256, 256), 1.5
TURNS, MERGED = 30, (25, 36)
"""Frame in which one of two turns, and those in which they are one detection."""


@pytest.mark.parametrize("share", [0.5, 0.6, 0.75])
@pytest.mark.parametrize("widths", [0.7, 1.4, 1.9])
def test_the_part_is_that_of_the_weighted_centre(share, widths):
    y, x = np.mgrid[:61, :61].astype(float)
    apart = widths * WIDTH
    spots = [mass * np.exp(-((x - place) ** 2 + (y - 30) ** 2) / (2 * WIDTH**2))
             for place, mass in ((30.0, 1 - share), (30.0 + apart, share))]  # fmt: skip
    centre = gaussian_centres(1e4 * sum(spots), np.array([30.0 + share * apart]), np.array([30.0]), WIDTH)["x"][0]
    part = weighted_part(share, apart**2 / (2 * WIDTH) ** 2)
    assert (centre - 30) / apart == pytest.approx(part, abs=0.02)
    assert 1 - weighted_part(1 - share, apart**2 / (2 * WIDTH) ** 2) == pytest.approx(part, abs=1e-6)


def met(scene, turned):
    """The rows of two that meet, one of which turns back meanwhile, or neither."""
    tables, paths = [], []
    for i in range(50):
        way = i if i < TURNS or not turned else 2 * TURNS - i
        pair = np.array([(100 + 0.8 * i, 100 + 0.5 * (way - TURNS)), (100 + 0.8 * i, 100.0)])
        one = MERGED[0] <= i < MERGED[1]
        table = scene.features([pair.mean(0)] if one else pair, 200.0 if one else 100.0, 0.02)
        table["xx"] = table["yy"] = WIDTH**2
        tables.append(table)
        paths.append(pair)
    rows = scene.run(make_tracker("blob", {}, SHAPE, 1000.0), tables)
    return rows[(rows["frame"] >= MERGED[0]) & (rows["frame"] < MERGED[1])], paths


def test_two_that_pass_are_tracked(scene):
    rows, paths = met(scene, turned=False)
    assert (rows["state"] == State.TRACKED).all()
    for row in rows:
        assert np.hypot(*(paths[row["frame"]] - (row["x"], row["y"])).T).min() < 0.1


def test_where_two_are_of_which_one_turned_is_a_guess(scene):
    """Their common centre is not where it was expected, and either may have turned."""
    rows, paths = met(scene, turned=True)
    wrong = [np.hypot(*(paths[row["frame"]] - (row["x"], row["y"])).T).min() for row in rows]
    tracked = rows["state"] == State.TRACKED
    assert max(wrong) > 1
    assert max(np.array(wrong)[tracked]) < 0.8
    assert (rows["state"][~tracked] == State.PREDICTED).all()
    assert tracked[rows["frame"] < TURNS].all()


def test_a_heavy_detection_where_one_is_is_that_one(scene):
    """The other one, beside it, is not seen."""
    tables = []
    for i in range(30):
        pair = np.array([(100.0 + i, 100.0), (100.0 + i, 104.0)])
        heavy = i == 20
        table = scene.features(pair[:1] if heavy else pair, 180.0 if heavy else 100.0, 0.02)
        table["xx"] = table["yy"] = WIDTH**2
        tables.append(table)
    rows = scene.run(make_tracker("blob", {}, SHAPE, 1000.0), tables)
    (one,) = rows[(rows["frame"] == 20) & (rows["state"] == State.TRACKED)]
    assert (one["x"], one["y"]) == pytest.approx((120, 100), abs=0.02)
    assert (rows["state"][rows["frame"] == 20] == State.PREDICTED).sum() == 1
