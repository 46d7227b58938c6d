"""Signals of the selected tracks over time, and their spectra; the cursor is that of the video."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from pyqtgraph.GraphicsScene.mouseEvents import MouseClickEvent
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.services.channels import Channels
from app.desk.sidecars.events_file import export_events
from app.desk.tracks.peaks import rows_of_peaks
from app.desk.tracks.spectra import SPECTRA
from app.desk.tracks.table import TrackTable
from app.gui.clipboard import to_clipboard
from app.gui.figure_looks import KINDS, SAVE, FigureLooks, figure_path
from app.gui.settings import Settings
from app.gui.traces import saving
from app.gui.traces.bar import TracesBar
from app.gui.traces.channel_bar import ChannelBar
from app.gui.traces.channel_lanes import ChannelLanes
from app.gui.traces.curves import Finder, View, Wanted
from app.gui.traces.figures import Sheet, as_file
from app.gui.traces.plots import Plots
from app.gui.traces.saved_line import SavedLine
from app.plots.look import SUFFIXES
from app.safe_names import clip_stem
from kernels.errors import InputError

REDRAW = 120
"""Milliseconds between two drawings while rows come, at least."""
SHARE = 5
"""A drawing that took long is followed by a pause of so many times as long."""
UNCHOSEN = 3
"""Tracks that are drawn while none is selected: those that were seen most."""
LOOK = 15
"""Milliseconds between two looks for what a thread works out."""
EACH = 52
"""Pixels of a plot that are proposed when a data channel comes under the tracks' plots."""
HIGH, LEAST = 150, 90
"""Pixels that the plots have at least: alone, and with lines of words above and below them."""


class TracesPanel(QtWidgets.QWidget):  # type: ignore[misc]
    """Two plots over time (of any two quantities) or one spectrum.

    Args:
        bench: the state behind the window.
        settings: remember what is drawn.
        channels: the data channel that lies beside the clip; None for a panel without.
        guard: called with what may go wrong; turns errors into messages.

    Attributes:
        spectra_wanted: a signal: the spectra that a tracker measured are to be exported.
        bar, drawn, saved: the row of choices, the plots, and the line that says what was saved.
        lanes, channel_bar: the curves of the data channel, and the row about it.
        marked: a box: only frames between the marks are saved in tables.
    """

    spectra_wanted = QtCore.pyqtSignal()

    def __init__(
        self, bench: Workbench, settings: Settings | None = None, channels: Channels | None = None,
        guard: Callable[[Callable[[], object]], object] = lambda work: work(),
    ) -> None:  # fmt: skip
        super().__init__()
        self._bench = bench
        self._most = TrackTable()
        self._seen: object = None
        self._offered: tuple[str, ...] = ()
        self._finder = Finder()
        self._clip = ""
        self._writer = saving.Writer()
        self.bar = TracesBar(self._anew, settings)
        self.drawn = Plots(bench, self.bar)
        self.saved = SavedLine(self._writer.cancel, lambda why: bench.speak(Level.ERROR, why))
        channels = Channels(bench) if channels is None else channels
        self.lanes = ChannelLanes(self.drawn, channels)
        self.channel_bar = ChannelBar(bench, channels, self.lanes, guard)
        self._fill_menu()
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(2)
        layout.addWidget(self.bar)
        layout.addWidget(self.channel_bar)
        layout.addWidget(self.saved)
        layout.addWidget(self.drawn.graphics, 1)
        layout.addWidget(self.drawn.words)
        for line in (self.saved, self.drawn.words, self.channel_bar):
            line.turned.connect(lambda seen, line=line: self._share(line, seen))
        self.lanes.laid.connect(self._anew)
        self._share(self.saved, False)
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REDRAW)
        self._timer.timeout.connect(self.redraw)
        self._look = QtCore.QTimer(self)
        self._look.setInterval(LOOK)
        self._look.timeout.connect(self._poll)
        for topic in (Topic.ROWS, Topic.TABLES, Topic.VIEW, Topic.OPENED):
            bench.on(topic, self._due)
        bench.on(Topic.SELECTION, self._chosen)
        bench.on(Topic.PICTURE, self.drawn.cursor)
        bench.on(Topic.PICTURE, self.lanes.cursor)
        bench.on(Topic.VIEW, self.drawn.mark_events)
        bench.on(Topic.OPENED, self.saved.forget)
        bench.on(Topic.OPENED, self._opened)
        self.drawn.part.moved.connect(self._refit)
        self.bar.options.reference.asked.connect(lambda: self.bar.options.reference.put(tuple(bench.selected)))
        self.themed()
        self.redraw()

    def _share(self, turned: QtWidgets.QWidget, seen: bool) -> None:
        """Have the plots give lines of words their room: a panel that grew would push the video, and not come back.

        Args:
            turned: the one that is about to be seen, or is seen no more.
        """
        lines = [line for line in (self.drawn.words, self.saved, self.channel_bar)
                 if (seen if line is turned else not line.isHidden())]  # fmt: skip
        taken = sum(line.sizeHint().height() + self.layout().spacing() for line in lines)
        self.drawn.graphics.setMinimumHeight(max(LEAST, HIGH - taken))

    @property
    def high_enough(self) -> int:
        """Pixels of the panel in which curves of tracks and of a data channel can be told apart."""
        rows = sum(plot.isVisible() for plot in self.drawn.plots) + len(self.lanes.lanes)
        return int(self.height() - self.drawn.graphics.height() + rows * EACH)

    def _fill_menu(self) -> None:
        menu = QtWidgets.QMenu(self.bar.save)
        menu.addAction("Save the curves as a table (CSV)…").triggered.connect(lambda: self._ask_where("csv"))
        menu.addAction(SAVE).triggered.connect(lambda: self._ask_where("png"))
        table = menu.addAction("Copy the table")
        table.triggered.connect(lambda: self._copy(self.copy_table))
        menu.addAction("Copy the figure").triggered.connect(lambda: self._copy(self.copy_picture))
        self.looks = FigureLooks(menu)
        peaks = [menu.addAction(f"{what} the peaks as a table{end}") for what, end in
                 (("Copy", ""), ("Save", " (CSV)…"))]  # fmt: skip
        peaks[0].triggered.connect(lambda: self._copy(self.copy_peaks))
        peaks[1].triggered.connect(lambda: self._ask_where("peaks"))
        events = menu.addAction("Save the events as a table (CSV)…")
        events.triggered.connect(lambda: self._ask_where("events"))
        self.marked = menu.addAction("Tables only from mark to mark")
        self.marked.setCheckable(True)
        menu.addSeparator()
        measured = menu.addAction("Export the spectra that the tracker measured…")
        measured.triggered.connect(lambda: self.spectra_wanted.emit())
        menu.aboutToShow.connect(lambda: measured.setEnabled(bool(len(self._bench.tables.get(SPECTRA, ())))))
        menu.aboutToShow.connect(lambda: events.setEnabled(bool(self._bench.events)))
        menu.aboutToShow.connect(lambda: self._name_key(table, peaks[0]))
        for action in peaks:
            menu.aboutToShow.connect(lambda action=action: action.setEnabled(bool(self.drawn.peaks)))
        self.bar.save.setMenu(menu)
        self.drawn.graphics.scene().sigMouseClicked.connect(self._asked)
        self.bar.words.setContextMenuPolicy(QtCore.Qt.ContextMenuPolicy.CustomContextMenu)
        self.bar.words.customContextMenuRequested.connect(lambda at: menu.popup(self.bar.words.mapToGlobal(at)))
        copy = QtWidgets.QShortcut(QtGui.QKeySequence(QtGui.QKeySequence.StandardKey.Copy), self)
        copy.setContext(QtCore.Qt.ShortcutContext.WidgetWithChildrenShortcut)
        copy.activated.connect(lambda: self._copy(self.copy_peaks if self.drawn.peaks else self.copy_table))

    def _name_key(self, table: QtWidgets.QAction, peaks: QtWidgets.QAction) -> None:
        """Write the key beside what it copies now."""
        for action, keyed in ((table, not self.drawn.peaks), (peaks, bool(self.drawn.peaks))):
            action.setText(action.text().partition("\t")[0] + ("\tCtrl+C" if keyed else ""))

    def _asked(self, click: MouseClickEvent) -> None:
        """A click on the plots with the right button opens the menu; dragging with it zooms."""
        if click.button() == QtCore.Qt.MouseButton.RightButton:
            self.bar.save.menu().popup(click.screenPos().toPoint())

    def _due(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _chosen(self) -> None:
        """Other tracks: they wait for no pause behind a drawing that took long, as the first spectrum does."""
        self._seen = None
        if not self._timer.isActive() or self._timer.remainingTime() > REDRAW:
            self._timer.start(REDRAW)

    def _anew(self) -> None:
        self._seen = None
        self.bar.arrange()
        self.lanes.refresh()
        self.redraw()

    def redraw(self) -> None:
        """Draw what has changed since the last time; what takes long is worked out in a thread."""
        bench = self._bench
        # All that a drawing depends on; what the bar says begins anew by itself (`_anew`).
        seen = (bench.store.version, id(bench.tables),
                (tuple(bench.selected), bench.calibration, tuple(bench.names.items())))  # fmt: skip
        if seen == self._seen or self._finder.busy or self.visibleRegion().isEmpty():
            return
        self._seen = seen
        if bench.store.fields != self._offered:
            self._offered = bench.store.fields
            self.bar.offer(self._offered)
        tracks = tuple(bench.selected)
        chosen = bool(tracks)
        if not chosen:
            self._most.look(bench.store)
            tracks = self._most.seen_most(UNCHOSEN)
            # Rows wait to be counted: another look may find other tracks.
            if self._most.behind:
                self._seen = None
            bench.tracks.look_at(tracks)
        self._finder.begin(self._wanted(tracks, chosen))
        if self._finder.busy:
            drawn = self.drawn.found
            if drawn is None or drawn.wanted.view is not self.bar.view:
                what = {View.TIME: "curves", View.SPECTRUM: "spectrum", View.SPECTROGRAM: "spectrogram"}[self.bar.view]
                self.drawn.wait(f"working out the {what}…")
            self._look.start()
        else:
            self._poll()

    def _wanted(self, tracks: tuple[int, ...], chosen: bool) -> Wanted:
        bench, bar, options = self._bench, self.bar, self.bar.options
        part = self.drawn.part
        return Wanted(
            bench.store.snapshot(), tracks, bar.quantities, bar.view, bench.calibration, options.every.isChecked(),
            bar.window, chosen, options.form.currentData(), options.reference.reference, str(bar.model.currentData()),
            part.times if bar.part.isChecked() else None, int(options.segment.currentData()), self.drawn.timed,
        )  # fmt: skip

    def _refit(self) -> None:
        """The part that is fitted was moved."""
        if self.bar.model.currentData():
            self._anew()

    def _opened(self) -> None:
        """Marks and numbers of tracks are those of the clip before; not if it is the same one."""
        name = self._bench.info.name if self._bench.info is not None else ""
        if name != self._clip:
            self._clip = name
            self.drawn.part.forget()
            self.drawn.pair.forget()
            self.bar.options.reference.put(())

    def _poll(self) -> None:
        """Draw what was worked out, if that is done; what was asked for meanwhile comes next."""
        found = self._finder.poll()
        if self._finder.busy:
            return
        self._look.stop()
        if found is None:
            return
        begin = time.monotonic()
        self.drawn.draw(found)
        self.lanes.refresh()
        if found.wanted.model and found.wanted.span is None and self.drawn.part.shown:
            self._seen = None  # the part lies somewhere now
        took = found.seconds + time.monotonic() - begin
        self._timer.setInterval(max(REDRAW, int(1e3 * SHARE * took)))
        if self._seen is None and not self._most.behind:  # another choice was made
            self.redraw()
        else:
            self._due()

    # ---------------------------------------------------------------------------------------------------- saving

    def _ask_where(self, kind: str) -> None:
        info = self._bench.info
        stem = clip_stem(info.name) if info is not None else "clip"
        words = KINDS if kind == "png" else "Table (*.csv)"
        what = "traces" if self.bar.over_time else self.bar.view.value
        if kind == "events":
            title, name = "Save the events", f"{stem}.events.csv"
        elif kind == "peaks":
            title, name = "Save the peaks", f"{stem}.peaks.csv"
        else:
            title, name = "Save the curves", f"{stem}.{what}.{kind}"
        path, chosen = QtWidgets.QFileDialog.getSaveFileName(self, title, name, words)
        if path:
            target = figure_path(path, chosen) if kind == "png" else Path(path)
            target = target if target.suffix else target.with_suffix(".csv")
            try:
                {"events": self.save_events, "peaks": self.save_peaks}.get(kind, self.save_to)(target)
            except InputError as error:
                self._bench.speak(Level.ERROR, str(error))

    def save_to(self, path: Path) -> None:
        """Write what is drawn: a table, or a figure. Figures and long tables are written in a thread.

        Raises:
            InputError: it cannot be written, or there is nothing to write.
        """
        self._there()
        if path.suffix.lower() in SUFFIXES:
            sheet = self.sheet()
            self._writer.begin_figure(path, lambda: as_file(sheet, path.suffix.lower()))
        elif path.suffix.lower() != ".csv":
            raise InputError(f"{path} does not tell its format; let it end in .csv, .png, .svg or .pdf")
        else:
            table = self.table()
            if not table.long:
                saving.write(path, table)
                self._said(path)
                return
            self._writer.begin(path, table)
        self.saved.writing(path)
        self._wrote()

    def save_events(self, path: Path) -> None:
        """Write the events as a table: frame, time, name.

        Raises:
            InputError: it cannot be written, or there is nothing to write.
        """
        bench, frames = self._bench, self._bench.range if self.marked.isChecked() else None
        if bench.info is None:
            raise InputError("open a clip first; events are frames of it")
        export_events(path, bench.events, bench.info.time, frames)
        self._said(path)

    def save_peaks(self, path: Path) -> None:
        """Write the peaks of the spectra as a table, with units in its head.

        Raises:
            InputError: it cannot be written, or there is nothing to write.
        """
        saving.write_rows(path, self.peaks())
        self._said(path)

    def peaks(self) -> Iterator[list[str]]:
        """The peaks of the spectra that are drawn, as rows of a table (`app.desk.tracks.peaks`).

        Raises:
            InputError: no spectrum is drawn.
        """
        drawn = self.drawn
        if not drawn.peaks or drawn.found is None:
            raise InputError("there is no spectrum; choose Spectrum, and select a track")
        quantity = drawn.found.wanted.quantities[0].value
        return rows_of_peaks(drawn.peaks, saving.plain(quantity), saving.plain(drawn.unit), drawn.timed)

    def copy_peaks(self) -> str:
        """The peaks of the spectra to the clipboard, as spreadsheets want them; what was done.

        Raises:
            InputError: no spectrum is drawn.
        """
        to_clipboard(list(self.peaks()))
        count, many = sum(len(of.peaks) for of in self.drawn.peaks), len(self.drawn.peaks) > 1
        return f"copied {count or 'no'} peak{'' if count == 1 else 's'} of the {'spectra' if many else 'spectrum'}"

    def _there(self) -> None:
        if not self.drawn.signals and not self.drawn.spectra and self.drawn.gram.shown is None:
            raise InputError("there is no curve to save; select a track first")

    def _copy(self, copy: Callable[[], str]) -> None:
        try:
            self._bench.speak(Level.NOTE, copy())
        except InputError as error:
            self._bench.speak(Level.ERROR, str(error))

    def copy_table(self) -> str:
        """What is drawn to the clipboard, as spreadsheets want it; what was done.

        Raises:
            InputError: there is nothing, or more than a clipboard should hold.
        """
        self._there()
        table = self.table()
        if table.long:
            raise InputError(f"{table.count} rows are too many for the clipboard; save the curves as a table instead")
        rows = list(table.rows())
        to_clipboard(rows)
        return f"copied {len(rows) - 1} rows of the curves"

    def copy_picture(self) -> str:
        """The figure to the clipboard, once it is made; what is done.

        Raises:
            InputError: there is nothing, or something else is still being written.
        """
        self._there()
        sheet = self.sheet()
        self._writer.begin_figure(Path(), lambda: as_file(sheet, ".png"))
        self._wrote()
        return "making the figure of the curves…"

    def sheet(self) -> Sheet:
        """What is drawn, as a figure will show it."""
        drawn, bar = self.drawn, self.bar
        found = drawn.found
        assert found is not None
        limits = None
        if not bar.follow.isChecked() and found.wanted.view is not View.SPECTRUM:
            ranges = [plot.vb.viewRange() for plot in drawn.plots[: len(found.plots)]]
            limits = tuple(ranges[0][0]), tuple(tuple(upwards) for _, upwards in ranges)
        names = {curve.tracks: drawn.name(curve) for plot in found.plots for curve in plot}
        floors = {track: line.getOriginalDataset() for track, line in drawn.floors.items()}
        events = drawn.events.shown if found.wanted.view is View.TIME else ()
        return Sheet(found, names, drawn.timed, bar.power.currentIndex() == 1, bar.log.isChecked(), limits, events,
                     floors, self.looks.look, self.lanes.panels() if found.wanted.view is View.TIME else ())

    def table(self) -> saving.Table:
        """What is drawn, as a table."""
        drawn = self.drawn
        frames = self._bench.range if self.marked.isChecked() and self.bar.over_time else None
        signals = tuple((name, made) for _, name, made in (*drawn.signals, *drawn.fit_signals()))
        if signals and self.lanes.lanes:
            signals += tuple(self.lanes.signals([made for _, made in signals]))
        gram = None
        if drawn.gram.shown is not None and drawn.found is not None:
            curve = drawn.found.plots[0][0]
            gram = f"{drawn.found.wanted.quantities[0].value}_{drawn.name(curve)}", drawn.gram.shown
        return saving.Table(signals, (*drawn.spectra, *drawn.noise), drawn.timed, frames, drawn.unit, gram)

    def _said(self, path: Path) -> None:
        self.saved.wrote(path)
        self._bench.speak(Level.NOTE, f"saved {path}")

    def _wrote(self) -> None:
        done = self._writer.poll()
        if done is None:
            self.saved.share(self._writer.share)
            QtCore.QTimer.singleShot(REDRAW, self._wrote)
        elif not done.trouble and done.path == Path():
            QtWidgets.QApplication.clipboard().setImage(QtGui.QImage.fromData(done.data))
            self._bench.speak(Level.NOTE, "copied the figure of the curves")
        elif not done.trouble:
            self._said(done.path)
        else:
            self.saved.hide()
            self._bench.speak(Level.WARNING if done.stopped else Level.ERROR, done.trouble)

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.drawn.themed()
        self.lanes.themed()
        self.channel_bar.themed()
        self.bar.themed()
        self.saved.themed()
        self._anew()
