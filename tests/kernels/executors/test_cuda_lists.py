"""Lists of candidates come down with the batch that made them, as far as they are filled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.codegen.cuda import cuda
from kernels.executors.cuda_results import FIRST, LEAST, Filling
from kernels.executors.cuda_runner import CudaRunner
from kernels.executors.device import Piece
from kernels.executors.reference import ReferenceProgram
from kernels.ir.image import U8, ImageType
from kernels.plugins import find_stage
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.pipelines.emulated import ApartDevice

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

SIZE = 33, 47
BODY = find_stage("peaks").build([ImageType(U8, *SIZE)], {"capacity": 300, "threshold": 100.0})
PROGRAM = cuda(BODY)
NAME = BODY.outputs[0].name
ROW = 17
"""Bytes of a candidate on the device: where it is, its value, how far it is off the middle of the pixel."""


def clip(counts: list[int]) -> np.ndarray:
    """Frames with so many bright pixels, no two beside each other."""
    made = np.zeros((len(counts), *SIZE), np.uint8)
    places = [(y, x) for y in range(1, SIZE[0], 2) for x in range(1, SIZE[1], 2)]
    for number, count in enumerate(counts):
        for k in np.random.default_rng(number).permutation(len(places))[:count]:
            made[(number, *places[k])] = 101 + (k * 7) % 150
    return made


def said(results: Any) -> list[Any]:
    return [(table.rows.tobytes(), table.overflow) for table in results[NAME]]


def test_the_pictures_hold_what_they_say() -> None:
    found = ReferenceProgram(BODY).run([clip([0, 5, 299, 301, 350])], {})[NAME]
    assert [len(table.rows) for table in found] == [0, 5, 299, 300, 300]
    assert [table.overflow for table in found] == [0, 0, 0, 1, 50]
    assert found[0].rows.dtype.itemsize == ROW


def test_nothing_is_waited_for_but_the_batch() -> None:
    device = ApartDevice(1)
    runner = CudaRunner(BODY, PROGRAM, device)
    frames = clip([40, 45, 50, 39] * 9)
    expected = said(ReferenceProgram(BODY).run([frames], {}))
    came, crossed = [], []
    for i in range(0, 36, 2):
        before = device.down
        came += said(runner.run([frames[i : i + 2]], {}))
        crossed.append(device.down - before)
    assert came == expected
    assert device.fetched == 0
    # The numbers, and 64 rows a frame: 50 and a quarter are 62, the next multiple of 4 is that.
    assert crossed[-1] == 2 * (4 + 64 * ROW) < crossed[0]


def test_fuller_lists_come_by_a_second_way_once() -> None:
    device = ApartDevice(2)
    runner = CudaRunner(BODY, PROGRAM, device)
    frames = clip([3] * 40 + [280, 350, 299, 300])
    expected = said(ReferenceProgram(BODY).run([frames], {}))
    came = [row for i in range(0, 40, 2) for row in said(runner.run([frames[i : i + 2]], {}))]
    assert device.fetched == 0
    came += said(runner.run([frames[40:42]], {}))
    assert device.fetched == 1
    came += said(runner.run([frames[42:]], {}))
    assert device.fetched == 1  # the next batch brings the whole list at once
    assert came == expected


def test_nothing_is_allocated_once_lists_have_been_full() -> None:
    device = ApartDevice(3)
    runner = CudaRunner(BODY, PROGRAM, device)
    frames = clip([350, 2] * 3 + [2] * 94)
    for i in range(0, 24, 2):
        runner.run([frames[i : i + 2]], {})
    before = device.allocated
    for i in range(24, 100, 2):
        runner.run([frames[i : i + 2]], {})
    assert device.allocated == before


@settings(max_examples=20, deadline=None)
@given(
    counts=st.lists(st.sampled_from((0, 1, 5, 40, 200, 299, 350)), min_size=1, max_size=14),
    lengths=st.lists(st.integers(1, 4), min_size=1, max_size=4),
    seed=st.integers(0, 10**6),
    eager=st.sampled_from((0.0, 0.3, 0.9)),
)
def test_in_any_legal_order_the_lists_are_the_references(
    counts: list[int], lengths: list[int], seed: int, eager: float
) -> None:
    frames = clip(counts)
    runner = CudaRunner(BODY, PROGRAM, ApartDevice(seed, eager))
    pending, start, turn = [], 0, 0
    while start < len(frames):
        length = lengths[turn % len(lengths)]
        pending.append(runner.submit([frames[start : start + length]], {}))
        start, turn = start + length, turn + 1
    came = [row for batch in pending for row in said(batch.result())]
    assert came == said(ReferenceProgram(BODY).run([frames], {}))


@pytest.mark.parametrize("planted", ["wait", "synchronize"])
def test_a_missing_wait_shows(planted: str) -> None:
    frames = clip([40, 150, 90, 60, 30, 120])

    def right(seed: int) -> bool:
        runner = CudaRunner(BODY, PROGRAM, ApartDevice(seed, 0.2, (planted,)))
        pending = [runner.submit([frames[i : i + 2]], {}) for i in range(0, 6, 2)]
        try:
            came = [row for batch in pending for row in said(batch.result())]
        except ValueError:  # a count that nobody wrote
            return False
        return came == said(ReferenceProgram(BODY).run([frames], {}))

    assert not all(right(seed) for seed in range(6))


def test_how_many_rows_come() -> None:
    filling = Filling(300)
    assert filling.rows == 256 > FIRST  # 200 and a quarter are 250
    for _ in range(16):
        filling.seen(0)
    assert filling.rows == LEAST
    filling.seen(52)
    assert filling.rows == 72  # 52 and a quarter are 65
    filling.seen(110)
    assert filling.rows == 144  # 137
    filling.seen(300)
    assert filling.rows == 300  # no more than there are
    for _ in range(15):
        filling.seen(5)
    assert filling.rows == 300
    filling.seen(5)
    assert filling.rows == LEAST
    assert Filling(10).rows == 10
    assert Piece(100, 30, 4).nbytes == 120


@pytest.mark.parametrize("seen", [FIRST, 300, 1000, 1639, 1700, 4096])
def test_a_quarter_and_at_most_an_eighth_more_come_than_there_were(seen: int) -> None:
    filling = Filling(1 << 20)
    filling.seen(seen)
    assert 5 / 4 * seen - 1 < filling.rows <= 9 / 8 * 5 / 4 * seen
