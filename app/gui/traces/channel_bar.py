"""The row below the choices of the traces while a data channel lies beside the clip: what it is, and where it lies in
the clip's time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from pyqtgraph.Qt import QtCore, QtWidgets

from app.channels.resampling import Resampling
from app.channels.table import statement
from app.desk.bench.workbench import Workbench
from app.desk.services.channels import Channels
from app.gui.elided import Elided
from app.gui.icons import icon
from app.gui.traces.channel_lanes import ChannelLanes

FAR = 1e9
"""Seconds that an offset may have: clocks of loggers count from 1970."""


class TriggerForm(QtWidgets.QToolButton):  # type: ignore[misc]
    """A button with a form: the first sample beyond a threshold is a frame.

    Args:
        apply: called with column, threshold, whether below it, and the frame as people count.

    Attributes:
        column, side, threshold, frame, set_button: what is chosen.
    """

    def __init__(self, apply: Callable[[str, float, bool, int], object]) -> None:
        super().__init__()
        self.setText("Trigger")
        self.setToolTip("Align by a threshold: the first sample above it (or below) was taken when a frame was")
        self.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        self.column = QtWidgets.QComboBox()
        self.column.setToolTip("The column that is looked at")
        self.side = QtWidgets.QComboBox()
        self.side.addItems(["above", "below"])
        self.side.setToolTip("On which side of the threshold the sample is")
        self.threshold = QtWidgets.QDoubleSpinBox()
        self.threshold.setDecimals(6)
        self.threshold.setRange(-1e12, 1e12)
        self.threshold.setToolTip("In the unit of the curve")
        self.frame = QtWidgets.QSpinBox()
        self.frame.setRange(-(1 << 30), 1 << 30)
        self.frame.setToolTip("The frame that was exposed then; that which is shown is proposed")
        self.set_button = QtWidgets.QPushButton("Align")
        self.set_button.setToolTip("Move the channel so that both lie at one time; Edit > Undo takes it back")
        box = QtWidgets.QWidget()
        form = QtWidgets.QFormLayout(box)
        form.setContentsMargins(10, 8, 10, 8)
        form.addRow("first sample of", self.column)
        form.addRow("that is", self.side)
        form.addRow("", self.threshold)
        form.addRow("is frame", self.frame)
        form.addRow("", self.set_button)
        menu = QtWidgets.QMenu(self)
        inside = QtWidgets.QWidgetAction(menu)
        inside.setDefaultWidget(box)
        menu.addAction(inside)
        self.setMenu(menu)

        def done() -> None:
            menu.close()
            apply(str(self.column.currentData()), self.threshold.value(), self.side.currentIndex() == 1,
                  self.frame.value())  # fmt: skip

        self.set_button.clicked.connect(done)


class ChannelBar(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        channels: what it is about. lanes: where a sample is marked.
        guard: called with what may go wrong; turns errors into messages.

    Attributes:
        turned: a signal: it is about to be seen, or is seen no more.
        changed_wanted: a signal: how it is read shall be asked.
        save_wanted: a signal: it is to be saved at the frames' times, in this way.
        which: chooses one of several. name, offset, mark, here, trigger, more, progress, stop, cross: its parts.
    """

    turned = QtCore.pyqtSignal(bool)
    changed_wanted = QtCore.pyqtSignal()
    save_wanted = QtCore.pyqtSignal(object)

    def __init__(
        self, bench: Workbench, channels: Channels, lanes: ChannelLanes,
        guard: Callable[[Callable[[], object]], object],
    ) -> None:
        super().__init__()
        self._bench, self._channels, self._lanes, self._guard = bench, channels, lanes, guard
        self.which = QtWidgets.QComboBox()
        self.which.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.which.setToolTip("Which of the data channels is moved, marked, changed, saved and closed here")
        self.which.activated.connect(lambda place: guard(partial(channels.choose, place)))
        self.name = Elided()
        self.name.setProperty("muted", True)
        self.name.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self.offset = QtWidgets.QDoubleSpinBox()
        self.offset.setDecimals(6)
        self.offset.setRange(-FAR, FAR)
        self.offset.setSuffix(" s")
        self.offset.setPrefix("offset ")
        self.offset.setKeyboardTracking(False)
        self.offset.setMinimumWidth(130)
        self.offset.setToolTip("Added to the channel's own times to give the clip's; an arrow moves it by a frame")
        self.offset.valueChanged.connect(lambda value: guard(partial(channels.set_offset, value)))
        self.mark = QtWidgets.QToolButton()
        self.mark.setText("Mark")
        self.mark.setCheckable(True)
        self.mark.setToolTip("Mark a sample: drag the dashed line, or click into the curve; then say which frame it is")
        self.mark.toggled.connect(self._turn_mark)
        self.here = QtWidgets.QPushButton("Sample = frame")
        self.here.setToolTip("The marked sample was taken when the frame that the video shows was exposed")
        self.here.clicked.connect(lambda: guard(self.align_here))
        self.trigger = TriggerForm(lambda *chosen: guard(partial(self.align_trigger, *chosen)))
        self.trigger.menu().aboutToShow.connect(self._fill_trigger)
        self.more = QtWidgets.QToolButton()
        self.more.setText("Channel")
        self.more.setToolTip("Other columns, units, times; the channel at the frames' times as a table")
        self.more.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QtWidgets.QMenu(self.more)
        menu.addAction("Columns, units and times…").triggered.connect(lambda: self.changed_wanted.emit())
        menu.addSeparator()
        for how, words in ((Resampling.LINEAR, "interpolated"), (Resampling.MEAN, "means over each frame")):
            action = menu.addAction(f"Save it at the frames' times, {words} (CSV)…")
            action.triggered.connect(lambda _checked, how=how: self.save_wanted.emit(how))
        self.more.setMenu(menu)
        self.progress = QtWidgets.QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setMaximumWidth(220)
        self.stop = QtWidgets.QPushButton("Cancel")
        self.stop.setToolTip("Read no further; no channel lies beside the clip then")
        self.stop.clicked.connect(lambda: guard(channels.close))
        self.cross = QtWidgets.QToolButton()
        self.cross.setToolTip("Close the data channel; Edit > Undo brings it back")
        self.cross.clicked.connect(lambda: guard(channels.close))
        row = QtWidgets.QHBoxLayout(self)
        row.setContentsMargins(6, 0, 6, 0)
        row.setSpacing(4)
        row.addWidget(self.which)
        row.addWidget(self.name, 1)
        for widget in (self.progress, self.stop, self.offset, self.mark, self.here, self.trigger, self.more,
                       self.cross):  # fmt: skip
            row.addWidget(widget)
        lanes.marked.connect(self._say)
        channels.on(self.refresh)
        self.themed()
        self.hide()

    def setVisible(self, seen: bool) -> None:  # noqa: N802
        """Tell of it before there is a row, and once there is none: Qt divides the room within."""
        if seen and self.isHidden():
            self.turned.emit(True)
        super().setVisible(seen)
        if not seen:
            self.turned.emit(False)

    def refresh(self) -> None:
        """Say what there is."""
        channel, share = self._channels.channel, self._channels.share
        if channel is None:
            self.mark.setChecked(False)
            if not self.isHidden():
                self.hide()
            return
        names = [Path(one.path).name for one in self._channels.all]
        if names != [self.which.itemText(at) for at in range(self.which.count())]:
            self.which.clear()
            self.which.addItems(names)
        self.which.setCurrentIndex(self._channels.chosen)
        self.which.setVisible(len(names) > 1)
        ready = self._channels.loaded is not None
        for widget in (self.progress, self.stop):
            widget.setVisible(share is not None)
        for widget in (self.offset, self.mark, self.trigger, self.more):
            widget.setVisible(ready)
        self.cross.setVisible(share is None)
        self.here.setVisible(ready and self.mark.isChecked())
        self.progress.setValue(round(100 * (share or 0.0)))
        self.offset.blockSignals(True)
        self.offset.setValue(channel.offset)
        info = self._bench.info
        if info is not None and info.time.fps > 0:
            self.offset.setSingleStep(1.0 / info.time.fps)
        self.offset.blockSignals(False)
        for widget in (self.offset, self.mark, self.trigger):
            widget.setEnabled(self._channels.timed)
        self._say()
        if self.isHidden():
            self.show()

    def _say(self) -> None:
        channel, loaded = self._channels.channel, self._channels.loaded
        if channel is None:
            return
        name = Path(channel.path).name
        words, tip = name, channel.path
        if self._channels.trouble:
            words = tip = self._channels.trouble
        elif loaded is None:
            words = f"reading {name} …"
        elif not self._channels.timed:
            words = f"{name}: the clip's rate is unknown; File > How the clip is read takes it"
        elif self.mark.isChecked() and self._lanes.sample >= 0:
            sample = self._lanes.sample
            words = f"{name}: sample {sample} at {loaded.samples.time_of(sample):.6g} s of the channel"
        if loaded is not None:
            samples = loaded.samples
            tip = "\n".join((channel.path, f"{samples.count} samples, {samples.rate:.6g} a second, from "
                             f"{samples.span[0]:.6g} to {samples.span[1]:.6g} s of its own clock",
                             statement(channel, Resampling.LINEAR), *samples.notes))  # fmt: skip
        self.name.setText("" if words == name and len(self._channels.all) > 1 else words)
        self.name.setToolTip(tip)

    def _turn_mark(self, on: bool) -> None:
        self._lanes.set_marking(on)
        self.here.setVisible(on)
        self._say()

    @property
    def _frame(self) -> int:
        shown = self._bench.shown
        return shown.frame if shown is not None else max(0, self._bench.position)

    def align_here(self) -> None:
        """The marked sample is the frame that is shown.

        Raises:
            InputError: see `Channels.align`.
        """
        self._channels.align(self._lanes.sample, self._frame)

    def align_trigger(self, column: str, threshold: float, below: bool, number: int) -> None:
        """The first sample beyond a threshold is a frame, as people count.

        Raises:
            InputError: see `Channels.align_trigger`.
        """
        sample = self._channels.align_trigger(column, threshold, below, number - self._bench.number(0))
        self._lanes.mark_sample(sample)

    def _fill_trigger(self) -> None:
        loaded = self._channels.loaded
        if loaded is None:
            return
        chosen = self.trigger.column.currentData()
        self.trigger.column.clear()
        for column in loaded.columns:
            self.trigger.column.addItem(column.label, column.name)
        place = self.trigger.column.findData(chosen)
        if place >= 0:
            self.trigger.column.setCurrentIndex(place)
        else:
            first = loaded.envelopes[loaded.columns[0].name]
            self.trigger.threshold.setValue(0.5 * (first.low + first.high))
        self.trigger.frame.setValue(self._bench.number(self._frame))

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.cross.setIcon(icon("close"))
