"""Between which values a float lies whatever the pixels are (interval arithmetic), and so whether it can be a NaN.

Ends are widened by more than operations can round; an end that overflows is infinite. Where an operation could make a
NaN of what goes in (inf - inf, 0 * inf, 0 / 0, the root of what is negative), nothing is known of what comes out; the
same of the pixels of a float image, and of states.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from kernels.fusion.narrow import Range, ranges
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import BOOL, F32
from kernels.ir.ops import convert

Interval = tuple[float, float]
WIDER = 1 + 2.0**-20
"""f32 rounds by 2**-24 of the value at most, and f64 by less."""
SMALLEST = 2.0**-148
"""Twice the least f32 above 0: what is as small as that may be rounded by its whole."""


def float_ranges(roots: Sequence[Expr], limits: Mapping[str, Interval]) -> dict[Expr, Interval]:
    """Intervals of the floats that `roots` are made of; those of which nothing is known are left out.

    Args:
        limits: of live parameters, by name (see `kernels.ir.body.Body`).
    """
    order = list(postorder(roots))
    whole = ranges(order)
    known: dict[Expr, Interval] = {}
    for node in order:
        if node.dtype.is_float:
            found = _interval(node, known, whole, limits)
            if found is not None and not any(map(math.isnan, found)):
                known[node] = _widened(found, node)
    return known


def _widened(found: Interval, node: Expr) -> Interval:
    # Outwards by more than the rounding of the operation.
    low, high = (v + side * (abs(v) * (WIDER - 1) + SMALLEST) for v, side in zip(found, (-1, 1), strict=True))
    most = float(np.finfo(node.dtype.numpy).max)  # type: ignore[type-var]
    return (low if low >= -most else -math.inf), (high if high <= most else math.inf)


def _interval(
    node: Expr, known: Mapping[Expr, Interval], whole: Mapping[Expr, Range], limits: Mapping[str, Interval]
) -> Interval | None:
    match node.op:
        case "const":
            value = float(convert(np.array([node.arg]), node.dtype)[0])
            return value, value
        case "param":
            return limits.get(node.arg)
        case "load" if node.arg.dt == 0 and node.src[0] in known:
            (low, high), border = known[node.src[0]], node.arg.border
            # A look that leaves the image may get the border's value; at the pixel itself, and by other rules, only
            # values of the plane.
            here = (node.arg.dy, node.arg.dx, node.arg.size) == (0, 0, None)
            if here or border.mode != "constant":
                return low, high
            outside = float(convert(np.array([border.value]), node.dtype)[0])
            return None if math.isnan(outside) else (min(low, outside), max(high, outside))
        case "convert" if not node.src[0].dtype.is_float:
            given = (0, 1) if node.src[0].dtype == BOOL else whole.get(node.src[0])
            return None if given is None else (float(given[0]), float(given[1]))
    # The condition of a select chooses, but is no value of it.
    values = [s for s in node.src if s.dtype != BOOL] if node.op == "select" else node.src
    src = [known.get(s) for s in values]
    return None if not src or any(s is None for s in src) else _arithmetic(node, [s for s in src if s is not None])


def _arithmetic(node: Expr, src: Sequence[Interval]) -> Interval | None:
    a, b = src[0], src[-1]
    match node.op:
        case "add":
            return a[0] + b[0], a[1] + b[1]
        case "sub":
            return a[0] - b[1], a[1] - b[0]
        case "mul":
            return _product(node, a, b)
        # No 0 within the divisor and nothing infinite: the quotient is no NaN, and monotonic in both.
        case "div" if not b[0] <= 0 <= b[1] and not any(map(math.isinf, (*a, *b))):
            return _hull([x / y for x in a for y in b])
        case "neg":
            return -a[1], -a[0]
        case "abs":
            return max(0.0, a[0], -a[1]), max(-a[0], a[1])
        case "min":
            return min(a[0], b[0]), min(a[1], b[1])
        case "max":
            return max(a[0], b[0]), max(a[1], b[1])
        case "select":
            return _hull([*a, *b])
        case "sqrt" if a[0] >= 0:
            return math.sqrt(a[0]), math.sqrt(a[1])
        case "floor" | "ceil" | "rint":
            return a[0] - 1, a[1] + 1
        case "convert":
            return a
    return None


def _product(node: Expr, a: Interval, b: Interval) -> Interval | None:
    infinite, zero = any(map(math.isinf, (*a, *b))), any(low <= 0 <= high for low, high in (a, b))
    # 0 times infinity may be among them.
    if infinite and zero:
        return None
    low, high = _hull([x * y for x in a for y in b])
    # A square is not negative.
    return (max(0.0, low), high) if node.src[0] is node.src[1] else (low, high)


def _hull(values: Sequence[float]) -> Interval:
    return min(values), max(values)


def never_nan(plane: Expr, limits: Mapping[str, Interval]) -> bool:
    """Whether a plane of f32 holds no NaN whatever goes in."""
    return plane.dtype == F32 and plane in float_ranges((plane,), limits)
