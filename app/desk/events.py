"""Events: frames with a name, and what was done to them, with undo and redo."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.desk.steps import Stepped, Steps
from kernels.errors import InputError

FIRST = "event"
"""The name that is proposed where none was used yet."""


@dataclass(frozen=True, slots=True, order=True)
class Event:
    """Something happens in a frame.

    Args:
        frame: of the clip, from 0.
        name: what happens, one line.
    """

    frame: int
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """What was done in one step: which events went, and which came."""

    words: str
    gone: frozenset[Event]
    new: frozenset[Event]


class Events(Stepped[Change]):
    """The events of a clip; each frame has a name once only.

    Args:
        made: those that there are already; they cannot be undone.

    Attributes:
        made: all, by frame and name.
    """

    def __init__(self, made: Iterable[Event] = ()) -> None:
        self.made: tuple[Event, ...] = tuple(sorted(set(made)))
        self._history = Steps[Change]()

    @property
    def done(self) -> tuple[Change, ...]:
        """What was done and not undone."""
        return tuple(self._history.done)

    def do(self, words: str, gone: Iterable[Event], new: Iterable[Event]) -> bool:
        """Take some away and add others; what was undone is gone. False where that changes nothing."""
        now = set(self.made)
        after = (now - set(gone)) | set(new)
        if after == now:
            return False
        self._history.add(Change(words, frozenset(now - after), frozenset(after - now)))
        self.made = tuple(sorted(after))
        return True

    def undo(self) -> None:
        """One step back; nothing happens at the beginning."""
        if (change := self._history.undo()) is not None:
            self.made = tuple(sorted((set(self.made) - change.new) | change.gone))

    def redo(self) -> None:
        """One step on again; nothing happens at the end."""
        if (change := self._history.redo()) is not None:
            self.made = tuple(sorted((set(self.made) - change.gone) | change.new))

    def adopt(self, made: Iterable[Event]) -> None:
        """These are the events now; what was done here can still be undone."""
        self.made = tuple(sorted(set(made)))


def clean(name: str) -> str:
    """A name as it is kept: one line, without spaces around it.

    Raises:
        InputError: nothing is left.
    """
    made = " ".join(name.split())
    if not made:
        raise InputError("an event needs a name")
    return made


def merged(base: Iterable[Event], ours: Iterable[Event], theirs: Iterable[Event]) -> tuple[Event, ...]:
    """What two windows did to the same events: what either took away is gone, what either added is there."""
    b, o, t = set(base), set(ours), set(theirs)
    return tuple(sorted((o & t) | (o - b) | (t - b)))


def next_event(events: Sequence[Event], frame: int, back: bool = False) -> Event | None:
    """The next event after `frame`, or the last one before it; events by frame."""
    if back:
        k = bisect_left(events, frame, key=lambda event: event.frame) - 1
        return events[k] if k >= 0 else None
    k = bisect_right(events, frame, key=lambda event: event.frame)
    return events[k] if k < len(events) else None


def between(events: Sequence[Event], first: int, last: int) -> Sequence[Event]:
    """Those from one frame to another one, both included; events by frame."""
    a = bisect_left(events, first, key=lambda event: event.frame)
    return events[a : bisect_right(events, last, key=lambda event: event.frame)]
