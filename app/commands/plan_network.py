"""A bare network for `fusetrack plan NET.onnx`, and the table of the layers of a plan."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from kernels.ir.image import F32, U8, DType, ImageType
from kernels.networks import onnx_reader
from pipelines.definition import loads
from pipelines.graph import Pipeline, bind
from pipelines.planning.explain import size
from pipelines.planning.layers import Run, layer_runs
from pipelines.planning.modules import ModuleRow
from pipelines.planning.plan import Plan
from pipelines.planning.planner import Planner

NODE = "net"
COLOURS = (1, 3)
"""Channels of a picture; a network that takes others is planned for what it takes, as floats."""
MOST_NAMES = 3
"""Layers of a run that are named at its ends."""


def is_network(name: str) -> bool:
    """Whether a plan is asked for a network's file."""
    return name.lower().endswith(".onnx")


def frame_of(file: str, asked: tuple[int, int] | None, dtype: DType | None, channels: int | None) -> ImageType:
    """The frame that a network's file is planned for: as the user says, else as it takes it.

    Args:
        asked: (width, height); None where the user says nothing.

    Raises:
        DefinitionError: the file is no ONNX model.
    """
    model = onnx_reader.read(file)
    shape = model.inputs[0].shape if model.inputs else None
    axes = [n if isinstance(n, int) and n > 0 else 0 for n in shape or ()]
    own, height, width = 3, 0, 0
    if len(axes) == 4:
        last = axes[1] not in COLOURS and axes[3] in COLOURS
        own, height, width = (axes[3], axes[1], axes[2]) if last else (axes[1] or 3, axes[2], axes[3])
    channels = channels or own
    width, height = asked or (width or 1024, height or 1024)
    return ImageType(dtype or (U8 if channels in COLOURS else F32), height, width, channels)


def pipeline_of(file: str, kind: ImageType) -> Pipeline:
    """A pipeline of one stage, of which all outputs are kept.

    Raises:
        DefinitionError: the network cannot be a stage.
    """

    def text(taps: Sequence[str]) -> str:
        return (f"name = {json.dumps(Path(file).stem)}\ntaps = {json.dumps(list(taps))}\n[stages.{NODE}]\n"
                f"use = \"network\"\nmodel = {json.dumps(str(Path(file).absolute()))}\n")  # fmt: skip

    found = loads(text([NODE]), file)
    outputs = [output.name for output in bind(found, kind).nodes[-1].body.outputs]
    return loads(text([f"{NODE}.{name}" for name in outputs]), file) if len(outputs) > 1 else found


def runs_of(planner: Planner, plan: Plan) -> list[tuple[int, Run]]:
    """The runs of layers of each group, by its number."""
    return [(number, run) for number, group in enumerate(plan.groups, 1)
            for run in layer_runs(planner.work, group.nodes, planner.device)]  # fmt: skip


def layer_facts(runs: Sequence[tuple[int, Run]]) -> list[dict[str, object]]:
    """The same for machines."""
    return [{"group": number, **asdict(run), "modules": dict(run.modules)} for number, run in runs]


def layer_table(runs: Sequence[tuple[int, Run]]) -> tuple[Table, str]:
    """Runs of layers, and in a line what streaming saves."""
    table = Table("", "layers", "kind", "schedule", box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("MMAC", "one by one", "streamed", "rows", "weights"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("why so")
    for number, run in runs:
        count = len(run.nodes)
        ends = run.nodes if count <= MOST_NAMES else (run.nodes[0], f"{count - 2} more", run.nodes[-1])
        kind = run.kind
        if kind in ("chain", "siblings"):
            kind += ": " + ", ".join(f"{many} {name}" for name, many in run.modules)
        table.add_row(str(number), escape(", ".join(ends)), kind, run.schedule, f"{run.macs / 1e6:.1f}",
                      size(run.before), size(run.after), size(run.rings), size(run.weights), run.why)  # fmt: skip
    before, after = (sum(getattr(run, name) for _, run in runs) for name in ("before", "after"))
    weights = sum(run.weights for _, run in runs)
    line = (f"layers one by one move {size(before)} of activations a frame, in these runs {size(after)}: "
            f"{before / max(after, 1):.0f} x less, {(before + weights) / max(after + weights, 1):.0f} x with "
            "weights")  # fmt: skip
    return table, line


def module_table(rows: Sequence[tuple[int, ModuleRow]]) -> tuple[Table, str]:
    """The modules of a GPU's programs, and in a line what they save."""
    table = Table("", "kernel", "layers", "schedule", box=None, header_style="bold", pad_edge=False,
                  padding=(0, 1, 0, 0))  # fmt: skip
    for name in ("tile", "blocks", "MMAC", "again", "one by one", "moved", "weights", "shared", "registers",
                 "resident"):  # fmt: skip
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("why so")
    for number, row in rows:
        counts = {kind: row.layers.count(kind) for kind in dict.fromkeys(row.layers)}
        table.add_row(str(number), row.kind, ", ".join(f"{n} {kind}" for kind, n in counts.items()),
                      row.schedule, f"{row.tile[0]}x{row.tile[1]}", str(row.blocks), f"{row.macs / 1e6:.1f}",
                      f"{row.again:.0%}", size(row.alone), size(row.moved), size(row.weights), size(row.shared),
                      str(row.registers), f"{row.resident} ({row.share:.0%}, {row.held})", row.why)  # fmt: skip
    before, after = sum(row.alone for _, row in rows), sum(row.moved for _, row in rows)
    fewer = 1 - after / max(before, 1)
    return table, (f"layers one by one, each with its best tile, move {size(before)} of activations a frame, in these "
                   f"kernels {size(after)}: {fewer:.0%} fewer; again: multiply-adds of halos; resident: "
                   "blocks that a multiprocessor holds, the share of its threads, and what is short")  # fmt: skip
