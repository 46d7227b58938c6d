"""Events on the timeline: a flag over the strip for each, and what is said of those under the cursor."""

from __future__ import annotations

import math
from collections.abc import Iterable

from pyqtgraph.Qt import QtCore, QtGui

from app.desk.bench.workbench import Workbench
from app.desk.events import between
from app.gui import theme

TOP, FLAG = 3.0, 5.0
"""Pixels: where a flag begins, and its size."""
_MOST_NAMED = 8


def draw(painter: QtGui.QPainter, strip: QtCore.QRectF, places: Iterable[float]) -> None:
    """Draw a flag at each place, in the colour of what wants attention but is no fault."""
    colour = QtGui.QColor(theme.current().warn)
    painter.save()
    painter.setPen(QtGui.QPen(colour, 1.5))
    painter.setBrush(colour)
    for x in dict.fromkeys(round(x) for x in places if x <= strip.right()):  # a file may name later frames
        painter.drawLine(QtCore.QPointF(x, TOP), QtCore.QPointF(x, strip.bottom() - 3))
        painter.drawPolygon(QtGui.QPolygonF([QtCore.QPointF(x, TOP), QtCore.QPointF(x + FLAG, TOP + FLAG / 2),
                                             QtCore.QPointF(x, TOP + FLAG)]))  # fmt: skip
    painter.restore()


def words(bench: Workbench, middle: float, reach: float) -> list[str]:
    """A line for each event within `reach` frames of a place."""
    near = between(bench.events, math.ceil(middle - reach), math.floor(middle + reach))
    lines = [f"event {event.name}, frame {bench.number(event.frame)}" for event in near[:_MOST_NAMED]]
    return [*lines, f"and {len(near) - _MOST_NAMED} events more"] if len(near) > _MOST_NAMED else lines
