"""Whole numbers for floats and back, as quantisers write them around operators (QDQ)."""

from __future__ import annotations

import numpy as np

from kernels.errors import ExprError
from kernels.ir.expr import const, convert, maximum, rint
from kernels.ir.image import F32, I32, dtype_of
from kernels.ir.volumes import vector
from kernels.networks.calls import Array, Call, Known, Scaled, front, operator
from kernels.networks.dequantised import alike, dequantised
from kernels.networks.tensors import Tensor, Whole, constant_over, internal

SAFE = 2.0**-100, 2.0**100
"""Scales by which whole numbers of few bits are multiplied and divided without leaving what f32 hold exactly enough."""


def _along(call: Call, values: Array, rank: int) -> Array:
    """A scale or a zero point for each place along an axis, or one for all."""
    if values.size == 1:
        return values.reshape(())
    axis = front(call.whole("axis", 1), rank)
    if values.ndim != 1 or call.whole("block_size", 0):
        raise ExprError("its scales are for blocks, which is not understood")
    return values.reshape([-1 if i == axis else 1 for i in range(rank)])


@operator("DequantizeLinear")
def dequantize(call: Call) -> Known:
    """(x - zero point) * scale."""
    given = call.value(0)
    rank = len(given.shape)
    scale = _along(call, call.weights(1), rank).astype(np.float32)
    zero = _along(call, call.constant(2, np.zeros(1, np.int32)), rank).astype(np.int32)
    if not isinstance(given, Tensor):
        found = ((given.astype(np.int32) - zero).astype(np.float32) * scale).astype(np.float32).view(Scaled)
        found.numbers, found.scale, found.zero = given, scale.reshape(-1), zero
        found.along = front(call.whole("axis", 1), rank) if scale.size > 1 else 0
        return found
    if scale.size == zero.size == 1:
        return dequantised(given, int(zero), scale)
    x = convert(given.volume, I32) - constant_over(zero, given)
    return given.over(convert(x, F32) * constant_over(scale, given))


@operator("QuantizeLinear")
def quantize(call: Call) -> Known:
    """x / scale rounded to the nearest, halves to even, plus the zero point, within its type."""
    given = call.value(0)
    rank = len(given.shape)
    scale = _along(call, call.weights(1), rank).astype(np.float32)
    zero = _along(call, call.constant(2, np.zeros(1, np.uint8)), rank)
    if internal(zero).dtype != zero.dtype or zero.dtype.kind not in "ui":
        raise ExprError(f"it quantises to {zero.dtype}, which is not understood")
    if not isinstance(given, Tensor):
        limits = np.iinfo(zero.dtype)
        return np.asarray(np.clip(np.rint(given / scale) + zero, limits.min, limits.max), zero.dtype)
    sums = given.whole
    if scale.size == zero.size == 1 and sums is not None and sums.volume.dtype == dtype_of(zero.dtype):
        same = Whole(sums.volume, int(zero), scale)
        if alike(sums, same) and SAFE[0] <= float(scale) <= SAFE[1]:  # n * scale / scale rounds to n
            return given.over(sums.volume)
    if sums is not None and sums.volume.dtype == I32 and scale.size == 1:  # one rounding, as onnxruntime's kernels do
        factor = (sums.scale / scale).astype(np.float32).reshape(-1)
        share = convert(sums.volume, F32) * (const(factor[0].item(), F32) if factor.size == 1 else vector(factor))
        share = maximum(share, 0.0) if sums.rectified else share
    else:
        share = given.volume / constant_over(scale, given)
    whole = rint(share) + constant_over(zero.astype(np.float32), given)
    return given.over(convert(whole, dtype_of(zero.dtype)))
