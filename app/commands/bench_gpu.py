"""`fusetrack bench --device cuda`: the chains on a GPU."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from app.benchmark.chains import CHAINS
from app.benchmark.gpu_measure import GpuMeasurement, Rig
from app.benchmark.gpu_report import case_lines, report
from app.benchmark.gpu_results import BATCH, CHANNELS, FRAMES, Case, GpuResult, gpu_json
from app.benchmark.gpu_rig import cuda_rig
from app.files.summary import versions, write_summary
from app.version import __version__
from kernels.errors import InputError
from kernels.executors.cuda_calibration import calibrate_gpu
from kernels.executors.cuda_clock import gpu_facts
from pipelines.planning.devices import usable

EACH = 6.0
"""Seconds a case, making ready not included."""
FIT = tuple(name for name in CHAINS if name != "features")
"""The chains of images alone; `features` ends in a table."""
UNUSED = (("pipeline", "--pipeline"), ("set", "--set"), ("channels", "--channels"), ("threads", "--threads"),
          ("pin", "--pin"), ("load", "--load"), ("plot", "--plot"))  # fmt: skip


def bench_gpu(options: argparse.Namespace) -> int:
    """Measure and print; see `app.commands.bench` for the options.

    Raises:
        InputError: there is no GPU that can be used, or an option does not fit.
    """
    for name, spelled in UNUSED:
        if getattr(options, name):
            raise InputError(f"{spelled} is for the processor; leave it out with --device {options.device}")
    chains = options.chains or ["seed"]
    for name in chains:
        if name not in FIT:
            raise InputError(f"{name} is not timed on a GPU; there are: {', '.join(FIT)}")
    cases = _cases(options.size, options.batch)
    rig, device, left_out = cuda_rig(int(options.device.partition(":")[2] or 0))
    facts = gpu_facts(device)
    seconds = (options.seconds or EACH * len(chains) * len(cases)) / (len(chains) * len(cases))
    results: list[GpuResult] = []
    console = Console(highlight=False, soft_wrap=True)
    if not options.report:
        console.print(f"{facts['gpu']} ({facts['architecture']}), driver {facts['driver']}\n", markup=False)
    interrupted = False
    try:
        with usable():
            limits = calibrate_gpu(device, rig.clock)
            bounds = limits.copy, limits.up, limits.down
            for result in _measured(rig, chains, cases, seconds, bounds, left_out, options.quiet):
                results.append(result)
                if not options.report:
                    console.print("\n".join(case_lines(result)) + "\n", markup=False)
    except KeyboardInterrupt:
        interrupted = True
    finally:  # what was measured before memory ran out is not lost
        date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        if results and options.report:
            print(report(facts, results, date, __version__), end="")
        if results and options.json is not None:
            write_summary(options.json, {"versions": versions(), "date": date, **gpu_json(facts, results)})
    return 130 if interrupted else 0


def _cases(sizes: Sequence[int] | None, batches: Sequence[int] | None) -> list[Case]:
    for name, values, low, high in (("--size", sizes or (), 16, 8192), ("--batch", batches or (), 1, 1024)):
        for value in values:
            if not low <= value <= high:
                raise InputError(f"{name} takes {low} to {high}, not {value}")
    frames = [(size, size) for size in sizes] if sizes else list(FRAMES)
    return [Case(*size, channels, batch) for size in frames for channels in CHANNELS for batch in batches or (BATCH,)]


def _measured(
    rig: Rig, chains: Sequence[str], cases: Sequence[Case], seconds: float, limits: tuple[float, float, float],
    left_out: Sequence[str], quiet: bool,
) -> Any:  # fmt: skip
    """The results as they come."""
    todo = [(name, case) for name in chains for case in cases if _fits(name, case)]
    if not todo:
        raise InputError(f"{', '.join(chains)} takes mono frames")
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    off = quiet or not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False, disable=off) as bar:
        task = bar.add_task("", total=len(todo))
        for number, (name, case) in enumerate(todo):
            bar.update(task, completed=number, description=f"{name} {case}", refresh=True)
            tick: Callable[[], Any] = bar.refresh
            measurement = GpuMeasurement(rig, CHAINS[name], case)
            measurement.left_out += left_out
            yield measurement.result(seconds, limits, tick)


def _fits(name: str, case: Case) -> bool:
    """Chains that do not begin with gray take mono frames only."""
    return case.channels == 1 or CHAINS[name].channels == 4
