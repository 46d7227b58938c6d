"""The Kalman filter of a track: constant velocity, one covariance [[p00, p01], [p01, p11]] for both axes."""

from __future__ import annotations

from kernels.loops.language import load, loop, splat, store
from pipelines.trackers.association.model import LEAST_SCALE, MOST_SCALE, RATE, SURPRISE
from pipelines.trackers.association.records import Settings, Tracks


@loop
def predict(t: Tracks, count: int, dt: float, s: Settings) -> int:
    """All tracks to `dt` frames later, in one step however long: x' = x + v dt; white-noise acceleration of spectral
    density (acceleration scale)^2. Vectors go over rows behind the last."""
    third, half = dt * dt * dt / 3.0, dt * dt / 2.0
    for i in range(0, count, 8):
        store(t.x, i, load(t.x, i) + load(t.vx, i) * dt)
        store(t.y, i, load(t.y, i) + load(t.vy, i) * dt)
        # The noise is integrated over dt, so that one step over a gap says what as many single steps would, but for
        # rounding.
        q = load(t.scale, i) * s.acceleration
        q2, p01, p11 = q * q, load(t.p01, i), load(t.p11, i)
        store(t.p00, i, load(t.p00, i) + (p01 * (2.0 * dt) + p11 * (dt * dt) + q2 * third))
        store(t.p01, i, p01 + p11 * dt + q2 * half)
        store(t.p11, i, p11 + q2 * dt)
        store(t.gap, i, load(t.gap, i) + dt)
        store(t.uneven, i, splat(0.0))
        store(t.score, i, splat(0.0))
        store(t.twin, i, load(t.twin, i) * (1.0 - RATE))
        store(t.doubt2, i, splat(0.0))
    return 0


@loop
def correct(t: Tracks, i: int, ex: float, ey: float, h: float, variance: float) -> int:
    """By a measurement h x + noise.

    Args:
        ex, ey: innovation, px.
        h: observation; 1 for a plain sighting, a share for a merged one.
        variance: of the innovation, px^2.
    """
    # The gain is the same on both axes, as their covariance is: a filter of two states serves four.
    p00, p01 = t.p00[i], t.p01[i]
    part = h / variance
    k0, k1 = p00 * part, p01 * part
    t.x[i], t.y[i] = t.x[i] + k0 * ex, t.y[i] + k0 * ey
    t.vx[i], t.vy[i] = t.vx[i] + k1 * ex, t.vy[i] + k1 * ey
    t.p00[i] = p00 - h * k0 * p00
    t.p01[i] = p01 - h * k0 * p01
    t.p11[i] = t.p11[i] - h * k1 * p01
    return 0


@loop
def adapt(t: Tracks, i: int, innovation: float) -> int:
    """Scale of the process noise from the normalised innovation squared of both axes (2 on average if it is right)."""
    change = 1.0 + RATE * (0.5 * min(innovation, SURPRISE) - 1.0)
    t.scale[i] = min(max(t.scale[i] * change, LEAST_SCALE), MOST_SCALE)
    return 0


@loop
def doubt(t: Tracks, i: int, innovation: float) -> int:
    """Raise the prediction's covariance until a SURPRISE is plausible: a motion that is none of the model's."""
    more = innovation / SURPRISE
    t.p00[i], t.p01[i], t.p11[i] = t.p00[i] * more, t.p01[i] * more, t.p11[i] * more
    return 0
