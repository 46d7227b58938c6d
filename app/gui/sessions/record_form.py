"""The widgets of the bar of a recording, and how they lie."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtWidgets

from app.gui.elided import ElidedRich
from app.gui.icons import icon
from app.sessions.asking import SPELLINGS

BEFORE, MOST_FRAMES = 1000, 10_000_000
"""Frames that are kept before a trigger unless something else is asked for; frames that can be asked for."""


class RecordForm(QtWidgets.QToolBar):  # type: ignore[misc]
    """See the module.

    Args:
        triggers: what triggers, as it was asked for last.

    Attributes:
        record, trigger, rehearse, check, open_button, show_button, folder_button, cross: buttons.
        name: of the session.
        waits: whether a trigger is waited for; before, after, when: frames to keep before it, to record from it on
            (0: all), and what triggers.
        words: how it goes: ready, armed, recording, or what was recorded and where. Its row is there at any time, so
            that the picture stands still.
    """

    def __init__(self, triggers: str) -> None:
        super().__init__("Recording")
        self.setObjectName("recording")
        self.setMovable(False)
        self.record = QtWidgets.QPushButton("Record")
        self.record.setCheckable(True)
        self.record.setObjectName("recordButton")
        self.name = QtWidgets.QLineEdit()
        self.name.setToolTip("The session: a new file, never one that is there")
        self.name.setMinimumWidth(120)
        self.folder_button = _tool("open", "Choose the folder of the sessions")
        self.waits = QtWidgets.QCheckBox("wait for a trigger")
        self.waits.setToolTip("Keep the last frames in memory, and record them with what follows once a trigger comes")
        self.before = _count("Frames from before the trigger", BEFORE)
        self.before_words = QtWidgets.QLabel()
        self.labels = [QtWidgets.QLabel(words) for words in ("keep", "record", "when")]
        self.after = _count("Frames to record from a trigger on; 0 for all that come", 0)
        self.after.setSpecialValueText("to the end")
        self.when = QtWidgets.QLineEdit(triggers)
        self.when.setPlaceholderText("key, or speed>200, lost …")
        self.when.setToolTip(f"What triggers besides the key G: {SPELLINGS}; several with blanks between them")
        self.when.setMinimumWidth(90)
        self.trigger = QtWidgets.QPushButton("Trigger")
        self.trigger.setToolTip("Record what was kept, and what follows  (G)")
        self.rehearse = QtWidgets.QPushButton("Rehearse")
        self.rehearse.setToolTip("What will this disk sustain? Records frames of this size for three seconds, then "
                                 "deletes them")  # fmt: skip
        self.words = ElidedRich()
        self.words.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self.open_button = QtWidgets.QPushButton("Open it")
        self.open_button.setToolTip("Open what was recorded, with its own pipeline")
        self.show_button = QtWidgets.QPushButton("Show folder")
        self.show_button.setToolTip("Show where the session lies, in the file manager")
        self.cross = _tool("close", "Close this bar; nothing is recorded by itself")
        self.check = QtWidgets.QPushButton("Check the replay")
        self.check.setToolTip("Process the session again and compare: the tracks have to be the same, bit by bit")
        self._lay_out()

    def _lay_out(self) -> None:
        inner = QtWidgets.QWidget()
        rows = QtWidgets.QVBoxLayout(inner)
        rows.setContentsMargins(6, 2, 6, 4)
        rows.setSpacing(4)
        keep, record, when = self.labels
        for widgets in (
            (self.record, self.name, self.folder_button, self.waits, self.rehearse, self.cross),
            (keep, self.before, self.before_words, record, self.after, when, self.when, self.trigger),
            (self.words, self.open_button, self.show_button, self.check),
        ):  # fmt: skip
            row = QtWidgets.QHBoxLayout()
            row.setSpacing(6)
            for widget in widgets:
                row.addWidget(widget, int(widget in (self.name, self.when, self.words)))
            rows.addLayout(row)
        keeps = self.open_button.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)  # the row is as high without it
        self.open_button.setSizePolicy(keeps)
        self.addWidget(inner)


def _tool(name: str, tip: str) -> QtWidgets.QToolButton:
    made = QtWidgets.QToolButton()
    made.setIcon(icon(name))
    made.setToolTip(tip)
    return made


def _count(tip: str, value: int) -> QtWidgets.QSpinBox:
    made = QtWidgets.QSpinBox()
    made.setRange(0, MOST_FRAMES)
    made.setValue(value)
    made.setSuffix(" frames")
    made.setToolTip(tip)
    made.setGroupSeparatorShown(True)
    made.setFixedWidth(150)
    return made
