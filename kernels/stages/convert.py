"""Another scalar type."""

from __future__ import annotations

from kernels.ir.expr import Expr
from kernels.ir.image import DTYPES
from kernels.param import Param
from kernels.stage import Plane, stage


@stage(
    category="Grey values",
    params=(Param("dtype", "choice", "f32", "the new type", choices=tuple(DTYPES), structural=True),),
    per_channel=True,
)
def convert(image: Plane, dtype: str) -> Expr:
    """The same values in another type: to whole numbers rounded, halves to even, and saturated (NaN becomes 0).

    To bool: whether the value is not 0.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(convert, np.array([[-3.0, 0.5, 1.5, 300.0]], np.float32), dtype="u8")
    array([[  0,   0,   2, 255]], dtype=uint8)
    """
    return image().to(DTYPES[dtype])
