"""Near the picture's border, and beyond it: sigma of a guess allows for nothing having been seen there."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernels.executors import natives
from kernels.host import loops
from pipelines.features import Reason, State
from pipelines.trackers.base import make_tracker
from pipelines.trackers.columns import Columns
from pipelines.trackers.linking.border import beyond, extent
from pipelines.trackers.linking.columns import BLOB_COLUMNS
from pipelines.trackers.linking.link_loops import OUTSIDE
from pipelines.trackers.linking.newcomers import LEAVES

RIGHT, BOTTOM, LEAVE = 399.0, 299.0, 32.0
SIDE = RIGHT + OUTSIDE
ANGLES = (np.arange(4000) + 0.5) / 4000 * np.pi - np.pi / 2
"""Student's t of four degrees of freedom is 2 tan of angles with the density 3/4 cos^3; of unit variance sqrt 2 tan."""
WEIGHTS, DRAWN = 0.75 * np.cos(ANGLES) ** 3 * np.pi / 4000, np.sqrt(2.0) * np.tan(ANGLES)


def said(x, y, variance, dif=0.0, leave=1e9, reach=1e6, missed=LEAVES):
    """Variances of x and of y that rows at such places state; unless told, of what never turns."""
    x, y, variance, dif = np.broadcast_arrays(*(np.atleast_1d(one).astype(float) for one in (x, y, variance, dif)))
    t = Columns(BLOB_COLUMNS)
    # What the filter says is half of it.
    t.append(len(x), x=x, y=y, p00=0.5 * variance, bias=0.5 * variance, d00=0.5 * dif)
    beyond(t, np.arange(len(x)), RIGHT, BOTTOM, leave, reach, missed)
    assert_allclose(t["p00"], 0.5 * variance)
    both, share = t["p00"] + t["bias"], t["d00"] / t["p00"]
    return both * (1.0 + share), both * (1.0 - share)


@pytest.mark.parametrize("missed", [LEAVES, 0.3, 1.0])
@pytest.mark.parametrize("away", [-6.0, -2.0, -0.5, 0.0, 0.4, 3.0, 15.0])
def test_what_is_not_seen_is_where_it_would_not_be(away, missed):
    """The second moment about the guess of a population of which those inside are mostly seen."""
    for at, sign in ((-OUTSIDE, -1.0), (SIDE, 1.0)):
        places = at - sign * away + 1.5 * DRAWN
        unseen = WEIGHTS * np.where(sign * (places - at) > 0, 1.0, missed)
        wanted = (unseen * (1.5 * DRAWN) ** 2).sum() / unseen.sum()
        x, y = said(at - sign * away, 150.0, 2.25, missed=missed)
        assert_allclose(x, wanted, rtol=2e-3)
        assert_allclose(y, 2.25, rtol=1e-2)  # far from the others


def test_in_a_corner_one_border_explains_what_the_other_need_not():
    x, y = 3.0 - OUTSIDE, -2.0 - OUTSIDE
    px, py = np.meshgrid(x + 2.0 * DRAWN[::4], y + 1.0 * DRAWN[::4])
    weights = WEIGHTS[::4] * WEIGHTS[::4, None] * np.where((px < -OUTSIDE) | (py < -OUTSIDE), 1.0, LEAVES)
    wanted = [(weights * (p - at) ** 2).sum() / weights.sum() for p, at in ((px, x), (py, y))]
    found = said(x, y, 2.5, 1.5)
    assert_allclose([one[0] for one in found], wanted, rtol=1e-2)
    alone = said(x, 150.0, 2.5, 1.5)[0][0]
    assert wanted[0] < 4.5 < alone / 2


@pytest.mark.parametrize("way", [1.0, 3.0, 6.0, 12.0, 25.0])
def test_outside_it_has_gone_on_or_turned_round_anywhere(way):
    """Things that fly out as fast as is foretold, and turn at places that are drawn: those that are the picture's
    still, and of those that are back the few that nobody sees."""
    reach = 3.2
    rng = np.random.default_rng(3)
    turn = rng.uniform(0, LEAVE, 1_000_000)
    place = np.where(turn < way, 2.0 * turn - way, way)
    place = place[(place < reach) & ((place > 0) | (rng.random(len(place)) < LEAVES))]
    x, _ = said(SIDE + way, 150.0, 1e-6, 0.0, LEAVE, reach)
    assert_allclose(x, np.mean((place - way) ** 2), rtol=0.02)


def test_widths_say_how_far_the_picture_reaches():
    assert extent(4.0, LEAVE) == pytest.approx(6.0 - OUTSIDE)
    assert extent(0.01, LEAVE) == 0.0
    assert extent(0.0, LEAVE) == LEAVE  # nobody knows
    assert said(SIDE + 10.0, 150.0, 1.0, 0.0, LEAVE, 0.0)[0] == pytest.approx(7 * 10.0**2 / 3, rel=0.1)  # all are back


@pytest.fixture(params=(True, False), ids=("compiled", "numpy"))
def compiled(request):
    loops.provide(natives.load if request.param else None)
    yield
    loops.provide(natives.load)


@pytest.mark.parametrize("seed", [21, 22])
@pytest.mark.usefixtures("compiled")
def test_what_is_said_beyond_the_border_is_true(scene, seed):
    """Flights out of the picture, of which some turn round: (guess - truth) / sigma across the border and along it."""
    rng, frames, things, width, noise = np.random.default_rng(seed), 50, 300, 1.6, 0.1
    lanes = 24.0 + 12.0 * np.arange(things)
    speed, out, turn = rng.uniform(1, 3, things), rng.uniform(22, 34, things), rng.uniform(0, LEAVE, things)
    straight = speed * (np.arange(frames)[:, None] - out)
    away = turn - np.abs(straight - turn)  # px beyond where things are seen
    paths = np.stack((SIDE + away, np.broadcast_to(lanes, away.shape)), -1)
    tables = []
    for k in range(frames):
        seen = away[k] < 0
        found = paths[k][seen] + rng.normal(0, noise, (seen.sum(), 2))
        table = scene.features(found[found[:, 0] <= SIDE], sigma=noise)
        table["xx"] = table["yy"] = width**2
        tables.append(table)
    rows = scene.run(make_tracker("blob", {"max_missed": 20}, (3700, 400), 1000.0), tables)
    rows = rows[(rows["state"] == State.PREDICTED) & (rows["reason"] == Reason.LEFT_IMAGE)]
    lane = np.rint((rows["y"] - lanes[0]) / 12.0).astype(int)
    place = away[rows["frame"], lane]
    # The truth of the picture's things. All that are back are seen here, where sigma allows for a few that are not.
    there = (place > 0) & (place < 3.0 * width - OUTSIDE)
    rows, truth = rows[there], paths[rows["frame"], lane][there]
    x, y = ((rows[name] - truth[:, k]) ** 2 / (rows["sigma"] ** 2 * (1 + s * rows["anisotropy"]))
            for k, (name, s) in enumerate((("x", 1), ("y", -1))))  # fmt: skip
    far = rows["x"] > SIDE + 3.0 * width
    assert far.sum() > 150
    assert (~far).sum() > 400
    assert 0.65 < x[far].mean() < 1.15
    assert 0.65 < x[~far].mean() < 1.15
    assert 0.6 < y.mean() < 1.2
