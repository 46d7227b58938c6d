"""Momentum: how well a detection lies in the direction in which the last sightings lead.

Observation-centric momentum (OC-SORT: Cao et al., CVPR 2023, section 4.2).

The velocity of a filter that is quick enough for turns is that of the last frame or two, and noisy. The direction from
the sighting DELTA places before the last one to the last is less so; where two things are near one another, a detection
in that direction is the likelier continuation. The cost of a pair is

    weight (1 - cos angle) / 2 * a^2 / (a^2 + SURE var a) * b^2 / (b^2 + SURE var b)

with a the way between those two sightings, b the one from the last to the detection, and the variance of each that the
noise of its ends makes: ways that are shorter than their noise have no direction. Unlike OC-SORT's the second begins at
the last sighting (there: at the earlier one, which makes every angle small).
"""

from __future__ import annotations

import numpy as np

from pipelines.features import Features
from pipelines.trackers.columns import Array, Columns
from pipelines.trackers.linking.unseen import PLACES

DELTA = 3
"""Sightings over which the direction is taken."""
SURE = 4.0


def momentum(t: Columns, who: Array, found: Features, noise: Array, weight: float) -> Array:
    """The cost of pairs, 0..weight.

    Args:
        t: columns of UNSEEN_COLUMNS.
        who: the track of each pair.
        found, noise: its feature, and the variance of that, px^2.
        weight: the cost of a turn back.
    """
    px, py, pvar, last = t["px"][who], t["py"][who], t["pvar"][who], t["places"][who] - 1
    slot = (last - np.minimum(DELTA, last)) % PLACES
    ax, ay = px - t["hx"][who, slot], py - t["hy"][who, slot]
    bx, by = found["x"] - px, found["y"] - py
    aa, bb = ax * ax + ay * ay, bx * bx + by * by
    both = aa * bb
    cosine = (ax * bx + ay * by) / np.sqrt(np.where(both > 0, both, 1.0))
    # Without a way both are 0, and so is the quotient.
    all_a, all_b = aa + SURE * (pvar + pvar), bb + SURE * (pvar + noise)
    sure = aa / np.where(all_a > 0, all_a, 1.0) * (bb / np.where(all_b > 0, all_b, 1.0))
    cost: Array = weight * (0.5 * (1.0 - cosine)) * sure
    return cost
