"""Frames in which every window goes on as it did, in machine code: no search.

That is nearly every frame of a recording, and NumPy's price for so many small operations would be most of its time.
Windows that only move go by in one call for a whole batch, the frames in which they are learnt too; where some turn or
deform a frame is a few calls. It is what trackers do frame by frame, with the same operations in the same order, and
everything is left as it was where one window needs more than that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.loops import Loop, address
from kernels.host.scratch import lined
from pipelines.features import TRACK_DTYPE, Tracks
from pipelines.trackers.patches.corners import LIMITS, RATE, REDRAWN, SLACK, Corners
from pipelines.trackers.patches.covering import FALL, UNEVEN
from pipelines.trackers.patches.ellipse_loops import SHAPE
from pipelines.trackers.patches.fit import SETTLED, STEPS, References
from pipelines.trackers.patches.fit_loops import SPAN
from pipelines.trackers.patches.grain import LEAST, MOST
from pipelines.trackers.patches.grain_loops import FAR, PLANES
from pipelines.trackers.patches.native import call
from pipelines.trackers.patches.row_loops import lay_rows
from pipelines.trackers.patches.steady_learning import TurnedLearning
from pipelines.trackers.patches.steady_loops import APART, believe, frames, seek, taken, together
from pipelines.trackers.patches.taps import SLOPE_NOISE, TABLE
from pipelines.trackers.patches.turned_loops import seek_turned, settle, undo
from pipelines.trackers.patches.uncertainty import FEW, FLOOR
from pipelines.trackers.patches.warps import FALL as BENT

Array = npt.NDArray[Any]

FLOATS = ("x", "y", "vx", "vy", "p00", "p01", "p11", "px", "py", "gap", "drift", "level", "offset", "grain", "bend",
          "drawn", "turn", "base", "ox", "oy", "left", "tested", "told", "past", "pvar",
          "misfit")  # fmt: skip
KEPT = ("x", "y", "vx", "vy", "p00", "score")
"""What is kept of each frame, in this order: x, y of the followed points, not of their windows."""
SURE = 0.999  # of the largest speed; what is faster is looked at exactly


class Steady:
    """Frames on end of windows that go on as they did, as long as every one of them does.

    Args:
        corners: the windows; as long as it `fits` them, their number and models stay as they are.
        reach, low, worse, settling, fastest, acceleration: as the tracker has them.
        bending: whether windows may bend whose scores fall.
        picture: of the type and size of all that follow.
        apart: px that two windows must be apart; 0: any.
    """

    def __init__(
        self, corners: Corners, picture: Array, reach: float, low: float, worse: float, settling: float, fastest: float,
        acceleration: float, bending: bool, apart: float = 0.0,
    ) -> None:  # fmt: skip
        t, w = corners.t, corners.window
        self.corners, self.count, self._shape, self._kind = corners, len(t), picture.shape, picture.dtype
        how = np.array((
            reach, SETTLED, low, worse, settling, fastest, acceleration * acceleration, max(w**2 - 4, 1),
            w**2 * SLOPE_NOISE, FLOOR**2, LEAST, MOST, SURE, STEPS,
            FALL, UNEVEN, FEW, SLACK, REDRAWN, *LIMITS, RATE, *corners.anchors.striped,
            max(w**2 - 4, 1), w**2 * SLOPE_NOISE, FLOOR**2, FEW, LEAST, MOST, apart,
            BENT if bending else 9.0,
        ))  # fmt: skip
        n = max(self.count, 1)
        places = np.array([t.first.get(name, 0) * t.room for name in FLOATS])
        self._how, self._places, self._variance = how, places, np.zeros(n)
        self._found, self._converged, self.every = np.zeros(9 * n), np.zeros(n, np.int64), np.arange(n)
        self._work = lined(_room(corners, n))
        self._sets = [(rows, refs, refs.pixels) for rows, refs in corners.sets()]
        self._memory = self._blocks()
        self.shapes = np.zeros((0, self.count, SHAPE))
        """Those of the uncertainties of windows after each of the frames that went by (`ellipse_loops`)."""
        self._models = t["warp"].copy() if "warp" in t else None
        self.alike = len(self._sets) == 1 and self._sets[0][1].layout.p == 2
        """Whether all only move: then `go`, else `move` and `learn` are for it."""
        if self.alike:
            self._ready_to_go(bending)
        else:
            self._ready_to_move(picture, bending)

    def fits(self, picture: Array) -> bool:
        """Whether it is still for these windows, in the memory where they are, and for such pictures."""
        t = self.corners.t
        same = len(t) == self.count and picture.shape == self._shape and picture.dtype == self._kind
        same = same and all(a is b for a, b in zip(self._memory, self._blocks(), strict=True))
        same = same and all(refs.pixels is pixels for _, refs, pixels in self._sets)
        return same and (self._models is None or bool((t["warp"] == self._models).all()))

    def _blocks(self) -> list[Array]:
        """Where columns and tiles are."""
        return [*self.corners.t.blocks.values(), self.corners.anchors.tiles]

    def _ready_to_go(self, bending: bool) -> None:
        t, anchors, o, n = self.corners.t, self.corners.anchors, self.corners.anchors.layout, len(self._variance)
        refs, planes = self._sets[0][1], PLANES + 17 * (o.w + FAR + 1) * (o.pitch + 8)
        self._sizes = np.array((
            *self._shape, self.count, n, o.w, o.pitch, anchors.side, anchors.stride, anchors.edge, anchors.size,
            o.across, 0, bending, anchors.stripes, self._kind.kind == "f",
        ), np.int64)  # fmt: skip
        self._state, self._doubtful = np.zeros(2, np.int64), np.zeros(n, np.int64)
        given = (
            self._sizes, t.blocks[np.dtype("f8")], self._places, t["slot"], t["averaged"], t["counted"], t["looks"],
            t["solved"], t["closed"], self._how, o.mask, anchors.mask, o.lever, TABLE, anchors.tiles, refs.pixels,
            refs.norm, refs.jacobian, refs.inverse, refs.textured, self.every, np.argsort(t["y"]),
            np.zeros(n, np.int64), self._found, self._converged, self._variance, np.zeros(n),
        )  # fmt: skip
        after = (self._state, self._doubtful, np.zeros(8, np.int64), lined(7 * o.area + 128), lined(planes),
                 self._work)  # fmt: skip
        self._alive = [*given, *after]
        self._given, self._after = [address(one) for one in given], [address(one) for one in after]
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
        assert self._frames is not None
        first, size, starts = address(pictures[0]), self._kind.itemsize, []
        for picture in pictures:
            start = address(picture) - first
            if picture.dtype != self._kind or picture.shape != self._shape or start % size:
                break
            starts.append(start // size)
        kept = np.empty((len(starts), len(KEPT), self.count))
        self.shapes = np.empty((len(starts), self.count, SHAPE))
        places, times = np.array(starts, np.int64), np.array(steps[: len(starts)], np.float64)
        self._sizes[11] = most
        done = self._frames(first, address(places), address(times), len(starts), age, *self._given, address(kept),
                            address(self.shapes), *self._after)  # fmt: skip
        doubts, turns = self._state.tolist()
        if doubts and done:
            self.corners.drawn(np.sort(self._doubtful[:doubts]))
            self.shapes[done - 1] = self.corners.shapes()
        return kept[:done], bool(turns)

    def _ready_to_move(self, picture: Array, bending: bool) -> None:
        t, anchors, o, n = self.corners.t, self.corners.anchors, self.corners.anchors.layout, len(self._variance)
        floats, places, how, work = t.blocks[np.dtype("f8")], self._places, self._how, self._work
        self._kept = np.zeros((len(KEPT), self.count))
        self._alive = [floats, t["slot"], t["averaged"], t["looks"]]
        self._believe, self._taken = believe.native(), taken.native()
        common, sizes = (floats, places, t["slot"], t["averaged"], t["looks"]), (n, o.w, o.pitch)
        self._groups: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
        self._settles: list[tuple[Array | int, ...]] = []
        self._undos: list[tuple[Array | int, ...]] = []
        learning: list[tuple[Array, References, Array]] = []
        for rows, refs, _ in self._sets:
            layout = refs.layout
            arrays, next_ = (refs.pixels, refs.norm, refs.jacobian, refs.inverse, refs.textured), self._found
            if layout.p == 2:
                given = (*common, rows, how, layout.mask, TABLE, *arrays, self._found, self._converged, self._variance,
                         work)  # fmt: skip
                self._add(seek, picture, (len(rows),), sizes, given)
            else:
                flags, next_ = np.zeros(n, np.int64), np.zeros(8 * n)
                saved = lined(len(rows) * (layout.area * (layout.p + 1) + layout.p**2 + 8))
                self._alive += [flags, next_, saved]
                wide = (*sizes, layout.across, anchors.side, anchors.stride)
                taking = (*common, self.every, how, layout.mask, layout.lever, TABLE, anchors.tiles, *arrays,
                          self._found, self._converged, self._variance, flags, saved, next_, work)  # fmt: skip
                self._add(seek_turned, picture, (address(rows), len(rows), layout.p), wide, taking)
                self._settles.append((rows, len(rows), floats, places, flags, next_))
                self._undos.append((rows, len(rows), layout.area, layout.p, flags, t["slot"], *arrays,
                                    floats[places[15] :], saved))  # fmt: skip
            self._alive += [rows, layout.mask, layout.lever, *arrays]
            learning.append((rows, refs, next_))
        self.young = TurnedLearning(self.corners, learning, self._shape, self._kind, places, how, self._found,
                                    self._variance, work, bending)  # fmt: skip
        """What is learnt where some turn or deform."""
        self._together: tuple[Callable[..., Any], tuple[int | float, ...]] | None = None
        if how[APART] > 0:
            order, native = np.argsort(t["y"]), together.native()
            assert native is not None
            self._alive.append(order)
            x, y = (address(self._found[k * n :]) for k in (0, 1))
            self._together = native, (x, y, address(order), self.count, float(how[APART]))
        self._to_believe = [address(one) for one in (floats, places, how, self._found, self._variance, self._kept)]

    def _add(self, one: Loop, picture: Array, rows: tuple[int, ...], sizes: tuple[int, ...], arrays: Any) -> None:
        native = one.native(picture.dtype)
        assert native is not None
        self._groups.append((native, (rows, (*sizes, *(address(array) for array in arrays)))))

    def move(self, picture: Array, step: float, age: int) -> Array | None:
        """One frame on: KEPT (6, windows), a copy; None where that is not all, and nothing was changed. `age`: frames
        since the first one."""
        if not self._seek(picture, step, age):
            return None
        assert self._taken is not None
        self._settle()
        self._taken(self.count, step, len(self._variance), *self._to_believe)
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
        self._believe(self.count, step, len(self._variance), *self._to_believe)
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
        lay(address(kept), number, self.count, address(order), address(moments), address(t["track"]),
            address(t["hits"]), least, address(shapes), address(rows))  # fmt: skip
        return rows

    def _settle(self) -> None:
        for given in self._settles:
            call(settle, *given)

    def _seek(self, picture: Array, step: float, age: int) -> bool:
        place = address(picture)
        for native, given in self._groups:
            when = (step, age) if len(given[0]) > 1 else (step,)
            if not native(place, *self._shape, *given[0], *when, *given[1]):
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
