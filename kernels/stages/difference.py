"""Difference of frames."""

from __future__ import annotations

from kernels.ir.expr import Expr
from kernels.ir.image import BOOL, I16, U8
from kernels.param import Param
from kernels.stage import Plane, stage


@stage(
    category="Over time",
    params=(
        Param("lag", "int", 1, "how far back the other frame lies", unit="frames", low=1, high=64, structural=True),
        Param("absolute", "bool", False, "the size of the difference only, in the input's type", structural=True),
    ),
    per_channel=True,
)
def difference(image: Plane, lag: int, absolute: bool) -> Expr:
    """Change since an earlier frame: out = x[t] - x[t-lag]; frames before the first are copies of the first.

    Signed: i16 for u8, i32 for wider integers, f32 for f32. Absolute: the input's type, as cv2.absdiff. Of a mask:
    the pixels that changed.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate_clip
    >>> evaluate_clip(difference, np.array([5, 9, 7], np.uint8).reshape(3, 1, 1)).ravel()
    array([ 0,  4, -2], dtype=int16)
    """
    now, before = image(), image(dt=-lag)
    if now.dtype == BOOL:
        return now ^ before
    change = now - before
    if absolute:
        return abs(change).to(now.dtype)
    return change.to(I16) if now.dtype == U8 else change
