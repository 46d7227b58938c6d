"""Problems of a run, kept up while rows come: what `find_problems` finds in all rows, for the cost of the new ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from app.desk.tracks.grouping import by_track, pick, stable_order
from app.desk.tracks.problems import APART, JUMP, LEAST_JUMP, LEAST_SEEN, LOW_SCORE, WORDS, Kind, Problem, jump_words
from pipelines.features import GONE, Reason, State, Tracks

_KINDS = (Kind.LOST, Kind.JUMP, Kind.SCORE)
"""By falling weight."""
FOUND = np.dtype([("frame", "i8"), ("track", "i8"), ("kind", "u1"), ("value", "f8"), ("place", "i8"), ("wide", "i8")])
"""A problem: its kind (a place in `_KINDS`), and its reason, score or change of the step in px a frame; of a step also
before which of the rows in which its track was seen it lies, and its frames."""
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
        self._new: list[Found] = []
        self._others: list[Found] = []  # losses and low scores, sorted as `found` is
        self._steps: list[Found] = []
        self._jumped: list[Found] | None = []  # None: to be found anew in all steps
        self._kept: Found | None = None

    def take(self, rows: Tracks) -> None:
        """Rows of frames behind all that came."""
        if not len(rows):
            return
        rows = by_track(rows)
        lost = pick(rows, (rows["state"] == State.LOST) & ~np.isin(rows["reason"], GONE))
        self._put(lost, Kind.LOST, lost["reason"])
        good = pick(rows, rows["state"] == State.TRACKED)
        if len(good):
            begins = np.flatnonzero(np.diff(good["track"], prepend=good["track"][0] - 1))
            at = self._at(good["track"][begins])
            self._take_scores(good, at)
            self._take_steps(good, begins, at)
        self._sort_new()

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
        self._new.append(made)

    def _sort_new(self) -> None:
        """What was put: all of it is behind what there is, for its frames do."""
        new = np.concatenate(self._new) if self._new else np.zeros(0, FOUND)
        self._new.clear()
        if len(new):
            self._others.append(new.take(np.lexsort((new["track"], new["kind"], new["frame"]))))
            self._kept = None

    def _take_scores(self, good: Tracks, at: npt.NDArray[np.intp]) -> None:
        """Low scores that do not follow others closely."""
        weak = pick(good, good["score"] < LOW_SCORE)
        if not len(weak):
            return
        # Rows lie by track, of each by frame: `first` marks where a track begins, `ends` where it ends.
        first = np.diff(weak["track"], prepend=weak["track"][0] - 1) != 0
        ends = np.append(first[1:], True)
        states = at[np.searchsorted(self._states["track"][at], weak["track"][first])]
        # The frame of the low score before, of the same track: within these rows, for the first one as its state says.
        before = np.append(0, weak["frame"][:-1])
        before[first] = self._states["weak"][states]
        self._states["weak"][states] = weak["frame"][ends]
        starts = pick(weak, weak["frame"] - before > APART)
        self._put(starts, Kind.SCORE, starts["score"])

    def _take_steps(self, good: Tracks, begins: npt.NDArray[np.intp], at: npt.NDArray[np.intp]) -> None:
        """Steps of more than 2 px, which may be jumps; and the states of what was seen."""
        states = self._states[at]
        counts = np.diff(np.append(begins, len(good)))
        # A change of the step takes three places: the last two of what came before go in front of what is new. The
        # states hold the last one at 1, so that of a single one column 1 counts.
        in_words = np.minimum(states["seen"], 2)
        behind = np.repeat(np.arange(len(at)), in_words)  # the last two places of each, in front of what is new
        of = np.concatenate((behind, np.repeat(np.arange(len(at)), counts)))
        which = 2 - np.repeat(in_words, in_words) + _within(in_words)
        columns = {name: np.concatenate((states[name][behind, which], good[name])) for name in ("frame", "x", "y")}
        # Stable: of each track what came before stays in front.
        order = stable_order(of)
        of, frame, x, y = of[order], *(columns[name][order] for name in ("frame", "x", "y"))
        if len(of) > 2:
            change = changes(frame, x, y)
            # Three neighbours of one track; at the seam of two tracks the outer two differ.
            middle = np.flatnonzero((of[2:] == of[:-2]) & (change > LEAST_JUMP))
            made = np.zeros(len(middle), FOUND)
            made["frame"], made["track"] = frame[middle + 2], states["track"][of[middle]]
            made["wide"] = frame[middle + 2] - frame[middle + 1]
            # The place is the number of the row among those in which its track was seen: the new ones of a track begin
            # at `first` + `in_words`, which is row number `seen`.
            first = np.cumsum(in_words + counts) - (in_words + counts)
            made["place"] = middle + 2 - (first + in_words - states["seen"])[of[middle]]
            made["kind"], made["value"] = _KINDS.index(Kind.JUMP), change[middle]
            states["jumpy"][of[middle]] = True
            # `_jumps` reads `of` and `usual` alone, which are the same in the states before.
            if self._jumped is not None:
                self._jumped.append(_jumps(made, self._states))
            self._steps.append(made)
        ends = np.cumsum(in_words + counts) - 1
        # Where there is but one place in all, the one before it stays unknown.
        more = in_words + counts > 1
        for name, column in (("frame", frame), ("x", x), ("y", y)):
            states[name][:, 0] = np.where(more, column[ends - 1], states[name][:, 0])
            states[name][:, 1] = column[ends]
        states["seen"] += counts
        self._states[at] = states
        self._kept = None

    # ------------------------------------------------------------------------------------------------ usual steps

    def settle(self, rows_of: Callable[[Sequence[int]], Tracks], most: int, finely: bool) -> bool:
        """Take anew what the usual steps of tracks are that may have jumped; whether some are still to be taken.

        Args:
            rows_of: all rows of some tracks, by frame.
            most: rows that are looked at, some; at least those of one track.
            finely: also of tracks that have grown by little.
        """
        states = self._states
        due = states["jumpy"] & (states["seen"] >= LEAST_SEEN)
        least = states["of"] + states["of"] // (SETTLED if finely else GROWN)
        all_due = np.flatnonzero(due & (states["seen"] > least))
        if not len(all_due):
            return False
        # As many tracks as `most` rows allow, one at least.
        now = all_due[: max(1, int(np.searchsorted(np.cumsum(states["seen"][all_due]), most, "right")))]
        rows = by_track(rows_of(states["track"][now].tolist()))
        tracks, usual = usual_steps(pick(rows, rows["state"] == State.TRACKED))
        states["usual"][np.searchsorted(states["track"], tracks)] = usual
        states["of"][now] = states["seen"][now]
        self._jumped = self._kept = None
        return len(now) < len(all_due)

    # --------------------------------------------------------------------------------------------------- results

    @property
    def found(self) -> Found:
        """What is found so far: by frame, the worst one first, then by track."""
        if self._kept is None:
            self._others = [_joined(self._others)]
            seen = self._states["track"][self._states["seen"] > 0]
            if self._jumped is None:  # another step is usual
                self._steps = [_joined(self._steps)]
                self._jumped = [_jumps(self._steps[0], self._states)]
            self._jumped = [_joined(self._jumped)]
            # A track that was never seen was not lost either.
            others = self._others[0].take(np.flatnonzero(np.isin(self._others[0]["track"], seen)))
            self._kept = _between(others, _firsts(self._jumped[0]))
        return self._kept


def _joined(parts: Sequence[Found]) -> Found:
    return parts[0] if len(parts) == 1 else np.concatenate((np.zeros(0, FOUND), *parts))


def _between(others: Found, jumps: Found) -> Found:
    """Jumps (by track) in their places among others (sorted)."""
    jumps = jumps.take(stable_order(jumps["frame"]))
    kinds = len(_KINDS)
    key = kinds * jumps["frame"] + jumps["kind"]
    # Where each lies in the merged array: as many as are in front of it among the others, and the jumps before it. No
    # two keys are equal, as the kinds of both differ.
    places = np.searchsorted(kinds * others["frame"] + others["kind"], key) + np.arange(len(jumps))
    made = np.empty(len(others) + len(jumps), FOUND)
    rest = np.ones(len(made), bool)
    rest[places] = False
    made[places], made[rest] = jumps, others
    return made


def _jumps(steps: Found, of: npt.NDArray[Any]) -> Found:
    """Steps that are jumps, by the states of all tracks."""
    if not len(steps):
        return steps
    states = of[np.searchsorted(of["track"], steps["track"])]
    made: Found = steps.take(np.flatnonzero((states["of"] > 0) & (steps["value"] > JUMP * states["usual"])))
    return made


def _firsts(steps: Found) -> Found:
    """A step is large before and behind a jump: the first of two neighbours."""
    if not len(steps):
        return steps
    steps = steps.take(stable_order(steps["track"]))  # of each track they rise
    # In a run of neighbouring steps of a track every second one counts, from the first on.
    apart = (np.diff(steps["track"]) != 0) | (np.diff(steps["place"]) != 1)
    made: Found = steps[_within(np.diff(np.flatnonzero(np.concatenate(([True], apart, [True]))))) % 2 == 0]
    return made


def _within(counts: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """0, 1, 2 ... of each of some groups."""
    starts = np.cumsum(counts) - counts
    made: npt.NDArray[np.int64] = np.arange(int(counts.sum())) - np.repeat(starts, counts)
    return made


def changes(frame: npt.NDArray[Any], x: npt.NDArray[Any], y: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """How much the step changes at each place but the first and the last, px a frame."""
    with np.errstate(invalid="ignore", divide="ignore"):  # between tracks, which is not looked at
        frames = np.diff(frame)
        return np.hypot(np.diff(np.diff(x) / frames), np.diff(np.diff(y) / frames))


def usual_steps(good: Tracks) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """Of tracks that were seen three times or more: their numbers, and a robust standard deviation of the changes of
    their steps (1.4826 times the median), px a frame.

    Args:
        good: rows by track, and of each track by frame.
    """
    of = good["track"][2:]
    # A change belongs to three rows, which must be of one track.
    inside = np.flatnonzero(of == good["track"][:-2])
    change, of = changes(good["frame"], good["x"], good["y"])[inside], of[inside]
    # By track, and of each by size: two sorts of single columns.
    order = np.argsort(change)
    order = order[stable_order(of[order])]
    change, of = change[order], of[order]
    begins = np.flatnonzero(np.diff(of, prepend=of[:1] - 1))
    counts = np.diff(np.append(begins, len(of)))
    # The two in the middle, which are one and the same where the count is odd.
    median = 0.5 * (change[begins + (counts - 1) // 2] + change[begins + counts // 2])
    return of[begins], 1.4826 * median + 1e-9


def in_words(found: np.void) -> Problem:
    """One of `ProblemWatch.found` in words."""
    kind, value = _KINDS[int(found["kind"])], float(found["value"])
    if kind is Kind.LOST:
        what = f"lost: {WORDS[Reason(int(value))]}"
    else:
        what = f"score {value:.2f}" if kind is Kind.SCORE else jump_words(value, int(found["wide"]))
    return Problem(int(found["frame"]), int(found["track"]), what, kind)


class ProblemsInWords(Sequence[Problem]):
    """What was found, each in words when it is asked for: there may be a million.

    Args:
        found: as `ProblemWatch.found`.
    """

    def __init__(self, found: Found) -> None:
        self._found = found

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, index: int) -> Problem: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Problem]: ...

    def __getitem__(self, index: int | slice) -> Problem | Sequence[Problem]:
        return ProblemsInWords(self._found[index]) if isinstance(index, slice) else in_words(self._found[index])


def of_kind(found: Found, kind: Kind | None) -> Found:
    """Those of a kind; None for all."""
    return found if kind is None else found[found["kind"] == _KINDS.index(kind)]
