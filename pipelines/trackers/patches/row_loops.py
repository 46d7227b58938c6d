"""Rows of windows that went by (`steady`), as loops."""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, U8, at, lay_f32, lay_f64, lay_i32, lay_i64, loop
from pipelines.features import TRACK_DTYPE, Reason, State
from pipelines.trackers.patches.ellipse_loops import SHAPE, lay_ellipse

ROW = TRACK_DTYPE.itemsize
FRAME, TIME, TRACK, X, Y, VX, VY, SIGMA, ANISOTROPY, CORRELATION, SCORE, STATE, REASON = (
    TRACK_DTYPE.fields[name][1] for name in TRACK_DTYPE.names)  # type: ignore[index, union-attr]  # fmt: skip
TENTATIVE, TRACKED, NONE = int(State.TENTATIVE), int(State.TRACKED), int(Reason.NONE)


@loop
def lay_rows(kept: F64, number: int, count: int, order: I64, clocks: F64, track: I32, hits: I32, least: int,
             shapes: F64, out: U8) -> int:  # fmt: skip
    """Rows as `Tracker.rows` gives them, of each frame after the other.

    Args:
        kept: `steady.KEPT` of `number` frames, `count` of each.
        order: in which the windows' rows come.
        clocks: index, time and rate of each frame (`base.Clock`); track: ids.
        hits: how often each was seen before these frames; after `least` times it is believed.
        shapes: of the windows' uncertainties in each frame (`ellipse_loops`).
        out: bytes of the rows, (number, count).
    """
    for f in range(number):
        frame, time, rate = int(clocks[3 * f]), clocks[3 * f + 1], clocks[3 * f + 2]
        for n in range(count):
            i = order[n]
            row, one = at(out, (f * count + n) * ROW), at(kept, 6 * f * count + i)
            lay_i64(row, FRAME, frame)
            lay_f64(row, TIME, time)
            lay_i32(row, TRACK, track[i])
            lay_f64(row, X, one[0])
            lay_f64(row, Y, one[count])
            lay_f64(row, VX, one[2 * count] * rate)
            lay_f64(row, VY, one[3 * count] * rate)
            lay_ellipse(row, one[4 * count], at(shapes, SHAPE * (f * count + i)))
            lay_f32(row, SCORE, min(max(one[5 * count], 0.0), 1.0))
            row[STATE] = TRACKED if hits[i] + f + 1 >= least else TENTATIVE
            row[REASON] = NONE
    return 0
