"""Lines of the batch: their words, and a bar for how far each is."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.jobs.batch_queue import DONE, FAILED, RUNNING, SKIPPED, STOPPED, WAITING, Line
from app.gui import theme

WORDS = {WAITING: "waiting", RUNNING: "running", DONE: "done", FAILED: "failed", STOPPED: "stopped",
          SKIPPED: "done before"}  # fmt: skip
KEY, _SHARE, _STATUS = (QtCore.Qt.ItemDataRole.UserRole + k for k in range(3))

NUMBERS = int(QtCore.Qt.AlignmentFlag.AlignRight | QtCore.Qt.AlignmentFlag.AlignVCenter)


def fill(item: QtWidgets.QTreeWidgetItem, line: Line) -> None:
    """Have an item show a line."""
    colours = theme.current()
    words = WORDS.get(line.status, line.status)
    if line.status == RUNNING:
        words = f"{line.done} of {line.total}" if line.total else "opening"
    texts = (line.name, words, f"{line.fps:.0f}" if line.fps else "", f"{line.tracks}" if line.tracks >= 0 else "",
             line.note)  # fmt: skip
    for column, text in enumerate(texts):
        if item.text(column) != text:
            item.setText(column, text)
    item.setToolTip(0, line.path)
    item.setToolTip(4, line.note)
    item.setData(1, _SHARE, line.share)
    item.setData(1, _STATUS, line.status)
    ink = colours.bad if line.status == FAILED else colours.muted
    item.setForeground(4, QtGui.QColor(ink))


class Bar(QtWidgets.QStyledItemDelegate):  # type: ignore[misc]
    """Draws how far a clip is."""

    def paint(
        self, painter: QtGui.QPainter, option: QtWidgets.QStyleOptionViewItem, index: QtCore.QModelIndex
    ) -> None:
        """Draw."""
        colours, status = theme.current(), index.data(_STATUS)
        ink = {FAILED: colours.bad, STOPPED: colours.warn, DONE: colours.good, SKIPPED: colours.good}
        place = QtCore.QRectF(option.rect).adjusted(2, 3, -6, -3)
        painter.save()
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setPen(QtGui.QPen(QtGui.QColor(colours.line), 1))
        painter.setBrush(QtGui.QColor(colours.panel))
        painter.drawRoundedRect(place, 3, 3)
        full = QtCore.QRectF(place)
        full.setWidth(place.width() * float(index.data(_SHARE) or 0.0))
        ground = QtGui.QColor(ink.get(status, colours.accent))
        ground.setAlphaF(0.35 if status in (DONE, SKIPPED) else 0.6)
        painter.setPen(QtCore.Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        if full.width() > 1:
            painter.drawRoundedRect(full, 3, 3)
        painter.setPen(QtGui.QColor(colours.bad if status == FAILED else colours.text))
        painter.drawText(place, QtCore.Qt.AlignmentFlag.AlignCenter, str(index.data() or ""))
        painter.restore()
