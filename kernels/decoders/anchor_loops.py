"""Boxes and key points of single-shot detectors (SSD), of all frames of a batch, as loops.

Decoding with anchors of one size and non-maximum suppression by weight: Bazarevsky et al., BlazeFace: Sub-millisecond
neural face detection on mobile GPUs (arXiv:1907.05047, 2019), section 3.3.
"""

from __future__ import annotations

from kernels.decoders.point_row_loops import point_row, sigmoids, uncertain
from kernels.ir.placement import PARTS
from kernels.ir.table import COLUMNS, GRAYS
from kernels.loops.language import F32, F64, I64, at, clear_lowest_bit, ctz, load, loop, mask, sqrt
from kernels.loops.records import record
from kernels.loops.structs import Struct, struct

BOX_COLUMNS = 5
BOX_NUMBERS = 4  # of a box, x, y, width and height, before its key points


@record
class Heads:
    """What a detector gives for each anchor and which of it is wanted."""

    frames: int
    anchors: int
    numbers: int  # of an anchor
    first: int  # where in them the box begins
    score_step: int  # from one anchor's score to the next one's, and where the first is
    score_first: int
    points: int
    capacity: int  # things of a frame
    room: int  # anchors of a frame above the threshold
    logits: int  # whether scores are logits
    least: float  # score, as it is given
    overlap: float  # intersection over union from which on boxes are one thing
    scale: float  # numbers of a box a width of the network's input; 0: px
    width: float  # of the network's input, px, where no placement says
    height: float
    nothing: float  # NaN


@loop
def candidates(scores: F32, begin: int, h: Heads, found: I64) -> int:
    """Anchors whose score is above the threshold, rising; returns how many, of which `room` are kept."""
    many, k = 0, 0
    # Scores that lie side by side are compared eight at a time; the rest, and those apart, one by one.
    if h.score_step == 1:
        while k + 8 <= h.anchors:
            word = mask(load(scores, begin + k) > h.least)
            while word != 0:
                if many < h.room:
                    found[many] = k + ctz(word)
                many += 1
                word = clear_lowest_bit(word)
            k += 8
    while k < h.anchors:
        if float(scores[begin + h.score_first + k * h.score_step]) > h.least:
            if many < h.room:
                found[many] = k
            many += 1
        k += 1
    return many


@loop
def decoded(boxes: F32, begin: int, anchor: F64, h: Heads, width: float, height: float, out: F64) -> int:
    """A box and its key points, px of the network's input, centres of pixels at whole numbers: x, y, width, height and
    x, y of each point. Returns 1; 0 where a number is not finite, or width or height are not above 0."""
    across, down = 1.0, 1.0
    if h.scale > 0.0:
        across, down = width / h.scale, height / h.scale
    # Anchors are shares of the input's size; -0.5 since centres of pixels are at whole numbers.
    cx, cy = anchor[0] * width - 0.5, anchor[1] * height - 0.5
    out[2], out[3] = float(boxes[begin + 2]) * across, float(boxes[begin + 3]) * down
    out[0], out[1] = float(boxes[begin]) * across + cx, float(boxes[begin + 1]) * down + cy
    # One sum tells whether any number is NaN or infinite.
    total = out[0] + out[1] + out[2] + out[3]
    for k in range(h.points):
        i = BOX_NUMBERS + 2 * k
        out[i], out[i + 1] = float(boxes[begin + i]) * across + cx, float(boxes[begin + i + 1]) * down + cy
        total += out[i] + out[i + 1]
    return 1 if total - total == 0.0 and out[2] > 0.0 and out[3] > 0.0 else 0


@loop
def overlap_of(a: F64, b: F64) -> float:
    """Intersection over union of two boxes."""
    w = min(a[0] + 0.5 * a[2], b[0] + 0.5 * b[2]) - max(a[0] - 0.5 * a[2], b[0] - 0.5 * b[2])
    e = min(a[1] + 0.5 * a[3], b[1] + 0.5 * b[3]) - max(a[1] - 0.5 * a[3], b[1] - 0.5 * b[3])
    if w <= 0.0 or e <= 0.0:
        return 0.0
    # Union by inclusion and exclusion; both boxes have an area (`decoded` sees to that), so that it is not 0.
    both = w * e
    return float(both / (a[2] * a[3] + b[2] * b[3] - both))


@loop
def is_one(first: int, i: int, h: Heads, things: F64, used: I64) -> int:
    """1 if box i is one thing with box `first`: not used up, and their intersection over union is above `h.overlap`. A
    box is always one with itself."""
    size = BOX_NUMBERS + 2 * h.points
    # `i == first`: the overlap with itself, 1, is not above a threshold of 1.
    near = used[i] == 0 and overlap_of(at(things, first * size), at(things, i * size)) > h.overlap
    return 1 if near or i == first else 0


@loop
def mean_of(k: int, count: int, total: float, h: Heads, scores: F64, things: F64, members: I64) -> float:
    """Number k (of x, y, width, height, points) of a thing: the mean of its `count` boxes, weighted by their scores.

    `total`: the sum of these scores."""
    size, found = BOX_NUMBERS + 2 * h.points, 0.0
    for j in range(count):
        i = members[j]
        found += scores[i] * things[i * size + k]
    # Of one box alone its own numbers: weighted and divided they would be rounded.
    return float(found / total if count > 1 else things[members[0] * size + k])


@loop
def spread_of(k: int, count: int, total: float, h: Heads, scores: F64, things: F64, members: I64, mean: F64,
              spread: F64) -> int:  # fmt: skip
    """The covariance of the middles of the boxes that are one thing (k = 0), or of one of their points, xx, xy, yy; 0,
    exactly, of one alone."""
    size = BOX_NUMBERS + 2 * h.points
    place = 2 * k + 2 if k > 0 else 0  # width and height lie between the middle and the points
    xx, xy, yy = 0.0, 0.0, 0.0
    for j in range(count):
        i = members[j]
        dx, dy = things[i * size + place] - mean[place], things[i * size + place + 1] - mean[place + 1]
        xx += scores[i] * dx * dx
        xy += scores[i] * dx * dy
        yy += scores[i] * dy * dy
    spread[3 * k], spread[3 * k + 1], spread[3 * k + 2] = xx / total, xy / total, yy / total
    return 0


@loop
def merged(first: int, count: int, h: Heads, scores: F64, things: F64, used: I64, members: I64, out: F64,
           spread: F64) -> int:  # fmt: skip
    """The mean of all boxes that overlap one, weighted by their scores; those are used up then, their numbers in
    `members`. spread: the covariance of their middles and of each of their points."""
    # All that overlap the surest box are one thing: their mean replaces them, in place of the surest alone.
    total, many = 0.0, 0
    for i in range(count):
        if is_one(first, i, h, things, used):
            used[i], members[many] = 1, i
            many += 1
            total += scores[i]
    for k in range(BOX_NUMBERS + 2 * h.points):
        out[k] = mean_of(k, many, total, h, scores, things, members)
    for k in range(h.points + 1):
        spread_of(k, many, total, h, scores, things, members, out, spread)
    return 0


@loop
def thing_row(thing: F64, score: float, placed: F64, nothing: float, row: F64, box: F64) -> int:
    """A row of FEATURE and one of BOX, in px of the frame."""
    a, b, d, e = placed[0], placed[1], placed[3], placed[4]
    x, y, w, h = thing[0], thing[1], thing[2], thing[3]
    row[0], row[1] = a * x + b * y + placed[2], d * x + e * y + placed[5]
    row[2], row[3], row[4] = score, score, w * h * abs(a * e - b * d)
    # Second moments of an even rectangle: side^2 / 12; A V A' takes them to the frame.
    vx, vy = w * w / 12.0, h * h / 12.0
    row[5], row[6], row[7] = a * a * vx + b * b * vy, a * d * vx + b * e * vy, d * d * vx + e * e * vy
    row[8], row[9] = nothing, 0.0
    row[10], row[11] = 0.5 * (row[5] - row[7]), row[6]
    for k in range(GRAYS, COLUMNS):
        row[k] = nothing
    box[0], box[1], box[4] = row[0], row[1], score
    # Lengths of the box's sides in the frame: the columns of the placement's matrix.
    box[2], box[3] = w * sqrt(a * a + d * d), h * sqrt(b * b + e * e)
    return 0


@loop
def mark_row(k: int, thing: F64, spread: F64, score: float, placed: F64, nothing: float, row: F64) -> int:
    """A row of FEATURE of key point k of a thing."""
    i, c = BOX_NUMBERS + 2 * k, 3 * k + 3
    point_row(thing[i], thing[i + 1], score, placed, nothing, row)
    uncertain(spread[c], spread[c + 1], spread[c + 2], placed, row)
    return 0


@struct
class BoxRows(Struct):
    """Room for the rows of things."""

    rows: F64  # FEATURE of each
    boxes: F64  # BOX of each
    points: F64  # FEATURE of each of its points
    ends: I64  # of each frame, behind its last thing
    overflow: I64  # of each frame, how many things and anchors found no room


@struct
class AnchorWork(Struct):
    """Memory of a frame."""

    found: I64  # two numbers for each of `room`
    floats: F64  # two numbers for each of `room` and eight, then a thing for each and three more


@loop
def anchor_loop(boxes: F32, scores: F32, anchors: F64, h: Heads, placed: F64, room: AnchorWork, out: BoxRows) -> int:
    """Rows of FEATURE, of BOX, and of FEATURE for the points of each, of all frames; returns how many things.

    Args:
        anchors: x, y of the middle of each, of the network's width and height.
        placed: PARTS numbers a frame.
    """
    size, made = BOX_NUMBERS + 2 * h.points, 0
    for n in range(h.frames):
        out.overflow[n] = 0
        frame = at(placed, PARTS * n)
        if frame[0] == frame[0]:
            width, height = h.width if h.width > 0.0 else frame[6], h.height if h.height > 0.0 else frame[7]
            begin = n * h.anchors
            many = candidates(scores, begin * h.score_step, h, room.found)
            out.overflow[n] = max(many - h.room, 0)
            used, sure, spare = at(room.found, h.room), at(room.floats, 0), at(room.floats, h.room + 8)
            # Behind scores and their spare memory: `room` things, then a mean and a spread.
            things = at(room.floats, 2 * (h.room + 8))
            mean = at(things, size * h.room)
            spread = at(mean, size)
            above, many = min(many, h.room), 0
            # Compacted in place: what cannot be decoded is overwritten by the next one.
            for i in range(above):
                k = room.found[i]
                used[many] = 0
                sure[many] = float(scores[(begin + k) * h.score_step + h.score_first])
                # Infinite scores would spoil weighted means; logits become finite by the sigmoid.
                known = 1 if h.logits > 0 or sure[many] - sure[many] == 0.0 else 0
                first = (begin + k) * h.numbers + h.first
                many += known & decoded(boxes, first, at(anchors, 2 * k), h, width, height, at(things, size * many))
            # One call for all: the sigmoid is computed eight at a time.
            if h.logits:
                sigmoids(sure, many, spare)
            kept, best = 0, 0
            # Surest first; `>` lets the first of equal scores go ahead.
            while best >= 0:
                best = -1
                for i in range(many):
                    if used[i] == 0 and (best < 0 or sure[i] > sure[max(best, 0)]):
                        best = i
                if best >= 0:
                    # `found` is used up by now and takes the members' numbers.
                    merged(best, many, h, sure, things, used, room.found, mean, spread)
                    if kept < h.capacity:
                        row = at(out.rows, COLUMNS * made)
                        thing_row(mean, sure[best], frame, h.nothing, row, at(out.boxes, BOX_COLUMNS * made))
                        uncertain(spread[0], spread[1], spread[2], frame, row)
                        for k in range(h.points):
                            mark = at(out.points, COLUMNS * (made * h.points + k))
                            mark_row(k, mean, spread, sure[best], frame, h.nothing, mark)
                        made += 1
                        kept += 1
                    else:
                        out.overflow[n] = out.overflow[n] + 1
        out.ends[n] = made
    return made
