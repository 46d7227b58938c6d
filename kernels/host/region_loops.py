"""The work of `kernels.host.regions` and `kernels.host.blobs` as loops: the sums of their NumPy functions, in order."""

from __future__ import annotations

from kernels.host.bell_loops import middle
from kernels.host.loops import F64, I32, I64, PIXELS, at, loop, sqrt


@loop
def beside(flat: I32, edge: I64, count: int, first: int, last: int, out: I64) -> int:
    """The free pixels at the offsets first..last of a rising list, rising, each once."""
    found, latest = 0, -1
    for n in range(count):
        for p in range(edge[n] + first, edge[n] + last + 1):
            if p > latest and flat[p] == 0:
                out[found] = p
                found += 1
                latest = p
    return found


@loop
def grow_loop(flat: I32, width: int, edge: I64, count: int, room: int, lists: I64, ring: I64, high: I64,
              low: I64) -> int:  # fmt: skip
    """One step of `grow`: the ring around a rising list of pixels, and the largest and smallest region beside each."""
    a = beside(flat, edge, count, -width - 1, -width + 1, lists)
    b = beside(flat, edge, count, -1, 1, at(lists, room))
    c = beside(flat, edge, count, width - 1, width + 1, at(lists, 2 * room))
    i, j, k, found = 0, room, 2 * room, 0
    b += room
    c += 2 * room
    none = 9223372036854775807
    while i < a or j < b or k < c:
        p, q, r = none, none, none
        if i < a:
            p = lists[i]
        if j < b:
            q = lists[j]
        if k < c:
            r = lists[k]
        least = min(p, min(q, r))
        ring[found] = least
        found += 1
        i += p == least
        j += q == least
        k += r == least
    for n in range(found):
        p = ring[n]
        most, least = -1, none
        for line in range(3):
            start = p + (line - 1) * width - 1
            for m in range(3):
                one = flat[start + m] - 1
                if one >= 0:
                    most = max(most, one)
                    least = min(least, one)
        high[n], low[n] = most, least
    for n in range(found):
        flat[ring[n]] = high[n] + 1
    return found


@loop
def share_out(pixels: I64, high: I64, low: I64, count: int, out: I64, owner: I64, share: F64) -> int:
    """`shared` of one list."""
    found = count
    for n in range(count):
        out[n], owner[n], share[n] = pixels[n], high[n], 1.0
        if high[n] != low[n]:
            share[n] = 0.5
            out[found], owner[found], share[found] = pixels[n], low[n], 0.5
            found += 1
    return found


@loop
def lights(image: PIXELS, height: int, width: int, sign: float, pixels: I64, count: int, value: F64, x: F64,
           y: F64) -> int:  # fmt: skip
    """Light and place of pixels of a canvas."""
    pitch = width + 2
    row, base, line = -1, 0, 0
    for n in range(count):
        p = pixels[n]
        if row < 0 or p < row or p >= row + pitch:
            frame = p // (pitch * (height + 2))
            line = (p - frame * pitch * (height + 2)) // pitch
            row = frame * pitch * (height + 2) + line * pitch
            base = frame * height * width + (line - 1) * width
        value[n] = image[base + p - row - 1] * sign
        x[n], y[n] = float(p - row - 1), float(line - 1)
    return 0


@loop
def moments_loop(x: F64, y: F64, owner: I64, v: F64, share: F64, pixels: int, count: int, area: F64, mass: F64, mx: F64,
                 my: F64, cx: F64, cy: F64, xx: F64, xy: F64, yy: F64, lever_x: F64, lever_y: F64) -> int:  # fmt: skip
    """`_moments`, and the sums of share^2 (x - cx)^2 and of share^2 (y - cy)^2. All results begin at 0."""
    for n in range(pixels):
        i = owner[n]
        area[i] = area[i] + 1.0
        mass[i] = mass[i] + v[n]
        mx[i] = mx[i] + x[n]
        my[i] = my[i] + y[n]
    for i in range(count):
        one = max(area[i], 1.0)
        mx[i] = mx[i] / one
        my[i] = my[i] / one
    for n in range(pixels):
        i = owner[n]
        cx[i] = cx[i] + v[n] * (x[n] - mx[i])
        cy[i] = cy[i] + v[n] * (y[n] - my[i])
    for i in range(count):
        cx[i] = mx[i] + cx[i] / mass[i]
        cy[i] = my[i] + cy[i] / mass[i]
    for n in range(pixels):
        i = owner[n]
        dx, dy = x[n] - cx[i], y[n] - cy[i]
        xx[i] = xx[i] + v[n] * (dx * dx)
        xy[i] = xy[i] + v[n] * (dx * dy)
        yy[i] = yy[i] + v[n] * (dy * dy)
        lever_x[i] = lever_x[i] + share[n] * share[n] * (dx * dx)
        lever_y[i] = lever_y[i] + share[n] * share[n] * (dy * dy)
    for i in range(count):
        xx[i] = xx[i] / mass[i]
        xy[i] = xy[i] / mass[i]
        yy[i] = yy[i] / mass[i]
    return 0


@loop
def levels_loop(owner: I64, values: F64, pixels: int, count: int, whole: int, number: I64, start: I64, sorted_: F64,
                buffer: F64, bins: I64, out: F64, level: F64, variance: F64) -> int:  # fmt: skip
    """`levels`; pixels that are no numbers are left out."""
    for i in range(count):
        number[i] = 0
    for n in range(pixels):
        if values[n] - values[n] == 0.0:
            number[owner[n]] = number[owner[n]] + 1
    place = 0
    for i in range(count):
        start[i] = place
        place += number[i]
        number[i] = 0
    for n in range(pixels):
        if values[n] - values[n] == 0.0:
            i = owner[n]
            sorted_[start[i] + number[i]] = values[n]
            number[i] = number[i] + 1
    for i in range(count):
        level[i], variance[i] = 0.0, 0.0
        if number[i] > 0:
            lowest, highest = 1e308, -1e308
            for n in range(number[i]):
                v = sorted_[start[i] + n]
                buffer[n] = v
                lowest, highest = min(lowest, v), max(highest, v)
            middle(buffer, number[i], lowest, highest, whole, bins, out)
            level[i], variance[i] = out[0], out[1]
    return 0


@loop
def plane_sums(owner: I64, values: F64, x: F64, y: F64, pixels: int, count: int, px: F64, py: F64, level: F64,
               variance: F64, blur: float, ok: I64, normal: F64, right: F64) -> int:  # fmt: skip
    """The normal equations of `planes` (without the ridge); x and y become offsets from px, py. `blur`: BLUR grain."""
    for n in range(pixels):
        i = owner[n]
        ok[n] = 0
        v = values[n]
        if v - v == 0.0:
            dx, dy = x[n] - px[i], y[n] - py[i]
            x[n], y[n] = dx, dy
            rest = v - level[i]
            ok[n] = abs(rest) <= 3.0 * sqrt(variance[i] + blur) + 1e-6
            if ok[n]:
                values[n] = rest
                a, b = 9 * i, 3 * i
                normal[a] = normal[a] + 1.0
                normal[a + 1] = normal[a + 1] + dx
                normal[a + 2] = normal[a + 2] + dy
                normal[a + 4] = normal[a + 4] + dx * dx
                normal[a + 5] = normal[a + 5] + dx * dy
                normal[a + 8] = normal[a + 8] + dy * dy
                right[b] = right[b] + rest
                right[b + 1] = right[b + 1] + dx * rest
                right[b + 2] = right[b + 2] + dy * rest
    for i in range(count):
        a = 9 * i
        normal[a + 3], normal[a + 6], normal[a + 7] = normal[a + 1], normal[a + 2], normal[a + 5]
    return 0


@loop
def plane_rest(owner: I64, rest: F64, x: F64, y: F64, ok: I64, pixels: int, found: F64, left: F64, used: I64) -> int:
    """The squares that the planes leave, and of how many pixels."""
    for n in range(pixels):
        if ok[n]:
            i = owner[n]
            one = rest[n] - (found[3 * i] + x[n] * found[3 * i + 1] + y[n] * found[3 * i + 2])
            left[i] = left[i] + one * one
            used[i] = used[i] + 1
    return 0


@loop
def above(value: F64, x: F64, y: F64, owner: I64, share: F64, pixels: int, core: int, ground: F64, px: F64, py: F64,
          slope: int, v: F64, peak: F64) -> int:  # fmt: skip
    """Light above the ground, by shares; the largest of each region's core."""
    for n in range(pixels):
        i = owner[n]
        if value[n] - value[n] != 0.0:
            share[n] = 0.0
            v[n] = 0.0
        else:
            below = ground[3 * i]
            if slope:
                below = below + ground[3 * i + 1] * (x[n] - px[i]) + ground[3 * i + 2] * (y[n] - py[i])
            v[n] = (value[n] - below) * share[n]
        if n < core:
            peak[i] = max(peak[i], v[n])
    return 0
