"""What windows learn from a frame, as loops: looks at their noise and means (`Corners.join`) of all, `Corners.solve`
and `redraw` of those that only move (of the others: `turned_young_loops`), in their order."""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, PIXELS, at, eight, floor, loop, put, vec
from pipelines.trackers.patches.fit_loops import prepare
from pipelines.trackers.patches.grain_loops import FAR, MOMENTS, PLANES, moments_of, ratios_of
from pipelines.trackers.patches.look_loops import uneven
from pipelines.trackers.patches.mean_loops import blend
from pipelines.trackers.patches.noise_loops import total
from pipelines.trackers.patches.plane_loops import slack
from pipelines.trackers.patches.stripe_loops import surely
from pipelines.trackers.patches.taps import EDGE
from pipelines.trackers.patches.window_loops import window_at

LOOKS = 16  # sightings in which the noise is looked at
SOLVES, ALIKE = 7, 10  # windows a frame at most whose noise is looked into; that is as much work as to look at so many
TURN, BEGINS, WAITS = 64, 32, 4  # windows that learn in a frame if they are many; that begin to; frames for that
FIRST = 2  # the age at which the windows of the first frame are seen again: of many nobody begins to learn then
STILL = 0.1  # px at a window's edge by which a window may be deformed that joins the mean
DRAWS = 32  # or a quarter of them, if that is more: windows a frame whose references are made anew


@loop
def its_turn(slot: int, averaged: int, age: int, count: int) -> int:
    """Whether a window of `count` learns in a frame (`Corners.learns`)."""
    turns = (count + TURN - 1) // TURN
    if averaged == 1:
        if count > BEGINS and age <= FIRST:
            return 0
        turns = turns_to_begin(count)
    return 1 if (age + slot) % turns == 0 else 0


@loop
def solves(count: int, looked: int) -> int:
    """How many of `count` windows' noise is looked into in a frame in which so many were looked at: fewer while there
    is other work, so that no frame takes much longer; all the more when that is done."""
    least = 4 if count <= BEGINS else max(2, count // 250)
    return int(max(least, min(SOLVES, 3 + count // 16) - looked // ALIKE))


@loop
def turns_to_begin(count: int) -> int:
    """In how many turns windows join their means for the first time, and are asked whether they bend until then."""
    return max((count + TURN - 1) // TURN, min(WAITS, (count + BEGINS - 1) // BEGINS))


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
def unsolved(count: int, looked: int, looks: I32, solved: I32, which: I64) -> int:
    """The windows whose noise is looked into in this frame, into `which`; how many. `solved` says then that it is."""
    chosen, most = 0, solves(count, looked)
    for _ in range(most):
        best, lowest = 0 - 1, 0
        for i in range(count):
            done = max(solved[i], 0)
            if looks[i] > done and looks[i] >= min(2 * done, LOOKS) and (best < 0 or done < lowest):
                best, lowest = i, done
        if best < 0:
            break
        solved[best] = looks[best]
        which[chosen] = best
        chosen += 1
    return chosen


@loop
def solve_one(i: int, p: int, slot: I64, looks: I32, grain: F64, offset: F64, left: F64, pixels: F64, jacobian: F64,
              inverse: F64, w: int, pitch: int, mask: F64, how: F64, planes: F64) -> int:  # fmt: skip
    """Say of a window of p parameters what its noise does to its place. `how`, `planes`: as for `solve`."""
    few, least, most = int(how[3]), how[4], how[5]
    before = uneven(grain[i], looks[i], few, least, most)
    ratios_of(pixels, jacobian, inverse, at(slot, i), 1, w, pitch, p, mask, at(left, i * MOMENTS), at(grain, i),
              planes)  # fmt: skip
    offset[i] = offset[i] * (uneven(grain[i], looks[i], few, least, most) / before)
    return 0


@loop
def share(count: int, looks: I32, solved: I32, grain: F64, offset: F64, how: F64, work: F64) -> int:
    """Windows of which nobody asked have the median of the others. `how`: as for `look_loops.weigh`; work: `count`."""
    few, least, most = int(how[3]), how[4], how[5]
    known, others = 0, 0
    for i in range(count):
        if solved[i] > 0:
            work[known] = grain[i]
            known += 1
        elif solved[i] == 0:
            others += 1
    if others > 0:
        median = middle_of(work, known)
        for i in range(count):
            if solved[i] == 0:
                before = uneven(grain[i], looks[i], few, least, most)
                grain[i] = median
                offset[i] = offset[i] * (uneven(median, looks[i], few, least, most) / before)
    return 0


@loop
def solve(count: int, looked: int, slot: I64, looks: I32, solved: I32, grain: F64, offset: F64, left: F64,
          pixels: F64, jacobian: F64, inverse: F64, w: int, pitch: int, mask: F64, how: F64, planes: F64, which: I64,
          work: F64) -> int:  # fmt: skip
    """`Corners.solve` of windows that only move.

    Args:
        looked: how many were looked at in this frame.
        how: as for `look_loops.weigh`.
        planes: as `ratios_of` takes them. which: room for `count`. work: `count` values.
    """
    chosen = unsolved(count, looked, looks, solved, which)
    for n in range(chosen):
        solve_one(which[n], 2, slot, looks, grain, offset, left, pixels, jacobian, inverse, w, pitch, mask, how,
                  planes)  # fmt: skip
    if chosen > 0:
        share(count, looks, solved, grain, offset, how, work)
    return 0


@loop
def joins(most: int, age: int, count: int, slot: int, averaged: int, closed: int) -> int:
    """Whether a window of `count` joins its mean of fewer than `most` frames in this one (`Corners.learn`)."""
    return 1 if averaged < most and closed == 0 and its_turn(slot, averaged, age, count) > 0 else 0


@loop
def sound(image: PIXELS, height: int, width: int, count: int, most: int, age: int, x: F64, y: F64, slot: I64,
          averaged: I64, closed: I32, looks: I32, size: int, columns: int, work: F64) -> int:  # fmt: skip
    """Whether all is numbers that `look_and_join` will look at."""
    half = size // 2 + 3
    for i in range(count):
        if joins(most, age, count, slot[i], averaged[i], closed[i]) > 0 or (
                looks[i] < LOOKS and its_turn(slot[i], 0, age, count) > 0):  # fmt: skip
            left, top = int(floor(x[i])) - half, int(floor(y[i])) - half
            right, bottom = min(left + columns + 8, width), min(top + size + 7, height)
            left, top = max(left, 0), max(top, 0)
            nothing = eight(0.0)
            for r in range(top, bottom):
                for c in range(left, right - 7, 8):
                    nothing += vec(image, r * width + c) * 0.0
                for c in range(right - (right - left) % 8, right):
                    nothing += float(image[r * width + c]) * 0.0
            put(work, 0, nothing)
            whole = 1 if total(work) == 0.0 else 0
            if whole == 0:
                return 0
    return 1


@loop
def look_and_join(image: PIXELS, height: int, width: int, all_: int, which: I64, count: int, p: int, most: int,
                  age: int, w: int, pitch: int, side: int, stride: int, edge: int, size: int, columns: int, room: int,
                  found: F64, next_: F64, slot: I64, averaged: I64, closed: I32, looks: I32, left: F64, fresh: I64,
                  gains: F64, joined: I64, pixels: F64, norm: F64, jacobian: F64, inverse: F64, mask: F64, middle: F64,
                  table: F64, tiles: F64, work: F64) -> int:  # fmt: skip
    """`look_loops.look` at those of the windows `which` of p parameters whose turn it is, and `Corners.join`, but for
    the number `averaged`: what is seen of a window is cut out once for both. How many were looked at.

    Args:
        all_: how many windows there are in all.
        found: as for `steady_loops.seek`; next_: as `turned_loops.seek_turned` gives it, anything for p = 2.
        fresh, joined: room for `count`: the place of each among those looked at, -1 of the others, and who joined;
            gains: of those looked at.
        work: as for `look`, a tile more and room for it.
    """
    planes = PLANES + 2 * (w + FAR + 1) * (pitch + 8)
    mine, seen, tile = at(work, planes), at(work, planes + 16), at(work, planes + 16 + w * pitch)
    free = at(work, planes + 16 + w * pitch + size * columns)
    x, y, phase, rest = at(found, 0), at(found, room), at(found, 3 * room), at(found, 4 * room)
    for k in range(0, planes, 8):
        put(work, k, eight(0.0))
    half = float(w // 2)
    new = 0
    for n in range(count):
        i = which[n]
        joined[n] = joins(most, age, all_, slot[i], averaged[i], closed[i])
        if joined[n] > 0 and p > 2:  # the mean is of windows as they lay in the first frame
            free[0], free[1], free[2], free[3] = 1.0, 0.0, 0.0, 1.0
            if not (slack(at(next_, 8 * i), free, half, at(free, 8)) < STILL):
                closed[i] = 1
                joined[n] = 0
        looked = looks[i] < LOOKS and its_turn(slot[i], 0, age, all_) > 0
        fresh[n] = 0 - 1
        if joined[n] > 0:
            window_at(image, height, width, x[i], y[i], size, columns, table, tile, free)
            for r in range(w):
                for c in range(0, pitch, 8):
                    put(seen, r * pitch + c, vec(tile, (r + EDGE) * columns + c + EDGE))
            blend(at(tiles, (slot[i] * side + edge) * stride + edge), tile, float(averaged[i] + 1), size, columns,
                  stride, middle, free)  # fmt: skip
        elif looked:
            window_at(image, height, width, x[i], y[i], w, pitch, table, seen, free)
        if looked:
            moments_of(pixels, norm, jacobian, inverse, at(slot, i), 1, at(averaged, i), at(phase, i), at(rest, i),
                       seen, w, pitch, p, mask, mine, at(gains, new), work)  # fmt: skip
            fresh[n] = new
            new += 1
            looks[i] = looks[i] + 1
            for k in range(MOMENTS):
                left[i * MOMENTS + k] = left[i * MOMENTS + k] + (mine[k] - left[i * MOMENTS + k]) / float(looks[i])
    return new


@loop
def below(count: int) -> int:
    """The largest power of two not above."""
    power = 1
    while 2 * power <= count:
        power = 2 * power
    return power


@loop
def outdated(count: int, averaged: I64, counted: I64, which: I64) -> int:
    """The windows whose references are made anew in this frame (`Corners.redraw`), into `which`; how many. `counted`
    says then that they are."""
    limit = max(DRAWS, count // 4)
    taken, last = 0, 0 - 1
    while taken < limit:
        level = 0 - 1
        for i in range(count):
            if counted[i] > last and below(averaged[i]) > counted[i] and (level < 0 or counted[i] < level):
                level = counted[i]
        if level < 0:
            break
        for i in range(count):
            if taken < limit and counted[i] == level and below(averaged[i]) > level:
                which[taken] = i
                taken += 1
        last = level
    for n in range(taken):
        counted[which[n]] = averaged[which[n]]
    return taken


@loop
def redraw(count: int, striped: int, slot: I64, averaged: I64, counted: I64, tiles: F64, side: int, stride: int,
           edge: int, w: int, pitch: int, mask: F64, lever: F64, pixels: F64, norm: F64, jacobian: F64, inverse: F64,
           textured: I64, stripes: F64, doubtful: I64, work: F64) -> int:  # fmt: skip
    """`Corners.redraw` of windows that only move.

    Args:
        striped: whether windows may be of stripes.
        doubtful: gets those that may be: to be drawn with NumPy once more. How many is returned.
    """
    doubts, due = 0, outdated(count, averaged, counted, doubtful)
    for n in range(due):
        i = doubtful[n]
        tile = at(tiles, (slot[i] * side + edge) * stride + edge)
        prepare(tile, 1, at(slot, i), w, pitch, stride, 2, mask, lever, pixels, norm, jacobian, inverse, textured,
                work)  # fmt: skip
        if striped > 0:
            good = surely(tile, stride, slot[i], at(slot, i), w, pitch, 2, jacobian, textured, stripes, work)
            if good == 0:
                doubtful[doubts] = i
                doubts += 1
    return doubts
