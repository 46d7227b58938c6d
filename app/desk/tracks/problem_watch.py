"""Problems of a run, kept up while rows come: what `find_problems` finds in all rows, for the cost of the new ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from app.desk.tracks.problems import APART, JUMP, LEAST_JUMP, LEAST_SEEN, LOW_SCORE, WORDS, Kind, Problem
from pipelines.features import Reason, State, Tracks

_KINDS = (Kind.LOST, Kind.JUMP, Kind.SCORE)
"""By falling weight."""
FOUND = np.dtype([("frame", "i8"), ("track", "i8"), ("kind", "u1"), ("value", "f8")])
"""A problem: its kind (a place in `_KINDS`), and its reason, score or step in px."""
Found = npt.NDArray[Any]
_STATE = np.dtype(
    [
        ("track", "i8"), ("seen", "i8"), ("weak", "i8"), ("frame", "i8", 2), ("x", "f8", 2), ("y", "f8", 2),
        ("usual", "f8"), ("of", "i8"), ("jumpy", "?"),
    ]
)  # fmt: skip
"""A track: rows in which it was seen, the last one with a low score, the places of the last two, its usual step, of
how many rows that was taken, and whether there is a step that may be a jump."""
GROWN = 16
"""The usual step is taken anew when a track has grown by a part in so many ..."""
SETTLED = 1024
"""... and by a part in so many when no more rows come: of tracks of fewer rows it is that of all."""


class ProblemWatch:
    """See the module. Rows must come by rising frame; what came before may not change."""

    def __init__(self) -> None:
        self._states = np.zeros(0, _STATE)
        self._parts: list[Found] = []
        self._steps: list[Found] = []
        self._jumped: Found | None = np.zeros(0, FOUND)
        self._kept: Found | None = None

    def take(self, rows: Tracks) -> None:
        """Rows of frames behind all that came."""
        if not len(rows):
            return
        rows = rows[np.lexsort((rows["frame"], rows["track"]))]
        lost = rows[(rows["state"] == State.LOST) & (rows["reason"] != Reason.LEFT_IMAGE)]
        self._put(lost, Kind.LOST, lost["reason"])
        good = rows[rows["state"] == State.TRACKED]
        if not len(good):
            return
        begins = np.flatnonzero(np.diff(good["track"], prepend=good["track"][0] - 1))
        at = self._at(good["track"][begins])
        self._take_scores(good, at)
        self._take_steps(good, begins, at)

    def _at(self, tracks: npt.NDArray[np.int32]) -> npt.NDArray[np.intp]:
        """Where their states are; those of new tracks are made."""
        known = np.isin(tracks, self._states["track"])
        if not known.all():
            new = np.zeros(int((~known).sum()), _STATE)
            new["track"], new["weak"] = tracks[~known], -APART - 1
            self._states = np.insert(self._states, np.searchsorted(self._states["track"], new["track"]), new)
        return np.searchsorted(self._states["track"], tracks)

    def _put(self, rows: Tracks, kind: Kind, value: npt.NDArray[Any]) -> None:
        made = np.zeros(len(rows), FOUND)
        made["frame"], made["track"], made["kind"] = rows["frame"], rows["track"], _KINDS.index(kind)
        made["value"] = value
        self._parts.append(made)
        self._kept = None

    def _take_scores(self, good: Tracks, at: npt.NDArray[np.intp]) -> None:
        """Low scores that do not follow others closely."""
        weak = good[good["score"] < LOW_SCORE]
        if not len(weak):
            return
        first = np.diff(weak["track"], prepend=weak["track"][0] - 1) != 0
        ends = np.append(first[1:], True)
        states = at[np.searchsorted(self._states["track"][at], weak["track"][first])]
        before = np.append(0, weak["frame"][:-1])
        before[first] = self._states["weak"][states]
        self._states["weak"][states] = weak["frame"][ends]
        starts = weak[weak["frame"] - before > APART]
        self._put(starts, Kind.SCORE, starts["score"])

    def _take_steps(self, good: Tracks, begins: npt.NDArray[np.intp], at: npt.NDArray[np.intp]) -> None:
        """Steps of more than 2 px, which may be jumps; and the states of what was seen."""
        states = self._states[at]
        counts = np.diff(np.append(begins, len(good)))
        told = np.minimum(states["seen"], 2)
        behind = np.repeat(np.arange(len(at)), told)  # the last two places of each, in front of what is new
        of = np.concatenate((behind, np.repeat(np.arange(len(at)), counts)))
        which = 2 - np.repeat(told, told) + _within(told)
        columns = {name: np.concatenate((states[name][behind, which], good[name])) for name in ("frame", "x", "y")}
        order = np.argsort(of, kind="stable")
        of, frame, x, y = of[order], *(columns[name][order] for name in ("frame", "x", "y"))
        if len(of) > 2:
            change = changes(frame, x, y)
            middle = np.flatnonzero((of[2:] == of[:-2]) & (change > LEAST_JUMP))
            made = np.zeros(len(middle), FOUND)
            made["frame"], made["track"] = frame[middle + 1], states["track"][of[middle]]
            made["kind"], made["value"] = _KINDS.index(Kind.JUMP), change[middle]
            states["jumpy"][of[middle]] = True
            if self._jumped is not None:
                self._jumped = np.concatenate((self._jumped, _jumps(made, self._states)))
            self._steps.append(made)
        ends = np.cumsum(told + counts) - 1
        more = told + counts > 1
        for name, column in (("frame", frame), ("x", x), ("y", y)):
            states[name][:, 0] = np.where(more, column[ends - 1], states[name][:, 0])
            states[name][:, 1] = column[ends]
        states["seen"] += counts
        self._states[at] = states
        self._kept = None

    # ------------------------------------------------------------------------------------------------ usual steps

    def settle(self, rows_of: Callable[[int], Tracks], most: int, finely: bool) -> bool:
        """Take anew what the usual steps of tracks are that may have jumped; whether some are still to be taken.

        Args:
            rows_of: all rows of a track, by frame.
            most: rows that are looked at, or hardly more.
            finely: also of tracks that have grown by little.
        """
        states = self._states
        due = states["jumpy"] & (states["seen"] >= LEAST_SEEN)
        least = states["of"] + states["of"] // (SETTLED if finely else GROWN)
        due &= states["seen"] > least
        for k in np.flatnonzero(due).tolist():
            if most <= 0:
                return True
            rows = rows_of(int(states["track"][k]))
            good = rows[rows["state"] == State.TRACKED]
            states["usual"][k], states["of"][k] = usual_step(good), states["seen"][k]
            most -= len(rows)
            self._jumped = self._kept = None
        return False

    # --------------------------------------------------------------------------------------------------- results

    @property
    def found(self) -> Found:
        """What is found so far: by frame, the worst one first, then by track."""
        if self._kept is None:
            self._parts = [np.concatenate(self._parts)] if self._parts else []
            others = self._parts[0] if self._parts else np.zeros(0, FOUND)
            seen = self._states["track"][self._states["seen"] > 0]
            if self._jumped is None:  # another step is usual
                self._steps = [np.concatenate(self._steps)]
                self._jumped = _jumps(self._steps[0], self._states)
            made = np.concatenate((others[np.isin(others["track"], seen)], _firsts(self._jumped)))
            self._kept = made[np.lexsort((made["track"], made["kind"], made["frame"]))]
        return self._kept


def _jumps(steps: Found, of: npt.NDArray[Any]) -> Found:
    """Steps that are jumps, by the states of all tracks."""
    if not len(steps):
        return steps
    states = of[np.searchsorted(of["track"], steps["track"])]
    made: Found = steps[(states["of"] > 0) & (steps["value"] > JUMP * states["usual"])]
    return made


def _firsts(steps: Found) -> Found:
    """A step is large before and behind a jump: the first of two neighbours."""
    if not len(steps):
        return steps
    steps = steps[np.lexsort((steps["frame"], steps["track"]))]
    apart = (np.diff(steps["track"]) != 0) | (np.diff(steps["frame"]) != 1)
    made: Found = steps[_within(np.diff(np.flatnonzero(np.concatenate(([True], apart, [True]))))) % 2 == 0]
    return made


def _within(counts: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """0, 1, 2 ... of each of some groups."""
    starts = np.cumsum(counts) - counts
    made: npt.NDArray[np.int64] = np.arange(int(counts.sum())) - np.repeat(starts, counts)
    return made


def changes(frame: npt.NDArray[Any], x: npt.NDArray[Any], y: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """How much the step changes at each place but the first and the last, px a frame."""
    with np.errstate(invalid="ignore", divide="ignore"):  # between tracks, which nobody looks at
        frames = np.diff(frame)
        return np.hypot(np.diff(np.diff(x) / frames), np.diff(np.diff(y) / frames))


def usual_step(good: Tracks) -> float:
    """A robust standard deviation of the changes of a track's step (1.4826 times their median), px a frame."""
    return 1.4826 * float(np.median(changes(good["frame"], good["x"], good["y"]))) + 1e-9


def told(found: np.void) -> Problem:
    """One of `ProblemWatch.found` in words."""
    kind, value = _KINDS[int(found["kind"])], float(found["value"])
    if kind is Kind.LOST:
        what = f"lost: {WORDS[Reason(int(value))]}"
    else:
        what = f"score {value:.2f}" if kind is Kind.SCORE else f"jump of {value:.1f} px"
    return Problem(int(found["frame"]), int(found["track"]), what, kind)


def of_kind(found: Found, kind: Kind | None) -> Found:
    """Those of a kind; None for all."""
    return found if kind is None else found[found["kind"] == _KINDS.index(kind)]
