"""`kalman.update_again` as a loop, a track each: the operations of its NumPy function, in their order. The names are
those of `unseen_loops.py`."""

from __future__ import annotations

from kernels.host.loops import F64, loop, rint
from pipelines.trackers.kalman import VIRTUAL
from pipelines.trackers.linking.columns import (
    AX,
    AY,
    GAP,
    P00,
    P01,
    P02,
    P11,
    P12,
    P22,
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
    SVX,
    SVY,
    VX,
    VY,
)  # fmt: skip


@loop
def keep_seen_loop(f: F64, room: int, i: int, curved: int) -> int:
    """`keep_seen`."""
    f[SVX * room + i], f[SVY * room + i] = f[VX * room + i], f[VY * room + i]
    f[S01 * room + i], f[S11 * room + i] = f[P01 * room + i], f[P11 * room + i]
    if curved:
        f[SAX * room + i], f[SAY * room + i] = f[AX * room + i], f[AY * room + i]
        f[S02 * room + i], f[S12 * room + i], f[S22 * room + i] = (
            f[P02 * room + i], f[P12 * room + i], f[P22 * room + i])  # fmt: skip
    return 0


@loop
def update_again_loop(f: F64, room: int, i: int, mx: float, my: float, variance: float, q: float, jerk: float,
                      curved: int) -> int:  # fmt: skip
    """`update_again` of one row."""
    px, py, gap = f[PX * room + i], f[PY * room + i], f[GAP * room + i]
    x, y, vx, vy = px, py, f[SVX * room + i], f[SVY * room + i]
    p00, p01, p11 = f[PVAR * room + i], f[S01 * room + i], f[S11 * room + i]
    steps = min(max(rint(gap), 1.0), float(VIRTUAL))
    step = gap / steps
    if curved:
        ax, ay = f[SAX * room + i], f[SAY * room + i]
        p02, p12, p22 = f[S02 * room + i], f[S12 * room + i], f[S22 * room + i]
        half, square = 0.5 * step * step, step * step
        for k in range(1, int(steps) + 1):
            x = x + (step * vx + half * ax)
            vx = vx + step * ax
            y = y + (step * vy + half * ay)
            vy = vy + step * ay
            a0 = p00 + step * p01 + half * p02
            a1 = p01 + step * p11 + half * p12
            a2 = p02 + step * p12 + half * p22
            b1, b2 = p11 + step * p12, p12 + step * p22
            p00 = a0 + step * a1 + half * a2 + jerk * (square * square * step) / 20.0
            p01 = a1 + step * a2 + jerk * (square * square) / 8.0
            p02 = a2 + jerk * (square * step) / 6.0
            p11 = b1 + step * b2 + jerk * (square * step) / 3.0
            p12 = b2 + jerk * square / 2.0
            p22 = p22 + jerk * step
            total, share = p00 + variance, float(k) / steps
            k0, k1, k2 = p00 / total, p01 / total, p02 / total
            rx, ry = px + (mx - px) * share - x, py + (my - py) * share - y
            x, y, vx, vy = x + k0 * rx, y + k0 * ry, vx + k1 * rx, vy + k1 * ry
            ax, ay = ax + k2 * rx, ay + k2 * ry
            p11 = max(p11 - k1 * p01, 0.0)
            p12 = p12 - k1 * p02
            p22 = max(p22 - k2 * p02, 0.0)
            p00, p01, p02 = k0 * variance, k1 * variance, k2 * variance
        f[AX * room + i], f[AY * room + i] = ax, ay
        f[P02 * room + i], f[P12 * room + i], f[P22 * room + i] = p02, p12, p22
    else:
        for k in range(1, int(steps) + 1):
            x, y = x + step * vx, y + step * vy
            p00 = p00 + (step * (2.0 * p01 + step * p11) + q * (step * step * step) / 3.0)
            p01 = p01 + (step * p11 + q * step * step / 2.0)
            p11 = p11 + q * step
            total, share = p00 + variance, float(k) / steps
            k0, k1 = p00 / total, p01 / total
            rx, ry = px + (mx - px) * share - x, py + (my - py) * share - y
            x, y, vx, vy = x + k0 * rx, y + k0 * ry, vx + k1 * rx, vy + k1 * ry
            p11 = max(p11 - k1 * p01, 0.0)
            p00, p01 = k0 * variance, k1 * variance
    f[VX * room + i], f[VY * room + i] = vx, vy
    f[P01 * room + i], f[P11 * room + i] = p01, p11
    f[P00 * room + i] = max(f[P00 * room + i], p00)
    return 0
