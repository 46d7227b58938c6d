"""Building blocks that several spatial stages share: weighted sums, separable filters, derivatives, local maxima.

They take a plane (an expression over an image) and the border rule by which it goes on outside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr, Number, convert, select
from kernels.ir.image import BOOL, F32, I32, I64, DType, arithmetic_type
from kernels.ir.ops import convert as convert_values
from kernels.ir.planes import Border, load, window

NOTHING = Border("constant", float(np.finfo(np.float32).min))
"""Outside lies nothing larger than what is inside: the border rule for local maxima."""


def gaussian_weights(sigma: float, size: int = 0) -> tuple[float, ...]:
    """Samples of exp(-k^2 / (2 sigma^2)) at k = -r .. r, normalised to the sum 1 (in float64).

    `size` is odd; 0 takes 2*ceil(4*sigma) + 1 taps, which leaves less than 1e-4 of the weight outside.
    """
    radius = size // 2 if size else max(1, math.ceil(4 * sigma))
    raw = [math.exp(-0.5 * (k / sigma) ** 2) for k in range(-radius, radius + 1)]
    return tuple(w / math.fsum(raw) for w in raw)


def derivative_weights(size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Sobel's derivative and smoothing weights of `size` taps (odd, from 3), as cv2.getDerivKernels.

    Smoothing is the binomial of `size` taps; the derivative is (-1, 0, 1) convolved with that of size - 2.
    """
    inner = [math.comb(size - 3, k) for k in range(size - 2)]
    padded = [0, 0, *inner, 0, 0]
    derivative = tuple(padded[k] - padded[k + 2] for k in range(size))
    return derivative, tuple(math.comb(size - 1, k) for k in range(size))


def weighted_sum(values: Sequence[Expr], weights: Sequence[Number]) -> Expr:
    """values[0]*weights[0] + values[1]*weights[1] + ..., without the zero weights.

    Whole-number values with whole-number weights (Python ints) stay whole numbers (i32, or i64 where the values are
    i64; see `roomy`); anything else is f32, in the order of `_float_sum`.
    """
    if any(not isinstance(w, int) for w in weights) or any(v.dtype.is_float for v in values):
        return _float_sum([convert(value, F32) for value in values], weights)
    total: Expr | None = None
    # Products by 1 and -1 are no products; the first term is never a difference, since nothing is there yet.
    for value, weight in zip(values, weights, strict=True):
        value = convert(value, arithmetic_type(value.dtype, I32))
        if weight == 0:
            continue
        if weight == -1 and total is not None:
            total = total - value
            continue
        term = value if weight == 1 else -value if weight == -1 else value * weight
        total = term if total is None else total + term
    return convert(values[0], I32) * 0 if total is None else total


def _float_sum(values: Sequence[Expr], weights: Sequence[Number]) -> Expr:
    """A weighted sum of floats, in few operations, none of which waits for many others.

    Where the weights read from the end are the same, or the same but for the sign, values are paired from both ends:
    (values[0] + values[-1]) * weights[0] and so on, the one in the middle last. The terms are then added two by two in
    this order, their sums likewise until one is left (pairwise summation: Higham, Accuracy and Stability of Numerical
    Algorithms, 2nd ed., 4.2), so that an error grows with log2 of their number.
    """
    taps = list(zip(values, weights, strict=True))
    ends = [-w for w in reversed(weights)]
    # Symmetric (or antisymmetric) weights: half as many products.
    if list(weights) in (ends, [-w for w in ends]):
        pairs = [(taps[i], taps[-1 - i]) for i in range(len(taps) // 2)]
        middle = taps[len(pairs) : len(taps) - len(pairs)]
        taps = [(a + b, w) if w == v else (a - b, w) if w > 0 else (b - a, v) for (a, w), (b, v) in pairs] + middle
    sums = [(-v if w == -1 else v if w == 1 else v * w) for v, w in taps if w != 0]
    # Pairwise; an odd one out goes on to the next round.
    while len(sums) > 1:
        sums = [a + b for a, b in zip(sums[::2], sums[1::2], strict=False)] + sums[len(sums) & ~1 :]
    return sums[0] if sums else values[0] * 0


def separable(
    plane: Expr, border: Border, across: Sequence[Number], down: Sequence[Number], columns_first: bool = False
) -> Expr:
    """Correlation with the outer product of two odd-sized weight vectors: rows first, then columns.

    Sums and types as in `weighted_sum`; a sum of whole numbers that could overflow i32 is i64.

    Args:
        columns_first: the other way round. For several filters of one plane: on CPUs its rows then are in the first
            cache once for all of them, instead of the rows that each filter makes.
    """
    if all(isinstance(w, int) for w in (*across, *down)):
        # No sum is larger than the largest value times the sum of the weights' sizes.
        plane = roomy(plane, sum(map(abs, across)) * sum(map(abs, down)))
    first, then = (down, across) if columns_first else (across, down)
    half = weighted_sum(_along(plane, border, len(first), columns_first), first)
    # Outside, the first filter has made the constant times the sum of its weights.
    beyond = after(border, plane.dtype, math.fsum(first))
    return weighted_sum(_along(half, beyond, len(then), not columns_first), then)


def _along(plane: Expr, border: Border, count: int, down: bool) -> list[Expr]:
    """`count` pixels around this one, along its row or down its column."""
    offsets = [k - count // 2 for k in range(count)]
    return [load(plane, border, dy=k) if down else load(plane, border, dx=k) for k in offsets]


def after(border: Border, dtype: DType, gain: float) -> Border:
    """How a plane of `dtype` with `border` goes on after a filter whose weights sum to `gain`."""
    if border.mode != "constant":
        return border
    outside = convert_values(np.array([border.value]), dtype)[0]
    return Border("constant", float(outside) * gain)


def largest(dtype: DType) -> float:
    """The largest magnitude of a value of `dtype`; infinity for floats."""
    return math.inf if dtype.is_float else float(2 ** (dtype.bits - (dtype.kind == "i")))


def roomy(plane: Expr, terms: Number) -> Expr:
    """`plane` as it is if the sum of `terms` of its values fits in i32 (or is a float), else in i64."""
    return plane if plane.dtype.is_float or largest(plane.dtype) * terms < 2.0**31 else convert(plane, I64)


def structure_tensor(plane: Expr, border: Border, block: int, aperture: int, scale: float) -> tuple[Expr, Expr, Expr]:
    """Windowed sums of Ix*Ix, Ix*Iy, Iy*Iy times scale**2, f32.

    Ix, Iy are Sobel's derivatives with `aperture` taps; the window is block x block pixels with the anchor block // 2.
    Whole-number images are summed exactly in i32 as long as that cannot overflow, and rounded once.
    """
    derivative, smooth = derivative_weights(aperture)
    # Half the derivative's weights are positive, the others negative; signed values span twice the largest.
    span = largest(plane.dtype) * (2 if plane.dtype.kind == "i" else 1)
    # The largest |Ix|: one side's weights of the derivative times all of the smoothing ones.
    steepest = span * sum(map(abs, derivative)) / 2 * sum(smooth)
    if steepest**2 * block * block >= 2.0**31:
        plane = convert(plane, F32)
    ix = separable(plane, border, derivative, smooth)
    iy = separable(plane, border, smooth, derivative)
    # What is constant outside has no gradient there.
    outside = Border("constant") if border.mode == "constant" else border
    offsets = (-(block // 2), block - 1 - block // 2)
    sums = (window("sum", product, outside, offsets, offsets) for product in (ix * ix, ix * iy, iy * iy))
    xx, xy, yy = (convert(s, F32) * scale**2 for s in sums)
    return xx, xy, yy


def is_local_maximum(plane: Expr) -> Expr:
    """Whether the pixel is the maximum of its 3x3 neighbourhood; of equal ones the first in raster order.

    Pixels outside the image do not count (they are below every value but the type's smallest).

    Raises:
        DefinitionError: the plane is a mask.
    """
    if plane.dtype == BOOL:
        raise DefinitionError("it takes gray values, not a mask")
    here = plane
    found: Expr | None = None
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if (dx, dy) == (0, 0):
                continue
            other = load(plane, NOTHING, dx, dy)
            # Strictly above those before it in raster order: of equal ones the first wins.
            wins = here > other if (dy, dx) < (0, 0) else here >= other
            found = wins if found is None else found & wins
    assert found is not None
    return found


def parabola_offset(before: Expr, here: Expr, behind: Expr) -> Expr:
    """Where the parabola through three samples at -1, 0, 1 has its extremum, f32, -0.5..0.5 at a local extremum.

    0 where the three lie on a line.
    """
    before, here, behind = (convert(v, F32) for v in (before, here, behind))
    # Vertex of the parabola: (left - right) / (2 (left + right)), with differences to the middle.
    left, right = here - before, here - behind
    bend = left + right
    return select(bend > 0.0, (left - right) / bend * 0.5, 0.0)
