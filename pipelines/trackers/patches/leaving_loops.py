"""What leaves windows that were followed by their answers (`response_loops.follow`): rows, as a loop."""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, U8, at, lay_f32, lay_f64, lay_i32, lay_i64, loop
from pipelines.features import State
from pipelines.trackers.patches.ellipse_loops import SHAPE, lay_ellipse
from pipelines.trackers.patches.response_loops import (
    ANCHOR_X,
    ANCHOR_Y,
    OUT,
    OUT_MISSED,
    OUT_REASON,
    OUT_SCORE,
    OUT_VARIANCE,
    OUT_VX,
    OUT_VY,
    OUT_X,
    OUT_Y,
)
from pipelines.trackers.patches.response_loops import STATE as STATES
from pipelines.trackers.patches.row_loops import (
    FRAME,
    REASON,
    ROW,
    SCORE,
    STATE,
    TIME,
    TRACK,
    VX,
    VY,
    X,
    Y,
)  # fmt: skip

TRACKED, PREDICTED, LOST = int(State.TRACKED), int(State.PREDICTED), int(State.LOST)
LEAST = 1e-8  # px^2


@loop
def lay(answers: F64, frames: int, points: int, states: F64, ox: F64, oy: F64, clocks: F64, track: I32, most: float,
        shapes: F64, ends: I64, counts: I64, seen: U8, out: U8) -> int:  # fmt: skip
    """Rows of points as `Tracker.rows` gives them, of each frame after the other; a point's last is the one in which it
    was missed more than `most` times. The frames until all points ended.

    Args:
        answers: (frames, points, OUT).
        states: (points, STATE), of which the anchors are looked at; ox, oy: the points beside them, px.
        clocks: index, time and rate of each frame (`base.Clock`); track: ids.
        shapes: of the points' uncertainties (`ellipse_loops`).
        ends: filled, (points,): in which frame it ended; `frames` where it did not.
        counts: filled, (frames,): rows of each.
        seen: filled, (frames, points): 1 where a point was seen before its end.
        out: bytes of at most frames * points rows.
    """
    laid, through = 0, 0
    for p in range(points):
        ends[p] = frames
    for i in range(frames):
        before = laid
        for p in range(points):
            one = at(answers, (i * points + p) * OUT)
            seen[i * points + p] = 0
            if ends[p] == frames:
                through = i + 1
                row, anchor = at(out, laid * ROW), at(states, p * STATES)
                reason, state = int(one[OUT_REASON]), PREDICTED
                if reason == 0:
                    state = TRACKED
                    seen[i * points + p] = 1
                elif one[OUT_MISSED] > most:
                    state = LOST
                    ends[p] = i
                lay_i64(row, FRAME, int(clocks[3 * i]))
                lay_f64(row, TIME, clocks[3 * i + 1])
                lay_i32(row, TRACK, track[p])
                lay_f64(row, X, anchor[ANCHOR_X] + ox[p] + one[OUT_X])
                lay_f64(row, Y, anchor[ANCHOR_Y] + oy[p] + one[OUT_Y])
                lay_f64(row, VX, one[OUT_VX] * clocks[3 * i + 2])
                lay_f64(row, VY, one[OUT_VY] * clocks[3 * i + 2])
                lay_ellipse(row, max(one[OUT_VARIANCE], LEAST), at(shapes, SHAPE * p))
                lay_f32(row, SCORE, one[OUT_SCORE])
                row[STATE] = state
                row[REASON] = reason
                laid += 1
        counts[i] = laid - before
    return through
