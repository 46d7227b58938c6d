"""Color to gray."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr
from kernels.ir.image import F32, U8, U16
from kernels.param import Param
from kernels.stage import Image, Picture, stage

_WHOLE = (9798, 19235, 3735)  # 0.299, 0.587, 0.114 in units of 2**-15; their sum is 2**15, so white stays white
_REAL = (0.299, 0.587, 0.114)


@stage(
    category="Grey values",
    params=(Param("order", "choice", "rgb", "order of the channels", choices=("rgb", "bgr"), structural=True),),
)
def gray(image: Image, order: str) -> Picture:
    """Luma of ITU-R BT.601, 0.299 R + 0.587 G + 0.114 B, in the input's type.

    u8 and u16: (9798 R + 19235 G + 3735 B + 2**14) >> 15, bit for bit cv2.cvtColor(COLOR_RGB2GRAY) of OpenCV 4 and
    5; f32: in that order, within 2e-7 of full scale. A fourth channel is ignored; one channel passes unchanged.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(gray, np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]], np.uint8))
    array([[ 76, 150,  29, 255]], dtype=uint8)
    """
    return Picture((luma(image, order),), image.type.bits)


def luma(image: Image, order: str = "rgb") -> Expr:
    """What the stage makes of a picture's channels.

    Raises:
        DefinitionError: it has not one, three or four, or they are no colours.
    """
    if len(image.planes) == 1:
        return image[0]()
    if len(image.planes) not in (3, 4):
        raise DefinitionError(f"it takes one, three or four channels, not {len(image.planes)}")
    dtype = image.type.dtype
    red, green, blue = (image[c]() for c in ((0, 1, 2) if order == "rgb" else (2, 1, 0)))
    if dtype in (U8, U16):
        # 65535 * 2**15 + 2**14 is just below 2**31.
        made: Expr = (red * _WHOLE[0] + green * _WHOLE[1] + blue * _WHOLE[2] + (1 << 14) >> 15).to(dtype)
        return made
    if dtype == F32:
        return red * _REAL[0] + green * _REAL[1] + blue * _REAL[2]
    raise DefinitionError(f"it takes u8, u16 or f32 colors, not {dtype}")
