"""Sinks that hand what a run gives to those that write its results."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.exports.drawing import display_size, small
from app.keypoints import Keypoints, keypoints_of
from app.new_keypoints import NewKeypoints
from pipelines.features import Tracks, join_tracks
from pipelines.frame import FrameBatch, Pixels, Result
from pipelines.streaming.engine.measuring import measured_rows
from pipelines.streaming.engine.tracking import PICTURE, Tracking

if TYPE_CHECKING:  # it brings the codecs, which runs without an overlay do not wait for
    from app.exports.overlay import OverlayWriter


class TrackSink:
    """Hands the rows of each batch to a function."""

    def __init__(self, take: Callable[[Tracks], None]) -> None:
        self.take = take

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        del frames
        self.take(join_tracks(result.tracks for result in results))

    def close(self) -> None:
        pass


class MeasuredSink:
    """Hands the rows of each batch, with their measures, to a function.

    Args:
        take: gets rows of `pipelines.measures.measured_dtype(fields)`.
        fields: of the measures; None for all that the results carry.
    """

    def __init__(self, take: Callable[[Tracks], None], fields: tuple[str, ...] | None = None) -> None:
        self.take, self.fields = take, fields

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        del frames
        self.take(measured_rows(results, self.fields))

    def close(self) -> None:
        pass


class TableSink:
    """Hands a tapped table of each frame to a function.

    Args:
        name: of the output.
        take: gets the frame's index, its time in seconds and the rows.
    """

    def __init__(self, name: str, take: Callable[[int, float, Any], None]) -> None:
        self.name, self.take = name, take

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        del frames
        for result in results:
            if self.name in result.taps:
                self.take(result.index, result.time, result.taps[self.name])

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


class FullTables:
    """Says at once, and once a stage, that a table of a frame had no room for all of its rows.

    Args:
        overflow: rows that had none until now, by stage.
        say: hears the sentence.
    """

    def __init__(self, overflow: Callable[[], Mapping[str, int]], say: Callable[[str], None]) -> None:
        self.overflow, self.say = overflow, say
        self._said: set[str] = set()

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        del results
        for node in self.overflow().keys() - self._said:
            self._said.add(node)
            self.say(f"{node} finds more than {node}.capacity lets through, from about frame {frames.indices[0]} on: "
                      "the rest is left out and counted; raise it, or the threshold")  # fmt: skip

    def close(self) -> None:
        pass


class OverlaySink:
    """Draws each frame that could be read, and the one before again where it could not.

    Attributes:
        coming: key points as they are known from a frame on, the earliest first.
    """

    def __init__(self, overlay: OverlayWriter) -> None:
        self.overlay = overlay
        self.coming: deque[tuple[int, Keypoints]] = deque()
        self.last: Pixels | None = None

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        del frames
        for result in results:
            while self.coming and self.coming[0][0] <= result.index:
                self.overlay.know(self.coming.popleft()[1])
            picture = result.taps.get(PICTURE)
            if picture is not None:
                self.last = self.overlay.reduced(picture) if self.overlay.draws_next else picture
            if self.last is not None:
                self.overlay.write(self.last, result.tracks, result.index, result.time)

    def close(self) -> None:
        self.overlay.close()


class KeypointSink:
    """Tells of key points whenever there are new ones; in the thread of the trackers, before whoever draws their rows.

    Args:
        tracking: the trackers.
        on_known: hears from which frame on, and what is known of them then.
    """

    def __init__(self, tracking: Callable[[], Tracking], on_known: Callable[[tuple[int, Keypoints]], None]) -> None:
        self.tracking, self.on_known = tracking, on_known
        self._new = NewKeypoints()

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        del frames
        if tables := self._new.tables(self.tracking(), results):
            self.on_known((results[0].index, keypoints_of(tables)))

    def close(self) -> None:
        pass
