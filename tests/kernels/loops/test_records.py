"""Records of loops: the same in Python and compiled, passed on, read, set; and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors import natives
from kernels.loops import language
from kernels.loops.calling import call
from kernels.loops.language import F64, I64, at, load, loop, store
from kernels.loops.records import record


@record
class Things:
    x: F64
    hits: I64
    y: F64


@record
class Totals:
    sum: float
    count: int


@loop
def add_up(t: Things, first: int, s: Totals) -> int:
    for i in range(first, t.room):
        s.sum += t.x[i] * t.y[i]
        s.count += t.hits[i]
        t.hits[i] = t.hits[i] + 1
    return 0


@loop
def doubled(t: Things, s: Totals) -> int:
    for i in range(0, t.room, 8):
        store(t.y, i, load(t.y, i) * 2.0)
    add_up(t, 1, s)
    part = at(t.x, 1)
    part[0] = float(s.count)
    return t.room + s.count


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32))
def test_compiled_records_are_pythons(seed):
    made = []
    for loader in (natives.load, None):
        language.provide(loader)
        try:
            t, s = Things(room=16), Totals()
            r = np.random.default_rng(seed)
            t.x[:], t.y[:], t.hits[:] = r.normal(size=16), r.normal(size=16), r.integers(0, 9, 16)
            s.sum = 0.5
            got = call(doubled, t, s)
        finally:
            language.provide(natives.load)
        made.append((got, t.block.tobytes(), s.sum, s.count))
    assert made[0] == made[1]
    assert made[0][0] == 16 + made[0][3]
    assert made[0][3] > 0


def test_a_loop_compiles_with_records():
    assert doubled.native() is not None


def test_fields_of_two_kinds_are_refused():
    with pytest.raises(TypeError, match="record Odd: fields are all of F64, I64, or all of float, int"):

        @record
        class Odd:
            x: F64
            n: int


def test_a_record_of_numbers_is_made_of_them():
    totals = Totals.of(count=3)
    assert (totals.sum, totals.count) == (0.0, 3)
    with pytest.raises(TypeError, match="record Totals has no field sums"):
        Totals.of(sums=1.0)
