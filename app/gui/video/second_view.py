"""The second clip at the right of the video: its picture with its tracks, and the row below it that says how both go
together."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.services.second_clip import Second
from app.gui import theme
from app.gui.elided import Elided
from app.gui.icons import icon
from app.gui.reading_dialog import ReadingDialog
from app.gui.settings import Settings
from app.gui.video.compare import Compare
from app.gui.video.side_label import CornerNote
from app.gui.video.view import VideoView
from app.sources.reading import AS_STORED, Reading

EVERY = 8
"""Milliseconds between two looks for its news: less than lie between two of its pictures, of which the box between both
processes holds the newest alone."""
FAR = 1e9
"""Seconds, or frames, that an offset may have."""
WAITING = "Opening …"


class SecondPanel(QtWidgets.QWidget):  # type: ignore[misc]
    """One second clip; another one has another panel.

    Args:
        second: what is shown. side: its bench.
        guard: called with what may go wrong; turns errors into messages.

    Attributes:
        view: the picture. name, frame: words. back, on, slider: go through it by itself. linked, here, offset, reading,
            cross: how it goes with the first one.
    """

    def __init__(self, second: Second, side: Workbench, guard: Callable[[Callable[[], object]], object]) -> None:
        super().__init__()
        self._second, self._side, self._guard = second, side, guard
        self.view = VideoView(side)
        self.name = CornerNote(self.view)
        self.frame = Elided()
        self.frame.setProperty("muted", True)
        self.frame.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self.back, self.on = QtWidgets.QToolButton(), QtWidgets.QToolButton()
        for button, frames, words in ((self.back, -1, "back"), (self.on, 1, "on")):
            button.setToolTip(f"The second clip alone one frame {words}")
            button.clicked.connect(lambda _checked, frames=frames: guard(partial(second.step, frames)))
        self.slider = QtWidgets.QSlider(QtCore.Qt.Orientation.Horizontal)
        self.slider.setToolTip("Go through the second clip alone: it follows the first one no more until both are "
                               "linked again")  # fmt: skip
        self.slider.sliderMoved.connect(lambda frame: guard(partial(second.go, frame)))
        self.slider.actionTriggered.connect(lambda _: guard(lambda: second.go(self.slider.sliderPosition())))
        self.linked = QtWidgets.QToolButton()
        self.linked.setCheckable(True)
        self.linked.setToolTip("Linked: the second clip shows the frame of the same moment, by times and offset")
        self.linked.clicked.connect(lambda on: guard(partial(second.link, on)))
        self.here = QtWidgets.QPushButton("Same moment")
        self.here.setToolTip("The frames that both show were exposed at one moment: the offset follows, and they go on "
                             "together")  # fmt: skip
        self.here.clicked.connect(lambda: guard(second.same_moment))
        self.offset = QtWidgets.QDoubleSpinBox()
        self.offset.setRange(-FAR, FAR)
        self.offset.setKeyboardTracking(False)
        self.offset.setMinimumWidth(104)
        self.offset.valueChanged.connect(lambda value: guard(partial(second.set_offset, value)))
        self.cross, self.reading = QtWidgets.QToolButton(), QtWidgets.QToolButton()
        self.reading.setToolTip("How the second clip is read: its rate, bits, which side is up")
        self.reading.clicked.connect(lambda: guard(self.ask_reading))
        self.cross.setToolTip("Close the second clip")
        self.cross.clicked.connect(lambda: guard(second.close))
        first, middle, below = (QtWidgets.QHBoxLayout() for _ in range(3))
        for row in (first, middle, below):
            row.setContentsMargins(6, 0, 6, 0)
            row.setSpacing(4)
        for widget in (self.back, self.on, self.slider):
            first.addWidget(widget, int(widget is self.slider))
        middle.addWidget(self.frame)  # in a row of its own: beside it a narrow panel has no slider
        below.addStretch(1)
        for widget in (self.offset, self.linked, self.here, self.reading, self.cross):
            below.addWidget(widget)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.view, 1)
        for row in (first, middle, below):
            layout.addLayout(row)
        for widget in (self.back, self.on, self.slider, self.linked, self.here, self.reading, self.cross):
            widget.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)
        side.on(Topic.PICTURE, self._pictured)
        side.on(Topic.OPENED, self.refresh)
        self.themed()
        self.refresh()

    def refresh(self) -> None:
        """Say what there is."""
        second, info = self._second, self._side.info
        clip = second.clip
        ready = info is not None
        for widget in (self.back, self.on, self.slider, self.linked, self.here, self.offset, self.reading):
            widget.setEnabled(ready)
        if clip is None:
            return
        self.name.say(clip.name if info is None else info.name)
        self.linked.setChecked(second.linked)
        self.offset.blockSignals(True)
        if second.timed:
            self.offset.setDecimals(6)
            self.offset.setSuffix(" s")
            assert info is not None
            self.offset.setSingleStep(1.0 / info.time.fps)
            tip = "Added to the second clip's times to give the first one's; an arrow moves it by a frame"
        else:
            self.offset.setDecimals(0)
            self.offset.setSuffix(" frames")
            self.offset.setSingleStep(1.0)
            tip = "The rate of one of both is unknown: frames are counted. Added to the second clip's frames"
        self.offset.setValue(second.offset)
        self.offset.blockSignals(False)
        if second.ahead is not None:
            tip += f"\nThe second clip is {second.ahead} frames ahead: fusetrack reconstruct --offset {second.ahead}"
        self.offset.setToolTip(tip)
        if info is not None:
            rate = f"{info.time.fps:.6g} fps" if info.time.fps > 0 else "rate unknown"
            tracks = f"\ntracks of the run {clip.run}" if clip.run else ""
            self.name.setToolTip(f"{clip.path}\n{info.frames} frames, {rate}, {info.width} x {info.height}{tracks}")
            self.slider.setRange(0, max(0, info.frames - 1))
        self.tell()

    def _pictured(self) -> None:
        shown = self._side.shown
        if shown is not None and not self.slider.isSliderDown():
            self.slider.blockSignals(True)
            self.slider.setValue(shown.frame)
            self.slider.blockSignals(False)
        self.tell()

    def tell(self) -> None:
        """The frame that is shown, and whether the first clip's moment lies in it."""
        shown, second = self._side.shown, self._second
        if shown is None or self._side.info is None:
            self.frame.setText(WAITING if self._side.opening is not None else "")
            return
        words = f"frame {self._side.number(shown.frame)}"
        if self._side.info.time.fps > 0:
            words += f"  {shown.time:.4f} s"
        if not second.linked:
            words += ", by itself"
        elif second.pair is not None and second.outside(second.pair[0].frame):
            words += ", not of this moment"
        self.frame.setText(words)
        self.frame.setToolTip(words)

    def ask_reading(self) -> ReadingDialog | None:
        """Ask how it shall be read."""
        info, clip = self._side.info, self._second.clip
        if info is None or clip is None:
            return None
        dialog = ReadingDialog(self, info, clip.reading, self._read_as)
        dialog.show()
        return dialog

    def _read_as(self, reading: Reading) -> None:
        self._guard(partial(self._second.read_as, reading))

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.view.graphics.setBackground(theme.current().surround)
        for button, name in ((self.back, "previous"), (self.on, "next"), (self.linked, "link"), (self.cross, "close"),
                             (self.reading, "settings")):  # fmt: skip
            button.setIcon(icon(name))


class SecondView(QtCore.QObject):  # type: ignore[misc]
    """Puts the panel of the second clip beside the video, and takes it away.

    Args:
        bench: of the first clip.
        second: what is beside it.
        video: of the first clip.
        compare: in which the video is.
        guard: called with what may go wrong; turns errors into messages.

    Attributes:
        panel: what is there; None while there is none.
    """

    def __init__(
        self, bench: Workbench, second: Second, compare: Compare, video: VideoView,
        guard: Callable[[Callable[[], object]], object],
    ) -> None:  # fmt: skip
        super().__init__(compare)
        self._bench, self._second, self._compare, self._video, self._guard = bench, second, compare, video, guard
        self._split = compare.split
        self.panel: SecondPanel | None = None
        second.began, second.paired, second.late = self._began, self._paired, self._alone
        second.on(self._refresh)
        self._timer = QtCore.QTimer(self)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(second.tick)
        app = QtWidgets.QApplication.instance()
        if app is not None:  # its engine ends with the window
            app.aboutToQuit.connect(second.quit)

    def _began(self) -> None:
        panel, self.panel = self.panel, None
        if panel is not None:
            panel.setParent(None)
            panel.deleteLater()
            self._timer.stop()
        side = self._second.side
        self._alone()
        if side is not None:
            self.panel = SecondPanel(self._second, side, self._guard)
            self._split.addWidget(self.panel)
            self._split.setSizes([1000] * self._split.count())
            self._timer.start()

    def _refresh(self) -> None:
        if self.panel is not None:
            self.panel.refresh()
            if not self._second.linked:
                self._alone()

    def _paired(self) -> None:
        """Both have pictures of one moment, which are shown at once. While two parameter sets are compared the first
        clip's are in pairs with theirs."""
        pair, panel = self._second.pair, self.panel
        if pair is None or panel is None:
            return
        panel.view.paired = True
        panel.view.show_picture(pair[1])
        if not self._compare.on:
            self._video.paired = True
            self._video.show_picture(pair[0])
        panel.tell()

    def _alone(self) -> None:
        """Each shows what it has: there is no second clip, it goes by itself, or it is late."""
        if self.panel is not None:
            self.panel.view.paired = False
            if self._second.side is not None and self._second.side.shown is not None:
                self.panel.view.show_picture(self._second.side.shown)
        if not self._compare.on:
            self._video.paired = False
            if self._bench.shown is not None:
                self._video.show_picture(self._bench.shown)

    def themed(self) -> None:
        """Take the colours of the theme."""
        if self.panel is not None:
            self.panel.themed()


class SecondOpening:
    """Asks what is to be shown beside the first clip.

    Args:
        second: shows it.
        parent: of the dialogs.
        settings: remember the folder, and how clips are read.
    """

    def __init__(self, second: Second, parent: QtWidgets.QWidget, settings: Settings) -> None:
        self._second, self._parent, self._settings = second, parent, settings

    def clip(self, kinds: str) -> None:
        """Choose a clip; `kinds` are the endings of what there is."""
        path, _ = QtWidgets.QFileDialog.getOpenFileName(
            self._parent, "Open a second clip", self._settings.folder, kinds
        )
        if path:
            self.open(str(path))

    def results(self) -> None:
        """Choose a run's folder."""
        path = QtWidgets.QFileDialog.getExistingDirectory(
            self._parent, "Open the results of a run beside", self._settings.folder
        )
        if path:
            self.open(str(path))

    def open(self, what: str) -> None:
        """Show it, read as the user has had it read before.

        Raises:
            InputError: no clip is open, or it is something else.
        """
        self._second.open(what, self._settings.readings.get(what, AS_STORED))
