"""`fusetrack.msd`, `shapes` and `frf`: what the commands of these names say, of runs, tables and tracks in memory."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from app.analysis import frf_files, msd_files, shapes_files
from app.analysis.frf_figure import plot_frf
from app.analysis.frf_input import Signal
from app.analysis.motion import Motion, motion_of, words_of
from app.analysis.msd_figure import FIGURE as MSD_FIGURE
from app.analysis.msd_figure import draw_msd, plot_msd
from app.analysis.shapes_figure import FIGURE as SHAPES_FIGURE
from app.analysis.shapes_figure import draw_shapes, plot_shape
from app.commands.frf import Responses as Found
from app.commands.frf import lines_of, responses_of, unit_of, write_responses
from app.commands.msd import report as msd_report
from app.commands.shapes import Bent, bent_of
from app.commands.shapes import report as shapes_report
from app.exports.scale import Scale, parse_scale
from app.files.atomic import make_folder
from app.plots.look import LIGHT
from app.run_windows import FIELDS, measured_at, read_windows
from kernels.errors import ArgumentError, ArgumentTypeError, InputError
from pipelines.analysis.msd import Noise
from pipelines.trackers.base import confirmed

from .figures import axes_for
from .settings import plain
from .tracks import Tracks, needed
from .wording import for_python, in_python

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

Array = npt.NDArray[Any]
Out = str | os.PathLike[str] | Literal[False]


class Analysis:
    """What an analysis found. Printed it is what the command of its name prints.

    Attributes:
        table: the columns of the command's first table, by name with units; arrays of one length.
        notes: sentences to read with it.
    """

    def __init__(self, table: Mapping[str, Array], lines: Sequence[str], notes: Sequence[str], name: str) -> None:
        self.table, self.notes = dict(table), tuple(in_python(note) for note in notes)
        self._lines, self.name = tuple(lines), name

    def to_pandas(self) -> pandas.DataFrame:
        """`table` as a DataFrame.

        Raises:
            InputError: pandas is not installed.
        """
        return needed("pandas").DataFrame(self.table)

    def __repr__(self) -> str:
        notes = (f"note     {note}" for note in self.notes)
        return "\n".join((f"<{type(self).__name__} of {self.name or 'tracks'}>", *self._lines, *notes))


class Msd(Analysis):
    """Mean squared displacements.

    Attributes:
        table: lag, msd, its standard error and 95 % interval, raw, floor, tracks, pairs.
        d, d_error: diffusion coefficient by the covariance of steps, and its standard error, px^2/s (or with `scale`
            its unit^2/s; per frame where times count frames).
        exponent, exponent_error: of msd ~ lag^exponent.
        each: by track (d, standard error of d).
        found: everything, as `app.analysis.motion.Motion`.
    """

    def __init__(self, found: Motion, name: str) -> None:
        self.found = found
        self.d: float = found.all.d
        self.d_error: float = found.all.d_error
        self.exponent: float = found.exponent
        self.exponent_error: float = found.exponent_error
        self.each: dict[int, tuple[float, float]] = {track: (one.d, one.d_error) for track, one in found.each.items()}
        words = words_of(found)
        lines = [line for line in msd_report(found) if not line.startswith("note ")]
        super().__init__(columns_of(msd_files.ensemble_columns(found), msd_files.ensemble(found)), lines, words, name)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the curves against the lag; `ax` as in `Tracks.plot`."""
        return plot_msd(self.found, axes_for(ax), self.name)


class Shapes(Analysis):
    """Operating deflection shapes.

    Attributes:
        table: a row a peak, point and axis: amplitude and phase with sigma, relative (H, its parts), coherence.
        frequencies: of the peaks, Hz.
        ids: numbers of the tracks, (points,).
        places: means of where they are, (points, 2) px.
        amplitude, amplitude_error: (peaks, points, 2), along x and y, px (with `scale` its unit).
        phase, phase_error: (peaks, points, 2) degrees beside the reference.
        ratio: (peaks, points, 2) complex: motion by that of the reference; its real part is the shape.
        found: everything, as `app.commands.shapes.Bent`.
    """

    def __init__(self, found: Bent, scale: Scale | None, at: Array, name: str) -> None:
        self.found, shapes, factor = found, found.shapes, 1.0 if scale is None else scale.factor
        self._at, self._unit, self._factor = at, "px" if scale is None else scale.unit, factor
        points = len(found.found.tracks)

        def stacked(of: Callable[[Any], Array]) -> Array:
            return np.array([of(one) for one in shapes]).reshape(len(shapes), points, 2)

        self.frequencies: Array = np.array([one.frequency for one in shapes])
        self.ids, self.places = found.found.tracks, found.found.places
        self.amplitude = stacked(lambda one: one.amplitude) * factor
        self.amplitude_error = stacked(lambda one: one.amplitude_error) * factor
        self.phase, self.phase_error = stacked(lambda one: one.phase), stacked(lambda one: one.phase_error)
        self.ratio = stacked(lambda one: one.ratio)
        rows = shapes_files.rows_of(found.found, shapes, scale, at)
        super().__init__(columns_of(shapes_files.columns(scale), rows), shapes_report(found.found, shapes, scale),
                         found.notes, name)  # fmt: skip

    def plot(self, peak: int = 0, ax: Axes | None = None) -> Axes:
        """Draw how each point moves at the peak of that number, against where it lies; `ax` as in `Tracks.plot`."""
        return plot_shape(self.found.found, self.found.shapes[peak], self._at, axes_for(ax), self._unit, self._factor)


class Frf(Analysis):
    """Frequency responses, coherence, natural frequencies and damping.

    Attributes:
        table: a row a point, axis and frequency: magnitude, phase, real and imaginary part, coherence.
        modes: the resonances as columns: frequency_hz, damping_ratio, both with sigma, and more.
        frequencies: (bins,) Hz.
        ids: numbers of the tracks, (points,).
        response: (points, 2, bins) complex, along x and y.
        coherence: (points, 2, bins).
        found: everything, as `app.commands.frf.Responses`.
    """

    def __init__(self, found: Found, scale: Scale | None, at: Array, name: str) -> None:
        self.found = found
        series, frf, factor = found.series, found.frf, frf_files.factor_of(found.reference, scale)
        self._unit, self._factor = unit_of(found.reference, scale), factor
        self.frequencies: Array = frf.frequencies
        self.ids: Array = series.tracks
        self.response: Array = frf.response * factor
        self.coherence: Array = frf.coherence
        self.modes = columns_of(frf_files.POLE_COLUMNS, frf_files.pole_rows(series, found.poles))
        lines = [line for line in lines_of(found, scale) if not line.startswith("note ")]
        rows = frf_files.rows_of(series, frf, factor, at)
        super().__init__(columns_of(frf_files.columns(found.reference, scale), rows), lines, found.notes, name)

    def plot(self, ax: tuple[Axes, Axes, Axes] | None = None) -> tuple[Axes, Axes, Axes]:
        """Draw magnitude, phase and coherence of the points that answer most, on three axes; None for those of a figure
        of their own.
        """
        found = self.found
        return plot_frf(found.series, found.frf, found.poles, self._unit, self._factor, ax)


@for_python
def msd(
    tracks: Any, *, fps: float | None = None, exposure: float | None = None, least: int = 10, lags: int = 100,
    noise: Noise | None = None, drift: bool = False, scale: str | None = None, out: Out = False,
) -> Msd:  # fmt: skip
    """Mean squared displacements, diffusion coefficient and exponent, with errors (`fusetrack msd --help` says how).

    >>> found = fusetrack.msd(tracks, scale="0.11 um/px")           # doctest: +SKIP
    >>> found.d, found.d_error                                      # doctest: +SKIP

    Args:
        tracks: Tracks, a run's folder, a table (CSV, Parquet), a DataFrame, or an array of columns.
        fps: frames a second, in place of the times.
        exposure: seconds of one frame; None for what the clip says, or 0.
        least: tracks seen in fewer frames are left out.
        lags: longest lag in frames.
        noise: the floor that is taken away: "stated" (by sigma), "seen" (what the steps show) or "none"; None for
            stated where it is known.
        drift: take away the motion that all tracks have in common.
        scale: how long a pixel is, such as "0.11 um/px".
        out: a folder for the command's tables and figure; False writes nothing.

    Raises:
        InputError: the tracks do not tell, or nothing can be written.
    """
    if least < 3 or lags < 1:
        raise ArgumentError(f"least must be 3 or more and lags 1 or more, not {least} and {lags}")
    taken, rows = believed(tracks)
    # Times that count frames are none: without a rate the analysis says so.
    if not taken.timed and fps is None:
        rows["time"] = math.nan
    shutter = taken.exposure if exposure is None else exposure
    found = motion_of(rows, fps=rate_of(fps), exposure=shutter, least=least, lags=lags, noise=noise, drift=drift,
                      scale=scale_of(scale))  # fmt: skip
    made = Msd(found, taken.name)
    if out is not False:
        folder = make_folder(Path(out))
        msd_files.write_msd(folder, found)
        draw_msd(folder / LIGHT.name(MSD_FIGURE), found, f"{taken.name or 'tracks'}: mean squared displacement")
    return made


@for_python
def shapes(
    tracks: Any, *, at: float | Sequence[float] | None = None, reference: int | None = None,
    resolution: float | None = None, peaks: int = 8, fps: float | None = None, scale: str | None = None,
    out: Out = False,
) -> Shapes:  # fmt: skip
    """Operating deflection shapes: how points move at each peak of their spectra, amplitude and phase with errors
    (`fusetrack shapes --help` says how).

    Args:
        tracks: Tracks, a run's folder, a table (CSV, Parquet), a DataFrame, or an array of columns.
        at: frequencies in Hz, in place of the peaks.
        reference: the track that phases are beside; None for what moves most at the strongest peak.
        resolution: width of a peak, Hz; None for that of a tone.
        peaks: peaks at most.
        fps: frames a second, in place of the times.
        scale: how long a pixel is, such as "0.12 mm/px"; amplitudes are then lengths.
        out: a folder for the command's table and figure; False writes nothing.

    Raises:
        InputError: no frequencies can be resolved, or what was asked for is not in the record.
    """
    if peaks < 1:
        raise ArgumentError(f"peaks must be 1 or more, not {peaks}")
    taken, rows = believed(tracks)
    found = bent_of(rows, name=taken.name or "the table", fps=rate_of(fps), timed=taken.timed, at=_frequencies(at),
                    reference=reference, resolution=resolution, peaks=peaks)  # fmt: skip
    length = scale_of(scale)
    where = measured_at(found.found.tracks, found.found.places, _windows(taken))
    made = Shapes(found, length, where, taken.name)
    if out is not False:
        folder = make_folder(Path(out))
        shapes_files.write_shapes(folder / shapes_files.TABLE, found.found, found.shapes, length, where)
        title = f"{taken.name or 'tracks'}: operating deflection shapes"
        unit, factor = ("px", 1.0) if length is None else (length.unit, length.factor)
        draw_shapes(folder / LIGHT.name(SHAPES_FIGURE), found.found, found.shapes, title, where, unit, factor)
    return made


@for_python
def frf(
    tracks: Any, input: Any = None, *, reference: str | int | None = None, column: str | None = None,  # noqa: A002
    delay: float = 0.0, resolution: float | None = None, estimator: Literal["h1", "h2"] = "h1", peaks: int = 8,
    fps: float | None = None, exposure: float | None = None, scale: str | None = None, uff: bool = False,
    out: Out = False,
) -> Frf:  # fmt: skip
    """Frequency responses and coherence of points beside a force, an acceleration or another point; natural
    frequencies and damping ratios, with errors (`fusetrack frf --help` says how).

    Args:
        tracks: Tracks, a run's folder, a table (CSV, Parquet), a DataFrame, or an array of columns.
        input: what drives the structure, by time on the clip's clock: a table's path or a DataFrame with a column of
            times (time_s) and the signal, a dictionary of such columns, or (times, values), s and any unit.
        reference: in place of `input` a point of the run: its track, or track and axis such as "3:y".
        column: of the table; None for the only one beside the times.
        delay: added to the table's times, s.
        resolution: width of a bin, Hz; None for 8 to 16 segments a record.
        estimator: "h1": noise is in the points; "h2": noise is in the reference.
        peaks: peaks at most.
        fps: frames a second, in place of the times.
        exposure: seconds of one frame; None for what the clip says, or 0.
        scale: how long a pixel is, such as "0.12 mm/px".
        uff: with `out`, also a universal file for modal analysis.
        out: a folder for the command's tables and figure; False writes nothing.

    Raises:
        InputError: no frequencies can be resolved, or what was asked for is not in the record.
    """
    if (input is None) == (reference is None):
        raise ArgumentTypeError("frf takes either input (what drives the structure) or reference (a point of the run)")
    if reference is not None and (column is not None or delay):
        raise ArgumentError("column and delay are of a table (input); a point of the run has neither")
    if peaks < 1 or not math.isfinite(delay):
        raise ArgumentError(f"peaks must be 1 or more and delay a time in seconds, not {peaks} and {delay:g}")
    taken, rows = believed(tracks)
    beside: str | Signal = str(reference) if reference is not None else _signal(input, column, delay)
    shutter = taken.exposure if exposure is None else exposure
    found = responses_of(rows, beside, name=taken.name or "the table", fps=rate_of(fps), timed=taken.timed,
                         exposure=shutter, resolution=resolution, estimator=estimator, peaks=peaks)  # fmt: skip
    length = scale_of(scale)
    where = measured_at(found.series.tracks, found.series.places.mean(axis=2), _windows(taken))
    made = Frf(found, length, where, taken.name)
    if out is not False:
        title = f"{taken.name or 'tracks'}: responses to {found.reference.name}"
        write_responses(make_folder(Path(out)), found, length, title, where, uff)
    return made


def believed(tracks: Any) -> tuple[Tracks, Array]:
    """Tracks from whatever a caller has, and a copy of the rows of those that were believed.

    Raises:
        InputError: there are none.
    """
    taken = tracks if isinstance(tracks, Tracks) else Tracks(tracks)
    rows = confirmed(taken.rows).copy()
    if not len(rows):
        raise InputError(f"{taken.name or 'the table'} has no tracks")
    return taken, rows


def rate_of(fps: float | None) -> float | None:
    """Frames a second, checked."""
    if fps is not None and not 1e-9 <= fps < 1e9:
        raise ArgumentError(f"fps must be a positive number of frames a second, 1e-9 to 1e9, not {fps:g}")
    return fps


def scale_of(scale: str | None) -> Scale | None:
    """What "0.12 mm/px" says."""
    return None if scale is None else parse_scale(scale)


def _frequencies(at: Any) -> str | None:
    """Frequencies as the option has them."""
    if at is None or isinstance(at, str):
        return at
    many = plain(at) if isinstance(at, Iterable) else [at]
    try:
        return ",".join(repr(float(one)) for one in many)
    except (TypeError, ValueError):
        raise ArgumentTypeError(f"at is a frequency in Hz or a list of them, not {at!r}") from None


def _signal(given: Any, column: str | None, delay: float) -> Signal:
    if isinstance(given, str | os.PathLike):
        return Signal(Path(os.path.expanduser(given)), column, delay)
    if hasattr(given, "columns") and hasattr(given, "to_dict"):  # a DataFrame
        given = {str(name): given[name].to_numpy() for name in given.columns}
    if isinstance(given, tuple | list) and len(given) == 2:
        given = {"time_s": given[0], "signal": given[1]}
    if not isinstance(given, Mapping):
        raise ArgumentTypeError("input is a table's path, a DataFrame, a dictionary of columns or (times, values), not "
                                f"{type(given).__name__}")  # fmt: skip
    try:
        held = {str(name): np.asarray(values, np.float64) for name, values in given.items()}
    except (TypeError, ValueError):
        raise ArgumentTypeError("input holds values that are no numbers") from None
    if len({values.shape for values in held.values()}) != 1 or next(iter(held.values())).ndim != 1:
        raise ArgumentError("the columns of input are of several lengths")
    return Signal(Path("input"), column, delay, held)


def _windows(tracks: Tracks) -> dict[int, Array]:
    """By track where x is measured and where y is, from the point, (2, 2) px."""
    rows = tracks.tables.get("windows")
    if rows is not None:
        return {int(row["track"]): np.array([row[name] for name in FIELDS], float).reshape(2, 2) for row in rows}
    return {} if tracks.folder is None else read_windows(tracks.folder)


def columns_of(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> dict[str, Array]:
    """Rows as arrays by the names of their columns."""
    columns = [*zip(*rows, strict=True)] or [()] * len(names)
    return {name: np.array(values) for name, values in zip(names, columns, strict=True)}
