"""What was done to the points of the tool in hand, so that undo takes it back before what was done without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from app.gui.video.tools import Tool

Made = TypeVar("Made")


@dataclass(eq=False)
class Step:
    """One change: what puts back the points as they were on its other side."""

    back: Callable[[], None]


class PointSteps:
    """A history for `app.desk.services.undoing`, of one tool from when it is taken until it is left.

    Args:
        changed: called when there is another step.
    """

    undo_words = redo_words = ""

    def __init__(self, changed: Callable[[], object]) -> None:
        self._changed = changed
        self._tool: Tool | None = None
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self.owner: object = object()

    def begin(self, tool: Tool) -> None:
        """Another tool is in hand, or other points: what was done before cannot be taken back here."""
        self._tool, self._done, self._undone = tool, [], []
        self.owner = object()
        self._words()

    def add(self, back: Callable[[], None]) -> None:
        """Something was done that `back` takes back."""
        self._done.append(Step(back))
        self._undone.clear()
        self._words()
        self._changed()

    def watch(self, tool: Tool, work: Callable[[], Made]) -> Made:
        """Do something; if the points of a tool are others then, that was a step."""
        state, back = tool.state, tool.remember()
        made = work()
        if tool is self._tool and tool.steps and tool.state != state:
            self.add(back)
        return made

    @property
    def steps(self) -> tuple[object, ...]:
        """What was done and not undone."""
        return tuple(self._done)

    def undo(self) -> None:
        """The points as they were before the last step."""
        self._go(self._done, self._undone)

    def redo(self) -> None:
        """The step that was undone last, again."""
        self._go(self._undone, self._done)

    def _go(self, here: list[Step], there: list[Step]) -> None:
        if self._tool is not None and here:
            there.append(Step(self._tool.remember()))
            here.pop().back()
            self._words()

    def _words(self) -> None:
        self.undo_words, self.redo_words = ("points" if some else "" for some in (self._done, self._undone))
