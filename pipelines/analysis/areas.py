"""Areas of the picture, as they are spelt: rect:100,80,200,150, circle:X,Y,R, ellipse:X,Y,RX,RY, polygon:X,Y,X,Y,..."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError

Array = npt.NDArray[Any]
Kind = Literal["rect", "circle", "ellipse", "polygon"]
SPELT = "rect:X,Y,WIDTH,HEIGHT, circle:X,Y,R, ellipse:X,Y,RX,RY or polygon:X,Y,X,Y,X,Y..."
"""How an area is written."""
_COUNTS = {"rect": 4, "circle": 3, "ellipse": 4}
_SIZES = {"rect": 2, "circle": 1, "ellipse": 2, "polygon": 0}
"""Numbers at the end that are lengths."""


@dataclass(frozen=True, slots=True)
class Area:
    """One area of the picture, px; x right, y down.

    Args:
        kind: which.
        numbers: rect: left, top, width, height; circle: centre, radius; ellipse: centre, half axes along x and y;
            polygon: its corners, x and y in turns.
    """

    kind: Kind
    numbers: tuple[float, ...]

    def __str__(self) -> str:
        return f"{self.kind}:{','.join(f'{number:.12g}' for number in self.numbers)}"

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        if self.kind == "rect":
            x, y, width, height = self.numbers
            return x, y, x + width, y + height
        if self.kind == "polygon":
            xs, ys = self.numbers[::2], self.numbers[1::2]
            return min(xs), min(ys), max(xs), max(ys)
        x, y, rx, ry = (*self.numbers, self.numbers[-1])[:4]
        return x - rx, y - ry, x + rx, y + ry

    def holds(self, places: Array) -> Array:
        """Whether places (2, n) lie in it, its border included (of polygons: by the parity of crossings, so that an
        outline may cut itself; there the border is in or out)."""
        x, y = places
        if self.kind == "rect":
            left, top, right, bottom = self.bounds
            return np.asarray((x >= left) & (x <= right) & (y >= top) & (y <= bottom))
        if self.kind != "polygon":
            cx, cy, rx, ry = (*self.numbers, self.numbers[-1])[:4]
            return np.asarray(np.hypot((x - cx) / rx, (y - cy) / ry) <= 1.0)
        xs, ys = np.array(self.numbers[::2]), np.array(self.numbers[1::2])
        inside = np.zeros(np.shape(x), bool)
        for ax, ay, bx, by in zip(xs, ys, np.roll(xs, -1), np.roll(ys, -1), strict=True):
            # An edge counts if exactly one of its ends lies above the point, so that a corner at its height is crossed
            # once.
            crosses = (ay > y) != (by > y)
            with np.errstate(divide="ignore", invalid="ignore"):
                inside ^= crosses & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
        return inside


def parse_area(text: str) -> Area:
    """Read an area that is written as `SPELT` says.

    >>> parse_area("circle:120,80,25"), str(parse_area("polygon:0,0,10,0,5,8"))
    (Area(kind='circle', numbers=(120.0, 80.0, 25.0)), 'polygon:0,0,10,0,5,8')

    Raises:
        InputError: it is something else, or has no size.
    """
    match = re.fullmatch(r"(rect|circle|ellipse|polygon):(.+)", text.strip())
    try:
        numbers = tuple(float(part) for part in match[2].split(",")) if match else ()
    except ValueError:
        numbers = ()
    if match is not None and numbers and all(map(math.isfinite, numbers)):
        kind = cast(Kind, match[1])
        count, sizes = _COUNTS.get(kind), numbers[len(numbers) - _SIZES[kind] :]
        good = len(numbers) == count if count else len(numbers) >= 6 and len(numbers) % 2 == 0
        if good and all(size > 0 for size in sizes):
            return Area(kind, numbers)
    raise InputError(f"an area is {SPELT}, in px, not {text!r}")
