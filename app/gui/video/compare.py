"""Two parameter sets side by side: A, which was pinned, and B, which is edited, at the same frame with one zoom."""

from __future__ import annotations

import math
from collections.abc import Callable

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Level, Link, Topic
from app.desk.bench.workbench import Workbench
from app.desk.pipeline.differing import Difference, differences
from app.desk.services.pinned import Numbers, Pinned
from app.gui import theme
from app.gui.pipeline.looks import runs
from app.gui.video.curtain import Curtain
from app.gui.video.side_label import SideLabel
from app.gui.video.view import VideoView
from pipelines.graph import Pipeline

EVERY = 16
COUNT = 700
"""Milliseconds between two looks for A's news, and between two counts."""
HEADS = ("tracks", "seen", "score", "lost", "jumps")
BOTH, ONLY_A, ONLY_B, WIPE, APART = "A and B", "Only A", "Only B", "A over B", "Difference"


class Compare(QtWidgets.QWidget):  # type: ignore[misc]
    """The video, and A at its left while one is pinned.

    Args:
        bench: the state behind the window.
        video: B.
        connect: makes a link to another engine.

    Attributes:
        view: A's picture, None while nothing is compared. labels: what is over the pictures, A's and B's.
        left: a signal: the comparison was left by a button.
        bar: the row below both: how they do, which are seen, and which is kept.
    """

    left = QtCore.pyqtSignal()

    def __init__(self, bench: Workbench, video: VideoView, connect: Callable[[], Link]) -> None:
        super().__init__()
        self._bench, self._video = bench, video
        self.pinned = Pinned(bench, connect)
        self.pinned.paired = self._paired
        self.view: VideoView | None = None
        self.labels: tuple[SideLabel, ...] = ()
        self.curtain: Curtain | None = None
        self._seen = BOTH
        self._linked = self._following = False
        video.box.sigRangeChanged.connect(lambda *_: self._follow(video))
        self.split = QtWidgets.QSplitter(QtCore.Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(video)
        self.words = QtWidgets.QLabel()
        self.words.setTextFormat(QtCore.Qt.TextFormat.RichText)
        self.words.setAlignment(QtCore.Qt.AlignmentFlag.AlignVCenter)
        self.words.setWordWrap(True)
        self.words.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self.bar = QtWidgets.QWidget()
        self.bar.hide()
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.split, 1)
        layout.addWidget(self.bar)
        self._fill_bar()
        self._timer = QtCore.QTimer(self)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self.tick)
        self._counter = QtCore.QTimer(self)
        self._counter.setInterval(COUNT)
        self._counter.timeout.connect(self.count)
        bench.on(Topic.PIPELINE, self._differ)
        app = QtWidgets.QApplication.instance()
        if app is not None:  # A's engine ends with the window
            app.aboutToQuit.connect(self.pinned.drop)

    def _fill_bar(self) -> None:
        row = QtWidgets.QHBoxLayout(self.bar)
        row.setContentsMargins(8, 2, 8, 2)
        row.setSpacing(6)
        row.addWidget(self.words, 1)
        self.choice = QtWidgets.QComboBox()
        self.choice.addItems((BOTH, ONLY_A, ONLY_B, WIPE, APART))
        self.choice.setToolTip("Side by side, one in the place of the other (Shift+C goes from A to B and back), A "
                               "drawn over a part of B, or how far their pictures are apart")  # fmt: skip
        self.edge = QtWidgets.QSlider(QtCore.Qt.Orientation.Horizontal)
        self.edge.setRange(0, 1000)
        self.edge.setValue(500)
        self.edge.setToolTip("How far A is drawn over B; its edge can be dragged on the picture, too")
        self.edge.valueChanged.connect(self._drawn)
        self.edge.hide()
        self.choice.currentTextChanged.connect(self.show_side)
        self.use_a, self.keep_b = QtWidgets.QPushButton("Use A"), QtWidgets.QPushButton("Keep B")
        self.use_a.setToolTip("Go on with A's pipeline and parameters, in place of B's; Edit > Undo brings B's back")
        self.keep_b.setToolTip("Go on with B, and leave the comparison  (C)")
        self.use_a.clicked.connect(lambda: self.adopt())
        self.keep_b.clicked.connect(lambda: self._done())
        buttons = QtWidgets.QHBoxLayout()
        buttons.setSpacing(6)
        for widget in (self.choice, self.use_a, self.keep_b):
            buttons.addWidget(widget)
        column = QtWidgets.QVBoxLayout()
        column.setSpacing(4)
        column.addStretch(1)
        column.addLayout(buttons)
        column.addWidget(self.edge)  # below: the numbers keep their room
        column.addStretch(1)
        row.addLayout(column)
        for widget in (self.edge, self.choice, self.use_a, self.keep_b):
            widget.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)

    @property
    def on(self) -> bool:
        """Whether A is there."""
        return self.view is not None

    def switch(self, on: bool, pipeline: Pipeline | None = None) -> None:
        """Pin what is there now as A, or another pipeline, or leave it.

        Raises:
            InputError: no clip is open.
        """
        self._leave()
        self.pinned.drop()
        if not on:
            return
        side = self.pinned.pin(pipeline)
        self.view = VideoView(side)
        self.view.box.sigRangeChanged.connect(lambda *_, view=self.view: self._follow(view))
        self._link(True)
        self.view.paired = self._video.paired = True
        self.labels = (SideLabel("A", self.view), SideLabel("B", self._video))
        self.split.insertWidget(0, self.view)
        self.split.setSizes([1000, 1000])
        self.bar.show()
        self._timer.start()
        self._counter.start()
        self._differ()
        self.count()

    def adopt(self) -> None:
        """Go on with A's pipeline, and leave the comparison."""
        side = self.pinned.side
        made = None if side is None else side.pipeline
        self._done()
        if made is not None and made != self._bench.pipeline:
            self._bench.editor.edit("use A", made)

    def _done(self) -> None:
        """Without A again; menus are told."""
        self.switch(False)
        self.left.emit()

    def blink(self) -> None:
        """A in place of B, or B in place of A."""
        if self.view is not None:
            self.choice.setCurrentText(ONLY_B if self._seen == ONLY_A else ONLY_A)

    def show_side(self, which: str) -> None:
        """Show BOTH, ONLY_A or ONLY_B side by side or alone, WIPE or APART one over the other."""
        if self.view is None:
            return
        seen = self.view if self._seen == ONLY_A else self._video
        part = None if seen.all_seen else seen.box.viewRect()
        self._seen = which
        self._link(False)  # the range of what is hidden is of another size, and would be carried over
        self.view.setVisible(which in (BOTH, ONLY_A))
        self._video.setVisible(which != ONLY_A)
        self._draw_curtain(which)
        QtCore.QTimer.singleShot(0, lambda: self._look_at(part))  # once both have their places
        QtCore.QTimer.singleShot(0, self._place_labels)

    def _draw_curtain(self, which: str) -> None:
        side, over = self.pinned.side, which in (WIPE, APART)
        if self.curtain is not None and not over:
            self.curtain.leave()
            self.curtain = None
        self.edge.setVisible(which == WIPE)
        if self.view is None or side is None:
            return
        if over and self.curtain is None:
            self.curtain = Curtain(self._video, side.tracks.name, lambda share: self.edge.setValue(round(1000 * share)),
                                   lambda: side.colours)  # fmt: skip
        for label, view in zip(self.labels, (self.view, self._video), strict=True):
            label.stand_over(self._video if over else view, over and view is self._video)
        if self.curtain is not None:
            self.curtain.set_apart(which == APART)
            self._drawn()
            self._paired()
            if not self.curtain.comparable():
                self._bench.speak(Level.NOTE, "the pictures of A and B have different sizes; A's is shown")

    def _drawn(self) -> None:
        if self.curtain is not None:
            self.curtain.set_share(self.edge.value() / 1000)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:  # noqa: N802
        """Words in the right corner stay there."""
        super().resizeEvent(event)
        QtCore.QTimer.singleShot(0, self._place_labels)

    def _place_labels(self) -> None:
        for label in self.labels:
            label.place()

    def _link(self, on: bool) -> None:
        """Whether both look at the same part at any time."""
        self._linked = on
        if on:
            self._follow(self._video)

    def _follow(self, moved: VideoView) -> None:
        """Have the other look at what this one was told to look at.

        Not at what it shows: that is more where its shape is another one, and of two that are resized one after the
        other each would take it over from the other, with a smaller picture every time.
        """
        if self.view is None or not self._linked or self._following or moved not in (self.view, self._video):
            return
        other = self._video if moved is self.view else self.view
        self._following = True
        try:
            other.box.setRange(moved.box.targetRect(), padding=0)
        finally:
            self._following = False

    def _look_at(self, part: QtCore.QRectF | None) -> None:
        """Look at a part of the picture, None for all of it."""
        if self.view is None:
            return
        for view in (self.view, self._video):
            if not view.isHidden():
                if part is None:
                    view.fit()
                else:
                    view.box.setRange(part, padding=0)
        self._link(self._seen == BOTH)

    def _leave(self) -> None:
        self._timer.stop()
        self._counter.stop()
        self.bar.hide()
        self.choice.setCurrentText(BOTH)
        self._seen = BOTH
        self._video.show()
        if self.curtain is not None:
            self.curtain.leave()
            self.curtain = None
        for label in self.labels:
            label.leave()
        self.labels = ()
        if self.view is not None:
            self._link(False)
            self.view.setParent(None)
            self.view.deleteLater()
            self.view = None
            self._video.paired = False
            if self._bench.shown is not None:
                self._video.show_picture(self._bench.shown)

    def tick(self) -> None:
        """Look for A's news."""
        if self.pinned.side is None:  # another clip was opened
            self._leave()
            self.left.emit()
            return
        self.pinned.tick()

    def _paired(self) -> None:
        """Both have a picture of one frame."""
        pair = self.pinned.pair
        if self.view is None or pair is None:
            return
        for view, shown, label in zip((self.view, self._video), pair, self.labels, strict=True):
            view.show_picture(shown)
            label.show_frame(self._bench.number(shown.frame))
        if self.curtain is not None:
            self.curtain.show_pair(pair, self.view.overlay.rows, self.view.overlay.past, not runs(self._bench))

    def _differ(self) -> None:
        """Say in what they differ."""
        side = self.pinned.side
        if side is None or not self.labels:
            return
        found = differences(side.pipeline, self._bench.pipeline)
        for label, value in zip(self.labels, (_first, _second), strict=True):
            label.show_differences([(one.what, value(one)) for one in found])
        self.use_a.setEnabled(bool(found))

    def count(self) -> None:
        """Say the numbers of both."""
        frames, a, b = self.pinned.compare()
        now = theme.current()
        if not frames:
            self.words.setText(f"<span style='color:{now.muted}'>A is starting …</span>")
            return
        name = self.pinned.side.pipeline.name if self.pinned.side is not None else ""
        both = f"in {frames} frame{'' if frames == 1 else 's'}"
        heads = "".join(f"<td align='right'>&nbsp;&nbsp;&nbsp;{head}</td>" for head in HEADS)
        lines = f"<tr style='color:{now.muted}'><td>{both}</td>{heads}</tr>"
        for side, how, found in (("A", "pinned", a), ("B", "edited", b)):
            cells = "".join(f"<td align='right'>{cell}</td>" for cell in _cells(found))
            lines += f"<tr><td><b>{side}</b> {how}</td>{cells}</tr>"
        self.words.setText(f"<table cellspacing='0' cellpadding='0'>{lines}</table>")
        self.words.setToolTip(f"A is {name}, B is {self._bench.pipeline.name}; counted in the frames that both have "
                              "gone through")  # fmt: skip

    def themed(self) -> None:
        """The colours of the theme."""
        if self.view is not None:
            self.view.graphics.setBackground(theme.current().surround)
            self.count()


def _first(one: Difference) -> str:
    return one.first


def _second(one: Difference) -> str:
    return one.second


def _cells(found: Numbers) -> tuple[str, ...]:
    """The numbers of a side, as HEADS calls them."""
    score = "-" if math.isnan(found.score) else f"{found.score:.3f}"
    return f"{found.tracks}", f"{found.seen}", score, f"{found.lost}", f"{found.jumps}"
