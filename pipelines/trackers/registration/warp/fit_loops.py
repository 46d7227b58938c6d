"""The work of `pipelines.trackers.registration.warp.fit` as loops. `tests/oracles/registration.py` has the same
operations in the same order in NumPy.

A window is w rows of `pitch` values (a multiple of eight). A tile is a window with EDGE px more on each side, its rows
`across` values apart. A block is what is cut from the picture around a window.
"""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, floor, load, loop, rint, splat, sqrt, store
from pipelines.trackers.registration.warp.structs import Criteria, Fit
from pipelines.trackers.registration.windows.structs import Picture, Templates
from pipelines.trackers.registration.windows.taps import SLOPE1, SLOPE2, SLOPE3
from pipelines.trackers.registration.windows.window_loops import across_of, block_of, lanes, taps_of

REACH = 2  # px within which a window moves in a block; beyond, a new block is cut
SPAN = 2 * REACH + 7  # rows and columns that a block has more than a window
LONGEST = 1.0  # px of a step; a longer one leaves the linear range
FLAT = 1e-3  # a smaller ratio of the normal matrix' eigenvalues means texture along one direction only
FAINT = 1e-6  # of the largest value; a window whose deviation is smaller is constant


@loop
def invert(p: int, matrix: F64, least: F64, work: F64) -> int:
    """Sweep a symmetric matrix to its inverse; a parameter whose pivot is not above `least` is held at 0."""
    # The sweep operator (Goodnight, Am. Statist. 33, 149, 1979): p sweeps turn a symmetric matrix into its inverse in
    # place. A pivot that is not above `least` belongs to a parameter that the texture does not show; it is left out of
    # all others and set to 0 at the end.
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
def prepare(tiles: F64, count: int, which: I64, across: int, refs: Templates, work: F64) -> int:
    """References of windows (`fit.prepare`): tile n, of rows of `across` values, goes to slot which[n]."""
    w, pitch, p = refs.w, refs.pitch, refs.p
    area = w * pitch
    size = float(w * w)
    for n in range(count):
        i = which[n]
        tile, f, jac = n * (w + 6) * across, i * area, i * p * area
        # Eight columns at a time, rows within: each sum is that of a column, and `lanes` adds columns in their order.
        # So bits do not depend on how wide a processor's vectors are.
        for c in range(0, pitch, 8):
            s, most = splat(0.0), splat(0.0)
            for r in range(w):
                v = load(tiles, tile + (r + 3) * across + c + 3) * load(refs.mask, c)
                s += v
                most = max(most, abs(v))
            store(work, c, s)
            store(work, pitch + 8 + c, most)
        lanes(work, pitch)
        mean = work[pitch] / size
        largest = 0.0
        for c in range(pitch):
            largest = max(largest, work[pitch + 8 + c])
        for c in range(0, pitch, 8):
            s = splat(0.0)
            lx = load(refs.lever, c)
            for r in range(w):
                k = tile + (r + 3) * across + c + 3
                m = load(refs.mask, c)
                v = (load(tiles, k) - mean) * m
                store(refs.pixels, f + r * pitch + c, v)
                s += v * v
                # The slope at a pixel, seven points along x and along y, hence EDGE px around the window.
                g = (load(tiles, k + 1) - load(tiles, k - 1)) * SLOPE1
                g = g + (load(tiles, k + 2) - load(tiles, k - 2)) * SLOPE2
                g = (g + (load(tiles, k + 3) - load(tiles, k - 3)) * SLOPE3) * m
                h = (load(tiles, k + across) - load(tiles, k - across)) * SLOPE1
                h = h + (load(tiles, k + 2 * across) - load(tiles, k - 2 * across)) * SLOPE2
                h = (h + (load(tiles, k + 3 * across) - load(tiles, k - 3 * across)) * SLOPE3) * m
                o = jac + r * pitch + c
                store(refs.jacobian, o, g)
                store(refs.jacobian, o + area, h)
                # Parameters in the order du/dx, du/dy, dv/dx, dv/dy; levers are -1..1 across the window, so that all
                # are px at its edge.
                if p == 6:
                    ly = refs.lever[r]
                    store(refs.jacobian, o + 2 * area, g * lx)
                    store(refs.jacobian, o + 3 * area, g * ly)
                    store(refs.jacobian, o + 4 * area, h * lx)
                    store(refs.jacobian, o + 5 * area, h * ly)
                # A rotation by a small angle moves (x, y) by (-y, x): one column in place of four.
                if p == 3:
                    store(refs.jacobian, o + 2 * area, h * lx - g * refs.lever[r])
            store(work, c, s)
        lanes(work, pitch)
        squares = work[pitch]
        refs.norm[i] = sqrt(squares)
        # FAINT is in units of the largest value: below it the deviation from the mean is rounding.
        alive = refs.norm[i] > FAINT * largest * float(w) and squares > 0.0
        share = squares if alive else 1.0
        for q in range(p):
            o = jac + q * area
            for c in range(0, pitch, 8):
                s, t = splat(0.0), splat(0.0)
                for r in range(w):
                    v = load(refs.jacobian, o + r * pitch + c)
                    s += v
                    t += v * load(refs.pixels, f + r * pitch + c)
                store(work, c, s)
                store(work, pitch + 8 + c, t)
            lanes(work, pitch)
            lanes(at(work, pitch + 8), pitch)
            # Gain and bias are eliminated: the Jacobian is made orthogonal to 1 (its mean goes) and to f (its
            # projection goes). A step is then J' g alone, whatever light a frame has.
            middle, part = work[pitch] / size, work[2 * pitch + 8] / share
            for c in range(0, pitch, 8):
                m = load(refs.mask, c)
                for r in range(w):
                    k = r * pitch + c
                    store(refs.jacobian, o + k,
                          (load(refs.jacobian, o + k) - middle - load(refs.pixels, f + k) * part) * m)  # fmt: skip
        # The normal matrix J'J goes where its inverse will be; it is symmetric, so that half of it is summed.
        square = i * p * p
        for q in range(p):
            for u in range(q, p):
                for c in range(0, pitch, 8):
                    s = splat(0.0)
                    for r in range(w):
                        k = jac + r * pitch + c
                        s += load(refs.jacobian, k + q * area) * load(refs.jacobian, k + u * area)
                    store(work, c, s)
                lanes(work, pitch)
                refs.inverse[square + q * p + u] = work[pitch]
                refs.inverse[square + u * p + q] = work[pitch]
        # The gradient tensor of the two shifts: its eigenvalues say whether the texture shows a motion in both
        # directions.
        a, b, d = refs.inverse[square], refs.inverse[square + 1], refs.inverse[square + p + 1]
        root = sqrt(0.25 * (a - d) * (a - d) + b * b)
        low, high = 0.5 * (a + d) - root, 0.5 * (a + d) + root
        if alive and low > FLAT * high:
            refs.textured[i] = 1
            for q in range(p):
                # A deformation's parameter counts as not shown where elimination leaves less than FLAT of its own
                # power.
                work[2 * p + q] = FLAT * refs.inverse[square + q * p + q]
            invert(p, at(refs.inverse, square), at(work, 2 * p), work)
        else:
            refs.textured[i] = 0
            for q in range(p * p):
                refs.inverse[square + q] = 0.0
    return 0


@loop
def fit(
    picture: Picture, which: I64, count: int, slot: I64, refs: Templates, criteria: Criteria, fits: Fit, work: F64
) -> int:
    """Find some windows near their starts, x and y of `fits` (`fit.fitted`). `slot`: of all windows."""
    w, pitch, p = refs.w, refs.pitch, refs.p
    area = w * pitch
    size = float(w * w)
    half = w // 2
    rows = w + SPAN
    across = pitch + 16
    tmp = 64 + rows * across  # 0: taps; 16: step; 32: block after 64
    for n in range(count):
        i = which[n]
        own = slot[i]
        fits.converged[i] = 0
        fits.score[i] = 0.0
        x0, y0 = fits.x[i], fits.y[i]
        f, jac, square = own * area, own * p * area, own * p * p
        # (cx, cy) is the pixel that the block is cut around; `there` says whether there is one yet.
        cx, cy = 0.0, 0.0
        there = 0
        if refs.textured[own]:
            for _ in range(criteria.steps):
                # A block serves all steps of most fits: it is cut anew only where the window has moved out of it.
                if not there or abs(fits.x[i] - cx) > float(REACH) or abs(fits.y[i] - cy) > float(REACH):
                    cx, cy = rint(fits.x[i]), rint(fits.y[i])
                    # Seven rows and columns more than the window for the taps (3 before, 4 behind), and REACH on each
                    # side.
                    there = 1
                    block_of(picture.image, picture.height, picture.width, int(cx) - half - REACH - 3,
                             int(cy) - half - REACH - 3, rows, across, at(work, 64))  # fmt: skip
                dx, dy = fits.x[i] - cx, fits.y[i] - cy
                kx, ky = floor(dx), floor(dy)
                # Eight taps along x in work[0:8], along y in work[8:16]: the fractions of a pixel of the window's
                # place.
                taps_of(dx - kx, picture.table, work)
                taps_of(dy - ky, picture.table, at(work, 8))
                from_ = (int(ky) + REACH) * across + int(kx) + REACH
                # Rows are filtered along x as they are needed along y, and seven of them kept: not written, read again.
                across_of(at(work, 64), from_, across, 7, pitch, work, at(work, tmp))
                # Taps are spread over vectors once, outside the loops over pixels.
                h0, h1, h2, h3 = splat(work[0]), splat(work[1]), splat(work[2]), splat(work[3])
                h4, h5, h6, h7 = splat(work[4]), splat(work[5]), splat(work[6]), splat(work[7])
                w0, w1, w2, w3 = splat(work[8]), splat(work[9]), splat(work[10]), splat(work[11])
                w4, w5, w6, w7 = splat(work[12]), splat(work[13]), splat(work[14]), splat(work[15])
                sums = tmp + (w + 7) * pitch
                lane = pitch + 8
                for c in range(0, pitch, 8):
                    s, t, u, a, b = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
                    d2, d3, d4, d5 = splat(0.0), splat(0.0), splat(0.0), splat(0.0)
                    # r0 to r6 are the last seven rows, filtered along x: a ring in registers.
                    m = load(refs.mask, c)
                    k = tmp + c
                    r0, r1, r2 = load(work, k), load(work, k + pitch), load(work, k + 2 * pitch)
                    r3, r4, r5 = load(work, k + 3 * pitch), load(work, k + 4 * pitch), load(work, k + 5 * pitch)
                    r6 = load(work, k + 6 * pitch)
                    for r in range(w):
                        k = 64 + from_ + (r + 7) * across + c
                        r7 = load(work, k) * h0 + load(work, k + 1) * h1
                        r7 = r7 + load(work, k + 2) * h2
                        r7 = r7 + load(work, k + 3) * h3
                        r7 = r7 + load(work, k + 4) * h4
                        r7 = r7 + load(work, k + 5) * h5
                        r7 = r7 + load(work, k + 6) * h6
                        r7 = r7 + load(work, k + 7) * h7
                        g = r0 * w0 + r1 * w1
                        g = g + r2 * w2
                        g = g + r3 * w3
                        g = g + r4 * w4
                        g = g + r5 * w5
                        g = g + r6 * w6
                        g = g + r7 * w7
                        r0, r1, r2, r3, r4, r5, r6 = r1, r2, r3, r4, r5, r6, r7
                        k = r * pitch + c
                        # Sums for the zero-normalised correlation and for J' g; the mean of g needs not be taken off
                        # where the other factor has mean 0, as pixels and Jacobian have.
                        s += g
                        t += g * g
                        u += g * load(refs.pixels, f + k)
                        k += jac
                        a += g * load(refs.jacobian, k)
                        b += g * load(refs.jacobian, k + area)
                        if p > 2:
                            d2 += g * load(refs.jacobian, k + 2 * area)
                        if p == 6:
                            d3 += g * load(refs.jacobian, k + 3 * area)
                            d4 += g * load(refs.jacobian, k + 4 * area)
                            d5 += g * load(refs.jacobian, k + 5 * area)
                    store(work, sums + c, s * m)  # the columns beside the window end here
                    store(work, sums + lane + c, t * m)
                    store(work, sums + 2 * lane + c, u)
                    store(work, sums + 3 * lane + c, a)
                    store(work, sums + 4 * lane + c, b)
                    if p > 2:
                        store(work, sums + 5 * lane + c, d2)
                    if p == 6:
                        store(work, sums + 6 * lane + c, d3)
                        store(work, sums + 7 * lane + c, d4)
                        store(work, sums + 8 * lane + c, d5)
                for q in range(p + 3):
                    lanes(at(work, sums + q * lane), pitch)
                total = work[sums + pitch]
                squares = work[sums + lane + pitch] - total * total / size
                # A window of one grey value, or with a pixel that is no number, correlates with nothing.
                if not squares > 0.0:
                    fits.score[i] = 0.0
                    break
                # g is brought to the reference's contrast by `gain`; its own sum of squares is norm^2 then.
                gain = refs.norm[own] / sqrt(squares)
                fits.score[i] = work[sums + 2 * lane + pitch] * gain / (refs.norm[own] * refs.norm[own])
                # What will be left after this step, without another look at the picture: the sum of squares falls by
                # step . J' g.
                left_over = refs.norm[own] * refs.norm[own] * (1.0 - fits.score[i] * fits.score[i])
                # Inverse compositional Gauss-Newton (Baker, Matthews, IJCV 56, 2004): the normal matrix is the
                # reference's, made once; since J is orthogonal to 1 and to f, J' (gain g - f) is gain J' g.
                for q in range(p):
                    step = 0.0
                    for o in range(p):
                        step += refs.inverse[square + q * p + o] * work[sums + (3 + o) * lane + pitch]
                    work[16 + q] = step * gain
                    left_over = left_over - work[16 + q] * (work[sums + (3 + q) * lane + pitch] * gain)
                fits.rest[i] = left_over
                long = sqrt(work[16] * work[16] + work[17] * work[17])
                scale = LONGEST / long if long > LONGEST else 1.0
                # The reference moved by the step would look like the picture, so the window moves by the step
                # backwards.
                fits.x[i] = fits.x[i] - work[16] * scale
                fits.y[i] = fits.y[i] - work[17] * scale
                # The window itself is only shifted; what it turns or deforms by is read off the last step. It is small,
                # since references are drawn anew as windows deform (`reference/`).
                if p == 6:
                    for q in range(4):
                        fits.bend[4 * i + q] = work[18 + q]
                if p == 3:
                    fits.bend[4 * i + 1] = 0.0 - work[18]
                    fits.bend[4 * i + 2] = work[18]
                # By so much the interpolation multiplies the variance of white noise: it depends on the part of a
                # pixel.
                tx, ty = 0.0, 0.0
                for q in range(8):
                    tx += work[q] * work[q]
                    ty += work[8 + q] * work[8 + q]
                fits.phase[i] = tx * ty
                # Written so that NaN counts as out of reach.
                if not (abs(fits.x[i] - x0) <= criteria.reach and abs(fits.y[i] - y0) <= criteria.reach):
                    break
                # The step as it was before it was bounded by LONGEST.
                if long < criteria.settled:
                    fits.converged[i] = 1
                    break
    return 0
