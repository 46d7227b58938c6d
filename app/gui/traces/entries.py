"""A line of words for many curves: as many entries as have room in two lines, all of them in the tip."""

from __future__ import annotations

from collections.abc import Sequence

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

LINES = 2
"""Lines of words at most."""
BETWEEN = ";   "
HARD = "\u00a0"
"""A blank at which no line ends."""


class Entries(QtWidgets.QLabel):  # type: ignore[misc]
    """A label whose lines end between entries only.

    Attributes:
        turned: a signal: it is about to be shown or hidden; before a layout has found it a place.
    """

    turned = QtCore.pyqtSignal(bool)

    def __init__(self) -> None:
        super().__init__()
        self._head = ""
        self._entries: tuple[str, ...] = ()
        self.setWordWrap(True)
        self.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed)
        self.setAlignment(QtCore.Qt.AlignmentFlag.AlignTop | QtCore.Qt.AlignmentFlag.AlignLeft)
        self.setContentsMargins(8, 0, 8, 0)

    def say(self, head: str, entries: Sequence[str]) -> None:
        """Other words.

        Args:
            head: before all.
            entries: one a curve.
        """
        self._head, self._entries = head, tuple(entries)
        self._fill()

    def setVisible(self, on: bool) -> None:  # noqa: N802
        """Say so first."""
        if on == self.isHidden():
            self.turned.emit(on)
        super().setVisible(on)

    @property
    def high(self) -> int:
        """Pixels of all lines: as many as there may be, so that no panel grows with the words."""
        return LINES * int(self.fontMetrics().lineSpacing())

    def sizeHint(self) -> QtCore.QSize:  # noqa: N802
        """Two lines; wrapped words would ask for as many as a narrow label needs."""
        return QtCore.QSize(0, self.high)

    def minimumSizeHint(self) -> QtCore.QSize:  # noqa: N802
        """As `sizeHint`."""
        return self.sizeHint()

    def _fill(self) -> None:
        metrics, room = self.fontMetrics(), self.width() - 20
        parts: list[str] = []
        x, line = metrics.horizontalAdvance(f"{self._head}  "), 1
        for k, entry in enumerate(self._entries):
            rest = len(self._entries) - k - 1
            more = f"and {rest} more (in the tip)" if rest else ""
            wide, end = (metrics.horizontalAdvance(words + BETWEEN) for words in (entry, more))
            if x + wide + (end if line == LINES else 0) > room and (k or line < LINES):
                if line == LINES:
                    parts.append(f"and {rest + 1} more (in the tip)")
                    break
                x, line = 0, line + 1
                if wide + (end if line == LINES else 0) > room and k:
                    parts.append(f"and {rest + 1} more (in the tip)")
                    break
            parts.append(entry)
            x += wide
        self.setText(f"{hard(self._head)} " + (BETWEEN[0] + " ").join(hard(part) for part in parts))

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:  # noqa: N802
        """Another width has room for others."""
        super().resizeEvent(event)
        self._fill()


def hard(words: str) -> str:
    """Words that stay on one line."""
    return words.replace(" ", HARD)
