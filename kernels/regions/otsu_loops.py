"""Otsu's level from a histogram, as a loop."""

from __future__ import annotations

from kernels.loops.language import F64, I64, loop

TINY = 1.2e-7  # a class of a smaller share of the pixels is none


@loop
def otsu_bin(counts: I64, bins: int, work: F64) -> int:
    """The last bin of the dark class: that which maximises w0 * w1 * (mean0 - mean1)**2, the first of several; the one
    that there is where others are empty, 0 where all are.

    Args:
        counts: `bins` of them.
        work: 2 * bins values.
    """
    total, seen, last = 0, 0, 0
    for k in range(bins):
        total += counts[k]
        if counts[k] > 0:
            seen += 1
            last = k
    if seen < 2:
        return last
    weight, moment = 0.0, 0.0
    for k in range(bins):
        share = float(counts[k]) / float(total)
        weight += share
        moment += share * float(k)
        # Cumulated shares and first moments: what Otsu calls w(k) and mu(k).
        work[2 * k], work[2 * k + 1] = weight, moment
    best, most = 0, -1.0
    for k in range(bins):
        part = work[2 * k]
        rest = 1.0 - part
        between = 0.0
        if not (min(part, rest) < TINY):
            # The variance between classes in one pass (Otsu 1979, eq. 18): (mu_T w(k) - mu(k))^2 / (w(k) (1 - w(k))).
            apart = moment * part - work[2 * k + 1]
            between = apart * apart / (part * rest)
        # `>`: of equal values the first bin stays.
        if between > most:
            best, most = k, between
    return best
