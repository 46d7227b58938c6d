"""What is compiled can be watched: which program of how many, and functions one by one."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from kernels.compiling import Compiling, compiling, now, part_of
from kernels.executors.machine import Machine
from pipelines.definition import load
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.building import Order, build
from tests.patience import PATIENCE
from tests.pipelines.clips import MemoryClip, moving_spots


def test_a_program_is_one_of_many_and_a_function_one_more() -> None:
    assert now() is None
    with part_of("gray+smooth", 2, 3):
        assert now() is None  # it may be kept on disk
        with compiling():
            assert now() == Compiling("gray+smooth", 2, 3)
    with compiling():
        first = now()
    with compiling():
        second = now()
    assert first is not None
    assert second is not None
    assert (first.name, first.count) == ("", 0)
    assert second.number == first.number + 1
    assert now() is None


def test_of_several_threads_the_one_that_began_first_is_told() -> None:
    go_on, begun = threading.Event(), threading.Event()

    def other() -> None:
        with part_of("a", 1, 2), compiling():
            begun.set()
            go_on.wait(PATIENCE)

    thread = threading.Thread(target=other)
    thread.start()
    assert begun.wait(PATIENCE)
    with part_of("b", 2, 2), compiling():
        assert now() == Compiling("a", 1, 2)
    go_on.set()
    thread.join()
    assert now() is None


def test_what_fails_is_compiled_no_more() -> None:
    with pytest.raises(ZeroDivisionError), compiling():
        raise ZeroDivisionError
    assert now() is None


def test_every_program_of_a_cold_cache_is_seen_and_none_of_a_warm_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    seen: list[Compiling | None] = []
    real = Machine._target

    def target(self: Machine) -> object:
        seen.append(now())
        return real(self)

    monkeypatch.setattr(Machine, "_target", target)
    clip = MemoryClip(moving_spots(2, 48))
    prepare(load("corners"), clip, None)
    order = Order(clip.info, "cpu")
    build(load("corners"), order)
    told = [one for one in seen if one is not None and one.name]
    assert told
    assert [one.number for one in told] == sorted(one.number for one in told)
    assert all(1 <= one.number <= one.count for one in told)
    seen.clear()
    build(load("corners"), order)
    assert not [one for one in seen if one is not None and one.name]
