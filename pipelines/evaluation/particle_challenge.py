"""The measures of the particle tracking challenge.

Chenouard et al.: Objective comparison of particle tracking methods, Nature Methods 11, 2014. Two tracks are as far
apart as the sum, over all frames of either, of min(distance, epsilon); a frame that only one of them has costs
epsilon. Things are paired with tracks, or with dummy tracks that have no points, such that the sum over all things is
least. With d(X, Y) that sum, d(X, 0) the sum for dummies alone, and d(Y', 0) that of the tracks left without a thing:

    alpha = 1 - d(X, Y) / d(X, 0)                    from 0 (nothing) to 1 (all exact); blind for spurious tracks
    beta  = (d(X, 0) - d(X, Y)) / (d(X, 0) + d(Y', 0))    alpha with a penalty for them; 0 to alpha
    JSC       = TP / (TP + FN + FP) of the points, which match nearer than epsilon in paired tracks
    JSC_theta = TP / (TP + FN + FP) of the tracks: paired, paired with a dummy, spurious
    RMSE      of the matching points, px
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.evaluation.clear_mot import ratio
from pipelines.evaluation.matching import Pairs, best
from pipelines.evaluation.tables import Side, Tables

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class ParticleChallenge:
    """What `particle_challenge` found; NaN where there is nothing.

    Args:
        alpha, beta, jsc, jsc_theta: see the module.
        rmse: of the matching points, px.
        epsilon: the gate, px (5 in the challenge).
        paired, missed, spurious: tracks: of a thing; things without one; without a thing.
        matching, missed_points, spurious_points: rows.
    """

    alpha: float
    beta: float
    jsc: float
    jsc_theta: float
    rmse: float
    epsilon: float
    paired: int
    missed: int
    spurious: int
    matching: int
    missed_points: int
    spurious_points: int


def particle_challenge(both: Tables, pairs: Pairs, epsilon: float) -> ParticleChallenge:
    """Pair things with tracks.

    Args:
        both: what is required and what is claimed.
        pairs: all pairs of rows within `epsilon`.
        epsilon: px.
    """
    real, claimed = both.real, both.claimed
    pairs = pairs.only(pairs.distance < epsilon)
    key, cell = np.unique(real.who[pairs.real] * len(claimed.ids) + claimed.who[pairs.claimed], return_inverse=True)
    thing, track = np.divmod(key, max(1, len(claimed.ids)))
    # Each frame together costs its distance in place of epsilon.
    gain = np.bincount(cell, epsilon - pairs.distance, len(key))
    # Frames that the track alone has cost epsilon each; a dummy has none.
    extra = claimed.counts()[track] - common_frames(real, claimed, thing, track)
    # What a pair saves, compared with a dummy: nothing is gained by a track that is elsewhere most of the time.
    saved = gain - epsilon * extra
    chosen = best(thing, track, saved)
    # d(X, 0): every point of every thing costs epsilon.
    bound, less = epsilon * len(real), float(saved[chosen].sum())
    paired = int(chosen.sum())
    spurious_rows = len(claimed) - int(claimed.counts()[track[chosen]].sum())
    hit = chosen[cell]
    matching = int(hit.sum())
    return ParticleChallenge(
        alpha=ratio(less, bound),
        beta=ratio(less, bound + epsilon * spurious_rows),
        jsc=ratio(matching, len(real) + len(claimed) - matching),
        jsc_theta=ratio(paired, len(real.ids) + len(claimed.ids) - paired),
        rmse=math.sqrt(float(np.mean(pairs.distance[hit] ** 2))) if matching else math.nan,
        epsilon=epsilon,
        paired=paired,
        missed=len(real.ids) - paired,
        spurious=len(claimed.ids) - paired,
        matching=matching,
        missed_points=len(real) - matching,
        spurious_points=len(claimed) - matching,
    )


def common_frames(real: Side, claimed: Side, thing: Array, track: Array) -> Array:
    """In how many frames both the thing and the track have a row, for each pair of them.

    The frames of a thing are stretches without a gap; how many frames a track has in a stretch are two searches.
    """
    if not len(thing):
        return np.zeros(0, np.int64)
    order = np.lexsort((real.frame, real.who))
    who, frame = real.who[order], real.frame[order]
    # Stretches of each thing without a gap, one behind the other.
    begin = np.flatnonzero(np.append(True, (np.diff(who) != 0) | (np.diff(frame) != 1)))
    end = np.append(begin[1:], len(who)) - 1
    stretches = np.bincount(who[begin], minlength=len(real.ids))
    first = np.cumsum(stretches) - stretches
    many = stretches[thing]
    pair = np.repeat(np.arange(len(thing)), many)
    # For each pair of identities all stretches of its thing, as flat numbers.
    stretch = np.arange(len(pair)) - np.repeat(np.cumsum(many) - many - first[thing], many)
    frames = int(max(real.frame.max(initial=0), claimed.frame.max(initial=0))) + 1
    # A track's frames in a stretch are the keys between two bounds: two binary searches.
    keys = np.sort(claimed.who * frames + claimed.frame)
    base = track[pair] * frames
    low = np.searchsorted(keys, base + frame[begin][stretch], "left")
    high = np.searchsorted(keys, base + frame[end][stretch], "right")
    return np.bincount(pair, high - low, len(thing)).astype(np.int64)
