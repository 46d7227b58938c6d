"""The mean of the middle half of many values and their robust variance, as a loop."""

from __future__ import annotations

from kernels.loops.language import F64, I64, loop

BINS = 1024  # whole values that lie closer than this are sorted by counting


@loop
def ordered(buffer: F64, count: int) -> int:
    """Sort the first values of a buffer of at least twice as many and one; return where they begin then."""
    # Merge sort from the bottom up, to and fro between the two halves of the buffer: stable, no recursion.
    here, there, run = 0, count, 1
    while run < count:
        for start in range(0, count, 2 * run):
            middle, end = min(start + run, count), min(start + 2 * run, count)
            i, j = start, middle
            for k in range(start, end):
                # Beyond its run a place is read, but not taken; the buffer has one entry more for the last.
                a, b = buffer[here + i], buffer[here + j]
                # `&` and `|` of whole numbers: no branch, whose outcome would be a coin toss.
                first = (i < middle) & ((j >= end) | (a <= b))
                buffer[there + k] = a if first else b
                i += first
                j += 1 - first
        here, there = there, here
        run *= 2
    return here


@loop
def middle(buffer: F64, count: int, lowest: float, highest: float, whole: int, bins: I64, out: F64) -> int:
    """Mean of the middle half of `count` values within lowest..highest, and their robust variance.

    `whole`: they are whole numbers. The buffer has room for twice as many and one.
    """
    # The middle half: entries low .. high - 1 of the sorted values.
    low, high = count // 4, count - count // 4
    upper = min(high, count - 1)
    total, a, b = 0.0, 0.0, 0.0
    if whole and highest - lowest < float(BINS):
        # Whole numbers in a small range: a histogram gives the sorted order.
        used = int(highest - lowest) + 1
        for k in range(used):
            bins[k] = 0
        for n in range(count):
            k = int(buffer[n] - lowest)
            bins[k] = bins[k] + 1
        seen = 0
        for k in range(used):
            following = seen + bins[k]
            v = lowest + float(k)
            # How many of this value's entries lie in the middle half.
            share = min(following, high) - max(seen, low)
            total += float(max(share, 0)) * v
            a = v if (seen <= low) & (low < following) else a
            b = v if (seen <= upper) & (upper < following) else b
            seen = following
    else:
        start = ordered(buffer, count)
        for n in range(low, high):
            total += buffer[start + n]
        a, b = buffer[start + low], buffer[start + upper]
    out[0] = total / float(max(high - low, 1))
    # The interquartile range of a normal distribution is 1.349 standard deviations.
    spread = (b - a) / 1.349
    out[1] = spread * spread
    return 0
