"""What the loops that measure regions work on: frames, regions, rules, memory of a tile; and lists of pixels."""

from __future__ import annotations

from kernels.loops.language import F64, I64, PIXELS, U8
from kernels.loops.records import Record, record
from kernels.loops.structs import Struct, struct


@struct
class Frames(Struct):
    """Frames one after the other."""

    image: PIXELS
    total: int  # pixels of all frames
    height: int  # px
    width: int
    sign: float  # of light: -1.0 where dark things are looked for
    exact: int  # whether the pixels are whole numbers


@struct
class Masks(Struct):
    """Masks, frame after frame: a byte a pixel or, where they are `packed`, rows of words of bits."""

    flags: U8
    words: I64
    packed: int


@struct
class Stack(Struct):
    """Frames one below the other."""

    base: int  # the first frame that is looked at
    frames: int  # how many there are from there on
    height: int  # px
    width: int
    aside: int  # 1 where all eight neighbours belong together, 0 for four


@struct
class Wanted(Struct):
    """Which components stay."""

    least: int  # px
    most: float
    capacity: int  # of a frame: the first ones


@struct
class Kinds(Struct):
    """Which way components go."""

    limit: int  # columns or rows from which on one is large
    small: int  # the state of those that are not
    large: int  # and of those that are
    parts: int  # whether there must be room for one a pixel


@struct
class Runs(Struct):
    """Runs of masks, row by row."""

    edge: I64  # of each: its first pixel and the one behind its last
    line: I64  # its row in the stack of frames
    parent: I64  # an earlier one that it is connected with, or itself


@struct
class Spans(Struct):
    """Runs of listed pixels."""

    first: I64  # pixel, flat index in the stack of frames
    last: I64
    parent: I64  # the first run of its component


@struct
class KeptPixels(Struct):
    """Pixels of the components that stay."""

    core: I64  # flat index in a canvas
    label: I64  # the component of each
    owner: I64  # the frame of each component
    overflow: I64  # of each frame, components past the capacity; behind them the numbers of pixels and of components


@struct
class Regions(Struct):
    """The regions of a few frames, as `regions_loop` finds them."""

    base: int  # number of the first frame
    frames: int
    count: int  # of the regions that are not split yet
    runs: int  # of all of them
    start: I64  # of each, its first run and how many it has
    box: I64  # px, leftmost and rightmost column, first and last row
    own_first: I64  # of each run, its first pixel in all frames
    own_last: I64  # and its last
    owner: I64  # of each, its frame from `base` on
    state: I64  # CENTRED, SPLIT, LAST, ELSEWHERE or LIGHT
    board: I64  # bits of all rows
    pitch: int  # words of a row; of these the first is empty
    rows: F64  # of FEATURE


@struct
class Found(Struct):
    """Memory of the regions that are found: as in `Regions`, for `room` regions and runs."""

    room: int
    board: I64
    owner: I64
    state: I64
    start: I64
    box: I64
    own_first: I64
    own_last: I64
    overflow: I64  # of each frame, regions past the capacity
    count: I64  # regions; how many of them are large; runs


@struct
class Rules(Struct):
    """How regions are measured."""

    side: int  # px, of what is not wider and not higher its own pixels alone tell (`light_of`); 0 for nothing
    grow: int  # px around a region that are its own
    steps: int  # px around it, with the ring that tells the ground
    margin: int  # px around its box that a tile's bits hold
    level: int  # whether the ground is `given`
    slope: int  # whether it is a plane; else it is level
    given: float  # light
    rim: float  # factor of what the rim of the mask adds to sigma
    split: float  # px between maxima that are two things; 0 for no splitting
    depth: float  # share of a maximum's height by which the light between two sinks
    weights: F64  # of the blur before maxima are looked for, from the middle outwards
    radius: int  # px, of the blur
    table: U8  # eight 0 or 1 for each byte
    iota: F64  # 0, 1, 2 ...
    grain: float  # variance of a pixel at least
    blur: float  # variance of a pixel that rounding may hide
    nothing: float  # sigma of what has no light


@struct
class Work(Struct):
    """Memory of a tile."""

    bits: I64  # planes of bits (`kernels.regions.tile_loops`)
    part: I64  # of each pixel, the number of its maximum
    tops: I64
    tile: F64  # light
    ring: F64  # light of the pixels around, then where they are
    light: F64
    work: F64
    acc: F64
    sums: F64
    plain: F64  # sums of the region's pixels alone
    ground: F64


@struct
class Tile(Struct):
    """The light of a tile, and which of its pixels are a region's."""

    tile: F64  # row by row
    rows: int
    columns: int
    pitch: int  # numbers that a row takes, a multiple of eight
    rim: int  # rows and columns on all sides that are none of the region's
    down: int  # rows of the planes of bits before the tile's first
    shift: int  # columns of them before its first
    bits: I64
    core: int  # the plane of the pixels that the mask has
    table: U8
    iota: F64
    px: float  # px, the middle of the mask in the tile
    py: float
    company: int  # whether others are there


@struct
class Patch(Struct):
    """A part of a tile."""

    tile: F64
    pitch: int  # numbers that a row takes
    left: int
    top: int
    rows: int
    columns: int


@struct
class RingPixels(Struct):
    """The pixels around a region of a tile."""

    light: F64
    x: F64  # px, in the tile
    y: F64
    there: F64  # 1 for each, 0 up to the next multiple of eight
    count: int
    px: float  # px, the region's middle
    py: float


@struct
class Plane(Struct):
    """A plane through the pixels of a ring."""

    level: float
    far: float  # from the level, beyond which a pixel has no say
    mx: float  # px, middle of the pixels from the region's
    my: float
    gx: float  # slopes
    gy: float


@struct
class Listed(Struct):
    """Pixels of regions, in lists."""

    pixel: I64  # in a canvas
    owner: I64  # its region
    share: F64  # 1, or .5 of a pixel that two regions reach
    value: F64  # light
    x: F64  # px
    y: F64
    light: F64  # above the ground, by shares


@struct
class Rings(Struct):
    """Rings around regions, one step of growing after the other."""

    pixel: I64  # in a canvas, rising within a ring
    high: I64  # the largest region that reaches it
    low: I64  # the smallest


@struct
class Bounds(Struct):
    """Where rings begin and end in their list."""

    beneath: int  # the last but one of the regions' own; `inner` where there is none
    inner: int  # the last of their own
    grown: int  # behind it
    end: int  # behind the rings that tell the ground


@record
class Moments(Record):
    """Sums over each region's pixels."""

    area: F64  # px
    mass: F64
    middle_x: F64  # px, mean place of the pixels
    middle_y: F64
    x: F64  # px, of the light
    y: F64
    xx: F64  # px^2, central
    xy: F64
    yy: F64
    lever_x: F64  # px^2, of the shares squared: what noise of a pixel does to a sum of light times place
    lever_y: F64


@record
class Ground(Record):
    """What is below each region."""

    level: F64  # at the region's middle
    slope_x: F64  # a px
    slope_y: F64
    middle: F64  # mean of the middle half of the pixels around
    noise: F64  # variance of a pixel
    tilt_x: F64  # variance of the slopes for pixels of variance 1
    tilt_y: F64
    lean_x: F64  # slopes that a ground has which is taken to be level
    lean_y: F64
    kept: F64  # share of the slopes that cannot be noise
    factor: F64  # what its texture makes of the slopes' variance, and
    alike: F64  # of sectors beside each other (`noise_correlation_loops.factor_of`)
    number: I64  # pixels around


@struct
class Sorting(Struct):
    """Memory in which the pixels around regions are sorted."""

    start: I64  # of each region
    ordered: F64
    buffer: F64
    bins: I64
    out: F64


@struct
class PlaneFit(Struct):
    """Least-squares planes."""

    ok: I64  # whether a pixel has a say
    normal: F64  # nine numbers a region
    right: F64  # three numbers a region
    plane: F64  # three numbers a region, above its level
    left: F64  # squares that it leaves
    used: I64  # pixels


@struct
class Surroundings(Struct):
    """What is around regions."""

    plain: Moments  # of the masks alone
    listed: Listed
    ground: Ground
    fit: PlaneFit
    sorting: Sorting


@record
class Rim(Record):
    """The outermost rings of regions."""

    square: F64  # light^2 of the outermost
    many: F64  # share^2
    before: F64  # the same of the one before; the mask, if there is none
    fewer: F64
    xx: F64  # light^2 x^2 of the outermost, from the centre
    yy: F64
    moment_x: F64  # light x
    moment_y: F64


@struct
class Seen(Struct):
    """What is seen of regions above their ground."""

    sums: Moments
    rim: Rim
    peak: F64
    form: F64  # three numbers a region (`skew_correction_loops.form_of`)
    tilts: F64  # SUMS of `skew_correction_loops`
    shots: F64  # SHOTS of `shot_noise_loops`


@struct
class Settings(Struct):
    """How listed regions are measured."""

    given: int  # whether the ground is given
    slope: int  # whether it is a plane; else it is level
    grow: float  # px around a region that are its own
    rim: float  # factor of what the rim of the mask adds to sigma
    grain: float  # variance of a pixel at least
    blur: float  # variance of a pixel that rounding may hide
    nothing: float  # sigma of what has no light


@struct
class Light(Struct):
    """The light of a region."""

    mass: float
    xx: float  # px^2, second moments
    xy: float
    yy: float
    noise: float  # variance of one of its pixels
    vx: float  # px^2, variances of its centre without any tilt
    vy: float


@struct
class Slope(Struct):
    """The slope of the ground below a region."""

    kept: float  # share of it that cannot be noise
    gx: float  # a px
    gy: float
    lever_x: float  # px, how far a slope below all of the region moves x
    lever_y: float
    error_x: float  # variances of such slopes
    error_y: float
