"""The noise of a region's own light, as loops: photons arrive by chance, more of them where there is more light.

The ground around a thing knows nothing of that, least of all a black one, which a camera clips at 0. The thing's own
pixels tell: what a surface of their form leaves of them, even about the centre (the second power of d2, of
`kernels.regions.skew_correction_loops`) and with a slope, of least squares. Pixels of the mask up to INSIDE are taken:
no rim is so far in, and a bell is such a surface within .002 of its height there. What has a pattern of its own has
more left over, so that its sigma is an upper bound.

SHOTS numbers: of 1, x, y, d2, d2^2 all products (row by row, each from its diagonal on), then with the light, and the
square of the light.
"""

from __future__ import annotations

from kernels.loops.language import F64, load, loop, splat, sqrt, store, where
from kernels.regions.structs import Listed, Moments, Tile
from kernels.regions.tile_loops import EDGE, summed

SHOTS = 21
INSIDE = 2.0  # d2 of the farthest pixels; 4 is the rim of an even ellipse
LEAST = 1e-9  # of its square, what has to be left of a surface for the pixels to fix it
FEWEST, FREE = 2.0, 3.0  # degrees of freedom, and of the whole surface on black ground
LESS = -0.5  # of what the ground's noise makes, what a thing that is darker or steadier than it may lack


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
    # How much noisier the thing is than the ground; bounds keep the weight below from running to 0 or without end.
    excess = min(max(residual / max(ring, 1e-300), 0.6), 1e3)
    more = max(0.5 * freedom, 10.0 - freedom) / (excess * excess * excess)
    # The mean of 1 / variance needs the factor n / (n - 2) of Student's t; few degrees would make it run away.
    every = more + freedom
    return float((more * ring + freedom * residual) / max(every - 2.0 * freedom / every, 0.4 * every))


@loop
def shot_tile(on: Tile, x: float, y: float, xx: float, yy: float, ground: F64, form: F64, acc: F64, out: F64) -> int:
    """SHOTS of a region in a tile (`background_loops.weigh_tile`) into `out`; of the plane `core`, with its centre x,
    y."""
    level, gx, gy = ground[0], ground[1], ground[2]
    a, b, c = form[0], form[1], form[2]
    # The ellipse d2 <= INSIDE reaches sqrt(INSIDE * xx) along x: only that box of the tile is gone through. The first
    # column is a multiple of eight, so that lanes hold the same columns as everywhere.
    far_x, far_y = sqrt(INSIDE * xx), sqrt(INSIDE * yy)
    first, last = int(max(x - far_x, 0.0)) // 8 * 8, min(int(max(x + far_x, 0.0)) + 1, on.columns)
    top, below_ = int(max(y - far_y, 0.0)), min(int(max(y + far_y, 0.0)) + 1, on.rows)
    n, sx, sy, sd, sq = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    xx_, xy_, xd, xq = splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    yy_, yd, yq, dq, qq = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    v0, vx, vy, vd, vq, vv = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    for k in range(first, last, 8):
        column = load(on.iota, k)
        dx = column - x
        under = gx * (column - on.px) + level
        across = a * dx * dx
        for r in range(top, below_):
            word = (on.bits[on.core + on.down + r + EDGE] >> (on.shift + k)) & 255
            if word:
                dy = float(r) - y
                # d2 is the squared distance in units of the second moments, x' M^-1 x.
                d = across + b * dy * dx + c * (dy * dy)
                m = where(d <= INSIDE, load(on.table, 8 * word), 0.0)
                v = (load(on.tile, r * on.pitch + k) - (under + gy * (float(r) - on.py))) * m
                mx, my, md = m * dx, m * dy, m * d
                q = md * d
                n += m
                sx += mx
                sy += my
                sd += md
                sq += q
                xx_ += mx * dx
                xy_ += mx * dy
                xd += mx * d
                xq += q * dx
                yy_ += my * dy
                yd += my * d
                yq += q * dy
                dq += q * d
                qq += q * (d * d)
                v0 += v
                vx += v * dx
                vy += v * dy
                vd += v * d
                vq += v * (d * d)
                vv += v * v
    # The upper triangle of the products of (1, x, y, d2, d2^2), row by row: 5, 4, 3, 2 and 1 numbers; then those with
    # the light. The product of d2 with itself and of 1 with d2^2 are the same sum, stored twice.
    store(acc, 0, n)
    store(acc, 8, sx)
    store(acc, 16, sy)
    store(acc, 24, sd)
    store(acc, 32, sq)
    store(acc, 40, xx_)
    store(acc, 48, xy_)
    store(acc, 56, xd)
    store(acc, 64, xq)
    store(acc, 72, yy_)
    store(acc, 80, yd)
    store(acc, 88, yq)
    store(acc, 96, sq)
    store(acc, 104, dq)
    store(acc, 112, qq)
    store(acc, 120, v0)
    store(acc, 128, vx)
    store(acc, 136, vy)
    store(acc, 144, vd)
    store(acc, 152, vq)
    store(acc, 160, vv)
    summed(acc, SHOTS, out)
    return 0


@loop
def shot_list(on: Listed, pixels: int, m: Moments, form: F64, out: F64) -> int:
    """`shot_tile` of listed pixels of masks, for all regions at once: the sums of region i are added to
    out[SHOTS i ..], with its quadratic form (`skew_correction_loops.form_of`) at form[3 i ..]. `out` begins at 0."""
    for p in range(pixels):
        i = on.owner[p]
        # In the order of SHOTS: the upper triangle of the products of (1, x, y, d2, d2^2), row by row, then the light
        # by each of the five, then its square.
        f, o = 3 * i, SHOTS * i
        dx, dy = on.x[p] - m.x[i], on.y[p] - m.y[i]
        d = form[f] * dx * dx + form[f + 1] * dy * dx + form[f + 2] * (dy * dy)
        if on.share[p] > 0.0 and form[f] > 0.0 and d <= INSIDE:
            one, q = on.light[p], d * d
            out[o] = out[o] + 1.0
            out[o + 1] = out[o + 1] + dx
            out[o + 2] = out[o + 2] + dy
            out[o + 3] = out[o + 3] + d
            out[o + 4] = out[o + 4] + q
            out[o + 5] = out[o + 5] + dx * dx
            out[o + 6] = out[o + 6] + dx * dy
            out[o + 7] = out[o + 7] + dx * d
            out[o + 8] = out[o + 8] + q * dx
            out[o + 9] = out[o + 9] + dy * dy
            out[o + 10] = out[o + 10] + dy * d
            out[o + 11] = out[o + 11] + q * dy
            out[o + 12] = out[o + 12] + q
            out[o + 13] = out[o + 13] + q * d
            out[o + 14] = out[o + 14] + q * q
            out[o + 15] = out[o + 15] + one
            out[o + 16] = out[o + 16] + one * dx
            out[o + 17] = out[o + 17] + one * dy
            out[o + 18] = out[o + 18] + one * d
            out[o + 19] = out[o + 19] + one * q
            out[o + 20] = out[o + 20] + one * one
    return 0


@loop
def shot_of(sums: F64, noise: float, grain: float, out: F64) -> int:
    """From SHOTS of a region, which are used up, into `out`: by how much the variance of a pixel grows with its light
    above the ground, and what it is of the thing's pixels; 0 and `noise`, that of the ground's, where they tell
    nothing.

    A ground that is no noisier than its rounding (`grain`) is a black one, clipped: of small things there a surface of
    fewer terms is taken, the first that leave FEWEST pixels free (all of them only if FREE are left: two tell too
    little where nothing else is known), and what it cannot follow goes for noise, too. (With none sigma was 0 for discs
    of 1.2 px, and errors of 1.5 px had 10 to 30 sigma^2.)
    """
    out[0], out[1] = 0.0, noise
    n, light, left = sums[0], sums[15], sums[20]
    # Without noise the ground is clipped: `noise` tells nothing of the thing.
    black = noise <= grain
    if not (n > (FEWEST if black else 5.0) and light > 0.0 and noise >= 0.0):
        return 0
    free, row = n, 0
    # Elimination of a symmetric matrix in place (LDL'): each term that is used takes v^2 / pivot off the squares, so
    # that `left` ends as the sum of squared residuals, without solving for the surface.
    for a in range(5):
        pivot = sums[row]
        # Rows of the triangle shrink by one; what the pixels do not fix is left out.
        if pivot > 0.0 and pivot > LEAST * n and (free > (FREE if a == 4 else FEWEST) or not black):
            v = sums[15 + a]
            left = left - v * v / pivot
            free -= 1.0
            below = row + 5 - a
            for b in range(a + 1, 5):
                factor = sums[row + b - a] / pivot
                for k in range(b, 5):
                    sums[below + k - b] = sums[below + k - b] - factor * sums[row + k - a]
                sums[15 + b] = sums[15 + b] - factor * v
                below += 5 - b
        row += 5 - a
    # The thing's excess over the ground's variance, over its mean light: the photon law's slope.
    if free >= FEWEST:
        pixel = variance_of(noise, max(left, 0.0) / free, free)
        out[0], out[1] = (pixel - noise) * n / light, pixel
    return 0
