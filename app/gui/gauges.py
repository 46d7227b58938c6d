"""Small instruments: a table of numbers, bars that fill, and a bar that is cut into shares."""

from __future__ import annotations

from collections.abc import Sequence

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui import theme

_RIGHT = QtCore.Qt.AlignmentFlag.AlignRight | QtCore.Qt.AlignmentFlag.AlignVCenter
_LEFT = QtCore.Qt.AlignmentFlag.AlignLeft | QtCore.Qt.AlignmentFlag.AlignVCenter
_CENTRE = QtCore.Qt.AlignmentFlag.AlignCenter
_ELIDE = QtCore.Qt.TextElideMode.ElideRight


class Numbers(QtWidgets.QWidget):  # type: ignore[misc]
    """A table whose first column are names, perhaps with a dot of colour, and the others numbers.

    Args:
        heads: of the columns.
        name: least width of the first column, in px; `number` of the others.
    """

    def __init__(self, heads: Sequence[str], name: int = 90, number: int = 58) -> None:
        super().__init__()
        _smaller(self)
        self._heads, self._name, self._number = tuple(heads), _wider(self, name), _wider(self, number)
        self.rows: list[tuple[str, ...]] = []
        self._colours: list[str] = []
        self._marked: set[int] = set()

    def show_rows(
        self, rows: Sequence[tuple[str, ...]], colours: Sequence[str] = (), marked: Sequence[int] = ()
    ) -> None:
        """Show these rows; `colours` are the dots' ("" for none), `marked` are rows to warn of."""
        before = len(self.rows)
        self.rows, self._colours, self._marked = list(rows), list(colours), set(marked)
        if len(rows) != before:
            self.updateGeometry()
        self.update()

    @property
    def line(self) -> int:
        """Pixels of a row."""
        return int(self.fontMetrics().height() * 1.18)

    def sizeHint(self) -> QtCore.QSize:  # noqa: N802
        """All rows."""
        wide = self._name + self._number * (len(self._heads) - 1)
        return QtCore.QSize(wide, self.line * (1 + max(1, len(self.rows))))

    def minimumSizeHint(self) -> QtCore.QSize:  # noqa: N802
        """As `sizeHint`."""
        return self.sizeHint()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:  # noqa: N802
        """Draw."""
        del event
        painter, colours, line = QtGui.QPainter(self), theme.current(), self.line
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        # Numbers are at the right end, whatever the names take.
        first = self.width() - self._number * (len(self._heads) - 1)
        for row, words in enumerate((self._heads, *self.rows)):
            ink = colours.muted if row == 0 else colours.bad if row - 1 in self._marked else colours.text
            left = 0
            dot = self._colours[row - 1] if 0 < row <= len(self._colours) else ""
            if self._colours:
                left = 14
            if dot:
                painter.setPen(QtCore.Qt.PenStyle.NoPen)
                painter.setBrush(QtGui.QColor(dot))
                painter.drawEllipse(QtCore.QPointF(4.5, (row + 0.5) * line), 4, 4)
            painter.setPen(QtGui.QColor(colours.muted if row and not words[1:] else ink))
            text = self.fontMetrics().elidedText(words[0], _ELIDE, first - left - 4)
            painter.drawText(QtCore.QRect(left, row * line, first - left, line), _LEFT, text)
            painter.setPen(QtGui.QColor(ink))
            for k, word in enumerate(words[1:]):
                place = QtCore.QRect(first + k * self._number, row * line, self._number, line)
                painter.drawText(place, _RIGHT, word)


class Bars(QtWidgets.QWidget):  # type: ignore[misc]
    """Named bars that fill: how full a queue is now, and a mark where it ever was.

    Args:
        head: is above them.
        name: width of their names, in px.
    """

    def __init__(self, head: str, name: int = 72) -> None:
        super().__init__()
        _smaller(self)
        self._head, self._name = head, _wider(self, name)
        self.bars: list[tuple[str, int, int, int]] = []

    def show_bars(self, bars: Sequence[tuple[str, int, int, int]]) -> None:
        """Show (name, now, most so far, room)."""
        before = len(self.bars)
        self.bars = list(bars)
        if len(bars) != before:
            self.updateGeometry()
        self.update()

    @property
    def _line(self) -> int:
        return int(self.fontMetrics().height() * 1.18)

    def sizeHint(self) -> QtCore.QSize:  # noqa: N802
        """All bars."""
        return QtCore.QSize(self._name + _wider(self, 130), self._line * (1 + len(self.bars)))

    def minimumSizeHint(self) -> QtCore.QSize:  # noqa: N802
        """As `sizeHint`."""
        return self.sizeHint()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:  # noqa: N802
        """Draw."""
        del event
        painter, colours, line = QtGui.QPainter(self), theme.current(), self._line
        numbers = _wider(self, 66)
        wide = self.width() - self._name - numbers
        painter.setPen(QtGui.QColor(colours.muted))
        painter.drawText(QtCore.QRect(0, 0, self.width(), line), _LEFT, self._head)
        for row, (name, now, most, room) in enumerate(self.bars, 1):
            top = row * line
            # A queue without room is one that nothing can wait in.
            share = now / room if room else 0.0
            painter.setPen(QtGui.QColor(colours.text))
            text = self.fontMetrics().elidedText(name, _ELIDE, self._name - 6)
            painter.drawText(QtCore.QRect(0, top, self._name, line), _LEFT, text)
            bar = QtCore.QRectF(self._name, top + line * 0.28, wide, line * 0.44)
            painter.fillRect(bar, QtGui.QColor(colours.field))
            ink = colours.good if share < 0.5 else colours.warn if share < 0.9 else colours.bad
            full = QtCore.QRectF(bar)
            full.setWidth(wide * share)
            painter.fillRect(full, QtGui.QColor(ink))
            mark = bar.left() + wide * (most / room if room else 0.0)
            painter.setPen(QtGui.QPen(QtGui.QColor(colours.muted), 1.5))
            painter.drawLine(QtCore.QPointF(mark, bar.top() - 1), QtCore.QPointF(mark, bar.bottom() + 1))
            painter.setPen(QtGui.QColor(colours.line))
            painter.drawRect(bar)
            painter.setPen(QtGui.QColor(colours.muted))
            painter.drawText(QtCore.QRect(self.width() - numbers, top, numbers, line), _RIGHT, f"{now} / {room}")


class Shares(QtWidgets.QWidget):  # type: ignore[misc]
    """A bar that is cut into named shares."""

    def __init__(self) -> None:
        super().__init__()
        self.shares: list[tuple[str, float, str, str]] = []
        self.setMinimumHeight(int(self.fontMetrics().height() * 1.45))

    def show_shares(self, shares: Sequence[tuple[str, float, str, str]]) -> None:
        """Show (name, share from 0 to 1, what else to say, colour)."""
        self.shares = list(shares)
        self.setToolTip("\n".join(f"{name}: {more}, {share:.0%}" for name, share, more, _ in shares))
        self.update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:  # noqa: N802
        """Draw."""
        del event
        painter, colours, metrics = QtGui.QPainter(self), theme.current(), self.fontMetrics()
        left = 0.0
        if not self.shares:
            painter.setPen(QtGui.QColor(colours.muted))
            painter.drawText(self.rect(), _LEFT, "what a frame costs shows while it runs")
        for name, share, more, colour in self.shares:
            wide = share * self.width()
            place = QtCore.QRectF(left, 0, max(0.0, wide - 1.5), self.height())
            ground = QtGui.QColor(colour)
            painter.fillRect(place, ground)
            room = int(wide) - 12
            words = f"{name}  {more}  {share:.0%}"
            # First without the words in the middle, then cut, then nothing at all.
            if metrics.horizontalAdvance(words) > room:
                words = f"{name}  {share:.0%}"
            if room > 24:
                # Dark words on light colours: the colours are those of tracks in either theme.
                painter.setPen(QtGui.QColor("#101317" if ground.lightnessF() > 0.5 else "#ffffff"))
                painter.drawText(place.adjusted(5, 0, -5, 0), _CENTRE, metrics.elidedText(words, _ELIDE, room))
            left += wide


def _wider(widget: QtWidgets.QWidget, width: int) -> int:
    """A width that suits digits of 7 pixels, for those of a widget."""
    return max(width, int(width * widget.fontMetrics().horizontalAdvance("0") / 7))


def _smaller(widget: QtWidgets.QWidget) -> None:
    """Numbers that change all the time may be a little smaller than words."""
    font = widget.font()
    font.setPointSizeF(font.pointSizeF() * 0.9)
    widget.setFont(font)
