"""How well corners are followed where the truth is known: bias, noise, sigma, light, turning; beside OpenCV's."""

from __future__ import annotations

import numpy as np
import pytest

from app.sources.simulated.source import make_scene
from kernels.executors import natives
from kernels.loops import language
from kernels.opencv import cv2
from pipelines.features import Reason, State
from pipelines.trackers.base import make_tracker

FRAMES, SIDE, FULL, READ = 25, 144, 10_000.0, 8.0


@pytest.fixture(autouse=True)
def compiled() -> None:
    language.provide(natives.load)


def exposed(light, bits, random):
    """Photons, read noise and rounding of a sensor of 10 000 electrons; no noise without `random`."""
    charge = light * FULL
    if random is not None:
        charge = random.poisson(np.maximum(charge, 0.0)) + random.normal(0, READ, light.shape)
    top = 2**bits - 1
    return np.clip(np.rint(charge / FULL * top), 0, top).astype(np.uint8 if bits == 8 else np.uint16)


class Vibration:
    """A texture that moves by known fractions of a pixel, and what trackers say about it."""

    def __init__(self, scene, corr=1.2, bits=8, light=1.0, flicker=0.0, noise=True, **params):
        plate, random = scene.Speckle(seed=4, corr=corr, waves=200), np.random.default_rng(7)
        k = np.arange(FRAMES)
        self.path = np.stack(((k * 0.194) % 2.0, (k * 0.101) % 1.6), 1)
        self.path -= self.path[0]
        lamp = light * (1 + flicker * np.sin(2 * np.pi * 0.1 * k))
        self.light = [(0.45 + 0.14 * plate.image(SIDE, SIDE, *p)) * level
                      for p, level in zip(self.path, lamp, strict=True)]  # fmt: skip
        self.clip = [exposed(one, bits, random if noise else None) for one in self.light]
        steps = 1e-3
        self.slopes = [
            (plate.image(SIDE, SIDE, -dx, -dy) - plate.image(SIDE, SIDE, dx, dy)) / (2 * steps) * 0.14 * light
            for dx, dy in ((steps, 0.0), (0.0, steps))
        ]
        self.bits = bits
        tracker = make_tracker("klt", {"max_points": 60, "min_distance": 12.0, **params}, (SIDE, SIDE), 1000.0)
        self.rows = scene.run(tracker, self.clip, "image")
        self.renewals = tracker.renewals
        first = self.rows[self.rows["frame"] == 0]
        edge = 14  # corners that cannot leave the picture
        low, high = np.minimum(first["x"], first["y"]), np.maximum(first["x"], first["y"])
        self.first = first[(low > edge) & (high < SIDE - edge)]
        kept = self.rows[np.isin(self.rows["track"], self.first["track"])]
        self.alive = len(kept[(kept["frame"] == FRAMES - 1) & (kept["state"] == State.TRACKED)]) / len(self.first)
        kept = kept[(kept["state"] != State.LOST) & (kept["frame"] > 0)]
        home = np.searchsorted(self.first["track"], kept["track"])
        self.frame = kept["frame"]
        moved = [kept[a] - self.first[a][home] for a in "xy"]
        self.error = np.stack(moved, 1) - self.path[kept["frame"]]
        self.score = self.error / kept["sigma"][:, None]

    def rms(self):
        return np.sqrt(np.mean(self.error**2))

    def curve(self):
        """The largest mean error of a frame: the S-curve, as every frame has its own fraction of a pixel."""
        return max(np.abs(self.error[self.frame == k].mean(0)).max() for k in range(1, FRAMES))

    def bound(self):
        """The smallest error of least squares between two frames of this noise, root mean square of corners, px."""
        quantum = (1.0 / (2**self.bits - 1)) ** 2 / 12
        variance = (np.maximum(self.light[0], 0) * FULL + READ**2) / FULL**2 + quantum
        out = []
        for row in self.first:
            there = np.s_[int(row["y"]) - 10 : int(row["y"]) + 11, int(row["x"]) - 10 : int(row["x"]) + 11]
            jacobian = np.stack([self.slopes[0][there].ravel(), self.slopes[1][there].ravel(),
                                 self.light[0][there].ravel(), np.ones(441)])  # fmt: skip
            solver = np.linalg.inv(jacobian @ jacobian.T) @ jacobian
            out.append(2 * np.diag((solver * variance[there].ravel()) @ solver.T)[:2])
        return np.sqrt(np.mean(out))

    def opencv(self):
        """Root mean square error and largest mean error of cv2.calcOpticalFlowPyrLK against the first frame."""
        clip = [c if self.bits == 8 else (c >> (self.bits - 8)).astype(np.uint8) for c in self.clip]
        start = np.stack((self.first["x"], self.first["y"]), 1).astype(np.float32)
        errors = []
        for k in range(1, FRAMES):
            guess = (start + self.path[k]).astype(np.float32)
            found, _, _ = cv2.calcOpticalFlowPyrLK(
                clip[0], clip[k], start, guess, winSize=(21, 21), maxLevel=3, flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
                criteria=(3, 30, 0.001))  # fmt: skip
            errors.append(found - start - self.path[k])
        return np.sqrt(np.mean(np.square(errors))), np.abs(np.mean(errors, 1)).max()


@pytest.mark.parametrize("corr", [1.2, 2.0])
def test_fractions_of_a_pixel_do_not_bias(scene, corr):
    made = Vibration(scene, corr=corr, bits=12, noise=False)
    rms, curve = made.opencv()
    assert made.curve() < 0.001 < 0.004 < curve
    assert made.rms() < 0.0015 < 0.1 * rms + 0.0011
    assert made.alive == 1.0


@pytest.mark.parametrize(("bits", "light"), [(8, 1.0), (12, 1.0), (16, 1.0), (8, 0.25), (12, 1 / 16)])
def test_noise_is_that_of_the_pixels_and_sigma_says_so(scene, bits, light):
    made = Vibration(scene, bits=bits, light=light)
    assert made.alive == 1.0
    assert made.rms() < (1.08 if light == 1.0 else 1.15) * made.bound()
    assert made.rms() < made.opencv()[0]
    assert 0.8 < np.mean(made.score**2) < 1.2
    assert not len(made.renewals)


@pytest.mark.parametrize("bits", [8, 12])
def test_a_flickering_lamp_changes_nothing(scene, bits):
    made = Vibration(scene, bits=bits, light=0.7, flicker=0.25)
    assert made.alive == 1.0
    assert made.rms() < 1.08 * made.bound()
    assert made.opencv()[0] > 3 * made.rms()
    assert 0.8 < np.mean(made.score**2) < 1.2


def test_sigma_is_right_without_an_anchor_and_with_few_frames(scene):
    for params in ({"reference_frames": 1}, {"model": "affine", "check": "always"}):
        made = Vibration(scene, **params)
        assert 0.8 < np.mean(made.score**2) < 1.25, params
        assert made.rms() < 0.0075
    drifting = Vibration(scene, anchor=False)
    assert np.mean(drifting.score**2) < 1.0  # a bound: each step's noise is in part that of the next


def follow(spec, frames, **params):
    """Errors (frames - 1, points, 2) and sigma of the truth's points in a simulated scene, and lost rows."""
    one = make_scene(spec)
    truth = [one.truth(i) for i in range(frames)]
    x, y = np.rint(truth[0]["x"]), np.rint(truth[0]["y"])
    found = np.zeros(len(x), [("x", "f8"), ("y", "f8"), ("peak", "f8")])
    found["x"], found["y"], found["peak"] = x, y, 1.0
    made = make_tracker("klt", {"max_points": len(x), "min_distance": 1.0, "refill": 0.0, **params}, one.shape, one.fps)
    rows = np.concatenate([made.update(i, i / one.fps, {"image": one.render(i), "features": found[: 0 if i else None]})
                           for i in range(frames)])  # fmt: skip
    first = rows[rows["frame"] == 0]
    which = np.array([np.argmin(np.hypot(x - r["x"], y - r["y"])) for r in first])
    error, sigma = np.full((frames, len(x), 2), np.nan), np.full((frames, len(x)), np.nan)
    offset = np.stack((x - truth[0]["x"], y - truth[0]["y"]), 1)
    for k in range(frames):
        mine = rows[(rows["frame"] == k) & (rows["state"] != State.LOST)]
        point = which[np.searchsorted(first["track"], mine["track"])]
        true = np.stack((truth[k]["x"], truth[k]["y"]), 1)[point]
        if one.name == "disk":
            turn = 2 * np.pi * one.rate * k / one.fps
            turned = offset @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        else:
            turned = offset
        error[k, point] = np.stack((mine["x"], mine["y"]), 1) - true - turned[point]
        error[k, point[~truth[k]["visible"][point]]] = np.nan
        sigma[k, point] = mine["sigma"]
    return error[1:], sigma[1:], rows[rows["state"] == State.LOST], made


def test_a_turning_disk_is_followed_by_affine_windows(scene):
    error, sigma, lost, made = follow("sim:disk?rate=3&width=160&height=160&points=30", 90, model="affine")
    assert not len(lost)
    assert not len(made.renewals)
    assert np.sqrt(np.mean(error**2)) < 0.012  # OpenCV from frame to frame: beyond 1 px
    assert 0.8 < np.mean((error / sigma[..., None]) ** 2) < 1.4  # and the lever of the point beside its window


def test_a_beam_under_a_lamp(scene):
    error, sigma, lost, _ = follow("sim:beam?flicker=0.25&bits=12", 40)
    assert not len(lost)
    assert np.sqrt(np.mean(error**2)) < 0.008
    assert 0.8 < np.mean((error / sigma[..., None]) ** 2) < 1.25


def test_markers_covered_by_a_blink_get_their_first_reference_back(scene):
    error, _, lost, made = follow("sim:face", 280, window=11)
    assert not len(lost)
    assert len(made.renewals)
    assert (made.t["slot"] == made.t["first"]).mean() > 0.8
    assert np.sqrt(np.nanmean(error[-20:] ** 2)) < 0.03


@pytest.mark.parametrize("seed", [402, 405])
def test_what_a_lid_drew_along_goes_back_to_where_it_was_left(scene, seed):
    error, sigma, lost, made = follow(f"sim:face?seed={seed}", 235, window=11)
    assert not len(lost)
    assert len(made.renewals)
    assert np.nanmax(np.abs(error[-5:])) < 0.15  # one lay 2 px off until the end
    assert np.nanmax(np.abs(error) / sigma[..., None]) < 6.0


@pytest.mark.parametrize("rate", [3, 8])
def test_sigma_says_how_far_what_looks_different_may_have_misled(scene, rate):
    """Windows that only move, on a disk that turns: they are renewed again and again."""
    error, sigma, _, made = follow(f"sim:disk?rate={rate}&width=160&height=160&points=30", 100)
    assert len(made.renewals) > 30
    late = error[40:], sigma[40:, :, None]
    assert 0.5 < np.nanmean((late[0] / late[1]) ** 2) < 1.5  # as if it were noise: 20 and more


def test_a_picture_without_texture_loses_all_and_says_why(scene):
    plate = scene.Speckle(seed=1)
    clip = [np.rint(120 + 30 * plate.image(96, 96)).astype(np.uint8), *[np.full((96, 96), 80, np.uint8)] * 3]
    rows = scene.run(make_tracker("klt", {"window": 15}, (96, 96), 1000.0), clip, "image")
    lost = rows[rows["state"] == State.LOST]
    assert len(lost) == (rows["frame"] == 0).sum() > 5
    assert set(lost["reason"].tolist()) == {Reason.NO_TEXTURE}
    assert not (rows["frame"] > 1).any()
