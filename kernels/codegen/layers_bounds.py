"""Between which values what is in an epilogue lies, as far as its own limits say it, and no NaN.

What is between two constants needs no more limits where it becomes a whole number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from kernels.fusion.narrow import limits
from kernels.ir.expr import Expr
from kernels.ir.image import F32, I8, I32, U8

Bounds = tuple[float, float]
_SAFE = 2.0**30
"""f32 up to here are i32, and so are sums of two."""


def bounds(order: Sequence[Expr]) -> dict[Expr, Bounds]:
    """Of the nodes `order` (operands before users) those of which something is known.

    An i32 is in it only where nothing saturates or wraps on the way.
    """
    known: dict[Expr, Bounds] = {}
    for node in order:
        found = _bounds(node, known)
        if found is not None:
            known[node] = found
    return known


def _bounds(node: Expr, known: dict[Expr, Bounds]) -> Bounds | None:
    if node.op == "const" and node.dtype in (F32, I32, U8, I8):
        return (float(node.arg), float(node.arg)) if abs(node.arg) <= _SAFE else None
    if node.dtype in (U8, I8):
        low, high = limits(node.dtype)
        return float(low), float(high)
    if node.dtype not in (F32, I32):
        return None
    src = [known.get(s) for s in node.src]
    match node.op:
        case "max" if src[1] is not None:  # of a NaN and a constant the constant
            return (src[1][0], math.inf) if src[0] is None else (max(src[0][0], src[1][0]), max(src[0][1], src[1][1]))
        case "min" if src[0] is not None and src[1] is not None:
            return min(src[0][0], src[1][0]), min(src[0][1], src[1][1])
        case "convert" if src[0] is not None and _fit(src[0]):
            return round(src[0][0]), round(src[0][1])
        case "add" if node.dtype == I32 and src[0] is not None and src[1] is not None:
            made = src[0][0] + src[1][0], src[0][1] + src[1][1]
            return made if _fit(made) else None
    return None


def _fit(found: Bounds) -> bool:
    return found[0] >= -_SAFE and found[1] <= _SAFE
