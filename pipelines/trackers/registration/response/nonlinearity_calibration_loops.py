"""The bend of a window's answers (`registration.response.response`) as loops: measured on the shifted reference,
fitted."""

from __future__ import annotations

from kernels.loops.language import (
    F64,
    I64,
    as_f64_rows,
    at,
    floor,
    gather_transpose,
    load,
    load_row,
    loop,
    mask,
    splat,
    store,
    where,
)
from pipelines.trackers.registration.noise.autocovariance_loops import SIDE, dot, total
from pipelines.trackers.registration.response.calibration_loops import matrices_of, plain_of, spreads_of
from pipelines.trackers.registration.response.design_loops import design_of, directions_of, slopes_of
from pipelines.trackers.registration.response.gram_loops import even_of, grams_of
from pipelines.trackers.registration.response.product_loops import PRODUCTS, WIDE, products_of
from pipelines.trackers.registration.response.response_estimate_loops import (
    GOOD,
    HALF_A,
    HALF_B,
    MONOMIALS,
    R1,
    R2,
    TERMS,
    WHOLE,
    Q,
    first_answers,
    monomials,
    refined,
)
from pipelines.trackers.registration.response.response_estimate_loops import ROWS as LANE_ROWS
from pipelines.trackers.registration.response.structs import Answers, Setup
from pipelines.trackers.registration.windows.pack_loops import keep, unpack
from pipelines.trackers.registration.windows.structs import Blocks, Chosen
from pipelines.trackers.registration.windows.window_loops import taps_of

# As `response` lays them out; its tests compare.
BASIS, SCALE, SPREAD, AXES, PIXELS_A, UNBENT, BEND, LEFT, NOISE, GRAIN, EVEN, CONSTANTS = (
    27, 31, 33, 34, 35, 72, 147, 227, 228, 229, 278, 328)  # fmt: skip
RANGE = 0.65  # px, up to which the response is calibrated
NODES = 7  # shifts along each direction at which it is
RANK = 1e-10  # share of the largest monomial's length that must be left of one beside the others
ROWS = 56  # nodes, rounded up to eights
EIGHT = 8  # nodes that are looked at in one go
# Scratch memory after that of `calibration_loops`, beside that of `product_loops`: taps, the fit's columns and targets,
# its triangle, products with windows shifted along rows (9 of 16); of eight nodes: moments (of each six of the whole
# window and two of its first half, then the other four), shifts along both directions and which there are, answers.
WEIGHTS, COLUMNS, TRIANGLE, ALONG, MOMENTS, SHIFTS, RESULTS = 144, 1616, 2960, 3440, 3584, 3712, 3736
LARGE = RESULTS + 8 * LANE_ROWS


@loop
def answered(constants: F64, rows: I64, first: int, work: F64) -> int:
    """Monomials of the answers of eight nodes from `first` on, and what they shall give; 0 where one fails."""
    lane, real = as_f64_rows(at(work, RESULTS)), load(work, SHIFTS + 16)
    gather_transpose(lane, Q, at(work, MOMENTS), rows, 0)
    gather_transpose(lane, Q + 8, at(work, MOMENTS), rows, 64)
    first_answers(constants, lane)
    refined(constants, lane)
    monomials(lane)
    if mask(where(real > 0.0, load_row(lane, GOOD), 1.0) > 0.0) != 255:
        return 0
    k = COLUMNS + first
    for m in range(TERMS):
        # Rows of the least-squares fit: monomials of the first answer, and by what the answers are wrong.
        store(work, k + m * ROWS, where(real > 0.0, load_row(lane, MONOMIALS + m), 0.0))
    k = k + TERMS * ROWS
    store(work, k, where(real > 0.0, load_row(lane, R1) + load_row(lane, WHOLE + 1) - load(work, SHIFTS), 0.0))
    store(
        work, k + ROWS, where(real > 0.0, load_row(lane, R2) + load_row(lane, WHOLE + 2) - load(work, SHIFTS + 8), 0.0)
    )
    store(work, k + 2 * ROWS, where(real > 0.0, load_row(lane, HALF_A + 1) - load_row(lane, HALF_B + 1), 0.0))
    store(work, k + 3 * ROWS, where(real > 0.0, load_row(lane, HALF_A + 2) - load_row(lane, HALF_B + 2), 0.0))
    store(work, SHIFTS + 16, splat(0.0))
    return 1


@loop
def nodes_of(constants: F64, table: F64, rows: I64, work: F64) -> int:
    """Monomials of the answers to known shifts, and what they shall give, a row a node; how many, 0 where one fails.

    rows: where eight rows of eight begin."""
    store(work, SHIFTS + 16, splat(0.0))
    for k in range(0, 16 * EIGHT, 8):
        store(work, MOMENTS + k, splat(0.0))
    others = NODES if constants[AXES] == 2.0 else 1
    node = 0
    # A grid of known shifts within RANGE; of stripes a line.
    for i in range(NODES):
        s1 = RANGE * float(2 * i + 1 - NODES) / float(NODES - 1)
        for j in range(others):
            s2 = RANGE * float(2 * j + 1 - others) / float(NODES - 1)
            # A window that moved by s is read at -s.
            x = 0.0 - (constants[BASIS] * s1 + constants[BASIS + 2] * s2)
            y = 0.0 - (constants[BASIS + 1] * s1 + constants[BASIS + 3] * s2)
            kx, ky = floor(x), floor(y)
            if j == 0:  # where there are more along the second direction, that is the one down the columns
                # The shift along x is made once for all nodes with that x: products with shifts are filtered as
                # pictures are, as both are linear in the reference.
                taps_of(x - kx, table, at(work, WEIGHTS))
                for m in range(WIDE):
                    line = PRODUCTS + (m * WIDE + int(kx) + 1) * 16
                    one, two = splat(0.0), splat(0.0)
                    for n in range(8):
                        one += load(work, line + 16 * n) * work[WEIGHTS + n]
                        two += load(work, line + 16 * n + 8) * work[WEIGHTS + n]
                    store(work, ALONG + 16 * m, one)
                    store(work, ALONG + 16 * m + 8, two)
            taps_of(y - ky, table, at(work, WEIGHTS + 8))
            moments, more = splat(0.0), splat(0.0)
            for m in range(8):
                line = ALONG + (int(ky) + 1 + m) * 16
                moments += load(work, line) * work[WEIGHTS + 8 + m]
                more += load(work, line + 8) * work[WEIGHTS + 8 + m]
            # Eight nodes are gathered, then answered together.
            k = node % EIGHT
            store(work, MOMENTS + 8 * k, moments)
            store(work, MOMENTS + 64 + 8 * k, more)
            work[SHIFTS + k], work[SHIFTS + 8 + k], work[SHIFTS + 16 + k] = s1, s2, 1.0
            node += 1
            full = k == EIGHT - 1 or node == NODES * others
            if full and answered(constants, rows, node - 1 - k, work) == 0:
                return 0
    return node


@loop
def bend_of(constants: F64, table: F64, rows: I64, work: F64) -> int:
    """Least squares of the monomials by Gram and Schmidt, modified (Bjorck, BIT 7, 1967), into constants[BEND:].

    Monomials that say nothing beside the ones before get 0 (of stripes those of the second direction are 0)."""
    count = nodes_of(constants, table, rows, work)
    if count == 0:
        return 0
    many = (count + 7) // 8 * 8
    largest = 0.0
    for k in range(TERMS):
        one = at(work, COLUMNS + k * ROWS)
        largest = max(largest, dot(one, one, many, work))
    # Modified Gram-Schmidt: each column is made orthogonal to those before it, targets with them.
    for k in range(TERMS):
        one = at(work, COLUMNS + k * ROWS)
        length = dot(one, one, many, work)
        row = TRIANGLE + k * 24
        work[row + k] = 1.0 if length > largest * RANK * RANK else 0.0
        if length > largest * RANK * RANK:
            for j in range(k + 1, TERMS + 4):
                other = at(work, COLUMNS + j * ROWS)
                share = dot(one, other, many, work) / length
                work[row + j] = share
                for r in range(0, many, 8):
                    store(other, r, load(other, r) - load(one, r) * share)
    # Back substitution through the triangle; a column without length of its own has the factor 0.
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
def begin(tile: F64, grid: Blocks, setup: Setup, column: F64, maps: F64, constant: F64, work: F64) -> int:
    """The directions and the design of a window; 0 where there is nothing to measure."""
    top = slopes_of(tile, grid, maps, work)
    constant[PIXELS_A] = setup.pixels
    fine = directions_of(maps, grid.window * grid.blocks * 8, grid.window, top, setup.along, constant, work)
    design_of(maps, tile, grid, constant, column, work)
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
    made = splat(0.0)
    for k in range(0, CONSTANTS, 8):
        made += load(constant, k) * 0.0
    store(work, 0, made)
    return 1 if total(work) == 0.0 else 0


@loop
def calibrate(chosen: Chosen, begun: int, grid: Blocks, setup: Setup, answers: Answers, work: F64) -> int:
    """Prepare some windows (`response.responses`).

    Args:
        begun: 1 where the columns and directions of these windows are there already: only their noise is another, or
            their bend is measured now.
        answers: whose columns and constants of these windows are filled.
        work: LARGE, six maps of window * blocks * 8, and the largest of three of those, four planes of 8 (blocks + 2)
            (window + 3), and 10 ALL values and six maps.
    """
    window, blocks, wide = grid.window, grid.blocks, setup.wide
    size, part = window + 2 * grid.margin, window * blocks * 8
    column, maps, half = at(work, LARGE), at(work, LARGE + 6 * part), at(grid.mask, 8 * blocks)
    for n in range(chosen.count):
        i = chosen.which[n]
        tile, kept = at(answers.tiles, i * size * size), at(answers.columns, i * 6 * wide)
        constant, correlation = at(answers.constants, i * CONSTANTS), at(answers.grain, i * SIDE * SIDE)
        known = 0
        if begun == 0:
            fine = begin(tile, grid, setup, column, maps, constant, work)
            # Columns are rounded to f32 once and read back: all constants are of the rounded ones.
            keep(column, part, setup.packed, wide, kept)  # all that is known of answers is of the columns as kept
            unpack(kept, setup.packed, wide, part, column)
        else:
            fine = 1 if constant[AXES] > 0.0 else 0
            known = as_before(constant, answers.noise[i], correlation)
        # Products of columns are the same as long as the reference is; only noise was another.
        if fine != 0 and known == 0:
            if begun == 0:
                grams_of(column, part, setup.halves, setup.order, constant, maps)
                plain_of(constant, work)
            free = float(window * window)
            left = matrices_of(answers.noise[i], correlation, setup.slopes, free, constant, work)
            fine = 1 if left >= 0.0 else 0
            if fine != 0:
                for k in range(SIDE * SIDE):
                    constant[GRAIN + k] = correlation[k]
                constant[LEFT], constant[NOISE] = left, answers.noise[i]
                even_of(constant)
                for k in range(3):
                    constant[SCALE + k] = constant[EVEN + k]
        if fine != 0:
            # `level` raises it for windows whose bend is not measured.
            constant[UNBENT] = 0.0
            if answers.bent[i] != 0:
                if begun != 0:
                    unpack(kept, setup.packed, wide, part, column)
                spreads_of(column, part, window, blocks, half, correlation, constant, maps, work)
                power = 0.0
                for k in range(SIDE * SIDE):
                    power += correlation[k]
                # Patterns had more of the noise as it is correlated.
                lost = setup.taken * (max(power, 1.0) - 1.0) / float(window * window)
                constant[SPREAD] = constant[SPREAD] / (1.0 - min(lost, 0.5))
                products_of(column, grid, setup, tile, correlation, constant, maps, work)
                fine = bend_of(constant, setup.table, at(setup.order, 3), work)
            else:
                for k in range(0, 4 * TERMS, 8):
                    store(constant, BEND + k, splat(0.0))
        # A window with a constant that is no number counts as one without texture.
        if fine == 0 or finite(constant, work) == 0:
            for k in range(0, CONSTANTS, 8):
                store(constant, k, splat(0.0))
    return 0
