"""Tools of the video: modes in which clicks and drags do something else than pick tracks and move the picture.

A tool is a list of points that are placed, dragged and removed, and something that is done with them at the end. Its
handles are drawn by one item over the picture, which hands it the mouse (`handles`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.workbench import Workbench
from app.desk.labelling.labeller import Labeller
from app.desk.pipeline.detecting import Point
from app.desk.services.corrector import Corrector
from app.desk.services.regions import Reopener
from app.desk.services.units import Units
from app.desk.tracks.signals import Quantity
from app.gui import theme
from app.gui.video.view import VideoView
from app.gui.video.written import write_words

GRAB = 11.0
"""Pixels of the screen within which a handle is taken."""
HANDLE = 4.5
Button = QtCore.Qt.MouseButton
Made = TypeVar("Made")


class Steps(Protocol):
    """What was done to the points of the tool in hand (`point_steps`)."""

    def begin(self, tool: Tool) -> None: ...
    def add(self, back: Callable[[], None]) -> None: ...
    def watch(self, tool: Tool, work: Callable[[], Made]) -> Made: ...


class Box(Protocol):
    """What a tool needs of the box that it lies in."""

    bench: Workbench
    video: VideoView
    corrector: Corrector
    reopener: Reopener
    units: Units
    labeller: Labeller
    steps: Steps

    @property
    def tool(self) -> Tool: ...
    def take(self, name: str) -> None: ...
    def hold(self, frame: int | None = None) -> None: ...
    def plot(self, quantity: Quantity) -> None: ...
    def dragging(self, on: bool) -> None: ...
    def finish(self) -> None: ...
    def refresh(self) -> None: ...
    def guarded(self, work: Callable[[], object]) -> object: ...


class Brush:
    """Draws in pixels of the screen what is given in pixels of the picture.

    Args:
        painter: of the item.
        to_screen: from the picture.
    """

    def __init__(self, painter: QtGui.QPainter, to_screen: QtGui.QTransform) -> None:
        self.painter, self.to_screen = painter, to_screen
        self.scale = math.hypot(to_screen.m11(), to_screen.m12())

    def at(self, point: Point) -> QtCore.QPointF:
        """Where a point is on the screen."""
        return self.to_screen.map(QtCore.QPointF(*point))

    def line(self, points: Sequence[Point], closed: bool = False, colour: str = "", dashed: bool = False) -> None:
        """Straight lines, with a dark edge, to be seen on any ground."""
        path = QtGui.QPolygonF([self.at(p) for p in points])
        draw = self.painter.drawPolygon if closed else self.painter.drawPolyline
        self.painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
        for ink, width in ((QtGui.QColor(0, 0, 0, 150), 3.6), (QtGui.QColor(colour or theme.DARK.warn), 1.6)):
            pen = QtGui.QPen(ink, width)
            pen.setJoinStyle(QtCore.Qt.PenJoinStyle.RoundJoin)
            pen.setCapStyle(QtCore.Qt.PenCapStyle.RoundCap)
            if dashed:
                # Qt measures dashes in widths of the pen.
                pen.setDashPattern([12.0 / width, 9.0 / width])
            self.painter.setPen(pen)
            draw(path)

    def handle(self, point: Point, strong: bool = False) -> None:
        """A disk that can be dragged."""
        radius = HANDLE + 2.0 if strong else HANDLE
        self.painter.setPen(QtGui.QPen(QtGui.QColor(0, 0, 0, 190), 1.4))
        self.painter.setBrush(QtGui.QColor(theme.DARK.text if strong else theme.DARK.warn))
        self.painter.drawEllipse(self.at(point), radius, radius)

    def cross(self, point: Point, strong: bool = False) -> None:
        """A cross whose middle is free, for exact places."""
        at, far = self.at(point), 9.0 if strong else 7.5
        for ink, width in ((QtGui.QColor(0, 0, 0, 170), 3.6), (QtGui.QColor(theme.DARK.warn), 1.7)):
            self.painter.setPen(QtGui.QPen(ink, width))
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                self.painter.drawLine(at + QtCore.QPointF(2.5 * dx, 2.5 * dy), at + QtCore.QPointF(far * dx, far * dy))
        if strong:
            self.painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
            self.painter.drawEllipse(at, 12.0, 12.0)

    def words(self, point: Point, text: str, dx: float = 9.0, dy: float = -7.0) -> None:
        """Words beside a point."""
        at = self.at(point)
        write_words(self.painter, at.x() + dx, at.y() + dy, text, theme.DARK.warn)


class Tool:
    """One mode; what it does by itself is nothing but keep points.

    Args:
        box: the tools, with the state behind the window.

    Attributes:
        name, text, key, icon, tip, menu: of its action.
        most: points that it takes.
        points: px of the whole picture. `held` is the one that is dragged or was touched last, -1 for none.
        finishing: the word on the button that finishes it, "" where nothing is to be finished; its
            tip, where the word alone does not say what happens.
        pauses: whether the clip stops when it is taken.
        steps: whether undo takes back what was done to its points, one by one, while it is in hand.
        numbers: whether it writes numbers beside points, in place of the names of tracks.
        follows: whether what it draws follows the cursor, also without points of its own.
        alone: whether tracks are not drawn, since they would hide what the tool is about.
        cursor: where the mouse is, px of the whole picture; None where it is elsewhere.
        straight: whether Shift is held: lines keep to 0, 45 or 90 degrees, boxes are squares.
    """

    name = text = key = icon = tip = ""
    finishing = finishing_tip = ""
    menu = "Tracks"
    most = 1 << 30
    pauses = True
    numbers = steps = follows = alone = False

    def __init__(self, box: Box) -> None:
        self.box, self.bench = box, box.bench
        self.points: list[Point] = []
        self.held = -1
        self.cursor: Point | None = None
        self.straight = False
        self.form: QtWidgets.QWidget | None = None

    def row(self) -> QtWidgets.QHBoxLayout:
        """A new `form`: an empty row for what is set beside the tool's words."""
        self.form = QtWidgets.QWidget()
        row = QtWidgets.QHBoxLayout(self.form)
        row.setContentsMargins(0, 0, 0, 0)
        return row

    @property
    def hint(self) -> str:
        """What to do next, one line."""
        return self.tip

    @property
    def about(self) -> Sequence[Point]:
        """Places that its words should not cover."""
        return self.points

    def enter(self) -> None:
        """It was taken."""
        self.points, self.held = [], -1

    def leave(self) -> None:
        """Another one was taken."""

    def finish(self) -> None:
        """Do it."""

    def changed(self) -> None:
        """Its points are others."""

    def set_points(self, points: Sequence[Point]) -> None:
        """Other points."""
        self.points = [(float(x), float(y)) for x, y in points]
        self.held = min(self.held, len(self.points) - 1)
        self._told()

    def _told(self) -> None:
        self.changed()
        self.box.refresh()

    @property
    def state(self) -> object:
        """What is other after each change of its points."""
        return list(self.points)

    def remember(self) -> Callable[[], None]:
        """What puts everything back as it is now: a drag may be broken off."""
        points = list(self.points)
        return lambda: self.set_points(points)

    # ------------------------------------------------------------------------------------------------------- mouse

    def near(self, point: Point) -> int:
        """The handle under a point, -1 for none."""
        reach = GRAB / self.box.video.screen_scale
        far = [math.dist(point, p) for p in self.points]
        return min(range(len(far)), key=far.__getitem__) if far and min(far) <= reach else -1

    def click(self, point: Point, button: QtCore.Qt.MouseButton, modifiers: QtCore.Qt.KeyboardModifiers) -> bool:
        """A click; whether it was taken. The right button, or Alt, removes a point."""
        at = self.near(point)
        if button == Button.RightButton or (modifiers & QtCore.Qt.KeyboardModifier.AltModifier):
            if at >= 0:
                self.remove(at)
            return at >= 0
        if button != Button.LeftButton:
            return False
        if at >= 0:
            self.held = at
            self.box.refresh()
        elif len(self.points) < self.most:
            self.add(point)
        return True

    def add(self, point: Point) -> None:
        """One point more."""
        self.points.append(point)
        self.held = len(self.points) - 1
        self._told()

    def remove(self, index: int) -> None:
        """Without a point."""
        del self.points[index]
        self.held = -1
        self._told()

    def back(self) -> None:
        """Without the point that was touched last."""
        if self.points:
            self.remove(self.held if self.held >= 0 else len(self.points) - 1)

    def grab(self, point: Point) -> bool:
        """A drag begins; whether it is this tool's."""
        self.held = self.near(point)
        return self.held >= 0

    def drag(self, point: Point, begun: Point, done: bool) -> None:
        """The drag goes on, or ends."""
        del begun, done
        if self.held >= 0:
            self.points[self.held] = point
            self._told()

    # ---------------------------------------------------------------------------------------------------------- keys

    def takes(self, key: int, modifiers: QtCore.Qt.KeyboardModifiers) -> bool:
        """Whether a key is this tool's now, before it is a shortcut of the window."""
        del key, modifiers
        return False

    def press(self, key: int, modifiers: QtCore.Qt.KeyboardModifiers) -> None:
        """One of these keys."""

    def escape(self) -> bool:
        """Leave something that the tool is about; whether there was anything: else the tool itself is left."""
        return False

    # ------------------------------------------------------------------------------------------------------- drawing

    def paint(self, brush: Brush) -> None:
        """Draw the handles."""
        for k, point in enumerate(self.points):
            brush.handle(point, k == self.held)


def snapped(point: Point, anchor: Point) -> Point:
    """The point nearest to `point` on a line through `anchor` at a multiple of 45 degrees."""
    dx, dy = point[0] - anchor[0], point[1] - anchor[1]
    turn = math.pi / 4 * round(math.atan2(dy, dx) / (math.pi / 4))
    along = dx * math.cos(turn) + dy * math.sin(turn)
    return anchor[0] + along * math.cos(turn), anchor[1] + along * math.sin(turn)


def squared(point: Point, anchor: Point) -> Point:
    """The corner of the square from `anchor` towards `point` whose side is the longer one."""
    dx, dy = point[0] - anchor[0], point[1] - anchor[1]
    side = max(abs(dx), abs(dy))
    return anchor[0] + math.copysign(side, dx), anchor[1] + math.copysign(side, dy)


class PickTool(Tool):
    """The usual mode: clicks pick tracks, drags move the picture."""

    name, text, key, icon = "pick", "&Pick tracks", "V", "pointer"
    tip = "Click a track to select it, Ctrl and click for more; drag to move the picture, turn the wheel to zoom"
    pauses = False

    def click(self, *_: object) -> bool:
        """Not here."""
        return False

    def grab(self, *_: object) -> bool:
        """Nor this."""
        return False
