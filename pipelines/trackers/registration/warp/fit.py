"""Lucas-Kanade on small windows: inverse compositional, free of gain and bias, in NumPy and as loops.

The criterion is the zero-normalised squared difference of a reference window f and the picture g: gain and bias of the
light are unknowns, eliminated by making the Jacobian J of the reference orthogonal to 1 and to f, so that a step is

    d = (J' J)^-1 J' g |f| / |g|      (|.|: norms without the means)

(Baker, Matthews: Lucas-Kanade 20 Years On, IJCV 2004, section 3.2 and 4; Pan, Li, Tong: Experimental Mechanics 2013).
The picture is interpolated, never a reference's noise (`registration.windows.taps`). With six parameters the four of
the deformation are linear about the reference, which is drawn anew when the deformation has grown; so each
step stays one interpolation at a common fraction of a pixel.

NumPy's numbers are the meaning; the loops have the same bits (sums by column, then over the columns).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.loops.scratch import aligned, lined
from pipelines.trackers.registration.warp import fit_loops as loops
from pipelines.trackers.registration.warp.structs import Criteria, Fit
from pipelines.trackers.registration.windows.native import call, compiled, scratch
from pipelines.trackers.registration.windows.structs import Templates
from pipelines.trackers.registration.windows.taps import (
    BEFORE,
    EDGE,
    SLOPE1,
    SLOPE2,
    SLOPE3,
    TAPS,
    tapped,
    weights,
)
from pipelines.trackers.registration.windows.windows import as_picture, blocks, total

Array = npt.NDArray[Any]

STEPS = 12
SETTLED = 0.005  # px; a step shorter than this is the last one: what it leaves is a tenth of it


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """How windows of w x w px with p parameters (2: translation, 3: and rotation, 6: affine) lie in memory."""

    w: int
    p: int
    pitch: int
    across: int
    mask: Array
    lever: Array

    @staticmethod
    def of(w: int, p: int) -> Layout:
        pitch = -(-w // 8) * 8
        place = np.arange(pitch)
        mask = aligned((place < w).astype(np.float64))
        lever = np.where(place < w, (place - w // 2) / max(w // 2, 1), 0.0)
        return Layout(w, p, pitch, pitch + 8, mask, lever)

    @property
    def area(self) -> int:
        return self.w * self.pitch


class References:
    """Reference windows by slot; `textured` is 0 for those that have none, 2 for stripes
    (`registration.noise.aperture`).

    Args:
        layout: of the windows.
        count: how many slots.
    """

    NAMES = ("pixels", "norm", "jacobian", "inverse", "textured")

    def __init__(self, layout: Layout, count: int) -> None:
        self.layout = layout
        self.pixels = lined((count, layout.w, layout.pitch))
        self.norm = np.zeros(count)
        self.jacobian = lined((count, layout.p, layout.w, layout.pitch))
        self.inverse = np.zeros((count, layout.p, layout.p))  # of J' J: px^2 for noise of variance 1
        self.textured = np.zeros(count, np.int64)

    def across(self, slots: Array) -> Array:
        """Projections on the directions that stripes measure, (n, 2, 2)."""
        inverse = self.inverse[slots, :2, :2]
        made: Array = inverse / np.trace(inverse, axis1=1, axis2=2)[:, None, None]
        return made

    def arrays(self) -> Templates:
        """As loops take them; until they grow."""
        o = self.layout
        return Templates(o.w, o.pitch, o.p, o.mask, o.lever, self.pixels, self.norm, self.jacobian, self.inverse,
                         self.textured)  # fmt: skip

    def grow(self, count: int) -> None:
        """At least so many slots."""
        if count > len(self.norm):
            more = max(count, 2 * len(self.norm))
            for name in self.NAMES:
                old = getattr(self, name)
                new = lined((more, *old.shape[1:]), old.dtype)
                new[: len(old)] = old
                setattr(self, name, new)


def prepare(ref: References, tiles: Array, slots: Array) -> None:
    """Make references of windows.

    Args:
        ref: gets them.
        tiles: (n, w + 2 EDGE, layout.across), the window's pixels and EDGE px around.
        slots: where they go, int64 (n,), each once.
    """
    o = ref.layout
    if compiled():
        work = scratch(4 * o.pitch + 64)
        call(loops.prepare, tiles, len(slots), slots, o.across, ref.arrays(), work)
        return
    w, core, wide = o.w, slice(EDGE, EDGE + o.w), slice(EDGE, EDGE + o.pitch)
    size = float(w * w)
    window = tiles[:, core, wide] * o.mask
    mean = total(window) / size
    largest = np.abs(window).max(axis=(1, 2))
    f = (tiles[:, core, wide] - mean[:, None, None]) * o.mask

    def slope(step: tuple[int, int]) -> Array:
        def moved(k: int) -> Array:
            dy, dx = step[0] * k, step[1] * k
            return tiles[:, EDGE + dy : EDGE + dy + w, EDGE + dx : EDGE + dx + o.pitch]

        g = (moved(1) - moved(-1)) * SLOPE1
        g = g + (moved(2) - moved(-2)) * SLOPE2
        made: Array = (g + (moved(3) - moved(-3)) * SLOPE3) * o.mask
        return made

    g, h = slope((0, 1)), slope((1, 0))
    columns = [g, h]
    if o.p == 6:
        lx, ly = o.lever, o.lever[:w, None]
        columns += [g * lx, g * ly, h * lx, h * ly]
    if o.p == 3:
        columns += [h * o.lever - g * o.lever[:w, None]]
    squares = total(f * f)
    norm = np.sqrt(squares)
    alive = (norm > loops.FAINT * largest * float(w)) & (squares > 0.0)
    share = np.where(alive, squares, 1.0)
    jac = np.empty((len(slots), o.p, w, o.pitch))
    for q, column in enumerate(columns):
        middle, part = total(column) / size, total(column * f) / share
        jac[:, q] = (column - middle[:, None, None] - f * part[:, None, None]) * o.mask
    normal = np.empty((len(slots), o.p, o.p))
    for q in range(o.p):
        for u in range(q, o.p):
            normal[:, q, u] = normal[:, u, q] = total(jac[:, q] * jac[:, u])
    a, b, d = normal[:, 0, 0], normal[:, 0, 1], normal[:, 1, 1]
    root = np.sqrt(0.25 * (a - d) * (a - d) + b * b)
    low, high = 0.5 * (a + d) - root, 0.5 * (a + d) + root
    textured = alive & (low > loops.FLAT * high)
    inverse = inverted(normal)
    inverse[~textured] = 0.0
    ref.pixels[slots], ref.norm[slots], ref.jacobian[slots] = f, norm, jac
    ref.inverse[slots], ref.textured[slots] = inverse, textured


def fitted(
    picture: Array, ref: References, slot: Array, x: Array, y: Array, reach: float, which: Array | None = None,
    steps: int = STEPS,
) -> Fit:  # fmt: skip
    """Find windows near their starts.

    Args:
        picture: as from `ready`; beyond its edge the edge pixels go on.
        ref: references.
        slot: whose reference each of n windows has, int64.
        x, y: n starts, px, finite.
        reach: how far from its start a window may be found, px in x and in y.
        which: the windows to look for (int64 indices); all others are left at their starts, not converged.
        steps: largest number of Gauss-Newton steps.
    """
    n, o = len(x), ref.layout
    which = np.arange(n) if which is None else which
    x, y = np.ascontiguousarray(x, np.float64), np.ascontiguousarray(y, np.float64)
    out = Fit.empty(x, y)
    if compiled():
        work = scratch(64 + (o.w + loops.SPAN) * (o.pitch + 16) + (o.w + 7) * o.pitch + 9 * (o.pitch + 8))
        call(loops.fit, as_picture(picture), which, len(which), slot, ref.arrays(),
             Criteria(reach, steps, SETTLED), out, work, pixels=picture.dtype)  # fmt: skip
        return out
    cx, cy, block = np.full(n, np.inf), np.full(n, np.inf), np.zeros((n, o.w + loops.SPAN, o.pitch + 16))
    active = which[ref.textured[slot[which]] != 0]
    for _ in range(steps):
        if not len(active):
            break
        away = (np.abs(out.x[active] - cx[active]) > loops.REACH) | (np.abs(out.y[active] - cy[active]) > loops.REACH)
        again = active[away]
        cx[again], cy[again] = np.rint(out.x[again]), np.rint(out.y[again])
        edge = o.w // 2 + loops.REACH + BEFORE
        block[again] = blocks(picture, cx[again] - edge, cy[again] - edge, o.w + loops.SPAN, o.pitch + 16)
        long = _step(ref, slot[active], active, block, cx, cy, out)
        near = (np.abs(out.x[active] - x[active]) <= reach) & (np.abs(out.y[active] - y[active]) <= reach)
        near &= np.isfinite(long)
        out.converged[active] = near & (long < SETTLED)
        active = active[near & ~(long < SETTLED)]
    return out


def _step(ref: References, own: Array, active: Array, block: Array, cx: Array, cy: Array, out: Fit) -> Array:
    """One step of the windows `active` with references `own`; its length, NaN where the picture is constant."""
    o = ref.layout
    w, pitch, size = o.w, o.pitch, float(o.w * o.w)
    dx, dy = out.x[active] - cx[active], out.y[active] - cy[active]
    kx, ky = np.floor(dx), np.floor(dy)
    tx, ty = weights(dx - kx), weights(dy - ky)
    rows = (ky.astype(np.int64) + loops.REACH)[:, None] + np.arange(w + TAPS - 1)
    columns = (kx.astype(np.int64) + loops.REACH)[:, None] + np.arange(pitch + TAPS - 1)
    g = tapped(tapped(block[active[:, None, None], rows[:, :, None], columns[:, None, :]], tx, 2), ty, 1) * o.mask
    sum_ = total(g)
    squares = total(g * g) - sum_ * sum_ / size
    lit = squares > 0.0
    norm = ref.norm[own]
    gain = norm / np.sqrt(np.where(lit, squares, 1.0))
    score = total(g * ref.pixels[own]) * gain / (norm * norm)
    sums = [total(g * ref.jacobian[own, q]) for q in range(o.p)]
    step = np.empty((o.p, len(active)))
    rest = norm * norm * (1.0 - score * score)
    for q in range(o.p):
        s = np.zeros(len(active))
        for u in range(o.p):
            s = s + ref.inverse[own, q, u] * sums[u]
        step[q] = s * gain
        rest = rest - step[q] * (sums[q] * gain)
    long = np.sqrt(step[0] * step[0] + step[1] * step[1])
    far = long > loops.LONGEST
    scale = np.where(far, loops.LONGEST / np.where(far, long, 1.0), 1.0)
    noise = [np.zeros(len(active)), np.zeros(len(active))]
    for k in range(TAPS):
        noise[0] = noise[0] + tx[:, k] * tx[:, k]
        noise[1] = noise[1] + ty[:, k] * ty[:, k]
    moved = active[lit]
    out.score[active] = np.where(lit, score, 0.0)
    out.x[moved] -= (step[0] * scale)[lit]
    out.y[moved] -= (step[1] * scale)[lit]
    out.rest[moved] = rest[lit]
    out.phase[moved] = (noise[0] * noise[1])[lit]
    if o.p == 6:
        out.bend[moved] = step[2:].T[lit]
    if o.p == 3:
        out.bend[moved, 1], out.bend[moved, 2] = (0.0 - step[2])[lit], step[2][lit]
    return np.where(lit, long, np.nan)


def inverted(matrix: Array) -> Array:
    """Symmetric matrices (n, p, p) swept to their inverses; a parameter with too small a pivot is held at 0."""
    a, p = matrix.copy(), matrix.shape[1]
    free = np.zeros((len(a), p), bool)
    least = loops.FLAT * np.einsum("npp->np", a)
    for k in range(p):
        pivot = a[:, k, k].copy()
        ok = free[:, k] = pivot > least[:, k]
        safe = np.where(ok, pivot, 1.0)
        row = a[:, k] / safe[:, None]
        swept = a - a[:, :, k, None] * row[:, None, :]
        swept[:, :, k] = 0.0 - a[:, :, k] / safe[:, None]
        swept[:, k] = row
        swept[:, k, k] = 1.0 / safe
        a = np.where(ok[:, None, None], swept, a)
    return np.where(free[:, :, None] & free[:, None, :], a, 0.0)
