"""A bare network for `fusetrack plan NET.onnx`, and the table of the layers of a plan."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import MappingProxyType

from rich.markup import escape
from rich.table import Table

from kernels.errors import DefinitionError
from kernels.ir.image import F32, U8, DType, ImageType
from kernels.networks import onnx_reader
from pipelines.definition import loads
from pipelines.graph import Bound, Pipeline, Ref, bind
from pipelines.planning.explain import duration, size
from pipelines.planning.layers import Run, layer_runs
from pipelines.planning.modules import ModuleRow
from pipelines.planning.plan import Plan
from pipelines.planning.planner import Planner

NODE = "net"
COLOURS = (1, 3)
"""Channels of a picture; a network that takes others is planned for what it takes, as floats."""
KINDS = ("DW: depthwise, PW: pointwise (1x1), conv: other convolutions, DWPW: one behind the other, siblings: "
         "convolutions of one value, as one where they look alike")  # fmt: skip
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
        DefinitionError: the file is not there, or no ONNX model.
    """
    if not Path(file).exists():
        raise DefinitionError(f"{file}: there is no such file")
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


def pipeline_of(file: str, kind: ImageType, settings: Mapping[str, object] = MappingProxyType({})) -> Pipeline:
    """A pipeline of one stage, of which all outputs are kept; arguments and errors as of `bound_network`."""
    return bound_network(file, kind, settings)[0]


def bound_network(
    file: str, kind: ImageType, settings: Mapping[str, object] = MappingProxyType({})
) -> tuple[Pipeline, Bound]:
    """The same, and bound to its frames: a network is read once.

    Args:
        settings: values by "node.param".

    Raises:
        DefinitionError: the network cannot be a stage.
    """

    def text(taps: Sequence[str]) -> str:
        return (f"name = {json.dumps(Path(file).stem)}\ntaps = {json.dumps(list(taps))}\n[stages.{NODE}]\n"
                f"use = \"network\"\nmodel = {json.dumps(str(Path(file).absolute()))}\n")  # fmt: skip

    found = loads(text([NODE]), file).with_settings(settings)
    bound = bind(found, kind)
    outputs = [output.name for output in bound.nodes[-1].body.outputs]
    if len(outputs) == 1:
        return found, bound
    every = loads(text([f"{NODE}.{name}" for name in outputs]), file).with_settings(settings)
    return every, bound.asking([Ref(NODE, name) for name in outputs])


def runs_of(planner: Planner, plan: Plan) -> list[tuple[int, Run]]:
    """The runs of layers of each group, by its number; of an accelerator a group is one, and takes what that does."""
    found = [(number, group, run) for number, group in enumerate(plan.groups, 1)
             for run in layer_runs(planner.work, group.nodes, planner.device)]  # fmt: skip
    return [(number, replace(run, seconds=group.estimate.seconds) if planner.device.scratchpad else run)
            for number, group, run in found]  # fmt: skip


def layer_facts(runs: Sequence[tuple[int, Run]]) -> list[dict[str, object]]:
    """The same for machines."""
    return [{"group": number, **asdict(run), "modules": dict(run.modules)} for number, run in runs]


def layer_table(runs: Sequence[tuple[int, Run]], where: str = "one core") -> tuple[Table, str]:
    """Runs of layers, and in a line what streaming saves; times are those of `where`."""
    table = Table("", "runs of layers", "kinds", "schedule", box=None, header_style="bold", pad_edge=False,
                  padding=(0, 1, 0, 0))  # fmt: skip
    for name in ("MMAC", "one by one", "streamed", "rows", "weights", "time"):
        table.add_column(name, justify="right", no_wrap=True)
    why: dict[str, list[str]] = {}
    for place, (number, run) in enumerate(runs, 1):
        why.setdefault(run.why, []).append(str(place))
        count = len(run.nodes)
        ends = run.nodes if count <= MOST_NAMES else (run.nodes[0], f"{count - 2} more", run.nodes[-1])
        kind = run.kind
        if kind in ("chain", "siblings"):
            kind += ": " + ", ".join(f"{many} {name}" for name, many in run.modules)
        table.add_row(str(number), escape(", ".join(ends)), kind, run.schedule, f"{run.macs / 1e6:.1f}",
                      size(run.before), size(run.after), size(run.rings), size(run.weights),
                      duration(run.seconds))  # fmt: skip
    before, after = (sum(getattr(run, name) for _, run in runs) for name in ("before", "after"))
    weights = sum(run.weights for _, run in runs)
    line = (f"a frame on {where}; {KINDS}; one by one, streamed: bytes of activations read and written, layer by "
            "layer and where rows go through all layers of a run; rows: those at hand\n"
            f"layers one by one move {size(before)} of activations a frame, in these runs {size(after)}: "
            f"{before / max(after, 1):.0f} x less, {(before + weights) / max(after + weights, 1):.0f} x with "
            "weights")  # fmt: skip
    gap = max(run.gap for _, run in runs)
    line += (f"\nother runs, in this or another order of the layers, may take {gap:.1%} less" if gap else
             "\nno other runs, in no order of the layers, are predicted to take less")  # fmt: skip
    for words, places in why.items():
        line += f"\n{'' if len(runs) == 1 else f'run {places[0]}: ' if len(places) == 1 else _listed(places)}{words}"
    return table, line


def _listed(places: Sequence[str]) -> str:
    shown = places if len(places) <= 2 * MOST_NAMES else (*places[:MOST_NAMES], "...", places[-1])
    return f"runs {', '.join(shown)}: "


def module_table(rows: Sequence[tuple[int, ModuleRow]]) -> tuple[Table, str]:
    """The modules of a GPU's programs, and in a line what they save."""
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("", "kernel"):
        table.add_column(name, no_wrap=True)
    for name in ("tile", "blocks", "MMAC", "alone", "moved", "weights", "shared", "regs", "resident"):
        table.add_column(name, justify="right", no_wrap=True)  # as wide as a terminal of 80 columns
    notes, kernels = [], Counter[int]()
    for number, row in rows:
        kernels[number] += 1
        place = f"{number}.{kernels[number]}"
        layers = ", ".join(f"{row.layers.count(kind)} {kind}" for kind in dict.fromkeys(row.layers))
        again = f"{row.schedule}: {row.again:.0%} of the multiply-adds" if row.again > 0 else row.schedule
        said = layers if row.kind in ("chain", "siblings") else "", again, f"limited by {row.held}", row.why
        notes.append(f"{place}  {'; '.join(words for words in said if words)}")
        table.add_row(place, row.kind, f"{row.tile[0]}x{row.tile[1]}", str(row.blocks), f"{row.macs / 1e6:.1f}",
                      size(row.alone), size(row.moved), size(row.weights), size(row.shared), str(row.registers),
                      f"{row.resident}, {row.share:.0%}")  # fmt: skip
    before, after = sum(row.alone for _, row in rows), sum(row.moved for _, row in rows)
    fewer = 1 - after / max(before, 1)
    return table, (f"{KINDS}; alone, moved: bytes of activations of its layers one by one, and of the kernel; regs: "
                   "registers of a thread; resident: blocks that a multiprocessor holds, and the share of its threads\n"
                   f"layers one by one, each with its best tile, move {size(before)} of activations a frame, in these "
                   f"kernels {size(after)}: {fewer:.0%} fewer\n" + "\n".join(notes))  # fmt: skip
