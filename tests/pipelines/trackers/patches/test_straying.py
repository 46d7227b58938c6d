"""How far hidden windows may have strayed, against simulated flights whose velocity is forgotten."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.features import State
from pipelines.trackers.base import make_tracker
from pipelines.trackers.columns import Columns
from pipelines.trackers.kalman import KALMAN_COLUMNS
from pipelines.trackers.patches.straying import FEW, LONG, STRAYING_COLUMNS, coast, moved, strayed

FINE = 10  # steps a frame
SPEED = 0.7


def flights(time, frames, rng, many=20_000):
    """Ways in each frame (frames, many) of a velocity that is forgotten in `time` frames."""
    kept = np.exp(-1.0 / (FINE * time))
    v = rng.normal(0, SPEED, many)
    steps = np.zeros((frames, many))
    for k in range(frames * FINE):
        v = v * kept + rng.normal(0, SPEED * np.sqrt(1 - kept * kept), many)
        steps[k // FINE] += v / FINE
    return steps


def columns(many, **values):
    t = Columns({**dict.fromkeys((*KALMAN_COLUMNS, *STRAYING_COLUMNS, "px", "py", "gap"), "f8")})
    t.append(many, **{"p00": 9.0, **values})
    return t


def unseen(t, gap):
    """As trackers carry on what is not seen: straight, then as it may be expected."""
    every = np.arange(len(t))
    for _ in range(gap):
        t["x"] += t["vx"]
        t["y"] += t["vy"]
        coast(t, every, 1.0)
        t["gap"] += 1.0


@pytest.mark.parametrize("gap", [1, 4, 12, 40])
@pytest.mark.parametrize("time", [0.3, 4.0, 12.0])
def test_the_variance_is_that_of_such_flights(time, gap):
    """Of velocities that fluctuate about zero, with what is known of them from long sequences."""
    steps = flights(time, gap + 2, np.random.default_rng(1))
    pace, turns = np.mean(steps**2), np.mean(steps[1:] * steps[:-1])
    t = columns(steps.shape[1], vx=steps[1], sx=steps[1], pace=pace, turns=turns, pvar=0.09)
    unseen(t, gap)
    error = np.mean((t["x"] - steps[2:].sum(axis=0)) ** 2)
    np.testing.assert_allclose(strayed(t, 1e6)[0], FEW * error + 0.09, rtol=0.1)
    straight = np.mean((gap * steps[1] - steps[2:].sum(axis=0)) ** 2)
    assert error < straight * (1.0 if gap < 4 else 0.9)
    assert strayed(t, 0.05)[0] == 0.05  # nothing is less known than where in the picture
    t["pace"][:] = 0.0  # seen twice at most: nothing is known of how it moves
    assert strayed(t, 1e6)[0] == 9.0


@pytest.mark.parametrize("gap", [2, 10, 30])
def test_what_drifts_goes_on_and_may_stop(gap):
    """A slow velocity is another at any frame, once in LONG frames."""
    rng = np.random.default_rng(2)
    v, place = rng.normal(0, SPEED, 50_000), np.zeros(50_000)
    t = columns(len(v), vx=v, sx=v, ux=v, drifts=SPEED**2, pace=1e-12, pvar=0.09)
    for _ in range(gap):
        v = np.where(rng.random(len(v)) < 1.0 / LONG, rng.normal(0, SPEED, len(v)), v)
        place += v
    unseen(t, gap)
    np.testing.assert_allclose(strayed(t, 1e6)[0], FEW * np.mean((t["x"] - place) ** 2) + 0.09, rtol=0.06)


def test_what_stands_still_stays_where_it_was_seen():
    """Noise of places looks like a velocity that turns about; it leads nowhere."""
    rng, many, noise = np.random.default_rng(3), 4000, 0.02
    t, every = columns(many, pvar=noise**2), np.arange(many)
    seen = rng.normal(0, noise, (60, 2, many))
    for k in range(1, 60):
        t["px"], t["py"] = seen[k - 1]
        moved(t, every, *seen[k])
    t["x"], t["y"] = seen[-1]
    np.testing.assert_allclose(np.mean(t["turns"]) / np.mean(t["pace"]), -0.5, atol=0.08)
    unseen(t, 30)
    error = np.mean(t["x"] ** 2)
    assert error < 1.3 * noise**2
    assert error < np.mean(strayed(t, 1e6)) < 25 * noise**2


def test_velocities_over_several_frames_tell_nothing_of_one():
    t = columns(2, sx=0.4, ux=0.3, pace=0.1, drifts=0.1, turns=0.05, gap=np.array([1.0, 3.0]))
    moved(t, np.arange(2), np.array([0.5, 1.5]), np.zeros(2))
    assert t["pace"][0] < 0.1
    assert t["pace"][1] == 0.1
    assert t["ux"][1] == 0.5  # the mean over these frames


@pytest.mark.parametrize("second", [None, np.full((128, 128), 90, np.uint8)], ids=["bad", "blank"])
def test_a_point_that_was_seen_once_alone_is_nowhere_for_sure(scene, second):
    picture = np.rint(120 + 40 * scene.Speckle(seed=9).image(128, 128)).clip(0, 255).astype(np.uint8)
    for name in ("template", "klt"):
        rows = scene.run(make_tracker(name, {"points": ((60, 64),)}, (128, 128), 1000.0), [picture, second], "image")
        guesses = rows[(rows["state"] == State.PREDICTED) & (rows["frame"] == 1)]
        assert (guesses["sigma"] > 1.0).all()  # 0 is for the first frame
        assert len(guesses) or (name == "klt" and second is not None)  # which gives it up
