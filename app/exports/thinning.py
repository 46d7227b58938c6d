"""A bounded number of rows of tracks that still draw the same lines.

Of each track and each stretch of frames the first and last row and those of the extreme x and y are kept, and the
stretches double when there are too many. So oscillations keep their envelope and never alias.
"""

from __future__ import annotations

import numpy as np

from pipelines.features import TRACK_DTYPE, State, Tracks, no_tracks

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
        self._kept = no_tracks()
        self._pending: list[Tracks] = []
        self._pending_rows = 0

    @property
    def rows(self) -> Tracks:
        """The rows held, by track and frame."""
        self._settle()
        self._kept = self._kept[np.lexsort((self._kept["frame"], self._kept["track"]))]
        return self._kept

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
        new = np.concatenate(self._pending)
        self._pending, self._pending_rows = [], 0
        self._kept = np.concatenate((self._kept, thin(new, self._stretch)))
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

    def _drop_shortest(self) -> None:
        """Too many tracks: keep the longest ones, in half of the room."""
        ids, inverse, counts = np.unique(self._kept["track"], return_inverse=True, return_counts=True)
        first = np.full(len(ids), np.iinfo(np.int64).max)
        last = np.full(len(ids), np.iinfo(np.int64).min)
        np.minimum.at(first, inverse, self._kept["frame"])
        np.maximum.at(last, inverse, self._kept["frame"])
        longest = np.argsort(first - last, kind="stable")
        keep = np.zeros(len(ids), bool)
        keep[longest[np.cumsum(counts[longest]) <= self._most // 2]] = True
        self.left_out += int((~keep).sum())
        self._kept = self._kept[keep[inverse]]


def thin(rows: Tracks, stretch: int) -> Tracks:
    """Of each track and each `stretch` frames: the first and last row, and those of least and greatest x and y.

    TRACKED rows and LOST ones survive in kind: the first TRACKED row and every LOST row are kept too.
    """
    if stretch <= 1 or not len(rows):
        return rows
    part = rows["frame"] // stretch
    keep = np.zeros(len(rows), bool)
    for key in (rows["frame"], rows["x"], rows["y"]):
        order = np.lexsort((key, part, rows["track"]))
        edge = (np.diff(rows["track"][order]) != 0) | (np.diff(part[order]) != 0)
        keep[order[np.append(True, edge)]] = True
        keep[order[np.append(edge, True)]] = True
    keep |= rows["state"] == State.LOST
    believed = np.flatnonzero(rows["state"] == State.TRACKED)
    keep[believed[np.unique(rows["track"][believed], return_index=True)[1]]] = True
    return rows[keep]
