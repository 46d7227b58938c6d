"""What a replay has to know: which frames were processed, when, and what changed on the way."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from app.sessions import events
from app.sessions.absence import Absence, number_in, runs
from app.sessions.changed import read_changes
from app.sessions.processing import absences
from app.sessions.reader import SessionReader
from app.sessions.states import held_states
from kernels.errors import InputError
from pipelines.streaming.common.changes import AnyChange

MOST_FRAMES = 1 << 27
"""Frames of a session that are replayed; 37 hours at 1000 a second."""
NOT_RECORDED = "not recorded"


@dataclass(frozen=True)
class Timeline:
    """A session as it was processed; frames go by their sequence numbers.

    Args:
        frames: those to be replayed, rising: recorded and processed, or unreadable when they should have been.
        times: seconds of each frame, by sequence number, NaN if unknown.
        places: index in the session of each frame, by sequence number, -1 where it was not recorded.
        unreadable: frames that the source could not read: number -> why.
        unprocessed: recorded frames that are left out, as they were then.
        absent: ranges that were not recorded, with frames that were processed, so that no replay can be the same from
            there on.
        changes: of the pipeline, with the frame from which on they hold.
        states: frames before which the session holds the state of the run.
        damaged: those of them whose state is damaged: number -> why.
        resumed: what was not recorded before such a state; a replay goes on from there.
    """

    frames: npt.NDArray[np.int64]
    times: npt.NDArray[np.float64]
    places: npt.NDArray[np.int64]
    unreadable: Mapping[int, str]
    unprocessed: tuple[Absence, ...]
    absent: tuple[Absence, ...]
    changes: tuple[AnyChange, ...]
    states: tuple[int, ...] = ()
    damaged: Mapping[int, str] = field(default_factory=dict)
    resumed: tuple[Absence, ...] = ()


def timeline(session: SessionReader, times: npt.NDArray[np.float64]) -> Timeline:
    """Read it from a session.

    Args:
        session: the session.
        times: seconds of its frames, in the order of recording.

    Raises:
        InputError: nothing was recorded, or the events cannot be read.
    """
    happened, rows = session.events(), session.rows
    # Of a frame that is in the file twice the first one counts.
    sequence, first_of = np.unique(rows["sequence"].astype(np.int64), return_index=True)
    unreadable = {number_in(e, "frame"): str(e.get("reason", "")) for e in happened if e["kind"] == events.UNREADABLE}
    end = max([int(sequence[-1]) if len(sequence) else -1, *unreadable], default=-1) + 1
    if not end:
        raise InputError(f"{session.path} has no frames that could be replayed")
    if end > MOST_FRAMES:
        raise InputError(f"{session.path} numbers its frames up to {end}, which is more than can be replayed")
    by_number = np.full(end, np.nan)
    by_number[sequence] = times[first_of]
    places = np.full(end, -1, np.int64)
    places[sequence] = first_of
    for event in happened:
        number = number_in(event, "frame")
        if event["kind"] == events.UNREADABLE and places[number] < 0:
            seconds = event.get("time")
            by_number[number] = seconds if isinstance(seconds, int | float) else np.nan
    unreadable = {number: reason for number, reason in unreadable.items() if places[number] < 0}
    unprocessed = absences(happened, events.UNPROCESSED)
    wanted = places >= 0
    wanted[list(unreadable)] = True
    absent = _absent(wanted, unprocessed, happened)
    held = held_states(session.states(), happened)
    states = [frame for frame, problem in held.items() if not problem]
    # Frames that the live run left out are left out again.
    for absence in unprocessed:
        wanted[absence.first : absence.last + 1] = False
    frames = np.flatnonzero(wanted)
    resumed = tuple(absence for absence in absent if _resumes(absence.last, states, frames))
    return Timeline(
        frames, by_number, places, unreadable, unprocessed, tuple(a for a in absent if a not in resumed),
        tuple(read_changes(happened)), tuple(states), {frame: why for frame, why in held.items() if why}, resumed,
    )  # fmt: skip


def _resumes(last: int, states: Sequence[int], frames: npt.NDArray[np.int64]) -> bool:
    """Whether a state is behind frame `last`, before any other frame that is replayed."""
    at = bisect_right(states, last)
    if at == len(states):
        return False
    # The state helps if no other frame would be replayed between the loss and it.
    k = int(np.searchsorted(frames, last, "right"))
    return k == len(frames) or states[at] <= int(frames[k])


def _absent(
    there: npt.NDArray[np.bool_], unprocessed: tuple[Absence, ...], happened: list[dict[str, Any]]
) -> tuple[Absence, ...]:
    """Ranges of frames that are not there, with some that were processed all the same, and what events say of them."""
    causes = [(NOT_RECORDED, "lost when the recorder died, or with a damaged part of the file")]
    cause = np.zeros(len(there), np.int32)
    for event in happened:
        if event["kind"] in (events.LOSS, events.SKIPPED):
            causes.append((NOT_RECORDED, str(event.get("reason", ""))))
            cause[number_in(event, "first") : number_in(event, "last") + 1] = len(causes) - 1
    cause[there] = -1
    # Missing from the file, but not among those that were left out: they were processed.
    processed = ~there
    for absence in unprocessed:
        processed[absence.first : absence.last + 1] = False
    return tuple(Absence(a, b, *causes[k]) for a, b, k in runs(cause) if processed[a : b + 1].any())
