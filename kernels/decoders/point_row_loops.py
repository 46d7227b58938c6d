"""What loops that make key points of a network's numbers share."""

from __future__ import annotations

from kernels.ir.table import COLUMNS
from kernels.loops.exponential import exponentials
from kernels.loops.language import F64, as_f64_rows, loop, sqrt


@loop
def sigmoids(values: F64, count: int, work: F64) -> int:
    """1 / (1 + e^-value) in place. work: room for `count` and seven."""
    for i in range(count):
        work[i] = -abs(values[i])
    for i in range(count, (count + 7) // 8 * 8):
        work[i] = 0.0
    exponentials(as_f64_rows(work), (count + 7) // 8)
    for i in range(count):
        values[i] = (1.0 if values[i] >= 0.0 else work[i]) / (1.0 + work[i])
    return 0


@loop
def point_row(x: float, y: float, score: float, placed: F64, nothing: float, row: F64) -> int:
    """A row of FEATURE of a key point, in px of the frame."""
    row[0] = placed[0] * x + placed[1] * y + placed[2]
    row[1] = placed[3] * x + placed[4] * y + placed[5]
    row[2], row[3], row[4] = score, score, 1.0
    for k in range(5, COLUMNS):
        row[k] = nothing
    row[9] = 0.0
    return 0


@loop
def uncertain(xx: float, xy: float, yy: float, placed: F64, row: F64) -> int:
    """sigma and anisotropy of a row by the covariance of its place, px of the network's input; none where it is 0."""
    a, b, d, e = placed[0], placed[1], placed[3], placed[4]
    vx = a * a * xx + 2.0 * a * b * xy + b * b * yy
    vy = d * d * xx + 2.0 * d * e * xy + e * e * yy
    total = vx + vy
    if total > 0.0:
        row[8], row[9] = sqrt(0.5 * total), (vx - vy) / total
    return 0
