"""The trackers of a pipeline at work: frame by frame, in order, with ids that are never used twice.

Ids of several trackers interleave (raw id * trackers + number of the tracker). A change of the trackers in the middle
of a stream keeps the ids of what goes on (`pipelines.streaming.common.changes` says what does), and begins all new ids
past every id that was ever given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from kernels.errors import DefinitionError
from kernels.ir.image import ImageType
from kernels.ir.placement import PLACEMENT
from kernels.ir.table import Table
from kernels.param import Value
from pipelines.features import Tracks, join_tracks, no_tracks
from pipelines.frame import FrameBatch, Result
from pipelines.frontend import is_place, moved
from pipelines.graph import Bound, BoundNode, BoundTracker, Ref
from pipelines.measures import Measures, no_measures
from pipelines.streaming.engine.measuring import Measuring, joined, measures_of
from pipelines.streaming.engine.unseen_areas import SEES_ALL, Unseen, unseen_by
from pipelines.trackers.base import Snapshot, Tracker
from pipelines.trackers.guarded import guarded
from pipelines.trackers.lying_images import LyingImages

PICTURE = "picture"
"""The key in `Result.taps` of the plain picture of the clip, where a sink asked for it."""


def rows_of(datum: Any) -> Any:
    """What trackers and sinks take of one frame's datum: the rows of a table, or the image itself."""
    return datum.rows if isinstance(datum, Table) else datum


def picture_size(node: BoundTracker, bound: Bound) -> tuple[int, int]:
    """(height, width) of the picture that a tracker's inputs were measured in."""
    producers = {n.id: n for n in bound.nodes}
    found = [_picture_of(ref, bound, producers) for ref in node.inputs.values()]
    return next(((t.height, t.width) for t in found if t is not None), (bound.source.height, bound.source.width))


def _picture_of(ref: Ref, bound: Bound, producers: Mapping[str, BoundNode]) -> ImageType | None:
    """The picture in whose pixels a table, or what a placement places, is measured; a picture is its own. Whoever takes
    a placement measures in the picture that it leads to."""
    type_ = bound.types[ref]
    if isinstance(type_, ImageType) and type_ != PLACEMENT:
        return type_
    if ref.node not in producers:
        return None
    given = [one for one in producers[ref.node].inputs if one is not None]
    placed = [one for one in given if bound.types[one] == PLACEMENT]
    pictures = (_picture_of(one, bound, producers) for one in placed or given)
    return next((picture for picture in pictures if picture is not None), None)


def make_bound_tracker(node: BoundTracker, bound: Bound, fps: float) -> Tracker:
    """The tracker, told the size of the picture that its inputs were measured in."""
    return guarded(node.type(node.params, picture_size(node, bound), fps if fps > 0 else None), node.id)


def with_tracker_param(
    bound: Bound, node: str, name: str, value: Value, fps: float = 0.0, corner: tuple[int, int] = (0, 0)
) -> tuple[Bound, BoundTracker, Tracker]:
    """The pipeline with a tracker's parameter changed, and that tracker as it begins.

    Args:
        value: places are px of the whole picture, also where a region is processed.
        corner: of the region that `bound` processes, px.

    Raises:
        DefinitionError: the tracker refuses the value.
    """
    old = next(t for t in bound.trackers if t.id == node)
    if any(p.name == name and is_place(p) for p in old.type.params):
        value = moved(value, *corner)
    changed = replace(old, params={**old.params, name: value})
    trackers = tuple(changed if t is old else t for t in bound.trackers)
    return replace(bound, trackers=trackers), changed, make_bound_tracker(changed, bound, fps)


@dataclass(frozen=True, slots=True)
class Piece:
    """Raw ids from `raw` on become `given`, `given` + `stride` ..."""

    raw: int
    given: int
    stride: int


_AS_THEY_ARE = (Piece(0, 0, 1),)


@dataclass(frozen=True, slots=True)
class Follower:
    """A tracker at work.

    Args:
        node: what it was made of.
        size: (height, width) of its picture.
        types: of its inputs, as text.
        tracker: its state.
        pieces: how its ids become those that leave, by rising raw id.
        unseen: where it can find nothing.
        measuring: what is measured of its rows.
    """

    node: BoundTracker
    size: tuple[int, int]
    types: tuple[tuple[str, str, str], ...]
    tracker: Tracker
    pieces: tuple[Piece, ...]
    unseen: Unseen = SEES_ALL
    measuring: Measuring | None = None

    def goes_on_as(self, other: BoundTracker, size: tuple[int, int], types: tuple[tuple[str, str, str], ...]) -> bool:
        """Whether `other` is the same tracker with the same inputs."""
        node = self.node
        return (node.id, node.type, dict(node.params)) == (other.id, other.type, dict(other.params)) and (
            self.size, self.types) == (size, types)  # fmt: skip

    def given(self, raw: Any) -> Any:
        """The ids that leave, of raw ones (an array of i4)."""
        # Most pipelines never change their trackers: one piece, no search.
        if len(self.pieces) == 1:
            piece = self.pieces[0]
            return (raw - piece.raw) * piece.stride + piece.given
        # Pieces begin at rising raw ids: the last that begins at or before an id is its piece.
        table = np.array([(p.raw, p.given, p.stride) for p in self.pieces], np.int64)
        chosen = table[np.searchsorted(table[:, 0], raw, "right") - 1]
        return (raw - chosen[:, 0]) * chosen[:, 2] + chosen[:, 1]

    @property
    def end(self) -> int:
        """One past the highest id that it gave, at least."""
        last = self.pieces[-1]
        # The last piece may have given none of its ids yet.
        return max(last.given, (self.tracker.next_track - 1 - last.raw) * last.stride + last.given + 1)


@dataclass(frozen=True)
class TrackingState:
    """A copy of the state of all trackers of one pipeline."""

    bound: Bound
    followers: tuple[Follower, ...]
    states: tuple[Snapshot, ...]
    end: int

    @property
    def nbytes(self) -> int:
        """Memory of the copies."""
        return sum(array.nbytes for state in self.states for array in state.values())


class Tracking:
    """All trackers of a pipeline.

    Args:
        bound: the pipeline.
        fps: frames a second of the source, NaN if unknown.
        offset: x, y in px of the region of interest in the picture.
    """

    def __init__(self, bound: Bound, fps: float, offset: tuple[int, int] = (0, 0)) -> None:
        self.bound, self.fps, self.offset = bound, fps, offset
        self.fields: tuple[str, ...] = ()
        """The measures of rows that are wanted; without any, none are computed."""
        self._all = False  # whether these are all that the pipeline has, whatever it becomes
        self.measured: list[Measures] = []
        """Of the rows of each frame that `follow` gave last, an entry a row."""
        self._end = 0
        self.followers: tuple[Follower, ...] = ()
        self.go_over(bound)

    def measure_all(self) -> None:
        """Measure all that the pipeline has, whatever it becomes."""
        self._all = True
        self._run(self.bound)

    def measure_as(self, other: Tracking) -> None:
        """Measure what another one does."""
        self._all, self.fields = other._all, other.fields
        self._run(self.bound)

    def _run(self, bound: Bound) -> None:
        """This is the pipeline now."""
        self.bound = bound
        if self._all:
            self.fields = measures_of(bound)

    def go_over(self, bound: Bound) -> None:
        """Follow another pipeline from the next frame on."""
        # New ids begin past every id that was ever given, whichever tracker gave it, also those of trackers that are
        # gone.
        start = max([self._end, *(f.end for f in self.followers)]) if self.followers else self._end
        old = {f.node.id: f for f in self.followers}
        made = []
        for number, node in enumerate(bound.trackers):
            size, types = picture_size(node, bound), _types(node, bound)
            unseen = unseen_by(node, bound, size, self.offset)
            before = old.get(node.id)
            if before is not None and before.goes_on_as(node, size, types):
                made.append(replace(_renumbered(before, start + number, len(bound.trackers)), unseen=unseen,
                                    measuring=Measuring(node, bound)))  # fmt: skip
            else:
                # Trackers take turns: ids of tracker k are start + k, start + k + n ...
                piece = Piece(0, start + number, len(bound.trackers))
                made.append(Follower(node, size, types, make_bound_tracker(node, bound, self.fps), (piece,), unseen,
                                     Measuring(node, bound)))  # fmt: skip
        self.followers, self._end = tuple(made), start
        self._run(bound)

    def count_anew(self) -> None:
        """Number new tracks right after those that go on: other numbers are no longer in use."""
        if all(f.tracker.next_track for f in self.followers):
            return
        start = max((f.end for f in self.followers if f.tracker.next_track), default=0)
        stride = len(self.followers)
        self.followers = tuple(
            _renumbered(f, start + number, stride) if f.tracker.next_track
            else replace(f, pieces=(Piece(0, start + number, stride),))
            for number, f in enumerate(self.followers)
        )  # fmt: skip
        self._end = start

    def set_param(self, node: str, name: str, value: Value) -> None:
        """Change a parameter of a tracker from the next frame on (checked by the caller)."""
        found = [f for f in self.followers if f.node.id == node]
        if not found:
            raise DefinitionError(f"there is no tracker {node!r} in the running pipeline")
        old = found[0]
        declared = next(p for p in old.node.type.params if p.name == name)
        bound, changed, fresh = with_tracker_param(self.bound, node, name, value, self.fps, self.offset)
        state = old.tracker.snapshot()
        # The new tracker takes over the old one's state if that has the same columns and windows as large (`_fits`).
        # Given points are tracks by themselves, so that with other points it is another tracker.
        if declared.kind == "points" or not _fits(state, fresh.snapshot()):
            self.go_over(bound)
            return
        fresh.restore(state)
        self._run(bound)
        self.followers = tuple(replace(f, node=changed, tracker=fresh) if f is old else f for f in self.followers)

    def update(self, index: int, seconds: float, inputs: Sequence[Mapping[str, Any]]) -> Tracks:
        """The rows of one frame; `inputs` are those of each tracker."""
        return self._joined([f.tracker.update(index, seconds, i) for f, i in zip(self.followers, inputs, strict=True)])

    def skip(self, index: int, seconds: float) -> Tracks:
        """The rows of a frame that could not be read."""
        return self._joined([f.tracker.skip(index, seconds) for f in self.followers])

    def _joined(self, parts: Sequence[Tracks]) -> Tracks:
        return join_tracks([self._left(f, [rows])[0] for f, rows in zip(self.followers, parts, strict=True)])

    def follow(self, batch: FrameBatch, tapped: Mapping[Ref, Any]) -> list[Tracks]:
        """The rows of each frame of a batch."""
        indices, times = batch.indices.tolist(), batch.times.tolist()
        parts, measured = [], []
        for follower in self.followers:
            taken = [(name, tapped[ref]) for name, ref in follower.node.inputs.items()]
            inputs = [{name: rows_of(data[i]) for name, data in taken} for i in range(len(indices))]
            rows = follower.tracker.update_batch(indices, times, inputs)
            if self.fields:
                measuring = follower.measuring or Measuring(follower.node, self.bound)
                measured.append(measuring.of(follower.tracker, rows, inputs, self.fields))
            parts.append(self._left(follower, rows))
        self.measured = measured[0] if len(measured) == 1 else [
            joined(frame, self.fields) for frame in zip(*measured, strict=True)]  # fmt: skip
        if len(parts) == 1:
            return parts[0]
        return [join_tracks(frame) for frame in zip(*parts, strict=True)] if parts else [no_tracks() for _ in indices]

    def _left(self, follower: Follower, frames: Sequence[Tracks]) -> list[Tracks]:
        """The rows of one tracker's frames as they leave; all frames at once, so that none costs."""
        if self.offset == (0, 0) and follower.pieces == _AS_THEY_ARE and not follower.unseen:
            return list(frames)
        rows = join_tracks(frames)
        follower.unseen.tell(rows)
        rows["x"] += self.offset[0]
        rows["y"] += self.offset[1]
        rows["track"] = follower.given(rows["track"])
        edges = [0, *accumulate(map(len, frames))]
        return [rows[start:end] for start, end in pairwise(edges)]

    def tables(self, kind: type[Tracker] = Tracker) -> dict[str, Any]:
        """What the trackers tell at the end beside their rows, joined by name; ids of tracks are those that left, and
        animals of several trackers are counted on.

        Args:
            kind: trackers of this class alone. Those of key points may be asked while another thread runs them.
        """
        made: dict[str, list[Any]] = {}
        animals = 0
        for follower in self.followers:
            if not issubclass(follower.node.type, kind):
                continue
            begun = animals
            for name, rows in follower.tracker.tables().items():
                for column in ("track", "other"):
                    if column in (rows.dtype.names or ()):
                        rows[column] = follower.given(rows[column])
                # Animals of each tracker count from 0: they are shifted behind those of the trackers before.
                if "animal" in (rows.dtype.names or ()) and len(rows):
                    rows["animal"] += begun
                    animals = max(animals, int(rows["animal"].max()) + 1)
                made.setdefault(name, []).append(rows)
        return {name: np.concatenate(parts) for name, parts in made.items()}

    def snapshot(self) -> TrackingState:
        """A copy of the state; `restore` goes on from it bit for bit."""
        return TrackingState(self.bound, self.followers, tuple(f.tracker.snapshot() for f in self.followers), self._end)

    def restore(self, state: TrackingState) -> None:
        """Go back to a snapshot, also one of another pipeline."""
        made = []
        for follower, copied in zip(state.followers, state.states, strict=True):
            tracker = make_bound_tracker(follower.node, state.bound, self.fps)
            tracker.restore(copied)
            made.append(replace(follower, tracker=tracker))
        self.followers, self._end = tuple(made), state.end
        self._run(state.bound)


def _types(node: BoundTracker, bound: Bound) -> tuple[tuple[str, str, str], ...]:
    return tuple((name, str(ref), str(bound.types[ref])) for name, ref in sorted(node.inputs.items()))


def _fits(state: Snapshot, fresh: Snapshot) -> bool:
    """Whether a tracker that begins as `fresh` can go on from the state of one with other parameters: its columns look
    as they did, and its windows are as large. Of what lies around windows there may have been less."""
    windows = [key for key in fresh if key.endswith(".pixels") and key in state]
    around = [key for key in fresh if key.endswith(".tiles") and key in state]
    return (
        _form(state) == _form(fresh)
        and all(state[key].shape[1:] == fresh[key].shape[1:] for key in windows)
        and all(state[key].shape[1] <= fresh[key].shape[1] for key in around)
    )


def _form(state: Snapshot) -> dict[str, tuple[str, tuple[int, ...]]]:
    """What the columns of a tracker look like, whatever the number of tracks."""
    return {key: (str(a.dtype), a.shape[1:]) for key, a in state.items() if key.startswith("column.")}


def _renumbered(follower: Follower, given: int, stride: int) -> Follower:
    """The same, with ids from `given` on for the tracks that are still to come."""
    # Pieces that no track has used are dropped; from the next raw id on the new numbers hold.
    raw = follower.tracker.next_track
    kept = tuple(piece for piece in follower.pieces if piece.raw < raw)
    return replace(follower, pieces=(*kept, Piece(raw, given, stride)))


def named_taps(bound: Bound, picture: str = "") -> dict[str, Ref]:
    """The outputs that results carry, by name; the plain picture under the name `picture`, where one is given."""
    named = {str(ref): ref for ref in bound.taps}
    return {**named, picture: bound.picture} if picture else named


def at_hand(names: Mapping[str, Ref], tapped: Mapping[Ref, Any]) -> dict[str, Ref]:
    """Those of the names whose values are here: what trackers alone take may have stayed on a device."""
    lying = {ref: data for ref, data in tapped.items() if isinstance(data, LyingImages)}
    return {name: ref for name, ref in names.items() if ref not in lying or lying[ref].free}


def results_of(
    batch: FrameBatch, tapped: Mapping[Ref, Any], tracks: Sequence[Tracks], names: Mapping[str, Ref],
    measured: Sequence[Measures] = (),
) -> list[Result]:  # fmt: skip
    """One result a frame."""
    return [
        Result(index, seconds, {name: _seen(tapped[ref], i) for name, ref in names.items()}, tracks[i],
               measured[i] if measured else None)
        for i, (index, seconds) in enumerate(zip(batch.indices.tolist(), batch.times.tolist(), strict=True))
    ]


def _seen(data: Any, place: int) -> Any:
    """A value of a frame as results carry it."""
    return data.frame(place) if isinstance(data, LyingImages) else rows_of(data[place])


def results_with_bad(
    batch: FrameBatch,
    tapped: Mapping[Ref, Any],
    bad: Sequence[int],
    seconds_of: Callable[[int], float],
    tracking: Tracking,
    names: Mapping[str, Ref],
) -> list[Result]:
    """One result a frame, those that could not be read included: they carry predictions and no taps."""
    if not bad and not len(batch):
        return []
    if not bad:
        rows = tracking.follow(batch, tapped)
        return results_of(batch, tapped, rows, names, tracking.measured)
    made: list[Result] = []
    start = 0
    # Stretches between bad frames go by batches; a tracker is told of a bad frame in its turn.
    for index in [*sorted(bad), None]:
        end = len(batch) if index is None else int(np.searchsorted(batch.indices, index))
        part = FrameBatch(batch.indices[start:end], batch.times[start:end], batch.pixels[start:end])
        cut = {ref: data[start:end] for ref, data in tapped.items()}
        if len(part):
            rows = tracking.follow(part, cut)
            made += results_of(part, cut, rows, names, tracking.measured)
        if index is not None:
            seconds = seconds_of(index)
            rows_then = tracking.skip(index, seconds)
            unseen = no_measures(len(rows_then), tracking.fields) if tracking.fields else None
            made.append(Result(index, seconds, {}, rows_then, unseen))
        start = end
    return made
