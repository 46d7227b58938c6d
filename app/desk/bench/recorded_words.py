"""What came of a recording, in words: frames, what was lost in between and came back, why it had to stop."""

from __future__ import annotations

import math
from pathlib import Path

from app.desk.bench.topics import Level
from app.desk.engine.reports import Recorded, Triggered
from app.frame_counts import NEVER_CAME, NO_ROOM


def between(last: Recorded) -> tuple[str, ...]:
    """What happened besides frames that were recorded or found no room; () where all went well."""
    account, said = last.account, []
    if last.left_out:
        why = ", ".join(f"{count} {reason}" if len(last.left_out) > 1 else reason
                        for reason, count in last.left_out.items())  # fmt: skip
        whose = "" if account.skipped == 0 else f" of the {account.announced} that came"
        said.append(f"{last.processed} processed{whose}, {sum(last.left_out.values())} left out ({why}): "
                    "those have no tracks")  # fmt: skip
    if last.losses:
        back = "and came back" if last.reconnects >= last.losses else (
            f"and came back {times(last.reconnects)}" if last.reconnects else "and did not come back")  # fmt: skip
        said.append(f"the camera was lost {times(last.losses)} {back}")
    if last.missing:
        said.append(f"{_count(last.missing, 'frame')} lost ({NEVER_CAME})")
    if account.restarts:
        said.append(f"the recorder ended {times(account.restarts)} and was started again")
    if account.messages_lost:
        said.append(f"{_count(account.messages_lost, 'table')} of tracks and events found no room")
    return tuple(said)


def outcome(last: Recorded) -> tuple[Level, str]:
    """All of it in a sentence, and how loud."""
    account = last.account
    if not last.kept:
        why = account.problem or "no frame came before the recording ended"
        return Level.WARNING, f"{Path(last.path).name} was not kept, as nothing is in it: {why}"
    lost = f", {account.dropped} lost ({NO_ROOM})" if account.dropped else ""
    more = (*between(last), *((account.problem,) if account.problem else ()))
    sentence = "; ".join((f"{Path(last.path).name}: {account.recorded} frames recorded{lost}", *more,
                          *gap(last), *triggers(last)))  # fmt: skip
    return Level.WARNING if lost or more else Level.NOTE, sentence


def gap(last: Recorded) -> tuple[str, ...]:
    """What the session lacks between the click and its first frame; () where nothing came in between."""
    if last.delay is None or not last.came_before:
        return ()
    are = "that came in between is not" if last.came_before == 1 else "that came in between are not"
    return (f"it begins {1000 * last.delay:.0f} ms after the click, {_count(last.came_before, 'frame')} {are} in it",)


def triggers(last: Recorded) -> tuple[str, ...]:
    """What triggered it; () where nothing did."""
    if not last.triggers:
        return ()
    count = len(last.triggers)
    return (f"{trigger_words(last.triggers[0])}{f', the first of {count}' if count > 1 else ''}",)


def trigger_words(one: Triggered) -> str:
    """When and why.

    >>> trigger_words(Triggered("key", 812, 1.6238))
    'triggered at frame 812 (1.624 s) by key'
    """
    at = f" ({one.time:.3f} s)" if math.isfinite(one.time) else ""
    return f"triggered at frame {one.frame}{at} by {one.reason}"


def times(number: int) -> str:
    """How often.

    >>> times(1), times(3)
    ('once', '3 times')
    """
    return "once" if number == 1 else f"{number} times"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
