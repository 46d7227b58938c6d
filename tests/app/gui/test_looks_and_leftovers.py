"""What a new user stumbled over: leftovers of another clip, region or theme, and marks that were not erased."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Level
from app.desk.engine import commands, reports
from app.desk.services.regions import Reopener
from app.desk.tracks.calibration import Calibration
from app.gui.asking import CLIPS
from app.gui.plan.plan_panel import PlanPanel
from app.gui.video.overlay import OUTSIDE
from app.gui.video.point_tools import PlacePoints
from kernels.errors import InputError
from pipelines.definition import load
from pipelines.writing import dumps
from tests.app.gui.conftest import CLIP, Desk
from tests.app.gui.test_main_window import press


def refuse(desk: Desk, sentence: str = "no such file") -> None:
    desk.link.reports.append(reports.Refused(sentence))
    desk.bench.tick()


def opened(desk: Desk, what: str, **changes: Any) -> None:
    """Have something of another name, size ... opened."""
    desk.window.open(what)
    order = desk.link.orders[-1]
    assert isinstance(order, commands.Open)
    info = replace(desk.source.info, name=what, **changes)
    desk.link.reports.append(reports.Opened(info, False, order.pipeline, "cpu", ("a",), (("a", "u8"),), ""))
    desk.bench.tick()


def test_words_beside_the_picture_are_erased_whatever_the_zoom(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    overlay, video = desk.window.video.overlay, desk.window.video
    for _ in range(2):
        QtWidgets.QApplication.processEvents()
        reach = overlay.mapRectToScene(overlay.boundingRect())
        picture = video.image.mapRectToScene(video.image.boundingRect())
        assert reach.right() - picture.right() == pytest.approx(OUTSIDE, abs=1)
        assert picture.top() - reach.top() == pytest.approx(OUTSIDE, abs=1)
        video.zoom(3.0)


def test_signs_of_parameters_take_the_colours_of_the_theme(desk: Desk) -> None:
    row = desk.window.panels["parameters"].sections["bright"].rows["level"]
    dark = row.back.icon().pixmap(14, 14).toImage()
    desk.window.set_theme("light")
    desk.window.themed()
    light = row.back.icon().pixmap(14, 14).toImage()
    desk.window.set_theme("dark")
    desk.window.themed()
    assert light != dark
    assert row.back.icon().pixmap(14, 14).toImage() == dark


def test_what_cannot_be_opened_is_not_offered_again(desk: Desk) -> None:
    desk.window.open("/gone.mp4")
    refuse(desk)
    assert desk.window.settings.recent == []
    opened(desk, str(CLIP))
    desk.window.open("/broken.mp4")  # while another stays open
    refuse(desk)
    assert desk.window.settings.recent == [str(CLIP)]


def test_a_region_that_is_refused_leaves_points_where_they_were(desk: Desk) -> None:
    desk.bench.files.choose("template")
    desk.open()
    desk.bench.editor.set_param("track", "points", ((100.0, 90.0),))
    desk.bench.editor.set_param("track", "window", 25)
    before = desk.bench.pipeline
    reopener = Reopener(desk.bench)
    with pytest.raises(InputError, match=r"point 0 at \(100.0, 90.0\) px .* not lie in this region"):
        reopener.reopen((95, 20, 200, 200))
    assert desk.bench.pipeline == before
    for answered in (False, True):
        reopener.reopen((50, 20, 200, 200))
        if answered:
            order = desk.link.orders[-1]
            assert isinstance(order, commands.Open)
            opened_as = reports.Opened(desk.source.info, False, order.pipeline, "cpu", ("a",), (("a", "u8"),), "")
            desk.link.reports.append(opened_as)
            desk.bench.tick()
        refuse(desk, "no memory")
        assert desk.bench.pipeline == before
        assert not desk.bench.history.redo_words


def test_each_clip_has_its_scale_and_offers_it_to_its_like(desk: Desk) -> None:
    scale, strips = Calibration(0.25, "mm", (10.0, 20.0), 30.0, True), desk.window.strips
    opened(desk, "a.mp4")
    desk.bench.tracks.set_calibration(scale)
    opened(desk, "a.mp4")  # again, with another region or rate
    assert desk.bench.calibration == scale
    assert not any("scale" in message.sentence or "calibrat" in message.sentence for message in desk.bench.messages)
    desk.link.reports.append(reports.Closed())
    desk.bench.tick()
    assert desk.bench.calibration == Calibration()
    assert desk.window.tracking.unit.text() == "px"
    opened(desk, "b.mp4")
    assert desk.bench.calibration == Calibration()
    assert not desk.window.tracking.units.other
    assert "a pixel is 0.25 mm, with its origin and axes" in strips["scale"].label.text()
    strips["scale"].buttons["Use it"].click()
    assert desk.bench.calibration == scale
    assert "scale" not in strips
    opened(desk, "c.mp4", width=200)
    assert desk.bench.calibration == Calibration()
    assert desk.window.undoing.undo_words == ""  # it would bring the scale of another clip
    assert "scale" not in strips
    opened(desk, "d.mp4")
    assert "as b.mp4" in strips["scale"].label.text()
    cross = strips["scale"].cross
    assert cross is not None
    cross.click()
    assert "scale" not in strips
    assert desk.bench.calibration == Calibration()
    opened(desk, "a.mp4")
    assert desk.bench.calibration == scale
    assert desk.bench.messages[-1].sentence.startswith("a.mp4 as it was calibrated: a pixel is 0.25 mm")
    assert desk.window.undoing.undo_words == ""
    desk.window.tracking.units.switch()
    opened(desk, "c.mp4", width=200)
    opened(desk, "a.mp4")
    assert not desk.bench.calibration.physical  # as it was left
    assert desk.window.tracking.units.other == "mm"


def test_a_proof_is_of_its_own_clip_and_pipeline(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = desk.window.panels["plan"]
    assert isinstance(plan, PlanPanel)
    view = plan.proof
    opened(desk, "a.mp4")
    made: Any = object()
    view._of, view.proof = view._what(), made
    monkeypatch.setattr(view, "refresh", lambda problem="": None)
    view._other()
    assert view.proof is made
    opened(desk, "b.mp4")
    assert view.proof is None
    view._of, view.proof = view._what(), made
    assert desk.bench.built is not None
    desk.link.reports.append(replace(desk.bench.built, pipeline=dumps(load("objects"))))
    desk.bench.tick()
    assert view.proof is None


def test_tracks_that_become_points_begin_where_they_are_seen(desk: Desk) -> None:
    desk.bench.files.choose("template")
    desk.open()
    desk.frames(range(2, 6))
    press(desk, "B")
    tool = desk.window.tracking.tools.tool
    assert isinstance(tool, PlacePoints)
    assert tool.frames == [5, 5, 5]
    assert tool.points[1] == pytest.approx((75.0, 60.0))


def test_a_batch_asks_for_clips(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def answer(*args: object) -> tuple[list[str], str]:
        asked.extend(args)
        return [], ""

    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileNames", answer)
    desk.window.batch.ask_clips()
    assert CLIPS in asked


def test_the_ends_of_the_timeline_are_written_in_full(desk: Desk) -> None:
    opened(desk, "a.mp4", first_number=-2)
    timeline = desk.window.transport.timeline
    drawn = timeline.grab().toImage()
    background = drawn.pixelColor(0, timeline.height() - 2)
    ink = [x for x in range(timeline.width()) for y in range(34, min(46, timeline.height()))
           if drawn.pixelColor(x, y) != background]  # fmt: skip
    width = QtWidgets.QLabel("trigger").fontMetrics().horizontalAdvance("trigger")
    assert min(ink) >= 1
    assert sum(QtCore.QRect(0, 0, width, 1).contains(x, 0) for x in set(ink)) > width // 2


def test_long_messages_are_read_in_full(desk: Desk) -> None:
    desk.window.show_messages()
    said = desk.window.messages.list
    desk.bench.speak(Level.NOTE, "short")
    desk.bench.speak(Level.ERROR, "a sentence that says what is wrong and what to do " * 8)
    QtWidgets.QApplication.processEvents()

    def height(row: int) -> int:
        return int(said.visualItemRect(said.topLevelItem(said.topLevelItemCount() - row)).height())

    wide = height(1)
    assert wide >= 2 * said.fontMetrics().height()
    assert height(2) < wide
    desk.window.resize(1000, 800)
    for _ in range(5):
        QtWidgets.QApplication.processEvents()
    assert height(1) >= wide


def test_tools_ask_for_no_more_room_than_the_video_has(desk: Desk) -> None:
    desk.bench.files.choose("template")
    desk.open()
    desk.frame(0)
    tools = desk.window.tracking.tools
    for name in tools.tools:
        tools.take(name)
        QtWidgets.QApplication.processEvents()
        assert tools.panel.minimumSizeHint().width() <= 610, name  # of 1280, with both docks


def test_menus_fit_a_small_screen(desk: Desk) -> None:
    for menu in desk.window.menuBar().findChildren(QtWidgets.QMenu):
        lines = [action for action in menu.actions() if not action.isSeparator()]
        assert len(lines) <= 28, menu.title()


def test_a_graph_is_as_large_with_a_bar_at_its_side_as_without(desk: Desk) -> None:
    """Else a bar makes it smaller, and the bar needless, and so on: seconds in the window's thread."""
    graph = desk.window.pipeline.graph
    desk.open()
    found = []
    for policy in (QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOn, QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff):
        graph.setVerticalScrollBarPolicy(policy)
        graph.resize(160, 400)
        graph.fit()
        found.append((graph.viewport().width(), graph.transform().m11()))
    (narrow, a), (wide, b) = found
    assert narrow < wide
    assert a == b < 1.0
