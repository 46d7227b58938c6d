"""What is less certain along one axis stays so in the tracks: variance of (estimate - truth) / sigma, per axis."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.features import FEATURE_DTYPE, State, sigmas
from pipelines.trackers.base import make_tracker

APART, FINE = 200.0, 20


def crowd(seed, share, sigma, bend=0.5, jerk=0.0, frames=36, side=8):
    """Things apart from each other on paths whose velocity (`bend`) or acceleration (`jerk`) is a random walk, as the
    filters believe; `share` is the anisotropy of each. Places, tables."""
    rng = np.random.default_rng(seed)
    start = np.stack(np.meshgrid(*(APART * (0.5 + np.arange(side)),) * 2), -1).reshape(-1, 2)
    shape = (frames * FINE, side * side, 2)
    walk = rng.normal(0, jerk or bend, shape) / FINE**0.5
    for _ in range(2 + (jerk > 0)):
        walk = np.cumsum(walk, 0) / FINE
    path = start + (walk * FINE)[FINE - 1 :: FINE]
    tables = []
    for places in path:
        made = np.zeros(side * side, FEATURE_DTYPE)
        made["sigma"], made["anisotropy"], made["mass"], made["area"] = sigma, share, 100.0, 9.0
        made["x"], made["y"] = (places + rng.normal(size=places.shape) * np.stack(sigmas(made), -1)).T
        tables.append(made)
    return path, tables


def followed(tables, **params):
    tracker = make_tracker("blob", params, (1600, 1600), 1000.0)
    return tracker.update_batch(range(len(tables)), [k / 1000 for k in range(len(tables))],
                                [{"features": one} for one in tables])  # fmt: skip


@pytest.mark.parametrize("share", [0.0, 0.6, -0.8])
@pytest.mark.parametrize(("motion", "bend", "jerk", "sigma"), [
    ("velocity", 0.5, 0.0, 0.05), ("velocity", 0.5, 0.0, 0.4), ("velocity", 0.1, 0.0, 0.6),
    ("acceleration", 0.5, 0.1, 0.1)])  # fmt: skip
def test_each_axis_of_a_track_has_its_own_sigma(motion, bend, jerk, sigma, share):
    path, tables = crowd(31, share, sigma, bend, jerk)
    rows = followed(tables, motion=motion, acceleration=bend, jerk=jerk or 0.1)
    z = []
    for places, one in list(zip(path, rows, strict=True))[14:]:
        one = one[one["state"] == State.TRACKED]
        near = np.abs(np.stack((one["x"], one["y"]), -1)[:, None] - places).sum(2).argmin(1)
        error = np.stack((one["x"], one["y"]), -1) - places[near]
        z.append(error / np.stack(sigmas(one), -1))
    x, y = (np.concatenate(z) ** 2).mean(0)
    assert x == pytest.approx(1.0, abs=0.2)
    assert y == pytest.approx(1.0, abs=0.2)


@pytest.mark.parametrize(("sigma", "share"), [(0.4, 0.95), (1.6, 0.95), (0.4, -0.95)])
def test_no_axis_becomes_certain_where_an_uneven_thing_is_seen_again(sigma, share):
    path, tables = crowd(32, 0.0, 0.15, bend=0.05, frames=30, side=4)
    draw = np.random.default_rng(33)
    for places, made in zip(path, tables, strict=True):
        made["sigma"], made["anisotropy"] = sigma, share
        made["x"], made["y"] = (places + draw.normal(size=places.shape) * np.stack(sigmas(made), -1)).T
    tables[14:18] = [made[:0] for made in tables[14:18]]
    for one in followed(tables, acceleration=0.05)[18:]:
        one = one[one["state"] == State.TRACKED]
        assert (np.abs(one["anisotropy"]) < 0.99).all()  # 1: one sigma of 0


def test_the_mean_of_both_axes_does_not_depend_on_how_they_differ():
    rows = [np.concatenate(followed([one.copy() for one in crowd(7, share, 0.1)[1]])) for share in (0.0, 0.0)]
    tables = crowd(7, 0.0, 0.1)[1]
    for table in tables:
        table["anisotropy"] = np.linspace(-1, 1, len(table))
    other = np.concatenate(followed(tables))
    for name in ("track", "x", "y"):
        assert (rows[0][name] == other[name]).all()
    seen = rows[0]["state"] != State.PREDICTED  # of guesses the border may tell something on either axis
    assert (rows[0]["sigma"] == other["sigma"])[seen].all()
    assert (rows[0]["anisotropy"][rows[0]["state"] == State.TRACKED] == 0).all()
    assert np.abs(other["anisotropy"]).max() > 0.8


def even(rows):
    every = np.concatenate(rows)
    return (every["anisotropy"][every["state"] == State.TRACKED] == 0).all()


def test_given_noise_and_what_is_no_share_are_the_same_for_both_axes():
    tables = crowd(8, 0.5, 0.1)[1]
    assert even(followed(tables, measurement_sigma=0.1))
    for odd in (np.nan, 1.5, -np.inf):
        for table in tables:
            table["anisotropy"] = odd
        assert even(followed(tables))


def test_what_left_is_less_certain_across_the_border():
    tables = []
    for k in range(14):
        made = np.zeros(2, FEATURE_DTYPE)  # one goes on downwards, one to the right
        made["x"], made["y"] = (300.0, 1580.0 + 2.0 * k), (1580.0 + 2.0 * k, 300.0)
        made["sigma"], made["mass"], made["area"] = 0.1, 100.0, 9.0
        tables.append(made[(made["x"] < 1599) & (made["y"] < 1599)])
    last = followed(tables)[-1]
    assert (last["state"] == State.PREDICTED).all()
    below, beside = (last[last[axis] > 1599] for axis in ("y", "x"))
    assert len(below) == len(beside) == 1
    assert below["anisotropy"][0] < -0.5
    assert beside["anisotropy"][0] > 0.5
