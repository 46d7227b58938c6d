"""Windows that are fitted with more parameters where they turn or deform, and with two where they only move."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.executors import natives
from kernels.loops import language
from pipelines.features import State
from pipelines.trackers.base import make_tracker
from pipelines.trackers.registration.reference.reference_update_translation_loops import BEGINS

SIDE = 110
MIDDLE = (55.0, 55.0)
POINTS = ((35.0, 40.3), (62.5, 45.0), (70.0, 70.0), (40.0, 72.0))


@pytest.fixture(autouse=True)
def compiled() -> None:
    language.provide(natives.load)


def turning(scene: Any, angles: Any, noise: float = 2.0, seed: int = 3) -> list[Any]:
    plate, random = scene.Speckle(seed=5, waves=120), np.random.default_rng(seed)
    clip = [120 + 40 * plate.image(SIDE, SIDE, 0.0, 0.0, a, MIDDLE) + random.normal(0, noise, (SIDE, SIDE))
            for a in angles]  # fmt: skip
    return [np.rint(image).clip(0, 255).astype(np.uint8) for image in clip]


def turned(angles: Any) -> Any:
    """Where the points are, (frames, points, 2)."""
    away = np.array(POINTS) - MIDDLE
    c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x, y = away.T
    return np.stack((c * x - s * y, s * x + c * y), -1) + MIDDLE


def followed(scene: Any, clip: list[Any], **params: Any) -> tuple[Any, Any]:
    tracker = make_tracker("template", {"points": POINTS, "window": 21, **params}, (SIDE, SIDE), 1000.0)
    rows = scene.run(tracker, clip, "image")
    assert (rows["state"] == State.TRACKED).all()
    rows = rows.reshape(len(clip), len(POINTS))
    return np.stack((rows["x"], rows["y"]), -1), tracker.tables()["warps"]


def steps_of(error: Any) -> Any:
    """By how much errors change from frame to frame, px."""
    return np.linalg.norm(np.diff(error, axis=0), axis=-1)


@pytest.mark.parametrize("rate", [0.02, 0.06])
def test_what_turns_from_the_first_frame_on_is_followed(scene, rate):
    angles = rate * np.arange(36)
    clip = turning(scene, angles)
    place, warps = followed(scene, clip)
    error = place - turned(angles)
    assert np.sqrt(np.mean(error**2)) < 0.022
    assert steps_of(error).max() < 0.06
    assert (warps["parameters"] >= 3).all()
    assert sorted(set(warps["track"])) == [0, 1, 2, 3]
    assert warps["frame"].max() <= 4
    rigid = followed(scene, clip, model="rigid")[0] - turned(angles)
    assert np.sqrt(np.mean(error**2)) < 1.1 * np.sqrt(np.mean(rigid**2))


def test_many_windows_that_turn_are_asked_before_they_begin_to_learn(scene):
    # Nobody of so many learns in the frames right after the first; a window that only moved there would be off.
    points = tuple((float(x), float(y)) for x in range(32, 80, 7) for y in range(32, 80, 8))
    assert len(points) > BEGINS
    angles = 0.02 * np.arange(4)
    tracker = make_tracker("template", {"points": points, "window": 21}, (SIDE, SIDE), 1000.0)
    rows = scene.run(tracker, turning(scene, angles), "image").reshape(4, -1)
    assert (tracker.t["warp"] > 2).mean() > 0.9
    away = np.array(points) - MIDDLE
    for row, angle in zip(rows[1:], angles[1:], strict=True):
        c, s = np.cos(angle), np.sin(angle)
        x, y = (away @ np.array([[c, s], [-s, c]]) + MIDDLE).T
        z = np.hypot(row["x"] - x, row["y"] - y) / row["sigma"]
        assert np.mean(z**2) < 2.6  # 2 if sigma were exact


def test_a_slow_turn_is_noticed_without_a_jump(scene):
    angles = np.radians(0.08) * np.maximum(np.arange(120) - 20.0, 0.0)
    place, warps = followed(scene, turning(scene, angles))
    error = place - turned(angles)
    assert (warps["frame"] >= 20).all()
    assert warps["frame"].min() < 70
    assert sorted(set(warps["track"])) == [0, 1, 2, 3]
    at = [(row["frame"], row["track"]) for row in warps[warps["parameters"] == 3]]
    # The frame after which it was noticed is the last that was only shifted; noise alone is 0.02 here.
    jumps = [np.linalg.norm(error[f + 1 : f + 4, k].mean(axis=0) - error[f - 2 : f + 1, k].mean(axis=0)) for f, k in at]
    assert max(jumps) < 0.05
    assert np.sqrt(np.mean(error**2)) < 0.022
    tracker = make_tracker("template", {"points": POINTS, "window": 21, "model": "translation"}, (SIDE, SIDE), 1000.0)
    rows = scene.run(tracker, turning(scene, angles), "image")
    rows = rows[rows["frame"] == 119]
    stiff = np.hypot(rows["x"] - turned(angles)[-1][rows["track"], 0], rows["y"] - turned(angles)[-1][rows["track"], 1])
    assert len(rows) < 4 or stiff.max() > 0.05  # which shows that there is something to notice


@pytest.mark.parametrize("noise", [2.0, 25.0])
def test_what_only_moves_is_only_moved(scene, noise):
    plate, random = scene.Speckle(seed=8, waves=120), np.random.default_rng(4)
    path = np.cumsum(random.uniform(-0.5, 0.5, (70, 2)), axis=0)
    path[0] = 0.0
    clip = [120 + 40 * plate.image(SIDE, SIDE, *p) + random.normal(0, noise, (SIDE, SIDE)) for p in path]
    place, warps = followed(scene, clip)
    assert len(warps) == 0
    alone, _ = followed(scene, clip, model="translation")
    assert np.abs(place - alone).max() < 0.03 * noise / 25.0
    assert np.sqrt(np.mean((place - np.array(POINTS) - path[:, None]) ** 2)) < (0.01 if noise < 3 else 0.12)


def test_what_is_stretched_gets_six_parameters(scene):
    random = np.random.default_rng(6)
    k = random.normal(0, 0.6, (60, 2))
    k, phase = k[np.hypot(*k.T) < 1.5], random.uniform(0, 6.28, 60)
    v, u = np.mgrid[:SIDE, :SIDE] - 55.0
    clip, true = [], []
    for i in range(40):
        grow = 1.0 + 0.004 * i
        clip.append(100 + 10 * sum(np.cos(a * u / grow + b * v + c) for (a, b), c in zip(k, phase, strict=False)))
        true.append([(55.0 + grow * (x - 55.0), y) for x, y in POINTS])
    place, warps = followed(scene, clip)
    assert sorted(warps["track"][warps["parameters"] == 6]) == [0, 1, 2, 3]
    assert np.sqrt(np.mean((place - np.array(true)) ** 2)) < 0.02


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 9999))
def test_changes_have_the_same_bits_in_batches_and_after_a_restart(scene, seed):
    random = np.random.default_rng(seed)
    start, rate = int(random.integers(0, 24)), random.uniform(0.003, 0.05)
    angles = rate * np.maximum(np.arange(44) - start, 0)
    clip = turning(scene, angles, seed=seed)
    if random.random() < 0.5:
        clip[30][20:60, 20:60] = 90
    params = {"points": POINTS, "window": int(random.choice([15, 21])),
              "reference_frames": int(random.choice([1, 5, 16]))}  # fmt: skip
    times = [i / 1000 for i in range(44)]
    made = [make_tracker("template", params, (SIDE, SIDE), 1000.0) for _ in range(3)]
    first = [made[0].update(i, times[i], {"image": image}) for i, image in enumerate(clip)]
    cuts = [0, *sorted(set(random.integers(1, 43, 3).tolist())), 44]
    second = []
    for a, b in pairwise(cuts):
        second += made[1].update_batch(range(a, b), times[a:b], [{"image": image} for image in clip[a:b]])
        if b == cuts[-2]:
            made[2].restore(made[1].snapshot())
    assert b"".join(one.tobytes() for one in second) == b"".join(one.tobytes() for one in first)
    third = made[2].update_batch(range(cuts[-2], 44), times[cuts[-2] :],
                                 [{"image": image} for image in clip[cuts[-2] :]])  # fmt: skip
    assert b"".join(one.tobytes() for one in third) == b"".join(one.tobytes() for one in first[cuts[-2] :])
    states = [one.snapshot() for one in made]
    assert all(states[0][name].tobytes() == other[name].tobytes() for other in states[1:] for name in states[0])
    assert made[2].tables()["warps"].tobytes() == made[0].tables()["warps"].tobytes()
