"""The work of `app.sources.examining.jpeg_codes` as a loop."""

from __future__ import annotations

from kernels.loops.language import I32, I64, U8, loop


@loop
def walk(data: U8, codes: I32, blocks: I64, steps: I64, last: I64, board: I64) -> int:
    """Read the codes of an interval of a baseline scan (ITU-T T.81, F.2.2), without their pictures.

    Args:
        data: a JPEG, and two bytes more.
        codes: of each table, by the next 16 bits, what they begin with, times 256, and how many bits that takes; 0
            where no code begins so.
        blocks: of each block of a unit (MCU) the component, and which tables are its first value's and the others'.
        steps: the step of each component's first value.
        last: the first value of each component's latest block.
        board: units, blocks a unit, bytes of data, where to begin, most of a first value times its step; gets the
            place of the first byte that is not used, and how many bits of those before are not.

    Returns:
        0; -1 where the data are no such interval.
    """
    units, count, size, place, most = board[0], board[1], board[2], board[3], board[4]
    bits, held, bad = 0, 0, 0
    for _ in range(units):
        for block in range(count):
            part = blocks[3 * block]
            table = blocks[3 * block + 1] << 16
            k = 0
            while k < 64:
                # 32 bits at hand are enough for a code (16 at most) and the value behind it (15 at most). A byte FF is
                # followed by a stuffed 00; before anything else it is a marker, at which the data end (B.1.1.5).
                while held < 32:
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
                    held += 8
                entry = int(codes[table | ((bits >> (held - 16)) & 0xFFFF)])
                if entry == 0:
                    return -1
                # A code is a byte RRRRSSSS: RRRR zeros before a value of SSSS bits (F.1.2.2).
                held -= entry & 255
                some = (entry >> 8) & 15
                run = entry >> 12
                if k == 0:
                    if run > 0:
                        return -1
                    value = 0
                    if some > 0:
                        held -= some
                        value = (bits >> held) & ((1 << some) - 1)
                        # EXTEND (F.2.2.1): a first bit of 0 means a negative value, in one's complement.
                        value += (1 - (1 << some)) if value >> (some - 1) == 0 else 0
                    # The mean of a block is coded as its difference from the block before of its component. One that no
                    # pixels can have, with a step to spare, shows that the codes are not what was written.
                    value += last[part]
                    if abs(value) * steps[part] > most + steps[part]:
                        return -1
                    last[part] = value
                    table = blocks[3 * block + 2] << 16
                    k = 1
                elif some > 0:
                    held -= some
                    k += run + 1
                    if k > 64:
                        return -1
                elif run == 15:  # ZRL: sixteen zeros, more values follow
                    k += 16
                    if k > 63:
                        return -1
                elif run == 0:  # EOB: the rest of the block is zeros
                    k = 64
                else:
                    return -1
    # Bits that were made up behind a marker are not left over.
    board[5], board[6] = place, held - 8 * bad
    return 0
