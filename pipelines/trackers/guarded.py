"""Trackers of other people's files: what they return is looked at, and where they fail is said in a sentence.

The shipped ones are tested for what a row must be; a mistake in a user's own would else end deep in a writer, or as
numbers that mean nothing in a table.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from kernels.errors import ExprError, FusetrackError
from pipelines.features import TRACK_DTYPE, Tracks
from pipelines.trackers.base import Array, Snapshot, Tracker

SHIPPED = ("pipelines.", "app.")
T = TypeVar("T")


def guarded(tracker: Tracker, node: str) -> Tracker:
    """The tracker itself if it is a shipped one, else one that answers for it.

    Args:
        tracker: as it was made.
        node: its name in the pipeline, for sentences.
    """
    return tracker if type(tracker).__module__.startswith(SHIPPED) else Guarded(tracker, node)


class Guarded(Tracker):
    """Passes everything on to a tracker, and checks its rows.

    Raises:
        ExprError: by every method: the tracker failed, or returned what is no table of tracks.
    """

    def __init__(self, inner: Tracker, node: str) -> None:
        self._inner, self._node = inner, node
        self.settings, self.height, self.width = inner.settings, inner.height, inner.width
        self.clock = inner.clock
        self._sorted = False  # whether rows of the last call went out in another order than they came

    @property
    def next_track(self) -> int:  # type: ignore[override]
        return self._inner.next_track

    def update(self, index: int, time: float, inputs: Mapping[str, Array]) -> Tracks:
        self._sorted = False
        return self._rows(index, self._call(f"at frame {index}", lambda: self._inner.update(index, time, inputs)))

    def update_batch(
        self, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]]
    ) -> list[Tracks]:
        if type(self._inner).update_batch is Tracker.update_batch:  # frame by frame, so that the frame can be told
            every = super().update_batch(indices, times, inputs)
            own = self._reported[1]
            if own and [_length(one) for one in own] != [len(rows) for rows in every]:
                where = f"in frames {indices[0]} to {indices[-1]}"
                raise self._wrong(where, "measures other rows than it returned; after each `update`, `measured` "
                                  "returns a list of one array, an entry a row")  # fmt: skip
            return every
        self._sorted = False
        where = f"in frames {indices[0]} to {indices[-1]}" if len(indices) else "in no frames"
        made = self._call(where, lambda: self._inner.update_batch(indices, times, inputs))
        if not isinstance(made, list | tuple) or len(made) != len(indices):
            raise self._wrong(where, f"returned {_kind(made)} for {len(indices)} frames; update_batch returns a list "
                              "with the rows of each")  # fmt: skip
        return [self._rows(index, rows) for index, rows in zip(indices, made, strict=True)]

    def skip(self, index: int, time: float) -> Tracks:
        self._sorted = False
        return self._rows(index, self._call(f"at frame {index}", lambda: self._inner.skip(index, time)))

    def finish(self) -> Tracks:
        return self._call("at the end", self._inner.finish)

    def seen_as(self) -> Array | None:
        return None if self._sorted else self._call("after its rows", self._inner.seen_as)

    def measured(self) -> Sequence[Array]:
        return () if self._sorted else self._call("after its rows", self._inner.measured)

    def reported(self) -> tuple[Array | None, Sequence[Array]]:
        by_frame = type(self._inner).update_batch is Tracker.update_batch
        return self._reported if by_frame else (self.seen_as(), self.measured())

    def tables(self) -> dict[str, Array]:
        return self._call("at the end", self._inner.tables)

    def snapshot(self) -> Snapshot:
        return self._call("in snapshot", self._inner.snapshot)

    def restore(self, state: Mapping[str, Array]) -> None:
        self._call("in restore", lambda: self._inner.restore(state))

    def _call(self, where: str, what: Callable[[], T]) -> T:
        try:
            return what()
        except FusetrackError:
            raise
        except Exception as error:
            text = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
            raise self._wrong(where, f"fails with {text}{self._line(error)}") from error

    def _line(self, error: Exception) -> str:
        """The innermost line of the tracker's own file that was at work."""
        own = getattr(getattr(type(self._inner).update, "__code__", None), "co_filename", "")
        lines = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == own]
        return f" ({own}, line {lines[-1].lineno})" if lines else ""

    def _wrong(self, where: str, what: str) -> ExprError:
        name = f"tracker {self._node} ({self._inner.name})" if self._inner.name != self._node else self._node
        return ExprError(f"{name} {where} {what}")

    def _rows(self, index: int, given: Any) -> Tracks:
        """The rows by rising id.

        Raises:
            ExprError: they are no rows of TRACK_DTYPE, of another frame, without a place, or twice of one track.
        """
        where = f"at frame {index}"
        if not isinstance(given, np.ndarray) or given.dtype != TRACK_DTYPE or given.ndim != 1:
            raise self._wrong(where, f"returned {_kind(given)}; it returns a table of pipelines.features.TRACK_DTYPE")
        rows: Tracks = given
        if (rows["frame"] != index).any():
            other = rows["frame"][rows["frame"] != index][0]
            raise self._wrong(where, f"returned a row of frame {other}")
        lost = ~(np.isfinite(rows["x"]) & np.isfinite(rows["y"]))
        if lost.any():
            row = rows[lost][0]
            raise self._wrong(where, f"returned track {row['track']} at x = {row['x']:g}, y = {row['y']:g}; leave out "
                              "the rows of what has no place")  # fmt: skip
        if (np.diff(rows["track"]) <= 0).any():
            rows, self._sorted = rows[np.argsort(rows["track"], kind="stable")], True
            twice = rows["track"][1:][np.diff(rows["track"]) == 0]
            if len(twice):
                raise self._wrong(where, f"returned track {twice[0]} twice; a track is at one place in a frame")
        return rows


def _kind(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype if value.dtype.names is None else 'other fields'} of shape {value.shape}"
    return "nothing (None)" if value is None else f"a {type(value).__name__}"


def _length(given: Any) -> int:
    """Entries of an array; -1 of what is none."""
    return len(given) if isinstance(given, np.ndarray) and given.ndim == 1 else -1
