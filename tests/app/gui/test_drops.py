"""Files that are dropped with a mouse: onto each part of the window, one or several, and what none can open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Level
from app.desk.engine import commands, reports
from app.sources.opening import open_source
from kernels.errors import FusetrackError
from pipelines.definition import load
from pipelines.writing import dumps
from tests.app.gui.conftest import CLIP, Desk

LEFT, NONE = QtCore.Qt.MouseButton.LeftButton, QtCore.Qt.KeyboardModifier.NoModifier
COPY = QtCore.Qt.DropAction.CopyAction


def urls(*paths: object) -> QtCore.QMimeData:
    """What a file manager carries."""
    data = QtCore.QMimeData()
    data.setUrls([QtCore.QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drop(over: QtWidgets.QWidget, at: QtCore.QPoint, data: QtCore.QMimeData) -> bool:
    """Drag into a widget, move a pixel, let go; whether the drop was taken.

    Qt passes on to what the widget lies in what the widget does not want, as it does for a true mouse.
    """
    send = QtWidgets.QApplication.sendEvent
    enter = QtGui.QDragEnterEvent(at, COPY, data, LEFT, NONE)
    send(over, enter)
    if not enter.isAccepted():
        return False
    move = QtGui.QDragMoveEvent(at + QtCore.QPoint(1, 0), COPY, data, LEFT, NONE)
    move.accept()  # as Qt's windows do after an enter that was
    send(over, move)
    if not move.isAccepted():
        send(over, QtGui.QDragLeaveEvent())
        return False
    last = QtGui.QDropEvent(QtCore.QPointF(at), COPY, data, LEFT, NONE)
    send(over, last)
    return bool(last.isAccepted())


def drop_in_the_middle(desk: Desk, *paths: object) -> bool:
    """Onto the video."""
    over = desk.window.video.graphics.viewport()
    return drop(over, over.rect().center(), urls(*paths))


def opened(desk: Desk) -> Sequence[str]:
    return [order.what for order in desk.link.orders if isinstance(order, commands.Open)]


def test_a_clip_is_taken_wherever_it_is_dropped_on_the_window(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    window, tried, missed = desk.window, set[int](), set()
    for name in window.docks:
        window.show_panel(name)
        QtWidgets.QApplication.processEvents()
        for x in range(8, window.width(), 60):
            for y in range(8, window.height(), 30):
                over = window.childAt(x, y) or window
                if isinstance(over, QtWidgets.QLineEdit) or window.batch.isAncestorOf(over) or id(over) in tried:
                    continue  # a field takes the path as text; a batch takes the clip for itself
                tried.add(id(over))
                desk.link.orders.clear()
                taken = drop(over, over.mapFrom(window, QtCore.QPoint(x, y)), urls(CLIP))
                if not taken or opened(desk) != [str(CLIP)]:
                    missed.add((name, type(over).__name__, type(over.parentWidget()).__name__))
    assert len(tried) > 50
    assert not missed


def test_a_clip_is_taken_where_nothing_is_open(desk: Desk) -> None:
    nothing = desk.window.nothing
    assert nothing.isVisible()
    for over in (nothing, nothing.title, nothing.words, nothing.buttons["open"]):
        desk.link.orders.clear()
        assert drop(over, over.rect().center(), urls(CLIP))
        assert opened(desk) == [str(CLIP)]
        desk.link.reports.append(reports.Closed())
        desk.bench.tick()


def test_of_several_clips_the_first_opens_and_the_others_are_remembered(desk: Desk, tmp_path: Path) -> None:
    others = [tmp_path / "b.mp4", tmp_path / "c.mp4"]
    assert drop_in_the_middle(desk, CLIP, *others)
    assert opened(desk) == [str(CLIP)]
    assert desk.window.settings.recent == [str(CLIP), *map(str, others)]
    assert "the other 2" in desk.bench.messages[-1].sentence


def test_a_session_opens_with_its_own_pipeline(desk: Desk, tmp_path: Path) -> None:
    session = tmp_path / "run.mcap"
    assert drop_in_the_middle(desk, session)
    (order,) = (order for order in desk.link.orders if isinstance(order, commands.Open))
    assert (order.what, order.pipeline) == (str(session), "")


def test_a_pipeline_is_taken_and_what_is_open_stays(desk: Desk, tmp_path: Path) -> None:
    desk.open()
    mine = tmp_path / "mine.toml"
    mine.write_text(dumps(load("corners")), "utf-8")
    assert drop_in_the_middle(desk, mine)
    assert desk.bench.pipeline.nodes == load("corners").nodes
    assert not opened(desk)
    desk.bench.editor.undo()
    assert desk.bench.pipeline.name == "blobs"


@pytest.mark.parametrize(("name", "text"), [("broken.toml", "stages = [nonsense"), ("other.toml", "[tool.black]\n")])
def test_a_toml_that_is_no_pipeline_is_a_message(desk: Desk, tmp_path: Path, name: str, text: str) -> None:
    before = desk.bench.pipeline
    (tmp_path / name).write_text(text, "utf-8")
    drop_in_the_middle(desk, tmp_path / name)
    message = desk.bench.messages[-1]
    assert message.level is Level.ERROR
    assert name in message.sentence
    assert desk.bench.pipeline is before


def test_a_table_of_points_is_followed(desk: Desk, tmp_path: Path) -> None:
    desk.open()
    (tmp_path / "points.csv").write_text("x_px,y_px\n30.5,20\n40,25\n")
    assert drop_in_the_middle(desk, tmp_path / "points.csv")
    assert "'blobs' finds its points itself; choose template" in desk.bench.messages[-1].sentence
    desk.bench.files.choose("template")
    assert drop_in_the_middle(desk, tmp_path / "points.csv")
    assert desk.bench.pipeline.trackers[0].params["points"] == ((30.5, 20.0), (40.0, 25.0))
    assert desk.bench.messages[-1].sentence == "track follows 2 points of points.csv"
    assert not opened(desk)
    desk.bench.editor.undo()
    assert "points" not in desk.bench.pipeline.trackers[0].params
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    assert drop_in_the_middle(desk, tmp_path / "other.csv")
    assert "has no columns x_px and y_px" in desk.bench.messages[-1].sentence
    assert desk.bench.messages[-1].level is Level.ERROR


def test_a_pipeline_its_points_and_a_clip_together(desk: Desk, tmp_path: Path) -> None:
    mine, points = tmp_path / "mine.toml", tmp_path / "points.CSV"
    mine.write_text(dumps(load("template")), "utf-8")
    points.write_text("x_px,y_px\n30,20\n")
    assert drop_in_the_middle(desk, points, CLIP, mine)
    (order,) = (order for order in desk.link.orders if isinstance(order, commands.Open))
    assert order.what == str(CLIP)
    assert order.pipeline == dumps(desk.bench.pipeline)
    assert desk.bench.pipeline.trackers[0].params["points"] == ((30.0, 20.0),)


def test_a_pipeline_and_a_clip_together(desk: Desk, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(dumps(load("corners")), "utf-8")
    assert drop_in_the_middle(desk, CLIP, mine)
    (order,) = (order for order in desk.link.orders if isinstance(order, commands.Open))
    assert order.what == str(CLIP)
    assert order.pipeline == dumps(desk.bench.pipeline)
    assert desk.bench.pipeline.nodes == load("corners").nodes


def test_what_none_can_open_is_said_and_not_remembered_and_the_clip_stays(desk: Desk, tmp_path: Path) -> None:
    desk.open()
    desk.frame(0)
    garbage = tmp_path / "notes.docx"
    garbage.write_bytes(b"PK nothing that moves")
    assert drop_in_the_middle(desk, garbage)
    assert opened(desk) == [str(garbage)]
    try:
        open_source(garbage)
    except FusetrackError as error:
        sentence = str(error)
    desk.link.reports.append(reports.Refused(sentence))
    desk.bench.tick()
    assert "notes.docx" in desk.bench.messages[-1].sentence
    assert desk.bench.messages[-1].level is Level.ERROR
    assert str(garbage) not in desk.window.settings.recent
    assert desk.bench.opened is not None
    assert not desk.window.nothing.isVisible()


def test_words_and_addresses_of_pages_are_not_taken(desk: Desk) -> None:
    words, page = QtCore.QMimeData(), QtCore.QMimeData()
    words.setText("a clip")
    page.setUrls([QtCore.QUrl("https://example.org/clip.mp4")])
    over = desk.window.video.graphics.viewport()
    for data in (words, page):
        assert not drop(over, over.rect().center(), data)
    assert not opened(desk)
    assert not desk.window.settings.recent
