"""The cpu executor: bodies as machine code, vectorised, fused row by row, one strip of rows a thread.

Bit for bit the reference, whatever the number of threads. Every strip keeps the states of its own rows and of the few
beyond that it looks at, and brings all of them forward itself: strips never wait for one another inside a pass.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernels.codegen.pool import pool_text
from kernels.codegen.vector import VERSION, Code, generate
from kernels.errors import DefinitionError
from kernels.executors.base import Batch, Program, State
from kernels.executors.machine import Library, Machine, ObjectCache
from kernels.executors.reference import ReferenceProgram
from kernels.executors.strips import PassRunner, aligned
from kernels.executors.workers import Workers, available
from kernels.fusion.lower import lower
from kernels.fusion.normal import Normal, Unsupported, normalise
from kernels.fusion.rows import Access, RowProgram
from kernels.ir.body import Body
from kernels.ir.expr import Expr
from kernels.ir.image import ImageType
from kernels.ir.table import Table, TableType
from kernels.param import Value

CHUNK = 16
"""Frames for which whole-frame temporaries are kept at a time."""


class CpuExecutor:
    """Compiles bodies for this machine.

    Args:
        isa: "auto", or an x86 level for tests; see `kernels.executors.machine`.
        threads: strips that run side by side; 0 for as many as this process has processors.
        cached: whether compiled objects are kept on disk.
    """

    name = "cpu"

    def __init__(self, isa: str = "auto", threads: int = 0, cached: bool = True) -> None:
        self.machine = Machine(isa)
        self.cache = ObjectCache() if cached else None
        self.workers = Workers(threads or available(), self._library(pool_text(self.machine.triple)))
        self.fallbacks: list[str] = []

    def compile(self, body: Body) -> Program:
        """A program for `body`; one that the back end cannot express runs on the reference (see `back_end`)."""
        try:
            if body.host is not None:
                raise Unsupported("it is a host function")
            rows = lower(body)
            code = generate(body, rows)
        except Unsupported as reason:
            self.fallbacks.append(str(reason))
            return FallbackProgram(body, str(reason))
        return CpuProgram(body, rows, code, self._library(code.text), self.workers)

    def _library(self, text: str) -> Library:
        key = self.machine.key(text, VERSION)
        made = self.cache.get(key) if self.cache else None
        if made is None:
            made = self.machine.compile(text)
            if self.cache:
                self.cache.put(key, made)
        return self.machine.load(made)


class FallbackProgram(ReferenceProgram):
    """A body that the reference runs, and why."""

    back_end = "reference"

    def __init__(self, body: Body, reason: str) -> None:
        super().__init__(body)
        self.reason = reason


class CpuProgram:
    """A compiled body with its state.

    Attributes:
        back_end: "cpu".
        reason: empty.
        text: the LLVM IR.
    """

    back_end = "cpu"
    reason = ""

    def __init__(self, body: Body, rows: RowProgram, code: Code, library: Library, workers: Workers) -> None:
        self.body, self.rows, self.text = body, rows, code.text
        self._normal: Normal = normalise(body)
        self._passes = [PassRunner(body, kernel, workers, library) for kernel in code.kernels]
        self._owner = {name: runner for runner in self._passes for name in runner.kernel.states}
        # A frame buffer holds the frames of a chunk after those before it that are looked at.
        self._frames = [np.zeros(0, np.uint8)] * len(rows.frames)
        self._room = 0
        self._outputs: dict[str, list[np.ndarray]] = {}
        self.reset()

    def reset(self) -> None:
        self.frames = 0
        self._past: dict[int, np.ndarray] = {}  # input -> its last frames
        self._kept = 0  # frames of the past that the buffers hold
        for runner in self._passes:
            runner.forget()

    def run(self, inputs: Sequence[Batch | None], params: Mapping[str, Value]) -> Mapping[str, Batch]:
        frames = self._check(inputs, params)
        values = {**self.body.params, **params}
        given: list[Any] = [
            np.ascontiguousarray(batch) if isinstance(type_, ImageType) else batch
            for batch, type_ in zip(inputs, self.body.inputs, strict=True)
        ]
        results: dict[str, Any] = {}
        for output in self.body.outputs:
            if isinstance(output.type, ImageType):
                results[output.name] = self._spare(output.name, (frames, *output.type.shape), output.type.dtype.numpy)
            else:
                results[output.name] = []
        done = 0
        if self.frames == 0 and frames and not self.rows.plain_start:
            self._start_by_reference([None if g is None else g[:1] for g in given], values, results)
            done = 1
        while done < frames:
            count = min(frames - done, CHUNK)
            self._chunk([None if g is None else g[done : done + count] for g in given], values, results, done, count)
            done += count
        return results

    def _check(self, inputs: Sequence[Batch | None], params: Mapping[str, Value]) -> int:
        lengths = {len(batch) for batch in inputs if batch is not None}
        if len(lengths) != 1:
            raise DefinitionError(f"the inputs of a batch need one length in frames, not {sorted(lengths)}")
        for name in params:
            if name not in self.body.params:
                raise DefinitionError(f"there is no parameter {name!r} in this program")
            if name not in self.body.live and params[name] != self.body.params[name]:
                raise DefinitionError(f"parameter {name!r} is part of the code and cannot change while it runs")
        frames = lengths.pop()
        for batch, type_ in zip(inputs, self.body.inputs, strict=True):
            if batch is None and type_ is None:
                continue
            if isinstance(type_, ImageType) and isinstance(batch, np.ndarray):
                shape, dtype = batch.shape[1:], batch.dtype
                if shape != type_.shape or dtype != type_.dtype.numpy:
                    raise DefinitionError(f"a frame of {shape} {dtype} came where {type_} was announced")
                continue
            if isinstance(type_, TableType) and _are_tables(batch, type_):
                continue
            raise DefinitionError(f"a frame came as {type(batch).__name__} where {type_ or 'nothing'} was announced")
        return frames

    def _spare(self, name: str, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Memory for an output: a former result that nobody holds any more (fresh pages cost more than the work)."""
        known = self._outputs.setdefault(name, [])
        for array, holders in zip(known, _holders(known), strict=True):
            if array.shape == shape and holders == _UNHELD:
                return array
        made = np.empty(shape, dtype)
        self._outputs[name] = [made, *known[:2]]
        return made

    def _start_by_reference(self, inputs: Sequence[Any], params: Mapping[str, Value], results: dict[str, Any]) -> None:
        """The first frame, where states start from values that need more than their pixel."""
        first = ReferenceProgram(self.body)
        made = first.run(inputs, {name: params[name] for name in self.body.live})
        for name, data in made.items():
            if isinstance(data, np.ndarray):
                results[name][:1] = data
            else:
                results[name] += data
        self.restore(first.snapshot())

    def _chunk(
        self, inputs: Sequence[Any], params: Mapping[str, Value], results: dict[str, Any], start: int, count: int
    ) -> None:
        self._make_room(count)

        def addresses(access: Access) -> list[int]:
            if access.kind == "output":
                return _addresses(results[self.body.outputs[access.index].name][start : start + count], count)
            if access.kind == "frame":
                return self._frame_addresses(access, count)
            here = _addresses(inputs[access.index], count)
            if access.dt == 0:
                return here
            return _delayed(here, _all(self._past.get(access.index)), access.dt)

        for runner in self._passes:
            tables = runner.run(count, self.frames == 0, addresses, params)
            for index, rows in tables.items():
                results[self.body.outputs[index].name] += rows
        for index, depth in self.rows.inputs_back.items():
            old = self._past.get(index)
            new = inputs[index][-depth:]
            self._past[index] = new.copy() if old is None else np.concatenate((old, new))[-depth:]
        self._keep(count)
        self.frames += count

    def _make_room(self, count: int) -> None:
        if count <= self._room:
            return
        for i, (store, depth) in enumerate(zip(self.rows.frames, self.rows.depth, strict=True)):
            size = store.pitch * store.size[0] * store.plane.dtype.itemsize
            new = aligned((count + depth) * size)
            old = self._frames[i]
            new[: min(len(old), depth * size)] = old[: min(len(old), depth * size)]
            self._frames[i] = new
        self._room = count

    def _frame_addresses(self, access: Access, count: int) -> list[int]:
        store, depth = self.rows.frames[access.index], self.rows.depth[access.index]
        item = store.plane.dtype.itemsize
        size = store.pitch * store.size[0] * item
        first = self._frames[access.index].ctypes.data + store.lead_in * item
        every = [first + i * size for i in range(depth + count)]
        if access.dt == 0:
            return every[depth:]
        return _delayed(every[depth:], every[depth - min(depth, self._kept) : depth], access.dt)

    def _keep(self, count: int) -> None:
        """Move the last frames of the buffers to where the next chunk looks for the past."""
        for buffer, store, depth in zip(self._frames, self.rows.frames, self.rows.depth, strict=True):
            if depth:
                size = store.pitch * store.size[0] * store.plane.dtype.itemsize
                buffer[: depth * size] = buffer[count * size : (count + depth) * size].copy()
        self._kept += count

    def snapshot(self) -> State:
        memory = {name: self._owner[name].state(name) for name in self._normal.recurrences} if self.frames else {}
        past = [[a.copy() for a in self._history(plane, depth)] for plane, depth in self._normal.histories]
        return {"frames": self.frames, "memory": memory, "history": past}

    def _history(self, plane: Expr, depth: int) -> list[np.ndarray]:
        """The last frames of a plane, at most `depth`."""
        if plane.op == "input":
            past = self._past.get(plane.arg.index)
            frames = [] if past is None else [f if f.ndim == 2 else f[:, :, plane.arg.channel] for f in past]
            return frames[-depth:]
        i, view = self._buffer(plane)
        deepest = self.rows.depth[i]
        return [view[k] for k in range(deepest - min(self._kept, depth), deepest)]

    def _buffer(self, plane: Expr) -> tuple[int, np.ndarray]:
        i = next(i for i, store in enumerate(self.rows.frames) if store.plane is plane)
        return i, self._view(i)

    def _view(self, i: int) -> np.ndarray:
        """A frame buffer as images."""
        self._make_room(1)
        store = self.rows.frames[i]
        height, width = store.size
        images = self._frames[i].view(store.plane.dtype.numpy).reshape(-1, height, store.pitch)
        return images[:, :, store.lead_in : store.lead_in + width]

    def restore(self, state: State) -> None:
        self.reset()
        self.frames = state["frames"]
        for name, array in state["memory"].items():
            self._owner[name].set_state(name, array)
        self._kept = self.frames
        for (plane, _), past in zip(self._normal.histories, state["history"], strict=True):
            if plane.op == "input":
                self._restore_input(plane, past)
                continue
            for i, store in enumerate(self.rows.frames):
                if store.plane is plane and past:
                    depth, view = self.rows.depth[i], self._view(i)
                    for k, image in enumerate(reversed(past), start=1):
                        view[depth - k] = image

    def _restore_input(self, plane: Expr, past: Sequence[np.ndarray]) -> None:
        type_ = self.body.inputs[plane.arg.index]
        assert isinstance(type_, ImageType)
        old = self._past.get(plane.arg.index)
        if old is None or len(old) < len(past):
            longer = np.zeros((len(past), *type_.shape), type_.dtype.numpy)
            if old is not None:
                longer[-len(old) :] = old
            old = self._past[plane.arg.index] = longer
        for k, image in enumerate(reversed(past), start=1):
            frame = old[-k]
            (frame if frame.ndim == 2 else frame[:, :, plane.arg.channel])[...] = image


def _are_tables(batch: Batch | None, type_: TableType) -> bool:
    return batch is not None and all(isinstance(t, Table) and t.rows.dtype == type_.numpy for t in batch)


def _addresses(images: np.ndarray, count: int) -> list[int]:
    first, step = images.ctypes.data, images.strides[0]
    return [first + i * step for i in range(count)]


def _all(images: np.ndarray | None) -> list[int]:
    return [] if images is None else _addresses(images, len(images))


def _delayed(here: Sequence[int], past: Sequence[int], dt: int) -> list[int]:
    """The address for each frame of what stood dt < 0 frames before: before the first stands the first."""
    every = [*past, *here]
    return [every[max(0, len(past) + i + dt)] for i in range(len(here))]


def _holders(arrays: Sequence[np.ndarray]) -> list[int]:
    return [sys.getrefcount(array) for array in arrays]


_UNHELD = _holders([np.empty(0)])[0]
"""What is counted for an array that only its list holds, on this Python."""


def create(threads: int = 0) -> CpuExecutor:
    """For `kernels.executors.base.executor`.

    Raises:
        DefinitionError: llvmlite is missing.
    """
    return CpuExecutor(threads=threads)
