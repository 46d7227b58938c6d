"""Functions built from the scalar operations, so that every back end gives the same bits.

Accuracies were measured against float64 NumPy over the stated ranges (tests/kernels/test_functions.py).
"""

from __future__ import annotations

import math

import numpy as np

from kernels.ir.expr import Expr, apply, const, convert, floor, maximum, minimum, select
from kernels.ir.image import F32, I32

# Abramowitz and Stegun 4.4.49: atan(z)/z in powers of z*z on [0, 1], error below 2e-8.
_ATAN = (
    1.0, -0.3333314528, 0.1999355085, -0.1420889944, 0.1065626393, -0.0752896400, 0.0429096138, -0.0161657367,
    0.0028662257,
)  # fmt: skip


def polynomial(x: Expr, coefficients: tuple[float, ...]) -> Expr:
    """c[0] + c[1]*x + c[2]*x**2 + ... by Horner's rule in f32."""
    value: Expr = const(coefficients[-1], F32)
    for c in reversed(coefficients[:-1]):
        value = value * x + c
    return value


def atan2(y: Expr, x: Expr) -> Expr:
    """Angle of (x, y) in radians, -pi..pi, f32; 0 at the origin; within 4e-7 of the exact value."""
    y, x = convert(y, F32), convert(x, F32)
    # Octant reduction: the polynomial needs only 0 <= z <= 1.
    ax, ay = abs(x), abs(y)
    small, large = minimum(ax, ay), maximum(ax, ay)
    # 0 / 0 at the origin is discarded by the choice.
    z = select(large > 0.0, small / large, 0.0)
    angle = z * polynomial(z * z, _ATAN)
    angle = select(ay > ax, math.pi / 2 - angle, angle)
    angle = select(x < 0.0, math.pi - angle, angle)
    return select(y < 0.0, -angle, angle)


def exp2(x: Expr) -> Expr:
    """2**x, f32, for -126..127 (saturating there); relative error below 2e-7."""
    x = minimum(maximum(convert(x, F32), -126.0), 127.0)
    whole = floor(x)
    fraction = x - whole
    taylor = tuple(math.log(2.0) ** k / math.factorial(k) for k in range(9))
    # 2^whole by its exponent bits, 2^fraction by Taylor's series to the eighth power.
    power = apply("from_bits", (convert(whole, I32) + 127) << 23)
    return power * polynomial(fraction, taylor)


def log2(x: Expr) -> Expr:
    """Logarithm to base 2, f32, for normal x > 0 (-126 for 0 and below); absolute error below 2e-7 + 1e-7*|log2 x|."""
    x = maximum(convert(x, F32), 1.17549435e-38)
    bits = apply("bits", x)
    exponent = ((bits >> 23) & 255) - 127
    mantissa = apply("from_bits", (bits & 0x7FFFFF) | 0x3F800000)  # 1 <= m < 2
    large = mantissa > 1.41421356
    mantissa = select(large, mantissa * 0.5, mantissa)
    exponent = select(large, exponent + 1, exponent)
    # log m = 2 atanh(s), s = (m - 1)/(m + 1), |s| <= 0.1716: five terms leave 1e-9.
    s = (mantissa - 1.0) / (mantissa + 1.0)
    series = tuple(2.0 / math.log(2.0) / (2 * k + 1) for k in range(6))
    return convert(exponent, F32) + s * polynomial(s * s, series)


def power(x: Expr, exponent: Expr | float) -> Expr:
    """x**exponent for x >= 0, f32 (0 for x = 0); relative error below 3e-7 * (1 + |exponent * log2 x|)."""
    x = convert(x, F32)
    return select(x > 0.0, exp2(log2(x) * exponent), 0.0)


def exponential(x: Expr) -> Expr:
    """e**x, f32; 0 to about 1e-38 below -87, no more than 2**127 above."""
    return exp2(x * float(np.float32(math.log2(math.e))))


def sigmoid(x: Expr) -> Expr:
    """1 / (1 + e**-x)."""
    return 1.0 / (exponential(-x) + 1.0)


def tanh(x: Expr) -> Expr:
    """Hyperbolic tangent, absolute error below 3e-7; relative near 0 as well, by the series."""
    square = x * x
    near = x + x * square * (square * (square * (-17.0 / 315.0) + 2.0 / 15.0) - 1.0 / 3.0)
    far = 1.0 - 2.0 / (exponential(x * 2.0) + 1.0)
    return select(abs(x) < 0.1, near, far)


def erf(x: Expr) -> Expr:
    """The error function, absolute error below 1e-6 (Abramowitz and Stegun, 7.1.26, with f32 below 5e-7)."""
    size = abs(x)
    t = 1.0 / (size * 0.3275911 + 1.0)
    series = ((((t * 1.061405429 - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    far = 1.0 - series * exponential(-(x * x))
    return select(x < 0.0, -far, far)
