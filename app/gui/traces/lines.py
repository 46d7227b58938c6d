"""Lines and dots of a plot that are used again from drawing to drawing: to make one costs many times as much."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui

from app.gui.traces.thin import Places, thinned, thinned_evenly

Values = npt.NDArray[np.float64]
HEAD = 20.0
"""Pixels at the top of a plot where words stand, behind which no curve shall lie while all of it is in sight."""
TURN = 0.02
"""Seconds of one turn that lines are thinned for, some; the rest of them follow in the next."""
DASH = QtCore.Qt.PenStyle.DashLine


class Line(pyqtgraph.PlotCurveItem):  # type: ignore[misc]
    """A curve of which what can be told apart on the screen is drawn.

    Attributes:
        due: whether something else of it is to be drawn than is.
        head: by how much its plot shall reach higher than the curve.
    """

    def __init__(self) -> None:
        super().__init__(connect="finite")
        self._whole: tuple[Values, Values] = (np.zeros(0), np.zeros(0))
        self._drawn: tuple[Values, Values] = self._whole
        self._even = True
        self._look: object = None
        self.due = False
        self.head = 0.0

    def lay(self, x: Values, y: Values, log: bool = False, few: Places | None = None) -> None:
        """Other points; those that are `few`, or all, until `thin` is called.

        Args:
            x: rising.
            log: on logarithmic axes; what is not positive is not drawn.
            few: evenly lying points that show all of it.
        """
        self._whole, self._even = (x, y), not log
        if log:
            there = (x > 0) & (y > 0)
            x, y = np.log10(x[there]), np.log10(y[there])
        self._drawn = x, y
        self.due = few is None
        self.setData(*((x, y) if few is None else (x[few], y[few])))
        self.show()

    def look(self, colour: str, width: float, pieces: bool, style: QtCore.Qt.PenStyle | None = None) -> None:
        """How it is drawn; in `pieces`: Qt takes a second for a long smooth line."""
        if (colour, width, pieces, style) != self._look:
            self._look = colour, width, pieces, style
            self.setPen(pyqtgraph.mkPen(colour, width=width, **({} if style is None else {"style": style})))
            self.setSegmentedLineMode("on" if pieces else "auto")

    def thin(self, seen: tuple[float, float] | None, columns: int) -> None:
        """Draw what can be told apart.

        Args:
            seen: of the axis; None for all of it.
            columns: of pixels.
        """
        x, y = self._drawn
        self.due = False
        if len(x):
            low, high = seen if seen is not None else (float(x[0]), float(x[-1]))
            few = (thinned_evenly if self._even else thinned)(x, y, low, high, columns)
            self.setData(x[few], y[few])

    def dataBounds(  # noqa: N802
        self, ax: int, frac: float = 1.0, orthoRange: object = None,
    ) -> tuple[float | None, float | None]:  # fmt: skip
        """The part of an axis that is needed to show it, and the words above it."""
        low, high = super().dataBounds(ax, frac, orthoRange)
        return low, high if ax == 0 or high is None else high + self.head

    def getOriginalDataset(self) -> tuple[Values, Values]:  # noqa: N802
        """All its points, as those of pyqtgraph tell them."""
        return self._whole


class Lines:
    """Those of one plot.

    Args:
        plot: where they are drawn.
    """

    def __init__(self, plot: pyqtgraph.PlotItem) -> None:
        self._plot = plot
        self._lines: list[Line] = []
        self._dots: list[pyqtgraph.ScatterPlotItem] = []
        self._used = self._dotted = 0
        self._span: object = None
        self.later: Callable[[], object] = lambda: None

    def begin(self) -> None:
        """All that is drawn from now on is in place of what was drawn."""
        self._used = self._dotted = 0

    def line(self) -> Line:
        """One more."""
        if self._used == len(self._lines):
            self._lines.append(Line())
            self._plot.addItem(self._lines[-1])
        self._used += 1
        return self._lines[self._used - 1]

    def dots(self, x: Values, y: Values, colour: str) -> pyqtgraph.ScatterPlotItem:
        """Points without a line."""
        if self._dotted == len(self._dots):
            self._dots.append(pyqtgraph.ScatterPlotItem(size=5, pen=None, symbol="o"))
            self._plot.addItem(self._dots[-1])
        made = self._dots[self._dotted]
        self._dotted += 1
        made.setData(x=x, y=y, brush=QtGui.QBrush(QtGui.QColor(colour)))
        made.show()
        return made

    def end(self) -> None:
        """Nothing else is drawn: what is left of before goes."""
        for rest in (*self._lines[self._used :], *self._dots[self._dotted :]):
            if rest.isVisible():
                rest.hide()
                rest.setData([], [])
        self._leave_room()

    def _leave_room(self) -> None:
        """For the words at the top of the plot."""
        heights = [y[np.isfinite(y)] for _, y in (line.getData() for line in self)]
        heights = [y for y in heights if len(y)]
        span = max(y.max() for y in heights) - min(y.min() for y in heights) if heights else 0.0
        words = max(HEAD, float(QtGui.QFontMetrics(QtGui.QFont()).height() + 5))
        high = max(self._plot.vb.height(), 3 * words)
        for line in self:
            # So that `words` of `high` pixels lie above the highest point: head / (span + head) = words / high.
            head = float(span * words / (high - words))
            if head != line.head:
                line.head = head
                line.informViewBoundsChanged()

    def __iter__(self) -> Iterator[Line]:
        return iter(self._lines[: self._used])

    def seek(self, seen: tuple[float, float] | None, columns: int) -> None:
        """Thin for what is seen now, if that is another part than before; see `Line.thin`."""
        if (seen, columns) != self._span:
            self._span = seen, columns
            for line in self:
                line.due = True
        self.go_on()

    def go_on(self) -> None:
        """Thin what is due; `later` is called where not all could be, and is to call this again."""
        until = time.perf_counter() + TURN
        for line in self:
            if line.due and isinstance(self._span, tuple):
                line.thin(*self._span)
                if time.perf_counter() > until:
                    break
        if any(line.due for line in self):
            self.later()
