"""Where in a detection the two things are that it holds, as a loop: `mergers._between`."""

from __future__ import annotations

from kernels.host.loops import F64, I32, U8, loop, sqrt
from pipelines.trackers.linking.columns import (
    BIAS,
    D00,
    FLICKER,
    GAP,
    MASS,
    OVAL,
    P00,
    P01,
    P02,
    P11,
    P12,
    P22,
    VX,
    VY,
    X,
    Y,
)  # fmt: skip
from pipelines.trackers.linking.link_loops import CURVE, DRAWN, LOST_GAP, OVALITY, SPEED, XX, XY, YY, Q
from pipelines.trackers.linking.merger_fits import SMALL
from pipelines.trackers.linking.unseen_loops import hold_loop

LONGER = 3.0  # how much longer than what it holds a merger must be, so that its shape says where they are
ROUGH = 0.02  # standard deviation of the distance that a shape tells, in units of its square, 1/px: thresholds cut both
THIN = 0.25  # px^2; the least variance across that a merger's shape is taken to have
TURNS = 3  # of Newton's search for where a merger is centred
STEEP = 0.25  # and the least slope that it believes
OFF = 0.3  # of how far a centre is drawn to the heavier of two: by how much that may be wrong
SHARES = 0.02  # standard deviation of the difference of two things' shares of their mass, at least
USUAL = 0.25  # square of what a mean of masses is off by, in units of their usual change


@loop
def foretold_loop(f: F64, n: I32, held: U8, room: int, i: int, young: int, p: F64) -> float:
    """`mergers._foretold` of a row, which is held and let go again."""
    x, y, vx, vy = f[X * room + i], f[Y * room + i], f[VX * room + i], f[VY * room + i]
    p00, p01, p11, before = f[P00 * room + i], f[P01 * room + i], f[P11 * room + i], held[i]
    bias, uneven = f[BIAS * room + i], f[D00 * room + i]
    hold_loop(f, n, held, room, i, p[Q], p[SPEED], 0)
    told = f[P00 * room + i] + f[BIAS * room + i]
    if young and told < p00:
        less = told / p00
        x, y, p00, p01, p11 = f[X * room + i], f[Y * room + i], p00 * less, p01 * less, p11 * less
        if p[CURVE] > 0.0:
            f[P02 * room + i], f[P12 * room + i] = f[P02 * room + i] * less, f[P12 * room + i] * less
            f[P22 * room + i] = f[P22 * room + i] * less
    f[X * room + i], f[Y * room + i], f[VX * room + i], f[VY * room + i] = x, y, vx, vy
    f[P00 * room + i], f[P01 * room + i], f[P11 * room + i], held[i] = p00, p01, p11, before
    f[BIAS * room + i], f[D00 * room + i] = bias, uneven
    return float(told)


@loop
def pulled_loop(uneven: float, odds: float) -> float:
    """`mergers._pulled`."""
    side = uneven
    for _ in range(TURNS):
        x = odds * side
        pull = max(min(x * (15.0 + x * x) / (15.0 + 6.0 * x * x), 1.0), -1.0)
        fixed = (uneven + pull) / (1.0 + uneven * pull)
        side = side + (fixed - side) / max(1.0 - odds * (1.0 - fixed * fixed), STEEP)
        side = max(min(side, 1.0), -1.0)
    return float(side)


@loop
def merged_loop(f: F64, n: I32, held: U8, room: int, d: F64, wide: int, j: int, a: int, b: int, p: F64, blurs: F64,
                shift_x: F64, shift_y: F64, told: F64) -> int:  # fmt: skip
    """`mergers._between` of tracks a and b, and what follows from it."""
    young = int(max(f[GAP * room + a], f[GAP * room + b]) <= LOST_GAP)
    told[a] = foretold_loop(f, n, held, room, a, young, p)
    told[b] = foretold_loop(f, n, held, room, b, young, p)
    ex, ey = f[X * room + a] - f[X * room + b], f[Y * room + a] - f[Y * room + b]
    away = sqrt(ex * ex + ey * ey)
    ma, mb = f[MASS * room + a], f[MASS * room + b]
    wa, wb = ma / (ma + mb), mb / (ma + mb)
    both = wa * wb
    xx, yy, q = d[XX * wide + j], d[YY * wide + j], d[XY * wide + j]
    skew, size, oval = 0.5 * (xx - yy), xx + yy, d[OVALITY * wide + j]
    of_a, of_b = f[OVAL * room + a], f[OVAL * room + b]
    own = wa * of_a + wb * of_b
    prior = min(f[P00 * room + a], told[a]) + min(f[P00 * room + b], told[b])
    way, astray = min(prior, SMALL), 0.0
    drawn = 0.0
    if of_a > 0.0 and of_b > 0.0 and size > 0.0 and size - size == 0.0 and oval - oval == 0.0:
        if oval > LONGER * own:
            squares = 2.0 * oval / both
            most = sqrt(squares)
            ux, uy = sqrt(max(0.5 + 0.5 * (skew / oval), 0.0)), sqrt(max(0.5 - 0.5 * (skew / oval), 0.0))
            uy = -uy if q < 0.0 else uy
            most = -most if ex * ux + ey * uy < 0.0 else most
            ex, ey = most * ux, most * uy
            vague, rough = own / both, ROUGH * squares
            way = vague * vague / squares + rough * rough
        else:
            squares = 2.0 * (oval + own) / both
            most = sqrt(squares)
            scale = most / away if away > most else 1.0
            ex, ey, way = scale * ex, scale * ey, min(prior, 0.5 * squares)
        if p[DRAWN] > 0.0:
            squares = ex * ex + ey * ey
            odds = squares / (8.0 * max(0.5 * size - oval, THIN))
            uneven, usual_a, usual_b = wa - wb, f[FLICKER * room + a], f[FLICKER * room + b]
            side = pulled_loop(uneven, odds)
            wrong = sqrt(SHARES * SHARES + 4.0 * USUAL * (both * both) * (usual_a * usual_a + usual_b * usual_b))
            spread = 0.25 * (pulled_loop(min(uneven + wrong, 1.0), odds) - pulled_loop(max(uneven - wrong, -1.0), odds))
            drawn = 0.5 * (side - uneven)
            astray = squares * ((OFF * drawn) * (OFF * drawn) + spread * spread)
    blurs[a] = max(sqrt(wb * wb * way + astray), 1e-9)
    blurs[b] = max(sqrt(wa * wa * way + astray), 1e-9)
    shift_x[a], shift_y[a] = (wb - drawn) * ex, (wb - drawn) * ey
    shift_x[b], shift_y[b] = (wb - 1.0 - drawn) * ex, (wb - 1.0 - drawn) * ey
    return 0
