"""The ring of a live run: every frame once, in order, as views, and no longer waited for than patience lasts."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.ir.image import ImageType, dtype_of
from pipelines.streaming.ring import Ring


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
    thread.join(10)
    assert [t[0].indices.tolist() for t in taken] == [[0], [1, 2, 3, 4], [5, 6]]
