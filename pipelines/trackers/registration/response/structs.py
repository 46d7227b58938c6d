"""What loops work on that prepare windows for their responses."""

from __future__ import annotations

from kernels.loops.language import F32, F64, I64
from kernels.loops.structs import Struct, struct


@struct
class Half(Struct):
    """One half of a window (`packing.halves`)."""

    share: F64  # 1 for its pixels
    places: I64  # of blocks, as `response.order` gives them
    first: int  # blocks from here on have pixels of it
    last: int  # up to here
    rows: I64  # where eight rows of eight begin


@struct
class Setup(Struct):
    """What calibration takes that is the same for all windows."""

    along: int  # which directions are measured (`design_loops`)
    taken: float  # pixels whose noise patterns and means have that were taken off what is left beside a reference
    slopes: F64  # `reference_noise.tables`
    own: F64  # the same
    table: F64  # `taps.TABLE`
    halves: F64  # `response.order`
    order: I64  # the same
    pixels: float  # of the first half
    packed: I64  # `packing.in_blocks`
    wide: int  # places in it


@struct
class Answers(Struct):
    """All windows that are followed by their responses."""

    tiles: F64  # (all, size, size) with size = window + 2 margin
    bent: I64  # 1 for those whose bend is measured; the others answer to first order
    noise: F64  # variance of a pixel's noise
    grain: F64  # (all, SIDE, SIDE), how it is correlated
    columns: F32  # (all, wide, 6), as `pack_loops.keep` fills them
    constants: F64  # (all, CONSTANTS); where AXES is 0 there is nothing to measure
