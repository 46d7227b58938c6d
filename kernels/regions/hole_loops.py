"""Holes of a mask, as one loop: the components of what is not in it."""

from __future__ import annotations

from kernels.ir.bits import WORD
from kernels.loops.language import I64, at, loop
from kernels.regions.run_loops import scan, wiped
from kernels.regions.structs import Masks, Runs, Stack


@loop
def fill_loop(masks: Masks, m: Stack, size: int, room: int, work: I64, out: I64) -> int:
    """A mask with its holes filled, as words of bits: components of what is outside, by four neighbours, that do not
    touch the edge.

    Args:
        m: one frame, `base` among the masks.
        size: px, the larger of width and height of the largest hole that is filled; 0 for any.
        room: for so many runs of what is outside.
        work: seven times the room, 16 each more, and `height + 4` rows of words, each with one more, and one.
        out: the words of the frame.

    Returns:
        How many pixels were filled; -1 where there is no room, with nothing in `out`.
    """
    each, words = room + 16, (m.width + WORD - 1) // WORD
    # `scan` writes some edges and runs more than there are, thus 16 more of each; edges are two a run.
    r = Runs(at(work, 0), at(work, 2 * each), at(work, 3 * each))
    left, right, bottom = at(work, 4 * each), at(work, 5 * each), at(work, 6 * each)
    marks, board = at(work, 7 * each), at(work, 7 * each + 4 * words)
    top = m.base * m.height
    runs = scan(masks, m, top, -1, board, marks, room, r)
    if runs < 0:
        return -1
    for n in range(runs):  # the first run of each component is its root; those of the runs before are known
        p, start = r.parent[r.parent[n]], r.line[n] * m.width
        r.parent[n] = p
        if p == n:
            left[p], right[p] = m.width, -1
        left[p] = min(left[p], r.edge[2 * n] - start)
        right[p] = max(right[p], r.edge[2 * n + 1] - 1 - start)
        bottom[p] = r.line[n]
    pixels = 0
    for n in range(runs):
        p, row, start = r.parent[n], r.line[n] - top, r.line[n] * m.width
        # A root comes before all runs of its component: `left` of it is a flag by the time that others read it.
        if p == n:  # from here on `left` says whether it is a hole
            wide, high = right[p] - left[p] + 1, bottom[p] - r.line[p] + 1
            # A component that touches the picture's edge is the outside, not a hole.
            inside = left[p] > 0 and right[p] < m.width - 1 and row > 0 and bottom[p] < top + m.height - 1
            left[p] = int(inside and (size == 0 or max(wide, high) <= size))
        if left[p]:
            wiped(board, row * (words + 1), r.edge[2 * n] - start, r.edge[2 * n + 1] - 1 - start)
            pixels += r.edge[2 * n + 1] - r.edge[2 * n]
    # The board holds what is outside, its holes wiped off: turned over it is the filled mask. Turning over also sets
    # bits beyond the picture, which `last` takes away.
    last = -1 if m.width % WORD == 0 else (1 << (m.width % WORD)) - 1
    for row in range(m.height):
        for w in range(words):
            out[row * words + w] = board[row * (words + 1) + 1 + w] ^ -1
        out[row * words + words - 1] = out[row * words + words - 1] & last
    return int(pixels)
