"""The tour: bubbles beside what they tell of, gone through by keys and clicks, left at any time; scenes to try."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.desk.engine import commands, reports
from app.desk.tracks.calibration import Calibration
from app.gui.pipeline.choice import TITLE, follows
from app.gui.tour import beside
from app.samples import SAMPLES, Sample
from app.sources.simulated.source import scenes
from kernels.errors import InputError
from pipelines.definition import library, load, loads
from tests.app.gui.conftest import Desk

BY_NAME = {one.name: one for one in SAMPLES}


def press(desk: Desk, key: QtCore.Qt.Key) -> None:
    QtTest.QTest.keyClick(QtWidgets.QApplication.focusWidget(), key)
    QtWidgets.QApplication.processEvents()


@pytest.mark.parametrize("size", [(1280, 800), (1000, 700)])
def test_every_step_stands_beside_what_it_tells_of_and_covers_none_of_it(desk: Desk, size: tuple[int, int]) -> None:
    desk.open()
    desk.window.resize(*size)
    desk.window.docks["traces"].hide()  # a step brings it back
    QtWidgets.QApplication.processEvents()
    tour = desk.window.tour
    desk.window.actions_.made["tour"].trigger()
    told = []
    for number in range(9):
        QtWidgets.QApplication.processEvents()
        tour.place()
        assert tour.at == number
        told.append(tour.bubble.title.text())
        box, target = tour.bubble.geometry(), tour._steps[number].target()
        assert desk.window.rect().contains(box)
        assert target is not None
        assert target.isVisible()
        spot = QtCore.QRect(target.mapTo(desk.window, QtCore.QPoint(0, 0)), target.size())
        if target is not desk.window.video:
            assert not box.intersects(spot), told[-1]
        assert tour.bubble.words.heightForWidth(tour.bubble.words.width()) <= tour.bubble.words.height() + 1
        press(desk, QtCore.Qt.Key.Key_Return)
    assert tour.at == -1
    assert not tour.bubble.isVisible()
    wanted = "Welcome, Open, Pipeline, Parameters, Tracks, Traces, Record, Run and export, Help"
    assert [words.partition(":")[0] for words in told] == wanted.split(", ")


def test_nothing_lies_over_it_once_a_panel_has_come_to_the_front(desk: Desk) -> None:
    desk.open()
    tour, window = desk.window.tour, desk.window
    window.actions_.made["tour"].trigger()
    window.centralWidget().raise_()  # as Qt does where another tab of the panels is chosen
    tour.place()
    at_it = window.childAt(tour.bubble.geometry().center())
    assert at_it is tour.bubble or tour.bubble.isAncestorOf(at_it)
    parts = [one for one in window.children() if isinstance(one, QtWidgets.QWidget) and not one.isWindow()]
    assert parts.index(window.centralWidget()) < parts.index(tour._veil) < parts.index(tour.bubble)


def test_arrows_go_on_and_back_and_esc_leaves(desk: Desk) -> None:
    desk.open()
    desk.window.tracking.tools.take("points")
    tour = desk.window.tour
    tour.begin()
    press(desk, QtCore.Qt.Key.Key_Right)
    press(desk, QtCore.Qt.Key.Key_Right)
    press(desk, QtCore.Qt.Key.Key_Left)
    assert tour.at == 1
    frame = [order for order in desk.link.orders if isinstance(order, commands.Step)]
    assert not frame, "the clip does not hear of the keys"
    press(desk, QtCore.Qt.Key.Key_Escape)
    assert not tour.bubble.isVisible()
    assert desk.window.tracking.tools.tool.name == "points", "nor does the tool"


def test_what_is_told_of_can_be_tried_meanwhile(desk: Desk) -> None:
    desk.open()
    desk.window.tour.go(2)
    QtWidgets.QApplication.processEvents()
    add = desk.window.pipeline.buttons["add"]
    spot = add.mapTo(desk.window, add.rect().center())
    hit = desk.window.childAt(spot)
    assert hit is add, "the veil lets clicks through"


@pytest.mark.parametrize(
    ("spot", "at"),
    [
        (QtCore.QRect(10, 10, 60, 20), (8, 41)),  # below
        (QtCore.QRect(300, 560, 60, 30), (179, 448)),  # above
        (QtCore.QRect(0, 0, 200, 600), (211, 249)),  # to the right
        (QtCore.QRect(500, 0, 300, 600), (188, 249)),  # to the left
        (QtCore.QRect(), (249, 249)),
    ],
)
def test_a_bubble_has_a_place(spot: QtCore.QRect, at: tuple[int, int]) -> None:
    found = beside(spot, QtCore.QSize(300, 100), QtCore.QRect(0, 0, 800, 600))
    assert (found.x(), found.y()) == at


# ------------------------------------------------------------------------------------------------------------ scenes


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.name)
def test_every_scene_opens_with_a_pipeline_that_suits_it(desk: Desk, sample: Sample) -> None:
    assert sample.there
    action = desk.window.actions_.made[f"sample_{sample.name}"]
    assert sample.sentence in action.toolTip()
    action.trigger()
    order = next(order for order in reversed(desk.link.orders) if isinstance(order, commands.Open))
    assert order.what == sample.path
    assert loads(order.pipeline) == sample.graph()
    assert loads(order.pipeline).name == sample.pipeline
    if sample.path.startswith("sim:"):
        assert sample.path[4:] in scenes()
    desk.link.reports.append(
        reports.Opened(desk.source.info, False, order.pipeline, "cpu", ("a",), (), "", number=order.number)
    )
    desk.bench.tick()
    assert desk.bench.pipeline == sample.graph()
    assert not desk.bench.history.dirty
    assert desk.bench.calibration == (Calibration(sample.mm, "mm") if sample.mm else Calibration())
    assert sample.sentence.partition("'")[0] in desk.window.strips["sample"].label.text()
    assert desk.window.settings.recent == [], "it is none of the user's"
    desk.open()
    assert ("sample" in desk.window.strips) == (sample.name == "vortex"), "it is of that scene alone"


def test_points_of_the_beam_are_placed(desk: Desk) -> None:
    points = BY_NAME["beam"].graph().trackers[0].params["points"]
    assert isinstance(points, tuple)
    assert len(points) == 12


def test_a_clip_that_is_not_installed_is_said(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("app.samples.FOLDER", tmp_path)
    with pytest.raises(InputError, match="is not installed"):
        desk.window.opening.sample(BY_NAME["vortex"])


# ------------------------------------------------------------------------------------------------------ the list


def test_the_list_of_pipelines_says_what_one_follows(desk: Desk) -> None:
    choice = desk.window.pipeline.choice
    assert choice.itemText(0) == TITLE
    assert not choice.model().item(0).isEnabled()
    for name in library():
        place = choice.findText(name)
        assert choice.itemData(place, int(QtCore.Qt.ItemDataRole.UserRole) + 1) == follows(name)
        assert len(follows(name)) < 90
    choice.showPopup()
    QtWidgets.QApplication.processEvents()
    view = choice.view()
    words = view.fontMetrics().horizontalAdvance(max(map(follows, library()), key=len))
    assert view.viewport().width() >= words, "none is cut"
    place = view.visualRect(choice.model().index(choice.findText("objects"), 0)).center()
    QtTest.QTest.mouseClick(view.viewport(), QtCore.Qt.MouseButton.LeftButton, pos=place)
    QtWidgets.QApplication.processEvents()
    choice.hidePopup()
    assert desk.bench.pipeline == load("objects")
    assert choice.currentText() == "objects"
    menu = desk.window.actions_.made["shipped_objects"]
    assert "bright or dark objects" in menu.text()
