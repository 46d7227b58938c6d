"""The timeline: where the playback is, what is known, how well it was tracked, marks, the trigger, problems."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.tracks.problem_watch import FOUND, ProblemsInWords, in_words, of_kind
from app.desk.tracks.problems import Kind, Problem
from app.gui import theme
from app.gui.traces import event_ticks
from app.gui.traces.quality import UNKNOWN
from app.gui.traces.scan import Scan

HEIGHT, STRIP = 46, 31
"""Pixels, at least; what of them is above the numbers."""
SMALLER = 0.83
"""Numbers, of the size of words elsewhere."""
_LEFT, _RIGHT = 10, 10
_EVERY = 700
"""Milliseconds between two looks at what is new."""
_SOON = 15
"""The same while rows wait."""
_PAUSE = 10
"""While rows wait, a look at what was found is followed by a pause of so many times as long."""
_NEAR = 4
"""Pixels from the cursor within which problems are named."""
_MOST_NAMED = 8
_NICE = (1, 2, 5)
SHADE = 170
"""Of 255: how much of a shade covers what is under it."""


class Timeline(QtWidgets.QWidget):  # type: ignore[misc]
    """A strip of all frames: press to go there, drag to scrub, drag the marks to change the range.

    Args:
        bench: the state behind the window.

    Attributes:
        kind: of the problems that are marked; None for all.
        asked: a signal: what can be done with events is wanted, at a frame and those beside it, at a place.
    """

    asked = QtCore.pyqtSignal(int, int, object)

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self._high = max(HEIGHT, STRIP + self.fontMetrics().height())
        self.setMinimumHeight(self._high)
        self.setMaximumHeight(self._high + 14)
        self.setMouseTracking(True)
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed)
        self.kind: Kind | None = None
        self._scan = Scan()
        self._found = np.zeros(0, FOUND)
        self._in_words: ProblemsInWords | None = None
        self._stale = False
        self._next = 0.0
        self._shades = np.full(1, UNKNOWN)
        self._shaded: tuple[object, ...] = ()
        self._shaded_span = (0, 0)
        self._strip = QtGui.QImage()
        self._ticks: tuple[tuple[object, ...], list[int]] = ((), [])
        self._grip = ""
        self._resume = False
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_EVERY)
        self._timer.timeout.connect(self._look)
        bench.on(Topic.PICTURE, self.update)
        bench.on(Topic.STATE, self.update)
        bench.on(Topic.VIEW, self.update)
        bench.on(Topic.ROWS, self._due)
        bench.on(Topic.OPENED, self._opened)

    def sizeHint(self) -> QtCore.QSize:  # noqa: N802
        """Wide and low."""
        return QtCore.QSize(600, self._high)

    @property
    def span(self) -> tuple[int, int]:
        """First frame and one past the last that the strip shows: of a camera, those that came."""
        opened = self._bench.opened
        if opened is None:
            return 0, 0
        return (0, max(1, self._bench.position + 1)) if opened.live else (0, opened.info.frames)

    @property
    def frame(self) -> int:
        """Where the playback is."""
        shown = self._bench.shown
        return shown.frame if shown is not None else max(0, self._bench.position)

    # ------------------------------------------------------------------------------------------------ following

    def _opened(self) -> None:
        self._scan = Scan()
        self._look()

    def _due(self) -> None:
        if not self._timer.isActive():
            self._timer.start(_EVERY)

    def _look(self) -> None:
        """Look at what is new: shades and problems; while much waits, what comes of it is fetched now and then."""
        behind = self._scan.behind
        self._stale |= self._scan.look(self._bench.store)
        if self._stale and (not self._scan.behind or time.perf_counter() >= self._next):
            self._fetch()
        if self._scan.behind != behind:
            self.update()
        if self._scan.behind:
            self._timer.start(_SOON)
        elif self._scan.unsettled:
            self._due()

    def _fetch(self) -> None:
        begin = time.perf_counter()
        self._found, self._in_words = self._scan.found, None
        self._shades, self._stale = np.zeros(0), False
        self._next = time.perf_counter() + _PAUSE * (time.perf_counter() - begin)
        self.update()

    @property
    def catching_up(self) -> bool:
        """Whether rows are there that were not looked at yet: there may be more problems than are shown."""
        return self._scan.behind

    @property
    def problems(self) -> Sequence[Problem]:
        """Those of the kind that is looked at, by frame."""
        if self._in_words is None:
            self._in_words = ProblemsInWords(of_kind(self._found, self.kind))
        return self._in_words

    def show_kind(self, kind: Kind | None) -> None:
        """Mark problems of one kind only; None for all."""
        self.kind, self._in_words = kind, None
        self.update()

    def newest_problems(self) -> Sequence[Problem]:
        """The problems as of now; of many rows, as of a moment ago."""
        self._look()
        if self._stale:
            self._fetch()
        return self.problems

    # ----------------------------------------------------------------------------------------------- geometry

    def place(self, frame: float) -> float:
        """Where a frame's middle stands, in pixels."""
        first, end = self.span
        width: int = self.width() - _LEFT - _RIGHT
        return _LEFT + (frame + 0.5 - first) / max(1, end - first) * width

    def frame_at(self, x: float) -> int:
        """The frame at a place."""
        first, end = self.span
        share = (x - _LEFT) / max(1, self.width() - _LEFT - _RIGHT)
        return min(max(first + int(share * (end - first)), first), max(first, end - 1))

    # ---------------------------------------------------------------------------------------------------- mouse

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:  # noqa: N802
        """Take hold of a mark, or go to a frame."""
        opened = self._bench.opened
        if opened is None or opened.live or event.button() != QtCore.Qt.MouseButton.LeftButton:
            return
        first, end = self._bench.range
        near = {"in": abs(event.x() - self.place(first - 0.5)), "out": abs(event.x() - self.place(end - 0.5))}
        grip = min(near, key=near.__getitem__)
        # While the range is the whole clip its marks stand where people press for the first and the last frame: they
        # are taken from nearer by.
        whole = self._bench.range == (0, opened.info.frames)
        if event.y() < 14 and near[grip] < 8 and not (whole and near[grip] > 5):
            self._grip = grip
            return
        self._grip = "frame"
        self._bench.player.pause()
        self._bench.player.seek(self.frame_at(event.x()))

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:  # noqa: N802
        """Scrub, or move a mark."""
        frame = self.frame_at(event.x())
        first, end = self._bench.range
        if self._grip == "frame":
            self._bench.player.seek(frame)
        elif self._grip == "in" and frame < end:
            self._bench.player.set_range(frame, end)
        elif self._grip == "out" and frame + 1 > first:
            self._bench.player.set_range(first, frame + 1)
        elif not self._grip:
            self.setToolTip(self._words(event.x()))

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:  # noqa: N802
        """Let go."""
        del event
        self._grip = ""

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:  # noqa: N802
        """What can be done with the events there."""
        first, end = self.span
        reach = round(_NEAR * (end - first) / max(1, self.width() - _LEFT - _RIGHT))
        self.asked.emit(self.frame_at(event.x()), reach, event.globalPos())

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:  # noqa: N802
        """Frame by frame."""
        self._bench.player.step(-1 if event.angleDelta().y() > 0 else 1)

    def _words(self, x: float) -> str:
        opened = self._bench.opened
        if opened is None:
            return ""
        frame = self.frame_at(x)
        info = opened.info
        words = f"frame {frame + info.first_number}"
        if info.time.fps > 0 and not opened.live:
            words += f", {info.time.time(frame):.4f} s"
        if self.catching_up:
            words += "\nstill looking for problems in what came"
        found = of_kind(self._found, self.kind)
        first, end = self.span
        reach = _NEAR * (end - first) / max(1, self.width() - _LEFT - _RIGHT)
        middle = first + (x - _LEFT) * reach / _NEAR - 0.5
        a, b = np.searchsorted(found["frame"], (middle - reach, middle + reach))
        lines = [words, *event_ticks.words(self._bench, middle, reach)]
        near = [in_words(found[k]) for k in range(a, min(b, a + _MOST_NAMED))]
        name = self._bench.tracks.name
        return "\n".join([*lines, *(f"frame {p.frame + info.first_number}, track {name(p.track)}: {p.what}"
                                   for p in near)])  # fmt: skip

    # --------------------------------------------------------------------------------------------------- drawing

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:  # noqa: N802
        """Draw."""
        del event
        colours = theme.current()
        painter = QtGui.QPainter(self)
        strip = QtCore.QRectF(_LEFT, 14, max(1, self.width() - _LEFT - _RIGHT), 12)
        painter.setPen(QtCore.Qt.PenStyle.NoPen)
        painter.setBrush(QtGui.QColor(colours.field))
        painter.drawRoundedRect(strip.adjusted(-2, -2, 2, 2), 3, 3)
        opened = self._bench.opened
        if opened is None:
            return
        self._draw_shades(painter, strip)
        if not opened.live:
            self._draw_range(painter, strip)
            self._draw_problems(painter, strip)
            event_ticks.draw(painter, strip, [self.place(e.frame) for e in self._bench.events])
        self._draw_ticks(painter, strip)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        x = self.place(self.frame)
        painter.setPen(QtGui.QPen(QtGui.QColor(colours.text), 2))
        painter.drawLine(QtCore.QPointF(x, 4), QtCore.QPointF(x, strip.bottom() + 3))
        painter.setBrush(QtGui.QColor(colours.text))
        painter.drawPolygon(QtGui.QPolygonF([QtCore.QPointF(x - 5, 2), QtCore.QPointF(x + 5, 2), QtCore.QPointF(x, 9)]))

    def _draw_shades(self, painter: QtGui.QPainter, strip: QtCore.QRectF) -> None:
        """A picture of one pixel for each place, made anew where another one is to be seen."""
        opened = self._bench.opened
        live = opened is not None and opened.live
        grows = live and self.span[1] >= self._shaded_span[1]  # as a camera's does, until another run begins
        wanted = (self.width(), theme.current().name, () if grows else self.span)
        if not len(self._shades) or wanted != self._shaded:
            first, end = self._shaded_span = self.span
            places = max(1, min(self.width() - _LEFT - _RIGHT, end - first))  # no gaps between few frames
            self._shades, self._shaded = self._scan.shades(first, end, places), wanted
            self._strip = _picture(self._shades)
        a, b = (self.place(frame - 0.5) for frame in self._shaded_span)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing, False)
        painter.setRenderHint(QtGui.QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(QtCore.QRectF(a, strip.top() + 3, b - a, 6), self._strip)

    def _draw_range(self, painter: QtGui.QPainter, strip: QtCore.QRectF) -> None:
        colours = theme.current()
        first, end = self._bench.range
        a, b = self.place(first - 0.5), self.place(end - 0.5)
        veil = QtGui.QColor(colours.window)
        veil.setAlpha(190)
        painter.fillRect(QtCore.QRectF(strip.left() - 2, strip.top() - 2, a - strip.left() + 2, 16), veil)
        painter.fillRect(QtCore.QRectF(b, strip.top() - 2, strip.right() - b + 2, 16), veil)
        painter.setPen(QtGui.QPen(QtGui.QColor(colours.accent), 2))
        for x, way in ((a, 5), (b, -5)):
            painter.drawLine(QtCore.QPointF(x, strip.top() - 4), QtCore.QPointF(x, strip.bottom() + 2))
            painter.drawLine(QtCore.QPointF(x, strip.top() - 4), QtCore.QPointF(x + way, strip.top() - 4))

    def _draw_problems(self, painter: QtGui.QPainter, strip: QtCore.QRectF) -> None:
        painter.setPen(QtGui.QPen(QtGui.QColor(theme.current().bad), 1.5))
        wanted = (id(self._found), self.kind, self.span, self.width())
        if wanted != self._ticks[0]:
            frames = of_kind(self._found, self.kind)["frame"]
            a, b = self.place(0.0), self.place(1.0)
            places = np.rint(a + (b - a) * frames[np.diff(frames, prepend=-1) != 0])  # they rise
            self._ticks = wanted, places[np.diff(places, prepend=-1) != 0].astype(int).tolist()
        for x in self._ticks[1]:
            painter.drawLine(QtCore.QPointF(x, strip.bottom() - 2), QtCore.QPointF(x, strip.bottom() + 3))

    def _draw_ticks(self, painter: QtGui.QPainter, strip: QtCore.QRectF) -> None:
        opened = self._bench.opened
        assert opened is not None
        colours = theme.current()
        first, end = self.span
        shift = 0 if opened.live else opened.info.first_number
        font = painter.font()
        font.setPointSizeF(SMALLER * QtGui.QFontInfo(font).pointSizeF())
        painter.setFont(font)
        high = painter.fontMetrics().height()
        widest = painter.fontMetrics().horizontalAdvance(str(end + shift)) + 28
        step = nice_step((end - first) * widest / max(1.0, strip.width()))
        # The first multiple of the step among the numbers that people see, which may begin below 0.
        tick = -(-(first + shift) // step) * step
        while tick < end + shift:
            x = self.place(tick - shift)
            zero = tick == 0 and shift < 0
            painter.setPen(QtGui.QPen(QtGui.QColor(colours.warn if zero else colours.muted), 1.5 if zero else 1))
            painter.drawLine(QtCore.QPointF(x, strip.bottom() + 4), QtCore.QPointF(x, strip.bottom() + 7))
            words = "trigger" if zero else str(tick)
            wide = painter.fontMetrics().horizontalAdvance(words) + 4.0
            box = QtCore.QRectF(min(max(x - wide / 2, 0.0), self.width() - wide), strip.bottom() + 6, wide, high)
            painter.drawText(box, QtCore.Qt.AlignmentFlag.AlignCenter, words)
            tick += step


def nice_step(least: float) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50 ... that is at least `least`."""
    size = 1
    while True:
        for nice in _NICE:
            if nice * size >= least:
                return nice * size
        size *= 10


def _picture(shades: npt.NDArray[np.float64]) -> QtGui.QImage:
    """A pixel a place: between the colours of bad and good, nothing where nothing is known."""
    colours = theme.current()
    good, bad = (np.array(QtGui.QColor(words).getRgb()[:3]) for words in (colours.good, colours.bad))
    pixels = np.zeros((1, len(shades), 4), np.uint8)
    pixels[0, :, :3] = np.rint(bad + (good - bad) * np.maximum(shades, 0.0)[:, None])
    pixels[0, :, 3] = np.where(shades == UNKNOWN, 0, SHADE)
    image = QtGui.QImage(pixels.data, len(shades), 1, pixels.nbytes, QtGui.QImage.Format.Format_RGBA8888)
    return image.copy()  # the pixels are ours
