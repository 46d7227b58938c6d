"""`fusetrack bench --networks`: our networks and those of other engines, in turns."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path

from rich.console import Console

from app.benchmark import pinning
from app.benchmark.campaign import Campaign, Job
from app.benchmark.networks.contender import PEERS
from app.benchmark.networks.made import MADE
from app.benchmark.networks.measure import Arena, How, arena, measure_network
from app.benchmark.networks.plot import write_plot
from app.benchmark.networks.results import NetworkResult, facts, table_text
from app.benchmark.networks.subject import Subject, subject
from app.benchmark.networks.table import show, show_all
from app.benchmark.results import threads
from app.commands.arguments import look_of_figure
from app.commands.bench_campaign import last_words, progress_bar
from app.files.atomic import write_bytes
from app.files.summary import versions, write_summary
from app.plots.figures import check_figure
from kernels.errors import InputError
from kernels.executors.placement import available

EACH = 6.0
"""Seconds for a network with some threads, making ready included."""
SIZE = 256
"""Height and width of inputs that leave them open, px."""
UNUSED = (("pipeline", "--pipeline"), ("set", "--set"), ("channels", "--channels"), ("batch", "--batch"),
          ("report", "--report"), ("plugin", "--plugin"))  # fmt: skip


def bench_networks(options: argparse.Namespace) -> int:
    """Measure and print; see `app.commands.bench` for the options.

    Raises:
        InputError: no such network, or an option does not fit.
    """
    for name, spelled in UNUSED:
        if getattr(options, name):
            raise InputError(f"{spelled} is not for --networks; leave it out")
    if options.device != "cpu":
        raise InputError("--networks compares on the processor; leave --device out")
    if options.plot is not None:
        check_figure(options.plot)
    if options.pin and not pinning.available():
        raise InputError("--pin needs Linux; leave it out")
    hows = _hows(options)
    with tempfile.TemporaryDirectory(prefix="fusetrack-bench-") as folder:
        subjects = _subjects(options.networks, _size(options.size), Path(folder))
        seconds = options.seconds if options.seconds is not None else EACH * len(subjects) * len(hows)
        if not 0 < seconds <= 86400:
            raise InputError(f"--seconds takes a positive number up to 86400, not {seconds:g}")
        return _compare(options, subjects, hows, seconds)


def _hows(options: argparse.Namespace) -> list[How]:
    counts = options.threads or list(range(1, min(2, available()) + 1))
    loads = options.load or [0]
    for name, values, low, high in (("--threads", counts, 1, 256), ("--load", loads, 0, 256)):
        for value in values:
            if not low <= value <= high:
                raise InputError(f"{name} takes {low} to {high}, not {value}")
    return [How(count, load, options.pin) for count in counts for load in loads]


def _size(given: list[int] | None) -> int:
    if given and len(given) > 1:
        raise InputError("with --networks, --size is given once: what files leave open has one length")
    size = given[0] if given else SIZE
    if not 1 <= size <= 8192:
        raise InputError(f"--size takes 1 to 8192, not {size}")
    return size


def _subjects(given: Sequence[str], size: int, folder: Path) -> list[Subject]:
    """The networks of files and of names; all of ours where none is given."""
    found: list[Subject] = []
    for one in given or MADE:
        file = Path(one)
        if one in MADE:
            file = folder / f"{one}.onnx"
            file.write_bytes(MADE[one]())
        elif not file.exists():
            near = get_close_matches(one, MADE, n=1, cutoff=0.6)
            hint = f"did you mean {near[0]!r}?" if near else f"files end in .onnx, and there are: {', '.join(MADE)}"
            raise InputError(f"there is no file and no network {one!r}; {hint}")
        found.append(subject(file, one if one in MADE else file.stem, size))
    return found


def _compare(options: argparse.Namespace, subjects: Sequence[Subject], hows: Sequence[How], seconds: float) -> int:
    made = versions()
    console = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 140)
    console.print(f"[dim]{made['processor']}, {available()} processors; one process an engine, in turns[/]\n")
    results: list[NetworkResult] = []
    with arena(PEERS) as contenders, progress_bar(seconds, options.quiet) as progress:
        campaign = Campaign(_jobs(subjects, hows, contenders), seconds, progress)
        for result in campaign.run():
            results.append(result)
            show(console, result)
    show_all(console, results)
    last_words(console, campaign, len(results), (why for peer in PEERS if (why := peer.why_absent)))
    if results and options.json is not None:
        write_summary(options.json, {"versions": made, "networks": facts(results)})
    if results and options.csv is not None:
        write_bytes(options.csv, table_text(results).encode())
    if results and options.plot is not None:
        write_plot(options.plot, results, look_of_figure(options))
    return 130 if campaign.interrupted else 0


def _jobs(subjects: Sequence[Subject], hows: Sequence[How], contenders: Arena) -> list[Job[NetworkResult]]:
    """All networks with some threads before the next number of threads: processes are made for one."""
    return [Job(f"{one.name}, {threads(how.threads)}", partial(measure_network, one, how, contenders))
            for how in hows for one in subjects]  # fmt: skip
