"""Frames in which every window moves on as it did, in one call of machine code each: no search, nothing to learn.

That is nearly every frame of a recording, and NumPy's price for so many small operations would be most of its time.
`frame` does what `template.TemplateTracker.update` does in such a frame, with the same operations in the same order,
and leaves everything as it was where one window needs more than that.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.loops import F64, I64, PIXELS, at, loop, sqrt
from pipelines.trackers.patches.corners import FLOOR, Corners
from pipelines.trackers.patches.fit import SETTLED, STEPS
from pipelines.trackers.patches.fit_loops import SPAN, fit
from pipelines.trackers.patches.grain import LEAST, MOST
from pipelines.trackers.patches.native import scratch
from pipelines.trackers.patches.taps import SLOPE_NOISE, TABLE
from pipelines.trackers.patches.warps import FALL, UNEVEN

Array = npt.NDArray[Any]

FLOATS = ("x", "y", "vx", "vy", "p00", "p01", "p11", "px", "py", "gap", "drift", "level", "offset", "grain")
KEPT = ("x", "y", "vx", "vy", "p00", "score")
"""What is kept of each frame, in this order."""
SURE = 0.999  # of the largest speed; what is faster is looked at exactly


@loop
def frame(image: PIXELS, height: int, width: int, count: int, step: float, room: int, w: int, pitch: int, floats: F64,
          places: I64, slot: I64, averaged: I64, which: I64, how: F64, mask: F64, table: F64, pixels: F64, norm: F64,
          jacobian: F64, inverse: F64, textured: I64, found: F64, converged: I64, kept: F64,
          work: F64) -> int:  # fmt: skip
    """One frame on; 1 if that is all, 0 (and nothing is changed) if a window needs more.

    Args:
        floats, places: the block of the columns, and the first entries of FLOATS in it.
        how: reach, settled, least score, worse, settling, largest speed, acceleration^2, degrees of freedom,
            w^2 SLOPE_NOISE, FLOOR^2, LEAST, MOST, SURE, steps, FALL (far below any score where all windows only move),
            UNEVEN.
        found: room for x, y, score, phase, rest, bend (4), of `room` windows each.
        kept: gets KEPT, `count` of each.
    """
    x, y, vx, vy = at(floats, places[0]), at(floats, places[1]), at(floats, places[2]), at(floats, places[3])
    p00, p01, p11 = at(floats, places[4]), at(floats, places[5]), at(floats, places[6])
    px, py, gap, drift = at(floats, places[7]), at(floats, places[8]), at(floats, places[9]), at(floats, places[10])
    level, offset, grain = at(floats, places[11]), at(floats, places[12]), at(floats, places[13])
    fx, fy, score, phase = at(found, 0), at(found, room), at(found, 2 * room), at(found, 3 * room)
    rest, bend = at(found, 4 * room), at(found, 5 * room)
    half = float(w // 2)
    right, below = float(width - 1), float(height - 1)
    for i in range(count):
        fx[i], fy[i] = x[i] + step * vx[i], y[i] + step * vy[i]
        if not (fx[i] >= half and fx[i] <= right - half and fy[i] >= half and fy[i] <= below - half):
            return 0
    fit(image, height, width, which, count, w, pitch, 2, mask, table, slot, pixels, norm, jacobian, inverse, textured,
        how[0], int(how[13]), how[1], fx, fy, bend, score, phase, rest, converged, work)  # fmt: skip
    margin = half - 0.25
    for i in range(count):
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
        work[i] = noise * spread / (true * true) * min(max(grain[i], how[10]), how[11])
        if not (work[i] + how[9] <= 1.0):
            return 0
    q = how[6]
    for i in range(count):
        x0, y0 = x[i] + step * vx[i], y[i] + step * vy[i]
        a = p00[i] + (step * (2.0 * p01[i] + step * p11[i]) + q * (step * step * step) / 3.0)
        b = p01[i] + (step * p11[i] + q * step * step / 2.0)
        c = p11[i] + q * step
        variance = max(work[i] + offset[i], 0.0) + how[9] + drift[i]
        total = a + variance
        k1 = b / total
        vx[i] = vx[i] + k1 * (fx[i] - x0)
        vy[i] = vy[i] + k1 * (fy[i] - y0)
        p01[i] = k1 * variance
        p11[i] = max(c - k1 * b, 0.0)
        x[i], y[i], p00[i] = fx[i], fy[i], variance
        px[i], py[i], gap[i] = fx[i], fy[i], 0.0
        level[i] = level[i] + (how[4] if level[i] > 0.0 else 1.0) * (max(score[i], 0.0) - level[i])
        kept[i], kept[count + i], kept[2 * count + i], kept[3 * count + i] = fx[i], fy[i], vx[i], vy[i]
        kept[4 * count + i], kept[5 * count + i] = variance, score[i]
    return 1


class Steady:
    """Frames on end of windows that only move, as long as every one of them goes on as it did.

    Args:
        corners: the windows; their number and their references stay as they are meanwhile.
        reach, low, worse, settling, fastest, acceleration: as the tracker has them.
        bending: whether windows may bend whose scores fall.
        picture: of the type and size of all that follow.
    """

    def __init__(
        self, corners: Corners, picture: Array, reach: float, low: float, worse: float, settling: float, fastest: float,
        acceleration: float, bending: bool,
    ) -> None:  # fmt: skip
        t, refs, o = corners.t, corners.anchors.references, corners.anchors.layout
        self.native, self.count, w = frame.native(picture.dtype), len(t), o.w
        how = np.array((
            reach, SETTLED, low, worse, settling, fastest, acceleration * acceleration, max(w**2 - o.p - 2, 1),
            w**2 * SLOPE_NOISE, FLOOR**2, LEAST, MOST, SURE, STEPS,
            FALL if bending else 9.0, UNEVEN,
        ))  # fmt: skip
        n = max(self.count, 1)
        places = np.array([t.first[name] * t.room for name in FLOATS])
        self._kept = np.zeros((len(KEPT), self.count))
        work = scratch(n + 64 + (w + SPAN) * (o.pitch + 16) + (w + 7) * o.pitch + 9 * (o.pitch + 8))
        arrays = (t.blocks[np.dtype("f8")], places, t["slot"], t["averaged"], np.arange(n), how, o.mask, TABLE,
                  refs.pixels, refs.norm, refs.jacobian, refs.inverse, refs.textured, np.zeros(9 * n),
                  np.zeros(n, np.int64), self._kept, work)  # fmt: skip
        assert all(one.flags.c_contiguous for one in arrays)
        self._alive, self._sizes = arrays, (n, w, o.pitch)
        self._addresses = [one.__array_interface__["data"][0] for one in arrays]
        self._shape = picture.shape

    def move(self, picture: Array, step: float) -> Array | None:
        """One frame on: KEPT (6, windows), a copy; None where that is not all, and nothing was changed."""
        assert self.native is not None
        done = self.native(picture.__array_interface__["data"][0], *self._shape, self.count, step, *self._sizes,
                           *self._addresses)  # fmt: skip
        return self._kept.copy() if done else None
