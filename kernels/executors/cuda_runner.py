"""A CudaProgram at work on a device (`kernels.executors.device`): memory, arguments, state, tables. Knows no CuPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernels.codegen.cuda_launch import Argument, CudaProgram
from kernels.executors.base import Batch, InputCheck, Out, State, check_out
from kernels.executors.cuda_results import Place, boxes_of, item_bytes, listed, memory_type, padded, reduced
from kernels.executors.device import Array, Device, Memory, Stream
from kernels.executors.ring import Pending, Ring
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr
from kernels.ir.image import ImageType
from kernels.ir.table import Candidates, Reduction, TableType
from kernels.param import Value

OLDEST = 1 << 30
"""Where the count of frames stops that kernels see."""
_SCRATCH = ("frame", "mask", "rows", "values")


@dataclass(frozen=True, slots=True)
class DeviceBatch:
    """Images that stayed on a device.

    Args:
        memory: (frames, *image shape), dense.
        frames: how many.
        type: of each.
        device: where they lie.
    """

    memory: Memory
    frames: int
    type: ImageType
    device: Device

    def __len__(self) -> int:
        return self.frames


class CudaRunner:
    """A program with its state on one device.

    Args:
        body: what it computes.
        program: its kernels.
        device: where.
        slots: batches under way at most.
        functions: what launches the kernels, by name, if not the device's own of the program's text.

    Attributes:
        back_end: "cuda".
        reason: empty.
        resident: names of image outputs that are left on the device, as `DeviceBatch`, because only programs there
            take them; they hold until the next batches need their memory (see `Ring.submit`).
    """

    back_end, reason = "cuda", ""

    def __init__(
        self, body: Body, program: CudaProgram, device: Device, slots: int = 3,
        functions: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self.body, self.program, self.device = body, program, device
        self.text = program.text
        self.resident: frozenset[str] = frozenset()
        self._check = InputCheck(body)
        self._functions = device.load(program) if functions is None else functions
        self._ring = Ring(device, slots)
        self._arguments = program.arguments("sums", "list", "total", "boxes", *_SCRATCH)
        self._states: dict[str, list[Memory]] = {}  # read from the first, written to the second
        self._state_types: dict[str, Argument] = {
            str(key): a for (_, key, _), a in program.arguments("state_in", "state_out").items()
        }
        self._pasts: dict[int, list[Memory]] = {}
        self._scratch: dict[Place, Memory] = {}
        self._starts: dict[str, Memory] = {}
        self._room = 0
        self.frames = 0

    def run(
        self, inputs: Sequence[Batch | DeviceBatch | None], params: Mapping[str, Value], out: Out | None = None
    ) -> Mapping[str, Any]:
        """See `kernels.executors.base.Program`; inputs may lie on the device."""
        made: Mapping[str, Any] = self.submit(inputs, params, out).result()
        return made

    def submit(
        self, inputs: Sequence[Batch | DeviceBatch | None], params: Mapping[str, Value], out: Out | None = None
    ) -> Pending:
        """Begin a batch; its `result` is what `run` would return. Inputs on the host may be used again at once."""
        given = [self._seen(batch, type_) for batch, type_ in zip(inputs, self.body.inputs, strict=False)]
        frames = self._check([_shape(g) for g in given], params)
        if out:
            check_out(out, self.body, frames, [g for g in given if isinstance(g, np.ndarray)])
        values = {**self.body.params, **params}
        images = [i for i, type_ in enumerate(self.body.inputs) if isinstance(type_, ImageType)]
        tables = [a for (kind, _, _), a in self._arguments.items() if kind == "boxes"]
        boxes = {str(a.key): boxes_of(self.body, str(a.key), values) for a in tables}
        sources: list[Any] = [_dense(given[i]) for i in images]
        sources += [padded(boxes[str(a.key)], a.shape) for a in tables]
        fetched, kept = self._outputs(frames)
        self._make_room(frames)

        def work(stream: Stream, inside: Sequence[Memory], outside: Sequence[Memory]) -> None:
            memory: dict[Place, Any] = {("input", i, 0): m for i, m in zip(images, inside, strict=False)}
            memory |= {("boxes", a.key, 0): m for a, m in zip(tables, inside[len(images) :], strict=True)}
            memory |= dict(zip([*fetched, *kept], outside, strict=True))
            self._launch(stream, memory, values, boxes, frames)

        def finish(results: Sequence[Array], outside: Sequence[Memory]) -> Mapping[str, Any]:
            host = dict(zip(fetched, results, strict=True))
            left = dict(zip(kept, outside[len(fetched) :], strict=True))
            return {o.name: self._result(o, host, left, values, frames, (out or {}).get(o.name))
                    for o in self.body.outputs}  # fmt: skip

        pending = self._ring.submit(sources, list(fetched.values()), list(kept.values()), work, finish)
        self.frames = min(OLDEST, self.frames + frames)
        return pending

    def _seen(self, batch: Any, type_: object) -> Any:
        """A batch as it is used: `DeviceBatch` where it lies on this device."""
        if batch is None or isinstance(batch, (np.ndarray, list)) or not isinstance(type_, ImageType):
            return batch
        if isinstance(batch, DeviceBatch):
            return batch
        memory = self.device.adopt(batch)
        if memory is None:
            return np.asarray(batch)
        dtype = np.dtype(batch.dtype.name)
        kind = type_ if batch.shape[1:] == type_.shape and dtype == type_.dtype.numpy else None
        if kind is None:  # say so as for any other
            return np.broadcast_to(np.zeros((), dtype), batch.shape)
        return DeviceBatch(memory, batch.shape[0], kind, self.device)

    def _outputs(self, frames: int) -> tuple[dict[Place, int], dict[Place, int]]:
        """Bytes of what is downloaded, and of what stays on the device."""
        fetched: dict[Place, int] = {}
        kept: dict[Place, int] = {}
        for output in self.body.outputs:
            if isinstance(output.type, ImageType):
                area = int(np.prod(output.type.shape)) * output.type.dtype.itemsize
                (kept if output.name in self.resident else fetched)["output", output.name, 0] = frames * area
        for place, a in self._arguments.items():
            size = frames * int(np.prod(a.shape)) * item_bytes(a.dtype)
            if a.kind in ("sums", "total"):
                fetched[place] = size
            elif a.kind == "list":
                kept[place] = size
        return fetched, kept

    def _make_room(self, frames: int) -> None:
        for key, a in self._state_types.items():
            if key not in self._states:
                size = int(np.prod(a.shape)) * item_bytes(a.dtype)
                self._states[key] = [self.device.memory(size), self.device.memory(size)]
        for index, depth in self.program.lowered.back.items():
            if index not in self._pasts:
                size = depth * self._frame_bytes(index)
                self._pasts[index] = [self.device.memory(size), self.device.memory(size)]
        if frames <= self._room:
            return
        self._ring.drain()  # nothing may still work in what is given up
        for place, a in self._arguments.items():
            if a.kind in _SCRATCH:
                self._scratch[place] = self.device.memory(frames * int(np.prod(a.shape)) * item_bytes(a.dtype))
            elif a.kind == "sums":
                start = np.broadcast_to(np.array(a.initial, np.int64), (frames, *a.shape))
                self._starts[str(a.key)] = self._uploaded(np.ascontiguousarray(start))
        self._room = frames

    def _uploaded(self, array: Array) -> Memory:
        """Device memory with the bytes of a host array, by the compute stream."""
        device, event = self.device, self.device.event()
        pin, memory = device.pinned(array.nbytes), device.memory(array.nbytes)
        pin[:] = array.reshape(-1).view(np.uint8)
        device.upload(memory, pin, self._ring.compute)
        device.record(event, self._ring.compute)
        device.synchronize(event)  # rare: the pinned memory need not outlive this
        return memory

    def _launch(
        self, stream: Stream, memory: dict[Place, Any], values: Mapping[str, Value],
        boxes: Mapping[str, Array], frames: int,
    ) -> None:  # fmt: skip
        device = self.device
        for place, a in self._arguments.items():
            size = frames * int(np.prod(a.shape)) * item_bytes(a.dtype)
            if a.kind == "sums":
                device.copy(memory[place], 0, self._starts[str(a.key)], 0, size, stream)
            elif a.kind == "rows":
                device.zero(self._scratch[place], size, stream)
        memory |= self._scratch
        for kernel in self.program.kernels:
            listed = [self._argument(a, memory, values, boxes, frames) for a in kernel.arguments]
            function = self._functions[kernel.name]
            device.launch(function, kernel.grid(frames), kernel.block, listed, kernel.shared, stream)
        for pair in self._states.values():
            pair.reverse()
        for index, depth in self.program.lowered.back.items():
            self._remember(index, depth, memory["input", index, 0], frames, stream)

    def _argument(
        self, a: Argument, memory: Mapping[Place, Any], values: Mapping[str, Value], boxes: Mapping[str, Array],
        frames: int,
    ) -> Any:  # fmt: skip
        match a.kind:
            case "frames":
                return np.int32(frames)
            case "age":
                return np.int32(self.frames)
            case "count":
                return np.int32(len(boxes[str(a.key)]))
            case "param":
                return memory_type(a.dtype).type(values[str(a.key)])
            case "past":
                return self._pasts[int(a.key)][0]
            case "state_in":
                return self._states[str(a.key)][0]
            case "state_out":
                return self._states[str(a.key)][1]
        return memory[a.kind, a.key, a.depth]

    def _remember(self, index: int, depth: int, batch: Memory, frames: int, stream: Stream) -> None:
        """Put the last frames of an input where the next batch looks for the past."""
        old, new = self._pasts[index]
        area = self._frame_bytes(index)
        fresh = min(frames, depth)
        if fresh < depth:
            self.device.copy(new, 0, old, fresh * area, (depth - fresh) * area, stream)
        self.device.copy(new, (depth - fresh) * area, batch, (frames - fresh) * area, fresh * area, stream)
        self._pasts[index].reverse()

    def _frame_bytes(self, index: int) -> int:
        type_ = self.body.inputs[index]
        assert isinstance(type_, ImageType)
        return int(np.prod(type_.shape)) * type_.dtype.itemsize

    def _result(
        self, output: Output, host: Mapping[Place, Array], left: Mapping[Place, Memory], values: Mapping[str, Value],
        frames: int, out: Array | None,
    ) -> Any:  # fmt: skip
        if isinstance(output.type, ImageType):
            place: Place = "output", output.name, 0
            if place in left:
                return DeviceBatch(left[place], frames, output.type, self.device)
            made = host[place].view(output.type.dtype.numpy).reshape(frames, *output.type.shape)
            if out is None:
                return made.copy()
            out[...] = made
            return out
        assert isinstance(output.type, TableType)
        if isinstance(output.table, Candidates):
            return listed(self.device, output.name, output.type, output.table.capacity, host, left, frames)
        assert isinstance(output.table, Reduction)
        return reduced(output.table, output.type, host["sums", output.name, 0], values, frames)

    def reset(self) -> None:
        """Forget all state."""
        self._ring.drain()
        self.frames = 0

    def snapshot(self) -> State:
        """A copy of the state, as every back end writes it."""
        self._ring.drain()
        memory: dict[str, Array] = {}
        past = []
        if self.frames:
            for name, node in self.program.lowered.normal.recurrences.items():
                # What nothing looks at is not computed here; other back ends want something in its place.
                empty = np.zeros(node.size or (), node.dtype.numpy)
                memory[name] = self._state(name) if name in self._state_types else empty
        for plane, depth in self.program.lowered.normal.histories:
            known = min(depth, self.frames)
            past.append([self._past(plane, back) for back in range(known, 0, -1)])
        return {"frames": self.frames, "memory": memory, "history": past}

    def restore(self, state: State) -> None:
        """Go on from a snapshot of any back end."""
        self._ring.drain()
        self._make_room(0)
        self.frames = min(OLDEST, int(state["frames"]))
        for name, array in state["memory"].items():
            if name in self._state_types:
                self._states[name][0] = self._uploaded(_dense(np.asarray(array)))
        inputs: dict[int, Array] = {}
        for (plane, _), frames in zip(self.program.lowered.normal.histories, state["history"], strict=True):
            self._restore_past(plane, frames, inputs)
        for index, array in inputs.items():
            self._pasts[index][0] = self._uploaded(array)

    def _state(self, key: str) -> Array:
        a = self._state_types[key]
        height, width = a.shape
        size = width * item_bytes(a.dtype)
        return self.device.fetch(self._states[key][0], size, size, height).view(a.dtype.numpy).copy()

    def _past(self, plane: Expr, back: int) -> Array:
        """A plane as it was `back` frames before the next."""
        if not self._remembers(plane):
            return np.zeros(plane.size or (), plane.dtype.numpy)
        if plane.op != "input":
            return self._state(self._past_key(plane, back))
        type_ = self.body.inputs[plane.arg.index]
        assert isinstance(type_, ImageType)
        depth, area = self.program.lowered.back[plane.arg.index], self._frame_bytes(plane.arg.index)
        every = self.device.fetch(self._pasts[plane.arg.index][0], area, area, depth)
        frame = every[depth - back].view(type_.dtype.numpy).reshape(type_.shape)
        return np.array(frame if frame.ndim == 2 else frame[:, :, plane.arg.channel])

    def _remembers(self, plane: Expr) -> bool:
        """Whether the past of a plane is looked at by anything that is computed here."""
        lowered = self.program.lowered
        if plane.op == "input":
            return plane.arg.index in lowered.back
        return plane in lowered.delays and self._past_key(plane, 1) in self._state_types

    def _past_key(self, plane: Expr, back: int) -> str:
        return f"past {list(self.program.lowered.delays).index(plane)}.{back}"

    def _restore_past(self, plane: Expr, frames: Sequence[Array], inputs: dict[int, Array]) -> None:
        if not frames or not self._remembers(plane):
            return
        if plane.op != "input":
            for back in range(1, self.program.lowered.delays[plane] + 1):
                frame = frames[-back] if back <= len(frames) else frames[0]  # before the first stands the first
                self._states[self._past_key(plane, back)][0] = self._uploaded(_dense(np.asarray(frame)))
            return
        type_ = self.body.inputs[plane.arg.index]
        assert isinstance(type_, ImageType)
        depth = self.program.lowered.back[plane.arg.index]
        every = inputs.setdefault(plane.arg.index, np.zeros((depth, *type_.shape), type_.dtype.numpy))
        for back, frame in enumerate(reversed(frames), 1):
            if back <= depth:
                target = every[depth - back]
                (target if target.ndim == 2 else target[:, :, plane.arg.channel])[...] = frame


def _shape(given: Any) -> Any:
    """A batch for the check of types: its likeness without memory, if it lies on a device."""
    if isinstance(given, DeviceBatch):
        return np.broadcast_to(np.zeros((), given.type.dtype.numpy), (given.frames, *given.type.shape))
    return given


def _dense(given: Any) -> Any:
    return given.memory if isinstance(given, DeviceBatch) else np.ascontiguousarray(given)
