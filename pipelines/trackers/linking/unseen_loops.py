"""`unseen.py` and `kalman.py` as loops, a track each: the operations of their NumPy functions, in their order.

`f` is the block of floats of the columns, `n` that of whole numbers, `room` the rows that they have room for and `i`
the row; `curved` says whether the filter knows the acceleration.
"""

from __future__ import annotations

from kernels.host.loops import F64, I32, U8, at, loop, mask, ones, put, sqrt, vec, where
from pipelines.trackers.linking.columns import (
    AGE,
    AX,
    AY,
    BIAS,
    D00,
    GAP,
    HT,
    HX,
    HY,
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
    SEEN,
    VX,
    VY,
    X,
    Y,
)  # fmt: skip
from pipelines.trackers.linking.unseen import HASTE, PLACES

TOP = 3  # of the fastest steps are kept


@loop
def predict_loop(f: F64, room: int, count: int, step: float, q: float, jerk: float, curved: int) -> int:
    """`predict`, and the time that passes."""
    x, y, vx, vy = at(f, X * room), at(f, Y * room), at(f, VX * room), at(f, VY * room)
    p00, p01, p11 = at(f, P00 * room), at(f, P01 * room), at(f, P11 * room)
    gap, age = at(f, GAP * room), at(f, AGE * room)
    if curved:
        ax, ay, p02 = at(f, AX * room), at(f, AY * room), at(f, P02 * room)
        p12, p22 = at(f, P12 * room), at(f, P22 * room)
        half, square = 0.5 * step * step, step * step
        for i in range(count):
            x[i] = x[i] + (step * vx[i] + half * ax[i])
            vx[i] = vx[i] + step * ax[i]
            y[i] = y[i] + (step * vy[i] + half * ay[i])
            vy[i] = vy[i] + step * ay[i]
            a0 = p00[i] + step * p01[i] + half * p02[i]
            a1 = p01[i] + step * p11[i] + half * p12[i]
            a2 = p02[i] + step * p12[i] + half * p22[i]
            b1, b2 = p11[i] + step * p12[i], p12[i] + step * p22[i]
            p00[i] = a0 + step * a1 + half * a2 + jerk * (square * square * step) / 20.0
            p01[i] = a1 + step * a2 + jerk * (square * square) / 8.0
            p02[i] = a2 + jerk * (square * step) / 6.0
            p11[i] = b1 + step * b2 + jerk * (square * step) / 3.0
            p12[i] = b2 + jerk * square / 2.0
            p22[i] = p22[i] + jerk * step
    else:
        cube, square = q * (step * step * step) / 3.0, q * step * step / 2.0
        for i in range(0, count, 8):  # rows behind the last are as good as any
            b01, b11 = vec(p01, i), vec(p11, i)
            put(x, i, vec(x, i) + step * vec(vx, i))
            put(y, i, vec(y, i) + step * vec(vy, i))
            put(p00, i, vec(p00, i) + (step * (2.0 * b01 + step * b11) + cube))
            put(p01, i, b01 + (step * b11 + square))
            put(p11, i, b11 + q * step)
    for i in range(0, count, 8):
        put(gap, i, vec(gap, i) + step)
        put(age, i, vec(age, i) + step)
    return 0


@loop
def restless_loop(f: F64, room: int, i: int, variance: float, curved: int) -> int:
    """`restless`."""
    if curved:
        f[AX * room + i], f[AY * room + i], f[P02 * room + i], f[P12 * room + i] = 0.0, 0.0, 0.0, 0.0
        f[P22 * room + i] = variance
    return 0


@loop
def share_loop(f: F64, room: int, i: int) -> float:
    """`uneven.anisotropy` of a row."""
    p00 = f[P00 * room + i]
    return float(min(max(f[D00 * room + i] / (p00 if p00 > 0.0 else 1.0), -1.0), 1.0))


@loop
def remember_loop(f: F64, n: I32, held: U8, room: int, i: int) -> int:
    """`remember`."""
    count = n[SEEN * room + i]
    slot = i * PLACES + count % PLACES
    x, y = f[X * room + i], f[Y * room + i]
    f[PX * room + i], f[PY * room + i] = x, y
    f[HX * room + slot], f[HY * room + slot], f[HT * room + slot] = x, y, f[AGE * room + i]
    f[PVAR * room + i] = f[P00 * room + i] + f[BIAS * room + i]
    f[PDIF * room + i] = f[PVAR * room + i] * share_loop(f, room, i)
    n[SEEN * room + i] = count + 1
    f[GAP * room + i] = 0.0
    held[i] = 0
    return 0


@loop
def forget_loop(f: F64, n: I32, room: int, i: int) -> int:
    """`forget`."""
    slot = i * PLACES
    f[HX * room + slot], f[HY * room + slot] = f[PX * room + i], f[PY * room + i]
    f[HT * room + slot] = f[AGE * room + i] - f[GAP * room + i]
    n[SEEN * room + i] = 1
    return 0


@loop
def top_speed_loop(f: F64, n: I32, room: int, i: int, otherwise: float, work: F64) -> float:
    """`top_speed`. `work` has room for 17 floats."""
    hx, hy, ht = at(f, HX * room + i * PLACES), at(f, HY * room + i * PLACES), at(f, HT * room + i * PLACES)
    places = n[SEEN * room + i]
    if places < TOP:
        return otherwise
    # The step from each entry to the next; that from the latest sighting to the earliest one takes no time.
    there, known, last = 0, min(places, PLACES) - 1, PLACES - 1
    for k in range(0, last, 8):
        time = vec(ht, k + 1) - vec(ht, k)
        dx, dy = vec(hx, k) - vec(hx, k + 1), vec(hy, k) - vec(hy, k + 1)
        put(work, k, where(time > 0.0, sqrt(dx * dx + dy * dy) / where(time > 0.0, time, 1.0), 0.0))
        there += ones(mask(time > 0.0) & ((1 << min(max(known - k, 0), 8)) - 1))
    if places > PLACES:
        span, wx, wy = ht[0] - ht[last], hx[last] - hx[0], hy[last] - hy[0]
        work[last] = sqrt(wx * wx + wy * wy) / span if span > 0.0 else 0.0
        known += 1
        there += span > 0.0
    first, second, third = 0.0, 0.0, 0.0
    for k in range(known):
        one = work[k]
        first, one = max(first, one), min(first, one)
        second, one = max(second, one), min(second, one)
        third = max(third, one)
    rank = min(there // 6, 2)
    return first if rank == 0 else (second if rank == 1 else third)


@loop
def reach_loop(f: F64, n: I32, room: int, i: int, change: float, max_speed: float, work: F64) -> float:
    """`reach`. `work` has room for 17 floats."""
    step = HASTE * top_speed_loop(f, n, room, i, max_speed, work) + change
    return float(within_loop(f, room, i, step, max_speed))


@loop
def within_loop(f: F64, room: int, i: int, step: float, max_speed: float) -> float:
    """`reach` of what takes such a step; it rises with the step."""
    gap = max(f[GAP * room + i], 1.0)
    vx, vy = f[VX * room + i], f[VY * room + i]
    steady = sqrt(vx * vx + vy * vy) if gap > 1.5 else 0.0
    return float(min(steady * gap + step * sqrt(gap), max_speed * gap))
