"""The tracks of a run as they were written, shown over its clip in place of computing them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from app.desk.engine.reports import Rows, Tables
from app.keypoints import read_keypoints
from app.runs import read_run
from app.sources.blank import BlankSource
from app.sources.opening import open_source
from app.sources.reading import Reading
from app.sources.session import NumberedSession, SessionSource
from kernels.param import Value
from pipelines.features import Tracks
from pipelines.frame import FrameBatch, FrameSource, Result, Sink
from pipelines.graph import Pipeline
from pipelines.measures import plain
from pipelines.trackers.keypoints import EDGE_DTYPE, NAMED_DTYPE

PIECE = 1 << 17
"""Rows of one report: some 10 MB, which go through a pipe in a few hundredths of a second."""


class KeptRun:
    """A run that was written.

    Args:
        folder: of its results.
        clip: where its clip is or was.
        pipeline: with which it would be computed anew.

    Attributes:
        there: whether the clip is there. note: what is to be said of it, "" for nothing.
        found: what was found in place of "auto", by "node.param".
        pipeline: the newest that was asked for.

    Raises:
        InputError: its table cannot be read.
    """

    def __init__(self, folder: str, clip: str, pipeline: Pipeline) -> None:
        record = read_run(folder, clip)
        self._record, self._rows, self.pipeline = record, record.tracks(), pipeline
        self.there = record.there
        self.note = "" if record.there else f"the clip is not at {clip}, so that nothing can be computed of it"
        self.found: Mapping[str, Value] = record.found
        done = (record.facts.get("frames") or {}).get("processed")
        first = record.frames[0] if record.frames else 0
        until = int(self._rows["frame"][-1]) + 1 if len(self._rows) else first
        self._span = first, max(until, first + done if isinstance(done, int) else until)

    @property
    def bare(self) -> Pipeline:
        """What shows pictures and computes nothing."""
        return Pipeline(self._record.name, "", (), ())

    def open(self, reading: Reading) -> FrameSource:
        """The clip, or a blank ground where it is not there.

        Raises:
            SourceError: it cannot be read.
        """
        if not self.there:
            return BlankSource(self._record.source)
        source = open_source(self._record.clip, reading)
        # A replay counts the frames as they were recorded, lost ones among them.
        return NumberedSession(source) if self._record.replayed and isinstance(source, SessionSource) else source

    def at(self, frame: int) -> Tracks:
        """The rows of a frame, without their measures."""
        first, end = np.searchsorted(self._rows["frame"], (frame, frame + 1))
        return plain(self._rows[first:end])

    def reports(self) -> Iterator[Rows | Tables]:
        """All rows, whole frames at a time, and what is known of key points."""
        frames, begin, first = self._rows["frame"], 0, self._span[0]
        while begin < len(frames):
            end = min(begin + PIECE, len(frames))
            # Behind the last row of its frame: no frame is split.
            end = int(np.searchsorted(frames, frames[end - 1], "right"))
            last = int(frames[end - 1]) if end < len(frames) else self._span[1] - 1
            yield Rows(first, last, self._rows[begin:end])
            begin, first = end, last + 1
        if not len(frames) and self._span[1] > first:
            yield Rows(first, self._span[1] - 1, self._rows)
        known = read_keypoints(self._record.folder)
        tables: dict[str, np.ndarray[Any, Any]] = {
            "keypoints": np.array([(track, animal, point, known.names.get(point, ""))
                                   for track, (animal, point) in known.tracks.items()], NAMED_DTYPE),
            "edges": np.array(list(known.edges), EDGE_DTYPE),
        }  # fmt: skip
        if known.tracks:
            yield Tables(tables)


class Unless:
    """A sink that is passed over for as long as something is so."""

    def __init__(self, sink: Sink, so: Callable[[], bool]) -> None:
        self._sink, self._so = sink, so

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        """See `pipelines.frame.Sink`."""
        if not self._so():
            self._sink.write(frames, results)

    def close(self) -> None:
        """See `pipelines.frame.Sink`."""
        self._sink.close()
