"""The memory between a simulated camera and whoever takes its frames: a ring of pictures, numbers, the camera's log.

Each number is written by one side. The ring has one producer and one consumer: a slot is the camera's until `HEAD` has
passed it, then the taker's until `TAIL` has. The memory has no name where the system allows that (POSIX), so that
nothing is left behind whoever is killed; elsewhere it is a temporary file.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from app.cameras.simulated.truth import LOG_ROW
from app.files.atomic import size_text
from app.sessions.shared import free_memory
from kernels.errors import InputError
from pipelines.frame import ARRIVAL

MAGIC = 0x66757365_63616D31
PAGE = 4096
LINE = 64
"""Pictures begin at a cache line."""
LOG_ROWS = 1 << 17
SENTENCE = 1024
LIGHT = 1_000_000
"""What the light of a scene is in the words of the memory: one millionth is less than any pixel shows."""
MOST_SHARE = 0.5
"""Share of the free memory that a ring may take."""


class Word(IntEnum):
    """Where the numbers stand, in words of 8 bytes; those up to DIED are the camera's, the others the taker's."""

    MAGIC = 0
    STATE = 1
    HEAD = 2  # frames that were put into slots
    NEXT = 3  # number of the next frame
    END = 4  # number at which the stream ends
    CLOCK = 5  # the monotonic clock at the camera's first start, ns; 0 before
    PICTURE = 6  # which of the two sizes it delivers
    ANSWERED = 7  # the last command that it has obeyed
    LOGGED = 8  # rows in the log
    UNLOGGED = 9  # rows that found no room
    SENTENCE_BYTES = 10
    REFUSED = 11  # whether the last command could not be obeyed
    TAIL = 64  # frames that were taken
    COMMAND = 65  # rises with every command
    RUN = 66  # what the command is: 1 deliver, 0 do not
    LEFT = 67  # the taker is gone
    EXPOSURE = 68  # light of the pictures from the next frame on, millionths; 0 for as it was opened


class State(IntEnum):
    """What the camera does.

    PREPARING -> IDLE <-> RUNNING -> ENDED; RUNNING -> AWAY -> BACK -> RUNNING; RUNNING -> CHANGED -> RUNNING; all but
    AWAY obey a start, ENDED begins anew. FAILED is for good.
    """

    PREPARING = 0
    IDLE = 1
    RUNNING = 2
    AWAY = 3  # disconnected, cannot be reached
    BACK = 4  # can be reached again, waits for a start
    CHANGED = 5  # another size from here on, waits for a start
    ENDED = 6
    FAILED = 7


@dataclass(frozen=True, slots=True)
class Layout:
    """How the memory is divided: slots for pictures of so many bytes."""

    slots: int
    picture_bytes: int

    @property
    def slot(self) -> int:
        return -(-self.picture_bytes // LINE) * LINE

    @property
    def rows_at(self) -> int:
        return PAGE + LOG_ROWS * LOG_ROW.itemsize

    @property
    def kinds_at(self) -> int:
        return self.rows_at + self.slots * ARRIVAL.itemsize

    @property
    def pictures_at(self) -> int:
        return -(-(self.kinds_at + self.slots * 8) // PAGE) * PAGE

    @property
    def total(self) -> int:
        return self.pictures_at + self.slots * self.slot


class Memory:
    """The memory, mapped into this process.

    Args:
        layout: how it is divided.
        place: its descriptor, or the name of its file, or None for new memory.

    Raises:
        InputError: there is not enough memory.
    """

    def __init__(self, layout: Layout, place: int | str | None = None) -> None:
        self.layout = layout
        self.descriptor, self.name = -1, ""
        new = place is None
        if new and layout.total > MOST_SHARE * free_memory():
            raise InputError(
                f"there is no memory for {layout.slots} frames of the simulated camera ({size_text(layout.total)}, "
                f"{size_text(free_memory())} are free); give it a smaller ring (ring=N) or smaller pictures"
            )
        if isinstance(place, int):
            self.descriptor = place
        elif isinstance(place, str):
            self.descriptor, self.name = os.open(place, os.O_RDWR | getattr(os, "O_BINARY", 0)), place
        else:
            self.descriptor, self.name = _new()
        try:
            if new:
                os.ftruncate(self.descriptor, layout.total)
            self._map = mmap.mmap(self.descriptor, layout.total)
        except (OSError, ValueError) as error:
            self.release()
            raise InputError(f"there is no memory for the simulated camera's ring: {error}") from error
        self.words = memoryview(self._map)[:PAGE].cast("Q")
        whole = np.frombuffer(self._map, np.uint8)
        self._sentence = whole[PAGE - SENTENCE : PAGE]
        self.log: npt.NDArray[Any] = whole[PAGE : layout.rows_at].view(LOG_ROW)
        self.rows: npt.NDArray[Any] = whole[layout.rows_at : layout.kinds_at].view(ARRIVAL)
        self.kinds: npt.NDArray[Any] = whole[layout.kinds_at : layout.kinds_at + 8 * layout.slots].view(np.int64)
        self.pictures = whole[layout.pictures_at : layout.total].reshape(layout.slots, layout.slot)
        self._fence = threading.Lock()
        if new:
            self.words[Word.MAGIC] = MAGIC
        elif self.words[Word.MAGIC] != MAGIC:
            raise InputError("the memory of the simulated camera is damaged")

    def publish(self, word: Word, value: int) -> None:
        """Write a number after everything that was written before it.

        Taking and leaving a lock twice keeps processors that reorder writes (ARM) from showing the number first.
        """
        with self._fence:
            pass
        with self._fence:
            pass
        self.words[word] = value

    def touch(self) -> None:
        """Have the system hand out all pages now, which takes longer than copying a picture."""
        self.pictures.reshape(-1)[:: mmap.PAGESIZE].max()

    def view(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        """The slots (slots, *shape) as pictures of `shape`."""
        nbytes = int(np.prod(shape)) * dtype.itemsize
        return self.pictures[:, :nbytes].view(dtype).reshape(self.layout.slots, *shape)

    @property
    def state(self) -> State:
        return State(self.words[Word.STATE])

    @property
    def sentence(self) -> str:
        """Why the camera failed, "" if it did not."""
        return self._sentence[: self.words[Word.SENTENCE_BYTES]].tobytes().decode("utf-8", "replace")

    def leave_sentence(self, text: str) -> None:
        """Say why the camera failed."""
        data = text.encode("utf-8", "replace")[:SENTENCE]
        self._sentence[: len(data)] = np.frombuffer(data, np.uint8)
        self.publish(Word.SENTENCE_BYTES, len(data))

    def release(self) -> None:
        """Give the descriptor back; the memory goes with its last mapping."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            with suppress(OSError):
                os.close(descriptor)
        if self.name:
            with suppress(OSError):  # Windows refuses while the other side has it mapped, who then does it
                os.unlink(self.name)


def _new() -> tuple[int, str]:
    """A descriptor of fresh memory, and its name if it has to have one."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("fusetrack-camera", os.MFD_CLOEXEC), ""
    descriptor, name = tempfile.mkstemp(prefix="fusetrack-camera-")
    if os.name == "posix":
        with suppress(OSError):
            os.unlink(name)
        return descriptor, ""
    return descriptor, name
