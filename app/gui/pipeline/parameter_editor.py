"""All parameters of the pipeline, with search; live ones work while it runs, others compile in the background."""

from __future__ import annotations

import math
from collections.abc import Callable

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.pipeline import editing
from app.desk.services.levels import LEVELS, Levels, bright
from app.desk.services.placed_points import PlacedPoints
from app.desk.services.regions import region
from app.gui.focus import by_tab_alone
from app.gui.pipeline.columns import Head, Widths, align
from app.gui.pipeline.level_strip import NO_CLIP, WAITING, LevelStrip
from app.gui.pipeline.parameter_row import ParameterRow
from kernels.errors import FusetrackError
from kernels.param import AUTO, Value
from kernels.plugins import find_stage
from pipelines.graph import Node, TrackerNode, find_tracker

RARE = ("border", "border_value", "capacity", "rule")
"""Parameters that few people change: they are at the end, behind a button."""

INDENT, EDGE, LEAST = 8, 4, 300
"""Pixels left of a section's rows, and around the list; the least width of all."""


def _kind(member: Node | TrackerNode) -> str:
    return member.stage if isinstance(member, Node) else member.tracker


class Section(QtWidgets.QWidget):  # type: ignore[misc]
    """The parameters of one stage or tracker, under a heading that folds them away.

    Args:
        member: the stage or tracker.
    """

    def __init__(self, member: Node | TrackerNode) -> None:
        super().__init__()
        self.node, self._text = member.id, ""
        self.kind = kind = _kind(member)
        summary = find_stage(kind).summary if isinstance(member, Node) else find_tracker(kind).summary
        self.head = Head(member.id if kind == member.id else f"{member.id}  ({kind})", summary)
        self.head.setCheckable(True)
        self.head.setChecked(True)
        self.head.setArrowType(QtCore.Qt.ArrowType.DownArrow)
        self.head.setStyleSheet("QToolButton { font-weight: 600; background: transparent; color: palette(text); }")
        self.head.toggled.connect(self._fold)
        self.more = QtWidgets.QToolButton()
        self.more.setText("more")
        self.more.setCheckable(True)
        self.more.setToolTip("Parameters that few people change")
        self.more.toggled.connect(lambda _: self.filter(self._text))
        self.body = QtWidgets.QWidget()
        self._rows_layout = QtWidgets.QVBoxLayout(self.body)
        self._rows_layout.setContentsMargins(INDENT, 0, 0, 6)
        self._rows_layout.setSpacing(0)
        head = QtWidgets.QHBoxLayout()
        head.addWidget(self.head)
        head.addStretch()
        head.addWidget(self.more)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.body)
        self.rows: dict[str, ParameterRow] = {}
        self.strips: dict[str, LevelStrip] = {}

    def add_strip(self, name: str, strip: LevelStrip) -> None:
        """A histogram under a parameter."""
        self.strips[name] = strip
        self._rows_layout.addWidget(strip)

    def add(self, row: ParameterRow) -> None:
        """One more parameter."""
        self.rows[row.param.name] = row
        self._rows_layout.addWidget(row)

    def _fold(self, open_: bool) -> None:
        self.body.setVisible(open_)
        self.head.setArrowType(QtCore.Qt.ArrowType.DownArrow if open_ else QtCore.Qt.ArrowType.RightArrow)

    def filter(self, text: str) -> bool:
        """Show what a search finds; whether there is anything."""
        self._text = text
        any_rare = False
        found = 0
        for name, row in self.rows.items():
            # A rare parameter that was changed is always seen.
            rare = name in RARE and row.back.isHidden() and not text
            any_rare |= name in RARE
            good = row.matches(text) and (not rare or self.more.isChecked())
            row.setVisible(good)
            if name in self.strips:
                self.strips[name].setVisible(good)
            found += good
        self.more.setVisible(any_rare and not text)
        shown = bool(found) or (not text and bool(self.rows))
        self.setVisible(shown)
        return shown


class ParameterEditor(QtWidgets.QWidget):  # type: ignore[misc]
    """The editor.

    Args:
        bench: whose pipeline.
        levels: looks at what thresholds divide; of its own without.

    Attributes:
        strips: the histograms under thresholds, by stage.
    """

    def __init__(self, bench: Workbench, levels: Levels | None = None) -> None:
        super().__init__()
        self._bench = bench
        self.levels = Levels(bench) if levels is None else levels
        # Looks are made only while a histogram can be seen.
        self.levels.watched = lambda: not self._late.isActive() and any(
            not s.visibleRegion().isEmpty() for s in self.strips.values())
        self.levels.on(self._show_levels)
        self._placed = PlacedPoints(bench)
        self._shape: tuple[tuple[str, str], ...] = ()
        self._fitted = math.inf
        self._sections: dict[str, Section] = {}
        self._ready: dict[str, Section] = {}  # that will be seen once all are made
        self._late = QtCore.QTimer(self)  # many rows take as long to make as all else that follows another pipeline
        self._late.setSingleShot(True)
        self._late.setInterval(0)
        self._late.timeout.connect(self._make_next)
        self.search = QtWidgets.QLineEdit()
        self.search.setPlaceholderText("Search parameters")
        self.search.setClearButtonEnabled(True)
        self.search.setToolTip("Only parameters whose name, stage or help has these letters")
        self.search.textChanged.connect(self._filter)
        self.trouble = QtWidgets.QLabel()
        self.trouble.setWordWrap(True)
        self.trouble.setProperty("bad", True)
        self._list = QtWidgets.QWidget()
        policy = QtWidgets.QSizePolicy.Policy
        self._list.setSizePolicy(policy.Ignored, policy.Minimum)  # as wide as what is seen of it, and never squeezed
        self._layout = QtWidgets.QVBoxLayout(self._list)
        self._layout.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        self._layout.setSpacing(2)
        self._layout.addStretch()
        self._scroll = QtWidgets.QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._list)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.search)
        layout.addWidget(self.trouble)
        layout.addWidget(self._scroll, 1)
        self._scroll.viewport().installEventFilter(self)
        self._fit_font()
        for topic in (Topic.PIPELINE, Topic.OPENED, Topic.BUILT):
            bench.on(topic, self._follow)
        self.refresh()

    @property
    def sections(self) -> dict[str, Section]:
        """Of each stage and tracker; made now where they are to be made in the next turn."""
        if self._late.isActive():
            self.refresh()
        return self._sections

    @property
    def _wanted(self) -> tuple[tuple[str, str], ...]:
        """What has a section each: names of stages and trackers, and their kinds."""
        return tuple((m.id, _kind(m)) for m in self._bench.pipeline.members)

    def _follow(self) -> None:
        """At once where values changed; rows of other stages are made later, those of a stage a turn."""
        if self._wanted != self._shape and self.isVisible():
            self._late.start()
            self._say_trouble()
        else:
            self.refresh()

    @property
    def _side(self) -> float:
        """The shorter side of the picture that is processed, px."""
        info, roi = self._bench.info, region(self._bench)
        return math.inf if info is None else float(min(roi[2:] if roi is not None else (info.width, info.height)))

    def refresh(self) -> None:
        """Follow the pipeline: values where only they changed, all rows where stages did."""
        self._late.stop()
        pipeline, built = self._bench.pipeline, self._bench.built
        found = {} if built is None else built.found
        if self._wanted != self._shape:
            self._shape = self._wanted
            self._build()
        for member in pipeline.members:
            section = self.sections.get(member.id)
            for param in editing.declared(member) if section is not None else ():
                assert section is not None
                section.rows[param.name].set_value(
                    member.params.get(param.name, param.default), found.get(f"{member.id}.{param.name}")
                )
        if (side := self._side) != self._fitted:
            self._fitted = side
            for section in self.sections.values():
                for row in section.rows.values():
                    row.fit_to(side)
        self._show_levels()
        self._say_trouble()
        self._filter(self.search.text())

    def _make_next(self) -> None:
        """Make the rows of a stage that has none yet; follow the pipeline once all are there."""
        for member in self._bench.pipeline.members:
            # Sections that are still of use, made before or in a turn just now.
            there = self._sections.get(member.id), self._ready.get(member.id)
            if editing.declared(member) and all(one is None or one.kind != _kind(member) for one in there):
                self._ready[member.id] = self._section(member)
                self._late.start()
                return
        self.refresh()

    def _say_trouble(self) -> None:
        self.trouble.setText(self._bench.trouble)
        self.trouble.setVisible(bool(self._bench.trouble))

    def _build(self) -> None:
        """Rows for the stages as they are now; those of stages that were there already stay."""
        before, self._sections = self._sections, {}
        ready, self._ready = self._ready, {}
        for member in self._bench.pipeline.members:
            # Rows are dear: sections of the same stage and kind go on.
            kept = next((of for of in (before, ready) if member.id in of and of[member.id].kind == _kind(member)), None)
            if kept is not None:
                self._sections[member.id] = kept.pop(member.id)
            elif editing.declared(member):
                self._sections[member.id] = self._section(member)
        # Hidden first: deleteLater comes after the next drawing.
        for section in (*before.values(), *ready.values()):
            self._layout.removeWidget(section)
            section.hide()
            section.deleteLater()
        for place, section in enumerate(self._sections.values()):
            if self._layout.indexOf(section) != place:
                self._layout.removeWidget(section)
                self._layout.insertWidget(place, section)
        self._align()

    def _align(self) -> None:
        """One width for each column of all rows."""
        room = self._scroll.viewport().width() - INDENT - 2 * EDGE
        align([row for section in self._sections.values() for row in section.rows.values()], room, self.font())

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:  # noqa: N802
        """Names have what sliders leave, beside the scroll bar or without one."""
        if event.type() == QtCore.QEvent.Type.Resize:
            self._align()
        return bool(super().eventFilter(watched, event))

    def changeEvent(self, event: QtCore.QEvent) -> None:  # noqa: N802
        """Columns go with the font."""
        super().changeEvent(event)
        if event.type() == QtCore.QEvent.Type.FontChange:
            self._fit_font()
            self._align()

    def _fit_font(self) -> None:
        """No narrower than rows are."""
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        around = self.layout().contentsMargins().left() + self.layout().contentsMargins().right()
        self.setMinimumWidth(max(LEAST, Widths.of(self.font()).row + INDENT + 2 * EDGE + bar + around))

    def _section(self, member: Node | TrackerNode) -> Section:
        section = Section(member)
        for param in sorted(editing.declared(member), key=lambda p: p.name in RARE):
            live = not isinstance(member, Node) or not param.structural
            row = ParameterRow(member.id, param, member.params.get(param.name, param.default), live, self._side)
            row.changed.connect(self._change)
            row.reset.connect(self._reset)
            section.add(row)
            if isinstance(member, Node) and LEVELS.get(member.stage) == param.name:
                section.add_strip(param.name, self._strip(row))
        by_tab_alone(section)
        return section

    @property
    def strips(self) -> dict[str, LevelStrip]:
        """The histograms under thresholds, by stage."""
        return {name: strip for name, section in self.sections.items() for strip in section.strips.values()}

    def _strip(self, row: ParameterRow) -> LevelStrip:
        strip, node, param = LevelStrip(), row.node, row.param
        # The histogram may reach beyond what the parameter takes.
        strip.chosen.connect(lambda level: self._change(node, param.name, min(max(level, param.low), param.high)))
        strip.shown.connect(lambda: self._bench.player.show(self.levels.has_to_be_shown(node)))
        return strip

    def _show_levels(self) -> None:
        """What thresholds divide, and where their levels lie."""
        if self._late.isActive():  # refresh does it
            return
        nodes = {node.id: node for node in self._bench.settled.nodes}
        for name, strip in self.strips.items():
            node = nodes.get(name)
            if node is None:
                continue
            (param,) = (p for p in editing.declared(node) if p.name == LEVELS[node.stage])
            level = param.settled(node.params.get(param.name, param.default))
            assert isinstance(level, int | float)
            strip.set_level(float(level), bright(node))
            look = self.levels.looks.get(name)
            strip.set_stale(name in self.levels.stale)
            if look is strip.look and look is not None:
                continue
            wanted = self.levels.has_to_be_shown(name)
            why = self.levels.failed.get(name, "")
            waiting = f"no histogram: {why}" if why else WAITING
            shown = "click to show what it divides, and its histogram here" if wanted else waiting
            info = self._bench.info
            words, shift = (NO_CLIP, 0) if info is None else (shown, info.first_number)
            strip.show_look(look, words, shift)

    def themed(self) -> None:
        """Take the colours of the theme."""
        for section in self.sections.values():
            for row in section.rows.values():
                row.themed()

    def show_node(self, name: str) -> None:
        """Scroll to a stage or tracker."""
        section = self.sections.get(name)
        if section is not None:
            self.search.clear()
            section.head.setChecked(True)
            # After the layout: until then a section that was folded has no place.
            QtCore.QTimer.singleShot(0, lambda: self._scroll.ensureWidgetVisible(section, 0, 0))

    def _filter(self, text: str) -> None:
        for section in self.sections.values():
            section.filter(text)

    def _change(self, node: str, param: str, value: Value) -> None:
        self._guarded(lambda: self._bench.editor.set_param(node, param, value))

    def _reset(self, node: str, param: str) -> None:
        found = next(p for p in editing.declared(editing.member(self._bench.pipeline, node)) if p.name == param)
        self._guarded(lambda: self._bench.editor.set_param(node, param, AUTO if found.auto else found.default))

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except FusetrackError as error:
            self._bench.speak(Level.ERROR, str(error))
            self.refresh()
