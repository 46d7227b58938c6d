"""Frames in which every window is found where it was expected, as loops (`batch_tracking`).

The order of operations is that of the trackers' NumPy code.
"""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, loop
from pipelines.trackers.registration.batch.acceptance_loops import accepted
from pipelines.trackers.registration.batch.structs import Limits, Memory, Passed, Places, Sightings, Windows
from pipelines.trackers.registration.batch.warp_model_loops import sinking, turning
from pipelines.trackers.registration.noise.ellipse_loops import SHAPE, shapes_of
from pipelines.trackers.registration.noise.residual_statistics_loops import weigh
from pipelines.trackers.registration.noise.structs import Learnt
from pipelines.trackers.registration.occlusion.occlusion_prediction_loops import remember
from pipelines.trackers.registration.reference.reference_update_translation_loops import (
    LOOKS,
    below,
    look_and_join,
    redraw,
    solve,
    sound,
)
from pipelines.trackers.registration.reference.structs import Schedule
from pipelines.trackers.registration.warp.fit_loops import fit
from pipelines.trackers.registration.warp.structs import Criteria, Fit
from pipelines.trackers.registration.windows.structs import Batch, Chosen, Picture, ReferenceSet, Templates

SINKING = 0.5  # how much slower a usual score sinks than it rises, not to sink with what creeps over a window


@loop
def seek(
    picture: Picture, step: float, chosen: Chosen, windows: Windows, refs: Templates, limits: Limits, fits: Fit,
    variance: F64, work: F64,
) -> int:  # fmt: skip
    """Find windows one frame on; 1 if each is where it was expected and looks as usual. What is known of them stays as
    it is. A pixel that is not a number leaves a window without a score.

    Args:
        step: frames since the frame before.
        limits: of which `noise` is that of windows that only move.
        fits: filled for these windows.
        variance: filled as well: px^2, by one frame's noise, without the interpolation's error.
    """
    motion, learnt = windows.motion, windows.learnt
    accept = limits.accept
    half = float(refs.w // 2)
    right, below = float(picture.width - 1), float(picture.height - 1)
    # Tests that cost nothing come before the first fit.
    for k in range(chosen.count):
        i = chosen.which[k]
        fits.x[i], fits.y[i] = motion.x[i] + step * motion.vx[i], motion.y[i] + step * motion.vy[i]
        # Written so that NaN is outside.
        if not (fits.x[i] >= half and fits.x[i] <= right - half and fits.y[i] >= half and fits.y[i] <= below - half):
            return 0
        if refs.textured[learnt.slot[i]] != 1:
            return 0
    fit(picture, chosen.which, chosen.count, learnt.slot, refs, Criteria(accept.reach, accept.steps, accept.settled),
        fits, work)  # fmt: skip
    for k in range(chosen.count):
        i = chosen.which[k]
        if fits.converged[i] == 0:
            return 0
        variance[i] = accepted(picture, i, step, windows, refs, limits, limits.noise.free, fits)
        if variance[i] < 0.0:
            return 0
    return 1


@loop
def corrected(i: int, step: float, windows: Windows, limits: Limits, fits: Fit, noise: float) -> float:
    """Take the place of window i that was found, by a Kalman filter of constant velocity; its variance, px^2.

    Args:
        step: frames since the frame before.
        noise: variance of the place, px^2, without renewals of references.
    """
    motion = windows.motion
    accept = limits.accept
    # A Kalman filter of constant velocity, white noise acceleration of density q (Bar-Shalom, Li, Kirubarajan 2001,
    # 6.2.2): Q = q [[t^3/3, t^2/2], [t^2/2, t]]. The place itself is taken as measured (the fit's variance is far
    # below that of the prediction), so that only the velocity is corrected.
    # p00, p01, p11 are the covariance of place and velocity, the same for x and y.
    q = accept.acceleration
    x0, y0 = motion.x[i] + step * motion.vx[i], motion.y[i] + step * motion.vy[i]
    a = motion.p00[i] + (step * (2.0 * motion.p01[i] + step * motion.p11[i]) + q * (step * step * step) / 3.0)
    b = motion.p01[i] + (step * motion.p11[i] + q * step * step / 2.0)
    c = motion.p11[i] + q * step
    variance = noise * (1.0 + windows.deformation.misfit[i]) + motion.drift[i]
    total = a + variance
    k1 = b / total
    rx, ry = fits.x[i] - x0, fits.y[i] - y0
    motion.vx[i], motion.vy[i] = motion.vx[i] + k1 * rx, motion.vy[i] + k1 * ry
    motion.p01[i] = k1 * variance
    motion.p11[i] = max(c - k1 * b, 0.0)
    motion.x[i], motion.y[i], motion.p00[i], motion.pvar[i] = fits.x[i], fits.y[i], variance, variance
    motion.px[i], motion.py[i], motion.gap[i] = fits.x[i], fits.y[i], 0.0
    # The usual score: an exponential mean that rises faster than it sinks.
    rate = accept.settling if fits.score[i] >= motion.level[i] else accept.settling * SINKING
    motion.level[i] = motion.level[i] + (rate if motion.level[i] > 0.0 else 1.0) * (
        max(fits.score[i], 0.0) - motion.level[i]
    )
    return float(variance)


@loop
def believe(count: int, step: float, windows: Windows, limits: Limits, fits: Fit, noise: F64, kept: F64) -> int:
    """Take the places that were found (`corrected`).

    Args:
        count: windows; step: frames since the frame before.
        noise: variances of the places, px^2, without renewals of references.
        kept: filled with KEPT, `count` of each.
    """
    motion, deformation = windows.motion, windows.deformation
    for i in range(count):
        remember(i, motion.past, motion.tally, motion.gap[i] + step, motion.px[i], motion.py[i], fits.x[i], fits.y[i])
        variance = corrected(i, step, windows, limits, fits, noise[i])
        # The point may lie beside the middle of its window: its offset is carried by the deformation since the first
        # frame.
        one, two = at(deformation.bend, 4 * i), at(deformation.base, 4 * i)
        m0, m1 = one[0] * two[0] + one[1] * two[2], one[0] * two[1] + one[1] * two[3]
        m2, m3 = one[2] * two[0] + one[3] * two[2], one[2] * two[1] + one[3] * two[3]
        kept[i], kept[count + i] = (
            fits.x[i] + (m0 * deformation.ox[i] + m1 * deformation.oy[i]),
            fits.y[i] + (m2 * deformation.ox[i] + m3 * deformation.oy[i]),
        )
        kept[2 * count + i], kept[3 * count + i] = motion.vx[i], motion.vy[i]
        kept[4 * count + i], kept[5 * count + i] = variance, fits.score[i]
    return 1


@loop
def whole_variance(i: int, windows: Windows, limits: Limits, variance: float) -> float:
    """The variance of a place, px^2, from that by one frame's noise alone."""
    return float(max(variance + windows.learnt.offset[i], 0.0) + limits.noise.floor)


@loop
def taken(count: int, step: float, windows: Windows, limits: Limits, fits: Fit, variance: F64, kept: F64) -> int:
    """The same, where `variance` is by one frame's noise alone."""
    for i in range(count):
        variance[i] = whole_variance(i, windows, limits, variance[i])
    believe(count, step, windows, limits, fits, variance, kept)
    return 1


@loop
def learning(count: int, most: int, learnt: Learnt) -> int:
    """`Corners.learning`."""
    for i in range(count):
        if (
            learnt.solved[i] < LOOKS
            or (learnt.averaged[i] < most and learnt.closed[i] == 0)
            or below(learnt.averaged[i]) > learnt.counted[i]
        ):
            return 1
    return 0


@loop
def together(x: F64, y: F64, order: I64, count: int, reach: float) -> int:
    """Whether two of the points are nearer than `reach`. `order`: of rising y, nearly; it is put right."""
    # Insertion sort: the order is that of the frame before and hardly changes, so that this is linear in practice.
    for n in range(1, count):
        one = order[n]
        m = n
        while m > 0 and y[order[m - 1]] > y[one]:
            order[m] = order[m - 1]
            m -= 1
        order[m] = one
    # Points of rising y: only those within `reach` rows ahead are compared.
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
def recalled(f: int, frames: int, count: int, sightings: Sightings, fits: Fit, variance: F64) -> int:
    """What `seek` found of all windows in frame f of `frames`, where that was elsewhere."""
    for i in range(count):
        if sightings.done[i] <= f:
            return 0
        one = at(sightings.records, sightings.width * (i * frames + f))
        fits.x[i], fits.y[i], fits.score[i], variance[i] = one[0], one[1], one[2], one[3]
    return 1


@loop
def frames(
    batch: Batch, schedule: Schedule, sightings: Sightings, passed: Passed, windows: Windows, table: F64,
    anchors: ReferenceSet, limits: Limits, memory: Memory,
) -> int:  # fmt: skip
    """Frames of windows that only move, up to one in which a window needs more or sees a pixel that is not a number;
    how many those are.

    Args:
        schedule: at the last frame before these.
        sightings: where windows were found already (`following_loops`), which learn no more; else none is given.
        passed: filled for the frames that go by; its `outcome` says what there is after the last of them.
        table: `taps.TABLE`.
        anchors: of which p is 2.
    """
    tiles = anchors.tiles
    learnt = windows.learnt
    fits, looked, trial = memory.fits, memory.looked, memory.trial
    outcome = passed.outcome
    accept = limits.accept
    count, height, width = schedule.count, batch.height, batch.width
    # A constant p lets the compiler leave out what windows that only move do not need.
    refs = Templates(anchors.refs.w, anchors.refs.pitch, 2, anchors.refs.mask, anchors.refs.lever, anchors.refs.pixels,
                     anchors.refs.norm, anchors.refs.jacobian, anchors.refs.inverse,
                     anchors.refs.textured)  # fmt: skip
    moving = ReferenceSet(refs, tiles)
    every = Chosen(memory.every, count)
    places = Places(fits.x, fits.y)
    young = 1
    outcome.doubtful, outcome.turns = 0, 0
    for f in range(batch.frames):
        picture = Picture(at(batch.images, batch.starts[f]), height, width, table)
        now = Schedule(count, schedule.most, schedule.age + f + 1)
        kept, step = at(passed.kept, 6 * f * count), batch.steps[f]
        # Nothing has been changed yet: the frame is given back as it is, to the tracker's general code.
        if sightings.given > 0:
            found = recalled(f, batch.frames, count, sightings, fits, memory.variance)
        else:
            found = seek(picture, step, every, windows, refs, limits, fits, memory.variance, trial.work)
        if found == 0:
            return f
        if accept.apart > 0.0 and together(fits.x, fits.y, memory.order, count, accept.apart) > 0:
            return f
        # Once no window is learning none begins again: `young` is not asked any more.
        if young > 0:
            young = learning(count, schedule.most, learnt)
        if young > 0:
            whole = 1
            # Pixels that learning would look at, beyond what fits did, must be numbers.
            if accept.real > 0:
                whole = sound(picture, now, fits.x, fits.y, learnt, tiles, trial.work)
            if whole == 0:
                return f
            if accept.bending > 0:
                turns = turning(picture, now, places, learnt, moving, trial)
                if turns > 0:
                    return f
            new = look_and_join(picture, now, every, fits, fits.bend, learnt, moving, looked, trial.work)
            solve(count, new, learnt, refs, limits.noise, memory.planes, passed.doubtful, trial.work)
            weigh(every, fits, learnt, refs, looked.fresh, looked.gains, limits.noise, memory.variance)
            believe(count, step, windows, limits, fits, memory.variance, kept)
            for i in range(count):
                # Counts come last: `look_and_join` and `weigh` still need how many frames there were before.
                learnt.averaged[i] = learnt.averaged[i] + looked.joined[i]
            outcome.doubtful = redraw(count, learnt, moving, limits.stripes, passed.doubtful, trial.work)
        else:
            taken(count, step, windows, limits, fits, memory.variance, kept)
        if accept.bending > 0:
            outcome.turns = sinking(picture, now, windows, moving, trial, sightings, f)
        shapes_of(learnt.slot, count, refs.inverse, 2, refs.textured, float(refs.w),
                  at(passed.shapes, SHAPE * f * count))  # fmt: skip
        # The frame counts, but windows are to be drawn or fitted in another way before the next.
        if outcome.doubtful > 0 or outcome.turns > 0:
            return f + 1
    return batch.frames
