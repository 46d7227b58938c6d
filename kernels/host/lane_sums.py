"""What the errors of eight settled blobs follow from, and their centres by radial symmetry, a lane each."""

from __future__ import annotations

from kernels.host.lane_loops import (
    AMPLITUDE,
    BORDER,
    LEVEL,
    MASS,
    MIDDLE_X,
    MIDDLE_Y,
    PEAK,
    REST,
    SCALE,
    SHARP,
    SPREAD,
    TOTAL,
    U,
    V,
    X,
    Y,
    bells,
)  # fmt: skip
from kernels.host.loops import F64, at, eight, loop, put, rint, sqrt, vec, where
from kernels.host.radial_loops import NARROW
from kernels.host.radial_loops import SPREAD as SHARE


@loop
def light_eight(values: F64, radius: int, pitch: int, lane: F64) -> int:
    """MASS and PEAK, above the level."""
    half, level = radius + BORDER, eight(0.0) + vec(lane, LEVEL)
    m, most = eight(0.0), eight(-1e308)
    for r in range(half - radius, half + radius + 1):
        for c in range(8 * (half - radius), 8 * (half + radius + 1), 8):
            light = vec(values, 8 * r * pitch + c) - level
            m += light
            most = where(light > most, light, most)
    put(lane, MASS, m)
    put(lane, PEAK, where(most > 0.0, most, 0.0))
    return 0


@loop
def summed_eight(values: F64, radius: int, pitch: int, sigma: float, lane: F64, work: F64) -> int:
    """TOTAL, SHARP and REST: sums of the lever w^2 r^2, of its square, and with the square of what the odd part of the
    residuals is. `work`: room for three windows and 24 numbers and ten rows.

    Only the odd part moves a centre. A blob that is no Gaussian but symmetric leaves an even residual: no noise.
    Reflected is at the half pixel that is nearest, at most 0.5 px from the window's middle.
    """
    half = radius + BORDER
    u, v = vec(lane, X) - vec(lane, MIDDLE_X), vec(lane, Y) - vec(lane, MIDDLE_Y)
    put(lane, U, u)
    put(lane, V, v)
    right, low, left, high = rint(u + u) > 0.5, rint(v + v) > 0.5, rint(u + u) < -0.5, rint(v + v) < -0.5
    level, height = eight(0.0) + vec(lane, LEVEL), eight(0.0) + vec(lane, AMPLITUDE)
    narrow = 0.5 / (vec(lane, SPREAD) * vec(lane, SPREAD))
    row = 8 * pitch
    a_x, b_x, a_y, b_y = at(work, 24), at(work, 24 + row), at(work, 24 + 2 * row), at(work, 24 + 3 * row)
    own_x, own_y, f_x, g_x = at(work, 24 + 4 * row), at(work, 24 + 5 * row), at(work, 24 + 6 * row), at(
        work, 24 + 7 * row)  # fmt: skip
    put(lane, SCALE, narrow)
    bells(own_x, half, at(lane, U), at(lane, SCALE), work)
    bells(own_y, half, at(lane, V), at(lane, SCALE), work)
    put(lane, SCALE, eight(1.0 / (sigma * sigma)))
    bells(a_x, half, at(lane, U), at(lane, SCALE), work)  # the squares of the weights
    bells(a_y, half, at(lane, V), at(lane, SCALE), work)
    ax, bx, ay, by = eight(0.0), eight(0.0), eight(0.0), eight(0.0)
    axx, abx, bxx, ayy, aby, byy = eight(0.0), eight(0.0), eight(0.0), eight(0.0), eight(0.0), eight(0.0)
    for k in range(2 * half + 1):
        d, e = float(k - half) - u, float(k - half) - v
        w, z = vec(a_x, 8 * k), vec(a_y, 8 * k)
        d, e = w * (d * d), z * (e * e)
        put(b_x, 8 * k, d)
        put(b_y, 8 * k, e)
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
    put(lane, TOTAL, ax * by + bx * ay)
    put(lane, SHARP, (axx * byy + bxx * ayy) + 2.0 * (abx * aby))
    # The residuals around the middle, and the same with the columns reflected: about a pixel the first and the last
    # column have no partner, about a half pixel left of the middle the last has none, right of it the first.
    far = min(int(rint(3.0 * sigma)), half - 1)
    side, first = 2 * far + 3, half - far - 1
    rest, turned = at(work, 24 + 10 * row), at(work, 24 + 10 * row + 8 * side * side)
    even = at(work, 24 + 10 * row + 16 * side * side)
    for r in range(side):
        own = vec(own_y, 8 * (first + r)) * height
        line = 8 * ((first + r) * pitch + first)
        for c in range(0, 8 * side, 8):
            put(rest, 8 * r * side + c, (vec(values, line + c) - level) - own * vec(own_x, 8 * first + c))
    last = side - 1
    put(a_x, 8 * first, where(left, vec(a_x, 8 * first), 0.0))
    put(b_x, 8 * first, where(left, vec(b_x, 8 * first), 0.0))
    put(a_x, 8 * (first + last), where(right, vec(a_x, 8 * (first + last)), 0.0))
    put(b_x, 8 * (first + last), where(right, vec(b_x, 8 * (first + last)), 0.0))
    for c in range(side):
        j, k, n = min(last + 1 - c, last), last - c, max(last - 1 - c, 0)
        f = where(left, vec(a_x, 8 * (first + n)), vec(a_x, 8 * (first + k)))
        put(f_x, 8 * c, where(right, vec(a_x, 8 * (first + j)), f))
        f = where(left, vec(b_x, 8 * (first + n)), vec(b_x, 8 * (first + k)))
        put(g_x, 8 * c, where(right, vec(b_x, 8 * (first + j)), f))
        for line in range(8 * side * max(far - 1, 0), 8 * side * side, 8 * side):  # the others are nobody's partners
            f = where(left, vec(rest, line + 8 * n), vec(rest, line + 8 * k))
            put(turned, line + 8 * c, where(right, vec(rest, line + 8 * j), f))
    put(f_x, 0, where(left, vec(f_x, 0), 0.0))
    put(g_x, 0, where(left, vec(g_x, 0), 0.0))
    put(f_x, 8 * last, where(right, vec(f_x, 8 * last), 0.0))
    put(g_x, 8 * last, where(right, vec(g_x, 8 * last), 0.0))
    # What is even about the blob's middle is not quite so about the half pixel, which lies beside it: half a difference
    # of neighbours is its slope, to which edges lend a fifth more.
    for r in range(far + 3):
        j, k, n = 8 * min(last + 1 - r, last) * side, 8 * (last - r) * side, 8 * max(last - 1 - r, 0) * side
        here = 8 * r * side
        for c in range(0, 8 * side, 8):
            f = where(high, vec(turned, n + c), vec(turned, k + c))
            put(even, here + c, (vec(rest, here + c) + where(low, vec(turned, j + c), f)) * 0.5)
    odd = eight(0.0)
    du, dv = 0.6 * (u - 0.5 * rint(u + u)), 0.6 * (v - 0.5 * rint(v + v))
    for r in range(far + 2):
        j, k, n = min(last + 1 - r, last), last - r, max(last - 1 - r, 0)
        ap, bp = vec(a_y, 8 * (first + r)), vec(b_y, 8 * (first + r))
        aq = where(high, vec(a_y, 8 * (first + n)), vec(a_y, 8 * (first + k)))
        aq = where(low, vec(a_y, 8 * (first + j)), aq)
        bq = where(high, vec(b_y, 8 * (first + n)), vec(b_y, 8 * (first + k)))
        bq = where(low, vec(b_y, 8 * (first + j)), bq)
        part = eight(0.0)
        here, up, down = 8 * r * side, 8 * max(r - 1, 0) * side, 8 * (r + 1) * side
        for c in range(0, 8 * side, 8):
            f = vec(rest, here + c) - vec(even, here + c)
            f += du * (vec(even, here + min(c + 8, 8 * last)) - vec(even, here + max(c - 8, 0)))
            f += dv * (vec(even, down + c) - vec(even, up + c))
            lever = vec(a_x, 8 * first + c) * bp + vec(b_x, 8 * first + c) * ap
            lever = lever + (vec(f_x, c) * bq + vec(g_x, c) * aq)
            part += lever * (f * f)
        if r == 0:
            part = where(high, part, 0.0)
        if r == far + 1:  # a row that is its own partner counts half
            part = where(low, part, where(high, 0.0, 0.5 * part))
        odd += part
    put(lane, REST, odd)
    return 0


@loop
def radial_eight(values: F64, radius: int, pitch: int, lane: F64, work: F64, out: F64) -> int:
    """Centres by radial symmetry (`radial_loops.radial`), from the windows' middles: x, y, the variance for pixels of
    variance 1, and 0 where there is none, a vector each into `out`."""
    many = 2 * radius
    gx, gy = at(work, 0), at(work, 8 * many * many)
    cx, cy = at(work, 16 * many * many), at(work, 16 * many * many + 8 * many)
    for r in range(many):
        line = 8 * ((r + BORDER) * pitch + BORDER)
        for c in range(0, 8 * many, 8):
            p = line + c
            a = vec(values, p + 8) - vec(values, p + 8 * pitch)
            b = vec(values, p) - vec(values, p + 8 * pitch + 8)
            put(gx, 8 * r * many + c, a - b)
            put(gy, 8 * r * many + c, -a - b)
    px, py = vec(lane, X) - vec(lane, MIDDLE_X), vec(lane, Y) - vec(lane, MIDDLE_Y)
    axx, axy, ayy, bx, by = eight(0.0), eight(0.0), eight(0.0), eight(0.0), eight(0.0)
    cxx, cxy, cyy = eight(0.0), eight(0.0), eight(0.0)
    for r in range(1, many - 1):
        above, here, below = 8 * (r - 1) * many, 8 * r * many, 8 * (r + 1) * many
        for c in range(0, 8 * many, 8):
            put(cx, c, vec(gx, above + c) + vec(gx, here + c) + vec(gx, below + c))
            put(cy, c, vec(gy, above + c) + vec(gy, here + c) + vec(gy, below + c))
        my = float(r - radius) + 0.5
        dy = my - py
        dy = dy * dy + 0.25
        for c in range(1, many - 1):
            x = (vec(cx, 8 * c - 8) + vec(cx, 8 * c) + vec(cx, 8 * c + 8)) * (1.0 / 18.0)
            y = (vec(cy, 8 * c - 8) + vec(cy, 8 * c) + vec(cy, 8 * c + 8)) * (1.0 / 18.0)
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
    det = axx * ayy - axy * axy
    trace = axx + ayy
    good = where(det > 1e-12 * trace * trace, 1.0, 0.0)
    det = where(good > 0.0, det, 1.0)
    put(out, 0, (bx * ayy - by * axy) / det)
    put(out, 8, (by * axx - bx * axy) / det)
    ixx, ixy, iyy = ayy / det, -(axy / det), axx / det
    vxx = ixx * (ixx * cxx + ixy * cxy) + ixy * (ixx * cxy + ixy * cyy)
    vyy = ixy * (ixy * cxx + iyy * cxy) + iyy * (ixy * cxy + iyy * cyy)
    narrow = vec(lane, SPREAD) * (1.0 / NARROW)
    put(out, 16, (vxx + vyy) * 0.5 * (where(narrow < 1.0, narrow, 1.0) * SHARE))
    put(out, 24, good)
    return 0
