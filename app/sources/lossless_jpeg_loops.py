"""The work of `app.sources.lossless_jpeg` as a loop."""

from __future__ import annotations

from kernels.loops.language import I32, I64, PIXELS, U8, loop


@loop
def lossless_scan(data: U8, begin: int, short: I32, long: I32, board: I64, out: PIXELS) -> int:
    """Decode rows of differences (ITU-T T.81, annex H).

    Args:
        data: a JPEG, and two bytes more.
        begin: where its entropy-coded bytes begin.
        short: a component after the other: by the next 12 bits, the difference that they begin with, times 256, and
            how many of them it takes; 0 where it takes more.
        long: by the next 16 bits, how many bits the difference behind a code takes, times 256, and the code's own; 0
            where no code begins so.
        board: rows, columns, components, bits of a value, which predictor, bytes of data; gets the place of the first
            byte that is not used, and how many bits of those before are not.
        out: the values, component by component, pixel by pixel, row by row.

    Returns:
        0; -1 where the data are no such picture.
    """
    rows, columns, channels, depth, how, size = board[0], board[1], board[2], board[3], board[4], board[5]
    # `bits` holds the bits that were read and not used, the lowest `count` of them; `bad` counts bytes that were made
    # up.
    line, bits, count, place, bad = columns * channels, 0, 0, begin, 0
    for row in range(rows):
        c, start = 0, row * line
        for k in range(start, start + line):
            # As in a baseline JPEG: FF is followed by a stuffed 00, or is a marker, at which the data end (B.1.1.5).
            # 32 bits are enough for a code and its value, 16 each; only the last 32 are kept, so that the shift never
            # overflows.
            while count < 32:
                byte = int(data[place])
                if byte == 255:
                    if place >= size or data[place + 1] != 0:  # a mark: there are no more
                        byte = 0
                        bad = bad + 1
                    else:
                        place += 2
                else:
                    place += 1
                bits = ((bits & 0xFFFFFFFF) << 8) | byte
                count += 8
            # Most differences are small: code and value fit into 12 bits and come from one table. The others take two
            # steps, the code and then its value.
            entry = int(short[(c << 12) | ((bits >> (count - 12)) & 0xFFF)])
            count -= entry & 255
            value = entry >> 8
            if entry == 0:
                entry = int(long[(c << 16) | ((bits >> (count - 16)) & 0xFFFF)])
                if entry == 0:
                    return -1
                some = entry >> 8
                count -= entry & 255
                value = 32768  # the one difference of 16 bits, which has no bits behind its code (H.1.2.2)
                if some < 16:
                    count -= some
                    value = (bits >> count) & ((1 << some) - 1)
                    # EXTEND (F.2.2.1): a first bit of 0 means a negative value. `max` keeps the shift from being
                    # negative where some is 0.
                    value += (1 - (1 << some)) if some > 0 and value >> max(some - 1, 0) == 0 else 0
            # H.1.2.1: the first row is predicted from the left, the first pixel of the others from above, and the rest
            # by the predictor that the scan names (table H.1).
            if row == 0:
                value += out[k - channels] if k >= channels else 1 << (depth - 1)
            elif k - start < channels:
                value += out[k - line]
            elif how == 1:
                value += out[k - channels]
            else:
                left, up, corner = int(out[k - channels]), int(out[k - line]), int(out[k - line - channels])
                if how == 2:
                    value += up
                elif how == 3:
                    value += corner
                elif how == 4:
                    value += left + up - corner
                elif how == 5:
                    value += left + ((up - corner) >> 1)
                elif how == 6:
                    value += up + ((left - corner) >> 1)
                else:
                    value += (left + up) >> 1
            value = value & 0xFFFF  # differences are modulo 65536
            if value >> depth:
                return -1
            out[k] = value
            c = c + 1 if c + 1 < channels else 0
    # Bytes that were made up behind a marker are not left over.
    board[6], board[7] = place, count - 8 * bad
    return 0
