"""How noise is correlated beside a reference, as a loop, a window at a time."""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, load, loop, splat, store
from pipelines.trackers.registration.windows.structs import Blocks, Chosen, Picture

FAR = 3  # px over which noise is correlated at most (a 0.7 px Gaussian's is over 2)
SIDE, ROUNDS, SEEN = 7, 3, 6
MIDDLE = FAR * SIDE + FAR  # of SIDE x SIDE, no shift at all
LEAST = 1e-13  # share of a column's power that is left beside the others below which it says nothing new
# Scratch memory: sums of eight, the normal matrix and its right side, the stencil, the coefficients, the
# autocovariances with room around, then maps.
LANES, GRAM, RIGHT, FOUND, STENCIL, TWICE, PLANE, MIXED, MAPS = 0, 8, 44, 50, 56, 66, 96, 320, 544


@loop
def total(work: F64) -> float:
    """The sum of the first eight."""
    return float(((work[0] + work[1]) + (work[2] + work[3])) + ((work[4] + work[5]) + (work[6] + work[7])))


@loop
def dot(a: F64, b: F64, count: int, work: F64) -> float:
    """The sum of products of `count` values, a multiple of eight."""
    s, t, u, v = splat(0.0), splat(0.0), splat(0.0), splat(0.0)  # four sums: else each waits for the one before
    whole = count - count % 32
    for k in range(0, whole, 32):
        s += load(a, k) * load(b, k)
        t += load(a, k + 8) * load(b, k + 8)
        u += load(a, k + 16) * load(b, k + 16)
        v += load(a, k + 24) * load(b, k + 24)
    for k in range(whole, count, 8):
        s += load(a, k) * load(b, k)
    store(work, LANES, (s + t) + (u + v))
    return float(total(work))


@loop
def solved(gram: F64, right: F64, found: F64) -> int:
    """Least squares of SEEN columns by Gaussian elimination; columns that depend on the ones before get 0. The matrix
    is overwritten."""
    # `found` first holds the diagonal as it was: a pivot is compared with its own column's power.
    for k in range(SEEN):
        found[k] = gram[k * SEEN + k]
    for k in range(SEEN):
        pivot = gram[k * SEEN + k]
        if pivot > found[k] * LEAST:
            for i in range(k + 1, SEEN):
                ratio = gram[i * SEEN + k] / pivot
                for j in range(k + 1, SEEN):
                    gram[i * SEEN + j] = gram[i * SEEN + j] - ratio * gram[k * SEEN + j]
                right[i] = right[i] - ratio * right[k]
        else:
            gram[k * SEEN + k] = 0.0
    # Back substitution; a column without a pivot gets 0.
    for m in range(SEEN):
        k = SEEN - 1 - m
        one = right[k]
        for j in range(k + 1, SEEN):
            one = one - gram[k * SEEN + j] * found[j]
        if gram[k * SEEN + k] > 0.0:
            found[k] = one / gram[k * SEEN + k]
        else:
            found[k] = 0.0
    return 0


@loop
def of_frames(seen: F64, found: F64, work: F64) -> int:
    """The frames' autocovariance from that of what is left, SIDE x SIDE, in place.

    It is that of g - t * f, where the stencil t brings the noisy reference f to g: c + c * (t * t), of which the second
    part is taken off in three rounds: t * t is near a multiple of 1.
    """
    # The stencil that light, slopes and second differences with these factors are.
    s = at(work, STENCIL)
    s[4] = found[0] - 2.0 * found[3] - 2.0 * found[4]
    s[5], s[3] = found[1] + found[3], found[3] - found[1]
    s[7], s[1] = found[2] + found[4], found[4] - found[2]
    s[0], s[8], s[2], s[6] = found[5], found[5], 0.0 - found[5], 0.0 - found[5]
    # Its autocorrelation, over 5 x 5 lags: what the reference's noise adds at each.
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            one = 0.0
            for r in range(max(dy, 0), 3 + min(dy, 0)):
                for c in range(max(dx, 0), 3 + min(dx, 0)):
                    one += s[r * 3 + c] * s[(r - dy) * 3 + c - dx]
            work[TWICE + (dy + 2) * 5 + dx + 2] = one
    power = work[TWICE + 12]
    work[TWICE + 12] = 0.0
    for k in range(0, 2 * (MIXED - PLANE), 8):
        store(work, PLANE + k, splat(0.0))
    for r in range(SIDE):
        for c in range(SIDE):
            work[PLANE + (r + 2) * 16 + c + 2] = seen[r * SIDE + c] / (1.0 + power)
    # Fixed-point iteration of c (1 + power) = seen - (t * t without its middle) * c.
    for _ in range(ROUNDS):
        for r in range(SIDE):
            mixed = splat(0.0)
            for dy in range(5):
                for dx in range(5):
                    mixed += load(work, PLANE + (r + 4 - dy) * 16 + 4 - dx) * work[TWICE + dy * 5 + dx]
            store(work, MIXED + r * 8, mixed)
        for r in range(SIDE):
            for c in range(SIDE):
                work[PLANE + (r + 2) * 16 + c + 2] = (seen[r * SIDE + c] - work[MIXED + r * 8 + c]) / (1.0 + power)
    for r in range(SIDE):
        for c in range(SIDE):
            seen[r * SIDE + c] = work[PLANE + (r + 2) * 16 + c + 2]
    return 0


@loop
def noise_seen(picture: Picture, chosen: Chosen, x: I64, y: I64, tiles: F64, grid: Blocks, out: F64, work: F64) -> int:
    """The autocovariances of what is left of windows beside their references.

    Args:
        chosen: the tiles of some points; x, y: the pixels at their windows' centres now, which lie in the picture
            with their windows or are continued by its edge.
        tiles: (all, window + 2 margin, window + 2 margin).
        out: (count, SIDE, SIDE).
        work: MAPS + 8 (window + 3) (blocks + 2) + 7 * 8 * window * blocks values.
    """
    height, width, window, blocks, margin = picture.height, picture.width, grid.window, grid.blocks, grid.margin
    size, half, part = window + 2 * margin, window // 2, window * blocks * 8
    pitch = 8 * (blocks + 2)
    area = float(window * window)
    maps, left, lags = at(work, MAPS), at(work, MAPS + 7 * part), at(work, MIXED)
    for n in range(chosen.count):
        tile = at(tiles, chosen.which[n] * size * size)
        for r in range(window):
            # Beyond the edge of the picture its outermost pixels go on.
            line = min(max(y[n] - half + r, 0), height - 1) * width
            begin = x[n] - half
            for b in range(blocks):
                # The last block of a row overlaps the one before where the window is no multiple of eight; the mask
                # counts each pixel once.
                c = min(8 * b, window - 8)
                k, o = (margin + r) * size + margin + c, (r * blocks + b) * 8
                f = load(tile, k)
                e, w = load(tile, k + 1), load(tile, k - 1)
                s, m = load(tile, k + size), load(tile, k - size)
                # A frame is modelled as the reference's Taylor series to second order: light, two slopes, three second
                # differences; what is left is noise.
                store(maps, o, f)
                store(maps, part + o, e - w)
                store(maps, 2 * part + o, s - m)
                store(maps, 3 * part + o, e - f * 2.0 + w)
                store(maps, 4 * part + o, s - f * 2.0 + m)
                store(maps, 5 * part + o, load(tile, k + size + 1) - load(tile, k - size + 1) - load(tile, k + size - 1)
                    + load(tile, k - size - 1))  # fmt: skip
                if begin + c >= 0 and begin + c + 8 <= width:
                    store(maps, 6 * part + o, load(picture.image, line + begin + c))
                else:
                    for j in range(8):
                        maps[6 * part + o + j] = float(picture.image[line + min(max(begin + c + j, 0), width - 1)])
        for p in range(7):  # less their means, each pixel once
            one = at(maps, p * part)
            added = splat(0.0)
            for r in range(window):
                for b in range(blocks):
                    added += load(one, (r * blocks + b) * 8) * load(grid.mask, 8 * b)
            store(work, LANES, added)
            mean = total(work) / area
            for r in range(window):
                for b in range(blocks):
                    o = (r * blocks + b) * 8
                    store(one, o, (load(one, o) - mean) * load(grid.mask, 8 * b))
        # Normal equations of the six maps; the frame's own map is the seventh.
        for p in range(SEEN):
            for q in range(p, SEEN):
                work[GRAM + p * SEEN + q] = dot(at(maps, p * part), at(maps, q * part), part, work)
                work[GRAM + q * SEEN + p] = work[GRAM + p * SEEN + q]
            work[RIGHT + p] = dot(at(maps, p * part), at(maps, 6 * part), part, work)
        solved(at(work, GRAM), at(work, RIGHT), at(work, FOUND))
        # Eight columns of zeros on both sides and rows of zeros behind, so that lags may read beyond the window.
        for k in range(0, pitch * (window + 3), 8):
            store(left, k, splat(0.0))
        c0, c1, c2 = splat(work[FOUND]), splat(work[FOUND + 1]), splat(work[FOUND + 2])
        c3, c4, c5 = splat(work[FOUND + 3]), splat(work[FOUND + 4]), splat(work[FOUND + 5])
        for r in range(window):
            for b in range(blocks):
                o = (r * blocks + b) * 8
                k = 8 + r * pitch + min(8 * b, window - 8)
                v = load(maps, 6 * part + o) - load(maps, o) * c0 - load(maps, part + o) * c1
                v = v - load(maps, 2 * part + o) * c2 - load(maps, 3 * part + o) * c3
                v = v - load(maps, 4 * part + o) * c4 - load(maps, 5 * part + o) * c5
                store(left, k, load(left, k) + v)  # a pixel that is in two blocks is 0 in one of them
        mine = at(out, n * SIDE * SIDE)
        for dy in range(FAR + 1):
            s0, s1, s2, s3 = splat(0.0), splat(0.0), splat(0.0), splat(0.0)
            s4, s5, s6 = splat(0.0), splat(0.0), splat(0.0)
            for r in range(window - dy):
                for c in range(8, 8 * blocks + 8, 8):
                    # Seven shifted loads for the lags -FAR to FAR in one pass.
                    v, k = load(left, r * pitch + c), (r + dy) * pitch + c - FAR
                    s0 += v * load(left, k)
                    s1 += v * load(left, k + 1)
                    s2 += v * load(left, k + 2)
                    s3 += v * load(left, k + 3)
                    s4 += v * load(left, k + 4)
                    s5 += v * load(left, k + 5)
                    s6 += v * load(left, k + 6)
            store(lags, 0, s0)
            store(lags, 8, s1)
            store(lags, 16, s2)
            store(lags, 24, s3)
            store(lags, 32, s4)
            store(lags, 40, s5)
            store(lags, 48, s6)
            for k in range(SIDE):
                # Divided by the number of pairs, the estimate is free of bias; the other half of the lags is the mirror
                # image.
                one = total(at(lags, 8 * k)) / float((window - dy) * (window - max(k - FAR, FAR - k)))
                mine[(FAR + dy) * SIDE + k] = one
                mine[(FAR - dy) * SIDE + SIDE - 1 - k] = one
        of_frames(mine, at(work, FOUND), work)
    return 0
