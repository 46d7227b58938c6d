"""How the light of a region tilts, and how far that pulls its centre, as loops.

What a ground's slope leaves in the light v = C (A + h x) above it (C: how much of a pixel the thing covers, A: its
height) is a tilt h of its own: -g where a thing of even light covers a ground of slope g, g A / ground where both are
lit alike, 0 where the light adds to the ground's. It moves the mean by m = M h / A, M the second moments. The picture
tells h of a thing with a flat top: a second mean S = sum w v x about the first, with weights w = (1 - d2 / 4)^2 that
end where the rim of an even ellipse of such moments would be (d2 = x M^-1 x), feels h less and an offset more:

    S = m (sum w v d2 / 2 - T),    T = sum v (w + w' d2)

T being what an offset makes of S (by parts: sum of -w x times the slope of v). Of a bell both terms are the same: its
tilt is an offset. So the tilt that S tells counts as far as its noise, sigma^2 sum w^2 x^2 and T times the noise of the
mean, over the square of the bracket, is small by what may be expected (`PULL` of M g / A): the mean of both by their
variances (a Wiener filter), and the variance that it has is stated. A tilt that is not small pulls farther than so
(`STEEP`). Where the ground is level by its noise nothing is changed.

SUMS numbers: sums of the weights and of weighted light; of that times x and y; times d2; what an offset makes of it;
and of the squares of x and y by weights and by squared weights (of noise), all from the centre.
"""

from __future__ import annotations

from kernels.loops.language import F64, load, loop, splat, sqrt, store, where
from kernels.regions.structs import Light, Listed, Moments, Slope, Tile
from kernels.regions.tile_loops import CONTESTED, EDGE, GROWN, summed

SUMS = 10
DOUBT = 2.0  # sum of the squares of a ground's slopes, by that of their variances, up to which it counts as level
PULL = 0.7  # of how far a thing's light would tilt its centre if it sloped as its ground does: what may be expected
STEEP, VAGUE = 1.2, 0.3  # q times so much a tilt pulls farther than a small one, and that may be wrong, q being the
# square of the pull in the thing's widths (discs of 10 to 70 px, tilts of up to half their height: 1.1 to 1.3)
MOST = 3.0  # standard deviations of what may be expected: what tilts more is the thing's own


@loop
def form_of(xx: float, xy: float, yy: float, form: F64) -> int:
    """Into `form` the coefficients of d2 = form[0] x^2 + form[1] x y + form[2] y^2, x' M^-1 x of the second moments M =
    (xx, xy; xy, yy): 4 at the rim of an even ellipse that has these. Returns 1; 0 where M is not positive definite."""
    det = xx * yy - xy * xy
    if not (xx > 0.0 and yy > 0.0 and det > 0.0):
        return 0
    form[0], form[1], form[2] = yy / det, -2.0 * xy / det, xx / det
    return 1


@loop
def tilt_tile(on: Tile, x: float, y: float, ground: F64, form: F64, acc: F64, out: F64) -> int:
    """SUMS of a region in a tile (`background_loops.weigh_tile`), from x, y, into `out`."""
    level, gx, gy = ground[0], ground[1], ground[2]
    a, b, c = form[0], form[1], form[2]
    n, m, sx, sy, q = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    t, nx, ny, nxx, nyy = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    for k in range(on.rim, on.columns - on.rim, 8):
        column = load(on.iota, k)
        dx = column - x
        below = gx * (column - on.px) + level
        across = a * dx * dx
        for r in range(on.rim, on.rows - on.rim):
            e, at_ = on.down + r + EDGE, on.shift + k
            grown = on.bits[GROWN + e]
            if (grown >> at_) & 255:
                dy = float(r) - y
                share = load(on.table, 8 * ((grown >> at_) & 255))
                if on.company:
                    share = share - 0.5 * load(on.table, 8 * (((grown & on.bits[CONTESTED + e]) >> at_) & 255))
                # w = (1 - d2 / 4)^2 ends with slope 0 at the rim of an even ellipse, so that pixels there do not
                # flicker in and out.
                d = across + b * dy * dx + c * (dy * dy)
                one = 1.0 - 0.25 * d
                one = where(one > 0.0, one, 0.0)
                w = one * one
                v = (load(on.tile, r * on.pitch + k) - (below + gy * (float(r) - on.py))) * share
                wv, u = w * v, w * share
                n += u
                m += wv
                sx += wv * dx
                sy += wv * dy
                q += wv * d
                # w + w' d2 of T, with w = one^2 and w' = -one / 2.
                t += v * one * (one - 0.5 * d)
                s = u * share
                nx += s * (dx * dx)
                ny += s * (dy * dy)
                s = u * u
                nxx += s * (dx * dx)
                nyy += s * (dy * dy)
    # In the order of SUMS (see above).
    store(acc, 0, n)
    store(acc, 8, m)
    store(acc, 16, sx)
    store(acc, 24, sy)
    store(acc, 32, q)
    store(acc, 40, t)
    store(acc, 48, nx)
    store(acc, 56, ny)
    store(acc, 64, nxx)
    store(acc, 72, nyy)
    summed(acc, SUMS, out)
    return 0


@loop
def tilt_list(on: Listed, pixels: int, m: Moments, form: F64, out: F64) -> int:
    """`tilt_tile` of listed pixels, for all regions at once: the sums of region i are added to out[SUMS i ..], with its
    quadratic form (`form_of`) at form[3 i ..]. `out` begins at 0."""
    for p in range(pixels):
        i = on.owner[p]
        f, o = 3 * i, SUMS * i
        dx, dy = on.x[p] - m.x[i], on.y[p] - m.y[i]
        d = form[f] * dx * dx + form[f + 1] * dy * dx + form[f + 2] * (dy * dy)
        one = max(1.0 - 0.25 * d, 0.0)
        w = one * one
        wv, u = w * on.light[p], w * on.share[p]
        out[o] = out[o] + u
        out[o + 1] = out[o + 1] + wv
        out[o + 2] = out[o + 2] + wv * dx
        out[o + 3] = out[o + 3] + wv * dy
        out[o + 4] = out[o + 4] + wv * d
        out[o + 5] = out[o + 5] + on.light[p] * one * (one - 0.5 * d)
        s = u * on.share[p]
        out[o + 6] = out[o + 6] + s * (dx * dx)
        out[o + 7] = out[o + 7] + s * (dy * dy)
        s = u * u
        out[o + 8] = out[o + 8] + s * (dx * dx)
        out[o + 9] = out[o + 9] + s * (dy * dy)
    return 0


@loop
def believed(gx: float, gy: float, noise: float, tilt_x: float, tilt_y: float, doubt: float) -> float:
    """Share of a ground's slopes that cannot be noise: 1 - doubt noise (tilt_x + tilt_y) / (gx^2 + gy^2), at least 0.

    Args:
        gx, gy: slopes, light a px.
        noise: variance of a pixel.
        tilt_x, tilt_y: variances of the slopes for pixels of variance 1.
        doubt: so many times their variance may be noise.
    """
    square = gx * gx + gy * gy
    if not square > 0.0:
        return 0.0
    return float(max(1.0 - doubt * (noise * (tilt_x + tilt_y)) / square, 0.0))


@loop
def righted(sums: F64, m: Light, ground: Slope, out: F64) -> int:
    """What to take off x and y, and their variances then, into `out`, from the SUMS of a region.

    Slopes of the ground tilt the light of the thing, too; their variances are in those of x and y."""
    # Where nothing can be told: no shift, and the variances as they were.
    out[0], out[1], out[2], out[3] = 0.0, 0.0, m.vx, m.vy
    if not (ground.kept > 0.0 and sums[0] > 0.0 and sums[1] > 0.0):
        return 0
    # Height: mean light by weights. `moved` is T, what an offset of the centre makes of S.
    height, moved, xx, xy, yy = sums[1] / sums[0], sums[5], m.xx, m.xy, m.yy
    # The prior's standard deviation of the pull: M g / A, by the share of the slope that is real.
    px = PULL * ground.kept * (xx * ground.gx + xy * ground.gy) / height
    py = PULL * ground.kept * (xy * ground.gx + yy * ground.gy) / height
    px, py = px * px, py * py
    # What is not corrected counts as variance.
    out[2], out[3] = m.vx + px, m.vy + py
    above = 0.5 * sums[4] - moved  # nothing of a bell
    if not above > 0.0:
        return 0
    # The noise of what the tilt is taken from, also by way of the centre that it is taken about; and how the two meet.
    hx, hy = xx / height, yy / height  # what of such a slope is seen as a tilt
    lx, ly = ground.lever_x, ground.lever_y
    vx, vy = m.vx - lx * lx * ground.error_x, m.vy - ly * ly * ground.error_y
    both, some = m.noise / m.mass, moved * moved
    square = above * above
    # S - T times (error of the mean): variances of both and twice their covariance, over the bracket's square.
    nx = (m.noise * sums[8] - 2.0 * (moved * (both * sums[6])) + some * vx) / square
    ny = (m.noise * sums[9] - 2.0 * (moved * (both * sums[7])) + some * vy) / square
    cx, cy = (both * sums[6] - moved * vx) / above, (both * sums[7] - moved * vy) / above
    det = xx * yy - xy * xy
    # The observed pull, clipped to MOST standard deviations of prior and noise together.
    farthest = MOST * sqrt(px + max(nx, 0.0))
    x = min(max(sums[2] / above, -farthest), farthest)
    farthest = MOST * sqrt(py + max(ny, 0.0))
    y = min(max(sums[3] / above, -farthest), farthest)
    # q = m' M^-1 m: the square of the pull in the thing's widths.
    steep = (x * (x * yy) - 2.0 * (x * (y * xy)) + y * (y * xx)) / det
    for k in range(2):
        pull, wide = px if k == 0 else py, nx if k == 0 else ny
        common, alone = cx if k == 0 else cy, vx if k == 0 else vy
        far, near, slope = lx if k == 0 else ly, hx if k == 0 else hy, ground.error_x if k == 0 else ground.error_y
        if pull > 0.0 and wide >= 0.0:
            # Wiener gain: prior over prior plus noise.
            part = pull / (pull + wide)
            tilt, rest = part * (x if k == 0 else y), 1.0 - part
            vague = VAGUE * steep * tilt
            out[k] = tilt + STEEP * steep * tilt
            far = far - part * near
            # Terms: the mean's own variance, the part of the prior that is left, the slope's error by the lever that
            # remains, and the noise of the correction with its covariance with the mean.
            error = alone + rest * rest * pull + far * far * slope + part * (part * wide - 2.0 * common)
            out[2 + k] = max(error, 0.0) + vague * vague
    return 0
