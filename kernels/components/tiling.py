"""Small regions measured in tiles of their own, of all frames of a batch: `kernels.regions.region_tiles` with its
memory.

A region is small when its tile has at most MOST columns and rows of bits; larger ones, and images that f32 does not
hold, take the way of lists of pixels (`kernels.components.blobs`). Each region's way depends on its own size alone: its
row does not depend on what else is in the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kernels.centroids.centroid import FEATURE_DTYPE, METHODS, PLAIN, frames_of, memory_of, window_radius, windows
from kernels.centroids.structs import Method, Windows
from kernels.components.measure_loops import NUMBERS, better_room, measure_loop
from kernels.components.moments import RING, chance
from kernels.ir.bits import WORD, Bits
from kernels.ir.table import COLUMNS
from kernels.loops.calling import call
from kernels.loops.fractions import Images, dense, pixels_of
from kernels.loops.scratch import aligned, held, scratch
from kernels.regions.initial_guess_loops import ELSEWHERE, LAST, SPLIT
from kernels.regions.labels import as_masks
from kernels.regions.pixel_lists import BLUR
from kernels.regions.region_tiles import ROOM
from kernels.regions.run_loops import regions_loop
from kernels.regions.structs import Found, Kinds, Regions, Rules, Stack, Wanted
from kernels.regions.tile_loops import MOST
from kernels.regions.valley_loops import TOPS

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


def fits(images: Images | None, params: Mapping[str, Any]) -> bool:
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
    # About four deviations to each side.
    n = np.arange(max(1, int(np.rint(4.0 * sigma + 0.5))))
    weights = np.exp(-0.5 * (n / sigma) ** 2)
    # All but the middle one count twice: the sum over both sides is 1.
    return np.asarray(weights / (2.0 * weights.sum() - weights[0]))


def margin(params: Mapping[str, Any]) -> int:
    """Pixels around a region's box that its tile holds."""
    return max(2 * _steps(params), len(_blur(params)) - 1)


def _limit(params: Mapping[str, Any]) -> int:
    """Columns and rows of the largest region that has room."""
    return MOST - 2 * margin(params)


def measured(
    masks: Array | Bits, images: Images, params: Mapping[str, Any], most: float, grain: float, rest: Rest
) -> list[tuple[Array, int]]:
    """Rows of `FEATURE` of each mask's components, and how many found no room.

    Args:
        masks: (frames, height, width) bool, contiguous, or `Bits`.
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
    images = dense(images)
    found: list[tuple[Array, int]] = []
    while len(found) < frames:
        found += _chunk(masks, len(found), frames - len(found), images, params, most, grain, rest)
    return found


class _Found(NamedTuple):
    """The components of a few frames; valid until those of others are looked for.

    Args:
        large: how many have no room in a tile.
        overflow: of each frame, those that found no room in the table.
    """

    regions: Regions
    large: int
    overflow: Array


def _regions(masks: Array | Bits, base: int, frames: int, params: Mapping[str, Any], most: float) -> _Found:
    """The components of some frames from number `base` on, of `frames` at most."""
    height, width = masks.shape[1:]
    pitch, overflow = -(-width // WORD) + 1, np.empty(frames + 3, np.int64)
    board = scratch("tiles.board", frames * height * pitch + 1, np.int64)
    room = max(2 * _MOST_RUNS, held("tiles.lists") // 24)  # `scratch` keeps twice as much
    split, limit = params["split"] > 0, settings_of(params).limit
    stack = Stack(base, frames, height, width, params["connectivity"] == "8")
    wanted = Wanted(int(params["min_area"]), most, int(params["capacity"]))
    kinds = Kinds(limit, SPLIT if split else LAST, ELSEWHERE, split)
    # As many lists as fit; a frame with more runs than fit is looked at again with four times the room.
    while True:
        lists = scratch("tiles.lists", 12 * room, np.int64)
        work = scratch("tiles.runs", 6 * (room + 16) + 4 * pitch, np.int64)
        owner, state, start, box = lists[:room], lists[room:], lists[2 * room :], lists[4 * room :]
        own_first, own_last = lists[8 * room :], lists[10 * room :]
        found = Found(room, board, owner, state, start, box, own_first, own_last, overflow, overflow[frames:])
        seen = call(regions_loop, as_masks(masks), stack, wanted, kinds, _MOST_RUNS, work, found)
        if seen:
            count, large, runs = overflow[frames:].tolist()
            regions = Regions(
                base, seen, count, runs, start, box, own_first, own_last, owner, state, board, pitch, _IOTA
            )
            return _Found(regions, large, overflow[:seen])
        room *= 4


def _chunk(
    masks: Array | Bits, base: int, frames: int, images: Images, params: Mapping[str, Any], most: float, grain: float,
    rest: Rest,
) -> list[tuple[Array, int]]:  # fmt: skip
    """The same for a few frames from number `base` on, `frames` at most."""
    height = masks.shape[1]
    found, large, overflow = _regions(masks, base, frames, params, most)
    frames, count = found.frames, found.count
    # Rows are written where they stay, if it is known how many there will be.
    rows = scratch("tiles.rows", COLUMNS * len(found.owner)) if params["split"] > 0 else np.empty(COLUMNS * count)
    parts = _NONE
    if large:
        if frames > 1:  # one by one
            return [_chunk(masks, base + k, 1, images, params, most, grain, rest)[0] for k in range(frames)]
        sides = found.box[: 4 * count].reshape(count, 4) - (0, 0, base * height, base * height)
        elsewhere = found.state[:count] == ELSEWHERE
        rows.view(FEATURE_DTYPE)[:count][elsewhere], parts = rest(base, sides, elsewhere, 2 * _steps(params))
    if count:
        found.rows = rows
        count = _measured(found, images, params, grain, parts)
    table, owner = rows[: COLUMNS * count].view(_BYTES), found.owner[:count]
    if count > found.count:  # parts that were split off are at the end
        order = np.argsort(owner, kind="stable")
        table, owner = table.take(order), owner[order]
    # The rows lie in memory that the next call takes.
    elif params["split"] > 0:
        table = table.copy()
    table = table.view(FEATURE_DTYPE)
    if frames == 1:
        return [(table, int(overflow[0]))]
    ends = np.searchsorted(owner, np.arange(frames + 1)).tolist()
    return [(table[ends[k] : ends[k + 1]], more) for k, more in enumerate(overflow.tolist())]


def _measured(found: Regions, images: Images, params: Mapping[str, Any], grain: float, parts: Array) -> int:
    """Put the rows of regions, of the parts that they are split into, and then `parts`, into those of `found`; returns
    how many there are."""
    given = settings_of(params, grain)
    # Room for a few more, so that how much that is has mostly been asked before.
    count = -(-min(len(found.rows) // COLUMNS, TOPS * found.count + len(parts)) // 64) * 64
    whole, floats, vectors = better_room(count, found.frames, given.windows, *images.shape[1:])
    memory = memory_of(_LANES, NUMBERS + whole, 4 * ROOM + floats, vectors)
    return call(measure_loop, frames_of(images, given.dark), found, given.rules, given.windows, given.method, memory,
                parts.view(np.float64) if len(parts) else _IOTA, len(parts), given.better, pixels=pixels_of(images),
                lanes=_LANES)  # fmt: skip


class Settings(NamedTuple):
    """What parameters are for loops."""

    dark: bool
    limit: int
    """Columns and rows of the largest region that has room."""
    rules: Rules
    windows: Windows
    method: Method
    better: bool
    """Whether centres are refined."""


def settings_of(params: Mapping[str, Any], grain: float = 0.0) -> Settings:
    """What the parameters of the stage `components` are for loops.

    Args:
        grain: least variance of a pixel.
    """
    return _settings(tuple(params.items()), grain)


@lru_cache(maxsize=16)
def _settings(params: tuple[tuple[str, Any], ...], grain: float = 0.0) -> Settings:
    given = dict(params)
    sigma, weights, ground = float(given["refine_sigma"]), _blur(given), given["background"]
    dark = given["polarity"] == "dark"
    level = float(given["level"])
    rules = Rules(
        side=widest(given),
        grow=int(given["grow"]),
        steps=_steps(given),
        margin=margin(given),
        level=ground == "level",
        slope=ground == "slope",
        given=-level if dark else level,
        rim=chance(given),
        split=float(given["split"]),
        depth=float(given["split_depth"]),
        weights=weights,
        radius=len(weights) - 1,
        table=_TABLE,
        iota=_IOTA,
        grain=grain,
        blur=BLUR * grain,
        nothing=np.nan,
    )
    method = Method(grain, np.nan, METHODS.get(given["refine"], 0), True)
    better = sigma > 0 and given["refine"] != "moments"
    return Settings(dark, _limit(given), rules, windows(sigma or 1.0), method, better)
