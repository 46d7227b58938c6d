"""The store of tracks against a dictionary of frames."""

from __future__ import annotations

from itertools import pairwise
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.desk.tracks import store as store_module
from app.desk.tracks.evicted_tracks import evicted_words
from app.desk.tracks.steps import FIRST_OWN, Delete, Merge, Move, Retrack, Split, packed
from app.desk.tracks.store import TrackStore
from pipelines.features import TRACK_DTYPE, State, Tracks
from pipelines.measures import measured_as, measured_dtype
from tests.track_summaries import summaries


def rows_of(first: int, counts: list[int], mark: float) -> Tracks:
    """Rows of consecutive frames, so many each, told apart by `mark`."""
    rows = np.zeros(sum(counts), TRACK_DTYPE)
    rows["frame"] = np.repeat(np.arange(first, first + len(counts)), counts)
    rows["track"] = np.concatenate([np.arange(n) for n in counts]) if counts else []
    rows["x"], rows["state"] = mark, State.TRACKED
    return rows


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), st.integers(0, 14), st.integers(0, 14), st.integers(0, 30),
       st.sampled_from([1, 5, 1 << 18]))  # fmt: skip
def test_frames_of_so_many_rows_are_counted(counts: list[int], first: int, more: int, count: int, piece: int) -> None:
    with patch.multiple(store_module, PIECE=piece, MANY=1):
        store = TrackStore()
        store.add(0, len(counts) - 1, rows_of(0, counts, 0.0))
        last = first + more
        found = store.until(first, last, count)
        assert first <= found <= last
        assert found == first or len(store.between(first, found)) <= count
        assert found == last or len(store.between(first, found + 1)) > count


def test_many_rows_are_kept_as_they_came_and_never_written() -> None:
    with patch.multiple(store_module, PIECE=10, MANY=1):
        store, rows = TrackStore(), rows_of(0, [3] * 20, 1.0)
        mine = rows.copy()
        store.add(0, 19, rows)
        assert np.shares_memory(store.raw_between(0, 1), rows)
        store.add(4, 6, rows_of(4, [3] * 3, 2.0))
        store.forget_from(16)
        with patch.object(store_module, "MANY", 100):
            store.add(16, 16, rows_of(16, [3], 3.0))
        assert rows.tobytes() == mine.tobytes()
        assert store.all()["x"].tolist() == [1.0] * 12 + [2.0] * 9 + [1.0] * 27 + [3.0] * 3


def test_rows_of_several_tracks_are_those_of_each() -> None:
    store = TrackStore()
    store.add(0, 9, rows_of(0, [4] * 10, 1.0))
    for corrected in (False, True):
        if corrected:
            store.corrections.do("merge", Merge(1, 2))
            store.corrections.do("split", Split(1, 5, FIRST_OWN))
        both = store.tracks([3, 1])
        for track in (1, 3):
            assert both[both["track"] == track].tobytes() == store.track(track).tobytes()
        assert len(both) == len(store.track(1)) + len(store.track(3))


@given(
    st.lists(st.tuples(st.integers(0, 40), st.lists(st.integers(0, 3), min_size=1, max_size=8)), max_size=12),
    st.sampled_from([1, 5, 1 << 18]),
)
def test_the_newest_rows_of_a_frame_are_kept_and_others_are_never_invented(
    calls: list[tuple[int, list[int]]], piece: int
) -> None:
    for many in (1, 1 << 16):  # arrays that are kept as they came, or copied
        with patch.multiple(store_module, PIECE=piece, MANY=many):
            _newest(calls)


def _newest(calls: list[tuple[int, list[int]]]) -> None:
    store = TrackStore()
    kept: list[tuple[TrackStore, Tracks]] = []
    newest: dict[int, Tracks] = {}
    for mark, (first, counts) in enumerate(calls):
        rows = rows_of(first, counts, mark)
        store.add(first, first + len(counts) - 1, rows)
        for frame in range(first, first + len(counts)):
            newest[frame] = rows[rows["frame"] == frame]
        for frame in range(50):
            if store.known(frame):
                np.testing.assert_array_equal(store.at(frame), newest[frame])
            else:
                assert not len(store.at(frame))
        for frame in range(first, first + len(counts)):
            assert store.known(frame)
        kept.append((store.snapshot(), store.all()))
    for snapshot, was in kept:
        np.testing.assert_array_equal(snapshot.all(), was)
    all_rows = store.all()
    assert (np.diff(all_rows["frame"]) >= 0).all()
    assert len(store) == len(all_rows) == len(store.between(0, 100))
    ranges = store.ranges
    assert all(b < c for (_, b), (c, _) in pairwise(ranges))


def test_the_same_again_forgets_nothing_and_a_change_forgets_what_came_after_it() -> None:
    store = TrackStore()
    store.add(0, 9, rows_of(0, [2] * 10, 0))
    store.add(4, 5, rows_of(4, [2, 2], 1))
    assert store.known(9)
    assert store.at(4)["x"].tolist() == [1, 1]
    store.add(4, 5, rows_of(4, [1, 3], 2))
    assert not store.known(6)
    assert store.between(3, 5)["x"].tolist() == [0, 0, 2, 2, 2, 2]


def test_pieces_are_one_run_and_a_change_forgets_them_all() -> None:
    with patch.object(store_module, "PIECE", 8):
        store = TrackStore()
        for first in range(0, 30, 3):
            store.add(first, first + 2, rows_of(first, [2] * 3, 0))
        assert len(store._runs) > 3
        assert store.ranges == [(0, 29)]
        assert sum(map(len, store.parts())) == 60
        store.corrections.do("delete", Delete((1,)))
        assert set(store.all()["track"].tolist()) == {0}
        store.corrections.clear()
        store.add(2, 20, rows_of(2, [2] * 19, 1))
        assert store.between(0, 29)["x"].tolist() == [0.0] * 4 + [1.0] * 38 + [0.0] * 18
        version = store.raw_version
        store.add(30, 31, rows_of(30, [1, 1], 1))
        assert store.news(version) == [(30, 31)]
        store.add(4, 5, rows_of(4, [1, 3], 2))
        assert store.ranges == [(0, 5)]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(0, 40), st.sampled_from([2, 1 << 18]))
def test_the_newest_rows_are_those_of_the_last_frames(counts: list[int], count: int, piece: int) -> None:
    with patch.object(store_module, "PIECE", piece):
        store = TrackStore()
        for frame, rows in enumerate(counts):
            store.add(frame, frame, rows_of(frame, [rows], frame))
    every, found = store.all(), store.newest(count)
    assert len(found) >= min(count, len(every))
    np.testing.assert_array_equal(found, every[len(every) - len(found) :])
    if len(found) < len(every):  # whole frames, and none that is not needed
        assert (found["frame"] > found["frame"].min(initial=99)).sum() < count or not count


def test_frames_may_come_in_any_order() -> None:
    store = TrackStore()
    store.add(10, 12, rows_of(10, [1, 1, 1], 1))
    store.add(0, 3, rows_of(0, [1] * 4, 0))
    assert store.ranges == [(0, 3), (10, 12)]
    store.add(4, 9, rows_of(4, [1] * 6, 2))
    assert store.ranges == [(0, 12)]
    assert store.all()["frame"].tolist() == list(range(13))


def test_memory_is_bounded_and_what_is_given_up_is_counted() -> None:
    store = TrackStore(most_bytes=100 * TRACK_DTYPE.itemsize)
    for first in range(0, 1000, 10):
        store.add(first, first + 9, rows_of(first, [3] * 10, 0))
        assert len(store) <= 100
    assert store.forgotten + len(store) == 3000
    assert store.known(999)
    assert not store.known(0)
    assert len(store.at(999)) == 3


def test_what_came_longest_ago_is_given_up_wherever_it_is_and_is_named() -> None:
    with patch.object(store_module, "PIECE", 30):
        store = TrackStore(most_bytes=120 * TRACK_DTYPE.itemsize)
        for first in range(0, 60, 10):
            store.add(first, first + 9, rows_of(first, [3] * 10, 0))
        assert store.given_up == [(0, 19)]
        assert evicted_words(store, lambda frame: frame + 100) == "frames 100 to 119"
        for first in range(0, 20, 10):  # the clip begins again
            store.add(first, first + 9, rows_of(first, [3] * 10, 1))
            assert store.known(first), "what is looked at now"
        assert store.known(59)
        assert store.given_up == [(20, 39)]
        assert store.ranges == [(0, 19), (40, 59)]
        assert store.forgotten == 120
        store.add(40, 49, rows_of(40, [3] * 10, 0))  # as it was: it came again, too
        store.add(20, 29, rows_of(20, [3] * 10, 0))
        assert store.given_up == [(30, 39), (50, 59)]
        assert evicted_words(store, int) == "frames 30 to 39, 50 to 59"
        store.clear()
        assert (store.given_up, evicted_words(store, int)) == ([], "")


@given(st.lists(st.tuples(st.integers(0, 30), st.lists(st.integers(0, 3), min_size=1, max_size=8)), max_size=30),
       st.integers(1, 40), st.sampled_from([1, 5]))
def test_every_frame_that_came_is_known_given_up_or_of_the_past(
    calls: list[tuple[int, list[int]]], most: int, piece: int
) -> None:
    """Here each frame comes with the same number of rows again, so that nothing is of the past."""
    counts = [k % 3 for k in range(60)]
    with patch.object(store_module, "PIECE", piece):
        store, came = TrackStore(most_bytes=most * TRACK_DTYPE.itemsize), set()
        for mark, (first, length) in enumerate(calls):
            last = first + len(length) - 1
            store.add(first, last, rows_of(first, counts[first : last + 1], mark))
            came |= set(range(first, last + 1))
            gone = {frame for a, b in store.given_up for frame in range(a, b + 1)}
            known = {frame for frame in range(60) if store.known(frame)}
            assert not gone & known
            assert gone | known == came
            assert len(store) <= max(most, 2)


def test_summaries_tell_what_was_seen() -> None:
    rows = rows_of(0, [2, 2, 1], 0)
    rows["score"] = [0.5, 1.0, 0.7, 1.0, 0.9]
    rows["state"][2] = State.PREDICTED
    store = TrackStore()
    store.add(0, 2, rows)
    first, second = summaries(store)
    assert (first.track, first.first, first.last, first.seen) == (0, 0, 2, 2)
    assert abs(first.score - 0.7) < 1e-6
    assert (second.track, second.last, second.seen, second.state) == (1, 1, 2, State.TRACKED)
    assert store.track(1)["frame"].tolist() == [0, 1]


def test_forgetting_from_a_frame_on() -> None:
    store = TrackStore()
    store.add(0, 9, rows_of(0, [1] * 10, 0))
    store.add(20, 22, rows_of(20, [1] * 3, 0))
    store.forget_from(5)
    assert store.ranges == [(0, 4)]
    assert len(store) == 5


def test_rows_keep_their_measures_through_corrections_and_get_those_that_others_bring() -> None:
    store = TrackStore()
    plain_rows, wide = rows_of(0, [2] * 3, 1.0), measured_as(rows_of(3, [2] * 3, 2.0), ("area", "rotation"))
    wide["area"], wide["rotation"] = 10.0 + np.arange(6), 5.0
    store.add(0, 2, plain_rows)
    taken, before = store.snapshot(), store.all()
    store.add(3, 5, wide)
    assert store.fields == ("area", "rotation")
    assert taken.all().tobytes() == before.tobytes(), "a snapshot stays as it was"
    assert store.all()["area"][6:].tolist() == wide["area"].tolist()
    assert np.isnan(store.all()["area"][:6]).all()
    assert store.at(99).dtype == store.all().dtype == measured_dtype(store.fields)
    again = store.raw_version
    store.add(3, 5, wide)
    assert store.news(again) == []
    store.add(4, 4, measured_as(rows_of(4, [2], 3.0), ("mass",)))  # another pipeline, say
    assert store.fields == ("area", "mass", "rotation")
    assert store.all()["rotation"][6:].tolist()[:2] == [5.0, 5.0]
    assert np.isnan(store.at(4)["rotation"]).all()
    store.corrections.do("split", Split(0, 5, FIRST_OWN))
    assert store.track(FIRST_OWN)["area"].tolist() == [14.0]
    store.corrections.do("set", Move(1, 3, 0.1, 7.0, 8.0))
    moved = store.at(3)[store.at(3)["track"] == 1]
    assert (moved["x"].tolist(), np.isnan(moved["area"]).all()) == ([7.0], True)
    store.corrections.do("again", Retrack(1, 5, 1.0, 2.0, -1, packed(wide[-1:])))
    (again_followed,) = store.at(5)[store.at(5)["track"] == 1]
    assert (again_followed["area"], np.isnan(again_followed["mass"])) == (15.0, True)
    store.clear()
    assert store.fields == ()
