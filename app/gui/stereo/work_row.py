"""The button that begins some work, how far it is, the button that stops it, and what came of it."""

from __future__ import annotations

from collections.abc import Callable

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.jobs.jobs import Job


class WorkRow(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        word, tip: of the button.
        begin, cancel: called by the buttons.

    Attributes:
        go, stop, bar, words: its parts.
    """

    def __init__(self, word: str, tip: str, begin: Callable[[], object], cancel: Callable[[], object]) -> None:
        super().__init__()
        self.go, self.stop = QtWidgets.QPushButton(word), QtWidgets.QPushButton("Stop")
        self.go.setDefault(True)
        self.go.setToolTip(tip)
        self.stop.setToolTip("End it; what was there before stays")
        self.stop.setAutoDefault(False)
        self.bar = QtWidgets.QProgressBar()
        self.words = QtWidgets.QLabel()
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QtWidgets.QHBoxLayout()
        for widget in (self.go, self.stop):
            row.addWidget(widget)
        row.addWidget(self.bar, 1)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.words)
        self.go.clicked.connect(lambda: begin())
        self.stop.clicked.connect(lambda: cancel())
        self.show_job(None)

    def show_job(self, job: Job | None) -> None:
        """How it goes."""
        going = job is not None and job.running
        self.go.setEnabled(not going)
        self.stop.setVisible(going)
        self.bar.setVisible(going)
        if job is not None and going:
            self.bar.setRange(0, job.total)
            self.bar.setValue(min(job.done, job.total))
            self.say(f"{job.label or 'beginning'} …")

    def say(self, words: str, bad: bool = False) -> None:
        """A sentence below it."""
        self.words.setText(words[:1].upper() + words[1:])
        self.words.setProperty("bad", bad)
        self.words.setProperty("muted", not bad)
        self.words.style().unpolish(self.words)
        self.words.style().polish(self.words)
