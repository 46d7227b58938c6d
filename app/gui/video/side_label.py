"""What is over one side of a comparison: which it is, the number of its frame, and what is set otherwise there."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pyqtgraph.Qt import QtCore, QtWidgets

from app.gui import theme

MOST = 4
"""Differences that are named; of more, how many there are besides."""
SAME = "the same as the other side"


class SideLabel(QtWidgets.QLabel):  # type: ignore[misc]
    """Lies over the upper left corner of a view.

    Args:
        name: "A" or "B".
        view: over which it lies.
    """

    def __init__(self, name: str, view: QtWidgets.QWidget) -> None:
        super().__init__(view)
        self._name, self._frame, self._differences = name, "", SAME
        self._right = False
        _dress(self)
        self.setTextFormat(QtCore.Qt.TextFormat.RichText)
        self._say()
        self.show()
        self.raise_()

    def show_frame(self, number: int) -> None:
        """The frame of the picture."""
        if (words := f"frame {number}") != self._frame:
            self._frame = words
            self._say()

    def show_differences(self, found: Sequence[tuple[str, str]]) -> None:
        """What is set otherwise than at the other side: (what, how it is here)."""
        some = [f"{escape(what)} <b>{escape(value)}</b>" for what, value in found[:MOST]]
        if len(found) > MOST:
            some.append(f"and {len(found) - MOST} more")
        self._differences = "<br>".join(some) or SAME
        self._say()

    def _say(self) -> None:
        frame = f" &nbsp; {self._frame}" if self._frame else ""
        self.setText(f"<b style='color:{theme.DARK.warn}'>{self._name}</b>{frame}<br>{self._differences}")
        self.adjustSize()
        self.place()

    def stand_over(self, view: QtWidgets.QWidget, right: bool) -> None:
        """Lie over another view's upper left corner, or its right one."""
        self._right = right
        self.setParent(view)
        self.place()
        self.show()
        self.raise_()

    def place(self) -> None:
        """Go to the corner."""
        self.move(max(8, self.parentWidget().width() - self.width() - 8) if self._right else 8, 8)

    def leave(self) -> None:
        """There is nothing to compare any more."""
        self.hide()
        self.deleteLater()


class CornerNote(QtWidgets.QLabel):  # type: ignore[misc]
    """A few words over the lower left corner of a view."""

    def __init__(self, view: QtWidgets.QWidget) -> None:
        super().__init__(view)
        _dress(self)
        self.hide()
        view.installEventFilter(self)

    def say(self, words: str) -> None:
        """Show some words; "" for none."""
        if words != self.text():
            self.setText(words)
            self.adjustSize()
            self._place()
        self.setVisible(bool(words))

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:  # noqa: N802
        """Stay in the corner."""
        del watched
        if event.type() == QtCore.QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        self.move(8, max(8, self.parentWidget().height() - self.height() - 8))

    def leave(self) -> None:
        """There is nothing to say any more."""
        self.parentWidget().removeEventFilter(self)
        self.hide()
        self.deleteLater()


def _dress(label: QtWidgets.QLabel) -> None:
    """Light words on dark glass, through which the mouse goes."""
    label.setObjectName("sideLabel")
    label.setAttribute(QtCore.Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    label.setStyleSheet(f"#sideLabel {{ background: rgba(8, 10, 13, 190); color: {theme.DARK.text}; "
                        "border-radius: 4px; padding: 3px 8px; }")  # fmt: skip
