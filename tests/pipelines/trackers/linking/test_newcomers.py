"""What comes back and what is something else: detections that are nobody's near things that left."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.executors import natives
from kernels.host import loops
from pipelines.features import State
from pipelines.trackers.base import make_tracker
from pipelines.trackers.linking.newcomers import LEAVES, RETURNS, STARTS, Newcomers, against, doubted, rarity, starts

SHAPE = (300, 300)
FRAMES, GONE = 70, 40


@pytest.fixture(params=(True, False), ids=("compiled", "numpy"))
def compiled(request):
    loops.provide(natives.load if request.param else None)
    yield request.param
    loops.provide(natives.load)


def paths(rng, things):
    """(FRAMES, things, 2): they start along a lattice and wander, no two near each other."""
    start = np.stack(np.meshgrid(np.arange(6), np.arange(6)), -1).reshape(-1, 2)[:things] * 46.0 + 35
    return start + np.cumsum(rng.normal(0, 0.5, (FRAMES, things, 2)), axis=0)


def clip(scene, rng, path, hidden, false):
    """Tables of features, with `false` a frame that are nobody's, wherever; `hidden`: (FRAMES, things)."""
    tables = []
    for k in range(FRAMES):
        there = path[k][~hidden[k]]
        nobody = rng.uniform(0, 300, (rng.poisson(false) if k else 0, 2))
        seen = np.concatenate((there + rng.normal(0, 0.1, there.shape), nobody))
        tables.append(scene.features(seen, 100.0 * np.exp(rng.normal(0, 0.2, len(seen))), 0.1))
    return tables


def followed(scene, seed, false=25.0, gap=9, **params):
    """Half of 36 things are gone for good from frame GONE on, the others for `gap` frames. Of tracks that began in
    frame 0: their rows, whether the thing left for good, and how far each is off in x and y."""
    rng = np.random.default_rng(seed)
    path, hidden = paths(rng, 36), np.zeros((FRAMES, 36), bool)
    hidden[GONE:, ::2], hidden[GONE : GONE + gap, 1::2] = True, True
    tables = clip(scene, rng, path, hidden, false)
    rows = scene.run(make_tracker("blob", {"max_missed": 14, **params}, SHAPE, 1000.0), tables)
    first = rows[(rows["frame"] == 0)]
    thing = np.full(rows["track"].max() + 1, -1)
    thing[first["track"]] = np.hypot(path[0, :, 0] - first["x"][:, None], path[0, :, 1] - first["y"][:, None]).argmin(1)
    rows = rows[(thing[rows["track"]] >= 0) & (rows["state"] != State.LOST)]
    own = thing[rows["track"]]
    return rows, own % 2 == 0, rows["x"] - path[rows["frame"], own, 0], rows["y"] - path[rows["frame"], own, 1]


def counted(scene, seeds):
    """How many sightings after GONE were of nobody, by tracks of things that had left; how many things that came back
    were followed at the end."""
    wrong = kept = 0
    for seed in seeds:
        rows, left, dx, dy = followed(scene, seed, turn_memory=0)
        seen = rows["state"] == State.TRACKED
        wrong += int((seen & left & (rows["frame"] >= GONE)).sum())
        kept += int((seen & ~left & (rows["frame"] == FRAMES - 1) & (np.hypot(dx, dy) < 1.0)).sum())
    return wrong, kept


def test_what_left_takes_up_little_noise_and_what_comes_back_is_known(scene, compiled, monkeypatch):
    """With more detections that are nobody's than things."""
    wrong, kept = counted(scene, range(3))
    monkeypatch.setattr("pipelines.trackers.blob.rarity", lambda *_: 0.0)  # nothing speaks against a detection
    before, known = counted(scene, range(3))
    assert before > 40
    assert wrong < 0.5 * before
    assert kept >= known - 1
    assert kept > 0.8 * 3 * 18


@pytest.mark.parametrize("memory", [0, 3])  # some filters start anew and forget what was before, but not the doubt
def test_sigma_knows_that_a_sighting_may_have_been_of_something_else(scene, compiled, memory, monkeypatch):
    """Of guesses after sightings after a gap, whoever these were of."""

    def variance():
        z = []
        for seed in range(8):
            rows, _, dx, dy = followed(scene, seed, turn_memory=memory)
            late = rows["frame"] > GONE + 1
            again = np.unique(rows["track"][late & (rows["state"] == State.TRACKED)])
            for track in again:
                mine = rows["track"] == track
                first = rows["frame"][mine & late & (rows["state"] == State.TRACKED)].min()
                hid = mine & (rows["state"] == State.PREDICTED) & (rows["frame"] > first)
                z += [*(dx[hid] / rows["sigma"][hid]), *(dy[hid] / rows["sigma"][hid])]
        return float(np.square(z).mean()), len(z)

    told, count = variance()
    assert count > 200
    assert 0.4 < told < 1.6
    if not compiled:
        monkeypatch.setattr("pipelines.trackers.linking.stages.doubted", lambda odds, *_: 0.0 * odds)
        assert variance()[0] > 3.0


def test_what_speaks_for_and_against():
    strange = 2.0 * rarity(300.0, 200.0)
    np.testing.assert_allclose(strange, 2 * np.pi * 2.0 / (RETURNS * 6e4))
    nearer = against(strange, np.full(3, 4.0), np.array([0.0, 1.0, 9.0]), np.zeros(3))
    np.testing.assert_allclose(nearer, strange * 4.0 * (1 + np.array([0, 1, 9]) / 5) ** 4)
    assert against(strange, np.array(4.0), np.array(1.0), np.array(4.0)) > nearer[1]
    # A sighting that is surely nobody's tells nothing: the place is off by the way to it, and as unsure as it was.
    np.testing.assert_allclose(doubted(np.array([0.0, LEAVES, 1e12]), np.array(4.0), np.array(6.0)), [0.0, 3.5, 7.0])


def test_what_is_rarer_than_a_start():
    """As many newcomers as come into its disc while it goes unseen, against starts; of any scale where more do."""
    density, most = STARTS / LEAVES / (np.pi * 8.0**2), np.array([7.9, 8.0, 8.1])

    def far(share):
        return starts(share * density * 6e4 * rarity(300.0, 200.0), most)

    assert far(0.99).tolist() == [7.9, 8.0, 8.0 / np.sqrt(8.0 * 0.99)]
    np.testing.assert_allclose(far(1.1), 8.0 / np.sqrt(8.8))  # whatever else might be
    np.testing.assert_allclose(far(100.0), 8.0 / np.sqrt(800.0))
    assert starts(0.0, most).tolist() == most.tolist()


@pytest.mark.parametrize(
    ("leap", "strangers", "memory", "follows"),
    [(8.0, 0, 3, True), (11.5, 0, 3, True), (12.5, 0, 3, False), (8.0, 40, 3, False), (8.0, 0, 0, False)],
)
def test_who_starts_out_of_rest_is_followed_unless_strangers_are_about(
    scene, compiled, leap, strangers, memory, follows
):
    """Farther than its own steps were, as far as anything moves."""
    rng, tables = np.random.default_rng(3), []
    for k in range(40):
        place = np.array([[150.0 + leap * (k >= 30), 150.0]]) + rng.normal(0, 0.1, (1, 2))
        other = rng.uniform(20, 280, (strangers, 2))
        other = other[np.abs(other - 150.0).max(axis=1) > 40.0]
        tables.append({"features": scene.features(np.concatenate((place, other)))})
    tracker = make_tracker("blob", {"max_speed": 12.0, "turn_memory": memory}, SHAPE, 1000.0)
    rows = np.concatenate(tracker.update_batch(range(40), [k / 1000 for k in range(40)], tables))
    near = rows[(np.abs(rows["y"] - 150.0) < 5.0) & (np.abs(rows["x"] - 155.0) < 20.0)]
    (own,) = np.unique(near["track"][near["frame"] < 30])
    seen = near[(near["frame"] >= 30) & (near["state"] == State.TRACKED) & (near["track"] == own)]
    assert len(seen) == (10 if follows else 0)


def test_newcomers_are_counted_but_for_those_of_the_first_frame(scene, compiled):
    counts, tables = (50, 3, 0, 2, 5), []
    tracker = make_tracker("blob", {}, SHAPE, 1000.0)
    for k, count in enumerate(counts):
        places = np.stack((20.0 + 5.0 * np.arange(count), np.full(count, 30.0 + 50 * k)), 1)  # nobody's gate reaches
        tables.append({"features": scene.features(places)})
    tracker.update_batch(range(5), [k / 1000 for k in range(5)], tables)
    np.testing.assert_allclose(tracker.newcomers.mean, (3 + 0 + 2 + 5) / 5)
    saved = tracker.snapshot()
    again = make_tracker("blob", {}, SHAPE, 1000.0)
    again.restore(saved)
    assert again.newcomers.kept == tracker.newcomers.kept
    again.restore({name: value for name, value in saved.items() if name not in ("newcomers", "column.doubt")})
    assert again.newcomers.mean == 0.0
    assert not again.t["doubt"].any()
    many = Newcomers()
    for k in range(1000):
        many.book(8 if k > 500 else 2)
    assert 7.8 < many.mean < 8.0


@pytest.mark.parametrize(("leap", "follows"), [(6.0, True), (9.0, False)])
def test_a_start_is_followed_as_far_as_strangers_are_rarer_there(scene, compiled, leap, follows):
    """Where anything may be 60 px off by the next frame, one stranger in ten frames could be it; near by it is not."""
    rng, tables = np.random.default_rng(4), []
    for k in range(40):
        place = np.array([[150.0 + leap * (k >= 30), 150.0]]) + rng.normal(0, 0.1, (1, 2))
        other = rng.uniform(20, 100, (1 if k % 10 == 5 else 0, 2))
        tables.append({"features": scene.features(np.concatenate((place, other)))})
    tracker = make_tracker("blob", {"max_speed": 60.0, "acceleration": 0.2}, SHAPE, 1000.0)
    rows = np.concatenate(tracker.update_batch(range(40), [k / 1000 for k in range(40)], tables))
    near = rows[(rows["y"] > 110.0) & (rows["state"] == State.TRACKED)]
    assert len(np.unique(near["track"])) == (1 if follows else 2)
