"""What leaves windows that were followed by their answers (`response_loops.follow`): rows, as a loop."""

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
from pipelines.features import State
from pipelines.trackers.registration.batch.row_loops import (
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
from pipelines.trackers.registration.noise.ellipse_loops import SHAPE, lay_ellipse
from pipelines.trackers.registration.response.response_loops import (
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
from pipelines.trackers.registration.response.response_loops import STATE as STATES

TRACKED, PREDICTED, LOST = int(State.TRACKED), int(State.PREDICTED), int(State.LOST)
LEAST = 1e-8  # px^2


@struct
class Answered(Struct):
    """Points that are followed by their responses."""

    count: int
    states: F64  # (count, STATE), of which the anchors are looked at
    ox: F64  # px, the points beside these
    oy: F64
    track: I32  # ids
    shapes: F64  # of their uncertainties (`ellipse_loops`)


@struct
class Ends(Struct):
    """When points ended."""

    frames: I64  # (points,), in which frame each did; the number of frames where it did not
    counts: I64  # (frames,), rows of each
    seen: U8  # (frames, points), 1 where a point was seen before its end


@loop
def lay(answers: F64, frames: int, clocks: F64, points: Answered, most: float, ends: Ends, out: U8) -> int:
    """Rows of points as `Tracker.rows` gives them, of each frame after the other; a point's last is the one in which it
    was missed more than `most` times. The frames until all points ended.

    Args:
        answers: (frames, points, OUT).
        clocks: index, time and rate of each frame (`base.Clock`).
        ends: filled.
        out: bytes of at most frames * points rows.
    """
    count = points.count
    laid, through = 0, 0
    for p in range(count):
        ends.frames[p] = frames
    for i in range(frames):
        before = laid
        for p in range(count):
            one = at(answers, (i * count + p) * OUT)
            ends.seen[i * count + p] = 0
            # A point that has ended has no more rows.
            if ends.frames[p] == frames:
                # The last frame in which any point lived: later ones have no rows at all.
                through = i + 1
                row, anchor = at(out, laid * ROW), at(points.states, p * STATES)
                reason, state = int(one[OUT_REASON]), PREDICTED
                if reason == 0:
                    state = TRACKED
                    ends.seen[i * count + p] = 1
                elif one[OUT_MISSED] > most:
                    state = LOST
                    ends.frames[p] = i
                # Rows are packed records of `TRACK_DTYPE`, written field by field at their byte offsets.
                store_bytes_i64(row, FRAME, int(clocks[3 * i]))
                store_bytes_f64(row, TIME, clocks[3 * i + 1])
                store_bytes_i32(row, TRACK, points.track[p])
                store_bytes_f64(row, X, anchor[ANCHOR_X] + points.ox[p] + one[OUT_X])
                store_bytes_f64(row, Y, anchor[ANCHOR_Y] + points.oy[p] + one[OUT_Y])
                # Velocities are px/frame in the loops and px/s in rows.
                store_bytes_f64(row, VX, one[OUT_VX] * clocks[3 * i + 2])
                store_bytes_f64(row, VY, one[OUT_VY] * clocks[3 * i + 2])
                lay_ellipse(row, max(one[OUT_VARIANCE], LEAST), at(points.shapes, SHAPE * p))
                store_bytes_f32(row, SCORE, one[OUT_SCORE])
                row[STATE] = state
                row[REASON] = reason
                laid += 1
        ends.counts[i] = laid - before
    return through
