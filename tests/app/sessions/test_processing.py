"""What the ledger says of processing, from events and tracks alone."""

from __future__ import annotations

from typing import Any

from app.sessions import events
from app.sessions.processing import absences, processing
from pipelines.features import no_tracks
from tests.app.sessions.made import tracks


def told(kind: str, frame: int | None = None, **facts: Any) -> dict[str, Any]:
    return events.read_event(events.event(kind, frame, **facts))


def test_nothing_was_processed() -> None:
    assert processing([told(events.GAP, 3, first_id=1, last_id=2)], no_tracks(), 100) is None


def test_the_whole_account() -> None:
    """100 announced, 10-19 and 95-99 left out, 50 unreadable: 84 processed."""
    happened = [
        told(events.UNPROCESSED, 10, first=10, last=14, reason="behind"),
        told(events.UNPROCESSED, 15, first=15, last=19, reason="behind"),
        told(events.UNREADABLE, 50, time=0.05, reason="torn"),
        told(events.PARAMETER, 60, node="a", param="b", value=1),
        told(events.UNPROCESSED, 95, first=95, last=99, reason="ended"),
        told(events.PROCESSED, 94, count=84, complete=True),
    ]
    found = processing(happened, tracks(20, 5), 100)
    assert found is not None
    assert (found.processed, found.known, found.through, found.balanced) == (84, True, 94, True)
    assert [(a.first, a.last, a.reason) for a in found.unprocessed] == [(10, 19, "behind"), (95, 99, "ended")]
    assert (found.left_out, found.tracked, found.rows, found.changes) == (15, 5, 10, 1)
    again = processing([*happened[:-1], told(events.PROCESSED, 94, count=83, complete=True)], tracks(20, 5), 100)
    assert again is not None
    assert not again.balanced
    more = processing(happened, tracks(20, 5), 101)
    assert more is not None
    assert not more.balanced


def test_a_program_that_died() -> None:
    """What is known then is what the tracks show, and the last count."""
    happened = [told(events.PROCESSED, 30, count=31), told(events.UNPROCESSED, 40, first=40, last=200, reason="behind")]
    found = processing(happened, tracks(33, 4), 500)
    assert found is not None
    assert (found.processed, found.known, found.through) == (37, False, 36)
    later = processing(happened, tracks(201, 2), 500)
    assert later is not None
    assert (later.processed, later.through) == (203 - 161, 202)


def test_ranges() -> None:
    happened = [
        told(events.UNPROCESSED, 5, first=5, last=9, reason="a"),
        told(events.UNPROCESSED, 3, first=3, last=6, reason="a"),
        told(events.UNPROCESSED, 10, first=10, last=10, reason="b"),
        told(events.UNPROCESSED, 20, first=20, last=2, reason="damaged"),
    ]
    found = [(a.first, a.last, a.reason, a.count) for a in absences(happened, events.UNPROCESSED)]
    assert found == [(3, 9, "a", 7), (10, 10, "b", 1)]
