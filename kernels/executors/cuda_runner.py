"""A CudaProgram at work on a device (`kernels.executors.device`): batches, tables, results. Knows no CuPy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernels.codegen.cuda_launch import CudaProgram
from kernels.executors.base import Batch, InputCheck, Out, OutputCheck, State
from kernels.executors.cuda_launches import Launches
from kernels.executors.cuda_memory import SETTINGS
from kernels.executors.cuda_results import Filling, Place, boxes_of, decoded, item_bytes, listed, padded, reduced
from kernels.executors.device import Array, Device, Lying, Memory, Piece, Stream
from kernels.executors.ring import Hold, Left, Pending, Results, Ring
from kernels.ir.bits import Bits, words_of
from kernels.ir.body import Body, Output
from kernels.ir.image import ImageType
from kernels.ir.table import Candidates, Reduction, Table, TableType
from kernels.param import Value

_LISTED = ("list", "table")
"""Kinds of memory of which the first rows come down with a batch, as many as those before it had."""


@dataclass(frozen=True, slots=True)
class DeviceBatch:
    """Images on a device.

    Args:
        memory: (frames, *image shape), dense.
        frames: how many.
        type: of each.
        device: where they lie.
        hold: of what a program has left there; None for somebody else's.
    """

    memory: Memory
    frames: int
    type: ImageType
    device: Device
    hold: Hold | None = None

    def __len__(self) -> int:
        return self.frames


@dataclass(eq=False, slots=True)
class CudaPending:
    """A batch under way.

    Attributes:
        lying: the images that it makes, where they lie on the device, to be taken by programs that begin before the
            ring of this one comes round (see `Ring.submit`).
        uploads: the images that it has uploaded, by number of the input, likewise.
    """

    pending: Pending
    lying: Mapping[str, DeviceBatch]
    uploads: Mapping[int, DeviceBatch]

    def result(self) -> Mapping[str, Any]:
        """What `run` would return; waits for the batch."""
        made: Mapping[str, Any] = self.pending.result()
        return made


class CudaRunner:
    """A program with its state on one device.

    Args:
        body: what it computes.
        program: its kernels.
        device: where.
        slots: batches under way at most.
        functions: what launches the kernels, by name, if not the device's own of the program's text.
        graphs: whether batches are started as CUDA graphs; None where that pays (`cuda_launches.WORTH`).

    Attributes:
        back_end: "cuda".
        reason: empty.
        resident: names of image outputs that are left on the device, as `DeviceBatch`, because only programs there
            take them; they hold until the next batches need their memory (see `Ring.submit`).
        launches: what starts the kernels.
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
        self._told: Array | None = None
        self._check, self._check_out = InputCheck(body), OutputCheck(body)
        self.launches = Launches(body, program, device, device.load(program) if functions is None else functions,
                                 graphs)  # fmt: skip
        self._ring = Ring(device, slots)
        self._arguments = program.arguments("sums", "list", "total", "boxes", "table", "ends", "words", "settings")
        self._fillings = {str(a.key): Filling(a.shape[0]) for a in program.arguments("list", "table").values()}

    @property
    def frames(self) -> int:
        """Of the stream so far."""
        return self.launches.memory.frames

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
        given = [self._seen(batch) for batch in inputs]
        frames = self._check([_shape(g) for g in given], params)
        if out:
            self._check_out(out, frames, [g for g in given if isinstance(g, np.ndarray)])
        values = {**self.body.params, **params}
        images = [i for i, type_ in enumerate(self.body.inputs) if isinstance(type_, ImageType)]
        tables = [a for (kind, _, _), a in self._arguments.items() if kind == "boxes"]
        boxes = {str(a.key): boxes_of(self.body, str(a.key), values) for a in tables}
        sources: list[Any] = [_source(given[i]) for i in images]
        sources += [padded(boxes[str(a.key)], a.shape) for a in tables]
        fetched, kept = self._outputs(frames)
        parts = self._parts(list(kept), frames)
        self.launches.make_room(frames, self._ring.compute, self._ring.drain)
        self._tell(values)
        places: list[Place] = [*(("input", i, 0) for i in images), *(("boxes", a.key, 0) for a in tables)]

        def work(stream: Stream, inside: Sequence[Memory], outside: Sequence[Memory]) -> None:
            memory = dict(zip([*places, *fetched, *kept], [*inside, *outside], strict=True))
            self.launches.enqueue(stream, memory, values, boxes, frames)

        def finish(results: Results, outside: Sequence[Memory]) -> Mapping[str, Any]:
            left = dict(zip(kept, outside[len(fetched) :], strict=True))
            came = {place: results.part(i) for i, place in enumerate(kept) if i in parts}
            return {o.name: lying[o.name] if ("output", o.name, 0) in left
                    else self._result(o, results, list(fetched), left, came, values, frames, (out or {}).get(o.name))
                    for o in self.body.outputs}  # fmt: skip

        pending = self._ring.submit(sources, list(fetched.values()), list(kept.values()), work, finish,
                                    parts)  # fmt: skip
        there = dict(zip([*fetched, *kept], pending.outputs, strict=True))
        lying = {o.name: DeviceBatch(there["output", o.name, 0], frames, o.type, self.device, pending.hold)
                 for o in self.body.outputs if isinstance(o.type, ImageType)}  # fmt: skip
        uploads = {i: DeviceBatch(pending.uploads[n], frames, type_, self.device, pending.input_hold)
                   for n, i in enumerate(images)
                   if n in pending.uploads and isinstance(type_ := self.body.inputs[i], ImageType)}  # fmt: skip
        return CudaPending(pending, lying, uploads)

    def _tell(self, values: Mapping[str, Value]) -> None:
        """Have on the device what a decoder says of the parameters, which seldom change."""
        decoder = self.body.host.decoder if self.body.host is not None else None
        if decoder is not None and SETTINGS in self._arguments:
            told = decoder.settings(values)
            if told is not self._told:
                self._ring.drain()
                self.launches.memory.tell(told, self._ring.compute)
                self._told = told

    def _seen(self, batch: Any) -> Any:
        """A batch as it is used: `DeviceBatch` where it lies on this device."""
        if batch is None or isinstance(batch, (np.ndarray, list)):
            return batch
        if isinstance(batch, DeviceBatch):
            return batch if batch.device is self.device else _fetched(batch)
        found = self.device.adopt(batch, self._ring.compute)
        if not isinstance(found, Lying):
            return found
        kind = next((t for t in self.body.inputs if isinstance(t, ImageType) and found.shape[1:] == t.shape
                     and found.dtype == t.dtype.numpy), None)  # fmt: skip
        if kind is None:  # say so as for any other
            return np.broadcast_to(np.zeros((), found.dtype), found.shape)
        return DeviceBatch(found.memory, found.shape[0], kind, self.device)

    def _outputs(self, frames: int) -> tuple[dict[Place, int], dict[Place, int]]:
        """Bytes of what is downloaded, and of what stays on the device."""
        fetched: dict[Place, int] = {}
        kept: dict[Place, int] = {}
        for output in self.body.outputs:
            if isinstance(output.type, ImageType):
                area = int(np.prod(output.type.shape)) * output.type.dtype.itemsize
                if output.words:
                    area = output.type.height * 8 * words_of(output.type.width)
                (kept if output.name in self.resident else fetched)["output", output.name, 0] = frames * area
        for place, a in self._arguments.items():
            size = frames * int(np.prod(a.shape)) * item_bytes(a.dtype)
            if a.kind in ("sums", "total", "ends"):
                fetched[place] = size
            elif a.kind in (*_LISTED, "words"):
                kept[place] = size
        return fetched, kept

    def _parts(self, kept: Sequence[Place], frames: int) -> dict[int, Piece]:
        """What comes down of the columns of lists together with the batch, by number of what stays on the device."""
        made = {}
        for number, place in enumerate(kept):
            if place[0] in _LISTED:
                a, filling = self._arguments[place], self._fillings[str(place[1])]
                item = item_bytes(a.dtype) * math.prod(a.shape[1:])
                made[number] = Piece(a.shape[0] * item, filling.rows * item, frames)
        return made

    def _result(
        self, output: Output, results: Results, fetched: Sequence[Place], left: Mapping[Place, Memory],
        came: Mapping[Place, Array], values: Mapping[str, Value], frames: int, out: Array | None,
    ) -> Any:  # fmt: skip
        name = output.name
        if isinstance(output.type, ImageType):
            number, shape = fetched.index(("output", name, 0)), (frames, *output.type.shape)
            if output.words:
                rows = (frames, output.type.height, words_of(output.type.width))
                return Bits(results.taken(number).view("<i8").reshape(rows), output.type.width)
            if out is None:
                return results.taken(number).view(output.type.dtype.numpy).reshape(shape)
            out[...] = results.seen(number).view(output.type.dtype.numpy).reshape(shape)
            return out
        assert isinstance(output.type, TableType)
        if output.table is None:
            ends = results.seen(fetched.index(("ends", name, 0))).view(np.int32).reshape(frames, 2)
            room = self._arguments["table", name, 0].shape[0]
            packed = self.body.host is not None and self.body.host.decoder is not None and self.body.host.decoder.packed
            tables, most = decoded(self.device, name, output.type, room, ends, left, came, packed)
            self._fillings[name].seen(most)
            for t in np.flatnonzero(ends[:, 0] < 0).tolist():
                tables[t] = self._on_host(name, t, left, values)
            return tables
        if isinstance(output.table, Candidates):
            totals = results.seen(fetched.index(("total", name, 0))).view(np.int32)
            tables, most = listed(self.device, name, output.type, output.table.capacity, totals, left, came, frames)
            self._fillings[name].seen(most)
            return tables
        assert isinstance(output.table, Reduction)
        sums = results.seen(fetched.index(("sums", name, 0)))
        return reduced(output.table, output.type, sums, values, frames)

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
        self._ring.drain()
        self.launches.memory.frames = 0

    def drain(self) -> None:
        """Wait for everything that was begun."""
        self._ring.drain()

    def snapshot(self) -> State:
        """A copy of the state, as every back end writes it."""
        self._ring.drain()
        return self.launches.memory.snapshot()

    def restore(self, state: State) -> None:
        """Go on from a snapshot of any back end."""
        self._ring.drain()
        self.launches.make_room(0, self._ring.compute, self._ring.drain)
        self.launches.memory.restore(state, self._ring.compute)


def _shape(given: Any) -> Any:
    """A batch for the check of types: its likeness without memory, if it lies on a device."""
    if isinstance(given, DeviceBatch):
        return np.broadcast_to(np.zeros((), given.type.dtype.numpy), (given.frames, *given.type.shape))
    return given


def _source(given: Any) -> Any:
    if isinstance(given, DeviceBatch):
        return given.memory if given.hold is None else Left(given.memory, given.hold)
    return np.ascontiguousarray(given)


def _fetched(batch: DeviceBatch) -> Array:
    """Images that lie on another device."""
    if batch.hold is not None:
        if batch.hold.over:
            raise RuntimeError("images that were left on the device have been written over")
        batch.device.synchronize(batch.hold.ready)
    size = batch.type.nbytes
    made = batch.device.fetch(batch.memory, size, size, batch.frames)
    return made.view(batch.type.dtype.numpy).reshape(batch.frames, *batch.type.shape)
