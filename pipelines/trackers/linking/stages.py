"""Who is who in two stages: within the gates around the predictions, then around the places where things were seen.

The meaning of `link_loops.py` and of `second_loops.turns_loop`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kernels.host.logarithm import HIGHEST, logs
from pipelines.features import Features
from pipelines.trackers.columns import Array, Columns
from pipelines.trackers.linking.assignment import assign, gate_pairs
from pipelines.trackers.linking.gating import pairs
from pipelines.trackers.linking.link_loops import BRIDGE, LOST_GAP, MASS_CAP
from pipelines.trackers.linking.momentum import momentum
from pipelines.trackers.linking.newcomers import against, doubted, starts
from pipelines.trackers.linking.second_loops import BACK
from pipelines.trackers.linking.unseen import length, reach


@dataclass(frozen=True, slots=True)
class Rules:
    """What links go by.

    Args:
        speed: fastest motion, px/frame.
        gate: largest squared distance from the prediction, in standard deviations squared.
        widest: largest cost of an uncertain prediction.
        acceleration, jerk: of `kalman.predict`.
        change: by how much more than its largest a step may be, px.
        spread: relative scatter of a mass.
        momentum: cost of a turn back.
        min_hits: sightings of a believed track.
        turn_memory: frames for which the second stage looks.
        right, bottom: of the last pixel's centre, px.
        drawn: detections' centres are drawn to the heavier of two things (1) or are their centre of mass (0).
        strange: what speaks against a detection as that of a thing that was out of sight (`newcomers.against`), 1/px^2.
    """

    speed: float
    gate: float
    widest: float
    acceleration: float
    jerk: float
    change: float
    spread: float
    momentum: float
    min_hits: float
    turn_memory: float
    right: float
    bottom: float
    drawn: float = 0.0
    strange: float = 0.0


def mass_cost(tracks: Array, found: Array, spread: float) -> Array:
    """Squared difference of the log masses in standard deviations, capped; 0 where a mass is unknown."""
    known = (tracks > 0) & (found > 0)
    ratio = logs(np.where(known, found, 1.0) / np.where(known, tracks, 1.0))
    return np.minimum(np.square(ratio / spread), MASS_CAP)


def unlike(spread: float) -> float:
    """The ratio of masses from which on two are not alike; infinite beyond all that masses may be."""
    most = math.sqrt(BRIDGE) * spread
    return math.exp(most) if most < math.log(HIGHEST) else math.inf


def first_stage(t: Columns, found: Features, noise: Array, rules: Rules) -> tuple[Array, Array]:
    """The detection (or -1) within the gate around each prediction, and its squared distance in standard deviations."""
    n = len(t)
    who, what, total, distance = pairs(t, found, noise, rules.speed, rules.gate)
    if (t["gap"] > LOST_GAP).any():
        ok = plausible(t, who, found[what], rules) & returns(t, who, found[what], total, distance, rules)
        who, what, total, distance = who[ok], what[ok], total[ok], distance[ok]
    nis = np.zeros(n)
    if not (np.bincount(who, minlength=1) > 1).any() and not (np.bincount(what, minlength=1) > 1).any():
        # Nobody has a choice, and no cost within the gate is above that of a miss: its terms are capped there.
        choice = np.full(n, -1, np.int64)
        choice[who], nis[who] = what, distance
        return choice, nis
    cost = distance + np.minimum(2.0 * logs(total), rules.widest)
    cost += mass_cost(t["mass"][who], found["mass"][what], rules.spread)
    cost += momentum(t, who, found[what], noise[what], rules.momentum)
    choice = assign(who, what, cost, rules.gate + rules.widest + MASS_CAP + rules.momentum, n, len(found))
    taken = choice[who] == what
    nis[who[taken]] = distance[taken]
    return choice, nis


def plausible(t: Columns, who: Array, found: Features, rules: Rules) -> Array:
    """Whether a feature may be the track that was out of sight: not too far from its last place, and alike in
    mass unless it lies there."""
    ok = np.ones(len(who), bool)
    lost = np.flatnonzero(t["gap"][who] > LOST_GAP)
    if len(lost):
        rows, back = np.unique(who[lost], return_inverse=True)
        who, found = who[lost], found[lost]
        away = length(found["x"] - t["px"][who], found["y"] - t["py"][who])
        ok[lost] = (away <= reach(t, rows, rules.change, rules.speed)[back]) & alike(t, who, found, away, rules.spread)
    return ok


def returns(t: Columns, who: Array, found: Features, total: Array, distance: Array, rules: Rules) -> Array:
    """Whether a feature is more likely the track that was out of sight than something else (`newcomers.py`).

    Args:
        t, who, found: columns, and pairs of rows of them and features.
        total, distance: of each pair the variance of the difference, px^2, and its square in units of that.
        rules: for `strange` and `spread`.
    """
    ok = np.ones(len(who), bool)
    if rules.strange > 0:
        lost = np.flatnonzero((t["gap"][who] > LOST_GAP) & (t["missed"][who] > 0))
        unlike = mass_cost(t["mass"][who[lost]], found["mass"][lost], rules.spread)
        ok[lost] = against(rules.strange, total[lost], distance[lost], unlike) <= 1.0
    return ok


def doubtful(t: Columns, found: Features, noise: Array, choice: Array, rules: Rules) -> None:
    """Book in `doubt` that rows may have taken something else after they were out of sight, and just after that
    (`newcomers.doubted`); 0 for all others that are seen. They are not corrected yet."""
    seen, before = np.flatnonzero(choice >= 0), t["doubt"].copy()
    t["doubt"][seen] = 0.0
    again = seen[(t["missed"][seen] > 0) | (before[seen] > t["p00"][seen])]
    one = found[choice[again]]
    total = t["p00"][again] + noise[choice[again]]
    squares = (one["x"] - t["x"][again]) ** 2 + (one["y"] - t["y"][again]) ** 2
    odds = against(rules.strange, total, squares / total, mass_cost(t["mass"][again], one["mass"], rules.spread))
    t["doubt"][again] = doubted(odds, total + before[again], squares)


def alike(t: Columns, who: Array, found: Features, away: Array, spread: float) -> Array:
    """Whether a feature looks like the track, or lies so near its last place that looks do not matter."""
    unlike = mass_cost(t["mass"][who], found["mass"], spread)
    same: Array = (unlike < BRIDGE) | (away <= np.maximum(np.sqrt(found["area"]), 2.0))
    return same


def second_stage(t: Columns, found: Features, choice: Array, merged: Array, away: Array, rules: Rules) -> Array:
    """In place in `choice`: around where a believed track was last seen, or, where it left the
    picture, around where it would come back; True where it helped.

    A thing that turned round out of sight goes on along the border. One that is out of sight for the first time may
    have started, as far off as anything moves (`newcomers.starts`).
    """
    lost = np.flatnonzero(
        (choice < 0) & ~merged & (t["hits"] >= rules.min_hits) & ((t["missed"] < rules.turn_memory) | away)
    )
    turned = np.zeros(len(t), bool)
    free = np.ones(len(found), bool)
    free[choice[choice >= 0]] = False
    spare = np.flatnonzero(free)
    if not len(lost) or not len(spare):
        return turned
    left, near = away[lost], found[spare]
    radius = np.where(left, BACK, 1.0) * reach(t, lost, rules.change, rules.speed)
    most = rules.speed * np.maximum(t["gap"][lost], 1.0)
    radius = np.maximum(radius, np.where(~left & (t["missed"][lost] == 0), starts(rules.strange, most), 0.0))
    x = np.where(left, np.clip(t["x"][lost], 0.0, rules.right), t["px"][lost])
    y = np.where(left, np.clip(t["y"][lost], 0.0, rules.bottom), t["py"][lost])
    who, what = gate_pairs(x, y, radius, near["x"], near["y"])
    unlike = mass_cost(t["mass"][lost][who], near["mass"][what], rules.spread)
    far2 = (near["x"][what] - x[who]) ** 2 + (near["y"][what] - y[who]) ** 2
    same = alike(t, lost[who], near[what], np.sqrt(far2), rules.spread)
    cost = (far2 / radius[who] ** 2 + unlike)[same]
    pick = assign(who[same], what[same], cost, 1.0 + MASS_CAP, len(lost), len(spare))
    got = pick >= 0
    choice[lost[got]] = spare[pick[got]]
    turned[lost[got]] = True
    return turned
