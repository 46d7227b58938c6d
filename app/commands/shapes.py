"""`fusetrack shapes TRACKS`: operating deflection shapes of the points that a run followed."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.analysis.shapes_figure import FIGURE, draw_shapes
from app.analysis.shapes_files import TABLE, as_json, write_shapes
from app.commands.analysis import add_tracks, opened, say
from app.commands.arguments import add_figure, check_fps
from app.exports.scale import Scale
from app.files.summary import json_text
from app.run_windows import measured_at, read_windows
from kernels.errors import InputError
from pipelines.analysis.deflection import LOBE, Shape, Spectrum, peaks_of, shape_of, spectrum_of, strongest
from pipelines.analysis.paths import paths_of
from pipelines.features import Tracks

EXAMPLES = """examples:
  fusetrack run sim:beam -p vibration -o beam && fusetrack shapes beam
  fusetrack shapes fusetrack-out/beam-vibration --scale "0.12 mm/px" --reference 4
  fusetrack shapes fusetrack-out/plate-template --at 40,113.5 --resolution 6 -o results
  fusetrack shapes fusetrack-out/beam-vibration --json > shapes.json

TRACKS is a run's folder, or a table of tracks: points that were followed through (nearly) all of a clip. At each peak
of the sum of their spectra every point gets its amplitude and its phase beside the reference point, H = sum conj(R) Y /
sum |R|^2 over the bins of the peak (H1 of Bendat and Piersol), whose real part is the shape.

Peaks stand 30 times (in power) above the median around them; --at names frequencies instead. Tones fill a few bins of
1 / (length of the record); for broad resonances or random forces say how wide they are (--resolution).

A window measures where its texture is, up to some px beside its point, along x and y not at the same place: of a run
with windows.csv that place is written beside each amplitude (measured_at_x_px, measured_at_y_px) and under it in the
picture. Amplitudes are those of that place.

sigma is the measured noise of the rows (sigma_x_px, sigma_y_px). It does not hold that a window is a mean over the
surface that bends under it (by half its curvature times some window^2 / 12), nor that an exposure of E s lowers the
amplitude of a frequency f by sinc(f E), the same for all points, so that shapes and phases are free of it.

Frequency and damping of one point that swings freely: `fusetrack motion TRACKS --fit damped-sine`.

results, in --out (the folder of the table without it; files of these names are replaced):
  shapes.csv   a row a peak, point and axis: amplitude and phase with sigma, relative (H, its parts), coherence
  shapes.png   the shapes, a panel a peak (--figure pdf or svg: shapes.pdf, shapes.svg)
exit codes: 0 done; 2 the input is wrong
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Operating deflection shapes: amplitude and phase of all points at each peak, with errors."
    command.epilog = EXAMPLES
    add_tracks(command)
    command.add_argument("--at", metavar="HZ,HZ", help="these frequencies, in place of the peaks")
    command.add_argument("--reference", type=int, metavar="TRACK", help="the point that phases are beside (what moves "
                         "most at the strongest peak)")  # fmt: skip
    command.add_argument("--resolution", type=float, metavar="HZ", help="width of a peak (that of a tone)")
    command.add_argument("--peaks", type=int, default=8, metavar="N", help="peaks at most (8)")
    command.add_argument("--scale", metavar='"0.12 mm/px"', help="amplitudes as lengths; also 8.3 px/mm")
    command.add_argument("--fps", type=float, metavar="RATE", help="frames a second, in place of the table's times")
    command.add_argument("--json", action="store_true", help="print everything for machines, and write no files")
    add_figure(command)
    command.set_defaults(function=_shapes)


def _shapes(options: argparse.Namespace) -> int:
    if options.peaks < 1:
        raise InputError(f"--peaks must be 1 or more, not {options.peaks}")
    about = opened(options)
    given, rows, scale, look = about.given, about.rows, about.scale, about.look
    bent = bent_of(
        rows, name=str(given.source), fps=check_fps(options.fps), timed=given.times.timed, at=options.at,
        reference=options.reference, resolution=options.resolution, peaks=options.peaks,
    )  # fmt: skip
    found, shapes, notes = bent.found, bent.shapes, bent.notes
    where = measured_at(found.tracks, found.places, read_windows(given.home))
    if options.json:
        print(json_text(as_json(found, shapes, scale, notes, where)))
        return 0
    folder = about.folder(options.out)
    write_shapes(folder / TABLE, found, shapes, scale, where)
    title = f"{given.title}: operating deflection shapes"
    unit, factor = ("px", 1.0) if scale is None else (scale.unit, scale.factor)
    draw_shapes(folder / look.name(FIGURE), found, shapes, title, where, unit, factor, look)
    lines = (*report(found, shapes, scale), *(f"note     {words}" for words in notes))
    say(folder, lines, (TABLE, look.name(FIGURE)))
    return 0


@dataclass(frozen=True, slots=True)
class Bent:
    """The spectra of all points, their shapes at the peaks, and sentences to read with them."""

    found: Spectrum
    shapes: list[Shape]
    notes: list[str]


def bent_of(
    rows: Tracks, *, name: str, fps: float | None = None, timed: bool = True, at: str | None = None,
    reference: int | None = None, resolution: float | None = None, peaks: int = 8,
) -> Bent:  # fmt: skip
    """Analyse tracks.

    Args:
        rows: TRACK_DTYPE, of believed tracks.
        name: what an error calls them.
        fps: in place of the times. timed: whether these are seconds.
        at, reference, resolution, peaks: as the options of the command.

    Raises:
        InputError: no frequencies can be resolved, or what was asked for is not in the record.
    """
    paths = paths_of(rows, fps=fps)
    if not paths.timed or (fps is None and not timed):
        raise InputError("frequencies need times in seconds, and the capture rate is not known; give it with --fps")
    try:
        found = spectrum_of(paths.paths, paths.interval)
        half = _half(resolution, found)
        given = _frequencies(at, found)
        where = peaks_of(found, half, peaks) if given is None else given
        beside = _reference(reference, found, where, half)
        shapes = [shape_of(found, frequency, beside, half) for frequency in where]
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None
    return Bent(found, shapes, _notes(found, shapes, paths.jitter))


def report(found: Spectrum, shapes: Sequence[Shape], scale: Scale | None) -> list[str]:
    """What is printed: the record, and a line a peak."""
    unit, factor = ("px", 1.0) if scale is None else (scale.unit, scale.factor)
    few = f"; {found.left_out} seen in too few frames left out" if found.left_out else ""
    lines = [f"points   {len(found.tracks)}, bins of {found.step:.4g} Hz{few}"]
    for number, shape in enumerate(shapes):
        point, axis = shape.reference
        amplitude, error = (float(one[point, axis]) * factor for one in (shape.amplitude, shape.amplitude_error))
        sure = f" +- {error:.2g}" if math.isfinite(error) else ""
        turned = int((shape.ratio.real[:, axis] < -2 * np.nan_to_num(shape.ratio_error[:, axis])).sum())
        lines.append(f"peak {number:<3d} {shape.frequency:.6g} Hz: track {found.tracks[point]} moves by "
                     f"{amplitude:.4g}{sure} {unit} in {'xy'[axis]}, {turned} of the others against it")  # fmt: skip
    return lines if shapes else [*lines, "peaks    none stands out of the noise; --at HZ takes a frequency as it is"]


def _notes(found: Spectrum, shapes: Sequence[Shape], jitter: float) -> list[str]:
    notes = []
    if found.bridged:
        notes.append(f"{found.bridged} places that were not seen are bridged by straight lines")
    if jitter > 0.1:
        notes.append(f"time stamps lie up to {jitter:.2g} frames from an even clock, which blurs high frequencies")
    if shapes and not np.isfinite(found.noise).all():
        notes.append("not every point states its sigma, so that errors are not known for all")
    return notes


def _half(resolution: float | None, found: Spectrum) -> int:
    if resolution is None:
        return LOBE
    if not 0 < resolution < found.step * found.bins.shape[2] / 4:
        raise InputError(f"--resolution must lie between 0 and an eighth of the capture rate, not at {resolution:g} Hz")
    return max(LOBE, round(0.5 * resolution / found.step))


def _frequencies(text: str | None, found: Spectrum) -> list[float] | None:
    if text is None:
        return None
    top = found.step * (found.bins.shape[2] - 1)
    try:
        values = [float(word) for word in text.split(",")]
    except ValueError:
        raise InputError(f"--at takes frequencies in Hz, such as 22,137.9, not {text!r}") from None
    for value in values:
        if not found.step < value < top:
            raise InputError(f"--at {value:g} Hz: this record tells of {found.step:.4g} to {top:.6g} Hz")
    return values


def _reference(track: int | None, found: Spectrum, at: Sequence[float], half: int) -> int:
    if track is not None:
        place = np.flatnonzero(found.tracks == track)
        if not len(place):
            raise InputError(f"--reference {track}: there is no such track among the {len(found.tracks)} points that "
                             "were seen throughout")  # fmt: skip
        return int(place[0])
    points = [strongest(found, frequency, half) for frequency in at]
    amplitudes = [float(shape_of(found, f, p, half).amplitude.max()) for f, p in zip(at, points, strict=True)]
    return points[int(np.argmax(amplitudes))] if points else 0
