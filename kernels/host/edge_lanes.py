"""Eight blobs at edges of the picture, a lane each: their windows, 0 where there is no picture, and the ground there.

What is in the picture is a rectangle of a window: `cover` says of its columns, then of its rows (`pitch` vectors later)
which are.
"""

from __future__ import annotations

from kernels.host.lane_loops import (
    AMPLITUDE,
    BORDER,
    COVER,
    FLAT,
    GROUND,
    LEVEL,
    MIDDLE_X,
    MIDDLE_Y,
    NOISE,
    ODD,
    SCALE,
    SLOPE_X,
    SLOPE_Y,
    SPREAD,
    TILT,
    X,
    Y,
    bells,
)  # fmt: skip
from kernels.host.loops import EIGHTS, I64, PIXELS, at, like, loop, own, put, sqrt, turn, where
from kernels.host.tile_loops import CLIP, CLIPPED, CLIPS


@loop
def cover_eight(height: int, width: int, size: int, pitch: int, lane: EIGHTS) -> int:
    """Say which columns and rows of the windows are in the picture."""
    half = float(size // 2)
    left, top = own(lane, MIDDLE_X) - half, own(lane, MIDDLE_Y) - half
    right, bottom = float(width - 1), float(height - 1)
    for k in range(size):
        x, y = left + float(k), top + float(k)
        put(lane, COVER + k, where(x >= 0.0, where(x <= right, 1.0, 0.0), 0.0))
        put(lane, COVER + pitch + k, where(y >= 0.0, where(y <= bottom, 1.0, 0.0), 0.0))
    return 0


@loop
def cut_edges(image: PIXELS, total: int, places: I64, width: int, sign: float, size: int, pitch: int, values: EIGHTS,
              lane: EIGHTS) -> int:  # fmt: skip
    """Cut the windows; ODD becomes 1 where pixels are no numbers. What is beside the picture is read, too, where the
    memory of `total` pixels has it."""
    across, down = at(lane, COVER), at(lane, COVER + pitch)
    low, high = places[0], places[0]
    for k in range(1, 8):
        low, high = min(low, places[k]), max(high, places[k])
    for r in range(size):
        for c in range(0, pitch, 8):
            p = r * width + c
            if low + p >= 0 and high + p + 8 <= total:
                turn(values, r * pitch + c, image, places, p)
            else:
                for k in range(8):
                    for n in range(8):
                        q, one = places[k] + p + n, 0.0
                        if q >= 0 and q < total:
                            one = float(image[q])
                        values[r * pitch + c + n, k] = one
    odd = like(lane, 0.0)
    for r in range(size):
        line, there = r * pitch, own(down, r)
        for c in range(size):
            v = where(own(across, c) * there > 0.0, own(values, line + c) * sign, 0.0)
            odd += v
            put(values, line + c, v)
    put(lane, ODD, where(odd * 0.0 == 0.0, own(lane, ODD), 1.0))
    return 0


@loop
def level_edges(values: EIGHTS, size: int, pitch: int, lane: EIGHTS) -> int:
    """Level and variance of what is there of the rings, as `clipped_level`; the values become those above it, 0 where
    there is no picture. ODD becomes 1 where nothing is there."""
    across, down = at(lane, COVER), at(lane, COVER + pitch)
    m, s = like(lane, 0.0), like(lane, 0.0)
    for r in range(size):
        full, there = r < BORDER or r >= size - BORDER, own(down, r)
        for k in range(size if full else 2 * BORDER):
            c = k if full or k < BORDER else k + size - 2 * BORDER
            inside = own(across, c) * there
            m += inside
            s += own(values, r * pitch + c) * inside
    put(lane, ODD, where(m > 0.0, own(lane, ODD), 1.0))
    mid, far, variance = s / where(m > 1.0, m, 1.0), like(lane, 1e308), like(lane, 0.0)
    for turn_ in range(CLIPS):
        m, s, q = like(lane, 0.0), like(lane, 0.0), like(lane, 0.0)
        for r in range(size):
            full, there = r < BORDER or r >= size - BORDER, own(down, r)
            for k in range(size if full else 2 * BORDER):
                c = k if full or k < BORDER else k + size - 2 * BORDER
                d = own(values, r * pitch + c) - mid
                inside = where(abs(d) <= far, own(across, c) * there, 0.0)
                d = d * inside
                m += inside
                s += d
                q += d * d
        m = where(m > 1.0, m, 1.0)
        shift = s / m
        left = q - s * shift
        variance = where(left > 0.0, left, 0.0) / where(m > 2.0, m - 1.0, 1.0)
        if turn_ > 0:
            variance = variance / CLIPPED
        mid = mid + shift
        far = sqrt(variance) * CLIP + 1e-30
    put(lane, LEVEL, mid)
    put(lane, NOISE, variance)
    put(lane, FLAT, variance)
    put(lane, TILT, like(lane, 0.0))
    put(lane, SLOPE_X, like(lane, 0.0))
    put(lane, SLOPE_Y, like(lane, 0.0))
    for r in range(size):
        line, there = r * pitch, own(down, r)
        for c in range(size):
            put(values, line + c, (own(values, line + c) - mid) * (own(across, c) * there))
    return 0


@loop
def filled_edges(values: EIGHTS, size: int, pitch: int, modelled: int, lane: EIGHTS, work: EIGHTS) -> int:
    """Put the level where there is no picture; with `modelled` the blob's model upon it, and the ring's level beneath
    what there is, which is above it. `work`: 3 vectors, two rows."""
    across, down = at(lane, COVER), at(lane, COVER + pitch)
    w, z = at(work, 3), at(work, 3 + pitch)
    level, height = own(lane, LEVEL), own(lane, AMPLITUDE)
    base = level - own(lane, GROUND)
    if modelled:
        put(lane, SCALE, 0.5 / (own(lane, SPREAD) * own(lane, SPREAD)))
        bells(w, size // 2, at(lane, X), at(lane, SCALE), work)
        bells(z, size // 2, at(lane, Y), at(lane, SCALE), work)
    for r in range(size):
        line, there = r * pitch, own(down, r)
        one = own(z, r) * height
        for c in range(size):
            model, light = level, own(values, line + c)
            if modelled:
                model = level + one * own(w, c)
                light = own(values, line + c) + base
            put(values, line + c, where(own(across, c) * there > 0.0, light, model))
    return 0
