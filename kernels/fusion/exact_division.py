"""Division by a constant as multiplication, where that gives the same bits: a division takes as long as ten products.

* By a power of two always: x / c and x * (1 / c) round the same number.
* Of a whole number with few values (a pixel), by x * high + x * low, where high is 1 / c with so few digits that the
  first product does not round and low is what is missing. Rounding the second product spoils the sum only where the
  quotient lies almost in the middle of two floats, so every value that x can have is tried beforehand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache

import numpy as np

from kernels.fusion.narrow import ranges
from kernels.ir.expr import Expr, const, postorder
from kernels.ir.image import F32, F64
from kernels.ir.rewriting import rewrite

MOST_VALUES = 1 << 17
_TINY = {F32: 2.0**-126, F64: 2.0**-1022}
"""The smallest normal numbers: smaller ones some machines take for 0."""


def multiply(roots: Iterable[Expr]) -> tuple[Expr, ...]:
    """`roots` with the divisions replaced that can be; bit for bit the same."""
    roots = tuple(roots)
    order = list(postorder(roots))
    if not any(node.op == "div" and node.src[1].op == "const" for node in order):
        return roots
    known = ranges(order)

    def rule(node: Expr) -> Expr | None:
        if node.op != "div" or node.src[1].op != "const" or not node.dtype.is_float:
            return None
        x, divisor = node.src
        # A power of two: its reciprocal is exact, if it is a normal number.
        # frexp gives .5 for powers of two alone.
        fraction, _ = math.frexp(divisor.arg)
        inverse = 1.0 / divisor.arg if divisor.arg and math.isfinite(divisor.arg) else 0.0
        if abs(fraction) == 0.5 and _TINY[node.dtype] <= abs(inverse) < math.inf:
            return x * const(inverse, node.dtype)
        if x.op != "convert" or node.dtype != F32 or x.src[0] not in known:
            return None
        factors = product(divisor.arg, *known[x.src[0]])
        if factors is None:
            return None
        high, low = factors
        return x * const(high, F32) + x * const(low, F32) if low else x * const(high, F32)

    return rewrite(roots, rule)


@cache
def product(divisor: float, least: int, most: int) -> tuple[float, float] | None:
    """(high, low) such that the f32 number x * high + x * low is x / divisor for all whole x from least to most.

    low is 0 where x * high alone is; None where there is no such pair.
    """
    bound = max(abs(least), abs(most))
    if divisor == 0 or not math.isfinite(divisor) or most - least >= MOST_VALUES or bound >= 1 << 24:
        return None
    x = np.arange(least, most + 1).astype(np.float32)
    with np.errstate(all="ignore"):
        quotient = x / np.float32(divisor)
        inverse = 1.0 / divisor
        if _same(x * np.float32(inverse), quotient):
            return float(np.float32(inverse)), 0.0
        mantissa, exponent = math.frexp(inverse)
        # x has bit_length(bound) bits and an f32 holds 24: a factor of the digits that are left makes a product that
        # does not round.
        digits = 24 - max(bound.bit_length(), 1)
        high = math.ldexp(round(math.ldexp(mantissa, digits)), exponent - digits)
        low = float(np.float32(inverse - high))
        # Tried with all values that x can have: no bound on the rounding is needed.
        if low and math.isfinite(low) and _same(x * np.float32(high) + x * np.float32(low), quotient):
            return high, low
    return None


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    return bool((a.view(np.int32) == b.view(np.int32)).all())
