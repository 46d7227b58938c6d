"""Rows of windows that went by (`batch_tracking`), as loops."""

from __future__ import annotations

from kernels.loops.language import (
    F64,
    I32,
    I64,
    U8,
    at,
    loop,
    store_bytes_f32,
    store_bytes_f64,
    store_bytes_i32,
    store_bytes_i64,
)
from kernels.loops.structs import Struct, struct
from pipelines.features import TRACK_DTYPE, Reason, State
from pipelines.trackers.registration.noise.ellipse_loops import SHAPE, lay_ellipse

ROW = TRACK_DTYPE.itemsize
FRAME, TIME, TRACK, X, Y, VX, VY, SIGMA, ANISOTROPY, CORRELATION, SCORE, STATE, REASON = (
    TRACK_DTYPE.fields[name][1] for name in TRACK_DTYPE.names)  # type: ignore[index, union-attr]  # fmt: skip
TENTATIVE, TRACKED, NONE = int(State.TENTATIVE), int(State.TRACKED), int(Reason.NONE)


@struct
class Listed(Struct):
    """Windows whose rows are written."""

    order: I64  # in which their rows come
    count: int
    track: I32  # ids
    hits: I32  # how often each was seen before
    least: int  # sightings after which one is believed


@loop
def lay_rows(kept: F64, number: int, clocks: F64, listed: Listed, shapes: F64, out: U8) -> int:
    """Rows as `Tracker.rows` gives them, of each frame after the other.

    Args:
        kept: `batch_tracking.KEPT` of `number` frames, `count` of each.
        clocks: index, time and rate of each frame (`base.Clock`).
        shapes: of the windows' uncertainties in each frame (`ellipse_loops`).
        out: bytes of the rows, (number, count).
    """
    count = listed.count
    for f in range(number):
        frame, time, rate = int(clocks[3 * f]), clocks[3 * f + 1], clocks[3 * f + 2]
        for n in range(count):
            i = listed.order[n]
            row, one = at(out, (f * count + n) * ROW), at(kept, 6 * f * count + i)
            store_bytes_i64(row, FRAME, frame)
            store_bytes_f64(row, TIME, time)
            store_bytes_i32(row, TRACK, listed.track[i])
            store_bytes_f64(row, X, one[0])
            store_bytes_f64(row, Y, one[count])
            store_bytes_f64(row, VX, one[2 * count] * rate)
            store_bytes_f64(row, VY, one[3 * count] * rate)
            lay_ellipse(row, one[4 * count], at(shapes, SHAPE * (f * count + i)))
            store_bytes_f32(row, SCORE, min(max(one[5 * count], 0.0), 1.0))
            row[STATE] = TRACKED if listed.hits[i] + f + 1 >= listed.least else TENTATIVE
            row[REASON] = NONE
    return 0
