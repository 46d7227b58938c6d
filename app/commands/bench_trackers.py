"""`fusetrack bench --trackers`: our trackers and their peers on the same scenes."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from difflib import get_close_matches

from rich.console import Console

from app.benchmark.pinning import on_one_processor, pinning
from app.benchmark.trackers.contender import Contender
from app.benchmark.trackers.measure import measure_accuracy, measure_speed
from app.benchmark.trackers.ours import OURS
from app.benchmark.trackers.peers.base import found_peers
from app.benchmark.trackers.plot import write_plot
from app.benchmark.trackers.results import Accuracy, Speed, facts
from app.benchmark.trackers.scenes import SCENES, Kind
from app.benchmark.trackers.table import show_scene, show_speed
from app.commands.arguments import look_of_figure
from app.files.summary import versions, write_summary
from app.plots.figures import check_figure
from kernels.errors import InputError

EACH = 10.0
"""Seconds for each number of features that is timed."""
KINDS: tuple[Kind, ...] = ("things", "points")
UNUSED = (("pipeline", "--pipeline"), ("set", "--set"), ("channels", "--channels"), ("threads", "--threads"),
          ("size", "--size"), ("batch", "--batch"), ("load", "--load"), ("report", "--report"),
          ("plugin", "--plugin"))  # fmt: skip


def bench_trackers(options: argparse.Namespace) -> int:
    """Measure and print; see `app.commands.bench` for the options.

    Raises:
        InputError: no such scene, or an option does not fit.
    """
    for name, spelled in UNUSED:
        if getattr(options, name):
            raise InputError(f"{spelled} is not for --trackers; leave it out")
    if options.device != "cpu":
        raise InputError("--trackers compares on the processor; leave --device out")
    for name in options.chains:
        if name not in (*SCENES, "speed"):
            near = get_close_matches(name, (*SCENES, "speed"), n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(SCENES)}, speed"
            raise InputError(f"there is no scene {name!r}; {hint}")
    seconds = options.seconds if options.seconds is not None else EACH
    if not 0 <= seconds <= 86400:
        raise InputError(f"--seconds takes a number up to 86400, not {seconds:g}")
    if options.seeds is not None and not 1 <= options.seeds <= 1000:
        raise InputError(f"--seeds takes a whole number from 1 to 1000, not {options.seeds}")
    if options.plot is not None:
        check_figure(options.plot)
    with pinning(options.pin) as pins:
        if pins is not None:
            on_one_processor()  # before peers are loaded, which count the processors then
        return _compare(options, seconds)


def _compare(options: argparse.Namespace, seconds: float) -> int:
    peers, missing = found_peers()
    made, contenders = versions(), [*OURS, *peers]
    console = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 140)
    where = "one processor" if options.pin else "all processors"
    console.print(f"[dim]{made['processor']}; {where}, no GPU, everything in one process[/]\n")
    accuracies: list[Accuracy] = []
    speeds: list[Speed] = []
    interrupted = False
    try:
        _measure(options, contenders, seconds, console, accuracies, speeds)
    except KeyboardInterrupt:
        interrupted = True
        console.print("[yellow]stopped; what was measured is kept[/]")
    show_speed(console, speeds)
    for words in missing:
        console.print(f"left out: {words}", markup=False)
    if options.json is not None:
        write_summary(options.json, {"versions": made, **facts(accuracies, speeds)})
    if options.plot is not None and (accuracies or speeds):
        write_plot(options.plot, accuracies, speeds, look_of_figure(options))
    return 130 if interrupted else 0


def _measure(
    options: argparse.Namespace, contenders: list[Contender], seconds: float, console: Console,
    accuracies: list[Accuracy], speeds: list[Speed],
) -> None:  # fmt: skip
    wanted = options.chains or [*SCENES, "speed"]
    quiet = options.quiet or not sys.stderr.isatty()
    errors = Console(stderr=True)
    with nullcontext() if quiet else errors.status("") as status:

        def progress(words: str) -> None:
            if status is not None:
                status.update(words)

        for name in wanted:
            if name != "speed":
                found = list(measure_accuracy(name, SCENES[name], contenders, progress, options.seeds or 1))
                accuracies += found
                show_scene(console, found)
        if "speed" in wanted:
            for kind in KINDS:
                speeds.extend(measure_speed(kind, contenders, seconds, progress))
