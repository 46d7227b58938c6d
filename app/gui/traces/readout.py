"""What curves are worth under the mouse: a line through all plots of one axis, dots on the curves, and their values.

The line is at the nearest point of the nearest curve, not between two of them: what is told was worked out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import numpy as np
import numpy.typing as npt
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui.traces.canvas import Canvas
from app.gui.traces.curves import Curve, Found, View
from app.gui.traces.legend import DOT, GAP, MOST_NAMED

Values = npt.NDArray[np.float64]
NOTHING = "\u2013"
"""In place of the value of a track that has none there."""
AIR = 4
"""Pixels between the words and the edges of their plot."""


class Readout(QtCore.QObject):  # type: ignore[misc]
    """See the module.

    Args:
        canvas: what the curves are drawn on.

    Attributes:
        words: those in a corner of each plot, on the side where the mouse is not.
        lines: through each plot. dots: on the curves of each plot.
    """

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas.graphics)
        self._canvas = canvas
        self._found: Found | None = None
        self._at: QtCore.QPointF | None = None
        self.words = [QtWidgets.QGraphicsTextItem(plot.vb) for plot in canvas.plots]
        self.lines = [pyqtgraph.InfiniteLine(angle=90, movable=False) for _ in canvas.plots]
        self.dots = [pyqtgraph.ScatterPlotItem(size=8, symbol="o") for _ in canvas.plots]
        for plot, words, line, dots in zip(canvas.plots, self.words, self.lines, self.dots, strict=True):
            words.setZValue(21)
            dots.setZValue(15)
            for item in (line, dots):
                plot.addItem(item, ignoreBounds=True)
        self._hide()
        canvas.graphics.scene().sigMouseMoved.connect(self.move)
        canvas.graphics.viewport().installEventFilter(self)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:  # noqa: ARG002, N802
        """The mouse has left: nothing is told."""
        if event.type() == QtCore.QEvent.Type.Leave:
            self._at = None
            self._hide()
        return False

    def tell(self, found: Found | None) -> None:
        """Other curves were drawn; None for none."""
        self._found = found
        self._say()

    def move(self, at: QtCore.QPointF) -> None:
        """The mouse is there, in the scene."""
        self._at = at
        self._say()

    def _hide(self) -> None:
        for item in (*self.words, *self.lines, *self.dots):
            item.hide()

    def _say(self) -> None:
        canvas, found, at = self._canvas, self._found, self._at
        over = [k for k, plot in enumerate(canvas.plots)
                if at is not None and plot.isVisible() and plot.vb.sceneBoundingRect().contains(at)]  # fmt: skip
        if found is None or at is None or not over:
            self._hide()
            return
        if found.wanted.view is View.SPECTROGRAM:
            self._say_cell(at)
            return
        log = found.wanted.spectra and canvas.bar.log.isChecked()
        anchor = self._nearest(found, over[0], at, log)
        if anchor is None:
            self._hide()
            return
        where, head = anchor
        pen = pyqtgraph.mkPen(canvas.now.muted, width=1, style=QtCore.Qt.PenStyle.DotLine)
        left = canvas.plots[0].vb.mapSceneToView(at).x() > sum(canvas.plots[0].vb.viewRange()[0]) / 2
        for k, (plot, line) in enumerate(zip(canvas.plots, self.lines, strict=True)):
            if k >= len(found.plots) or not plot.isVisible():
                for item in (self.words[k], line, self.dots[k]):
                    item.hide()
                continue
            line.setPen(pen)
            line.setValue(math.log10(where) if log else where)
            line.show()
            self._tell(k, found, where, head if k == over[0] else "", log, left)

    def _say_cell(self, at: QtCore.QPointF) -> None:
        """What a spectrogram is worth under the mouse."""
        canvas, view = self._canvas, self._canvas.plots[0].vb.mapSceneToView(at)
        self._hide()
        cell = canvas.gram.at(view.x(), view.y())
        if cell is None:
            return
        time, frequency, amplitude = cell
        s, hertz = ("s", "Hz") if canvas.timed else ("frames", "1/frame")
        left = view.x() > sum(canvas.plots[0].vb.viewRange()[0]) / 2
        words = f"{time:.4g} {s}, {frequency:.4g} {hertz}: {amplitude:.4g} {canvas.unit}"
        self._place(0, [f"<b>{escape(words)}</b>"], left)

    def _nearest(self, found: Found, k: int, at: QtCore.QPointF, log: bool) -> tuple[float, str] | None:
        """Where the nearest point of the nearest curve of a plot is on the axis, and what that is called."""
        box = self._canvas.plots[k].vb
        view = box.mapSceneToView(at)
        x = 10.0 ** view.x() if log else view.x()
        best: tuple[float, float, str] | None = None
        for curve in found.plots[k]:
            times, values = self._points(curve, found)
            if log:
                values = np.where(values > 0, values, np.nan)
            there = np.flatnonzero(np.isfinite(values))
            if not len(there):
                continue
            i = int(there[_nearest(times[there], x)])
            y = math.log10(values[i]) if log else float(values[i])
            # How far in pixels of the screen: plots have another scale upwards than across.
            far = abs(box.mapViewToScene(QtCore.QPointF(view.x(), y)).y() - at.y())
            if best is None or far < best[0]:
                best = far, float(times[i]), self._head(curve, found, i)
        return None if best is None else best[1:]

    def _points(self, curve: Curve, found: Found) -> tuple[Values, Values]:
        """What is drawn of a curve: all its points."""
        if not found.wanted.spectra:
            return curve.signal.time, curve.signal.value
        if curve.spectrum is None:
            return np.zeros(0), np.zeros(0)
        power = self._canvas.bar.power.currentIndex() == 1
        return curve.spectrum.frequency[1:], (curve.spectrum.density if power else curve.spectrum.amplitude)[1:]

    def _head(self, curve: Curve, found: Found, i: int) -> str:
        timed = self._canvas.timed
        if found.wanted.spectra:
            assert curve.spectrum is not None
            return f"{_fine(curve.spectrum.frequency[1:], i)} {'Hz' if timed else '1/frame'}"
        frame = f"frame {int(curve.signal.frame[i])}"
        return f"{_fine(curve.signal.time, i)} s, {frame}" if timed else frame

    def _tell(self, k: int, found: Found, where: float, head: str, log: bool, left: bool) -> None:
        """The values of a plot's curves there."""
        canvas, now = self._canvas, self._canvas.now
        parts = [f"<b>{escape(head)}</b>"] if head else []
        xs, ys, brushes = [], [], []
        for curve in found.plots[k]:
            times, values = self._points(curve, found)
            if not len(times):
                continue
            i, colour = _nearest(times, where), self._colour(curve)
            value = float(values[i]) if _beside(times, i, where) else math.nan
            words = self._value(curve, found, i, where, k) if math.isfinite(value) else NOTHING
            if len(parts) < MOST_NAMED + bool(head):
                parts.append(f"<span style='color: {colour}'>{DOT}</span>&nbsp;{escape(canvas.name(curve))}: "
                             f"{escape(words)}")  # fmt: skip
            if math.isfinite(value) and (value > 0 or not log):
                xs.append(math.log10(where) if log else float(times[i]))
                ys.append(math.log10(value) if log else value)
                brushes.append(QtGui.QBrush(QtGui.QColor(colour)))
        self.dots[k].setData(x=xs, y=ys, brush=brushes, pen=pyqtgraph.mkPen(now.text, width=1))
        self.dots[k].show()
        self._place(k, parts, left)

    def _colour(self, curve: Curve) -> str:
        return self._canvas.now.track(self._canvas.bench.colours.number(curve.tracks[0]))

    def _value(self, curve: Curve, found: Found, i: int, where: float, k: int) -> str:
        canvas, wanted = self._canvas, found.wanted
        unit = wanted.quantities[k].unit(wanted.calibration, canvas.timed)
        if not wanted.spectra:
            sigma = float(curve.signal.sigma[i])
            spread = f" ± {sigma:.2g}" if math.isfinite(sigma) and sigma > 0 else ""
            return f"{curve.signal.value[i]:.6g}{spread} {unit}".rstrip()
        power = canvas.bar.power.currentIndex() == 1
        unit = f"({unit})²{'/Hz' if canvas.timed else '·frame'}" if power else unit
        floor = canvas.floors.get(curve.tracks[0])
        noise = ""
        if floor is not None:
            at, height = floor.getOriginalDataset()
            noise = f", noise {np.interp(where, at, height):.3g}"
        return f"{self._points(curve, found)[1][i]:.4g}{noise} {unit}"

    def _place(self, k: int, parts: Sequence[str], left: bool) -> None:
        """In the lower corner where the mouse is not, cut to lines that have room."""
        now, words, box = self._canvas.now, self.words[k], self._canvas.plots[k].vb
        # Without a width first, so that `boundingRect` says what the words would take.
        words.setTextWidth(-1)
        words.setHtml(f"<span style='color: {now.text}; background: {now.plot}'>{GAP.join(parts)}</span>")
        words.setTextWidth(min(words.boundingRect().width(), max(80.0, box.width() - 2 * AIR)))
        size = words.boundingRect()
        words.setPos(AIR if left else box.width() - size.width() - AIR, box.height() - size.height())
        words.show()


def _nearest(rising: Values, x: float) -> int:
    """The index of the value that is nearest to `x`."""
    # So that k - 1 and k are two of the values, where there are two.
    k = int(np.clip(np.searchsorted(rising, x), 1, max(1, len(rising) - 1)))
    return k - 1 if len(rising) == 1 or x - rising[k - 1] <= rising[k] - x else k


def _beside(rising: Values, i: int, x: float) -> bool:
    """Whether a point is meant by `x`: it is no farther than half the way to the next one."""
    # Half the way to the nearer neighbour; the rest is rounding, and all there is where a point has no neighbour.
    steps = [abs(rising[i] - rising[j]) for j in (i - 1, i + 1) if 0 <= j < len(rising)]
    return bool(abs(rising[i] - x) <= 0.5 * min(steps, default=0.0) + 1e-12 * max(1.0, abs(x)))


def _fine(rising: Values, i: int) -> str:
    """A value with digits that tell it from its neighbours."""
    steps = [abs(rising[i] - rising[j]) for j in (i - 1, i + 1) if 0 <= j < len(rising)]
    step = min((s for s in steps if s > 0), default=0.0)
    return f"{rising[i]:.{max(0, 1 - math.floor(math.log10(step)))}f}" if step else f"{rising[i]:.6g}"
