"""What a frame leaves in the columns of the blob tracker: surprises, sightings, misses, masses, births.

The meaning of the row's functions in `loops.py`.
"""

from __future__ import annotations

import numpy as np

from pipelines.features import Features, State
from pipelines.trackers.columns import Array, Columns
from pipelines.trackers.kalman import keep_seen, restless
from pipelines.trackers.linking.stages import Rules
from pipelines.trackers.linking.unresolved import unresolved
from pipelines.trackers.linking.unseen import JUMPS, forget, remember


def surprised(t: Columns, which: Array, squares: Array) -> None:
    """Book squared distances (px^2) by which sightings surprised the filter of rows; 0 of those that did not."""
    learn = np.maximum(1.0 / (1.0 + t["hits"][which]), JUMPS)
    t["jumps"][which] += learn * (squares - t["jumps"][which])


def restart(
    t: Columns, which: Array, found: Features, choice: Array, noise: Array, uneven: Array, rules: Rules
) -> None:
    """Start the filter of tracks that turned anew from the last two places."""
    what = choice[which]
    gap = np.maximum(t["gap"][which], 1e-3)
    dx, dy = found["x"][what] - t["x"][which], found["y"][what] - t["y"][which]
    surprised(t, which, (dx * dx + dy * dy) / (gap * gap))
    for axis, last, speed in (("x", "px", "vx"), ("y", "py", "vy")):
        t[speed][which] = (found[axis][what] - t[last][which]) / gap
        t[axis][which] = found[axis][what]
    q = rules.acceleration * rules.acceleration
    t["p00"][which] = noise[what]
    t["p01"][which] = noise[what] / gap
    t["p11"][which] = 2.0 * noise[what] / (gap * gap) + q * gap
    t["d00"][which] = uneven[what]
    restless(t, which, q)
    forget(t, which)


def account(t: Columns, hit: Array, choice: Array, merged: Array, found: Features) -> Array:
    """Book hits and misses; return the scores."""
    seen = np.flatnonzero(hit)
    t["hits"][seen] += 1
    t["missed"][:] = np.where(hit, 0, t["missed"] + np.where(merged, 0, 1))
    remember(t, seen)
    keep_seen(t, seen)
    score = np.zeros(len(t))
    old, new = t["mass"][seen], found["mass"][choice[seen]]
    known = (old > 0) & (new > 0)
    low, high = np.minimum(old, new), np.maximum(old, new)
    score[seen] = np.where(known, low / np.where(known, high, 1.0), 1.0)
    learn = np.where(merged[seen] | ~(new > 0), 0.0, np.where(old > 0, 0.2, 1.0))
    t["mass"][seen] = old + learn * (np.where(new > 0, new, 0.0) - old)
    return score


def birth(
    t: Columns, ids: Array, found: Features, noise: Array, uneven: Array, lengths: Array, usual: tuple[float, float],
    rules: Rules,
) -> Array:  # fmt: skip
    """Start a track at each leftover feature; return their states. `lengths` and what is usual: see `unresolved.py`."""
    count = len(found)
    if count:
        # The velocity is unknown up to the fastest: half of that is one standard deviation.
        mass = np.where(found["mass"] > 0, found["mass"], 0.0)
        t.append(
            count,
            track=ids,
            hits=1,
            x=found["x"],
            y=found["y"],
            p00=noise,
            d00=uneven,
            p11=(0.5 * rules.speed) * (0.5 * rules.speed),
            mass=mass,
            flicker=0.1,
            long=np.where(lengths > 0, lengths, 0.0),
        )
        born = np.arange(len(t) - count, len(t))
        t["bias"][born] = unresolved(t, born, found, noise, lengths, np.ones(count, bool), t["hits"][born], usual)
        restless(t, born, rules.acceleration * rules.acceleration)
        remember(t, born)
        keep_seen(t, born)
    return np.full(count, int(State.TRACKED if rules.min_hits == 1 else State.TENTATIVE))
