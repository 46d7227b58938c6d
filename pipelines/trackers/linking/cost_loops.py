"""What pairs cost, eight at a time: `stages.first_stage`'s costs, with the operations of its NumPy functions, in their
order. Pairs wait in lists of CHUNK until these are full."""

from __future__ import annotations

from kernels.host.logarithm import HIGHEST, L1, L2, L3, L4, L5, L6, L7, LN2_HIGH, LN2_LOW, LOWEST, ROOT2
from kernels.host.loops import F64, at, exponent, loop, mantissa, put, sqrt, vec, where
from pipelines.trackers.linking.link_loops import MASS_CAP, MOMENTUM, SPREAD, WIDEST

CHUNK = 128
TOTAL, RATIO, NEAR, ALONG, SQUARES, WAY, FURTHER, SURELY = range(8)
WAITING = 8
"""Lists of CHUNK floats: of each pair the variance of its difference, the ratio of its masses (1: unknown), its squared
distance in units of the variance; and of its two ways (`momentum`) their inner product, the product of their squares,
the square of the second, that with what its noise makes of it, and how sure the first is."""


@loop
def logs_loop(values: F64, count: int) -> int:
    """`logs` of `count` values, in place. Up to seven behind the last are lost."""
    for i in range(0, count, 8):
        x = vec(values, i)
        x = where(x < LOWEST, LOWEST, x)
        x = where(x > HIGHEST, HIGHEST, x)
        m, k = mantissa(x), exponent(x)
        high = where(m > ROOT2, 1.0, 0.0)
        f, k = where(high > 0.0, m * 0.5, m) - 1.0, k + high
        s = f / (2.0 + f)
        z = s * s
        r = z * (L1 + z * (L2 + z * (L3 + z * (L4 + z * (L5 + z * (L6 + z * L7))))))
        half = 0.5 * f * f
        put(values, i, k * LN2_HIGH - ((half - (s * (half + r) + k * LN2_LOW)) - f))
    return 0


@loop
def costs_loop(wait: F64, count: int, p: F64, cost: F64) -> int:
    """The costs of `count` pairs that wait, which is no more than CHUNK."""
    total, ratio = at(wait, TOTAL * CHUNK), at(wait, RATIO * CHUNK)
    logs_loop(total, count)
    logs_loop(ratio, count)
    for i in range(0, count, 8):
        uncertain, unlike = 2.0 * vec(total, i), vec(ratio, i) / p[SPREAD]
        unlike = unlike * unlike
        one = vec(wait, NEAR * CHUNK + i) + where(uncertain > p[WIDEST], p[WIDEST], uncertain)
        one = one + where(unlike > MASS_CAP, MASS_CAP, unlike)
        squares, further = vec(wait, SQUARES * CHUNK + i), vec(wait, FURTHER * CHUNK + i)
        cosine = vec(wait, ALONG * CHUNK + i) / sqrt(where(squares > 0.0, squares, 1.0))
        sure = vec(wait, SURELY * CHUNK + i) * (vec(wait, WAY * CHUNK + i) / where(further > 0.0, further, 1.0))
        put(total, i, one + p[MOMENTUM] * (0.5 * (1.0 - cosine)) * sure)
    for i in range(count):
        cost[i] = total[i]
    return 0
