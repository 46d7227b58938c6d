"""Batches of frames of the blob tracker through machine code."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from struct import pack_into, unpack_from
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.loops import address
from kernels.host.scratch import LINE, from_line
from pipelines.features import TRACK_DTYPE, Features, Tracks
from pipelines.trackers.base import Array, Clock
from pipelines.trackers.columns import Columns, spread
from pipelines.trackers.linking import loops
from pipelines.trackers.linking.link_loops import FIELDS
from pipelines.trackers.linking.newcomers import Newcomers
from pipelines.trackers.linking.row_loops import ROW
from pipelines.trackers.linking.unresolved import KEPT, ROOM, Shapes

COPIED = 64  # rows a table up to which copying is cheaper than asking where it lies
MANY = 4096  # rows from which on they are written to where they stay
PAIRS = 16  # pairs within the gates for each track and each detection, for which there is room
UNKNOWN = (0.0,) * (ROOM - KEPT)
F64, I32, FLAG = np.dtype("f8"), np.dtype("i4"), np.dtype("?")


class Batch:
    """Frames on their way through `batch_loop`.

    Args:
        found: the features of each.
        indices, times: of each.
    """

    def __init__(self, found: Sequence[Features], indices: Sequence[int], times: Sequence[float]) -> None:
        sizes = [len(one) for one in found]
        ends = [0, *accumulate(sizes)]
        self.tables, self.base, starts = _lying(found, ends)
        self.wide = max(sizes, default=0)
        self.indices, self.times = indices, times
        self.lists = (*indices, *starts, *ends)
        self.done = 0

    def __len__(self) -> int:
        return len(self.indices)


class Compiled:
    """The machine code, and the memory that it works in.

    Args:
        parameters: PARAMETERS floats.
    """

    def __init__(self, parameters: Array) -> None:
        self._parameters = parameters
        self._given = address(parameters)
        self._rows, self._lists = _Memory(np.uint8), _Memory(np.uint8)
        self._whole, self._floats = _Memory(np.int64), _Memory(np.float64)
        self._blocks: dict[np.dtype[Any], Array] = {}
        self._lie: tuple[int, ...] = ()

    def run(
        self, batch: Batch, t: Columns, clock: Clock, newcomers: Newcomers, shapes: Shapes, next_track: int
    ) -> tuple[int, int, list[Tracks]] | None:
        """Go on with a batch; columns, clock, newcomers and shapes are as after the last frame that is done.

        Returns:
            Why it stopped (see `blob_loops`), the next track, and the rows of each frame that was done; None where
            nothing is compiled.
        """
        native = loops.batch_loop.native()
        if native is None:
            return None
        held, first, frames = len(t), batch.done, len(batch.indices)
        room = held + 2 * batch.wide + 8  # vectors go over what is behind the last row
        if room > t.room:  # and for frames like these at once: the next one need not wait for more
            t.reserve(2 * held + 4 * batch.wide + 64)
        if t.blocks is not self._blocks:
            self._blocks, self._lie = t.blocks, (*(address(t.blocks[kind]) for kind in (F64, I32, FLAG)), t.room)
        wide = spread(batch.wide + 8)  # so that vectors end in their own column
        most, cells = PAIRS * (t.room + wide), 4 * wide + 64
        whole, floats = loops.work_sizes(t.room, wide, most, cells)
        # A little more than there will be; where it is too little the rest is another call. Many are written to where
        # they stay, as to copy them takes as long as to write them; few would have to be so in fresh memory.
        each = max(held, batch.wide)
        rows = (frames - first) * (each + each // 16 + 8) + held + batch.wide
        made = np.empty(ROW * rows, np.uint8) if frames - first > 1 and rows > MANY else None
        # One memory for what goes in and out: counters, the frames' lists, rows of each, and the clock.
        clock_at = 8 * (loops.COUNTERS + 4 * frames + 1)
        lists = self._lists.room(clock_at + 8 * (loops.CLOCK + frames))
        memory: Any = self._lists.array
        whole_ones = (held, next_track, 0, clock.index, first, *batch.lists)
        pack_into(f"{len(whole_ones)}q", memory, 0, *whole_ones)
        known = (clock.time, clock.rate, *newcomers.kept, *shapes.kept, *UNKNOWN)
        pack_into(f"{loops.CLOCK + frames}d", memory, clock_at, *known, *batch.times)
        why = native(
            *self._lie, batch.base, lists, lists + clock_at, frames, self._given, wide, most, cells,
            self._whole.room(whole), self._floats.room(floats), rows,
            self._rows.room(ROW * rows) if made is None else address(made),
        )  # fmt: skip
        count, next_track, used, clock.index, done = unpack_from("5q", memory)
        clock.time, clock.rate, *kept = unpack_from(f"{4 + KEPT}d", memory, clock_at)
        newcomers.kept, shapes.kept = kept[:2], kept[2:]
        batch.done = done
        t.resize(count)
        if made is None:
            made = self._rows.array[: ROW * used].copy()
        made = made.view(TRACK_DTYPE)
        if done - first == 1:
            return why, next_track, [made[:used]]
        ends = [*accumulate(unpack_from(f"{done - first}q", memory, clock_at - 8 * (frames - first)))]
        return why, next_track, [made[start:end] for start, end in zip([0, *ends], ends, strict=False)]


class _Memory:
    """An array that grows, and where it lies."""

    def __init__(self, dtype: npt.DTypeLike) -> None:
        self.array: Array = np.empty(8, dtype)
        self._here = address(self.array)

    def room(self, count: int) -> int:
        """Where so many entries may be written; what was there may be lost."""
        if count > len(self.array):
            most, kind = count + count // 2, self.array.dtype
            self.array = from_line(np.empty(most * kind.itemsize + LINE, np.uint8), most, kind)
            self._here = address(self.array)
        return self._here


def _lying(found: Sequence[Features], ends: Sequence[int]) -> tuple[object, int, Sequence[int]]:
    """What holds the tables in memory; an address; and where each table begins, in floats from there."""
    if len(found) > 1 and ends[-1] <= COPIED * len(found):
        # As bytes: joining small tables costs more than tracking them.
        lying = bytearray().join([one.tobytes() for one in found])
        joined = np.frombuffer(lying) if lying else np.zeros(0)
        return joined, address(joined), [FIELDS * end for end in ends[:-1]]
    kept, places = [], []
    for one in found:
        here = address(one) if one.flags.c_contiguous else 1
        if here % 8:  # not as floats lie
            one = one.copy()
            here = address(one)
        kept.append(one)
        places.append(here)
    return kept, places[0], [(here - places[0]) // 8 for here in places]
