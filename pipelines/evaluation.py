"""How good tracks are, when the truth is known.

Matching and counting follow CLEAR MOT (Bernardin, Stiefelhagen: Evaluating Multiple Object Tracking Performance,
EURASIP Journal on Image and Video Processing, 2008): in each frame a match of the frame before is kept while it is
within the gate, and what is left is matched at the least total distance.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pipelines.features import State, Tracks

Array = npt.NDArray[Any]


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
        median: median distance, px.
        max: largest distance, px.
        matches, misses, false: row counts.
        truths, tracks: how many things and how many track ids took part.
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


def evaluate(
    tracks: Tracks,
    truth: Array,
    *,
    gate: float = 3.0,
    only: Literal["all", "matched truth ids"] = "all",
    states: Sequence[State] = (State.TENTATIVE, State.TRACKED),
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
    tracks = tracks[np.isin(tracks["state"], [int(state) for state in states])]
    counter = _Counter(gate)
    frames = np.union1d(tracks["frame"], truth["frame"])
    for claimed, real in zip(_by_frame(tracks, frames), _by_frame(truth, frames), strict=True):
        counter.frame(claimed, real)
    return counter.scores(only, len(np.unique(tracks["track"])))


def _by_frame(table: Array, frames: Array) -> list[Array]:
    table = table[np.lexsort((table["track"], table["frame"]))]
    edges = np.searchsorted(table["frame"], np.append(frames, np.iinfo(np.int64).max))
    return [table[first:last] for first, last in itertools.pairwise(edges)]


class _Counter:
    def __init__(self, gate: float) -> None:
        self.gate = gate
        self.partner: dict[int, int] = {}  # true thing -> the track of its last match while visible
        self.before: dict[int, int] = {}  # true thing -> its track in the frame before
        self.missing: set[int] = set()  # true things matched before and missed since
        self.visible: dict[int, int] = {}
        self.matched: dict[int, int] = {}
        self.false = self.switches = self.fragments = 0
        self.errors: list[Array] = []

    def frame(self, claimed: Array, real: Array) -> None:
        pairs = self._match(claimed, real)
        for thing in real["track"][real["visible"]].tolist():
            self.visible[thing] = self.visible.get(thing, 0) + 1
        self.false += len(claimed) - len(pairs)
        self.before = {int(real["track"][row]): int(claimed["track"][column]) for row, column in pairs}
        for row, column in pairs:
            thing, track = int(real["track"][row]), int(claimed["track"][column])
            if real["visible"][row]:
                self.switches += self.partner.get(thing, track) != track
                self.partner[thing] = track
                self.matched[thing] = self.matched.get(thing, 0) + 1
                self.fragments += thing in self.missing
                self.missing.discard(thing)
                dx, dy = claimed["x"][column] - real["x"][row], claimed["y"][column] - real["y"][row]
                self.errors.append(np.array((dx, dy)))
        self.missing |= (set(real["track"][real["visible"]].tolist()) - set(self.before)) & set(self.matched)

    def _match(self, claimed: Array, real: Array) -> list[tuple[int, int]]:
        """Pairs (row of real, row of claimed): kept ones, then visible truth, then hidden truth."""
        from scipy.optimize import linear_sum_assignment  # not above: programs without a truth start without SciPy
        from scipy.spatial.distance import cdist

        apart = cdist(np.stack((real["x"], real["y"]), 1), np.stack((claimed["x"], claimed["y"]), 1))
        allowed = apart <= self.gate
        pairs: list[tuple[int, int]] = []
        column_of = {int(track): column for column, track in enumerate(claimed["track"])}
        for row, thing in enumerate(real["track"].tolist()):
            column = column_of.get(self.before.get(thing, -1), -1)
            if column >= 0 and allowed[row, column]:
                pairs.append((row, column))
                allowed[row, :] = False
                allowed[:, column] = False
        for group in (real["visible"], ~real["visible"]):
            open_ = allowed & group[:, None]
            if not open_.any():
                continue
            # Most matches first, then least distance: a forbidden pair costs more than all allowed ones together.
            cost = np.where(open_, apart, (min(apart.shape) + 1) * (self.gate + 1.0))
            for row, column in zip(*linear_sum_assignment(cost), strict=True):
                if open_[row, column]:
                    pairs.append((int(row), int(column)))
                    allowed[row, :] = False
                    allowed[:, column] = False
        return pairs

    def scores(self, only: str, tracks: int) -> Scores:
        things = [thing for thing in self.visible if only == "all" or thing in self.matched]
        required = sum(self.visible[thing] for thing in things)
        matches = sum(self.matched.values())
        error = np.array(self.errors).reshape(-1, 2)
        distance = np.hypot(error[:, 0], error[:, 1])
        some = len(distance) > 0
        return Scores(
            recall=_ratio(matches, required),
            precision=_ratio(matches, matches + self.false),
            mota=1.0 - _ratio(required - matches + self.false + self.switches, required),
            id_switches=self.switches,
            fragmentation=self.fragments,
            rmse=float(np.sqrt(np.mean(distance**2))) if some else math.nan,
            bias_x=float(error[:, 0].mean()) if some else math.nan,
            bias_y=float(error[:, 1].mean()) if some else math.nan,
            median=float(np.median(distance)) if some else math.nan,
            max=float(distance.max()) if some else math.nan,
            matches=matches,
            misses=required - matches,
            false=self.false,
            truths=len(things),
            tracks=tracks,
        )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
