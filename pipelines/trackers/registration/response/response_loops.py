"""Following windows by their answers (`registration.response.response`), point by point through the frames of a batch.

Eight frames of a point are looked at in one go, where its window is now: what they answer does not depend on one
another, and takes hardly longer than what one does. As soon as a window has moved to another pixel, the next eight are
looked at from there.

A window of which a part is beyond the edge of the picture goes on by the part that is inside, as long as its centre is
(`registration.response.truncated_estimate_loops`). What is inside in whole is answered as if there were no edge.
"""

from __future__ import annotations

from kernels.loops.language import (
    EIGHTS,
    F64,
    as_f64_rows,
    at,
    gather_transpose,
    loop,
    rint,
    splat,
    splat_like,
    sqrt,
    store,
)
from pipelines.trackers.registration.response.batch_estimate_loops import (
    BENT_BY,
    CLEAN,
    DIMMER,
    DX,
    DY,
    NX,
    NY,
    OFF_X,
    OFF_Y,
    PIXEL_SEEN,
    POWER,
    S1,
    SCORE,
    SHOWN,
    WIDER,
    answer,
    refine,
)
from pipelines.trackers.registration.response.response_estimate_loops import GOOD
from pipelines.trackers.registration.response.truncated_estimate_loops import READY, glance, settled
from pipelines.trackers.registration.windows.pack_loops import LANE, sums
from pipelines.trackers.registration.windows.structs import PATTERNS, Batch, Frame, Subset

# As `pipelines.trackers.registration.response.response` lays them out; its tests compare.
BASIS, SPREAD, AXES, PIXELS_A, UNBENT, CONSTANTS = 27, 33, 34, 35, 72, 328

# A point's state: the whole-pixel place of its reference, displacement (px) and velocity (px/frame) when last seen,
# variance of a frame's noise in the first frame's light (px^2), frames that it is a mean of, mean square of a step
# (px^2/frame), frames since last seen, frames without being seen, variance of a pixel's noise in the first frame's
# light (0: not known yet), the reference's share of a frame's noise, frames that PIXEL is a mean of.
ANCHOR_X, ANCHOR_Y, X, Y, VX, VY, VARIANCE, COUNT, MOVED, GAP, MISSED, PIXEL, SHARE, ALIKE, STATE = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)  # fmt: skip
# A row of the result: displacement and noise along x and y, velocity, variance, score, reason, frames without being
# seen, whether it was by a part of its window (1, 0).
OUT_X, OUT_Y, OUT_NX, OUT_NY, OUT_VX, OUT_VY, OUT_VARIANCE, OUT_SCORE, OUT_REASON, OUT_MISSED, OUT_PART, OUT = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)  # fmt: skip
# What a frame showed of a point: its sums, by which whole pixels its window was moved, whether it was found.
SHOWN_X, SHOWN_Y, FOUND_THERE, SEEN = 16, 17, 18, 19
EIGHT = 8  # frames in one go
FAST = 0.05  # px^2/frame; of windows with longer steps fewer are looked at first, for they soon are at other pixels
# Scratch memory: sums of eight frames, where a window was found, whether a pixel was seen that is no number, whether
# the last window was looked at by a part of it (1, 0), the rows; then that of `truncated_estimate_loops`.
SHIFT_X, SHIFT_Y, STRANGE, PART, RESULTS = 128, 129, 130, 131, 136
WORK = RESULTS + 8 * SHOWN

NEAR = 0.6  # px; a window that answers more is moved by whole pixels first
FARTHEST = 2.0  # px by which one answer moves a window
TRIES = 6  # moves by whole pixels
OUTSIDE, LOW, BARE = 2, 3, 5  # pipelines.features.Reason
VAGUE = 1.0  # px^2; what is left of a window that would be placed worse has no texture
MEMORY = 248.0  # frames over which the noise is averaged
SURE = 3.0  # standard deviations (of white noise) by which means of squares that noise leaves differ at most
PRIOR = 8.0  # frames that the first estimate, of the pixels' residual, counts for


@loop
def inside(x: int, y: int, half: int, height: int, width: int) -> int:
    """Whether a window centred there is in the picture."""
    return 1 if x - half >= 0 and y - half >= 0 and x + half < width and y + half < height else 0


@loop
def centred(x: float, y: float, height: int, width: int) -> int:
    """Whether a place is in the picture."""
    return 1 if x >= 0.0 and y >= 0.0 and x <= float(width - 1) and y <= float(height - 1) else 0


@loop
def near(lane: EIGHTS, k: int) -> int:
    """Whether frame k of eight has an answer by which its window need not be moved by whole pixels."""
    return 1 if lane[CLEAN, k] > 0.0 and abs(lane[DX, k]) <= NEAR and abs(lane[DY, k]) <= NEAR else 0


@loop
def look(f: Frame, s: Subset, x: int, y: int) -> int:
    """The first answer of the window centred at x, y, as the first of eight; 0, or why there is none."""
    half, lane = s.window // 2, as_f64_rows(at(s.work, RESULTS))
    s.work[PART] = 0.0
    # What the packed columns are for is a whole window; a part has to be fitted.
    if inside(x, y, half, f.height, f.width) == 0:
        s.work[PART] = 1.0
        code = glance(f, s, x, y, lane, at(s.work, WORK))
        if code < 0:
            s.work[STRANGE] = 1.0
        return LOW if code < 0 else code
    # The products of the window's pixels with the six columns answer by themselves: no interpolation, no iteration.
    first = f.start + (y - half) * f.width + x - half
    if sums(f.images, first, s.packing, s.columns, s.count, s.work) == 0:
        s.work[STRANGE] = 1.0
    gather_transpose(lane, 0, s.work, s.packing.moves, 0)
    gather_transpose(lane, 8, s.work, s.packing.moves, 8)
    answer(s.constants, s.window, lane)
    return 0 if lane[CLEAN, 0] > 0.0 else LOW


@loop
def approach(f: Frame, s: Subset, share: float, x: int, y: int, shift_x: int, shift_y: int, reach: int,
             known: int) -> int:  # fmt: skip
    """Move the window by whole pixels until the displacement that it answers is below a pixel; 0, or why it never is.
    `known`: the frame of eight that was looked at from there already, -1 for none."""
    first_x, first_y, lane = shift_x, shift_y, as_f64_rows(at(s.work, RESULTS))
    # The answer is linear for less than a pixel: move the window by what it says, in whole pixels, which needs no
    # interpolation, and ask again from there.
    for _ in range(TRIES):
        s.work[SHIFT_X], s.work[SHIFT_Y] = float(shift_x), float(shift_y)
        # The first round may use a frame of eight that was looked at from here already.
        if known < 0:
            code = look(f, s, x + shift_x, y + shift_y)
            if code != 0:
                return int(code)
        k = max(known, 0)
        known = -1
        if not lane[CLEAN, k] > 0.0:
            return LOW
        if near(lane, k) == 1:
            lane[SCORE, 0] = lane[SCORE, k]
            if s.work[PART] == 0.0:
                return 0
            return int(settled(s.constants, share, s.window, s.table, lane, at(s.work, WORK)))
        # A larger answer is far beyond where it is linear: it says the direction, FARTHEST px at most.
        shift_x += int(rint(max(min(lane[DX, k], FARTHEST), 0.0 - FARTHEST)))
        shift_y += int(rint(max(min(lane[DY, k], FARTHEST), 0.0 - FARTHEST)))
        if max(abs(float(shift_x - first_x)), abs(float(shift_y - first_y))) > float(reach):
            return LOW
    return LOW


@loop
def search(f: Frame, s: Subset, share: float, x: int, y: int, shift_x: int, shift_y: int, reach: int, part: int) -> int:
    """The best whole-pixel shift within `reach`, and the approach from there; 0, or why there is none.

    part: 1 for the places at which a part of the window is beyond the edge, 0 for those at which none is."""
    best, best_x, best_y, why, lane = 0.0, shift_x, shift_y, LOW, as_f64_rows(at(s.work, RESULTS))
    for dy in range(0 - reach, reach + 1):
        for dx in range(0 - reach, reach + 1):
            code = LOW
            # `inside` is 1 or 0: of the places with 1 - part alone.
            if inside(x + shift_x + dx, y + shift_y + dy, s.window // 2, f.height, f.width) + part == 1:
                code = look(f, s, x + shift_x + dx, y + shift_y + dy)
            if code == 0 and lane[SCORE, 0] > best:
                best, best_x, best_y = lane[SCORE, 0], shift_x + dx, shift_y + dy
            # Beyond the picture where the search began: that is why nothing was found.
            if code == OUTSIDE and dx == 0 and dy == 0:
                why = OUTSIDE
    if best == 0.0:
        return why
    code = approach(f, s, share, x, y, best_x, best_y, 2, -1)
    return int(code)


@loop
def sought(f: Frame, s: Subset, state: F64, reach: int, low: float, known: int) -> int:
    """Find a window that was not where it was when last seen, as the first of eight: nearby, where it was going, in all
    places; 0, or why it is not. `known`: the frame of eight that was looked at there, -1 for none."""
    lane, x, y = as_f64_rows(at(s.work, RESULTS)), int(state[ANCHOR_X]), int(state[ANCHOR_Y])
    sx, sy, share = int(rint(state[X])), int(rint(state[Y])), state[SHARE]
    ahead_x, ahead_y = state[X] + state[VX] * state[GAP], state[Y] + state[VY] * state[GAP]
    s.work[PART], s.work[WORK + READY] = 0.0, 0.0
    # The cheapest first: where it was; where it was going; then every whole pixel within reach, first those at which
    # the whole window is inside.
    code = approach(f, s, share, x, y, sx, sy, reach + 2, known)
    if code != 0 or lane[SCORE, 0] < low:
        code = approach(f, s, share, x, y, int(rint(ahead_x)), int(rint(ahead_y)), reach + 2, -1)
    for part in range(2):  # what is there in whole is not taken for a part of something
        if code != 0 or lane[SCORE, 0] < low:
            code = search(f, s, share, x, y, sx, sy, reach, part)
    if code == 0 and lane[SCORE, 0] < low:
        code = LOW
    # What was not found, and was about to leave the picture, left it.
    if code == LOW and centred(float(x) + ahead_x, float(y) + ahead_y, f.height, f.width) == 0:
        code = OUTSIDE
    if code == 0 and s.work[PART] == 0.0:
        refine(s.constants, share, lane)
    if code == 0 and s.work[PART] == 1.0:
        # A part that would be placed worse than VAGUE is taken for bare of texture.
        usual = state[VARIANCE] if state[VARIANCE] > 0.0 else lane[PIXEL_SEEN, 0] * s.constants[SPREAD]
        if usual * lane[WIDER, 0] > VAGUE:
            code = BARE
    return int(code)


@loop
def book(constants: F64, state: F64, lane: EIGHTS, k: int, shift_x: float, shift_y: float, part: int) -> int:
    """Take what frame k of eight showed into the state; `part`: 1 where it showed but a part of the window, of which
    nothing is learnt."""
    x, y = shift_x + lane[OFF_X, k], shift_y + lane[OFF_Y, k]
    if constants[AXES] == 1.0:  # along stripes nothing is known: whole pixels along them are no motion
        e1x, e1y = constants[BASIS], constants[BASIS + 1]
        along = e1x * shift_x + e1y * shift_y + lane[S1, k]
        x, y = e1x * along, e1y * along
    # A running mean that becomes an exponential one after MEMORY frames, so that it follows changes of the light's
    # noise.
    count = min(state[COUNT], MEMORY)
    if part == 1 and state[VARIANCE] == 0.0:  # until more is known
        state[VARIANCE] = lane[PIXEL_SEEN, k] * constants[SPREAD]
    # While the reference is the first frame itself (SHARE 1) what is left holds twice the noise of a pixel.
    if part == 0 and state[SHARE] == 1.0:
        # The mean of those that are as the least but for chance: a window that has moved by part of a pixel leaves what
        # is of third order, too. By the least alone sigma was too small in dim light.
        pixel = lane[PIXEL_SEEN, k]
        apart = SURE * sqrt(1.0 / constants[PIXELS_A])
        if state[PIXEL] == 0.0 or pixel < state[PIXEL] * (1.0 - apart):
            state[PIXEL], state[ALIKE] = pixel, 1.0
        elif pixel < state[PIXEL] * (1.0 + apart):
            state[ALIKE] = state[ALIKE] + 1.0
            state[PIXEL] = state[PIXEL] + (pixel - state[PIXEL]) / state[ALIKE]
        if count == 0.0:
            state[VARIANCE] = pixel * constants[SPREAD]
        # An answer that is straightened as others' are differs between the halves by more than noise: the residual's
        # variance bounds it.
        if constants[UNBENT] > 0.0:
            state[VARIANCE] = min(state[VARIANCE], state[PIXEL] * constants[SPREAD])
    if part == 0 and constants[UNBENT] == 0.0:  # else the halves differ by more than noise
        state[VARIANCE] = state[VARIANCE] + (lane[POWER, k] - state[VARIANCE]) / (count + PRIOR)
    often = 1.0 / max(state[GAP], 0.001)
    # The mean square of a step of one frame, by which a point that is not seen grows uncertain.
    dx, dy = x - state[X], y - state[Y]
    moved = 0.5 * (dx * dx + dy * dy) * often
    state[MOVED] = state[MOVED] + (moved - state[MOVED]) / (count + 1.0)
    state[COUNT] = state[COUNT] + float(1 - part)
    state[X], state[Y], state[VX], state[VY] = x, y, dx * often, dy * often
    state[GAP], state[MISSED] = 0.0, 0.0
    return 0


@loop
def note(constants: F64, state: F64, lane: EIGHTS, k: int, shift_x: float, shift_y: float, code: int,
         part: int, out: F64) -> int:  # fmt: skip
    """A row: of frame k of eight, or of one that showed nothing (`code`: why); `part`: 1 where a part of the window is
    what it showed."""
    if code == 0 and lane[GOOD, k] == 0.0:
        code = LOW
    if code == 0:
        book(constants, state, lane, k, shift_x, shift_y, part)
        # The frame's noise, and the first frame's; what no frame shows; what may have happened since.
        out[OUT_VARIANCE] = state[VARIANCE] * (lane[DIMMER, k] + 1.0) + lane[BENT_BY, k]
        if part == 1:
            # A part is placed as much worse in the frame, and by so much otherwise by the reference's noise than the
            # whole, by which the first frame was placed.
            more = (lane[WIDER, k] - 1.0) * (lane[DIMMER, k] + state[SHARE])
            out[OUT_VARIANCE] = out[OUT_VARIANCE] + state[VARIANCE] * more
        out[OUT_NX], out[OUT_NY], out[OUT_SCORE] = lane[NX, k], lane[NY, k], lane[SCORE, k]
    else:
        state[MISSED] = state[MISSED] + 1.0
        # A random walk since it was seen, besides the noise of two places.
        out[OUT_VARIANCE] = 2.0 * state[VARIANCE] + state[MOVED] * state[GAP]
        out[OUT_NX], out[OUT_NY], out[OUT_SCORE] = 0.0, 0.0, 0.0
    out[OUT_X], out[OUT_Y], out[OUT_VX], out[OUT_VY] = state[X], state[Y], state[VX], state[VY]
    out[OUT_REASON], out[OUT_MISSED], out[OUT_PART] = float(code), state[MISSED], float(part)
    return int(code)


@loop
def show(shown: F64, lane: EIGHTS, k: int, shift_x: float, shift_y: float, code: int) -> int:
    """What frame k of eight showed, or that it showed nothing, or nothing that can be answered anew."""
    shown[FOUND_THERE], shown[SHOWN_X], shown[SHOWN_Y] = 1.0 if code == 0 else 0.0, shift_x, shift_y
    for n in range(LANE):
        shown[n] = lane[n, k]
    return 0


@loop
def follow(b: Batch, s: Subset, points: int, states: F64, reach: int, low: float, again: int, seen: F64,
           rows: F64) -> int:  # fmt: skip
    """All points through all frames. Returns whether a window had a pixel that is no number, or none that f32 holds the
    square of: of such windows nothing is seen.

    Args:
        s: of all points: `columns`, `constants` and `reference` one behind the other.
        states: (points, STATE), changed in place.
        again: 1 where the one frame was followed with other constants just now: what was found is answered anew.
        seen: (points, SEEN), what the last frame showed where each was found.
        rows: (frames, points, OUT), filled.
    """
    lane, half = as_f64_rows(at(s.work, RESULTS)), s.window // 2
    s.work[STRANGE] = 0.0
    # Frames of eight that there are not answer 0; they must be numbers.
    for k in range(0, LANE * EIGHT, 8):  # of frames that there are not
        store(s.work, k, splat(0.0))
    for k in range(2 * s.count):  # between what windows fill of it
        store(s.packing.room, k, splat_like(s.packing.room, 0.0))
    for p in range(points):
        size = s.window + 8
        # A point's own columns, constants and reference: each point goes through all frames before the next begins.
        own = Subset(s.window, s.packing, at(s.columns, p * 2 * s.count * PATTERNS), s.count,
                     at(s.constants, p * CONSTANTS), at(s.reference, p * size * size), s.table, s.work)  # fmt: skip
        state, shown = at(states, p * STATE), at(seen, p * SEEN)
        x, y = int(state[ANCHOR_X]), int(state[ANCHOR_Y])
        # How many frames are looked at together adapts: it doubles as long as all of them fit, and falls back to as
        # many as did.
        i, ahead = 0, 2 if state[MOVED] > FAST else EIGHT
        while i < b.frames:
            sx, sy = int(rint(state[X])), int(rint(state[Y]))
            number, known, fits, some = min(ahead, b.frames - i), 0, 1, 0
            # With other constants the sums of the last frame are still true: they are answered once more.
            if again == 1 and shown[FOUND_THERE] == 1.0:
                sx, sy, known = int(shown[SHOWN_X]), int(shown[SHOWN_Y]), 1
                for k in range(LANE):
                    s.work[k] = shown[k]
            elif inside(x + sx, y + sy, half, b.height, b.width) == 1:
                known = 1
                for k in range(number):
                    first = b.starts[i + k] + (y + sy - half) * b.width + x + sx - half
                    if sums(b.images, first, s.packing, own.columns, s.count, at(s.work, LANE * k)) == 0:
                        s.work[STRANGE] = 1.0
            if known == 1:
                gather_transpose(lane, 0, s.work, s.packing.moves, 0)
                gather_transpose(lane, 8, s.work, s.packing.moves, 8)
                answer(own.constants, s.window, lane)
                for k in range(number):
                    some += near(lane, k)
                if some > 0:
                    refine(own.constants, state[SHARE], lane)
            k = 0
            while k < number and fits == 1:
                state[GAP] = state[GAP] + b.steps[i]
                code = 0 if known == 1 else LOW
                if known == 1:
                    code = 0 if near(lane, k) == 1 and lane[SCORE, k] >= low else LOW
                shift_x, shift_y, one, part = float(sx), float(sy), k, 0
                # The window of frame k may have been nearer to another pixel: it is sought, and the frames looked at
                # ahead are void.
                if code != 0:
                    f = Frame(b.images, b.starts[i], b.height, b.width)
                    code = sought(f, own, state, reach, low, k if known == 1 and again == 0 else -1)
                    part = 1 if code == 0 and s.work[PART] == 1.0 else 0
                    shift_x, shift_y, one, fits = s.work[SHIFT_X], s.work[SHIFT_Y], 0, 0
                code = note(own.constants, state, lane, one, shift_x, shift_y, code, part,
                            at(rows, (i * points + p) * OUT))  # fmt: skip
                if i == b.frames - 1:
                    show(shown, lane, one, shift_x, shift_y, LOW if part == 1 else code)
                i += 1
                k += 1
                # The window moved to another whole pixel: what was looked at ahead was at the old one.
                if int(rint(state[X])) != sx or int(rint(state[Y])) != sy:
                    fits = 0
            ahead = min(2 * ahead, EIGHT) if fits == 1 else k
    return int(s.work[STRANGE])
