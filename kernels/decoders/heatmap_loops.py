"""Peaks of heat maps, channels last, of all frames of a batch, as loops.

Maxima are looked for eight numbers at a time, whatever the number of channels: number j of vector k is of channel
(8 k + j) mod C, so vectors that lie C / gcd(C, 8) apart hold the same channels, lane by lane.
"""

from __future__ import annotations

from kernels.ir.placement import PARTS
from kernels.ir.table import COLUMNS
from kernels.loops.language import F32, F64, I64, at, clear_lowest_bit, ctz, load, loop, mask, splat, sqrt, store, where
from kernels.loops.logarithm import log
from kernels.loops.records import record
from kernels.loops.structs import Struct, struct

LOWEST = -1.0e300
FLOOR = 1e-10  # what a logarithm is taken of at least, as DARK's authors do
PIXEL, PARABOLA, DARK, INTEGRAL = 0, 1, 2, 3
HALF_PIXEL, CORNER, MIDDLE = 0, 1, 2
BLOCK = 512  # vectors of a map, 16 kB, that are looked at phase by phase
SURE = 0.1  # peaks that are lower are as uncertain as those of this height
FARTHEST = 1.0  # px of the map from its pixel that a peak may lie, by the expansion of the logarithm


@record
class Maps:
    """A batch of heat maps and what to look for."""

    frames: int
    height: int
    width: int
    channels: int
    offsets: int  # whether there are any
    method: int
    instances: int  # of a channel
    window: int  # half of the width of an integral, px of the map
    pixels: int  # where pixels of the map lie: HALF_PIXEL, CORNER, MIDDLE
    threshold: float
    separation: float  # px of the map
    offset_scale: float  # px of the network's input
    stride: float  # px of the network's input a pixel of the map; 0: as the placement's size says
    scatter: float  # a place's standard uncertainty, of the width of a peak of height 1
    nothing: float  # NaN


@loop
def largest(maps: F32, start: int, pixels: int, channels: int, value: F64, place: F64, best: F64, seats: F64) -> int:
    """For each channel the largest number of a map that begins at `start`, and its pixel (the first of several); -1
    where all are NaN.

    Args:
        value, place: a number a channel.
        best, seats: room for eight numbers a channel.
    """
    for c in range(channels):
        value[c], place[c] = LOWEST, -1.0
    # apart = C / gcd(C, 8): all factors of two that C shares with 8 are taken out.
    apart, rest = channels, 8
    while apart % 2 == 0 and rest > 1:
        apart, rest = apart // 2, rest // 2
    count = pixels * channels
    vectors = count // 8
    phases = min(apart, vectors)
    # Each phase keeps the largest so far of its eight lanes, and the vector that it is in.
    for k in range(phases):
        store(best, 8 * k, splat(LOWEST))
        store(seats, 8 * k, splat(-1.0))
    block = max(BLOCK // apart, 1) * apart  # of which all phases look at the same lines of the cache
    # Block by block: within one, all phases pass over lines of the cache that are still there.
    for first in range(0, vectors, block):
        end = min(first + block, vectors)
        for k in range(phases):
            high, seat, here = load(best, 8 * k), load(seats, 8 * k), splat(float(first + k))
            for j in range(first + k, end, apart):
                v = load(maps, start + 8 * j)
                # `>`: of equal numbers the first stays, and NaN is never more.
                more = v > high
                high, seat = where(more, v, high), where(more, here, seat)
                here += float(apart)
            store(best, 8 * k, high)
            store(seats, 8 * k, seat)
    # Eight lanes of each phase to channels: several lanes hold a channel, and of equal numbers the smaller pixel wins.
    for k in range(8 * phases):
        if seats[k] >= 0.0:
            flat = int(seats[k]) * 8 + k % 8
            c, p = flat % channels, float(flat // channels)
            if best[k] > value[c] or (best[k] == value[c] and p < place[c]):
                value[c], place[c] = best[k], p
    # Numbers behind the last whole vector; they come last, so that `>` keeps the first of equal ones.
    for flat in range(8 * vectors, count):
        c = flat % channels
        one = float(maps[start + flat])
        if one > value[c]:
            value[c], place[c] = one, float(flat // channels)
    return 0


@loop
def is_top(maps: F32, start: int, height: int, width: int, channels: int, flat: int) -> int:
    """Whether a number of a map is the largest of its channel in 3x3 pixels; of equal ones the first is."""
    c, p = flat % channels, flat // channels
    x, y, v = p % width, p // width, float(maps[start + flat])
    for j in range(max(y - 1, 0), min(y + 2, height)):
        for i in range(max(x - 1, 0), min(x + 2, width)):
            other = float(maps[start + (j * width + i) * channels + c])
            if other > v or (other == v and j * width + i < p):
                return 0
    return 1


@loop
def tops(maps: F32, start: int, m: Maps, room: int, found: I64) -> int:
    """Flat places of all maxima above the threshold of a map, rising; returns how many, of which `room` are kept."""
    count, many = m.height * m.width * m.channels, 0
    whole = count // 8
    for k in range(whole + 1):
        if k < whole:
            # Only numbers above the threshold, which are few, are compared with their neighbours.
            word = mask(load(maps, start + 8 * k) > m.threshold)
        else:
            word = 0
            for lane in range(count - 8 * whole):
                if float(maps[start + 8 * whole + lane]) > m.threshold:
                    word = word + (1 << lane)
        while word != 0:
            flat = 8 * k + ctz(word)
            word = clear_lowest_bit(word)
            if is_top(maps, start, m.height, m.width, m.channels, flat):
                # Counted on without room: the caller reports what was left out.
                if many < room:
                    found[many] = flat
                many += 1
    return many


@loop
def vertex(before: float, here: float, after: float) -> float:
    """Of the parabola through three numbers, from the middle, px; 0 where it has no maximum there."""
    # Through (-1, before), (0, here), (1, after): the vertex is at (before - after) / (2 (before - 2 here + after)).
    bend = before - 2.0 * here + after
    shift = (before - after) / (2.0 * bend) if bend < 0.0 else 0.0
    # A vertex farther than half a pixel would belong to the neighbour.
    return float(min(max(shift, -0.5), 0.5))


@loop
def by_parabola(maps: F32, begin: int, m: Maps, x: int, y: int, out: F64) -> int:
    """Shifts along x and y by parabolas; 0 across an edge."""
    row = m.width * m.channels
    here = begin + y * row + x * m.channels
    out[0], out[1] = 0.0, 0.0
    if x > 0 and x < m.width - 1:
        out[0] = vertex(float(maps[here - m.channels]), float(maps[here]), float(maps[here + m.channels]))
    if y > 0 and y < m.height - 1:
        out[1] = vertex(float(maps[here - row]), float(maps[here]), float(maps[here + row]))
    return 0


@loop
def floored(maps: F32, index: int) -> float:
    """The logarithm of a number of a map."""
    return float(log(max(float(maps[index]), FLOOR)))


@loop
def by_logarithm(maps: F32, begin: int, m: Maps, x: int, y: int, out: F64) -> int:
    """Shift and covariance (xx, xy, yy) by Taylor's expansion of the logarithm to second order around the pixel: minus
    the inverse of its second derivatives. Returns 0, and changes nothing, where that has no maximum within FARTHEST."""
    if x < 1 or y < 1 or x > m.width - 2 or y > m.height - 2:
        return 0
    step, row = m.channels, m.width * m.channels
    here = begin + y * row + x * step
    up, lo = here - row, here + row
    # Second differences of the logarithm: of a Gaussian they are exact, and minus their inverse is its covariance.
    le, ri, twice = floored(maps, here - step), floored(maps, here + step), 2.0 * floored(maps, here)
    bends = floored(maps, lo + step) + floored(maps, up - step) - (floored(maps, up + step) + floored(maps, lo - step))
    below, above = floored(maps, lo), floored(maps, up)
    gx, gy = 0.5 * (ri - le), 0.5 * (below - above)
    hxx, hyy, hxy = le + ri - twice, above + below - twice, 0.25 * bends
    det = hxx * hyy - hxy * hxy
    # A maximum needs a negative definite Hessian; 1e-12 keeps a ridge, whose determinant is rounding, from counting.
    if not (hxx < 0.0 and hyy < 0.0 and det > 1e-12 * hxx * hyy):
        return 0
    # Newton's step: minus the inverse Hessian times the gradient.
    dx, dy = (hxy * gy - hyy * gx) / det, (hxy * gx - hxx * gy) / det
    if not (abs(dx) <= FARTHEST and abs(dy) <= FARTHEST):
        return 0
    out[0], out[1] = dx, dy
    out[2], out[3], out[4] = -hyy / det, hxy / det, -hxx / det
    return 1


@loop
def by_integral(maps: F32, begin: int, m: Maps, x: int, y: int, out: F64) -> int:
    """Shift and covariance by the first and second moments of what is above 0 in a window around the pixel; where
    nothing is, or something infinite: as it was."""
    row = m.width * m.channels
    n, sx, sy, sxx, sxy, syy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    # The window is cut at the map's edge: no number beyond it is invented.
    for j in range(max(y - m.window, 0), min(y + m.window + 1, m.height)):
        for i in range(max(x - m.window, 0), min(x + m.window + 1, m.width)):
            v = float(maps[begin + j * row + i * m.channels])
            if v > 0.0:
                dx, dy = float(i - x), float(j - y)
                n += v
                sx += v * dx
                sy += v * dy
                sxx += v * dx * dx
                sxy += v * dx * dy
                syy += v * dy * dy
    # n - n is NaN of an infinite sum.
    if n > 0.0 and n - n == 0.0:
        mx, my = sx / n, sy / n
        out[0], out[1] = mx, my
        out[2], out[3], out[4] = sxx / n - mx * mx, sxy / n - mx * my, syy / n - my * my
        return 1
    return 0


@loop
def seated(index: float, stride: float, pixels: int) -> float:
    """Where a pixel of a map lies in what the network gets, px."""
    # CORNER: index 0 lies at 0. MIDDLE: at half a stride. HALF_PIXEL: edges of both grids coincide, centres at
    # integers.
    if pixels == CORNER:
        return float(index * stride)
    if pixels == MIDDLE:
        return float(index * stride + 0.5 * stride)
    return float((index + 0.5) * stride - 0.5)


@loop
def measured(maps: F32, begin: int, offsets: F32, m: Maps, c: int, p: int, placed: F64, work: F64, row: F64) -> int:
    """A row of FEATURE: the peak of channel c at pixel p. `begin`: of the frame's map."""
    first, x, y = begin + c, p % m.width, p // m.width
    known = 0
    work[0], work[1] = 0.0, 0.0
    if m.method == INTEGRAL:
        known = by_integral(maps, first, m, x, y, work)
    else:
        if m.method == DARK:
            known = by_logarithm(maps, first, m, x, y, work)
        # DARK falls back to the parabola where the logarithm has no maximum nearby.
        if known == 0 and m.method != PIXEL:
            by_parabola(maps, first, m, x, y, work)
    across = m.stride if m.stride > 0.0 else placed[6] / float(m.width)
    down = m.stride if m.stride > 0.0 else placed[7] / float(m.height)
    if not (across > 0.0 and down > 0.0):
        across, down = 1.0, 1.0
    nx, ny = float(x) + work[0], float(y) + work[1]
    nx, ny = seated(nx, across, m.pixels), seated(ny, down, m.pixels)
    if m.offsets:
        # Offsets have two numbers a channel, beside each other: x, y.
        o = ((begin // m.channels + p) * m.channels + c) * 2
        nx, ny = nx + float(offsets[o]) * m.offset_scale, ny + float(offsets[o + 1]) * m.offset_scale
    a, b, d, e = placed[0], placed[1], placed[3], placed[4]
    # The placement is affine: network to frame.
    row[0], row[1] = a * nx + b * ny + placed[2], d * nx + e * ny + placed[5]
    value = float(maps[first + p * m.channels])
    row[2], row[3], row[4] = value, value, 1.0
    for k in range(5, COLUMNS):
        row[k] = m.nothing
    row[9] = 0.0
    if known:
        # From px of the map to px of the network's input, then A V A' to the frame.
        vxx, vxy, vyy = work[2] * across * across, work[3] * across * down, work[4] * down * down
        xx = a * a * vxx + 2.0 * a * b * vxy + b * b * vyy
        xy = a * d * vxx + (a * e + b * d) * vxy + b * e * vyy
        yy = d * d * vxx + 2.0 * d * e * vxy + e * e * vyy
        row[5], row[6], row[7] = xx, xy, yy
        total = xx + yy
        # The weaker a peak the wider its error, but not without end: SURE is the least height that counts.
        row[8] = m.scatter * sqrt(0.5 * total) / max(min(value, 1.0), SURE)
        row[9] = (xx - yy) / total if total > 0.0 else 0.0
        row[10], row[11] = 0.5 * (xx - yy), xy
    return 0


@loop
def chosen(maps: F32, begin: int, m: Maps, c: int, tops_: I64, many: int, taken: I64) -> int:
    """The highest maxima of a channel, none nearer to a higher one than the separation; their pixels into `taken`.
    Returns how many there would be; `instances` of them are kept. Maxima that are used up become -1."""
    # Greedy non-maximum suppression: the highest left, then all of its channel that are nearer than the separation go.
    count, near, best = 0, m.separation * m.separation, 0
    while best >= 0:
        best, high = -1, LOWEST
        for k in range(many):
            if tops_[k] >= 0 and tops_[k] % m.channels == c and float(maps[begin + tops_[k]]) > high:
                best, high = k, float(maps[begin + tops_[k]])
        if best >= 0:
            p = tops_[best] // m.channels
            if count < m.instances:
                taken[count] = p
            count += 1
            for k in range(many):
                if tops_[k] >= 0 and tops_[k] % m.channels == c:
                    q = tops_[k] // m.channels
                    dx, dy = float(q % m.width - p % m.width), float(q // m.width - p // m.width)
                    # `k == best` on its own: with a separation of 0 the distance to itself is not less.
                    if k == best or dx * dx + dy * dy < near:
                        tops_[k] = -1
    return count


@struct
class PeakRows(Struct):
    """Room for the rows of peaks."""

    rows: F64  # FEATURE of each
    point: I64
    instance: I64
    ends: I64  # of each frame, behind its last row
    overflow: I64  # of each frame, how many peaks were left out


@loop
def heatmap_loop(maps: F32, offsets: F32, m: Maps, placed: F64, room: int, work: F64, taken: I64,
                 out: PeakRows) -> int:  # fmt: skip
    """Rows of FEATURE of all frames one behind the other; returns how many.

    Args:
        placed: PARTS numbers a frame.
        room: maxima of a frame that are looked at.
        work: 16 numbers, and 18 a channel.
        taken: `instances` numbers, and `room`.
    """
    size = m.height * m.width * m.channels
    value, place = at(work, 16), at(work, 16 + m.channels)
    best, seats = at(work, 16 + 2 * m.channels), at(work, 16 + 10 * m.channels)
    made = 0
    for n in range(m.frames):
        out.overflow[n] = 0
        frame = at(placed, PARTS * n)
        begin = size * n
        # NaN: the crop is not there in this frame, so that there are no peaks.
        if frame[0] == frame[0]:
            # One a channel: its largest number, without a list of maxima.
            if m.instances == 1:
                largest(maps, begin, m.height * m.width, m.channels, value, place, best, seats)
                for c in range(m.channels):
                    if place[c] >= 0.0 and value[c] > m.threshold:
                        measured(maps, begin, offsets, m, c, int(place[c]), frame, work, at(out.rows, COLUMNS * made))
                        out.point[made], out.instance[made] = c, 0
                        made += 1
            else:
                tops_ = at(taken, m.instances)
                many = tops(maps, begin, m, room, tops_)
                out.overflow[n] = max(many - room, 0)
                for c in range(m.channels):
                    count = chosen(maps, begin, m, c, tops_, min(many, room), taken)
                    out.overflow[n] = out.overflow[n] + max(count - m.instances, 0)
                    for k in range(min(count, m.instances)):
                        measured(maps, begin, offsets, m, c, taken[k], frame, work, at(out.rows, COLUMNS * made))
                        out.point[made], out.instance[made] = c, k
                        made += 1
        out.ends[n] = made
    return made
