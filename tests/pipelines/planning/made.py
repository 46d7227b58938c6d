"""Pipelines and devices for the planner's tests."""

from __future__ import annotations

import math
from dataclasses import replace

from hypothesis import strategies as st

from kernels.executors.base import DeviceModel
from kernels.fusion.models.layer import Layer
from kernels.ir.body import ValueType
from kernels.ir.expr import Expr, recur, state
from kernels.ir.image import F32, U8, U16, DType, ImageType
from kernels.plugins import find_stage
from kernels.stage import Function, Image, Stage
from pipelines.graph import SOURCE, Bound, BoundNode, Ref
from pipelines.planning.devices import find_device
from pipelines.planning.workload import Memory, Read, Task, Value, Workload

BARE = DeviceModel(
    "bare", "cuda", 100, dram=1e12, cache=1e15, near=1e15, cache_bytes=0, near_bytes=1 << 22, block_bytes=1 << 21,
    rate=1e17, launch=0.0, registers=1 << 24, thread_registers=1 << 20, threads=2048, blocks=32,
)  # fmt: skip
"""Only bytes count: no cache, and arithmetic and launches for nothing."""


def own_stage(function: Function) -> Stage:
    """A stage that the registry does not know."""
    return Stage(getattr(function, "__name__", "stage"), function, ("image",), (), (), False, False, False)


def _gray(image: Image) -> Expr:
    r, g, b = (image[c]().to(F32) for c in range(3))
    return 0.299 * r + 0.587 * g + 0.114 * b


def _lowpass16(image: Image) -> Expr:
    x, before = image[0]().to(F32), state("mean", F32)
    return recur("mean", x, before + 0.5 * (x - before)).to(U16)


def chain(stages: list[tuple[str, Stage, dict[str, object], str]], source: ImageType) -> Bound:
    """Stages in a row: (id, stage, parameters, name of the output that goes on); the last one is tapped."""
    types: dict[Ref, ValueType] = {Ref(SOURCE): source}
    nodes, here = [], Ref(SOURCE)
    for name, stage, params, output in stages:
        body = stage.build([types[here]], params)
        nodes.append(BoundNode(name, stage, body, (here,)))
        for made in body.outputs:
            types[Ref(name, made.name if len(body.outputs) > 1 else "")] = made.type
        here = Ref(name, output)
    return Bound(source, tuple(nodes), (), types, (here,), Ref(SOURCE))


def seed_chain(width: int, height: int, state16: bool = False) -> Bound:
    """RGBA u8 -> gray -> IIR -> Gaussian 5x5 -> Sobel magnitude -> threshold; intermediates of 32 (or 16) bits."""
    lowpass = own_stage(_lowpass16) if state16 else find_stage("iir_lowpass")
    return chain(
        [
            ("gray", own_stage(_gray), {}, ""),
            ("iir", lowpass, {}, ""),
            ("smooth", find_stage("gaussian"), {"size": 5}, ""),
            ("edges", find_stage("gradient"), {}, "magnitude"),
            ("mask", find_stage("threshold"), {}, ""),
        ],
        ImageType(U8, height, width, 4),
    )


def graph(
    edges: list[tuple[int, int, int]], n: int, *, size: int = 256, ops: list[float] | None = None,
    states: frozenset[int] = frozenset(), opaque: frozenset[int] = frozenset(), tapped: frozenset[int] = frozenset(),
    cheap: frozenset[int] = frozenset(), dtype: DType = F32, layers: frozenset[int] = frozenset(), macs: float = 2e7,
    weights: float = 3e5,
) -> Workload:  # fmt: skip
    """n stages that make an image each; edges are (from, to, reach), from = -1 for the source; `layers` are those of
    networks, of `macs` multiply-adds and `weights` bytes each."""
    kind = ImageType(dtype, size, size)
    values = [Value(Ref(SOURCE), kind, size, size, 4.0)]
    tasks = []
    for k in range(n):
        used = any(a == k for a, _, _ in edges)
        values.append(Value(Ref(f"n{k}"), kind, size, size, 4.0, tapped=not used or k in tapped))
        reads = tuple(Read(a + 1, r, r, r, r) for a, b, r in edges if b == k) or (Read(0),)
        amount = (ops[k] if ops else 5.0) * size * size
        memories = (Memory(4.0, k + 1),) if k in states and k not in opaque else ()
        task = Task(f"n{k}", "opaque" if k in opaque else "local", size, size, reads, (k + 1,), amount, amount, amount,
                    amount, 0.0, memories, 0.0, k in cheap, decoder=k in opaque and k % 2 == 0)  # fmt: skip
        if k in layers and k not in opaque:
            task = replace(task, macs=macs * (k % 3), macs_int8=macs * (k % 2), weights=weights * (k % 3), layer=True)
        tasks.append(task)
    return Workload(tuple(tasks), tuple(values))


PAD = DeviceModel(
    "pad", "cpu", 1, dram=4e9, cache=math.inf, near=math.inf, cache_bytes=0, near_bytes=400_000, block_bytes=400_000,
    rate=1e11, launch=0.0, scratchpad=True,
)  # fmt: skip
"""An accelerator with 400 kB of near memory, which is all that there is."""
DEVICES = st.sampled_from(("this-cpu", "gtx1660", "h100"))
WITH_PAD = st.sampled_from(("this-cpu", "gtx1660", "h100", "pad"))


def device_of(name: str) -> DeviceModel:
    """One of `WITH_PAD`."""
    return PAD if name == "pad" else find_device(name)


@st.composite
def workloads(draw: st.DrawFn, most: int = 7) -> Workload:
    n = draw(st.integers(1, most))
    edges = []
    for b in range(n):
        sources = draw(st.sets(st.integers(-1, b - 1), min_size=1, max_size=3))
        edges += [(a, b, draw(st.sampled_from((0, 0, 1, 3, 9)))) for a in sources]
    some = st.frozensets(st.integers(0, n - 1), max_size=2)
    ops = draw(st.lists(st.sampled_from((1.0, 8.0, 60.0, 2000.0)), min_size=n, max_size=n))
    opaque, states, layers = draw(some), draw(some), draw(st.frozensets(st.integers(0, n - 1)))
    cheap = draw(some) - opaque - (states & layers)  # no stage that remembers frames is copied
    return graph(edges, n, size=draw(st.sampled_from((64, 256, 1500))), ops=ops, states=states, opaque=opaque,
                 tapped=draw(some), cheap=cheap, layers=layers, macs=draw(st.sampled_from((1e5, 2e7))),
                 weights=draw(st.sampled_from((1e3, 3e5, 2e6))))  # fmt: skip


def wide(n: int) -> Workload:
    """A source, n siblings and what joins them: 2**n down-sets."""
    edges = [(-1, 0, 0), *((0, k, 1) for k in range(1, n - 1)), *((k, n - 1, 1) for k in range(1, n - 1))]
    return graph(edges, n, size=512, ops=[float(3 + k % 5) for k in range(n)])


@st.composite
def layered(draw: st.DrawFn, most: int) -> Workload:
    """Layers of a network alone, of maps of several sizes, with branches and joins; any of them may leave."""
    n = draw(st.integers(2, most))
    edges = []
    for b in range(n):
        sources = draw(st.sets(st.integers(max(-1, b - 4), b - 1), min_size=1, max_size=3))
        edges += [(a, b, draw(st.sampled_from((0, 1)))) for a in sources]
    tapped = draw(st.frozensets(st.integers(0, n - 1), max_size=2))
    work = graph(edges, n, size=256, tapped=tapped, layers=frozenset(range(n)))
    tasks, values = [], [work.values[0]]
    for task, value in zip(work.tasks, work.values[1:], strict=True):
        side = draw(st.sampled_from((16, 64, 256)))
        tasks.append(replace(task, width=side, height=side, macs=draw(st.sampled_from((1e5, 2e7))),
                             weights=draw(st.sampled_from((1e3, 3e5)))))  # fmt: skip
        values.append(replace(value, width=side, height=side, bytes=draw(st.sampled_from((32.0, 512.0)))))
    with_layers = [replace(task, convolution=_convolution(task, values)) for task in tasks]
    return replace(work, tasks=tuple(with_layers), values=tuple(values))


def _convolution(task: Task, values: list[Value]) -> Layer:
    """A layer of as many taps as a task's first look has, and of floats."""
    seen, made, read = values[task.reads[0].value], values[task.writes[0]], task.reads[0]
    taps = round(read.up + read.down) + 1
    channels, given = (round(value.bytes / 4) for value in (made, seen))
    stride = max(1, seen.height // task.height)
    return Layer("", "conv", (), (seen.height, seen.width), given, (task.height, task.width), channels, (taps, taps),
                 (stride, stride), channels * given * taps * taps)  # fmt: skip
