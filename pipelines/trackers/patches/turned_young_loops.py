"""What windows that turn or deform learn from a frame, as loops: what `warps.Warps` does with NumPy, in its order.

They are of windows with one number of parameters p, `count` of the `all_` that there are: `which`.
"""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, PIXELS, at, loop
from pipelines.trackers.patches.fit_loops import prepare
from pipelines.trackers.patches.look_loops import weigh
from pipelines.trackers.patches.stripe_loops import surely
from pipelines.trackers.patches.turned_loops import draw
from pipelines.trackers.patches.warp_loops import OFTEN, asked
from pipelines.trackers.patches.young_loops import TURN, its_turn, turns_to_begin


@loop
def turning_more(image: PIXELS, height: int, width: int, all_: int, which: I64, count: int, p: int, most: int, age: int,
                 w: int, pitch: int, across: int, side: int, stride: int, edge: int, floats: F64, places: I64,
                 room: int, found: F64, slot: I64, averaged: I64, closed: I32, looks: I32, mask: F64, lever: F64,
                 table: F64, tiles: F64, trial: F64, flags: I64, work: F64) -> int:  # fmt: skip
    """Whether one of the windows needs more parameters than it has that are to be asked in this frame
    (`Warps.doubted`).

    Args:
        floats, places, room, found: as for `steady_loops.seek`.
        trial, flags: as for `warp_loops.asked`.
    """
    x, y, grain, drawn = at(found, 0), at(found, room), at(floats, places[13]), at(floats, places[15])
    turns, begins = (all_ + TURN - 1) // TURN, turns_to_begin(all_)
    for k in range(count):
        i = which[k]
        own = ((age + slot[i]) // turns) % OFTEN == 0 and its_turn(slot[i], averaged[i], age, all_) > 0
        first = averaged[i] == 1 and (age + slot[i]) % begins == 0
        if p < 6 and averaged[i] < most and closed[i] == 0 and (first or own):
            many = asked(i, p, image, height, width, x, y, w, pitch, across, side, stride, edge, drawn, slot, looks,
                         grain, mask, lever, table, tiles, trial, flags, work)  # fmt: skip
            if many > p:
                return 1
    return 0


@loop
def weigh_turned(which: I64, count: int, p: int, w: int, room: int, floats: F64, places: I64, found: F64, slot: I64,
                 averaged: I64, looks: I32, fresh: I64, gains: F64, joined: I64, inverse: F64, textured: I64, how: F64,
                 variance: F64) -> int:  # fmt: skip
    """Variances of the places of the windows (`look_loops.weigh`), which are then in means of so many frames.

    Args:
        floats, places, found, variance: as for `steady_loops.seek`.
        how: as for `look_loops.weigh`, but that its first, degrees of freedom, is written.
    """
    offset, grain = at(floats, places[12]), at(floats, places[13])
    phase, rest = at(found, 3 * room), at(found, 4 * room)
    how[0] = max(float(w * w - p - 2), 1.0)
    for n in range(count):
        i = which[n]
        weigh(at(which, n), 1, phase, rest, slot, averaged, looks, at(fresh, n), gains, grain, offset, inverse,
              textured, p, how, at(variance, i))  # fmt: skip
        averaged[i] = averaged[i] + joined[n]
    return 0


@loop
def draw_young(due: I64, count: int, warp: I64, p: int, striped: int, w: int, pitch: int, across: int, side: int,
               stride: int, edge: int, drawn: F64, slot: I64, mask: F64, lever: F64, table: F64, tiles: F64,
               pixels: F64, norm: F64, jacobian: F64, inverse: F64, textured: I64, stripes: F64, doubtful: I64,
               doubts: int, work: F64) -> int:  # fmt: skip
    """Make references of the means of those of the windows `due` that have p parameters (`Corners.drawn`).

    Args:
        warp: of all windows.
        striped: whether windows may be of stripes. stripes: as for `surely`.
        doubtful: gets those that may be, behind `doubts` others: to be drawn with NumPy once more; how many it has then
            is returned.
        work: as for `draw`.
    """
    for n in range(count):
        i = due[n]
        if warp[i] == p:
            m = at(drawn, 4 * i)
            good = 1
            if m[0] == 1.0 and m[1] == 0.0 and m[2] == 0.0 and m[3] == 1.0:
                tile = at(tiles, (slot[i] * side + edge) * stride + edge)
                prepare(tile, 1, at(slot, i), w, pitch, stride, p, mask, lever, pixels, norm, jacobian, inverse,
                        textured, work)  # fmt: skip
                if striped > 0:
                    good = surely(tile, stride, slot[i], at(slot, i), w, pitch, p, jacobian, textured, stripes, work)
            else:
                good = draw(tiles, slot[i], m, side, stride, w, pitch, across, p, mask, lever, table, pixels, norm,
                            jacobian, inverse, textured, at(slot, i), stripes, work)  # fmt: skip
            if good == 0:
                doubtful[doubts] = i
                doubts += 1
    return doubts
