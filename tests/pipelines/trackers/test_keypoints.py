"""The tracker of key points: names, several animals, occlusion, jumps, its sigma, snapshots."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.errors import DefinitionError
from pipelines.features import Reason, State, Tracks
from pipelines.trackers import keypoints
from pipelines.trackers.base import Tracker, make_tracker
from pipelines.trackers.keypoints import INSISTING, KEYPOINT_DTYPE

SHAPE = 400, 600
SHAPE_OF_ANIMAL = np.array([(0, 0), (12, 0), (0, 9), (12, 9), (6, 20)], float)
FPS = 500.0


def table(places: np.ndarray, score: float = 0.9, instance: int = 0, sigma: float = 0.3) -> np.ndarray:
    rows = np.zeros(len(places), KEYPOINT_DTYPE)
    rows["x"], rows["y"] = places.T
    rows["score"], rows["sigma"], rows["point"], rows["instance"] = score, sigma, np.arange(len(places)), instance
    return rows


def made(**settings: object) -> Tracker:
    return make_tracker("keypoints", settings, SHAPE, FPS)


def fed(tracker: Tracker, tables: list[np.ndarray], first: int = 0) -> list[Tracks]:
    return [tracker.update(i, i / FPS, {"points": rows}) for i, rows in enumerate(tables, first)]


def test_a_track_is_a_point_and_keeps_its_name_whatever_the_order_of_rows():
    rng = np.random.default_rng(1)
    tracker = made(names="nose, left ear")
    clip = []
    for t in range(40):
        rows = table(SHAPE_OF_ANIMAL + (100 + 2.0 * t, 80 - 0.5 * t) + rng.normal(0, 0.3, (5, 2)))
        clip.append(rows[rng.permutation(5)])
    said = fed(tracker, clip)
    assert all((rows["track"] == np.arange(5)).all() for rows in said)
    assert (said[0]["state"] == int(State.TENTATIVE)).all()
    assert (said[-1]["state"] == int(State.TRACKED)).all()
    named = tracker.tables()["keypoints"]
    by_point = {point: track for track, _, point, _ in named.tolist()}
    assert [name for *_, name in sorted(named.tolist(), key=lambda row: row[2])] == ["nose", "left ear", "", "", ""]
    last = {int(r["track"]): (r["x"], r["y"]) for r in said[-1]}
    for point, place in enumerate(SHAPE_OF_ANIMAL + (178, 60.5)):
        np.testing.assert_allclose(last[by_point[point]], place, atol=1.0)
    np.testing.assert_allclose(said[-1]["vx"], 2.0 * FPS, atol=300)


def test_two_animals_that_pass_one_another_keep_their_ids_though_the_network_swaps_them():
    rng = np.random.default_rng(2)
    clip = []
    for t in range(100):
        places = [SHAPE_OF_ANIMAL + (100 + 3 * t, 100), SHAPE_OF_ANIMAL + (400 - 3 * t, 112)]
        order = rng.permutation(2)
        clip.append(np.concatenate([table(places[k] + rng.normal(0, 0.3, (5, 2)), instance=i)
                                    for i, k in enumerate(order)]))  # fmt: skip
    tracker = made()
    said = fed(tracker, clip)
    assert all(len(rows) == 10 for rows in said)
    start, end = said[2], said[-1]
    right = start["track"][start["x"] < 250]
    assert set(end["track"][end["x"] > 250]) == set(right)


def test_peaks_of_a_heat_map_are_each_by_themselves():
    rng = np.random.default_rng(3)
    clip = []
    for t in range(30):
        places = np.array([(50 + t, 50.0), (300 - t, 200.0), (100.0, 300 + t)])
        rows = table(places[rng.permutation(3)])
        rows["point"], rows["instance"] = 0, np.arange(3)
        clip.append(rows)
    tracker = made(sorting="peak")
    said = fed(tracker, clip)
    assert all(len(rows) == 3 for rows in said)
    first, last = said[0], said[-1]
    moved = np.hypot(last["x"] - first["x"], last["y"] - first["y"])
    np.testing.assert_allclose(moved, 29, atol=1)
    assert len(set(tracker.tables()["keypoints"]["animal"])) == 3


def test_a_peak_beyond_the_gate_of_all_tracks_is_another_thing():
    still = table(np.array([(50.0, 50.0)]))
    tracker = made(sorting="peak")
    fed(tracker, [still] * 20)
    far = table(np.array([(90.0, 50.0)]))  # within reach, but nothing moves so
    said = fed(tracker, [far] * 5, 20)
    first = said[-1][said[-1]["track"] == 0]
    assert int(first["state"][0]) == int(State.PREDICTED)
    assert first["x"][0] == pytest.approx(50, abs=0.5)
    assert said[-1]["track"].tolist() == [0, 1]
    assert said[-1]["x"][1] == pytest.approx(90)


def test_occlusion_by_score_is_predicted_and_ends_as_lost():
    tracker = made(max_missed=5)
    places = [SHAPE_OF_ANIMAL + (100 + t, 100) for t in range(20)]
    fed(tracker, [table(p) for p in places[:10]])
    hidden = []
    for p in places[10:]:
        rows = table(p)
        rows["score"][2] = 0.1
        hidden.append(rows)
    said = fed(tracker, hidden, 10)
    third = [rows[rows["track"] == 2] for rows in said]
    assert [int(r["state"][0]) for r in third[:6]] == [int(State.PREDICTED)] * 5 + [int(State.LOST)]
    assert all(r["reason"][0] == int(Reason.LOW_SCORE) for r in third[:6])
    assert third[4]["x"][0] == pytest.approx(114, abs=0.5)  # it went on as it went
    assert third[4]["sigma"][0] > 3 * said[0]["sigma"][0]
    assert all(len(r) == 0 for r in third[6:])
    again = fed(tracker, [table(SHAPE_OF_ANIMAL + (120, 100))], 20)[0]
    assert again["track"].tolist() == [0, 1, 3, 4, 5]  # of the same animal, a new id


def test_what_lies_beyond_the_gate_is_believed_only_if_the_next_frames_say_so():
    tracker = made()
    still = SHAPE_OF_ANIMAL + (100, 100)
    fed(tracker, [table(still)] * 30)
    wrong = still.copy()
    wrong[1] += (40, 0)
    said = fed(tracker, [table(wrong)] + [table(still)] * 2, 30)
    row = said[0][said[0]["track"] == 1][0]
    assert (int(row["state"]), int(row["reason"])) == (int(State.PREDICTED), int(Reason.JUMP))
    assert row["x"] == pytest.approx(112, abs=0.2)
    assert said[1][1]["state"] == int(State.TRACKED)
    said = fed(tracker, [table(wrong)] * INSISTING, 33)
    assert [int(rows[1]["state"]) for rows in said] == [int(State.PREDICTED)] * (INSISTING - 1) + [int(State.TRACKED)]
    assert said[-1][1]["x"] == pytest.approx(152)


@pytest.mark.parametrize("sigma", [0.1, 0.5, 2.0])
def test_errors_have_the_stated_sigma(sigma):
    rng = np.random.default_rng(4)
    tracker = made(acceleration=0.2)
    count, frames = 300, 60
    x, v = rng.uniform(50, 350, (count, 2)), rng.normal(0, 1, (count, 2))
    ratios = []
    for t in range(frames):
        a, b = rng.normal(0, 1, (2, count, 2))  # white noise of the acceleration, exactly: position and velocity
        x = x + v + 0.2 * (a / 2 + b / np.sqrt(12))
        v = v + 0.2 * a
        rows = tracker.update(t, t / FPS, {"points": table(x + rng.normal(0, sigma, x.shape), sigma=sigma)})
        if t > 20:
            assert len(rows) == count
            for axis, name in enumerate("xy"):
                ratios.append(((rows[name] - x[:, axis]) / rows["sigma"]).tolist())
    assert np.mean(np.square(ratios)) == pytest.approx(1.0, abs=0.1)


def test_points_without_a_sigma_have_one_that_is_said():
    tracker = made()
    rows = tracker.update(0, 0.0, {"points": table(SHAPE_OF_ANIMAL + 50, sigma=np.nan)})
    assert (rows["sigma"] == 1.0).all()
    rows = made(measurement_sigma=0.4).update(0, 0.0, {"points": table(SHAPE_OF_ANIMAL + 50)})
    np.testing.assert_allclose(rows["sigma"], 0.4)


def test_snapshots_bring_back_every_bit_and_bad_frames_are_predicted():
    rng = np.random.default_rng(5)
    clip = [table(SHAPE_OF_ANIMAL + (100 + t, 100) + rng.normal(0, 0.3, (5, 2))) for t in range(20)]
    tracker = made()
    fed(tracker, clip[:10])
    state = {name: np.copy(value) for name, value in tracker.snapshot().items()}
    rows = tracker.skip(10, 10 / FPS)
    assert (rows["reason"] == int(Reason.BAD_FRAME)).all()
    expected = fed(tracker, clip[11:], 11)
    other = made()
    other.restore(state)
    other.skip(10, 10 / FPS)
    assert [r.tobytes() for r in fed(other, clip[11:], 11)] == [r.tobytes() for r in expected]
    assert other.tables()["keypoints"].tolist() == tracker.tables()["keypoints"].tolist()


def test_what_leaves_the_picture_ends_and_an_animal_far_away_is_another():
    tracker = made(reach=30)
    for t in range(20):
        rows = tracker.update(t, t / FPS, {"points": table(SHAPE_OF_ANIMAL + (560 + 4.0 * t, 100))})
    gone = tracker.update(20, 20 / FPS, {"points": table(np.zeros((0, 2)))})
    assert len(rows) > 0
    assert (gone["reason"][gone["state"] == int(State.LOST)] == int(Reason.LEFT_IMAGE)).all()
    far = tracker.update(21, 21 / FPS, {"points": table(SHAPE_OF_ANIMAL + 100)})
    assert set(far["track"][far["state"] == int(State.TENTATIVE)]) == set(range(5, 10))


@pytest.mark.parametrize("wrong", [{}, {"points": np.zeros((4, 4))}, {"points": np.zeros(3, [("x", "f8")])}])
def test_wrong_inputs_are_a_sentence(wrong):
    with pytest.raises(DefinitionError, match="tracker keypoints"):
        made().update(0, 0.0, wrong)


def jumps(by: float, sightings: int) -> list[bool]:
    """Whether a point is believed in each of the frames after so many sightings, when it jumps by so many px."""
    tracker = made()
    places = np.array([(100.0, 100.0), (130.0, 100.0), (100.0, 130.0)])
    fed(tracker, [table(places)] * sightings)
    moved = places + [(0.0, 0.0), (by, 0.0), (0.0, 0.0)]
    return [bool(rows["state"][1] <= int(State.TRACKED)) for rows in fed(tracker, [table(moved)] * 5, sightings)]


def decisions() -> list[bool]:
    """What stands in the text of the constants."""
    places = np.array([(100.0, 100.0), (130.0, 100.0)])
    none, stated = (fed(made(), [table(places + 0.4 * (t % 3), sigma=sigma) for t in range(6)])[-1].tobytes()
                    for sigma in (0.0, 1.0))  # fmt: skip
    after = [False, False, True, True, True]
    return [none == stated, jumps(22.0, 1)[0], not jumps(45.0, 1)[0], jumps(60.0, 20) == after]


@pytest.mark.parametrize("factor", [1.0, 2.0, 0.5])
@pytest.mark.parametrize("name", ["UNKNOWN_SIGMA", "FIRST_SPEED", "INSISTING"])
def test_each_constant_is_noticed(name: str, factor: float, monkeypatch: pytest.MonkeyPatch):
    value = getattr(keypoints, name)
    monkeypatch.setattr(keypoints, name, type(value)(factor * value))
    assert all(decisions()) == (factor == 1)
