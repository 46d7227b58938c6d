"""What windows learn from a frame in which they went on as they did and some of them turn or deform: a few calls of
machine code for those of each number of parameters, after `Steady` has found them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.loops.calling import arguments
from kernels.loops.language import Loop, address
from kernels.loops.scratch import lined
from pipelines.trackers.lying_images import LyingImage
from pipelines.trackers.registration.batch.batch_tracking_loops import learning
from pipelines.trackers.registration.batch.reference_update_affine_loops import draw_young, turning_more, weigh_turned
from pipelines.trackers.registration.batch.structs import Limits, Places, Trial, Windows
from pipelines.trackers.registration.noise.noise_correlation_loops import FAR, PLANES
from pipelines.trackers.registration.noise.structs import NoiseModel
from pipelines.trackers.registration.reference.corners import Corners
from pipelines.trackers.registration.reference.reference_update_translation_loops import (
    look_and_join,
    outdated,
    share,
    solve_one,
    unsolved,
)
from pipelines.trackers.registration.reference.structs import Looked
from pipelines.trackers.registration.warp.fit import References
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows.structs import Chosen
from pipelines.trackers.registration.windows.taps import TABLE

Array = npt.NDArray[Any]
Given = tuple[Callable[..., Any], list[Any], list[Any]]
"""Machine code and what it is given, before what is another in each frame, and after it."""


class TurnedLearning:
    """Of the windows of a `Steady`, in whose memory it works.

    Args:
        corners: the windows.
        groups: the windows of each number of parameters, their references, and the deformations that are found.
        picture: of the type and size of all that follow.
        windows, limits, fits, variance, work: as `Steady` has them.
    """

    def __init__(
        self, corners: Corners, groups: Sequence[tuple[Chosen, References, Array]], picture: Array | LyingImage,
        windows: Windows, limits: Limits, fits: Fit, variance: Array, work: Array,
    ) -> None:  # fmt: skip
        t, anchors, o, n = corners.t, corners.anchors, corners.anchors.layout, len(variance)
        self.corners, self.count, kind, learnt = corners, len(t), picture.dtype, windows.learnt
        self._alive: list[Any] = []
        self._which, self._doubtful = np.zeros(n, np.int64), np.zeros(n, np.int64)
        most = max(refs.layout.p for _, refs, _ in groups)
        trial = Trial(lined(7 * o.area + 128 + (o.w + 6) * o.across + 64), np.zeros(8, np.int64), work)
        planes = lined(PLANES + (1 + 4 * (most + 2)) * (o.w + FAR + 1) * (o.pitch + 8))
        noise = NoiseModel(limits.noise.block.copy())  # degrees of freedom become those of each group
        models = t["warp"] if "warp" in t else np.full(n, most)
        self._mine, frame = models.tolist(), (*picture.shape, TABLE, self.count)
        self._asks: list[Given] = []
        self._looks: list[Given] = []
        self._weighs: list[Given] = []
        self._draws: list[Given] = []
        self._solves: dict[int, Given] = {}
        for chosen, refs, deformed in groups:
            p, many, both = refs.layout.p, chosen.count, anchors.arrays(refs)
            looked = Looked(np.zeros(many, np.int64), np.zeros(many), np.zeros(many, np.int64))
            if limits.accept.bending and p < 6:
                places = Places(fits.x, fits.y)
                self._asks.append(self._ready(turning_more, kind, frame, (chosen, windows, both, places, trial)))
            self._looks.append(
                self._ready(look_and_join, kind, frame, (chosen, fits, deformed, learnt, both, looked, work)))
            self._weighs.append(
                self._ready(weigh_turned, kind, (chosen, fits, learnt, both.refs, looked, noise, variance)))
            self._solves[p] = self._ready(solve_one, kind, (), (learnt, both.refs, noise, planes))
            self._draws.append(self._ready(draw_young, kind, (self._which,), (
                models, windows, both, limits.stripes, self._doubtful)))  # fmt: skip
        self._work = address(work)
        self._learning = self._ready(learning, kind, (self.count,), (learnt,))
        self._unsolved = self._ready(unsolved, kind, (self.count,), (learnt, self._which))
        self._share = self._ready(share, kind, (self.count, learnt, noise, work))
        self._outdated = self._ready(outdated, kind, (self.count, learnt, self._which))

    def due(self, most: int) -> bool:
        """`Corners.learning`."""
        native, before, after = self._learning
        return bool(native(*before, most, *after))

    def more(self, place: int, most: int, age: int) -> bool:
        """Whether a window needs more parameters than it has.

        Args:
            place: of the picture, in which the windows were found.
            most: frames averaged in references; age: frames since the first one.
        """
        return any(native(place, *before, most, age, *after) for native, before, after in self._asks)

    def seen(self, place: int, most: int, age: int) -> None:
        """Look at the noise of the windows, and let them join their means: `variance` is that of their places."""
        looked = sum(native(place, *before, most, age, *after) for native, before, after in self._looks)
        native, before, after = self._unsolved
        chosen = native(*before, looked, *after)
        for row in self._which[:chosen].tolist():
            one, _, given = self._solves[self._mine[row]]
            one(row, *given)
        if chosen:
            self._share[0](*self._share[1])
        for native, before, _ in self._weighs:
            native(*before)

    def drawn(self) -> None:
        """Make references of means anew."""
        due, doubts = self._outdated[0](*self._outdated[1]), 0
        if due:
            for native, before, after in self._draws:
                doubts = native(*before, due, *after, doubts, self._work)
        if doubts:
            self.corners.drawn(np.sort(self._doubtful[:doubts]))

    def _ready(self, one: Loop, kind: np.dtype[Any], before: Sequence[Any], after: Sequence[Any] = ()) -> Given:
        native = one.native(kind)
        assert native is not None
        self._alive += [*before, *after]
        return native, arguments(*before), arguments(*after)
