"""Negative."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.image import BOOL, F32, U8, U16
from kernels.stage import Image, Picture, stage


@stage(category="Grey values")
def invert(image: Image) -> Picture:
    """Negative, in the input's type: out = white - in, white = full scale of the samples' significant bits.

    Whole numbers saturate at the ends of their type; f32 has white 1; a mask becomes its complement.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(invert, np.array([[0, 200, 255]], np.uint8))
    array([[255,  55,   0]], dtype=uint8)
    """
    dtype, white = image.type.dtype, image.type.white
    if dtype == BOOL:
        return Picture(tuple(~plane() for plane in image.planes))
    if dtype not in (U8, U16, F32):
        raise DefinitionError(f"it takes a mask, u8, u16 or f32, not {dtype}")
    full = white if dtype.is_float else int(white)
    return Picture(tuple((full - plane()).to(dtype) for plane in image.planes), image.type.bits)
