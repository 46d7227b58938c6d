"""Programs of one device that begin their batches together: one upload, one graph, one download.

A batch goes through one `Ring`, however many programs there are. What one of them makes of an image and another takes
lies in the ring's memory and needs no event between the two, for both are in one stream. Bits are those of programs
that begin one after another.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from kernels.executors.base import Batch, Out, PartError
from kernels.executors.cuda_graphs import WORTH, Graphs
from kernels.executors.cuda_launches import Launches
from kernels.executors.cuda_results import Place
from kernels.executors.device import Array, Device, Memory, Piece, Stream
from kernels.executors.ring import Hold, Left, Pending, Results, Ring
from kernels.ir.body import Body
from kernels.ir.image import ImageType
from kernels.param import Value

Wires = Mapping[int, tuple[int, str]]
"""Inputs of a program that an earlier one makes: number of the input -> (number of that program, its output)."""
Given = Mapping[int, "Array | DeviceBatch"]
"""Other inputs by number: host arrays, or images on the device."""
ALIKE = 32
"""Kinds of batches of which it is remembered what they leave."""


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

    def fetched(self) -> Array:
        """The images on the host.

        Raises:
            RuntimeError: they are there no longer.
        """
        if self.hold is not None:
            if self.hold.over:
                raise RuntimeError("images that were left on the device have been written over")
            self.device.synchronize(self.hold.ready)
        size = self.type.nbytes
        made = self.device.fetch(self.memory, size, size, self.frames)
        return made.view(self.type.dtype.numpy).reshape(self.frames, *self.type.shape)


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """What one program leaves of batches of one length.

    Args:
        fetched, kept: bytes of what is downloaded, and of what stays on the device, by place.
        pieces: what is downloaded of the latter, by place.
    """

    fetched: Mapping[Place, int]
    kept: Mapping[Place, int]
    pieces: Mapping[Place, Piece]


@dataclass(frozen=True, slots=True)
class Part:
    """What one program does with a batch.

    Args:
        sizes: of what it leaves; the same object for batches that are alike.
        frames: of the batch.
        values: of all parameters.
        out: arrays to be filled, by output.
    """

    sizes: Sizes
    frames: int
    values: Mapping[str, Value]
    out: Out


class _Numbers:
    """Where a ring has what several programs leave: numbers of outputs by place, downloaded ones first."""

    def __init__(self, every: Sequence[Sizes]) -> None:
        self.fetched: list[dict[Place, int]] = []
        self.kept: list[dict[Place, int]] = []
        self.outputs = [size for sizes in every for size in sizes.fetched.values()]
        self.left = [size for sizes in every for size in sizes.kept.values()]
        # Downloaded ones of all programs first, so that a number tells whether something comes down.
        count, before = 0, len(self.outputs)
        self.pieces: dict[int, Piece] = {}
        for sizes in every:
            self.fetched.append({place: count + n for n, place in enumerate(sizes.fetched)})
            self.kept.append({place: before + n for n, place in enumerate(sizes.kept)})
            count, before = count + len(sizes.fetched), before + len(sizes.kept)
            self.pieces |= {self.kept[-1][place] - len(self.outputs): one for place, one in sizes.pieces.items()}
        self.every = [{**fetched, **kept} for fetched, kept in zip(self.fetched, self.kept, strict=True)]


@dataclass(frozen=True, slots=True)
class Came:
    """What has come down of a program's part of a batch.

    Args:
        results: of all that was downloaded.
        numbers: of this program's, by place.
        left: what stayed on the device, by place.
        pieces: what came of that.
        lying: images, where they lie.
    """

    results: Results
    numbers: Mapping[Place, int]
    left: Mapping[Place, Memory]
    pieces: Mapping[Place, Array]
    lying: Mapping[str, DeviceBatch]


class Starting(Protocol):
    """A program that begins with others (`kernels.executors.cuda_runner.CudaRunner`).

    Attributes:
        start: with whom it began its last batch.
    """

    body: Body
    device: Device
    launches: Launches
    slots: int
    start: Start

    def part(
        self, inputs: Sequence[Batch | DeviceBatch | None], params: Mapping[str, Value], out: Out | None,
        made: Mapping[int, int], stream: Stream,
    ) -> tuple[Part, Given]:  # fmt: skip
        """Its part of a batch, and what it takes; `made`: inputs that other programs make, with their numbers of
        frames."""
        ...

    def results(self, part: Part, came: Came) -> Mapping[str, Any]:
        """What `run` returns."""
        ...


@dataclass(eq=False, slots=True)
class CudaPending:
    """A program's part of a batch under way.

    Attributes:
        lying: the images that it makes, where they lie on the device, to be taken by programs that begin before the
            ring of this one comes round (see `Ring.submit`).
        uploads: the images that were uploaded for it, by number of the input, likewise.
    """

    pending: Pending
    number: int
    lying: Mapping[str, DeviceBatch]
    uploads: Mapping[int, DeviceBatch]

    def result(self) -> Mapping[str, Any]:
        """What `run` would return; waits for the batch."""
        made: Mapping[str, Any] | Exception = self.pending.result()[self.number]
        if isinstance(made, Exception):
            raise made
        return made


class Start:
    """Programs that begin together.

    It keeps none of them alive, but for batches under way: programs know it, and in a cycle the memory of both would
    stay on the device until Python looks for cycles.

    Args:
        programs: of one device, in order; whoever uses this holds them.
        graphs: whether batches are started as CUDA graphs; None where that pays (`cuda_graphs.WORTH`).
        wires: of each program, what comes from earlier ones; images that stay there or not.
    """

    def __init__(self, programs: Sequence[Starting], graphs: bool | None = None, wires: Sequence[Wires] = ()) -> None:
        self._programs, self.wires = tuple(map(weakref.ref, programs)), tuple(wires) or ({},) * len(programs)
        self.device = programs[0].device
        self.ring = Ring(self.device, min(program.slots for program in programs))
        self._numbers: dict[tuple[Sizes, ...], _Numbers] = {}
        count = sum(program.launches.count for program in programs)
        self.graphs = Graphs(self.device, count >= WORTH if graphs is None else graphs)

    def submit(
        self, inputs: Sequence[Sequence[Batch | DeviceBatch | None]], params: Sequence[Mapping[str, Value]],
        outs: Sequence[Out | None] | None = None,
    ) -> list[CudaPending]:  # fmt: skip
        """Begin a batch of each program.

        Args:
            inputs: of each, with None for what is wired.
            params: of each.
            outs: of each.

        Raises:
            PartError: one of them fails.
        """
        programs = self._held()
        parts: list[Part] = []
        given: list[Given] = []
        number = 0
        try:
            for number, program in enumerate(programs):
                if program.start is not self:  # its memory is used in another stream
                    program.start.ring.drain()
                    program.start = self
                # Earlier programs have their parts by now: wires go forwards only.
                made = {i: parts[n].frames for i, (n, _) in self.wires[number].items()}
                out = None if outs is None else outs[number]
                part, taken = program.part(inputs[number], params[number], out, made, self.ring.compute)
                parts.append(part)
                given.append(taken)
                # Before anything is put into the stream: making memory may wait for all that is under way.
                program.launches.make_room(part.frames, self.ring.compute, self.ring.drain)
        except Exception as error:
            raise PartError(number, error) from error
        sources, places = _sources(given)
        numbers = self._numbered(parts)

        def work(stream: Stream, inside: Sequence[Memory], outside: Sequence[Memory]) -> list[Any]:
            memories: list[dict[Place, Memory]] = []
            for at, wires, named in zip(places, self.wires, numbers.every, strict=True):
                memory: dict[Place, Memory] = {("input", i, 0): inside[n] for i, n in at.items()}
                # What an earlier program makes is read where it lies, in the same stream: no event.
                memory |= {("input", i, 0): memories[n]["output", name, 0] for i, (n, name) in wires.items()}
                memories.append(memory | {place: outside[n] for place, n in named.items()})
            return self._begin(stream, programs, parts, memories)

        def finish(results: Results, outside: Sequence[Memory]) -> list[Mapping[str, Any] | Exception]:
            found: list[Mapping[str, Any] | Exception] = []
            for k, (program, part) in enumerate(zip(programs, parts, strict=True)):
                kept, first = numbers.kept[k], len(numbers.outputs)
                left = {place: outside[n] for place, n in kept.items()}
                came = {place: results.part(kept[place] - first) for place in part.sizes.pieces}
                try:
                    found.append(program.results(part, Came(results, numbers.fetched[k], left, came, lying[k])))
                except Exception as error:  # that of whoever asks for it
                    found.append(error)
            return found

        pending = self.ring.submit([_source(one) for one in sources], numbers.outputs, numbers.left, work, finish,
                                   numbers.pieces)  # fmt: skip
        begun = [self._pending(k, programs[k].body, pending, part, places[k], numbers.every[k])
                 for k, part in enumerate(parts)]  # fmt: skip
        lying = [one.lying for one in begun]  # not `begun` in `finish`: a cycle would keep results in memory
        return begun

    def _held(self) -> list[Starting]:
        """The programs."""
        programs = [program for known in self._programs if (program := known()) is not None]
        assert len(programs) == len(self._programs)
        return programs

    def _numbered(self, parts: Sequence[Part]) -> _Numbers:
        key = tuple(part.sizes for part in parts)
        if key not in self._numbers:
            if len(self._numbers) >= ALIKE:
                self._numbers.clear()
            self._numbers[key] = _Numbers(key)
        return self._numbers[key]

    def _begin(
        self, stream: Stream, programs: Sequence[Starting], parts: Sequence[Part],
        memories: Sequence[Mapping[Place, Memory]],
    ) -> list[Any]:  # fmt: skip
        """Put a batch into the stream; what must be held."""
        held: list[Any] = []
        launches = [program.launches for program in programs]
        every = tuple(zip(launches, memories, parts, strict=True))
        at = 0  # a context manager a program would take longer than all that it does
        try:
            for at in range(len(every)):
                held += launches[at].tell(parts[at].values, stream)
        except Exception as error:
            raise PartError(at, error) from error

        def put(to: Stream) -> None:
            at = 0
            try:
                for at in range(len(every)):
                    launches[at].put(to, memories[at], parts[at].values, parts[at].frames)
            except Exception as error:
                raise PartError(at, error) from error

        # All that launches depend on: an equal key lets the recorded graph go again.
        key = tuple(launch.key(memory, part.values, part.frames) for launch, memory, part in every)
        self.graphs.start(key, put, stream)
        for launch, _, part in every:
            # States turn after the launches are put, never while their addresses are asked for.
            launch.turn(part.frames)
        return held

    def _pending(
        self, number: int, body: Body, pending: Pending, part: Part, places: Mapping[int, int],
        numbers: Mapping[Place, int],
    ) -> CudaPending:  # fmt: skip
        lying = {o.name: DeviceBatch(pending.outputs[numbers["output", o.name, 0]], part.frames, o.type, self.device,
                                     pending.hold) for o in body.outputs if isinstance(o.type, ImageType)}  # fmt: skip
        uploads = {i: DeviceBatch(pending.uploads[n], part.frames, type_, self.device, pending.input_hold)
                   for i, n in places.items() if n in pending.uploads
                   and isinstance(type_ := body.inputs[i], ImageType)}  # fmt: skip
        return CudaPending(pending, number, lying, uploads)


def _sources(every: Sequence[Given]) -> tuple[list[Array | DeviceBatch], list[dict[int, int]]]:
    """What goes up or lies there, each once, and which of it each program's inputs are."""
    listed: list[Array | DeviceBatch] = []
    numbers: dict[int, int] = {}
    places = []
    for taken in every:
        at = {}
        for i, given in taken.items():
            # One image that several programs take goes up once.
            if id(given) not in numbers:
                numbers[id(given)] = len(listed)
                listed.append(given)
            at[i] = numbers[id(given)]
        places.append(at)
    return listed, places


def _source(given: Array | DeviceBatch) -> Any:
    if isinstance(given, DeviceBatch):
        return given.memory if given.hold is None else Left(given.memory, given.hold)
    return np.ascontiguousarray(given)
