"""The graph of stages: picking, dragging, keys. What is meant is said by signals; nothing is changed here."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.pipeline.graph_layout import GAP
from app.gui import theme
from app.gui.pipeline.drawn import Drawn
from app.gui.pipeline.graph_items import BoxItem, HullItem, WireItem
from app.gui.pipeline.graph_scene import MARGIN, GraphScene, PortAt
from pipelines.graph import SOURCE, Ref

STAGE_MIME = "application/x-fusetrack-stage"
"""What a stage is called while it is dragged from the list."""
_KEYS = QtCore.Qt.Key
_OWN_KEYS = (_KEYS.Key_Up, _KEYS.Key_Down, _KEYS.Key_Left, _KEYS.Key_Right, _KEYS.Key_Delete, _KEYS.Key_Backspace,
             _KEYS.Key_F2, _KEYS.Key_Return, _KEYS.Key_Enter, _KEYS.Key_Insert)  # fmt: skip
"""Keys that mean something here, whatever they are elsewhere in the window."""


def _control(event: QtGui.QKeyEvent) -> bool:
    return bool(event.modifiers() & QtCore.Qt.KeyboardModifier.ControlModifier)


class GraphView(GraphScene):
    """See the module.

    Attributes:
        picked: a signal: a box was picked, "" for none. opened: a box was opened (its picture is wanted).
        asked_menu: a signal: a menu is wanted for (box, wire) at a place of the screen; one of the two is None.
        connected: a signal: ((consumer, port), Ref or None).
        dropped: a signal: (stage, wire or None, box or "") came from the list.
        placed_into: a signal: (box, wire): a box was dropped onto a wire.
        removed, renaming: signals with a box. shifted: (box, down). wanted: something is to be added.
    """

    picked = QtCore.pyqtSignal(str)
    opened = QtCore.pyqtSignal(str)
    asked_menu = QtCore.pyqtSignal(str, object, object)
    connected = QtCore.pyqtSignal(object, object)
    dropped = QtCore.pyqtSignal(str, object, str)
    placed_into = QtCore.pyqtSignal(str, object)
    removed = QtCore.pyqtSignal(str)
    renaming = QtCore.pyqtSignal(str)
    shifted = QtCore.pyqtSignal(str, bool)
    wanted = QtCore.pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.setScene(QtWidgets.QGraphicsScene(self))
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        self.setAlignment(QtCore.Qt.AlignmentFlag.AlignHCenter | QtCore.Qt.AlignmentFlag.AlignTop)
        self.setFocusPolicy(QtCore.Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.selected = ""
        self._drawn: Drawn | None = None
        self._from: PortAt | None = None
        self._grip: tuple[str, QtCore.QPointF] | None = None
        self._moving = False
        self._rubber: QtWidgets.QGraphicsLineItem | None = None
        self.themed()

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.setBackgroundBrush(QtGui.QColor(theme.current().panel))
        self.viewport().update()

    def draw(self, drawn: Drawn) -> None:
        """Draw what is new: nothing, the words above groups, or all."""
        before, self._drawn = self._drawn, drawn
        # Equal records: nothing is drawn anew, as the panel asks after each change of anything.
        if drawn == before:
            return
        # Only words above groups differ, such as times: items stay, and with them what is dragged.
        if before is not None and drawn.but_words == before.but_words:
            shown = [look for look in drawn.groups if any(name in drawn.placed.boxes for name in look.names)]
            for hull, look in zip(self.hulls, shown, strict=True):
                hull.show_look(look)
            return
        # The scene takes its items apart: what was dragged would be a dead object.
        self._give_up()
        scene = self.scene()
        scene.clear()
        self.hulls = [HullItem(look, drawn.placed) for look in drawn.groups
                      if any(name in drawn.placed.boxes for name in look.names)]  # fmt: skip
        # A wire within a group is thin: nothing leaves the program there. -1 and -2 are never alike.
        group_of = {name: k for k, look in enumerate(drawn.groups) for name in look.names}
        self.wires = {}
        for wire in drawn.placed.wires:
            pair = (wire.ref.node, wire.consumer)
            inside = group_of.get(pair[0], -1) == group_of.get(pair[1], -2)
            self.wires[wire.key] = WireItem(wire, drawn.pins.get(pair, ""), inside, drawn.tips.get(pair, ""))
        self.boxes = {name: BoxItem(box, drawn.boxes[name]) for name, box in drawn.placed.boxes.items()}
        self.selected = next((name for name, look in drawn.boxes.items() if look.selected), "")
        for item in (*self.hulls, *self.wires.values(), *self.boxes.values()):
            scene.addItem(item)
        scene.setSceneRect(QtCore.QRectF(0, 0, drawn.placed.width, drawn.placed.height)
                           .adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN))  # fmt: skip
        self.fit()

    def show_box(self, name: str) -> None:
        """Scroll to a box."""
        if name in self.boxes:
            self.ensureVisible(self.boxes[name], 10, 30)

    # ----------------------------------------------------------------------------------------------------- mouse

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:  # noqa: N802
        """Pick a box, or take hold of a port."""
        self.setFocus()
        if event.button() != QtCore.Qt.MouseButton.LeftButton:
            return
        at = self.mapToScene(event.pos())
        port = self.port_at(at)
        if port is not None:
            self._from = port
            self._rubber = QtWidgets.QGraphicsLineItem(QtCore.QLineF(port.at, at))
            self._rubber.setPen(QtGui.QPen(QtGui.QColor(theme.current().accent), 2))
            self._rubber.setZValue(3)
            self.scene().addItem(self._rubber)
            return
        name = self.box_at(at)
        self._pick(name)
        if name and name != SOURCE:
            self._grip = (name, at)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:  # noqa: N802
        """Draw what is dragged; light up what is under the mouse."""
        at = self.mapToScene(event.pos())
        if self._rubber is not None and self._from is not None:
            self._rubber.setLine(QtCore.QLineF(self._from.at, at))
            target = self.port_at(at)
            fits = target is not None and target.gives != self._from.gives
            self.setCursor(QtCore.Qt.CursorShape.PointingHandCursor if fits else QtCore.Qt.CursorShape.CrossCursor)
        elif self._grip is not None:
            name, start = self._grip
            # Some pixels, so that a click that trembles moves nothing.
            if self._moving or QtCore.QLineF(start, at).length() > 8:
                self._moving = True
                item = self.boxes[name]
                item.setPos(QtCore.QPointF(item.box.x, item.box.y) + at - start)
                item.setOpacity(0.6)
                item.setZValue(4)
                self._heat(self._target(name, at))
        else:
            over = self.port_at(at)
            # Ports and boxes lie over wires.
            wire = None if over is not None or self.box_at(at) else self.wire_at(at)
            self._heat(wire)
            shape = QtCore.Qt.CursorShape
            self.setCursor(shape.CrossCursor if over is not None else shape.ArrowCursor)
            super().mouseMoveEvent(event)  # tooltips

    def _target(self, name: str, at: QtCore.QPointF) -> WireItem | None:
        """The wire that a box may be dropped into: none of its own."""
        wire = self.wire_at(at)
        return None if wire is None or name in (wire.wire.consumer, wire.wire.ref.node) else wire

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:  # noqa: N802
        """Say what was meant."""
        at = self.mapToScene(event.pos())
        begun, grip, moving = self._from, self._grip, self._moving
        target = self._target(grip[0], at) if grip is not None and moving else None
        # Before the signal: whoever hears it may draw everything anew.
        self._give_up()
        if begun is not None:
            self._connect(begun, self.port_at(at), self.box_at(at))
        elif grip is not None and target is not None:
            self.placed_into.emit(grip[0], target.wire.key)

    def _connect(self, begun: PortAt, target: PortAt | None, box: str) -> None:
        if target is None and begun.gives and box not in ("", begun.box, SOURCE):
            # Dropped onto a box: its first input, or the one beside the mouse would be guesswork.
            target = next((port for port in self.ports() if port.box == box and not port.gives), None)
        if target is None:
            # Pulled out of an input into the open: the wire is cut.
            if not begun.gives and not box and (begun.box, begun.name) in self.wires:
                self.connected.emit((begun.box, begun.name), None)
            return
        if target.gives != begun.gives:
            giver, taker = (begun, target) if begun.gives else (target, begun)
            self.connected.emit((taker.box, taker.name), Ref(giver.box, giver.name))

    @property
    def _drags(self) -> bool:
        return self._from is not None or self._moving

    def _give_up(self) -> None:
        """Let go of what is dragged."""
        if self._rubber is not None:
            self.scene().removeItem(self._rubber)
        item = self.boxes.get(self._grip[0]) if self._grip is not None and self._moving else None
        if item is not None:  # home again: only what differs is drawn anew
            item.setPos(item.box.x, item.box.y)
            item.setOpacity(1.0)
            item.setZValue(2)
        self._from = self._grip = self._rubber = None
        self._moving = False
        self._heat(None)
        self.unsetCursor()

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:  # noqa: N802
        """Open a box."""
        name = self.box_at(self.mapToScene(event.pos()))
        if name:
            self.opened.emit(name)

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:  # noqa: N802
        """A menu for what is there."""
        at = self.mapToScene(event.pos())
        name = self.box_at(at)
        wire = None if name else self.wire_at(at)
        if name:
            self._pick(name)
        self.asked_menu.emit(name, None if wire is None else wire.wire, event.globalPos())

    def _pick(self, name: str) -> None:
        if name != self.selected:
            self.picked.emit(name)

    # ------------------------------------------------------------------------------------------------ from the list

    def dragEnterEvent(self, event: QtGui.QDragEnterEvent) -> None:  # noqa: N802
        """Stages may come."""
        if event.mimeData().hasFormat(STAGE_MIME):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QtGui.QDragMoveEvent) -> None:  # noqa: N802
        """Onto a wire or a box."""
        at = self.mapToScene(event.pos())
        wire = self.wire_at(at)
        self._heat(wire)
        event.setAccepted(event.mimeData().hasFormat(STAGE_MIME))

    def dragLeaveEvent(self, event: QtGui.QDragLeaveEvent) -> None:  # noqa: N802
        """It went elsewhere."""
        del event
        self._heat(None)

    def dropEvent(self, event: QtGui.QDropEvent) -> None:  # noqa: N802
        """A stage is to be here."""
        at = self.mapToScene(event.pos())
        wire, box = self.wire_at(at), self.box_at(at)
        self._heat(None)
        event.acceptProposedAction()
        name = bytes(event.mimeData().data(STAGE_MIME)).decode()
        self.dropped.emit(name, None if wire is None or box else wire.wire.key, box)

    # ------------------------------------------------------------------------------------------------------ keys

    def event(self, event: QtCore.QEvent) -> bool:
        """Keep the keys of the graph from the window's actions; with Ctrl they are those, but for moving a stage."""
        # Accepting the override keeps Qt from giving the key to a shortcut of the window; it comes as a key press then.
        if event.type() == QtCore.QEvent.Type.ShortcutOverride and (
            (event.key() in _OWN_KEYS and (not _control(event) or event.key() in (_KEYS.Key_Up, _KEYS.Key_Down)))
            or (event.key() == _KEYS.Key_Escape and self._drags)
        ):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:  # noqa: N802
        """Walk, remove, rename, reorder."""
        key, keys = event.key(), _KEYS
        name = self.selected if self.selected != SOURCE else ""
        control = _control(event)
        if key in (keys.Key_Up, keys.Key_Down) and control and name:
            self.shifted.emit(name, key == keys.Key_Down)
        elif key in (keys.Key_Up, keys.Key_Down, keys.Key_Left, keys.Key_Right):
            self._walk(key)
        elif key in (keys.Key_Delete, keys.Key_Backspace) and name:
            self.removed.emit(name)
        elif key == keys.Key_F2 and name:
            self.renaming.emit(name)
        elif key in (keys.Key_Return, keys.Key_Enter) and self.selected:
            self.opened.emit(self.selected)
        elif key == keys.Key_Insert:
            self.wanted.emit()
        elif key == keys.Key_Escape and self._drags:
            self._give_up()
        else:
            super().keyPressEvent(event)

    def _walk(self, key: int) -> None:
        """To the nearest box in a direction."""
        if self.selected not in self.boxes:
            self._pick(next(iter(self.boxes), ""))
            return
        here = self.boxes[self.selected].box
        steps = {_KEYS.Key_Up: (0, -1), _KEYS.Key_Down: (0, 1), _KEYS.Key_Left: (-1, 0), _KEYS.Key_Right: (1, 0)}
        dx, dy = steps[QtCore.Qt.Key(key)]

        # Ahead in the direction of the key, and what lies aside counts a quarter; what lies behind is none.
        def far(name: str) -> float:
            box = self.boxes[name].box
            across = box.x + box.width / 2 - here.x - here.width / 2
            down = box.layer - here.layer
            ahead, aside = (down * GAP, abs(across)) if dy else (across, abs(down) * 4 * GAP)
            ahead *= dy or dx
            return ahead + aside / 4 if ahead > 0 else float("inf")

        found = min(self.boxes, key=far)
        if far(found) < float("inf"):
            self._pick(found)
            self.show_box(found)
