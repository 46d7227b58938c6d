"""What of a pipeline's graph is drawn where: boxes, ports and wires at a place, and how large all is."""

from __future__ import annotations

from dataclasses import dataclass

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui.pipeline.graph_items import TITLE, BoxItem, HullItem, WireItem

MARGIN, SMALLEST, LARGEST = 14.0, 0.55, 2.0
MOST_GROWN = 1.5
"""Times the letters of the window, at most, that those of a graph have in a panel that has room to spare."""


@dataclass(frozen=True)
class PortAt:
    """A port: of which box, which one, and whether it gives."""

    box: str
    name: str
    gives: bool
    at: QtCore.QPointF


class GraphScene(QtWidgets.QGraphicsView):  # type: ignore[misc]
    """Boxes, wires and hulls, to be looked at.

    Attributes:
        boxes, wires, hulls: what is drawn, by name and by (consumer, port).
    """

    def __init__(self) -> None:
        super().__init__()
        self.boxes: dict[str, BoxItem] = {}
        self.wires: dict[tuple[str, str], WireItem] = {}
        self.hulls: list[HullItem] = []
        self._zoomed = False

    # ------------------------------------------------------------------------------------------------------ zoom

    def fit(self) -> None:
        """As large as fits the width, with letters as large as elsewhere, or up to half as large again where all of it
        has room; what the user zoomed stays."""
        if not self._zoomed:
            # Room for the bar at the side is kept, whether it is there or not: were the width that of what is seen, a
            # bar that comes would make the graph smaller, and the bar needless, and so on without an end.
            bar = self.style().pixelMetric(QtWidgets.QStyle.PixelMetric.PM_ScrollBarExtent, None, self)
            room = (self.contentsRect().width() - bar) / max(1.0, self.sceneRect().width())
            life = max(1.0, QtGui.QFontInfo(QtWidgets.QApplication.font()).pointSizeF() / TITLE)
            high = self.contentsRect().height() / max(1.0, self.sceneRect().height())
            factor = min(max(life, min(MOST_GROWN * life, room, high)), max(SMALLEST, room))
            self.setTransform(QtGui.QTransform.fromScale(factor, factor))

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:  # noqa: N802
        """Fit again."""
        super().resizeEvent(event)
        self.fit()

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:  # noqa: N802
        """Scroll; with Ctrl zoom."""
        if not event.modifiers() & QtCore.Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
            return
        wanted = self.transform().m11() * (1.15 if event.angleDelta().y() > 0 else 1 / 1.15)
        self._zoomed = True
        factor = min(LARGEST, max(SMALLEST, wanted))
        self.setTransform(QtGui.QTransform.fromScale(factor, factor))

    # ------------------------------------------------------------------------------------------------ what is where

    def box_at(self, at: QtCore.QPointF) -> str:
        """The box at a place of the scene, "" for none."""
        for name, item in self.boxes.items():
            if QtCore.QRectF(item.box.x, item.box.y, item.box.width, item.box.height).contains(at):
                return name
        return ""

    def port_at(self, at: QtCore.QPointF) -> PortAt | None:
        """The port at a place."""
        found = [port for port in self.ports() if QtCore.QLineF(port.at, at).length() < 9]
        return min(found, key=lambda port: float(QtCore.QLineF(port.at, at).length()), default=None)

    def ports(self) -> list[PortAt]:
        """All ports."""
        made = []
        for name, item in self.boxes.items():
            box = item.box
            made += [PortAt(name, port, False, QtCore.QPointF(x, box.y)) for port, x in box.inputs]
            made += [PortAt(name, port, True, QtCore.QPointF(x, box.y + box.height)) for port, x in box.outputs]
        return made

    def wire_at(self, at: QtCore.QPointF) -> WireItem | None:
        """The wire at a place."""
        return next((item for item in self.wires.values() if item.shape().contains(at)), None)

    def _heat(self, wire: WireItem | None) -> None:
        for item in self.wires.values():
            item.set_hot(item is wire)
