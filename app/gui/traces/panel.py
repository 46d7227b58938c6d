"""Signals of the selected tracks over time, and their spectra; the cursor is that of the video."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pyqtgraph
from pyqtgraph import exporters
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.tracks.signals import Quantity, Signal, Spectrum, make, spectrum
from app.desk.workbench import Level, Topic, Workbench
from app.exports.atomic import replacing
from app.gui import theme
from app.gui.icons import icon
from kernels.errors import InputError
from pipelines.features import State

MOST_CURVES = 12
"""Tracks that are drawn at once."""
MOST_ROWS = 1_000_000
"""Rows that are asked which tracks were seen most."""
REDRAW = 120
"""Milliseconds between two drawings while rows come."""
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
        self.curves: dict[tuple[int, int], pyqtgraph.PlotDataItem] = {}
        self.signals: list[tuple[int, str, Signal]] = []
        self.spectra: list[tuple[str, Spectrum]] = []
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
        self.words = QtWidgets.QLabel()
        self.words.setProperty("muted", True)
        self.save = QtWidgets.QToolButton()
        self.save.setIcon(icon("export"))
        self.save.setToolTip("Save the curves as a table (CSV) or as a picture (PNG, SVG)")
        self.save.clicked.connect(self._ask_where)
        row = QtWidgets.QHBoxLayout()
        row.setContentsMargins(6, 0, 6, 0)
        for widget in (self.tabs, *self.choice, self.follow, self.every):
            row.addWidget(widget)
        row.addWidget(self.words, 1)
        row.addWidget(self.save)
        self.graphics = pyqtgraph.GraphicsLayoutWidget()
        self.graphics.setMinimumHeight(150)
        ignored, expanding = QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Expanding
        self.graphics.setSizePolicy(ignored, expanding)
        self.plots = [self.graphics.addPlot(row=k, col=0) for k in range(2)]
        self.plots[1].setXLink(self.plots[0])
        self.cursors = []
        for plot in self.plots:
            plot.showGrid(x=True, y=True, alpha=0.15)
            plot.setMenuEnabled(False)
            plot.hideButtons()
            plot.setClipToView(True)
            plot.setDownsampling(auto=True, mode="peak")
            plot.getAxis("left").setWidth(64)
            for side in ("left", "bottom"):
                plot.getAxis(side).enableAutoSIPrefix(False)
            cursor = pyqtgraph.InfiniteLine(angle=90, movable=False)
            self.cursors.append(cursor)
        self.graphics.scene().sigMouseClicked.connect(self._clicked)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(2)
        layout.addLayout(row)
        layout.addWidget(self.graphics, 1)
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REDRAW)
        self._timer.timeout.connect(self.redraw)
        for topic in (Topic.ROWS, Topic.SELECTION, Topic.VIEW, Topic.OPENED):
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
        for combo in self.choice[1:]:
            combo.setVisible(self.over_time)
        self.redraw()

    def _tracks(self) -> list[int]:
        """What is drawn: what is selected, else the tracks that were seen most."""
        if self._bench.selected:
            return self._bench.selected[:MOST_CURVES]
        rows = self._bench.store.between(0, 1 << 62)[-MOST_ROWS:]
        seen = np.bincount(rows["track"][(rows["state"] == State.TRACKED) & (rows["track"] >= 0)])
        most = np.argsort(-seen, kind="stable")[:3]
        return sorted(int(track) for track in most if seen[track])

    def redraw(self) -> None:
        """Draw what has changed since the last time."""
        bench = self._bench
        seen = (bench.store.version, (tuple(bench.selected), bench.calibration, tuple(bench.names.items())))
        if seen == self._seen or self.visibleRegion().isEmpty():
            return
        self._seen = seen
        tracks = self._tracks()
        self.words.setText("" if bench.selected or not tracks else "click a marker on the video to choose a track")
        for plot, cursor in zip(self.plots, self.cursors, strict=True):
            plot.clear()
            plot.addItem(cursor, ignoreBounds=True)
        self.curves.clear()
        self.signals, self.spectra = [], []
        if self.over_time:
            self._draw_time(tracks)
        else:
            self._draw_spectra(tracks)
        self._cursor()

    def _parts(self, quantity: Quantity, tracks: list[int]) -> list[tuple[int, str, Signal]]:
        """Signals with their names: one a track, or one of the first two or three."""
        bench, every = self._bench, self.every.isChecked()
        if quantity.tracks == 1:
            rows = ((track, bench.store.track(track)) for track in tracks)
            return [(t, bench.name(t), make(quantity, [r], bench.calibration, every)) for t, r in rows if len(r)]
        if len(tracks) < quantity.tracks:
            return []
        some = tracks[: quantity.tracks]
        rows_of = [bench.store.track(track) for track in some]
        return [(some[0], " - ".join(bench.name(t) for t in some), make(quantity, rows_of, bench.calibration, every))]

    @property
    def timed(self) -> bool:
        """Whether times are seconds, not frames."""
        return self._bench.info is not None and self._bench.info.time.fps > 0

    def _draw_time(self, tracks: list[int]) -> None:
        self.plots[1].show()
        for k, (plot, combo) in enumerate(zip(self.plots, self.choice, strict=True)):
            quantity = SHOWN[combo.currentText()]
            unit = quantity.unit(self._bench.calibration, self.timed)
            plot.setLabel("left", f"{quantity.value}  [{unit}]")
            plot.setLogMode(False, False)
            for track, name, made in self._parts(quantity, tracks):
                good = np.isfinite(made.value)
                curve = plot.plot(made.time, made.value, pen=self._pen(track), connect="finite", name=name)
                self.curves[k, track] = curve
                self.signals.append((k, f"{quantity.value}_{name}_{unit}", made))
                if good.sum() == 1:
                    curve.setSymbol("o")
            if quantity.tracks > 1 and len(tracks) < quantity.tracks:
                self.words.setText(f"{combo.currentText()}: select {quantity.tracks} tracks (Ctrl+click)")
        for plot in self.plots:
            plot.setLabel("bottom", "")
            if self.follow.isChecked():
                plot.enableAutoRange()
            else:
                plot.disableAutoRange()
        self.plots[1].setLabel("bottom", "time [s]" if self.timed else "frame")

    def _draw_spectra(self, tracks: list[int]) -> None:
        self.plots[1].hide()
        plot = self.plots[0]
        quantity = SHOWN[self.choice[0].currentText()]
        each = "Hz" if self.timed else "1/frame"
        unit = quantity.unit(self._bench.calibration, self.timed)
        plot.setLabel("left", f"amplitude of {quantity.value}  [{unit}]")
        plot.setLabel("bottom", f"frequency [{each}]")
        words = []
        for track, name, made in self._parts(quantity, tracks):
            try:
                found = spectrum(made)
            except InputError as error:
                words.append(f"{name}: {error}")
                continue
            self.spectra.append((name, found))
            self.curves[0, track] = plot.plot(found.frequency[1:], found.amplitude[1:], pen=self._pen(track), name=name)
            at, height = found.peak()
            filled = f", {found.filled:.0%} filled in" if found.filled > 0.01 else ""
            words.append(f"{name}: {at:.4g} {each}, {height:.3g} {unit}{filled}")
        plot.enableAutoRange()
        if words:
            self.words.setText("peak  " + ";   ".join(words[:4]))

    def _pen(self, track: int) -> object:
        return pyqtgraph.mkPen(theme.current().track(track), width=1.4)

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
        """Write what is drawn: a table, or a picture.

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
            else:
                with replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
                    csv.writer(file).writerows(self.table())
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror or error}") from error
        self._bench.speak(Level.NOTE, f"saved {path}")

    def table(self) -> list[list[str]]:
        """What is drawn, as rows of a table: a column a curve, with its unit in its name."""
        if not self.over_time:
            head = [f"{name}_{what}" for name, _ in self.spectra for what in ("frequency_hz", "amplitude", "density")]
            columns = [c for _, s in self.spectra for c in (s.frequency, s.amplitude, s.density)]
            longest = max((len(c) for c in columns), default=0)
            return [head, *([f"{c[k]:.9g}" if k < len(c) else "" for c in columns] for k in range(longest))]
        frames = np.unique(np.concatenate([made.frame for _, _, made in self.signals]))
        times = {int(f): float(t) for _, _, made in self.signals for f, t in zip(made.frame, made.time, strict=True)}
        values = [{int(f): float(v) for f, v in zip(m.frame, m.value, strict=True)} for _, _, m in self.signals]
        head = ["frame", "time_s" if self.timed else "time_frames", *(name for _, name, _ in self.signals)]
        body = [[str(f), f"{times[f]:.9g}", *(_cell(v.get(f)) for v in values)] for f in frames.tolist()]
        return [head, *body]

    def themed(self) -> None:
        """Take the colours of the theme."""
        colours = theme.current()
        self.graphics.setBackground(colours.plot)
        for plot, cursor in zip(self.plots, self.cursors, strict=True):
            for side in ("left", "bottom"):
                plot.getAxis(side).setPen(colours.line)
                plot.getAxis(side).setTextPen(colours.muted)
            cursor.setPen(pyqtgraph.mkPen(colours.warn, width=1))
        self.save.setIcon(icon("export"))
        self._anew()


def _cell(value: float | None) -> str:
    return "" if value is None or not np.isfinite(value) else f"{value:.9g}"
