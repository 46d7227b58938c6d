"""Mask of the pixels that differ from the mean of their neighbourhood."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr
from kernels.ir.image import BOOL, F32, U8, U16
from kernels.ir.planes import Border
from kernels.param import Param
from kernels.stage import Plane, stage
from kernels.stages.threshold import POLARITY


@stage(
    category="Masks",
    params=(
        Param("size", "int", 31, "side of the square over which the mean runs, odd", unit="px", low=3, high=181,
              structural=True, odd=True),
        Param("offset", "float", 5.0, "gray values by which a pixel must differ from the mean"),
        POLARITY,
    ),
    per_channel=True,
)  # fmt: skip
def adaptive_threshold(image: Plane, size: int, offset: Expr, polarity: str) -> Expr:
    """Local threshold, bool: bright: in > mean + offset; dark: in <= mean - offset.

    The mean of u8 and u16 is rounded to a whole number; the image's edge pixels go on beyond it. On u8 it equals
    cv2.adaptiveThreshold(ADAPTIVE_THRESH_MEAN_C) bit for bit: bright is THRESH_BINARY with C = -offset, dark is
    THRESH_BINARY_INV with C = offset (whole offsets; OpenCV rounds others).

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(adaptive_threshold, np.array([[10, 10, 40, 10, 10]], np.uint8), size=3, offset=5.0)
    array([[False, False,  True, False, False]])
    """
    if size % 2 == 0:
        raise DefinitionError(f"size = {size} must be odd")
    here, half = image(), size // 2
    if here.dtype == BOOL:
        raise DefinitionError("it takes gray values, not a mask")
    area = size * size
    total = Plane(image.expr, Border("replicate")).window("sum", (-half, half), (-half, half))
    # The area is odd, so no mean lies halfway and adding area // 2 before the division rounds to the nearest.
    mean = (total + area // 2) // area if here.dtype in (U8, U16) else total.to(F32) / float(area)
    excess = here.to(F32) - mean.to(F32)
    return excess > offset if polarity == "bright" else excess <= -offset
