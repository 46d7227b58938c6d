"""Many clips through the pipeline of the window: a queue with a bar for each, in processes of their own."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.jobs.batch_queue import DONE, FAILED, RUNNING, SKIPPED, BatchQueue, Line
from app.desk.jobs.jobs import Job, Jobs, JobState
from app.desk.jobs.orders import RunOrder
from app.gui.asking import CLIPS
from app.gui.icons import icon
from app.gui.sessions.batch_lines import KEY, NUMBERS, WORDS, Bar, fill
from app.gui.sessions.batch_menu import BatchMenu
from app.gui.settings import Settings
from app.gui.system import show
from kernels.errors import InputError
from pipelines.writing import dumps

HEADS = ("clip", "progress", "frames/s", "tracks", "note")
HEAD_TIPS = ("The clip", "How far it is, or how it ended", "Frames processed a second", "Tracks that were believed",
             "What there is to say about it")  # fmt: skip
WIDTHS, DIGIT = (230, 190, 96, 64), 7
"""Pixels of the columns but the last, at least, and about those of a digit."""


class BatchPanel(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window; its pipeline is that of the batch.
        queue: what is shown. jobs: run it.
        settings: remember the folder of the results.
        guard: called with what a button does; turns errors into messages.

    Attributes:
        queue: as given. list: the table.
        add, add_folder, remove, clear, start, stop, open_folder, open_page: buttons.
        out, at_once, overlay, redo: the folder of results, clips at a time, whether to draw videos, and run all again.
        wanted: a signal: a clip is to be opened in the window.
    """

    wanted = QtCore.pyqtSignal(str)

    def __init__(
        self, bench: Workbench, queue: BatchQueue, jobs: Jobs, settings: Settings,
        guard: Callable[[Callable[[], object]], None],
    ) -> None:  # fmt: skip
        super().__init__()
        self._bench, self._settings, self._guard = bench, settings, guard
        self.queue = queue
        self._items: dict[str, QtWidgets.QTreeWidgetItem] = {}
        self._shown: dict[str, Line] = {}
        self.setAcceptDrops(True)
        self.list = QtWidgets.QTreeWidget()
        self.list.setColumnCount(len(HEADS))
        self.list.setHeaderLabels(list(HEADS))
        for column, tip in enumerate(HEAD_TIPS):
            self.list.headerItem().setToolTip(column, tip)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setItemDelegateForColumn(1, Bar(self.list))
        self.list.itemDoubleClicked.connect(lambda item, _: self._open_results(item))
        self.hint = QtWidgets.QLabel(
            "Drop clips or folders here; they run through the pipeline of the window.\n"
            "The list stays when the window closes; Clear done takes out what is done.")
        self.hint.setAlignment(QtCore.Qt.AlignmentFlag.AlignCenter)
        self.hint.setProperty("muted", True)
        self.add, self.add_folder = _button("Clips…"), _button("Folder…")
        self.add.setToolTip("Add clips to the batch; they can be dropped here, too")
        self.add_folder.setToolTip("Add all clips of a folder")
        self.remove, self.clear = _button("Remove"), _button("Clear done")
        self.start, self.stop = _button("Run"), _button("Stop")
        self.open_folder, self.open_page = _button("Results"), _button("Report")
        self.remove.setToolTip("Take the selected clips out of the list; their results stay")
        self.clear.setToolTip("Take out all that is done; results stay where they are")
        self.start.setToolTip("Run all of these through the pipeline of the window")
        self.stop.setToolTip("Stop; what is done stays, and the rest can be run later")
        self.open_folder.setToolTip("Open the folder of the selected clip's results  (double click)")
        self.open_page.setToolTip("Open the report of the batch in the browser")
        self.out = QtWidgets.QLineEdit(settings.text("batch") or str(Path.cwd() / "fusetrack-out" / "batch"))
        self.out.setToolTip("The folder of all results; a clip that is done there already is skipped")
        self.at_once = QtWidgets.QSpinBox()
        self.at_once.setRange(0, 64)
        self.at_once.setSpecialValueText("automatic")
        self.at_once.setToolTip("Clips at a time")
        self.overlay = QtWidgets.QCheckBox("videos")
        self.overlay.setToolTip("Also write a video of each clip with its tracks drawn in")
        self.redo = QtWidgets.QCheckBox("all again")
        self.redo.setToolTip("Also run what is done already")
        self.words = QtWidgets.QLabel()
        self.words.setProperty("muted", True)
        self.words.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self._lay_out()
        self._widths()
        for button, work in (
            (self.add, self.ask_clips), (self.add_folder, self.ask_folder), (self.remove, self.remove_selected),
            (self.clear, self.queue.clear_done), (self.start, self.begin), (self.stop, self.queue.stop),
            (self.open_folder, self.show_results), (self.open_page, self.show_page),
        ):  # fmt: skip
            button.clicked.connect(partial(self._do, work))
        self.menu = BatchMenu(self)
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(80)
        self._timer.timeout.connect(self.refresh)
        self.queue.on(self._due)
        self.list.itemSelectionChanged.connect(self._buttons)
        jobs.on(self._ended)
        bench.on(Topic.PIPELINE, self._buttons)
        self.themed()

    def _lay_out(self) -> None:
        first, second = QtWidgets.QHBoxLayout(), QtWidgets.QHBoxLayout()
        for widget in (self.add, self.add_folder, self.remove, self.clear):
            first.addWidget(widget)
        first.addWidget(self.words, 1)
        for widget in (self.open_folder, self.open_page, self.stop, self.start):
            first.addWidget(widget)
        for words, widget, stretch in (("results in", self.out, 1), ("at once", self.at_once, 0),
                                       ("", self.overlay, 0), ("", self.redo, 0)):  # fmt: skip
            if words:
                second.addWidget(QtWidgets.QLabel(words))
            second.addWidget(widget, stretch)
        stack = QtWidgets.QGridLayout()
        stack.addWidget(self.list, 0, 0)
        stack.addWidget(self.hint, 0, 0)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.setSpacing(5)
        layout.addLayout(first)
        layout.addLayout(stack, 1)
        layout.addLayout(second)

    def _widths(self) -> None:
        """Columns that suit the letters, however large they are."""
        metrics = self.list.fontMetrics()
        for k, (head, width) in enumerate(zip(HEADS, WIDTHS, strict=False)):
            self.list.setColumnWidth(k, max(width, metrics.horizontalAdvance(head) + 3 * DIGIT))
        self.hint.setContentsMargins(0, metrics.height() + DIGIT, 0, 0)  # below the heads

    def changeEvent(self, event: QtCore.QEvent) -> None:  # noqa: N802
        """Letters of another size."""
        super().changeEvent(event)
        if event.type() == QtCore.QEvent.Type.FontChange:
            self._widths()

    # ---------------------------------------------------------------------------------------------------- doing

    def _do(self, work: Callable[[], object], _: bool = False) -> None:
        self._guard(work)
        self.refresh()

    def do(self, work: Callable[[], object]) -> None:
        """Do what was chosen in the menu."""
        self._do(work)

    @property
    def chosen(self) -> dict[str, Line]:
        """The lines that are selected, by key, from the top."""
        keys = {item.data(0, KEY) for item in self.list.selectedItems()}
        return {key: line for key, line in self.queue.lines.items() if key in keys}

    def open_clip(self, what: str) -> None:
        """Open a clip in the window."""
        self.wanted.emit(what)

    def retry(self) -> None:
        """Run the selected lines once more: as they were asked for, or through the pipeline of the window."""
        self._start(self.chosen)

    def ask_clips(self) -> None:
        """Choose clips."""
        paths, _ = QtWidgets.QFileDialog.getOpenFileNames(self, "Add clips", self._settings.folder, CLIPS)
        self.queue.add(paths)

    def ask_folder(self) -> None:
        """Choose a folder of clips."""
        folder = QtWidgets.QFileDialog.getExistingDirectory(self, "Add all clips of a folder", self._settings.folder)
        if folder:
            self.queue.add([folder])

    def remove_selected(self) -> None:
        """Take the selected lines out."""
        self.queue.remove(list(self.chosen))

    def begin(self) -> None:
        """Run all that waits through the pipeline of the window."""
        self._start(None)

    def _start(self, only: Collection[str] | None) -> None:
        self.queue.start(self._bench.pipeline, self.out.text(), at_once=self.at_once.value() or None,
                         redo=self.redo.isChecked(), overlay=self.overlay.isChecked(), only=only)  # fmt: skip
        self._settings.set_text("batch", self.out.text())

    def run_clip(self) -> None:
        """Run the clip that is open, from the in mark to the out mark, with everything as it is set now.

        Raises:
            InputError: no clip is open.
        """
        bench = self._bench
        info, asked = bench.info, bench.asked
        if info is None or asked is None or bench.live:
            raise InputError("open a clip first; what a camera delivers is recorded, and the session run")
        whole = bench.range == (0, info.frames)
        first, end = bench.range
        name = info.name if whole else f"{info.name}, frames {first} to {end - 1}"
        self.queue.run(RunOrder(
            asked.what, dumps(bench.pipeline), None if whole else (first, end), asked.reading, asked.roi,
            overlay=self.overlay.isChecked(), device=asked.device, events=bench.own_events,
        ), name)  # fmt: skip

    def show_results(self) -> None:
        """Open the folder of the selected clip's results, or of all."""
        chosen = self.list.selectedItems()
        line = self.queue.lines.get(chosen[0].data(0, KEY)) if chosen else None
        own = [item.folder for item in self.queue.lines.values() if item.own and item.folder]
        folder = line.folder if line is not None and line.folder else self.out.text()
        show(Path(folder if Path(folder).is_dir() or not own else own[-1]))

    def show_page(self) -> None:
        """Open the report of the batch."""
        show(Path(self.out.text()) / "report.html")

    def _open_results(self, item: QtWidgets.QTreeWidgetItem) -> None:
        line = self.queue.lines.get(item.data(0, KEY))
        if line is not None and line.folder:
            self._guard(lambda: show(Path(line.folder)))

    def dragEnterEvent(self, event: QtGui.QDragEnterEvent) -> None:  # noqa: N802
        """Files may be dropped."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QtGui.QDropEvent) -> None:  # noqa: N802
        """Queue what was dropped."""
        self.queue.add([url.toLocalFile() for url in event.mimeData().urls() if url.toLocalFile()])
        event.acceptProposedAction()

    # ------------------------------------------------------------------------------------------------- following

    def _due(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def refresh(self) -> None:
        """Show the queue."""
        lines = self.queue.lines
        for key in [key for key in self._items if key not in lines]:
            self.list.takeTopLevelItem(self.list.indexOfTopLevelItem(self._items.pop(key)))
            self._shown.pop(key, None)
        for key, line in lines.items():
            if self._shown.get(key) == line:  # there may be thousands, and few of them run
                continue
            self._shown[key] = replace(line)
            item = self._items.get(key)
            if item is None:
                item = self._items[key] = QtWidgets.QTreeWidgetItem()
                item.setData(0, KEY, key)
                for column in (2, 3):
                    item.setTextAlignment(column, NUMBERS)
                self.list.addTopLevelItem(item)
                if line.own:  # it was asked for elsewhere, and would begin below what is seen
                    self.list.scrollToItem(item)
            fill(item, line)
        self.hint.setVisible(not lines)
        self._buttons()

    def _buttons(self) -> None:
        lines = self.queue.lines.values()
        count = {status: sum(line.status == status for line in lines) for status in WORDS}
        parts = [f"{n} {WORDS[status]}" for status, n in count.items() if n]
        self.words.setText("  ".join(parts))
        self.words.setToolTip(", ".join(parts))
        self.start.setToolTip(f"Run all of these through {self._bench.pipeline.name!r}, as it is in the window now")
        self.start.setEnabled(not self.queue.running and any(not line.own for line in lines))
        self.stop.setEnabled(count[RUNNING] > 0 or self.queue.running)
        stopping = self.queue.job is not None and self.queue.running and self.queue.job.stopping
        self.stop.setText("Break off" if stopping else "Stop")
        self.remove.setEnabled(bool(self.list.selectedItems()))
        self.clear.setEnabled(count[DONE] + count[SKIPPED] > 0)
        self.open_folder.setEnabled(Path(self.out.text()).is_dir() or any(line.folder for line in lines))
        self.open_page.setEnabled((Path(self.out.text()) / "report.html").is_file())

    def _ended(self, job: Job) -> None:
        """Tell how it ended."""
        if job.running or not (job is self.queue.job or f"job {job.number}" in self.queue.lines):
            return
        if job.state is JobState.FAILED:
            self._bench.speak(Level.ERROR, f"{job.title}: {job.sentence}", job.details)
        elif job.state is JobState.STOPPED:
            self._bench.speak(Level.WARNING, f"{job.title}: {job.sentence}")
        else:
            bad = sum(row.get("status") == FAILED for row in job.rows.values())
            failed = f", {bad} failed" if bad else ""
            self._bench.speak(Level.WARNING if bad else Level.NOTE,
                              f"{job.title}: done{failed}; results in {job.result['folder']}", job.details)  # fmt: skip

    def themed(self) -> None:
        """Take the colours of the theme."""
        for button, name in ((self.add, "add"), (self.add_folder, "open"), (self.remove, "remove"),
                             (self.start, "play"), (self.stop, "stop"), (self.open_folder, "open"),
                             (self.open_page, "plan")):  # fmt: skip
            button.setIcon(icon(name))
        self._shown.clear()
        self.refresh()


def _button(words: str) -> QtWidgets.QPushButton:
    return QtWidgets.QPushButton(words)
