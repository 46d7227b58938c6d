"""Corners that something covers for a while: where they are meanwhile, and after it."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.executors import natives
from kernels.loops import language
from pipelines.features import State
from pipelines.trackers.base import make_tracker

SHAPE = (160, 160)


@pytest.fixture(autouse=True)
def compiled():
    language.provide(natives.load)


@pytest.fixture(scope="module")
def plate(scene):
    return scene.Speckle(seed=11, corr=1.6)


def u8(plate):
    return np.rint(120 + 35 * plate.image(*SHAPE)).clip(0, 255).astype(np.uint8)


def test_a_corner_of_which_a_part_is_covered_is_followed_by_the_rest(scene, plate):
    covered = u8(plate)
    clip = []
    for i in range(24):
        image = covered.copy()
        if 10 <= i < 18:  # a bright disc over part of the window, at rest
            y, x = np.mgrid[:160, :160]
            image[(x - 88) ** 2 + (y - 84) ** 2 < 36] = 230
        clip.append(image)
    made = make_tracker("klt", {"refill": 0.0}, SHAPE, None)
    found = scene.features([(80, 80)])
    rows = np.concatenate([made.update(i, i / 1000, {"image": c, "features": found[: None if i == 0 else 0]})
                           for i, c in enumerate(clip)])  # fmt: skip
    assert len(rows) == 24
    assert len(made.renewals) == 0
    assert (rows["state"][2:] == State.TRACKED).all()
    assert np.hypot(rows["x"] - 80, rows["y"] - 80).max() < 0.05
    during = rows[(rows["frame"] > 13) & (rows["frame"] < 18)]
    after = rows[rows["frame"] > 19]
    assert during["sigma"].min() > after["sigma"].max()
    assert (after["score"] > 0.99).all()
    assert np.hypot(after["x"] - 80, after["y"] - 80).max() < 0.01


def test_what_passes_before_a_corner_does_not_take_it_away(scene, plate):
    behind, front, found = u8(plate), u8(scene.Speckle(seed=77, corr=2.0)), scene.features([(80, 80)])
    made = make_tracker("klt", {"refill": 0.0, "window": 15}, SHAPE, None)
    rows = []
    for k in range(90):
        image, at = behind.copy(), k + 35
        image[:, max(at - 30, 0) : at] = front[:, 30 - (at - max(at - 30, 0)) : 30]
        rows.append(made.update(k, k / 1000, {"image": image, "features": found[: None if k == 0 else 0]}))
    x = np.concatenate(rows)["x"]
    assert np.abs(x - 80).max() > 5.0  # it goes along
    assert np.abs(x[-5:] - 80).max() < 0.05


def test_a_corner_is_there_again_when_what_had_covered_it_is_gone_at_once(scene, plate):
    behind, front, found = u8(plate), u8(scene.Speckle(seed=77, corr=2.0)), scene.features([(80, 80)])
    made = make_tracker("klt", {"refill": 0.0, "window": 15}, SHAPE, None)
    rows = []
    for k in range(60):
        image = behind.copy()
        if k < 50:
            image[:, : k + 35] = front[:, 125 - k :][:, : k + 35]
        rows.append(made.update(k, k / 1000, {"image": image, "features": found[: None if k == 0 else 0]}))
    rows = np.concatenate(rows)
    assert len(rows) == 60
    assert (rows["state"] != State.LOST).all()
    assert np.abs(rows["x"] - 80)[49] > 1.0  # it goes along
    assert np.abs(rows["x"] - 80)[50:].max() < 0.05
    assert rows["sigma"][50:].max() < 0.1
