"""What begins is expected to move as the nearest thing does, as far as neighbours move alike."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.trackers.base import make_tracker

SHAPE = (256, 256)
SPEED = 4.8
"""px/frame."""


def moving(velocities: np.ndarray, frames: int, seed: int = 0) -> list[np.ndarray]:
    """Places of things on a lattice in the middle of the picture, that many frames long."""
    side = int(np.sqrt(len(velocities)))
    start = np.stack(np.meshgrid(*(np.linspace(90, 166, side),) * 2), -1).reshape(-1, 2)
    noise = np.random.default_rng(seed).normal(0, 0.05, (frames, *start.shape))
    return [start + velocities * (k - frames / 2) + noise[k] for k in range(frames)]


def follow(scene, places):
    tracker = make_tracker("blob", {}, SHAPE, 1000.0)
    rows = scene.run(tracker, [scene.features(one, 100.0, 0.05) for one in places])
    return rows, tracker.association


def rho(population) -> float:
    return population.shared2 / population.moving2


def test_neighbours_that_move_alike_and_such_that_do_not(scene):
    alike = np.tile([2.0, 1.0], (36, 1))
    assert rho(follow(scene, moving(alike, 12))[1].population) == pytest.approx(1.0, abs=0.02)
    found = []
    for seed in range(6):
        turn = np.random.default_rng(seed).uniform(0, 2 * np.pi, 36)
        own = 2.0 * np.stack((np.cos(turn), np.sin(turn)), -1)
        found.append(rho(follow(scene, moving(own, 12, seed))[1].population))
    assert abs(np.mean(found)) < 0.15


def test_a_newcomer_begins_with_the_velocity_of_what_is_near(scene):
    places = moving(np.tile([2.0, 1.0], (36, 1)), 12)
    places[-1] = np.concatenate((places[-1], [[126.0, 130.0]]))
    _, association = follow(scene, places)
    t = association.tracks
    newest = np.argmax(t["track"])
    assert (t["vx"][newest], t["vy"][newest]) == pytest.approx((2.0, 1.0), abs=0.1)
    assert t["p11"][newest] == 1.0  # what is left of the variance is never less than FIRST_SPEED^2


def test_a_row_of_newcomers_as_far_apart_as_they_go_in_a_frame(scene):
    """Each comes to where the one before it was: by their places alone all of them stand still."""
    lanes = np.stack(np.meshgrid(np.arange(-400.0, 256.0, 30.0), np.arange(20.0, 240.0, 30.0)), -1).reshape(-1, 2)
    row = np.stack((np.arange(-12, 0) * (SPEED + 0.3) - 12 * SPEED, np.full(12, 125.0)), -1)
    frames = [np.concatenate((lanes, row)) + (SPEED * k, 0.0) for k in range(40)]
    inside = [np.flatnonzero((one[:, 0] > 0) & (one[:, 0] < 255)) for one in frames]
    rows, _ = follow(scene, [one[there] for one, there in zip(frames, inside, strict=True)])
    for thing in range(len(lanes), len(lanes) + len(row)):
        ids = set()
        for k, (one, there) in enumerate(zip(frames, inside, strict=True)):
            if k > 20 and thing in there:
                here = rows[(rows["frame"] == k) & (rows["state"] <= 1)]
                away = np.hypot(here["x"] - one[thing, 0], here["y"] - one[thing, 1])
                ids |= set(here["track"][away < 0.5].tolist())
        assert len(ids) <= 1


def test_a_snapshot_keeps_it(scene):
    places = moving(np.tile([2.0, 1.0], (36, 1)), 12)
    _, association = follow(scene, places)
    other = make_tracker("blob", {}, SHAPE, 1000.0).association
    other.restore(association.snapshot())
    for name in ("shared2", "moving2", "neighbours", "long_moment"):
        assert getattr(other.population, name) == getattr(association.population, name)
