"""Bodies with layers of networks as machine code: an image pass for what comes before them, then rows of layers.

Bit for bit the reference. A frame goes through all layers, so that rows stay in the near caches. Threads share the
frames of a batch as far as these share out evenly, each with a program of its own, and the rows of what is left, or of
a single frame.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_lower import Listed, Sliced, lower_layers
from kernels.codegen.layers_steps import generate
from kernels.codegen.layers_work import weighed
from kernels.errors import DefinitionError
from kernels.executors.base import Batch, InputCheck, Out, Program, State, check_out
from kernels.executors.layers import LayerProgram, target_of
from kernels.executors.machine import Machine
from kernels.executors.placement import first_cache, own_cache
from kernels.executors.reference import ReferenceProgram
from kernels.executors.workers import Workers
from kernels.fusion.layers_runs import CHOSEN, Core, cuts_of
from kernels.fusion.layers_schedule import pulled, striped
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr
from kernels.ir.image import U8, ImageType
from kernels.ir.planes import spread
from kernels.param import Value

Array = npt.NDArray[Any]
CHUNK = 16
"""Frames whose image pass is made at a time."""


class NetworkProgram:
    """A body with volumes that runs; it has no memory of earlier frames.

    Args:
        body: its outputs are images of f32, or made by the image pass alone.
        machine: the compiler.
        images: what compiles the image pass.
        cached: whether machine code is kept on disk.
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
        self, body: Body, machine: Machine, images: Callable[[Body], Program], cached: bool = True,
        workers: Workers | None = None, schedule: str = CHOSEN,
    ) -> None:  # fmt: skip
        self.body = body
        self._check = InputCheck(body)
        self._lowered = made = lower_layers(body, target_of(machine), evaluated)
        self._front = images(made.front) if made.front is not None else None
        self._workers, network = workers, made.network
        threads = 1 if workers is None else workers.threads
        try:
            seen, core = weighed(network), Core(own_cache(), first_cache())
            self.core = core
            order = pulled(network, cuts_of(schedule, seen, core))
            self.layers = LayerProgram(network, [[order]], machine, cached)
            lanes = [self.layers, *(self.layers.twin() for _ in range(threads - 1))]
            self._striped = None
            if threads > 1:
                self._striped = self.layers.twin(striped(network, cuts_of(schedule, seen, core, threads), threads))
        except DefinitionError as error:
            raise Unsupported(str(error)) from None
        self.constants = made.constants
        for number, values in made.constants.items():
            for layers in (*lanes, *([self._striped] if self._striped else [])):
                layers.rows(number)[:] = values
        listed = {k: v for k, v in made.outputs.items() if isinstance(v, Listed)}
        self._lanes = [(layers, _Lists(listed, made.made)) for layers in lanes]
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self.frames = 0
        self._wide: dict[int, Array] = {}

    def run(
        self, inputs: Sequence[Batch | None], params: Mapping[str, Value], out: Out | None = None
    ) -> Mapping[str, Batch]:
        """See `Program.run`."""
        if self._workers is not None and self._striped is not None:
            self._workers.rouse()
        frames = self._check(inputs, params)
        if out:
            check_out(out, self.body, frames, inputs)
        given = [np.ascontiguousarray(batch) if isinstance(batch, np.ndarray) else batch for batch in inputs]
        results: dict[str, Any] = {}
        self._wide = {}
        for output in self.body.outputs:
            where = self._lowered.outputs.get(output.name)
            if isinstance(where, Sliced):
                if where.bank not in self._wide:
                    self._wide[where.bank] = np.empty((frames, *self._lowered.made[where.bank]), np.float32)
                results[output.name] = self._wide[where.bank][..., where.first : where.first + where.count]
                if where.count == 1:
                    results[output.name] = results[output.name][..., 0]
            elif isinstance(output.type, ImageType):
                shape = (frames, *output.type.shape)
                here = (out or {}).get(output.name)
                results[output.name] = np.empty(shape, output.type.dtype.numpy) if here is None else here
            else:
                results[output.name] = []
        for start in range(0, frames, CHUNK):
            self._chunk([None if batch is None else batch[start : start + CHUNK] for batch in given], params, results,
                        start)  # fmt: skip
        self.frames += frames
        for name, array in (out or {}).items():
            if results[name] is not array:
                array[:] = results[name]
                results[name] = array
        return results

    def banks(self, inputs: Sequence[Batch | None], params: Mapping[str, Value]) -> dict[int, Array]:
        """What the banks of the first frame hold: what rows are read from, and room for what they make."""
        made = self._lowered
        given = [np.ascontiguousarray(batch[:1]) if isinstance(batch, np.ndarray) else batch for batch in inputs]
        front: Mapping[str, Any] = {} if self._front is None else self._front.run(given, params)
        found: dict[int, Array] = {}
        for map_ in made.network.maps:
            if map_.bank in made.given:
                where = made.given[map_.bank]
                batch: Any = front[where] if isinstance(where, str) else given[where]
                found[map_.bank] = batch[0]
            elif map_.bank:
                found[map_.bank] = np.zeros((map_.height, map_.width, map_.channels), map_.dtype.numpy)
        return found

    def _chunk(
        self, given: Sequence[Any], params: Mapping[str, Value], results: dict[str, Any], start: int
    ) -> None:  # fmt: skip
        made = self._lowered
        front: Mapping[str, Any] = {}
        if self._front is not None:
            front = self._front.run(given, params)
            for output in self.body.outputs:
                if output.name in made.outputs:
                    continue
                if isinstance(output.type, ImageType):
                    results[output.name][start : start + len(front[output.name])] = front[output.name]
                else:
                    results[output.name] += front[output.name]
        count = len(next(batch for batch in given if batch is not None))
        sources = {bank: front[where] if isinstance(where, str) else given[where] for bank, where in made.given.items()}

        def frame(k: int, layers: LayerProgram, lists: _Lists, workers: Workers | None = None) -> None:
            banks = lists.rooms | {bank: batch[k] for bank, batch in sources.items()}
            banks |= {bank: batch[start + k] for bank, batch in self._wide.items()}
            for name, where in made.outputs.items():
                if isinstance(where, int):
                    banks[where] = results[name][start + k]
            layers.run(banks, workers)
            lists.write({name: results[name][start + k] for name in lists.index})

        def some(lane: int) -> None:
            for k in range(lane, even, len(self._lanes)):
                frame(k, *self._lanes[lane])

        left = count % len(self._lanes)  # of whom a few leave threads without work, unless these share rows
        even = count if self._striped is None or 2 * left > len(self._lanes) else count - left
        others = [self._pool.submit(some, k) for k in range(1, len(self._lanes))] if self._pool and even else []
        some(0)
        for other in others:
            other.result()
        for k in range(even, count):
            assert self._striped is not None
            frame(k, self._striped, self._lanes[0][1], self._workers)

    def reset(self) -> None:
        self.frames = 0

    def snapshot(self) -> State:
        return {"frames": self.frames, "memory": {}, "history": []}

    def restore(self, state: State) -> None:
        self.frames = state["frames"]


class _Lists:
    """Where the maps of outputs that are only arranged anew lie, side by side, and how these outputs are read there.

    Attributes:
        rooms: bank -> its values, of one frame.
        index: for each output, where each of its values lies.
    """

    def __init__(self, listed: Mapping[str, Listed], made: Mapping[int, tuple[int, int, int]]) -> None:
        banks = dict.fromkeys(bank for one in listed.values() for bank in one.banks)
        first, total = {}, 0
        for bank in banks:
            first[bank] = total
            total += math.prod(made[bank])
        self._values = np.zeros(total + sum(len(one.constants) for one in listed.values()), np.float32)
        self.rooms = {bank: self._values[at : at + math.prod(made[bank])] for bank, at in first.items()}
        self.index: dict[str, npt.NDArray[np.int64] | slice] = {}
        for name, one in listed.items():
            self._values[total : total + len(one.constants)] = one.constants
            places = [first[bank] + np.arange(math.prod(made[bank])) for bank in one.banks]
            index = np.concatenate([*places, total + np.arange(len(one.constants))])[one.index]
            total += len(one.constants)
            begin = int(index[0])
            straight = np.array_equal(index, begin + np.arange(len(index)))
            self.index[name] = slice(begin, begin + len(index)) if straight else index

    def write(self, outputs: Mapping[str, Array]) -> None:
        """The outputs of the frame whose maps are there."""
        for name, out in outputs.items():
            index, flat = self.index[name], out.reshape(-1)
            if isinstance(index, slice):
                flat[:] = self._values[index]
            else:
                np.take(self._values, index, out=flat, mode="clip")


def described(body: Body, machine: Machine) -> tuple[Body | None, list[str], str]:
    """What a body with volumes becomes: its image pass, a line for each layer, the LLVM IR of the row kernels.

    Raises:
        Unsupported: see `NetworkProgram`.
    """
    made = lower_layers(body, target_of(machine), evaluated)
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
