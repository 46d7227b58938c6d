"""Templates: the camera files' reference tracks, analytic plates, states and reasons."""

from __future__ import annotations

import numpy as np
import pytest
import tifffile

from kernels.errors import DefinitionError
from pipelines.features import FEATURE_DTYPE, Reason, State
from pipelines.trackers.base import make_tracker

SHAPE = (128, 128)


@pytest.fixture(scope="module")
def plate(scene):
    return scene.Speckle(seed=9)


def exposed(plate, dx=0.0, dy=0.0, gain=1.0, theta=0.0, noise=0.0):
    light = gain * (120 + 40 * plate.image(*SHAPE, dx, dy, theta, (64.0, 64.0)))
    return np.rint(light + noise).clip(0, 255).astype(np.uint8)


def ball_clip(folder):
    raw = np.fromfile(folder / "mraw" / "ball_12bit.mraw", np.uint8).reshape(15, -1, 3).astype(np.uint16)
    clip = np.empty((15, 384 * 384), np.uint16)
    clip[:, 0::2] = raw[:, :, 0] << 4 | raw[:, :, 1] >> 4
    clip[:, 1::2] = (raw[:, :, 1] & 15) << 8 | raw[:, :, 2]
    path = np.loadtxt(folder / "mraw" / "ball_12bit_reference_track.csv", delimiter=",", skiprows=2)
    return clip.reshape(15, 384, 384), path[:, 1:]


@pytest.mark.parametrize("window", [31, 41])
def test_three_parts_of_a_mechanism_follow_the_reference_tables(scene, window):
    folder = scene.samples() / "mechanism_tif"
    clip = [tifffile.imread(path) for path in sorted(folder.glob("*.tif"))]
    gold = [np.genfromtxt(folder / "gold" / f"DICe_solution_{k}.txt", delimiter=",", names=True) for k in range(3)]
    points = tuple((float(g["COORDINATE_X"][0]), float(g["COORDINATE_Y"][0])) for g in gold)
    made = make_tracker("template", {"points": points, "window": window, "model": "rigid"}, (480, 640), None)
    rows = scene.run(made, clip, "image")
    assert len(clip) == 20
    assert (rows["state"] == State.TRACKED).all()
    for k, g in enumerate(gold):
        mine = rows[rows["track"] == k]
        x, y = g["COORDINATE_X"] + g["DISPLACEMENT_X"], g["COORDINATE_Y"] + g["DISPLACEMENT_Y"]
        assert np.hypot(mine["x"] - x, mine["y"] - y).max() < 0.12


def test_a_falling_ball_follows_its_reference_track(scene):
    clip, path = ball_clip(scene.samples())
    made = make_tracker("template", {"points": (tuple(path[0]),), "window": 151}, (384, 384), 30000.0)
    rows = scene.run(made, clip, "image")
    assert (rows["state"] == State.TRACKED).all()
    error = np.stack((rows["x"], rows["y"]), 1) - path
    # The reference is a centroid: it wanders by 0.06 px, in the first frame too, and creeps with the highlight.
    assert np.sqrt(np.mean(np.sum(error**2, axis=1))) < 0.2
    line = np.polyfit(rows["frame"], rows["y"], 1)
    assert np.std(rows["y"] - np.polyval(line, rows["frame"])) < 0.01


def test_linked_centroids_of_the_ball_follow_its_reference_track(scene):
    clip, path = ball_clip(scene.samples())
    y, x = np.mgrid[:300, :384]  # the plate below stays out
    made = make_tracker("blob", {}, (384, 384), 30000.0)
    rows = []
    for i, image in enumerate(clip):
        # The highlight is a hole whose size depends on the threshold; 3000 of 4095 is nearest to the reference in y.
        dark = image[:300] < 3000
        one = np.zeros(1, FEATURE_DTYPE)
        one["x"], one["y"], one["mass"], one["area"], one["sigma"] = x[dark].mean(), y[dark].mean(), 1, dark.sum(), 0.05
        rows.append(made.update(i, i / 30000, {"features": one}))
    rows = np.concatenate(rows)
    assert np.unique(rows["track"]).tolist() == [0]
    assert np.hypot(rows["x"] - path[:, 0], rows["y"] - path[:, 1]).max() < 0.2
    assert rows["vy"][-1] / 30000 == pytest.approx(2.63, abs=0.1)


@pytest.mark.parametrize("flicker", [0.0, 0.25])
def test_flicker_changes_nothing(scene, plate, flicker):
    path = [(2 * np.sin(0.9 * i), 1.5 * np.sin(0.5 * i)) for i in range(16)]
    clip = [exposed(plate, dx, dy, 1 - flicker * (i % 2)) for i, (dx, dy) in enumerate(path)]
    rows = scene.run(make_tracker("template", {"max_points": 12}, SHAPE, 1000.0), clip, "image")
    rows = rows[rows["state"] != State.LOST]
    assert (rows["state"] == State.TRACKED).mean() > 0.98
    rows = rows[rows["state"] == State.TRACKED]
    first = {row["track"]: row for row in rows[rows["frame"] == 0]}
    x = rows["x"] - [first[k]["x"] for k in rows["track"]] - np.array(path)[rows["frame"], 0]
    y = rows["y"] - [first[k]["y"] for k in rows["track"]] - np.array(path)[rows["frame"], 1]
    assert np.sqrt(np.mean(x**2 + y**2) / 2) < 0.004  # both: 8-bit rounding is 0.3 of a level of noise


def test_an_averaged_reference_lowers_the_noise(scene, plate):
    rng = np.random.default_rng(2)
    path = np.array([(0.2 * i, 0.13 * i) for i in range(40)])
    clip = [120 + 40 * plate.image(*SHAPE, *p) + rng.normal(0, 20, SHAPE) for p in path]
    spread, sigma = [], []
    for frames in (1, 16):
        made = make_tracker("template", {"max_points": 12, "reference_frames": frames}, SHAPE, 1000.0)
        rows = scene.run(made, clip, "image")
        rows = rows[(rows["frame"] >= 16) & (rows["state"] == State.TRACKED)]
        error = rows["x"] - path[rows["frame"], 0]
        spread.append(np.mean([np.std(error[rows["track"] == k]) for k in np.unique(rows["track"])]))
        sigma.append(np.median(rows["sigma"]))
    # A track's scatter about its own mean has the current frame's noise either way, but a clean gradient weighs it
    # better.
    assert spread[1] < 0.9 * spread[0]
    assert sigma[1] < sigma[0]


def test_points_between_pixels_turn_with_the_part(scene, plate):
    point = (64.4, 63.7)
    angles = 0.03 * np.arange(10)
    clip = [exposed(plate, theta=a) for a in angles]
    rows = scene.run(make_tracker("template", {"points": (point,), "model": "rigid"}, SHAPE, None), clip, "image")
    x = 64 + np.cos(angles) * 0.4 + np.sin(angles) * 0.3
    y = 64 + np.sin(angles) * 0.4 - np.cos(angles) * 0.3
    assert np.hypot(rows["x"] - x, rows["y"] - y).max() < 0.01
    assert rows[0][["x", "y", "sigma"]].item() == (*point, 0.0)


def test_a_jump_within_the_search_range_is_found(scene, plate):
    clip = [exposed(plate), exposed(plate), exposed(plate, 7.3, -6.2), exposed(plate, 7.3, -6.2)]
    rows = scene.run(make_tracker("template", {"points": ((64, 64),), "search": 9}, SHAPE, None), clip, "image")
    assert (rows["state"] == State.TRACKED).all()
    np.testing.assert_allclose(rows["x"], [64, 64, 71.3, 71.3], atol=0.01)
    np.testing.assert_allclose(rows["y"], [64, 64, 57.8, 57.8], atol=0.01)


def test_a_motion_beyond_the_speed_limit_is_a_jump(scene, plate):
    clip = [exposed(plate), exposed(plate, 6.0, 0.0)]
    made = make_tracker("template", {"points": ((64, 64),), "max_speed": 3.0}, SHAPE, None)
    assert scene.run(made, clip, "image")[["state", "reason"]].tolist()[1] == (State.PREDICTED, Reason.JUMP)


def test_a_hidden_window_is_predicted_found_again_or_given_up(scene, plate):
    clip = [exposed(plate, 0.5 * i) for i in range(12)]
    for i in range(5, 8):
        clip[i] = np.random.default_rng(i).integers(0, 255, SHAPE).astype(np.uint8)
    rows = scene.run(make_tracker("template", {"points": ((60, 64),)}, SHAPE, 1000.0), clip, "image")
    assert rows["state"].tolist() == [1] * 5 + [2] * 3 + [1] * 4
    assert (rows["reason"][5:8] == Reason.LOW_SCORE).all()
    assert (rows["score"][5:8] == 0).all()
    off = np.abs(rows["x"] - 60 - 0.5 * np.arange(12))
    assert off[[*range(5), *range(8, 12)]].max() < 0.01
    assert off[5:8].max() < 0.2  # it might have stopped
    rows = scene.run(make_tracker("template", {"points": ((60, 64),), "max_missed": 2}, SHAPE, 1000.0), clip, "image")
    assert rows[-1][["frame", "state", "reason"]].item() == (7, State.LOST, Reason.LOW_SCORE)


def test_leaving_the_picture(scene, plate):
    clip = [exposed(plate, 5.0 * i) for i in range(26)]
    rows = scene.run(make_tracker("template", {"points": ((64, 64),), "max_missed": 10}, SHAPE, None), clip, "image")
    assert rows["state"][-1] == State.LOST
    assert rows["reason"][-1] == Reason.LEFT_IMAGE
    assert rows["x"][-1] > 127
    assert rows["frame"][-1] == 13 + 10
    assert (rows["reason"][rows["state"] == State.PREDICTED] == Reason.LEFT_IMAGE).all()
    seen = rows[rows["state"] == State.TRACKED]
    assert np.abs(seen["x"] - 64 - 5.0 * seen["frame"]).max() < 0.01
    assert seen["x"].max() > 123  # the part of the window that is inside counts


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("low", [True, False])
def test_a_window_goes_on_with_its_part_inside_until_its_centre_is_at_the_edge(scene, axis, low):
    """Half of it is beyond then, and its place and sigma are as good as that part is."""
    for seed in range(3):
        plate, at = scene.Speckle(seed), 30 if low else SHAPE[axis] - 31
        way = np.linspace(0, -29.5 if low else 29.5, 60)
        path = np.stack((way, np.zeros(60)) if axis == 1 else (np.zeros(60), way), 1)
        clip = [exposed(plate, *p, noise=np.random.default_rng(i).normal(0, 2, SHAPE)) for i, p in enumerate(path)]
        point = (at, 64) if axis == 1 else (64, at)
        rows = scene.run(make_tracker("template", {"points": (point,)}, SHAPE, None), clip, "image")
        assert (rows["state"] == State.TRACKED).all()
        off = np.stack((rows["x"], rows["y"]), 1) - point - path
        assert np.abs(off).max() < 0.06
        near = slice(45, None)  # a third of the window at least is beyond
        assert np.mean((off[near] / rows["sigma"][near, None]) ** 2) < 4


def test_a_window_that_left_comes_back_where_it_went(scene, plate):
    way = np.concatenate((np.linspace(0, 90, 30), np.full(20, 90), np.linspace(90, 10, 30)))
    clip = [exposed(plate, d) for d in way]
    rows = scene.run(make_tracker("template", {"points": ((64, 64),)}, SHAPE, None), clip, "image")
    inside = 64 + way <= 127
    seen = rows["state"] == State.TRACKED
    assert seen[inside].mean() > 0.9
    assert not seen[~inside].any()
    assert np.abs(rows["x"] - 64 - way)[seen].max() < 0.05
    again = make_tracker("template", {"points": ((64, 64),), "max_missed": 15}, SHAPE, None)
    assert scene.run(again, clip, "image")["state"][-1] == State.LOST


def test_a_point_without_texture_ends_at_once_and_a_blank_picture_gives_no_points(scene, plate):
    image = exposed(plate)
    image[40:90, 40:90] = 100
    made = make_tracker("template", {"points": ((64, 64), (20, 20))}, SHAPE, None)
    rows = scene.run(made, [image, image], "image")
    assert rows[["frame", "track", "state", "reason"]].tolist() == [
        (0, 0, State.LOST, Reason.NO_TEXTURE),
        (0, 1, State.TRACKED, Reason.NONE),
        (1, 1, State.TRACKED, Reason.NONE),
    ]
    made = make_tracker("template", {}, SHAPE, None)
    assert len(made.update(0, 0.0, {"image": np.zeros(SHAPE)})) == 0
    assert len(made.skip(1, 1.0)) == 0
    assert len(made.update(2, 2.0, {"image": exposed(plate)})) > 10


def test_points_of_later_frames_begin_there(scene, plate):
    clip = [exposed(plate, 1.5 * i) for i in range(10)]
    clip[6] = None
    points = ((60.0, 64.0), (62.5, 40.25, 5), (58.0, 90.0), (70.0, 30.0, 6))
    tracker = make_tracker("template", {"points": points}, SHAPE, 1000.0)
    rows = scene.run(tracker, clip, "image")
    begins = {0: 0, 1: 5, 2: 0, 3: 7}  # frame 6 cannot be read
    for track, first in begins.items():
        part = rows[rows["track"] == track]
        assert part["frame"].tolist() == list(range(first, 10))
        seen = part[part["state"] == State.TRACKED]
        assert np.abs(seen["x"] - points[track][0] - 1.5 * (seen["frame"] - first)).max() < 0.05
        assert part["sigma"][0] == 0
    alone = scene.run(make_tracker("template", {"points": points[:1]}, SHAPE, 1000.0), clip, "image")
    np.testing.assert_array_equal(rows[rows["track"] == 0], alone)  # others that begin change nothing
    assert (np.diff(rows["frame"] * 10 + rows["track"]) > 0).all()


def test_points_may_all_begin_later(scene, plate):
    clip = [exposed(plate, 1.5 * i) for i in range(6)]
    points = ((60.0, 64.0, 3), (70.0, 40.0, 2))
    rows = scene.run(make_tracker("template", {"points": points}, SHAPE, None), clip, "image")
    assert rows[["frame", "track"]].tolist() == [(2, 1), (3, 0), (3, 1), (4, 0), (4, 1), (5, 0), (5, 1)]
    assert (rows["state"] == State.TRACKED).all()
    assert np.abs(rows["x"] - np.where(rows["track"], 67.0, 55.5) - 1.5 * rows["frame"]).max() < 0.01


def test_a_point_of_a_frame_that_was_never_processed_is_lost_at_once(scene, plate):
    made = make_tracker("template", {"points": ((60, 64, 3), (64, 64))}, SHAPE, None)
    rows = made.update(5, 5.0, {"image": exposed(plate)})
    assert rows[["track", "state", "reason"]].tolist() == [
        (0, State.LOST, Reason.NOT_DETECTED), (1, State.TRACKED, Reason.NONE)
    ]  # fmt: skip
    assert made.update(6, 6.0, {"image": exposed(plate)})["track"].tolist() == [1]


def test_a_state_from_before_a_point_begins_goes_on_bit_for_bit(scene, plate):
    clip = [exposed(plate, 1.5 * i) for i in range(8)]
    params = {"points": ((60.0, 64.0), (62.5, 40.25, 5))}
    whole = scene.run(make_tracker("template", params, SHAPE, 1000.0), clip, "image")
    first, second = make_tracker("template", params, SHAPE, 1000.0), make_tracker("template", params, SHAPE, 1000.0)
    for i in range(3):
        first.update(i, i / 1000, {"image": clip[i]})
    second.restore(first.snapshot())
    rest = np.concatenate([second.update(i, i / 1000, {"image": clip[i]}) for i in range(3, 8)])
    np.testing.assert_array_equal(rest, whole[whole["frame"] >= 3])


@pytest.mark.parametrize("point", [(64.0,), (64.0, 64.0, -1.0), (64.0, 64.0, 2.5), (64.0, 64.0, 1.0, 1.0)])
def test_what_is_no_point_is_refused(point):
    with pytest.raises(DefinitionError, match=r"\[x, y, frame\]"):
        make_tracker("template", {"points": (point,)}, SHAPE, None)


def test_a_bad_frame_is_coasted_through(scene, plate):
    clip = [exposed(plate, 1.5 * i) for i in range(8)]
    clip[4] = None
    rows = scene.run(make_tracker("template", {"points": ((50.25, 64),)}, SHAPE, 1000.0), clip, "image")
    assert rows[4][["state", "reason"]].item() == (State.PREDICTED, Reason.BAD_FRAME)
    assert np.abs(rows["x"] - 50.25 - 1.5 * np.arange(8)).max() < 0.1
    assert rows["vx"][-1] == pytest.approx(1500, rel=0.01)


def test_a_changing_look_is_followed_when_asked(scene):
    one, two = scene.Speckle(seed=1), scene.Speckle(seed=2)
    clip = [100 + 30 * ((1 - i / 20) * one.image(*SHAPE) + i / 20 * two.image(*SHAPE)) for i in range(21)]
    never = scene.run(make_tracker("template", {"points": ((64, 64),)}, SHAPE, None), clip, "image")
    renewed = make_tracker("template", {"points": ((64, 64),), "update": "on_low_score"}, SHAPE, None)
    renewed = scene.run(renewed, clip, "image")
    assert never["state"][-1] != State.TRACKED
    assert (renewed["state"] == State.TRACKED).all()
    assert renewed["sigma"][-1] > renewed["sigma"][1]


@pytest.mark.parametrize("dtype", [np.uint16, np.float32, np.int16])
def test_every_number_type_gives_the_same(scene, plate, dtype):
    clip = [exposed(plate, 0.4 * i) for i in range(4)]
    expected = scene.run(make_tracker("template", {"max_points": 9}, SHAPE, None), clip, "image")
    got = scene.run(make_tracker("template", {"max_points": 9}, SHAPE, None), [i.astype(dtype) for i in clip], "image")
    assert (got["track"] == expected["track"]).all()
    np.testing.assert_allclose(got["x"], expected["x"], atol=1e-9)


@pytest.mark.parametrize("model", ["translation", "rigid"])
@pytest.mark.parametrize("cut", [0, 1, 4, 6])
def test_a_resumed_run_is_bit_identical(scene, plate, model, cut):
    clip = [exposed(plate, 0.7 * i, 0.2 * i) for i in range(8)]
    clip[5] = None
    params = {"max_points": 6, "reference_frames": 3, "model": model}
    whole = scene.run(make_tracker("template", params, SHAPE, 1000.0), clip, "image")
    first = make_tracker("template", params, SHAPE, 1000.0)
    head = [scene.run(first, clip[:cut], "image")] if cut else []
    saved = first.snapshot()
    scene.run(first, clip[cut:], "image", cut)
    second = make_tracker("template", params, SHAPE, 1000.0)
    second.restore(saved)
    assert np.concatenate([*head, scene.run(second, clip[cut:], "image", cut)]).tobytes() == whole.tobytes()


def test_something_alike_is_not_what_was_hidden(scene, plate):
    own, other = exposed(plate).astype(float), exposed(scene.Speckle(seed=99, corr=1.6)).astype(float)
    clip = [own] * 4 + [other] * 2 + [0.75 * (own - own.mean()) + 0.45 * (other - other.mean())] * 3 + [own] * 2
    made = make_tracker("template", {"points": ((64.0, 64.0),), "min_score": 0.5}, SHAPE, 1000.0)
    rows = scene.run(made, clip, "image")
    assert rows["state"].tolist() == [State.TRACKED] * 4 + [State.PREDICTED] * 5 + [State.TRACKED] * 2
    assert rows["x"][9:] == pytest.approx(64.0, abs=0.01)
    # Where it was not hidden before, it is taken as it comes.
    made = make_tracker("template", {"points": ((64.0, 64.0),)}, SHAPE, 1000.0)
    seen = scene.run(made, clip[:4] + clip[6:9], "image")
    assert (seen["state"] == State.TRACKED).all()
    assert 0.7 < seen["score"][-1] < 0.92


def test_what_is_a_little_like_a_window_beside_it_is_not_where_it_jumped(scene, plate):
    own, other = exposed(plate).astype(float), exposed(scene.Speckle(seed=99)).astype(float)
    covered = other.copy()
    beside = 0.75 * (own - own.mean()) + 0.55 * (other - other.mean()) + other.mean()
    covered[57:72, 65:80] = beside[57:72, 57:72]  # 8 px to the right, and 0.7 to 0.8 like it: less than usual
    made = make_tracker("template", {"points": ((64.0, 64.0),), "window": 11}, SHAPE, 1000.0)
    rows = scene.run(made, [own] * 4 + [covered] * 3 + [own] * 2, "image")
    assert rows["state"].tolist() == [State.TRACKED] * 4 + [State.PREDICTED] * 3 + [State.TRACKED] * 2
    assert (rows["reason"][4:7] == Reason.LOW_SCORE).all()
    assert rows["x"] == pytest.approx(64.0, abs=0.01)
    # What jumped there as a whole is found.
    made = make_tracker("template", {"points": ((64.0, 64.0),), "window": 11}, SHAPE, 1000.0)
    assert scene.run(made, [own] * 4 + [np.roll(own, 8, axis=1)], "image")["x"][-1] == pytest.approx(72.0, abs=0.01)


def test_what_comes_before_windows_does_not_draw_them_along_unsaid(scene):
    behind = exposed(scene.Speckle(seed=9, corr=3.0))
    points = tuple((float(x), 80.0) for x in range(20, 110, 15))
    errors = []
    for seed in range(3):
        front = exposed(scene.Speckle(seed=30 + seed, corr=3.0))
        clip = [behind] * 4 + [np.concatenate((front[128 - k :], behind[k:])) for k in range(64, 96)]
        made = make_tracker("template", {"points": points, "model": "translation", "search": 4}, SHAPE, 1000.0)
        rows = scene.run(made, clip, "image")
        seen = rows[(rows["state"] == State.TRACKED) & (rows["frame"] > 4)]
        errors.append((seen["y"] - 80.0) / seen["sigma"])
        assert len(seen) > 60
    assert np.mean(np.concatenate(errors) ** 2) < 1.5  # as if what is left were noise: 6
    assert np.abs(np.concatenate(errors)).max() < 6


@pytest.mark.parametrize(
    ("before", "after"), [("translation", "rigid"), ("translation", "affine"), ("rigid", "affine"), ("affine", "rigid")]
)
def test_windows_that_may_move_otherwise_from_now_on_are_followed(scene, before, after):
    """Their references have slopes for as many parameters as are asked for: loops read others' memory there."""
    plate, rng = scene.Speckle(seed=3), np.random.default_rng(2)
    clip = [120 + 30 * plate.image(90, 90, 0.3 * i, -0.2 * i) + rng.normal(0, 2, (90, 90)) for i in range(40)]
    points = ((24.0, 40.0), (45.3, 50.0), (60.0, 60.0))
    one, two = (make_tracker("template", {"points": points, "model": m}, (90, 90), 1000.0) for m in (before, after))
    scene.run(one, clip[:20], "image")
    two.restore(one.snapshot())
    rows = scene.run(two, clip[20:], "image", start=20)
    assert two.patches.anchors.references.jacobian.shape[1] == two.patches.anchors.layout.p
    assert (rows["state"] == State.TRACKED).all()
    start = np.array(points)[rows["track"]]
    np.testing.assert_allclose(rows["x"], start[:, 0] + 0.3 * rows["frame"], atol=0.1)
    np.testing.assert_allclose(rows["y"], start[:, 1] - 0.2 * rows["frame"], atol=0.1)


def test_a_blink_ends_no_track(scene, plate):
    """A point that somebody set is the same one after a few tenths of a second out of sight."""
    clip = [exposed(plate, 0.0)] * 20 + [np.full(SHAPE, 90, np.uint8)] * 350 + [exposed(plate, 3.0)] * 5
    rows = scene.run(make_tracker("template", {"points": ((64.0, 64.0),)}, SHAPE, 1000.0), clip, "image")
    assert (rows["state"][20:370] == State.PREDICTED).all()
    assert (rows["state"][370:] == State.TRACKED).all()
    assert rows["x"][-1] == pytest.approx(67.0, abs=0.05)


def test_what_is_hidden_goes_on_for_as_long_as_it_was_seen_to(scene, plate):
    clip = [exposed(plate, 1.2 * i) for i in range(8)] + [np.full(SHAPE, 90, np.uint8)] * 60
    params = {"points": ((64.0, 64.0),), "max_missed": 100, "model": "affine"}
    rows = scene.run(make_tracker("template", params, SHAPE, 1000.0), clip, "image")
    assert (rows["state"][8:] == State.PREDICTED).all()
    np.testing.assert_allclose(rows["x"][8:16], 64 + 1.2 * np.arange(8, 16), atol=0.5)  # as it went
    np.testing.assert_allclose(rows["x"][16:], 64 + 1.2 * 15, atol=0.5)  # but no longer than it was seen to go
    assert rows["sigma"][15] < 0.5
    np.testing.assert_allclose(rows["sigma"][24], 1.2 * 9 / np.sqrt(2), atol=2.0)  # it may have gone on


def test_a_snapshot_of_before_windows_had_models_goes_on(scene):
    plate, rng = scene.Speckle(seed=3), np.random.default_rng(2)
    clip = [120 + 30 * plate.image(90, 90, 0.3 * i, -0.2 * i) + rng.normal(0, 2, (90, 90)) for i in range(46)]
    points = {"points": ((24.0, 30.0), (45.3, 40.0), (60.0, 50.0))}
    before = make_tracker("template", {**points, "model": "translation"}, (90, 90), 1000.0)
    scene.run(before, clip[:36], "image")
    new = ("age", "changes", "column.solved", "column.counted", "column.closed", "column.warp", "column.tested")
    old = {name: values for name, values in before.snapshot().items() if name not in new}
    after = make_tracker("template", points, (90, 90), 1000.0)
    after.restore(old)
    made = [scene.run(one, clip[36:], "image", start=36) for one in (before, after)]
    assert made[0].tobytes() == made[1].tobytes()
    assert len(made[0]) == 30
    assert (after.t["warp"] == 2).all()
    assert after.t["solved"].tolist() == after.t["looks"].tolist() == [16] * 3
