"""Curves as tables and as pictures, on a disk and on the clipboard."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from pyqtgraph.Qt import QtWidgets

from app.desk.tracks.signals import Signal, Spectrum
from app.gui import theme
from app.gui.traces.saving import Done, Table, Writer
from app.plots.look import LIGHT
from kernels.errors import InputError
from tests.app.gui.conftest import Desk
from tests.app.gui.traces import panel, play, until
from tests.patience import PATIENCE


def test_what_was_saved_is_told_within_the_panel(desk: Desk, tmp_path: Path) -> None:
    """A dock that grew for a line would push the video, and not come back."""
    desk.window.resize(1600, 960)
    made, dock = panel(desk), desk.window.docks["traces"]
    heights = []
    for step in (lambda: None, lambda: made.saved.wrote(tmp_path / "x.csv"), made.saved.hide):
        step()
        for _ in range(5):
            QtWidgets.QApplication.processEvents()
        heights.append(dock.height())
    assert len(set(heights)) == 1, heights


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
    for name in ("x.png", "x.svg", "x.pdf"):
        made.save_to(tmp_path / name)
        until(lambda: made.saved.words.text().startswith("saved"))
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in (tmp_path / "x.svg").read_bytes()
    with pytest.raises(InputError, match="cannot be written"):
        made.save_to(tmp_path / "no" / "x.csv")


def test_tables_from_mark_to_mark(desk: Desk, tmp_path: Path) -> None:
    play(desk)
    made = panel(desk)
    desk.bench.player.set_range(10, 14)
    made.marked.setChecked(True)
    made.save_to(tmp_path / "x.csv")
    with (tmp_path / "x.csv").open() as file:
        assert [row[0] for row in csv.reader(file)] == ["frame", "10", "11", "12", "13"]
    assert made.saved.isVisible()
    assert str(tmp_path / "x.csv") in made.saved.words.text()
    assert made.saved.folder.isVisible()
    made.saved.cross.click()
    assert not made.saved.isVisible()
    desk.bench.player.set_range(100, 104)
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
                going.wait(PATIENCE)
            yield row

    monkeypatch.setattr(Table, "rows", rows)
    writer.begin(tmp_path / "x.csv", table)
    until(lambda: writer.share > 0.5)
    writer.cancel()
    going.set()
    done: list[object] = []
    until(lambda: done.append(writer.poll()) or done[-1])
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
    until(lambda: done.append(writer.poll()) or done[-1])
    assert done[-1] is not None
    assert "cannot be written" in done[-1].trouble
    assert list(tmp_path.iterdir()) == []


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
    until(lambda: not clipboard.image().isNull())
    picture = clipboard.image()
    assert picture.pixelColor(5, 5).lightness() == 255
    assert made.bar.words.text() == words
    colours = {picture.pixelColor(x, y).name() for x in range(0, picture.width(), 2)
               for y in range(0, picture.height(), 2)}  # fmt: skip
    assert LIGHT.colour(0).lower() in colours
