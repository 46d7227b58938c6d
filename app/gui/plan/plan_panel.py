"""The plan: which stages share a program on which device, why, what it is predicted to cost, and what it costs."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.plan.planning import HERE, Planning, PlanReport, per_frame
from app.gui import theme
from app.gui.later import Later
from app.gui.plan.front_plot import FrontPlot
from app.gui.plan.proof import ProofView
from app.gui.plan.source_view import SourceView
from app.gui.plan.source_window import SourceWindow
from app.gui.plan.tables import EdgeTable, GroupTable
from app.gui.seen import is_seen
from pipelines.planning.devices import THIS_CPU, devices
from pipelines.planning.explain import duration

TABS = {
    "Groups": "Which stages run as one program, what each is predicted to cost and what it costs",
    "Why": "For each edge why it was fused or cut",
    "Trade-offs": "Other plans that are the best in something",
    "Source": "The code that was generated; a double click opens it in a window  (Ctrl+Shift+G)",
    "Proof": "Fused against unfused on these frames  (Ctrl+Shift+V)",
}
"""The pages, and what is on them."""
TIMES = 500
"""Milliseconds between two looks at measured times."""


class PlanPanel(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        planning: makes the plans; one of its own without.
    """

    def __init__(self, bench: Workbench, planning: Planning | None = None) -> None:
        super().__init__()
        self._bench = bench
        self.planning = planning if planning is not None else Planning(bench)
        self.device = QtWidgets.QComboBox()
        self.device.addItems([HERE, *(name for name in devices() if name != THIS_CPU)])
        self.device.setToolTip("Plan for another device, which need not be here")
        self.device.currentTextChanged.connect(self.planning.set_device)
        self.summary = QtWidgets.QLabel()
        self.summary.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        self.summary.setWordWrap(True)
        self.tabs = QtWidgets.QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(False)
        for k, (name, tip) in enumerate(TABS.items()):
            self.tabs.addTab(name)
            self.tabs.setTabToolTip(k, tip)
        self.groups, self.edges, self._front = GroupTable(), EdgeTable(), Later(self._make_front)
        self.source, self.proof = SourceView(), ProofView(bench)
        self.source_window = SourceWindow(self)
        self.source.enlarged.connect(self.show_source)
        self.source_window.closed.connect(self._want_source)
        self.pages = QtWidgets.QStackedWidget()
        for page in (self.groups, self.edges, self._front, self.source, self.proof):
            self.pages.addWidget(page)
        self.source.tools.hide()
        self.tabs.currentChanged.connect(self._turned)
        self.tabs.tabBarDoubleClicked.connect(self._doubled)
        top = QtWidgets.QHBoxLayout()
        top.setContentsMargins(6, 0, 6, 0)
        top.addWidget(self.tabs)
        top.addWidget(self.source.tools, 1)  # beside the tabs: under them it would take a line of the code's room
        top.addStretch(0)
        top.addWidget(self.groups.details)
        top.addWidget(QtWidgets.QLabel("for"))
        top.addWidget(self.device)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.setSpacing(3)
        column.addLayout(top)
        column.addWidget(self.summary)
        column.addWidget(self.pages, 1)
        self.summary.setContentsMargins(8, 0, 8, 0)
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TIMES)
        self._timer.timeout.connect(self._measure)
        self.planning.on(self._planned)
        bench.on(Topic.MEASURED, self._measured)
        bench.on(Topic.PIPELINE, self._say)
        self.refresh()

    def themed(self) -> None:
        """Take the colours of the theme."""
        for page in (self._front.made, self.source, self.source_window.view, self.proof):
            if page is not None:
                page.themed()
        self.refresh()

    def shut(self) -> None:
        """End the processes."""
        self.source_window.close()
        self.proof.shut()
        self.planning.close()

    @property
    def front(self) -> FrontPlot:
        """The plot of other plans, which is made now where it is not there yet."""
        return self._front.part

    def _make_front(self) -> FrontPlot:
        made, report = FrontPlot(), self.planning.report
        made.show_plan(report.front if report is not None else ())
        return made

    def show_tab(self, name: str) -> None:
        """Turn to a page."""
        self.tabs.setCurrentIndex(tuple(TABS).index(name))

    def prove(self) -> None:
        """Turn to the proof and begin it."""
        self.show_tab("Proof")
        self.proof.start()

    def show_source(self) -> None:
        """The generated code in a window of its own, of the group that is looked at."""
        self.planning.want_source()
        self.refresh()
        self.source_window.view.show_sources(self.planning.sources)
        self.source_window.view.show_group(self.source.group.currentData())
        self.source_window.show()
        self.source_window.raise_()
        self.source_window.activateWindow()

    def _doubled(self, place: int) -> None:
        if self.tabs.tabText(place) == "Source":
            self.show_source()

    def _want_source(self) -> None:
        """Code is generated while somebody looks at it."""
        shown = self.tabs.tabText(self.tabs.currentIndex())
        self.planning.want_source(shown == "Source" or self.source_window.isVisible())

    def _turned(self, place: int) -> None:
        self.pages.setCurrentIndex(place)
        self._want_source()
        name = self.tabs.tabText(place)
        self.summary.setVisible(name not in ("Source", "Proof"))
        self.source.tools.setVisible(name == "Source")
        self.groups.details.setVisible(name == "Groups")
        self.device.setEnabled(name != "Proof")

    def redraw(self) -> None:
        """The panel has come to the front: show what has come meanwhile."""
        self.refresh()

    def _planned(self) -> None:
        if is_seen(self) or self.source_window.isVisible():  # else the dock says when it comes to the front
            self.refresh()

    def refresh(self) -> None:
        """Show the newest plan."""
        report = self.planning.report
        self._say()
        self._times()
        self.edges.show_plan(report.edges if report is not None else ())
        if self._front.made is not None:
            self.front.show_plan(report.front if report is not None else ())
        self.source.show_sources(self.planning.sources)
        if self.source_window.isVisible():
            self.source_window.view.show_sources(self.planning.sources)

    def _measured(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _measure(self) -> None:
        if is_seen(self):
            self._times()

    def _times(self) -> None:
        here = self.planning.device == HERE
        built = self._bench.built
        self.groups.show_plan(self.planning.report, per_frame(self._bench.readings) if here else {},
                              built.groups if built is not None else ())  # fmt: skip

    def _say(self) -> None:
        planning, colours = self.planning, theme.current()
        report = planning.report
        if planning.trouble:
            self.summary.setText(f"<span style='color:{colours.bad}'>{planning.trouble}</span>")
        elif report is None:
            self.summary.setText(f"<span style='color:{colours.muted}'>planning …</span>")
        else:
            self.summary.setText(summary(report, colours.muted))
            self.summary.setToolTip(
                f"Planned for {report.frame} on {report.device} (figures {report.origin}).\nTo read the source once "
                f"and write the results once at the main memory's bandwidth takes {duration(report.floor)}, "
                f"{report.share:.0%} of the predicted time: no plan can be faster than that."
            )


def summary(report: PlanReport, muted: str) -> str:
    """A plan in some sentences, as rich text."""
    parts = [f"{report.batch} frames at a time" if report.batch != 1 else "one frame at a time",
             f"{report.traffic:.3g} bytes a pixel through memory", f"limited by {report.limit}",
             f"reading and writing alone {duration(report.floor)}"]  # fmt: skip
    parts += [f"{how} {duration(seconds)}, {traffic:.3g} bytes" for how, (seconds, traffic) in report.others.items()]
    if report.gap:
        parts.append(f"within {report.gap:.1%} of the best possible")
    words = f"<b>{duration(report.seconds)} a frame</b> · {' · '.join(parts)}"
    if report.assumed:
        words += f" <span style='color:{muted}'>· for {report.frame}, while nothing is open</span>"
    return words
