"""One track that begins where a user put it: a tracker of the pipeline that is given one place in one frame.

How it is given depends on what the tracker takes: points with a frame, or features. A tracker that follows features
where it is told to (they are optional) gets one at the place, and no others; one that links detections gets all of
them, so that its neighbours explain their own, with one more at the place if nothing was detected there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from app.desk.tracks.applying import HAND_SIGMA
from kernels.errors import InputError
from pipelines.features import FEATURE_DTYPE, Features, State, Tracks, no_tracks
from pipelines.graph import Bound, BoundTracker
from pipelines.measures import no_measures
from pipelines.streaming.engine.tracking import make_bound_tracker, picture_size
from pipelines.trackers.base import Array, Snapshot, Tracker

NEAR = 5.0
"""A detection that lies so near to the place, or in whose area it lies, is meant by it: people point to some pixels,
and one beside it would be a second track that its thing's own leaves nothing for; px."""
LEAD = 12
"""Frames that a tracker that links sees before, so that it knows how things move."""


@dataclass(frozen=True, slots=True)
class Seed:
    """Where the thing is in `frame`, px of the tracker's picture."""

    frame: int
    x: float
    y: float


def lead(bound: Bound) -> int:
    """Frames that the trackers of a pipeline want to see before a seed."""
    return LEAD if any(_links(node) for node in bound.trackers) else 0


def _features(node: BoundTracker) -> str:
    return next((one.name for one in node.type.inputs if one.kind == "features"), "")


def _links(node: BoundTracker) -> bool:
    """Whether it links detections, and cannot do without them."""
    takes_points = any(p.name == "points" for p in node.type.params)
    return not takes_points and any(one.kind == "features" and not one.optional for one in node.type.inputs)


class Seeded(Tracker):
    """The tracker `node` of a bound pipeline with one track, number 0, that begins at a seed.

    Attributes:
        ended: whether the track was lost.

    Raises:
        InputError: the tracker takes no place from anybody.
    """

    def __init__(self, node: BoundTracker, bound: Bound, fps: float, seed: Seed) -> None:
        super().__init__(node.params, picture_size(node, bound), fps if fps > 0 else None)
        self._seed, self._name = seed, _features(node)
        names = {p.name for p in node.type.params}
        self._points, self._linking = "points" in names, _links(node)
        if not self._points and not self._name:
            raise InputError(f"{node.id} finds its points itself; this track can only be set by hand, frame by frame")
        params = dict(node.params)
        if self._points:
            params["points"] = ((seed.x, seed.y, float(seed.frame)),)
            if self._name and "max_points" in names:  # and none that it finds besides
                params["max_points"] = 0
        elif not self._linking and "max_points" in names:
            params["max_points"] = 1
        self._inner = make_bound_tracker(_with(node, params), bound, fps)
        self._id, self._at = -1, (seed.x, seed.y)
        self._shift = (0.0, 0.0)
        self._mine: Array | None = None  # which of the tracker's rows are the track's; None where it was not asked
        self._detections = 0
        self.ended = False

    def update(self, index: int, time: float, inputs: Mapping[str, Array]) -> Tracks:
        seed, self._mine = self._seed, None
        self._detections = len(inputs[self._name]) if self._linking else 0
        if self.ended or (index < seed.frame and not self._linking):
            return no_tracks()
        given = dict(inputs)
        # A tracker that links sees all detections, so that it knows other things, too; one that takes points none but
        # its own; one that begins at detections the seed alone.
        if self._linking:
            if index == seed.frame:
                given[self._name] = self._with_seed(np.asarray(inputs[self._name]))
        elif not self._points:
            given[self._name] = self._feature(seed.x, seed.y) if index == seed.frame else np.zeros(0, FEATURE_DTYPE)
        (rows,) = self._inner.update_batch([index], [time], [given])
        if index < seed.frame:
            return no_tracks()
        if index == seed.frame:
            self._begin(rows)
        return self._own(rows)

    def seen_as(self) -> Array | None:
        if self._mine is None:
            return np.zeros(0, np.int64)
        places, _ = self._inner.reported()
        if places is None:
            return None
        mine = places[self._mine]
        return np.where(mine < self._detections, mine, -1)  # the one at the place itself is no detection

    def measured(self) -> Sequence[Array]:
        fields = type(self._inner).measures(self._inner.settings)
        if not fields:
            return ()
        if self._mine is None:
            return [no_measures(0, fields)]
        _, own = self._inner.reported()
        return [one[self._mine] for one in own]

    def skip(self, index: int, time: float) -> Tracks:
        self._mine = None
        if index == self._seed.frame:
            raise InputError(f"frame {index} cannot be read, so nothing can be followed from there; take another one")
        if self.ended or (index < self._seed.frame and not self._linking):
            return no_tracks()
        rows = self._inner.skip(index, time)
        return no_tracks() if index < self._seed.frame else self._own(rows)

    def snapshot(self) -> Snapshot:
        return self._inner.snapshot()

    def restore(self, state: Mapping[str, Array]) -> None:
        self._inner.restore(state)

    def _begin(self, rows: Tracks) -> None:
        """Know the track by its place."""
        seen = rows[(rows["state"] == State.TRACKED) | (rows["state"] == State.TENTATIVE)]
        away = np.hypot(seen["x"] - self._at[0], seen["y"] - self._at[1])
        if not len(seen) or away.min() > NEAR:
            raise InputError(
                f"nothing can be followed from ({self._seed.x:.1f}, {self._seed.y:.1f}) in frame {self._seed.frame}: "
                "too little texture there, or too near the edge; put it elsewhere, or set this track by hand"
            )
        first = seen[int(np.argmin(away))]
        self._id = int(first["track"])
        if not self._linking:  # a tracker may begin on whole pixels, yet people mean the place they chose
            self._shift = self._seed.x - float(first["x"]), self._seed.y - float(first["y"])
        # The track is believed from its first frame on: as often seen as that takes.
        state = self._inner.snapshot()
        if "column.hits" in state and "column.track" in state and "min_hits" in self._inner.settings:
            mine = state["column.track"] == self._id
            state["column.hits"][mine] = np.maximum(state["column.hits"][mine], int(self._inner.number("min_hits")))
            self._inner.restore(state)

    def _own(self, rows: Tracks) -> Tracks:
        """The rows of the track; it needs no further belief."""
        self._mine = rows["track"] == self._id
        mine: Tracks = rows[self._mine]
        mine["track"] = 0
        mine["x"] += self._shift[0]
        mine["y"] += self._shift[1]
        mine["state"][mine["state"] == State.TENTATIVE] = State.TRACKED
        self.ended = bool((mine["state"] == State.LOST).any())
        return mine

    def _with_seed(self, found: Features) -> Features:
        """The detections, with one at the place."""
        x, y = self._seed.x, self._seed.y
        away = np.hypot(found["x"] - x, found["y"] - y)
        # Within the circle of its area, or near enough.
        meant = away <= np.maximum(NEAR, np.sqrt(np.maximum(found["area"], 0.0) / np.pi))
        if meant.any():
            nearest = found[int(np.argmin(np.where(meant, away, np.inf)))]
            self._at = float(nearest["x"]), float(nearest["y"])
            return found
        made: Features = np.concatenate((found, self._feature(x, y).astype(found.dtype)))
        return made

    def _feature(self, x: float, y: float) -> Features:
        """A detection of which nothing is known but its place."""
        settings = self.settings
        made = np.zeros(1, FEATURE_DTYPE)
        made["x"], made["y"], made["peak"], made["sigma"] = x, y, 1.0, HAND_SIGMA
        made["mass"] = self.number("min_mass") if "min_mass" in settings else 0.0
        made["area"] = max(1.0, self.number("min_area") if "min_area" in settings else 1.0)
        return made


def _with(node: BoundTracker, params: Mapping[str, object]) -> BoundTracker:
    return BoundTracker(node.id, node.type, node.inputs, params)  # type: ignore[arg-type]
