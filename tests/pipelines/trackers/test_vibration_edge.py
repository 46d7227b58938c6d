"""Windows of the vibration tracker of which a part is beyond the edge of the picture."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.loops import language as host
from pipelines.features import Reason, State
from pipelines.trackers.base import make_tracker
from pipelines.trackers.registration.response.response_loops import VARIANCE
from tests.pipelines.trackers.plates import SHAPE, exposed

FRAMES = np.arange(120)


def shaken(scene, seed, amplitude, axis, noise=2.0):
    """A plate that swings along one axis, and its way."""
    plate, rng = scene.Speckle(seed=seed, corr=1.4), np.random.default_rng(seed)
    way = np.stack((amplitude * np.sin(0.13 * FRAMES), 0.7 * np.sin(0.2 * FRAMES)), 1)
    way = way if axis == 0 else way[:, ::-1]
    return [exposed(plate, *p, rng=rng, noise=noise) for p in way], way


def followed(scene, clip, point, **params):
    tracker = make_tracker("vibration", {"points": (point,), "spectrum": 64, **params}, SHAPE, 1000.0)
    return scene.run(tracker, clip, "image"), tracker


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("low", [True, False])
@pytest.mark.parametrize("amplitude", [3.0, 9.0])
def test_a_window_goes_on_with_its_part_inside_and_sigma_is_that_of_this_part(scene, axis, low, amplitude):
    squares = []
    for seed in (21, 22):
        clip, way = shaken(scene, seed, amplitude, axis)
        near = 11.0 if low else SHAPE[1] - 12.0
        point = (near, 40.0) if axis == 0 else (40.0, near)
        rows, tracker = followed(scene, clip, point)
        assert (rows["state"] == State.TRACKED).all()
        off = np.stack((rows["x"], rows["y"]), 1) - point - way
        assert np.abs(off).max() < 0.05
        place = rows["x" if axis == 0 else "y"]
        part = np.minimum(place, SHAPE[1] - 1 - place) < 9.5
        assert part.sum() > 30
        part[0] = False
        squares.append((off[part] / rows["sigma"][part, None]) ** 2)
        assert tracker.tables()["spectra"].size > 0  # which hear such frames, too
    assert 0.5 < np.concatenate(squares).mean() < 1.4


def test_the_noise_floor_and_sigma_are_those_of_the_part_that_is_seen(scene):
    """A window that stays at the edge with half of itself beyond."""
    found = []
    for end in (0.0, -9.0):
        plate, rng = scene.Speckle(seed=31, corr=1.4), np.random.default_rng(1)
        way = np.concatenate((np.zeros(40), np.linspace(0, end, 30), np.full(512, end)))
        clip = [exposed(plate, d, rng=rng, noise=2.0) for d in way]
        rows, tracker = followed(scene, clip, (11.0, 40.0), spectrum=128)
        assert (rows["state"] == State.TRACKED).all()
        last = rows[rows["frame"] >= 120]
        spectra = tracker.tables()["spectra"]
        high = spectra[spectra["frequency"] > 150]
        floor = np.mean(high["noise_x"] ** 2 + high["noise_y"] ** 2)
        found.append((0.5 * (last["x"].var() + last["y"].var()), floor))
        # sigma is the first frame's, too: once, and by what the mean of 16 frames is seen otherwise by a part.
        share = np.mean(last["sigma"] ** 2) / tracker.t["state"][0, VARIANCE] - 1.0
        wider = (share + 1 / 16) / (1 + 1 / 16)
    (whole, one), (part, other) = found
    assert part > 1.5 * whole
    assert 0.8 < wider / (part / whole) < 1.25
    assert other > 1.4 * one
    assert 0.75 < 500 * other / (2 * part) < 1.3  # up to 500 Hz, along both axes


def test_what_left_comes_back_within_max_missed_and_not_later(scene):
    plate = scene.Speckle(seed=9, corr=1.4)
    way = np.concatenate((np.linspace(0, -13, 27), np.full(6, -13.0), np.linspace(-13, 0, 27)))
    clip = [exposed(plate, d) for d in way]
    rows, _ = followed(scene, clip, (11.0, 48.0), max_missed=16)
    inside = 11 + way >= 0
    seen = rows["state"] == State.TRACKED
    assert len(rows) == len(way)
    assert seen[inside].mean() > 0.95
    assert not seen[11 + way < -0.6].any()
    assert (rows["reason"][~seen] == Reason.LEFT_IMAGE).mean() > 0.8
    assert np.abs(rows["x"] - 11 - way)[seen].max() < 0.02
    rows, _ = followed(scene, clip, (11.0, 48.0), max_missed=5)
    assert rows["state"][-1] == State.LOST
    assert rows["frame"][-1] < 36


def test_a_window_in_a_corner_and_one_whose_part_has_no_texture(scene):
    plate = scene.Speckle(seed=12, corr=1.4)
    clip = [exposed(plate, -0.4 * i, -0.3 * i) for i in range(20)]
    rows, _ = followed(scene, clip, (10.0, 10.0))
    assert (rows["state"] == State.TRACKED).all()
    assert np.abs(rows["x"] - 10 + 0.4 * np.arange(20)).max() < 0.02
    assert np.abs(rows["y"] - 10 + 0.3 * np.arange(20)).max() < 0.02
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    rng = np.random.default_rng(0)
    spots = [np.exp(-((x - 4 + 0.5 * i) ** 2 + (y - 48) ** 2) / 8) for i in range(24)]
    clip = [np.rint(100 + 80 * one + rng.normal(0, 2, SHAPE)).astype(np.uint8) for one in spots]
    rows, _ = followed(scene, clip, (10.0, 48.0), max_missed=30)
    gone = 4 - 0.5 * rows["frame"] < -5  # the spot is beyond, the window's centre is not
    assert gone.sum() > 3
    assert (rows["state"][gone] != State.TRACKED).all()


def test_without_noise_a_part_is_placed_to_a_thousandth(scene):
    plate = scene.Speckle(seed=8, corr=1.0)
    way = np.concatenate((np.zeros(1), np.linspace(-1.5, -8.5, 60)))
    clip = [(120 + 40 * plate.image(*SHAPE, d, 0.3 * np.sin(d), 0.0, (48.0, 48.0))).astype(np.float32) for d in way]
    rows, _ = followed(scene, clip, (11.0, 40.0), reference_frames=1)
    assert (rows["state"] == State.TRACKED).all()
    off = np.stack((rows["x"] - 11 - way, rows["y"] - 40 - 0.3 * np.sin(way)))[:, 2:]
    assert np.abs(off).max() < 0.00095  # after one fit .00104


def test_a_part_that_is_but_a_slope_of_light_says_that_it_has_no_texture(scene):
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    clip = []
    for i in range(30):
        u, rng = x + 0.4 * i, np.random.default_rng(i)
        spot = 60 * np.exp(-((u - 5) ** 2 + (y - 45) ** 2) / 3) + 60 * np.exp(-((u - 3) ** 2 + (y - 51) ** 2) / 3)
        clip.append(np.rint(60 + 3.0 * (u - 0.4 * i) + 2.0 * y * 0.3 + spot + rng.normal(0, 1, SHAPE)).astype(np.uint8))
    rows, _ = followed(scene, clip, (10.0, 48.0), max_missed=30)
    gone = 5 - 0.4 * rows["frame"] < -4  # both spots are beyond
    assert gone.sum() > 3
    assert (rows["state"][gone] != State.TRACKED).all()
    assert (rows["reason"][gone] == Reason.NO_TEXTURE).any()


def test_batches_python_and_a_pixel_that_is_no_number(scene, monkeypatch):
    clip, _ = shaken(scene, 5, 4.0, 0)
    clip = [one.astype(np.float32) for one in clip]
    clip[40] = clip[40].copy()
    clip[40][40, 3] = np.nan
    params = {"points": ((11.0, 40.0), (60.0, 40.0)), "reference_frames": 4, "max_missed": 20}
    one, many = (make_tracker("vibration", params, SHAPE, 1000.0) for _ in range(2))
    rows = [one.update(i, i / 1000, {"image": picture}) for i, picture in enumerate(clip)]
    parts = [row for k in range(0, 120, 15)
             for row in many.update_batch(range(k, k + 15), [i / 1000 for i in range(k, k + 15)],
                                          [{"image": picture} for picture in clip[k : k + 15]])]  # fmt: skip
    assert np.concatenate(rows).tobytes() == np.concatenate(parts).tobytes()
    assert rows[40]["x"][0] < 8
    clip[40][40, 3] = 0  # what pixels count as that are no numbers
    clean = scene.run(make_tracker("vibration", params, SHAPE, 1000.0), clip, "image")
    assert np.concatenate(rows).tobytes() == clean.tobytes()
    short = [exposed(scene.Speckle(seed=5), -0.9 * i) for i in range(4)]
    small = {"points": ((6.0, 48.0),), "window": 9, "search": 1}
    fast = scene.run(make_tracker("vibration", small, SHAPE, 1000.0), short, "image")
    assert (fast["x"] < 4).any()
    assert (fast["state"] == State.TRACKED).all()
    monkeypatch.setattr(host.Loop, "native", lambda *_: None)
    assert scene.run(make_tracker("vibration", small, SHAPE, 1000.0), short, "image").tobytes() == fast.tobytes()
