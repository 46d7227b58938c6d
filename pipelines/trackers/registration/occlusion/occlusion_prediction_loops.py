"""Forecasts of hidden points from their own past, as loops (`occlusion_prediction`)."""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, load, loop, splat, sqrt, store

PAST = 64  # frames that are remembered: a power of 2
ROOM = PAST + 4  # values that they have, so that rows are an odd number of the cache's lines apart
LATE = 1.5  # frames since the last sighting above which a way is not that of one frame
LAGS = 6  # how far ahead they are asked at most: 1, 2, 4 ... 32 frames
KNOTS = 9  # and how far ahead forecasts are stated: 1, 2, 4 ... 256 frames
FEWEST = 4  # frames without which there is no forecast
START = 4  # frames before the first forecast that is judged
ENOUGH = 8  # forecasts from which the noise of a frame is estimated
ROUNDS = 2.5  # a past must be so many times as long as it looks ahead
SURE = 1.0  # standard deviations above what noise makes from which a mean square is more
FREE = 0.5  # freedoms above two that a mean square has at least
STEEPEST = 8.0  # growth of a variance at most from one time to its double, as of a velocity that wanders
KINDS = 3  # of forecasts by one span: the mean, a straight line, its velocity from the last place
FORECASTS = 7 * KINDS
SIZE = PAST + 1
WORK = 15 * SIZE + 6 * FORECASTS * LAGS + 16


@loop
def remember(i: int, past: F64, tally: F64, gap: float, px: float, py: float, x: float, y: float) -> int:
    """Append (x, y) to the past of row `i`, `gap` frames after it was seen at (px, py), which begins an empty past.

    After more frames than one the past is shifted as if the last step had been their mean one.

    Args:
        past: places of all rows, 2 ROOM each; tally: how many there have been.
    """
    one = 2 * ROOM * i
    if tally[i] == 0.0:
        past[one], past[one + ROOM], tally[i] = px, py, 1.0
    if gap > LATE:
        # After a gap the way to the new place is that of `gap` frames. The past is moved along so that its last step is
        # one frame's share of it, and velocities that are taken from the past stay right.
        rest = 1.0 - 1.0 / gap
        for k in range(PAST):
            past[one + k] = past[one + k] + (x - px) * rest
            past[one + ROOM + k] = past[one + ROOM + k] + (y - py) * rest
    # A ring of PAST places; PAST is a power of 2, so that the index is a bit mask.
    slot = int(tally[i]) & (PAST - 1)
    past[one + slot], past[one + ROOM + slot], tally[i] = x, y, tally[i] + 1.0
    return 1


@loop
def remember_all(rows: I64, count: int, past: F64, tally: F64, gap: F64, px: F64, py: F64, x: F64, y: F64) -> int:
    """The same of `rows`, which are at x, y, in their order."""
    for k in range(count):
        i = rows[k]
        remember(i, past, tally, gap[i], px[i], py[i], x[k], y[k])
    return 1


@loop
def forecasts(which: int, start: int, n: int, past: F64, sums: F64, parts: F64, made: F64) -> int:
    """Forecast `which` from each frame `start` ... n - 1 on; 0 if so few frames make none.

    Args:
        past: x and y of the frames, SIZE each; sums: of what was before each frame: x, y, x and y times the frame's
            number, SIZE each.
        parts: 1 / m, and the noise of a slope through m places, SIZE each.
        made: gets SIZE each: x, y, velocities along x and along y, and of noise: its part in the place, in the square
            of the velocity, and the frames from the middle of what the velocity is of to that place.
    """
    span, kind = 1 << (which // KINDS), which % KINDS
    y, ax, ay, bx, by = at(past, SIZE), at(sums, 0), at(sums, SIZE), at(sums, 2 * SIZE), at(sums, 3 * SIZE)
    px, py, vx, vy = at(made, 0), at(made, SIZE), at(made, 2 * SIZE), at(made, 3 * SIZE)
    even, steep, back = at(made, 4 * SIZE), at(made, 5 * SIZE), at(made, 6 * SIZE)
    if span > n or span <= kind:
        return 0
    for j in range(start, n):
        # Prefix sums: any span's sums are one difference, so that all spans and frames cost the same.
        first = max(j - span + 1, 0)
        m = j - first + 1
        part, spread = parts[m], parts[SIZE + m]
        sx, sy = ax[j + 1] - ax[first], ay[j + 1] - ay[first]
        mx, my = sx * part, sy * part
        px[j], py[j], vx[j], vy[j], even[j], steep[j], back[j] = mx, my, 0.0, 0.0, part, 0.0, 0.0
        # The slope of a least-squares line through equidistant frames: sum of (k - middle) x over its sum of squares.
        if kind > 0:
            middle = 0.5 * float(j + first)
            ux, uy = bx[j + 1] - bx[first] - middle * sx, by[j + 1] - by[first] - middle * sy
            ux, uy = ux * spread, uy * spread
            away = float(j) - middle
            px[j], py[j], vx[j], vy[j], steep[j], back[j] = mx + ux * away, my + uy * away, ux, uy, spread, away
            if kind > 1:
                # The line's velocity, but from the last place on: nothing but one frame's noise is between the two.
                px[j], py[j], even[j], back[j] = past[j], y[j], 1.0, 0.0
    return 1


@loop
def judged(start: int, n: int, lags: int, past: F64, made: F64, left: F64, share: F64, room: F64) -> int:
    """Mean squares that forecasts were off, px^2, the mean of both axes, for each of `lags` times ahead, and how many
    times one frame's noise this would be by noise alone."""
    y = at(past, SIZE)
    px, py, vx, vy = at(made, 0), at(made, SIZE), at(made, 2 * SIZE), at(made, 3 * SIZE)
    even, steep, back = at(made, 4 * SIZE), at(made, 5 * SIZE), at(made, 6 * SIZE)
    lag = 1
    for k in range(lags):
        # A forecast from frame j is compared with the place in frame j + lag.
        far, end, j = float(lag), n - lag, start
        s, t = splat(0.0), splat(0.0)
        while j + 8 <= end:
            ex = load(past, j + lag) - (load(px, j) + load(vx, j) * far)
            ey = load(y, j + lag) - (load(py, j) + load(vy, j) * far)
            s += ex * ex + ey * ey
            b = load(back, j) + far
            t += load(even, j) + load(steep, j) * (b * b)
            j += 8
        store(room, 0, s)
        store(room, 8, t)
        squares, noisy = 0.0, 0.0
        for c in range(8):
            squares += room[c]
            noisy += room[8 + c]
        while j < end:
            dx, dy = past[j + lag] - (px[j] + vx[j] * far), y[j + lag] - (py[j] + vy[j] * far)
            squares += dx * dx + dy * dy
            noisy += even[j] + steep[j] * ((back[j] + far) * (back[j] + far))
            j += 1
        # 1 is the noise of the place that it is compared with.
        left[k], share[k] = 0.5 * squares / float(end - start), 1.0 + noisy / float(end - start)
        lag = 2 * lag
    return 1


@loop
def drawn(which: int, far: float) -> float:
    """By what part of it forecast `which` is off, `far` frames ahead, when the last place is."""
    span, kind = float(1 << (which // KINDS)), which % KINDS
    part = 1.0 / span
    if kind > 0:
        # Least squares of a line through m equidistant places: the slope's variance is 12 / (m (m^2 - 1)) of a place's,
        # and the last place lies (m - 1) / 2 frames behind the middle.
        spread, back = 12.0 / (span * (span * span - 1.0)), 0.5 * (span - 1.0)
        if kind == 1:
            part += spread * (back + far) * back
        else:
            part = 1.0 + spread * far * back
    return part


@loop
def expected(which: int, k: int, squares: F64, shares: F64, white: float, doubt: float) -> float:
    """The square that forecast `which` is off by, px^2, 2^k frames ahead; not less than that of the last place.

    Args:
        squares, shares: of this forecast, LAGS each, as `judged` leaves them.
        white: px^2, variance of a frame's noise; doubt: of the last place beside that.
    """
    # The squares that were seen hold the noise of the place that was compared with, which is taken off; what the last
    # place is off by beyond its own noise (`doubt`) reaches the forecast by `part`.
    own, part = white * max(shares[k] - 1.0, 1.0), drawn(which, float(1 << k))
    return float(max(squares[k] - white, own) + doubt * (part * part))


@loop
def foresee(rows: I64, count: int, past: F64, tally: F64, noise: F64, common: F64, ahead: F64, work: F64) -> int:
    """Forecasts of `rows`, from their last PAST places.

    Each forecast goes on from the mean of the last 1, 2, 4 ... frames, along a straight line through them or, with that
    line's velocity, from the last place. Of each it is known how far it would have been off, 1, 2, 4 ... frames ahead,
    from each frame of the past. For each of these times the best one is taken.

    Args:
        past: of all, 2 ROOM each: x and y of frame k at k % PAST; tally: how many frames so far.
        noise: of the rows, px^2: variance of the last frame's own noise; common: of what all frames of one have in
            common.
        ahead: of all, gets 3 KNOTS each: ways from the last place along x and along y, px, and variances, px^2, both
            for 1, 2, 4 ... frames. Those of rows with fewer than FEWEST frames stay.
        work: WORK values.
    """
    h, sums, made = at(work, 0), at(work, 2 * SIZE), at(work, 6 * SIZE)
    left, share = at(work, 13 * SIZE), at(work, 13 * SIZE + FORECASTS * LAGS)
    own, best = at(work, 13 * SIZE + 2 * FORECASTS * LAGS), at(work, 13 * SIZE + 3 * FORECASTS * LAGS)
    excess, there = at(work, 13 * SIZE + 4 * FORECASTS * LAGS), at(work, 13 * SIZE + 5 * FORECASTS * LAGS)
    parts = at(work, WORK - 16 - 2 * SIZE)
    for m in range(1, SIZE):
        parts[m] = 1.0 / float(m)
        parts[SIZE + m] = 12.0 / (float(m) * (float(m * m) - 1.0)) if m > 1 else 0.0
    # Each row by itself: no result depends on which others are asked for.
    for r in range(count):
        i = rows[r]
        total = int(tally[i])
        n = min(total, PAST)
        if n < FEWEST:
            continue
        one, out = 2 * ROOM * i, 3 * KNOTS * i
        newest = (total - 1) & (PAST - 1)
        for k in range(4):
            sums[SIZE * k] = 0.0
        for k in range(n):
            # Places relative to the newest one: forecasts are ways from there, and prefix sums stay small.
            slot = (total - n + k) & (PAST - 1)
            x, y = past[one + slot] - past[one + newest], past[one + ROOM + slot] - past[one + ROOM + newest]
            h[k], h[SIZE + k] = x, y
            sums[k + 1], sums[SIZE + k + 1] = sums[k] + x, sums[SIZE + k] + y
            sums[2 * SIZE + k + 1] = sums[2 * SIZE + k] + float(k) * x
            sums[3 * SIZE + k + 1] = sums[3 * SIZE + k] + float(k) * y
        # By all frames but the last one, whose place may be less sure than usual: something came before it.
        start, lags, known = min(START, max(n // 3, 1)), 1, n - 1
        while lags < LAGS and ROUNDS * float(1 << lags) <= float(known) and known - (1 << lags) - start >= 1:
            lags += 1
        white, least = noise[r], 0.0
        for c in range(FORECASTS):
            # Each forecast is made from all frames of the past at once, then judged at 1, 2, 4 ... frames ahead.
            there[c] = float(forecasts(c, start, n, h, sums, parts, made))
            if there[c] > 0.0:
                judged(start, known, lags, h, made, at(left, LAGS * c), at(share, LAGS * c), at(work, WORK - 16))
                # What one frame ahead was missed by, divided by what noise of variance 1 would make: the least of these
                # over all forecasts bounds the noise of a frame from above.
                pure = left[LAGS * c] / share[LAGS * c]
                least = pure if c == 0 else min(least, pure)
        doubt = 0.0
        # Where even the best forecast was off by much less than the stated noise says, the last place is less sure than
        # those before: the usual noise is `least`, the rest is a doubt of the last place alone.
        if known - 1 - start >= ENOUGH and 2.0 * least < white:
            doubt, white = white - least, least
        for c in range(FORECASTS):
            squares, shares = at(left, LAGS * c), at(share, LAGS * c)
            for k in range(lags):
                if there[c] > 0.0:
                    # Of this time and, half as much, of those beside it: so that chance does not choose.
                    beside = expected(c, max(k - 1, 0), squares, shares, white, doubt)
                    beside = beside * expected(c, min(k + 1, lags - 1), squares, shares, white, doubt)
                    score = expected(c, k, squares, shares, white, doubt) * sqrt(beside)
                    if c == 0:  # it needs no reason, but another one more than chance
                        # Two axes, and one independent trial in each stretch of 2^k frames.
                        free = 2.0 * float(known - (1 << k) - start) / float(1 << k)
                        own[k], best[k] = score / (1.0 + sqrt(2.0 / max(free, 2.0 + FREE))), 0.0
                    elif score < own[k]:
                        own[k], best[k] = score, float(c)
        most = 0.0
        # What forecasts are off by beyond noise, where it is more than chance makes; it never shrinks with the time
        # ahead.
        for k in range(lags):
            c = int(best[k])
            seen, noisy = at(left, LAGS * c), at(share, LAGS * c)
            usual, free = white * noisy[k], 2.0 * float(known - (1 << k) - start) / float(1 << k)
            more = seen[k] - usual
            if more > SURE * usual * sqrt(2.0 / max(free, 2.0 + FREE)):
                # As for Student's t: the mean of 1 / variance is to be right where few freedoms show it.
                most = max(most, more * free / max(free - 2.0, FREE))
            excess[k] = most
        # By what the excess grows from one time to its double, from the last two doublings (of one, that one) that were
        # seen; beyond what was seen it goes on so.
        growth, early = STEEPEST, excess[max(lags - 3, 0)]
        if lags == 1:
            growth = 4.0
        elif most < early * (STEEPEST * STEEPEST):
            growth = min(most / early if lags == 2 else sqrt(most / early), STEEPEST)
        chosen, k = 0 - 1, 0
        while k < KNOTS:
            # Times beyond the last one that was judged take the forecast that was best there.
            c, far = int(best[min(k, lags - 1)]), float(1 << k)
            if c != chosen:
                forecasts(c, n - 1, n, h, sums, parts, made)
                chosen = c
            j = n - 1
            x, y, vx, vy = made[j], made[SIZE + j], made[2 * SIZE + j], made[3 * SIZE + j]
            even, steep, back = made[4 * SIZE + j], made[5 * SIZE + j], made[6 * SIZE + j]
            # A velocity is extrapolated for as long as it was observed; beyond that the point may have stopped.
            reach, beyond = min(far, float(n)), max(far - float(n), 0.0)
            ahead[out + k], ahead[out + KNOTS + k] = x + vx * reach, y + vy * reach
            most = excess[k] if k < lags else most * growth
            reach, part = back + reach, drawn(c, reach)
            # The noise of all frames of one, that of the forecast, the last place's doubt by its part, the excess, and
            # the way that the point makes if it does not stop when the extrapolation does.
            ahead[out + 2 * KNOTS + k] = (
                common[r] + white * (even + steep * (reach * reach)) + doubt * (part * part) + most
                + 0.5 * (vx * vx + vy * vy) * (beyond * beyond))
            k += 1
    return 1
