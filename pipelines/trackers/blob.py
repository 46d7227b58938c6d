"""Blobs: a Kalman filter a track and the globally cheapest assignment of what is detected.

Multi-target tracking of the textbook (Blackman, Popoli: Design and Analysis of Modern Tracking Systems, 1999): predict,
gate, assign, correct, birth, confirmation, death. `association/frames.py` says what happens in a frame, one file a
part; `association/model.py` holds what is assumed about things and their detections.

The reported x and y are the filter's posterior, and sigma is the square root of its variance. For a measurement noise
well below the process noise the posterior is the measurement (gain near 1, no lag); for a large noise it averages.
While two tracks cross in one detection, both are corrected by it and TRACKED; the one that goes without one of its own
has the reason MERGED, and is PREDICTED where they stay one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from kernels.errors import DefinitionError
from kernels.param import Param, Value
from pipelines.features import FEATURE_DTYPE, Features, Tracks
from pipelines.trackers.association.batch import Association
from pipelines.trackers.base import Array, Snapshot, Tracker, TrackerInput, coasting, tracker

_COLUMNS = FEATURE_DTYPE.names or ()


@tracker
class BlobTracker(Tracker):
    """Links detected features; see the module's text for the method and what is reported.

    The score of a TRACKED row is the ratio (0..1) of the smaller to the larger of the feature's mass and the
    track's running mass, of two in one feature the sum of theirs (1 where masses are not given).
    """

    name = "blob"
    summary = "links detected blobs: Kalman prediction, gated exact assignment, ids that survive crossings"
    seconds = 2e-5  # 100 features
    inputs = (TrackerInput("features", "features", "detected blobs of this frame", columns=_COLUMNS),)
    params = (
        Param("max_speed", "float", 1000.0, "fastest motion; what is far slower needs no limit", "px/frame",
              low=0.1, high=1e4),
        Param("acceleration", "float", 0.03, "typical change of velocity in a frame; each track scales it by how well "
              "it is predicted", "px/frame^2", low=1e-4, high=1e3),
        Param("measurement_sigma", "float", 0.0, "noise of x and y; 0 takes each feature's own (0.2 if unknown)", "px",
              0.0, 100.0),
        Param("gate", "float", 5.0, "farthest detection from the prediction, in standard deviations", "1", 1.0, 20.0),
        Param("min_hits", "int", 3, "detections before a track is believed", "frames", low=1, high=1000),
        Param("max_missed", "int", 120, "frames without a detection before a track ends, if it did not end before "
              "because its place had become too uncertain", "frames", low=0, high=100000),
        Param("leave", "float", 32.0, "how far outside the picture a track is still waited for", "px", 0.5, 1e4),
        Param("min_mass", "float", 0.0, "lighter features are ignored", "", low=0.0),
        Param("min_area", "float", 0.0, "smaller features are ignored", "px^2", low=0.0),
    )  # fmt: skip
    retired = MappingProxyType({
        "motion": "every track adapts its process noise; raise acceleration for motion that curves",
        "jerk": "every track adapts its process noise; raise acceleration for motion that curves",
        "turn_memory": "sharp turns are looked for by themselves; raise max_speed for wider ones",
        "momentum": "the filter's covariance decides; lower gate for straighter paths",
        "centres": "nothing depends on how features are centred",
        "mass_spread": "the scatter of masses is part of the model",
    })  # fmt: skip

    def __init__(self, params: Mapping[str, Value], shape: tuple[int, int], fps: float | None) -> None:
        super().__init__(params, shape, fps)
        n = self.number
        self.association = Association({
            "speed": n("max_speed"), "gate": n("gate") ** 2, "acceleration": n("acceleration"),
            "sigma": n("measurement_sigma"), "min_mass": n("min_mass"), "min_area": n("min_area"),
            "min_hits": n("min_hits"), "max_missed": n("max_missed"), "leave": n("leave"),
            "right": self.width - 1.0, "bottom": self.height - 1.0, "fps": self.clock.fps,
        })  # fmt: skip

    def update(self, index: int, time: float, inputs: Mapping[str, Array]) -> Tracks:
        return self.update_batch((index,), (time,), (inputs,))[0]

    def update_batch(
        self, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]]
    ) -> list[Tracks]:
        tables: list[Features] = []
        wrong: DefinitionError | None = None
        for one in inputs:
            try:
                tables.append(self.features(one))
            except DefinitionError as error:  # after the frames before it
                wrong = error
                break
        rows: list[Tracks] = []
        if tables:
            count = len(tables)
            rows, self.next_track, in_order = self.association.run(
                tables, indices[:count], times[:count], self.clock, self.next_track
            )
            if not in_order:  # the clock says what is wrong
                self.clock.advance(int(indices[len(rows)]), float(times[len(rows)]))
        if wrong is not None:
            raise wrong
        return rows

    def seen_as(self) -> Array | None:
        places = self.association.seen_as
        return np.concatenate(places) // len(_COLUMNS) if places else None

    def skip(self, index: int, time: float) -> Tracks:
        self.association.seen_as = []
        self.association.predict(self.clock.advance(index, time))
        return coasting(self, self.association.tracks)

    def tables(self) -> dict[str, Array]:
        """`relations`: rows of RELATION_DTYPE: which tracks merge and split."""
        return {"relations": self.association.relations}

    def snapshot(self) -> Snapshot:
        return self.clock.snapshot() | self.association.snapshot() | {"next_track": np.array(self.next_track)}

    def restore(self, state: Mapping[str, Array]) -> None:
        self.clock.restore(state)
        self.association.restore(state)
        self.next_track = int(state["next_track"])
