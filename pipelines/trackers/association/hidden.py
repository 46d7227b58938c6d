"""Where the centre of a thing is that an edge hides in part.

Of a Gaussian spot the part that is left of its mass says how far the centre of that part is off, and an edge pushes it
along its own normal, along which the spot is narrower than it was (moments of the truncated normal distribution:
Johnson, Kotz, Balakrishnan: Continuous Univariate Distributions 1, 1994, 13.10.1). Which way, the prediction tells. So
the measurement noise is a sum of Gaussians (Sorenson, Alspach, Automatica 7, 465, 1971), one for each WAY: either way
along the narrow axis and across it, hidden; whole, with a mass that scatters as detections do; whole and fainter than
the track's mass says, which a young track may not know yet; the same, but turning. Its mean is taken off the detection
and its variance added.

Few things of a frame lack mass: they are listed first and then worked out eight at a time, a lane each.
"""

from __future__ import annotations

from kernels.loops.exponential import exponentials
from kernels.loops.language import as_f64_rows, clear_lowest_bit, ctz, gather, load, loop, mask, sqrt, store, where
from pipelines.trackers.association.model import (
    FAINT,
    FIRST_SPEED,
    HIDDEN_NARROWS,
    HIDDEN_SHARE,
    HIDDEN_SHIFT,
    HIDDEN_SPREAD,
    LACKS2,
    MASS_NOISE,
    MOMENT_NOISE,
)
from pipelines.trackers.association.records import Detections, Pairs, Population, Tracks, Work

TWO_PI, ROOT_TWO_PI = 6.283185307179586, 2.5066282746310002
WAYS = 4.0
"""The ways in which a thing may be hidden, as likely as one another beforehand."""
BY_SHAPE, WEIGHTS = 56, 88
"""Of the weights that are worked in, where those by the shape alone begin, behind seven vectors of those by place; and
how many there are."""


@loop
def filled(q: Pairs, many: int) -> int:
    """The lists of pairs filled up with their last one, so that eight at a time can be looked at."""
    for k in range(many, many + 8):
        q.hider[k], q.hides[k] = q.hider[many - 1], q.hides[many - 1]
    return many


@loop
def lacking(t: Tracks, d: Detections, p: Population, q: Pairs, many: int) -> int:
    """Of the lists q.hider, q.hides, q.pair of `many` pairs leave those in which more of the track's mass is missing
    than a detection scatters by mostly, so that a part may be hidden. Returns how many."""
    kept = 0
    for first in range(0, filled(q, many) if many > 0 else 0, 8):
        usual, mass = gather(t.mass, q.hider, first), gather(d.mass, q.hides, first)
        width, hits = gather(t.width, q.hider, first), gather(t.hits, q.hider, first)
        missing = (1.0 - mass / where(usual > 0.0, usual, 1.0)) * width
        scatter = MASS_NOISE * MASS_NOISE * gather(d.variance, q.hides, first) * (hits + 1.0)
        scatter = scatter + p.lean * p.lean * width * width * hits
        word = mask(missing * missing * hits > LACKS2 * scatter) & mask(missing > 0.0) & mask(hits >= 2.0)
        word = word & mask(usual > 0.0) & mask(mass > 0.0) & ((1 << min(many - first, 8)) - 1)
        while word != 0:
            k = first + ctz(word)
            word = clear_lowest_bit(word)
            q.hider[kept], q.hides[kept], q.pair[kept] = q.hider[k], q.hides[k], q.pair[k]
            kept += 1
    return kept


@loop
def uncover(t: Tracks, d: Detections, p: Population, q: Pairs, many: int, w: Work) -> int:
    """Where the centres of detections that lack mass are likely to be.

    Args:
        q: `many` of them: track q.hider, detection q.hides. Filled: q.likely and q.likelier, minus the log likelihood
            of the detection's place and the factor of which the logarithm is to be added to that.

    Of each detection it fills d.off_x, d.off_y, by how far its centre is likely to be beside the thing's, px; d.off2,
    the variance of that on each axis; d.hidden, the probability that part of it is hidden; d.doubt2, the variance along
    the narrow axis of what is the same in the next frames, too, and is not averaged away.

    The difference of the two moments of a round spot is that of noise (Rayleigh's distribution), that of a hidden one
    is HIDDEN_NARROWS of the moment besides (Rice's).
    """
    for first in range(0, filled(q, many) if many > 0 else 0, 8):
        variance, hits, width = gather(d.variance, q.hides, first), gather(t.hits, q.hider, first), gather(
            t.width, q.hider, first)  # fmt: skip
        ex = gather(d.x, q.hides, first) - gather(t.x, q.hider, first)
        ey = gather(d.y, q.hides, first) - gather(t.y, q.hider, first)
        missing = 1.0 - gather(d.mass, q.hides, first) / gather(t.mass, q.hider, first)
        whole = gather(t.p00, q.hider, first) + variance + gather(d.cut, q.hides, first)
        noise = MASS_NOISE * sqrt(variance * (1.0 + 1.0 / hits)) / width
        noise = sqrt(noise * noise + p.lean * p.lean)
        shift = HIDDEN_SHIFT * missing * width
        spread2 = HIDDEN_SPREAD * HIDDEN_SPREAD * shift * shift
        # The unit vector along the smaller second moment, along x where they are equal.
        longer, skew = gather(d.longer, q.hides, first), gather(d.skew, q.hides, first)
        rho = sqrt(longer * longer + skew * skew)
        cos2 = where(rho > 0.0, -longer / where(rho > 0.0, rho, 1.0), 1.0)
        axis_x, axis_y = 0.5 * (1.0 + cos2), 0.5 * (1.0 - cos2)
        axis_x, axis_y = sqrt(where(axis_x > 0.0, axis_x, 0.0)), sqrt(where(axis_y > 0.0, axis_y, 0.0))
        axis_y = where(skew > 0.0, -axis_y, axis_y)
        # The exponents of the ways' weights by mass and shape, besides how likely they are beforehand.
        unit = HIDDEN_NARROWS / (MOMENT_NOISE * variance)
        z = 2.0 * rho * unit
        narrow = z * z / (4.0 + z) - 0.5 * HIDDEN_NARROWS * (width * width) * unit  # log(I0(z)) nearly, less its mean
        narrow = where(narrow > -8.0, narrow, -8.0)
        wide = -where(narrow < 8.0, narrow, 8.0)
        turned, lack = -where(2.0 * z < 4.0, 2.0 * z, 4.0), missing * missing / (noise * noise)
        lack = -0.5 * where(lack < 1000.0, lack, 1000.0) + wide
        likely = where(wide > 0.0, wide, 0.0)
        store(w.weight, BY_SHAPE, 0.0 - likely)
        store(w.weight, BY_SHAPE + 8, turned - likely)
        store(w.weight, BY_SHAPE + 16, lack - likely)
        store(w.weight, BY_SHAPE + 24, wide - likely)
        # The same with the place: hidden along the axis and across it, whole, fainter, fainter and turning.
        beside, at_it, after = 1.0 / (whole + spread2), 1.0 / whole, 1.0 / (whole + FIRST_SPEED * FIRST_SPEED)
        squares = ex * ex + ey * ey
        far = squares + shift * shift
        along = 2.0 * shift * (ex * axis_x + ey * axis_y)
        across = 2.0 * shift * (ey * axis_x - ex * axis_y)
        ahead, behind = -0.5 * beside * (far - along), -0.5 * beside * (far + along)
        left, right = -0.5 * beside * (far - across) + turned, -0.5 * beside * (far + across) + turned
        alone, faint = -0.5 * squares * at_it + lack, -0.5 * squares * at_it + wide
        turning = -0.5 * squares * after + wide
        nearest = where(behind > ahead, behind, ahead)
        nearest = where(left > nearest, left, nearest)
        nearest = where(right > nearest, right, nearest)
        nearest = where(alone > nearest, alone, nearest)
        nearest = where(faint > nearest, faint, nearest)
        nearest = where(turning > nearest, turning, nearest)
        store(w.weight, 0, ahead - nearest)
        store(w.weight, 8, behind - nearest)
        store(w.weight, 16, left - nearest)
        store(w.weight, 24, right - nearest)
        store(w.weight, 32, alone - nearest)
        store(w.weight, 40, faint - nearest)
        store(w.weight, 48, turning - nearest)
        exponentials(as_f64_rows(w.weight), 11)
        chance = WAYS / (ROOT_TWO_PI * noise * HIDDEN_SHARE)
        fainter = WAYS * FAINT / (HIDDEN_SHARE * hits * hits)
        one, other = load(w.weight, BY_SHAPE), load(w.weight, BY_SHAPE + 8)
        expected, faint = one + one + other + other, load(w.weight, BY_SHAPE + 24)
        by_shape = expected + chance * load(w.weight, BY_SHAPE + 16) + fainter * (faint + faint)
        ahead, behind, left, right = load(w.weight, 0), load(w.weight, 8), load(w.weight, 16), load(w.weight, 24)
        hidden = beside * (ahead + behind + left + right)
        by_place = hidden + at_it * (chance * load(w.weight, 32) + fainter * load(w.weight, 40))
        by_place = by_place + after * fainter * load(w.weight, 48)
        hidden, expected, part = hidden / by_place, expected / by_shape, shift * beside / by_place
        along, across = part * (ahead - behind), part * (left - right)
        rest = hidden * shift * shift - along * along - across * across
        store(q.likely, first, likely - nearest)
        store(q.likelier, first, TWO_PI * by_shape / by_place)
        store(w.weight, 0, along * axis_x - across * axis_y)
        store(w.weight, 8, along * axis_y + across * axis_x)
        store(w.weight, 16, hidden * spread2 + 0.5 * where(rest > 0.0, rest, 0.0))
        store(w.weight, 24, where(expected > hidden, expected, hidden))
        store(w.weight, 32, hidden * spread2 + (1.0 - hidden) * expected * shift * shift)
        store(w.weight, 40, axis_x)
        store(w.weight, 48, axis_y)
        for k in range(8):
            j = q.hides[first + k]
            d.off_x[j], d.off_y[j], d.off2[j] = w.weight[k], w.weight[8 + k], w.weight[16 + k]
            d.hidden[j], d.doubt2[j] = w.weight[24 + k], w.weight[32 + k]
            d.axis_x[j], d.axis_y[j] = w.weight[40 + k], w.weight[48 + k]
    return 0
