"""Adding small pictures to a large one, as a loop."""

from __future__ import annotations

from kernels.loops.language import F32, F64, I64, loop
from kernels.loops.structs import Struct, struct


@struct
class Patches(Struct):
    """Small pictures of one size, one after the other."""

    tops: I64  # row and column of each patch's corner, maybe outside
    lefts: I64
    pixels: F64
    count: int
    high: int  # px
    wide: int


@loop
def scattered(image: F32, height: int, width: int, p: Patches, rounded: F32) -> int:
    """Add one patch after the other, each pixel rounded to f32 first, as NumPy's `add.at` does.

    Args:
        image, height, width: what is added to; what falls outside is dropped.
        rounded: room for one.
    """
    patches, high, wide = p.pixels, p.high, p.wide
    for n in range(p.count):
        top, left = p.tops[n], p.lefts[n]
        for k in range(max(-top, 0), min(high, height - top)):
            here, there = (n * high + k) * wide, (top + k) * width + left
            for m in range(max(-left, 0), min(wide, width - left)):
                rounded[0] = patches[here + m]
                image[there + m] = image[there + m] + rounded[0]
    return 0
