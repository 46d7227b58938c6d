"""What a plan really takes on this machine, group by group beside the prediction; and which groups are the fastest."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.commands.schedules import schedule_facts, schedules, show_schedules
from kernels.errors import DefinitionError, InputError
from kernels.executors.base import Executor, executor
from pipelines.fusing import largest_groups
from pipelines.graph import Bound
from pipelines.planning.candidates import FEWEST
from pipelines.planning.devices import gpu
from pipelines.planning.explain import duration
from pipelines.planning.plan import Plan
from pipelines.planning.planner import Planner, Wishes
from pipelines.planning.tuning import BATCH, Measured, Patience, Timed, Trial, Tuned, synthetic, time_partitions, tune

TIE = 0.10
"""Two plans whose times differ by less than this share are as fast as each other."""
UNSTEADY = 0.3
WAYS = ("no fusing", "best", "all fusing")


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("--measure", action="store_true", help="run the plan here: predicted and measured, by group")
    command.add_argument("--tune", action="store_true",
                         help="time the best plans here; `fusetrack run` uses the fastest from then on")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One group, or all of a plan's together: seconds a frame."""

    predicted: float
    measured: Timed

    @property
    def ratio(self) -> float:
        return self.measured.median / self.predicted


@dataclass(frozen=True, slots=True)
class Comparison:
    """Plans by name: groups, the whole; and whether they come in the order that was predicted."""

    groups: Mapping[str, tuple[Row, ...]]
    whole: Mapping[str, Row]
    against: tuple[str, ...]
    remark: str

    @property
    def agrees(self) -> bool:
        return not self.against


def compared(plans: Mapping[str, Plan], measured: Mapping[str, Measured]) -> Comparison:
    """Predictions beside measurements; host stages are in neither."""
    groups: dict[str, tuple[Row, ...]] = {}
    whole: dict[str, Row] = {}
    for name, plan in plans.items():
        ours = [g for g in plan.groups if g.executor != "host"]
        predicted = {"+".join(g.nodes): g.estimate.seconds for g in ours}
        units = measured[name].units
        if len(ours) == len(units):
            pairs = [Row(g.estimate.seconds, u) for g, u in zip(ours, units, strict=True)]
        else:  # copies that nothing reads are left out
            pairs = [Row(predicted[u.name], u) for u in units if u.name in predicted]
        groups[name] = tuple(pairs)
        whole[name] = Row(sum(predicted.values()), measured[name].whole)
    against = tuple(f"{a} and {b}" for a, b in combinations(whole, 2) if not _same_order(whole[a], whole[b]))
    spread = max((row.measured.spread for row in whole.values()), default=0.0)
    remark = "" if spread <= UNSTEADY else (
        f"the machine was busy: half of the turns lie {spread:.0%} of their median apart; measure again when nothing "
        "else runs")  # fmt: skip
    return Comparison(groups, whole, against, remark)


def _same_order(a: Row, b: Row) -> bool:
    """Whether two plans come in the same order in both, or are as fast as each other in one of the two."""
    for x, y in ((a.predicted, b.predicted), (a.measured.median, b.measured.median)):
        if abs(x - y) <= TIE * max(x, y):
            return True
    return (a.predicted < b.predicted) == (a.measured.median < b.measured.median)


def present(planner: Planner) -> bool:
    """Whether the plan is for a GPU that is here."""
    return planner.device.name.partition(":")[2].isdecimal()


def back_end(planner: Planner, option: str) -> Executor:
    """What runs plans here.

    Raises:
        InputError: the plan is for another device, or there is no compiled back end.
    """
    name = planner.device.name
    if present(planner):
        return executor(name)
    if planner.device.kind != "cpu" or planner.device.scratchpad:
        raise InputError(f"{option} runs the plan on this computer, not on {name}; leave out --device")
    return executor("cpu")


def measure(bound: Bound, planner: Planner, plan: Plan, wishes: Wishes, seconds: float = 4.0) -> Comparison:
    """The plan, the one without fusing and the one with all of it, timed here in turns."""
    runs = back_end(planner, "--measure")
    same = Wishes(wishes.fps, 0.0, plan.batch, tile=wishes.tile)
    plans: dict[str, Plan] = {}
    with suppress(DefinitionError):
        plans["no fusing"] = planner.unfused(same)
    plans |= {"best": plan, "all fusing": planner.plan(same, FEWEST)}
    frames = synthetic(bound.source, plan.batch)
    distinct = list(dict.fromkeys(p.partition for p in plans.values()))  # the same plan twice would measure noise
    timed = time_partitions(Trial(bound, bound.taps, runs, frames), distinct,
                            Patience(seconds, compiling=math.inf))  # fmt: skip
    times = dict(zip(distinct, timed, strict=True))
    return compared(plans, {name: times[p.partition] for name, p in plans.items()})


def tuned(bound: Bound, planner: Planner, wishes: Wishes) -> Tuned:
    """The fastest groups, kept for `fusetrack run`."""
    runs = back_end(planner, "--tune")
    wanted = tuple(dict.fromkeys((*bound.taps, bound.picture)))  # what a run asks for
    batch = wishes.batch or BATCH
    machine = gpu(int(planner.device.name.partition(":")[2])).facts if present(planner) else None
    trial = Trial(bound, wanted, runs, synthetic(bound.source, batch))
    return tune(trial, planner.device, also=[largest_groups(bound, wanted)], machine=machine,
                patience=Patience(notify=lambda text: print(text, file=sys.stderr, flush=True)))  # fmt: skip


def show(options: argparse.Namespace, bound: Bound, planner: Planner, plan: Plan, wishes: Wishes) -> dict[str, Any]:
    """Measure and tune as the options ask for; prints, or with --json returns the facts."""
    facts: dict[str, Any] = {}
    console = Console(highlight=False)
    if options.measure:
        comparison = measure(bound, planner, plan, wishes)
        facts["measured"] = _facts(comparison)
        networks = schedules(bound, plan) if planner.device.kind == "cpu" else []
        facts["schedules"] = schedule_facts(networks)
        if not options.json:
            _print(console, comparison)
            show_schedules(console, networks)
    if options.tune:
        found = tuned(bound, planner, wishes)
        timed = [{"groups": m.groups, "seconds": asdict(m.whole)} for m in found.measured]
        facts["tuned"] = {"groups": found.groups, "remark": found.remark, "timed": timed}
        if not options.json:
            _print_tuned(console, found)
    return facts


def _facts(c: Comparison) -> dict[str, Any]:
    def row(r: Row) -> dict[str, Any]:
        return {"predicted": r.predicted, "median": r.measured.median, "low": r.measured.low, "high": r.measured.high,
                "ratio": r.ratio}  # fmt: skip

    plans = {name: {**row(r), "groups": {g.measured.name: row(g) for g in c.groups[name]}}
             for name, r in c.whole.items()}  # fmt: skip
    return {"plans": plans, "ranking_agrees": c.agrees, "against": c.against, "tie": TIE, "remark": c.remark}


def _print(console: Console, c: Comparison) -> None:
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0), title="here, a frame",
                  title_justify="left", title_style="bold")  # fmt: skip
    table.add_column("")
    for name in ("predicted", "measured", "quartiles", "ratio"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, row in c.whole.items():
        table.add_row(f"[bold]{name}[/]", *_cells(row))
        if name != "best" and c.groups[name] == c.groups.get("best"):
            table.add_row("  [dim]the same groups as best[/]", "", "", "", "")
            continue
        for group in c.groups[name]:
            table.add_row(f"  {escape(group.measured.name)}", *_cells(group))
    console.print()
    console.print(table)
    said = "the order is the predicted one" if c.agrees else f"predicted the other way round: {', '.join(c.against)}"
    console.print(f"[dim]{said} (within {TIE:.0%} plans are as fast as each other); without the host stages[/]")
    if c.remark:
        console.print(f"[yellow]{c.remark}[/]")


def _cells(row: Row) -> Sequence[str]:
    t = row.measured
    return (duration(row.predicted), duration(t.median), f"{duration(t.low)} - {duration(t.high)}", f"{row.ratio:.2f}")


def _print_tuned(console: Console, found: Tuned) -> None:
    console.print()
    console.print("[bold]timed, a frame[/]")
    for m in found.measured:
        mark, names = "kept" if m.groups == found.groups else "", " | ".join("+".join(g) for g in m.groups)
        spread = f"({duration(m.whole.low)} - {duration(m.whole.high)})"
        console.print(f"  {duration(m.whole.median):>8}  {spread:21} {mark:4}  {escape(names)}", soft_wrap=True)
    console.print(f"[yellow]{found.remark}[/]" if found.remark else "[dim]`fusetrack run` uses the kept groups for "
                  "this pipeline and type of frame[/]")  # fmt: skip
