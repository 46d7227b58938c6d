"""a * b + c of float32 in whole numbers: a second meaning of the fused multiply-add, which shares nothing with it."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np


def rounded(value: Fraction) -> np.float32:
    """The nearest float32, ties to even; infinite beyond the largest one by half a step."""
    size = abs(value)
    if size == 0:
        return np.float32(0)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2) ** exponent
    step = Fraction(2) ** max(exponent - 23, -149)
    low, rest = divmod(size, step)
    low += rest > step / 2 or (rest == step / 2 and low % 2)
    found = float(low * step) if low * step < Fraction(2) ** 128 else math.inf
    return np.float32(math.copysign(found, -1 if value < 0 else 1))


def fma(a: np.float32, b: np.float32, c: np.float32) -> np.float32:
    """fl32(a * b + c)."""
    if not all(map(math.isfinite, (a, b, c))):
        return np.float32(np.float64(a) * np.float64(b) + np.float64(c))  # no rounding can matter
    total = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    if total == 0:  # the sign of zero is that of float64, whose sum is exact here
        return np.float32(np.float64(a) * np.float64(b) + np.float64(c))
    return rounded(total)
