"""A window's design (`registration.response.response`) as loops: which directions are measured, and what light does
along them."""

from __future__ import annotations

from kernels.loops.language import F64, at, load, loop, splat, sqrt, store
from pipelines.trackers.registration.noise.autocovariance_loops import dot, total
from pipelines.trackers.registration.windows.structs import PATTERNS, Blocks
from pipelines.trackers.registration.windows.taps import SLOPE1, SLOPE2, SLOPE3

BASIS, AXES, PIXELS_A = 27, 34, 35  # as `response` lays them out; its tests compare
FLAT = 1e-3  # a smaller ratio of the gradient tensor's eigenvalues: nothing to be measured along the smaller
STRIPES = 0.01  # a smaller ratio: stripes, where one direction is measured
BOTH, ALONG_X, ALONG_Y = 1, 2, 3  # where it is asked for; 0: as the window has it
STEEPER = 1.15  # by about this second derivatives are larger than differences of neighbours, where a picture is sharp


@loop
def slopes_of(tile: F64, grid: Blocks, maps: F64, work: F64) -> float:
    """The window's light and slopes, less their means, each pixel once, into three maps; the largest light."""
    window, blocks, margin = grid.window, grid.blocks, grid.margin
    size, area, part = window + 2 * margin, float(window * window), window * blocks * 8
    top = 0.0
    for r in range(window):
        for b in range(blocks):
            o, k = (r * blocks + b) * 8, (margin + r) * size + margin + min(8 * b, window - 8)
            store(maps, o, load(tile, k))
            x = (load(tile, k + 1) - load(tile, k - 1)) * SLOPE1
            y = (load(tile, k + size) - load(tile, k - size)) * SLOPE1
            x = x + (load(tile, k + 2) - load(tile, k - 2)) * SLOPE2
            y = y + (load(tile, k + 2 * size) - load(tile, k - 2 * size)) * SLOPE2
            store(maps, part + o, x + (load(tile, k + 3) - load(tile, k - 3)) * SLOPE3)
            store(maps, 2 * part + o, y + (load(tile, k + 3 * size) - load(tile, k - 3 * size)) * SLOPE3)
            for j in range(8):
                top = max(top, abs(maps[o + j]))
    for p in range(3):
        one = at(maps, p * part)
        added = splat(0.0)
        for r in range(window):
            for b in range(blocks):
                added += load(one, (r * blocks + b) * 8) * load(grid.mask, 8 * b)
        store(work, 0, added)
        mean = total(work) / area
        for r in range(window):
            for b in range(blocks):
                o = (r * blocks + b) * 8
                store(one, o, (load(one, o) - mean) * load(grid.mask, 8 * b))
    return top


@loop
def directions_of(maps: F64, part: int, window: int, top: float, along: int, constants: F64, work: F64) -> int:
    """The directions and how many are measured, into constants[BASIS:], [AXES]; 0 where there is nothing to measure."""
    basis = at(constants, BASIS)
    basis[0], basis[1], basis[2], basis[3] = 1.0, 0.0, 0.0, 1.0
    constants[AXES] = 2.0
    ff = dot(maps, maps, part, work)
    # A window without contrast: deviations from the mean are rounding.
    if not sqrt(ff) > 1e-6 * max(top, 1e-300) * float(window):
        return 0
    # The gradient tensor, of slopes without what looks like a change of light.
    fx, fy = dot(maps, at(maps, part), part, work), dot(maps, at(maps, 2 * part), part, work)
    xy = dot(at(maps, part), at(maps, 2 * part), part, work) - fx * fy / ff  # what looks like another gain is no motion
    xx = max(dot(at(maps, part), at(maps, part), part, work) - fx * fx / ff, 0.0)
    yy = max(dot(at(maps, 2 * part), at(maps, 2 * part), part, work) - fy * fy / ff, 0.0)
    half = 0.5 * (xx - yy)
    far = sqrt(half * half + xy * xy)
    large = 0.5 * (xx + yy) + far
    if not large > 0.0:
        return 0
    # The smaller eigenvalue as determinant / larger, which does not cancel.
    small = (xx * yy - xy * xy) / large
    if along >= ALONG_X:
        constants[AXES] = 1.0
        own = xx
        if along == ALONG_Y:
            basis[0], basis[1], basis[2], basis[3] = 0.0, 1.0, -1.0, 0.0
            own = yy
        if not own > FLAT * large:
            return 0
    elif along == BOTH:
        if not small > FLAT * large:
            return 0
    elif small < STRIPES * large:
        # Of the two formulas for the eigenvector the one that does not cancel.
        x, y = far + half, xy
        if half < 0.0:
            x, y = xy, far - half
        length = sqrt(x * x + y * y)
        # A direction and its opposite are the same: the one to the right is taken, or straight down.
        if x + 1e-12 * y < 0.0:
            length = 0.0 - length
        basis[0], basis[1], basis[2], basis[3] = x / length, y / length, 0.0 - y / length, x / length
        constants[AXES] = 1.0
    return 1


@loop
def design_of(maps: F64, tile: F64, grid: Blocks, constants: F64, columns: F64, work: F64) -> int:
    """The design's columns, less the means of the half that a pixel is in, from light, slopes and the tile itself."""
    window, blocks, margin = grid.window, grid.blocks, grid.margin
    size, part = window + 2 * margin, window * blocks * 8
    e1x, e1y, e2x, e2y = constants[BASIS], constants[BASIS + 1], constants[BASIS + 2], constants[BASIS + 3]
    if constants[AXES] == 1.0:
        # A second direction of length 0 makes all its columns 0.
        e2x, e2y = 0.0, 0.0
    first = constants[PIXELS_A]
    # Each half has a ground of its own, so that each column is made free of its means over both.
    rest = float(window * window) - first
    for r in range(window):
        for b in range(blocks):
            o, k = (r * blocks + b) * 8, (margin + r) * size + margin + min(8 * b, window - 8)
            x, y = load(maps, part + o), load(maps, 2 * part + o)
            store(columns, o, load(maps, o))
            store(columns, part + o, 0.0 - (x * e1x + y * e1y))
            store(columns, 2 * part + o, 0.0 - (x * e2x + y * e2y))
            # Second differences are less than the derivatives where a picture is sharp: STEEPER.
            twice, once = load(tile, k) * 2.0, load(grid.mask, 8 * b) * STEEPER
            xx = (load(tile, k + 1) - twice + load(tile, k - 1)) * once
            yy = (load(tile, k + size) - twice + load(tile, k - size)) * once
            xy = (load(tile, k + size + 1) - load(tile, k + size - 1) - load(tile, k - size + 1)
                  + load(tile, k - size - 1)) * 0.25 * once  # fmt: skip
            store(columns, 3 * part + o, xx * (e1x * e1x) + xy * (2.0 * e1x * e1y) + yy * (e1y * e1y))
            store(columns, 4 * part + o, xx * (e1x * e2x) + xy * (e1x * e2y + e1y * e2x) + yy * (e1y * e2y))
            store(columns, 5 * part + o, xx * (e2x * e2x) + xy * (2.0 * e2x * e2y) + yy * (e2y * e2y))
    half = at(grid.mask, 8 * blocks)
    for p in range(PATTERNS):
        one = at(columns, p * part)
        added, near = splat(0.0), splat(0.0)
        for o in range(0, part, 8):
            added += load(one, o)
            near += load(one, o) * load(half, o)
        store(work, 0, near)
        mean_a = total(work)
        store(work, 0, added)
        mean_b = (total(work) - mean_a) / rest
        mean_a = mean_a / first
        for r in range(window):
            for b in range(blocks):
                o = (r * blocks + b) * 8
                store(one, o, load(one, o) - load(grid.mask, 8 * b) * mean_b - load(half, o) * (mean_a - mean_b))
    return 0
