"""What the graph is drawn with: boxes, wires, hulls around what runs as one program. They only paint."""

from __future__ import annotations

from collections.abc import Sequence

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.pipeline.graph_layout import HEAD, Box, Layout, Wire
from app.gui import theme
from app.gui.icons import icon
from app.gui.pipeline.drawn import BoxLook, GroupLook

RADIUS, PORT, HULL = 6.0, 3.5, 8.0
"""Of corners; of ports; how far a hull stands off its boxes."""
TITLE, _SMALL = 9.0, 7.5
"""Letters, in points: those of titles are as large as those of the window usually are."""


def font(size: float, bold: bool = False) -> QtGui.QFont:
    """The window's, in points; half-bold for titles."""
    made = QtGui.QFont(QtWidgets.QApplication.font())
    made.setPointSizeF(size)
    made.setWeight(QtGui.QFont.Weight.DemiBold if bold else QtGui.QFont.Weight.Normal)
    return made


def tinted(colour: str, alpha: float) -> QtGui.QColor:
    """A colour with so much of itself."""
    made = QtGui.QColor(colour)
    made.setAlphaF(alpha)
    return made


class BoxItem(QtWidgets.QGraphicsItem):  # type: ignore[misc]
    """A stage, a tracker or the source."""

    def __init__(self, box: Box, look: BoxLook) -> None:
        super().__init__()
        self.box, self.look = box, look
        self.setPos(box.x, box.y)
        self.setToolTip(look.tip)
        self.setZValue(2)

    def boundingRect(self) -> QtCore.QRectF:  # noqa: N802
        """With ports and the frame of a selection."""
        return QtCore.QRectF(0, 0, self.box.width, self.box.height).adjusted(-6, -6, 6, 6)

    def paint(self, painter: QtGui.QPainter, option: object, widget: object = None) -> None:
        """The box and its ports."""
        del option, widget
        colours, box, look = theme.current(), self.box, self.look
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        field = QtCore.QRectF(0.5, 0.5, box.width - 1, box.height - 1)
        edge = colours.bad if look.bad else colours.accent if look.selected else colours.line
        painter.setPen(QtGui.QPen(QtGui.QColor(edge), 2.0 if look.bad or look.selected else 1.0))
        ground = QtGui.QColor(colours.raised)
        if box.kind == "tracker":
            ground = _mixed(colours.raised, colours.accent, 0.22)
        if box.kind == "source":
            painter.setBrush(QtGui.QColor(colours.panel))
            painter.drawRoundedRect(field, box.height / 2, box.height / 2)
        else:
            painter.setBrush(ground)
            painter.drawRoundedRect(field, RADIUS, RADIUS)
        self._words(painter, field)
        self._ports(painter)

    def _words(self, painter: QtGui.QPainter, field: QtCore.QRectF) -> None:
        colours, box, look = theme.current(), self.box, self.look
        flags = QtCore.Qt.AlignmentFlag
        left, right = 10.0, 8.0
        if box.kind == "tracker":
            icon("tracks").paint(painter, QtCore.QRect(8, int(box.height / 2 - 8), 16, 16))
            left = 30.0
        if look.shown:
            icon("eye").paint(painter, QtCore.QRect(int(box.width) - 25, int(box.height / 2 - 8), 16, 16))
            right = 28.0
        words = field.adjusted(left, 0, -right, 0)
        if box.kind == "source":
            painter.setFont(font(_SMALL))
            painter.setPen(QtGui.QColor(colours.muted))
            painter.drawText(field.adjusted(0, 0, -18 if look.shown else 0, 0), int(flags.AlignCenter), look.title)
            return
        painter.setFont(font(TITLE, bold=True))
        painter.setPen(QtGui.QColor(colours.bad if look.bad else colours.text))
        if not look.line:
            _line(painter, words, look.title, flags.AlignVCenter)
            return
        _line(painter, words.adjusted(0, 3, 0, 0), look.title, flags.AlignTop)
        painter.setFont(font(_SMALL))
        painter.setPen(QtGui.QColor(colours.muted))
        _line(painter, words.adjusted(0, 0, 0, -4), look.line, flags.AlignBottom)

    def _ports(self, painter: QtGui.QPainter) -> None:
        colours, box = theme.current(), self.box
        painter.setPen(QtGui.QPen(QtGui.QColor(colours.muted), 1.2))
        painter.setBrush(QtGui.QColor(colours.field))
        for _, x in box.inputs:
            painter.drawEllipse(QtCore.QPointF(x - box.x, 0.5), PORT, PORT)
        for _, x in box.outputs:
            painter.drawEllipse(QtCore.QPointF(x - box.x, box.height - 0.5), PORT, PORT)
        if self.look.tapped:  # an arrow out to the right: it leaves the pipeline
            painter.setPen(QtCore.Qt.PenStyle.NoPen)
            painter.setBrush(QtGui.QColor(colours.good))
            right, middle = box.width, box.height / 2
            painter.drawPolygon(QtGui.QPolygonF([QtCore.QPointF(right - 1, middle - 5),
                                                 QtCore.QPointF(right + 6, middle),
                                                 QtCore.QPointF(right - 1, middle + 5)]))  # fmt: skip


def _line(painter: QtGui.QPainter, field: QtCore.QRectF, text: str, vertical: QtCore.Qt.AlignmentFlag) -> None:
    """One line of words, shortened where it must be."""
    short = painter.fontMetrics().elidedText(text, QtCore.Qt.TextElideMode.ElideRight, int(field.width()))
    painter.drawText(field, int(QtCore.Qt.AlignmentFlag.AlignLeft | vertical), short)


def _mixed(one: str, other: str, share: float) -> QtGui.QColor:
    a, b = QtGui.QColor(one), QtGui.QColor(other)
    parts = [round(x + (y - x) * share) for x, y in zip(a.getRgb()[:3], b.getRgb()[:3], strict=True)]
    return QtGui.QColor(*parts)


class WireItem(QtWidgets.QGraphicsItem):  # type: ignore[misc]
    """A wire; `pin` is "fuse", "cut" or "", and drawn on it.

    Attributes:
        hot: the mouse is over it, or something would be dropped into it.
    """

    def __init__(self, wire: Wire, pin: str, inside: bool, tip: str) -> None:
        super().__init__()
        self.wire, self.pin, self.inside = wire, pin, inside
        self.hot = False
        self.line = rounded(wire.points)
        self.setToolTip(tip)
        self.setZValue(1)

    def boundingRect(self) -> QtCore.QRectF:  # noqa: N802
        """With room for the pin."""
        # The pin's circle reaches beyond the line.
        return self.line.boundingRect().adjusted(-11, -11, 11, 11)

    def shape(self) -> QtGui.QPainterPath:
        """What the mouse has to meet: some pixels more than the line."""
        stroker = QtGui.QPainterPathStroker()
        stroker.setWidth(12)
        return stroker.createStroke(self.line)

    @property
    def middle(self) -> QtCore.QPointF:
        """Half way."""
        return self.line.pointAtPercent(0.5)

    def set_hot(self, hot: bool) -> None:
        """Light it up, or not."""
        if hot != self.hot:
            self.hot = hot
            self.update()

    def paint(self, painter: QtGui.QPainter, option: object, widget: object = None) -> None:
        """The line, an arrow's head, the pin."""
        del option, widget
        colours = theme.current()
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        ink = QtGui.QColor(colours.accent if self.hot else colours.muted)
        painter.setPen(QtGui.QPen(ink, 2.4 if self.hot else 1.3 if self.inside else 1.8))
        painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
        painter.drawPath(self.line)
        x, y = self.wire.points[-1]
        y -= PORT
        painter.setPen(QtCore.Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawPolygon(QtGui.QPolygonF([QtCore.QPointF(x - 3.5, y - 5.5), QtCore.QPointF(x + 3.5, y - 5.5),
                                             QtCore.QPointF(x, y)]))  # fmt: skip
        if self.pin:
            middle = self.middle
            painter.setPen(QtGui.QPen(QtGui.QColor(colours.warn), 1.2))
            painter.setBrush(QtGui.QColor(colours.panel))
            painter.drawEllipse(middle, 9, 9)
            where = QtCore.QRectF(middle.x() - 6, middle.y() - 6, 12, 12).toRect()
            icon("link" if self.pin == "fuse" else "cut").paint(painter, where)


class HullItem(QtWidgets.QGraphicsItem):  # type: ignore[misc]
    """Around the boxes of a group, with words above."""

    def __init__(self, look: GroupLook, placed: Layout) -> None:
        super().__init__()
        self.look = look
        self.path, self.head = hull(look.names, placed)
        self.setToolTip(look.tip)
        self.setZValue(0)

    def show_look(self, look: GroupLook) -> None:
        """Other words for the same boxes."""
        if look != self.look:
            self.look = look
            self.setToolTip(look.tip)
            self.update()

    def boundingRect(self) -> QtCore.QRectF:  # noqa: N802
        """With its border."""
        return self.path.boundingRect().adjusted(-2, -2, 2, 2)

    def shape(self) -> QtGui.QPainterPath:
        """The hull itself."""
        return self.path

    def paint(self, painter: QtGui.QPainter, option: object, widget: object = None) -> None:
        """The tint and the words."""
        del option, widget
        colours, look = theme.current(), self.look
        colour = colours.muted if look.host else colours.track(look.number)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        strength = 0.4 if look.faint else 1.0
        painter.setBrush(tinted(colour, (0.06 if look.host else 0.13) * strength))
        pen = QtGui.QPen(tinted(colour, 0.65 * strength), 1.2)
        if look.faint or look.host:
            pen.setStyle(QtCore.Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawPath(self.path)
        painter.setFont(font(_SMALL))
        painter.setPen(QtGui.QColor(colours.muted if look.faint else colours.text))
        flags = QtCore.Qt.AlignmentFlag
        painter.drawText(self.head, int(flags.AlignLeft | flags.AlignVCenter), look.words[0])
        painter.setPen(QtGui.QColor(colours.muted))
        painter.drawText(self.head, int(flags.AlignRight | flags.AlignVCenter), look.words[1])


def hull(names: Sequence[str], placed: Layout) -> tuple[QtGui.QPainterPath, QtCore.QRectF]:
    """The outline around some boxes, layer by layer, and where the words above them go."""
    boxes = [placed.boxes[name] for name in names if name in placed.boxes]
    # For each layer of the graph what its boxes take: left, right, top, bottom.
    rows: dict[int, tuple[float, float, float, float]] = {}
    for box in boxes:
        left, right, top, bottom = rows.get(box.layer, (box.x, box.x, box.y, box.y))
        rows[box.layer] = (min(left, box.x), max(right, box.x + box.width), top, box.y + box.height)
    path = QtGui.QPainterPath()
    before: tuple[float, float, float, float] | None = None
    layer = -2
    first = min(rows)
    for k in sorted(rows):
        left, right, top, bottom = row = rows[k]
        rise = HEAD - 2 if k == first else 0.0
        path.addRect(QtCore.QRectF(left, top - rise, right - left, bottom - top + rise))
        if before is not None and k == layer + 1:  # joined through the gap, as wide as both are
            low, high = max(left, before[0]), min(right, before[1])
            if high > low:
                path.addRect(QtCore.QRectF(low, before[3] - 1, high - low, top - before[3] + 2))
        before, layer = row, k
    # Rectangles that overlap are one area: the odd-even rule would leave holes.
    path.setFillRule(QtCore.Qt.FillRule.WindingFill)
    # A stroke of twice the width, united with the area, grows it by HULL on all sides with round corners.
    stroker = QtGui.QPainterPathStroker()
    stroker.setWidth(2 * HULL)
    stroker.setJoinStyle(QtCore.Qt.PenJoinStyle.RoundJoin)
    grown = path.united(stroker.createStroke(path)).simplified()
    left, right, top, _ = rows[first]
    return grown, QtCore.QRectF(left + 2, top - HEAD - 3, right - left - 4, HEAD - 2)


def rounded(points: Sequence[tuple[float, float]], radius: float = 6.0) -> QtGui.QPainterPath:
    """A line through points with round corners."""
    path = QtGui.QPainterPath(QtCore.QPointF(*points[0]))
    # A quadratic curve whose control point is the corner itself.
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        path.lineTo(_towards(corner, before, radius))
        path.quadTo(QtCore.QPointF(*corner), _towards(corner, after, radius))
    path.lineTo(QtCore.QPointF(*points[-1]))
    return path


def _towards(corner: tuple[float, float], other: tuple[float, float], radius: float) -> QtCore.QPointF:
    line = QtCore.QLineF(QtCore.QPointF(*corner), QtCore.QPointF(*other))
    if line.length() > 0:
        line.setLength(min(radius, line.length() / 2))
    return line.p2()
