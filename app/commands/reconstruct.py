"""`fusetrack reconstruct RUN RUN ... --rig rig.json`: places in space of what several cameras followed."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from app.commands.arguments import add_figure, check_fps, look_of_figure
from app.commands.calibrate import parse_offsets
from app.files.summary import json_text
from app.given_tracks import given_tracks
from app.plots.figures import load_early
from app.results import HOME
from app.safe_names import safe_file_name
from app.stereo.reconstruction import Wanted, as_json, parse_group, reconstruct, report
from app.stereo.results import write_results
from app.stereo.rig import read_rig
from kernels.errors import InputError
from pipelines.trackers.base import confirmed

EXAMPLES = """examples:
  fusetrack calibrate board-left.avi board-right.avi --board 9x6 --square "5 mm" -o rig.json
  fusetrack run left.avi -o left && fusetrack run right.avi -o right
  fusetrack reconstruct left right --rig rig.json
  fusetrack reconstruct left right --rig rig.json --match 0:3 --match 1:0     track 0 of the first is 3 of the second
  fusetrack reconstruct left right top --rig rig.json --offset 2,0 --within 1 --c3d

RUN is of each camera, in the order of the calibration, a run's folder, a table of tracks or a session. Rows with state
tracked count. Their frames are of one moment where their numbers are the same; --offset says by how many frames the
others are ahead of the first.

Which tracks are of one thing: those whose lines of sight meet, within --within px on average, in --least frames or more
(Sampson's distance); a thing that a camera lost and found again has several tracks of it. --match says it in their
place.

Places are those whose projections are least wrong by the tracks' sigma (maximum likelihood). sigma_x ... of a place has
two parts, whose squares add: sigma_tracks_x, of the tracks' own sigma, differs from row to row; sigma_calibration_x, of
the calibration's covariance, shifts, turns and stretches all places together, so that it is nearly the same error in
rows that are near each other. Of how far a thing has moved, or how far two things near each other are apart, take the
root of the sum of squares of sigma_tracks of both; of where one place is, sigma. What no sigma holds: errors of the
synchronisation, of a lens that its model does not follow, and of a length (square, wand) that was measured wrongly.
The residual shows what makes lines of sight miss each other.

results, in --out (the first run's name with -3d in fusetrack-out/; files of these names are replaced):
  places.csv   a row a thing and frame: time, x, y, z with sigma and its two parts, residual, how many cameras
  things.csv   a row a thing: its tracks, frames, residual, mean sigma
  places.c3d   with --c3d, the same for programs of biomechanics
  places.png   three views, and x, y, z over time (--figure pdf or svg: places.pdf, places.svg)
exit codes: 0 done; 2 the input is wrong
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Places in space, with uncertainties, of what two or more calibrated cameras followed."
    command.epilog = EXAMPLES
    command.add_argument("runs", metavar="RUN", nargs="+", help="tracks of each camera, two or more")
    command.add_argument("--rig", type=Path, required=True, metavar="FILE", help="what `fusetrack calibrate` wrote")
    command.add_argument("--out", "-o", type=Path, metavar="DIR", help="where the results go")
    command.add_argument("--match", action="append", default=[], metavar="A:B[:C]",
                         help="tracks of one thing in each camera, empty where it is not seen; may be given several "
                              "times")  # fmt: skip
    command.add_argument("--offset", metavar="N,N", help="frames by which cameras 2, 3 ... are ahead of the first (0)")
    command.add_argument("--within", type=float, default=2.0, metavar="PX", help="how far lines of sight may miss (2)")
    command.add_argument("--least", type=int, default=5, metavar="N", help="frames in which two tracks meet (5)")
    command.add_argument("--fps", type=float, metavar="RATE", help="frames a second, in place of the tables' times")
    command.add_argument("--c3d", action="store_true", help="write places.c3d, too")
    command.add_argument("--json", action="store_true", help="print everything for machines, and write no files")
    add_figure(command)
    command.set_defaults(function=_reconstruct)


def _reconstruct(options: argparse.Namespace) -> int:
    if len(options.runs) < 2:
        raise InputError("places in space need the tracks of two cameras or more")
    if not 0 < options.within < math.inf or options.least < 1:
        raise InputError("--within is a distance in px, --least a number of frames, both above 0")
    rig, look = read_rig(options.rig), look_of_figure(options)
    groups = [parse_group(text, len(options.runs)) for text in options.match] or None
    wanted = Wanted(parse_offsets(options.offset, len(options.runs)), groups, options.within, options.least,
                    check_fps(options.fps))  # fmt: skip
    if not options.json:
        load_early()
    given = [given_tracks(run) for run in options.runs]
    rows = [confirmed(one.rows) for one in given]
    for one, its in zip(given, rows, strict=True):
        if not len(its):
            raise InputError(f"{one.source} has no tracks")
    found = reconstruct(rig, rows, wanted, all(one.times.timed for one in given))
    if options.json:
        print(json_text(as_json(found)))
        return 0
    folder = HOME / f"{safe_file_name(given[0].title)}-3d" if options.out is None else options.out
    names = write_results(folder, found, given[0].title, look, c3d=options.c3d)
    for line in (*report(found), *(f"note     {note}" for note in found.notes)):
        print(line)
    print(f"results  {folder}/  {', '.join(names)}")
    return 0
