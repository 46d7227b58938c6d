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
            # The last line keeps room for how many are left out.
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


class Notes(Entries):
    """What several things say of the curves, each when it has something to say, in one line of words."""

    def __init__(self) -> None:
        super().__init__()
        self._notes: dict[str, tuple[str, tuple[str, ...], str]] = {}
        self.hide()

    def put(self, who: str, head: str, entries: Sequence[str], tip: str = "") -> None:
        """What one of them says now.

        Args:
            who: it is; they stand in the order of these names.
            head: before all. entries: one a curve; () for nothing.
            tip: explains them, before all that is said.
        """
        note = (head, tuple(entries), tip)
        if not entries:
            self._notes.pop(who, None)
        elif self._notes.get(who) == note and not self.isHidden():
            return
        else:
            self._notes[who] = note
        notes = [self._notes[name] for name in sorted(self._notes)]
        first = notes[0][0] if notes else ""
        lines = [f"{head} {entry}" if head and not k and n else entry
                 for n, (head, entries, _) in enumerate(notes) for k, entry in enumerate(entries)]  # fmt: skip
        self.say(first, lines)
        self.setToolTip("\n".join(line for head, entries, tip in notes for line in (tip, head, *entries) if line))
        if bool(notes) == self.isHidden():
            self.setVisible(bool(notes))
