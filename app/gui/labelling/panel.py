"""The panel of what is labelled: names and skeleton, the points of the frame that is shown, all labelled frames, and
the way from there to a network."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from pathlib import Path

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.jobs.jobs import Job, Jobs, JobState
from app.desk.jobs.orders import LabelsOrder
from app.desk.labelling.labeller import Labeller
from app.desk.labelling.ordering import export_order
from app.desk.labelling.proposals import Proposals
from app.desk.labelling.sheet import edge_words
from app.gui.labelling.training import TrainingRow
from app.gui.settings import Settings
from app.gui.strips import Strips
from app.labels.formats import FORMATS, with_ending

_FILES = ";;".join(f"{one.summary} (*{ending})" for ending, one in FORMATS.items())
_NUMBER = QtCore.Qt.ItemDataRole.UserRole
_SHRINKS = QtWidgets.QSizePolicy.Policy.Ignored
_RIGHT = int(QtCore.Qt.AlignmentFlag.AlignRight | QtCore.Qt.AlignmentFlag.AlignVCenter)


class LabelsPanel(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module; its lists leave the keys to the video.

    Args:
        bench: the state behind the window.
        labeller, proposals: what it shows.
        jobs: write files, train.
        settings: remember the folder.
        strips: where a network is offered.
        guard: called with what may go wrong; turns errors into messages.

    Attributes:
        names, edges: fields. points, frames: lists. training: the lowest part.
    """

    def __init__(
        self, bench: Workbench, labeller: Labeller, proposals: Proposals, jobs: Jobs, settings: Settings,
        strips: Strips, guard: Callable[[Callable[[], object]], object],
    ) -> None:
        super().__init__()
        self._bench, self._model, self._proposals, self._jobs = bench, labeller, proposals, jobs
        self._settings, self._guard = settings, guard
        self._drawn: object = None
        self.names, self.edges = QtWidgets.QLineEdit(), QtWidgets.QLineEdit()
        self.names.setPlaceholderText("nose, left ear, tail")
        self.names.setToolTip("What the points are called, separated by commas; Enter takes them. A name that takes "
                              "the place of another one renames its point")  # fmt: skip
        self.edges.setPlaceholderText("nose-tail, nose-left ear")
        self.edges.setToolTip("Points that are joined by a line: pairs of names, separated by commas")
        form = QtWidgets.QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow("Points", self.names)
        form.addRow("Skeleton", self.edges)
        self.points, self.frames = self._list(["Point", "x, y [px]"]), self._list(["Frame", "Set"])
        for tree, tips in (
            (self.points, ("What the next click sets is marked; a click on a line chooses it (Tab)", "In this frame")),
            (self.frames, ("Labelled frames; a click goes there", "How many points, of those of all animals in it")),
        ):
            for column, tip in enumerate(tips):
                tree.headerItem().setToolTip(column, tip)
        self.animal = QtWidgets.QComboBox()
        self.animal.setSizePolicy(_SHRINKS, QtWidgets.QSizePolicy.Policy.Fixed)
        self.animal.setToolTip("Which animal the next click is about (Y: another one)")
        self.next, self.unsure = QtWidgets.QPushButton("Next frame"), QtWidgets.QPushButton("Least certain")
        self.next.setToolTip("Go to the frame that looks least like all that are labelled  (D)")
        self.unsure.setToolTip("Go to the frame in which the tracks have their lowest scores  (Shift+D)")
        self.note = QtWidgets.QLabel()
        self.note.setProperty("muted", True)
        self.note.setWordWrap(True)
        self.training = TrainingRow(bench, labeller, jobs, strips, guard)
        row = QtWidgets.QHBoxLayout()
        row.addWidget(self.animal, 1)
        row.addWidget(self.next)
        row.addWidget(self.unsure)
        inside = QtWidgets.QWidget()
        scroll = QtWidgets.QScrollArea()  # low windows have less room than this asks for
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(QtCore.Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inside)
        whole = QtWidgets.QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll)
        column = QtWidgets.QVBoxLayout(inside)
        column.setContentsMargins(6, 6, 6, 6)
        column.setSpacing(6)
        column.addLayout(form)
        column.addLayout(row)
        lists = QtWidgets.QSplitter(QtCore.Qt.Orientation.Horizontal)
        lists.setChildrenCollapsible(False)
        for tree, share in ((self.points, 3), (self.frames, 2)):
            lists.addWidget(tree)
            lists.setStretchFactor(lists.count() - 1, share)
        lists.setSizes([300, 200])
        column.addWidget(lists, 1)
        column.addWidget(self.note)
        column.addWidget(self.training)
        for field in (self.names, self.edges):
            field.editingFinished.connect(self._typed)
        self.points.itemClicked.connect(lambda item, _: labeller.choose(labeller.animal, item.data(0, _NUMBER)))
        self.frames.itemClicked.connect(lambda item, _: labeller.go(item.data(0, _NUMBER)))
        self.animal.activated.connect(labeller.choose_animal)
        self.next.clicked.connect(lambda _: guard(proposals.next))
        self.unsure.clicked.connect(lambda _: guard(proposals.least_sure))
        labeller.on(self.redraw)
        proposals.on(self._note)
        jobs.on(self._job_changed)
        bench.on(Topic.OPENED, self.redraw)
        bench.on(Topic.ROWS, self._rows)
        self.redraw()

    def _list(self, titles: list[str]) -> QtWidgets.QTreeWidget:
        made = QtWidgets.QTreeWidget()
        made.setHeaderLabels(titles)
        made.setRootIsDecorated(False)
        made.setUniformRowHeights(True)
        made.setAlternatingRowColors(True)
        made.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)
        made.setMinimumSize(90, 90)
        made.header().setStretchLastSection(False)
        made.header().setSectionResizeMode(0, QtWidgets.QHeaderView.ResizeMode.Stretch)
        made.header().setSectionResizeMode(1, QtWidgets.QHeaderView.ResizeMode.ResizeToContents)
        return made

    # ------------------------------------------------------------------------------------------------- names

    def _typed(self) -> None:
        model = self._model
        before = ", ".join(model.sheet.points), edge_words(model.sheet.points, model.sheet.edges)
        now = self.names.text().strip(), self.edges.text().strip()
        if now != before and now != ("", ""):
            self._guard(lambda: model.set_skeleton(*now))

    # ------------------------------------------------------------------------------------------------- drawing

    def redraw(self) -> None:
        """Follow the labels, if anybody sees them."""
        model, sheet = self._model, self._model.sheet
        state = (sheet, model.frame, model.animal, model.point, model.held, model.why_not, model.animals)
        if self._drawn == state or not self.isVisible():
            return
        # Frames are listed anew only where labels changed, not at each frame that is shown.
        fresh = self._drawn is None or self._drawn[0] is not sheet  # type: ignore[index]
        self._drawn = state
        can = not model.why_not
        for widget in (self.names, self.edges, self.points, self.animal, self.next, self.unsure):
            widget.setEnabled(can)
        if fresh:
            for field, text in ((self.names, ", ".join(sheet.points)),
                                (self.edges, edge_words(sheet.points, sheet.edges))):  # fmt: skip
                # What is being typed stays, unless there is something to put in its place.
                if not field.hasFocus() or text:
                    field.setText(text)
                    field.setCursorPosition(0)
            self._draw_frames()
        self._draw_points()
        self._select_frame()
        count = model.animals
        self.animal.blockSignals(True)
        self.animal.clear()
        self.animal.addItems([f"animal {k + 1}" for k in range(count)])
        self.animal.setCurrentIndex(model.animal)
        self.animal.blockSignals(False)
        self._note()
        self._rows()
        self.training.refresh()

    def _draw_points(self) -> None:
        model, (drafts, marks) = self._model, (self._model.drafts, self._model.marks)
        self.points.clear()
        for k, name in enumerate(model.sheet.points):
            text = ""
            if model.animal < marks.animals and marks.hidden[model.animal, k]:
                text = "not seen"
            elif model.animal < marks.animals and marks.placed[model.animal, k]:
                text = ", ".join(f"{value:.1f}" for value in marks.places[model.animal, k].tolist())
            elif model.animal < len(drafts) and isfinite(drafts[model.animal, k, 0]):
                text = "draft"
            item = QtWidgets.QTreeWidgetItem([name, text])
            item.setData(0, _NUMBER, k)
            item.setToolTip(0, name)
            item.setTextAlignment(1, _RIGHT)
            self.points.addTopLevelItem(item)
            if k == model.point or (model.point < 0 and model.held == (model.animal, k)):
                self.points.setCurrentItem(item)

    def _draw_frames(self) -> None:
        sheet = self._model.sheet
        self.frames.clear()
        for frame in sorted(sheet.frames):
            marks = sheet.frames[frame]
            texts = [str(self._bench.number(frame)), f"{int(marks.placed.sum())} of {marks.placed.size}"]
            item = QtWidgets.QTreeWidgetItem(texts)
            item.setData(0, _NUMBER, frame)
            item.setTextAlignment(1, _RIGHT)
            self.frames.addTopLevelItem(item)

    def _select_frame(self) -> None:
        self.frames.clearSelection()
        for k in range(self.frames.topLevelItemCount()):
            item = self.frames.topLevelItem(k)
            if item.data(0, _NUMBER) == self._model.frame:
                item.setSelected(True)
                self.frames.scrollToItem(item)

    def _rows(self) -> None:
        if self.isVisible():
            self.unsure.setEnabled(not self._model.why_not and len(self._bench.store) > 0)

    def _note(self) -> None:
        """How far a proposal is, else how much is labelled and where it is kept."""
        model = self._model
        words = self._proposals.words or model.why_not
        if not words and not model.sheet.points:
            words = ("Name the points above, or take them from a file or the pipeline (menu Labels); then click (W) on "
                     "each of them in the video")  # fmt: skip
        elif not words:
            many, kept = len(model.sheet.labelled), "" if model.path is None else f", kept in {model.path.name}"
            words = f"{many} labelled frame{'' if many == 1 else 's'} with {model.sheet.count} points{kept}"
        self.note.setText(words)
        self.note.setToolTip(str(model.path or ""))

    # ------------------------------------------------------------------------------------------------- files

    def take_file(self) -> None:
        """Choose a file of labels and take them in."""
        known = f"Files of labels ({' '.join(f'*{ending}' for ending in FORMATS)})"
        path, _ = QtWidgets.QFileDialog.getOpenFileName(self, "Take in labels", self._settings.folder, known)
        if path:
            self._model.take_file(Path(path))

    def export(self, pictures: bool) -> None:
        """Choose a file, and have the labels written into it, with their frames beside it or without."""
        stem = Path(self._model.clip).stem if self._model.path is not None else "labels"
        title = "Export labels and pictures" if pictures else "Export labels"
        begin = str(Path(self._settings.folder) / f"{stem}.slp")
        text, kind = QtWidgets.QFileDialog.getSaveFileName(self, title, begin, _FILES)
        if text:
            self.export_to(with_ending(text, next((e for e in FORMATS if f"(*{e})" in kind), "")), pictures)

    def export_to(self, path: Path, pictures: bool) -> None:
        """Have the labels written.

        Raises:
            InputError: see `export_order`.
        """
        self._jobs.start(f"labels {path.name}", export_order(self._model, path, pictures))

    def _job_changed(self, job: Job) -> None:
        if not isinstance(job.order, LabelsOrder) or job.running:
            return
        if job.state is JobState.DONE:
            many = job.result["frames"]
            more = f" and {job.result['pictures']} pictures" if job.result["pictures"] else ""
            self._bench.speak(Level.NOTE, f"{many} labelled frames{more} written: {job.result['out']}")
        else:
            self._bench.speak(Level.ERROR, f"{job.title}: {job.sentence}", job.details)
