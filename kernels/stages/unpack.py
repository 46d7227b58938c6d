"""Camera samples that share bytes, or sit at the top of their word, as plain numbers."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.image import U8, U16
from kernels.ir.planes import coord
from kernels.param import Param
from kernels.stage import Image, Picture, stage

_BITS = {"msb10": 10, "msb12": 12}


@stage(
    category="Camera formats",
    params=(
        Param("packing", "choice", "none", "how samples share bytes", choices=("none", "msb10", "msb12"),
              structural=True),
        Param("width", "int", 0, "samples a row of a packed image; 0 for all that it holds", unit="px", low=0,
              structural=True),
        Param("shift", "int", 0, "bits by which unpacked samples are left-justified", low=0, high=15,
              structural=True),
    ),
)  # fmt: skip
def unpack(image: Image, packing: str, width: int, shift: int) -> Picture:
    """Unpack samples, most significant bits first.

    msb10 (4 samples in 5 bytes) and msb12 (2 in 3 bytes): a u8 image of rows of bytes becomes u16; sample i starts at
    bit 10 i or 12 i of its row. For 12 bits that is v0 = b0 << 4 | b1 >> 4, v1 = (b1 & 15) << 8 | b2 (Photron mraw,
    Phantom cine). none: out = in >> shift, in the input's type.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(unpack, np.array([[0x12, 0x34, 0x56]], np.uint8), packing="msb12")
    array([[ 291, 1110]], dtype=uint16)
    """
    dtype = image.type.dtype
    if packing == "none":
        if dtype not in (U8, U16):
            raise DefinitionError(f"samples to be shifted are u8 or u16, not {dtype}")
        bits = image.type.bits or dtype.bits
        if shift >= bits:
            raise DefinitionError(f"a shift of {shift} leaves nothing of {bits} bits")
        return Picture(tuple((plane() >> shift).to(dtype) for plane in image.planes), bits - shift)
    bytes_ = image.mono
    if dtype != U8:
        raise DefinitionError(f"packed samples come as rows of bytes (u8), not {dtype}")
    bits = _BITS[packing]
    height, row = bytes_.size
    fits = row * 8 // bits
    if width > fits or fits < 1:
        raise DefinitionError(f"a row of {row} bytes holds {fits} samples of {bits} bits, not {width}")
    size = (height, width or fits)
    x, y = coord("x", size), coord("y", size)
    if bits == 12:
        first, drop = x + (x >> 1), 4 - ((x & 1) << 2)  # byte 12 x / 8; bits behind the sample in its two bytes
    else:
        first, drop = x + (x >> 2), 6 - ((x & 3) << 1)
    pair = (bytes_.at(y, first, size) << 8) | bytes_.at(y, first + 1, size)
    return Picture((((pair >> drop) & (2**bits - 1)).to(U16),), bits)
