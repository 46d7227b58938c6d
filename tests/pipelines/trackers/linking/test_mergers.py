"""Two things in one detection: where its shape says that they are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kernels.executors import natives
from kernels.host import loops
from pipelines.features import FEATURE_DTYPE, Features, Reason, State, Tracks
from pipelines.trackers.base import make_tracker
from pipelines.trackers.columns import Columns
from pipelines.trackers.linking.columns import BLOB_COLUMNS
from pipelines.trackers.linking.merger_sigma import said
from pipelines.trackers.linking.mergers import _drawn, unsure

Array = npt.NDArray[Any]
MERGE = 3.2  # px


@pytest.fixture(autouse=True, params=[True, False], ids=["compiled", "numpy"])
def compiled(request: pytest.FixtureRequest) -> Iterator[None]:
    loops.provide(natives.load if request.param else None)
    yield
    loops.provide(natives.load)


def centre(share: float, apart: float, across: float, weights: float) -> float:
    """Where the fixed point of a mean under weights is, found by going there, in px from the first of two things."""
    x = np.linspace(-9, 15, 241)
    light = share * np.exp(-(x**2) / (2 * across)) + (1 - share) * np.exp(-((x - apart) ** 2) / (2 * across))
    at = (1 - share) * apart
    for _ in range(1000):
        w = light * np.exp(-((x - at) ** 2) / (2 * weights))
        before, at = at, float((w * x).sum() / w.sum())
        if abs(at - before) < 1e-5:
            break
    return at


@pytest.mark.parametrize("share", [0.5, 0.55, 0.6, 0.7, 0.8])
@pytest.mark.parametrize("apart", [1.0, 2.0, 3.0, 3.5, 4.0])
def test_a_centre_is_drawn_to_the_heavier_of_two(share: float, apart: float) -> None:
    across, squares = 2.4, apart * apart
    true = ((1 - share) * apart - centre(share, apart, across, across)) / apart
    drawn, astray = _drawn(2 * share - 1, 0.04, squares, across)
    assert drawn == pytest.approx(true, abs=0.025)  # of up to 0.28
    assert abs(drawn - true) * apart < astray**0.5 + 1e-12
    back, same = _drawn(1 - 2 * share, 0.04, squares, across)
    assert (back, same) == pytest.approx((-drawn, astray), rel=1e-12)
    # Shares that are off by a standard deviation move it by no more than is said.
    for other in (share - 0.02, share + 0.02):
        moved = centre(other, apart, across, across) - centre(share, apart, across, across)
        assert abs(moved) < 1.6 * astray**0.5 + 0.02


def table(place: Array, mass: Array, wide: float, long: float, random: np.random.Generator,
          drawn: bool = False) -> Features:  # fmt: skip
    """Things of the second moments `wide` (`long` more along x); two that are near are one, with a sum's moments, and
    with a centre under weights where it is drawn."""
    moments = np.tile([wide + long, 0.0, wide], (len(mass), 1)) * np.exp(random.normal(0, 0.03, (len(mass), 1)))
    moments[:, 1] += random.normal(0, 0.03 * wide, len(mass))
    apart = float(np.hypot(*(place[1] - place[0])))
    if apart < (4.2 if drawn else MERGE):
        share = mass / mass.sum()
        middle = share @ place
        d = place - middle
        if drawn:
            middle = place[0] + centre(share[0], apart, wide, wide) / apart * (place[1] - place[0])
        spread = np.stack((d[:, 0] ** 2, d[:, 0] * d[:, 1], d[:, 1] ** 2), axis=1)
        moments = (share @ (moments + spread))[None]
        place, mass = middle[None], mass.sum(keepdims=True)
    found = np.zeros(len(mass), FEATURE_DTYPE)
    found["x"], found["y"] = (place + random.normal(0, 0.03, place.shape)).T
    found["xx"], found["xy"], found["yy"] = moments.T
    found["mass"], found["sigma"], found["area"] = mass, 0.03, 12
    return found


def partners(apart: Array, turn: float, masses: tuple[float, float]) -> Array:
    """Places (frame, thing, axis) of two that turn round their common centre, which moves."""
    share = masses[1] / sum(masses)
    angle = turn * np.arange(len(apart)) + 0.3
    middle = np.stack((40 + 0.4 * np.arange(len(apart)), np.full(len(apart), 50.0)), axis=1)
    way = apart[:, None] * np.stack((np.cos(angle), np.sin(angle)), axis=1)
    return np.stack((middle + share * way, middle - (1 - share) * way), axis=1)


def followed(
    places: Array, masses: tuple[float, float], wide: float = 2.0, long: float = 0.0, drawn: bool = False
) -> Tracks:  # fmt: skip
    random = np.random.default_rng(2)
    tables = [{"features": table(place, np.array(masses), wide, long, random, drawn)} for place in places]
    params = {"max_speed": 6.0, "centres": "gaussian" if drawn else "moments"}
    tracker = make_tracker("blob", params, (100, 200), 100.0)
    return np.concatenate(tracker.update_batch(range(len(tables)), [k / 100 for k in range(len(tables))], tables))


def errors(rows: Tracks, places: Array) -> Array:
    """Of each row, px, with the thing that its track began as."""
    first = rows[rows["frame"] == 0]
    who = {int(r["track"]): int(np.hypot(*(places[0] - (r["x"], r["y"])).T).argmin()) for r in first}
    assert sorted(who.values()) == [0, 1]
    return np.array([np.hypot(*(places[r["frame"], who[int(r["track"])]] - (r["x"], r["y"]))) for r in rows])


@pytest.mark.parametrize("masses", [(100.0, 100.0), (70.0, 130.0)])
@pytest.mark.parametrize("turn", [0.12, 0.25])
def test_two_that_turn_round_each_other_in_one_detection(masses: tuple[float, float], turn: float) -> None:
    apart = np.interp(np.arange(90), (0, 20, 30, 60, 70, 90), (8, 8, 2, 2, 8, 8))
    places = partners(apart, turn, masses)
    rows = followed(places, masses)
    merged = rows["reason"] == Reason.MERGED
    assert merged.sum() > 30
    assert set(rows["track"].tolist()) == {0, 1}
    wrong = errors(rows, places)
    assert wrong.max() < 0.6  # neither exchanged nor carried off, in 40 frames and turns of 5 to 10 rad
    assert np.sqrt((wrong[merged] ** 2).mean()) < 0.2
    inside = apart[rows["frame"]] < MERGE
    z2 = wrong**2 / rows["sigma"].astype(float) ** 2 / 2
    assert z2[inside].mean() < 1.5


@pytest.mark.parametrize("share", [0.5, 0.6, 0.7])
def test_two_in_one_detection_whose_centre_the_heavier_one_has_nearly_alone(share: float) -> None:
    """Its centre is up to 1 px from that of their mass, always to the same side: no mean makes that less."""
    masses = (200.0 * share, 200.0 * (1 - share))
    places = partners(np.interp(np.arange(80), (0, 20, 40, 60, 80), (8, 4, 2, 4, 8)), 0.15, masses)
    rows = followed(places, masses, wide=2.4, drawn=True)
    merged = rows["reason"] == Reason.MERGED
    assert merged.sum() > 30
    wrong = errors(rows, places)
    both = np.isin(rows["frame"], rows["frame"][merged])
    assert wrong.max() < 0.6
    assert np.sqrt((wrong[both] ** 2).mean()) < 0.2
    assert (wrong[both] ** 2 / rows["sigma"][both].astype(float) ** 2 / 2).mean() < 1.3


@pytest.mark.parametrize("share", [0.6, 0.7])
def test_two_in_one_detection_that_is_centred_by_mass(share: float) -> None:
    """Nothing draws it anywhere."""
    masses = (200.0 * share, 200.0 * (1 - share))
    places = partners(np.interp(np.arange(80), (0, 20, 40, 60, 80), (8, 4, 2, 4, 8)), 0.15, masses)
    rows = followed(places, masses, wide=2.4)
    both = np.isin(rows["frame"], rows["frame"][rows["reason"] == Reason.MERGED])
    assert both.sum() > 30
    assert np.sqrt((errors(rows, places)[both] ** 2).mean()) < 0.1


def test_the_shape_of_long_things_says_nothing() -> None:
    """They are longer than any merger makes them; what is known is the prediction."""
    places = partners(np.interp(np.arange(60), (0, 60), (12, -12)), 0.0, (100.0, 100.0))
    rows = followed(places, (100.0, 100.0), long=9.0)
    assert set(rows["track"][rows["state"] != State.LOST].tolist()) == {0, 1}
    assert errors(rows, places).max() < 1.2


def test_a_round_merger_keeps_both_near() -> None:
    """One behind the other for a long time: the one that is not seen does not go on by itself."""
    apart = np.interp(np.arange(60), (0, 10, 20, 60), (12, 6, 0.2, 0.2))
    places = partners(apart, 0.0, (100.0, 100.0))
    rows = followed(places, (100.0, 100.0))
    late = rows[rows["frame"] >= 30]
    assert (late["reason"] == Reason.MERGED).any()
    assert errors(rows, places)[rows["frame"] >= 30].max() < 1.2


def test_two_that_share_a_detection_are_about_equally_sure_and_ever_less() -> None:
    """Whoever has it in a frame, as they take turns; the filter alone would stay at 0.06."""
    places = partners(np.interp(np.arange(30), (0, 10, 20, 30), (12, 6, 0.2, 0.2)), 0.0, (100.0, 100.0))
    rows = followed(places, (100.0, 100.0))
    frames = rows["frame"][rows["reason"] == Reason.MERGED].tolist()
    assert frames == list(range(15, 30))
    sigma = np.array([rows["sigma"][rows["frame"] == frame] for frame in frames])
    np.testing.assert_allclose(sigma[:, 0], sigma[:, 1], rtol=0.12)
    assert sigma[-1].min() > 2.0 * sigma[2].max()


def test_a_place_in_a_merger_is_as_sure_as_the_surer_of_path_and_shape() -> None:
    """The filter is surer: it takes what each frame of a merger says for news."""
    t = Columns(BLOB_COLUMNS)
    t.append(3, p00=np.array([0.01, 0.01, 0.05]))
    made = unsure(t, np.arange(3), np.array([0.02, 4.0, 0.04]), np.array([0.09, 0.09, 0.09]))
    np.testing.assert_allclose(made, (0.01, 0.08, 0.0))


def test_who_comes_into_a_merger_on_a_steady_path_is_where_that_says() -> None:
    """Two run through each other; where they have just become one, nothing is surer than how they came."""
    away = np.stack((np.arange(40) * 0.8 - 16.0, np.zeros(40)), axis=1)
    places = np.stack((away + (60.0, 50.0), -away + (60.0, 50.6)), axis=1)
    rows = followed(places, (100.0, 100.0))
    together = np.flatnonzero(np.hypot(*(places[:, 0] - places[:, 1]).T) < MERGE)
    first = rows[rows["frame"] == together[0]]
    wrong = errors(rows, places)[rows["frame"] == together[0]]
    assert (first["reason"] == Reason.MERGED).sum() == 1
    assert wrong.max() < 0.1
    assert first["sigma"].max() < 0.1  # by the shape of what they became, and the filter that allows for turns: 0.2


@pytest.mark.parametrize("beside", [0.6, -0.3])
def test_a_turn_where_a_merger_begins_is_not_taken_for_the_path(beside: float) -> None:
    """Steady flights are known to 0.03 px there; the merger's centre, 0.8 px from where they lead, says otherwise."""
    one = np.stack((np.interp(np.arange(45), (0, 16, 44), (44.8, 57.6, 35.2)), np.full(45, 50.0)), axis=1)
    other = np.stack((80.1 - 1.2 * np.arange(45), np.full(45, 50.0 + beside)), axis=1)
    places = np.stack((one, other), axis=1)
    rows = followed(places, (100.0, 100.0))
    merged = rows["frame"][rows["reason"] == Reason.MERGED]
    assert merged.min() == 17
    wrong = errors(rows, places)
    assert (wrong**2 / rows["sigma"].astype(float) ** 2 / 2)[np.isin(rows["frame"], merged)].max() < 8
    assert wrong[rows["frame"] > merged.max() + 1].max() < 0.2


def test_a_mass_that_changes_as_usual_holds_no_speck_that_went_out() -> None:
    """A speck beside a large thing goes out when the large one's light rises by a few percent, as it often does."""
    large, random = np.array([50.0, 50.0]), np.random.default_rng(5)
    tables = []
    for k in range(60):
        both = np.stack((large, large + (5.0, 0.0)))
        mass = np.array([100.0 * (1.04 if k % 30 >= 20 else 1.0 + 0.02 * np.sin(k)), 4.0])
        found = table(both, mass, 2.0, 0.0, random)
        tables.append({"features": found[:1] if k % 30 >= 20 else found})
    tracker = make_tracker("blob", {"max_speed": 6.0}, (100, 100), 100.0)
    rows = np.concatenate(tracker.update_batch(range(60), [k / 100 for k in range(60)], tables))
    assert not (rows["reason"] == Reason.MERGED).any()
    (own,) = rows["track"][(rows["frame"] == 0) & (rows["x"] < 52)]
    mine = rows[rows["track"] == own]
    seen = np.array([t["features"][0] for t in tables])
    assert np.abs(mine["x"] - seen["x"]).max() < 0.02
    assert mine["sigma"].max() < 0.04


def test_what_a_merger_leaves_open_is_shared_by_mass() -> None:
    """Two in one detection are apart by what its shape says, with one error: the heavier one moves by less of it."""
    masses = (160.0, 40.0)
    apart = np.interp(np.arange(70), (0, 20, 30, 50, 70), (8, 8, 2, 2, 2))
    places = partners(apart, 0.1, masses)
    rows = followed(places, masses)
    late = rows[rows["frame"] == 45]
    heavy, light = (float(late["sigma"][late["track"] == track][0]) for track in heavy_first(rows, places))
    assert heavy < 0.5 * light


def heavy_first(rows: Tracks, places: Array) -> list[int]:
    first = rows[rows["frame"] == 0]
    return [int(first["track"][np.hypot(*(places[0, k] - np.stack((first["x"], first["y"]), 1)).T).argmin()])
            for k in range(2)]  # fmt: skip


def test_what_vanished_is_not_found_in_whatever_is_heavy() -> None:
    """In a crowd whose masses scatter some detection always weighs what it and another one do: no proof of either."""
    random, count, size = np.random.default_rng(6), 40, 260.0
    place, speed = random.uniform(10, size - 10, (count, 2)), random.normal(0, 1.0, (count, 2))
    tables, truth = [], []
    for k in range(90):
        place, speed = place + speed, np.where((place < 5) | (place > size - 5), -speed, speed)
        seen = np.arange(count) != (0 if k >= 20 else -1)
        found = np.zeros(int(seen.sum()), FEATURE_DTYPE)
        found["x"], found["y"] = (place[seen] + random.normal(0, 0.3, (len(found), 2))).T
        found["mass"] = 100 * np.exp(random.normal(0, 0.3, len(found)))
        found["sigma"], found["area"], found["xx"], found["yy"] = 0.3, 14, 2.0, 2.0
        tables.append({"features": found})
        truth.append(place[0])
    tracker = make_tracker("blob", {"max_speed": 12.0, "max_missed": 60}, (int(size), int(size)), 100.0)
    rows = np.concatenate(tracker.update_batch(range(90), [k / 100 for k in range(90)], tables))
    first = rows[rows["frame"] == 0]
    own = first["track"][np.hypot(*(truth[0] - np.stack((first["x"], first["y"]), 1)).T).argmin()]
    late = rows[(rows["track"] == own) & (rows["frame"] >= 20)]
    assert (late["reason"] == Reason.NOT_DETECTED).any()
    merged = late[late["reason"] == Reason.MERGED]
    assert len(merged) <= 3
    # Wherever it is said to be, it does not leap from one to the next.
    assert np.abs(np.diff(late["x"])).max() < 8


@pytest.mark.parametrize(("angle", "longer"), [(0.0, 1.0), (0.5 * np.pi, -1.0)])
def test_a_row_in_a_merger_is_surer_across_the_way_than_along_it(angle: float, longer: float) -> None:
    """What wrong shares do to the centre is along the way alone."""
    places = partners(np.interp(np.arange(60), (0, 20, 60), (8, 3, 3)), 0.0, (60.0, 140.0))
    middle, turn = places.mean(axis=1, keepdims=True), angle - 0.3
    d = places - middle
    c, s = np.cos(turn), np.sin(turn)
    places = middle + np.stack((c * d[..., 0] - s * d[..., 1], s * d[..., 0] + c * d[..., 1]), axis=2)
    rows = followed(places, (60.0, 140.0), wide=2.4, drawn=True)
    late = rows[rows["frame"] > 30]
    assert (late["reason"] == Reason.MERGED).sum() == 29
    assert (longer * late["anisotropy"]).min() > 0.5


def sure(
    mass: float, flicker: float, oval: float = 0.05, long: float = 3.0, way: tuple[float, float] = (3.0, 0.0),
    path: float = 0.01,
) -> float:  # fmt: skip
    """What one of two of the mass 100 says of itself in a detection that is 3 px long, px; the filter gives the
    detection nearly all weight. `way` is foretold from one to the other, the place of each with the variance
    `path`, px^2."""
    t = Columns(BLOB_COLUMNS)
    t.append(2, p00=np.array([1.0, 1.0]), mass=100.0, flicker=flicker, oval=oval)
    t["x"][0], t["y"][0] = way
    found = np.zeros(1, FEATURE_DTYPE)
    found["mass"], found["xx"], found["yy"] = mass, 2.0 + 0.25 * long**2, 2.0
    blur = np.full(2, 0.1)
    made = said(t, found, np.array([1e-4]), 0, 0, 1, np.array([path, path]), blur, (3.0, 0.0, 0.01, 0.0, 0.001))
    assert made[0, 0] == made[0, 1]
    return float(made[0, 0])


def test_a_third_thing_makes_the_two_in_a_merger_unsure() -> None:
    """By as much as its share of the mass could move the centre, and its place make the shape."""
    assert 0.05 < sure(200.0, 0.02) < 0.1
    assert sure(200.0, 0.02) < sure(206.0, 0.02) < 0.12  # they may be off by that
    assert 0.9 < sure(300.0, 0.02) < 1.6
    assert sure(300.0, 0.02) > sure(260.0, 0.02)
    assert sure(300.0, 0.3) < 0.4  # things that flicker like this weigh as much at times
    assert sure(140.0, 0.02) < 0.8  # what is missing is no third thing


def test_a_merger_that_weighs_what_the_two_do_is_as_sure_as_shares_are() -> None:
    """Whether their shapes are known or not, as long as its own tells nothing."""
    for flicker in (0.02, 0.3):
        assert sure(200.0, flicker, long=0.0) == pytest.approx(sure(200.0, flicker, oval=0.0, long=0.0), rel=1e-12)
        within = 200.0 * (1.0 + 0.1 * flicker)  # what usual changes explain is no other share
        assert sure(within, flicker, long=0.0) == pytest.approx(sure(200.0, flicker, long=0.0), rel=1e-6)
    assert sure(206.0, 0.02, long=0.0) > sure(206.0, 0.3, long=0.0)


def test_a_shape_against_what_is_foretold_makes_the_two_in_a_merger_unsure() -> None:
    """By half of the way between them where nobody knows which end is whose, and by half of what both say differently
    where the shape is hardly theirs: along the way alone, so that the mean of x and y is less by the root of two."""
    usual, root = sure(200.0, 0.02), math.sqrt(0.5)
    assert sure(200.0, 0.02, way=(-3.0, 0.0)) == pytest.approx(3.0 * root, rel=0.01)
    assert sure(200.0, 0.02, way=(0.0, 0.0)) == pytest.approx(1.5 * root, rel=0.01)
    assert sure(200.0, 0.02, way=(3.0, 4.0)) == pytest.approx(2.0 * root, rel=0.02)
    assert usual < sure(200.0, 0.02, way=(2.6, 0.0)) < sure(200.0, 0.02, way=(2.3, 0.0)) < 0.35 * root
    either, ends = sure(200.0, 0.02, way=(0.0, 0.1), path=0.5), 3.0 * root
    assert 0.6 * ends < either < 0.75 * ends  # as likely as not
    assert sure(200.0, 0.02, long=0.0, way=(0.0, 0.1), path=0.5) < 0.35 * ends  # a round one has none


def test_a_shape_that_is_not_theirs_is_unsure_where_the_paths_lead() -> None:
    """What is foretold across the way makes the row less sure across it, not along."""
    t, found = Columns(BLOB_COLUMNS), np.zeros(1, FEATURE_DTYPE)
    t.append(2, p00=1.0, mass=100.0, flicker=0.02, oval=0.05)
    t["x"][0] = 3.0
    found["mass"], found["xx"], found["yy"] = 200.0, 4.25, 2.0
    given = found, np.array([1e-4]), 0, 0, 1, np.array([0.01, 0.01]), np.full(2, 0.1), (3.0, 0.0, 0.01, 0.0, 0.001)
    before = said(t, *given)[1]
    t["y"][0] = 4.0
    after = said(t, *given)[1]
    assert before.min() > 0.0
    assert after.max() < -0.9


def test_who_is_who_is_not_known_again_before_a_merger_ends() -> None:
    """Where the ends of a merger may be either way round, no later shape of it tells; what is seen alone is itself."""
    t = Columns(BLOB_COLUMNS)
    t.append(3, p00=np.full(3, 1.0), mass=100.0, flicker=0.02, oval=0.05)
    t["x"][0], t["y"][0] = 0.0, 0.1
    found = np.zeros(1, FEATURE_DTYPE)
    found["mass"], found["xx"], found["yy"] = 200.0, 2.0 + 0.25 * 9.0, 2.0
    made, between = [], (3.0, 0.0, 0.01, 0.0, 0.001)
    for way, path in (((0.0, 0.1), 0.5), ((3.0, 0.0), 0.01), ((3.0, 0.0), 0.01)):
        t["x"][0], t["y"][0] = way
        told = np.array([path, path, 0.0])
        made.append(float(said(t, found, np.array([1e-4]), 0, 0, 1, told, np.full(3, 0.1), between)[0, 0]))
    np.testing.assert_allclose(t["mixed"], (0.5, 0.5, 0.0), atol=0.01)
    ends = 1.5  # px: half of them are off by 3 px along x, so that the mean of x and y is this
    assert made[1:] == pytest.approx([ends, ends], rel=0.05)
    # And a tracker forgets it once both are seen by themselves.
    places = partners(np.interp(np.arange(80), (0, 20, 30, 50, 80), (8, 0.5, 0.5, 0.5, 9)), 0.25, (100.0, 100.0))
    rows = followed(places, (100.0, 100.0))
    merged = rows["frame"][rows["reason"] == Reason.MERGED]
    after = rows[rows["frame"] > merged.max() + 1]
    assert rows["sigma"][np.isin(rows["frame"], merged)].max() > 0.3
    assert len(after) > 10
    assert after["sigma"].max() < 0.06
