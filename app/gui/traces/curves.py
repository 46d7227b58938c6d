"""What the traces show: signals, fits and spectra of some tracks, worked out in a thread where there are many rows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from app.desk.tracks.calibration import Calibration
from app.desk.tracks.fits import PLACES, Fitted, Units, fitted_to
from app.desk.tracks.motions import Motions, Reference
from app.desk.tracks.peaks import Peak
from app.desk.tracks.signals import Form, Quantity, Signal, Spectrogram, Spectrum, formed, spectrogram, spectrum
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


class View(Enum):
    """What is drawn of quantities."""

    TIME = "time"
    SPECTRUM = "spectrum"
    SPECTROGRAM = "spectrogram"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be drawn.

    Args:
        store: where the rows are; read while it grows, so give a `snapshot`.
        tracks: which.
        quantities: one a plot.
        view: signals over time, or the spectra or the spectrogram of the first quantity.
        calibration: gives units.
        every: whether guessed positions count, too.
        window: frames over which derivatives are smoothed; 0 for what suits.
        chosen: whether somebody selected the tracks; distances and angles are of no others.
        form: what is taken away from the values.
        reference: what stands still.
        model: a curve that is fitted to each; "" for none. span: the times of what is fitted; None for all.
        segment: samples of a segment of a spectrogram; 0 for what suits.
        timed: whether times are seconds.
    """

    store: TrackStore
    tracks: tuple[int, ...]
    quantities: tuple[Quantity, ...]
    view: View
    calibration: Calibration
    every: bool
    window: int = 0
    chosen: bool = True
    form: Form = Form.PLAIN
    reference: Reference = field(default_factory=Reference)
    model: str = ""
    span: tuple[float, float] | None = None
    segment: int = 0
    timed: bool = True

    @property
    def spectra(self) -> bool:
        """Whether spectra are wanted."""
        return self.view is View.SPECTRUM

    @property
    def little(self) -> bool:
        """Whether it is a matter of milliseconds; spectra and fits, at first, wait for a library to be loaded, and
        derivatives for the window that suits."""
        if self.view is not View.TIME or self.model or self.reference.tracks:
            return False
        if any(quantity.order for quantity in self.quantities):
            return False
        return len(self.store) <= MOST_KNOWN and self.store.count_of(self.tracks[:MOST_CURVES]) <= AT_ONCE


@dataclass(frozen=True, slots=True)
class Curve:
    """One line: the tracks that it is made of, its signal, and its spectrum with its peaks, or its spectrogram, or why
    there is none; the points that are drawn (`time`, `value`: the signal with NaN where the line is broken), of these
    such as show all of it (`few`), and those that no line reaches (`alone`); the curve that is fitted."""

    tracks: tuple[int, ...]
    signal: Signal
    spectrum: Spectrum | None = None
    trouble: str = ""
    time: Values = field(default_factory=lambda: np.zeros(0))
    value: Values = field(default_factory=lambda: np.zeros(0))
    few: Places = field(default_factory=lambda: np.zeros(0, np.intp))
    alone: Places = field(default_factory=lambda: np.zeros(0, np.intp))
    peaks: tuple[Peak, ...] = ()
    fitted: Fitted | None = None
    gram: Spectrogram | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What came of it: the tracks, and the curves of each plot; `seconds` is what it took; `ways` says of each plot how
    its derivatives are taken, `trouble` why there are no curves."""

    wanted: Wanted
    tracks: tuple[int, ...]
    plots: tuple[tuple[Curve, ...], ...]
    seconds: float = 0.0
    ways: tuple[str, ...] = ()
    trouble: str = ""

    @property
    def points(self) -> int:
        """Of all curves."""
        return sum(len(curve.signal.value) for plot in self.plots for curve in plot)


def find(wanted: Wanted) -> Found:
    """Work it out."""
    begin = time.monotonic()
    tracks = wanted.tracks[:MOST_CURVES]
    rows = {track: wanted.store.track(track) for track in dict.fromkeys((*tracks, *wanted.reference.tracks))}
    motions = Motions(rows, wanted.calibration, wanted.every, wanted.window, wanted.reference, tracks)
    quantities = wanted.quantities if wanted.view is View.TIME else wanted.quantities[:1]
    plots, ways, trouble = [], [], ""
    for quantity in quantities:
        groups: list[tuple[int, ...]]
        if quantity.tracks == 1:
            groups = [(track,) for track in tracks if len(rows[track])]
        else:
            enough = wanted.chosen and len(tracks) >= quantity.tracks
            groups = [tracks[: quantity.tracks]] if enough else []
        groups = groups[:1] if wanted.view is View.SPECTROGRAM else groups
        try:
            plots.append(tuple(_curve(group, motions, quantity, wanted) for group in groups))
            ways.append(motions.way(quantity, groups[0]) if groups else "")
        except InputError as error:
            plots.append(())
            ways.append("")
            trouble = str(error)
    return Found(wanted, tracks, tuple(plots), time.monotonic() - begin, tuple(ways), trouble)


def _curve(tracks: tuple[int, ...], motions: Motions, quantity: Quantity, wanted: Wanted) -> Curve:
    """One line.

    Raises:
        InputError: as in `Motions.signal`.
    """
    made = formed(motions.signal(quantity, tracks), wanted.form)
    if wanted.view is View.TIME:
        fitted = None
        if wanted.model:
            places = motions.trail(tracks[0]) if quantity in PLACES else None
            units = Units(quantity, wanted.calibration, wanted.timed)
            fitted = fitted_to(made, wanted.model, units, wanted.span, places)
        at, value = broken(made)
        few = thinned_evenly(at, value, at[0], at[-1], COLUMNS) if len(at) else np.zeros(0, np.intp)
        return Curve(tracks, made, None, "", at, value, few, lonely(value), fitted=fitted)
    try:
        if wanted.view is View.SPECTROGRAM:
            return Curve(tracks, made, gram=spectrogram(made, wanted.segment))
        lines = spectrum(made)
        return Curve(tracks, made, lines, peaks=lines.peaks())
    except InputError as error:
        return Curve(tracks, made, None, str(error))


def caption(found: Found, k: int, unit: str) -> str:
    """The caption above a plot: the quantity, its unit, how it was made and what was taken away from it."""
    quantity, wanted = found.wanted.quantities[k], found.wanted
    way = found.ways[k] if k < len(found.ways) else ""
    form = "" if wanted.form is Form.PLAIN else wanted.form.value
    beside = wanted.reference.words if quantity is not Quantity.SCORE and not quantity.measure else ""
    return ", ".join([quantity.value + (f" [{unit}]" if unit else ""), *filter(None, (way, form, beside))])


def broken(made: Signal) -> tuple[Values, Values]:
    """Times and values of a signal, and one more of NaN in each gap in which nothing is known (`app.joined`)."""
    # One NaN in each gap breaks the line there.
    gaps = np.flatnonzero(~joined(made.frame))
    if not len(gaps):
        return made.time, made.value
    middle = 0.5 * (made.time[gaps] + made.time[gaps + 1])
    return np.insert(made.time, gaps + 1, middle), np.insert(made.value, gaps + 1, np.nan)


def lonely(value: Values) -> Places:
    """Where finite values are between others that are not.

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
