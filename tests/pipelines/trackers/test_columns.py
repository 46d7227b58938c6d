"""Columns keep what is in them, wherever their memory lies."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.trackers.columns import Columns

KINDS: list[Any] = ["f8", "f8", "i4", "?", np.dtype(("f8", (3,))), np.dtype(("f8", (2, 2))), np.dtype(("i4", (2,)))]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(KINDS), min_size=1, max_size=12), st.lists(st.integers(1, 9), max_size=5))
def test_growing_loses_and_mixes_nothing(kinds: list[Any], steps: list[int]) -> None:
    t, values, count = Columns({f"c{k}": kind for k, kind in enumerate(kinds)}), np.random.default_rng(1), 0
    kept: dict[str, Any] = {}
    for step in steps:
        for name in t.snapshot():
            name = name.removeprefix("column.")
            kept[name] = t[name].copy()
        t.append(step)
        for name in kept:
            assert t[name][:count].tobytes() == kept[name].tobytes()
            assert not t[name][count:].any()
            t[name][count:] = values.integers(0, 2, t[name][count:].shape)
        count += step
        t.reserve(count + int(values.integers(0, 30)))
        for name, block in ((name, t.blocks[t[name].dtype]) for name in kept):
            start = t.first[name] * t.room
            assert np.shares_memory(t[name], block[start : start + math.prod(t[name].shape[1:]) * t.room])
    assert len(t) == count


@pytest.mark.parametrize("count", [1, 8, 9, 24, 25, 1000])
def test_columns_begin_with_lines_of_the_cache_and_are_an_odd_number_of_them_apart(count: int) -> None:
    t = Columns(dict.fromkeys("abc", "f8") | {"d": "i4"})
    t.append(count)
    assert t.room >= count
    starts = [t[name].ctypes.data for name in "abc"]
    assert [start % 64 for start in starts] == [0, 0, 0]
    assert [(b - a) // 64 % 2 for a, b in itertools.pairwise(starts)] == [1, 1]
    assert t["d"].ctypes.data % 64 == 0
