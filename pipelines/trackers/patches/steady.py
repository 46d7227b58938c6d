"""Frames in which every window goes on as it did, in a few calls of machine code each: no search.

That is nearly every frame of a recording, and NumPy's price for so many small operations would be most of its time.
`frame` (or `seek` and `believe`, with what is learnt between and after) does what `template.TemplateTracker.update`
does in such a frame, with the same operations in the same order, and leaves everything as it was where one window needs
more than that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.loops import F64, I32, I64, PIXELS, Loop, at, loop, sqrt
from pipelines.trackers.patches.corners import FEW, FLOOR, LIMITS, RATE, REDRAWN, SLACK, Corners
from pipelines.trackers.patches.fit import SETTLED, STEPS, Fit
from pipelines.trackers.patches.fit_loops import SPAN, fit
from pipelines.trackers.patches.grain import LEAST, MOST
from pipelines.trackers.patches.look_loops import uneven
from pipelines.trackers.patches.native import call, scratch
from pipelines.trackers.patches.stripes import HIGHEST, STRIPES
from pipelines.trackers.patches.taps import SLOPE_NOISE, TABLE
from pipelines.trackers.patches.turned_loops import seek_turned, settle, undo
from pipelines.trackers.patches.warps import FALL, UNEVEN

Array = npt.NDArray[Any]

FLOATS = ("x", "y", "vx", "vy", "p00", "p01", "p11", "px", "py", "gap", "drift", "level", "offset", "grain", "bend",
          "drawn", "turn", "base", "ox", "oy")  # fmt: skip
KEPT = ("x", "y", "vx", "vy", "p00", "score")
"""What is kept of each frame, in this order: x, y of the followed points, not of their windows."""
SURE = 0.999  # of the largest speed; what is faster is looked at exactly


@loop
def seek(image: PIXELS, height: int, width: int, count: int, step: float, room: int, w: int, pitch: int, floats: F64,
         places: I64, slot: I64, averaged: I64, looks: I32, which: I64, how: F64, mask: F64, table: F64, pixels: F64,
         norm: F64, jacobian: F64, inverse: F64, textured: I64, found: F64, converged: I64, variance: F64,
         work: F64) -> int:  # fmt: skip
    """Find the windows one frame on; 1 if each is where it was expected and looks as usual. Nothing is changed.

    Args:
        floats, places: the block of the columns, and the first entries of FLOATS in it.
        how: reach, settled, least score, worse, settling, largest speed, acceleration^2, degrees of freedom,
            w^2 SLOPE_NOISE, FLOOR^2, LEAST, MOST, SURE, steps, FALL (far below any score where all windows only move),
            UNEVEN, FEW.
        found: room for x, y, score, phase, rest, bend (4), of `room` windows each.
        variance: of one frame's noise, without the interpolation's error.
    """
    x, y, vx, vy = at(floats, places[0]), at(floats, places[1]), at(floats, places[2]), at(floats, places[3])
    px, py, gap = at(floats, places[7]), at(floats, places[8]), at(floats, places[9])
    level, grain = at(floats, places[11]), at(floats, places[13])
    fx, fy, score, phase = at(found, 0), at(found, room), at(found, 2 * room), at(found, 3 * room)
    rest, bend = at(found, 4 * room), at(found, 5 * room)
    half = float(w // 2)
    right, below = float(width - 1), float(height - 1)
    for k in range(count):
        i = which[k]
        fx[i], fy[i] = x[i] + step * vx[i], y[i] + step * vy[i]
        if not (fx[i] >= half and fx[i] <= right - half and fy[i] >= half and fy[i] <= below - half):
            return 0
        if textured[slot[i]] != 1:
            return 0
    fit(image, height, width, which, count, w, pitch, 2, mask, table, slot, pixels, norm, jacobian, inverse, textured,
        how[0], int(how[13]), how[1], fx, fy, bend, score, phase, rest, converged, work)  # fmt: skip
    margin = half - 0.25
    for k in range(count):
        i = which[k]
        known = level[i] if level[i] > 0.0 else 1.0
        usual = max(max(how[2], known - how[3]), known - (how[14] + how[15] * (1.0 - known)))
        if converged[i] == 0 or not (score[i] >= usual):
            return 0
        if not (fx[i] >= margin and fx[i] <= right - margin and fy[i] >= margin and fy[i] <= below - margin):
            return 0
        ex, ey = fx[i] - px[i], fy[i] - py[i]
        if not (sqrt(ex * ex + ey * ey) / max(gap[i] + step, 1.0) < how[12] * how[5]):
            return 0
        own = slot[i]
        spread = (inverse[4 * own] + inverse[4 * own + 3]) / 2.0 * 1.0
        number = float(averaged[i])
        noise = max(rest[i], 0.0) / how[7] / (phase[i] + 1.0 / number)
        true = 1.0 - min(how[8] * noise / number * spread, 0.5)
        variance[i] = noise * spread / (true * true) * uneven(grain[i], looks[i], int(how[16]), how[10], how[11])
        if not (variance[i] + how[9] <= 1.0):
            return 0
    return 1


@loop
def believe(count: int, step: float, room: int, floats: F64, places: I64, how: F64, found: F64, noise: F64, kept: F64,
            ) -> int:  # fmt: skip
    """Take what was sought: one frame on.

    Args:
        noise: variances of the places, px^2, without renewals.
        kept: gets KEPT, `count` of each.
    """
    x, y, vx, vy = at(floats, places[0]), at(floats, places[1]), at(floats, places[2]), at(floats, places[3])
    p00, p01, p11 = at(floats, places[4]), at(floats, places[5]), at(floats, places[6])
    px, py, gap, drift = at(floats, places[7]), at(floats, places[8]), at(floats, places[9]), at(floats, places[10])
    level, bend, base = at(floats, places[11]), at(floats, places[14]), at(floats, places[17])
    ox, oy = at(floats, places[18]), at(floats, places[19])
    fx, fy, score = at(found, 0), at(found, room), at(found, 2 * room)
    q = how[6]
    for i in range(count):
        x0, y0 = x[i] + step * vx[i], y[i] + step * vy[i]
        a = p00[i] + (step * (2.0 * p01[i] + step * p11[i]) + q * (step * step * step) / 3.0)
        b = p01[i] + (step * p11[i] + q * step * step / 2.0)
        c = p11[i] + q * step
        variance = noise[i] + drift[i]
        total = a + variance
        k1 = b / total
        vx[i] = vx[i] + k1 * (fx[i] - x0)
        vy[i] = vy[i] + k1 * (fy[i] - y0)
        p01[i] = k1 * variance
        p11[i] = max(c - k1 * b, 0.0)
        x[i], y[i], p00[i] = fx[i], fy[i], variance
        px[i], py[i], gap[i] = fx[i], fy[i], 0.0
        level[i] = level[i] + (how[4] if level[i] > 0.0 else 1.0) * (max(score[i], 0.0) - level[i])
        one, two = at(bend, 4 * i), at(base, 4 * i)
        m0, m1 = one[0] * two[0] + one[1] * two[2], one[0] * two[1] + one[1] * two[3]
        m2, m3 = one[2] * two[0] + one[3] * two[2], one[2] * two[1] + one[3] * two[3]
        kept[i], kept[count + i] = fx[i] + (m0 * ox[i] + m1 * oy[i]), fy[i] + (m2 * ox[i] + m3 * oy[i])
        kept[2 * count + i], kept[3 * count + i] = vx[i], vy[i]
        kept[4 * count + i], kept[5 * count + i] = variance, score[i]
    return 1


@loop
def taken(count: int, step: float, room: int, floats: F64, places: I64, how: F64, found: F64, variance: F64, kept: F64,
          ) -> int:  # fmt: skip
    """The same with the variances of one frame's noise."""
    offset = at(floats, places[12])
    for i in range(count):
        variance[i] = max(variance[i] + offset[i], 0.0) + how[9]
    believe(count, step, room, floats, places, how, found, variance, kept)
    return 1


@loop
def frame(image: PIXELS, height: int, width: int, count: int, step: float, room: int, w: int, pitch: int, floats: F64,
          places: I64, slot: I64, averaged: I64, looks: I32, which: I64, how: F64, mask: F64, table: F64, pixels: F64,
          norm: F64, jacobian: F64, inverse: F64, textured: I64, found: F64, converged: I64, kept: F64, variance: F64,
          work: F64) -> int:  # fmt: skip
    """One frame on, as `seek` and `believe`; 1 if that is all, 0 (and nothing is changed) if a window needs more."""
    good = seek(image, height, width, count, step, room, w, pitch, floats, places, slot, averaged, looks, which, how,
                mask, table, pixels, norm, jacobian, inverse, textured, found, converged, variance, work)  # fmt: skip
    if good == 0:
        return 0
    taken(count, step, room, floats, places, how, found, variance, kept)
    return 1


class Steady:
    """Frames on end of windows that go on as they did, as long as every one of them does.

    Args:
        corners: the windows; their number and models stay as they are meanwhile.
        reach, low, worse, settling, fastest, acceleration: as the tracker has them.
        bending: whether windows may bend whose scores fall.
        picture: of the type and size of all that follow.
    """

    def __init__(
        self, corners: Corners, picture: Array, reach: float, low: float, worse: float, settling: float, fastest: float,
        acceleration: float, bending: bool,
    ) -> None:  # fmt: skip
        t, anchors, o = corners.t, corners.anchors, corners.anchors.layout
        self.corners, self.count, self._shape, w = corners, len(t), picture.shape, o.w
        how = np.array((
            reach, SETTLED, low, worse, settling, fastest, acceleration * acceleration, max(w**2 - 4, 1),
            w**2 * SLOPE_NOISE, FLOOR**2, LEAST, MOST, SURE, STEPS,
            FALL if bending else 9.0, UNEVEN, FEW, SLACK, REDRAWN, *LIMITS, RATE, STRIPES, SLOPE_NOISE * w * w,
            0.6745 * float((HIGHEST * HIGHEST).sum()),
        ))  # fmt: skip
        n, many = max(self.count, 1), corners.anchors.side * corners.anchors.stride
        places, floats = np.array([t.first[name] * t.room for name in FLOATS]), t.blocks[np.dtype("f8")]
        self._kept, self._variance = np.zeros((len(KEPT), self.count)), np.zeros(n)
        self._found, self._converged, self._every = np.zeros(9 * n), np.zeros(n, np.int64), np.arange(n)
        work = scratch(n + 512 + (w + SPAN) * (o.pitch + 16) + (w + 7) * o.pitch + 9 * (o.pitch + 8) + many)
        self._alive: list[Array] = [floats, places, how, work, t["slot"], t["averaged"], t["looks"]]
        self._native, self._believe, self._taken = frame.native(picture.dtype), believe.native(), taken.native()
        common, self._sizes = (floats, places, t["slot"], t["averaged"], t["looks"]), (n, w, o.pitch)
        self._groups: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
        self._settles: list[tuple[Array | int, ...]] = []
        self._undos: list[tuple[Array | int, ...]] = []
        for rows, refs in corners.sets():
            layout, after = refs.layout, (self._variance, work)
            arrays = (refs.pixels, refs.norm, refs.jacobian, refs.inverse, refs.textured)
            if layout.p == 2:
                given = (*common, rows, how, layout.mask, TABLE, *arrays, self._found, self._converged)
                self._add(seek, picture, (len(rows),), self._sizes, (*given, *after))
                self._before, self._after = [_address(one) for one in given], [_address(one) for one in after]
            else:
                flags, next_ = np.zeros(n, np.int64), np.zeros(8 * n)
                saved = np.zeros(len(rows) * (layout.area * (layout.p + 1) + layout.p**2 + 8))
                self._alive += [flags, next_, saved]
                sizes = (*self._sizes, layout.across, anchors.side, anchors.stride)
                taking = (*common, self._every, how, layout.mask, layout.lever, TABLE, anchors.tiles, *arrays,
                          self._found, self._converged, self._variance, flags, saved, next_, work)  # fmt: skip
                self._add(seek_turned, picture, (_address(rows), len(rows), layout.p), sizes, taking)
                self._settles.append((rows, len(rows), floats, places, flags, next_))
                self._undos.append((rows, len(rows), layout.area, layout.p, flags, t["slot"], *arrays,
                                    floats[places[15] :], saved))  # fmt: skip
            self._alive += [rows, layout.mask, layout.lever, *arrays]
        self._pure = len(self._groups) == 1 and not self._settles
        self._to_believe = [_address(one) for one in (floats, places, how, self._found, self._variance, self._kept)]

    def _add(self, one: Loop, picture: Array, rows: tuple[int, ...], sizes: tuple[int, ...], arrays: Any) -> None:
        native = one.native(picture.dtype)
        assert native is not None
        self._groups.append((native, (rows, (*sizes, *(_address(array) for array in arrays)))))

    def move(self, picture: Array, step: float) -> Array | None:
        """One frame on: KEPT (6, windows), a copy; None where that is not all, and nothing was changed."""
        if self._pure:
            assert self._native is not None
            done = self._native(_address(picture), *self._shape, self.count, step, *self._sizes, *self._before,
                                _address(self._kept), *self._after)  # fmt: skip
            return self._kept.copy() if done else None
        if not self._seek(picture, step):
            return None
        assert self._taken is not None
        self._settle()
        self._taken(self.count, step, self._sizes[0], *self._to_believe)
        return self._kept.copy()

    def sought(self, picture: Array, step: float) -> Fit | None:
        """The fits one frame on, to be believed or undone; None where one is not as usual, and nothing is changed."""
        if not self._seek(picture, step):
            return None
        x, y, score, phase, rest = self._found.reshape(9, -1)[:5, : self.count]
        return Fit(x, y, np.zeros((self.count, 4)), score, phase, rest, self._converged[: self.count])

    def believed(self, picture: Array, step: float, fit: Fit, most: int) -> Array:
        """Take the fits of `sought`, look at their noise, add to the means of fewer than `most`: KEPT, as `move`."""
        assert self._believe is not None
        every = self._every[: self.count]
        self._variance[: self.count] = self.corners.variances(picture, every, fit)
        self._settle()
        self._believe(self.count, step, self._sizes[0], *self._to_believe)
        self.corners.learn(picture, every, most)
        return self._kept.copy()

    def undo(self) -> None:
        """Forget what was sought."""
        for given in self._undos:
            call(undo, *given)

    def _settle(self) -> None:
        for given in self._settles:
            call(settle, *given)

    def _seek(self, picture: Array, step: float) -> bool:
        place = _address(picture)
        for native, given in self._groups:
            if not native(place, *self._shape, *given[0], step, *given[1]):
                self.undo()
                return False
        return True


def _address(array: Array) -> int:
    assert array.flags.c_contiguous
    return int(array.__array_interface__["data"][0])
