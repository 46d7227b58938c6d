"""The ground beneath many blobs, a lane each: its level and slope, from the rings of their windows."""

from __future__ import annotations

from kernels.centroids.centroid_simd import BORDER, FLAT, LEVEL, NOISE, SLOPE_X, SLOPE_Y, TILT
from kernels.loops.language import I64, LANES, is_f32, lane_count, load_row, loop, splat_like, store, where
from kernels.regions.tile_loops import CLIP, CLIPPED, CLIPS

DOUBT = 4.0  # squares of a ground's slope, by the variance that noise gives it, up to which it counts as level


@loop
def level_lanes(values: LANES, ring: I64, many: int, lane: LANES) -> int:
    """Level and variance of the rings, as `clipped_level`; FLAT, the variance without the ground's slope; SLOPE_X and
    SLOPE_Y, how much of it is believed, and TILT, the mean square of what that leaves, of both together.

    Noise gives a level ground a slope, too, that would move centres: what the ring says is made smaller by the share
    that noise may have in its square (James and Stein 1961), to nothing where that may be all of it.
    `ring`: indices of the `many` pixels of a ring, row by row.
    """
    # Values are taken relative to the first ring pixel, so that in f32 squares of a high level do not swallow the
    # noise.
    pivot, one, least = load_row(values, ring[0]), float(many), 1e-60
    if is_f32(values):
        least = 1e-36
    # Two sums of each kind (`many` is even): an addition waits for the one before it.
    s, q, s_, q_ = splat_like(values, 0.0), splat_like(values, 0.0), splat_like(values, 0.0), splat_like(values, 0.0)
    for n in range(0, many, 2):
        d, e = load_row(values, ring[n]) - pivot, load_row(values, ring[n + 1]) - pivot
        s += d
        s_ += e
        q += d * d
        q_ += e * e
    s += s_
    shift = s / one
    mid = pivot + shift
    left = q + q_ - s * shift
    variance = where(left > 0.0, left, 0.0) / max(one - 1.0, 1.0)
    # Sigma clipping: each round keeps what lies within CLIP standard deviations of the last. A Gaussian that is cut
    # there has the share CLIPPED of its variance, which is put back. The last round, below, also sums the slopes.
    for _ in range(CLIPS - 2):
        far = variance * (CLIP * CLIP) + least
        # `least` leaves room for the rounding of the mean where all pixels of a ring are equal.
        m, s, q = splat_like(values, 0.0), splat_like(values, 0.0), splat_like(values, 0.0)
        m_, s_, q_ = splat_like(values, 0.0), splat_like(values, 0.0), splat_like(values, 0.0)
        for n in range(0, many, 2):
            d, e = load_row(values, ring[n]) - mid, load_row(values, ring[n + 1]) - mid
            dd, ee = d * d, e * e
            inside, within = dd <= far, ee <= far
            m = where(inside, m + 1.0, m)
            m_ = where(within, m_ + 1.0, m_)
            s = where(inside, s + d, s)
            s_ = where(within, s_ + e, s_)
            q = where(inside, q + dd, q)
            q_ = where(within, q_ + ee, q_)
        m, s = m + m_, s + s_
        m = where(m > 1.0, m, 1.0)
        shift = s / m
        left = q + q_ - s * shift
        variance = where(left > 0.0, left, 0.0) / where(m > 2.0, m - 1.0, 1.0) / CLIPPED
        mid = mid + shift
    # The ring has (size^2 - (size - 2 BORDER)^2) = 4 BORDER (size - BORDER) pixels: solved for the size.
    size = (many + 4 * BORDER * BORDER) // (4 * BORDER)
    half, n, squares = float(size - 1) * 0.5, 0, 0.0
    far = variance * (CLIP * CLIP) + least
    m, s, q = splat_like(values, 0.0), splat_like(values, 0.0), splat_like(values, 0.0)
    sx, sy = splat_like(values, 0.0), splat_like(values, 0.0)
    # Row by row in the order of `ring`: rows of the rim are whole, the others have BORDER pixels at each end.
    for r in range(size):
        y = float(r) - half
        line = splat_like(values, 0.0)
        full = r < BORDER or r >= size - BORDER
        for k in range(size if full else 2 * BORDER):
            x = float(k if full or k < BORDER else k + size - 2 * BORDER) - half
            d = load_row(values, ring[n]) - mid
            dd = d * d
            inside = dd <= far
            m = where(inside, m + 1.0, m)
            line = where(inside, line + d, line)
            q = where(inside, q + dd, q)
            sx = where(inside, sx + d * x, sx)
            squares += x * x
            n += 1
        s += line
        sy += line * y
    m = where(m > 1.0, m, 1.0)
    shift = s / m
    left = q - s * shift
    # Level and two slopes were fitted: three degrees of freedom less.
    free = where(m > 4.0, m - 3.0, 1.0)
    # The squares of x and of y are the same; what was clipped is taken to be anywhere.
    lever = m * (squares / one)
    gx, gy = sx / lever, sy / lever
    slope = gx * gx + gy * gy
    flat = left - slope * lever
    flat = where(flat > 0.0, flat, 0.0) / free / CLIPPED
    # Noise gives each component of the slope the variance flat / lever.
    doubt = flat / lever * DOUBT
    sure = slope > doubt
    kept = where(sure, 1.0 - doubt / where(sure, slope, 1.0), 0.0)
    noise = where(left > 0.0, left, 0.0) / where(m > 2.0, m - 1.0, 1.0) / CLIPPED
    store(lane, LEVEL, mid + shift)
    store(lane, NOISE, where(sure, flat, noise))
    store(lane, FLAT, flat)
    store(lane, SLOPE_X, gx * kept)
    store(lane, SLOPE_Y, gy * kept)
    store(lane, TILT, (2.0 / DOUBT) * doubt * kept + (1.0 - kept) * (1.0 - kept) * slope * 0.5)  # half of it is noise
    return 0


@loop
def flattened(values: LANES, size: int, pitch: int, lane: LANES) -> int:
    """Take the ground's slope out of the windows but their outermost pixels: its level in their middles is left."""
    most = 0.0
    for k in range(lane_count(lane)):
        # Where no lane has a slope nothing has to be subtracted.
        most = max(most, abs(float(lane[SLOPE_X, k])), abs(float(lane[SLOPE_Y, k])))
    if not most > 0.0:
        return 0
    gx, gy, half = load_row(lane, SLOPE_X), load_row(lane, SLOPE_Y), float(size // 2 - 1)
    # `here` rises by gx a pixel and `below` by gy a row: additions alone, and 0 in the window's middle.
    below = -half * gx - half * gy
    for r in range(1, size - 1):
        line = r * pitch + 1
        here = splat_like(lane, 0.0) + below
        for c in range(size - 2):
            store(values, line + c, load_row(values, line + c) - here)
            here = here + gx
        below = below + gy
    return 0
