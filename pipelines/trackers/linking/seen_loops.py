"""What a sighting does to tracks, eight at a time: `kalman.correct`, `unseen.hidden`, `unseen.remember`,
`kalman.keep_seen` and the masses of `booking.account`, with the operations of these NumPy functions, in their order.

Rows that start anew after a turn keep their filter here, and those that were out of sight what the last sighting left;
their own functions follow. Vectors go over the rows behind the last: there is room, and nobody looks.
"""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, U8, at, eight, gather, loop, put, sqrt, turn, vec, where
from pipelines.trackers.linking.columns import (
    AX,
    AY,
    BIAS,
    D00,
    FLICKER,
    GAP,
    HITS,
    JUMPING,
    LEAN,
    MASS,
    MIXED,
    OVAL,
    P00,
    P01,
    P02,
    P11,
    P12,
    P22,
    PDIF,
    PVAR,
    PX,
    PY,
    S01,
    S02,
    S11,
    S12,
    S22,
    SAX,
    SAY,
    SHAPED,
    SLANT,
    SMEARS,
    STRETCH,
    SVX,
    SVY,
    VX,
    VY,
    WHOLE,
    X,
    Y,
)  # fmt: skip
from pipelines.trackers.linking.link_loops import (
    BOTTOM,
    DRAWN,
    RIGHT,
    ZHALF,
    ZLEAN,
    ZLIGHT,
    ZNOISE,
    ZUNEVEN,
    ZWIDE,
    ZX,
    ZY,
)  # fmt: skip
from pipelines.trackers.linking.newcomers import LATEST
from pipelines.trackers.linking.unresolved import (
    BESIDE,
    FRAMES,
    FULL,
    KNOWN,
    LASTING,
    LIMIT,
    LONGER,
    MAYBE,
    MOST,
    MOVED,
    NEXT,
    QUICK,
    SMEAR,
    SMEARED,
    SWAYS,
    USUAL,
)
from pipelines.trackers.linking.unresolved import LONG as ODD
from pipelines.trackers.linking.unseen import CUT, FLICKERS, HIDING, JUMPS, LOSES, REST, SHAPES

SURPRISE = 6.0  # squared Mahalanobis distance (2 degrees of freedom: 5 % of all) above which the filter doubts itself
PLAIN, SCORE, SIGMA, SHARE, LONG = range(5)
GATHERED = 5
"""Lists of floats, an entry a track: whether nothing else is to be done; score, and the standard deviation that
leaves, with its anisotropy; and whether a plain one that is no merger may be two, if it is above 0
(`unresolved.py`)."""


@loop
def seen_rows_loop(f: F64, n: I32, held: U8, room: int, count: int, choice: I64, turned: I64, booked: F64, other: I64,
                   places: I64, z: F64, nis: F64, blurs: F64, shift_x: F64, shift_y: F64, told: F64, stated: F64,
                   shares: F64, p: F64, ovals: F64, shapes: F64, curved: int) -> int:  # fmt: skip
    """All rows; lists those that are not plain in `other` and returns how many these are. `booked` has eight floats a
    detection, `ovals` its OVALITY, `places` room for 16 numbers, `z` for 64 floats more than GATHERED lists.

    `nis` is the squared distance of each detection in standard deviations, `blurs` what a merger adds to the standard
    deviation of its place (0: it is none), the shift is that from there to the track's own, `told` is the variance of
    where the path of one in a merger says that it is, and `stated` and `shares` are what its row says."""
    x, y, vx, vy = at(f, X * room), at(f, Y * room), at(f, VX * room), at(f, VY * room)
    p00, p01, p11 = at(f, P00 * room), at(f, P01 * room), at(f, P11 * room)
    px, py, pvar, gap = at(f, PX * room), at(f, PY * room), at(f, PVAR * room), at(f, GAP * room)
    svx, svy, s01, s11 = at(f, SVX * room), at(f, SVY * room), at(f, S01 * room), at(f, S11 * room)
    oval, pdif, stretch, lean = at(f, OVAL * room), at(f, PDIF * room), at(f, STRETCH * room), at(f, LEAN * room)
    d00 = at(f, D00 * room)
    bias, whole, flicker, mass = at(f, BIAS * room), at(f, WHOLE * room), at(f, FLICKER * room), at(f, MASS * room)
    hits, jumps, found, others = at(n, HITS * room), at(f, JUMPING * room), at(z, GATHERED * room), 0
    mixed = at(f, MIXED * room)
    smear, smeared, moves, owned, lengths = shapes[SMEAR], eight(0.0), eight(0.0), eight(0.0), eight(0.0)
    lasting = eight(0.0)
    for k in range(count, count + 8):
        choice[k] = -1
    for i in range(0, count, 8):
        for k in range(i, i + 8):  # without a branch, as who is not plain is a surprise
            j = choice[k]
            j = j if j >= 0 else max(-2 - j, 0)  # what it shares
            places[k - i], places[k - i + 8] = 8 * j, j
            other[others] = k
            others += (k < count) & ((choice[k] < 0) | (turned[k] != 0) | (held[k] != 0))
        turn(found, 0, booked, places, 0)
        what, anew = vec(choice, i), vec(turned, i)
        seen = where(what >= 0.0, 1.0, 0.0)
        free = where(what == -1.0, 0.0, where(anew > 0.0, 0.0, 1.0))
        plain = where(anew > 0.0, 0.0, where(vec(held, i) > 0.0, 0.0, seen))
        put(z, PLAIN * room + i, plain)
        # The filter.
        blur = vec(blurs, i)
        distance = vec(nis, i)
        doubt = distance / SURPRISE
        doubt = where(blur > 0.0, 1.0, where(doubt > 1.0, doubt, 1.0))
        variance = vec(found, ZNOISE) + blur * blur
        a00, a01, a11 = vec(p00, i) * doubt, vec(p01, i) * doubt, vec(p11, i) * doubt
        total = a00 + variance
        k0, k1 = a00 / total, a01 / total
        x0, y0, vx0, vy0 = vec(x, i), vec(y, i), vec(vx, i), vec(vy, i)
        rx, ry = vec(found, ZX) + vec(shift_x, i) - x0, vec(found, ZY) + vec(shift_y, i) - y0
        x1, y1 = where(free > 0.0, x0 + k0 * rx, x0), where(free > 0.0, y0 + k0 * ry, y0)
        vx1, vy1 = where(free > 0.0, vx0 + k1 * rx, vx0), where(free > 0.0, vy0 + k1 * ry, vy0)
        less = a11 - k1 * a01
        b00, b01 = where(free > 0.0, k0 * variance, vec(p00, i)), where(free > 0.0, k1 * variance, vec(p01, i))
        b11 = where(free > 0.0, where(less < 0.0, 0.0, less), vec(p11, i))
        put(x, i, x1)
        put(y, i, y1)
        put(vx, i, vx1)
        put(vy, i, vy1)
        put(p00, i, b00)
        put(p01, i, b01)
        put(p11, i, b11)
        # `uneven.weigh`.
        old, b, square = vec(d00, i), where(k1 > 0.0, k1, 0.0), k0 * k0
        b, before = where(b < 1.0, b, 1.0), old * doubt
        share = square * k0 * (4.0 - k0 * 2.0 - b) / (square * 2.0 + b * (2.0 - k0 * 3.0))
        share = where(share < 1.0, share, 1.0)
        uneven = vec(found, ZUNEVEN)
        dif, most = before - share * before + square * uneven, k0 * variance - square * (variance - abs(uneven))
        dif = where(most < dif, most, dif)
        dif = where(-most > dif, -most, dif)
        dif = where(free > 0.0, dif, old)
        put(d00, i, dif)
        share = dif / where(b00 > 0.0, b00, 1.0)
        share = where(share > -1.0, share, -1.0)
        share = where(share < 1.0, share, 1.0)
        put(z, SHARE * room + i, where(blur > 0.0, vec(shares, i), share))
        # What surprised it.
        newly, old = 1.0 / (1.0 + vec(hits, i)), vec(jumps, i)
        learn = where(newly > JUMPS, newly, JUMPS)
        new = old + learn * (where(distance > SURPRISE, rx * rx + ry * ry, 0.0) - old)
        put(jumps, i, where(plain > 0.0, where(blur > 0.0, old, new), old))
        # The masses.
        light, usual, old = vec(found, ZLIGHT), vec(flicker, i), vec(whole, i)
        known = where(old > 0.0, where(light > 0.0, where(blur > 0.0, 0.0, seen), 0.0), 0.0)
        low, high = where(light < old, light, old), where(light > old, light, old)
        part = where(known > 0.0, 1.0 - low / where(known > 0.0, high, 1.0), 0.0)
        # `unresolved.bent`.
        half, turned_by = vec(found, ZHALF), vec(found, ZLEAN)
        now = half * half + turned_by * turned_by
        alone = where(blur > 0.0, 0.0, where(now - now == 0.0, 1.0, 0.0))
        a, b = (vx1 * vx1 - vy1 * vy1) / 24.0, vx1 * vy1 / 12.0
        unit = 2.0 * vec(found, ZWIDE) * vec(found, ZNOISE)
        along = (half - smear * a) - (vec(stretch, i) - smear * vec(f, SMEARS * room + i))
        across = (turned_by - smear * b) - (vec(lean, i) - smear * vec(f, SLANT * room + i))
        long, noise = along * along + across * across, SWAYS * vec(found, ZWIDE)
        noise = ODD * ODD * (unit + noise * noise)
        flat = where(unit > 0.0, where(long > noise, sqrt(long), 0.0), 0.0)
        flat = where(vec(f, SHAPED * room + i) > KNOWN, flat, 0.0)
        flat = where(alone * plain > 0.0, where(known > 0.0, where(light < old, flat, 0.0), 0.0), 0.0)
        flat = where(part > LOSES * usual, flat, 0.0)
        odd = where(flat > 0.0, 1.0, where(part > FLICKERS * usual, 1.0, 0.0))
        less = where(known > 0.0, where(light < old, 1.0, 0.0), 0.0)
        rest = where(light < REST * old, REST * old, light)
        wider = where(less > 0.0, old / where(less > 0.0, rest, 1.0), 1.0)
        flat = flat * sqrt(wider - 1.0)
        square = vec(found, ZWIDE)
        square = where(square > 0.0, where(square - square == 0.0, square, 0.0), 0.0)
        uncut = eight(1.0)
        if p[DRAWN] > 0.0:
            zx, zy = vec(found, ZX), vec(found, ZY)
            back_x, back_y = p[RIGHT] - zx, p[BOTTOM] - zy
            zx, zy = where(back_x < zx, back_x, zx), where(back_y < zy, back_y, zy)
            edge = where(zy < zx, zy, zx)
            uncut = where(edge > 0.0, where(edge * edge > CUT * CUT * square, 1.0, 0.0), 0.0)
        learn = where(uncut > 0.0, where(odd > 0.0, 0.02, where(newly > 0.2, newly, 0.2)), 0.0)
        first = where(light > 0.0, where(old > 0.0, 0.0, where(blur > 0.0, 0.0, seen * uncut)), 0.0)
        put(whole, i, where(known > 0.0, old + learn * (light - old), where(first > 0.0, light, old)))
        calm = usual + where(odd > 0.0, 0.25, 1.0) * learn * (part - usual)
        put(flicker, i, where(known > 0.0, where(calm > 0.02, calm, 0.02), usual))
        part, usual = part * part, usual * usual
        likely = (part - FLICKERS * FLICKERS * usual) / ((HIDING * HIDING - FLICKERS * FLICKERS) * usual)
        likely = where(likely < 1.0, where(likely > 0.0, likely, 0.0), 1.0)
        shared = likely * part * (square * wider)
        shared = where(flat > shared, flat, shared)
        shared = where(uncut > 0.0, shared, where(light < old, 0.0, shared))
        path = vec(told, i)
        more = where(path < variance, path, variance) - b00  # `mergers.unsure`
        shared = where(blur > 0.0, where(more > 0.0, more, 0.0), shared)
        put(mixed, i, where(blur > 0.0, vec(mixed, i), 0.0))
        put(bias, i, where(seen > 0.0, shared, where(free > 0.0, shared, vec(bias, i))))
        old = vec(oval, i)
        now = gather(ovals, places, 8)
        usual = where(square > 0.0, where(now - now == 0.0, seen * alone, 0.0), 0.0)
        usual = where(odd > 0.0, 0.0, usual)
        put(oval, i, where(usual > 0.0, old + where(old > 0.0, SHAPES, 1.0) * (now - old), old))
        # `unresolved.lengthen`, how long they are then, and what tells of the smear.
        own = alone * plain
        often, along, across = vec(f, SHAPED * room + i), vec(stretch, i), vec(lean, i)
        learn = 1.0 / (1.0 + often)
        learn = where(learn > SHAPES, learn, SHAPES)
        along = where(own > 0.0, along + learn * (half - along), along)
        across = where(own > 0.0, across + learn * (turned_by - across), across)
        way, slant = vec(f, SMEARS * room + i), vec(f, SLANT * room + i)
        way = where(own > 0.0, way + learn * (a - way), way)
        slant = where(own > 0.0, slant + learn * (b - slant), slant)
        put(f, SMEARS * room + i, way)
        put(f, SLANT * room + i, slant)
        often = often + own
        put(f, SHAPED * room + i, often)
        put(stretch, i, along)
        put(lean, i, across)
        half, turned_by = half - smear * a, turned_by - smear * b
        along, across = along - smear * way, across - smear * slant
        now, often = half * half + turned_by * turned_by, where(often < FULL, often, FULL)
        mean = where(often > 1.0, (along * along + across * across) * often, 0.0)
        now, drawn, noise = where(own > 0.0, now, 0.0), BESIDE * vec(found, ZWIDE), unit * shapes[LIMIT]
        drawn = drawn * drawn
        far, long = mean - MAYBE * (unit * shapes[LONGER] + drawn * often), now - MAYBE * (noise + drawn)
        long = where(unit > 0.0, where(far > long, far, long), 0.0)
        put(z, LONG * room + i, where(blur > 0.0, 0.0, where(plain > 0.0, long, 0.0)))
        noise = noise + now
        weight, long = 1.0 / noise, now / (now + unit)
        own = where(noise > 0.0, own, 0.0)
        owned = owned + own
        lengths = lengths + where(own > 0.0, where(long < MOST, long, MOST), 0.0)
        long = mean / (mean + unit)
        lasting = lasting + where(own > 0.0, where(long < MOST, long, MOST), 0.0)
        moved = ((half + smear * a) * a + (turned_by + smear * b) * b) * weight
        smeared = smeared + where(own > 0.0, moved, 0.0)
        moves = moves + where(own > 0.0, (a * a + b * b) * weight, 0.0)
        old = vec(mass, i)
        lit = where(light > 0.0, light, 0.0)
        low, high = where(light < old, light, old), where(light > old, light, old)
        known = where(old > 0.0, where(light > 0.0, 1.0, 0.0), 0.0)
        put(z, SCORE * room + i, where(known > 0.0, low / where(known > 0.0, high, 1.0), 1.0))
        learn = where(blur > 0.0, 0.0, where(light > 0.0, where(old > 0.0, 0.2, 1.0), 0.0))
        put(mass, i, where(seen > 0.0, old + learn * (lit - old), old))
        # What is kept of the sighting.
        both = b00 + shared
        put(z, SIGMA * room + i, where(blur > 0.0, vec(stated, i), sqrt(where(both < 0.0, 0.0, both))))
        put(px, i, where(plain > 0.0, x1, vec(px, i)))
        put(py, i, where(plain > 0.0, y1, vec(py, i)))
        put(pvar, i, where(plain > 0.0, both, vec(pvar, i)))
        put(pdif, i, where(plain > 0.0, both * share, vec(pdif, i)))
        put(gap, i, where(plain > 0.0, 0.0, vec(gap, i)))
        put(svx, i, where(plain > 0.0, vx1, vec(svx, i)))
        put(svy, i, where(plain > 0.0, vy1, vec(svy, i)))
        put(s01, i, where(plain > 0.0, b01, vec(s01, i)))
        put(s11, i, where(plain > 0.0, b11, vec(s11, i)))
        if curved:
            p02, p12, p22 = at(f, P02 * room), at(f, P12 * room), at(f, P22 * room)
            ax, ay, a02, a12, a22 = vec(f, AX * room + i), vec(f, AY * room + i), vec(p02, i), vec(p12, i), vec(p22, i)
            b02, b12, b22 = a02 * doubt, a12 * doubt, a22 * doubt
            k2 = b02 / total
            b12, less = b12 - k1 * b02, b22 - k2 * b02
            ax, ay = where(free > 0.0, ax + k2 * rx, ax), where(free > 0.0, ay + k2 * ry, ay)
            b02, b12 = where(free > 0.0, k2 * variance, a02), where(free > 0.0, b12, a12)
            b22 = where(free > 0.0, where(less < 0.0, 0.0, less), a22)
            put(f, AX * room + i, ax)
            put(f, AY * room + i, ay)
            put(p02, i, b02)
            put(p12, i, b12)
            put(p22, i, b22)
            put(f, SAX * room + i, where(plain > 0.0, ax, vec(f, SAX * room + i)))
            put(f, SAY * room + i, where(plain > 0.0, ay, vec(f, SAY * room + i)))
            put(f, S02 * room + i, where(plain > 0.0, b02, vec(f, S02 * room + i)))
            put(f, S12 * room + i, where(plain > 0.0, b12, vec(f, S12 * room + i)))
            put(f, S22 * room + i, where(plain > 0.0, b22, vec(f, S22 * room + i)))
    put(found, 0, smeared)
    put(found, 8, moves)
    put(found, 16, lengths)
    put(found, 24, owned)
    put(found, 32, lasting)
    late, so_far = max(1.0 / max(shapes[NEXT + FRAMES], 1.0), LATEST), shapes[NEXT + FRAMES] - 1.0
    all_along, all_moves, all_long, all_lasting, number = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(8):  # `Shapes.move`
        all_along += found[k]
        all_moves += found[8 + k]
        all_long += found[16 + k]
        number += found[24 + k]
        all_lasting += found[32 + k]
    shapes[NEXT + SMEARED] = shapes[NEXT + SMEARED] + late * (all_along - shapes[NEXT + SMEARED])
    shapes[NEXT + MOVED] = shapes[NEXT + MOVED] + late * (all_moves - shapes[NEXT + MOVED])
    if number > 0.0:
        late = max(1.0 / max(so_far, 1.0), LATEST)
        shapes[NEXT + USUAL] = shapes[NEXT + USUAL] + late * (all_long / number - shapes[NEXT + USUAL])
        late = QUICK if shapes[NEXT + LASTING] > 0.0 else 1.0
        shapes[NEXT + LASTING] = shapes[NEXT + LASTING] + late * (all_lasting / number - shapes[NEXT + LASTING])
    return others
