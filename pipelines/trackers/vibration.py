"""Vibration: small motions of many windows, by a linear operator whose response is calibrated.

For what shakes by up to a few pixels and keeps its look: plates, beams, strings, speckle. `patches/response.py` says
how a window answers; a frame costs a window six products instead of an interpolation. Every frame is compared with the
reference of the first frames, so that nothing drifts, and a window that has moved by more than half a pixel is read
from where it is, by whole pixels. A window that reaches over the edge of the picture goes on by the part that is inside
(`patches/beyond_loops.py`), until its centre leaves; nothing is learnt from such frames.

Beside the tracks it leaves a table `spectra`: the density of the motion of every point, and that of its own noise, at
each frequency. The noise is measured, not assumed: two halves of a window move alike, and differ by noise alone. Frames
in which a part of a window is seen are in it with the noise of that part, as halves of the part differ. And a table
`windows`: where in each window its motion is measured (`patches/centres.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from kernels.errors import DefinitionError
from kernels.param import Param, Value
from pipelines.features import TRACK_DTYPE, Reason, State, Tracks
from pipelines.trackers.base import Array, Columns, Snapshot, Tracker, TrackerInput, tracker
from pipelines.trackers.lying_images import LyingImages
from pipelines.trackers.registration.batch.leaving import Left
from pipelines.trackers.registration.batch.leaving_loops import Answered, Ends, lay
from pipelines.trackers.registration.noise.autocovariance_loops import SIDE
from pipelines.trackers.registration.noise.ellipse_loops import SHAPE
from pipelines.trackers.registration.reference.centres import WINDOWS_DTYPE, effective_centres, windows_of
from pipelines.trackers.registration.response import response_loops as loops
from pipelines.trackers.registration.response.device_following import DeviceFollowing
from pipelines.trackers.registration.response.learning import Learning
from pipelines.trackers.registration.response.learning_loops import (
    due_of,
    fresh_of,
    grain_of,
    join_due,
    noise_of,
    renew,
    ripe,
    settle,
)
from pipelines.trackers.registration.response.linear_response import Answering, unknown
from pipelines.trackers.registration.response.nonlinearity_prior_loops import level
from pipelines.trackers.registration.response.response import AXES, BASIS, Along, followed
from pipelines.trackers.registration.spectra.welch import SPECTRA_DTYPE as SPECTRA_DTYPE
from pipelines.trackers.registration.spectra.welch import Welch, spectra_of
from pipelines.trackers.registration.windows.device_windows import waited
from pipelines.trackers.registration.windows.native import call
from pipelines.trackers.registration.windows.points import Points
from pipelines.trackers.registration.windows.subpixel import MARGIN, tiles_at
from pipelines.trackers.registration.windows.windows import lying_ready, ready

FLOATS = np.dtype(np.float64)
AHEAD = 1024  # windows at most that there is memory for before they begin


@tracker
class VibrationTracker(Tracker):
    """Follows small motions of windows of pixels; see the module's text for the method.

    x, y are measured, not smoothed; vx, vy are differences to the place before. sigma is that of the way since the
    first frame: the noise that the halves of the window show, averaged over some 250 frames, here and in that frame
    (its share is the same in all rows of a track), each with the variance of shot noise in its light. Noise that a
    filter correlated counts as what it does to a window.
    Where the texture is of stripes, only the motion across them is measured; along them, as in a direction that is not
    asked for, the standard uncertainty is the window's side (sigma_x, sigma_y and correlation in files: an ellipse).
    The score is the window's correlation with what the model makes of the reference.
    A point [x, y, frame] begins in that frame; one whose frame lies before the first that is processed is lost at once.
    """

    name = "vibration"
    summary = "follows small vibrations of many windows, with the noise floor at every frequency"
    seconds = 1.7e-4  # 100 points of 21 x 21 px
    inputs = (TrackerInput("image", "image", "grey picture of any number type"),)
    params = (
        Param("points", "points", (), "centres [[x, y], ...] in the first frame, [x, y, frame] in a later one; none: "
              "the best textured ones", "px"),
        Param("max_points", "int", 100, "how many points are chosen when none are given", "", low=1, high=10000),
        Param("window", "int", 21, "side of the window, odd", "px", low=9, high=201, odd=True),
        Param("along", "choice", "auto", "what is measured: both directions, one, or (auto) both, but only across "
              "stripes", choices=("auto", "both", "x", "y")),
        Param("search", "int", 3, "how far a window that was lost is looked for", "px", low=1, high=50),
        Param("min_score", "float", 0.8, "smallest correlation that counts as seen", "1", low=0.0, high=1.0),
        Param("reference_frames", "int", 16, "frames averaged (motion-compensated) in the reference", "frames", 1,
              1000),
        Param("max_missed", "int", 10, "frames without being seen before a track ends", "frames", 0, 100000),
        Param("spectrum", "int", 512, "frames in a piece of the spectra; the resolution is fps over this", "frames",
              low=64, high=65536),
    )  # fmt: skip

    def __init__(self, params: Mapping[str, Value], shape: tuple[int, int], fps: float | None) -> None:
        super().__init__(params, shape, fps)
        self.window = int(self.number("window"))
        self.points = Points(
            self.name, self.settings["points"], self.window, shape, int(self.number("max_points"))
        )  # fmt: skip
        length = int(self.number("spectrum"))
        if length % 2:
            raise DefinitionError(f"vibration.spectrum = {length} must be even, such as {length + 1}")
        tile = self.window + 2 * MARGIN
        # ox, oy: the followed point relative to its window's centre. reference: what answers are relative to; tile:
        # the running mean of `averaged` frames that becomes the reference; noise: variance of a reference's pixel,
        # grain: its autocorrelation; seen: that, summed over the frames of the next reference; bent: 1 when it is
        # measured how its answers bend.
        self.t = Columns(
            dict.fromkeys(("track", "averaged"), np.dtype("i4"))
            | dict.fromkeys(("ox", "oy", "noise"), np.dtype("f8"))
            | dict.fromkeys(("grain", "seen"), np.dtype(("f8", (SIDE, SIDE))))
            | {"state": np.dtype(("f8", (loops.STATE,))), "bent": np.dtype("i8")}
            | dict.fromkeys(("reference", "tile"), np.dtype(("f8", (tile, tile))))
        )
        self.welch = Welch(length, 4)
        self.left = Left({"spectra": SPECTRA_DTYPE, "windows": WINDOWS_DTYPE})
        self.started = self.learnt = False  # learnt: nothing is left to be learnt of windows
        self.answers = Answering(self.t, self.window, cast(Along, self.settings["along"]))
        self._there: DeviceFollowing | None = None
        self.learning = Learning(self.t, self.answers, int(self.number("reference_frames")))
        room = min(len(self.points.given) or int(self.number("max_points")), AHEAD)
        self.t.reserve(room)
        self.answers.reserve(room)

    def update(self, index: int, time: float, inputs: Mapping[str, Array]) -> Tracks:
        return self.update_batch((index,), (time,), (inputs,))[0]

    def update_batch(
        self, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]]
    ) -> list[Tracks]:
        made: list[Tracks] = []
        while len(made) < len(indices):
            first = len(made)
            # One frame where something begins or is learned, else as many as there are before the next beginning.
            alone = not self.started or not self.learnt
            count = 1
            while not alone and first + count < len(indices) and not len(self.points.due(indices[first + count])):
                count += 1
            part = slice(first, first + count)
            made += self._several(indices[part], times[part], inputs[part])
        return made

    def _several(
        self, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]]
    ) -> list[Tracks]:  # fmt: skip
        # First: what is refused has not happened. Windows that learn nothing any more see for themselves whether all
        # of their pixels are numbers.
        scanned = not self.learnt or not self.started or len(self.points.due(indices[0])) > 0
        there = [one.get("image") for one in inputs]
        lying = None if scanned or self._broken else lying_ready(there, (self.height, self.width))
        images = [ready(self.image(one, scanned=scanned)) for one in inputs] if lying is None else lying
        clocks, steps = [], []
        for index, time in zip(indices, times, strict=True):
            steps.append(self.clock.advance(index, time))
            clocks.append((index, time, self.clock.rate))
        self.points.passes(indices[0])
        parts = self._follow(images, steps, clocks, scanned)
        # A window met a pixel that is no number: the same frames again, scanned this time; states were not taken yet.
        if parts is None:
            images = [ready(self.image(one)) for one in inputs]
            parts = self._follow(images, steps, clocks, True)
        assert parts is not None
        index = indices[0]
        if not self.started or len(self.points.due(index)):
            parts[0] = np.concatenate((parts[0], self._begin(index, np.asarray(images[0]), clocks[0])))
        return [self._rising(part) for part in parts]

    @classmethod
    def looks_there(cls, params: Mapping[str, Value]) -> frozenset[str]:
        del params
        return frozenset(("image",))

    @classmethod
    def seconds_there(cls, params: Mapping[str, Value]) -> float:
        # Of 100 points on a core of 3 GHz; a window's pixels are looked at once.
        return 1.6e-5 + waited(cast(int, params["window"]), cast(int, params["max_points"]), 1)

    @classmethod
    def sent(cls, params: Mapping[str, Value]) -> float:
        given = cast(Sequence[object], params["points"])
        return 8.0 * loops.OUT * (len(given) or cast(int, params["max_points"]))

    def _rising(self, rows: Tracks) -> Tracks:
        """By rising id, also where a point with a smaller one began later."""
        return rows[np.argsort(rows["track"], kind="stable")] if self.points.late else rows

    def skip(self, index: int, time: float) -> Tracks:
        step = self.clock.advance(index, time)
        self.points.passes(index)
        # A frame without an answer is a gap in the spectra.
        self.welch.gap()
        state = self.t["state"]
        state[:, loops.GAP] += step
        answers = np.zeros((1, len(self.t), loops.OUT))
        answers[0, :, : loops.OUT_Y + 1] = state[:, loops.X : loops.Y + 1]
        answers[0, :, loops.OUT_VX : loops.OUT_VY + 1] = state[:, loops.VX : loops.VY + 1]
        answers[0, :, loops.OUT_VARIANCE] = 2.0 * state[:, loops.VARIANCE] + state[:, loops.MOVED] * state[:, loops.GAP]
        answers[0, :, loops.OUT_REASON] = Reason.BAD_FRAME
        return self._rising(self._rows(answers, [(index, time, self.clock.rate)])[0][0])

    def tables(self) -> dict[str, Array]:
        """`spectra`: rows of SPECTRA_DTYPE, of tracks that are over too; none without a frame rate, or of tracks that
        were not seen in a piece without a gap (in 64 frames, where no track was seen in so many as a piece has).
        `windows`: rows of WINDOWS_DTYPE."""
        return self.left.beside(self._tables(np.ones(len(self.t), bool)))

    def _tables(self, which: Array) -> dict[str, Array]:
        spectra = spectra_of(self.welch, which, self.t["track"], self.clock.fps)
        return {"spectra": spectra, "windows": self._windows(which)}

    def _windows(self, which: Array) -> Array:
        """Where some tracks are measured."""
        t, known = self.t, self.answers.constants[which]
        direction = np.where(known[:, AXES, None] == 1, known[:, BASIS : BASIS + 2], 0.0)
        middles = effective_centres(t["reference"][which], self.window, direction, split=True, noise=t["noise"][which])
        middles[known[:, AXES] == 0] = np.nan
        return windows_of(t["track"][which], np.stack((t["ox"][which], t["oy"][which]), axis=1), middles)

    def snapshot(self) -> Snapshot:
        scalars = {"next_track": np.array(self.next_track), "started": np.array(self.started)} | self.left.snapshot()
        return self.clock.snapshot() | self.t.snapshot() | self.welch.snapshot() | self.points.snapshot() | scalars

    def restore(self, state: Mapping[str, Array]) -> None:
        self.clock.restore(state)
        tile = self.window + 2 * MARGIN
        # Columns of older snapshots are cut to what is used now.
        for name in ("column.reference", "column.tile"):  # older ones have more around a window
            if name in state and state[name].shape[1] > tile:
                more = (state[name].shape[1] - tile) // 2
                state = {**state, name: state[name][:, more : more + tile, more : more + tile]}
        short = loops.STATE - state["column.state"].shape[1]  # older ones know less of their noise
        if short:
            state = {**state, "column.state": np.pad(state["column.state"], ((0, 0), (0, short)))}
        self.t.restore(state)
        self.welch.restore(state)
        self.next_track, self.started = int(state["next_track"]), bool(state["started"])
        self.points.restore(state, self.started)
        self.left.restore(state)
        self.learnt = False
        self.answers.make(np.arange(len(self.t)))
        self.answers.level()

    def _begin(self, index: int, image: Array, clock: tuple[int, float, float]) -> Tracks:
        """New tracks: the user's that are due, or chosen ones at the first frame that has any."""
        own = self.points
        due, late = own.due(index), np.zeros(0, bool)
        if len(own.given):
            points, late = own.given[due], own.lost(due)
            self.next_track = len(own.given)
        else:
            points = own.chosen(image, int(self.number("search")))
            late = np.zeros(len(points), bool)
        if not len(points) and not len(own.given):
            return np.zeros(0, TRACK_DTYPE)  # tried again next frame
        self.started, self.learnt = True, False
        loops.follow.native(image.dtype, np.float32)  # compiled or read now: later frames have no time for that
        settle.native(FLOATS, np.float32)
        for one in (grain_of, join_due):
            one.native(image.dtype)
        for one in (fresh_of, noise_of, due_of, ripe, renew, level, lay):
            one.native(FLOATS)
        own.waiting[due] = False
        centre = np.rint(points)
        x, y = centre[:, 0], centre[:, 1]
        tiles = tiles_at(image, x, y, self.window)
        state = np.zeros((len(points), loops.STATE))
        state[:, loops.ANCHOR_X], state[:, loops.ANCHOR_Y], state[:, loops.SHARE] = x, y, 1.0
        state[:, loops.MOVED] = (0.5 * self.number("search")) ** 2  # unknown until it is seen again
        before = len(self.t)
        self.t.append(
            len(points), track=due if len(own.given) else self.new_ids(len(points)), averaged=1, ox=points[:, 0] - x,
            oy=points[:, 1] - y, state=state, reference=tiles, tile=tiles, **unknown(len(points)),
        )  # fmt: skip
        self.welch.grow(len(points))
        self.answers.make(np.arange(before, len(self.t)))
        self.answers.level()
        good = self.answers.textured
        # Tracks that there were before keep going whatever their texture was found to be.
        good[:before] = True
        good[before:] &= ~late
        rows = self._blank(len(points), clock)
        new = slice(before, None)
        rows["track"], rows["x"], rows["y"] = self.t["track"][new], points[:, 0], points[:, 1]
        rows["score"] = good[new]
        rows["state"] = np.where(good[new], int(State.TRACKED), int(State.LOST))
        rows["reason"] = np.where(good[new], int(Reason.NONE), int(Reason.NO_TEXTURE))
        rows["reason"][late] = Reason.NOT_DETECTED
        self._drop(np.where(good, 1, 0), 1)
        return rows

    def _shapes(self) -> Array:
        """Those of the windows' uncertainties (`ellipse_loops`): where one direction is measured, nothing is known of
        the other."""
        known = self.answers.constants
        made = np.zeros((len(known), SHAPE))
        made[:, :2] = 1.0
        one = known[:, AXES] == 1
        x, y = known[one, BASIS], known[one, BASIS + 1]
        side = float(self.window) ** 2
        made[one] = np.stack((x * x, y * y, x * y, side * (y * y), side * (x * x), -side * (x * y)), axis=1)
        return made

    def stripes(self) -> dict[int, tuple[float, float]]:
        known = self.answers.constants
        which = np.flatnonzero((known[:, AXES] == 1) & (self.settings["along"] == "auto"))
        along = zip((-known[which, BASIS + 1]).tolist(), known[which, BASIS].tolist(), strict=True)
        return dict(zip(self.t["track"][which].tolist(), along, strict=True))

    def _blank(self, count: int, clock: tuple[int, float, float]) -> Tracks:
        rows = np.zeros(count, TRACK_DTYPE)
        rows["frame"], rows["time"] = clock[:2]
        return rows

    def _drop(self, ends: Array, frames: int) -> None:
        """Drop tracks that end, in the order of the frames in which they do; those stay that end after all frames."""
        kept = ends >= frames
        if not kept.all():
            # As if each frame came alone: what is over is kept in this order.
            for end in np.unique(ends[~kept]):
                self.left.add(self._tables(ends == end))
            self.answers.keep(kept)
            self.t.keep(kept)
            self.welch.keep(kept)
            self.answers.level()

    def _follow(
        self, images: list[Array] | LyingImages, steps: list[float], clocks: list[tuple[int, float, float]],
        scanned: bool,
    ) -> list[Tracks] | None:  # fmt: skip
        """The tracks that there are, through some frames; None, and nothing has happened, where a window sees a pixel
        that is no number in images that were not scanned for these."""
        if not len(self.t):
            self.learnt = True
            return [self._blank(0, clock) for clock in clocks]
        shown = np.empty((len(self.t), loops.SEEN))
        answers, states, strange = self._loops(images, steps, shown)
        # Nothing was taken over yet: the caller scans and comes again.
        if strange and not scanned:
            return None
        # The noise is taken once, of windows that have no estimate yet.
        grain = None if self.learnt else self.learning.noisy(np.asarray(images[0]), states)
        if grain is not None:  # the first answer says how much noise there is, and is better once that is known
            answers, states, _ = self._loops(images, steps, shown, again=True)
        self.t["state"] = states
        rows, ends, seen = self._rows(answers, clocks)
        self._listen(answers[: len(seen)], seen, steps)
        if not self.learnt:
            self.learning.learn(np.asarray(images[0]), answers[0], grain)
            self.learnt = not self.learning.due()
        self._drop(ends, len(images))
        return rows

    def _loops(
        self, images: list[Array] | LyingImages, steps: list[float], shown: Array, *, again: bool = False
    ) -> tuple[Array, Array, bool]:  # fmt: skip
        """What is seen, (frames, n, OUT), the states after it, and whether of a pixel that is no number; see `followed`
        for the others."""
        states = self.t["state"].copy()
        if isinstance(images, LyingImages):
            device = images.batch.device
            if self._there is None or self._there.device is not device:
                self._there = DeviceFollowing(device, self.window, images.batch.type)
            answers, strange = self._there.follow(images, steps, self.answers.arrays(), self.answers.version, states,
                                                  int(self.number("search")), self.number("min_score"))  # fmt: skip
            return answers, states, strange
        answers, strange = followed(
            images, steps, self.answers.arrays(), states, int(self.number("search")), self.number("min_score"), shown,
            again=again,
        )  # fmt: skip
        return answers, states, strange

    def _listen(self, answers: Array, seen: Array, steps: list[float]) -> None:
        """Hand motion and noise to the spectra; a piece must not have a gap in time."""
        first = 0
        for i in range(len(answers)):
            # A step other than one frame parts the record: spectra are of even pieces.
            if abs(steps[i] - 1.0) >= 0.01:
                self._hear(answers[first:i], seen[first:i])
                self.welch.gap()
                first = i
        self._hear(answers[first:], seen[first:])

    def _hear(self, answers: Array, seen: Array) -> None:
        if len(answers):
            self.welch.add(answers[:, :, : loops.OUT_NY + 1], seen)

    def _rows(self, answers: Array, clocks: list[tuple[int, float, float]]) -> tuple[list[Tracks], Array, Array]:
        """Rows of each frame; the frame in which each track ends, (n,), their number where it does not; and which were
        seen before their end, (frames until all have ended, n)."""
        t, frames, count = self.t, len(answers), len(self.t)
        out = np.empty(frames * count, TRACK_DTYPE)
        ends, counts, seen = np.empty(count, np.int64), np.empty(frames, np.int64), np.empty((frames, count), np.uint8)
        points = Answered(count, t["state"], t["ox"], t["oy"], t["track"], self._shapes())
        through = call(lay, answers, frames, np.array(clocks), points, self.number("max_missed"),
                       Ends(ends, counts, seen), out.view(np.uint8))  # fmt: skip
        to = np.cumsum(counts).tolist()
        rows = [out[begin:end] for begin, end in zip([0, *to[:-1]], to, strict=True)]
        return rows, ends, seen[:through].view(bool)
