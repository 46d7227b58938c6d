"""All rows of tracks that the engine reported, found by frame and by track, as the user corrected them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from app.desk.tracks.corrections import Corrections
from app.desk.tracks.offsets import Offsets
from app.desk.tracks.run import FIRST, Run, join_ranges
from pipelines.features import State, Tracks, join_tracks
from pipelines.measures import fields_of, in_order, measured_as, measured_dtype

MOST_NEWS = 4096
"""Additions that `news` remembers: who looks less often has to look at everything."""
MOST_BYTES = 1 << 30
"""Memory for rows. Where there are more, those that came longest ago are given up, wherever in the clip they are: what
was played last is what people look at (tables and sessions have all)."""
PIECE = 1 << 18
"""Rows of one array: to let it grow costs a few milliseconds."""
MANY = 1 << 16
"""Rows that come at once from which on their own array is kept, in place of a copy."""


class TrackStore:
    """Rows by frame. What comes again for a frame replaces what was known of it.

    Where a frame comes with another number of rows, a parameter must have changed: what was known of later frames of
    the same run is then of the past, and forgotten.

    Rows carry the measures (`pipelines.measures`) that any of them came with: NaN where they were not measured.

    Attributes:
        fields: the measures that rows carry.
        forgotten: rows that were given up for want of memory; `given_up` names the frames that are not known since.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._runs: list[Run] = []
        self._most = most_bytes
        self._version = 0
        self._corrections = Corrections()
        self._news: deque[tuple[int, int, int]] = deque(maxlen=MOST_NEWS)  # version after it, first, last
        self._anew = 0
        self._gone: list[tuple[int, int]] = []
        self.fields: tuple[str, ...] = ()
        self.forgotten = 0

    def __len__(self) -> int:
        return sum(run.count for run in self._runs)

    @property
    def version(self) -> int:
        """Rises with every change, those of the corrections too."""
        return self._version + self._corrections.version

    @property
    def corrections(self) -> Corrections:
        """What is read goes through them; rows are kept as they came."""
        return self._corrections

    @corrections.setter
    def corrections(self, corrections: Corrections) -> None:
        self._version += self._corrections.version + 1
        self._anew = self._version
        self._corrections = corrections

    @property
    def raw_version(self) -> int:
        """As `version`, of the rows as they came."""
        return self._version

    def news(self, raw_version: int) -> list[tuple[int, int]] | None:
        """The frames that are known now and were not at `raw_version`; None where other rows may have changed, too."""
        # Every addition since must be remembered, and nothing else may have changed since.
        lost = len(self._news) == MOST_NEWS and self._news[0][0] > raw_version + 1
        if lost or not self._anew <= raw_version <= self._version:
            return None
        return join_ranges((first, last) for at, first, last in self._news if at > raw_version)

    def clear(self) -> None:
        """Forget everything."""
        self._runs.clear()
        self._version += 1
        self._anew = self._version
        self._gone, self.fields, self.forgotten = [], (), 0

    @property
    def given_up(self) -> list[tuple[int, int]]:
        """First and last frames of what was given up for want of memory and has not come again."""
        found = self._gone
        for first, last in self.ranges:
            # A known range cuts what was given up into what lies before and behind it.
            parts = [part for a, b in found for part in ((a, min(b, first - 1)), (max(a, last + 1), b))]
            found = [(a, b) for a, b in parts if a <= b]
        return found

    def forget_from(self, frame: int) -> None:
        """Forget the rows of `frame` and of all after it."""
        kept = []
        for run in self._runs:
            if run.first >= frame:
                continue
            if run.last >= frame:
                run.cut(run.place(frame), frame - 1)
            kept.append(run)
        self._runs = kept
        self._version += 1
        self._anew = self._version

    def snapshot(self) -> TrackStore:
        """The store as it is now, for another thread; rows are shared until they change here."""
        made = TrackStore(self._most)
        # Copy on write from here on: the arrays are shared.
        for run in self._runs:
            run.lent = True
        made._runs = [replace(run) for run in self._runs]
        made._corrections, made.fields = self._corrections.copy(), self.fields
        return made

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """First and last frame of each run of frames that are known."""
        return join_ranges((run.first, run.last) for run in self._runs)

    def parts(self) -> Iterator[Tracks]:
        """All rows as they came, by frame, in pieces that are not copied."""
        for run in self._runs:
            yield run.rows

    def known(self, frame: int) -> bool:
        """Whether the rows of `frame` are known."""
        at = self._find(frame)
        return at >= 0 and self._runs[at].last >= frame

    @property
    def frames(self) -> int:
        """Frames whose rows are known."""
        return sum(run.last - run.first + 1 for run in self._runs)

    def _find(self, frame: int) -> int:
        """The last run that begins at or before `frame`, -1 for none."""
        return bisect_right(self._runs, frame, key=lambda run: run.first) - 1

    def add(self, first: int, last: int, rows: Tracks) -> None:
        """The rows of frames `first` to `last`, by rising frame; many at once are kept, not copied: write them no
        more."""
        self._version += 1
        kept = len(rows) >= MANY and not isinstance(rows.base, np.ndarray)  # else they may be another's, even ours
        rows = np.ascontiguousarray(self._measured(rows))
        # The run that holds the frame or ends just before it; else a new one.
        at = self._find(first)
        if at < 0 or self._runs[at].last + 1 < first:
            at += 1
            self._runs.insert(at, self._run(first))
        # Replace what is known already, run by run, then add the rest.
        while True:
            run = self._runs[at]
            run.changed = self._version
            inside = min(last, run.last)
            # Where the number of rows differs, `_same` cuts the run, and everything from `first` on is added.
            if inside >= first:  # known already
                head = rows[: np.searchsorted(rows["frame"], inside, "right")]
                if self._same(at, first, inside, head):
                    rows, first = rows[len(head) :], inside + 1
            if first > last:
                break
            if at + 1 < len(self._runs) and self._runs[at + 1].first == first:
                at += 1
                continue
            if kept and len(rows) >= MANY:
                # In runs of at most PIECE rows, as what grows is copied.
                at = self._take(at, first, last, rows)
            else:
                if run.count and run.count + len(rows) > PIECE:
                    at += 1
                    self._runs.insert(at, self._run(first))
                self._runs[at].append(last, rows)
                self._runs[at].changed = self._version
            self._yield(at)
            self._news.append((self._version, first, last))
            break
        self._bound()

    def _measured(self, rows: Tracks) -> Tracks:
        """New rows with the measures that all have; from here on, all have theirs, too."""
        fields = fields_of(rows)
        if not {*fields} <= {*self.fields}:
            self.fields = in_order((*self.fields, *fields))
            for run in self._runs:
                run.measure(self.fields)
        return measured_as(rows, self.fields)

    def _run(self, first: int) -> Run:
        """An empty one."""
        return Run(first, first - 1, np.zeros(FIRST, measured_dtype(self.fields)))

    def _take(self, at: int, first: int, last: int, rows: Tracks) -> int:
        """Rows as they lie, in runs of at most `PIECE` of them or one frame, behind a run; the place of the last."""
        if self._runs[at].last < self._runs[at].first:  # made a moment ago
            self._runs.pop(at)
            at -= 1
        frames, begin = rows["frame"], 0
        while begin < len(rows):
            end = len(rows)
            if end - begin > PIECE:
                # A frame is never split: the piece ends before the frame that reaches over its end, or behind a frame
                # that is larger than a piece.
                frame = frames[begin + PIECE]
                end = bisect_left(frames, frame, begin) if frame > frames[begin] else bisect_right(frames, frame, begin)
            until = int(frames[end]) - 1 if end < len(rows) else last
            at += 1
            self._runs.insert(at, Run(first, until, rows[begin:end], end - begin, lent=True, changed=self._version))
            first, begin = until + 1, end
        return at

    def _same(self, at: int, first: int, last: int, rows: Tracks) -> bool:
        """Replace rows of a run; where their number differs, forget these and all that follow, and say so."""
        run = self._runs[at]
        a, b = run.place(first), run.place(last + 1)
        if np.array_equal(run.data["frame"][a:b], rows["frame"]):
            if not run.same(a, rows):
                run.put(a, rows)
                self._anew = self._version
            return True
        end = run.last
        run.cut(a, first - 1)
        # What follows without a gap is of the same computation.
        while at + 1 < len(self._runs) and self._runs[at + 1].first == end + 1:
            end = self._runs.pop(at + 1).last
        self._anew = self._version
        return False

    def _yield(self, at: int) -> None:
        """Runs behind give way to one that has grown into them."""
        run = self._runs[at]
        while at + 1 < len(self._runs) and self._runs[at + 1].first <= run.last:
            other = self._runs[at + 1]
            self._anew = self._version
            if other.last <= run.last:
                self._runs.pop(at + 1)
                continue
            rest = other.rows[other.place(run.last + 1) :].copy()
            self._runs[at + 1] = Run(run.last + 1, other.last, rest, len(rest), changed=other.changed)

    def _bound(self) -> None:
        """Give up what came longest ago, until the rest fits."""
        while len(self) * measured_dtype(self.fields).itemsize > self._most:
            self._anew = self._version
            at = min(range(len(self._runs)), key=lambda k: self._runs[k].changed)  # the first of those that are as old
            run = self._runs[at]
            if len(self._runs) > 1:
                self._runs.pop(at)
                self._give_up(run.first, run.last, run.count)
                continue
            # One run is left: the first quarter of it goes.
            frame = int(run.rows["frame"][run.count // 4]) + 1
            cut = run.place(frame)
            self._give_up(run.first, min(frame - 1, run.last), cut)
            rest = run.rows[cut:].copy()
            run.first, run.data, run.count, run.offsets = frame, rest, len(rest), Offsets()
            if frame > run.last:
                run.first = run.last
                return

    def _give_up(self, first: int, last: int, rows: int) -> None:
        self.forgotten += rows
        whole: list[tuple[int, int]] = []
        for begin, end in sorted([*self.given_up, (first, last)]):  # what came again is not gone
            if whole and begin <= whole[-1][1] + 1:
                whole[-1] = whole[-1][0], max(whole[-1][1], end)
            else:
                whole.append((begin, end))
        self._gone = whole

    def at(self, frame: int) -> Tracks:
        """The rows of one frame."""
        return self.between(frame, frame)

    def between(self, first: int, last: int) -> Tracks:
        """The rows of frames `first` to `last`, by frame."""
        rows = self.raw_between(first, last)
        if not self._corrections.changes_rows:
            return rows
        known = [(max(a, first), min(b, last)) for a, b in self.ranges if a <= last and b >= first]
        return self._corrections.apply(rows, known)

    def newest(self, count: int) -> Tracks:
        """The rows of the newest frames, some `count` of them."""
        if not self._runs:
            return self._none()
        last = self._runs[-1].last
        return self.between(self.since(last, count), last)

    def since(self, last: int, count: int) -> int:
        """The frame from which on there are `count` rows up to the frame `last`, or hardly more; 0 where there are
        fewer."""
        left = count
        for run in reversed(self._runs[: self._find(last) + 1]):
            there = run.place(last + 1)
            if there >= left:
                return int(run.data["frame"][there - left]) if left else last + 1
            left -= there
        return 0

    def until(self, first: int, last: int, count: int) -> int:
        """The frame up to which, from `first` on, there are at most `count` rows as they came: `first` at least, `last`
        at most."""
        left = count
        for run in self._runs[max(0, self._find(first)) :]:
            if run.first > last:
                break
            begin = run.place(first)
            if run.count - begin > left:
                return min(max(int(run.data["frame"][begin + left]) - 1, first), last)
            left -= run.count - begin
        return last

    def raw_between(self, first: int, last: int) -> Tracks:
        """The same as they came from the engine."""
        parts = []
        for run in self._runs[max(0, self._find(first)) :]:
            if run.first > last:
                break
            parts.append(run.rows[run.place(first) : run.place(last + 1)])
        parts = [part for part in parts if len(part)]
        return parts[0] if len(parts) == 1 else self._joined(parts)

    def track(self, track: int) -> Tracks:
        """The rows of one track, by frame; a copy."""
        if not self._corrections.changes_rows:
            return self._of((track,))
        rows = self._corrections.apply(self._of(self._corrections.sources(track).tolist()), self.ranges)
        found: Tracks = rows[rows["track"] == track]
        return found

    def tracks(self, tracks: Sequence[int]) -> Tracks:
        """The rows of some tracks, by frame; a copy."""
        if not self._corrections.changes_rows:
            return self._of(tracks)
        theirs = {source for track in tracks for source in self._corrections.sources(track).tolist()}
        rows = self._corrections.apply(self._of(sorted(theirs)), self.ranges)
        found: Tracks = rows[np.isin(rows["track"], tracks)]
        return found

    def kin(self, tracks: Collection[int]) -> Tracks:
        """The rows of tracks that share rows with no others (`Corrections.kin`), by frame; a copy."""
        wanted = sorted(tracks)
        rows = self._corrections.apply(self._of(wanted), self.ranges)
        found: Tracks = rows[np.isin(rows["track"], wanted)]  # steps make rows of other tracks, too
        return found

    def _of(self, tracks: Sequence[int]) -> Tracks:
        """Rows of some tracks as they came."""
        return self._joined([run.of(tracks) for run in self._runs])

    def count_of(self, tracks: Sequence[int]) -> int:
        """Rows of some tracks, as they came; those that were corrected may have others."""
        return sum(len(run.offsets.of(run.rows["track"], tracks)) for run in self._runs)

    def all(self) -> Tracks:
        """All rows, by frame; a copy."""
        rows = self._joined([run.rows for run in self._runs])
        return self._corrections.apply(rows, self.ranges)

    def _joined(self, parts: Sequence[Tracks]) -> Tracks:
        return join_tracks(parts) if any(map(len, parts)) else self._none()

    def _none(self) -> Tracks:
        """No rows."""
        return np.zeros(0, measured_dtype(self.fields))


def seen(rows: Tracks) -> npt.NDArray[np.bool_]:
    """True where the thing was seen, not guessed."""
    found: npt.NDArray[np.bool_] = rows["state"] == State.TRACKED
    return found
