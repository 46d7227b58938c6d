"""`fusetrack plan PIPELINE`: which stages become one kernel on a device, with what tiles, and why."""

from __future__ import annotations

import argparse
import json
import math
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.commands.arguments import add_exact, add_figure, add_plugins, check_fps, load_plugins, look_of_figure
from app.commands.instructions import Counted, instructions
from app.commands.instructions import facts as instruction_facts
from app.commands.instructions import show as show_instructions
from app.commands.measured import add as add_measured
from app.commands.measured import back_end
from app.commands.measured import show as show_measured
from app.commands.plan_figure import draw_front
from app.commands.plan_models import add as add_models
from app.commands.plan_models import show_model
from app.commands.plan_network import (
    bound_network,
    frame_of,
    is_network,
    layer_facts,
    layer_table,
    module_table,
    runs_of,
)
from app.commands.plan_tiles import tiles_rows, tiles_table
from app.commands.source import slow, sources
from app.files.atomic import write_bytes
from app.plots.figures import check_figure, load_early
from app.spelling import parse_settings
from kernels.errors import DefinitionError, InputError
from kernels.executors.cuda_usage import usage_by
from kernels.ir.image import DTYPES, ImageType
from kernels.ir.rewriting import at_outputs, rewriting_lines
from pipelines.definition import load, load_pins
from pipelines.fusing import Unit, fuse, tensor_kinds, turns
from pipelines.graph import Bound, Ref, bind
from pipelines.pins import Pins, parse_pins
from pipelines.planning.accelerator import accelerator, is_accelerator
from pipelines.planning.candidates import FEWEST
from pipelines.planning.devices import THIS_CPU, architecture_of, devices, find_device, outdated_calibration
from pipelines.planning.drawing import dot, slots, svg
from pipelines.planning.energy import HOROWITZ, quantity, spent
from pipelines.planning.energy import sentence as energy_sentence
from pipelines.planning.explain import Reason, duration, reasons, sentence, size
from pipelines.planning.launches import as_launched
from pipelines.planning.modules import module_rows
from pipelines.planning.pareto import Point, front
from pipelines.planning.plan import Plan, Tile
from pipelines.planning.planner import Planner, Wishes, planner_of

EXAMPLES = """examples:
  fusetrack plan blobs                                        which stages share a kernel here, and why
  fusetrack plan facial-markers --size 512x512 --fps 1000     for these frames
  fusetrack plan blobs --device cuda:sm_90 --svg plan.svg     for a GPU that need not be there, also as a picture
  fusetrack plan blobs --cut "scale|band"                     what a cut, or --fuse "gray+smooth", would cost
  fusetrack plan my.toml --measure --tune                     predicted against measured; the fastest is kept for runs
  fusetrack plan blobs --source                               the code that is generated
  fusetrack plan face.onnx                                    a network alone: which layers are streamed, and why
  fusetrack plan face.onnx --model convfusion                 what a published cost model says of its layers
"""
KEPT = {"recomputed": "r", "cached": "c", "carried": "k", "-": "-"}
FRONT_ROWS = 12
MOST_NODES, MOST_GROUPS = 6, 8
"""Of a group and of a plan that are named one by one in the front."""
LONGEST_CUTS = 34
"""Letters of the names of groups in the front; longer ones are where the cuts are."""
MOST_NAMED = 12
"""Stages of a group that are named one by one; of larger ones the first and the last three are."""
MOST_COUNTED = 8
"""Frames of a batch that --instructions executes."""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = (
        "Plans a pipeline for one kind of frame on one device, which need not be there: which stages are fused, with "
        "which tiles, what that is predicted to cost, and for every edge why it is fused or cut."
    )
    command.epilog = EXAMPLES
    command.add_argument("pipeline", metavar="PIPELINE", help="a shipped pipeline, a TOML file or a network (.onnx)")
    command.add_argument("--size", metavar="WxH", help="of a frame, px (default 1024x1024; of a network what it takes)")
    command.add_argument("--dtype", choices=("u8", "u16", "f32"), help="of a sample (default u8)")
    command.add_argument("--channels", type=int, metavar="N", help="of a frame (default 1; of a network what it takes)")
    command.add_argument("--fps", type=float, metavar="RATE", help="frames a second, for the latency")
    command.add_argument("--device", default=THIS_CPU, metavar="NAME",
                         help=f"one of {', '.join(devices())}, cpu (this-cpu), cuda:0 (a GPU that is here), "
                         "cuda:sm_90, or a TOML file that describes an accelerator (SRAM, DRAM, multiply-adds)",
                         )  # fmt: skip
    command.add_argument("--batch", type=int, metavar="N", help="frames a batch (default: the planner's choice)")
    command.add_argument("--latency", type=float, metavar="MS", help="most ms from a batch's first frame to its result")
    command.add_argument("--tile", metavar="XxYxT", help="consider this tile only")
    command.add_argument("--fuse", action="append", default=[], metavar="A+B", help="these stages share a kernel")
    command.add_argument("--cut", action="append", default=[], metavar="A|B", help="these stages do not")
    command.add_argument(
        "--set", "-s", action="append", default=[], metavar="NODE.PARAM=VALUE", help="change a parameter"
    )
    command.add_argument("--json", action="store_true", help="for machines")
    command.add_argument("--dot", metavar="FILE", help="write the plan as Graphviz text")
    command.add_argument("--svg", metavar="FILE", help="write the plan as a picture")
    command.add_argument("--plot", type=Path, metavar="FILE", help="draw the Pareto front (PNG, SVG or PDF)")
    add_figure(command)
    add_exact(command)
    command.add_argument("--source", action="store_true", help="print the generated code of every group, nothing else")
    command.add_argument("--instructions", action="store_true", help="print the instructions a pixel of every CUDA "
                         "kernel, by stage and class, nothing else (needs NVRTC, no GPU)")  # fmt: skip
    add_models(command)
    add_measured(command)
    add_plugins(command)
    command.set_defaults(function=_plan)


def _plan(options: argparse.Namespace) -> int:
    load_plugins(options)
    # A wrong ending is refused before the planner works.
    if options.plot:
        check_figure(options.plot)
        load_early()
    look = look_of_figure(options)
    wishes = _wishes(options)
    kind = _frame(options)
    alone = is_network(options.pipeline)
    settings = parse_settings(options.set)
    if alone:
        pipeline, bound = bound_network(options.pipeline, kind, settings)
    else:
        pipeline = load(options.pipeline).with_settings(settings)
        bound = bind(pipeline, kind)
    # A TOML file describes an accelerator with energies of its own; known devices take Horowitz's.
    device, energy = accelerator(options.device) if is_accelerator(options.device) else (
        find_device(options.device), HOROWITZ)  # fmt: skip
    if options.model:
        show_model(options, bound, device)
        return 0
    # Tensor cores round otherwise: only where --exact does not forbid it.
    tensor = tensor_kinds(bound, bound.taps) if device.kind == "cuda" and not options.exact else None
    planner = planner_of(bound, device, pipeline.digest, tensor)
    _check_together(options, planner, wishes, kind.width)
    plan = planner.plan(wishes)
    by = usage_by(architecture_of(device)) if device.kind == "cuda" else None
    tile = None if wishes.tile is None or device.kind != "cuda" else (wishes.tile.bx, wishes.tile.by)
    # The cost model's tiles give way to those that the compiler's register counts lead to.
    plan = as_launched(planner, bound, plan, options.exact, tile)
    title = f"{pipeline.name}   {kind}"
    for file, text in ((options.dot, dot), (options.svg, lambda p: svg(p, title))):
        if file:
            write_bytes(file, text(plan).encode())
    code = []
    if options.source:
        code = sources(bound, plan.partition, planner.device.kind, options.exact, by, tile, planner.device)
    # Alone on stdout, so that it can be piped into a file.
    if options.source and not options.json:
        print("\n".join(text for _, text in code), end="")
        return 0
    counted = _instructions(options, bound, planner, plan)
    if options.instructions and not options.json:
        show_instructions(counted, min(plan.batch, MOST_COUNTED))
        return 0
    # The programs that a run would compile: what was rewritten, turned and tiled in them.
    units = fuse(bound, plan.partition, bound.taps, options.exact)
    rewritten = [r for u in units for r in u.rewritings]
    left = [said for said in map(slow, units if planner.device.kind == "cpu" else ()) if said]
    tiles = tiles_rows(units) if planner.device.kind == "cpu" and not options.exact else []
    modules = []
    if planner.device.kind == "cuda":
        modules = [(number, row) for number, unit in enumerate(units, 1)
                   for row in module_rows(unit.body, planner.device, by)]  # fmt: skip
    why, points = reasons(planner, plan, wishes), front(planner, wishes)
    others, runs = _others(planner, plan, wishes), runs_of(planner, plan)
    joules = {"": spent(planner, plan, energy)} | {how: spent(planner, p, energy) for how, p in others.items()}
    if options.plot:
        draw_front(options.plot, points, plan, f"{title}   {device.name}", look)
    if options.json:
        facts = _facts(plan, why, points, others, str(kind)) | show_measured(options, bound, planner, plan, wishes)
        facts["layers"] = layer_facts(runs)
        facts["energy"] = {"joules": {how or "plan": asdict(one) for how, one in joules.items()}, **asdict(energy)}
        facts["modules"] = [{"group": number, **asdict(row)} for number, row in modules]
        facts["rewritings"] = [r.as_dict() for r in rewritten]
        # JSON has no infinity.
        facts["off"] = {str(ref): None if off == math.inf else off
                        for unit in units for ref, off in _off(unit, planner.device.kind).items()}  # fmt: skip
        facts["tiles"] = [asdict(row) for row in tiles]
        facts["slow"] = left
        facts["calibration"] = outdated_calibration(device)
        if options.instructions:
            facts["instructions"] = instruction_facts(counted)
        print(json.dumps(facts | {"source": dict(code)} if options.source else facts, indent=1))
        return 0
    _show(planner, plan, title, others)
    console = Console(highlight=False)
    console.print(f"[dim]{escape(energy_sentence(energy, joules))}[/]")
    console.print()
    if runs or modules:
        where = device.name if device.scratchpad else "one core"
        table, line = layer_table(runs, where) if runs else module_table(modules)
        console.print(table)
        console.print(f"[dim]{line}[/]")
        console.print()
    if tiles:
        table, line = tiles_table(tiles)
        console.print(table)
        console.print(f"[dim]{line}[/]")
        console.print()
    for said in left:
        console.print(f"[yellow]{escape(said)}[/]")
    if why:
        console.print(_edge_table(why, plan))
    for line in turns(units):
        console.print(escape(line))
    for line in rewriting_lines(rewritten):
        console.print(f"rewritten: {escape(line)}")
    for line in _off_lines(units, planner.device.kind):
        console.print(escape(line))
    console.print()
    console.print(_front_table(points, plan, [spent(planner, p.plan, energy).whole for p in points]))
    show_measured(options, bound, planner, plan, wishes)
    return 0


def _off(unit: Unit, kind: str) -> dict[Ref, float]:
    """How far each output of a program can be off that is computed in another way than it is written."""
    return {unit.outputs[name]: off for name, off in at_outputs(unit.rewritings, kind).items()}


def _off_lines(units: Sequence[Unit], kind: str) -> list[str]:
    """The same in sentences."""
    found = {ref: off for unit in units for ref, off in _off(unit, kind).items()}
    if not found:
        return []
    bounded = [f"{ref} by at most {off:.2g}" for ref, off in found.items() if off < math.inf]
    free = [str(ref) for ref, off in found.items() if off == math.inf]
    words = [", ".join(bounded)] if bounded else []
    if free:
        words.append(f"of {', '.join(free)} no bound is known (behind comparisons, or of unknown sizes)")
    return [f"off: {'; '.join(words)}; for images of floats within -1..1 that go into a program. What every layer may "
            "add multiplies: `fusetrack prove CLIP --fast` judges stage by stage, on a clip's own frames"]  # fmt: skip


def _instructions(options: argparse.Namespace, bound: Bound, planner: Planner, plan: Plan) -> list[Counted]:
    if not options.instructions:
        return []
    if planner.device.kind != "cuda":
        raise InputError(f"--instructions counts CUDA kernels; {planner.device.name} has none: name a GPU by --device")
    return instructions(bound, plan.partition, min(plan.batch, MOST_COUNTED), options.exact)


def _check_together(options: argparse.Namespace, planner: Planner, wishes: Wishes, width: int) -> None:
    """Before anything is printed: options that cannot be had together."""
    if options.source and planner.device.scratchpad:
        raise InputError(f"--source prints code for processors and GPUs; {planner.device.name} is described by a file")
    alone = "--source" if options.source else "--instructions" if options.instructions else ""
    for option, wanted in (("--measure", options.measure), ("--tune", options.tune)):
        if wanted:
            back_end(planner, option)
        if wanted and alone and not options.json:
            raise InputError(f"{alone} prints nothing else; give {option} in a call of its own")
    if wishes.tile is not None and planner.device.kind == "cpu" and wishes.tile.bx < width:
        raise InputError(f"the cpu back end runs rows of full width; give a tile {width} px wide, such as "
                         f"{width}x{wishes.tile.by}x{wishes.tile.bt}, or another --device")  # fmt: skip


def _wishes(options: argparse.Namespace) -> Wishes:
    pins = Pins() if is_network(options.pipeline) else load_pins(options.pipeline)
    if options.batch is not None and not 1 <= options.batch <= 4096:
        raise InputError(f"--batch takes 1 to 4096 frames, not {options.batch}")
    if options.latency is not None and not options.latency > 0:
        raise InputError(f"--latency must be a positive number of ms, not {options.latency:g}")
    tile = None
    if options.tile is not None:
        found = re.fullmatch(r"([1-9]\d{0,5})x([1-9]\d{0,5})x([1-9]\d{0,3})", options.tile)
        if found is None:
            raise InputError(f"--tile takes width x height x frames such as 32x32x8, not {options.tile!r}")
        tile = Tile(*(int(v) for v in found.groups()))
        if options.batch and options.batch % tile.bt:
            raise InputError(f"the tile's {tile.bt} frames do not divide a batch of {options.batch}")
    fuse, cut = pins.fuse + parse_pins(options.fuse, "fuse"), pins.cut + parse_pins(options.cut, "cut")
    return Wishes(check_fps(options.fps) or 0.0, (options.latency or 0.0) / 1000, options.batch or 0, fuse, cut, tile)


def _frame(options: argparse.Namespace) -> ImageType:
    """The frames that are planned for."""
    asked = None if options.size is None else _size(options.size)
    if options.channels is not None and not 1 <= options.channels <= 64:
        raise InputError(f"--channels takes 1 to 64, not {options.channels}")
    dtype = None if options.dtype is None else DTYPES[options.dtype]
    if is_network(options.pipeline):
        return frame_of(options.pipeline, asked, dtype, options.channels)
    width, height = asked or (1024, 1024)
    return ImageType(dtype or DTYPES["u8"], height, width, options.channels or 1)


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    if found is None or not int(found[1]) or not int(found[2]):
        raise InputError(f"--size takes width x height in pixels such as 1280x800, not {text!r}")
    return int(found[1]), int(found[2])


def _others(planner: Planner, plan: Plan, wishes: Wishes) -> dict[str, Plan]:
    """What the plan competes with, in batches of the same length: no fusing, and all the fusing that fits."""
    found: dict[str, Plan] = {}
    # Compared at the plan's own batch, without the limit of latency, which they might not meet.
    same = Wishes(wishes.fps, 0.0, plan.batch, tile=wishes.tile)
    with suppress(DefinitionError):  # a stage alone may not fit the tile that was asked for
        found["without fusing"] = planner.unfused(same)
    fullest = planner.plan(same, FEWEST)
    if fullest.partition != plan.partition:
        found["with all fusing"] = fullest
    return found


def _show(planner: Planner, plan: Plan, title: str, others: dict[str, Plan]) -> None:
    console = Console(highlight=False)
    e, pixels, device = plan.estimate, plan.pixels, planner.device
    console.print(f"[bold]{escape(title)}[/]   {device.name} ({device.origin})   [dim]hash {plan.digest}[/]")
    saved = "".join(f"; {how} {duration(p.estimate.seconds)}, {p.estimate.traffic / pixels:.3g} B/px"
                    for how, p in others.items())  # fmt: skip
    if stale := outdated_calibration(device):
        console.print(f"  [yellow]{escape(stale)}[/]", soft_wrap=True)
    console.print(f"  batches of {plan.batch}: {duration(e.seconds)} a frame, {e.traffic / pixels:.3g} B/px, "
                  f"limited by {e.limit}{saved}")  # fmt: skip
    console.print(f"  floor {duration(plan.floor)} (source read and results written once, by DRAM): "
                  f"{plan.floor / e.seconds:.0%} of the time; latency {duration(plan.latency)}")  # fmt: skip
    if plan.bus.seconds:
        # All three work at a time: the slowest sets the rate.
        parts = {"the bus": plan.bus.seconds, "kernels": plan.kernels, "the host": plan.host}
        slowest = max(parts, key=lambda name: parts[name])
        console.print(f"  the bus {size(plan.bus.up)} up and {size(plan.bus.down)} down a frame, "
                      f"{duration(plan.bus.seconds)} at {device.bus / 1e9:.3g} GB/s; kernels {duration(plan.kernels)}, "
                      f"the host's functions, calls and trackers {duration(plan.host)}; all at a time: at "
                      f"most {1 / plan.steady:,.0f} frames/s, by {slowest}")  # fmt: skip
    if not plan.proven:
        console.print("  the graph is too wide to go through every partition: this is the best that was found, within "
                      f"{plan.gap:.1%} of the best possible")  # fmt: skip
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("", "tile", "halo", "xyt"):
        table.add_column(name, no_wrap=True)
    for name in ("in", "out", "DRAM", "ops", "on chip", "time", "share"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("limit", no_wrap=True)
    console.print()
    for number, g in enumerate(plan.groups, 1):
        named = [f"{n}*" if n in g.duplicated else n for n in g.nodes]
        if len(named) > MOST_NAMED:
            named[3:-3] = [f"{len(named) - 6} more"]
        console.print(f"[bold]{number}[/]  {escape(' + '.join(named))}  "
                      f"[dim]{escape(device.name) if device.scratchpad else g.executor}[/]")  # fmt: skip
        host = g.executor == "host"
        layers = any(task.layer for task in planner.work.tasks if task.node in g.nodes)
        decoder = not host and any(task.opaque for task in planner.work.tasks if task.node in g.nodes)
        whole = host or layers or decoder  # what has no tile of its own: kernels that follow have theirs
        tile = "-" if host else "frame" if decoder else "rows" if device.kind == "cpu" else "kernels"
        table.add_row(
            str(number), tile if whole else str(g.tile), "-" if whole else str(g.halo),
            "-" if whole else "".join(KEPT[g.axes[a]] for a in "xyt"), f"{g.input_bytes / pixels:.2f}",
            f"{g.output_bytes / pixels:.2f}", f"{g.estimate.dram / pixels:.2f}",
            "-" if host else f"{g.estimate.operations / pixels:.1f}", "-" if host else size(g.estimate.on_chip),
            duration(g.estimate.seconds), f"{g.estimate.seconds / e.seconds:.0%}", g.estimate.limit,
        )  # fmt: skip
    console.print()
    console.print(table)
    notes = ["in, out, DRAM in B and ops per pixel of the source; xyt: values beyond the tile are r(ecomputed), "
             "c(ached), k(ept) from before"]  # fmt: skip
    if any(g.duplicated for g in plan.groups):
        notes.append("* computed in several groups")
    if any(g.executor == "host" for g in plan.groups):
        notes.append("host functions take what a typical frame takes")
    sizes = slots(plan.buffers)
    console.print(f"[dim]{'; '.join(notes)}[/]")
    if any(g.launches for g in plan.groups):
        console.print(_launch_table(plan))
        console.print("[dim]kernels as they are launched on a batch; resident: blocks that a multiprocessor holds, the "
                      "share of its threads, and what keeps it from holding more; waves: of blocks[/]")  # fmt: skip
    console.print(f"[dim]buffers: {len(plan.buffers)} in {len(sizes)} slots, {size(sum(sizes.values()))}[/]")


def _launch_table(plan: Plan) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("", "kernel"):
        table.add_column(name, no_wrap=True)
    for name in ("tile", "blocks", "threads", "regs", "spills", "shared", "resident", "waves"):
        table.add_column(name, justify="right", no_wrap=True)
    for number, group in enumerate(plan.groups, 1):
        for one in group.launches:
            table.add_row(str(number), one.kernel, f"{one.tile[0]}x{one.tile[1]}", str(one.blocks), str(one.threads),
                          str(one.registers), str(one.spills) if one.spills else "-", size(one.shared),
                          f"{one.resident}, {one.share:.0%}, {one.held}", f"{one.waves:.2f}")  # fmt: skip
    return table


def _edge_table(why: Sequence[Reason], plan: Plan) -> Table:
    table = Table("edge", "", "why", box=None, header_style="bold", pad_edge=False)
    for reason in why:
        edge, _, words = sentence(reason, plan.pixels).partition(": ")
        decision, _, rest = words.partition("; ")
        table.add_row(escape(edge), f"[{'green' if reason.edge.fused else 'yellow'}]{decision}[/]", escape(rest))
    return table


def _cuts(plan: Plan) -> str:
    """The groups of a plan, of long ones the ends, of many the first and the last; where that is too long the stages
    before which it is cut."""
    # Functions of the host are no cuts: nothing can be fused with them.
    groups = [g for g in plan.groups if g.executor != "host"]
    names = ["+".join(g.nodes) if len(g.nodes) <= MOST_NODES else f"{g.nodes[0]}+{len(g.nodes) - 2} more+{g.nodes[-1]}"
             for g in groups]  # fmt: skip
    if len(names) > MOST_GROUPS:
        names = [*names[:2], f"{len(names) - 4} more", *names[-2:]]
    if len(" | ".join(names)) <= LONGEST_CUTS:
        return " | ".join(names)
    if len(groups) == 1:
        return "none"
    if all(len(g.nodes) == 1 for g in groups):
        return "everywhere"
    firsts = [g.nodes[0] for g in groups[1:]]
    if len(firsts) > 2 and len(", ".join(firsts)) > LONGEST_CUTS:
        firsts = [firsts[0], f"{len(firsts) - 2} more", firsts[-1]]
    return f"before {', '.join(firsts)}"


def _front_table(points: Sequence[Point], plan: Plan, joules: Sequence[float]) -> Table:
    # A long front is thinned evenly.
    every = max(1, -(-len(points) // FRONT_ROWS))
    title = "Pareto front" if every == 1 else f"Pareto front, every {every}. of {len(points)} plans"
    table = Table(title=title, title_justify="left", title_style="bold", box=None, header_style="dim", pad_edge=False)
    for name in ("batch", "groups"):
        table.add_column(name, justify="right")
    table.add_column("cuts")
    for name in ("latency", "a frame", "B/px", "on chip", "ops/px", "energy"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("least")
    for k, (p, energy) in enumerate(zip(points, joules, strict=True)):
        if k % every == 0:
            cuts = _cuts(p.plan)
            table.add_row(str(p.plan.batch), str(len(p.plan.groups)), escape(cuts), duration(p.latency),
                          duration(p.plan.estimate.seconds), f"{p.bytes / plan.pixels:.2f}", size(p.on_chip),
                          f"{p.operations / plan.pixels:.1f}", quantity(energy),
                          ", ".join(p.best).replace("_", " "))  # fmt: skip
    return table


def _facts(
    plan: Plan, why: Sequence[Reason], points: Sequence[Point], others: dict[str, Plan], kind: str
) -> dict[str, object]:
    edges = [
        {"from": str(r.edge.ref), "to": r.edge.consumer, "fused": r.edge.fused, "pinned": r.edge.pinned,
         "why": sentence(r, plan.pixels), "seconds_otherwise": r.seconds, "bytes_saved": r.bytes,
         "operations_added": r.operations, "halo_added": r.halo, "limit": r.limit, "turns": r.turns}
        for r in why
    ]  # fmt: skip
    rows = [
        {"latency": p.latency, "bytes": p.bytes, "on_chip": p.on_chip, "operations": p.operations,
         "batch": p.plan.batch, "groups": p.plan.partition, "tiles": [str(g.tile) for g in p.plan.groups],
         "least_in": p.best}
        for p in points
    ]  # fmt: skip
    return {"frame": kind, **plan.as_dict(), "edges": edges, "front": rows,
            "others": {how: asdict(p.estimate) for how, p in others.items()}}  # fmt: skip
