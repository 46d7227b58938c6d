"""A data channel under the video, as a user opens, aligns, saves and closes it."""

from __future__ import annotations

import csv
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.channels.channel import Channel, ChannelColumn, Samples
from app.channels.resampling import Resampling
from app.cli import main
from app.desk.bench.topics import Level
from app.desk.engine import commands
from app.desk.services import channels as service
from app.desk.services.exporting import What
from app.gui import theme
from app.gui.channels.dialog import ChannelDialog
from app.gui.sessions.export_dialog import ExportDialog
from app.gui.traces.figures import fill
from app.gui.traces.panel import TracesPanel
from app.project import read_project
from kernels.errors import InputError
from pipelines.frame import TimeBase
from tests.app.channels.made import wav
from tests.app.gui.conftest import CLIP, Desk
from tests.app.gui.test_drops import drop_in_the_middle
from tests.app.gui.test_undo_per_clip import answer, key, opened
from tests.app.gui.traces import panel, play, until
from tests.patience import PATIENCE

RATE, TRIGGER = 20_000, 6_000
"""Samples a second of the file, and the first sample of its blow."""


@pytest.fixture
def hammer(tmp_path: Path) -> Path:
    """Force and voltage: a blow .1 s behind 0."""
    path = tmp_path / "hammer.csv"
    time = np.arange(RATE) / RATE - 0.2
    force = np.where(np.arange(RATE) >= TRIGGER, 80.0 * np.exp(-(time - 0.1) * 20), 0.0)
    rows = "".join(f"{t:.5f};{f:.3f};{2 * t:.3f}\n" for t, f in zip(time, force, strict=True))
    path.write_text("time (s);force (N);drive (V)\n" + rows.replace(".", ","))
    return path


def dialog(desk: Desk) -> ChannelDialog:
    """That which asks now."""
    found = [one for one in desk.window.findChildren(ChannelDialog) if one.isVisible()]
    assert found, [message.sentence for message in desk.bench.messages]
    return found[-1]


def click(button: QtWidgets.QAbstractButton) -> None:
    QtTest.QTest.mouseClick(button, QtCore.Qt.MouseButton.LeftButton)


def read(desk: Desk) -> TracesPanel:
    """Wait until the channel is read; the panel that shows it."""

    def done() -> bool:
        desk.window.channels.poll()
        return all(entry.reading is None for entry in desk.window.channels.entries)

    until(done)
    QtWidgets.QApplication.processEvents()
    return panel(desk)


def laid(desk: Desk, hammer: Path, both: bool = True) -> TracesPanel:
    """Dropped onto the window beside an open clip with tracks, and agreed to."""
    play(desk)
    assert drop_in_the_middle(desk, hammer)
    asked = dialog(desk)
    if both:
        at = QtCore.QPoint(8, asked.boxes[2].height() // 2)
        QtTest.QTest.mouseClick(asked.boxes[2], QtCore.Qt.MouseButton.LeftButton, pos=at)
        assert asked.boxes[2].isChecked()
    click(asked.ok)
    QtWidgets.QApplication.setActiveWindow(desk.window)  # off the screen nobody else does it
    return read(desk)


def pressed(desk: Desk, text: str) -> None:
    """A key, with the focus on the video."""
    QtWidgets.QApplication.setActiveWindow(desk.window)
    desk.window.video.graphics.setFocus()
    key(text)


def said(desk: Desk) -> str:
    return desk.bench.messages[-1].sentence


def test_a_file_is_asked_for_and_its_columns_are_chosen(
    desk: Desk, hammer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key("Ctrl+Alt+O")
    assert not desk.window.findChildren(ChannelDialog), "there is no clip beside which it could lie"
    desk.open()
    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(hammer), ""))
    key("Ctrl+Alt+O")
    asked = dialog(desk)
    assert asked.clock.currentText() == "time (s)"
    assert [box.text() for box in asked.boxes if box.isVisible()] == ["force (N)", "drive (V)"]
    assert asked.preview.item(0, 0).text() == "-0,20000"
    asked.boxes[1].setChecked(False)
    click(asked.ok)
    assert asked.words.text() == "choose a column"
    asked.boxes[2].setChecked(True)
    asked.columns.item(2, 1).setText("mm")
    asked.columns.item(2, 2).setText("0,5")
    click(asked.ok)
    made = read(desk)
    assert desk.window.channels.channel == Channel(str(hammer), (ChannelColumn("drive (V)", "mm", 0.5),),
                                                   "time (s)", "s")  # fmt: skip
    assert [list(lane.curves) for lane in made.lanes.lanes] == [["drive (V)"]]
    x, y = made.lanes.lanes[0].curves["drive (V)"].getData()
    assert np.abs(y - x).max() < 1e-3, "2 V/s times .5, by the clip's time"


def test_marks_between_numbers_can_be_said_otherwise(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("1,5\n2,5\n3,5\n")
    desk.open()
    desk.window.channel_opening.open(str(path))
    asked = dialog(desk)
    assert len(asked.boxes) == 2
    asked.decimal.setCurrentIndex(asked.decimal.findData(","))
    assert len(asked.boxes) == 1
    asked.delimiter.setCurrentIndex(asked.delimiter.findData(","))
    assert not asked.ok.isEnabled()
    assert "no lines of numbers" in asked.words.text()
    asked.delimiter.setCurrentIndex(0)
    asked.rate.setValue(600.0)
    click(asked.ok)
    read(desk)
    loaded = desk.window.channels.loaded
    assert loaded is not None
    assert loaded.samples.values["column 1"].tolist() == [1.5, 2.5, 3.5]
    assert loaded.samples.interval == 1 / 600


def test_curves_lie_under_those_of_the_tracks_with_the_cursor_and_the_value_at_the_frame(
    desk: Desk, hammer: Path
) -> None:
    made = laid(desk, hammer)
    lanes = made.lanes.lanes
    assert [list(lane.curves) for lane in lanes] == [["force (N)"], ["drive (V)"]], "a plot a unit"
    bottoms = [plot.sceneBoundingRect().bottom() for plot in made.drawn.plots]
    assert lanes[0].plot.sceneBoundingRect().top() >= max(bottoms) - 1
    assert lanes[0].plot.vb.viewRange()[0] == made.drawn.plots[0].vb.viewRange()[0]
    desk.frame(62)
    assert lanes[0].cursor.value() == pytest.approx(62 / 600)
    assert "force" in lanes[0].title.toPlainText()
    loaded = desk.window.channels.loaded
    assert loaded is not None
    worth = loaded.samples.values["force (N)"][loaded.samples.nearest(62 / 600)]
    assert f"{worth:.5g} N" in lanes[0].title.toPlainText()
    made.bar.tabs.setCurrentIndex(1)
    QtWidgets.QApplication.processEvents()
    assert not made.lanes.lanes, "a spectrum is not over time"
    made.bar.tabs.setCurrentIndex(0)
    QtWidgets.QApplication.processEvents()
    assert len(made.lanes.lanes) == 2


def test_the_panel_grows_so_that_curves_can_be_told_apart_and_no_further(desk: Desk, hammer: Path) -> None:
    play(desk)
    before = panel(desk).height()
    made = laid(desk, hammer)
    for _ in range(5):
        QtWidgets.QApplication.processEvents()
    heights = [lane.plot.vb.height() for lane in made.lanes.lanes]
    assert min(heights) > 25
    assert max(heights) < 60
    grown = made.height()
    assert grown >= before
    desk.window.channels.close()
    desk.window.undoing.undo()
    read(desk)
    assert made.height() == grown, "not once more"


def test_columns_of_more_units_than_there_is_room_for_are_left_out_and_said(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("t,a (N),b (V),c (A),d (K),e (N)\n" + "".join(f"{k / 100},1,2,3,4,{k}\n" for k in range(20)))
    play(desk)
    columns = tuple(ChannelColumn(f"{name} ({unit})", unit) for name, unit in zip("abcde", "NVAKN", strict=True))
    desk.window.channels.open(Channel(str(path), columns))
    made = read(desk)
    assert [list(lane.curves) for lane in made.lanes.lanes] == [["a (N)", "e (N)"], ["b (V)"], ["c (A)"]]
    desk.frame(3)
    assert "1 more in other units: choose fewer" in made.lanes.lanes[-1].title.toPlainText()


def test_a_click_goes_to_the_frame(desk: Desk, hammer: Path) -> None:
    made = laid(desk, hammer, both=False)
    desk.link.orders.clear()
    _click_at(made, 30 / 600)
    assert commands.Seek(30) in desk.link.orders


def _click_at(made: TracesPanel, time: float) -> None:
    """With the mouse, in the first plot of the channel."""
    plot = made.lanes.lanes[0].plot
    at = plot.vb.mapViewToScene(QtCore.QPointF(time, sum(plot.vb.viewRange()[1]) / 2))
    port = made.drawn.graphics.viewport()
    QtTest.QTest.mouseMove(port, made.drawn.graphics.mapFromScene(at))
    QtTest.QTest.mouseClick(port, QtCore.Qt.MouseButton.LeftButton, pos=made.drawn.graphics.mapFromScene(at))
    QtWidgets.QApplication.processEvents()


def test_it_is_aligned_by_hand_by_a_marked_sample_and_by_a_trigger_and_undo_goes_back(
    desk: Desk, hammer: Path
) -> None:
    made = laid(desk, hammer)
    channels, bar = desk.window.channels, made.channel_bar
    field = bar.offset.findChild(QtWidgets.QLineEdit)
    field.selectAll()
    QtTest.QTest.keyClicks(field, "offset -0.02 s")
    QtTest.QTest.keyClick(field, QtCore.Qt.Key.Key_Return)
    assert channels.offset == -0.02
    x, y = made.lanes.lanes[0].curves["force (N)"].getData()
    assert x[np.argmax(y)] == pytest.approx(0.08, abs=1e-3), "the curve moved with it"
    desk.frame(20)
    click(bar.mark)
    assert bar.here.isVisible()
    _click_at(made, 0.05)
    sample = made.lanes.sample
    assert sample == pytest.approx((0.07 + 0.2) * RATE, abs=RATE / 600)
    assert f"sample {sample} at" in bar.name.text()
    click(bar.here)
    assert channels.offset == pytest.approx(20 / 600 - (sample / RATE - 0.2), abs=1e-9)
    assert made.lanes.lanes[0].mark.value() == pytest.approx(20 / 600), "the mark went along"
    bar.trigger.menu().aboutToShow.emit()
    assert bar.trigger.frame.value() == 20, "the frame that is shown is proposed"
    assert 30 < bar.trigger.threshold.value() < 50
    bar.trigger.threshold.setValue(10.0)
    bar.trigger.frame.setValue(40)
    click(bar.trigger.set_button)
    assert made.lanes.sample == TRIGGER
    assert channels.offset == pytest.approx(40 / 600 - 0.1, abs=1e-9)
    bar.trigger.threshold.setValue(1e6)
    click(bar.trigger.set_button)
    assert "no sample of force (N) is above 1e+06; it reaches 80" in said(desk)
    for back in (20 / 600 - (sample / RATE - 0.2), -0.02, 0.0):
        pressed(desk, "Ctrl+Z")
        assert channels.offset == pytest.approx(back, abs=1e-9)
    pressed(desk, "Ctrl+Z")
    assert channels.channel is None
    assert not bar.isVisible()
    pressed(desk, "Ctrl+Y")
    read(desk)
    assert channels.loaded is not None


def test_it_is_saved_at_the_frames_times(desk: Desk, hammer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = laid(desk, hammer, both=False)
    desk.window.channels.set_offset(0.25)
    target = hammer.parent / "out.csv"
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(target), ""))
    made.channel_bar.save_wanted.emit(Resampling.LINEAR)
    until(lambda: said(desk) == f"saved {target}")
    head, *rows = target.read_text().splitlines()
    assert "interpolated linearly" in head
    assert "+0.25 s were added" in head
    table = list(csv.reader(rows))
    assert table[0] == ["frame", "time_s", "force [N]"]
    assert len(table) - 1 == desk.source.info.frames
    assert table[1 + 29][2] == "", "nothing before the channel begins, .05 s"
    assert float(table[1 + 216][2]) == pytest.approx(80.0 * np.exp(-(216 / 600 - 0.35) * 20), rel=1e-3)


def test_the_table_of_the_curves_has_it_beside_the_tracks(desk: Desk, hammer: Path) -> None:
    made = laid(desk, hammer)
    made.save_to(hammer.parent / "curves.csv")
    with (hammer.parent / "curves.csv").open() as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["frame", "time_s", "x_0_px", "y_0_px", "force [N], interpolated linearly",
                       "drive [V], interpolated linearly"]  # fmt: skip
    assert [float(row[5]) for row in rows[1:]] == pytest.approx([2 * k / 600 for k in range(64)], abs=1e-3)
    made.bar.tabs.setCurrentIndex(1)
    until(lambda: made.drawn.spectra)
    made.save_to(hammer.parent / "spectrum.csv")
    assert "interpolated" not in (hammer.parent / "spectrum.csv").read_text()


def test_a_channel_that_is_damaged_says_so_in_a_sentence_and_stays_to_be_mended(desk: Desk, hammer: Path) -> None:
    play(desk)
    desk.window.channels.open(Channel(str(hammer), (ChannelColumn("no such"),)))
    made = read(desk)
    words = "hammer.csv has no column 'no such'; it has time (s), force (N), drive (V)"
    assert said(desk) == f"the data channel was not read: {words}"
    assert made.channel_bar.name.text() == words
    assert not made.lanes.lanes
    with pytest.raises(InputError, match="no such"):
        desk.window.channels.align(0, 0)
    click(made.channel_bar.cross)
    assert not made.channel_bar.isVisible()


def test_another_clip_has_none_and_the_first_one_has_it_again(desk: Desk, hammer: Path, tmp_path: Path) -> None:
    laid(desk, hammer)
    desk.window.channels.set_offset(0.5)
    other = tmp_path / "other.avi"
    shutil.copy(CLIP, other)
    opened(desk, str(other))
    assert desk.window.channels.channel is None
    assert not panel(desk).lanes.lanes
    opened(desk, str(CLIP))
    read(desk)
    assert desk.window.channels.offset == 0.5
    assert len(panel(desk).lanes.lanes) == 2


def test_a_project_has_it(desk: Desk, hammer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "study"
    home.mkdir()
    shutil.copy(CLIP, home / "vortex.avi")
    shutil.move(hammer, home / "hammer.csv")
    opened(desk, str(home / "vortex.avi"))
    desk.frame(3)
    file = home / "study.ftproj"
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(file), ""))
    key("Ctrl+S")
    assert read_project(file).clip.channels == ()
    columns = ChannelColumn("force (N)", "kN", 0.001), ChannelColumn("drive (V)", "V")
    channel = Channel(str(home / "hammer.csv"), columns, "time (s)", "s", None, ";", ",", -0.125)
    desk.window.channels.open(channel)
    read(desk)
    assert desk.window.projects.desk.dirty
    key("Ctrl+S")
    assert not desk.window.projects.desk.dirty
    assert read_project(file).clip.channels == (channel,)
    assert 'path = "hammer.csv"' in file.read_text()
    desk.window.projects.close()
    opened(desk, "sim:blobs")
    moved = tmp_path / "moved"
    home.rename(moved)
    desk.window.open(str(moved / "study.ftproj"))
    answer(desk)
    made = read(desk)
    found = desk.window.channels.channel
    assert found is not None
    assert (found.path, found.offset, found.columns) == (str(moved / "hammer.csv"), -0.125, channel.columns)
    assert not desk.window.projects.desk.dirty
    assert [list(lane.curves) for lane in made.lanes.lanes] == [["force (N)"], ["drive (V)"]]


def test_what_is_dropped_is_a_channel_or_points_by_what_is_in_it(desk: Desk, tmp_path: Path) -> None:
    takes = desk.window.channel_opening.takes
    points, samples, odd = tmp_path / "p.csv", tmp_path / "s.csv", tmp_path / "odd.csv"
    points.write_text("frame,x_px,y_px\n0,1,2\n0,3,4\n")
    samples.write_text("time_s,x (mm)\n0,1\n1,2\n")
    odd.write_text("name,where\na,b\n")
    assert [takes(str(path)) for path in (points, samples, odd, tmp_path / "a.wav", tmp_path / "b.avi")] == [
        False, True, False, True, False]  # fmt: skip


def test_a_cameras_video_has_none(desk: Desk, hammer: Path) -> None:
    desk.open(live=True)
    drop_in_the_middle(desk, hammer)
    assert said(desk) == "open a clip first, then hammer.csv: a data channel lies beside one"
    assert desk.bench.messages[-1].level is Level.ERROR


def test_beside_a_clip_without_a_rate_it_is_said_what_is_missing(desk: Desk, hammer: Path) -> None:
    desk.source._info = replace(desk.source.info, time=TimeBase(float("nan"), "unknown", ""))  # type: ignore[attr-defined]
    desk.open()
    desk.window.channels.open(Channel(str(hammer)))
    made = read(desk)
    assert not made.lanes.lanes
    assert made.channel_bar.name.text().startswith("hammer.csv: the clip's rate is unknown; File > How the clip")
    assert not made.channel_bar.offset.isEnabled()
    with pytest.raises(InputError, match="the clip's frames have no times"):
        desk.window.channels.align(0, 0)


def test_while_it_is_read_a_bar_says_how_far_it_is_and_it_can_be_stopped(
    desk: Desk, hammer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, stopped = threading.Event(), threading.Event()

    def slow(channel: Channel, progress: Callable[[float], object]) -> Samples:
        try:
            for share in (0.25, 0.25, 0.5):
                progress(share)
                assert go_on.wait(PATIENCE)
            return whole(channel)
        finally:
            stopped.set()

    whole = service.read
    monkeypatch.setattr(service, "read", slow)
    play(desk)
    channels, bar = desk.window.channels, panel(desk).channel_bar
    channels.open(Channel(str(hammer)))
    until(lambda: channels.share == 0.25)
    channels.poll()
    assert (bar.progress.value(), bar.progress.isVisible(), bar.offset.isVisible()) == (25, True, False)
    assert bar.name.text() == "reading hammer.csv …"
    with pytest.raises(InputError, match="still being read"):
        channels.align(0, 0)
    click(bar.stop)
    go_on.set()
    until(stopped.is_set)
    assert not bar.isVisible()
    channels.open(Channel(str(hammer)))
    read(desk)
    assert (bar.progress.isVisible(), bar.offset.isVisible()) == (False, True)


def test_ten_million_samples_are_read_beside_the_window_and_drawn_from_thousands(
    desk: Desk, tmp_path: Path
) -> None:
    """A zoom costs no look at all of them."""
    path = tmp_path / "long.wav"
    count = 10_000_000
    values = (8000 * np.sin(np.arange(count) / 5e4)).astype("<i2")
    values[7_654_321] = 32767
    wav(path, values.reshape(-1, 1), 1_000_000)
    play(desk)
    desk.window.channels.open(Channel(str(path)))

    def done() -> bool:
        desk.window.channels.poll()
        return desk.window.channels.loaded is not None

    until(done)
    made = panel(desk)
    QtWidgets.QApplication.processEvents()
    plot = made.drawn.plots[0]
    made.bar.follow.setChecked(False)
    for low, high in ((0.0, 10.0), (7.0, 8.0), (7.6543, 7.6544)):
        plot.setXRange(low, high, padding=0)
        made.lanes.thin()
        x, y = made.lanes.lanes[0].curves["channel 1"].getData()
        assert len(x) <= 4 * max(100, made.lanes.lanes[0].plot.vb.width()) + 8
        assert y.max() == pytest.approx(32767 / 32768), "no peak is lost"


def test_all_parts_wear_the_theme(desk: Desk, hammer: Path) -> None:
    made = laid(desk, hammer)
    desk.window.set_theme("light")
    desk.window.turns.finish()
    assert made.lanes.lanes[0].curves["force (N)"].opts["pen"].color().name() == theme.LIGHT.tracks[0]
    assert theme.LIGHT.plot in made.lanes.lanes[0].title.toHtml()
    desk.window.set_theme("dark")
    desk.window.turns.finish()
    assert made.lanes.lanes[0].curves["force (N)"].opts["pen"].color().name() == theme.DARK.tracks[0]


def second(tmp_path: Path) -> Path:
    """A file with a column that the first has, too, and one of another unit."""
    path = tmp_path / "scale.csv"
    path.write_text("time (s),force (N),load (kg)\n" + "".join(f"{k / 100},{k},{k / 10}\n" for k in range(100)))
    return path


def test_a_second_file_lies_beside_the_first_and_each_is_moved_and_closed_by_itself(
    desk: Desk, hammer: Path, tmp_path: Path
) -> None:
    made = laid(desk, hammer)
    channels, bar = desk.window.channels, made.channel_bar
    assert not bar.which.isVisible()
    channels.open(Channel(str(second(tmp_path)), (ChannelColumn("force (N)", "N"), ChannelColumn("load (kg)", "kg"))))
    read(desk)
    assert [list(lane.curves) for lane in made.lanes.lanes] == [
        ["force (N) (hammer)", "force (N) (scale)"], ["drive (V)"], ["load (kg)"]]  # fmt: skip
    assert bar.which.isVisible()
    assert bar.which.currentText() == "scale.csv", "what came last"
    channels.set_offset(0.5)
    assert [one.offset for one in channels.all] == [0.0, 0.5]
    desk.frame(62)
    assert "load [kg]: -" in made.lanes.lanes[2].title.toPlainText(), "it begins later"
    bar.which.setCurrentIndex(0)
    bar.which.activated.emit(0)
    assert bar.offset.value() == 0.0
    click(bar.cross)
    assert [Path(one.path).name for one in channels.all] == ["scale.csv"]
    pressed(desk, "Ctrl+Z")
    read(desk)
    assert [one.offset for one in channels.all] == [0.0, 0.5]
    pressed(desk, "Ctrl+Z")
    pressed(desk, "Ctrl+Z")
    assert [Path(one.path).name for one in channels.all] == [hammer.name]


def test_several_are_in_a_project_and_beside_what_runs_it(desk: Desk, hammer: Path, tmp_path: Path) -> None:
    opened(desk, str(CLIP))
    channels = desk.window.channels
    both = Channel(str(hammer), offset=0.25), Channel(str(second(tmp_path)), (ChannelColumn("load (kg)", "g", 1000.0),))
    for one in both:
        channels.open(one)
    read(desk)
    file = tmp_path / "study.ftproj"
    desk.window.projects.desk.save(file)
    assert read_project(file).clip.channels == both
    assert main(["channel", str(file), "-o", str(tmp_path / "at.csv")]) == 0
    assert "hammer.csv" in (tmp_path / "at.csv").read_text().splitlines()[0]
    assert "load [g]" in (tmp_path / "at-2.csv").read_text().splitlines()[1]


def test_the_figure_of_the_curves_has_them_below(desk: Desk, hammer: Path) -> None:
    made = laid(desk, hammer)
    sheet = made.sheet()
    figure = Figure()
    fill(figure, sheet)
    tracks = len(sheet.found.plots)
    assert [axes.get_ylabel() for axes in figure.axes[tracks:]] == ["force (N)", "drive (V)"]
    line = figure.axes[tracks + 1].lines[0]
    assert line.get_ydata() == pytest.approx(2 * line.get_xdata(), abs=1e-3), "as the file has it"
    assert figure.axes[-1].get_xlabel() == "time (s)"
    assert figure.axes[tracks - 1].get_xlabel() == ""
    made.save_to(hammer.parent / "curves.png")
    until(lambda: (hammer.parent / "curves.png").exists())


def test_an_export_of_tracks_has_them_in_a_table_beside_it(desk: Desk, hammer: Path, tmp_path: Path) -> None:
    laid(desk, hammer)
    asked = ExportDialog(desk.window, desk.bench, desk.window.video, desk.window.jobs, desk.window.settings,
                         channels=desk.window.channels)  # fmt: skip
    asked.show()
    assert asked.channels.isVisible()
    out = tmp_path / "tracks.csv"
    asked.choose(What.SEEN)
    asked.file.setText(str(out))
    asked.begin()
    beside = tmp_path / "tracks.channel.csv"

    def done() -> bool:
        desk.window.jobs.tick()
        return beside.exists()

    until(done)
    assert out.exists()
    rows = list(csv.reader(beside.read_text().splitlines()[1:]))
    assert rows[0][:3] == ["frame", "time_s", "force [N]"]
    asked.begin()
    assert "exists already" in asked.words.text()
    asked.close()
