"""What a mass that departs from its usual value says: part of the thing is hidden, or two things are one detection."""

from __future__ import annotations

from kernels.loops.language import loop
from kernels.loops.logarithm import log
from pipelines.trackers.association.model import (
    CUT,
    DOUBLED,
    DOUBLED_SHIFT,
    HIDDEN_SHIFT,
    LONGER,
    MASS_CAP,
    MASS_SPREAD,
    MASS_WANDER,
    RATE,
    STRANGE_RATE,
    SURPRISE,
    YOUNG,
)
from pipelines.trackers.association.records import Detections, Population, Settings, Tracks


@loop
def shift2(t: Tracks, i: int, d: Detections, j: int) -> float:
    """Variance (px^2) by which the centre of a detection may be off the thing, beside its own.

    Its mass says that part of it is hidden, or that two are one; its place, that the picture's border cuts it.
    """
    ratio = ratio_of(t, i, d.mass[j])
    shift = HIDDEN_SHIFT * max(1.0 - ratio - MASS_WANDER, 0.0) * t.width[i]
    return float(shift * shift + doubled2(t, i, ratio) + d.cut[j])


@loop
def doubled2(t: Tracks, i: int, ratio: float) -> float:
    """Variance (px^2) by which the centre of a detection is off the thing that weighs like two."""
    shift = DOUBLED_SHIFT * min(max(ratio - DOUBLED, 0.0), 1.0) * t.width[i]
    return float(shift * shift)


@loop
def lengthening(t: Tracks, i: int, d: Detections, j: int, p: Population) -> float:
    """Variance (px^2) by which the centre of a young track's detection may be off because two things are one since it
    began, which its mass cannot tell: the middle of two equal ones at -s and s is off each by s, and has a second
    moment larger by s^2. Noise that moves a centre by sigma moves the moment by sqrt(2) width sigma."""
    moment = d.width[j] * d.width[j]
    longer, noise2 = moment - LONGER * p.long_moment, 2.0 * p.moment * d.variance[j]
    long = t.hits[i] < YOUNG and p.long_moment > 0.0 and longer > 0.0 and longer * longer > SURPRISE * noise2
    return moment - p.moment if long else 0.0


@loop
def ratio_of(t: Tracks, i: int, mass: float) -> float:
    """A mass in units of the track's; 1 where one of them is unknown."""
    known = t.mass[i] > 0.0 and mass > 0.0
    return mass / t.mass[i] if known else 1.0


@loop
def is_whole(ratio: float) -> int:
    """Whether a ratio of masses is that of a single thing of which nothing is hidden."""
    return 1.0 - ratio <= MASS_WANDER and ratio <= DOUBLED


@loop
def mass_cost(t: Tracks, i: int, mass: float) -> float:
    """Minus the log likelihood of a mass: of a track that was seen in the last frame by its running mass or by its last
    one, of one that comes back by the former, unless it is lighter (it may come back half hidden)."""
    if t.mass[i] <= 0.0 or mass <= 0.0:
        return 0.0
    usual = log(mass / t.mass[i]) / MASS_SPREAD
    step = max(usual, 0.0)
    if t.missed[i] <= 0.0:
        step = log(mass / t.last_mass[i]) / MASS_SPREAD
    return float(min(0.5 * min(usual * usual, step * step), MASS_CAP))


@loop
def follow_mass(t: Tracks, i: int, d: Detections, j: int, ratio: float, s: Settings) -> int:
    """Running mass and width after a sighting (`hits` counts it): they follow what is usual, and hardly a mass that
    falls; a first sighting that was half hidden is made up for, and what comes into the picture gets as heavy as it
    is."""
    mass = d.mass[j]
    if mass <= 0.0:
        return 0
    hits, rate = t.hits[i], RATE
    # A plain mean of the first 1 / RATE sightings, an exponential one after: the first mass alone would weigh for long.
    if hits * RATE < 1.0:
        rate = 1.0 / hits
    if rate <= RATE and ratio < 1.0 and not is_whole(ratio):
        rate = STRANGE_RATE
    rate = max(rate * (1.0 - d.hidden[j]), STRANGE_RATE)
    # What the border still cuts has been too light so far. A mean would lag behind, and the thing, once whole, would
    # weigh like two in one detection.
    margin = CUT * t.width[i]
    entering = d.x[j] < margin or d.y[j] < margin or d.x[j] > s.right - margin or d.y[j] > s.bottom - margin
    if t.mass[i] <= 0.0 or (entering and ratio - 1.0 > MASS_WANDER):
        rate = 1.0
    t.mass[i] = t.mass[i] + rate * (mass - t.mass[i])
    t.last_mass[i] = mass
    if d.width[j] > 0.0:
        t.width[i] = t.width[i] + min(rate, RATE) * (d.width[j] - t.width[i])
    return 0
