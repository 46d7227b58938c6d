"""A video from the export dialog: words, stopwatch, brightness, crop and what stays still, chosen as a user does."""

from __future__ import annotations

import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.desk.events import Event
from app.desk.jobs import jobs as module
from app.desk.jobs.orders import ExportOrder
from app.desk.services.exporting import What
from app.exports.video_look import PLAIN, Note, VideoLook
from app.gui.sessions.export_dialog import ExportDialog
from app.gui.video.colours import Levels
from tests.app.gui.conftest import Desk
from tests.app.gui.test_main_window import press


class Unmade:
    """Does nothing."""

    def __init__(self, *_: object) -> None:
        pass

    def stop(self, now: bool) -> None:
        pass


@pytest.fixture
def dialog(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> ExportDialog:
    """Opened by its key, over a clip with tracks; a video is chosen."""
    monkeypatch.setattr(module, "_Worker", Unmade)
    desk.open()
    desk.frames(range(4))
    desk.bench.set_events((Event(1, "onset"), Event(3, "contact")))
    desk.bench.tracks.select([0, 2])
    press(desk, "Ctrl+E")
    made = next(one for one in desk.window.findChildren(ExportDialog) if one.isVisible())
    made.choose(What.VIDEO)
    QtWidgets.QApplication.processEvents()
    return made


def choose(combo: QtWidgets.QComboBox, words: str) -> None:
    """By its words, as with the mouse."""
    place = combo.findText(words, QtCore.Qt.MatchFlag.MatchContains)
    assert place >= 0, [combo.itemText(k) for k in range(combo.count())]
    combo.setCurrentIndex(place)
    combo.activated.emit(place)


def ordered(desk: Desk, dialog: ExportDialog) -> ExportOrder:
    QtTest.QTest.mouseClick(dialog.export, QtCore.Qt.MouseButton.LeftButton)
    assert dialog._job is not None, dialog.words.text()
    order = dialog._job.order
    assert isinstance(order, ExportOrder)
    return order


def test_a_video_is_as_it_was_where_nothing_is_chosen(desk: Desk, dialog: ExportDialog) -> None:
    assert dialog.video.isVisible()
    order = ordered(desk, dialog)
    assert order.video == PLAIN
    assert order.roi is None


def test_what_is_chosen_is_what_is_ordered(desk: Desk, dialog: ExportDialog) -> None:
    form = dialog.video
    form.text.setFocus()
    QtTest.QTest.keyClicks(form.text, "drop 3 | 2:4 splash")
    form.events.click()
    choose(form.stopwatch, "in ms")
    choose(form.zero, "from onset, frame 1")
    choose(form.follow, "body of 2 selected")
    form.slower.setValue(40.0)
    form.marks.click()
    order = ordered(desk, dialog)
    notes = (Note("drop 3"), Note("splash", 2, 4), Note("onset", 1, 3), Note("contact", 3, None))
    assert order.video == VideoLook(notes, "ms", 1, None, 1.0, 40.0, (0, 2), False)


def test_brightness_and_part_are_those_of_the_window(desk: Desk, dialog: ExportDialog) -> None:
    desk.window.video.set_levels(Levels(25.5, 127.5, 2.0))
    desk.window.video.box.setRange(QtCore.QRectF(100, 60, 90, 60), padding=0)
    desk.bench.tracks.select([1])  # which the dialog follows
    form = dialog.video
    choose(form.crop, "window shows")
    if not form.bright.isChecked():
        form.bright.click()
    part = form.seen
    order = ordered(desk, dialog)
    assert order.roi == part
    assert part is not None
    x, y, width, height = part
    assert x <= 101
    assert y <= 61
    assert x + width >= 189
    assert y + height >= 119
    assert order.video.levels == pytest.approx((0.1, 0.5))
    assert order.video.gamma == 2.0


def test_words_that_are_none_are_said_in_the_dialog(desk: Desk, dialog: ExportDialog) -> None:
    dialog.video.text.setText("8:2 never")
    QtTest.QTest.mouseClick(dialog.export, QtCore.Qt.MouseButton.LeftButton)
    assert dialog._job is None
    assert "is seen in no frame" in dialog.words.text()


def test_what_cannot_be_chosen_says_so_by_being_gray(desk: Desk, dialog: ExportDialog) -> None:
    form = dialog.video
    assert not form.crop.model().item(1).isEnabled(), "there is no region"
    assert not form.crop.model().item(2).isEnabled(), "the whole picture is seen"
    assert not form.zero.isEnabled()
    desk.bench.tracks.select([])
    assert not form.follow.isEnabled()
    desk.bench.set_events(())
    assert not form.events.isEnabled()
    dialog.choose(What.SEEN)
    assert not form.isVisible()
    for widget in (form.text, form.events, form.stopwatch, form.zero, form.bright, form.slower, form.follow,
                   form.crop, form.marks):  # fmt: skip
        assert widget.toolTip()
