"""A run of frames and their rows, found by frame and by track."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from app.desk.tracks.offsets import Offsets
from pipelines.features import TRACK_DTYPE, Tracks
from pipelines.measures import measured_as

FIRST = 1024
"""Rows that an empty one has room for."""
_FEW = 4096


@dataclass
class Run:
    """Frames `first` to `last`, all known, and their rows, with the measures that the store has, in a growing array;
    `lent` to a snapshot or not. A snapshot shares the offsets, too, until rows change here. `changed` is when rows of
    it came last: the store's version."""

    first: int
    last: int
    data: Tracks = field(default_factory=lambda: np.zeros(FIRST, TRACK_DTYPE))
    count: int = 0
    lent: bool = False
    offsets: Offsets = field(default_factory=Offsets)
    changed: int = 0

    @property
    def rows(self) -> Tracks:
        return self.data[: self.count]

    def place(self, frame: int) -> int:
        """Where the rows of `frame` begin."""
        return bisect_left(self.data["frame"], frame, 0, self.count)  # NumPy would copy the whole column first

    def of(self, tracks: Sequence[int]) -> Tracks:
        """The rows of some tracks; a copy."""
        places = self.offsets.of(self.rows["track"], tracks)
        found: Tracks = self.data.take(places)  # self.data[places] takes twenty times as long
        return found

    def append(self, last: int, rows: Tracks) -> None:
        needed = self.count + len(rows)
        if needed > len(self.data):
            grown = np.zeros(max(needed, 2 * len(self.data)), self.data.dtype)
            grown[: self.count] = self.rows
            self.data, self.lent = grown, False
        self.data[self.count : needed] = rows
        self.count, self.last = needed, last

    def own(self) -> None:
        """Have rows that can be written: a snapshot keeps those that it shares."""
        if self.lent:
            data = np.zeros(len(self.data), self.data.dtype)
            data[: self.count] = self.rows
            self.data, self.lent = data, False

    def put(self, place: int, rows: Tracks) -> None:
        """Other rows from a place on."""
        self.own()
        # Offsets know which track each row has, and nothing else.
        if not np.array_equal(self.data["track"][place : place + len(rows)], rows["track"]):
            self.offsets = Offsets()
        self.data[place : place + len(rows)] = rows

    def measure(self, fields: tuple[str, ...]) -> None:
        """Have rows with these measures, those that they have among them; the others are not known of any."""
        self.data, self.lent = measured_as(self.data, fields), False

    def same(self, place: int, rows: Tracks) -> bool:
        """Whether the rows from a place on are these, bit for bit."""
        theirs = self.data[place : place + len(rows)]
        return all(theirs[k : k + _FEW].tobytes() == rows[k : k + _FEW].tobytes() for k in range(0, len(rows), _FEW))

    def cut(self, count: int, last: int) -> None:
        """Keep so many rows, up to the frame `last`."""
        if self.lent:
            self.data = self.data[:count]  # full: what comes behind is not written into what a snapshot shares
        self.count, self.last, self.offsets = count, last, Offsets()


def join_ranges(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """First and last frames of ranges, one where a range begins right behind the one before it."""
    found: list[tuple[int, int]] = []
    for first, last in ranges:
        if found and found[-1][1] + 1 == first:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return found
