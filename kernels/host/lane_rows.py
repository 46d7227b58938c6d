"""The rows of eight blobs, a lane each: `centre_rows.row_of`, number by number."""

from __future__ import annotations

from kernels.host.centre_rows import ALWAYS, BESIDE, BRIGHT, CHOSEN, LEAST, ROOMY, SMALL
from kernels.host.centroid_loops import SETTLED, TWO_PI
from kernels.host.lane_loops import (
    AMPLITUDE,
    FLAT,
    LEVEL,
    MASS,
    MIDDLE_X,
    MIDDLE_Y,
    NOISE,
    ODD,
    OPEN,
    PEAK,
    REST,
    SHARP,
    SPREAD,
    START_X,
    START_Y,
    TILT,
    TOTAL,
    WHOLE,
    X,
    Y,
)  # fmt: skip
from kernels.host.lane_shape import HIGH, XX, XY, YY, M
from kernels.host.loops import F64, I64, at, eight, loop, put, sqrt, vec, where

COLUMNS = 9
LEAST_OF_ALL = 1e-300


@loop
def variance_eight(ring: F64, residual: F64, freedom: F64, out: F64) -> int:
    """`centre_rows.variance_of`, into `out`."""
    r, left, free = vec(ring, 0), vec(residual, 0), vec(freedom, 0)
    excess = left / where(r < LEAST_OF_ALL, LEAST_OF_ALL, r)
    excess = where(excess < 0.6, 0.6, excess)
    excess = where(excess > 1e3, 1e3, excess)
    half, rest = free * 0.5, 10.0 - free
    more = where(rest > half, rest, half) / (excess * excess * excess)
    every = more + free
    least, most = every * 0.4, every - 2.0 * free / every
    put(out, 0, (more * r + free * left) / where(least > most, least, most))
    return 0


@loop
def rows_eight(edge: int, alone: int, sigma: float, radius: int, grain: float, nothing: float, lines: int, shapes: int,
               lane: F64, shape: F64, out: F64) -> int:  # fmt: skip
    """The nine columns into `out`, a vector each, and whether radial symmetry is better for some: OPEN of these becomes
    the variance of a pixel, that of others -1; TILT the variance of the place by the ground's slope.

    What errors follow from is that of `summed_eight`; at an `edge` that of `errors_eight`.
    `shape`: what `shape_eight` gives. `out`: 96 numbers.
    """
    mass, total = vec(lane, MASS), vec(lane, TOTAL)
    amplitude, spread = vec(lane, AMPLITUDE), vec(lane, SPREAD)
    level, noise, flat, sharp = vec(lane, LEVEL), vec(lane, NOISE), vec(lane, FLAT), vec(lane, SHARP)
    lit = where(mass > 0.0, where(amplitude > 0.0, where(total > 0.0, 1.0, 0.0), 0.0), 0.0)
    square, own = spread * spread, sigma * sigma
    wide = square + own
    free = total * total / where(sharp < LEAST_OF_ALL, LEAST_OF_ALL, sharp)
    rest = free - 4.0
    some = where(total < LEAST_OF_ALL, LEAST_OF_ALL, total)
    residual = vec(lane, REST) * 2.0 / some * free / where(rest < 1.0, 1.0, rest)
    part = square / wide
    light = amplitude * TWO_PI * own * part * (1.0 - part)
    # Where a dark blob hides the light it hides its shot noise: as far as it does where the centre comes from.
    core = square * 2.0 / (square * 2.0 + own)
    dark = where(level < 0.0, where(amplitude <= -level, 1.0, 0.0), 0.0)
    hidden = flat * (1.0 + core * core * (amplitude / where(dark > 0.0, level, 1.0)))
    ring = where(dark > 0.0, hidden, flat)
    put(out, 0, where(ring < grain, grain, ring))
    rest = free * 0.5 - 2.0
    if edge:
        residual, rest = eight(0.0) + vec(lane, REST), eight(0.0) + vec(lane, SHARP)
    put(out, 8, residual)
    put(out, 16, where(rest < 1.0, 1.0, rest))
    variance_eight(out, at(out, 8), at(out, 16), at(out, 24))
    pixel = eight(0.0) + vec(out, 24)
    # A slope pulls the centre: all of it where the blob's light adds to it, what is beside where the blob covers it.
    pull = wide * BESIDE * wide / (square * amplitude)
    slope = vec(lane, TILT) * 0.5 * pull * pull
    ratio = total / light
    error = sqrt(pixel * 0.5 / total * ratio * ratio + slope)
    if edge:
        error = sqrt(pixel * vec(lane, WHOLE) + slope)
        error = where(error < float(radius), error, float(radius))  # farther from its start it were lost
    put(out, 0, where(lit > 0.0, vec(lane, X), vec(lane, START_X)))
    put(out, 8, where(lit > 0.0, vec(lane, Y), vec(lane, START_Y)))
    put(out, 16, mass)
    put(out, 24, vec(lane, PEAK))
    put(out, 32, square * 4.355172180607204)  # pi 2 ln 2
    put(out, 40, square)
    put(out, 48, eight(0.0))
    put(out, 56, square)
    put(out, 64, where(lit > 0.0, where(error < SETTLED, SETTLED, error), nothing))
    if shapes:
        told = where(lit > 0.0, where(vec(shape, M) > 0.0, where(vec(shape, XX) > 0.0, vec(shape, YY), 0.0), 0.0), 0.0)
        put(out, 16, where(told > 0.0, vec(shape, M), mass))
        put(out, 24, where(told > 0.0, vec(shape, HIGH), vec(lane, PEAK)))
        put(out, 32, where(told > 0.0, 0.0, vec(out, 32)))
        put(out, 40, where(told > 0.0, vec(shape, XX), square))
        put(out, 48, where(told > 0.0, vec(shape, XY), 0.0))
        put(out, 56, where(told > 0.0, vec(shape, YY), square))
    better = eight(0.0)
    if lines == ALWAYS:
        better = eight(1.0)
    if lines == CHOSEN and alone and radius >= ROOMY:
        enough = where(spread >= LEAST, BRIGHT, 3.0 * BRIGHT)
        enough = enough * enough * where(noise < grain, grain, noise)
        better = where(amplitude * amplitude >= enough, where(spread <= SMALL, 1.0, 0.0), 0.0)
    better = where(lit > 0.0, where(vec(lane, ODD) > 0.0, 0.0, better), 0.0)
    if edge:
        better = eight(0.0)
    put(lane, TILT, slope)
    put(lane, OPEN, where(better > 0.0, where(pixel > 0.0, pixel, -1.0), -1.0))
    found = 0
    for k in range(8):
        if lane[OPEN + k] > 0.0:
            found = 1
    return found


@loop
def radial_rows(found: F64, lane: F64, out: F64) -> int:
    """Put centres by radial symmetry (`found` by `radial_eight`) into the columns where they are better."""
    pixel = vec(lane, OPEN)
    good = where(pixel > 0.0, vec(found, 24), 0.0)
    error = sqrt(pixel * vec(found, 16) + vec(lane, TILT))
    put(out, 0, where(good > 0.0, vec(found, 0) + vec(lane, MIDDLE_X), vec(out, 0)))
    put(out, 8, where(good > 0.0, vec(found, 8) + vec(lane, MIDDLE_Y), vec(out, 8)))
    put(out, 64, where(good > 0.0, where(error < SETTLED, SETTLED, error), vec(out, 64)))
    return 0


@loop
def written(ids: I64, filled: int, lane: F64, columns: F64, rows: F64) -> int:
    """Write the rows of the first lanes, but of those that are ODD."""
    for k in range(filled):
        if lane[ODD + k] == 0.0:
            o = COLUMNS * ids[k]
            for c in range(COLUMNS):
                rows[o + c] = columns[8 * c + k]
    return 0
