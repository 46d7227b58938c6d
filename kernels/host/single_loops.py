"""Centres of small blobs one after the other: of those whose windows lack pixels (what is computed:
`kernels.host.centroid`; those that lack none go by `kernels.host.lane_loops`).

A window is `size` rows of `pitch` values (f64, a multiple of eight); its first pixel is `left`, `top` in the picture.
"""

from __future__ import annotations

from kernels.host.bell_loops import bell
from kernels.host.centroid_loops import NARROW, WIDE, moved
from kernels.host.edge_fit import FIT_STEPS, FITTED, LIKELY, step_loop
from kernels.host.lane_loops import BORDER, STEPS
from kernels.host.loops import F64, I64, PIXELS, at, eight, loop, put, rint, vec, where
from kernels.host.tile_loops import clipped_level

FILLS = 2  # steps in a window that lacks pixels, before its fit
ROUNDS = 4  # windows are cut anew at most so often
OFF = 0.75  # px from a window's middle at which it is cut anew
OUTSIDE = 2.0  # widths beyond the picture's edge: of what is farther out less than an eighth of the peak is in it


@loop
def window(image: PIXELS, total: int, frame: int, height: int, width: int, sign: float, left: int, top: int, size: int,
           pitch: int, inner: F64, iota: F64, values: F64, there: F64) -> int:  # fmt: skip
    """Cut a window; returns whether all its pixels exist. Those that do not are 0, and 0 in `there`, behind which is
    room for eight more.

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
    c0, c1, r0, r1 = max(0, -left), min(size, width - left), max(0, -top), min(size, height - top)
    zero = eight(0.0)
    for k in range(0, size * pitch, 8):
        put(values, k, zero)
        put(there, k, zero)
    found = 0.0
    for r in range(r0, r1):
        line = frame + (top + r) * width + left
        if line >= 0 and line + pitch <= total:  # pixels beside the window are looked at, but not taken
            for k in range(0, pitch, 8):
                inside = where(vec(iota, k) >= float(c0), where(vec(iota, k) < float(c1), 1.0, 0.0), 0.0)
                v = where(inside > 0.0, vec(image, line + k) * sign, 0.0)
                inside = where(v * 0.0 == 0.0, inside, 0.0)
                put(values, r * pitch + k, where(inside > 0.0, v, 0.0))
                put(there, r * pitch + k, inside)
        else:
            for c in range(c0, c1):
                one = image[line + c] * sign
                if one - one == 0.0:
                    values[r * pitch + c], there[r * pitch + c] = one, 1.0
    for k in range(0, size * pitch, 8):
        zero += vec(there, k)
    put(there, size * pitch, zero)
    for k in range(8):
        found += there[size * pitch + k]
    whole = found == float(size * size)
    return int(whole)


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
    some, count = 0.0, eight(0.0)
    for k in range(0, area, 8):
        v = vec(ring, k) * vec(there, k)
        put(mask, k, v)
        count += v
    put(out, 0, count)
    for k in range(8):
        some += out[k]
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
def beyond(x: float, y: float, height: int, width: int) -> float:
    """How far outside of the picture a place lies, px, along the axis along which it is farther; below 0 inside."""
    across = max(-0.5 - x, x - (float(width) - 0.5))
    return max(across, max(-0.5 - y, y - (float(height) - 0.5)))


@loop
def visit(i: int, image: PIXELS, total: int, frame: int, height: int, width: int, sign: float, near: I64, most: int,
          start: F64, state: F64, seen: F64, count: int, middle: F64, sigma: float, radius: int, size: int, pitch: int,
          glance: int, fixed: F64, room: F64) -> int:  # fmt: skip
    """Bring blob i to its fixed point, its neighbours as they were `seen`. Returns whether its window is whole, -1 for
    lost.

    Args:
        start: where the blobs begin: x of all, y of all.
        state, seen: of all blobs: x, then y, amplitude, width, background and its variance.
        middle: the middle of each blob's window; there it is cut again.
        glance: only look how bright and wide it is.
        fixed: 1 in a window's columns (a row); in its ring, within the ring (a window each); 0, 1, 2 ... (a row).
        room: for four windows (what is cut; 1 where a pixel is there; light above the ground; anything), 64 numbers for
            results, 17 rows and 512 numbers more, and what `single` needs.
    """
    area = size * pitch
    inner, ring, iota = at(fixed, 0), at(fixed, pitch), at(fixed, pitch + 2 * area)
    values, there, clear, mask = at(room, 0), at(room, area), at(room, 2 * area), at(room, 3 * area)
    out, work = at(room, 4 * area), at(room, 4 * area + 64)
    x, y, amplitude, spread = at(state, 0), at(state, count), at(state, 2 * count), at(state, 3 * count)
    background, noise = at(state, 4 * count), at(state, 5 * count)
    other_x, other_y = at(seen, 0), at(seen, count)
    other_amplitude, other_spread = at(seen, 2 * count), at(seen, 3 * count)
    sx, sy = start[i], start[count + i]
    half = radius + BORDER
    for turn in range(ROUNDS):
        left, top = int(middle[2 * i]) - half, int(middle[2 * i + 1]) - half
        whole = window(image, total, frame, height, width, sign, left, top, size, pitch, inner, iota, values, there)
        if most > 0 and not glance:
            without(i, near, most, other_x, other_y, other_amplitude, other_spread, left, top, size, pitch, iota, work,
                    values)  # fmt: skip
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
            limit, prior = 0.5 * sigma, noise[i] / (LIKELY * LIKELY * sigma * sigma)
            for _ in range(FIT_STEPS):
                step_loop(values, there, left, top, max(0, -top), min(size, height - top), x[i], y[i], amplitude[i],
                          spread[i], background[i], sigma, prior, pitch, iota, work, at(work, 2 * pitch + 240),
                          out)  # fmt: skip
                mx, my = min(max(out[0], -limit), limit), min(max(out[1], -limit), limit)
                x[i], y[i] = x[i] + mx, y[i] + my
                amplitude[i] = max(amplitude[i] + out[2], 0.0)
                spread[i] = min(max(spread[i] + out[3], sigma * NARROW), sigma * WIDE)
                background[i] = background[i] + out[4]
                if abs(mx) < FITTED and abs(my) < FITTED:
                    break
        far = beyond(x[i], y[i], height, width) > OUTSIDE * sigma
        if far or not (abs(x[i] - sx) <= float(radius) and abs(y[i] - sy) <= float(radius)):
            x[i], y[i] = sx, sy
            middle[2 * i], middle[2 * i + 1] = rint(sx), rint(sy)
            return -1
        if abs(x[i] - middle[2 * i]) <= OFF and abs(y[i] - middle[2 * i + 1]) <= OFF:
            return int(whole)
        if turn < ROUNDS - 1:  # else it stays where `values` are cut: they are summed
            middle[2 * i], middle[2 * i + 1] = rint(x[i]), rint(y[i])
    return int(whole)
