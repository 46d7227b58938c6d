"""What the schedule of a network knows of its layers: the rows that each makes, where they go, and what they look at.

A layer makes rows of a map of rows of other maps. How it computes them is nothing of this (`kernels.codegen`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from kernels.ir.image import F32, DType


@dataclass(slots=True)
class Map:
    """What a layer makes: (height, width, channels), of which only some rows may exist at a time.

    Args:
        pitch: values from pixel to pixel.
        outside: the value beyond its edges.
        kept: whether all rows stay, to be looked at afterwards or written from outside.
        bank: 0 for memory of the program's own; else the number of the bank that a run gives, where rows and pixels lie
            side by side, `channels` values a pixel.
        dtype: f32, u8 or i32; i8 only in memory of others, for kernels of whole numbers look at u8.
        tight: whether a layer takes its pixels for one, so that there may never be room between them.
        clear: whether zeros are in the room behind the channels of its pixels.
        planes: whether a row holds all pixels of a channel, then those of the next (`pitch` is 1), instead of all
            channels of a pixel.
        parts: of a map that leaves as several arrays, or as one of no full vectors, (first channel, how many, bank) of
            each; there pixels lie side by side as in `bank`, and the map is not looked at.
    """

    height: int
    width: int
    channels: int
    pitch: int
    outside: float = 0.0
    kept: bool = False
    bank: int = 0
    dtype: DType = F32
    tight: bool = False
    clear: bool = False
    planes: bool = False
    parts: tuple[tuple[int, int, int], ...] = ()

    @property
    def row_bytes(self) -> int:
        """Of a row."""
        return self.width * (self.channels if self.planes else self.pitch) * self.dtype.itemsize

    def together(self, room: float) -> int:
        """Of how many rows, at least one, so many bytes have room."""
        return max(1, int(room // max(1, self.row_bytes)))


@dataclass(frozen=True, slots=True)
class Look:
    """Rows of a map that a row is made of: for row y and pixel x the taps (j, i) lie in row
    (y*stride[0] + at[0] + j*dilation[0]) // repeat and column x*stride[1] + at[1] + i*dilation[1].

    Args:
        channel: from which channel on.
        repeat: how many rows of the result look at the same one (nearest neighbour).
        slide: columns that each row looks further on than the one before; of one tap inside the map, as is `fall`.
        fall: rows that each pixel looks further down than the one before it; `across` pixels, of a map that is `kept`.
    """

    map: int
    taps: tuple[int, int] = (1, 1)
    at: tuple[int, int] = (0, 0)
    stride: tuple[int, int] = (1, 1)
    dilation: tuple[int, int] = (1, 1)
    channel: int = 0
    repeat: int = 1
    slide: int = 0
    fall: int = 0
    across: int = 0

    @property
    def words(self) -> int:
        """Of a step: the rows that are looked at."""
        return self.across if self.fall else self.taps[0]

    def rows(self, y: int) -> list[int]:
        """The rows of the map, which may lie beyond it."""
        down = self.fall or self.dilation[0]
        return [(y * self.stride[0] + self.at[0] + j * down) // self.repeat for j in range(self.words)]

    def columns(self, width: int) -> tuple[int, int]:
        """The first and the last column that `width` pixels look at (of the first row, where rows slide)."""
        return self.at[1], (width - 1) * self.stride[1] + self.at[1] + (self.taps[1] - 1) * self.dilation[1]


@dataclass(frozen=True, slots=True)
class Place:
    """Where rows go: row y and pixel x to row y*stride[0] + at[0] and column x*stride[1] + at[1] of a map, its
    channels from `channel` on.

    Args:
        together: rows that a layer makes at once, of `count` in all; then its rows are so many of these each, of which
            the last may be fewer.
    """

    map: int
    at: tuple[int, int] = (0, 0)
    stride: tuple[int, int] = (1, 1)
    channel: int = 0
    together: int = 1
    count: int = 0

    def rows(self, y: int) -> list[int]:
        """The rows of the map that row y of a layer is."""
        first = y * self.together
        last = first + self.together if self.together == 1 else min(first + self.together, self.count)
        return [row * self.stride[0] + self.at[0] for row in range(first, last)]


class Rows(Protocol):
    """A layer: `size` is (rows, pixels a row); the first of its looks is at what is summed."""

    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def place(self) -> Place: ...
    @property
    def looks(self) -> tuple[Look, ...]: ...


class Layers(Protocol):
    """Maps and layers, in an order in which each can be made."""

    @property
    def maps(self) -> Sequence[Map]: ...
    @property
    def layers(self) -> Sequence[Rows]: ...
