"""The row below the video: play and step, the timeline, speed, and which picture is shown."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.pipeline.heat_maps import is_picture, lies_over
from app.gui.action_table import SPEEDS
from app.gui.actions import Actions
from app.gui.icons import icon
from app.gui.traces.timeline import Timeline
from pipelines.streaming.common.states import RunState

ARROW = 34
"""Pixels of a box with choices beside its words."""
BUTTONS = ("first", "back", "play", "on", "last", "loop", "ping_pong")
SELDOM = ("ping_pong", "loop", "last", "first")
"""Buttons that make room for the timeline, the first of them first: keys and the menu do the same."""
LEAST = 120
"""Pixels of a timeline in which one still sees where one is."""


class Transport(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        actions: of the window; the buttons are theirs.
    """

    def __init__(self, bench: Workbench, actions: Actions) -> None:
        super().__init__()
        self._bench, self._actions = bench, actions
        self.timeline = Timeline(bench)
        row = QtWidgets.QHBoxLayout(self)
        row.setContentsMargins(6, 0, 6, 0)
        row.setSpacing(1)
        self._row = row
        self.buttons: dict[str, QtWidgets.QToolButton] = {}
        for name in BUTTONS:
            button = QtWidgets.QToolButton()
            button.setDefaultAction(actions.made[name])
            button.setIconSize(QtCore.QSize(20, 20))
            self.buttons[name] = button
            row.addWidget(button)
        row.addWidget(self.timeline, 1)
        self.speed = QtWidgets.QComboBox()
        self.speed.addItems([words for words, _ in SPEEDS])
        self.speed.setToolTip("Speed of the playback, against the time in which the clip was taken")
        self.speed.activated.connect(lambda k: bench.player.set_speed(SPEEDS[k][1]))
        self.output = QtWidgets.QComboBox()
        self.output.setToolTip("The picture that is shown: the clip's, a stage's, or a network's heat map over it")
        self.pictures: list[tuple[str, bool]] = []
        self.output.activated.connect(lambda k: bench.player.show(*self.pictures[k]))
        row.addWidget(self.speed)
        row.addWidget(self.output)
        for combo in (self.speed, self.output):
            combo.setFocusPolicy(QtCore.Qt.FocusPolicy.ClickFocus)
            wide = combo.fontMetrics().horizontalAdvance("real time")
            combo.setFixedWidth(max(96, wide + ARROW))
            combo.view().setMinimumWidth(max(170, 2 * wide + ARROW))
        bench.on(Topic.STATE, self.refresh)
        bench.on(Topic.OPENED, self.refresh)
        bench.on(Topic.VIEW, self.refresh)
        bench.on(Topic.BUILT, self._outputs)
        self.refresh()
        self._outputs()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:  # noqa: N802
        """Where there is little room, the timeline has it."""
        super().resizeEvent(event)
        margins, gap = self._row.contentsMargins(), self._row.spacing()
        left = self.width() - margins.left() - margins.right() - LEAST
        left -= sum(box.width() + gap for box in (self.speed, self.output))
        left -= sum(button.sizeHint().width() + gap for button in self.buttons.values())
        for name in SELDOM:
            self.buttons[name].setVisible(left >= 0)
            left += 0 if left >= 0 else self.buttons[name].sizeHint().width() + gap

    def refresh(self) -> None:
        """Follow the state."""
        bench = self._bench
        running = bench.state is RunState.RUNNING
        self._actions.made["play"].setIcon(icon("pause" if running else "play"))
        clip = bench.opened is not None and not bench.live
        self.speed.setEnabled(clip)
        values = [speed for _, speed in SPEEDS]
        self.speed.setCurrentIndex(values.index(bench.speed) if bench.speed in values else -1)
        self.output.setEnabled(bench.opened is not None)
        wanted = (bench.output, bench.over)
        self.output.setCurrentIndex(self.pictures.index(wanted) if wanted in self.pictures else 0)

    def _outputs(self) -> None:
        built, pipeline = self._bench.built, self._bench.pipeline
        self.output.clear()
        self.output.addItem("clip")
        self.pictures[:] = [("", False)]
        for name, words in () if built is None else built.outputs:
            for over in (False, True):
                if (lies_over if over else is_picture)(pipeline, name, words):
                    self.output.addItem(f"clip + {name}" if over else name)
                    tip = f"{words}: the highest of its channels, as colours over the clip" if over else words
                    self.output.setItemData(self.output.count() - 1, tip, QtCore.Qt.ItemDataRole.ToolTipRole)
                    self.pictures.append((name, over))
        self.refresh()

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.refresh()
        self.timeline.update()
