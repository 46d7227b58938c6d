"""Lucas-Kanade on small windows: inverse compositional, free of gain and bias.

The criterion is the zero-normalised squared difference of a reference window f and the picture g: gain and bias of the
light are unknowns, eliminated by making the Jacobian J of the reference orthogonal to 1 and to f, so that a step is

    d = (J' J)^-1 J' g |f| / |g|      (|.|: norms without the means)

(Baker, Matthews: Lucas-Kanade 20 Years On, IJCV 2004, section 3.2 and 4; Pan, Li, Tong: Experimental Mechanics 2013).
The picture is interpolated, never a reference's noise (`registration.windows.taps`). With six parameters the four of
the deformation are linear about the reference, which is drawn anew when the deformation has grown; so each
step stays one interpolation at a common fraction of a pixel.

Sums run by column, then over the columns: so vectors of any width have the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.loops.scratch import aligned, lined
from pipelines.trackers.registration.warp import fit_loops as loops
from pipelines.trackers.registration.warp.structs import Criteria, Fit
from pipelines.trackers.registration.windows.native import call, scratch
from pipelines.trackers.registration.windows.structs import Templates
from pipelines.trackers.registration.windows.windows import as_picture

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
    call(loops.prepare, tiles, len(slots), slots, o.across, ref.arrays(), scratch(4 * o.pitch + 64))


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
    o = ref.layout
    which = np.arange(len(x)) if which is None else which
    x, y = np.ascontiguousarray(x, np.float64), np.ascontiguousarray(y, np.float64)
    out = Fit.empty(x, y)
    work = scratch(64 + (o.w + loops.SPAN) * (o.pitch + 16) + (o.w + 7) * o.pitch + 9 * (o.pitch + 8))
    call(loops.fit, as_picture(picture), which, len(which), slot, ref.arrays(),
         Criteria(reach, steps, SETTLED), out, work, pixels=picture.dtype)  # fmt: skip
    return out


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
