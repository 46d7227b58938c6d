"""Which rows the windows of refined centres tell, and what the others take from there, as loops."""

from __future__ import annotations

from kernels.ir.table import COLUMNS, GRAYS
from kernels.loops.language import F64, I64, loop
from kernels.regions.initial_guess_loops import CENTRED, LAST, LIGHT

OVAL = 0.25
"""Difference of the principal second moments, by their sum, from which a component's region tells its shape: two things
that are seen as one reach beyond the window, and trackers tell them apart by it."""


@loop
def taken_loop(found: F64, count: int, which: I64, state: I64, limit: float, table: F64, left: I64) -> int:
    """Take over the rows `found` of the components `which` of the `table`, of which the window tells all; their areas
    and gray values stay. Returns how many are `left` (numbers within `found`); those of them that are LIGHT become
    CENTRED, or LAST where the window has no centre.

    Args:
        limit: px^2, half the sum of the second moments of the widest whose window tells all.
    """
    many = 0
    for k in range(count):
        i, o = which[k], COLUMNS * k
        # sqrt(long^2 + (2 xy)^2) by the sum of both is the relative difference of the principal second moments.
        xx, xy, yy = found[o + 5], 2.0 * found[o + 6], found[o + 7]
        wide, long = xx + yy, xx - yy
        oval = OVAL * wide
        reliable = state[i] == LIGHT and found[o + 4] == 0.0 and 0.5 * wide <= limit
        if reliable and not long * long + xy * xy > oval * oval:
            a = COLUMNS * i
            # Column 4 is the area: the region counts its pixels, a window does not.
            for c in range(GRAYS):
                if c != 4:
                    table[a + c] = found[o + c]
        else:
            if state[i] == LIGHT:
                sigma = found[o + 8]
                state[i] = CENTRED if sigma - sigma == 0.0 else LAST
            left[many] = k
            many += 1
    return many


@loop
def placed_loop(found: F64, left: I64, many: int, which: I64, limit: float, table: F64) -> int:
    """Take over x, y, sigma, its anisotropy, stretch and lean of those that are `left`, where they have one and are not
    too wide."""
    for n in range(many):
        o, a = COLUMNS * left[n], COLUMNS * which[left[n]]
        sigma = found[o + 8]
        if sigma - sigma == 0.0 and 0.5 * (table[a + 5] + table[a + 7]) <= limit:
            table[a], table[a + 1] = found[o], found[o + 1]
            for c in range(8, GRAYS):
                table[a + c] = found[o + c]
    return 0
