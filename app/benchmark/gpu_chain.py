"""A pipeline's kernels one after another in one stream, on frames that lie on the device: what is timed there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from app.benchmark.ours import Array
from kernels.codegen.cuda_launch import Argument, CudaProgram
from kernels.codegen.nvrtc import Usage
from kernels.errors import DefinitionError
from kernels.executors.device import Device, Memory, Stream
from kernels.ir.body import Body
from kernels.ir.image import BOOL, DType, ImageType
from pipelines.fusing import Unit, fuse
from pipelines.graph import SOURCE, Bound, Ref

Compile = Callable[[Body], CudaProgram]
_HANDLED = frozenset(("input", "output", "frame", "state_in", "state_out", "param", "frames", "age"))
STEADY = 1 << 20
"""Frames before a batch as a graph sees them: long after the start."""


class DeviceChain:
    """All groups of a pipeline for batches of one length. Chains of images only: no tables, no looks back in time.

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
        self, device: Device, bound: Bound, groups: Sequence[Sequence[str]], compile_: Compile,
        sources: Sequence[Memory], frames: int,
    ) -> None:  # fmt: skip
        self.device, self.frames = device, frames
        self.sources, self.turn, self.age = sources, 0, 0
        self.values: dict[Ref, Memory] = {}
        self.links = [self._link(unit, compile_) for unit in fuse(bound, groups, bound.taps)]

    def _link(self, unit: Unit, compile_: Compile) -> _Link:
        if unit.body.host is not None:
            raise DefinitionError(f"{unit.name} runs on the host, which is not timed on a device")
        program = compile_(unit.body)
        wrong = {a.kind for kernel in program.kernels for a in kernel.arguments} - _HANDLED
        if wrong:
            raise DefinitionError(f"{unit.name} makes tables or looks back in time, which is not timed on a device")
        for output in unit.body.outputs:
            assert isinstance(output.type, ImageType)
            self.values[unit.outputs[output.name]] = self.device.memory(self.frames * output.type.nbytes)
        link = _Link(unit, program, self.device.load(program), {}, {})
        for (_, key, _), a in program.arguments("state_in", "state_out").items():
            size = int(np.prod(a.shape)) * _bytes(a.dtype)
            if key not in link.states:
                link.states[key] = [self.device.memory(size), self.device.memory(size)]
        for place, a in program.arguments("frame").items():
            link.planes[place[1]] = self.device.memory(self.frames * int(np.prod(a.shape)) * _bytes(a.dtype))
        return link

    def enqueue(self, stream: Stream, age: int | None = None) -> None:
        """One batch, the next source.

        Args:
            age: frames before it, in place of how many there were.
        """
        source = self.sources[self.turn % len(self.sources)]
        self.turn += 1
        for link in self.links:
            for kernel in link.program.kernels:
                listed = [self._argument(link, a, source, self.age if age is None else age) for a in kernel.arguments]
                self.device.launch(link.functions[kernel.name], kernel.grid(self.frames), kernel.block, listed,
                                   kernel.shared, stream)  # fmt: skip
            for pair in link.states.values():
                pair.reverse()
        self.age += self.frames

    def _argument(self, link: _Link, a: Argument, source: Memory, age: int) -> Any:
        match a.kind:
            case "frames":
                return np.int32(self.frames)
            case "age":
                return np.int32(min(age, STEADY))
            case "param":
                return _memory_type(a.dtype).type(link.unit.body.params[str(a.key)])
            case "state_in":
                return link.states[a.key][0]
            case "state_out":
                return link.states[a.key][1]
            case "frame":
                return link.planes[a.key]
            case "output":
                return self.values[link.unit.outputs[str(a.key)]]
        ref = link.unit.inputs[int(a.key)]
        assert ref is not None
        return source if ref == Ref(SOURCE) else self.values[ref]

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
    """A group with its program and its memory."""

    def __init__(
        self, unit: Unit, program: CudaProgram, functions: Any, states: dict[int | str, list[Memory]],
        planes: dict[int | str, Memory],
    ) -> None:  # fmt: skip
        self.unit, self.program, self.functions = unit, program, functions
        self.states, self.planes = states, planes


def _memory_type(dtype: DType) -> np.dtype[Any]:
    return np.dtype(np.uint8) if dtype == BOOL else dtype.numpy


def _bytes(dtype: DType) -> int:
    return _memory_type(dtype).itemsize
