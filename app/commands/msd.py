"""`fusetrack msd TRACKS`: mean squared displacements and the diffusion coefficient of a run's tracks."""

from __future__ import annotations

import argparse
import math

from app.analysis.motion import Motion, motion_of, words_of
from app.analysis.msd_figure import FIGURE, draw_msd
from app.analysis.msd_files import as_json, write_msd
from app.commands.analysis import add_tracks, opened, say
from app.commands.arguments import add_figure, check_fps
from app.files.summary import json_text
from kernels.errors import InputError

EXAMPLES = """examples:
  fusetrack run "sim:brownian?diffusion=20" -o beads && fusetrack msd beads
  fusetrack msd fusetrack-out/beads-blobs --scale "0.11 um/px" --drift
  fusetrack msd tracks.csv --fps 500 --exposure 0.001 --min-frames 30 --lags 300 -o results
  fusetrack msd fusetrack-out/beads-blobs --json > msd.json

TRACKS is a run's folder, or a table of tracks (other programs' columns frame, particle, x, y are known, too: then give
--fps). Rows with state tracked count; lags go by time stamps, so that a lost frame is a gap and not a shorter lag.

The floor: positions that are wrong by sigma raise every squared displacement by the variances of both places (4 sigma^2
in two dimensions; Savin, Doyle 2005; Michalet 2010). What the rows of each pair state is taken away; where nothing is
stated, or with --noise seen, what the steps themselves show.

D: by the covariance of neighbouring steps, which needs neither sigma nor exposure (Vestergaard, Blainey, Flyvbjerg
2014), and, more precise where sigma is right, from the first lag less the floor and the blur of the exposure. 95 %
intervals follow from how tracks differ, each one independent observation. The exponent is that of the first ten lags:
1 free diffusion, 2 straight ways, below 1 confined.

--drift takes away the mean step of all tracks from each frame to the next, and gives back what each lost by it.

Speeds, accelerations and paths of single tracks, fits through what falls, turns, swings or decays: `fusetrack motion`
(`--fit damped-sine` for frequency and damping of what swings freely).

results, in --out (the folder of the table without it; files of these names are replaced):
  msd.csv          all tracks: lag_s, msd, its standard error and 95 % interval, raw, floor, tracks, pairs
  msd-tracks.csv   the same of each track, with the standard error that free diffusion has in theory: too large for
                   straight ways and for long lags of confined ones, too small for ways that turn slowly
  diffusion.csv    D of each track with its standard error, and the noise that its steps show beside the stated one
  msd.png          all of it against the lag (--figure pdf or svg: msd.pdf, msd.svg)
exit codes: 0 done; 2 the input is wrong
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Mean squared displacements, diffusion coefficient and exponent of tracks, with errors."
    command.epilog = EXAMPLES
    add_tracks(command)
    command.add_argument("--scale", metavar='"0.12 um/px"', help="lengths in place of pixels; also 8.3 px/um")
    command.add_argument("--fps", type=float, metavar="RATE", help="frames a second, in place of the table's times")
    command.add_argument("--exposure", type=float, metavar="S",
                         help="exposure time in seconds (by the run's summary, or 0)")  # fmt: skip
    command.add_argument("--min-frames", type=int, default=10, metavar="N",
                         help="leave out tracks seen in fewer frames (10)")  # fmt: skip
    command.add_argument("--lags", type=int, default=100, metavar="N", help="longest lag in frames (100)")
    command.add_argument("--noise", choices=("stated", "seen", "none"), help="the floor that is taken away (stated)")
    command.add_argument("--drift", action="store_true", help="take away the motion that all tracks have in common")
    command.add_argument("--json", action="store_true", help="print everything for machines, and write no files")
    add_figure(command)
    command.set_defaults(function=_msd)


def _msd(options: argparse.Namespace) -> int:
    for name, least in (("min_frames", 3), ("lags", 1)):
        if getattr(options, name) < least:
            raise InputError(f"--{name.replace('_', '-')} must be {least} or more, not {getattr(options, name)}")
    if options.exposure is not None and not 0 <= options.exposure < math.inf:
        raise InputError(f"--exposure must be a time in seconds, not {options.exposure:g}")
    about = opened(options)
    given, rows, scale, look = about.given, about.rows, about.scale, about.look
    times = given.times
    exposure = times.exposure if options.exposure is None else options.exposure
    if not times.timed:  # times count frames
        rows["time"] = math.nan
    found = motion_of(
        rows, fps=check_fps(options.fps), exposure=exposure, least=options.min_frames, lags=options.lags,
        noise=options.noise, drift=options.drift, scale=scale,
    )  # fmt: skip
    if options.json:
        print(json_text(as_json(found)))
        return 0
    folder = about.folder(options.out)
    names = write_msd(folder, found)
    figure = look.name(FIGURE)
    draw_msd(folder / figure, found, f"{given.title}: mean squared displacement", look)
    say(folder, report(found), (*names, figure))
    return 0


def report(found: Motion) -> list[str]:
    """What is printed."""
    whole, units, wide = found.all, found.units, found.spread
    rate = f"{units.length}^2/{units.time}"
    few = f"; {found.left_out} seen in too few frames left out" if found.left_out else ""
    lines = [f"tracks   {len(found.each)} with {whole.steps} steps of {found.interval:.6g} {units.time}{few}",
             f"D        {_with_error(whole.d, whole.d_error, wide)} {rate}, by the covariance of steps"]  # fmt: skip
    if math.isfinite(whole.d_stated):
        blur = f"{found.exposure:g} {units.time}" if found.exposure_known else "0 (unknown)"
        stated = _with_error(whole.d_stated, whole.d_stated_error, wide)
        lines.append(f"         {stated} {rate}, with the stated sigma and an exposure of {blur}")
    lines.append(f"exponent {_with_error(found.exponent, found.exponent_error, wide)}")
    stated = f"stated {math.sqrt(whole.stated):.4g}, " if math.isfinite(whole.stated) else ""
    lines.append(f"noise    {stated}the steps show {_root(whole.noise, whole.noise_error)} {units.length} a coordinate")
    v, e = found.drift, found.drift_error
    if found.drift_taken:
        where = f"({v[0]:.4g} +- {e[0]:.2g}, {v[1]:.4g} +- {e[1]:.2g}) {units.speed}"
        lines.append(f"drift    {where} on average, taken away")
    return lines + [f"note     {words}" for words in words_of(found)]


def _with_error(value: float, error: float, wide: float) -> str:
    if not math.isfinite(error):
        return f"{value:.5g}"
    return f"{value:.5g} +- {error:.2g} (95 %: {value - wide * error:.5g} to {value + wide * error:.5g})"


def _root(variance: float, error: float) -> str:
    """The root of a variance, as a bound where it is not told from nothing."""
    if not math.isfinite(error) or error == 0:
        return f"{math.sqrt(max(variance, 0.0)):.4g}"
    if variance < 2 * error:
        return f"less than {math.sqrt(max(variance, 0.0) + 2 * error):.3g}"
    return f"{math.sqrt(variance):.4g} +- {error / (2 * math.sqrt(variance)):.2g}"
