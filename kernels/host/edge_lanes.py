"""Many blobs at edges of the picture, a lane each: their windows, 0 where there is no picture, and the ground there.

What is in the picture is a rectangle of a window: `cover` says of its columns, then of its rows (`pitch` vectors later)
which are.
"""

from __future__ import annotations

from kernels.host.lane_loops import (
    AMPLITUDE,
    BORDER,
    BRIGHTEST_F32,
    COVER,
    DIMMEST_F32,
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
    STEADIEST_F32,
    TILT,
    X,
    bells,
)  # fmt: skip
from kernels.host.loops import I64, LANES, PIXELS, at, lanes, like, loop, narrow, own, put, turn, where
from kernels.host.tile_loops import CLIP, CLIPPED, CLIPS

FARTHEST = 3e38  # no light that can be squared is


@loop
def cover_lanes(height: int, width: int, size: int, pitch: int, lane: LANES) -> int:
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
def cut_edges(image: PIXELS, total: int, places: I64, width: int, sign: float, whole: int, size: int, pitch: int,
              values: LANES, lane: LANES) -> int:  # fmt: skip
    """Cut the windows; ODD becomes 1 as in `lane_loops.cut_lanes`. What is beside the picture is read, too, where the
    memory of `total` pixels has it."""
    across, down = at(lane, COVER), at(lane, COVER + pitch)
    low, high = places[0], places[0]
    for k in range(1, lanes(lane)):
        low, high = min(low, places[k]), max(high, places[k])
    for r in range(size):
        for c in range(0, pitch, 8):
            p = r * width + c
            if low + p >= 0 and high + p + 8 <= total:
                turn(values, r * pitch + c, image, places, p)
            else:
                for k in range(lanes(lane)):
                    for n in range(8):
                        q, one = places[k] + p + n, 0.0
                        if q >= 0 and q < total:
                            one = float(image[q])
                        values[r * pitch + c + n, k] = one
    for r in range(size):
        line, there = r * pitch, own(down, r)
        for c in range(size):
            v = where(own(across, c) * there > 0.0, own(values, line + c) * sign, 0.0)
            put(values, line + c, v)
    if not whole:
        least, most, steep, fine = 0.0, 1e308, 0.0, like(values, 1.0)
        if narrow(values):
            least, most, steep = DIMMEST_F32, BRIGHTEST_F32, STEADIEST_F32
        dark, bright = like(values, most), like(values, -most)
        for r in range(size):
            there = own(down, r)
            for c in range(size):
                v, inside = own(values, r * pitch + c), own(across, c) * there > 0.0
                fine = where(abs(v) < most, fine, 0.0)
                dark = where(inside, where(v < dark, v, dark), dark)
                bright = where(inside, where(v > bright, v, bright), bright)
        span = bright - dark
        bright = where(-dark > bright, -dark, bright)
        fine = where(bright < least, where(bright > 0.0, 0.0, fine), fine)
        fine = where(span < bright * steep, where(span > 0.0, 0.0, fine), fine)
        put(lane, ODD, where(fine > 0.0, own(lane, ODD), 1.0))
    return 0


@loop
def level_edges(values: LANES, size: int, pitch: int, lane: LANES) -> int:
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
    mid, far, variance = s / where(m > 1.0, m, 1.0), like(lane, FARTHEST), like(lane, 0.0)
    least = 1e-60
    if narrow(lane):
        least = 1e-36
    for turn_ in range(CLIPS):
        m, s, q = like(lane, 0.0), like(lane, 0.0), like(lane, 0.0)
        for r in range(size):
            full, there = r < BORDER or r >= size - BORDER, own(down, r)
            for k in range(size if full else 2 * BORDER):
                c = k if full or k < BORDER else k + size - 2 * BORDER
                d = own(values, r * pitch + c) - mid
                dd = d * d
                inside = where(dd <= far, own(across, c) * there, 0.0)
                m += inside
                s += d * inside
                q += dd * inside
        m = where(m > 1.0, m, 1.0)
        shift = s / m
        left = q - s * shift
        variance = where(left > 0.0, left, 0.0) / where(m > 2.0, m - 1.0, 1.0)
        if turn_ > 0:
            variance = variance / CLIPPED
        mid = mid + shift
        far = variance * (CLIP * CLIP) + least
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
def filled_edges(values: LANES, size: int, pitch: int, modelled: int, lane: LANES, work: LANES) -> int:
    """Put the level where there is no picture; with `modelled` the blob's model upon it, and the ring's level beneath
    what there is, which is above it. `work`: 5 vectors, two rows."""
    across, down = at(lane, COVER), at(lane, COVER + pitch)
    w, z = at(work, 5), at(work, 5 + pitch)
    level, height = own(lane, LEVEL), own(lane, AMPLITUDE)
    base = level - own(lane, GROUND)
    if modelled:
        put(lane, SCALE, 0.5 / (own(lane, SPREAD) * own(lane, SPREAD)))
        bells(w, z, size // 2, at(lane, X), at(lane, SCALE), work)
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
