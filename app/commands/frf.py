"""`fusetrack frf TRACKS`: frequency responses, coherence, natural frequencies and damping of a run's points."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.analysis.frf_figure import FIGURE, draw_frf
from app.analysis.frf_files import as_json, factor_of, write_frf
from app.analysis.frf_input import Reference, Signal, point_of, signal_of
from app.analysis.frf_uff import UFF, check_uff, write_uff
from app.commands.analysis import opened, say
from app.commands.arguments import add_figure, check_fps
from app.exports.scale import Scale
from app.files.summary import json_text
from app.plots.look import LIGHT, Look
from app.run_windows import measured_at, read_windows
from kernels.errors import InputError
from pipelines.analysis.frf import Estimator, Frf, frf_of
from pipelines.analysis.paths import Paths, paths_of
from pipelines.analysis.poles import Pole, poles_of, tops_of
from pipelines.analysis.series import Series, series_of
from pipelines.features import Tracks

EXAMPLES = """examples:
  fusetrack frf fusetrack-out/beam-vibration --input hammer.csv --column force_N
  fusetrack frf fusetrack-out/beam-vibration --input shaker.csv --scale "0.12 mm/px" --resolution 0.5 --uff -o results
  fusetrack frf fusetrack-out/plate-template --reference 0:y
  fusetrack frf fusetrack-out/plate-template --reference 0:y --json > frf.json

TRACKS is a run's folder, or a table of tracks: points that were followed through (nearly) all of a clip. What they do
beside a reference, at all frequencies: H1 = S_xy / S_xx or H2 = S_yy / S_yx by Welch's averages of Hann segments that
overlap by half, its phase, and the coherence.

--input is a table (CSV, Parquet) with a column of times in seconds on the clip's clock (time_s, time, t) and a force,
an acceleration or whatever drives the structure, at a rate of its own; it goes through a low pass onto the frames'
times, and nothing is shown above 0.42 of the lower rate. --delay is added to its times. The exposure, where the run's
summary knows it, is taken out of H (sinc(f E)); its middle counts as the frame's time.
--reference is a point of the run (and x or y): H is then a transmissibility. Its peaks are resonances only where that
point is what drives the others, as a base or a shaker's table does.

sigma of |H| is |H| sqrt((1 - coherence) / (2 n coherence)) (here n - 1), of the phase as many radians as it is parts of
|H|, and the coherence's interval that of atanh of its root (Bendat, Piersol: Random Data, sections 9.1, 9.2), n being
the independent averages that the segments are worth. Where a peak is narrower than some bins, H in its middle is too
low, which no sigma says.

modes.csv does not suffer from that: around each peak a pole and the swing that was there before and is there after are
fitted to the whole record of all points, without a window (Pintelon, Schoukens: System Identification). The damping
ratio is that to critical damping, the frequency the undamped one.

What nothing drives (a pendulum, a string, whatever rings after a blow) needs no reference: frequency and damping of a
point that swings freely come from `fusetrack motion TRACKS --fit damped-sine`.

results, in --out (the folder of the table without it; files of these names are replaced):
  frf.csv     a row a point, axis and frequency: magnitude, phase with sigma, real and imaginary part, coherence with
              its 95 % interval; where the point is, and (of a run with windows.csv) where its window measures, which
              is where its texture is, some px beside it
  modes.csv   a row a resonance: natural frequency and damping ratio with sigma
  frf.png     magnitude, phase, coherence of the points that answer most (--figure pdf: frf.pdf, svg: frf.svg)
  frf.uff     with --uff: responses and coherence as data sets 58, points as nodes (15), from 1; +y points down;
              without it, one of an earlier run there is removed
exit codes: 0 done; 2 the input is wrong
"""
Array = npt.NDArray[Any]
SHORTEST, PARTS = 32, 8
"""Frames of a segment at least; without --resolution the record has so many segments, or up to twice as many."""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = ("Frequency response functions and coherence of points beside a force, an acceleration or "
                           "another point, with errors; natural frequencies and damping ratios.")  # fmt: skip
    command.epilog = EXAMPLES
    command.add_argument("tracks", metavar="TRACKS", help="a run's folder, a table of tracks (.csv, .parquet), or a "
                         "session that was tracked while it was recorded")
    beside = command.add_mutually_exclusive_group()
    beside.add_argument("--input", type=Path, metavar="FILE", help="a table with what drives the structure, by time")
    beside.add_argument("--reference", metavar="TRACK[:AXIS]", help="a point of the run, such as 3 or 3:y")
    command.add_argument("--column", metavar="NAME", help="of the table (the only one beside the times)")
    command.add_argument("--delay", type=float, default=0.0, metavar="S", help="added to the table's times (0)")
    command.add_argument("--out", "-o", type=Path, metavar="DIR", help="where the results go")
    command.add_argument("--resolution", type=float, metavar="HZ", help="width of a bin (8 to 16 segments a record)")
    command.add_argument("--estimator", choices=("h1", "h2"), default="h1", help="h1: noise is in the points (default);"
                         " h2: noise is in the reference")  # fmt: skip
    command.add_argument("--peaks", type=int, default=8, metavar="N", help="peaks at most (8)")
    command.add_argument("--scale", metavar='"0.12 mm/px"', help="lengths in place of pixels; also 8.3 px/mm")
    command.add_argument("--fps", type=float, metavar="RATE", help="frames a second, in place of the table's times")
    command.add_argument("--uff", action="store_true", help="also as a universal file for modal analysis (frf.uff; "
                         'pip install "fusetrack[uff]")')  # fmt: skip
    command.add_argument("--json", action="store_true", help="print everything for machines, and write no files")
    add_figure(command)
    command.set_defaults(function=_frf)


def _frf(options: argparse.Namespace) -> int:
    if options.input is None and options.reference is None:
        raise InputError("say what drives the points, with --input or --reference; where nothing does, as after a "
                         f"blow, `fusetrack motion {options.tracks} --fit damped-sine` gives frequency and "
                         "damping")  # fmt: skip
    if options.peaks < 1:
        raise InputError(f"--peaks must be 1 or more, not {options.peaks}")
    if options.uff:
        check_uff()
    if not math.isfinite(options.delay):
        raise InputError(f"--delay must be a time in seconds, not {options.delay:g}")
    if options.reference is not None and (options.column is not None or options.delay):
        raise InputError("--column and --delay are of a table (--input); a point of the run has neither")
    about = opened(options)
    given, rows, scale, look = about.given, about.rows, about.scale, about.look
    times = given.times
    signal = Signal(options.input, options.column, options.delay)
    made = responses_of(
        rows, signal if options.reference is None else options.reference, name=str(given.source),
        fps=check_fps(options.fps), timed=times.timed, exposure=times.exposure, resolution=options.resolution,
        estimator=options.estimator, peaks=options.peaks,
    )  # fmt: skip
    where = measured_at(made.series.tracks, made.series.places.mean(axis=2), read_windows(given.home))
    if options.json:
        print(json_text(as_json(made.series, made.frf, made.poles, made.reference, scale, made.notes, where)))
        return 0
    folder = about.folder(options.out)
    title = f"{given.title}: responses to {made.reference.name}"
    names = write_responses(folder, made, scale, title, where, options.uff, look)
    say(folder, lines_of(made, scale), names)
    return 0


@dataclass(frozen=True, slots=True)
class Responses:
    """What points do beside a reference, the resonances in it, and sentences to read with them."""

    series: Series
    frf: Frf
    poles: list[Pole]
    reference: Reference
    notes: list[str]


def responses_of(
    rows: Tracks, beside: str | Signal, *, name: str, fps: float | None = None, timed: bool = True,
    exposure: float | None = None, resolution: float | None = None, estimator: Estimator = "h1", peaks: int = 8,
) -> Responses:  # fmt: skip
    """Analyse tracks.

    Args:
        rows: TRACK_DTYPE, of believed tracks.
        beside: a point, as the option `--reference`, or a signal.
        name: what an error calls the tracks.
        fps: in place of the times. timed: whether these are seconds.
        exposure: s; None if unknown. It is taken out of responses to a signal.
        resolution: width of a bin, Hz; None for 8 to 16 segments.
        estimator, peaks: as the options of the command.

    Raises:
        InputError: no frequencies can be resolved, or what was asked for is not in the record.
    """
    paths = paths_of(rows, fps=fps)
    if not paths.timed or (fps is None and not timed):
        raise InputError("frequencies need times in seconds, and the capture rate is not known; give it with --fps")
    try:
        series = series_of(paths.paths)
        reference = _reference(beside, series, paths)
        # Only the samples for which the reference has values, in its order.
        places = series.places[:, :, reference.slots]
        segment = _segment(resolution, len(reference.values), paths.interval)
        frf = frf_of(places, reference.values, paths.interval, segment, estimator, reference.limit, reference.own)
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None
    found = poles_of(frf, tops_of(frf, peaks), places, reference.values)
    poles = [pole for pole in found if pole.damped]
    # An exposure averages over its length: sinc(f E) of the motion is left. A point of the same run is blurred alike,
    # and nothing is taken out.
    seen = np.sinc(frf.frequencies * (min(exposure or 0.0, paths.interval) if reference.unit else 0.0))
    frf = replace(frf, response=frf.response / seen, error=frf.error / seen)
    notes = [f"{pole.frequency:.6g} Hz is left out: a damping ratio of {pole.damping:.1g} +- {pole.damping_error:.1g} "
             f"is that of a tone that {reference.name} does not drive, or of a record too short for it"
             for pole in found if not pole.damped]  # fmt: skip
    return Responses(series, frf, poles, reference, [*notes, *_notes(series, frf, poles, reference, paths)])


def write_responses(
    folder: Path, made: Responses, scale: Scale | None, title: str, where: Array, uff: bool = False,
    look: Look = LIGHT,
) -> list[str]:  # fmt: skip
    """Write tables and figure, with `uff` the universal file too, without it that of an earlier run removed; their
    names.

    Args:
        folder, made, title: of what, for whom.
        scale: lengths in place of pixels.
        where: each axis of each point is measured, as from `app.run_windows.measured_at`.
        uff: whether the universal file is wanted.
        look: of the figure.

    Raises:
        InputError: one cannot be written.
    """
    reference, factor = made.reference, factor_of(made.reference, scale)
    names = write_frf(folder, made.series, made.frf, made.poles, reference, scale, where)
    if uff:
        unit = scale.unit if scale is not None and reference.unit else "px"
        write_uff(folder / UFF, made.series, made.frf, reference, unit, factor, where)
        names.append(UFF)
    else:
        # A file of earlier settings beside new tables would be taken for theirs.
        (folder / UFF).unlink(missing_ok=True)
    figure = look.name(FIGURE)
    draw_frf(folder / figure, made.series, made.frf, made.poles, title, unit_of(reference, scale), factor, look)
    return [*names, figure]


def lines_of(made: Responses, scale: Scale | None) -> list[str]:
    """What is printed: `report`, and the notes."""
    return [*report(made.series, made.frf, made.poles, made.reference, scale),
            *(f"note     {words}" for words in made.notes)]  # fmt: skip


def report(
    series: Series, frf: Frf, poles: Sequence[Pole], reference: Reference, scale: Scale | None
) -> list[str]:  # fmt: skip
    """What is printed: the record, and a line a resonance."""
    few = f"; {series.left_out} seen in too few frames left out" if series.left_out else ""
    step = float(frf.frequencies[1] - frf.frequencies[0])
    lines = [f"points   {len(series.tracks)}, beside {reference.words}{few}",
             f"spectra  segments of {frf.segment} frames, worth {frf.averages:.3g} averages, bins of {step:.4g} Hz up "
             f"to {frf.frequencies[-1]:.6g} Hz"]  # fmt: skip
    unit = unit_of(reference, scale)
    for number, pole in enumerate(poles):
        point, axis = pole.point
        near = int(np.argmin(np.abs(frf.frequencies - pole.frequency)))
        size = abs(complex(frf.response[point, axis, near])) * factor_of(reference, scale)
        lines.append(f"mode {number:<3d} {pole.frequency:.6g} +- {pole.frequency_error:.2g} Hz, damping ratio "
                     f"{pole.damping:.4g} +- {pole.damping_error:.2g}; track {series.tracks[point]} answers most, in "
                     f"{'xy'[axis]}: {size:.4g}{f' {unit}' if unit else ''}, coherence "
                     f"{frf.coherence[point, axis, near]:.3f}")  # fmt: skip
    return lines if poles else [*lines, "modes    no peak is a resonance"]


def unit_of(reference: Reference, scale: Scale | None) -> str:
    """Of responses, such as mm/N; "" of those beside a point of the run, which have none."""
    return f"{scale.unit if scale is not None else 'px'}/{reference.measure}" if reference.unit else ""


def _notes(series: Series, frf: Frf, poles: Sequence[Pole], reference: Reference, paths: Paths) -> list[str]:
    notes = []
    if series.bridged:
        notes.append(f"{series.bridged} places that were not seen are bridged by straight lines")
    if paths.jitter > 0.1:
        notes.append(f"time stamps lie up to {paths.jitter:.2g} frames from an even clock, which blurs high "
                     "frequencies")  # fmt: skip
    step = float(frf.frequencies[1] - frf.frequencies[0])
    narrow = [number for number, pole in enumerate(poles) if 2.0 * pole.damping * pole.frequency < 4.0 * step]
    if narrow:
        which = f"mode{'s' if len(narrow) > 1 else ''} {', '.join(map(str, narrow))}"
        notes.append(f"bins of {step:.4g} Hz are coarse beside the width of {which}, "
                     "which makes |H| and coherence there too low; frequencies and damping ratios are free of it")
    several = [number for number, pole in enumerate(poles) if not pole.alone]
    if several:
        which = f"mode{'s' if len(several) > 1 else ''} {', '.join(map(str, several))}"
        notes.append(f"one resonance is not all that follows {reference.name} around {which}: others lie there, or it "
                     "is broad; frequency and damping ratio are off by more than sigma says")  # fmt: skip
    if reference.own is not None and poles:
        notes.append(f"these are resonances of the structure if {reference.name} is what drives it; if it is a point "
                     "of the structure itself, they are those of what is left when it is held")  # fmt: skip
    return notes


def _reference(beside: str | Signal, series: Series, paths: Paths) -> Reference:
    if isinstance(beside, str):
        return point_of(beside, series)
    start = paths.start + series.first * paths.interval
    return signal_of(beside, start, paths.interval, series.places.shape[2])


def _segment(resolution: float | None, count: int, interval: float) -> int:
    """Frames of a segment, even."""
    if resolution is None:
        return max(SHORTEST, 2 ** int(math.log2(max(count, 1) / PARTS)) if count > PARTS else 0)
    if not 0 < resolution < math.inf:
        raise InputError(f"--resolution must be a frequency in Hz, not {resolution:g}")
    segment = 2 * round(0.5 / (resolution * interval))
    if segment < SHORTEST:
        raise InputError(f"--resolution {resolution:g} Hz makes segments of {segment} frames; {SHORTEST} are fewest "
                         f"({1.0 / (SHORTEST * interval):.4g} Hz)")  # fmt: skip
    return segment
