"""A window through frames on end, whatever the others do, as loops: what `batch_tracking` does in frames in which every
window goes on as it did and learns no more, but for what it does with all of them together. That follows from what is
seen here (`Sightings`)."""

from __future__ import annotations

from kernels.loops.language import I64, at, loop
from pipelines.trackers.registration.batch.affine_step_loops import seek_turned, settle
from pipelines.trackers.registration.batch.batch_tracking_loops import corrected, seek, whole_variance
from pipelines.trackers.registration.batch.structs import Limits, Places, Sightings, Sought, Trial, Windows
from pipelines.trackers.registration.batch.warp_model_loops import (
    MISFIT,
    SELDOM,
    TURNS,
    asked,
    sinks,
    sunk,
    tested_anew,
)
from pipelines.trackers.registration.reference.structs import Schedule
from pipelines.trackers.registration.windows.structs import Batch, Chosen, Picture, ReferenceSet

SIGHTING = 4  # numbers of a window in a frame: x, y, its score, and the variance of its place by one frame's noise
TURNED = 21  # and where some turn or deform: its deformation, the rate of that, how its reference is drawn, how many
# parameters it needs (0: that was not asked), its misfit, and of the inverse of its normal matrix xx, xy, yy


@loop
def doubted(i: int, p: int, plain: I64, schedule: Schedule, windows: Windows) -> int:
    """Whether it is asked after a frame if window i, of p parameters, needs more (`Warps.due`).

    Args:
        plain: `textured` of references that have not turned.
    """
    learnt, deformation = windows.learnt, windows.deformation
    if schedule.age % TURNS != 0 or (schedule.age // TURNS + learnt.slot[i]) % (SELDOM // TURNS) != 0:
        return 0
    young = learnt.averaged[i] < schedule.most and learnt.closed[i] == 0
    due = deformation.misfit[i] > 0.0 or (sunk(i, windows) > 0 and not young)
    return 1 if due and p < 6 and plain[learnt.slot[i]] == 1 else 0


@loop
def follow_one(
    i: int, batch: Batch, schedule: Schedule, windows: Windows, plain: I64, anchors: ReferenceSet, limits: Limits,
    sought: Sought, trial: Trial, sightings: Sightings,
) -> int:  # fmt: skip
    """Find window i in frames, up to one in which it needs more or sees a pixel that is not a number; how many those
    are. What is known of the window goes on with it, and may be anything after a frame that does not go by.

    Args:
        schedule: at the last frame before these.
        plain: as for `doubted`.
        anchors: of as many parameters as this window has.
        sought: of all windows, but for `saved`, which is this window's.
        trial: of `asked`, with `work` of `seek_turned`.
        sightings: filled for this window.
    """
    accept = limits.accept
    refs, fits = anchors.refs, sought.fits
    learnt, deformation = windows.learnt, windows.deformation
    own = Chosen(at(sought.every, i), 1)
    places = Places(windows.motion.x, windows.motion.y)
    sightings.done[i], sightings.turned[i] = batch.frames, 0
    for f in range(batch.frames):
        # Frames are views of one block, `starts` pixels from its beginning.
        picture = Picture(at(batch.images, batch.starts[f]), batch.height, batch.width, anchors.tiles.table)
        now = Schedule(schedule.count, schedule.most, schedule.age + f + 1)
        step = batch.steps[f]
        if refs.p == 2:
            found = seek(picture, step, own, windows, refs, limits, fits, sought.variance, trial.work)
        else:
            found = seek_turned(picture, step, now.age, own, windows, anchors, limits, sought, trial.work)
        if found == 0:
            sightings.done[i] = f
            return f
        # What was found goes into the record of this frame.
        one = at(sightings.records, sightings.width * (i * batch.frames + f))
        one[0], one[1], one[2], one[3] = fits.x[i], fits.y[i], fits.score[i], sought.variance[i]
        if refs.p > 2:
            settle(own, deformation, sought)
        corrected(i, step, windows, limits, fits, whole_variance(i, windows, limits, sought.variance[i]))
        # Of windows that only move a record has no room for deformations.
        many = 0
        if sightings.width == SIGHTING:
            if accept.bending > 0 and now.age % TURNS == 0:
                many = sinks(i, picture, now, windows, anchors, trial)
                if many == 0:
                    tested_anew(i, now, windows)
        else:
            for c in range(4):
                one[4 + c], one[8 + c] = deformation.bend[4 * i + c], deformation.turn[4 * i + c]
                one[12 + c] = deformation.drawn[4 * i + c]
            one[16], one[17] = 0.0, 0.0
            first = learnt.slot[i] * refs.p * refs.p
            one[18], one[19], one[20] = refs.inverse[first], refs.inverse[first + 1], refs.inverse[first + refs.p + 1]
            if accept.bending > 0:
                due = doubted(i, refs.p, plain, now, windows)
                if now.age % TURNS == 0:
                    tested_anew(i, now, windows)
                if due > 0:
                    parameters = asked(i, refs.p, picture, places, deformation.drawn, learnt, anchors, trial)
                    deformation.misfit[i] = trial.values[7 * refs.w * refs.pitch + MISFIT]
                    one[16], one[17] = float(parameters), deformation.misfit[i]
                    many = 1 if parameters > refs.p else 0
        # A window that needs more parameters ends its run behind this frame, which still counts.
        if many > 0:
            sightings.turned[i] = f + 1
            sightings.done[i] = f + 1
            return f + 1
    return batch.frames
