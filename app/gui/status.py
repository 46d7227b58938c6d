"""The status bar: what runs, how fast, how late, what was lost; and what is under the cursor."""

from __future__ import annotations

import time
from collections import deque

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Level, Message, Topic
from app.desk.workbench import Workbench
from app.gui.video.nothing_open import short
from app.gui.video.view import VideoView
from pipelines.frame import SourceInfo
from pipelines.streaming.states import RunState

_WORDS = {
    RunState.IDLE: "nothing open", RunState.STARTING: "starting", RunState.RUNNING: "running",
    RunState.PAUSED: "paused", RunState.SEEKING: "seeking", RunState.RECONNECTING: "camera lost, trying again",
    RunState.STOPPING: "stopping", RunState.STOPPED: "ended", RunState.FAILED: "failed",
}  # fmt: skip


SECONDS = {Level.NOTE: 8.0, Level.WARNING: 20.0, Level.ERROR: 60.0}
"""How long the newest message stands in the status bar."""


RATES = (
    "How many frames a second come from the camera or the clip, are processed by the pipeline, and are shown; where "
    "there are more than people can see, some are not shown, but all are processed"
)
LATENCY = (
    "How long a frame takes from the camera or the clip to its tracks: half of the frames no longer than the first "
    "time, 99 of 100 no longer than the second"
)
LIVE = "Frames as they came from the camera, and when, from the first one on"
STEP = 24
"""Pixels by which the place for a number grows."""


class Toast(QtWidgets.QLabel):  # type: ignore[misc]
    """The newest message, for a while; a click leads to all of them."""

    clicked = QtCore.pyqtSignal()
    turned = QtCore.pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self._words = ""
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self.setContentsMargins(8, 0, 8, 0)
        self.setCursor(QtCore.Qt.CursorShape.PointingHandCursor)
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.clear_message)
        self.hide()

    def say(self, message: Message) -> None:
        """Show a message."""
        self._words = message.sentence
        self.setToolTip(f"{message.sentence}\n\nClick to see all messages")
        _mark(self, "warn", message.level is Level.WARNING)
        _mark(self, "bad", message.level is Level.ERROR)
        self._fit()
        self.show()
        self.turned.emit()
        self._timer.start(int(1e3 * SECONDS[message.level]))

    def clear_message(self) -> None:
        """Show nothing."""
        self._words = ""
        self._timer.stop()
        self.hide()
        self.turned.emit()

    @property
    def message(self) -> str:
        """What it shows."""
        return self._words

    def _fit(self) -> None:
        room, end = max(40, self.width() - 20), QtCore.Qt.TextElideMode.ElideRight
        self.setText(self.fontMetrics().elidedText(self._words, end, room))

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:  # noqa: N802
        """Cut what has no room."""
        super().resizeEvent(event)
        self._fit()

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:  # noqa: N802
        """Lead to all messages."""
        event.accept()
        self.clicked.emit()


class Status:
    """Fills a status bar.

    Args:
        bar: of the window.
        bench: the state behind it.
        video: tells what is under the cursor, and when a picture was shown.
    """

    def __init__(self, bar: QtWidgets.QStatusBar, bench: Workbench, video: VideoView) -> None:
        self._bench, self._pictures = bench, deque[float](maxlen=60)
        self.probe = QtWidgets.QLabel()
        self.probe.setContentsMargins(8, 0, 8, 0)
        self.toast = Toast()
        bar.addWidget(self.toast, 1)
        bar.addWidget(self.probe, 1)
        self.parts = {name: QtWidgets.QLabel() for name in ("place", "rates", "latency", "lost", "device")}
        for name, label in self.parts.items():
            label.setObjectName(name)
            label.setContentsMargins(8, 0, 8, 0)
            bar.addPermanentWidget(label)
        self.parts["rates"].setToolTip(RATES)
        self.parts["latency"].setToolTip(LATENCY)
        self.parts["lost"].setToolTip("Frames that never came from the camera, and frames that came but were not "
                                      "processed, because there was no time for them")  # fmt: skip
        self.parts["device"].setToolTip("What computes the pipeline")
        video.probed.connect(self._probed)
        self.toast.turned.connect(lambda: self._probed(self.probe.text()))
        self.toast.turned.connect(bar.clearMessage)  # else both would be drawn over each other
        video.pictured.connect(self._pictured)
        bench.on(Topic.STATE, self._place)
        bench.on(Topic.STATE, self._measured)
        bench.on(Topic.PICTURE, self._place)
        bench.on(Topic.OPENED, self.refresh)
        bench.on(Topic.BUILT, self.refresh)
        bench.on(Topic.MEASURED, self._measured)
        self.refresh()

    def _probed(self, words: str) -> None:
        self.probe.setText(words)
        self.probe.setVisible(bool(words) or self.toast.isHidden())

    def _pictured(self) -> None:
        self._pictures.append(time.monotonic())

    @property
    def shown_rate(self) -> float:
        """Pictures a second on the screen."""
        now = time.monotonic()
        recent = [at for at in self._pictures if now - at < 1.0]
        return float(len(recent))

    def refresh(self) -> None:
        """Everything anew."""
        self._place()
        self._measured()
        built = self._bench.built
        self.parts["device"].setText("" if built is None else built.device)

    def _place(self) -> None:
        bench = self._bench
        words = _WORDS[bench.state]
        if bench.opening is not None:  # what was open before may still be shown
            words = f"opening {short(bench.opening.what)} …"
        elif bench.opened is not None and bench.state is RunState.IDLE:
            words = "opening …"
        if bench.opened is None or bench.opening is not None:
            self.parts["place"].setMinimumWidth(0)
            self.parts["place"].setText(words)
            return
        frame = bench.shown.frame if bench.shown is not None else bench.position
        info = bench.opened.info
        number = bench.number(frame)
        since, told = ("", LIVE) if bench.live else counted(info)
        seconds = f"  {bench.shown.time:.4f} s{since}" if bench.shown is not None and info.time.fps > 0 else ""
        self.parts["place"].setToolTip(told)
        if frame < 0:  # there is none yet
            _say(self.parts["place"], words)
            return
        count = "" if bench.live else f" / {info.frames + info.first_number - 1}"
        _say(self.parts["place"], f"{words}   frame {number}{count}{seconds}")

    def _measured(self) -> None:
        measured = self._bench.measured
        if self._bench.opened is None or measured is None:
            for name in ("rates", "latency", "lost"):
                _say(self.parts[name], "")
            return
        rates, latencies = measured.reading.rates, measured.reading.latencies
        hops = {"capture": "camera" if self._bench.live else "read", "engine": "processed"}
        parts = [f"{word} {rates[hop].sustained:.0f}" for hop, word in hops.items() if hop in rates]
        going = self._bench.state is RunState.RUNNING
        words = ",  ".join([*parts, f"shown {self.shown_rate:.0f}"]) + " frames/s"
        _say(self.parts["rates"], words if going else "")
        total = latencies.get("total")
        known = total is not None and total.frames
        words = f"delay {1e3 * total.p50:.1f} ms,  99 % within {1e3 * total.p99:.1f} ms" if total and known else ""
        _say(self.parts["latency"], words)
        ledger = measured.ledger
        missing, left = int(ledger.get("missing", 0)), int(ledger.get("left_out", 0))
        text = "" if not ledger else f"{missing} lost" + (f",  {left} left out" if left else "")
        _say(self.parts["lost"], text)
        _mark(self.parts["lost"], "warn", missing + left > 0)


def counted(info: SourceInfo) -> tuple[str, str]:
    """From where seconds count if not from frame 0, to be written behind them; and a sentence about both."""
    first, begin = info.first_number, info.time.time(0) * info.time.fps
    if first and info.time.fps > 0 and abs(begin - first) > max(2.0, 0.01 * abs(first)) and begin >= 0:
        return f" since {first}", f"Frames have the clip's own numbers; seconds count from its first frame, {first}"
    return "", "Frames and seconds count from the trigger" if first < 0 else "Frames and seconds count from frame 0"


def _say(label: QtWidgets.QLabel, words: str) -> None:
    """Words that change many times a second; the place for them grows by steps, and does not shrink while there are
    any, so that the others stand still."""
    label.setText(words)
    needed = -(-label.sizeHint().width() // STEP) * STEP
    label.setMinimumWidth(max(label.minimumWidth(), needed) if words else 0)


def _mark(label: QtWidgets.QLabel, how: str, on: bool) -> None:
    if label.property(how) != on:
        label.setProperty(how, on)
        label.style().unpolish(label)
        label.style().polish(label)
