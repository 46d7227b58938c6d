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
from kernels.host.loops import F64, I64, PIXELS, at, eight, loop, put, sqrt, turn, vec, where
from kernels.host.tile_loops import CLIP, CLIPPED, CLIPS


@loop
def cover_eight(height: int, width: int, size: int, pitch: int, lane: F64) -> int:
    """Say which columns and rows of the windows are in the picture."""
    half = float(size // 2)
    left, top = vec(lane, MIDDLE_X) - half, vec(lane, MIDDLE_Y) - half
    right, bottom = float(width - 1), float(height - 1)
    for k in range(size):
        x, y = left + float(k), top + float(k)
        put(lane, COVER + 8 * k, where(x >= 0.0, where(x <= right, 1.0, 0.0), 0.0))
        put(lane, COVER + 8 * (pitch + k), where(y >= 0.0, where(y <= bottom, 1.0, 0.0), 0.0))
    return 0


@loop
def cut_edges(image: PIXELS, total: int, places: I64, width: int, sign: float, size: int, pitch: int, values: F64,
              lane: F64) -> int:  # fmt: skip
    """Cut the windows; ODD becomes 1 where pixels are no numbers. What is beside the picture is read, too, where the
    memory of `total` pixels has it."""
    across, down = at(lane, COVER), at(lane, COVER + 8 * pitch)
    low, high = places[0], places[0]
    for k in range(1, 8):
        low, high = min(low, places[k]), max(high, places[k])
    for r in range(size):
        for c in range(0, pitch, 8):
            p = r * width + c
            if low + p >= 0 and high + p + 8 <= total:
                turn(values, 8 * (r * pitch + c), image, places, p)
            else:
                for k in range(8):
                    for n in range(8):
                        q, one = places[k] + p + n, 0.0
                        if q >= 0 and q < total:
                            one = float(image[q])
                        values[8 * (r * pitch + c + n) + k] = one
    odd = eight(0.0)
    for r in range(size):
        line, there = 8 * r * pitch, eight(0.0) + vec(down, 8 * r)
        for c in range(0, 8 * size, 8):
            v = where(vec(across, c) * there > 0.0, vec(values, line + c) * sign, 0.0)
            odd += v
            put(values, line + c, v)
    put(lane, ODD, where(odd * 0.0 == 0.0, vec(lane, ODD), 1.0))
    return 0


@loop
def level_edges(values: F64, size: int, pitch: int, lane: F64) -> int:
    """Level and variance of what is there of the rings, as `clipped_level`; the values become those above it, 0 where
    there is no picture. ODD becomes 1 where nothing is there."""
    across, down = at(lane, COVER), at(lane, COVER + 8 * pitch)
    m, s = eight(0.0), eight(0.0)
    for r in range(size):
        full, there = r < BORDER or r >= size - BORDER, vec(down, 8 * r)
        for k in range(size if full else 2 * BORDER):
            c = k if full or k < BORDER else k + size - 2 * BORDER
            inside = vec(across, 8 * c) * there
            m += inside
            s += vec(values, 8 * (r * pitch + c)) * inside
    put(lane, ODD, where(m > 0.0, vec(lane, ODD), 1.0))
    mid, far, variance = s / where(m > 1.0, m, 1.0), eight(1e308), eight(0.0)
    for turn_ in range(CLIPS):
        m, s, q = eight(0.0), eight(0.0), eight(0.0)
        for r in range(size):
            full, there = r < BORDER or r >= size - BORDER, vec(down, 8 * r)
            for k in range(size if full else 2 * BORDER):
                c = k if full or k < BORDER else k + size - 2 * BORDER
                d = vec(values, 8 * (r * pitch + c)) - mid
                inside = where(abs(d) <= far, vec(across, 8 * c) * there, 0.0)
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
    put(lane, TILT, eight(0.0))
    put(lane, SLOPE_X, eight(0.0))
    put(lane, SLOPE_Y, eight(0.0))
    for r in range(size):
        line, there = 8 * r * pitch, vec(down, 8 * r)
        for c in range(0, 8 * size, 8):
            put(values, line + c, (vec(values, line + c) - mid) * (vec(across, c) * there))
    return 0


@loop
def filled_edges(values: F64, size: int, pitch: int, own: int, lane: F64, work: F64) -> int:
    """Put the level where there is no picture; with `own` the blob's model upon it, and the ring's level beneath what
    there is, which is above it. `work`: 24 numbers, two rows."""
    across, down = at(lane, COVER), at(lane, COVER + 8 * pitch)
    w, z = at(work, 24), at(work, 24 + 8 * pitch)
    level, height = eight(0.0) + vec(lane, LEVEL), eight(0.0) + vec(lane, AMPLITUDE)
    base = level - vec(lane, GROUND)
    if own:
        put(lane, SCALE, 0.5 / (vec(lane, SPREAD) * vec(lane, SPREAD)))
        bells(w, size // 2, at(lane, X), at(lane, SCALE), work)
        bells(z, size // 2, at(lane, Y), at(lane, SCALE), work)
    for r in range(size):
        line, there = 8 * r * pitch, vec(down, 8 * r)
        one = vec(z, 8 * r) * height
        for c in range(0, 8 * size, 8):
            model, light = level, eight(0.0) + vec(values, line + c)
            if own:
                model = level + one * vec(w, c)
                light = vec(values, line + c) + base
            put(values, line + c, where(vec(across, c) * there > 0.0, light, model))
    return 0
