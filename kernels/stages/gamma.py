"""Power-law gray scale."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.expr import lookup
from kernels.ir.functions import power
from kernels.ir.image import F32, U8, U16
from kernels.param import Param
from kernels.stage import Image, Picture, stage


@stage(
    category="Grey values",
    params=(
        Param("gamma", "float", 0.5, "exponent; below 1 brightens", unit="1", low=0.05, high=20.0, structural=True),
    ),
)
def gamma(image: Image, gamma: float) -> Picture:
    """Power law on the fraction of full scale: out = white * (in / white)**gamma, in the input's type.

    u8 and u16: a table computed in float64, rounded half to even; white follows the image's significant bits, and
    values above it count as white. f32: white is 1, values below 0 give 0, relative error below 1e-5 for in >= 1e-6
    and gamma <= 2.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(gamma, np.array([[0, 64, 255]], np.uint8), gamma=0.5)
    array([[  0, 128, 255]], dtype=uint8)
    """
    dtype, white = image.type.dtype, image.type.white
    if dtype == F32:
        return Picture(tuple(power(plane(), gamma) for plane in image.planes))
    if dtype not in (U8, U16):
        raise DefinitionError(f"it takes u8, u16 or f32, not {dtype}")
    table = tuple(round(white * (value / white) ** gamma) for value in range(int(white) + 1))
    return Picture(tuple(lookup(table, plane(), dtype) for plane in image.planes), image.type.bits)
