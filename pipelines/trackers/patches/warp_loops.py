"""Whether a window that only moves turns or deforms (`warps.Warps.bending`), as loops, a window at a time."""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, PIXELS, at, loop
from pipelines.trackers.patches.fit import SETTLED
from pipelines.trackers.patches.fit_loops import FLAT, fit, invert, prepare
from pipelines.trackers.patches.grain import MOST
from pipelines.trackers.patches.plane_loops import back
from pipelines.trackers.patches.window_loops import render
from pipelines.trackers.patches.young_loops import TURN, its_turn, turns_to_begin

BENT = 0.05  # px at a window's edge by which it must be deformed to be fitted so
SHARE = 0.2  # and so much of what else is left: a creeping highlight is no deformation
GRAIN = 5.0  # how uneven or correlated noise may be that nobody has looked at yet
CLEAR = 8.0  # and so many times as much as noise explains (F with four degrees of freedom: one in a million)
NEAR = 0.5  # px at its edge within which a window's deformation can be told by one step
OFTEN, SELDOM, TURNS = 4, 8, 4  # frames after which windows are tested: of means, and later; some every TURNS frames
STRAYS, CHANCE = 0.15, 12.0  # what a cover's edge bends by t^2 (four degrees of freedom) it draws along by that part
# of it in squares of the noise; and what t^2 chance makes
MISFIT = 127  # where `needed` leaves that, in what it works in
SINK, LESS = 2.5e-4, 0.05  # as `warps.FALL`, of a usual score, which noise hardly moves


@loop
def size_of(u: F64, normal: F64) -> float:
    """u' normal u, of four numbers."""
    s = 0.0
    for a in range(4):
        for b in range(4):
            s += u[a] * normal[4 * a + b] * u[b]
    return s


@loop
def needed(p: int, tile: F64, stride: int, image: PIXELS, height: int, width: int, x: float, y: float, w: int,
           pitch: int, mask: F64, lever: F64, table: F64, looks: int, grain: float, trial: F64, flags: I64,
           work: F64) -> int:  # fmt: skip
    """How many parameters a window at (x, y) that has p needs: 2, 3 or 6; -1 where nobody can say: there is no light,
    or a pixel that is not a number.

    Args:
        tile: what its reference is made of, rows of `stride`.
        trial: 7 w pitch + 128 values, of which number 7 w pitch + MISFIT becomes `Warps.bending`'s misfit; flags: 8.
        work: room for `fit`.
    """
    area = w * pitch
    jacobian, norm, inverse = at(trial, area), at(trial, 7 * area), at(trial, 7 * area + 8)
    u, found = at(trial, 7 * area + 48), at(trial, 7 * area + 56)
    normal, pure = at(trial, 7 * area + 64), at(trial, 7 * area + 80)
    flags[0], trial[7 * area + MISFIT] = 0, 0.0
    prepare(tile, 1, flags, w, pitch, stride, 6, mask, lever, trial, norm, jacobian, inverse, at(flags, 1), work)
    for k in range(4):
        u[k] = 0.0
    found[0], found[1], found[3], found[4] = x, y, 1.0, 0.0
    fit(image, height, width, flags, 1, w, pitch, 6, mask, table, flags, trial, norm, jacobian, inverse, at(flags, 1),
        2.0, 1, SETTLED, found, at(found, 1), u, at(found, 2), at(found, 3), at(found, 4), at(flags, 2),
        work)  # fmt: skip
    if found[2] == 0.0 and flags[1] != 0:
        return 0 - 1
    turn = 0.5 * (u[2] - u[1])
    pure[0], pure[1], pure[2], pure[3] = u[0], u[1] + turn, u[2] - turn, u[3]
    far = max(abs(u[0]) + abs(u[1]), abs(u[2]) + abs(u[3]))
    stretched = max(abs(pure[0]) + abs(pure[1]), abs(pure[2]) + abs(pure[3]))
    if not (far > BENT and found[2] > 0.0 and flags[1] != 0):
        return 2
    for a in range(4):
        for b in range(4):
            normal[4 * a + b] = inverse[6 * (a + 2) + b + 2]
        pure[8 + a] = FLAT * normal[5 * a]
    invert(4, normal, at(pure, 8), work)
    uneven = GRAIN
    if looks > 0:
        uneven = min(max(grain, 1.0), MOST)
    large, own = size_of(u, normal), size_of(pure, normal)
    odd = large if p == 2 else (own if far < NEAR else 0.0)  # windows that turn may turn on
    if found[4] > 0.0:
        trial[7 * area + MISFIT] = STRAYS * max(float(w * w - 8) * odd / found[4] - CHANCE, 0.0)
    least = max(4.0 * CLEAR * uneven / max(float(w * w) - 8.0, 1.0), SHARE) * max(found[4], 0.0)
    made = 3 if large > least else 2
    if own > least and stretched > BENT and far < NEAR:
        made = 6
    return made


@loop
def asked(i: int, p: int, image: PIXELS, height: int, width: int, x: F64, y: F64, w: int, pitch: int, across: int,
          side: int, stride: int, edge: int, drawn: F64, slot: I64, looks: I32, grain: F64, mask: F64, lever: F64,
          table: F64, tiles: F64, trial: F64, flags: I64, work: F64) -> int:  # fmt: skip
    """How many parameters window i needs, 2, 3 or 6, that has p and is where it is drawn (`Warps.bending`).

    Args:
        trial: as for `needed`; behind it, a tile and 64 values more.
    """
    tile, many = at(trial, 7 * w * pitch + 128), 2
    small = at(tile, (w + 6) * across)
    if p == 2:
        many = needed(2, at(tiles, (slot[i] * side + edge) * stride + edge), stride, image, height, width, x[i], y[i],
                      w, pitch, mask, lever, table, looks[i], grain[i], trial, flags, work)  # fmt: skip
    else:
        back(at(drawn, 4 * i), small)
        render(tiles, 1, at(slot, i), small, side, stride, w, across, table, tile, at(small, 8))
        many = needed(p, tile, across, image, height, width, x[i], y[i], w, pitch, mask, lever, table, looks[i],
                      grain[i], trial, flags, work)  # fmt: skip
    return int(max(many, p))


@loop
def asked_all(image: PIXELS, height: int, width: int, which: I64, count: int, warp: I64, x: F64, y: F64, w: int,
              pitch: int, across: int, side: int, stride: int, edge: int, drawn: F64, slot: I64, looks: I32, grain: F64,
              mask: F64, lever: F64, table: F64, tiles: F64, trial: F64, flags: I64, made: I64, misfit: F64,
              work: F64) -> int:  # fmt: skip
    """The same of the windows `which`, into `made` and `misfit`; warp: parameters, x, y: places of all."""
    for n in range(count):
        i = which[n]
        made[n] = asked(i, warp[i], image, height, width, x, y, w, pitch, across, side, stride, edge, drawn, slot,
                        looks, grain, mask, lever, table, tiles, trial, flags, work)  # fmt: skip
        misfit[n] = trial[7 * w * pitch + MISFIT]
    return 0


@loop
def turning(image: PIXELS, height: int, width: int, count: int, most: int, age: int, w: int, pitch: int, side: int,
            stride: int, edge: int, x: F64, y: F64, slot: I64, averaged: I64, closed: I32, looks: I32, grain: F64,
            mask: F64, lever: F64, table: F64, tiles: F64, trial: F64, flags: I64, work: F64) -> int:  # fmt: skip
    """Whether one of the windows at (x, y) turns that are about to join their means, or have not yet, in turns
    (`Warps.doubted`), or may."""
    turns, begins = (count + TURN - 1) // TURN, turns_to_begin(count)
    for i in range(count):
        own = ((age + slot[i]) // turns) % OFTEN == 0 and its_turn(slot[i], averaged[i], age, count) > 0
        first = averaged[i] == 1 and (age + slot[i]) % begins == 0
        if averaged[i] < most and closed[i] == 0 and (first or own):
            many = needed(2, at(tiles, (slot[i] * side + edge) * stride + edge), stride, image, height, width, x[i],
                          y[i], w, pitch, mask, lever, table, looks[i], grain[i], trial, flags, work)  # fmt: skip
            if many != 2:
                return 1
    return 0


@loop
def sinking(image: PIXELS, height: int, width: int, count: int, most: int, age: int, w: int, pitch: int, side: int,
            stride: int, edge: int, x: F64, y: F64, slot: I64, averaged: I64, closed: I32, looks: I32, grain: F64,
            level: F64, tested: F64, misfit: F64, mask: F64, lever: F64, table: F64, tiles: F64, trial: F64, flags: I64,
            work: F64) -> int:  # fmt: skip
    """Whether one of the windows turns, or may, or has something that does not fit, of those whose usual scores sank or
    that had that before (`Warps.due`); if not, `tested` is as it is after."""
    if age % TURNS != 0:
        return 0
    for i in range(count):
        before = tested[i]
        mine = (age // TURNS + slot[i]) % (SELDOM // TURNS) == 0
        sunk = mine and (before == 0.0 or level[i] < before - (SINK + LESS * (1.0 - before)))
        if mine and misfit[i] > 0.0:
            return 1
        if sunk and not (averaged[i] < most and closed[i] == 0):
            many = needed(2, at(tiles, (slot[i] * side + edge) * stride + edge), stride, image, height, width, x[i],
                          y[i], w, pitch, mask, lever, table, looks[i], grain[i], trial, flags, work)  # fmt: skip
            if many != 2 or trial[7 * w * pitch + MISFIT] > 0.0:
                return 1
    for i in range(count):
        before = tested[i]
        mine = (age // TURNS + slot[i]) % (SELDOM // TURNS) == 0
        sunk = mine and (before == 0.0 or level[i] < before - (SINK + LESS * (1.0 - before)))
        if sunk or (mine and level[i] > before):
            tested[i] = level[i]
    return 0
