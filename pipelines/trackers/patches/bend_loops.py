"""The bend of a window's answers (`patches.response`) as loops: measured on the shifted reference, fitted."""

from __future__ import annotations

from kernels.host.loops import F64, I64, at, eight, floor, loop, put, vec
from pipelines.trackers.patches.calibration_loops import (
    design_of,
    directions_of,
    matrices_of,
    slopes_of,
    spreads_of,
)
from pipelines.trackers.patches.noise_loops import dot, total
from pipelines.trackers.patches.spline_loops import spline_of
from pipelines.trackers.patches.window_loops import taps_of

# As `response` lays them out; its tests compare.
INVERSE, FIRST, SECOND, BASIS, AXES, PIXELS_A, UNBENT, BEND, TERMS, CONSTANTS = (
    0, 9, 18, 27, 34, 35, 45, 46, 20, 126)  # fmt: skip
DEGREE = 5
RANGE = 0.75  # px, up to which the response is calibrated
NODES = 7  # shifts along each direction at which it is
SIDE = 7
RANK = 1e-10  # share of the largest monomial's length that must be left of one beside the others
ROWS = 56  # nodes, rounded up to eights
FAR = 4  # px by which the design is moved: the taps' reach
WIDE = 9
# Scratch memory after that of `calibration_loops`: taps, moments of a node, answers, products with shifted windows
# (9 x 9 of 8), a pixel's own noise in the same, the fit's columns and targets, its triangle.
WEIGHTS, MOMENTS, FOUND, PRODUCTS, LOST, COLUMNS, TARGETS, TRIANGLE, LARGE = (
    112, 128, 136, 152, 800, 848, 1968, 2192, 2768)  # fmt: skip


@loop
def products_of(columns: F64, part: int, tile: F64, size: int, margin: int, window: int, blocks: int, own: F64,
                noise: float, grain: F64, constants: F64, work: F64) -> int:  # fmt: skip
    """The six sums with the design of the tile, moved by whole pixels, FAR px at most each way, less what the
    reference's own noise adds to them, into work[PRODUCTS:]: the sums of any shift are a few of these by its taps."""
    e1x, e1y, e2x, e2y = constants[BASIS], constants[BASIS + 1], constants[BASIS + 2], constants[BASIS + 3]
    first = constants[PIXELS_A]
    rest = float(window * window) - first
    for dy in range(WIDE):
        for k in range(3):
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
            a0, a1, a2, b0, b1, b2 = eight(0.0), eight(0.0), eight(0.0), eight(0.0), eight(0.0), eight(0.0)
            for r in range(window):
                line = (margin + r + dy - FAR) * size + margin + dx - FAR
                for b in range(blocks):
                    o = (r * blocks + b) * 8
                    v = vec(tile, line + min(8 * b, window - 8))
                    a0 += v * vec(columns, o)
                    a1 += v * vec(columns, part + o)
                    a2 += v * vec(columns, 2 * part + o)
                    b0 += v * vec(columns, 3 * part + o)
                    b1 += v * vec(columns, 4 * part + o)
                    b2 += v * vec(columns, 5 * part + o)
            out = at(work, PRODUCTS + (dy * WIDE + dx) * 8)
            still, x, y = work[LOST + dx], work[LOST + 16 + dx], work[LOST + 32 + dx]
            along1, along2 = e1x * x + e1y * y, e2x * x + e2y * y
            put(work, 0, a0)
            out[0] = total(work) - first * still
            put(work, 0, a1)
            out[1] = total(work) + first * along1
            put(work, 0, a2)
            out[2] = total(work) + first * along2
            put(work, 0, b0)
            out[3] = total(work) - rest * still
            put(work, 0, b1)
            out[4] = total(work) + rest * along1
            put(work, 0, b2)
            out[5] = total(work) + rest * along2
            out[6], out[7] = 0.0, 0.0
    return 0


@loop
def answered(matrix: F64, q0: float, q1: float, q2: float, out: F64) -> int:
    """The displacements to first order, two values; 0 where there is no light."""
    gain = matrix[0] * q0 + matrix[1] * q1 + matrix[2] * q2
    if not abs(gain) > 0.0:
        return 0
    out[0] = (matrix[3] * q0 + matrix[4] * q1 + matrix[5] * q2) / gain
    out[1] = (matrix[6] * q0 + matrix[7] * q1 + matrix[8] * q2) / gain
    return 1


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
            moments = eight(0.0)
            for m in range(8):
                line = PRODUCTS + ((int(ky) + 1 + m) * WIDE + int(kx) + 1) * 8
                one = eight(0.0)
                for n in range(8):
                    one += vec(work, line + 8 * n) * work[WEIGHTS + n]
                moments += one * work[WEIGHTS + 8 + m]
            put(work, MOMENTS, moments)
            q = at(work, MOMENTS)
            good = answered(at(constants, INVERSE), q[0] + q[3], q[1] + q[4], q[2] + q[5], at(work, FOUND))
            good += answered(at(constants, FIRST), q[0], q[1], q[2], at(work, FOUND + 2))
            good += answered(at(constants, SECOND), q[3], q[4], q[5], at(work, FOUND + 4))
            if good < 3:
                return 0
            r1, r2 = work[FOUND], work[FOUND + 1]
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
            work[k], work[k + ROWS] = s1, s2
            work[k + 2 * ROWS] = work[FOUND + 2] - work[FOUND + 4]
            work[k + 3 * ROWS] = work[FOUND + 3] - work[FOUND + 5]
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
def begin(tile: F64, window: int, blocks: int, margin: int, along: int, heads: F64, mask: F64, pixels: float,
          column: F64, constant: F64, work: F64) -> int:  # fmt: skip
    """The directions and the design of a window; 0 where there is nothing to measure."""
    size, part = window + 2 * margin, window * blocks * 8
    pitch = (size + 7) // 8 * 8
    coefficient, maps = at(work, LARGE), at(work, LARGE + size * pitch)
    for r in range(size):
        for c in range(size):
            coefficient[r * pitch + c] = tile[r * size + c]
        for c in range(size, pitch):
            coefficient[r * pitch + c] = 0.0
    spline_of(coefficient, size, pitch, heads, maps)
    top = slopes_of(tile, coefficient, size, pitch, margin, window, blocks, mask, maps, work)
    constant[PIXELS_A] = pixels
    fine = directions_of(maps, part, window, top, along, constant, work)
    design_of(maps, part, window, blocks, mask, constant, column, work)
    return int(fine)


@loop
def calibrate(tiles: F64, which: I64, count: int, begun: int, bent: I64, window: int, blocks: int, margin: int,
              along: int, noise: F64, grain: F64, slopes: F64, own: F64, table: F64, heads: F64, mask: F64,
              pixels: float, columns: F64, constants: F64, work: F64) -> int:  # fmt: skip
    """Prepare the windows `which` (`response.responses`).

    Args:
        tiles: (all, size, size) with size = window + 2 margin.
        begun: 1 where the columns and directions of these windows stand there already: only their noise is another.
        bent: (all,), 1 for those whose bend is measured; the others answer to first order.
        noise: (all,); grain: (all, SIDE, SIDE).
        slopes, own: `reference_noise.tables`; table: `taps.TABLE`; heads: `subpixel.heads` of size.
        mask: as `response.masks`; pixels: of the first half.
        columns: (all, 6, window, blocks, 8), filled.
        constants: (all, CONSTANTS), filled; rows whose AXES are 0 have nothing to measure.
        work: LARGE + 2 size rows of that, rounded up to eights, + the larger of 3 maps of window * blocks * 8 and four
            planes of 8 (blocks + 2) (window + 3).
    """
    size, part = window + 2 * margin, window * blocks * 8
    maps = at(work, LARGE + size * ((size + 7) // 8 * 8))
    for n in range(count):
        i = which[n]
        tile, column, constant = at(tiles, i * size * size), at(columns, i * 6 * part), at(constants, i * CONSTANTS)
        correlation = at(grain, i * SIDE * SIDE)
        if begun == 0:
            fine = begin(tile, window, blocks, margin, along, heads, mask, pixels, column, constant, work)
        else:
            fine = 1 if constant[AXES] > 0.0 else 0
        if fine != 0:
            left = matrices_of(column, part, noise[i], correlation, slopes, float(window * window), constant, work)
            fine = 1 if left >= 0.0 else 0
            if fine != 0:
                spreads_of(column, part, window, blocks, correlation, constant, maps, work)
                constant[UNBENT] = 0.0
                if bent[i] != 0:
                    products_of(column, part, tile, size, margin, window, blocks, own, left, correlation, constant,
                                work)  # fmt: skip
                    fine = bend_of(constant, table, work)
                else:
                    for k in range(4 * TERMS):
                        constant[BEND + k] = 0.0
                    constant[BEND] = 1.0
                    constant[BEND + TERMS + 1] = constant[AXES] - 1.0
        finite = 0.0
        if fine != 0:
            for k in range(CONSTANTS):
                finite += constant[k] * 0.0
        if fine == 0 or finite != 0.0:
            for k in range(CONSTANTS):
                constant[k] = 0.0
    return 0
