"""Copies of the state of a playback at some frames, in bounded memory."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernels.param import Value
from pipelines.streaming.engine.checkpoint import nbytes_of
from pipelines.streaming.engine.tracking import TrackingState


@dataclass(frozen=True)
class Snapshot:
    """The state before a frame, and before the changes that hold from that frame on.

    Args:
        engine: which engine runs (see `Timeline`).
        settings: its live parameters that were changed, by node and name.
        state: what its programs remember.
        tracking: the trackers.
        applied: how many of the changes were made.
    """

    engine: int
    settings: Mapping[tuple[str, str], Value]
    state: Mapping[str, Any]
    tracking: TrackingState
    applied: int

    @property
    def nbytes(self) -> int:
        """Memory of the copies."""
        return nbytes_of(self.state) + self.tracking.nbytes


class Snapshots:
    """Snapshots by frame; those of the first frame stay for good.

    Args:
        first: the frame with which everything begins.
        every: frames between two snapshots, to begin with; 0 keeps only the first.
        most: bytes; where they are used up, every second snapshot is given up and they are taken half as often.
    """

    def __init__(self, first: int, every: int, most: int) -> None:
        self.first, self.every, self.most = first, every, most
        self._kept: dict[int, Snapshot] = {}
        self._frames: list[int] = []
        self.nbytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def wants(self, frame: int) -> bool:
        """Whether a snapshot is to be taken before `frame`."""
        if frame in self._kept:
            return False
        return frame == self.first or bool(self.every and (frame - self.first) % self.every == 0)

    def next_after(self, frame: int) -> int | None:
        """The next frame before which one may be wanted."""
        if not self.every:
            return None
        return frame + self.every - (frame - self.first) % self.every

    def put(self, frame: int, snapshot: Snapshot) -> None:
        """Keep one."""
        self._kept[frame] = snapshot
        self._frames = sorted(self._kept)
        self.nbytes += snapshot.nbytes
        while self.nbytes > self.most and len(self._kept) > 1:
            self.every *= 2
            self._drop([f for f in self._frames if (f - self.first) % self.every])

    def before(self, frame: int) -> tuple[int, Snapshot]:
        """The last one that is not after `frame`."""
        found = self._frames[bisect_right(self._frames, frame) - 1]
        return found, self._kept[found]

    def forget_after(self, frame: int) -> None:
        """What comes after `frame` is no longer true."""
        self._drop([f for f in self._frames if f > frame])

    def clear(self) -> None:
        """None is true any more."""
        self._drop(list(self._frames))

    def forget_engine(self, engine: int) -> None:
        """The engine is gone."""
        self._drop([f for f in self._frames if self._kept[f].engine == engine])

    def _drop(self, frames: Sequence[int]) -> None:
        for frame in frames:
            self.nbytes -= self._kept.pop(frame).nbytes
        self._frames = sorted(self._kept)
