"""What a frame leaves in the columns of the blob tracker: surprises, sightings, misses, masses, births.

The meaning of the row's functions in `loops.py`.
"""

from __future__ import annotations

import numpy as np

from pipelines.features import Features, State
from pipelines.trackers.columns import Array, Columns
from pipelines.trackers.kalman import keep_seen, restless
from pipelines.trackers.linking.stages import Rules
from pipelines.trackers.linking.unresolved import Shapes, Usual, shapes_of, unresolved
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
    t: Columns, ids: Array, found: Features, noise: Array, uneven: Array, what: Array, shapes: Shapes, usual: Usual,
    first: bool, rules: Rules,
) -> Array:  # fmt: skip
    """Start a track at each of the features `what`; return their states.

    Args:
        t: columns.
        ids: of the tracks.
        found, noise, uneven: all features, their variance and half its difference of x and y, px^2.
        what: indices.
        shapes, usual: see `unresolved.py`.
        first: whether nothing else has a shape in this frame, so that these tell how many are long.
        rules: what links go by.
    """
    count = len(what)
    if count:
        # The velocity is unknown up to the fastest: half of that is one standard deviation.
        those = found[what]
        t.append(
            count,
            track=ids,
            hits=1,
            x=those["x"],
            y=those["y"],
            p00=noise[what],
            d00=uneven[what],
            p11=(0.5 * rules.speed) * (0.5 * rules.speed),
            mass=np.where(those["mass"] > 0, those["mass"], 0.0),
            flicker=0.1,
        )
        born, own = np.arange(len(t) - count, len(t)), usual.known[what]
        half, xy, unit = shapes_of(t, born, those, noise[what], usual.smear)
        wide = 0.5 * (those["xx"] + those["yy"])
        likely, off = unresolved(t, born, wide, unit, half, xy, np.ones(count, bool), own, usual)
        share = shapes.book(likely, usual.expected) if first else shapes.share(usual.expected)
        t["bias"][born] = share * off
        restless(t, born, rules.acceleration * rules.acceleration)
        remember(t, born)
        keep_seen(t, born)
    return np.full(count, int(State.TRACKED if rules.min_hits == 1 else State.TENTATIVE))
