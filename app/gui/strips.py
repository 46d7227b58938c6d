"""Strips above the video: a sentence with buttons that asks or tells something and never stands in the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Level
from app.gui.icons import icon


class Strip(QtWidgets.QFrame):  # type: ignore[misc]
    """One strip.

    Args:
        words: the sentence; may be rich text.
        level: how loud.
        middle: widgets behind the sentence, such as a field.
        buttons: what stands on a button and what it does; the first one is the usual answer.
        closed: called when the strip is closed by its cross; None for a strip without a cross.
        tip: more words, for the cursor.

    Attributes:
        label, buttons: the sentence, and the buttons by what stands on them.
        cross: closes the strip; None where there is none.
    """

    def __init__(
        self, words: str, level: Level = Level.NOTE, *, middle: Sequence[QtWidgets.QWidget] = (),
        buttons: Sequence[tuple[str, Callable[[], object]]] = (), closed: Callable[[], object] | None = None,
        tip: str = "",
    ) -> None:
        super().__init__()
        self.setProperty("strip", level.value)
        self.label = QtWidgets.QLabel(words)
        self.label.setWordWrap(True)
        self.label.setToolTip(tip)
        # A label that wraps asks for a narrow, high place; here it gets the width that is left.
        self.label.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        row = QtWidgets.QHBoxLayout(self)
        row.setContentsMargins(10, 5, 6, 5)
        row.setSpacing(8)
        row.addWidget(self.label, 1)
        for widget in middle:
            row.addWidget(widget)
        self.buttons: dict[str, QtWidgets.QPushButton] = {}
        for k, (text, work) in enumerate(buttons):
            button = QtWidgets.QPushButton(text)
            button.setDefault(k == 0)
            button.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _checked, work=work: work())
            self.buttons[text] = button
            row.addWidget(button)
        self.cross: QtWidgets.QToolButton | None = None
        if closed is not None:
            self.cross = QtWidgets.QToolButton()
            self.cross.setIcon(icon("close"))
            self.cross.setIconSize(QtCore.QSize(14, 14))
            self.cross.setToolTip("Close this line")
            self.cross.clicked.connect(lambda _checked: closed())
            row.addWidget(self.cross)

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """As high as the sentence needs."""
        return int(self.layout().totalHeightForWidth(width))


class Strips(QtWidgets.QWidget):  # type: ignore[misc]
    """The strips that are shown, one below the other."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: dict[str, Strip] = {}
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        self.setVisible(False)

    def __contains__(self, name: str) -> bool:
        return name in self._shown

    def __getitem__(self, name: str) -> Strip:
        return self._shown[name]

    def put(self, name: str, strip: Strip) -> None:
        """Show a strip, in place of another one of this name."""
        self.remove(name)
        self._shown[name] = strip
        self.layout().addWidget(strip)
        self.setVisible(True)

    def remove(self, name: str) -> None:
        """Take a strip away, if it is there."""
        strip = self._shown.pop(name, None)
        if strip is not None:
            strip.hide()
            self.layout().removeWidget(strip)
            strip.deleteLater()
        self.setVisible(bool(self._shown))

    def themed(self) -> None:
        """Take the colours of the theme."""
        for strip in self._shown.values():
            cross: Any = strip.cross
            if cross is not None:
                cross.setIcon(icon("close"))
