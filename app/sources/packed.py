"""Unpacks samples that share bytes, for the layouts that cannot be handed on as rows of bytes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pipelines.frame import Pixels

PACKING = {10: "msb10", 12: "msb12"}
"""Bits of a sample -> `PixelFormat.packing`."""


def rows_are_whole(samples: int, bits: int) -> bool:
    """Whether a row of `samples` packed samples fills whole bytes, so that it can be delivered packed."""
    return samples * bits % 8 == 0


def packed_size(samples: int, bits: int) -> int:
    """Bytes that `samples` packed samples take."""
    return -(-samples * bits // 8)


def unpack_msb(data: Pixels, samples: int, bits: int) -> npt.NDArray[np.uint16]:
    """Samples of 10 or 12 bits, most significant bits first, from a run of bytes.

    Args:
        data: u8 array (..., packed_size(samples, bits)).
        samples: samples to deliver on the last axis.
        bits: 10 or 12.

    >>> unpack_msb(np.array([0xAB, 0xCD, 0xEF], np.uint8), 2, 12).tolist() == [0xABC, 0xDEF]
    True
    """
    start = np.arange(samples) * bits
    byte, shift = start // 8, 24 - bits - start % 8
    last = data.shape[-1] - 1
    # A sample touches at most two bytes; a third keeps the arithmetic the same for both depths.
    word = data[..., byte].astype(np.uint32) << 16
    word |= data[..., np.minimum(byte + 1, last)].astype(np.uint32) << 8
    return ((word >> shift.astype(np.uint32)) & np.uint32((1 << bits) - 1)).astype(np.uint16)
