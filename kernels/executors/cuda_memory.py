"""Device memory of a program between batches: states, past frames, scratch; and snapshots of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kernels.codegen.cuda_launch import Argument, CudaProgram
from kernels.executors.base import State
from kernels.executors.cuda_results import Place, item_bytes
from kernels.executors.device import Array, Device, Memory, Stream
from kernels.ir.body import Body
from kernels.ir.expr import Expr
from kernels.ir.image import ImageType

OLDEST = 1 << 30
"""Where the count of frames stops that kernels see."""
SETTINGS: Place = ("settings", "settings", 0)
"""What a decoder says of the parameters (`kernels.ir.body.Decoder.settings`)."""
LIVE: Place = ("live", "live", 0)
"""The block of live parameters (`kernels.codegen.cuda_launch.live_bytes`)."""
_SCRATCH = ("frame", "mask", "rows", "values", "scratch")


class CudaMemory:
    """What one program keeps on a device.

    Args:
        body: what it computes.
        program: its kernels.
        device: where.

    Attributes:
        frames: of the stream so far, up to `OLDEST`.
        states: by key, read from the first, written to the second.
        pasts: frames before the batch, by number of the input, likewise.
        scratch: memory that kernels hand over to each other, constants, and what the host says.
        starts: what reductions begin with, by table.
        made: how often scratch memory was made anew.
    """

    def __init__(self, body: Body, program: CudaProgram, device: Device) -> None:
        self.body, self.program, self.device = body, program, device
        self.states: dict[str, list[Memory]] = {}
        self.pasts: dict[int, list[Memory]] = {}
        self.scratch: dict[Place, Memory] = {}
        self.starts: dict[str, Memory] = {}
        self.frames = 0
        self._types: dict[str, Argument] = {
            str(key): a for (_, key, _), a in program.arguments("state_in", "state_out").items()
        }
        self._sums = program.arguments("sums")
        self._passed_on = program.arguments(*_SCRATCH)
        self._room, self.made = -1, 0
        self._said: dict[Place, Array] = {}
        self._uploaded = device.event()

    def make_room(self, frames: int, stream: Stream, drain: Callable[[], object]) -> bool:
        """Have memory for batches of so many frames; returns whether any was made.

        Args:
            stream: that sets what must be set.
            drain: waits until nothing works in memory any more that is given up.
        """
        if frames <= self._room:
            return False
        # States outlive a change of size; a pair, since neighbours still read the old value while the new one is
        # written.
        for key, a in self._types.items():
            if key not in self.states:
                size = int(np.prod(a.shape)) * item_bytes(a.dtype)
                self.states[key] = [self.device.memory(size), self.device.memory(size)]
        for index, depth in self.program.lowered.back.items():
            if index not in self.pasts:
                size = depth * self.frame_bytes(index)
                self.pasts[index] = [self.device.memory(size), self.device.memory(size)]
        for place in self.program.arguments("weights"):
            if place not in self.scratch:
                self.scratch[place] = self.device.memory(self.program.weights.nbytes)
                self._upload(self.scratch[place], self.program.weights, stream)
        # Only now: kernels under way read the scratch that is given up.
        drain()
        for place, a in self._passed_on.items():
            self.scratch[place] = self.device.memory(frames * int(np.prod(a.shape)) * item_bytes(a.dtype))
        # What sums begin with lies on the device for a whole batch: a copy sets them without the host.
        for a in self._sums.values():
            start = np.broadcast_to(np.array(a.initial, np.int64), (frames, *a.shape))
            self.starts[str(a.key)] = self.device.memory(start.nbytes)
            self._upload(self.starts[str(a.key)], start, stream)
        self._room, self.made = frames, self.made + 1
        return True

    def tell(self, place: Place, said: Array, stream: Stream) -> list[Array]:
        """Have on the device what the host says, from here on in the stream. Returns what must be held until it is up:
        nothing where it says what it said before."""
        before = self._said.get(place)
        if before is said or (before is not None and np.array_equal(before, said)):
            return []
        if place not in self.scratch:
            self.scratch[place] = self.device.memory(said.nbytes)
        # Pinned: copies from other memory are not asynchronous.
        pin = self.device.pinned(said.nbytes)
        pin[:] = said.reshape(-1).view(np.uint8)
        self.device.upload(self.scratch[place], pin, stream)
        self._said[place] = said
        return [pin]

    def turn(self, frames: int) -> None:
        """A batch was begun: what it wrote is what the next one reads."""
        for pair in (*self.states.values(), *self.pasts.values()):
            pair.reverse()
        self.frames = min(OLDEST, self.frames + frames)

    def remember(self, index: int, batch: Memory, frames: int, stream: Stream) -> None:
        """Put the last frames of an input where the next batch looks for the past."""
        # The two copies write the other one of the pair: the kernels of this batch still read the first.
        old, new = self.pasts[index]
        depth, area = self.program.lowered.back[index], self.frame_bytes(index)
        fresh = min(frames, depth)
        # A batch shorter than the past: the youngest of the old frames move up.
        if fresh < depth:
            self.device.copy(new, 0, old, fresh * area, (depth - fresh) * area, stream)
        self.device.copy(new, (depth - fresh) * area, batch, (frames - fresh) * area, fresh * area, stream)

    def frame_bytes(self, index: int) -> int:
        """Of a frame of an input."""
        type_ = self.body.inputs[index]
        assert isinstance(type_, ImageType)
        return int(np.prod(type_.shape)) * type_.dtype.itemsize

    def _upload(self, to: Memory, array: Array, stream: Stream) -> None:
        """Put the bytes of a host array into device memory, and wait for it: rare."""
        pin = self.device.pinned(array.nbytes)
        pin[:] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        self.device.upload(to, pin, stream)
        self.device.record(self._uploaded, stream)
        self.device.synchronize(self._uploaded)

    def snapshot(self) -> State:
        """A copy of the state, as every back end writes it; nothing may be under way."""
        memory: dict[str, Array] = {}
        past = []
        if self.frames:
            for name, node in self.program.lowered.normal.recurrences.items():
                # What nothing looks at is not computed here; other back ends want something in its place.
                empty = np.zeros(node.size or (), node.dtype.numpy)
                memory[name] = self._state(name) if name in self._types else empty
        for plane, depth in self.program.lowered.normal.histories:
            known = min(depth, self.frames)
            past.append([self._past(plane, back) for back in range(known, 0, -1)])
        return {"frames": self.frames, "memory": memory, "history": past}

    def restore(self, state: State, stream: Stream) -> None:
        """Go on from a snapshot of any back end; there must be room, and nothing may be under way."""
        self.frames = min(OLDEST, int(state["frames"]))
        for name, array in state["memory"].items():
            if name in self._types:
                self._upload(self.states[name][0], np.asarray(array), stream)
        inputs: dict[int, Array] = {}
        for (plane, _), frames in zip(self.program.lowered.normal.histories, state["history"], strict=True):
            self._restore_past(plane, frames, inputs, stream)
        for index, array in inputs.items():
            self._upload(self.pasts[index][0], array, stream)

    def _state(self, key: str) -> Array:
        a = self._types[key]
        height, width = a.shape
        size = width * item_bytes(a.dtype)
        return self.device.fetch(self.states[key][0], size, size, height).view(a.dtype.numpy).copy()

    def _past(self, plane: Expr, back: int) -> Array:
        """A plane as it was `back` frames before the next."""
        if not self._remembers(plane):
            return np.zeros(plane.size or (), plane.dtype.numpy)
        if plane.op != "input":
            return self._state(self._past_key(plane, back))
        type_ = self.body.inputs[plane.arg.index]
        assert isinstance(type_, ImageType)
        depth, area = self.program.lowered.back[plane.arg.index], self.frame_bytes(plane.arg.index)
        every = self.device.fetch(self.pasts[plane.arg.index][0], area, area, depth)
        # The youngest frame is the last one.
        frame = every[depth - back].view(type_.dtype.numpy).reshape(type_.shape)
        return np.array(frame if frame.ndim == 2 else frame[:, :, plane.arg.channel])

    def _remembers(self, plane: Expr) -> bool:
        """Whether the past of a plane is looked at by anything that is computed here."""
        lowered = self.program.lowered
        if plane.op == "input":
            return plane.arg.index in lowered.back
        return plane in lowered.delays and self._past_key(plane, 1) in self._types

    def _past_key(self, plane: Expr, back: int) -> str:
        return f"past {list(self.program.lowered.delays).index(plane)}.{back}"

    def _restore_past(self, plane: Expr, frames: Sequence[Array], inputs: dict[int, Array], stream: Stream) -> None:
        if not frames or not self._remembers(plane):
            return
        if plane.op != "input":
            for back in range(1, self.program.lowered.delays[plane] + 1):
                frame = frames[-back] if back <= len(frames) else frames[0]  # before the first stands the first
                self._upload(self.states[self._past_key(plane, back)][0], np.asarray(frame), stream)
            return
        type_ = self.body.inputs[plane.arg.index]
        assert isinstance(type_, ImageType)
        depth = self.program.lowered.back[plane.arg.index]
        every = inputs.setdefault(plane.arg.index, np.zeros((depth, *type_.shape), type_.dtype.numpy))
        for back, frame in enumerate(reversed(frames), 1):
            if back <= depth:
                target = every[depth - back]
                (target if target.ndim == 2 else target[:, :, plane.arg.channel])[...] = frame

    @property
    def turned(self) -> tuple[int, ...]:
        """Which of each pair is read next."""
        pairs = (*self.states.values(), *self.pasts.values())
        return tuple(self.device.address(pair[0]) for pair in pairs)
