"""The steps in which one value was changed; a kind of `app.desk.services.undoing`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from app.desk.steps import Stepped, Steps

MERGE = 1.0
"""Seconds within which changes of one kind are one step (a field whose arrow is held)."""
V = TypeVar("V")


@dataclass(eq=False)
class _Changed(Generic[V]):
    words: str
    before: V
    after: V
    at: float


class ValueSteps(Stepped[_Changed[V]], Generic[V]):
    """See the module.

    Args:
        put: called with what the value is to be, where a step is undone or done again.
    """

    def __init__(self, put: Callable[[V], object]) -> None:
        self._put = put
        self._history = Steps[_Changed[V]]()

    def begin(self) -> None:
        """Of another clip: nothing was done yet."""
        self._history = Steps[_Changed[V]]()

    def add(self, words: str, before: V, after: V, merge: bool = False) -> None:
        """It was changed.

        Args:
            words: what was done.
            merge: whether it goes on with the same, that was done just now.
        """
        now = time.monotonic()
        last = self._history.done[-1] if self._history.done else None
        if merge and last is not None and last.words == words and now - last.at < MERGE:
            last.after, last.at = after, now
            self._history.undone.clear()
        else:
            self._history.add(_Changed(words, before, after, now))

    @property
    def owner(self) -> object:
        """What holds the steps: another clip has its own."""
        return self._history

    @property
    def steps(self) -> Sequence[object]:
        """What was done and not undone."""
        return self._history.done

    def undo(self) -> None:
        """One step back."""
        if (step := self._history.undo()) is not None:
            self._put(step.before)

    def redo(self) -> None:
        """One step on again."""
        if (step := self._history.redo()) is not None:
            self._put(step.after)
