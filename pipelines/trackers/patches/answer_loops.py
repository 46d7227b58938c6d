"""Answers of a window from its products with the columns (`patches.response`): gain, displacements, noise."""

from __future__ import annotations

from kernels.host.loops import F64, at, loop, sqrt

# As `response` lays them out; its tests compare.
INVERSE, AXES, GRAM, GRAM_A, CLEAR = 0, 34, 73, 109, 145
PATTERNS = 6  # light, two slopes, three second derivatives


@loop
def first_answer(constants: F64, q: F64, out: F64) -> int:
    """Gain and displacements to first order; 0 where there is no light."""
    m = at(constants, INVERSE)
    gain = m[0] * q[0] + m[1] * q[1] + m[2] * q[2]
    if not gain > 0.0:
        return 0
    out[0] = gain
    out[1], out[2] = (m[3] * q[0] + m[4] * q[1] + m[5] * q[2]) / gain, (m[6] * q[0] + m[7] * q[1] + m[8] * q[2]) / gain
    return 1


@loop
def normal_at(gram: F64, r1: float, r2: float, clear: float, out: F64) -> int:
    """The normal matrix (00, 01, 02, 11, 12, 22) of the light and the slopes as they are r1, r2 px beside the
    reference, from the products of its six patterns with each other. `clear`: how much of the second derivatives is
    used in slopes."""
    t3, t4, t5, u1, u2 = 0.5 * r1 * r1, r1 * r2, 0.5 * r2 * r2, r1 * clear, r2 * clear
    for k in range(PATTERNS):
        g = at(gram, PATTERNS * k)
        out[6 + k] = (g[0] + r1 * g[1] + r2 * g[2]) + (t3 * g[3] + t4 * g[4] + t5 * g[5])
    v = at(out, 6)
    out[0] = (v[0] + r1 * v[1] + r2 * v[2]) + (t3 * v[3] + t4 * v[4] + t5 * v[5])
    out[1], out[2] = v[1] + u1 * v[3] + u2 * v[4], v[2] + u1 * v[4] + u2 * v[5]
    # Of third derivatives nothing is known: slopes have the power that they have at the reference.
    out[3], out[4], out[5] = gram[PATTERNS + 1], gram[PATTERNS + 2], gram[2 * PATTERNS + 2]
    return 0


@loop
def answer_at(n: F64, q: F64, r1: float, r2: float, clear: float, axes: float, out: F64) -> int:
    """Gain, and displacements from r1, r2 px on, by the normal matrix there; 0 where there is no light."""
    u1, u2 = r1 * clear, r2 * clear
    g0 = (q[0] + r1 * q[1] + r2 * q[2]) + (0.5 * r1 * r1 * q[3] + r1 * r2 * q[4] + 0.5 * r2 * r2 * q[5])
    g1, g2 = q[1] + u1 * q[3] + u2 * q[4], q[2] + u1 * q[4] + u2 * q[5]
    a, b, c, d, e, f = n[0], n[1], n[2], n[3], n[4], n[5]
    if axes == 1.0:
        c, e, f = 0.0, 0.0, 1.0
    m00, m01, m02 = d * f - e * e, c * e - b * f, b * e - c * d
    gain = m00 * g0 + m01 * g1 + m02 * g2
    det = a * m00 + b * m01 + c * m02
    if not (det > 0.0 and gain > 0.0):
        return 0
    m12 = b * c - a * e
    out[0] = gain / det
    out[1] = (m01 * g0 + (a * f - c * c) * g1 + m12 * g2) / gain
    out[2] = (m02 * g0 + m12 * g1 + (a * d - b * b) * g2) / gain if axes == 2.0 else 0.0
    return 1


@loop
def refined(constants: F64, sums: F64, r1: float, r2: float, out: F64) -> int:
    """Gain and displacements of the whole window and of its halves, from r1, r2 px on, in threes; 0 where there is no
    light. By the slopes as they are there, not at the reference: else noise moves the answer more, the farther the
    window is from its reference.

    Args:
        sums: six products of the whole window, those of its first half.
        out: gain and displacements of the whole, of the halves; then scratch memory, 45 in all.
    """
    whole, first, other, q = at(out, 9), at(out, 21), at(out, 33), at(out, 39)
    clear, axes = constants[CLEAR], constants[AXES]
    normal_at(at(constants, GRAM), r1, r2, clear, whole)
    normal_at(at(constants, GRAM_A), r1, r2, clear, first)
    for k in range(6):
        other[k], q[k] = whole[k] - first[k], sums[k] - sums[PATTERNS + k]
    good = answer_at(whole, sums, r1, r2, clear, axes, out)
    good += answer_at(first, at(sums, PATTERNS), r1, r2, clear, axes, at(out, 3))
    good += answer_at(other, q, r1, r2, clear, axes, at(out, 6))
    return 1 if good == 3 else 0


@loop
def gentler(constants: F64, k: int, r1: float, r2: float) -> float:
    """By what the noise of slope k (1, 2) is to be multiplied r1, r2 px beside the reference: slopes drawn there by
    second derivatives are steeper than those that they stand for."""
    g, h = at(constants, GRAM + PATTERNS * (2 + k)), at(constants, GRAM + PATTERNS * (3 + k))
    still, r1, r2 = constants[GRAM + (PATTERNS + 1) * k], r1 * constants[CLEAR], r2 * constants[CLEAR]
    there = (still + 2.0 * (r1 * g[k] + r2 * h[k])
             + (r1 * r1 * g[2 + k] + 2.0 * r1 * r2 * g[3 + k] + r2 * r2 * h[3 + k]))  # fmt: skip
    return sqrt(still / there) if there > still and still > 0.0 else 1.0
