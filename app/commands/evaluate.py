"""`fusetrack evaluate TRACKS TRUTH`: how good are these tracks."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from app.exports.tables import read_tracks, read_truth
from kernels.errors import InputError
from pipelines.evaluation import Scores, evaluate

EXAMPLES = """examples:
  fusetrack evaluate fusetrack-out/vortex_600fps-blobs/tracks.csv sample_videos/vortex_600fps.truth.csv
  fusetrack evaluate tracks.parquet truth.csv --gate 1.5 --json
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Matches tracks to true positions frame by frame (CLEAR MOT; Bernardin, Stiefelhagen 2008)."
    command.epilog = EXAMPLES
    command.add_argument("tracks", metavar="TRACKS", help="a table of tracks, .csv or .parquet")
    command.add_argument("truth", metavar="TRUTH", help="a table of true positions, .csv")
    command.add_argument("--gate", type=float, default=3.0, metavar="PX", help="farthest distance of a match (3 px)")
    command.add_argument("--json", action="store_true", help="for machines")
    command.set_defaults(function=_evaluate)


def _evaluate(options: argparse.Namespace) -> int:
    if not options.gate > 0:
        raise InputError(f"--gate must be a positive distance in pixels, not {options.gate:g}")
    scores = evaluate(read_tracks(options.tracks), read_truth(options.truth), gate=options.gate)
    print(json.dumps(asdict(scores), indent=1) if options.json else describe(scores))
    return 0


def describe(scores: Scores) -> str:
    """One line for people."""
    if not scores.matches:
        return "no track comes near a true position (are these tracks of the things that the truth follows?)"
    return (f"recall {scores.recall:.4f}  precision {scores.precision:.4f}  id switches {scores.id_switches}  "
            f"RMSE {scores.rmse:.4f} px  (bias x {scores.bias_x:+.4f}, y {scores.bias_y:+.4f} px)")  # fmt: skip
