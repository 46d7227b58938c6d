"""Runs of listed pixels and their connected components, as loops."""

from __future__ import annotations

from kernels.loops.language import I64, U8, loop
from kernels.regions.structs import KeptPixels, Spans, Stack, Wanted


@loop
def foreground_loop(words: I64, count: int, masks: U8, size: int, room: int, out: I64) -> int:
    """Indices of the entries of `masks` that are not 0, rising; `words` are the same, eight at a time.

    Returns:
        How many there are; -1 where there is no room for them.
    """
    found = 0
    for w in range(count):
        if words[w] != 0:
            # Eight places are written below, whatever the word holds.
            if found + 8 > room:
                return -1
            # Written in any case, and kept by counting it: masks are what a processor guesses badly.
            for k in range(8 * w, 8 * w + 8):
                out[found] = k
                found += masks[k] != 0
    for k in range(8 * count, size):
        if masks[k]:
            if found == room:
                return -1
            out[found] = k
            found += 1
    return found


@loop
def root(parent: I64, i: int) -> int:
    """The smallest number that `i` is connected with, and shorter ways to it."""
    # Path halving (Tarjan, van Leeuwen, JACM 31, 245, 1984): every other node on the way is hung on its grandparent.
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@loop
def joined(s: Spans, begin: int, end: int, m: Stack) -> int:
    """For each run the first one of its component (8 neighbours with `aside`); at first each is its own."""
    upper = begin
    for r in range(begin, end):
        row = s.first[r] // m.width
        if row % m.height == 0:
            continue
        # Columns beside the run in the row above, cut at the row's ends: flat indices would wrap into the next row.
        low = max(s.first[r] - m.width - m.aside, (row - 1) * m.width)
        high = min(s.last[r] - m.width + m.aside, row * m.width - 1)
        # Two pointers: both rows' runs are in order, so that the row above is gone through once.
        # Both loops end at run r at the latest, since it lies behind the row above.
        while s.last[upper] < low:
            upper += 1
        k, a = upper, r
        while s.first[k] <= high:
            b = root(s.parent, k)
            # Union by the smaller number: a root is the first run of its component.
            s.parent[max(a, b)] = min(a, b)
            a = min(a, b)
            k += 1
    for r in range(begin, end):  # no number is larger than itself, and that of those before has been found
        s.parent[r] = s.parent[s.parent[r]]
    return 0


@loop
def runs_loop(pixels: I64, count: int, m: Stack, s: Spans) -> int:
    """Runs of rising flat indices, and for each the first run of its component; returns how many runs."""
    runs, end, before = 0, 0, -1
    for n in range(count):
        p = pixels[n]
        # A run ends at a gap or at the end of its row; `end` is the first pixel of the next row.
        if p != before + 1 or p >= end:
            if p >= end:
                end = (p // m.width + 1) * m.width
            s.first[runs] = p
            s.parent[runs] = runs
            runs += 1
        s.last[runs - 1] = p
        before = p
    joined(s, 0, runs, m)
    return runs


@loop
def kept_loop(s: Spans, runs: int, m: Stack, wanted: Wanted, area: I64, number: I64, k: KeptPixels) -> int:
    """Pixels of the components that are wanted, as indices of a canvas. `area`, `number`: room for an entry a run."""
    for r in range(runs):
        area[r] = 0
    for n in range(m.frames):
        k.overflow[n] = 0
    for r in range(runs):
        # All parents are roots by now (`joined`).
        area[s.parent[r]] = area[s.parent[r]] + s.last[r] - s.first[r] + 1
    count, own, latest, pixels = 0, 0, -1, 0
    # The canvas has a pixel of nothing around each frame, so that who looks at neighbours need not ask for borders.
    size, pitch = m.height * m.width, m.width + 2
    for r in range(runs):
        if s.parent[r] == r:
            number[r] = -1
            if area[r] >= wanted.least and float(area[r]) <= wanted.most:
                frame = s.first[r] // size
                # Roots come in reading order, thus frame by frame: the capacity counts anew in each.
                if frame != latest:
                    latest, own = frame, 0
                if own < wanted.capacity:
                    k.owner[count] = frame
                    number[r] = count
                    count += 1
                    own += 1
                else:
                    k.overflow[frame] = k.overflow[frame] + 1
    for r in range(runs):
        i = number[s.parent[r]]
        if i >= 0:
            row = s.first[r] // m.width
            frame = row // m.height
            # Flat index in the canvas: its frames have two rows and two columns more.
            line = frame * (m.height + 2) + row - frame * m.height + 1
            start = line * pitch + s.first[r] - row * m.width + 1
            for n in range(s.last[r] - s.first[r] + 1):
                k.core[pixels] = start + n
                k.label[pixels] = i
                pixels += 1
    k.overflow[m.frames], k.overflow[m.frames + 1] = pixels, count
    return 0
