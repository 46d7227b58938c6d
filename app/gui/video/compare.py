"""Two parameter sets side by side: A, which was pinned, and B, which is edited, at the same frame with one zoom."""

from __future__ import annotations

import math
from collections.abc import Callable

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Link
from app.desk.pipeline.pinned import Numbers, Pinned
from app.desk.workbench import Workbench
from app.gui import theme
from app.gui.video.view import VideoView

EVERY = 16
COUNT = 700
"""Milliseconds between two looks for A's news, and between two counts."""


class Compare(QtWidgets.QWidget):  # type: ignore[misc]
    """The video, and A at its left while one is pinned.

    Args:
        bench: the state behind the window.
        video: B.
        connect: makes a link to another engine.
    """

    def __init__(self, bench: Workbench, video: VideoView, connect: Callable[[], Link]) -> None:
        super().__init__()
        self._bench, self._video = bench, video
        self.pinned = Pinned(bench, connect)
        self.view: VideoView | None = None
        self.split = QtWidgets.QSplitter(QtCore.Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(video)
        self.words = QtWidgets.QLabel()
        self.words.setTextFormat(QtCore.Qt.TextFormat.RichText)
        self.words.setAlignment(QtCore.Qt.AlignmentFlag.AlignCenter)
        self.words.setWordWrap(True)
        self.words.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self.words.hide()
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.split, 1)
        layout.addWidget(self.words)
        self._timer = QtCore.QTimer(self)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self.tick)
        self._counter = QtCore.QTimer(self)
        self._counter.setInterval(COUNT)
        self._counter.timeout.connect(self.count)
        app = QtWidgets.QApplication.instance()
        if app is not None:  # A's engine ends with the window
            app.aboutToQuit.connect(self.pinned.drop)

    @property
    def on(self) -> bool:
        """Whether A stands there."""
        return self.view is not None

    def switch(self, on: bool) -> None:
        """Pin what is there now as A, or leave it.

        Raises:
            InputError: no clip is open.
        """
        self._leave()
        self.pinned.drop()
        if not on:
            return
        side = self.pinned.pin()
        self.view = VideoView(side)
        self.view.box.setXLink(self._video.box)
        self.view.box.setYLink(self._video.box)
        self.split.insertWidget(0, self.view)
        self.split.setSizes([1000, 1000])
        self.words.show()
        self._timer.start()
        self._counter.start()
        self.count()

    def blink(self) -> None:
        """A in place of B, or both again."""
        if self.view is not None:
            self._video.setVisible(not self._video.isVisible())

    def _leave(self) -> None:
        self._timer.stop()
        self._counter.stop()
        self.words.hide()
        self._video.show()
        if self.view is not None:
            self.view.box.setXLink(None)
            self.view.box.setYLink(None)
            self.view.setParent(None)
            self.view.deleteLater()
            self.view = None

    def tick(self) -> None:
        """Look for A's news."""
        if self.pinned.side is None:  # another clip was opened
            self._leave()
            return
        self.pinned.tick()

    def count(self) -> None:
        """Say the numbers of both."""
        frames, a, b = self.pinned.compare()
        now = theme.current()
        if not frames:
            self.words.setText(f"<span style='color:{now.muted}'>A is starting …</span>")
            return
        name = self.pinned.side.pipeline.name if self.pinned.side is not None else ""
        both = f"in {frames} frame{'' if frames == 1 else 's'}"
        self.words.setText(
            "<table width='100%'><tr>"
            f"<td width='50%' align='center'><b>A</b> {name}, pinned, {both}: {_words(a)}</td>"
            f"<td width='50%' align='center'><b>B</b> {self._bench.pipeline.name}, edited, {both}: {_words(b)}</td>"
            "</tr></table>"
        )
        self.words.setToolTip("Counted in the frames that both have gone through")

    def themed(self) -> None:
        """The colours of the theme."""
        if self.view is not None:
            self.view.graphics.setBackground(theme.current().surround)
            self.count()


def _words(found: Numbers) -> str:
    score = "-" if math.isnan(found.score) else f"{found.score:.3f}"
    tracks = f"{found.tracks} track{'' if found.tracks == 1 else 's'}"
    return f"{tracks}, seen {found.seen}, score {score}, lost {found.lost}, jumps {found.jumps}"
