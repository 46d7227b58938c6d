"""What a small memory that is all there is makes of the layers of a group: the rows and weights that it holds, and what
comes again because it does not hold more.

* Where the rows that layers look at have room beside all weights, these come once.
* Else so many rows go through all layers at a time as there is room for, and all weights pass by for each such strip.
* A layer by itself may also go in tiles over channels (`pipelines.planning.channel_tiles`): the way that moves less.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kernels.executors.base import DeviceModel
from pipelines.planning.channel_tiles import ChannelTiles, best, sentence, tileable
from pipelines.planning.workload import Read, Task, Value


@dataclass(frozen=True, slots=True)
class Held:
    """How layers go through such a memory.

    Args:
        fits: whether they can at all.
        bytes: that are held.
        weights: bytes of weights that come for a frame.
        again: bytes that come, or leave and come, besides each map once.
        strips: in which rows go through all layers; all weights come for each, or once where `resident`.
        tiles: over channels, in place of strips.
    """

    fits: bool
    bytes: float
    weights: float
    again: float = 0.0
    strips: int = 1
    resident: bool = False
    tiles: ChannelTiles | None = None


def small(device: DeviceModel, task: Task) -> bool:
    """Whether a layer by itself may go in tiles over channels there: a processor's code has none."""
    one = task.convolution
    return device.scratchpad and math.isinf(device.cache) and one is not None and tileable(one)


def held(
    device: DeviceModel, tasks: Sequence[Task], reads: Sequence[Sequence[tuple[Read, int]]], values: Sequence[Value]
) -> Held:
    """How the layers of a group go through a device's near memory.

    Args:
        reads: of each task what it looks at, and the number of the value.
    """
    room, weights = device.block_bytes, sum(task.weights for task in tasks)
    height = max(task.height for task in tasks)
    least = _rows(tasks, reads, values, height)
    if least + weights <= room:
        return Held(True, least + weights, weights, resident=True)
    found = Held(False, least, weights)
    if least <= room:
        strips = _fewest(tasks, reads, values, height, room)
        found = Held(True, _rows(tasks, reads, values, strips), _passing(tasks, strips), strips=strips)
    one = tasks[0].convolution
    if len(tasks) > 1 or one is None or not small(device, tasks[0]):
        return found
    made = best(one, one.item, weights / one.weights, float(room))
    if made is None:
        return found
    again = max(0.0, made.data - one.ifm * one.item) + made.sums - one.ofm * one.item
    if found.fits and found.weights <= made.weights + again:
        return found
    return Held(True, made.held, made.weights, again, tiles=made)


def words(found: Held, tasks: Sequence[Task]) -> str:
    """What is chosen, for people."""
    one = tasks[0].convolution
    if found.tiles is not None and one is not None:
        return sentence(found.tiles, one)
    if found.resident:
        return "rows stay inside with all weights"
    if found.strips == 1:
        return "all rows stay inside, weights pass by once"
    rows = math.ceil(max(task.height for task in tasks) / found.strips)
    return f"strips of {rows} rows stay inside, weights pass by for each of {found.strips}"


def _rows(
    tasks: Sequence[Task], reads: Sequence[Sequence[tuple[Read, int]]], values: Sequence[Value], strips: int
) -> float:
    """Bytes of the rows that layers look at, to make a strip of each map."""
    rows: dict[int, float] = {}
    for task, own in zip(tasks, reads, strict=True):
        more = math.ceil(task.height / strips) - 1
        for read, v in own:
            if not read.whole:
                value = values[v]
                count = min(1 + read.up + read.down + more * value.height / task.height,
                            max(value.height, 1 + read.up + read.down))  # fmt: skip
                rows[v] = max(rows.get(v, 0.0), count)
    return sum(values[v].bytes * values[v].width * count for v, count in rows.items())


def _fewest(
    tasks: Sequence[Task], reads: Sequence[Sequence[tuple[Read, int]]], values: Sequence[Value], most: int, room: int
) -> int:
    """The fewest strips whose rows have room: more strips never take more; `most` of them have."""
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        if _rows(tasks, reads, values, middle) <= room:
            high = middle
        else:
            low = middle
    return high


def _passing(tasks: Sequence[Task], strips: int) -> float:
    """Bytes of weights that pass by: those of a layer of few rows for each of these at most."""
    return sum(task.weights * min(strips, task.height) for task in tasks)
