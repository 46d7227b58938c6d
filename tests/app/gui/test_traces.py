"""The traces: what is drawn is what is in the store, in the user's unit; clicks, tables, pictures."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.desk.engine import messages as say
from app.desk.jobs.exporting import What
from app.desk.tracks.calibration import Calibration
from app.desk.tracks.signals import Quantity, Signal, Spectrum
from app.gui import theme
from app.gui.sessions.export_dialog import ExportDialog
from app.gui.settings import Settings
from app.gui.traces import saving
from app.gui.traces.axis import Axis
from app.gui.traces.bar import NONE, TracesBar
from app.gui.traces.curves import AT_ONCE
from app.gui.traces.panel import TracesPanel
from app.gui.traces.paper import Paper
from app.gui.traces.plots import lonely
from app.gui.traces.saving import Done, Table, Writer
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State
from pipelines.trackers.vibration import SPECTRA_DTYPE
from tests.app.gui.conftest import Desk


def panel(desk: Desk) -> TracesPanel:
    made = desk.window.panels["traces"]
    assert isinstance(made, TracesPanel)
    return made


def play(desk: Desk, frames: int = 64) -> None:
    """Three tracks: one swings at 75 Hz, one stands, one falls."""
    desk.open()
    t = np.arange(frames) / 600
    parts = []
    for track, (x, y) in enumerate((
        (100 + 2 * np.sin(2 * np.pi * 75 * t), 0 * t + 50), (0 * t + 10, 0 * t + 20), (0 * t + 10, 20 + 500 * t**2)
    )):  # fmt: skip
        rows = np.zeros(frames, TRACK_DTYPE)
        rows["frame"], rows["time"], rows["track"], rows["x"], rows["y"] = np.arange(frames), t, track, x, y
        rows["state"] = State.TRACKED
        parts.append(rows)
    made = np.concatenate(parts)
    order = np.argsort(made["frame"], kind="stable")
    desk.link.reports.append(say.Rows(0, frames - 1, made[order]))
    desk.bench.tick()
    desk.bench.select([0])
    panel(desk).redraw()


def test_curves_are_the_rows_in_the_users_unit(desk: Desk) -> None:
    play(desk)
    made = panel(desk)
    x, y = made.drawn.curves[0, 0].getData()
    np.testing.assert_allclose(y, desk.bench.store.track(0)["x"])
    np.testing.assert_allclose(x, np.arange(64) / 600)
    desk.bench.set_calibration(Calibration(0.5, "mm"))
    made.redraw()
    np.testing.assert_allclose(made.drawn.curves[0, 0].getData()[1], 0.5 * desk.bench.store.track(0)["x"])
    assert "mm" in made.drawn.plots[0].getAxis("left").labelText


def test_the_spectrum_names_its_peak(desk: Desk) -> None:
    play(desk, 256)
    made = panel(desk)
    made.bar.tabs.setCurrentIndex(1)
    made.bar.of.setCurrentText("x")
    assert made.bar.words.text().startswith("peak  0: 75")
    assert "Hz" in made.bar.words.text()
    assert not made.drawn.plots[1].isVisible()
    made.bar.tabs.setCurrentIndex(0)
    assert made.drawn.plots[1].isVisible()


def test_a_spectrum_has_a_quantity_of_its_own_and_several_peaks_are_told_shortly(desk: Desk) -> None:
    play(desk, 256)
    made = panel(desk)
    before = made.bar.quantities
    made.bar.tabs.setCurrentIndex(1)
    assert [quantity.value for quantity in made.bar.quantities] == ["y"]
    made.bar.of.setCurrentText("x")
    desk.bench.select([0, 2])
    made.redraw()
    assert made.bar.words.text().startswith("peak  0: 75")
    assert " px" not in made.bar.words.text()
    assert "0: 75 Hz, 2 px" in made.bar.words.toolTip()
    made.bar.tabs.setCurrentIndex(0)
    assert made.bar.quantities == before


def test_distances_want_two_tracks_and_say_so(desk: Desk) -> None:
    play(desk)
    made = panel(desk)
    made.bar.choice[0].setCurrentText("distance of two")
    assert "select 2 tracks" in made.bar.words.text()
    desk.bench.select([1, 2])
    made.redraw()
    _, value = made.drawn.curves[0, 1].getData()
    np.testing.assert_allclose(value, 500 * (np.arange(64) / 600) ** 2, atol=1e-9)


def test_the_cursor_is_that_of_the_video_and_a_click_goes_there(desk: Desk) -> None:
    play(desk)
    desk.frame(12)
    made = panel(desk)
    made.redraw()
    assert made.drawn.cursors[0].value() == pytest.approx(12 / 600)
    desk.link.orders.clear()
    QtWidgets.QApplication.processEvents()
    at = made.drawn.plots[0].vb.mapViewToScene(QtCore.QPointF(30 / 600, 100.0))

    class Click:
        def scenePos(self) -> QtCore.QPointF:  # noqa: N802
            return at

        def double(self) -> bool:
            return False

    made.drawn.clicked(Click())
    assert desk.link.orders == [say.Pause(), say.Seek(30)]


def test_curves_are_saved_as_tables_and_pictures(desk: Desk, tmp_path: Path) -> None:
    made = panel(desk)
    with pytest.raises(InputError, match="no curve"):
        made.save_to(tmp_path / "x.csv")
    play(desk)
    made.save_to(tmp_path / "x.csv")
    with (tmp_path / "x.csv").open() as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["frame", "time_s", "x_0_px", "y_0_px"]
    assert float(rows[8][2]) == pytest.approx(desk.bench.store.track(0)["x"][7])
    made.save_to(tmp_path / "x.png")
    made.save_to(tmp_path / "x.svg")
    made.save_to(tmp_path / "x.pdf")
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in (tmp_path / "x.svg").read_bytes()
    with pytest.raises(InputError, match="cannot be written"):
        made.save_to(tmp_path / "no" / "x.csv")


def test_hidden_panels_cost_nothing_and_catch_up(desk: Desk) -> None:
    made = panel(desk)
    desk.window.show_panel("messages")
    QtWidgets.QApplication.processEvents()
    play(desk)
    assert not made.drawn.curves
    desk.window.show_panel("traces")
    for _ in range(3):
        QtWidgets.QApplication.processEvents()
    assert made.drawn.curves


def test_many_rows_are_worked_out_aside_and_come_out_the_same(desk: Desk, tmp_path: Path) -> None:
    frames = AT_ONCE + 10
    desk.open()
    rows = np.zeros(2 * frames, TRACK_DTYPE)
    rows["frame"], rows["track"] = np.repeat(np.arange(frames), 2), np.tile([0, 1], frames)
    rows["time"], rows["state"] = rows["frame"] / 600, State.TRACKED
    rows["x"] = 5 * np.sin(2 * np.pi * 60 * rows["time"]) + rows["track"]
    desk.link.reports.append(say.Rows(0, frames - 1, rows))
    desk.bench.tick()
    desk.bench.select([1])
    made = panel(desk)
    made.redraw()
    assert made._finder.busy
    _until(lambda: (0, 1) in made.drawn.curves)
    np.testing.assert_array_equal(made.drawn.curves[0, 1].getOriginalDataset()[1], rows["x"][1::2])
    made.bar.tabs.setCurrentIndex(1)
    made.bar.of.setCurrentText("x")
    _until(lambda: made.bar.words.text().startswith("peak  1: 60 Hz, 5 px"))
    made.bar.tabs.setCurrentIndex(0)
    _until(lambda: bool(made.drawn.signals))
    made.save_to(tmp_path / "long.csv")
    with pytest.raises(InputError, match="still being written"):
        made.save_to(tmp_path / "other.csv")
    _until(lambda: any(message.sentence.startswith("saved") for message in desk.bench.messages))
    assert len((tmp_path / "long.csv").read_text().splitlines()) == 1 + frames


def test_logarithmic_axes_have_plain_numbers() -> None:
    axis = Axis("bottom")
    axis.setRange(0.0, 2.5)
    assert axis.logTickStrings([0.0, np.log10(2), np.log10(3), 1.0, 2.0], 1, 1) == ["1", "2", "", "10", "100"]
    axis.setRange(-3.0, 2.5)
    assert axis.logTickStrings([-3.0, np.log10(2), 0.0], 1, 1) == ["0.001", "", "1"]


def _until(done: Callable[[], object]) -> None:
    for _ in range(2000):
        if done():
            return
        QtTest.QTest.qWait(5)
    raise AssertionError("it never came")


def test_the_trackers_own_noise_lies_under_its_spectrum(desk: Desk) -> None:
    play(desk, 256)
    made, track = panel(desk), 0
    made.bar.tabs.setCurrentIndex(1)
    made.bar.of.setCurrentText("x")
    assert made.drawn.floors == {}
    rows = np.zeros(4, SPECTRA_DTYPE)
    rows["track"], rows["frequency"], rows["noise_x"], rows["noise_y"] = track, [1.0, 2.0, 3.0, 4.0], 0.01, 0.02
    desk.link.reports.append(say.Tables({"spectra": rows}))
    desk.bench.tick()
    made.bar.power.setCurrentIndex(1)
    made.redraw()
    assert set(made.drawn.floors) == {track}
    at, density = made.drawn.floors[track].getOriginalDataset()
    np.testing.assert_allclose(at, rows["frequency"])
    np.testing.assert_allclose(density, 1e-4)
    head = next(made.table().rows())
    assert [name for name in head if name.startswith(f"{track}_noise")] == [
        f"{track}_noise_frequency_hz", f"{track}_noise_amplitude_px", f"{track}_noise_density_(px)^2/hz",
    ]  # fmt: skip
    desk.bench.set_calibration(Calibration(0.5, "mm"))
    made.redraw()
    assert f"{track}_amplitude_mm" in next(made.table().rows())
    desk.link.reports.append(say.Outdated())
    desk.bench.tick()
    assert desk.bench.tables == {}


def test_tables_from_mark_to_mark(desk: Desk, tmp_path: Path) -> None:
    play(desk)
    made = panel(desk)
    desk.bench.set_range(10, 14)
    made.marked.setChecked(True)
    made.save_to(tmp_path / "x.csv")
    with (tmp_path / "x.csv").open() as file:
        assert [row[0] for row in csv.reader(file)] == ["frame", "10", "11", "12", "13"]
    assert made.saved.isVisible()
    assert str(tmp_path / "x.csv") in made.saved.words.text()
    assert made.saved.folder.isVisible()
    made.saved.cross.click()
    assert not made.saved.isVisible()
    desk.bench.set_range(100, 104)
    with pytest.raises(InputError, match="no frame between the marks"):
        made.save_to(tmp_path / "y.csv")
    with pytest.raises(InputError, match="does not tell its format"):
        made.save_to(tmp_path / "y.xlsx")
    assert not (tmp_path / "y.csv").exists()


def test_a_long_table_is_cancelled_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frames = np.arange(50_000)
    signal = Signal(frames / 600, frames * 1.0, frames, np.zeros(len(frames)))
    table, writer, going = Table((("x", signal),), (), True), Writer(), Event()
    slow = table.rows()

    def rows(_: Table) -> Iterator[list[str]]:
        for k, row in enumerate(slow):
            if k == 30_000:
                going.wait(10)
            yield row

    monkeypatch.setattr(Table, "rows", rows)
    writer.begin(tmp_path / "x.csv", table)
    _until(lambda: writer.share > 0.5)
    writer.cancel()
    going.set()
    done: list[object] = []
    _until(lambda: done.append(writer.poll()) or done[-1])
    assert done[-1] == Done(tmp_path / "x.csv", "x.csv was not saved: cancelled", True)
    assert list(tmp_path.iterdir()) == []


def test_a_spectrum_of_a_clip_without_a_rate_is_not_said_to_be_in_hz() -> None:
    spectrum = Spectrum(np.array([0.25]), np.array([2.0]), np.array([4.0]), 0.25, 0.0)
    rows = list(Table((), (("1", spectrum),), False, unit="mm").rows())
    assert rows == [["1_frequency_per_frame", "1_amplitude_mm", "1_density_(mm)^2*frame"], ["0.25", "2", "4"]]


def test_a_table_that_fails_as_nobody_thought_of_is_not_said_to_be_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rows(_: Table) -> Iterator[list[str]]:
        yield ["frame"]
        raise MemoryError("no room")

    monkeypatch.setattr(Table, "rows", rows)
    writer = Writer()
    writer.begin(tmp_path / "x.csv", Table((), (), True))
    done: list[Done | None] = []
    _until(lambda: done.append(writer.poll()) or done[-1])
    assert done[-1] is not None
    assert "cannot be written" in done[-1].trouble
    assert list(tmp_path.iterdir()) == []


def test_the_trackers_spectra_are_offered_where_there_are_some(desk: Desk) -> None:
    play(desk, 64)
    made = panel(desk)
    action = made.bar.save.menu().actions()[-1]
    made.bar.save.menu().aboutToShow.emit()
    assert not action.isEnabled()
    rows = np.zeros(4, SPECTRA_DTYPE)
    rows["frequency"] = [1.0, 2.0, 3.0, 4.0]
    desk.link.reports.append(say.Tables({"spectra": rows}))
    desk.bench.tick()
    made.bar.save.menu().aboutToShow.emit()
    action.trigger()
    (dialog,) = desk.window.findChildren(ExportDialog)
    assert dialog.chosen is What.SPECTRA
    dialog.close()


def test_points_that_no_line_reaches_are_dots(desk: Desk) -> None:
    desk.open()
    rows = np.zeros(7, TRACK_DTYPE)
    rows["frame"], rows["time"], rows["x"] = np.arange(7), np.arange(7) / 600, np.arange(7) * 2.0
    rows["state"] = [State.TRACKED if seen else State.LOST for seen in (1, 0, 1, 1, 0, 1, 0)]
    desk.link.reports.append(say.Rows(0, 6, rows))
    desk.bench.tick()
    desk.bench.select([0])
    made = panel(desk)
    made.redraw()
    assert [dots.getData()[1].tolist() for dots in made.drawn.dots] == [[0.0, 10.0], [0.0, 0.0]]
    assert lonely(np.zeros(0)).tolist() == []
    desk.bench.select([])


@pytest.mark.parametrize("height", [34, 60, 120, 400])
def test_numbers_at_the_side_of_a_plot_do_not_lie_over_each_other(desk: Desk, height: int) -> None:
    axis, low, high = Axis("left"), 0.0, 480.0
    written = []
    for spacing, values in axis.tickValues(low, high, height):
        written += [v for v, word in zip(values, axis.tickStrings(values, 1.0, spacing), strict=True) if word]
    places = np.sort(written) / (high - low) * height
    assert len(places) >= 2 if height > 60 else len(places) >= 1
    assert (np.diff(places) >= QtGui.QFontMetrics(QtGui.QFont()).capHeight() + 2).all()


def test_velocities_say_how_they_are_made_and_smoothing_its_window(desk: Desk) -> None:
    play(desk)
    desk.bench.select([2])
    made = panel(desk)
    assert not made.bar.smooth.isVisible()
    made.bar.choice[0].setCurrentText("vy")
    assert made.bar.smooth.isVisible()
    t = np.arange(64) / 600
    np.testing.assert_allclose(made.drawn.curves[0, 2].getData()[1][1:-1], 1000 * t[1:-1])
    assert made.drawn.titles[0].toPlainText() == "vy [px/s], central differences"
    made.bar.choice[0].setCurrentText("ay")
    made.bar.smooth.setCurrentText("over 11 frames")
    assert made.drawn.titles[0].toPlainText() == "ay [px/s²], Savitzky-Golay, cubic over 11 frames"
    np.testing.assert_allclose(made.drawn.curves[0, 2].getData()[1], 1000.0)


def test_the_legend_names_tracks_in_the_colours_of_their_lines(desk: Desk) -> None:
    play(desk)
    desk.bench.rename_track(2, "wing <tip>")
    desk.bench.select([0, 2])
    made = panel(desk)
    made.redraw()
    assert made.drawn.legend.toPlainText().replace("\xa0", " ") == "● 0   ● wing <tip>"
    for track in (0, 2):
        colour = theme.current().track(track)
        assert colour in made.drawn.legend.toHtml()
        assert made.drawn.curves[0, track].opts["pen"].color().name() == colour


def test_one_plot_has_all_the_room_until_a_second_is_asked_for(desk: Desk) -> None:
    play(desk)
    made = panel(desk)
    before = made.drawn.plots[0].vb.height()
    made.bar.choice[1].setCurrentText(NONE)
    QtWidgets.QApplication.processEvents()
    assert not made.drawn.plots[1].isVisible()
    assert made.drawn.plots[0].vb.height() > 1.8 * before
    assert [name for _, name, _ in made.drawn.signals] == ["x_0_px"]


def test_statistics_of_a_part_are_those_of_its_values(desk: Desk) -> None:
    play(desk)
    desk.bench.select([2])
    made = panel(desk)
    assert not made.drawn.part.words.isVisible()
    made.bar.choice[0].setCurrentText("y")
    made.bar.part.setChecked(True)
    made.drawn.part.regions[0].setRegion((10 / 600, 30 / 600))
    value = desk.bench.store.track(2)["y"][10:31]
    words = made.drawn.part.words.text()
    assert f"y of 2: mean {value.mean():.5g}, rms {value.std():.3g}, peak to peak {np.ptp(value):.4g} px" in words
    assert "(21 values)" in words
    assert made.drawn.part.regions[1].getRegion() == (10 / 600, 30 / 600)
    made.bar.part.setChecked(False)
    assert not made.drawn.part.words.isVisible()


def test_curves_are_copied_as_a_table_and_as_a_light_picture(desk: Desk) -> None:
    clipboard = QtWidgets.QApplication.clipboard()
    made = panel(desk)
    with pytest.raises(InputError, match="no curve"):
        made.copy_table()
    play(desk)
    assert theme.current().dark
    made.copy_table()
    rows = [line.split("\t") for line in clipboard.text().splitlines()]
    assert rows[0] == ["frame", "time_s", "x_0_px", "y_0_px"]
    assert len(rows) == 65
    words = made.bar.words.text()
    made.copy_picture()
    picture = clipboard.image()
    assert picture.pixelColor(5, 5).lightness() == 255
    assert made.bar.words.text() == words
    colours = {picture.pixelColor(x, y).name() for x in range(0, picture.width(), 2)
               for y in range(0, picture.height(), 2)}  # fmt: skip
    assert theme.LIGHT.track(0) in colours


def test_what_is_drawn_is_remembered(desk: Desk, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "own.ini")
    first = TracesBar(lambda: None, settings)
    assert first.quantities == (Quantity.X, Quantity.Y)
    first.choice[0].setCurrentText("speed")
    first.choice[1].setCurrentText(NONE)
    first.of.setCurrentText("vx")
    first.smooth.setCurrentText("over 7 frames")
    second = TracesBar(lambda: None, settings)
    assert second.quantities == (Quantity.SPEED,)
    assert (second.of.currentText(), second.window) == ("vx", 7)
    settings.set_text("traces", "[1")
    assert TracesBar(lambda: None, settings).quantities == (Quantity.X, Quantity.Y)


def test_while_a_spectrum_is_worked_out_no_old_curve_is_seen(desk: Desk) -> None:
    frames = AT_ONCE + 10
    desk.open()
    rows = np.zeros(frames, TRACK_DTYPE)
    rows["frame"], rows["state"] = np.arange(frames), State.TRACKED
    rows["time"], rows["y"] = rows["frame"] / 600, np.sin(rows["frame"])
    desk.link.reports.append(say.Rows(0, frames - 1, rows))
    desk.bench.tick()
    desk.bench.select([0])
    made = panel(desk)
    made.redraw()
    _until(lambda: (0, 0) in made.drawn.curves)
    made.bar.tabs.setCurrentIndex(1)
    assert made._finder.busy
    assert not made.drawn.curves
    assert made.drawn.titles[0].toPlainText() == "working out the spectrum…"
    _until(lambda: made.bar.words.text().startswith("peak"))
    assert made.drawn.titles[0].toPlainText().startswith("y: amplitude")


def test_a_zoom_by_hand_stays_until_a_double_click(desk: Desk) -> None:
    play(desk)
    made = panel(desk)
    QtWidgets.QApplication.processEvents()

    class Wheel:
        def modifiers(self) -> QtCore.Qt.KeyboardModifiers:
            return QtCore.Qt.KeyboardModifier.ControlModifier

        def pos(self) -> QtCore.QPointF:
            return made.drawn.plots[0].vb.rect().center()

        def delta(self) -> int:
            return 120

        def accept(self) -> None:
            pass

    made.drawn.plots[0].vb.updateAutoRange()
    before = made.drawn.plots[0].vb.viewRange()
    made.drawn.plots[0].vb.wheelEvent(Wheel())
    after = made.drawn.plots[0].vb.viewRange()
    assert after[0] == before[0]
    assert np.ptp(after[1]) < np.ptp(before[1])
    assert not made.bar.follow.isChecked()
    made._anew()
    assert made.drawn.plots[0].vb.viewRange() == after

    class Click:
        def double(self) -> bool:
            return True

    made.drawn.clicked(Click())
    assert made.bar.follow.isChecked()
    made.drawn.plots[0].vb.updateAutoRange()
    assert made.drawn.plots[0].vb.viewRange()[1] == pytest.approx(before[1], abs=0.2)


def test_a_picture_for_paper_is_what_a_screen_would_show(desk: Desk) -> None:
    """Numbers at axes are recorded for the screen, and must not grow with the fineness of the picture."""
    play(desk)
    made = Paper(panel(desk), desk.bench, panel(desk).bar).figure(panel(desk).drawn)
    fine = saving.image(made)
    shown = made.graphics.grab().toImage()
    size = shown.size() / 4
    smooth = QtCore.Qt.TransformationMode.SmoothTransformation
    wide = QtCore.Qt.AspectRatioMode.IgnoreAspectRatio
    a, b = (picture.scaled(size, wide, smooth) for picture in (fine, shown))
    apart = [abs(a.pixelColor(x, y).lightness() - b.pixelColor(x, y).lightness())
             for x in range(size.width()) for y in range(size.height())]  # fmt: skip
    assert np.mean(apart) < 2.5
    assert np.percentile(apart, 99) < 60
