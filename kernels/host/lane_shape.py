"""How much light eight settled blobs give, and how wide it spreads, a lane each."""

from __future__ import annotations

from kernels.host.lane_loops import BORDER, LEVEL
from kernels.host.loops import F64, eight, loop, put, vec, where

M, HIGH, XX, XY, YY = range(0, 40, 8)
NEAR = 2.0  # widths of a blob around its window's middle within which its brightest pixel is


@loop
def shape_eight(values: F64, radius: int, pitch: int, sigma: float, lane: F64, out: F64) -> int:
    """M, the light above the level within `radius` px and a half of the middle of the window; HIGH, the brightest pixel
    near it; XX, XY, YY, second moments of that light about its own mean: a vector each into `out`."""
    level, half, near = eight(0.0) + vec(lane, LEVEL), radius + BORDER, int(NEAR * sigma + 0.5)
    m, mx, my, mxx, mxy, myy = eight(0.0), eight(0.0), eight(0.0), eight(0.0), eight(0.0), eight(0.0)
    high = eight(-1e308)
    for r in range(-radius, radius + 1):
        across = 0
        while across < radius and (across + 1) * (across + 1) + r * r <= radius * radius + radius:
            across += 1
        line = 8 * ((half + r) * pitch + half)
        s, sx, sxx = eight(0.0), eight(0.0), eight(0.0)
        for c in range(-across, across + 1):
            light = vec(values, line + 8 * c) - level
            s += light
            more = light * float(c)
            sx += more
            sxx += more * float(c)
        if r >= -near and r <= near:
            for c in range(-near, near + 1):
                light = vec(values, line + 8 * c) - level
                high = where(light > high, light, high)
        y = float(r)
        m += s
        mx += sx
        mxx += sxx
        more = s * y
        my += more
        myy += more * y
        mxy += sx * y
    safe = where(m > 0.0, m, 1.0)
    x, y_ = mx / safe, my / safe
    put(out, M, m)
    put(out, HIGH, high)
    put(out, XX, mxx / safe - x * x)
    put(out, XY, mxy / safe - x * y_)
    put(out, YY, myy / safe - y_ * y_)
    return 0
