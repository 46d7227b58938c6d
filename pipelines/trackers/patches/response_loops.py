"""Following windows by their answers (`patches.response`), point by point through the frames of a batch."""

from __future__ import annotations

from kernels.host.loops import F32, F64, I64, LANES, PIXELS, at, like, loop, own, put, rint, sqrt, vec
from pipelines.trackers.patches.answer_loops import PATTERNS, first_answer, gentler, refined

# As `pipelines.trackers.patches.response` lays them out; its tests compare.
BASIS, SCALE, SPREAD, AXES, PIXELS_A, PLAIN, UNBENT, HIDDEN, BEND, TERMS, CONSTANTS = (
    27, 31, 33, 34, 35, 36, 72, 146, 147, 20, 328)  # fmt: skip
DEGREE = 5

# A point's state: the whole-pixel place of its reference, displacement (px) and velocity (px/frame) when last seen,
# variance of a frame's noise in the first frame's light (px^2), frames that it is a mean of, mean square of a step
# (px^2/frame), frames since last seen, frames without being seen, variance of a pixel's noise in the first frame's
# light (0: not known yet), the reference's share of a frame's noise, frames that PIXEL is a mean of.
ANCHOR_X, ANCHOR_Y, X, Y, VX, VY, VARIANCE, COUNT, MOVED, GAP, MISSED, PIXEL, SHARE, ALIKE, STATE = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)  # fmt: skip
# A row of the result: displacement and noise along x and y, velocity, variance, score, reason, frames without being
# seen.
OUT_X, OUT_Y, OUT_NX, OUT_NY, OUT_VX, OUT_VY, OUT_VARIANCE, OUT_SCORE, OUT_REASON, OUT_MISSED, OUT = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)  # fmt: skip
# What a frame showed of a point: the sums (SUMMED), by which whole pixels its window was moved, whether it was found.
SUMMED, FOUND_THERE, SEEN = 15, 17, 18
# Scratch memory: sums in vectors, the sums, the answer, powers, polynomials.
SUMS, TOTAL, SQUARES, LIGHT, SHIFT_X, SHIFT_Y, R1, R2, GAIN, SCORE, LEFT_OVER, D1, D2, N1, N2 = (
    120, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145)  # fmt: skip
POWER1, POWER2, POLYNOMIALS, FOUND, WORK = 146, 152, 158, 162, 208

NEAR = 0.6  # px; a window that answers more is moved by whole pixels first
FARTHEST = 2.0  # px by which one answer moves a window
TRIES = 6  # moves by whole pixels
OUTSIDE, LOW = 2, 3  # pipelines.features.Reason
MEMORY = 248.0  # frames over which the noise is averaged
BENT, HALF = 0.0007, 0.1  # px, what the polynomials and the taps leave, for answers of which squares add to px^2
DISTANT = 0.36  # px^2, of the answers at which UNBENT is true
SURE = 3.0  # standard deviations (of white noise) by which means of squares that noise leaves differ at most
PRIOR = 8.0  # frames that the first estimate, of the pixels' residual, counts for


@loop
def sums(images: PIXELS, start: int, pitch: int, columns: LANES, count: int, window: int, blocks: int, mask: LANES,
         room: LANES, pixels: F32, work: F64) -> int:  # fmt: skip
    """The window's products with the six columns, of all pixels and of the first half's, its sum, its sum of squares
    and its first half's sum, to work[SUMS:]; of pixels less the one in its middle, which changes no answer.

    The sums are of single precision, as the columns are: they err by some 1e-7 of the light's power, of which noise of
    0.1 grey values in a contrast of 100 is 1e-6. Contrasts must be within 1e-15 to 1e17, else nothing is seen.

    Args:
        count: vectors of a column. mask: as `response.single_masks`.
        room, pixels: the same memory, count + 15 vectors, 0 between the window's pixels and the last 15.
    """
    middle = float(images[start + (window // 2) * pitch + window // 2])
    for r in range(window):
        for b in range(blocks):
            put(pixels, (r * blocks + b) * 8, vec(images, start + r * pitch + min(8 * b, window - 8)) - middle)
    a0, a1, a2, a3 = like(mask, 0.0), like(mask, 0.0), like(mask, 0.0), like(mask, 0.0)
    a4, a5, h0, h1 = like(mask, 0.0), like(mask, 0.0), like(mask, 0.0), like(mask, 0.0)
    h2, h3, h4, h5 = like(mask, 0.0), like(mask, 0.0), like(mask, 0.0), like(mask, 0.0)
    total, squares, half = like(mask, 0.0), like(mask, 0.0), like(mask, 0.0)
    for k in range(count):
        v, side, one = own(room, k), own(mask, count + k), own(mask, k)
        m = v * one
        total += m
        squares += m * v
        half += v * side
        p0, p1, p2 = v * own(columns, k), v * own(columns, count + k), v * own(columns, 2 * count + k)
        a0 += p0
        a1 += p1
        a2 += p2
        h0 += p0 * side
        h1 += p1 * side
        h2 += p2 * side
        p3, p4, p5 = v * own(columns, 3 * count + k), v * own(columns, 4 * count + k), v * own(columns, 5 * count + k)
        a3 += p3
        a4 += p4
        a5 += p5
        h3 += p3 * side
        h4 += p4 * side
        h5 += p5 * side
    put(room, count, a0)
    put(room, count + 1, a1)
    put(room, count + 2, a2)
    put(room, count + 3, a3)
    put(room, count + 4, a4)
    put(room, count + 5, a5)
    put(room, count + 6, h0)
    put(room, count + 7, h1)
    put(room, count + 8, h2)
    put(room, count + 9, h3)
    put(room, count + 10, h4)
    put(room, count + 11, h5)
    put(room, count + 12, total)
    put(room, count + 13, squares)
    put(room, count + 14, half)
    for k in range(15):
        place = 16 * (count + k)
        put(work, 0, vec(pixels, place) + vec(pixels, place + 8))
        work[SUMS + k] = (((work[0] + work[1]) + (work[2] + work[3]))
                          + ((work[4] + work[5]) + (work[6] + work[7])))  # fmt: skip
    return 0


@loop
def refine(constants: F64, work: F64) -> int:
    """From the first answer of `look` to the displacement and the halves' difference; 0 where there is no light."""
    r1, r2 = work[R1], work[R2]
    if refined(constants, at(work, SUMS), r1, r2, at(work, FOUND)) == 0:
        return 0
    work[GAIN], work[D1], work[D2] = work[FOUND], r1 + work[FOUND + 1], r2 + work[FOUND + 2]
    work[N1], work[N2] = work[FOUND + 4] - work[FOUND + 7], work[FOUND + 5] - work[FOUND + 8]
    return 1


@loop
def answer(constants: F64, window: int, work: F64) -> int:
    """The first answer by the sums that are in `work`, into work[R1..LEFT_OVER]; 0, or why there is none."""
    if first_answer(constants, at(work, SUMS), at(work, FOUND)) == 0:
        return LOW
    area, rest = float(window * window), work[TOTAL] - work[LIGHT]
    first = constants[PIXELS_A]
    # The model has an offset for each half.
    everything = work[SQUARES] - work[LIGHT] * work[LIGHT] / first - rest * rest / (area - first)
    explained = 0.0
    for p in range(PATTERNS):
        one = 0.0
        for q in range(PATTERNS):
            one += constants[PLAIN + PATTERNS * p + q] * work[SUMS + q]
        explained += one * work[SUMS + p]
    if not (everything > 0.0 and explained > 0.0):
        return LOW
    work[GAIN], work[R1], work[R2] = work[FOUND], work[FOUND + 1], work[FOUND + 2]
    work[SCORE] = sqrt(min(explained / everything, 1.0))
    work[LEFT_OVER] = max(everything - explained, 0.0) / (area - (8.0 if constants[AXES] == 2.0 else 5.0))
    return 0


@loop
def look(images: PIXELS, start: int, height: int, width: int, columns: LANES, count: int, constants: F64, window: int,
         blocks: int, mask: LANES, room: LANES, pixels: F32, work: F64, x: int, y: int) -> int:  # fmt: skip
    """The same of the window centred at x, y."""
    half = window // 2
    if x - half < 0 or y - half < 0 or x + half >= width or y + half >= height:
        return OUTSIDE
    sums(images, start + (y - half) * width + x - half, width, columns, count, window, blocks, mask, room,
         pixels, work)
    return int(answer(constants, window, work))


@loop
def near(constants: F64, work: F64) -> int:
    """Whether the first answer is that the window need not be moved by whole pixels."""
    dx = constants[BASIS] * work[R1] + constants[BASIS + 2] * work[R2]
    dy = constants[BASIS + 1] * work[R1] + constants[BASIS + 3] * work[R2]
    return 1 if abs(dx) <= NEAR and abs(dy) <= NEAR else 0


@loop
def approach(images: PIXELS, start: int, height: int, width: int, columns: LANES, count: int,
             constants: F64, window: int, blocks: int, mask: LANES, room: LANES, pixels: F32, work: F64, x: int,
             y: int, shift_x: int, shift_y: int, reach: int) -> int:  # fmt: skip
    """Move the window by whole pixels until it answers with less than one; 0, or why it does not."""
    first_x, first_y = shift_x, shift_y
    for _ in range(TRIES):
        work[SHIFT_X], work[SHIFT_Y] = float(shift_x), float(shift_y)
        code = look(images, start, height, width, columns, count, constants, window, blocks, mask, room, pixels,
                    work, x + shift_x, y + shift_y)  # fmt: skip
        if code != 0:
            return int(code)
        if near(constants, work) == 1:
            return 0
        dx = constants[BASIS] * work[R1] + constants[BASIS + 2] * work[R2]
        dy = constants[BASIS + 1] * work[R1] + constants[BASIS + 3] * work[R2]
        shift_x += int(rint(max(min(dx, FARTHEST), 0.0 - FARTHEST)))
        shift_y += int(rint(max(min(dy, FARTHEST), 0.0 - FARTHEST)))
        if max(abs(float(shift_x - first_x)), abs(float(shift_y - first_y))) > float(reach):
            return LOW
    return LOW


@loop
def search(images: PIXELS, start: int, height: int, width: int, columns: LANES, count: int, constants: F64, window: int,
           blocks: int, mask: LANES, room: LANES, pixels: F32, work: F64, x: int, y: int, shift_x: int, shift_y: int,
           reach: int) -> int:  # fmt: skip
    """The best whole-pixel shift within `reach`, and the approach from there; 0, or why there is none."""
    best, best_x, best_y, why = 0.0, shift_x, shift_y, LOW
    for dy in range(0 - reach, reach + 1):
        for dx in range(0 - reach, reach + 1):
            code = look(images, start, height, width, columns, count, constants, window, blocks, mask, room, pixels,
                        work, x + shift_x + dx, y + shift_y + dy)  # fmt: skip
            if code == 0 and work[SCORE] > best:
                best, best_x, best_y = work[SCORE], shift_x + dx, shift_y + dy
            if code == OUTSIDE and dx == 0 and dy == 0:
                why = OUTSIDE
    if best == 0.0:
        return why
    code = approach(images, start, height, width, columns, count, constants, window, blocks, mask, room, pixels,
                    work, x, y, best_x, best_y, 2)  # fmt: skip
    return int(code)


@loop
def straighten(constants: F64, work: F64) -> int:
    """The polynomials of the answer: displacements 1 and 2, difference of the halves 1 and 2; into work."""
    work[POWER1], work[POWER2] = 1.0, 1.0
    for i in range(DEGREE):
        work[POWER1 + i + 1] = work[POWER1 + i] * work[R1]
        work[POWER2 + i + 1] = work[POWER2 + i] * work[R2]
    for k in range(4):
        work[POLYNOMIALS + k] = 0.0
    m = BEND
    for degree in range(1, DEGREE + 1):
        for j in range(degree + 1):
            term = work[POWER1 + degree - j] * work[POWER2 + j]
            for k in range(4):
                work[POLYNOMIALS + k] = work[POLYNOMIALS + k] + constants[m + k * TERMS] * term
            m += 1
    return 0


@loop
def book(constants: F64, state: F64, work: F64, out: F64) -> int:
    """Take what was found into the state, and into a row."""
    straighten(constants, work)
    s1, s2 = work[D1] - work[POLYNOMIALS], work[D2] - work[POLYNOMIALS + 1]
    n1 = (work[N1] - work[POLYNOMIALS + 2]) * constants[SCALE] * gentler(constants, 1, work[R1], work[R2])
    n2 = (work[N2] - work[POLYNOMIALS + 3]) * constants[SCALE + 1] * gentler(constants, 2, work[R1], work[R2])
    e1x, e1y, e2x, e2y = constants[BASIS], constants[BASIS + 1], constants[BASIS + 2], constants[BASIS + 3]
    x, y = work[SHIFT_X] + e1x * s1 + e2x * s2, work[SHIFT_Y] + e1y * s1 + e2y * s2
    if constants[AXES] == 1.0:  # along stripes nothing is known: whole pixels along them are no motion
        along = e1x * work[SHIFT_X] + e1y * work[SHIFT_Y] + s1
        x, y, n2 = e1x * along, e1y * along, 0.0
    # Shot noise: in the first frame's light a displacement's variance is V, at a gain V / gain. What the halves and the
    # residual show is the frame's and the reference's.
    gain, count = work[GAIN], min(state[COUNT], MEMORY)
    seen = 1.0 / gain + state[SHARE]
    if state[SHARE] == 1.0:
        # The mean of those that are as the least but for chance: a window that has moved by part of a pixel leaves what
        # is of third order, too. By the least alone sigma was too small in dim light.
        pixel = max(work[LEFT_OVER] / (gain * gain * (seen - constants[HIDDEN])), 1e-30)
        apart = SURE * sqrt(1.0 / constants[PIXELS_A])
        if state[PIXEL] == 0.0 or pixel < state[PIXEL] * (1.0 - apart):
            state[PIXEL], state[ALIKE] = pixel, 1.0
        elif pixel < state[PIXEL] * (1.0 + apart):
            state[ALIKE] = state[ALIKE] + 1.0
            state[PIXEL] = state[PIXEL] + (pixel - state[PIXEL]) / state[ALIKE]
        if count == 0.0:
            state[VARIANCE] = pixel * constants[SPREAD]
        if constants[UNBENT] > 0.0:
            state[VARIANCE] = min(state[VARIANCE], state[PIXEL] * constants[SPREAD])
    if constants[UNBENT] == 0.0:  # else the halves differ by more than noise
        power = (n1 * n1 + n2 * n2) / (constants[AXES] * seen)
        state[VARIANCE] = state[VARIANCE] + (power - state[VARIANCE]) / (count + PRIOR)
    gap = max(state[GAP], 0.001)
    dx, dy = x - state[X], y - state[Y]
    moved = 0.5 * (dx * dx + dy * dy) / gap
    state[MOVED] = state[MOVED] + (moved - state[MOVED]) / (count + 1.0)
    state[COUNT] = state[COUNT] + 1.0
    state[X], state[Y], state[VX], state[VY] = x, y, dx / gap, dy / gap
    state[GAP], state[MISSED] = 0.0, 0.0
    out[OUT_NX], out[OUT_NY] = e1x * n1 + e2x * n2, e1y * n1 + e2y * n2
    return 0


@loop
def follow(images: PIXELS, starts: I64, steps: F64, frames: int, points: int, height: int, width: int, window: int,
           blocks: int, mask: LANES, columns: LANES, count: int, constants: F64, states: F64, reach: int, low: float,
           again: int, seen: F64, room: LANES, pixels: F32, work: F64, rows: F64) -> int:  # fmt: skip
    """All points through all frames.

    Args:
        images: from one address on; starts: the first pixel of each frame; steps: frames since the frame before.
        mask: as `response.masks`; columns, constants: as `response.Responses`.
        states: (points, STATE), changed in place. work: WORK values.
        again: 1 where the one frame was followed with other constants just now: what was found is answered anew.
        seen: (points, SEEN), what the last frame showed where each was found.
        rows: (frames, points, OUT), filled.
    """
    for p in range(points):
        column = at(columns, p * 6 * count)
        constant = at(constants, p * CONSTANTS)
        state = at(states, p * STATE)
        x, y = int(state[ANCHOR_X]), int(state[ANCHOR_Y])
        for i in range(frames):
            out = at(rows, (i * points + p) * OUT)
            state[GAP] = state[GAP] + steps[i]
            sx, sy = int(rint(state[X])), int(rint(state[Y]))
            shown, code = at(seen, p * SEEN), LOW
            if again == 1 and shown[FOUND_THERE] == 1.0:
                for k in range(SUMMED):
                    work[SUMS + k] = shown[k]
                work[SHIFT_X], work[SHIFT_Y] = shown[SUMMED], shown[SUMMED + 1]
                code = answer(constant, window, work)
                if code == 0:
                    code = 0 if near(constant, work) == 1 else LOW
            if code != 0:
                code = approach(images, starts[i], height, width, column, count, constant, window, blocks, mask, room,
                                pixels, work, x, y, sx, sy, reach + 2)  # fmt: skip
            if code != 0 or work[SCORE] < low:
                code = approach(images, starts[i], height, width, column, count, constant, window, blocks, mask, room,
                                pixels, work, x, y, int(rint(state[X] + state[VX] * state[GAP])),
                                int(rint(state[Y] + state[VY] * state[GAP])), reach + 2)  # fmt: skip
            if code != 0 or work[SCORE] < low:
                code = search(images, starts[i], height, width, column, count, constant, window, blocks, mask, room,
                              pixels, work, x, y, sx, sy, reach)  # fmt: skip
            if code == 0 and work[SCORE] < low:
                code = LOW
            if code == 0:
                code = 0 if refine(constant, work) == 1 else LOW
            out[OUT_NX], out[OUT_NY], out[OUT_SCORE], shown[FOUND_THERE] = 0.0, 0.0, 0.0, 0.0
            if code == 0:
                shown[FOUND_THERE], shown[SUMMED], shown[SUMMED + 1] = 1.0, work[SHIFT_X], work[SHIFT_Y]
                for k in range(SUMMED):
                    shown[k] = work[SUMS + k]
                book(constant, state, work, out)
                out[OUT_SCORE] = work[SCORE]
            else:
                state[MISSED] = state[MISSED] + 1.0
            out[OUT_X], out[OUT_Y], out[OUT_VX], out[OUT_VY] = state[X], state[Y], state[VX], state[VY]
            light, bent = 1.0, 0.0
            if code == 0:
                light = work[GAIN]
                away = work[R1] * work[R1] + work[R2] * work[R2]
                far = min(away / DISTANT, 1.0)
                bent = BENT * BENT * min(away / HALF, 1.0) + constant[UNBENT] * far * far * sqrt(far)
            # The frame's noise, and the first frame's; what no frame shows; what may have happened since.
            out[OUT_VARIANCE] = state[VARIANCE] * (1.0 / light + 1.0) + bent + state[MOVED] * state[GAP]
            out[OUT_REASON], out[OUT_MISSED] = float(code), state[MISSED]
    return 0
