"""The Pareto front: bytes against time, a point a plan, the chosen one filled."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.plan.planning import FrontRow
from app.gui import theme
from pipelines.planning.explain import duration, size

AXES = {
    "latency [ms]": lambda p: p.latency * 1e3, "time a frame [us]": lambda p: p.seconds * 1e6,
    "traffic [B/px]": lambda p: p.bytes, "on chip [KB]": lambda p: p.on_chip / 1024,
    "operations [1/px]": lambda p: p.operations,
}  # fmt: skip


class FrontPlot(QtWidgets.QWidget):  # type: ignore[misc]
    """Plans of which none is better in everything; the words beside it are of the point under the mouse."""

    def __init__(self) -> None:
        super().__init__()
        self.points: Sequence[FrontRow] = ()
        self.choice = [QtWidgets.QComboBox(), QtWidgets.QComboBox()]
        for combo, way in zip(self.choice, ("to the right", "upwards"), strict=True):
            combo.setToolTip(f"What is drawn {way}")
        for combo, first in zip(self.choice, (2, 1), strict=True):
            combo.addItems(list(AXES))
            combo.setCurrentIndex(first)
            combo.currentIndexChanged.connect(self.redraw)
        self.words = QtWidgets.QLabel()
        self.words.setWordWrap(True)
        self.words.setAlignment(QtCore.Qt.AlignmentFlag.AlignTop)
        self.words.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        self.plot = pyqtgraph.PlotWidget(enableMenu=False)
        self.plot.hideButtons()
        self.plot.showGrid(x=True, y=True, alpha=0.15)
        for side in ("left", "bottom"):
            self.plot.getAxis(side).enableAutoSIPrefix(False)
        self.dots = pyqtgraph.ScatterPlotItem(hoverable=True, pxMode=True)
        self.dots.sigHovered.connect(self._hovered)
        self.dots.sigClicked.connect(self._hovered)
        self.plot.addItem(self.dots)
        axes = QtWidgets.QHBoxLayout()
        for title, combo in zip(("across", "up"), self.choice, strict=True):
            axes.addWidget(QtWidgets.QLabel(title))
            axes.addWidget(combo)
        axes.addStretch(1)
        left = QtWidgets.QVBoxLayout()
        left.addLayout(axes)
        left.addWidget(self.plot, 1)
        row = QtWidgets.QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.addLayout(left, 1)
        row.addWidget(self.words)
        self.words.setFixedWidth(340)
        self.themed()

    def themed(self) -> None:
        """Take the colours of the theme."""
        colours = theme.current()
        self.plot.setBackground(colours.plot)
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setPen(colours.line)
            axis.setTextPen(colours.muted)
        self.redraw()

    def show_plan(self, points: Sequence[FrontRow]) -> None:
        """Show a front."""
        self.points = points
        self.redraw()

    def redraw(self) -> None:
        """Draw it anew."""
        colours = theme.current()
        across, up = (combo.currentText() for combo in self.choice)
        plain = QtGui.QColor(colours.accent)
        plain.setAlpha(150)
        self.dots.setData([
            {"pos": (AXES[across](p), AXES[up](p)), "data": p, "size": 15 if p.chosen else 10,
             "symbol": "star" if p.chosen else "o", "pen": pyqtgraph.mkPen(colours.text if p.chosen else colours.panel),
             "brush": pyqtgraph.mkBrush(colours.good if p.chosen else plain)}
            for p in sorted(self.points, key=lambda p: p.chosen)
        ])  # fmt: skip
        self.plot.autoRange(padding=0.12)
        chosen = next((p for p in self.points if p.chosen), None)
        self._describe(chosen)

    def _hovered(self, item: object, dots: Sequence[object], event: object = None) -> None:
        del item, event
        found = [dot.data() for dot in dots]  # type: ignore[attr-defined]
        self._describe(found[0] if found else next((p for p in self.points if p.chosen), None))

    def _describe(self, point: FrontRow | None) -> None:
        if point is None:
            self.words.setText("")
            return
        title = "The plan" if point.chosen else "Another plan"
        best = f"<br>least {', '.join(point.best).replace('_', ' ')}" if point.best else ""
        groups = point.groups.replace("+", " + ").replace(" | ", "<br>")
        self.words.setText(
            f"<b>{title}</b>, batches of {point.batch}<br>{duration(point.seconds)} a frame, latency "
            f"{duration(point.latency)}<br>{point.bytes:.2f} B/px, {point.operations:.1f} ops/px, "
            f"{size(point.on_chip)} on chip{best}<br><span style='color:{theme.current().muted}'>{groups}</span>"
        )
