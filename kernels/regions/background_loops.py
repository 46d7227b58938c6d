"""The ground around a region and the light above it, as loops over its tile."""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, compress, load, loop, popcount, splat, sqrt, store, where
from kernels.regions.noise_correlation_loops import SECTORS, factor_of, sector_of, sectors_of
from kernels.regions.skew_correction_loops import believed
from kernels.regions.structs import Plane, RingPixels, Tile
from kernels.regions.tile_loops import (
    BENEATH,
    CONTESTED,
    EDGE,
    FARTHEST,
    GROWN,
    INNER,
    OWN,
    RIDGE,
    clipped_level,
    summed,
)

FAR = 3.0  # standard deviations from the level beyond which a pixel has no say in the slope


@loop
def ring_of(on: Tile, light: F64, x: F64, y: F64, there: F64) -> int:
    """The pixels around the region (OWN without GROWN) one behind the other: their light, and x and y in the tile;
    returns how many there are. `there` is 1 for each, and 0 up to the next multiple of eight."""
    count, one, nil = 0, splat(1.0), splat(0.0)
    for r in range(on.rows):
        # The planes have EDGE empty rows on top and begin `down` rows before the tile does.
        b = on.down + r + EDGE
        # OWN has grown by all steps here, GROWN is what it was after `grow` of them: the difference is the ring.
        # a - (a & b) are the bits of a that are not in b.
        around = (on.bits[OWN + b] - (on.bits[OWN + b] & on.bits[GROWN + b])) >> on.shift
        for k in range(0, on.pitch, 8):
            # Eight pixels at a time: the bits say which of them are in the ring, and `compress` puts these side by
            # side.
            word = (around >> k) & 255
            if word:
                compress(light, count, on.tile, r * on.pitch + k, word)
                compress(x, count, on.iota, k, word)
                store(y, count, splat(float(r)))
                count += popcount(word)
    # The last vector goes up to seven places beyond the count: they have no say (0 in `there`) and hold numbers, since
    # 0 times what lay in memory could be NaN.
    for k in range(0, count, 8):
        store(there, k, one)
    store(there, count, nil)
    store(light, count, nil)
    store(x, count, nil)
    store(y, count, nil)
    return count


@loop
def plane_loop(r: RingPixels, slope: int, blur: float, acc: F64, out: F64) -> int:
    """The ground of a ring: into `out` its level at px, py (of the tile), slopes, variance of a
    pixel, and of both slopes for pixels of variance 1; then the slopes that it has beside these: of a ground that
    is level without `slope`. `out`: 16 numbers, `acc`: 80. `blur`: variance that rounding may hide.
    """
    # The level first, robustly; then least squares of a plane over the pixels within FAR deviations of it. So a
    # neighbour in the ring has no say in the slope.
    clipped_level(r.light, r.there, r.count, acc, out)
    level, variance = out[0], out[1]
    far = FAR * sqrt(variance + blur) + 1e-6
    # The normal equations of v = level + g + gx dx + gy dy: sums of 1, x, y, their products, and each times the light.
    n, nx, ny, xx, xy = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    yy, s, sx, sy, q = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    for k in range(0, r.count, 8):
        # Light is counted from the level: squares of small numbers lose no digits in q.
        d = load(r.light, k) - level
        m = where(abs(d) <= far, load(r.there, k), 0.0)
        d = where(m > 0.0, d, 0.0)
        dx, dy = load(r.x, k) - r.px, load(r.y, k) - r.py
        mx, my = m * dx, m * dy
        n += m
        nx += mx
        ny += my
        xx += mx * dx
        xy += mx * dy
        yy += my * dy
        s += d
        sx += d * dx
        sy += d * dy
        q += d * d
    store(acc, 0, n)
    store(acc, 8, nx)
    store(acc, 16, ny)
    store(acc, 24, xx)
    store(acc, 32, xy)
    store(acc, 40, yy)
    store(acc, 48, s)
    store(acc, 56, sx)
    store(acc, 64, sy)
    store(acc, 72, q)
    summed(acc, 10, out)
    # A pixel's worth of ridge holds what the pixels leave open and changes nothing that they fix.
    # The ridge keeps all pivots positive: of a ring of one row or column, too, which leaves a slope open.
    a, b, c = out[0] + 1e-6, out[1], out[2]
    xx1, xy1, yy1 = out[3] + RIDGE, out[4], out[5] + RIDGE
    n1, s1, x1, y1, q1 = out[0], out[6], out[7], out[8], out[9]
    # Schur's complement of the level, then Cramer's rule: both are positive definite.
    cxx, cxy, cyy = xx1 - b * b / a, xy1 - b * c / a, yy1 - c * c / a
    rx, ry = x1 - b * s1 / a, y1 - c * s1 / a
    det = cxx * cyy - cxy * cxy
    gx, gy = (rx * cyy - ry * cxy) / det, (ry * cxx - rx * cxy) / det
    # b / a and c / a are the middle of the pixels from px, py: there the level is known best.
    plane = Plane(level, far, b / a, c / a, gx, gy)
    if not slope:
        kept = sqrt(believed(gx, gy, variance, 1.0 / xx1, 1.0 / yy1, 1.0))  # its square is what is to be expected
        out[0], out[1], out[2], out[3], out[4], out[5] = level, 0.0, 0.0, variance, 0.0, 0.0
        out[6], out[7] = kept * gx, kept * gy
        # Pixels that err by themselves would give the slopes' sums sum of rest * (x - mean) the variance sigma^2 times
        # the central second moment.
        factor_tile(r, plane, variance * (cxx + cyy), acc, out)
        return 0
    # Back substitution: the level from the slopes.
    g = (s1 - b * gx - c * gy) / a
    # What the plane leaves: the squares without what the fit explains (the ridge counted as explained).
    # With (A + R) t = r, R the ridge: q - 2 t.r + t'A t = q - t.r - t'R t, without a second pass over the ring.
    left = q1 - g * s1 - gx * x1 - gy * y1
    left = left - (1e-6 * g * g + RIDGE * (gx * gx + gy * gy))
    out[0], out[1], out[2] = level + g, gx, gy
    # A plane takes three degrees of freedom.
    out[3] = max(left, 0.0) / max(n1 - 3.0, 1.0)
    out[4], out[5] = 1.0 / xx1, 1.0 / yy1
    out[6], out[7] = 0.0, 0.0
    factor_tile(r, plane, out[3] * (cxx + cyy), acc, out)
    return 0


@loop
def factor_tile(r: RingPixels, p: Plane, expected: float, work: F64, ground: F64) -> int:
    """`factor_of` the noise of a ring whose `ground` is known, into ground[14] and ground[15]."""
    sectors = sectors_of(r.count)
    # Work holds, of each sector, what its pixels give to the slopes' right sides: residual times place from the mean.
    for k in range(2 * SECTORS):
        work[k] = 0.0
    for k in range(r.count):
        if abs(r.light[k] - p.level) <= p.far:
            dx, dy = r.x[k] - r.px, r.y[k] - r.py
            rest = r.light[k] - (p.level + p.gx * (dx - p.mx) + p.gy * (dy - p.my))
            s = sector_of(dx, dy, sectors)
            work[s] = work[s] + rest * (dx - p.mx)
            work[SECTORS + s] = work[SECTORS + s] + rest * (dy - p.my)
    factor_of(work, at(work, SECTORS), sectors, expected, at(ground, 14))
    return 0


@loop
def darkest(tile: F64, rows: int, pitch: int, down: int, shift: int, bits: I64, plane: int) -> float:
    """The least light of a plane's pixels."""
    least = FARTHEST
    for r in range(rows):
        b = bits[plane + EDGE + down + r] >> shift
        for c in range(pitch):
            if (b >> c) & 1:
                least = min(least, tile[r * pitch + c])
    return float(least)


@loop
def weigh_tile(on: Tile, edges: int, ground: F64, acc: F64, out: F64) -> int:
    """Sums of the light above `ground` (level at px, py, and slopes), from px, py, but of `rim` rows and columns on all
    sides, which are none of GROWN.

    `out` gets mass, first and second moments (x, y, xx, xy, yy), sum of share^2, its first moments and that of y^2, sum
    of light^2 in the outermost ring, its first moments and that of y^2, those of x^2 of both, the sum of share^2 in
    that ring, those of light^2 and of share^2 in the one before, of light in the outermost ring and its first moments
    (all of them 0 without `edges`), and the largest light of the plane `core`.
    """
    # One sum of eight lanes for each: lane j takes the columns j, j + 8 ... of the tile, from the top row down, and
    # `summed` folds the lanes. This order makes the bits.
    level, gx, gy = ground[0], ground[1], ground[2]
    m, sx, sy, sxx, sxy, syy = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    w, wx, wy, wxx, wyy = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    e, ex, ey, exx, eyy = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    many, before, fewer = splat(0.0), splat(0.0), splat(0.0)
    rest, rest_x, rest_y = splat(0.0), splat(0.0), splat(0.0)
    top = splat(-1e308)
    # Strips of eight columns: what depends on x alone is reckoned once a strip. `shift` lines bits up with the tile.
    for k in range(on.rim, on.columns - on.rim, 8):
        dx = load(on.iota, k) - on.px
        below = gx * dx + level
        for r in range(on.rim, on.rows - on.rim):
            b, at_ = on.down + r + EDGE, on.shift + k
            grown = on.bits[GROWN + b]
            # Most words of eight are empty at the corners of a box: nothing to add there.
            if (grown >> at_) & 255:
                dy = float(r) - on.py
                share = load(on.table, 8 * ((grown >> at_) & 255))
                # A pixel that two regions reach at once is both's by half.
                if on.company:
                    share = share - 0.5 * load(on.table, 8 * (((grown & on.bits[CONTESTED + b]) >> at_) & 255))
                v = (load(on.tile, r * on.pitch + k) - (below + gy * dy)) * share
                m += v
                vx, vy = v * dx, v * dy
                sx += vx
                sy += vy
                sxx += vx * dx
                sxy += vx * dy
                syy += vy * dy
                u = share * share
                w += u
                wx += u * dx
                wy += u * dy
                wxx += u * (dx * dx)
                wyy += u * (dy * dy)
                # The outermost ring: what the last step of growing has added.
                outer = grown - (grown & on.bits[INNER + b])
                edge = load(on.table, 8 * ((outer >> at_) & 255))
                square = v * v
                if edges:
                    many += u * edge
                    # The ring before it; BENEATH is empty where the region grows by less than two, and the whole mask
                    # stands for it.
                    ring = on.bits[INNER + b] - (on.bits[INNER + b] & on.bits[BENEATH + b])
                    inner = load(on.table, 8 * ((ring >> at_) & 255))
                    fewer += u * inner
                    before += square * inner
                    one = v * edge
                    rest += one
                    rest_x += one * dx
                    rest_y += one * dy
                u = square * edge
                e += u
                ex += u * dx
                ey += u * dy
                exx += u * (dx * dx)
                eyy += u * (dy * dy)
                inside = load(on.table, 8 * ((on.bits[on.core + b] >> at_) & 255))
                # Without `inside` both products are 0, and 0 > 0 is false: light beyond the core does not count.
                top = where(inside * v > top * inside, where(inside > 0.0, v, top), top)
    store(acc, 0, m)
    store(acc, 8, sx)
    store(acc, 16, sy)
    store(acc, 24, sxx)
    store(acc, 32, sxy)
    store(acc, 40, syy)
    store(acc, 48, w)
    store(acc, 56, wx)
    store(acc, 64, wy)
    store(acc, 72, wyy)
    store(acc, 80, e)
    store(acc, 88, ex)
    store(acc, 96, ey)
    store(acc, 104, eyy)
    store(acc, 112, wxx)
    store(acc, 120, exx)
    store(acc, 128, many)
    store(acc, 136, before)
    store(acc, 144, fewer)
    store(acc, 152, rest)
    store(acc, 160, rest_x)
    store(acc, 168, rest_y)
    store(acc, 176, top)
    # A maximum is no sum: its lanes are compared, not folded.
    summed(acc, 22, out)
    peak = acc[176]
    for k in range(177, 184):
        peak = max(peak, acc[k])
    out[22] = peak
    return 0


@loop
def plain_sums(i: int, start: I64, own_first: I64, own_last: I64, width: int, x0: int, y0: int, out: F64) -> int:
    """Of a region's pixels alone: area, mean x and y from x0, y0, and central moments xx, xy, yy."""
    n, sx, sy, xx, xy, yy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    # Sums over a run from a to b in closed form: of k it is n (a + b) / 2, of k^2 b (b + 1) (2 b + 1) / 6 less the same
    # of a - 1. Places in a tile are small whole numbers, so that all this is exact.
    for k in range(start[2 * i], start[2 * i] + start[2 * i + 1]):
        y = own_first[k] // width
        a, many = float(own_first[k] - y * width - x0), float(own_last[k] - own_first[k] + 1)
        b, v = a + many - 1.0, float(y - y0)
        one = 0.5 * many * (a + b)
        n += many
        sx += one
        sy += many * v
        xx += (b * (b + 1.0) * (2.0 * b + 1.0) - (a - 1.0) * a * (2.0 * a - 1.0)) / 6.0
        xy += one * v
        yy += many * v * v
    mx, my = sx / n, sy / n
    out[0], out[1], out[2] = n, mx, my
    out[3], out[4], out[5] = max(xx / n - mx * mx, 0.0), xy / n - mx * my, max(yy / n - my * my, 0.0)
    return 0
