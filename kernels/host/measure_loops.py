"""From the regions of a few frames to their rows, as one loop: places to begin at, tiles, centres in windows."""

from __future__ import annotations

from functools import lru_cache

from kernels.host.centred_loops import centred_loop, centred_room
from kernels.host.light_loops import ELSEWHERE, LIGHT, lights_loop
from kernels.host.loops import F64, I64, LANES, PIXELS, U8, at, loop
from kernels.host.peak_loops import TOPS
from kernels.host.region_tiles import ROOM, tiles_loop
from kernels.host.taking_loops import placed_loop, taken_loop
from kernels.host.tile_loops import PLANES
from kernels.ir.table import COLUMNS

NUMBERS = ROOM + PLANES + 4 * TOPS  # whole numbers that a tile takes; floats are 4 * ROOM


@loop
def lined_up(count: int) -> int:
    """So many numbers in whole lines of the cache."""
    return (count + 7) // 8 * 8


@lru_cache(maxsize=256)
def better_room(count: int, frames: int, size: int, pitch: int, reach: float, height: int, width: int
                ) -> tuple[int, int, int]:  # fmt: skip
    """Entries of the whole numbers, of the floats and of the vectors that `better_loop` works in."""
    whole, floats, vectors = centred_room(count, size, pitch, reach, height, width)
    lines = lined_up(count)
    return 3 * lines + lined_up(frames + 2) + whole, (2 + COLUMNS) * lines + floats, vectors


@loop
def better_loop(image: PIXELS, total: int, frames: int, height: int, width: int, sign: float, exact: int, count: int,
                owner: I64, state: I64, lines: int, sigma: float, radius: int, size: int, pitch: int, reach: float,
                fixed: F64, ring: I64, many: int, crowds: F64, grain: float, nothing: float, whole: I64, floats: F64,
                vectors: LANES, table: F64) -> int:  # fmt: skip
    """Look at the rows whose components are LIGHT, or not wider than twice the weights, in windows. Those of which the
    window tells all get their rows from there. Returns how many do not: for them the first numbers of `whole` and
    `floats` are what `placed_loop` wants. Of these LIGHT ones become CENTRED or LAST, all others that were not LIGHT
    ELSEWHERE.

    Args:
        owner: the frame of each row, 0 to `frames` - 1.
        lines: of `centres_loop`, as are those up to `crowds`.
        whole, floats, vectors: what `better_room` says.
        table: the rows.
    """
    apart, limit = lined_up(count), 4.0 * sigma * sigma
    left, which, frame, heads = at(whole, 0), at(whole, apart), at(whole, 2 * apart), at(whole, 3 * apart)
    found, start = at(floats, 0), at(floats, COLUMNS * apart)
    for k in range(frames + 2):
        heads[k] = 0
    few = 0
    for i in range(count):
        a = COLUMNS * i
        if state[i] == LIGHT or 0.5 * (table[a + 5] + table[a + 7]) <= limit:
            heads[owner[i] + 2] = heads[owner[i] + 2] + 1
            few += 1
    for k in range(frames):
        heads[k + 2] = heads[k + 2] + heads[k + 1]
    for i in range(count):
        a = COLUMNS * i
        if state[i] == LIGHT or 0.5 * (table[a + 5] + table[a + 7]) <= limit:
            k = heads[owner[i] + 1]
            heads[owner[i] + 1] = k + 1
            which[k], frame[k], start[k], start[few + k] = i, owner[i], table[a], table[a + 1]
        if state[i] != LIGHT:
            state[i] = ELSEWHERE
    centred_loop(image, total, height, width, frame, sign, exact, few, start, sigma, radius, size, pitch, reach, fixed,
                 ring, many, crowds, grain, nothing, lines, 1, 1, at(heads, lined_up(frames + 2)), at(start, 2 * apart),
                 vectors, found)  # fmt: skip
    return int(taken_loop(found, few, which, state, limit, table, left))


@loop
def refined_loop(image: PIXELS, total: int, frames: int, height: int, width: int, sign: float, exact: int, count: int,
                 owner: I64, state: I64, lines: int, sigma: float, radius: int, size: int, pitch: int, reach: float,
                 fixed: F64, ring: I64, many: int, crowds: F64, grain: float, nothing: float, whole: I64, floats: F64,
                 vectors: LANES, table: F64) -> int:  # fmt: skip
    """Better centres for rows that are measured already."""
    left = better_loop(image, total, frames, height, width, sign, exact, count, owner, state, lines, sigma, radius,
                       size, pitch, reach, fixed, ring, many, crowds, grain, nothing, whole, floats, vectors,
                       table)  # fmt: skip
    placed_loop(floats, whole, left, at(whole, lined_up(count)), 4.0 * sigma * sigma, table)
    return 0


@loop
def measure_loop(image: PIXELS, total: int, base: int, frames: int, height: int, width: int, sign: float, exact: int,
                 count: int, runs: int, start: I64, box: I64, own_first: I64, own_last: I64, owner: I64, state: I64,
                 board: I64, pitch: int, parts: F64, more: int, grain: float, blur: float, side: int, grow: int,
                 steps: int, margin: int, level: int, slope: int, given: float, rim: float, split: float, depth: float,
                 weights: F64, reach: int, table: U8, iota: F64, nothing: float, better: int, lines: int, sigma: float,
                 radius: int, size: int, window: int, near: float, fixed: F64, ring: I64, many: int, crowds: F64,
                 whole: I64, floats: F64, vectors: LANES, rows: F64) -> int:  # fmt: skip
    """The rows of `count` regions, and of the parts that they are split into; better centres if `better`.

    Args:
        base, frames: the first frame and how many.
        runs ... board: as `regions_loop` gives them; of each `pitch` words of the board the first is empty. Rows of
            regions that are ELSEWHERE are there already.
        parts: `more` rows that come behind all others, of frame 0.
        side: of `light_of`; 0 for none.
        grow ... iota: of `tiles_loop`; `reach` is its radius.
        lines ... crowds: of `better_loop`; `window` is its pitch, `near` its reach.
        whole, floats: what a tile takes, then what `better_room` says; `vectors`, too.

    Returns:
        How many rows there are.
    """
    tile, light, rest = at(floats, 64), at(floats, 2 * ROOM), at(floats, 3 * ROOM)
    bits, tops = at(whole, ROOM), at(whole, ROOM + PLANES)
    left = count
    if side > 0:
        left = lights_loop(image, base, height, width, sign, count, start, box, own_first, own_last, owner, state, side,
                           nothing, rows)  # fmt: skip
    if left > 0:
        count = tiles_loop(image, total, base, height, width, sign, count, runs, start, box, own_first, own_last, owner,
                           state, board, pitch, height * pitch, grow, steps, margin, level, slope, given, blur, grain,
                           rim, split, depth, weights, reach, table, iota, bits, whole, tops, tile, at(floats, ROOM),
                           light, at(rest, 1024), rest, at(rest, 256), at(rest, 320), at(rest, 384), nothing, side,
                           4.0 * sigma * sigma, rows)  # fmt: skip
    tiled = count
    for n in range(more):
        owner[count], state[count] = 0, ELSEWHERE
        for c in range(COLUMNS):
            rows[COLUMNS * count + c] = parts[COLUMNS * n + c]
        count += 1
    if better == 0:
        return int(count)
    first, numbers, work = base * height * width, at(whole, NUMBERS), at(floats, 4 * ROOM)
    left = better_loop(at(image, first), total - first, frames, height, width, sign, exact, count, owner, state, lines,
                       sigma, radius, size, window, near, fixed, ring, many, crowds, grain, nothing, numbers, work,
                       vectors, rows)  # fmt: skip
    if left > 0:  # their regions tell
        tiles_loop(image, total, base, height, width, sign, tiled, runs, start, box, own_first, own_last, owner, state,
                   board, pitch, height * pitch, grow, steps, margin, level, slope, given, blur, grain, rim, split,
                   depth, weights, reach, table, iota, bits, whole, tops, tile, at(floats, ROOM), light,
                   at(rest, 1024), rest, at(rest, 256), at(rest, 320), at(rest, 384), nothing, 0, 4.0 * sigma * sigma,
                   rows)  # fmt: skip
        placed_loop(work, numbers, left, at(numbers, lined_up(count)), 4.0 * sigma * sigma, rows)
    return int(count)
