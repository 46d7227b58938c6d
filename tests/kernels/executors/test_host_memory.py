"""Host memory that is used again: never while anybody holds it."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors.host_memory import HostMemory


class Counted:
    """Makes memory, and counts how often; nothing beyond `limit` pieces."""

    def __init__(self, kind: Callable[[int], Any] = bytearray, limit: int = 1 << 30) -> None:
        self.kind, self.limit, self.made = kind, limit, 0

    def __call__(self, size: int) -> Any:
        if self.made >= self.limit:
            raise MemoryError
        self.made += 1
        return self.kind(size)


KINDS: tuple[Callable[[int], Any], ...] = (
    bytearray, lambda n: memoryview(bytearray(n)), lambda n: np.empty(n, np.uint8), lambda n: np.empty(n + 5, "i1")[5:],
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_memory_is_free_when_the_last_view_is_gone(kind: Callable[[int], Any]) -> None:
    count = Counted(kind)
    memory = HostMemory(count)
    first = memory.take((4, 5, 6), np.float32)
    assert (first.shape, first.dtype, first.flags.c_contiguous, first.flags.writeable) == ((4, 5, 6), "f4", True, True)
    assert memory.holds(first)
    part = first[1:, ::2].T.view()
    assert memory.holds(part)
    del first
    second = memory.take((4, 5, 6), np.float32)
    assert not np.shares_memory(part, second)
    del part
    third = memory.take((480,), np.uint8)
    assert not np.shares_memory(second, third)
    assert count.made == 2
    held = memoryview(third)
    del third
    assert count.made == 2
    assert memory.take((480,)).size == 480
    assert count.made == 3  # the memoryview holds it too
    held.release()


def test_what_lies_in_it_is_known() -> None:
    memory = HostMemory(Counted())
    made = memory.take((3, 40, 50))
    assert memory.holds(made)
    assert memory.holds(made[1:, :3, ::4].view(np.uint8))
    assert not memory.holds(made.copy())
    assert not memory.holds(np.frombuffer(bytearray(8), np.uint8))
    assert not HostMemory(Counted()).holds(made)
    assert memory.take((0, 4)).shape == (0, 4)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 30), st.booleans(), st.booleans()), max_size=40))
def test_no_two_that_are_held_share_memory(steps: list[tuple[int, bool, bool]]) -> None:
    memory, held = HostMemory(Counted(), most=200 * 1000), []
    for number, (size, keep, part) in enumerate(steps):
        made = memory.offer((size * 1000,))
        assert memory.bytes <= 200 * 1000
        if made is None:
            continue
        made[...] = number % 256
        if keep:
            held.append((number % 256, made[::3] if part else made))
        elif held and part:
            held.pop(0)
        del made
    assert all((array == value).all() for value, array in held)


def test_steady_use_makes_nothing_new_and_other_sizes_give_way() -> None:
    count = Counted()
    memory = HostMemory(count, most=10_000)
    for _ in range(20):
        a, b = memory.take((3000,)), memory.take((2000,))
        del a, b
    assert count.made == 2
    assert memory.offer((9000,)) is not None  # in place of those
    assert memory.bytes == 9000
    held = memory.offer((9000,))
    assert memory.offer((9000,)) is None
    del held
    gc.collect()
    assert memory.offer((6000,)) is not None


def test_too_little_memory_gives_up_what_is_free_first() -> None:
    memory = HostMemory(Counted(limit=1))
    made = memory.take((100_000,))
    with pytest.raises(MemoryError):
        memory.take((10,))
    del made


def test_threads_never_get_the_same() -> None:
    memory, wrong = HostMemory(Counted()), []

    def work(number: int) -> None:
        for _ in range(300):
            made = memory.take((64,))
            made[...] = number
            if not (made == number).all():
                wrong.append(number)
            del made

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
