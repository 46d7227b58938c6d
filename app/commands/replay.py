"""`fusetrack replay SESSION`: the tracks of a recording again, bit for bit."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from app.commands.arguments import (
    add_columns,
    add_counting,
    add_device,
    add_plugins,
    load_plugins,
    parse_origin,
)
from app.commands.report import print_outcome
from app.commands.run import stops_on_ctrl_c
from app.exports.physical_csv import counting_of
from app.live.replay import Replayed, Wish, replay
from app.path_kinds import Kind, refuse_others
from app.progress import showing
from app.spelling import parse_settings
from kernels.errors import InputError

EXAMPLES = """examples:
  fusetrack replay run7.mcap                         the same results as `fusetrack run` writes, and the comparison
  fusetrack replay run7.mcap --check                 the comparison only, no files
  fusetrack replay run7.mcap --device cpu --batch 1  another back end or batch length gives the same bits
  fusetrack replay run7.mcap --pipeline template --out again
  fusetrack replay run7.mcap --set bright.level=0.1

Frames count as they did live (their sequence numbers), with the times that they had then. The session's own pipeline
runs over those frames that were processed live, and every change of a parameter or of the whole pipeline takes effect
at the frame at which it did; what was left out then is left out again, and named. --pipeline or --set process all
recorded frames anew, and nothing is compared.

exit codes: 0 done, and the tracks are those that were recorded; 1 they differ (where first is said); 2 the input is
wrong; 130 stopped by Ctrl-C
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Processes a recorded session again and compares the tracks with those that it holds."
    command.epilog = EXAMPLES
    command.add_argument("session", metavar="SESSION", help="a recorded session, .mcap")
    command.add_argument(
        "--pipeline", "-p", metavar="NAME|FILE", help="another pipeline than the session's own; nothing is compared"
    )
    command.add_argument(
        "--set", "-s", action="append", default=[], metavar="NODE.PARAM=VALUE", dest="settings",
        help="change a parameter of the pipeline; nothing is compared",
    )  # fmt: skip
    command.add_argument(
        "--out", "-o", metavar="DIR", type=Path, help="where the results go; fusetrack-out/<session>-<pipeline> if not"
    )
    command.add_argument("--check", action="store_true", help="compare only, write no files")
    add_columns(command)
    add_counting(command)
    add_device(command, "auto", "what computes the stages: auto, cpu, cuda, reference; they give the same bits")
    command.add_argument("--batch", type=int, default=16, metavar="N", help="frames a batch; no result depends on it")
    command.add_argument("--no-overlay", action="store_true", help="write no overlay video")
    command.add_argument("--quiet", "-q", action="store_true", help="no progress bar")
    add_plugins(command)
    command.set_defaults(function=_replay)


def _replay(options: argparse.Namespace) -> int:
    load_plugins(options)
    if options.batch < 1:
        raise InputError(f"--batch takes a number of frames, not {options.batch}")
    if options.check and (options.pipeline or options.settings or options.out):
        raise InputError("--check compares with the session's own pipeline and writes nothing; leave out --pipeline, "
                         "--set and --out")  # fmt: skip
    refuse_others(options.session, "a recorded session", Kind.SESSION)
    wish = Wish(
        options.session, options.pipeline, parse_settings(options.settings), options.out, options.check,
        not options.no_overlay, options.device, options.batch, options.columns, options.key,
        counting_of(options.scale, parse_origin(options.origin), options.y_up),
    )  # fmt: skip
    with stops_on_ctrl_c() as started:
        made = replay(wish, partial(showing, quiet=options.quiet), started)
    if made.outcome is not None:
        print_outcome(made.outcome)
    for line in describe(made):
        print(line)
    if made.report.interrupted:
        return 130
    return 0 if made.identical else 1


def describe(made: Replayed) -> list[str]:
    """The comparison in lines for people."""
    lines = []
    if made.outcome is None:
        report = made.report
        lines.append(f"frames   {report.ledger.processed} of {report.ledger.announced} processed; {report.fps:.0f} "
                     f"frames/s in {report.seconds:.1f} s")  # fmt: skip
    if made.likeness is not None:
        part = " (stopped before the end)" if made.report.interrupted and made.identical else ""
        lines.append(f"tracks   {made.likeness.describe()}{part}")
    return [*lines, *(f"note     {remark}" for remark in made.remarks)]
