"""Masks to regions as loops: words of bits, runs, what belongs together, and whose runs are whose."""

from __future__ import annotations

from kernels.ir.bits import WORD
from kernels.loops.language import (
    I64,
    U8,
    at,
    bit_edges,
    clear_lowest_bit,
    ctz,
    loop,
    nonzero_bytes,
    popcount,
    prefetch,
)
from kernels.regions.label_loops import root
from kernels.regions.structs import Found, Kinds, Masks, Runs, Stack, Wanted

AHEAD = 4096  # pixels, in which memory has time to bring others


@loop
def few_flags(masks: U8, start: int, count: int) -> int:
    """`nonzero_bytes` of fewer: those that come before the end of the memory."""
    word = 0
    for k in range(count):
        if masks[start + k]:
            word = word | (1 << k)
    return int(word)


@loop
def hung(r: Runs, begin: int, end: int, row: int, m: Stack, upper: int, words: int, marks: I64) -> int:
    """Join a row's runs with those of the row above.

    How many edges there are in the row above up to a column tells which of its runs are beside a run: no search.

    Args:
        begin, end: the row's runs.
        row: its number, which each of them gets.
        upper: where the words of edges of the row above begin in `marks`; `words` later: how many come before each.
    """
    start = row * m.width
    for n in range(begin, end):
        first, after = r.edge[2 * n] - start, r.edge[2 * n + 1] - start
        low, high = max(first - m.aside, 0), min(after - 1 + m.aside, m.width - 1)
        # The number of edges up to a column, halved, is the number of runs that have begun or ended there: k is the
        # first run above that is not left of this one, `past` the first that is right of it.
        a, b = upper + (low >> 6), upper + (high >> 6)
        # (2 << b) - 1 has the bits 0 to b; for b = 63 the shift leaves 0, and 0 - 1 is all bits.
        k = (marks[a + words] + popcount(int(marks[a]) & ((2 << (low & 63)) - 1))) >> 1
        past = (marks[b + words] + popcount(int(marks[b]) & ((2 << (high & 63)) - 1)) + 1) >> 1
        r.line[n], r.parent[n] = row, n
        # With nothing above, the run is its own root.
        one = r.parent[k if k < past else n]
        while r.parent[one] != one:
            one = r.parent[one]
        # Union by the smaller number: a component's root is its first run in reading order, whatever order runs are
        # joined in.
        for other in range(k + 1, past):
            two = root(r.parent, other)
            r.parent[max(one, two)] = min(one, two)
            one = min(one, two)
        r.parent[n] = one
    return 0


@loop
def scan(masks: Masks, m: Stack, first_row: int, outside: int, board: I64, marks: I64, room: int, r: Runs) -> int:
    """Runs of a frame of masks, row by row: 64 pixels are a word of bits, and only where it changes from one to the
    next is there something to do.

    Args:
        first_row: of the frame, in the stack.
        outside: -1 for the runs of what is not in the mask, else 0.
        board: gets the rows as words, one of nothing before each and behind the last.
        marks: room for four rows of words.
        room: for so many runs, and eight.

    Returns:
        How many there are; -1 where there is no room.
    """
    words, whole = (m.width + WORD - 1) // WORD, m.width // WORD
    size = (m.base + m.frames) * m.height * m.width
    changes = 0  # of all rows: a run begins at every even one and ends before the next
    place, now, bare = 0, 0, 1  # above the first row there is nothing
    for row in range(first_row, first_row + m.height):
        begin, start, some = changes // 2, row * m.width, 0
        # Asked once a row: no row has more runs than every other pixel.
        if begin + m.width // 2 + 1 > room:
            return -1
        # A word of nothing before each row and behind the last lets others read a word to the left and right without a
        # test.
        board[place] = 0
        if masks.packed:
            for w in range(whole):
                found = masks.words[row * words + w] ^ outside
                board[place + 1 + w] = found
                some = some | found
        else:
            for w in range(whole):
                prefetch(masks.flags, start + w * WORD + AHEAD)
                found = nonzero_bytes(masks.flags, start + w * WORD) ^ outside
                board[place + 1 + w] = found
                some = some | found
        if whole < words:
            k = start + whole * WORD
            if masks.packed:
                found = masks.words[row * words + whole] ^ outside
            elif k + WORD <= size:  # both sides of an expression are evaluated, and one reads too far
                found = nonzero_bytes(masks.flags, k) ^ outside
            else:
                found = few_flags(masks.flags, k, start + m.width - k) ^ outside
            # Bits beyond the picture are none of the mask, and `outside` has turned them over.
            found = found & ((1 << (start + m.width - k)) - 1)
            board[place + words] = found
            some = some | found
        if some == 0:
            bare = 1
        else:
            # `marks` holds two rows in turn, at 0 and at 2 words: words of edges, then how many edges come before each
            # word.
            above = 2 * words - now
            if bare:  # nothing was said of the row above
                for w in range(words):
                    marks[above + w], marks[above + words + w] = 0, changes
            k, bare = start, 0
            for w in range(words):
                # Bits that differ from the one before: where runs begin and where they end, in turn. Whether the word
                # before ended inside a run is the parity of all changes so far.
                found = bit_edges(board[place + 1 + w], changes & 1)
                marks[now + w], marks[now + words + w] = found, changes
                if found != 0:  # four are written in any case: to ask how many there are costs more
                    b = clear_lowest_bit(found)
                    c = clear_lowest_bit(b)
                    d = clear_lowest_bit(c)
                    r.edge[changes], r.edge[changes + 1] = k + ctz(found), k + ctz(b)
                    r.edge[changes + 2], r.edge[changes + 3] = k + ctz(c), k + ctz(d)
                    at_, rest = changes + 4, clear_lowest_bit(d)
                    while rest != 0:
                        r.edge[at_] = k + ctz(rest)
                        at_ += 1
                        rest = clear_lowest_bit(rest)
                    changes += popcount(found)
                k += WORD
            # A run that reaches the picture's right side ends there: no bit behind it changes.
            if changes & 1:
                r.edge[changes] = start + m.width
                changes += 1
            hung(r, begin, changes // 2, row, m, above, words, marks)
            now = above
        place += 1 + words
        board[place] = 0
    return changes // 2


@loop
def wiped(board: I64, place: int, first: int, last: int) -> int:
    """Take a run off the row of a board that begins at `place`."""
    # Word 0 of a row is the empty one: column c lies in word c // WORD + 1.
    for k in range((first + WORD) // WORD, (last + WORD) // WORD + 1):
        low, high = max(first - (k - 1) * WORD, 0), min(last - (k - 1) * WORD, WORD - 1)
        # As numbers with a sign: behind the last bit there is no other.
        board[place + k] = board[place + k] - ((2 << high if high < WORD - 1 else 0) - (1 << low))
    return 0


@loop
def regions_loop(masks: Masks, m: Stack, wanted: Wanted, kinds: Kinds, enough: int, work: I64, f: Found) -> int:
    """The components of masks, with their runs one after the other: of as many frames as have `enough` runs.

    Args:
        work: six times the room, 16 each more, and four rows of words.

    Returns:
        How many frames were looked at; 0 where there is no room for one.
    """
    # `scan` writes up to four edges more than there are.
    pitch, each = (m.width + WORD - 1) // WORD + 1, f.room + 16
    r = Runs(at(work, 0), at(work, 2 * each), at(work, 3 * each))
    area, many, marks = at(work, 4 * each), at(work, 5 * each), at(work, 6 * each)
    count, wide, place, used, looked, frame = 0, 0, 0, 0, 0, 0
    while frame < m.frames and looked <= enough:
        first_row = (m.base + frame) * m.height
        rows = at(f.board, frame * m.height * pitch)
        runs = scan(masks, m, first_row, 0, rows, marks, f.room, r)
        if runs < 0 or used + runs > f.room:
            break
        # Runs are in reading order and a root is never larger than its run: one pass in order makes every parent the
        # root itself.
        pixels, roots = 0, 0
        for n in range(runs):  # none's is larger than itself, and that of those before has been found
            p, length = r.parent[r.parent[n]], r.edge[2 * n + 1] - r.edge[2 * n]
            r.parent[n], area[n], many[n] = p, 0, 0
            area[p] = area[p] + length
            many[p] = many[p] + 1
            pixels += length
            f.owner[count + roots] = n  # there are no more components than that
            roots += p == n
        # Where regions are split their parts have runs of their own: no more than there are pixels.
        used += pixels if kinds.parts else runs
        looked += runs
        if used > f.room:
            break
        own, f.overflow[frame], begin = 0, 0, count
        # The list of roots and that of owners share memory: `count` never passes k, so that no root is overwritten
        # unread.
        for k in range(begin, begin + roots):
            n = f.owner[k]
            stays = area[n] >= wanted.least and float(area[n]) <= wanted.most
            area[n] = -1  # from here on its number
            if stays and own < wanted.capacity:
                area[n] = count
                f.owner[count] = frame
                # An empty box that the first run widens; runs go in reading order, so that the first row is the root's.
                f.start[2 * count], f.start[2 * count + 1] = place, 0
                f.box[4 * count], f.box[4 * count + 1], f.box[4 * count + 2] = m.width, -1, r.line[n]
                place += many[n]
                count += 1
                own += 1
            elif stays:
                f.overflow[frame] = f.overflow[frame] + 1
        # A counting sort: `start` says where a region's runs begin, and they come in reading order.
        for n in range(runs):
            i, row = area[r.parent[n]], r.line[n]
            first, last = r.edge[2 * n], r.edge[2 * n + 1] - 1
            left, right = first - row * m.width, last - row * m.width
            if i >= 0:
                k = f.start[2 * i] + f.start[2 * i + 1]
                f.own_first[k], f.own_last[k] = first, last
                f.start[2 * i + 1] = f.start[2 * i + 1] + 1
                f.box[4 * i] = min(f.box[4 * i], left)
                f.box[4 * i + 1] = max(f.box[4 * i + 1], right)
                f.box[4 * i + 3] = row
            else:
                # The board keeps the regions that stay alone: who measures one sees others as its neighbours.
                wiped(rows, (row - first_row) * pitch, left, right)
        for i in range(begin, count):
            far = max(f.box[4 * i + 1] - f.box[4 * i], f.box[4 * i + 3] - f.box[4 * i + 2]) >= kinds.limit
            f.state[i] = kinds.large if far else kinds.small
            wide += far
        frame += 1
    f.count[0], f.count[1], f.count[2] = count, wide, place
    return frame
