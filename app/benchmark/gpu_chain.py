"""A pipeline's kernels one after another in one stream, on frames that lie on the device: what is timed there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from app.benchmark.ours import Array
from kernels.codegen.cuda_launch import CudaProgram
from kernels.codegen.nvrtc import Usage
from kernels.errors import DefinitionError
from kernels.executors.cuda_graphs import WORTH, Graphs
from kernels.executors.cuda_launches import Launches
from kernels.executors.device import Device, Memory, Stream
from kernels.ir.body import Body
from kernels.ir.image import ImageType
from pipelines.fusing import Unit, fuse
from pipelines.graph import SOURCE, Bound, Ref


class Runner(Protocol):
    """What a body compiles to (`kernels.executors.cuda_runner.CudaRunner`)."""

    program: CudaProgram
    launches: Launches

    def submit(self, inputs: Sequence[Any], params: Any) -> Any: ...


class DeviceChain:
    """All groups of a pipeline for batches of one length, started by what starts them in a run. Chains of images only:
    no tables.

    Args:
        device: where.
        bound: the pipeline.
        groups: node ids.
        compile_: bodies to programs.
        sources: batches on the device that are taken in turns.
        frames: of a batch.

    Raises:
        DefinitionError: a stage runs on the host, or makes a table.
        Unsupported: CUDA cannot express a group.
    """

    def __init__(
        self, device: Device, bound: Bound, groups: Sequence[Sequence[str]], compile_: Callable[[Body], Runner],
        sources: Sequence[Memory], frames: int,
    ) -> None:  # fmt: skip
        self.device, self.frames = device, frames
        self.sources, self.turn = sources, 0
        self.values: dict[Ref, Memory] = {}
        self._stream = device.stream()
        self._told: list[Any] = []
        self.links = [self._link(u, compile_) for u in fuse(bound, groups, bound.taps) if not u.idle]
        self.graphs = Graphs(device, sum(link.launches.count for link in self.links) >= WORTH)
        self.graphs.most = 2 * max(1, len(sources)) + 2  # each source with each turn of the states

    def _link(self, unit: Unit, compile_: Callable[[Body], Runner]) -> _Link:
        if unit.body.host is not None:
            raise DefinitionError(f"{unit.name} runs on the host, which is not timed on a device")
        for output in unit.body.outputs:
            if not isinstance(output.type, ImageType):
                raise DefinitionError(f"{unit.name} makes tables, which is not timed on a device")
            self.values[unit.outputs[output.name]] = self.device.memory(self.frames * output.type.nbytes)
        runner = compile_(unit.body)
        launches = Launches(unit.body, runner.program, self.device, runner.launches.functions)
        launches.make_room(self.frames, self._stream, lambda: None)
        return _Link(unit, runner.program, launches)

    def enqueue(self, stream: Stream) -> None:
        """One batch, the next source."""
        source = self.sources[self.turn % len(self.sources)]
        self.turn += 1
        every: list[tuple[_Link, dict[tuple[str, int | str, int], Memory]]] = []
        for link in self.links:
            memory: dict[tuple[str, int | str, int], Memory] = {
                ("input", i, 0): source if ref == Ref(SOURCE) else self.values[ref]
                for i, ref in enumerate(link.unit.inputs)
                if ref is not None
            }
            memory |= {("output", name, 0): self.values[ref] for name, ref in link.unit.outputs.items()}
            every.append((link, memory))
            self._told += link.launches.tell(link.unit.body.params, stream)

        def put(to: Stream) -> None:
            for link, memory in every:
                link.launches.put(to, memory, link.unit.body.params, self.frames)

        key = tuple(link.launches.key(memory, link.unit.body.params, self.frames) for link, memory in every)
        self.graphs.start(key, put, stream)
        for link in self.links:
            link.launches.turn(self.frames)

    @property
    def settled(self) -> bool:
        """Whether so many frames are past that a graph of what comes next is right for all that comes later."""
        return all(link.launches.memory.frames >= link.launches.settled for link in self.links)

    def result(self, ref: Ref, type_: ImageType) -> Array:
        """What the last batch has left; the stream must have done it."""
        size = self.frames * type_.nbytes
        made = self.device.fetch(self.values[ref], size, size, 1)
        return made.view(type_.dtype.numpy).reshape(self.frames, *type_.shape)

    @property
    def kernels(self) -> int:
        """Launches a batch."""
        return sum(len(link.program.kernels) for link in self.links)

    def usage(self, of: Callable[[str], dict[str, Usage]]) -> tuple[int, int]:
        """Most registers of a thread, and bytes spilled, over all kernels; `of` says it for a text."""
        found = [u for link in self.links for u in of(link.program.text).values()]
        return max((u.registers for u in found), default=0), sum(u.spills for u in found)


class _Link:
    """A group with its program, and what starts it."""

    def __init__(self, unit: Unit, program: CudaProgram, launches: Launches) -> None:
        self.unit, self.program, self.launches = unit, program, launches
