"""What windows that turn or deform learn in their first frames, as loops. The order of operations is that of
`warp_models.Warps`.

They are of windows with one number of parameters p: `chosen` of all.
"""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, loop
from pipelines.trackers.registration.batch.affine_step_loops import draw
from pipelines.trackers.registration.batch.structs import Places, Trial, Windows
from pipelines.trackers.registration.batch.warp_model_loops import OFTEN, asked
from pipelines.trackers.registration.noise.aperture_loops import surely
from pipelines.trackers.registration.noise.residual_statistics_loops import weigh
from pipelines.trackers.registration.noise.structs import Learnt, NoiseModel, Stripes
from pipelines.trackers.registration.reference.reference_update_translation_loops import TURN, its_turn, turns_to_begin
from pipelines.trackers.registration.reference.structs import Looked, Schedule
from pipelines.trackers.registration.warp.fit_loops import prepare
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows.structs import Chosen, Picture, ReferenceSet, Templates


@loop
def turning_more(
    picture: Picture, schedule: Schedule, chosen: Chosen, windows: Windows, anchors: ReferenceSet, places: Places,
    trial: Trial,
) -> int:  # fmt: skip
    """Whether one of the windows needs more parameters than it has that are to be asked in this frame
    (`Warps.doubted`).

    Args:
        places: of all windows, as they were found in it.
    """
    refs = anchors.refs
    learnt = windows.learnt
    turns, begins = (schedule.count + TURN - 1) // TURN, turns_to_begin(schedule.count)
    for k in range(chosen.count):
        i = chosen.which[k]
        own = ((schedule.age + learnt.slot[i]) // turns) % OFTEN == 0 and its_turn(
            learnt.slot[i], learnt.averaged[i], schedule.age, schedule.count
        ) > 0
        first = learnt.averaged[i] == 1 and (schedule.age + learnt.slot[i]) % begins == 0
        if refs.p < 6 and learnt.averaged[i] < schedule.most and learnt.closed[i] == 0 and (first or own):
            many = asked(i, refs.p, picture, places, windows.deformation.drawn, learnt, anchors, trial)
            if many > refs.p:
                return 1
    return 0


@loop
def weigh_turned(
    chosen: Chosen, fits: Fit, learnt: Learnt, refs: Templates, looked: Looked, model: NoiseModel, variance: F64
) -> int:
    """Variances of the places of the windows (`residual_statistics_loops.weigh`), then counts of the frames in their
    means.

    Args:
        looked: of these windows, in their order.
        model: whose `free` becomes that of fits with p parameters.
        variance: of all windows, filled for these.
    """
    model.free = max(float(refs.w * refs.w - refs.p - 2), 1.0)
    for n in range(chosen.count):
        i = chosen.which[n]
        weigh(Chosen(at(chosen.which, n), 1), fits, learnt, refs, at(looked.fresh, n), looked.gains, model,
              at(variance, i))  # fmt: skip
        learnt.averaged[i] = learnt.averaged[i] + looked.joined[n]
    return 0


@loop
def draw_young(
    due: Chosen, warp: I64, windows: Windows, anchors: ReferenceSet, stripes: Stripes, doubtful: I64, doubts: int,
    work: F64,
) -> int:  # fmt: skip
    """Make references of the means of those of the windows `due` that have p parameters (`Corners.drawn`).

    Args:
        warp: parameters of all windows.
        doubtful: gets those that may be of stripes, behind `doubts` others: to be drawn with NumPy once more; how many
            it has then is returned.
        work: as for `draw`.
    """
    refs, tiles = anchors.refs, anchors.tiles
    learnt = windows.learnt
    for n in range(due.count):
        i = due.which[n]
        if warp[i] == refs.p:
            m = at(windows.deformation.drawn, 4 * i)
            good = 1
            # An undeformed tile is prepared as it is, without being sampled.
            if m[0] == 1.0 and m[1] == 0.0 and m[2] == 0.0 and m[3] == 1.0:
                tile = at(tiles.values, (learnt.slot[i] * tiles.side + tiles.edge) * tiles.stride + tiles.edge)
                prepare(tile, 1, at(learnt.slot, i), tiles.stride, refs, work)
                if stripes.share > 0.0:
                    good = surely(tile, tiles.stride, learnt.slot[i], at(learnt.slot, i), refs, stripes, work)
            else:
                good = draw(anchors, learnt.slot[i], m, at(learnt.slot, i), stripes, work)
            if good == 0:
                doubtful[doubts] = i
                doubts += 1
    return doubts
