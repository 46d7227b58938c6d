"""What becomes of things that drop out of sight: held, carried on or ended, but never mistaken for another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.evaluation import evaluate
from pipelines.features import State
from pipelines.trackers.base import confirmed, make_tracker
from pipelines.trackers.columns import Columns
from pipelines.trackers.kalman import KALMAN_COLUMNS
from pipelines.trackers.linking.unseen import PLACES, UNSEEN_COLUMNS, forget, hold, remember, top_speed

SHAPE = (256, 256)


def bridged(rows):
    """(track, frames missed, px from the last place to the next) of every gap of the believed tracks."""
    gaps = []
    for track in np.unique(confirmed(rows)["track"]):
        seen = rows[(rows["track"] == track) & (rows["state"] <= State.TRACKED)]
        for k in np.flatnonzero(np.diff(seen["frame"]) > 1):
            a, b = seen[k], seen[k + 1]
            gaps.append((track, b["frame"] - a["frame"] - 1, np.hypot(b["x"] - a["x"], b["y"] - a["y"])))
    return np.array(gaps)


def lattice(rng, frames, step, pitch=20, out=0.1):
    """Particles on a grid that wander by `step` px a frame and drop out for 1 to 12 frames; (paths, seen)."""
    x, y = np.meshgrid(np.arange(20, 240, pitch), np.arange(20, 240, pitch))
    start = np.stack((x.ravel(), y.ravel()), 1).astype(float)
    paths = start + np.cumsum(rng.normal(0, step, (frames, *start.shape)), 0)
    seen = np.ones(paths.shape[:2], bool)
    for thing in range(len(start)):
        for at in np.flatnonzero(rng.random(frames) < out / 6):
            seen[at : at + rng.integers(1, 13), thing] = False
    return paths, seen


@pytest.mark.parametrize("step", [0.1, 0.5])
def test_wandering_particles_that_drop_out_take_nobody_elses_place(scene, step):
    rng = np.random.default_rng(7)
    paths, seen = lattice(rng, 120, step, 20 if step < 0.3 else 40)
    tables = [scene.features(p[s] + rng.normal(0, 0.05, (s.sum(), 2)), 100.0, 0.05)
              for p, s in zip(paths, seen, strict=True)]  # fmt: skip
    rows = scene.run(make_tracker("blob", {"max_missed": 40}, SHAPE, 1000.0), tables)
    gaps = bridged(rows)
    assert len(gaps) > 40
    # A walk of 13 steps: no farther than 5 of its standard deviations, far from the neighbours.
    assert gaps[:, 2].max() < 5 * max(step, 0.1) * np.sqrt(2 * 13)
    score = evaluate(confirmed(rows), scene.truth(paths, seen))
    assert score.id_switches == 0
    assert score.recall > 0.97
    hidden = rows[rows["state"] == State.PREDICTED]
    truth = paths[hidden["frame"]]
    off = np.hypot(hidden["x"][:, None] - truth[..., 0], hidden["y"][:, None] - truth[..., 1]).min(axis=1)
    assert np.mean((off / hidden["sigma"]) ** 2) < 4.0  # 2 if sigma were exact
    assert off.max() < 8 * max(step, 0.1) * np.sqrt(12)


def test_a_marker_under_a_lid_is_waited_for_where_it_was(scene):
    rng = np.random.default_rng(3)
    still = np.full((120, 2), 80.0) + rng.normal(0, 0.05, (120, 2))
    # The lid pushes what is left of it down before it is gone.
    still[37:40, 1] += (0.3, 0.7, 1.1)
    tables = [scene.features([] if 40 <= i < 85 else [p], 100.0, 0.05) for i, p in enumerate(still)]
    rows = scene.run(make_tracker("blob", {"max_missed": 200}, SHAPE, 1000.0), tables)
    assert np.unique(rows["track"]).tolist() == [0]
    dark = rows[rows["state"] == State.PREDICTED]
    assert dark["frame"].tolist() == list(range(40, 85))
    assert np.hypot(dark["x"] - 80, dark["y"] - 80).max() < 2.5
    assert dark["sigma"].max() < 8
    assert np.hypot(rows["x"][-1] - 80, rows["y"][-1] - 80) < 0.3


def test_another_thing_near_by_is_not_taken_for_the_lost_one(scene):
    rng = np.random.default_rng(4)
    for away, mass, same in ((3.0, 100.0, True), (4.0, 30.0, False), (14.0, 100.0, False), (0.5, 30.0, True)):
        one = np.array([60.0, 60.0]) + rng.normal(0, 0.2, (20, 2))
        tables = [scene.features([p], 100.0, 0.1) for p in one] + [scene.features([])] * 5
        tables += [scene.features([(60 + away, 60)], mass, 0.1)] * 5
        rows = confirmed(scene.run(make_tracker("blob", {}, SHAPE, 1000.0), tables))
        assert len(np.unique(rows["track"])) == (1 if same else 2), (away, mass)


def test_a_flight_is_carried_on_for_as_long_as_it_was_seen_and_no_longer(scene):
    path = np.stack((20 + 3.0 * np.arange(60), np.full(60, 60.0)), 1)
    tables = [scene.features([p] if i < 9 else []) for i, p in enumerate(path)]
    rows = scene.run(make_tracker("blob", {"max_missed": 40}, SHAPE, 1000.0), tables)
    dark = rows[rows["state"] == State.PREDICTED]
    np.testing.assert_allclose(dark["x"][:8], path[9:17, 0], atol=0.3)
    assert dark["x"].max() < path[17, 0]
    assert (np.diff(dark["sigma"]) > 0).all()
    assert dark["sigma"][20] > 10  # it may have gone on


@pytest.mark.parametrize("share", [0.5, 0.8])
def test_what_is_partly_hidden_says_so(scene, share):
    rng = np.random.default_rng(5)
    tables = []
    for i in range(90):
        hidden = share * np.clip(min(i - 36, 64 - i) / 6, 0, 1)
        table = scene.features([(80 + 1.2 * hidden * 3.0, 60)], 100 * (1 - hidden) * np.exp(rng.normal(0, 0.03)), 0.05)
        table["xx"] = table["yy"] = 9.0
        tables.append(table)
    rows = scene.run(make_tracker("blob", {}, SHAPE, 1000.0), tables)
    assert np.unique(rows["track"]).tolist() == [0]
    off, sigma = np.abs(rows["x"] - 80), rows["sigma"]
    assert (off[40:60] < 2.5 * sigma[40:60]).all()
    assert sigma[5:37].max() < 0.06  # flicker alone costs nothing
    assert sigma[68:].max() < 0.06


def test_things_that_flicker_are_not_hidden_ones(scene):
    tables = []
    for i in range(100):
        table = scene.features([(80, 60)], 100 * (1 + 0.5 * np.sin(0.7 * i)), 0.05)
        table["xx"] = table["yy"] = 9.0
        tables.append(table)
    rows = scene.run(make_tracker("blob", {}, SHAPE, 1000.0), tables)
    assert np.median(rows["sigma"][20:]) < 0.06


def seen_along(paths, times=None):
    """Columns of things seen at `paths` (frames, things, 2), one a frame."""
    t = Columns(KALMAN_COLUMNS | UNSEEN_COLUMNS)
    t.append(paths.shape[1], p00=0.01)
    rows = np.arange(paths.shape[1])
    for i, place in enumerate(paths):
        t["age"] = float(i if times is None else times[i])
        t["x"], t["y"] = place[:, 0], place[:, 1]
        remember(t, rows)
    return t


def gone(t, gap):
    rows = np.arange(len(t))
    t["gap"] = gap
    hold(t, rows, 0.1, 12.0)
    return t


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.floats(0.5, 60.0))
def test_the_place_lies_along_the_past_and_never_beyond_it(seed, count, gap):
    rng = np.random.default_rng(seed)
    paths = np.cumsum(rng.normal(0, 1, (count, 6, 2)) + rng.normal(0, 2, (6, 2)), 0)
    t = gone(seen_along(paths), gap)
    moved = np.hypot(t["x"] - paths[-1, :, 0], t["y"] - paths[-1, :, 1])
    past = paths[-PLACES:]
    length = np.hypot(*np.moveaxis(np.diff(past, axis=0), 2, 0)).sum(0) if count > 1 else np.zeros(6)
    assert (moved <= 2 * length + 1e-9).all()
    assert (t["p00"] * t["p11"] >= t["p01"] ** 2).all()
    assert (t["p00"] >= 0.01).all()


def test_a_straight_path_is_carried_on_and_one_that_turns_back_is_held():
    i = np.arange(17.0)
    paths = np.stack((np.stack((2 * i, i), 1), np.stack((8 - np.abs(8 - i), 0 * i), 1)), 1)
    t = gone(seen_along(paths), 6.0)
    np.testing.assert_allclose((t["x"][0], t["y"][0]), (32 + 12, 16 + 6), rtol=0.03)
    np.testing.assert_allclose((t["x"][1], t["y"][1]), paths[-1, 1], atol=1e-12)
    assert t["p00"][1] > 4 * t["p00"][0]


def test_gaps_among_the_sightings_count_as_time():
    times = np.cumsum([0, 1, 1, 3, 1, 2, 1, 1, 4, 1])
    paths = np.stack((1.5 * times, 0.0 * times), 1)[:, None]
    t = gone(seen_along(paths, times), 4.0)
    np.testing.assert_allclose(t["x"][0], 1.5 * (times[-1] + 4), rtol=0.02)


def test_one_wrong_link_does_not_make_a_thing_fast():
    path = np.zeros((20, 1, 2))
    path[:, 0, 0] = 0.2 * np.arange(20)
    path[12:, 0, 0] += 60
    t = seen_along(path)
    np.testing.assert_allclose(top_speed(t, np.array([0]), 12.0), 0.2)
    assert top_speed(seen_along(path[:2]), np.array([0]), 12.0).tolist() == [12.0]
    forget(t, np.array([0]))
    assert t["places"].tolist() == [1]
    assert t["hx"][0, 0] == path[-1, 0, 0]


@pytest.mark.parametrize(("change", "least"), [(0.02, 0.08), (0.1, 0.3)])
def test_what_is_said_of_a_flight_out_of_sight_is_near_what_is_true(scene, change, least):
    """The gate allows for any thing's acceleration; sigma is that of a thing that has been seen to fly steadily."""
    rng, frames, things = np.random.default_rng(11), 60, 60
    velocity = rng.normal(0, 1.5, (things, 2)) + np.cumsum(rng.normal(0, change, (frames, things, 2)), 0)
    grid = 200.0 * np.stack(np.meshgrid(np.arange(10), np.arange(6)), -1).reshape(-1, 2) + 150.0
    paths = grid + np.cumsum(velocity, 0)
    out = rng.integers(25, 45, things)
    z2 = []
    tables = []
    for k in range(frames):
        seen = (k < out) | (k >= out + 8)
        tables.append(scene.features(paths[k][seen] + rng.normal(0, 0.05, (seen.sum(), 2)), sigma=0.05))
    rows = scene.run(make_tracker("blob", {}, (1400, 2200), 1000.0), tables)
    rows = rows[rows["state"] == State.PREDICTED]
    assert len(rows) > 400
    for row in rows:
        away = paths[row["frame"]] - (row["x"], row["y"])
        z2.append((away**2).sum(1).min() / 2 / float(row["sigma"]) ** 2)
    assert least < np.mean(z2) < 1.2  # 0.03 and 0.16 with what the gate allows
