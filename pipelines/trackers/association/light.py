"""The light of a frame: when the masses of all things change together, a lamp did it and nothing is hidden."""

from __future__ import annotations

from kernels.host.loops import loop
from pipelines.trackers.association.model import LIGHT_STEP, MASS_WANDER
from pipelines.trackers.association.records import Detections, Population, Settings, Tracks, Work


@loop
def learn_light(t: Tracks, count: int, d: Detections, m: int, s: Settings, p: Population, w: Work) -> int:
    """From the detections of the first association, of two believed tracks at least: the mean of their masses over the
    running ones, each of which counts up to LIGHT_STEP (Huber's M-estimator), so that few hidden or merged ones do not
    move it. Masses of this frame are divided by it; it is `p.light` from the next frame on."""
    many, total = 0.0, 0.0
    for i in range(count):
        j = w.found[i]
        if j >= 0 and t.hits[i] >= s.min_hits and t.mass[i] > 0.0 and d.mass[j] > 0.0:
            total += min(max(d.mass[j] / t.mass[i] - 1.0, -LIGHT_STEP), LIGHT_STEP)
            many += 1.0
    p.next_light = p.light
    if many >= 2.0 and abs(total) > MASS_WANDER * many:
        change = 1.0 + total / many
        p.next_light = p.light * change
        for j in range(m):
            d.mass[j] = d.mass[j] / change
    return 0
