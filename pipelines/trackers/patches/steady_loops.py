"""Frames in which windows go on as they did, as loops: what trackers do with NumPy, in their order (`steady`)."""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, PIXELS, at, loop, sqrt
from pipelines.trackers.patches.ellipse_loops import SHAPE, shapes_of
from pipelines.trackers.patches.fit_loops import fit
from pipelines.trackers.patches.foresee_loops import remember
from pipelines.trackers.patches.look_loops import pixels_noise, reference_noise, uneven, weigh
from pipelines.trackers.patches.warp_loops import sinking, turning
from pipelines.trackers.patches.young_loops import LOOKS, below, look_and_join, redraw, solve, sound

# What `sizes` of `frames` holds, in this order.
HEIGHT, WIDTH, COUNT, ROOM, W, PITCH, SIDE, STRIDE, EDGE, SIZE, ACROSS, MOST, BENDING, STRIPED, REAL, SIZES = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)  # fmt: skip
# And parts of `how`: of stripes, of noise, least distance (px; 0: any), FALL while nobody knows the usual score.
STRIPY, NOISY, APART, UNKNOWN = 23, 26, 32, 33
SINKING = 0.5  # how much slower a usual score sinks than it rises, not to sink with what creeps over a window


@loop
def seek(image: PIXELS, height: int, width: int, count: int, step: float, room: int, w: int, pitch: int, floats: F64,
         places: I64, slot: I64, averaged: I64, looks: I32, which: I64, how: F64, mask: F64, table: F64, pixels: F64,
         norm: F64, jacobian: F64, inverse: F64, textured: I64, found: F64, converged: I64, variance: F64,
         work: F64) -> int:  # fmt: skip
    """Find the windows one frame on; 1 if each is where it was expected and looks as usual. Nothing is changed. What is
    not a number leaves a window without a score.

    Args:
        floats, places: the block of the columns, and the first entries of FLOATS in it.
        how: reach, settled, least score, worse, settling, largest speed, acceleration^2, degrees of freedom,
            w^2 SLOPE_NOISE, FLOOR^2, LEAST, MOST, SURE, steps, FALL, UNEVEN,
            FEW.
        found: room for x, y, score, phase, rest, bend (4), of `room` windows each.
        variance: of one frame's noise, without the interpolation's error.
    """
    x, y, vx, vy = at(floats, places[0]), at(floats, places[1]), at(floats, places[2]), at(floats, places[3])
    px, py, gap = at(floats, places[7]), at(floats, places[8]), at(floats, places[9])
    level, offset, grain = at(floats, places[11]), at(floats, places[12]), at(floats, places[13])
    fx, fy, score, phase = at(found, 0), at(found, room), at(found, 2 * room), at(found, 3 * room)
    rest, bend = at(found, 4 * room), at(found, 5 * room)
    half = float(w // 2)
    right, below = float(width - 1), float(height - 1)
    for k in range(count):
        i = which[k]
        fx[i], fy[i] = x[i] + step * vx[i], y[i] + step * vy[i]
        if not (fx[i] >= half and fx[i] <= right - half and fy[i] >= half and fy[i] <= below - half):
            return 0
        if textured[slot[i]] != 1:
            return 0
    fit(image, height, width, which, count, w, pitch, 2, mask, table, slot, pixels, norm, jacobian, inverse, textured,
        how[0], int(how[13]), how[1], fx, fy, bend, score, phase, rest, converged, work)  # fmt: skip
    margin = half - 0.25
    for k in range(count):
        i = which[k]
        known = level[i] if level[i] > 0.0 else 1.0
        fall = how[14] if level[i] > 0.0 else how[UNKNOWN]
        usual = max(max(how[2], known - how[3]), known - (fall + how[15] * (1.0 - known)))
        if converged[i] == 0 or not (score[i] >= usual):
            return 0
        if not (fx[i] >= margin and fx[i] <= right - margin and fy[i] >= margin and fy[i] <= below - margin):
            return 0
        ex, ey = fx[i] - px[i], fy[i] - py[i]
        if not (sqrt(ex * ex + ey * ey) / max(gap[i] + step, 1.0) < how[12] * how[5]):
            return 0
        own = slot[i]
        spread = (inverse[4 * own] + inverse[4 * own + 3]) / 2.0 * 1.0
        number = float(averaged[i])
        ratio = uneven(grain[i], looks[i], int(how[16]), how[10], how[11])
        known = reference_noise(offset[i], spread, ratio, number, how[8]) if looks[i] > 0 else 0.0
        noise = pixels_noise(max(rest[i], 0.0) / how[7], phase[i], number, known)
        true = 1.0 - min(how[8] * noise / number * spread, 0.5)
        variance[i] = noise * spread / (true * true) * ratio
        if not (variance[i] + how[9] <= 1.0):
            return 0
    return 1


@loop
def believe(count: int, step: float, room: int, floats: F64, places: I64, how: F64, found: F64, noise: F64, kept: F64,
            ) -> int:  # fmt: skip
    """Take what was sought: one frame on.

    Args:
        noise: variances of the places, px^2, without renewals.
        kept: gets KEPT, `count` of each.
    """
    x, y, vx, vy = at(floats, places[0]), at(floats, places[1]), at(floats, places[2]), at(floats, places[3])
    p00, p01, p11 = at(floats, places[4]), at(floats, places[5]), at(floats, places[6])
    px, py, gap, drift = at(floats, places[7]), at(floats, places[8]), at(floats, places[9]), at(floats, places[10])
    level, bend, base = at(floats, places[11]), at(floats, places[14]), at(floats, places[17])
    ox, oy = at(floats, places[18]), at(floats, places[19])
    told, past, pvar = at(floats, places[22]), at(floats, places[23]), at(floats, places[24])
    misfit = at(floats, places[25])
    fx, fy, score = at(found, 0), at(found, room), at(found, 2 * room)
    q = how[6]
    for i in range(count):
        x0, y0 = x[i] + step * vx[i], y[i] + step * vy[i]
        a = p00[i] + (step * (2.0 * p01[i] + step * p11[i]) + q * (step * step * step) / 3.0)
        b = p01[i] + (step * p11[i] + q * step * step / 2.0)
        c = p11[i] + q * step
        variance = noise[i] * (1.0 + misfit[i]) + drift[i]
        total = a + variance
        k1 = b / total
        rx, ry = fx[i] - x0, fy[i] - y0
        vx[i], vy[i] = vx[i] + k1 * rx, vy[i] + k1 * ry
        remember(i, past, told, gap[i] + step, px[i], py[i], fx[i], fy[i])
        p01[i] = k1 * variance
        p11[i] = max(c - k1 * b, 0.0)
        x[i], y[i], p00[i], pvar[i] = fx[i], fy[i], variance, variance
        px[i], py[i], gap[i] = fx[i], fy[i], 0.0
        rate = how[4] if score[i] >= level[i] else how[4] * SINKING
        level[i] = level[i] + (rate if level[i] > 0.0 else 1.0) * (max(score[i], 0.0) - level[i])
        one, two = at(bend, 4 * i), at(base, 4 * i)
        m0, m1 = one[0] * two[0] + one[1] * two[2], one[0] * two[1] + one[1] * two[3]
        m2, m3 = one[2] * two[0] + one[3] * two[2], one[2] * two[1] + one[3] * two[3]
        kept[i], kept[count + i] = fx[i] + (m0 * ox[i] + m1 * oy[i]), fy[i] + (m2 * ox[i] + m3 * oy[i])
        kept[2 * count + i], kept[3 * count + i] = vx[i], vy[i]
        kept[4 * count + i], kept[5 * count + i] = variance, score[i]
    return 1


@loop
def taken(count: int, step: float, room: int, floats: F64, places: I64, how: F64, found: F64, variance: F64, kept: F64,
          ) -> int:  # fmt: skip
    """The same with the variances of one frame's noise."""
    offset = at(floats, places[12])
    for i in range(count):
        variance[i] = max(variance[i] + offset[i], 0.0) + how[9]
    believe(count, step, room, floats, places, how, found, variance, kept)
    return 1


@loop
def learning(count: int, most: int, averaged: I64, counted: I64, closed: I32, solved: I32) -> int:
    """`Corners.learning`."""
    for i in range(count):
        if solved[i] < LOOKS or (averaged[i] < most and closed[i] == 0) or below(averaged[i]) > counted[i]:
            return 1
    return 0


@loop
def together(x: F64, y: F64, order: I64, count: int, reach: float) -> int:
    """Whether two of the points are nearer than `reach`. `order`: of rising y, nearly; it is put right."""
    for n in range(1, count):
        one = order[n]
        m = n
        while m > 0 and y[order[m - 1]] > y[one]:
            order[m] = order[m - 1]
            m -= 1
        order[m] = one
    for n in range(count):
        i = order[n]
        for m in range(n + 1, count):
            ex, ey = x[order[m]] - x[i], y[order[m]] - y[i]
            if ey >= reach:
                break
            if ex * ex + ey * ey < reach * reach:
                return 1
    return 0


@loop
def frames(image: PIXELS, starts: I64, steps: F64, number: int, age: int, sizes: I64, floats: F64, places: I64,
           slot: I64, averaged: I64, counted: I64, looks: I32, solved: I32, closed: I32, how: F64, mask: F64,
           middle: F64, lever: F64, table: F64, tiles: F64, pixels: F64, norm: F64, jacobian: F64, inverse: F64,
           textured: I64, which: I64, order: I64, fresh: I64, found: F64, converged: I64, variance: F64, gains: F64,
           kept: F64, shapes: F64, state: I64, doubtful: I64, flags: I64, trial: F64, planes: F64,
           work: F64) -> int:  # fmt: skip
    """Frames of windows that only move, up to one in which a window needs more or sees a pixel that is not a number;
    how many those are.

    Args:
        starts: the first pixel of each frame from `image` on; steps: frames since the frame before.
        age: frames since the first one before these.
        sizes: as their names say. `most` frames are averaged. floats, places, how, found, variance: as for `seek`.
        middle: `Anchors.mask`. which: 0 ... count - 1. order: these by rising y, nearly.
        fresh, converged, gains, doubtful: room for `count`. flags: 8. trial: as for `warp_loops.needed`.
        kept: gets KEPT of each frame, `count` of each; shapes: their shapes (`ellipse_loops`) after it.
        state: gets how many windows are `doubtful` (`redraw`), and whether a window turns by now.
        planes: zeros, for `ratios_of` and nobody else.
    """
    height, width, count, room, w, pitch = (
        sizes[HEIGHT], sizes[WIDTH], sizes[COUNT], sizes[ROOM], sizes[W], sizes[PITCH])  # fmt: skip
    side, stride, edge, most = sizes[SIDE], sizes[STRIDE], sizes[EDGE], sizes[MOST]
    x, y, level, offset = at(floats, places[0]), at(floats, places[1]), at(floats, places[11]), at(floats, places[12])
    grain, left, tested = at(floats, places[13]), at(floats, places[20]), at(floats, places[21])
    misfit = at(floats, places[25])
    fx, fy, phase, rest = at(found, 0), at(found, room), at(found, 3 * room), at(found, 4 * room)
    noisy = at(how, NOISY)
    young = 1
    state[0], state[1] = 0, 0
    for f in range(number):
        picture = at(image, starts[f])
        step = steps[f]
        if seek(picture, height, width, count, step, room, w, pitch, floats, places, slot, averaged, looks, which, how,
                mask, table, pixels, norm, jacobian, inverse, textured, found, converged, variance,
                work) == 0:  # fmt: skip
            return f
        if how[APART] > 0.0 and together(fx, fy, order, count, how[APART]) > 0:
            return f
        if young > 0:
            young = learning(count, most, averaged, counted, closed, solved)
        if young > 0:
            whole = 1
            if sizes[REAL] > 0:
                whole = sound(picture, height, width, count, most, age + f + 1, fx, fy, slot, averaged, closed, looks,
                              sizes[SIZE], sizes[ACROSS], work)  # fmt: skip
            if whole == 0:
                return f
            if sizes[BENDING] > 0:
                turns = turning(picture, height, width, count, most, age + f + 1, w, pitch, side, stride, edge, fx, fy,
                                slot, averaged, closed, looks, grain, mask, lever, table, tiles, trial, flags,
                                work)  # fmt: skip
                if turns > 0:
                    return f
            joined = at(converged, 0)  # all are by now
            looked = look_and_join(
                picture, height, width, count, which, count, 2, most, age + f + 1, w, pitch, side, stride, edge,
                sizes[SIZE], sizes[ACROSS], room, found, found, slot, averaged, closed, looks, left, fresh, gains,
                joined, pixels, norm, jacobian, inverse, mask, middle, table, tiles, work)  # fmt: skip
            solve(count, looked, slot, looks, solved, grain, offset, left, pixels, jacobian, inverse, w, pitch, mask,
                  noisy, planes, doubtful, work)  # fmt: skip
            weigh(which, count, phase, rest, slot, averaged, looks, fresh, gains, grain, offset, inverse, textured, 2,
                  noisy, variance)  # fmt: skip
            believe(count, step, room, floats, places, how, found, variance, at(kept, 6 * f * count))
            for i in range(count):
                averaged[i] = averaged[i] + joined[i]
            state[0] = redraw(count, sizes[STRIPED], slot, averaged, counted, tiles, side, stride, edge, w, pitch, mask,
                              lever, pixels, norm, jacobian, inverse, textured, at(how, STRIPY), doubtful,
                              work)  # fmt: skip
        else:
            taken(count, step, room, floats, places, how, found, variance, at(kept, 6 * f * count))
        if sizes[BENDING] > 0:
            state[1] = sinking(picture, height, width, count, most, age + f + 1, w, pitch, side, stride, edge, x, y,
                               slot, averaged, closed, looks, grain, level, tested, misfit, mask, lever, table, tiles,
                               trial, flags, work)  # fmt: skip
        shapes_of(slot, count, inverse, 2, textured, float(w), at(shapes, SHAPE * f * count))
        if state[0] > 0 or state[1] > 0:
            return f + 1
    return number
