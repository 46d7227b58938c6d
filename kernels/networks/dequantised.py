"""Floats that are whole numbers times a scale: how they are moved, multiplied and added as whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernels.ir.expr import Expr, const, convert
from kernels.ir.image import F32, I8, I32, U8
from kernels.ir.volumes import vector
from kernels.networks.calls import OPERATORS, Array, Call, Known, Scaled
from kernels.networks.tensors import Tensor, Whole, internal


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
    # A constant among the inputs is floats that need not be whole numbers of this scale.
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


@dataclass(frozen=True, slots=True)
class ExactSums:
    """Sums of products of floats that are whole numbers times a scale, as sums of whole numbers.

    Args:
        volume: the numbers that come in, u8 or i8; `zero` stands for 0.
        weights: i8, features first.
        start: i32, what each feature's sum starts from: the bias, less what the zero point would add.
        scale: of the sums, f32, one a feature.
        bias: f32, what is added to the floats, where it is no number of that scale.
    """

    volume: Expr
    zero: int
    weights: Array
    start: Array
    scale: Array
    bias: Array | None

    def floats(self, sums: Tensor) -> Tensor:
        """The floats that sums stand for, whose features are the volume's channels."""
        made = convert(sums.volume, F32) * _line(self.scale)
        if self.bias is not None:
            return sums.over(made + _line(self.bias))
        return replace(sums.over(made), whole=Whole(sums.volume, 0, self.scale))


def _line(values: Array) -> Expr:
    return const(values[0].item(), F32) if (values == values[0]).all() else vector(values)


def exact_sums(given: Tensor, weights: Array, features: int, bias: Known | None) -> ExactSums | None:
    """What a convolution or a product with a matrix sums, as quantisers write it: exact, in i32.

    Args:
        weights: of which the axis `features` counts what is made.

    Returns: None where there are floats among the factors.
    """
    whole = given.whole
    if whole is None or whole.volume.dtype not in (U8, I8) or not isinstance(weights, Scaled):
        return None
    if weights.numbers is None or weights.numbers.dtype not in (np.int8, np.uint8):
        return None
    if weights.numbers.shape != weights.shape or (weights.scale.size > 1 and weights.along != features):
        return None
    # Weights of u8 with zero point 128 are i8 in disguise: less their zero point they must fit i8, as the kernels take
    # them.
    numbers = np.moveaxis(weights.numbers.astype(np.int16) - weights.zero, features, 0)
    if numbers.min() < -128 or numbers.max() > 127:
        return None
    count = len(numbers)
    scale = np.broadcast_to((whole.scale.reshape(()) * weights.scale).astype(np.float32), (count,))
    start, floats = np.zeros(count, np.int64), None
    if isinstance(bias, Tensor) or (bias is not None and bias.size != count):
        return None
    if bias is not None:
        own = _numbers_of(bias, scale)
        if own is None:
            floats = np.asarray(internal(bias), np.float32).reshape(-1)
        else:
            start = own
    # sum w (x - z) = sum w x - z sum w: the zero point goes into what the sum starts from. All modulo 2**32, as the sum
    # itself.
    start = start - whole.zero * numbers.astype(np.int64).reshape(count, -1).sum(1)
    start = (start + 2**31) % 2**32 - 2**31
    return ExactSums(whole.volume, whole.zero, numbers.astype(np.int8), start.astype(np.int32), scale, floats)


def _numbers_of(bias: Array, scale: Array) -> Array | None:
    """The whole numbers that a bias is, times the scale of the sums; None where it is not made of such."""
    if not isinstance(bias, Scaled) or bias.numbers is None or bias.numbers.dtype != np.int32 or np.any(bias.zero):
        return None
    fits = np.allclose(bias.scale, scale, rtol=1e-5, atol=0)
    return bias.numbers.astype(np.int64).reshape(-1) if fits else None


def alike(one: Whole | None, other: Whole) -> bool:
    """Whether whole numbers stand for the same floats."""
    if one is None or one.volume.dtype != other.volume.dtype or one.zero != other.zero:
        return False
    return one.scale.size == other.scale.size == 1 and bool(one.scale.reshape(()) == other.scale.reshape(()))
