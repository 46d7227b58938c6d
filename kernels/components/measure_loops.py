"""From the regions of a few frames to their rows, as one loop: places to begin at, tiles, centres in windows."""

from __future__ import annotations

from functools import lru_cache

from kernels.centroids.batch_loops import centred_loop, centred_room
from kernels.centroids.merge_measurements_loops import placed_loop, taken_loop
from kernels.centroids.structs import Memory, Method, Windows
from kernels.ir.table import COLUMNS
from kernels.loops.language import F64, I64, at, loop
from kernels.regions.initial_guess_loops import ELSEWHERE, LIGHT, lights_loop
from kernels.regions.region_tiles import ROOM, tiles_loop
from kernels.regions.structs import Frames, Regions, Rules, Work
from kernels.regions.tile_loops import PLANES
from kernels.regions.valley_loops import TOPS

NUMBERS = ROOM + PLANES + 4 * TOPS  # whole numbers that a tile takes; floats are 4 * ROOM


@loop
def lined_up(count: int) -> int:
    """So many numbers in whole lines of the cache."""
    return (count + 7) // 8 * 8


@lru_cache(maxsize=256)
def better_room(count: int, frames: int, w: Windows, height: int, width: int) -> tuple[int, int, int]:
    """Entries of the whole numbers, of the floats and of the vectors that `better_loop` works in."""
    whole, floats, vectors = centred_room(count, w, height, width)
    lines = lined_up(count)
    return 3 * lines + lined_up(frames + 2) + whole, (2 + COLUMNS) * lines + floats, vectors


@loop
def better_loop(f: Frames, w: Windows, how: Method, memory: Memory, frames: int, count: int, owner: I64, state: I64,
                table: F64) -> int:  # fmt: skip
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
    apart, limit = lined_up(count), 4.0 * w.sigma * w.sigma
    left, which = at(memory.whole, 0), at(memory.whole, apart)
    frame, heads = at(memory.whole, 2 * apart), at(memory.whole, 3 * apart)
    found, start = at(memory.floats, 0), at(memory.floats, COLUMNS * apart)
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
    rest = Memory(at(heads, lined_up(frames + 2)), at(start, 2 * apart), memory.vectors)
    centred_loop(f, w, how, rest, frame, few, start, 1, found)
    return int(taken_loop(found, few, which, state, limit, table, left))


@loop
def refined_loop(f: Frames, w: Windows, how: Method, memory: Memory, frames: int, count: int, owner: I64, state: I64,
                 table: F64) -> int:  # fmt: skip
    """Better centres for rows that are measured already."""
    left = better_loop(f, w, how, memory, frames, count, owner, state, table)
    placed_loop(memory.floats, memory.whole, left, at(memory.whole, lined_up(count)), 4.0 * w.sigma * w.sigma, table)
    return 0


@loop
def measure_loop(f: Frames, of: Regions, rule: Rules, w: Windows, how: Method, memory: Memory, parts: F64, more: int,
                 better: int) -> int:  # fmt: skip
    """The rows of regions, and of the parts that they are split into; better centres if `better`.

    Args:
        of: rows of regions that are ELSEWHERE are there already.
        memory: what a tile takes, then what `better_room` says.
        parts: `more` rows that come behind all others, of frame 0.

    Returns:
        How many rows there are.
    """
    whole, floats = memory.whole, memory.floats
    rest = at(floats, 3 * ROOM)
    t = Work(at(whole, ROOM), whole, at(whole, ROOM + PLANES), at(floats, 64), at(floats, ROOM), at(floats, 2 * ROOM),
             at(rest, 1024), rest, at(rest, 256), at(rest, 320), at(rest, 384))  # fmt: skip
    limit = 4.0 * w.sigma * w.sigma
    count = of.count
    left = count
    if rule.side > 0:
        left = lights_loop(f, of, count, rule.side, rule.nothing)
    if left > 0:
        count = tiles_loop(f, of, rule, t, of.count, of.runs, rule.side, limit)
    tiled = count
    for n in range(more):
        of.owner[count], of.state[count] = 0, ELSEWHERE
        for c in range(COLUMNS):
            of.rows[COLUMNS * count + c] = parts[COLUMNS * n + c]
        count += 1
    if better == 0:
        return int(count)
    first = of.base * f.height * f.width
    frames = Frames(at(f.image, first), f.total - first, f.height, f.width, f.sign, f.exact)
    inner = Memory(at(whole, NUMBERS), at(floats, 4 * ROOM), memory.vectors)
    left = better_loop(frames, w, how, inner, of.frames, count, of.owner, of.state, of.rows)
    if left > 0:  # their regions tell
        tiles_loop(f, of, rule, t, tiled, of.runs, 0, limit)
        placed_loop(inner.floats, inner.whole, left, at(inner.whole, lined_up(count)), limit, of.rows)
    return int(count)
