"""What the loops that measure regions work on: regions, rules, and memory of a tile."""

from __future__ import annotations

from kernels.host.loops import F64, I64, U8
from kernels.host.structs import Struct, struct


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

    bits: I64  # planes of bits (`kernels.host.tile_loops`)
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
