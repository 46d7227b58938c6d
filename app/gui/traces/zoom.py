"""What a plot of traces does with wheel and mouse: one axis at a time where that is asked for."""

from __future__ import annotations

import pyqtgraph
from pyqtgraph.Qt import QtCore

_Key = QtCore.Qt.KeyboardModifier


class Zoom(pyqtgraph.ViewBox):  # type: ignore[misc]
    """The wheel zooms both axes, with Ctrl y only, with Shift x only; over an axis that axis only."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.above = 0.0
        """Pixels at the top that what is drawn leaves free where the range is found for it."""

    def childrenBounds(  # noqa: N802
        self, frac: object = None, orthoRange: object = (None, None), items: object = None
    ) -> list[list[float] | None]:
        """What is drawn, and room above it."""
        found: list[list[float] | None] = super().childrenBounds(frac, orthoRange, items)
        height = self.rect().height()
        if found[1] is not None and height > 2.5 * self.above:
            low, high = found[1]
            # So that `above` of `height` pixels lie above the highest point.
            found[1] = [low, high + (high - low) * self.above / (height - self.above)]
        return found

    def wheelEvent(self, event: object, axis: int | None = None) -> None:  # noqa: N802
        """Zoom."""
        keys = event.modifiers()  # type: ignore[attr-defined]
        if axis is None and keys & (_Key.ControlModifier | _Key.ShiftModifier):
            axis = 1 if keys & _Key.ControlModifier else 0
        super().wheelEvent(event, axis)
