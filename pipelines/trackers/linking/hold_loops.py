"""`unseen.hold` as a loop, eight tracks at a time: the operations of its NumPy functions, in their order. The names are
those of `unseen_loops.py`."""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, U8, at, eight, floor, gather, loop, mask, put, sqrt, vec, where
from pipelines.trackers.linking.columns import (
    BIAS,
    D00,
    DOUBT,
    GAP,
    HT,
    HX,
    HY,
    JUMPING,
    P00,
    P01,
    P11,
    PDIF,
    PVAR,
    PX,
    PY,
    SEEN,
    VX,
    VY,
    X,
    Y,
)  # fmt: skip
from pipelines.trackers.linking.unseen import LEGS, PLACES
from pipelines.trackers.linking.unseen_loops import restless_loop

TWO, FOUR = LEGS[0], LEGS[1]
WHO, FROM, LAST, STEPS, HERE, NOW, MIDDLE, FIRST, RING = 0, 8, 16, 24, 32, 40, 48, 72, 96
"""Lists of whole numbers, an entry a track: itself; where its sightings begin; the last of them; sightings of the leg
that counts; the sighting that is looked at, from where its own begin and from where all do; and, for each of LEGS,
those where the last leg begins and where the one before it does."""
OX, OY, OVX, OVY, O00, O01, O11, OBIAS, ODIF, HOLDING = range(0, 80, 8)
"""Lists of floats: what becomes of a track."""


@loop
def sightings_loop(n: I32, room: int, gap: F64, who: I64, many: int, ring: I64) -> int:
    """Where the sightings are that `hold` goes by, of `many` tracks and again of the last."""
    for lane in range(8):
        i = who[min(lane, many - 1)]
        places, since, start = n[SEEN * room + i], gap[i], i * PLACES
        count, last = min(places, PLACES), (places - 1) % PLACES
        several = count >= 3
        most = (count - 1) // 2 if several else min(count - 1, 1)
        two, four = min(most, TWO), min(most, FOUR)
        steps = most if since > FOUR else (four if since > TWO else two)
        ring[WHO + lane], ring[FROM + lane], ring[LAST + lane], ring[STEPS + lane] = i, start, start + last, steps
        a, b, c = last - two, last - four, last - most
        ring[MIDDLE + lane] = start + (a if a >= 0 else a + PLACES)
        ring[MIDDLE + 8 + lane] = start + (b if b >= 0 else b + PLACES)
        ring[MIDDLE + 16 + lane] = start + (c if c >= 0 else c + PLACES)
        a, b, c = a - two * several, b - four * several, c - most * several
        ring[FIRST + lane] = start + (a if a >= 0 else a + PLACES)
        ring[FIRST + 8 + lane] = start + (b if b >= 0 else b + PLACES)
        ring[FIRST + 16 + lane] = start + (c if c >= 0 else c + PLACES)
        a = last - steps - steps * several
        ring[HERE + lane] = a if a >= 0 else a + PLACES
    return 0


@loop
def hold_eight(f: F64, n: I32, room: int, who: I64, many: int, q: float, max_speed: float, ring: I64, z: F64) -> int:
    """`hold` of the first `many` in the list `who`, no more than eight, which leaves them as they are: what becomes of
    them are the lists of eight of `z` (HOLDING). `ring`: RING."""
    hx, hy, ht = at(f, HX * room), at(f, HY * room), at(f, HT * room)
    sightings_loop(n, room, at(f, GAP * room), who, many, ring)
    gap, pvar = gather(at(f, GAP * room), ring, WHO), gather(at(f, PVAR * room), ring, WHO)
    places, longest = gather(at(n, SEEN * room), ring, WHO), where(gap > TWO, 1.0, 0.0) + where(gap > FOUR, 1.0, 0.0)
    x, y, now = gather(hx, ring, LAST), gather(hy, ring, LAST), gather(ht, ring, LAST)
    mx, my, then = x, y, now
    ax, ay, bx, by, late = eight(0.0), eight(0.0), eight(0.0), eight(0.0), eight(0.0)
    before, top, drift, w = eight(0.0), eight(0.0), eight(0.0), eight(1.0)
    for k in range(3):
        if mask(longest >= float(k)) == 0:
            break
        counts = longest >= float(k)
        mx, my, then = gather(hx, ring, MIDDLE + 8 * k), gather(hy, ring, MIDDLE + 8 * k), gather(
            ht, ring, MIDDLE + 8 * k)  # fmt: skip
        one = now - then
        span = where(one > 0.0, one, 1.0)
        ux, uy = (x - mx) / span, (y - my) / span
        other = then - gather(ht, ring, FIRST + 8 * k)
        span = where(other > 0.0, other, 1.0)
        wx, wy = (mx - gather(hx, ring, FIRST + 8 * k)) / span, (my - gather(hy, ring, FIRST + 8 * k)) / span
        own, old = ux * ux + uy * uy, wx * wx + wy * wy
        high = where(old > own, old, own)
        alike = (ux * wx + uy * wy) / where(high > 0.0, high, 1.0)
        alike = where(alike > 0.0, alike, 0.0)
        alike = where(alike > 1.0, 1.0, alike)
        time = where(one < 1.0, 1.0, one)
        loose = 2.0 * pvar / (time * time)
        noise = 1.0 - 2.0 * loose / where(own > 0.0, own, 1.0)
        noise = where(noise > 0.0, noise, 0.0)
        alike = alike * where(noise > 1.0, 1.0, noise)
        ax, ay, bx, by = where(counts, ux, ax), where(counts, uy, ay), where(counts, wx, bx), where(counts, wy, by)
        late, before, top = where(counts, one, late), where(counts, other, before), where(counts, high, top)
        drift, w = where(counts, loose, drift), where(counts, where(alike < w, alike, w), w)
    top = where(places > 1.0, top, 0.5 * max_speed * max_speed)
    time, known = where(late < 1.0, 1.0, late), late + before
    known = where(known < gap, known, gap)
    along = w * known
    put(z, OX, gather(at(f, PX * room), ring, WHO) + ax * along)
    put(z, OY, gather(at(f, PY * room), ring, WHO) + ay * along)
    put(z, OVX, w * ax)
    put(z, OVY, w * ay)
    more, sooner = gap - known, where(time < gap, time, gap)
    more = where(known < more, known, more)
    beyond = 0.5 * top * w * w * (more * more)
    more = 0.5 * top * (1.0 - w * w) * sooner * gap + q * gap + drift * (along * along) + beyond
    p00, p11 = pvar + more, 0.5 * top * (1.0 - w * w) + q + drift
    put(z, O00, p00)
    put(z, O11, p11)
    put(z, O01, 0.5 * sqrt(more * p11))
    # `_said`. The first two of its legs are those above.
    legs, steps = where(places < PLACES, places, PLACES) - 1.0, vec(ring, STEPS)
    legs = where(places >= 3.0, floor(legs / where(steps > 1.0, steps, 1.0)), 0.0)
    ex, ey = ax - bx, ay - by
    bends, uneven = ex * ex + ey * ey, ex * ex - ey * ey
    if mask(legs > 2.0) != 0:
        for lane in range(8):
            ring[NOW + lane] = ring[FROM + lane] + ring[HERE + lane]
        vx, vy, x, y, now = bx, by, gather(hx, ring, NOW), gather(hy, ring, NOW), gather(ht, ring, NOW)
        for k in range(2, PLACES):
            if mask(legs > float(k)) == 0:
                break
            for lane in range(8):
                here = ring[HERE + lane] - ring[STEPS + lane]
                here = here if here >= 0 else here + PLACES
                ring[HERE + lane], ring[NOW + lane] = here, ring[FROM + lane] + here
            mx, my, then = gather(hx, ring, NOW), gather(hy, ring, NOW), gather(ht, ring, NOW)
            span = now - then
            span = where(span > 0.0, span, 1.0)
            ux, uy = (x - mx) / span, (y - my) / span
            ex, ey = vx - ux, vy - uy
            bends = where(legs > float(k), bends + (ex * ex + ey * ey), bends)
            uneven = where(legs > float(k), uneven + (ex * ex - ey * ey), uneven)
            vx, vy, x, y, now = ux, uy, mx, my, then
    often = where(legs > 2.0, legs - 1.0, 1.0)
    change, uneven = 0.5 * bends / often, 0.5 * uneven / often
    chance = change * change / often
    uneven = where(uneven * uneven > chance, uneven - chance / where(uneven != 0.0, uneven, 1.0), 0.0)
    bend = change - 6.0 * pvar / (time * time)
    bend = where(bend > 0.0, bend, 0.0)
    uneven = where(uneven < -bend, -bend, uneven)
    uneven = where(uneven > bend, bend, uneven)
    share, span, rest = along / time, known * (known + time) / (2.0 * time), gap - along
    often = (1.0 + share) * (1.0 + share) + share * share
    pace, dif = 0.25 * ((ax * ax + ay * ay) + (bx * bx + by * by)), 0.25 * ((ax * ax - ay * ay) + (bx * bx - by * by))
    pdif = gather(at(f, PDIF * room), ring, WHO)
    uneven = pdif * often + uneven * (span * span) + dif * (rest * rest)
    doubt, own = gather(at(f, DOUBT * room), ring, WHO), ax * ax + ay * ay
    moves = 1.0 - 2.0 * drift / where(own > 0.0, own, 1.0)
    moves = where(own > 0.0, where(moves > 0.0, moves, 0.0), 0.0)
    steady = 1.0 - moves * (1.0 - w * w)
    said = (
        doubt
        + pvar * often
        + bend * (span * span)
        + pace * (rest * rest)
        + gather(at(f, JUMPING * room), ring, WHO) * steady * (gap * gap * gap) / 6.0
    )
    put(z, OBIAS, where(places >= 3.0, said - p00, doubt))
    put(z, ODIF, where(places >= 3.0, p00 * (uneven / where(said > 0.0, said, 1.0)), pdif))
    return 0


@loop
def hold_loop(f: F64, n: I32, held: U8, room: int, who: I64, count: int, q: float, max_speed: float, curved: int,
              ring: I64, z: F64) -> int:  # fmt: skip
    """`hold` of the tracks in the list `who`. `ring` has room for RING whole numbers, `z` for HOLDING floats."""
    for s in range(0, count, 8):
        many = min(count - s, 8)
        hold_eight(f, n, room, at(who, s), many, q, max_speed, ring, z)
        for lane in range(many):
            i = ring[WHO + lane]
            f[X * room + i], f[Y * room + i] = z[OX + lane], z[OY + lane]
            f[VX * room + i], f[VY * room + i] = z[OVX + lane], z[OVY + lane]
            f[P00 * room + i], f[P01 * room + i], f[P11 * room + i] = z[O00 + lane], z[O01 + lane], z[O11 + lane]
            f[BIAS * room + i], f[D00 * room + i] = z[OBIAS + lane], z[ODIF + lane]
            held[i] = 1
            restless_loop(f, room, i, q, curved)
    return 0
