"""The rows of a track, found without looking through all."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.desk.tracks.offsets import Offsets
from app.desk.tracks.store import TrackStore
from pipelines.features import TRACK_DTYPE


@given(st.lists(st.lists(st.integers(0, 6), max_size=9), max_size=40), st.data())
def test_rows_are_those_of_a_comparison_with_all_whenever_it_is_asked(
    parts: list[list[int]], data: st.DataObject
) -> None:
    offsets, column = Offsets(), np.zeros(0, np.int32)
    for part in parts:
        column = np.append(column, np.array(part, np.int32))
        if data.draw(st.booleans()):
            tracks = data.draw(st.lists(st.integers(-1, 7), unique=True, max_size=4))
            np.testing.assert_array_equal(offsets.of(column, tracks), np.flatnonzero(np.isin(column, tracks)))
            fewer = column[: data.draw(st.integers(0, len(column)))]  # as a snapshot from before asks
            np.testing.assert_array_equal(offsets.of(fewer, tracks), np.flatnonzero(np.isin(fewer, tracks)))


def test_parts_stay_few_and_a_query_after_a_small_addition_sorts_little() -> None:
    offsets, column = Offsets(), np.zeros(0, np.int32)
    rng = np.random.default_rng(0)
    for _ in range(500):
        column = np.append(column, rng.integers(0, 50, 20).astype(np.int32))
        offsets.of(column, (3,))
        assert len(offsets._parts) <= 12
    assert sum(len(ids) for ids, _ in offsets._parts) == len(column)
    assert offsets.of(column, (2**40, -5)).tolist() == []


def test_a_track_is_found_after_rows_changed_and_a_snapshot_keeps_what_it_had() -> None:
    def rows(first: int, tracks: list[int]) -> np.ndarray:
        made = np.zeros(len(tracks), TRACK_DTYPE)
        made["frame"], made["track"], made["x"] = np.arange(first, first + len(tracks)), tracks, first
        return made

    store = TrackStore()
    store.add(0, 5, rows(0, [1, 2, 1, 2, 1, 2]))
    assert store.track(1)["frame"].tolist() == [0, 2, 4]
    kept = store.snapshot()
    store.add(1, 2, rows(1, [1, 2]))  # other tracks in place of what was there
    store.add(6, 7, rows(6, [1, 1]))
    assert store.track(1)["frame"].tolist() == [0, 1, 4, 6, 7]
    assert kept.track(1)["frame"].tolist() == [0, 2, 4]
    store.forget_from(4)
    store.add(4, 5, rows(4, [2, 1]))
    assert store.track(1)["frame"].tolist() == [0, 1, 5]
    assert kept.track(2)["frame"].tolist() == [1, 3, 5]
