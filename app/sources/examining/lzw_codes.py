"""Whether LZW data (TIFF 6.0, section 13) are such as an encoder writes.

An encoder gives each string the code of the longest entry of its table. What damage leaves mostly still decodes, to as
many bytes; but the decoder's table is then another one than the encoder's was, and a code and the byte behind it have
an entry of their own: the encoder would have written that one. Such codes are counted.
"""

from __future__ import annotations

import numpy as np

from kernels.loops.calling import call
from kernels.loops.language import I32, I64, U8, loop

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
        """Codes of a strip or tile for which the table had a longer entry; -1 where a code is none."""
        # Entries bear the number of their table, so that a Clear code need not empty a megabyte; 2^31 / 4096 = 2^19
        # numbers fit beside a code, and a strip may use many before this looks again.
        if self._used >= 1 << 18:
            self._clear()
        board = np.array([len(data), self._used + 1])
        found = call(needless, np.frombuffer(data + bytes(3), np.uint8), self._begins, self._longer, board)
        self._used = int(board[1])
        return found


@loop
def needless(data: U8, begins: I32, longer: I32, board: I64) -> int:
    """Count the codes for which the table had a longer entry.

    Args:
        data: a strip or tile, and three bytes more.
        begins: 4096 numbers: the first byte of a code's string.
        longer: 4096 x 256 numbers: the code of a code's string and one byte more, plus 4096 times the number of the
            table that it belongs to.
        board: bytes of data; number of the last table that was used, here and afterwards.

    Returns:
        The count; -1 where a code is none.
    """
    # Codes 0 to 255 are bytes, 256 is Clear, 257 EndOfInformation: the first entry of a table is 258.
    total, table, found = 8 * board[0], board[1], 0
    place, width, following, last = 0, 9, 258, -1
    while place + width <= total:
        # Codes of 9 to 12 bits, the highest bit first, are not aligned: three bytes hold any of them.
        byte = place >> 3
        word = (int(data[byte]) << 16) | (int(data[byte + 1]) << 8) | int(data[byte + 2])
        code = (word >> (24 - width - (place & 7))) & ((1 << width) - 1)
        place += width
        if code == 257:
            break
        if code == 256:
            table += 1
            width, following, last = 9, 258, -1
            continue
        if code > following or (code == following and last < 0):
            board[1] = table
            return -1
        # The code that is about to be made may be used at once (a string, its first byte again): it then begins as the
        # string before it does.
        first = code
        if code > 257:
            first = int(begins[last if code == following else code])
            if code == following and last < 256:
                first = last
        if last >= 0:
            at = 256 * last + first
            if int(longer[at]) >> 12 == table:
                found += 1
            elif following < 4096:
                longer[at] = following + 4096 * table
            if following < 4096:
                begins[following] = last if last < 256 else int(begins[last])
                following += 1
        # TIFF's encoders change the width one entry earlier than GIF's ("early change").
        if following >= 511:
            width = 10 if following < 1023 else (11 if following < 2047 else 12)
        last = code
    board[1] = table
    return found
