"""A page of the window about several cameras: what is asked at the left with the button that begins the work and what
the command prints, the answer at the right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.jobs.jobs import Job, Jobs, JobState
from app.desk.jobs.orders import JobOrder
from app.gui.fixed_font import fixed_font
from app.gui.stereo.choice_form import ChoiceForm
from app.gui.stereo.given import Given
from app.gui.stereo.work_row import WorkRow
from app.gui.wording import CAMERAS, in_window
from kernels.errors import FusetrackError

LEFT, RIGHT = 430, 800
"""Pixels of both sides at first."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a page does.

    Args:
        name: of its command. word, tip: of its button.
    """

    name: str
    word: str
    tip: str


class WorkPage(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module; a page of one kind of work gives `_ask`, `_done` and, where an answer goes with its work,
    `_failed`.

    Args:
        given: what is open in the window.
        jobs: work it out.
        say: told what was done.

    Attributes:
        work: begins and stops it. words: what the command prints.
    """

    form: ChoiceForm

    def __init__(self, given: Given, jobs: Jobs, say: Callable[[str], object], task: Task) -> None:
        super().__init__()
        self._given, self._jobs, self._say = given, jobs, say
        self._job: Job | None = None
        self._command = task.name
        self.work = WorkRow(task.word, task.tip, self.begin, self.stop)
        self.words = QtWidgets.QPlainTextEdit()
        self.words.setReadOnly(True)
        self.words.setFont(fixed_font(2))
        self.words.setToolTip(f"What `fusetrack {task.name}` prints; can be selected and copied")
        self.words.setMinimumHeight(60)
        jobs.on(self._told)

    def _lay_out(
        self, buttons: tuple[QtWidgets.QPushButton, ...], above: tuple[QtWidgets.QWidget, int],
        below: tuple[QtWidgets.QWidget, int],
    ) -> None:  # fmt: skip
        """Put all in its place.

        Args:
            buttons: below what the command prints; of an answer, which there is none of yet.
            above, below: the answer, and how high it is at first, px.
        """
        left = QtWidgets.QWidget()
        column = QtWidgets.QVBoxLayout(left)
        column.setContentsMargins(0, 0, 6, 0)
        column.setSpacing(8)
        column.addWidget(self.form)
        column.addWidget(self.work)
        column.addWidget(self.words, 1)
        row = QtWidgets.QHBoxLayout()
        for button in buttons:
            button.setEnabled(False)
            row.addWidget(button, 1)
        column.addLayout(row)
        answer = _split(QtCore.Qt.Orientation.Vertical, above, below)
        split = _split(QtCore.Qt.Orientation.Horizontal, (left, LEFT), (answer, RIGHT))
        split.setStretchFactor(1, 1)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addWidget(split)

    # ------------------------------------------------------------------------------------------------- working out

    @property
    def busy(self) -> bool:
        """Whether something is being worked out."""
        return self._job is not None and self._job.running

    def begin(self) -> None:
        """Work it out; what is wrong with a field is said."""
        if not self.busy:
            self._guarded(self._ask)

    def _worded(self, sentence: str) -> str:
        """A sentence of the command in the words of the fields."""
        return in_window(sentence, CAMERAS, self._command)

    def _guarded(self, work: Callable[[], object]) -> None:
        """Do something; what is wrong is said in the words of the fields."""
        try:
            work()
        except FusetrackError as error:
            self.work.say(self._worded(str(error)), bad=True)

    def _start(self, name: str, order: JobOrder) -> None:
        self._job = self._jobs.start(name, order)
        self.work.show_job(self._job)

    def stop(self) -> None:
        """End it."""
        if self._job is not None:
            self._jobs.stop(self._job)

    def _told(self, job: Job) -> None:
        if job is not self._job:
            return
        self.work.show_job(job)
        if job.running:
            return
        if job.state is JobState.DONE:
            self._done(job)
        else:
            self.work.say(self._worded(job.sentence), bad=job.state is JobState.FAILED)
            self._failed(job.order)

    def _ask(self) -> None:
        """Start what the form asks for.

        Raises:
            FusetrackError: a field says nothing that makes sense.
        """
        raise NotImplementedError

    def _done(self, job: Job) -> None:
        """Show what came of it."""
        raise NotImplementedError

    def _failed(self, order: Any) -> None:
        """Nothing came of an order."""

    # ------------------------------------------------------------------------------------------------------ saving

    def _saved(self, words: str) -> None:
        """Say here and in the window what was saved."""
        self.work.say(words)
        self._say(words)

    def shut(self) -> None:
        """Leave nothing behind."""
        self.stop()

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.form.themed()


def _split(
    along: QtCore.Qt.Orientation, first: tuple[QtWidgets.QWidget, int], second: tuple[QtWidgets.QWidget, int]
) -> QtWidgets.QSplitter:
    """Two widgets with an edge to drag between them, and their sizes at first, px."""
    made = QtWidgets.QSplitter(along)
    made.setChildrenCollapsible(False)
    for widget, _ in (first, second):
        made.addWidget(widget)
    made.setSizes([first[1], second[1]])
    return made
