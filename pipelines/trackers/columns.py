"""The state of many tracks: named columns in a few blocks of memory."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.loops.scratch import LINE, from_line

Array = npt.NDArray[Any]
_SPREAD = LINE // 8


def spread(count: int) -> int:
    """The next number of f64 that is an odd number of the cache's lines: so vectors of columns one behind the other lie
    in whole lines, and the same row of many columns does not crowd into a few sets of the cache."""
    return (count + _SPREAD - 1) // (2 * _SPREAD) * (2 * _SPREAD) + _SPREAD


class Columns:
    """A struct of arrays: named columns of one common length, one row a track.

    The columns of one type lie in one block with room for more rows, so that compiled code takes them by few addresses:
    column `name` begins at entry `first[name] * room` of `blocks[dtype]`.

    Args:
        spec: the dtype of each column, and the shape of a row's entry where it is not a scalar: a subarray
            dtype such as `np.dtype(("f8", (21, 21)))`.
    """

    def __init__(self, spec: Mapping[str, npt.DTypeLike]) -> None:
        self._spec = {name: np.dtype(dtype) for name, dtype in spec.items()}
        self.first = places(spec)
        self._runs = _runs(self._spec, self.first)
        self.room = self._count = 0
        self.blocks: dict[np.dtype[Any], Array] = {}
        self._data: dict[str, Array] = {}
        self._make(0)

    def __len__(self) -> int:
        return self._count

    def __contains__(self, name: str) -> bool:
        return name in self._spec

    def __getitem__(self, name: str) -> Array:
        made = self._data.get(name)
        if made is None:
            made = self._data[name] = self._whole(name)[: self._count]
        return made

    def __setitem__(self, name: str, values: Array) -> None:
        self[name][...] = values

    def keep(self, mask: Array) -> None:
        """Drop the rows where `mask` (bool, one a row) is False; order stays."""
        if not mask.all():
            kept = {name: self[name][mask] for name in self._spec}
            self.resize(int(np.count_nonzero(mask)))
            for name, values in kept.items():
                self[name] = values

    def append(self, count: int, **values: Array | float) -> None:
        """Add `count` rows; columns that are not named start at 0."""
        unknown = set(values) - set(self._spec)
        if unknown:
            raise KeyError(f"no columns {sorted(unknown)}")
        old = self._count
        self.reserve(old + count)
        self.resize(old + count)
        # Columns of one type lie in one block, one behind the other, each with room for `room` rows.
        for dtype, first, columns, size in self._runs:  # not by their names: a frame waits for it
            part = self.blocks[dtype][first * self.room : (first + columns * size) * self.room]
            part.reshape(columns, size * self.room)[:, size * old : size * self._count] = 0
        for name, given in values.items():
            self[name][old:] = given

    def reserve(self, room: int) -> None:
        """Make room for so many rows."""
        if room > self.room:
            old, before, count = self.blocks, self.room, self._count
            self._make(max(room, 2 * self.room))
            if count:
                # All columns of a run move in one copy; old rows are `before` apart, new ones `room`.
                for dtype, first, columns, size in self._runs:  # not by their names: a frame waits for it
                    new, kept = self.blocks[dtype][first * self.room :], old[dtype][first * before :]
                    shape = columns, size * self.room, size * before
                    new, kept = new[: shape[0] * shape[1]], kept[: shape[0] * shape[2]]
                    new.reshape(shape[:2])[:, : size * count] = kept.reshape(shape[::2])[:, : size * count]

    def resize(self, count: int) -> None:
        """Say how many rows there are, within the room: who adds some fills them."""
        self._count = count
        self._data = {}

    def snapshot(self) -> dict[str, Array]:
        return {f"column.{name}": self[name].copy() for name in self._spec}

    def restore(self, state: Mapping[str, Array]) -> None:
        """Take over a snapshot; a column that it does not have (an older one) starts at 0."""
        count = max(len(state[f"column.{name}"]) for name in self._spec if f"column.{name}" in state)
        self.reserve(count)
        self.resize(count)
        for name in self._spec:
            self[name] = state.get(f"column.{name}", np.array(0))

    def _make(self, room: int) -> None:
        # `spread` makes the room such that columns do not begin at the same place of the cache; `from_line` begins a
        # block at a cache line.
        self.room, self._data = spread(room) if room else 0, {}
        sizes: dict[np.dtype[Any], int] = {}
        for dtype in self._spec.values():
            sizes[dtype.base] = sizes.get(dtype.base, 0) + math.prod(dtype.shape)
        self.blocks = {
            dtype: from_line(np.zeros(size * self.room * dtype.itemsize + LINE, np.uint8), size * self.room, dtype)
            for dtype, size in sizes.items()
        }

    def _whole(self, name: str) -> Array:
        dtype, start = self._spec[name], self.first[name] * self.room
        block = self.blocks[dtype.base][start : start + math.prod(dtype.shape) * self.room]
        return block.reshape(self.room, *dtype.shape)


def _runs(spec: Mapping[str, np.dtype[Any]], first: Mapping[str, int]) -> list[tuple[np.dtype[Any], int, int, int]]:
    """Columns that lie one behind the other: their type, entries of a row before the first, how many they are, and
    the entries of a row in each."""
    runs: list[tuple[np.dtype[Any], int, int, int]] = []
    for name, dtype in sorted(spec.items(), key=lambda one: (one[1].base.str, first[one[0]])):
        size = math.prod(dtype.shape)
        last = runs[-1] if runs else None
        if last is not None and last[0] == dtype.base and last[3] == size:
            runs[-1] = *last[:2], last[2] + 1, size
        else:
            runs.append((dtype.base, first[name], 1, size))
    return runs


def places(spec: Mapping[str, npt.DTypeLike]) -> dict[str, int]:
    """Entries of a row before each column in the block of its type (see `Columns`)."""
    sizes: dict[np.dtype[Any], int] = {}
    first = {}
    for name, given in spec.items():
        dtype = np.dtype(given)
        first[name] = sizes.get(dtype.base, 0)
        sizes[dtype.base] = first[name] + math.prod(dtype.shape)
    return first
