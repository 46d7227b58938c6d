"""a * b + c in float32, rounded once, in NumPy: what one fused multiply-add of a processor leaves, bit for bit.

The product of two float32 has 48 bits and is exact in float64. Their sum s = fl64(a * b + c) may be rounded, and
rounding it again to float32 goes wrong only where s lies exactly half way between two float32: every such midpoint is a
float64 and rounding is monotonic, so elsewhere the exact sum is on the same side of it. There TwoSum's error tells on
which side the exact sum was, and s is moved to its neighbour on that side (its last bit is 0, the neighbour's 1: round
to odd; Boldo and Melquiond 2008, "Emulation of a FMA and correctly rounded sums").
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
_LOW, _HALF = np.int64((1 << 29) - 1), np.int64(1 << 28)
"""The bits of a float64 that a float32 has not, and what they are half way between two float32."""
_TINY = 2.0**-126
"""Below it float32 has fewer bits, and midpoints lie elsewhere; there every sum is rounded to odd."""


def fma32(a: npt.ArrayLike, b: npt.ArrayLike, c: npt.ArrayLike) -> F32:
    """fl32(a * b + c) of float32 arrays, which broadcast; NaN and infinities as IEEE 754 has them."""
    with np.errstate(all="ignore"):
        # Exact: 24 + 24 bits fit in 53.
        product = np.multiply(a, b, dtype=np.float64)
        total = np.asarray(np.add(product, c, dtype=np.float64))
        doubtful = (total.view(np.int64) & _LOW) == _HALF
        size = np.abs(total)
        if total.size and size.min() < _TINY:
            doubtful |= (size < _TINY) & (size > 0)
        if doubtful.any():
            one, other = (np.broadcast_to(np.asarray(v, np.float64), total.shape)[doubtful] for v in (product, c))
            total[doubtful] = _to_odd(one, other, total[doubtful])
        return total.astype(np.float32)


def _to_odd(product: F64, c: F64, total: F64) -> F64:
    """product + c rounded to odd, where total = fl64(product + c)."""
    # TwoSum (Knuth): the exact error of the addition.
    back = total - product
    error = (product - (total - back)) + (c - back)
    bits = total.view(np.int64)
    # Rounding to odd: an inexact result with an even last bit moves to its odd neighbour, towards the exact sum.
    even = (error != 0) & (bits & 1 == 0) & np.isfinite(total)
    # Floats of one sign are ordered like their bits: the next larger magnitude is one more.
    bits += np.where(even, np.where((error > 0) == (total > 0), 1, -1), 0)
    return total
