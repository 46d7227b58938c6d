"""`fusetrack evaluate TRACKS TRUTH`: how good are these tracks."""

from __future__ import annotations

import argparse
import math
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console

from app.commands.arguments import add_figure, check_fps, look_of_figure, parse_frames
from app.comparison import find_truth
from app.evaluation.figure import PAGE, write_figure
from app.evaluation.files import as_json, write_csv
from app.evaluation.line import describe
from app.evaluation.table import print_evaluation
from app.exports.tables import read_truth
from app.files.summary import json_text
from app.given_tracks import given_tracks
from app.path_kinds import Kind, what_is
from app.plots.figures import check_figure, load_early
from app.runs import read_run
from app.sources.opening import open_source
from kernels.errors import InputError
from pipelines.evaluation.clear_mot import Scores
from pipelines.evaluation.complete import evaluate_all
from pipelines.evaluation.numbering import numbered_alike
from pipelines.trackers.base import confirmed

Array = npt.NDArray[Any]
EXAMPLES = """examples:
  fusetrack evaluate fusetrack-out/vortex_600fps-blobs       with the truth that lies beside the run's clip
  fusetrack evaluate fusetrack-out/vortex_600fps-blobs sample_videos/vortex_600fps.truth.csv
  fusetrack evaluate tracks.parquet truth.csv --gate 1.5 --json > scores.json
  fusetrack evaluate tracks.csv truth.csv --plot report.html --csv things.csv
  fusetrack evaluate theirs.csv truth.csv --only-matched      a tracker that was given some points only

TRACKS is the folder of a run's results (then its tracks.parquet or tracks.csv is taken), a table, or a session that was
tracked while it was recorded. TRACKS and TRUTH need the columns frame, track, x_px and y_px (other programs' names for
them are known, too); time_s, sigma_px and, in TRUTH, visible are used if they are there. Rows of TRUTH with visible 0
are neither required nor is a track on them false. Predicted and lost rows claim nothing, and tracks that were never
believed are left out. Rows of the same frame belong together; where time_s of both tables says that a clip lacks
frames, those of the same time.

What is shown:
  CLEAR MOT      MOTA, MOTP, misses, false rows, id switches (Bernardin, Stiefelhagen 2008)
  identity       IDF1, IDP, IDR (Ristani et al. 2016)
  HOTA           with DetA, AssA, LocA; the similarity of two points is 1 - distance / gate (Luiten et al. 2021)
  challenge      alpha, beta, JSC, JSC_theta, RMSE of the particle tracking challenge (Chenouard et al. 2014)
  displacement   bias, noise, drift, error by sub-pixel phase (S-curve), noise density, amplitudes of vibrations
  uncertainty    (estimate - truth) / sigma: variance, and how many errors lie within 1, 2, 3 sigma
  guesses        the same of places that were predicted while a thing was not seen
"""
CHANCE = 0.05  # recall and precision up to which tracks are taken to be of something else


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Compares tracks with true positions: identities, positions, stated uncertainties."
    command.epilog = EXAMPLES
    command.add_argument("tracks", metavar="TRACKS", help="a run's folder, a table of tracks (.csv, .parquet), or a "
                         "session that was tracked while it was recorded")  # fmt: skip
    command.add_argument("truth", metavar="TRUTH", nargs="?", help="a table of true positions, .csv or .parquet; of a "
                         "run's folder the one beside its clip (<clip>.truth.csv) is taken without it")  # fmt: skip
    command.add_argument("--gate", type=float, default=3.0, metavar="PX", help="farthest distance of a match (3 px)")
    command.add_argument("--epsilon", type=float, default=5.0, metavar="PX",
                         help="gate of the particle tracking challenge (5 px)")  # fmt: skip
    command.add_argument("--fps", type=float, metavar="N", help="frames a second (by time_s of the tables)")
    command.add_argument("--frames", metavar="A:B", help="compare these frames only (B is not among them)")
    command.add_argument("--only-matched", action="store_true", help="leave out things that no track ever came near")
    command.add_argument("--json", action="store_true", help="print everything for machines")
    command.add_argument("--csv", type=Path, metavar="FILE", help="write a row a thing")
    command.add_argument("--plot", type=Path, metavar="FILE", help="draw errors, spectra, S-curves, reliability and "
                         "identities as .png, .svg, .pdf or .html")  # fmt: skip
    add_figure(command)
    command.set_defaults(function=_evaluate)


def _evaluate(options: argparse.Namespace) -> int:
    for name in ("gate", "epsilon"):
        value = getattr(options, name)
        if not 0 < value < math.inf:
            raise InputError(f"--{name} must be a positive distance in pixels, not {value:g}")
    fps = check_fps(options.fps)
    if options.plot is not None:
        check_figure(options.plot, more=(PAGE,))
        load_early()
    look = look_of_figure(options)
    tracks = given_tracks(options.tracks).rows
    truth, of = _truth(options.tracks, options.truth)
    if not len(truth):
        raise InputError(f"{of} has no rows, so there is nothing to compare with")
    alike = numbered_alike(confirmed(tracks), truth)
    tracks, truth = alike.tracks, alike.truth
    first, end = _range(options.frames, truth)
    tracks, truth = (t[(t["frame"] >= first) & (t["frame"] < end)] for t in (tracks, truth))
    if not len(truth):
        raise InputError(f"{of} has no rows in --frames {options.frames}")
    found = evaluate_all(
        tracks, truth, gate=options.gate, epsilon=options.epsilon, fps=fps,
        only="matched truth ids" if options.only_matched else "all",
    )  # fmt: skip
    if options.csv is not None:
        write_csv(options.csv, found)
    if options.plot is not None:
        write_figure(options.plot, found, f"{Path(options.tracks).name} against {Path(of).name}", look)
    if options.json:
        print(json_text({**as_json(found), "note": " ".join(filter(None, (alike.words, unlike(found.clear))))}))
        return 0
    console = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 140)
    if not found.clear.matches:
        console.print(f"{describe(found.clear)}\n", markup=False)
    print_evaluation(console, found)
    for note in filter(None, (alike.words, unlike(found.clear), uncovered(tracks, truth))):
        console.print(f"[yellow]note[/]  {note}")
    for path in (options.csv, options.plot):
        if path is not None:
            console.print(f"wrote {path}", markup=False)
    return 0


def _truth(tracks: str, given: str | None) -> tuple[Array, str]:
    """True positions and where they are from: what was given, or what belongs to the clip of a run's folder.

    Raises:
        InputError: there are none.
    """
    if given is not None:
        return read_truth(given), given
    if what_is(tracks).kind is not Kind.RUN:
        raise InputError("say with what to compare: TRUTH, a table of true positions (only a run's folder tells of "
                         "which clip it is, beside which one may lie)")  # fmt: skip
    record = read_run(tracks)
    if not record.there:
        raise InputError(f"{record.note}, so that no truth is found beside it; give the table")
    with closing(open_source(record.clip, record.reading)) as source:
        found = find_truth(record.clip, None, source, record.frames or (0, source.info.frames))
    if found is None:
        raise InputError(f"there is no table of true positions beside {record.clip} (<clip>.truth.csv); give one")
    return found.rows, found.words


def _range(text: str | None, truth: Array) -> tuple[int, int]:
    """The first frame and one past the last; negative ones count from the end of the truth."""
    past = int(truth["frame"].max()) + 1
    given = parse_frames(text)
    if given is None:
        limits = np.iinfo(np.int64)
        return int(limits.min), int(limits.max)
    first, end = (edge + past if edge is not None and edge < 0 else edge for edge in given)
    return first or 0, past if end is None else end


def uncovered(tracks: Array, truth: Array) -> str:
    """A sentence if the truth begins before the tracks or goes on after them: was a part of a clip processed?"""
    if not len(tracks):
        return ""
    first, last = int(tracks["frame"].min()), int(tracks["frame"].max())
    outside = int(((truth["frame"] < first) | (truth["frame"] > last)).sum())
    if outside < 0.02 * len(truth):
        return ""
    return (f"the tracks cover frames {first} to {last}, and {outside} of {len(truth)} true positions lie outside; "
            f"--frames {first}:{last + 1} compares that part alone")  # fmt: skip


def unlike(scores: Scores) -> str:
    """A sentence if tracks and truth meet by chance alone."""
    if not scores.matches or scores.recall > CHANCE or scores.precision > CHANCE:
        return ""
    places = scores.matches + scores.false
    return (f"only {scores.matches} of {places} places come near a true position, as chance would have it: is this the "
            "truth of that clip, x to the right, y down, in pixels of its frames?")  # fmt: skip
