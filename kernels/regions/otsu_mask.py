"""Otsu's threshold of bytes, as a device does it, too."""

from __future__ import annotations

from dataclasses import dataclass

from kernels.ir.body import Decoder

BINS = 256


@dataclass(frozen=True)
class OtsuMask(Decoder):
    """What a device must know of the stage `otsu`.

    Args:
        size: (height, width) of the picture, of u8.
        bright: whether the mask is of what is above the level.
    """

    size: tuple[int, int]
    bright: bool
