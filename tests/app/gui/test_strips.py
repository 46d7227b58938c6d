"""Sentences with buttons above the video: each can be read, however many buttons it has and however narrow it is."""

from __future__ import annotations

import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.gui.strips import MOST_LINES, READABLE, Strip, Strips
from pipelines.definition import load
from tests.app.gui.conftest import Desk
from tests.app.gui.mouse import take

LONG = "my-drops.toml was changed by another program since it was read here."
BUTTONS = ("Take that of the file", "Write over my-drops.toml", "Save under another name…")


def shown(width: int, words: str, buttons: tuple[str, ...]) -> tuple[Strips, Strip]:
    strips = Strips()
    strip = Strip(words, buttons=[(text, lambda: None) for text in buttons], closed=lambda: None)
    strips.put("one", strip)
    strips.resize(width, strips.heightForWidth(width))
    strips.show()
    for _ in range(4):
        QtWidgets.QApplication.processEvents()
        strips.resize(width, strips.layout().totalHeightForWidth(width))
    return strips, strip


@pytest.mark.parametrize("width", [420, 560, 650, 900, 1600])
@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize("words", ["Short.", LONG, f"{LONG} <b>{LONG}</b>"])
def test_a_sentence_has_room_and_nothing_lies_over_anything(
    app: QtWidgets.QApplication, width: int, count: int, words: str
) -> None:
    strips, strip = shown(width, words, BUTTONS[:count])
    label = strip.label
    assert label.height() >= min(label.heightForWidth(label.width()), strip.most)
    assert strip.heightForWidth(width) == pytest.approx(strip.height(), abs=2)
    assert strip.cross is not None
    pieces = [label, strip.cross, *([strip.tail] if count else [])]
    for k, a in enumerate(pieces):
        assert strip.rect().contains(a.geometry())
        for b in pieces[k + 1 :]:
            assert not a.geometry().intersects(b.geometry())
    if not strip.stacked and count and words != "Short.":
        assert label.width() >= READABLE
    strips.close()


def test_buttons_stand_beside_the_sentence_where_there_is_room_and_go_below_it_where_not(
    app: QtWidgets.QApplication,
) -> None:
    strips, strip = shown(1600, LONG, BUTTONS)
    assert not strip.stacked
    assert strip.height() < 45
    strips.resize(640, strips.height())
    for _ in range(4):
        QtWidgets.QApplication.processEvents()
    assert strip.stacked
    assert strip.label.geometry().bottom() < strip.tail.geometry().top()
    strips.resize(1600, strips.height())
    for _ in range(4):
        QtWidgets.QApplication.processEvents()
    assert not strip.stacked
    strips.close()


def test_of_a_long_sentence_some_lines_are_seen_and_a_click_shows_all(app: QtWidgets.QApplication) -> None:
    strips, strip = shown(650, " ".join([LONG] * 8), BUTTONS[:2])
    line = strip.label.fontMetrics().lineSpacing()
    assert strip.label.height() <= strip.most <= MOST_LINES * line + 2
    assert strip.label.toolTip().count(LONG) == 8
    few = strip.height()
    for more in (True, False):
        QtTest.QTest.mouseClick(strip.label, QtCore.Qt.MouseButton.LeftButton)
        for _ in range(4):
            QtWidgets.QApplication.processEvents()
            strips.resize(650, strips.layout().totalHeightForWidth(650))
        assert (strip.height() > few + line) is more
    strips.close()


def test_a_banner_and_a_tool_leave_most_of_the_picture(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    whole = desk.window.video.graphics.height()
    desk.bench.editor.edit("points", load("template").with_settings({"track.points": ((2000.0, 30.0), (60.0, 40.0))}))
    for _ in range(4):
        QtWidgets.QApplication.processEvents()
    assert desk.bench.trouble
    assert desk.window.strips.height() < 0.25 * whole
    desk.window.strips.remove("broken")
    desk.bench.editor.undo()
    take(desk, "K")
    panel = desk.window.tracking.tools.panel
    assert panel.isVisible()
    assert panel.height() < 0.25 * whole
    assert panel.hint.toolTip() == panel.hint.text(), "what has no room is there for the cursor"
    assert desk.window.video.graphics.height() > 0.9 * whole
