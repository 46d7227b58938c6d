"""Over which steps of tracks no line is drawn (`app.joined` has the rule), found while rows come and before they are
thinned: afterwards a frame of which nothing is known looks like one that was left out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from app.joined import AROUND, joined
from pipelines.features import State, Tracks

MOST_TAILS = 1 << 17
"""Rows at the ends of tracks that are held; beyond, those of the tracks that ended first go."""
_TAIL = 2 * AROUND + 1
"""Rows of a track that say what its next steps are."""
_STEP = np.dtype([("track", "i8"), ("before", "i8"), ("after", "i8")])
_END = np.dtype([("track", "i8"), ("frame", "i8"), ("looked_at", "?")])  # whether the step behind it was looked at


class Gaps:
    """See the module. Rows come by rising frames, some of any track at a time."""

    def __init__(self) -> None:
        self._ends = np.zeros(0, _END)
        self._found = np.zeros(0, _STEP)

    def add(self, rows: Tracks) -> None:
        """Take rows, before any of them is left out."""
        seen = rows[rows["state"] != State.LOST]
        new = np.zeros(len(seen), _END)
        new["track"], new["frame"] = seen["track"], seen["frame"]
        ends = np.concatenate((self._ends, new))
        ends = ends[np.lexsort((ends["frame"], ends["track"]))]
        behind = _behind(ends)
        self._found = np.concatenate((self._found, _gaps(ends, behind > AROUND)))
        ends["looked_at"] |= behind > AROUND
        # The last rows of each track wait: later ones say whether the step behind them is a gap.
        ends = ends[behind < _TAIL]
        # Of very many tracks those are remembered that were seen last.
        if len(ends) > MOST_TAILS:
            last = ends["frame"][np.arange(len(ends)) + _behind(ends)]
            ends = ends[last >= np.partition(last, -MOST_TAILS // 2)[-MOST_TAILS // 2]]
        self._ends = ends

    def thin(self, stretch: int, tracks: npt.NDArray[np.int64]) -> None:
        """Rows of so many frames are thinned together, and only these tracks are left."""
        found = self._found
        apart = found["before"] // stretch != found["after"] // stretch
        self._found = found[apart & np.isin(found["track"], tracks)]

    def joined(self, rows: Tracks, stretch: int) -> npt.NDArray[np.bool_]:
        """Whether a line leads from each row to the next; (n - 1,).

        Args:
            rows: those that are left, by track and frame, without LOST ones.
            stretch: frames that were thinned together. Shorter gaps inside of them are drawn over.
        """
        frame, track = np.ascontiguousarray(rows["frame"]), np.ascontiguousarray(rows["track"])
        if stretch <= 1 or len(rows) < 2:
            return joined(frame, track)
        steps = np.zeros(len(rows) - 1, _STEP)
        steps["track"], steps["before"], steps["after"] = track[:-1], frame[:-1], frame[1:]
        found = np.concatenate((self._found, _gaps(self._ends, np.ones(len(self._ends), bool))))
        # Of each stretch the first and the last row stay, so that steps between stretches are those that were.
        between = frame[:-1] // stretch != frame[1:] // stretch
        found_here: npt.NDArray[np.bool_] = (np.diff(track) == 0) & ~(between & np.isin(steps, found))
        return found_here


def _behind(ends: npt.NDArray[np.void]) -> npt.NDArray[np.int64]:
    """How many rows of the same track come behind each."""
    if not len(ends):
        return np.zeros(0, np.int64)
    last = np.flatnonzero(np.append(np.diff(ends["track"]) != 0, True))
    return np.repeat(last, np.diff(np.append(-1, last))) - np.arange(len(ends))


def _gaps(ends: npt.NDArray[np.void], ready: npt.NDArray[np.bool_]) -> npt.NDArray[np.void]:
    """The steps behind those ends of which enough is known, that no line leads over and that were not told."""
    frame, track = np.ascontiguousarray(ends["frame"]), np.ascontiguousarray(ends["track"])
    if len(ends) < 2:
        return np.zeros(0, _STEP)
    at = np.flatnonzero((np.diff(track) == 0) & ready[:-1] & ~ends["looked_at"][:-1] & ~joined(frame, track))
    made = np.zeros(len(at), _STEP)
    made["track"], made["before"], made["after"] = track[at], frame[at], frame[at + 1]
    return made
