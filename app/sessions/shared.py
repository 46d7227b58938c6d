"""The memory that a recorder shares with the program that records: two rings and a page of numbers.

One side writes each number and the other only reads it. A slot of a ring belongs to the recorder from the moment the
producer's `head` has passed it until the recorder's `tail` has, and `tail` moves only when the slot's content was
handed to the system: when one dies, the other finds everything that was not written yet in its slot.

The memory has no name where the system allows it (Linux), so that nothing is left behind when one is killed.
"""

from __future__ import annotations

import errno
import mmap
import os
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.files.atomic import size_text
from app.sessions.layout import FRAME_ROW
from kernels.errors import InputError

PAGE = 4096
MAGIC = 0x66757365_72696E67
LINE = 64
"""Bytes of a cache line; pixels begin at one."""
FOREVER = np.iinfo(np.int64).max
MESSAGE_SLOT = 16 << 10
MESSAGE_SLOTS = 512
MOST_SHARE = 0.6
"""Share of the free memory that a queue may take."""
SENTENCE = 1024
"""Longest sentence that a recorder leaves, in bytes."""

PRODUCER = np.dtype(
    [
        ("magic", "u8"), ("frame_slots", "u8"), ("frame_bytes", "u8"),
        ("head", "u8"),  # frames that were put into slots
        ("message_head", "u8"),  # messages that were put into slots
        ("announced", "u8"),  # frames that were announced; the next one's sequence number
        ("dropped", "u8"),  # of these, how many found no slot
        ("loss_first", "i8"), ("loss_last", "i8"),  # a range of them that no event names yet, -1 for none
        ("messages_lost", "u8"),
        ("pre", "u8"),  # frames to hold before a trigger
        ("wanted_from", "i8"), ("wanted_until", "i8"),  # frames to record, by sequence number
        ("restarts", "u8"),
        ("closing", "u8"),  # no more frames come
    ]
)  # fmt: skip
"""What the producer writes."""

RECORDER = np.dtype(
    [
        ("state", "u8"), ("tail", "u8"), ("message_tail", "u8"),
        ("next_sequence", "u8"),  # frames before it are settled
        ("recorded", "u8"), ("skipped", "u8"),
        ("skip_first", "i8"), ("skip_last", "i8"),  # a range of these that no event names yet, -1 for none
        ("bytes", "u8"), ("synced", "u8"), ("free", "u8"),
        ("longest_write", "f8"), ("longest_sync", "f8"), ("processor", "f8"),  # seconds
        ("process", "u8"),
        ("sentence_bytes", "u8"),
    ]
)  # fmt: skip
"""What the recorder writes."""

MESSAGE = np.dtype([("kind", "u8"), ("length", "u8"), ("host_time", "i8"), ("number", "u8")])
"""What is before a message's bytes."""
MESSAGE_ROOM = MESSAGE_SLOT - MESSAGE.itemsize
"""Bytes of a message."""


class RecorderState(IntEnum):
    """How far a recorder is: STARTING -> RECORDING -> DONE or FAILED."""

    STARTING = 0
    RECORDING = 1
    DONE = 2  # the session is closed
    FAILED = 3  # the system refused to write; `sentence` says why; what was written before is kept


@dataclass(frozen=True, slots=True)
class Geometry:
    """How the memory is divided: slots for frames of so many bytes."""

    frame_slots: int
    frame_bytes: int

    @property
    def slot(self) -> int:
        return -(-(LINE + self.frame_bytes) // LINE) * LINE

    @property
    def total(self) -> int:
        return PAGE + MESSAGE_SLOTS * MESSAGE_SLOT + self.frame_slots * self.slot


class SharedMemory:
    """The memory, mapped into this process.

    Args:
        descriptor: of the memory, or -1 for new memory.
        geometry: of new memory; of existing memory it is read.

    Raises:
        InputError: there is not enough memory.
    """

    def __init__(self, descriptor: int = -1, geometry: Geometry | None = None) -> None:
        self.descriptor = descriptor if descriptor >= 0 else _new()
        if geometry is not None:
            try:
                # Asked before it is taken: a system that runs out of memory kills whom it likes.
                if geometry.total > MOST_SHARE * free_memory():
                    raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
                # Pages are really there: a system that is short of memory says no now, not at the first write.
                if hasattr(os, "posix_fallocate"):
                    os.posix_fallocate(self.descriptor, 0, geometry.total)
                else:
                    os.ftruncate(self.descriptor, geometry.total)
            except OSError as error:
                os.close(self.descriptor)
                raise InputError(
                    f"there is no memory for {geometry.frame_slots} frames between the camera and the recorder "
                    f"({size_text(geometry.total)}, {size_text(free_memory())} are free); ask for fewer frames before "
                    "the trigger or a shorter queue"
                ) from error
        # Pages of existing memory are mapped at once, so that no frame pays for a page fault.
        populate = getattr(mmap, "MAP_POPULATE", 0) if geometry is None else 0
        flags = {"flags": mmap.MAP_SHARED | populate} if hasattr(mmap, "MAP_SHARED") else {}
        self._map = mmap.mmap(self.descriptor, os.fstat(self.descriptor).st_size, **flags)
        self._bytes = np.frombuffer(self._map, np.uint8)
        if geometry is not None:  # as MAP_POPULATE would, but other threads, which take frames, run meanwhile
            self._bytes[::PAGE] = 0
        self.producer: npt.NDArray[Any] = self._bytes[: PRODUCER.itemsize].view(PRODUCER)
        # The sides' numbers are half a page apart: in one cache line each write of one would take the line from the
        # other (false sharing).
        self.recorder: npt.NDArray[Any] = self._bytes[PAGE // 2 : PAGE // 2 + RECORDER.itemsize].view(RECORDER)
        self._sentence = self._bytes[PAGE - SENTENCE : PAGE]
        if geometry is not None:
            self.producer["magic"] = MAGIC
            self.producer["frame_slots"], self.producer["frame_bytes"] = geometry.frame_slots, geometry.frame_bytes
            self.producer["loss_first"] = self.producer["loss_last"] = -1
            self.recorder["skip_first"] = self.recorder["skip_last"] = -1
        if int(self.producer["magic"][0]) != MAGIC:
            raise InputError("the memory between the camera and the recorder is damaged")
        # Read back: the recorder knows only what is in the memory.
        self.geometry = Geometry(int(self.producer["frame_slots"][0]), int(self.producer["frame_bytes"][0]))
        count, slot = self.geometry.frame_slots, self.geometry.slot
        start = PAGE + MESSAGE_SLOTS * MESSAGE_SLOT
        frames = self._bytes[start : start + count * slot].reshape(count, slot)
        self.rows = frames[:, : FRAME_ROW.itemsize].view(FRAME_ROW)[:, 0]
        self.pixels = frames[:, LINE : LINE + self.geometry.frame_bytes]
        messages = self._bytes[PAGE:start].reshape(MESSAGE_SLOTS, MESSAGE_SLOT)
        self.message_heads = messages[:, : MESSAGE.itemsize].view(MESSAGE)[:, 0]
        self.messages = messages[:, MESSAGE.itemsize :]
        pages = (self.producer, self.recorder)
        self._numbers = {name: page[name] for page in pages for name in page.dtype.names or ()}
        self._fence = threading.Lock()

    def publish(self, page: npt.NDArray[Any], name: str, value: int) -> None:
        """Write a number that hands slots over, after everything that was written before it.

        Taking and leaving a lock twice keeps processors that reorder writes (ARM) from showing the number first.
        """
        with self._fence:
            pass
        with self._fence:
            pass
        page[name] = value

    def number(self, name: str) -> int:
        """One of the numbers."""
        return int(self._numbers[name].item())

    @property
    def state(self) -> RecorderState:
        return RecorderState(self.number("state"))

    @property
    def sentence(self) -> str:
        """Why the recorder failed, "" if it did not."""
        return self._sentence[: self.number("sentence_bytes")].tobytes().decode("utf-8", "replace")

    def leave_sentence(self, text: str) -> None:
        """Say why the recorder failed."""
        data = text.encode("utf-8", "replace")[:SENTENCE]
        self._sentence[: len(data)] = np.frombuffer(data, np.uint8)
        self.publish(self.recorder, "sentence_bytes", len(data))

    def close(self) -> None:
        """Forget the memory; it goes with its last mapping."""
        descriptor, self.descriptor = self.descriptor, -1
        with suppress(OSError):  # closed before
            os.close(descriptor)


def free_memory() -> float:
    """Bytes that can be had without swapping, as far as the system tells; infinite if it does not."""
    found = [float("inf")]
    with suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        found.append(1024.0 * int(next((line for line in lines if line.startswith("MemAvailable")), "").split()[1]))
    with suppress(OSError, ValueError):  # a container's own limit ("max" for none)
        group = Path("/sys/fs/cgroup")
        found.append(float(int((group / "memory.max").read_text()) - int((group / "memory.current").read_text())))
    if len(found) == 1:
        with suppress(OSError, ValueError, AttributeError):
            found.append(float(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")))
    return max(0.0, min(found))


def _new() -> int:
    """A descriptor of fresh memory without a name."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("fusetrack-recording", os.MFD_CLOEXEC)
    descriptor, name = tempfile.mkstemp(prefix="fusetrack-recording-")
    with suppress(OSError):
        os.unlink(name)
    return descriptor
