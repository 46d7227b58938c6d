"""Batches on their way to a device, through its kernels and back, several under way at a time.

A ring of slots, each with device memory for one batch and pinned host memory for its results; three streams, so that
the upload of one batch, the kernels of the one before and the download of the one before that overlap. What must wait
for what:

    upload    k   waits (on the host) until slot k mod N was emptied, so nothing of batch k - N is under way; and until
                  other rings have read what batch k - N had uploaded
    kernels   k   wait for upload k, and for what other rings leave on the device for them; among themselves they keep
                  their order, so state needs no event. They also wait until other rings have read what batch k - N
                  has left on the device for them
    download  k   waits for kernels k
    result    k   waits (on the host) for download k

A host array in pinned memory is uploaded from where it lies, any other is copied there first. Results are handed out in
the pinned memory that they came down to, while there is not too much of it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kernels.executors.device import Array, Device, Event, Memory, Piece, Stream

Work = Callable[[Stream, Sequence[Memory], Sequence[Memory]], Sequence[Any] | None]
"""(compute stream, memory of each input, memory of each output): launches what makes the outputs from the inputs.
Returns what else must be held until the batch is done."""
Finish = Callable[["Results", Sequence[Memory]], Any]
"""(the outputs that were downloaded, memory of each output) -> the batch's result. The memory is the slot's."""


@dataclass(eq=False, slots=True)
class Hold:
    """What a ring has left on the device: when it is there, who reads it, and whether it is there no longer.

    Args:
        ready: happens when it has been made.
        readers: happen when others have read it.
        over: its memory has been given to a later batch.
    """

    ready: Event
    readers: list[Event] = field(default_factory=list)
    over: bool = False


@dataclass(frozen=True, slots=True)
class Left:
    """An input that another ring (or this one) has left on the device."""

    memory: Memory
    hold: Hold


@dataclass(eq=False, slots=True)
class Results:
    """The bytes of a batch's downloaded outputs."""

    device: Device
    areas: list[Array]
    sizes: tuple[int, ...]
    parts: Mapping[int, Array]

    def part(self, number: int) -> Array:
        """Of a further output what came of it, (rows, bytes); the memory is the slot's."""
        return self.parts[number]

    def seen(self, number: int) -> Array:
        """An output's; the memory is the slot's, so they are there until this returns to the ring."""
        return self.areas[number][: self.sizes[number]]

    def taken(self, number: int) -> Array:
        """An output's, for good."""
        area, size = self.areas[number], self.sizes[number]
        fresh = self.device.offer(area.size)
        if fresh is None:
            return area[:size].copy()
        self.areas[number] = fresh
        return area[:size]


@dataclass(eq=False, slots=True)
class Pending:
    """A batch under way.

    Attributes:
        hold: of what it leaves on the device.
        outputs: memory of each output.
        input_hold: of what it has uploaded.
        uploads: memory of what was uploaded, by number of the input.
        parts: what is downloaded of further outputs, by their number, (rows, bytes).
    """

    ring: Ring
    slot: _Slot
    sizes: tuple[int, ...]
    finish: Finish
    hold: Hold
    outputs: Sequence[Memory]
    input_hold: Hold
    uploads: dict[int, Memory]
    parts: Mapping[int, Array]
    done: bool = False
    made: Any = None
    error: Exception | None = None

    def result(self) -> Any:
        """What `finish` made of it; waits for the batch.

        Raises:
            Exception: the device, or `finish`, failed; again each time.
        """
        if not self.done:
            self.ring.empty(self.slot)
        if self.error is not None:
            raise self.error
        return self.made

    def take(self) -> None:
        """Make the result of what is there once the device says so. An error is that of whoever asks for the result."""
        self.done = True
        try:
            self.ring.device.synchronize(self.slot.downloaded)
            came = Results(self.ring.device, self.slot.results, self.sizes, self.parts)
            self.made = self.finish(came, self.outputs)
        except Exception as error:
            self.error = error


@dataclass(eq=False, slots=True)
class _Slot:
    uploaded: Event
    computed: Event
    downloaded: Event
    staged: list[Array] = field(default_factory=list)  # pinned, for inputs that are not
    inputs: list[Memory] = field(default_factory=list)
    outputs: list[Memory] = field(default_factory=list)
    results: list[Array] = field(default_factory=list)
    parts: dict[int, Array] = field(default_factory=dict)  # pinned, for parts of what stays on the device
    pending: Pending | None = None
    hold: Hold | None = None  # of the batch that was here last
    input_hold: Hold | None = None
    held: Sequence[Any] = ()  # what copies and kernels under way read, besides the slot's own


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
        self._input_room: list[int] = []  # bytes of each in every slot
        self._output_room: list[int] = []

    def submit(
        self, inputs: Sequence[Array | Memory | Left], outputs: Sequence[int], kept: Sequence[int], work: Work,
        finish: Finish, parts: Mapping[int, Piece] | None = None,
    ) -> Pending:  # fmt: skip
        """Begin a batch.

        Args:
            inputs: host arrays (any shape and type, contiguous): those in pinned memory must stay as they are until the
                result is there, others are copied before this returns; or device memory, which is used where it lies
                and must stay as it is until the result is there; or what a ring has left on the device.
            outputs: bytes of each output that is downloaded.
            kept: bytes of each further output, which stays on the device. All outputs are there until as many more
                batches as there are slots have begun.
            work: launches the kernels.
            finish: makes the result; called once, when everything is there.
            parts: what is downloaded of `kept` outputs together with `outputs`, by their number among `kept`.

        Raises:
            RuntimeError: what a ring had left on the device is there no longer.
        """
        device, slot = self.device, self._slots[self._next]
        # Checked before the slot is touched: a refused batch changes nothing.
        holds = [given.hold for given in inputs if isinstance(given, Left)]
        if any(hold.over for hold in holds):
            raise RuntimeError("images that were left on the device have been written over")
        # On the host: the batch that was here N batches ago must be out.
        self.empty(slot)
        self._next = (self._next + 1) % len(self._slots)
        self._make_room(inputs, outputs, kept)
        # Before the upload writes over what others may still read.
        self._give_up(slot)
        try:
            memories, slot.held = self._upload(slot, inputs)
            device.record(slot.uploaded, self.up)
            # Stream waits for stream: the host goes on.
            device.wait(self.compute, slot.uploaded)
            for hold in holds:
                device.wait(self.compute, hold.ready)
            slot.held = [*slot.held, *(work(self.compute, memories, slot.outputs) or ())]
        except BaseException:
            self._abandon(slot)
            raise
        device.record(slot.computed, self.compute)
        # Their rings must not write over it before these kernels have read it.
        for hold in holds:
            hold.readers.append(slot.computed)
        device.wait(self.down, slot.computed)
        # Outputs to be downloaded come first among the slot's.
        for area, memory, size in zip(slot.results, slot.outputs, outputs, strict=False):
            if size:
                device.download(area[:size], memory, self.down)
        came = self._download_parts(slot, slot.outputs[len(outputs) :], parts or {})
        device.record(slot.downloaded, self.down)
        slot.hold, slot.input_hold = Hold(slot.computed), Hold(slot.uploaded)
        uploads = {i: slot.inputs[i] for i, given in enumerate(inputs) if isinstance(given, np.ndarray)}
        slot.pending = Pending(self, slot, tuple(outputs), finish, slot.hold, tuple(slot.outputs), slot.input_hold,
                               uploads, came)  # fmt: skip
        return slot.pending

    def _download_parts(
        self, slot: _Slot, kept: Sequence[Memory], parts: Mapping[int, Piece]
    ) -> dict[int, Array]:
        """Begin to download parts of outputs that stay on the device."""
        came = {}
        for number, piece in parts.items():
            if len(slot.parts.get(number, ())) < piece.nbytes:
                slot.parts[number] = self.device.pinned(piece.nbytes)
            came[number] = slot.parts[number][: piece.nbytes].reshape(piece.rows, piece.width)
            if piece.nbytes:
                self.device.download_piece(came[number], kept[number], piece, self.down)
        return came

    def _upload(self, slot: _Slot, inputs: Sequence[Any]) -> tuple[list[Memory], list[Any]]:
        """Where each input is (or will be) on the device, and what must not be given back before."""
        memories: list[Memory] = []
        held: list[Any] = []
        for i, given in enumerate(inputs):
            if not isinstance(given, np.ndarray):
                memories.append(given.memory if isinstance(given, Left) else given)
                held.append(memories[-1])
                continue
            flat = given.reshape(-1).view(np.uint8)
            if flat.size and not self.device.holds(flat):
                if len(slot.staged[i]) < flat.size:
                    slot.staged[i] = self.device.pinned(self._input_room[i])
                slot.staged[i][: flat.size] = flat
                flat = slot.staged[i][: flat.size]
            if flat.size:
                self.device.upload(slot.inputs[i], flat, self.up)
                held.append(flat)
            memories.append(slot.inputs[i])
        return memories, held

    def _abandon(self, slot: _Slot) -> None:
        """Wait for as much of a batch as was begun before something failed, so that the slot can be used again."""
        for event, stream in ((slot.uploaded, self.up), (slot.computed, self.compute)):
            with contextlib.suppress(Exception):  # a lost device does not wait; the first error is said
                self.device.record(event, stream)
                self.device.synchronize(event)
        slot.held = ()

    def _give_up(self, slot: _Slot) -> None:
        """The slot's memory is about to be written over: not before others have read what they take of it."""
        for hold, stream in ((slot.hold, self.compute), (slot.input_hold, self.up)):
            if hold is not None:
                hold.over = True
                for event in dict.fromkeys(hold.readers):
                    self.device.wait(stream, event)
        slot.hold = slot.input_hold = None

    def empty(self, slot: _Slot) -> None:
        """Wait for the slot's batch and take its results out."""
        pending, slot.pending = slot.pending, None
        if pending is not None:
            pending.take()
            slot.held = ()

    def drain(self) -> None:
        """Wait for everything that was begun, and until others have read what was left for them."""
        for slot in self._slots:
            self.empty(slot)
            for hold in (slot.hold, slot.input_hold):
                for event in [] if hold is None else hold.readers:
                    self.device.synchronize(event)

    def _make_room(self, inputs: Sequence[Any], outputs: Sequence[int], kept: Sequence[int]) -> None:
        """Memory in all slots, made when a batch is longer than all before: nothing is allocated in steady state, and
        too little memory shows at the first batch."""
        # Device memory of others needs no room here.
        needed = [given.nbytes if isinstance(given, np.ndarray) else 0 for given in inputs]
        sizes = [*outputs, *kept]
        if not _fits(needed, self._input_room):
            self.drain()
            self._input_room = _larger(needed, self._input_room)
            for slot in self._slots:
                # All slots let go of theirs before any gets new: both at once may not fit the device.
                slot.staged = [np.empty(0, np.uint8) for _ in needed]
                slot.inputs, slot.input_hold = [], None  # what others take of it is there while they hold it
            for slot in self._slots:
                slot.inputs = [self.device.memory(size) for size in self._input_room]
        if not _fits(sizes, self._output_room):
            self.drain()
            self._output_room = _larger(sizes, self._output_room)
            for slot in self._slots:
                slot.hold = None  # what was left there is there as long as somebody holds that memory
                slot.outputs, slot.results = [], []
            for slot in self._slots:
                slot.outputs = [self.device.memory(size) for size in self._output_room]
                slot.results = [self.device.pinned(size) for size in self._output_room[: len(outputs)]]


def _fits(needed: Sequence[int], room: Sequence[int]) -> bool:
    return len(needed) == len(room) and all(n <= r for n, r in zip(needed, room, strict=True))


def _larger(needed: Sequence[int], room: Sequence[int]) -> list[int]:
    return [max(n, r) for n, r in zip(needed, room, strict=True)] if len(needed) == len(room) else list(needed)
