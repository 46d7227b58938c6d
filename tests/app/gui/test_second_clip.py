"""A second clip beside the first one: opened, gone through together and alone, aligned, saved and closed by a user."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.controller import run_clip
from app.desk.engine import commands, reports
from app.desk.engine.picture_box import Shown
from app.desk.services import second_clip
from app.desk.services.clip_times import nearest_frame
from app.gui.video.second_view import SecondPanel
from app.project import SecondClip, read_project
from app.sources.reading import Reading
from pipelines.features import TRACK_DTYPE
from pipelines.frame import TimeBase
from pipelines.streaming.common.states import RunState
from tests.app.gui.comparing import ended
from tests.app.gui.conftest import CLIP, Desk, Listening
from tests.app.gui.test_channels import pressed
from tests.app.gui.test_drops import drop_in_the_middle
from tests.app.gui.test_undo_per_clip import answer, key, opened

RATE = 1500.0
"""Frames a second of the second clip; the first has 600."""


@dataclass
class Pair:
    """The window, and how a test plays the second clip's engine."""

    desk: Desk
    links: list[Listening]

    @property
    def link(self) -> Listening:
        """Of the newest second clip."""
        return self.links[-1]

    @property
    def panel(self) -> SecondPanel:
        found = self.desk.window.second_view.panel
        assert found is not None
        return found

    def tick(self) -> None:
        self.desk.window.second.tick()
        QtWidgets.QApplication.processEvents()

    def arrive(self, fps: float = RATE, frames: int = 1200) -> commands.Open:
        """Its engine has opened it."""
        (order,) = (one for one in self.link.orders if isinstance(one, commands.Open))
        time = TimeBase(fps, "header", "")
        info = replace(self.desk.source.info, name=Path(order.what).name, frames=frames, time=time)
        self.link.reports.append(reports.Opened(info, False, order.pipeline, "cpu", (), (), "", number=order.number))
        self.tick()
        return order

    def picture(self, frame: int, fps: float = RATE) -> None:
        """It shows a frame, whose pixels are its number."""
        pixels = np.full((288, 384), frame % 256, np.uint8)
        shown = Shown(frame + 1, frame, frame / fps, "", pixels, 8, np.zeros(0, TRACK_DTYPE))
        self.link.pictures.append(shown)
        self.tick()

    @property
    def sought(self) -> list[int]:
        """Frames that it was sent to since this was asked last."""
        found = [order.frame for order in self.link.orders if isinstance(order, commands.Seek)]
        self.link.orders.clear()
        return found


@pytest.fixture
def pair(desk: Desk) -> Iterator[Pair]:
    """An open clip at frame 60, and engines for what comes beside it."""
    links: list[Listening] = []

    def connect() -> Listening:
        links.append(Listening())
        return links[-1]

    desk.window.second._connect = connect
    yield Pair(desk, links)
    desk.window.second.quit()


@pytest.fixture
def other(tmp_path: Path) -> Path:
    made = tmp_path / "right.avi"
    shutil.copy(CLIP, made)
    return made


@pytest.fixture
def both(pair: Pair, other: Path, monkeypatch: pytest.MonkeyPatch) -> Pair:
    """A second clip that was chosen in the menu's dialog, both at .1 s."""
    pair.desk.open()
    pair.desk.frame(60)
    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(other), ""))
    pair.desk.window.actions_.made["second"].trigger()
    pair.arrive()
    assert pair.sought == [150], "its frame of that moment"
    pair.picture(150)
    return pair


def click(button: QtWidgets.QAbstractButton) -> None:
    QtTest.QTest.mouseClick(button, QtCore.Qt.MouseButton.LeftButton)


def seen(pair: Pair) -> tuple[int, int]:
    """Frames of the pictures that are seen."""
    return pair.desk.window.video.frame, pair.panel.view.frame


def test_it_is_opened_as_pictures_alone_beside_the_video(pair: Pair, other: Path) -> None:
    assert not pair.desk.window.actions_.made["second"].isEnabled()
    pair.desk.open()
    pair.desk.frame(60)
    assert pair.desk.window.actions_.made["second"].isEnabled()
    pair.desk.window.second_opening.open(str(other))
    assert pair.panel.frame.text() == "Opening …"
    order = pair.arrive()
    assert (order.what, order.bare, order.run, order.play) == (str(other), True, "", False)
    assert pair.panel.isVisible()
    assert pair.panel.mapTo(pair.desk.window, QtCore.QPoint()).x() > pair.desk.window.video.mapTo(
        pair.desk.window, QtCore.QPoint()).x()  # fmt: skip
    assert pair.panel.name.text() == "right.avi"
    click(pair.panel.cross)
    assert pair.desk.window.second_view.panel is None
    ended(pair.links[0])
    pair.desk.frame(61)
    assert pair.desk.window.video.frame == 61, "the first clip goes on"


def test_frames_of_one_moment_are_shown_together(both: Pair) -> None:
    assert seen(both) == (60, 150), ".1 s at 600 and at 1500 frames a second"
    both.desk.frame(61)
    assert both.sought == [152], "61 / 600 s lies at 152.5"
    assert seen(both) == (60, 150), "the first clip waits for its fellow"
    both.desk.frame(62)
    assert both.sought == [155], "two are on their way"
    both.desk.frame(63)
    both.desk.frame(63)
    assert both.sought == [], "and no more"
    both.picture(152)
    assert seen(both) == (61, 152)
    assert both.sought == [158], "the newest that is wanted by now"
    both.picture(158)
    assert seen(both) == (63, 158), "one was gone by"
    assert both.panel.frame.text() == "frame 158  0.1053 s"
    for frame in (65, 63, 65):
        both.desk.frame(frame)
    assert both.sought == [162, 158]
    both.picture(162)
    assert both.sought == [162]
    both.picture(158)
    both.picture(162)
    assert seen(both) == (65, 162), "back and on again: it ends where the first clip stands"


def test_a_second_clip_that_is_late_holds_nothing_up_for_ever(both: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    both.desk.frame(61)
    assert seen(both)[0] == 60
    monkeypatch.setattr(second_clip, "PATIENCE", 0.0)
    both.desk.frame(62)
    both.tick()
    assert seen(both)[0] == 62


def test_pictures_of_one_moment_do_not_put_off_how_long_is_waited(both: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(second_clip, "time", SimpleNamespace(monotonic=lambda: now[0]))
    for _ in range(2):
        both.desk.frame(61)
        now[0] += 0.6 * second_clip.PATIENCE
    assert both.sought == [152]
    both.tick()
    assert both.sought == [152], "once more"
    assert seen(both)[0] == 61


def test_it_is_aligned_by_a_number_and_by_frames_of_one_moment(both: Pair) -> None:
    panel, second = both.panel, both.desk.window.second
    field = panel.offset.findChild(QtWidgets.QLineEdit)
    field.selectAll()
    QtTest.QTest.keyClicks(field, "0.02")
    QtTest.QTest.keyClick(field, QtCore.Qt.Key.Key_Return)
    assert second.offset == 0.02
    assert both.sought[-1] == 120, "its frame at .08 s of its own"
    both.picture(120)
    assert seen(both) == (60, 120)
    click(panel.on)
    assert not second.linked
    assert both.sought == [121]
    both.picture(121)
    assert seen(both) == (60, 121)
    assert panel.frame.text().endswith(", by itself")
    both.desk.frame(90)
    assert seen(both) == (90, 121), "each by itself"
    assert both.sought == []
    click(panel.here)
    assert second.linked
    assert second.offset == pytest.approx(90 / 600 - 121 / RATE, abs=1e-12)
    assert panel.offset.value() == pytest.approx(second.offset, abs=1e-6)
    assert panel.linked.isChecked()
    both.desk.frame(96)
    assert both.sought[-1] == 136
    both.picture(136)
    assert seen(both) == (96, 136)
    pressed(both.desk, "Ctrl+Z")
    assert second.offset == 0.02
    pressed(both.desk, "Ctrl+Z")
    assert second.offset == 0.0
    assert len(both.links) == 1, "it is not opened anew"
    pressed(both.desk, "Ctrl+Z")
    assert both.desk.window.second_view.panel is None
    pressed(both.desk, "Ctrl+Y")
    assert second.clip is not None
    assert len(both.links) == 2


def test_an_offset_there_and_back_ends_where_it_began(both: Pair) -> None:
    """It was on its way to another frame, whose number then stood beside the picture of this one."""
    both.desk.window.second.set_offset(0.02)
    both.desk.window.second.set_offset(0.0)
    assert both.sought == [120, 150]
    for frame in (120, 150):
        both.picture(frame)
    assert seen(both) == (60, 150)
    assert both.panel.slider.value() == 150
    assert both.panel.frame.text().startswith("frame 150 ")
    both.desk.window.second.set_offset(0.0001)
    assert both.sought == [], "it is there"


def test_its_slider_goes_through_it_alone_and_the_chain_brings_it_back(both: Pair) -> None:
    panel, second = both.panel, both.desk.window.second
    slider = panel.slider
    QtTest.QTest.mouseClick(slider, QtCore.Qt.MouseButton.LeftButton, pos=QtCore.QPoint(slider.width() - 4, 4))
    assert not second.linked
    assert both.sought[-1] > 150
    click(panel.linked)
    assert second.linked
    assert both.sought[-1:] in ([150], []), "the frame of the moment again"


def test_beyond_its_ends_its_first_or_last_frame_is_seen_and_said(both: Pair) -> None:
    both.desk.window.second.set_offset(0.5)
    both.picture(0)
    assert both.panel.frame.text().endswith(", not of this moment")
    assert both.panel.slider.width() > 100, "it can be gone through in a small window"
    both.desk.window.second.set_offset(-1.0)
    both.picture(1199)
    assert both.panel.frame.text().endswith(", not of this moment")


def test_without_rates_frames_are_counted(pair: Pair, other: Path) -> None:
    pair.desk.open()
    pair.desk.frame(60)
    pair.desk.window.second_opening.open(str(other))
    pair.arrive(fps=float("nan"))
    assert pair.sought == [60]
    pair.picture(60, 1.0)
    assert pair.panel.offset.suffix() == " frames"
    pair.panel.offset.setValue(-12)
    assert pair.sought[-1] == 72
    assert "--offset 12" in pair.panel.offset.toolTip()


def test_how_far_it_is_ahead_is_said_as_the_command_counts(pair: Pair, other: Path) -> None:
    pair.desk.open()
    pair.desk.frame(60)
    pair.desk.window.second_opening.open(str(other))
    pair.arrive(fps=600.0)
    pair.picture(60, 600.0)
    pair.desk.window.second.set_offset(-5 / 600)
    assert pair.sought[-1] == 65
    assert pair.desk.window.second.ahead == 5
    assert "fusetrack reconstruct --offset 5" in pair.panel.offset.toolTip()


def test_the_tracks_of_a_run_are_shown_over_its_clip(pair: Pair, other: Path, tmp_path: Path) -> None:
    run_clip(str(other), "blobs", out=tmp_path / "run", frames=(0, 6), overlay=False)
    pair.desk.open()
    pair.desk.frame(0)
    pair.desk.window.second_opening.open(str(tmp_path / "run"))
    order = pair.arrive(fps=600.0)
    assert (order.what, order.run, order.bare) == (str(other), str(tmp_path / "run"), False)
    clip = pair.desk.window.second.clip
    assert clip is not None
    assert clip.run == str(tmp_path / "run")


def test_its_rate_can_be_said(both: Pair, other: Path) -> None:
    click(both.panel.reading)
    dialog = next(one for one in both.panel.findChildren(QtWidgets.QDialog) if one.isVisible())
    dialog.rate.setValue(3000.0)
    dialog.accept()
    assert len(both.links) == 2
    order = both.arrive(fps=3000.0)
    assert order.reading == Reading(3000.0)
    assert both.sought == [300]
    both.picture(300, 3000.0)
    assert seen(both) == (60, 300)


def test_what_cannot_be_opened_is_said_and_leaves_the_first_clip(pair: Pair, tmp_path: Path) -> None:
    pair.desk.open()
    pair.desk.frame(5)
    pipeline = tmp_path / "x.toml"
    pipeline.write_text("[stages.a]\n")
    pair.desk.window.guarded(lambda: pair.desk.window.second_opening.open(str(pipeline)))
    assert "a clip or a run's folder is wanted here" in pair.desk.bench.messages[-1].sentence
    pair.desk.window.second_opening.open(str(tmp_path / "no.avi"))
    (order,) = (one for one in pair.link.orders if isinstance(one, commands.Open))
    pair.link.reports.append(reports.Refused(f"{order.what} does not exist", number=order.number))
    pair.tick()
    assert "no.avi does not exist" in pair.desk.bench.messages[-1].sentence
    assert pair.desk.window.second_view.panel is None
    pair.desk.frame(6)
    assert pair.desk.window.video.frame == 6


def test_a_run_that_ends_badly_leaves_the_first_clip(both: Pair) -> None:
    both.link.reports.append(reports.Stood(RunState.FAILED, 3))
    both.tick()
    assert both.desk.window.second_view.panel is None
    both.desk.frame(70)
    assert both.desk.window.video.frame == 70


def test_a_project_has_it(pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "study"
    home.mkdir()
    for name in ("left.avi", "right.avi"):
        shutil.copy(CLIP, home / name)
    opened(pair.desk, str(home / "left.avi"))
    pair.desk.frame(3)
    file = home / "study.ftproj"
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(file), ""))
    key("Ctrl+S")
    pair.desk.window.second.open(str(home / "right.avi"), Reading(1500.0))
    pair.arrive()
    pair.desk.window.second.set_offset(-0.25)
    assert pair.desk.window.projects.desk.dirty
    key("Ctrl+S")
    assert read_project(file).clip.second == SecondClip(str(home / "right.avi"), "", Reading(1500.0), -0.25)
    pair.desk.window.projects.close()
    opened(pair.desk, "sim:blobs")
    assert pair.desk.window.second_view.panel is None
    moved = tmp_path / "moved"
    home.rename(moved)
    pair.desk.window.open(str(moved / "study.ftproj"))
    answer(pair.desk)
    order = pair.arrive()
    assert (order.what, order.reading) == (str(moved / "right.avi"), Reading(1500.0))
    assert pair.desk.window.second.offset == -0.25
    assert not pair.desk.window.projects.desk.dirty
    click(pair.panel.cross)
    assert pair.desk.window.projects.desk.dirty
    key("Ctrl+S")
    assert read_project(moved / "study.ftproj").clip.second is None


def test_it_goes_with_a_comparison_of_parameters(both: Pair) -> None:
    compare = both.desk.window.tracking.compare
    compare.pinned._connect = Listening
    both.desk.window.actions_.made["pin"].trigger()
    assert compare.on
    assert [compare.split.widget(k).isVisible() for k in range(compare.split.count())] == [True, True, True]
    both.picture(150)
    compare.switch(False)
    both.desk.frame(60)
    assert both.panel.isVisible()


def test_the_frame_nearest_to_a_time(desk: Desk) -> None:
    info = desk.source.info
    found = [nearest_frame(info, at) for at in (-1.0, 0.0, 10.4 / 600, 10.6 / 600, 99.0)]
    assert found == [0, 0, 10, 11, info.frames - 1]
    stamps = np.array([0.0, 0.1, 0.5, 0.6])
    timed = replace(info, frames=4, time=TimeBase(10.0, "stamps", "", stamps))
    assert [nearest_frame(timed, at) for at in (-1.0, 0.04, 0.29, 0.31, 0.56, 9.0)] == [0, 0, 1, 2, 3, 3]


def test_a_clip_that_is_dropped_takes_the_place_of_the_first(both: Pair, other: Path) -> None:
    assert drop_in_the_middle(both.desk, other)
    assert isinstance(both.desk.link.orders[-1], commands.Open)


def test_its_news_is_looked_for_twice_as_often_as_a_screen_shows_pictures(both: Pair) -> None:
    interval = both.desk.window.second_view._timer.interval()
    assert 1000 / 60 / 4 < interval <= 1000 / 60 / 2
