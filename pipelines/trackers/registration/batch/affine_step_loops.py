"""Windows that turn or deform, one frame on, as loops. The order of operations is that of `corners.Corners`.

A deformation is a 2 x 2 matrix, by rows. References that are drawn anew are saved until the frame is believed.
"""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, load, loop, rint, sqrt, store
from pipelines.trackers.registration.batch.acceptance_loops import accepted
from pipelines.trackers.registration.batch.structs import Deformation, Limits, Sought, Windows
from pipelines.trackers.registration.noise.aperture_loops import surely
from pipelines.trackers.registration.noise.structs import Stripes
from pipelines.trackers.registration.warp.fit_loops import fit, prepare
from pipelines.trackers.registration.warp.structs import Criteria
from pipelines.trackers.registration.windows.plane_loops import back, bent, possible, slack, stand, times
from pipelines.trackers.registration.windows.structs import Chosen, Picture, ReferenceSet, Templates
from pipelines.trackers.registration.windows.window_loops import render


@loop
def draw(anchors: ReferenceSet, own: int, matrix: F64, slot: I64, stripes: Stripes, work: F64) -> int:
    """Draw a reference (`Anchors.draw`); 0 where it has no texture, or may be of stripes.

    Args:
        own: slot of the reference; slot: the same, as an array of one entry.
        matrix: the deformation.
        work: a tile and memory of `render` and `prepare`.
    """
    refs, tiles = anchors.refs, anchors.tiles
    size = (refs.w + 6) * tiles.across
    room = at(work, size + 16)
    # A tile is sampled by the map from the drawn window back to the first one.
    back(matrix, room)
    render(tiles, 1, slot, room, refs.w, work, at(room, 8))
    prepare(work, 1, slot, tiles.across, refs, room)
    good = refs.textured[own]
    if stripes.share > 0.0:
        good = surely(work, tiles.across, own, slot, refs, stripes, room)
    return 1 if good > 0 else 0


@loop
def undo(chosen: Chosen, slot: I64, refs: Templates, drawn: F64, sought: Sought) -> int:
    """Put references back as `keep` saved them.

    Args:
        slot: of all windows; drawn: their deformations as they are drawn.
    """
    p = refs.p
    area = refs.w * refs.pitch
    size = area * (p + 1) + p * p + 8
    for k in range(chosen.count):
        i = chosen.which[k]
        if sought.flags[i]:
            sought.flags[i] = 0
            own, kept = slot[i], at(sought.saved, k * size)
            for c in range(0, area, 8):
                store(refs.pixels, own * area + c, load(kept, c))
            for c in range(0, p * area, 8):
                store(refs.jacobian, own * p * area + c, load(kept, area + c))
            rest = at(kept, area * (p + 1))
            for c in range(p * p):
                refs.inverse[own * p * p + c] = rest[c]
            for c in range(4):
                drawn[4 * i + c] = rest[p * p + c]
            refs.norm[own] = rest[p * p + 4]
            refs.textured[own] = 1
    return 0


@loop
def keep(k: int, i: int, own: int, refs: Templates, drawn: F64, sought: Sought) -> int:
    """Save the reference in slot `own` of window i, the k-th of those that are looked for; once a frame."""
    p = refs.p
    area = refs.w * refs.pitch
    if sought.flags[i] == 0:
        sought.flags[i] = 1
        kept = at(sought.saved, k * (area * (p + 1) + p * p + 8))
        for c in range(0, area, 8):
            store(kept, c, load(refs.pixels, own * area + c))
        for c in range(0, p * area, 8):
            store(kept, area + c, load(refs.jacobian, own * p * area + c))
        rest = at(kept, area * (p + 1))
        for c in range(p * p):
            rest[c] = refs.inverse[own * p * p + c]
        for c in range(4):
            rest[p * p + c] = drawn[4 * i + c]
        rest[p * p + 4] = refs.norm[own]
    return 0


@loop
def seek_turned(
    picture: Picture, step: float, age: int, chosen: Chosen, windows: Windows, anchors: ReferenceSet, limits: Limits,
    sought: Sought, work: F64,
) -> int:  # fmt: skip
    """As `batch_tracking_loops.seek` of windows that turn (p = 3) or deform (6); 1 if each is as usual.

    Args:
        step: frames since the frame before; age: since the first one.
        limits: of which `noise` is that of windows that only move.
        sought: filled for these windows; references that are drawn anew are saved there.
        work: memory of `draw` and `fit`, behind 128 values.
    """
    refs = anchors.refs
    motion, deformation, learnt = windows.motion, windows.deformation, windows.learnt
    fits = sought.fits
    accept = limits.accept
    p = refs.p
    half = float(refs.w // 2)
    right, below = float(picture.width - 1), float(picture.height - 1)
    small, ahead = at(work, 64), at(work, 96)
    large = at(work, 128)
    for k in range(chosen.count):
        i = chosen.which[k]
        own = learnt.slot[i]
        # The prediction: constant velocity; a window that leaves the picture is for the general code.
        fits.x[i], fits.y[i] = motion.x[i] + step * motion.vx[i], motion.y[i] + step * motion.vy[i]
        if not (fits.x[i] >= half and fits.x[i] <= right - half and fits.y[i] >= half and fits.y[i] <= below - half):
            return 0
        if refs.textured[own] != 1:
            return 0
        bend, rate, shown = at(sought.next, 8 * i), at(deformation.turn, 4 * i), at(deformation.drawn, 4 * i)
        for c in range(4):
            bend[c] = deformation.bend[4 * i + c]
        # The deformation is carried on at its rate, a product a frame (`Corners.turn`).
        for _ in range(min(int(rint(step)), 100)):
            times(rate, bend, small)
            for c in range(4):
                bend[c] = small[c]
        if possible(bend, accept.smallest, accept.largest, accept.entry) == 0:
            return 0
        # A reference is drawn again when its deformation differs by more than `slack` px at the window's edge.
        again = 1 if slack(bend, shown, half, small) > accept.slack else 0
        if again == 0 and (age + learnt.slot[i]) % 2 == 0:  # half of those that the next frame would draw
            times(rate, bend, ahead)
            again = 1 if slack(ahead, shown, half, small) > accept.slack else 0
        for c in range(4):
            small[16 + c] = bend[c]
        # Draw where the reference differs too much, fit, look whether the fit ended too far from what is drawn, draw
        # there and fit again (`Corners.fit`). A reference is saved before it is drawn first, for the frame may be given
        # back.
        for attempt in range(accept.redrawn + 1):
            if again > 0:
                keep(k, i, own, refs, deformation.drawn, sought)
                for c in range(4):
                    shown[c] = small[16 + c]
                if draw(anchors, own, shown, at(learnt.slot, i), limits.stripes, large) == 0:
                    return 0
            elif attempt > 0:
                break
            # The fit starts from no deformation beside what is drawn.
            for c in range(4):
                fits.bend[4 * i + c] = 0.0
            fits.phase[i], fits.rest[i] = 1.0, 0.0
            fit(picture, at(sought.every, i), 1, learnt.slot, refs,
                Criteria(accept.reach, accept.steps, accept.settled), fits, large)  # fmt: skip
            # What the fit found is composed with what is drawn.
            bent(at(fits.bend, 4 * i), shown, half, p, at(small, 16), small)
            again = 1 if fits.score[i] > 0.0 and slack(at(small, 16), shown, half, small) > 2.0 * accept.slack else 0
        if fits.converged[i] == 0:
            return 0
        # The score is what the deformed reference explains: sqrt(1 - rest / |f|^2).
        squares = refs.norm[own] * refs.norm[own]
        fits.score[i] = sqrt(max(1.0 - fits.rest[i] / (squares if squares > 0.0 else 1.0), 0.0))
        free = max(float(refs.w * refs.w - p - 2), 1.0)
        sought.variance[i] = accepted(picture, i, step, windows, refs, limits, free, fits)
        if sought.variance[i] < 0.0:
            return 0
        # What the deformation and its rate are from now on (`Corners.settle`).
        now = at(small, 16)
        bent(at(fits.bend, 4 * i), shown, half, p, now, small)
        if possible(now, accept.smallest, accept.largest, accept.entry) == 0:
            return 0
        # An alpha-beta filter on the group of 2 x 2 matrices: what was found beyond the prediction, now bend^-1 - 1,
        # goes into the rate by `accept.rate`.
        back(bend, small)
        times(now, small, at(small, 4))
        small[4], small[5], small[6], small[7] = small[4] - 1.0, small[5] - 0.0, small[6] - 0.0, small[7] - 1.0
        times(at(small, 4), rate, small)
        for c in range(4):
            bend[c] = now[c]
            bend[4 + c] = rate[c] + accept.rate * small[c]
        # A product of rotations with rounding is no rotation any more.
        if p == 3:
            stand(at(bend, 4))
    return 1


@loop
def settle(chosen: Chosen, deformation: Deformation, sought: Sought) -> int:
    """Take the deformations that `seek_turned` found."""
    for k in range(chosen.count):
        i = chosen.which[k]
        sought.flags[i] = 0
        for c in range(4):
            deformation.bend[4 * i + c] = sought.next[8 * i + c]
            deformation.turn[4 * i + c] = sought.next[8 * i + 4 + c]
    return 0
