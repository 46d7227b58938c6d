"""The table of tracks after many corrections in any order, each of any track that there is, against all rows anew."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.desk.tracks import table as tables
from app.desk.tracks.steps import Delete, Merge, Move, Rename, Retrack, Split, Step, packed
from app.desk.tracks.store import TrackStore
from app.desk.tracks.table import TrackTable
from pipelines.features import TRACK_DTYPE
from tests.app.desk.tracks.test_track_table import agrees, rows_of

FRAMES = 24
KINDS = ("merge", "split", "delete", "rename", "move", "retrack", "undo", "redo", "clear", "rows", "gone", "peek")
orders = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(0, 8), st.integers(0, 8), st.integers(0, FRAMES)), max_size=30
)


def tracks_now(store: TrackStore) -> list[int]:
    """Those that a user could choose, and one that there is not."""
    return [*np.unique(store.all()["track"]).tolist(), 99]


def step_of(what: str, store: TrackStore, one: int, other: int, frame: int) -> Step | None:
    there = tracks_now(store)
    a, b = there[one % len(there)], there[other % len(there)]
    rows = np.zeros(5, TRACK_DTYPE)
    rows["frame"], rows["track"], rows["state"], rows["score"] = np.arange(frame, frame + 5), a, other % 4, 0.5
    match what:
        case "merge":
            return Merge(a, b) if a != b else None
        case "split":
            return Split(a, frame, store.corrections.free_id())
        case "delete":
            return Delete((a, b))
        case "move":
            return Move(a, frame, frame / 10, 3.0, 4.0)
        case "retrack":
            return Retrack(a, frame, 1.0, 2.0, frame + 3 if other % 2 else -1, packed(rows))
        case _:
            return Rename(a, "tip")


@pytest.mark.parametrize("most", [0, 40, tables.MOST_AT_ONCE])
@settings(deadline=None, max_examples=80)
@given(given_orders=orders, seconds=st.sampled_from([0.0, 10.0]))
def test_the_table_is_right_after_any_order_of_corrections(
    most: int, given_orders: list[tuple[str, int, int, int]], seconds: float
) -> None:
    store, table = TrackStore(), TrackTable()
    table._stride = 3  # so that a look at no time takes a part only
    store.add(0, 9, rows_of(0, [4] * 10, 0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "MOST_AT_ONCE", most)
        for seed, (what, one, other, frame) in enumerate(given_orders, 1):
            match what:
                case "undo":
                    store.corrections.undo()
                case "redo":
                    store.corrections.redo()
                case "clear":
                    store.corrections.clear()
                case "rows":
                    store.add(frame, frame + one, rows_of(frame, [other % 5] * (one + 1), seed))
                case "gone":
                    store.forget_from(frame)
                case "peek":
                    table.look(store, seconds)
                case _:
                    step = step_of(what, store, one, other, frame)
                    if step is not None:
                        store.corrections.do(what, step)
            if frame % 3 == 0:
                table.look(store, seconds)
            if not table.behind and seconds:
                table.look(store, seconds)
                agrees(table, store)
        while table.look(store, 10.0):
            pass
        agrees(table, store)


@settings(deadline=None)
@given(orders)
def test_a_track_read_alone_has_the_rows_that_it_has_among_all(given_orders: list[tuple[str, int, int, int]]) -> None:
    store = TrackStore()
    store.add(0, FRAMES - 1, rows_of(0, [4] * FRAMES, 0))
    for what, one, other, frame in given_orders:
        step = step_of(what, store, one, other, frame)
        if what == "undo":
            store.corrections.undo()
        elif what == "redo":
            store.corrections.redo()
        elif step is not None and what in KINDS[:6]:
            store.corrections.do(what, step)
    whole = store.all()
    for track in tracks_now(store):
        np.testing.assert_array_equal(store.track(track), whole[whole["track"] == track])
