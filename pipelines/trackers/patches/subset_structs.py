"""What the loops that follow windows by their responses work on."""

from __future__ import annotations

from kernels.host.loops import F32, F64, I32, I64, LANES, PIXELS
from kernels.host.structs import Struct, struct


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
class Subset(Struct):
    """A window of a reference, and how it responds (`pipelines.trackers.patches.response`)."""

    window: int  # px, its side
    moves: I64  # as `pack_loops.sums` takes them, as are masks and parts
    masks: LANES
    parts: F32
    columns: LANES  # as in `response.Responses`
    count: int  # vectors of a plane of it
    constants: F64  # as in `response.Responses`
    reference: F64  # (window + 8, window + 8)
    table: F64  # `taps.TABLE`
    room: LANES  # memory of `pack_loops.sums`
    pixels: F32  # the same, as f32
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
