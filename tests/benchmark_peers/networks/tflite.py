"""ONNX networks of floats as TensorFlow Lite files, as far as LiteRT needs them to be compared: images with channels
last, activations in the operators before them, as TensorFlow's own converter leaves them.

The schema is that of LiteRT's package (https://ai.google.dev/edge/litert, schema.fbs); operators take axes as
https://www.tensorflow.org/mlir/tfl_ops has them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.networks.onnx_reader import Model, Operation

try:
    import flatbuffers
    from ai_edge_litert import schema_py_generated as schema
except ImportError:  # the bench looks before it loads; others, such as doctest, may still read this module
    schema = None

Array = npt.NDArray[Any]
Shape = tuple[int, ...]
_LAST = (0, 2, 3, 1)
"""ONNX's axes in the order in which images lie."""
_AXES = {0: 0, 1: 3, 2: 1, 3: 2}


class Unconvertible(ValueError):
    """Something has no counterpart here; one sentence."""


@dataclass(frozen=True, slots=True)
class _Value:
    """A tensor of the file: its number, ONNX's shape, and whether it lies with channels last."""

    number: int
    shape: Shape
    last: bool


def converted(model: Model, shapes: Mapping[str, Shape]) -> bytes:
    """The file.

    Args:
        shapes: of the inputs.

    Raises:
        Unconvertible: an operator, or a way of using it, has no counterpart.
    """
    return _Converter(model).written(shapes)


class _Converter:
    """Writes one file."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.constants = dict(model.constants)
        self.values: dict[str, _Value] = {}
        self.tensors: list[Any] = []
        self.buffers: list[Any] = [schema.BufferT()]  # the first is that of what is computed
        self.operators: list[Any] = []
        self.codes: dict[int, int] = {}
        self.uses = Counter(name for node in model.nodes for name in node.inputs)
        self.uses.update(output.name for output in model.outputs)

    def written(self, shapes: Mapping[str, Shape]) -> bytes:
        for name, shape in shapes.items():
            self.values[name] = self._tensor(shape)
        taken: set[int] = set()
        for number, node in enumerate(self.model.nodes):
            if number in taken:
                continue
            convert = _OPERATORS.get(node.op) if not node.domain else None
            if convert is None:
                raise Unconvertible(f"{node.op} is not converted")
            follower = self._activation(node)
            if follower is not None:
                taken.add(follower)
            done = self.model.nodes[follower] if follower is not None else node
            made = convert(self, node, _ACTIVATIONS.get(done.op, "NONE") if follower is not None else "NONE")
            if made is not None:
                self.values[done.outputs[0]] = made
        graph = schema.SubGraphT()
        graph.tensors, graph.operators, graph.name = self.tensors, self.operators, b"main"
        graph.inputs = [self.values[name].number for name in shapes]
        graph.outputs = [self.value(output.name).number for output in self.model.outputs]
        made = schema.ModelT()
        made.version, made.subgraphs, made.buffers, made.description = 3, [graph], self.buffers, b"fusetrack bench"
        made.operatorCodes = [_code(code) for code in self.codes]
        builder = flatbuffers.Builder(1 << 20)
        builder.Finish(made.Pack(builder), b"TFL3")
        return bytes(builder.Output())

    def _activation(self, node: Operation) -> int | None:
        """The number of the Relu or Relu6 that alone uses what a node makes; None without one."""
        if node.op not in ("Conv", "Add") or self.uses[node.outputs[0]] != 1:
            return None
        for number, after in enumerate(self.model.nodes):
            if node.outputs[0] in after.inputs[:1]:
                six = after.op == "Clip" and self._limits(after) == (0.0, 6.0)
                return number if after.op == "Relu" or six else None
        return None

    def _limits(self, node: Operation) -> tuple[float, float]:
        ends = [self.constant(name) for name in node.inputs[1:3]]
        if len(ends) != 2:
            raise Unconvertible("a Clip without two limits is not converted")
        return float(ends[0].item()), float(ends[1].item())

    def value(self, name: str) -> _Value:
        if name not in self.values:
            raise Unconvertible("arithmetic with constants is not converted")
        return self.values[name]

    def constant(self, name: str) -> Array:
        if name not in self.constants:
            raise Unconvertible("weights that are computed are not converted")
        return self.constants[name]

    def _tensor(self, shape: Shape, last: bool | None = None, values: Array | None = None) -> _Value:
        """A new tensor; `values` are those of a constant, as they lie."""
        last = len(shape) == 4 if last is None else last
        made = schema.TensorT()
        made.shape = [shape[axis] for axis in _LAST] if last else list(shape)
        made.name, made.type, made.buffer = f"t{len(self.tensors)}".encode(), schema.TensorType.FLOAT32, 0
        if values is not None:
            if values.dtype == np.int32:
                made.type = schema.TensorType.INT32
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.ascontiguousarray(values).tobytes(), np.uint8)
            made.buffer = len(self.buffers)
            self.buffers.append(buffer)
        self.tensors.append(made)
        return _Value(len(self.tensors) - 1, shape, last)

    def held(self, values: npt.ArrayLike, dtype: npt.DTypeLike = np.float32) -> _Value:
        """A constant as it is."""
        array = np.asarray(values, dtype)
        return self._tensor(array.shape, False, array)

    def add(
        self, name: str, inputs: Sequence[_Value], shape: Shape, last: bool | None = None, options: str = "",
        **settings: Any,
    ) -> _Value:  # fmt: skip
        """An operator with one output of a shape as ONNX has it."""
        code = getattr(schema.BuiltinOperator, name)
        made = schema.OperatorT()
        made.opcodeIndex = self.codes.setdefault(code, len(self.codes))
        out = self._tensor(shape, last)
        made.inputs, made.outputs = [one.number for one in inputs], [out.number]
        if options:
            made.builtinOptionsType = getattr(schema.BuiltinOptions, options)
            made.builtinOptions = getattr(schema, f"{options}T")()
            for key, value in settings.items():
                kind = getattr(schema, _KINDS[key]) if key in _KINDS else None
                setattr(made.builtinOptions, key, getattr(kind, value) if kind is not None else value)
        self.operators.append(made)
        return out


def _code(code: int) -> Any:
    made = schema.OperatorCodeT()
    made.builtinCode, made.deprecatedBuiltinCode = code, min(code, 127)
    made.version = {schema.BuiltinOperator.TRANSPOSE_CONV: 3, schema.BuiltinOperator.RESIZE_BILINEAR: 3,
                    schema.BuiltinOperator.RESIZE_NEAREST_NEIGHBOR: 3,
                    schema.BuiltinOperator.DEPTHWISE_CONV_2D: 2}.get(code, 1)  # fmt: skip
    return made


_ACTIVATIONS = {"Relu": "RELU", "Clip": "RELU6"}
_SAME, _VALID = "SAME", "VALID"
_KINDS = {"padding": "Padding", "fusedActivationFunction": "ActivationFunctionType"}
"""Settings that are names, and of what."""


def _pair(node: Operation, name: str, default: int = 1) -> tuple[int, int]:
    found: Any = node.attributes.get(name) or (default, default)
    return int(found[0]), int(found[1])


def _padded(
    c: _Converter, x: _Value, node: Operation, taps: tuple[int, int], fill: bool
) -> tuple[_Value, str, Shape]:
    """An image as an operator with a window takes it: with what it needs around it, the kind of padding, and the size
    (height, width) of what comes out.

    Args:
        fill: zeros may be put around it.
    """
    strides, dilations = _pair(node, "strides"), _pair(node, "dilations")
    given: Any = node.attributes.get("pads") or (0, 0, 0, 0)
    kind = node.attributes.get("auto_pad") or "NOTSET"
    if kind == "SAME_UPPER":
        return x, _SAME, (-(-x.shape[2] // strides[0]), -(-x.shape[3] // strides[1]))
    if kind not in ("NOTSET", "VALID") or node.attributes.get("ceil_mode"):
        raise Unconvertible(f"{node.op} that is padded by {kind}, or whose size is rounded up, is not converted")
    pads = [(int(given[axis]), int(given[axis + 2])) for axis in (0, 1)]
    sizes, same = [], []
    for axis in (0, 1):
        length, reach = x.shape[2 + axis], (taps[axis] - 1) * dilations[axis] + 1
        sizes.append((length + sum(pads[axis]) - reach) // strides[axis] + 1)
        out = -(-length // strides[axis])
        total = max((out - 1) * strides[axis] + reach - length, 0)
        same.append(out == sizes[axis] and pads[axis] == (total // 2, total - total // 2))
    if not any(map(sum, pads)):
        return x, _VALID, tuple(sizes)
    if all(same):
        return x, _SAME, tuple(sizes)
    if not fill:
        raise Unconvertible(f"{node.op} with these pads is not converted")
    n, channels, height, width = x.shape
    shape = (n, channels, height + sum(pads[0]), width + sum(pads[1]))
    return c.add("PAD", [x, c.held([(0, 0), *pads, (0, 0)], np.int32)], shape, options="PadOptions"), _VALID, \
        tuple(sizes)  # fmt: skip


def _conv(c: _Converter, node: Operation, activation: str) -> _Value:
    x, weights = c.value(node.inputs[0]), c.constant(node.inputs[1])
    features, each, *taps = weights.shape
    groups: Any = node.attributes.get("group", 1)
    bias = c.constant(node.inputs[2]) if len(node.inputs) > 2 else np.zeros(features)
    strides, dilations = _pair(node, "strides"), _pair(node, "dilations")
    x, padding, size = _padded(c, x, node, (taps[0], taps[1]), True)
    settings: dict[str, Any] = {"padding": padding, "strideH": strides[0], "strideW": strides[1],
                                "dilationHFactor": dilations[0], "dilationWFactor": dilations[1],
                                "fusedActivationFunction": activation}  # fmt: skip
    shape = (1, features, *size)
    if groups == 1:
        return c.add("CONV_2D", [x, c.held(weights.transpose(0, 2, 3, 1)), c.held(bias)], shape,
                     options="Conv2DOptions", **settings)  # fmt: skip
    if groups != x.shape[1] or each != 1:
        raise Unconvertible("Conv in groups is not converted")
    return c.add("DEPTHWISE_CONV_2D", [x, c.held(weights.transpose(1, 2, 3, 0)), c.held(bias)], shape,
                 options="DepthwiseConv2DOptions", depthMultiplier=features // x.shape[1], **settings)  # fmt: skip


def _conv_transpose(c: _Converter, node: Operation, _: str) -> _Value:
    x, weights = c.value(node.inputs[0]), c.constant(node.inputs[1])
    _, features, *taps = weights.shape
    strides = _pair(node, "strides")
    given: Any = node.attributes.get("pads") or (0, 0, 0, 0)
    more = _pair(node, "output_padding", 0)
    size = [(x.shape[2 + a] - 1) * strides[a] + taps[a] - given[a] - given[a + 2] + more[a] for a in (0, 1)]
    if node.attributes.get("auto_pad", "NOTSET") != "NOTSET" or "output_shape" in node.attributes:
        raise Unconvertible("ConvTranspose that finds its pads itself is not converted")
    if node.attributes.get("group", 1) != 1 or _pair(node, "dilations") != (1, 1):
        raise Unconvertible("ConvTranspose in groups or dilated is not converted")
    same = all(size[a] == x.shape[2 + a] * strides[a] and given[a] == max(0, taps[a] - strides[a]) // 2 for a in (0, 1))
    whole = size if same else [(x.shape[2 + a] - 1) * strides[a] + taps[a] for a in (0, 1)]
    if any(given[a] + size[a] > whole[a] for a in (0, 1)) and not same:
        raise Unconvertible("ConvTranspose that goes on beyond its taps is not converted")
    bias = c.constant(node.inputs[2]) if len(node.inputs) > 2 else np.zeros(features)
    inputs = [c.held([1, *whole, features], np.int32), c.held(weights.transpose(1, 2, 3, 0)), x, c.held(bias)]
    made = c.add("TRANSPOSE_CONV", inputs, (1, features, *whole), options="TransposeConvOptions",
                 padding=_SAME if same else _VALID, strideH=strides[0], strideW=strides[1])  # fmt: skip
    if same or whole == size:
        return made
    part = [c.held([0, given[0], given[1], 0], np.int32), c.held([1, *size, features], np.int32)]
    return c.add("SLICE", [made, *part], (1, features, *size), options="SliceOptions")


def _pool(name: str) -> Callable[[_Converter, Operation, str], _Value]:
    def convert(c: _Converter, node: Operation, _: str) -> _Value:
        taps, strides = _pair(node, "kernel_shape"), _pair(node, "strides")
        x, padding, size = _padded(c, c.value(node.inputs[0]), node, taps, False)
        if padding == _SAME and node.attributes.get("count_include_pad"):
            raise Unconvertible(f"{node.op} that counts what lies outside is not converted")
        return c.add(name, [x], (*x.shape[:2], *size), options="Pool2DOptions", padding=padding, filterHeight=taps[0],
                     filterWidth=taps[1], strideH=strides[0], strideW=strides[1])  # fmt: skip

    return convert


def _simple(name: str, options: str = "") -> Callable[[_Converter, Operation, str], _Value]:
    def convert(c: _Converter, node: Operation, activation: str) -> _Value:
        inputs = [c.value(name) for name in node.inputs]
        if len({(one.shape, one.last) for one in inputs}) > 1:
            raise Unconvertible(f"{node.op} of different shapes is not converted")
        settings = {"fusedActivationFunction": activation} if options else {}
        return c.add(name, inputs, inputs[0].shape, inputs[0].last, options, **settings)

    return convert


def _clip(c: _Converter, node: Operation, _: str) -> _Value:
    if c._limits(node) != (0.0, 6.0):
        raise Unconvertible("a Clip of other limits than 0 and 6 is not converted")
    x = c.value(node.inputs[0])
    return c.add("RELU6", [x], x.shape, x.last)


def _prelu(c: _Converter, node: Operation, _: str) -> _Value:
    x, slope = c.value(node.inputs[0]), c.constant(node.inputs[1])
    if not x.last or slope.size not in (1, x.shape[1]):
        raise Unconvertible("PRelu with other slopes than one a channel is not converted")
    return c.add("PRELU", [x, c.held(np.broadcast_to(slope.reshape(-1), x.shape[1]).reshape(1, 1, -1))], x.shape)


def _pad(c: _Converter, node: Operation, _: str) -> _Value:
    x = c.value(node.inputs[0])
    given: Any = c.constant(node.inputs[1]) if len(node.inputs) > 1 else node.attributes.get("pads")
    filled = c.constant(node.inputs[2]) if len(node.inputs) > 2 and node.inputs[2] else np.zeros(1)
    if node.attributes.get("mode", "constant") != "constant" or filled.any() or len(given) != 8 or len(node.inputs) > 3:
        raise Unconvertible("Pad with other values than zeros is not converted")
    ends = [(int(given[axis]), int(given[axis + 4])) for axis in range(4)]
    shape = tuple(n + sum(end) for n, end in zip(x.shape, ends, strict=True))
    order = _LAST if x.last else range(4)
    return c.add("PAD", [x, c.held([ends[axis] for axis in order], np.int32)], shape, x.last, "PadOptions")


def _concat(c: _Converter, node: Operation, _: str) -> _Value:
    parts = [c.value(name) for name in node.inputs]
    first = parts[0]
    axis: Any = node.attributes["axis"]
    axis %= len(first.shape)
    shape = tuple(sum(p.shape[a] for p in parts) if a == axis else n for a, n in enumerate(first.shape))
    return c.add("CONCATENATION", parts, shape, first.last, "ConcatenationOptions",
                 axis=_AXES[axis] if first.last else axis)  # fmt: skip


def _transpose(c: _Converter, node: Operation, _: str) -> _Value:
    x = c.value(node.inputs[0])
    order: Any = node.attributes.get("perm")
    if not x.last or tuple(order or ()) != _LAST:
        raise Unconvertible("Transpose of other axes than those of an image is not converted")
    return _Value(x.number, tuple(x.shape[axis] for axis in order), False)  # it lies so already


def _reshape(c: _Converter, node: Operation, _: str) -> _Value:
    x = c.value(node.inputs[0])
    wanted = [1, -1] if node.op == "Flatten" else [int(n) for n in c.constant(node.inputs[1])]
    if x.last and x.shape[2:] != (1, 1):
        raise Unconvertible(f"{node.op} of an image is not converted")
    wanted = [x.shape[axis] if n == 0 else n for axis, n in enumerate(wanted)]
    left = math.prod(x.shape) // max(1, math.prod(n for n in wanted if n != -1))
    shape = tuple(left if n == -1 else n for n in wanted)
    if len(shape) == 4:
        raise Unconvertible("Reshape to an image is not converted")
    return c.add("RESHAPE", [x, c.held(shape, np.int32)], shape, False, "ReshapeOptions", newShape=list(shape))


def _gemm(c: _Converter, node: Operation, _: str) -> _Value:
    x, weights = c.value(node.inputs[0]), c.constant(node.inputs[1])
    if any(node.attributes.get(name, value) != value for name, value in (("alpha", 1.0), ("beta", 1.0), ("transA", 0))):
        raise Unconvertible("Gemm with factors is not converted")
    weights = weights if node.attributes.get("transB", 0) else weights.T
    bias = c.constant(node.inputs[2]).reshape(-1) if len(node.inputs) > 2 else np.zeros(len(weights))
    return c.add("FULLY_CONNECTED", [x, c.held(weights), c.held(bias)], (1, len(weights)), False,
                 "FullyConnectedOptions")  # fmt: skip


def _resize(c: _Converter, node: Operation, _: str) -> _Value:
    x = c.value(node.inputs[0])
    sizes = len(node.inputs) > 3 and node.inputs[3]
    if sizes:
        size = [int(n) for n in c.constant(node.inputs[3])[2:]]
    else:
        size = [int(n * s) for n, s in zip(x.shape[2:], c.constant(node.inputs[2])[2:], strict=True)]
    mode = node.attributes.get("mode", "nearest")
    where = node.attributes.get("coordinate_transformation_mode", "half_pixel")
    if mode not in ("linear", "nearest") or where not in ("half_pixel", "pytorch_half_pixel", "asymmetric"):
        raise Unconvertible(f"Resize by {mode}, {where} is not converted")
    if mode == "nearest" and (where != "asymmetric" or node.attributes.get("nearest_mode") != "floor"):
        raise Unconvertible("Resize to nearest neighbours is converted where they are rounded down")
    name, options = (("RESIZE_BILINEAR", "ResizeBilinearOptions") if mode == "linear" else
                     ("RESIZE_NEAREST_NEIGHBOR", "ResizeNearestNeighborOptions"))  # fmt: skip
    return c.add(name, [x, c.held(size, np.int32)], (*x.shape[:2], *size), options=options,
                 halfPixelCenters=where != "asymmetric")  # fmt: skip


def _identity(c: _Converter, node: Operation, _: str) -> _Value:
    return c.value(node.inputs[0])


def _constant(c: _Converter, node: Operation, _: str) -> None:
    value = node.attributes.get("value")
    if not isinstance(value, np.ndarray):
        raise Unconvertible("a Constant that is no tensor is not converted")
    c.constants[node.outputs[0]] = value


_OPERATORS: Mapping[str, Callable[[_Converter, Operation, str], _Value | None]] = {
    "Conv": _conv, "ConvTranspose": _conv_transpose, "MaxPool": _pool("MAX_POOL_2D"),
    "AveragePool": _pool("AVERAGE_POOL_2D"), "Relu": _simple("RELU"), "Sigmoid": _simple("LOGISTIC"),
    "Tanh": _simple("TANH"), "Add": _simple("ADD", "AddOptions"), "Clip": _clip, "PRelu": _prelu, "Pad": _pad,
    "Concat": _concat, "Transpose": _transpose, "Reshape": _reshape, "Flatten": _reshape, "Gemm": _gemm,
    "Resize": _resize, "Identity": _identity, "Constant": _constant,
}  # fmt: skip
