"""A box in shared memory with one picture in it: the newest. Three places, so that neither side ever waits.

The writer fills a place that is neither the newest nor the one that the reader holds; the reader looks at the newest
as long as it likes. A picture comes with its frame's number, its time and the rows of its tracks, so that what is drawn
over it always belongs to it.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import shared_memory
from typing import Any

import numpy as np
import numpy.typing as npt

from app.desk.pipeline.heat_maps import HeatMap
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, Tracks
from pipelines.frame import Pixels

MOST_ROWS = 16384
"""Rows of tracks that come with a picture; beyond, the rest is not drawn (tables have all)."""
MOST_NAME = 3072
"""Bytes of an output's name."""
PLACES = 3
HEAT = 4
"""Bytes of a pixel of a heat map."""
_PAGE = 4096
_HEAD = np.dtype(
    [("magic", "<u8"), ("newest", "<i8"), ("held", "<i8"), ("count", "<i8"), ("bytes", "<u8"), ("wanted", "<i8")]
)
_SLOT = np.dtype(
    [
        ("number", "<i8"), ("frame", "<i8"), ("time", "<f8"), ("height", "<i4"), ("width", "<i4"), ("channels", "<i4"),
        ("kind", "S8"), ("bits", "<i4"), ("rows", "<i4"), ("heat", "<i4", 2), ("place", "<f8", 6),
        ("output", f"S{MOST_NAME}"),
    ]
)  # fmt: skip
_MAGIC = 0x66_74_70_69_63_74_31


@dataclass(frozen=True)
class Shown:
    """A picture of the box.

    Args:
        number: counts the pictures.
        frame, time: of the clip; seconds.
        output: which output of the pipeline, "" for the plain picture.
        pixels: (height, width) or (height, width, channels); the box's memory, valid until the next `take`.
        bits: significant bits of a sample (0: floating point).
        rows: of this frame, a copy.
        heat: a map that lies over the picture, a copy; None for none.
    """

    number: int
    frame: int
    time: float
    output: str
    pixels: Pixels
    bits: int
    rows: Tracks
    heat: HeatMap | None = None


class _Memory(shared_memory.SharedMemory):
    """Shared memory that raises nothing if it is deleted, as the program ends, while arrays still look into it."""

    def __del__(self) -> None:
        with suppress(BufferError, OSError):
            self.close()


class PictureBox:
    """One side of a box.

    Args:
        size: bytes of the largest picture, to make a box; None to look into an existing one.
        name: of an existing one.

    Raises:
        InputError: there is no memory for it, or no such box.
    """

    def __init__(self, size: int | None = None, name: str | None = None) -> None:
        slot = 0 if size is None else _slot_bytes(size)
        try:
            self._memory = _Memory(name, create=size is not None, size=_PAGE + PLACES * slot)
        except OSError as error:
            raise InputError(f"there is no memory for the picture in the window: {error.strerror}") from error
        self.name = self._memory.name
        assert self._memory.buf is not None
        whole: npt.NDArray[np.uint8] = np.frombuffer(self._memory.buf, np.uint8)
        self._head: npt.NDArray[Any] = whole[: _HEAD.itemsize].view(_HEAD)
        if size is not None:
            self._head["newest"] = self._head["held"] = -1
            self._head["bytes"], self._head["magic"] = size, _MAGIC
        if int(self._head["magic"][0]) != _MAGIC:
            raise InputError("the memory of the picture in the window is damaged")
        self.size = int(self._head["bytes"][0])
        slot = _slot_bytes(self.size)
        places = [whole[_PAGE + i * slot : _PAGE + (i + 1) * slot] for i in range(PLACES)]
        self._slots: list[npt.NDArray[Any]] = [p[: _SLOT.itemsize].view(_SLOT) for p in places]
        start = _PAGE + MOST_ROWS * TRACK_DTYPE.itemsize
        self._rows: list[npt.NDArray[Any]] = [p[_PAGE:start].view(TRACK_DTYPE) for p in places]
        self._pixels = [p[start : start + self.size] for p in places]
        self._fence = threading.Lock()
        self._seen = 0
        self._owner = size is not None

    def put(
        self, pixels: Pixels, frame: int, time: float, rows: Tracks, output: str = "", bits: int = 8,
        heat: HeatMap | None = None,
    ) -> None:  # fmt: skip
        """Leave a picture; it is copied. What was not looked at is replaced.

        Raises:
            ValueError: it is larger than the box was made for, or the name of its output is longer than any.
        """
        name = output.encode()
        if len(name) > MOST_NAME:
            raise ValueError(f"the name of an output has {len(name)} bytes, and {MOST_NAME} are the most")
        # Floats must lie at multiples of their size.
        begin = -(-pixels.nbytes // HEAT) * HEAT
        needed = pixels.nbytes if heat is None else begin + HEAT * heat.values.size
        if needed > self.size:
            raise ValueError(f"a picture of {needed} bytes does not fit into a box of {self.size}")
        head = self._head
        # With three places one is always free. A place that the reader takes hold of after this look is safe, too: it
        # holds a place only if that is still the newest afterwards (`take`), and the newest is not written here.
        taken = (int(head["newest"][0]), int(head["held"][0]))
        place = next(i for i in range(PLACES) if i not in taken)
        slot, count = self._slots[place], min(len(rows), MOST_ROWS)
        slot["number"], slot["frame"], slot["time"] = int(head["count"][0]) + 1, frame, time
        slot["height"], slot["width"] = pixels.shape[:2]
        slot["channels"] = pixels.shape[2] if pixels.ndim == 3 else 0
        slot["kind"], slot["bits"] = pixels.dtype.str.encode(), bits
        slot["rows"], slot["output"] = count, name
        self._pixels[place][: pixels.nbytes].view(pixels.dtype).reshape(pixels.shape)[...] = pixels
        slot["heat"] = (0, 0) if heat is None else heat.values.shape
        if heat is not None:
            slot["place"] = heat.place
            self._pixels[place][begin:needed].view(np.float32).reshape(heat.values.shape)[...] = heat.values
        self._rows[place][:count] = rows[:count]
        # The number comes with the place; the count last, so that a reader who sees it rise finds the picture.
        self._publish("newest", place)
        self._publish("count", int(head["count"][0]) + 1)

    def take(self) -> Shown | None:
        """The newest picture, unless it was taken before."""
        head = self._head
        if int(head["count"][0]) == self._seen:
            return None
        place = int(head["newest"][0])
        while True:  # the writer may have gone on between the look and the hold
            self._publish("held", place)
            again = int(head["newest"][0])
            if again == place:
                break
            place = again
        slot = self._slots[place][0]
        if int(slot["number"]) <= self._seen:  # its number was seen before its count
            return None
        self._seen = int(slot["number"])
        kind = np.dtype(slot["kind"].decode())
        height, width, channels = int(slot["height"]), int(slot["width"]), int(slot["channels"])
        shape = (height, width, channels) if channels else (height, width)
        pixels = self._pixels[place][: int(np.prod(shape)) * kind.itemsize].view(kind).reshape(shape)
        begin, size = -(-pixels.nbytes // HEAT) * HEAT, tuple(slot["heat"].tolist())
        values = self._pixels[place][begin : begin + HEAT * size[0] * size[1]].view(np.float32).reshape(size).copy()
        heat = HeatMap(values, tuple(slot["place"].tolist())) if values.size else None
        return Shown(
            int(slot["number"]), int(slot["frame"]), float(slot["time"]), slot["output"].decode(), pixels,
            int(slot["bits"]), self._rows[place][: int(slot["rows"])].copy(), heat,
        )  # fmt: skip

    @property
    def count(self) -> int:
        """Pictures that were put."""
        return int(self._head["count"][0])

    def _publish(self, name: str, value: int) -> None:
        """Write a number after everything that was written before it, also on processors that reorder writes."""
        # To take and release a lock is a memory barrier; Python has no other.
        with self._fence:
            pass
        self._head[name] = value
        with self._fence:  # and before everything that is read after it
            pass

    def free(self) -> None:
        """Free the memory in place of its maker, who died."""
        self._owner = True

    def close(self) -> None:
        """Forget the box; who made it also frees its memory. Pictures taken from it are gone."""
        # Shared memory cannot be closed while arrays look into it.
        self._head = self._head[:0].copy()
        self._slots, self._rows, self._pixels = [], [], []
        try:
            self._memory.close()
        except BufferError:  # somebody still looks at a picture; the memory goes with the last of them
            return
        finally:
            if self._owner:
                self._owner = False
                with suppress(FileNotFoundError):  # its maker, or what looks after a dead maker's memory, was faster
                    self._memory.unlink()


def _slot_bytes(size: int) -> int:
    whole = _PAGE + MOST_ROWS * TRACK_DTYPE.itemsize + size
    return -(-whole // _PAGE) * _PAGE
