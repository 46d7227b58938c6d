"""Centres of small blobs, as one loop (what it computes: `kernels.host.centroid`): as many at a time as a vector has
lanes, those whose windows lie in the picture (`lane_loops`) and those at its edges (`edge_lanes`, `edge_steps`); one
after the other where pixels are no numbers (`single_loops`).

Which way a blob goes, and what comes out, depends on its own frame alone.
"""

from __future__ import annotations

from kernels.host.edge_errors import errors_lanes
from kernels.host.edge_lanes import filled_edges
from kernels.host.lane_loops import AMPLITUDE, BORDER, COVER, LEVEL, MIDDLE_X, MIDDLE_Y, NOISE, ODD, SPREAD, X, Y
from kernels.host.lane_rows import radial_rows, rows_lanes, written
from kernels.host.lane_shape import shape_lanes
from kernels.host.lane_sums import light_lanes, radial_lanes, summed_lanes
from kernels.host.look_loops import begun, gone_on, look, put_off
from kernels.host.loops import F64, I64, LANES, PIXELS, at, higher, lanes, loop, lowest, rint
from kernels.host.single_centres import NOTES, alone, company
from kernels.host.turn_loops import COLOURS, coloured, sections, shown, stirred, words_of
from kernels.host.window_loops import fetched, fits

COMPACT = 1.25  # widths of the weights; what is wider at a glance may be two blobs: it begins where it was found
AHEAD = 16  # blobs, in which memory has time to bring the pixels of a window
TURNS = 24  # looks at blobs that have neighbours


@loop
def rows_of_lanes(ids: I64, filled: int, edge: int, alone: int, sigma: float, radius: int, size: int, pitch: int,
                  values: LANES, lane: LANES, work: LANES, grain: float, nothing: float, lines: int, shapes: int,
                  noises: F64, count: int, rows: F64) -> int:  # fmt: skip
    """The rows and NOISES of the first lanes, but of those that are ODD. `shapes`: those with light get its sums
    (`shape_lanes`) and no area."""
    out = at(work, 3 * size * pitch + 10 * pitch + 8)
    if edge:
        filled_edges(values, size, pitch, 1, lane, work)
        errors_lanes(values, size, pitch, sigma, lane, work)
        light_lanes(values, radius, pitch, lane)
        if shapes:
            filled_edges(values, size, pitch, 0, lane, work)
    else:
        summed_lanes(values, radius, pitch, sigma, lane, work)
        if not shapes:
            light_lanes(values, radius, pitch, lane)
    if shapes:
        shape_lanes(values, radius, pitch, sigma, int(edge == 0), lane, work)
    if rows_lanes(edge, alone, sigma, radius, grain, nothing, lines, shapes, lane, work, out):
        radial_lanes(values, radius, pitch, sigma, lane, work, at(out, 12))
        radial_rows(at(out, 12), lane, out)
    written(ids, filled, lane, out, noises, count, rows)
    return 0


@loop
def lanes_alone(ids: I64, filled: int, edge: int, glance: int, image: PIXELS, total: int, height: int, width: int,
                frames: I64, sign: float, exact: int, near: I64, start: F64, state: F64, seen: F64, count: int,
                middle: F64, sigma: float, radius: int, size: int, pitch: int, fixed: F64, room: F64, ring: I64,
                many: int, places: I64, values: LANES, lane: LANES, work: LANES, waiting: LANES, who: I64, put_by: int,
                grain: float, nothing: float, lines: int, shapes: int, rows: F64) -> int:  # fmt: skip
    """The rows of up to a vector of blobs as if each were alone, of those that wait where none is `filled`; with
    `glance` only how bright and wide they are, and where they go on from, into `state` and `middle`.

    Args:
        put_by: how many wait.

    Returns:
        How many wait now.
    """
    hasty = int(filled > 0)
    if filled:
        begun(ids, filled, start, state, count, middle, lane)
    else:
        filled = gone_on(ids, waiting, who, put_by, lane)
        put_by -= filled
    look(ids, edge, image, total, height, width, frames, sign, exact, near, 0, seen, count, sigma, radius, size, pitch,
         glance, hasty, ring, many, places, values, lane, work)  # fmt: skip
    if not glance:
        put_by = put_off(ids, filled, lane, waiting, who, put_by)
        rows_of_lanes(ids, filled, edge, 1, sigma, radius, size, pitch, values, lane, work, grain, nothing,
                      lines, shapes, at(state, NOTES * count), count, rows)  # fmt: skip
    for k in range(filled):
        i = ids[k]
        if lane[ODD, k] > 0.0:
            alone(i, image, total, frames[i] * height * width, height, width, sign, near, start, state, seen, count,
                  middle, sigma, radius, size, pitch, fixed, room, glance, grain, nothing, lines, shapes,
                  rows)  # fmt: skip
        elif glance:
            state[2 * count + i], state[3 * count + i] = lane[AMPLITUDE, k], lane[SPREAD, k]
            if float(lane[SPREAD, k]) <= COMPACT * sigma and not edge:
                x, y = middle[2 * i] + float(lane[X, k]), middle[2 * i + 1] + float(lane[Y, k])
                mx, my = rint(x), rint(y)
                state[i], state[count + i] = x, y
                if fits(mx, my, radius + BORDER, height, width, size, pitch):
                    middle[2 * i], middle[2 * i + 1] = mx, my
    return put_by


@loop
def lanes_together(ids: I64, filled: int, edge: int, image: PIXELS, total: int, height: int, width: int, frames: I64,
                   sign: float, exact: int, near: I64, most: int, start: F64, state: F64, seen: F64, count: int,
                   middle: F64, moved: F64, due: I64, sigma: float, radius: int, size: int, pitch: int, fixed: F64,
                   room: F64, ring: I64, many: int, places: I64, values: LANES, lane: LANES, work: LANES,
                   waiting: LANES, who: I64, put_by: int, grain: float, nothing: float, lines: int, shapes: int,
                   rows: F64) -> int:  # fmt: skip
    """A turn of up to a vector of blobs (of those that wait where none is `filled`), their neighbours as they were
    `seen`, and their rows by then: a blob's row is that of its last turn, as what shifts it by less than STIRRED
    changes no more of it. Returns how many wait now; `put_by` did."""
    hasty = int(filled > 0)
    if filled:
        begun(ids, filled, start, state, count, middle, lane)
    else:
        filled = gone_on(ids, waiting, who, put_by, lane)
        put_by -= filled
    look(ids, edge, image, total, height, width, frames, sign, exact, near, most, seen, count, sigma, radius, size,
         pitch, 0, hasty, ring, many, places, values, lane, work)  # fmt: skip
    put_by = put_off(ids, filled, lane, waiting, who, put_by)
    for k in range(filled):
        i = ids[k]
        if lane[ODD, k] == 0.0:
            mx, my = float(lane[MIDDLE_X, k]), float(lane[MIDDLE_Y, k])
            x, y = mx + float(lane[X, k]), my + float(lane[Y, k])
            moved[i] = max(abs(x - state[i]), abs(y - state[count + i]))
            state[i], state[count + i] = x, y
            state[2 * count + i], state[3 * count + i] = lane[AMPLITUDE, k], lane[SPREAD, k]
            state[4 * count + i], state[5 * count + i] = lane[LEVEL, k], lane[NOISE, k]
            middle[2 * i], middle[2 * i + 1] = mx, my
    rows_of_lanes(ids, filled, edge, 0, sigma, radius, size, pitch, values, lane, work, grain, nothing,
                  lines, shapes, at(state, NOTES * count), count, rows)  # fmt: skip
    for k in range(filled):
        i = ids[k]
        if lane[ODD, k] > 0.0:
            company(i, image, total, frames[i] * height * width, height, width, sign, near, most, start, state, seen,
                    count, middle, moved, due, sigma, radius, size, pitch, fixed, room, grain, nothing, lines, shapes,
                    rows)  # fmt: skip
            if due[i] and not fits(middle[2 * i], middle[2 * i + 1], radius + BORDER, height, width, size, pitch):
                due[i] = 2  # it has come to an edge
    return put_by


@loop
def colour_turn(order: I64, begin: int, end: int, crowd: int, turn: int, image: PIXELS, total: int, height: int,
                width: int, frames: I64, sign: float, exact: int, near: I64, most: int, start: F64, state: F64,
                seen: F64, count: int, middle: F64, shift: F64, moved: F64, due: I64, words: int, awake: I64,
                alert: int, ids: I64, sigma: float, radius: int, size: int, pitch: int, fixed: F64, room: F64,
                ring: I64, many: int, places: I64, values: LANES, lane: LANES, work: LANES, waiting: LANES, who: I64,
                grain: float, nothing: float, lines: int, shapes: int, rows: F64) -> int:  # fmt: skip
    """A turn of those of a colour that others have stirred; returns whether there are any. With `alert`, those that are
    not `awake` are asked, too. The `words` behind `awake` get a bit of each whose turn it is (`shown`)."""
    half, busy, filled, put_by = radius + BORDER, 0, 0, 0
    for edge in range(2):
        asked, each, k, m = at(awake, edge * words), edge == 0 and (turn == 1 or alert), begin >> 5, begin - 1
        word = asked[k] >> (begin & 31) << (begin & 31)
        while m < end:
            m += 1
            if not each:
                while word == 0 and (k + 1) << 5 < end:
                    k += 1
                    word = asked[k]
                m = end if word == 0 else min((k << 5) + lowest(word), end)
                word = higher(word)
            i = order[min(m + AHEAD, crowd - 1)]
            if turn == 1 and edge == 0:
                place = (int(middle[2 * i + 1]) - half) * width + int(middle[2 * i]) - half
                fetched(image, frames[i] * height * width + place, width, size, size)
            i, its = order[min(m, end - 1)], 0
            if m < end and due[i]:
                if edge:
                    its = due[i] == 2
                else:
                    due[i], p, one = 1, m >> 5, 1 << (m & 31)
                    awake[p] = (awake[p] | one) - one
                    if turn == 1 or stirred(i, near, most, at(seen, 0), at(seen, count), shift, sigma):
                        busy = 1
                        awake[words + p] = awake[words + p] | one
                        its = fits(middle[2 * i], middle[2 * i + 1], half, height, width, size, pitch)
                        due[i] = 2 - its
            if its:
                ids[filled] = i
                filled += 1
            while filled == lanes(lane) or put_by >= lanes(lane) or (m == end and filled + put_by > 0):
                put_by = lanes_together(ids, filled, edge, image, total, height, width, frames, sign, exact, near, most,
                                        start, state, seen, count, middle, moved, due, sigma, radius, size, pitch,
                                        fixed, room, ring, many, places, values, lane, work, waiting, who, put_by,
                                        grain, nothing, lines, shapes, rows)  # fmt: skip
                filled = 0
    return busy


@loop
def centres_loop(image: PIXELS, total: int, height: int, width: int, frames: I64, sign: float, exact: int, count: int,
                 near: I64, most: int, start: F64, state: F64, seen: F64, middle: F64, shift: F64, due: I64,
                 sigma: float, radius: int, size: int, pitch: int, fixed: F64, room: F64, ring: I64, many: int,
                 values: LANES, lane: LANES, work: LANES, grain: float, nothing: float, lines: int, shapes: int,
                 rows: F64) -> int:  # fmt: skip
    """Rows of `FEATURE` of all blobs; those alone first, then the others together, each with its neighbours as they are
    by then (Gauss and Seidel, colour by colour, with some overrelaxation), until none shifts another.

    Args:
        exact: the pixels are whole numbers.
        near: neighbours, of each `most`; the first is -1 where a blob is alone.
        start: where they begin: x of all, y of all.
        state, seen, middle, shift, due: room for NOTES + NOISES, 4, 2, 5 and 3 numbers a blob; the last of `state`
            are NOISES. `due` for 272 more, and for three
            times `words_of` the blobs.
        fixed, room: of a window (`single_loops.visit`).
        ring: where in a window the `many` pixels of its ring stand.
        values, lane, work: room for a window a lane, for what is known of the blobs in them and of those that wait,
            and beside them.
        lines: centres by radial symmetry where a window is whole: NEVER, ALWAYS or CHOSEN.
        shapes: rows hold sums of the light where a window is whole.
    """
    half, filled, put_by, frame_size = radius + BORDER, 0, 0, height * width
    waiting, who = at(lane, COVER + 2 * pitch), at(due, 3 * count + 160)
    colour, order, ids = at(due, count), at(due, 2 * count), at(due, 3 * count)
    places, heads = at(due, 3 * count + 16), at(due, 3 * count + 32)
    moved, before = at(shift, count), at(shift, 2 * count)
    # Bits of the blobs with neighbours, in their order: who is to be asked, whose turn it is, and whose it was.
    words, awake = words_of(count), at(due, 3 * count + 272)
    for i in range(count):
        state[i], state[count + i] = start[i], start[count + i]
        state[2 * count + i], state[3 * count + i] = 0.0, sigma
        middle[2 * i], middle[2 * i + 1] = rint(start[i]), rint(start[count + i])
        due[i], shift[i], moved[i] = 1, 1.0, -1.0
        edge = fits(middle[2 * i], middle[2 * i + 1], half, height, width, size, pitch) == 0
        colour[i] = edge + 2 * (near[i * most] >= 0)
    sections(count, colour, order, heads)
    # Those alone to the end, then a glance at the others: a step, if they look like one blob.
    for n in range(count):
        i, j = order[n], order[min(n + AHEAD, count - 1)]
        edge, glance = colour[i] & 1, colour[i] >> 1
        if not colour[j] & 1:
            place = (int(middle[2 * j + 1]) - half) * width + int(middle[2 * j]) - half
            fetched(image, frames[j] * frame_size + place, width, size, size)
        ids[filled] = i
        filled += 1
        last = n == count - 1 or colour[order[min(n + 1, count - 1)]] != colour[i]
        while filled == lanes(lane) or put_by >= lanes(lane) or (last and filled + put_by > 0):
            put_by = lanes_alone(ids, filled, edge, glance, image, total, height, width, frames, sign, exact, near,
                                 start, state, seen, count, middle, sigma, radius, size, pitch, fixed, room, ring, many,
                                 places, values, lane, work, waiting, who, put_by, grain, nothing, lines, shapes,
                                 rows)  # fmt: skip
            filled = 0
    crowd = coloured(count, near, most, colour, order, heads)
    for k in range(3 * words):
        awake[k] = 0
    for n in range(crowd):
        for k in range(4):
            seen[k * count + order[n]] = state[k * count + order[n]]
        for k in range(3):
            before[3 * order[n] + k] = 0.0
        colour[order[n]] = n  # from here on where it stands in the order
    busy, turn, alarm = crowd > 0, 1, 0
    while busy and turn <= TURNS:
        busy, begin = 0, 0
        for one in range(COLOURS):
            end = heads[one * (most + 1) + most]
            if end > begin:
                if colour_turn(order, begin, end, crowd, turn, image, total, height, width, frames, sign, exact, near,
                               most, start, state, seen, count, middle, shift, moved, due, words, awake, turn <= alarm,
                               ids, sigma, radius, size, pitch, fixed, room, ring, many, places, values, lane, work,
                               waiting, who, grain, nothing, lines, shapes, rows):  # fmt: skip
                    busy = 1
                if shown(order, begin, end, turn, near, most, count, sigma, state, seen, moved, shift, before, colour,
                         words, awake, due, start, nothing, rows):  # fmt: skip
                    alarm = turn + 1
                begin = end
        turn += 1
    return 0
