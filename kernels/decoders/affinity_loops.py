"""Peaks of heat maps put together to animals by part affinity fields, as a loop."""

from __future__ import annotations

from kernels.decoders.heatmap_loops import CORNER, MIDDLE
from kernels.ir.placement import PARTS
from kernels.loops.language import F32, F64, I64, at, loop, sqrt
from kernels.loops.records import record
from kernels.loops.structs import Struct, struct


@record
class Fields:
    """A batch of part affinity fields and how they are read."""

    frames: int
    height: int
    width: int
    edges: int
    points: int  # of an animal
    samples: int  # along an edge
    animals: int  # at most
    fewest: int  # points of an animal
    pixels: int  # where pixels of a map lie: HALF_PIXEL, CORNER, MIDDLE
    threshold: float
    longest: float  # edge without a malus, of the longer side of what the network gets
    stride: float  # px of what the network gets that a pixel covers; 0: as the placement's size says


@loop
def in_map(value: float, stride: float, pixels: int) -> float:
    """Which pixel of a map lies at a place of what the network gets, px: what `seated` turns round."""
    if pixels == CORNER:
        return float(value / stride)
    if pixels == MIDDLE:
        return float(value / stride - 0.5)
    return float((value + 0.5) / stride - 0.5)


@loop
def between(maps: F32, begin: int, m: Fields, channel: int, x: float, y: float) -> float:
    """A channel of a map between pixels (bilinear); beyond the edge it is as at the edge."""
    # Clamped to the map: what lies beyond is as at the edge.
    u, v = min(max(x, 0.0), float(m.width - 1)), min(max(y, 0.0), float(m.height - 1))
    # The last cell serves its right edge, too (p = 1), so that the neighbour exists; a map of one column has none.
    i, j = min(int(u), max(m.width - 2, 0)), min(int(v), max(m.height - 2, 0))
    p, q = u - float(i), v - float(j)
    step = 2 * m.edges
    here = begin + (j * m.width + i) * step + channel
    # With no neighbour the pixel itself stands in: its weight does not matter then.
    right = step if i + 1 < m.width else 0
    below = step * m.width if j + 1 < m.height else 0
    upper = float(maps[here]) * (1.0 - p) + float(maps[here + right]) * p
    lower = float(maps[here + below]) * (1.0 - p) + float(maps[here + below + right]) * p
    return float(upper * (1.0 - q) + lower * q)


@loop
def affinity(maps: F32, begin: int, m: Fields, edge: int, line: F64) -> float:
    """The mean of a field along a line, in the line's direction, less what the line is too long.

    Args:
        line: x, y of its ends, px of what the network gets; px of that a pixel of the map along x and y; the length
            without a malus, px.
    """
    dx, dy = line[2] - line[0], line[3] - line[1]
    length = sqrt(dx * dx + dy * dy)
    # Two peaks at one place have no direction.
    if not length > 0.0:
        return 0.0
    dx, dy, total = dx / length, dy / length, 0.0
    # The line integral of the field (Cao et al., OpenPose), by samples at even distances, both ends included.
    for k in range(m.samples):
        part = float(k) / float(m.samples - 1)
        x = in_map(line[0] + part * (line[2] - line[0]), line[4], m.pixels)
        y = in_map(line[1] + part * (line[3] - line[1]), line[5], m.pixels)
        total += between(maps, begin, m, 2 * edge, x, y) * dx + between(maps, begin, m, 2 * edge + 1, x, y) * dy
    # A malus for edges longer than `longest`: longest / length - 1, never a bonus.
    return float(total / float(m.samples) + min(line[6] / length - 1.0, 0.0))


@struct
class Peaks(Struct):
    """Peaks of heat maps."""

    x: F64  # px of the frame, or of what the network gets
    y: F64
    score: F64
    point: I64
    instance: I64  # its animal


@struct
class Pairs(Struct):
    """Two peaks that an edge may join."""

    score: F64
    pair: I64  # the two


@loop
def candidates(maps: F32, begin: int, m: Fields, ends: I64, placed: F64, of: Peaks, rows: int, found_: Pairs,
               line: F64) -> int:  # fmt: skip
    """Affinities of all pairs of peaks that an edge may join and that are above the threshold; how many there are.

    Args:
        ends: the two points of each edge.
        placed: PARTS numbers.
        of: the frame's `rows` peaks, px of what the network gets.
        line: room for seven numbers.
    """
    across = m.stride if m.stride > 0.0 else placed[6] / float(m.width)
    down = m.stride if m.stride > 0.0 else placed[7] / float(m.height)
    if not (across > 0.0 and down > 0.0):
        across, down = 1.0, 1.0
    line[4], line[5] = across, down
    # The length without a malus, px of the input, of the longer side of the map.
    line[6] = m.longest * max(across * float(m.width), down * float(m.height))
    found = 0
    for e in range(m.edges):
        for i in range(rows):
            if of.point[i] == ends[2 * e]:
                for j in range(rows):
                    if of.point[j] == ends[2 * e + 1]:
                        line[0], line[1], line[2], line[3] = of.x[i], of.y[i], of.x[j], of.y[j]
                        places, value = of.x[i] + of.y[i] + of.x[j] + of.y[j], m.threshold
                        # A peak that is no number stays at the threshold, thus no candidate.
                        if places - places == 0.0:  # all finite
                            value = affinity(maps, begin, m, e, line)
                        if value > m.threshold:
                            found_.score[found], found_.pair[2 * found], found_.pair[2 * found + 1] = value, i, j
                            found += 1
    return found


@loop
def joined(m: Fields, score: F64, pair: I64, count: int, point: I64, rows: int, animal: I64, has: I64) -> int:
    """Peaks joined to animals, the pairs of the highest affinity first; none gets a point twice.

    Args:
        animal: the first peak of each peak's animal.
        has: a number a peak and point: which peak of the animal that begins there is that point, -1 for none.
    """
    for i in range(rows):
        animal[i] = i
        for c in range(m.points):
            has[i * m.points + c] = -1
        has[i * m.points + point[i]] = i
    # Greedy matching by falling affinity, as in OpenPose; `>` lets the first of equal ones go ahead.
    best = 0
    while best >= 0:
        best, high = -1, m.threshold
        for k in range(count):
            if score[k] > high:
                best, high = k, score[k]
        if best >= 0:
            a, b = animal[pair[2 * best]], animal[pair[2 * best + 1]]
            # Used up: it is not above the threshold any more.
            score[best] = m.threshold
            free = 1 if a != b else 0
            # Two animals that both have some point cannot be one.
            for c in range(m.points):
                if has[a * m.points + c] >= 0 and has[b * m.points + c] >= 0:
                    free = 0
            if free:
                # The second animal's points go over to the first.
                for c in range(m.points):
                    one = has[b * m.points + c]
                    if one >= 0:
                        has[a * m.points + c] = one
                        animal[one] = a
    return 0


@loop
def numbered(m: Fields, sure: F64, rows: int, animal: I64, has: I64, instance: I64) -> int:
    """Numbers of the animals, the one with the largest sum of scores first; -1 for peaks of those that have too few
    points, or no room. Returns how many animals had none.

    Args:
        sure: the score of each peak.
        animal, has: as `joined` left them; has is used up.
    """
    for i in range(rows):
        instance[i] = -1
    made, best = 0, 0
    while best >= 0:
        best, high = -1, -1.0
        for i in range(rows):
            # Roots of animals alone; -2 marks those that have their number.
            if animal[i] == i and has[i * m.points] > -2:
                total, known = 0.0, 0
                for c in range(m.points):
                    one = has[i * m.points + c]
                    if one >= 0:
                        total, known = total + max(sure[one], 0.0), known + 1
                if known >= m.fewest and total > high:
                    best, high = i, total
        if best >= 0:
            # Animals beyond the room are counted, but their peaks stay at -1.
            for c in range(m.points):
                one = has[best * m.points + c]
                if one >= 0 and made < m.animals:
                    instance[one] = made
            has[best * m.points] = -2
            made += 1
    return max(made - m.animals, 0)


@loop
def affinity_loop(maps: F32, m: Fields, ends: I64, placed: F64, of: Peaks, until: I64, room: Pairs, work: I64,
                  overflow: I64) -> int:  # fmt: skip
    """The animal of each peak of all frames, from 0 in each; -1: of none.

    Args:
        ends: the two points of each edge.
        placed: PARTS numbers a frame.
        of: of all frames, px of the frame; become px of what the network gets.
        until: behind the last peak of each frame.
        room: for the candidates of a frame, and seven numbers more in `score`.
        work: for each peak of a frame a number, and one a point.
        overflow: of each frame.
    """
    first = 0
    for n in range(m.frames):
        frame, rows = at(placed, PARTS * n), until[n] - first
        # The placement turned round: from px of the frame back to px of the network's input.
        det = frame[0] * frame[4] - frame[1] * frame[3]
        for i in range(first, until[n]):
            x, y = of.x[i] - frame[2], of.y[i] - frame[5]
            of.x[i], of.y[i] = (frame[4] * x - frame[1] * y) / det, (frame[0] * y - frame[3] * x) / det
        begin = n * m.height * m.width * 2 * m.edges
        own = Peaks(at(of.x, first), at(of.y, first), at(of.score, first), at(of.point, first), at(of.instance, first))
        # The first seven numbers of `score` serve as `line`.
        pairs = Pairs(at(room.score, 7), room.pair)
        count = candidates(maps, begin, m, ends, frame, own, rows, pairs, room.score)
        has = at(work, rows)
        joined(m, pairs.score, pairs.pair, count, own.point, rows, work, has)
        overflow[n] = numbered(m, own.score, rows, work, has, own.instance)
        first = until[n]
    return 0
