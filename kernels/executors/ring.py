"""Batches on their way to a device, through its kernels and back, several under way at a time.

A ring of slots, each with pinned host memory and device memory for one batch; three streams, so that the upload of
one batch, the kernels of the one before and the download of the one before that overlap. What must wait for what:

    upload    k   waits (on the host) until slot k mod N was emptied; so nothing of batch k - N is under way
    kernels   k   wait for upload k; among themselves they keep their order, so state needs no event
    download  k   waits for kernels k
    result    k   waits (on the host) for download k, and copies out of the slot

`Device` is what this needs of a device. `kernels.executors.cuda` makes one of CuPy; the tests make one that does
whatever is legal in any order, so that a missing wait shows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Memory = Any
"""Device memory, as the device makes it."""


class Device(Protocol):
    """Memory, streams and events of one device. All copies and fills are asynchronous, in their stream's order."""

    def memory(self, size: int) -> Memory:
        """Device memory of `size` bytes."""
        ...

    def pinned(self, size: int) -> Array:
        """Host memory of `size` bytes (u8) that copies may use while the host goes on."""
        ...

    def stream(self) -> Any: ...

    def event(self) -> Any: ...

    def upload(self, to: Memory, source: Array, stream: Any) -> None:
        """Copy pinned host memory to the start of device memory."""
        ...

    def download(self, to: Array, source: Memory, stream: Any) -> None:
        """Copy the start of device memory to pinned host memory."""
        ...

    def record(self, event: Any, stream: Any) -> None:
        """The event happens when the stream has come this far."""
        ...

    def wait(self, stream: Any, event: Any) -> None:
        """What comes after this in the stream waits for the event as it was recorded last."""
        ...

    def synchronize(self, event: Any) -> None:
        """The host waits for the event as it was recorded last."""
        ...


Work = Callable[[Any, Sequence[Memory], Sequence[Memory]], None]
"""(compute stream, memory of each input, memory of each output): launches what makes the outputs from the inputs."""


@dataclass(eq=False, slots=True)
class Pending:
    """A batch under way."""

    _ring: Ring
    _slot: _Slot
    _sizes: tuple[int, ...]
    _done: list[Array] | None = None

    def result(self) -> list[Array]:
        """The bytes of each output (u8 arrays that belong to the caller); waits for them."""
        if self._done is None:
            self._ring.empty(self._slot)
        assert self._done is not None
        return self._done

    def take(self) -> None:
        """Copy the results out of the slot, which are there."""
        self._done = [area[:size].copy() for area, size in zip(self._slot.results, self._sizes, strict=True)]


@dataclass(eq=False, slots=True)
class _Slot:
    uploaded: Any
    computed: Any
    downloaded: Any
    staged: list[Array] = field(default_factory=list)
    inputs: list[Memory] = field(default_factory=list)
    room_in: list[int] = field(default_factory=list)
    outputs: list[Memory] = field(default_factory=list)
    results: list[Array] = field(default_factory=list)
    pending: Pending | None = None


class Ring:
    """Slots and streams on one device.

    Args:
        device: where.
        slots: batches under way at most; three let upload, kernels and download overlap.
    """

    def __init__(self, device: Device, slots: int = 3) -> None:
        self.device = device
        self.up, self.compute, self.down = device.stream(), device.stream(), device.stream()
        self._slots = [_Slot(device.event(), device.event(), device.event()) for _ in range(slots)]
        self._next = 0

    def submit(self, inputs: Sequence[Array | Memory], outputs: Sequence[int], work: Work) -> Pending:
        """Begin a batch.

        Args:
            inputs: host arrays (any shape and type, contiguous), copied before this returns; or device memory, which is
                used where it lies and must stay as it is until the result is there.
            outputs: bytes of each output.
            work: launches the kernels.
        """
        device, slot = self.device, self._slots[self._next]
        self._next = (self._next + 1) % len(self._slots)
        self.empty(slot)
        self._make_room(slot, inputs, outputs)
        memories = list(inputs)
        for i, given in enumerate(inputs):
            if isinstance(given, np.ndarray):
                flat = given.reshape(-1).view(np.uint8)
                slot.staged[i][: flat.size] = flat
                device.upload(slot.inputs[i], slot.staged[i][: flat.size], self.up)
                memories[i] = slot.inputs[i]
        device.record(slot.uploaded, self.up)
        device.wait(self.compute, slot.uploaded)
        work(self.compute, memories, slot.outputs)
        device.record(slot.computed, self.compute)
        device.wait(self.down, slot.computed)
        for area, memory, size in zip(slot.results, slot.outputs, outputs, strict=True):
            if size:
                device.download(area[:size], memory, self.down)
        device.record(slot.downloaded, self.down)
        slot.pending = Pending(self, slot, tuple(outputs))
        return slot.pending

    def empty(self, slot: _Slot) -> None:
        """Wait for the slot's batch and take its results out."""
        if slot.pending is not None:
            self.device.synchronize(slot.downloaded)
            slot.pending.take()
            slot.pending = None

    def drain(self) -> None:
        """Wait for everything that was begun."""
        for slot in self._slots:
            self.empty(slot)

    def _make_room(self, slot: _Slot, inputs: Sequence[Array | Memory], outputs: Sequence[int]) -> None:
        """Memory for a batch, made when one is longer than all before: nothing is allocated in steady state."""
        needed = [given.nbytes if isinstance(given, np.ndarray) else 0 for given in inputs]
        if len(slot.staged) != len(needed) or any(n > r for n, r in zip(needed, slot.room_in, strict=True)):
            slot.staged = [self.device.pinned(size) for size in needed]
            slot.inputs = [self.device.memory(size) for size in needed]
            slot.room_in = needed
        if len(slot.results) != len(outputs) or any(n > len(a) for n, a in zip(outputs, slot.results, strict=True)):
            slot.results = [self.device.pinned(size) for size in outputs]
            slot.outputs = [self.device.memory(size) for size in outputs]
