"""Templates: windows around given (or well textured) points, followed to a few thousandths of a pixel.

Digital image correlation: each frame a window is looked for at its predicted place by Gauss-Newton on the
zero-normalised squared difference (`pipelines.trackers.registration.warp.fit`), shifted, turned or deformed, as far as
each needs it (`pipelines.trackers.registration.batch.warp_models`); where that fails, by the normalised
cross-correlation over the search range and then by Gauss-Newton; where that fails for several frames, over the whole
picture. Every frame is compared with the mean of the first frames, never with the frame before, so that nothing drifts.
Of stripes the motion across them is measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from kernels.errors import DefinitionError
from kernels.param import Param, Value
from pipelines.features import TRACK_DTYPE, Reason, State, Tracks
from pipelines.trackers.base import Array, Snapshot, TrackerInput, cleaned, coasting, tracker
from pipelines.trackers.kalman import correct, predict
from pipelines.trackers.lying_images import LyingImage
from pipelines.trackers.registration.batch.batch_tracking import Expectations, Steady
from pipelines.trackers.registration.batch.batch_tracking_loops import SINKING
from pipelines.trackers.registration.batch.following_loops import SIGHTING, TURNED
from pipelines.trackers.registration.batch.leaving import Left
from pipelines.trackers.registration.batch.template_search import CHANGE, WORSE, Searching
from pipelines.trackers.registration.batch.warp_models import Warps
from pipelines.trackers.registration.occlusion.occlusion import fallen
from pipelines.trackers.registration.occlusion.occlusion_prediction import coast, moved, strayed
from pipelines.trackers.registration.reference.centres import WINDOWS_DTYPE
from pipelines.trackers.registration.reference.corners import REACH, SAME, Corners, Model
from pipelines.trackers.registration.reference.reference_subset import LARGEST
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows.device_windows import waited
from pipelines.trackers.registration.windows.native import compiled
from pipelines.trackers.registration.windows.plane_maps import applied
from pipelines.trackers.registration.windows.points import Points
from pipelines.trackers.registration.windows.windows import ready

SETTLING = 0.1  # how fast the usual score follows
AHEAD = 1024  # windows at most that there is memory for before they begin


@tracker
class TemplateTracker(Searching):
    """Follows windows of pixels; see the module's text for the method.

    The score is the zero-normalised cross-correlation with the reference, of what is left of a window where something
    has come before a part of it (`pipelines.trackers.registration.occlusion.occlusion`). x, y are the place where the
    given point of the reference is now (measured, not smoothed); in the first frame they are the point itself, with
    sigma 0 by definition. sigma is the standard uncertainty of x and of y, from the normal matrix and from the noise
    that the fit leaves, of the frame and of the point's first one; with correlation it is an ellipse
    (`registration.noise.ellipse_loops`), along stripes, where nothing is measured, as long as the window. vx, vy come
    from a constant-velocity Kalman filter.

    A point [x, y, frame] has its reference in that frame (or in the next one that can be read) and is followed from
    there on; one whose frame lies before the first frame that is processed is lost at once: its place is unknown
    by then. Tracks of given points are numbered as the points are.
    """

    name = "template"
    summary = "follows windows of texture by correlation and a sub-pixel fit (digital image correlation)"
    seconds = 7.5e-4  # 50 points of 21 x 21 px
    inputs = (TrackerInput("image", "image", "grey picture of any number type"),)
    params = (
        Param("points", "points", (), "centres [[x, y], ...] in the first frame, [x, y, frame] in a later one; none: "
              "the best textured ones", "px"),
        Param("max_points", "int", 50, "how many points are chosen when none are given", "", low=1, high=10000),
        Param("window", "int", 21, "side of the window, odd", "px", low=5, high=401, odd=True),
        Param("search", "int", 8, "how far from its prediction a window is looked for", "px", low=1, high=500),
        Param("model", "choice", "auto", "how a window may move (rigid: shift and rotation; affine: stretch and shear, "
              "too; auto: each as little as it does)", choices=("auto", "translation", "rigid", "affine")),
        Param("stripes", "choice", "across", "how a window of stripes alone moves, in which motion along them cannot "
              "be seen: straight across them, or along x or y alone", choices=("across", "x", "y")),
        Param("min_score", "float", 0.6, "smallest correlation that counts as seen", "1", low=0.0, high=1.0),
        Param("reference_frames", "int", 16, "frames averaged (motion-compensated) in the reference", "frames", 1,
              1000),
        Param("update", "choice", "never", "whether the reference is renewed when the score falls; renewing drifts",
              choices=("never", "on_low_score")),
        Param("update_score", "float", 0.8, "correlation below which the reference is renewed", "1", 0.0, 1.0),
        Param("max_missed", "int", 400, "frames without being seen before a track ends", "frames", 0, 100000),
        Param("max_speed", "float", 1e4, "a faster motion is a jump, not a match", "px/frame", low=0.1, high=1e4),
        Param("acceleration", "float", 1.0, "typical change of velocity in a frame", "px/frame^2", low=1e-4, high=1e3),
        Param("precision", "float", 0.0, "standard uncertainty that is needed: before a run, points whose texture and "
              "light cannot give it are named; 0: any", "px", low=0.0, high=100.0),
    )  # fmt: skip

    def __init__(self, params: Mapping[str, Value], shape: tuple[int, int], fps: float | None) -> None:
        super().__init__(params, shape, fps)
        self.window = int(self.number("window"))
        self.points = Points(self.name, self.settings["points"], self.window, shape, int(self.number("max_points")))
        self.half = self.window // 2
        count = len(self.points.given) or int(self.number("max_points"))
        model = cast(str, self.settings["model"])
        self.warps = None
        if model == "auto":
            self.patches = Warps(self.window, stripes=True, more={"missed": "i4", "known": "i4"})
            self.warps = self.patches
            if count * self.warps.numbers > LARGEST:  # so many windows, or so large ones, only move
                model, self.warps = "translation", None
        if self.warps is None:
            self.patches = Corners(self.window, cast(Model, model), stripes=True, more={"missed": "i4", "known": "i4"})
        self.t, self.age = self.patches.t, 0
        self.changes = np.zeros(0, CHANGE)
        self.left = Left({"windows": WINDOWS_DTYPE})
        room = LARGEST // self.patches.anchors.numbers
        if count > room:
            raise DefinitionError(
                f"template: so many windows of {self.window} px take too much memory; take at most {room} points, a "
                "smaller window, or a model with fewer parameters"
            )
        self.started = False
        self._steady: Steady | None = None
        # Memory that is there already: else the frame in which points begin waits for it.
        self.t.reserve(min(count, AHEAD))
        self.patches.anchors.reserve(min(count, AHEAD))

    def update(self, index: int, time: float, inputs: Mapping[str, Array]) -> Tracks:
        picture = ready(self.image(inputs))
        step = self.clock.advance(index, time)
        self.points.passes(index)
        self.age += 1
        self.patches.age = self.age
        rows = self._follow(picture, step) if len(self.t) else np.zeros(0, TRACK_DTYPE)
        if not self.started or len(self.points.due(index)):
            rows = np.concatenate((rows, self._begin(picture, index)))
        return self._rising(rows)

    def add(self, index: int, picture: Array, places: Array) -> tuple[Array, Tracks]:
        """Follow more points from the frame on that was given last.

        Args:
            index: of that frame.
            picture: of that frame, as `update` got it.
            places: x, y (n, 2), px; windows around them lie in the picture.

        Returns:
            Their track ids, and rows of that frame, in which those without texture are lost.
        """
        self.points.passes(index)
        self.age += self.age == 0
        numbers = self.points.add(places, index)
        return numbers, self._begin(ready(cleaned(picture)), index)

    def drop(self, tracks: Array) -> None:
        """Follow these no longer."""
        self.t.keep(~np.isin(self.t["track"], tracks))

    def _steadily(
        self, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]]
    ) -> list[Tracks]:
        """The rows of the first frames in which every window goes on as it did, up to one in which points begin."""
        t, count, refs = self.t, len(indices), self.patches.anchors.references
        calm = len(t) > 0 and compiled() and self.settings["update"] == "never"
        hidden = t["missed"].any() or t["veiled"].any()
        # Stripes, hidden windows and references that follow the picture need the general code.
        if not (calm and self.started) or hidden or (refs.textured[t["slot"]] != 1).any():
            return []
        # The frame in which points begin belongs to the run, as they begin behind its rows.
        begins = next((k for k, index in enumerate(indices) if len(self.points.due(index))), count)
        whole = min(begins + 1, count)
        lying = self._lying(inputs[:whole], self.patches)
        picture: Array | LyingImage = ready(self.image(inputs[0], scanned=False)) if lying is None else lying[0]
        steady = self._steady
        if steady is None or not steady.fits(picture):
            steady = self._steady = Steady(self.patches, picture, Expectations(
                REACH, self.number("min_score"), WORSE, SETTLING, self.number("max_speed"), self.number("acceleration"),
                bending=self.warps is not None))  # fmt: skip
        if steady.alike:
            part = slice(whole)
            kept, clocks, turns, last = self._passed(steady, indices[part], times[part], inputs[part], lying)
            if turns:
                self._test(last)
        elif lying is not None:
            kept, clocks, _ = self._recalled(steady, indices[:whole], times[:whole], lying)
        else:
            kept, clocks, _ = self._one_by_one(steady, indices[:whole], times[:whole], inputs[:whole])
        if not len(kept):
            return []
        made = list(steady.rows(kept, clocks, steady.every))
        # Points begin in the last frame of the run, by its picture.
        if len(kept) > begins:
            new = self._begin(ready(self.image(inputs[begins])), clocks[-1][0])
            made[-1] = np.concatenate((made[-1], new))
        return [self._rising(one) for one in made]

    def _after(self, picture: Array | LyingImage, needs: Array | None = None) -> bool:
        return self.warps is not None and self._test(picture, needs)

    @classmethod
    def measures(cls, params: Mapping[str, Value]) -> tuple[str, ...]:
        return {"translation": (), "rigid": ("rotation",)}.get(cast(str, params["model"]), ("rotation", "scale"))

    @classmethod
    def looks_there(cls, params: Mapping[str, Value]) -> frozenset[str]:
        return frozenset(("image",) if params["update"] == "never" else ())

    @classmethod
    def seconds_there(cls, params: Mapping[str, Value]) -> float:
        # Of 50 points on a core of 3 GHz; fits take three steps mostly.
        return 1.2e-5 + waited(cast(int, params["window"]), cast(int, params["max_points"]), 3)

    @classmethod
    def sent(cls, params: Mapping[str, Value]) -> float:
        given = cast(Sequence[object], params["points"])
        each = SIGHTING if params["model"] in ("auto", "translation") else TURNED  # most need no more
        return 8.0 * each * (len(given) or cast(int, params["max_points"]))

    def stripes(self) -> dict[int, tuple[float, float]]:
        return self.patches.stripes()

    def expected(self) -> dict[int, float]:
        """The uncertainty that each track can be expected to have, px: what its fits show, or, before there is one,
        what the noise and the slopes of its first frame do."""
        sigma = self.patches.expected()
        return dict(zip(self.t["track"].tolist(), sigma.tolist(), strict=True))

    def skip(self, index: int, time: float) -> Tracks:
        self._predict(self.clock.advance(index, time), blind=True)
        self.points.passes(index)
        self._leave(~self.inside(self.t["x"], self.t["y"]))
        ox, oy = self._beside()
        spread = self._strayed()
        rows = coasting(self, self.t)
        rows["sigma"] = np.sqrt(spread)
        rows["x"] += ox
        rows["y"] += oy
        return self._rising(rows)

    def snapshot(self) -> Snapshot:
        scalars = {"next_track": np.array(self.next_track), "started": np.array(self.started),
                   "age": np.array(self.age), "changes": self.changes.view(np.uint8).copy()}  # fmt: skip
        kept = self.patches.snapshot() | self.points.snapshot() | self.left.snapshot()
        return self.clock.snapshot() | kept | scalars

    def restore(self, state: Mapping[str, Array]) -> None:
        self.clock.restore(state)
        self.patches.restore(state)
        self.next_track, self.started = int(state["next_track"]), bool(state["started"])
        self.points.restore(state, self.started)
        self.left.restore(state)
        # Older snapshots know of neither.
        self.age = int(state.get("age", np.array(0)))
        self.changes = state.get("changes", np.zeros(0, np.uint8)).copy().view(CHANGE)

    def tables(self) -> dict[str, Array]:
        """`warps`: a row (frame, track, parameters, score) for each window that is fitted with more after a
        frame. `windows`: rows of WINDOWS_DTYPE."""
        windows = self.patches.windows(np.ones(len(self.t), bool))
        return {"warps": self.changes.copy()} | self.left.beside({"windows": windows})

    def _leave(self, dead: Array) -> None:
        if dead.any():
            self.left.add({"windows": self.patches.windows(dead)})

    def _rising(self, rows: Tracks) -> Tracks:
        """By rising id, also where a point with a smaller one began later."""
        return rows[np.argsort(rows["track"], kind="stable")] if self.points.late else rows

    def _begin(self, picture: Array, index: int) -> Tracks:
        """New tracks: the user's points that are due, or chosen ones in the first frame that has any."""
        which, points, late = self.points.beginning(index, picture, int(self.number("search")))
        self.started |= len(self.points.begins) > 0 or len(points) > 0  # without points it is tried again next frame
        if not len(points):
            return np.zeros(0, TRACK_DTYPE)
        n, before, t = len(points), len(self.t), self.t
        if len(self.points.begins):
            self.next_track = len(self.points.begins)
        t.reserve(len(self.points.given))
        self.patches.anchors.reserve(len(self.points.given))
        # A reference is cut on whole pixels; the point keeps its offset from there.
        centre = np.rint(points)
        x, y = centre[:, 0].copy(), centre[:, 1].copy()
        slots = self.patches.slots(n)
        self.patches.anchors.take(picture, slots, x, y)
        t.append(
            n, track=which if len(self.points.begins) else self.new_ids(n), x=x, y=y, px=x, py=y,
            ox=points[:, 0] - x, oy=points[:, 1] - y, p11=(0.5 * self.number("search")) ** 2, slot=slots, first=slots,
            averaged=1, first_averaged=1, counted=1, bend=SAME, drawn=SAME, turn=SAME, base=SAME,
        )  # fmt: skip
        if self.warps is not None:
            t["warp"][before:] = 2
            self._turn_stripes(before)
        good = np.ones(before + n, bool)
        good[before:] = (self.patches.anchors.references.textured[slots] != 0) & ~late
        reason = np.where(good, int(Reason.NONE), int(Reason.NO_TEXTURE))
        reason[before:][late] = int(Reason.NOT_DETECTED)
        # Lost rows are reported once, then dropped.
        rows = self._report(np.where(good, int(State.TRACKED), int(State.LOST)), reason, good * 1.0)[before:]
        t.keep(good)
        return rows

    def _follow(self, picture: Array, step: float) -> Tracks:
        """The tracks that there are, one frame on."""
        self._predict(step)
        t = self.t
        fit, reason, anew = self._find(picture)
        seen = reason == Reason.NONE
        # `gap` equal to the step: seen in the frame before, so that this is the first one without.
        good, lost = np.flatnonzero(seen), np.flatnonzero(~seen & (t["gap"] == step))
        coast(t, lost, step)
        self._believe(picture, good, fit, anew)
        t["missed"][:] = np.where(seen, 0, t["missed"] + 1)
        t["known"][seen] = 0
        self.patches.learn(picture, good[self.t["veiled"][good] == 0], int(self.number("reference_frames")))
        if self.settings["update"] == "on_low_score":
            # Places by a renewed reference carry the error of the place at which it was taken.
            worn = good[fit.score[good] < self.number("update_score")]
            if len(worn):
                t["drift"][worn] += t["p00"][worn]
                self.patches.renew(picture, worn, keep=False)
                t["level"][worn] = 0.0
        if self.warps is not None:
            self._test(picture)
        reason[~seen & ~self.inside(t["x"], t["y"])] = Reason.LEFT_IMAGE
        dead = t["missed"] > self.number("max_missed")
        state = np.where(dead, int(State.LOST), np.where(seen, int(State.TRACKED), int(State.PREDICTED)))
        rows = self._report(state, reason, np.where(seen, np.clip(fit.score, 0.0, 1.0), 0.0))
        self._leave(dead)
        t.keep(~dead)
        return rows

    def _report(self, state: Array, reason: Array, score: Array) -> Tracks:
        rows = self.rows(self.t, state, reason, score)
        unseen = self.t["gap"] > 0
        self.patches.stated(rows, np.flatnonzero(~unseen))
        self._stated_along(rows)
        if unseen.any():
            rows["sigma"][unseen] = np.sqrt(self._strayed()[unseen])
        ox, oy = self._beside()
        rows["x"] += ox
        rows["y"] += oy
        return rows

    def _strayed(self) -> Array:
        """Variances of the predicted places, px^2."""
        return strayed(self.t, (self.height**2 + self.width**2) / 24.0)

    def _predict(self, step: float, blind: bool = False) -> None:
        """Places one frame on; `blind`: of a frame in which nothing can be seen."""
        t = self.t
        unseen = np.flatnonzero((t["gap"] > 0) | blind)
        predict(t, step, self.number("acceleration"))
        t["gap"] += step
        coast(t, unseen, step)
        striped, across = self._striped()
        if len(striped):  # what is not measured does not move
            for a, b, px, py in (("x", "y", t["px"][striped], t["py"][striped]), ("vx", "vy", 0.0, 0.0)):
                moved = applied(across, t[a][striped] - px, t[b][striped] - py)
                t[a][striped], t[b][striped] = px + moved[:, 0], py + moved[:, 1]
            self._slide(striped, across, t["x"], t["y"])
        self.patches.turn(step)

    def _believe(self, picture: Array, good: Array, fit: Fit, anew: Array) -> None:
        """Take the places of the windows `good`; those `anew` begin a new path."""
        t, patches = self.t, self.patches
        usual, plain = patches.partly(picture, good, fit, self.shown)
        total = usual * (1.0 + plain * t["misfit"][good]) + t["drift"][good]
        level = t["level"][good]  # 0 as long as it is unknown
        # A window beside which something came, or that looks different by structure, may have been drawn along: its
        # variance is at least as large as that would be.
        weak = np.flatnonzero(plain & ((fallen(fit.score[good], level) & (level > 0)) | (t["veiled"][good] > 0)))
        if len(weak):
            score = np.maximum(fit.score[good[weak]], 0.0)
            for k in self._alike(good[weak]):
                rows = good[weak[k]]
                alike = patches.structured(picture, rows, fit.x[rows], fit.y[rows], score[k])
                misled = usual[weak[k]] + t["drift"][rows] + patches.misled(rows, alike)
                total[weak[k]] = np.maximum(total[weak[k]], misled)
        # A window that was found anywhere in the picture begins a new path: its velocity and past say nothing.
        back = np.intersect1d(anew, good)
        t["vx"][back] = t["vy"][back] = t["p01"][back] = 0.0
        t["x"][back], t["y"][back] = fit.x[back], fit.y[back]
        t["p11"][back] = (0.5 * self.number("search")) ** 2
        t["tally"][back] = 0.0
        moved(t, good, fit.x[good], fit.y[good])
        correct(t, good, fit.x[good], fit.y[good], total)
        # The measurement is reported; the filter serves the velocity and the prediction.
        t["x"][good], t["y"][good], t["p00"][good] = fit.x[good], fit.y[good], total
        t["px"][good], t["py"][good], t["gap"][good] = fit.x[good], fit.y[good], 0.0
        t["pvar"][good] = total
        rate = np.where(fit.score[good] >= level, SETTLING, SETTLING * SINKING)
        learns = np.where(level > 0, rate, 1.0) * (t["veiled"][good] == 0)
        t["level"][good] += learns * (np.maximum(fit.score[good], 0.0) - level)
        if patches.bends or self.warps is not None:
            patches.settle(good, fit)
