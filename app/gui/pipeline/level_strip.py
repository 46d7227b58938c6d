"""Under a threshold's slider: the histogram of what it divides, with its level as a line that can be dragged."""

from __future__ import annotations

import numpy as np
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.services.levels import LevelLook
from app.gui import theme
from app.response import STANDS_OUT

HEIGHT = 46
CATCH = 6
"""Pixels beside the line within which the cursor says that it can be dragged."""
WAITING = "looking at what it divides …"
OUTDATED = "looking again …"
FAINT = 0.35
"""How strongly a histogram is drawn that is of a pipeline before."""
NO_CLIP = "open a clip to see what it divides"


class Histogram(QtWidgets.QWidget):  # type: ignore[misc]
    """The drawing.

    Attributes:
        moved: a signal: the line was dragged to a level.
        asked: a signal: it was clicked while it has nothing to draw.
    """

    moved = QtCore.pyqtSignal(float)
    asked = QtCore.pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.look: LevelLook | None = None
        self.level, self.bright, self.words, self.shift = 0.0, True, WAITING, 0
        self.stale = False
        self.setFixedHeight(HEIGHT)
        self.setMouseTracking(True)
        self.setToolTip(_TIP)

    def place(self, value: float) -> float:
        """Where a value is drawn, px from the left; the ends stand for what lies beyond."""
        look = self.look
        if look is None or look.high <= look.low:
            return 0.0
        share = (value - look.low) / (look.high - look.low)
        return float(min(max(share, 0.0), 1.0) * (self.width() - 1))

    def value(self, x: float) -> float:
        """The value at a place, with as many digits as a pixel is worth."""
        look = self.look
        if look is None:
            return self.level
        width = look.high - look.low
        value = look.low + min(max(x / max(1, self.width() - 1), 0.0), 1.0) * width
        # One pixel's worth of values: two digits of that are kept.
        step = width / max(1, self.width())
        return float(round(value, max(0, 1 - int(np.floor(np.log10(step)))))) if step > 0 else value

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:  # noqa: N802
        """Bars, the line, and how much passes."""
        del event
        colours, look = theme.current(), self.look
        painter = QtGui.QPainter(self)
        painter.fillRect(self.rect(), QtGui.QColor(colours.plot))
        painter.setPen(QtGui.QColor(colours.muted))
        middle = int(QtCore.Qt.AlignmentFlag.AlignCenter | QtCore.Qt.TextFlag.TextWordWrap)
        if look is None or look.high <= look.low:
            words = self.words if look is None else f"every pixel has the value {look.low:.4g}"
            painter.drawText(self.rect().adjusted(4, 0, -4, 0), middle, words)
            return
        top = self.fontMetrics().height()
        painter.setOpacity(FAINT if self.stale else 1.0)
        self._bars(painter, look, top)
        painter.setOpacity(1.0)
        line = self.place(self.level)
        painter.setPen(QtGui.QPen(QtGui.QColor(colours.warn), 2))
        painter.drawLine(QtCore.QPointF(line, top - 2), QtCore.QPointF(line, self.height()))
        if not look.low <= self.level <= look.high:  # beyond all values
            side = -1 if self.level < look.low else 1
            painter.setBrush(QtGui.QColor(colours.warn))
            tip = QtCore.QPointF(line, top + 6)
            painter.drawPolygon(QtGui.QPolygonF([tip, tip + QtCore.QPointF(-5 * side, -4),
                                                 tip + QtCore.QPointF(-5 * side, 4)]))  # fmt: skip
        painter.setPen(QtGui.QColor(colours.muted))
        sides = QtCore.Qt.AlignmentFlag
        words, frame = self.fontMetrics(), f"frame {look.frame + self.shift}"
        passing = OUTDATED if self.stale else self.passing
        painter.drawText(2, words.ascent(), passing)
        if words.horizontalAdvance(passing + frame) + 12 < self.width():
            painter.drawText(QtCore.QRect(0, 0, self.width() - 2, top), int(sides.AlignRight | sides.AlignTop), frame)

    @property
    def passing(self) -> str:
        """How much passes, in words."""
        if self.look is None:
            return ""
        share = self.look.passing(self.level, self.bright)
        return f"{100 * share:.{3 if share > 0.1 else 2}g} % of the pixels pass" if share else "nothing passes"

    def _bars(self, painter: QtGui.QPainter, look: LevelLook, top: int) -> None:
        colours = theme.current()
        # Logarithmic: the few pixels that pass would not be seen beside the ground.
        heights = np.log10(1.0 + look.counts)
        heights *= (self.height() - top - 2) / max(heights.max(), 1e-9)
        width, count, line = self.width() / len(heights), len(heights), self.place(self.level)
        lit, dim = QtGui.QColor(colours.accent), QtGui.QColor(colours.muted)
        dim.setAlpha(130)
        painter.setPen(QtCore.Qt.PenStyle.NoPen)
        for k in range(count):
            # By the bar's middle, as the line is drawn.
            passes = ((k + 0.5) * width > line) == self.bright
            # The line ends at the last pixel, where the last bar's middle lies before it.
            if self.level >= look.high:
                passes = not self.bright
            bar = QtCore.QRectF(k * width, self.height() - heights[k], width, heights[k])
            painter.fillRect(bar, lit if passes else dim)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:  # noqa: N802
        """Take the line."""
        if event.button() != QtCore.Qt.MouseButton.LeftButton:
            return
        if self.look is None:
            self.asked.emit()
        elif self.look.high > self.look.low:
            self.moved.emit(self.value(event.pos().x()))

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:  # noqa: N802
        """Drag it."""
        if self.look is None or self.look.high <= self.look.low:
            self.setCursor(QtCore.Qt.CursorShape.ArrowCursor)
            return
        if event.buttons() & QtCore.Qt.MouseButton.LeftButton:
            self.moved.emit(self.value(event.pos().x()))
        near = abs(event.pos().x() - self.place(self.level)) <= CATCH
        shape = QtCore.Qt.CursorShape.SizeHorCursor if near else QtCore.Qt.CursorShape.CrossCursor
        self.setCursor(shape)


class LevelStrip(QtWidgets.QWidget):  # type: ignore[misc]
    """The histogram, and a button that suggests a level.

    Attributes:
        chosen: a signal: a level was chosen. shown: a signal: the stage's input has to be shown first, and is wanted.
    """

    chosen = QtCore.pyqtSignal(float)
    shown = QtCore.pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.histogram = Histogram()
        self.histogram.moved.connect(self.chosen.emit)
        self.histogram.asked.connect(self.shown.emit)
        self.suggest = QtWidgets.QToolButton()
        self.suggest.setText("suggest")
        self.suggest.setStyleSheet("QToolButton { padding: 4px 20px 4px 6px; }")
        self.suggest.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.suggest.clicked.connect(lambda: self._take(self._level))
        menu = QtWidgets.QMenu(self.suggest)
        menu.setToolTipsVisible(True)
        self.above = menu.addAction("", lambda: self._take(self._level))
        self.above.setToolTip(_ABOVE)
        self.otsu = menu.addAction("", lambda: self._take(self._otsu))
        self.otsu.setToolTip(_OTSU)
        self.suggest.setMenu(menu)
        row = QtWidgets.QHBoxLayout(self)
        row.setContentsMargins(0, 1, 0, 4)
        row.setSpacing(5)
        row.addWidget(self.histogram, 1)
        row.addWidget(self.suggest)
        self.show_look(None, WAITING)

    @property
    def look(self) -> LevelLook | None:
        """What is drawn."""
        return self.histogram.look

    @property
    def _level(self) -> float | None:
        return None if self.look is None else self.look.above_noise

    @property
    def _otsu(self) -> float | None:
        return None if self.look is None else self.look.otsu

    def show_look(self, look: LevelLook | None, words: str = "", shift: int = 0) -> None:
        """Draw a look; `words` where there is none, `shift` is the number of the clip's first frame."""
        self.histogram.look, self.histogram.words, self.histogram.shift = look, words, shift
        self.histogram.setToolTip(_TIP if look is not None else f"{words}\n\n{_TIP}")
        level, other = self._level, self._otsu
        self.suggest.setEnabled(level is not None or other is not None)
        self.above.setEnabled(level is not None)
        self.above.setText("Nothing stands out of the noise" if level is None else f"Above the noise: {level:.3g}")
        self.otsu.setEnabled(other is not None)
        self.otsu.setText("Otsu: -" if other is None else f"Otsu: {other:.3g}")
        tip = "Needs a look at what this stage divides"
        if look is not None:
            first = "Nothing stands out of the noise in this frame; the menu has Otsu's level" if level is None else (
                f"Takes {level:.3g}. {_ABOVE}")  # fmt: skip
            tip = (f"{first}\nHere: median {look.middle:.3g}, noise {look.noise:.2g} (1.4826 x the median absolute "
                   f"deviation), in frame {look.frame + shift}")  # fmt: skip
        self.suggest.setToolTip(tip)
        self.histogram.update()

    def set_stale(self, stale: bool) -> None:
        """Whether what is drawn is of a pipeline that is no longer there."""
        if stale != self.histogram.stale:
            self.histogram.stale = stale
            self.histogram.update()
            self.suggest.setEnabled(not stale and (self._level is not None or self._otsu is not None))

    def set_level(self, level: float, bright: bool) -> None:
        """Where the line is, and which side passes."""
        if (level, bright) != (self.histogram.level, self.histogram.bright):
            self.histogram.level, self.histogram.bright = level, bright
            self.histogram.update()

    def _take(self, level: float | None) -> None:
        if level is not None:
            self.chosen.emit(float(f"{level:.3g}"))


_TIP = ("How often each value occurs in what this stage divides (logarithmic), and the level: what is coloured passes. "
        "Drag the line.")  # fmt: skip
_ABOVE = (f"The median and {STANDS_OUT:g} standard deviations of the noise (by the median absolute deviation), or a "
          "quarter of the way to the farthest value if that is more; the middle where two levels show no noise")
_OTSU = "Otsu: the level that parts the values into the two groups that are the most alike in themselves"
