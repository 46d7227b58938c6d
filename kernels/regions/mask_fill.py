"""Holes of a mask filled, as a device does it, too."""

from __future__ import annotations

from dataclasses import dataclass

from kernels.ir.body import Decoder


@dataclass(frozen=True)
class MaskFill(Decoder):
    """What a device must know of the stage `fill`.

    Args:
        size: (height, width) of the mask.
    """

    size: tuple[int, int]
