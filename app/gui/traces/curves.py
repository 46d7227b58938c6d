"""What the traces show: signals and spectra of some tracks, worked out in a thread where there are many rows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from app.desk.tracks.calibration import Calibration
from app.desk.tracks.signals import Quantity, Signal, Spectrum, make, spectrum
from app.desk.tracks.store import TrackStore
from kernels.errors import InputError

MOST_CURVES = 12
"""Tracks that are drawn at once."""
AT_ONCE = 20_000
"""Rows of tracks that are worked through in some milliseconds, without a thread."""


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
    """

    store: TrackStore
    tracks: tuple[int, ...]
    quantities: tuple[Quantity, ...]
    spectra: bool
    calibration: Calibration
    every: bool
    window: int = 0

    @property
    def rows(self) -> int:
        """Rows of its tracks."""
        return self.store.count_of(self.tracks[:MOST_CURVES])


@dataclass(frozen=True, slots=True)
class Curve:
    """One line: the tracks that it is made of, its signal, and its spectrum or why there is none."""

    tracks: tuple[int, ...]
    signal: Signal
    spectrum: Spectrum | None = None
    trouble: str = ""


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
            groups = [tracks[: quantity.tracks]] if len(tracks) >= quantity.tracks else []
        plots.append(tuple(
            _curve(group, make(quantity, [rows[t] for t in group], wanted.calibration, wanted.every, wanted.window),
                   wanted.spectra)
            for group in groups
        ))  # fmt: skip
    return Found(wanted, tracks, tuple(plots), time.monotonic() - begin)


def _curve(tracks: tuple[int, ...], made: Signal, spectra: bool) -> Curve:
    if not spectra:
        return Curve(tracks, made)
    try:
        return Curve(tracks, made, spectrum(made))
    except InputError as error:
        return Curve(tracks, made, None, str(error))


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
        if wanted.rows <= AT_ONCE:
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
