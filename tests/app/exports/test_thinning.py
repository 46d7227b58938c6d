"""Which rows of tracks stay when they are thinned."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.exports.columns import ordered
from app.exports.thinning import ThinnedRows, thin
from pipelines.features import TRACK_DTYPE, State, Tracks


def some_rows(seed: int, count: int) -> Tracks:
    """Rows in any order, with many equal values."""
    random = np.random.default_rng(seed)
    rows = np.zeros(count, TRACK_DTYPE)
    rows["frame"], rows["track"] = random.integers(-20, 60, count), random.integers(0, 6, count)
    rows["x"], rows["y"] = random.integers(-3, 3, count), random.normal(size=count)
    rows["state"] = random.integers(0, 4, count)
    rows["time"] = np.arange(count)  # so that no two rows are the same
    return rows


def stay(rows: Tracks, stretch: int) -> set[int]:
    """Numbers of the rows that stay, looked for one stretch of one track after the other."""
    found: set[int] = set()
    parts: dict[tuple[int, int], list[int]] = {}
    believed: set[int] = set()
    for k, row in enumerate(rows):
        track = int(row["track"])
        parts.setdefault((track, int(row["frame"]) // stretch), []).append(k)
        if row["state"] == State.LOST:
            found.add(k)
        if row["state"] == State.TRACKED and track not in believed:
            believed.add(track)
            found.add(k)
    for its in parts.values():
        for name in ("frame", "x", "y"):
            found.add(min(its, key=lambda k, n=name: (rows[n][k], k)))  # type: ignore[misc]
            found.add(max(its, key=lambda k, n=name: (rows[n][k], k)))  # type: ignore[misc]
    return found


@given(st.integers(0, 2**32), st.integers(0, 150), st.integers(2, 30))
def test_first_last_and_extreme_rows_of_each_stretch_stay(seed: int, count: int, stretch: int) -> None:
    rows = some_rows(seed, count)
    assert thin(rows, stretch)["time"].tolist() == sorted(stay(rows, stretch))


@given(st.integers(0, 2**32), st.integers(1, 400), st.integers(1, 60))
def test_rows_that_fit_all_stay_however_they_come(seed: int, count: int, step: int) -> None:
    rows = some_rows(seed, count)
    thinned = ThinnedRows(1000)
    for start in range(0, count, step):
        thinned.add(rows[start : start + step])
    assert np.array_equal(thinned.rows, rows[np.lexsort((rows["frame"], rows["track"]))])


@given(st.integers(0, 2**32), st.integers(0, 100), st.sampled_from(((), ("frame",), ("track", "frame"))))
def test_rows_are_ordered_by_frame_and_track_and_else_as_they_came(
    seed: int, count: int, before: tuple[str, ...]
) -> None:
    rows = some_rows(seed, count)
    if before:  # a part of it is done, or all
        rows = rows[np.lexsort([rows[name] for name in before])]
    expected = sorted(rows.tolist(), key=lambda row: (row[0], row[2]))
    assert ordered(rows).tolist() == expected
