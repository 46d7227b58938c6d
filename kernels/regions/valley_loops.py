"""Regions that hold several maxima of the light, as loops (the rule:
`kernels.regions.pixel_lists.split_at_valleys`)."""

from __future__ import annotations

from kernels.loops.language import F64, I64, U8, at, floor, load, loop, splat, store, where
from kernels.regions.structs import Patch
from kernels.regions.tile_loops import CORE, EDGE

DARK = -1e308
TOPS = 64  # maxima of a region that are kept separate


@loop
def blurred(p: Patch, weights: F64, radius: int, work: F64, out: F64, breadth: int) -> int:
    """A Gaussian blur of a patch, into `out` with a pixel of nothing around; `breadth`: of its
    rows, a multiple of eight."""
    # A border that is darker than all light: no maximum lies there, and nobody climbs to it.
    dark = splat(DARK)
    for r in range(p.rows + 2):
        for k in range(0, breadth, 8):
            store(out, r * breadth + k, dark)
    w0 = weights[0]
    for k in range(0, p.columns, 8):
        # A strip of eight columns: along x into `work`, then along y out of it, while it is in the nearest cache.
        for r in range(p.rows + 2 * radius):
            here = (p.top - radius + r) * p.pitch + p.left + k
            s = load(p.tile, here) * w0
            for n in range(1, radius + 1):
                s += (load(p.tile, here - n) + load(p.tile, here + n)) * weights[n]
            store(work, 8 * r, s)
        for r in range(p.rows):
            s = load(work, 8 * (r + radius)) * w0
            for n in range(1, radius + 1):
                s += (load(work, 8 * (r + radius - n)) + load(work, 8 * (r + radius + n))) * weights[n]
            store(out, (r + 1) * breadth + 1 + k, s)
    return 0


@loop
def tops_of(rows: int, columns: int, down: int, shift: int, light: F64, breadth: int, bits: I64, table: U8,
            acc: F64) -> int:  # fmt: skip
    """How many maxima the light has among the CORE's pixels; what is none of them becomes DARK."""
    for r in range(rows):
        for k in range(0, columns, 8):
            here = (r + 1) * breadth + 1 + k
            inside = load(table, 8 * ((bits[CORE + EDGE + down + r] >> (shift + k)) & 255))
            store(light, here, where(inside > 0.0, load(light, here), DARK))
    count = splat(0.0)
    for r in range(rows):
        for k in range(0, columns, 8):
            here = (r + 1) * breadth + 1 + k
            v = load(light, here)
            # Equal heights climb to the earlier pixel, so that no two point at each other.
            top = where(v > load(light, here - breadth - 1), 1.0, 0.0)
            top = where(v > load(light, here - breadth), top, 0.0)
            top = where(v > load(light, here - breadth + 1), top, 0.0)
            top = where(v > load(light, here - 1), top, 0.0)
            top = where(v >= load(light, here + 1), top, 0.0)
            top = where(v >= load(light, here + breadth - 1), top, 0.0)
            top = where(v >= load(light, here + breadth), top, 0.0)
            top = where(v >= load(light, here + breadth + 1), top, 0.0)
            # Eight counts, one a lane; a box has far fewer pixels than f64 counts exactly.
            count += top
    store(acc, 0, count)
    found = 0
    for k in range(8):
        found += int(acc[k])
    return found


@loop
def uphill(light: F64, p: int, breadth: int) -> int:
    """The highest of a pixel and its neighbours, of equal ones the first."""
    best, high, own = p, light[p], light[p]
    # In reading order. Of equal heights only an earlier one counts, and only if nothing is higher: a climb never
    # returns.
    for line in range(3):
        for m in range(3):
            q = p + (line - 1) * breadth + m - 1
            if light[q] > high or (light[q] == high and best == p and q < p and own == high):
                best, high = q, light[q]
    return int(best)


@loop
def lowest_between(light: F64, breadth: int, a: int, b: int) -> float:
    """The smallest value on the straight line between two pixels."""
    x0, y0, x1, y1 = a % breadth, a // breadth, b % breadth, b // breadth
    # One step a pixel along the longer axis; `floor(v + .5)`: halves go right and down, wherever the picture begins.
    steps = max(max(abs(float(x1 - x0)), abs(float(y1 - y0))), 1.0)
    least = light[a]
    for k in range(int(steps) + 1):
        share = float(k) / steps
        x = int(floor(float(x0) + share * float(x1 - x0) + 0.5))
        y = int(floor(float(y0) + share * float(y1 - y0) + 0.5))
        least = min(least, light[y * breadth + x])
    return float(least)


@loop
def parts_of(rows: int, columns: int, light: F64, breadth: int, distance: float, depth: float, part: I64,
             tops: I64) -> int:  # fmt: skip
    """Give every pixel of the region the number of its part (`part`, -1 elsewhere); returns how many parts there are.

    `tops`: room for 3 TOPS.
    """
    # First step of a watershed by steepest ascent: each pixel points at the highest beside it, a maximum at itself.
    found, ground = 0, 1e308
    for r in range(1, rows + 1):
        for c in range(1, columns + 1):
            p = r * breadth + c
            part[p] = -1
            if light[p] > DARK:
                ground = min(ground, light[p])
                part[p] = uphill(light, p, breadth)
                # Maxima beyond TOPS are in no list; their pixels go to the first part.
                if part[p] == p and found < TOPS:
                    tops[found] = p
                    found += 1
    # So that a top is compared with higher ones alone, and of two without a valley between them the higher one stays.
    # Insertion sort, which keeps equal heights in reading order.
    for n in range(1, found):  # by falling height
        one, k = tops[n], n
        while k > 0 and light[tops[max(k - 1, 0)]] < light[one]:
            tops[k] = tops[k - 1]
            k -= 1
        tops[k] = one
    kept = at(tops, TOPS)
    number = at(tops, 2 * TOPS)
    many = 0
    for n in range(found):
        # Greedy, from the highest down: a top counts if it is far from all that count and a valley lies between it and
        # the nearest of them.
        one, nearest, least = tops[n], 0, 1e308
        for k in range(many):
            dx, dy = float(one % breadth - kept[k] % breadth), float(one // breadth - kept[k] // breadth)
            if dx * dx + dy * dy < least:
                nearest, least = k, dx * dx + dy * dy
        number[n] = -1
        if many == 0:
            kept[0], number[n] = one, 0
            many = 1
        elif least >= distance * distance:
            high = light[one]
            if lowest_between(light, breadth, one, kept[nearest]) <= high - depth * (high - ground):
                kept[many], number[n] = one, many
                many += 1
    # The caller reads `part` of several parts only: here it still holds places.
    if many == 1:
        return 1
    # Tops that do not count give their pixels to the nearest that does.
    for n in range(found):
        if number[n] < 0:
            nearest, least = 0, 1e308
            for k in range(many):
                dx = float(tops[n] % breadth - kept[k] % breadth)
                dy = float(tops[n] // breadth - kept[k] // breadth)
                if dx * dx + dy * dy < least:
                    nearest, least = k, dx * dx + dy * dy
            number[n] = nearest
    # From places to numbers: a top first, as the end of every climb.
    for r in range(1, rows + 1):
        for c in range(1, columns + 1):
            p = r * breadth + c
            if part[p] >= 0:
                # A climb ends, since heights rise or, where equal, places fall.
                q = p
                while part[q] != q:
                    q = part[q]
                part[p] = q
    for r in range(1, rows + 1):
        for c in range(1, columns + 1):
            p = r * breadth + c
            if part[p] >= 0:
                q, mine = part[p], 0
                for n in range(found):
                    if tops[n] == q:
                        mine = number[n]
                part[p] = mine
    return int(many)
