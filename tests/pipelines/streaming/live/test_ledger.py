"""The ledger of a live run: it settles, and notices what is wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.streaming.live.ledger import BEHIND, ENDED, LiveLedger, Unprocessed


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from(["ring", "out", "late"])), max_size=30), st.integers(1, 6),
       st.integers(0, 20))  # fmt: skip
def test_a_ledger_settles_whatever_the_order_of_the_threads(
    runs: list[tuple[int, str]], batch: int, lag: int
) -> None:
    """Frames are processed in batches that reach over left-out ones, some runs after they were captured; the engine
    leaves some out ("late") when it comes to them, whatever was left out behind them before."""
    ledger, waiting, left, late = LiveLedger(), [], [], set()
    done: list[int] = []
    for count, where in runs:
        first = ledger.announce(count)
        if where == "out":
            ledger.leave_out(first, first + count - 1, BEHIND)
            left += range(first, first + count)
        else:
            waiting += range(first, first + count)
            late |= set(range(first, first + count)) if where == "late" else set()
        while len(waiting) > lag:
            if waiting[0] in late:
                ledger.leave_out(waiting[0], waiting[0], BEHIND)
                left.append(waiting.pop(0))
                continue
            now = waiting[: next((k for k, frame in enumerate(waiting[:batch]) if frame in late), batch)]
            ledger.process(np.array(now))
            done += now
            del waiting[: len(now)]
        ledger.check()
        assert ledger.in_flight == len(waiting)
    ended = ledger.finish()
    assert [i for r in ended for i in range(r.first, r.last + 1)] == waiting
    ledger.check(ended=True)
    assert (ledger.processed, ledger.left_out) == (len(done), len(left) + len(waiting))
    named = [i for r in ledger.unprocessed for i in range(r.first, r.last + 1)]
    assert named == sorted(left + waiting)
    assert ledger.reasons == {k: v for k, v in ((BEHIND, len(left)), (ENDED, len(waiting))) if v}


@pytest.mark.parametrize("wrong", [
    "twice", "skipped", "never", "left twice", "left twice before", "left and processed",
])  # fmt: skip
def test_a_ledger_notices_what_is_wrong(wrong: str) -> None:
    ledger = LiveLedger()
    ledger.announce(10)
    ledger.process(np.arange(4))
    ledger.check()
    match wrong:
        case "twice":
            ledger.process(np.arange(3, 6))
        case "skipped":
            ledger.process(np.arange(5, 8))
        case "never":
            ledger.process(np.arange(4, 11))
        case "left twice":
            ledger.leave_out(4, 6, BEHIND)
            ledger.leave_out(6, 7, BEHIND)
        case "left twice before":
            ledger.leave_out(6, 7, BEHIND)
            ledger.leave_out(4, 6, BEHIND)
        case _:
            ledger.leave_out(2, 3, BEHIND)
    with pytest.raises(AssertionError):
        ledger.check()


def test_a_ledger_names_a_bounded_number_of_ranges() -> None:
    ledger = LiveLedger()
    for _ in range(5000):
        first = ledger.announce(2)
        ledger.leave_out(first, first, BEHIND)
        ledger.process(np.array([first + 1]))
    ledger.check(ended=True)
    assert ledger.left_out == 5000
    assert len(ledger.unprocessed) == 1000
    assert ledger.unprocessed[:2] == [Unprocessed(0, 0, BEHIND), Unprocessed(2, 2, BEHIND)]
