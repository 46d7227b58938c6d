"""The work of `pipelines.trackers.patches.fit` as loops: the operations of its NumPy functions, in their order.

A window is w rows of `pitch` values (a multiple of eight). A tile is a window with EDGE px more on each side, its rows
`across` values apart. A block is what is cut from the picture around a window.
"""

from __future__ import annotations

from kernels.host.loops import F64, I64, PIXELS, at, eight, floor, loop, put, rint, sqrt, vec
from pipelines.trackers.patches.taps import SLOPE1, SLOPE2, SLOPE3
from pipelines.trackers.patches.window_loops import across_of, block_of, lanes, taps_of

REACH = 2  # px within which a window moves in a block; beyond, a new block is cut
SPAN = 2 * REACH + 7  # rows and columns that a block has more than a window
LONGEST = 1.0  # px of a step; a longer one leaves the linear range
FLAT = 1e-3  # a smaller ratio of the normal matrix' eigenvalues means texture along one direction only
FAINT = 1e-6  # of the largest value; a window whose deviation is smaller is constant


@loop
def invert(p: int, matrix: F64, least: F64, work: F64) -> int:
    """Sweep a symmetric matrix to its inverse; a parameter whose pivot is not above `least` is held at 0."""
    for k in range(p):
        pivot = matrix[k * p + k]
        if pivot > least[k]:
            for j in range(p):
                work[j] = matrix[k * p + j] / pivot
            for i in range(p):
                if i != k:
                    factor = matrix[i * p + k]
                    for j in range(p):
                        matrix[i * p + j] = matrix[i * p + j] - factor * work[j]
                    matrix[i * p + k] = 0.0 - factor / pivot
            for j in range(p):
                matrix[k * p + j] = work[j]
            matrix[k * p + k] = 1.0 / pivot
            work[p + k] = 1.0
        else:
            work[p + k] = 0.0
    for k in range(p):
        if work[p + k] == 0.0:
            for j in range(p):
                matrix[k * p + j] = 0.0
                matrix[j * p + k] = 0.0
    return 0


@loop
def prepare(tiles: F64, count: int, which: I64, w: int, pitch: int, across: int, p: int, mask: F64, lever: F64,
            pixels: F64, norm: F64, jacobian: F64, inverse: F64, textured: I64, work: F64) -> int:  # fmt: skip
    """References of windows (`fit.prepare`): tile n goes to row which[n]. `lever`: place in the window, -1..1."""
    area = w * pitch
    size = float(w * w)
    for n in range(count):
        i = which[n]
        tile, f, jac = n * (w + 6) * across, i * area, i * p * area
        for c in range(0, pitch, 8):
            s, most = eight(0.0), eight(0.0)
            for r in range(w):
                v = vec(tiles, tile + (r + 3) * across + c + 3) * vec(mask, c)
                s += v
                most = max(most, abs(v))
            put(work, c, s)
            put(work, pitch + 8 + c, most)
        lanes(work, pitch)
        mean = work[pitch] / size
        largest = 0.0
        for c in range(pitch):
            largest = max(largest, work[pitch + 8 + c])
        for c in range(0, pitch, 8):
            s = eight(0.0)
            lx = vec(lever, c)
            for r in range(w):
                k = tile + (r + 3) * across + c + 3
                m = vec(mask, c)
                v = (vec(tiles, k) - mean) * m
                put(pixels, f + r * pitch + c, v)
                s += v * v
                g = (vec(tiles, k + 1) - vec(tiles, k - 1)) * SLOPE1
                g = g + (vec(tiles, k + 2) - vec(tiles, k - 2)) * SLOPE2
                g = (g + (vec(tiles, k + 3) - vec(tiles, k - 3)) * SLOPE3) * m
                h = (vec(tiles, k + across) - vec(tiles, k - across)) * SLOPE1
                h = h + (vec(tiles, k + 2 * across) - vec(tiles, k - 2 * across)) * SLOPE2
                h = (h + (vec(tiles, k + 3 * across) - vec(tiles, k - 3 * across)) * SLOPE3) * m
                o = jac + r * pitch + c
                put(jacobian, o, g)
                put(jacobian, o + area, h)
                if p == 6:
                    ly = lever[r]
                    put(jacobian, o + 2 * area, g * lx)
                    put(jacobian, o + 3 * area, g * ly)
                    put(jacobian, o + 4 * area, h * lx)
                    put(jacobian, o + 5 * area, h * ly)
                if p == 3:
                    put(jacobian, o + 2 * area, h * lx - g * lever[r])
            put(work, c, s)
        lanes(work, pitch)
        squares = work[pitch]
        norm[i] = sqrt(squares)
        alive = norm[i] > FAINT * largest * float(w) and squares > 0.0
        share = squares if alive else 1.0
        for q in range(p):
            o = jac + q * area
            for c in range(0, pitch, 8):
                s, t = eight(0.0), eight(0.0)
                for r in range(w):
                    v = vec(jacobian, o + r * pitch + c)
                    s += v
                    t += v * vec(pixels, f + r * pitch + c)
                put(work, c, s)
                put(work, pitch + 8 + c, t)
            lanes(work, pitch)
            lanes(at(work, pitch + 8), pitch)
            middle, part = work[pitch] / size, work[2 * pitch + 8] / share
            for c in range(0, pitch, 8):
                m = vec(mask, c)
                for r in range(w):
                    k = r * pitch + c
                    put(jacobian, o + k, (vec(jacobian, o + k) - middle - vec(pixels, f + k) * part) * m)
        square = i * p * p
        for q in range(p):
            for u in range(q, p):
                for c in range(0, pitch, 8):
                    s = eight(0.0)
                    for r in range(w):
                        k = jac + r * pitch + c
                        s += vec(jacobian, k + q * area) * vec(jacobian, k + u * area)
                    put(work, c, s)
                lanes(work, pitch)
                inverse[square + q * p + u] = work[pitch]
                inverse[square + u * p + q] = work[pitch]
        a, b, d = inverse[square], inverse[square + 1], inverse[square + p + 1]
        root = sqrt(0.25 * (a - d) * (a - d) + b * b)
        low, high = 0.5 * (a + d) - root, 0.5 * (a + d) + root
        if alive and low > FLAT * high:
            textured[i] = 1
            for q in range(p):
                work[2 * p + q] = FLAT * inverse[square + q * p + q]
            invert(p, at(inverse, square), at(work, 2 * p), work)
        else:
            textured[i] = 0
            for q in range(p * p):
                inverse[square + q] = 0.0
    return 0


@loop
def fit(image: PIXELS, height: int, width: int, which: I64, count: int, w: int, pitch: int, p: int, mask: F64,
        table: F64, slot: I64, pixels: F64, norm: F64, jacobian: F64, inverse: F64, textured: I64, reach: float,
        steps: int, settled: float, x: F64, y: F64, bend: F64, score: F64, phase: F64, rest: F64,
        converged: I64, work: F64) -> int:  # fmt: skip
    """Find windows near their starts (`fit.fitted`): x, y, bend (4 a row), score, phase, rest, converged."""
    area = w * pitch
    size = float(w * w)
    half = w // 2
    rows = w + SPAN
    across = pitch + 16
    tmp = 64 + rows * across  # 0: taps; 16: step; 32: block after 64
    for n in range(count):
        i = which[n]
        own = slot[i]
        converged[i] = 0
        score[i] = 0.0
        x0, y0 = x[i], y[i]
        f, jac, square = own * area, own * p * area, own * p * p
        cx, cy = 0.0, 0.0
        there = 0
        if textured[own]:
            for _ in range(steps):
                if not there or abs(x[i] - cx) > float(REACH) or abs(y[i] - cy) > float(REACH):
                    cx, cy = rint(x[i]), rint(y[i])
                    there = 1
                    block_of(image, height, width, int(cx) - half - REACH - 3, int(cy) - half - REACH - 3, rows, across,
                             at(work, 64))  # fmt: skip
                dx, dy = x[i] - cx, y[i] - cy
                kx, ky = floor(dx), floor(dy)
                taps_of(dx - kx, table, work)
                taps_of(dy - ky, table, at(work, 8))
                from_ = (int(ky) + REACH) * across + int(kx) + REACH
                # Rows are filtered along x as they are needed along y, and seven of them kept: not written, read again.
                across_of(at(work, 64), from_, across, 7, pitch, work, at(work, tmp))
                h0, h1, h2, h3 = eight(work[0]), eight(work[1]), eight(work[2]), eight(work[3])
                h4, h5, h6, h7 = eight(work[4]), eight(work[5]), eight(work[6]), eight(work[7])
                w0, w1, w2, w3 = eight(work[8]), eight(work[9]), eight(work[10]), eight(work[11])
                w4, w5, w6, w7 = eight(work[12]), eight(work[13]), eight(work[14]), eight(work[15])
                sums = tmp + (w + 7) * pitch
                lane = pitch + 8
                for c in range(0, pitch, 8):
                    s, t, u, a, b = eight(0.0), eight(0.0), eight(0.0), eight(0.0), eight(0.0)
                    d2, d3, d4, d5 = eight(0.0), eight(0.0), eight(0.0), eight(0.0)
                    m = vec(mask, c)
                    k = tmp + c
                    r0, r1, r2 = vec(work, k), vec(work, k + pitch), vec(work, k + 2 * pitch)
                    r3, r4, r5 = vec(work, k + 3 * pitch), vec(work, k + 4 * pitch), vec(work, k + 5 * pitch)
                    r6 = vec(work, k + 6 * pitch)
                    for r in range(w):
                        k = 64 + from_ + (r + 7) * across + c
                        r7 = vec(work, k) * h0 + vec(work, k + 1) * h1
                        r7 = r7 + vec(work, k + 2) * h2
                        r7 = r7 + vec(work, k + 3) * h3
                        r7 = r7 + vec(work, k + 4) * h4
                        r7 = r7 + vec(work, k + 5) * h5
                        r7 = r7 + vec(work, k + 6) * h6
                        r7 = r7 + vec(work, k + 7) * h7
                        g = r0 * w0 + r1 * w1
                        g = g + r2 * w2
                        g = g + r3 * w3
                        g = g + r4 * w4
                        g = g + r5 * w5
                        g = g + r6 * w6
                        g = g + r7 * w7
                        r0, r1, r2, r3, r4, r5, r6 = r1, r2, r3, r4, r5, r6, r7
                        k = r * pitch + c
                        s += g
                        t += g * g
                        u += g * vec(pixels, f + k)
                        k += jac
                        a += g * vec(jacobian, k)
                        b += g * vec(jacobian, k + area)
                        if p > 2:
                            d2 += g * vec(jacobian, k + 2 * area)
                        if p == 6:
                            d3 += g * vec(jacobian, k + 3 * area)
                            d4 += g * vec(jacobian, k + 4 * area)
                            d5 += g * vec(jacobian, k + 5 * area)
                    put(work, sums + c, s * m)  # the columns beside the window end here
                    put(work, sums + lane + c, t * m)
                    put(work, sums + 2 * lane + c, u)
                    put(work, sums + 3 * lane + c, a)
                    put(work, sums + 4 * lane + c, b)
                    if p > 2:
                        put(work, sums + 5 * lane + c, d2)
                    if p == 6:
                        put(work, sums + 6 * lane + c, d3)
                        put(work, sums + 7 * lane + c, d4)
                        put(work, sums + 8 * lane + c, d5)
                for q in range(p + 3):
                    lanes(at(work, sums + q * lane), pitch)
                total = work[sums + pitch]
                squares = work[sums + lane + pitch] - total * total / size
                if not squares > 0.0:
                    score[i] = 0.0
                    break
                gain = norm[own] / sqrt(squares)
                score[i] = work[sums + 2 * lane + pitch] * gain / (norm[own] * norm[own])
                left_over = norm[own] * norm[own] * (1.0 - score[i] * score[i])
                for q in range(p):
                    step = 0.0
                    for o in range(p):
                        step += inverse[square + q * p + o] * work[sums + (3 + o) * lane + pitch]
                    work[16 + q] = step * gain
                    left_over = left_over - work[16 + q] * (work[sums + (3 + q) * lane + pitch] * gain)
                rest[i] = left_over
                long = sqrt(work[16] * work[16] + work[17] * work[17])
                scale = LONGEST / long if long > LONGEST else 1.0
                x[i] = x[i] - work[16] * scale
                y[i] = y[i] - work[17] * scale
                if p == 6:
                    for q in range(4):
                        bend[4 * i + q] = work[18 + q]
                if p == 3:
                    bend[4 * i + 1] = 0.0 - work[18]
                    bend[4 * i + 2] = work[18]
                tx, ty = 0.0, 0.0
                for q in range(8):
                    tx += work[q] * work[q]
                    ty += work[8 + q] * work[8 + q]
                phase[i] = tx * ty
                if not (abs(x[i] - x0) <= reach and abs(y[i] - y0) <= reach):
                    break
                if long < settled:
                    converged[i] = 1
                    break
    return 0
