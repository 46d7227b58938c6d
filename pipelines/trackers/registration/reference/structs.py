"""What loops work on in which windows learn."""

from __future__ import annotations

from kernels.loops.language import F64, I64
from kernels.loops.structs import Struct, struct


@struct
class Schedule(Struct):
    """What says whose turn it is to learn."""

    count: int  # windows in all
    most: int  # frames in a mean
    age: int  # frames since the first one


@struct
class Looked(Struct):
    """What a frame brought for some windows."""

    fresh: I64  # of each its place among those whose noise was looked at, -1 of the others
    gains: F64  # of these: by what their light is multiplied to be that of their references
    joined: I64  # 1 for those that joined their means
