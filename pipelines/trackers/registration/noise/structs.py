"""What loops work on that say how sure places of windows are."""

from __future__ import annotations

from kernels.loops.language import F64, I32, I64
from kernels.loops.records import Record, record
from kernels.loops.structs import Struct, struct


@struct
class Learnt(Struct):
    """What is learnt of windows in their first frames: columns of `corners.Corners`."""

    slot: I64  # of the reference
    averaged: I64  # frames in its mean
    counted: I64  # and in the mean as the reference was made of it
    closed: I32  # 1 when the mean gets no more: the window has turned
    looks: I32  # frames in which its noise was looked at
    solved: I32  # how many these were when `grain` was found; 0 never, -1 with other moments
    left: F64  # (n, MOMENTS), means of the moments of what fits leave
    grain: F64  # ratio of the variance of the place to that by even white noise
    offset: F64  # px^2, variance of the reference's own place


@record
class NoiseModel(Record):
    """What is known of the noise of all windows."""

    free: float  # degrees of freedom of a fit: pixels - parameters - 2
    slopes: float  # w^2 `taps.SLOPE_NOISE`: how much steeper noise of variance 1 makes a reference's slopes
    floor: float  # px^2, error of the interpolation
    few: int  # looks at a window's noise that are too few to say much
    least: float  # bounds of `grain`
    most: float


@struct
class Stripes(Struct):
    """When texture is along one direction alone (`aperture.solve_across`)."""

    share: float  # smaller ratio of the eigenvalues of the normal matrix; 0: no reference is of stripes
    slopes: float  # as in `NoiseModel`
    middle: float  # median of what the filter of `aperture.high_noise` leaves of noise of variance 1


@struct
class Residuals(Struct):
    """What fits of some windows left."""

    slots: I64  # of their references
    count: int
    averaged: I64  # frames in these
    phase: F64  # as in `fit.Fit`
    rest: F64
    seen: F64  # (count, w, pitch), what is seen of them
