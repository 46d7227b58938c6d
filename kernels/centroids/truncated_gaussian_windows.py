"""Many blobs at edges of the picture, a lane each: their windows, 0 where there is no picture, and the ground there.

What is in the picture is a rectangle of a window: `cover` says of its columns, then of its rows (`pitch` vectors later)
which are.
"""

from __future__ import annotations

from kernels.centroids.centroid_simd import (
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
from kernels.loops.language import (
    I64,
    LANES,
    at,
    gather_transpose,
    is_f32,
    lane_count,
    load_row,
    loop,
    splat_like,
    store,
    where,
)
from kernels.regions.structs import Frames
from kernels.regions.tile_loops import CLIP, CLIPPED, CLIPS

FARTHEST = 3e38  # no light that can be squared is


@loop
def cover_lanes(height: int, width: int, size: int, pitch: int, lane: LANES) -> int:
    """Say which columns and rows of the windows are in the picture."""
    half = float(size // 2)
    left, top = load_row(lane, MIDDLE_X) - half, load_row(lane, MIDDLE_Y) - half
    right, bottom = float(width - 1), float(height - 1)
    for k in range(size):
        x, y = left + float(k), top + float(k)
        store(lane, COVER + k, where(x >= 0.0, where(x <= right, 1.0, 0.0), 0.0))
        store(lane, COVER + pitch + k, where(y >= 0.0, where(y <= bottom, 1.0, 0.0), 0.0))
    return 0


@loop
def cut_edges(f: Frames, places: I64, size: int, pitch: int, values: LANES, lane: LANES) -> int:
    """Cut the windows; ODD becomes 1 as in `centroid_simd.cut_lanes`. What is beside the picture is read, too, where
    the memory of the frames has it."""
    across, down = at(lane, COVER), at(lane, COVER + pitch)
    # Windows reach beyond the picture, so a row of eight pixels may begin before the first frame or end behind the
    # last: only there they are read one by one. Pixels of the picture's other side are read and then set to 0.
    low, high = places[0], places[0]
    for k in range(1, lane_count(lane)):
        low, high = min(low, places[k]), max(high, places[k])
    for r in range(size):
        for c in range(0, pitch, 8):
            p = r * f.width + c
            if low + p >= 0 and high + p + 8 <= f.total:
                gather_transpose(values, r * pitch + c, f.image, places, p)
            else:
                for k in range(lane_count(lane)):
                    for n in range(8):
                        q, one = places[k] + p + n, 0.0
                        if q >= 0 and q < f.total:
                            one = float(f.image[q])
                        values[r * pitch + c + n, k] = one
    for r in range(size):
        line, there = r * pitch, load_row(down, r)
        for c in range(size):
            v = where(load_row(across, c) * there > 0.0, load_row(values, line + c) * f.sign, 0.0)
            store(values, line + c, v)
    if not f.exact:
        # A lane is computed in f32 or in f64: where squares of its light would leave that range, or where its light is
        # lost in rounding beside the ground, the blob goes another way (ODD).
        least, most, steep, fine = 0.0, 1e308, 0.0, splat_like(values, 1.0)
        if is_f32(values):
            least, most, steep = DIMMEST_F32, BRIGHTEST_F32, STEADIEST_F32
        dark, bright = splat_like(values, most), splat_like(values, -most)
        for r in range(size):
            there = load_row(down, r)
            for c in range(size):
                v, inside = load_row(values, r * pitch + c), load_row(across, c) * there > 0.0
                fine = where(abs(v) < most, fine, 0.0)
                dark = where(inside, where(v < dark, v, dark), dark)
                bright = where(inside, where(v > bright, v, bright), bright)
        span = bright - dark
        bright = where(-dark > bright, -dark, bright)
        fine = where(bright < least, where(bright > 0.0, 0.0, fine), fine)
        fine = where(span < bright * steep, where(span > 0.0, 0.0, fine), fine)
        store(lane, ODD, where(fine > 0.0, load_row(lane, ODD), 1.0))
    return 0


@loop
def level_edges(values: LANES, size: int, pitch: int, lane: LANES) -> int:
    """Level and variance of what is there of the rings, as `clipped_level`; the values become those above it, 0 where
    there is no picture. ODD becomes 1 where nothing is there."""
    across, down = at(lane, COVER), at(lane, COVER + pitch)
    m, s = splat_like(lane, 0.0), splat_like(lane, 0.0)
    for r in range(size):
        # The ring: whole rows at the top and the bottom, BORDER columns at both sides of the others.
        full, there = r < BORDER or r >= size - BORDER, load_row(down, r)
        for k in range(size if full else 2 * BORDER):
            c = k if full or k < BORDER else k + size - 2 * BORDER
            inside = load_row(across, c) * there
            m += inside
            s += load_row(values, r * pitch + c) * inside
    store(lane, ODD, where(m > 0.0, load_row(lane, ODD), 1.0))
    mid, far, variance = s / where(m > 1.0, m, 1.0), splat_like(lane, FARTHEST), splat_like(lane, 0.0)
    least = 1e-60
    if is_f32(lane):
        least = 1e-36
    for turn_ in range(CLIPS):
        m, s, q = splat_like(lane, 0.0), splat_like(lane, 0.0), splat_like(lane, 0.0)
        for r in range(size):
            full, there = r < BORDER or r >= size - BORDER, load_row(down, r)
            for k in range(size if full else 2 * BORDER):
                c = k if full or k < BORDER else k + size - 2 * BORDER
                d = load_row(values, r * pitch + c) - mid
                dd = d * d
                inside = where(dd <= far, load_row(across, c) * there, 0.0)
                m += inside
                s += d * inside
                q += dd * inside
        m = where(m > 1.0, m, 1.0)
        shift = s / m
        left = q - s * shift
        variance = where(left > 0.0, left, 0.0) / where(m > 2.0, m - 1.0, 1.0)
        if turn_ > 0:  # of a Gaussian that is cut at CLIP sigma so much of the variance is left
            variance = variance / CLIPPED
        mid = mid + shift
        far = variance * (CLIP * CLIP) + least
    store(lane, LEVEL, mid)
    store(lane, NOISE, variance)
    store(lane, FLAT, variance)
    store(lane, TILT, splat_like(lane, 0.0))
    store(lane, SLOPE_X, splat_like(lane, 0.0))
    store(lane, SLOPE_Y, splat_like(lane, 0.0))
    for r in range(size):
        line, there = r * pitch, load_row(down, r)
        for c in range(size):
            store(values, line + c, (load_row(values, line + c) - mid) * (load_row(across, c) * there))
    return 0


@loop
def filled_edges(values: LANES, size: int, pitch: int, modelled: int, lane: LANES, work: LANES) -> int:
    """Put the level where there is no picture; with `modelled` the blob's model upon it, and the ring's level beneath
    what there is, which is above it. `work`: 5 vectors, two rows."""
    across, down = at(lane, COVER), at(lane, COVER + pitch)
    w, z = at(work, 5), at(work, 5 + pitch)
    level, height = load_row(lane, LEVEL), load_row(lane, AMPLITUDE)
    base = level - load_row(lane, GROUND)
    if modelled:
        store(lane, SCALE, 0.5 / (load_row(lane, SPREAD) * load_row(lane, SPREAD)))
        bells(w, z, size // 2, at(lane, X), at(lane, SCALE), work)
    for r in range(size):
        line, there = r * pitch, load_row(down, r)
        one = load_row(z, r) * height
        for c in range(size):
            model, light = level, load_row(values, line + c)
            if modelled:
                model = level + one * load_row(w, c)
                light = load_row(values, line + c) + base
            store(values, line + c, where(load_row(across, c) * there > 0.0, light, model))
    return 0
