"""Every operator through the importer on the reference: against NumPy, and onnxruntime where it is installed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.errors import DefinitionError, ExprError
from kernels.ir.expr import postorder
from kernels.ir.image import ImageType, dtype_of
from kernels.ir.volumes import input_volume
from kernels.networks import onnx_host
from kernels.networks.calls import OPERATORS
from kernels.networks.importing import Imported, bound_input, imported, load_operators
from kernels.networks.onnx_reader import read
from kernels.networks.tensors import arranged, constant_over, laid
from kernels.plugins import load_plugin
from tests.kernels.networks import test_exporters
from tests.networks import judge, run
from tests.onnx_files import model, node

Array = np.ndarray
RNG = np.random.default_rng(7)


def numbers(*shape: int) -> Array:
    return RNG.standard_normal(shape).astype(np.float32)


@dataclass
class Case:
    """Nodes from x (and z) to y (and more); what they should give, where NumPy says it shortly."""

    nodes: Sequence[bytes]
    shape: tuple[int, ...]
    constants: Mapping[str, Any] = field(default_factory=dict)
    expected: Callable[..., Any] | None = None
    opset: int = 17
    dtype: str = "float32"
    outputs: tuple[str, ...] = ("y",)
    second: tuple[int, ...] | None = None
    tolerance: float = 1e-5


def convolved(x: Array, w: Array, b: Array, stride=(1, 1), pads=(0, 0, 0, 0), dilation=(1, 1), groups=1) -> Array:
    """Convolution as a loop over taps, in float64."""
    x = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
    features, channels, rows, columns = w.shape
    height = (x.shape[2] - dilation[0] * (rows - 1) - 1) // stride[0] + 1
    width = (x.shape[3] - dilation[1] * (columns - 1) - 1) // stride[1] + 1
    out = np.zeros((1, features, height, width)) + b.reshape(1, -1, 1, 1)
    per = features // groups
    for f in range(features):
        first = f // per * channels
        for j in range(rows):
            for i in range(columns):
                seen = x[0, first : first + channels, j * dilation[0] :: stride[0], i * dilation[1] :: stride[1]]
                out[0, f] += np.tensordot(w[f, :, j, i].astype(np.float64), seen[:, :height, :width], 1)
    return out


def spread(x: Array, w: Array, b: Array, stride: int, cut: int) -> Array:
    """Transposed convolution: every pixel gives all taps."""
    _, features, rows, columns = w.shape
    height, width = x.shape[2:]
    out = np.zeros((1, features, (height - 1) * stride + rows, (width - 1) * stride + columns))
    for y in range(height):
        for x_ in range(width):
            out[0, :, y * stride : y * stride + rows, x_ * stride : x_ * stride + columns] += np.tensordot(
                x[0, :, y, x_].astype(np.float64), w.astype(np.float64), 1
            )
    out += b.reshape(1, -1, 1, 1)
    return out[:, :, cut : out.shape[2] - cut, cut : out.shape[3] - cut]


def pooled(x: Array, function: Callable[..., Any], k: int, s: int) -> Array:
    height, width = (x.shape[2] - k) // s + 1, (x.shape[3] - k) // s + 1
    return np.array([[[[function(x[0, c, y * s : y * s + k, i * s : i * s + k]) for i in range(width)]
                       for y in range(height)] for c in range(x.shape[1])]])  # fmt: skip


def one(op: str, expected: Any, shape=(1, 3, 5, 6), constants=None, second=None, **attributes) -> Case:
    inputs = ["x", *(["z"] if second else []), *(constants or {})]
    return Case([node(op, inputs, ["y"], **attributes)], shape, constants or {}, expected, second=second)


W = numbers(4, 3, 3, 2)
B = numbers(4)
DEPTHWISE = numbers(6, 1, 3, 3)
GROUPED = numbers(4, 2, 3, 3)
UP = numbers(3, 2, 4, 4)
SLOPE = numbers(3, 1, 1)
SCALE, SHIFT, MEAN, VARIANCE = numbers(4), numbers(4), numbers(4), np.abs(numbers(4)) + 0.5
MATRIX = numbers(5, 90)
SMALL = np.array([2.0], np.float32)
LIST = np.array


def batch_normal(x: Array) -> Array:
    a = (SCALE / np.sqrt(VARIANCE + 1e-5)).reshape(1, -1, 1, 1)
    return (x - MEAN.reshape(1, -1, 1, 1)) * a + SHIFT.reshape(1, -1, 1, 1)


def soft(x: Array, axis: int) -> Array:
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def instance_normal(x: Array) -> Array:
    m, v = x.mean((2, 3), keepdims=True), x.var((2, 3), keepdims=True)
    return (x - m) / np.sqrt(v + 1e-5) * SLOPE + SLOPE


CASES: dict[str, Case] = {
    "conv": one("Conv", lambda x: convolved(x, W, B), constants={"w": W, "b": B}),
    "conv_strides_pads_dilations": one(
        "Conv",
        lambda x: convolved(x, W, B, (2, 3), (1, 0, 2, 3), (1, 2)),
        constants={"w": W, "b": B},
        strides=[2, 3],
        pads=[1, 0, 2, 3],
        dilations=[1, 2],
    ),
    "conv_depthwise": one(
        "Conv",
        lambda x: convolved(x, DEPTHWISE, np.zeros(6), pads=(1, 1, 1, 1), groups=6),
        (1, 6, 4, 5),
        {"w": DEPTHWISE},
        group=6,
        pads=[1, 1, 1, 1],
    ),
    "conv_groups": one(
        "Conv",
        lambda x: convolved(x, GROUPED, np.zeros(4), groups=2),
        (1, 4, 5, 5),
        {"w": GROUPED},
        group=2,
        kernel_shape=[3, 3],
    ),
    "conv_same_upper": one(
        "Conv",
        lambda x: convolved(x, W, B, (2, 2), (1, 0, 1, 0)),
        constants={"w": W, "b": B},
        auto_pad="SAME_UPPER",
        strides=[2, 2],
    ),
    "conv_same_lower": one("Conv", None, constants={"w": W, "b": B}, auto_pad="SAME_LOWER"),
    "conv_one_pixel": one(
        "Conv", lambda x: convolved(x, W[:, :, 1:2, :1], B), (1, 3, 1, 1), {"w": W[:, :, 1:2, :1], "b": B}
    ),
    "conv_transpose": one(
        "ConvTranspose",
        lambda x: spread(x, UP, B[:2], 2, 1),
        constants={"w": UP, "b": B[:2]},
        strides=[2, 2],
        pads=[1, 1, 1, 1],
    ),
    "conv_transpose_more": one(
        "ConvTranspose",
        None,
        (1, 4, 3, 4),
        {"w": numbers(4, 2, 3, 3)},
        strides=[3, 2],
        output_padding=[2, 1],
        pads=[1, 0, 0, 1],
        group=2,
        dilations=[1, 2],
    ),
    "conv_transpose_shape": one(
        "ConvTranspose", None, constants={"w": UP}, strides=[2, 2], output_shape=[10, 12], auto_pad="SAME_UPPER"
    ),
    "conv_batch_normalization": Case(
        [node("Conv", ["x", "w", "b"], ["c"]), node("BatchNormalization", ["c", "s", "h", "m", "v"], ["y"])],
        (1, 3, 5, 6),
        {"w": W, "b": B, "s": SCALE, "h": SHIFT, "m": MEAN, "v": VARIANCE},
        lambda x: batch_normal(convolved(x, W, B)),
    ),
    "batch_normalization": one(
        "BatchNormalization", batch_normal, (1, 4, 3, 3), {"s": SCALE, "h": SHIFT, "m": MEAN, "v": VARIANCE}
    ),
    "conv_scaled_and_shifted": Case(
        [node("Conv", ["x", "w"], ["c"]), node("Mul", ["c", "k"], ["d"]), node("Add", ["o", "d"], ["y"])],
        (1, 3, 5, 6),
        {"w": W, "k": SMALL, "o": B.reshape(1, 4, 1, 1)},
        lambda x: convolved(x, W, np.zeros(4)) * 2 + B.reshape(1, 4, 1, 1),
    ),
    "conv_used_twice": Case(
        [node("Conv", ["x", "w"], ["c"]), node("Mul", ["c", "k"], ["d"]), node("Add", ["c", "d"], ["y"])],
        (1, 3, 5, 6),
        {"w": W, "k": SMALL},
        lambda x: convolved(x, W, np.zeros(4)) * 3,
    ),
    "relu": one("Relu", lambda x: np.maximum(x, 0)),
    "leaky_relu": one("LeakyRelu", lambda x: np.where(x < 0, x * np.float32(0.2), x), alpha=0.2),
    "prelu": one("PRelu", lambda x: np.where(x < 0, x * SLOPE, x), constants={"s": SLOPE}),
    "clip": one("Clip", lambda x: np.clip(x, 0, 0.5), constants={"a": np.float32(0), "b": np.float32(0.5)}),
    "clip_attributes": Case(
        [node("Clip", ["x"], ["y"], min=-0.5, max=0.25)], (1, 3, 4, 4), {}, lambda x: np.clip(x, -0.5, 0.25), opset=9
    ),
    "sigmoid": one("Sigmoid", lambda x: 1 / (1 + np.exp(-x.astype(np.float64)))),
    "hard_sigmoid": one("HardSigmoid", lambda x: np.clip(x * 0.3 + 0.4, 0, 1), alpha=0.3, beta=0.4),
    "hard_swish": one("HardSwish", lambda x: x * np.clip(x / 6 + 0.5, 0, 1)),
    "hard_swish_by_hand": Case(
        [
            node("Add", ["x", "three"], ["a"]),
            node("Clip", ["a", "zero", "six"], ["b"]),
            node("Mul", ["x", "b"], ["c"]),
            node("Div", ["c", "six"], ["y"]),
        ],
        (1, 3, 4, 4),
        {"three": np.float32(3), "zero": np.float32(0), "six": np.float32(6)},
        lambda x: x * np.clip(x + 3, 0, 6) / 6,
    ),
    "silu": Case(
        [node("Sigmoid", ["x"], ["s"]), node("Mul", ["x", "s"], ["y"])],
        (1, 3, 4, 4),
        {},
        lambda x: x / (1 + np.exp(-x.astype(np.float64))),
    ),
    "tanh": one("Tanh", np.tanh),
    "exp": one("Exp", np.exp),
    "elu": one("Elu", lambda x: np.where(x < 0, np.expm1(x), x)),
    "softplus": one("Softplus", lambda x: np.log1p(np.exp(x))),
    "log": Case([node("Abs", ["x"], ["a"]), node("Log", ["a"], ["y"])], (1, 2, 3, 3), {}, lambda x: np.log(np.abs(x))),
    "softmax_channels": one("Softmax", lambda x: soft(x, 1), axis=1),
    "softmax_pixels": Case(
        [node("Reshape", ["x", "s"], ["f"]), node("Softmax", ["f"], ["y"], axis=-1)],
        (1, 2, 4, 5),
        {"s": LIST([1, 2, -1])},
        lambda x: soft(x.reshape(1, 2, 20), 2),
    ),
    "softmax_old": Case(
        [node("Softmax", ["x"], ["y"], axis=1)],
        (1, 3, 2, 2),
        {},
        lambda x: soft(x.reshape(1, -1), 1).reshape(x.shape),
        opset=11,
    ),
    "add": one("Add", np.add, second=(1, 3, 5, 6)),
    "sub": one("Sub", np.subtract, second=(1, 1, 5, 6)),
    "mul": one("Mul", np.multiply, second=(1, 3, 1, 1)),
    "div": one("Div", np.divide, second=(1, 3, 5, 1)),
    "max": one("Max", np.maximum, second=(1, 3, 5, 6)),
    "min": one("Min", np.minimum, second=(1, 3, 5, 6)),
    "sum": one("Sum", np.add, second=(1, 3, 5, 6)),
    "pow": one("Pow", lambda x: x**2, constants={"e": SMALL}),
    "add_constant_image": one(
        "Add", lambda x: x + numbers_of(5), constants={"c": np.arange(30, dtype=np.float32).reshape(1, 1, 5, 6)}
    ),
    "sub_from_constant": Case([node("Sub", ["c", "x"], ["y"])], (1, 3, 4, 4), {"c": SLOPE}, lambda x: SLOPE - x),
    "div_of_constant": Case([node("Div", ["c", "x"], ["y"])], (1, 3, 4, 4), {"c": SLOPE}, lambda x: SLOPE / x),
    "sqrt_floor_ceil_round": Case(
        [
            node("Abs", ["x"], ["a"]),
            node("Sqrt", ["a"], ["b"]),
            node("Floor", ["x"], ["c"]),
            node("Ceil", ["x"], ["d"]),
            node("Round", ["x"], ["e"]),
            node("Neg", ["e"], ["f"]),
            node("Sum", ["b", "c", "d", "f"], ["y"]),
        ],
        (1, 2, 3, 4),
        {},
        lambda x: np.sqrt(np.abs(x)) + np.floor(x) + np.ceil(x) - np.rint(x),
    ),
    "reciprocal_sign": Case([node("Reciprocal", ["x"], ["a"]), node("Sign", ["a"], ["y"])], (1, 2, 3, 4), {}, np.sign),
    "where": Case(
        [node("Less", ["x", "c"], ["l"]), node("Where", ["l", "c", "x"], ["y"])],
        (1, 2, 3, 4),
        {"c": np.float32(0.1)},
        lambda x: np.maximum(x, np.float32(0.1)),
    ),
    "logic": Case(
        [
            node("Greater", ["x", "c"], ["a"]),
            node("Not", ["a"], ["b"]),
            node("LessOrEqual", ["x", "c"], ["d"]),
            node("Xor", ["b", "d"], ["e"]),
            node("Or", ["e", "a"], ["f"]),
            node("Cast", ["f"], ["y"], to=1),
        ],
        (1, 2, 3, 4),
        {"c": np.float32(0.1)},
        lambda x: (x > np.float32(0.1)).astype(np.float32),
    ),
    "equal_and_mod": Case(
        [
            node("Cast", ["x"], ["i"], to=7),
            node("Mod", ["i", "three"], ["m"]),
            node("Div", ["i", "three"], ["d"]),
            node("Add", ["m", "d"], ["s"]),
            node("Cast", ["s"], ["y"], to=1),
        ],
        (1, 2, 5, 5),
        {"three": LIST([3])},
        lambda x: np.mod(np.trunc(x), 3) + np.trunc(np.trunc(x) / 3),
        dtype="float32",
    ),
    "cast_to_u8": Case(
        [node("Mul", ["x", "k"], ["a"]), node("Abs", ["a"], ["b"]), node("Cast", ["b"], ["y"], to=2)],
        (1, 2, 3, 4),
        {"k": np.float32(20)},
        lambda x: np.abs(x * np.float32(20)).astype(np.uint8),
    ),
    "u8_in": Case(
        [node("Cast", ["x"], ["f"], to=1), node("Div", ["f", "w"], ["y"])],
        (1, 1, 4, 4),
        {"w": np.float32(255)},
        lambda x: x.astype(np.float32) / 255,
        dtype="uint8",
    ),
    "concat_channels": Case(
        [node("Concat", ["x", "z", "x"], ["y"], axis=1)],
        (1, 3, 4, 5),
        {},
        lambda x, z: np.concatenate([x, z, x], 1),
        second=(1, 1, 4, 5),
    ),
    "concat_rows": Case(
        [node("Concat", ["x", "z"], ["y"], axis=2)],
        (1, 3, 4, 5),
        {},
        lambda x, z: np.concatenate([x, z], 2),
        second=(1, 3, 2, 5),
    ),
    "concat_columns": Case(
        [node("Concat", ["x", "z"], ["y"], axis=-1)],
        (1, 3, 4, 5),
        {},
        lambda x, z: np.concatenate([x, z], 3),
        second=(1, 3, 4, 1),
    ),
    "concat_constant": Case(
        [node("Concat", ["x", "c"], ["y"], axis=1)],
        (1, 2, 4, 5),
        {"c": np.arange(40, dtype=np.float32).reshape(1, 2, 4, 5)},
        lambda x: np.concatenate([x, np.arange(40, dtype=np.float32).reshape(1, 2, 4, 5)], 1),
    ),
    "pad": one(
        "Pad",
        lambda x: np.pad(x, ((0, 0), (0, 0), (1, 3), (2, 0)), constant_values=1.5),
        constants={"p": LIST([0, 0, 1, 2, 0, 0, 3, 0]), "v": np.float32(1.5)},
    ),
    "pad_channels": one(
        "Pad", lambda x: np.pad(x, ((0, 0), (1, 2), (0, 0), (0, 0))), constants={"p": LIST([0, 1, 0, 0, 0, 2, 0, 0])}
    ),
    "pad_one_channel": one(
        "Pad",
        lambda x: np.pad(x, ((0, 0), (0, 3), (0, 0), (0, 0))),
        (1, 1, 4, 4),
        {"p": LIST([0, 0, 0, 0, 0, 3, 0, 0])},
    ),
    "pad_reflect": one(
        "Pad",
        lambda x: np.pad(x, ((0, 0), (0, 0), (1, 2), (2, 1)), "reflect"),
        constants={"p": LIST([0, 0, 1, 2, 0, 0, 2, 1])},
        mode="reflect",
    ),
    "pad_edge": Case(
        [node("Pad", ["x"], ["y"], mode="edge", pads=[0, 0, 2, 0, 0, 0, 0, 1])],
        (1, 2, 3, 3),
        {},
        lambda x: np.pad(x, ((0, 0), (0, 0), (2, 0), (0, 1)), "edge"),
        opset=9,
    ),
    "pad_before_conv": Case(
        [node("Pad", ["x", "p"], ["q"]), node("Conv", ["q", "w", "b"], ["y"], strides=[2, 2])],
        (1, 3, 6, 6),
        {"p": LIST([0, 0, 0, 0, 0, 0, 1, 1]), "w": W, "b": B},
        lambda x: convolved(x, W, B, (2, 2), (0, 0, 1, 1)),
    ),
    "max_pool": one("MaxPool", lambda x: pooled(x, np.max, 2, 2), (1, 3, 5, 6), kernel_shape=[2, 2], strides=[2, 2]),
    "max_pool_pads": one(
        "MaxPool",
        lambda x: pooled(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-math.inf), np.max, 3, 2),
        (1, 2, 6, 7),
        kernel_shape=[3, 3],
        strides=[2, 2],
        pads=[1, 1, 1, 1],
    ),
    "max_pool_ceil": one("MaxPool", None, (1, 2, 6, 7), kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
    "max_pool_stride_1": one("MaxPool", lambda x: pooled(x, np.max, 2, 1), (1, 2, 4, 4), kernel_shape=[2, 2]),
    "average_pool": one(
        "AveragePool", lambda x: pooled(x, np.mean, 2, 2), (1, 3, 6, 4), kernel_shape=[2, 2], strides=[2, 2]
    ),
    "average_pool_pads": one("AveragePool", None, (1, 3, 5, 5), kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
    "average_pool_counts_pads": one(
        "AveragePool", None, (1, 3, 5, 5), kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1
    ),
    "average_pool_ceil": one("AveragePool", None, (1, 2, 6, 6), kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
    "global_average_pool": one("GlobalAveragePool", lambda x: x.mean((2, 3), keepdims=True)),
    "global_max_pool": one("GlobalMaxPool", lambda x: x.max((2, 3), keepdims=True)),
    "squeeze_and_excitation": Case(
        [
            node("GlobalAveragePool", ["x"], ["g"]),
            node("Conv", ["g", "w"], ["c"]),
            node("HardSigmoid", ["c"], ["h"]),
            node("Mul", ["x", "h"], ["y"]),
        ],
        (1, 3, 4, 5),
        {"w": W[:3, :, :1, :1]},
        None,
    ),
    "reduce_mean": Case(
        [node("ReduceMean", ["x"], ["y"], axes=[2, 3])], (1, 3, 4, 5), {}, lambda x: x.mean((2, 3), keepdims=True)
    ),
    "reduce_sum_channels": one("ReduceSum", lambda x: x.sum(1, keepdims=True), constants={"a": LIST([1])}),
    "reduce_max_rows": Case(
        [node("ReduceMax", ["x"], ["y"], axes=[2], keepdims=0)], (1, 3, 4, 5), {}, lambda x: x.max(2)
    ),
    "reduce_min_all_channels": Case(
        [node("ReduceMin", ["x"], ["y"], axes=[1])], (1, 5, 4, 5), {}, lambda x: x.min(1, keepdims=True)
    ),
    "arg_max_pixels": Case(
        [
            node("Reshape", ["x", "s"], ["f"]),
            node("ArgMax", ["f"], ["a"], axis=2, keepdims=0),
            node("Mod", ["a", "w"], ["u"]),
            node("Div", ["a", "w"], ["v"]),
            node("Unsqueeze", ["u", "e"], ["uu"]),
            node("Unsqueeze", ["v", "e"], ["vv"]),
            node("Concat", ["uu", "vv"], ["p"], axis=2),
            node("Cast", ["p"], ["y"], to=1),
        ],
        (1, 4, 5, 7),
        {"s": LIST([1, 4, 35]), "w": LIST([7]), "e": LIST([2])},
        lambda x: np.stack([x.reshape(1, 4, 35).argmax(2) % 7, x.reshape(1, 4, 35).argmax(2) // 7], 2),
    ),
    "arg_max_channels": Case(
        [node("ArgMax", ["x"], ["a"], axis=1), node("Cast", ["a"], ["y"], to=1)],
        (1, 5, 3, 4),
        {},
        lambda x: x.argmax(1)[:, np.newaxis],
    ),
    "top_k": Case(
        [node("TopK", ["x", "k"], ["y", "i"], axis=2), node("Cast", ["i"], ["places"], to=1)],
        (1, 3, 9, 2),
        {"k": LIST([4])},
        lambda x: -np.sort(-x, 2)[:, :, :4],
        outputs=("y", "places"),
    ),
    "top_k_smallest_of_equal": Case(
        [
            node("Round", ["x"], ["r"]),
            node("TopK", ["r", "k"], ["y", "i"], axis=-1, largest=0),
            node("Cast", ["i"], ["places"], to=1),
        ],
        (1, 4, 2, 11),
        {"k": LIST([5])},
        lambda x: np.sort(np.rint(x), 3)[..., :5],
        outputs=("y", "places"),
    ),
    "top_k_channels": Case(
        [node("TopK", ["x", "k"], ["y", "i"], axis=1)],
        (1, 6, 3, 4),
        {"k": LIST([2])},
        lambda x: -np.sort(-x, 1)[:, :2],
    ),
    "arg_min_last": Case(
        [
            node("Round", ["x"], ["r"]),
            node("ArgMin", ["r"], ["a"], axis=3, select_last_index=1),
            node("Cast", ["a"], ["y"], to=1),
        ],
        (1, 2, 4, 9),
        {},
        lambda x: 8 - np.rint(x)[..., ::-1].argmin(3)[..., np.newaxis],
    ),
    "instance_normalization": one(
        "InstanceNormalization",
        instance_normal,
        (1, 3, 6, 7),
        {"s": SLOPE.reshape(3), "b": SLOPE.reshape(3)},
        epsilon=1e-5,
    ),
    "lp_normalization": one("LpNormalization", lambda x: x / np.sqrt((x * x).sum(1, keepdims=True)), axis=1),
    "resize_nearest": Case(
        [
            node(
                "Resize",
                ["x", "", "s"],
                ["y"],
                mode="nearest",
                nearest_mode="floor",
                coordinate_transformation_mode="asymmetric",
            )
        ],
        (1, 2, 3, 4),
        {"s": LIST([1, 1, 2, 2], np.float32)},
        lambda x: x.repeat(2, 2).repeat(2, 3),
    ),
    "resize_sizes": Case(
        [node("Resize", ["x", "", "", "s"], ["y"], mode="nearest")], (1, 2, 6, 5), {"s": LIST([1, 2, 4, 7])}, None
    ),
    "resize_linear": Case(
        [node("Resize", ["x", "", "s"], ["y"], mode="linear")],
        (1, 2, 3, 4),
        {"s": LIST([1, 1, 2, 2], np.float32)},
        None,
    ),
    "resize_linear_corners": Case(
        [node("Resize", ["x", "", "s"], ["y"], mode="linear", coordinate_transformation_mode="align_corners")],
        (1, 2, 3, 4),
        {"s": LIST([1, 1, 3, 2], np.float32)},
        None,
    ),
    "resize_linear_down": Case(
        [node("Resize", ["x", "", "", "s"], ["y"], mode="linear", coordinate_transformation_mode="pytorch_half_pixel")],
        (1, 2, 8, 9),
        {"s": LIST([1, 2, 3, 1])},
        None,
    ),
    "resize_asymmetric_linear": Case(
        [node("Resize", ["x", "", "s"], ["y"], mode="linear", coordinate_transformation_mode="asymmetric")],
        (1, 2, 3, 4),
        {"s": LIST([1, 1, 1.5, 2], np.float32)},
        None,
    ),
    "upsample": Case(
        [node("Upsample", ["x", "s"], ["y"], mode="nearest")],
        (1, 2, 3, 4),
        {"s": LIST([1, 1, 2, 3], np.float32)},
        lambda x: x.repeat(2, 2).repeat(3, 3),
        opset=9,
    ),
    "depth_to_space": one(
        "DepthToSpace",
        lambda x: x.reshape(1, 2, 2, 3, 4, 5).transpose(0, 3, 4, 1, 5, 2).reshape(1, 3, 8, 10),
        (1, 12, 4, 5),
        blocksize=2,
    ),
    "depth_to_space_crd": one(
        "DepthToSpace",
        lambda x: x.reshape(1, 3, 2, 2, 4, 5).transpose(0, 1, 4, 2, 5, 3).reshape(1, 3, 8, 10),
        (1, 12, 4, 5),
        blocksize=2,
        mode="CRD",
    ),
    "space_to_depth": one(
        "SpaceToDepth",
        lambda x: x.reshape(1, 3, 2, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4).reshape(1, 12, 2, 3),
        (1, 3, 4, 6),
        blocksize=2,
    ),
    "pixel_shuffle_by_hand": Case(
        [
            node("Reshape", ["x", "a"], ["r"]),
            node("Transpose", ["r"], ["t"], perm=[0, 1, 4, 2, 5, 3]),
            node("Reshape", ["t", "b"], ["y"]),
        ],
        (1, 8, 3, 4),
        {"a": LIST([1, 2, 2, 2, 3, 4]), "b": LIST([1, 2, 6, 8])},
        lambda x: x.reshape(1, 2, 2, 2, 3, 4).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 6, 8),
    ),
    "channel_shuffle": Case(
        [
            node("Reshape", ["x", "a"], ["r"]),
            node("Transpose", ["r"], ["t"], perm=[0, 2, 1, 3, 4]),
            node("Reshape", ["t", "b"], ["s"]),
            node("Conv", ["s", "w", "c"], ["y"]),
        ],
        (1, 6, 3, 4),
        {"a": LIST([1, 2, 3, 3, 4]), "b": LIST([1, 6, 3, 4]), "w": numbers(2, 6, 1, 1), "c": B[:2]},
        None,
    ),
    "slice": one(
        "Slice",
        lambda x: x[:, 1:3, 1:4:2, ::2],
        constants={"s": LIST([1, 1, 0]), "e": LIST([3, 4, 2**62]), "a": LIST([1, 2, 3]), "t": LIST([1, 2, 2])},
    ),
    "slice_channels_backwards": one(
        "Slice",
        lambda x: x[:, ::-1],
        constants={"s": LIST([-1]), "e": LIST([-(2**62)]), "a": LIST([1]), "t": LIST([-1])},
    ),
    "split": Case(
        [
            node("Split", ["x", "n"], ["a", "b"], axis=1),
            node("Relu", ["b"], ["c"]),
            node("Concat", ["c", "a"], ["y"], axis=1),
        ],
        (1, 5, 3, 3),
        {"n": LIST([2, 3])},
        lambda x: np.concatenate([np.maximum(x[:, 2:], 0), x[:, :2]], 1),
    ),
    "gather_channel": one("Gather", lambda x: x[:, 2], constants={"i": LIST(2)}, axis=1),
    "gather_pairs": Case(
        [node("Gather", ["x", "i"], ["g"], axis=1), node("ReduceMean", ["g"], ["y"], axes=[2], keepdims=0)],
        (1, 5, 3, 4),
        {"i": LIST([[0, 1], [-1, 2]])},
        lambda x: x[:, [[0, 1], [4, 2]]].mean(2),
        tolerance=1e-6,
    ),
    "gather_rows": one("Gather", lambda x: x[:, :, [3, 0, 0]], constants={"i": LIST([3, 0, 0])}, axis=2),
    "flatten_gemm": Case(
        [node("Flatten", ["x"], ["f"]), node("Gemm", ["f", "w", "b"], ["y"], transB=1)],
        (1, 3, 5, 6),
        {"w": MATRIX, "b": numbers(5)},
        None,
    ),
    "gemm_of_pixels": Case(
        [
            node("GlobalAveragePool", ["x"], ["g"]),
            node("Reshape", ["g", "s"], ["r"]),
            node("Gemm", ["r", "w"], ["y"], alpha=0.5),
        ],
        (1, 3, 4, 4),
        {"s": LIST([1, 3]), "w": numbers(3, 7)},
        None,
    ),
    "matmul_of_heads": Case(
        [
            node("Transpose", ["x"], ["t"], perm=[0, 2, 3, 1]),
            node("Reshape", ["t", "s"], ["r"]),
            node("MatMul", ["r", "w"], ["y"]),
        ],
        (1, 6, 3, 4),
        {"s": LIST([1, -1, 6]), "w": np.eye(6, 4, dtype=np.float32)},
        lambda x: x.transpose(0, 2, 3, 1).reshape(1, 12, 6)[..., :4],
    ),
    "channels_taken_for_pixels": Case(  # as where a graph for channels last was turned, but not its shapes
        [node("Reshape", ["x", "s"], ["r"]), node("MatMul", ["r", "w"], ["y"])],
        (1, 6, 4, 5),
        {"s": LIST([1, 4, 5, 6]), "w": np.eye(6, 5, dtype=np.float32)},
        lambda x: x.reshape(1, 4, 5, 6)[..., :5],
    ),
    "lists_that_begin_within_channels": Case(
        [node("Reshape", ["x", "s"], ["y"])],
        (1, 3, 5, 6),
        {"s": LIST([1, 2, 45])},
        lambda x: x.reshape(1, 2, 45),
    ),
    "attention_of_windows": Case(  # (windows, heads, pixels, channels)
        [
            node("Reshape", ["x", "s"], ["r"]),
            node("Transpose", ["r"], ["a"], perm=[2, 4, 1, 3, 5, 0]),
            node("Reshape", ["a", "t"], ["q"]),
            node("Transpose", ["q"], ["k"], perm=[0, 1, 3, 2]),
            node("MatMul", ["q", "k"], ["m"]),
            node("Reshape", ["m", "u"], ["y"]),
        ],
        (1, 12, 4, 6),
        {"s": LIST([6, 2, 2, 2, 2, 3]), "t": LIST([4, 2, 6, 6]), "u": LIST([1, 8, 6, 6])},
        lambda x: (lambda q: q @ q.transpose(0, 1, 3, 2))(
            x.reshape(6, 2, 2, 2, 2, 3).transpose(2, 4, 1, 3, 5, 0).reshape(4, 2, 6, 6)
        ).reshape(1, 8, 6, 6),
    ),
    "keys_of_many_heads": Case(  # more channels become pixels, and pixels channels, than each could say by itself
        [
            node("Reshape", ["x", "s"], ["r"]),
            node("Transpose", ["r"], ["k"], perm=[0, 1, 2, 3]),
            node("Transpose", ["r"], ["q"], perm=[0, 1, 3, 2]),
            node("MatMul", ["q", "k"], ["y"]),
        ],
        (1, 64, 4, 6),
        {"s": LIST([1, 4, 16, 24])},
        lambda x: x.reshape(1, 4, 16, 24).transpose(0, 1, 3, 2) @ x.reshape(1, 4, 16, 24),
    ),
    "anchors_of_two_maps": Case(
        [
            node("Transpose", ["x"], ["t"], perm=[0, 2, 3, 1]),
            node("Reshape", ["t", "s"], ["r"]),
            node("Transpose", ["z"], ["u"], perm=[0, 2, 3, 1]),
            node("Reshape", ["u", "s"], ["q"]),
            node("Concat", ["r", "q"], ["y"], axis=1),
        ],
        (1, 8, 3, 4),
        {"s": LIST([1, -1, 4])},
        lambda x, z: np.concatenate(
            [x.transpose(0, 2, 3, 1).reshape(1, 24, 4), z.transpose(0, 2, 3, 1).reshape(1, 6, 4)], 1
        ),
        second=(1, 12, 1, 2),
    ),
    "shape_arithmetic": Case(
        [
            node("Shape", ["x"], ["s"]),
            node("Slice", ["s", "two", "four", "zero"], ["hw"]),
            node("Mul", ["hw", "k"], ["n"]),
            node("Slice", ["s", "zero", "two", "zero"], ["bc"]),
            node("Concat", ["bc", "n"], ["size"], axis=0),
            node(
                "Resize",
                ["x", "", "", "size"],
                ["y"],
                mode="nearest",
                coordinate_transformation_mode="asymmetric",
                nearest_mode="floor",
            ),
        ],
        (1, 2, 3, 4),
        {"zero": LIST([0]), "two": LIST([2]), "four": LIST([4]), "k": LIST([2, 3])},
        lambda x: x.repeat(2, 2).repeat(3, 3),
    ),
    "constants_folded": Case(
        [
            node("Constant", [], ["c"], value=np.array([2], np.int64)),
            node("ConstantOfShape", ["c"], ["z"]),
            node("Range", ["r0", "r1", "r2"], ["g"]),
            node("Cast", ["g"], ["f"], to=1),
            node("Squeeze", ["c"], ["q"]),
            node("Unsqueeze", ["q", "r0v"], ["w"]),
            node("Expand", ["f", "three"], ["e"]),
            node("ReduceProd", ["e"], ["p"]),
            node("Sqrt", ["p"], ["h"]),
            node("Identity", ["x"], ["i"]),
            node("Dropout", ["i"], ["d"]),
            node("Add", ["d", "h"], ["y"]),
        ],
        (1, 2, 3, 3),
        {"r0": LIST(1), "r1": LIST(4), "r2": LIST(1), "r0v": LIST([0]), "three": LIST([3])},
        lambda x: x + np.float32(np.sqrt(6.0)),
    ),
    "quantised": Case(
        [
            node("QuantizeLinear", ["x", "s", "z"], ["q"]),
            node("DequantizeLinear", ["q", "s", "z"], ["f"]),
            node("DequantizeLinear", ["w", "ws", "wz"], ["wf"], axis=0),
            node("Conv", ["f", "wf"], ["c"]),
            node("QuantizeLinear", ["c", "cs", "cz"], ["k"]),
            node("DequantizeLinear", ["k", "cs", "cz"], ["y"]),
        ],
        (1, 3, 5, 6),
        {
            "s": np.float32(0.03),
            "z": np.uint8(120),
            "w": RNG.integers(-127, 127, (4, 3, 3, 3)).astype(np.int8),
            "ws": np.abs(numbers(4)) * np.float32(0.02),
            "wz": np.zeros(4, np.int8),
            "cs": np.float32(0.1),
            "cz": np.int8(-3),
        },
        None,
        tolerance=2e-2,
    ),
    "line": Case(
        [node("Reshape", ["x", "s"], ["l"]), node("Conv", ["l", "w", "b"], ["y"], pads=[1, 1], strides=[2])],
        (1, 3, 1, 9),
        {"s": LIST([1, 3, 9]), "w": W[:, :, :, 0], "b": B},
        lambda x: convolved(x, W[:, :, :, 0][:, :, np.newaxis], B, (1, 2), (0, 1, 0, 1))[:, :, 0],
    ),
}


def numbers_of(height: int) -> Array:
    return np.arange(height * 6, dtype=np.float32).reshape(1, 1, height, 6)


def written(case: Case, file: Path) -> dict[str, Array]:
    inputs = {"x": (case.dtype, case.shape)} | ({"z": ("float32", case.second)} if case.second else {})
    file.write_bytes(model(case.nodes, inputs, case.outputs, case.constants, case.opset))
    rng = np.random.default_rng(1)
    made = {}
    for name, (dtype, shape) in inputs.items():
        values = rng.standard_normal(shape) * 2
        made[name] = values.astype(np.float32) if dtype == "float32" else rng.integers(0, 255, shape).astype(dtype)
    return made


def close(found: Array, wanted: Array, tolerance: float) -> None:
    assert found.shape == np.shape(wanted)
    assert np.allclose(found, wanted, rtol=tolerance, atol=tolerance * max(1e-3, float(np.abs(wanted).max())))


S8, Z8 = np.float32(0.04), np.uint8(120)
QUANTISED = {"s": S8, "z": Z8, "t": np.float32(0.07), "u": np.uint8(99)}
QLINEAR = {"q": RNG.integers(-99, 99, (5, 3, 2, 2)).astype(np.int8), "r": np.full(5, 0.02, np.float32),
           "v": np.zeros(5, np.int8), "i": np.arange(5, dtype=np.int32) * 99}  # fmt: skip
MATRIX8 = {"q": RNG.integers(-99, 99, (6, 5)).astype(np.int8), "r": np.float32(0.02), "v": np.int8(0)}


def between_quantisers(*nodes: bytes, constants: Mapping[str, Any] = {}) -> Case:
    """Operators of whole numbers from a to b."""
    first = node("QuantizeLinear", ["x", "s", "z"], ["a"])
    last = node("DequantizeLinear", ["b", "t", "u"], ["y"])
    return Case([first, *nodes, last], (1, 3, 5, 6), {**QUANTISED, **constants})


def of_domain(op: str, inputs: Sequence[str], **how: Any) -> bytes:
    return node(f"QLinear{op}", [*inputs, "t", "u"], ["b"], "com.microsoft", **how)


CASES |= {
    "qlinear_conv": between_quantisers(
        node("QLinearConv", ["a", "s", "z", "q", "r", "v", "t", "u", "i"], ["b"], pads=[1, 0, 1, 1], strides=[1, 2]),
        constants=QLINEAR),
    "qlinear_matmul": between_quantisers(node("QLinearMatMul", ["a", "s", "z", "q", "r", "v", "t", "u"], ["b"]),
                                         constants=MATRIX8),
    "qlinear_add": between_quantisers(of_domain("Add", ["a", "s", "z", "a", "s", "z"])),
    "qlinear_mul": between_quantisers(of_domain("Mul", ["a", "s", "z", "a", "s", "z"])),
    "qlinear_sigmoid": between_quantisers(of_domain("Sigmoid", ["a", "s", "z"])),
    "qlinear_leaky": between_quantisers(of_domain("LeakyRelu", ["a", "s", "z"], alpha=0.2)),
    "qlinear_pool": between_quantisers(of_domain("AveragePool", ["a", "s", "z"], kernel_shape=[2, 2])),
    "qlinear_global": between_quantisers(of_domain("GlobalAveragePool", ["a", "s", "z"])),
    "qlinear_concat": between_quantisers(
        node("QLinearConcat", ["t", "u", "a", "s", "z", "a", "s", "z"], ["b"], "com.microsoft", axis=1)),
    "gelu_elsewhere": Case([node("Gelu", ["x"], ["y"], "com.microsoft")], (1, 2, 3, 4)),
    "quick_gelu": Case([node("QuickGelu", ["x"], ["y"], "com.microsoft", alpha=1.5)], (1, 2, 3, 4)),
    "swish": Case([node("Swish", ["x"], ["y"])], (1, 2, 3, 4), expected=lambda x: x / (1 + np.exp(-x)), opset=24),
    "shrink": Case([node("Shrink", ["x"], ["y"], lambd=0.5, bias=0.25)], (1, 2, 3, 4)),
    "is_nan": Case([node("Div", ["x", "o"], ["d"]), node("IsNaN", ["d"], ["n"]), node("Where", ["n", "x", "o"], ["y"])],
                   (1, 1, 1, 3), {"o": np.zeros((1, 1, 1, 3), np.float32)}),
    "cubic": Case([node("Resize", ["x", "", "s"], ["y"], mode="cubic", cubic_coeff_a=-0.6)], (1, 2, 5, 6),
                  {"s": np.float32([1, 1, 2, 1.5])}, tolerance=1e-4),
    "not_larger": Case([node("Resize", ["x", "", "", "s"], ["y"], mode="linear", axes=[2, 3],
                             keep_aspect_ratio_policy="not_larger")], (1, 2, 5, 6), {"s": LIST([12, 12])}, opset=18),
    "max_pool_gaps": one("MaxPool", None, (1, 2, 9, 8), kernel_shape=[2, 3], dilations=[2, 2], pads=[1, 1, 1, 1],
                         strides=[2, 1], ceil_mode=1),
    "average_pool_gaps": Case([node("AveragePool", ["x"], ["y"], kernel_shape=[2, 3], dilations=[3, 2],
                                    pads=[1, 1, 1, 1])], (1, 2, 9, 8), opset=19),
    "lp_pool": one("LpPool", None, (1, 2, 6, 7), kernel_shape=[3, 2], strides=[2, 2]),
    "global_lp_pool": one("GlobalLpPool", None, (1, 2, 6, 7), p=1),
    "lrn": one("LRN", None, (1, 7, 3, 4), size=3, alpha=0.1, beta=0.75, bias=1.0),
    "trilu": Case([node("Trilu", ["m", "k"], ["t"], upper=0), node("Mul", ["x", "t"], ["y"])], (1, 2, 3, 4),
                  {"m": numbers(3, 4), "k": np.array(1)}),
    "one_hot": Case([node("OneHot", ["i", "d", "v"], ["o"], axis=0), node("Mul", ["x", "o"], ["y"])], (1, 1, 3, 4),
                    {"i": LIST([2, 0, -1, 1]), "d": np.array(3), "v": np.float32([0.5, 2])}),
    # Parameters that training keeps in another form: weights as direction and length, shares of fused maps, a scale.
    "functions_of_constants": Case(
        [node("ReduceL2", ["w"], ["n"], axes=[1, 2, 3]), node("Div", ["w", "n"], ["v"]), node("Exp", ["g"], ["e"]),
         node("Mul", ["v", "e"], ["k"]), node("Conv", ["x", "k"], ["c"]), node("Softmax", ["l"], ["s"], axis=0),
         node("Relu", ["l"], ["r"]), node("Add", ["s", "r"], ["p"]), node("Clip", ["i", "a", "b"], ["j"]),
         node("Cast", ["j"], ["q"], to=1), node("Mul", ["p", "q"], ["f"]), node("Mul", ["c", "f"], ["y"])],
        (1, 3, 5, 6), {"w": W, "g": numbers(4, 1, 1, 1), "l": numbers(4, 1, 1), "i": LIST(7), "a": LIST(0),
                       "b": LIST(5)}),
    "reduced_constants": Case(
        [node(f"Reduce{k}", ["p"], [k], axes=[2]) for k in ("L1", "SumSquare", "LogSum", "LogSumExp")]
        + [node("Sum", ["x", "L1", "SumSquare", "LogSum", "LogSumExp"], ["y"])],
        (1, 3, 4, 1), {"p": np.abs(numbers(3, 4, 2))}),
    "tile_more": one("Tile", lambda x: np.tile(x, (1, 2, 3, 1)), (1, 3, 2, 4), {"r": LIST([1, 2, 3, 1])}),
    "pow_whole": Case([node("Pow", ["x", "e"], ["p"]), node("Pow", ["x", "o"], ["q"]), node("Sub", ["p", "q"], ["y"])],
                      (1, 2, 4, 5), {"e": np.float32(4), "o": LIST(5)}, lambda x: x**4 - x**5, tolerance=1e-4),
    "pow_inverse": one("Pow", lambda x: x**-3.0, constants={"e": np.float32(-3)}, shape=(1, 2, 4, 5)),
    "pow_of_constant": Case([node("Pow", ["e", "x"], ["y"])], (1, 2, 4, 5), {"e": np.float32(2)}, lambda x: 2.0**x),
    "mod_float": one("Mod", np.fmod, (1, 2, 4, 5), second=(1, 1, 4, 5), fmod=1),
    "mod_whole": Case([node("Cast", ["x"], ["i"], to=6), node("Mod", ["i", "m"], ["f"], fmod=1),
                       node("Mod", ["n", "m"], ["g"], fmod=1), node("Add", ["f", "g"], ["s"]),
                       node("Cast", ["s"], ["y"], to=1)], (1, 2, 4, 5),
                      {"m": LIST(3, np.int32), "n": LIST(-5, np.int32)}, lambda x: np.fmod(np.trunc(x), 3) - 2),
    # Places that are whole numbers in exact arithmetic, but not in f32: pixel 3 lies at (3 + 1/2) 13/7 - 1/2 = 6.
    "resize_nearest_f32": Case([node("Resize", ["x", "", "", "s"], ["y"], mode="nearest", nearest_mode="floor")],
                               (1, 2, 3, 13), {"s": LIST([1, 2, 3, 7])}, lambda x: x[..., [0, 2, 4, 5, 7, 9, 11]]),
    # 11 x f32(7 / 11) is 7 in f32 and less in f64.
    "resize_length_f32": Case([node("Resize", ["x", "", "s"], ["y"], mode="linear")], (1, 2, 3, 11),
                              {"s": np.float32([1, 1, 1, 7 / 11])}),
    # As tf2onnx writes Keras's UpSampling2D for opsets before 13.
    "resize_tensorflow": Case(
        [node("Resize", ["x", "r", "s"], ["y"], mode="nearest", nearest_mode="floor",
              coordinate_transformation_mode="tf_half_pixel_for_nn")],
        (1, 2, 3, 4), {"r": np.zeros(0, np.float32), "s": np.float32([1, 1, 1, 2.5])},
        lambda x: x[..., [0, 0, 1, 1, 1, 2, 2, 3, 3, 3]], opset=11),
    "row_times_column": Case([node("Mul", ["x", "z"], ["y"])], (1, 5, 1, 4), expected=lambda x, z: x * z,
                             second=(1, 1, 3, 1)),
    "column_times_row": Case([node("Add", ["x", "z"], ["s"]), node("Mul", ["s", "c"], ["y"])], (1, 1, 3, 1),
                             {"c": np.float32([[1, 2, 3, 4]])}, lambda x, z: (x + z) * np.arange(1, 5),
                             second=(1, 4, 1, 1)),
    # The query and the key of RTMPose's attention: a list of vectors times two rows, cut apart again.
    "list_times_rows": Case(
        [node("Reshape", ["x", "l"], ["r"]), node("Unsqueeze", ["r", "t"], ["u"]), node("Mul", ["u", "g"], ["m"]),
         node("Split", ["m"], ["q", "k"], axis=2), node("Squeeze", ["q", "t"], ["a"]),
         node("Squeeze", ["k", "t"], ["b"]), node("Transpose", ["b"], ["c"], perm=[0, 2, 1]),
         node("MatMul", ["a", "c"], ["y"])], (1, 6, 2, 4),
        {"l": LIST([1, 6, 8]), "t": LIST([2]), "g": numbers(1, 1, 2, 8)}, opset=13),
    # Expected places over heat maps of many pixels, one of which lie column by column.
    "channels_times_pixels": Case(
        [node("Reshape", ["x", "s"], ["r"]), node("MatMul", ["r", "g"], ["y"])], (1, 6, 30, 40),
        {"s": LIST([1, 6, 1200]), "g": numbers(1200, 2)}, tolerance=1e-4),
    "channels_times_turned_pixels": Case(
        [node("Transpose", ["x"], ["t"], perm=[0, 1, 3, 2]), node("Reshape", ["t", "s"], ["r"]),
         node("MatMul", ["r", "g"], ["y"])], (1, 6, 30, 40), {"s": LIST([2, 3, 1200]), "g": numbers(1200, 1)},
        lambda x: (x.transpose(0, 1, 3, 2).reshape(2, 3, 1200) @ CASES["channels_times_turned_pixels"].constants["g"]),
        tolerance=1e-4),
    "channel_by_pixel": Case([node("GlobalAveragePool", ["x"], ["p"]), node("Sub", ["p", "z"], ["y"])], (1, 3, 4, 5),
                             expected=lambda x, z: x.mean((2, 3), keepdims=True) - z, second=(1, 1, 2, 6)),
    "pieces_of_channels": Case(
        [node("Reshape", ["x", "a"], ["r"]), node("Transpose", ["r"], ["t"], perm=[0, 1, 3, 4, 2]),
         node("Slice", ["t", "l", "n", "e"], ["p"]), node("Sigmoid", ["p"], ["g"]),
         node("Concat", ["t", "g"], ["c"], axis=4), node("Reshape", ["c", "f"], ["y"])], (1, 6, 2, 4),
        {"a": LIST([1, 2, 3, 2, 4]), "l": LIST([1]), "n": LIST([3]), "e": LIST([4]), "f": LIST([1, 16, 5])}),
    "groups_of_channels": Case(
        [node("Reshape", ["x", "a"], ["r"]), node("InstanceNormalization", ["r", "o", "n"], ["i"]),
         node("Reshape", ["i", "f"], ["y"])], (1, 6, 2, 4),
        {"a": LIST([0, 3, -1]), "o": np.float32([1, 2, 3]), "n": np.float32([0, 1, 2]), "f": LIST([1, 6, 2, 4])},
        tolerance=1e-4),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_operator(tmp_path, name):
    case = CASES[name]
    inputs = written(case, tmp_path / "m.onnx")
    found = run(tmp_path / "m.onnx", inputs)["y"]
    if case.expected is not None:
        close(found, case.expected(*inputs.values()), case.tolerance)
    session = judge(tmp_path / "m.onnx")
    if session is not None:
        close(found, session.run(None, inputs)[0], case.tolerance)
    elif case.expected is None:
        pytest.skip("onnxruntime, which judges this one, is not installed")


@pytest.mark.parametrize("kind", ["uint8", "int8"])
@pytest.mark.parametrize("groups", [1, 3])
def test_convolutions_of_whole_numbers_are_exact(tmp_path, kind, groups):
    rng = np.random.default_rng(groups)
    file = tmp_path / "m.onnx"
    zero = np.array(rng.integers(-20, 20) + (128 if kind == "uint8" else 0)).astype(kind)
    w = rng.integers(-128, 127, (6, 3 // groups, 3, 3), np.int8, endpoint=True)
    ws, s, ys = np.float32(rng.random(6) * 0.01 + 0.001), np.float32(0.05), np.float32(0.11)
    b = rng.integers(-5000, 5000, 6).astype(np.int32)
    nodes = [
        node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        node("DequantizeLinear", ["q", "s", "z"], ["f"]),
        node("DequantizeLinear", ["w", "ws", "wz"], ["wf"], axis=0),
        node("DequantizeLinear", ["b", "bs", "bz"], ["bf"], axis=0),
        node("Conv", ["f", "wf", "bf"], ["c"], group=groups, pads=[1, 1, 1, 1]),
        node("QuantizeLinear", ["c", "ys", "yz"], ["k"]),
        node("DequantizeLinear", ["k", "ys", "yz"], ["y"]),
    ]
    yz = np.array(3, kind)
    constants = {"s": s, "z": zero, "w": w, "ws": ws, "wz": np.zeros(6, np.int8), "b": b, "bs": s * ws,
                 "bz": np.zeros(6, np.int32), "ys": ys, "yz": yz}  # fmt: skip
    inputs = written(Case(nodes, (1, 3, 6, 5), constants), file)
    ends = np.iinfo(kind)
    q = np.clip(np.rint(inputs["x"] / s) + zero.astype(np.float32), ends.min, ends.max).astype(np.int64)
    sums = convolved(q - int(zero), w, b, pads=(1, 1, 1, 1), groups=groups)  # exact: whole numbers in float64
    share = sums.astype(np.float32) * ((s * ws) / ys).astype(np.float32).reshape(1, -1, 1, 1)
    k = np.clip(np.rint(share) + yz.astype(np.float32), ends.min, ends.max)
    assert np.array_equal(run(file, inputs)["y"], (k - np.float32(yz)).astype(np.float32) * ys)
    found = read(file)
    type_ = ImageType(dtype_of(np.dtype("f4")), 6, 5, 3)
    made = imported(found, {"x": bound_input(found.inputs[0], type_, input_volume(0, type_))})
    contractions = [n for n in postorder([made.outputs["y"].volume]) if n.op == "contract"]
    assert [str(n.dtype) for n in contractions] == ["i32"]


def test_every_operator_has_a_case():
    load_operators()
    used = {f"{n.domain}.{n.op}".lstrip(".") for case in CASES.values() for n in nodes_of(case)}
    used |= {op for case in test_exporters.CASES.values() for op in case.ops}
    assert set(OPERATORS) - used <= {"CastLike", "GreaterOrEqual", "Size", "Equal"}


def nodes_of(case: Case):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "m.onnx"
        written(case, file)
        return read(file).nodes


def marks(made: Imported) -> list[str]:
    return [mark.name for mark in made.marks]


REFUSED = [
    ([node("Frobnicate", ["x"], ["y"])], {}, r"node the_Frobnicate_y \(Frobnicate\) is an operator that is not"),
    ([node("Conv", ["x", "w"], ["y"], domain="com.acme")], {"w": W}, r"\(com.acme.Conv\) is an operator that is not"),
    ([node("Conv", ["x"], ["y"])], {}, r"\(Conv\): it needs input 1"),
    ([node("Conv", ["x", "q"], ["y"])], {}, "takes 'q', which nothing makes"),
    ([node("Conv", ["x", "w"], ["y"], strides=[0, 1])], {"w": W}, "its attribute strides is"),
    ([node("Conv", ["x", "w"], ["y"], group=2)], {"w": W}, "does not go with weights"),
    ([node("Conv", ["x", "w"], ["y"])], {"w": numbers(2, 3, 9, 9)}, "size of a contraction|at least 1"),
    ([node("Conv", ["x", "x"], ["y"])], {}, "its input 1 must be a constant"),
    ([node("MaxPool", ["w"], ["y"], kernel_shape=[1, 1])], {"w": W}, "its input 0 is a constant"),
    ([node("Relu", ["y"], ["x2"]), node("Relu", ["x2"], ["y"])], {}, "go in a circle"),
    ([node("Shape", ["x"], ["y"])], {}, "its output 'y' is a constant$"),
    ([node("Relu", ["x"], ["z"])], {}, "has no output 'y'|is made by no node"),
    ([node("Reshape", ["x", "s"], ["y"])], {"s": LIST([7, 13])}, "cannot be given the shape"),
    ([node("Add", ["x", "w"], ["y"])], {"w": numbers(7)}, "do not go with each other"),
    ([node("Resize", ["x", "", "s"], ["y"])], {"s": LIST([1, 1, 1e9, 1], np.float32)}, "its scale is 1e"),
    ([node("ConstantOfShape", ["s"], ["c"]), node("Add", ["x", "c"], ["y"])], {"s": LIST([2**40])}, "is too large"),
    ([node("Cast", ["x"], ["y"], to=8)], {}, "element type 8"),
    ([node("Slice", ["x", "s", "s", "a"], ["y"])], {"s": LIST([1]), "a": LIST([9])}, "has no axis 9"),
    ([node("Pow", ["x", "x"], ["y"])], {}, "its exponent must be one constant"),
    ([node("BatchNormalization", ["x", "v", "v", "v", "v"], ["y"], training_mode=1)], {"v": numbers(2)}, "in training"),
]  # fmt: skip


@pytest.mark.parametrize(("nodes", "constants", "sentence"), REFUSED)
def test_what_is_not_understood_is_named(tmp_path, nodes, constants, sentence):
    file = tmp_path / "m.onnx"
    inputs = written(Case(nodes, (1, 3, 5, 6), constants), file)
    with pytest.raises(DefinitionError, match=sentence) as found:
        run(file, inputs)
    assert "\n" not in str(found.value)


def test_what_can_be_done_about_an_operator_is_said(tmp_path, monkeypatch):
    file = tmp_path / "m.onnx"
    for op, there, sentence in (
        ("Strange", True, r"\(Strange\) is .*; a stage `network` with host = true runs it in onnxruntime, or write "
                          r"Strange in a file of yours for --plugin \(kernels/README.md shows one\)$"),
        ("Strange", False, r"; with the extra onnx-host \(pip .*\) a stage `network` runs it in onnxruntime, or write"),
        ("CumSum", True, r"host = true runs it in onnxruntime$"),
    ):  # fmt: skip
        monkeypatch.setattr(onnx_host, "THERE", there)
        inputs = written(Case([node(op, ["x", "a"], ["y"])], (1, 3, 5, 6), {"a": LIST([1])}), file)
        with pytest.raises(DefinitionError, match=sentence):
            run(file, inputs)


def test_names_of_several_lines_stay_in_one(tmp_path):
    file = tmp_path / "m.onnx"
    inputs = written(Case([node("Re\nlu", ["x"], ["y"])], (1, 3, 5, 6)), file)
    with pytest.raises(DefinitionError) as found:
        run(file, inputs)
    assert "\n" not in str(found.value)


def test_a_picture_that_does_not_fit_is_refused(tmp_path):
    file = tmp_path / "m.onnx"
    written(CASES["relu"], file)
    declared = read(file).inputs[0]
    for type_, sentence in [
        (ImageType(dtype_of(np.dtype("f4")), 9, 6, 3), "takes 6x5 pixels, but gets 6x9; put a `resize` stage"),
        (ImageType(dtype_of(np.dtype("f4")), 5, 6, 1), "takes 3 channels, but gets 1"),
    ]:
        with pytest.raises(Exception, match=sentence):
            bound_input(declared, type_, input_volume(0, type_))


def test_a_batch_normalisation_costs_nothing(tmp_path):
    file = tmp_path / "m.onnx"
    inputs = written(CASES["conv_batch_normalization"], file)
    found = read(file)
    type_ = ImageType(dtype_of(np.dtype("f4")), 5, 6, 3)
    made = imported(found, {"x": bound_input(found.inputs[0], type_, input_volume(0, type_))})
    assert made.outputs["y"].volume.op == "contract"
    assert marks(made) == ["conv_0"]
    assert [(m.name, m.value) for m in made.folded] == [("batchnormalization_1", made.outputs["y"].volume)]
    apart = imported(found, {"x": bound_input(found.inputs[0], type_, input_volume(0, type_))}, fold=False)
    assert marks(apart) == ["conv_0", "batchnormalization_1"]
    assert apart.outputs["y"].volume.op == "add"
    assert not apart.folded
    assert inputs["x"].shape == (1, 3, 5, 6)


PLUGIN = """
from kernels.ir.expr import maximum
from kernels.networks.calls import floats, operator, pointwise


@operator("com.mine.TwiceRelu")
def twice_relu(call):
    return pointwise(lambda x: maximum(x, 0.0) * call.number("times", 2.0), floats(call.tensor()))
"""


def test_an_operator_is_one_file(tmp_path):
    """A plug-in of a user's; one of the program is the same text in kernels/networks/operators."""
    (tmp_path / "mine.py").write_text(PLUGIN)
    case = Case([node("TwiceRelu", ["x"], ["y"], "com.mine", times=3.0)], (1, 2, 3, 4))
    inputs = written(case, tmp_path / "m.onnx")
    with pytest.raises(DefinitionError, match=r"\(com.mine.TwiceRelu\) is an operator that is not understood"):
        run(tmp_path / "m.onnx", inputs)
    load_plugin(tmp_path / "mine.py")
    try:
        close(run(tmp_path / "m.onnx", inputs)["y"], 3 * np.maximum(inputs["x"], 0), 1e-6)
        (tmp_path / "bad.py").write_text(PLUGIN.replace("TwiceRelu", "Other") + "raise ValueError")
        with pytest.raises(DefinitionError, match="does not load"):
            load_plugin(tmp_path / "bad.py")
        assert "com.mine.Other" not in OPERATORS
    finally:
        del OPERATORS["com.mine.TwiceRelu"]


@pytest.mark.parametrize(("heads", "mosaics"), [(16, 0), (17, 1)])
def test_channels_become_pixels_first_where_each_would_choose_among_many(heads: int, mosaics: int) -> None:
    """Of 16 x 16 pieces each says what it takes for every pixel; of 16 x 17 they are put side by side once."""
    image = input_volume(0, ImageType(dtype_of(np.dtype(np.float32)), 16, 1, heads))
    turned = arranged(laid(image, "yc"), "cy")
    assert sum(node.op == "mosaic" for node in postorder([turned])) == mosaics


@pytest.mark.parametrize(("width", "kept"), [(512, True), (513, False)])
def test_constants_of_a_quarter_million_pixels_are_kept(width: int, kept: bool) -> None:
    like = laid(input_volume(0, ImageType(dtype_of(np.dtype(np.float32)), 512, width)), "yx")
    values = np.arange(512 * width, dtype=np.float32).reshape(512, width)
    if kept:
        assert constant_over(values, like).size == (512, 512)
        return
    with pytest.raises(ExprError, match="kept only up to 262144 values"):
        constant_over(values, like)
