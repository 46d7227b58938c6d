"""Points that a network gives as coordinates, of all frames of a batch, as loops."""

from __future__ import annotations

from kernels.decoders.point_row_loops import point_row, sigmoids
from kernels.ir.placement import PARTS
from kernels.ir.table import COLUMNS
from kernels.loops.language import F32, F64, I64, at, loop
from kernels.loops.records import record
from kernels.loops.structs import Struct, struct


@record
class Points:
    """What a network gives for each point and what it means."""

    frames: int
    points: int
    numbers: int  # of a point
    x: int  # which of them are x, y and, unless -1, the score
    y: int
    score: int
    scores: int  # apart: none, one for all points, or one each
    logits: int  # whether scores are logits
    least: float  # score
    unit: float  # what is 1 of the network's input's width or height; 0: coordinates are px
    zero: float  # px of where coordinates begin, in px whose centres are whole numbers
    shift: float  # of coordinates in units: what lies at the left, or upper, edge
    width: float  # of the network's input, px, where no placement says
    height: float
    nothing: float  # NaN


@loop
def score_of(values: F32, scores: F32, p: Points, n: int, k: int) -> float:
    """What the network says of point k of frame n; 1 where it says nothing."""
    sure = 1.0
    if p.score >= 0:
        sure = float(values[(n * p.points + k) * p.numbers + p.score])
    if p.scores == 1:
        sure = float(scores[n])
    if p.scores > 1:
        sure = float(scores[n * p.points + k])
    return sure


@loop
def located(values: F32, p: Points, n: int, k: int, placed: F64, out: F64) -> int:
    """x and y of point k of frame n, px of the network's input. Returns 1; 0 where one is not finite."""
    width, height = p.width if p.width > 0.0 else placed[6], p.height if p.height > 0.0 else placed[7]
    across, down = 1.0, 1.0
    if p.unit > 0.0:
        across, down = width / p.unit, height / p.unit
    start = (n * p.points + k) * p.numbers
    out[0] = (float(values[start + p.x]) - p.shift) * across + p.zero
    out[1] = (float(values[start + p.y]) - p.shift) * down + p.zero
    return 1 if out[0] - out[0] == 0.0 and out[1] - out[1] == 0.0 else 0


@struct
class Places(Struct):
    """The points of all frames, one behind the other."""

    rows: F64  # of FEATURE
    score: F64  # a number a row
    point: I64  # which point of the network's each row is
    ends: I64  # a number a frame: behind its last row


@loop
def coordinate_loop(values: F32, scores: F32, p: Points, placed: F64, sure: F64, work: F64, out: Places) -> int:
    """Rows of FEATURE of all frames one behind the other; returns how many.

    Args:
        scores: `p.scores` a frame.
        placed: PARTS numbers a frame.
        sure, work: room for a number a point and eight more.
    """
    made = 0
    for n in range(p.frames):
        frame = at(placed, PARTS * n)
        if frame[0] == frame[0]:
            for k in range(p.points):
                sure[k] = score_of(values, scores, p, n, k)
            if p.logits:
                sigmoids(sure, p.points, work)
            for k in range(p.points):
                if sure[k] >= p.least and located(values, p, n, k, frame, work):
                    point_row(work[0], work[1], sure[k], frame, p.nothing, at(out.rows, COLUMNS * made))
                    out.score[made], out.point[made] = sure[k], k
                    made += 1
        out.ends[n] = made
    return made
