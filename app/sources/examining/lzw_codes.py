"""Whether LZW data (TIFF 6.0, section 13) are such as an encoder writes.

Each code stands for the longest bytes that its table has. What damage leaves mostly still decodes, to as many bytes;
but the decoder's table is then another one than the encoder's was, and codes are for fewer bytes than possible.
"""

from __future__ import annotations

import numpy as np

from app.sources.examining.lzw_loops import needless
from kernels.loops.calling import call

_CODES = 4096


class LzwTables:
    """The memory of `count`, used again and again."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._begins = np.zeros(_CODES, np.int32)
        self._longer = np.zeros(256 * _CODES, np.int32)
        self._used = 1

    def count(self, data: bytes) -> int:
        """Codes of a strip or tile for fewer bytes than possible; -1 where there is one that cannot be."""
        if self._used >= 1 << 18:  # numbers of tables are to fit
            self._clear()
        board = np.array([len(data), self._used + 1])
        found = call(needless, np.frombuffer(data + bytes(3), np.uint8), self._begins, self._longer, board)
        self._used = int(board[1])
        return found
