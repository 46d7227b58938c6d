"""Rows of tracks as loops: those of the columns that move, begin and begin anew, and those that leave."""

from __future__ import annotations

from typing import Any

from kernels.host.loops import F64, I32, U8, at, lay_f32, lay_f64, lay_i32, lay_i64, loop, put, sqrt, vec
from pipelines.features import TRACK_DTYPE, Reason, State
from pipelines.trackers.linking.columns import (
    AGE,
    BIAS,
    CURVED,
    D00,
    HITS,
    HT,
    HX,
    HY,
    JUMPING,
    MASS,
    MISSED,
    P00,
    P01,
    P11,
    PX,
    PY,
    SEEN,
    STRAIGHT,
    TRACK,
    VX,
    VY,
    WHOLE,
    X,
    Y,
)  # fmt: skip
from pipelines.trackers.linking.columns import FLICKER as FLICKERING
from pipelines.trackers.linking.columns import GAP as SINCE
from pipelines.trackers.linking.link_loops import CURVE, MIN_HITS, SPEED, Q
from pipelines.trackers.linking.momentum_loops import keep_seen_loop
from pipelines.trackers.linking.seen_loops import PLAIN, SCORE, SHARE, SIGMA
from pipelines.trackers.linking.unseen import JUMPS, PLACES
from pipelines.trackers.linking.unseen_loops import forget_loop, remember_loop, restless_loop

ROW = TRACK_DTYPE.itemsize
_FIELDS: Any = TRACK_DTYPE.fields
O_FRAME, O_TIME, O_TRACK, O_X, O_Y, O_VX, O_VY, O_SIGMA, O_ANISOTROPY, O_SCORE, O_STATE, O_REASON = (
    int(_FIELDS[name][1]) for name in _FIELDS)  # fmt: skip
"""Bytes of a row that leaves, and where its fields begin."""
TENTATIVE, TRACKED, PREDICTED, LOST = (int(state) for state in State)
NONE, NOT_DETECTED, LEFT_IMAGE, MERGED = (
    int(reason) for reason in (Reason.NONE, Reason.NOT_DETECTED, Reason.LEFT_IMAGE, Reason.MERGED))  # fmt: skip


@loop
def move_part(f: F64, here: int, there: int, size: int) -> int:
    """Copy floats to before where they are."""
    whole = size - size % 8
    for k in range(0, whole, 8):
        put(f, there + k, vec(f, here + k))
    for k in range(whole, size):
        f[there + k] = f[here + k]
    return 0


@loop
def move_rows(f: F64, n: I32, held: U8, room: int, here: int, there: int, size: int, curved: int) -> int:
    """Copy rows of tracks to before where they are."""
    for c in range(HX):
        move_part(f, c * room + here, c * room + there, size)
    move_part(f, HX * room + here * PLACES, HX * room + there * PLACES, size * PLACES)
    move_part(f, HY * room + here * PLACES, HY * room + there * PLACES, size * PLACES)
    move_part(f, HT * room + here * PLACES, HT * room + there * PLACES, size * PLACES)
    for c in range(WHOLE, CURVED if curved else STRAIGHT):
        move_part(f, c * room + here, c * room + there, size)
    for c in range(MISSED + 1):
        for i in range(size):
            n[c * room + there + i] = n[c * room + here + i]
    for i in range(size):
        held[there + i] = held[here + i]
    return 0


@loop
def birth_loop(f: F64, n: I32, held: U8, room: int, i: int, track: int, x: float, y: float, light: float, noise: float,
               uneven: float, p: F64) -> int:  # fmt: skip
    """A track's first row (`booking.birth`)."""
    curved = int(p[CURVE])
    for c in range(HX):
        f[c * room + i] = 0.0
    for k in range(PLACES):
        slot = i * PLACES + k
        f[HX * room + slot], f[HY * room + slot], f[HT * room + slot] = 0.0, 0.0, 0.0
    for c in range(WHOLE, CURVED if curved else STRAIGHT):
        f[c * room + i] = 0.0
    mass = light if light > 0.0 else 0.0
    f[X * room + i], f[Y * room + i], f[P00 * room + i] = x, y, noise
    f[P11 * room + i], f[D00 * room + i] = (0.5 * p[SPEED]) * (0.5 * p[SPEED]), uneven
    f[MASS * room + i], f[WHOLE * room + i], f[FLICKERING * room + i] = mass, 0.0, 0.1
    n[SEEN * room + i], n[TRACK * room + i], n[HITS * room + i], n[MISSED * room + i] = 0, track, 1, 0
    restless_loop(f, room, i, p[Q], curved)
    remember_loop(f, n, held, room, i)
    keep_seen_loop(f, room, i, curved)
    return 0


@loop
def restart_loop(f: F64, n: I32, room: int, i: int, x: float, y: float, noise: float, uneven: float, p: F64) -> int:
    """`booking.restart`."""
    gap = max(f[SINCE * room + i], 1e-3)
    dx, dy, old = x - f[X * room + i], y - f[Y * room + i], f[JUMPING * room + i]
    learn = max(1.0 / (1.0 + float(n[HITS * room + i])), JUMPS)
    f[JUMPING * room + i] = old + learn * ((dx * dx + dy * dy) / (gap * gap) - old)
    f[VX * room + i], f[VY * room + i] = (x - f[PX * room + i]) / gap, (y - f[PY * room + i]) / gap
    f[X * room + i], f[Y * room + i] = x, y
    f[P00 * room + i], f[P01 * room + i] = noise, noise / gap
    f[P11 * room + i] = 2.0 * noise / (gap * gap) + p[Q] * gap
    f[D00 * room + i] = uneven
    restless_loop(f, room, i, p[Q], int(p[CURVE]))
    forget_loop(f, n, room, i)
    return 0


@loop
def seen_loop(f: F64, n: I32, held: U8, room: int, i: int, curved: int) -> int:
    """`booking.account` of a track that was seen, but for its mass."""
    n[HITS * room + i], n[MISSED * room + i] = n[HITS * room + i] + 1, 0
    remember_loop(f, n, held, room, i)
    keep_seen_loop(f, room, i, curved)
    return 0


@loop
def write_row(f: F64, n: I32, room: int, i: int, frame: int, time: float, rate: float, sigma: float, share: float,
              score: float, state: int, reason: int, out: U8) -> int:  # fmt: skip
    """A row that leaves (`Tracker.rows`)."""
    lay_i64(out, O_FRAME, frame)
    lay_f64(out, O_TIME, time)
    lay_i32(out, O_TRACK, n[TRACK * room + i])
    lay_f64(out, O_X, f[X * room + i])
    lay_f64(out, O_Y, f[Y * room + i])
    lay_f64(out, O_VX, f[VX * room + i] * rate)
    lay_f64(out, O_VY, f[VY * room + i] * rate)
    lay_f32(out, O_SIGMA, sigma)
    lay_f32(out, O_ANISOTROPY, share)
    lay_f32(out, O_SCORE, score)
    out[O_STATE], out[O_REASON] = state, reason
    return 0


@loop
def sigma_loop(f: F64, room: int, i: int) -> float:
    """The standard deviation of a row that leaves."""
    return float(sqrt(max(f[P00 * room + i] + f[BIAS * room + i], 0.0)))


@loop
def plain_rows_loop(f: F64, n: I32, room: int, count: int, z: F64, frame: int, time: float, rate: float, p: F64,
                    out: U8) -> int:  # fmt: skip
    """What is left to do of the rows that are plain: counts, the list of sightings, and the row that leaves."""
    plain, score, sigma, share = at(z, PLAIN * room), at(z, SCORE * room), at(z, SIGMA * room), at(z, SHARE * room)
    x, y, age = at(f, X * room), at(f, Y * room), at(f, AGE * room)
    hx, hy, ht = at(f, HX * room), at(f, HY * room), at(f, HT * room)
    hits, missed, seen = at(n, HITS * room), at(n, MISSED * room), at(n, SEEN * room)
    vx, vy, track, least = at(f, VX * room), at(f, VY * room), at(n, TRACK * room), p[MIN_HITS]
    for i in range(count):
        if plain[i] > 0.0:
            places, often, row, here, there = seen[i], hits[i] + 1, i * ROW, x[i], y[i]
            slot = i * PLACES + places % PLACES
            hx[slot], hy[slot], ht[slot] = here, there, age[i]
            hits[i], missed[i], seen[i] = often, 0, places + 1
            # `write_row`, whose call takes as long as all of this.
            lay_i64(out, row + O_FRAME, frame)
            lay_f64(out, row + O_TIME, time)
            lay_i32(out, row + O_TRACK, track[i])
            lay_f64(out, row + O_X, here)
            lay_f64(out, row + O_Y, there)
            lay_f64(out, row + O_VX, vx[i] * rate)
            lay_f64(out, row + O_VY, vy[i] * rate)
            lay_f32(out, row + O_SIGMA, sigma[i])
            lay_f32(out, row + O_ANISOTROPY, share[i])
            lay_f32(out, row + O_SCORE, score[i])
            out[row + O_STATE], out[row + O_REASON] = TRACKED if float(often) >= least else TENTATIVE, NONE
    return 0
