"""What is faster than all that is followed: its second sighting, where newcomers are rare."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.features import State
from pipelines.trackers.base import make_tracker

SHAPE = (256, 640)


def believed(scene, frames: list[np.ndarray]) -> list[tuple[int, float]]:
    """Of each believed track how many sightings it has, and from where to where it went, px."""
    tracker = make_tracker("blob", {}, SHAPE, 1000.0)
    rows = scene.run(tracker, [scene.features(places, 100.0, 0.1) for places in frames])
    rows = rows[rows["state"] == State.TRACKED]
    return [(int((rows["track"] == one).sum()), float(np.ptp(rows["x"][rows["track"] == one])))
            for one in np.unique(rows["track"])]  # fmt: skip


@pytest.mark.parametrize("speed", [8.0, 20.0, 35.0])
@pytest.mark.parametrize("slow", [0, 1, 4])
def test_a_projectile_among_things_that_hardly_move(scene, speed: float, slow: int) -> None:
    rng = np.random.default_rng(slow)
    still = rng.uniform((20, 20), (620, 100), (slow, 2))
    frames = [still + rng.normal(0, 0.1, still.shape) for _ in range(12)]
    count = int(600 / speed)
    for k in range(count):
        place = np.array([[20.0 + speed * k, 180.0]]) + rng.normal(0, 0.1, (1, 2))
        frames.append(np.vstack((still + rng.normal(0, 0.1, still.shape), place)))
    fast = [one for one in believed(scene, frames) if one[1] > 100]
    assert len(fast) == 1
    assert fast[0][0] == count - 2  # believed at the third


@pytest.mark.parametrize(("many", "share"), [(1.0, 0.02), (3.0, 0.06), (10.0, 0.16)])
def test_what_flashes_anywhere_makes_few_tracks(scene, many: float, share: float) -> None:
    """So many false detections a frame, each for itself; of the first steps as far as the velocities of believed tracks
    alone it is as many."""
    rng = np.random.default_rng(5)
    frames = [rng.uniform((0, 0), SHAPE[::-1], (rng.poisson(many), 2)) for _ in range(300)]
    rows = sum(one[0] for one in believed(scene, frames))
    assert rows <= share * 300 * many
