"""The schedules of a plan's networks side by side, for `fusetrack plan --measure`: predicted, measured, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import combinations
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from kernels.codegen.layers_network import Network
from kernels.executors.base import compiled
from kernels.executors.cpu import CpuExecutor
from kernels.executors.layers import Array
from kernels.executors.layers_timed import Comparison, TimedSchedule, TimedStretch, compared
from kernels.executors.machine import Machine
from kernels.executors.networks import NetworkProgram
from kernels.ir.expr import postorder
from kernels.ir.volumes import has_volumes
from pipelines.fusing import Unit, fuse
from pipelines.graph import SOURCE, Bound, Ref
from pipelines.planning.explain import duration, size
from pipelines.planning.plan import Plan
from pipelines.planning.tuning import synthetic

TIE = 0.05
"""Schedules whose times differ by less than this share, predicted or measured, are as fast as each other."""
SECONDS = 3.0
"""A network."""
WORDS = {"layers": "layer by layer", "pairs": "pairs: DW+PW", "chosen": "chosen", "streamed": "all streamed"}
MOVES = {"contract": "copy", "window": "window", "load": "shifted", "gather": "resized", "stack": "joined",
         "mosaic": "interleaved", "rearranged": "put together anew", "input": "copy"}  # fmt: skip
"""What layers do that only move values; others compute them."""
MOST_STRETCHES = 12
"""That are listed."""


def schedules(bound: Bound, plan: Plan) -> list[tuple[int, Comparison]]:
    """Of each group of the plan that is a network its schedules, on one thread."""
    units = fuse(bound, plan.partition, bound.taps)
    return [(number, replace(compared(program, given, machine, SECONDS),
                             layers=layer_names(units[number - 1], program.layers.network)))
            for number, program, given, machine in networks(bound, units)]  # fmt: skip


def networks(
    bound: Bound, units: Sequence[Unit]
) -> Iterator[tuple[int, NetworkProgram, dict[int, Array], Machine]]:  # fmt: skip
    """The groups of a plan that are networks, for one thread: number, program, what its banks hold of a frame."""
    if not any(has_volumes(unit.body.roots) for unit in units):
        return
    executor = CpuExecutor(threads=1, cached=False)  # what was kept does not know its layers
    values: dict[Ref, Any] = {Ref(SOURCE): synthetic(bound.source, 1)}
    for number, unit in enumerate(units, 1):
        program = compiled(executor, unit.body)
        inputs = [None if ref is None else values[ref] for ref in unit.inputs]
        for name, data in program.run(inputs, {}).items():
            values[unit.outputs[name]] = data
        if isinstance(program, NetworkProgram):
            yield number, program, program.banks(inputs, {}), executor.machine


def weighted_nodes(unit: Unit) -> dict[str, str]:
    """The node of each contraction of a unit, by the digest of its weights: programs of equal bodies are kept, and with
    them weights that are others' objects."""
    return {part.arg.weights.digest: node.id for node in unit.nodes for part in postorder(node.body.roots)
            if part.op == "contract"}  # fmt: skip


def layer_names(unit: Unit, network: Network) -> tuple[str, ...]:
    """What people call the layers of a network, by number: the node that has its weights, taps and stride, or what it
    does; height x width x channels of the map that it makes, or part of it."""
    nodes = weighted_nodes(unit)
    found = []
    for layer in network.layers:
        value, look, how = layer.value, layer.looks[0], ""
        if layer.module != "move" and value is not None and value.op == "contract":
            name = nodes.get(value.arg.weights.digest, layer.module)
            how = f" {look.taps[0]}x{look.taps[1]}" + (f"/{look.stride[0]}" if look.stride[0] > 1 else "")
        else:
            kind = getattr(layer.kernels[0], "kind", "turned")
            name = f"{kind} pool" if kind in ("max", "min") else kind if kind != "sum" or value is None else (
                MOVES.get(value.op, value.op))  # fmt: skip
        there = network.maps[layer.place.map]
        found.append(f"{name}{how} {there.height}x{there.width}x{there.channels}")
    return tuple(found)


def against(made: Comparison) -> list[str]:
    """The pairs of schedules that come in another order than the predicted one."""
    return [f"{WORDS[a.name]} and {WORDS[b.name]}" for a, b in combinations(made.schedules, 2)
            if (a.predicted < b.predicted) != (a.measured < b.measured)
            and all(abs(x - y) > TIE * max(x, y)
                    for x, y in ((a.predicted, b.predicted), (a.measured, b.measured)))]  # fmt: skip


def schedule_facts(found: Sequence[tuple[int, Comparison]]) -> list[dict[str, object]]:
    """For machines."""
    return [{"group": number, **asdict(made), "against": against(made)} for number, made in found]


def show_schedules(console: Console, found: Sequence[tuple[int, Comparison]]) -> None:
    """Print them."""
    for number, made in found:
        console.print()
        console.print(_table(f"schedules of group {number} here, a frame on one thread", made.schedules))
        chosen = next(one for one in made.schedules if one.name == "chosen")
        if len(chosen.stretches) > 1:
            console.print(_stretches(chosen.stretches, made.layers))
        core, wrong = made.core, against(made)
        said = f"predicted the other way round: {', '.join(wrong)}" if wrong else "the order is the predicted one"
        console.print(f"[dim]{said} (within {TIE:.0%} schedules are as fast as each other); predicted for a core that "
                      f"makes {core.slots / 1e9:.2g} G vectors of multiply-adds a second and moves "
                      f"{core.near / 1e9:.0f} GB/s near, {core.shared / 1e9:.0f} GB/s beyond, measured meanwhile; "
                      "least processor time of all rounds; bytes are counted in the running program[/]")  # fmt: skip


def _table(title: str, made: Sequence[TimedSchedule]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0), title=title,
                  title_justify="left", title_style="bold")  # fmt: skip
    table.add_column("")
    for name in ("runs", "predicted", "measured", "ratio", "activations", "less", "weights", "rows"):
        table.add_column(name, justify="right", no_wrap=True)
    first = made[0].accesses
    for one in made:
        moved = one.accesses.read + one.accesses.written
        fewer = (first.read + first.written) / max(moved, 1)
        table.add_row(WORDS[one.name], str(len(one.stretches)), *_times(one), size(moved), f"{fewer:.0f} x",
                      size(one.accesses.weights), size(one.accesses.rings))  # fmt: skip
    return table


def _stretches(made: Sequence[TimedStretch], layers: Sequence[str]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0), title="runs of the chosen one",
                  title_justify="left", title_style="bold")  # fmt: skip
    table.add_column("from, to")
    table.add_column("layers")
    for name in ("predicted", "measured", "ratio"):
        table.add_column(name, justify="right", no_wrap=True)
    shown = sorted(made, key=lambda one: -one.measured)[:MOST_STRETCHES]
    for one in made:
        if one in shown:
            kinds = ", ".join(f"{many} {kind}" for kind, many in Counter(one.modules).items())
            ends = dict.fromkeys((one.layers[0], one.layers[-1]))
            names = "\n".join(layers[k] if k < len(layers) else f"layer {k}" for k in ends)
            table.add_row(escape(names), kinds, *_times(one))
    if len(made) > len(shown):
        rest = [one for one in made if one not in shown]
        table.add_row(f"{len(rest)} shorter ones", f"{sum(len(one.modules) for one in rest)} layers",
                      duration(sum(one.predicted for one in rest)), duration(sum(one.measured for one in rest)),
                      "")  # fmt: skip
    return table


def _times(one: TimedSchedule | TimedStretch) -> tuple[str, str, str]:
    return duration(one.predicted), duration(one.measured), f"{one.measured / max(one.predicted, 1e-12):.2f}"
