"""How templates are looked for in a frame: at their prediction, around it, over the whole picture; with what model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np

from pipelines.features import Reason, Tracks
from pipelines.trackers.base import Array, Columns, cleaned
from pipelines.trackers.lying_images import LyingImage
from pipelines.trackers.registration.batch.batching import Batching
from pipelines.trackers.registration.batch.warp_models import Warps
from pipelines.trackers.registration.noise.aperture import TURNS
from pipelines.trackers.registration.noise.ellipse_loops import STRIPES
from pipelines.trackers.registration.occlusion.occlusion import LITTLE, covering, unveil
from pipelines.trackers.registration.reference.corners import BACK, REACH, Corners
from pipelines.trackers.registration.search.integer_search_zncc import elsewhere, in_range, whole_picture
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows.plane_maps import inverse, product

WORSE = 0.15  # a score so much below the usual one is not believed before the whole range was searched
AGAIN = 5  # frames unseen after which the whole picture is looked through, and again after as many more at least
BEYOND = 1.0  # share of half a window that may lie beyond the edge of the picture: its centre lies within
PIXELS = 2**15  # of pictures that are looked through in a frame, on average: for one window, in turns
UNLIKE, ALIKE = 1, 2
ROUNDS = 3  # fits of stripes that slide, each where the last one came to lie on their own axis: a wire that swings by 9
# px and turns by 0.12 rad a frame is off by 0.13, 0.014, 0.004, 0.003 px after none to three, and no less after more
STEEP = 0.03  # the square of the cosine from the stripes' normal to that axis, at least: errors become 6 times as large
CHANGE = np.dtype([("frame", "i8"), ("track", "i4"), ("parameters", "i4"), ("score", "f8")])


class Searching(Batching):
    """What a tracker of templates finds in a picture.

    patches: its windows, and t: their columns, with `missed`, frames in which each was not seen, and `known`, whether
    something else in the picture looks like it (ALIKE, UNLIKE; 0 until that was asked); warps: the same, where each
    window has its own model; half: of a window, px; age: frames since the first one; changes: rows of CHANGE;
    shown: variances (px^2) of the places by what covers leave of windows in this frame, 0 where there is none.
    """

    patches: Corners
    warps: Warps | None
    t: Columns
    half: int
    age: int
    changes: Array
    shown: Array

    def _find(self, picture: Array) -> tuple[Fit, Array, Array]:
        """Look for every window: the fits; why one was not seen (Reason.NONE where it was); those found far away."""
        t, low, patches = self.t, self.number("min_score"), self.patches
        every = np.arange(len(t))
        x, y = self._clamp(t["x"], t["y"], self.half * (1.0 - BEYOND))
        # The cheap way for all; only what did not converge, or looks worse than usual, is looked for in the whole range
        # below.
        fit = patches.fit(picture, x, y, REACH, every)
        away = t["missed"] > 0
        # A window that was away has to look as it did when it was lost; one that was there may look worse.
        usual = np.maximum(low, np.where(t["level"] > 0, t["level"], 1.0) - np.where(away, BACK, WORSE))
        self.shown = np.zeros(len(t))
        self._unveil(picture, np.flatnonzero(~away & (fit.converged != 0)), fit)
        covered = self.shown > 0
        veiled = t["veiled"] > 0
        usual = np.where(veiled, t["level"] - BACK, usual)
        if self.warps is not None:
            self._bend(picture, x, y, fit, usual)
        sought = again = np.flatnonzero(~((fit.converged != 0) & (fit.score >= usual)) & ~covered)
        # Both are clamped to where whole windows are inside. Where the two are the same pixel the second search would
        # repeat the first.
        near, ends = self._clamp(t["x"], t["y"], self.half), self._clamp(t["px"], t["py"], self.half)
        apart = (np.rint(near[0]) != np.rint(ends[0])) | (np.rint(near[1]) != np.rint(ends[1]))
        for px, py in (near, ends):  # around its prediction; around where it was hidden
            rows = again if px is near[0] else again[apart[again]]
            if len(rows):
                bx, by = np.empty(len(rows)), np.empty(len(rows))
                for k in self._alike(rows):
                    bx[k], by[k] = in_range(picture, patches.anchors.references, t["slot"][rows[k]], px[rows[k]],
                                            py[rows[k]], int(self.number("search")))  # fmt: skip
                self._better(picture, rows, bx, by, fit, usual[rows])
            again = again[away[again] & ((fit.converged[again] == 0) | (fit.score[again] < usual[again]))]
        # What comes back looks as it did when it went: something else is in its place meanwhile.
        fit.converged[again] = 0
        fit.converged[veiled & ~covered & (fit.score < usual)] = 0
        back = away & ~covered
        back[sought] = True
        self._unveil(picture, np.flatnonzero(back & (fit.converged != 0)), fit)
        self._along(picture, fit)
        # Where the predicted window leaves the picture, it was looked for at the edge. A quarter of a pixel beyond the
        # edge is noise; more would be fitted to pixels that do not exist.
        beyond = np.hypot(x - t["x"], y - t["y"])
        found = fit.converged != 0
        # What left the picture comes back where it went: one that looks as it did when it went is it.
        far = (beyond > self.number("search")) & ~(found & (t["missed"] > 0) & (fit.score >= usual))
        away = far | ((beyond > 0) & ~(found & (fit.score >= low)))
        anew = self._anywhere(picture, fit, low)
        reason = np.full(len(t), int(Reason.NONE), np.uint8)
        # In this order: later reasons replace earlier ones.
        variance = np.where(self.shown > 0, self.shown, patches.noise(every, fit))
        reason[variance > 1.0] = Reason.NO_TEXTURE
        reason[(fit.converged == 0) | (fit.score < low)] = Reason.LOW_SCORE
        speed = np.hypot(fit.x - t["px"], fit.y - t["py"]) / np.maximum(t["gap"], 1.0)
        reason[(reason == Reason.NONE) & (speed > self.number("max_speed"))] = Reason.JUMP
        away[anew] = False
        reason[away | ~self.inside(fit.x, fit.y, self.half * (1.0 - BEYOND))] = Reason.LEFT_IMAGE
        return fit, reason, anew

    def _striped(self) -> tuple[Array, Array]:
        """The windows of stripes, and what their directions, as they are turned now, project on, (n, 2, 2)."""
        refs, slots = self.patches.anchors.references, self.t["slot"]
        striped = np.flatnonzero(refs.textured[slots] == STRIPES)
        turned = self.t["bend"][striped]  # a rotation
        return striped, product(product(turned, refs.across(slots[striped])), np.swapaxes(turned, 1, 2))

    def _slide(self, rows: Array, across: Array, x: Array, y: Array) -> Array:
        """Move places of windows of stripes along their stripes, to where they were last time in the axis that they do
        not move along; those of `rows` that do. Where the stripes lie along the axis nothing tells how far.

        Args:
            rows, across: of `_striped`.
            x, y: places of all windows, px, which are changed.
        """
        axis = "xy".find(str(self.settings["stripes"]))
        if axis < 0:
            return np.zeros(0, np.int64)
        # Where the stripes are almost along the axis, moving along it says nothing of how far.
        steep = across[:, axis, axis] >= STEEP
        rows, across = rows[steep], across[steep]
        moving, still, last = (x, y, self.t["py"]) if axis == 0 else (y, x, self.t["px"])
        # The line along the stripe through (moving, still) meets still = last here.
        moving[rows] -= (last[rows] - still[rows]) * across[:, 0, 1] / across[:, axis, axis]
        still[rows] = last[rows]
        return rows

    def _beside(self) -> tuple[Array, Array]:
        """Points beside the middles of their windows, px: turned with them; of stripes that move along x or y alone, on
        the line on which they do, where the stripe that went through them at first crosses it."""
        ox, oy = self.patches.offset()
        axis, (rows, now), t = "xy".find(str(self.settings["stripes"])), self._striped(), self.t
        if axis < 0 or not len(rows):
            return ox, oy
        back = inverse(product(t["bend"][rows], t["base"][rows]))
        then = product(product(back, now), np.swapaxes(back, 1, 2))
        kept = (now[:, axis, axis] >= STEEP) & (then[:, axis, axis] >= STEEP)
        rows, now, then = rows[kept], now[kept], then[kept]
        along, still, a, b = (ox, oy, "ox", "oy") if axis == 0 else (oy, ox, "oy", "ox")
        turned = then[:, 0, 1] / then[:, axis, axis] - now[:, 0, 1] / now[:, axis, axis]  # of the slopes
        along[rows], still[rows] = t[a][rows] + t[b][rows] * turned, t[b][rows]
        return ox, oy

    def _turn_stripes(self, first: int) -> None:
        """Let the windows of stripes from this one on turn, too, where it is known along which axis they move."""
        striped, _ = self._striped()
        new = striped[striped >= first]
        if self.warps is not None and self.settings["stripes"] != "across" and len(new):
            self.warps.become(new, np.full(len(new), TURNS))

    def _along(self, picture: Array, fit: Fit) -> None:
        """Of stripes that move along x or y alone: where they cross the line on which the point moves. Each fit tells
        it for stripes that lie as in the reference, the next one, which begins there, hardly hangs on that."""
        striped, across = self._striped()
        seen = fit.converged[striped] != 0
        striped, across = striped[seen], across[seen]
        for _ in range(ROUNDS if len(striped) else 0):
            # The next fit begins where the one before crossed the line.
            x, y = fit.x.copy(), fit.y.copy()
            rows = self._slide(striped, across, x, y)
            if not len(rows):
                return
            second = self.patches.fit(picture, x, y, REACH, rows)
            fit.take(second, rows[(second.converged[rows] != 0) & (second.score[rows] >= fit.score[rows] - WORSE)])
        self._slide(striped, across, fit.x, fit.y)

    def _stated_along(self, rows: Tracks) -> None:
        """Of stripes that move along x or y alone, only that is uncertain."""
        striped, across = self._striped()
        kept = self.t["gap"][striped] == 0
        striped, across = striped[kept], across[kept]
        axis = "xy".find(str(self.settings["stripes"]))
        steep = (across[:, axis, axis] >= STEEP) & (axis >= 0)
        for k, share in zip(striped[steep].tolist(), across[steep, axis, axis].tolist(), strict=True):
            variance = self.t["p00"][k]
            rows["sigma"][k] = np.sqrt(0.5 * variance / share)
            rows["anisotropy"][k] = (1.0 - 2.0 * axis) * (variance > 0)
            rows["correlation"][k] = 0.0

    def _unveil(self, picture: Array, rows: Array, fit: Fit) -> None:
        """Look for what has come before windows, and take their places by what is left (`occlusion.unveil`)."""
        for k in self._alike(rows) if len(rows) else ():
            unveil(picture, self.patches.anchors.references, self.t, rows[k], fit, self.shown)

    def _better(self, picture: Array, rows: Array, x: Array, y: Array, fit: Fit, least: Array) -> Array:
        """Fit some windows from other starts; those of `rows` that fit better so, with `least` at least, which `fit`
        takes: what goes on where it went may look changed, what is found elsewhere may be anything else."""
        starts = self.t["x"].copy(), self.t["y"].copy()
        starts[0][rows], starts[1][rows] = x, y
        second = self.patches.fit(picture, *starts, REACH, rows)
        closer = (fit.converged[rows] == 0) | (second.score[rows] > fit.score[rows])
        better: Array = rows[(second.converged[rows] != 0) & closer & (second.score[rows] >= least)]
        fit.take(second, better)
        return better

    def _anywhere(self, picture: Array, fit: Fit, low: float) -> Array:
        """Look through the whole picture for a window that was not found for some frames; those found, in `fit`.

        What looked like one when it was hidden is not it, and would be found instead: such a window comes back only
        near where it was or goes.
        """
        t = self.t
        lost = (fit.converged == 0) | (fit.score < low)
        # A whole picture is looked through for one window in every so many frames, so that the mean cost of a frame
        # does not depend on the picture's size.
        every = -(-picture.size // PIXELS)
        new = np.flatnonzero(lost & (t["known"] == 0))[: self.age % every == 0]
        for k in self._alike(new):
            rows = new[k]
            best = elsewhere(picture, self.patches.anchors.references, t["slot"][rows], t["px"][rows], t["py"][rows])
            t["known"][rows] = np.where(best >= np.maximum(low, t["level"][rows] - WORSE), ALIKE, UNLIKE)
        rows = np.flatnonzero(lost & (t["known"] == UNLIKE) & (t["missed"] >= AGAIN - 1))
        # Of k lost windows each is looked for once in every * max(k, AGAIN) frames, one after the other.
        waited = t["missed"][rows] - (AGAIN - 1) - every * np.arange(len(rows))
        rows = rows[waited % (every * max(len(rows), AGAIN)) == 0]
        if len(new) or not len(rows):
            return np.zeros(0, np.int64)
        rows = rows[self.age % len(rows) :][:1]
        x, y, found = np.empty(len(rows)), np.empty(len(rows)), np.empty(len(rows))
        for k in self._alike(rows):
            x[k], y[k], found[k] = whole_picture(picture, self.patches.anchors.references, t["slot"][rows[k]])
        least = np.maximum(low, t["level"][rows] - WORSE)
        rows, x, y = rows[found >= least], x[found >= least], y[found >= least]
        if len(rows):
            rows = self._better(picture, rows, x, y, fit, t["level"][rows] - BACK)
        like = fit.score[rows] >= t["level"][rows] - BACK  # between the pixels, where it correlates best
        fit.converged[rows[~like]] = 0
        made: Array = rows[like]
        return made

    def _alike(self, which: Array) -> Iterator[Array]:
        """Places in `which` of the windows of one model after the other, while `patches` works with that one."""
        if self.warps is not None:
            yield from self.warps.groups(which)
        else:
            yield np.arange(len(which))

    def _bend(self, picture: Array, x: Array, y: Array, fit: Fit, usual: Array) -> None:
        """Fit windows whose scores fell with more parameters, if they need them and look as usual then."""
        t, warps = self.t, cast(Warps, self.patches)
        most = int(self.number("reference_frames"))
        rows, found = warps.doubted(fit.score, most, self.age), fit.converged != 0
        if not len(rows):
            return
        sx, sy = np.where(found, fit.x, x), np.where(found, fit.y, y)
        needed = t["warp"].copy()
        needed[rows] = warps.bending(picture, rows, sx[rows], sy[rows])[0]
        if (needed > t["warp"]).any():  # what they are of turns: likely others, too
            rows = np.setdiff1d(warps.beginners(most), rows)
            needed[rows] = warps.bending(picture, rows, sx[rows], sy[rows])[0]
        which = self._bare(picture, np.flatnonzero(needed > t["warp"]), sx, sy)
        if not len(which):
            return
        # Tried with more parameters; the model is put back where that does not help.
        before = t["warp"][which].copy(), t["drawn"][which].copy()
        warps.become(which, needed[which])
        second = warps.fit(picture, sx, sy, REACH, which)
        good = (second.converged[which] != 0) & (second.score[which] >= np.maximum(usual[which], fit.score[which]))
        good &= (np.abs(second.x - x)[which] <= REACH) & (np.abs(second.y - y)[which] <= REACH)
        fit.take(second, which[good])
        t["warp"][which[~good]], t["drawn"][which[~good]] = before[0][~good], before[1][~good]
        self._record(which[good], second.score[which[good]])

    def _test(self, picture: Array | LyingImage, needs: Array | None = None) -> bool:
        """Ask now and then whether windows need more parameters from the next frame on, and whether one does. `needs`:
        as for `_after`."""
        t, warps = self.t, cast(Warps, self.patches)
        rows = warps.due(self.age, int(self.number("reference_frames")))
        if not len(rows):
            return False
        if needs is None:
            picture = cleaned(np.asarray(picture))
            needed, t["misfit"][rows] = warps.bending(picture, rows, t["x"][rows], t["y"][rows])
        else:
            needed, t["misfit"][rows] = needs[rows, 0].astype(np.int64), needs[rows, 1]
        more = needed > t["warp"][rows]
        if not more.any():
            return False
        more[more] = np.isin(rows[more], self._bare(cleaned(np.asarray(picture)), rows[more], t["x"], t["y"]))
        if more.any():
            warps.become(rows[more], needed[more])
            self._record(rows[more], t["level"][rows[more]])
        return bool(more.any())

    def _bare(self, picture: Array, which: Array, x: Array, y: Array) -> Array:
        """Those of `which` before which nothing has come: a cover's edge bends what is fitted."""
        t, made = self.t, np.ones(len(which), bool)
        for k in self._alike(which) if len(which) else ():
            own, refs = which[k], self.patches.anchors.references
            usual = np.where(t["level"][own] > 0, t["level"][own], 1.0)
            made[k] = ~covering(picture, refs, t["slot"][own], x[own], y[own], usual, LITTLE).covered
        bare: Array = which[made]
        return bare

    def _record(self, which: Array, score: Array) -> None:
        record = np.zeros(len(which), CHANGE)
        record["frame"], record["track"] = self.clock.index, self.t["track"][which]
        record["parameters"], record["score"] = self.t["warp"][which], score
        self.changes = np.concatenate((self.changes, record))
        cast(Warps, self.patches).forget(which)

    def _clamp(self, x: Array, y: Array, h: float) -> tuple[Array, Array]:
        """The nearest places that lie `h` px inside the picture: half a window's side for whole windows."""
        return np.clip(x, h, self.width - 1 - h), np.clip(y, h, self.height - 1 - h)
