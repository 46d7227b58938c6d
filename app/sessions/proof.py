"""The ledger of a session: every frame that was announced to the recorder, and where it is.

Nothing is taken from a counter that can be counted again: which frames are there comes from the frames themselves,
what is missing between them from their numbers; events only say why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.sessions import events
from app.sessions.layout import FrameRows
from app.sessions.reader import SessionReader, SessionState
from kernels.errors import BadFrame
from pipelines.frame import UNKNOWN

MOST_NAMED = 100
"""Places that are named one by one; beyond, they are counted."""
MOST_ANNOUNCED = 1 << 33
"""More frames than that no session announces; what is larger comes from damage."""
KINDS = (events.LOSS, events.SKIPPED, "missing")
_MISSING = ("missing", "lost when the recorder died, or with a damaged part of the file")
Range = tuple[int, int]
"""First and last number, both included."""


@dataclass(frozen=True, slots=True)
class Absence:
    """Announced frames that were not recorded: their sequence numbers, "loss", "skipped" or "missing", and why."""

    first: int
    last: int
    kind: str
    reason: str

    @property
    def count(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class Proof:
    """announced == recorded + dropped + skipped + missing, always.

    Args:
        announced: frames that the recorder was told of; as far as is known (`announced_known`) when nobody closed
            the session.
        recorded: frames in the file.
        dropped, skipped, missing: announced frames that are not: lost and named as such; not asked for by a trigger;
            lost when the recorder died, which no event names.
        absences: where they are, rising.
        duplicates: frames that are in the file twice.
        camera_lost: ranges of the camera's numbers that never came.
        camera_repeated: the camera's numbers that came again or late, in order of arrival.
        time_gaps: (index, frames that the time stamps say are missing before it, beyond those named above).
        damaged: indices of frames whose checksum differs; None if it was not looked.
        restarts: how often the recorder died and was started again.
        messages_lost: tables of tracks and events that found no room.
        ending: how the session ended, in words.
        problems: sentences about the file.
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
    time_gaps: tuple[tuple[int, int], ...]
    damaged: tuple[int, ...] | None
    restarts: int
    messages_lost: int
    ending: str
    problems: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether every announced frame that was wanted is there, and whole."""
        return not (self.dropped or self.missing or self.duplicates or self.damaged or not self.announced_known)

    def facts(self) -> dict[str, Any]:
        """JSON-able."""
        return {**asdict(self), "complete": self.complete}


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
    cause = np.zeros(announced, np.int32)
    for event in happened:
        if event["kind"] in (events.LOSS, events.SKIPPED):
            causes.append((event["kind"], str(event.get("reason", ""))))
            cause[_number(event, "first") : _number(event, "last") + 1] = len(causes) - 1
    cause[present] = -1
    absences = tuple(Absence(a, b, *causes[c]) for a, b, c in _runs(cause))
    counts = {kind: sum(a.count for a in absences if a.kind == kind) for kind in KINDS}
    return Proof(
        announced, known, len(rows), counts[events.LOSS], counts[events.SKIPPED], counts["missing"], absences,
        len(rows) - len(present), _camera_lost(rows, happened), _repeated(rows, happened), _time_gaps(rows),
        _damaged(reader, progress) if checksums else None,
        sum(event["kind"] == events.RECORDER for event in happened),
        sum(_number(event, "count") for event in happened if event["kind"] == events.LOST_MESSAGES),
        ending, reader.problems,
    )  # fmt: skip


def _announced(
    happened: list[dict[str, Any]], present: npt.NDArray[np.int64], reader: SessionReader
) -> tuple[int, bool, str]:
    """Frames that were announced, whether that is known for sure, and how the session ended."""
    told = [_number(event, "announced") for event in happened if event["kind"] in (events.STATISTICS, events.CLOSE)]
    told += [_number(event, "last") + 1 for event in happened if event["kind"] in (events.LOSS, events.SKIPPED)]
    announced = max((*told, int(present[-1]) + 1 if len(present) else 0), default=0)
    closed = [event for event in happened if event["kind"] == events.CLOSE]
    if closed:
        return announced, True, str(closed[-1].get("reason", ""))
    if reader.state is SessionState.GROWING:
        return announced, False, "it is being recorded"
    return announced, False, "the recorder died, and the program that recorded with it; more frames may have come"


def _number(event: dict[str, Any], name: str) -> int:
    """A number in an event, 0 if it is none."""
    value = event.get(name)
    return value if isinstance(value, int) and 0 <= value < MOST_ANNOUNCED else 0


def _runs(cause: npt.NDArray[np.int32]) -> Iterator[tuple[int, int, int]]:
    """First and last index and value of the stretches of one value that is not negative."""
    edges = np.flatnonzero(np.diff(cause, prepend=-1, append=-1))
    for first, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if cause[first] >= 0:
            yield first, end - 1, int(cause[first])


def _camera_lost(rows: FrameRows, happened: list[dict[str, Any]]) -> tuple[Range, ...]:
    """Ranges of the camera's numbers between those that came: told by events, and seen in the file."""
    told = [(_number(e, "first_id"), _number(e, "last_id")) for e in happened if e["kind"] == events.GAP]
    ids, sequence = rows["camera_id"], rows["sequence"].astype(np.int64)
    if len(ids):
        highest = np.maximum.accumulate(ids)[:-1]
        after = ids[1:]
        steps = np.flatnonzero((after > highest + 1) & (np.diff(sequence) == 1) & (highest != UNKNOWN))
        told += [(int(highest[k]) + 1, int(after[k]) - 1) for k in steps.tolist()]
    merged: list[Range] = []
    for first, last in sorted(set(told)):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    came = np.unique(ids)
    made: list[Range] = []
    for first, last in merged:  # less those that came late
        begin = first
        for number in came[np.searchsorted(came, first) : np.searchsorted(came, last, "right")].tolist():
            if number > begin:
                made.append((begin, number - 1))
            begin = number + 1
        if begin <= last:
            made.append((begin, last))
    return tuple(made)


def _repeated(rows: FrameRows, happened: list[dict[str, Any]]) -> tuple[int, ...]:
    """The camera's numbers that came again or late, told by events and seen in the file."""
    told = {(_number(e, "frame"), _number(e, "camera_id")) for e in happened if e["kind"] == events.DUPLICATE}
    ids = rows["camera_id"]
    if len(ids):
        highest = np.maximum.accumulate(ids)
        again = np.flatnonzero((ids[1:] <= highest[:-1]) & (ids[1:] != UNKNOWN)) + 1
        told |= {(int(rows["sequence"][k]), int(ids[k])) for k in again.tolist()}
    return tuple(number for _, number in sorted(told))


def _time_gaps(rows: FrameRows) -> tuple[tuple[int, int], ...]:
    """Where the time stamps leave room for frames that no sequence number accounts for.

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


def describe(proof: Proof) -> list[str]:
    """The proof in lines for people."""
    about = "" if proof.announced_known else " at least"
    lines = [
        f"announced  {proof.announced} frames{about}",
        f"recorded   {proof.recorded}",
        f"dropped    {proof.dropped}",
        f"skipped    {proof.skipped}",
        f"missing    {proof.missing}",
    ]
    lines += [
        f"  {'frame' if a.count == 1 else 'frames'} {_span((a.first, a.last))}: {a.kind}, {a.reason}"
        for a in proof.absences[:MOST_NAMED]
    ]
    if len(proof.absences) > MOST_NAMED:
        lines.append(f"  and {len(proof.absences) - MOST_NAMED} more places")
    lost = sum(last - first + 1 for first, last in proof.camera_lost)
    lines.append(f"camera     {lost} of its numbers never came{_list(map(_span, proof.camera_lost))}")
    repeated = _list(map(str, proof.camera_repeated))
    lines.append(f"           {len(proof.camera_repeated)} came again or late{repeated}")
    missing = sum(count for _, count in proof.time_gaps)
    places = _list(f"{count} before frame {index}" for index, count in proof.time_gaps)
    lines.append(f"time       the stamps leave room for {missing} more{places}")
    lines.append(f"twice      {proof.duplicates} frames are in the file twice")
    if proof.damaged is None:
        lines.append("checksums  not looked at")
    else:
        lines.append(f"checksums  {proof.recorded - len(proof.damaged)} hold, {len(proof.damaged)} differ"
                     f"{_list(map(str, proof.damaged))}")  # fmt: skip
    if proof.restarts:
        lines.append(f"recorder   started again {proof.restarts} times")
    if proof.messages_lost:
        lines.append(f"messages   {proof.messages_lost} tables of tracks and events found no room")
    lines.append(f"ending     {proof.ending}")
    lines += [f"problem    {problem}" for problem in proof.problems[:MOST_NAMED]]
    return lines


def _span(span: Range) -> str:
    return str(span[0]) if span[0] == span[1] else f"{span[0]}-{span[1]}"


def _list(items: Iterable[str]) -> str:
    """Items behind a colon, the first MOST_NAMED of them."""
    shown = list(items)
    more = f" and {len(shown) - MOST_NAMED} more" if len(shown) > MOST_NAMED else ""
    return f": {', '.join(shown[:MOST_NAMED])}{more}" if shown else ""
