"""The video in the middle of the window: picture, tracks over it, zoom, pan, picking, and what is under the cursor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.engine.picture_box import Shown
from app.desk.pipeline.frame_grid import on_frame_grid
from app.desk.tracks.calibration import Calibration
from app.gui import theme
from app.gui.compiling_words import first_use
from app.gui.video.colours import Levels, auto_levels, full_levels
from app.gui.video.heat_item import HeatItem
from app.gui.video.image_item import ImageItem
from app.gui.video.overlay import Overlay

MARGIN = 0.025
"""Around a picture that is fitted, so that names of points at its edge can be read."""
INSIDE = 0.08
"""Of the view at each side: a point there is too near to the edge to be looked at."""
PICK = 14.0
"""Pixels of the screen within which a click picks a track."""

SHORT, MOST_PAST = 120, 60_000
"""Frames of a trail that is never cut, and rows of a longer one, which it is drawn from at most."""


Range = tuple[tuple[float, float], tuple[float, float]]


class PictureBoxView(pyqtgraph.ViewBox):  # type: ignore[misc]
    """The scene: x right, y down, one scale for both; tells of clicks and of where the cursor is."""

    clicked = QtCore.pyqtSignal(float, float, object)
    hovered = QtCore.pyqtSignal(float, float)
    left = QtCore.pyqtSignal()
    moving = QtCore.pyqtSignal(bool)

    def __init__(self) -> None:
        super().__init__(lockAspect=True, invertY=True, enableMenu=False)
        self.setDefaultPadding(0.0)
        self.setAcceptHoverEvents(True)

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:  # noqa: N802
        """The picture is moved (or zoomed, with the right button)."""
        super().mouseDragEvent(event, axis)
        self.moving.emit(not event.isFinish())

    def mouseClickEvent(self, event: Any) -> None:  # noqa: N802
        """A click in the picture's coordinates."""
        if event.double():
            event.ignore()
            return
        at = self.mapSceneToView(event.scenePos())
        self.clicked.emit(at.x(), at.y(), event)
        event.accept()

    def hoverMoveEvent(self, event: Any) -> None:  # noqa: N802
        """Where the cursor is."""
        at = self.mapToView(event.pos())
        self.hovered.emit(at.x(), at.y())

    def hoverLeaveEvent(self, event: Any) -> None:  # noqa: N802
        """It is elsewhere."""
        del event
        self.left.emit()


class VideoView(QtWidgets.QWidget):  # type: ignore[misc]
    """Shows what the workbench has as its picture.

    Args:
        bench: the state behind the window.

    Attributes:
        box: the scene; tools put their own items into it.
        picking: whether a click picks a track; tools switch it off while they take clicks.
        paired: whether pictures are shown only by `show_picture`, in pairs with those of another view.
        looked: a signal: levels or table changed.
        asked: a signal: what can be done with the selected tracks is wanted, at a place of the screen.
        probed: a signal: words about what is under the cursor, "" for nothing.
    """

    looked = QtCore.pyqtSignal()
    asked = QtCore.pyqtSignal(object)
    probed = QtCore.pyqtSignal(str)
    pictured = QtCore.pyqtSignal()

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self.graphics = pyqtgraph.GraphicsView(useOpenGL=False)
        self.graphics.setBackground(theme.current().surround)
        self.graphics.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.box = PictureBoxView()
        self.graphics.setCentralItem(self.box)
        self.image = ImageItem()
        self.overlay = Overlay(bench.tracks.name, lambda: bench.colours, lambda: bench.skeletons)
        self.heat = HeatItem()
        self.box.addItem(self.image)
        self.box.addItem(self.heat, ignoreBounds=True)
        self.box.addItem(self.overlay)
        self.levels, self.table = full_levels(8), "gray"
        self.auto = True
        self.picking = True
        self.paired = False
        self._fitted = False
        self._room = (0, 0)
        self._before: tuple[Range, Range] | None = None
        self._shown: Shown | None = None
        self._cursor: tuple[float, float] | None = None
        self._shape: QtCore.Qt.CursorShape | None = None
        self._hint = QtWidgets.QLabel("", self)
        self._hint.setAlignment(QtCore.Qt.AlignmentFlag.AlignCenter)
        self._hint.setAttribute(QtCore.Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hint.setProperty("muted", True)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.graphics)
        self._hint.raise_()
        self.setMinimumSize(240, 180)
        self.box.clicked.connect(self._clicked)
        self.box.hovered.connect(self._hover)
        self.box.left.connect(self._leave)
        self.box.moving.connect(self._moving)
        self.box.sigResized.connect(self._resized)
        bench.on(Topic.PICTURE, self._picture)
        bench.on(Topic.OPENED, self._opened)
        bench.on(Topic.STATE, self._say_first_use)
        bench.on(Topic.SELECTION, self._selected)
        bench.on(Topic.VIEW, self.redraw)
        bench.on(Topic.TABLES, self.redraw)
        self._opened()

    # -------------------------------------------------------------------------------------------------- looking

    def fit(self) -> None:
        """Show the whole picture, beside what floats over the video."""
        pixels = self.image.pixels
        if pixels is None:
            return
        rect, (above, below) = self.image.mapRectToParent(self.image.boundingRect()), self._room
        self._before = None
        self.box.setRange(rect, padding=MARGIN)
        if not above and not below:
            return
        whole = self._range
        wide, high = self.box.width(), self.box.height()
        # Into the strip that is free: its middle is `above` + `free` / 2 below the upper edge of the view.
        free = max(high - above - below, 1.0)
        scale = min(wide / rect.width(), free / rect.height()) / (1 + 2 * MARGIN)
        upper = rect.center().y() - (above + free / 2) / scale
        self.box.setRange(QtCore.QRectF(rect.center().x() - wide / 2 / scale, upper, wide / scale, high / scale),
                          padding=0)  # fmt: skip
        # Taken back later only if nobody has moved the picture since.
        self._before = whole, self._range

    def make_room(self, above: int, below: int) -> None:
        """Have a picture that is seen whole lie beside what floats over the video; 0, 0 takes it back, if nobody has
        moved the picture since.

        Args:
            above, below: px of the screen that are hidden at the upper and at the lower edge.
        """
        if (above, below) == self._room:
            return
        before = self._before
        if before is not None and before[1] == self._range:
            self.box.setRange(xRange=before[0][0], yRange=before[0][1], padding=0)
        self._before, self._room = None, (above, below)
        # pyqtgraph moves its items when they are painted next; where they lie is asked now.
        self.box.updateMatrix()
        rect = self.image.mapRectToScene(self.image.boundingRect())
        hidden = rect.top() < above or rect.bottom() > self.box.height() - below
        if not (above or below) or not self.all_seen or not hidden or self.image.pixels is None:
            return
        now = self._range
        self.fit()
        self._before = now, self._range

    def _resized(self) -> None:
        """What floats over the video is as high as before: a picture that lies beside it still does."""
        before = self._before
        if before is not None and before[1] == self._range:
            self.fit()
            self._before = before[0], self._range

    @property
    def _range(self) -> Range:
        """What is to be seen, px of the picture: from left to right, from top to bottom; more is where the video has
        another shape, so it stays the same when the window is resized."""
        (left, right), (top, bottom) = self.box.targetRange()
        return (left, right), (top, bottom)

    def zoom_one(self) -> None:
        """One pixel of the picture is one of the screen, however many of them a widget's unit has."""
        port = self.graphics.viewport()
        size = QtCore.QSizeF(port.size()) * port.devicePixelRatioF()
        part = QtCore.QRectF(QtCore.QPointF(0, 0), size)
        part.moveCenter(self.box.viewRect().center())
        self.box.setRange(part, padding=0)

    def zoom(self, factor: float) -> None:
        """Larger (above 1) or smaller, about the middle."""
        self.box.scaleBy((1 / factor, 1 / factor))

    def reveal(self, track: int, frame: int) -> None:
        """Move what is seen, as large as it is, until a track's point in a frame is well inside; where it is
        already, or nothing is known of it, nothing moves."""
        rows = self._bench.store.at(frame)
        rows = rows[rows["track"] == track]
        if not len(rows):
            return
        x, y = float(rows["x"][0]), float(rows["y"][0])
        seen = self.box.viewRect()
        wide, high = INSIDE * seen.width(), INSIDE * seen.height()
        if not seen.adjusted(wide, high, -wide, -high).contains(x, y) and not self.all_seen:
            self.box.translateBy(x=x - seen.center().x(), y=y - seen.center().y())

    @property
    def all_seen(self) -> bool:
        """Whether the whole picture is in sight."""
        whole = self.image.mapRectToParent(self.image.boundingRect())
        return self.image.pixels is None or bool(self.box.viewRect().contains(whole))

    def point_with(self, shape: QtCore.Qt.CursorShape | None) -> None:
        """The shape of the cursor over the picture; None for the usual one."""
        self._shape = shape
        self._moving(False)

    def _moving(self, moving: bool) -> None:
        shape = QtCore.Qt.CursorShape.ClosedHandCursor if moving else self._shape
        port = self.graphics.viewport()
        if shape is None:
            port.unsetCursor()
        elif port.cursor().shape() != shape:
            port.setCursor(shape)

    @property
    def screen_scale(self) -> float:
        """Pixels of the screen for a pixel of the picture."""
        width, _ = self.box.viewPixelSize()
        return 1.0 / width if width > 0 else 1.0

    def set_levels(self, levels: Levels) -> None:
        """Black, white and gamma."""
        self.levels, self.auto = levels, False
        self.image.set_look(levels, self.table)
        self.looked.emit()

    def set_auto(self, auto: bool) -> None:
        """Whether levels follow the first picture of each clip and output."""
        self.auto = auto
        if auto and self.image.pixels is not None:
            self._set_automatic()
        self.looked.emit()

    def set_table(self, name: str) -> None:
        """The table of colours."""
        self.table = name
        self.image.set_look(self.levels, name)
        self.looked.emit()

    def _set_automatic(self) -> None:
        pixels, shown = self.image.pixels, self._shown
        if pixels is None:
            return
        if pixels.dtype.kind == "b" or (shown is not None and shown.bits == 1):
            self.levels = Levels(0.0, 1.0)
        elif pixels.dtype == np.uint8 and (shown is None or not shown.output):
            self.levels = full_levels(8)
        else:
            self.levels = auto_levels(pixels)
        self.image.set_look(self.levels, self.table)

    # ------------------------------------------------------------------------------------------------- following

    def _opened(self) -> None:
        self._fitted, self._shown = False, None
        self._hint.setVisible(self._bench.opened is None)
        if self._bench.opened is None:
            opening = self._bench.opening
            self._hint.setText("" if opening is None else "Opening …")
            self.image.clear()
            self.heat.clear()
            self.overlay.show_rows(self._bench.store.at(0)[:0], self._bench.store.at(0)[:0])

    def _say_first_use(self) -> None:
        """What is compiled, where there would be a picture but for that."""
        bench = self._bench
        if bench.opened is None:
            return
        now = bench.compiling
        waits = now is not None and bench.shown is None
        self._hint.setVisible(waits)
        if waits and now is not None:
            self._hint.setText(first_use(now))

    def _picture(self) -> None:
        shown = self._bench.shown
        if shown is not None and not self.paired:
            self.show_picture(shown)

    @property
    def frame(self) -> int:
        """Of the picture that is seen; -1 for none."""
        return -1 if self._shown is None else self._shown.frame

    def show_picture(self, shown: Shown) -> None:
        """Show a picture with its tracks."""
        fresh = self._shown is None or self._shown.output != shown.output
        self._shown = shown
        self._hint.hide()
        before = self.image.pixels
        fresh |= before is None or before.shape != shown.pixels.shape or before.dtype != shown.pixels.dtype
        self.image.show_picture(shown.pixels)
        roi = self._bench.asked.roi if self._bench.asked is not None else None
        # A picture of the region lies at its corner; pictures of the whole clip lie at 0.
        partial = roi is not None and shown.pixels.shape[:2] == (roi[3], roi[2])
        self.image.setPos(*(roi[:2] if roi is not None and partial else (0, 0)))
        bounds, info = self.image.mapRectToParent(self.image.boundingRect()), self._bench.info
        if info is not None and not partial and self._on_frame_grid(shown):
            # A stage may give a smaller picture than the one that tracks are in.
            bounds = bounds.united(QtCore.QRectF(-0.5, -0.5, info.width, info.height))
        self.overlay.set_bounds(bounds)
        if not self._fitted or (fresh and before is not None and before.shape[:2] != shown.pixels.shape[:2]):
            self._fitted = True
            self.fit()
        if fresh and self.auto:
            self._set_automatic()
            self.looked.emit()
        self._lay_heat(shown)
        self._draw_tracks(shown)
        if self._cursor is not None:
            self._probe()
        self.pictured.emit()

    def _lay_heat(self, shown: Shown) -> None:
        bench, before = self._bench, self.heat.shown
        if shown.heat is None or not bench.over:
            self.heat.clear()
        else:
            self.heat.setPos(self.image.pos())
            self.heat.show_map(shown.heat, bench.output, self.image.boundingRect())
        if self.heat.shown != before:
            self.looked.emit()

    @property
    def on_frame_grid(self) -> bool:
        """Whether places of the picture that is seen are places of the clip's own."""
        return self._shown is not None and self._on_frame_grid(self._shown)

    def _on_frame_grid(self, shown: Shown) -> bool:
        bench = self._bench
        if bench.info is None:
            return True
        roi = bench.asked.roi if bench.asked is not None else None
        frame = (roi[2], roi[3]) if roi is not None else (bench.info.width, bench.info.height)
        height, width = shown.pixels.shape[:2]
        return on_frame_grid(bench.pipeline, shown.output, (width, height), frame)

    def _draw_tracks(self, shown: Shown) -> None:
        if not self._on_frame_grid(shown):
            self.overlay.show_rows(shown.rows[:0], shown.rows[:0])
            return
        look, store = self.overlay.look, self._bench.store
        first = shown.frame - look.trail
        if look.trail > SHORT:
            # Long trails are bounded by the count of their rows, as the time for them grows with it.
            first = max(first, store.since(shown.frame - 1, MOST_PAST))
        past = store.between(first, shown.frame - 1)
        self.overlay.show_rows(store.corrections.apply(shown.rows, [(shown.frame, shown.frame)]), past)

    def redraw(self) -> None:
        """Draw the tracks again: what is drawn, or how it is called, has changed."""
        if self._shown is not None:
            self._draw_tracks(self._shown)

    def _selected(self) -> None:
        self.overlay.select(frozenset(self._bench.selected))

    # --------------------------------------------------------------------------------------------------- pointing

    def _clicked(self, x: float, y: float, event: Any) -> None:
        buttons, keys = QtCore.Qt.MouseButton, QtCore.Qt.KeyboardModifier
        if not self.picking or event.button() not in (buttons.LeftButton, buttons.RightButton):
            return
        track = self.overlay.nearest(x, y, PICK / self.screen_scale)
        if event.button() == buttons.RightButton:
            if track is not None:
                if track not in self._bench.selected:
                    self._bench.tracks.select([track])
                self.asked.emit(event.screenPos().toPoint())
            return
        adding = bool(event.modifiers() & (keys.ControlModifier | keys.ShiftModifier))
        if track is None:
            if not adding:
                self._bench.tracks.select([])
        elif adding and track in self._bench.selected:
            self._bench.tracks.select([t for t in self._bench.selected if t != track])
        else:
            self._bench.tracks.select([*self._bench.selected, track] if adding else [track])

    def _hover(self, x: float, y: float) -> None:
        self._cursor = (x, y)
        self.overlay.hover(self.overlay.nearest(x, y, PICK / self.screen_scale) if self.picking else None)
        self._probe()

    def _leave(self) -> None:
        self._cursor = None
        self.overlay.hover(None)
        self.probed.emit("")

    def _probe(self) -> None:
        assert self._cursor is not None
        self.probed.emit(self.words_at(*self._cursor))

    def words_at(self, x: float, y: float) -> str:
        """What is at a point: coordinates in px and in the user's unit, and the sample there."""
        pixels = self.image.pixels
        if pixels is None:
            return ""
        column, row = round(x), round(y)
        inside = self.image.pos()
        i, j = row - round(inside.y()), column - round(inside.x())
        if not (0 <= j < pixels.shape[1] and 0 <= i < pixels.shape[0]):
            return ""
        text = f"x {column}  y {row}  =  {self.sample_at(i, j)}"
        calibration = self._bench.calibration
        if calibration != Calibration():
            u, v = calibration.points(np.array([x]), np.array([y]))
            text += f"   ({u[0] + 0.0:.4g}, {v[0] + 0.0:.4g}) {calibration.unit}"  # no -0
        return text

    def sample_at(self, row: int, column: int) -> str:
        """What a pixel of the picture holds; channels that are all the same are said once."""
        pixels = self.image.pixels
        assert pixels is not None
        value = np.atleast_1d(pixels[row, column])
        if len(value) > 1 and (value == value[0]).all():
            return f"{value[0]:.4g} (gray)" if pixels.dtype.kind == "f" else f"{int(value[0])} (gray)"
        return ", ".join(f"{v:.4g}" if pixels.dtype.kind == "f" else str(int(v)) for v in value)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:  # noqa: N802
        """Keep the hint in the middle."""
        super().resizeEvent(event)
        self._hint.setGeometry(self.rect())
