"""What can be done with lines of the batch: a menu at the right button, and keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.controller import OVERLAY
from app.desk.jobs.batch_queue import FAILED, RUNNING, BatchQueue, Line
from app.gui.system import show
from app.path_kinds import Kind, what_is


class Panel(Protocol):
    """What is needed of the panel."""

    queue: BatchQueue
    list: QtWidgets.QTreeWidget

    @property
    def chosen(self) -> dict[str, Line]: ...
    def do(self, work: Callable[[], object]) -> None: ...
    def open_clip(self, what: str) -> None: ...
    def retry(self) -> None: ...
    def remove_selected(self) -> None: ...


class BatchMenu:
    """See the module.

    Args:
        panel: whose lines these are.
    """

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        panel.list.setContextMenuPolicy(QtCore.Qt.ContextMenuPolicy.CustomContextMenu)
        panel.list.customContextMenuRequested.connect(
            lambda at: self.menu().popup(panel.list.viewport().mapToGlobal(at))
        )
        copy = QtWidgets.QShortcut(QtGui.QKeySequence(QtGui.QKeySequence.StandardKey.Copy), panel.list)
        copy.setContext(QtCore.Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy)

    def menu(self) -> QtWidgets.QMenu:
        """What can be done with the lines that are selected."""
        panel, chosen = self._panel, self._panel.chosen
        menu = QtWidgets.QMenu(panel.list)
        menu.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        lines = list(chosen.values())
        one = lines[0] if len(lines) == 1 else None
        folder = Path(one.folder) if one is not None and one.folder else None
        video = folder / OVERLAY if folder is not None and (folder / OVERLAY).is_file() else None
        single = one is not None and (one.path.startswith("sim:") or Path(one.path).is_file())
        run = folder is not None and what_is(folder).kind is Kind.RUN
        idle = bool(lines) and all(line.status != RUNNING for line in lines)
        again = idle and not (panel.queue.running and any(not line.own for line in lines))
        noted = [line for line in lines if line.note]
        wrong = any(line.status == FAILED for line in noted)
        count = f" {len(lines)} clips" if len(lines) > 1 else ""
        for words, sense, work in (
            ("Show its tracks over the clip", run, lambda: panel.open_clip(str(folder))),
            ("Open the folder of its results", folder is not None, lambda: show(folder or Path())),
            ("Show its video with the tracks", video is not None, lambda: panel.open_clip(str(video))),
            ("Open the clip", single, lambda: panel.open_clip(one.path if one is not None else "")),
            ("", True, None),
            (f"Run{count} again", again and all(panel.queue.repeatable(key) for key in chosen), panel.retry),
            (f"Remove{count}", idle, panel.remove_selected),
            ("", True, None),
            (f"Copy the {'error' if wrong else 'note'}{'s' if len(noted) > 1 else ''}\tCtrl+C", bool(noted), self.copy),
        ):
            if work is None:
                menu.addSeparator()
                continue
            action = menu.addAction(words)
            action.setEnabled(sense)
            action.triggered.connect(partial(self._do, work))
        return menu

    def _do(self, work: Callable[[], object], _: bool = False) -> None:
        self._panel.do(work)

    def copy(self) -> None:
        """The selected clips with what there is to say about them, a line each, to the clipboard."""
        lines = [f"{line.path}: {line.note}" if line.note else line.path for line in self._panel.chosen.values()]
        if lines:
            QtWidgets.QApplication.clipboard().setText("\n".join(lines))
