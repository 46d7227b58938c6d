"""Where in a detection the two things are that it holds, as a loop: `mergers._between`."""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, at, eight, gather, loop, put, sqrt, vec, where
from pipelines.trackers.linking.columns import (
    FLICKER,
    GAP,
    MASS,
    MIXED,
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
from pipelines.trackers.linking.hold_loops import O00, OBIAS, OX, OY, RING, hold_eight
from pipelines.trackers.linking.link_loops import (
    CURVE,
    DRAWN,
    DX,
    DY,
    LIGHT,
    LOST_GAP,
    NOISE,
    OVALITY,
    SPEED,
    XX,
    XY,
    YY,
    Q,
)  # fmt: skip
from pipelines.trackers.linking.merger_fits import PI, SMALL
from pipelines.trackers.linking.merger_turns import TURN
from pipelines.trackers.linking.unseen import FLICKERS, HIDING

LONGER = 3.0  # how much longer than what it holds a merger must be, so that its shape says where they are
ROUGH = 0.02  # standard deviation of the distance that a shape tells, in units of its square, 1/px: thresholds cut both
THIN = 0.25  # px^2; the least variance across that a merger's shape is taken to have
TURNS = 3  # of Newton's search for where a merger is centred
STEEP = 0.25  # and the least slope that it believes
OFF = 0.3  # of how far a centre is drawn to the heavier of two: by how much that may be wrong
SHARES = 0.02  # standard deviation of the difference of two things' shares of their mass, at least
USUAL = 0.25  # square of what a mean of masses is off by, in units of their usual change
ROUND = 2.0 / PI  # half the mean square of a length that two normal numbers make, in units of its mean, squared
MOST = 0.25  # of the squared way: what the variance of a centre between two is at most
MISREAD = 0.03  # how often a merger's shape is not that of its two
ASIDE = 0.5 - 1.0 / PI  # of the squared way to what lies up to 45 degrees from a line: what is across


@loop
def foretold_loop(f: F64, n: I32, room: int, p: F64, first: I64, second: I64, count: int, told: F64, ring: I64,
                  z: F64) -> int:  # fmt: skip
    """`mergers._foretold` of each two tracks, four at a time."""
    who, gap = at(ring, RING), at(f, GAP * room)
    for s in range(0, count, 4):
        several = 2 * min(count - s, 4)
        for k in range(several):
            who[k] = second[s + k // 2] if k % 2 else first[s + k // 2]
        hold_eight(f, n, room, who, several, p[Q], p[SPEED], ring, z)
        for k in range(several):
            i, before = who[k], f[P00 * room + who[k]]
            sure = z[O00 + k] + z[OBIAS + k]
            told[i] = sure
            if sure < before and max(gap[i], gap[who[k + 1 - 2 * (k % 2)]]) <= LOST_GAP:
                less = sure / before
                f[X * room + i], f[Y * room + i] = z[OX + k], z[OY + k]
                f[P00 * room + i], f[P01 * room + i] = before * less, f[P01 * room + i] * less
                f[P11 * room + i] = f[P11 * room + i] * less
                if p[CURVE] > 0.0:
                    f[P02 * room + i], f[P12 * room + i] = f[P02 * room + i] * less, f[P12 * room + i] * less
                    f[P22 * room + i] = f[P22 * room + i] * less
    return 0


@loop
def pulled_loop(work: F64) -> int:
    """`mergers._pulled` of three times eight shares, in place; behind them stand the eight odds, and room for 24."""
    odds = vec(work, 24)
    for n in range(0, 24, 8):
        put(work, 32 + n, vec(work, n))
    for _ in range(TURNS):
        for n in range(0, 24, 8):
            uneven, side = vec(work, n), vec(work, 32 + n)
            x = odds * side
            pull = x * (15.0 + x * x) / (15.0 + 6.0 * x * x)
            pull = where(pull > 1.0, 1.0, pull)
            pull = where(pull < -1.0, -1.0, pull)
            fixed = (uneven + pull) / (1.0 + uneven * pull)
            slope = 1.0 - odds * (1.0 - fixed * fixed)
            side = side + (fixed - side) / where(slope < STEEP, STEEP, slope)
            side = where(side > 1.0, 1.0, side)
            put(work, 32 + n, where(side < -1.0, -1.0, side))
    for n in range(0, 24, 8):
        put(work, n, vec(work, 32 + n))
    return 0


@loop
def merged_loop(f: F64, n: I32, room: int, d: F64, wide: int, p: F64, what: I64, first: I64, second: I64, count: int,
                ring: I64, work: F64, blurs: F64, shift_x: F64, shift_y: F64, told: F64, stated: F64,
                shares: F64) -> int:  # fmt: skip
    """`mergers._between` of each two tracks and their detection, eight at a time, and what follows from it, of which
    `merger_sigma.said` are the lists `stated` and `shares`, an entry a track. The lists
    have eight entries more than `count`, which are places, too; `ring` has room for RING + 8 numbers, `work` for
    104 floats."""
    x, y, mass, ovals = at(f, X * room), at(f, Y * room), at(f, MASS * room), at(f, OVAL * room)
    p00, p01, p11 = at(f, P00 * room), at(f, P01 * room), at(f, P11 * room)
    flicker, mixed = at(f, FLICKER * room), at(f, MIXED * room)
    dxx, dyy, dxy, dovals = at(d, XX * wide), at(d, YY * wide), at(d, XY * wide), at(d, OVALITY * wide)
    foretold_loop(f, n, room, p, first, second, count, told, ring, work)
    for k in range(0, count, 8):
        said_x, said_y = gather(x, first, k) - gather(x, second, k), gather(y, first, k) - gather(y, second, k)
        ex, ey = said_x, said_y
        away = sqrt(ex * ex + ey * ey)
        ma, mb = gather(mass, first, k), gather(mass, second, k)
        wa, wb = ma / (ma + mb), mb / (ma + mb)
        both = wa * wb
        xx, yy, oval = gather(dxx, what, k), gather(dyy, what, k), gather(dovals, what, k)
        skew, size = 0.5 * (xx - yy), xx + yy
        of_a, of_b = gather(ovals, first, k), gather(ovals, second, k)
        own = wa * of_a + wb * of_b
        was_a, was_b = gather(p00, first, k), gather(p00, second, k)
        path_a, path_b = gather(told, first, k), gather(told, second, k)
        shaped = where(size - size == 0.0, where(oval - oval == 0.0, size, 0.0), 0.0)
        shaped = where(of_a > 0.0, where(of_b > 0.0, shaped, 0.0), 0.0)
        long = where(shaped > 0.0, where(oval > LONGER * own, 1.0, 0.0), 0.0)
        # Longer than what it holds.
        squares, side = 2.0 * oval / both, skew / oval
        most, ux, uy = sqrt(squares), 0.5 + 0.5 * side, 0.5 - 0.5 * side
        ux, uy = sqrt(where(ux < 0.0, 0.0, ux)), sqrt(where(uy < 0.0, 0.0, uy))
        uy = where(gather(dxy, what, k) < 0.0, -uy, uy)
        most = where(ex * ux + ey * uy < 0.0, -most, most)
        vague, rough = own / both, ROUGH * squares
        way_long, long_x, long_y = vague * vague / squares + rough * rough, most * ux, most * uy
        # And not.
        squares = 2.0 * (oval + own) / both
        most = sqrt(squares)
        scale = where(away > most, most / away, 1.0)
        bound = where(shaped > 0.0, 0.5 * squares, SMALL)
        ex = where(long > 0.0, long_x, where(shaped > 0.0, scale * ex, ex))
        ey = where(long > 0.0, long_y, where(shaped > 0.0, scale * ey, ey))
        drawn, astray = eight(0.0), eight(0.0)
        if p[DRAWN] > 0.0:
            squares, across, uneven = ex * ex + ey * ey, 0.5 * size - oval, wa - wb
            usual_a, usual_b = gather(flicker, first, k), gather(flicker, second, k)
            wrong = sqrt(SHARES * SHARES + 4.0 * USUAL * (both * both) * (usual_a * usual_a + usual_b * usual_b))
            high, low = uneven + wrong, uneven - wrong
            put(work, 0, uneven)
            put(work, 8, where(high > 1.0, 1.0, high))
            put(work, 16, where(low < -1.0, -1.0, low))
            put(work, 24, squares / (8.0 * where(across < THIN, THIN, across)))
            pulled_loop(work)
            spread = 0.25 * (vec(work, 8) - vec(work, 16))
            drawn = where(shaped > 0.0, 0.5 * (vec(work, 0) - uneven), 0.0)
            astray = where(shaped > 0.0, squares * ((OFF * drawn) * (OFF * drawn) + spread * spread), 0.0)
        # `merger_turns.bend`.
        sure = gather(at(d, NOISE * wide), what, k)
        sure_a, sure_b = where(path_a < was_a, path_a, was_a), where(path_b < was_b, path_b, was_b)
        cx, cy = wa * gather(x, first, k), wa * gather(y, first, k)
        cx, cy = gather(at(d, DX * wide), what, k) - cx, gather(at(d, DY * wide), what, k) - cy
        cx, cy = cx - wb * gather(x, second, k) - drawn * ex, cy - wb * gather(y, second, k) - drawn * ey
        vx, vy = gather(at(f, VX * room), first, k), gather(at(f, VY * room), first, k)
        haste_a = vx * vx + vy * vy
        vx, vy = gather(at(f, VX * room), second, k), gather(at(f, VY * room), second, k)
        haste_b = vx * vx + vy * vy
        squares, total = cx * cx + cy * cy, wa * wa * sure_a + wb * wb * sure_b + sure + astray
        more = wa * wa * haste_a + wb * wb * haste_b
        straight, turned = 1.0 + 0.25 * squares / total, 1.0 + 0.25 * squares / (total + more)
        straight, turned = straight * straight * straight * total, turned * turned * turned * (total + more)
        likely = TURN * straight / (TURN * straight + turned)
        usually = (4.0 + squares / (total + likely * more)) / 6.0
        often = sqrt(where(usually > 1.0, usually, 1.0))
        haste_a, haste_b = likely * haste_a, likely * haste_b
        was_a, was_b, path_a, path_b = was_a + haste_a, was_b + haste_b, path_a + haste_a, path_b + haste_b
        put(work, 80, haste_a)
        put(work, 88, haste_b)
        sure_a, sure_b = where(path_a < was_a, path_a, was_a), where(path_b < was_b, path_b, was_b)
        prior = sure_a + sure_b
        way = where(long > 0.0, way_long, where(prior < bound, prior, bound))
        blur_a, blur_b = sqrt(wb * wb * way + astray), sqrt(wa * wa * way + astray)
        blur_a, blur_b = where(blur_a < 1e-9, 1e-9, blur_a), where(blur_b < 1e-9, 1e-9, blur_b)
        put(work, 0, blur_a)
        put(work, 8, blur_b)
        put(work, 16, (wb - drawn) * ex)
        put(work, 24, (wb - drawn) * ey)
        put(work, 32, (wb - 1.0 - drawn) * ex)
        put(work, 40, (wb - 1.0 - drawn) * ey)
        # `merger_sigma.said`.
        squares = ex * ex + ey * ey
        of_a, of_b = wa * of_a, wb * of_b
        turned, rough = ROUND * (of_a * of_a + of_b * of_b) / (both * both * squares), ROUGH * squares
        across, along = where(long > 0.0, turned, way), where(long > 0.0, turned + rough * rough, way)
        common = where(long > 0.0, 0.0, way / prior)
        usual_a, usual_b = gather(flicker, first, k), gather(flicker, second, k)
        wrong = SHARES * SHARES + 4.0 * USUAL * (both * both) * (usual_a * usual_a + usual_b * usual_b)
        light = gather(at(d, LIGHT * wide), what, k)
        over, usual_a, usual_b = 1.0 - (ma + mb) / light, wa * usual_a, wb * usual_b
        odd, usual = over * over, usual_a * usual_a + usual_b * usual_b
        off, beside, most = squares * ((OFF * drawn) * (OFF * drawn)), odd - usual, MOST * squares
        beside = (astray - off) * (1.0 + where(beside > 0.0, beside, 0.0) / wrong)
        astray = where(shaped > 0.0, off + where(most < beside, most, beside), astray)
        likely = (odd - FLICKERS * FLICKERS * usual) / ((HIDING * HIDING - FLICKERS * FLICKERS) * usual)
        likely = where(likely > 0.0, likely, 0.0)
        third = where(over > 0.0, where(likely > 1.0, 1.0, likely), 0.0) * (oval + own)
        more = light / (ma + mb) - 1.0
        third_a = where(shaped > 0.0, third * (more + wb / wa), 0.0)
        third_b = where(shaped > 0.0, third * (more + wa / wb), 0.0)
        turn = 2.0 * where(squares > 0.0, ex * ex / squares, 0.5) - 1.0
        scale, ux, uy = prior + way, said_x - ex, said_y - ey
        straight, turned = 1.0 + (ux * ux + uy * uy) / (4.0 * scale), said_x + ex
        other = said_y + ey
        turned = 1.0 + (turned * turned + other * other) / (4.0 * scale)
        straight, turned = 1.0 / (straight * straight * straight), 1.0 / (turned * turned * turned)
        turned = where(long > 0.0, turned, 0.0)
        other = MISREAD * 2.0 * scale / where(squares > 1.0, squares, 1.0)
        one, two = gather(mixed, first, k), gather(mixed, second, k)
        one, either = where(two > one, two, one), straight + turned
        one, other = one + (1.0 - 2.0 * one) * turned / either, other / (either + other)
        put(work, 96, one)
        turned = 4.0 * one * (1.0 - other)
        odd_x, odd_y = turned * (ex * ex) + other * (ux * ux + prior), turned * (ey * ey) + other * (uy * uy + prior)
        either, apart = 0.5 * (odd_x + odd_y), 0.5 * (odd_x - odd_y)
        variance = sure + blur_a * blur_a
        gain = was_a / (was_a + variance)
        rest = 1.0 - gain
        path, doubt = rest * (gain * variance), rest * rest * path_a
        path = where(doubt < path, doubt, path) + 2.0 * rest * gain * (wb * common * sure_a)
        far, side = wb * wb * along + astray + (1.0 - 2.0 * ASIDE) * third_a, wb * wb * across
        more = 0.5 * (far + side) + wb * wb * either
        total = path + gain * gain * ((sure + ASIDE * third_a) + more)
        put(work, 48, sqrt(total) * often)
        put(work, 56, gain * gain * (0.5 * (far - side) * turn + wb * wb * apart) / total)
        variance = sure + blur_b * blur_b
        gain = was_b / (was_b + variance)
        rest = 1.0 - gain
        path, doubt = rest * (gain * variance), rest * rest * path_b
        path = where(doubt < path, doubt, path) + 2.0 * rest * gain * (wa * common * sure_b)
        far, side = wa * wa * along + astray + (1.0 - 2.0 * ASIDE) * third_b, wa * wa * across
        more = 0.5 * (far + side) + wa * wa * either
        total = path + gain * gain * ((sure + ASIDE * third_b) + more)
        put(work, 64, sqrt(total) * often)
        put(work, 72, gain * gain * (0.5 * (far - side) * turn + wa * wa * apart) / total)
        for lane in range(min(count - k, 8)):
            a, b = first[k + lane], second[k + lane]
            blurs[a], blurs[b] = work[lane], work[8 + lane]
            shift_x[a], shift_y[a] = work[16 + lane], work[24 + lane]
            shift_x[b], shift_y[b] = work[32 + lane], work[40 + lane]
            stated[a], shares[a] = work[48 + lane], work[56 + lane]
            stated[b], shares[b] = work[64 + lane], work[72 + lane]
            loose_a, loose_b = work[80 + lane], work[88 + lane]
            told[a], told[b] = told[a] + loose_a, told[b] + loose_b
            mixed[a], mixed[b] = work[96 + lane], work[96 + lane]
            p00[a], p01[a], p11[a] = p00[a] + loose_a, p01[a] + loose_a, p11[a] + loose_a
            p00[b], p01[b], p11[b] = p00[b] + loose_b, p01[b] + loose_b, p11[b] + loose_b
    return 0
