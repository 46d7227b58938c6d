"""Many windows learn in turns, so that no frame takes much longer than another, with the same bits every way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from kernels.executors import natives
from kernels.loops import language
from pipelines.trackers.base import make_tracker
from pipelines.trackers.registration.reference.reference_update_translation_loops import BEGINS, TURN, WAITS
from tests.oracles.registration import in_place

SIDE = 150
GRID = np.arange(14.0, 136.0, 7.0)
MANY = tuple((x, y) for x in GRID for y in GRID)  # 324


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    language.provide(natives.load)
    yield
    language.provide(natives.load)


@pytest.fixture(scope="module")
def clip() -> list[Any]:
    from tests.pipelines.trackers.conftest import Speckle

    plate, random = Speckle(seed=5, waves=90), np.random.default_rng(4)
    made = [120 + 35 * plate.image(SIDE, SIDE, 0.3 * np.sin(i), 0.02 * i) + random.normal(0, 3, (SIDE, SIDE))
            for i in range(12)]  # fmt: skip
    return [np.rint(one).clip(0, 255).astype(np.uint8) for one in made]


def made_of(name: str, points: Any) -> Any:
    more = {"max_points": 0} if name == "klt" else {}
    return make_tracker(name, {"points": points, "window": 9, "reference_frames": 5, **more}, (SIDE, SIDE), 1000.0)


def fed(tracker: Any, clip: list[Any], cuts: list[int]) -> bytes:
    out = b""
    for first, last in pairwise(cuts):
        which = range(first, last)
        rows = tracker.update_batch(which, [i / 1000 for i in which], [{"image": clip[i]} for i in which])
        out += b"".join(one.tobytes() for one in rows)
    return out


@pytest.mark.parametrize("name", ["template", "klt"])
def test_windows_begin_to_learn_a_few_a_frame_and_many_in_turns(clip, name):
    for points, most in ((MANY[:BEGINS], BEGINS), (MANY[:100], 25), (MANY[:200], 50), (MANY, len(MANY) / WAITS)):
        tracker = made_of(name, points)
        fed(tracker, clip, [0, 1])
        turns, few = -(-len(points) // TURN), len(points) <= BEGINS
        for i in range(1, 12):
            t = tracker.t
            before, begun, seen = t["averaged"].copy(), t["averaged"] > 1, t["looks"].copy()
            tracker.update(i, i / 1000, {"image": clip[i]})
            joined = t["averaged"] > before
            assert np.count_nonzero(joined & ~begun) <= most + 1
            assert np.count_nonzero(joined & begun) <= TURN
            assert np.count_nonzero(t["looks"] > seen) <= TURN
            assert (t["offset"] > 0).all()  # else nobody knew the noise of its first frame
            assert i < turns or (t["looks"] > 0).all()
            assert (joined.any() or i > 4) == (few or i > 1)  # of many nobody where all are looked at
            if i > max(WAITS, turns):
                assert (t["averaged"] > 1).all()
        assert len(points) > TURN or (t["averaged"] == 5).all()


@pytest.mark.parametrize("name", ["template", "klt"])
def test_it_has_the_same_bits_in_batches_with_numpy_and_after_a_restart(clip, name):
    one = made_of(name, MANY)
    first = fed(one, clip, list(range(13)))
    batches = made_of(name, MANY)
    assert fed(batches, clip, [0, 1, 9, 12]) == first
    kept = batches.snapshot()
    assert {key: value.tobytes() for key, value in one.snapshot().items()} == {k: v.tobytes() for k, v in kept.items()}
    halved = made_of(name, MANY)
    half = fed(halved, clip, [0, 4])
    again = made_of(name, MANY)
    again.restore(halved.snapshot())
    assert half + fed(again, clip, [4, 6, 12]) == first
    with in_place():
        assert fed(made_of(name, MANY), clip[:5], [0, 5]) == first[: len(first) // 12 * 5]
