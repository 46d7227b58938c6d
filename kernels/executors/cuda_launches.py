"""What a program puts into a stream for a batch: its kernels with their arguments, fills and copies, in order."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.codegen.cuda_launch import Argument, CudaProgram, live_bytes
from kernels.executors.cuda_memory import LIVE, SETTINGS, CudaMemory
from kernels.executors.cuda_results import Place, boxes_of, item_bytes, padded
from kernels.executors.device import Array, Device, Stream
from kernels.ir.body import Body
from kernels.param import Value


class Launches:
    """The kernels of a program on one device, with the memory that it keeps.

    Args:
        body: what it computes.
        program: its kernels.
        device: where.
        functions: what launches the kernels, by name. One with a method `take` is given the values of parameters before
            it is called: its launches name them.

    Attributes:
        memory: states, scratch, and what the host says.
        functions: what launches the kernels, by name.
        count: launches, fills and copies of a batch.
        settled: frames of a stream from which on its age changes nothing.
    """

    def __init__(self, body: Body, program: CudaProgram, device: Device, functions: Mapping[str, Any]) -> None:
        self.body, self.program, self.device = body, program, device
        self.memory = CudaMemory(body, program, device)
        self.functions = functions
        self._naming = [function for function in functions.values() if hasattr(function, "take")]
        self._sized = {place: int(np.prod(a.shape)) * item_bytes(a.dtype)
                       for place, a in program.arguments("sums", "rows").items()}  # fmt: skip
        lowered = program.lowered
        self.count = len(program.kernels) + len(self._sized) + sum(
            1 if depth == 1 else 2 for depth in lowered.back.values())  # fmt: skip
        # A kernel sees the age of the stream only to tell whether there is a past, and how much of it.
        self.settled = max((1, *lowered.back.values(), *lowered.delays.values()))
        self._boxes = program.arguments("boxes")
        self._read = program.arguments("live", "settings")
        read = bool(self._read or self._boxes)
        self._telling = tuple(body.params) if read else ()
        self._said: bytes | None = None
        self._live = dict.fromkeys(str(a.key) for kernel in program.kernels for a in kernel.live if a.kind == "param")

    def make_room(self, frames: int, stream: Stream, drain: Callable[[], object]) -> None:
        """Have memory for batches of so many frames; see `CudaMemory.make_room`."""
        self.memory.make_room(frames, stream, drain)

    def tell(self, values: Mapping[str, Value], stream: Stream) -> list[Array]:
        """Have on the device what the host says for the batch to come: live parameters, boxes of tables, what a decoder
        says of the parameters. It goes up when it changes; what comes before in the stream sees what it was. Returns
        what must be held until that is done."""
        sent: list[Array] = []
        if not self._telling:
            return sent
        # Compared as bytes: cheaper than arrays, and NaN equals itself.
        said = _exactly([values[name] for name in self._telling])
        if said is not None and said == self._said:
            return sent
        counts = {}
        for place, a in self._boxes.items():
            boxes = boxes_of(self.body, str(a.key), values)
            counts[str(a.key)] = len(boxes)
            sent += self.memory.tell(place, padded(boxes, a.shape), stream)
        if LIVE in self._read:
            sent += self.memory.tell(LIVE, live_bytes(self.program, values, counts), stream)
        if SETTINGS in self._read:
            decoder = self.body.host.decoder if self.body.host is not None else None
            assert decoder is not None
            sent += self.memory.tell(SETTINGS, decoder.settings(values), stream)
        # Last: after an error all is said again.
        self._said = said
        return sent

    def key(self, memory: Mapping[Place, Any], values: Mapping[str, Value], frames: int) -> Hashable:
        """Of all that `put` depends on."""
        named = tuple(repr(values[name]) for name in self._live) if self._naming else ()  # 0.0 is not -0.0
        return (frames, min(self.memory.frames, self.settled), tuple(map(self.device.address, memory.values())),
                self.memory.turned, self.memory.made, named)  # fmt: skip

    def put(self, stream: Stream, memory: Mapping[Place, Any], values: Mapping[str, Value], frames: int) -> None:
        """Put one batch into a stream, after the ones before.

        Args:
            memory: of inputs, outputs and what is downloaded, by place.
            values: of all parameters.
            frames: of the batch.
        """
        device, kept = self.device, self.memory
        # Reductions start from their neutral values, counts from 0, in the stream itself.
        for place, size in self._sized.items():
            if place[0] == "sums":
                device.copy(memory[place], 0, kept.starts[str(place[1])], 0, frames * size, stream)
            else:
                device.zero(kept.scratch[place], frames * size, stream)
        for function in self._naming:
            function.take(values)
        everything = {**memory, **kept.scratch}
        for kernel in self.program.kernels:
            listed = [self._argument(a, everything, frames) for a in kernel.arguments]
            function = self.functions[kernel.name]
            device.launch(function, kernel.grid(frames), kernel.block, listed, kernel.shared, stream)
        # After the kernels, which look at the past before this batch.
        for index in self.program.lowered.back:
            kept.remember(index, memory["input", index, 0], frames, stream)

    def turn(self, frames: int) -> None:
        """A batch was put into the stream."""
        self.memory.turn(frames)

    def _argument(self, a: Argument, memory: Mapping[Place, Any], frames: int) -> Any:
        match a.kind:
            case "frames":
                return np.int32(frames)
            case "age":
                return np.int32(min(self.memory.frames, self.settled))
            case "past":
                return self.memory.pasts[int(a.key)][0]
            case "state_in":
                return self.memory.states[str(a.key)][0]
            case "state_out":
                return self.memory.states[str(a.key)][1]
        return memory[a.kind, a.key, a.depth]


def _exactly(values: Sequence[Value]) -> bytes | None:
    """The values to the last bit (0.0 is not -0.0); None where that takes more than it saves."""
    try:
        return marshal.dumps(tuple(values))  # numbers, texts and tuples of these
    except ValueError:  # numbers of NumPy's
        return None
