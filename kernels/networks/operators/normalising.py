"""Normalisation by what the values of this image are: of layers, groups, instances; and sums of their powers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.errors import ExprError
from kernels.ir.expr import Expr, sqrt
from kernels.ir.functions import exponential, log2
from kernels.networks.calls import Array, Call, Known, floats, front, operator, pointwise
from kernels.networks.operators.reducing import reduced
from kernels.networks.tensors import Tensor, reshaped, together

_NATURAL = math.log(2.0)


_CONSTANTS: Mapping[str, Callable[..., Any]] = {
    "L1": lambda x, **how: np.sum(np.abs(x), **how),
    "L2": lambda x, **how: np.sqrt(np.sum(x * x, **how)),
    "SumSquare": lambda x, **how: np.sum(x * x, **how),
    "LogSum": lambda x, **how: np.log(np.sum(x, **how)),
    "LogSumExp": lambda x, **how: np.logaddexp.reduce(x, **how),
}


def normalised(given: Tensor, axes: Sequence[int], epsilon: float, more: float = 0.0) -> Tensor:
    """(x - mean) / (sqrt(variance + epsilon) + more), mean and variance over some axes."""
    count = float(math.prod(given.shape[a] for a in axes))
    mean = pointwise(lambda x: x / count, reduced("sum", given, axes, True))
    (x, m), like = together([given, mean])
    apart = like.over(x - m)
    squares = reduced("sum", apart.over(apart.volume * apart.volume), axes, True)

    def inverse(x: Expr) -> Expr:
        variance = x / count + epsilon if epsilon else x / count
        return 1.0 / (sqrt(variance) + more if more else sqrt(variance))

    factor = pointwise(inverse, squares)
    (a, f), like = together([apart, factor])
    return like.over(a * f)


def _affine(given: Tensor, scale: Array, bias: Array | None) -> Tensor:
    (x, s, b), like = together([given, scale, np.zeros(1, np.float32) if bias is None else bias])
    return like.over(x * s if bias is None else x * s + b)


@operator("InstanceNormalization")
def instance_normalization(call: Call) -> Tensor:
    """(x - mean) / sqrt(variance + epsilon) * scale + bias, mean and variance of each channel of this image."""
    given = floats(call.tensor())
    axes = list(range(2, len(given.axes)))
    shape = (1, -1) + (1,) * len(axes)
    scale, bias = (call.weights(i).astype(np.float32).reshape(shape) for i in (1, 2))
    return _affine(normalised(given, axes, call.number("epsilon", 1e-5)), scale, bias)


@operator("LayerNormalization")
def layer_normalization(call: Call) -> Tensor:
    """The same over all axes from one on; scale and bias a value for each place along them."""
    given = floats(call.tensor())
    if len([o for o in call.operation.outputs if o]) > 1:
        raise ExprError("its mean and deviation are used, which only training needs")
    axis = call.axis(-1, len(given.axes))
    bias = None if call.given(2) is None else call.weights(2)
    made = normalised(given, list(range(axis, len(given.axes))), call.number("epsilon", 1e-5))
    return _affine(made, call.weights(1), bias)


@operator("GroupNormalization")
def group_normalization(call: Call) -> Tensor:
    """The same over the image and the channels of a group; scale and bias a group (opset 18) or a channel (21)."""
    given = floats(call.tensor())
    groups, shape = call.whole("num_groups", 0), given.shape
    if groups < 1 or len(shape) < 3 or shape[1] % groups:
        raise ExprError(f"{groups} groups do not go with the shape {list(shape)}")
    each = shape[1] // groups
    cut = reshaped(given, (shape[0], groups, each * math.prod(shape[2:])))
    made = reshaped(normalised(cut, [2], call.number("epsilon", 1e-5)), shape)
    line = (1, -1) + (1,) * (len(shape) - 2)
    scale, bias = (np.repeat(v, each) if v.size == groups and each > 1 else v for v in map(call.weights, (1, 2)))
    return _affine(made, scale.reshape(line), bias.reshape(line))


@operator("MeanVarianceNormalization")
def mean_variance_normalization(call: Call) -> Tensor:
    """(x - mean) / (deviation + 1e-9) over some axes."""
    given = floats(call.tensor())
    axes = [front(a, len(given.axes)) for a in call.wholes("axes", (0, 2, 3))]
    return normalised(given, axes, 0.0, 1e-9)


@operator("LpNormalization")
def lp_normalization(call: Call) -> Tensor:
    """X over its length along an axis (p = 2) or over the sum of its absolute values (p = 1)."""
    given = floats(call.tensor())
    p, axis = call.whole("p", 2), call.axis(-1, len(given.axes))
    if p not in (1, 2):
        raise ExprError(f"its p is {p}; it takes 1 or 2")
    (x, t), like = together([given, _power_sum("L1" if p == 1 else "L2", given, [axis], True)])
    return like.over(x / t)


def _power_sum(kind: str, given: Tensor, axes: Sequence[int], keep: bool) -> Tensor:
    if kind == "L1":
        return reduced("sum", pointwise(abs, given), axes, keep)
    squares = reduced("sum", pointwise(lambda x: x * x, given), axes, keep)
    return squares if kind == "SumSquare" else pointwise(sqrt, squares)


@operator("ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp")
def reduce_powers(call: Call) -> Known:
    """Sums of absolute values, of squares, and their roots and logarithms, over some axes."""
    given = floats(call.value(0))
    rank = len(given.shape)
    axes, keep = call.listed(1, "axes"), bool(call.whole("keepdims", 1))
    if not axes and call.whole("noop_with_empty_axes", 0):
        raise ExprError("it reduces no axes, which is not understood")
    over = [front(a, rank) for a in axes or range(rank)]
    kind = call.op.removeprefix("Reduce")
    if not isinstance(given, Tensor):
        return np.asarray(_CONSTANTS[kind](given, axis=tuple(over), keepdims=keep), given.dtype)
    if not kind.startswith("Log"):
        return _power_sum(kind, given, over, keep)
    if kind == "LogSum":
        return pointwise(lambda x: log2(x) * _NATURAL, reduced("sum", given, over, keep))
    highest = reduced("max", given, over, True)
    (x, h), like = together([given, highest])
    total = pointwise(lambda x: log2(x) * _NATURAL, reduced("sum", like.over(exponential(x - h)), over, keep))
    most = reduced("max", given, over, keep)
    return total.over(total.volume + most.volume)


@operator("LogSoftmax")
def log_softmax(call: Call) -> Tensor:
    """X less the logarithm of the sum of e**x along an axis (before opset 13: along all axes from there on)."""
    given = floats(call.tensor())
    rank = len(given.axes)
    axis = call.axis(-1 if call.opset >= 13 else 1, rank)
    axes = [axis] if call.opset >= 13 else list(range(axis, rank))
    (x, h), like = together([given, reduced("max", given, axes, True)])
    less = like.over(x - h)
    total = reduced("sum", pointwise(exponential, less), axes, True)
    (a, t), like = together([less, pointwise(lambda x: log2(x) * _NATURAL, total)])
    return like.over(a - t)
