"""Every track in one line, kept up while rows come: each look takes only a few milliseconds, however many there are."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from app.desk.tracks.corrections import Corrections
from app.desk.tracks.grouping import by_track
from app.desk.tracks.run import join_ranges
from app.desk.tracks.steps import Step
from app.desk.tracks.store import TrackStore
from pipelines.features import State, Tracks
from pipelines.measures import BY_FIELD

LINE = np.dtype(
    [
        ("track", "i8"), ("first", "i8"), ("last", "i8"), ("rows", "i8"), ("seen", "i8"), ("believed", "i8"),
        ("score", "f8"), ("sigma", "f8"), ("state", "u1"), ("reason", "u1"),
    ]
)  # fmt: skip
"""A track: first and last frame, rows, rows in which it was seen (as a run's summary counts them: the first ones too,
before it was believed), of these those in which it was believed, mean score and sigma (px) of what was seen, how its
last row stands. Where rows carry measures, lines do, too (`line_dtype`)."""
Lines = npt.NDArray[Any]
PART = 10_000
"""Rows that are looked at in one go, or those of one frame."""
MOST_AT_ONCE = 200_000
"""Rows of corrected tracks that are looked at anew in one go; of more, all rows are, bit by bit."""


@cache
def line_dtype(fields: tuple[str, ...]) -> np.dtype[Any]:
    """Of lines whose rows carry these measures: of each (in px) its mean where it was measured, angles, which have no
    mean, as they were measured last; NaN where it never was. `counts` says in how many rows each was measured."""
    made = [*LINE.descr, *((name, "f8") for name in fields), ("counts", "i8", (len(fields),))]
    return np.dtype(made) if fields else LINE


class TrackTable:
    """Lines of a store, by track."""

    def __init__(self) -> None:
        self._store: TrackStore | None = None
        self._version = -1
        self._corrections: Corrections | None = None
        self._corrected = 0
        self._steps: tuple[Step, ...] = ()
        self._fields: tuple[str, ...] = ()
        self._sums = np.zeros(0, LINE)  # score, sigma and measures are sums here
        self._waiting: list[tuple[int, int]] = []

    @property
    def behind(self) -> bool:
        """Whether rows wait to be looked at."""
        return bool(self._waiting)

    def look(self, store: TrackStore, seconds: float = 0.006) -> bool:
        """Take in what is new, for so many seconds; whether a line may have changed."""
        made = store.corrections
        if (store, store.raw_version, made, made.version) != (
            self._store, self._version, self._corrections, self._corrected
        ):  # fmt: skip
            same = store is self._store and made is self._corrections
            # None where rows that are known already may have changed: all of them are looked at anew then.
            news = store.news(self._version) if same and store.fields == self._fields else None
            corrected = self._corrected != made.version
            if news is not None and corrected and not self._correct(store, [*self._waiting, *news]):
                news = None
            if news is None:
                self._fields = store.fields
                self._sums = np.zeros(0, line_dtype(self._fields))
                self._waiting = list(store.ranges)
            else:
                self._waiting = join_ranges([*self._waiting, *news])
            self._store, self._version = store, store.raw_version
            self._corrections, self._corrected, self._steps = made, made.version, made.steps
            if (news is None or corrected) and not self._waiting:
                return True
        if not self._waiting:
            return False
        until = time.perf_counter() + seconds
        while self._waiting:
            first, last = self._waiting[0]
            # In parts, so that a look takes about as long as it may.
            end = store.until(first, last, PART)
            self._take(store.between(first, end))
            if end == last:
                self._waiting.pop(0)
            else:
                self._waiting[0] = (end + 1, last)
            if time.perf_counter() > until:
                break
        return True

    def _correct(self, store: TrackStore, waiting: Sequence[tuple[int, int]]) -> bool:
        """Only the lines that other steps concern, anew, of frames that do not wait; whether that was little."""
        steps = store.corrections.steps
        # Steps up to the first at which both lists part have done what they did before.
        alike = next((k for k, (a, b) in enumerate(zip(self._steps, steps, strict=False)) if a is not b),
                     min(len(self._steps), len(steps)))  # fmt: skip
        tracks = store.corrections.kin((*self._steps[alike:], *steps[alike:]))
        theirs = np.isin(self._sums["track"], list(tracks))
        if int(self._sums["rows"][theirs].sum()) > MOST_AT_ONCE:
            return False
        rows = store.kin(tracks)
        # What waits is added later, and must not count twice.
        for first, last in waiting:
            rows = rows[(rows["frame"] < first) | (rows["frame"] > last)]
        self._sums = self._sums[~theirs]
        self._take(rows)
        return True

    def _take(self, rows: Tracks) -> None:
        if not len(rows):
            return
        rows = by_track(rows)
        # Rows lie by track, of each by frame: one `reduceat` sums up every track.
        begins = np.flatnonzero(np.diff(rows["track"], prepend=rows["track"][0] - 1))
        ends = np.append(begins[1:], len(rows)) - 1
        believed = rows["state"] == State.TRACKED
        seen = believed | (rows["state"] == State.TENTATIVE)
        new = np.zeros(len(begins), self._sums.dtype)
        new["track"], new["first"], new["last"] = rows["track"][begins], rows["frame"][begins], rows["frame"][ends]
        new["rows"], new["seen"] = ends - begins + 1, np.add.reduceat(seen, begins, dtype=np.int64)
        new["believed"] = np.add.reduceat(believed, begins, dtype=np.int64)
        for name in ("score", "sigma"):
            new[name] = np.add.reduceat(np.where(seen, np.nan_to_num(rows[name]), 0.0), begins, dtype=np.float64)
        new["state"], new["reason"] = rows["state"][ends], rows["reason"][ends]
        for k, name in enumerate(self._fields):
            known = np.isfinite(rows[name])
            new["counts"][:, k] = np.add.reduceat(known, begins, dtype=np.int64)
            if BY_FIELD[name].period:
                # The last row in which it was known; -1, or less than `begins`, where there is none.
                last = np.maximum.reduceat(np.where(known, np.arange(len(rows)), -1), begins)
                new[name] = np.where(last >= begins, rows[name][last], np.nan)
            else:
                new[name] = np.add.reduceat(np.where(known, rows[name], 0.0), begins, dtype=np.float64)
        at = np.searchsorted(self._sums["track"], new["track"])  # sorting all anew would take long where there are many
        # Behind the last line -1 stands, which is the number of no track.
        known = np.append(self._sums["track"], -1)[at] == new["track"]
        self._add(at[known], new[known])
        self._sums = np.insert(self._sums, at[~known], new[~known])

    def _add(self, at: npt.NDArray[np.intp], new: Lines) -> None:
        """Sums of more rows to lines that there are."""
        made = self._sums[at]
        # Parts may come in any order of frames: a line tells the state of its last frame.
        later = new["last"] >= made["last"]
        for name in ("last", "state", "reason"):
            made[name][later] = new[name][later]
        made["first"] = np.minimum(made["first"], new["first"])
        for k, name in enumerate(self._fields):
            if BY_FIELD[name].period:
                newer = (new["counts"][:, k] > 0) & (later | (made["counts"][:, k] == 0))
                made[name][newer] = new[name][newer]
            else:
                made[name] += new[name]
        counts = ("counts",) if self._fields else ()
        for name in ("rows", "seen", "believed", "score", "sigma", *counts):
            made[name] += new[name]
        self._sums[at] = made

    def seen_most(self, count: int) -> tuple[int, ...]:
        """The tracks that were seen in most frames and believed, by number."""
        there = self._sums[self._sums["believed"] > 0]
        return tuple(sorted(there["track"][np.argsort(-there["seen"], kind="stable")[:count]].tolist()))

    def lines(self) -> Lines:
        """The lines as far as they are known, by track; score, sigma and measures are means (NaN where never seen)."""
        made = self._sums.copy()
        with np.errstate(invalid="ignore", divide="ignore"):
            for name in ("score", "sigma"):
                made[name] = np.where(made["seen"] > 0, made[name] / made["seen"], np.nan)
            for k, name in enumerate(self._fields):
                if not BY_FIELD[name].period:
                    made[name] /= made["counts"][:, k]
        return made


def found(lines: Lines, names: Sequence[str], text: str) -> npt.NDArray[np.bool_]:
    """Which lines a search finds: a part of the name, or a state ("lost", "seen", "guessed")."""
    wanted = text.strip().casefold()
    if not wanted:
        return np.ones(len(lines), bool)
    state = {"lost": State.LOST, "seen": State.TRACKED, "guessed": State.PREDICTED, "unsure": State.TENTATIVE}
    if wanted in state:
        made: npt.NDArray[np.bool_] = lines["state"] == state[wanted]
        return made
    return np.array([wanted in name.casefold() for name in names], bool)
