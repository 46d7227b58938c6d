"""The truth of simulated scenes is true: light lies and moves where it says, and what happens in them does."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import map_coordinates

from app.sources.simulated import drawing
from app.sources.simulated.drawing import add_gaussians, discs
from app.sources.simulated.scenes.ball import Ball
from app.sources.simulated.scenes.beam import Beam, mode_shape
from app.sources.simulated.scenes.blobs import Blobs
from app.sources.simulated.scenes.disk import Disk
from app.sources.simulated.scenes.face import LIDS, Face
from app.sources.simulated.scenes.insects import Insects
from app.sources.simulated.scenes.plate import Plate
from app.sources.simulated.scenes.vortex import Vortex
from tests.app.sources.seen import centroid, shift_of

# -- the truth --------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(x=st.floats(20, 30), y=st.floats(20, 30), sigma=st.floats(0.6, 2.5))
def test_gaussian_is_unbiased_and_has_its_volume(x, y, sigma):
    picture = np.zeros((51, 51), np.float32)
    add_gaussians(picture, np.array([x]), np.array([y]), 0.5, sigma)
    assert centroid(picture, x, y, 18) == pytest.approx((x, y), abs=5e-4)
    assert picture.sum() == pytest.approx(0.5 * 2 * math.pi * sigma**2, rel=1e-4)


@settings(max_examples=40, deadline=None)
@given(x=st.floats(20, 30), y=st.floats(20, 30), radius=st.floats(2, 6))
def test_disc_is_unbiased_and_has_its_area(x, y, radius):
    cover = discs((51, 51), np.array([x]), np.array([y]), radius, 0.75, 1.0)
    assert centroid(cover, x, y, 16) == pytest.approx((x, y), abs=1e-3)
    assert cover.sum() == pytest.approx(math.pi * (radius**2 + 0.75**2), rel=1e-3)


def test_shapes_cut_by_the_border_do_not_wrap_round():
    picture = np.zeros((20, 30), np.float32)
    add_gaussians(picture, np.array([-1.0, 100.0]), np.array([10.0, 10.0]), 1.0, 1.5)
    assert picture[10, 0] > 0.5
    assert picture[:, 12:].max() == 0


@pytest.mark.parametrize("size", [3, 30])
def test_many_shapes_are_drawn_by_machine_code_to_the_same_bits(size, monkeypatch):
    """In any place, also across borders; they lie on each other, so that the order of the sums counts."""
    rng = np.random.default_rng(size)
    count, shape = 12_000 // size, (40, 50)
    x, y = rng.uniform(-20, 70, count), rng.uniform(-20, 60, count)
    pictures = []
    for few in (0, drawing.FEW, 1 << 60):
        monkeypatch.setattr(drawing, "FEW", few)
        picture = discs(shape, x, y, float(size), 0.8, 0.1)
        add_gaussians(picture, x, y, 0.3 * x, size / 8)
        pictures.append(picture.tobytes())
    assert pictures[0] == pictures[1] == pictures[2]


def test_blob_truth_is_the_centroid_even_when_it_moves_fast():
    scene = Blobs(count=1, hidden=0, speed=4000, exposure=1.0, snr=200, noise=False, seed=5, width=128, height=128)
    errors = []
    for index in range(0, 400, 3):
        rows = scene.truth(index)
        if len(rows) and scene.within(rows["x"], rows["y"], 14).all():
            (row,) = rows
            light = scene.light(index) - 0.05
            errors.append(np.subtract(centroid(light, row["x"], row["y"], 12), (row["x"], row["y"])))
    assert len(errors) > 15
    assert np.abs(errors).max() < 0.005


def test_vortex_particles_lie_where_the_truth_says():
    scene = Vortex(noise=False, particles=12, seed=2)
    still = scene._still
    errors = []
    for index in range(0, 60, 4):
        rows = scene.truth(index)
        light = scene.light(index) - still
        for row in rows[rows["visible"]]:
            others = np.hypot(rows["x"] - row["x"], rows["y"] - row["y"])
            if np.sort(others)[1] > 40 and scene.within(row["x"], row["y"], 20):
                errors.append(np.subtract(centroid(light, row["x"], row["y"], 17), (row["x"], row["y"])))
    assert len(errors) > 20
    assert np.abs(errors).max() < 0.005


def test_insects_lie_where_the_truth_says_also_while_they_turn():
    scene = Insects(noise=False, count=1, seed=4)
    courses = []
    for index in range(120):
        (row,) = scene.truth(index)
        absorbed = 1 - scene.light(index) / scene._still
        found = centroid(absorbed, row["x"], row["y"], 9)
        assert found == pytest.approx((row["x"], row["y"]), abs=0.005)
        courses.append((row["x"], row["y"]))
    steps = np.diff(np.array(courses), axis=0)
    turns = np.abs(np.angle(np.exp(1j * np.diff(np.arctan2(steps[:, 1], steps[:, 0])))))
    assert (turns > 1).sum() >= 2  # sharp ones
    assert np.median(turns) < 1e-6  # between them it flies straight


@pytest.mark.parametrize("amplitude", [0.05, 0.5, 1.7])
def test_plate_moves_by_exactly_the_truth(amplitude):
    scene = Plate(noise=False, amplitude=amplitude, width=160, height=160)
    first, truth0 = scene.light(0), scene.truth(0)
    for index in (3, 9, 14):
        rows = scene.truth(index)
        moved = rows["x"] - truth0["x"], rows["y"] - truth0["y"]
        assert np.ptp(moved[0]) < 1e-9
        dx, dy = shift_of(first, scene.light(index))
        assert (dx, dy) == pytest.approx((moved[0][0], moved[1][0]), abs=0.003)


def test_beam_moves_by_exactly_the_truth():
    scene = Beam(noise=False, points=9)
    first, truth0 = scene.light(0), scene.truth(0)
    worst = 0.0
    for index in (5, 11, 30):
        light = scene.light(index)
        for start, now in zip(truth0[1:-1], scene.truth(index)[1:-1], strict=True):
            x, y = round(start["x"]), round(start["y"])
            window = np.s_[y - 20 : y + 21, x - 8 : x + 9]
            found = shift_of(first[window], light[window])[1]
            worst = max(worst, abs(found - (now["y"] - start["y"])))
            assert now["x"] == start["x"]
    assert abs(scene.truth(11)["y"][-1] - truth0["y"][-1]) > 0.3  # it does move
    assert worst < 0.01  # the window averages over the bending; a rigid speckle is held to 0.003 above


def test_beam_modes_are_those_of_a_cantilever():
    s = np.linspace(0, 1, 20_001)
    first, second = mode_shape(s, 0), mode_shape(s, 1)
    assert (first[-1], abs(second[-1])) == pytest.approx((1, 1), abs=1e-6)
    for mode in (first, second):
        assert mode[0] == 0
        assert abs(np.gradient(mode, s)[0]) < 1e-3
    assert abs(np.trapezoid(first * second, s)) < 1e-6  # orthogonal
    assert s[np.flatnonzero(np.diff(np.sign(second[1:])))[0]] == pytest.approx(0.7834, abs=1e-3)  # its node
    tones = Beam().tones
    assert tones[2][1] / tones[0][1] == pytest.approx(6.267, abs=1e-3)


def test_disk_points_turn_rigidly():
    scene = Disk(rate=10, noise=False)
    first, later = scene.truth(0), scene.truth(25)  # a quarter of a turn
    cx, cy = scene.middle
    np.testing.assert_allclose(later["x"] - cx, -(first["y"] - cy), atol=1e-9)
    np.testing.assert_allclose(later["y"] - cy, first["x"] - cx, atol=1e-9)


def test_ball_falls_with_g_and_its_picture_too():
    scene = Ball(noise=False)
    # a sloping backdrop under the ball would shift the plain centroid of the difference by some 0.01 px
    vars(scene)["_still"] = np.full(scene.shape, 0.1)
    times, heights = [], []
    for index in range(0, 330, 10):
        (row,) = scene.truth(index)
        light = scene.light(index) - scene._still
        x, y = centroid(light, row["x"], row["y"], 14)
        assert (x, y) == pytest.approx((row["x"], row["y"]), abs=0.002)
        if index:
            times.append(row["time"])
            heights.append(y)
    g = 2 * np.polyfit(times, heights, 2)[0] / scene.scale / 1000
    assert g == pytest.approx(9.81, rel=1e-3)
    assert scene.describe()["px_per_mm"] == 0.5


def test_ball_is_followed_by_the_next_one_as_a_new_track():
    scene = Ball(frames=2000)
    tracks = [set(scene.truth(i)["track"].tolist()) for i in range(0, 1200, 3)]
    seen = set().union(*tracks)
    assert seen >= {0, 1, 2}
    assert any(not t for t in tracks)  # between two drops the picture is empty


# -- what happens in the scenes ---------------------------------------------------------------------------------------


def test_blink_hides_the_lid_markers_and_only_those():
    scene = Face(noise=False)
    hidden = np.array([~scene.truth(i)["visible"] for i in range(0, 640, 4)])
    assert set(np.flatnonzero(hidden.any(0))) == set(LIDS)
    spell = hidden[:, LIDS[0]]
    assert not spell[0]
    assert not spell[-1]
    assert np.abs(np.diff(spell.astype(int))).sum() == 2  # one blink
    for index, gone in ((0, False), (195, True)):
        rows = scene.truth(index)
        light = scene.light(index)
        for lid in LIDS:
            brightness = light[round(rows["y"][lid]), round(rows["x"][lid])]
            assert (brightness < 0.4) == gone
            assert rows["visible"][lid] == (not gone)


def test_face_markers_twitch_and_lie_where_the_truth_says():
    scene = Face(noise=False, flicker=0.0)
    bare = Face(noise=False, flicker=0.0, marker=0.5)
    places = np.array([[r["x"], r["y"]] for i in range(0, 640, 8) for r in scene.truth(i)]).reshape(80, 14, 2)
    assert np.ptp(places, axis=0).max() > 4
    for index in (0, 60, 100):
        # the difference of two marker sizes is a ring round each true centre, whatever the skin looks like
        ring = scene.light(index) - bare.light(index)
        for row in scene.truth(index):
            assert centroid(ring, row["x"], row["y"], 7) == pytest.approx((row["x"], row["y"]), abs=0.05)


def test_the_skin_of_the_face_moves_with_its_markers():
    """A head that sways far and tilts: what lies round a marker in one frame lies round it in another."""
    scene = Face(noise=False, flicker=0.0, marker=0.5, sway=4.0, twitch=0.0)
    frames = 0, 60, 570
    rows, columns = np.mgrid[-12:13, -12:13].astype(float)
    ring = np.hypot(rows, columns) > 4  # the skin, without the marker
    pictures, truths = zip(*((scene.light(k), scene.truth(k)) for k in frames), strict=True)

    def cut(k, marker, dx=0.0, dy=0.0):
        row, tilt, x, y = truths[k][marker], scene._pose(scene.time(frames[k]))[2], columns + dx, rows + dy
        return map_coordinates(pictures[k], [row["y"] + y + tilt * x, row["x"] + x - tilt * y], order=1)[ring]

    offs = []
    for marker in set(range(14)) - {*LIDS}:
        here, gx, gy = cut(0, marker), *(cut(0, marker, *d) - cut(0, marker, *-d) for d in np.eye(2))
        model = np.stack([gx / 2, gy / 2, here, np.ones_like(here)], axis=1)
        offs += [np.linalg.lstsq(model, cut(k, marker), rcond=None)[0][:2] for k in (1, 2)]
    assert np.ptp([truth["x"] for truth in truths], axis=0).min() > 8
    assert np.sqrt(np.mean(np.square(offs))) < 0.03  # .3 px where the skin was taken as far off as its pixel


@pytest.mark.parametrize("index", [60, 100, 345])
def test_the_skin_that_a_pixel_shows_is_what_the_motion_brings_there(index):
    scene = Face(sway=4.0, twitch=2.0)
    time, (x, y) = scene.time(index), scene._at_rest(scene.time(index))
    assert max(scene._pulls(time)) > 0.5
    u, v = scene._motion(x, y, scene._spread(x, y), time)
    assert max(np.abs(x + u - scene._grid[0]).max(), np.abs(y + v - scene._grid[1]).max()) < 0.01
    folded = Face(sway=10.0, twitch=10.0)  # its twitches cannot be turned round; it is drawn all the same
    assert np.isfinite(folded._at_rest(time)).all()


def test_vortex_particles_cross_leave_and_enter():
    scene = Vortex(seed=286)
    close: set[tuple[int, int]] = set()
    ids: list[set[int]] = []
    for index in range(0, 480, 2):
        rows = scene.truth(index)
        ids.append(set(rows["track"].tolist()))
        apart = np.hypot(np.subtract.outer(rows["x"], rows["x"]), np.subtract.outer(rows["y"], rows["y"]))
        for a, b in zip(*np.nonzero(np.triu(apart < 3, 1)), strict=True):
            close.add((int(rows["track"][a]), int(rows["track"][b])))
    assert len(close) >= 8
    assert ids[0] - ids[-1]
    assert ids[-1] - ids[0]
    gone: set[int] = set()
    for before, after in pairwise(ids):
        gone |= before - after
        assert not gone & after  # who left comes back under another number
    steps = [scene.truth(i) for i in (100, 101)]
    for row in steps[0]:
        now = steps[1][steps[1]["track"] == row["track"]]
        if len(now):
            assert math.hypot(now["x"][0] - row["x"], now["y"][0] - row["y"]) < 3
