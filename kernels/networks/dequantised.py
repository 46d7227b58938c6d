"""Floats that are whole numbers times a scale, and how they are moved as whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kernels.ir.expr import const, convert
from kernels.ir.image import F32, I8, I32, U8
from kernels.networks.calls import OPERATORS, Array, Call, Known
from kernels.networks.tensors import Tensor, Whole


def dequantised(numbers: Tensor, zero: int, scale: Array) -> Tensor:
    """Whole numbers as the floats that they stand for.

    Args:
        scale: one, f32.
    """
    floats = convert(convert(numbers.volume, I32) - zero, F32) * const(scale.item(), F32)
    return replace(numbers.over(floats), whole=Whole(numbers.volume, zero, scale))


def moved(call: Call) -> Known | Sequence[Known]:
    """What an operator that only moves values makes. Of floats that are whole numbers times one scale it moves the
    numbers, which stand for the same floats wherever they are: so pooling, padding and joining stay in bytes."""
    function = OPERATORS[call.op]
    tensors = [value for value in call.inputs if isinstance(value, Tensor)]
    first = tensors[0].whole if tensors else None
    if first is None or first.volume.dtype not in (U8, I8) or not first.scale > 0:
        return function(call)
    if not all(alike(tensor.whole, first) for tensor in tensors):
        return function(call)
    inputs = [Tensor(v.whole.volume, v.axes) if isinstance(v, Tensor) and v.whole else v for v in call.inputs]
    if call.op == "Concat" and len(tensors) < len(inputs):
        return function(call)
    if call.op == "Pad" and call.text("mode", "constant") == "constant":
        padding = call.given(2)
        value = call.number("value", 0.0) if padding is None else padding
        if isinstance(value, Tensor) or np.any(np.asarray(value) != 0):
            return function(call)
        inputs = [*inputs[:2], *[None] * (2 - len(inputs)), np.array(first.zero), *inputs[3:]]
    made = function(replace(call, inputs=tuple(inputs)))
    results: Sequence[Known] = made if isinstance(made, list | tuple) else (made,)
    floats = [dequantised(v, first.zero, first.scale) if isinstance(v, Tensor) else v for v in results]
    return floats if isinstance(made, list | tuple) else floats[0]


def alike(one: Whole | None, other: Whole) -> bool:
    """Whether whole numbers stand for the same floats."""
    if one is None or one.volume.dtype != other.volume.dtype or one.zero != other.zero:
        return False
    return one.scale.size == other.scale.size == 1 and bool(one.scale.reshape(()) == other.scale.reshape(()))
