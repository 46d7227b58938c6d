"""The gate compiled against NumPy's; batches of updates, and trackers with and without machine code."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.executors import natives
from kernels.host import loops
from pipelines.features import FEATURE_DTYPE, Features
from pipelines.trackers.base import make_tracker
from pipelines.trackers.columns import Columns
from pipelines.trackers.linking.gating import pairs

quiet = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    loops.provide(natives.load)
    yield
    loops.provide(natives.load)


@quiet
@given(st.integers(0, 9999), st.integers(0, 30), st.integers(0, 30), st.floats(0.1, 60.0), st.floats(0.5, 900.0))
def test_pairs_compiled_are_numpys(seed: int, tracks: int, detections: int, speed: float, gate: float) -> None:
    random = np.random.default_rng(seed)
    t = Columns(dict.fromkeys(("x", "y", "gap", "p00"), "f8"))
    x, y = (random.integers(0, 40, tracks) * 1.0 for _ in range(2))
    t.append(tracks, x=x, y=y, gap=random.choice([0.5, 1.0, 3.0], tracks), p00=random.uniform(0.01, 9, tracks))
    found = np.zeros(detections, FEATURE_DTYPE)
    found["x"], found["y"] = random.integers(0, 40, detections), np.sort(random.integers(0, 40, detections))
    noise = random.uniform(0.01, 9, detections)
    made = pairs(t, found, noise, speed, gate)
    loops.provide(None)
    expected = pairs(t, found, noise, speed, gate)
    assert [a.tobytes() for a in made] == [a.tobytes() for a in expected]


def crowd(seed: int, frames: int) -> list[Features]:
    """Things that cross, vanish for a while and come with false ones."""
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 40))
    place, speed = random.uniform(0, 120, (2, n)), random.normal(0, 2, (2, n))
    made = []
    for _ in range(frames):
        place = place + speed
        speed = np.where((place < 0) | (place > 119), -speed, speed)
        seen = random.random(n) > 0.1
        other = int(random.poisson(1.0))
        found = np.zeros(int(seen.sum()) + other, FEATURE_DTYPE)
        for name, axis in (("x", 0), ("y", 1)):
            found[name] = np.concatenate((place[axis, seen], random.uniform(0, 119, other)))
            found[name] += random.normal(0, 0.1, len(found))
        found["mass"], found["area"] = random.uniform(50, 100, len(found)), 5.0
        found["xx"] = found["yy"] = 2.0
        found["sigma"] = 0.1
        made.append(found)
    return made


@quiet
@given(st.integers(0, 9999), st.lists(st.integers(1, 9), min_size=1, max_size=8))
def test_batches_and_machine_code_change_nothing(seed: int, lengths: list[int]) -> None:
    frames = crowd(seed, sum(lengths))
    one = make_tracker("blob", {}, (120, 120), 100.0)
    expected = [one.update(i, i / 100, {"features": f}).tobytes() for i, f in enumerate(frames)]
    loops.provide(None)
    other = make_tracker("blob", {}, (120, 120), 100.0)
    made, start = [], 0
    for length in lengths:
        at = range(start, start + length)
        rows = other.update_batch(at, [i / 100 for i in at], [{"features": frames[i]} for i in at])
        made += [r.tobytes() for r in rows]
        state, other = other.snapshot(), make_tracker("blob", {}, (120, 120), 100.0)
        other.restore(state)
        start += length
    assert made == expected
