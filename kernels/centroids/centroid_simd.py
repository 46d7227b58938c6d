"""Centres of many blobs at once, a lane each (what they are: `kernels.centroids.centroid`): no sums across lanes.

A window of size x size pixels is transposed: the blobs' pixels of one place are a vector, `pitch` of them a row.
What is known of the blobs is in `lane`, a vector each (places are px from the windows' middles); `places` says
where the windows begin in the picture. All pixels exist and are numbers. No lane depends on another, so that no result
depends on who is beside whom.

LANES are f32 where the pixels are: it errs by 1e-6 of what is summed, a thousandth of the least noise, and sixteen go
where eight f64 do. Images that it does not hold go in f64, and so do single blobs of light that f32 cannot square, or
that is little beside what it is on.
"""

from __future__ import annotations

from kernels.centroids.centroid_loops import ARRIVED, HIGH_PART, LOW_PART, OBLIQUE, SETTLED, TWO_PI
from kernels.centroids.structs import Neighbours
from kernels.loops.exponential import exponentials
from kernels.loops.language import (
    I64,
    LANES,
    PIXELS,
    at,
    gather_transpose,
    is_f32,
    lane_count,
    load_row,
    loop,
    splat_like,
    sqrt,
    store,
    where,
)

BORDER = 2  # px, the width of a window's ring
STEPS = 12  # of a blob in a window
FEW, SOON = 0.5, 2  # share of a vector that does not hold up the rest of it, from so many steps on
X, Y, AMPLITUDE, SPREAD, LEVEL, NOISE, MIDDLE_X, MIDDLE_Y, START_X, START_Y = range(10)
OPEN, ODD, SCALE, MASS, PEAK, TOTAL, SHARP, REST, FLAT, TILT, WHOLE, GROUND, SLOPE_X, SLOPE_Y = range(10, 24)
ASKEW, OBLONG, SLANT, LOOKS, STEPPED = range(24, 29)
COVER = 29  # of windows at edges (`truncated_gaussian_windows`): two rows of a window
KNOWN = COVER  # vectors in `lane` before these
FAINTEST, FAINTEST_F32 = -690.0, -69.0  # the logarithm of a bell's middle; below, all of it is 0
# What a bell has less of is 0: numbers below 1e-38 are a hundred times as slow, so that two such are not to make one.
END_F32, LEAST_F32 = 1e-30, 1e-15
BRIGHTEST_F32, DIMMEST_F32 = 1e15, 1e-12  # light whose squares, and those of its noise, f32 holds
STEADIEST_F32 = 1 / 4096  # share of the brightest that a window's light spans; less than that loses by a level in f32


@loop
def bells(across: LANES, down: LANES, half: int, place: LANES, scale: LANES, room: LANES) -> int:
    """exp(-scale (k - x)^2) for k = -half..half, of each lane, and the same of y, which is behind x in `place`.
    `room`: 5 vectors.

    From the middle outwards, each value by a ratio that is itself multiplied by exp(-2 scale) from pixel to pixel.
    """
    s = load_row(scale, 0)
    store(room, 4, -(s + s))
    exponentials(at(room, 4), 1)
    bells_falling(across, down, half, place, scale, room)
    return 0


@loop
def bells_falling(across: LANES, down: LANES, half: int, place: LANES, scale: LANES, room: LANES) -> int:
    """`bells`, where exp(-2 scale) is in `room` already, the last of 5 vectors. Each value waits for the one before
    it, so x and y go side by side."""
    u, v, s = load_row(place, 0), load_row(place, 1), load_row(scale, 0)
    faintest, end, least = FAINTEST, 0.0, 0.0
    if is_f32(room):
        faintest, end, least = FAINTEST_F32, END_F32, LEAST_F32
    # exp(-s (k - u)^2) for neighbouring k differ by the ratio exp(s (2 u - 1)) exp(-2 s)^k: three exponentials a bell
    # in place of one a pixel. The middle and the first ratio to the right are made by `exponentials`; the first ratio
    # to the left follows from exp(-2 s) divided by it.
    most, height = -(s * (u * u)), -(s * (v * v))
    alive, lives = most > faintest, height > faintest
    rise, climb = where(alive, s * (u + u) - s, 0.0), where(lives, s * (v + v) - s, 0.0)
    store(room, 0, most)
    store(room, 1, where(rise < -faintest, rise, -faintest))
    store(room, 2, height)
    store(room, 3, where(climb < -faintest, climb, -faintest))
    exponentials(room, 4)
    right, up, fall = where(alive, load_row(room, 0), 0.0), load_row(room, 1), load_row(room, 4)
    low, under = where(lives, load_row(room, 2), 0.0), load_row(room, 3)
    # The first ratio to the left, exp(s (-2 u - 1)), is exp(-2 s) divided by that to the right, exp(s (2 u - 1)).
    left, back, high, over = right, fall / up, low, fall / under
    store(across, half, where(right > least, right, 0.0))
    store(down, half, where(low > least, low, 0.0))
    # `end` stops the recurrence before it reaches subnormal numbers, `least` (its root) what is stored: bells across
    # and down are multiplied later, and that product must not be subnormal either.
    for k in range(1, half + 1):
        right, left, low, high = right * up, left * back, low * under, high * over
        right, left = where(right > end, right, 0.0), where(left > end, left, 0.0)
        low, high = where(low > end, low, 0.0), where(high > end, high, 0.0)
        up, back, under, over = up * fall, back * fall, under * fall, over * fall
        store(across, half + k, where(right > least, right, 0.0))
        store(across, half - k, where(left > least, left, 0.0))
        store(down, half + k, where(low > least, low, 0.0))
        store(down, half - k, where(high > least, high, 0.0))
    return 0


@loop
def cut_lanes(image: PIXELS, places: I64, width: int, sign: float, whole: int, size: int, pitch: int, values: LANES,
              lane: LANES) -> int:  # fmt: skip
    """Cut the windows; ODD becomes 1 where pixels are no numbers, or such that LANES are too short for. `whole`: they
    are whole."""
    # Windows are turned while they are cut: eight pixels of each blob's row are gathered and transposed, so that a row
    # of `values` holds one pixel of all blobs and no later step sums across lanes.
    for r in range(size):
        for k in range(0, pitch, 8):
            gather_transpose(values, r * pitch + k, image, places, r * width + k)
    if sign < 0.0:
        for k in range(size * pitch):
            store(values, k, -load_row(values, k))
    if not whole:
        least, most, steep, fine = 0.0, 1e308, 0.0, splat_like(values, 1.0)
        if is_f32(values):
            least, most, steep = DIMMEST_F32, BRIGHTEST_F32, STEADIEST_F32
        # In f32, squares of light beyond 1e15 overflow, such below 1e-12 vanish, and light that varies by less than
        # 1/4096 of its level loses the noise to rounding. Such blobs are ODD: they go by themselves, in f64.
        # A comparison with NaN is false, so `fine` becomes 0 for what is no number and for infinities as well. Columns
        # behind `size` pad a row to a multiple of eight; nothing sums them.
        low, high = load_row(values, 0), load_row(values, 0)
        for r in range(0, size * pitch, pitch):
            for k in range(r, r + size):
                v = load_row(values, k)
                fine = where(abs(v) < most, fine, 0.0)
                low, high = where(v < low, v, low), where(v > high, v, high)
        span = high - low
        high = where(-low > high, -low, high)
        fine = where(high < least, where(high > 0.0, 0.0, fine), fine)
        fine = where(span < high * steep, where(span > 0.0, 0.0, fine), fine)
        store(lane, ODD, where(fine > 0.0, load_row(lane, ODD), 1.0))
    return 0


@loop
def neighbours_of(n: int, of: Neighbours, half: int, pitch: int, lane: LANES, work: LANES) -> int:
    """Bells of the blobs' neighbours number n, behind 10 vectors of `work`: a row of a window across, one down times
    the amplitude. Returns whether some have one."""
    more = 0
    for k in range(lane_count(lane)):
        j = of.near[of.ids[k] * of.most + n]
        # A lane without an n-th neighbour gets a bell of height 0: no branch is needed where the light is taken off.
        work[0, k], work[1, k], work[2, k], work[3, k] = 0.0, 0.0, 1.0, 0.0
        if j >= 0:
            more = 1
            if of.amplitude[j] > 0.0:
                work[0, k], work[1, k] = of.x[j] - float(lane[MIDDLE_X, k]), of.y[j] - float(lane[MIDDLE_Y, k])
                work[2, k], work[3, k] = 0.5 / (of.spread[j] * of.spread[j]), of.amplitude[j]
    if not more:
        return 0
    down, height = at(work, 10 + pitch), load_row(work, 3)
    bells(at(work, 10), down, half, at(work, 0), at(work, 2), at(work, 4))
    for r in range(2 * half + 1):
        store(down, r, load_row(down, r) * height)
    return 1


@loop
def without_others(of: Neighbours, half: int, pitch: int, lane: LANES, work: LANES, values: LANES) -> int:
    """Take the light of the blobs' neighbours out of their windows, of two at once. `work`: 20 vectors, four rows."""
    other, size = at(work, 10 + 2 * pitch), 2 * half + 1
    # Two neighbours a pass, so that each value of the windows is loaded and stored half as often. Neighbours are listed
    # nearest first and -1 at the end: the first number that no lane has ends the list.
    for n in range(0, of.most, 2):
        if not neighbours_of(n, of, half, pitch, lane, work):
            return 0
        more = 0
        if n + 1 < of.most:
            more = neighbours_of(n + 1, of, half, pitch, lane, other)
        for r in range(size):
            line, one, two = r * pitch, load_row(work, 10 + pitch + r), load_row(other, 10 + pitch + r)
            if more:
                for c in range(size):
                    light = load_row(values, line + c) - one * load_row(work, 10 + c)
                    store(values, line + c, light - two * load_row(other, 10 + c))
            else:
                for c in range(size):
                    store(values, line + c, load_row(values, line + c) - one * load_row(work, 10 + c))
        if not more:
            return 0
    return 0


@loop
def settle(values: LANES, radius: int, pitch: int, sigma: float, glance: int, hasty: int, lane: LANES, work: LANES
           ) -> int:  # fmt: skip
    """Bring the OPEN lanes to the fixed point of the weighted centroid (`centroid_loops.moved`), or take one step and
    look how bright and wide they are (`glance`). OBLONG and SLANT become half the difference of what the weights
    leave of an offset, 1 - M / sigma^2, and the mixed element of M / sigma^2. `work`: 5 vectors and six rows.

    Args:
        hasty: leave lanes OPEN that have not arrived where they are FEW; STEPPED is how many steps a lane has taken.
    """
    wide, half = 2 * radius + 1, radius + BORDER
    # With weights w = exp(-r^2 / 2 sigma^2) about (u, v) the moments of light times weights are summed row by row:
    # first along x with w, w dx, w dx^2, then down with the row's own factor. Two rows at a time, which halves the
    # loads of the weights.
    square = sigma * sigma
    w0, w1, w2 = at(work, 5), at(work, 5 + pitch), at(work, 5 + 2 * pitch)
    down = at(work, 5 + 3 * pitch)
    nil = splat_like(lane, 0.0)
    store(lane, SCALE, splat_like(lane, 0.5 / square))
    store(work, 4, splat_like(lane, -1.0 / square))
    exponentials(at(work, 4), 1)
    # The weighted window begins BORDER pixels inside the cut one, whose rim is the ring.
    first = (half - radius) * pitch + half - radius
    level = load_row(lane, LEVEL)
    for step in range(STEPS):
        u, v = load_row(lane, X), load_row(lane, Y)
        bells_falling(w0, down, radius, at(lane, X), at(lane, SCALE), work)
        # `wide` is odd: the last row's partner is the first row of the ring, which exists and gets the weight 0.
        store(down, wide, nil)
        for c in range(wide):
            d = float(c - radius) - u
            w = load_row(w0, c) * d
            store(w1, c, w)
            store(w2, c, w * d)
        total, ax, axx = splat_like(lane, 0.0), splat_like(lane, 0.0), splat_like(lane, 0.0)
        axy, ay = splat_like(lane, 0.0), splat_like(lane, 0.0)
        ayy = splat_like(lane, 0.0)
        for r in range(0, wide, 2):  # with the row behind the last, whose weight is 0
            here = first + r * pitch
            there = here + pitch
            s0, s1, s2 = splat_like(lane, 0.0), splat_like(lane, 0.0), splat_like(lane, 0.0)
            t0, t1 = splat_like(lane, 0.0), splat_like(lane, 0.0)
            t2 = splat_like(lane, 0.0)
            for c in range(wide):
                a, b = load_row(values, here + c) - level, load_row(values, there + c) - level
                w = load_row(w0, c)
                s0 += a * w
                t0 += b * w
                w = load_row(w1, c)
                s1 += a * w
                t1 += b * w
                w = load_row(w2, c)
                s2 += a * w
                t2 += b * w
            d = float(r - radius) - v
            w = load_row(down, r)
            total += s0 * w
            ax += s1 * w
            axx += s2 * w
            w = w * d
            ay += s0 * w
            axy += s1 * w
            ayy += s0 * (w * d)
            d = d + 1.0
            w = load_row(down, r + 1)
            total += t0 * w
            ax += t1 * w
            axx += t2 * w
            w = w * d
            ay += t0 * w
            axy += t1 * w
            ayy += t0 * (w * d)
        safe = where(total > 0.0, total, 1.0)
        mx, my = ax / safe, ay / safe
        # What the weights hide of the offset: the light's share of its own width, along each of its axes.
        xx, xy, yy = axx / safe - mx * mx, axy / safe - mx * my, ayy / safe - my * my
        # A Gaussian of covariance S under weights of covariance sigma^2 I has the second moments (S^-1 + I /
        # sigma^2)^-1, and its weighted mean lies at M / sigma^2 of the offset (M these moments). So the offset is the
        # mean divided by 1 - M / sigma^2, here solved as a 2 x 2 system along both axes; LOW_PART and HIGH_PART bound
        # it where noise makes the moments absurd.
        # Amplitude and width are those of a round blob: from the mean of both axes.
        part = (xx + yy) * (0.5 / square)
        part = where(part > LOW_PART, part, LOW_PART)
        part = where(part < HIGH_PART, part, HIGH_PART)
        xx, xy, yy = 1.0 - xx / square, xy / square, 1.0 - yy / square
        store(lane, OBLONG, where(load_row(lane, OPEN) > 0.0, (xx - yy) * 0.5, load_row(lane, OBLONG)))
        store(lane, SLANT, where(load_row(lane, OPEN) > 0.0, xy, load_row(lane, SLANT)))
        # With an unbounded matrix the step is Newton's and leaves about its own square: one below ARRIVED is the last.
        # A bounded matrix only shrinks the distance by a factor, so such a lane goes on to SETTLED.
        slim = where(xx > 1.0 - HIGH_PART, where(yy > 1.0 - HIGH_PART, nil + 1.0, 0.0), 0.0)
        # `oval` is false where the mixed element would make the determinant small: then the axes are solved one by one.
        xx = where(xx > 1.0 - HIGH_PART, where(xx < 1.0 - LOW_PART, xx, 1.0 - LOW_PART), 1.0 - HIGH_PART)
        yy = where(yy > 1.0 - HIGH_PART, where(yy < 1.0 - LOW_PART, yy, 1.0 - LOW_PART), 1.0 - HIGH_PART)
        oval = xy * xy < OBLIQUE * (xx * yy)
        xy = where(oval, xy, 0.0)
        enough = where(oval, where(slim > 0.0, nil + ARRIVED, SETTLED), SETTLED)
        det = xx * yy - xy * xy
        mx, my = (yy * mx + xy * my) / det, (xx * my + xy * mx) / det
        # A step of more than half the weights' width leaves the region in which the model holds; the next step goes on
        # from there.
        limit = 0.5 * sigma
        mx = where(mx > -limit, mx, -limit)
        my = where(my > -limit, my, -limit)
        mx = where(mx < limit, mx, limit)
        my = where(my < limit, my, limit)
        # A lane whose weighted light is not positive has no centre to go to: it stops where it is.
        open_ = where(total > 0.0, load_row(lane, OPEN), 0.0)
        mx, my = where(open_ > 0.0, mx, 0.0), where(open_ > 0.0, my, 0.0)
        # The integral of a Gaussian times the weights is 2 pi M height: solved for the height.
        lit = where(total > 0.0, total, 0.0) / (part * (TWO_PI * square))
        was = load_row(lane, OPEN) > 0.0
        store(lane, AMPLITUDE, where(was, lit, load_row(lane, AMPLITUDE)))
        store(
            lane, SPREAD, where(was, where(total > 0.0, sqrt(part / (1.0 - part)), 1.0) * sigma, load_row(lane, SPREAD))
        )
        store(lane, X, u + mx)
        store(lane, Y, v + my)
        if glance:
            return 0
        # A lane that has arrived keeps its state while the rest goes on: its moves are 0 from here on, so that a blob's
        # result does not depend on how many steps the others of its vector take.
        far = where(abs(mx) > abs(my), abs(mx), abs(my))
        taken = load_row(lane, STEPPED) + open_
        store(lane, STEPPED, taken)
        store(lane, OPEN, where(far > enough, where(taken < float(STEPS), open_, 0.0), 0.0))
        # The vector ends when all have arrived; a hasty one also when few are left, which wait for a vector of such.
        more = 0.0
        for k in range(lane_count(lane)):
            more += lane[OPEN, k]
        if not more > 0.0 or (hasty and step >= SOON - 1 and more <= FEW * float(lane_count(lane))):
            return 0
    return 0
