"""Diffusion, deflection shapes, frequency responses, motion and strain of the tracks that are known, worked out in a
process beside; fields of strain over the video, too."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.jobs.jobs import Job, Jobs, JobState
from app.desk.jobs.orders import FRF, MOTION, MSD, SHAPES, STRAIN, AnalyseOrder, Question
from app.desk.services.exporting import question_order
from app.desk.services.regions import region
from app.files.atomic import make_folder, write_bytes
from app.gui.analysis.bar import AnalysisBar
from app.gui.analysis.bending import Bending
from app.gui.analysis.fields import FieldView
from app.gui.analysis.lines import folded, mode_lines, peak_lines
from app.gui.analysis.plots import AnalysisPlot
from app.gui.analysis.responses import ResponsePlot
from app.gui.figure_looks import FigureLooks
from app.gui.fixed_font import fixed_font
from app.gui.later import Later
from app.gui.seen import is_seen
from app.gui.traces.saved_line import SavedLine
from app.gui.video.view import VideoView
from app.gui.wording import ANALYSIS, in_window
from app.safe_names import clip_stem
from kernels.errors import InputError
from pipelines.analysis.areas import Area
from pipelines.analysis.travel import Region

TABLES = {MSD: "msd.csv", SHAPES: "shapes.csv", FRF: "modes.csv", MOTION: "motion.csv",
          STRAIN: "strain-frames.csv"}  # fmt: skip
MOST_OFFERED = 20_000
"""Rows whose tracks are offered as references while nothing is worked out yet."""
NO_REFERENCE = ("select the point that drives the others (click on it in the picture), choose it above, or open "
                "a table of the force")  # fmt: skip


class AnalysisPanel(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        jobs: work things out.
        video: over whose picture shapes are drawn.
        guard: called with what may go wrong; turns errors into messages.

    Attributes:
        bar: what is asked. plot, responses, words: the answer. bending, fields: what lies over the picture.
        results, places: by question what came of it, as `app.desk.jobs.analysing.analysed` tells it, and the folder of
            what was written for it.
    """

    def __init__(
        self, bench: Workbench, jobs: Jobs, video: VideoView, guard: Callable[[Callable[[], object]], object]
    ) -> None:
        super().__init__()
        self._bench, self._jobs, self._guard = bench, jobs, guard
        self._folder: Path | None = None
        self.places: dict[str, Path] = {}
        self._orders: dict[str, AnalyseOrder] = {}  # by question what its answer came of
        self._after: tuple[Job, Path] | None = None  # what is saved once it is worked out, and where
        self._clip = bench.info.name if bench.info is not None else ""
        self._job: Job | None = None
        self._asked: object = None
        self._again = False
        self.results: dict[str, dict[str, Any]] = {}
        self._of: dict[str, tuple[object, str, int]] = {}
        self._from: dict[str, object] = {}
        self._began: object = None
        self._rows = -1
        self.bar = AnalysisBar()
        self.plot = AnalysisPlot()
        self._responses = Later(lambda: ResponsePlot(bench.colours.number))  # three plots
        self.words = QtWidgets.QPlainTextEdit()
        self.words.setReadOnly(True)
        self.words.setLineWrapMode(QtWidgets.QPlainTextEdit.LineWrapMode.NoWrap)
        self.words.setFont(fixed_font(2))
        self.words.setToolTip("What the command prints; can be selected and copied")
        self.note = QtWidgets.QLabel()
        self.note.setProperty("muted", True)
        self.note.setWordWrap(True)
        self.note.setContentsMargins(6, 0, 6, 0)
        self.bending, self.fields, self._video = Bending(video), FieldView(bench, video), video
        self.saved = SavedLine(lambda: None, lambda why: bench.speak(Level.ERROR, why))
        split = QtWidgets.QSplitter(QtCore.Qt.Orientation.Horizontal)
        self._plots = QtWidgets.QStackedWidget()
        for plot in (self.plot, self._responses):
            self._plots.addWidget(plot)
        split.addWidget(self._plots)
        split.addWidget(self.words)
        split.setSizes([600, 500])
        split.setChildrenCollapsible(False)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(2)
        for widget in (self.bar, self.note, self.saved):
            layout.addWidget(widget)
        layout.addWidget(split, 1)
        self._menu()
        self.bar.asked.connect(self.compute)
        reference = self.bar.motion.reference
        reference.asked.connect(lambda: reference.put(tuple(bench.selected)))
        self.bar.motion.seen.clicked.connect(lambda _: guard(self._take_region))
        self.bar.table.clicked.connect(lambda _: guard(self.bar.ask_table))
        self.bar.turned.connect(self.show_result)
        self.bar.peak.currentIndexChanged.connect(lambda _: self.show_peak())
        self.bar.over.toggled.connect(lambda _: self.show_peak())
        self.bar.over.toggled.connect(lambda _: self.show_field())
        self.bar.looked.connect(self.show_field)
        self.fields.explained.connect(lambda _: self._say())
        self.bar.moving.toggled.connect(self.bending.animate)
        self.bar.times.valueChanged.connect(self.bending.magnify)
        self.bar.kind.activated.connect(lambda _: self.responses.show_only(str(self.bar.kind.currentData())))
        jobs.on(self._job_changed)
        bench.on(Topic.OPENED, self._opened)
        for topic in (Topic.ROWS, Topic.VIEW, Topic.SELECTION, Topic.PIPELINE):
            bench.on(topic, self._changed)
        bench.on(Topic.SELECTION, self._selected)
        self.show_result()

    @property
    def responses(self) -> ResponsePlot:
        """The plots of responses, which are made now where they are not there yet."""
        return self._responses.part

    # ------------------------------------------------------------------------------------------------- working out

    def redraw(self) -> None:
        """It came to the front: work out what was not worked out yet."""
        question = self.bar.question.question
        if question not in self.results and len(self._bench.store) and is_seen(self):
            self.compute()

    def compute(self) -> None:
        """Work it out; what is asked meanwhile comes next."""
        # Several changes while it works are one more computation, not one each.
        if self._job is not None and self._job.running:
            self._again = True
            return
        self._guard(self._begin)

    def _begin(self) -> None:
        asked = self._question
        # A field that is not understood is told as an answer, so that nothing is asked again until it changes.
        if asked.question == MOTION and self.bar.motion.trouble:
            self._of[MOTION] = (self._state(), self.bar.motion.trouble, self._bench.store.raw_version)
            self._say()
            return
        if asked.question == FRF and asked.reference < 0 and asked.signal is None:
            self.results.pop(FRF, None)
            self._of[FRF] = (self._state(), NO_REFERENCE, self._bench.store.raw_version)
            self.show_result()
            return
        self._start(self._order(asked))

    def _order(self, asked: Question) -> AnalyseOrder:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="fusetrack-analysis-"))
        # A folder each: what is shown is what is saved, also while the next answer is written.
        out = self._folder / f"{asked.question}-{len(self._jobs.all)}"
        return question_order(self._bench, asked, out, self.looks.look)

    def _start(self, order: AnalyseOrder) -> Job:
        # What the answer will be of, as it is now: it is compared with the state when the answer is shown.
        self._asked = self._state_for(order.tracks, order.asked)
        self._rows, self._began = self._bench.store.raw_version, self._origin()
        self._job = self._jobs.start(f"analysis {order.asked.question}", order)
        return self._job

    @property
    def _question(self) -> Question:
        """What is asked; of responses, beside the track that was selected first where nothing else is chosen; of
        strain, with an extensometer between two tracks that are selected."""
        self.bar.marks = self._bench.range if self._bench.info is not None and not self._bench.live else None
        asked = self.bar.question
        if asked.question == FRF and asked.reference < 0 and asked.signal is None and self._bench.selected:
            return replace(asked, reference=self._bench.selected[0])
        if asked.question == STRAIN and len(self._bench.selected) == 2 and not asked.chosen:
            return replace(asked, between=tuple(self._bench.selected))
        return asked

    def _take_region(self) -> None:
        """What is seen of the picture is one more region, in the unit of the scale.

        Raises:
            InputError: no clip is open.
        """
        bench = self._bench
        if bench.info is None:
            raise InputError("open a clip first; a region is a part of its picture")
        # Pixels' centres are whole numbers: the picture begins at -0.5.
        (left, right), (top, bottom) = self._video.box.viewRange()
        left, top = max(left, -0.5), max(top, -0.5)
        right, bottom = min(right, bench.info.width - 0.5), min(bottom, bench.info.height - 0.5)
        unit = bench.calibration.per_px if bench.calibration.physical else 1.0
        number = 1 + self.bar.motion.regions.text().count("=")
        numbers = (left, top, right - left, bottom - top)
        self.bar.motion.add_region(Region(f"region{number}", Area("rect", tuple(unit * value for value in numbers))))

    def _selected(self) -> None:
        """Another point may be what responses are told beside."""
        # Only where the selection is what responses are told beside.
        if self.bar.question.question == FRF and is_seen(self) and len(self._bench.store):
            asked = self._of.get(FRF, ((None,), "", -1))[0]
            if self._question.reference >= 0 and (not isinstance(asked, tuple) or asked[-1] != self._question):
                self.compute()

    def _state(self) -> tuple[object, ...]:
        return self._state_for(tuple(self._bench.selected) if self.bar.question.chosen else (), self._question)

    def _state_for(self, tracks: tuple[int, ...], asked: Question) -> tuple[object, ...]:
        """What an answer comes of, besides rows."""
        bench = self._bench
        return (id(bench.store.corrections), bench.store.corrections.version, bench.calibration, tracks,
                asked)  # fmt: skip

    def _origin(self) -> object:
        """What tracks are of: the clip, its part that is processed, and the pipeline."""
        return self._bench.clip, region(self._bench), self._bench.pipeline

    def _strange(self, question: str) -> bool:
        """Whether the answer is one about tracks that are no more, since the pipeline is another one."""
        return question in self.results and self._from.get(question) != self._origin()

    def _old(self, question: str) -> bool:
        """Whether something else is known, or wanted, than what was asked."""
        asked, _, rows = self._of.get(question, (None, "", -1))
        return asked is not None and (asked != self._state() or self._bench.store.news(rows) != [])

    def _job_changed(self, job: Job) -> None:
        # Jobs of others, and one that was given up when another clip was opened.
        if job is not self._job:
            return
        if job.running:
            self._say()
            return
        order = job.order
        assert isinstance(order, AnalyseOrder)
        question = order.asked.question
        folder = self._after[1] if self._after is not None and self._after[0] is job else None
        self._after = None
        if job.state is JobState.DONE:
            self.results[question], self._from[question] = dict(job.result), self._began
            self._orders[question] = order
            self._place(question, Path(order.out))
            self._of[question] = (self._asked, "", self._rows)
            if folder is not None:
                self._guard(partial(self._write, question, folder))
        elif folder is not None:  # the answer that is shown is as good as before
            self._bench.speak(Level.ERROR, f"nothing was saved in {folder}: {job.sentence}", job.details)
        else:
            self.results.pop(question, None)
            self._place(question, None)
            self._of[question] = (self._asked, in_window(job.sentence, ANALYSIS, question), self._rows)
            if job.details:
                self._bench.speak(Level.ERROR, f"{job.title}: {job.sentence}", job.details)
        # Taken before anything is shown: showing may set it anew.
        again, self._again = self._again, False
        self.show_result()  # which may ask already
        if again and not (self._job is not None and self._job.running):
            self.compute()

    def _place(self, question: str, folder: Path | None) -> None:
        """What was written for an answer lies there; what was written for the one before is not needed any more."""
        if question in self.places:
            shutil.rmtree(self.places.pop(question), ignore_errors=True)
        if folder is not None:
            self.places[question] = folder

    def _opened(self) -> None:
        name = self._bench.info.name if self._bench.info is not None else ""
        if name != self._clip:  # the force was that of the clip before
            self._clip = name
            self.bar.take_table(None)
        self.results.clear()
        self._of.clear()
        self._again = False
        if self._job is not None and self._job.running:
            self._jobs.stop(self._job)
        self._job = None
        if self._after is not None:
            self._bench.speak(Level.WARNING, f"nothing was saved in {self._after[1]}: a clip was opened before it was "
                                             "worked out")  # fmt: skip
            self._after = None
        self.saved.forget()
        self.show_result()

    def _changed(self) -> None:
        # Shapes of tracks that are no more are not left over the video.
        if len(self.bending.places) and self._strange(SHAPES):
            self.bending.show_rows([], 1.0)
        if self.isVisible():
            self._say()

    # ----------------------------------------------------------------------------------------------------- showing

    def show_result(self) -> None:
        """Draw what is known of the question that is chosen, or begin to work it out."""
        question = self.bar.question.question
        result = self.results.get(question)
        found = None if result is None else result["found"]
        self.words.setPlainText("" if result is None else "\n".join(folded(result["report"])))
        self._plots.setCurrentWidget(self._responses if question == FRF else self.plot)
        if question == MSD:
            self.plot.show_msd(found)
        elif question == MOTION:
            self.plot.show_motion(found)
        elif question == STRAIN:
            self.plot.show_strain(found)
        elif question == FRF:
            self._show_responses(found, [] if result is None else result["report"])
        else:
            self.bar.offer([] if found is None else found["peaks_hz"], [] if found is None else found["shapes"])
        self.bar.save.setEnabled(result is not None)
        self.show_peak()
        self.show_field()
        self._say()
        # Not where it failed: the same would fail again and again.
        if result is None and question not in self._of:
            self.redraw()

    def _show_responses(self, found: Mapping[str, Any] | None, report: Sequence[str]) -> None:
        """The curves, and the resonances as a table in place of the command's sentences."""
        self.responses.show_found(found)
        if found is not None:
            explained = [line for line in report if not line.startswith(("mode ", "note "))]
            notes = [line for line in report if line.startswith("note ")]
            parts = [folded(explained), mode_lines(found), folded(notes)]
            self.words.setPlainText("\n\n".join("\n".join(lines) for lines in parts if lines))
            self.bar.offer_drivers(found["tracks"])
        else:
            few = np.unique(self._bench.store.newest(MOST_OFFERED)["track"]) if len(self._bench.store) else ()
            self.bar.offer_drivers([int(track) for track in few])

    def show_peak(self) -> None:
        """Draw the peak that is chosen, beside the table of it and over the picture."""
        result = self.results.get(SHAPES)
        shapes = self.bar.question.question == SHAPES
        rows = [] if result is None else [row for row in result["found"]["shapes"] if row["peak"] == self.bar.at_peak]
        if shapes:
            self.plot.show_peak(rows)
            if result is not None:
                self.words.setPlainText("\n".join([*folded(result["report"]), "", *peak_lines(rows)]))
        over = self.bar.over.isChecked() and not self._strange(SHAPES)
        self.bending.show_rows(rows if over else [], self._bench.calibration.per_px)

    def show_field(self) -> None:
        """Draw the field that is chosen over the picture of the frame that is shown."""
        self.fields.item.arrows = self.bar.arrows.isChecked()
        self.fields.item.refresh()
        self.fields.show(self.bar.field)

    def showEvent(self, event: QtGui.QShowEvent) -> None:  # noqa: N802
        """It was opened again."""
        super().showEvent(event)
        self.show_field()

    def hideEvent(self, event: QtGui.QHideEvent) -> None:  # noqa: N802
        """It was closed (behind another panel it is not hidden): nothing is left over the video that nobody can end."""
        super().hideEvent(event)
        self.fields.show(None)

    def _say(self) -> None:
        question = self.bar.question.question
        _, wrong, _ = self._of.get(question, (None, "", -1))
        busy = self._job is not None and self._job.running
        if busy:
            words = "working it out …"
        elif wrong:
            words = wrong
        elif self._strange(question):
            words = "these are answers about the pipeline before it was changed; Compute works it out anew"
        elif not len(self._bench.store):
            words = "answers appear here once a clip has been tracked"
        elif self._old(question):
            words = "tracks, scale or choice have changed since; Compute works it out anew"
        elif question == STRAIN and self.fields.wrong:
            words = self.fields.wrong
        elif question not in self.results:
            words = "Compute works it out from the tracks that are known now"
        else:
            words = ""
        self.note.setText(words[:1].upper() + words[1:])
        self.note.setVisible(bool(words))
        self.bar.compute.setEnabled(bool(len(self._bench.store)) and not busy)

    # ------------------------------------------------------------------------------------------------------ saving

    def _menu(self) -> None:
        menu = QtWidgets.QMenu(self.bar.save)
        menu.addAction("Save the tables and the figure…").triggered.connect(lambda: self._guard(self._ask_where))
        menu.addAction("Copy the table\tCtrl+C").triggered.connect(lambda: self._guard(self.copy))
        self.looks = FigureLooks(menu, endings=True)
        self.bar.save.setMenu(menu)
        copy = QtWidgets.QShortcut(QtGui.QKeySequence(QtGui.QKeySequence.StandardKey.Copy), self)
        copy.setContext(QtCore.Qt.ShortcutContext.WidgetWithChildrenShortcut)
        copy.activated.connect(lambda: self._guard(self.copy))

    def _there(self, question: str) -> tuple[Path, list[str]]:
        if question not in self.results or question not in self.places:
            raise InputError("there is nothing to save yet; Compute works it out")
        return self.places[question], [str(name) for name in self.results[question]["files"]]

    def _ask_where(self) -> None:
        folder = QtWidgets.QFileDialog.getExistingDirectory(self, "Save the tables and the figure in a folder")
        if folder:
            self.save_to(Path(folder))

    def save_to(self, folder: Path) -> None:
        """Write what the command would write into a folder; files that are there get another name. Where figures are to
        look otherwise than when it was worked out, it is worked out once more before.

        Raises:
            InputError: it cannot be written, or there is nothing to write.
        """
        question = self.bar.question.question
        self._there(question)
        shown = self._orders[question]
        if shown.look == self.looks.look:
            self._write(question, folder)
            return
        if self._job is not None and self._job.running:
            raise InputError("wait until it is worked out; then it can be saved")
        # What was asked then, whatever is chosen by now: what is shown is what is saved.
        self._after = self._start(replace(self._order(shown.asked), tracks=shown.tracks)), folder

    def _write(self, question: str, folder: Path) -> None:
        source, names = self._there(question)
        info = self._bench.info
        stem = clip_stem(info.name) if info is not None else "clip"
        for name in names:
            target, number = folder / f"{stem}.{name}", 2
            while target.exists():
                target, number = folder / f"{stem}-{number}.{name}", number + 1
            # A name with a slash is a folder of files.
            parts = sorted((source / name).iterdir()) if name.endswith("/") else [source / name]
            for part in parts:
                try:
                    data = part.read_bytes()
                except OSError as error:
                    raise InputError(f"{part} cannot be read: {error.strerror}; Compute makes it anew") from None
                write_bytes(make_folder(target) / part.name if name.endswith("/") else target, data)
        self.saved.wrote(target)
        self._bench.speak(Level.NOTE, f"saved {', '.join(names)} in {folder}")

    def copy(self) -> None:
        """The table to the clipboard, as spreadsheets want it.

        Raises:
            InputError: there is none.
        """
        # A selection of words in focus is what Ctrl+C means.
        if self.words.textCursor().hasSelection() and self.words.hasFocus():
            self.words.copy()
            return
        question = self.bar.question.question
        source, _ = self._there(question)
        text = (source / TABLES[question]).read_text("utf-8")
        QtWidgets.QApplication.clipboard().setText(text.replace(",", "\t"))
        self._bench.speak(Level.NOTE, f"copied {len(text.splitlines()) - 1} rows of the table")

    def shut(self) -> None:
        """Leave nothing behind."""
        self.bending.show_rows([], 1.0)
        self.fields.show(None)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.bar.themed()
        self.plot.themed()
        if self._responses.made is not None:
            self.responses.themed()
        self.saved.themed()
        self.show_result()
