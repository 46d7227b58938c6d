"""From the regions of a few frames to their rows, as one loop: places to begin at, tiles, centres in windows."""

from __future__ import annotations

from functools import lru_cache

from kernels.centroids.batch_loops import BEGIN, LOOK, NEIGHBOURS, TURN, centred_room, centred_step
from kernels.centroids.merge_measurements_loops import placed_loop, taken_loop
from kernels.centroids.structs import Memory, Method, Starts, Windows
from kernels.ir.table import COLUMNS
from kernels.loops.language import F64, I64, at, loop
from kernels.loops.neighbour_loops import near_numbers
from kernels.loops.structs import Struct, struct
from kernels.regions.initial_guess_loops import ELSEWHERE, LIGHT, lights_loop
from kernels.regions.region_tiles import ROOM, tiles_loop
from kernels.regions.structs import Frames, Regions, Rules, Work
from kernels.regions.tile_loops import PLANES
from kernels.regions.valley_loops import TOPS

NUMBERS = ROOM + PLANES + 4 * TOPS  # whole numbers that a tile takes; floats are 4 * ROOM
GATHER, TAKE, PLACE = 8, 9, 10  # steps of `better_step`, beside those of `centred_step`


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


@struct
class Coarse(Struct):
    """Rows of `FEATURE` whose centres may become better."""

    frames: int
    count: int
    owner: I64  # the frame of each row, 0 to `frames` - 1
    state: I64  # of each, as `kernels.regions.initial_guess_loops` has them
    table: F64


@struct
class Step(Struct):
    """What is to be done of `better_step`."""

    kind: int
    few: int  # rows that are looked at in windows
    first: int
    end: int


@loop
def better_step(f: Frames, w: Windows, how: Method, memory: Memory, own: Memory, of: Coarse, s: Step) -> int:
    """One of the steps of `better_loop`, and what comes of it.

    GATHER              the rows whose components are LIGHT, or not wider than twice the weights; returns how many
    BEGIN, LOOK, TURN   of these (`centred_step`)
    TAKE                the rows of which the window tells all; returns how many are left
    PLACE               the centres of the `first` that are left, once their regions have told the rest

    Args:
        memory: what `better_room` says.
        own: of `centred_step`.
    """
    apart, limit = lined_up(of.count), 4.0 * w.sigma * w.sigma
    # Pieces of one memory, each at a line of the cache; `better_loop` cuts the same.
    left, which = at(memory.whole, 0), at(memory.whole, apart)
    frame, heads = at(memory.whole, 2 * apart), at(memory.whole, 3 * apart)
    found, start = at(memory.floats, 0), at(memory.floats, COLUMNS * apart)
    if s.kind == TAKE:
        return int(taken_loop(found, s.few, which, of.state, limit, of.table, left))
    if s.kind == PLACE:
        return int(placed_loop(found, left, s.first, which, limit, of.table))
    if s.kind != GATHER:
        rest = Memory(at(heads, lined_up(of.frames + 2)), at(start, 2 * apart), memory.vectors)
        starts = Starts(frame, s.few, start, 1, found)
        return int(centred_step(f, w, how, rest, own, starts, s.kind, s.first, s.end))
    # Counting sort by frame: heads[k + 1] becomes where the next row of frame k goes.
    for k in range(of.frames + 2):
        heads[k] = 0
    few = 0
    for i in range(of.count):
        a = COLUMNS * i
        if of.state[i] == LIGHT or 0.5 * (of.table[a + 5] + of.table[a + 7]) <= limit:
            heads[of.owner[i] + 2] = heads[of.owner[i] + 2] + 1
            few += 1
    for k in range(of.frames):
        heads[k + 2] = heads[k + 2] + heads[k + 1]
    for i in range(of.count):
        a = COLUMNS * i
        if of.state[i] == LIGHT or 0.5 * (of.table[a + 5] + of.table[a + 7]) <= limit:
            k = heads[of.owner[i] + 1]
            heads[of.owner[i] + 1] = k + 1
            # x of all, then y of all, as windows take their starts.
            which[k], frame[k], start[k], start[few + k] = i, of.owner[i], of.table[a], of.table[a + 1]
        if of.state[i] != LIGHT:
            of.state[i] = ELSEWHERE
    return few


@loop
def better_loop(f: Frames, w: Windows, how: Method, memory: Memory, of: Coarse) -> int:
    """Look at the rows whose components are LIGHT, or not wider than twice the weights, in windows. Those of which the
    window tells all get their rows from there. Returns how many do not: `better_step` PLACE has their centres. Of these
    LIGHT ones become CENTRED or LAST, all others that were not LIGHT ELSEWHERE.

    Args:
        memory: what `better_room` says.
    """
    few = better_step(f, w, how, memory, memory, of, Step(GATHER, 0, 0, 0))
    apart = lined_up(of.count)
    start = near_numbers(few, w.reach, f.height, f.width, NEIGHBOURS) + 3 * few
    # Behind what `better_step` cuts off itself: both must agree.
    own = Memory(at(memory.whole, 3 * apart + lined_up(of.frames + 2) + start),
                 at(memory.floats, (2 + COLUMNS) * apart), memory.vectors)  # fmt: skip
    crowd = better_step(f, w, how, memory, own, of, Step(BEGIN, few, 0, 0))
    better_step(f, w, how, memory, own, of, Step(LOOK, few, 0, few))
    better_step(f, w, how, memory, own, of, Step(TURN, few, crowd, 0))
    return int(better_step(f, w, how, memory, own, of, Step(TAKE, few, 0, 0)))


@loop
def refined_loop(f: Frames, w: Windows, how: Method, memory: Memory, of: Coarse) -> int:
    """Better centres for rows that are measured already."""
    left = better_loop(f, w, how, memory, of)
    better_step(f, w, how, memory, memory, of, Step(PLACE, 0, left, 0))
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
    # Regions whose window will tell all need only a start; what is left goes through tiles.
    if rule.side > 0:
        left = lights_loop(f, of, count, rule.side, rule.nothing)
    if left > 0:
        count = tiles_loop(f, of, rule, t, of.count, of.runs, rule.side, limit)
    tiled = count
    # Rows that were measured elsewhere come last, so that the numbers of tiles' rows stay.
    for n in range(more):
        of.owner[count], of.state[count] = 0, ELSEWHERE
        for c in range(COLUMNS):
            of.rows[COLUMNS * count + c] = parts[COLUMNS * n + c]
        count += 1
    if better == 0:
        return int(count)
    # The windows' frames begin at the batch's own first.
    first = of.base * f.height * f.width
    frames = Frames(at(f.image, first), f.total - first, f.height, f.width, f.sign, f.exact)
    inner = Memory(at(whole, NUMBERS), at(floats, 4 * ROOM), memory.vectors)
    coarse = Coarse(of.frames, count, of.owner, of.state, of.rows)
    left = better_loop(frames, w, how, inner, coarse)
    if left > 0:  # their regions tell
        # Side 0: now no region is left to the windows.
        tiles_loop(f, of, rule, t, tiled, of.runs, 0, limit)
        better_step(frames, w, how, inner, inner, coarse, Step(PLACE, 0, left, 0))
    return int(count)
