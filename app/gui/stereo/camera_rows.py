"""The cameras of a rig in a form: a row a camera, with its clip or its tracks, and how many frames it is ahead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyqtgraph.Qt import QtCore, QtWidgets

from app.gui.icons import icon
from app.project import FAR, OneCamera

OF_THE_WINDOW = "window:"
"""What keys of choices begin with that may go: clips that are open."""
FEWEST, MOST = 1, 8
"""Cameras of a rig that a form takes."""


def path_box(hint: str = "") -> QtWidgets.QComboBox:
    """A list of choices, in the place of which a path can be typed; `hint` is said while nothing is there."""
    box = QtWidgets.QComboBox()
    box.setEditable(True)
    box.setInsertPolicy(QtWidgets.QComboBox.InsertPolicy.NoInsert)
    box.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(14)
    box.setCompleter(None)
    box.lineEdit().setPlaceholderText(hint)
    return box


def value_of(box: QtWidgets.QComboBox) -> str:
    """The key of the choice whose words are there, or what is typed."""
    text = box.currentText().strip()
    at = box.findText(text, QtCore.Qt.MatchFlag.MatchExactly)
    return str(box.itemData(at)) if at >= 0 and box.itemData(at) else text


def whole(path: str) -> str:
    """A path that was typed, as a file keeps it; scenes as they are.

    >>> whole("sim:vortex"), whole("")
    ('sim:vortex', '')
    """
    return path if not path or path.startswith("sim:") else str(Path(path).expanduser().absolute())


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that can be chosen without its path.

    Args:
        key: what is meant, no path.
        words: what it is called.
        ahead: frames that it is ahead of the first camera; None for not known.
    """

    key: str
    words: str
    ahead: int | None = None


class CameraRow(QtWidgets.QWidget):  # type: ignore[misc]
    """One camera.

    Args:
        ask: asks for a path and returns it, "" for none; called with whether it is a folder.
        hint: said while it has nothing.

    Attributes:
        what: its clip or tracks: a choice, or a path that is typed. file, folder: buttons that ask. ahead: frames.
        cross: takes it away.
    """

    changed = QtCore.pyqtSignal()

    def __init__(self, ask: Callable[[bool], str], hint: str) -> None:
        super().__init__()
        self._ask = ask
        self.name = QtWidgets.QLabel()
        self.what = path_box(hint)
        self.file, self.folder = QtWidgets.QToolButton(), QtWidgets.QToolButton()
        self.ahead = QtWidgets.QSpinBox()
        self.ahead.setRange(-FAR, FAR)
        self.ahead.setMaximumWidth(84)
        self.ahead.setToolTip("Frames by which this camera is ahead of the first: its frame of a moment is the first "
                              "one's plus so many")  # fmt: skip
        self.cross = QtWidgets.QToolButton()
        self.cross.setToolTip("Take this camera away")
        row = QtWidgets.QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(3)
        row.addWidget(self.name)
        row.addWidget(self.what, 1)
        for widget in (self.file, self.folder, self.ahead, self.cross):
            row.addWidget(widget)
        for button, folder in ((self.file, False), (self.folder, True)):
            button.clicked.connect(lambda _checked, folder=folder: self._choose(folder))
        self.what.editTextChanged.connect(lambda _: self.changed.emit())
        self.ahead.valueChanged.connect(lambda _: self.changed.emit())
        self.themed()

    @property
    def value(self) -> str:
        """The key of a choice, or a path."""
        return value_of(self.what)

    def put(self, value: str) -> None:
        """Have this camera have it."""
        at = self.what.findData(value)
        self.what.setEditText(self.what.itemText(at) if at >= 0 else value)
        self.what.setToolTip(value if at < 0 else "")
        line = self.what.lineEdit()
        if at < 0 and line is not None:
            line.setCursorPosition(len(value))  # the end of a path tells more than its beginning

    def offer(self, choices: Sequence[Choice], fresh: str = "") -> bool:
        """These can be chosen; what is there stays, and is told of only if it goes. Whether it has `fresh` by that.

        Args:
            choices: all of them.
            fresh: the key of that which it has from now on if it has nothing.
        """
        value = self.value
        self.what.blockSignals(True)
        self.what.clear()
        for one in choices:
            self.what.addItem(one.words, one.key)
        self.what.setCurrentIndex(-1)
        gone = value.startswith(OF_THE_WINDOW) and self.what.findData(value) < 0
        kept = "" if gone else value
        self.put(kept or fresh)
        self.what.blockSignals(False)
        if gone:
            self.changed.emit()
        return bool(fresh) and not kept

    def _choose(self, folder: bool) -> None:
        path = self._ask(folder)
        if path:
            self.put(path)

    def themed(self) -> None:
        """Take the colours of the theme."""
        for button, name in ((self.file, "open"), (self.folder, "batch"), (self.cross, "close")):
            button.setIcon(icon(name))


class CameraRows(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        tips: of the buttons that ask for a file and for a folder.
        hint, ask: as in `CameraRow`.
        fewest: cameras that there are at least.

    Attributes:
        changed: a signal: another one, or another value. rows: the cameras. more: adds one.
    """

    changed = QtCore.pyqtSignal()

    def __init__(self, tips: tuple[str, str], hint: str, ask: Callable[[bool], str], fewest: int = FEWEST) -> None:
        super().__init__()
        self._tips, self._hint, self._ask, self._fewest = tips, hint, ask, fewest
        self._choices: Sequence[Choice] = ()
        self.rows: list[CameraRow] = []
        head = QtWidgets.QLabel("frames ahead")
        head.setProperty("muted", True)
        self._head = head
        self.more = QtWidgets.QPushButton("Add a camera")
        self.more.clicked.connect(lambda: self.set_count(len(self.rows) + 1))
        top = QtWidgets.QHBoxLayout()
        top.addStretch(1)
        top.addWidget(head)
        top.addSpacing(32)
        self._column = QtWidgets.QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addLayout(top)
        below = QtWidgets.QHBoxLayout()
        below.addWidget(self.more)
        below.addStretch(1)
        self._column.addLayout(below)
        self.set_count(2)

    @property
    def values(self) -> tuple[str, ...]:
        """Of each camera a key or a path."""
        return tuple(row.value for row in self.rows)

    @property
    def offsets(self) -> tuple[int, ...]:
        """Of each camera the frames that it is ahead; the first's 0."""
        return tuple(row.ahead.value() if at else 0 for at, row in enumerate(self.rows))

    @property
    def kept(self) -> tuple[OneCamera, ...]:
        """What a file keeps of them; what is open in the window is offered again anyway."""
        return tuple(OneCamera("" if value.startswith(OF_THE_WINDOW) else whole(value), ahead)
                     for value, ahead in zip(self.values, self.offsets, strict=True))  # fmt: skip

    def bring(self, cameras: Sequence[OneCamera]) -> None:
        """Have these; a row without one has nothing, and gets what is offered next."""
        self._choices = ()
        self.set_count(len(cameras))
        for row, one in zip(self.rows, (*cameras, *[OneCamera("")] * len(self.rows)), strict=False):
            row.put(one.path)
            row.ahead.setValue(one.ahead)

    def put(self, paths: Sequence[str]) -> None:
        """Have each camera have its path."""
        for row, path in zip(self.rows, paths, strict=True):
            row.put(path)

    def offer(self, choices: Sequence[Choice]) -> None:
        """These can be chosen without a path; rows that have nothing get them in their order."""
        fresh = {one.key for one in choices} - {one.key for one in self._choices}
        self._choices = choices
        for at, row in enumerate(self.rows):
            new = choices[at] if at < len(choices) and choices[at].key in fresh else None
            if row.offer(choices, "" if new is None else new.key) and at and new is not None and new.ahead is not None:
                row.ahead.setValue(new.ahead)

    def set_count(self, count: int) -> None:
        """Have so many cameras."""
        count = min(max(count, self._fewest), MOST)
        while len(self.rows) > count:
            self._drop(self.rows[-1])
        while len(self.rows) < count:
            row = CameraRow(self._ask, self._hint)
            for button, tip in zip((row.file, row.folder), self._tips, strict=True):
                button.setToolTip(tip)
                button.setVisible(bool(tip))
            row.changed.connect(self.changed)
            row.cross.clicked.connect(lambda _checked, row=row: self._take(row))
            row.offer(self._choices)
            self.rows.append(row)
            self._column.insertWidget(self._column.count() - 1, row)
        self._named()

    def _take(self, row: CameraRow) -> None:
        if len(self.rows) > self._fewest:
            self._drop(row)
            self._named()

    def _drop(self, row: CameraRow) -> None:
        self.rows.remove(row)
        row.setParent(None)
        row.deleteLater()

    def _named(self) -> None:
        for at, row in enumerate(self.rows):
            row.name.setText(f"{at + 1}")
            row.name.setToolTip(f"Camera {at + 1}")
            row.ahead.setEnabled(at > 0)
            row.cross.setEnabled(len(self.rows) > self._fewest)
        self.more.setEnabled(len(self.rows) < MOST)
        self.changed.emit()

    def show_offsets(self, on: bool) -> None:
        """Whether it counts how many frames cameras are ahead."""
        self._head.setVisible(on)
        for row in self.rows:
            row.ahead.setVisible(on)

    def themed(self) -> None:
        """Take the colours of the theme."""
        for row in self.rows:
            row.themed()


def track_rows(ask: Callable[[bool], str]) -> CameraRows:
    """Cameras that have tracks: two or more; `ask` as in `CameraRow`."""
    tips = "Choose a table of tracks or a session", "Choose the folder of a run's results"
    return CameraRows(tips, "its tracks", ask, 2)
