"""What becomes of things that drop out of sight: held, carried on or ended, but never mistaken for another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.evaluation import evaluate
from pipelines.features import Reason, State
from pipelines.trackers.base import confirmed, make_tracker
from pipelines.trackers.columns import Columns
from pipelines.trackers.kalman import KALMAN_COLUMNS
from pipelines.trackers.linking.newcomers import LEAVES
from pipelines.trackers.linking.uneven import UNEVEN_COLUMNS
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
    for legs in (slice(0, 2), slice(2, 4), slice(4, None)):  # longer ones are more exact
        assert (np.diff(dark["sigma"][legs]) > 0).all()
    assert dark["sigma"][-1] > 50  # had it gone on
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


@pytest.mark.parametrize("share", [0.5, 0.7, 0.9])
def test_a_disc_behind_an_edge_is_as_far_off_as_its_sigma_says(scene, share):
    radius = 4.0
    u, v = np.meshgrid(*2 * [np.linspace(-radius, radius, 401)])
    u, v = u[u * u + v * v <= radius**2], v[u * u + v * v <= radius**2]
    tables = []
    for i in range(60):
        rest = u >= np.quantile(u, share * np.clip((i - 30) / 4, 0, 1))  # what the edge leaves of it
        table = scene.features([(80 + u[rest].mean(), 60)], 100 * rest.mean(), 0.05)
        table["xx"], table["yy"] = u[rest].var(), v[rest].var()
        tables.append(table)
    rows = scene.run(make_tracker("blob", {}, SHAPE, 1000.0), tables)
    assert np.unique(rows["track"]).tolist() == [0]
    square = ((rows["x"] - 80) ** 2 + (rows["y"] - 60) ** 2) / (2 * rows["sigma"] ** 2)
    assert 0.5 < square[34:44].mean() < 1.5


def test_things_that_flicker_are_not_hidden_ones(scene):
    tables = []
    for i in range(100):
        table = scene.features([(80, 60)], 100 * (1 + 0.5 * np.sin(0.7 * i)), 0.05)
        table["xx"] = table["yy"] = 9.0
        tables.append(table)
    rows = scene.run(make_tracker("blob", {}, SHAPE, 1000.0), tables)
    assert np.median(rows["sigma"][20:]) < 0.06


def test_chance_changes_of_a_mass_hide_next_to_nothing(scene):
    rng = np.random.default_rng(8)
    places = np.stack(np.meshgrid(np.arange(20, 240, 20), np.arange(20, 240, 20)), -1).reshape(-1, 2)
    tables = []
    for _ in range(60):
        table = scene.features(places, 100 * (1 + 0.08 * rng.normal(size=len(places))), 0.05)
        table["xx"] = table["yy"] = 4.0
        tables.append(table)
    rows = scene.run(make_tracker("blob", {}, SHAPE, 1000.0), tables)
    late = rows[rows["frame"] > 20]
    assert np.mean(late["sigma"] ** 2) < 2.5 * 0.05**2  # 3.4 if all of what may be chance were hidden


@pytest.mark.parametrize(("centres", "sure"), [("gaussian", True), ("moments", False)])
def test_what_the_edge_cuts_is_as_sure_as_its_centre_says_if_that_knows_the_edge(scene, centres, sure):
    tables = []
    for i in range(80):  # in, where half of it is seen at first, and out again
        x = 20 - abs(i - 40) * 0.5
        table = scene.features([(x, 60)], 100 * min(0.5 + 0.1 * x, 1.0), 0.05)
        table["xx"] = table["yy"] = 4.0
        tables.append(table)
    rows = scene.run(make_tracker("blob", {"centres": centres}, SHAPE, 1000.0), tables)
    assert len(rows) == 80
    assert (rows["sigma"].max() < 0.06) == sure


def seen_along(paths, times=None):
    """Columns of things seen at `paths` (frames, things, 2), one a frame."""
    t = Columns(KALMAN_COLUMNS | UNSEEN_COLUMNS | UNEVEN_COLUMNS)
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


def flights(kind, rng, frames, things):
    """Paths (frames, things, 2) that never meet."""
    velocity = np.broadcast_to(rng.normal(0, 1.5, (things, 2)), (frames, things, 2))
    grid = 200.0 * np.stack(np.meshgrid(np.arange(12), np.arange(things // 12)), -1).reshape(-1, 2) + 150.0
    time, phase = np.arange(frames)[:, None, None], rng.uniform(0, 6.28, (things, 2))
    if kind == "wavering":
        return grid + np.cumsum(velocity, 0) + 2.0 * np.sin(0.06 * time + phase)
    if kind == "circling":
        angle, radius = phase[:, 0] + 0.05 * np.arange(frames)[:, None], rng.uniform(10, 50, things)
        return grid + np.stack((radius * np.cos(angle), radius * np.sin(angle)), -1)
    if kind == "drifting":
        return grid + np.cumsum(velocity + np.cumsum(rng.normal(0, 0.05, (frames, things, 2)), 0), 0)
    if kind == "wandering":
        return grid + np.cumsum(rng.normal(0, 0.5, (frames, things, 2)), 0)
    return grid + np.cumsum(velocity, 0)


@pytest.mark.parametrize("seed", [11, 12])
@pytest.mark.parametrize(
    ("kind", "noise", "low", "high"),
    [
        ("straight", 0.2, 0.8, 1.2),
        ("wavering", 0.2, 0.8, 1.2),
        ("wavering", 0.05, 0.8, 1.2),
        ("circling", 0.05, 0.8, 1.2),
        ("drifting", 0.05, 0.8, 1.9),
        ("wandering", 0.05, 0.5, 1.5),
    ],
)
def test_what_is_said_of_things_out_of_sight_is_true(scene, kind, noise, low, high, seed):
    """Errors in units of sigma have about unit variance, whatever there is in sight and however noisy it is."""
    rng, frames, things = np.random.default_rng(seed), 60, 84
    paths = flights(kind, rng, frames, things)
    out, size = rng.integers(25, 45, things), (1650, 2600)
    tables = []
    for k in range(frames):
        seen = (k < out) | (k >= out + 9)
        tables.append(scene.features([*(paths[k][seen] + rng.normal(0, noise, (seen.sum(), 2)))], sigma=noise))
    rows = scene.run(make_tracker("blob", {}, size, 1000.0), tables)
    rows = rows[(rows["state"] == State.PREDICTED) & (rows["frame"] > 24)]
    assert len(rows) > 600
    away = np.stack((rows["x"], rows["y"]), 1)[:, None] - paths[rows["frame"]]
    z2 = (away**2).sum(2).min(1) / 2 / rows["sigma"].astype(float) ** 2
    assert low < z2.mean() < high
    # The axis that is said to be the surer one, too: of few changes one axis has next to none by chance.
    off = away[np.arange(len(rows)), (away**2).sum(2).argmin(1)]
    shares = 1.0 + rows["anisotropy"].astype(float)[:, None] * np.array((1.0, -1.0))
    surer = np.arange(len(rows)), shares.argmin(1)
    assert (off**2 / (rows["sigma"].astype(float)[:, None] ** 2 * shares))[surer].mean() < 1.6 * high


def test_what_has_turned_before_is_less_sure_out_of_sight(scene):
    """Two fly straight before they are lost; one of them has turned sharply some time ago, as it may again."""
    i = np.arange(60.0)
    turns = np.where(i < 20, 60 - 2.5 * i, 10 + 2.5 * (i - 20))
    paths = np.stack((np.stack((10 + 2.5 * i, 0 * i + 30), 1), np.stack((turns, 0 * i + 90), 1)), 1)
    tables = [scene.features(p if k < 50 else [], sigma=0.05) for k, p in enumerate(paths)]
    rows = scene.run(make_tracker("blob", {}, (120, 400), 1000.0), tables)
    dark = [rows[(rows["state"] == State.PREDICTED) & (np.abs(rows["y"] - y) < 1)]["sigma"] for y in (30, 90)]
    assert min(map(len, dark)) == 10
    assert (dark[1] > 2 * dark[0])[2:].all()


def test_what_rests_may_start_as_it_did_before(scene):
    """Two rest before they are lost; one of them came there and went on in darts, the other never moved."""
    rng, frames = np.random.default_rng(4), 90
    dart = np.cumsum(np.where(np.arange(frames) // 25 % 2 == 1, 1.5, 0.0))
    paths = np.stack((np.stack((20 + dart, np.full(frames, 30.0)), 1), np.full((frames, 2), 90.0)), 1)
    tables = [scene.features(p + rng.normal(0, 0.02, (2, 2)) if k < 74 else [], sigma=0.02)
              for k, p in enumerate(paths)]  # fmt: skip
    rows = scene.run(make_tracker("blob", {}, (120, 400), 1000.0), tables)
    assert np.unique(rows["track"]).tolist() == [0, 1]
    dark = [rows[(rows["state"] == State.PREDICTED) & (np.abs(rows["y"] - y) < 1)] for y in (30, 90)]
    assert min(map(len, dark)) == 10
    start = np.abs(dark[0]["x"] - paths[dark[0]["frame"], 0, 0])
    assert start[-1] > 10  # it has started
    assert (start < 10.0 * dark[0]["sigma"]).all()  # in the very frame: not what is likely
    assert (dark[1]["sigma"] < 0.25).all()


def test_what_left_may_have_turned_round_there(scene):
    """Beyond the border sigma covers the way back, in sight it would not. (Exactly: `test_border.py`.)"""
    i = np.arange(60.0)
    inside, outside = (np.stack((x0 + 2.0 * i, 0 * i + 30), 1) for x0 in (10, 61.0))
    sigma = []
    for path in (inside, outside):
        tables = [scene.features([p] if k < 20 else [], sigma=0.05) for k, p in enumerate(path)]
        for table in tables:
            table["xx"] = table["yy"] = 1.0
        rows = scene.run(make_tracker("blob", {}, (60, 102), 1000.0), tables)
        dark = rows[rows["state"] == State.PREDICTED]
        assert (dark["reason"] == (Reason.NOT_DETECTED if path is inside else Reason.LEFT_IMAGE))[1:6].all()
        sigma.append(dark["sigma"][5])
    gone = 2.0 * 25 + 61 - 101  # px outside after 6 frames
    assert sigma[0] < 1
    # Not seen from 1 px outside on, and the picture's own up to three widths: 2 px more. Half of it is the mean's.
    way, back = gone - 1.0, 0.5 * LEAVES * (gone - 1.0)
    off = ((way - 1.0) ** 2 + 2.0**2 / 12 + back * 7 * way**2 / 3) / (1.0 + back)
    assert sigma[1] ** 2 == pytest.approx(0.5 * off, rel=0.1)


def test_a_bad_frame_says_of_places_what_a_dark_one_does(scene):
    """Flights of which nothing is seen for 5 frames, some beyond the border then, as these are bad or empty. That
    nothing was seen there says something of those near the border alone."""
    rng = np.random.default_rng(3)
    start, speed = rng.uniform(40, 216, (80, 2)), rng.normal(0, 2.5, (80, 2))
    seen = [scene.features(start + speed * k + rng.normal(0, 0.1, (80, 2)), sigma=0.1) for k in range(20)]
    both = []
    for frame in (None, scene.features([])):
        rows = scene.run(make_tracker("blob", {"min_hits": 1}, SHAPE, 1000.0), [*seen, *[frame] * 5])
        both.append(rows[rows["frame"] >= 20])
    bad, empty = both
    assert (bad["reason"] == Reason.LEFT_IMAGE).any()
    alike = {(r["frame"], r["track"]): r for r in empty}
    assert (bad["state"] == State.PREDICTED).sum() > 100
    far = near = 0
    for row in bad:
        other = alike[row["frame"], row["track"]]
        assert (row["x"], row["y"]) == (other["x"], other["y"])
        inside = min(row["x"], row["y"], SHAPE[0] - 1 - row["x"], SHAPE[1] - 1 - row["y"])
        if inside > 8 * row["sigma"]:
            assert other["sigma"] == pytest.approx(row["sigma"], rel=0.2)
            far += 1
        elif inside > -1:
            assert other["sigma"] > row["sigma"]
            near += 1
    assert far > 100
    assert near > 5
