"""The work of `kernels.host.centroid` as loops: the operations of its NumPy functions, in their order.

A window is `size` rows of `pitch` values (f64, a multiple of eight; 0 beyond `size`); its first pixel is `left`,
`top` in the picture.
"""

from __future__ import annotations

from kernels.host.bell_loops import bell, level
from kernels.host.loops import F64, I64, PIXELS, U8, at, eight, loop, put, rint, sqrt, vec

TWO_PI = 6.283185307179586
SETTLED = 2e-4  # px; a centre that moves less has arrived
RING_STEPS = 4  # steps in which a crowded blob's ring is looked at again
WIDTHS = (0.5, 2.0)  # range of a blob's width, in units of sigma
LOW_PART, HIGH_PART = 1.0 / (1.0 + WIDTHS[0] ** -2), 1.0 / (1.0 + WIDTHS[1] ** -2)


@loop
def cut(image: PIXELS, height: int, width: int, frames: I64, left: I64, top: I64, which: I64, count: int, size: int,
        pitch: int, sign: float, values: F64, valid: U8, complete: U8) -> int:  # fmt: skip
    """Windows of the blobs `which`; pixels outside the picture and those that are no numbers are 0 and not valid."""
    for n in range(count):
        i = which[n]
        base = i * size * pitch
        start = frames[i] * height * width
        x0, y0 = left[i], top[i]
        whole = 1
        if x0 >= 0 and y0 >= 0 and x0 + size <= width and y0 + size <= height:
            for r in range(size):
                row, line = base + r * pitch, start + (y0 + r) * width + x0
                for c in range(size):
                    v = image[line + c] * sign
                    values[row + c] = v
                    if v - v != 0.0:
                        whole = 0
        else:
            whole = 0
        complete[i] = whole
        if not whole:
            for r in range(size):
                row = base + r * pitch
                for c in range(size):
                    x, y = x0 + c, y0 + r
                    v, there = 0.0, 0
                    if x >= 0 and y >= 0 and x < width and y < height:
                        v = image[start + y * width + x] * sign
                        if v - v == 0.0:
                            there = 1
                        else:
                            v = 0.0
                    values[row + c] = v
                    valid[row + c] = there
        else:
            for r in range(size):
                for c in range(size):
                    valid[base + r * pitch + c] = 1
    return 0


@loop
def clean(i: int, values: F64, left: I64, top: I64, near: I64, most: int, x: F64, y: F64, amplitude: F64,
          spread: F64, size: int, pitch: int, iota: F64, work: F64, out: F64) -> int:  # fmt: skip
    """The window of blob i without the light of its neighbours."""
    base, area = i * size * pitch, size * pitch
    for k in range(0, area, 8):
        put(out, k, eight(0.0))
    for n in range(most):
        j = near[i * most + n]
        if j >= 0:
            scale = 0.5 / (spread[j] * spread[j])
            bell(work, iota, left[i], x[j], scale, pitch)
            bell(at(work, pitch), iota, top[i], y[j], scale, pitch)
            for r in range(size):
                down = amplitude[j] * work[pitch + r]
                for k in range(0, pitch, 8):
                    put(out, r * pitch + k, vec(out, r * pitch + k) + vec(work, k) * down)
    for k in range(0, area, 8):
        put(out, k, vec(values, base + k) - vec(out, k))
    return 0


@loop
def clear(i: int, pixels: F64, valid: U8, complete: int, left: int, top: int, x: F64, y: F64, amplitude: F64,
          spread: F64, background: float, size: int, pitch: int, iota: F64, work: F64, out: F64) -> int:  # fmt: skip
    """Pixels above the background; where there is none the blob's own model."""
    for k in range(0, size * pitch, 8):
        put(out, k, vec(pixels, k) - background)
    if not complete:
        scale = 0.5 / (spread[i] * spread[i])
        bell(work, iota, left, x[i], scale, pitch)
        bell(at(work, pitch), iota, top, y[i], scale, pitch)
        for r in range(size):
            down = amplitude[i] * work[pitch + r]
            for c in range(size):
                if not valid[r * pitch + c]:
                    out[r * pitch + c] = down * work[c]
    return 0


@loop
def moved(i: int, window: F64, left: int, top: int, x: F64, y: F64, sigma: float, size: int, pitch: int, iota: F64,
          work: F64, out: F64) -> int:  # fmt: skip
    """One step of blob i: x, y, amplitude and width into `out`; returns whether it moved. `work`: 16 rows."""
    scale = 0.5 / (sigma * sigma)
    bell(work, iota, left, x[i], scale, pitch)
    bell(at(work, pitch), iota, top, y[i], scale, pitch)
    for k in range(0, pitch, 8):
        d = vec(iota, k) + float(top) - y[i]
        w = vec(work, pitch + k)
        put(work, 2 * pitch + k, w * d)
        put(work, 3 * pitch + k, w * d * d)
        d = vec(iota, k) + float(left) - x[i]
        w = vec(work, k)
        put(work, 4 * pitch + k, w * d)
        put(work, 5 * pitch + k, w * d * d)
    for k in range(0, pitch, 8):
        s0, s1, s2 = eight(0.0), eight(0.0), eight(0.0)
        for r in range(size):
            v = vec(window, r * pitch + k)
            s0 += v * work[pitch + r]
            s1 += v * work[2 * pitch + r]
            s2 += v * work[3 * pitch + r]
        w = vec(work, k)
        put(work, 6 * pitch + k, s0 * w)
        put(work, 7 * pitch + k, s0 * vec(work, 4 * pitch + k))
        put(work, 8 * pitch + k, s0 * vec(work, 5 * pitch + k))
        put(work, 9 * pitch + k, s1 * w)
        put(work, 10 * pitch + k, s2 * w)
    total, ax, axx, ay, ayy = 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(size):
        total += work[6 * pitch + c]
        ax += work[7 * pitch + c]
        axx += work[8 * pitch + c]
        ay += work[9 * pitch + c]
        ayy += work[10 * pitch + c]
    lit = total > 0.0
    safe = total if lit else 1.0
    mx, my = ax / safe, ay / safe
    variance = 0.5 * ((axx + ayy) / safe - mx * mx - my * my)
    part = min(max(variance / (sigma * sigma), LOW_PART), HIGH_PART)
    limit = 0.5 * sigma
    sx = min(max(mx / (1.0 - part), -limit), limit)
    sy = min(max(my / (1.0 - part), -limit), limit)
    out[0] = x[i] + (sx if lit else 0.0)
    out[1] = y[i] + (sy if lit else 0.0)
    out[2] = (total if lit else 0.0) / (TWO_PI * (sigma * sigma) * part)
    out[3] = sigma * sqrt(part / (1.0 - part)) if lit else sigma
    return 1 if lit and (abs(sx) > SETTLED or abs(sy) > SETTLED) else 0


@loop
def settle(values: F64, valid: U8, complete: U8, left: I64, top: I64, near: I64, most: int, x: F64, y: F64,
           amplitude: F64, spread: F64, background: F64, noise: F64, chosen: I64, count: int, crowded: int, steps: int,
           whole: int, ring: I64, rings: int, sigma: float, size: int, pitch: int, iota: F64, moving: I64, active: I64,
           state: F64, buffer: F64, bins: I64, work: F64) -> int:  # fmt: skip
    """Iterate the blobs `chosen` to their fixed point (`kernels.host.windows.settle`)."""
    area = size * pitch
    if not crowded:
        for n in range(count):
            i = chosen[n]
            own = i * area
            level(at(values, own), at(valid, own), ring, rings, whole, 1, size, pitch, buffer, bins, state)
            background[i], noise[i] = state[0], state[1]
            clear(i, at(values, own), at(valid, own), 1, left[i], top[i], x, y, amplitude, spread, background[i], size,
                  pitch, iota, work, at(buffer, area))  # fmt: skip
            for _ in range(steps):
                go = moved(i, at(buffer, area), left[i], top[i], x, y, sigma, size, pitch, iota, work, state)
                x[i], y[i], amplitude[i], spread[i] = state[0], state[1], state[2], state[3]
                if not go:
                    break
        return 0
    left_over = count
    for n in range(count):
        active[n] = chosen[n]
    for turn in range(steps):
        for m in range(left_over):
            i = active[m]
            own = i * area
            clean(i, values, left, top, near, most, x, y, amplitude, spread, size, pitch, iota, work, buffer)
            if turn < RING_STEPS:
                level(buffer, at(valid, own), ring, rings, 0, complete[i], size, pitch, at(buffer, area), bins, work)
                background[i] = work[0]
            clear(i, buffer, at(valid, own), complete[i], left[i], top[i], x, y, amplitude, spread, background[i], size,
                  pitch, iota, work, at(buffer, area))  # fmt: skip
            moving[i] = moved(i, at(buffer, area), left[i], top[i], x, y, sigma, size, pitch, iota, work,
                              at(state, 4 * m))  # fmt: skip
        for m in range(left_over):
            i, s = active[m], 4 * m
            x[i], y[i], amplitude[i], spread[i] = state[s], state[s + 1], state[s + 2], state[s + 3]
        if turn >= RING_STEPS:
            left_over = 0
            for n in range(count):
                i = chosen[n]
                go = moving[i]
                for k in range(most):
                    j = near[i * most + k]
                    if j >= 0:
                        go = go | moving[j]
                if go:
                    active[left_over] = i
                    left_over += 1
            if left_over == 0:
                return 0
    return 0


@loop
def measure(values: F64, valid: U8, complete: U8, left: I64, top: I64, near: I64, most: int, x: F64, y: F64,
            amplitude: F64, spread: F64, background: F64, noise: F64, count: int, ring: I64, rings: int, sigma: float,
            size: int, pitch: int, border: int, iota: F64, buffer: F64, bins: I64, work: F64, mass: F64, peak: F64,
            sums: F64) -> int:  # fmt: skip
    """Sums of all windows (`kernels.host.windows.sums_of`): mass, peak, and four sums a blob."""
    area = size * pitch
    scale = 0.5 / (sigma * sigma)
    for i in range(count):
        own = i * area
        there = complete[i]
        if there and near[i * most] < 0:  # its background is known from the steps
            for k in range(0, area, 8):
                put(buffer, k, vec(values, own + k))
        else:
            clean(i, values, left, top, near, most, x, y, amplitude, spread, size, pitch, iota, work, buffer)
            level(buffer, at(valid, own), ring, rings, 0, there, size, pitch, at(buffer, area), bins, work)
            background[i], noise[i] = work[0], work[1]
        clear(i, buffer, at(valid, own), there, left[i], top[i], x, y, amplitude, spread, background[i], size, pitch,
              iota, work, at(buffer, area))  # fmt: skip
        narrow = 0.5 / (spread[i] * spread[i])
        bell(work, iota, left[i], x[i], narrow, pitch)
        bell(at(work, pitch), iota, top[i], y[i], narrow, pitch)
        for r in range(size):  # what the model leaves, in place of the clean window
            down = amplitude[i] * work[pitch + r]
            for k in range(0, pitch, 8):
                put(buffer, r * pitch + k, vec(buffer, area + r * pitch + k) - vec(work, k) * down)
        bell(work, iota, left[i], x[i], scale, pitch)
        bell(at(work, pitch), iota, top[i], y[i], scale, pitch)
        for k in range(0, pitch, 8):
            d = vec(iota, k) + float(left[i]) - x[i]
            put(work, 2 * pitch + k, d * d)
            d = vec(iota, k) + float(top[i]) - y[i]
            put(work, 3 * pitch + k, d * d)
        m_r = int(rint(2.0 * (y[i] - float(top[i]))))
        m_c = int(rint(2.0 * (x[i] - float(left[i]))))
        light, top_light, all_, total, sharp, odd = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for c in range(size):
            l_, a_, t_, s_, o_ = 0.0, 0.0, 0.0, 0.0, 0.0
            inner = c >= border and c < size - border
            oc = m_c - c
            inside = oc >= 0 and oc < size
            for r in range(size):
                v = buffer[area + r * pitch + c]
                if inner and r >= border and r < size - border:
                    l_ += v
                    top_light = max(top_light, v)
                w = work[pitch + r] * work[c]
                lever = w * w * (work[2 * pitch + c] + work[3 * pitch + r])
                a_ += lever
                lever = lever if there or valid[own + r * pitch + c] else 0.0
                t_ += lever
                s_ += lever * lever
                mirrored = m_r - r
                if inside and mirrored >= 0 and mirrored < size:
                    half = 0.5 * (buffer[r * pitch + c] - buffer[mirrored * pitch + oc])
                    o_ += lever * (half * half)
            light += l_
            all_ += a_
            total += t_
            sharp += s_
            odd += o_
        mass[i], peak[i] = light, top_light
        sums[4 * i], sums[4 * i + 1], sums[4 * i + 2], sums[4 * i + 3] = all_, total, sharp, odd
    return 0
