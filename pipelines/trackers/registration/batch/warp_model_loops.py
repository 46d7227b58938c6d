"""A score test of how many parameters a window needs (`warp_models.Warps.bending`), as loops, a window at a time.

One Gauss-Newton step with all six parameters is taken from where the shift ended. The statistic is u' N u of its
deformation u, N being the normal matrix with the shift eliminated, against the squares that the step leaves (F with
four degrees of freedom).
"""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, loop
from pipelines.trackers.registration.batch.structs import Needs, Places, Sightings, Trial, Windows
from pipelines.trackers.registration.noise.noise_correlation import MOST
from pipelines.trackers.registration.noise.structs import Learnt
from pipelines.trackers.registration.reference.reference_update_translation_loops import TURN, its_turn, turns_to_begin
from pipelines.trackers.registration.reference.structs import Schedule
from pipelines.trackers.registration.warp.fit import SETTLED
from pipelines.trackers.registration.warp.fit_loops import FLAT, fit, invert, prepare
from pipelines.trackers.registration.warp.structs import Criteria, Fit
from pipelines.trackers.registration.windows.plane_loops import back
from pipelines.trackers.registration.windows.structs import Chosen, Picture, ReferenceSet, Templates
from pipelines.trackers.registration.windows.window_loops import render

BENT = 0.05  # px at a window's edge by which it must be deformed to be fitted so
SHARE = 0.2  # and so much of what else is left: a creeping highlight is no deformation
GRAIN = 5.0  # ratio of `noise_correlation` that is assumed until it is measured
CLEAR = 8.0  # and so many times as much as noise explains (F with four degrees of freedom: one in a million)
NEAR = 0.5  # px at its edge up to which a window's deformation is linear enough for one step
OFTEN, SELDOM, TURNS = 4, 8, 4  # frames after which windows are tested: of means, and later; some every TURNS frames
STRAYS, CHANCE = 0.15, 12.0  # what a cover's edge bends by t^2 (four degrees of freedom) it draws along by that part
# of it in squares of the noise; and what t^2 chance makes
MISFIT = 127  # where `needed` leaves that, in what it works in
SINK, LESS = 2.5e-4, 0.05  # as `warp_models.FALL`, of a usual score, which noise hardly moves


@loop
def size_of(u: F64, normal: F64) -> float:
    """u' normal u, of four numbers."""
    s = 0.0
    for a in range(4):
        for b in range(4):
            s += u[a] * normal[4 * a + b] * u[b]
    return s


@loop
def needed(
    i: int, p: int, tile: F64, stride: int, picture: Picture, places: Places, learnt: Learnt, refs: Templates,
    trial: Trial,
) -> int:  # fmt: skip
    """How many parameters a window needs that has p: 2, 3 or 6; -1 where that cannot be told, because there is no
    light or a pixel is not a number.

    Args:
        i: row of the window.
        tile: what its reference is made of, rows of `stride`.
        places: where windows are.
        refs: says how windows lie in memory.
        trial: of whose values number 7 w pitch + MISFIT becomes the misfit of `Warps.bending`.
    """
    w = refs.w
    area = w * refs.pitch
    jacobian, norm, inverse = at(trial.values, area), at(trial.values, 7 * area), at(trial.values, 7 * area + 8)
    u, found = at(trial.values, 7 * area + 48), at(trial.values, 7 * area + 56)
    normal, pure = at(trial.values, 7 * area + 64), at(trial.values, 7 * area + 80)
    trial.flags[0], trial.values[7 * area + MISFIT] = 0, 0.0
    # The reference is prepared once more with six parameters, in scratch memory: the window's own is left alone.
    whole = Templates(w, refs.pitch, 6, refs.mask, refs.lever, trial.values, norm, jacobian, inverse,
                      at(trial.flags, 1))  # fmt: skip
    prepare(tile, 1, trial.flags, stride, whole, trial.work)
    for k in range(4):
        u[k] = 0.0
    found[0], found[1], found[3], found[4] = places.x[i], places.y[i], 1.0, 0.0
    one = Fit(found, at(found, 1), u, at(found, 2), at(found, 3), at(found, 4), at(trial.flags, 2))
    # One step alone: Criteria's 1.
    fit(picture, trial.flags, 1, trial.flags, whole, Criteria(2.0, 1, SETTLED), one, trial.work)
    if found[2] == 0.0 and trial.flags[1] != 0:
        return 0 - 1
    # u is the deformation (u_xx, u_xy, u_yx, u_yy) in px at the window's edge. Its antisymmetric part is a turn, which
    # a rigid model has too; `pure` is what is left, stretch and shear.
    turn = 0.5 * (u[2] - u[1])
    pure[0], pure[1], pure[2], pure[3] = u[0], u[1] + turn, u[2] - turn, u[3]
    far = max(abs(u[0]) + abs(u[1]), abs(u[2]) + abs(u[3]))
    stretched = max(abs(pure[0]) + abs(pure[1]), abs(pure[2]) + abs(pure[3]))
    if not (far > BENT and found[2] > 0.0 and trial.flags[1] != 0):
        return 2
    # The inverse's block of the deformation is their covariance with the shift eliminated (Schur complement); its
    # inverse is the normal matrix N of the statistic u' N u.
    for a in range(4):
        for b in range(4):
            normal[4 * a + b] = inverse[6 * (a + 2) + b + 2]
        pure[8 + a] = FLAT * normal[5 * a]
    invert(4, normal, at(pure, 8), trial.work)
    uneven = GRAIN
    if learnt.looks[i] > 0:
        uneven = min(max(learnt.grain[i], 1.0), MOST)
    large, own = size_of(u, normal), size_of(pure, normal)
    odd = large if p == 2 else (own if far < NEAR else 0.0)  # windows that turn may turn on
    if found[4] > 0.0:
        # t^2 of the deformation in units of what is left; by its part beyond chance a cover may have drawn the window
        # along.
        trial.values[7 * area + MISFIT] = STRAYS * max(float(w * w - 8) * odd / found[4] - CHANCE, 0.0)
    # F = (u' N u / 4) / (rest / (pixels - 8)) with four parameters and the eight of shift, deformation, gain and bias
    # taken from the pixels. `uneven` is how much more correlated noise does than white noise.
    least = max(4.0 * CLEAR * uneven / max(float(w * w) - 8.0, 1.0), SHARE) * max(found[4], 0.0)
    # A turn is believed if all of the deformation is beyond noise; six parameters if what is no turn is, too.
    made = 3 if large > least else 2
    if own > least and stretched > BENT and far < NEAR:
        made = 6
    return made


@loop
def asked(
    i: int, p: int, picture: Picture, places: Places, drawn: F64, learnt: Learnt, anchors: ReferenceSet, trial: Trial
) -> int:
    """The same of window i as its reference is drawn, by the deformations `drawn`; never fewer than p
    (`Warps.bending`)."""
    refs, tiles = anchors.refs, anchors.tiles
    other, many = at(trial.values, 7 * refs.w * refs.pitch + 128), 2
    small = at(other, (refs.w + 6) * tiles.across)
    if p == 2:
        tile = at(tiles.values, (learnt.slot[i] * tiles.side + tiles.edge) * tiles.stride + tiles.edge)
        many = needed(i, 2, tile, tiles.stride, picture, places, learnt, refs, trial)
    else:
        back(at(drawn, 4 * i), small)
        render(tiles, 1, at(learnt.slot, i), small, refs.w, other, at(small, 8))
        many = needed(i, p, other, tiles.across, picture, places, learnt, refs, trial)
    return int(max(many, p))


@loop
def asked_all(
    picture: Picture, chosen: Chosen, warp: I64, places: Places, drawn: F64, learnt: Learnt, anchors: ReferenceSet,
    needs: Needs, trial: Trial,
) -> int:  # fmt: skip
    """The same of some windows, of which `warp` says how many parameters they have, into `needs`."""
    refs = anchors.refs
    for n in range(chosen.count):
        i = chosen.which[n]
        needs.parameters[n] = asked(i, warp[i], picture, places, drawn, learnt, anchors, trial)
        needs.misfit[n] = trial.values[7 * refs.w * refs.pitch + MISFIT]
    return 0


@loop
def turning(
    picture: Picture, schedule: Schedule, places: Places, learnt: Learnt, anchors: ReferenceSet, trial: Trial
) -> int:
    """Whether one of the windows turns, or may, that are about to join their means in this frame or have not joined
    yet (`Warps.doubted`)."""
    refs, tiles = anchors.refs, anchors.tiles
    turns, begins = (schedule.count + TURN - 1) // TURN, turns_to_begin(schedule.count)
    for i in range(schedule.count):
        own = ((schedule.age + learnt.slot[i]) // turns) % OFTEN == 0 and its_turn(
            # Windows are tested in every OFTEN'th of the frames in which they learn; before they begin, each `begins`
            # frames.
            learnt.slot[i], learnt.averaged[i], schedule.age, schedule.count
        ) > 0
        first = learnt.averaged[i] == 1 and (schedule.age + learnt.slot[i]) % begins == 0
        if learnt.averaged[i] < schedule.most and learnt.closed[i] == 0 and (first or own):
            tile = at(tiles.values, (learnt.slot[i] * tiles.side + tiles.edge) * tiles.stride + tiles.edge)
            many = needed(i, 2, tile, tiles.stride, picture, places, learnt, refs, trial)
            if many != 2:
                return 1
    return 0


@loop
def sunk(i: int, windows: Windows) -> int:
    """Whether the usual score of window i sank since it was tested last."""
    before = windows.deformation.tested[i]
    return 1 if before == 0.0 or windows.motion.level[i] < before - (SINK + LESS * (1.0 - before)) else 0


@loop
def sinks(i: int, picture: Picture, schedule: Schedule, windows: Windows, anchors: ReferenceSet, trial: Trial) -> int:
    """Whether window i turns, or may, or has something that does not fit, if its usual score sank or it had that
    before (`Warps.due`, in its frames)."""
    refs, tiles = anchors.refs, anchors.tiles
    motion, learnt, deformation = windows.motion, windows.learnt, windows.deformation
    if (schedule.age // TURNS + learnt.slot[i]) % (SELDOM // TURNS) != 0:
        return 0
    if deformation.misfit[i] > 0.0:
        return 1
    if sunk(i, windows) > 0 and not (learnt.averaged[i] < schedule.most and learnt.closed[i] == 0):
        tile = at(tiles.values, (learnt.slot[i] * tiles.side + tiles.edge) * tiles.stride + tiles.edge)
        places = Places(motion.x, motion.y)
        many = needed(i, 2, tile, tiles.stride, picture, places, learnt, refs, trial)
        if many != 2 or trial.values[7 * refs.w * refs.pitch + MISFIT] > 0.0:
            return 1
    return 0


@loop
def tested_anew(i: int, schedule: Schedule, windows: Windows) -> int:
    """`tested` of window i as it is after a frame in which no window `sinks`."""
    motion, learnt, deformation = windows.motion, windows.learnt, windows.deformation
    mine = (schedule.age // TURNS + learnt.slot[i]) % (SELDOM // TURNS) == 0
    if mine and (sunk(i, windows) > 0 or motion.level[i] > deformation.tested[i]):
        deformation.tested[i] = motion.level[i]
    return 0


@loop
def sinking(
    picture: Picture, schedule: Schedule, windows: Windows, anchors: ReferenceSet, trial: Trial, sightings: Sightings,
    f: int,
) -> int:  # fmt: skip
    """Whether one of the windows turns, or may, or has something that does not fit, of those whose usual scores sank or
    that had that before (`Warps.due`); if not, `tested` is as it is after.

    Args:
        sightings: what was asked elsewhere already; f: which of their frames this is.
    """
    if schedule.age % TURNS != 0:
        return 0
    for i in range(schedule.count):
        if sightings.given > 0:
            odd = 1 if sightings.turned[i] == f + 1 else 0
        else:
            odd = sinks(i, picture, schedule, windows, anchors, trial)
        if odd > 0:
            return 1
    for i in range(schedule.count):
        tested_anew(i, schedule, windows)
    return 0
