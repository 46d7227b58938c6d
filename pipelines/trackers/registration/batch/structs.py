"""What loops work on that take windows through a batch of frames."""

from __future__ import annotations

from kernels.loops.language import F64, I64
from kernels.loops.records import Record, record
from kernels.loops.structs import Struct, struct
from pipelines.trackers.registration.noise.structs import Learnt, NoiseModel, Stripes
from pipelines.trackers.registration.reference.structs import Looked
from pipelines.trackers.registration.warp.structs import Fit


@struct
class Motion(Struct):
    """Where windows are and how they move: columns of `corners.Corners`."""

    x: F64  # px, as the filter has it
    y: F64
    vx: F64  # px a frame
    vy: F64
    p00: F64  # the filter's covariance, of both axes alike
    p01: F64
    p11: F64
    px: F64  # px, where it was seen last
    py: F64
    gap: F64  # frames since then
    pvar: F64  # px^2, variance of that place
    past: F64  # the last places (`occlusion_prediction_loops.remember`)
    tally: F64  # how many there have been
    drift: F64  # px^2, of renewed references
    level: F64  # the usual score; 0 before there is one


@struct
class Deformation(Struct):
    """How windows are deformed: columns of `corners.Corners`. Deformations are four numbers, by rows."""

    bend: F64  # since the reference was taken
    drawn: F64  # of the reference as it is drawn
    turn: F64  # from one frame to the next
    base: F64  # of the reference since birth
    ox: F64  # px, the followed point beside the middle of its window
    oy: F64
    tested: F64  # the usual score when its model was tested last
    misfit: F64  # by how much its model does not suffice (`warp_models.Warps.bending`)


@struct
class Windows(Struct):
    """All that is known of windows."""

    motion: Motion
    deformation: Deformation
    learnt: Learnt


@record
class Accept(Record):
    """How windows are fitted, and which fits are believed without a search."""

    reach: float  # px from the prediction
    steps: int
    settled: float  # px, of the last step
    low: float  # least score
    worse: float  # by how much less than usual it may be
    fall: float  # the same for one that has a usual score, beside `uneven`
    uneven: float  # share of what is missing to 1 by which a usual score varies
    unknown: float  # `fall` of one that has none
    settling: float  # how fast the usual score follows
    fastest: float  # px a frame
    sure: float  # share of that; what is faster is looked at exactly
    acceleration: float  # px^2 a frame^3, the filter's process noise
    apart: float  # px between two windows at least; 0: any
    slack: float  # px at a window's edge by which a drawn reference may be deformed differently
    redrawn: int  # times in a frame that it may be drawn anew
    smallest: float  # change of area of a deformation
    largest: float
    entry: float  # largest entry of one
    rate: float  # how fast the rate of deformation follows
    bending: int  # whether windows may come to need more parameters
    real: int  # whether a pixel may be no number


@struct
class Limits(Struct):
    """What decides about windows."""

    accept: Accept
    noise: NoiseModel
    stripes: Stripes


@struct
class Sought(Struct):
    """What was found of windows, which do not have it yet."""

    fits: Fit
    variance: F64  # px^2, of places by one frame's noise, without the interpolation's error
    every: I64  # 0, 1, 2 ...
    next: F64  # (n, 8), deformation and its rate
    flags: I64  # 1 where a reference was drawn anew
    saved: F64  # these references as they were


@struct
class Sightings(Struct):
    """Where windows were found in the frames of a batch, each by itself, up to a frame in which it needs more
    (`following_loops`)."""

    given: int  # whether they were
    width: int  # numbers of a record
    records: F64  # (count, frames, width)
    done: I64  # of each, frames that went by
    turned: I64  # by how many of them it turns, or may; 0: it does not


@struct
class Places(Struct):
    """Places of windows, px."""

    x: F64
    y: F64


@struct
class Trial(Struct):
    """Memory in which a window is fitted with six parameters (`warp_model_loops.needed`)."""

    values: F64  # 7 w pitch + 128; for `asked` a tile and 64 more
    flags: I64  # 8
    work: F64  # of `fit`


@struct
class Needs(Struct):
    """What windows need."""

    parameters: I64  # 2, 3 or 6
    misfit: F64  # as in `Deformation`


@record
class Outcome(Record):
    """How frames ended."""

    doubtful: int  # windows whose references may be of stripes
    turns: int  # whether one turns by now, or may


@struct
class Passed(Struct):
    """What frames leave that went by."""

    kept: F64  # (frames, KEPT, windows)
    shapes: F64  # (frames, windows, SHAPE), of their uncertainties
    doubtful: I64  # windows whose references may be of stripes
    outcome: Outcome


@struct
class Memory(Struct):
    """Memory of `batch_tracking_loops.frames`."""

    fits: Fit
    variance: F64  # as in `Sought`
    every: I64  # 0, 1, 2 ...
    order: I64  # these by rising y, nearly
    looked: Looked
    trial: Trial
    planes: F64  # zeros, of `ratios_of` alone
