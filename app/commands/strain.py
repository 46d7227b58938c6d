"""`fusetrack strain TRACKS`: fields of displacement and strain of a run's points, and virtual extensometers."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from app.analysis.strain import QUANTITIES, StrainField, StrainOptions, parse_extensometer, strain_of
from app.analysis.strain_figure import FIGURE, SHOWN, draw_strain
from app.analysis.strain_files import as_json, report, write_strain
from app.analysis.strain_vtk import write_vtk
from app.commands.arguments import add_figure, check_fps, look_of_figure, parse_frames
from app.exports.scale import parse_scale
from app.files.atomic import make_folder
from app.files.summary import json_text
from app.given_tracks import given_tracks
from app.plots.figures import load_early
from app.run_windows import subset_of
from kernels.errors import InputError
from pipelines.analysis.areas import SPELT
from pipelines.analysis.strain import MEASURES

EXAMPLES = f"""examples:
  fusetrack run "sim:speckle?frames=30&ramp=20" -p template --grid 16 -o pull && fusetrack strain pull
  fusetrack run tension.cine -p template --grid "10 in rect:80,60,300,120 without circle:230,120,25" -s track.window=21
  fusetrack strain fusetrack-out/tension-template --window 7 --scale "0.05 mm/px"
  fusetrack strain pull --extensometer "gauge=circle:100,256,40 to circle:400,256,40" --extensometer 3,57
  fusetrack strain pull --vtk --csv --at 25 --show u,exx,e1,von_mises
  fusetrack strain pull --json > strain.json

TRACKS is a run's folder, a session that was tracked while it was recorded, or a table of tracks. Displacements are
those since the reference, the first frame that counts (--frames 100: begins there); points that were not seen in it
are left out and counted. Best is a grid of points (`fusetrack run --grid`), with subsets (--set track.window=21) in
which there are three speckles or more along each side.

Strain: around each point a plane is fitted, by least squares, to the displacements of a window of neighbours
(--window 5: 5 x 5 points), whose slopes are the displacement gradient. The gauge length is that over which a strain is
so a mean: (window - 1) x step + subset. Larger windows are less noisy and flatten what is shorter than they are. A
window of which fewer than a third of the points were seen, or whose points are all on a line, has no strain.

--measure  green-lagrange  E = (F' F - I) / 2, free of rotation (the default)
           small           (grad u + grad u') / 2
           hencky          ln(F' F) / 2, logarithmic
x right, y down; exy is the tensor's, half of the engineering shear; von Mises's equivalent strain is that of a surface
whose volume stays: 2 / sqrt(3) sqrt(e1^2 + e1 e2 + e2^2).

sigma is that of the points carried through the fit, with errors of neighbours as alike as their subsets overlap. It
does not hold what a window flattens. e1, e2 and von Mises's strain of noise alone are not 0 on average: compare with
frames at rest.

--extensometer follows the distance between two tracks, or between the means of all points in two areas ({SPELT},
px of the reference frame): engineering strain, length / first length - 1.

results, in --out (the folder of the table without it; files of these names are replaced):
  strain.parquet     a row a frame and point: place, displacement, strains, principal strains, their sigma (--csv: also
                     strain.csv)
  strain-frames.csv  a row a frame: points that were seen and left out; mean, spread, sigma, least and largest strain
  extensometers.csv  lengths and strains, with --extensometer
  strain-vtk/        with --vtk: strain.pvd and a file a frame, for ParaView, VisIt, PyVista
  strain.png         maps of the frame with the largest strain (--at, --show), strain over time (--figure pdf or svg)
exit codes: 0 done; 2 the input is wrong
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = ("Displacement and strain of many points as fields, by least squares over neighbours, with "
                           "errors; virtual extensometers; for ParaView, too.")  # fmt: skip
    command.epilog = EXAMPLES
    command.add_argument("tracks", metavar="TRACKS", help="a run's folder, a table of tracks (.csv, .parquet), or a "
                         "session that was tracked while it was recorded")  # fmt: skip
    command.add_argument("--out", "-o", type=Path, metavar="DIR", help="where the results go")
    command.add_argument("--window", type=int, default=5, metavar="N",
                         help="points along a side of the windows, odd (5)")  # fmt: skip
    command.add_argument("--measure", choices=MEASURES, default="green-lagrange", help="which strain (green-lagrange)")
    command.add_argument("--subset", type=float, metavar="PX", help="side of the windows of pixels that points were "
                         "followed with, where the run does not tell")  # fmt: skip
    command.add_argument("--frames", metavar="A:B",
                         help="these frames only, B not included; the first is the reference")  # fmt: skip
    command.add_argument("--extensometer", action="append", default=[], metavar="[NAME=]A,B",
                         help="between two tracks, or AREA to AREA; may be given several times")  # fmt: skip
    command.add_argument("--at", type=int, metavar="FRAME", help="the frame of the maps (that of the largest strain)")
    command.add_argument("--show", default=",".join(SHOWN), metavar="NAMES",
                         help=f"the maps, of {', '.join(QUANTITIES)} ({','.join(SHOWN)})")  # fmt: skip
    command.add_argument("--csv", action="store_true", help="the table of points as CSV, too")
    command.add_argument("--vtk", action="store_true", help="write files for ParaView, too")
    command.add_argument("--scale", metavar='"0.12 mm/px"', help="lengths in place of pixels; also 8.3 px/mm")
    command.add_argument("--fps", type=float, metavar="RATE", help="frames a second, in place of the table's times")
    command.add_argument("--json", action="store_true", help="print all but the points for machines, write no files")
    add_figure(command)
    command.set_defaults(function=_strain)


def _strain(options: argparse.Namespace) -> int:
    wanted, look = _wanted(options), look_of_figure(options)
    shown = shown_of(options.show)
    scale = None if options.scale is None else parse_scale(options.scale)
    fps = check_fps(options.fps)
    if not options.json:
        load_early()
    given = given_tracks(options.tracks)
    found = strain_of(given.rows, wanted, fps=fps, timed=given.times.timed, scale=scale, subset=subset_of(given.home))
    at = None if options.at is None else _number(found, options.at)
    if options.json:
        print(json_text(as_json(found)))
        return 0
    folder = make_folder(given.home if options.out is None else options.out)
    names = write_strain(folder, found, options.csv)
    if options.vtk:
        names += write_vtk(folder, found)
    figure = look.name(FIGURE)
    draw_strain(folder / figure, found, f"{given.title}: strain", look, shown, at)
    for line in report(found):
        print(line)
    print(f"results  {folder}/  {', '.join((*names, figure))}")
    return 0


def _wanted(options: argparse.Namespace) -> StrainOptions:
    if options.subset is not None and not 1 <= options.subset < math.inf:
        raise InputError(f"--subset is the side of a window in px, 1 or more, not {options.subset:g}")
    extensometers = tuple(map(parse_extensometer, options.extensometer))
    names = [one.name for one in extensometers]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"--extensometer: there are two called {name!r}")
    return StrainOptions(options.window, options.measure, options.subset, parse_frames(options.frames), extensometers)


def shown_of(text: str) -> tuple[str, ...]:
    """What --show says.

    Raises:
        InputError: a map that there is not.
    """
    names = tuple(filter(None, (part.strip() for part in text.split(","))))
    for name in names:
        if name not in QUANTITIES:
            raise InputError(f"--show takes {', '.join(QUANTITIES)}, not {name!r}")
    return names


def _number(found: StrainField, frame: int) -> int:
    """The number of a frame among those that there are."""
    frames = found.moved.frames.tolist()
    if frame not in frames:
        raise InputError(f"--at {frame}: there are tracks of frames {frames[0]} to {frames[-1]}")
    return int(frames.index(frame))
