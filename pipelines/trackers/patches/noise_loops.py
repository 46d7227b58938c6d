"""How noise is correlated beside a reference (`reference_noise.autocovariance`) as a loop, a window at a time."""

from __future__ import annotations

from kernels.host.loops import F64, I64, PIXELS, at, eight, loop, put, vec

FAR = 3  # px over which noise is correlated at most (a 0.7 px Gaussian's is over 2)
SIDE, ROUNDS, SEEN = 7, 3, 6
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
    s, t, u, v = eight(0.0), eight(0.0), eight(0.0), eight(0.0)  # four sums: else each waits for the one before
    whole = count - count % 32
    for k in range(0, whole, 32):
        s += vec(a, k) * vec(b, k)
        t += vec(a, k + 8) * vec(b, k + 8)
        u += vec(a, k + 16) * vec(b, k + 16)
        v += vec(a, k + 24) * vec(b, k + 24)
    for k in range(whole, count, 8):
        s += vec(a, k) * vec(b, k)
    put(work, LANES, (s + t) + (u + v))
    return float(total(work))


@loop
def solved(gram: F64, right: F64, found: F64) -> int:
    """Least squares of SEEN columns; those that say nothing beside the ones before get 0. The matrix is used up."""
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
    s = at(work, STENCIL)
    s[4] = found[0] - 2.0 * found[3] - 2.0 * found[4]
    s[5], s[3] = found[1] + found[3], found[3] - found[1]
    s[7], s[1] = found[2] + found[4], found[4] - found[2]
    s[0], s[8], s[2], s[6] = found[5], found[5], 0.0 - found[5], 0.0 - found[5]
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
        put(work, PLANE + k, eight(0.0))
    for r in range(SIDE):
        for c in range(SIDE):
            work[PLANE + (r + 2) * 16 + c + 2] = seen[r * SIDE + c] / (1.0 + power)
    for _ in range(ROUNDS):
        for r in range(SIDE):
            mixed = eight(0.0)
            for dy in range(5):
                for dx in range(5):
                    mixed += vec(work, PLANE + (r + 4 - dy) * 16 + 4 - dx) * work[TWICE + dy * 5 + dx]
            put(work, MIXED + r * 8, mixed)
        for r in range(SIDE):
            for c in range(SIDE):
                work[PLANE + (r + 2) * 16 + c + 2] = (seen[r * SIDE + c] - work[MIXED + r * 8 + c]) / (1.0 + power)
    for r in range(SIDE):
        for c in range(SIDE):
            seen[r * SIDE + c] = work[PLANE + (r + 2) * 16 + c + 2]
    return 0


@loop
def noise_seen(image: PIXELS, height: int, width: int, which: I64, count: int, x: I64, y: I64, tiles: F64, window: int,
               blocks: int, margin: int, mask: F64, out: F64, work: F64) -> int:  # fmt: skip
    """The autocovariances of what is left of windows beside their references.

    Args:
        which: the tiles of `count` points; x, y: the pixels at their windows' centres now, which lie in the picture
            with their windows or are continued by its edge.
        tiles: (all, window + 2 margin, window + 2 margin).
        mask: as `response.masks`.
        out: (count, SIDE, SIDE).
        work: MAPS + 8 (window + 3) (blocks + 2) + 7 * 8 * window * blocks values.
    """
    size, half, part = window + 2 * margin, window // 2, window * blocks * 8
    pitch = 8 * (blocks + 2)
    area = float(window * window)
    maps, left, lags = at(work, MAPS), at(work, MAPS + 7 * part), at(work, MIXED)
    for n in range(count):
        tile = at(tiles, which[n] * size * size)
        for r in range(window):
            line = min(max(y[n] - half + r, 0), height - 1) * width
            begin = x[n] - half
            for b in range(blocks):
                c = min(8 * b, window - 8)
                k, o = (margin + r) * size + margin + c, (r * blocks + b) * 8
                f = vec(tile, k)
                e, w = vec(tile, k + 1), vec(tile, k - 1)
                s, m = vec(tile, k + size), vec(tile, k - size)
                put(maps, o, f)
                put(maps, part + o, e - w)
                put(maps, 2 * part + o, s - m)
                put(maps, 3 * part + o, e - f * 2.0 + w)
                put(maps, 4 * part + o, s - f * 2.0 + m)
                put(maps, 5 * part + o, vec(tile, k + size + 1) - vec(tile, k - size + 1) - vec(tile, k + size - 1)
                    + vec(tile, k - size - 1))  # fmt: skip
                if begin + c >= 0 and begin + c + 8 <= width:
                    put(maps, 6 * part + o, vec(image, line + begin + c))
                else:
                    for j in range(8):
                        maps[6 * part + o + j] = float(image[line + min(max(begin + c + j, 0), width - 1)])
        for p in range(7):  # less their means, each pixel once
            one = at(maps, p * part)
            added = eight(0.0)
            for r in range(window):
                for b in range(blocks):
                    added += vec(one, (r * blocks + b) * 8) * vec(mask, 8 * b)
            put(work, LANES, added)
            mean = total(work) / area
            for r in range(window):
                for b in range(blocks):
                    o = (r * blocks + b) * 8
                    put(one, o, (vec(one, o) - mean) * vec(mask, 8 * b))
        for p in range(SEEN):
            for q in range(p, SEEN):
                work[GRAM + p * SEEN + q] = dot(at(maps, p * part), at(maps, q * part), part, work)
                work[GRAM + q * SEEN + p] = work[GRAM + p * SEEN + q]
            work[RIGHT + p] = dot(at(maps, p * part), at(maps, 6 * part), part, work)
        solved(at(work, GRAM), at(work, RIGHT), at(work, FOUND))
        for k in range(0, pitch * (window + 3), 8):
            put(left, k, eight(0.0))
        c0, c1, c2 = eight(work[FOUND]), eight(work[FOUND + 1]), eight(work[FOUND + 2])
        c3, c4, c5 = eight(work[FOUND + 3]), eight(work[FOUND + 4]), eight(work[FOUND + 5])
        for r in range(window):
            for b in range(blocks):
                o = (r * blocks + b) * 8
                k = 8 + r * pitch + min(8 * b, window - 8)
                v = vec(maps, 6 * part + o) - vec(maps, o) * c0 - vec(maps, part + o) * c1
                v = v - vec(maps, 2 * part + o) * c2 - vec(maps, 3 * part + o) * c3
                v = v - vec(maps, 4 * part + o) * c4 - vec(maps, 5 * part + o) * c5
                put(left, k, vec(left, k) + v)  # what stands in two blocks is 0 in one of them
        mine = at(out, n * SIDE * SIDE)
        for dy in range(FAR + 1):
            s0, s1, s2, s3 = eight(0.0), eight(0.0), eight(0.0), eight(0.0)
            s4, s5, s6 = eight(0.0), eight(0.0), eight(0.0)
            for r in range(window - dy):
                for c in range(8, 8 * blocks + 8, 8):
                    v, k = vec(left, r * pitch + c), (r + dy) * pitch + c - FAR
                    s0 += v * vec(left, k)
                    s1 += v * vec(left, k + 1)
                    s2 += v * vec(left, k + 2)
                    s3 += v * vec(left, k + 3)
                    s4 += v * vec(left, k + 4)
                    s5 += v * vec(left, k + 5)
                    s6 += v * vec(left, k + 6)
            put(lags, 0, s0)
            put(lags, 8, s1)
            put(lags, 16, s2)
            put(lags, 24, s3)
            put(lags, 32, s4)
            put(lags, 40, s5)
            put(lags, 48, s6)
            for k in range(SIDE):
                one = total(at(lags, 8 * k)) / float((window - dy) * (window - max(k - FAR, FAR - k)))
                mine[(FAR + dy) * SIDE + k] = one
                mine[(FAR - dy) * SIDE + SIDE - 1 - k] = one
        of_frames(mine, at(work, FOUND), work)
    return 0
