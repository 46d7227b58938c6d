"""Frames in which every window goes on as it did, in machine code: no search.

That is nearly every frame of a recording, and NumPy's price for so many small operations would be most of its time.
Windows that only move go by in one call for a whole batch, the frames in which they are learnt too; where some turn or
deform a frame is a few calls. It is what trackers do frame by frame, with the same operations in the same order, and
everything is left as it was where one window needs more than that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.loops.calling import arguments
from kernels.loops.language import Loop, address
from kernels.loops.scratch import lined
from pipelines.features import TRACK_DTYPE, Tracks
from pipelines.trackers.lying_images import LyingImage, LyingImages
from pipelines.trackers.registration.batch.affine_step_loops import draw, seek_turned, settle, undo
from pipelines.trackers.registration.batch.batch_learning import TurnedLearning
from pipelines.trackers.registration.batch.batch_tracking_loops import believe, frames, seek, taken, together
from pipelines.trackers.registration.batch.device_tracking import DeviceTracking
from pipelines.trackers.registration.batch.row_loops import Listed, lay_rows
from pipelines.trackers.registration.batch.structs import (
    Accept,
    Deformation,
    Limits,
    Memory,
    Motion,
    Outcome,
    Passed,
    Sightings,
    Sought,
    Trial,
    Windows,
)
from pipelines.trackers.registration.batch.warp_models import FALL as BENT
from pipelines.trackers.registration.noise.ellipse_loops import SHAPE, shapes_of
from pipelines.trackers.registration.noise.noise_correlation_loops import FAR, PLANES
from pipelines.trackers.registration.occlusion.occlusion import FALL, UNEVEN
from pipelines.trackers.registration.reference.corners import LIMITS, RATE, REDRAWN, SLACK, Corners
from pipelines.trackers.registration.reference.structs import Looked, Schedule
from pipelines.trackers.registration.reference.uncertainty import noise_model
from pipelines.trackers.registration.warp.fit import SETTLED, STEPS, References
from pipelines.trackers.registration.warp.fit_loops import SPAN
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows.native import call
from pipelines.trackers.registration.windows.structs import Batch, Chosen
from pipelines.trackers.registration.windows.taps import TABLE

Array = npt.NDArray[Any]

KEPT = ("x", "y", "vx", "vy", "p00", "score")
"""What is kept of each frame, in this order: x, y of the followed points, not of their windows."""
SURE = 0.999  # of the largest speed; what is faster is looked at exactly
ANYTHING = 9.0  # more than a score can fall
UNSEEN = Sightings(0, 0, np.zeros(1), np.zeros(1, np.int64), np.zeros(1, np.int64))


@dataclass(frozen=True, slots=True)
class Expectations:
    """What a tracker believes without a search."""

    reach: float
    """px from its prediction within which a window is fitted"""
    low: float
    """least score"""
    worse: float
    """by how much less than usual a score may be"""
    settling: float
    """how fast the usual score follows"""
    fastest: float
    """px a frame"""
    acceleration: float
    """px a frame^2"""
    bending: bool = False
    """whether windows may come to need more parameters"""
    apart: float = 0.0
    """px that two windows must be apart; 0: any"""

    def accept(self, real: bool) -> Accept:
        """As loops take it. `real`: whether a pixel may be no number."""
        smallest, largest, entry = LIMITS
        return Accept.of(
            reach=self.reach, steps=STEPS, settled=SETTLED, low=self.low, worse=self.worse, fall=FALL, uneven=UNEVEN,
            unknown=BENT if self.bending else ANYTHING, settling=self.settling, fastest=self.fastest, sure=SURE,
            acceleration=self.acceleration * self.acceleration, apart=self.apart, slack=SLACK, redrawn=REDRAWN,
            smallest=smallest, largest=largest, entry=entry, rate=RATE, bending=self.bending, real=real,
        )  # fmt: skip


def windows_of(corners: Corners) -> Windows:
    """Columns as loops take them, until there are more rows."""
    t = corners.t
    tested = t["tested"] if "tested" in t else t["level"]  # that of windows with models of their own alone
    motion = Motion(t["x"], t["y"], t["vx"], t["vy"], t["p00"], t["p01"], t["p11"], t["px"], t["py"], t["gap"],
                    t["pvar"], t["past"], t["tally"], t["drift"], t["level"])  # fmt: skip
    bends = Deformation(t["bend"], t["drawn"], t["turn"], t["base"], t["ox"], t["oy"], tested, t["misfit"])
    return Windows(motion, bends, corners.learnt())


class Steady:
    """Frames on end of windows that go on as they did, as long as every one of them does.

    Args:
        corners: the windows; as long as it `fits` them, their number and models stay as they are.
        picture: of the type and size of all that follow.
        expected: what is believed of them.
    """

    def __init__(self, corners: Corners, picture: Array | LyingImage, expected: Expectations) -> None:
        t, n = corners.t, len(corners.t)
        self.corners, self.count, self._shape, self._kind = corners, n, picture.shape, picture.dtype
        self._apart = expected.apart
        self._limits = Limits(expected.accept(real=self._kind.kind == "f"), noise_model(corners.window, 2),
                              corners.anchors.striped)  # fmt: skip
        room = max(n, 1)
        self.every, self._windows, self._variance = np.arange(room), windows_of(corners), np.zeros(room)
        self._fits = Fit.empty(np.zeros(room), np.zeros(room))
        self._work = lined(_room(corners, room))
        self._sets = [(rows, refs, refs.pixels) for rows, refs in corners.sets()]
        self._memory = self._blocks()
        self.shapes = np.zeros((0, self.count, SHAPE))
        """Those of the uncertainties of windows after each of the frames that went by (`ellipse_loops`)."""
        self._models = t["warp"].copy() if "warp" in t else None
        self.alike = len(self._sets) == 1 and self._sets[0][1].layout.p == 2
        """Whether all only move: then `go`, else `move` and `learn` are for it."""
        if self.alike:
            self._ready_to_go()
        else:
            self._ready_to_move(picture)

    def fits(self, picture: Array | LyingImage) -> bool:
        """Whether it is still for these windows, in the memory where they are, and for such pictures."""
        t = self.corners.t
        same = len(t) == self.count and picture.shape == self._shape and picture.dtype == self._kind
        same = same and all(a is b for a, b in zip(self._memory, self._blocks(), strict=True))
        same = same and all(refs.pixels is pixels for _, refs, pixels in self._sets)
        return same and (self._models is None or bool((t["warp"] == self._models).all()))

    def _blocks(self) -> list[Array]:
        """Where columns and tiles are."""
        return [*self.corners.t.blocks.values(), self.corners.anchors.tiles]

    def _ready_to_go(self) -> None:
        # All arguments of the machine code are made once, not a batch: they hold addresses, which `fits` compares
        # before each use.
        anchors, o, n = self.corners.anchors, self.corners.anchors.layout, len(self._variance)
        looked = Looked(np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.int64))
        trial = Trial(lined(7 * o.area + 128), np.zeros(8, np.int64), self._work)
        planes = lined(PLANES + 17 * (o.w + FAR + 1) * (o.pitch + 8))
        order = np.argsort(self.corners.t["y"])
        self._outcome, self._doubtful = Outcome(), np.zeros(n, np.int64)
        self._alive: list[Any] = [
            self._windows, TABLE, anchors.arrays(self._sets[0][1]), self._limits,
            Memory(self._fits, self._variance, self.every, order, looked, trial, planes),
        ]  # fmt: skip
        self._given = arguments(*self._alive)
        self._frames = frames.native(self._kind)

    def go(self, pictures: Sequence[Array], steps: Sequence[float], age: int, most: int) -> tuple[Array, bool]:
        """Frames on, as many as go by: KEPT (frames, 6, windows), and whether a window turns by the last of them.

        Args:
            pictures: as from `ready`, of one type and size; those after the first that is not are not looked at. A
                frame in which a window sees a pixel that is not a number does not go by.
            steps: frames since the frame before, each.
            age: frames since the first one, before these.
            most: frames averaged in references.
        """
        # One base address and offsets in pixels: pictures of a batch are mostly views of one block, and where they are
        # not the difference of their addresses serves as well.
        first, size, starts = address(pictures[0]), self._kind.itemsize, []
        for picture in pictures:
            start = address(picture) - first
            if picture.dtype != self._kind or picture.shape != self._shape or start % size:
                break
            starts.append(start // size)
        return self._go_by(pictures[0], np.array(starts, np.int64), steps, age, most, UNSEEN)

    def sighted(
        self, there: DeviceTracking, images: LyingImages, steps: Sequence[float], age: int, most: int
    ) -> Sightings:
        """Where windows that learn no more are in frames that lie on a device; for `go_on` where all only move, else
        for `recalled`."""
        sets = {refs.layout.p: refs for refs in (self.corners.anchors.references, *(refs for _, refs, _ in self._sets))}
        return there.follow(images, steps, self.corners, sets, self._windows, age, most)

    def go_on(self, sightings: Sightings, steps: Sequence[float], age: int, most: int) -> tuple[Array, bool]:
        """As `go`, by what is known already."""
        none, starts = np.zeros(1, self._kind), np.zeros(len(steps), np.int64)
        return self._go_by(none, starts, steps, age, most, sightings)

    def recalled(self, sightings: Sightings, frame: int, step: float) -> Array | None:
        """As `move`, by what is known already of all frames of which this is one."""
        if (sightings.done <= frame).any():
            return None
        n, fits = self.count, self._fits
        found = sightings.records.reshape(n, -1, sightings.width)[:, frame]
        fits.x[:n], fits.y[:n], fits.score[:n], self._variance[:n] = found[:, :4].T
        if self._together is not None and self._together[0](*self._together[1]):
            # A window nearer to another than allowed makes this frame one for the general code.
            return None
        for rows, sought in self._turned:
            sought.next.reshape(-1, 8)[rows] = found[rows, 4:12]
            self.corners.t["drawn"][rows] = found[rows, 12:16].reshape(-1, 2, 2)
        assert self._taken is not None
        self._settle()
        self._taken(n, step, *self._to_believe)
        return self._kept.copy()

    def shapes_recalled(self, sightings: Sightings, frame: int) -> Array:
        """The shapes of windows' uncertainties as `Corners.shapes` has them, of references as they were drawn then."""
        if self.corners.anchors.references.layout.p == 2:  # of windows with models of their own: those that do not turn
            return self.corners.shapes()
        n, made = self.count, np.empty((self.count, SHAPE))
        inverse = np.ascontiguousarray(sightings.records.reshape(n, -1, sightings.width)[:, frame, [18, 19, 19, 20]])
        call(shapes_of, self.every, n, inverse, 2, np.ones(n, np.int64), float(self.corners.window), made)
        return made

    def redraw(self, drawn: Array) -> None:
        """Draw the references anew that were drawn elsewhere, as windows lie by now. `drawn`: how they are drawn here,
        which is brought up to date."""
        t, anchors = self.corners.t, self.corners.anchors
        own = np.flatnonzero((t["drawn"] != drawn).any(axis=(1, 2)))
        for rows, refs, _ in self._sets if len(own) else ():
            for row in np.intersect1d(own, rows).tolist():
                call(draw, anchors.arrays(refs), int(t["slot"][row]), np.ascontiguousarray(t["drawn"][row]),
                     t["slot"][row : row + 1], anchors.striped, self._work)  # fmt: skip
        drawn[...] = t["drawn"]

    def device_tracking(self, device: Any, type_: Any) -> DeviceTracking:
        """What follows them on a device.

        Args:
            device: where frames lie.
            type_: of these.
        """
        return DeviceTracking(device, type_, self.corners.anchors, self._limits)

    def _go_by(
        self, first: Array, starts: Array, steps: Sequence[float], age: int, most: int, sightings: Sightings
    ) -> tuple[Array, bool]:
        assert self._frames is not None
        kept = np.empty((len(starts), len(KEPT), self.count))
        self.shapes = np.empty((len(starts), self.count, SHAPE))
        height, width = self._shape
        batch = Batch(first, height, width, starts, np.array(steps[: len(starts)], np.float64), len(starts))
        passed = Passed(kept, self.shapes, self._doubtful, self._outcome)
        done = self._frames(*arguments(batch, Schedule(self.count, most, age), sightings, passed), *self._given)
        # References that may be of stripes are drawn in Python, in rising order as when frames come one by one.
        if self._outcome.doubtful and done:
            self.corners.drawn(np.sort(self._doubtful[: self._outcome.doubtful]))
            self.shapes[done - 1] = self.corners.shapes()
        return kept[:done], bool(self._outcome.turns)

    def _ready_to_move(self, picture: Array | LyingImage) -> None:
        anchors, n, windows, fits = self.corners.anchors, len(self._variance), self._windows, self._fits
        self._kept = np.zeros((len(KEPT), self.count))
        self._believe, self._taken, self._settle_turned = believe.native(), taken.native(), settle.native()
        self._around = (*self._shape, address(TABLE))
        self._groups: list[tuple[bool, Callable[..., Any], list[Any]]] = []
        self._settles: list[list[Any]] = []
        self._undos: list[tuple[Any, ...]] = []
        self._turned: list[tuple[Array, Sought]] = []
        self._alive = [windows, self._limits, fits]
        learning: list[tuple[Chosen, References, Array]] = []
        for rows, refs, _ in self._sets:
            chosen, p = Chosen(rows, len(rows)), refs.layout.p
            if p == 2:
                next_, given = fits.bend, (chosen, windows, refs.arrays(), self._limits, fits)
                self._add(seek, picture, (*given, self._variance, self._work))
            else:
                next_ = np.zeros(8 * n)
                saved = lined(len(rows) * (refs.layout.area * (p + 1) + p**2 + 8))
                sought = Sought(fits, self._variance, self.every, next_, np.zeros(n, np.int64), saved)
                taking = (chosen, windows, anchors.arrays(refs), self._limits, sought, self._work)
                self._add(seek_turned, picture, taking)
                self._alive.append(sought)
                self._turned.append((rows, sought))
                self._settles.append(arguments(chosen, windows.deformation, sought))
                self._undos.append((chosen, windows.learnt.slot, refs.arrays(), windows.deformation.drawn, sought))
            learning.append((chosen, refs, next_))
        self.young = TurnedLearning(self.corners, learning, picture, windows, self._limits, fits, self._variance,
                                    self._work)  # fmt: skip
        """What is learnt where some turn or deform."""
        self._together: tuple[Callable[..., Any], tuple[int | float, ...]] | None = None
        if self._apart > 0:
            order, native = np.argsort(self.corners.t["y"]), together.native()
            assert native is not None
            self._alive.append(order)
            self._together = native, (address(fits.x), address(fits.y), address(order), self.count, self._apart)
        self._to_believe = arguments(windows, self._limits, fits, self._variance, self._kept)

    def _add(self, one: Loop, picture: Array | LyingImage, given: tuple[Any, ...]) -> None:
        native = one.native(picture.dtype)
        assert native is not None
        self._alive.append(given)
        self._groups.append((one is seek_turned, native, arguments(*given)))

    def move(self, picture: Array, step: float, age: int) -> Array | None:
        """One frame on: KEPT (6, windows), a copy; None where that is not all, and nothing was changed. `age`: frames
        since the first one."""
        if not self._seek(picture, step, age):
            return None
        assert self._taken is not None
        self._settle()
        self._taken(self.count, step, *self._to_believe)
        return self._kept.copy()

    def learn(self, picture: Array, step: float, age: int, most: int) -> Array | None:
        """As `move`, while noise is looked at and means of `most` frames grow."""
        place = address(picture)
        if not self._seek(picture, step, age):
            return None
        if self.young.more(place, most, age):
            self.undo()
            return None
        assert self._believe is not None
        self.young.seen(place, most, age)
        self._settle()
        self._believe(self.count, step, *self._to_believe)
        self.young.drawn()
        return self._kept.copy()

    def undo(self) -> None:
        """Forget what was sought."""
        for given in self._undos:
            call(undo, *given)

    def rows(self, kept: Array, clocks: Sequence[tuple[int, float, float]], order: Array, least: int = 0) -> Tracks:
        """Rows of the windows, (frames, windows); their `shapes` are known by then.

        Args:
            kept: KEPT of some frames, (frames, 6, windows).
            clocks: index, time and rate of each (`base.Clock`).
            order: in which the windows' rows come, int64.
            least: a window is believed that was seen so often; `hits` are those before these frames.
        """
        t, number, moments = self.corners.t, len(kept), np.array(clocks)
        rows = np.empty((number, self.count), TRACK_DTYPE)
        lay = lay_rows.native()
        assert lay is not None
        shapes = np.ascontiguousarray(self.shapes[:number])
        listed = Listed(order, self.count, t["track"], t["hits"], least)
        lay(*arguments(kept, number, moments, listed, shapes, rows))
        return rows

    def _settle(self) -> None:
        assert self._settle_turned is not None
        for given in self._settles:
            self._settle_turned(*given)

    def _seek(self, picture: Array, step: float, age: int) -> bool:
        place = address(picture)
        self.corners.anchors.version += bool(self._turned)  # they may be drawn anew
        for turned, native, given in self._groups:
            # Nothing is believed before all were found: one that was not makes the frame as if it had never been looked
            # at.
            when = (step, age) if turned else (step,)
            if not native(place, *self._around, *when, *given):
                self.undo()
                return False
        if self._together is not None and self._together[0](*self._together[1]):
            self.undo()
            return False
        return True


def _room(corners: Corners, n: int) -> int:
    """Numbers that all loops have room in."""
    o, anchors = corners.anchors.layout, corners.anchors
    looked = PLANES + 2 * (o.w + FAR + 1) * (o.pitch + 8) + 16 + o.area
    taken = (anchors.side + 7) * (2 * anchors.stride + 8) + anchors.side * anchors.stride
    fitted = (o.w + SPAN) * (o.pitch + 16) + (o.w + 7) * o.pitch + 9 * (o.pitch + 8)
    return n + 1024 + looked + taken + fitted
