"""The bend of a window's answers (`patches.response`) as loops: measured on the shifted reference, fitted."""

from __future__ import annotations

from kernels.host.loops import F64, I64, at, eight, floor, loop, put, vec
from pipelines.trackers.patches.answer_loops import PATTERNS, first_answer, refined
from pipelines.trackers.patches.calibration_loops import matrices_of, spreads_of
from pipelines.trackers.patches.design_loops import design_of, directions_of, slopes_of
from pipelines.trackers.patches.noise_loops import dot, total
from pipelines.trackers.patches.window_loops import taps_of

# As `response` lays them out; its tests compare.
INVERSE, FIRST, SECOND, BASIS, AXES, PIXELS_A, UNBENT, BEND, TERMS, CONSTANTS = (
    0, 9, 18, 27, 34, 35, 72, 147, 20, 227)  # fmt: skip
DEGREE = 5
RANGE = 0.65  # px, up to which the response is calibrated
NODES = 7  # shifts along each direction at which it is
SIDE = 7
RANK = 1e-10  # share of the largest monomial's length that must be left of one beside the others
ROWS = 56  # nodes, rounded up to eights
FAR = 4  # px by which the design is moved: the taps' reach
WIDE = 9
# Scratch memory after that of `calibration_loops`: taps, moments of a node (six of the whole window, those of its
# halves), answers, products with shifted windows (9 x 9 of 16), a pixel's own noise in the same, the fit's columns and
# targets, its triangle.
OWN, WEIGHTS, MOMENTS, FOUND, PRODUCTS, LOST, COLUMNS, TARGETS, TRIANGLE, LARGE = (
    136, 144, 160, 176, 224, 1520, 1616, 2736, 2960, 3536)  # fmt: skip


@loop
def products_of(columns: F64, part: int, half: F64, tile: F64, size: int, margin: int, window: int, blocks: int,
                own: F64, noise: float, grain: F64, constants: F64, work: F64) -> int:  # fmt: skip
    """The sums with the design of the tile, of the whole window and of its first half, moved by whole pixels, FAR px at
    most each way, less what the reference's own noise adds to them, into work[PRODUCTS:]: the sums of any shift are a
    few of these by its taps."""
    e1x, e1y, e2x, e2y = constants[BASIS], constants[BASIS + 1], constants[BASIS + 2], constants[BASIS + 3]
    first = constants[PIXELS_A]
    area = float(window * window)
    for dy in range(WIDE):
        for k in range(PATTERNS):
            one, two = eight(0.0), eight(0.0)
            if noise > 0.0:
                for ey in range(SIDE):
                    for ex in range(SIDE):
                        o = (k * 15 + dy + ey) * 24 + ex
                        one += vec(own, o) * grain[ey * SIDE + ex]
                        two += vec(own, o + 8) * grain[ey * SIDE + ex]
            put(work, LOST + 16 * k, one * noise)
            put(work, LOST + 16 * k + 8, two * noise)
        for dx in range(WIDE):
            a0, a1, a2, a3, a4, a5 = eight(0.0), eight(0.0), eight(0.0), eight(0.0), eight(0.0), eight(0.0)
            h0, h1, h2, h3, h4, h5 = eight(0.0), eight(0.0), eight(0.0), eight(0.0), eight(0.0), eight(0.0)
            for r in range(window):
                line = (margin + r + dy - FAR) * size + margin + dx - FAR
                for b in range(blocks):
                    o = (r * blocks + b) * 8
                    v, m = vec(tile, line + min(8 * b, window - 8)), vec(half, o)
                    p0, p1, p2 = v * vec(columns, o), v * vec(columns, part + o), v * vec(columns, 2 * part + o)
                    a0 += p0
                    a1 += p1
                    a2 += p2
                    h0 += p0 * m
                    h1 += p1 * m
                    h2 += p2 * m
                    p3, p4 = v * vec(columns, 3 * part + o), v * vec(columns, 4 * part + o)
                    p5 = v * vec(columns, 5 * part + o)
                    a3 += p3
                    a4 += p4
                    a5 += p5
                    h3 += p3 * m
                    h4 += p4 * m
                    h5 += p5 * m
            x, y = work[LOST + 16 + dx], work[LOST + 32 + dx]
            xx, xy, yy = work[LOST + 48 + dx], work[LOST + 64 + dx], work[LOST + 80 + dx]
            out, lost = at(work, PRODUCTS + (dy * WIDE + dx) * 16), at(work, OWN)
            lost[0], lost[1], lost[2] = work[LOST + dx], 0.0 - e1x * x - e1y * y, 0.0 - e2x * x - e2y * y
            lost[3] = e1x * e1x * xx + 2.0 * e1x * e1y * xy + e1y * e1y * yy
            lost[4] = e1x * e2x * xx + (e1x * e2y + e1y * e2x) * xy + e1y * e2y * yy
            lost[5] = e2x * e2x * xx + 2.0 * e2x * e2y * xy + e2y * e2y * yy
            put(work, 0, a0)
            out[0] = total(work) - area * lost[0]
            put(work, 0, a1)
            out[1] = total(work) - area * lost[1]
            put(work, 0, a2)
            out[2] = total(work) - area * lost[2]
            put(work, 0, a3)
            out[3] = total(work) - area * lost[3]
            put(work, 0, a4)
            out[4] = total(work) - area * lost[4]
            put(work, 0, a5)
            out[5] = total(work) - area * lost[5]
            put(work, 0, h0)
            out[6] = total(work) - first * lost[0]
            put(work, 0, h1)
            out[7] = total(work) - first * lost[1]
            put(work, 0, h2)
            out[8] = total(work) - first * lost[2]
            put(work, 0, h3)
            out[9] = total(work) - first * lost[3]
            put(work, 0, h4)
            out[10] = total(work) - first * lost[4]
            put(work, 0, h5)
            out[11] = total(work) - first * lost[5]
            for k in range(12, 16):
                out[k] = 0.0
    return 0


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
            taps_of(x - kx, table, at(work, WEIGHTS))
            taps_of(y - ky, table, at(work, WEIGHTS + 8))
            moments, more = eight(0.0), eight(0.0)
            for m in range(8):
                line = PRODUCTS + ((int(ky) + 1 + m) * WIDE + int(kx) + 1) * 16
                one, two = eight(0.0), eight(0.0)
                for n in range(8):
                    one += vec(work, line + 16 * n) * work[WEIGHTS + n]
                    two += vec(work, line + 16 * n + 8) * work[WEIGHTS + n]
                moments += one * work[WEIGHTS + 8 + m]
                more += two * work[WEIGHTS + 8 + m]
            put(work, MOMENTS, moments)
            put(work, MOMENTS + 8, more)
            if first_answer(constants, at(work, MOMENTS), at(work, FOUND)) == 0:
                return 0
            r1, r2 = work[FOUND + 1], work[FOUND + 2]
            if refined(constants, at(work, MOMENTS), r1, r2, at(work, FOUND)) == 0:
                return 0
            k, high = COLUMNS + node, 1.0
            for degree in range(1, DEGREE + 1):
                for n in range(degree + 1):
                    high = 1.0
                    for _ in range(degree - n):
                        high = high * r1
                    for _ in range(n):
                        high = high * r2
                    work[k] = high
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
          constant: F64, work: F64) -> int:  # fmt: skip
    """The directions and the design of a window; 0 where there is nothing to measure."""
    size, part, maps = window + 2 * margin, window * blocks * 8, at(work, LARGE)
    top = slopes_of(tile, size, margin, window, blocks, mask, maps, work)
    constant[PIXELS_A] = pixels
    fine = directions_of(maps, part, window, top, along, constant, work)
    design_of(maps, tile, size, margin, part, window, blocks, mask, constant, column, work)
    return int(fine)


@loop
def calibrate(tiles: F64, which: I64, count: int, begun: int, bent: I64, window: int, blocks: int, margin: int,
              along: int, noise: F64, grain: F64, slopes: F64, own: F64, table: F64, mask: F64, pixels: float,
              columns: F64, constants: F64, work: F64) -> int:  # fmt: skip
    """Prepare the windows `which` (`response.responses`).

    Args:
        tiles: (all, size, size) with size = window + 2 margin.
        begun: 1 where the columns and directions of these windows stand there already: only their noise is another.
        bent: (all,), 1 for those whose bend is measured; the others answer to first order.
        noise: (all,); grain: (all, SIDE, SIDE).
        slopes, own: `reference_noise.tables`; table: `taps.TABLE`.
        mask: as `response.masks`; pixels: of the first half.
        columns: (all, 6, window, blocks, 8), filled.
        constants: (all, CONSTANTS), filled; rows whose AXES are 0 have nothing to measure.
        work: LARGE + the larger of 3 maps of window * blocks * 8 and four planes of 8 (blocks + 2) (window + 3).
    """
    size, part = window + 2 * margin, window * blocks * 8
    maps, half = at(work, LARGE), at(mask, 8 * blocks)
    for n in range(count):
        i = which[n]
        tile, column, constant = at(tiles, i * size * size), at(columns, i * 6 * part), at(constants, i * CONSTANTS)
        correlation = at(grain, i * SIDE * SIDE)
        if begun == 0:
            fine = begin(tile, window, blocks, margin, along, mask, pixels, column, constant, work)
        else:
            fine = 1 if constant[AXES] > 0.0 else 0
        if fine != 0:
            left = matrices_of(column, part, half, noise[i], correlation, slopes, float(window * window), constant,
                               work)  # fmt: skip
            fine = 1 if left >= 0.0 else 0
            if fine != 0:
                spreads_of(column, part, window, blocks, half, correlation, constant, maps, work)
                constant[UNBENT] = 0.0
                if bent[i] != 0:
                    products_of(column, part, half, tile, size, margin, window, blocks, own, left, correlation,
                                constant, work)  # fmt: skip
                    fine = bend_of(constant, table, work)
                else:
                    for k in range(4 * TERMS):
                        constant[BEND + k] = 0.0
        finite = 0.0
        if fine != 0:
            for k in range(CONSTANTS):
                finite += constant[k] * 0.0
        if fine == 0 or finite != 0.0:
            for k in range(CONSTANTS):
                constant[k] = 0.0
    return 0
