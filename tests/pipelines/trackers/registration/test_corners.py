"""What corners keep of their references and deformations, step by step."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter, shift

from kernels.executors import natives
from kernels.loops import language
from pipelines.trackers.registration.reference.corners import Corners
from pipelines.trackers.registration.reference.reference_update_translation_loops import DRAWS, LOOKS
from pipelines.trackers.registration.warp.structs import Fit

SIDE, WINDOW = 128, 21
X, Y = np.array([30.0, 64.0, 90.0]), np.array([34.0, 60.0, 92.0])
TURN = np.array([[0.8, -0.3], [0.3, 0.9]])
STRETCH = np.array([[1.1, 0.2], [0.0, 0.9]])


@pytest.fixture(autouse=True)
def compiled():
    language.provide(natives.load)


def plate(seed=1, side=SIDE, grain=1.5):
    image = gaussian_filter(np.random.default_rng(seed).normal(size=(side, side)), grain)
    return 120.0 + 30.0 * image / image.std()


def made(model="affine", picture=None, stripes=False, x=X, y=Y):
    corners = Corners(WINDOW, model, stripes)
    corners.begin(plate() if picture is None else picture, x, y, np.arange(5, 5 + len(x)), every=True)
    return corners


def test_only_what_has_texture_begins_where_it_is_chosen():
    picture = plate()
    picture[40:80, 40:80] = 120.0
    chosen, given = Corners(WINDOW, "translation"), Corners(WINDOW, "translation")
    assert chosen.begin(picture, X, Y, np.arange(3)).tolist() == [True, False, True]
    assert chosen.t["x"].tolist() == [30.0, 90.0]
    assert chosen.t["track"].tolist() == [0, 1]
    assert given.begin(picture, X, Y, np.arange(3), every=True).tolist() == [True, False, True]
    assert given.t["track"].tolist() == [0, 1, 2]
    assert (given.t["p11"] > 1).all()  # nobody knows how fast they are


def test_points_beside_middles_turn_as_all_did_since_birth():
    corners, point = made(), np.array([0.3, -0.4])
    corners.t["bend"][1], corners.t["base"][1] = TURN, STRETCH
    corners.t["ox"][:], corners.t["oy"][:] = point
    dx, dy = corners.offset()
    assert (dx[0], dy[0]) == pytest.approx(tuple(point))
    assert (dx[1], dy[1]) == pytest.approx(tuple(TURN @ (STRETCH @ point)))


def test_it_learns_until_noise_and_mean_are_known_and_drawn():
    corners = made()
    t = corners.t
    assert corners.learning(16)
    t["solved"][:], t["averaged"][:], t["counted"][:] = LOOKS, 16, 16
    assert not corners.learning(16)
    for name, less in (("solved", LOOKS - 1), ("averaged", 15), ("counted", 8)):
        t[name][1], kept = less, t[name][1]
        if name == "averaged":
            t["counted"][1] = 8  # as it was drawn of so many
        assert corners.learning(16), name
        if name == "averaged":
            t["closed"][1] = 1  # it has turned
            assert not corners.learning(16)
            t["closed"][1], t["counted"][1] = 0, 16
        t[name][1] = kept
    assert not corners.learning(16)


def test_deformations_go_on_as_they_did_within_what_can_be():
    corners = made()
    t = corners.t
    t["turn"][0] = t["turn"][1] = [[1.0, -0.01], [0.01, 1.0]]
    t["turn"][2], t["bend"][2] = 1.5 * np.eye(2), STRETCH
    corners.turn(3.0)
    assert t["bend"][0] == pytest.approx(np.linalg.matrix_power(t["turn"][0], 3))
    assert (t["bend"][2] == STRETCH).all()  # 3.4 times as large: no window
    assert (t["turn"][2] == np.eye(2)).all()
    assert (t["turn"][1] != np.eye(2)).any()
    for wild in (0.5 * np.eye(2), 1.3 * np.eye(2), np.array([[1.0, 2.1], [0.0, 1.0]])):
        t["bend"][1], t["turn"][1] = np.eye(2), wild
        corners.turn(1.0)
        assert (t["bend"][1] == np.eye(2)).all()


def test_what_no_reference_can_be_drawn_as_is_not_believed():
    corners = made()
    t, found = corners.t, Fit.empty(X, Y)
    t["drawn"][:] = t["bend"][:] = STRETCH
    t["bend"][1] = TURN
    found.bend[0] = np.array([0.1, 0.05, 0.0, -0.1])[: found.bend.shape[1]]
    found.bend[1] = np.array([-30.0, 0.0, 0.0, -30.0])  # of which steps of 0.4 are taken at most
    t["drawn"][1] = 1.3 * np.eye(2)
    corners.settle(np.array([0, 1]), found)
    step = np.eye(2) + found.bend[0].reshape(2, 2) / (WINDOW // 2)
    assert t["bend"][0] == pytest.approx(np.linalg.inv(step) @ STRETCH)
    assert (t["bend"][1] == t["drawn"][1]).all()
    assert (t["bend"][2] == STRETCH).all()
    # Its rate follows by three tenths.
    surprise = t["bend"][0] @ np.linalg.inv(STRETCH)
    assert t["turn"][0] == pytest.approx(np.eye(2) + 0.3 * (surprise - np.eye(2)))
    assert (t["turn"][1] == np.eye(2)).all()


def test_steps_of_deformation_are_held():
    corners, found = made(), Fit.empty(X, Y)
    found.bend[0] = [6.0, 0.0, 0.0, 0.0]
    corners.settle(np.array([0]), found)
    assert corners.t["bend"][0] == pytest.approx(np.diag([1 / 1.4, 1.0]))


def test_rigid_ones_turn_and_nothing_else():
    corners, found = made("rigid"), Fit.empty(X, Y)
    found.bend[0] = [0.5, 1.0, -1.0, 0.4]
    corners.settle(np.array([0]), found)
    for name in ("bend", "turn"):
        turned = corners.t[name][0]
        assert turned @ turned.T == pytest.approx(np.eye(2))
        assert turned[0, 1] != 0


def test_white_noise_is_none_of_what_differs_and_a_thing_is_all_of_it():
    picture, rng = plate(), np.random.default_rng(2)
    corners, which = made("translation", picture), np.arange(3)
    for noise, away in ((3.0, 0.0), (10.0, 0.0), (3.0, 0.5), (10.0, 0.5)):  # between pixels neighbours share it
        seen = shift(picture, away, order=5, mode="nearest") + rng.normal(0, noise, picture.shape)
        white = corners.structured(seen, which, X + away, Y + away, np.full(3, 0.5))
        assert white.min() > 0.96
    thing = corners.structured(plate(9, grain=4.0), which, X, Y, np.full(3, 0.5))
    assert ((thing > 0.5) & (thing < 0.64)).all()
    brighter = corners.structured(2.5 * picture + 40.0, which, X, Y, np.full(3, 0.5))
    assert corners.structured(picture, which, X, Y, np.full(3, 0.5)) == pytest.approx(brighter, abs=1e-6)
    # Along rows and along columns: noise of stripes is half a thing.
    rows = np.repeat(rng.normal(0, 10, (SIDE, 1)), SIDE, axis=1)
    along, down = (corners.structured(picture + one, which, X, Y, np.full(3, 0.5)) for one in (rows, rows.T))
    assert along == pytest.approx(down, abs=0.1)
    assert (along < 0.97).all()


def test_what_misleads_is_worth_what_it_hides():
    corners, which = made("translation"), np.arange(3)
    refs = corners.anchors.references
    alike = np.array([1.0, 0.8, 0.6])
    far = corners.misled(which, alike)
    assert far[0] == 0
    slopes = refs.jacobian[:, :, :, :WINDOW].reshape(len(refs.jacobian), 2, -1)
    for k in which:
        normal = slopes[corners.t["slot"][k]] @ slopes[corners.t["slot"][k]].T
        mean = 0.5 * np.trace(np.linalg.inv(normal))
        assert far[k] == pytest.approx((1 - alike[k] ** 2) * refs.norm[corners.t["slot"][k]] ** 2 * mean, rel=1e-6)


def test_places_by_what_covers_leave_have_the_noise_of_the_whole():
    picture = plate()
    corners, which = made("translation", picture), np.arange(3)
    t, shown = corners.t, np.array([0.0, 1e-4, 1e-4])
    found = corners.fit(picture, X, Y, 4.0, which)
    t["solved"][:], t["looks"][:], t["grain"][:], t["offset"][:] = LOOKS, LOOKS, (1.0, 1.0, 2.0), 3e-5
    variance, whole = corners.partly(picture, which, found, shown)
    assert whole.tolist() == [True, False, False]
    assert variance[1] == pytest.approx(1e-4 * corners._grained(which)[1] + 3e-5, rel=0.01)
    assert variance[2] - 3e-5 == pytest.approx(2 * (variance[1] - 3e-5), rel=0.01)
    assert variance[0] == pytest.approx(3e-5, rel=0.1)


def test_what_hides_one_may_have_carried_it_as_far_as_it_went():
    corners = made("translation")
    corners.renew(plate(), np.array([1]), keep=True)
    for axis, away in (("x", 3.0), ("y", 4.0)):
        corners.t[axis][:] += away
    corners.t["first_x"][[0, 2]], corners.t["first_y"][[0, 2]] = X[[0, 2]], Y[[0, 2]]
    assert corners.carried(np.arange(3)).tolist() == [0, 12.5, 0]  # of both axes together 25 px^2


def test_means_take_only_windows_that_lie_as_they_did_and_are_drawn_at_powers_of_two():
    picture = plate()
    corners, which = made(), np.arange(3)
    t = corners.t
    t["bend"][1] = TURN
    for _ in range(4):
        corners.learn(picture, which, 4)
    assert t["averaged"].tolist() == [4, 1, 4]
    assert t["counted"].tolist() == [4, 1, 4]
    assert t["closed"].tolist() == [0, 1, 0]
    t["bend"][1] = np.eye(2)
    corners.learn(picture, which, 16)
    assert t["averaged"].tolist() == [5, 1, 5]  # what is closed stays so
    assert t["counted"].tolist() == [4, 1, 4]


def test_few_references_are_drawn_in_a_frame_those_first_that_have_waited_longest():
    count = 6 * DRAWS
    rng = np.random.default_rng(4)
    x, y = np.rint(rng.uniform(20, SIDE - 20, (2, count)))
    corners = made("translation", x=x, y=y)
    t = corners.t
    t["averaged"][:], t["counted"][:] = 8, 4
    late = np.arange(count - 5, count)
    t["counted"][late] = 1
    corners.redraw()
    assert np.count_nonzero(t["counted"] == 8) == count // 4
    assert (t["counted"][late] == 8).all()
    t["counted"][8:], t["counted"][:8] = 8, 4
    corners.redraw()
    assert (t["counted"] == 8).all()


def test_what_is_renewed_begins_again_and_keeps_what_it_was_born_with():
    picture = plate()
    corners, which = made(), np.array([0, 2])
    t = corners.t
    t["bend"][:], t["base"][:], t["level"][:], t["offset"][:], t["averaged"][:] = TURN, STRETCH, 0.9, 1e-4, 7
    t["counted"][:], t["closed"][:], t["strange"][:] = 4, 1, 3
    t["x"][:] += 0.25
    t["drawn"][:] = TURN
    for one in which:  # one after the other, each in a slot of its own
        corners.renew(picture, np.array([one]), keep=True)
    assert (t["slot"][which] != t["first"][which]).all()
    assert t["slot"][1] == t["first"][1]
    assert len({*t["slot"], *t["first"]}) == 5
    for name, old in (("averaged", 7), ("offset", 1e-4), ("level", 0.9), ("x", t["x"][0])):
        assert t[f"first_{name}"][0] == old
    for name, new in (("averaged", 1), ("offset", 0), ("strange", 0), ("counted", 1), ("closed", 0), ("level", 1)):
        assert t[name][which].tolist() == [new, new], name
    assert t["base"][0] == pytest.approx(TURN @ STRETCH)
    for name in ("bend", "drawn"):
        assert (t[name][which] == np.eye(2)).all()
    slots, kept = t["slot"].copy(), t["first_x"].copy()
    t["x"][0] += 3
    corners.renew(picture, np.array([0]), keep=True)  # once more: those of the birth stay
    assert (t["slot"] == slots).all()
    assert (t["first_x"] == kept).all()


def test_what_is_not_found_has_no_score():
    corners = made()
    even = np.full((SIDE, SIDE), 120.0)
    found = corners.fit(even, X, Y, 4.0, np.arange(3))
    assert not found.converged.any()
    assert (found.score < 0.1).all()


def test_means_are_drawn_as_their_references_were():
    corners = made()
    t, pixels = corners.t, corners.anchors.references.pixels
    t["bend"][1] = [[1.0, 0.2], [0.0, 1.0]]
    before = pixels[t["slot"]].copy()
    corners._draw(np.array([1]), t["bend"])
    bent = pixels[t["slot"][1]].copy()
    assert np.abs(bent - before[1]).max() > 5
    corners.drawn(np.arange(3))
    assert (pixels[t["slot"][1]] == bent).all()
    assert np.abs(pixels[t["slot"][[0, 2]]] - before[[0, 2]]).max() < 1e-9


def test_an_older_snapshot_is_one_in_which_all_was_done():
    corners, other = made(), Corners(WINDOW, "affine")
    corners.t["looks"][:], corners.t["averaged"][:] = 9, 5
    state = corners.snapshot()
    other.restore({name: state[name] for name in state if name not in ("column.solved", "column.counted")})
    assert other.t["solved"].tolist() == [9, 9, 9]
    assert other.t["counted"].tolist() == [5, 5, 5]


@pytest.mark.parametrize("down", [-1, 1])
def test_places_of_windows_are_those_of_their_first_references(down):
    picture = plate()
    y, x = np.mgrid[:SIDE, :SIDE]
    stripes = 120 + (5 + 3.0 * np.clip(x - 80, 0, 20)) * np.sin(0.7 * (x + down * y))  # stronger to the right
    picture[:, 76:] = stripes[:, 76:]
    picture[40:80, 40:76] = 120.0
    corners = made("translation", picture, stripes=True)
    assert corners.anchors.references.textured[corners.t["first"]].tolist() == [1, 0, 2]
    rows = corners.windows(np.ones(3, bool))
    assert rows["track"].tolist() == [5, 7]  # nothing to measure, no row
    striped = rows[1]
    assert striped["x_right"] == pytest.approx(striped["y_right"], abs=1e-9)  # one motion, across
    assert 2 < striped["x_right"] < 8
    assert abs(striped["x_down"]) < 1
    before = rows.tobytes()
    corners.t["slot"][2] = corners.t["first"][1]  # an even one meanwhile
    assert corners.windows(np.ones(3, bool)).tobytes() == before


def test_it_is_said_when_references_are_others():
    corners = made()
    versions = [corners.anchors.version]
    for change in (lambda: corners.anchors.draw(corners.t["slot"]), lambda: corners.restore(corners.snapshot())):
        change()
        versions.append(corners.anchors.version)
    assert versions[0] < versions[1] < versions[2]
