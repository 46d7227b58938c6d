"""What was done, step after step, and what of it was undone: the two stacks behind every history."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar


class Named(Protocol):
    """A step that says in words what it did."""

    @property
    def words(self) -> str: ...


S = TypeVar("S", bound=Named)


class Steps(Generic[S]):
    """Two stacks: a step that is undone goes from `done` to `undone`, and back when it is done again."""

    def __init__(self) -> None:
        self.done: list[S] = []
        self.undone: list[S] = []

    def add(self, step: S) -> None:
        """Something new was done; what was undone before can no longer be done again."""
        self.done.append(step)
        self.undone.clear()

    def undo(self) -> S | None:
        """The last step, which counts as undone from now on; None at the beginning."""
        if not self.done:
            return None
        self.undone.append(self.done.pop())
        return self.undone[-1]

    def redo(self) -> S | None:
        """The step that was undone last, which counts as done again; None at the end."""
        if not self.undone:
            return None
        self.done.append(self.undone.pop())
        return self.done[-1]

    def clear(self) -> None:
        """Forget all of it."""
        self.done, self.undone = [], []

    @property
    def undo_words(self) -> str:
        """What would be undone, "" for nothing."""
        return self.done[-1].words if self.done else ""

    @property
    def redo_words(self) -> str:
        """What would be done again, "" for nothing."""
        return self.undone[-1].words if self.undone else ""


class Stepped(Generic[S]):
    """Base of what keeps its steps in a `_history`."""

    _history: Steps[S]

    @property
    def undo_words(self) -> str:
        """What would be undone, "" for nothing."""
        return self._history.undo_words

    @property
    def redo_words(self) -> str:
        """What would be done again, "" for nothing."""
        return self._history.redo_words
