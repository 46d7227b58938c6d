"""Whole numbers for floats and back, as quantisers write them around operators (QDQ) or in their place (QLinear)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kernels.errors import ExprError
from kernels.ir.expr import const, convert, maximum, rint
from kernels.ir.image import F32, I32, dtype_of
from kernels.ir.volumes import vector
from kernels.networks.calls import OPERATORS, Array, Call, Known, Scaled, front, operator
from kernels.networks.dequantised import alike, dequantised
from kernels.networks.onnx_reader import Attribute
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
        # De- and requantised by one scale: the whole numbers themselves, without arithmetic.
        if alike(sums, same) and SAFE[0] <= float(scale) <= SAFE[1]:  # n * scale / scale rounds to n
            return given.over(sums.volume)
    if sums is not None and sums.volume.dtype == I32 and scale.size == 1:  # one rounding, as onnxruntime's kernels do
        # (n s1) / s2 with two roundings may differ from n (s1 / s2) with one in the last bit, and so a byte where it
        # lies between two: onnxruntime's fused kernels have the latter.
        factor = (sums.scale / scale).astype(np.float32).reshape(-1)
        share = convert(sums.volume, F32) * (const(factor[0].item(), F32) if factor.size == 1 else vector(factor))
        share = maximum(share, 0.0) if sums.rectified else share
    else:
        share = given.volume / constant_over(scale, given)
    whole = rint(share) + constant_over(zero.astype(np.float32), given)
    return given.over(convert(whole, dtype_of(zero.dtype)))


def _done(call: Call, name: str, inputs: Sequence[Known | None], **attributes: Attribute) -> Known:
    """What another operator makes of some values."""
    node = replace(call.operation, op=name, domain="", attributes=attributes)
    made = OPERATORS[name](replace(call, operation=node, inputs=tuple(inputs), uses=(2,) * len(inputs)))
    assert isinstance(made, Tensor | np.ndarray)
    return made


def _floats(call: Call, first: int, axis: int = 1) -> Known:
    """The floats of a tensor, its scale and its zero point: three inputs from `first` on."""
    given = [call.given(first + k) for k in range(3)]
    return _done(call, "DequantizeLinear", given[: 3 - (given[2] is None)], axis=axis)


def _whole(call: Call, value: Known, first: int) -> Known:
    """Floats as whole numbers again, by a scale and a zero point: two inputs from `first` on."""
    return _done(call, "QuantizeLinear", [value, call.given(first), call.given(first + 1)])


@operator("QLinearConv")
def qlinear_conv(call: Call) -> Known:
    """A convolution of whole numbers: as between quantisers."""
    bias = call.given(8)
    if bias is not None:
        scale = np.asarray(call.weights(1) * call.weights(4), np.float32).reshape(-1)
        bias = _done(call, "DequantizeLinear", [bias, scale], axis=0)
    made = _done(call, "Conv", [_floats(call, 0), _floats(call, 3, 0), bias], **call.operation.attributes)
    return _whole(call, made, 6)


@operator("QLinearMatMul")
def qlinear_matmul(call: Call) -> Known:
    """A product of matrices of whole numbers."""
    return _whole(call, _done(call, "MatMul", [_floats(call, 0), _floats(call, 3)]), 6)


@operator("com.microsoft.QLinearAdd", "com.microsoft.QLinearMul")
def qlinear_two(call: Call) -> Known:
    """A sum or product of whole numbers that stand for floats."""
    return _whole(call, _done(call, call.op.removeprefix("QLinear"), [_floats(call, 0), _floats(call, 3)]), 6)


@operator(*(f"com.microsoft.QLinear{name}" for name in ("Sigmoid", "LeakyRelu", "AveragePool", "GlobalAveragePool")))
def qlinear_one(call: Call) -> Known:
    """A function of whole numbers that stand for floats."""
    if call.whole("channels_last", 0):
        raise ExprError("its channels are the last axis, which is not understood")
    made = _done(call, call.op.removeprefix("QLinear"), [_floats(call, 0)], **call.operation.attributes)
    return _whole(call, made, 3)


@operator("com.microsoft.QLinearConcat")
def qlinear_concat(call: Call) -> Known:
    """Whole numbers one after another, by a common scale."""
    parts = [_floats(call, first) for first in range(2, len(call.inputs), 3)]
    return _whole(call, _done(call, "Concat", parts, **call.operation.attributes), 0)
