"""Whether anybody can see a widget."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtWidgets


def is_seen(widget: QtWidgets.QWidget) -> bool:
    """Whether a widget is shown within its window; docks behind others are not hidden by Qt but moved out of it."""
    window = widget.window()
    place = QtCore.QRect(widget.mapTo(window, QtCore.QPoint(0, 0)), widget.size())
    return bool(widget.isVisible() and window.rect().intersects(place))
