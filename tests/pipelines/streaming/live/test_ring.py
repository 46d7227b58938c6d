"""The ring of a live run: every frame once, in order, as views, and no longer waited for than patience lasts."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.ir.image import ImageType, dtype_of
from pipelines.streaming.live.ring import Ring
from tests.patience import PATIENCE


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 9), st.lists(st.integers(1, 7), min_size=1, max_size=40), st.integers(1, 6))
def test_a_ring_gives_every_frame_once_in_order_as_views(slots: int, runs: list[int], wanted: int) -> None:
    ring = Ring(slots, ImageType(dtype_of(np.dtype("u1")), 2, 3))
    put, got, held = 0, [], []
    for run in runs:
        start, room = ring.free()
        count = min(run, room)
        assert room <= slots - ring.used
        for k in range(count):
            ring.pixels[start + k] = (put + k) % 251
            ring.sequence[start + k], ring.times[start + k] = put + k, (put + k) / 10
            ring.captured[start + k] = 0.0
        ring.publish(count)
        put += count
        while ring.waiting:
            taken = ring.batch(wanted, 0.0)
            assert taken is not None
            batch, slot = taken
            assert len(batch) <= wanted
            assert np.shares_memory(batch.pixels, ring.pixels)
            assert (batch.pixels == (batch.indices % 251)[:, None, None]).all()
            assert batch.times.tolist() == (batch.indices / 10).tolist()
            assert ring.sequence[slot] == batch.indices[0]
            got += batch.indices.tolist()
            held.append(len(batch))
        for length in held[: len(held) // 2 + 1]:
            ring.release(length)
        del held[: len(held) // 2 + 1]
    assert got == list(range(put))
    ring.close()
    assert ring.batch(1, 0.0) is None


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 9), st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9), st.booleans()), max_size=60))
def test_a_ring_gives_up_what_is_too_old_and_nobody_has_taken(slots: int, steps: list[tuple[int, int, bool]]) -> None:
    """What was given out before stays in its memory until it is released, however much behind it is given up."""
    ring = Ring(slots, ImageType(dtype_of(np.dtype("u1")), 1, 1))
    put, seen, held = 0, [], []
    for count, age, done in steps:
        start, room = ring.free()
        for k in range(start, start + min(count, room)):
            ring.pixels[k], ring.sequence[k], ring.captured[k] = put % 251, put, put
            put += 1
        ring.publish(min(count, room))
        late = ring.give_up(put - age).tolist()
        assert late == [i for i in range(len(seen), put) if i < put - age]
        seen += late
        if ring.waiting:
            taken = ring.batch(2, 0.0)
            assert taken is not None
            held.append(taken[0])
            seen += taken[0].indices.tolist()
        if held and done:
            batch = held.pop(0)
            assert (batch.pixels.ravel() == batch.indices % 251).all()
            ring.release(len(batch))
    for batch in held:
        assert (batch.pixels.ravel() == batch.indices % 251).all()
        ring.release(len(batch))
    assert seen == list(range(len(seen)))
    assert ring.used == ring.waiting == put - len(seen)


def test_a_ring_waits_for_a_batch_but_not_longer_than_its_patience() -> None:
    ring = Ring(8, ImageType(dtype_of(np.dtype("u1")), 2, 3))
    taken: list[Any] = []
    thread = threading.Thread(target=lambda: taken.extend([ring.batch(4, 0.05), ring.batch(4, 1000.0),
                                                           ring.batch(4, 1000.0)]))  # fmt: skip
    thread.start()
    ring.sequence[:7] = range(7)
    ring.captured[0] = time.perf_counter()
    ring.publish(1)
    while not taken and ring.waiting:
        time.sleep(0.001)
    ring.captured[1:7] = time.perf_counter()
    ring.publish(5)
    ring.publish(1)
    while ring.waiting > 2:
        time.sleep(0.001)
    ring.close()
    thread.join(PATIENCE)
    assert [t[0].indices.tolist() for t in taken] == [[0], [1, 2, 3, 4], [5, 6]]
