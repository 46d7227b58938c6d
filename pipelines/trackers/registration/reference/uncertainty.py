"""Uncertainties of the places of windows: noise is learnt from the residuals of fits, and propagated to places."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.columns import Columns
from pipelines.trackers.registration.noise.aperture import high_noise
from pipelines.trackers.registration.noise.ellipse_loops import SHAPE, STRIPES, lay_ellipses, shapes_of
from pipelines.trackers.registration.noise.noise_correlation import LEAST, MOST, grain
from pipelines.trackers.registration.noise.noise_correlation_loops import FAR, PLANES
from pipelines.trackers.registration.noise.residual_statistics_loops import LEAST_PART, TINY, look, weigh
from pipelines.trackers.registration.noise.structs import Learnt, NoiseModel
from pipelines.trackers.registration.reference.reference_subset import Anchors
from pipelines.trackers.registration.reference.reference_update_translation_loops import (
    BEGINS,
    FIRST,
    LOOKS,
    TURN,
    solves,
    turns_to_begin,
)
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows.native import call, scratch
from pipelines.trackers.registration.windows.structs import Chosen
from pipelines.trackers.registration.windows.taps import SLOPE_NOISE
from pipelines.trackers.registration.windows.windows import as_picture

Array = npt.NDArray[Any]

FEW = 8  # looks at a window's noise: too few to say much
FLOOR = 4e-4  # px, the error of the interpolation


def noise_model(window: int, parameters: int) -> NoiseModel:
    """What is known of the noise of windows of a side (px) that are fitted with so many parameters."""
    size = window**2
    return NoiseModel.of(free=max(size - parameters - 2, 1), slopes=size * SLOPE_NOISE, floor=FLOOR**2, few=FEW,
                         least=LEAST, most=MOST)  # fmt: skip


class Uncertainty:
    """Uncertainties of the places of windows, as columns with their references.

    window, age, t, anchors: as `corners.Corners` has them.
    """

    window: int
    age: int
    t: Columns
    anchors: Anchors

    def learnt(self) -> Learnt:
        """Columns as loops take them, until there are more rows."""
        t = self.t
        return Learnt(t["slot"], t["averaged"], t["counted"], t["closed"], t["looks"], t["solved"], t["left"],
                      t["grain"], t["offset"])  # fmt: skip

    def variances(self, picture: Array, which: Array, found: Fit) -> Array:
        """Variances of the places of `which` relative to where they were taken first, px^2: of this frame's noise and
        of the reference's own, which is that of its first frame. For a while it is looked at what noise there is."""
        gains, fresh = self.look(picture, which, found)
        self.solve(len(gains))
        return self.weigh(which, found, gains, fresh)

    def partly(self, picture: Array, which: Array, found: Fit, shown: Array) -> tuple[Array, Array]:
        """`variances`, and which of these are of whole windows (bool). Of the others these are by what covers leave
        (`occlusion`), from which no noise is learnt; `shown`: theirs for even noise, px^2, of all windows, else 0."""
        whole = shown[which] == 0
        made, rest = np.zeros(len(which)), which[~whole]
        made[whole] = self.variances(picture, which[whole], found)
        made[~whole] = shown[rest] * self._grained(rest) + np.maximum(self.t["offset"][rest], 0.0) + FLOOR**2
        return made, whole

    def shapes(self) -> Array:
        """The shapes of all windows' uncertainties (`ellipse_loops`), (n, 6)."""
        refs, slots = self.anchors.references, np.ascontiguousarray(self.t["slot"], np.int64)
        made = np.empty((len(slots), SHAPE))
        call(shapes_of, slots, len(slots), refs.inverse, refs.layout.p, refs.textured, float(self.window), made)
        return made

    def stripes(self) -> dict[int, tuple[float, float]]:
        """The windows with stripes: ids of their tracks, and unit vectors along the stripes (x, y)."""
        t, refs = self.t, self.anchors.references
        which = np.flatnonzero(refs.textured[t["slot"]] == STRIPES)
        across = refs.across(t["slot"][which])
        # d d^T of the direction across; the other one is a quarter of a turn on.
        x = np.sqrt(np.maximum(across[:, 0, 0], 0.0))
        y = np.where(across[:, 0, 1] < 0, -1.0, 1.0) * np.sqrt(np.maximum(across[:, 1, 1], 0.0))
        return dict(zip(t["track"][which].tolist(), zip((-y).tolist(), x.tolist(), strict=True), strict=True))

    def stated(self, rows: Array, which: Array) -> None:
        """Set sigma, anisotropy and correlation in the rows of windows `which` (indices), for the variance p00 of their
        places and by their shapes."""
        if len(which):
            p00 = np.ascontiguousarray(self.t["p00"], np.float64)
            call(lay_ellipses, rows.view(np.uint8), np.ascontiguousarray(which), len(which), p00, self.shapes())

    def carried(self, which: Array) -> Array:
        """Variances (px^2, the mean of both axes) of the places of the windows `which`, should what hides them have
        carried them along: by their way since they were given another reference."""
        t = self.t
        x, y = t["x"][which] - t["first_x"][which], t["y"][which] - t["first_y"][which]
        made: Array = np.where(t["slot"][which] != t["first"][which], 0.5 * (x * x + y * y), 0.0)
        return made

    def look(self, picture: Array, which: Array, found: Fit) -> tuple[Array, Array]:
        """Add to the moments of the noise of those of `which` that were looked at in fewer than LOOKS frames.

        Returns:
            Gains of these, by which their light is that of their references; and of each of `which` its place among
            these, -1 for the others.
        """
        t, refs = self.t, self.anchors.references
        o, looks = refs.layout, t["looks"][which]
        young = (looks < LOOKS) & self.learns(t["slot"][which], 0, self.age)
        new, fresh = which[young], np.where(young, np.cumsum(young) - 1, -1)
        if not len(new):
            return np.ones(0), fresh
        gains = np.empty(len(new))
        room = scratch(PLANES + 2 * (o.w + FAR + 1) * (o.pitch + 8) + 64 + o.area + (o.w + 7) * (2 * o.pitch + 8))
        call(look, as_picture(picture), Chosen(new, len(new)), found, self.learnt(),
             refs.arrays(), gains, room, pixels=picture.dtype)  # fmt: skip
        return gains, fresh

    def solve(self, looked: int) -> None:
        """Find for a few windows the ratio of the variance of their places to that by even white noise, anew when they
        were looked at twice as often as at the last time, first those that have none yet. Until then a window has the
        median of the others, since noise is much the same all over a picture. So no frame takes much longer than
        another.

        Args:
            looked: how many windows were looked at in this frame.
        """
        t = self.t
        looks, solved = t["looks"], np.maximum(t["solved"], 0)
        due = np.flatnonzero((looks > solved) & (looks >= np.minimum(2 * solved, LOOKS)))
        if not len(due):
            return
        due = due[np.argsort(solved[due], kind="stable")][: solves(len(t), looked)]
        others = np.flatnonzero(t["solved"] == 0)
        changed = np.union1d(due, others)
        # `offset` was scaled by the ratio that was known then: it is rescaled by the new one.
        before = self._grained(changed)
        self.regrained(due)
        t["solved"][due] = looks[due]
        others = others[t["solved"][others] == 0]
        if len(others):
            t["grain"][others] = np.median(t["grain"][t["solved"] > 0])
        t["offset"][changed] *= self._grained(changed) / before

    def regrained(self, which: Array) -> None:
        """Ask anew what the noise of the windows `which` does."""
        t = self.t
        t["grain"][which] = grain(self.anchors.references, t["slot"][which], t["left"][which])

    def weigh(self, which: Array, found: Fit, gains: Array, fresh: Array) -> Array:
        """`variances` by what was looked at."""
        refs, made = self.anchors.references, np.empty(len(which))
        call(weigh, Chosen(np.ascontiguousarray(which), len(which)), found, self.learnt(), refs.arrays(), fresh, gains,
             noise_model(self.window, refs.layout.p), made)  # fmt: skip
        return made

    def noise(self, which: Array, found: Fit) -> Array:
        """Variances of the places of `which` from one frame's noise, px^2."""
        made: Array = self.noises(which, found) * self._grained(which) + FLOOR**2
        return made

    def noises(self, which: Array, found: Fit) -> Array:
        """The same for even white noise without the interpolation's error."""
        left, phase, count, spread = self._left(which, found)
        offset, ratio = np.where(self.t["looks"][which] > 0, self.t["offset"][which], 0.0), self._grained(which)
        # As `residual_statistics_loops.reference_noise` and `pixels_noise`.
        share = np.minimum(self.window**2 * SLOPE_NOISE * offset / (ratio * count), 1.0)
        known = offset / np.maximum(spread * ratio * (1.0 + share), TINY)
        even, first = left / (phase + 1.0 / count), 1.0 / (count * count)
        brought = (left - known * first) / (phase + (count - 1.0) * first)
        noise = np.where(known > 0.0, np.maximum(brought, LEAST_PART * even), even)
        made: Array = noise * spread / self._true(noise, count, spread) ** 2
        return made

    def _left(self, which: Array, found: Fit) -> tuple[Array, Array, Array, Array]:
        """Of `which` the squares that fits leave, for each of their degrees of freedom; the variance of interpolated
        pixels for pixels of variance 1; frames in their references; `spread`."""
        refs = self.anchors.references
        left = np.maximum(found.rest[which], 0.0) / max(self.window**2 - refs.layout.p - 2, 1)
        count = self.t["averaged"][which].astype(np.float64)
        return left, found.phase[which], count, self.spread(self.t["slot"][which])

    def _true(self, noise: Array, count: Array, spread: Array) -> Array:
        # Noise of the reference makes its slopes steeper than what moves; it is orthogonal to its own slopes.
        made: Array = 1.0 - np.minimum(self.window**2 * SLOPE_NOISE * noise / count * spread, 0.5)
        return made

    def spread(self, slots: Array) -> Array:
        """Variances of places for pixels of variance 1, px^2: the mean of x and y, or across stripes."""
        refs = self.anchors.references
        made: Array = (refs.inverse[slots, 0, 0] + refs.inverse[slots, 1, 1]) / 2.0 * refs.textured[slots]
        return made

    def expected(self) -> Array:
        """The standard uncertainties that the windows' places can be expected to have, px: what their fits show, or,
        before there is one, what the noise and the slopes of their first frame do."""
        t, anchors = self.t, self.anchors
        slots = t["slot"]
        noise, spread = high_noise(anchors.tiles[slots, :, : anchors.side]), self.spread(slots)
        # Slopes have noise of their own in one frame; references that are means have less.
        true = 1.0 - np.minimum(self.window**2 * SLOPE_NOISE * noise * spread, 0.5)
        first = 2.0 * noise * spread / true + FLOOR**2
        made: Array = np.sqrt(np.where(t["looks"] > 0, t["p00"], first))
        return made

    def learns(self, slot: Array, averaged: Array | int, age: int) -> Array:
        """Whether windows learn in a frame: all if they are few, in turns if they are many; of many those that are to
        join a mean for the first time wait for one to four frames, for much else is new then. So no frame takes much
        longer.

        Args:
            slot, averaged: of the windows.
            age: frames since the first one.
        """
        count, begin = len(self.t), np.equal(averaged, 1)
        turns, begins = max(-(-count // TURN), 1), max(turns_to_begin(count), 1)
        wait = begin & (count > BEGINS and age <= FIRST)
        return np.asarray(((age + slot) % np.where(begin, begins, turns) == 0) & ~wait)

    def _grained(self, which: Array) -> Array:
        """By how much the variances of the places of `which` are those of even white noise."""
        t = self.t
        # A few frames of a small window cannot show that its noise does less than white noise would.
        least = np.where(t["looks"][which] < FEW, 1.0, LEAST)
        made: Array = np.where(t["grain"][which] > 0, np.clip(t["grain"][which], least, MOST), 1.0)
        return made
