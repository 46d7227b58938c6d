"""The lines of the table of tracks against summaries that are made of all rows at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.desk.tracks.steps import FIRST_OWN, Delete, Merge, Move, Rename, Retrack, Split, packed
from app.desk.tracks.store import TrackStore
from app.desk.tracks.table import TrackTable, found
from app.provenance import TrackStatistics
from pipelines.features import TRACK_DTYPE, State, Tracks
from pipelines.measures import measured_as
from tests.track_summaries import summaries


def rows_of(first: int, counts: list[int], seed: int) -> Tracks:
    rng = np.random.default_rng(seed)
    rows = np.zeros(sum(counts), TRACK_DTYPE)
    rows["frame"] = np.repeat(np.arange(first, first + len(counts)), counts)
    rows["track"] = np.concatenate([rng.permutation(6)[:n] for n in counts]) if counts else []
    rows["state"], rows["score"] = rng.integers(0, 4, len(rows)), rng.random(len(rows))
    rows["sigma"] = rng.random(len(rows))
    return rows


def agrees(table: TrackTable, store: TrackStore) -> None:
    lines, whole = table.lines(), summaries(store)
    assert lines["track"].tolist() == [s.track for s in whole]
    assert lines["first"].tolist() == [s.first for s in whole]
    assert lines["last"].tolist() == [s.last for s in whole]
    assert lines["seen"].tolist() == [s.seen for s in whole]
    assert lines["state"].tolist() == [int(s.state) for s in whole]
    assert lines["reason"].tolist() == [s.reason for s in whole]
    np.testing.assert_allclose(np.nan_to_num(lines["score"]), [s.score for s in whole], rtol=1e-6)
    np.testing.assert_allclose(np.nan_to_num(lines["sigma"]), [s.sigma for s in whole], rtol=1e-6)


calls = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.integers(0, 30), st.lists(st.integers(0, 4), min_size=1, max_size=6)),
        st.tuples(st.just("forget"), st.integers(0, 30), st.just([])),
        st.tuples(st.just("correct"), st.integers(0, 5), st.just([])),
        st.tuples(st.just("undo"), st.just(0), st.just([])),
    ),
    max_size=14,
)


@settings(deadline=None)
@given(calls, st.booleans())
def test_lines_are_those_of_all_rows_whatever_came_and_whenever_it_was_looked_at(
    given_calls: list[tuple[str, int, list[int]]], always: bool
) -> None:
    store, table = TrackStore(), TrackTable()
    for seed, (what, at, counts) in enumerate(given_calls):
        if what == "add":
            store.add(at, at + len(counts) - 1, rows_of(at, counts, seed))
        elif what == "forget":
            store.forget_from(at)
        elif what == "undo":
            store.corrections.undo()
        else:
            new = rows_of(5, [1] * 9, seed)
            new["track"] = 4
            store.corrections.do("a step", (
                Delete((1,)), Merge(0, 2), Split(3, 8, store.corrections.free_id()), Move(2, 4 + seed, 0.1, 3.0, 4.0),
                Retrack(4, 5, 1.0, 2.0, -1, packed(new)), Rename(2, "tip"),
            )[at])  # fmt: skip
        if always:
            table.look(store, 10.0)
            agrees(table, store)
    table.look(store, 10.0)
    agrees(table, store)
    assert not table.look(store)


def test_a_long_run_is_taken_in_bit_by_bit_and_a_loop_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.desk.tracks.table.PART", 500)
    store, table = TrackStore(), TrackTable()
    for first in range(0, 600, 100):
        store.add(first, first + 99, rows_of(first, [5] * 100, first))
    looks = 1
    table.look(store, 0.0)
    assert table.behind
    while table.behind:
        table.look(store, 0.0)
        looks += 1
    assert looks > 1
    agrees(table, store)
    store.add(100, 199, rows_of(100, [5] * 100, 100))  # the same again
    assert store.news(store.raw_version - 1) == []
    assert not table.look(store)


def test_searching() -> None:
    lines = TrackTable().lines()
    assert not len(found(lines, [], "x"))
    made = np.zeros(3, lines.dtype)
    made["track"], made["state"] = (1, 2, FIRST_OWN), (State.TRACKED, State.LOST, State.TRACKED)
    names = ["1", "Wing", "1b"]
    assert found(made, names, "").all()
    assert found(made, names, " wi ").tolist() == [False, True, False]
    assert found(made, names, "1").tolist() == [True, False, True]
    assert found(made, names, "lost").tolist() == [False, True, False]
    assert found(made, names, "seen").tolist() == [True, False, True]


@pytest.mark.parametrize("track", [0, FIRST_OWN])
def test_a_split_track_has_a_line_of_its_own(track: int) -> None:
    store, table = TrackStore(), TrackTable()
    rows = rows_of(0, [1] * 10, 0)
    rows["track"] = 0
    store.add(0, 9, rows)
    store.corrections.do("split", Split(0, 4, FIRST_OWN))
    table.look(store)
    line = table.lines()[table.lines()["track"] == track][0]
    assert (line["first"], line["last"]) == ((0, 3) if track == 0 else (4, 9))


def test_after_a_correction_only_its_tracks_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    store, table = TrackStore(), TrackTable()
    for first in range(0, 600, 100):
        store.add(first, first + 99, rows_of(first, [5] * 100, first))
    table.look(store, 10.0)

    def never(*_: object) -> Tracks:
        raise AssertionError("all rows are read")

    monkeypatch.setattr(store, "between", never)
    store.corrections.do("merge", Merge(0, 2))
    assert table.look(store)
    monkeypatch.undo()
    agrees(table, store)
    monkeypatch.setattr("app.desk.tracks.table.MOST_AT_ONCE", 10)
    store.corrections.undo()
    table.look(store, 10.0)
    agrees(table, store)


def test_a_correction_of_one_track_does_not_count_what_another_one_was_given_by_hand() -> None:
    store, table = TrackStore(), TrackTable()
    store.add(0, 9, rows_of(0, [1] * 10, 0))
    for step in (Move(8, 3, 0.1, 3.0, 4.0), Delete((1,))):
        store.corrections.do("a step", step)
        table.look(store, 10.0)
        agrees(table, store)


def test_those_that_were_seen_most_whatever_their_numbers() -> None:
    """A track that was split off has a number of ten digits."""
    store, rows = TrackStore(), np.zeros(12, TRACK_DTYPE)
    rows["frame"], rows["track"], rows["state"] = np.arange(12), [0, 0, 0, 1, 1, 1, 1, 1, 2, 3, 3, 3], State.TRACKED
    store.add(0, 11, rows)
    store.corrections.do("split", Split(1, 5, FIRST_OWN))
    table = TrackTable()
    table.look(store, 10.0)
    assert table.seen_most(3) == (0, 3, FIRST_OWN)
    assert TrackTable().seen_most(3) == ()


def test_a_look_takes_few_rows_even_where_many_more_come_a_frame_than_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.desk.tracks.table.PART", 100)
    store, table = TrackStore(), TrackTable()
    store.add(0, 999, rows_of(0, [1] * 1000, 0))
    table.look(store, 10.0)
    store.add(1000, 1999, rows_of(1000, [6] * 1000, 1))
    taken: list[int] = []
    take = TrackTable._take

    def counted(self: TrackTable, rows: Tracks) -> None:
        taken.append(len(rows))
        take(self, rows)

    monkeypatch.setattr(TrackTable, "_take", counted)
    table.look(store, 10.0)
    assert sum(taken) == 6000
    assert max(taken) <= 100
    agrees(table, store)


def test_seen_counts_as_the_summary_of_a_run_does() -> None:
    store, rows = TrackStore(), np.zeros(9, TRACK_DTYPE)
    rows["frame"], rows["track"] = np.arange(9), [0] * 7 + [1] * 2
    rows["state"] = [State.TENTATIVE, State.TENTATIVE, State.TRACKED, State.TRACKED, State.PREDICTED, State.TRACKED,
                     State.LOST, State.TENTATIVE, State.LOST]  # fmt: skip
    store.add(0, 8, rows)
    table, statistics = TrackTable(), TrackStatistics()
    table.look(store, 10.0)
    statistics.add(rows)
    (told,) = statistics.facts()
    assert table.lines()["seen"].tolist() == [5, 1]
    assert told["seen_frames"] == 5
    assert table.seen_most(3) == (0,), "the other was never believed"


def test_lines_have_means_of_measures_and_angles_as_they_were_last() -> None:
    store, table = TrackStore(), TrackTable()
    rng = np.random.default_rng(4)
    parts = []
    for first in (20, 0, 40):  # in any order
        rows = measured_as(rows_of(first, [3] * 20, first), ("area", "orientation"))
        rows["area"], rows["orientation"] = rng.random(len(rows)), 100 * rng.random(len(rows))
        for name in ("area", "orientation"):
            rows[name][rng.random(len(rows)) < 0.3] = np.nan
        rows[rows["track"] == 2]["area"] = np.nan
        parts.append(rows)
        store.add(first, first + 19, rows)
        table.look(store, 10.0)
    whole = np.concatenate([parts[1], parts[0], parts[2]])
    for line in table.lines():
        mine = whole[whole["track"] == line["track"]]
        assert line["area"] == pytest.approx(np.nanmean(mine["area"]), rel=1e-6)
        assert line["orientation"] == mine["orientation"][np.isfinite(mine["orientation"])][-1]
    only = rows_of(60, [1], 0)
    only["track"] = 9
    store.add(60, 60, only)
    table.look(store, 10.0)
    assert np.isnan(table.lines()[-1]["area"])
