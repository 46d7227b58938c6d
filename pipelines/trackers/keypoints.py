"""Key points of networks as tracks: a Kalman filter a point, one track a point of each animal.

A detection says which point of the skeleton it is, so that nothing has to be guessed there; which animal it belongs to
is found anew in every frame: animals of this frame and those that are followed are assigned by the least sum of their
distances (Kuhn 1955, "The Hungarian method"), the distance of two being the median over their common points. Each point
then has a filter of constant velocity (`kalman.py`; Bar-Shalom, Li, Kirubarajan 2001, section 6.2.2), whose
measurement noise is the sigma of the detection (`heatmap_peaks`: the width and height of the heat map's peak), and a
chi-square gate: what lies beyond it is not believed, unless the next frames say so, too (of peaks that are each by
themselves, it is another thing).

A point whose score is below `min_score` is occluded: it is PREDICTED, and LOST after `max_missed` frames.

With `refine = "template"` places come from registration of the picture (`refinement.py`): the network says where a
point is in the first frame, and from then on which point it is and whether it is there, in every frame or in every n-th
one; the way since the first frame is measured as `template` does. A point that the network sees elsewhere several times
in a row begins anew there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.ir.table import KEYPOINT, TableType
from kernels.param import Param, Value
from kernels.skeleton import skeleton
from pipelines.features import Reason, State, Tracks
from pipelines.trackers.base import Array, Snapshot, Tracker, TrackerInput, coasting, tracker
from pipelines.trackers.columns import Columns
from pipelines.trackers.kalman import KALMAN_COLUMNS, correct, predict
from pipelines.trackers.refinement import FEW, Refinement

KEYPOINT_DTYPE = TableType(KEYPOINT, 1).numpy
_COLUMNS = KEYPOINT_DTYPE.names or ()
NAMED_DTYPE = np.dtype([("track", "i4"), ("animal", "i4"), ("point", "i4"), ("name", "U40")])
"""Which point of which animal a track is, and what the point is called."""
EDGE_DTYPE = np.dtype([("animal", "i4"), ("point", "i4"), ("joined", "i4")])
"""Two points of an animal that an edge of its skeleton joins."""

UNKNOWN_SIGMA = 1.0
"""px: the noise of a detection that has no sigma and no setting; heat maps of a stride of 4 px have some such."""
FIRST_SPEED = 5.0
"""px/frame: standard deviation of the velocity of a point that was seen once."""
INSISTING = 3
"""Frames in a row that a point must be seen beyond its gate until it is taken up there."""


@tracker
class KeypointTracker(Tracker):
    """Follows the key points of a network; see the module's text. The score of a row is the network's."""

    name = "keypoints"
    summary = "follows named points of a network's skeleton: Kalman filter a point, occlusion by score, several animals"
    seconds = 2.3e-4  # 100 points
    inputs = (TrackerInput("points", "features", "key points of this frame: the output `points` of heatmap_peaks, "
                           "anchors or coordinates", columns=_COLUMNS),
              TrackerInput("image", "image", "grey picture for refine = \"template\"", optional=True))  # fmt: skip
    params = (
        Param("min_score", "float", 0.3, "points that the network is less sure of are occluded", "1", 0.0, 1.0),
        Param("acceleration", "float", 0.5, "typical change of velocity in a frame", "px/frame^2", low=1e-4, high=1e3),
        Param("measurement_sigma", "float", 0.0, "noise of x and y; 0 takes each point's own (1 if unknown)", "px",
              0.0, 100.0),
        Param("gate", "float", 6.0, "farthest detection from the prediction that is believed at once, in standard "
              "deviations", "1", 1.0, 100.0),
        Param("reach", "float", 100.0, "how far an animal may be from where it is expected", "px", low=1.0, high=1e5),
        Param("sorting", "choice", "instance", "whether points of an instance belong together, as those of `anchors` "
              "and `coordinates`, or each peak of a heat map is by itself", choices=("instance", "peak")),
        Param("refine", "choice", "none", "what measures places: the network, or, from the first frame on, windows of "
              "the picture; sigma is then that of the way since", choices=("none", "template")),
        Param("window", "int", 21, "side of the windows, odd", "px", low=5, high=401, odd=True),
        Param("names", "text", "", "what the points are called, in the network's order, separated by commas"),
        Param("edges", "text", "", "points joined by lines in pictures and exports: pairs of names or numbers, such as "
              "nose-tail, 0-2"),
        Param("min_hits", "int", 2, "detections before a track is believed", "frames", low=1, high=1000),
        Param("max_missed", "int", 60, "frames without a detection before a track ends", "frames", low=0, high=100000),
    )  # fmt: skip

    def __init__(self, params: Mapping[str, Value], shape: tuple[int, int], fps: float | None) -> None:
        super().__init__(params, shape, fps)
        self.skeleton = skeleton(str(self.settings["names"]), str(self.settings["edges"]))
        own = ("track", "point", "animal", "missed", "hits", "away", "window", "silent")
        self.points = Columns(KALMAN_COLUMNS | dict.fromkeys(own, "i4") | dict.fromkeys(("rx", "ry"), "f8"))
        self.refinement = None
        if self.settings["refine"] == "template":
            self.refinement = Refinement(int(self.number("window")), shape, fps)
        self.animals = 0
        self.named: list[tuple[int, int, int]] = []

    def update(self, index: int, time: float, inputs: Mapping[str, Array]) -> Tracks:
        return self.update_batch([index], [time], [inputs])[0]

    def update_batch(
        self, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]]
    ) -> list[Tracks]:
        """Windows go by up to the next frame in which the network says something, for it may begin others."""
        refinement, made = self.refinement, list[Tracks]()
        if refinement is None:
            return [self._updated(index, time, self._table(one), None, None)
                    for index, time, one in zip(indices, times, inputs, strict=True)]  # fmt: skip
        if inputs and "image" not in inputs[0]:
            raise DefinitionError("tracker keypoints needs the input 'image' for refine = \"template\"")
        while len(made) < len(indices):
            at = len(made)
            tables = [self._table(one) for one in inputs[at:]]
            # Windows go by up to a frame with detections, that one included: it may begin or replace windows.
            end = at + next((k + 1 for k, table in enumerate(tables) if len(table)), len(tables))
            pictures = [self.image(one) for one in inputs[at:end]]
            windows = refinement.follow(indices[at:end], times[at:end], pictures)
            made += [self._updated(indices[at + k], times[at + k], tables[k], windows[k], pictures[k])
                     for k in range(end - at)]  # fmt: skip
        return made

    def _updated(
        self, index: int, time: float, table: Array, windows: Tracks | None, picture: Array | None
    ) -> Tracks:
        """The rows of a frame; `windows`: of the refinement, in this picture."""
        predict(self.points, self.clock.advance(index, time), self.number("acceleration"))
        t = self.points
        known = len(t)
        # Windows of the picture come first: what they place the network's detections only check.
        held, strength = self._held(windows)
        finite = np.isfinite(table["x"]) & np.isfinite(table["y"])
        sure = table[finite & (table["score"] >= self.number("min_score"))]
        which, seen = self._assigned(sure)
        # `_assigned` gives -1 - animal in place of a track for a point that begins one.
        fresh = which < 0
        begun = seen[fresh]
        self._born(sure[begun], -which[fresh] - 1)
        which, seen = which[~fresh], seen[~fresh]
        x, y, variance = sure["x"][seen], sure["y"][seen], self._variance(sure[seen])
        # Squared distance against the gate in variances of prediction and detection together.
        apart = (x - t["x"][which]) ** 2 + (y - t["y"][which]) ** 2
        off = apart > self.number("gate") ** 2 * (t["p00"][which] + variance)
        # A detection beyond the gate is a jump until it stays there for INSISTING frames; then the point is begun
        # there.
        t["away"][which] = np.where(off, t["away"][which] + 1, 0)
        again = t["away"][which] >= INSISTING
        self._begin(which[again], x[again], y[again], variance[again])
        t["window"][which[again]] = -1
        good = ~off
        # Where a window measures the place, the network's coarser one is not mixed in.
        free = good & ~held[which]
        correct(t, which[free], x[free], y[free], variance[free])
        believed, score = np.zeros(len(t), np.bool_), np.zeros(len(t))
        # Tracks that were just born come behind the `known` ones and are seen by definition.
        believed[:known], score[:known] = held, strength
        believed[which[good | again]] = True
        believed[known:] = True
        # `silent` counts frames in which the network said nothing of a point, also while a window holds it.
        t["silent"] += 1
        t["silent"][which], t["silent"][known:] = 0, 0
        reason = np.full(len(t), int(Reason.NOT_DETECTED))
        score[which[good | again]] = sure["score"][seen[good | again]]
        score[known:] = sure["score"][begun]
        reason[which[off]] = int(Reason.JUMP)
        # Said of all points of that kind: a detection that is not sure belongs to no track.
        doubted = finite & (table["score"] < self.number("min_score"))
        if doubted.any():
            reason[~believed & np.isin(t["point"], table["point"][doubted]) & (reason != int(Reason.JUMP))] = int(
                Reason.LOW_SCORE)  # fmt: skip
        if picture is not None and len(sure):
            # Windows begin where the network sees a point that no window holds; they learn from this frame on.
            named = np.zeros(len(t), np.bool_)
            named[which[good | again]], named[known:] = True, True
            anew = named.copy()
            anew[which[good]] &= ~held[which[good]]
            self._begin_windows(index, picture, named, anew)
        return self._rows(believed, score, reason)

    def _held(self, windows: Tracks | None) -> tuple[Array, Array]:
        """Which points are placed by windows of the picture, and how well those are seen; moves them there."""
        t = self.points
        held, score = np.zeros(len(t), np.bool_), np.zeros(len(t))
        if self.refinement is None or windows is None:
            return held, score
        x, y, variance = np.zeros(len(t)), np.zeros(len(t)), np.zeros(len(t))
        for animal, own in self.refinement.animals.items():
            # rx, ry: where a point was when its animal's windows began (dense), or how far it lies beside its own
            # window.
            mine = np.flatnonzero((t["animal"] == animal) & (t["window"] >= 0))
            if own.dense and len(mine):
                moved = self.refinement.moved(animal, np.stack([t["rx"][mine], t["ry"][mine]], -1), windows)
                if moved is not None:
                    (x[mine], y[mine]), variance[mine], score[mine] = moved[0].T, moved[1], moved[2]
                    held[mine] = True
            elif len(mine) and len(windows):
                # Rows are by rising track id; a window that has none in this frame is found by the comparison behind.
                at = np.minimum(np.searchsorted(windows["track"], t["window"][mine]), len(windows) - 1)
                seen = (windows["track"][at] == t["window"][mine]) & (windows["state"][at] == State.TRACKED)
                mine, at = mine[seen], at[seen]
                x[mine], y[mine], score[mine] = windows["x"][at], windows["y"][at], windows["score"][at]
                x[mine] += t["rx"][mine]
                y[mine] += t["ry"][mine]
                variance[mine] = windows["sigma"][at].astype(np.float64) ** 2
                held[mine] = True
        which = np.flatnonzero(held)
        if len(which):
            correct(t, which, x[which], y[which], np.maximum(variance[which], 1e-12))
            t["x"][which], t["y"][which] = x[which], y[which]  # the filter is for velocities: nothing lags
            t["p00"][which] = variance[which]
        return held, score

    def _begin_windows(self, index: int, picture: Array, named: Array, anew: Array) -> None:
        """Windows for points that the network sees and that none places.

        Args:
            named: points that the network sees here.
            anew: those of them that begin here, or are placed by no window.
        """
        t, refinement = self.points, self.refinement
        assert refinement is not None
        for animal in np.unique(t["animal"][anew]).tolist():
            mine = np.flatnonzero(named & (t["animal"] == animal))
            new = mine[anew[mine]]
            own = refinement.animals.get(animal)
            # An animal of many points shares windows: they are replaced together, once more than half of its points are
            # lost.
            if len(mine) > FEW:
                if 2 * len(new) <= len(mine) and own is not None and own.dense:
                    continue
                new = np.flatnonzero(t["animal"] == animal)
            refinement.drop(animal, t["window"][new])
            window = refinement.begin(animal, index, picture, np.stack([t["x"][new], t["y"][new]], -1))
            own = refinement.animals.get(animal)
            dense = own is not None and own.dense
            t["window"][new] = 0 if dense else window
            t["rx"][new], t["ry"][new] = (t["x"][new], t["y"][new]) if dense else (0.0, 0.0)

    def skip(self, index: int, time: float) -> Tracks:
        if self.refinement is not None:
            self.refinement.skip(index, time)
        predict(self.points, self.clock.advance(index, time), self.number("acceleration"))
        return coasting(self, self.points)

    def tables(self) -> dict[str, Array]:
        """`keypoints`: rows of NAMED_DTYPE; `edges`: rows of EDGE_DTYPE."""
        rows = [(*row, self.skeleton.name(row[2])) for row in self.named]
        animals = self.animals if self.settings["sorting"] == "instance" else 0  # a peak by itself has no edges
        pairs = np.array(self.skeleton.edges, np.int32).reshape(-1, 2)
        edges = np.zeros(animals * len(pairs), EDGE_DTYPE)
        edges["animal"] = np.repeat(np.arange(animals), len(pairs))
        edges["point"], edges["joined"] = np.tile(pairs, (animals, 1)).T
        return {"keypoints": np.array(rows, NAMED_DTYPE), "edges": edges}

    def snapshot(self) -> Snapshot:
        own = {"animals": np.array(self.animals), "named": np.array(self.named, np.int32).reshape(-1, 3)}
        own |= {} if self.refinement is None else self.refinement.snapshot()
        return self.clock.snapshot() | self.points.snapshot() | own | {"next_track": np.array(self.next_track)}

    def restore(self, state: Mapping[str, Array]) -> None:
        self.clock.restore(state)
        self.points.restore(state)
        self.animals, self.next_track = int(state["animals"]), int(state["next_track"])
        if self.refinement is not None:
            self.refinement.restore(state)
        self.named = [(int(a), int(b), int(c)) for a, b, c in state["named"]]

    def _table(self, inputs: Mapping[str, Array]) -> npt.NDArray[Any]:
        found = inputs.get("points")
        if found is None:
            raise DefinitionError("tracker keypoints needs the input 'points'")
        found = np.asarray(found)
        if found.ndim != 1 or not {*_COLUMNS} <= {*(found.dtype.names or ())}:
            raise DefinitionError("tracker keypoints wants rows of key points as 'points'; wire it to the output "
                                  "`points` of heatmap_peaks, anchors or coordinates")  # fmt: skip
        return found

    def _variance(self, rows: Array) -> Array:
        """Of x and of y, px^2."""
        own = self.number("measurement_sigma")
        sigma = np.full(len(rows), own) if own else np.where(rows["sigma"] > 0, rows["sigma"], UNKNOWN_SIGMA)
        made: Array = sigma.astype(np.float64) ** 2
        return made

    def _assigned(self, sure: Array) -> tuple[Array, Array]:
        """(the track, the row) of what goes together; -1 - animal instead of a track for points that begin one."""
        if not len(sure):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        t = self.points
        found: list[tuple[int, int]] = []
        if self.settings["sorting"] == "peak":
            # Peaks of a heat map know no animal: each kind of point is assigned by itself, within its gate.
            for point in np.unique(sure["point"]):
                rows, tracks = np.flatnonzero(sure["point"] == point), np.flatnonzero(t["point"] == point)
                x, y = sure["x"][rows, np.newaxis], sure["y"][rows, np.newaxis]
                apart = np.hypot(x - t["x"][tracks], y - t["y"][tracks])
                spread = np.sqrt(t["p00"][tracks] + self._variance(sure[rows])[:, np.newaxis])
                apart[apart > self.number("gate") * spread] = np.inf  # another thing: nothing says that it is the same
                pairs = dict(self._pairs(apart))
                for k, row in enumerate(rows.tolist()):
                    found.append((int(tracks[pairs[k]]) if k in pairs else -1 - self._new_animal(), row))
        else:
            return self._sorted(sure)
        pairs_found = np.array(found, np.int64).reshape(-1, 2)
        return pairs_found[:, 0], pairs_found[:, 1]

    def _sorted(self, sure: Array) -> tuple[Array, Array]:
        """As `_assigned`, of points that belong together."""
        t = self.points
        # Of a point that a network gives twice in an instance the better one comes first.
        _, first = np.unique(np.stack([sure["instance"], sure["point"]]), axis=1, return_index=True)
        groups = [first[sure["instance"][first] == one] for one in np.unique(sure["instance"])]
        animals = np.unique(t["animal"])
        most = 1 + max(t["point"].max(initial=-1), sure["point"].max(initial=-1))
        # The row of each point of each animal, -1 where there is none: places[animal, point].
        places = np.full((len(animals), most), -1)
        places[np.searchsorted(animals, t["animal"]), t["point"]] = np.arange(len(t))
        apart = np.full((len(groups), len(animals)), np.inf)
        for g, rows in enumerate(groups):
            for a, known in enumerate(places[:, sure["point"][rows]]):
                both = known >= 0
                if both.any():
                    r, k = rows[both], known[both]
                    # The median over the points that both have: one point that is wrong does not move it.
                    apart[g, a] = np.median(np.hypot(sure["x"][r] - t["x"][k], sure["y"][r] - t["y"][k]))
        pairs = dict(self._pairs(apart))
        which, seen = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for g, rows in enumerate(groups):
            rows = np.sort(rows)
            # Points that an animal has not yet begin with it.
            new = -1 - (int(animals[pairs[g]]) if g in pairs else self._new_animal())
            known = places[pairs[g], sure["point"][rows]] if g in pairs else np.full(len(rows), -1)
            which.append(np.where(known >= 0, known, new))
            seen.append(rows)
        return np.concatenate(which), np.concatenate(seen)

    def _pairs(self, apart: Array) -> list[tuple[int, int]]:
        """The pairs of the least sum of distances, none beyond `reach`: first as many pairs as can be."""
        reach = self.number("reach")
        if not apart.size:
            return []
        from scipy.optimize import linear_sum_assignment  # here, as its import takes longer than most programs' own

        far = 2.0 * reach * (1 + min(apart.shape))  # dearer than all pairs that may be
        a, b = linear_sum_assignment(np.where(apart <= reach, apart, far))
        return [(int(i), int(j)) for i, j in zip(a, b, strict=True) if apart[i, j] <= reach]

    def _new_animal(self) -> int:
        self.animals += 1
        return self.animals - 1

    def _born(self, rows: Array, animals: Array) -> None:
        """Tracks of points that are seen for the first time."""
        t, first = self.points, len(self.points)
        ids = self.new_ids(len(rows))
        t.append(len(rows), track=ids, point=rows["point"], animal=animals, window=-1)
        self.named += zip(ids.tolist(), animals.tolist(), rows["point"].tolist(), strict=True)
        self._begin(np.arange(first, len(t)), rows["x"], rows["y"], self._variance(rows))

    def _begin(self, which: Array, x: Array, y: Array, variance: Array) -> None:
        t = self.points
        t["x"][which], t["y"][which], t["vx"][which], t["vy"][which] = x, y, 0.0, 0.0
        t["p00"][which], t["p01"][which], t["p11"][which] = variance, 0.0, FIRST_SPEED**2
        t["away"][which] = 0

    def _rows(self, believed: Array, score: Array, reason: Array) -> Tracks:
        t = self.points
        t["hits"] += believed
        # An animal's point is missed only in frames in which neither window nor network places it.
        t["missed"] = np.where(believed, 0, t["missed"] + 1)
        young = t["hits"] < self.number("min_hits")
        out = ~believed & ~self.inside(t["x"], t["y"])
        most = self.number("max_missed")
        # A track ends outside the picture, when the network or everything is silent for too long, or unconfirmed.
        over = out | (t["silent"] > most) | (t["missed"] > most) | (~believed & young)
        state = np.where(over, int(State.LOST), np.where(~believed, int(State.PREDICTED), np.where(
            young, int(State.TENTATIVE), int(State.TRACKED))))  # fmt: skip
        reason = np.where(believed, int(Reason.NONE), np.where(out, int(Reason.LEFT_IMAGE), reason))
        rows = self.rows(t, state, reason, score)
        t.keep(~over)
        if self.refinement is not None and over.any():
            self.refinement.forget([one for one in self.refinement.animals if one not in t["animal"]])
        return rows[np.argsort(rows["track"], kind="stable")]
