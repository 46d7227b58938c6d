"""What windows learn in their first frames, as loops: moments of their noise and means of frames (`Corners.join`) for
all of them, `Corners.solve` and `Corners.redraw` for those that only move (`reference_update_affine_loops` for others).

The order of operations is that of the NumPy code.
"""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, floor, load, loop, splat, store
from pipelines.trackers.registration.noise.aperture_loops import surely
from pipelines.trackers.registration.noise.autocovariance_loops import total
from pipelines.trackers.registration.noise.noise_correlation_loops import FAR, MOMENTS, PLANES, moments_of, ratios_of
from pipelines.trackers.registration.noise.residual_statistics_loops import uneven
from pipelines.trackers.registration.noise.structs import Learnt, NoiseModel, Residuals, Stripes
from pipelines.trackers.registration.reference.structs import Looked, Schedule
from pipelines.trackers.registration.warp.fit_loops import prepare
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows.mean_loops import blend
from pipelines.trackers.registration.windows.plane_loops import slack
from pipelines.trackers.registration.windows.structs import Chosen, Picture, ReferenceSet, Templates, Tiles
from pipelines.trackers.registration.windows.taps import EDGE
from pipelines.trackers.registration.windows.window_loops import window_at

LOOKS = 16  # sightings in which the noise is looked at
SOLVES, ALIKE = 7, 10  # ratios found a frame at most; one is as much work as so many windows' moments
TURN, BEGINS, WAITS = 64, 32, 4  # windows that learn in a frame; that begin to; frames over which all begin
FIRST = 2  # frames since the first one in which, of more than BEGINS windows, none begins to learn
STILL = 0.1  # px at a window's edge by which a window may be deformed that joins the mean
DRAWS = 32  # or a quarter of all, if that is more: references that are drawn anew in a frame


@loop
def its_turn(slot: int, averaged: int, age: int, count: int) -> int:
    """Whether a window of `count` learns in a frame (`Corners.learns`)."""
    # Work is spread evenly over frames: a window's turn comes when frame number plus slot is a multiple of `turns`, so
    # that at most about TURN windows learn in any frame, whatever order they began in.
    turns = (count + TURN - 1) // TURN
    if averaged == 1:
        if count > BEGINS and age <= FIRST:
            return 0
        turns = turns_to_begin(count)
    return 1 if (age + slot) % turns == 0 else 0


@loop
def solves(count: int, looked: int) -> int:
    """For how many of `count` windows the ratio of `noise_correlation` is found in a frame in which the moments of
    `looked` were: the fewer the more of these, so that no frame takes much longer than another."""
    least = 4 if count <= BEGINS else max(2, count // 250)
    return int(max(least, min(SOLVES, 3 + count // 16) - looked // ALIKE))


@loop
def turns_to_begin(count: int) -> int:
    """Frames over which windows join their means for the first time, and are tested for deformation until then."""
    return max((count + TURN - 1) // TURN, min(WAITS, (count + BEGINS - 1) // BEGINS))


@loop
def middle_of(values: F64, count: int) -> float:
    """The median, as NumPy has it. The values are sorted (by Shell's method)."""
    # Shell's method with Knuth's gaps 1, 4, 13, 40 ...: few values, no memory.
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
def unsolved(count: int, looked: int, learnt: Learnt, which: I64) -> int:
    """The windows whose ratios are found in this frame, into `which`; how many. Each is due when it was looked at twice
    as often as at the last time; `solved` is brought up to date."""
    # Selection by repeated search: `most` is a handful.
    chosen, most = 0, solves(count, looked)
    for _ in range(most):
        best, lowest = 0 - 1, 0
        for i in range(count):
            done = max(learnt.solved[i], 0)
            # Due when it was looked at twice as often as when it was solved last, or LOOKS times; never solved ones
            # come first.
            if learnt.looks[i] > done and learnt.looks[i] >= min(2 * done, LOOKS) and (best < 0 or done < lowest):
                best, lowest = i, done
        if best < 0:
            break
        learnt.solved[best] = learnt.looks[best]
        which[chosen] = best
        chosen += 1
    return chosen


@loop
def solve_one(i: int, learnt: Learnt, refs: Templates, model: NoiseModel, planes: F64) -> int:
    """Find what the noise of window i does to its place. `planes`: zeros, as `ratios_of` takes them."""
    few, least, most = model.few, model.least, model.most
    # The offset is a variance that was scaled by this ratio when it was booked: replace the old ratio by the new one
    # rather than book it again.
    before = uneven(learnt.grain[i], learnt.looks[i], few, least, most)
    ratios_of(refs, at(learnt.slot, i), 1, at(learnt.left, i * MOMENTS), at(learnt.grain, i), planes)
    learnt.offset[i] = learnt.offset[i] * (uneven(learnt.grain[i], learnt.looks[i], few, least, most) / before)
    return 0


@loop
def share(count: int, learnt: Learnt, model: NoiseModel, work: F64) -> int:
    """Windows whose noise was never looked into have the median of the others. `work`: `count` values."""
    few, least, most = model.few, model.least, model.most
    known, others = 0, 0
    for i in range(count):
        if learnt.solved[i] > 0:
            work[known] = learnt.grain[i]
            known += 1
        elif learnt.solved[i] == 0:
            others += 1
    if others > 0:
        median = middle_of(work, known)
        for i in range(count):
            if learnt.solved[i] == 0:
                before = uneven(learnt.grain[i], learnt.looks[i], few, least, most)
                learnt.grain[i] = median
                learnt.offset[i] = learnt.offset[i] * (uneven(median, learnt.looks[i], few, least, most) / before)
    return 0


@loop
def solve(
    count: int, looked: int, learnt: Learnt, refs: Templates, model: NoiseModel, planes: F64, which: I64, work: F64
) -> int:
    """`Corners.solve` of windows that only move.

    Args:
        looked: how many were looked at in this frame.
        planes: zeros, as `ratios_of` takes them. which: room for `count`. work: `count` values.
    """
    chosen = unsolved(count, looked, learnt, which)
    for n in range(chosen):
        solve_one(which[n], learnt, refs, model, planes)
    if chosen > 0:
        share(count, learnt, model, work)
    return 0


@loop
def joins(most: int, age: int, count: int, slot: int, averaged: int, closed: int) -> int:
    """Whether a window of `count` joins its mean of fewer than `most` frames in this one (`Corners.learn`)."""
    return 1 if averaged < most and closed == 0 and its_turn(slot, averaged, age, count) > 0 else 0


@loop
def sound(picture: Picture, schedule: Schedule, x: F64, y: F64, learnt: Learnt, tiles: Tiles, work: F64) -> int:
    """Whether every pixel that `look_and_join` will look at is a number."""
    half = tiles.size // 2 + 3
    for i in range(schedule.count):
        if joins(
            schedule.most, schedule.age, schedule.count, learnt.slot[i], learnt.averaged[i], learnt.closed[i]
        ) > 0 or (learnt.looks[i] < LOOKS and its_turn(learnt.slot[i], 0, schedule.age, schedule.count) > 0):
            left, top = int(floor(x[i])) - half, int(floor(y[i])) - half
            right, bottom = min(left + tiles.across + 8, picture.width), min(top + tiles.size + 7, picture.height)
            left, top = max(left, 0), max(top, 0)
            # 0 * x is 0 for every number and NaN for infinities and NaN: summed up, one comparison a window says
            # whether all of its pixels can be computed with.
            nothing = splat(0.0)
            for r in range(top, bottom):
                for c in range(left, right - 7, 8):
                    nothing += load(picture.image, r * picture.width + c) * 0.0
                for c in range(right - (right - left) % 8, right):
                    nothing += float(picture.image[r * picture.width + c]) * 0.0
            store(work, 0, nothing)
            whole = 1 if total(work) == 0.0 else 0
            if whole == 0:
                return 0
    return 1


@loop
def look_and_join(
    picture: Picture, schedule: Schedule, chosen: Chosen, fits: Fit, deformed: F64, learnt: Learnt,
    anchors: ReferenceSet, looked: Looked, work: F64,
) -> int:  # fmt: skip
    """`residual_statistics_loops.look` at those of some windows whose turn it is, and `Corners.join`, but for the
    number `averaged`: what is seen of a window is cut out once for both. How many were looked at.

    Args:
        fits: of all windows.
        deformed: their deformations, 8 values each of which the first four count; anything where p is 2.
        looked: filled for these windows.
        work: as for `look`, a tile more and room for it.
    """
    refs, tiles = anchors.refs, anchors.tiles
    w, pitch = refs.w, refs.pitch
    planes = PLANES + 2 * (w + FAR + 1) * (pitch + 8)
    mine, seen, tile = at(work, planes), at(work, planes + 16), at(work, planes + 16 + w * pitch)
    free = at(work, planes + 16 + w * pitch + tiles.size * tiles.across)
    for k in range(0, planes, 8):
        store(work, k, splat(0.0))
    half = float(w // 2)
    new = 0
    for n in range(chosen.count):
        i = chosen.which[n]
        # `join` of the general code and `look` cut the same window: here it is cut once, and the smaller one is its
        # middle.
        looked.joined[n] = joins(
            schedule.most, schedule.age, schedule.count, learnt.slot[i], learnt.averaged[i], learnt.closed[i]
        )
        if looked.joined[n] > 0 and refs.p > 2:  # the mean is of windows as they lay in the first frame
            free[0], free[1], free[2], free[3] = 1.0, 0.0, 0.0, 1.0
            if not (slack(at(deformed, 8 * i), free, half, at(free, 8)) < STILL):
                learnt.closed[i] = 1
                looked.joined[n] = 0
        young = learnt.looks[i] < LOOKS and its_turn(learnt.slot[i], 0, schedule.age, schedule.count) > 0
        looked.fresh[n] = 0 - 1
        if looked.joined[n] > 0:
            window_at(picture, fits.x[i], fits.y[i], tiles.size, tiles.across, tile, free)
            for r in range(w):
                for c in range(0, pitch, 8):
                    store(seen, r * pitch + c, load(tile, (r + EDGE) * tiles.across + c + EDGE))
            # The first pixel of the tile's middle: `edge` rows and columns in.
            blend(at(tiles.values, (learnt.slot[i] * tiles.side + tiles.edge) * tiles.stride + tiles.edge), tile,
                  float(learnt.averaged[i] + 1), tiles.size, tiles.across, tiles.stride, tiles.middle,
                  free)  # fmt: skip
        elif young:
            window_at(picture, fits.x[i], fits.y[i], w, pitch, seen, free)
        if young:
            moments_of(
                refs,
                Residuals(at(learnt.slot, i), 1, at(learnt.averaged, i), at(fits.phase, i), at(fits.rest, i), seen),
                mine,
                at(looked.gains, new),
                work,
            )
            looked.fresh[n] = new
            new += 1
            # Running means of the moments.
            learnt.looks[i] = learnt.looks[i] + 1
            for k in range(MOMENTS):
                learnt.left[i * MOMENTS + k] = learnt.left[i * MOMENTS + k] + (
                    mine[k] - learnt.left[i * MOMENTS + k]
                ) / float(learnt.looks[i])
    return new


@loop
def below(count: int) -> int:
    """The largest power of two not above."""
    power = 1
    while 2 * power <= count:
        power = 2 * power
    return power


@loop
def outdated(count: int, learnt: Learnt, which: I64) -> int:
    """The windows whose references are drawn anew in this frame (`Corners.redraw`), into `which`, those of the fewest
    frames first; how many. `counted` is brought up to date."""
    limit = max(DRAWS, count // 4)
    taken, last = 0, 0 - 1
    # Levels of `counted` from the lowest on: the order of a stable sort, without memory for one.
    while taken < limit:
        level = 0 - 1
        for i in range(count):
            if (
                learnt.counted[i] > last
                and below(learnt.averaged[i]) > learnt.counted[i]
                and (level < 0 or learnt.counted[i] < level)
            ):
                level = learnt.counted[i]
        if level < 0:
            break
        for i in range(count):
            if taken < limit and learnt.counted[i] == level and below(learnt.averaged[i]) > level:
                which[taken] = i
                taken += 1
        last = level
    for n in range(taken):
        learnt.counted[which[n]] = learnt.averaged[which[n]]
    return taken


@loop
def redraw(count: int, learnt: Learnt, anchors: ReferenceSet, stripes: Stripes, doubtful: I64, work: F64) -> int:
    """`Corners.redraw` of windows that only move.

    Args:
        doubtful: gets windows that may be of stripes: to be drawn with NumPy once more. How many is returned.
    """
    refs, tiles = anchors.refs, anchors.tiles
    doubts, due = 0, outdated(count, learnt, doubtful)
    for n in range(due):
        i = doubtful[n]
        tile = at(tiles.values, (learnt.slot[i] * tiles.side + tiles.edge) * tiles.stride + tiles.edge)
        prepare(tile, 1, at(learnt.slot, i), tiles.stride, refs, work)
        if stripes.share > 0.0:
            good = surely(tile, tiles.stride, learnt.slot[i], at(learnt.slot, i), refs, stripes, work)
            if good == 0:
                doubtful[doubts] = i
                doubts += 1
    return doubts
