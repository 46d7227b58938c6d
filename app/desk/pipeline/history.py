"""The history of a pipeline's edits, to undo and redo."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.graph import Pipeline

MOST_EDITS = 500
MERGE = 1.0
"""Seconds within which changes of one parameter are one step of the history (a slider that is dragged)."""


@dataclass(frozen=True)
class Edit:
    """A step of the history: what people call it, and the pipeline that it led to."""

    words: str
    pipeline: Pipeline
    key: str = ""
    at: float = 0.0


class History:
    """Pipelines one after another; undo and redo.

    Args:
        pipeline: what stood there first.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        self._edits = [Edit("opened", pipeline)]
        self._at = 0
        self._saved = 0

    @property
    def pipeline(self) -> Pipeline:
        """As it is now."""
        return self._edits[self._at].pipeline

    @property
    def dirty(self) -> bool:
        """Whether something changed since it was saved."""
        return self._at != self._saved

    @property
    def done(self) -> tuple[Edit, ...]:
        """The steps that can be undone, the newest last."""
        return tuple(self._edits[1 : self._at + 1])

    @property
    def undo_words(self) -> str:
        """What would be undone, "" for nothing."""
        return self._edits[self._at].words if self._at else ""

    @property
    def redo_words(self) -> str:
        """What would be done again, "" for nothing."""
        return self._edits[self._at + 1].words if self._at + 1 < len(self._edits) else ""

    def do(self, words: str, pipeline: Pipeline, key: str = "", at: float = 0.0) -> None:
        """Go on to another pipeline; what was undone is gone.

        Args:
            words: what people call the step.
            pipeline: what it leads to.
            key: steps with the same key (not ""), each within `MERGE` seconds of the one before, are one.
            at: seconds, of any clock.
        """
        now = self._edits[self._at]
        if pipeline == now.pipeline:
            return
        del self._edits[self._at + 1 :]
        if key and key == now.key and at - now.at <= MERGE and self._at != self._saved and self._at:
            self._edits[self._at] = Edit(words, pipeline, key, at)
            return
        self._edits.append(Edit(words, pipeline, key, at))
        self._at += 1
        if len(self._edits) > MOST_EDITS:
            del self._edits[0]
            self._at -= 1
            self._saved -= 1

    def undo(self) -> Pipeline:
        """One step back; nothing happens at the beginning."""
        self._at = max(0, self._at - 1)
        return self.pipeline

    def redo(self) -> Pipeline:
        """One step on again; nothing happens at the end."""
        self._at = min(len(self._edits) - 1, self._at + 1)
        return self.pipeline

    def take_back(self) -> Pipeline:
        """One step back, which cannot be done again: it came to nothing."""
        self.undo()
        del self._edits[self._at + 1 :]
        return self.pipeline

    def saved(self) -> None:
        """The pipeline as it is now stands in a file."""
        self._saved = self._at
