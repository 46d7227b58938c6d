"""Rows that leave (`pipelines.features.TRACK_DTYPE`)."""

from __future__ import annotations

from typing import Any

from kernels.loops.language import U8, loop, sqrt, store_bytes_f32, store_bytes_f64, store_bytes_i32, store_bytes_i64
from pipelines.features import TRACK_DTYPE, Reason, State
from pipelines.trackers.association.records import Population, Tracks

ROW = TRACK_DTYPE.itemsize
_FIELDS: Any = TRACK_DTYPE.fields
O_FRAME, O_TIME, O_TRACK, O_X, O_Y, O_VX, O_VY, O_SIGMA, O_ANISOTROPY, O_CORRELATION, O_SCORE, O_STATE, O_REASON = (
    int(_FIELDS[name][1]) for name in _FIELDS)  # fmt: skip
"""Bytes of a row, and where its fields begin."""
TENTATIVE, TRACKED, PREDICTED, LOST = (int(state) for state in State)
NONE, NOT_DETECTED, LEFT_IMAGE, MERGED = (
    int(reason) for reason in (Reason.NONE, Reason.NOT_DETECTED, Reason.LEFT_IMAGE, Reason.MERGED))  # fmt: skip


@loop
def write_row(t: Tracks, i: int, p: Population, state: int, reason: int, out: U8) -> int:
    """The row of a track."""
    p00, uneven, correlation = t.p00[i], t.uneven[i], 0.0
    if t.doubt2[i] > 0.0:  # an ellipse along its axis
        half, ax, ay = 0.5 * t.doubt2[i], t.axis_x[i], t.axis_y[i]
        p00, uneven = p00 + half, uneven + half * (ax * ax - ay * ay)
        correlation = 2.0 * half * ax * ay / sqrt(max(p00 * p00 - uneven * uneven, 1e-30))
    p00 = max(p00, 1e-30)
    store_bytes_i64(out, O_FRAME, p.index)
    store_bytes_f64(out, O_TIME, p.time)
    store_bytes_i32(out, O_TRACK, int(t.track[i]))
    store_bytes_f64(out, O_X, t.x[i])
    store_bytes_f64(out, O_Y, t.y[i])
    store_bytes_f64(out, O_VX, t.vx[i] * p.rate)
    store_bytes_f64(out, O_VY, t.vy[i] * p.rate)
    store_bytes_f32(out, O_SIGMA, sqrt(p00))
    store_bytes_f32(out, O_ANISOTROPY, min(max(uneven / p00, -1.0), 1.0))
    store_bytes_f32(out, O_CORRELATION, min(max(correlation, -1.0), 1.0))
    store_bytes_f32(out, O_SCORE, t.score[i])
    out[O_STATE], out[O_REASON] = state, reason
    return 0
