"""Crops that follow things: placed by a detector once, then by the points that were found in the crop one frame ago."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.placing import Cutting, Rows
from kernels.ir.placement import PARTS

Numbers = npt.NDArray[np.int32]
Placement = npt.NDArray[np.float64]
SAME = 0.25
"""Of a crop's width: things whose middles are as near each other are one."""


@dataclass(frozen=True)
class Following:
    """How several things are followed, each in a crop of its own.

    Args:
        detected: how a thing is cut out that the detector has found.
        followed: how one whose points are known from the frame before is.
        every: frames from one detection to the next, at which what is followed is placed anew; 0: never.
        search: the same while one of the things is missing.

    What is remembered from frame to frame, whole numbers: frames since the detector was looked at (1 in the next frame;
    0: it never was), then for each thing whether it had a crop.
    """

    detected: Cutting
    followed: Cutting
    every: int
    search: int

    def looks(self, before: Sequence[Rows | None], memory: Numbers) -> bool:
        """Whether the detector is looked at in this frame.

        Args:
            before: the points of each thing one frame ago: rows of KEYPOINT.
            memory: (1 + things).
        """
        return self._looks(self._own(before), memory)

    def _looks(self, own: Sequence[Placement], memory: Numbers) -> bool:
        age = int(memory[0])
        if age == 0 or (self.every and age >= self.every):
            return True
        free = [k for k, one in enumerate(own) if _nowhere(one)]
        return bool(free) and (age >= self.search or any(memory[1 + k] for k in free))

    def place(
        self, boxes: Rows | None, points: Rows | None, before: Sequence[Rows | None], memory: Numbers
    ) -> tuple[list[Placement], Numbers]:
        """The placement of each thing, (1, 1, PARTS), NaN where it is not there; and what to remember.

        Args:
            boxes, points: what the detector has found, as `Cutting.place` takes it, the surest first; looked at only
                where `looks` says so.
        """
        own = self._own(before)
        looked = self._looks(own, memory)
        if looked:
            self._detect(own, boxes, points)
        age = 1 if looked else min(int(memory[0]) + 1, np.iinfo(np.int32).max)
        return own, np.array([age, *(not _nowhere(one) for one in own)], np.int32)

    def _own(self, before: Sequence[Rows | None]) -> list[Placement]:
        """The crops that follow from the points of the frame before; of two around one thing the first stays."""
        made: list[Placement] = []
        for rows in before:
            one = self.followed.place(None, rows if rows is not None and len(rows) else None)
            if any(_within(other, _middle(one), SAME) for other in made):
                one = np.full((1, 1, PARTS), np.nan)
            made.append(one)
        return made

    def _detect(self, own: list[Placement], boxes: Rows | None, points: Rows | None) -> None:
        """Place what is missing, and what the detector sees where something is followed, by its boxes."""
        known = [not _nowhere(one) for one in own]
        waiting = [k for k, followed in enumerate(known) if not followed]
        anew = set[int]()
        for rank in range(0 if boxes is None else len(boxes)):
            box = replace(self.detected, instance=rank).place(boxes, points)
            if _nowhere(box):
                continue
            middle = _middle(box)
            mine = [k for k, followed in enumerate(known) if followed and _within(own[k], middle, 0.5)]
            if mine:
                if self.every and mine[0] not in anew:
                    own[mine[0]] = box
                    anew.add(mine[0])
            elif waiting and not any(_within(one, middle, SAME) for one in own):
                own[waiting.pop(0)] = box


def _nowhere(one: Placement) -> bool:
    return bool(np.isnan(one[0, 0, :6]).any())


def _middle(one: Placement) -> tuple[float, float]:
    """Of a crop, in the frame."""
    a, b, c, d, e, f, width, height = one[0, 0].tolist()
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
    u, v = (e * dx - b * dy) / whole, (a * dy - d * dx) / whole
    return bool(abs(u) < share * width and abs(v) < share * height)


def remembered(memory: Any, things: int) -> Numbers:
    """What was remembered one frame ago; nothing before the first frame."""
    return np.zeros(1 + things, np.int32) if memory is None else np.asarray(memory, np.int32).reshape(-1)
