"""Corners: Lucas-Kanade against their first appearance, from coarse to fine where that fails, checked backward.

Each frame a corner's window is looked for at its predicted place by Gauss-Newton against the reference that was taken
when it was born, and averaged over the first frames (`registration.warp.fit`,
`registration.reference.reference_subset`): nothing adds up with time. Gain and bias of the light drop out. Where the
fit fails or its correlation falls, the corner is followed from the frame before through a pyramid, forward and backward
(`registration.search.search`), and fitted again from there. A reference is renewed only when what it leaves is no noise
but structure: then the corner looks different. That is recorded, and the uncertainty grows by that step, until the
first reference fits again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from kernels.errors import DefinitionError
from kernels.param import Param, Value
from pipelines.features import Reason, State, Tracks
from pipelines.trackers.base import Array, Snapshot, TrackerInput, cleaned, coasting, tracker
from pipelines.trackers.kalman import predict
from pipelines.trackers.lying_images import LyingImage
from pipelines.trackers.registration.batch.batch_tracking import Expectations, Steady
from pipelines.trackers.registration.batch.device_tracking import KeptThere
from pipelines.trackers.registration.batch.following import RECORD, SETTLING, WORSE, Following
from pipelines.trackers.registration.batch.following_loops import SIGHTING, TURNED
from pipelines.trackers.registration.occlusion.occlusion_prediction import coast, strayed
from pipelines.trackers.registration.reference.birth import chosen, corners_of
from pipelines.trackers.registration.reference.corners import REACH, Corners
from pipelines.trackers.registration.reference.reference_subset import LARGEST
from pipelines.trackers.registration.windows.device_windows import waited
from pipelines.trackers.registration.windows.native import compiled
from pipelines.trackers.registration.windows.points import Points
from pipelines.trackers.registration.windows.texture import far_from, textured_points
from pipelines.trackers.registration.windows.windows import ready

AHEAD = 1024  # corners at most that there is memory for before they begin


@tracker
class KltTracker(Following):
    """Follows corners; see the module's text for the method.

    The points [x, y] or [x, y, frame] of the user are followed from the first frame or from theirs on, and numbered as
    they are given. Besides, corners are born where the optional input `features` has some (their centres, by peak),
    else at the best textured places, `min_distance` from all others; again whenever fewer than `refill` of `max_points`
    are left. x, y: where what was at the given point, or at the whole pixel of the corner's birth, is now; measured,
    not smoothed. sigma: its standard uncertainty, from the normal matrix and the noise
    that the fit leaves, of both the frame and the reference. score: the correlation with the reference; without
    `anchor` and with OpenCV's method 1 - forward-backward error / its limit. Of a corner that is covered in
    part these are of what is left; as long as it goes on with what covers it, it is predicted, and sigma says how far
    that may have carried it. A corner that is lost stays lost.

    `renewals` has a row (frame, track, score) for each reference that was renewed because its corner looked different.
    """

    name = "klt"
    summary = "follows corners by Lucas-Kanade against their first appearance, without drift, whatever the light does"
    seconds = 1.3e-3  # 190 points of 21 x 21 px
    inputs = (
        TrackerInput("image", "image", "grey picture of any number type"),
        TrackerInput("features", "features", "corners to start from", optional=True, columns=("x", "y")),
    )
    params = (
        Param("points", "points", (), "points [[x, y], ...] in the first frame, [x, y, frame] in a later one, that are "
              "followed besides the corners that are found", "px"),
        Param("max_points", "int", 200, "how many corners are found and followed", "", low=0, high=10000),
        Param("window", "int", 21, "side of the window, odd", "px", low=5, high=101, odd=True),
        Param("levels", "int", 3, "pyramid levels above the picture; each doubles the motion caught", "", 0, 8),
        Param("model", "choice", "translation", "how a window may move (affine: turn and stretch too)",
              choices=("translation", "affine")),
        Param("method", "choice", "own", "how a motion from one frame to the next is found", choices=("own", "opencv")),
        Param("check", "choice", "doubt", "whether corners are followed backward too: those that look less alike than "
              "usual, or all", choices=("doubt", "always")),
        Param("max_fb", "float", 0.5, "largest forward-backward error", "px", low=0.01, high=100.0),
        Param("min_distance", "float", 10.0, "least distance between two corners", "px", low=1.0, high=1000.0),
        Param("quality", "float", 0.02, "weakest corner, relative to the strongest", "1", low=1e-6, high=1.0),
        Param("refill", "float", 0.75, "new corners are looked for below this part of max_points", "1", 0.0, 1.0),
        Param("retry", "int", 10, "frames until new corners are looked for again where too few were found", "frames",
              low=1, high=1_000_000),
        Param("max_speed", "float", 100.0, "a faster motion is a jump, not a match", "px/frame", low=0.1, high=1e4),
        Param("min_hits", "int", 3, "frames before a corner is believed", "frames", low=1, high=1000),
        Param("anchor", "bool", True, "compare each corner with its first appearance, so that it does not drift"),
        Param("reference_frames", "int", 16, "frames averaged in the reference", "frames", low=1, high=1000),
        Param("min_score", "float", 0.5, "smallest correlation with the reference (with anchor)", "1", 0.0, 1.0),
        Param("renew_score", "float", 0.8, "correlation, but for noise, below which the reference is renewed", "1",
              0.0, 1.0),
        Param("white", "float", 0.0, "value shown as white to OpenCV's method; 0: the first frame's maximum", "", 0.0),
        Param("acceleration", "float", 1.0, "typical change of velocity in a frame", "px/frame^2", low=1e-4, high=1e3),
    )  # fmt: skip

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
        self.affine = self.settings["model"] == "affine" and self.anchor
        self.opencv = self.settings["method"] == "opencv"
        self.corners = Corners(self.window, "affine" if self.affine else "translation")
        self.t = self.corners.t
        self.points = Points(self.name, self.settings["points"], self.window, shape, int(self.number("max_points")))
        self.next_track = len(self.points.given)
        count = len(self.points.given) + int(self.number("max_points"))
        if self.corners.anchors.numbers * count > LARGEST:
            raise DefinitionError(
                f"klt: {count} windows (points, max_points) of {self.window} px would take more than "
                f"{LARGEST * 8 // 10**6} MB; take fewer points or a smaller window"
            )
        self.white = self.number("white")
        self.wait = self.age = 0
        self._previous: Array | KeptThere = np.zeros((0, 0), np.uint8)
        self.renewals = np.zeros(0, RECORD)
        self._steady: Steady | None = None
        # Memory that is there already: else the frame in which corners begin waits for it.
        self.t.reserve(min(count, AHEAD))
        self.corners.anchors.reserve(min(count, AHEAD))

    def update(self, index: int, time: float, inputs: Mapping[str, Array]) -> Tracks:
        picture = ready(self.image(inputs))
        # OpenCV's tracker takes 8 bits alone.
        shown = self._grey(picture) if self.opencv else picture
        self._predict(self.clock.advance(index, time))
        self.points.passes(index)
        self.age += 1
        self.corners.age = self.age
        t, n = self.t, len(self.t)
        reason, score = np.zeros(n, np.uint8), np.zeros(n)
        if n:
            reason, score = self._follow(picture, shown)
        seen = reason == Reason.NONE
        t["hits"][seen] += 1
        believed = t["hits"] >= self.settings["min_hits"]
        state = np.where(~seen, int(State.LOST), np.where(believed, int(State.TRACKED), int(State.TENTATIVE)))
        gone = seen & self.hidden if n else seen  # what is followed is what came before it
        state[gone & believed], reason[gone] = int(State.PREDICTED), int(Reason.LOW_SCORE)
        # Points that the user gave begin behind the corners that are followed; new corners come last.
        why = self._given(picture, index)
        lives = why == Reason.NONE
        alive = np.concatenate((seen, lives))
        own = int(np.count_nonzero(alive & (t["track"] >= len(self.points.given))))
        most = self.number("max_points")
        # Refilled below `refill` of max_points; where too few were found it waits `retry` frames.
        born, least = 0, max(self.number("refill") * most, min(most, 1.0))
        self.wait -= 1
        if own < least and self.wait <= 0:
            born = self._birth(picture, inputs, alive, int(most) - own)
            self.wait = 0 if own + born >= least else int(self.number("retry"))
        fresh = np.full(born, int(State.TRACKED if self.settings["min_hits"] == 1 else State.TENTATIVE))
        # Rows are those of followed, given and new corners one behind the other, as their columns are.
        rows = self.rows(
            t,
            np.concatenate((state, np.where(lives, int(State.TRACKED), int(State.LOST)), fresh)),
            np.concatenate((reason, why, np.zeros(born, np.uint8))),
            np.concatenate((np.where(seen, score, 0.0), lives * 1.0, np.ones(born))),
        )
        if self.anchor:
            self.corners.stated(rows, np.flatnonzero(np.concatenate((seen & ~gone, lives, np.ones(born, bool)))))
        # What hides a corner may have carried it along: its own variance and the way since then.
        rows["sigma"][:n][gone] = np.sqrt(t["p00"][:n][gone] + self.corners.carried(np.flatnonzero(gone)))
        rows = self._placed(rows, self.corners.offset())
        t.keep(np.concatenate((alive, np.ones(born, bool))))
        self._remember(shown)
        return rows

    def _steadily(
        self, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]]
    ) -> list[Tracks]:
        """The rows of the first frames in which every corner goes on as it did, and none is born."""
        t, room = self.t, self._calm(indices)
        if not room:
            return []
        lying = self._lying(inputs[:room], self.corners)
        steady = self._steady_of(ready(self.image(inputs[0], scanned=False)) if lying is None else lying[0])
        given = indices[:room], times[:room], inputs[:room]
        last: Array | LyingImage
        if steady.alike:
            kept, clocks, _, last = self._passed(steady, *given, lying)
        elif lying is not None:
            kept, clocks, last = self._recalled(steady, *given[:2], lying)
        else:
            kept, clocks, last = self._one_by_one(steady, *given)
        done = len(kept)
        if not done:
            return []
        # With points of the user rows are by rising id; corners alone are in that order anyway.
        order = np.argsort(t["track"], kind="stable") if len(self.points.given) else steady.every
        made = steady.rows(kept, clocks, order, int(self.number("min_hits")))
        t["hits"] += done
        # What is as usual is not strange; the general code counts strange frames in a row.
        t["strange"][:] = 0
        self.wait -= done
        if isinstance(last, LyingImage) and not last.images.free:
            self._previous = self._tracking(steady, last.images).keep(last)
        else:
            self._remember(cleaned(np.asarray(last)))
        return list(made)

    @property
    def previous(self) -> Array:
        if isinstance(self._previous, KeptThere):
            self._previous = cleaned(self._previous.fetched())
        return self._previous

    def _remember(self, shown: Array) -> None:
        """The picture is the one before from now on; in the memory that is there, for new memory takes longer."""
        own = self._previous
        if isinstance(own, np.ndarray) and own.shape == shown.shape and own.dtype == shown.dtype:
            own[...] = shown
        else:
            self._previous = shown.copy()

    def _calm(self, indices: Sequence[int]) -> int:
        """For how many of the frames nothing but the corners that there are needs to be looked for."""
        t = self.t
        plain = self.anchor and not self.opencv and self.settings["check"] == "doubt"
        # Corners on references that replaced their first ones, or covered ones, are for the general code.
        if not (plain and len(t) and compiled() and (t["slot"] == t["first"]).all() and not t["veiled"].any()):
            return 0
        most, own = self.number("max_points"), int(np.count_nonzero(t["track"] >= len(self.points.given)))
        free = len(indices)
        # A frame in which corners may be born is one for the general code; before, `wait` frames are free.
        if own < max(self.number("refill") * most, min(most, 1.0)):
            free = min(free, self.wait - 1)
        due = next((k for k, index in enumerate(indices) if len(self.points.due(index))), free)
        return max(min(free, due), 0)

    def _steady_of(self, picture: Array | LyingImage) -> Steady:
        if self._steady is None or not self._steady.fits(picture):
            chosen = bool((self.t["track"] < len(self.points.given)).all())  # never two of them are one
            low, apart = max(self.number("min_score"), self.number("renew_score")), 0.25 * self.number("min_distance")
            self._steady = Steady(self.corners, picture, Expectations(
                REACH, low, WORSE, SETTLING, self.number("max_speed"), self.number("acceleration"),
                apart=0.0 if chosen else apart))  # fmt: skip
        return self._steady

    def skip(self, index: int, time: float) -> Tracks:
        self._predict(self.clock.advance(index, time), blind=True)
        self.points.passes(index)
        placed = self.corners.offset()
        spread = strayed(self.t, (self.height**2 + self.width**2) / 24.0)
        rows = coasting(self, self.t)
        rows["sigma"] = np.sqrt(spread)
        return self._placed(rows, placed)

    def snapshot(self) -> Snapshot:
        scalars = {name: np.array(getattr(self, name)) for name in ("next_track", "white", "wait", "age")}
        # As bytes: a session stores plain numbers.
        kept = {"previous": self.previous.copy(), "renewals": self.renewals.view(np.uint8).copy()}
        return self.clock.snapshot() | self.corners.snapshot() | self.points.snapshot() | scalars | kept

    def restore(self, state: Mapping[str, Array]) -> None:
        self.clock.restore(state)
        self.corners.restore(state)
        self.next_track, self.white, self.wait = int(state["next_track"]), float(state["white"]), int(state["wait"])
        self.age = int(state.get("age", np.array(0)))  # older snapshots do not know
        self._previous, self.renewals = state["previous"].copy(), state["renewals"].copy().view(RECORD)
        self.points.restore(state, self.previous.size > 0)

    # Windows sit on whole pixels; a given point lies ox, oy beside its window.
    def _placed(self, rows: Tracks, offset: tuple[Array, Array]) -> Tracks:
        """The rows of windows as rows of the points in them, by rising id."""
        if not len(self.points.given):
            return rows
        rows["x"] += offset[0]
        rows["y"] += offset[1]
        return rows[np.argsort(rows["track"], kind="stable")]

    def _given(self, picture: Array, index: int) -> Array:
        """Start the user's points that are due; for each why it cannot be followed (NONE if it can)."""
        if not len(self.points.due(index)):
            return np.zeros(0, np.uint8)
        which, places, late = self.points.beginning(index, picture, 0)
        x, y = places.T.copy()
        if self.anchor:  # the reference's window sits on whole pixels, the point in it does not
            x, y = np.rint(x), np.rint(y)
        textured = self.corners.begin(picture, x, y, which, every=True)
        t, new = self.t, slice(len(self.t) - len(which), None)
        t["ox"][new], t["oy"][new] = places[:, 0] - x, places[:, 1] - y
        t["hits"][new] = int(self.number("min_hits"))  # points that the user chose are believed
        reason = np.where(textured, int(Reason.NONE), int(Reason.NO_TEXTURE)).astype(np.uint8)
        reason[late] = int(Reason.NOT_DETECTED)
        return reason

    def _grey(self, picture: Array) -> Array:
        """The picture in the 8 bits that OpenCV's tracker takes."""
        if picture.dtype == np.uint8 and self.white == 0:
            return picture
        values = picture.astype(np.float32)
        if self.white == 0:
            self.white = max(float(values.max(initial=0.0)), 1e-30)
        scaled: Array = np.clip(np.rint(values * (255.0 / self.white)), 0, 255).astype(np.uint8)
        return scaled

    def tables(self) -> dict[str, Array]:
        """`windows`: rows of `registration.reference.centres.WINDOWS_DTYPE`, of given points that are followed at the
        end."""
        given = self.t["track"] < len(self.points.given)
        return {"windows": self.corners.windows(given)} if self.anchor and given.any() else {}

    @classmethod
    def looks_there(cls, params: Mapping[str, Value]) -> frozenset[str]:
        able = params["method"] == "own" and params["anchor"] and params["check"] == "doubt"
        return frozenset(("image",) if able else ())

    @classmethod
    def seconds_there(cls, params: Mapping[str, Value]) -> float:
        # Of 190 points on a core of 3 GHz; fits take three steps mostly.
        return 1.8e-5 + waited(cast(int, params["window"]), cast(int, params["max_points"]), 3)

    @classmethod
    def sent(cls, params: Mapping[str, Value]) -> float:
        given = cast(Sequence[object], params["points"])
        each = SIGHTING if params["model"] == "translation" else TURNED
        return 8.0 * each * (len(given) + cast(int, params["max_points"]))

    @classmethod
    def measures(cls, params: Mapping[str, Value]) -> tuple[str, ...]:
        return ("rotation", "scale") if params["model"] == "affine" and params["anchor"] else ()

    def stripes(self) -> dict[int, tuple[float, float]]:
        return self.corners.stripes() if self.anchor else {}

    def _predict(self, step: float, blind: bool = False) -> None:
        """Places one frame on; `blind`: of a frame in which nothing can be seen."""
        unseen = np.flatnonzero((self.t["gap"] > 0) | blind)
        # Only corners that were not seen coast by forecasts of their own past.
        predict(self.t, step, self.number("acceleration"))
        self.t["gap"] += step
        coast(self.t, unseen, step)
        self.corners.turn(step)

    def _birth(self, picture: Array, inputs: Mapping[str, Array], seen: Array, room: int) -> int:
        """Start `room` corners at most, away from those that live; how many."""
        t, apart = self.t, self.number("min_distance")
        lived = np.stack((t["x"][seen], t["y"][seen]), axis=1)
        edge = self.half
        if self.affine:  # what turns in from outside the window must be in the picture
            edge = min(self.corners.anchors.side // 2, (min(self.height, self.width) - 1) // 2)
        if "features" in inputs:
            x, y, strength = corners_of(inputs["features"])
            usable = self.inside(np.rint(x), np.rint(y), edge)
            x, y, strength = x[usable], y[usable], strength[usable]
            best = chosen(x, y, strength, lived, apart, room, self.number("quality"))
            x, y = x[best], y[best]
        else:
            grey = picture if picture.dtype == np.uint8 else picture.astype(np.float32)
            free = far_from(grey.shape, lived[:, 0], lived[:, 1], apart)
            x, y = textured_points(grey, room, 3, apart, edge, free, self.number("quality")).astype(np.float64).T
        if self.anchor:  # the reference's window sits on whole pixels, and so does the corner
            x, y = np.rint(x), np.rint(y)
        if not len(x):
            return 0
        ids = np.arange(self.next_track, self.next_track + len(x))
        n = int(np.count_nonzero(self.corners.begin(picture, x, y, ids)))
        self.new_ids(n)
        return n
