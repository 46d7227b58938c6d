"""What the traces show: signals and spectra of some tracks, worked out in a thread where there are many rows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from app.desk.tracks.calibration import Calibration
from app.desk.tracks.peaks import Peak
from app.desk.tracks.signals import Quantity, Signal, Spectrum, make, spectrum
from app.desk.tracks.store import TrackStore
from app.gui.traces.thin import Places, Values, thinned_evenly
from app.joined import joined
from kernels.errors import InputError

MOST_CURVES = 12
"""Tracks that are drawn at once: the first of those that are selected."""
AT_ONCE = 20_000
"""Rows of tracks that are worked through in some milliseconds, without a thread ..."""
MOST_KNOWN = 200_000
"""... in a store of at most so many: in a larger one to find them may take longer."""
COLUMNS = 2000
"""Columns of pixels for which curves are thinned beforehand: a wide screen's."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be drawn.

    Args:
        store: where the rows are; read while it grows, so give a `snapshot`.
        tracks: which.
        quantities: one a plot.
        spectra: whether spectra are wanted, of the first quantity.
        calibration: gives units.
        every: whether guessed positions count, too.
        window: frames over which derivatives are smoothed; 0 for none.
        chosen: whether somebody selected the tracks; distances and angles are of no others.
    """

    store: TrackStore
    tracks: tuple[int, ...]
    quantities: tuple[Quantity, ...]
    spectra: bool
    calibration: Calibration
    every: bool
    window: int = 0
    chosen: bool = True

    @property
    def little(self) -> bool:
        """Whether it is a matter of milliseconds; spectra and smoothing, at first, wait for a library to be loaded."""
        if self.spectra or any(quantity.order and self.window for quantity in self.quantities):
            return False
        return len(self.store) <= MOST_KNOWN and self.store.count_of(self.tracks[:MOST_CURVES]) <= AT_ONCE


@dataclass(frozen=True, slots=True)
class Curve:
    """One line: the tracks that it is made of, its signal, and its spectrum with its peaks or why there is none; the
    points that are drawn (`time`, `value`: the signal with NaN where the line is broken), of these such as show all of
    it (`few`), and those that no line reaches (`alone`)."""

    tracks: tuple[int, ...]
    signal: Signal
    spectrum: Spectrum | None = None
    trouble: str = ""
    time: Values = field(default_factory=lambda: np.zeros(0))
    value: Values = field(default_factory=lambda: np.zeros(0))
    few: Places = field(default_factory=lambda: np.zeros(0, np.intp))
    alone: Places = field(default_factory=lambda: np.zeros(0, np.intp))
    peaks: tuple[Peak, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What came of it: the tracks, and the curves of each plot; `seconds` is what it took."""

    wanted: Wanted
    tracks: tuple[int, ...]
    plots: tuple[tuple[Curve, ...], ...]
    seconds: float = 0.0

    @property
    def points(self) -> int:
        """Of all curves."""
        return sum(len(curve.signal.value) for plot in self.plots for curve in plot)


def find(wanted: Wanted) -> Found:
    """Work it out."""
    begin = time.monotonic()
    tracks = wanted.tracks[:MOST_CURVES]
    rows = {track: wanted.store.track(track) for track in tracks}
    quantities = wanted.quantities[:1] if wanted.spectra else wanted.quantities
    plots = []
    for quantity in quantities:
        groups: list[tuple[int, ...]]
        if quantity.tracks == 1:
            groups = [(track,) for track in tracks if len(rows[track])]
        else:
            enough = wanted.chosen and len(tracks) >= quantity.tracks
            groups = [tracks[: quantity.tracks]] if enough else []
        plots.append(tuple(
            _curve(group, make(quantity, [rows[t] for t in group], wanted.calibration, wanted.every, wanted.window),
                   wanted.spectra)
            for group in groups
        ))  # fmt: skip
    return Found(wanted, tracks, tuple(plots), time.monotonic() - begin)


def _curve(tracks: tuple[int, ...], made: Signal, spectra: bool) -> Curve:
    if not spectra:
        at, value = broken(made)
        few = thinned_evenly(at, value, at[0], at[-1], COLUMNS) if len(at) else np.zeros(0, np.intp)
        return Curve(tracks, made, None, "", at, value, few, lonely(value))
    try:
        lines = spectrum(made)
        return Curve(tracks, made, lines, peaks=lines.peaks())
    except InputError as error:
        return Curve(tracks, made, None, str(error))


def broken(made: Signal) -> tuple[Values, Values]:
    """Times and values of a signal, and one more of NaN in each gap in which nothing is known (`app.joined`)."""
    gaps = np.flatnonzero(~joined(made.frame))
    if not len(gaps):
        return made.time, made.value
    middle = 0.5 * (made.time[gaps] + made.time[gaps + 1])
    return np.insert(made.time, gaps + 1, middle), np.insert(made.value, gaps + 1, np.nan)


def lonely(value: Values) -> Places:
    """Where finite values stand between others that are not.

    >>> lonely(np.array([1.0, np.nan, 2.0, 3.0, np.nan, 4.0])).tolist()
    [0, 5]
    """
    there = np.isfinite(value)
    beside = np.append(False, there[:-1]) | np.append(there[1:], False)
    return np.flatnonzero(there & ~beside)


@dataclass
class Finder:
    """One look at a time; used by one thread.

    Args:
        work: what is done.
    """

    work: Callable[[Wanted], Found] = find
    _thread: threading.Thread | None = field(default=None, init=False)
    _found: Found | None = field(default=None, init=False)

    @property
    def busy(self) -> bool:
        """Whether a look is under way."""
        return self._thread is not None

    def begin(self, wanted: Wanted) -> None:
        """Work it out; at once where there is little to do."""
        if wanted.little:
            self._found = self.work(wanted)
            return
        self._thread = threading.Thread(target=self._look, args=(wanted,))
        self._thread.start()

    def _look(self, wanted: Wanted) -> None:
        self._found = self.work(wanted)

    def poll(self) -> Found | None:
        """What was found, once."""
        if self._thread is not None and self._thread.is_alive():
            return None
        self._thread = None
        found, self._found = self._found, None
        return found
