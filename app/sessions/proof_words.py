"""The ledger of a session in lines for people: one table of what became of the frames, then what else was looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.frame_counts import NEVER_CAME, NO_ROOM
from app.sessions import events
from app.sessions.absence import Absence, number_in
from app.sessions.processing import Processing
from app.sessions.proof import Proof, Range

MOST_NAMED = 20
"""Places that are named one by one; beyond, they are counted, and --json names them."""
_NAME, _COUNT = 15, 7
"""Widths of the table's columns; what a number means follows them."""


def describe(proof: Proof) -> list[str]:
    """The proof in lines for people."""
    about = "" if proof.announced_known else ", at least,"
    lines = [_row("captured", proof.announced, f"frames{about} came to be recorded"),
             _row("recorded", proof.recorded, "are in the file")]  # fmt: skip
    lines += _absent(proof, "lost", proof.dropped, events.LOSS, NO_ROOM)
    if proof.skipped:
        lines += _absent(proof, "not asked for", proof.skipped, events.SKIPPED, "by a trigger, so not recorded")
    lines += _absent(proof, "lost", proof.missing, "missing", "with a recorder that died, or with damage")
    if proof.unreadable:
        lines += _absent(proof, "unreadable", proof.unreadable, events.UNREADABLE, "could not be read from the clip")
    if proof.duplicates:
        lines.append(_row("doubled", proof.duplicates, "are in the file twice"))
    lines += _steps(proof.processing)
    lost = sum(last - first + 1 for first, last in proof.camera_lost)
    lines.append(_row("lost", lost, f"{NEVER_CAME}, by its own numbers"))
    lines += _named(proof.camera_lost, "numbers")
    for name, numbers, words in (("came again", proof.camera_repeated, "under a number that was there"),
                                 ("came late", proof.camera_late, "after a higher number")):  # fmt: skip
        if numbers:
            lines += [_row(name, len(numbers), words), *_named([(k, k) for k in numbers], "numbers")]
    lines += _camera(proof.camera, lost)
    lines.append(_fact("time stamps", _pauses(proof.time_gaps)))
    if proof.delay is not None:
        lines.append(_fact("began", begun(proof.delay, proof.came_before)))
    if proof.states:
        whole = [str(frame) for frame, problem in proof.states if not problem]
        lines.append(_fact("states", f"{len(whole)} of the run, to replay from{_list(whole)}"))
        lines += [_fact("", f"that before frame {frame} is damaged: {why}") for frame, why in proof.states if why]
    if proof.damaged is None:
        lines.append(_fact("checksums", "not looked at; `fusetrack ledger` does"))
    else:
        lines.append(_fact("checksums", f"{proof.recorded - len(proof.damaged)} hold, {len(proof.damaged)} differ"
                           f"{_list(map(str, proof.damaged))}"))  # fmt: skip
    if proof.restarts:
        lines.append(_fact("recorder", f"started again {_times(proof.restarts)}"))
    if proof.messages_lost:
        lines.append(_fact("messages", f"{proof.messages_lost} tables of tracks and events found no room"))
    if proof.sent:
        lines.append(_fact("sent", proof.sent))
    lines.append(_fact("ending", proof.ending))
    return lines + [_fact("problem", problem) for problem in proof.problems[:MOST_NAMED]]


def begun(delay: float, came_before: int) -> str:
    """How long after the click a recording began, and what it did not catch.

    >>> begun(0.0142, 14)
    '14 ms after it was asked for; 14 frames came in between and are not in it'
    """
    frames = "no frame" if not came_before else "1 frame" if came_before == 1 else f"{came_before} frames"
    return f"{1000 * delay:.0f} ms after it was asked for; {frames} came in between" + (
        "" if not came_before else " and is not in it" if came_before == 1 else " and are not in it")  # fmt: skip


def _row(name: str, count: int, words: str) -> str:
    return f"{name:<{_NAME}}{count:>{_COUNT}}  {words}"


def _fact(name: str, words: str) -> str:
    return f"{name:<{_NAME}}{words}"


def _absent(proof: Proof, name: str, count: int, kind: str, words: str) -> list[str]:
    """A row of the table, and where those frames are."""
    return [_row(name, count, words), *_places([a for a in proof.absences if a.kind == kind])]


def _places(absences: Sequence[Absence]) -> list[str]:
    """Frames and reasons, a line each."""
    lines = [f"  {'frame' if a.count == 1 else 'frames'} {_span((a.first, a.last))}: {a.reason}"
             for a in absences[:MOST_NAMED]]  # fmt: skip
    if rest := absences[MOST_NAMED:]:
        lines.append(f"  and {sum(a.count for a in rest)} more frames in {len(rest)} places (--json names them)")
    return lines


def _named(spans: Sequence[Range], what: str) -> list[str]:
    return [f"  {what}{_list(map(_span, spans))}"] if spans else []


def _steps(steps: Processing | None) -> list[str]:
    """What the pipeline did."""
    if steps is None:
        return [_fact("pipeline", "none; these frames were only recorded")]
    about = "" if steps.known else f" at least; through frame {steps.through}, the end is not known"
    lines = [_row("processed", steps.processed, f"went through the pipeline{about}")]
    if not steps.balanced:
        lines.append(_fact("", "which is not what the program counted: events of the session are lost"))
    lines.append(_row("left out", steps.left_out, "went past the pipeline; a replay with another one takes them"
                      if steps.left_out else "went past the pipeline"))  # fmt: skip
    lines += _places(steps.unprocessed)
    what = "change" if steps.changes == 1 else "changes"
    changed = f"; {steps.changes} {what} of the pipeline" if steps.changes else ""
    return [*lines, _row("with tracks", steps.tracked, f"hold {steps.rows} rows of tracks{changed}")]


def _camera(facts: Mapping[str, Any], missing: int) -> list[str]:
    """What the camera said of itself at the end; `missing` of its numbers never came."""
    lines = []
    if number_in(facts, "losses"):
        lines.append(_fact("camera", f"it was lost {_times(number_in(facts, 'losses'))} and came back "
                                     f"{_times(number_in(facts, 'reconnects'))}"))  # fmt: skip
    if "exposed" in facts:
        own = [f"{number_in(facts, key)} {key}" for key in ("exposed", "delivered", "lost", "duplicated")]
        outside = number_in(facts, "lost") - missing
        about = f" ({outside} of the lost before the first frame here or after the last)" if outside > 0 else ""
        full = "" if facts.get("log_complete", True) else "; its log was too short for all"
        lines.append(_fact("camera", f"says itself: {', '.join(own)}{about}{full}"))
    return lines


def _pauses(gaps: Sequence[tuple[int, int]]) -> str:
    """What the time stamps say beyond the numbers."""
    if not gaps:
        return "as far apart as the numbers: no pause in which a frame could have been lost unseen"
    count = sum(count for _, count in gaps)
    places = _list([f"{count} before frame {index}" for index, count in gaps])
    return f"pauses that no number tells of, {count} frames long: the camera waited, or lost frames unseen{places}"


def _times(count: int) -> str:
    return {0: "never", 1: "once"}.get(count, f"{count} times")


def _span(span: Range) -> str:
    return str(span[0]) if span[0] == span[1] else f"{span[0]}-{span[1]}"


def _list(items: Iterable[str]) -> str:
    """Items behind a colon, the first MOST_NAMED of them."""
    shown = list(items)
    rest = len(shown) - MOST_NAMED
    more = f" and {rest} more places (--json names them)" if rest > 0 else ""
    return f": {', '.join(shown[:MOST_NAMED])}{more}" if shown else ""
