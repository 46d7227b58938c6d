"""What the loops work on that follow windows: pictures, references and what these are made of."""

from __future__ import annotations

from kernels.loops.language import F32, F64, I32, I64, LANES, PIXELS
from kernels.loops.structs import Struct, struct

PATTERNS = 6  # light, two slopes, three second derivatives


@struct
class Picture(Struct):
    """A picture, and what interpolates it."""

    image: PIXELS
    height: int  # px
    width: int
    table: F64  # `taps.TABLE`


@struct
class Tiles(Struct):
    """What references are made of, by slot: windows and what is around them. Of a tile the middle is averaged."""

    values: F64  # (slots, side, stride)
    side: int  # rows of a tile
    stride: int  # values from one row to the next
    edge: int  # rows and columns before the middle
    size: int  # rows of the middle: a window and `taps.EDGE` around it
    across: int  # values that a row of the middle takes, a multiple of eight
    middle: F64  # 1 for the pixels of a row of the middle, 0 beyond
    table: F64  # `taps.TABLE`


@struct
class Templates(Struct):
    """References by slot, as they are fitted (`warp.fit`): windows of w rows, each of which takes `pitch` values."""

    w: int  # px, side of a window
    pitch: int  # a multiple of eight
    p: int  # parameters: 2 for a shift, 3 with a rotation, 6 for an affine map
    mask: F64  # 1 for the pixels of a row, 0 beyond
    lever: F64  # place in the window, -1..1
    pixels: F64  # (slots, w, pitch), without their mean
    norm: F64  # (slots,), of these
    jacobian: F64  # (slots, p, w, pitch)
    inverse: F64  # (slots, p, p), of the normal matrix: px^2 for noise of variance 1
    textured: I64  # (slots,), 0 without texture, 2 where it is of stripes


@struct
class ReferenceSet(Struct):
    """References and what they are made of."""

    refs: Templates
    tiles: Tiles


@struct
class Chosen(Struct):
    """Some of the windows."""

    which: I64  # their rows
    count: int


@struct
class Frame(Struct):
    """A frame of a batch."""

    images: PIXELS
    start: int  # its first pixel from `images` on
    height: int  # px
    width: int


@struct
class Batch(Struct):
    """Frames of a batch, as they came."""

    images: PIXELS
    height: int  # px
    width: int
    starts: I64  # of each, its first pixel from `images` on
    steps: F64  # of each, frames since the one before
    frames: int


@struct
class Packing(Struct):
    """How the pixels of a window are packed by halves (`packing`), and memory for them."""

    moves: I64  # `packing.moves`
    masks: LANES  # `packing.line_masks`
    parts: F32  # the same memory
    room: LANES  # `response.room_of`
    pixels: F32  # the same memory


@struct
class Blocks(Struct):
    """Windows in blocks of eight columns, as tiles hold them with a margin around."""

    window: int  # px, side of a window
    blocks: int  # of a row; the last may overlap the one before
    margin: int  # px
    mask: F64  # `response.masks`


@struct
class Subset(Struct):
    """A window of a reference, and how it responds (`pipelines.trackers.registration.response.response`)."""

    window: int  # px, its side
    packing: Packing
    columns: LANES  # as in `response.Responses`
    count: int  # vectors of a plane of it
    constants: F64  # as in `response.Responses`
    reference: F64  # (window + 8, window + 8)
    table: F64  # `taps.TABLE`
    work: F64  # memory of `response.work_of`


@struct
class Means(Struct):
    """What is known of all windows whose references are to become means of frames (`learning.Learning`)."""

    count: int
    most: int  # frames in a mean
    window: int  # px, a window's side
    blocks: int  # of eight columns of it
    size: int  # px, the side of a tile: a window and `margin` around it
    margin: int
    across: int  # `size` rounded up to eights
    mask: F64  # as `response.masks`
    line: F64  # 1 for the pixels of a tile's rows
    table: F64  # `taps.TABLE`
    averaged: I32  # of each: frames in its mean
    bent: I64  # 1 where its bend is measured
    noise: F64  # variance of a pixel's noise in its reference
    states: F64  # (count, response_loops.STATE)
    constants: F64  # (count, response_loops.CONSTANTS)
    reference: F64  # (count, size, size)
    tiles: F64  # the same of the means
    seen: F64  # (count, SIDE, SIDE), sums of how noise was correlated in its frames
    grain: F64  # the same of its reference
    ox: F64  # px, from its place to the middle of its reference
    oy: F64
