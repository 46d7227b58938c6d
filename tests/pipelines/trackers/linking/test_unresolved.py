"""Two things that were never seen apart: what is longer than usual has a sigma that allows for it."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.executors import natives
from kernels.host import loops
from pipelines.features import FEATURE_DTYPE, State
from pipelines.trackers.base import make_tracker

SHAPE = (400, 400)
FRAMES, WIDTH, SIGMA = 12, 1.5, 0.02
APART = 2.4  # px: of two of equal light, each of which is 1.2 px off


@pytest.fixture(params=(True, False), ids=("compiled", "numpy"), autouse=True)
def compiled(request):
    loops.provide(natives.load if request.param else None)
    yield
    loops.provide(natives.load)


def clip(scene, longer, angle=0.0, velocity=(0.0, 0.0), seed=1):
    """Tables of round things on a lattice; the first of them are longer by the variances `longer` (px^2) in the
    direction `angle`; all move by `velocity`."""
    rng = np.random.default_rng(seed)
    start = np.stack(np.meshgrid(np.arange(10), np.arange(10)), -1).reshape(-1, 2) * 32.0 + 40
    more = np.zeros(len(start))
    more[: len(longer)] = longer
    c, s = np.cos(angle), np.sin(angle)
    tables = []
    for k in range(FRAMES):
        noise = np.sqrt(2) * WIDTH * SIGMA * rng.normal(0, 1, (3, len(start)))
        table = scene.features(start + k * np.array(velocity) + rng.normal(0, SIGMA, start.shape), 100.0, SIGMA)
        table["xx"] = WIDTH**2 + more * c * c + noise[0]
        table["yy"] = WIDTH**2 + more * s * s + noise[1]
        table["xy"] = more * c * s + 0.5 * noise[2]
        tables.append(table)
    return tables


def stated(scene, tables, **params):
    """Sigma of each thing in each frame, (frames, things): tracks are numbered as the things are."""
    for table in tables:
        table["stretch"], table["lean"] = 0.5 * (table["xx"] - table["yy"]), table["xy"]
    rows = scene.run(make_tracker("blob", {"max_speed": 12.0, **params}, SHAPE, 1000.0), tables)
    assert len(rows) == FRAMES * len(tables[0])
    return rows["sigma"][np.lexsort((rows["track"], rows["frame"]))].reshape(FRAMES, -1)


def order(scene):
    """Of the first table by rising y, as tracks are numbered."""
    table = clip(scene, ())[0]
    return np.lexsort((table["x"], table["y"]))


@pytest.mark.parametrize("angle", [0.0, 0.6, np.pi / 2])
def test_two_in_one_are_off_by_as_much_as_they_are_long(scene, angle):
    found = stated(scene, clip(scene, [APART**2 / 4], angle))
    without = stated(scene, clip(scene, []))
    double = int(np.flatnonzero(order(scene) == 0)[0])
    # From the first frame on. Each is 1.2 px off, the mean of both axes is half of its square.
    np.testing.assert_allclose(found[:, double], np.sqrt(APART**2 / 8), rtol=0.15)
    others = np.delete(np.arange(found.shape[1]), double)
    same = np.isclose(found[:, others], without[:, others], rtol=0, atol=1e-6)
    assert same.mean() > 0.995  # what seems long by chance counts by how many are long
    assert (without < 1.2 * SIGMA).mean() > 0.995


@pytest.mark.parametrize("share", [0.2, 1.0])
def test_long_things_are_not_two_where_many_are_long(scene, share):
    """Two of a hundred such things may lie over each other: 20 are rods."""
    found = stated(scene, clip(scene, [APART**2 / 4] * int(100 * share)))
    alone = stated(scene, clip(scene, [APART**2 / 4]))
    assert np.sqrt((found**2).mean(0)).max() < alone.max() / 1.5
    if share == 1.0:
        assert found.max() < 1.2 * SIGMA


def test_few_things_do_not_tell_what_is_usual(scene):
    tables = [table[[0, 55, 99]] for table in clip(scene, [APART**2 / 4 / 4])]
    assert stated(scene, tables).max() < 3 * SIGMA
    assert stated(scene, clip(scene, [APART**2 / 4 / 4])).max() > 10 * SIGMA


@pytest.mark.parametrize("share", [1.0, 0.3])
def test_what_motion_smears_is_not_two(scene, share):
    """3 px a frame make things longer by 0.75 px^2 along their way, if the shutter is always open, else by the same
    share of that for all if it is not."""
    speed = 3.0
    smeared = [share * speed**2 / 12] * 100
    along = stated(scene, clip(scene, smeared, 0.0, (speed, 0.0)), max_speed=20.0)
    assert along[4:8].max() < 1.2 * SIGMA  # once velocities are known, and how long the shutter is open
    tables = clip(scene, smeared, 0.0, (speed, 0.0))
    for table in tables:
        table["yy"][0] += APART**2 / 4
    double = int(np.flatnonzero(order(scene) == 0)[0])
    assert stated(scene, tables, max_speed=20.0)[4:8, double].min() > 0.7


def test_no_length_is_too_much_to_be_usual(scene):
    """Features of one's own may state any moments: what all have is as long as is usual."""
    assert stated(scene, clip(scene, [1e30] * 100)).max() < 1.2 * SIGMA


def test_a_long_frame_is_no_pair(scene):
    """Of a track's many sightings one is long: something passed, or noise. Its own past says that it is not usual."""
    tables = clip(scene, [])
    tables[8]["xx"][0] += 0.13
    this = int(np.flatnonzero(order(scene) == 0)[0])
    assert stated(scene, tables)[8, this] < 1.2 * SIGMA
    for table in tables:
        table["xx"][0] += 0.13
    tables[8]["xx"][0] -= 0.13
    found = stated(scene, tables)[:, this]
    assert found[0] < 1.2 * SIGMA  # one such sighting is usual, in the same direction it is not
    assert found[7] > 0.1


def test_a_pair_that_turns_is_seen_by_what_it_is_now(scene):
    """The mean of its shapes is round."""
    tables = clip(scene, [])
    for k, table in enumerate(tables):
        table["xx"][0] += 0.8 * (k % 2)
        table["yy"][0] += 0.8 * (1 - k % 2)
    double = int(np.flatnonzero(order(scene) == 0)[0])
    np.testing.assert_allclose(stated(scene, tables)[4:, double], np.sqrt(0.4), rtol=0.1)


def test_a_snapshot_goes_on_with_what_is_usual(scene):
    tables = clip(scene, [0.2])
    for table in tables:
        table["stretch"], table["lean"] = 0.5 * (table["xx"] - table["yy"]), table["xy"]
    whole = scene.run(make_tracker("blob", {}, SHAPE, 1000.0), tables)
    first, second = make_tracker("blob", {}, SHAPE, 1000.0), make_tracker("blob", {}, SHAPE, 1000.0)
    before = scene.run(first, tables[:5])
    second.restore(first.snapshot())
    np.testing.assert_array_equal(np.concatenate((before, scene.run(second, tables[5:], start=5))), whole)


def cut_bell(edge: float, across: float = 2.25, noise: float = 0.0) -> tuple[float, float, float]:
    """What is left of a bell below an edge: mass of 100, centre under weights as wide as it, and by how much more its
    second moment along y is than along x, halved and without the weights' effect, px^2."""
    y = np.linspace(-9.0, 9.0, 721)
    bell = np.exp(-(y**2) / (2 * across))
    left = bell / (1 + np.exp((y - edge) / 0.3))
    at = 0.0
    for _ in range(300):
        w = left * np.exp(-((y - at) ** 2) / (2 * across))
        at = float((w * y).sum() / w.sum())
    own = 1.0 / (1.0 / float((w * (y - at) ** 2).sum() / w.sum()) - 1.0 / across)
    return 100.0 * float(left.sum() / bell.sum()), at, 0.5 * (across - own)


@pytest.mark.parametrize("dims", [False, True])
def test_what_is_flattened_while_it_fades_is_hidden_in_part(dims: bool) -> None:
    """However slowly it fades, so that no step is an unusual one; what only fades is where it is seen."""
    random, tables, count = np.random.default_rng(3), [], 12
    x, y = 40.0 + 30.0 * np.arange(count), np.full(count, 40.0)
    angle = random.uniform(0, 2 * np.pi, count)  # all are long, and none for being two
    for k in range(70):
        mass, at, flat = cut_bell(6.0 if k < 30 else 6.0 - 0.2 * (k - 30))
        found = np.zeros(count, FEATURE_DTYPE)
        found["x"], found["y"] = np.stack((x, y)) + random.normal(0, 0.03, (2, count))
        found["mass"] = 100.0 * np.exp(random.normal(0, 0.05, count))
        found["area"], found["sigma"], found["xx"], found["yy"] = 14, 0.03, 2.25, 2.25
        found["stretch"], found["lean"] = 0.8 * np.stack((np.cos(angle), np.sin(angle)))
        found["stretch"] += random.normal(0, 2.0**0.5 * 1.5 * 0.03, count)
        found["mass"][0] *= 0.01 * mass
        if not dims:
            found["y"][0] += at
            found["stretch"][0] += flat
        tables.append({"features": found})
    tracker = make_tracker("blob", {"max_speed": 6.0, "centres": "gaussian"}, SHAPE, 1000.0)
    rows = np.concatenate(tracker.update_batch(range(70), [k / 1000 for k in range(70)], tables))
    rows = rows[(rows["x"] < 50) & (rows["frame"] >= 15)]
    assert (rows["state"] == State.TRACKED).all()
    assert len(rows) == 55
    assert np.median(rows["sigma"][rows["frame"] < 40]) < 0.04
    late = rows[rows["frame"] >= 58]  # from a half on
    if dims:
        assert late["sigma"].max() < 0.05
        return
    assert np.abs(late["y"] - 40.0).min() > 0.6
    assert (0.5 * ((late["y"] - 40.0) / late["sigma"]) ** 2).max() < 4
