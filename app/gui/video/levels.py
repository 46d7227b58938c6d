"""Histogram, levels, gamma and colours of the picture that is shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.gui import theme
from app.gui.video.colours import TABLES, Levels, auto_levels, full_levels, histogram
from app.gui.video.view import VideoView

EVERY = 200
"""Milliseconds between two histograms while the clip plays."""
LOW, HIGH = 110, 300
"""Pixels that the histogram is high: as the panel allows."""
SATURATED = 0.001
"""Share of pixels at the largest value from which on the panel warns."""


class LevelsPanel(QtWidgets.QWidget):  # type: ignore[misc]
    """The histogram with two handles, and what saturates.

    Args:
        bench: the state behind the window.
        video: whose levels.
    """

    def __init__(self, bench: Workbench, video: VideoView) -> None:
        super().__init__()
        self._bench, self._video = bench, video
        self._quiet = False
        self.plot = pyqtgraph.PlotWidget(enableMenu=False)
        self.plot.hideButtons()
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.setMinimumHeight(LOW)
        self.plot.setMaximumHeight(HIGH)
        policy = QtWidgets.QSizePolicy.Policy
        self.plot.setSizePolicy(policy.Ignored, policy.Expanding)
        self.plot.getAxis("left").hide()
        self.plot.getAxis("bottom").enableAutoSIPrefix(False)
        self.curve = self.plot.plot(stepMode="center", fillLevel=0)
        self.region = pyqtgraph.LinearRegionItem(swapMode="block")
        self.region.sigRegionChanged.connect(self._dragged)
        self.plot.addItem(self.region)
        self.gamma = QtWidgets.QSlider(QtCore.Qt.Orientation.Horizontal)
        self.gamma.setRange(-100, 100)
        self.gamma.setToolTip("Gamma: brightens or darkens the middle; double click for none")
        self.gamma.valueChanged.connect(self._gamma)
        self.colours = QtWidgets.QComboBox()
        self.colours.addItems(TABLES)
        self.colours.setToolTip("Colours of pictures with one channel; \"clipping\" shows black in blue, white in red")
        self.colours.currentTextChanged.connect(video.set_table)
        self.auto = QtWidgets.QPushButton("Auto")
        self.auto.setToolTip("Leave out the darkest and the brightest 0.2 %")
        self.auto.clicked.connect(self._auto)
        self.full = QtWidgets.QPushButton("Full")
        self.full.setToolTip("The whole range of the samples")
        self.full.clicked.connect(self._full)
        self.opacity = QtWidgets.QSlider(QtCore.Qt.Orientation.Horizontal)
        self.opacity.setRange(0, 100)
        self.opacity.setValue(round(100 * video.heat.opacity))
        self.opacity.setToolTip("How much the heat map over the picture covers where its values are highest")
        self.opacity.valueChanged.connect(lambda value: video.heat.set_opacity(value / 100))
        self.over = QtWidgets.QWidget()
        over = QtWidgets.QHBoxLayout(self.over)
        over.setContentsMargins(0, 0, 0, 0)
        over.addWidget(QtWidgets.QLabel("heat map"))
        over.addWidget(self.opacity, 1)
        self.words = QtWidgets.QLabel()
        self.words.setProperty("muted", True)
        self.words.setWordWrap(True)
        row = QtWidgets.QHBoxLayout()
        for widget in (self.auto, self.full, self.colours):
            row.addWidget(widget)
        second = QtWidgets.QHBoxLayout()
        second.addWidget(QtWidgets.QLabel("gamma"))
        second.addWidget(self.gamma, 1)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(6, 4, 6, 4)
        layout.addWidget(self.plot, HIGH)
        layout.addLayout(second)
        layout.addLayout(row)
        layout.addWidget(self.over)
        layout.addWidget(self.words)
        layout.addStretch(1)
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self.redraw)
        bench.on(Topic.PICTURE, self._due)
        bench.on(Topic.OPENED, self._due)
        video.looked.connect(self._follow)
        self.themed()
        self._follow()

    def _due(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def redraw(self) -> None:
        """The histogram of the picture, and what is at the ends of its range."""
        pixels = self._video.image.pixels
        if pixels is None or self.visibleRegion().isEmpty():
            return
        counts, edges = histogram(pixels)
        self.curve.setData(edges, np.log10(1.0 + counts))
        shown = self._bench.shown
        bits = shown.bits if shown is not None else 8
        words = f"{pixels.dtype}, {float(np.nanmin(pixels)):.6g} to {float(np.nanmax(pixels)):.6g}"
        if bits > 1 and pixels.dtype.kind == "u":
            share = float(np.mean(pixels >= (1 << bits) - 1))
            if share > SATURATED:
                words += f";  {share:.1%} saturated: shorten the exposure"
        self.words.setText(words)

    def _follow(self) -> None:
        """Show the levels of the video."""
        levels = self._video.levels
        self.over.setVisible(self._video.heat.shown)
        self._quiet = True
        self.region.setRegion((levels.low, levels.high))
        self.gamma.setValue(round(100 * np.log10(levels.gamma)))
        self.colours.setCurrentText(self._video.table)
        self._quiet = False
        self._due()

    def _dragged(self) -> None:
        if self._quiet:
            return
        low, high = self.region.getRegion()
        if high > low:
            self._video.set_levels(Levels(float(low), float(high), self._video.levels.gamma))

    def _gamma(self, value: int) -> None:
        if not self._quiet:
            self._video.set_levels(replace(self._video.levels, gamma=10.0 ** (value / 100)))

    def _auto(self) -> None:
        pixels = self._video.image.pixels
        if pixels is not None:
            self._video.set_levels(replace(auto_levels(pixels), gamma=self._video.levels.gamma))

    def _full(self) -> None:
        shown = self._bench.shown
        self._video.set_levels(full_levels(shown.bits if shown is not None else 8))

    def themed(self) -> None:
        """Take the colours of the theme."""
        colours = theme.current()
        self.plot.setBackground(colours.plot)
        self.plot.getAxis("bottom").setPen(colours.line)
        self.plot.getAxis("bottom").setTextPen(colours.muted)
        self.curve.setPen(colours.muted)
        self.curve.setBrush(colours.line)
        shade = pyqtgraph.mkColor(colours.accent)
        shade.setAlpha(40)
        self.region.setBrush(shade)
        for line in self.region.lines:
            line.setPen(pyqtgraph.mkPen(colours.accent, width=2))
