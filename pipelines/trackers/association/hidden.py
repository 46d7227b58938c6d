"""Where the centre of a thing is that an edge hides in part.

Of a Gaussian spot the part that is left of its mass says how far the centre of that part is off, and an edge pushes it
along its own normal, along which the spot is narrower than it was (moments of the truncated normal distribution:
Johnson, Kotz, Balakrishnan: Continuous Univariate Distributions 1, 1994, 13.10.1). Which way, the prediction tells. So
the measurement noise is a sum of Gaussians (Sorenson, Alspach, Automatica 7, 465, 1971), one for each WAY: either way
along the narrow axis and across it, hidden; whole, with a mass that scatters as detections do; whole and fainter than
the track's mass says, which a young track may not know yet; the same, but turning. Its mean is taken off the detection
and its variance added.
"""

from __future__ import annotations

from kernels.loops.exponential import exponentials
from kernels.loops.language import F64, as_f64_rows, loop, sqrt
from kernels.loops.logarithm import log
from pipelines.trackers.association.masses import doubled2
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
from pipelines.trackers.association.records import Detections, Population, Tracks, Work

TWO_PI, ROOT_TWO_PI = 6.283185307179586, 2.5066282746310002
HIDDEN, WHOLE, FAINTER, TURNING, WAYS = 4, 4, 5, 6, 8
"""The first ways are hidden; which the next ones are; and how many there are, the last of which is impossible."""
NEVER = -1000.0  # exponent of what is impossible


@loop
def narrow_axis(d: Detections, j: int) -> int:
    """The unit vector along the smaller second moment of a detection, along x where they are equal."""
    rho = sqrt(d.longer[j] * d.longer[j] + d.skew[j] * d.skew[j])
    cos2 = -d.longer[j] / rho if rho > 0.0 else 1.0
    across = sqrt(max(0.5 * (1.0 - cos2), 0.0))
    d.axis_x[j], d.axis_y[j] = sqrt(max(0.5 * (1.0 + cos2), 0.0)), -across if d.skew[j] > 0.0 else across
    return 0


@loop
def relative(exponents: F64, most: float) -> int:
    """From WAYS exponents to e to each of them less `most`, the largest."""
    for k in range(WAYS):
        exponents[k] = exponents[k] - most
    exponentials(as_f64_rows(exponents), 1)
    return 0


@loop
def judge_shape(t: Tracks, i: int, d: Detections, j: int, missing: float, noise: float, exponents: F64) -> float:
    """The exponent of the weight of each way by the mass and the moments of a detection, besides how likely it is
    beforehand and a common factor. Returns the largest.

    The difference of the two moments of a round spot is that of noise (Rayleigh's distribution), that of a hidden one
    is HIDDEN_NARROWS of the moment besides (Rice's).
    """
    usual = t.width[i] * t.width[i]
    unit = HIDDEN_NARROWS / (MOMENT_NOISE * d.variance[j])
    z = 2.0 * sqrt(d.longer[j] * d.longer[j] + d.skew[j] * d.skew[j]) * unit
    narrow = z * z / (4.0 + z) - 0.5 * HIDDEN_NARROWS * usual * unit  # log(I0(z)) nearly, less what is expected of it
    narrow = min(max(narrow, -8.0), 8.0)
    across, squares = -min(2.0 * z, 4.0), min(missing * missing / (noise * noise), 1000.0)
    exponents[0], exponents[1], exponents[2], exponents[3] = 0.0, 0.0, across, across
    exponents[WHOLE], exponents[FAINTER] = -0.5 * squares - narrow, -narrow
    exponents[TURNING], exponents[7] = -narrow, NEVER
    return float(max(-narrow, 0.0))


@loop
def lacks_mass(t: Tracks, i: int, d: Detections, j: int, ratio: float, p: Population) -> int:
    """Whether more of a track's mass is missing than a detection scatters by mostly, so that a part may be hidden."""
    width, hits = t.width[i], t.hits[i]
    missing = (1.0 - ratio) * width
    if missing <= 0.0 or hits < 2.0:
        return 0
    scatter = MASS_NOISE * MASS_NOISE * d.variance[j] * (hits + 1.0) + p.lean * p.lean * width * width * hits
    return int(missing * missing * hits > LACKS2 * scatter)


@loop
def uncover(t: Tracks, i: int, d: Detections, j: int, ratio: float, p: Population, w: Work) -> float:
    """Minus the log likelihood of the place of a track's detection that lacks mass.

    Fills d.off_x, d.off_y, by how far its centre is likely to be beside the thing's, px; d.off2, the variance of that
    on each axis; d.hidden, the probability that part of it is hidden; d.doubt2, the variance along the narrow axis of
    what is the same in the next frames, too, and is not averaged away.
    """
    ex, ey, missing = d.x[j] - t.x[i], d.y[j] - t.y[i], 1.0 - ratio
    whole = t.p00[i] + d.variance[j] + d.cut[j] + doubled2(t, i, ratio)
    noise = MASS_NOISE * sqrt(d.variance[j] * (1.0 + 1.0 / t.hits[i])) / t.width[i]
    noise = sqrt(noise * noise + p.lean * p.lean)
    shift = HIDDEN_SHIFT * missing * t.width[i]
    spread2 = HIDDEN_SPREAD * HIDDEN_SPREAD * shift * shift
    narrow_axis(d, j)
    likely = judge_shape(t, i, d, j, missing, noise, w.shape)
    beside, at_it, turned = 1.0 / (whole + spread2), 1.0 / whole, 1.0 / (whole + FIRST_SPEED * FIRST_SPEED)
    squares = ex * ex + ey * ey
    far = squares + shift * shift
    along = 2.0 * shift * (ex * d.axis_x[j] + ey * d.axis_y[j])
    across = 2.0 * shift * (ey * d.axis_x[j] - ex * d.axis_y[j])
    w.place[0], w.place[1] = -0.5 * beside * (far - along), -0.5 * beside * (far + along)
    w.place[2], w.place[3] = -0.5 * beside * (far - across), -0.5 * beside * (far + across)
    w.place[WHOLE], w.place[FAINTER] = -0.5 * squares * at_it, -0.5 * squares * at_it
    w.place[TURNING], w.place[7] = -0.5 * squares * turned, 0.0
    nearest = w.place[0] + w.shape[0]
    for k in range(WAYS):
        w.place[k] = w.place[k] + w.shape[k]
        nearest = max(nearest, w.place[k])
    relative(w.shape, likely)
    relative(w.place, nearest)
    chance = HIDDEN / (ROOT_TWO_PI * noise * HIDDEN_SHARE)
    fainter = HIDDEN * FAINT / (HIDDEN_SHARE * t.hits[i] * t.hits[i])
    expected = w.shape[0] + w.shape[1] + w.shape[2] + w.shape[3]
    by_shape = expected + chance * w.shape[WHOLE] + fainter * (w.shape[FAINTER] + w.shape[TURNING])
    hidden = beside * (w.place[0] + w.place[1] + w.place[2] + w.place[3])
    by_place = hidden + at_it * (chance * w.place[WHOLE] + fainter * w.place[FAINTER])
    by_place += turned * fainter * w.place[TURNING]
    hidden, expected, part = hidden / by_place, expected / by_shape, shift * beside / by_place
    along, across = part * (w.place[0] - w.place[1]), part * (w.place[2] - w.place[3])
    d.off_x[j] = along * d.axis_x[j] - across * d.axis_y[j]
    d.off_y[j] = along * d.axis_y[j] + across * d.axis_x[j]
    d.off2[j] = hidden * spread2 + 0.5 * max(hidden * shift * shift - along * along - across * across, 0.0)
    d.hidden[j], d.doubt2[j] = max(hidden, expected), hidden * spread2 + (1.0 - hidden) * expected * shift * shift
    return float(likely - nearest + log(TWO_PI * by_shape / by_place))
