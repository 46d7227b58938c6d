"""Rows by track."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.desk.tracks.grouping import SPAN, by_track, pick, stable_order
from pipelines.features import TRACK_DTYPE

NUMBERS = [-(2**31), -3, 0, 1, 2, SPAN - 1, SPAN, SPAN + 1, 2_000_000_000, 2**31 - 1]


@given(st.lists(st.sampled_from(NUMBERS), max_size=30))
def test_the_order_is_the_stable_one_whatever_the_numbers(ids: list[int]) -> None:
    for dtype in (np.int32, np.int64):
        made = np.array(ids, dtype)
        np.testing.assert_array_equal(stable_order(made), np.argsort(made, kind="stable"))


def test_rows_of_a_track_keep_their_order() -> None:
    rows = np.zeros(9, TRACK_DTYPE)
    rows["frame"], rows["track"] = np.arange(9), [5, 1, 5, 2_000_000_000, 1, 5, 1, 2_000_000_000, 5]
    assert by_track(rows)["frame"].tolist() == [1, 4, 6, 0, 2, 5, 8, 3, 7]
    assert pick(rows, rows["track"] == 1)["frame"].tolist() == [1, 4, 6]
