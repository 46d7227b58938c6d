"""The rows of many blobs, a lane each: `row_loops.row_of`, number by number."""

from __future__ import annotations

from kernels.centroids.centroid_loops import HIGH_PART, LOW_PART, OBLIQUE, SETTLED, TWO_PI
from kernels.centroids.centroid_simd import (
    AMPLITUDE,
    ASKEW,
    FLAT,
    GROUND,
    LEVEL,
    MASS,
    MIDDLE_X,
    MIDDLE_Y,
    NOISE,
    OBLONG,
    ODD,
    OPEN,
    PEAK,
    REST,
    SHARP,
    SLANT,
    SLOPE_X,
    SLOPE_Y,
    SPREAD,
    START_X,
    START_Y,
    TILT,
    TOTAL,
    WHOLE,
    X,
    Y,
)  # fmt: skip
from kernels.centroids.merge_measurements_loops import OVAL
from kernels.centroids.pooled_noise_loops import NOISES
from kernels.centroids.row_loops import (
    ALWAYS,
    BELL,
    BRIGHT,
    CHOSEN,
    GUESS,
    LEAST,
    NOTED,
    ROOMY,
    ROUND,
    SLIMMEST,
    SMALL,
    STILL,
    TABLE,
    TOP,
)  # fmt: skip
from kernels.centroids.shape_simd import HIGH, XX, XY, YY, M
from kernels.centroids.structs import Method, Windows
from kernels.ir.table import COLUMNS, GRAYS
from kernels.loops.language import (
    F64,
    I64,
    LANES,
    at,
    is_f32,
    lane_count,
    load_row,
    loop,
    splat_like,
    sqrt,
    store,
    where,
)

LEAST_OF_ALL, LEAST_F32 = 1e-300, 1e-35
HARDLY = 0.19  # for each unit of flatness, share of the four pixels that a fit spends on a bell which a disc keeps: of
# 1.7 to 2.5 widths of the weights in radius and rims of half a width, by what a shift explains of odd residuals
WIDEST = 1.9  # widths of the weights: of what is wider little more is known, and discs of 2.3 of them seem so
STOUT = 1.15  # widths of the weights across, beyond which what is oblong is no two bells side by side


@loop
def variance_lanes(ring: LANES, residual: LANES, freedom: LANES, out: LANES) -> int:
    """`shot_noise_loops.variance_of`, into `out`."""
    r, left, free = load_row(ring, 0), load_row(residual, 0), load_row(freedom, 0)
    least = LEAST_OF_ALL
    if is_f32(ring):
        least = LEAST_F32
    # The ring's variance counts the less, the more the residuals exceed it. A ratio below .6 is chance: it counts as
    # .6.
    excess = left / where(r < least, least, r)
    excess = where(excess < 0.6, 0.6, excess)
    excess = where(excess > 1e3, 1e3, excess)
    # `more` are the degrees of freedom that the ring's variance counts as, at least half of the residuals' own and
    # enough for ten in all before they are divided by the cube of the excess.
    half, rest = free * 0.5, 10.0 - free
    more = where(rest > half, rest, half) / (excess * excess * excess)
    every = more + free
    # What has to be right is the mean of 1 / variance, which divides by every - 2 free / every (Student's t); that
    # comes near 0 where the ring counts little and `free` is about 2, so it is bounded from below.
    low, high = every * 0.4, every - 2.0 * free / every
    store(out, 0, (more * r + free * left) / where(low > high, low, high))
    return 0


@loop
def rows_lanes(edge: int, alone: int, w: Windows, how: Method, lane: LANES, shape: LANES, out: LANES) -> int:
    """The columns into `out`, a vector each, and whether radial symmetry is better for some: OPEN of these becomes
    the variance of a pixel, that of others -1; TILT the variance of the place by the ground's slope, SLOPE_X and
    SLOPE_Y what of it is put back into the place, GROUND how much of the anisotropy radial symmetry has.

    What errors follow from is that of `summed_lanes`; at an `edge` that of `errors_lanes`.
    `shape`: what `shape_lanes` gives. `out`: NOTED + NOISES vectors, of which four before NOTED stay free.
    """
    mass, total = load_row(lane, MASS), load_row(lane, TOTAL)
    amplitude, spread = load_row(lane, AMPLITUDE), load_row(lane, SPREAD)
    level, noise = load_row(lane, LEVEL), load_row(lane, NOISE)
    flat, sharp = load_row(lane, FLAT), load_row(lane, SHARP)
    nil, one, least = splat_like(lane, 0.0), splat_like(lane, 1.0), LEAST_OF_ALL
    if is_f32(lane):
        least = LEAST_F32
    # Lanes hold 1.0 or 0.0 where a scalar would hold a truth value: a nested `where` is the logical "and".
    lit = where(mass > 0.0, where(amplitude > 0.0, where(total > 0.0, one, 0.0), 0.0), 0.0)
    square, given = spread * spread, w.sigma * w.sigma
    wide = square + given
    # (sum of weights)^2 / sum of squares: the effective number of pixels (Kish 1965).
    free = total * total / where(sharp < least, least, sharp)
    # A flat disc's slope is at its rim, where the weights are small: less of its noise looks as if the disc had moved.
    flatness = (BELL - mass / (where(lit > 0.0, square * amplitude, 1.0) * TWO_PI)) * (1.0 / (BELL - TABLE))
    flatness = where(flatness > 0.0, flatness, nil)
    spent = 4.0 - flatness * (4.0 * HARDLY)
    # Four parameters were fitted, so the residuals have `rest` degrees of freedom of `free`.
    rest = free - where(spent > 0.0, spent, nil)
    some = where(total < least, least, total)
    residual = load_row(lane, REST) * 2.0 / some * free / where(rest < 1.0, 1.0, rest)
    # Light of width s under weights of sigma keeps the share `part` of sigma^2 as second moment. A unit move of the
    # centre changes the weighted first moment by `light`: the weighted mass times 1 - part.
    part = square / wide
    light = amplitude * TWO_PI * given * part * (1.0 - part)
    # Where a dark blob hides the light it hides its shot noise: as far as it does where the centre comes from.
    core = square * 2.0 / (square * 2.0 + given)  # squared, light by that of the top where the centre comes from
    dark = where(level < 0.0, where(amplitude <= -level, one, 0.0), 0.0)
    hidden = flat * (1.0 + core * core * (amplitude / where(dark > 0.0, level, 1.0)))
    ring = where(dark > 0.0, hidden, flat)
    # Vectors 0 to 3 of `out` are scratch for `variance_lanes` until the columns are written over them below.
    store(out, 0, where(ring < how.grain, how.grain, ring))
    # Reflection about the centre halves the degrees of freedom: (free - 4) / 2 belong to the odd part.
    rest = free * 0.5 - 2.0
    if edge:
        residual, rest = load_row(lane, REST), load_row(lane, SHARP)
    store(out, 1, residual)
    store(out, 2, where(rest < 1.0, 1.0, rest))
    store(out, NOTED, residual)
    store(out, NOTED + 1, load_row(out, 2))
    store(out, NOTED + 2, load_row(out, 0))
    store(out, NOTED + 3, amplitude * core * core)
    variance_lanes(out, at(out, 1), at(out, 2), at(out, 3))
    pixel = load_row(out, 3)
    # The ground's slope was taken out beneath the blob, too. Where it does not show there, that moved the centre.
    # A Gaussian lets the ground show beneath it, a flat opaque disc hides it: `flatness` tells one from the other by
    # mass over the bell's, 0 for a bell and 1 for a disc.
    covered = where(flatness < 1.0, flatness, 1.0) * TOP
    unit = square / amplitude
    back = where(dark > 0.0, -square / where(dark > 0.0, level, 1.0), covered * unit)
    gx, gy = load_row(lane, SLOPE_X), load_row(lane, SLOPE_Y)
    back_x, back_y = gx * back, gy * back
    pull, guess = wide * wide / (square * amplitude) - back, where(dark > 0.0, nil, given * GUESS / amplitude)
    slope = (load_row(lane, TILT) * pull * pull + (gx * gx + gy * gy) * guess * guess) * 0.5
    store(out, NOTED + 4, slope)
    # Variance of a weighted centroid along one axis: pixel variance times sum(w^2 d^2) / light^2, and `total` is that
    # sum of both axes.
    ratio = total / light
    alike = pixel * 0.5 / total * ratio * ratio  # were it round
    # What the weights leave of an offset is a matrix, and noise moves the centre by its inverse: of an oblong blob more
    # along it than across. As far as noise lets it look oblong it is not.
    rest, half, q = 1.0 - part, load_row(lane, OBLONG), load_row(lane, SLANT)
    across = rest + sqrt(half * half + q * q)  # where two things lie along a line: `row_loops.shape_of`
    across = given / (across * across)
    fits_bell = lit
    if edge:
        fits_bell = nil  # it was fitted
    store(out, 10, where(fits_bell > 0.0, -(half * across), how.nothing))
    store(out, 11, where(fits_bell > 0.0, q * across, how.nothing))
    # Noise can make a moment absurd; the same bounds as in the steps that found the centre keep 1 - M / sigma^2 from 0.
    xx, yy = rest + half, rest - half
    xx = where(xx > 1.0 - HIGH_PART, where(xx < 1.0 - LOW_PART, xx, 1.0 - LOW_PART), 1.0 - HIGH_PART)
    yy = where(yy > 1.0 - HIGH_PART, where(yy < 1.0 - LOW_PART, yy, 1.0 - LOW_PART), 1.0 - HIGH_PART)
    p, q = (xx - yy) * 0.5, where(q * q < OBLIQUE * (xx * yy), q, nil)
    # p and q are the traceless part of R = 1 - M / sigma^2. Noise gives a round blob such a part, too: a Wiener filter
    # believes what exceeds its mean square, and SLIMMEST keeps R away from being singular.
    seen, all_ = p * p + q * q, rest * rest
    believed = seen / (seen + alike * all_ / given + least)
    most = all_ * SLIMMEST / where(seen > least, seen, least)
    believed = where(believed * believed < most, believed, sqrt(most))
    p, seen = p * believed, seen * believed * believed
    oval = seen > all_ * (ROUND * ROUND)
    # The eigenvalues of R are rest +- sqrt(seen): the mean of the diagonal of R^-2 is (all_ + seen) / det^2, half the
    # difference of its diagonal -2 rest p / det^2. `alike` was computed with rest^2 in place of det.
    det = all_ - seen
    error = sqrt(alike * ((all_ + seen) * all_ / (det * det)) + slope)
    uneven = rest * p * -2.0 / (all_ + seen) * alike / (alike + slope)
    store(lane, GROUND, 1.0 - where(ring < pixel, ring, pixel) / where(pixel < least, least, pixel) * STILL)
    if edge:
        both, askew, farthest = pixel * load_row(lane, WHOLE), load_row(lane, ASKEW), float(w.radius * w.radius)
        # `askew` is half the difference of the variances by their mean, so that the two are these; a centre that would
        # be off by more than the window's radius were lost, which bounds both.
        vx, vy = both * (1.0 + askew) + slope, both * (1.0 - askew) + slope
        vx, vy = where(vx < farthest, vx, farthest), where(vy < farthest, vy, farthest)  # else it were lost
        both = vx + vy
        error, uneven = sqrt(both * 0.5), (vx - vy) / where(both > least, both, least)
    store(out, 0, where(lit > 0.0, load_row(lane, X) + back_x, load_row(lane, START_X)))
    store(out, 1, where(lit > 0.0, load_row(lane, Y) + back_y, load_row(lane, START_Y)))
    store(out, 2, mass)
    store(out, 3, load_row(lane, PEAK))
    store(out, 4, square * 4.355172180607204)  # pi 2 ln 2
    store(out, 5, square)
    store(out, 6, nil)
    store(out, 7, square)
    store(out, 8, where(lit > 0.0, where(error < SETTLED, SETTLED, error), how.nothing))
    store(out, 9, where(lit > 0.0, uneven, 0.0))
    if how.shapes:
        if not edge and how.lines != ALWAYS:
            # (both -+ sqrt(oblong)) / 2 are the principal second moments of the light.
            # Weights that do not reach a thing's rim hardly feel it move: its region tells, unless it may be two. Two
            # bells are not wider across than one of them, as the weights are.
            long, both = load_row(shape, XX) - load_row(shape, YY), load_row(shape, XX) + load_row(shape, YY)
            cross = load_row(shape, XY) * 2.0
            oblong, stout = long * long + cross * cross, STOUT * w.sigma
            even = where(oblong > both * both * (OVAL * OVAL), nil, 1.0)
            even = where(both - sqrt(oblong) > 2.0 * (stout * stout), 1.0, even)
            lit = where(spread > WIDEST * w.sigma, where(even > 0.0, 0.0, lit), lit)
            store(out, 8, where(lit > 0.0, load_row(out, 8), how.nothing))
        # Moments of noise can be negative; a row takes the sums of light only where all of them describe some.
        shaped = where(
            lit > 0.0,
            where(load_row(shape, M) > 0.0, where(load_row(shape, XX) > 0.0, load_row(shape, YY), 0.0), 0.0),
            0.0,
        )
        store(out, 2, where(shaped > 0.0, load_row(shape, M), mass))
        store(out, 3, where(shaped > 0.0, load_row(shape, HIGH), load_row(lane, PEAK)))
        store(out, 4, where(shaped > 0.0, 0.0, load_row(out, 4)))
        store(out, 5, where(shaped > 0.0, load_row(shape, XX), square))
        store(out, 6, where(shaped > 0.0, load_row(shape, XY), 0.0))
        store(out, 7, where(shaped > 0.0, load_row(shape, YY), square))
    better = nil
    if how.lines == ALWAYS:
        better = one
    # A narrow bell has few pixels with gradients: there it takes three times the peak over noise.
    if how.lines == CHOSEN and alone and w.radius >= ROOMY:
        enough = where(spread >= LEAST, nil + BRIGHT, 3.0 * BRIGHT)
        enough = enough * enough * where(noise < how.grain, how.grain, noise)
        better = where(amplitude * amplitude >= enough, where(spread <= SMALL, one, 0.0), 0.0)
    better = where(lit > 0.0, where(load_row(lane, ODD) > 0.0, nil, better), 0.0)
    better = where(oval, nil, better)
    if edge:
        better = nil
    # What `radial_rows` needs is left in fields of `lane` that nothing reads after this.
    store(lane, TILT, slope)
    store(lane, SLOPE_X, back_x)
    store(lane, SLOPE_Y, back_y)
    store(lane, OPEN, where(better > 0.0, where(pixel > 0.0, pixel, -1.0), -1.0))
    found = 0
    for k in range(lane_count(lane)):
        if lane[OPEN, k] > 0.0:
            found = 1
    return found


@loop
def radial_rows(found: LANES, lane: LANES, out: LANES) -> int:
    """Put centres by radial symmetry (`found` by `radial_lanes`) into the columns where they are better."""
    pixel = load_row(lane, OPEN)
    good = where(pixel > 0.0, load_row(found, 3), 0.0)
    error = sqrt(pixel * load_row(found, 2) + load_row(lane, TILT))
    # Radial symmetry starts from the same pixels, whose ground was made level: the slope is put back here, too.
    store(out, 0, where(good > 0.0, load_row(found, 0) + load_row(lane, SLOPE_X), load_row(out, 0)))
    store(out, 1, where(good > 0.0, load_row(found, 1) + load_row(lane, SLOPE_Y), load_row(out, 1)))
    store(out, 8, where(good > 0.0, where(error < SETTLED, SETTLED, error), load_row(out, 8)))
    store(out, 9, where(good > 0.0, load_row(out, 9) * load_row(lane, GROUND), load_row(out, 9)))
    return 0


@loop
def written(ids: I64, filled: int, lane: LANES, columns: LANES, noises: F64, count: int, rows: F64) -> int:
    """Write the rows and NOISES of the first lanes, but of those that are ODD."""
    for k in range(filled):
        if lane[ODD, k] == 0.0:
            o = COLUMNS * ids[k]
            rows[o] = float(columns[0, k]) + float(lane[MIDDLE_X, k])
            rows[o + 1] = float(columns[1, k]) + float(lane[MIDDLE_Y, k])
            for c in range(2, GRAYS):
                rows[o + c] = columns[c, k]
            for c in range(NOISES):
                noises[c * count + ids[k]] = columns[NOTED + c, k]
    return 0
