"""What an edge hides in part, and what turns while nobody sees it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from pipelines.features import State
from pipelines.trackers.base import make_tracker
from pipelines.trackers.columns import Columns

SHAPE = (256, 256)
WIDTH = 1.5


def covered(scene, x, edge, y=90.0, turned=False):
    """The feature of a Gaussian spot of which an edge covers what lies right of it; or below, left of a diagonal."""
    u = (x - edge) / WIDTH  # moments of the truncated normal distribution
    left = special.ndtr(-u)
    pull = np.exp(-u * u / 2) / np.sqrt(2 * np.pi) / left
    moment = WIDTH**2 * (1 + u * pull - pull * pull)
    axis = np.sqrt(0.5) * np.ones(2) if turned else np.array([1.0, 0.0])
    table = scene.features([np.array([x, y]) - axis * pull * WIDTH], 100.0 * left, 0.03)
    table["xx"], table["yy"] = WIDTH**2 - axis**2 * (WIDTH**2 - moment)
    table["xy"] = -axis[0] * axis[1] * (WIDTH**2 - moment)
    table["stretch"], table["lean"] = (table["xx"] - table["yy"]) / 2, table["xy"]
    return table


@pytest.mark.parametrize("speed", [0.3, 0.8])
def test_the_centre_of_what_goes_behind_an_edge_is_put_back(scene, speed):
    x = 60 + speed * np.arange(int(50 / speed))
    edge = x[-1] - 0.5
    rows = scene.run(make_tracker("blob", {}, SHAPE, 1000.0), [covered(scene, one, edge) for one in x])
    seen = rows[rows["state"] == State.TRACKED]
    half = x[seen["frame"]] > edge - WIDTH
    error = seen["x"] - x[seen["frame"]]
    assert np.abs(error[half]).max() < 0.45  # of centres that are up to 1.3 px off
    assert np.abs(error[half] / (seen["sigma"] * np.sqrt(1 + seen["anisotropy"]))[half]).mean() < 1.8
    assert seen["vx"][-1] == pytest.approx(1000 * speed, rel=0.15)
    assert (seen["anisotropy"][half][1:] > 0.3).all()  # along x it is less sure than along y
    assert np.abs(seen["y"] - 90).max() < 0.1


def test_the_ellipse_lies_along_the_normal_of_the_edge(scene):
    tables = [covered(scene, 90.0, edge, turned=True) for edge in np.linspace(110, 90, 60)]
    rows = scene.run(make_tracker("blob", {}, SHAPE, 1000.0), tables)
    assert rows["correlation"][-1] > 0.3
    assert abs(rows["anisotropy"][-1]) < 0.1


def walk(scene, hidden):
    """Rows of two things, one of which turns round while it is hidden in frames `hidden`; the other only goes on."""
    i = np.arange(80)
    x = 60 + 0.8 * np.minimum(i, 80 - i)
    tables = [scene.features([(30.0, 200.0 - k), *([(x[k], 90.0 + 0.3 * k)] if k not in hidden else [])], sigma=0.03)
              for k in i]  # fmt: skip
    return scene.run(make_tracker("blob", {}, SHAPE, 1000.0), tables)


def test_what_turns_while_nobody_sees_it_keeps_its_track(scene):
    rows = walk(scene, range(30, 52))
    believed = rows[rows["state"] == State.TRACKED]
    assert np.unique(believed["track"]).tolist() == [0, 1]
    after = believed[(believed["frame"] >= 54) & (believed["track"] == 0)]
    assert len(after) == 26
    assert after["vx"] == pytest.approx(-800, abs=60)
    pair, count = np.unique(rows[["frame", "track"]], return_counts=True)
    assert (count == 1).all()
    assert len(pair[pair["track"] > 1]) == 2  # rows of the track that was not believed yet
    assert rows["state"][rows["track"] > 1].tolist() == [State.TENTATIVE] * 2


def test_a_snapshot_of_an_earlier_linker_goes_on(scene):
    """It lacks columns, and the last of what is kept of all things."""
    tracker = make_tracker("blob", {}, SHAPE, 1000.0)
    scene.run(tracker, [scene.features([(50 + i, 60)]) for i in range(10)])
    state = tracker.snapshot()
    old = {name: value for name, value in state.items() if name not in ("column.doubt2", "column.axis_x")}
    old["population"] = state["population"][:-1]
    again = make_tracker("blob", {}, SHAPE, 1000.0)
    again.restore(old)
    assert isinstance(again.association.tracks, Columns)
    assert again.association.population.light == tracker.association.population.light
