"""The ring of batches on a device that does whatever is legal, in any order; and one that forgets to wait."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors.ring import Results, Ring
from tests.kernels.executors.simulated_device import SimulatedDevice


def copies(results: Results, _: object) -> list[np.ndarray]:
    return [results.seen(i).copy() for i in range(len(results.sizes))]


def run(device: SimulatedDevice, lengths: list[int], slots: int, fetch: list[bool]) -> bool:
    """Whether a running sum over batches comes out; `fetch`: whose result is asked for at once."""
    ring = Ring(device, slots)
    state = device.memory(1)
    state[:] = 0
    total, expected, pending = 0, [], []
    for i, length in enumerate(lengths):
        frames = np.random.default_rng(i).integers(0, 256, length, dtype=np.uint8)

        def work(stream, inputs, outputs, length=length):  # type: ignore[no-untyped-def]
            def kernel() -> None:
                for k in range(length):
                    state[0] = (int(state[0]) + int(inputs[0][k])) % 256
                    outputs[0][k] = state[0]
                outputs[1][:1] = inputs[0][:1]

            device.enqueue(kernel, stream)

        pending.append(ring.submit([frames], [length, 1], [], work, copies))
        frames_before = frames.copy()
        frames[:] = 0  # the caller may use its memory again
        sums = (total + np.cumsum(frames_before.astype(np.int64))) % 256
        total = int(sums[-1])
        expected.append((sums.astype(np.uint8), frames_before[:1]))
        if fetch[i % len(fetch)]:
            pending[-1].result()
    ring.drain()
    return all(
        np.array_equal(p.result()[0], e[0]) and np.array_equal(p.result()[1], e[1])
        for p, e in zip(pending, expected, strict=True)
    )


LENGTHS = st.lists(st.integers(1, 9), min_size=1, max_size=12)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from((0.0, 0.3, 0.9)), LENGTHS, st.integers(1, 4),
       st.lists(st.booleans(), min_size=1, max_size=5))  # fmt: skip
def test_any_legal_order_gives_the_same_results(
    seed: int, eager: float, lengths: list[int], slots: int, fetch: list[bool]
) -> None:
    assert run(SimulatedDevice(seed, eager), lengths, slots, fetch)


@pytest.mark.parametrize("forgotten", ["wait", "synchronize"])
def test_a_wait_that_is_missing_shows(forgotten: str) -> None:
    wrong = sum(not run(SimulatedDevice(seed, 0.3, (forgotten,)), [4] * 8, 3, [False]) for seed in range(20))
    assert wrong >= 10


def test_nothing_is_allocated_in_steady_state() -> None:
    device = SimulatedDevice(1)
    assert run(device, [9] * 4, 3, [False])
    few = device.allocated
    device = SimulatedDevice(1)
    assert run(device, [9] * 4 + [5] * 40, 3, [False])
    assert device.allocated == few


def test_device_memory_is_used_where_it_lies() -> None:
    device = SimulatedDevice(3)
    ring = Ring(device)

    class Lying:
        """Device memory that is no host array."""

        content = np.arange(4, dtype=np.uint8)

    def work(stream, inputs, outputs):  # type: ignore[no-untyped-def]
        device.enqueue(lambda: outputs[0].__setitem__(slice(0, 4), inputs[0].content), stream)

    assert ring.submit([Lying()], [4], [], work, copies).result()[0].tolist() == [0, 1, 2, 3]
