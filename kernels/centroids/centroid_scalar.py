"""Centres of small blobs one after the other: of those whose windows lack pixels (what is computed:
`kernels.centroids.centroid`; those that lack none go by `kernels.centroids.centroid_simd`).

A window is `size` rows of `pitch` values (f64, a multiple of eight); its first pixel is `left`, `top` in the picture.
"""

from __future__ import annotations

from kernels.centroids.centroid_loops import NARROW, WIDE, moved
from kernels.centroids.centroid_simd import BORDER, STEPS
from kernels.centroids.structs import Blobs, Gaussian, Vectors, Window, Windows
from kernels.centroids.truncated_gaussian_fit import FIT_STEPS, FITTED, LIKELY, step_loop
from kernels.loops.exponential import bell
from kernels.loops.language import F64, I64, at, load, loop, rint, splat, store, where
from kernels.regions.structs import Frames
from kernels.regions.tile_loops import clipped_level

FILLS = 2  # steps in a window that lacks pixels, before its fit
ROUNDS = 4  # windows are cut anew at most so often
OFF = 0.75  # px from a window's middle at which it is cut anew
OUTSIDE = 2.0  # widths beyond the picture's edge: of what is farther out less than an eighth of the peak is in it


@loop
def window(f: Frames, on: Window, frame: int) -> int:
    """Cut a window; returns whether all its pixels exist. Those that do not are 0, and 0 in `there`, behind which is
    room for eight more.

    Args:
        inner: 1 in a window's columns, 0 in what pads its rows.
    """
    line = frame + on.top * f.width + on.left
    # The last row is read in eights too, so it must end within the memory of the frames: beyond, the slow way below.
    if on.left >= 0 and on.top >= 0 and on.left + on.size <= f.width and on.top + on.size <= f.height and (
            line + (on.size - 1) * f.width + on.pitch <= f.total):  # fmt: skip
        # v * 0 is 0 of every number and NaN of everything else: one sum shows whether any pixel is none.
        odd = splat(0.0)
        for r in range(on.size):
            for k in range(0, on.pitch, 8):
                v = where(load(on.inner, k) > 0.0, load(f.image, line + k) * f.sign, 0.0)
                store(on.values, r * on.pitch + k, v)
                odd += v * 0.0
            line += f.width
        store(on.there, 0, odd)
        wrong = 0
        for k in range(8):
            if on.there[k] != 0.0:
                wrong = 1
        if not wrong:
            return 1
    # Part of the window is beside the picture: c0..c1 and r0..r1 are the columns and rows that exist.
    c0, c1, r0, r1 = max(0, -on.left), min(on.size, f.width - on.left), max(0, -on.top), min(on.size, f.height - on.top)
    zero = splat(0.0)
    for k in range(0, on.size * on.pitch, 8):
        store(on.values, k, zero)
        store(on.there, k, zero)
    found = 0.0
    for r in range(r0, r1):
        line = frame + (on.top + r) * f.width + on.left
        if line >= 0 and line + on.pitch <= f.total:  # pixels beside the window are looked at, but not taken
            for k in range(0, on.pitch, 8):
                inside = where(load(on.iota, k) >= float(c0), where(load(on.iota, k) < float(c1), 1.0, 0.0), 0.0)
                v = where(inside > 0.0, load(f.image, line + k) * f.sign, 0.0)
                # v * 0 is NaN for infinities and NaN: such a pixel counts as one that is not there.
                inside = where(v * 0.0 == 0.0, inside, 0.0)
                store(on.values, r * on.pitch + k, where(inside > 0.0, v, 0.0))
                store(on.there, r * on.pitch + k, inside)
        else:
            for c in range(c0, c1):
                one = f.image[line + c] * f.sign
                if one - one == 0.0:
                    on.values[r * on.pitch + c], on.there[r * on.pitch + c] = one, 1.0
    for k in range(0, on.size * on.pitch, 8):
        zero += load(on.there, k)
    store(on.there, on.size * on.pitch, zero)
    for k in range(8):
        found += on.there[on.size * on.pitch + k]
    whole = found == float(on.size * on.size)
    return int(whole)


@loop
def without(i: int, on: Window, near: I64, most: int, x: F64, y: F64, amplitude: F64, spread: F64) -> int:
    """Take the light of blob i's neighbours out of its window."""
    for n in range(most):
        j = near[i * most + n]
        if j >= 0:
            height = amplitude[j]
            if height > 0.0:
                scale = 0.5 / (spread[j] * spread[j])
                bell(on.work, on.iota, on.left, x[j], scale, on.pitch)
                bell(at(on.work, on.pitch), on.iota, on.top, y[j], scale, on.pitch)
                for r in range(on.size):
                    down = height * on.work[on.pitch + r]
                    if down > 1e-9 * height:  # below that it is less than the rounding of f32 pixels
                        for k in range(0, on.pitch, 8):
                            store(
                                on.values, r * on.pitch + k, load(on.values, r * on.pitch + k) - load(on.work, k) * down
                            )
    return 0


@loop
def filled(i: int, on: Window, x: F64, y: F64, amplitude: F64, spread: F64, background: float) -> int:
    """Light above the background; where a pixel lacks the blob's own model."""
    # Expectation maximisation (Dempster, Laird, Rubin 1977): what is missing is filled in by the current model, so that
    # the centroid's fixed point is not drawn towards the pixels that there are.
    scale = 0.5 / (spread[i] * spread[i])
    bell(on.work, on.iota, on.left, x[i], scale, on.pitch)
    bell(at(on.work, on.pitch), on.iota, on.top, y[i], scale, on.pitch)
    for r in range(on.size):
        down = amplitude[i] * on.work[on.pitch + r]
        for k in range(0, on.pitch, 8):
            own = load(on.work, k) * down
            light = load(on.values, r * on.pitch + k) - background
            store(on.clear, r * on.pitch + k, where(load(on.there, r * on.pitch + k) > 0.0, light, own))
    return 0


@loop
def ground_of(on: Window, complete: int) -> int:
    """Level and variance of a window's ring into `out`; the darkest pixel where there is no ring."""
    area = on.size * on.pitch
    if complete:
        clipped_level(on.values, on.ring, area, on.work, on.out)
        return 0
    some, count = 0.0, splat(0.0)
    for k in range(0, area, 8):
        v = load(on.ring, k) * load(on.there, k)
        store(on.mask, k, v)
        count += v
    store(on.out, 0, count)
    for k in range(8):
        some += on.out[k]
    if some > 0.0:
        clipped_level(on.values, on.mask, area, on.work, on.out)
        return 0
    least = 1e308
    for k in range(area):
        if on.there[k] > 0.0:
            least = min(least, on.values[k])
    on.out[0], on.out[1] = least, 0.0
    return 0


@loop
def beyond(x: float, y: float, height: int, width: int) -> float:
    """How far outside of the picture a place lies, px, along the axis along which it is farther; below 0 inside."""
    across = max(-0.5 - x, x - (float(width) - 0.5))
    return max(across, max(-0.5 - y, y - (float(height) - 0.5)))


@loop
def visit(i: int, b: Blobs, f: Frames, w: Windows, v: Vectors, frame: int, most: int, glance: int) -> int:
    """Bring blob i to its fixed point, its neighbours as they were `seen`. Returns whether its window is whole, -1 for
    lost.

    Args:
        v: `room` for four windows, 64 numbers for results, 17 rows and 512 numbers more, and what `single` needs.
        glance: only look how bright and wide it is.
    """
    room, area = v.room, w.size * w.pitch
    x, y, amplitude, spread = at(b.state, 0), at(b.state, b.count), at(b.state, 2 * b.count), at(b.state, 3 * b.count)
    background, noise = at(b.state, 4 * b.count), at(b.state, 5 * b.count)
    other_x, other_y = at(b.seen, 0), at(b.seen, b.count)
    other_amplitude, other_spread = at(b.seen, 2 * b.count), at(b.seen, 3 * b.count)
    sx, sy = b.start[i], b.start[b.count + i]
    half = w.radius + BORDER
    # The window's weights are centred on the blob, its pixels on whole numbers: if the blob is found more than OFF from
    # the window's middle, the window is cut anew around it, a few times at most.
    for turn in range(ROUNDS):
        left, top = int(b.middle[2 * i]) - half, int(b.middle[2 * i + 1]) - half
        on = Window(left, top, w.size, w.pitch, at(w.fixed, 0), at(w.fixed, w.pitch), at(w.fixed, w.pitch + area),
                    at(w.fixed, w.pitch + 2 * area), at(room, 0), at(room, area), at(room, 2 * area),
                    at(room, 3 * area), at(room, 4 * area + 64), at(room, 4 * area))  # fmt: skip
        whole, out = window(f, on, frame), on.out
        if most > 0 and not glance:
            without(i, on, b.near, most, other_x, other_y, other_amplitude, other_spread)
        ground_of(on, whole)
        level = out[0]
        background[i], noise[i] = level, out[1]
        if whole:
            for k in range(0, area, 8):
                store(on.clear, k, load(on.values, k) - level)
        fills = FILLS if amplitude[i] <= 0.0 or glance else 0  # a fit goes on from where it was
        # The fill-in (EM) steps converge linearly: they only bring a start for the least-squares fit below.
        for _ in range(STEPS if whole else fills):
            if not whole:
                filled(i, on, x, y, amplitude, spread, level)
            go = moved(i, on, x, y, w.sigma)
            amplitude[i], spread[i] = out[2], out[3]
            if glance:
                return int(whole)
            x[i], y[i] = out[0], out[1]
            if not go:
                break
        if not whole:
            # The variance of a pixel by that of the width before anything is seen: the weight of the prior in the
            # normal matrix.
            limit, prior = 0.5 * w.sigma, noise[i] / (LIKELY * LIKELY * w.sigma * w.sigma)
            for _ in range(FIT_STEPS):
                g = Gaussian(x[i], y[i], amplitude[i], spread[i], background[i])
                step_loop(on, g, max(0, -top), min(w.size, f.height - top), w.sigma, prior,
                          at(on.work, 2 * w.pitch + 240), out)  # fmt: skip
                # A step is bounded by half the weights' width, where the linear model still holds.
                mx, my = min(max(out[0], -limit), limit), min(max(out[1], -limit), limit)
                x[i], y[i] = x[i] + mx, y[i] + my
                amplitude[i] = max(amplitude[i] + out[2], 0.0)
                spread[i] = min(max(spread[i] + out[3], w.sigma * NARROW), w.sigma * WIDE)
                background[i] = background[i] + out[4]
                if abs(mx) < FITTED and abs(my) < FITTED:
                    break
        far = beyond(x[i], y[i], f.height, f.width) > OUTSIDE * w.sigma
        if far or not (abs(x[i] - sx) <= float(w.radius) and abs(y[i] - sy) <= float(w.radius)):
            x[i], y[i] = sx, sy
            b.middle[2 * i], b.middle[2 * i + 1] = rint(sx), rint(sy)
            return -1
        if abs(x[i] - b.middle[2 * i]) <= OFF and abs(y[i] - b.middle[2 * i + 1]) <= OFF:
            return int(whole)
        if turn < ROUNDS - 1:  # else it stays where `values` are cut: they are summed
            b.middle[2 * i], b.middle[2 * i + 1] = rint(x[i]), rint(y[i])
    return int(whole)
