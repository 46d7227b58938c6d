"""What the planner knows of a pipeline: per stage its reach, operations, state and bytes, derived from its body."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from kernels.executors.base import DeviceModel
from kernels.fusion.decoder_traffic import decoder_traffic, likely
from kernels.fusion.models.layer import Layer, kind_of
from kernels.ir.bits import words_of
from kernels.ir.body import Body, Output, ValueType
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import BOOL, ImageType
from kernels.ir.ops import OPS
from kernels.ir.reach import Reach, kind, reach
from kernels.ir.table import PACKED, TableType, joint_table_size
from kernels.ir.volumes import has_volumes, part
from pipelines.fractions import whole_where_possible
from pipelines.graph import SOURCE, Bound, BoundNode, Ref
from pipelines.planning.mix import mix

_OTHER_COSTS = {"convert": 1.0, "table": 2.0, "gather": 6.0}
"""Operations of the nodes that are not in `OPS`; a gather clips two coordinates and makes an address of them."""
_LOOKS = ("load", "gather", "window")


VECTOR = 16
"""Channels that a layer is reckoned to compute at a time."""
LIKELY_ROWS = 4096
"""Rows of a table that are reckoned with, whatever there is room for."""


@dataclass(frozen=True, slots=True)
class Value:
    """What flows along edges: an image of width x height with `bytes` a pixel, or a table of `table` bytes a frame;
    `same` is the number of an earlier one that it is, unchanged (-1: none), as the gray of a gray picture; `words`: a
    mask that only host functions take which take it as words of bits; `packed`: rows that a device sends as
    `kernels.ir.table.PACKED`; `rests`: bytes a frame that trackers send that look at it where it lies (-1: they take
    it)."""

    ref: Ref
    type: ValueType
    width: int
    height: int
    bytes: float
    table: float = 0.0
    tapped: bool = False
    same: int = -1
    words: bool = False
    packed: bool = False
    rests: float = -1.0

    @property
    def frame(self) -> float:
        """Bytes of one frame."""
        return self.bytes * self.width * self.height + self.table

    @property
    def sent(self) -> float:
        """Bytes of one frame on the way from a device to the host."""
        if self.packed and isinstance(self.type, TableType):
            return self.table / self.type.numpy.itemsize * PACKED.itemsize
        return 8.0 * words_of(self.width) * self.height if self.words else self.frame


@dataclass(frozen=True, slots=True)
class Read:
    """A task looks at a value: pixels beyond its own to the left, right, up, down (in the value's pixels; infinite
    for a gather), and frames back."""

    value: int
    left: float = 0
    right: float = 0
    up: float = 0
    down: float = 0
    past: int = 0

    @property
    def whole(self) -> bool:
        """The whole image may be looked at."""
        return math.isinf(self.left + self.right + self.up + self.down)

    @property
    def point(self) -> bool:
        """Only the own pixel, of this frame."""
        return not (self.left or self.right or self.up or self.down or self.past)


@dataclass(frozen=True, slots=True)
class Memory:
    """A recurrence: bytes a pixel, and the output that is its value (-1: none), which then need not be stored twice."""

    bytes: float
    value: int = -1


@dataclass(frozen=True, slots=True)
class Task:
    """A stage in a pipeline, as the planner sees it.

    Args:
        node: id of the node; copies of one stage share it.
        kind: one of kernels.ir.reach.KINDS.
        width, height: the grid on which it computes.
        reads: what it looks at.
        writes: values that it makes (those that somebody uses).
        operations: scalar operations a frame.
        lanes: the same for a CPU, in 32-bit lanes of its vectors, as the code is printed (`pipelines.planning.mix`).
        loads: bytes a frame that its own loads move; of a decoder those that a block of a GPU reads of memory, and
            `stored` what it writes (`kernels.fusion.decoder_traffic`), 0 if that was not counted.
        latency: seconds that a decoder's block takes for a frame by itself; blocks of other frames run beside it.
        looked: the same for a CPU, a look counted as the lanes that it takes; and its intermediates written.
        rows: rows of the loops that make its intermediates (CPU).
        memories: its recurrences.
        inner: bytes a pixel of intermediates inside the stage that it looks around in.
        duplicable: cheap enough, and without state, to be computed in several groups.
        decoder: a host function that a GPU computes, too.
        seconds: what a host function takes for a typical frame besides moving its data (s).
        macs: multiply-adds a frame of convolutions of floats; `macs_int8`, of bytes.
        filling: how many times as many are made where channels are filled up to vectors.
        tensor: those that tensor cores make instead, by "tf32", "f16" or "int8", channels filled up to fragments.
        weights: bytes of their weights.
        layer: it computes volumes, as layers of networks do.
        module: what its convolutions are: "DW" (depthwise), "PW" (pointwise), "conv" (other), several joined by +.
        convolution: its only one, where it makes the task's pixels; nameless.
        siblings: how many convolutions of one value it is, as one; 0 where it is none such.
    """

    node: str
    kind: str
    width: int
    height: int
    reads: tuple[Read, ...]
    writes: tuple[int, ...]
    operations: float = 0.0
    lanes: float = 0.0
    loads: float = 0.0
    looked: float = 0.0
    rows: float = 0.0
    memories: tuple[Memory, ...] = ()
    inner: float = 0.0
    duplicable: bool = False
    seconds: float = 0.0
    macs: float = 0.0
    macs_int8: float = 0.0
    filling: float = 1.0
    tensor: tuple[tuple[str, float], ...] = ()
    weights: float = 0.0
    layer: bool = False
    module: str = ""
    decoder: bool = False
    stored: float = 0.0
    latency: float = 0.0
    convolution: Layer | None = None
    siblings: int = 0

    @property
    def opaque(self) -> bool:
        return self.kind == "opaque"

    def products(self, device: DeviceModel) -> tuple[float, float]:
        """Multiply-adds a frame that a device makes of floats and of bytes: of whole vectors, where it has such."""
        filling = 1.0 if device.scratchpad else self.filling
        return self.macs * filling, self.macs_int8 * filling

    def hosted(self, device: DeviceModel) -> bool:
        """Whether the host computes it, and not a device: a host function that is no decoder, or has no GPU."""
        return self.opaque and not (self.decoder and device.kind == "cuda")


@dataclass(frozen=True, slots=True)
class Workload:
    """Tasks in an order in which they can run, the values between them (number 0 is the source), bytes of a frame;
    seconds a frame of the trackers behind them, on a processor and where a GPU follows windows that lie there."""

    tasks: tuple[Task, ...]
    values: tuple[Value, ...]
    trackers: float = 0.0
    trackers_there: float = 0.0

    def tracking(self, device: DeviceModel) -> float:
        """Seconds a frame of the trackers behind a device."""
        return self.trackers_there if device.kind == "cuda" else self.trackers

    def producers(self) -> dict[int, int]:
        """Value -> the task that makes it; the source has none."""
        return {value: t for t, task in enumerate(self.tasks) for value in task.writes}

    def consumers(self) -> dict[int, list[int]]:
        """Value -> tasks that read it."""
        found: dict[int, list[int]] = {v: [] for v in range(len(self.values))}
        for t, task in enumerate(self.tasks):
            for value in dict.fromkeys(read.value for read in task.reads):
                found[value].append(t)
        return found

    def before(self) -> tuple[int, ...]:
        """For each task the set (bits) of the tasks it directly needs."""
        made = self.producers()
        return tuple(
            sum({1 << made[r.value] for r in task.reads if r.value in made}) for task in self.tasks
        )  # fmt: skip

    def needed_whole(self) -> list[int]:
        """For each task the set (bits) of those whose values must stand whole before it, whatever the tile. Layers have
        maps between them that may be whole."""
        made = self.producers()
        return [
            sum({1 << made[r.value] for r in task.reads if r.whole and r.value in made
                 and not (task.layer and self.tasks[made[r.value]].layer)}) for task in self.tasks
        ]  # fmt: skip

    def crossing(self, device: DeviceModel) -> tuple[float, float]:
        """Bytes a frame that go over the bus to a device and back, each value once, whatever the groups are: up what
        its kernels read of the source and of host functions, down what host functions and others read of its kernels.
        """
        made = self.producers()
        if device.kind == "cpu":
            return 0.0, 0.0
        # Values that are earlier ones unchanged count as those.
        first = [v if value.same < 0 else value.same for v, value in enumerate(self.values)]
        # What lies on the host: the source, and what host functions make.
        here = {v for v in first if v not in made or self.tasks[made[v]].hosted(device)}
        up, down = set[int](), {first[v] for v, value in enumerate(self.values) if value.tapped and value.rests < 0}
        down -= here
        for task in self.tasks:
            read = {first[read.value] for read in task.reads}
            if task.hosted(device):
                down |= read - here
            elif any(self.values[v].same < 0 for v in task.writes):  # else it computes nothing
                up |= read & here
        there = [value.rests for v, value in enumerate(self.values)  # what trackers look at on the device
                 if value.rests >= 0 and first[v] not in down and (first[v] in up or first[v] not in here)]  # fmt: skip
        return sum(self.values[v].frame for v in up), sum(self.values[v].sent for v in down) + sum(there)

    def beside_layers(self) -> tuple[int, int]:
        """The layers of networks (bits), and what shares no program with them: memories of earlier frames, and tables
        that are made of what layers give."""
        layers = sum(1 << t for t, task in enumerate(self.tasks) if task.layer)
        after, others = layers, 0
        # In the order of the tasks: `after` holds all that depends on layers so far.
        for t, needs in enumerate(self.before()):
            task = self.tasks[t]
            behind = bool(needs & after)
            after |= behind << t
            table = behind and not task.opaque and any(self.values[v].table for v in task.writes)
            if task.memories or any(read.past for read in task.reads) or table:
                others |= 1 << t
        return layers, others

    def duplicables(self) -> tuple[int, ...]:
        """Cheap producers that several tasks read, or one task and the outside; and those that only feed such."""
        used, found = self.consumers(), set[int]()
        # From the last task back: whether a producer's readers are copied is known when its turn comes.
        for t in range(len(self.tasks) - 1, -1, -1):
            task = self.tasks[t]
            readers = {c for v in task.writes for c in used[v]}
            shared = len(readers) + sum(self.values[v].tapped for v in task.writes) > 1
            if task.duplicable and (shared or readers & found):
                found.add(t)
        return tuple(sorted(found))

    def duplicated(self, chosen: Iterable[int]) -> Workload:
        """A workload with a copy of each chosen task for each of its readers (and one for the outside).

        Copies that end in one group are computed once there.
        """
        work = self
        # From the last on, so that the numbers of tasks before stay as they are.
        for t in sorted(chosen, reverse=True):
            work = _split(work, t)
        return work


def _split(work: Workload, t: int) -> Workload:
    task, used = work.tasks[t], work.consumers()
    values, copies, moved = list(work.values), [], {}
    readers = sorted({c for v in task.writes for c in used[v]})
    keeps = any(work.values[v].tapped for v in task.writes)
    # The first reader keeps the original unless the outside takes it; every other one gets a copy.
    for nth, reader in enumerate(readers):
        if nth == 0 and not keeps:
            moved[reader] = {v: v for v in task.writes}
            continue
        moved[reader] = {v: len(values) + k for k, v in enumerate(task.writes)}
        values += [replace(work.values[v], tapped=False) for v in task.writes]
        copies.append(replace(task, writes=tuple(moved[reader].values())))
    tasks = []
    for k, other in enumerate(work.tasks):
        names = moved.get(k, {})
        tasks.append(replace(other, reads=tuple(replace(r, value=names.get(r.value, r.value)) for r in other.reads)))
        if k == t:
            tasks += copies
    return replace(work, tasks=tuple(tasks), values=tuple(values))


def workload(bound: Bound, tensor: Mapping[str, str] | None = None) -> Workload:
    """The workload of a bound pipeline: the nodes that something depends on, with the outputs that somebody uses.

    Args:
        tensor: from the weights of convolutions (`Weights.digest`) that tensor cores make to the numbers from which
            they do (`kernels.ir.volumes.Contract.tensor`).
    """
    bound = whole_where_possible(bound)
    wanted, nodes = {*bound.taps, *(ref for node in bound.nodes for ref in node.before.values())}, []
    # Backwards from what is wanted; what nobody needs is left out.
    for node in reversed(bound.nodes):
        if any(ref.node == node.id for ref in wanted):
            nodes.append(node)
            wanted |= {ref for ref in node.inputs if ref is not None}
    values = [_value(Ref(SOURCE), bound.source, False)]
    number = {Ref(SOURCE): 0}
    tasks = []
    for node in reversed(nodes):
        outputs = []
        for output in node.body.outputs:
            ref = Ref(node.id, output.name if len(node.body.outputs) > 1 else "")
            if ref in wanted:
                number[ref] = len(values)
                made = _value(ref, output.type, ref in bound.taps)
                decoder = node.body.host.decoder if node.body.host is not None else None
                packed = decoder is not None and decoder.packed and isinstance(output.type, TableType)
                made = replace(made, packed=packed)
                unchanged = node.body.unchanged(output)
                before = None if unchanged is None else node.inputs[unchanged]
                if before is not None:
                    v = number[before]
                    made = replace(made, same=v if values[v].same < 0 else values[v].same)
                values.append(made)
                outputs.append(output)
        first = len(values) - len(outputs)
        tasks.append(_task(node, outputs, number, tuple(range(first, len(values))), tensor or {}))
    takers = [dict.fromkeys((number[ref] for ref in node.inputs if ref in number), node.body.host) for node in nodes]
    for v, value in enumerate(values):
        taking = [hosts[v] for hosts in takers if v in hosts]
        mask = isinstance(value.type, ImageType) and value.type.dtype == BOOL and value.type.channels == 1
        # A mask goes as words of bits only if all that take it take words.
        words = bool(taking) and all(
            host is not None and host.words is not None and host.decoder is None for host in taking
        )
        rests = -1.0
        if value.ref in bound.resting and all(host is None for host in taking):
            # Trackers that look at it where it lies send only what they need.
            rests = sum(one.type.sent(one.params) for one in bound.trackers if value.ref in one.inputs.values())
        values[v] = replace(value, words=mask and words and not value.tapped, rests=rests)
    rest = {value.ref for value in values if value.rests >= 0}
    there = sum(one.type.seconds_there(one.params) if rest & {*one.inputs.values()} else one.type.seconds
                for one in bound.trackers)  # fmt: skip
    return Workload(tuple(tasks), tuple(values), sum(one.type.seconds for one in bound.trackers), there)


def _value(ref: Ref, type_: ValueType, tapped: bool) -> Value:
    if isinstance(type_, ImageType):
        bytes_ = float(type_.channels * type_.dtype.itemsize)
        return Value(ref, type_, type_.width, type_.height, bytes_, tapped=tapped)
    return Value(ref, type_, 1, 1, 0.0, float(type_.numpy.itemsize * min(type_.capacity, LIKELY_ROWS)), tapped)


def _task(
    node: BoundNode, outputs: Sequence[Output], number: dict[Ref, int], writes: tuple[int, ...],
    tensor: Mapping[str, str],
) -> Task:  # fmt: skip
    body = node.body
    sources = [None if ref is None else number[ref] for ref in node.inputs]
    if body.host is not None:
        reads = tuple(Read(v) for v in sources if v is not None)
        width, height = _grid(body, outputs)
        if body.host.decoder is None:
            return Task(node.id, "opaque", width, height, reads, writes, seconds=body.host.seconds)
        moved = decoder_traffic(body, likely(body, LIKELY_ROWS))
        return Task(node.id, "opaque", width, height, reads, writes, loads=moved.loads, seconds=body.host.seconds,
                    decoder=True, stored=moved.stores, latency=moved.latency)  # fmt: skip
    roots = tuple(root for output in outputs for root in output.roots)
    nodes, memories = _closure(body, roots)
    every = (*roots, *memories)
    far, past = reach(every), history(every)
    # What only other outputs look at, or none, must be there before the node runs, too (`needed_nodes`).
    reads = tuple(_read(v, far.get(i, Reach()), past.get(i, 0)) for i, v in enumerate(sources) if v is not None)
    width, height = _grid(body, outputs)
    operations = lanes = loads = inner = macs = macs_int8 = filled = weights = 0.0
    layer = has_volumes(every)
    modules: list[str] = []
    by_cores: list[tuple[str, float]] = []
    around: set[Expr] = set()
    for expr in nodes:
        pixels = _area(expr)
        cost = _cost(expr)
        bits = max([expr.dtype.bits, *(s.dtype.bits for s in expr.src)])
        # 64-bit operations take two of 32 bits; lanes count bits, a byte at least.
        operations += cost * pixels * (2 if bits > 32 else 1)
        lanes += cost * pixels * max(bits, 8) / 32
        if expr.op == "contract":
            modules.append(_module(expr))
            loads += _layer_loads(expr, modules[-1])
            weights += expr.arg.weights.array.nbytes
            # What tensor cores make is counted apart.
            if numbers := tensor.get(expr.arg.weights.digest, ""):
                by_cores.append((numbers, _fragments(expr)))
                continue
            filled += expr.arg.macs * roomy(expr.channels, modules[-1]) / expr.channels
            if expr.dtype.is_float:
                macs += expr.arg.macs
            else:
                macs_int8 += expr.arg.macs
        if expr.op in _LOOKS:
            loads += expr.dtype.itemsize * pixels * _touched(expr)
            if expr.src[0].op != "input":
                around.add(expr.src[0])
    if layer and not modules:  # rows that are read, folded or put beside one another, and written
        loads += 2 * sum(root.dtype.itemsize * _area(root) for output in outputs for root in output.roots)
    inner = sum(e.dtype.itemsize * _area(e) for e in around) / (width * height)
    looked, rows = loads, 0.0
    counted = mix(_planes(body), [body.outputs.index(output) for output in outputs])
    if counted is not None:
        lanes, looked, rows = counted.lanes, 4 * (counted.loads + counted.stores), counted.rows
    # A recurrence that is an output itself need not be stored twice.
    states = tuple(
        Memory(float(m.dtype.itemsize), next((w for w, o in zip(writes, outputs, strict=True) if m in o.roots), -1))
        for m in memories
    )
    # A few operations a pixel, no state, its own pixels, one output: it may be computed wherever it is read.
    cheap = not states and operations <= 16 * width * height and all(r.point for r in reads) and len(outputs) == 1
    return Task(node.id, kind(body), width, height, reads, writes, operations, lanes, loads, looked, rows,
                states, inner, cheap and kind(body) == "point", 0.0, macs, macs_int8,
                filled / (macs + macs_int8) if macs + macs_int8 else 1.0, tuple(by_cores), weights, layer,
                "+".join(modules), convolution=_convolution(nodes, (height, width)),
                 siblings=sum(e.arg.siblings for e in nodes if e.op == "contract"))  # fmt: skip


def _convolution(nodes: Sequence[Expr], size: tuple[int, int]) -> Layer | None:
    """The only contraction of a body that makes maps of a size."""
    every = [expr for expr in nodes if expr.op == "contract"]
    if len(every) != 1 or every[0].arg.size != size:
        return None
    (one,), how, seen = every, every[0].arg, every[0].src[0]
    assert seen.size is not None
    return Layer("", kind_of(how), (), seen.size, seen.channels, how.size, one.channels, how.taps, how.stride,
                 how.weights.array.size, seen.dtype.itemsize, dilation=how.dilation, up=how.up)  # fmt: skip


def _grid(body: Body, outputs: Sequence[Output]) -> tuple[int, int]:
    """(width, height) on which a body computes."""
    for output in outputs:
        if output.table is not None:
            height, width = joint_table_size(output.table)
            return width, height
        if isinstance(output.type, ImageType):
            return output.type.width, output.type.height
    image = next((t for t in body.inputs if isinstance(t, ImageType)), None)
    return (image.width, image.height) if image else (1, 1)


def _closure(body: Body, roots: Sequence[Expr]) -> tuple[list[Expr], list[Expr]]:
    """Every node that `roots` need, states' recurrences included, and those recurrences."""
    known = {e.arg: e for e in postorder(body.roots) if e.op == "recur"}
    wanted = list(roots)
    # A state's recurrence may look at further states.
    while True:
        nodes = list(postorder(wanted))
        missing = [known[e.arg] for e in nodes if e.op == "state" and known[e.arg] not in nodes]
        if not missing:
            return nodes, [e for e in nodes if e.op == "recur"]
        wanted += dict.fromkeys(missing)


def _read(value: int, far: Reach, past: int) -> Read:
    return Read(value, max(0, -far.x0), max(0, far.x1), max(0, -far.y0), max(0, far.y1), past)


def history(roots: Iterable[Expr]) -> dict[int, int]:
    """Input index -> the oldest frame that loads look at, in frames back; recurrences carry the rest."""
    order = list(postorder(tuple(roots)))
    back: dict[Expr, int] = {}
    inputs: dict[int, int] = {}
    # Users before operands: the frames back of a node are known when its operands are asked.
    for expr in reversed(order):
        own = back.get(expr, 0)
        if expr.op == "input":
            inputs[expr.arg.index] = max(inputs.get(expr.arg.index, 0), own)
        step = -expr.arg.dt if expr.op == "load" else 0
        for operand in expr.src:
            back[operand] = max(back.get(operand, 0), own + step)
    return inputs


def _area(expr: Expr) -> float:
    """Values that an expression has."""
    return 0.0 if expr.size is None else float(expr.size[0] * expr.size[1] * expr.channels)


def _planes(body: Body) -> Body:
    """The same body with an expression for each channel of its outputs, so that a picture that is made ready for layers
    is one of planes."""
    outputs = tuple(
        output if output.table is not None or all(p.channels == 1 for p in output.planes) else
        replace(output, planes=tuple(part(p, k) for p in output.planes for k in range(p.channels)))
        for output in body.outputs
    )  # fmt: skip
    return body if outputs == body.outputs else Body(body.inputs, outputs, body.live, body.params, limits=body.limits)


def _module(expr: Expr) -> str:
    """What a contraction is."""
    how = expr.arg
    if 1 < how.groups == expr.src[0].channels:
        return "DW"
    return "PW" if how.taps == (1, 1) and how.groups == 1 else "conv"


def _layer_loads(expr: Expr, module: str) -> float:
    """Bytes that a contraction's loads and stores move. A tile of a dense one holds its sums and what it looks at; of a
    depthwise one two pixels share what both look at."""
    made = expr.dtype.itemsize * _area(expr)
    if module != "DW":
        return made + expr.src[0].dtype.itemsize * _area(expr.src[0])
    rows, columns = expr.arg.taps
    return float(made * (rows * (columns + expr.arg.stride[1]) / 2 + 1))


def roomy(channels: int, module: str) -> int:
    """Channels that are computed for so many: whole vectors; behind whole ones, of dense layers, also halves, in which
    two pixels share a register.

    >>> roomy(16, "DW"), roomy(24, "DW"), roomy(24, "PW"), roomy(1, "PW")
    (16, 32, 24, 16)
    """
    step = VECTOR if module == "DW" else VECTOR // 2
    return max(VECTOR, -(-channels // step) * step)


def _fragments(expr: Expr) -> float:
    """Multiply-adds of a contraction by tensor cores: eights of channels that are made, sixteens that are looked at."""
    features, _, _, channels = expr.arg.weights.array.shape
    return float(expr.arg.macs * (-(-features // 8) * 8 / features) * (-(-channels // 16) * 16 / channels))


def _touched(expr: Expr) -> float:
    """Values that one look moves: a window keeps running sums, so it takes one row and one column."""
    if expr.op != "window":
        return 1.0
    w = expr.arg
    return float((w.x1 - w.x0 + 1) + (w.y1 - w.y0 + 1))


def _cost(expr: Expr) -> float:
    if expr.op == "window":
        return max(0.0, _touched(expr) - 2)
    return OPS[expr.op].cost if expr.op in OPS else _OTHER_COSTS.get(expr.op, 0.0)
