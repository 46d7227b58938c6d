"""CLEAR MOT: matches, misses, false rows, switches of identity.

Bernardin, Stiefelhagen: Evaluating Multiple Object Tracking Performance, EURASIP Journal on Image and Video
Processing, 2008: in each frame a match of the frame before is kept while it is within the gate, and what is left is
matched, as many as possible and then at the least total distance. Mostly tracked, partially tracked and mostly lost
are those of Milan et al., MOT16 (arXiv:1603.00831, 2016): seen in at least 80 %, in less, in less than 20 % of the
frames in which a thing is visible.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pipelines.evaluation.matching import Pairs, alone, near, parts, solve
from pipelines.evaluation.tables import SEEN, Tables, tables
from pipelines.features import State, Tracks

Array = npt.NDArray[Any]
Only = Literal["all", "matched truth ids"]


@dataclass(frozen=True, slots=True)
class Scores:
    """What `evaluate` found; ratios are NaN where their denominator is 0.

    Args:
        recall: matched / visible truth rows.
        precision: matched / (matched + false) track rows.
        mota: 1 - (misses + false + id switches) / visible truth rows.
        id_switches: how often a true thing was matched to another track than when it was last matched.
        fragmentation: how often a true thing was matched again after frames in which it was visible and was not.
        rmse: root mean square of the distance over the matches, px (2-D: sqrt(mean(dx^2 + dy^2))).
        bias_x, bias_y: mean of track minus truth, px.
        rmse_own: the same as `rmse` after each thing's own mean error was taken away, px: of displacements, to which
            it does not matter how far beside the true place a point was put.
        median: median distance, px.
        max: largest distance, px.
        matches, misses, false: row counts.
        truths, tracks: how many things and how many track ids took part.
        motp: mean distance over the matches, px.
        mostly_tracked, partially_tracked, mostly_lost: how many things were matched in at least 80 %, in 20 to 80 %,
            in less than 20 % of the frames in which they were visible.
    """

    recall: float
    precision: float
    mota: float
    id_switches: int
    fragmentation: int
    rmse: float
    bias_x: float
    bias_y: float
    median: float
    max: float
    matches: int
    misses: int
    false: int
    truths: int
    tracks: int
    motp: float
    mostly_tracked: int
    partially_tracked: int
    mostly_lost: int
    rmse_own: float = math.nan


@dataclass(frozen=True, slots=True)
class PerThing:
    """Counts of each true thing, in the order of `Tables.real.ids`."""

    visible: Array
    matched: Array
    switches: Array
    fragments: Array


def evaluate(
    tracks: Tracks,
    truth: Array,
    *,
    gate: float = 3.0,
    only: Only = "all",
    states: Sequence[State] = SEEN,
) -> Scores:
    """Compare the rows of a run with the truth.

    Args:
        tracks: rows of TRACK_DTYPE, any order; ids that were never confirmed are best dropped before
            (`pipelines.trackers.base.confirmed`).
        truth: rows of `pipelines.truth.TRUTH_DTYPE`, any order.
        gate: farthest match, px.
        only: "all", or "matched truth ids": true things that no track ever came near are left out, for a tracker
            that was given some points only.
        states: the states that count as a claim to have seen something; predicted and lost rows do not.

    Returns:
        The scores over all frames of either table.
    """
    both = tables(tracks, truth, states)
    return scores(both, match(both, near(both.real, both.claimed, gate), gate), only)


def match(both: Tables, pairs: Pairs, gate: float) -> Pairs:
    """The matches of all frames.

    A visible thing goes before a hidden one. Rows that have no choice are matched at once, whatever was before; what
    is left is settled frame by frame.

    Args:
        both: the tables.
        pairs: all pairs within the gate.
        gate: px.
    """
    real = both.real
    single = alone(pairs.real, pairs.claimed)
    left = np.flatnonzero(~single)
    if not len(left):
        return pairs
    label = parts(pairs.real[left], pairs.claimed[left])
    order = np.argsort(label, kind="stable")  # parts lie in one frame each, and are counted in the order of frames
    left, label = left[order], label[order]
    partner = np.full(len(real), -1)  # the track of each row's match
    partner[pairs.real[single]] = both.claimed.who[pairs.claimed[single]]
    chosen = single.copy()
    chosen[left[_settled(both, pairs.only(left), label, partner, gate)]] = True
    return pairs.only(chosen)


def _settled(both: Tables, pairs: Pairs, label: Array, partner: Array, gate: float) -> list[int]:
    """Places of the matches among pairs that have a choice, one connected part after the other.

    Args:
        label: the part of each pair, rising.
        partner: the track of each row's match, or -1; what is found here is added.
    """
    track, visible = both.claimed.who[pairs.claimed].tolist(), both.real.rows["visible"][pairs.real].tolist()
    rows, columns = pairs.real.tolist(), pairs.claimed.tolist()
    previous, partners = _row_before(both)[pairs.real].tolist(), partner.tolist()
    starts = np.flatnonzero(np.diff(label, prepend=-1)).tolist()
    found: list[int] = []
    for start, stop in itertools.pairwise((*starts, len(rows))):
        # First step of CLEAR MOT: correspondences of the frame before are kept while they are within the gate.
        taken = [k for k in range(start, stop) if previous[k] >= 0 and partners[previous[k]] == track[k]]
        # Visible things choose before hidden ones, which excuse what is left.
        for group in (True, False):
            used_rows, used_columns = {rows[k] for k in taken}, {columns[k] for k in taken}
            free = [k for k in range(start, stop)
                    if visible[k] is group and rows[k] not in used_rows and columns[k] not in used_columns]  # fmt: skip
            if len(free) > 1:
                # Most matches first, then least distance: one match more is worth all distances together.
                worth = (len(free) + 1) * (gate + 1.0) - pairs.distance[free]
                free = [free[k] for k in solve(pairs.real[free], pairs.claimed[free], worth)]
            taken += free
        # In the order of frames: the next frame looks at what this one has matched.
        for k in taken:
            partners[rows[k]] = track[k]
        found += taken
    return found


def _row_before(both: Tables) -> Array:
    """The row of the same thing in the frame before, or -1."""
    real = both.real
    order = np.lexsort((real.frame, real.who))
    before = np.full(len(real), -1)
    goes_on = (np.diff(real.who[order]) == 0) & (np.diff(real.frame[order]) == 1)
    before[order[1:][goes_on]] = order[:-1][goes_on]
    return before


def per_thing(both: Tables, matches: Pairs) -> PerThing:
    """Counts over the frames in which a thing is visible."""
    real = both.real
    count = len(real.ids)
    partner = np.full(len(real), -1)
    partner[matches.real] = both.claimed.who[matches.claimed]
    seen = np.flatnonzero(real.rows["visible"])
    seen = seen[np.argsort(real.who[seen], kind="stable")]
    who, got = real.who[seen], partner[seen] >= 0
    visible, matched = np.bincount(who, minlength=count), np.bincount(who[got], minlength=count)
    # A run of matches begins where the row before is not matched or belongs to another thing.
    begins = got & ~np.append(False, got[:-1] & (np.diff(who) == 0))
    # The first run is no fragment.
    fragments = np.maximum(np.bincount(who[begins], minlength=count) - 1, 0)
    track, of = partner[seen][got], who[got]
    # Another track than at the thing's last match, however long ago that was.
    changed = (np.diff(track) != 0) & (np.diff(of) == 0)
    return PerThing(visible, matched, np.bincount(of[1:][changed], minlength=count), fragments)


def scores(both: Tables, matches: Pairs, only: Only = "all") -> Scores:
    """Count what `match` found."""
    each = per_thing(both, matches)
    counted = matches.only(both.real.rows["visible"][matches.real])
    things = each.visible > 0
    if only != "all":
        things &= each.matched > 0
    required, hits = int(each.visible[things].sum()), len(counted)
    # A track matched to a hidden thing is neither a hit nor false: `matches` has such pairs, `counted` has not.
    false, switches = len(both.claimed) - len(matches), int(each.switches.sum())
    share = each.matched[things] / each.visible[things]
    dx = both.claimed.x[counted.claimed] - both.real.x[counted.real]
    dy = both.claimed.y[counted.claimed] - both.real.y[counted.real]
    distance, thing = counted.distance, np.unique(both.real.rows["track"][counted.real], return_inverse=True)[1]
    return Scores(
        recall=ratio(hits, required),
        precision=ratio(hits, hits + false),
        mota=1.0 - ratio(required - hits + false + switches, required),
        id_switches=switches,
        fragmentation=int(each.fragments.sum()),
        rmse=math.sqrt(float(np.mean(distance**2))) if hits else math.nan,
        bias_x=float(dx.mean()) if hits else math.nan,
        bias_y=float(dy.mean()) if hits else math.nan,
        median=float(np.median(distance)) if hits else math.nan,
        max=float(distance.max()) if hits else math.nan,
        matches=hits,
        misses=required - hits,
        false=false,
        truths=int(things.sum()),
        tracks=len(both.claimed.ids),
        motp=float(distance.mean()) if hits else math.nan,
        mostly_tracked=int((share >= 0.8).sum()),
        partially_tracked=int(((share >= 0.2) & (share < 0.8)).sum()),
        mostly_lost=int((share < 0.2).sum()),
        rmse_own=math.sqrt(float(np.mean(_own(dx, thing) ** 2 + _own(dy, thing) ** 2))) if hits else math.nan,
    )


def _own(error: Array, thing: Array) -> Array:
    """Errors about the mean of each thing."""
    return error - (np.bincount(thing, error) / np.maximum(np.bincount(thing), 1))[thing]


def ratio(part: float, whole: float) -> float:
    """NaN for nothing of nothing."""
    return part / whole if whole else math.nan
