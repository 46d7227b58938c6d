"""The work of `kernels.host.labels` as loops."""

from __future__ import annotations

from kernels.host.loops import I64, U8, loop


@loop
def foreground_loop(words: I64, count: int, masks: U8, size: int, room: int, out: I64) -> int:
    """Indices of the entries of `masks` that are not 0, rising; `words` are the same, eight at a time.

    Returns:
        How many there are; -1 where there is no room for them.
    """
    found = 0
    for w in range(count):
        if words[w] != 0:
            if found + 8 > room:
                return -1
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
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@loop
def joined(first: I64, last: I64, parent: I64, begin: int, end: int, height: int, width: int, aside: int) -> int:
    """For each run the first one of its component (8 neighbours with `aside`); at first each is its own."""
    upper = begin
    for r in range(begin, end):
        row = first[r] // width
        if row % height == 0:
            continue
        low = max(first[r] - width - aside, (row - 1) * width)
        high = min(last[r] - width + aside, row * width - 1)
        while last[upper] < low:
            upper += 1
        k, a = upper, r
        while first[k] <= high:
            b = root(parent, k)
            parent[max(a, b)] = min(a, b)
            a = min(a, b)
            k += 1
    for r in range(begin, end):  # nobody's is larger than itself, and that of those before has been found
        parent[r] = parent[parent[r]]
    return 0


@loop
def runs_loop(pixels: I64, count: int, height: int, width: int, aside: int, first: I64, last: I64, parent: I64) -> int:
    """Runs of rising flat indices, and for each the first run of its component; returns how many runs."""
    runs, end, before = 0, 0, -1
    for n in range(count):
        p = pixels[n]
        if p != before + 1 or p >= end:
            if p >= end:
                end = (p // width + 1) * width
            first[runs] = p
            parent[runs] = runs
            runs += 1
        last[runs - 1] = p
        before = p
    joined(first, last, parent, 0, runs, height, width, aside)
    return runs


@loop
def kept_loop(first: I64, last: I64, parent: I64, runs: int, frames: int, height: int, width: int, least: int,
              most: float, capacity: int, area: I64, number: I64, core: I64, labels: I64, owner: I64,
              overflow: I64) -> int:  # fmt: skip
    """Pixels of the components that are wanted as indices of a canvas, the component of each, and the frame of each
    component.

    Args:
        least, most: pixels of those that are wanted.
        capacity: of a frame; those past it count as overflow.
        area, number: room for an entry a run.
        overflow: of each frame; behind them come how many pixels and how many components there are.
    """
    for r in range(runs):
        area[r] = 0
    for k in range(frames):
        overflow[k] = 0
    for r in range(runs):
        area[parent[r]] = area[parent[r]] + last[r] - first[r] + 1
    count, own, latest, pixels = 0, 0, -1, 0
    size, pitch = height * width, width + 2
    for r in range(runs):
        if parent[r] == r:
            number[r] = -1
            if area[r] >= least and float(area[r]) <= most:
                frame = first[r] // size
                if frame != latest:
                    latest, own = frame, 0
                if own < capacity:
                    owner[count] = frame
                    number[r] = count
                    count += 1
                    own += 1
                else:
                    overflow[frame] = overflow[frame] + 1
    for r in range(runs):
        i = number[parent[r]]
        if i >= 0:
            row = first[r] // width
            frame = row // height
            line = frame * (height + 2) + row - frame * height + 1
            start = line * pitch + first[r] - row * width + 1
            for k in range(last[r] - first[r] + 1):
                core[pixels] = start + k
                labels[pixels] = i
                pixels += 1
    overflow[frames], overflow[frames + 1] = pixels, count
    return 0
