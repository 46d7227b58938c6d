"""The history of a window's pipelines and their edits, to undo and redo.

Another pipeline that is chosen, or that a session brings, is a step like any other: what was edited before stays
reachable, and it is known which of it is in a file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pipelines.graph import Pipeline

MOST_EDITS = 500
MERGE = 1.0
"""Seconds within which changes of one parameter are one step of the history (a slider that is dragged)."""


@dataclass(eq=False)
class Origin:
    """Where a pipeline and all that was made of it come from.

    Args:
        path: the file that it was read from or saved to; None for one that comes with the program or a session.
        shipped: its name, where it came with the program.
        digest: of the file's content as it was read or written last, "" for no file.
        saved: the step that is there; None for none of those that are known.
    """

    path: Path | None = None
    shipped: str = ""
    digest: str = ""
    saved: Edit | None = None


@dataclass(eq=False)
class Edit:
    """A step of the history: what people call it, and the pipeline that it led to.

    Args:
        words, pipeline: see above.
        key, at: see `History.do`.
        origin: where the pipeline comes from.
        opens: whether it is another pipeline, not one made of that before.
    """

    words: str
    pipeline: Pipeline
    key: str
    at: float
    origin: Origin
    opens: bool = False

    @property
    def unsaved(self) -> bool:
        """Whether it is in no file."""
        saved = self.origin.saved
        return saved is None or (saved is not self and saved.pipeline != self.pipeline)


class History:
    """Pipelines one after another; undo and redo.

    Args:
        pipeline: what stood there first.
        origin: where it comes from.
        saved: whether it is there as it is.
    """

    def __init__(self, pipeline: Pipeline, origin: Origin | None = None, saved: bool = True) -> None:
        first = Edit("opened", pipeline, "", 0.0, origin if origin is not None else Origin(), True)
        if saved:
            first.origin.saved = first
        self._edits = [first]
        self._at = 0

    def anew(self) -> History:
        """One that begins where this one is: undo ends there."""
        now = self.now
        return History(now.pipeline, now.origin, not now.unsaved)

    @property
    def now(self) -> Edit:
        """The step that holds."""
        return self._edits[self._at]

    @property
    def pipeline(self) -> Pipeline:
        """As it is now."""
        return self.now.pipeline

    @property
    def path(self) -> Path | None:
        """The file that it was read from or saved to."""
        return self.now.origin.path

    @property
    def dirty(self) -> bool:
        """Whether something changed since it was saved."""
        return self.now.unsaved

    @property
    def done(self) -> tuple[Edit, ...]:
        """The steps that can be undone, the newest last."""
        return tuple(self._edits[1 : self._at + 1])

    @property
    def left(self) -> tuple[Edit, ...]:
        """What was edited, not saved, and left for another pipeline, the newest last."""
        pairs = zip(self._edits, self._edits[1 : self._at + 1], strict=False)
        return tuple(before for before, after in pairs if after.opens and before.unsaved)

    @property
    def undo_words(self) -> str:
        """What would be undone, "" for nothing."""
        return self.now.words if self._at else ""

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
        now = self.now
        if pipeline == now.pipeline:
            return
        if key and key == now.key and at - now.at <= MERGE and now.unsaved and self._at:
            del self._edits[self._at :]
            self._edits.append(Edit(words, pipeline, key, at, now.origin))
            return
        self._append(Edit(words, pipeline, key, at, now.origin))

    def choose(self, words: str, pipeline: Pipeline, origin: Origin, saved: bool = True) -> None:
        """Go over to another one, which is not made of what is there; as in `do` and as when it is begun with."""
        made = Edit(words, pipeline, "", 0.0, origin, True)
        if saved:
            origin.saved = made
        self._append(made)

    def _append(self, made: Edit) -> None:
        del self._edits[self._at + 1 :]
        self._edits.append(made)
        self._at += 1
        if len(self._edits) > MOST_EDITS:
            del self._edits[0]
            self._at -= 1

    def undo(self) -> Pipeline:
        """One step back; nothing happens at the beginning."""
        self._at = max(0, self._at - 1)
        return self.pipeline

    def redo(self) -> Pipeline:
        """One step on again; nothing happens at the end."""
        self._at = min(len(self._edits) - 1, self._at + 1)
        return self.pipeline

    def saved(self, path: Path | None = None, digest: str = "", edit: Edit | None = None) -> None:
        """A step is in a file, which is that of all that was made of the same pipeline.

        Args:
            path: the file; the pipelines are called by it. None for the one that is known.
            digest: of its content.
            edit: the step; None for the one that holds.
        """
        step = self.now if edit is None else edit
        origin = step.origin
        if path is not None:
            for other in self._edits:
                if other.origin.path == path and other.origin is not origin:
                    other.origin.saved = None  # it was written over
                if other.origin is origin:
                    other.pipeline = replace(other.pipeline, name=path.stem)
            origin.path, origin.digest = path, digest
        origin.saved = step
