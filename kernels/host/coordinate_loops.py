"""Points that a network gives as coordinates, of all frames of a batch, as loops."""

from __future__ import annotations

from kernels.host.loops import F32, F64, I64, at, loop
from kernels.host.point_rows import point_row, sigmoids
from kernels.host.records import record
from kernels.ir.placement import PARTS
from kernels.ir.table import COLUMNS


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
def coordinate_loop(values: F32, scores: F32, p: Points, placed: F64, sure: F64, work: F64, rows: F64, out_score: F64,
                    point: I64, ends: I64) -> int:  # fmt: skip
    """Rows of FEATURE of all frames one behind the other; returns how many.

    Args:
        scores: `p.scores` a frame.
        placed: PARTS numbers a frame.
        sure, work: room for a number a point and eight more.
        out_score, point: a number a row.
        ends: a number a frame: behind its last row.
    """
    made = 0
    for n in range(p.frames):
        frame = at(placed, PARTS * n)
        if frame[0] == frame[0]:
            width, height = p.width if p.width > 0.0 else frame[6], p.height if p.height > 0.0 else frame[7]
            across, down = 1.0, 1.0
            if p.unit > 0.0:
                across, down = width / p.unit, height / p.unit
            for k in range(p.points):
                sure[k] = 1.0
                if p.score >= 0:
                    sure[k] = float(values[(n * p.points + k) * p.numbers + p.score])
                if p.scores == 1:
                    sure[k] = float(scores[n])
                if p.scores > 1:
                    sure[k] = float(scores[n * p.points + k])
            if p.logits:
                sigmoids(sure, p.points, work)
            for k in range(p.points):
                start = (n * p.points + k) * p.numbers
                x = (float(values[start + p.x]) - p.shift) * across + p.zero
                y = (float(values[start + p.y]) - p.shift) * down + p.zero
                if sure[k] >= p.least and x - x == 0.0 and y - y == 0.0:
                    point_row(x, y, sure[k], frame, p.nothing, at(rows, COLUMNS * made))
                    out_score[made], point[made] = sure[k], k
                    made += 1
        ends[n] = made
    return made
