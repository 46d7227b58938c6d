"""Starting the kernels of a program on a batch: their arguments, in order, or all of it as one CUDA graph.

What a batch puts into the compute stream (kernels, the fills and copies before and after them) is the same from batch
to batch but for the memory that takes turns: slots of the ring, and states that are read and written alternately. So it
is recorded once for each combination, and from then on started with one call. A graph is used only for exactly what it
was recorded with: the same functions, memory and numbers, the values of live parameters among them. What comes for the
first time is launched one by one, so that a parameter that changes with every batch costs no recording.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import numpy as np

from kernels.codegen.cuda_launch import Argument, CudaProgram
from kernels.executors.cuda_memory import CudaMemory
from kernels.executors.cuda_results import Place, item_bytes, memory_type
from kernels.executors.device import Array, Device, Graph, Stream
from kernels.ir.body import Body
from kernels.param import Value

WORTH = 3
"""Launches, fills and copies of a batch from which on a graph is used unless said otherwise. With a driver that
does nothing (the work of Python and of this module alone) one launch takes the host 7 us, three 14 to 20 and four 29; a
graph takes 5 to 8, however many it holds. A driver takes longer to start a graph than a kernel, which eats the
difference for one launch or two."""

GRAPHS = 24
"""Graphs that are kept: three slots, two turns of the states, and a few lengths of batches."""


class Launches:
    """The kernels of a program on one device, with the memory that it keeps.

    Args:
        body: what it computes.
        program: its kernels.
        device: where.
        functions: what launches the kernels, by name.
        graphs: whether batches are started as graphs; None from `WORTH` launches on.

    Attributes:
        memory: states and scratch.
        functions: what launches the kernels, by name.
        graphs: whether batches are started as graphs.
        count: launches, fills and copies of a batch.
        trouble: why there are no graphs though they were wanted; "" if there is no reason.
        most: graphs that are kept.
        recorded, replayed: graphs, and how often one was started.
    """

    def __init__(
        self, body: Body, program: CudaProgram, device: Device, functions: Mapping[str, Any],
        graphs: bool | None = None,
    ) -> None:  # fmt: skip
        self.body, self.program, self.device = body, program, device
        self.memory = CudaMemory(body, program, device)
        self.functions = functions
        self._prepared = program.arguments("sums", "rows")
        self._params = [(str(a.key), memory_type(a.dtype)) for a in program.arguments("param").values()]
        lowered = program.lowered
        self.count = len(program.kernels) + len(self._prepared) + sum(
            1 if depth == 1 else 2 for depth in lowered.back.values())  # fmt: skip
        self.graphs = self.count >= WORTH if graphs is None else graphs
        self.trouble = ""
        self.most = GRAPHS
        self.recorded = self.replayed = 0
        # A kernel sees the age of the stream only to tell whether there is a past, and how much of it.
        self.settled = max((1, *lowered.back.values(), *lowered.delays.values()))
        self._known: OrderedDict[Any, Graph | None] = OrderedDict()

    def make_room(self, frames: int, stream: Stream, drain: Any) -> None:
        """Have memory for batches of so many frames; see `CudaMemory.make_room`."""
        if self.memory.make_room(frames, stream, drain):
            self._known.clear()  # graphs name memory

    def enqueue(
        self, stream: Stream, memory: Mapping[Place, Any], values: Mapping[str, Value], boxes: Mapping[str, Array],
        frames: int,
    ) -> None:  # fmt: skip
        """Put one batch into a stream, after the ones before.

        Args:
            memory: of inputs, outputs and what is downloaded, by place.
            values: of all parameters.
            boxes: of the regions that tables are told, by table.
            frames: of the batch.
        """
        graph = self._graph(stream, memory, values, boxes, frames) if self.graphs else None
        if graph is None:
            self._put(stream, memory, values, boxes, frames)
        else:
            self.device.replay(graph, stream)
            self.replayed += 1
        self.memory.turn(frames)

    def _graph(
        self, stream: Stream, memory: Mapping[Place, Any], values: Mapping[str, Value], boxes: Mapping[str, Array],
        frames: int,
    ) -> Graph | None:  # fmt: skip
        """The graph of this very batch, recorded if it comes for the second time; None where there is none."""
        numbers = b"".join(type_.type(values[name]).tobytes() for name, type_ in self._params)  # 0.0 is not -0.0
        key = (frames, min(self.memory.frames, self.settled), tuple(map(self.device.address, memory.values())),
               self.memory.turned, numbers, tuple(map(len, boxes.values())))  # fmt: skip
        if key not in self._known:
            self._known[key] = None
            if len(self._known) > self.most:
                self._known.popitem(last=False)
            return None
        self._known.move_to_end(key)
        graph = self._known[key]
        if graph is None:
            try:
                graph = self.device.capture(lambda to: self._put(to, memory, values, boxes, frames), stream)
            except Exception as error:  # an old driver or CuPy; nothing has been done yet, and it goes without
                self.graphs, self.trouble = False, " ".join(f"{type(error).__name__}: {error}".split())
                self._known.clear()
                return None
            self._known[key] = graph
            self.recorded += 1
        return graph

    def _put(
        self, stream: Stream, memory: Mapping[Place, Any], values: Mapping[str, Value], boxes: Mapping[str, Array],
        frames: int,
    ) -> None:  # fmt: skip
        device, kept = self.device, self.memory
        for place, a in self._prepared.items():
            size = frames * int(np.prod(a.shape)) * item_bytes(a.dtype)
            if a.kind == "sums":
                device.copy(memory[place], 0, kept.starts[str(a.key)], 0, size, stream)
            else:
                device.zero(kept.scratch[place], size, stream)
        everything = {**memory, **kept.scratch}
        for kernel in self.program.kernels:
            listed = [self._argument(a, everything, values, boxes, frames) for a in kernel.arguments]
            function = self.functions[kernel.name]
            device.launch(function, kernel.grid(frames), kernel.block, listed, kernel.shared, stream)
        for index in self.program.lowered.back:
            kept.remember(index, memory["input", index, 0], frames, stream)

    def _argument(
        self, a: Argument, memory: Mapping[Place, Any], values: Mapping[str, Value], boxes: Mapping[str, Array],
        frames: int,
    ) -> Any:  # fmt: skip
        match a.kind:
            case "frames":
                return np.int32(frames)
            case "age":
                return np.int32(min(self.memory.frames, self.settled) if self.graphs else self.memory.frames)
            case "count":
                return np.int32(len(boxes[str(a.key)]))
            case "param":
                return memory_type(a.dtype).type(values[str(a.key)])
            case "past":
                return self.memory.pasts[int(a.key)][0]
            case "state_in":
                return self.memory.states[str(a.key)][0]
            case "state_out":
                return self.memory.states[str(a.key)][1]
        return memory[a.kind, a.key, a.depth]
