"""Mask of the pixels above or below a level."""

from __future__ import annotations

from kernels.ir.expr import Expr
from kernels.ir.image import F32
from kernels.param import Param
from kernels.stage import Plane, stage

POLARITY = Param("polarity", "choice", "bright", "whether objects are brighter or darker than their ground; auto: as "
                 "they are on the clip", choices=("bright", "dark"), structural=True, auto=True)  # fmt: skip


@stage(
    category="Masks",
    params=(
        Param("level", "float", 128.0, "gray value that divides the two; auto finds it on the clip", auto=True),
        POLARITY,
        Param("rule", "choice", "noise", "what level = auto goes by: the ground's noise (spots after a band pass), or "
              "the outlines that stay the same over the widest range of levels (regions, rims)",
              choices=("noise", "outline"), structural=True),
    ),
    per_channel=True,
)  # fmt: skip
def threshold(image: Plane, level: Expr, polarity: str, rule: str) -> Expr:  # noqa: ARG001 - for whatever finds the level
    """Fixed threshold, bool: bright: in > level (cv2.THRESH_BINARY); dark: in <= level (cv2.THRESH_BINARY_INV).

    Compared in f32; NaN is in neither. A run that finds level = auto on its clip has a number in its place
    (`pipelines.automatic`), and so have its summary and a session.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(threshold, np.array([[99, 100, 101]], np.uint8), level=100.0)
    array([[False, False,  True]])
    """
    value = image().to(F32)
    return value > level if polarity == "bright" else value <= level
