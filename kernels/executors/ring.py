"""Batches on their way to a device, through its kernels and back, several under way at a time.

A ring of slots, each with pinned host memory and device memory for one batch; three streams, so that the upload of
one batch, the kernels of the one before and the download of the one before that overlap. What must wait for what:

    upload    k   waits (on the host) until slot k mod N was emptied; so nothing of batch k - N is under way
    kernels   k   wait for upload k; among themselves they keep their order, so state needs no event
    download  k   waits for kernels k
    result    k   waits (on the host) for download k, and copies out of the slot
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kernels.executors.device import Array, Device, Event, Memory, Stream

Work = Callable[[Stream, Sequence[Memory], Sequence[Memory]], None]
"""(compute stream, memory of each input, memory of each output): launches what makes the outputs from the inputs."""
Finish = Callable[[Sequence[Array], Sequence[Memory]], Any]
"""(bytes of the outputs that were downloaded, memory of each output) -> the batch's result. Both are the slot's."""


@dataclass(eq=False, slots=True)
class Pending:
    """A batch under way."""

    ring: Ring
    slot: _Slot
    sizes: tuple[int, ...]
    finish: Finish
    done: bool = False
    made: Any = None

    def result(self) -> Any:
        """What `finish` made of it; waits for the batch."""
        if not self.done:
            self.ring.empty(self.slot)
        return self.made

    def take(self) -> None:
        """Make the result of what is there."""
        self.made = self.finish([a[:n] for a, n in zip(self.slot.results, self.sizes, strict=True)], self.slot.outputs)
        self.done = True


@dataclass(eq=False, slots=True)
class _Slot:
    uploaded: Event
    computed: Event
    downloaded: Event
    staged: list[Array] = field(default_factory=list)
    inputs: list[Memory] = field(default_factory=list)
    outputs: list[Memory] = field(default_factory=list)
    room: list[int] = field(default_factory=list)  # bytes of each output
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

    def submit(
        self, inputs: Sequence[Array | Memory], outputs: Sequence[int], kept: Sequence[int], work: Work, finish: Finish
    ) -> Pending:
        """Begin a batch.

        Args:
            inputs: host arrays (any shape and type, contiguous), copied before this returns; or device memory, which is
                used where it lies and must stay as it is until the result is there.
            outputs: bytes of each output that is downloaded.
            kept: bytes of each further output, which stays on the device; there until as many more batches as there
                are slots have begun.
            work: launches the kernels.
            finish: makes the result; called once, when everything is there.
        """
        device, slot = self.device, self._slots[self._next]
        self._next = (self._next + 1) % len(self._slots)
        self.empty(slot)
        self._make_room(slot, inputs, outputs, kept)
        memories = list(inputs)
        for i, given in enumerate(inputs):
            if isinstance(given, np.ndarray):
                flat = given.reshape(-1).view(np.uint8)
                slot.staged[i][: flat.size] = flat
                if flat.size:
                    device.upload(slot.inputs[i], slot.staged[i][: flat.size], self.up)
                memories[i] = slot.inputs[i]
        device.record(slot.uploaded, self.up)
        device.wait(self.compute, slot.uploaded)
        work(self.compute, memories, slot.outputs)
        device.record(slot.computed, self.compute)
        device.wait(self.down, slot.computed)
        for area, memory, size in zip(slot.results, slot.outputs, outputs, strict=False):
            if size:
                device.download(area[:size], memory, self.down)
        device.record(slot.downloaded, self.down)
        slot.pending = Pending(self, slot, tuple(outputs), finish)
        return slot.pending

    def empty(self, slot: _Slot) -> None:
        """Wait for the slot's batch and take its results out."""
        pending, slot.pending = slot.pending, None
        if pending is not None:
            self.device.synchronize(slot.downloaded)
            pending.take()

    def drain(self) -> None:
        """Wait for everything that was begun."""
        for slot in self._slots:
            self.empty(slot)

    def _make_room(
        self, slot: _Slot, inputs: Sequence[Array | Memory], outputs: Sequence[int], kept: Sequence[int]
    ) -> None:
        """Memory for a batch, made when one is longer than all before: nothing is allocated in steady state."""
        needed = [given.nbytes if isinstance(given, np.ndarray) else 0 for given in inputs]
        if len(slot.staged) != len(needed) or any(n > len(a) for n, a in zip(needed, slot.staged, strict=True)):
            slot.staged = [self.device.pinned(size) for size in needed]
            slot.inputs = [self.device.memory(size) for size in needed]
        sizes = [*outputs, *kept]
        if len(slot.room) != len(sizes) or any(n > r for n, r in zip(sizes, slot.room, strict=True)):
            slot.results = [self.device.pinned(size) for size in outputs]
            slot.outputs = [self.device.memory(size) for size in sizes]
            slot.room = sizes
