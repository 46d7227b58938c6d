"""The schedules of a plan's networks side by side, for `fusetrack plan --measure`: predicted, measured, counted.

Of each network a table of times (all four schedules, their places by what is predicted and by what is measured, and how
many of their runs are predicted within a quarter of what they take), one of the chosen schedule's runs, one of bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
from kernels.fusion.layers_runs import Core
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
NEAR = 0.25
"""A run is well predicted if what it takes differs from that by this share of it at most."""


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


def places(times: Sequence[float]) -> list[int]:
    """The place of each in their order: 1, and one more for each that is faster by more than a tie.

    >>> places([100.0, 90.0, 91.0])
    [3, 1, 1]
    """
    return [1 + sum(one < time * (1 - TIE) for one in times) for time in times]


def near(made: Iterable[TimedStretch]) -> int:
    """How many runs take what is predicted, within a quarter of what they take."""
    return sum(abs(one.predicted - one.measured) <= NEAR * one.measured for one in made)


def faster(made: Comparison) -> list[str]:
    """The schedules that take less than the chosen one here."""
    chosen = next(one for one in made.schedules if one.name == "chosen")
    return [one.name for one in made.schedules if one.measured < chosen.measured * (1 - TIE)]


def schedule_facts(found: Sequence[tuple[int, Comparison]]) -> list[dict[str, object]]:
    """For machines."""
    return [
        {"group": number, **asdict(made), "against": against(made), "faster_than_chosen": faster(made),
         "near": {one.name: near(one.stretches) for one in made.schedules},
         "places": {how: dict(zip((one.name for one in made.schedules),
                                  places([getattr(one, how) for one in made.schedules]), strict=True))
                    for how in ("predicted", "measured")}}
        for number, made in found
    ]  # fmt: skip


def show_schedules(console: Console, found: Sequence[tuple[int, Comparison]]) -> None:
    """Print them."""
    for number, made in found:
        chosen = next(one for one in made.schedules if one.name == "chosen")
        tables = [_times_table(f"schedules of group {number} here, a frame on one thread", made.schedules)]
        if len(chosen.stretches) > 1:
            tables.append(_stretches(chosen.stretches, made.layers))
        tables.append(_bytes_table(made.schedules))
        for table in tables:
            console.print()
            console.print(table)
        console.print(f"[dim]{_verdict(made)}\n{_legend(made.core)}[/]")


def _legend(core: Core) -> str:
    return (f"#: places by what is predicted, and by what is measured (within {TIE:.0%} schedules are as fast as each "
            f"other); near: runs predicted within {NEAR:.0%} of what they take; measured: least processor time of all "
            "rounds; late: how far above it three of four rounds stay at most; predicted for a core that makes "
            f"{core.slots / 1e9:.2g} G vectors of multiply-adds a second and moves {core.near / 1e9:.0f} GB/s near, "
            f"{core.shared / 1e9:.0f} GB/s beyond, measured meanwhile; bytes are counted in the running program, and "
            "predicted with the room behind channels")  # fmt: skip


def _verdict(made: Comparison) -> str:
    """Whether the order is as predicted, and whether the chosen schedule is the fastest."""
    wrong, better = against(made), faster(made)
    order = f"predicted the other way round: {', '.join(wrong)}" if wrong else "the order is the predicted one"
    if not better:
        return f"{order}; no schedule takes less than the chosen one"
    return f"{order}; less than the chosen one takes: {', '.join(WORDS[name] for name in better)}"


def _new_table(title: str, *columns: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0), title=title,
                  title_justify="left", title_style="bold")  # fmt: skip
    for name in columns:
        table.add_column(name, justify="right" if name else "left", no_wrap=True)
    return table


def _times_table(title: str, made: Sequence[TimedSchedule]) -> Table:
    table = _new_table(title, "", "runs", "near", "predicted", "#", "measured", "#", "late", "ratio")
    orders = (places([one.predicted for one in made]), places([one.measured for one in made]))
    for one, *place in zip(made, *orders, strict=True):
        predicted, measured, late, ratio = _times(one)
        table.add_row(WORDS[one.name], str(len(one.stretches)), str(near(one.stretches)), predicted, str(place[0]),
                      measured, str(place[1]), late, ratio)  # fmt: skip
    return table


def _bytes_table(made: Sequence[TimedSchedule]) -> Table:
    table = _new_table("bytes that they move", "", "activations", "counted", "less", "weights", "counted", "rows",
                       "counted")  # fmt: skip
    first = made[0].accesses
    for one in made:
        counted = one.accesses.read + one.accesses.written
        fewer = (first.read + first.written) / max(counted, 1)
        table.add_row(WORDS[one.name], size(one.moved.activations), size(counted), f"{fewer:.0f} x",
                      size(one.moved.weights), size(one.accesses.weights), size(one.moved.rings),
                      size(one.accesses.rings))  # fmt: skip
    return table


def _stretches(made: Sequence[TimedStretch], layers: Sequence[str]) -> Table:
    table = _new_table(f"runs of the chosen one, {near(made)} of {len(made)} near")
    table.add_column("from, to")
    table.add_column("layers")
    for name in ("predicted", "measured", "late", "ratio"):
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
                      "", f"{near(rest)} near")  # fmt: skip
    return table


def _times(one: TimedSchedule | TimedStretch) -> tuple[str, str, str, str]:
    return (duration(one.predicted), duration(one.measured), f"{one.usual / max(one.measured, 1e-12) - 1:.0%}",
            f"{one.measured / max(one.predicted, 1e-12):.2f}")
