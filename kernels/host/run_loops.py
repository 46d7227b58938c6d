"""Masks to regions as loops: runs of pixels, what belongs together, and a board of bits that tells what is near."""

from __future__ import annotations

from kernels.host.label_loops import joined
from kernels.host.loops import I64, U8, edges, flags, higher, loop, lowest

WORD = 64  # pixels whose flags a word holds
CELL = 32  # columns in an element of a board
ASIDE = 64  # columns of a board before the picture's first


@loop
def few_flags(masks: U8, start: int, count: int) -> int:
    """`flags` of fewer bytes: those that come before the end of the memory."""
    word = 0
    for k in range(count):
        if masks[start + k]:
            word = word | (1 << k)
    return int(word)


@loop
def scan_loop(masks: U8, size: int, width: int, first: I64, last: I64, room: int) -> int:
    """Runs of the entries of `masks` that are not 0, row by row: 64 pixels are a word of bits, and only where it
    changes from one to the next is there something to do.

    Returns:
        How many there are; -1 where there is no room for them and one more.
    """
    changes = 0  # of all rows: a run begins at every even one and ends before the next
    for line in range(0, size, width):
        if changes // 2 + width // 2 + 2 > room:
            return -1
        whole = line + width // WORD * WORD
        for k in range(line, line + width, WORD):
            if k < whole:
                word = flags(masks, k)
            elif k + WORD <= size:
                word = flags(masks, k) & ((1 << (line + width - k)) - 1)
            else:
                word = few_flags(masks, k, line + width - k)
            found = edges(word, changes & 1)
            while found != 0:
                p = k + lowest(found)
                first[(changes + 1) >> 1], last[changes >> 1] = p, p - 1  # what does not hold yet is written again
                changes += 1
                found = higher(found)
        if changes & 1:
            last[changes >> 1] = line + width - 1
            changes += 1
    return changes // 2


@loop
def together(first: I64, last: I64, parent: I64, begin: int, end: int, height: int, width: int, aside: int) -> int:
    """For each run the first one of its component (8 neighbours with `aside`)."""
    for r in range(begin, end):
        parent[r] = r
    return int(joined(first, last, parent, begin, end, height, width, aside))


@loop
def regions_loop(first: I64, last: I64, parent: I64, begin: int, end: int, frames: int, base: int, height: int,
                 width: int, least: int, most: float, capacity: int, area: I64, number: I64, owner: I64,
                 overflow: I64, start: I64, box: I64, own_first: I64, own_last: I64) -> int:  # fmt: skip
    """The components that are wanted, with their runs one after the other; returns how many.

    Args:
        base: the first of the `frames` frames.
        area, number: room for an entry a run.
        start: of each region: its first run in `own_first`, `own_last`, and how many.
        box: of each: leftmost and rightmost column, first and last row of the stack.
    """
    for r in range(begin, end):
        area[r] = 0
    for k in range(frames):
        overflow[k] = 0
    for r in range(begin, end):
        area[parent[r]] = area[parent[r]] + last[r] - first[r] + 1
    count, own, latest = 0, 0, -1
    for r in range(begin, end):
        if parent[r] == r:
            number[r] = -1
            if area[r] >= least and float(area[r]) <= most:
                frame = first[r] // (height * width)
                if frame != latest:
                    latest, own = frame, 0
                if own < capacity:
                    owner[count] = frame - base
                    start[2 * count], start[2 * count + 1] = 0, 0
                    box[4 * count], box[4 * count + 1] = width, -1
                    box[4 * count + 2] = first[r] // width
                    number[r] = count
                    count += 1
                    own += 1
                else:
                    overflow[frame - base] = overflow[frame - base] + 1
    for r in range(begin, end):
        i = number[parent[r]]
        if i >= 0:
            start[2 * i + 1] = start[2 * i + 1] + 1
    place = 0
    for i in range(count):
        start[2 * i] = place
        place += start[2 * i + 1]
        start[2 * i + 1] = 0
    for r in range(begin, end):
        i = number[parent[r]]
        if i >= 0:
            k = start[2 * i] + start[2 * i + 1]
            own_first[k], own_last[k] = first[r], last[r]
            start[2 * i + 1] = start[2 * i + 1] + 1
            row = first[r] // width
            box[4 * i] = min(box[4 * i], first[r] - row * width)
            box[4 * i + 1] = max(box[4 * i + 1], last[r] - row * width)
            box[4 * i + 3] = row
    return int(count)


@loop
def board_loop(own_first: I64, own_last: I64, start: I64, box: I64, state: I64, count: int, most: int, margin: int,
               base: int, rows: int, width: int, pitch: int, board: I64, near: I64, touched: I64,
               many: int) -> int:  # fmt: skip
    """Write what a board lacks of the regions near those whose state is 1 to `most`; returns how many of its elements
    are `touched` now, as `many` were.

    Args:
        margin: rows and columns around a region that matter to it.
        base, rows: the first row of the stack that the board holds, and how many it does.
        near: room for an entry a row.
        touched: and room for one more.
    """
    wide = width // 60 + 1  # columns of the picture that a bit of `near` stands for
    for r in range(rows):
        near[r] = 0
    for i in range(count):
        if state[i] <= most:
            a, b = max(box[4 * i] - margin, 0) // wide, min(box[4 * i + 1] + margin, width - 1) // wide
            bits = ((1 << (b - a + 1)) - 1) << a
            for r in range(max(box[4 * i + 2] - base - margin, 0), min(box[4 * i + 3] - base + margin + 1, rows)):
                near[r] = near[r] | bits
    for i in range(count):
        bits = ((1 << (box[4 * i + 1] // wide - box[4 * i] // wide + 1)) - 1) << (box[4 * i] // wide)
        some = 0
        for r in range(box[4 * i + 2] - base, box[4 * i + 3] - base + 1):
            some = some | near[r]
        if some & bits:
            for r in range(start[2 * i], start[2 * i] + start[2 * i + 1]):
                row = own_first[r] // width
                low = own_first[r] - row * width + ASIDE
                high = own_last[r] - row * width + ASIDE
                line = (row - base) * pitch
                for k in range(low // CELL, high // CELL + 1):
                    a, b = max(low - k * CELL, 0), min(high - k * CELL, CELL - 1)
                    cell = board[line + k]
                    touched[many] = line + k  # written again where it is no new one
                    many += cell == 0
                    board[line + k] = cell | (((1 << (b - a + 1)) - 1) << a)
    return int(many)


@loop
def clean_loop(board: I64, touched: I64, many: int) -> int:
    """Clean a board again."""
    for k in range(many):
        board[touched[k]] = 0
    return 0
