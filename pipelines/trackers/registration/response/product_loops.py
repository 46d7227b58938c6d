"""Products of a window's design with its own reference moved by whole pixels
(`registration.response.nonlinearity_calibration_loops`), as loops."""

from __future__ import annotations

from kernels.loops.language import F64, at, gather_transpose, load, loop, splat, store
from pipelines.trackers.registration.noise.autocovariance_loops import SIDE
from pipelines.trackers.registration.response.structs import Half, Setup
from pipelines.trackers.registration.windows.structs import PATTERNS, Blocks

BASIS, PIXELS_A, LEFT = 27, 35, 227  # as `response` lays them out; its tests compare
FAR = 4  # px by which the design is moved: the taps' reach
WIDE = 9
MIDDLE = 7  # row of `reference_noise.tables` that is not moved
ALL = 488  # sums of all moves, rounded up to eights
# Scratch memory after that of `calibration_loops`: a pixel's own noise, the products (WIDE x WIDE of 16: six of the
# whole window, six of its first half), a pixel's own noise in those of a row.
OWN, PRODUCTS, LOST = 136, 224, 1520


@loop
def sums_of(columns: F64, grid: Blocks, half: Half, tile: F64, out: F64, packed: F64, eights: F64, work: F64) -> int:
    """The tile's sums with the design in one half of the window, moved by whole pixels, FAR px at most each way:
    PATTERNS for each of WIDE x WIDE moves.

    Args:
        packed: 48 values a block; eights: 8 ALL, of which the last need not be numbers.
    """
    part, size, first = grid.window * grid.blocks * 8, grid.window + 2 * grid.margin, half.first
    count = half.last - first
    # Columns of the half's pixels lie side by side first, 48 values a block of eight pixels, masked by the half.
    for k in range(count):
        o = half.places[2 * (first + k)]
        m = load(half.share, o)
        for p in range(PATTERNS):
            store(packed, 48 * k + 8 * p, load(columns, p * part + o) * m)
    # Correlation with the tile at 9 x 9 shifts; three neighbouring shifts share each load of the columns.
    for dy in range(WIDE):
        for dx in range(0, WIDE, 3):  # three at once: to load columns takes as long as to add their products
            a0, a1, a2, a3, a4, a5 = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
            b0, b1, b2, b3, b4, b5 = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
            c0, c1, c2, c3, c4, c5 = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
            for k in range(count):
                place = half.places[2 * (first + k) + 1] + dy * size + dx
                u, v, w = load(tile, place), load(tile, place + 1), load(tile, place + 2)
                p0, p1, p2 = load(packed, 48 * k), load(packed, 48 * k + 8), load(packed, 48 * k + 16)
                a0 += u * p0
                b0 += v * p0
                c0 += w * p0
                a1 += u * p1
                b1 += v * p1
                c1 += w * p1
                a2 += u * p2
                b2 += v * p2
                c2 += w * p2
                p3, p4, p5 = load(packed, 48 * k + 24), load(packed, 48 * k + 32), load(packed, 48 * k + 40)
                a3 += u * p3
                b3 += v * p3
                c3 += w * p3
                a4 += u * p4
                b4 += v * p4
                c4 += w * p4
                a5 += u * p5
                b5 += v * p5
                c5 += w * p5
            o = (dy * WIDE + dx) * 8 * PATTERNS
            store(eights, o + 0, a0)
            store(eights, o + 8, a1)
            store(eights, o + 16, a2)
            store(eights, o + 24, a3)
            store(eights, o + 32, a4)
            store(eights, o + 40, a5)
            store(eights, o + 48, b0)
            store(eights, o + 56, b1)
            store(eights, o + 64, b2)
            store(eights, o + 72, b3)
            store(eights, o + 80, b4)
            store(eights, o + 88, b5)
            store(eights, o + 96, c0)
            store(eights, o + 104, c1)
            store(eights, o + 112, c2)
            store(eights, o + 120, c3)
            store(eights, o + 128, c4)
            store(eights, o + 136, c5)
    for k in range(0, ALL, 8):  # eight sums at once, as `autocovariance_loops.total` adds
        gather_transpose(work, 0, eights, half.rows, 8 * k)
        one = (load(work, 0) + load(work, 8)) + (load(work, 16) + load(work, 24))
        store(out, k, one + ((load(work, 32) + load(work, 40)) + (load(work, 48) + load(work, 56))))
    return 0


@loop
def products_of(columns: F64, grid: Blocks, setup: Setup, tile: F64, grain: F64, constants: F64, maps: F64,
                work: F64) -> int:  # fmt: skip
    """The sums with the design of the tile, of the whole window and of its first half, moved by whole pixels, less what
    the reference's own noise adds to them, into work[PRODUCTS:]: the sums of any shift are a few of these by its taps.

    Args:
        grain: how the reference's noise is correlated, (SIDE, SIDE); its variance is constants[LEFT].
        maps: scratch memory, 10 ALL values and six maps of the window.
    """
    e1x, e1y, e2x, e2y = constants[BASIS], constants[BASIS + 1], constants[BASIS + 2], constants[BASIS + 3]
    first = constants[PIXELS_A]
    area, noise = float(grid.window * grid.window), constants[LEFT]
    far, eights, packed, places = at(maps, ALL), at(maps, 2 * ALL), at(maps, 10 * ALL), at(setup.order, 11)
    one_half = Half(setup.halves, places, 0, setup.order[1], at(setup.order, 3))
    sums_of(columns, grid, one_half, tile, maps, packed, eights, work)
    other = at(setup.halves, grid.window * grid.blocks * 8)
    other_half = Half(other, places, setup.order[0], setup.order[2], at(setup.order, 3))
    sums_of(columns, grid, other_half, tile, far, packed, eights, work)
    for dy in range(WIDE):
        for k in range(PATTERNS):
            one, two = splat(0.0), splat(0.0)
            if noise > 0.0:
                around = 3 if k == 2 else 1 if k > 3 else 0  # rows around the middle one in which it is not 0
                for ey in range(max(MIDDLE - around - dy, 0), min(MIDDLE + around + 1 - dy, SIDE)):
                    for ex in range(SIDE):
                        o = (k * 15 + dy + ey) * 24 + ex
                        one += load(setup.own, o) * grain[ey * SIDE + ex]
                        two += load(setup.own, o + 8) * grain[ey * SIDE + ex]
            store(work, LOST + 16 * k, one * noise)
            store(work, LOST + 16 * k + 8, two * noise)
        # The six patterns along the window's directions from those along x and y.
        for dx in range(WIDE):
            x, y = work[LOST + 16 + dx], work[LOST + 32 + dx]
            xx, xy, yy = work[LOST + 48 + dx], work[LOST + 64 + dx], work[LOST + 80 + dx]
            out, lost = at(work, PRODUCTS + (dy * WIDE + dx) * 16), at(work, OWN)
            lost[0], lost[1], lost[2] = work[LOST + dx], 0.0 - e1x * x - e1y * y, 0.0 - e2x * x - e2y * y
            lost[3] = e1x * e1x * xx + 2.0 * e1x * e1y * xy + e1y * e1y * yy
            lost[4] = e1x * e2x * xx + (e1x * e2y + e1y * e2x) * xy + e1y * e2y * yy
            lost[5] = e2x * e2x * xx + 2.0 * e2x * e2y * xy + e2y * e2y * yy
            for k in range(PATTERNS):
                near_, far_ = maps[(dy * WIDE + dx) * PATTERNS + k], far[(dy * WIDE + dx) * PATTERNS + k]
                out[k] = near_ + far_ - area * lost[k]
                out[PATTERNS + k] = near_ - first * lost[k]
            for k in range(12, 16):
                out[k] = 0.0
    return 0
