"""Windows that turn or deform, one frame on, as loops: what `corners.Corners` does with NumPy, in its order.

A deformation is four numbers, by rows. References that are drawn anew are kept in `saved` until the frame is believed.
"""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, PIXELS, at, loop, put, rint, sqrt, vec
from pipelines.trackers.patches.fit_loops import fit, prepare
from pipelines.trackers.patches.look_loops import pixels_noise, reference_noise, uneven
from pipelines.trackers.patches.plane_loops import back, bent, possible, slack, stand, times
from pipelines.trackers.patches.steady_loops import UNKNOWN
from pipelines.trackers.patches.stripe_loops import surely
from pipelines.trackers.patches.window_loops import render


@loop
def draw(tiles: F64, own: int, matrix: F64, side: int, stride: int, w: int, pitch: int, across: int, p: int, mask: F64,
         lever: F64, table: F64, pixels: F64, norm: F64, jacobian: F64, inverse: F64, textured: I64, slot: I64,
         stripes: F64, work: F64) -> int:  # fmt: skip
    """Draw a reference (`Anchors.draw`); 0 where it has no texture, or may be of stripes.

    Args:
        slot: of the reference, one entry; own: the same.
        stripes: as for `surely`; 0 first: no stripes.
        work: a tile and room for the rest.
    """
    size = (w + 6) * across
    room = at(work, size + 16)
    back(matrix, room)
    render(tiles, 1, slot, room, side, stride, w, across, table, work, at(room, 8))
    prepare(work, 1, slot, w, pitch, across, p, mask, lever, pixels, norm, jacobian, inverse, textured, room)
    good = textured[own]
    if stripes[0] > 0.0:
        good = surely(work, across, own, slot, w, pitch, p, jacobian, textured, stripes, room)
    return 1 if good > 0 else 0


@loop
def undo(which: I64, count: int, area: int, p: int, flags: I64, slot: I64, pixels: F64, norm: F64, jacobian: F64,
         inverse: F64, textured: I64, drawn: F64, saved: F64) -> int:  # fmt: skip
    """Put references back that were kept."""
    size = area * (p + 1) + p * p + 8
    for k in range(count):
        i = which[k]
        if flags[i]:
            flags[i] = 0
            own, kept = slot[i], at(saved, k * size)
            for c in range(0, area, 8):
                put(pixels, own * area + c, vec(kept, c))
            for c in range(0, p * area, 8):
                put(jacobian, own * p * area + c, vec(kept, area + c))
            rest = at(kept, area * (p + 1))
            for c in range(p * p):
                inverse[own * p * p + c] = rest[c]
            for c in range(4):
                drawn[4 * i + c] = rest[p * p + c]
            norm[own] = rest[p * p + 4]
            textured[own] = 1
    return 0


@loop
def keep(k: int, i: int, area: int, p: int, flags: I64, own: int, pixels: F64, norm: F64, jacobian: F64, inverse: F64,
         drawn: F64, saved: F64) -> int:  # fmt: skip
    """Keep a reference as it is, once."""
    if flags[i] == 0:
        flags[i] = 1
        kept = at(saved, k * (area * (p + 1) + p * p + 8))
        for c in range(0, area, 8):
            put(kept, c, vec(pixels, own * area + c))
        for c in range(0, p * area, 8):
            put(kept, area + c, vec(jacobian, own * p * area + c))
        rest = at(kept, area * (p + 1))
        for c in range(p * p):
            rest[c] = inverse[own * p * p + c]
        for c in range(4):
            rest[p * p + c] = drawn[4 * i + c]
        rest[p * p + 4] = norm[own]
    return 0


@loop
def seek_turned(image: PIXELS, height: int, width: int, which: I64, count: int, p: int, step: float, age: int,
                room: int, w: int, pitch: int, across: int, side: int, stride: int, floats: F64, places: I64, slot: I64,
                averaged: I64, looks: I32, one: I64, how: F64, mask: F64, lever: F64, table: F64, tiles: F64,
                pixels: F64, norm: F64, jacobian: F64, inverse: F64, textured: I64, found: F64, converged: I64,
                variance: F64, flags: I64, saved: F64, next_: F64, work: F64) -> int:  # fmt: skip
    """As `steady.seek` for the windows `which`, which turn (p = 3) or deform (6); 1 if each is as usual.

    Args:
        age: frames since the first one. one: numbers 0 to `room`.
        how: as for `seek`, and 17: SLACK, 18: REDRAWN, 19: the three LIMITS, 22: RATE, 23: `draw`'s `stripes`.
        flags, saved: of references that were drawn anew, as for `undo`.
        next_: gets deformation and rate, (room, 8).
    """
    x, y, vx, vy = at(floats, places[0]), at(floats, places[1]), at(floats, places[2]), at(floats, places[3])
    px, py, gap = at(floats, places[7]), at(floats, places[8]), at(floats, places[9])
    level, offset, grain = at(floats, places[11]), at(floats, places[12]), at(floats, places[13])
    bends, draws, turns = at(floats, places[14]), at(floats, places[15]), at(floats, places[16])
    fx, fy, score, phase = at(found, 0), at(found, room), at(found, 2 * room), at(found, 3 * room)
    rest, deformed = at(found, 4 * room), at(found, 5 * room)
    limits, stripes = at(how, 19), at(how, 23)
    half, area = float(w // 2), w * pitch
    right, below, margin = float(width - 1), float(height - 1), half - 0.25
    small, ahead = at(work, 64), at(work, 96)
    large = at(work, 128)
    for k in range(count):
        i = which[k]
        own = slot[i]
        fx[i], fy[i] = x[i] + step * vx[i], y[i] + step * vy[i]
        if not (fx[i] >= half and fx[i] <= right - half and fy[i] >= half and fy[i] <= below - half):
            return 0
        if textured[own] != 1:
            return 0
        bend, rate, shown = at(next_, 8 * i), at(turns, 4 * i), at(draws, 4 * i)
        for c in range(4):
            bend[c] = bends[4 * i + c]
        for _ in range(min(int(rint(step)), 100)):
            times(rate, bend, small)
            for c in range(4):
                bend[c] = small[c]
        if possible(bend, limits) == 0:
            return 0
        again = 1 if slack(bend, shown, half, small) > how[17] else 0
        if again == 0 and (age + slot[i]) % 2 == 0:  # half of those that the next frame would draw
            times(rate, bend, ahead)
            again = 1 if slack(ahead, shown, half, small) > how[17] else 0
        for c in range(4):
            small[16 + c] = bend[c]
        for attempt in range(int(how[18]) + 1):
            if again > 0:
                keep(k, i, area, p, flags, own, pixels, norm, jacobian, inverse, draws, saved)
                for c in range(4):
                    shown[c] = small[16 + c]
                if draw(tiles, own, shown, side, stride, w, pitch, across, p, mask, lever, table, pixels, norm,
                        jacobian, inverse, textured, at(slot, i), stripes, large) == 0:  # fmt: skip
                    return 0
            elif attempt > 0:
                break
            for c in range(4):
                deformed[4 * i + c] = 0.0
            phase[i], rest[i] = 1.0, 0.0
            fit(image, height, width, at(one, i), 1, w, pitch, p, mask, table, slot, pixels, norm, jacobian, inverse,
                textured, how[0], int(how[13]), how[1], fx, fy, deformed, score, phase, rest, converged,
                large)  # fmt: skip
            bent(at(deformed, 4 * i), shown, half, p, at(small, 16), small)
            again = 1 if score[i] > 0.0 and slack(at(small, 16), shown, half, small) > 2.0 * how[17] else 0
        if converged[i] == 0:
            return 0
        squares = norm[own] * norm[own]
        score[i] = sqrt(max(1.0 - rest[i] / (squares if squares > 0.0 else 1.0), 0.0))
        known = level[i] if level[i] > 0.0 else 1.0
        fall = how[14] if level[i] > 0.0 else how[UNKNOWN]
        usual = max(max(how[2], known - how[3]), known - (fall + how[15] * (1.0 - known)))
        if not (score[i] >= usual):
            return 0
        if not (fx[i] >= margin and fx[i] <= right - margin and fy[i] >= margin and fy[i] <= below - margin):
            return 0
        ex, ey = fx[i] - px[i], fy[i] - py[i]
        if not (sqrt(ex * ex + ey * ey) / max(gap[i] + step, 1.0) < how[12] * how[5]):
            return 0
        spread = (inverse[p * p * own] + inverse[p * p * own + p + 1]) / 2.0 * 1.0
        number = float(averaged[i])
        ratio = uneven(grain[i], looks[i], int(how[16]), how[10], how[11])
        known = reference_noise(offset[i], spread, ratio, number, how[8]) if looks[i] > 0 else 0.0
        noise = pixels_noise(max(rest[i], 0.0) / max(float(w * w - p - 2), 1.0), phase[i], number, known)
        true = 1.0 - min(how[8] * noise / number * spread, 0.5)
        variance[i] = noise * spread / (true * true) * ratio
        if not (variance[i] + how[9] <= 1.0):
            return 0
        # What the deformation and its rate are from now on (`Corners.settle`).
        now = at(small, 16)
        bent(at(deformed, 4 * i), shown, half, p, now, small)
        if possible(now, limits) == 0:
            return 0
        back(bend, small)
        times(now, small, at(small, 4))
        small[4], small[5], small[6], small[7] = small[4] - 1.0, small[5] - 0.0, small[6] - 0.0, small[7] - 1.0
        times(at(small, 4), rate, small)
        for c in range(4):
            bend[c] = now[c]
            bend[4 + c] = rate[c] + how[22] * small[c]
        if p == 3:
            stand(at(bend, 4))
    return 1


@loop
def settle(which: I64, count: int, floats: F64, places: I64, flags: I64, next_: F64) -> int:
    """Take what `seek_turned` found of the windows `which`."""
    bends, turns = at(floats, places[14]), at(floats, places[16])
    for k in range(count):
        i = which[k]
        flags[i] = 0
        for c in range(4):
            bends[4 * i + c] = next_[8 * i + c]
            turns[4 * i + c] = next_[8 * i + 4 + c]
    return 0
