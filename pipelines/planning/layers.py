"""How a CPU goes through the layers of a group: the runs in which rows are streamed, and what each saves.

A program finds its runs when it is compiled, by the same rule and from the rows that its code has
(`kernels.fusion.layers_orders`); here they are found from what the planner knows, so that they have the nodes' names.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kernels.executors.base import DeviceModel
from kernels.executors.placement import shared_part
from kernels.fusion.layers import Look, Map, Place
from kernels.fusion.layers_orders import chosen
from kernels.fusion.layers_runs import Core, Runs, Stretch, WeighedLayer, WeighedNetwork, stretches
from pipelines.planning.explain import size
from pipelines.planning.scratchpad import held, words
from pipelines.planning.workload import Read, Task, Value, Workload

SIBLINGS = "siblings"
"""The kind of convolutions of one value."""
_ITEM = 4
_LANES = 16
"""Multiply-adds of a slot, as `Core` counts them."""
_FITS = "all maps and weights fit a core's cache: fusing saves accesses, but hardly time"


@dataclass(frozen=True, slots=True)
class Run:
    """Layers through which rows are streamed; a frame's figures.

    Args:
        nodes: ids, in order.
        kind: "DW", "PW", "conv", "DWPW", "PWDW", "PWPW", "siblings" (of one input, apart or as one layer), "moves"
            (nothing is convolved) or "chain".
        modules: how often each kind of module is in it; of siblings, what each of them is.
        macs: multiply-adds of the network; those of vectors that are not full are in `seconds` alone.
        before: bytes of activations that its layers read and write, one by one.
        after: the same of what enters and leaves it.
        rings: bytes of the rows at hand.
        weights: bytes.
        why: why it is so long, and no longer.
        seconds: what it is predicted to take on a core.
        schedule: how a frame goes through it.
        gap: other runs of these layers take less by this share at most, as far as is known; 0 where none do.
    """

    nodes: tuple[str, ...]
    kind: str
    modules: tuple[tuple[str, int], ...]
    macs: float
    before: float
    after: float
    rings: float
    weights: float
    why: str
    seconds: float
    schedule: str = ""
    gap: float = 0.0


def layer_runs(work: Workload, nodes: Sequence[str], device: DeviceModel) -> tuple[Run, ...]:
    """The runs of the layers among some nodes; none on a GPU, or where none is a layer."""
    wanted = set(nodes)
    tasks = [task for task in work.tasks if task.node in wanted and task.layer and task.writes]
    if device.kind != "cpu" or not tasks:
        return ()
    network = _network(work, tasks, device)
    core = _core(device)
    runs = Runs(tuple(range(len(tasks))), ()) if device.scratchpad else chosen(network, core)
    parts = stretches(network, runs.cuts, core, runs.order)
    made = {v for task in tasks for v in task.writes}
    every = sum(_frame(work.values[v]) for v in made) + sum(task.weights for task in tasks)
    found = []
    for number, (group, part) in enumerate(zip(runs.groups, parts, strict=True)):
        own = [tasks[k] for k in group]
        if device.scratchpad:
            found.append(_held(work, own, part, device))
            continue
        why = _FITS if every <= device.near_bytes else _why(network, runs, number, part, core)
        found.append(replace(_run(work, own, part, why, part.seconds(core)), gap=runs.gap))
    return tuple(found)


def _held(work: Workload, tasks: Sequence[Task], part: Stretch, device: DeviceModel) -> Run:
    """The run of an accelerator's group."""
    reads = [[(read, read.value) for read in task.reads] for task in tasks]
    here = held(device, tasks, reads, work.values)
    made = _run(work, tasks, part, words(here, tasks), 0.0)
    rows = here.bytes - made.weights * here.resident
    how = "tiles" if here.tiles else made.schedule if here.resident else f"{here.strips} strips"
    return replace(made, rings=rows, after=made.after + here.again, schedule=how)


def _core(device: DeviceModel) -> Core:
    """A core of a device as the rule sees it; near memory that is all there is takes rows one by one."""
    core = Core(device.near_bytes, slots=device.macs / device.units / _LANES, last=shared_part())
    return replace(core, first=0.0, last=math.inf) if device.scratchpad else core


def _network(work: Workload, tasks: Sequence[Task], device: DeviceModel) -> WeighedNetwork:
    maps = []
    for value in work.values:
        channels = max(1, round(value.bytes / _ITEM))
        maps.append(Map(value.height, value.width, channels, channels, kept=value.tapped))
    layers = []
    for task in tasks:
        looks = tuple(_look(read, task, work.values[read.value]) for read in task.reads)
        floats, whole = task.products(device)
        slots = (floats + whole / 4) / task.height / _LANES
        made = maps[task.writes[0]]
        layers.append(WeighedLayer((task.height, task.width), Place(task.writes[0]), looks, slots,
                             made.width * made.pitch * _ITEM, int(task.weights), task.module))  # fmt: skip
    return WeighedNetwork(maps, layers)


def _look(read: Read, task: Task, value: Value) -> Look:
    """A look, as rows of the value; one that may go anywhere goes where the pixel lies in it."""
    stride = max(1, round(value.height / task.height))
    repeat = max(1, round(task.height / value.height))
    if read.whole:
        return Look(read.value, stride=(stride, stride), repeat=repeat)
    up, down = int(read.up), int(read.down)
    return Look(read.value, (up + down + 1, 1), (-up, 0), (stride, stride), repeat=repeat)


def _why(network: WeighedNetwork, runs: Runs, number: int, part: Stretch, core: Core) -> str:
    """What keeps a run from being longer."""
    room = core.room
    said = []
    if part.held > room:
        said.append(f"{size(part.held)} are more than a core's cache of {size(room)}, but a cut would cost more")
    if number < len(runs.cuts):
        cuts = [cut for k, cut in enumerate(runs.cuts) if k != number]
        longer = stretches(network, cuts, core, runs.order)[number]
        said.append(f"with the next run {size(longer.held)} at hand, of a cache of {size(room)}")
    return "; ".join(said) or "rows and weights stay in a core's cache"


def _frame(value: Value) -> float:
    return value.bytes * value.width * value.height


def _run(work: Workload, tasks: Sequence[Task], part: Stretch, why: str, seconds: float) -> Run:
    values = work.values
    before = sum(_frame(values[v]) for task in tasks for v in (*{r.value for r in task.reads}, *task.writes))
    made = {v for task in tasks for v in task.writes}
    read = {r.value for task in tasks for r in task.reads} - made
    here = {task.node for task in tasks}
    used = work.consumers()
    leaving = {v for v in made if values[v].tapped or not used[v] or any(work.tasks[c].node not in here
                                                                          for c in used[v])}  # fmt: skip
    after = sum(_frame(values[v]) for v in (*read, *leaving))
    modules = _modules(tasks)
    counts: dict[str, int] = {}
    for name in modules:
        counts[name] = counts.get(name, 0) + 1
    kind = modules[0] if len(modules) == 1 else SIBLINGS if _siblings(tasks) else "chain" if modules else "moves"
    if kind == SIBLINGS:
        counts = {}
        for task in tasks:
            if task.module:
                counts[task.module] = counts.get(task.module, 0) + max(task.siblings, 1)
    return Run(tuple(task.node for task in tasks), kind, tuple(counts.items()),
               sum(task.macs + task.macs_int8 for task in tasks), before, after, part.rings,
               sum(task.weights for task in tasks), why, seconds, _schedule(tasks))  # fmt: skip


def _schedule(tasks: Sequence[Task]) -> str:
    """Rows of the last map, and that those that are looked at again are kept."""
    wide = max((task.width for task in tasks), default=0)
    return f"rows of {wide}" + (", kept" if len(tasks) > 1 else "")


def _modules(tasks: Sequence[Task]) -> list[str]:
    """Convolutions, and pairs of which one reads the other: first DWPW, then PWDW, then PWPW."""
    convolving = [task for task in tasks if task.module]
    names: dict[str, str] = {}
    for first, second in (("DW", "PW"), ("PW", "DW"), ("PW", "PW")):
        for task in convolving:
            if task.module != first or task.node in names:
                continue
            for other in convolving:
                reads = {r.value for r in other.reads}
                if other.module == second and other.node not in names and reads & set(task.writes):
                    names[task.node], names[other.node] = first + second, ""
                    break
    alone = {task.node: SIBLINGS if task.siblings else task.module for task in convolving}
    return [name for task in convolving if (name := names.get(task.node, alone[task.node]))]


def _siblings(tasks: Sequence[Task]) -> bool:
    """Whether all convolutions, several, look at one value."""
    looks = [frozenset(r.value for r in task.reads) for task in tasks if task.module]
    return len(looks) > 1 and len(set(looks)) == 1
