"""Curves as a table: a row a frame, a column a curve; what takes long is written in a thread."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

import numpy as np
import numpy.typing as npt

from app.desk.tracks.signals import Signal, Spectrogram, Spectrum
from app.files.atomic import replacing, write_bytes
from app.gui.traces.curves import AT_ONCE
from kernels.errors import InputError

Named = tuple[str, Signal]
Line = tuple[str, Spectrum]
STEP = 2000
"""Rows between two looks whether to go on."""


class _Stopped(Exception):
    """The user wants no table."""


@dataclass(frozen=True, slots=True)
class Table:
    """What is drawn: signals with what was fitted to them, or spectra with the tracker's noise, or a spectrogram.

    Args:
        signals, spectra: with their names; one of them is empty, or both.
        timed: whether times are seconds, not frames.
        frames: only these of signals, the first and one past the last; None for all.
        unit: of the amplitudes of spectra.
        gram: a spectrogram with its name; None for none.
    """

    signals: Sequence[Named]
    spectra: Sequence[Line]
    timed: bool
    frames: tuple[int, int] | None = None
    unit: str = "px"
    gram: tuple[str, Spectrogram] | None = None

    @property
    def long(self) -> bool:
        """Whether it takes so long that a thread writes it."""
        return max(sum(len(made.value) for _, made in self.signals), self.count if self.gram is not None else 0,
                   sum(len(made.frequency) for _, made in self.spectra)) > AT_ONCE  # fmt: skip

    @property
    def count(self) -> int:
        """Rows, or some more."""
        if self.gram is not None:
            return int(self.gram[1].amplitude.size)
        return max((len(made.value) for _, made in self.signals), default=0) or max(
            (len(made.frequency) for _, made in self.spectra), default=1
        )

    def rows(self) -> Iterator[list[str]]:
        """Its head and its rows; a column a curve, with its unit in its name.

        Raises:
            InputError: none of the wanted frames is there.
        """
        if self.gram is not None:
            return rows_of_gram(*self.gram, self.timed, self.unit)
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

    # The body of a generator runs with its first row: what can go wrong was checked before.
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


def rows_of_gram(name: str, gram: Spectrogram, timed: bool, unit: str) -> Iterator[list[str]]:
    """The head, then a row for each time and frequency."""
    yield ["time_s" if timed else "time_frames", "frequency_hz" if timed else "frequency_per_frame",
           plain(f"{name}_amplitude_{unit}")]  # fmt: skip
    for time, column in zip(gram.time.tolist(), gram.amplitude.T, strict=True):
        for frequency, amplitude in zip(gram.frequency.tolist(), column.tolist(), strict=True):
            yield [f"{time:.9g}", f"{frequency:.9g}", f"{amplitude:.6g}"]


def write(path: Path, table: Table) -> None:
    """Write it; a file that was there stays until all is written.

    Raises:
        InputError: it cannot be written, or there is nothing to write.
    """
    write_rows(path, table.rows())


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


@dataclass(frozen=True, slots=True)
class Done:
    """A file is written, or why not; `data` of one that goes nowhere."""

    path: Path
    trouble: str = ""
    stopped: bool = False
    data: bytes = b""


class Writer:
    """Writes one table or figure at a time in a thread; used by one thread.

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
            InputError: something else is still being written, or there is nothing to write.
        """
        self._free()
        rows = table.rows()
        self._start(path, lambda: write_rows(path, self._counted(rows, max(1, table.count))))

    def begin_figure(self, path: Path, figure: Callable[[], bytes]) -> None:
        """Make a figure and write it; to no path: it is what `Done` has.

        Raises:
            InputError: something else is still being written.
        """
        self._free()

        def work() -> bytes:
            data = figure()
            if path != Path():
                write_bytes(path, data)
            return data

        self._start(path, work)

    def _free(self) -> None:
        if self._thread is not None:
            raise InputError(f"{self._done.path} is still being written; wait for it")

    def _start(self, path: Path, work: Callable[[], bytes | None]) -> None:
        self._done, self.share = Done(path), 0.0
        self._stop.clear()
        self._thread = Thread(target=self._work, args=(path, work))
        self._thread.start()

    def cancel(self) -> None:
        """Write no more; nothing is left of it."""
        self._stop.set()

    def _counted(self, rows: Iterator[list[str]], count: int) -> Iterator[list[str]]:
        for k, row in enumerate(rows):
            if k % STEP == 0:
                self.share = min(1.0, k / count)
                if self._stop.is_set():
                    raise _Stopped
            yield row

    def _work(self, path: Path, work: Callable[[], bytes | None]) -> None:
        try:
            self._done = Done(path, data=work() or b"")
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
