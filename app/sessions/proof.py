"""The ledger of a session: every frame that was announced to the recorder, and where it is.

Nothing is taken from a counter that can be counted again: which frames are there comes from the frames themselves,
what is missing between them from their numbers; events only say why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from app.sessions import events
from app.sessions.absence import Absence, number_in, runs
from app.sessions.layout import FrameRows
from app.sessions.processing import Processing, processing
from app.sessions.reader import SessionReader, SessionState
from app.sessions.states import held_states
from kernels.errors import BadFrame
from pipelines.frame import UNKNOWN

KINDS = (events.LOSS, events.SKIPPED, events.UNREADABLE, "missing")
_MISSING = ("missing", "lost when the recorder died, or with a damaged part of the file")
Range = tuple[int, int]
"""First and last number, both included."""


@dataclass(frozen=True, slots=True)
class Proof:
    """announced == recorded + dropped + skipped + unreadable + missing, always.

    Args:
        announced: frames that were announced to the recorder; as far as is known (`announced_known`) if nothing closed
            the session.
        recorded: frames in the file.
        dropped, skipped, missing: announced frames that are not: lost and named as such; not asked for by a trigger;
            lost when the recorder died, which no event names.
        unreadable: announced frames that the source, a damaged clip, could not read.
        absences: where they are, rising.
        duplicates: frames that are in the file twice.
        camera_lost: ranges of the camera's numbers that never came.
        camera_repeated: the camera's numbers that came again, in order of arrival.
        camera_late: those that came once, after a higher one, likewise.
        time_gaps: (index, frames that the time stamps say are missing before it, beyond those that were announced and
            those that the camera's numbers say are missing): pauses, mostly.
        damaged: indices of frames whose checksum differs; None if it was not looked.
        restarts: how often the recorder died and was started again.
        messages_lost: tables of tracks and events that found no room.
        ending: how the session ended, in words.
        problems: sentences about the file.
        processing: what became of the frames in the pipeline, None if there was none.
        camera: what the camera said of itself at the end, {} if nothing.
        states: frames before which the session holds the state of the run, and what is wrong with it, "" if nothing.
        sent: what was sent to other programs and what was dropped, in words; "" if nothing was to be sent.
        delay: seconds from the time at which the recording of a running camera was asked for to its first frame; None
            where the session does not say.
        came_before: frames that came in between.
        growing: it is still being recorded; the numbers are those up to the last frame that is in the file.
    """

    announced: int
    announced_known: bool
    recorded: int
    dropped: int
    skipped: int
    missing: int
    absences: tuple[Absence, ...]
    duplicates: int
    camera_lost: tuple[Range, ...]
    camera_repeated: tuple[int, ...]
    camera_late: tuple[int, ...]
    time_gaps: tuple[tuple[int, int], ...]
    damaged: tuple[int, ...] | None
    restarts: int
    messages_lost: int
    ending: str
    problems: tuple[str, ...]
    unreadable: int = 0
    processing: Processing | None = None
    camera: Mapping[str, Any] = field(default_factory=dict)
    states: tuple[tuple[int, str], ...] = ()
    growing: bool = False
    sent: str = ""
    delay: float | None = None
    came_before: int = 0

    @property
    def whole(self) -> bool:
        """Whether every frame that was announced and wanted so far is there, and whole."""
        return not (self.dropped or self.missing or self.duplicates or self.damaged)

    @property
    def complete(self) -> bool:
        """`whole`, and nothing is to come any more."""
        return self.whole and self.announced_known and (self.processing is None or self.processing.balanced)

    def facts(self) -> dict[str, Any]:
        """JSON-able."""
        steps = None if self.processing is None else self.processing.facts()
        return {**asdict(self), "complete": self.complete, "processing": steps, "camera": dict(self.camera)}


def prove(
    reader: SessionReader, *, checksums: bool = True, progress: Callable[[int], None] | None = None
) -> Proof:
    """Account for every frame of a session.

    Args:
        reader: the session.
        checksums: read every frame and check it.
        progress: called with the number of frames checked so far.
    """
    rows, happened = reader.rows, reader.events()
    present = np.unique(rows["sequence"].astype(np.int64))
    announced, known, ending = _announced(happened, present, reader)
    # Frames there count as such whatever an event says; what no event names was lost with a recorder.
    causes = [_MISSING]
    # Which of `causes` each announced frame has; -1 where it is there. Later events overwrite earlier ones.
    cause = np.zeros(announced, np.int32)
    for event in happened:
        if event["kind"] in (events.LOSS, events.SKIPPED):
            causes.append((event["kind"], str(event.get("reason", ""))))
            cause[number_in(event, "first") : number_in(event, "last") + 1] = len(causes) - 1
    for event in happened:
        if event["kind"] == events.UNREADABLE:
            reason = events.UNREADABLE, str(event.get("reason", ""))
            causes += [reason] if reason not in causes else []
            cause[number_in(event, "frame") : number_in(event, "frame") + 1] = causes.index(reason)
    # What is in the file wins over whatever an event says.
    cause[present] = -1
    absences = tuple(Absence(a, b, *causes[c]) for a, b, c in runs(cause))
    counts = {kind: sum(a.count for a in absences if a.kind == kind) for kind in KINDS}
    logs = [event.get("facts") for event in happened if event["kind"] == events.CAMERA]
    steps = processing(happened, reader.tracks(), announced)
    damaged = _damaged(reader, progress) if checksums else None
    # Asked for last: what is read may turn out to be damaged.
    return Proof(
        announced, known, len(rows), counts[events.LOSS], counts[events.SKIPPED], counts["missing"], absences,
        len(rows) - len(present), _camera_lost(rows, happened), *_repeated(rows, happened), _time_gaps(rows),
        damaged,
        sum(event["kind"] == events.RECORDER for event in happened),
        sum(number_in(event, "count") for event in happened if event["kind"] == events.LOST_MESSAGES),
        ending, reader.problems, counts[events.UNREADABLE], steps,
        logs[-1] if logs and isinstance(logs[-1], dict) else {},
        tuple(held_states(reader.states(), happened).items()), reader.state is SessionState.GROWING and not known,
        next((str(event.get("text", "")) for event in reversed(happened) if event["kind"] == events.SENT), ""),
        *_began(rows, happened),
    )  # fmt: skip


def _began(rows: FrameRows, happened: list[dict[str, Any]]) -> tuple[float | None, int]:
    """Seconds from the click to the first frame, and frames that came in between."""
    found = next((event for event in happened if event["kind"] == events.BEGAN), None)
    if found is None:
        return None, 0
    first = rows["host_time"][rows["sequence"] == 0]
    asked = found.get("asked")
    delay = max(0, int(first[0]) - asked) / 1e9 if isinstance(asked, int) and len(first) else None
    return delay, number_in(found, "came_before")


def _announced(
    happened: list[dict[str, Any]], present: npt.NDArray[np.int64], reader: SessionReader
) -> tuple[int, bool, str]:
    """Frames that were announced, whether that is known for sure, and how the session ended."""
    # Frames that a session which is being recorded only tells of are still on their way.
    tell = (events.CLOSE,) if reader.state is SessionState.GROWING else (events.STATISTICS, events.CLOSE)
    counts = [number_in(event, "announced") for event in happened if event["kind"] in tell]
    # Whoever is named was announced, even where the last count is older.
    counts += [number_in(event, "last") + 1 for event in happened if event["kind"] in (events.LOSS, events.SKIPPED)]
    counts += [number_in(event, "frame") + 1 for event in happened if event["kind"] == events.UNREADABLE]
    announced = max((*counts, int(present[-1]) + 1 if len(present) else 0), default=0)
    closed = [event for event in happened if event["kind"] == events.CLOSE]
    if closed:
        return announced, True, str(closed[-1].get("reason", ""))
    if reader.state is SessionState.GROWING:
        return announced, False, "none yet: it is still being recorded, and this is how far it had come"
    return announced, False, "the recorder died, and the program that recorded with it; more frames may have come"


def _camera_lost(rows: FrameRows, happened: list[dict[str, Any]]) -> tuple[Range, ...]:
    """Ranges of the camera's numbers between those that came, from events and as seen in the file."""
    gaps = [(number_in(e, "first_id"), number_in(e, "last_id")) for e in happened if e["kind"] == events.GAP]
    ids, sequence = rows["camera_id"], rows["sequence"].astype(np.int64)
    if len(ids):
        # Highest number so far: a camera's numbers may come late or twice.
        highest = np.maximum.accumulate(ids)[:-1]
        after = ids[1:]
        # Only between frames that followed one another: elsewhere frames are missing by sequence, and events tell.
        steps = np.flatnonzero((after > highest + 1) & (np.diff(sequence) == 1) & (highest != UNKNOWN))
        gaps += [(int(highest[k]) + 1, int(after[k]) - 1) for k in steps.tolist()]
    merged: list[Range] = []
    for first, last in sorted(set(gaps)):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    came = np.unique([*ids.tolist(), *(number_in(e, "camera_id") for e in happened if e["kind"] == events.LATE)])
    made: list[Range] = []
    for first, last in merged:  # less those that came late
        # Cut the late numbers out of the range: what is between them stays lost.
        begin = first
        for number in came[np.searchsorted(came, first) : np.searchsorted(came, last, "right")].tolist():
            if number > begin:
                made.append((begin, number - 1))
            begin = number + 1
        if begin <= last:
            made.append((begin, last))
    return tuple(made)


def _repeated(rows: FrameRows, happened: list[dict[str, Any]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The camera's numbers that came again, and those that came late, from events and as seen in the file."""
    again, late = (
        {(number_in(e, "frame"), number_in(e, "camera_id")) for e in happened if e["kind"] == kind}
        for kind in (events.DUPLICATE, events.LATE)
    )
    ids = rows["camera_id"]
    if len(ids):
        highest = np.maximum.accumulate(ids)
        seen = set(np.unique(ids, return_index=True)[1].tolist())
        # At or below a number that came before: seen for the first time it came late, else again.
        for k in (np.flatnonzero((ids[1:] <= highest[:-1]) & (ids[1:] != UNKNOWN)) + 1).tolist():
            found = int(rows["sequence"][k]), int(ids[k])
            if found not in again and found not in late:
                (late if k in seen else again).add(found)
    return tuple(number for _, number in sorted(again)), tuple(number for _, number in sorted(late))


def _time_gaps(rows: FrameRows) -> tuple[tuple[int, int], ...]:
    """Where the time stamps leave room for frames that neither the sequence nor the camera's numbers account for.

    The median interval counts as the camera's; a gap is half an interval more than the numbers explain.
    """
    times = rows["time"]
    if not np.isfinite(times).all():
        times = np.where(rows["camera_time"] == UNKNOWN, np.nan, rows["camera_time"] * 1e-9)
    steps = times[1:] - times[:-1]
    sequence = rows["sequence"].astype(np.int64)
    numbers = sequence[1:] - sequence[:-1]
    usable = np.isfinite(steps) & (numbers > 0)
    if not usable.any():
        return ()
    ids = rows["camera_id"]
    known = (ids[1:] != UNKNOWN) & (ids[:-1] != UNKNOWN)
    # Frames that the camera's own numbers say are missing are no pause.
    numbers = np.where(known, np.maximum(numbers, ids[1:] - np.maximum.accumulate(ids)[:-1]), numbers)
    interval = float(np.median(steps[usable] / numbers[usable]))
    if not interval > 0:
        return ()
    missing = np.where(usable, np.round(np.where(usable, steps, 0) / interval) - numbers, 0)
    return tuple((int(k) + 1, int(missing[k])) for k in np.flatnonzero(missing > 0).tolist())


def _damaged(reader: SessionReader, progress: Callable[[int], None] | None) -> tuple[int, ...]:
    """Frames that cannot be read back as they were recorded."""
    image = reader.picture.image
    out, bad = np.empty(image.shape, image.dtype.numpy), []
    for index in range(len(reader)):
        try:
            reader.read(index, out)
        except BadFrame:
            bad.append(index)
        if progress is not None:
            progress(index + 1)
    return tuple(bad)
