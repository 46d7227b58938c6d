"""Rows that leave (`pipelines.features.TRACK_DTYPE`)."""

from __future__ import annotations

from typing import Any

from kernels.host.loops import U8, lay_f32, lay_f64, lay_i32, lay_i64, loop, sqrt
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
    p00 = max(t.p00[i], 1e-30)
    lay_i64(out, O_FRAME, p.index)
    lay_f64(out, O_TIME, p.time)
    lay_i32(out, O_TRACK, int(t.track[i]))
    lay_f64(out, O_X, t.x[i])
    lay_f64(out, O_Y, t.y[i])
    lay_f64(out, O_VX, t.vx[i] * p.rate)
    lay_f64(out, O_VY, t.vy[i] * p.rate)
    lay_f32(out, O_SIGMA, sqrt(p00))
    lay_f32(out, O_ANISOTROPY, min(max(t.uneven[i] / p00, -1.0), 1.0))
    lay_f32(out, O_CORRELATION, 0.0)
    lay_f32(out, O_SCORE, t.score[i])
    out[O_STATE], out[O_REASON] = state, reason
    return 0
