"""Centres of small blobs one after the other, as one loop (what it computes: `kernels.host.centroid`).

A window is `size` rows of `pitch` values (f64, a multiple of eight); its first pixel is `left`, `top` in the picture.
"""

from __future__ import annotations

from kernels.host.bell_loops import bell
from kernels.host.centroid_loops import NARROW, SETTLED, WIDE, moved
from kernels.host.edge_fit import FIT_STEPS, step_loop
from kernels.host.loops import F64, I64, PIXELS, at, eight, loop, put, rint, sqrt, vec, where
from kernels.host.radial_loops import radial
from kernels.host.tile_loops import clipped_level, summed

STEPS, FILLS = 12, 4  # of a whole window; of one that lacks pixels, before its fit
ROUNDS = 4  # windows are cut anew at most so often
TURNS = 24  # looks at blobs that have neighbours
STIRRED = 4e-4  # px; a blob whose neighbours' moves shift it by less is not looked at again
OFF = 0.75  # px from a window's middle at which it is cut anew
BORDER = 2  # px, the width of the ring
NEVER, ALWAYS, CHOSEN = 0, 1, 2
ROOMY = 3  # px, the least radius of a window with gradients enough for radial symmetry
BRIGHT, LEAST, SMALL = 30.0, 1.1, 1.7  # peak over noise from which, px of width within which radial symmetry is better


@loop
def window(image: PIXELS, total: int, frame: int, height: int, width: int, sign: float, left: int, top: int, size: int,
           pitch: int, inner: F64, values: F64, there: F64) -> int:  # fmt: skip
    """Cut a window; returns whether all its pixels exist. Those that do not are 0, and 0 in `there`.

    Args:
        inner: 1 in a window's columns, 0 in what pads its rows.
    """
    line = frame + top * width + left
    if left >= 0 and top >= 0 and left + size <= width and top + size <= height and (
            line + (size - 1) * width + pitch <= total):  # fmt: skip
        odd = eight(0.0)
        for r in range(size):
            for k in range(0, pitch, 8):
                v = where(vec(inner, k) > 0.0, vec(image, line + k) * sign, 0.0)
                put(values, r * pitch + k, v)
                odd += v * 0.0
            line += width
        put(there, 0, odd)
        wrong = 0
        for k in range(8):
            if there[k] != 0.0:
                wrong = 1
        if not wrong:
            return 1
    whole = 1
    for r in range(size):
        for c in range(pitch):
            k = r * pitch + c
            x, y = left + c, top + r
            values[k], there[k] = 0.0, 0.0
            if c < size and x >= 0 and y >= 0 and x < width and y < height:
                one = image[frame + y * width + x] * sign
                if one - one == 0.0:
                    values[k], there[k] = one, 1.0
                else:
                    whole = 0
            elif c < size:
                whole = 0
    return whole


@loop
def without(i: int, near: I64, most: int, x: F64, y: F64, amplitude: F64, spread: F64, left: int, top: int, size: int,
            pitch: int, iota: F64, work: F64, values: F64) -> int:  # fmt: skip
    """Take the light of blob i's neighbours out of its window."""
    for n in range(most):
        j = near[i * most + n]
        if j >= 0:
            height = amplitude[j]
            if height > 0.0:
                scale = 0.5 / (spread[j] * spread[j])
                bell(work, iota, left, x[j], scale, pitch)
                bell(at(work, pitch), iota, top, y[j], scale, pitch)
                for r in range(size):
                    down = height * work[pitch + r]
                    if down > 1e-9 * height:
                        for k in range(0, pitch, 8):
                            put(values, r * pitch + k, vec(values, r * pitch + k) - vec(work, k) * down)
    return 0


@loop
def filled(i: int, values: F64, there: F64, x: F64, y: F64, amplitude: F64, spread: F64, background: float, left: int,
           top: int, size: int, pitch: int, iota: F64, work: F64, out: F64) -> int:  # fmt: skip
    """Light above the background; where a pixel lacks the blob's own model."""
    scale = 0.5 / (spread[i] * spread[i])
    bell(work, iota, left, x[i], scale, pitch)
    bell(at(work, pitch), iota, top, y[i], scale, pitch)
    for r in range(size):
        down = amplitude[i] * work[pitch + r]
        for k in range(0, pitch, 8):
            own = vec(work, k) * down
            light = vec(values, r * pitch + k) - background
            put(out, r * pitch + k, where(vec(there, r * pitch + k) > 0.0, light, own))
    return 0


@loop
def ground_of(values: F64, there: F64, ring: F64, complete: int, size: int, pitch: int, mask: F64, acc: F64,
              out: F64) -> int:  # fmt: skip
    """Level and variance of a window's ring into `out`; the darkest pixel where there is no ring."""
    area = size * pitch
    if complete:
        clipped_level(values, ring, area, acc, out)
        return 0
    some = 0.0
    for k in range(0, area, 8):
        put(mask, k, vec(ring, k) * vec(there, k))
    for k in range(area):
        some += mask[k]
    if some > 0.0:
        clipped_level(values, mask, area, acc, out)
        return 0
    least = 1e308
    for k in range(area):
        if there[k] > 0.0:
            least = min(least, values[k])
    out[0], out[1] = least, 0.0
    return 0


@loop
def visit(i: int, image: PIXELS, total: int, frame: int, height: int, width: int, sign: float, near: I64, most: int,
          sx: F64, sy: F64, x: F64, y: F64, amplitude: F64, spread: F64, background: F64, noise: F64, middle: F64,
          sigma: float, radius: int, size: int, pitch: int, glance: int, inner: F64, ring: F64, iota: F64, values: F64,
          there: F64, clear: F64, mask: F64, work: F64, out: F64) -> int:  # fmt: skip
    """Bring blob i to its fixed point, its neighbours as they are. Returns whether its window is whole, -1 for lost.

    Args:
        middle: the middle of each blob's window; there it is cut again.
        glance: only look how bright and wide it is.
    """
    half = radius + BORDER
    for turn in range(ROUNDS):
        left, top = int(middle[2 * i]) - half, int(middle[2 * i + 1]) - half
        whole = window(image, total, frame, height, width, sign, left, top, size, pitch, inner, values, there)
        if most > 0 and not glance:
            without(i, near, most, x, y, amplitude, spread, left, top, size, pitch, iota, work, values)
        ground_of(values, there, ring, whole, size, pitch, mask, work, out)
        level = out[0]
        background[i], noise[i] = level, out[1]
        if whole:
            for k in range(0, size * pitch, 8):
                put(clear, k, vec(values, k) - level)
        fills = FILLS if amplitude[i] <= 0.0 or glance else 0  # a fit goes on from where it was
        for _ in range(STEPS if whole else fills):
            if not whole:
                filled(i, values, there, x, y, amplitude, spread, level, left, top, size, pitch, iota, work, clear)
            go = moved(i, clear, left, top, x, y, sigma, size, pitch, iota, work, out)
            amplitude[i], spread[i] = out[2], out[3]
            if glance:
                return int(whole)
            x[i], y[i] = out[0], out[1]
            if not go:
                break
        if not whole:
            limit = 0.5 * sigma
            for _ in range(FIT_STEPS):
                step_loop(values, there, left, top, x[i], y[i], amplitude[i], spread[i], background[i], size, pitch,
                          iota, work, at(work, 4 * pitch), out)  # fmt: skip
                mx, my = min(max(out[0], -limit), limit), min(max(out[1], -limit), limit)
                x[i], y[i] = x[i] + mx, y[i] + my
                amplitude[i] = max(amplitude[i] + out[2], 0.0)
                spread[i] = min(max(spread[i] + out[3], sigma * NARROW), sigma * WIDE)
                background[i] = background[i] + out[4]
                if abs(mx) < SETTLED and abs(my) < SETTLED:
                    break
        if not (abs(x[i] - sx[i]) <= float(radius) and abs(y[i] - sy[i]) <= float(radius)):
            x[i], y[i] = sx[i], sy[i]
            middle[2 * i], middle[2 * i + 1] = rint(sx[i]), rint(sy[i])
            return -1
        if abs(x[i] - middle[2 * i]) <= OFF and abs(y[i] - middle[2 * i + 1]) <= OFF:
            return int(whole)
        if turn < ROUNDS - 1:  # else it stays where `values` are cut: they are summed
            middle[2 * i], middle[2 * i + 1] = rint(x[i]), rint(y[i])
    return int(whole)


@loop
def summary(i: int, whole: int, values: F64, there: F64, x: float, y: float, amplitude: F64, spread: F64,
            background: float, left: int, top: int, sigma: float, size: int, pitch: int, inner: F64, core: F64,
            iota: F64, clear: F64, rest: F64, work: F64, out: F64) -> int:  # fmt: skip
    """Into `out`: mass, peak, and sums of the lever w^2 r^2: of all pixels, of those that are there, of its square, and
    with the square of what the odd part of the residuals is.

    Only the odd part moves a centre. A blob that is no Gaussian but symmetric leaves an even residual: no noise.
    """
    narrow, scale = 0.5 / (spread[i] * spread[i]), 0.5 / (sigma * sigma)
    bell(work, iota, left, x, narrow, pitch)
    bell(at(work, pitch), iota, top, y, narrow, pitch)
    bell(at(work, 2 * pitch), iota, left, x, scale, pitch)
    bell(at(work, 3 * pitch), iota, top, y, scale, pitch)
    m, a, t, s, high = eight(0.0), eight(0.0), eight(0.0), eight(0.0), eight(0.0)
    for k in range(0, pitch, 8):
        dx = vec(iota, k) + (float(left) - x)
        dx = dx * dx
        wx = vec(work, 2 * pitch + k)
        wx = wx * wx * vec(inner, k)
        own_x = vec(work, k)
        for r in range(size):
            here = r * pitch + k
            own = own_x * (amplitude[i] * work[pitch + r])
            v = vec(values, here) - background
            dy = float(top + r) - y
            one = work[3 * pitch + r]
            lever = wx * (one * one) * (dx + dy * dy)
            a += lever
            if not whole:
                v = where(vec(there, here) > 0.0, v, own)
                lever = lever * vec(there, here)
            t += lever
            s += lever * lever
            light = v * vec(core, here)
            m += light
            high = where(light > high, light, high)
            put(rest, here, v - own)
            put(clear, here, lever)
    put(work, 0, m)
    put(work, 8, a)
    put(work, 16, t)
    put(work, 24, s)
    put(work, 32, high)
    summed(work, 4, out)
    mass, all_, total, sharp, peak = out[0], out[1], out[2], out[3], 0.0
    for k in range(32, 40):
        peak = max(peak, work[k])
    far = 3.0 * sigma
    m_r, m_c = int(rint(2.0 * (y - float(top)))), int(rint(2.0 * (x - float(left))))
    c0 = max(max(0, m_c - size + 1), int(rint(0.5 * float(m_c) - far)))
    r0 = max(max(0, m_r - size + 1), int(rint(0.5 * float(m_r) - far)))
    last, odd = m_r * pitch + m_c, 0.0
    for r in range(r0, m_r // 2 + 1):
        for c in range(c0, m_c - c0 + 1):
            p = r * pitch + c
            q = last - p
            if p < q:
                half = 0.5 * (rest[p] - rest[q])
                odd += (clear[p] + clear[q]) * (half * half)
    out[0], out[1], out[2], out[3], out[4], out[5] = mass, peak, all_, total, sharp, odd
    return 0


@loop
def variance_of(ring: float, residual: float, freedom: float) -> float:
    """Variance of a pixel from that of the ring and from the blob's own residuals, which know its shot noise.

    The residuals have few degrees of freedom. What is wanted is the mean of 1 / variance, so that errors in units of
    sigma have the variance 1: alone they would have to be raised by freedom / (freedom - 2), Student's t. The ring's
    variance counts as further degrees, the fewer, the more the residuals exceed it (shot noise).

    Args:
        ring: of the background, at least that of rounding.
        residual: of the odd part of the residuals, per degree of freedom.
        freedom: degrees of freedom of that.
    """
    excess = min(max(residual / max(ring, 1e-300), 0.6), 1e3)
    more = max(0.5 * freedom, 10.0 - freedom) / (excess * excess * excess)
    every = more + freedom
    return float((more * ring + freedom * residual) / max(every - 2.0 * freedom / every, 0.4 * every))


@loop
def row_of(i: int, lost: int, sx: float, sy: float, x: float, y: float, amplitude: float, spread: float, noise: float,
           sigma: float, grain: float, nothing: float, sums: F64, rows: F64) -> int:  # fmt: skip
    """The row (x, y, mass, peak, area, xx, xy, yy, sigma) of blob i; the variance of a pixel behind the `sums`."""
    o = 9 * i
    mass, whole, total, sharp, odd = sums[0], sums[2], sums[3], sums[4], sums[5]
    square = spread * spread
    rows[o + 2], rows[o + 3] = mass, sums[1]
    sums[6] = -1.0
    rows[o + 4] = 4.355172180607204 * square  # pi 2 ln 2
    rows[o + 5], rows[o + 6], rows[o + 7] = square, 0.0, square
    if lost or not (mass > 0.0 and amplitude > 0.0 and total > 0.0):
        rows[o], rows[o + 1], rows[o + 8] = sx, sy, nothing
        return 0
    free = total * total / max(sharp, 1e-300)  # pixels that matter; four of them are spent on the fit
    residual = 2.0 * odd / max(total, 1e-300) * free / max(free - 4.0, 1.0)
    part = square / (square + sigma * sigma)
    light = amplitude * 6.283185307179586 * (sigma * sigma) * part * (1.0 - part)
    pixel = variance_of(max(noise, grain), residual, max(0.5 * free - 2.0, 1.0))
    sums[6] = pixel
    # Missing pixels take their share of the information with them.
    rows[o], rows[o + 1], rows[o + 8] = x, y, max(sqrt(0.5 * pixel / total) * whole / light, SETTLED)
    return 0


@loop
def stirring(i: int, near: I64, most: int, x: F64, y: F64, shift: F64, sigma: float) -> float:
    """How far the last moves of blob i's neighbours can have shifted it, px."""
    total = 0.0
    for n in range(most):
        j = near[i * most + n]
        if j >= 0:
            dx, dy = (x[i] - x[j]) / sigma, (y[i] - y[j]) / sigma
            d = dx * dx + dy * dy
            share = 0.001
            if d < 12.0:
                share = 1.0
            elif d < 20.0:
                share = 0.5
            elif d < 36.0:
                share = 0.1
            total += share * shift[j]
    return float(total)


@loop
def centres_loop(image: PIXELS, total: int, height: int, width: int, frames: I64, sign: float, count: int, near: I64,
                 most: int, sx: F64, sy: F64, x: F64, y: F64, amplitude: F64, spread: F64, background: F64, noise: F64,
                 middle: F64, shift: F64, due: I64, sigma: float, radius: int, size: int, pitch: int, inner: F64,
                 ring: F64, core: F64, iota: F64, values: F64, there: F64, clear: F64, mask: F64, work: F64, out: F64,
                 grain: float, nothing: float, lines: int, rows: F64) -> int:  # fmt: skip
    """Rows of `FEATURE` of all blobs; those alone first, then the others together, each with its neighbours as they are
    by then (Gauss and Seidel), until none shifts another.

    Args:
        near: neighbours, of each `most`; the first is -1 where a blob is alone.
        sx, sy: where they begin.
        inner, ring, core: 1 in a window's columns; in its ring; within the ring.
        lines: centres by radial symmetry where a window is whole: NEVER, ALWAYS or CHOSEN.
    """
    half, busy = radius + BORDER, 1
    for turn in range(TURNS + 2):  # alone, and a glance at the others; turns; sums
        go = busy and turn <= TURNS
        busy = turn < 1
        for i in range(count):
            alone = near[i * most] < 0
            frame = frames[i] * height * width
            if turn == 0:
                x[i], y[i], spread[i], amplitude[i] = sx[i], sy[i], sigma, 0.0
                middle[2 * i], middle[2 * i + 1] = rint(sx[i]), rint(sy[i])
                shift[i], due[i] = 0.0, 1 - alone
            whole = 1
            if turn == 0 or (go and due[i] and (
                    turn == 1 or stirring(i, near, most, x, y, shift, sigma) > STIRRED)):  # fmt: skip
                fx, fy = x[i], y[i]
                whole = visit(i, image, total, frame, height, width, sign, near, 0 if alone else most, sx, sy, x, y,
                              amplitude, spread, background, noise, middle, sigma, radius, size, pitch,
                              turn == 0 and not alone, inner, ring, iota, values, there, clear, mask, work,
                              out)  # fmt: skip
                shift[i] = max(abs(x[i] - fx), abs(y[i] - fy))
                if whole < 0:
                    due[i], shift[i] = 0, 0.0
                busy = 1
            elif not alone:
                shift[i] = 0.0
            if turn == 0 and not alone:
                shift[i] = 1.0
            if (turn == 0 and alone) or (turn == TURNS + 1 and not alone):
                left, top = int(middle[2 * i]) - half, int(middle[2 * i + 1]) - half
                lost = whole < 0 if alone else due[i] == 0
                if lost or not alone:
                    whole = window(image, total, frame, height, width, sign, left, top, size, pitch, inner, values,
                                   there)  # fmt: skip
                    without(i, near, most, x, y, amplitude, spread, left, top, size, pitch, iota, work, values)
                    ground_of(values, there, ring, whole, size, pitch, mask, work, out)
                    background[i], noise[i] = out[0], out[1]
                summary(i, whole == 1, values, there, x[i], y[i], amplitude, spread, background[i], left, top, sigma,
                        size, pitch, inner, core, iota, clear, mask, work, out)  # fmt: skip
                row_of(i, lost, sx[i], sy[i], x[i], y[i], amplitude[i], spread[i], noise[i], sigma, grain, nothing, out,
                       rows)  # fmt: skip
                enough = BRIGHT if spread[i] >= LEAST else 3.0 * BRIGHT
                pixel, bright = out[6], amplitude[i] * amplitude[i] >= enough * enough * max(noise[i], grain)
                some = lines == ALWAYS or (
                    lines == CHOSEN and alone and bright and spread[i] <= SMALL and radius >= ROOMY)  # fmt: skip
                if some and whole == 1 and pixel > 0.0 and radial(
                        values, pitch, BORDER, size, x[i] - float(left), y[i] - float(top), spread[i], clear, out):
                    rows[9 * i], rows[9 * i + 1] = out[0] + float(left), out[1] + float(top)
                    rows[9 * i + 8] = max(sqrt(pixel * out[2]), SETTLED)
    return 0
