"""The light of a frame: when the masses of all things change together, a lamp did it and nothing is hidden."""

from __future__ import annotations

from kernels.loops.language import loop
from pipelines.trackers.association.model import LIGHT_STEP, MASS_WANDER
from pipelines.trackers.association.records import Detections, Population, Settings, Tracks, Work


@loop
def lean_of(t: Tracks, count: int, d: Detections, s: Settings, w: Work) -> float:
    """Mean change of the masses of believed tracks that changed by MASS_WANDER at most."""
    whole, lean = 0, 0.0
    for i in range(count):
        j = w.found[i]
        if j >= 0 and t.hits[i] >= s.min_hits and t.mass[i] > 0.0 and d.mass[j] > 0.0:
            change = d.mass[j] / t.mass[i] - 1.0
            if change >= -MASS_WANDER and change <= MASS_WANDER:
                lean += change
                whole += 1
    return float(lean / float(max(whole, 1)))


@loop
def learn_light(t: Tracks, count: int, d: Detections, m: int, s: Settings, p: Population, w: Work) -> int:
    """From the detections of the first association, of two believed tracks at least: the mean of their masses over the
    running ones, each of which counts up to LIGHT_STEP (Huber's M-estimator), where their median has changed by more
    than MASS_WANDER, so that few hidden or merged ones do not move it. Masses of this frame are divided by it; it is
    `p.light` from the next frame on. `p.lean` is the mean change of what is left: of a mass that is off by less,
    nothing need be hidden."""
    many, darker, brighter, whole, total, lean = 0, 0, 0, 0, 0.0, 0.0
    for i in range(count):
        j = w.found[i]
        if j >= 0 and t.hits[i] >= s.min_hits and t.mass[i] > 0.0 and d.mass[j] > 0.0:
            change = d.mass[j] / t.mass[i] - 1.0
            darker += int(change < -MASS_WANDER)
            brighter += int(change > MASS_WANDER)
            total += min(max(change, -LIGHT_STEP), LIGHT_STEP)
            many += 1
            if change >= -MASS_WANDER and change <= MASS_WANDER:
                lean += change
                whole += 1
    p.next_light = p.light
    if many >= 2 and 2 * max(darker, brighter) > many:
        factor = 1.0 + total / float(many)
        p.next_light = p.light * factor
        for j in range(m):
            d.mass[j] = d.mass[j] / factor
        lean, whole = lean_of(t, count, d, s, w), 1
    p.lean = lean / float(whole) if whole > 0 else 0.0
    return 0
