"""Curves as a table: a row a frame, a column a curve; or as a picture."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

import numpy as np
import numpy.typing as npt
from pyqtgraph.Qt import QtCore, QtGui, QtSvg, QtWidgets

from app.desk.tracks.signals import Signal, Spectrum
from app.exports.atomic import replacing
from app.gui.traces.curves import AT_ONCE
from app.gui.traces.plots import Plots
from kernels.errors import InputError

Named = tuple[str, Signal]
Line = tuple[str, Spectrum]
FINE = 3
"""Pixels of a picture for one of the screen's."""
DPI = 96
"""Of a screen, as Qt and browsers take it."""
STEP = 2000
"""Rows between two looks whether to go on."""


class _Stopped(Exception):
    """The user wants no table."""


@dataclass(frozen=True, slots=True)
class Table:
    """What is drawn: signals, or spectra with the tracker's noise.

    Args:
        signals, spectra: with their names; one of them is empty.
        timed: whether times are seconds, not frames.
        frames: only these of signals, the first and one past the last; None for all.
        unit: of the amplitudes of spectra.
    """

    signals: Sequence[Named]
    spectra: Sequence[Line]
    timed: bool
    frames: tuple[int, int] | None = None
    unit: str = "px"

    @property
    def long(self) -> bool:
        """Whether it takes so long that a thread writes it."""
        return sum(len(made.value) for _, made in self.signals) > AT_ONCE or (
            sum(len(made.frequency) for _, made in self.spectra) > AT_ONCE
        )

    @property
    def count(self) -> int:
        """Rows, or some more."""
        return max((len(made.value) for _, made in self.signals), default=0) or max(
            (len(made.frequency) for _, made in self.spectra), default=1
        )

    def rows(self) -> Iterator[list[str]]:
        """Its head and its rows; a column a curve, with its unit in its name.

        Raises:
            InputError: none of the wanted frames is there.
        """
        if self.spectra:
            return rows_of_spectra(self.spectra, self.timed, self.unit)
        return rows_of_signals(self.signals, self.timed, self.frames)


def rows_of_signals(
    signals: Sequence[Named], timed: bool, wanted: tuple[int, int] | None = None
) -> Iterator[list[str]]:
    """The head, then a row for each frame of any of them.

    Raises:
        InputError: at once, where there is no frame.
    """
    frames = np.unique(np.concatenate([made.frame for _, made in signals]))
    times = np.full(len(frames), np.nan)
    columns = []
    for _, made in signals:
        at = np.searchsorted(frames, made.frame)
        times[at] = made.time
        column = np.full(len(frames), np.nan)
        column[at] = made.value
        columns.append(column)
    chosen = np.ones(len(frames), bool) if wanted is None else (frames >= wanted[0]) & (frames < wanted[1])
    if not chosen.any():
        raise InputError("the curves have no frame between the marks; move the marks, or save all frames")

    def rows() -> Iterator[list[str]]:
        yield ["frame", "time_s" if timed else "time_frames", *(plain(name) for name, _ in signals)]
        for k in np.flatnonzero(chosen).tolist():
            yield [str(int(frames[k])), f"{times[k]:.9g}", *(_cell(column[k]) for column in columns)]

    return rows()


def plain(name: str) -> str:
    """The name of a column in letters that every program reads, without spaces around what joins tracks.

    >>> plain("angle_11 - 13 - 12_°"), plain("ax_left wing_mm/s²")
    ('angle_11-13-12_deg', 'ax_left wing_mm/s^2')
    """
    return name.replace(" - ", "-").replace("°", "deg").replace("²", "^2")


def rows_of_spectra(spectra: Sequence[Line], timed: bool, unit: str) -> Iterator[list[str]]:
    """The head, then a row for each frequency; each spectrum has frequencies of its own."""
    each, per = ("hz", "/hz") if timed else ("per_frame", "*frame")
    whats = (f"frequency_{each}", f"amplitude_{unit}", f"density_({unit})^2{per}")
    yield [f"{name}_{what}" for name, _ in spectra for what in whats]
    columns: list[npt.NDArray[np.float64]] = [c for _, s in spectra for c in (s.frequency, s.amplitude, s.density)]
    for k in range(max((len(c) for c in columns), default=0)):
        yield [f"{c[k]:.9g}" if k < len(c) else "" for c in columns]


def write(path: Path, table: Table) -> None:
    """Write it; a file that was there stays until all is written.

    Raises:
        InputError: it cannot be written, or there is nothing to write.
    """
    write_rows(path, table.rows())


def to_clipboard(rows: Sequence[Sequence[str]]) -> None:
    """Rows as spreadsheets want them."""
    QtWidgets.QApplication.clipboard().setText("\n".join("\t".join(row) for row in rows) + "\n")


def write_rows(path: Path, rows: Iterator[list[str]]) -> None:
    """Write rows; a file that was there stays until all are written.

    Raises:
        InputError: it cannot be written.
    """
    try:
        with replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


def draw(path: Path, plots: Plots) -> None:
    """Write plots as a picture: PNG, SVG or PDF.

    Raises:
        InputError: it cannot be written.
    """
    kind = path.suffix.lower()
    try:
        with replacing(path) as temporary:
            if kind == ".png":
                if not image(plots).save(str(temporary), "PNG"):
                    raise InputError(f"{path} cannot be written; is there room on the disk?")
            elif kind == ".svg":
                box = _box(plots)
                made = QtSvg.QSvgGenerator()
                made.setFileName(str(temporary))
                made.setResolution(plots.graphics.logicalDpiX())  # axes are recorded for it
                made.setSize(box.size().toSize())
                made.setViewBox(QtCore.QRectF(QtCore.QPointF(0, 0), box.size()))
                _render(plots, made)
            else:
                _render(plots, _page(temporary, _box(plots).size(), plots.graphics.logicalDpiX()))
            if not temporary.exists():
                raise InputError(f"{path} cannot be written")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


def image(plots: Plots) -> QtGui.QImage:
    """Plots as pixels, finer than on a screen."""
    size = _box(plots).size().toSize() * FINE
    made = QtGui.QImage(size, QtGui.QImage.Format.Format_RGB32)
    _render(plots, made)
    made.setDotsPerMeterX(round(FINE * DPI / 0.0254))  # not before: axes would be drawn as much larger
    made.setDotsPerMeterY(round(FINE * DPI / 0.0254))
    return made


def _page(path: Path, size: QtCore.QSizeF, dpi: int) -> QtGui.QPdfWriter:
    """A page as large as the picture, in dots as axes are recorded for."""
    made = QtGui.QPdfWriter(str(path))
    made.setCreator("fusetrack")
    made.setResolution(dpi)
    unit = QtGui.QPageSize.Unit.Point
    made.setPageSize(QtGui.QPageSize(QtCore.QSizeF(size.width() * 72 / dpi, size.height() * 72 / dpi), unit, "figure",
                                     QtGui.QPageSize.SizeMatchPolicy.ExactMatch))  # fmt: skip
    made.setPageMargins(QtCore.QMarginsF(0, 0, 0, 0))
    return made


def _box(plots: Plots) -> QtCore.QRectF:
    QtWidgets.QApplication.sendPostedEvents()  # lay out what was added
    return QtCore.QRectF(plots.graphics.rect())


def _render(plots: Plots, device: QtGui.QPaintDevice) -> None:
    painter = QtGui.QPainter()
    if not painter.begin(device):
        raise OSError("no picture can be begun there")
    try:
        target = QtCore.QRectF(painter.viewport())
        painter.fillRect(target, QtCore.Qt.GlobalColor.white)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        scene = plots.graphics.scene()
        scene.prepareForPaint()
        scene.render(painter, target, QtCore.QRectF(plots.graphics.viewRect()))
    finally:
        painter.end()


@dataclass(frozen=True, slots=True)
class Done:
    """A table is written, or why not."""

    path: Path
    trouble: str = ""
    stopped: bool = False


class Writer:
    """Writes one table at a time in a thread; used by one thread.

    Attributes:
        share: how much of it is written, 0 to 1.
    """

    def __init__(self) -> None:
        self._thread: Thread | None = None
        self._done = Done(Path())
        self._stop = Event()
        self.share = 0.0

    def begin(self, path: Path, table: Table) -> None:
        """Write it.

        Raises:
            InputError: another table is still being written, or there is nothing to write.
        """
        if self._thread is not None:
            raise InputError(f"{self._done.path} is still being written; wait for it")
        rows = table.rows()
        self._done, self.share = Done(path), 0.0
        self._stop.clear()
        self._thread = Thread(target=self._work, args=(path, rows, max(1, table.count)))
        self._thread.start()

    def cancel(self) -> None:
        """Write no more; nothing is left of it."""
        self._stop.set()

    def _work(self, path: Path, rows: Iterator[list[str]], count: int) -> None:
        def counted() -> Iterator[list[str]]:
            for k, row in enumerate(rows):
                if k % STEP == 0:
                    self.share = min(1.0, k / count)
                    if self._stop.is_set():
                        raise _Stopped
                yield row

        try:
            write_rows(path, counted())
        except _Stopped:
            self._done = Done(path, f"{path.name} was not saved: cancelled", True)
        except InputError as error:
            self._done = Done(path, str(error))
        except Exception as error:  # else it would pass for written
            self._done = Done(path, f"{path} cannot be written: {error!r}")

    def poll(self) -> Done | None:
        """What came of it once it is done, None before."""
        if self._thread is None or self._thread.is_alive():
            return None
        self._thread = None
        return self._done


def _cell(value: float) -> str:
    return "" if not np.isfinite(value) else f"{value:.9g}"
