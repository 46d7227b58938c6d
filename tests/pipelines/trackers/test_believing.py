"""Rows of believed tracks: the loop and its meaning."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.features import TRACK_DTYPE, State, Tracks, join_tracks
from pipelines.trackers import believing
from pipelines.trackers.base import confirmed
from pipelines.trackers.believing import believed, believed_loop

IDS = st.integers(0, 5) | st.sampled_from((believing.FEW - 1, believing.FEW, believing.MANY, 2**31 - 1, -1))
TABLES = st.lists(st.lists(st.tuples(IDS, st.sampled_from(list(State))), max_size=20), max_size=5)


def table_of(rows: list[tuple[int, State]], seed: int) -> Tracks:
    made = np.random.default_rng(seed).integers(0, 256, len(rows) * TRACK_DTYPE.itemsize, np.uint8).view(TRACK_DTYPE)
    for row, (track, state) in zip(made, rows, strict=True):
        row["track"], row["state"] = track, state
    return made


@given(TABLES, st.integers(1, 2))
def test_rows_of_believed_tracks_are_those_of_the_tables_joined(rows: list[list[tuple[int, State]]], step: int) -> None:
    tables = [table_of(one, seed)[::step] for seed, one in enumerate(rows)]
    before = [one.copy() for one in tables]
    made = believed(tables)
    assert made.dtype == TRACK_DTYPE
    assert made.tobytes() == confirmed(join_tracks(tables)).tobytes()
    if len(made):
        made["frame"] += 1  # whoever asks for them may go on with them
    assert all(one.tobytes() == old.tobytes() for one, old in zip(tables, before, strict=True))


def test_the_loop_has_the_same_bits_as_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    rows = table_of([(int(t), State(s)) for t, s in random.integers(0, (20, 4), (50, 2))], 2)
    out, seen = np.zeros(50 * believing.ROW, np.uint8), np.zeros(20, np.uint8)
    starts, counts = np.array([0, 30 * believing.ROW]), np.array([30, 20])
    made = believed_loop(rows.view(np.uint8), starts, counts, 2, 20, seen, out)
    expected = believed([rows[:30], rows[30:]])
    assert 0 < made == len(expected) < 50
    assert out[: made * believing.ROW].tobytes() == expected.tobytes()
    assert believed_loop(rows.view(np.uint8), starts, counts, 2, 3, np.zeros(3, np.uint8), out) == -1
    monkeypatch.setattr(type(believed_loop), "native", lambda *_: None)
    assert believed([rows[:30], rows[30:]]).tobytes() == expected.tobytes()
