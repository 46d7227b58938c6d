"""What of the tracks was given up for want of memory, in words."""

from __future__ import annotations

from collections.abc import Callable

from app.desk.tracks.store import TrackStore

FEW = 3
"""Ranges of frames that are named; of more the rest is counted."""


def evicted_words(store: TrackStore, number: Callable[[int], int]) -> str:
    """Which frames the store has had and does not have any more, "" for none.

    Args:
        number: a frame as people are told of it.
    """
    gone = store.given_up
    if not gone:
        return ""
    named = [f"{number(first)} to {number(last)}" if last > first else f"{number(first)}" for first, last in gone[:FEW]]
    rest = sum(last - first + 1 for first, last in gone[FEW:])
    more = f" and {rest} more" if rest else ""
    return f"frames {', '.join(named)}{more}"
