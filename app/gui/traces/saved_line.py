"""A line that says what is being saved, and where it is then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pyqtgraph.Qt import QtCore, QtWidgets

from app.gui.icons import icon
from app.gui.system import show
from kernels.errors import InputError


class SavedLine(QtWidgets.QWidget):  # type: ignore[misc]
    """Hidden until something is saved.

    Args:
        cancel: called by its button while something is written.
        trouble: told why the folder cannot be shown.

    Attributes:
        turned: a signal: it is about to be seen, or is seen no more; when it is, the room around has been divided.
        words, bar, stop, folder, cross: its parts. path: what was written last.
    """

    turned = QtCore.pyqtSignal(bool)

    def __init__(self, cancel: Callable[[], object], trouble: Callable[[str], object] = lambda _: None) -> None:
        super().__init__()
        self.path = Path()
        self._trouble = trouble
        self.words = QtWidgets.QLabel()
        self.words.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self.bar = QtWidgets.QProgressBar()
        self.bar.setRange(0, 100)
        self.bar.setMaximumWidth(220)
        self.stop = QtWidgets.QPushButton("Cancel")
        self.stop.setToolTip("Stop saving; a file that is not whole is not left behind")
        self.stop.clicked.connect(lambda: cancel())
        self.folder = QtWidgets.QPushButton("Open folder")
        self.folder.setToolTip("Show the folder with the file")
        self.folder.clicked.connect(self._open)
        self.cross = QtWidgets.QToolButton()
        self.cross.setToolTip("Close this line")
        self.cross.clicked.connect(self.hide)
        row = QtWidgets.QHBoxLayout(self)
        row.setContentsMargins(6, 0, 6, 0)
        row.addWidget(self.words, 1)
        for widget in (self.bar, self.stop, self.folder, self.cross):
            row.addWidget(widget)
        self.themed()
        self.hide()

    def setVisible(self, seen: bool) -> None:  # noqa: N802
        """Tell of it before there is a line, and once there is none: Qt divides the room within."""
        if seen:
            self.turned.emit(True)
        super().setVisible(seen)
        if not seen:
            self.turned.emit(False)

    def writing(self, path: Path) -> None:
        """It is being written."""
        self._show(path, f"writing {path} …", True)

    def forget(self) -> None:
        """Another clip: what was saved is said no more, but what is being written."""
        if self.bar.isHidden():
            self.hide()

    def share(self, share: float) -> None:
        """So much of it is written, 0 to 1."""
        self.bar.setValue(round(100 * share))

    def wrote(self, path: Path) -> None:
        """It is there."""
        self._show(path, f"saved {path}", False)

    def _show(self, path: Path, words: str, going: bool) -> None:
        self.path = path
        self.words.setText(words)
        self.words.setToolTip(str(path))
        for widget in (self.bar, self.stop):
            widget.setVisible(going)
        for widget in (self.folder, self.cross):
            widget.setVisible(not going)
        self.bar.setValue(0)
        self.show()

    def _open(self) -> None:
        try:
            show(self.path.absolute().parent)
        except InputError as error:
            self._trouble(str(error))

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.cross.setIcon(icon("close"))
