"""Pipelines that are in no file: kept from start to start, and spoken of when they are left.

Nothing here blocks the window: what was left is named in a strip, and undo goes back to it. Where it cannot be kept (a
full disk, a home that is read-only) a strip says so, and so does the window when it is closed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Protocol

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.jobs.batch_queue import BatchQueue
from app.desk.pipeline.history import Edit
from app.desk.pipeline.pipeline_file import changed, digest_of
from app.desk.pipeline.unsaved_pipelines import Left, UnsavedPipelines, chain, key_of
from app.desk.services.clip_pipelines import ClipPipelines
from app.gui.asking import Asking
from app.gui.settings import Settings
from app.gui.strips import Strip, Strips
from app.gui.terminal import print_lines
from app.safe_names import safe_file_name
from pipelines.writing import dumps

REST = 1500
"""Milliseconds without a change after which the pipeline is kept; a slider that is dragged is not written."""
UNKEPT, LOST = "unkept", "lost"
"""Strips: nothing can be kept; and what would be lost now."""


class Window(Protocol):
    """What this needs of the main window."""

    bench: Workbench
    settings: Settings
    strips: Strips
    asking: Asking
    pipelines: ClipPipelines

    def guarded(self, work: Callable[[], object]) -> None: ...
    def installEventFilter(self, watcher: QtCore.QObject) -> None: ...  # noqa: N802


class Unsaved(QtCore.QObject):  # type: ignore[misc]
    """See the module.

    Args:
        window: the window.
        queue: of the batch.
    """

    def __init__(self, window: Window, queue: BatchQueue) -> None:
        super().__init__(window)  # its clock ends with the window
        self._queue = queue
        self._window, self._bench, self._strips = window, window.bench, window.strips
        self._unsaved = UnsavedPipelines(window.settings)
        self._step = self._bench.history.now
        self._left: Edit | None = None
        self._asked = self._trouble = ""
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REST)
        self._timer.timeout.connect(self.keep)
        for topic in (Topic.PIPELINE, Topic.OPENED):
            self._bench.on(topic, self._look)
        queue.on(lambda: None if self._timer.isActive() else self._timer.start())
        window.installEventFilter(self)

    # ------------------------------------------------------------------------------------ from start to start

    def take_up(self, given: bool) -> Left:
        """Begin with what the windows before left, which is returned.

        Args:
            given: whether the bench has a pipeline that was asked for: undo goes back to what was left.
        """
        bench, asked = self._bench, self._bench.history.now
        left, damaged = self._unsaved.take(), self._window.settings.damaged
        if damaged is not None:
            bench.speak(Level.WARNING, "what the window remembered cannot be read, and it begins anew; the file "
                                       f"lies in {damaged}")  # fmt: skip
        pipelines = left.pipelines
        if given:
            pipelines = tuple(one for one in pipelines if one.unsaved)
        bench.files.take_up(pipelines)
        # What was asked for stays in front; what was left lies behind it in the history.
        if given and bench.history.now is not asked:
            bench.files.go_back_to(asked)
        if not given:
            self._window.pipelines.belongs(left.what)
        if left.lines:
            self._queue.take_up(left.lines)
        if not left.well and any(one.unsaved for one in pipelines):
            bench.speak(Level.NOTE, "the window did not end properly last time; what was changed in its pipeline is "
                                    "here, and undo takes it back")  # fmt: skip
        self._step = bench.history.now
        return left

    def keep(self, ended: bool = False) -> None:
        """Keep what this window would leave."""
        bench = self._bench
        self._timer.stop()
        asked = bench.asked if bench.asked is not None else bench.lost
        what = key_of(asked.what) if asked is not None else ""
        roi = asked.roi if asked is not None else None
        left = Left(chain(bench.history), what, tuple(roi or ()), True, self._queue.kept())
        self._window.pipelines.keep()
        self._unsaved.put(left, ended)
        self._tell(self._window.settings.trouble)

    def _tell(self, trouble: str) -> None:
        """Say that nothing can be kept, and that it can be again; each once."""
        before, self._trouble = self._trouble, trouble
        strips = self._strips
        if before and not trouble:
            strips.remove(UNKEPT)
            self._bench.speak(Level.NOTE, "what the window remembers is written again")
        elif trouble and not before:
            words = ("nothing is remembered for the next start (the layout, recent files, changed pipelines, the "
                     f"batch): {trouble}")  # fmt: skip
            self._bench.speak(Level.WARNING, words)
            strips.put(UNKEPT, Strip(
                f"{escape(words[0].upper() + words[1:])}. Free some space or make it writable; what you change in a "
                "pipeline is lost with the window unless you save it.", Level.WARNING,
                buttons=(("Save the pipeline…", lambda: self._window.guarded(self._window.asking.save_pipeline)),
                         ("Try again", self.keep)),
                closed=lambda: strips.remove(UNKEPT), tip=trouble,
            ))  # fmt: skip

    # ----------------------------------------------------------------------------------- what would be lost

    def _going(self) -> Sequence[Edit]:
        """Pipelines that are in no file and go with the window, where they cannot be kept."""
        history = self._bench.history
        return [edit for edit in (*history.left, history.now) if edit.unsaved] if self._trouble else []

    def may_go(self, anyway: Callable[[], object]) -> bool:
        """Whether the window may close; if a pipeline would be lost with it, a strip asks.

        Args:
            anyway: closes it all the same.
        """
        self.keep()
        going, strips = self._going(), self._strips
        if not going:
            strips.remove(LOST)
            return True

        def save() -> None:
            strips.remove(LOST)
            for edit in going:
                self._window.asking.save_pipeline_as(edit)

        names = " and ".join(dict.fromkeys(f"<b>{escape(edit.pipeline.name)}</b>" for edit in going))
        strips.put(LOST, Strip(
            f"The changes of {names} are in no file and cannot be kept: {escape(self._trouble)}.", Level.WARNING,
            buttons=(("Save…", lambda: self._window.guarded(save)), ("Close all the same", anyway),
                     ("Stay", lambda: strips.remove(LOST))),
        ))  # fmt: skip
        return False

    def last_words(self) -> None:
        """The window ends: keep what it leaves. Where that cannot be, pipelines that are in no file go into a new
        folder for temporary files, and the terminal is told."""
        self.keep(ended=True)
        if self._trouble:
            said = [f"the window's layout and the files that were opened last are not remembered: {self._trouble}"]
            print_lines((*said, *map(_rescued, self._going())))

    # ------------------------------------------------------------------------------------------- what was left

    def _look(self) -> None:
        self._timer.start()
        history, strips = self._bench.history, self._strips
        now, before = history.now, self._step
        self._step = now
        # Undone, saved, or gone from the history: the strip has nothing to say any more.
        if self._left is not None and (self._left not in history.left or not self._left.unsaved):
            self._forget()
        # Only another pipeline in the place of one that is in no file is spoken of; edits are not.
        if now is before or not now.opens or before not in history.left or history.left[-1] is not before:
            return
        self._left = before
        name = before.pipeline.name
        strips.put("left", Strip(
            f"The changes of <b>{name}</b> are in no file; they are kept, and undo goes back to them.",
            buttons=((f"Back to {name}", self.go_back), ("Save it…", self.save)), closed=self._forget,
            tip=f"{now.pipeline.name} has taken its place",
        ))  # fmt: skip

    def go_back(self) -> None:
        """Take what was left again; what is there now is left in its place, and undo goes back to that."""
        left = self._left
        if left is not None:
            self._step = left  # what is left so needs no word
            self._window.guarded(lambda: self._bench.files.go_back_to(left))
            self._step = self._bench.history.now
            self._forget()

    def save(self) -> None:
        """Write what was left to a file that is asked for."""
        left = self._left
        if left is not None:
            self._window.guarded(lambda: self._window.asking.save_pipeline_as(left))

    def _forget(self) -> None:
        self._left = None
        self._strips.remove("left")

    # --------------------------------------------------------------------------------- what others have written

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:  # noqa: N802
        """Whoever comes back from another program may have changed the file there."""
        if event.type() == QtCore.QEvent.Type.WindowActivate and isinstance(watched, QtWidgets.QWidget):
            self.look_at_file()
        return False

    def look_at_file(self) -> None:
        """Say that another program has changed the pipeline's file, once."""
        origin = self._bench.history.now.origin
        if origin.path is None or not changed(origin):
            return
        # Once for each content: whoever said no is not asked again at each look.
        digest = digest_of(origin.path)
        if digest != self._asked:
            self._asked = digest
            self._window.asking.about_changed_file()


def _rescued(edit: Edit) -> str:
    """Write a pipeline without being asked, and say so."""
    name = edit.pipeline.name
    try:
        path = Path(tempfile.mkdtemp(prefix="fusetrack-")) / f"{safe_file_name(name, 'pipeline')}.toml"
        path.write_text(dumps(edit.pipeline), "utf-8")
    except OSError as error:
        return f"the changes of the pipeline {name!r} could not be kept anywhere: {error.strerror}"
    return f"the changes of the pipeline {name!r} could not be kept; they are in {path}"
