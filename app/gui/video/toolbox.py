"""All tools of the video and the one in hand; the strip of buttons beside it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.labelling.labeller import Labeller
from app.desk.services.corrector import Corrector
from app.desk.services.regions import Reopener
from app.desk.services.units import Units
from app.desk.tracks.signals import Quantity
from app.gui.video.axes_tool import AxesTool
from app.gui.video.correct_tool import CorrectTool
from app.gui.video.enter import EnterStays
from app.gui.video.grid_tool import GridTool
from app.gui.video.handles import Handles
from app.gui.video.label_tool import LabelTool
from app.gui.video.marks import Marks
from app.gui.video.measure_tools import AngleTool, ScaleTool
from app.gui.video.point_steps import PointSteps
from app.gui.video.point_tools import PlacePoints
from app.gui.video.region_tools import PolygonTool, RoiTool
from app.gui.video.template_tool import TemplateBox
from app.gui.video.tool_keys import ToolKeys
from app.gui.video.tool_panel import ToolPanel
from app.gui.video.tools import PickTool, Tool
from app.gui.video.view import VideoView
from kernels.errors import FusetrackError
from pipelines.streaming.common.states import RunState

KINDS: tuple[type[Tool], ...] = (
    PickTool, PlacePoints, TemplateBox, GridTool, CorrectTool, LabelTool, RoiTool, PolygonTool, ScaleTool, AngleTool,
    AxesTool,
)  # fmt: skip

CROSS, GRIP = QtCore.Qt.CursorShape.CrossCursor, QtCore.Qt.CursorShape.SizeAllCursor


class ToolBox(QtCore.QObject):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        video: where the tools work.
        corrector, reopener, units, labeller: what they work with.

    Attributes:
        changed: a signal: another tool is in hand. wanted: one with a quantity that is to be plotted over time.
        tools: by name. steps: what was done to the points of the one in hand.
        marks: what lies on the picture at any time.
    """

    changed = QtCore.pyqtSignal()
    wanted = QtCore.pyqtSignal(object)

    def __init__(
        self, bench: Workbench, video: VideoView, corrector: Corrector, reopener: Reopener, units: Units,
        labeller: Labeller,
    ) -> None:
        super().__init__(video)
        self.bench, self.video, self.corrector, self.reopener, self.units = bench, video, corrector, reopener, units
        self.labeller = labeller
        self.panel = ToolPanel(self.finish, self.escape)
        self.panel.moved.connect(self._make_room)
        self.steps = PointSteps(self.changed.emit)
        self._enter = EnterStays(self)
        self.handles = Handles(self)
        self.marks = Marks(bench, video.box)
        self.tools = {kind.name: kind(self) for kind in KINDS}
        self._tool = self.tools["pick"]
        self._frame = -1
        video.box.addItem(self.handles, ignoreBounds=True)
        self.handles.hide()
        bench.on(Topic.OPENED, self._opened)
        bench.on(Topic.SELECTION, self.refresh)
        bench.on(Topic.PICTURE, self._pictured)
        bench.on(Topic.PIPELINE, self._piped)
        video.box.hovered.connect(self._hovered)
        video.box.left.connect(self._left)
        self._keys = ToolKeys(video.graphics, lambda: self._tool, self.refresh)
        labeller.on(self._labelled)

    @property
    def tool(self) -> Tool:
        """The one in hand."""
        return self._tool

    @property
    def active(self) -> bool:
        """Whether it is another than the usual one."""
        return self._tool.name != "pick"

    def take(self, name: str) -> None:
        """Take a tool; the one in hand is left as if it had never been taken."""
        if name == self._tool.name and name == "pick":
            return
        if name != "pick" and self.bench.opened is None:
            self.bench.speak(Level.ERROR, "open a clip or a camera first; tools work on its picture")
            self.changed.emit()
            return
        self._tool.leave()
        self._tool = self.tools[name]
        self._tool.cursor = None
        self.handles.break_off()
        self.video.overlay.mute(self._tool.numbers)
        self.video.overlay.setVisible(not self._tool.alone)
        self.video.point_with(CROSS if self.active else None)
        self.video.picking = not self.active
        self.handles.setVisible(self.active)
        if self._tool.pauses:
            self.hold(getattr(self._tool, "start", None))  # where a tool says in which frame it begins
        self._tool.enter()
        self.steps.begin(self._tool)
        self.panel.setVisible(self.active)
        if not self.active:
            self.video.make_room(0, 0)
        if self.active:
            plain = self._tool.text.replace("&", "").removesuffix("…")
            self.panel.show_tool(plain, self._tool.icon, self._tool.finishing, self._tool.form,
                                 self._tool.finishing_tip)  # fmt: skip
            self._make_room()
        self.refresh()
        self.changed.emit()

    def hold(self, frame: int | None = None) -> None:
        """Have a clip that plays stand still, at the frame that is seen now or at another one."""
        bench = self.bench
        if not bench.live and bench.state is RunState.RUNNING:
            bench.player.pause()
            if frame is None and bench.shown is not None:
                frame = bench.shown.frame
            if frame is not None:
                bench.player.seek(frame)

    def plot(self, quantity: Quantity) -> None:
        """Show what the selected tracks do over time."""
        self.wanted.emit(quantity)

    def dragging(self, on: bool) -> None:
        """Something is being dragged: what lies below the fields can be reached."""
        self.panel.fold(on)

    def refresh(self) -> None:
        """Draw the handles and say the hint anew."""
        self.handles.update()
        if self.active:
            self._uncover()
            self.panel.say(self._tool.hint, bool(getattr(self._tool, "ready", True)))

    def _uncover(self) -> None:
        """Have the panel lie at the other edge of the video where it would hide what the tool is about."""
        rows, graphics = self.video.overlay.rows, self.video.graphics
        about = rows[np.isin(rows["track"], self.bench.selected)] if self.bench.selected else rows[:0]
        places = [*self._tool.about, *zip(about["x"].tolist(), about["y"].tolist(), strict=True)]
        at = [self.video.box.mapViewToScene(QtCore.QPointF(*place)).y() for place in places]
        self.panel.keep_off([y for y in at if 0 <= y <= graphics.height()], graphics.height())

    def _make_room(self) -> None:
        """Have the picture lie beside the panel. It does so when a tool is taken and when somebody moves the panel;
        while the tool is used, its words, its folding and its keeping off move nothing."""
        if not self.active or not self.panel.isVisible():
            return
        around = self.panel.parentWidget().layout()
        if around is not None:
            around.activate()  # as wide and as high as it will be
        taken = self.panel.most
        self.video.make_room(*((0, taken) if self.panel.low else (taken, 0)))

    def guarded(self, work: Callable[[], object]) -> object:
        """Do something; what the user got wrong becomes a message."""
        try:
            return work()
        except FusetrackError as error:
            self.bench.speak(Level.ERROR, str(error))
            return True

    def finish(self) -> None:
        """Do what the tool in hand is for."""
        if self.active and self._tool.finishing:
            self.guarded(self._tool.finish)
            self.refresh()

    def _hovered(self, x: float, y: float) -> None:
        """Lines and boxes that are begun follow the cursor."""
        if not self.active:
            return
        held = QtWidgets.QApplication.keyboardModifiers()
        self._tool.straight = bool(held & QtCore.Qt.KeyboardModifier.ShiftModifier)
        self._tool.cursor = (x, y)
        self.video.point_with(GRIP if self._tool.near((x, y)) >= 0 else CROSS)
        if self._tool.points or self._tool.follows:
            self.refresh()

    def _labelled(self) -> None:
        """Labels are others: menus are told what can be undone."""
        if self.active:
            self.refresh()
        self.changed.emit()

    def _left(self) -> None:
        if self.active:
            self._tool.cursor = None
            self.refresh()

    def escape(self) -> None:
        """Break off the drag, or leave the tool in hand; without one, select nothing."""
        if self.handles.break_off():
            return
        if self.active and not self._tool.escape():
            self.take("pick")
        elif not self.active:
            self.bench.tracks.select([])

    def back(self) -> None:
        """Remove the point that was touched last."""
        if self.active:
            self.guarded(lambda: self.steps.watch(self._tool, self._tool.back))
            self.refresh()

    def _pictured(self) -> None:
        """What a tool says may be about the frame that is shown."""
        shown = self.bench.shown
        if self.active and shown is not None and shown.frame != self._frame:
            self._frame = shown.frame
            self._tool.changed()
            self.refresh()
        self.handles.update()

    def _piped(self) -> None:
        """Another pipeline takes points, or takes none."""
        if self.active:
            self._tool.changed()
        self.refresh()

    def _opened(self) -> None:
        if self.active:
            self.take("pick")

    def themed(self) -> None:
        """The colours of the theme."""
        self.panel.themed()


class ToolStrip(QtWidgets.QToolBar):  # type: ignore[misc]
    """Buttons of the tools, one below another, at the left edge of the video.

    Args:
        actions: of the tools, in their order.
    """

    def __init__(self, actions: list[QtWidgets.QAction]) -> None:
        super().__init__("Video tools")
        self.setObjectName("videoTools")
        self.setOrientation(QtCore.Qt.Orientation.Vertical)
        self.setIconSize(QtCore.QSize(20, 20))
        self.setMovable(False)
        for k, action in enumerate(actions):
            if k in (1, 6, 8):
                self.addSeparator()
            self.addAction(action)
