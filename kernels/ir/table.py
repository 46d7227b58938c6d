"""Tables: what a reduction leaves of an image. Regional sums and extrema, and lists of candidate pixels.

Sums run over whole numbers in i64 (`fixed` makes them from floats), so that the result does not depend on any order;
overflow of i64 would need 2**63 / 2**31 = 4e9 pixels of extreme values. Minima and maxima do not depend on the order
either: they leave NaN out, and a zero comes out as +0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError, ExprError
from kernels.ir.expr import Expr, const, convert, joint_size, rint
from kernels.ir.image import BOOL, F32, F64, I32, I64, DType

Rectangle = tuple[int, int, int, int]
"""x, y, width, height, px."""
REDUCTIONS = ("sum", "count", "min", "max")


@dataclass(frozen=True, slots=True)
class TableType:
    """Columns (name, type) and the largest number of rows."""

    columns: tuple[tuple[str, DType], ...]
    capacity: int

    @property
    def numpy(self) -> np.dtype[np.void]:
        """The structured dtype of the rows."""
        return _rows_of(self.columns)

    def __str__(self) -> str:
        return f"table of {', '.join(name for name, _ in self.columns)} (at most {self.capacity} rows)"


@cache
def _rows_of(columns: tuple[tuple[str, DType], ...]) -> np.dtype[np.void]:
    return np.dtype([(name, dtype.numpy) for name, dtype in columns])


class Table(NamedTuple):
    """Rows of a table (structured array) and how many more there would have been."""

    rows: npt.NDArray[Any]
    overflow: int = 0


@dataclass(frozen=True, slots=True)
class Column:
    """A reduced quantity: name, "sum" | "count" | "min" | "max", and the pixel expression it runs over.

    count takes a bool expression; sum a whole-number one. min and max start from the type's largest and smallest finite
    value, which they are where there is no pixel.
    """

    name: str
    kind: str
    expr: Expr

    def __post_init__(self) -> None:
        if self.kind not in REDUCTIONS:
            raise ExprError(f"column {self.name}: unknown reduction {self.kind!r}; one of {', '.join(REDUCTIONS)}")
        if self.kind == "sum" and self.expr.dtype.is_float:
            raise ExprError(f"column {self.name}: a sum of {self.expr.dtype} would depend on its order; "
                            "use fixed(expr, bits)")  # fmt: skip
        if (self.kind == "count") != (self.expr.dtype == BOOL):
            raise ExprError(f"column {self.name}: count takes a bool, the others a number; got {self.expr.dtype}")

    @property
    def dtype(self) -> DType:
        return I64 if self.kind in ("sum", "count") else self.expr.dtype


@dataclass(frozen=True, slots=True)
class Regions:
    """The regions of a reduction.

    kind "whole": one row, the image. "grid": one row a cell of width x height pixels, row by row (cells at the right
    and lower edge may be smaller). "boxes": one row a rectangle (x, y, width, height; rounded half to even) of the live
    parameter `boxes`, clipped to the image; rectangles past `capacity` are counted.
    """

    kind: str = "whole"
    width: int = 0
    height: int = 0
    boxes: str = ""
    capacity: int = 1

    def __post_init__(self) -> None:
        if self.kind not in ("whole", "grid", "boxes"):
            raise ExprError(f"unknown regions {self.kind!r}; one of whole, grid, boxes")
        if self.kind == "grid" and (self.width < 1 or self.height < 1):
            raise ExprError(f"the cells of a grid have at least one pixel, not {self.width}x{self.height}")
        if self.kind == "boxes" and (not self.boxes or self.capacity < 1):
            raise ExprError("regions by boxes need the name of a parameter and room for at least one")

    def rectangles(self, size: tuple[int, int], given: object) -> tuple[list[Rectangle], int]:
        """(x, y, width, height) of each region of an image of `size` (height, width), not clipped, and how many
        found no room.

        Args:
            given: the value of the parameter `boxes`.

        Raises:
            DefinitionError: one of them is no rectangle.
        """
        if self.kind == "whole":
            return [(0, 0, size[1], size[0])], 0
        if self.kind == "grid":
            w, h = self.width, self.height
            return [(x, y, w, h) for y in range(0, size[0], h) for x in range(0, size[1], w)], 0
        found: list[Rectangle] = []
        for box in given if isinstance(given, tuple) else ():
            if not isinstance(box, tuple) or len(box) != 4:
                raise DefinitionError(f"a region is (x, y, width, height), not {box!r}")
            left, top, w, h = (round(v) for v in box)
            found.append((left, top, w, h))
        return found[: self.capacity], max(0, len(found) - self.capacity)

    def count(self, size: tuple[int, int]) -> int:
        """The number of regions in an image of `size` (height, width); for boxes the capacity."""
        if self.kind == "grid":
            return -(-size[0] // self.height) * -(-size[1] // self.width)
        return 1 if self.kind == "whole" else self.capacity


@dataclass(frozen=True, slots=True)
class Reduction:
    """Regional quantities of an image: a table with a row a region, in the regions' order."""

    regions: Regions
    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        _check_names([column.name for column in self.columns])

    @property
    def roots(self) -> tuple[Expr, ...]:
        return tuple(column.expr for column in self.columns)


@dataclass(frozen=True, slots=True)
class Candidates:
    """The pixels where `condition` holds: a table with columns x, y (i32) and the given ones, in raster order.

    At most `capacity` rows; the first in raster order stay and the rest is counted.
    """

    condition: Expr
    columns: tuple[tuple[str, Expr], ...]
    capacity: int

    def __post_init__(self) -> None:
        if self.condition.dtype != BOOL:
            raise ExprError(f"candidates need a bool condition, not {self.condition.dtype}")
        if self.capacity < 1:
            raise ExprError("candidates need room for at least one row")
        _check_names(["x", "y", *(name for name, _ in self.columns)])

    @property
    def roots(self) -> tuple[Expr, ...]:
        return (self.condition, *(expr for _, expr in self.columns))


def _check_names(names: list[str]) -> None:
    if not names:
        raise ExprError("a table needs at least one column")
    for name in names:
        if names.count(name) > 1:
            raise ExprError(f"two columns are called {name!r}")


def table_type(table: Reduction | Candidates, size: tuple[int, int]) -> TableType:
    """The type of what a reduction over an image of `size` leaves."""
    if isinstance(table, Candidates):
        fields = (("x", I32), ("y", I32), *((name, expr.dtype) for name, expr in table.columns))
        return TableType(fields, table.capacity)
    return TableType(tuple((c.name, c.dtype) for c in table.columns), table.regions.count(size))


def joint_table_size(table: Reduction | Candidates) -> tuple[int, int]:
    """(height, width) of the image that is reduced.

    Raises:
        ExprError: it is reduced from no image.
    """
    size = joint_size(table.roots)
    if size is None:
        raise ExprError("a table must be reduced from an image")
    return size


def fixed(value: Expr, bits: int) -> Expr:
    """A float as a whole number of 2**-bits, i32, saturating: what a sum may run over."""
    return convert(rint(convert(value, F32) * const(float(2**bits), F32)), I32)


FEATURE = tuple(
    (name, F64)
    for name in ("x", "y", "mass", "peak", "area", "xx", "xy", "yy", "sigma", "anisotropy", "stretch", "lean", "min",
                 "max")
)  # fmt: skip
"""The columns of a table of features, which trackers take: centre (px), mass, peak, area (px), second central
moments (px^2), standard uncertainty (px; NaN when unknown): the root of the mean of the variances of x and of y; by
how much these differ: (variance of x - variance of y) / (their sum), -1..1, 0 where both are as uncertain; and
(xx - yy) / 2 and xy (px^2), which tell how long a thing is and where to, as they follow from its light under weights
that fall off with the distance, where these are known: noise changes them as little as it can, and what lies beside
the thing hardly; NaN where unknown (what the picture's edge cuts); and the least and the largest gray value of its
pixels as they are in the picture, of things that have pixels of their own (regions of a mask), NaN else."""
COLUMNS = len(FEATURE)
SIGMA, ANISOTROPY = ([name for name, _ in FEATURE].index(name) for name in ("sigma", "anisotropy"))
"""Where these are in a row of `FEATURE`, for loops, to which rows are numbers one behind the other."""
GRAYS = COLUMNS - 2
"""The first of those that tell gray values of pixels, which no refined centre changes."""
_NARROW = {"area": np.dtype("<u4"), "min": np.dtype("<f4"), "max": np.dtype("<f4")}
PACKED = np.dtype([(name, np.dtype("<f8")) for name, _ in FEATURE if name not in _NARROW] + list(_NARROW.items()))
"""Rows of `FEATURE` as devices send those of regions, whose area is a number of pixels and whose gray values are those
of pixels, so that four bytes hold each of them exactly: 100 bytes in place of 112."""


def unpacked(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Rows of `PACKED` as rows of `FEATURE`."""
    made = np.empty(rows.shape, _rows_of(FEATURE))
    for name, _ in FEATURE:
        made[name] = rows[name]
    return made


KEYPOINT = (*FEATURE, ("score", F64), ("point", I32), ("instance", I32))
"""The columns of a table of key points: those of features; how sure it is, as the network says; which point of the
thing it is, from 0; and which of several things (0 where only one is looked for)."""
BOX = tuple((name, F64) for name in ("x", "y", "width", "height", "score"))
"""The columns of a table of boxes: the centre, px; how wide and high, px; how sure it is, as the network says."""
