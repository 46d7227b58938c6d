"""Everything of the window that concerns tracks: tools of the video, corrections, their table, and the actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import Protocol

from pyqtgraph.Qt import QtWidgets

from app.desk.bench.topics import Link, Topic
from app.desk.bench.workbench import Workbench
from app.desk.engine.link import EngineLink
from app.desk.jobs.jobs import Jobs
from app.desk.labelling.labeller import Labeller
from app.desk.services.corrector import Corrector
from app.desk.services.regions import Reopener, region
from app.desk.services.retracker import Retracker
from app.desk.services.scales import Scales
from app.desk.services.units import Units
from app.desk.subprocess_worker import plugins
from app.gui.actions import Action, Actions
from app.gui.settings import Settings
from app.gui.strips import Strip, Strips
from app.gui.tracks.table import TracksTable
from app.gui.video.compare import Compare
from app.gui.video.hover_tip import HoverTip
from app.gui.video.paths import Paths
from app.gui.video.toolbox import KINDS, ToolBox, ToolStrip
from app.gui.video.view import VideoView
from pipelines.graph import Pipeline

GROUP = 5
"""From here on groups of the menu are those of this module."""


class Window(Protocol):
    """What the actions need of the main window."""

    jobs: Jobs
    settings: Settings

    @property
    def tracking(self) -> Tracking: ...
    def show_panel(self, name: str) -> None: ...


class Tracking:
    """See the module.

    Args:
        bench: the state behind the window.
        video: the picture.
        guard: called with what may go wrong; turns errors into messages.
        connect: makes a link to another engine, for comparing.
    """

    def __init__(
        self, bench: Workbench, video: VideoView, guard: Callable[[Callable[[], object]], object],
        connect: Callable[[], Link] = lambda: EngineLink(plugins()),
    ) -> None:
        self.bench, self._guard = bench, guard
        self.reopener, self.units = Reopener(bench), Units(bench)
        self.corrector = Corrector(bench)
        self.labeller = Labeller(bench)
        self.tools = ToolBox(bench, video, self.corrector, self.reopener, self.units, self.labeller)
        self.tip = HoverTip(bench, video)
        self.paths = Paths(bench, video)
        self.table = TracksTable(bench, self.corrector, guard)
        self.table.went.connect(video.reveal)
        video.asked.connect(lambda at: self.table.menu().popup(at))
        self.compare = Compare(bench, video, connect)
        self.retracker: Retracker | None = None
        self.unit = QtWidgets.QToolButton()
        self.unit.setObjectName("unit")
        self.unit.clicked.connect(lambda: guard(self.units.switch))
        bench.on(Topic.VIEW, self._unit)
        self._unit()

    def _unit(self) -> None:
        self.unit.setText(self.bench.calibration.unit)
        other = self.units.other
        self.unit.setToolTip(f"Show {other} instead  (Shift+U)" if other else "Pixels; set a scale with K")

    def follow_with(self, jobs: Jobs) -> Retracker:
        """Have corrections followed up in processes beside."""
        made = self.retracker = Retracker(self.bench, self.corrector, jobs)
        made.on(self.tools.refresh)
        made.on(self.tools.changed.emit)
        return made

    def remember_with(self, settings: Settings, strips: Strips) -> Scales:
        """Have each clip keep its scale and axes, and offer them to pictures of the same size; keep how trails look."""
        self.paths.remember_with(settings)
        self.labeller.home = settings.folder_of_own / "labels"
        made = Scales(self.bench, self.units, settings)

        def offer() -> None:
            strips.remove("scale")
            if made.offered is not None:
                name, found = made.offered.name, made.offered.words
                words = f"Calibrate as {name}, whose pictures have the same size?  There {found}."
                strips.put("scale", Strip(words, buttons=(("Use it", made.take),), closed=made.leave,
                                          tip="Right if camera, lens and distance are the same"))  # fmt: skip

        made.on(offer)
        self.compare.pinned.left = partial(self._left, strips)
        return made

    def _left(self, strips: Strips, pipeline: Pipeline) -> None:
        """A went with the clip that it was pinned on."""

        def compare() -> None:
            self.compare.switch(True, pipeline)
            strips.remove("a")
            self.compare.left.emit()  # menus are told

        def use() -> None:
            self.bench.editor.edit("use A", pipeline)
            strips.remove("a")

        strips.put("a", Strip(
            f"The comparison has ended with its clip; its A, <b>{escape(pipeline.name)}</b> as it was pinned, is kept.",
            buttons=(("Compare here", lambda: self._guard(compare)), ("Use A", lambda: self._guard(use))),
            closed=lambda: strips.remove("a"),
            tip="A was pinned on a clip that is no longer open; Edit > Undo takes Use A back",
        ))  # fmt: skip

    def strip(self, actions: Actions) -> ToolStrip:
        """The buttons beside the video."""
        self.tools.changed.connect(actions.refresh)
        self.compare.left.connect(actions.refresh)
        return ToolStrip([actions.made[f"tool_{kind.name}"] for kind in KINDS])

    def themed(self) -> None:
        """The colours of the theme."""
        self.tools.themed()
        self.compare.themed()
        self.tip.themed()


def actions(window: Window) -> list[Action]:
    """All that can be done with tools and tracks."""
    made = window.tracking
    tools, table, corrector, bench, marks = made.tools, made.table, made.corrector, made.bench, made.tools.marks
    retracker = made.follow_with(window.jobs)
    table.columns.remember_with(window.settings)

    def take(name: str) -> Callable[[bool], None]:
        return lambda on: tools.take(name if on else "pick")

    def show(name: str) -> Callable[[bool], None]:
        def change(on: bool) -> None:
            setattr(marks, name, on)
            marks.update()

        return change

    def some(count: int) -> Callable[[], bool]:
        return lambda: len(bench.selected) >= count

    def rename() -> None:
        window.show_panel("tracks")
        table.redraw()
        table.rename()

    def select_all() -> None:
        focus = QtWidgets.QApplication.focusWidget()
        if isinstance(focus, QtWidgets.QAbstractItemView) and focus is not table.view:
            focus.selectAll()  # the lines of another list
        else:
            table.select_all()

    found = [
        Action(f"tool_{kind.name}", kind.menu, kind.text, take(kind.name), kind.key, kind.icon, kind.tip,
               checkable=True, checked=partial(lambda name: tools.tool.name == name, kind.name), group=GROUP)
        for kind in KINDS
    ]  # fmt: skip
    return [
        *found,
        Action("tool_finish", "Tracks", "Finish the tool", tools.finish, "Return; Enter", group=GROUP,
               enabled=lambda: tools.active),
        Action("tool_back", "Tracks", "Remove the last point", tools.back, "Backspace", group=GROUP,
               enabled=lambda: tools.active),
        Action("whole", "Tracks", "Process the &whole picture", lambda: made.reopener.reopen(None), "Shift+Q",
               group=GROUP, enabled=lambda: region(bench) is not None),
        Action("select_all", "Tracks", "Select a&ll tracks", select_all, "Ctrl+A", group=GROUP + 1,
               tip="Those of the list: where something is searched for, what was found",
               enabled=lambda: bench.opened is not None),
        Action("rename", "Tracks", "Rena&me track", rename, "F2", group=GROUP + 1, enabled=some(1)),
        Action("merge", "Tracks", "Mer&ge tracks", table.merge, "Ctrl+M", "link", group=GROUP + 1, enabled=some(2),
               tip="The selected tracks are one thing"),
        Action("split", "Tracks", "&Split track here", table.split, "Ctrl+K", "cut", group=GROUP + 1, enabled=some(1),
               tip="From the frame that is shown on it is another thing"),
        Action("swap", "Tracks", "S&wap two tracks from here on", table.swap, "Ctrl+Shift+K", group=GROUP + 1,
               enabled=lambda: len(bench.selected) == 2,
               tip="They took one another's things: from the frame that is shown on each is the other one"),
        Action("delete", "Tracks", "&Delete tracks", table.delete, "Del", "delete", group=GROUP + 1, enabled=some(1)),
        Action("track_first", "Tracks", "Go to the track's first frame", lambda: table.go(False), "Ctrl+Home",
               group=GROUP + 1, enabled=some(1)),
        Action("track_last", "Tracks", "Go to the track's last frame", lambda: table.go(True), "Ctrl+End",
               group=GROUP + 1, enabled=some(1)),
        Action("stop_retracking", "Tracks", "Stop re-trac&king", retracker.cancel, "Ctrl+Alt+.", group=GROUP + 2,
               tip="Tracks that are being followed anew stay as they were",
               enabled=lambda: bool(retracker.following)),
        Action("forget_corrections", "Tracks", "Forget all corre&ctions", corrector.forget, group=GROUP + 2,
               enabled=lambda: len(corrector.corrections) > 0),
        Action("pin", "View", "&Pin as A and compare", made.compare.switch, "C", "compare", checkable=True, group=2,
               tip="Keeps the parameters as they are now beside those that you go on to edit",
               checked=lambda: made.compare.on, enabled=lambda: bench.opened is not None and not bench.live),
        Action("blink", "View", "A in place of B, and back", made.compare.blink, "Shift+C", group=2,
               enabled=lambda: made.compare.on),
        Action("scale_bar", "View", "&Scale bar", show("scale_bar"), checkable=True, group=1,
               checked=lambda: marks.scale_bar),
        Action("axes", "View", "Ax&es", show("axes"), checkable=True, group=1, checked=lambda: marks.axes),
        Action("outlines", "View", "Mas&ks", show("masks"), checkable=True, group=1, checked=lambda: marks.masks),
        Action("unit", "View", "Pi&xels or lengths", made.units.switch, "Shift+U", group=1,
               tip="Between px and the unit of the scale"),
    ]  # fmt: skip
