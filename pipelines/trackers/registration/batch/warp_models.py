"""Windows that only move until one of them turns or deforms: then that one is fitted with more parameters.

Parameters that nothing needs cost time and precision; those that are missing cost the window. So each begins with a
shift alone, and a score test (Rao's; here: one Gauss-Newton step with all six parameters from where the shift ended)
asks now and then, and whenever the score falls, whether a deformation is both large and significant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.loops.scratch import aligned
from pipelines.trackers.registration.batch.structs import Needs, Places, Trial
from pipelines.trackers.registration.batch.warp_model_loops import (
    LESS,
    OFTEN,
    SELDOM,
    SINK,
    TURNS,
    asked_all,
)
from pipelines.trackers.registration.occlusion.occlusion import fallen
from pipelines.trackers.registration.reference.corners import Corners, Model
from pipelines.trackers.registration.reference.reference_update_translation_loops import TURN, turns_to_begin
from pipelines.trackers.registration.reference.uncertainty import FLOOR
from pipelines.trackers.registration.warp.fit import Layout, References
from pipelines.trackers.registration.warp.fit_loops import SPAN
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows.native import call, scratch
from pipelines.trackers.registration.windows.structs import Chosen
from pipelines.trackers.registration.windows.windows import as_picture

Array = npt.NDArray[Any]

FALL = 0.01  # by so much, and by noise, a score is lower than usual of a window that is asked at once
MODELS: Mapping[int, Model] = {2: "translation", 3: "rigid", 6: "affine"}


class Warps(Corners):
    """`Corners` of which each has its own model.

    warp: the number of its parameters (2, 3 or 6); tested: the usual score when that was tested last.

    Args:
        window, stripes, more: as `Corners` takes them.
    """

    def __init__(self, window: int, stripes: bool = False, more: Mapping[str, npt.DTypeLike] | None = None) -> None:
        columns: dict[str, npt.DTypeLike] = {"warp": "i8", "tested": "f8", **(more or {})}
        super().__init__(window, "rigid", stripes, columns)  # with room around for what turns
        self._whole = Layout.of(window, 6)
        self._sets = {p: References(Layout.of(window, p), 0) for p in MODELS}
        self._use(2)

    @property
    def numbers(self) -> int:
        """How many numbers a slot takes at most."""
        o = self._whole
        return o.area * (3 + o.p + 1) + self.anchors.side * self.anchors.stride

    def snapshot(self) -> dict[str, Array]:
        kept = {f"warp{p}.{name}": getattr(self._sets[p], name).copy()
                for p in MODELS if p > 2 for name in References.NAMES}  # fmt: skip
        return super().snapshot() | kept

    def restore(self, state: Mapping[str, Array]) -> None:
        """Take over a snapshot, also one of before windows had models of their own: they shift."""
        super().restore(state)
        self.appended()
        for p in MODELS:
            for name in References.NAMES:
                if p > 2 and f"warp{p}.{name}" in state:
                    setattr(self._sets[p], name, aligned(state[f"warp{p}.{name}"]))

    def parameters(self) -> Array:
        return np.asarray(self.t["warp"])

    def appended(self) -> None:
        """Rows have been added: they shift."""
        self.t["warp"][self.t["warp"] == 0] = 2

    def groups(self, which: Array) -> Iterator[Array]:
        """Places in `which` of the rows of each model, while `self` works with that one. To be used up."""
        warp = self.t["warp"][which]
        for p in MODELS:
            places = np.flatnonzero(warp == p)
            if len(places):
                self._use(p)
                yield places
        self._use(2)

    def fit(self, picture: Array, x: Array, y: Array, reach: float, which: Array) -> Fit:
        out = Fit.empty(np.ascontiguousarray(x, np.float64), np.ascontiguousarray(y, np.float64))
        for places in self.groups(which):
            rows = which[places]
            found = super().fit(picture, x, y, reach, rows)
            for name in Fit.NAMES:
                getattr(out, name)[rows] = getattr(found, name)[rows]
        return out

    def look(self, picture: Array, which: Array, found: Fit) -> tuple[Array, Array]:
        gains, fresh, count = [np.zeros(0)], np.full(len(which), -1), 0
        for places in self.groups(which):
            made, new = super().look(picture, which[places], found)
            made = made[: int(np.count_nonzero(new >= 0))]
            fresh[places] = np.where(new >= 0, new + count, -1)
            gains.append(made)
            count += len(made)
        return np.concatenate(gains), fresh

    def sets(self) -> list[tuple[Array, References]]:
        which = np.arange(len(self.t))
        return [(places, self.anchors.references) for places in self.groups(which)]

    def regrained(self, which: Array) -> None:
        for places in self.groups(which):
            super().regrained(which[places])

    def weigh(self, which: Array, found: Fit, gains: Array, fresh: Array) -> Array:
        made = np.zeros(len(which))
        for places in self.groups(which):
            made[places] = super().weigh(which[places], found, gains, fresh[places])
        return made

    def noise(self, which: Array, found: Fit) -> Array:
        made = np.zeros(len(which))
        for places in self.groups(which):
            made[places] = super().noises(which[places], found) * self._grained(which[places]) + FLOOR**2
        return made

    def settle(self, which: Array, found: Fit) -> None:
        for places in self.groups(which):
            if self.bends:
                super().settle(which[places], found)

    def turn(self, step: float) -> None:
        if (self.t["warp"] > 2).any():  # the others are SAME and stay so
            self.bends = True
            super().turn(step)
            self.bends = False

    def join(self, picture: Array, young: Array) -> None:
        for places in self.groups(young):
            super().join(picture, young[places])

    def drawn(self, which: Array) -> None:
        for places in self.groups(which):
            super().drawn(which[places])

    def renew(self, picture: Array, which: Array, keep: bool) -> None:
        bent = which[self.t["warp"][which] > 2]
        for places in self.groups(which):
            super().renew(picture, which[places], keep)
        self.anchors.draw(self.t["slot"][bent])  # that there is texture is what the plain references tell

    def doubted(self, score: Array, most: int, age: int) -> Array:
        """The windows to be tested within this frame: the scores of some fell, others are about to join their means or
        have not yet.

        Args:
            score: of the fits, all windows'.
            most: frames averaged in references.
            age: frames since the first one.

        Those that have not joined yet are tested until they do, for they may turn from the beginning on; never many at
        once: the slots say when. Where one turns, the others that have not are asked, too (`beginners`).
        """
        t = self.t
        turns = -(-len(t) // TURN)
        own = self.learns(t["slot"], t["averaged"], age) & ((age + t["slot"]) // max(turns, 1) % OFTEN == 0)
        first = (t["averaged"] == 1) & ((age + t["slot"]) % max(turns_to_begin(len(t)), 1) == 0)
        fell = fallen(score, t["level"], FALL)
        return self._testable(fell | ((t["averaged"] < most) & (t["closed"] == 0) & (first | own)))

    def beginners(self, most: int) -> Array:
        """The windows that are to join their means of `most` frames for the first time."""
        t = self.t
        return self._testable((t["averaged"] == 1) & (most > 1) & (t["closed"] == 0))

    def due(self, age: int, most: int) -> Array:
        """The windows to be tested after this frame: whose usual scores sank since they were tested last. Those that
        join means, of fewer than `most` frames, are among those that are `doubted`."""
        if age % TURNS:
            return np.zeros(0, np.int64)
        t = self.t
        before, level = t["tested"].copy(), t["level"]
        own = (age // TURNS + t["slot"]) % (SELDOM // TURNS) == 0  # never all windows at once
        sunk = own & ((before == 0) | (level < before - (SINK + LESS * (1.0 - before))))
        t["tested"] = np.where(sunk | (own & (level > before)), level, before)
        return self._testable((own & (t["misfit"] > 0)) | sunk & ~((t["averaged"] < most) & (t["closed"] == 0)))

    def _testable(self, which: Array) -> Array:
        t = self.t
        which &= (t["missed"] == 0) & (t["veiled"] == 0)
        made: Array = np.flatnonzero(which & (t["warp"] < 6) & (self._sets[2].textured[t["slot"]] == 1))
        return made

    def bending(self, picture: Array, which: Array, x: Array, y: Array) -> tuple[Array, Array]:
        """How many parameters the windows `which` need: 2, 3 or 6, never fewer than they have; and, where these do not
        suffice, their misfit: how many times the variance that noise makes of their places they have in addition.

        Args:
            x, y: where they are, px, (n,).
        """
        t, o, places = self.t, self._whole, np.zeros((2, len(self.t)))
        made, misfit = t["warp"][which].copy(), np.zeros(len(which))
        if not len(which):
            return made, misfit
        places[:, which] = x, y
        room, flags = 7 * o.area + 192 + (o.w + 6) * o.across, np.zeros(8, np.int64)
        work = 64 + (o.w + SPAN) * (o.pitch + 16) + (o.w + 7) * o.pitch + 9 * (o.pitch + 8)
        memory = scratch(room + work)
        call(asked_all, as_picture(picture), Chosen(np.ascontiguousarray(which), len(which)),
             t["warp"], Places(*places), t["drawn"], self.learnt(), self.anchors.arrays(), Needs(made, misfit),
             Trial(memory, flags, memory[room:]), pixels=picture.dtype)  # fmt: skip
        return made, misfit

    def become(self, which: Array, parameters: Array) -> None:
        """Fit the windows `which` with so many parameters from now on, from how they are drawn now."""
        self.t["warp"][which], self.t["misfit"][which] = parameters, 0.0
        self.t["tested"][which] = 0.0  # whether these suffice is asked next
        self.drawn(which)

    def forget(self, which: Array) -> None:
        """What the windows `which` left while they had other parameters is no mean for these."""
        t = self.t
        t["looks"][which], t["left"][which], t["solved"][which] = 0, 0.0, np.where(t["solved"][which] == 0, 0, -1)

    def _use(self, p: int) -> None:
        """Work with the references that have p parameters."""
        ref, anchors = self._sets[p], self.anchors
        ref.grow(len(anchors.tiles))
        anchors.layout, anchors.references = ref.layout, ref
        self.model, self.bends = MODELS[p], p > 2
