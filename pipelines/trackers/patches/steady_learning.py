"""What windows learn from a frame in which they went on as they did and some of them turn or deform: a few calls of
machine code for those of each number of parameters, after `Steady` has found them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.loops import Loop, address
from kernels.host.scratch import lined
from pipelines.trackers.patches.corners import Corners
from pipelines.trackers.patches.fit import References
from pipelines.trackers.patches.grain_loops import FAR, PLANES
from pipelines.trackers.patches.steady_loops import NOISY, STRIPY, learning
from pipelines.trackers.patches.taps import TABLE
from pipelines.trackers.patches.turned_young_loops import draw_young, turning_more, weigh_turned
from pipelines.trackers.patches.young_loops import look_and_join, outdated, share, solve_one, unsolved

Array = npt.NDArray[Any]
Given = tuple[Callable[..., Any], tuple[int, ...], tuple[int, ...]]
"""Machine code and what it is given, before what is another in each frame, and after it."""


class TurnedLearning:
    """Of the windows of a `Steady`, in whose memory it works.

    Args:
        corners: the windows.
        groups: the windows of each number of parameters, their references, and the deformations that are found.
        shape, kind: of pictures.
        places, how, found, variance, work: as `Steady` has them.
        bending: whether windows may need more parameters.
    """

    def __init__(
        self, corners: Corners, groups: Sequence[tuple[Array, References, Array]], shape: tuple[int, ...],
        kind: np.dtype[Any], places: Array, how: Array, found: Array, variance: Array, work: Array, bending: bool,
    ) -> None:  # fmt: skip
        t, anchors, o, n = corners.t, corners.anchors, corners.anchors.layout, len(variance)
        floats, self.corners, self.count = t.blocks[np.dtype("f8")], corners, len(t)
        self._alive: list[Array] = []
        slot, averaged, counted, closed, looks, solved = (
            t[name] for name in ("slot", "averaged", "counted", "closed", "looks", "solved"))  # fmt: skip
        column = {name: floats[places[k] :] for name, k in (("offset", 12), ("grain", 13), ("drawn", 15), ("left", 20))}
        self._which, self._doubtful = np.zeros(n, np.int64), np.zeros(n, np.int64)
        most = max(refs.layout.p for _, refs, _ in groups)
        trial, flags = lined(7 * o.area + 128 + (o.w + 6) * o.across + 64), np.zeros(8, np.int64)
        planes = lined(PLANES + (1 + 4 * (most + 2)) * (o.w + FAR + 1) * (o.pitch + 8))
        stripes, noisy = how[STRIPY:], how[NOISY:].copy()
        models = t["warp"] if "warp" in t else np.full(n, most)
        self._mine = models.tolist()
        middle, around = (anchors.side, anchors.stride, anchors.edge), (o.w, o.pitch)
        self._asks: list[Given] = []
        self._looks: list[Given] = []
        self._weighs: list[Given] = []
        self._draws: list[Given] = []
        self._solves: dict[int, Given] = {}
        for rows, refs, next_ in groups:
            p, many = refs.layout.p, len(rows)
            fresh, joined, gains = np.zeros(many, np.int64), np.zeros(many, np.int64), np.zeros(many)
            some = (self.count, rows, many, p)
            if bending and p < 6:
                self._add(self._asks, turning_more, kind, (*shape, *some), (
                    *around, o.across, *middle, floats, places, n, found, slot, averaged, closed, looks, o.mask,
                    refs.layout.lever, TABLE, anchors.tiles, trial, flags, work,
                ))  # fmt: skip
            self._add(self._looks, look_and_join, kind, (*shape, *some), (
                *around, *middle, anchors.size, o.across, n, found, next_, slot, averaged, closed, looks,
                column["left"], fresh, gains, joined, refs.pixels, refs.norm, refs.jacobian, refs.inverse, o.mask,
                anchors.mask, TABLE, anchors.tiles, work,
            ))  # fmt: skip
            self._add(self._weighs, weigh_turned, kind, (rows, many, p, o.w, n, floats, places, found, slot, averaged,
                looks, fresh, gains, joined, refs.inverse, refs.textured, noisy, variance))  # fmt: skip
            solves: list[Given] = []
            self._add(solves, solve_one, kind, (), (
                p, slot, looks, column["grain"], column["offset"], column["left"], refs.pixels, refs.jacobian,
                refs.inverse, *around, o.mask, noisy, planes,
            ))  # fmt: skip
            self._solves[p] = solves[0]
            self._add(self._draws, draw_young, kind, (self._which,), (
                models, p, int(anchors.stripes), *around, o.across, *middle, column["drawn"], slot, o.mask,
                refs.layout.lever, TABLE, anchors.tiles, refs.pixels, refs.norm, refs.jacobian, refs.inverse,
                refs.textured, stripes, self._doubtful,
            ))  # fmt: skip
        self._work = self._ready(work)
        whole: list[Given] = []
        self._add(whole, learning, kind, (self.count,), (averaged, counted, closed, solved))
        self._add(whole, unsolved, kind, (self.count,), (looks, solved, self._which))
        self._add(whole, share, kind, (self.count, looks, solved, column["grain"], column["offset"], noisy, work))
        self._add(whole, outdated, kind, (self.count, averaged, counted, self._which))
        self._learning, self._unsolved, self._share, self._outdated = whole

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

    def _add(
        self, calls: list[Given], one: Loop, kind: np.dtype[Any], before: Sequence[Any], after: Sequence[Any] = ()
    ) -> None:
        native = one.native(kind)
        assert native is not None
        calls.append((native, tuple(map(self._ready, before)), tuple(map(self._ready, after))))

    def _ready(self, value: Any) -> Any:
        """As machine code takes it; an array stays alive."""
        if not isinstance(value, np.ndarray):
            return value
        self._alive.append(value)
        return address(value)
