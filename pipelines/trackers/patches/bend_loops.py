"""The bend of a window's answers (`patches.response`) as loops: measured on the shifted reference, fitted."""

from __future__ import annotations

from kernels.host.loops import F32, F64, I64, at, eight, floor, loop, put, vec
from pipelines.trackers.patches.answer_loops import PATTERNS, first_answer, refined
from pipelines.trackers.patches.calibration_loops import matrices_of, plain_of, spreads_of
from pipelines.trackers.patches.design_loops import design_of, directions_of, slopes_of
from pipelines.trackers.patches.gram_loops import even_of, grams_of
from pipelines.trackers.patches.noise_loops import SIDE, dot, total
from pipelines.trackers.patches.product_loops import PRODUCTS, WIDE, products_of
from pipelines.trackers.patches.window_loops import taps_of

# As `response` lays them out; its tests compare.
BASIS, SCALE, SPREAD, AXES, PIXELS_A, UNBENT, BEND, TERMS, LEFT, NOISE, GRAIN, EVEN, CONSTANTS = (
    27, 31, 33, 34, 35, 72, 147, 20, 227, 228, 229, 278, 328)  # fmt: skip
DEGREE = 5
RANGE = 0.65  # px, up to which the response is calibrated
NODES = 7  # shifts along each direction at which it is
RANK = 1e-10  # share of the largest monomial's length that must be left of one beside the others
ROWS = 56  # nodes, rounded up to eights
# Scratch memory after that of `calibration_loops`, beside that of `product_loops`: taps, moments of a node (six of the
# whole window, those of its first half), answers, the fit's columns and targets, its triangle, products with windows
# shifted along rows (9 of 16), powers.
WEIGHTS, MOMENTS, FOUND, COLUMNS, TRIANGLE, ALONG, POWERS, LARGE = (
    144, 160, 176, 1616, 2960, 3440, 3584, 3600)  # fmt: skip


@loop
def nodes_of(constants: F64, table: F64, work: F64) -> int:
    """Monomials of the answers to known shifts, and what they shall give, a row a node; how many, 0 where one fails."""
    for k in range(0, 24 * ROWS, 8):
        put(work, COLUMNS + k, eight(0.0))
    others = NODES if constants[AXES] == 2.0 else 1
    node = 0
    for i in range(NODES):
        s1 = RANGE * float(2 * i + 1 - NODES) / float(NODES - 1)
        for j in range(others):
            s2 = RANGE * float(2 * j + 1 - others) / float(NODES - 1)
            x = 0.0 - (constants[BASIS] * s1 + constants[BASIS + 2] * s2)
            y = 0.0 - (constants[BASIS + 1] * s1 + constants[BASIS + 3] * s2)
            kx, ky = floor(x), floor(y)
            if j == 0:  # where there are more along the second direction, that is the one down the columns
                taps_of(x - kx, table, at(work, WEIGHTS))
                for m in range(WIDE):
                    line = PRODUCTS + (m * WIDE + int(kx) + 1) * 16
                    one, two = eight(0.0), eight(0.0)
                    for n in range(8):
                        one += vec(work, line + 16 * n) * work[WEIGHTS + n]
                        two += vec(work, line + 16 * n + 8) * work[WEIGHTS + n]
                    put(work, ALONG + 16 * m, one)
                    put(work, ALONG + 16 * m + 8, two)
            taps_of(y - ky, table, at(work, WEIGHTS + 8))
            moments, more = eight(0.0), eight(0.0)
            for m in range(8):
                line = ALONG + (int(ky) + 1 + m) * 16
                moments += vec(work, line) * work[WEIGHTS + 8 + m]
                more += vec(work, line + 8) * work[WEIGHTS + 8 + m]
            put(work, MOMENTS, moments)
            put(work, MOMENTS + 8, more)
            if first_answer(constants, at(work, MOMENTS), at(work, FOUND)) == 0:
                return 0
            r1, r2 = work[FOUND + 1], work[FOUND + 2]
            if refined(constants, at(work, MOMENTS), r1, r2, at(work, FOUND)) == 0:
                return 0
            powers, others_ = at(work, POWERS), at(work, POWERS + 8)
            powers[0], others_[0] = 1.0, 1.0
            for n in range(DEGREE):
                powers[n + 1], others_[n + 1] = powers[n] * r1, others_[n] * r2
            k = COLUMNS + node
            for degree in range(1, DEGREE + 1):
                for n in range(degree + 1):
                    work[k] = powers[degree - n] * others_[n]
                    k += ROWS
            work[k], work[k + ROWS] = r1 + work[FOUND + 1] - s1, r2 + work[FOUND + 2] - s2
            work[k + 2 * ROWS] = work[FOUND + 4] - work[FOUND + 7]
            work[k + 3 * ROWS] = work[FOUND + 5] - work[FOUND + 8]
            node += 1
    return node


@loop
def bend_of(constants: F64, table: F64, work: F64) -> int:
    """Least squares of the monomials by Gram and Schmidt, modified (Bjorck, BIT 7, 1967), into constants[BEND:].

    Monomials that say nothing beside the ones before get 0 (of stripes those of the second direction are 0)."""
    count = nodes_of(constants, table, work)
    if count == 0:
        return 0
    rows = (count + 7) // 8 * 8
    largest = 0.0
    for k in range(TERMS):
        one = at(work, COLUMNS + k * ROWS)
        largest = max(largest, dot(one, one, rows, work))
    for k in range(TERMS):
        one = at(work, COLUMNS + k * ROWS)
        length = dot(one, one, rows, work)
        row = TRIANGLE + k * 24
        work[row + k] = 1.0 if length > largest * RANK * RANK else 0.0
        if length > largest * RANK * RANK:
            for j in range(k + 1, TERMS + 4):
                other = at(work, COLUMNS + j * ROWS)
                share = dot(one, other, rows, work) / length
                work[row + j] = share
                for r in range(0, rows, 8):
                    put(other, r, vec(other, r) - vec(one, r) * share)
    for t in range(4):
        out = at(constants, BEND + t * TERMS)
        for m in range(TERMS):
            k = TERMS - 1 - m
            value = 0.0
            if work[TRIANGLE + k * 24 + k] > 0.0:
                value = work[TRIANGLE + k * 24 + TERMS + t]
                for j in range(k + 1, TERMS):
                    value = value - work[TRIANGLE + k * 24 + j] * out[j]
            out[k] = value
    return 1


@loop
def begin(tile: F64, window: int, blocks: int, margin: int, along: int, mask: F64, pixels: float, column: F64,
          maps: F64, constant: F64, work: F64) -> int:  # fmt: skip
    """The directions and the design of a window; 0 where there is nothing to measure."""
    size, part = window + 2 * margin, window * blocks * 8
    top = slopes_of(tile, size, margin, window, blocks, mask, maps, work)
    constant[PIXELS_A] = pixels
    fine = directions_of(maps, part, window, top, along, constant, work)
    design_of(maps, tile, size, margin, part, window, blocks, mask, constant, column, work)
    return int(fine)


@loop
def as_before(constant: F64, noise: float, grain: F64) -> int:
    """Whether constants are those of this noise already."""
    same = 1 if constant[NOISE] == noise else 0
    for k in range(SIDE * SIDE):
        if constant[GRAIN + k] != grain[k]:
            same = 0
    return same


@loop
def finite(constant: F64, work: F64) -> int:
    """Whether all constants are numbers."""
    made = eight(0.0)
    for k in range(0, CONSTANTS, 8):
        made += vec(constant, k) * 0.0
    put(work, 0, made)
    return 1 if total(work) == 0.0 else 0


@loop
def calibrate(tiles: F64, which: I64, count: int, begun: int, bent: I64, window: int, blocks: int, margin: int,
              along: int, noise: F64, grain: F64, taken: float, slopes: F64, own: F64, table: F64, mask: F64,
              halves: F64, order: I64, pixels: float, columns: F32, wide: int, constants: F64,
              work: F64) -> int:  # fmt: skip
    """Prepare the windows `which` (`response.responses`).

    Args:
        tiles: (all, size, size) with size = window + 2 margin.
        begun: 1 where the columns and directions of these windows stand there already: only their noise is another, or
            their bend is measured now.
        bent: (all,), 1 for those whose bend is measured; the others answer to first order.
        noise: (all,); grain: (all, SIDE, SIDE).
        taken: how many pixels' noise the patterns and means have that were taken off what is left beside a reference.
        slopes, own: `reference_noise.tables`; table: `taps.TABLE`.
        mask: as `response.masks`; halves, order: as `response.order`; pixels: of the first half.
        columns: (all, 6, wide), of each the first window * blocks * 8 values are filled.
        constants: (all, CONSTANTS), filled; rows whose AXES are 0 have nothing to measure.
        work: LARGE, six maps of window * blocks * 8, and the largest of three of those, four planes of 8 (blocks + 2)
            (window + 3), and 10 ALL values and six maps.
    """
    size, part = window + 2 * margin, window * blocks * 8
    column, maps, half = at(work, LARGE), at(work, LARGE + 6 * part), at(mask, 8 * blocks)
    for n in range(count):
        i = which[n]
        tile, kept, constant = at(tiles, i * size * size), at(columns, i * 6 * wide), at(constants, i * CONSTANTS)
        correlation = at(grain, i * SIDE * SIDE)
        known = 0
        if begun == 0:
            fine = begin(tile, window, blocks, margin, along, mask, pixels, column, maps, constant, work)
            for p in range(PATTERNS):  # all that is known of answers is of the columns as they are kept
                for k in range(0, part, 8):
                    put(kept, p * wide + k, vec(column, p * part + k))
                    put(column, p * part + k, vec(kept, p * wide + k))
        else:
            fine = 1 if constant[AXES] > 0.0 else 0
            known = as_before(constant, noise[i], correlation)
        if fine != 0 and known == 0:
            if begun == 0:
                grams_of(column, part, halves, order, constant, maps)
                plain_of(constant, work)
            left = matrices_of(noise[i], correlation, slopes, float(window * window), constant, work)
            fine = 1 if left >= 0.0 else 0
            if fine != 0:
                for k in range(SIDE * SIDE):
                    constant[GRAIN + k] = correlation[k]
                constant[LEFT], constant[NOISE] = left, noise[i]
                even_of(constant)
                for k in range(3):
                    constant[SCALE + k] = constant[EVEN + k]
        if fine != 0:
            constant[UNBENT] = 0.0
            if bent[i] != 0:
                if begun != 0:
                    for p in range(PATTERNS):
                        for k in range(0, part, 8):
                            put(column, p * part + k, vec(kept, p * wide + k))
                spreads_of(column, part, window, blocks, half, correlation, constant, maps, work)
                power = 0.0
                for k in range(SIDE * SIDE):
                    power += correlation[k]
                # Patterns had more of the noise as it is correlated.
                lost = taken * (max(power, 1.0) - 1.0) / float(window * window)
                constant[SPREAD] = constant[SPREAD] / (1.0 - min(lost, 0.5))
                products_of(column, part, halves, order, tile, size, window, own, constant[LEFT], correlation, constant,
                            maps, work)  # fmt: skip
                fine = bend_of(constant, table, work)
            else:
                for k in range(0, 4 * TERMS, 8):
                    put(constant, BEND + k, eight(0.0))
        if fine == 0 or finite(constant, work) == 0:
            for k in range(0, CONSTANTS, 8):
                put(constant, k, eight(0.0))
    return 0
