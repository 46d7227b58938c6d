"""Demosaicing of a Bayer sensor."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr, select
from kernels.ir.image import U8, U16
from kernels.param import Param
from kernels.stage import Image, Picture, stage

PATTERNS = ("rggb", "bggr", "grbg", "gbrg")


@stage(
    category="Camera formats",
    params=(Param("pattern", "choice", "rggb", "colors of the first two pixels of rows 0 and 1", choices=PATTERNS,
                  structural=True),),
)  # fmt: skip
def bayer(image: Image, pattern: str) -> Picture:
    """Bilinear demosaicing to RGB, in the input's type (u8 or u16).

    A missing color is the mean of its two or four nearest samples, halves up: (a + b + 1) >> 1, (a + b + c + d + 2)
    >> 2. Equal to cv2.demosaicing but for the outermost pixels: here the mosaic goes on by reflect101, which keeps
    its parity; OpenCV repeats the second row and column of its result. OpenCV names a pattern by the second and
    third pixel of row 1 instead: our rggb is its COLOR_BayerBG2RGB, bggr RG, grbg GB, gbrg GR.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> red = np.array([[200, 0, 200], [0, 0, 0], [200, 0, 200]], np.uint8)
    >>> evaluate(bayer, red, pattern="rggb")[1, 1]
    array([200,   0,   0], dtype=uint8)
    """
    raw, dtype = image.mono, image.type.dtype
    if dtype not in (U8, U16):
        raise DefinitionError(f"it takes u8 or u16 samples, not {dtype}")
    if min(raw.size) < 2:
        raise DefinitionError(f"a Bayer mosaic has at least 2x2 pixels, not {raw.size[1]}x{raw.size[0]}")
    across = raw(-1) + raw(1) + 1 >> 1
    down = raw(0, -1) + raw(0, 1) + 1 >> 1
    plus = raw(-1) + raw(1) + raw(0, -1) + raw(0, 1) + 2 >> 2
    cross = raw(-1, -1) + raw(1, -1) + raw(-1, 1) + raw(1, 1) + 2 >> 2
    red = pattern.index("r")
    red_row = (raw.y & 1).eq(red // 2)
    red_column = (raw.x & 1).eq(red % 2)
    here = raw()

    def colored(own_row: Expr, own_column: Expr) -> Expr:
        """Red or blue: its own sites, its row, its column, and the sites of the other one."""
        return select(own_row, select(own_column, here, across), select(own_column, down, cross))

    green = select(red_row ^ red_column, here, plus)
    planes = (colored(red_row, red_column), green, colored(~red_row, ~red_column))
    return Picture(tuple(plane.to(dtype) for plane in planes), image.type.bits)
