"""What windows that only move learn from a frame, as loops: `Corners.solve`, `join` and `redraw`, in their order."""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, PIXELS, at, loop
from pipelines.trackers.patches.fit_loops import prepare
from pipelines.trackers.patches.grain_loops import MOMENTS, ratios_of
from pipelines.trackers.patches.look_loops import uneven
from pipelines.trackers.patches.mean_loops import blend
from pipelines.trackers.patches.stripe_loops import surely
from pipelines.trackers.patches.window_loops import window_at

LOOKS = 16  # sightings in which the noise is looked at
SOLVES = 4  # windows a frame whose noise is looked into: with fewer, sigma is not true for long
TURN, BEGINS, WAITS = 256, 32, 4  # windows that learn in a frame if they are many; that begin to; frames for that
DRAWS = 32  # or a quarter of them, if that is more: windows a frame whose references are made anew


@loop
def its_turn(slot: int, averaged: int, age: int, count: int) -> int:
    """Whether a window of `count` learns in a frame (`Corners.learns`)."""
    turns = (count + TURN - 1) // TURN
    if averaged == 1:
        turns = max(turns, min(WAITS, (count + BEGINS - 1) // BEGINS))
    return 1 if (age + slot) % turns == 0 else 0


@loop
def middle_of(values: F64, count: int) -> float:
    """The median, as NumPy has it. The values are sorted (by Shell's method)."""
    gap = 1
    while 3 * gap + 1 < count:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            one = values[i]
            j = i
            while j >= gap and values[j - gap] > one:
                values[j] = values[j - gap]
                j -= gap
            values[j] = one
        gap = gap // 3
    half = count // 2
    if count % 2 == 1:
        return float(values[half])
    return float((values[half - 1] + values[half]) / 2.0)


@loop
def solve(count: int, slot: I64, looks: I32, solved: I32, grain: F64, offset: F64, left: F64, pixels: F64,
          jacobian: F64, inverse: F64, w: int, pitch: int, mask: F64, how: F64, planes: F64,
          work: F64) -> int:  # fmt: skip
    """`Corners.solve` of windows that only move.

    Args:
        how: as for `look_loops.weigh`.
        planes: as `ratios_of` takes them. work: `count` values.
    """
    few, least, most = int(how[3]), how[4], how[5]
    chosen = 0
    for _ in range(SOLVES):
        best, lowest = 0 - 1, 0
        for i in range(count):
            done = max(solved[i], 0)
            if looks[i] > done and looks[i] >= min(2 * done, LOOKS) and (best < 0 or done < lowest):
                best, lowest = i, done
        if best < 0:
            break
        before = uneven(grain[best], looks[best], few, least, most)
        ratios_of(pixels, jacobian, inverse, at(slot, best), 1, w, pitch, 2, mask, at(left, best * MOMENTS),
                  at(grain, best), planes)  # fmt: skip
        solved[best] = looks[best]
        offset[best] = offset[best] * (uneven(grain[best], looks[best], few, least, most) / before)
        chosen += 1
    if chosen == 0:
        return 0
    known, others = 0, 0
    for i in range(count):
        if solved[i] > 0:
            work[known] = grain[i]
            known += 1
        elif solved[i] == 0 and looks[i] > 0:
            others += 1
    if others > 0:
        median = middle_of(work, known)
        for i in range(count):
            if solved[i] == 0 and looks[i] > 0:
                before = uneven(grain[i], looks[i], few, least, most)
                grain[i] = median
                offset[i] = offset[i] * (uneven(median, looks[i], few, least, most) / before)
    return 0


@loop
def join_all(image: PIXELS, height: int, width: int, count: int, most: int, age: int, x: F64, y: F64, slot: I64,
             averaged: I64, closed: I32, tiles: F64, side: int, stride: int, edge: int, size: int, columns: int,
             mask: F64, table: F64, work: F64) -> int:  # fmt: skip
    """Add what is at (x, y) to those means that are of fewer than `most` frames (`Corners.join`)."""
    room = at(work, size * columns)
    for i in range(count):
        if averaged[i] < most and closed[i] == 0 and its_turn(slot[i], averaged[i], age, count) > 0:
            averaged[i] = averaged[i] + 1
            window_at(image, height, width, x[i], y[i], size, columns, table, work, room)
            blend(at(tiles, (slot[i] * side + edge) * stride + edge), work, float(averaged[i]), size, columns, stride,
                  mask, room)  # fmt: skip
    return 0


@loop
def below(count: int) -> int:
    """The largest power of two not above."""
    power = 1
    while 2 * power <= count:
        power = 2 * power
    return power


@loop
def redraw(count: int, striped: int, slot: I64, averaged: I64, counted: I64, tiles: F64, side: int, stride: int,
           edge: int, w: int, pitch: int, mask: F64, lever: F64, pixels: F64, norm: F64, jacobian: F64, inverse: F64,
           textured: I64, stripes: F64, doubtful: I64, work: F64) -> int:  # fmt: skip
    """`Corners.redraw` of windows that only move.

    Args:
        striped: whether windows may be of stripes.
        doubtful: gets those that may be: to be drawn with NumPy once more. How many is returned.
    """
    limit = max(DRAWS, count // 4)
    taken, doubts, last = 0, 0, 0 - 1
    while taken < limit:
        level = 0 - 1
        for i in range(count):
            if counted[i] > last and below(averaged[i]) > counted[i] and (level < 0 or counted[i] < level):
                level = counted[i]
        if level < 0:
            break
        for i in range(count):
            if taken < limit and counted[i] == level and below(averaged[i]) > level:
                tile = at(tiles, (slot[i] * side + edge) * stride + edge)
                prepare(tile, 1, at(slot, i), w, pitch, stride, 2, mask, lever, pixels, norm, jacobian, inverse,
                        textured, work)  # fmt: skip
                if striped > 0:
                    good = surely(tile, stride, slot[i], at(slot, i), w, pitch, 2, jacobian, textured, stripes, work)
                    if good == 0:
                        doubtful[doubts] = i
                        doubts += 1
                counted[i] = averaged[i]
                taken += 1
        last = level
    return doubts
