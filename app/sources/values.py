"""Values of files in types that pipelines do not know, delivered in one that holds them exactly."""

from __future__ import annotations

import numpy as np

from kernels.errors import BadFrame
from kernels.ir.image import F32, I32, I64, DType, dtype_of
from pipelines.frame import Pixels

_WIDER = {"float16": F32, "uint32": I32, "uint64": I64}


def delivered_type(dtype: np.dtype[np.generic]) -> DType:
    """The type in which values of a NumPy type are delivered.

    Raises:
        ExprError: there is none (complex numbers, text).
    """
    return _WIDER.get(dtype.name) or dtype_of(dtype)


def deliver(index: int, pixels: Pixels, kind: DType) -> Pixels:
    """The pixels of frame `index` in their delivered type.

    Raises:
        BadFrame: some do not fit: unsigned integers of 32 or 64 bits above those of signed ones.
    """
    if pixels.dtype.kind == "u" and kind.kind == "i" and pixels.size:
        largest, most = int(pixels.max()), 2 ** (kind.bits - 1) - 1
        if largest > most:
            raise BadFrame(
                index,
                f"it holds the value {largest}, and {most} is the largest that can be handled; save the clip as "
                "float32 or fewer bits, such as by numpy.save('NEW.npy', (a / a.max()).astype('float32'))",
            )
    return pixels.astype(kind.numpy, copy=False)


def white_sentence(kind: DType) -> str:
    """What pipelines take for white where integers are long; "" for others."""
    if kind.kind == "f" or kind.bits <= 16:
        return ""
    return (
        f"its values are integers of {kind.bits} bits, of which pipelines take {2 ** (kind.bits - 1) - 1} as "
        "white; where the values are those of fewer bits, save it as uint8 or uint16"
    )
