"""What windows learn in a frame (`registration.response.learning`), as loops: whose turn it is, means, and what becomes
of them."""

from __future__ import annotations

from kernels.loops.language import F64, I32, I64, at, loop, rint, splat, sqrt, store
from pipelines.trackers.registration.noise.autocovariance_loops import MIDDLE, SIDE, noise_seen
from pipelines.trackers.registration.reference.reference_update_translation_loops import middle_of
from pipelines.trackers.registration.response.reference_residual_loops import hidden_of
from pipelines.trackers.registration.response.response_estimate_loops import GRAM
from pipelines.trackers.registration.response.response_loops import (
    ANCHOR_X,
    ANCHOR_Y,
    CONSTANTS,
    COUNT,
    NEAR,
    OUT,
    OUT_PART,
    OUT_REASON,
    OUT_X,
    OUT_Y,
    PIXEL,
    SHARE,
    SPREAD,
    STATE,
    VARIANCE,
    X,
    Y,
    follow,
    inside,
)  # fmt: skip
from pipelines.trackers.registration.windows.mean_loops import join_tiles
from pipelines.trackers.registration.windows.structs import (
    PATTERNS,
    Batch,
    Blocks,
    Chosen,
    Frame,
    Means,
    Picture,
    Subset,
    Tiles,
)

# Scratch memory of `settle`: a state, steps, a row, what was seen; then that of `follow` (`response.work_of`).
STEP, ROW, SHOWN, FOLLOWING = 16, 24, 40, 64


@loop
def normal_of(covariance: F64) -> int:
    """As `reference_noise.normal`, in place."""
    middle = covariance[MIDDLE]
    for k in range(SIDE * SIDE):
        covariance[k] = covariance[k] / middle if middle > 0.0 else 0.0
    covariance[MIDDLE] = 1.0
    return 0


@loop
def fresh_of(count: int, most: int, height: int, width: int, half: int, noise: F64, states: F64, which: I64) -> int:
    """The first windows, inside the picture, of which the noise is not known and was seen, `most` at most; how many
    they are. half: of a window, px."""
    number = 0
    for i in range(count):
        state = at(states, i * STATE)
        x, y = int(rint(state[X]) + state[ANCHOR_X]), int(rint(state[Y]) + state[ANCHOR_Y])
        there = inside(x, y, half, height, width)
        # A window is fresh that was seen (PIXEL) and of which nothing was calibrated.
        if noise[i] == 0.0 and state[PIXEL] > 0.0 and there == 1 and number < most:
            which[number] = i
            number += 1
    return int(number)


@loop
def due_of(count: int, most: int, averaged: I32, bent: I64, noise: F64, states: F64) -> int:
    """Whether there is something to be learnt of a window."""
    due = 0
    for i in range(count):
        if averaged[i] < most or noise[i] == 0.0 or bent[i] == 0:
            due = 1
        if most > 1 and states[i * STATE + SHARE] == 1.0:  # its mean is not its reference yet
            due = 1
    return int(due)


@loop
def grain_of(f: Frame, t: Means, which: I64, number: int, turn: int, seers: int, grain: F64, numbers: I64,
             work: F64) -> int:  # fmt: skip
    """How noise is correlated in a frame, (SIDE, SIDE), from what `seers` of the windows `which` see together, in
    turn, if they are more.

    Args:
        numbers: 3 seers values. work: seers SIDE^2 values, and what `noise_seen` needs.
    """
    few = min(number, seers)
    some, x, y = at(numbers, 0), at(numbers, seers), at(numbers, 2 * seers)
    for n in range(few):
        # Seers take turns, so that all windows show the noise by and by.
        some[n] = which[(turn * seers + n) % number]
        state = at(t.states, some[n] * STATE)
        x[n] = int(rint(state[X]) + state[ANCHOR_X])
        y[n] = int(rint(state[Y]) + state[ANCHOR_Y])
    noise_seen(Picture(f.images, f.height, f.width, t.table), Chosen(some, few), x, y, t.reference,
               Blocks(t.window, t.blocks, t.margin, t.mask), work, at(work, seers * SIDE * SIDE))  # fmt: skip
    for k in range(SIDE * SIDE):
        grain[k] = 0.0
    for n in range(few):
        # Normalised to 1 at no shift first, so that each window counts alike.
        one = at(work, n * SIDE * SIDE)
        normal_of(one)
        for k in range(SIDE * SIDE):
            grain[k] = grain[k] + one[k]
    for k in range(SIDE * SIDE):
        grain[k] = grain[k] / float(few)
    return 0


@loop
def noise_of(t: Means, which: I64, number: int, one: F64, slopes: F64, area: float, out: F64, work: F64) -> int:
    """The variance of a pixel's noise, from what first answers of the windows `which` leave, whose noise is correlated
    as `one`, (SIDE, SIDE), and of whose constants no noise is taken off.

    Args:
        slopes: `reference_noise.tables`. area: pixels of a window.
        grain: (all, SIDE, SIDE), set.
        out: (6, number), of which the first row is filled with it; then scratch memory: how much of it a frame has and
            hides, as `response.left_by`; the power of the light; what was seen; what is sorted.
        work: LOOKS + 2 values.
    """
    left, own, hidden, light = at(out, 0), at(out, number), at(out, 2 * number), at(out, 3 * number)
    seen, ordered = at(out, 4 * number), at(out, 5 * number)
    for n in range(number):
        i = which[n]
        state, constant, mine = at(t.states, i * STATE), at(t.constants, i * CONSTANTS), at(t.grain, i * SIDE * SIDE)
        for k in range(SIDE * SIDE):
            mine[k] = one[k]
        # How far the window was from the whole pixel at which it was looked at.
        for k in range(2):
            work[k] = state[X + k]
            if abs(work[k]) > NEAR:
                work[k] = work[k] - rint(work[k])
        hidden_of(constant, mine, slopes, 1, area, work, at(own, n), at(hidden, n), at(work, 2))
        # The reference was another frame: what was left is of both, twice a pixel's.
        seen[n], light[n] = 2.0 * state[PIXEL], constant[GRAM] / area
        # Of the reference's noise a part was not seen, for the patterns have it, too: by now it is known which.
        own[n] = own[n] + 1.0
        left[n] = seen[n]
    usual = 0.0
    # The median noise corrects the light, which corrects the noise: two rounds.
    for _ in range(2):
        for n in range(number):
            # left = own v - hidden v^2, solved for v by the form 2 c / (b + sqrt(b^2 - 4 a c)), which does not cancel
            # for small `hidden`; below 0 it is the vertex.
            apart = own[n] * own[n] - 4.0 * hidden[n] * left[n]
            ordered[n] = 2.0 * left[n] / (own[n] + sqrt(max(apart, 0.0)))
        usual = middle_of(ordered, number)
        # The light seemed fainter than it is, by the noise of the reference: `book` divides by that gain.
        for n in range(number):
            gain = max(1.0 - usual / light[n], 0.5)
            left[n] = seen[n] * gain * (1.0 + gain) / 2.0
    for n in range(number):
        left[n] = left[n] / (own[n] - min(hidden[n] * usual, 1.0))
    return 0


@loop
def chosen(count: int, most: int, joins: int, averaged: I32, rows: F64, which: I64, levels: I64) -> int:
    """Windows, inside the picture, that join their means, those first that are of the fewest frames, by their numbers;
    how many they are.

    Args:
        rows: (count, OUT) of the frame. which: (count,), filled. levels: most + 1 values.
    """
    for k in range(most + 1):
        levels[k] = 0
    for i in range(count):
        if averaged[i] < most and rows[i * OUT + OUT_REASON] + rows[i * OUT + OUT_PART] == 0.0:
            levels[averaged[i]] = levels[averaged[i]] + 1
    # A counting selection: whole levels (numbers of frames in the mean) from the lowest on, as long as they fit into
    # `joins`; of the last level the first by number.
    level, left = 0, joins
    while level < most and levels[level] <= left:
        left -= levels[level]
        level += 1
    number = 0
    for i in range(count):
        if averaged[i] < most and rows[i * OUT + OUT_REASON] + rows[i * OUT + OUT_PART] == 0.0:
            taken = 1 if averaged[i] < level else 0
            if averaged[i] == level and left > 0:
                left -= 1
                taken = 1
            if taken == 1:
                which[number] = i
                number += 1
    return number


@loop
def join_due(f: Frame, t: Means, joins: int, seers: int, rows: F64, given: int, grain: F64, numbers: I64,
             work: F64) -> int:  # fmt: skip
    """Add a frame to means that are not complete; how many.

    Args:
        joins: of so many at most.
        seers: so many show how the frame's noise is correlated, in turn, if they are more.
        rows: (count, OUT); states: (count, STATE) after the frame.
        mask: as `response.masks`. across, line: a tile's side rounded up to eights, 1 for the pixels of its rows.
        averaged: (count,), frames in the means, counted on.
        given: 1 where it is known how the noise is correlated: grain, (SIDE, SIDE), else filled.
        reference: (count, size, size). seen: (count, SIDE, SIDE), added to. tiles: the means, changed.
        numbers: count values, and so many, most + 1 or 3 seers.
        work: 2 count + seers SIDE^2 values, and room for `noise_seen` and `join_tiles`.
    """
    which, frames = at(numbers, 0), at(numbers, t.count)
    number = chosen(t.count, t.most, joins, t.averaged, rows, which, frames)
    if number == 0:
        return 0
    if given == 0:
        grain_of(f, t, which, number, t.averaged[which[0]], seers, grain, frames, work)
    x, y = at(work, 0), at(work, t.count)
    for n in range(number):
        i = which[n]
        state, row, mine = at(t.states, i * STATE), at(rows, i * OUT), at(t.seen, i * SIDE * SIDE)
        for k in range(SIDE * SIDE):
            mine[k] = mine[k] + grain[k]
        t.averaged[i] = t.averaged[i] + 1
        frames[n] = t.averaged[i]
        x[n], y[n] = state[ANCHOR_X] + row[OUT_X], state[ANCHOR_Y] + row[OUT_Y]
    tiles = Tiles(t.tiles, t.size, t.size, 0, t.size, t.across, t.line, t.table)
    join_tiles(Picture(f.images, f.height, f.width, t.table), which, number, x, y, frames, tiles,
               at(work, 2 * t.count))  # fmt: skip
    return int(number)


@loop
def ripe(count: int, most: int, share: int, averaged: I32, bent: I64, noise: F64, states: F64, which: I64) -> int:
    """Windows whose turn it is to be calibrated: those whose means are complete, of these first those whose bend is not
    measured yet; then others whose bend is not. How many of the first kind; of the second are which[count].

    Args:
        share: of so many at most. which: count + 1 values, filled.
    """
    done, others = 0, 0
    # Those that were never bent first, then those whose bend is of the old reference.
    for turn in range(2):
        for i in range(count):
            waits = 1 if averaged[i] >= most and states[i * STATE + SHARE] == 1.0 and most > 1 else 0
            if waits == 1 and bent[i] == turn and done < share:
                which[done] = i
                done += 1
    for i in range(count):
        if done + others < share and bent[i] == 0 and noise[i] > 0.0:
            twice = 0
            for n in range(done):
                if which[n] == i:
                    twice = 1
            if twice == 0:
                which[done + others] = i
                others += 1
    which[count] = others
    return done


@loop
def renew(t: Means, which: I64, number: int, first: F64, spread: F64) -> int:
    """Means take the place of the references of the windows `which`, whose bend is to be measured.

    Args:
        first: (number, size, size), filled with what the references were. spread: (number,), with what SPREAD was.
    """
    for n in range(number):
        i = which[n]
        state, old, kept = at(t.states, i * STATE), at(t.reference, i * t.size * t.size), at(first, n * t.size * t.size)
        new, own, frames = at(t.tiles, i * t.size * t.size), at(t.grain, i * SIDE * SIDE), float(t.averaged[i])
        for k in range(t.size * t.size):
            kept[k] = old[k]
            old[k] = new[k]
        for k in range(SIDE * SIDE):
            own[k] = t.seen[i * SIDE * SIDE + k]
        normal_of(own)
        # Of a mean of n frames the noise is the n-th part.
        t.noise[i] = state[PIXEL] / frames
        state[SHARE] = 1.0 / frames
        state[COUNT] = 0.0  # what the halves showed was the first frame's noise, again and again
        t.bent[i] = 1
        spread[n] = t.constants[i * CONSTANTS + SPREAD]
    return 0


@loop
def settle(b: Batch, s: Subset, t: Means, which: I64, number: int, spread: F64) -> int:
    """Say where the first frames of the windows `which` lie in their means, by which they answer now.

    Args:
        b: these frames, (number, size, size), as `renew` filled them, and a 0 for the start of each.
        s: of all windows. `work`: FOLLOWING values, and what `follow` takes.
        spread: as `renew` filled it.
    """
    middle, work = float(t.size // 2), s.work
    for n in range(number):
        i = which[n]
        constant, row = at(s.constants, i * CONSTANTS), at(work, ROW)
        if spread[n] > 0.0:
            t.states[i * STATE + VARIANCE] = t.states[i * STATE + VARIANCE] * (constant[SPREAD] / spread[n])
        # A state of zeros: the old reference is looked for in the middle of the tile, by the new one.
        store(work, 0, splat(0.0))
        store(work, 8, splat(0.0))
        work[ANCHOR_X], work[ANCHOR_Y], work[SHARE], work[STEP] = middle, middle, 1.0, 1.0
        first = Batch(at(b.images, n * t.size * t.size), b.height, b.width, b.starts, at(work, STEP), 1)
        own = Subset(s.window, s.packing, at(s.columns, i * 2 * PATTERNS * s.count), s.count, constant,
                     at(s.reference, i * t.size * t.size), s.table, at(work, FOLLOWING))  # fmt: skip
        follow(first, own, 1, work, 1, 0.0, 0, at(work, SHOWN), row)
        # By so much the mean lies beside the first frame: the point's offset makes up for it.
        if row[OUT_REASON] == 0.0:
            t.ox[i] = t.ox[i] - row[OUT_X]
            t.oy[i] = t.oy[i] - row[OUT_Y]
    return 0
