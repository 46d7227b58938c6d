"""Pixel formats by their GenICam names (PFNC 2.4, and the older names of GigE Vision) as fusetrack spells them."""

from __future__ import annotations

import re

from kernels.errors import InputError
from kernels.ir.image import U8, U16, ImageType
from pipelines.frame import PixelFormat

_BAYER = {"RG": "rggb", "BG": "bggr", "GR": "grbg", "GB": "gbrg"}
_COLORS = {"RGB8": "rgb", "BGR8": "bgr", "RGBa8": "rgba", "BGRa8": "bgra", "RGB8Packed": "rgb", "BGR8Packed": "bgr",
           "RGBA8Packed": "rgba", "BGRA8Packed": "bgra"}  # fmt: skip
_PACKED = {"Mono10pmsb": ("msb10", 10), "Mono12pmsb": ("msb12", 12)}
_PLAIN = re.compile(r"(Mono|Bayer(RG|BG|GR|GB))(8|10|12|14|16)")


def delivered(name: str, width: int, height: int, where: str) -> tuple[ImageType, PixelFormat]:
    """Type of the arrays in which a camera delivers pictures of the format `name`, and how they spell them.

    Args:
        name: such as "Mono8", "Mono12" (in 16 bits), "Mono12pmsb", "BayerRG8", "BGR8".
        width, height: of the picture, px.
        where: how the user knows the camera.

    Raises:
        InputError: the front end cannot unpack it; the sentence says what to ask for instead.

    >>> image, form = delivered("Mono12pmsb", 640, 2, "cam:pylon")
    >>> image.shape, form.packing, form.bits
    ((2, 960), 'msb12', 12)
    """
    if name in _COLORS:
        color = _COLORS[name]
        return ImageType(U8, height, width, len(color), 8), PixelFormat(color, 8)
    if name in _PACKED:
        packing, bits = _PACKED[name]
        if width * bits % 8 == 0:
            return ImageType(U8, height, width * bits // 8), PixelFormat("mono", bits, packing)
        raise InputError(
            f"{where}: rows of {width} px in the format {name} do not end at a byte; ask for a width that is a "
            "multiple of 4 (?Width=...) or for PixelFormat=Mono16"
        )
    found = _PLAIN.fullmatch(name)
    if found is None:
        deeper = re.match(r"Mono(10|12|14)", name)
        plain = f"Mono{deeper[1]}" if deeper else "Mono8"
        raise InputError(
            f"{where}: pictures of the format {name} cannot be read; ask for another one, such as ?PixelFormat={plain}"
        )
    bits_each = int(found[3])
    color = _BAYER[found[2]] if found[2] else "mono"
    kind = U8 if bits_each == 8 else U16
    return ImageType(kind, height, width, 1, bits_each), PixelFormat(color, bits_each)
