"""A network from what is labelled: its settings, how the training goes, and what is offered at its end."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.jobs.jobs import Job, Jobs, JobState
from app.desk.jobs.orders import TrainOrder
from app.desk.labelling.labeller import Labeller
from app.desk.labelling.ordering import default_network, train_order
from app.gui.strips import Strip, Strips
from app.training.recipe import Recipe, state_of

STRIP = "trained"


class TrainingRow(QtWidgets.QFrame):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        labeller: what is labelled.
        jobs: train.
        strips: where the network is offered.
        guard: called with what may go wrong; turns errors into messages.

    Attributes:
        train, stop: the buttons. bar, words: how it goes. steps, turn, size, out: settings.
        job: the newest training; None before the first.
    """

    def __init__(
        self, bench: Workbench, labeller: Labeller, jobs: Jobs, strips: Strips,
        guard: Callable[[Callable[[], object]], object],
    ) -> None:
        super().__init__()
        self._bench, self._labeller, self._jobs, self._strips, self._guard = bench, labeller, jobs, strips, guard
        self.job: Job | None = None
        usual = Recipe()
        self.steps, self.size, self.turn = (QtWidgets.QSpinBox() for _ in range(3))
        for spin, low, high, value, step, unit, tip in (
            (self.steps, 1, 1_000_000, usual.steps, 500, " steps", "How long it learns: steps of 8 pictures each. 1500 "
             "take some minutes of a core"),
            (self.size, 64, 1024, usual.size, 64, " px", "Longest side of the picture that the network sees; larger is "
             "finer and slower"),
            (self.turn, 0, 360, round(usual.turn), 15, "°", "By how much pictures are turned while it learns, "
             "typically; 180 for things of any direction"),
        ):  # fmt: skip
            spin.setRange(low, high)
            spin.setValue(value)
            spin.setSingleStep(step)
            spin.setSuffix(unit)
            spin.setToolTip(tip)
            spin.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed)
        self.out = QtWidgets.QLineEdit()
        self.out.setToolTip("The network's file, .onnx; its pipeline (.toml) and its curve (.csv) lie beside it")
        self.train = QtWidgets.QPushButton("Train a network")
        self.train.setToolTip("A small network learns to find these points, in a process beside; its pipeline is "
                              "offered then. As fusetrack train on the file of the labels")  # fmt: skip
        self.stop = QtWidgets.QPushButton("Stop")
        self.stop.setToolTip("End the training; it can go on from there later")
        self.bar = QtWidgets.QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setMaximumHeight(8)
        self.words = QtWidgets.QLabel()
        self.words.setWordWrap(True)
        self.words.setProperty("muted", True)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        settings = QtWidgets.QHBoxLayout()
        for spin in (self.steps, self.size, self.turn):
            settings.addWidget(spin, 1)
        column.addLayout(settings)
        column.addWidget(self.out)
        buttons = QtWidgets.QHBoxLayout()
        buttons.addWidget(self.train, 1)
        buttons.addWidget(self.stop)
        column.addLayout(buttons)
        column.addWidget(self.bar)
        column.addWidget(self.words)
        self.train.clicked.connect(lambda _: guard(self.begin))
        self.stop.clicked.connect(lambda _: self.end())
        self.out.textChanged.connect(lambda _: self.refresh())
        jobs.on(self._job_changed)
        bench.on(Topic.OPENED, self._opened)
        self._opened()

    def _opened(self) -> None:
        self.out.setText(str(default_network(self._labeller)) if self._labeller.clip else "")
        self.out.setCursorPosition(len(self.out.text()))
        self.refresh()

    @property
    def going(self) -> bool:
        """Whether a training goes on."""
        return self.job is not None and self.job.running

    @property
    def stopped(self) -> bool:
        """Whether one was stopped whose state lies there."""
        text = self.out.text().strip()
        return bool(text) and state_of(Path(text).expanduser()).exists()

    def begin(self) -> None:
        """Train, or go on with what was stopped.

        Raises:
            InputError: torch is missing, too little is labelled, or a setting is none.
        """
        if self.going:
            return
        recipe = Recipe(self.size.value(), self.steps.value(), Recipe().seed, float(self.turn.value()), Recipe().zoom)
        out = Path(self.out.text().strip()).expanduser()
        order = train_order(self._labeller, out, recipe, self.stopped)
        self._strips.remove(STRIP)
        self.job = self._jobs.start(f"training {out.name}", order)
        self.refresh()

    def begin_anew(self) -> None:
        """Forget what was stopped, and train from the first step."""
        state_of(Path(self.out.text().strip()).expanduser()).unlink(missing_ok=True)
        self._guard(self.begin)

    def end(self) -> None:
        """Stop it."""
        if self.job is not None and self.job.running:
            self._jobs.stop(self.job)

    def _job_changed(self, job: Job) -> None:
        if job is not self.job:
            return
        if not job.running:
            self._over(job)
        self.refresh()

    def _over(self, job: Job) -> None:
        if job.state is JobState.FAILED:
            other = "other labels or settings" in job.sentence
            if other:
                self._strips.put(STRIP, Strip(
                    "The training that was stopped is of other labels or settings.", Level.WARNING,
                    buttons=(("Begin anew", self._answered(self.begin_anew)),), closed=self._close,
                ))  # fmt: skip
            else:
                self._bench.speak(Level.ERROR, job.sentence, job.details)
        elif job.state is JobState.DONE:
            pipeline = str(job.result["pipeline"])
            self._strips.put(STRIP, Strip(
                f"The network <b>{escape(Path(str(job.result['network'])).name)}</b> has learnt: "
                f"{escape(str(job.result['words']))}.",
                buttons=(("Run it on this clip", self._answered(partial(self._use, pipeline))),), closed=self._close,
                tip=f"Takes the pipeline {pipeline}; undo goes back to the one before",
            ))  # fmt: skip

    def _answered(self, work: Callable[[], object]) -> Callable[[], None]:
        def do() -> None:
            self._close()
            self._guard(work)

        return do

    def _close(self) -> None:
        self._strips.remove(STRIP)

    def _use(self, pipeline: str) -> None:
        self._bench.files.choose(pipeline)
        if not self._bench.live:
            self._bench.player.play()

    def refresh(self) -> None:
        """Say how it goes."""
        job, going = self.job, self.going
        self.train.setEnabled(not going)
        self.train.setText("Go on with the training" if self.stopped and not going else "Train a network")
        for widget in (self.stop, self.bar):
            widget.setVisible(going)
        for widget in (self.steps, self.size, self.turn, self.out):
            widget.setEnabled(not going)
        words = ""
        if job is not None and isinstance(job.order, TrainOrder):
            if going:
                self.bar.setRange(0, max(job.total, 1) if job.total else 0)
                self.bar.setValue(job.done)
                self.stop.setEnabled(not job.stopping)
                words = "stopping …" if job.stopping else job.note or "reading the labelled frames …"
                left = job.seconds_left
                if job.note and math.isfinite(left) and not job.stopping:
                    words += f", {_time(left)} left"
            elif job.state is JobState.STOPPED:
                words = job.sentence
            elif job.state is JobState.DONE:
                words = str(job.result["words"])
        self.words.setText(words)
        self.words.setVisible(bool(words))

    def sizeHint(self) -> QtCore.QSize:  # noqa: N802
        """As narrow as a dock."""
        return QtCore.QSize(240, super().sizeHint().height())


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
