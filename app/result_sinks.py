"""Sinks that hand what a run gives to those that write its results."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.exports.drawing import display_size, small
from app.exports.overlay import OverlayWriter
from pipelines.features import Tracks, join_tracks
from pipelines.frame import FrameBatch, Pixels, Result
from pipelines.streaming.runner import PICTURE


class TrackSink:
    """Hands the rows of each batch to a function."""

    def __init__(self, take: Callable[[Tracks], None]) -> None:
        self.take = take

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        del frames
        self.take(join_tracks(result.tracks for result in results))

    def close(self) -> None:
        pass


class FirstPicture:
    """Keeps the first picture that could be read, as the ground of the trajectories."""

    def __init__(self) -> None:
        self.picture: Pixels | None = None

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        del frames
        if self.picture is None:
            first = next((r.taps[PICTURE] for r in results if PICTURE in r.taps), None)
            if first is not None:
                self.picture = small(first, display_size(first.shape[1], first.shape[0])).copy()

    def close(self) -> None:
        pass


class OverlaySink:
    """Draws each frame that could be read, and the one before again where it could not."""

    def __init__(self, overlay: OverlayWriter) -> None:
        self.overlay = overlay
        self.last: Pixels | None = None

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        del frames
        for result in results:
            picture = result.taps.get(PICTURE)
            if picture is not None:
                self.last = self.overlay.reduced(picture)
            if self.last is not None:
                self.overlay.write(self.last, result.tracks, result.index, result.time)

    def close(self) -> None:
        self.overlay.close()
