"""Signals of the selected tracks over time, and their spectra; the cursor is that of the video."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyqtgraph
from pyqtgraph import exporters
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.tracks.signals import Quantity, Signal, Spectrum
from app.desk.tracks.spectra import as_amplitude, noise_floor
from app.desk.workbench import Workbench
from app.gui import theme
from app.gui.icons import icon
from app.gui.traces import saving
from app.gui.traces.axis import Axis
from app.gui.traces.curves import AT_ONCE, Curve, Finder, Found, Wanted
from app.gui.traces.thin import thinned
from kernels.errors import InputError

REDRAW = 120
"""Milliseconds between two drawings while rows come, at least."""
SHARE = 5
"""A drawing that took long is followed by a pause of so many times as long."""
LOOK = 15
"""Milliseconds between two looks for what a thread works out."""
MANY = 20_000
"""Points from which on lines are drawn piece by piece: Qt takes a second for long smooth ones."""
SIDES = ("left", "bottom")
AXIS = 76
"""Pixels for the label and numbers such as 1234.56 at the left of a plot."""
FINE = 2.0
"""Points that are drawn for each pixel of the width."""
FLOOR = 1e-9
"""Of the highest line of a spectrum: what is lower is rounding, and would take all the room of a logarithmic axis."""
SHOWN = {
    "x": Quantity.X, "y": Quantity.Y, "speed": Quantity.SPEED, "acceleration": Quantity.ACCELERATION,
    "distance of two": Quantity.DISTANCE, "angle of three": Quantity.ANGLE,
}  # fmt: skip


class TracesPanel(QtWidgets.QWidget):  # type: ignore[misc]
    """Two plots over time (of any two quantities) or one spectrum.

    Args:
        bench: the state behind the window.
    """

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self._seen: object = None
        self._finder = Finder()
        self._writer = saving.Writer()
        self.curves: dict[tuple[int, int], pyqtgraph.PlotDataItem] = {}
        self.signals: list[tuple[int, str, Signal]] = []
        self.spectra: list[tuple[str, Spectrum]] = []
        self.noise: list[tuple[str, Spectrum]] = []
        self.floors: dict[int, pyqtgraph.PlotDataItem] = {}
        self.tabs = QtWidgets.QTabBar()
        self.tabs.addTab("Time")
        self.tabs.addTab("Spectrum")
        self.tabs.setDrawBase(False)
        self.tabs.currentChanged.connect(self._anew)
        self.choice = [QtWidgets.QComboBox(), QtWidgets.QComboBox()]
        for k, combo in enumerate(self.choice):
            combo.addItems(list(SHOWN))
            combo.setCurrentIndex(k)
            combo.setToolTip(f"What the {('first', 'second')[k]} plot shows of the selected tracks")
            combo.currentIndexChanged.connect(self._anew)
        self.follow = QtWidgets.QCheckBox("follow")
        self.follow.setToolTip("Keep all frames in sight while they come")
        self.follow.setChecked(True)
        self.follow.toggled.connect(self._anew)
        self.every = QtWidgets.QCheckBox("guesses")
        self.every.setToolTip("Draw predicted positions too, not only those that were seen")
        self.every.toggled.connect(self._anew)
        self.power = QtWidgets.QComboBox()
        self.power.addItems(["amplitude", "power density"])
        self.power.setToolTip("Amplitude of a sine at each frequency, or power in a band of 1 Hz (PSD)")
        self.power.currentIndexChanged.connect(self._anew)
        self.log = QtWidgets.QCheckBox("log")
        self.log.setToolTip("Logarithmic axes")
        self.log.setChecked(True)
        self.log.toggled.connect(self._anew)
        self.words = QtWidgets.QLabel()
        self.words.setProperty("muted", True)
        self.words.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self.save = QtWidgets.QToolButton()
        self.save.setIcon(icon("export"))
        self.save.setToolTip("Save the curves as a table (CSV) or as a picture (PNG, SVG)")
        self.save.clicked.connect(self._ask_where)
        row = QtWidgets.QHBoxLayout()
        row.setContentsMargins(6, 0, 6, 0)
        for widget in (self.tabs, *self.choice, self.power, self.log, self.follow, self.every):
            row.addWidget(widget)
        row.addWidget(self.words, 1)
        row.addWidget(self.save)
        self.graphics = pyqtgraph.GraphicsLayoutWidget()
        self.graphics.setMinimumHeight(150)
        ignored, expanding = QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Expanding
        self.graphics.setSizePolicy(ignored, expanding)
        self.plots = [
            self.graphics.addPlot(row=k, col=0, enableMenu=False, axisItems={side: Axis(side) for side in SIDES})
            for k in range(2)
        ]
        self.plots[1].setXLink(self.plots[0])
        self.cursors = []
        for plot in self.plots:
            plot.showGrid(x=True, y=True, alpha=0.15)
            plot.hideButtons()
            plot.setClipToView(True)
            plot.setDownsampling(auto=True, mode="peak")
            plot.getAxis("left").setWidth(AXIS)
            plot.getAxis("left").setStyle(textFillLimits=[(0, 0.55), (2, 0.45), (4, 0.35)], tickLength=-4)
            plot.getAxis("bottom").setStyle(tickLength=-4)
            for side in SIDES:
                plot.getAxis(side).enableAutoSIPrefix(False)
            cursor = pyqtgraph.InfiniteLine(angle=90, movable=False)
            self.cursors.append(cursor)
        self.graphics.scene().sigMouseClicked.connect(self._clicked)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(2)
        layout.addLayout(row)
        layout.addWidget(self.graphics, 1)
        self._long: dict[pyqtgraph.PlotDataItem, tuple[np.ndarray, np.ndarray]] = {}
        self._thinner = QtCore.QTimer(self)
        self._thinner.setSingleShot(True)
        self._thinner.timeout.connect(self._thin)
        self.plots[0].sigXRangeChanged.connect(lambda *_: self._thinner.start(0))
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REDRAW)
        self._timer.timeout.connect(self.redraw)
        self._look = QtCore.QTimer(self)
        self._look.setInterval(LOOK)
        self._look.timeout.connect(self._poll)
        for topic in (Topic.ROWS, Topic.TABLES, Topic.SELECTION, Topic.VIEW, Topic.OPENED):
            bench.on(topic, self._due)
        bench.on(Topic.PICTURE, self._cursor)
        self.themed()
        self.redraw()

    @property
    def over_time(self) -> bool:
        """Whether signals are drawn, not spectra."""
        return bool(self.tabs.currentIndex() == 0)

    def _due(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _anew(self) -> None:
        self._seen = None
        for widget in self.choice[1:]:
            widget.setVisible(self.over_time)
        for widget in (self.power, self.log):
            widget.setVisible(not self.over_time)
        self.redraw()

    def redraw(self) -> None:
        """Draw what has changed since the last time; what takes long is worked out in a thread."""
        bench = self._bench
        seen = (bench.store.version, id(bench.tables),
                (tuple(bench.selected), bench.calibration, tuple(bench.names.items())))  # fmt: skip
        if seen == self._seen or self._finder.busy or self.visibleRegion().isEmpty():
            return
        self._seen = seen
        quantities = tuple(SHOWN[combo.currentText()] for combo in self.choice)
        self._finder.begin(Wanted(bench.store.snapshot(), tuple(bench.selected), quantities, not self.over_time,
                                  bench.calibration, self.every.isChecked()))  # fmt: skip
        if self._finder.busy:
            self._look.start()
        else:
            self._poll()

    def _poll(self) -> None:
        """Draw what was worked out, if that is done; what was asked for meanwhile comes next."""
        found = self._finder.poll()
        if self._finder.busy:
            return
        self._look.stop()
        if found is None:
            return
        self._draw(found)
        self._timer.setInterval(max(REDRAW, int(1e3 * SHARE * found.seconds)))
        if self._seen is None:  # another choice was made
            self.redraw()
        else:
            self._due()

    def _draw(self, found: Found) -> None:
        bench, tracks = self._bench, found.tracks
        if not tracks:
            self.words.setText("curves of tracks appear here")
        else:
            self.words.setText("" if bench.selected else "click a marker on the video to choose a track")
        for plot, cursor in zip(self.plots, self.cursors, strict=True):
            for side in SIDES:
                plot.getAxis(side).silent = not tracks  # numbers of nothing
            plot.clear()
            plot.addItem(cursor, ignoreBounds=True)
        self.curves.clear()
        self._long.clear()
        self.signals, self.spectra, self.noise, self.floors = [], [], [], {}
        pieces = found.points > MANY
        if found.wanted.spectra:
            self._draw_spectra(found, pieces)
        else:
            self._draw_time(found, pieces)
        self._cursor()

    def _name(self, curve: Curve) -> str:
        return " - ".join(self._bench.name(track) for track in curve.tracks)

    @property
    def timed(self) -> bool:
        """Whether times are seconds, not frames."""
        return self._bench.info is not None and self._bench.info.time.fps > 0

    def _draw_time(self, found: Found, pieces: bool) -> None:
        self.plots[1].show()
        for k, (plot, quantity) in enumerate(zip(self.plots, found.wanted.quantities, strict=True)):
            unit = quantity.unit(found.wanted.calibration, self.timed)
            plot.setLabel("left", f"{quantity.value}  [{unit}]")
            plot.setLogMode(False, False)
            for curve in found.plots[k]:
                made, name = curve.signal, self._name(curve)
                line = self._line(plot, curve, made.time, made.value, pieces)
                self.curves[k, curve.tracks[0]] = line
                self.signals.append((k, f"{quantity.value}_{name}_{unit}", made))
                if np.isfinite(made.value).sum() == 1:
                    line.setSymbol("o")
            if len(found.tracks) < quantity.tracks and quantity.tracks > 1:
                what = next(words for words, shown in SHOWN.items() if shown is quantity)
                self.words.setText(f"{what}: select {quantity.tracks} tracks (Ctrl+click)")
        for plot in self.plots:
            if self.follow.isChecked():
                plot.enableAutoRange()
            else:
                plot.disableAutoRange()
        self.plots[0].getAxis("bottom").setStyle(showValues=False)
        self.plots[0].setLabel("bottom", None)
        self.plots[0].showLabel("bottom", False)
        self.plots[1].setLabel("bottom", "time [s]" if self.timed else "frame")

    def _draw_spectra(self, found: Found, pieces: bool) -> None:
        self.plots[1].hide()
        plot, quantity = self.plots[0], found.wanted.quantities[0]
        each = "Hz" if self.timed else "1/frame"
        unit = quantity.unit(found.wanted.calibration, self.timed)
        power = self.power.currentIndex() == 1
        what = f"density [({unit})²·{'s' if self.timed else 'frame'}]"
        plot.setLabel("left", what if power else f"amplitude [{unit}]")
        plot.getAxis("bottom").setStyle(showValues=True)
        plot.setLabel("bottom", f"frequency [{each}]")
        plot.setLogMode(self.log.isChecked(), self.log.isChecked())
        words = []
        for curve in found.plots[0]:
            name, spectrum = self._name(curve), curve.spectrum
            if spectrum is None:
                words.append(f"{name}: {curve.trouble}")
                continue
            self.spectra.append((name, spectrum))
            height = (spectrum.density if power else spectrum.amplitude)[1:]
            if self.log.isChecked():
                height = np.maximum(height, FLOOR * float(height.max(initial=0.0)) or 1e-300)
            line = self._line(plot, curve, spectrum.frequency[1:], height, pieces)
            line.setDownsampling(auto=False, ds=1)
            self.curves[0, curve.tracks[0]] = line
            self._long[line] = spectrum.frequency[1:], height
            self._draw_floor(plot, curve, quantity, power)
            at, most = spectrum.peak()
            filled = f", {spectrum.filled:.0%} filled in" if spectrum.filled > 0.01 else ""
            words.append(f"{name}: {at:.4g} {each}, {most:.3g} {unit}{filled}")
        if self.floors:
            words.append("dashed: the tracker's own noise")
        self._thin()
        plot.enableAutoRange()
        if words:
            self.words.setText("peak  " + ";   ".join(words[:4]))
            self.words.setToolTip("\n".join(words))

    def _draw_floor(self, plot: object, curve: Curve, quantity: Quantity, power: bool) -> None:
        """What the tracker measured of its own noise, dashed."""
        assert curve.spectrum is not None
        floor = noise_floor(self._bench.tables, curve.tracks[0], quantity, self._bench.calibration)
        if floor is None:
            return
        at, density = floor
        amplitude = as_amplitude(density, curve.spectrum)
        made = Spectrum(at, amplitude, density, curve.spectrum.resolution, 0.0)
        self.noise.append((f"{self._name(curve)}_noise", made))
        height = density if power else amplitude
        pen = pyqtgraph.mkPen(theme.current().track(curve.tracks[0]), width=1.0, style=QtCore.Qt.PenStyle.DashLine)
        self.floors[curve.tracks[0]] = plot.plot(at, np.maximum(height, 1e-300), pen=pen)  # type: ignore[attr-defined]

    def _line(self, plot: object, curve: Curve, x: object, y: object, pieces: bool) -> pyqtgraph.PlotDataItem:
        line = plot.plot(x, y, pen=self._pen(curve.tracks[0], pieces), connect="finite", name=self._name(curve))  # type: ignore[attr-defined]
        line.opts["autoDownsampleFactor"] = FINE
        line.curve.setSegmentedLineMode("on" if pieces else "auto")
        return line

    def _thin(self) -> None:
        """Draw of long spectra what can be told apart on the screen; again after each change of what is seen."""
        low, high = self.plots[0].vb.viewRange()[0]
        columns = max(100, int(self.plots[0].vb.width()))
        for line, (x, y) in self._long.items():
            at = np.log10(x) if self.log.isChecked() else x
            auto = self.plots[0].vb.autoRangeEnabled()[0]
            few = thinned(at, y, float(at[0]) if auto else low, float(at[-1]) if auto else high, columns)
            line.setData(x[few], y[few])

    def _pen(self, track: int, dense: bool) -> object:
        """Thin where many points come close: Qt fills the outline of any wider line."""
        return pyqtgraph.mkPen(theme.current().track(track), width=1.0 if dense else 1.4)

    def _cursor(self) -> None:
        """Move the line to the frame that the video shows."""
        shown = self._bench.shown
        for cursor in self.cursors:
            cursor.setVisible(shown is not None and self.over_time)
            if shown is not None:
                cursor.setValue(shown.time)

    def _clicked(self, event: object) -> None:
        """Go to the frame under the cursor."""
        at = event.scenePos()  # type: ignore[attr-defined]
        opened = self._bench.opened
        if opened is None or opened.live or not self.over_time or not self.signals:
            return
        for plot in self.plots:
            if plot.sceneBoundingRect().contains(at):
                time = plot.vb.mapSceneToView(at).x()
                _, _, made = self.signals[0]
                self._bench.pause()
                self._bench.seek(int(made.frame[int(np.argmin(np.abs(made.time - time)))]))
                return

    # ---------------------------------------------------------------------------------------------------- saving

    def _ask_where(self) -> None:
        path, _ = QtWidgets.QFileDialog.getSaveFileName(
            self, "Save the curves", "traces.csv", "Table (*.csv);;Picture (*.png);;Vector picture (*.svg)"
        )
        if path:
            try:
                self.save_to(Path(path))
            except InputError as error:
                self._bench.speak(Level.ERROR, str(error))

    def save_to(self, path: Path) -> None:
        """Write what is drawn: a table, or a picture. A long table is written in a thread.

        Raises:
            InputError: it cannot be written, or there is nothing to write.
        """
        if not self.signals and not self.spectra:
            raise InputError("there is no curve to save; select a track first")
        try:
            if path.suffix == ".png":
                exporter = exporters.ImageExporter(self.graphics.ci)
                exporter.parameters()["width"] = max(1600, 2 * self.graphics.width())
                exporter.export(str(path))
            elif path.suffix == ".svg":
                exporters.SVGExporter(self.graphics.ci).export(str(path))
            elif sum(len(made.value) for _, _, made in self.signals) > AT_ONCE or self._long_spectra():
                self._write_aside(path)
                return
            else:
                saving.write(path, self.table())
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror or error}") from error
        self._bench.speak(Level.NOTE, f"saved {path}")

    def _long_spectra(self) -> bool:
        return sum(len(made.frequency) for _, made in self.spectra) > AT_ONCE

    def _write_aside(self, path: Path) -> None:
        self._writer.begin(path, self.table())
        self._bench.speak(Level.NOTE, f"writing {path} …")
        self._wrote()

    def _wrote(self) -> None:
        words = self._writer.poll()
        if words is None:
            QtCore.QTimer.singleShot(REDRAW, self._wrote)
        else:
            self._bench.speak(Level.NOTE if words.startswith("saved") else Level.ERROR, words)

    def table(self) -> Iterator[list[str]]:
        """What is drawn, as rows of a table: a column a curve, with its unit in its name."""
        if not self.over_time:
            return saving.rows_of_spectra((*self.spectra, *self.noise))
        named: Sequence[saving.Named] = tuple((name, made) for _, name, made in self.signals)
        return saving.rows_of_signals(named, self.timed)

    def themed(self) -> None:
        """Take the colours of the theme."""
        colours = theme.current()
        self.graphics.setBackground(colours.plot)
        for plot, cursor in zip(self.plots, self.cursors, strict=True):
            for side in SIDES:
                plot.getAxis(side).setPen(colours.line)
                plot.getAxis(side).setTextPen(colours.muted)
            cursor.setPen(pyqtgraph.mkPen(colours.warn, width=1))
        self.save.setIcon(icon("export"))
        self._anew()
