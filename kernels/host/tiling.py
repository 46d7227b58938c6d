"""Small regions measured in tiles of their own, of all frames of a batch: `kernels.host.region_tiles` with its memory.

A region is small when its tile has at most MOST columns and rows of bits; larger ones, and images that f32 does not
hold, take the way of lists of pixels (`kernels.host.blobs`). Each region's way depends on its own size alone: its row
is the same whoever else is in the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.calling import call
from kernels.host.centroid import FEATURE_DTYPE, PLAIN, window_radius
from kernels.host.light_loops import ELSEWHERE, LAST, LIGHT, SPLIT, lights_loop
from kernels.host.peak_loops import TOPS
from kernels.host.region_tiles import ROOM, tiles_loop
from kernels.host.regions import BLUR
from kernels.host.run_loops import ASIDE, CELL, board_loop, clean_loop, regions_loop, scan_loop, together
from kernels.host.scratch import aligned, cleared, scratch
from kernels.host.taking_loops import copied_loop
from kernels.host.tile_loops import MOST, PLANES
from kernels.host.weighing import RIM, RING

Array = npt.NDArray[Any]
Rest = Callable[[int, Array, Array, int], "tuple[Array, Array]"]
Again = Callable[[Array, Array], None]
Refine = Callable[[Array, Array, int, Array, Again], None]
_TABLE = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").reshape(-1)
_MOST_RUNS = 32768
"""Runs of the frames that are measured together: enough that calls do not cost more than their work."""
_IOTA = aligned(np.arange(128.0))


def fits(images: Array | None, params: Mapping[str, Any]) -> bool:
    """Whether regions of such images can be measured in tiles."""
    return images is not None and images.dtype in PLAIN and _limit(params) >= 1


def widest(params: Mapping[str, Any]) -> int:
    """Columns and rows of the largest component that is measured in the window in which its centre is refined; 0 where
    none is: a pixel around it is in the window, too."""
    refined = params["refine_sigma"] > 0 and params["refine"] != "moments" and params["background"] != "level"
    return 2 * window_radius(float(params["refine_sigma"])) - 1 if refined else 0


def _steps(params: Mapping[str, Any]) -> int:
    return int(params["grow"]) + (0 if params["background"] == "level" else RING)


def _blur(params: Mapping[str, Any]) -> Array:
    """Weights of the blur before maxima are told apart, from the middle outwards; none without splitting."""
    return _blur_by(0.25 * float(params["split"]))


@lru_cache(maxsize=8)
def _blur_by(sigma: float) -> Array:
    if sigma <= 0.0:
        return np.ones(1)
    n = np.arange(max(1, int(np.rint(4.0 * sigma + 0.5))))
    weights = np.exp(-0.5 * (n / sigma) ** 2)
    return np.asarray(weights / (2.0 * weights.sum() - weights[0]))


def _margin(params: Mapping[str, Any]) -> int:
    return max(2 * _steps(params), len(_blur(params)) - 1)


def _limit(params: Mapping[str, Any]) -> int:
    """Columns and rows of the largest region that has room."""
    return MOST - 2 * _margin(params)


def measured(
    masks: Array, images: Array, params: Mapping[str, Any], most: float, grain: float, rest: Rest, refine: Refine
) -> list[tuple[Array, int]]:
    """Rows of `FEATURE` of each mask's components, and how many found no room.

    Args:
        masks: (frames, height, width) bool, contiguous.
        images: (frames, height, width), of a type that `fits`.
        most: pixels of the largest component that is kept.
        grain: least variance of a pixel.
        rest: measures the components of one frame that have no room in a tile. It is told the frame's number, the boxes
            of its components (leftmost and rightmost column, first and last row), which of them it is to measure, and
            how far around them others matter; it gives their rows in their order, and those of parts split off.
        refine: puts better centres into rows; it is told the frame of each (from 0) and the first frame; which of them
            hold but a place to begin at, and what measures those of them (u8) that have to be after all, into rows.
    """
    frames, height, width = masks.shape
    if not masks.size:
        return [(np.zeros(0, FEATURE_DTYPE), 0) for _ in range(frames)]
    images = np.ascontiguousarray(images)
    first, last = _runs(masks)
    parent = scratch("tiles.parent", len(first) + 1, np.int64)[: len(first)]
    ends = np.searchsorted(first, np.arange(1, frames + 1) * (height * width)).tolist()
    found: list[tuple[Array, int]] = []
    while len(found) < frames:
        base = len(found)
        begin, end = ends[base - 1] if base else 0, base + 1
        while end < frames and ends[end] - begin <= _MOST_RUNS:
            end += 1
        lists = (first, last, parent, begin, ends[end - 1])
        call(together, *lists, height, width, int(params["connectivity"]) == 8)
        found += _chunk(lists, base, end - base, images, params, most, grain, rest, refine)
    return found


def _runs(masks: Array) -> tuple[Array, Array]:
    """First and last pixel of each run, rising, with one number more behind the last."""
    flat, width = masks.reshape(-1).view(np.uint8), masks.shape[2]
    room = max(1 << 15, width + 2)
    while True:
        first, last = scratch("tiles.first", room + 1, np.int64), scratch("tiles.last", room + 1, np.int64)
        count = call(scan_loop, flat, len(flat), width, first, last, room)
        if count >= 0:
            return first[:count], last[:count]
        room *= 4


def _chunk(
    lists: tuple[Array, Array, Array, int, int], base: int, frames: int, images: Array, params: Mapping[str, Any],
    most: float, grain: float, rest: Rest, refine: Refine,
) -> list[tuple[Array, int]]:  # fmt: skip
    """The same for a few frames from number `base` on, whose runs the `lists` are."""
    height, width = images.shape[1:]
    first, last, _, begin, end = lists
    runs, pixels = end - begin, int((last[begin:end] - first[begin:end]).sum()) + end - begin
    area, number = scratch("tiles.area", 2 * end, np.int64).reshape(2, end)
    owner, state = scratch("tiles.owner", 2 * pixels, np.int64).reshape(2, pixels)
    start, box = scratch("tiles.start", 2 * pixels, np.int64), scratch("tiles.box", 4 * pixels, np.int64)
    own_first, own_last = scratch("tiles.own", 2 * (pixels + runs), np.int64).reshape(2, pixels + runs)
    overflow = np.zeros(frames, np.int64)
    count = call(regions_loop, *lists, frames, base, height, width, int(params["min_area"]), most,
                 int(params["capacity"]), area, number, owner, overflow, start, box, own_first, own_last)  # fmt: skip
    sides = box[: 4 * count].reshape(count, 4)
    limit = _limit(params)
    large = (sides[:, 1] - sides[:, 0] >= limit) | (sides[:, 3] - sides[:, 2] >= limit)
    if large.any():
        if frames > 1:
            ends = np.searchsorted(first[begin:end], (base + np.arange(frames + 1)) * (height * width)) + begin
            return [_chunk((*lists[:3], int(a), int(b)), base + i, 1, images, params, most, grain, rest, refine)[0]
                    for i, (a, b) in enumerate(pairwise(ends))]  # fmt: skip
        others = rest(base, sides - (0, 0, base * height, base * height), large, 2 * _steps(params))
    used = int(start[2 * count - 2] + start[2 * count - 1]) if count else 0
    begins = SPLIT if params["split"] > 0 else LAST
    state[:count] = np.where(large, ELSEWHERE, begins)
    tiles = _Tiles(images, base, frames, params, grain, used, start, box, own_first, own_last, owner, state)
    try:
        if count:
            count = tiles.measured(count, widest(params))
        table, own = tiles.rows[: 9 * count].copy().view(FEATURE_DTYPE), owner[:count]
        light, tiled = state[:count] == LIGHT, count
        if large.any():
            table[: len(large)][large], parts = others
            table, own = np.concatenate((table, parts)), np.concatenate((own, np.zeros(len(parts), np.int64)))
            light, count = np.concatenate((light, np.zeros(len(parts), np.bool_))), len(table)

        def again(wanted: Array, into: Array) -> None:
            state[:tiled] = np.where(wanted[:tiled], LAST, ELSEWHERE)
            tiles.measured(tiled, 0)
            call(copied_loop, tiles.rows, wanted, tiled, into.view(np.float64))

        if count:
            refine(table, own, base, light, again)
    finally:
        tiles.clean()
    if count > len(sides):  # parts that were split off stand at the end
        order = np.argsort(own, kind="stable")
        table, own = table[order], own[order]
    if frames == 1:
        return [(table, int(overflow[0]))]
    ends = np.searchsorted(own, np.arange(frames + 1)).tolist()
    return [(table[ends[k] : ends[k + 1]], more) for k, more in enumerate(overflow.tolist())]


class _Tiles:
    """The regions of a chunk, and a board of their pixels."""

    def __init__(
        self, images: Array, base: int, frames: int, params: Mapping[str, Any], grain: float, used: int, start: Array,
        box: Array, own_first: Array, own_last: Array, owner: Array, state: Array,
    ) -> None:  # fmt: skip
        self.images, self.base, self.frames, self.params, self.grain = images, base, frames, params, grain
        self.regions, self.runs = (start, box, own_first, own_last, owner, state), used
        self.rows = scratch("tiles.rows", 9 * len(owner))
        self.touched, self.many, self.board = scratch("tiles.touched", 3 * len(owner), np.int64), 0, state[:0]

    def clean(self) -> None:
        """To be called at the end."""
        if self.many:
            call(clean_loop, self.board, self.touched, self.many)

    def measured(self, count: int, side: int) -> int:
        """Put the rows of regions, and of the parts that they are split into, into `rows`; returns how many there are.

        Args:
            side: smaller ones get but a place to begin at (LIGHT).
        """
        params, images, base = self.params, self.images, self.base
        height, width = images.shape[1:]
        start, box, own_first, own_last, owner, state = self.regions
        sign = -1.0 if params["polarity"] == "dark" else 1.0
        flat = images.reshape(-1)
        if side and not call(lights_loop, flat, base, height, width, sign, count, start, box, own_first, own_last,
                             owner, state, side, np.nan, self.rows, pixels=images.dtype):  # fmt: skip
            return count
        weights, margin = _blur(params), _margin(params)
        pitch = (width + ASIDE + 64) // CELL + 4
        lines = self.frames * height
        self.board = cleared("tiles.board", lines * pitch, np.int64)
        self.many = call(board_loop, own_first, own_last, start, box, state, count, LAST, margin, base * height, lines,
                         width, pitch, self.board, scratch("tiles.near", lines, np.int64), self.touched,
                         self.many)  # fmt: skip
        level, slope = params["background"] == "level", params["background"] == "slope"
        tile, ring, light, rest = scratch("tiles.work", 4 * ROOM).reshape(4, ROOM)
        whole = scratch("tiles.whole", ROOM + PLANES + 4 * TOPS, np.int64)
        rim = 0.5 * RIM[params["background"]]
        return call(tiles_loop, flat, images.size, base, height, width, sign, count, self.runs, start, box, own_first,
                    own_last, owner, state, self.board, pitch, height * pitch, int(params["grow"]), _steps(params),
                    margin, level, slope, float(params["level"]) * sign, BLUR * self.grain, self.grain, rim,
                    float(params["split"]), float(params["split_depth"]), weights, len(weights) - 1, _TABLE, _IOTA,
                    whole[ROOM:], whole, whole[ROOM + PLANES :], tile[64:], ring, light, rest[1024:], rest, rest[256:],
                    rest[320:], rest[384:], np.nan, side, self.rows, pixels=images.dtype)  # fmt: skip
