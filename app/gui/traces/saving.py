"""Curves as a table: a row a frame, a column a curve."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Thread

import numpy as np
import numpy.typing as npt

from app.desk.tracks.signals import Signal, Spectrum
from app.exports.atomic import replacing
from kernels.errors import InputError

Named = tuple[str, Signal]
Line = tuple[str, Spectrum]


def rows_of_signals(signals: Sequence[Named], timed: bool) -> Iterator[list[str]]:
    """The head, then a row for each frame of any of them."""
    frames = np.unique(np.concatenate([made.frame for _, made in signals]))
    times = np.full(len(frames), np.nan)
    columns = []
    for _, made in signals:
        at = np.searchsorted(frames, made.frame)
        times[at] = made.time
        column = np.full(len(frames), np.nan)
        column[at] = made.value
        columns.append(column)
    yield ["frame", "time_s" if timed else "time_frames", *(name for name, _ in signals)]
    for k, frame in enumerate(frames.tolist()):
        yield [str(frame), f"{times[k]:.9g}", *(_cell(column[k]) for column in columns)]


def rows_of_spectra(spectra: Sequence[Line]) -> Iterator[list[str]]:
    """The head, then a row for each frequency; each spectrum has frequencies of its own."""
    yield [f"{name}_{what}" for name, _ in spectra for what in ("frequency_hz", "amplitude", "density")]
    columns: list[npt.NDArray[np.float64]] = [c for _, s in spectra for c in (s.frequency, s.amplitude, s.density)]
    for k in range(max((len(c) for c in columns), default=0)):
        yield [f"{c[k]:.9g}" if k < len(c) else "" for c in columns]


def write(path: Path, rows: Iterator[list[str]]) -> None:
    """Write them; a file that was there stays until all is written."""
    with replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


class Writer:
    """Writes one table at a time in a thread; used by one thread."""

    def __init__(self) -> None:
        self._thread: Thread | None = None
        self._path, self._trouble = Path(), ""

    def begin(self, path: Path, rows: Iterator[list[str]]) -> None:
        """Write them.

        Raises:
            InputError: another table is still being written.
        """
        if self._thread is not None:
            raise InputError(f"{self._path} is still being written; wait for it")
        self._path, self._trouble = path, ""
        self._thread = Thread(target=self._write, args=(rows,))
        self._thread.start()

    def _write(self, rows: Iterator[list[str]]) -> None:
        try:
            write(self._path, rows)
        except OSError as error:
            self._trouble = f"{self._path} cannot be written: {error.strerror or error}"

    def poll(self) -> str | None:
        """A sentence once it is done, None before."""
        if self._thread is None or self._thread.is_alive():
            return None
        self._thread = None
        return self._trouble or f"saved {self._path}"


def _cell(value: float) -> str:
    return "" if not np.isfinite(value) else f"{value:.9g}"
