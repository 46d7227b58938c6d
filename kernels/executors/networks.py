"""Bodies with layers of networks as machine code: an image pass for what comes before them, then rows of layers.

Bit for bit the reference. A frame goes through all layers, so that rows stay in the near caches. Threads share the
frames of a batch as far as these share out evenly, each with a program of its own, and the rows of what is left, or of
a single frame; they go from frame to frame, and from layer to layer, in machine code.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_lower import Listed, lower_layers
from kernels.codegen.layers_network import Network
from kernels.codegen.layers_record import FRAMES, LIST
from kernels.codegen.layers_steps import generate
from kernels.codegen.layers_work import weighed
from kernels.codegen.pool import LINE
from kernels.errors import DefinitionError
from kernels.executors.base import Batch, InputCheck, Out, OutputCheck, Program, State
from kernels.executors.cache import ObjectCache
from kernels.executors.frozen import frozen, thawed
from kernels.executors.layers import LayerCode, LayerProgram, coded, compiled, loaded, target_of
from kernels.executors.machine import Library, Machine
from kernels.executors.manifest import key_of
from kernels.executors.memory import Spares, address, aligned
from kernels.executors.placement import first_cache, own_cache, shared_part
from kernels.executors.reference import ReferenceProgram
from kernels.executors.workers import Workers
from kernels.fusion.layers_orders import runs_of
from kernels.fusion.layers_runs import CHOSEN, Core
from kernels.fusion.layers_schedule import Schedule, pulled, striped
from kernels.fusion.layers_schedule import schedule as settled
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr
from kernels.ir.image import U8, ImageType
from kernels.ir.planes import spread
from kernels.param import Value

Array = npt.NDArray[Any]
CHUNK = 16
"""Frames whose image pass is made at a time."""
Places = list[tuple[int, int, int]]
"""(bank, where it lies for a frame, bytes from frame to frame)."""


@dataclass(frozen=True, slots=True)
class _Compiled:
    """What a body with volumes becomes for a number of threads: all that need not be found out again.

    Args:
        front, given, made, outputs, constants: see `kernels.codegen.layers_lower.Lowered`.
        code: of its rows, in the order in which one thread makes them.
        striped: the schedule by which the threads share a frame's rows; None of one thread.
    """

    front: Body | None
    given: Mapping[int, int | str]
    made: Mapping[int, tuple[int, int, int]]
    outputs: Mapping[str, int | Listed]
    constants: Mapping[int, Array]
    code: LayerCode
    striped: Schedule | None


class NetworkProgram:
    """A body with volumes that runs; it has no memory of earlier frames.

    Args:
        body: its outputs are images of f32, or made by the image pass alone.
        machine: the compiler.
        images: what compiles the image pass.
        cache: where what is compiled is kept: the machine code by itself, which networks of the same layers share, and
            all else, weights in the order in which they are read included, which are mapped from there.
        workers: the threads that share frames, and rows of frames; without, the caller's alone.
        schedule: one of `kernels.fusion.layers_runs.SCHEDULES`.

    Attributes:
        back_end: "cpu".
        reason: empty.
        core: what schedules are chosen for.
        constants: map -> what it holds for ever.

    Raises:
        Unsupported: it has a construct that rows of layers cannot hold; says which.
    """

    back_end = "cpu"
    reason = ""

    def __init__(
        self, body: Body, machine: Machine, images: Callable[[Body], Program], cache: ObjectCache | None = None,
        workers: Workers | None = None, schedule: str = CHOSEN,
    ) -> None:  # fmt: skip
        self.body = body
        self._check, self._check_out = InputCheck(body), OutputCheck(body)
        self._workers = workers
        threads = 1 if workers is None else workers.threads
        self.core = core_here()
        made, library, network = _compiled(body, machine, threads, cache, schedule, self.core)
        self._made = made
        self._front = images(made.front) if made.front is not None else None
        self.layers = LayerProgram.of(made.code, library)
        if network is not None:
            self.layers.network = network
        # A program a thread: each has maps of its own.
        lanes = [self.layers, *(self.layers.twin() for _ in range(threads - 1))]
        self._striped = None if made.striped is None else self.layers.twin(made.striped)
        self.constants = made.constants
        listed = {k: v for k, v in made.outputs.items() if isinstance(v, Listed)}
        self._lists = _Lists(listed, made.made, len(lanes))
        for number, layers in enumerate([*lanes, *([self._striped] if self._striped else [])]):
            for constant, values in made.constants.items():
                # Maps that never change are written once and never by a run.
                layers.rows(constant)[:] = values
            layers.place(self._lists.rooms[number % len(lanes)])
        self._lanes = lanes
        self._batch = aligned(8 * LINE).view(np.int64)
        self._takes = [layers.takes(lists) for layers, lists in zip(lanes, self._lists.records, strict=True)]
        # The last record is for a frame whose rows threads share: only its lists are left to write.
        self._takes.append(self._takes[0].copy())  # it only writes lists
        self._takes[-1][FRAMES.index("tables")] = 0
        for words in self._takes:
            words[FRAMES.index("batch")] = address(self._batch)
        self._takers = np.array([address(words) for words in self._takes], np.int64)
        self._first, self._writer = self._takers[[0, -1]].tolist()
        self._together = address(self._takers)
        self._take: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.layers.taking)
        self._places: Places = []
        self._table = np.zeros((0, 3), np.int64)
        self._strips_of = -1  # the frame of these places that the strips lie in
        self._call: _Call | None = None
        self._spares = {o.name: Spares(o.type.shape, o.type.dtype.numpy) for o in body.outputs
                        if isinstance(o.type, ImageType)}  # fmt: skip
        self.frames = 0

    def run(
        self, inputs: Sequence[Batch | None], params: Mapping[str, Value], out: Out | None = None
    ) -> Mapping[str, Batch]:
        """See `Program.run`."""
        if self._workers is not None and self._striped is not None:
            self._workers.rouse()
        # The same arrays again: nothing is checked or looked up.
        if out and not params and self._call is not None and self._call.again(inputs, out):
            self._all(self._places, self._call.frames)
            self.frames += self._call.frames
            return {output.name: out[output.name] for output in self.body.outputs}
        self._call = None
        frames = self._check(inputs, params)
        if out:
            self._check_out(out, frames, inputs)
        given = [np.ascontiguousarray(batch) if isinstance(batch, np.ndarray) else batch for batch in inputs]
        results: dict[str, Any] = {}
        places: Places = []
        for output in self.body.outputs:
            name = output.name
            if name not in self._spares:
                results[name] = []
                continue
            if out and name in out:
                array, where = out[name], address(out[name])
            else:
                array, where = self._spares[name].take(frames)
            results[name] = array
            made = self._made.outputs.get(name)
            if isinstance(made, int):
                places.append((made, where, array.strides[0]))
            elif made is not None:
                places += self._lists.goes(name, where, array.strides[0])
        # Without an image pass machine code goes through the whole batch by itself.
        if self._front is None:
            self._all([*places, *self._sources(given, {})], frames)
            if out and not params and len(out) == len(self.body.outputs):
                self._call = _Call.of(inputs, out, frames)
        else:
            for start in range(0, frames, CHUNK):
                some = [None if batch is None else batch[start : start + CHUNK] for batch in given]
                front = self._front.run(some, params)
                self._copied(front, results, start)
                count = len(next(batch for batch in some if batch is not None))
                here = [(bank, where + start * step, step) for bank, where, step in places]
                self._lists.begin(start)
                self._all([*here, *self._sources(some, front)], count)
        self.frames += frames
        return results

    def banks(self, inputs: Sequence[Batch | None], params: Mapping[str, Value]) -> dict[int, Array]:
        """What the banks of the first frame hold: what rows are read from, and room for what they make."""
        made = self._made
        given = [np.ascontiguousarray(batch[:1]) if isinstance(batch, np.ndarray) else batch for batch in inputs]
        front: Mapping[str, Any] = {} if self._front is None else self._front.run(given, params)
        found: dict[int, Array] = {}
        for map_ in made.code.maps:
            for _, count, bank in map_.parts or ((0, map_.channels, map_.bank),):
                if bank in made.given:
                    where = made.given[bank]
                    batch: Any = front[where] if isinstance(where, str) else given[where]
                    found[bank] = batch[0]
                elif bank:
                    found[bank] = np.zeros((map_.height, map_.width, count), map_.dtype.numpy)
        return found

    def _sources(self, given: Sequence[Any], front: Mapping[str, Any]) -> Places:
        """The banks that are inputs, or outputs of the image pass."""
        found: Places = []
        for bank, name in self._made.given.items():
            array = front[name] if isinstance(name, str) else given[name]
            found.append((bank, address(array), array.strides[0]))
        return found

    def _copied(self, front: Mapping[str, Any], results: dict[str, Any], start: int) -> None:
        """Outputs that the image pass makes alone."""
        for output in self.body.outputs:
            if output.name in self._made.outputs:
                continue
            if output.name in self._spares:
                results[output.name][start : start + len(front[output.name])] = front[output.name]
            else:
                results[output.name] += front[output.name]

    def _all(self, places: Places, frames: int) -> None:
        """All layers of so many frames."""
        # Addresses change with arrays only: the tables stay valid otherwise.
        if places != self._places:
            self._places, self._table = places, np.array(places, np.int64).reshape(-1, 3)
            self._strips_of = -1
            for words in self._takes:
                words[FRAMES.index("places")], words[FRAMES.index("banks")] = address(self._table), len(places)
        lanes, batch = len(self._lanes), self._batch
        left = frames % lanes  # of whom a few leave threads without work, unless these share rows
        # Frames that share out evenly go whole to a thread each; the rest is shared by rows, unless most threads have
        # one.
        even = frames if self._striped is None or 2 * left > lanes else frames - left
        if even:
            batch[0], batch[1] = 0, even
        if even and (lanes == 1 or even == 1):
            self._take(self._first)
        elif even:
            assert self._workers is not None
            self._workers.run(self.layers.taking, self._together, lanes)
        for frame in range(even, frames):
            assert self._striped is not None
            if frame != self._strips_of:
                self._striped.place({bank: where + frame * step for bank, where, step in places})
                self._strips_of = frame
            self._striped.run(workers=self._workers)
            if self._lists.some:
                batch[0], batch[1] = frame, frame + 1
                self._take(self._writer)

    def reset(self) -> None:
        self.frames = 0

    def snapshot(self) -> State:
        return {"frames": self.frames, "memory": {}, "history": []}

    def restore(self, state: State) -> None:
        self.frames = state["frames"]


def core_here() -> Core:
    """A core of this machine, as far as the system tells."""
    return Core(own_cache(), first_cache(), last=shared_part())


def _compiled(
    body: Body, machine: Machine, threads: int, cache: ObjectCache | None, how: str, core: Core
) -> tuple[_Compiled, Library, Network | None]:
    """A body for a number of threads, with its machine code, and its network where that is not known from before."""
    target = target_of(machine)
    names = repr([output.name for output in body.outputs])  # what is kept knows them; those of another node are others
    key = key_of(body, (*machine.identity, repr(target), f"{core} {threads} {how}", names)) if cache else ""
    # Mapped, not read: weights come from the page cache and are shared among processes.
    block = cache.mapped(key) if cache and key else None
    with suppress(ValueError):
        kept = thawed(block) if block else None
        if isinstance(kept, _Compiled) and cache:
            library = loaded(kept.code, machine, cache)
            if library is not None:
                return kept, library, None
    lowered = lower_layers(body, target, evaluated, core)
    network = lowered.network
    try:
        seen = weighed(network)
        runs = runs_of(how, seen, core)
        code, kernels = coded(network, [[pulled(network, runs.cuts, core.together, runs.order)]], machine)
        strips = None
        if threads > 1:
            runs = runs_of(how, seen, core, threads)
            strips = settled(network, striped(network, runs.cuts, threads, core.together, runs.order))
        made = _Compiled(lowered.front, lowered.given, lowered.made, lowered.outputs, lowered.constants, code, strips)
    except DefinitionError as error:
        raise Unsupported(str(error)) from None
    if cache and key:
        cache.put(key, frozen(made))
    return made, compiled(code, kernels, target, machine, cache), network


@dataclass(frozen=True, slots=True)
class _Call:
    """The arrays of a call, where all outputs went into the caller's: another call with arrays at the same places needs
    no look at anything else.

    Args:
        inputs: address, shape, strides and type of each.
        outputs: the same by name.
        frames: of the batch.
    """

    inputs: tuple[_Lies, ...]
    outputs: tuple[tuple[str, _Lies], ...]
    frames: int

    @classmethod
    def of(cls, inputs: Sequence[Batch | None], out: Out, frames: int) -> _Call | None:
        """The call; None where not all inputs are arrays that are read where they lie."""
        arrays = [batch for batch in inputs if isinstance(batch, np.ndarray) and batch.flags.c_contiguous]
        if len(arrays) < len(inputs):
            return None
        outputs = tuple((name, _lies(array)) for name, array in out.items())
        return cls(tuple(map(_lies, arrays)), outputs, frames)

    def again(self, inputs: Sequence[Batch | None], out: Out) -> bool:
        """Whether another one is of the same."""
        if len(inputs) != len(self.inputs) or len(out) != len(self.outputs):
            return False
        for batch, known in zip(inputs, self.inputs, strict=True):
            if not isinstance(batch, np.ndarray) or _lies(batch) != known:
                return False
        for name, known in self.outputs:
            array = out.get(name)
            if not isinstance(array, np.ndarray) or _lies(array) != known or not array.flags.writeable:
                return False
        return True


_Lies = tuple[int, tuple[int, ...], tuple[int, ...], np.dtype[Any]]


def _lies(array: Array) -> _Lies:
    return address(array), array.shape, array.strides, array.dtype


class _Lists:
    """Outputs that only arrange anew what maps hold. One whose values follow each other as they lie in maps that
    nothing else looks at is where these are made; of the others, values are read by their numbers.

    Args:
        listed: how.
        made: bank -> (height, width, channels).
        lanes: how many threads have maps of their own.

    Attributes:
        some: whether values of any output are read by their numbers.
        rooms: of each lane, bank -> its address.
        records: of each lane, rows of `LIST`.
    """

    def __init__(self, listed: Mapping[str, Listed], made: Mapping[int, tuple[int, int, int]], lanes: int) -> None:
        counts = {bank: math.prod(made[bank]) for one in listed.values() for bank in one.banks}
        users = [bank for one in listed.values() for bank in one.banks]
        # Values of an output that is just its maps side by side: those are written into it directly.
        self._direct: dict[str, list[tuple[int, int]]] = {}
        for name, one in listed.items():
            ends = np.cumsum([0, *(counts[bank] for bank in one.banks)])
            alone = len(one.constants) == 0 and all(users.count(bank) == 1 for bank in one.banks)
            if alone and np.array_equal(one.index, np.arange(ends[-1])):
                # 4 bytes a value: f32.
                self._direct[name] = list(zip(one.banks, (4 * ends[:-1]).tolist(), strict=True))
        rest = {name: one for name, one in listed.items() if name not in self._direct}
        self.some = bool(rest)
        banks = dict.fromkeys(bank for one in rest.values() for bank in one.banks)
        first: dict[int, int] = {}
        total = 0
        # All others lie in one memory of values, where constants follow.
        for bank in banks:
            first[bank], total = total, total + counts[bank]
        self._rows = {name: k for k, name in enumerate(rest)}
        self._where = [(0, 0)] * len(rest)
        self._index: list[Array] = []
        constants: list[Array] = []
        for one in rest.values():
            numbers = [first[bank] + np.arange(counts[bank]) for bank in one.banks]
            numbers.append(total + np.arange(len(one.constants)))
            total += len(one.constants)
            constants.append(one.constants)
            self._index.append(np.concatenate(numbers)[one.index].astype(np.int32))
        self._values = np.zeros((lanes, total), np.float32)
        if constants:
            behind = np.concatenate(constants)
            self._values[:, total - len(behind) :] = behind
        self.rooms = [{bank: address(own) + 4 * at for bank, at in first.items()} for own in self._values]
        self.records = [np.zeros((len(rest), len(LIST)), np.int64) for _ in range(lanes)]
        for own, rows in zip(self._values, self.records, strict=True):
            for row, index in zip(rows, self._index, strict=True):
                words = {"source": address(own), "index": address(index), "values": len(index)}
                row[:] = [words.get(name, 0) for name in LIST]

    def goes(self, name: str, where: int, step: int) -> Places:
        """An output lies there, `step` bytes from frame to frame; returns the banks that it consists of."""
        if name in self._direct:
            return [(bank, where + at, step) for bank, at in self._direct[name]]
        self._where[self._rows[name]] = where, step
        self.begin(0)
        return []

    def begin(self, frame: int) -> None:
        """The frames of a batch that come now begin with that one."""
        for rows in self.records:
            for row, (where, step) in zip(rows, self._where, strict=True):
                row[LIST.index("out")], row[LIST.index("step")] = where + frame * step, step


def described(body: Body, machine: Machine) -> tuple[Body | None, list[str], str]:
    """What a body with volumes becomes: its image pass, a line for each layer, the LLVM IR of the row kernels.

    Raises:
        Unsupported: see `NetworkProgram`.
    """
    made = lower_layers(body, target_of(machine), evaluated, core_here())
    lines = []
    layers = made.network.settled()
    for layer in layers:
        height, width = layer.size
        looked = ", ".join(f"m{look.map}" for look in layer.looks)
        names = " ".join(dict.fromkeys(kernel.name for kernel in layer.kernels))
        lines.append(f"m{layer.place.map} of {looked}: {width}x{height} px, {layer.channels} channels, {names}")
    kernels = [kernel for layer in layers for kernel in layer.kernels]
    return made.front, lines, generate(kernels, target_of(machine)).text


def evaluated(node: Expr) -> Array:
    """The values of an expression without inputs, (height, width, channels)."""
    if node.op in ("const", "vector"):
        values = node.arg.array if node.op == "vector" else node.arg
        return np.array(values, node.dtype.numpy).reshape(1, 1, node.channels)
    whole = spread(node, (1, 1))
    assert whole.size is not None
    type_ = ImageType(node.dtype, *whole.size, node.channels)
    body = Body((ImageType(U8, 1, 1),), (Output("out", type_, (whole,)),), {}, {})
    with np.errstate(all="ignore"):
        made = ReferenceProgram(body).run([np.zeros((1, 1, 1), np.uint8)], {})["out"]
    return np.asarray(made[0]).reshape(*whole.size, node.channels)
