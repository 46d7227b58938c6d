"""A CudaProgram at work on a device (`kernels.executors.device`): batches, tables, results. Knows no CuPy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from kernels.codegen.cuda_launch import CudaProgram
from kernels.executors.base import Batch, InputCheck, Out, OutputCheck, PartError, State
from kernels.executors.cuda_graphs import Graphs
from kernels.executors.cuda_launches import Launches
from kernels.executors.cuda_results import Filling, Place, decoded, item_bytes, listed, reduced
from kernels.executors.cuda_start import ALIKE, Came, CudaPending, DeviceBatch, Given, Part, Sizes, Start, Wires
from kernels.executors.device import Array, Device, Lying, Memory, Piece, Stream
from kernels.ir.bits import Bits, words_of
from kernels.ir.body import Body, Output
from kernels.ir.image import ImageType
from kernels.ir.table import Candidates, Reduction, Table, TableType
from kernels.param import Value

_LISTED = ("list", "table")
"""Kinds of memory of which the first rows come down with a batch, as many as those before it had."""


class CudaRunner:
    """A program with its state on one device.

    Args:
        body: what it computes.
        program: its kernels.
        device: where.
        slots: batches under way at most.
        functions: what launches the kernels, by name, if not the device's own of the program's text.
        graphs: whether batches are started as CUDA graphs; None where that pays (`cuda_graphs.WORTH`).

    Attributes:
        back_end: "cuda".
        reason: empty.
        resident: names of image outputs that are left on the device, as `DeviceBatch`, because only programs there
            take them; they hold until the next batches need their memory (see `Ring.submit`).
        launches: the kernels.
        start: with whom it began its last batch.
        sent_back: frames whose tables the host made, since there was more in them than kernels have room for.
    """

    back_end, reason = "cuda", ""

    def __init__(
        self, body: Body, program: CudaProgram, device: Device, slots: int = 3,
        functions: Mapping[str, Any] | None = None, graphs: bool | None = None,
    ) -> None:  # fmt: skip
        self.body, self.program, self.device, self.slots = body, program, device, slots
        self.text = program.text
        self.resident: frozenset[str] = frozenset()
        self.sent_back = 0
        self._check, self._check_out = InputCheck(body), OutputCheck(body)
        self.launches = Launches(body, program, device, device.load(program) if functions is None else functions)
        self._graphs = graphs
        self._alone = self.start = Start((self,), graphs)
        arguments = program.arguments("sums", "list", "total", "table", "ends", "words")
        self._arguments = arguments
        self._fillings = {str(a.key): Filling(a.shape[0]) for a in program.arguments("list", "table").values()}
        self._sizes = {place: math.prod(a.shape) * item_bytes(a.dtype) for place, a in arguments.items()}
        self._alike: dict[tuple[int, tuple[int, ...], frozenset[str]], Sizes] = {}
        for output in body.outputs:
            if isinstance(output.type, ImageType):
                row = 8 * words_of(output.type.width) if output.words else 0
                self._sizes["output", output.name, 0] = output.type.height * row or output.type.nbytes

    @property
    def frames(self) -> int:
        """Of the stream so far."""
        return self.launches.memory.frames

    @property
    def graphs(self) -> Graphs:
        """What starts batches of this program alone."""
        return self._alone.graphs

    def join(self, others: Sequence[CudaRunner], wires: Sequence[Wires]) -> Start:
        """This program and others of its device, which begin their batches together; `wires` of all of them."""
        return Start((self, *others), self._graphs, wires)

    def run(
        self, inputs: Sequence[Batch | DeviceBatch | None], params: Mapping[str, Value], out: Out | None = None
    ) -> Mapping[str, Any]:
        """See `kernels.executors.base.Program`; inputs may lie on the device."""
        return self.submit(inputs, params, out).result()

    def submit(
        self, inputs: Sequence[Batch | DeviceBatch | None], params: Mapping[str, Value], out: Out | None = None
    ) -> CudaPending:
        """Begin a batch; its `result` is what `run` would return.

        Inputs on the host may be used again at once, unless they lie in the device's own host memory
        (`Device.pinned`): those, and arrays on the device, must stay as they are until the result is there.
        """
        try:
            return self._alone.submit((inputs,), (params,), (out,))[0]
        except PartError as error:
            raise error.error from error.error.__cause__

    def part(
        self, inputs: Sequence[Batch | DeviceBatch | None], params: Mapping[str, Value], out: Out | None,
        made: Mapping[int, int], stream: Stream,
    ) -> tuple[Part, Given]:  # fmt: skip
        """Its part of a batch, and what it takes; `made`: inputs that other programs make, with their numbers of
        frames."""
        given = [None if i in made else self._seen(batch, stream) for i, batch in enumerate(inputs)]
        frames = self._check([_likeness(self.body.inputs[i], made[i]) if i in made else _shape(one)
                              for i, one in enumerate(given)], params)  # fmt: skip
        if out:
            self._check_out(out, frames, [g for g in given if isinstance(g, np.ndarray)])
        taken: dict[int, Any] = {i: given[i] for i, type_ in enumerate(self.body.inputs)
                 if given[i] is not None and isinstance(type_, ImageType)}  # fmt: skip
        return Part(self._left(frames), frames, {**self.body.params, **params}, out or {}), taken

    def _left(self, frames: int) -> Sizes:
        """What a batch of so many frames leaves."""
        rows = tuple(filling.rows for filling in self._fillings.values())
        key = frames, rows, self.resident
        if key not in self._alike:
            fetched: dict[Place, int] = {}
            kept: dict[Place, int] = {}
            for place, size in self._sizes.items():
                stays = place[1] in self.resident if place[0] == "output" else place[0] not in ("sums", "total", "ends")
                (kept if stays else fetched)[place] = frames * size
            if len(self._alike) >= ALIKE:
                self._alike.clear()
            self._alike[key] = Sizes(fetched, kept, self._pieces(frames))
        return self._alike[key]

    def results(self, part: Part, came: Came) -> Mapping[str, Any]:
        """What `run` returns."""
        return {o.name: came.lying[o.name] if ("output", o.name, 0) in came.left else self._result(o, part, came)
                for o in self.body.outputs}  # fmt: skip

    def _seen(self, batch: Any, stream: Stream) -> Any:
        """A batch as it is used: `DeviceBatch` where it lies on this device."""
        if batch is None or isinstance(batch, (np.ndarray, list)):
            return batch
        if isinstance(batch, DeviceBatch):
            return batch if batch.device is self.device else batch.fetched()
        found = self.device.adopt(batch, stream)
        if not isinstance(found, Lying):
            return found
        kind = next((t for t in self.body.inputs if isinstance(t, ImageType) and found.shape[1:] == t.shape
                     and found.dtype == t.dtype.numpy), None)  # fmt: skip
        if kind is None:  # say so as for any other
            return np.broadcast_to(np.zeros((), found.dtype), found.shape)
        return DeviceBatch(found.memory, found.shape[0], kind, self.device)

    def _pieces(self, frames: int) -> dict[Place, Piece]:
        """What comes down of the columns of lists together with the batch."""
        made: dict[Place, Piece] = {}
        for place, a in self._arguments.items():
            if a.kind in _LISTED:
                item = self._sizes[place] // a.shape[0]
                made[place] = Piece(a.shape[0] * item, self._fillings[str(place[1])].rows * item, frames)
        return made

    def _result(self, output: Output, part: Part, came: Came) -> Any:
        name, frames, results = output.name, part.frames, came.results
        if isinstance(output.type, ImageType):
            number, shape, out = came.numbers["output", name, 0], (frames, *output.type.shape), part.out.get(name)
            if output.words:
                rows = (frames, output.type.height, words_of(output.type.width))
                return Bits(results.taken(number).view("<i8").reshape(rows), output.type.width)
            if out is None:
                return results.taken(number).view(output.type.dtype.numpy).reshape(shape)
            out[...] = results.seen(number).view(output.type.dtype.numpy).reshape(shape)
            return out
        assert isinstance(output.type, TableType)
        if output.table is None:
            ends = results.seen(came.numbers["ends", name, 0]).view(np.int32).reshape(frames, 2)
            room = self._arguments["table", name, 0].shape[0]
            packed = self.body.host is not None and self.body.host.decoder is not None and self.body.host.decoder.packed
            tables, most = decoded(self.device, name, output.type, room, ends, came.left, came.pieces, packed)
            self._fillings[name].seen(most)
            for t in np.flatnonzero(ends[:, 0] < 0).tolist():
                tables[t] = self._on_host(name, t, came.left, part.values)
            return tables
        if isinstance(output.table, Candidates):
            totals = results.seen(came.numbers["total", name, 0]).view(np.int32)
            tables, most = listed(self.device, name, output.type, output.table.capacity, totals, came.left, came.pieces,
                                  frames)  # fmt: skip
            self._fillings[name].seen(most)
            return tables
        assert isinstance(output.table, Reduction)
        sums = results.seen(came.numbers["sums", name, 0])
        return reduced(output.table, output.type, sums, part.values, frames)

    def _on_host(self, name: str, t: int, left: Mapping[Place, Memory], values: Mapping[str, Value]) -> Table:
        """The table of a frame that was too much for its kernel: from the words of its mask, and from its weights."""
        host, (mask, *weights) = self.body.host, self.body.inputs
        assert host is not None
        assert host.words is not None
        assert isinstance(mask, ImageType)
        places = [place for place in self._arguments if place[:2] == ("words", name)]
        shapes = [self._arguments[place] for place in places]
        sizes = [item_bytes(a.dtype) * math.prod(a.shape) for a in shapes]
        came = self.device.fetch_all([(left[place], Piece(size, size, t + 1))
                                      for place, size in zip(places, sizes, strict=True)])  # fmt: skip
        self.sent_back += 1
        parts = [np.ascontiguousarray(one[t]) for one in came]
        bits = Bits(parts[0].view("<i8").reshape(1, *shapes[0].shape), mask.width)
        given: list[Any] = [bits, *(None for _ in weights)]
        if len(parts) > 1:
            (type_,) = weights
            assert isinstance(type_, ImageType)
            given[1] = parts[1].view(type_.dtype.numpy).reshape(1, *type_.shape)
        made = host.words(given, values)[name][0]
        assert isinstance(made, Table)
        return made

    def reset(self) -> None:
        """Forget all state."""
        self.start.ring.drain()
        self.launches.memory.frames = 0

    def drain(self) -> None:
        """Wait for everything that was begun."""
        self.start.ring.drain()

    def snapshot(self) -> State:
        """A copy of the state, as every back end writes it."""
        self.start.ring.drain()
        return self.launches.memory.snapshot()

    def restore(self, state: State) -> None:
        """Go on from a snapshot of any back end."""
        ring = self.start.ring
        ring.drain()
        self.launches.make_room(0, ring.compute, ring.drain)
        self.launches.memory.restore(state, ring.compute)


def _shape(given: Any) -> Any:
    """A batch for the check of types: its likeness without memory, if it lies on a device."""
    if isinstance(given, DeviceBatch):
        return _likeness(given.type, given.frames)
    return given


@lru_cache(maxsize=256)
def _likeness(type_: ImageType | TableType | None, frames: int) -> Array:
    """A batch of images for the check of types, without memory."""
    assert isinstance(type_, ImageType)
    return np.broadcast_to(np.zeros((), type_.dtype.numpy), (frames, *type_.shape))
