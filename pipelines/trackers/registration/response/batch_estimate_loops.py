"""What eight frames show of a window by its sums (`registration.response.response`): correlation, displacement, noise,
as loops."""

from __future__ import annotations

from kernels.loops.language import EIGHTS, F64, at, load_row, loop, splat_like, sqrt, store, where
from pipelines.trackers.registration.response.response_estimate_loops import (
    HALF_A,
    HALF_B,
    LIT,
    MONOMIALS,
    QA,
    R1,
    R2,
    ROWS,
    TERMS,
    WHOLE,
    Q,
    first_answers,
    gentler,
    monomials,
    refined,
)
from pipelines.trackers.registration.windows.structs import PATTERNS

# As `response` lays them out; its tests compare.
BASIS, SCALE, AXES, PIXELS_A, PLAIN, UNBENT, HIDDEN, BEND = 27, 31, 34, 35, 36, 72, 146, 147
# Rows of eight frames beside those of `response_estimate_loops`: their sums (six products, sum and sum of squares of
# the first half's pixels, then of the other's); what they were first answered (px along x and y), whether that is an
# answer (1, 0), its correlation, variance of what it leaves; then displacement (along both directions; px along x and
# y) and noise, variance of a pixel's noise and of a displacement's in the first frame's light, 1 / the light, px^2 that
# the bend leaves; scratch; how many times the variance of the whole window's answer it is, where only a part is seen.
SIDE_A, SIDE_B, DX, DY, CLEAN, SCORE, LEFT_OVER, S1, OFF_X, OFF_Y, NX, NY, PIXEL_SEEN, POWER, DIMMER, BENT_BY = (
    0, 8, ROWS, ROWS + 1, ROWS + 2, ROWS + 3, ROWS + 4, ROWS + 5, ROWS + 6, ROWS + 7, ROWS + 8, ROWS + 9, ROWS + 10,
    ROWS + 11, ROWS + 12, ROWS + 13)  # fmt: skip
SOFTER, WIDER, SHOWN = ROWS + 14, ROWS + 15, ROWS + 16
BENT, HALF = 0.0007, 0.1  # px, what the polynomials and the taps leave, for answers of which squares add to px^2
DISTANT = 0.36  # px^2, of the answers at which UNBENT is true


@loop
def answer(constants: F64, window: int, lane: EIGHTS) -> int:
    """The first answers by sums: Q to LIT, DX to LEFT_OVER."""
    for k in range(PATTERNS):
        store(lane, Q + k, load_row(lane, SIDE_A + k) + load_row(lane, SIDE_B + k))
        store(lane, QA + k, load_row(lane, SIDE_A + k))
    first_answers(constants, lane)
    area, first = float(window * window), constants[PIXELS_A]
    light, rest = load_row(lane, SIDE_A + 6), load_row(lane, SIDE_B + 6)
    # The model has an offset for each half.
    everything = load_row(lane, SIDE_A + 7) + load_row(lane, SIDE_B + 7) - light * light * (1.0 / first)
    everything = everything - rest * rest * (1.0 / (area - first))
    q0, q1, q2 = load_row(lane, Q), load_row(lane, Q + 1), load_row(lane, Q + 2)
    q3, q4, q5 = load_row(lane, Q + 3), load_row(lane, Q + 4), load_row(lane, Q + 5)
    # Least squares of all six columns, noise in them: how much of the frame's squares they explain.
    explained = splat_like(lane, 0.0)
    for p in range(PATTERNS):
        c = at(constants, PLAIN + PATTERNS * p)
        one = (q0 * c[0] + q1 * c[1] + q2 * c[2]) + (q3 * c[3] + q4 * c[4] + q5 * c[5])
        explained += one * load_row(lane, Q + p)
    clean = where(everything > 0.0, where(explained > 0.0, load_row(lane, LIT), 0.0), 0.0)
    share = where(clean > 0.0, explained / where(everything > 0.0, everything, 1.0), 0.0)
    store(lane, CLEAN, clean)
    store(lane, SCORE, sqrt(where(share < 1.0, share, 1.0)))
    left = everything - explained
    # Six columns (of stripes three) and two grounds were fitted.
    store(lane, LEFT_OVER, where(left > 0.0, left, 0.0) * (1.0 / (area - (8.0 if constants[AXES] == 2.0 else 5.0))))
    r1, r2 = load_row(lane, R1), load_row(lane, R2)
    store(lane, DX, r1 * constants[BASIS] + r2 * constants[BASIS + 2])
    store(lane, DY, r1 * constants[BASIS + 1] + r2 * constants[BASIS + 3])
    return 0


@loop
def refine(constants: F64, share: float, lane: EIGHTS) -> int:
    """From first answers to displacements and their noise: S1 to BENT_BY, GOOD. `share`: the reference's of a frame's
    noise."""
    refined(constants, lane)
    monomials(lane)
    p0, p1, p2, p3 = splat_like(lane, 0.0), splat_like(lane, 0.0), splat_like(lane, 0.0), splat_like(lane, 0.0)
    for k in range(TERMS):
        one = load_row(lane, MONOMIALS + k)
        p0 += one * constants[BEND + k]
        p1 += one * constants[BEND + TERMS + k]
        p2 += one * constants[BEND + 2 * TERMS + k]
        p3 += one * constants[BEND + 3 * TERMS + k]
    r1, r2, axes = load_row(lane, R1), load_row(lane, R2), constants[AXES]
    s1, s2 = r1 + load_row(lane, WHOLE + 1) - p0, r2 + load_row(lane, WHOLE + 2) - p1
    # What the polynomial says of the halves' difference is taken off: the rest is noise alone.
    gentler(constants, 1, lane, SOFTER)
    n1 = (load_row(lane, HALF_A + 1) - load_row(lane, HALF_B + 1) - p2) * (load_row(lane, SOFTER) * constants[SCALE])
    gentler(constants, 2, lane, SOFTER)
    n2 = (load_row(lane, HALF_A + 2) - load_row(lane, HALF_B + 2) - p3) * (
        load_row(lane, SOFTER) * constants[SCALE + 1]
    )
    if axes == 1.0:
        n2 = splat_like(lane, 0.0)
    e1x, e1y, e2x, e2y = constants[BASIS], constants[BASIS + 1], constants[BASIS + 2], constants[BASIS + 3]
    store(lane, S1, s1)
    store(lane, OFF_X, s1 * e1x + s2 * e2x)
    store(lane, OFF_Y, s1 * e1y + s2 * e2y)
    store(lane, NX, n1 * e1x + n2 * e2x)
    store(lane, NY, n1 * e1y + n2 * e2y)
    # Shot noise: in the first frame's light a displacement's variance is V, at a gain V / gain. What the halves and the
    # residual show is the frame's and the reference's.
    dimmer = 1.0 / load_row(lane, WHOLE)
    seen = dimmer + share
    pixel = load_row(lane, LEFT_OVER) * (dimmer * dimmer) / (seen - constants[HIDDEN])
    store(lane, PIXEL_SEEN, where(pixel > 1e-30, pixel, 1e-30))
    store(lane, POWER, (n1 * n1 + n2 * n2) / (seen * axes))
    store(lane, DIMMER, dimmer)
    # The polynomial's own error grows with the distance; that of a bend taken over from others with its fifth power.
    away = r1 * r1 + r2 * r2
    near, far = away * (1.0 / HALF), away * (1.0 / DISTANT)
    near, far = where(near < 1.0, near, 1.0), where(far < 1.0, far, 1.0)
    store(lane, BENT_BY, near * (BENT * BENT) + far * far * sqrt(far) * constants[UNBENT])
    return 0
