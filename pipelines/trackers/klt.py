"""Corners: pyramidal Lucas-Kanade from frame to frame, checked forward and backward, anchored to their references.

OpenCV's tracker (Bouguet: Pyramidal Implementation of the Lucas Kanade Feature Tracker, 1999) catches large motions,
but its bilinear interpolation is off by up to 0.016 px and errors add up from frame to frame. So its result is only
a start: the window is then fitted to the picture it had when the corner was born (`pipelines.trackers.znssd`). Where
it no longer looks like that, the reference is renewed and the uncertainty grows by that step. A track must come back
to where it started when it is followed backward (Kalal, Mikolajczyk, Matas: Forward-Backward Error, ICPR 2010).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.spatial import cKDTree

from kernels.errors import DefinitionError
from kernels.host.opencv import cv2
from kernels.param import Param, Value
from pipelines.features import FEATURE_DTYPE, Reason, State, Tracks
from pipelines.trackers.base import Array, Columns, Snapshot, Tracker, TrackerInput, coasting, tracker
from pipelines.trackers.kalman import KALMAN_COLUMNS, correct, predict
from pipelines.trackers.texture import far_from, textured_points
from pipelines.trackers.znssd import References, references, refine, tiles_at

BILINEAR = 0.016  # px: the systematic error of one Lucas-Kanade step (TRACKING measurements, fine texture)


@tracker
class KltTracker(Tracker):
    """Follows corners; see the module's text for the method.

    Corners are born where the optional input `features` has some (their centres, by peak), else at the best textured
    places; again whenever fewer than `refill` of `max_points` are left. The score is the correlation with the
    reference (with `anchor`), else 1 - forward-backward error / its limit. A corner that is lost stays lost.
    """

    name = "klt"
    summary = "follows corners by pyramidal Lucas-Kanade with a forward-backward check, without drift"
    inputs = (
        TrackerInput("image", "image", "grey picture; 16-bit and float ones are scaled to 8 bits"),
        TrackerInput("features", "features", "corners to start from", optional=True, columns=("x", "y")),
    )
    params = (
        Param("max_points", "int", 200, "how many corners are followed", "", low=1, high=10000),
        Param("window", "int", 21, "side of the window, odd", "px", low=5, high=101),
        Param("levels", "int", 3, "pyramid levels above the picture; each doubles the motion caught", "", 0, 8),
        Param("max_fb", "float", 0.5, "largest forward-backward error", "px", low=0.01, high=100.0),
        Param("min_distance", "float", 10.0, "least distance between two corners", "px", low=1.0, high=1000.0),
        Param("quality", "float", 0.02, "weakest corner, relative to the strongest", "1", low=1e-6, high=1.0),
        Param("refill", "float", 0.75, "new corners are looked for below this part of max_points", "1", 0.0, 1.0),
        Param("max_speed", "float", 100.0, "a faster motion is a jump, not a match", "px/frame", low=0.1, high=1e4),
        Param("min_hits", "int", 3, "frames before a corner is believed", "frames", low=1, high=1000),
        Param("anchor", "bool", True, "fit each corner to its first appearance, so that it does not drift"),
        Param("min_score", "float", 0.5, "smallest correlation with the reference (with anchor)", "1", 0.0, 1.0),
        Param("renew_score", "float", 0.8, "correlation below which the reference is renewed", "1", 0.0, 1.0),
        Param("white", "float", 0.0, "value shown as white to the tracker; 0: the first frame's maximum", "", 0.0),
        Param("acceleration", "float", 1.0, "typical change of velocity in a frame", "px/frame^2", low=1e-4, high=1e3),
    )

    def __init__(self, params: Mapping[str, Value], shape: tuple[int, int], fps: float | None) -> None:
        super().__init__(params, shape, fps)
        self.window = int(self.number("window"))
        if self.window % 2 == 0:
            raise DefinitionError(f"klt.window = {self.window} must be odd, such as {self.window + 1}")
        if min(shape) < 5:
            raise DefinitionError(f"corners cannot be followed in a picture of {shape[1]} x {shape[0]} px")
        self.window = min(self.window, (min(shape) - 1) // 2 * 2 + 1)  # a window must lie within the picture
        self.half = self.window // 2
        self.anchor = bool(self.settings["anchor"])
        self.white = self.number("white")
        self.previous: Array = np.zeros((0, 0), np.uint8)
        area = self.window**2 if self.anchor else 1
        # x, y of the filter are predictions between frames; px, py: where last seen; drift: px^2 gathered since birth.
        self.t = Columns(
            {
                **KALMAN_COLUMNS,
                **dict.fromkeys(("track", "hits"), "i4"),
                **dict.fromkeys(("px", "py", "gap", "drift", "norm"), "f8"),
                "textured": "?",
                "pixels": np.dtype(("f8", (area,))),
                "solver": np.dtype(("f8", (2, area))),
                "variance": np.dtype(("f8", (2,))),
            }
        )

    def update(self, index: int, time: float, inputs: Mapping[str, Array]) -> Tracks:
        picture = self.image(inputs)
        candidates = self._candidates(inputs)
        grey = self._grey(picture)
        self._predict(self.clock.advance(index, time))
        t, n = self.t, len(self.t)
        reason, score = np.zeros(n, np.uint8), np.zeros(n)
        if n:
            reason, score = self._follow(picture, grey)
        seen = reason == Reason.NONE
        t["hits"][seen] += 1
        believed = t["hits"] >= self.settings["min_hits"]
        state = np.where(~seen, int(State.LOST), np.where(believed, int(State.TRACKED), int(State.TENTATIVE)))
        born = 0
        if np.count_nonzero(seen) < max(self.number("refill") * self.number("max_points"), 1.0):
            born = self._birth(picture, grey, candidates, seen)
        fresh = np.full(born, int(State.TRACKED if self.settings["min_hits"] == 1 else State.TENTATIVE))
        rows = self.rows(
            t,
            np.concatenate((state, fresh)),
            np.concatenate((reason, np.zeros(born, np.uint8))),
            np.concatenate((np.where(seen, score, 0.0), np.ones(born))),
        )
        t.keep(np.concatenate((seen, np.ones(born, bool))))
        self.previous = grey
        return rows

    def skip(self, index: int, time: float) -> Tracks:
        self._predict(self.clock.advance(index, time))
        return coasting(self, self.t)

    def snapshot(self) -> Snapshot:
        scalars = {"next_track": np.array(self.next_track), "white": np.array(self.white)}
        return self.clock.snapshot() | self.t.snapshot() | scalars | {"previous": self.previous.copy()}

    def restore(self, state: Mapping[str, Array]) -> None:
        self.clock.restore(state)
        self.t.restore(state)
        self.next_track, self.white = int(state["next_track"]), float(state["white"])
        self.previous = state["previous"].copy()

    def _candidates(self, inputs: Mapping[str, Array]) -> Array | None:
        if "features" not in inputs:
            return None
        found = np.asarray(inputs["features"])
        names = found.dtype.names or ()
        strength = next((name for name in ("peak", "value") if name in names), "")
        if found.ndim != 1 or "x" not in names or "y" not in names or not strength:
            raise DefinitionError(
                f"tracker klt wants rows with x, y and peak (or value) as 'features', not an array of shape "
                f"{found.shape} and type {found.dtype}"
            )
        rows = np.zeros(len(found), FEATURE_DTYPE)
        for axis in "xy":
            offset = found[f"d{axis}"] if f"d{axis}" in names else 0.0  # of a peak from its pixel
            rows[axis] = found[axis] + offset
        rows["peak"] = found[strength]
        usable: Array = rows[np.isfinite(rows["x"]) & np.isfinite(rows["y"])]
        return usable

    def _grey(self, picture: Array) -> Array:
        """The picture in the 8 bits that OpenCV's tracker takes; a copy."""
        if picture.dtype == np.uint8 and self.white == 0:
            return picture.copy()
        values = picture.astype(np.float32)
        if self.white == 0:
            self.white = max(float(np.nan_to_num(values, posinf=0.0).max(initial=0.0)), 1e-30)
        scaled: Array = np.clip(np.rint(np.nan_to_num(values) * (255.0 / self.white)), 0, 255).astype(np.uint8)
        return scaled

    def _predict(self, step: float) -> None:
        predict(self.t, step, self.number("acceleration"))
        self.t["gap"] += step

    def _flow(self, before: Array, after: Array, start: Array, guess: Array) -> tuple[Array, Array]:
        moved, status, _ = cv2.calcOpticalFlowPyrLK(
            before,
            after,
            start.astype(np.float32),
            guess.astype(np.float32),
            winSize=(self.window, self.window),
            maxLevel=int(self.number("levels")),
            criteria=(cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 0.005),
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )
        return np.asarray(moved, np.float64).reshape(-1, 2), np.asarray(status).ravel() == 1

    def _follow(self, picture: Array, grey: Array) -> tuple[Array, Array]:
        """Find every corner in this frame and correct the filter; why each was lost (NONE if it was not), scores."""
        t = self.t
        start = np.stack((t["px"], t["py"]), axis=1)
        guess = np.stack((t["x"], t["y"]), axis=1)
        there, ok = self._flow(self.previous, grey, start, guess)
        back, ok_back = self._flow(grey, self.previous, there, there + start - guess)
        error = np.hypot(*(back - start).T)
        x, y = there.T.copy()
        limit = self.number("max_fb")
        # One step's error: the interpolation's, and what the way back betrays.
        variance = BILINEAR**2 + 0.25 * error**2
        reason = np.full(len(t), int(Reason.NONE), np.uint8)
        reason[error > limit] = Reason.FORWARD_BACKWARD
        speed = np.hypot(*(there - start).T) / np.maximum(t["gap"], 1.0)
        reason[speed > self.number("max_speed")] = Reason.JUMP
        reason[~(ok & ok_back)] = Reason.NO_TEXTURE
        gone = ~self.inside(x, y, self.half) if self.anchor else ~self.inside(x, y, 1.0)
        reason[gone | ~self.inside(t["x"], t["y"])] = Reason.LEFT_IMAGE
        score = np.clip(1.0 - error / limit, 0.0, 1.0)
        alive = np.flatnonzero(reason == Reason.NONE)
        if self.anchor and len(alive):
            low = self._anchor(picture, alive, x, y, variance, score)
            reason[alive[low]] = Reason.LOW_SCORE
        else:
            t["drift"] += variance
            variance = t["drift"].copy()
        self._merge(x, y, reason)
        good = np.flatnonzero(reason == Reason.NONE)
        correct(t, good, x[good], y[good], np.maximum(variance[good], 1e-8))
        t["x"][good], t["y"][good], t["p00"][good] = x[good], y[good], variance[good]
        t["px"][good], t["py"][good], t["gap"][good] = x[good], y[good], 0.0
        return reason, score

    def _anchor(self, picture: Array, alive: Array, x: Array, y: Array, variance: Array, score: Array) -> Array:
        """Refine x, y, variance and score (in place) against the references; which of `alive` score too low."""
        t = self.t
        ref = References(*(t[name][alive] for name in ("pixels", "norm", "solver", "variance", "textured")))
        fit = refine(picture, ref, x[alive], y[alive], np.zeros(len(alive)), "translation")
        near = fit.converged & (np.hypot(fit.x - x[alive], fit.y - y[alive]) <= 1.0)
        # A window without texture in two directions cannot be fitted; Lucas-Kanade's word is all there is.
        low = ref.textured & (fit.score < self.number("min_score"))
        held = near & ~low
        rows = alive[held]
        x[rows], y[rows] = fit.x[held], fit.y[held]
        # Not refined: this frame's place rests on one more step of Lucas-Kanade.
        t["drift"][alive[~held]] += variance[alive[~held]]
        step = np.where(held, fit.variance, 0.0)
        variance[alive] = step + t["drift"][alive]
        worn = alive[~low & (~near | (fit.score < self.number("renew_score")))]
        if len(worn):
            t["drift"][worn] = variance[worn]
            self._prepare(worn, picture, x[worn], y[worn])
        score[alive] = np.where(ref.textured, np.clip(fit.score, 0.0, 1.0), score[alive])
        return low

    def _prepare(self, which: Array, picture: Array, x: Array, y: Array) -> None:
        ref = references(tiles_at(picture, x, y, np.zeros(len(which)), self.window), "translation")
        for name in ("pixels", "norm", "solver", "variance", "textured"):
            self.t[name][which] = getattr(ref, name)

    def _merge(self, x: Array, y: Array, reason: Array) -> None:
        """Of corners that ran onto each other the oldest stays; in place in `reason`."""
        alive = np.flatnonzero(reason == Reason.NONE)
        if len(alive) < 2:
            return
        pairs = cKDTree(np.stack((x[alive], y[alive]), axis=1)).query_pairs(
            0.25 * self.number("min_distance"), output_type="ndarray"
        )
        # Rows are in order of birth, so the higher row of a pair is the younger one.
        reason[alive[np.unique(pairs.max(axis=1, initial=0))] if len(pairs) else alive[:0]] = Reason.MERGED

    def _birth(self, picture: Array, grey: Array, candidates: Array | None, seen: Array) -> int:
        """Start corners away from those that live; how many."""
        t = self.t
        apart = self.number("min_distance")
        room = int(self.number("max_points")) - int(np.count_nonzero(seen))
        free = far_from(grey.shape, t["x"][seen], t["y"][seen], apart)
        if candidates is None:
            points = textured_points(
                grey, room, 3, apart, self.half, free, self.number("quality")
            ).astype(np.float64)  # fmt: skip
        else:
            points = self._thin(candidates, free, apart)[:room]
        if self.anchor and len(points):
            # The reference's window sits on whole pixels, and so does the corner.
            points = np.rint(points)
        n = len(points)
        if n:
            x, y = points.T
            self.t.append(
                n, track=self.new_ids(n), hits=1, x=x, y=y, px=x, py=y, p11=(0.25 * self.window) ** 2, textured=True
            )
            if self.anchor:
                self._prepare(np.arange(len(t) - n, len(t)), picture, x, y)
        return n

    def _thin(self, found: Array, free: Array, apart: float) -> Array:
        """The strongest corners that keep their distance, (n, 2)."""
        found = found[np.lexsort((found["x"], found["y"], -found["peak"]))]
        chosen: list[tuple[float, float]] = []
        for x, y in zip(found["x"].tolist(), found["y"].tolist(), strict=True):
            if not self.inside(np.rint(x), np.rint(y), self.half) or not free[round(y), round(x)]:
                continue
            if all((x - cx) ** 2 + (y - cy) ** 2 >= apart * apart for cx, cy in chosen):
                chosen.append((x, y))
        return np.array(chosen, np.float64).reshape(-1, 2)
