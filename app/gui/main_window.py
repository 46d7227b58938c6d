"""The main window: docks, menus, tool bar, status bar; and the clock that looks for news of the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.engine.link import EngineLink
from app.desk.jobs.batch_queue import BatchQueue
from app.desk.jobs.jobs import Jobs
from app.desk.labelling.proposals import Proposals
from app.desk.plan.planning import Planning
from app.desk.services.camera_setup import CameraSetup
from app.desk.services.channels import Channels
from app.desk.services.clip_pipelines import ClipPipelines
from app.desk.services.exporting import What
from app.desk.services.foresight import Foresight
from app.desk.services.levels import Levels
from app.desk.services.project import OpenProject
from app.desk.services.second_clip import Second
from app.desk.services.undoing import Undoing
from app.desk.subprocess_worker import plugins
from app.desk.tracks.problems import Kind, Problem
from app.files.summary import versions
from app.gui import theme
from app.gui.action_table import table
from app.gui.actions import Actions
from app.gui.analysis.panel import AnalysisPanel
from app.gui.asking import Asking
from app.gui.channels.opening import ChannelOpening
from app.gui.docked_window import LAYOUT, DockedWindow
from app.gui.events.marking import Marking
from app.gui.events.panel import EventsPanel
from app.gui.focus import Focus, by_tab_alone
from app.gui.help_sheet import HelpSheet
from app.gui.labelling.panel import LabelsPanel
from app.gui.leaving import Leaving
from app.gui.messages_panel import MessagesPanel
from app.gui.modes import Modes, first_size
from app.gui.open_dialog import Opening
from app.gui.other_pipeline import OtherPipeline
from app.gui.other_window import OtherWindow
from app.gui.pipeline.broken import Broken
from app.gui.pipeline.nothing_passes import NothingPasses
from app.gui.pipeline.panel import PipelinePanel
from app.gui.pipeline.parameter_editor import ParameterEditor
from app.gui.plan.plan_panel import PlanPanel
from app.gui.project import Projects
from app.gui.sessions.batch_panel import BatchPanel
from app.gui.sessions.camera_dialog import CameraDialog
from app.gui.sessions.camera_presets import CameraPresets
from app.gui.sessions.camera_settings import CameraSettingsDialog
from app.gui.sessions.export_dialog import ExportDialog
from app.gui.sessions.record_bar import RecordBar
from app.gui.sessions.rescued import Rescued
from app.gui.settings import Settings
from app.gui.spoken import Spoken
from app.gui.status import Status
from app.gui.stereo.window import CALIBRATION, PLACES, StereoWindow
from app.gui.strips import Strips
from app.gui.throughput import ThroughputPanel
from app.gui.tour import SHOWN, Tour, steps_of
from app.gui.traces.panel import TracesPanel
from app.gui.traces.transport import Transport
from app.gui.tracking import Tracking
from app.gui.turns import Turns
from app.gui.unsaved import Unsaved
from app.gui.video.levels import LevelsPanel
from app.gui.video.live_figure import LiveFigure
from app.gui.video.loupe import Loupe
from app.gui.video.nothing_open import NothingOpen
from app.gui.video.second_view import SecondOpening, SecondView
from app.gui.video.tool_panel import floating
from app.gui.video.view import VideoView
from app.samples import SAMPLES
from app.sources.reading import AS_STORED, Reading
from app.version import __version__
from kernels.errors import FusetrackError
from pipelines.frontend import Roi

TICK = 16
"""Milliseconds between two looks for news."""
_SIDES = QtCore.Qt.DockWidgetArea


class MainWindow(DockedWindow):
    """The window.

    Args:
        bench: the state behind it.
        settings: what is remembered from one start to the next.

    Attributes:
        video: the picture in the middle. actions_: all that can be done.
    """

    def __init__(self, bench: Workbench, settings: Settings) -> None:
        super().__init__(settings)
        self.bench = bench
        self.setWindowTitle("fusetrack")
        self.setAcceptDrops(True)
        self.strips, self.refusals = Strips(), Strips()
        self.sample = ""
        self.asking = Asking(self, bench, settings)
        self.opening = Opening(self)
        self.leaving = Leaving(self)
        self.modes = Modes(self, LAYOUT)
        self.video = VideoView(bench)
        self.loupe = Loupe(self.video)
        self.live_figure = LiveFigure(self.video, bench, settings)
        self.jobs = Jobs()
        self.queue = BatchQueue(self.jobs)
        self.leaving.listen()
        self.tracking = Tracking(bench, self.video, self.guarded)
        # First: what opening does to the scale is no step.
        self.scales = self.tracking.remember_with(settings, self.strips)
        self.other_window = OtherWindow(self.strips, self.tracking.corrector.kept)
        self.marking = Marking(self, bench, settings, self.guarded)
        self.pipelines = ClipPipelines(bench, settings)
        self.channels = Channels(bench)
        self._seen_channels = self.channels.all
        self.channel_opening = ChannelOpening(self, self)
        self.second = Second(bench, lambda: EngineLink(plugins()))
        self.second_opening = SecondOpening(self.second, self, settings)
        self.camera_setup = CameraSetup()
        project = OpenProject(bench, self.pipelines, self.scales, self.marking.kept, self.tracking.corrector.kept,
                              self.channels, self.second, self.camera_setup)  # fmt: skip
        self.undoing = Undoing(bench, self.tracking.corrector, self.tracking.units, self.tracking.reopener,
                               {"events": self.marking.kept, "points": self.tracking.tools.steps,
                                "labels": self.tracking.labeller, "channel": self.channels.history,
                                "second": self.second.history})  # fmt: skip
        self.proposals = Proposals(bench, self.tracking.labeller)
        self._make_docks()
        self.projects = Projects(self, project, self.opening.runs)
        self.unsaved = Unsaved(self, self.queue)
        self.other_pipeline = OtherPipeline(self.strips, self.pipelines)
        self.record_bar = RecordBar(bench, self.jobs, settings, self.guarded, self.strips)
        self.broken, self.rescued = Broken(bench, self.strips), Rescued(self)
        self._cameras: StereoWindow | None = None
        self.nothing_passes = NothingPasses(bench, self.level_looks, self.strips)
        self.turns = Turns(self)
        self.actions_ = Actions(self, table(self), self.guarded)
        self.transport = Transport(bench, self.actions_)
        self.marking.begin(self.transport.timeline, self.tracking.table, self.actions_)
        self.nothing = NothingOpen(self.video, bench, self.actions_, lambda: settings.recent,
                                   lambda what: self.guarded(partial(self.open, what)))  # fmt: skip
        middle = QtWidgets.QWidget()
        column = QtWidgets.QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.strips)
        row = QtWidgets.QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self.tracking.strip(self.actions_))
        row.addLayout(floating(self.tracking.tools.panel, self.tracking.compare, self.refusals), 1)
        column.addLayout(row, 1)
        column.addWidget(self.transport)
        self.second_view = SecondView(bench, self.second, self.tracking.compare, self.video, self.guarded)
        self.setCentralWidget(middle)
        menus = self.actions_.fill_menus(self.menuBar())
        menus["File"].insertMenu(self.actions_.made["close"], self.opening.menu)
        menus["File"].insertMenu(self.actions_.made["project_close"], self.projects.menu)
        self.bar = self.addToolBar("Tools")
        self.bar.setObjectName("tools")
        self.bar.setIconSize(QtCore.QSize(20, 20))
        self.bar.setMovable(False)
        self.actions_.fill_bar(self.bar)
        self.addToolBarBreak()
        self.addToolBar(self.record_bar)
        self.status = Status(self.statusBar(), bench, self.video)
        self.spoken = Spoken(self)
        self.focus = Focus(self, lambda: self.video.graphics)
        by_tab_alone(self)
        self.statusBar().addPermanentWidget(self.tracking.unit)
        for topic in (Topic.OPENED, Topic.STATE, Topic.PIPELINE, Topic.SELECTION, Topic.VIEW, Topic.RECORDING):
            bench.on(topic, self._changed)
        self.channels.on(self._channel_changed)
        self.second.on(self._changed)
        self._timer = QtCore.QTimer(self)
        self._timer.setTimerType(QtCore.Qt.TimerType.PreciseTimer)
        # One timer for everything that looks for news.
        polls = (self.planning.poll, self.level_looks.poll, self.foresight.poll, self.jobs.tick, self.proposals.poll,
                 self.tracking.labeller.poll, self.channels.poll)  # fmt: skip
        for look in (bench.tick, *polls):
            self._timer.timeout.connect(look)
        self._timer.start(TICK)
        self.resize(first_size(QtWidgets.QApplication.primaryScreen().availableSize()))
        self.tour = Tour(self, steps_of(self), lambda: self.settings.set_text(SHOWN, "yes"))
        self.begin_layout()
        self.record_bar.refresh()  # whether it is seen is not a matter of the layout
        self._changed()

    # ---------------------------------------------------------------------------------------------------- layout

    def _make_docks(self) -> None:
        self.setCorner(QtCore.Qt.Corner.BottomLeftCorner, _SIDES.LeftDockWidgetArea)  # a graph is narrow and high
        self.planning = Planning(self.bench)
        self.foresight = Foresight(self.bench)
        self.pipeline = PipelinePanel(self.bench, self.planning, self.foresight)
        self.pipeline.open_wanted.connect(lambda: self.guarded(self.asking.pipeline))
        self.pipeline.shipped_wanted.connect(lambda name: self.guarded(partial(self.asking.shipped, name)))
        self.pipeline.save_wanted.connect(lambda: self.guarded(self.asking.save_pipeline))
        self.add_panel("pipeline", "Pipeline", self.pipeline, _SIDES.LeftDockWidgetArea)
        self.level_looks = Levels(self.bench)
        editor = ParameterEditor(self.bench, self.level_looks)
        self.pipeline.selected.connect(editor.show_node)
        self.add_panel("parameters", "Parameters", editor, _SIDES.RightDockWidgetArea)
        self.add_panel("levels", "Levels", partial(LevelsPanel, self.bench, self.video), _SIDES.RightDockWidgetArea,
                       "parameters")  # fmt: skip
        self.add_panel("tracks", "Tracks", self.tracking.table, _SIDES.RightDockWidgetArea, "parameters")
        self.add_panel("events", "Events", EventsPanel(self.bench, self.marking), _SIDES.RightDockWidgetArea, "tracks")
        labels = partial(LabelsPanel, self.bench, self.tracking.labeller, self.proposals, self.jobs, self.settings,
                         self.strips, self.guarded)  # fmt: skip
        self.add_panel("labels", "Labels", labels, _SIDES.RightDockWidgetArea, "events")
        self.show_panel("parameters")
        traces = TracesPanel(self.bench, self.settings, self.channels, self.guarded)
        traces.channel_bar.changed_wanted.connect(lambda: self.guarded(self.channel_opening.change))
        traces.channel_bar.save_wanted.connect(lambda how: self.guarded(partial(self.channel_opening.save, how)))
        traces.lanes.laid.connect(lambda: self._laid(traces))
        traces.spectra_wanted.connect(lambda: self.ask_for_export(What.SPECTRA))
        self.tracking.tools.wanted.connect(traces.bar.plot)
        self.tracking.tools.wanted.connect(lambda _: self.show_panel("traces"))
        self.add_panel("traces", "Traces", traces, _SIDES.BottomDockWidgetArea)
        for name, title, make in (
            ("analysis", "Analysis", partial(AnalysisPanel, self.bench, self.jobs, self.video, self.guarded)),
            ("plan", "Plan", partial(PlanPanel, self.bench, self.planning)),
            ("throughput", "Throughput", partial(ThroughputPanel, self.bench, self.planning)),
        ):
            self.add_panel(name, title, make, _SIDES.BottomDockWidgetArea, "traces")
        self.add_panel("batch", "Batch", self._make_batch, _SIDES.BottomDockWidgetArea, "traces")
        self.add_panel("messages", "Messages", partial(MessagesPanel, self.bench), _SIDES.BottomDockWidgetArea,
                       "traces")  # fmt: skip
        self.show_panel("traces")

    def _laid(self, traces: TracesPanel) -> None:
        """A data channel came or went: once it is laid out, as its bar takes room, too, and drawn once for all."""
        self.setUpdatesEnabled(False)
        QtCore.QTimer.singleShot(0, partial(self._make_room, traces))

    def _make_room(self, traces: TracesPanel) -> None:
        """For a data channel that came, where plots would be too low; whoever wants them lower draws the edge down."""
        dock = self.docks["traces"]
        more = traces.high_enough - traces.height()
        if traces.lanes.lanes and more > 0 and not dock.isFloating():
            tabs = [bar.height() for bar in self.findChildren(QtWidgets.QTabBar) if bar.parent() is self
                    and dock.windowTitle() in [bar.tabText(k) for k in range(bar.count())]]  # fmt: skip
            # Qt counts the tabs below a dock to its height
            self.resizeDocks([dock], [dock.height() + more + sum(tabs)], QtCore.Qt.Orientation.Vertical)
        self.setUpdatesEnabled(True)

    def _make_batch(self) -> BatchPanel:
        panel = BatchPanel(self.bench, self.queue, self.jobs, self.settings, self.guarded)
        panel.wanted.connect(lambda what: self.guarded(partial(self.open, what)))
        return panel

    @property
    def batch(self) -> BatchPanel:
        """The panel of the batch, which is made now where it is not there yet."""
        panel = self.panels["batch"]
        assert isinstance(panel, BatchPanel)
        return panel

    @property
    def labels(self) -> LabelsPanel:
        """The panel of the labels, which is made now where it is not there yet."""
        panel = self.panels["labels"]
        assert isinstance(panel, LabelsPanel)
        return panel

    @property
    def plan(self) -> PlanPanel:
        """The panel about the plan, which is made now where it is not there yet."""
        panel = self.panels["plan"]
        assert isinstance(panel, PlanPanel)
        return panel

    @property
    def messages(self) -> MessagesPanel:
        """The panel with what was said, which is made now where it is not there yet."""
        panel = self.panels["messages"]
        assert isinstance(panel, MessagesPanel)
        return panel

    def newest_problems(self) -> Sequence[Problem]:
        """Where the run went wrong, as far as is known and looked at."""
        return self.transport.timeline.newest_problems()

    @property
    def problem_kind(self) -> Kind | None:
        """Of the problems that are looked at; None for all."""
        return self.transport.timeline.kind

    def show_problems(self, kind: Kind | None) -> None:
        """Look at problems of one kind only; None for all."""
        self.transport.timeline.show_kind(kind)
        self.actions_.refresh()

    def show_plan(self) -> None:
        """Bring the plan to the front."""
        self.show_panel("plan")

    @property
    def cameras(self) -> StereoWindow:
        """The window about several cameras, which is made now where it is not there yet."""
        if self._cameras is None:
            self._cameras = StereoWindow(self, self.bench, self.second, self.camera_setup, self.jobs, self.settings,
                                         lambda words: self.bench.speak(Level.NOTE, words))  # fmt: skip
        return self._cameras

    def calibrate_cameras(self) -> None:
        """Find how several cameras map space to their pictures."""
        self.cameras.show_page(CALIBRATION)

    def find_places(self) -> None:
        """Places in space of what several cameras followed."""
        self.cameras.show_page(PLACES)

    def show_source(self) -> None:
        """The generated code in a window of its own."""
        self.plan.show_source()

    def prove(self) -> None:
        """Compare what runs fused with the same unfused, on the frames that are shown."""
        self.show_panel("plan")
        self.plan.prove()

    def add_stage(self) -> None:
        """Open the list of stages."""
        self.show_panel("pipeline")
        self.pipeline.show_list(True)

    def named(self) -> None:
        """Panels came to the front or went."""
        super().named()
        self.actions_.refresh()

    def default_layout(self) -> None:
        """All docks where they were at the first start."""
        self.modes.set_alone(False)
        super().default_layout()
        self.record_bar.refresh()

    def set_theme(self, name: str) -> None:
        """Light or dark."""
        app = QtWidgets.QApplication.instance()
        assert app is not None
        self.settings.theme = name
        self.turns.begin([*theme.change(app, theme.THEMES[name]), *self._themes()])

    def themed(self) -> None:
        """Have everything that draws for itself take the colours of the theme."""
        for work in self._themes():
            work()

    def _themes(self) -> list[Callable[[], object]]:
        parts = (self.strips, self.refusals, self.nothing, self.transport, self.record_bar, self.tracking, self.tour,
                 self.second_view,
                 *self.panels.made.values())  # fmt: skip
        found = [getattr(part, "themed", None) for part in parts]
        return [self.actions_.recolour, lambda: self.video.graphics.setBackground(theme.current().surround),
                *(themed for themed in found if themed is not None),
                *theme.dialogs(self)]  # fmt: skip

    # ------------------------------------------------------------------------------------------------- following

    def _changed(self) -> None:
        info, project = self.bench.info, self.projects.desk
        name = info.name if info is not None else ""
        star = "*" if self.bench.history.dirty and not project.name else ""  # a project has it
        pipeline = f"{self.bench.pipeline.name}{star}"
        parts = (f"{project.name}{'*' * project.dirty}", name, pipeline, "fusetrack")
        self.setWindowTitle(" - ".join(part for part in parts if part))
        self.actions_.refresh()
        self.nothing.refresh()

    def _channel_changed(self) -> None:
        """Another data channel, or it lies elsewhere: what can be done has changed; not while it is only read on."""
        if self.channels.all != self._seen_channels:
            self._seen_channels = self.channels.all
            self._changed()

    def project_changed(self) -> None:
        """Another project, or something of it is not saved any more."""
        # The project is made before the rest of the window, and tells of itself.
        if hasattr(self, "focus"):  # all is there
            self._changed()

    def show_messages(self) -> None:
        """Bring the messages to the front, the newest selected."""
        self.spoken.show_newest()

    def show_cause(self) -> None:
        """Bring the messages to the front, with all that is known of the newest error."""
        self.spoken.show_cause()

    def guarded(self, work: Callable[[], object]) -> None:
        """Do something; what the user got wrong becomes a message."""
        self.status.toast.clear_message()
        self.spoken.clear()
        try:
            work()
        except FusetrackError as error:
            self.bench.speak(Level.ERROR, str(error))

    # --------------------------------------------------------------------------------------------------- opening

    def open(self, what: str, reading: Reading = AS_STORED, roi: Roi | None = None) -> None:
        """Open a clip, a session or a camera, and remember it."""
        self.opening.open(what, reading, roi)
        self.nothing.refresh()

    def open_sample(self) -> None:
        """Open the clip that comes with the program; it is not remembered."""
        self.opening.sample(SAMPLES[0])
        self.nothing.refresh()

    def take_tour(self) -> None:
        """Say what the parts of the window are for, one by one."""
        self.modes.set_alone(False)
        self.tour.begin()

    def ask_for_camera(self) -> None:
        """Choose a camera and open it."""
        CameraDialog(self, self.jobs, self.settings, lambda text: self.guarded(partial(self.open, text))).show()

    def ask_for_camera_settings(self) -> None:
        """Set exposure, gain, region ... of the camera that is open."""
        presets = CameraPresets(self.settings, self.projects.desk)
        CameraSettingsDialog(self, self.bench, presets,
                             lambda text: self.guarded(partial(self._set_camera, text))).show()  # fmt: skip

    def _set_camera(self, text: str) -> None:
        """Open the camera otherwise, with the pipeline that it has."""
        self.pipelines.give(text, self.bench.history)
        self.open(text)

    def ask_for_export(self, what: What | None = None) -> None:
        """Choose what to export; the window goes on meanwhile."""
        dialog = ExportDialog(self, self.bench, self.video, self.jobs, self.settings, self.video.overlay.look.by,
                              self.channels)  # fmt: skip
        if what is not None:
            dialog.choose(what)
        dialog.show()

    def run_clip(self) -> None:
        """Run the clip headless, from mark to mark."""
        self.batch.run_clip()
        self.show_panel("batch")

    def show_about(self) -> None:
        """What this is."""
        words = "\n".join(f"{name} {number}" for name, number in versions().items())
        self.bench.speak(Level.NOTE, f"fusetrack {__version__}, GPL-3.0-or-later", words)
        self.show_panel("messages")

    def dragEnterEvent(self, event: QtGui.QDragEnterEvent) -> None:  # noqa: N802
        """Files may be dropped."""
        if _files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QtGui.QDropEvent) -> None:  # noqa: N802
        """Open what was dropped."""
        event.acceptProposedAction()
        self.opening.dropped(_files(event.mimeData()))

    def show_help(self) -> None:
        """The sheet of keys."""
        HelpSheet(self.actions_.table.values(), self).show()

    def closeEvent(self, event: QtGui.QCloseEvent) -> None:  # noqa: N802
        """Remember the layout, end the engine; while something is recorded or made, a strip asks instead."""
        if not self.leaving.may_close():
            event.ignore()
            return
        # First: no look for news may reach what is taken apart below.
        self._timer.stop()
        if self.projects.desk.path is not None:  # the next start begins with it
            self.settings.add_recent(str(self.projects.desk.path))
        self.modes.set_alone(False)
        for panel in self.panels.made.values():
            if isinstance(panel, PlanPanel | AnalysisPanel):
                panel.shut()
        if self._cameras is not None:
            self._cameras.shut()
        self.planning.close()
        self.level_looks.close()
        self.foresight.close()
        self.proposals.close()
        self.channels.stop()
        self.second.quit()
        self.jobs.close()
        self.keep_layout()
        self.leaving.last_words()
        self.unsaved.last_words()
        self.hide()  # ending the engine may take a moment
        with suppress(OSError):
            self.bench.quit()
        event.accept()


def _files(data: QtCore.QMimeData) -> list[str]:
    """The files that are carried; addresses of pages are none."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
