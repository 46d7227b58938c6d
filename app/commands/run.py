"""`fusetrack run CLIP`: the main job."""

from __future__ import annotations

import argparse
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.arguments import (
    add_clip,
    add_columns,
    add_counting,
    add_device,
    add_figure,
    add_grid,
    add_plugins,
    check_fps,
    load_plugins,
    parse_frames,
    parse_origin,
    parse_roi,
)
from app.commands.of_project import Given, of_project
from app.commands.report import print_outcome
from app.controller import DEFAULT_PIPELINE, Outcome, Stoppable, run_clip
from app.ending import HANGUP, heard, let_go_of_terminal
from app.path_kinds import Kind, what_is
from app.plots.beside import drawing_beside
from app.plots.loading import is_command
from app.points_file import read_points
from app.progress import showing
from app.spelling import parse_settings
from kernels.errors import InputError
from kernels.executors.placement import available
from pipelines.analysis.point_grid import PointGrid, parse_grid

if TYPE_CHECKING:
    from app.channels.channel import Channel

EXAMPLES = """examples:
  fusetrack run sample_videos/vortex_600fps.avi
  fusetrack run clip.cine --pipeline facial-markers --frames 1000:3000 --out results
  fusetrack run clip.mraw --pipeline template --set "track.points=[[120,88],[200,91]]" --set track.window=31
  fusetrack run beam.mp4 --pipeline template --points points.csv
  fusetrack run tension.cine --pipeline template --grid "10 in rect:80,60,300,120" --set track.window=21
  fusetrack run images_%04d.tif --fps 5000 --roi 100,80,256,256 --set bright.level=0.2
  fusetrack run clip.avi --pipeline my_pipeline.toml --plugin my_stages.py
  fusetrack run study.ftproj                       a project of the window: its clip, pipeline, region, marks, scale;
                                                   study.ftproj:take2.avi is another clip of it

nothing found, or far too much? Look at overlay.mp4, then move the threshold (`fusetrack pipelines NAME` lists
the parameters), try on a few frames (--frames 0:200) and a part of the picture (--roi). Dark things on a bright ground:
  --set bright.polarity=dark --set bright.level=-0.03 --set spots.polarity=dark       (blobs)
  --set mask.polarity=dark --set mask.level=0.4 --set bodies.polarity=dark            (objects)

results, in --out (fusetrack-out/<clip>-<pipeline> without it; files of an earlier run there are replaced, and if they
were of other settings the report says so):
  tracks.csv, tracks.parquet   a row per feature and frame; units are in the column names; --scale, --origin and
                               --y-up are for tracks.csv: tracks.parquet, which other commands take, stays in px
  NAME.csv, NAME.parquet       tables that the pipeline is tapped for: taps = ["NAME"] in a .toml file
  trajectories.png             where everything went
  overlay.mp4                  the clip with the tracks drawn on it
  summary.json                 source, time base, every frame accounted for, parameters, versions
use the rows with state == tracked: the others are guesses (predicted), not yet believed (tentative) or the end (lost)

Ctrl-C ends the run after the frames in hand and writes all results; a second one breaks off and keeps the table.
exit codes: 0 done; 1 a stage or the memory failed, one sentence says how; 2 the input is wrong; 130 stopped by Ctrl-C
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Runs a clip through a pipeline and writes tracks, pictures and a summary."
    command.epilog = EXAMPLES
    add_clip(command)
    command.add_argument(
        "--pipeline",
        "-p",
        metavar="NAME|FILE",
        help=f"a shipped pipeline (`fusetrack pipelines`) or a .toml file; default {DEFAULT_PIPELINE}",
    )
    command.add_argument(
        "--set",
        "-s",
        action="append",
        default=[],
        metavar="NODE.PARAM=VALUE",
        dest="settings",
        help="change a parameter, such as bright.level=0.05; may be given several times; quote what holds brackets",
    )
    command.add_argument(
        "--points",
        metavar="FILE",
        type=Path,
        help="a CSV with columns x_px, y_px, and frame where points begin later (of a table of tracks the rows of its "
        "first frame count; tracks are numbered in the order of the rows, from 0, names are not taken over): the "
        "points that --pipeline template or vibration follows (without it, the best textured places), or corners "
        "besides those it finds",
    )
    add_grid(command)
    command.add_argument(
        "--roi",
        metavar="X,Y,W,H",
        help="process this part of the picture only, in px; positions stay those of the whole",
    )
    command.add_argument(
        "--frames",
        metavar="A:B",
        help="process these frames only; B is not included. "
        ":10 are the first ten, -50: the last fifty, 10 is frame 10 alone",
    )
    command.add_argument(
        "--out",
        "-o",
        metavar="DIR",
        type=Path,
        help="where the results go; fusetrack-out/<clip>-<pipeline> without it, with -frames-A-B or -roi-X-Y-W-H "
        "behind it for a part of the clip",
    )
    command.add_argument(
        "--truth",
        metavar="FILE",
        type=Path,
        help="true positions to compare with; <clip>.truth.csv beside the clip is found by itself",
    )
    add_columns(command)
    add_counting(command)
    add_device(
        command,
        "auto",
        "what computes the stages: cpu (compiled, fused), cuda or cuda:1 (a GPU), reference (NumPy, slow); they give "
        "the same bits. auto, the default, takes a GPU if the frames are worth it (for regions none yet), else the cpu",
    )
    precision = command.add_mutually_exclusive_group()
    precision.add_argument(
        "--exact",
        action="store_true",
        default=True,
        help="every bit as the stages are written (the default)",
    )
    precision.add_argument(
        "--fast",
        dest="exact",
        action="store_false",
        help="also add and multiply floats in another order where that saves operations; the report and summary.json "
        "state by how much a value can differ",
    )
    command.add_argument(
        "--tune",
        action="store_true",
        help="first time the best ways to group the stages on the clip's first frames; the fastest is kept and used "
        "from then on",
    )
    command.add_argument("--no-overlay", action="store_true", help="write no overlay video")
    add_figure(command)
    command.add_argument("--quiet", "-q", action="store_true", help="no progress bar")
    add_plugins(command)
    command.set_defaults(function=_run)


def _run(options: argparse.Namespace) -> int:
    # Before plugins are loaded, which may start threads.
    with drawing_beside() if is_command() and available() > 1 else nullcontext():
        return _ran(options)


def _ran(options: argparse.Namespace) -> int:
    load_plugins(options)
    # `--out ""` becomes Path("."): argparse has made a path of it.
    if not options.clip or (options.out is not None and str(options.out) == "."):
        raise InputError("CLIP and --out need a name; one is empty")
    given = of_project(options) if what_is(options.clip).kind is Kind.OWN_PROJECT else Given(options.clip)
    said: list[str] = []

    def note(sentence: str) -> None:
        said.append(sentence)
        print(f"note     {sentence}", flush=True)

    for sentence in given.notes:
        note(sentence)
    with stops_on_ctrl_c() as started:
        # What is given on the command line goes before what a project says.
        outcome = run_clip(
            given.clip,
            options.pipeline or given.pipeline,
            settings=parse_settings(options.settings),
            points=_points(options, note),
            roi=parse_roi(options.roi) or given.roi,
            frames=parse_frames(options.frames) or given.frames,
            reading=given.reading,
            fps=check_fps(options.fps),
            bits=options.bits,
            turn=options.turn,
            gaps=not options.no_gaps,
            events=given.events,
            out=options.out,
            overlay=not options.no_overlay,
            truth=options.truth,
            device=options.device,
            exact=options.exact,
            tune=options.tune,
            figure=options.figure,
            dark=options.dark,
            columns=options.columns,
            key=options.key,
            scale=options.scale or given.scale,
            origin=parse_origin(options.origin) or given.axes,
            y_up=options.y_up or given.y_up,
            progress=partial(showing, quiet=options.quiet),
            started=started,
            notify=note,
        )
    for number, channel in enumerate(given.channels):
        _write_channel(channel, number, outcome, note)
    print_outcome(outcome, said)
    for line in _rewritten(outcome):
        print(line)
    if outcome.report.interrupted:
        return 130
    counts = outcome.report.ledger
    # All files are written by then: a table without rows, and the sentence that says why.
    if counts.announced and counts.bad == counts.announced:
        raise InputError(f"{options.clip}: none of its {counts.bad} frames could be read; the first: "
                         f"{next(iter(counts.reasons))}")  # fmt: skip
    return 0


def _write_channel(channel: Channel, number: int, outcome: Outcome, note: Callable[[str], object]) -> None:
    """A project's data channel at the run's frames, beside its tracks; a channel that is not there costs no run."""
    from app.channels.headless import FrameTimes, frames_of, write_beside  # here: most runs have none

    try:
        found = frames_of(str(outcome.folder))
        first, end = outcome.summary["range"]
        part = FrameTimes(found.name, found.frames[first:end], found.times[first:end])
        note(f"the data channel at these frames is in {write_beside(channel, outcome.folder, part, number).name}")
    except InputError as error:
        note(f"the data channel was left out: {error}")


def _points(options: argparse.Namespace, note: Callable[[str], object]) -> tuple[tuple[float, ...], ...] | PointGrid:
    if options.grid is None:
        return () if options.points is None else read_points(options.points, note)
    if options.points is not None:
        raise InputError("--points and --grid both say which points are followed; give one of them")
    return parse_grid(options.grid)


def _rewritten(outcome: Outcome) -> list[str]:
    """What was computed in another way than it is written, where values may differ."""
    made = [r for r in outcome.summary["rewritings"] if not r["exact"]]
    if outcome.summary["exact"]:
        return []
    lines = [f"{'fast' if not i else '':8} {r['words']}: within {r['bound']:.1g}" for i, r in enumerate(made)]
    return lines or ["fast     nothing could be rewritten; every bit is that of --exact"]


@contextmanager
def stops_on_ctrl_c() -> Iterator[Any]:
    """The first Ctrl-C, or another request to end (`ENDS`), ends the run after the batch in hand and keeps what was
    done; the second breaks off."""
    if threading.current_thread() is not threading.main_thread():
        yield None
        return
    before = heard()

    def started(runner: Stoppable) -> None:
        # A second signal meets the handler from before, which breaks off; that of a closed terminal comes twice, and
        # must not.
        def stop(number: int, _: object) -> None:
            if number != HANGUP:
                signal.signal(number, before[signal.Signals(number)])
            let_go_of_terminal()
            runner.stop()
            with suppress(OSError):  # print may be in the middle of a line when a signal comes
                os.write(2, b"\nfusetrack: stopping after the frames in hand; once more breaks off\n")

        for number in before:
            signal.signal(number, stop)

    try:
        yield started
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
