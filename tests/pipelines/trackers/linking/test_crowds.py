"""Frames in which many things merge, part, turn or are nobody's: compiled lists of eight against NumPy, bit for bit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from kernels.executors import natives
from kernels.host import loops
from pipelines.features import FEATURE_DTYPE, Features, Reason
from pipelines.trackers.base import make_tracker

SIZE = 400


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    loops.provide(natives.load)
    yield
    loops.provide(natives.load)


def table(places: np.ndarray, mass: np.ndarray, oval: float = 0.0) -> Features:
    made = np.zeros(len(mass), FEATURE_DTYPE)
    made["x"], made["y"], made["mass"], made["sigma"], made["area"] = *places, mass, 0.1, 12.0
    made["xx"], made["yy"], made["peak"] = 1.5 + oval, 1.5, 10.0
    return made


def merging(seed: int, pairs: int) -> list[Features]:
    """Pairs that come together, are one detection for a while and part, among others that nobody follows yet."""
    r = np.random.default_rng(seed)
    middle = r.uniform(10, SIZE - 10, (2, pairs))
    mass, frames = r.lognormal(5, 0.3, (2, pairs)), []
    for k in range(14):
        away = abs(k - 7) * 0.8
        noise = r.normal(0, 0.05, (2, 2, pairs))
        if away < 2.5:
            one = table(middle + noise[0], mass.sum(0), away * away / 4)
        else:
            way = np.array([[away / 2], [0.0]])
            one = np.concatenate([table(middle + s * way + n, m) for s, n, m in zip((1, -1), noise, mass, strict=True)])
        heavy = table(r.uniform(0, SIZE, (2, 12)), np.full(12, 900.0))
        frames.append(np.concatenate((one, heavy))[r.permutation(len(one) + 12)])
    return frames


def turning(seed: int, count: int) -> list[Features]:
    """Things of which all turn at once, beyond every gate."""
    r = np.random.default_rng(seed)
    place, speed = r.uniform(20, SIZE - 20, (2, count)), r.normal(0, 1.5, (2, count))
    mass, frames = r.lognormal(5, 0.3, count), []
    for k in range(12):
        speed = -4.0 * speed if k == 6 else speed
        place = place + speed
        frames.append(table(place + r.normal(0, 0.1, place.shape), mass * np.exp(r.normal(0, 0.05, count))))
    return frames


@pytest.mark.parametrize("frames", [merging(1, 90), merging(2, 9), turning(3, 150), turning(4, 20)])
def test_crowds_are_linked_as_numpy_links_them(frames: list[Features]) -> None:
    made, states = [], []
    for loader in (natives.load, None):
        loops.provide(loader)
        tracker = make_tracker("blob", {"min_hits": 2}, (SIZE, SIZE), 100.0)
        indices, inputs = range(len(frames)), [{"features": one.copy()} for one in frames]
        made.append(tracker.update_batch(indices, [k / 100 for k in indices], inputs))
        states.append({name: values.tobytes() for name, values in tracker.snapshot().items()})
    assert [rows.tobytes() for rows in made[0]] == [rows.tobytes() for rows in made[1]]
    assert states[0] == states[1]


def test_the_crowds_hold_what_they_are_for() -> None:
    tracker = make_tracker("blob", {"min_hits": 2}, (SIZE, SIZE), 100.0)
    frames = merging(1, 90)
    rows = tracker.update_batch(range(14), [k / 100 for k in range(14)], [{"features": one} for one in frames])
    assert max(int((one["reason"] == Reason.MERGED).sum()) for one in rows) > 40
