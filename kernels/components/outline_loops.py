"""Centres of regions by their outlines, as loops: of what the convex hull encloses, and of a least-squares ellipse.

What lies within an outline has no say here: a reflection in a pupil, a pattern on a ball, a hole. What cuts into it has
none either: of the outermost pixels of each row and column those count that the convex hull of the region touches
(Andrew, Information Processing Letters 9(5), 216, 1979), and of them those whose outline runs across the row or column.
Each is moved along it to where the light is halfway between the thing's (the median of the outline's inner side) and
the plane of the ground around it, between two pixels by linear interpolation of means of three pixels.

The ellipse minimises the squares of the points' distances, to first order (Sampson, Computer Graphics and Image
Processing 18, 97, 1982), by Gauss and Newton's method from the ellipse of the hull's own moments, with Tukey's biweight
(Beaton, Tukey, Technometrics 16, 147, 1974) for the points that something else has moved; where a part of the outline
is that of a lid, from an ellipse of the other points (`ellipse_of`).

The variance of a centre is that of the sum of what each point gives to it: its own error, and that of the light around
it, which tilts the plane and so the level. Points beside each other err alike where the ground has a texture or the
picture is smoothed: the sum is that of Newey and West (Econometrica 55, 703, 1987). Errors of
points are what they lack to the ellipse; a shape of any kind leaves nothing of that sort, and theirs are what the light
on both sides of the outline differs from its levels, by how steeply it falls between them.
"""

from __future__ import annotations

from kernels.ir.table import COLUMNS
from kernels.loops.language import F64, I32, I64, PIXELS, at, loop, sqrt
from kernels.loops.logarithm import log
from kernels.loops.records import Record, record
from kernels.loops.structs import Struct, struct
from kernels.regions.noise_correlation_loops import alikeness, bandwidth, long_run, turn_key

SHAPE, ELLIPSE = 1, 2  # ways of a centre; 0 is light
REACH = 3  # px from the mask's outline to either side within which the light passes half of its height
BESIDE = 1.0  # px within the convex hull that a pixel of the outline of a digitised convex thing may lie (Kim, IEEE
# Trans. PAMI 4, 149, 1982: such pixels lie less than one from the hull)
FEWEST = 12  # points of an outline: five numbers of an ellipse, and what tells their errors
TURNS = 10  # of Gauss and Newton
NEAR = 0.01  # standard errors, the step after which there is no other (Bates, Watts, Technometrics 23, 179, 1981)
ENOUGH = 30  # points of an outline, of which a third can be left out
DOUBTED = 1.0  # px beyond which points have no say: where it is more, their median distance is more than .14 px
STARTS = 12  # of fits without a third of the points, evenly around
HELD = 4  # turns that these are left out
BIWEIGHT = 4.685  # robust standard deviations: 95 % of the efficiency of least squares
NORMAL = 1.4826  # standard deviations of a normal that its median absolute deviation is
FAR = 3.0  # robust standard deviations beyond which a pixel around the outline is none of the ground
LEAST = 1e-3  # px, of what a robust standard deviation is at least
LARGEST = 1.5  # times the box of a region that an ellipse around it is at most
TAKEN_ALONG = 0.12  # px^2, variance along an edge of a mean of three pixels along rows or columns, of edges in all
# directions up to 45 degrees from across them: 2/3 (1/2 - 1/pi)
STEEPEST = 0.9999  # share of the contrast by which the light falls in three pixels: all of it, but for rounding
UNIFORM = 1.0 / 12.0  # px^2, variance of an outline's place within a pixel
NONE = 1 << 60


@record
class Picture(Record):
    """The frames and how to read them."""

    height: int
    width: int
    pitch: int  # of the canvas
    sign: float  # of light
    light: int  # whether there are gray values
    way: int  # of a centre: SHAPE or ELLIPSE


@record
class Boxes(Record):
    """One row a region."""

    frame: I64
    left: I64
    right: I64
    top: I64
    bottom: I64
    begin: I64  # of its rows and then columns in Extremes


@record
class Extremes(Record):
    """The outermost pixels of the rows and columns of a region."""

    low: I64
    high: I64


@record
class Chain(Record):
    """How far the outermost pixels of rows, or of columns, lie within the convex hull, px, and its slope there."""

    stack: I64
    low: F64
    low_slope: F64
    high: F64
    high_slope: F64


@record
class Points(Record):
    """Points of an outline, in the end in the order of their directions from the middle."""

    x: F64  # px
    y: F64
    along: F64  # 1: it was moved along x, 0: along y
    fall: F64  # of the light there, 1/px
    inside: F64  # light, from the level of the thing
    outside: F64  # from the plane of the ground
    used: F64  # 1: it has a say in that plane
    away_x: F64  # px, where `outside` is, from the middle of all
    away_y: F64
    edge: I64  # index of the outermost pixel in the frames
    step: I64  # from there outwards
    inward: I64  # pixels of the region behind it
    outward: I64  # pixels of the picture before it
    key: F64  # rises with the direction from the middle
    order: I64
    spare: I64
    residual: F64  # px
    weight: F64
    normal_x: F64  # of the outline
    normal_y: F64
    give_x: F64  # what an error of the point along the normal gives to the centre, px/px
    give_y: F64
    one_x: F64  # what it gave, px
    one_y: F64
    work: F64


@record
class Fit(Record):
    """What an outline tells."""

    x: float  # px
    y: float
    area: float
    xx: float  # px^2
    xy: float
    yy: float
    vx: float  # px^2, variances of the centre
    vy: float
    level: float  # light at the origin halfway up, and its slopes
    contrast: float  # of the thing and the ground there
    slope_x: float
    slope_y: float
    ixx: float  # inverse of the second moments of the places where the ground was looked at, 1/px^2
    ixy: float
    iyy: float


@struct
class Mask(Struct):
    """The regions' pixels."""

    core: I64  # flat indices in a canvas, rising
    labels: I64  # the region of each
    count: int


@struct
class Outlines(Struct):
    """Memory of a region's outline."""

    extremes: Extremes
    chain: Chain
    points: Points
    fit: Fit
    work: F64  # 80 numbers


@loop
def boxes_loop(core: I64, labels: I64, count: int, p: Picture, b: Boxes, regions: int) -> int:
    """The boxes of regions and where their extremes begin; returns how many of these there are."""
    area = p.pitch * (p.height + 2)
    # Empty boxes: the first pixel of each sets all four sides.
    for i in range(regions):
        b.left[i], b.right[i], b.top[i], b.bottom[i] = NONE, -1, NONE, -1
    for n in range(count):
        i, frame = labels[n], core[n] // area
        rest = core[n] - frame * area
        # The canvas has one pixel of border on every side, so that y and x are one too large.
        y = rest // p.pitch
        x = rest - y * p.pitch
        b.frame[i] = frame
        b.left[i], b.right[i] = min(b.left[i], x - 1), max(b.right[i], x - 1)
        b.top[i], b.bottom[i] = min(b.top[i], y - 1), max(b.bottom[i], y - 1)
    total = 0
    # Of each region first its rows, then its columns.
    for i in range(regions):
        b.begin[i] = total
        total += b.right[i] - b.left[i] + b.bottom[i] - b.top[i] + 2
    return total


@loop
def extremes_loop(core: I64, labels: I64, count: int, p: Picture, b: Boxes, e: Extremes, total: int) -> int:
    """The outermost pixels of each row (columns of the picture) and of each column (rows) of all regions."""
    area = p.pitch * (p.height + 2)
    for k in range(total):
        e.low[k], e.high[k] = NONE, -1
    for n in range(count):
        i = labels[n]
        rest = core[n] - b.frame[i] * area
        y = rest // p.pitch
        x = rest - y * p.pitch - 1
        y -= 1
        row = b.begin[i] + y - b.top[i]
        # A region's columns stand behind all of its rows.
        column = b.begin[i] + b.bottom[i] - b.top[i] + 1 + x - b.left[i]
        e.low[row], e.high[row] = min(e.low[row], x), max(e.high[row], x)
        e.low[column], e.high[column] = min(e.low[column], y), max(e.high[column], y)
    return 0


@loop
def chain_loop(e: Extremes, begin: int, many: int, high: int, stack: I64, gap: F64, slope: F64) -> int:
    """One side of the convex hull of rows or columns: how far within it each one's outermost pixel lies."""
    # Andrew's monotone chain. The other side is the same hull of negated places.
    top = 0
    for k in range(many):
        if e.low[begin + k] <= e.high[begin + k]:
            v = -e.high[begin + k] if high else e.low[begin + k]
            going = 1
            while top >= 2 and going:
                a, b = stack[top - 2], stack[top - 1]
                va = -e.high[begin + a] if high else e.low[begin + a]
                vb = -e.high[begin + b] if high else e.low[begin + b]
                # b lies on or outside the line from a to here: it is no corner of the hull.
                if (b - a) * (v - va) <= (vb - va) * (k - a):
                    top -= 1
                else:
                    going = 0
            stack[top] = k
            top += 1
    # Both lists rise: one walk along the hull's corners serves all rows.
    at_ = 0
    for k in range(many):
        gap[k], slope[k] = 1e300, 0.0
        while at_ + 2 < top and stack[at_ + 1] < k:
            at_ += 1
        if e.low[begin + k] <= e.high[begin + k]:
            a, b = stack[at_], stack[min(at_ + 1, top - 1)]
            here = float(-e.high[begin + k] if high else e.low[begin + k])
            from_ = float(-e.high[begin + a] if high else e.low[begin + a])
            to = float(-e.high[begin + b] if high else e.low[begin + b])
            steep = (to - from_) / float(max(b - a, 1))
            gap[k], slope[k] = here - (from_ + steep * float(k - a)), steep
    return 0


@loop
def add_point(t: Points, n: int, p: Picture, frame: int, x: int, y: int, dx: int, dy: int, inward: int) -> int:
    """A pixel x, y of the outline, seen outwards along dx, dy, if the outline lies in the picture; returns how many
    points there are then."""
    outward = x if dx < 0 else p.width - 1 - x
    if dy != 0:
        outward = y if dy < 0 else p.height - 1 - y
    # At the picture's edge the outline may lie beyond: where is not known.
    if outward < 1:
        return n
    t.edge[n] = (frame * p.height + y) * p.width + x
    t.step[n] = dy * p.width + dx
    t.inward[n], t.outward[n] = inward, outward
    t.x[n], t.y[n] = float(x) + 0.5 * float(dx), float(y) + 0.5 * float(dy)
    # Outwards, as a unit vector, until `levels_of` makes it the place where the ground is looked at.
    t.away_x[n], t.away_y[n], t.along[n] = float(dx), float(dy), float(dx * dx)
    return n + 1


@loop
def points_loop(flat: I32, b: Boxes, i: int, p: Picture, e: Extremes, c: Chain, t: Points) -> int:
    """The pixels of the convex outline of region i, as points at their outer sides; returns how many there are. Where
    another region lies beside it (`flat`), or the picture ends, is none of its outline."""
    n, begin = 0, b.begin[i]
    rows, columns = b.bottom[i] - b.top[i] + 1, b.right[i] - b.left[i] + 1
    canvas = b.frame[i] * p.pitch * (p.height + 2) + p.pitch + 1
    chain_loop(e, begin, rows, 0, c.stack, c.low, c.low_slope)
    chain_loop(e, begin, rows, 1, c.stack, c.high, c.high_slope)
    for k in range(rows):
        y, wide = b.top[i] + k, e.high[begin + k] - e.low[begin + k]
        # Flatter than 45 degrees from across: a row's outermost pixel then tells a place to a fraction of a pixel.
        if c.low[k] <= BESIDE and abs(c.low_slope[k]) <= 1.0:
            x = e.low[begin + k]
            # Free ground on the other side; another region there hides the outline.
            if flat[canvas + y * p.pitch + x - 1] <= 0:
                n = add_point(t, n, p, b.frame[i], x, y, -1, 0, wide)
        if c.high[k] <= BESIDE and abs(c.high_slope[k]) <= 1.0:
            x = e.high[begin + k]
            if flat[canvas + y * p.pitch + x + 1] <= 0:
                n = add_point(t, n, p, b.frame[i], x, y, 1, 0, wide)
    begin += rows
    chain_loop(e, begin, columns, 0, c.stack, c.low, c.low_slope)
    chain_loop(e, begin, columns, 1, c.stack, c.high, c.high_slope)
    for k in range(columns):
        x, wide = b.left[i] + k, e.high[begin + k] - e.low[begin + k]
        # A slope of exactly one is the rows' alone, so that no point of a diagonal counts twice.
        if c.low[k] <= BESIDE and abs(c.low_slope[k]) < 1.0:
            y = e.low[begin + k]
            if flat[canvas + (y - 1) * p.pitch + x] <= 0:
                n = add_point(t, n, p, b.frame[i], x, y, 0, -1, wide)
        if c.high[k] <= BESIDE and abs(c.high_slope[k]) < 1.0:
            y = e.high[begin + k]
            if flat[canvas + (y + 1) * p.pitch + x] <= 0:
                n = add_point(t, n, p, b.frame[i], x, y, 0, 1, wide)
    return n


@loop
def sort_loop(values: F64, count: int) -> int:
    """Rising, in place (Shell, CACM 2, 30, 1959; gaps of Knuth)."""
    gap = 1
    while 3 * gap + 1 < count:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, count):
            v, place, going = values[k], k, 1
            while place >= gap and going:
                if values[place - gap] > v:
                    values[place] = values[place - gap]
                    place -= gap
                else:
                    going = 0
            values[place] = v
        gap = gap // 3
    return 0


@loop
def median_loop(values: F64, count: int) -> float:
    """The median of at least one number, which are sorted in place."""
    sort_loop(values, count)
    return float(0.5 * (values[(count - 1) // 2] + values[count // 2]))


@loop
def light_at(image: PIXELS, place: int, p: Picture) -> float:
    """Light of a pixel."""
    return float(float(image[place]) * p.sign)


@loop
def levels_of(image: PIXELS, p: Picture, t: Points, n: int, f: Fit) -> int:
    """The light halfway up the outline: median of its inner side and least-squares plane of its outer side, of pixels
    within FAR robust standard deviations of their median. Both begin REACH px away from the mask's outline, or as far
    as there are pixels. Returns 0 where there is no such height.
    """
    for k in range(n):
        # Not deeper than half of what lies behind, so that the far side's blur is not met; outwards at least a pixel,
        # however near the picture's edge.
        one, depth, away = t.step[k], min(REACH, t.inward[k] // 2), min(REACH, max(t.outward[k] - 1, 1))
        deeper, further = min(depth + 1, t.inward[k]), min(away + 1, t.outward[k])
        a, b = light_at(image, t.edge[k] - depth * one, p), light_at(image, t.edge[k] - deeper * one, p)
        # Two thirds of the nearer pixel and one of the next, whose middle lies a third of a pixel on.
        t.inside[k] = (2.0 * a + b) / 3.0
        a, b = light_at(image, t.edge[k] + away * one, p), light_at(image, t.edge[k] + further * one, p)
        t.outside[k] = (2.0 * a + b) / 3.0
        far_out = float(away) - 0.5 + float(further - away) / 3.0
        t.away_x[k] = t.x[k] + far_out * t.away_x[k] - f.x
        t.away_y[k] = t.y[k] + far_out * t.away_y[k] - f.y
        # v - v is not 0 for NaN and infinities alone.
        if t.inside[k] - t.inside[k] != 0.0 or t.outside[k] - t.outside[k] != 0.0:
            return 0
        t.work[k] = t.inside[k]
    thing = median_loop(t.work, n)
    for k in range(n):
        t.work[k] = t.outside[k]
    ground = median_loop(t.work, n)
    for k in range(n):
        t.work[k] = abs(t.outside[k] - ground)
    # The small share of the contrast keeps pixels of a ground that is perfectly even, whose deviation is 0.
    far = FAR * NORMAL * median_loop(t.work, n) + 1e-6 * abs(thing - ground)
    # Normal equations of the plane; 1e-9 and 1 px^2 keep them solvable without a pixel, or with all in a line.
    a, bx, by, xx, xy, yy, s, sx, sy = 1e-9, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0
    for k in range(n):
        v = t.outside[k] - ground
        if abs(v) <= far:
            dx, dy = t.away_x[k], t.away_y[k]
            a += 1.0
            bx += dx
            by += dy
            xx += dx * dx
            xy += dx * dy
            yy += dy * dy
            s += v
            sx += v * dx
            sy += v * dy
    # Moments about their mean: the plane's height there and its slopes are independent.
    bx, by = bx / a, by / a
    xx, xy, yy = xx - a * bx * bx, xy - a * bx * by, yy - a * by * by
    det = xx * yy - xy * xy
    f.ixx, f.ixy, f.iyy = yy / det, -xy / det, xx / det
    sx, sy = sx - bx * s, sy - by * s
    gx, gy = f.ixx * sx + f.ixy * sy, f.ixy * sx + f.iyy * sy
    level = ground + s / a - bx * gx - by * gy
    # From here on `outside` and `inside` are what is left of both levels, winsorised at `far`.
    for k in range(n):
        t.used[k] = 1.0 if abs(t.outside[k] - ground) <= far else 0.0
        t.outside[k] = min(max(t.outside[k] - (level + gx * t.away_x[k] + gy * t.away_y[k]), -far), far)
        t.inside[k] = t.inside[k] - thing
        t.work[k] = abs(t.inside[k])
        t.away_x[k], t.away_y[k] = t.away_x[k] - bx, t.away_y[k] - by
    far = FAR * NORMAL * median_loop(t.work, n)
    for k in range(n):
        t.inside[k] = min(max(t.inside[k], -far), far)
    f.level, f.slope_x, f.slope_y, f.contrast = 0.5 * (thing + level), 0.5 * gx, 0.5 * gy, thing - level
    return int(thing > ground)


@loop
def crossing(image: PIXELS, p: Picture, edge: int, step: int, inward: int, outward: int, level: float,
             out: F64) -> int:  # fmt: skip
    """How far outwards from a pixel's centre the light sinks below a level, px: the nearest such place to the pixel's
    outer side within REACH, and how much it falls in a pixel there, into `out`; 0 if there is none.

    Of means of three pixels: an edge that runs within a pixel moves them in proportion, which single ones it does not.
    """
    # From the outer side of the pixel to both sides in turn: the nearest crossing wins, an outer one before an inner
    # one.
    for k in range(REACH + 1):
        for side in range(2):
            j = k if side == 0 else -k
            if j + 1 < outward and 1 - j <= inward and (side == 0 or k > 0):
                # Means of three around j and around j + 1, of four pixels.
                a, b = light_at(image, edge + (j - 1) * step, p), light_at(image, edge + (j + 2) * step, p)
                both = light_at(image, edge + j * step, p) + light_at(image, edge + (j + 1) * step, p)
                high, low = (a + both) / 3.0, (both + b) / 3.0
                if high > level and low <= level:
                    out[0], out[1] = float(j) + (high - level) / (high - low), high - low
                    return 1
    return 0


@loop
def refine_points(image: PIXELS, p: Picture, t: Points, n: int, f: Fit, out: F64) -> int:
    """Points where the light passes the level halfway; those where it does not go. Returns how many stay."""
    kept = 0
    for k in range(n):
        level = f.level + f.slope_x * (t.x[k] - f.x) + f.slope_y * (t.y[k] - f.y)
        if crossing(image, p, t.edge[k], t.step[k], t.inward[k], t.outward[k], level, out):
            # From the pixel's outer side, where the point was, and along the axis's sign: steps to the left and up are
            # negative.
            off = out[0] - 0.5 if t.step[k] > 0 else 0.5 - out[0]
            t.x[kept], t.y[kept] = t.x[k] + off * t.along[k], t.y[k] + off * (1.0 - t.along[k])
            t.along[kept], t.fall[kept] = t.along[k], out[1]
            t.inside[kept], t.outside[kept], t.used[kept] = t.inside[k], t.outside[k], t.used[k]
            t.away_x[kept], t.away_y[kept] = t.away_x[k], t.away_y[k]
            kept += 1
    return kept


@loop
def order_points(t: Points, n: int, x: float, y: float) -> int:
    """The points in the order of their directions from x, y."""
    for k in range(n):
        # A key that rises with the angle takes its place: no arctangent.
        t.key[k] = turn_key(t.x[k] - x, t.y[k] - y)
        t.order[k] = k
    # Shell's sort of indices, as in `sort_loop`.
    gap = 1
    while 3 * gap + 1 < n:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, n):
            one, place, going = t.order[k], k, 1
            while place >= gap and going:
                if t.key[t.order[place - gap]] > t.key[one]:
                    t.order[place] = t.order[place - gap]
                    place -= gap
                else:
                    going = 0
            t.order[place] = one
        gap = gap // 3
    permuted(t.x, t, n)
    permuted(t.y, t, n)
    permuted(t.along, t, n)
    permuted(t.away_x, t, n)
    permuted(t.away_y, t, n)
    permuted_whole(t.edge, t, n)
    permuted_whole(t.step, t, n)
    permuted_whole(t.inward, t, n)
    permuted_whole(t.outward, t, n)
    return 0


@loop
def permuted(values: F64, t: Points, n: int) -> int:
    """Numbers of points in the order t.order."""
    for k in range(n):
        t.work[k] = values[t.order[k]]
    for k in range(n):
        values[k] = t.work[k]
    return 0


@loop
def permuted_whole(values: I64, t: Points, n: int) -> int:
    """The same of whole numbers."""
    for k in range(n):
        t.spare[k] = values[t.order[k]]
    for k in range(n):
        values[k] = t.spare[k]
    return 0


@loop
def spread_of(t: Points, n: int, fitted: int, f: Fit) -> int:
    """The variances of the centre, into f, from what each point's error (`residual`, along `normal`) gives to it, by
    itself and through the level that it is measured at.

    Errors that a fit has left (`fitted`) go together with those of the level, of one texture; others are themselves
    what differs from the level, and their variances add up."""
    ax, ay, bx, by = 0.0, 0.0, 0.0, 0.0
    # a and b: what a level that rises with the place gives to the centre's x and y, summed over all points.
    for k in range(n):
        # A level that rises by 1 moves the point inwards by 1 / fall along its row or column.
        side = abs(t.normal_x[k]) if t.along[k] > 0.0 else abs(t.normal_y[k])
        by_x, by_y = -0.5 * (t.x[k] - f.x) * side / t.fall[k], -0.5 * (t.y[k] - f.y) * side / t.fall[k]
        ax += t.give_x[k] * by_x
        ay += t.give_x[k] * by_y
        bx += t.give_y[k] * by_x
        by += t.give_y[k] * by_y
    vx, vy = 0.0, 0.0
    if not fitted:
        for k in range(n):
            t.one_x[k], t.one_y[k] = t.give_x[k] * t.residual[k], t.give_y[k] * t.residual[k]
        lags = bandwidth(alikeness(t.one_x, t.one_y, n), n)
        vx, vy = long_run(t.one_x, n, lags), long_run(t.one_y, n, lags)
    # The part of each ground pixel in the plane's tilt, by which all points move.
    for k in range(n):
        own, light = t.residual[k] if fitted else 0.0, t.used[k] * t.outside[k]
        tilt_x = (f.ixx * t.away_x[k] + f.ixy * t.away_y[k]) * light
        tilt_y = (f.ixy * t.away_x[k] + f.iyy * t.away_y[k]) * light
        t.one_x[k] = t.give_x[k] * own + (ax * tilt_x + ay * tilt_y)
        t.one_y[k] = t.give_y[k] * own + (bx * tilt_x + by * tilt_y)
    lags = bandwidth(alikeness(t.one_x, t.one_y, n), n)
    f.vx, f.vy = vx + long_run(t.one_x, n, lags), vy + long_run(t.one_y, n, lags)
    return 0


@loop
def shape_of(t: Points, n: int, light: int, f: Fit) -> int:
    """Area, centre and central moments of the polygon of ordered points (Green's theorem), and the variance of the
    centre by that of the points, each of which moves the part of the outline between the middles of both its sides.

    That is at least the robust one of a point's distance from the line of its neighbours, less the bend that all have.
    """
    area, sx, sy, xx, xy, yy, ox, oy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, t.x[0], t.y[0]
    # Relative to the first point: the terms of Green's sums stay small where a region lies far from the origin.
    for k in range(n):
        j = k + 1 if k + 1 < n else 0
        ax, ay, bx, by = t.x[k] - ox, t.y[k] - oy, t.x[j] - ox, t.y[j] - oy
        cross = ax * by - bx * ay
        area += 0.5 * cross
        sx += (ax + bx) * cross / 6.0
        sy += (ay + by) * cross / 6.0
        xx += (ax * ax + ax * bx + bx * bx) * cross / 12.0
        yy += (ay * ay + ay * by + by * by) * cross / 12.0
        xy += (2.0 * (ax * ay + bx * by) + ax * by + bx * ay) * cross / 24.0
    # NaN fails this, too.
    if not area > 0.0:
        return 0
    mx, my = sx / area, sy / area
    f.x, f.y, f.area = ox + mx, oy + my, area
    f.xx, f.xy, f.yy = xx / area - mx * mx, xy / area - mx * my, yy / area - my * my
    # Of a circle with these moments (each is r^2 / 4).
    radius = sqrt(sqrt(max(f.xx * f.yy - f.xy * f.xy, 0.0))) * 2.0
    least_x, least_y, bridged_x, bridged_y = 0.0, 0.0, 0.0, 0.0
    for k in range(n):
        # The neighbours before and behind, around the outline.
        i, j = k - 1 if k > 0 else n - 1, k + 1 if k + 1 < n else 0
        cx, cy = t.x[j] - t.x[i], t.y[j] - t.y[i]
        chord = max(sqrt(cx * cx + cy * cy), 1e-300)
        # Where along the chord the point stands; both neighbours' errors weigh by it.
        part = min(max(((t.x[k] - t.x[i]) * cx + (t.y[k] - t.y[i]) * cy) / (chord * chord), 0.0), 1.0)
        off = ((t.x[k] - t.x[i]) * cy - (t.y[k] - t.y[i]) * cx) / chord
        # Of three independent errors the distance from the chord has this multiple of one's deviation.
        t.residual[k] = off / sqrt(1.0 + part * part + (1.0 - part) * (1.0 - part))
        t.work[k] = t.residual[k]
        # A move of the point along the normal adds half a chord's triangle, and shifts the centre by it.
        dx, dy, half = t.x[k] - f.x, t.y[k] - f.y, 0.5 * chord / area
        t.normal_x[k], t.normal_y[k] = cy / chord, -cx / chord
        t.give_x[k], t.give_y[k] = half * dx, half * dy
        # What a chord cuts off of an arc of that radius is not known to be there.
        wide_x, wide_y = t.x[j] - t.x[k], t.y[j] - t.y[k]
        wide = sqrt(wide_x * wide_x + wide_y * wide_y)
        lost = wide * wide * wide / (12.0 * max(radius, 0.5 * wide) * area)
        ex, ey = lost * (dx + 0.5 * wide_x), lost * (dy + 0.5 * wide_y)
        bridged_x += ex * ex
        bridged_y += ey * ey
    # All points of a convex outline lie outside their chords by about the same bend: that is no error.
    bend = median_loop(t.work, n)
    for k in range(n):
        t.work[k] = abs(t.residual[k] - bend)
    error = max(NORMAL * median_loop(t.work, n), LEAST)
    # Without light the points stay where the mask has them; with it, their errors are those of both levels by the fall.
    for k in range(n):
        least_x += error * error * (t.give_x[k] * t.give_x[k])
        least_y += error * error * (t.give_y[k] * t.give_y[k])
        if light:
            side = abs(t.normal_x[k]) if t.along[k] > 0.0 else abs(t.normal_y[k])
            t.residual[k] = 0.5 * (t.inside[k] + t.outside[k]) * side / t.fall[k]
    if light:
        spread_of(t, n, 0, f)
        f.vx, f.vy = max(f.vx, least_x), max(f.vy, least_y)
    else:  # a pixel is in or out
        f.vx, f.vy = least_x * (UNIFORM / (error * error)), least_y * (UNIFORM / (error * error))
    f.vx, f.vy = f.vx + bridged_x, f.vy + bridged_y
    return 1


@loop
def inverse(a: F64, size: int) -> int:
    """The inverse of a symmetric positive definite matrix, in place (Gauss and Jordan); 0 if it is none."""
    for k in range(size):
        # No search for pivots: of a positive definite matrix all on the diagonal stay positive.
        pivot = a[size * k + k]
        if not pivot > 0.0:
            return 0
        a[size * k + k] = 1.0
        for j in range(size):
            a[size * k + j] = a[size * k + j] / pivot
        for i in range(size):
            if i != k:
                factor = a[size * i + k]
                a[size * i + k] = 0.0
                for j in range(size):
                    a[size * i + j] = a[size * i + j] - factor * a[size * k + j]
    return 1


@loop
def gradient_of(t: Points, k: int, q: F64, radius: float, middle_x: float, middle_y: float, row: F64) -> float:
    """Sampson's distance of point k from the conic q (centre x, y and A, B, C of A u^2 + 2 B u v + C v^2 = 1, in units
    of `radius` from the middle), and into `row` its derivatives."""
    # The distance to first order: the conic's value by the length of its gradient.
    u, v = (t.x[k] - middle_x) / radius - q[0], (t.y[k] - middle_y) / radius - q[1]
    gx, gy = q[2] * u + q[3] * v, q[3] * u + q[4] * v
    size = 2.0 * sqrt(max(gx * gx + gy * gy, 1e-300))
    row[0], row[1] = -2.0 * gx / size, -2.0 * gy / size
    row[2], row[3], row[4] = u * u / size, 2.0 * u * v / size, v * v / size
    return float((gx * u + gy * v - 1.0) / size)


@loop
def conic_of(t: Points, n: int, f: Fit, work: F64, begin: int, without: int) -> float:
    """The conic of ordered points, into `work`, from the moments in f; in the first turns `without` so many of them,
    from `begin` on. Returns beyond which distance points have no say, in units of the radius; 0 if there is none."""
    # An ellipse with second moments m has the matrix m^-1 / 4, in units of the radius.
    det = f.xx * f.yy - f.xy * f.xy
    radius, mx, my = sqrt(2.0 * (f.xx + f.yy)), f.x, f.y
    q, row, right, normal = at(work, 0), at(work, 5), at(work, 10), at(work, 15)
    scale = 0.25 * radius * radius / det
    q[0], q[1], q[2], q[3], q[4] = 0.0, 0.0, f.yy * scale, -f.xy * scale, f.xx * scale
    # Robust weights need a fit that is about right: none before.
    held = HELD if without > 0 else 1
    done, far, most = 0, 0.0, 0.0
    # The turn after the last step only weighs, so that residuals and weights belong to the conic given back.
    for turn in range(TURNS + 1):
        for k in range(n):
            t.residual[k] = gradient_of(t, k, q, radius, mx, my, row)
            t.work[k] = abs(t.residual[k])
            t.weight[k] = 0.0 if (k - begin + n) % n < without else 1.0
        if turn >= held:
            # Of the same points' median in each turn: the scale follows the fit.
            far = BIWEIGHT * max(NORMAL * median_loop(t.work, n), LEAST / radius)
            for k in range(n):
                part = t.residual[k] / far
                left = max(1.0 - part * part, 0.0)
                t.weight[k] = left * left
        for k in range(5):
            right[k] = 0.0
        for k in range(25):
            normal[k] = 0.0
        # Weighted normal equations of Gauss and Newton: J'WJ, -J'Wr.
        for k in range(n):
            gradient_of(t, k, q, radius, mx, my, row)
            for i in range(5):
                right[i] = right[i] - t.weight[k] * row[i] * t.residual[k]
                for j in range(5):
                    normal[5 * i + j] = normal[5 * i + j] + t.weight[k] * row[i] * row[j]
        if not inverse(normal, 5):
            return 0.0
        if done or turn == TURNS:
            break
        most = 0.0
        for i in range(5):
            step = 0.0
            for j in range(5):
                step += normal[5 * i + j] * right[j]
            q[i] = q[i] + step
            # In standard errors of each number: the inverse's diagonal.
            most = max(most, step * step / normal[6 * i])
        # A step that leaves the ellipses (a hyperbola, or NaN) ends the fit.
        if not (q[2] > 0.0 and q[2] * q[4] - q[3] * q[3] > 0.0):
            return 0.0
        # BIWEIGHT deviations are `far`: the step, in standard errors, squared.
        done = turn >= held and most * (BIWEIGHT * BIWEIGHT) < (NEAR * NEAR) * (far * far)
    return far


@loop
def ellipse_of(t: Points, n: int, light: int, f: Fit, widest: float, work: F64) -> int:
    """The ellipse of ordered points, from the moments of their polygon in f, into f; 0, and f as it was, if there is
    none. `work`: 80 numbers.

    Where points are far off it, a part of the outline may be that of something else, a lid: then fits that begin
    without a third of the points in turn are tried, and that whose median distance is least counts, if it is less than
    half (least median of squares: Rousseeuw, JASA 79, 871, 1984)."""
    if not (f.xx * f.yy - f.xy * f.xy > 0.0 and f.xx > 0.0 and n >= FEWEST):
        return 0
    # As `conic_of` has them: its numbers are in these units.
    radius, mx, my = sqrt(2.0 * (f.xx + f.yy)), f.x, f.y
    q, row, normal = at(work, 0), at(work, 5), at(work, 15)
    far = conic_of(t, n, f, work, 0, 0)
    if n >= ENOUGH and (far == 0.0 or far * radius > DOUBTED):
        # Another fit must be twice as good; if the first failed, any below DOUBTED will do.
        best = 0.5 * far if far > 0.0 else DOUBTED
        begin = -1
        for start in range(STARTS):
            tried = conic_of(t, n, f, work, start * n // STARTS, n // 3)
            if tried > 0.0 and tried < best:
                best = tried
                begin = start * n // STARTS
        # Again for the best one: `work` and the weights still hold the last that was tried.
        far = conic_of(t, n, f, work, max(begin, 0), n // 3 if begin >= 0 else 0)
    if far == 0.0:
        return 0
    # Back from the matrix to moments; one that reaches far beyond the region's box is a fit gone astray.
    det = q[2] * q[4] - q[3] * q[3]
    xx, xy, yy = 0.25 * q[4] / det, -0.25 * q[3] / det, 0.25 * q[2] / det
    most = 0.5 * LARGEST * widest / radius
    if not (4.0 * (xx + yy) <= 2.0 * most * most and q[0] * q[0] + q[1] * q[1] <= most * most):
        return 0
    # The curvature of the biweight's loss, not its weight, is what an error of a point meets (Huber, Robust Statistics,
    # 1981, 7.6).
    kept = 0.0
    for k in range(25):
        normal[k] = 0.0
    for k in range(n):
        gradient_of(t, k, q, radius, mx, my, row)
        part = t.residual[k] / far
        curve = (1.0 - part * part) * (1.0 - 5.0 * part * part) if part * part < 1.0 else 0.0
        kept += t.weight[k]
        for i in range(5):
            for j in range(5):
                normal[5 * i + j] = normal[5 * i + j] + curve * row[i] * row[j]
    if kept <= float(FEWEST) or not inverse(normal, 5):
        return 0
    # Five numbers were fitted: residuals are too small by this.
    more = sqrt(kept / (kept - 5.0))
    for k in range(n):
        gradient_of(t, k, q, radius, mx, my, row)
        # Influence function: the inverse of the curvature times the point's gradient; of the centre only.
        ox, oy = 0.0, 0.0
        for j in range(5):
            ox -= normal[j] * row[j] * t.weight[k]
            oy -= normal[5 + j] * row[j] * t.weight[k]
        t.give_x[k], t.give_y[k] = ox, oy
        t.normal_x[k], t.normal_y[k] = -row[0], -row[1]
        t.residual[k] = t.residual[k] * radius * more
    f.x, f.y = mx + radius * q[0], my + radius * q[1]
    f.xx, f.xy, f.yy = xx * radius * radius, xy * radius * radius, yy * radius * radius
    f.area = 3.141592653589793 * radius * radius / sqrt(det)
    if light:
        spread_of(t, n, 1, f)
    else:
        vx, vy = 0.0, 0.0
        for k in range(n):
            vx += t.give_x[k] * t.give_x[k]
            vy += t.give_y[k] * t.give_y[k]
        f.vx, f.vy = UNIFORM * vx, UNIFORM * vy
    return 1


@loop
def hidden_area(t: Points, n: int, way: int, f: Fit) -> float:
    """By how much the area within an outline halfway up is too small, px^2.

    A blur of variance s^2 moves that outline inwards by s^2 / 2 times its curvature (Verbeek, van Vliet, IEEE Trans.
    PAMI 16, 726, 1994), which around a closed outline is pi s^2. How wide the blur is tells how much of the contrast
    the light falls by in three pixels (`crossing`): erf(3/2 side / (sqrt(2) s)) of a normal one, side being how far a
    step across is; erf(z)^2 is 1 - exp(-4 z^2 / pi) within .7 % (Polya, Berkeley Symposium, 63, 1949). A polygon
    lacks its arcs, too.
    """
    fall, sides, chords, before = 0.0, 0.0, 0.0, n - 1
    for k in range(n):
        side = t.normal_x[k] if t.along[k] > 0.0 else t.normal_y[k]
        fall += 3.0 * t.fall[k]
        sides += side * side
        wide_x, wide_y = t.x[k] - t.x[before], t.y[k] - t.y[before]
        chords += wide_x * wide_x + wide_y * wide_y
        before = k
    # Polya's formula solved for the variance of the blur.
    part = min(fall / max(f.contrast * float(n), 1e-300), STEEPEST)
    blur = (4.5 / 3.141592653589793) * (sides / float(n)) / (0.0 - log(1.0 - part * part)) + TAKEN_ALONG
    blur = min(blur, 0.25 * f.area / 3.141592653589793)  # more than half of the radius is no blur
    return float(3.141592653589793 * blur + (3.141592653589793 / 6.0 * chords / float(n) if way == SHAPE else 0.0))


@loop
def outlines_loop(image: PIXELS, flat: I32, m: Mask, p: Picture, b: Boxes, regions: int, o: Outlines,
                  rows: F64) -> int:  # fmt: skip
    """x, y, area, second moments, sigma and anisotropy of regions by their outlines, into their rows of FEATURE; those
    that show too little of one keep theirs. The canvas `flat` is clean before and afterwards."""
    # 0 is ground: regions are told from 1 on.
    for n in range(m.count):
        flat[m.core[n]] = m.labels[n] + 1
    t, f = o.points, o.fit
    for i in range(regions):
        n = points_loop(flat, b, i, p, o.extremes, o.chain, t)
        f.x, f.y = 0.5 * float(b.left[i] + b.right[i]), 0.5 * float(b.top[i] + b.bottom[i])
        if n >= FEWEST:
            order_points(t, n, f.x, f.y)
        if n >= FEWEST and p.light:
            n = refine_points(image, p, t, n, f, o.work) if levels_of(image, p, t, n, f) else 0
        if n >= FEWEST and shape_of(t, n, p.light, f):
            if p.way == ELLIPSE:
                wide = max(b.right[i] - b.left[i], b.bottom[i] - b.top[i]) + 2 * REACH + 1
                ellipse_of(t, n, p.light, f, float(wide), o.work)
            if p.light:
                f.area = f.area + hidden_area(t, n, p.way, f)
            # Rows are written only where a fit succeeded; what moments gave stays elsewhere.
            k = COLUMNS * i
            rows[k], rows[k + 1], rows[k + 4] = f.x, f.y, f.area
            rows[k + 5], rows[k + 6], rows[k + 7] = f.xx, f.xy, f.yy
            rows[k + 8] = sqrt(0.5 * (f.vx + f.vy))
            rows[k + 9] = (f.vx - f.vy) / max(f.vx + f.vy, 1e-300)
            rows[k + 10], rows[k + 11] = 0.5 * (f.xx - f.yy), f.xy
    # Only the pixels that were written are cleared: the canvas is kept for the next frames.
    for n in range(m.count):
        flat[m.core[n]] = 0
    return 0
