"""How well detections are two tracks, eight at a time: `mergers._distance`, with its operations in their order."""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, at, eight, gather, loop, mask, put, vec, where
from pipelines.trackers.linking.columns import FLICKER, MASS, MISSED, P00, X, Y
from pipelines.trackers.linking.cost_loops import logs_loop
from pipelines.trackers.linking.link_loops import AREA, DX, DY, GATE, LIGHT, MASS_CAP, NOISE, SPREAD
from pipelines.trackers.linking.matching import FAR

BLUR = 0.15**2  # variance of a merger's place for two things that are 1 px apart
HEAVIER = 3.0  # by how many of its usual changes of mass a thing must be lighter than what it shares with another
HEAVIEST = 0.3  # and by which share of that at most: two that weigh the same make half of it each
PI = 3.141592653589793
WIDE = 1e6  # px^2; no detection is larger that says how far apart two in it may be
SMALL = 4.0  # px^2; the squared distance that two in one detection may be apart where its area is unknown
UNSEEN = 7.0  # -2 ln of how often a thing in sight goes unseen: in 3 % of the frames
GONE = 0.2  # and of how often one that was out of sight stays so: 9 frames of 10


@loop
def fits_loop(f: F64, n: I32, room: int, d: F64, wide: int, what: I64, first: I64, second: I64, count: int, p: F64,
              work: F64, fits: F64) -> int:  # fmt: skip
    """Squared distance in standard deviations of each detection `what` from the centre of mass of its tracks `first`
    and `second`; FAR where it does not hold both. The lists have eight entries more than `count`, which are places,
    too; up to seven fits behind the last are lost. `work` has room for 24 floats."""
    x, y, mass, p00 = at(f, X * room), at(f, Y * room), at(f, MASS * room), at(f, P00 * room)
    flicker, missed = at(f, FLICKER * room), at(n, MISSED * room)
    dx, dy, light, noise = at(d, DX * wide), at(d, DY * wide), at(d, LIGHT * wide), at(d, NOISE * wide)
    area, gate, spread = at(d, AREA * wide), p[GATE], p[SPREAD]
    for k in range(0, count, 8):
        ma, mb, one = gather(mass, first, k), gather(mass, second, k), gather(light, what, k)
        two = ma + mb
        wa, wb = ma / two, mb / two
        xa, xb, ya, yb = gather(x, first, k), gather(x, second, k), gather(y, first, k), gather(y, second, k)
        zx, zy, sure = gather(dx, what, k), gather(dy, what, k), gather(noise, what, k)
        pa, pb = gather(p00, first, k), gather(p00, second, k)
        ex, ey, across, high = zx - wa * xa - wb * xb, zy - wa * ya - wb * yb, xa - xb, ya - yb
        squares = across * across + high * high
        distance = (ex * ex + ey * ey) / (wa * wa * pa + wb * wb * pb + sure + BLUR * squares)
        # The usual change of a mass is no second thing.
        usual_a, usual_b = HEAVIER * gather(flicker, first, k), HEAVIER * gather(flicker, second, k)
        usual_a, usual_b = where(usual_a > HEAVIEST, HEAVIEST, usual_a), where(usual_b > HEAVIEST, HEAVIEST, usual_b)
        good = where(one - mb <= usual_b * one, 0.0, where(one - ma <= usual_a * one, 0.0, 1.0))
        good = where(distance > gate, 0.0, good)
        if mask(good > 0.0) == 0:
            put(fits, k, eight(FAR))
            continue
        put(work, 0, one / two)
        put(work, 8, one / ma)
        put(work, 16, one / mb)
        logs_loop(work, 24)
        like, like_a, like_b = vec(work, 0), vec(work, 8), vec(work, 16)
        good = where(abs(like) > where(abs(like_b) < abs(like_a), abs(like_b), abs(like_a)), 0.0, good)
        like, like_a, like_b = like / spread, like_a / spread, like_b / spread
        like, like_a, like_b = like * like, like_a * like_a, like_b * like_b
        like = where(like > MASS_CAP, MASS_CAP, like)
        # Both (`mergers._both`), against one of them (`mergers._less`).
        size = gather(area, what, k)
        inside = size / PI
        inside = where(inside < 1.0, 1.0, inside)
        inside = where(size > 0.0, where(size < WIDE, inside, SMALL), SMALL)
        apart, nearer = pa + pb + inside, wa * pa - wb * pb
        slope = nearer / apart
        ex, ey = zx - (wa * xa + wb * xb - slope * across), zy - (wa * ya + wb * yb - slope * high)
        near = where(squares > 4.0 * inside, 4.0 * inside, squares)
        total = wa * wa * pa + wb * wb * pb - slope * nearer + sure + BLUR * near
        near = (ex * ex + ey * ey) / total
        both = squares / apart + where(near > gate, gate, near) + like
        density, total_a, total_b = total * apart / inside, pa + sure, pb + sure
        put(work, 0, density / total_a)
        put(work, 8, density / total_b)
        logs_loop(work, 16)
        ex, ey = zx - xa, zy - ya
        near = (ex * ex + ey * ey) / total_a
        alone = where(near > gate, gate, near) + where(like_a > MASS_CAP, MASS_CAP, like_a)
        alone = alone + where(gather(missed, second, k) > 0.0, GONE, UNSEEN)
        good = where(both + 2.0 * vec(work, 0) >= alone, 0.0, good)
        ex, ey = zx - xb, zy - yb
        near = (ex * ex + ey * ey) / total_b
        alone = where(near > gate, gate, near) + where(like_b > MASS_CAP, MASS_CAP, like_b)
        alone = alone + where(gather(missed, first, k) > 0.0, GONE, UNSEEN)
        good = where(both + 2.0 * vec(work, 8) >= alone, 0.0, good)
        put(fits, k, where(good > 0.0, distance, FAR))
    return 0
