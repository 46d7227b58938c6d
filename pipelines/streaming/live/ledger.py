"""The ledger of a live run: each frame that was announced is processed, left out by name, or in flight.

Processed frames come in order, those that are left out before any later one is processed; the ledger lays the two
beside each other as they come (`settled`), so that a frame that is counted twice or never shows at once, in memory that
does not grow.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

BEHIND = "the engine was behind"
"""Why frames are left out: the ring was full, or it was too late for them."""
TAKING_OVER = "the processor took over from a GPU that failed"
"""Likewise, while the engine for the processor was built."""
PAUSED = "the run was paused"
ENDED = "the run ended before"
"""The run failed with these frames in its hands."""

MOST_NAMED = 1000
"""Ranges of each sort that are named one by one; beyond it they are only counted."""


def runs_of(frames: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """First and last of each run of rising numbers that follow each other."""
    # Rising numbers without a gap are one run: the common case without a split.
    if int(frames[-1]) - int(frames[0]) + 1 == len(frames):
        yield int(frames[0]), int(frames[-1])
    else:
        for part in np.split(frames, np.flatnonzero(np.diff(frames) != 1) + 1):
            yield int(part[0]), int(part[-1])


@dataclass(frozen=True, slots=True)
class Unprocessed:
    """Frames `first` to `last` (sequence numbers) were captured but not processed."""

    first: int
    last: int
    reason: str


@dataclass(frozen=True, slots=True)
class Gap:
    """Camera numbers `first_id` to `last_id` never came; `sequence` is that of the frame after them."""

    sequence: int
    first_id: int
    last_id: int


@dataclass(frozen=True, slots=True)
class TimeGap:
    """The camera's clock took so many seconds to the frame `sequence`, more than one and a half frames."""

    sequence: int
    seconds: float


class LiveLedger:
    """Counts and ranges, in memory that does not grow; the capture thread and the tracking thread write, any may read.

    Attributes:
        announced: frames that were captured and numbered, from 0.
        processed: frames whose tracks are made.
        left_out: frames that were announced and not processed; `unprocessed` names them.
        reasons: the same by reason.
        missing: camera numbers that never came; `gaps` names them, and those that came late.
        duplicates: frames whose number had come before; `duplicate_ids` names them. They are not announced.
        late: frames whose number had not come before, though a higher one had: out of order, and therefore not
            announced either; `late_ids` names them.
        time_gaps: steps of the camera's clock of more than one and a half frames; `slow_steps` names them.
        recorded: frames that the recorder kept; None without one.
        losses, reconnects: times that the camera was lost, and came back.
        settled: every frame before this one was either processed or left out, once.
    """

    def __init__(self) -> None:
        self.announced = self.processed = self.left_out = self.missing = self.duplicates = self.time_gaps = 0
        self.losses = self.reconnects = self.settled = self.late = 0
        self.recorded: int | None = None
        self.reasons: dict[str, int] = {}
        self.unprocessed: list[Unprocessed] = []
        self.gaps: list[Gap] = []
        self.duplicate_ids: list[int] = []
        self.late_ids: list[int] = []
        self.slow_steps: list[TimeGap] = []
        self._open: list[tuple[int, int]] = []  # rising
        self._fault = ""
        self._lock = threading.Lock()

    @property
    def in_flight(self) -> int:
        """Frames on their way."""
        return self.announced - self.processed - self.left_out

    def announce(self, count: int) -> int:
        """`count` frames more were captured; the number of the first."""
        first = self.announced
        self.announced += count
        return first

    def leave_out(self, first: int, last: int, reason: str) -> None:
        """Announced frames `first` to `last` will not be processed."""
        with self._lock:
            self._leave_out(first, last, reason)

    def _leave_out(self, first: int, last: int, reason: str) -> None:
        # Ranges that are left out but not passed yet, side by side ones joined: a few, however many frames they are.
        place = bisect_left(self._open, (first, first))
        before, after = self._open[place - 1 : place], self._open[place : place + 1]
        # Overlapping a range, before what is settled, or beyond what was announced: a fault that `check` tells.
        if (before and first <= before[0][1]) or (after and last >= after[0][0]) or first < self.settled or (
            last >= self.announced
        ):
            self._wrong(f"frames {first} to {last} were left out twice, after they were processed, or never announced")
        if before and before[0][1] == first - 1:
            self._open[place - 1] = before[0][0], last
        else:
            self._open.insert(place, (first, last))
        self.left_out += last - first + 1
        self.reasons[reason] = self.reasons.get(reason, 0) + last - first + 1
        named = self.unprocessed
        place = bisect_left(named, first, key=lambda one: one.first)
        if place and named[place - 1].last == first - 1 and named[place - 1].reason == reason:
            named[place - 1] = Unprocessed(named[place - 1].first, last, reason)
        elif len(named) < MOST_NAMED:
            named.insert(place, Unprocessed(first, last, reason))

    def process(self, frames: npt.NDArray[np.int64]) -> None:
        """The tracks of these frames, in rising order, are made."""
        with self._lock:
            for part in runs_of(frames):
                self._go_on(*part)
            self.processed += len(frames)

    def _go_on(self, first: int, last: int) -> None:
        # Left-out frames before this one are passed; then it must be the next.
        self._absorb(first)
        if first != self.settled or last >= self.announced:
            self._wrong(f"frames {first} to {last} were processed where frame {self.settled} was next")
        self.settled = max(self.settled, last + 1)

    def _absorb(self, before: int) -> None:
        """Settle what was left out before a frame."""
        while self._open and self._open[0][0] == self.settled and self._open[0][0] < before:
            self.settled = self._open.pop(0)[1] + 1

    def _wrong(self, sentence: str) -> None:
        self._fault = self._fault or sentence

    def gap(self, sequence: int, first_id: int, last_id: int) -> None:
        """Camera numbers never came."""
        self.missing += last_id - first_id + 1
        if len(self.gaps) < MOST_NAMED:
            self.gaps.append(Gap(sequence, first_id, last_id))

    def duplicate(self, camera_id: int) -> None:
        """A camera number came again."""
        self.duplicates += 1
        if len(self.duplicate_ids) < MOST_NAMED:
            self.duplicate_ids.append(camera_id)

    def come_late(self, camera_id: int) -> None:
        """A camera number that was missing came after a higher one."""
        self.missing -= 1
        self.late += 1
        if len(self.late_ids) < MOST_NAMED:
            self.late_ids.append(camera_id)

    def time_gap(self, sequence: int, seconds: float) -> None:
        """The camera's clock jumped ahead."""
        self.time_gaps += 1
        if len(self.slow_steps) < MOST_NAMED:
            self.slow_steps.append(TimeGap(sequence, seconds))

    def finish(self) -> list[Unprocessed]:
        """At the end: what was neither processed nor left out is left out (`ENDED`); returns it."""
        found: list[Unprocessed] = []
        with self._lock:
            at, rest = self.settled, list(self._open)
            # Holes between what was left out, up to the end: they were in flight.
            for first, last in [*rest, (self.announced, self.announced)]:
                if at < first:
                    found.append(Unprocessed(at, first - 1, ENDED))
                at = max(at, last + 1)
            count = sum(r.last - r.first + 1 for r in found)
            self.left_out += count
            if count:
                self.reasons[ENDED] = self.reasons.get(ENDED, 0) + count
                self.unprocessed = sorted([*self.unprocessed, *found], key=lambda r: r.first)
            self._open.clear()
            self.settled = self.announced
        return found

    def check(self, ended: bool = False) -> None:
        """Raise AssertionError if a frame was counted twice or never; at the end none may be in flight."""
        with self._lock:
            assert not self._fault, self._fault
            assert 0 <= self.settled <= self.announced, self.facts()
            # Left-out frames ahead of `settled` are counted already, but not passed.
            waiting = sum(last - first + 1 for first, last in self._open)
            assert self.processed + self.left_out - waiting == self.settled, self.facts()
            assert not ended or (self.in_flight == 0 and self.settled == self.announced), self.facts()

    def facts(self) -> dict[str, Any]:
        """For a summary, JSON-able."""
        return {
            "announced": self.announced,
            "processed": self.processed,
            "unprocessed": self.left_out,
            "in_flight": self.in_flight,
            "recorded": self.recorded,
            "unprocessed_reasons": dict(self.reasons),
            "unprocessed_ranges": [asdict(r) for r in self.unprocessed],
            "missing": self.missing,
            "gaps": [asdict(g) for g in self.gaps],
            "duplicates": self.duplicates,
            "duplicate_ids": list(self.duplicate_ids),
            "late": self.late,
            "late_ids": list(self.late_ids),
            "time_gaps": self.time_gaps,
            "slow_steps": [asdict(t) for t in self.slow_steps],
            "camera_losses": self.losses,
            "reconnects": self.reconnects,
        }
