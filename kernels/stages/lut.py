"""Gray scale by a table."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from kernels.errors import DefinitionError
from kernels.ir.expr import lookup
from kernels.ir.image import U8, U16, DType
from kernels.param import Param
from kernels.stage import Image, Picture, stage


@stage(
    category="Grey values",
    params=(
        Param("points", "points", (), "(in, out) pairs, joined by straight lines", length=2, structural=True),
        Param("values", "vector", (), "the result of each gray value from 0 on, instead of points", structural=True),
        Param("bits", "int", 0, "significant bits of the result; 0 for those of the input", low=0, high=16,
              structural=True),
    ),
)  # fmt: skip
def lut(
    image: Image, points: tuple[tuple[float, ...], ...], values: tuple[float, ...], bits: int
) -> Picture:
    """Look every gray value up in a table: out = table[in].

    The table is `values`, or piecewise linear through `points` (in float64, rounded half to even; flat before the
    first and after the last point), or the identity without either. Gray values past its end take the last entry;
    entries outside the result's type are refused. u8 or u16 in; u8 out for up to 8 `bits`, u16 for more, else the
    input's type.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(lut, np.array([[0, 50, 100, 200]], np.uint8), points=((50, 0), (150, 200)))
    array([[  0,   0, 100, 200]], dtype=uint8)
    """
    dtype = image.type.dtype
    if dtype not in (U8, U16):
        raise DefinitionError(f"it takes u8 or u16, not {dtype}")
    if points and values:
        raise DefinitionError("it takes points or values, not both")
    result = dtype if bits == 0 else U8 if bits <= 8 else U16
    table = values or _joined(points, int(image.type.white) + 1)
    white = float(2 ** (bits or result.bits) - 1)
    for index, value in enumerate(table):
        if not 0.0 <= value <= white:
            raise DefinitionError(f"gray value {index} would become {value:g}, outside 0..{white:g}")
    entries = tuple(round(value) for value in table)
    return Picture(tuple(lookup(entries, plane(), result) for plane in image.planes), bits or _bits(image, result))


def _joined(points: tuple[tuple[float, ...], ...], count: int) -> tuple[float, ...]:
    inside = tuple(float(i) for i in range(count))
    if not points:
        return inside
    given, wanted = zip(*points, strict=True)
    if any(b <= a for a, b in pairwise(given)):
        raise DefinitionError("the points' gray values must rise")
    return tuple(float(v) for v in np.interp(inside, given, wanted))


def _bits(image: Image, result: DType) -> int:
    return image.type.bits if image.type.dtype == result else 0
