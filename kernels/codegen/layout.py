"""Where a printed pass finds things: the slots of its argument block and the offsets in a strip's scratch memory."""

from __future__ import annotations

from dataclasses import dataclass, field

from kernels.fusion.rows import ALIGN, Access, Pass, Store
from kernels.ir.expr import Number
from kernels.ir.image import DType

FIXED = ("first_row", "last_row", "first_frame", "last_frame", "frames", "is_first", "images", "scratch")
"""Slots (64 bits each) that every pass has: its rows and frames, [first, last) both, how many frames the batch has,
whether the first of those is the stream's first, the table of image addresses (a row per access, a column per frame of
the batch), the scratch memory."""


@dataclass(frozen=True, slots=True)
class Fill:
    """Scratch memory that must hold one value from the start."""

    offset: int
    dtype: DType
    count: int
    value: Number


@dataclass(frozen=True, slots=True)
class Kernel:
    """What the caller of a printed pass must know.

    Args:
        name: of the function, which takes one pointer, to its argument block.
        slots: names of the 64-bit slots of that block, in order: FIXED, "param:NAME", "state:NAME" (address of row 0,
            column 0; the strip's first row may lie further on), "first_column", "last_column" of passes in blocks,
            "rows:N", "spans:N", "list:N" and "table:N:COLUMN" of
            a reduction N, "table:N", "count:N" of candidates N.
        accesses: the rows of the table of images.
        scratch: bytes of a strip's scratch memory, aligned to 64.
        fills: what it must hold.
        states: the stores of recurrences, by name.
    """

    name: str
    plan: Pass
    slots: tuple[str, ...]
    accesses: tuple[Access, ...]
    scratch: int
    fills: tuple[Fill, ...]
    states: dict[str, Store]


@dataclass(slots=True)
class Layout:
    """A kernel's layout while it is being printed."""

    slots: list[str] = field(default_factory=lambda: list(FIXED))
    accesses: list[Access] = field(default_factory=list)
    scratch: int = 0
    fills: dict[tuple[str, str, int], Fill] = field(default_factory=dict)

    def slot(self, name: str) -> int:
        if name not in self.slots:
            self.slots.append(name)
        return self.slots.index(name)

    def access(self, access: Access) -> int:
        if access not in self.accesses:
            self.accesses.append(access)
        return self.accesses.index(access)

    def room(self, size: int) -> int:
        """Bytes of scratch memory; returns their offset. Consecutive rooms do not share a cache line."""
        offset = self.scratch
        self.scratch += -(-size // ALIGN) * ALIGN
        return offset

    def constant_row(self, dtype: DType, value: Number, count: int) -> Fill:
        """A row of one value."""
        key = (dtype.name, repr(value), count)
        if key not in self.fills:
            self.fills[key] = Fill(self.room(count * dtype.itemsize), dtype, count, value)
        return self.fills[key]
