"""Corners: no drift, births, every reason."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors import natives
from kernels.loops import language
from pipelines.features import Reason, State
from pipelines.trackers.base import make_tracker
from tests.oracles.registration import in_place

SHAPE = (160, 160)


@pytest.fixture(autouse=True)
def compiled():
    language.provide(natives.load)


@pytest.fixture(scope="module")
def plate(scene):
    return scene.Speckle(seed=11, corr=1.6)


def exposed(plate, dx=0.0, dy=0.0, white=255.0):
    values = white / 255.0 * (120 + 35 * plate.image(*SHAPE, dx, dy))
    return np.rint(values).clip(0, white)


def u8(plate, dx=0.0, dy=0.0):
    return exposed(plate, dx, dy).astype(np.uint8)


def drift(rows, path):
    """Motion of each corner since its birth minus the true motion; (n, 2), and how many frames it was followed."""
    out = []
    for track in np.unique(rows["track"]):
        mine = rows[(rows["track"] == track) & (rows["state"] != State.LOST)]
        true = path[mine["frame"]] - path[mine["frame"][0]]
        out.append(np.stack((mine["x"] - mine["x"][0], mine["y"] - mine["y"][0]), 1) - true)
    return np.concatenate(out)


@pytest.fixture(scope="module")
def walk(plate):
    i = np.arange(30)
    path = np.stack((3 * np.sin(i / 4) + 0.3 * i, 2 * np.cos(i / 3) - 2), 1)
    return [u8(plate, *p) for p in path], path


def test_anchored_corners_do_not_drift(scene, walk):
    clip, path = walk
    rows = scene.run(make_tracker("klt", {"max_points": 40}, SHAPE, 1000.0), clip, "image")
    assert len(np.unique(rows["track"][rows["frame"] == 0])) >= 25
    assert np.sqrt(np.mean(drift(rows, path) ** 2)) < 0.004
    seen = rows[rows["state"] == State.TRACKED]
    assert seen["score"].min() > 0.9
    assert np.median(seen["sigma"]) < 0.005


@pytest.mark.parametrize("method", ["own", "opencv"])
def test_unanchored_corners_say_that_they_drift(scene, walk, method):
    clip, path = walk
    params = {"max_points": 40, "anchor": False, "method": method}
    rows = scene.run(make_tracker("klt", params, SHAPE, 1000.0), clip, "image")
    error = np.sqrt(np.mean(drift(rows, path) ** 2))
    assert (0.01 if method == "opencv" else 0.0) < error < (0.5 if method == "opencv" else 0.004)
    one = rows[(rows["track"] == 0) & (rows["state"] == State.TRACKED)]
    assert (np.diff(one["sigma"]) > 0).all()


def test_large_motions_are_caught_by_the_pyramid(scene):
    plate = scene.Speckle(seed=3, corr=5.0)
    path = np.array([(0.0, 0.0), (17.0, -11.0), (34.0, -22.0)])
    rows = scene.run(make_tracker("klt", {"max_points": 30}, SHAPE, None), [u8(plate, *p) for p in path], "image")
    followed = rows[(rows["frame"] == 2) & np.isin(rows["track"], rows["track"][rows["frame"] == 0])]
    assert (followed["state"] == State.TRACKED).sum() >= 5
    tracked = followed[followed["state"] == State.TRACKED]
    start = {row["track"]: row for row in rows[rows["frame"] == 0]}
    right = [abs(row["x"] - start[row["track"]]["x"] - 34) < 0.05 for row in tracked]
    assert np.mean(right) > 0.8


def test_states_begin_tentative_and_lost_corners_are_replaced(scene, plate):
    clip = [u8(plate, 4.0 * i) for i in range(20)]
    rows = scene.run(make_tracker("klt", {"max_points": 30, "min_hits": 3}, SHAPE, None), clip, "image")
    assert set(rows["state"][rows["frame"] == 1].tolist()) <= {State.TENTATIVE, State.LOST}
    assert (rows["state"][rows["frame"] == 2] == State.TRACKED).sum() > 15
    gone = rows[rows["reason"] == Reason.LEFT_IMAGE]
    assert len(gone)
    assert (gone["state"] == State.LOST).all()
    assert rows["track"].max() > 30
    assert all((rows["frame"] == i).sum() >= 15 for i in range(20))
    for track in np.unique(rows["track"]):
        mine = rows[rows["track"] == track]
        assert (np.diff(mine["frame"]) == 1).all()
        assert not (mine["state"][:-1] == State.LOST).any()


def test_corners_start_where_the_features_are(scene, plate):
    found = scene.features([(40.2, 40.4), (44.0, 40.0), (100.0, 60.0), (2.0, 2.0), (np.nan, 1.0)])
    found["peak"] = [5, 9, 1, 7, 9]
    made = make_tracker("klt", {"min_distance": 8.0}, SHAPE, None)
    rows = made.update(0, 0.0, {"image": u8(plate), "features": found})
    # The stronger of two near ones, none whose window leaves the picture.
    assert rows[["x", "y"]].tolist() == [(44.0, 40.0), (100.0, 60.0)]
    plain = make_tracker("klt", {"min_distance": 8.0, "anchor": False}, SHAPE, None)
    found = found[:1]
    assert plain.update(0, 0.0, {"image": u8(plate), "features": found})["x"].tolist() == [40.2]


@pytest.mark.parametrize(("dtype", "white"), [(np.uint16, 4095.0), (np.float32, 1.0)])
def test_other_number_types_are_scaled(scene, plate, dtype, white):
    def shown(image):
        return (image / 255.0 * white).astype(dtype)

    rows = scene.run(
        make_tracker("klt", {"max_points": 20, "white": white}, SHAPE, None),
        [shown(exposed(plate, 0.6 * i)) for i in range(5)],
        "image",
    )
    path = np.stack((0.6 * np.arange(5), np.zeros(5)), 1)
    assert (rows["state"] == State.TRACKED).sum() >= 40
    assert np.abs(drift(rows, path)).max() < 0.05
    auto = scene.run(make_tracker("klt", {"max_points": 20}, SHAPE, None), [shown(exposed(plate))] * 3, "image")
    assert (auto["frame"] == 2).sum() >= 15


def reasons(rows):
    return set(rows["reason"][rows["state"] == State.LOST].tolist())


def test_a_picture_gone_blank_has_no_texture(scene, plate):
    rows = scene.run(make_tracker("klt", {}, SHAPE, None), [u8(plate), np.full(SHAPE, 99, np.uint8)], "image")
    assert Reason.NO_TEXTURE in reasons(rows)
    assert (rows["frame"] == 1).sum() == (rows["frame"] == 0).sum()
    assert (rows["state"][rows["frame"] == 1] == State.LOST).all()


def test_another_picture_fails_backward_or_by_its_score(scene, plate):
    other = u8(scene.Speckle(seed=77, corr=1.6))
    rows = scene.run(make_tracker("klt", {}, SHAPE, None), [u8(plate), other], "image")
    assert Reason.FORWARD_BACKWARD in reasons(rows)
    generous = make_tracker("klt", {"max_fb": 100.0}, SHAPE, None)
    assert Reason.LOW_SCORE in reasons(scene.run(generous, [u8(plate), other], "image"))


def test_too_fast_is_a_jump(scene, plate):
    rows = scene.run(make_tracker("klt", {"max_speed": 2.0}, SHAPE, None), [u8(plate), u8(plate, 4.0)], "image")
    assert Reason.JUMP in reasons(rows)
    assert not (rows["state"][rows["frame"] == 1] == State.TRACKED).any()


def test_corners_that_run_onto_each_other_are_one(scene, plate):
    # The picture shrinks towards its centre: distances fall to a quarter.
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]].astype(float)
    waves = np.stack((plate.k[:, 0], plate.k[:, 1], plate.phase), 1)[:60]
    clip = []
    for i in range(16):
        s = 1.1**i
        bx, by = (x - 80) * s, (y - 80) * s
        image = sum(np.cos(0.35 * (kx * bx + ky * by) + phase) for kx, ky, phase in waves)
        clip.append((120 + 8 * image).clip(0, 255).astype(np.uint8))
    made = make_tracker("klt", {"min_distance": 12.0, "max_points": 100, "renew_score": 0.98}, SHAPE, None)
    rows = scene.run(made, clip, "image")
    lost = rows[rows["reason"] == Reason.MERGED]
    assert len(lost)
    for row in lost:
        near = rows[(rows["frame"] == row["frame"]) & (rows["track"] < row["track"])]
        assert np.hypot(near["x"] - row["x"], near["y"] - row["y"]).min() < 6.0


def test_a_bad_frame_is_coasted_through(scene, walk):
    clip, path = walk
    rows = scene.run(make_tracker("klt", {"max_points": 20}, SHAPE, 1000.0), [*clip[:6], None, *clip[7:12]], "image")
    bad = rows[rows["frame"] == 6]
    assert (bad["state"] == State.PREDICTED).all()
    assert (bad["reason"] == Reason.BAD_FRAME).all()
    after = rows[(rows["frame"] == 11) & np.isin(rows["track"], bad["track"]) & (rows["state"] == State.TRACKED)]
    assert len(after) > 0.8 * len(bad)
    assert np.abs(drift(rows[rows["frame"] != 6], path)).max() < 0.05


KINDS = [
    {},
    {"anchor": False},
    {"model": "affine"},
    {"method": "opencv"},
    {"check": "always", "renew_score": 0.999, "retry": 2},
    {"points": ((60.25, 80.5), (100.0, 70.75, 3.0)), "max_points": 6},
]


def worn(plate):
    """Twelve bits, moving, changing, and one frame that cannot be read."""
    other = np.random.default_rng(3).normal(0, 1, SHAPE)
    clip = [exposed(plate, 2.5 * i, 0.3 * i, 4095.0) for i in range(9)]
    clip = [(c + 60.0 * i * other).clip(0, 4095).astype(np.uint16) for i, c in enumerate(clip)]
    clip[4] = None
    return clip


@pytest.mark.parametrize("params", KINDS)
def test_machine_code_follows_as_numpy_does(scene, plate, params):
    made, window = [], 13 if params else 21  # without machine code the time goes with the square of the window
    params = {"max_points": 12, "window": window, **params}
    for way in (nullcontext(), in_place()):
        with way:
            made.append(scene.run(make_tracker("klt", params, SHAPE, 1000.0), worn(plate), "image"))
    assert made[0].tobytes() == made[1].tobytes()


def test_an_edge_of_the_picture_is_no_obstacle(scene, plate):
    # Windows that touch every edge, moving along them and out of the picture by fractions of a pixel.
    path = [(0.3 * np.sin(i), 0.3 * np.cos(i) - 0.3) for i in range(10)]
    found = scene.features([(10, 10), (149, 10), (10, 149), (149, 149), (80, 10), (10, 80), (80, 149)])
    made = make_tracker("klt", {}, SHAPE, None)
    given = [found, *[found[:0]] * 9]
    rows = np.concatenate([made.update(i, i / 1000, {"image": u8(plate, *path[i]), "features": given[i]})
                           for i in range(10)])  # fmt: skip
    assert (rows["frame"] == 0).sum() == 7
    lost = rows[rows["state"] == State.LOST]
    assert set(lost["reason"].tolist()) <= {Reason.LEFT_IMAGE}
    alive = rows[(rows["frame"] == 1) & (rows["state"] != State.LOST)]
    assert len(alive) >= 3
    home = rows[rows["frame"] == 0]
    for row in alive:
        start = home[home["track"] == row["track"]][0]
        assert np.hypot(row["x"] - start["x"] - path[1][0], row["y"] - start["y"] - path[1][1] + path[0][1]) < 0.02


def test_corners_are_looked_for_again_only_now_and_then(scene, plate):
    blank, textured = np.full(SHAPE, 90, np.uint8), u8(plate)
    rows = scene.run(make_tracker("klt", {"retry": 4}, SHAPE, None), [blank, *[textured] * 9], "image")
    assert rows["frame"].min() == 4


def test_noise_alone_renews_nothing(scene, plate):
    random = np.random.default_rng(1)
    clip = [(exposed(plate, 0.2 * i) + random.normal(0, 20, SHAPE)).clip(0, 255).astype(np.uint8) for i in range(25)]
    made = make_tracker("klt", {"max_points": 30, "min_score": 0.1}, SHAPE, None)
    rows = scene.run(made, clip, "image")
    assert np.quantile(rows["score"][(rows["frame"] > 0) & (rows["frame"] < 3)], 0.25) < 0.8  # below renew_score
    assert not len(made.renewals)
    assert len(np.unique(rows["track"])) <= 33


def test_too_much_memory_is_refused():
    with pytest.raises(DefinitionError, match="smaller window"):
        make_tracker("klt", {"window": 101, "max_points": 10000}, SHAPE)


@pytest.mark.parametrize("params", KINDS)
@pytest.mark.parametrize("cut", [0, 1, 7])
def test_a_resumed_run_is_bit_identical(scene, plate, params, cut):
    clip = worn(plate)
    params = {"max_points": 25, **params}
    whole = scene.run(make_tracker("klt", params, SHAPE, 1000.0), clip, "image")
    first = make_tracker("klt", params, SHAPE, 1000.0)
    head = [scene.run(first, clip[:cut], "image")] if cut else []
    saved = first.snapshot()
    scene.run(first, clip[cut:], "image", cut)
    second = make_tracker("klt", params, SHAPE, 1000.0)
    second.restore(saved)
    assert np.concatenate([*head, scene.run(second, clip[cut:], "image", cut)]).tobytes() == whole.tobytes()


def test_points_of_the_user_are_followed_besides_the_corners(scene, walk):
    clip, path = walk
    clip = list(clip[:16])
    clip[6] = None
    points = ((60.3, 64.8), (62.5, 40.25, 5.0), (58.0, 90.0), (90.0, 60.0, 6.0))
    made = make_tracker("klt", {"points": points, "max_points": 12, "min_hits": 3}, SHAPE, 1000.0)
    rows = scene.run(made, clip, "image")
    assert (np.diff(rows["frame"] * 1000 + rows["track"]) > 0).all()
    for track, first in enumerate((0, 5, 0, 7)):  # frame 6 cannot be read
        mine = rows[rows["track"] == track]
        assert mine["frame"].tolist() == list(range(first, 16))
        seen = mine[mine["frame"] != 6]
        assert (seen["state"] == State.TRACKED).all()  # believed at once
        where = np.stack((seen["x"], seen["y"]), 1)
        assert where[0].tolist() == list(points[track][:2])
        assert np.abs(where - where[0] - (path[seen["frame"]] - path[first])).max() < 0.03
    found = rows[rows["track"] >= len(points)]
    assert len(np.unique(found["track"][found["frame"] == 0])) == 12
    start = found[found["frame"] == 0]
    assert min(np.hypot(start["x"] - x, start["y"] - y).min() for x, y in (points[0], points[2])) > 9.0


def test_points_alone_and_near_each_other(scene, walk):
    clip, _ = walk
    points = ((60.0, 64.0), (61.0, 64.0))
    rows = scene.run(make_tracker("klt", {"points": points, "max_points": 0}, SHAPE, 1000.0), clip, "image")
    assert len(rows) == 2 * len(clip)  # nothing else is found, and the two are not one
    assert (rows["state"] == State.TRACKED).all()


def test_a_point_that_cannot_be_followed_says_why(scene, plate):
    image = u8(plate)
    image[40:90, 40:90] = 100
    params = {"points": ((64.0, 64.0), (20.0, 20.0), (30.0, 100.0, 3.0)), "max_points": 0}
    rows = scene.run(make_tracker("klt", params, SHAPE, None), [image, image], "image")
    assert rows[["frame", "track", "state", "reason"]].tolist() == [
        (0, 0, State.LOST, Reason.NO_TEXTURE),
        (0, 1, State.TRACKED, Reason.NONE),
        (1, 1, State.TRACKED, Reason.NONE),
    ]
    late = scene.run(make_tracker("klt", params, SHAPE, None), [u8(plate)] * 2, "image", 5)
    assert late[late["track"] == 2][["state", "reason"]].tolist() == [(State.LOST, Reason.NOT_DETECTED)]
    with pytest.raises(DefinitionError, match=r"klt.points\[0\].*too near the edge"):
        make_tracker("klt", {"points": ((3.0, 64.0),)}, SHAPE)
