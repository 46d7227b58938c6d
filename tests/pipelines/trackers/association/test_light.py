"""What a lamp does to all masses is no occlusion, and what hides one thing is no lamp."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.features import State
from pipelines.trackers.base import make_tracker


def paths(frames=80):
    i = np.arange(frames)
    return np.stack([np.stack((60 + 40 * k + 12 * np.sin(i / 9 + k), 50 + 30 * k + 0.4 * i), 1) for k in range(3)], 1)


def run(scene, factor):
    """Three things in a curved motion whose masses are 100 `factor`(frame, thing)."""
    truth = paths()
    tables = []
    for i, at in enumerate(truth):
        table = scene.features(at, [100 * factor(i, k) for k in range(3)], 0.02)
        table["xx"] = table["yy"] = 25.0  # wide: half of one hidden would be far off
        tables.append(table)
    tracker = make_tracker("blob", {}, (256, 256), 1000.0)
    rows = scene.run(tracker, tables)
    assert np.unique(rows["track"]).tolist() == [0, 1, 2]
    there = truth[rows["frame"], rows["track"]]
    error = np.hypot(rows["x"] - there[:, 0], rows["y"] - there[:, 1])
    return tracker, rows, error


@pytest.mark.parametrize("share", [0.3, 0.6, 1.8])
def test_a_lamp_that_changes_is_followed(scene, share):
    tracker, rows, error = run(scene, lambda i, _: share if 30 <= i < 60 else 1.0)
    assert (rows["state"][rows["frame"] > 2] == State.TRACKED).all()
    settled = ((rows["frame"] > 34) & (rows["frame"] < 60)) | (rows["frame"] > 64)
    assert error[settled].max() < 0.06
    assert rows["sigma"][settled].max() < 0.03
    assert tracker.association.population.light == pytest.approx(1.0, rel=0.2)


def test_a_lamp_that_flickers_is_followed(scene):
    _, rows, error = run(scene, lambda i, _: 1 + 0.4 * np.sin(2 * np.pi * 0.2 * i))
    late = rows["frame"] > 10
    assert (rows["state"][late] == State.TRACKED).all()
    assert np.sqrt(np.mean(error[late] ** 2)) < 0.04


def test_one_thing_that_is_hidden_does_not_change_the_light(scene):
    tracker, rows, _ = run(scene, lambda i, k: 0.4 if k == 1 and 30 <= i < 60 else 1.0)
    assert tracker.association.population.light == pytest.approx(1.0, rel=0.05)
    hidden = (rows["track"] == 1) & (rows["frame"] >= 31) & (rows["frame"] < 60)
    assert rows["sigma"][hidden].min() > 0.03  # it may be off its place
    assert rows["sigma"][(rows["track"] == 0) & (rows["frame"] > 10)].max() < 0.03


@pytest.mark.parametrize("things", [2, 3, 4])
def test_one_of_few_that_is_nearly_gone_is_no_lamp(scene, things):
    at = [(60.0 + 40 * k, 90.0) for k in range(things)]
    tables = [scene.features(at, 100.0)] * 12 + [scene.features(at, [10.0, *[100.0] * (things - 1)])]
    tracker = make_tracker("blob", {}, (256, 256), 1000.0)
    scene.run(tracker, tables)
    assert tracker.association.population.light == 1
