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
from pipelines.trackers.association.masses import doubled2, ratio_of
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
NEVER = -1000.0  # logarithm of what is impossible


@loop
def narrow_axis(d: Detections, j: int) -> int:
    """The unit vector along the smaller second moment of a detection, along x where they are equal."""
    rho = sqrt(d.longer[j] * d.longer[j] + d.skew[j] * d.skew[j])
    cos2 = -d.longer[j] / rho if rho > 0.0 else 1.0
    across = sqrt(max(0.5 * (1.0 - cos2), 0.0))
    d.axis_x[j], d.axis_y[j] = sqrt(max(0.5 * (1.0 + cos2), 0.0)), -across if d.skew[j] > 0.0 else across
    return 0


@loop
def normalise(logs: F64) -> float:
    """From the logarithms of WAYS weights to their shares; returns the logarithm of their sum."""
    most, total = logs[0], 0.0
    for k in range(WAYS):
        most = max(most, logs[k])
    for k in range(WAYS):
        logs[k] = logs[k] - most
    exponentials(as_f64_rows(logs), 1)
    for k in range(WAYS):
        total += logs[k]
    for k in range(WAYS):
        logs[k] = logs[k] / total
    return float(most + log(total))


@loop
def judge_shape(t: Tracks, i: int, d: Detections, j: int, missing: float, noise: float, logs: F64) -> int:
    """The logarithm of the weight of each way by the mass and the moments of a detection, but for a common factor.

    The difference of the two moments of a round spot is that of noise (Rayleigh's distribution), that of a hidden one
    is HIDDEN_NARROWS of the moment besides (Rice's).
    """
    usual = t.width[i] * t.width[i]
    unit = HIDDEN_NARROWS / (MOMENT_NOISE * d.variance[j])
    z = 2.0 * sqrt(d.longer[j] * d.longer[j] + d.skew[j] * d.skew[j]) * unit
    narrow = z * z / (4.0 + z) - 0.5 * HIDDEN_NARROWS * usual * unit  # log(I0(z)) nearly, less what is expected of it
    narrow = min(max(narrow, -8.0), 8.0)
    logs[0], logs[1] = 0.0, 0.0
    logs[2] = -min(2.0 * z, 4.0)
    logs[3] = logs[2]
    squares = min(missing * missing / (noise * noise), 1000.0)
    logs[WHOLE] = log(HIDDEN / (ROOT_TWO_PI * noise * HIDDEN_SHARE)) - 0.5 * squares - narrow
    logs[FAINTER] = log(HIDDEN * FAINT / (HIDDEN_SHARE * t.hits[i] * t.hits[i])) - narrow
    logs[TURNING], logs[7] = logs[FAINTER], NEVER
    return 0


@loop
def lacks_mass(t: Tracks, i: int, d: Detections, j: int, p: Population) -> int:
    """Whether more of a track's mass is missing than a detection scatters by mostly, so that a part may be hidden."""
    missing, width, hits = (1.0 - ratio_of(t, i, d.mass[j])) * t.width[i], t.width[i], t.hits[i]
    if missing <= 0.0 or hits < 2.0:
        return 0
    scatter = MASS_NOISE * MASS_NOISE * d.variance[j] * (hits + 1.0) + p.lean * p.lean * width * width * hits
    return int(missing * missing * hits > LACKS2 * scatter)


@loop
def uncover(t: Tracks, i: int, d: Detections, j: int, p: Population, w: Work) -> float:
    """Minus the log likelihood of the place of a track's detection that lacks mass.

    Fills d.off_x, d.off_y, by how far its centre is likely to be beside the thing's, px; d.off2, the variance of that
    on each axis; d.hidden, the probability that part of it is hidden; d.doubt2, the variance along the narrow axis of
    what is the same in the next frames, too, and is not averaged away.
    """
    ex, ey, missing = d.x[j] - t.x[i], d.y[j] - t.y[i], 1.0 - ratio_of(t, i, d.mass[j])
    whole = t.p00[i] + d.variance[j] + d.cut[j] + doubled2(t, i, d, j)
    noise = MASS_NOISE * sqrt(d.variance[j] * (1.0 + 1.0 / t.hits[i])) / t.width[i]
    noise = sqrt(noise * noise + p.lean * p.lean)
    shift = HIDDEN_SHIFT * missing * t.width[i]
    spread2 = HIDDEN_SPREAD * HIDDEN_SPREAD * shift * shift
    narrow_axis(d, j)
    judge_shape(t, i, d, j, missing, noise, w.shape)
    for k in range(WAYS):
        way = shift if k % 2 == 0 else -shift
        x = d.axis_x[j] if k < 2 else -d.axis_y[j]
        y = d.axis_y[j] if k < 2 else d.axis_x[j]
        dx, dy = ex - (way * x if k < HIDDEN else 0.0), ey - (way * y if k < HIDDEN else 0.0)
        variance = whole + (spread2 if k < HIDDEN else FIRST_SPEED * FIRST_SPEED if k == TURNING else 0.0)
        w.place[k] = w.shape[k] - 0.5 * (dx * dx + dy * dy) / variance - log(variance)
    cost = normalise(w.shape) - normalise(w.place)
    hidden, expected = 0.0, 0.0
    for k in range(HIDDEN):
        hidden += w.place[k]
        expected += w.shape[k]
    along, across = shift * (w.place[0] - w.place[1]), shift * (w.place[2] - w.place[3])
    d.off_x[j] = along * d.axis_x[j] - across * d.axis_y[j]
    d.off_y[j] = along * d.axis_y[j] + across * d.axis_x[j]
    d.off2[j] = hidden * spread2 + 0.5 * max(hidden * shift * shift - along * along - across * across, 0.0)
    d.hidden[j], d.doubt2[j] = max(hidden, expected), hidden * spread2 + (1.0 - hidden) * expected * shift * shift
    return float(cost + log(TWO_PI))
