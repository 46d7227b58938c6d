"""Answers of a window from its products with the columns (`registration.response.response`), eight at once: gain,
displacements.

`lane` are vectors of eight: frames of one window, or shifts of its reference. Whatever is beside, none depends on
another. What a row of `lane` holds is said here and in `response_loops`.
"""

from __future__ import annotations

from kernels.loops.language import EIGHTS, F64, at, load_row, loop, splat_like, sqrt, store, where
from pipelines.trackers.registration.windows.structs import PATTERNS

# As `response` lays them out; its tests compare.
INVERSE, AXES, GRAM, GRAM_A, CLEAR = 0, 34, 73, 109, 145
DEGREE, TERMS = 5, 20
# Six products of the whole window and those of its first half; then scratch: what `answer_at` is called with. The first
# answer, and whether there is light (1, 0); gain and displacements from there of the whole, of the halves, and whether
# all have light. Normal matrices (00, 01, 02) of the whole, the first half, the other. Powers of the first answer, and
# their products.
Q, QA, QB, R1, R2, LIT, WHOLE, HALF_A, HALF_B, GOOD, NORMAL, POWER1, POWER2, MONOMIALS, ROWS = (
    16, 22, 28, 34, 35, 36, 37, 40, 43, 46, 47, 56, 62, 68, 88)  # fmt: skip


@loop
def first_answers(constants: F64, lane: EIGHTS) -> int:
    """Gain and displacements to first order, from Q into R1, R2 and LIT."""
    q0, q1, q2 = load_row(lane, Q), load_row(lane, Q + 1), load_row(lane, Q + 2)
    m = at(constants, INVERSE)
    gain = q0 * m[0] + q1 * m[1] + q2 * m[2]
    # Displacement is (a d) / a; without light there is none to divide by.
    part = 1.0 / where(gain > 0.0, gain, 1.0)
    store(lane, R1, (q0 * m[3] + q1 * m[4] + q2 * m[5]) * part)
    store(lane, R2, (q0 * m[6] + q1 * m[7] + q2 * m[8]) * part)
    store(lane, LIT, where(gain > 0.0, splat_like(lane, 1.0), 0.0))
    return 0


@loop
def normals_at(gram: F64, clear: float, lane: EIGHTS, out: int) -> int:
    """The normal matrix (00, 01, 02; the rest is that of the reference) of the light and the slopes as they are R1, R2
    px beside the reference, from the products of its six patterns with each other. `clear`: how much of the second
    derivatives is used in slopes."""
    r1, r2 = load_row(lane, R1), load_row(lane, R2)
    # The light r px beside the reference, to second order: pattern sums with the factors 1, r1, r2, r1^2 / 2, r1 r2,
    # r2^2 / 2. v_p is its product with pattern p.
    t3, t4, t5, u1, u2 = r1 * r1 * 0.5, r1 * r2, r2 * r2 * 0.5, r1 * clear, r2 * clear
    g = at(gram, 0)
    v0 = (r1 * g[1] + g[0] + r2 * g[2]) + (t3 * g[3] + t4 * g[4] + t5 * g[5])
    g = at(gram, PATTERNS)
    v1 = (r1 * g[1] + g[0] + r2 * g[2]) + (t3 * g[3] + t4 * g[4] + t5 * g[5])
    g = at(gram, 2 * PATTERNS)
    v2 = (r1 * g[1] + g[0] + r2 * g[2]) + (t3 * g[3] + t4 * g[4] + t5 * g[5])
    g = at(gram, 3 * PATTERNS)
    v3 = (r1 * g[1] + g[0] + r2 * g[2]) + (t3 * g[3] + t4 * g[4] + t5 * g[5])
    g = at(gram, 4 * PATTERNS)
    v4 = (r1 * g[1] + g[0] + r2 * g[2]) + (t3 * g[3] + t4 * g[4] + t5 * g[5])
    g = at(gram, 5 * PATTERNS)
    v5 = (r1 * g[1] + g[0] + r2 * g[2]) + (t3 * g[3] + t4 * g[4] + t5 * g[5])
    store(lane, out, (v0 + r1 * v1 + r2 * v2) + (t3 * v3 + t4 * v4 + t5 * v5))
    # Slopes there are slope + clear * second derivative * r.
    store(lane, out + 1, v1 + u1 * v3 + u2 * v4)
    store(lane, out + 2, v2 + u1 * v4 + u2 * v5)
    return 0


@loop
def answers_at(lane: EIGHTS, normal: int, sums: int, out: int, d: float, e: float, f: float, clear: float,
               axes: float) -> int:  # fmt: skip
    """Gain, and displacements from R1, R2 px on, by the normal matrix there; GOOD becomes 0 where there is no light.

    Args:
        normal, sums, out: the first of the rows of `lane`. d, e, f: 11, 12 and 22 of the matrix.
    """
    r1, r2 = load_row(lane, R1), load_row(lane, R2)
    u1, u2 = r1 * clear, r2 * clear
    q0, q1, q2 = load_row(lane, sums), load_row(lane, sums + 1), load_row(lane, sums + 2)
    q3, q4, q5 = load_row(lane, sums + 3), load_row(lane, sums + 4), load_row(lane, sums + 5)
    # Products with light and slopes as they are at r.
    g0 = (q0 + r1 * q1 + r2 * q2) + (r1 * r1 * 0.5 * q3 + r1 * r2 * q4 + r2 * r2 * 0.5 * q5)
    g1, g2 = q1 + u1 * q3 + u2 * q4, q2 + u1 * q4 + u2 * q5
    a, b, c = load_row(lane, normal), load_row(lane, normal + 1), load_row(lane, normal + 2)
    # Cofactors of the symmetric 3 x 3 normal matrix; of stripes the third row is that of 1.
    if axes == 1.0:
        c, e, f = splat_like(lane, 0.0), 0.0, 1.0
    flat = d * f - e * e
    m01, m02, m12 = c * e - b * f, b * e - c * d, b * c - a * e
    gain, det = g0 * flat + m01 * g1 + m02 * g2, a * flat + b * m01 + c * m02
    store(lane, GOOD, where(gain > 0.0, where(det > 0.0, load_row(lane, GOOD), 0.0), 0.0))
    part = 1.0 / where(gain > 0.0, gain, 1.0)
    store(lane, out, where(gain > 0.0, gain, 1.0) / where(det > 0.0, det, 1.0))
    store(lane, out + 1, (m01 * g0 + (a * f - c * c) * g1 + m12 * g2) * part)
    if axes == 2.0:
        store(lane, out + 2, (m02 * g0 + m12 * g1 + (a * d - b * b) * g2) * part)
    else:
        store(lane, out + 2, splat_like(lane, 0.0))
    return 0


@loop
def refined(constants: F64, lane: EIGHTS) -> int:
    """Gain and displacements of the whole window and of its halves, from R1, R2 px on. By the slopes as they are there,
    not at the reference: else noise moves the answer more, the farther the window is from its reference."""
    clear, axes = constants[CLEAR], constants[AXES]
    gram, near = at(constants, GRAM + PATTERNS + 1), at(constants, GRAM_A + PATTERNS + 1)
    normals_at(at(constants, GRAM), clear, lane, NORMAL)
    normals_at(at(constants, GRAM_A), clear, lane, NORMAL + 3)
    # The other half is the whole less the first.
    for k in range(3):
        store(lane, NORMAL + 6 + k, load_row(lane, NORMAL + k) - load_row(lane, NORMAL + 3 + k))
    for k in range(PATTERNS):
        store(lane, QB + k, load_row(lane, Q + k) - load_row(lane, QA + k))
    store(lane, GOOD, load_row(lane, LIT))
    d, e, f = gram[0], gram[1], gram[PATTERNS + 1]
    d1, e1, f1 = near[0], near[1], near[PATTERNS + 1]
    answers_at(lane, NORMAL, Q, WHOLE, d, e, f, clear, axes)
    answers_at(lane, NORMAL + 3, QA, HALF_A, d1, e1, f1, clear, axes)
    answers_at(lane, NORMAL + 6, QB, HALF_B, d - d1, e - e1, f - f1, clear, axes)
    return 0


@loop
def monomials(lane: EIGHTS) -> int:
    """R1^i R2^j in the order of `response.POWERS`."""
    r1, r2 = load_row(lane, R1), load_row(lane, R2)
    one, other = splat_like(lane, 1.0), splat_like(lane, 1.0)
    for k in range(DEGREE + 1):
        store(lane, POWER1 + k, one)
        store(lane, POWER2 + k, other)
        one, other = one * r1, other * r2
    m = MONOMIALS
    for degree in range(1, DEGREE + 1):
        for j in range(degree + 1):
            store(lane, m, load_row(lane, POWER1 + degree - j) * load_row(lane, POWER2 + j))
            m += 1
    return 0


@loop
def gentler(constants: F64, k: int, lane: EIGHTS, out: int) -> int:
    """By what the noise of slope k (1, 2) is to be multiplied R1, R2 px beside the reference: slopes drawn there by
    second derivatives are steeper than those that they stand for. Into a row of `lane`."""
    g, h = at(constants, GRAM + PATTERNS * (2 + k)), at(constants, GRAM + PATTERNS * (3 + k))
    still, clear = constants[GRAM + (PATTERNS + 1) * k], constants[CLEAR]
    r1, r2 = load_row(lane, R1) * clear, load_row(lane, R2) * clear
    # The power of a slope drawn at r beyond that of the reference's.
    more = 2.0 * (r1 * g[k] + r2 * h[k]) + (r1 * r1 * g[2 + k] + 2.0 * r1 * r2 * g[3 + k] + r2 * r2 * h[3 + k])
    one = splat_like(lane, 1.0)
    if still > 0.0:
        store(lane, out, where(more > 0.0, sqrt(still / where(more > 0.0, still + more, 1.0)), one))
    else:
        store(lane, out, one)
    return 0
