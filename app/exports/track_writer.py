"""Tracks to CSV and Parquet while they come, with flat memory and files that are whole whatever happens.

Whether a track is to be believed shows only after some frames. Rows wait until every track of their frame and of
all frames before is decided: confirmed by its first TRACKED row, or dropped with its LOST row if it never had one.
So the files hold exactly `pipelines.trackers.base.confirmed(all rows)`, sorted by frame and track.

Decided rows reach the CSV file within about a second, so that a killed process leaves what it did; Parquet can be read
only when it is whole.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow.parquet

from app.exports.columns import COLUMNS, csv_header, file_meta, ordered, schema_of, to_arrow, to_csv
from app.exports.csv_stream import CsvStream
from app.exports.physical_csv import PhysicalCsv
from app.files.atomic import PendingFile, uninterrupted, write_error
from kernels.errors import InputError
from pipelines.features import State, Tracks
from pipelines.measures import Unwrapping, measured_dtype

GROUP_ROWS = 1 << 16
"""Rows of a Parquet row group (about 4 MB in memory)."""
MOST_WAITING = 1 << 20
"""Rows that may wait for a decision (about 66 MB); beyond, undecided tracks are kept."""
EVERY = 1.0
"""Seconds between two looks for decided rows, at least: what a killed process loses."""


@dataclass(frozen=True, slots=True)
class WriterCounts:
    """What a `TrackWriter` did, for the summary.

    Args:
        rows: rows written.
        tracks: tracks written.
        dropped_rows, dropped_tracks: of tracks that were never confirmed.
        undecided_tracks: kept although never confirmed, because too many rows were waiting.
    """

    rows: int = 0
    tracks: int = 0
    dropped_rows: int = 0
    dropped_tracks: int = 0
    undecided_tracks: int = 0


class TrackWriter:
    """Writes rows of tracks to a CSV and a Parquet file, or to one of the two.

    As a context manager it closes the files at the end, and also when an exception passes: what was done is kept,
    with "complete": false in the Parquet metadata. If there is nothing to keep, no file appears.

    Args:
        csv, parquet: paths, or None.
        meta: for the Parquet metadata: source, time_base, pipeline_hash, versions; JSON-able.
        measures: the fields of `pipelines.measures.MEASURES` that rows carry; their angles go on along tracks.
        key: whether the CSV file says of each column what it is, in lines before its header.
        counted: how the CSV file counts, None in px of the picture; Parquet always does.
        group_rows: rows of a Parquet row group; the last group holds the rest.
        most_waiting: see MOST_WAITING.
        clock: seconds; replaced in tests.

    Raises:
        InputError: here and in `append` and `close`, when the system refuses to write. The rows that the CSV file
            holds by then are kept beside it, as the sentence says; nothing else is left.
    """

    def __init__(
        self,
        csv: str | os.PathLike[str] | None,
        parquet: str | os.PathLike[str] | None,
        meta: Mapping[str, object],
        *,
        measures: tuple[str, ...] = (),
        key: bool = False,
        counted: PhysicalCsv | None = None,
        group_rows: int = GROUP_ROWS,
        most_waiting: int = MOST_WAITING,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._measures, self._dtype, self._angles = measures, measured_dtype(measures), Unwrapping()
        self._group_rows = group_rows
        self._most_waiting = most_waiting
        self._meta = dict(meta)
        self._waiting: list[Tracks] = []  # blocks as they came
        self._waiting_rows = 0
        self._look_at = group_rows  # waiting rows at which a look for decided ones pays
        self._undecided: dict[int, int] = {}  # id -> first frame
        self._believed: set[int] = set()  # ids alive and confirmed
        self._dropped: list[int] = []  # ids whose rows are still among the waiting
        self._clock = clock
        self._due = clock() + EVERY
        self._group: list[Tracks] = []  # decided rows of the next Parquet row group
        self._last = self._written = np.iinfo(np.int64).min  # frames
        self._counts = dict.fromkeys(("rows", "tracks", "dropped_rows", "dropped_tracks", "undecided_tracks"), 0)
        self._open = True
        self._csv: CsvStream | None = None
        self._parquet: Any = None
        self._pending: list[PendingFile] = []
        self._current: PendingFile | None = None
        try:
            with uninterrupted():
                if csv is not None:
                    self._csv_pending = self._add(csv, hidden=False)
                    header = csv_header(measures, key) if counted is None else counted.header(measures, key)
                    lines = to_csv if counted is None else counted.lines
                    self._csv = CsvStream(self._csv_pending.temporary, header, lines)
                if parquet is not None:
                    self._parquet_pending = self._add(parquet)
                    self._parquet = pyarrow.parquet.ParquetWriter(
                        self._parquet_pending.temporary, schema_of(measures), compression="zstd",
                        use_dictionary=[column.name for column in COLUMNS],  # measures repeat seldom
                    )
        except (OSError, InputError) as error:
            raise self._fail(error) from error

    def append(self, rows: Tracks) -> None:
        """Take the rows of one or more frames, with their measures; frames must not fall from call to call.

        Raises:
            ValueError: a frame lies before the last call's, or the rows are of another dtype.
        """
        if not self._open:
            raise ValueError("the writer is closed")
        if rows.dtype != self._dtype:
            raise ValueError(f"rows of tracks have the dtype {'TRACK_DTYPE' if not self._measures else self._dtype}, "
                             f"not {rows.dtype}")  # fmt: skip
        if not len(rows):
            return
        first, last = int(rows["frame"].min()), int(rows["frame"].max())
        # Frames must not fall: what was written is by rising frame.
        if first < self._last:
            raise ValueError(f"rows of frame {first} came after frame {self._last}")
        # An interrupt in between would leave rows counted and not kept.
        with uninterrupted():
            self._last = last
            self._decide(rows)
            self._waiting.append(rows.copy())
            self._waiting_rows += len(rows)
            if self._waiting_rows >= self._look_at or self._clock() >= self._due:
                self._settle()

    @property
    def counts(self) -> WriterCounts:
        """What was done so far; final after `close`."""
        return WriterCounts(**self._counts)

    def close(self, complete: bool = True) -> WriterCounts:
        """Write what waits, finish the files and give them their names; a second call does nothing.

        Tracks that are still unconfirmed are dropped: the run ended before they were believed.

        Args:
            complete: False when the run was cut short; noted in the Parquet metadata.
        """
        if not self._open:
            return self.counts
        with uninterrupted():
            self._open = False
            self._last = np.iinfo(np.int64).max
            # What was never believed until now never will be.
            for track in self._undecided:
                self._drop(track)
            self._undecided.clear()
            self._settle()
            try:
                if self._parquet is not None:
                    self._current = self._parquet_pending
                    self._write_group(self._joined(self._group))
                    self._group.clear()
                    self._parquet.add_key_value_metadata(
                        file_meta({**self._meta, "complete": complete}, self._measures))  # fmt: skip
                    self._parquet.close()
                if self._csv is not None:
                    self._current = self._csv_pending
                    # In this order: the files get their names only when all of them are whole.
                    self._csv.close()
                for pending in self._pending:
                    self._current = pending
                    pending.commit()
            except (OSError, InputError) as error:
                raise self._fail(error) from error
        return self.counts

    def discard(self) -> None:
        """Leave nothing behind."""
        # libarrow writes on while it is closed; the file is thrown away before and after.
        self._open = False
        for pending in self._pending:
            pending.discard()
        for file in (self._csv, self._parquet):
            try:
                if file is not None:
                    file.close()
            except (OSError, ValueError):
                pass  # a full disk refuses the rest, which is not wanted
        for pending in self._pending:
            pending.discard()

    def __enter__(self) -> TrackWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        elif self._open and self._last == np.iinfo(np.int64).min:
            self.discard()
        elif self._open:
            self.close(complete=False)
            if isinstance(error, InputError) and self._counts["rows"]:
                names = " and ".join(pending.target.name for pending in self._pending)
                raise InputError(f"{error}; the tracks {self._reach()} are kept in {names}") from error

    def _add(self, target: str | os.PathLike[str], hidden: bool = True) -> PendingFile:
        self._current = PendingFile(target, hidden)
        self._pending.append(self._current)
        return self._current

    def _fail(self, error: BaseException) -> InputError:
        """Keep the rows that the CSV file holds, remove the rest, and return the sentence that says so."""
        sentence = str(error)
        if not isinstance(error, InputError) and self._current is not None:
            written = 0
            with suppress(OSError):
                written = self._current.temporary.stat().st_size
            sentence = str(write_error(self._current.target, error, written))
        # Rows in the CSV file are whole lines: they can be kept where all else fails.
        if self._csv is not None and self._csv.rescue():
            place = self._csv_pending.keep()  # it has its name already where only a later one failed
            if place is not None:
                sentence += f"; the tracks {self._reach()} are kept in {place.name}"
        self.discard()
        return InputError(sentence)

    def _reach(self) -> str:
        """How far the rows on the disk go, in words."""
        frame = self._last if self._csv is None or self._csv.frame is None else self._csv.frame
        return f"up to frame {frame}"

    def _decide(self, rows: Tracks) -> None:
        """Book which tracks the new rows confirm, begin or end."""
        ids, state = rows["track"], rows["state"]
        believed, undecided = self._believed, self._undecided
        # A track is believed from its first TRACKED row on; rows before that wait for it.
        for track in set(ids[state == State.TRACKED].tolist()) - believed:
            believed.add(track)
            undecided.pop(track, None)
            self._counts["tracks"] += 1
        for track in set(ids.tolist()) - believed - undecided.keys():
            undecided[track] = int(rows["frame"][np.argmax(ids == track)])
        for track in ids[state == State.LOST].tolist():
            if undecided.pop(track, None) is not None:
                self._drop(track)
            # A number is never used again: what is lost need not be remembered.
            believed.discard(track)

    def _drop(self, track: int) -> None:
        self._dropped.append(track)
        self._counts["dropped_tracks"] += 1

    def _settle(self) -> None:
        """Write the waiting rows of all frames before the first that is incomplete or has an undecided track."""
        begin = self._clock()
        rows = ordered(self._joined(self._waiting))
        if self._dropped:
            gone = np.isin(rows["track"], self._dropped)
            self._counts["dropped_rows"] += int(gone.sum())
            rows = rows[~gone]
            self._dropped.clear()
        # All rows before the first frame of an undecided track can be written: no earlier row can come.
        until = min(self._undecided.values(), default=self._last)
        if len(rows) > self._most_waiting and until < self._last:
            # Tracks that stay undecided for ever must not fill the memory: they count as believed.
            self._counts["undecided_tracks"] += len(self._undecided)
            self._counts["tracks"] += len(self._undecided)
            self._believed.update(self._undecided)
            self._undecided.clear()
            until = self._last
        # Of the last frame more rows may come: it waits.
        cut = int(np.searchsorted(rows["frame"], min(until, self._last)))
        self._write(rows[:cut])
        self._waiting = [rows[cut:].copy()]
        self._waiting_rows = len(rows) - cut
        # Doubling, and a pause that grows with its cost, keep the looking in proportion to the rows.
        self._look_at = max(self._group_rows, 2 * self._waiting_rows)
        now = self._clock()
        self._due = now + max(EVERY, 20.0 * (now - begin))

    def _write(self, rows: Tracks) -> None:
        """Decided rows: to the CSV file at once, to Parquet by whole groups (whose cut depends on the rows alone)."""
        if self._measures:
            self._angles.unwrap(rows)
        try:
            for start in range(0, len(rows), self._group_rows):
                block = rows[start : start + self._group_rows]
                if self._csv is not None:
                    self._current = self._csv_pending
                    self._csv.write(block)
                self._counts["rows"] += len(block)
                if self._parquet is not None:
                    self._current = self._parquet_pending
                    self._gather(block)
        except OSError as error:
            raise self._fail(error) from error

    def _gather(self, block: Tracks) -> None:
        self._group.append(block.copy())
        if sum(map(len, self._group)) >= self._group_rows:
            joined = self._joined(self._group)
            self._write_group(joined[: self._group_rows])
            self._group = [joined[self._group_rows :].copy()]

    def _joined(self, parts: list[Tracks]) -> Tracks:
        """A copy of all rows; `np.concatenate` copies field after field."""
        lying = bytearray().join([part.tobytes() for part in parts])
        return np.frombuffer(lying, self._dtype) if lying else np.zeros(0, self._dtype)

    def _write_group(self, rows: Tracks) -> None:
        if len(rows):
            self._parquet.write_table(to_arrow(rows))
