from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from app.exports.background import InBackground
from kernels.errors import InputError
from pipelines.features import no_tracks
from pipelines.frame import FrameBatch, Result
from tests.patience import PATIENCE


def batch(index: int, megabytes: int = 0, tapped: int = 0) -> tuple[FrameBatch, list[Result]]:
    """One frame of so many MB, and as many as are tapped of it."""
    pixels, taps = (np.zeros((1, max(1, many), 1 << 20), np.uint8) for many in (megabytes, tapped))
    return FrameBatch(np.array([index]), np.array([0.0]), pixels), [Result(index, 0.0, {"a": taps[0]}, no_tracks())]


class Slow:
    def __init__(self, fails_at: int = -1) -> None:
        self.seen: list[int] = []
        self.go = threading.Event()
        self.fails_at = fails_at

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        self.go.wait(PATIENCE)
        if results[0].index == self.fails_at:
            raise InputError("the disk is full")
        self.seen += [r.index for r in results]

    def close(self) -> None:
        self.seen.append(-1)


def test_all_arrive_in_order_and_close_comes_last() -> None:
    slow = Slow()
    sink = InBackground(slow)
    for i in range(3):
        sink.write(*batch(i))
    slow.go.set()
    for i in range(3, 50):
        sink.write(*batch(i))
    sink.close()
    assert slow.seen == [*range(50), -1]


@pytest.mark.parametrize("kind", ["frames", "taps"])
def test_what_fits_into_memory_is_not_waited_for_and_what_is_more_is(kind: str) -> None:
    slow = Slow()
    sink = InBackground(slow)
    sizes: dict[str, int] = {"megabytes" if kind == "frames" else "tapped": 19}
    back = [threading.Event() for _ in range(4)]

    def write_all() -> None:
        for i in range(4):
            sink.write(*batch(i, **sizes))
            back[i].set()

    writer = threading.Thread(target=write_all, daemon=True)
    writer.start()
    assert back[2].wait(5.0)
    assert not back[3].wait(0.1)
    slow.go.set()
    assert back[3].wait(PATIENCE)
    writer.join()
    sink.close()
    assert slow.seen == [0, 1, 2, 3, -1]
    assert sink.waited > 0.0


def test_an_error_reaches_the_writer_and_nothing_hangs() -> None:
    slow = Slow(fails_at=2)
    slow.go.set()
    sink = InBackground(slow)

    def write_all() -> None:
        for i in range(100):
            sink.write(*batch(i))
        sink.finish()

    with pytest.raises(InputError, match="disk is full"):
        write_all()
    sink.finish()
    assert slow.seen == [0, 1]


def test_the_first_failure_is_the_one_that_is_told() -> None:
    slow: Any = Slow(fails_at=0)
    slow.go.set()

    def fail() -> None:
        with InBackground(slow) as sink:
            sink.write(*batch(0))
            raise ValueError("first")

    with pytest.raises(ValueError, match="first"):
        fail()


def test_the_time_it_took_is_told() -> None:
    slow: Any = Slow()
    with InBackground(slow) as sink:
        sink.write(*batch(0))
        assert sink.seconds == 0.0  # it has not come back yet
        slow.go.set()
    assert sink.seconds > 0.0
    assert sink.waited > 0.0
