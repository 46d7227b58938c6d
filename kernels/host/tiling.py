"""Small regions measured in tiles of their own, of all frames of a batch: `kernels.host.region_tiles` with its memory.

A region is small when its tile has at most MOST columns and rows of bits; larger ones, and images that f32 does not
hold, take the way of lists of pixels (`kernels.host.blobs`). Each region's way depends on its own size alone: its row
is the same whoever else is in the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kernels.host.calling import call
from kernels.host.centroid import FEATURE_DTYPE, METHODS, PLAIN, Windows, memory, window_radius, windows
from kernels.host.light_loops import ELSEWHERE, LAST, SPLIT
from kernels.host.measure_loops import NUMBERS, better_room, measure_loop
from kernels.host.peak_loops import TOPS
from kernels.host.region_tiles import ROOM
from kernels.host.regions import BLUR
from kernels.host.run_loops import WORD, regions_loop
from kernels.host.scratch import aligned, held, scratch
from kernels.host.tile_loops import MOST
from kernels.host.weighing import RING, chance
from kernels.ir.table import COLUMNS

Array = npt.NDArray[Any]
Rest = Callable[[int, Array, Array, int], "tuple[Array, Array]"]
_TABLE = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").reshape(-1)
_MOST_RUNS = 32768
"""Runs of the frames that are measured together: enough that calls do not cost more than their work."""
_IOTA = aligned(np.arange(128.0))
_NONE = np.zeros(0, FEATURE_DTYPE)
_BYTES = np.dtype((np.void, FEATURE_DTYPE.itemsize))
"""Rows as plain bytes, which NumPy moves in a tenth of the time that fields take."""
_LANES = np.dtype(np.float32)


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


def margin(params: Mapping[str, Any]) -> int:
    """Pixels around a region's box that its tile holds."""
    return max(2 * _steps(params), len(_blur(params)) - 1)


def _limit(params: Mapping[str, Any]) -> int:
    """Columns and rows of the largest region that has room."""
    return MOST - 2 * margin(params)


def measured(
    masks: Array, images: Array, params: Mapping[str, Any], most: float, grain: float, rest: Rest
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
    """
    frames = len(masks)
    if not masks.size:
        return [(np.zeros(0, FEATURE_DTYPE), 0) for _ in range(frames)]
    images = np.ascontiguousarray(images)
    found: list[tuple[Array, int]] = []
    while len(found) < frames:
        found += _chunk(masks, len(found), frames - len(found), images, params, most, grain, rest)
    return found


@dataclass(slots=True)
class _Regions:
    """The components of a few frames; valid until those of others are looked for.

    Args:
        base, frames: the first frame and how many.
        count, large, runs: how many there are, how many of them have no room in a tile, and how many runs all have.
        board: the frames' rows as words of bits; of each `pitch` words the first is empty.
        overflow: of each frame, those that found no room.
        start, box, own_first, own_last, owner, state: as `regions_loop` gives them.
    """

    base: int
    frames: int
    count: int
    large: int
    runs: int
    board: Array
    pitch: int
    overflow: Array
    start: Array
    box: Array
    own_first: Array
    own_last: Array
    owner: Array
    state: Array


def _regions(masks: Array, base: int, frames: int, params: Mapping[str, Any], most: float) -> _Regions:
    """The components of some frames from number `base` on, of `frames` at most."""
    height, width = masks.shape[1:]
    pitch, overflow = -(-width // WORD) + 1, np.empty(frames + 3, np.int64)
    board = scratch("tiles.board", frames * height * pitch + 1, np.int64)
    room = max(2 * _MOST_RUNS, held("tiles.lists") // 24)  # `scratch` keeps twice as much
    split, limit = params["split"] > 0, _settings(tuple(params.items())).limit
    while True:
        lists = scratch("tiles.lists", 12 * room, np.int64)
        work = scratch("tiles.runs", 6 * (room + 16) + 4 * pitch, np.int64)
        owner, state, start, box = lists[:room], lists[room:], lists[2 * room :], lists[4 * room :]
        own_first, own_last = lists[8 * room :], lists[10 * room :]
        seen = call(regions_loop, masks.reshape(-1).view(np.uint8), base, frames, height, width,
                    params["connectivity"] == "8", int(params["min_area"]), most, int(params["capacity"]), limit,
                    SPLIT if split else LAST, ELSEWHERE, _MOST_RUNS, split, room, work, board, owner, state, overflow,
                    start, box, own_first, own_last, overflow[frames:])  # fmt: skip
        if seen:
            count, large, runs = overflow[frames:].tolist()
            return _Regions(base, seen, count, large, runs, board, pitch, overflow[:seen], start, box, own_first,
                            own_last, owner, state)  # fmt: skip
        room *= 4


def _chunk(
    masks: Array, base: int, frames: int, images: Array, params: Mapping[str, Any], most: float, grain: float,
    rest: Rest,
) -> list[tuple[Array, int]]:  # fmt: skip
    """The same for a few frames from number `base` on, `frames` at most."""
    height = masks.shape[1]
    found = _regions(masks, base, frames, params, most)
    frames, count = found.frames, found.count
    # Rows are written where they stay, if it is known how many there will be.
    rows = scratch("tiles.rows", COLUMNS * len(found.owner)) if params["split"] > 0 else np.empty(COLUMNS * count)
    parts = _NONE
    if found.large:
        if frames > 1:  # one by one
            return [_chunk(masks, base + k, 1, images, params, most, grain, rest)[0] for k in range(frames)]
        sides = found.box[: 4 * count].reshape(count, 4) - (0, 0, base * height, base * height)
        large = found.state[:count] == ELSEWHERE
        rows.view(FEATURE_DTYPE)[:count][large], parts = rest(base, sides, large, 2 * _steps(params))
    if count:
        count = _measured(found, images, params, grain, parts, rows)
    table, owner = rows[: COLUMNS * count].view(_BYTES), found.owner[:count]
    if count > found.count:  # parts that were split off stand at the end
        order = np.argsort(owner, kind="stable")
        table, owner = table.take(order), owner[order]
    elif params["split"] > 0:
        table = table.copy()
    table = table.view(FEATURE_DTYPE)
    if frames == 1:
        return [(table, int(found.overflow[0]))]
    ends = np.searchsorted(owner, np.arange(frames + 1)).tolist()
    return [(table[ends[k] : ends[k + 1]], more) for k, more in enumerate(found.overflow.tolist())]


def _measured(
    found: _Regions, images: Array, params: Mapping[str, Any], grain: float, parts: Array, rows: Array
) -> int:
    """Put the rows of regions, of the parts that they are split into, and then `parts`, into `rows`; returns how many
    there are."""
    height, width = images.shape[1:]
    given = _settings(tuple(params.items()))
    # Room for a few more, so that how much that is has mostly been asked before.
    count = -(-min(len(rows) // COLUMNS, TOPS * found.count + len(parts)) // 64) * 64
    whole, floats, vectors = better_room(count, found.frames, *given.windows[2:5], height, width)
    return call(measure_loop, images.reshape(-1), images.size, found.base, found.frames, height, width, given.sign,
                images.dtype.kind != "f", found.count, found.runs, found.start, found.box, found.own_first,
                found.own_last, found.owner, found.state, found.board, found.pitch,
                parts.view(np.float64) if len(parts) else _IOTA, len(parts), grain, BLUR * grain,
                *given.tiles, np.nan, *given.better, *given.windows,
                *memory(_LANES, NUMBERS + whole, 4 * ROOM + floats, vectors), rows, pixels=images.dtype,
                lanes=_LANES)  # fmt: skip


class _Settings(NamedTuple):
    """What parameters are for loops: the sign of light, columns and rows of the largest region that has room, those of
    tiles, whether and how centres are refined, and in what windows."""

    sign: float
    limit: int
    tiles: tuple[Any, ...]
    better: tuple[bool, int]
    windows: Windows


@lru_cache(maxsize=16)
def _settings(params: tuple[tuple[str, Any], ...]) -> _Settings:
    given = dict(params)
    sigma, weights, ground = float(given["refine_sigma"]), _blur(given), given["background"]
    sign = -1.0 if given["polarity"] == "dark" else 1.0
    tiles = (widest(given), int(given["grow"]), _steps(given), margin(given), ground == "level", ground == "slope",
             float(given["level"]) * sign, chance(given), float(given["split"]), float(given["split_depth"]), weights,
             len(weights) - 1, _TABLE, _IOTA)  # fmt: skip
    better = sigma > 0 and given["refine"] != "moments"
    return _Settings(sign, _limit(given), tiles, (better, METHODS.get(given["refine"], 0)), windows(sigma or 1.0))
