"""Points on a square grid that fills areas of the picture: where windows are followed for fields of displacement."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from pipelines.analysis.areas import SPELT, Area, parse_area

Array = npt.NDArray[Any]
GRAMMAR = 'STEP [in AREA]... [without AREA]..., such as "12 in rect:80,60,200,150 without circle:180,130,25"'
"""How a grid is written."""


@dataclass(frozen=True, slots=True)
class PointGrid:
    """A grid of points.

    Args:
        step: px between neighbours along x and along y.
        within: areas that it fills, all of them on one grid; () for the whole picture.
        without: areas that it leaves out.
    """

    step: int
    within: tuple[Area, ...] = ()
    without: tuple[Area, ...] = ()

    def __post_init__(self) -> None:
        if not (isinstance(self.step, int) and 1 <= self.step <= 10_000):
            raise InputError(f"the step of a grid is a whole number of px, 1 to 10000, not {self.step!r}")

    def __str__(self) -> str:
        words = [str(self.step), *(f"in {area}" for area in self.within), *(f"without {area}" for area in self.without)]
        return " ".join(words)

    def points(self, width: int, height: int, window: int, roi: tuple[int, int, int, int] | None = None) -> Array:
        """The points, (n, 2) px, row by row; those whose windows would reach out of the picture are none.

        The grid lies in the middle of the smallest box around the areas: what the step leaves is left on both sides.

        Args:
            width, height: of the picture, px.
            window: side of the windows around the points, px.
            roi: x, y, width, height of the part of the picture that is processed; None for all of it.
        """
        x, y, wide, high = roi or (0, 0, width, height)
        half = window // 2
        left, top, right, bottom = x + half, y + half, x + wide - 1 - half, y + high - 1 - half
        if self.within:
            boxes = [area.bounds for area in self.within]
            left, top = (max(edge, math.ceil(min(box[k] for box in boxes))) for k, edge in enumerate((left, top)))
            right, bottom = (min(edge, math.floor(max(box[k + 2] for box in boxes)))
                             for k, edge in enumerate((right, bottom)))  # fmt: skip
        if right < left or bottom < top:
            return np.zeros((0, 2))
        # What the step leaves is halved: the grid is in the middle.
        xs, ys = (np.arange(low + (high - low) % self.step // 2, high + 1, self.step, dtype=np.float64)
                  for low, high in ((left, right), (top, bottom)))  # fmt: skip
        places = np.stack([axis.ravel() for axis in np.meshgrid(xs, ys)])
        kept = np.ones(places.shape[1], bool) if not self.within else np.zeros(places.shape[1], bool)
        for area in self.within:
            kept |= area.holds(places)
        for area in self.without:
            kept &= ~area.holds(places)
        return np.asarray(places[:, kept].T)


def parse_grid(text: str) -> PointGrid:
    """What is spelt as `GRAMMAR` says.

    >>> print(parse_grid("12 in rect:80,60,200,150 without circle:180,130,25"))
    12 in rect:80,60,200,150 without circle:180,130,25

    Raises:
        InputError: it is something else.
    """
    words = text.split()
    if not words or not re.fullmatch(r"\d{1,9}", words[0]) or len(words) % 2 == 0:
        raise InputError(f"--grid takes {GRAMMAR}; an area is {SPELT}; not {text!r}")
    within: list[Area] = []
    without: list[Area] = []
    for key, area in zip(words[1::2], words[2::2], strict=True):
        if key not in ("in", "without"):
            raise InputError(f"--grid takes {GRAMMAR}, not {key!r} before an area")
        (within if key == "in" else without).append(parse_area(area))
    return PointGrid(int(words[0]), tuple(within), tuple(without))
