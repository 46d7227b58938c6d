"""How corners are followed from frame to frame: what is believed of their fits, and what their references need."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from pipelines.features import Reason
from pipelines.trackers.base import Array, Columns
from pipelines.trackers.kalman import correct
from pipelines.trackers.registration.batch.batch_tracking_loops import SINKING
from pipelines.trackers.registration.batch.batching import Batching
from pipelines.trackers.registration.occlusion.occlusion import fallen, unveil
from pipelines.trackers.registration.occlusion.occlusion_prediction import moved
from pipelines.trackers.registration.reference.birth import merged
from pipelines.trackers.registration.reference.corners import BACK, NEAR, PATIENCE, REACH, Corners
from pipelines.trackers.registration.search.search import Found, flow, pyramid, returned, search
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows.points import Points

WORSE = 0.15  # a correlation so much below the usual one is doubted
SETTLING = 0.1  # how fast the usual correlation follows
RECORD = np.dtype([("frame", "i8"), ("track", "i4"), ("score", "f4")])


class Following(Batching):
    """What a tracker of corners finds in a picture, and makes of it.

    corners: those that live, and t: their columns; points: those of the user; window, half: of a window, px; renewals:
    rows of RECORD; shown: as `template_search.Searching` has it; hidden: corners that follow what came before them
    (bool). anchor, affine, opencv: as the tracker is set.
    """

    corners: Corners
    t: Columns
    points: Points
    window: int
    half: int
    anchor: bool
    affine: bool
    opencv: bool
    renewals: Array
    shown: Array
    hidden: Array

    @property
    @abstractmethod
    def previous(self) -> Array:
        """The last picture."""

    def _follow(self, picture: Array, shown: Array) -> tuple[Array, Array]:
        """Find every corner in this frame and correct the filter; why each was lost (NONE if it was not), scores."""
        t, n = self.t, len(self.t)
        limit, low = self.number("max_fb"), self.number("min_score")
        # A fit needs a whole window: the start is moved inside the picture.
        x, y = (np.clip(t[a], self.half, size - 1 - self.half) for a, size in (("x", self.width), ("y", self.height)))
        fit = self.corners.fit(picture, x, y, REACH, np.zeros(0, np.int64) if self.opencv else np.arange(n))
        new, self.shown = t["level"] == 0.0, np.zeros(n)
        if self.anchor and not self.opencv:
            own = np.flatnonzero((fit.converged != 0) & (t["slot"] == t["first"]))
            unveil(picture, self.corners.anchors.references, t, own, fit, self.shown)
        # A fit is believed whose score is as usual, or of which occlusion handling explained what is missing.
        sure = (fit.converged != 0) & (fit.score >= np.maximum(low, np.where(new, 1.0, t["level"]) - WORSE))
        sure |= self.shown > 0
        error = np.zeros(n)
        ok, held, variance = sure.copy(), sure.copy(), np.zeros(n)
        # The others go from coarse to fine and back again (forward-backward error); what came back where it began is
        # taken.
        doubt = np.flatnonzero(~sure)
        if len(doubt):
            found = self._search(shown, doubt)
            # A new corner has no usual score yet: two searches that agree are enough.
            agreed = new[doubt] & found.there & (fit.converged[doubt] != 0) & (fit.score[doubt] >= low)
            agreed &= np.hypot(found.x - fit.x[doubt], found.y - fit.y[doubt]) < NEAR
            sure[doubt[agreed]] = ok[doubt[agreed]] = held[doubt[agreed]] = True
            found, doubt = found.only(~agreed), doubt[~agreed]
            ok[doubt], error[doubt], variance[doubt] = found.ok, found.error, found.variance
            fit.x[doubt], fit.y[doubt] = found.x, found.y
            # Anchored to their references, those are fitted once more from where the search ended, else places would
            # drift.
            again = doubt[found.ok & (found.error <= limit)]
            if self.anchor and len(again):
                second = self.corners.fit(picture, fit.x, fit.y, NEAR, again)
                held[again] = (second.converged[again] != 0) & (second.score[again] >= low)
                fit.score[again] = second.score[again]
                fit.take(second, again[held[again]])
        if self.settings["check"] == "always" and sure.any() and not self.opencv:
            rows = np.flatnonzero(sure)
            error[rows] = returned(self.previous, picture, t["px"][rows], t["py"][rows], fit.x[rows], fit.y[rows],
                                   self.window)  # fmt: skip
        reason = np.full(n, int(Reason.NONE), np.uint8)
        # In this order: later reasons replace earlier ones.
        if self.anchor:
            # What was seen to be covered goes on with what covers it, as something hidden.
            covered = (t["veiled"] > 0) & ok & (error <= limit)
            reason[~sure & ~(fit.score >= low) & ~covered] = Reason.LOW_SCORE
        reason[error > limit] = Reason.FORWARD_BACKWARD
        # Steps are per frame: after a gap they are divided by its length.
        speed = np.hypot(fit.x - t["px"], fit.y - t["py"]) / np.maximum(t["gap"], 1.0)
        reason[speed > self.number("max_speed")] = Reason.JUMP
        reason[~ok] = Reason.NO_TEXTURE
        # A quarter of a pixel beyond the edge is noise; more would be fitted to pixels that do not exist.
        margin = 1.0 if self.opencv and not self.anchor else self.half - 0.25
        away = ~self.inside(fit.x, fit.y, margin) | ~self.inside(t["x"], t["y"])
        reason[away | ((reason != Reason.NONE) & ~self.inside(t["x"], t["y"], self.half))] = Reason.LEFT_IMAGE
        if self.anchor:
            self._left(picture, reason, fit, held)
        # Two corners in one place are one.
        alive = np.flatnonzero(reason == Reason.NONE)
        joined = alive[merged(fit.x[alive], fit.y[alive], 0.25 * self.number("min_distance"))]
        reason[joined[t["track"][joined] >= len(self.points.given)]] = Reason.MERGED  # never two of the user's points
        good = np.flatnonzero(reason == Reason.NONE)
        level = t["level"][good]  # 0 until there is one
        self._believe(picture, good, fit, held, variance)
        if self.anchor:
            self._learn(picture, good, fit, held, level)
        elif not self.opencv:
            self.corners.renew(picture, good, keep=False)
        self.hidden = (t["veiled"] > 0) & (self.shown == 0)
        # A corner that was veiled and shows no cover now follows the cover, unless its first reference fits about as
        # usual.
        self.hidden &= (t["slot"] != t["first"]) | (fit.score < t["level"] - BACK)
        t["px"][good], t["py"][good], t["gap"][good] = t["x"][good], t["y"][good], 0.0
        t["pvar"][good] = t["p00"][good]
        plain = np.clip(1.0 - error / limit, 0.0, 1.0)
        return reason, plain if self.opencv and not self.anchor else np.clip(fit.score, 0.0, 1.0)

    def _left(self, picture: Array, reason: Array, fit: Fit, held: Array) -> None:
        """Look for corners whose renewed reference is lost where the first one was left, in place: what covered one and
        is gone at once leaves it there."""
        t = self.t
        lost = (reason == Reason.LOW_SCORE) | (reason == Reason.FORWARD_BACKWARD) | (reason == Reason.NO_TEXTURE)
        rows = np.flatnonzero(lost & (t["slot"] != t["first"]))
        if len(rows):
            back, fits = self.corners.recover(picture, rows, t["first_level"][rows] - BACK, np.inf)
            fit.take(fits, back)
            reason[back], held[back] = Reason.NONE, True

    def _believe(self, picture: Array, good: Array, fit: Fit, held: Array, step: Array) -> None:
        """Take the places of the corners `good` and their variances; `step`: of one step from the frame before."""
        t, held, both = self.t, held[good], np.zeros(len(good))
        if not held.all():
            both[~held] = self.corners.noise(good[~held], fit)
        both[held] = self.corners.partly(picture, good[held], fit, self.shown)[0]
        # Not by a reference: this frame's place rests on one more step from the frame before.
        t["drift"][good] += np.where(held, 0.0, np.where(step[good] > 0, step[good], both))
        total = np.where(held, both, 0.0) + t["drift"][good]
        if not self.anchor:
            t["drift"][good] = total
        x, y = fit.x[good], fit.y[good]
        moved(t, good, x, y)
        correct(t, good, x, y, total)
        t["x"][good], t["y"][good], t["p00"][good] = x, y, total
        level = t["level"][good]  # 0 until there is one
        # A usual score rises faster than it sinks, so as not to sink with something that creeps over the window.
        rate = np.where(fit.score[good] >= level, SETTLING, SETTLING * SINKING)
        learns = np.where(level > 0, rate, 1.0) * (t["veiled"][good] == 0)
        t["level"][good] += learns * (np.maximum(fit.score[good], 0.0) - level)
        if self.affine:
            self.corners.settle(good, fit)

    def _learn(self, picture: Array, good: Array, fit: Fit, held: Array, level: Array) -> None:
        """What the references of the corners `good`, of usual scores `level`, need: another frame, to be renewed, or
        the first one back."""
        t, corners, held = self.t, self.corners, held[good]
        score, enough = fit.score[good], self.number("renew_score")
        strange, alike = ~held, np.where(held, 1.0, 0.0)
        # Whole windows that look worse may be seeing something else: structure is told from noise by how its pixels go
        # together.
        whole = self.shown[good] == 0
        fell = fallen(score, level) & (level > 0)
        weak = np.flatnonzero(held & whole & ((score < enough) | fell | (t["veiled"][good] > 0)))
        if len(weak):
            rows = good[weak]
            alike[weak] = corners.structured(picture, rows, t["x"][rows], t["y"][rows], score[weak])
            strange[weak] = alike[weak] < enough
        other = np.union1d(np.flatnonzero(strange), weak)
        t["p00"][good[other]] += corners.misled(good[other], alike[other])
        t["strange"][good] = np.where(strange, t["strange"][good] + 1, 0)
        worst = score < 0.5 * (self.number("min_score") + enough)
        # A strange window is given a new reference when it was not held by the old one, when it looks bad, or when it
        # has been strange for PATIENCE frames.
        worn = good[strange & (~held | worst | (t["strange"][good] >= PATIENCE))]
        if len(worn):
            record = np.zeros(len(worn), RECORD)
            record["frame"], record["track"], record["score"] = self.clock.index, t["track"][worn], fit.score[worn]
            self.renewals = np.concatenate((self.renewals, record))
            t["drift"][worn] = t["p00"][worn]
            corners.renew(picture, worn, keep=True)
        later = good[t["slot"][good] != t["first"][good]]
        if len(later):
            later = later[~np.isin(later, worn)]
            corners.recover(picture, later, fit.score[later], enough)
        corners.learn(picture, good[held & ~strange & (t["veiled"][good] == 0)], int(self.number("reference_frames")))

    def _search(self, shown: Array, rows: Array) -> Found:
        """Follow the corners `rows` from the frame before, forward and backward."""
        t, levels = self.t, int(self.number("levels"))
        given = (t["px"][rows], t["py"][rows], t["x"][rows], t["y"][rows], self.window)
        if self.opencv:
            return flow(self.previous, shown, *given, levels)
        return search(pyramid(self.previous, levels, self.window), pyramid(shown, levels, self.window), *given)
