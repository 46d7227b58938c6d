"""Where the light of a small region is, from its own pixels alone: a place for a better centre to begin at.

What else there is to know about it is seen in the window that the better centre is found in (`shape_simd`).
"""

from __future__ import annotations

from kernels.ir.table import COLUMNS, GRAYS
from kernels.loops.language import loop
from kernels.regions.structs import Frames, Regions
from kernels.regions.window_loops import fetched

CENTRED = 0  # of a region that has its centre from a window, if that is wide enough
SPLIT, LAST, ELSEWHERE = 1, 2, 3  # of a region: not looked at for maxima yet; it is a part; too large for a tile
LIGHT = 4  # of one whose row holds such a place, and its area
AHEAD = 8  # regions, in which memory has time to bring the pixels
SHARE = 0.125  # of the span of a region's light: what lies below its darkest pixel counts as none


@loop
def put_grays(low: float, high: float, sign: float, of: Regions, o: int) -> int:
    """Write the least and the largest gray value of a region into its row at `o`, of the least and largest light."""
    of.rows[o + GRAYS] = (low if sign > 0.0 else -high) + 0.0  # a zero comes out as +0
    of.rows[o + GRAYS + 1] = (high if sign > 0.0 else -low) + 0.0
    return 0


@loop
def grays_of(i: int, f: Frames, of: Regions, nothing: float) -> int:
    """Write the least and the largest gray value of region i into its row; what is no finite number is left out."""
    low, high = 1e308, -1e308
    for r in range(of.start[2 * i], of.start[2 * i] + of.start[2 * i + 1]):
        for k in range(of.own_first[r], of.own_last[r] + 1):
            g = float(f.image[k]) * f.sign
            if g - g == 0.0:
                low, high = min(low, g), max(high, g)
    o = COLUMNS * i
    if low <= high:
        put_grays(low, high, f.sign, of, o)
    else:
        of.rows[o + GRAYS], of.rows[o + GRAYS + 1] = nothing, nothing
    return 0


@loop
def light_of(i: int, f: Frames, of: Regions, frame: int, side: int, nothing: float) -> int:
    """Write a row (x, y, area, min and max) of region i if it is small enough; whether it is.

    Args:
        frame: the first row of its frame in the stack.
        side: px; larger regions are not looked at.
    """
    left, top = of.box[4 * i], of.box[4 * i + 2]
    if of.box[4 * i + 1] - left >= side or of.box[4 * i + 3] - top >= side:
        return 0
    n, nx, ny, s, sx, sy, low, high = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1e308, -1e308
    for r in range(of.start[2 * i], of.start[2 * i] + of.start[2 * i + 1]):
        first, last = of.own_first[r], of.own_last[r]
        row = first // f.width
        # Of each run the sum of its light and its first moment from the run's start; shifts to the box come once a run.
        a, y, one, more = float(first - row * f.width - left), float(row - top), 0.0, 0.0
        for k in range(first, last + 1):
            g = float(f.image[k]) * f.sign
            one += g
            more += g * float(k - first)
            low, high = min(low, g), max(high, g)
        many = float(last - first + 1)
        n += many
        nx += many * (a + 0.5 * (many - 1.0))
        ny += many * y
        s += one
        sx += more + a * one
        sy += one * y
    if s - s != 0.0:  # some is no number
        return 0
    # A level below the darkest pixel: with `low` itself that pixel would have no weight.
    dark = low - SHARE * (high - low)
    mass = s - dark * n
    # The centre of the pixels, where the light tells nothing.
    x, y = nx / n, ny / n
    if mass > 0.0:
        x, y = (sx - dark * nx) / mass, (sy - dark * ny) / mass
    x, y = x + float(left), y + float(top - frame)
    o = COLUMNS * i
    of.rows[o], of.rows[o + 1], of.rows[o + 2], of.rows[o + 3], of.rows[o + 4] = x, y, 0.0, 0.0, n
    of.rows[o + 5], of.rows[o + 6], of.rows[o + 7], of.rows[o + 8], of.rows[o + 9] = 0.0, 0.0, 0.0, nothing, 0.0
    of.rows[o + 10], of.rows[o + 11] = 0.0, 0.0
    put_grays(low, high, f.sign, of, o)
    return 1


@loop
def lights_loop(f: Frames, of: Regions, count: int, side: int, nothing: float) -> int:
    """`light_of` all regions whose state is LAST; it becomes LIGHT. Returns how many stay SPLIT or LAST."""
    left = 0
    for i in range(count):
        j = min(i + AHEAD, count - 1)
        columns, rows_of = of.box[4 * j + 1] - of.box[4 * j] + 1, of.box[4 * j + 3] - of.box[4 * j + 2] + 1
        if columns <= side and rows_of <= side:
            fetched(f.image, of.box[4 * j + 2] * f.width + of.box[4 * j], f.width, columns, rows_of)
        if of.state[i] == LAST and light_of(i, f, of, (of.owner[i] + of.base) * f.height, side, nothing):
            of.state[i] = LIGHT
        left += of.state[i] <= LAST
    return int(left)
