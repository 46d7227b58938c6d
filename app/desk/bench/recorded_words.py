"""What came of a recording, in words: frames, what was lost in between and came back, why it had to stop."""

from __future__ import annotations

from pathlib import Path

from app.desk.bench.topics import Level
from app.desk.engine.messages import Recorded


def between(last: Recorded) -> tuple[str, ...]:
    """What happened besides frames that were recorded or found no room; () where all went well."""
    account, said = last.account, []
    if last.losses:
        back = "and came back" if last.reconnects >= last.losses else (
            f"and came back {times(last.reconnects)}" if last.reconnects else "and did not come back")  # fmt: skip
        said.append(f"the camera was lost {times(last.losses)} {back}")
    if last.missing:
        said.append(f"{_count(last.missing, 'frame')} never came from the camera")
    if account.restarts:
        said.append(f"the recorder ended {times(account.restarts)} and was started again")
    if account.messages_lost:
        said.append(f"{_count(account.messages_lost, 'table')} of tracks and events found no room")
    return tuple(said)


def told(last: Recorded) -> tuple[Level, str]:
    """All of it in a sentence, and how loud."""
    account = last.account
    lost = f", {account.dropped} had no room" if account.dropped else ""
    more = (*between(last), *((account.problem,) if account.problem else ()))
    sentence = "; ".join((f"{Path(last.path).name}: {account.recorded} frames recorded{lost}", *more))
    return Level.WARNING if lost or more else Level.NOTE, sentence


def times(number: int) -> str:
    """How often.

    >>> times(1), times(3)
    ('once', '3 times')
    """
    return "once" if number == 1 else f"{number} times"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
