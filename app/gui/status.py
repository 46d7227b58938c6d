"""The status bar: what runs, how fast, how late, what was lost; and what is under the cursor."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Level, Message, Topic
from app.desk.bench.workbench import Workbench
from app.desk.engine.throughput import CAPTURED, PROCESSED, SHOWN, look
from app.frame_counts import WORDS
from app.gui.compiling_words import compiling_words
from app.gui.video.nothing_open import short
from app.gui.video.view import VideoView
from pipelines.frame import SourceInfo
from pipelines.streaming.common.states import RunState

_WORDS = {
    RunState.IDLE: "nothing open", RunState.STARTING: "starting", RunState.RUNNING: "running",
    RunState.PAUSED: "paused", RunState.SEEKING: "seeking", RunState.RECONNECTING: "camera lost, trying again",
    RunState.STOPPING: "stopping", RunState.STOPPED: "ended", RunState.FAILED: "failed",
}  # fmt: skip


SECONDS = {Level.NOTE: 8.0, Level.WARNING: 20.0, Level.ERROR: 60.0}
"""How long a message is in the status bar."""
_LOUD = list(Level)
"""From a whisper on."""


RATES = (
    "Frames a second that are captured from the camera, processed by the pipeline, and shown; there may be more than "
    "people can see: all are processed, some are not shown"
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
        self._words = self._end = ""
        self._said: list[Message] = []
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self.setContentsMargins(8, 0, 8, 0)
        self.setCursor(QtCore.Qt.CursorShape.PointingHandCursor)
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.clear_message)
        self.hide()

    def say(self, message: Message) -> None:
        """Show a message; one that is shown already and is louder stays, and how many are behind it is said."""
        recent = [one for one in self._said if one.level is not Level.NOTE and message.at - one.at < SECONDS[one.level]]
        self._said = [*recent, message]
        shown = max(reversed(self._said), key=lambda one: _LOUD.index(one.level))
        more = len(self._said) - 1
        self._words, self._end = shown.sentence, f"   (+{more} more)" if more else ""
        self.setToolTip("\n\n".join([*(one.sentence for one in reversed(self._said)), "Click to see all messages"]))
        _mark(self, "warn", shown.level is Level.WARNING)
        _mark(self, "bad", shown.level is Level.ERROR)
        self._fit()
        self.show()
        self.turned.emit()
        self._timer.start(int(1e3 * SECONDS[shown.level]))

    def clear_message(self) -> None:
        """Show nothing."""
        self._words = self._end = ""
        self._said = []
        self._timer.stop()
        self.hide()
        self.turned.emit()

    @property
    def message(self) -> str:
        """What it shows."""
        return self._words

    def _fit(self) -> None:
        room, end = max(40, self.width() - 20), QtCore.Qt.TextElideMode.ElideRight
        room -= self.fontMetrics().horizontalAdvance(self._end)
        self.setText(self.fontMetrics().elidedText(self._words, end, max(40, room)) + self._end)

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
        self._bench = bench
        self.probe = QtWidgets.QLabel()
        self.toast = Toast()
        bar.addWidget(self.toast, 1)
        bar.addWidget(self.probe, 1)
        self.parts = {name: QtWidgets.QLabel() for name in ("place", "rates", "latency", "lost", "device")}
        for name, label in self.parts.items():
            label.setObjectName(name)
            bar.addPermanentWidget(label)
        self.parts["rates"].setToolTip(RATES)
        self.parts["latency"].setToolTip(LATENCY)
        self.parts["lost"].setToolTip("\n".join(f"{word}: {WORDS[word]}" for word in ("lost", "left out")))
        self.parts["device"].setToolTip("What computes the pipeline")
        video.probed.connect(self._probed)
        self.toast.turned.connect(lambda: self._probed(self.probe.text()))
        self.toast.turned.connect(bar.clearMessage)  # else both would be drawn over each other
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

    def refresh(self) -> None:
        """Everything anew."""
        self._place()
        self._measured()
        built = self._bench.built
        self.parts["device"].setText("" if built is None else built.device)

    def _place(self) -> None:
        bench = self._bench
        words = _WORDS[bench.state]
        if bench.compiling is not None:
            words = f"{compiling_words(bench.compiling)} …"
        elif bench.opening is not None:  # what was open before may still be shown
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
        since, tip = ("", LIVE) if bench.live else counted(info)
        seconds = f"  {bench.shown.time:.4f} s{since}" if bench.shown is not None and info.time.fps > 0 else ""
        self.parts["place"].setToolTip(tip)
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
        seen = look(self._bench.readings)
        parts = [f"{speed.name} {speed.now:.0f}" for speed in seen.speeds if speed.name in (CAPTURED, PROCESSED, SHOWN)]
        going = self._bench.state is RunState.RUNNING and self._bench.compiling is None
        _say(self.parts["rates"], f"{',  '.join(parts)} frames/s" if going and parts else "")
        total = measured.reading.latencies.get("total")
        known = total is not None and total.frames
        words = f"latency {1e3 * total.p50:.1f} ms,  99 % within {1e3 * total.p99:.1f} ms" if total and known else ""
        _say(self.parts["latency"], words)
        counts = seen.counts
        left = f",  {counts.all_left_out} left out" if counts.all_left_out else ""
        _say(self.parts["lost"], f"{counts.all_lost} lost{left}" if measured.ledger else "")
        _mark(self.parts["lost"], "warn", counts.all_lost + counts.all_left_out > 0)


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
