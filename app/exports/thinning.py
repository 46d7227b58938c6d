"""A bounded number of rows of tracks that still draw the same lines.

Of each track and each stretch of frames the first and last row and those of the extreme x and y are kept, and the
stretches double when there are too many. So oscillations keep their envelope and never alias.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from app.exports.gaps import Gaps
from pipelines.features import TRACK_DTYPE, State, Tracks, join_tracks, no_tracks

MOST_ROWS = 200_000
PENDING_ROWS = 1 << 14


class ThinnedRows:
    """Rows of tracks, thinned as they come.

    Args:
        most: rows held.
    """

    def __init__(self, most: int = MOST_ROWS) -> None:
        self.left_out = 0
        """Tracks given up because there were too many; the shortest ones."""
        self._most = most
        self._stretch = 1  # frames that are thinned together
        self._gaps = Gaps()
        self._kept = no_tracks()
        self._pending: list[Tracks] = []
        self._pending_rows = 0

    @property
    def rows(self) -> Tracks:
        """The rows held, by track and frame."""
        self._settle()
        self._kept = self._kept[np.lexsort((self._kept["frame"], self._kept["track"]))]
        return self._kept

    def joined(self, rows: Tracks) -> npt.NDArray[np.bool_]:
        """Whether a line leads from each of these rows to the next, (n - 1,): not over frames of which nothing is known
        (`app.joined`), unless there are fewer of them than are thinned together.

        Args:
            rows: some of `rows`, in their order, those of each track all or none, without LOST ones.
        """
        return self._gaps.joined(rows, self._stretch)

    def add(self, rows: Tracks) -> None:
        """Take rows of TRACK_DTYPE, of any frames; they are copied, save those without a finite place."""
        if rows.dtype != TRACK_DTYPE:
            raise ValueError(f"rows of tracks have the dtype TRACK_DTYPE, not {rows.dtype}")
        for start in range(0, len(rows), self._most):
            block = rows[start : start + self._most]
            self._pending.append(block[np.isfinite(block["x"]) & np.isfinite(block["y"])])
            self._pending_rows += len(self._pending[-1])
            if self._pending_rows >= PENDING_ROWS:
                self._settle()

    def _settle(self) -> None:
        if not self._pending:
            return
        new = join_tracks(self._pending)
        self._pending, self._pending_rows = [], 0
        self._gaps.add(new)
        self._kept = join_tracks((self._kept, thin(new, self._stretch)))
        if len(self._kept) <= self._most:
            return
        # Blocks were thinned one by one; together less may do. A quarter of room, so that this stays rare.
        self._kept = thin(self._kept, self._stretch)
        enough = self._most * 3 // 4
        frames = self._kept["frame"]
        span = int(frames.max()) - int(frames.min())
        while len(self._kept) > enough and self._stretch <= span:
            self._stretch *= 2
            self._kept = thin(self._kept, self._stretch)
        if len(self._kept) > enough:
            self._drop_shortest()
        self._gaps.thin(self._stretch, np.unique(self._kept["track"]))

    def _drop_shortest(self) -> None:
        """Too many tracks: keep the longest ones, in half of the room."""
        ids, inverse, counts = np.unique(self._kept["track"], return_inverse=True, return_counts=True)
        first = np.full(len(ids), np.iinfo(np.int64).max)
        last = np.full(len(ids), np.iinfo(np.int64).min)
        # The longest by frames, not by rows.
        np.minimum.at(first, inverse, self._kept["frame"])
        np.maximum.at(last, inverse, self._kept["frame"])
        longest = np.argsort(first - last, kind="stable")
        keep = np.zeros(len(ids), bool)
        keep[longest[np.cumsum(counts[longest]) <= self._most // 2]] = True
        self.left_out += int((~keep).sum())
        self._kept = self._kept[keep[inverse]]


def thin(rows: Tracks, stretch: int) -> Tracks:
    """Of each track and each `stretch` frames: the first and last row, and those of least and greatest x and y.

    TRACKED rows and LOST ones survive in kind: the first TRACKED row and every LOST row are kept too. Of rows that are
    equally far out, the first one with the least value stays, and the last one with the greatest. Places are finite.
    """
    # Values per track and stretch lie together; `reduceat` takes least and greatest of each run.
    if stretch <= 1 or not len(rows):
        return rows
    part, track = rows["frame"] // stretch, np.ascontiguousarray(rows["track"])
    order = np.lexsort((part, track))  # together what is thinned together, in the order of the rows
    new = np.diff(track[order]) != 0
    begin = np.flatnonzero(np.append(True, new | (np.diff(part[order]) != 0)))
    of = np.repeat(np.arange(len(begin)), np.diff(np.append(begin, len(rows))))
    keep = rows["state"] == State.LOST
    for name in ("frame", "x", "y"):
        values = rows[name][order]
        # Equal values: the first of the least, the last of the greatest, so that it does not depend on how rows came.
        least = np.flatnonzero(values == np.minimum.reduceat(values, begin)[of])
        keep[order[least[np.append(True, np.diff(of[least]) != 0)]]] = True
        greatest = np.flatnonzero(values == np.maximum.reduceat(values, begin)[of])
        keep[order[greatest[np.append(np.diff(of[greatest]) != 0, True)]]] = True
    # The first TRACKED row of each track makes it a believed one for whoever reads the rest.
    believed = np.where(rows["state"][order] == State.TRACKED, order, len(rows))
    first = np.minimum.reduceat(believed, np.flatnonzero(np.append(True, new)))
    keep[first[first < len(rows)]] = True
    kept: Tracks = rows[keep]
    return kept
