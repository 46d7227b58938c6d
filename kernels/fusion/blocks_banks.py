"""Banks of shared memory: in how many goes it serves a block's threads, each at a vector of a tile's row."""

from __future__ import annotations

from functools import cache

import numpy as np

BANKS = 32
"""Of 4 bytes each."""

GO = 128
"""Bytes that one go serves: 32 lanes with up to 4 bytes each, 16 with 8, 8 with 16."""


@cache
def wavefronts(across: int, down: int, threads: int, pitch: int, size: int) -> int:
    """Goes in which the threads of a block get a vector each of a box of `across` x `down` vectors in a tile.

    Args:
        across, down: vectors of the box; threads take them row by row.
        threads: of the block.
        pitch: bytes from one row of the tile to the next.
        size: bytes of a vector; longer ones than 16 take several accesses.

    >>> wavefronts(16, 16, 256, 64, 4), wavefronts(16, 16, 256, 72, 4), wavefronts(18, 16, 256, 72, 4)
    (8, 16, 8)
    """
    access = min(16, size)
    index = np.arange(min(threads, across * down))
    first = index // across * pitch + index % across * size
    lanes = GO // max(4, access)
    total = 0
    for start in range(0, len(first), lanes):
        some = first[start : start + lanes]
        # Bank conflicts: lanes that read one word share it; different words of one bank come one wavefront after the
        # other.
        words = np.unique((some[:, None] + np.arange(0, access, min(4, access))) // 4)
        total += int(np.bincount(words % BANKS).max())
    return total * (size // access)
