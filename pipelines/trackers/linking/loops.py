"""The blob tracker's frames as one loop over a batch: `BlobTracker.update` frame after frame, in machine code."""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, U8, at, loop
from pipelines.trackers.linking.border import beyond_loop, extent_loop
from pipelines.trackers.linking.columns import BIAS, HITS, MISSED, X, Y
from pipelines.trackers.linking.cost_loops import CHUNK, WAITING
from pipelines.trackers.linking.hold_loops import RING, hold_loop
from pipelines.trackers.linking.link_loops import (
    CURVE,
    DETECTION,
    DETECTION_COLUMNS,
    DX,
    DY,
    FPS,
    JERK,
    LEAVE,
    LIGHT,
    MAX_MISSED,
    MIN_HITS,
    NOISE,
    OVALITY,
    RARITY,
    SPEED,
    UNEVEN,
    Q,
    accept_loop,
    inside_loop,
)  # fmt: skip
from pipelines.trackers.linking.merger_loops import HEADS, mergers_loop
from pipelines.trackers.linking.momentum_loops import update_again_loop
from pipelines.trackers.linking.newcomers import MEAN, book_loop, doubtful_loop
from pipelines.trackers.linking.pair_loops import link_loop, pairs_loop
from pipelines.trackers.linking.row_loops import (
    LEFT_IMAGE,
    LOST,
    MERGED,
    NONE,
    NOT_DETECTED,
    PREDICTED,
    ROW,
    TENTATIVE,
    TRACKED,
    birth_loop,
    move_rows,
    plain_rows_loop,
    restart_loop,
    seen_loop,
    sigma_loop,
    write_row,
)  # fmt: skip
from pipelines.trackers.linking.second_loops import missing_loop, spare_loop, turns_loop
from pipelines.trackers.linking.seen_loops import GATHERED, SCORE, seen_rows_loop
from pipelines.trackers.linking.unresolved import BREADTH
from pipelines.trackers.linking.unresolved import NEXT as NOW
from pipelines.trackers.linking.unresolved import ROOM as SHAPES
from pipelines.trackers.linking.unresolved_loops import (
    alone_loop,
    born_loop,
    counts_loop,
    doubled_loop,
    keep_loop,
    shapes_loop,
    unresolved_loop,
)
from pipelines.trackers.linking.unseen_loops import predict_loop, share_loop

COUNT, NEXT, ROWS, INDEX, DONE = range(5)
COUNTERS, CLOCK = 5, 4 + SHAPES
"""Entries of `state`: tracks, next id, rows written, index of the last frame, frames done; how many these are, and
those of `clock` before the times."""
FINISHED, ROOM, UNDECIDED, DISORDER = range(4)
"""What a batch returns: all is done; there is no room for the next frame; the next frame is predicted and the rest of
it is NumPy's; the next frame's index does not rise."""


def work_sizes(room: int, wide: int, most: int, cells: int) -> tuple[int, int]:
    """Entries of the whole numbers and of the floats that a batch works in."""
    whole = 9 * wide + 6 * room + 3 * most + max(cells, RING + 8) + 32
    lists = max(GATHERED * room, HEADS * (wide + 8)) + 128
    return whole, (DETECTION + 2) * wide + 8 * room + 2 * most + WAITING * CHUNK + lists + 8


@loop
def advance_loop(state: I64, clock: F64, index: int, time: float, fps: float) -> float:
    """`Clock.advance`; -1 where the index does not rise."""
    step = 0.0
    if state[INDEX] >= 0:
        if index <= state[INDEX]:
            return -1.0
        elapsed = time - clock[0]
        step = elapsed * fps
        if not (fps != 0.0 and step - step == 0.0 and step > 0.01):
            step = float(index - state[INDEX])
        if fps == 0.0 and elapsed - elapsed == 0.0 and elapsed > 0.0:
            clock[1] = step / elapsed
    state[INDEX], clock[0] = index, time
    return step


@loop
def observe_loop(f: F64, n: I32, held: U8, room: int, state: I64, clock: F64, d: F64, wide: int, p: F64,
                 choice: I64, nis: F64, blurs: F64, shift_x: F64, shift_y: F64, told: F64, stated: F64, shares: F64,
                 turned: I64, taken: I64, spare: I64, free: int, lost: I64, unseen: I64, ring: I64, wait: F64, z: F64,
                 shapes: F64, out: U8) -> int:  # fmt: skip
    """What follows in a frame once everybody has a detection or none. `out` is where its rows begin. `lost` has twice
    `room`, `unseen` once; `ring` and `wait` are what `hold_loop` works in; `shapes` is what `shapes_loop` left."""
    others, stays = at(lost, 0), at(lost, room)
    count, curved = state[COUNT], int(p[CURVE])
    frame, time, rate = state[INDEX], clock[0], clock[1]
    booked = at(d, DETECTION_COLUMNS * wide)
    some = seen_rows_loop(f, n, held, room, count, choice, turned, booked, others, ring, z, nis, blurs, shift_x,
                          shift_y, told, stated, shares, p, at(d, OVALITY * wide), shapes, curved)  # fmt: skip
    known = doubled_loop(f, room, count, choice, blurs, d, wide, z, at(z, GATHERED * room), shapes)
    plain_rows_loop(f, n, room, count, z, frame, time, rate, p, out)
    gone, first_gone, away = 0, count, 0
    for s in range(some):
        i = others[s]
        unseen[away] = i  # unless it was put there when it was predicted
        away += (choice[i] < 0) & (held[i] == 0) & (1 - (blurs[i] > 0.0))
    hold_loop(f, n, held, room, unseen, away, p[Q], p[SPEED], curved, ring, wait)
    reach = extent_loop(shapes[NOW + BREADTH], p)
    for s in range(some):
        i = others[s]
        j, merged, score = choice[i], blurs[i] > 0.0, 0.0
        what, why = PREDICTED, MERGED if merged else NOT_DETECTED
        stays[s] = 1
        if j >= 0:
            if turned[i]:
                restart_loop(f, n, room, i, d[DX * wide + j], d[DY * wide + j], d[NOISE * wide + j],
                             d[UNEVEN * wide + j], p)  # fmt: skip
            else:
                blur = blurs[i]
                update_again_loop(f, room, i, d[DX * wide + j] + shift_x[i], d[DY * wide + j] + shift_y[i],
                                  d[NOISE * wide + j] + blur * blur, p[Q], p[JERK], curved)  # fmt: skip
            if not merged:
                more = counts_loop(shapes) * unresolved_loop(f, room, i, j, d, wide, shapes)
                f[BIAS * room + i] = f[BIAS * room + i] + more
            seen_loop(f, n, held, room, i, curved)
            what = TRACKED if float(n[HITS * room + i]) >= p[MIN_HITS] else TENTATIVE
            score, why = z[SCORE * room + i], NONE
        else:
            if not merged:
                beyond_loop(f, room, i, reach, p)
                n[MISSED * room + i] = n[MISSED * room + i] + 1
            x, y = f[X * room + i], f[Y * room + i]
            dead = float(n[MISSED * room + i]) > p[MAX_MISSED] or float(n[HITS * room + i]) < p[MIN_HITS]
            if not inside_loop(x, y, 0.5, p):
                why = LEFT_IMAGE
            if dead or not inside_loop(x, y, p[LEAVE], p):
                what, stays[s] = LOST, 0
                first_gone = min(first_gone, i)
                gone += 1
        sigma, share = sigma_loop(f, room, i), share_loop(f, room, i)
        if merged:
            sigma, share = stated[i], shares[i]
        write_row(f, n, room, i, frame, time, rate, sigma, share, score, what, why, at(out, i * ROW))
    kept = count - gone
    if gone:
        kept, start = first_gone, first_gone
        for s in range(some + 1):  # what stays between two that go, at once
            i = others[s] if s < some else count
            if s == some or not stays[s]:
                move_rows(f, n, held, room, start, kept, i - start, curved)
                kept, start = kept + i - start, i + 1
    believed, row = TRACKED if p[MIN_HITS] == 1.0 else TENTATIVE, count
    if known == 0:
        alone_loop(d, wide, spare, free, taken, shapes)
    for k in range(free):
        j = spare[k]
        if not taken[j]:
            birth_loop(f, n, held, room, kept, state[NEXT], d[DX * wide + j], d[DY * wide + j], d[LIGHT * wide + j],
                       d[NOISE * wide + j], d[UNEVEN * wide + j], p)  # fmt: skip
            born_loop(f, room, kept, j, d, wide, shapes)
            write_row(f, n, room, kept, frame, time, rate, sigma_loop(f, room, kept), share_loop(f, room, kept), 1.0,
                      believed, NONE, at(out, row * ROW))  # fmt: skip
            state[NEXT] = state[NEXT] + 1
            row += 1
            kept += 1
    state[COUNT], state[ROWS] = kept, state[ROWS] + row
    return int(row - count)


@loop
def batch_loop(f: F64, n: I32, held: U8, room: int, found: F64, lists: I64, clock: F64, frames: int, p: F64, wide: int,
               most: int, most_cells: int, w: I64, g: F64, rows: int, out: U8) -> int:  # fmt: skip
    """Frames state[DONE] .. frames - 1.

    Args:
        f, n, held: the columns' blocks, with room for `room` tracks.
        found: features, FIELDS floats each; those of frame k begin `starts[k]` floats from here, and are as many as
            lie between ends[k] and ends[k + 1].
        lists: the counters (`state`), then the frames' indices, `starts`, `ends` (one more), and, to be filled,
            how many rows each has.
        clock: time and rate, what `Newcomers` and `Shapes` keep, with the entries behind these, then the frames' times.
        p: parameters.
        wide, most, most_cells: the most features of a frame, pairs, and cells of the grid.
        w, g: what `work_sizes` says.
        rows: that `out`, bytes of TRACK_DTYPE, has room for.
    """
    state, indices, starts = at(lists, 0), at(lists, COUNTERS), at(lists, COUNTERS + frames)
    ends, counts, times = at(lists, COUNTERS + 2 * frames), at(lists, COUNTERS + 3 * frames + 1), at(clock, CLOCK)
    order, other, inside, cell = at(w, 0), at(w, wide), at(w, 2 * wide), at(w, 3 * wide)
    marks, first = at(w, 4 * wide), at(w, 9 * wide)
    choice, turned, lost = at(w, 9 * wide + 8 + room), at(w, 9 * wide + 8 + 2 * room), at(w, 9 * wide + 8 + 3 * room)
    what, who = at(w, 9 * wide + 8 + 5 * room), at(w, 9 * wide + 8 + 5 * room + most)
    cells = at(w, 9 * wide + 8 + 6 * room + 3 * most)
    d, v, near = at(g, 0), at(g, DETECTION * wide), at(g, (DETECTION + 1) * wide)
    each, pairs = at(g, (DETECTION + 2) * wide), at(g, (DETECTION + 2) * wide + 8 * room)
    nis, blurs, shift_x, shift_y = at(each, 0), at(each, room), at(each, 2 * room), at(each, 3 * room)
    u, told, distance, cost = at(each, 4 * room), at(each, 5 * room), at(pairs, 0), at(pairs, most)
    stated, shares = at(each, 6 * room), at(each, 7 * room)
    wait, z = at(pairs, 2 * most), at(pairs, 2 * most + WAITING * CHUNK + 8)
    missing, taken = at(w, 9 * wide + 8 + 5 * room + 3 * most), at(marks, 4 * wide)
    curved = int(p[CURVE])
    for k in range(state[DONE], frames):
        state[DONE] = k
        count, size = state[COUNT], ends[k + 1] - ends[k]
        if count + size + 8 > room or state[ROWS] + count + size > rows:
            return ROOM
        step = advance_loop(state, clock, indices[k], times[k], p[FPS])
        if step < 0.0:
            return DISORDER
        m = accept_loop(at(found, starts[k]), size, p, d, wide, order, other, cell, cells, z)
        shapes_loop(d, wide, m, p, at(clock, 4), z)
        predict_loop(f, room, count, step, p[Q], p[JERK], curved)
        some = 0
        for i in range(count):
            lost[some] = i
            some += held[i]
        hold_loop(f, n, held, room, lost, some, p[Q], p[SPEED], curved, cells, z)
        # What follows fills these lists later.
        if pairs_loop(f, n, room, count, d, wide, m, p, cells, most_cells, inside, cell, v, near, most, first, what,
                      distance, cost, nis, blurs, shift_x, shift_y, u, p[RARITY] * clock[2 + MEAN], z) < 0:  # fmt: skip
            return UNDECIDED
        if link_loop(f, n, room, count, d, wide, m, p, first, what, distance, cost, choice, nis, lost, who, turned,
                     order, other, marks, u, v, near, wait) < 0:  # fmt: skip
            return UNDECIDED
        some = missing_loop(count, m, choice, taken, missing)
        if mergers_loop(f, n, room, count, d, wide, m, p, missing, some, taken, most, who, what, distance, cost,
                        choice, marks, cells, z, blurs, shift_x, shift_y, told, stated, shares) < 0:  # fmt: skip
            return UNDECIDED
        free = spare_loop(m, taken, order)
        if turns_loop(f, n, room, count, d, wide, m, p, missing, some, taken, order, free, most, first, what, cost,
                      choice, blurs, lost, turned, marks, u, v, near, p[RARITY] * clock[2 + MEAN], z) < 0:  # fmt: skip
            return UNDECIDED
        before = state[ROWS]
        doubtful_loop(f, n, room, count, d, wide, p, choice, p[RARITY] * clock[2 + MEAN])
        new = observe_loop(f, n, held, room, state, clock, d, wide, p, choice, nis, blurs, shift_x, shift_y, told,
                           stated, shares, turned, taken, order, free, lost, first, cells, wait, z,
                           at(clock, 4), at(out, before * ROW))  # fmt: skip
        book_loop(at(clock, 2), new)
        keep_loop(at(clock, 4))
        counts[k] = state[ROWS] - before
    state[DONE] = frames
    return FINISHED
