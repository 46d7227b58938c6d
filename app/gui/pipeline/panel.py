"""The pipeline as a graph: what runs fused, what it takes, and everything that can be done to it."""

from __future__ import annotations

from functools import partial

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.pipeline.graph_layout import Wire
from app.desk.pipeline.heat_maps import is_picture
from app.desk.plan.planning import Planning
from app.desk.services.edits import Edits, Input
from app.desk.services.foresight import Foresight
from app.gui.icons import icon
from app.gui.pipeline import looks
from app.gui.pipeline.choice import PipelineChoice
from app.gui.pipeline.graph_view import GraphView
from app.gui.pipeline.hint_label import HintLabel
from app.gui.pipeline.stage_list import StageList
from kernels.plugins import find_stage
from pipelines.graph import SOURCE, Node, Ref

REDRAW = 40
"""Milliseconds that changes are gathered before the graph is drawn anew."""
PINS = (("Pin together: one program", "fuse", "link"), ("Pin apart: two programs", "cut", "cut"),
        ("Let the planner choose", None, ""))  # fmt: skip
TIMES = 500
"""Milliseconds between two looks at measured times."""


class PipelinePanel(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        planning: where predictions come from; one of its own without.
        foresight: knows what cannot be as precise as is asked; one of its own without.

    Attributes:
        selected: a signal: a stage or tracker was picked (its parameters are of interest).
        graph: the view. list: of stages to add. edits: what is done to the pipeline.
    """

    selected = QtCore.pyqtSignal(str)
    open_wanted = QtCore.pyqtSignal()
    save_wanted = QtCore.pyqtSignal()
    shipped_wanted = QtCore.pyqtSignal(str)

    def __init__(
        self, bench: Workbench, planning: Planning | None = None, foresight: Foresight | None = None
    ) -> None:
        super().__init__()
        self._bench = bench
        self.foresight = foresight if foresight is not None else Foresight(bench)
        self._planning = planning if planning is not None else Planning(bench)
        self.edits = Edits(bench)
        self.node = ""
        self.graph = GraphView()
        self.list = StageList()
        self.list.hide()
        self.trouble = QtWidgets.QLabel()
        self.trouble.setWordWrap(True)
        self.trouble.setProperty("bad", True)
        self.trouble.setContentsMargins(8, 2, 8, 4)
        self.trouble.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        self.hint = HintLabel(bench, self.foresight)
        self._name: QtWidgets.QLineEdit | None = None
        self.splitter = QtWidgets.QSplitter(QtCore.Qt.Orientation.Vertical)
        self.splitter.addWidget(self.graph)
        self.splitter.addWidget(self.list)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setChildrenCollapsible(False)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(self._top())
        column.addWidget(self.splitter, 1)
        column.addWidget(self.hint)
        column.addWidget(self.trouble)
        self.setMinimumWidth(216)
        self._connect()
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REDRAW)
        self._timer.timeout.connect(self.redraw)
        self._slow = QtCore.QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(TIMES)
        self._slow.timeout.connect(self.redraw)
        for topic in (Topic.PIPELINE, Topic.BUILT, Topic.OPENED):
            bench.on(topic, self.redraw)
        bench.on(Topic.VIEW, self._due)
        bench.on(Topic.MEASURED, lambda: None if self._slow.isActive() else self._slow.start())
        self._planning.on(self._due)
        self.redraw()

    def sizeHint(self) -> QtCore.QSize:  # noqa: N802
        """Narrow and high."""
        return QtCore.QSize(260, 600)

    def _top(self) -> QtWidgets.QHBoxLayout:
        self.choice = PipelineChoice()
        self.choice.activated.connect(self._choose)
        row = QtWidgets.QHBoxLayout()
        row.setContentsMargins(6, 2, 4, 2)
        row.setSpacing(1)
        row.addWidget(self.choice, 1)
        self.buttons: dict[str, QtWidgets.QToolButton] = {}
        for name, tip in (("add", "Add a stage: opens the list  (Insert)"), ("open", "Open a pipeline's file"),
                          ("save", "Save the pipeline")):  # fmt: skip
            button = QtWidgets.QToolButton()
            button.setIconSize(QtCore.QSize(18, 18))
            button.setToolTip(tip)
            self.buttons[name] = button
            row.addWidget(button)
        self.buttons["add"].setCheckable(True)
        self.buttons["add"].toggled.connect(self.show_list)
        self.buttons["open"].clicked.connect(self.open_wanted.emit)
        self.buttons["save"].clicked.connect(self.save_wanted.emit)
        self._icons()
        return row

    def _icons(self) -> None:
        for name, button in self.buttons.items():
            button.setIcon(icon(name))

    def _connect(self) -> None:
        graph, edits = self.graph, self.edits
        graph.picked.connect(self.select)
        graph.opened.connect(self.show_picture)
        graph.asked_menu.connect(self._ask_menu)
        graph.connected.connect(edits.rewire)
        graph.dropped.connect(self._dropped)
        graph.placed_into.connect(edits.move_into)
        graph.removed.connect(self.remove)
        graph.renaming.connect(self.start_rename)
        graph.shifted.connect(edits.shift)
        graph.wanted.connect(lambda: self.show_list(True))
        self.list.chosen.connect(self.add)
        self.list.closed.connect(lambda: self.show_list(False))

    # ----------------------------------------------------------------------------------------------------- drawing

    def _due(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def redraw(self) -> None:
        """Draw the pipeline as it is now."""
        bench = self._bench
        if self._name is not None:
            return  # a name is being typed; its end draws
        if self.node not in {SOURCE, *(m.id for m in bench.pipeline.members)}:
            self.node = ""
        self.graph.draw(looks.drawn(bench, self._planning.report, self.node))
        self.trouble.setText(bench.trouble)
        self.trouble.setVisible(bool(bench.trouble))
        place = self.choice.findText(bench.pipeline.name)
        if place != self.choice.currentIndex() or (place < 0 and self.choice.placeholderText() != bench.pipeline.name):
            self.choice.setPlaceholderText(bench.pipeline.name)
            self.choice.setCurrentIndex(place)

    def themed(self) -> None:
        """Take the colours of the theme."""
        self._icons()
        self.graph.themed()
        self.list.themed()
        self.hint.themed()
        self.redraw()

    # ----------------------------------------------------------------------------------------------------- doing

    def _choose(self, place: int) -> None:
        self.shipped_wanted.emit(self.choice.itemText(place))
        self.redraw()  # the name of the pipeline that is there, where none was chosen

    def select(self, name: str) -> None:
        """Pick a stage or tracker, "" for none."""
        self.node = name
        self.redraw()
        self.graph.show_box(name)
        if name and name != SOURCE:
            self.selected.emit(name)

    def show_picture(self, name: str) -> None:
        """Have the video show what a stage makes; trackers and tables have no picture."""
        if name == SOURCE:
            self._bench.player.show("")
            return
        found = self._pictures(name)
        if found:
            self._bench.player.show(found[0])
        else:
            self._bench.speak(Level.NOTE, f"{name} makes no picture to show")

    def _pictures(self, name: str) -> list[str]:
        """The outputs of a stage that can be shown."""
        built = self._bench.built
        outputs = built.outputs if built is not None else ()
        found = [output for output, words in outputs if output.partition(".")[0] == name
                 and is_picture(self._bench.pipeline, output, words)]
        main = str(self.edits.place(name)) if any(n.id == name for n in self._bench.pipeline.nodes) else ""
        return sorted(found, key=lambda output: output != main)

    def show_list(self, on: bool = True) -> None:
        """Show the list of stages, or hide it."""
        if on and self.list.isHidden():
            height = max(2, self.splitter.height())
            self.splitter.setSizes([height * 11 // 20, height * 9 // 20])
        self.list.setVisible(on)
        self.buttons["add"].setChecked(on)
        if on:
            self.list.open()
        else:
            self.graph.setFocus()

    def add(self, name: str) -> None:
        """A stage behind the one that is picked."""
        self._take(self.edits.add(name, self.node))

    def _take(self, made: str) -> None:
        if made:
            self.select(made)
            member = next(m for m in self._bench.pipeline.members if m.id == made)
            behind = " and ".join(dict.fromkeys("the picture" if ref.node == SOURCE else ref.node
                                                for ref in member.inputs.values()))  # fmt: skip
            self._bench.speak(Level.NOTE, f"{made} was added behind {behind}; Ctrl+Up and Ctrl+Down move a stage")

    def _dropped(self, name: str, wire: Input | None, box: str) -> None:
        self._take(self.edits.add_into(name, wire) if wire is not None else self.edits.add(name, box or self.node))

    def remove(self, name: str) -> None:
        """Take a stage or tracker out; its neighbour above is picked."""
        member = next((m for m in self._bench.pipeline.members if m.id == name), None)
        if member is not None and self.edits.remove(name):
            self.select(next((ref.node for ref in member.inputs.values()), ""))

    def start_rename(self, name: str) -> None:
        """Type another name right in the box."""
        item = self.graph.boxes.get(name)
        if item is None:
            return
        box = self.graph.mapFromScene(item.sceneBoundingRect()).boundingRect().adjusted(4, 4, -4, -4)
        line = QtWidgets.QLineEdit(name, self.graph.viewport())
        line.setGeometry(box)
        line.selectAll()
        line.show()
        line.setFocus()
        self._name = line
        line.editingFinished.connect(lambda: self._renamed(name))
        line.installEventFilter(self)

    def _renamed(self, name: str) -> None:
        line, self._name = self._name, None
        if line is None:
            return
        new = line.text().strip()
        line.deleteLater()
        self.graph.setFocus()
        if new and new != name and self.edits.rename(name, new):
            self.node = new
        self.redraw()

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:  # noqa: N802
        """While a name is typed Return takes it and Esc leaves it; the graph and the window do not hear of them."""
        keys, kinds = QtCore.Qt.Key, QtCore.QEvent.Type
        own = (keys.Key_Escape, keys.Key_Return, keys.Key_Enter)
        line = self._name
        if line is None or watched is not line or event.type() not in (kinds.ShortcutOverride, kinds.KeyPress):
            return bool(super().eventFilter(watched, event))
        if event.key() not in own:
            return False
        event.accept()
        if event.type() == kinds.KeyPress:
            if event.key() == keys.Key_Escape:
                line.setText("")
            line.clearFocus()  # which ends it
        return True

    # ----------------------------------------------------------------------------------------------------- menus

    def _ask_menu(self, name: str, wire: Wire | None, at: QtCore.QPoint) -> None:
        self.menu(name, wire).popup(at)

    def menu(self, name: str, wire: Wire | None) -> QtWidgets.QMenu:
        """What can be done with a box, a wire, or where nothing is."""
        made = QtWidgets.QMenu(self)
        made.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        if wire is not None:
            self._wire_menu(made, wire)
        elif name and name != SOURCE:
            self._box_menu(made, name)
        elif name == SOURCE:
            made.addAction(icon("eye"), "Show this picture", lambda: self.show_picture(SOURCE))
        made.addSeparator()
        made.addAction(icon("add"), "Add a stage…", lambda: self.show_list(True)).setShortcut(QtGui.QKeySequence("Ins"))
        return made

    def _box_menu(self, menu: QtWidgets.QMenu, name: str) -> None:
        pictures = self._pictures(name)
        if len(pictures) == 1:
            menu.addAction(icon("eye"), "Show this picture", partial(self._bench.player.show, pictures[0]))
        elif pictures:
            more = menu.addMenu(icon("eye"), "Show picture")
            for output in pictures:
                more.addAction(output.partition(".")[2], partial(self._bench.player.show, output))
        menu.addAction("Rename", partial(self.start_rename, name)).setShortcut(QtGui.QKeySequence("F2"))
        member = next(m for m in self._bench.pipeline.members if m.id == name)
        if isinstance(member, Node):
            menu.addAction("Move up", partial(self.edits.shift, name, False)).setShortcut(QtGui.QKeySequence("Ctrl+Up"))
            menu.addAction("Move down", partial(self.edits.shift, name, True)).setShortcut(
                QtGui.QKeySequence("Ctrl+Down")
            )
            for port, _ in self.graph.boxes[name].box.outputs:
                ref = Ref(name, port)
                words = f"Keep {port} as a result" if port else "Keep as a result"
                tap = menu.addAction(words)
                tap.setCheckable(True)
                tap.setChecked(ref in self._bench.pipeline.taps)
                tap.triggered.connect(partial(self._tap, ref))
        menu.addSeparator()
        menu.addAction(icon("delete"), "Remove", partial(self.remove, name)).setShortcut(QtGui.QKeySequence("Del"))

    def _tap(self, ref: Ref, wanted: bool) -> None:
        self.edits.tap(ref, wanted)

    def _wire_menu(self, menu: QtWidgets.QMenu, wire: Wire) -> None:
        pair = (wire.ref.node, wire.consumer)
        stages = {node.id for node in self._bench.pipeline.nodes}
        if set(pair) <= stages:
            pins = self._bench.pipeline.pins
            now = "fuse" if {*pair} in map(set, pins.fuse) else "cut" if {*pair} in map(set, pins.cut) else None
            for words, how, sign in PINS:
                action = menu.addAction(words, partial(self.edits.pin, pair, how))
                if sign:
                    action.setIcon(icon(sign))
                action.setEnabled(how != now)
        member = next(m for m in self._bench.pipeline.members if m.id == wire.consumer)
        if isinstance(member, Node) and wire.port in find_stage(member.stage).optional:
            menu.addAction("Take the wire off", partial(self.edits.rewire, wire.key, None))
