"""Masks to regions as loops: words of bits, runs, what belongs together, and whose runs are whose."""

from __future__ import annotations

from kernels.host.label_loops import root
from kernels.host.loops import I64, U8, at, edges, flags, higher, loop, lowest, ones, prefetch

WORD = 64  # pixels whose flags a word holds
AHEAD = 4096  # pixels, in which memory has time to bring others


@loop
def few_flags(masks: U8, start: int, count: int) -> int:
    """`flags` of fewer bytes: those that come before the end of the memory."""
    word = 0
    for k in range(count):
        if masks[start + k]:
            word = word | (1 << k)
    return int(word)


@loop
def hung(edge: I64, begin: int, end: int, row: int, width: int, aside: int, upper: int, words: int, marks: I64,
         line: I64, parent: I64) -> int:  # fmt: skip
    """Join a row's runs with those of the row above.

    How many edges there are in the row above up to a column tells which of its runs are beside a run: no search.

    Args:
        row: its number, which each of them gets.
        upper: where the words of edges of the row above begin in `marks`; `words` later: how many come before each.
    """
    start = row * width
    for r in range(begin, end):
        first, after = edge[2 * r] - start, edge[2 * r + 1] - start
        low, high = max(first - aside, 0), min(after - 1 + aside, width - 1)
        a, b = upper + (low >> 6), upper + (high >> 6)
        k = (marks[a + words] + ones(int(marks[a]) & ((2 << (low & 63)) - 1))) >> 1
        past = (marks[b + words] + ones(int(marks[b]) & ((2 << (high & 63)) - 1)) + 1) >> 1
        line[r], parent[r] = row, r
        one = parent[k if k < past else r]
        while parent[one] != one:
            one = parent[one]
        for other in range(k + 1, past):
            two = root(parent, other)
            parent[max(one, two)] = min(one, two)
            one = min(one, two)
        parent[r] = one
    return 0


@loop
def scan(masks: U8, size: int, first_row: int, height: int, width: int, aside: int, board: I64, marks: I64, room: int,
         edge: I64, line: I64, parent: I64) -> int:  # fmt: skip
    """Runs of a frame of `masks` that are not 0, row by row: 64 pixels are a word of bits, and only where it changes
    from one to the next is there something to do.

    Args:
        size: of the memory of masks.
        first_row: of the frame, in the stack.
        aside: 1 where all eight neighbours belong together, 0 for four.
        board: gets the rows as words, one of nothing before each and behind the last.
        marks: room for four rows of words.
        room: for so many runs, and eight.
        edge: of each run: its first pixel and the one behind its last.
        line: of each run: its row in the stack.
        parent: of each run: an earlier one that it is connected with, or itself.

    Returns:
        How many there are; -1 where there is no room.
    """
    words, whole = (width + WORD - 1) // WORD, width // WORD
    changes = 0  # of all rows: a run begins at every even one and ends before the next
    place, now, bare = 0, 0, 1  # above the first row there is nothing
    for row in range(first_row, first_row + height):
        begin, start, some = changes // 2, row * width, 0
        if begin + width // 2 + 1 > room:
            return -1
        board[place] = 0
        for w in range(whole):
            prefetch(masks, start + w * WORD + AHEAD)
            found = flags(masks, start + w * WORD)
            board[place + 1 + w] = found
            some = some | found
        if whole < words:
            k = start + whole * WORD
            if k + WORD <= size:
                found = flags(masks, k) & ((1 << (start + width - k)) - 1)
            else:
                found = few_flags(masks, k, start + width - k)
            board[place + words] = found
            some = some | found
        if some == 0:
            bare = 1
        else:
            above = 2 * words - now
            if bare:  # nothing was said of the row above
                for w in range(words):
                    marks[above + w], marks[above + words + w] = 0, changes
            k, bare = start, 0
            for w in range(words):
                found = edges(board[place + 1 + w], changes & 1)
                marks[now + w], marks[now + words + w] = found, changes
                if found != 0:  # four are written in any case: to ask how many there are costs more
                    b = higher(found)
                    c = higher(b)
                    d = higher(c)
                    edge[changes], edge[changes + 1] = k + lowest(found), k + lowest(b)
                    edge[changes + 2], edge[changes + 3] = k + lowest(c), k + lowest(d)
                    at_, rest = changes + 4, higher(d)
                    while rest != 0:
                        edge[at_] = k + lowest(rest)
                        at_ += 1
                        rest = higher(rest)
                    changes += ones(found)
                k += WORD
            if changes & 1:
                edge[changes] = start + width
                changes += 1
            hung(edge, begin, changes // 2, row, width, aside, above, words, marks, line, parent)
            now = above
        place += 1 + words
        board[place] = 0
    return changes // 2


@loop
def wiped(board: I64, place: int, first: int, last: int) -> int:
    """Take a run off the row of a board that begins at `place`."""
    for k in range((first + WORD) // WORD, (last + WORD) // WORD + 1):
        low, high = max(first - (k - 1) * WORD, 0), min(last - (k - 1) * WORD, WORD - 1)
        # As numbers with a sign: behind the last bit there is no other.
        board[place + k] = board[place + k] - ((2 << high if high < WORD - 1 else 0) - (1 << low))
    return 0


@loop
def regions_loop(masks: U8, base: int, frames: int, height: int, width: int, aside: int, least: int, most: float,
                 capacity: int, limit: int, small: int, large: int, enough: int, parts: int, room: int, work: I64,
                 board: I64, owner: I64, state: I64, overflow: I64, start: I64, box: I64, own_first: I64, own_last: I64,
                 out: I64) -> int:  # fmt: skip
    """The components of masks, with their runs one after the other: of as many frames as have `enough` runs.

    Args:
        masks: of all frames; `base` is the first one looked at, `frames` how many there are from there on.
        aside: of `scan`.
        least, most: pixels of those that are wanted.
        capacity: of a frame: the first ones stay.
        limit: columns and rows from which on a component's state becomes `large`; that of others is `small`.
        parts: whether there must be room for one a pixel.
        room: for so many components and runs.
        work: six times the room, 16 each more, and four rows of words.
        board: the rows of the components as words, one of nothing before each and behind the last.
        owner: of each: its frame from `base` on.
        overflow: of each frame, those past the capacity.
        start: of each: its first run in `own_first`, `own_last`, and how many.
        box: of each: leftmost and rightmost column, first and last row of the stack.
        out: how many components there are, how many are large, and how many runs they have.

    Returns:
        How many frames were looked at; 0 where there is no room for one.
    """
    pitch, each = (width + WORD - 1) // WORD + 1, room + 16
    edge, line, parent = at(work, 0), at(work, 2 * each), at(work, 3 * each)
    area, many, marks = at(work, 4 * each), at(work, 5 * each), at(work, 6 * each)
    count, wide, place, used, looked, frame = 0, 0, 0, 0, 0, 0
    while frame < frames and looked <= enough:
        first_row = (base + frame) * height
        rows = at(board, frame * height * pitch)
        runs = scan(masks, (base + frames) * height * width, first_row, height, width, aside, rows, marks, room, edge,
                    line, parent)  # fmt: skip
        if runs < 0 or used + runs > room:
            break
        pixels, roots = 0, 0
        for r in range(runs):  # nobody's is larger than itself, and that of those before has been found
            p, length = parent[parent[r]], edge[2 * r + 1] - edge[2 * r]
            parent[r], area[r], many[r] = p, 0, 0
            area[p] = area[p] + length
            many[p] = many[p] + 1
            pixels += length
            owner[count + roots] = r  # there are no more components than that
            roots += p == r
        used += pixels if parts else runs
        looked += runs
        if used > room:
            break
        own, overflow[frame], begin = 0, 0, count
        for n in range(begin, begin + roots):
            r = owner[n]
            wanted = area[r] >= least and float(area[r]) <= most
            area[r] = -1  # from here on its number
            if wanted and own < capacity:
                area[r] = count
                owner[count] = frame
                start[2 * count], start[2 * count + 1] = place, 0
                box[4 * count], box[4 * count + 1], box[4 * count + 2] = width, -1, line[r]
                place += many[r]
                count += 1
                own += 1
            elif wanted:
                overflow[frame] = overflow[frame] + 1
        for r in range(runs):
            i, row = area[parent[r]], line[r]
            first, last = edge[2 * r], edge[2 * r + 1] - 1
            left, right = first - row * width, last - row * width
            if i >= 0:
                k = start[2 * i] + start[2 * i + 1]
                own_first[k], own_last[k] = first, last
                start[2 * i + 1] = start[2 * i + 1] + 1
                box[4 * i] = min(box[4 * i], left)
                box[4 * i + 1] = max(box[4 * i + 1], right)
                box[4 * i + 3] = row
            else:
                wiped(rows, (row - first_row) * pitch, left, right)
        for i in range(begin, count):
            far = max(box[4 * i + 1] - box[4 * i], box[4 * i + 3] - box[4 * i + 2]) >= limit
            state[i] = large if far else small
            wide += far
        frame += 1
    out[0], out[1], out[2] = count, wide, place
    return frame
