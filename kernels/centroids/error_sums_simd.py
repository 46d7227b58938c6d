"""What the errors of many settled blobs follow from, and their centres by radial symmetry, a lane each."""

from __future__ import annotations

from kernels.centroids.centroid_simd import (
    AMPLITUDE,
    BORDER,
    LEVEL,
    MASS,
    PEAK,
    REST,
    SCALE,
    SHARP,
    SPREAD,
    TOTAL,
    X,
    Y,
    bells,
)  # fmt: skip
from kernels.centroids.radial_symmetry_loops import NARROW
from kernels.centroids.radial_symmetry_loops import SPREAD as SHARE
from kernels.centroids.row_loops import NEXT, ROUGH, SECOND
from kernels.centroids.shape_simd import LOWEST
from kernels.loops.language import LANES, at, is_f32, load_row, loop, rint, splat_like, sqrt, store, where


@loop
def light_lanes(values: LANES, radius: int, pitch: int, lane: LANES) -> int:
    """MASS and PEAK, above the level."""
    half, level = radius + BORDER, load_row(lane, LEVEL)
    m, most = splat_like(values, 0.0), splat_like(values, LOWEST)
    for r in range(half - radius, half + radius + 1):
        for c in range(half - radius, half + radius + 1):
            light = load_row(values, r * pitch + c) - level
            m += light
            most = where(light > most, light, most)
    store(lane, MASS, m)
    store(lane, PEAK, where(most > 0.0, most, 0.0))
    return 0


@loop
def summed_lanes(values: LANES, radius: int, pitch: int, sigma: float, lane: LANES, work: LANES) -> int:
    """TOTAL, SHARP and REST: sums of the lever w^2 r^2, of its square, and with the square of what the odd part of the
    residuals is. `work`: room for three windows and 5 vectors and ten rows.

    Only the odd part moves a centre. A blob that is no Gaussian but symmetric leaves an even residual: no noise.
    Reflected is at the half pixel that is nearest, at most 0.5 px from the window's middle.
    """
    half = radius + BORDER
    # The centre of reflection is the nearest multiple of half a pixel: -1/2, 0 or +1/2 along each axis. At +-1/2 pixels
    # are mirrored about the line between two of them, at 0 about the middle one.
    u, v = load_row(lane, X), load_row(lane, Y)
    right, low, left, high = rint(u + u) > 0.5, rint(v + v) > 0.5, rint(u + u) < -0.5, rint(v + v) < -0.5
    level, height = load_row(lane, LEVEL), load_row(lane, AMPLITUDE)
    sharpness = 0.5 / (load_row(lane, SPREAD) * load_row(lane, SPREAD))
    a_x, b_x, a_y, b_y = at(work, 5), at(work, 5 + pitch), at(work, 5 + 2 * pitch), at(work, 5 + 3 * pitch)
    own_x, own_y, f_x, g_x = at(work, 5 + 4 * pitch), at(work, 5 + 5 * pitch), at(work, 5 + 6 * pitch), at(
        work, 5 + 7 * pitch)  # fmt: skip
    store(lane, SCALE, sharpness)
    bells(own_x, own_y, half, at(lane, X), at(lane, SCALE), work)
    store(lane, SCALE, splat_like(lane, 1.0 / (sigma * sigma)))
    bells(a_x, a_y, half, at(lane, X), at(lane, SCALE), work)  # the squares of the weights
    # The weights' squares a separate into a_x a_y, and r^2 = d^2 + e^2: sums over the window of a r^2 and of its square
    # are products of sums along x and along y, so that no pass over the pixels is needed for TOTAL and SHARP.
    ax, bx, ay = splat_like(lane, 0.0), splat_like(lane, 0.0), splat_like(lane, 0.0)
    by, axx = splat_like(lane, 0.0), splat_like(lane, 0.0)
    abx, bxx, ayy = splat_like(lane, 0.0), splat_like(lane, 0.0), splat_like(lane, 0.0)
    aby, byy = splat_like(lane, 0.0), splat_like(lane, 0.0)
    for k in range(2 * half + 1):
        d, e = float(k - half) - u, float(k - half) - v
        w, z = load_row(a_x, k), load_row(a_y, k)
        d, e = w * (d * d), z * (e * e)
        store(b_x, k, d)
        store(b_y, k, e)
        ax += w
        bx += d
        ay += z
        by += e
        axx += w * w
        abx += w * d
        bxx += d * d
        ayy += z * z
        aby += z * e
        byy += e * e
    store(lane, TOTAL, ax * by + bx * ay)
    store(lane, SHARP, (axx * byy + bxx * ayy) + 2.0 * (abx * aby))
    # The residuals around the middle, and the same with the columns reflected: about a pixel the first and the last
    # column have no partner, about a half pixel left of the middle the last has none, right of it the first.
    far = min(int(rint(3.0 * sigma)), half - 1)
    side, first = 2 * far + 3, half - far - 1
    rest, turned = at(work, 5 + 10 * pitch), at(work, 5 + 10 * pitch + side * side)
    even = at(work, 5 + 10 * pitch + 2 * side * side)
    for r in range(side):
        model = load_row(own_y, first + r) * height
        line = (first + r) * pitch + first
        for c in range(side):
            store(rest, r * side + c, (load_row(values, line + c) - level) - model * load_row(own_x, first + c))
    last = side - 1
    store(a_x, first, where(left, load_row(a_x, first), 0.0))
    store(b_x, first, where(left, load_row(b_x, first), 0.0))
    store(a_x, first + last, where(right, load_row(a_x, first + last), 0.0))
    store(b_x, first + last, where(right, load_row(b_x, first + last), 0.0))
    # Mirror images of column c about +1/2, 0 and -1/2 px: last + 1 - c, last - c, last - 1 - c. Indices beyond the
    # square are bounded; what they read has the weight 0.
    for c in range(side):
        j, k, n = min(last + 1 - c, last), last - c, max(last - 1 - c, 0)
        f = where(left, load_row(a_x, first + n), load_row(a_x, first + k))
        store(f_x, c, where(right, load_row(a_x, first + j), f))
        f = where(left, load_row(b_x, first + n), load_row(b_x, first + k))
        store(g_x, c, where(right, load_row(b_x, first + j), f))
        for line in range(side * max(far - 2, 0), side * side, side):  # the others have no partners
            f = where(left, load_row(rest, line + n), load_row(rest, line + k))
            store(turned, line + c, where(right, load_row(rest, line + j), f))
    store(f_x, 0, where(left, load_row(f_x, 0), 0.0))
    store(g_x, 0, where(left, load_row(g_x, 0), 0.0))
    store(f_x, last, where(right, load_row(f_x, last), 0.0))
    store(g_x, last, where(right, load_row(g_x, last), 0.0))
    # What is even about the blob's middle is not quite so about the half pixel, which lies beside it: its slope tells
    # how much of it looks odd.
    for r in range(min(far + 4, side)):
        j, k, n = min(last + 1 - r, last) * side, (last - r) * side, max(last - 1 - r, 0) * side
        here = r * side
        # The even part: the mean of the residuals and of their mirror image about the middle, columns and rows turned.
        for c in range(side):
            f = where(high, load_row(turned, n + c), load_row(turned, k + c))
            store(even, here + c, (load_row(rest, here + c) + where(low, load_row(turned, j + c), f)) * 0.5)
    # The even part about the true centre is that about the half pixel plus its slope times the distance du, dv between
    # them; the slope is a weighted difference of first (NEXT) and second (SECOND) neighbours.
    odd = splat_like(lane, 0.0)
    du, dv = u - 0.5 * rint(u + u), v - 0.5 * rint(v + v)
    du, dv, du2, dv2 = du * NEXT, dv * NEXT, du * SECOND, dv * SECOND
    # Each pair of mirrored pixels is visited once: rows down to the middle are enough, and the lever of a pair is the
    # sum of both pixels' levers.
    for r in range(far + 2):
        j, k, n = min(last + 1 - r, last), last - r, max(last - 1 - r, 0)
        ap, bp = load_row(a_y, first + r), load_row(b_y, first + r)
        aq = where(high, load_row(a_y, first + n), load_row(a_y, first + k))
        aq = where(low, load_row(a_y, first + j), aq)
        bq = where(high, load_row(b_y, first + n), load_row(b_y, first + k))
        bq = where(low, load_row(b_y, first + j), bq)
        part = splat_like(lane, 0.0)
        here, up, down = r * side, max(r - 1, 0) * side, (r + 1) * side
        above, below = max(r - 2, 0) * side, min(r + 2, last) * side
        # Squares of the estimated slope's own error are taken off (ROUGH): else a steep even part would look like
        # noise.
        for c in range(side):
            tilt = du * (load_row(even, here + min(c + 1, last)) - load_row(even, here + max(c - 1, 0)))
            tilt -= du2 * (load_row(even, here + min(c + 2, last)) - load_row(even, here + max(c - 2, 0)))
            tilt += dv * (load_row(even, down + c) - load_row(even, up + c))
            tilt -= dv2 * (load_row(even, below + c) - load_row(even, above + c))
            f = load_row(rest, here + c) - load_row(even, here + c) + tilt
            lever = load_row(a_x, first + c) * bp + load_row(b_x, first + c) * ap
            lever = lever + (load_row(f_x, c) * bq + load_row(g_x, c) * aq)
            part += lever * (f * f - tilt * tilt * ROUGH)
        if r == 0:
            part = where(high, part, 0.0)
        # The middle row: at +1/2 its partner is the row below (whole), at -1/2 the one above, which was visited
        # (nothing), at 0 it is its own (half).
        if r == far + 1:  # a row that is its own partner counts half
            part = where(low, part, where(high, 0.0, 0.5 * part))
        odd += part
    store(lane, REST, where(odd > 0.0, odd, 0.0))
    return 0


@loop
def radial_lanes(values: LANES, radius: int, pitch: int, sigma: float, lane: LANES, work: LANES, out: LANES) -> int:
    """Centres by radial symmetry (`radial_symmetry_loops.radial`), from the windows' middles: x, y, the variance for
    pixels of variance 1, and 0 where there is none, a vector each into `out`."""
    many = 2 * radius
    gx, gy = at(work, 0), at(work, many * many)
    cx, cy = at(work, 2 * many * many), at(work, 2 * many * many + many)
    # Gradients at the corners between four pixels, from the differences along both diagonals: right less left column
    # and lower less upper row, each twice the slope.
    for r in range(many):
        line = (r + BORDER) * pitch + BORDER
        for c in range(many):
            p = line + c
            a = load_row(values, p + 1) - load_row(values, p + pitch)
            b = load_row(values, p) - load_row(values, p + pitch + 1)
            store(gx, r * many + c, a - b)
            store(gy, r * many + c, -a - b)
    px, py, nil = load_row(lane, X), load_row(lane, Y), splat_like(lane, 0.0)
    axx, axy, ayy = splat_like(lane, 0.0), splat_like(lane, 0.0), splat_like(lane, 0.0)
    bx, by = splat_like(lane, 0.0), splat_like(lane, 0.0)
    cxx, cxy, cyy = splat_like(lane, 0.0), splat_like(lane, 0.0), splat_like(lane, 0.0)
    # Means of 3 x 3 gradients, first down, then across; 1/18 is the mean of nine and the 2 above.
    for r in range(1, many - 1):
        above, here, below = (r - 1) * many, r * many, (r + 1) * many
        for c in range(many):
            store(cx, c, load_row(gx, above + c) + load_row(gx, here + c) + load_row(gx, below + c))
            store(cy, c, load_row(gy, above + c) + load_row(gy, here + c) + load_row(gy, below + c))
        # `my` is the height of the corner, which lies between pixel rows.
        my = float(r - radius) + 0.5
        dy = my - py
        # 1/4 keeps the weight finite for a corner on the centre itself.
        dy = dy * dy + 0.25
        for c in range(1, many - 1):
            x = (load_row(cx, c - 1) + load_row(cx, c) + load_row(cx, c + 1)) * (1.0 / 18.0)
            y = (load_row(cy, c - 1) + load_row(cy, c) + load_row(cy, c + 1)) * (1.0 / 18.0)
            mx = float(c - radius) + 0.5
            dx = mx - px
            weight = 1.0 / sqrt(dx * dx + dy)
            nxx, nxy, nyy = y * y, -(x * y), x * x  # the normal's products times the gradient's square
            cxx += nxx
            cxy += nxy
            cyy += nyy
            nxx, nxy, nyy = weight * nxx, weight * nxy, weight * nyy
            axx += nxx
            axy += nxy
            ayy += nyy
            bx += nxx * mx + nxy * my
            by += nxy * mx + nyy * my
    trace = axx + ayy  # what follows is in its units: products of two such sums are beyond f32
    # The point nearest to all lines in the weighted least-squares sense solves A c = b, A = sum weight n n'.
    one = 1.0 / where(trace > 0.0, trace, 1.0)
    axx, axy, ayy, bx, by = axx * one, axy * one, ayy * one, bx * one, by * one
    det = axx * ayy - axy * axy
    flat = 1e-12
    if is_f32(lane):
        flat = 1e-6
    good = where(det > flat, nil + 1.0, 0.0)
    det = where(good > 0.0, det, 1.0)
    store(out, 0, (bx * ayy - by * axy) / det)
    store(out, 1, (by * axx - bx * axy) / det)
    # The centre is A^-1 times sums of errors of the lines: its covariance is A^-1 C A^-1, C the unweighted sums, since
    # a line errs at the centre by the distance that its weight divides by.
    ixx, ixy, iyy = ayy / det * one, -(axy / det * one), axx / det * one
    vxx = ixx * (ixx * cxx + ixy * cxy) + ixy * (ixx * cxy + ixy * cyy)
    vyy = ixy * (ixy * cxx + iyy * cxy) + iyy * (ixy * cxy + iyy * cyy)
    spread = load_row(lane, SPREAD)
    slim, thin = spread * (1.0 / NARROW), sigma / where(spread > 0.0, spread, sigma)
    store(out, 2, (vxx + vyy) * 0.5 * (where(slim < 1.0, slim, 1.0) * SHARE) * sqrt(thin))
    store(out, 3, good)
    return 0
