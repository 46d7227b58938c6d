"""Batches of frames of the blob tracker through machine code."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernels.host.loops import address
from pipelines.features import TRACK_DTYPE, Features, Tracks
from pipelines.trackers.base import Array, Clock
from pipelines.trackers.columns import Columns
from pipelines.trackers.linking import loops
from pipelines.trackers.linking.link_loops import FIELDS

COPIED = 64  # rows a table up to which copying is cheaper than asking where it lies
PAIRS = 16  # pairs within the gates for each track and each detection, for which there is room
F64, I32, FLAG = np.dtype("f8"), np.dtype("i4"), np.dtype("?")


class Batch:
    """Frames on their way through `batch_loop`.

    Args:
        found: the features of each.
        indices, times: of each.
    """

    def __init__(self, found: Sequence[Features], indices: Sequence[int], times: Sequence[float]) -> None:
        self.ends = np.zeros(len(found) + 1, np.int64)
        np.cumsum([len(one) for one in found], out=self.ends[1:])
        self.tables, self.base, self.starts = _lying(found, self.ends)
        self.wide = max(map(len, found), default=0)
        self.indices, self.times = np.array(indices, np.int64), np.array(times, np.float64)
        self.counts = np.zeros(len(found), np.int64)
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
        self._rows = np.zeros(0, np.uint8)
        self._whole, self._floats = np.zeros(0, np.int64), np.zeros(0)

    def run(self, batch: Batch, t: Columns, clock: Clock, next_track: int) -> tuple[int, int, list[Tracks]] | None:
        """Go on with a batch; the columns and the clock are as after the last frame that is done.

        Returns:
            Why it stopped (see `blob_loops`), the next track, and the rows of each frame that was done; None where
            nothing is compiled.
        """
        native = loops.batch_loop.native()
        if native is None:
            return None
        t.reserve(len(t) + 2 * batch.wide + 8)  # vectors go over what is behind the last row
        wide, most, first = batch.wide + 1, PAIRS * (t.room + batch.wide + 1), batch.done
        cells = 4 * wide + 64
        whole, floats = loops.work_sizes(t.room, wide, most, cells)
        rows = (len(batch) - first) * (len(t) + batch.wide) + t.room + batch.wide
        self._whole, self._floats = _room(self._whole, whole), _room(self._floats, floats)
        self._rows = _room(self._rows, loops.ROW * rows)
        state = np.array((len(t), next_track, 0, clock.index, first), np.int64)
        time = np.array((clock.time, clock.rate))
        why = native(
            address(t.blocks[F64]), address(t.blocks[I32]), address(t.blocks[FLAG]), t.room, batch.base,
            address(batch.starts), address(batch.ends), address(batch.indices), address(batch.times), len(batch),
            address(self._parameters), address(state), address(time), wide, most, cells, address(self._whole),
            address(self._floats), rows, address(self._rows), address(batch.counts))  # fmt: skip
        count, next_track, used, clock.index, batch.done = state.tolist()
        clock.time, clock.rate = time.tolist()
        t.resize(count)
        made = self._rows[: loops.ROW * used].copy().view(TRACK_DTYPE)
        ends = batch.counts[first : batch.done].cumsum().tolist()
        return why, next_track, [made[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _lying(found: Sequence[Features], ends: Array) -> tuple[object, int, Array]:
    """What holds the tables in memory; an address; and where each table begins, in floats from there."""
    if ends[-1] <= COPIED * len(found):
        # As bytes: joining small tables costs more than tracking them.
        lying = bytearray().join([one.tobytes() for one in found])
        joined = np.frombuffer(lying) if lying else np.zeros(0)
        return joined, address(joined), ends[:-1] * FIELDS
    kept, places = [], []
    for one in found:
        here = address(one) if one.flags.c_contiguous else 1
        if here % 8:  # not as floats lie
            one = one.copy()
            here = address(one)
        kept.append(one)
        places.append(here)
    return kept, places[0], (np.array(places, np.int64) - places[0]) // 8


def _room(array: Array, count: int) -> Array:
    """The array, or a larger one."""
    return array if len(array) >= count else np.empty(count + count // 2, array.dtype)
