"""The records and structs of the association: tracks, a frame's detections, and what is worked in."""

from __future__ import annotations

import numpy.typing as npt

from kernels.loops.language import F64, I64
from kernels.loops.records import Record, record
from kernels.loops.structs import Struct, struct


@record
class Tracks(Record):
    """One row a track; all f8, so that they are the columns of one block of `pipelines.trackers.columns.Columns`."""

    track: F64  # id
    hits: F64  # sightings
    missed: F64  # frames looked at without one since the last
    gap: F64  # frames since the last
    x: F64  # px
    y: F64
    vx: F64  # px/frame
    vy: F64
    p00: F64  # covariance of place and velocity, the same on both axes
    p01: F64
    p11: F64
    scale: F64  # of the process noise
    mass: F64  # running mass; 0: unknown
    last_mass: F64  # of the last sighting
    width: F64  # px, standard deviation of the spot
    px: F64  # place of the last sighting
    py: F64
    uneven: F64  # px^2, half the difference of the variances of x and of y
    doubt2: F64  # px^2, variance of this frame's row besides, along (axis_x, axis_y)
    axis_x: F64
    axis_y: F64
    score: F64  # of this frame's row
    host: F64  # id + 1 of the track whose detection it shares; 0: none
    merged: F64  # frames since the last detection of its own, all of them with this one
    twin: F64  # frames in which it was where another is and both had one detection that weighs like one; they fade
    parent: F64  # id + 1 of the track that it may come out of, until it is believed
    born_frame: F64
    born_time: F64  # s
    born_x: F64
    born_y: F64


TRACK_COLUMNS: dict[str, npt.DTypeLike] = dict.fromkeys(Tracks.layout.fields, "f8")


@record
class Detections(Record):
    """One row a usable detection, cell after cell of the grid: an order that does not depend on how they came."""

    x: F64
    y: F64
    variance: F64  # px^2, mean of both axes
    uneven: F64  # px^2, half their difference
    mass: F64  # 0: unknown
    width: F64  # px, standard deviation of the spot; 0: unknown
    cut: F64  # px^2, variance of the centre because the picture's border may cut the thing
    longer: F64  # px^2, half of what the second moment of x has more than that of y, by the light under the weights
    skew: F64  # px^2, mixed second moment, by the same
    off_x: F64  # px, how far its centre is likely to be beside the thing's, since a part of that is hidden
    off_y: F64
    off2: F64  # px^2, variance of that on each axis
    hidden: F64  # probability that a part is
    axis_x: F64  # along its narrow axis
    axis_y: F64
    doubt2: F64  # px^2, variance along that axis that is not averaged away
    flow_x: F64  # px/frame, of one that no track has: the velocity with which it begins
    flow_y: F64
    unforetold: F64  # share of the variance of that which is left
    owner: I64  # its track, or -1
    cell: I64  # of the grid
    suitors: I64  # tracks in whose gate it is
    parent: F64  # id + 1 of the track that it may come out of; 0: none
    order: I64  # work of the sort
    other: I64


@record
class Work(Record):
    """What a frame is worked out in: of each track, and of the matching."""

    found: I64  # detection, or -1
    how: I64  # UNSEEN, PLAIN ... of `assignment.py`: by which rule
    first: I64  # where its pairs begin; one more entry than tracks
    unseen: I64  # a list of tracks: which have no detection after the first association
    lost: I64  # a list of tracks
    choice: I64  # of `matched`
    holder: I64
    back: I64
    front: I64
    seen: I64
    u: F64
    v: F64
    near: F64
    weight: F64  # of the ways in which a thing may be seen


@record
class Pairs(Record):
    """Tracks and detections within the gates."""

    what: I64  # detection
    squares: F64  # px^2, of the innovation
    variance: F64  # px^2, of each axis of it
    cost: F64
    hider: I64  # a list of tracks whose detections lack mass
    hides: I64  # their detections
    pair: I64  # and pairs
    likely: F64  # what `uncover` says of each
    likelier: F64


@record
class Cells(Record):
    """A grid over the picture."""

    begin: I64  # where a cell's detections begin; one more entry than cells


@record
class Relations(Record):
    """Mergers and splits (`relations.py`)."""

    kind: F64  # MERGE or SPLIT
    frame: F64
    time: F64  # s
    track: F64
    other: F64  # the track with which it shares a detection from then on; out of which it comes
    x: F64  # px
    y: F64


@record
class Settings(Record):
    """The tracker's parameters."""

    speed: float  # px/frame
    gate: float  # squared, in standard deviations
    acceleration: float  # px/frame^2
    sigma: float  # px; 0: each detection's own
    min_mass: float
    min_area: float
    min_hits: float
    max_missed: float
    leave: float  # px
    right: float  # px, of the last pixels' centres
    bottom: float
    fps: float


@record
class Population(Record):
    """What is kept from frame to frame beside the tracks, and how far a batch is."""

    tracks: int
    next_track: int
    rows: int  # written
    relations: int  # written
    done: int  # frames
    index: int  # of the last frame
    predicted: int  # whether everything is predicted to the next frame already
    time: float  # s
    rate: float  # frames/s
    spacing: float  # px, mean distance of things; 0: no frame yet
    speed2: float  # px^2/frame^2, mean square of the velocity on each axis; 0: unknown
    shared2: float  # px^2/frame^2, mean product of the velocities of neighbours
    moving2: float  # px^2/frame^2, their mean square
    neighbours: float  # of how many that is
    moment: float  # px^2, median second moment of detections; 0: unknown
    long_moment: float  # px^2, what LONG of the detections exceed; 0: unknown
    light: float  # of the last frame, in units of that of the running masses
    next_light: float  # of this one
    lean: float  # mean change of the masses that wander and no more, in this frame
    skipped: int  # frames that this one is tried to be later than its stamp says
    settled: int  # whether it is known
    fewest: int  # things that are lost then, of the steps that were tried
    best: int  # the step
    newcomers: float  # detections of a frame that no track takes, or one that was not seen before it, on average


KEPT = ("spacing", "speed2", "moment", "newcomers", "light", "lean", "shared2", "moving2", "neighbours", "long_moment")
"""Of the population, beside clock and next id, what a snapshot holds."""


@struct
class Frame(Struct):
    """The detections of a frame, in the cells of a grid."""

    seen: Detections
    count: int
    across: float  # cells a px
    cells: Cells


@struct
class Spot(Struct):
    """Where a track may be found again."""

    x: float  # px
    y: float
    reach: float  # px
    least: float  # of the track's mass that the detection has


@struct
class Memory(Struct):
    """What a batch is worked out in, with room for the most detections of a frame and for all tracks."""

    detections: Detections
    work: Work
    pairs: Pairs
    cells: Cells
    relations: Relations


@struct
class Given(Struct):
    """The features of a batch of frames."""

    found: F64  # FIELDS floats each
    lists: I64  # the frames' indices; where each one's features begin, in floats; how many they are; room for its rows
    times: F64  # of the frames, s
    frames: int
