"""Labels that are cut where there is no room, with dots in place of what is missing."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets


class Elided(QtWidgets.QLabel):  # type: ignore[misc]
    """A line of plain words; a tip should have all of them."""

    @property
    def shown(self) -> str:
        """What there is room for."""
        room, end = self.contentsRect().width(), QtCore.Qt.TextElideMode.ElideRight
        return str(self.fontMetrics().elidedText(self.text(), end, room))

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:  # noqa: N802
        """Draw what there is room for."""
        shown = self.shown
        if shown == self.text():
            super().paintEvent(event)
            return
        painter = QtGui.QPainter(self)
        painter.setPen(self.palette().color(QtGui.QPalette.ColorRole.WindowText))
        painter.drawText(self.contentsRect(), int(QtCore.Qt.AlignmentFlag.AlignVCenter), shown)


class ElidedRich(QtWidgets.QLabel):  # type: ignore[misc]
    """A line of words with colours and weights; a tip should have all of them."""

    @property
    def cut(self) -> bool:
        """Whether there is no room for all."""
        return bool(self.sizeHint().width() > self.width())

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:  # noqa: N802
        """Draw what there is room for, and dots over where it is cut."""
        super().paintEvent(event)
        if not self.cut:
            return
        painter = QtGui.QPainter(self)
        dots = " …"
        end = QtCore.QRect(self.rect())
        end.setLeft(end.right() - self.fontMetrics().horizontalAdvance(dots))
        painter.fillRect(end, self.palette().color(QtGui.QPalette.ColorRole.Window))
        painter.setPen(self.palette().color(QtGui.QPalette.ColorRole.WindowText))
        painter.drawText(end, int(QtCore.Qt.AlignmentFlag.AlignVCenter), dots)
        painter.end()
