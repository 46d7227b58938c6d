"""Where hidden windows are expected and how sure that is, against simulated motions of many kinds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernels.executors import natives
from kernels.loops import language
from pipelines.features import State
from pipelines.trackers.base import make_tracker
from pipelines.trackers.columns import Columns
from pipelines.trackers.kalman import KALMAN_COLUMNS
from pipelines.trackers.registration.occlusion.occlusion_prediction import STRAYING_COLUMNS, coast, moved, strayed
from pipelines.trackers.registration.occlusion.occlusion_prediction_loops import FEWEST, KNOTS, PAST

Array = Any
NOISE = 0.02


@pytest.fixture(autouse=True)
def compiled():
    language.provide(natives.load)
    yield
    language.provide(natives.load)


def path(kind, many, frames, rng):
    """(frames, 2, many), px."""
    t = np.arange(frames)[:, None, None] * np.ones((1, 2, many))
    speed = np.exp(rng.uniform(np.log(0.05), np.log(1.5), many)) * rng.choice([-1, 1], (2, many))
    match kind:
        case "still":
            return 0.0 * t
        case "straight":
            return speed * t
        case "shaking":
            return speed * np.sin(2 * np.pi * t / rng.uniform(4, 30, many) + rng.uniform(0, 7, many))
        case "Brownian":
            return np.cumsum(speed * rng.normal(size=t.shape), axis=0)
        case _:  # a velocity that is forgotten by and by
            kept, v = np.exp(-1.0 / rng.uniform(5, 60, many)), speed * rng.normal(size=t.shape)
            for k in range(1, frames):
                v[k] = kept * v[k - 1] + np.sqrt(1 - kept * kept) * v[k]
            return np.cumsum(v, axis=0)


def columns(many):
    spec = dict.fromkeys((*KALMAN_COLUMNS, "px", "py", "gap", "offset"), "f8")
    t = Columns({**spec, **STRAYING_COLUMNS})
    t.append(many, p00=9.0, pvar=NOISE**2)
    return t


def watch(t, places, steps=None):
    """Show places (frames, 2, many) to rows; steps: frames since the frame before, each."""
    every = np.arange(len(t))
    for k, (x, y) in enumerate(places):
        if k:
            t["gap"] += 1.0 if steps is None else steps[k]
            moved(t, every, x, y)
        t["x"], t["y"], t["px"], t["py"] = x, y, x, y
        t["gap"][:] = 0.0


def hide(t, frames):
    """How many frames they were not seen; where they are expected, (frames, 2, many), and variances."""
    where, variances = [], []
    for _ in range(frames):
        t["gap"] += 1.0
        coast(t, np.arange(len(t)), 1.0)
        where.append(np.stack((t["x"], t["y"])))
        variances.append(strayed(t, 1e9))
    return np.array(where), np.array(variances)


@pytest.mark.parametrize("kind", ["still", "straight", "shaking", "Brownian", "flying"])
def test_the_variance_is_that_of_the_errors(kind):
    rng = np.random.default_rng(5)
    true = path(kind, 1500, 112, rng)
    t = columns(1500)
    watch(t, true[:80] + rng.normal(0, NOISE, true[:80].shape))
    where, variances = hide(t, 32)
    squares = 0.5 * ((where - true[80:]) ** 2).sum(axis=1) / variances
    for frames in (1, 4, 16, 32):
        low = 0.3 if kind == "shaking" and frames > 4 else 0.6  # what turns back may not: it never gets surer again
        assert low < squares[frames - 1].mean() < 1.6, frames
    assert 0.6 < squares.mean() < 1.4


@pytest.mark.parametrize(
    ("kind", "frames", "most"), [("still", 32, 1.5 * NOISE), ("straight", 32, 3 * NOISE), ("shaking", 32, 0.5)]
)
def test_what_goes_on_as_it_did_is_where_it_is_expected(kind, frames, most):
    rng = np.random.default_rng(6)
    true = path(kind, 500, 80 + frames, rng)
    t = columns(500)
    watch(t, true[:80] + rng.normal(0, NOISE, true[:80].shape))
    assert np.sqrt(np.median((hide(t, frames)[0][-1] - true[-1]) ** 2)) < most


def test_nothing_goes_on_for_longer_than_it_was_seen_to():
    t = columns(1)
    watch(t, np.arange(20.0)[:, None, None] * np.array([[1.0], [-2.0]]))
    where, variances = hide(t, 128)
    np.testing.assert_allclose(where[[0, 3, 15], :, 0], [[20, -40], [23, -46], [35, -70]], atol=1e-6)
    np.testing.assert_allclose(where[63:, :, 0] - [39, -78], 0.0, atol=1e-6)  # 20 frames on
    np.testing.assert_allclose(variances[127, 0], 2.5 * 108**2, rtol=0.01)  # but it may have


@pytest.mark.parametrize("seen", range(1, 9))
def test_a_few_frames_tell_something(seen):
    rng = np.random.default_rng(7)
    t = columns(1000)
    watch(t, rng.normal(0, NOISE, (seen, 2, 1000)))
    where, variances = hide(t, 8)
    if seen < FEWEST:  # nobody knows how it moves, but the filter what may be
        assert (variances == 9.0).all()
        return
    assert 0.5 < (0.5 * (where**2).sum(axis=1) / variances).mean() < 1.5
    assert np.median(np.sqrt(variances[-1])) < 4 * NOISE


def test_a_place_less_sure_than_those_before_it_says_so():
    """As where a cover drew a window along before it hid it."""
    rng = np.random.default_rng(8)
    t = columns(400)
    places = rng.normal(0, NOISE, (60, 2, 400))
    places[-1] += rng.normal(0, 0.3, (2, 400))
    watch(t, places)
    t["pvar"][:] = 0.3**2
    where, variances = hide(t, 10)
    assert 0.7 < (0.5 * (where**2).sum(axis=1) / variances).mean() < 1.4


def test_what_all_frames_have_in_common_is_not_told_by_their_differences():
    rng = np.random.default_rng(9)
    t = columns(400)
    watch(t, rng.normal(0, NOISE, (60, 2, 400)) + rng.normal(0, 0.1, (2, 400)))
    t["offset"][:], t["pvar"][:] = 0.1**2, 0.1**2 + NOISE**2
    where, variances = hide(t, 10)
    assert 0.8 < (0.5 * (where**2).sum(axis=1) / variances).mean() < 1.25


def test_frames_in_which_nobody_saw_it_count_as_one():
    t = columns(1)
    steps = np.ones(40)
    steps[25] = 9.0
    way = np.cumsum(steps) - 1.0
    watch(t, [(np.array([0.5 * k]), np.array([0.0])) for k in way], steps)
    past = np.sort(t["past"][0, 0, :40])
    np.testing.assert_allclose(np.diff(past), 0.5)
    where, variances = hide(t, 4)
    np.testing.assert_allclose(where[3, 0, 0] - t["px"][0], 2.0, atol=1e-9)
    assert variances[3, 0] < 9 * NOISE**2


def test_loops_and_python_have_the_same_bits():
    rng, made = np.random.default_rng(10), []
    places = [path(kind, 2, 70, rng) for kind in ("straight", "shaking", "flying")]
    places = np.concatenate(places, axis=2) + rng.normal(0, NOISE, (70, 2, 6))
    for loader in (natives.load, None):
        language.provide(loader)
        t = columns(6)
        watch(t, places[: PAST + 3])
        made.append((*hide(t, 2), t["ahead"].copy()))
    for one, two in zip(*made, strict=True):
        assert one.tobytes() == two.tobytes()
    assert made[0][2].shape == (6, 3, KNOTS)


def test_nothing_is_less_known_than_where_in_the_picture():
    t = columns(3)
    watch(t, np.cumsum(np.random.default_rng(1).normal(size=(30, 2, 3)), axis=0))
    hide(t, 50)
    assert (strayed(t, 4.0) == 4.0).all()


@pytest.mark.parametrize("second", [None, np.full((128, 128), 90, np.uint8)], ids=["bad", "blank"])
def test_a_point_that_was_seen_once_alone_is_nowhere_for_sure(scene, second):
    picture = np.rint(120 + 40 * scene.Speckle(seed=9).image(128, 128)).clip(0, 255).astype(np.uint8)
    for name in ("template", "klt"):
        rows = scene.run(make_tracker(name, {"points": ((60, 64),)}, (128, 128), 1000.0), [picture, second], "image")
        guesses = rows[(rows["state"] == State.PREDICTED) & (rows["frame"] == 1)]
        assert (guesses["sigma"] > 1.0).all()  # 0 is for the first frame
        assert len(guesses) or (name == "klt" and second is not None)  # which gives it up
