"""Frames of a clip for its playback: read ahead where it is played on, one by one where it is jumped about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipelines.frame import FrameBatch, FrameSource
from pipelines.streaming.clip.reader import Reader, read_frames


@dataclass(frozen=True, slots=True)
class Chunk:
    """Frames `first` to `end` - 1: those that could be read, and (index, reason) of those that could not.

    Frames that are left out are neither.
    """

    first: int
    end: int
    batch: FrameBatch
    bad: Sequence[tuple[int, str]]

    def cut(self, at: int) -> tuple[Chunk, Chunk]:
        """What comes before frame `at`, and the rest."""
        k = int(np.searchsorted(self.batch.indices, at))
        b = self.batch
        head = FrameBatch(b.indices[:k], b.times[:k], b.pixels[:k])
        tail = FrameBatch(b.indices[k:], b.times[k:], b.pixels[k:])
        return (
            Chunk(self.first, at, head, [x for x in self.bad if x[0] < at]),
            Chunk(at, self.end, tail, [x for x in self.bad if x[0] >= at]),
        )


class Fetcher:
    """Reads a clip from any frame on.

    Args:
        source: the clip.
        end: one past the last frame.
        batch: frames a read.
        left_out: ranges (first, last), none in another, that are passed over.
    """

    def __init__(self, source: FrameSource, end: int, batch: int, left_out: Sequence[tuple[int, int]]) -> None:
        self.source, self.end, self.batch = source, end, batch
        self._ranges = np.array([(-2, -2), *sorted(left_out)], np.int64)
        self.seconds = {"read": 0.0}
        self._reader: Reader | None = None
        self._chunks: Iterator[tuple[FrameBatch, list[tuple[int, str]]]] = iter(())
        self._held: Chunk | None = None
        self._at = 0

    def next(self, first: int, limit: int, ahead: bool) -> Chunk:
        """Frames from `first` on, before `limit`.

        Args:
            ahead: whether the next ones will be asked for soon; they are read meanwhile.
        """
        chunk = self._held
        if chunk is None or chunk.first != first:
            self._held = None
            if self._reader is not None and (chunk is not None or not ahead):
                self.close()
            chunk = self._read_ahead(first) if ahead else self._read(first, min(limit, first + self.batch, self.end))
        if chunk.end > limit:
            chunk, self._held = chunk.cut(limit)
        else:
            self._held = None
        return chunk

    def _read_ahead(self, first: int) -> Chunk:
        if self._reader is None:
            self._reader = Reader(self.source, (first, self.end), self.batch, self.seconds)
            self._chunks, self._at = self._reader.batches(), first
        if self._at != first:
            self.close()
            return self._read_ahead(first)
        batch, bad = next(self._chunks)
        self._at = min(first + self.batch, self.end)
        return self._without(Chunk(first, self._at, batch, bad))

    def _read(self, first: int, end: int) -> Chunk:
        numbers = [i for i in range(first, end) if not self._passed(np.array([i]))[0]]
        return Chunk(first, end, *read_frames(self.source, numbers))

    def _passed(self, frames: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Which frames are left out."""
        of = self._ranges[np.searchsorted(self._ranges[:, 0], frames, "right") - 1]
        passed: npt.NDArray[np.bool_] = frames <= of[:, 1]
        return passed

    def _without(self, chunk: Chunk) -> Chunk:
        """The same without what is left out."""
        kept = ~self._passed(chunk.batch.indices)
        bad = [(i, why) for i, why in chunk.bad if not self._passed(np.array([i]))[0]]
        if kept.all() and len(bad) == len(chunk.bad):
            return chunk
        batch = FrameBatch(chunk.batch.indices[kept], chunk.batch.times[kept], chunk.batch.pixels[kept])
        return Chunk(chunk.first, chunk.end, batch, bad)

    def close(self) -> None:
        """Stop reading ahead."""
        if self._reader is not None:
            self._reader.close()
        self._reader, self._held = None, None
