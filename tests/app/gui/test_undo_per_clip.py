"""What is done to a clip is undone in order, by the keys of a user, and ends where the clip was opened."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.desk.engine import commands, reports
from app.desk.services.regions import polygons
from pipelines.definition import load, loads
from tests.app.gui.conftest import CLIP, Desk
from tests.app.gui.mouse import click, drag

OTHER = "other.mp4"


def key(text: str) -> None:
    """A key is pressed and let go wherever the focus is."""
    code = int(QtGui.QKeySequence(text)[0])
    held = int(QtCore.Qt.KeyboardModifierMask)
    target = QtWidgets.QApplication.focusWidget()
    assert target is not None
    mask = held & 0xFFFFFFFF
    QtTest.QTest.keyClick(target, code & ~mask, QtCore.Qt.KeyboardModifiers(code & mask))
    QtWidgets.QApplication.processEvents()


def answer(desk: Desk, misfit: str = "") -> commands.Open:
    """The engine opens what was ordered last."""
    order = next(order for order in reversed(desk.link.orders) if isinstance(order, commands.Open))
    info = replace(desk.source.info, name=order.what.rpartition("/")[2])
    outputs = tuple((node.id, "u8 384x288") for node in loads(order.pipeline).nodes)
    desk.link.reports.append(
        reports.Opened(info, False, order.pipeline, "cpu", ("a",), outputs, "", number=order.number, misfit=misfit)
    )
    desk.bench.tick()
    desk.link.orders.clear()
    QtWidgets.QApplication.processEvents()
    return order


def opened(desk: Desk, what: str, misfit: str = "") -> commands.Open:
    desk.window.open(what)
    order = answer(desk, misfit)
    desk.frame(0)
    desk.window.video.graphics.setFocus()
    return order


def words(desk: Desk) -> str:
    return str(desk.window.actions_.made["undo"].text()).replace("&", "")


def test_a_region_a_mask_a_threshold_and_a_pipeline_go_back_in_order(desk: Desk) -> None:
    opened(desk, str(CLIP))
    desk.bench.files.choose("template")
    opened(desk, OTHER)
    assert desk.bench.pipeline == load("blobs"), "template was for the other clip"
    assert words(desk) == "Undo"
    key("Q")
    drag(desk, (80.0, 60.0), (240.0, 200.0))
    key("Return")
    region = answer(desk).roi
    assert region == pytest.approx((80, 60, 160, 140), abs=3)
    assert words(desk) == "Undo draw region"
    key("Shift+M")
    for at in ((100.0, 80.0), (200.0, 90.0), (180.0, 180.0)):
        click(desk, *at)
    key("Return")
    desk.bench.editor.set_param("bright", "level", 0.25)
    assert words(desk) == "Undo bright.level 0.25"
    key("Ctrl+Z")
    assert len(polygons(desk.bench.pipeline)) == 1
    key("Ctrl+Z")
    assert not polygons(desk.bench.pipeline)
    assert words(desk) == "Undo draw region"
    key("Ctrl+Z")
    assert answer(desk).roi is None
    assert (words(desk), desk.bench.pipeline) == ("Undo", load("blobs"))
    key("Ctrl+Z")
    assert not desk.link.orders
    key("Ctrl+Y")
    assert answer(desk).roi == region
    key("Ctrl+Y")
    assert len(polygons(desk.bench.pipeline)) == 1


def test_a_clip_has_its_pipeline_again_and_another_ones_for_a_click(desk: Desk) -> None:
    opened(desk, str(CLIP))
    desk.bench.editor.set_param("bright", "level", 0.07)
    mine = desk.bench.pipeline
    opened(desk, OTHER)
    assert desk.bench.pipeline == load("blobs")
    offer = desk.window.strips["pipeline of before"]
    assert CLIP.name in offer.label.text()
    QtTest.QTest.mouseClick(offer.buttons["Use blobs"], QtCore.Qt.MouseButton.LeftButton)
    assert desk.bench.pipeline == mine
    assert "pipeline of before" not in desk.window.strips
    key("Ctrl+Z")
    assert desk.bench.pipeline == load("blobs")
    assert loads(opened(desk, str(CLIP)).pipeline) == mine
    assert desk.bench.pipeline == mine
    assert words(desk) == "Undo"


def test_a_clip_opens_though_points_lie_outside_of_it_and_the_bar_drops_them(desk: Desk) -> None:
    placed = load("template").with_settings({"track.points": ((2000.0, 30.0), (60.0, 40.0))})
    desk.bench.editor.edit("points", placed)
    opened(desk, OTHER, misfit="template.points[0] = [2000, 30] is outside the picture (384 x 288)")
    assert desk.bench.info is not None
    strip = desk.window.strips["broken"]
    assert "outside the picture" in strip.label.text()
    assert "The clip is shown without it" in strip.label.text()
    QtTest.QTest.mouseClick(strip.buttons["Drop the points"], QtCore.Qt.MouseButton.LeftButton)
    (order,) = [order for order in desk.link.orders if isinstance(order, commands.SetPipeline)]
    assert not loads(order.pipeline).trackers[0].params.get("points")
    assert "broken" not in desk.window.strips
    assert words(desk) == "Undo drop the points"


def test_points_that_a_pipeline_brings_from_a_larger_picture_are_dropped_by_the_bar(desk: Desk) -> None:
    opened(desk, str(CLIP))
    desk.bench.editor.edit("points", load("template").with_settings({"track.points": ((2000.0, 30.0), (60.0, 40.0))}))
    assert "outside the picture" in desk.bench.trouble
    assert not [order for order in desk.link.orders if isinstance(order, commands.SetPipeline)]
    strip = desk.window.strips["broken"]
    assert list(strip.buttons) == ["Drop the points", "Undo the edit"]
    QtTest.QTest.mouseClick(strip.buttons["Drop the points"], QtCore.Qt.MouseButton.LeftButton)
    assert not desk.bench.trouble
    assert isinstance(desk.link.orders[-1], commands.SetPipeline)
    key("Ctrl+Z")
    assert "outside the picture" in desk.bench.trouble
    key("Ctrl+Z")
    assert (desk.bench.pipeline, desk.bench.trouble) == (load("blobs"), "")
