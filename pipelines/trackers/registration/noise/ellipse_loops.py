"""The uncertainty of a window's place as an ellipse, as loops.

Least squares leave the place the covariance v N^-1, N being the normal matrix of the window's slopes: how sure it is in
which direction hangs on the texture. Of stripes N has one direction alone; along them nothing is measured, which is
said as a standard uncertainty of the window's own side: so far it may well have slid without being seen to.

A shape is six numbers: the variances of x and y and their covariance are v times the first three plus the last three.
"""

from __future__ import annotations

from kernels.loops.language import F64, I64, U8, at, loop, sqrt, store_bytes_f32
from pipelines.features import TRACK_DTYPE

ROW = TRACK_DTYPE.itemsize
SIGMA, ANISOTROPY, CORRELATION = (TRACK_DTYPE.fields[name][1] for name in ("sigma", "anisotropy", "correlation"))  # type: ignore[index]
SHAPE = 6
STRIPES = 2  # `References.textured` of windows with stripes


@loop
def shapes_of(slots: I64, count: int, inverse: F64, order: int, textured: I64, side: float, out: F64) -> int:
    """The shapes of windows by the inverses of their normal matrices (order x order numbers each)."""
    for i in range(count):
        m, o = order * order * slots[i], SHAPE * i
        a, b, c = inverse[m], inverse[m + 1], inverse[m + order + 1]
        mean = 0.5 * (a + c)
        for k in range(SHAPE):
            out[o + k] = 0.0
        # Nothing is known of directions: a circle.
        if not mean > 0.0:
            out[o], out[o + 1] = 1.0, 1.0
        elif textured[slots[i]] == STRIPES:  # a d d^T of the direction d that is measured
            # Across the stripes d d', and along them the window's side squared times 1 - d d'.
            xx, xy, yy = 0.5 * a / mean, 0.5 * b / mean, 0.5 * c / mean
            out[o], out[o + 1], out[o + 2] = xx, yy, xy
            out[o + 3], out[o + 4], out[o + 5] = side * side * yy, side * side * xx, -side * side * xy
        else:
            out[o], out[o + 1], out[o + 2] = a / mean, c / mean, b / mean
    return 0


@loop
def lay_ellipse(row: U8, variance: float, shape: F64) -> int:
    """sigma, anisotropy and correlation of a row, by the variance that the shape is for; where that is 0 there is no
    doubt at all."""
    x, y, both = 0.0, 0.0, 0.0
    if variance > 0.0:
        x, y = variance * shape[0] + shape[3], variance * shape[1] + shape[4]
        both = variance * shape[2] + shape[5]
    # x y may come out slightly below 0 by rounding.
    root = sqrt(max(x * y, 0.0))
    store_bytes_f32(row, SIGMA, sqrt(0.5 * (x + y)))
    store_bytes_f32(row, ANISOTROPY, (x - y) / (x + y) if x + y > 0.0 else 0.0)
    store_bytes_f32(row, CORRELATION, min(max(both / root, -1.0), 1.0) if root > 0.0 else 0.0)
    return 0


@loop
def lay_ellipses(rows: U8, which: I64, count: int, variances: F64, shapes: F64) -> int:
    """The same of some rows; variances and shapes are of all."""
    for n in range(count):
        lay_ellipse(at(rows, which[n] * ROW), variances[which[n]], at(shapes, SHAPE * which[n]))
    return 0
