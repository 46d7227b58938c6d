"""All that can be pressed, typed into or read as a heading says what it is for, with its key where it has one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui.dock import Dock
from app.gui.help_sheet import HelpSheet
from app.gui.pipeline.parameter_row import ParameterRow
from app.gui.sessions.camera_dialog import CameraDialog
from app.gui.sessions.export_dialog import ExportDialog
from app.gui.video.toolbox import KINDS
from pipelines.definition import library
from tests.app.gui.conftest import Desk

CONTROLS = (QtWidgets.QAbstractButton, QtWidgets.QAbstractSpinBox, QtWidgets.QComboBox, QtWidgets.QLineEdit,
            QtWidgets.QSlider)  # fmt: skip
OWN = (QtWidgets.QAbstractSpinBox, QtWidgets.QComboBox, QtWidgets.QLineEdit, QtWidgets.QScrollBar, QtWidgets.QTabBar,
       QtWidgets.QAbstractItemView, QtWidgets.QDialogButtonBox, QtWidgets.QMenuBar)  # fmt: skip
"""Widgets whose parts are Qt's own."""
TIP = QtCore.Qt.ItemDataRole.ToolTipRole


def name(widget: QtWidgets.QWidget) -> str:
    """A widget as people find it: its type, what is written on it, and where it lies."""
    words = (getattr(widget, ask, str)() for ask in ("text", "placeholderText", "currentText"))
    said = next(filter(None, words), "")
    lies = []
    parent = widget.parentWidget()
    while parent is not None:
        if type(parent).__module__.startswith("app."):
            lies.append(type(parent).__name__)
        parent = parent.parentWidget()
    return f"{type(widget).__name__} {said or widget.objectName()!r} in {' < '.join(lies)}"


def without(top: QtWidgets.QWidget) -> Iterator[str]:
    """What has no tip, in a window and all that is in it, hidden or not."""
    for widget in [top, *top.findChildren(QtWidgets.QWidget)]:
        parent = widget.parentWidget()
        if type(widget).__name__ == "ColorButton" or "pyqtgraph" in type(widget).__module__:
            continue
        heading = isinstance(widget, QtWidgets.QHeaderView)
        if widget.objectName().startswith("qt_") or (isinstance(parent, OWN) and not heading):
            continue
        if isinstance(parent, ParameterRow) and parent.toolTip():
            continue  # a row has one tip, with all about its parameter
        if isinstance(widget, CONTROLS) and not widget.toolTip():
            yield name(widget)
        elif isinstance(widget, QtWidgets.QDockWidget) and not widget.toolTip():
            yield f"dock {widget.windowTitle()}"
        elif isinstance(widget, QtWidgets.QTabBar) and not widget.objectName().startswith("qt_"):
            yield from (f"tab {widget.tabText(k)!r} of {name(widget)}" for k in range(widget.count())
                        if not widget.tabToolTip(k))  # fmt: skip
        elif isinstance(widget, QtWidgets.QHeaderView) and widget.orientation() == QtCore.Qt.Orientation.Horizontal:
            model, view = widget.model(), widget.parentWidget()
            if model is None or widget.isHidden() or view is None:
                continue
            for column in range(model.columnCount()):
                if not model.headerData(column, widget.orientation(), TIP):
                    yield f"column {model.headerData(column, widget.orientation())!r} in {name(view)}"


def test_every_control_dock_tab_and_column_has_a_tip(desk: Desk) -> None:
    desk.open()
    desk.frames(range(4))
    window = desk.window
    missing: dict[str, None] = {}
    for pipeline in library():
        desk.bench.files.choose(pipeline)
        QtWidgets.QApplication.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)
        missing |= dict.fromkeys(without(window))
    for kind in KINDS:
        window.tracking.tools.take(kind.name)
        QtWidgets.QApplication.processEvents()
        missing |= dict.fromkeys(without(window))
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("dialog", [HelpSheet, CameraDialog, ExportDialog, "source", "stages"])
def test_dialogs_have_tips_too(desk: Desk, dialog: object) -> None:
    desk.open()
    desk.frame(1)
    window = desk.window
    before = set(window.findChildren(QtWidgets.QDialog))
    if dialog is HelpSheet:
        window.show_help()
    elif dialog is CameraDialog:
        window.ask_for_camera()
    elif dialog is ExportDialog:
        window.ask_for_export()
    elif dialog == "source":
        window.show_source()
        before.discard(window.plan.source_window)
    else:
        window.add_stage()
    QtWidgets.QApplication.processEvents()
    found = [w for w in window.findChildren(QtWidgets.QDialog) if w not in before and w.isVisible()]
    assert found or dialog == "stages"
    missing = [one for top in found or [window.pipeline] for one in without(top)]
    for top in found:
        top.close()
    assert not missing, "\n".join(missing)


def test_the_tip_of_a_dock_is_for_its_heading_alone(desk: Desk) -> None:
    dock = desk.window.docks["pipeline"]
    assert isinstance(dock, Dock)
    inside = dock.widget().y()
    assert QtWidgets.QToolTip.text() != dock.toolTip()
    for y, wanted in ((inside + 30, False), (inside // 2, True)):
        dock.event(QtGui.QHelpEvent(QtCore.QEvent.Type.ToolTip, QtCore.QPoint(20, y), QtCore.QPoint(20, y)))
        assert (QtWidgets.QToolTip.text() == dock.toolTip()) is wanted
    QtWidgets.QToolTip.hideText()


def test_buttons_of_actions_name_their_keys(desk: Desk) -> None:
    """What the tool bar, the strip of tools and the player show carries its key in its tip."""
    shown = 0
    for button in desk.window.findChildren(QtWidgets.QToolButton):
        action = button.defaultAction()
        if action is None or action.objectName() not in desk.window.actions_.table:
            continue
        for key in desk.window.actions_.table[action.objectName()].keys:
            shown += 1
            written = QtGui.QKeySequence(key).toString(QtGui.QKeySequence.SequenceFormat.NativeText)
            assert written in button.toolTip(), button.toolTip()
    assert shown > 20
