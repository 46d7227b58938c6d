"""Records of the loops in which windows learn."""

from __future__ import annotations

from kernels.loops.language import F64, I64
from kernels.loops.structs import Struct, struct


@struct
class Schedule(Struct):
    """Counts by which it is decided which windows learn in a frame."""

    count: int  # windows in all
    most: int  # frames in a mean
    age: int  # frames since the first one


@struct
class Looked(Struct):
    """What is found out in a frame about some windows; arrays of one value a window."""

    fresh: I64  # of each its place among those whose noise was looked at, -1 of the others
    gains: F64  # of these: by what their light is multiplied to be that of their references
    joined: I64  # 1 for those that joined their means
