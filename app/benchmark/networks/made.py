"""Networks of our own with random weights, of the kinds that matter: nothing needs to be downloaded to compare."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.networks.onnx_writer import declared, model, node

SEED = 7


@dataclass(slots=True)
class Graph:
    """A network that is written layer by layer; tensors are known by their names.

    Args:
        channels, height, width: of the input "input".
    """

    channels: int
    height: int
    width: int
    nodes: list[bytes] = field(default_factory=list)
    constants: dict[str, npt.NDArray[Any]] = field(default_factory=dict)
    made: dict[str, int] = field(default_factory=dict)
    """Channels by tensor."""
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(SEED))

    def __post_init__(self) -> None:
        self.made["input"] = self.channels

    def add(self, op: str, inputs: Sequence[str], channels: int, **attributes: Any) -> str:
        """A node with one output."""
        name = f"{op.lower()}_{len(self.nodes)}"
        self.nodes.append(node(op, inputs, [name], **attributes))
        self.made[name] = channels
        return name

    def constant(self, values: npt.NDArray[Any]) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants[name] = values
        return name

    def conv(
        self, x: str, features: int, taps: int = 1, stride: int = 1, depthwise: bool = False, activation: str = "relu"
    ) -> str:
        """A convolution that keeps the size ("same" as TensorFlow pads it), and its activation."""
        given = self.made[x]
        each = 1 if depthwise else given
        scale = (2 / (each * taps**2)) ** 0.5
        weights = self.rng.normal(0, scale, (features, each, taps, taps)).astype(np.float32)
        bias = self.rng.normal(0, 0.1, features).astype(np.float32)
        before = max(0, taps - stride) // 2
        after = max(0, taps - stride) - before
        made = self.add("Conv", [x, self.constant(weights), self.constant(bias)], features,
                        pads=[before, before, after, after], strides=[stride, stride],
                        group=given if depthwise else 1)  # fmt: skip
        if activation == "relu":
            return self.add("Relu", [made], features)
        if activation == "relu6":
            limits = [self.constant(np.array(limit, np.float32)) for limit in (0, 6)]
            return self.add("Clip", [made, *limits], features)
        return made

    def dw(self, x: str, taps: int = 3, stride: int = 1, activation: str = "relu") -> str:
        """A depthwise convolution."""
        return self.conv(x, self.made[x], taps, stride, True, activation)

    def plus(self, x: str, y: str, activation: str = "") -> str:
        """A sum."""
        made = self.add("Add", [x, y], self.made[x])
        return self.add("Relu", [made], self.made[x]) if activation else made

    def written(self, *outputs: str, axes: int = 4) -> bytes:
        """The file; outputs have so many axes, of lengths that readers find (OpenCV 5 does not look at nodes alone)."""
        taken = {"input": ("float32", (1, self.channels, self.height, self.width))}
        given = [declared(name, "float32", [f"{name}_{axis}" for axis in range(axes)]) for name in outputs]
        return model(self.nodes, taken, given, self.constants)


def _dwpw(size: int, channels: int, features: int) -> bytes:
    g = Graph(channels, size, size)
    return g.written(g.conv(g.dw("input"), features))


def _pwdw(size: int, channels: int, features: int) -> bytes:
    g = Graph(channels, size, size)
    return g.written(g.dw(g.conv("input", features)))


def _pwpw(size: int, channels: int, between: int, features: int) -> bytes:
    g = Graph(channels, size, size)
    return g.written(g.conv(g.conv("input", between), features))


def _inverted(size: int, channels: int, expand: int = 6) -> bytes:
    """The block of MobileNetV2 (Sandler et al. 2018)."""
    g = Graph(channels, size, size)
    wide = g.dw(g.conv("input", expand * channels, activation="relu6"), activation="relu6")
    return g.written(g.plus(g.conv(wide, channels, activation=""), "input"))


def _siblings(size: int, channels: int, features: Sequence[int]) -> bytes:
    """1x1 convolutions of one input, as those of a block of GoogLeNet (Szegedy et al. 2014)."""
    g = Graph(channels, size, size)
    return g.written(*(g.conv("input", count) for count in features))


BLAZE = ((24, 1), (28, 1), (32, 2), (36, 1), (42, 1), (48, 2), (56, 1), (64, 1), (72, 1), (80, 1), (88, 1))
BLAZE_DEEP = ((96, 2), (96, 1), (96, 1), (96, 1), (96, 1))
ANCHORS = (2, 6)
"""A pixel of the 16x16 and of the 8x8 map."""


def _blaze(g: Graph, x: str, features: int, stride: int) -> str:
    """A single block of BlazeFace: depthwise and pointwise, beside them the input, pooled and with zero channels."""
    beside, given = x, g.made[x]
    if stride > 1:
        beside = g.add("MaxPool", [beside], given, kernel_shape=[stride] * 2, strides=[stride] * 2)
    if features > given:
        pads = np.zeros(8, np.int64)
        pads[5] = features - given
        beside = g.add("Pad", [beside, g.constant(pads)], features)
    return g.plus(g.conv(g.dw(x, 3, stride, activation=""), features, activation=""), beside, "relu")


def _blazeface() -> bytes:
    """As BlazeFace for 128x128 (Bazarevsky et al. 2019): 896 anchors with a score and 16 coordinates."""
    g = Graph(3, 128, 128)
    x = g.conv("input", 24, 5, 2)
    for features, stride in BLAZE:
        x = _blaze(g, x, features, stride)
    deep = x
    for features, stride in BLAZE_DEEP:
        deep = _blaze(g, deep, features, stride)
    outputs = []
    for values in (1, 16):
        lists = []
        for maps, anchors in zip((x, deep), ANCHORS, strict=True):
            head = g.conv(maps, anchors * values, activation="")
            last = g.add("Transpose", [head], values, perm=[0, 2, 3, 1])
            lists.append(g.add("Reshape", [last, g.constant(np.array([1, -1, values], np.int64))], values))
        outputs.append(g.add("Concat", lists, values, axis=1))
    return g.written(*outputs, axes=3)


def _unet(size: int = 96, first: int = 8, deep: int = 3, maps: int = 8) -> bytes:
    """A U-Net (Ronneberger et al. 2015): two 3x3 a level, max pools down, linear interpolation up, heat maps."""
    g = Graph(1, size, size)
    x, skips = "input", []
    for level in range(deep):
        x = g.conv(g.conv(x, first << level, 3), first << level, 3)
        skips.append(x)
        x = g.add("MaxPool", [x], g.made[x], kernel_shape=[2, 2], strides=[2, 2])
    x = g.conv(g.conv(x, first << deep, 3), first << deep, 3)
    scales = g.constant(np.array([1, 1, 2, 2], np.float32))
    for level in reversed(range(deep)):
        up = g.add("Resize", [x, "", scales], g.made[x], mode="linear", coordinate_transformation_mode="half_pixel")
        both = g.add("Concat", [skips[level], up], g.made[up] + g.made[skips[level]], axis=1)
        x = g.conv(g.conv(both, first << level, 3), first << level, 3)
    return g.written(g.conv(x, maps, activation=""))


def _dwpw_int8(size: int, channels: int, features: int) -> bytes:
    """Depthwise and pointwise as a static quantiser writes them: floats between QuantizeLinear and DequantizeLinear."""
    g = Graph(channels, size, size)
    step = np.float32(1 / 64)

    def activation(x: str, zero: int) -> str:
        ends = [g.constant(np.array(step, np.float32)), g.constant(np.array(zero, np.uint8))]
        return g.add("DequantizeLinear", [g.add("QuantizeLinear", [x, *ends], g.made[x]), *ends], g.made[x])

    def conv(x: str, made: int, taps: int, groups: int) -> str:
        each = g.made[x] // groups
        weights = g.rng.normal(0, (2 / (each * taps**2)) ** 0.5, (made, each, taps, taps))
        scale = np.float32(np.abs(weights).max() / 127)
        wholes = np.clip(np.rint(weights / scale), -127, 127).astype(np.int8)
        bias = np.rint(g.rng.normal(0, 0.1, made) / (scale * step)).astype(np.int32)
        given = [g.add("DequantizeLinear", [g.constant(values), g.constant(np.array(size, np.float32)),
                                            g.constant(np.zeros((), values.dtype))], 0)
                 for values, size in ((wholes, scale), (bias, scale * step))]  # fmt: skip
        pad = taps // 2
        summed = g.add("Conv", [x, *given], made, pads=[pad] * 4, group=groups)
        return activation(g.add("Relu", [summed], made), 0)

    return g.written(conv(conv(activation("input", 128), channels, 3, channels), features, 1, 1))


MADE: Mapping[str, Callable[[], bytes]] = {
    "dwpw-128x32-64": lambda: _dwpw(128, 32, 64),
    "dwpw-64x64-128": lambda: _dwpw(64, 64, 128),
    "dwpw-32x128-128": lambda: _dwpw(32, 128, 128),
    "pwdw-128x32-64": lambda: _pwdw(128, 32, 64),
    "pwpw-64x64-128-64": lambda: _pwpw(64, 64, 128, 64),
    "inverted-56x24": lambda: _inverted(56, 24),
    "inverted-28x32": lambda: _inverted(28, 32),
    "siblings-3a": lambda: _siblings(28, 192, (64, 96, 16)),
    "blazeface-like": _blazeface,
    "unet-96": _unet,
    "dwpw-128x32-64-int8": lambda: _dwpw_int8(128, 32, 64),
}
"""ONNX files by name: height (and width) x channels, then those of the layers."""
