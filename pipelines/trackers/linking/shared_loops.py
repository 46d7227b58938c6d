"""Where in a detection the two things are that it holds, as a loop: `mergers._between`."""

from __future__ import annotations

from kernels.host.loops import F64, I64, at, eight, gather, loop, put, sqrt, where
from pipelines.trackers.linking.columns import MASS, OVAL, X, Y
from pipelines.trackers.linking.link_loops import DRAWN, OVALITY, XX, XY, YY

UNKNOWN = 0.25  # standard deviation of the places in a merger whose shape says nothing, in units of their distance
LONGER = 3.0  # how much longer than what it holds a merger must be, so that its shape says where they are
ROUGH = 0.02  # standard deviation of the distance that a shape tells, in units of its square, 1/px: thresholds cut both
THIN = 0.25  # px^2; the least variance across that a merger's shape is taken to have
TURNS = 3  # of Newton's search for where a merger is centred
STEEP = 0.25  # and the least slope that it believes
OFF = 0.3  # of how far a centre is drawn to the heavier of two: by how much that may be wrong
SHARES = 0.04  # standard deviation of the difference of two things' shares of their mass


@loop
def merged_loop(f: F64, room: int, d: F64, wide: int, p: F64, what: I64, first: I64, second: I64, count: int, work: F64,
                blurs: F64, shift_x: F64, shift_y: F64) -> int:  # fmt: skip
    """`mergers._between` of each two tracks and their detection, eight at a time, and what follows from it. The lists
    have eight entries more than `count`, which are places, too; `work` has room for 48 floats."""
    x, y, mass, ovals = at(f, X * room), at(f, Y * room), at(f, MASS * room), at(f, OVAL * room)
    dxx, dyy, dxy, dovals = at(d, XX * wide), at(d, YY * wide), at(d, XY * wide), at(d, OVALITY * wide)
    for k in range(0, count, 8):
        ex, ey = gather(x, first, k) - gather(x, second, k), gather(y, first, k) - gather(y, second, k)
        away = sqrt(ex * ex + ey * ey)
        ma, mb = gather(mass, first, k), gather(mass, second, k)
        wa, wb = ma / (ma + mb), mb / (ma + mb)
        both = wa * wb
        xx, yy, oval = gather(dxx, what, k), gather(dyy, what, k), gather(dovals, what, k)
        skew, size = 0.5 * (xx - yy), xx + yy
        of_a, of_b = gather(ovals, first, k), gather(ovals, second, k)
        own = wa * of_a + wb * of_b
        told = where(size - size == 0.0, where(oval - oval == 0.0, size, 0.0), 0.0)
        told = where(of_a > 0.0, where(of_b > 0.0, told, 0.0), 0.0)
        long = where(told > 0.0, where(oval > LONGER * own, 1.0, 0.0), 0.0)
        # Longer than what it holds.
        most, side = sqrt(2.0 * oval / both), skew / oval
        ux, uy = 0.5 + 0.5 * side, 0.5 - 0.5 * side
        ux, uy = sqrt(where(ux < 0.0, 0.0, ux)), sqrt(where(uy < 0.0, 0.0, uy))
        uy = where(gather(dxy, what, k) < 0.0, -uy, uy)
        most = where(ex * ux + ey * uy < 0.0, -most, most)
        vague, rough = own / (both * most), ROUGH * most * most
        blur_long, long_x, long_y = 0.5 * sqrt(vague * vague + rough * rough), most * ux, most * uy
        # And not.
        most = sqrt(2.0 * (oval + own) / both)
        scale = where(away > most, most / away, 1.0)
        blur = where(told > 0.0, UNKNOWN * (scale * away), UNKNOWN * away)
        blur = where(long > 0.0, blur_long, blur)
        ex = where(long > 0.0, long_x, where(told > 0.0, scale * ex, ex))
        ey = where(long > 0.0, long_y, where(told > 0.0, scale * ey, ey))
        drawn, astray = eight(0.0), eight(0.0)
        if p[DRAWN] > 0.0:
            squares, across = ex * ex + ey * ey, 0.5 * size - oval
            odds = squares / (8.0 * where(across < THIN, THIN, across))
            uneven = wa - wb
            side = uneven
            for _ in range(TURNS):
                z = odds * side
                pull = z * (15.0 + z * z) / (15.0 + 6.0 * z * z)
                pull = where(pull > 1.0, 1.0, pull)
                pull = where(pull < -1.0, -1.0, pull)
                fixed = (uneven + pull) / (1.0 + uneven * pull)
                slope = 1.0 - odds * (1.0 - fixed * fixed)
                side = side + (fixed - side) / where(slope < STEEP, STEEP, slope)
                side = where(side > 1.0, 1.0, side)
                side = where(side < -1.0, -1.0, side)
            drawn = where(told > 0.0, 0.5 * (side - uneven), 0.0)
            rest = 1.0 - odds
            rest = 0.5 * SHARES * where(odds > 1.0, 1.0, odds) / where(rest < 0.1, 0.1, rest)
            astray = where(told > 0.0, sqrt(squares) * (OFF * abs(drawn) + rest), 0.0)
        of_a, of_b = 2.0 * wb * blur, 2.0 * wa * blur
        of_a, of_b = sqrt(of_a * of_a + astray * astray), sqrt(of_b * of_b + astray * astray)
        put(work, 0, where(of_a < 1e-9, 1e-9, of_a))
        put(work, 8, where(of_b < 1e-9, 1e-9, of_b))
        put(work, 16, (wb - drawn) * ex)
        put(work, 24, (wb - drawn) * ey)
        put(work, 32, (wb - 1.0 - drawn) * ex)
        put(work, 40, (wb - 1.0 - drawn) * ey)
        for lane in range(min(count - k, 8)):
            a, b = first[k + lane], second[k + lane]
            blurs[a], blurs[b] = work[lane], work[8 + lane]
            shift_x[a], shift_y[a] = work[16 + lane], work[24 + lane]
            shift_x[b], shift_y[b] = work[32 + lane], work[40 + lane]
    return 0
