"""What a timeline shows, kept up while rows come, against a look at all rows."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.desk.tracks.problem_watch import ProblemsInWords, ProblemWatch, in_words, of_kind
from app.desk.tracks.problems import Kind, find_problems, next_problem
from app.desk.tracks.steps import Delete
from app.desk.tracks.store import TrackStore
from app.gui.traces import scan as scan_module
from app.gui.traces.quality import UNKNOWN, Shares, quality
from app.gui.traces.scan import Scan
from pipelines.features import TRACK_DTYPE, Reason, State, Tracks


def rows_of(first: int, last: int, seed: int) -> Tracks:
    """Some of five tracks in each frame, which jump, fade and are lost."""
    rng = np.random.default_rng(seed)
    rows = np.zeros((last - first + 1) * 5, TRACK_DTYPE)
    n = len(rows)
    rows["frame"], rows["track"] = np.repeat(np.arange(first, last + 1), 5), np.tile([7, 3, 2, 90, 4], n // 5)
    rows["x"] = rng.normal(0, 0.4, n) + np.where(rng.random(n) < 0.1, 12.0, 0.0)
    rows["state"] = rng.choice([State.TRACKED] * 8 + [State.LOST, State.TENTATIVE, State.PREDICTED], n)
    rows["state"][rows["track"] == 90] = State.LOST  # of which nobody has seen anything
    rows["reason"] = rng.choice([Reason.LOW_SCORE, Reason.LEFT_IMAGE], n)
    rows["score"] = rng.choice(np.array([0.9, 0.9, 0.9, 0.1], np.float32), n)
    return rows[rng.random(n) < 0.9]


def settle(scan: Scan, store: TrackStore) -> None:
    for _ in range(1000):
        if not scan.look(store) and not scan.behind:
            return
    pytest.fail("it never comes to an end")


def same(scan: Scan, store: TrackStore) -> None:
    rows = store.all()
    assert [in_words(found) for found in scan.found] == find_problems(rows)
    np.testing.assert_array_equal(scan.shades(0, 200, 57), quality(rows, 0, 200, 57))
    for kind in Kind:
        assert [in_words(f) for f in of_kind(scan.found, kind)] == [p for p in find_problems(rows) if p.kind is kind]


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from(["on", "on", "on", "gap", "again", "other", "forget", "correct", "look"]),
                       st.integers(1, 30), st.integers(0, 2**20)), max_size=10),
    st.sampled_from([5, 60, 20_000]),
)  # fmt: skip
def test_it_is_that_of_all_rows_whatever_came_and_whenever_it_was_looked_at(
    events: list[tuple[str, int, int]], part: int
) -> None:
    store, scan, at = TrackStore(), Scan(), 0
    with patch.multiple(scan_module, PART=part, SETTLED=part):
        for what, count, seed in events:
            if what in ("on", "gap"):
                at += 3 if what == "gap" else 0
                store.add(at, at + count - 1, rows_of(at, at + count - 1, seed))
                at += count
            elif what in ("again", "other") and at:
                first = seed % at
                last = min(at - 1, first + count)
                known = store.between(first, last)
                store.add(first, last, known if what == "again" and store.known(first) else rows_of(first, last, seed))
            elif what == "forget":
                store.forget_from(max(0, at - count))
                at = max(0, at - count)
            elif what == "correct":
                store.corrections.do("delete", Delete((7,)))
            if seed % 3:
                scan.look(store)
        settle(scan, store)
        same(scan, store)


def test_after_a_few_new_rows_only_those_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    store, scan = TrackStore(), Scan()
    store.add(0, 999, rows_of(0, 999, 1))
    settle(scan, store)
    taken: list[int] = []
    take = ProblemWatch.take

    def counted(self: ProblemWatch, rows: Tracks) -> None:
        taken.append(len(rows))
        take(self, rows)

    monkeypatch.setattr(ProblemWatch, "take", counted)
    news = rows_of(1000, 1004, 2)
    store.add(1000, 1004, news)
    settle(scan, store)
    assert sum(taken) == len(news)
    same(scan, store)


def test_what_is_shown_stays_until_all_is_looked_through_anew() -> None:
    with patch.multiple(scan_module, PART=200):
        store, scan = TrackStore(), Scan()
        store.add(0, 999, rows_of(0, 999, 1))
        settle(scan, store)
        before = len(scan.found)
        store.corrections.do("delete", Delete((7,)))
        scan.look(store)
        assert scan.behind
        assert len(scan.found) == before > 0
        settle(scan, store)
        assert 7 not in scan.found["track"]


def test_blocks_of_frames_grow_with_the_run() -> None:
    rows = rows_of(0, 999, 3)
    shares = Shares(16)
    for part in np.array_split(rows, 7):
        shares.take(part)
    found = shares.over(0, 1024, 4)
    np.testing.assert_allclose(found, quality(rows, 0, 1024, 4))
    far = rows[:1].copy()
    far["frame"] = 1 << 40
    shares.take(far)
    assert shares.over(0, (1 << 40) + 1, 2)[1] != UNKNOWN
    assert shares._counts[2].sum() == len(rows) + 1


def test_a_look_takes_few_rows_even_where_many_more_come_a_frame_than_before(monkeypatch: pytest.MonkeyPatch) -> None:
    store, scan = TrackStore(), Scan()
    sparse = rows_of(0, 999, 1)
    store.add(0, 999, sparse[sparse["track"] == 7])
    settle(scan, store)
    store.add(1000, 1999, rows_of(1000, 1999, 2))
    taken: list[int] = []
    take = ProblemWatch.take

    def counted(self: ProblemWatch, rows: Tracks) -> None:
        taken.append(len(rows))
        take(self, rows)

    monkeypatch.setattr(ProblemWatch, "take", counted)
    with patch.multiple(scan_module, PART=100):
        scan.look(store)
        assert scan.behind
        settle(scan, store)
    assert max(taken) <= 100
    same(scan, store)


def test_what_was_found_is_told_when_it_is_asked_for() -> None:
    store, scan = TrackStore(), Scan()
    store.add(0, 199, rows_of(0, 199, 1))
    settle(scan, store)
    problems = find_problems(store.all())
    words = ProblemsInWords(scan.found)
    assert list(words) == problems
    assert list(words[3:9]) == problems[3:9]
    for frame in (-1, 0, 57, 100, 199, 500):
        assert next_problem(words, frame) == next((p for p in problems if p.frame > frame), None)
        assert next_problem(words, frame, True) == next((p for p in reversed(problems) if p.frame < frame), None)
