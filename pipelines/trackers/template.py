"""Templates: windows around given (or well textured) points, followed to a few thousandths of a pixel.

Each frame a window is looked for at its predicted place by Gauss-Newton on the zero-normalised squared difference
(`patches.znssd`); only where that fails, by the normalised cross-correlation over the search range and
then by Gauss-Newton. Every frame is compared with the reference of the first frames, never with the frame before, so
that nothing drifts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from kernels.errors import DefinitionError
from kernels.host.opencv import cv2
from kernels.param import Param, Value
from pipelines.features import Reason, State, Tracks
from pipelines.trackers.base import Array, Columns, Snapshot, Tracker, TrackerInput, coasting, tracker
from pipelines.trackers.kalman import KALMAN_COLUMNS, correct, predict
from pipelines.trackers.patches.texture import textured_points
from pipelines.trackers.patches.znssd import MARGIN, Fit, Model, References, parameters, references, refine, tiles_at

WORSE = 0.15  # a score so much below the usual one is not believed before the whole range was searched
LARGEST = 20_000_000  # pixels in all reference windows together


@tracker
class TemplateTracker(Tracker):
    """Follows windows of pixels; see the module's text for the method.

    The score is the zero-normalised cross-correlation with the reference. x, y are the place where the given point
    of the reference is now (measured, not smoothed); in the first frame they are the point itself, with sigma 0 by
    definition. vx, vy come from a constant-velocity Kalman filter.

    A point [x, y, frame] has its reference in that frame (or in the next one that can be read) and is followed from
    there on; one whose frame lies before the first frame that is processed is lost at once: nobody knows where it is
    by then. Tracks of given points are numbered as the points are.
    """

    name = "template"
    summary = "follows windows of texture by correlation and a sub-pixel fit (digital image correlation)"
    inputs = (TrackerInput("image", "image", "grey picture of any number type"),)
    params = (
        Param("points", "points", (), "centres [[x, y], ...] in the first frame, [x, y, frame] in a later one; none: "
              "the best textured ones", "px"),
        Param("max_points", "int", 50, "how many points are chosen when none are given", "", low=1, high=10000),
        Param("window", "int", 21, "side of the window, odd", "px", low=5, high=401),
        Param("search", "int", 8, "how far from its prediction a window is looked for", "px", low=1, high=500),
        Param(
            "model",
            "choice",
            "translation",
            "how a window may move (rigid: shift and rotation)",
            choices=("translation", "rigid"),
        ),
        Param("min_score", "float", 0.6, "smallest correlation that counts as seen", "1", low=0.0, high=1.0),
        Param("reference_frames", "int", 1, "frames averaged (motion-compensated) in the reference", "frames", 1, 1000),
        Param(
            "update",
            "choice",
            "never",
            "whether the reference is renewed when the score falls; renewing drifts",
            choices=("never", "on_low_score"),
        ),
        Param("update_score", "float", 0.8, "correlation below which the reference is renewed", "1", 0.0, 1.0),
        Param("max_missed", "int", 10, "frames without being seen before a track ends", "frames", 0, 100000),
        Param("max_speed", "float", 1e4, "a faster motion is a jump, not a match", "px/frame", low=0.1, high=1e4),
        Param("acceleration", "float", 1.0, "typical change of velocity in a frame", "px/frame^2", low=1e-4, high=1e3),
    )

    def __init__(self, params: Mapping[str, Value], shape: tuple[int, int], fps: float | None) -> None:
        super().__init__(params, shape, fps)
        self.window = int(self.number("window"))
        if self.window % 2 == 0:
            raise DefinitionError(f"template.window = {self.window} must be odd, such as {self.window + 1}")
        if self.window > min(shape):
            raise DefinitionError(
                f"template.window = {self.window} px is larger than the picture ({shape[0]} px high, "
                f"{shape[1]} px wide)"
            )
        self.half = self.window // 2
        self.model = cast(Model, self.settings["model"])
        self._check_points(cast(tuple[tuple[float, ...], ...], self.settings["points"]))
        area, tile = self.window**2, self.window + 2 * MARGIN
        # x, y of the filter are the window's centre, ox, oy the followed point relative to it in the reference.
        # gap: frames since last seen at px, py; level: the usual score; drift: px^2 added by renewed references;
        # tile: running mean of `averaged` frames.
        self.t = Columns(
            KALMAN_COLUMNS
            | dict.fromkeys(("ox", "oy", "theta", "omega", "px", "py", "gap", "level", "drift"), "f8")
            | {"track": "i4", "missed": "i4", "averaged": "i4", "norm": "f8", "textured": "?"}
            | {
                "tile": np.dtype(("f8", (tile, tile))),
                "pixels": np.dtype(("f8", (area,))),
                "solver": np.dtype(("f8", (parameters(self.model), area))),
                "variance": np.dtype(("f8", (parameters(self.model),))),
            }
        )
        self.started = False
        given = cast(tuple[tuple[float, ...], ...], self.settings["points"])
        self.begins = np.array([int(p[2]) if len(p) == 3 else -1 for p in given], np.int64)
        self.waiting = np.ones(len(given), bool)

    def update(self, index: int, time: float, inputs: Mapping[str, Array]) -> Tracks:
        image = self.image(inputs)
        step = self.clock.advance(index, time)
        if not self.started:
            return self._start(image, index)
        rows = self._follow(image, step)
        due = np.flatnonzero(self.waiting & (self.begins <= index))
        if len(due):
            rows = np.concatenate((rows, self._begin(image, self._given(due), np.zeros(len(due), bool), due)))
        return self._rising(rows)

    def _rising(self, rows: Tracks) -> Tracks:
        """By rising id, also where a point with a smaller one began later."""
        return rows[np.argsort(rows["track"], kind="stable")] if (self.begins >= 0).any() else rows

    def _given(self, which: Array) -> Array:
        """Some of the user's points: x, y."""
        given = cast(tuple[tuple[float, ...], ...], self.settings["points"])
        return np.array([given[k][:2] for k in which.tolist()], np.float64).reshape(-1, 2)

    def _follow(self, image: Array, step: float) -> Tracks:
        """The tracks that there are, one frame on."""
        self._predict(step)
        t = self.t
        fit, reason = self._find(image)
        seen = reason == Reason.NONE
        good = np.flatnonzero(seen)
        t["omega"][good] += (fit.theta[good] - t["theta"][good]) / np.maximum(t["gap"][good], 1e-3)
        t["theta"][good] = fit.theta[good]
        variance = np.maximum(fit.variance[good] + t["drift"][good], 1e-8)
        correct(t, good, fit.x[good], fit.y[good], variance)
        # The measurement is reported; the filter serves the velocity and the prediction.
        t["x"][good], t["y"][good], t["p00"][good] = fit.x[good], fit.y[good], variance
        t["px"][good], t["py"][good] = fit.x[good], fit.y[good]
        t["gap"][good] = 0.0
        t["level"][good] += 0.1 * (fit.score[good] - t["level"][good])
        t["missed"][:] = np.where(seen, 0, t["missed"] + 1)
        self._learn(image, good, fit)

        gone = ~seen & ~self.inside(t["x"], t["y"])
        reason[gone] = Reason.LEFT_IMAGE
        dead = gone | (t["missed"] > self.number("max_missed"))
        state = np.where(dead, int(State.LOST), np.where(seen, int(State.TRACKED), int(State.PREDICTED)))
        return self._report(state, reason, np.where(seen, np.clip(fit.score, 0.0, 1.0), 0.0), ~dead)

    def skip(self, index: int, time: float) -> Tracks:
        self._predict(self.clock.advance(index, time))
        ox, oy = self._offset()
        rows = coasting(self, self.t)
        rows["x"] += ox
        rows["y"] += oy
        return self._rising(rows)

    def snapshot(self) -> Snapshot:
        scalars = {"next_track": np.array(self.next_track), "started": np.array(self.started),
                   "waiting": self.waiting.copy()}  # fmt: skip
        return self.clock.snapshot() | self.t.snapshot() | scalars

    def restore(self, state: Mapping[str, Array]) -> None:
        self.clock.restore(state)
        self.t.restore(state)
        self.next_track, self.started = int(state["next_track"]), bool(state["started"])
        self.waiting = state["waiting"].copy()

    def _check_points(self, points: tuple[tuple[float, ...], ...]) -> None:
        for number, point in enumerate(points):
            if len(point) not in (2, 3) or (len(point) == 3 and (point[2] < 0 or point[2] % 1)):
                raise DefinitionError(f"template.points[{number}] must be [x, y] or [x, y, frame], not {list(point)}")
            x, y = point[:2]
            if not self.inside(np.rint(x), np.rint(y), self.half):
                raise DefinitionError(
                    f"template.points[{number}] = [{x:g}, {y:g}] is too near the edge of the picture ({self.width} x "
                    f"{self.height}) for a window of {self.window} px; move it or make the window smaller"
                )
        count = len(points) or int(self.number("max_points"))
        if count * self.window**2 > LARGEST:
            raise DefinitionError(
                f"template: {count} windows of {self.window} px are too many pixels; take at most "
                f"{LARGEST // self.window**2} points or a smaller window"
            )

    def _start(self, image: Array, index: int) -> Tracks:
        """The first frame: choose the points where none are given, and take the reference of those that begin here."""
        which = np.flatnonzero(self.begins <= index)
        points, late = self._given(which), (self.begins[which] >= 0) & (self.begins[which] < index)
        if not len(self.begins):
            count = int(self.number("max_points"))
            spread = max(0.7 * self.window, 0.5 * np.sqrt(self.height * self.width / count))
            grey = image if image.dtype == np.uint8 else image.astype(np.float32)
            for margin in (self.half + int(self.number("search")) // 2, self.half):
                points = textured_points(grey, count, self.window, spread, margin).astype(np.float64)
                if len(points):
                    break
            late = np.zeros(len(points), bool)
            if not len(points):
                return self._report(np.zeros(0), np.zeros(0), np.zeros(0), np.ones(0, bool))  # tried again next frame
        self.started = True
        self.next_track = len(self.begins)
        return self._begin(image, points, late, which)

    def _begin(self, image: Array, points: Array, late: Array, which: Array) -> Tracks:
        """New tracks at `points`, those that are too `late` lost at once; `which` of the user's points they are."""
        n, before = len(points), len(self.t)
        if not n:
            return self._report(np.zeros(0), np.zeros(0), np.zeros(0), np.ones(0, bool))[:0]
        self.waiting[which] = False
        centre = np.rint(points)
        x, y = centre.T
        self.t.append(
            n, track=which if len(self.begins) else self.new_ids(n), x=x, y=y, px=x, py=y, ox=points[:, 0] - x,
            oy=points[:, 1] - y, level=1.0, p11=(0.5 * self.number("search")) ** 2, averaged=1,
            tile=tiles_at(image, x, y, np.zeros(n), self.window),
        )  # fmt: skip
        self._prepare(np.arange(before, before + n))
        good = self.t["textured"].copy()
        good[:before] = True
        good[before:] &= ~late
        state = np.where(good, int(State.TRACKED), int(State.LOST))
        reason = np.where(good, int(Reason.NONE), int(Reason.NO_TEXTURE))
        reason[before:][late] = int(Reason.NOT_DETECTED)
        return self._report(state, reason, good * 1.0, good)[before:]

    def _report(self, state: Array, reason: Array, score: Array, keep: Array) -> Tracks:
        rows = self.rows(self.t, state, reason, score)
        ox, oy = self._offset()
        rows["x"] += ox
        rows["y"] += oy
        self.t.keep(keep)
        return rows

    def _offset(self) -> tuple[Array, Array]:
        """The followed points relative to their windows' centres now, px."""
        cos, sin = np.cos(self.t["theta"]), np.sin(self.t["theta"])
        return cos * self.t["ox"] - sin * self.t["oy"], sin * self.t["ox"] + cos * self.t["oy"]

    def _predict(self, step: float) -> None:
        predict(self.t, step, self.number("acceleration"))
        self.t["theta"] += step * self.t["omega"]
        self.t["gap"] += step

    def _prepare(self, which: Array) -> None:
        """Make the references of some rows from their tiles."""
        ref = references(self.t["tile"][which], self.model)
        for name in ("pixels", "norm", "solver", "variance", "textured"):
            self.t[name][which] = getattr(ref, name)

    def _references(self, which: Array | slice) -> References:
        t = self.t
        return References(
            t["pixels"][which], t["norm"][which], t["solver"][which], t["variance"][which], t["textured"][which]
        )

    def _find(self, image: Array) -> tuple[Fit, Array]:
        """Look for every window; the fits, and why one was not seen (Reason.NONE where it was)."""
        t, low = self.t, self.number("min_score")
        x, y = self._clamp(t["x"], t["y"])
        fit = refine(image, self._references(slice(None)), x, y, t["theta"], self.model)
        sure = fit.converged & (fit.score >= np.maximum(low, t["level"] - WORSE))
        again = np.flatnonzero(~sure)
        if len(again):
            bx, by = self._search(image, again, x[again], y[again])
            second = refine(image, self._references(again), bx, by, t["theta"][again], self.model)
            better = second.converged & (~fit.converged[again] | (second.score > fit.score[again]))
            for name in ("x", "y", "theta", "score", "variance", "converged"):
                getattr(fit, name)[again[better]] = getattr(second, name)[better]
        reason = np.full(len(t), int(Reason.NONE), np.uint8)
        # In this order: what stands later is the stronger statement.
        reason[fit.variance > 1.0] = Reason.NO_TEXTURE
        reason[~fit.converged | (fit.score < low)] = Reason.LOW_SCORE
        speed = np.hypot(fit.x - t["px"], fit.y - t["py"]) / np.maximum(t["gap"], 1.0)
        reason[(reason == Reason.NONE) & (speed > self.number("max_speed"))] = Reason.JUMP
        # Where the predicted window leaves the picture, it was looked for at the edge. A quarter of a pixel beyond the
        # edge is noise; more would be fitted to pixels that do not exist.
        beyond = np.hypot(x - t["x"], y - t["y"])
        away = (beyond > self.number("search")) | ((beyond > 0) & (reason != Reason.NONE))
        reason[away | ~self.inside(fit.x, fit.y, self.half - 0.25)] = Reason.LEFT_IMAGE
        return fit, reason

    def _clamp(self, x: Array, y: Array) -> tuple[Array, Array]:
        """The nearest places at which the whole window lies in the picture."""
        h = self.half
        return np.clip(x, h, self.width - 1 - h), np.clip(y, h, self.height - 1 - h)

    def _search(self, image: Array, which: Array, x: Array, y: Array) -> tuple[Array, Array]:
        """The best whole-pixel places within the search range, by normalised cross-correlation."""
        t, h, s = self.t, self.half, int(self.number("search"))
        best = np.empty((2, len(which)))
        for k, row in enumerate(which.tolist()):
            cx, cy = round(float(x[k])), round(float(y[k]))
            left, top = max(cx - h - s, 0), max(cy - h - s, 0)
            region = image[top : cy + h + s + 1, left : cx + h + s + 1].astype(np.float32)
            template = t["pixels"][row].reshape(self.window, self.window).astype(np.float32)
            if abs(t["theta"][row]) > 0.02:
                matrix = cv2.getRotationMatrix2D((h, h), -float(np.degrees(t["theta"][row])), 1.0)
                template = cv2.warpAffine(template, matrix, (self.window, self.window), borderMode=cv2.BORDER_REFLECT)
            # A common offset of picture and template costs float32 digits and changes nothing else.
            found = cv2.matchTemplate(region - region.mean(), template, cv2.TM_CCOEFF_NORMED)
            place = np.unravel_index(np.argmax(np.nan_to_num(found, nan=-1.0, posinf=-1.0, neginf=-1.0)), found.shape)
            best[:, k] = left + place[1] + h, top + place[0] + h
        return best[0], best[1]

    def _learn(self, image: Array, good: Array, fit: Fit) -> None:
        """Add this frame to young references; renew those that no longer fit, if the user wants that."""
        t = self.t
        young = good[t["averaged"][good] < self.number("reference_frames")]
        if len(young):
            new = tiles_at(image, fit.x[young], fit.y[young], fit.theta[young], self.window)
            old = t["tile"][young]
            # Bring the frame's light to the reference's before averaging.
            deviation = new.std(axis=(1, 2), keepdims=True)
            gain = old.std(axis=(1, 2), keepdims=True) / np.where(deviation > 0, deviation, 1.0)
            new = (new - new.mean(axis=(1, 2), keepdims=True)) * gain + old.mean(axis=(1, 2), keepdims=True)
            t["averaged"][young] += 1
            t["tile"][young] = old + (new - old) / t["averaged"][young][:, None, None]
            self._prepare(young)
        if self.settings["update"] == "on_low_score":
            worn = good[fit.score[good] < self.number("update_score")]
            if len(worn):
                # Turned back by theta, so that the reference's axes stay those of the first frame.
                t["tile"][worn] = tiles_at(image, fit.x[worn], fit.y[worn], fit.theta[worn], self.window)
                t["drift"][worn] += fit.variance[worn]
                t["level"][worn] = 1.0
                self._prepare(worn)
