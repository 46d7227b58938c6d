"""Things that may be two as loops: `unresolved.py`, with its operations in their order."""

from __future__ import annotations

from kernels.host.loops import F64, I64, at, eight, higher, loop, lowest, mask, put, sqrt, vec, where
from pipelines.trackers.linking.columns import BIAS, LEAN, P00, PDIF, PVAR, SHAPED, SLANT, SMEARS, STRETCH, VX, VY
from pipelines.trackers.linking.link_loops import (
    BOTTOM,
    DETECTION_COLUMNS,
    LONGS,
    NOISE,
    NOTHING,
    RIGHT,
    XX,
    YY,
    ZHALF,
    ZLEAN,
)  # fmt: skip
from pipelines.trackers.linking.newcomers import LATEST
from pipelines.trackers.linking.seen_loops import LONG as LONG_OF
from pipelines.trackers.linking.seen_loops import PLAIN, SIGMA
from pipelines.trackers.linking.seen_loops import SHARE as SHARES
from pipelines.trackers.linking.unresolved import (
    BESIDE,
    BREADTH,
    EXPECTED,
    FEW,
    FRAMES,
    FULL,
    KEPT,
    LASTING,
    LIKELY,
    LIMIT,
    LONG,
    LONGER,
    LONGEST,
    MOVED,
    NEXT,
    NOW,
    PAIRS,
    RARE,
    SMEAR,
    SMEARED,
    STILL,
    STRANGE,
    USUAL,
)  # fmt: skip
from pipelines.trackers.linking.unseen_loops import share_loop

HALF_OF, LEAN_OF = ZHALF // 8, ZLEAN // 8


@loop
def shapes_loop(d: F64, wide: int, m: int, p: F64, kept: F64, z: F64) -> int:
    """`Shapes.look` of `m` detections; `keep_loop` books it. `z` has room for 24 floats."""
    longs, xx, yy = at(d, LONGS * wide), at(d, XX * wide), at(d, YY * wide)
    some, totals, breadths = eight(0.0), eight(0.0), eight(0.0)
    for j in range(0, m, 8):
        q = vec(longs, j)
        known = where(q >= 0.0, 1.0, 0.0)
        some = some + known
        totals = totals + where(known > 0.0, q / (q + 1.0), 0.0)
        breadths = breadths + where(known > 0.0, 0.5 * (vec(xx, j) + vec(yy, j)), 0.0)
    put(z, 0, some)
    put(z, 8, totals)
    put(z, 16, breadths)
    count, total, breadth = 0, 0.0, 0.0
    for k in range(8):
        count += int(z[k])
        total += z[8 + k]
        breadth += z[16 + k]
    kept[LIMIT], kept[LONGER], kept[EXPECTED], kept[SMEAR], kept[NOW] = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(KEPT):
        kept[NEXT + k] = kept[k]
    if count == 0:
        return 0
    frames = kept[FRAMES] + 1.0
    late = max(1.0 / frames, LATEST)
    usual = total / float(count) if frames == 1.0 else kept[USUAL]
    few = 1.0 + FEW / float(count)
    limit = usual / (1.0 - usual) * (few * few)
    kept[LONGER] = max(limit, kept[LASTING] / (1.0 - kept[LASTING]) * (few * few))
    kept[NEXT + USUAL], kept[NEXT + FRAMES], kept[LIMIT] = usual, frames, limit
    kept[NEXT + BREADTH] = kept[BREADTH] + late * (breadth / float(count) - kept[BREADTH])
    kept[EXPECTED] = PAIRS * breadth / ((p[RIGHT] + 1.0) * (p[BOTTOM] + 1.0))
    kept[SMEAR] = max(min(kept[SMEARED] / (kept[MOVED] + STILL * late), 1.0), 0.0)
    return 0


@loop
def keep_loop(kept: F64) -> int:
    """Book what was seen, once the frame is done."""
    for k in range(KEPT):
        kept[k] = kept[NEXT + k]
    return 0


@loop
def book_claims_loop(kept: F64, total: float, count: int) -> int:
    """`Shapes.book`, of the sum of `count` likelihoods."""
    late = max(1.0 / max(kept[NEXT + FRAMES], 1.0), LATEST)
    kept[NOW] = total / float(count)
    kept[NEXT + STRANGE] = kept[NEXT + STRANGE] + late * (kept[NOW] - kept[NEXT + STRANGE])
    return 0


@loop
def counts_loop(kept: F64) -> float:
    """`Shapes.share`."""
    strange = max(kept[NEXT + STRANGE], kept[NOW])
    share = kept[EXPECTED] / strange if kept[EXPECTED] < strange else 1.0
    return share * max(min(share / RARE - 1.0, 1.0), 0.0)


@loop
def off_loop(lasting: float, often: float, now: float, j: int, d: F64, wide: int, kept: F64) -> float:
    """`unresolved` of a row that has detection j and these squared lengths: how far off it is then; kept[LIKELY] says
    how likely."""
    breadth, made = 0.5 * (d[XX * wide + j] + d[YY * wide + j]), 0.0
    unit = 2.0 * breadth * d[NOISE * wide + j]
    drawn = (BESIDE * breadth) * (BESIDE * breadth)
    kept[LIKELY] = 0.0
    if not unit > 0.0:
        return 0.0
    mean = lasting / often
    beyond = mean / (kept[LONGER] * unit / often + drawn) - LONG * LONG
    chance = min(max(beyond / (LONGEST * LONGEST - LONG * LONG), 0.0), 1.0)
    off = chance * float(sqrt(mean))
    if off > made:
        kept[LIKELY], made = chance, off
    beyond = now / (kept[LIMIT] * unit + drawn) - LONG * LONG
    chance = min(max(beyond / (LONGEST * LONGEST - LONG * LONG), 0.0), 1.0)
    off = chance * float(sqrt(now))
    if off > made:
        kept[LIKELY], made = chance, off
    return made


@loop
def unresolved_loop(f: F64, room: int, i: int, j: int, d: F64, wide: int, kept: F64) -> float:
    """The same of row i."""
    booked = DETECTION_COLUMNS * wide + 8 * j
    half, xy, now, smear = d[booked + HALF_OF], d[booked + LEAN_OF], 0.0, kept[SMEAR]
    if half != NOTHING:
        vx, vy = f[VX * room + i], f[VY * room + i]
        half, xy = half - smear * ((vx * vx - vy * vy) / 24.0), xy - smear * (vx * vy / 12.0)
        now = half * half + xy * xy
    often = min(f[SHAPED * room + i], FULL)
    long = f[STRETCH * room + i] - smear * f[SMEARS * room + i]
    lean = f[LEAN * room + i] - smear * f[SLANT * room + i]
    lasting = (long * long + lean * lean) * often if often > 1.0 else 0.0
    return float(off_loop(lasting, often, now, j, d, wide, kept))


@loop
def alone_loop(d: F64, wide: int, spare: I64, free: int, taken: I64, kept: F64) -> int:
    """Book how likely the detections that begin tracks are two, where nothing else has a shape."""
    total, count = 0.0, 0
    for k in range(free):
        j = spare[k]
        if not taken[j]:
            booked = DETECTION_COLUMNS * wide + 8 * j
            half, xy = d[booked + HALF_OF], d[booked + LEAN_OF]
            if half != NOTHING:
                off_loop(0.0, 1.0, half * half + xy * xy, j, d, wide, kept)
                total += kept[LIKELY]
            count += 1
    if count > 0:
        book_claims_loop(kept, total, count)
    return 0


@loop
def born_loop(f: F64, room: int, i: int, j: int, d: F64, wide: int, kept: F64) -> int:
    """`booking.birth`, of row i by detection j, as far as its length goes."""
    for column in range(STRETCH, SHAPED + 1):
        f[column * room + i] = 0.0
    more = counts_loop(kept) * unresolved_loop(f, room, i, j, d, wide, kept)
    both = f[P00 * room + i] + more
    f[BIAS * room + i], f[PVAR * room + i], f[PDIF * room + i] = more, both, both * share_loop(f, room, i)
    return 0


@loop
def doubled_loop(f: F64, room: int, count: int, choice: I64, blurs: F64, d: F64, wide: int, z: F64,
                 work: F64, kept: F64) -> int:  # fmt: skip
    """`unresolved` of plain rows (`seen_rows_loop`) that are no mergers, and what these state and keep: of few. How
    many such rows there are. `work` has room for eight floats."""
    long, total, some = at(z, LONG_OF * room), 0.0, eight(0.0)
    for first in range(0, count, 8):
        some = some + where(vec(blurs, first) > 0.0, 0.0, vec(z, PLAIN * room + first))
        word = mask(vec(long, first) > 0.0)
        put(long, first, eight(0.0))
        while word != 0:
            i = first + lowest(word)
            word = higher(word)
            long[i] = unresolved_loop(f, room, i, choice[i], d, wide, kept)
            total += kept[LIKELY]
    put(work, 0, some)
    known = 0
    for k in range(8):
        known += int(work[k])
    if known > 0:
        book_claims_loop(kept, total, known)
    if total > 0.0:
        share = counts_loop(kept)
        for first in range(0, count, 8):
            word = mask(vec(long, first) > 0.0)
            while word != 0:
                i = first + lowest(word)
                word = higher(word)
                both = f[BIAS * room + i] + share * long[i]
                f[BIAS * room + i] = both
                both = f[P00 * room + i] + both
                z[SIGMA * room + i] = sqrt(max(both, 0.0))
                f[PVAR * room + i], f[PDIF * room + i] = both, both * z[SHARES * room + i]
    return known
