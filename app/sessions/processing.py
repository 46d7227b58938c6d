"""What became of the announced frames in the pipeline while they were recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from app.sessions import events
from app.sessions.absence import Absence, number_in
from pipelines.features import Tracks


@dataclass(frozen=True, slots=True)
class Processing:
    """announced == processed + unprocessed + unreadable, when `known`.

    Args:
        processed: frames that went through the pipeline; if the end is not known, those that surely did.
        known: whether the program that recorded lived to say its last word.
        through: the last frame that is known to be processed, -1 for none.
        unprocessed: announced frames that the pipeline never saw, rising.
        tracked: frames in which something was followed.
        rows: rows of tracks.
        changes: changes of parameters or of the whole pipeline.
        balanced: whether the program's own count is the one that follows from the events, and nothing is left over.
    """

    processed: int
    known: bool
    through: int
    unprocessed: tuple[Absence, ...]
    tracked: int
    rows: int
    changes: int
    balanced: bool

    @property
    def left_out(self) -> int:
        """Frames that the pipeline never saw."""
        return sum(absence.count for absence in self.unprocessed)

    def facts(self) -> dict[str, Any]:
        """JSON-able."""
        return {**asdict(self), "left_out": self.left_out}


def processing(happened: Sequence[dict[str, Any]], tracks: Tracks, announced: int) -> Processing | None:
    """From a session's events and tracks and the number of frames that were announced; None if nothing was processed
    while it was recorded."""
    reports = [event for event in happened if event["kind"] == events.PROCESSED]
    unprocessed = absences(happened, events.UNPROCESSED)
    if not reports and not len(tracks) and not unprocessed:
        return None
    last = reports[-1] if reports else {}
    known = bool(last.get("complete"))
    frames = np.unique(tracks["frame"])
    through = max([number_in(last, "frame") if last else -1, *frames[-1:].tolist()])
    unreadable = {number_in(event, "frame") for event in happened if event["kind"] == events.UNREADABLE}
    left_out = sum(absence.count for absence in unprocessed)
    inside = sum(max(0, min(a.last, through) - a.first + 1) for a in unprocessed)
    processed = through + 1 - inside - sum(frame <= through for frame in unreadable)
    return Processing(
        processed, known, through, unprocessed, len(frames), len(tracks),
        sum(event["kind"] in (events.PARAMETER, events.PIPELINE) for event in happened),
        not known or number_in(last, "count") == processed == announced - len(unreadable) - left_out,
    )  # fmt: skip


def absences(happened: Sequence[dict[str, Any]], kind: str) -> tuple[Absence, ...]:
    """The ranges that events of one kind name, rising, neighbours with one reason as one."""
    found = sorted(
        (number_in(event, "first"), number_in(event, "last"), str(event.get("reason", "")))
        for event in happened
        if event["kind"] == kind
    )
    made: list[Absence] = []
    for first, last, reason in found:
        if made and made[-1].reason == reason and first <= made[-1].last + 1:
            made[-1] = Absence(made[-1].first, max(made[-1].last, last), kind, reason)
        elif last >= first:
            made.append(Absence(first, last, kind, reason))
    return tuple(made)
