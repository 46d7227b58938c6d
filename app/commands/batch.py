"""`fusetrack batch CLIPS --out DIR`: many clips through one pipeline, on this machine or on a cluster."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from app.batch.cluster import ClusterExecutor
from app.batch.configuration import Configuration
from app.batch.driver import Batch, available_processors, dry_run, local_jobs, run_batch
from app.batch.executors import Executor, LocalExecutor
from app.batch.per_clip import is_table
from app.commands.arguments import (
    add_columns,
    add_counting,
    add_device,
    add_exact,
    add_grid,
    add_plugins,
    add_reading,
    load_plugins,
    parse_frames,
    parse_origin,
    parse_roi,
    reading_of,
)
from app.controller import DEFAULT_PIPELINE
from app.exports.scale import parse_scale
from app.spelling import parse_settings
from kernels.errors import InputError
from kernels.executors.base import executor as back_end
from pipelines.analysis.point_grid import parse_grid

EXAMPLES = """examples:
  fusetrack batch 'clips/**/*.cine' --pipeline facial-markers --out results
  fusetrack batch clips more/*.mp4 --fps 1000 --set bright.level=0.2 --out results     folders: all clips in them
  fusetrack batch --list monday.txt --no-overlay --jobs 4 --timeout 600 --out results  a clip or pattern a line
  fusetrack batch 'clips/**/*.cine' --out results --dry-run                            what would be run, and why
  fusetrack batch 'clips/**/*.cine' --out results --scheduler tcp://head:8786          on a Dask cluster

quote patterns, so that ** reaches fusetrack. Every clip has a process of its own: one that is damaged, crashes or hangs
(--timeout) never stops the rest. The same call again runs what is new, what failed, and what changed (the clip's
content, a setting, the version); all else is skipped. --device, --jobs and the like change no result and do not count.
A killed batch goes on when it is called again; Ctrl-C ends what runs and writes the report, a second one breaks off.

results, in --out (clips of one name in several folders get the folders, too):
  report.html     a page to look at, also while the batch runs; report.json: the same for programs
  tracks.parquet  the tracks of all clips, with a column clip
  CLIP/           what `fusetrack run` leaves: tracks, trajectories, overlay, summary; done.json says of what they are
  logs/CLIP.log   what the process of a clip said

a cluster must see the clips and --out under the same paths, and have the same fusetrack installed; workers with one
thread each and, for --device cuda, the resource GPU=1. `python -m pip install "fusetrack[distributed]"`

with --device cuda and several GPUs the jobs share them evenly; --device cuda:1 keeps all jobs on one

exit codes: 0 all are done; 1 some failed, the report says which and why; 2 nothing matches or an option is wrong;
130 stopped by Ctrl-C
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Runs many clips through a pipeline; skips what is done, survives whatever a clip does."
    command.epilog = EXAMPLES
    command.add_argument("clips", nargs="*", metavar="CLIP", help="a clip, a pattern such as 'a/**/*.cine', a folder")
    command.add_argument("--list", metavar="FILE", dest="list_file", help="a file with a clip or pattern a line; - is "
                         "stdin")  # fmt: skip
    command.add_argument("--out", "-o", metavar="DIR", type=Path, required=True, help="where all results go")
    command.add_argument(
        "--pipeline", "-p", default=DEFAULT_PIPELINE, metavar="NAME|FILE",
        help=f"a shipped pipeline (`fusetrack pipelines`) or a .toml file; default {DEFAULT_PIPELINE}",
    )  # fmt: skip
    command.add_argument(
        "--set", "-s", action="append", default=[], metavar="NODE.PARAM=VALUE", dest="settings",
        help="change a parameter, such as bright.level=0.05; may be given several times",
    )  # fmt: skip
    add_reading(command)
    command.add_argument("--roi", metavar="X,Y,W,H", help="process this part of each picture only, in px")
    command.add_argument("--frames", metavar="A:B", help="process these frames of each clip only; B is not included")
    command.add_argument(
        "--points", metavar="FILE|DIR", help="points to follow, as `run` takes them: a table for all clips, one with a "
        "column clip (by the file's name), or a folder with a CLIP.csv for each"
    )  # fmt: skip
    add_grid(command)
    add_columns(command)
    add_counting(command, "; or a table with columns clip and scale")
    command.add_argument("--no-overlay", action="store_true", help="write no overlay videos")
    add_device(command, "auto", "what computes the stages: auto, cpu, cuda, cuda:1, reference")
    add_exact(command)
    add_plugins(command)
    running = command.add_argument_group("running")
    running.add_argument("--jobs", "-j", type=int, metavar="N", help="clips at a time; default: one for two processors")
    running.add_argument("--threads", type=int, metavar="N", help="threads of each clip's kernels; default: processors "
                         "divided by --jobs")  # fmt: skip
    running.add_argument("--timeout", type=float, metavar="S", help="end a clip that takes longer, in seconds")
    running.add_argument("--retries", type=int, default=1, metavar="N",
                         help="how often a clip is tried again whose process died; default 1")  # fmt: skip
    running.add_argument("--scheduler", metavar="ADDRESS", help="run on the Dask cluster of this scheduler, such as "
                         "tcp://head:8786")  # fmt: skip
    running.add_argument("--redo", action="store_true", help="also run what is done")
    running.add_argument("--dry-run", action="store_true", help="say what would be run and why; write nothing")
    running.add_argument("--quiet", "-q", action="store_true", help="no progress")
    command.set_defaults(function=_batch)


def _batch(options: argparse.Namespace) -> int:
    load_plugins(options)
    _check(options)
    origin = parse_origin(options.origin)
    if options.scale is not None and not is_table(options.scale):
        parse_scale(options.scale)
    configuration = Configuration(
        options.pipeline, parse_settings(options.settings), parse_roi(options.roi), parse_frames(options.frames),
        reading_of(options), options.device, not options.no_overlay, options.exact, tuple(options.plugin),
        options.columns, options.key, options.scale, None if origin is None else (origin.x, origin.y), options.y_up,
        options.points, options.grid,
    ).anywhere()  # fmt: skip
    gpus: Sequence[str] = ()
    if options.scheduler is None and options.device.startswith("cuda"):
        made = back_end(options.device)  # says what is missing, once
        if options.device == "cuda" and options.exact:  # without, the device is part of what the results are of
            gpus = getattr(made, "gpus", ())
    batch = Batch(
        options.clips, options.out, configuration, options.list_file, options.timeout, options.retries, options.redo,
        options.quiet, sys.argv[1:],
    )  # fmt: skip
    return dry_run(batch) if options.dry_run else run_batch(batch, lambda clips: _executor(options, clips, gpus))


def _executor(options: argparse.Namespace, clips: int, gpus: Sequence[str]) -> Executor:
    if options.scheduler is not None:
        # A cluster's workers have a thread each, as a rule, and there are as many of them as processors.
        return ClusterExecutor(options.scheduler, options.threads or 1, options.device.startswith("cuda"))
    return LocalExecutor(*local_jobs(available_processors(), options.jobs, options.threads, clips), gpus)


def _check(options: argparse.Namespace) -> None:
    for name, least in (("jobs", 1), ("threads", 1), ("retries", 0)):
        value = getattr(options, name)
        if value is not None and value < least:
            raise InputError(f"--{name} must be {least} or more, not {value}")
    if options.timeout is not None and not (options.timeout > 0 and math.isfinite(options.timeout)):
        raise InputError(f"--timeout must be a positive number of seconds, not {options.timeout:g}")
    if options.grid is not None:
        parse_grid(options.grid)
        if options.points is not None:
            raise InputError("--points and --grid both say which points are followed; give one of them")
    if options.scheduler is not None and options.jobs is not None:
        raise InputError("--jobs is for this machine; on a cluster there are as many jobs as its workers have threads")
    if str(options.out) == ".":
        raise InputError("--out needs a folder of its own, not the one you are in")
    if any(not clip for clip in options.clips):
        raise InputError("CLIP needs a name; it is empty")
