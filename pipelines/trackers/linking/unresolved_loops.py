"""Things that may be two as loops: `unresolved.py`, with its operations in their order."""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, at, eight, higher, loop, lowest, mask, put, sqrt, vec, where
from pipelines.trackers.linking.columns import BIAS, HITS, LENGTH, P00, PDIF, PVAR, VX, VY
from pipelines.trackers.linking.link_loops import (
    BOTTOM,
    DETECTION_COLUMNS,
    DX,
    DY,
    LONGS,
    NOISE,
    OVALITY,
    RIGHT,
    XX,
    XY,
    YY,
    ZLONG,
)  # fmt: skip
from pipelines.trackers.linking.newcomers import LATEST
from pipelines.trackers.linking.seen_loops import PLAIN, SIGMA
from pipelines.trackers.linking.seen_loops import SHARE as SHARES
from pipelines.trackers.linking.unresolved import (
    BREADTH,
    FEW,
    FRAMES,
    KEPT,
    LIMIT,
    LONG,
    LONGEST,
    NEAR,
    NEXT,
    PAIRS,
    SCATTER,
    SHARE,
    STRANGE,
    USUAL,
)  # fmt: skip
from pipelines.trackers.linking.unseen_loops import share_loop

LONG_OF = ZLONG // 8


@loop
def near_bits(x: F64, y: F64, k: int, m: int, here: float, low: float, reach: float) -> int:
    """Which of the eight detections from k on, of `m`, are near that place."""
    dx, dy = vec(x, k) - here, vec(y, k) - low
    return mask(dx * dx + dy * dy < reach) & ((1 << min(m - k, 8)) - 1)


@loop
def shapes_loop(d: F64, wide: int, m: int, p: F64, kept: F64, z: F64) -> int:
    """`Shapes.look` of `m` detections; `keep_loop` books it. `z` has room for 24 floats."""
    x, y, booked, longs = at(d, DX * wide), at(d, DY * wide), at(d, DETECTION_COLUMNS * wide), at(d, LONGS * wide)
    xx, yy = at(d, XX * wide), at(d, YY * wide)
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
    kept[LIMIT], kept[SHARE] = 0.0, 0.0
    for k in range(KEPT):
        kept[NEXT + k] = kept[k]
    if count == 0:
        return 0
    frames = kept[FRAMES] + 1.0
    late = max(1.0 / frames, LATEST)
    usual = kept[USUAL] + late * (total / float(count) - kept[USUAL])
    few, strange = 1.0 + FEW / float(count), 0
    limit = usual / (1.0 - usual) * (few * few)
    for first in range(0, m, 8):
        word = mask(vec(longs, first) > LONG * LONG * limit)
        while word != 0:
            j = first + lowest(word)
            word = higher(word)
            reach, here, low = NEAR * (0.5 * (xx[j] + yy[j]) - d[OVALITY * wide + j]), x[j], y[j]
            near = near_bits(x, y, first, m, here, low, reach) & (255 - (1 << (j - first)))
            k = first - 8
            while near == 0 and k >= 0 and (low - y[k + 7]) * (low - y[k + 7]) < reach:
                near = near_bits(x, y, k, m, here, low, reach)
                k -= 8
            k = first + 8
            while near == 0 and k < m and (y[k] - low) * (y[k] - low) < reach:
                near = near_bits(x, y, k, m, here, low, reach)
                k += 8
            if near == 0:
                strange += 1
            else:
                booked[8 * j + LONG_OF] = -1.0
    often = kept[STRANGE] + late * (float(strange) / float(count) - kept[STRANGE])
    expected = PAIRS * breadth / ((p[RIGHT] + 1.0) * (p[BOTTOM] + 1.0))
    kept[NEXT + USUAL], kept[NEXT + STRANGE], kept[NEXT + FRAMES], kept[LIMIT] = usual, often, frames, limit
    kept[NEXT + BREADTH] = kept[BREADTH] + late * (breadth / float(count) - kept[BREADTH])
    kept[SHARE] = expected / often if expected < often else 1.0
    return 0


@loop
def keep_loop(kept: F64) -> int:
    """Book what `shapes_loop` saw, once the frame is done."""
    for k in range(KEPT):
        kept[k] = kept[NEXT + k]
    return 0


@loop
def unresolved_loop(f: F64, room: int, i: int, j: int, d: F64, wide: int, often: int, kept: F64) -> float:
    """`unresolved` of row i, which has detection j and was seen so often."""
    long, limit = f[LENGTH * room + i], kept[LIMIT]
    if not (d[DETECTION_COLUMNS * wide + 8 * j + LONG_OF] > LONG * LONG * limit):  # most
        return 0.0
    scatter = 1.0 + SCATTER / float(sqrt(float(often)))
    limit = limit * (scatter * scatter)
    if not (long > LONG * LONG * limit):
        return 0.0
    vx, vy = f[VX * room + i], f[VY * room + i]
    xx, yy, xy = d[XX * wide + j], d[YY * wide + j], d[XY * wide + j]
    half, breadth = 0.5 * (xx - yy), 0.5 * (xx + yy)
    a, b = (vx * vx - vy * vy) / 24.0, vx * vy / 12.0
    square = a * a + b * b
    smeared = (half * a + xy * b) / (square if square > 0.0 else 1.0)
    smeared = (smeared if smeared < 1.0 else 1.0) if smeared > 0.0 else 0.0
    half, xy = half - smeared * a, xy - smeared * b
    oval = half * half + xy * xy
    now = oval / (2.0 * breadth * d[NOISE * wide + j])
    likely = ((now if now < long else long) / limit - LONG * LONG) / (LONGEST * LONGEST - LONG * LONG)
    likely = likely if likely < 1.0 else 1.0
    return kept[SHARE] * likely * float(sqrt(oval)) if likely > 0.0 else 0.0


@loop
def born_loop(f: F64, room: int, i: int, j: int, d: F64, wide: int, kept: F64) -> int:
    """`booking.birth`, of row i by detection j, as far as its length goes."""
    length = d[DETECTION_COLUMNS * wide + 8 * j + LONG_OF]
    f[LENGTH * room + i] = length if length > 0.0 else 0.0
    more = unresolved_loop(f, room, i, j, d, wide, 1, kept)
    both = f[P00 * room + i] + more
    f[BIAS * room + i], f[PVAR * room + i], f[PDIF * room + i] = more, both, both * share_loop(f, room, i)
    return 0


@loop
def doubled_loop(f: F64, n: I32, room: int, count: int, choice: I64, blurs: F64, d: F64, wide: int, z: F64,
                 kept: F64) -> int:  # fmt: skip
    """`unresolved` of plain rows (`seen_rows_loop`) that are no mergers, and what these state and keep: of few."""
    long, limit = at(f, LENGTH * room), LONG * LONG * kept[LIMIT]
    for first in range(0, count, 8):
        alone = where(vec(blurs, first) > 0.0, 0.0, vec(z, PLAIN * room + first))
        word = mask(where(alone > 0.0, vec(long, first), 0.0) > limit)
        while word != 0:
            i = first + lowest(word)
            word = higher(word)
            both = f[BIAS * room + i] + unresolved_loop(f, room, i, choice[i], d, wide, n[HITS * room + i] + 1, kept)
            f[BIAS * room + i] = both
            both = f[P00 * room + i] + both
            z[SIGMA * room + i] = sqrt(max(both, 0.0))
            f[PVAR * room + i], f[PDIF * room + i] = both, both * z[SHARES * room + i]
    return 0
