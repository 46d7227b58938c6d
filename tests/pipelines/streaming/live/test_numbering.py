"""A camera's numbers, against a set of all that came."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.frame import UNKNOWN
from pipelines.streaming.live.numbering import MOST_OPEN, Kind, Numbers, Remark


def oracle(ids: list[int]) -> list[Remark]:
    """With a memory of everything."""
    came: set[int] = set()
    made = []
    for at, number in enumerate(ids):
        if number == UNKNOWN:
            continue
        if came and number > max(came) + 1:
            made.append(Remark(at, Kind.GAP, max(came) + 1, number - 1))
        elif came and number < max(came) and number not in came and number > min(came):
            made.append(Remark(at, Kind.LATE, number, number))
        elif came and number <= max(came):
            made.append(Remark(at, Kind.AGAIN, number, number))
        came.add(number)
    return made


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 40), st.lists(st.integers(-1, 40), max_size=60), st.lists(st.integers(1, 7), max_size=20))
def test_any_order_in_any_runs(start: int, rest: list[int], sizes: list[int]) -> None:
    ids = [start, *(number if number < 0 else start + number for number in rest)]
    ids = [UNKNOWN if number < 0 else number for number in ids]
    numbers, made, at = Numbers(), [], 0
    for size in [*sizes, len(ids)]:
        if part := ids[at : at + size]:
            made += [remark._replace(at=remark.at + at) for remark in numbers.look(np.array(part, np.int64))]
        at += size
    assert made == oracle(ids)


def test_a_camera_that_counts_from_the_beginning_again() -> None:
    numbers = Numbers()
    assert numbers.look(np.array([5, 6, 9])) == [Remark(2, Kind.GAP, 7, 8)]
    numbers.begin_anew(0)
    assert numbers.look(np.array([0, 1])) == []
    numbers.begin_anew(8)  # it went on
    assert numbers.look(np.array([8])) == [Remark(0, Kind.GAP, 2, 7)]
    assert numbers.look(np.array([7])) == [Remark(0, Kind.LATE, 7, 7)]


def test_memory_is_bounded() -> None:
    """What is missing for very long is forgotten, and counts as having come."""
    numbers = Numbers()
    numbers.look(np.arange(0, 2 * MOST_OPEN + 20, 2))
    assert [r.kind for r in numbers.look(np.array([2 * MOST_OPEN + 1, 1]))] == [Kind.LATE, Kind.AGAIN]
    assert len(numbers._open) < MOST_OPEN + 1
