"""The natural logarithm out of arithmetic, so that every machine, and compiled code, gives the same bits.

After fdlibm's e_log.c (Sun Microsystems, 1993): x = 2^k (1 + f) with sqrt(1/2) < 1 + f < sqrt(2), s = f / (2 + f), and
log(1 + f) = f - (f^2/2 - s (f^2/2 + R(s^2))); within one unit in the last place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.loops.language import bits_to_float, float_to_bits, loop

Array = npt.NDArray[Any]
LOWEST, HIGHEST = 1e-300, 1e300
ROOT2 = 1.4142135623730951
MANTISSA, ONE = (1 << 52) - 1, 1023 << 52
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
L1, L2, L3, L4, L5, L6, L7 = (
    6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
    1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01)  # fmt: skip


@loop
def log(x: float) -> float:
    """The logarithm of a number > 0; below LOWEST and above HIGHEST that of those."""
    x = min(max(x, LOWEST), HIGHEST)
    whole = float_to_bits(x)
    # The exponent's bits without their bias, and the fraction with exponent 0: x = 2^k m, 1 <= m < 2.
    k = (whole >> 52) - 1023
    m = bits_to_float((whole & MANTISSA) | ONE)
    # So that f lies about 0: sqrt(1/2) < m <= sqrt(2).
    if m > ROOT2:
        m = m * 0.5
        k = k + 1
    f = m - 1.0
    s = f / (2.0 + f)
    z = s * s
    # fdlibm's polynomial R(s^2) of degree 14 in s, by Horner's rule.
    r = z * (L1 + z * (L2 + z * (L3 + z * (L4 + z * (L5 + z * (L6 + z * L7))))))
    half = 0.5 * f * f
    # Small terms are added first; ln 2 in two parts, so that k LN2_HIGH is exact.
    return float(float(k) * LN2_HIGH - ((half - (s * (half + r) + float(k) * LN2_LOW)) - f))


def logs(values: npt.ArrayLike) -> Array:
    """The same of an array."""
    whole = float_to_bits(np.clip(np.asarray(values, np.float64), LOWEST, HIGHEST))
    k = (whole >> 52) - 1023
    m = bits_to_float((whole & MANTISSA) | ONE)
    high = m > ROOT2
    m, k = np.where(high, m * 0.5, m), np.where(high, k + 1, k).astype(np.float64)
    f = m - 1.0
    s = f / (2.0 + f)
    z = s * s
    r = z * (L1 + z * (L2 + z * (L3 + z * (L4 + z * (L5 + z * (L6 + z * L7))))))
    half = 0.5 * f * f
    return np.asarray(k * LN2_HIGH - ((half - (s * (half + r) + k * LN2_LOW)) - f))
