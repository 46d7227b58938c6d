"""What a plot of traces does with wheel and mouse: one axis at a time where that is asked for."""

from __future__ import annotations

import pyqtgraph
from pyqtgraph.Qt import QtCore

_Key = QtCore.Qt.KeyboardModifier


class Zoom(pyqtgraph.ViewBox):  # type: ignore[misc]
    """The wheel zooms both axes, with Ctrl y only, with Shift x only; over an axis that axis only."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False)

    def wheelEvent(self, event: object, axis: int | None = None) -> None:  # noqa: N802
        """Zoom."""
        keys = event.modifiers()  # type: ignore[attr-defined]
        if axis is None and keys & (_Key.ControlModifier | _Key.ShiftModifier):
            axis = 1 if keys & _Key.ControlModifier else 0
        super().wheelEvent(event, axis)
