"""The work of `app.sources.examining.lzw_codes` as a loop."""

from __future__ import annotations

from kernels.loops.language import I32, I64, U8, loop


@loop
def needless(data: U8, begins: I32, longer: I32, board: I64) -> int:
    """Count the codes of LZW data (TIFF 6.0, section 13) for fewer bytes than possible.

    Args:
        data: a strip or tile, and three bytes more.
        begins: 4096 numbers: the first byte of what a code stands for.
        longer: 4096 x 256 numbers: which code stands for a code's bytes and one more, plus 4096 times the number of the
            table that it belongs to.
        board: bytes of data; number of the last table that was used, here and afterwards.

    Returns:
        The count; -1 where a code is none.
    """
    total, table, found = 8 * board[0], board[1], 0
    place, width, following, last = 0, 9, 258, -1
    while place + width <= total:
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
        if following >= 511:
            width = 10 if following < 1023 else (11 if following < 2047 else 12)
        last = code
    board[1] = table
    return found
