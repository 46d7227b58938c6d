"""The corners that live, as columns; their references, when those are renewed, and how they deform."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pipelines.trackers.columns import Columns
from pipelines.trackers.kalman import KALMAN_COLUMNS
from pipelines.trackers.registration.noise.aperture import high_noise
from pipelines.trackers.registration.noise.noise_correlation_loops import MOMENTS
from pipelines.trackers.registration.occlusion.occlusion_prediction import STRAYING_COLUMNS
from pipelines.trackers.registration.reference.centres import WINDOWS_DTYPE, effective_centres, windows_of
from pipelines.trackers.registration.reference.reference_subset import STRETCH, Anchors
from pipelines.trackers.registration.reference.reference_update_translation_loops import DRAWS, LOOKS, STILL
from pipelines.trackers.registration.reference.uncertainty import Uncertainty
from pipelines.trackers.registration.warp.fit import References, fitted
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows.plane_maps import determinant, inverse, product, upright
from pipelines.trackers.registration.windows.windows import sampled

Array = npt.NDArray[Any]

NEAR = 1.0  # px from where a corner is known to be within which another reference must find it
REACH = 4.0  # px from its prediction within which a window is fitted without a search
BACK = 0.07  # by how much less alike than usual something may look that is taken for what was hidden
PATIENCE = 3  # frames for which a corner must look different before its reference is renewed
GRAIN = 0.25  # correlation of neighbouring pixels that noise has after interpolation
SLACK = 0.3  # px at a window's edge by which a drawn reference may be deformed differently
REDRAWN = 3  # times in a frame that a reference may be drawn anew
RATE = 0.3  # how fast the rate of deformation follows
LIMITS = (0.3, STRETCH, 2.0)  # least and largest change of area, and largest entry, of a deformation
SAME = np.eye(2)
Model = Literal["translation", "rigid", "affine"]
PARAMETERS: Mapping[Model, int] = {"translation": 2, "rigid": 3, "affine": 6}


class Corners(Uncertainty):
    """Columns and references.

    ox, oy: the followed point relative to its window's centre in the reference.

    x, y of the filter are predictions between frames; px, py: where last seen; level: the usual score, 0 before there
    is one; slot: of the reference, first: of that of the birth; averaged: frames in it; offset: px^2 of the reference's
    own place; first_x, first_y, first_level: where the first reference was left for another, and the usual score then;
    drift: px^2 of renewals. bend: deformation since the reference was taken (by rows), drawn: that of the
    reference as it is drawn, turn: that of one frame to the next, base: that of the reference since birth. left: means
    of `looks` moments of what fits leave, grain: the ratio of the true variance to that of even white noise, by those
    when there were `solved` (0: never; -1: by other moments). counted: frames in the mean as it is drawn;
    closed: 1 when it gets no more, for the window has turned. veiled: as `occlusion.unveil` has it.
    misfit: as `Warps.bending` has it.

    Args:
        window: side, px, odd.
        model: how windows may move.
        stripes: whether windows of stripes are followed, too, across them.
        more: further columns.
    """

    def __init__(
        self, window: int, model: Model, stripes: bool = False, more: Mapping[str, npt.DTypeLike] | None = None
    ) -> None:
        self.window, self.half, self.model = window, window // 2, model
        self.age = 0  # frames since the first one; whose windows they are says so
        self.bends = model != "translation"
        self.anchors = Anchors(window, PARAMETERS[model], stripes)
        self.t = Columns(
            {
                **dict.fromkeys(KALMAN_COLUMNS, "f8"),
                **STRAYING_COLUMNS,
                **dict.fromkeys(("track", "hits", "strange", "looks", "solved", "closed"), "i4"),
                **dict.fromkeys(("slot", "first", "averaged", "first_averaged", "counted"), "i8"),
                **dict.fromkeys(("px", "py", "gap", "drift", "level", "offset", "first_offset", "grain"), "f8"),
                **dict.fromkeys(("ox", "oy", "first_x", "first_y", "first_level", "veiled", "misfit"), "f8"),
                "left": np.dtype(("f8", (MOMENTS,))),
                **dict.fromkeys(("bend", "drawn", "turn", "base"), np.dtype(("f8", (2, 2)))),
                **(more or {}),
            }
        )

    def snapshot(self) -> dict[str, Array]:
        return self.t.snapshot() | self.anchors.snapshot()

    def restore(self, state: Mapping[str, Array]) -> None:
        """Take over a snapshot, also an older one, in which everything that was due had been done."""
        self.t.restore(state)
        for name, source in (("solved", "looks"), ("counted", "averaged")):
            if f"column.{name}" not in state:
                self.t[name] = self.t[source]
        self.anchors.restore(state)

    def slots(self, count: int) -> Array:
        """`count` slots that no corner has."""
        return self.anchors.free(np.concatenate((self.t["slot"], self.t["first"])), count)

    def begin(self, picture: Array, x: Array, y: Array, ids: Array, every: bool = False) -> Array:
        """Corners at (x, y) with the first of `ids`, those with texture (bool, one each) or `every` one."""
        slots = self.slots(len(x))
        self.anchors.take(picture, slots, x, y)
        textured: Array = self.anchors.references.textured[slots] != 0
        good = np.ones(len(x), bool) if every else textured
        x, y, slots = x[good], y[good], slots[good]
        n = len(x)
        self.t.append(
            n, track=ids[:n], hits=1, x=x, y=y, px=x, py=y, p11=(0.25 * self.window) ** 2, slot=slots, first=slots,
            averaged=1, first_averaged=1, counted=1, bend=SAME, drawn=SAME, turn=SAME, base=SAME,
        )  # fmt: skip
        return textured

    def offset(self) -> tuple[Array, Array]:
        """The followed points (ox, oy in their references) relative to their windows' centres now, px."""
        t = self.t
        m = product(t["bend"], t["base"])
        return m[:, 0, 0] * t["ox"] + m[:, 0, 1] * t["oy"], m[:, 1, 0] * t["ox"] + m[:, 1, 1] * t["oy"]

    def fit(self, picture: Array, x: Array, y: Array, reach: float, which: Array) -> Fit:
        """Fit the windows `which`; where a reference is drawn too differently from what is seen, draw it anew; of those
        of which that will be in the next frame half, for what turns together would else be drawn in one frame."""
        t, anchors = self.t, self.anchors
        if self.bends:
            bend, drawn, half = t["bend"][which], t["drawn"][which], (self.age + t["slot"][which]) % 2 == 0
            soon = half & (self._slack(product(t["turn"][which], bend), drawn) > SLACK)
            self._draw(which[soon | (self._slack(bend, drawn) > SLACK)], t["bend"])
        found = fitted(picture, anchors.references, t["slot"], x, y, reach, which)
        if self.bends:
            # The criterion is linear in the deformation about the drawn reference. A fit that ends farther than twice
            # SLACK from it has left that range: draw the reference at what was found and fit again from there. Three
            # turns reach what one frame can bend a window by; a fit that still has not settled is judged by its score.
            for _ in range(REDRAWN):
                bent = self._bent(found)
                far = which[(found.score[which] > 0) & (self._slack(bent[which], t["drawn"][which]) > 2.0 * SLACK)]
                if not len(far):
                    break
                self._draw(far, bent)
                again = fitted(picture, anchors.references, t["slot"], found.x, found.y, reach, far)
                found.take(again, far)
            # The score that `fitted` gives is the correlation with the reference as it is drawn. What counts is how
            # much the model as a whole explains, its deformation included: sqrt(1 - rest / |f|^2).
            squares = anchors.references.norm[t["slot"]] ** 2
            explained = np.sqrt(np.maximum(1.0 - found.rest / np.where(squares > 0, squares, 1.0), 0.0))
            found.score[...] = np.where(found.converged != 0, explained, found.score)
        return found

    def learning(self, most: int) -> bool:
        """Whether a window's noise or its mean of `most` frames is not known yet."""
        t = self.t
        young = (t["averaged"] < most) & (t["closed"] == 0)
        return bool(((t["solved"] < LOOKS) | young | (_due(t["averaged"]) > t["counted"])).any())

    def sets(self) -> list[tuple[Array, References]]:
        """The windows with each number of parameters, and their references."""
        return [(np.arange(len(self.t)), self.anchors.references)]

    def parameters(self) -> Array:
        """How many are fitted of each window."""
        return np.full(len(self.t), PARAMETERS[self.model])

    def windows(self, which: Array) -> Array:
        """Where the windows `which` (bool) measure, by their references as these were taken: rows of WINDOWS_DTYPE."""
        t, anchors, fitted_ = self.t, self.anchors, self.parameters()
        made = [np.zeros(0, WINDOWS_DTYPE)]
        for p in np.unique(fitted_[which]).tolist():
            rows = np.flatnonzero(which & (fitted_ == p))
            slots, textured = t["first"][rows], anchors.references.textured[t["first"][rows]]
            across = anchors.references.across(slots[textured == 2])
            direction = np.zeros((len(rows), 2))
            direction[textured == 2] = np.sqrt(across[:, (0, 1), (0, 1)])
            direction[textured == 2, 1] *= np.where(across[:, 0, 1] < 0, -1.0, 1.0)
            # The reference as it was taken first, since shapes of windows are stated for the first frame.
            tiles = anchors.middle(slots)[:, :, : anchors.size]
            middles = effective_centres(tiles, self.window, direction, parameters=p, noise=high_noise(tiles))
            middles[textured == 0] = np.nan
            # Of what is fitted with its deformation the point itself is followed.
            offset = np.stack((t["ox"][rows], t["oy"][rows]), axis=1) * (p < 6)
            made.append(windows_of(t["track"][rows], offset, middles))
        return np.concatenate(made)

    def turn(self, step: float) -> None:
        """Deformations `step` frames on, at their rates; one beyond what can be looks as it did before, and rests."""
        if not self.bends or step <= 0:
            return
        # The rate is the deformation from one frame to the next, so that `step` frames are so many products. A hundred
        # is where a rate that is not 1 has long left what can be drawn; without the limit a long gap would cost time
        # for nothing.
        t, bend = self.t, self.t["bend"]
        for _ in range(min(round(step), 100)):
            bend = product(t["turn"], bend)
        wild = ~_possible(bend)
        t["bend"] = np.where(wild[:, None, None], t["bend"], bend)
        t["turn"][wild] = SAME

    def settle(self, which: Array, found: Fit) -> None:
        """Take the deformations of the corners `which`, and their rates."""
        t = self.t
        bent = self._bent(found)[which]
        # Beyond what a reference's surroundings allow, the window is what it was; its score tells.
        fine = _possible(bent)
        # An alpha-beta filter on the group of 2 x 2 matrices: the prediction was the old deformation turned on by its
        # rate, the surprise is what was seen beyond it, and RATE of that goes into the rate.
        surprise = product(bent, inverse(t["bend"][which])) - SAME
        rows = which[fine]
        turn = t["turn"][rows] + RATE * product(surprise[fine], t["turn"][rows])
        t["turn"][rows] = upright(turn) if self.model == "rigid" else turn
        t["bend"][rows] = bent[fine]
        t["bend"][which[~fine]] = t["drawn"][which[~fine]]

    def structured(self, picture: Array, which: Array, x: Array, y: Array, score: Array) -> Array:
        """The correlations of corners at (x, y) with their references if what is left had no noise: noise is white."""
        t, refs, w = self.t, self.anchors.references, self.window
        f = refs.pixels[t["slot"][which], :, :w]
        g = sampled(picture, x, y, w, refs.layout.pitch)[:, :, :w]
        # Frame and reference are brought to one contrast; what differs then is noise or structure.
        g = g - g.mean(axis=(1, 2), keepdims=True)
        size = np.sqrt((g * g).sum(axis=(1, 2)))
        left = g * (refs.norm[t["slot"][which]] / np.where(size > 0, size, 1.0))[:, None, None] - f
        squares = np.maximum((left * left).sum(axis=(1, 2)), 1e-300)
        beside = (left[:, 1:] * left[:, :-1]).sum(axis=(1, 2)) + (left[:, :, 1:] * left[:, :, :-1]).sum(axis=(1, 2))
        # 0.5 * beside / squares is the correlation of neighbouring pixels, mean of both directions: GRAIN for noise
        # that was interpolated, 1 for structure. In between it says which part of the residual is structure.
        share = np.clip((0.5 * beside / squares - GRAIN) / (1.0 - GRAIN), 0.0, 1.0)
        made: Array = np.sqrt(1.0 - share * (1.0 - np.minimum(score, 1.0) ** 2))
        return made

    def misled(self, which: Array, alike: Array) -> Array:
        """Variance (px^2, the mean of both axes) of the places of corners of which something else is seen.

        What differs from a reference by structure is no noise, of which every pixel has its own: it may all be one, the
        edge of what comes before a corner and draws the window along. Then the place is off by as much as would make
        the reference itself look so different, (1 - alike^2) |f|^2 (J' J)^-1: by this noise would be 1 / pixels of it.

        Args:
            which: corners, n.
            alike: (n,) their correlations but for noise (`structured`).
        """
        refs, slots = self.anchors.references, self.t["slot"][which]
        spread = 0.5 * (refs.inverse[slots, 0, 0] + refs.inverse[slots, 1, 1])
        made: Array = (1.0 - alike * alike) * refs.norm[slots] ** 2 * spread
        return made

    def learn(self, picture: Array, which: Array, most: int) -> None:
        """Add this frame to the references of `which` that are means of fewer than `most`."""
        t = self.t
        young = (t["averaged"][which] < most) & (t["closed"][which] == 0)
        self.join(picture, which[young & self.learns(t["slot"][which], t["averaged"][which], self.age)])
        self.redraw()

    def join(self, picture: Array, young: Array) -> None:
        """Add this frame to the means of the windows `young`."""
        t = self.t
        if self.bends:  # the mean is of windows as they lay in the first frame
            still = self._slack(t["bend"][young], SAME) < STILL
            t["closed"][young[~still]] = 1
            young = young[still]
        if len(young):
            t["averaged"][young] += 1
            self.anchors.add(picture, t["slot"][young], t["x"][young], t["y"][young], t["averaged"][young])

    def redraw(self) -> None:
        """Make references of means that have twice as many frames as when they were drawn, of a few windows: in between
        little would change."""
        t = self.t
        due = np.flatnonzero(_due(t["averaged"]) > t["counted"])
        if len(due):
            # Those whose drawn reference has fewest frames first, since its noise is largest; at most a quarter of all
            # in one frame, so that no frame takes much longer than another.
            due = due[np.argsort(t["counted"][due], kind="stable")][: max(DRAWS, len(t) // 4)]
            self.drawn(due)
            t["counted"][due] = t["averaged"][due]

    def drawn(self, which: Array) -> None:
        """Make the references of the windows `which` of their means, as they are drawn."""
        t = self.t
        plain = (t["drawn"][which] == SAME).all(axis=(1, 2))
        if plain.any():
            self.anchors.draw(t["slot"][which[plain]])
        if not plain.all():
            self.anchors.draw(t["slot"][which[~plain]], t["drawn"][which[~plain]])

    def renew(self, picture: Array, which: Array, keep: bool) -> None:
        """What the corners look like now are their references; those of their birth are kept if `keep`."""
        t = self.t
        if keep:
            # A window has two references at most: that of its birth and the current one, in a slot of its own.
            own = which[t["slot"][which] == t["first"][which]]
            t["first_averaged"][own], t["first_offset"][own] = t["averaged"][own], t["offset"][own]
            t["first_x"][own], t["first_y"][own], t["first_level"][own] = t["x"][own], t["y"][own], t["level"][own]
            t["slot"][own] = self.slots(len(own))
            t["level"][which] = 1.0
        self.anchors.take(picture, t["slot"][which], t["x"][which], t["y"][which])
        # Deformations are relative to the reference; `base` is the way from the first frame to it.
        t["base"][which] = product(t["bend"][which], t["base"][which])
        t["averaged"][which], t["offset"][which], t["strange"][which] = 1, 0.0, 0
        t["counted"][which], t["closed"][which] = 1, 0
        t["bend"][which] = t["drawn"][which] = SAME

    def recover(self, picture: Array, which: Array, score: Array, least: float) -> tuple[Array, Fit]:
        """Go back to the first references where they fit again, in place: as well as now (`score`) or `least` where the
        corners are; as well as usual near by, and near where they were left. What had covered a corner and goes away
        leaves it there, by and by. Which did, and the fits of all windows, in which theirs are."""
        t = self.t
        mine = t["slot"][which] != t["first"][which]
        which, score = which[mine], score[mine]
        if not len(which):
            return which, Fit.empty(t["x"], t["y"])
        bend = t["bend"][which]
        if self.bends:
            bend = product(bend, t["base"][which])
            self.anchors.draw(t["first"][which], bend)
        first, usual = t["first"][which], t["first_level"][which] - BACK
        # Both starts are fitted in one call: the first n fits begin where the corners are now, the last n where their
        # first references were left.
        x, y = (np.concatenate((t[a][which], t[f"first_{a}"][which])) for a in "xy")
        found = fitted(picture, self.anchors.references, np.concatenate((first, first)), x, y, REACH)
        n = len(which)
        moved = np.hypot(found.x[:n] - x[:n], found.y[:n] - y[:n])
        veiled = t["veiled"][which] > 0
        # A fit beside the place of the corner has to be as good as now (or `least`); one that had to move, or of a
        # veiled corner, as good as usual, and so has one where it was left.
        wanted = np.concatenate((np.where((moved < NEAR) & ~veiled, np.minimum(score, least), usual), usual))
        here, left = ((found.converged != 0) & (found.score >= wanted)).reshape(2, n)
        again = np.flatnonzero(here | left)
        if not len(again):  # as long as something covers them
            return which[again], Fit.empty(t["x"], t["y"])
        # Of two good fits the better one counts.
        back, better = which[again], left & ~(here & (found.score[:n] >= found.score[n:]))
        fits = found.spread(again + n * better[again], back, len(t))
        far = back[np.hypot(fits.x[back] - t["x"][back], fits.y[back] - t["y"][back]) >= NEAR]
        t["x"][back], t["y"][back] = fits.x[back], fits.y[back]
        for name in ("vx", "vy", "p01"):  # that of what covered it says nothing
            t[name][far] = 0.0
        t["p11"][far] = (0.25 * self.window) ** 2
        for name in ("averaged", "offset"):
            t[name][back] = t[f"first_{name}"][back]
        t["slot"][back], t["counted"][back], t["drift"][back], t["strange"][back] = t["first"][back], 1, 0.0, 0
        t["base"][back], t["bend"][back], t["drawn"][back] = SAME, bend[again], bend[again]
        veiled, score = veiled[again], fits.score[back]  # its cover may not be gone yet
        t["level"][back] = np.where(veiled, t["first_level"][back], score)
        alike = self.structured(picture, back, t["x"][back], t["y"][back], score)
        t["p00"][back] = self.noise(back, fits) + t["offset"][back] + veiled * self.misled(back, alike)
        return back, fits

    def _slack(self, bend: Array, drawn: Array) -> Array:
        """How far deformations differ at a window's edge, px."""
        between = product(bend, inverse(drawn)) - SAME
        far: Array = self.half * np.abs(between).sum(axis=-1).max(axis=-1)
        return far

    def _draw(self, which: Array, bend: Array) -> None:
        if len(which):
            self.t["drawn"][which] = bend[which]
            self.anchors.draw(self.t["slot"][which], bend[which])

    def _bent(self, found: Fit) -> Array:
        """The deformations that fits found."""
        # Fits measure a deformation in px at the window's edge; by the half width it is the matrix less 1. Steps of
        # more than 0.4 would turn a window inside out and are cut. The fit moves the picture onto the reference, hence
        # the inverse.
        step = np.clip(found.bend / max(self.half, 1), -0.4, 0.4).reshape(-1, 2, 2)
        made = product(inverse(SAME + step), self.t["drawn"])
        return upright(made) if self.model == "rigid" else made


def _due(averaged: Array) -> Array:
    """The largest power of two not above."""
    # frexp gives n = m 2^e with m in [0.5, 1): 2^(e - 1) is the largest power of two not above n, exactly.
    made: Array = np.left_shift(1, np.frexp(averaged.astype(np.float64))[1] - 1).astype(np.int64)
    return made


def _possible(bend: Array) -> Array:
    """Which deformations (n, 2, 2) a reference can be drawn with."""
    area = determinant(bend)
    made: Array = (area > LIMITS[0]) & (area < LIMITS[1]) & (np.abs(bend).max(axis=(1, 2)) < LIMITS[2])
    return made
