"""Products of a window's patterns with each other (`registration.response.response`), as loops, and what white noise
does by them."""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, load, loop, splat, sqrt, store
from pipelines.trackers.registration.noise.autocovariance_loops import total

# As `response` lays them out; its tests compare.
INVERSE, FIRST, SECOND, AXES, EVEN, RAW, RAW_A, PAIRS = 0, 9, 18, 34, 278, 281, 302, 21
EIGHTS = 168  # scratch memory: eight sums of each pair


@loop
def pairs_of(columns: F64, part: int, share: F64, places: I64, first: int, last: int, out: F64, eights: F64) -> int:
    """Sums of products of each two patterns (00, 01 .. 05, 11 ...) over the pixels of one half.

    Args:
        share: 1 for the pixels of that half.
        places: as `response.order` gives them; its blocks `first` to `last` have pixels of the half.
        out: PAIRS, filled. eights: EIGHTS values.
    """
    s00, s01, s02, s03, s04, s05, s11 = (
        splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0))
    s12, s13, s14, s15, s22, s23, s24 = (
        splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0))
    s25, s33, s34, s35, s44, s45, s55 = (
        splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0))
    for k in range(first, last):
        o = places[2 * k]
        m = load(share, o)
        c0, c1, c2 = load(columns, o), load(columns, part + o), load(columns, 2 * part + o)
        c3, c4, c5 = load(columns, 3 * part + o), load(columns, 4 * part + o), load(columns, 5 * part + o)
        m0 = c0 * m
        s00 += m0 * c0
        s01 += m0 * c1
        s02 += m0 * c2
        s03 += m0 * c3
        s04 += m0 * c4
        s05 += m0 * c5
        m1 = c1 * m
        s11 += m1 * c1
        s12 += m1 * c2
        s13 += m1 * c3
        s14 += m1 * c4
        s15 += m1 * c5
        m2 = c2 * m
        s22 += m2 * c2
        s23 += m2 * c3
        s24 += m2 * c4
        s25 += m2 * c5
        m3 = c3 * m
        s33 += m3 * c3
        s34 += m3 * c4
        s35 += m3 * c5
        m4 = c4 * m
        s44 += m4 * c4
        s45 += m4 * c5
        m5 = c5 * m
        s55 += m5 * c5
    store(eights, 0, s00)
    store(eights, 8, s01)
    store(eights, 16, s02)
    store(eights, 24, s03)
    store(eights, 32, s04)
    store(eights, 40, s05)
    store(eights, 48, s11)
    store(eights, 56, s12)
    store(eights, 64, s13)
    store(eights, 72, s14)
    store(eights, 80, s15)
    store(eights, 88, s22)
    store(eights, 96, s23)
    store(eights, 104, s24)
    store(eights, 112, s25)
    store(eights, 120, s33)
    store(eights, 128, s34)
    store(eights, 136, s35)
    store(eights, 144, s44)
    store(eights, 152, s45)
    store(eights, 160, s55)
    for k in range(PAIRS):
        # In the order of the upper half, row by row.
        out[k] = total(at(eights, 8 * k))
    return 0


@loop
def grams_of(columns: F64, part: int, halves: F64, order: I64, constants: F64, work: F64) -> int:
    """The same of the whole window and of its first half, into constants[RAW:], [RAW_A:]; with the reference's noise
    in them.

    Args:
        halves, order: as `response.order`.
        work: EIGHTS values.
    """
    places = at(order, 11)
    # Blocks up to order[1] have pixels of the first half, from order[0] on of the other; mixed ones are in both.
    pairs_of(columns, part, halves, places, 0, order[1], at(constants, RAW_A), work)
    pairs_of(columns, part, at(halves, part), places, order[0], order[2], at(constants, RAW), work)
    for k in range(PAIRS):
        constants[RAW + k] = constants[RAW + k] + constants[RAW_A + k]
    return 0


@loop
def form(raw: F64, row: F64) -> float:
    """What a row (of light and slopes) makes of pairs: the sum over pixels of the square of its sum of patterns."""
    both = raw[1] * row[0] * row[1] + raw[2] * row[0] * row[2] + raw[7] * row[1] * row[2]
    return float(raw[0] * row[0] * row[0] + raw[6] * row[1] * row[1] + raw[11] * row[2] * row[2] + 2.0 * both)


@loop
def even_of(constants: F64) -> int:
    """As `calibration_loops.spreads_of` for white noise, which needs no pixels: [EVEN:], SCALE and SPREAD."""
    both = 0.0
    raw, near = at(constants, RAW), at(constants, RAW_A)
    for k in range(2):
        row = at(constants, INVERSE + 3 + 3 * k)
        a, b = at(constants, FIRST + 3 + 3 * k), at(constants, SECOND + 3 + 3 * k)
        # The halves' noise is independent: the variance of their difference is the sum of both.
        spread, apart = max(form(raw, row), 0.0), form(near, a) + (form(raw, b) - form(near, b))
        both += spread
        constants[EVEN + k] = sqrt(spread / apart) if apart > 0.0 else 0.0
    constants[EVEN + 2] = both / constants[AXES]
    return 0
