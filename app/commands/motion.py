"""`fusetrack motion TRACKS`: velocities, accelerations, distances, angles, paths and fits of a run's tracks."""

from __future__ import annotations

import argparse
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path

from app.analysis.kinematics import Wanted, kinematics_of
from app.analysis.kinematics_figure import FIGURE, draw_kinematics
from app.analysis.kinematics_files import as_json, report, write_kinematics
from app.commands.analysis import add_tracks, opened, say
from app.commands.arguments import add_figure, check_fps, parse_frames
from app.exports.axes import Axes
from app.exports.physical_csv import Counting
from app.files.summary import json_text
from app.results import SUMMARY
from kernels.errors import InputError
from pipelines.analysis.areas import SPELT, parse_area
from pipelines.analysis.curve_fits import MODELS
from pipelines.analysis.ground import GROUNDS, Ground
from pipelines.analysis.travel import Region

EXAMPLES = """examples:
  fusetrack run sample_videos/falling_ball_1000fps.avi -p objects -o ball && fusetrack motion ball --fit parabola
  fusetrack motion ball --scale "0.5 mm/px" --fit parabola --y-up           g in m/s^2, with its error
  fusetrack motion fusetrack-out/pendulum-objects --fit damped-sine         frequency and damping of what swings freely
  fusetrack motion fusetrack-out/string-template --track 3 --frames 120: --fit damped-sine
  fusetrack motion fusetrack-out/knee-template --angle 0,1,2 --distance 0,2 --scale "1.9 mm/px"
  fusetrack motion fusetrack-out/impact-template --reference 0,1,2 --ground rigid --track 7
  fusetrack motion fusetrack-out/flies-insects --region feeder=circle:120,80,25 --region left=rect:0,0,192,288
  fusetrack motion fusetrack-out/flies-insects --window 0.02 --order 3 --json > motion.json

TRACKS is a run's folder, a session that was tracked while it was recorded, or a table of tracks (other programs'
columns frame, particle, x, y are known, too: then give --fps). Rows with state tracked count, at the times of their
frames, which need not be even.

Velocities and accelerations are those of polynomials that are fitted to a window around each place (Savitzky, Golay
1964, on the real times; at ends and beside gaps longer than a window the polynomial of the outermost one). Without
--window and --order both are chosen: those whose velocities are expected to have the least squared error, by the noise
that the tracks show and by what wider windows lose of the motion (Goldenshluger, Lepski 2011). sigma is that noise
carried through the polynomial: it does not hold what a window is too wide for, nor errors that all rows share, which
velocities are free of.

--reference names points that are fixed to a ground that moves, such as what a shaking camera sees: its shift, its
rigid motion (the default) or similarity is found by least squares in each frame and taken away.

fits, each with standard errors that hold for noise that is alike from one frame to the next as well:
  line         velocity
  parabola     acceleration (g of what falls), in m/s^2 where --scale tells lengths
  sine         frequency, amplitude, phase
  damped-sine  frequency (undamped), damping ratio, decay of ONE point that swings freely: a pendulum, a string, what
               rings after a blow. --frames leaves out what comes before it swings freely
  two-damped-sines  the same of two modes that swing at once: frequency_1, damping_ratio_1 ... of the lower one
  exponential  time constant of a decay or growth
  circle       centre, radius, angular velocity
Oscillations and decays are fitted along the direction in which a point moves most (--along x or y: along these). The
exposure lowers amplitudes by sinc(f E), not frequencies or damping. Fits are those of --distance and --angle where
these are given, else of tracks; with --track of both.

results, in --out (the folder of the table without it; files of these names are replaced):
  motion.csv         a row a place: smoothed x, y, vx, vy, ax, ay with sigma, speed, acceleration
  motion-tracks.csv  a row a track: path length, net way, straightness, speeds, noise, time in each region
  speeds.csv         how long all tracks went how fast
  measures.csv       distances and angles (degrees, rising from x to y) with their rates
  fits.json          parameters with standard errors and units
  motion.png         all of it (--figure pdf or svg: motion.pdf, motion.svg)
exit codes: 0 done; 2 the input is wrong
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = ("Smoothed places, velocities, accelerations, distances, angles, paths and time in regions "
                           "of tracks; fits with errors: g, frequency and damping of what swings freely.")  # fmt: skip
    command.epilog = EXAMPLES
    add_tracks(command)
    command.add_argument("--track", metavar="N,N", help="these tracks only")
    command.add_argument("--frames", metavar="A:B", help="these frames only, B not included; negative: from the end")
    command.add_argument("--min-frames", type=int, default=5, metavar="N",
                         help="leave out tracks seen in fewer frames (5)")  # fmt: skip
    command.add_argument("--window", type=float, metavar="S", help="seconds that a polynomial is fitted to (chosen)")
    command.add_argument("--order", type=int, metavar="N", help="degree of the polynomials, 1 to 6 (chosen)")
    command.add_argument("--fit", action="append", default=[], choices=MODELS, help="may be given several times")
    command.add_argument("--along", choices=("main", "x", "y"), default="main", help="where oscillations go (main)")
    command.add_argument("--distance", action="append", default=[], metavar="A,B", help="between two tracks")
    command.add_argument("--angle", action="append", default=[], metavar="A,B[,C]",
                         help="of the way from A to B, or at B from A to C")  # fmt: skip
    command.add_argument("--reference", metavar="N,N", help="tracks fixed to a ground whose motion is taken away")
    command.add_argument("--ground", choices=GROUNDS, help="how it moves (rigid; with one reference point shift)")
    command.add_argument("--region", action="append", default=[], metavar="[NAME=]circle:X,Y,R",
                         help="or rect:X,Y,WIDTH,HEIGHT, ellipse:X,Y,RX,RY, polygon:X,Y,X,Y,..., in the results' "
                         "units: how long tracks stay")  # fmt: skip
    command.add_argument("--scale", metavar='"0.12 mm/px"', help="lengths in place of pixels; also 8.3 px/mm; "
                         "of a run that had one that, and px for pixels")  # fmt: skip
    command.add_argument("--origin", metavar="X,Y", help="where positions count from, px of the picture")
    command.add_argument("--y-up", action="store_true", help="y points up, from the lowest row or the origin")
    command.add_argument("--fps", type=float, metavar="RATE", help="frames a second, in place of the table's times")
    command.add_argument("--json", action="store_true", help="print all but the rows for machines, write no files")
    add_figure(command)
    command.set_defaults(function=_motion)


def _motion(options: argparse.Namespace) -> int:
    wanted = wanted_of(options)
    fps, about = check_fps(options.fps), opened(options)
    given, rows, scale, look = about.given, about.rows, about.scale, about.look
    own = about.counting if options.origin is None and not options.y_up else Counting()
    up = options.y_up or own.up
    axes = own.origin or _axes(options.origin, up, given.home)
    found = kinematics_of(rows, wanted, fps=fps, timed=given.times.timed, scale=scale, axes=axes, y_up=up)
    if options.json:
        print(json_text(as_json(found)))
        return 0
    folder = about.folder(options.out)
    names = write_kinematics(folder, found)
    figure = look.name(FIGURE)
    draw_kinematics(folder / figure, found, f"{given.title}: motion", look)
    say(folder, report(found), (*names, figure))
    return 0


def wanted_of(options: argparse.Namespace) -> Wanted:
    """What the options ask for.

    Raises:
        InputError: one of them is not understood.
    """
    if options.min_frames < 1:
        raise InputError(f"--min-frames must be 1 or more, not {options.min_frames}")
    if options.window is not None and not 0 < options.window < math.inf:
        raise InputError(f"--window must be a time in seconds, not {options.window:g}")
    if options.order is not None and not 1 <= options.order <= 6:
        raise InputError(f"--order must be 1 to 6, not {options.order}")
    references = tracks_of(options.reference, "--reference")
    if options.ground is not None and not references:
        raise InputError("--ground says how the points of --reference move; give these, too")
    ground: Ground = options.ground or ("shift" if len(references) == 1 else "rigid")
    return Wanted(
        tracks=tracks_of(options.track, "--track"), frames=parse_frames(options.frames), least=options.min_frames,
        width=options.window, order=options.order, references=references, ground=ground,
        distances=tuple((a, b) for a, b in (tracks_of(text, "--distance", (2,)) for text in options.distance)),
        angles=tuple(tracks_of(text, "--angle", (2, 3)) for text in options.angle),
        regions=regions_of(options.region), models=tuple(dict.fromkeys(options.fit)), along=options.along,
    )  # fmt: skip


def tracks_of(text: str | None, option: str, counts: Sequence[int] = ()) -> tuple[int, ...]:
    """Numbers of tracks, joined by commas.

    Args:
        text: None for none. option: what it is, for sentences. counts: how many there may be; () for any number.

    Raises:
        InputError: it is something else, or one comes twice.
    """
    if text is None:
        return ()
    parts = text.split(",")
    if not all(re.fullmatch(r"\s*\d{1,10}\s*", part) for part in parts) or (counts and len(parts) not in counts):
        many = {(): "tracks, such as 0,1,2", (2,): "two tracks, such as 0,1"}.get(tuple(counts), "two or three tracks, "
                                                                                 "such as 0,1 or 0,1,2")  # fmt: skip
        raise InputError(f"{option} takes {many}, not {text!r}")
    tracks = tuple(int(part) for part in parts)
    if len(set(tracks)) != len(tracks):
        raise InputError(f"{option} names a track twice: {text!r}")
    return tracks


def regions_of(texts: Sequence[str], option: str = "--region") -> tuple[Region, ...]:
    """What --region says.

    >>> str(regions_of(["feeder=circle:120,80,25", "rect:0,0,10,20"])[1])
    "Region(name='region2', area=Area(kind='rect', numbers=(0.0, 0.0, 10.0, 20.0)))"

    Raises:
        InputError: it is something else, or a name comes twice.
    """
    found: list[Region] = []
    for text in texts:
        name, _, spelt = text.rpartition("=")
        try:
            area = parse_area(spelt)
        except InputError:
            raise InputError(f"{option} takes [NAME=]AREA, an area being {SPELT}, not {text!r}") from None
        name = name.strip() or f"region{len(found) + 1}"
        if any(one.name == name for one in found):
            raise InputError(f"{option}: there are two called {name!r}")
        found.append(Region(name, area))
    return tuple(found)


def _axes(origin: str | None, y_up: bool, folder: Path) -> Axes | None:
    if origin is not None:
        try:
            x, y = (float(part) for part in origin.split(","))
        except ValueError:
            raise InputError(f"--origin takes two numbers x,y in px of the picture, not {origin!r}") from None
        return Axes(x, y)
    if not y_up:
        return None
    try:
        height = float(json.loads((folder / SUMMARY).read_text("utf-8-sig"))["source"]["height_px"])
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError("--y-up needs the height of the picture, which this table does not tell; give --origin x,y, "
                         "too") from None  # fmt: skip
    return Axes(0.0, height - 1.0)
