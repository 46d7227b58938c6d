"""Crops that follow things: placed by a detector once, then by the points that were found in the crop one frame ago."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.decoders.placement import Cutting, Rows
from kernels.ir.placement import PARTS

Numbers = npt.NDArray[np.float64]
Placement = npt.NDArray[np.float64]
SAME = 0.25
"""Of a crop's width: things whose middles are as near each other are one."""


@dataclass(frozen=True)
class Following:
    """How several things are followed, each in a crop of its own.

    Args:
        detected: how a thing is cut out that the detector has found.
        followed: how one whose points are known from the crop before is.
        step: frames from one crop to the next.
        every: frames from one detection to the next, at which what is followed is placed anew; 0: never.
        search: the same while one of the things is missing.

    What is remembered from frame to frame, f64: frames since the detector was looked at (1 in the next frame; 0: it
    never was), frames since the last crop (0 if it was in that frame), then the placement of each thing, then x and y
    of where the middle of each was last (NaN: it never was): things that were lost together come back to their own
    crops.
    """

    detected: Cutting
    followed: Cutting
    step: int
    every: int
    search: int

    def looks(self, before: Sequence[Rows | None], memory: Numbers) -> bool:
        """Whether the detector is looked at in this frame.

        Args:
            before: the points of each thing one frame ago: rows of KEYPOINT.
            memory: (`room` of the things).
        """
        return self._looks(*self._begun(before, memory))

    def _looks(self, own: Sequence[Placement], age: float, due: bool) -> bool:
        wanted = age == 0 or bool(self.every and age >= self.every)
        return due and (wanted or (age >= self.search and any(map(_nowhere, own))))

    def _begun(self, before: Sequence[Rows | None], memory: Numbers) -> tuple[list[Placement], float, bool]:
        """The crops as they are known before the detector is looked at, the frames since it was, and whether this is
        a frame with crops."""
        # NaN: nothing is remembered, the detector was never looked at.
        age = 0.0 if np.isnan(memory[0]) else float(memory[0])
        last = [one.reshape(1, 1, PARTS) for one in np.split(memory[2 : 2 + PARTS * len(before)], len(before))]
        # Between crops (`step` > 1) the last placements hold.
        if memory[1] > 0:
            own = last
        else:
            own = self._own(before)
            # Only with a detector that has been looked at: age 0 makes it look in any case.
            if any(_nowhere(now) and not _nowhere(then) for now, then in zip(own, last, strict=True)) and age:
                age = max(age, float(self.search))  # a thing was lost just now
        return own, age, not memory[1] + 1 < self.step

    def place(
        self, boxes: Rows | None, points: Rows | None, before: Sequence[Rows | None], memory: Numbers
    ) -> tuple[list[Placement], Numbers]:
        """The placement of each thing, (1, 1, PARTS), NaN where it is not there or between crops; and what to remember.

        Args:
            boxes, points: what the detector has found, as `Cutting.place` takes it, the surest first; looked at only
                where `looks` says so.
        """
        own, age, due = self._begun(before, memory)
        looked = self._looks(own, age, due)
        was = memory[2 + PARTS * len(own) :].reshape(-1, 2)
        if looked:
            self._detect(own, boxes, points, was)
        # The age counts from the look; 0 stays 0 until there was one.
        age = 1.0 if looked else age + 1.0 if age else 0.0
        places = [old if _nowhere(one) else _middle(one) for one, old in zip(own, was, strict=True)]
        # Written in the order in which `_begun` and `place` read it (see the class).
        kept = np.array([age, 0.0 if due else memory[1] + 1.0, *np.concatenate(own, -1).ravel(),
                         *(number for place in places for number in place)])  # fmt: skip
        return own if due else [np.full((1, 1, PARTS), np.nan)] * len(own), kept

    def _own(self, before: Sequence[Rows | None]) -> list[Placement]:
        """The crops that follow from the points of the frame before; of two around one thing the first stays."""
        made: list[Placement] = []
        for rows in before:
            one = self.followed.place(None, rows if rows is not None and len(rows) else None)
            # Two crops that have run into the same thing would follow it together for good: the later one is given up.
            if any(_within(other, _middle(one), SAME) for other in made):
                one = np.full((1, 1, PARTS), np.nan)
            made.append(one)
        return made

    def _detect(self, own: list[Placement], boxes: Rows | None, points: Rows | None, was: Numbers) -> None:
        """Place what is missing, and what the detector sees where something is followed, by its boxes.

        Args:
            was: x, y of where the middle of each thing was last. The nearest pair of thing and box goes together first;
                things that never were take the surest boxes that are left.
        """
        known = [not _nowhere(one) for one in own]
        waiting = [k for k, followed in enumerate(known) if not followed]
        anew, free = set[int](), list[Placement]()
        # Boxes, the surest first: each belongs to a thing that is followed, or waits for one that is missing.
        for rank in range(0 if boxes is None else len(boxes)):
            box = replace(self.detected, instance=rank).place(boxes, points)
            if _nowhere(box):
                continue
            middle = _middle(box)
            mine = [k for k, followed in enumerate(known) if followed and _within(own[k], middle, 0.5)]
            if mine:
                # Placed anew only where that is wanted, and by the surest of its boxes.
                if self.every and mine[0] not in anew:
                    own[mine[0]] = box
                    anew.add(mine[0])
            elif len(free) < len(waiting) and not any(_within(one, middle, SAME) for one in (*own, *free)):
                free.append(box)
        # Things that come back take the box nearest to where they were last: greedy, by rising distance.
        pairs = [(float(np.hypot(*(np.subtract(_middle(box), was[k])))), k, rank) for k in waiting
                 for rank, box in enumerate(free) if np.isfinite(was[k, 0])]  # fmt: skip
        taken = dict[int, int]()
        for _, k, rank in sorted(pairs):
            if k not in taken and rank not in taken.values():
                taken[k] = rank
        # Boxes that are left are in the order of their scores: new things take the surest.
        left = [rank for rank in range(len(free)) if rank not in taken.values()]
        for k in waiting:
            if k in taken or left:
                own[k] = free[taken[k] if k in taken else left.pop(0)]


def _nowhere(one: Placement) -> bool:
    return bool(np.isnan(one[0, 0, :6]).any())


def _middle(one: Placement) -> tuple[float, float]:
    """Of a crop, in the frame."""
    a, b, c, d, e, f, width, height = one[0, 0].tolist()
    # The crop's middle: pixels' centres are whole numbers, so that it lies at (size - 1) / 2.
    u, v = 0.5 * (width - 1.0), 0.5 * (height - 1.0)
    return a * u + b * v + c, d * u + e * v + f


def _within(one: Placement, place: tuple[float, float], share: float) -> bool:
    """Whether a place lies nearer to the middle of a crop than a share of its width and height; not if either is
    nowhere."""
    a, b, _, d, e, _, width, height = one[0, 0].tolist()
    x, y = _middle(one)
    dx, dy = place[0] - x, place[1] - y
    whole = a * e - b * d
    if not whole:
        return False
    # The offset in the crop's own axes, by Cramer's rule.
    u, v = (e * dx - b * dy) / whole, (a * dy - d * dx) / whole
    return bool(abs(u) < share * width and abs(v) < share * height)


def room(things: int) -> int:
    """Numbers that are remembered of so many things."""
    return 2 + (PARTS + 2) * things


def remembered(memory: Any, things: int) -> Numbers:
    """What was remembered one frame ago; NaN, which is nothing, before the first frame."""
    return np.full(room(things), np.nan) if memory is None else np.asarray(memory, np.float64).reshape(-1)
