"""`fusetrack plan NET.onnx --model gma`: what published cost models say of the layers of a network."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from kernels.errors import InputError
from kernels.executors.base import DeviceModel
from kernels.fusion.models import convfusion, gma
from kernels.fusion.models.layer import Layer
from pipelines.graph import Bound
from pipelines.planning.explain import size
from pipelines.planning.network_layers import network_layers

MODELS = {
    "gma": "FusePlanner's global memory accesses of pairs of depthwise and pointwise layers (Qararyah et al. 2024)",
    "convfusion": "ConvFusion's accesses, footprint and compute of fused schedules (Waeijen et al. 2021)",
}


def add(command: argparse.ArgumentParser) -> None:
    """Declare the argument."""
    command.add_argument("--model", choices=tuple(MODELS), help="print what a published cost model says of a network's "
                         f"layers, nothing else: {'; '.join(f'{k}: {v}' for k, v in MODELS.items())}")  # fmt: skip


def show_model(options: argparse.Namespace, bound: Bound, device: DeviceModel) -> None:
    """Print what the chosen model says.

    Raises:
        InputError: there are no layers, or another option does not go with it.
    """
    for option in ("measure", "tune", "source", "instructions", "dot", "svg", "plot", "fuse", "cut", "tile", "latency"):
        if getattr(options, option, None):
            raise InputError(f"--model prints the tables of a published model; it has no --{option}")
    layers = network_layers(bound)
    if not layers:
        raise InputError("--model is about convolution layers; this pipeline has none")
    console = Console(highlight=False)
    if options.model == "gma":
        found = gma.plan(layers, device.block_bytes, device.units)
        if options.json:
            print(json.dumps({"model": "gma", "twice": found.twice, **asdict(found)}, indent=1))
        else:
            _gma(console, layers, found, device)
        return
    made = convfusion.plan(layers)
    if options.json:
        print(json.dumps({"model": "convfusion", **asdict(made)}, indent=1))
    else:
        _convfusion(console, layers, made)


def _names(layers: Sequence[Layer], numbers: Sequence[int]) -> str:
    names = [layers[k].name for k in numbers]
    shown = names if len(names) <= 3 else [names[0], f"{len(names) - 2} more", names[-1]]
    return escape(", ".join(shown))


def _table(*columns: str) -> Table:
    table = Table(*columns[:2], box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))
    for name in columns[2:]:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _gma(console: Console, layers: Sequence[Layer], found: gma.GmaPlan, device: DeviceModel) -> None:
    console.print(f"[bold]{MODELS['gma']}[/]: elements a frame; {size(device.block_bytes)} of shared memory a block, "
                  f"{device.units} multiprocessors ({device.name})\n")  # fmt: skip
    table = _table("layers", "module", "tile", "filters", "alone", "accesses", "saved", "shared")
    for one in found.chosen:
        before = sum(found.alone[k].accesses for k in one.layers)
        tiles = one.tiles
        table.add_row(_names(layers, one.layers), one.kind, f"{tiles.columns}x{tiles.rows}", str(tiles.filters),
                      f"{before}", f"{one.accesses}", f"{1 - one.accesses / before:.0%}", size(one.room))  # fmt: skip
    console.print(table)
    before, after = sum(one.accesses for one in found.alone), sum(one.accesses for one in found.chosen)
    how = "no other partition into layers and pairs moves less" if found.proven else "the best in this order of layers"
    console.print(f"[dim]layer by layer {before} elements, with these pairs {after}: {1 - after / before:.0%} fewer; "
                  f"{how}[/]")  # fmt: skip
    console.print(f"[dim]decided pair by pair, as published: {len(found.pairs)} of {found.neighbours} pairs of "
                  f"neighbours move less than their layers, and {len(found.twice)} of {len(layers)} layers are in two "
                  "of them[/]")  # fmt: skip


def _convfusion(console: Console, layers: Sequence[Layer], made: convfusion.NetworkFront) -> None:
    console.print(f"[bold]{MODELS['convfusion']}[/]: elements and multiply-adds a frame\n")
    table = _table("segments", "layers of each", "accesses", "of weights", "fewer", "footprint", "MMAC", "again")
    alone = made.alone.values
    for network in (*made.front, made.alone):
        accesses, footprint, macs = network.values
        lengths = [len(one.layers) for one in network.segments]
        shown = ", ".join(map(str, lengths[:12])) + (", ..." if len(lengths) > 12 else "")
        table.add_row("layer by layer" if network is made.alone else str(len(lengths)), shown, str(accesses),
                      str(sum(one.weights for one in network.segments)), f"{alone[0] / accesses:.1f} x",
                      str(footprint), f"{macs / 1e6:.1f}", f"{1 - alone[2] / macs:.0%}")  # fmt: skip
    console.print(table)
    best = made.front[0]
    table = _table("layers", "how", "tile", "accesses", "footprint", "MMAC")
    for one in best.segments:
        table.add_row(_names(layers, one.layers), one.how, f"{one.tile[1]}x{one.tile[0]}", str(one.accesses),
                      str(one.footprint), f"{one.macs / 1e6:.1f}")  # fmt: skip
    console.print("\nthe fewest accesses:")
    console.print(table)
    maps = [sum(one.accesses - one.weights for one in network.segments) for network in (made.alone, best)]
    console.print(f"[dim]of maps alone {maps[0]} elements layer by layer, {maps[1]} so: {maps[0] / maps[1]:.0f} x "
                  "fewer (of time that says nothing: fusing saves some only where maps do not fit a cache)[/]")
