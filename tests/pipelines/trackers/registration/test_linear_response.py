"""What is kept of windows' answers: room that grows, and what is said of those of which nothing alike was measured."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.executors import natives
from kernels.loops import language
from pipelines.features import sigmas
from pipelines.trackers import vibration
from pipelines.trackers.base import make_tracker

SIDE = 96


@pytest.fixture(autouse=True)
def compiled():
    language.provide(natives.load)


def test_room_that_grows_changes_no_bit(scene, monkeypatch):
    plate = scene.Speckle(seed=3, corr=1.7)
    clip = [(120 + 30 * plate.image(SIDE, SIDE, 0.3 * k, 0.2 * k)).astype(np.float32) for k in range(6)]
    points = [(20.0, 20.0), (60.0, 24.0), (30.0, 60.0, 2), (70.0, 70.0, 2), (44.0, 44.0, 4)]
    made = []
    for ahead in (vibration.AHEAD, 1):
        monkeypatch.setattr(vibration, "AHEAD", ahead)
        tracker = make_tracker("vibration", {"points": points, "window": 15}, (SIDE, SIDE), 1000.0)
        made.append(scene.run(tracker, clip, "image"))
    assert len(made[0]) == 2 + 2 + 4 + 4 + 5 + 5
    assert made[1].tobytes() == made[0].tobytes()


def test_sigma_allows_for_answers_of_which_none_alike_is_straightened_yet(scene):
    plate, x = scene.Speckle(seed=3, corr=1.7), np.arange(SIDE)
    points = [(12.0 + 3 * k, 20.0 + 7 * (k % 8)) for k in range(12)] + [(76.0, 30.0), (76.0, 60.0)]
    clip = []
    for away in (0.0, 0.6):
        image = 120 + 30 * plate.image(SIDE, SIDE, away, 0.0)
        clip.append(np.where(x < 60, image, 120 + 30 * np.sin(0.9 * (x - away))).astype(np.float32))
    tracker = make_tracker("vibration", {"points": points, "window": 15}, (SIDE, SIDE), 1000.0)
    rows = scene.run(tracker, clip, "image")
    rows = rows[rows["frame"] == 1]
    assert not tracker.t["bent"][-2:].any()
    assert np.abs(rows["x"][-2:] - 76.6) == pytest.approx(0.011, abs=0.005)  # what there is to allow for
    across, along = sigmas(rows)  # of stripes that stand
    assert across[-2:] == pytest.approx(0.009, abs=0.004)
    assert along[-2:] == pytest.approx(15.0, rel=0.01)  # anywhere in the window


def test_whoever_keeps_a_copy_is_told_when_it_is_another(scene):
    """`version` changes whenever `arrays` says anything else: what a GPU holds of windows goes up by it."""
    plate = scene.Speckle(seed=3, corr=1.7)
    image = (120 + 30 * plate.image(SIDE, SIDE, 0.0, 0.0)).astype(np.float32)
    tracker = make_tracker("vibration", {"points": [(20.0, 20.0), (60.0, 24.0)], "window": 15}, (SIDE, SIDE), 1000.0)
    tracker.update(0, 0.0, {"image": image})
    answers = tracker.answers
    for change in (lambda: answers.make(np.arange(2)), answers.level, lambda: answers.keep(np.ones(2, bool))):
        before = answers.version
        change()
        assert answers.version > before
