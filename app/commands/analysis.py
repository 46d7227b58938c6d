"""What all analyses of a run's tracks begin with and end in: `fusetrack motion`, `msd`, `shapes` and `frf`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from app.commands.arguments import look_of_figure
from app.exports.export import PIXELS
from app.exports.physical_csv import Counting, counting_told
from app.exports.scale import Scale, parse_scale
from app.files.atomic import make_folder
from app.given_tracks import GivenTracks, given_tracks
from app.plots.figures import load_early
from app.plots.look import Look
from app.results import SUMMARY
from kernels.errors import InputError
from pipelines.features import Tracks
from pipelines.trackers.base import confirmed


@dataclass(frozen=True, slots=True)
class Analysed:
    """Tracks to be analysed.

    Args:
        given: where they come from, and what is known of them.
        rows: those of believed tracks, one at least.
        scale: how long a pixel is, None for px.
        look: of the figure.
        counting: the unit and axes that the run was given; pixels where they are wanted.
    """

    given: GivenTracks
    rows: Tracks
    scale: Scale | None
    look: Look
    counting: Counting

    def folder(self, out: Path | None) -> Path:
        """Where results go: `out`, else where the tracks are."""
        return make_folder(self.given.home if out is None else out)


def counting_in(folder: Path) -> Counting:
    """The unit and axes that a run was given."""
    try:
        return counting_told(json.loads((folder / SUMMARY).read_text("utf-8-sig"))["units"])
    except (OSError, ValueError, KeyError, TypeError):
        return Counting()


def add_tracks(command: argparse.ArgumentParser) -> None:
    """Declare which tracks, and where results go."""
    command.add_argument("tracks", metavar="TRACKS", help="a run's folder, a table of tracks (.csv, .parquet), or a "
                         "session that was tracked while it was recorded")  # fmt: skip
    command.add_argument("--out", "-o", type=Path, metavar="DIR", help="where the results go")


def opened(options: argparse.Namespace) -> Analysed:
    """The tracks that the options name.

    Raises:
        InputError: there are none, or an option is not understood.
    """
    pixels = str(options.scale).strip().lower() == PIXELS
    scale = None if options.scale is None or pixels else parse_scale(options.scale)
    look = look_of_figure(options)
    if not options.json:
        load_early()
    given = given_tracks(options.tracks)
    rows = confirmed(given.rows)
    if not len(rows):
        raise InputError(f"{given.source} has no tracks")
    counting = Counting() if pixels else counting_in(given.home)
    return Analysed(given, rows, counting.scale if scale is None else scale, look, counting)


def say(folder: Path, lines: Iterable[str], names: Iterable[str]) -> None:
    """Print what was found and which files hold it."""
    for line in lines:
        print(line)
    print(f"results  {folder}/  {', '.join(names)}")
