"""How much light settled blobs give, and how wide it spreads: of many, a lane each."""

from __future__ import annotations

from kernels.centroids.centroid_simd import BORDER, LEVEL, MASS, PEAK
from kernels.ir.table import COLUMNS
from kernels.loops.language import EIGHTS, F64, LANES, load_row, loop, splat_like, store, where

M, HIGH, XX, XY, YY = range(5)
LOWEST = -3e38  # no f32 is lower
NEAR = 2.0  # widths of a blob around its window's middle within which its brightest pixel is


@loop
def shape_lanes(values: LANES, radius: int, pitch: int, sigma: float, full: int, lane: LANES, out: LANES
                ) -> int:  # fmt: skip
    """M, the light above the level within `radius` px and a half of the middle of the window; HIGH, the brightest pixel
    near it; XX, XY, YY, second moments of that light about its own mean: a vector each into `out`.

    With `full` also MASS and PEAK, as `light_lanes`: each of their sums waits for the one before, so others go beside.
    """
    level, half, near = load_row(lane, LEVEL), radius + BORDER, int(NEAR * sigma + 0.5)
    high, mass, most = splat_like(values, LOWEST), splat_like(values, 0.0), splat_like(values, LOWEST)
    m, mx, my = splat_like(values, 0.0), splat_like(values, 0.0), splat_like(values, 0.0)
    mxx, mxy = splat_like(values, 0.0), splat_like(values, 0.0)
    myy = splat_like(values, 0.0)
    for r in range(-radius, radius + 1):
        # Half the width of row r of a disc of radius + 1/2: c^2 + r^2 <= radius^2 + radius.
        across = 0
        while across < radius and (across + 1) * (across + 1) + r * r <= radius * radius + radius:
            across += 1
        line = (half + r) * pitch + half
        s, sx, sxx = splat_like(values, 0.0), splat_like(values, 0.0), splat_like(values, 0.0)
        for c in range(-across, across + 1):
            light = load_row(values, line + c) - level
            s += light
            more = light * float(c)
            sx += more
            sxx += more * float(c)
        if full:
            for c in range(-radius, radius + 1):
                light = load_row(values, line + c) - level
                mass += light
                most = where(light > most, light, most)
        # The peak is looked for near the middle alone: the rim may hold a neighbour.
        if r >= -near and r <= near:
            for c in range(-near, near + 1):
                light = load_row(values, line + c) - level
                high = where(light > high, light, high)
        y = float(r)
        m += s
        mx += sx
        mxx += sxx
        more = s * y
        my += more
        myy += more * y
        mxy += sx * y
    if full:
        store(lane, MASS, mass)
        store(lane, PEAK, where(most > 0.0, most, 0.0))
    # Sums count from the window's middle; subtracting the mean's square makes them moments about the light's own mean.
    safe = where(m > 0.0, m, 1.0)
    x, y_ = mx / safe, my / safe
    store(out, M, m)
    store(out, HIGH, high)
    store(out, XX, mxx / safe - x * x)
    store(out, XY, mxy / safe - x * y_)
    store(out, YY, myy / safe - y_ * y_)
    return 0


@loop
def in_a_lane(values: F64, there: F64, whole: int, level: float, count: int, turned: EIGHTS, lane: EIGHTS) -> int:
    """A window of its own as the first lane, with the level where a pixel is not `there`; `lane` gets LEVEL."""
    for p in range(count):
        turned[p, 0] = values[p]
    if not whole:
        for p in range(count):
            if not there[p] > 0.0:
                turned[p, 0] = level
    lane[LEVEL, 0] = level
    return 0


@loop
def shape_row(i: int, shape: EIGHTS, rows: F64) -> int:
    """Write the sums of the first lane into the row of blob i, if they are those of some light; its area becomes 0."""
    if shape[M, 0] > 0.0 and shape[XX, 0] > 0.0 and shape[YY, 0] > 0.0:
        o = COLUMNS * i
        rows[o + 2], rows[o + 3], rows[o + 4] = shape[M, 0], shape[HIGH, 0], 0.0
        rows[o + 5], rows[o + 6], rows[o + 7] = shape[XX, 0], shape[XY, 0], shape[YY, 0]
    return 0
