"""Networks in the ways in which exporters write them (PyTorch, tf2onnx, Paddle, MMPose), against onnxruntime."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from kernels.networks.onnx_writer import model
from kernels.networks.onnx_writer import node as n
from tests.networks import judge, run

R = np.random.default_rng(0)


@dataclass(frozen=True)
class Case:
    nodes: list[bytes]
    constants: dict[str, Any]
    shape: tuple[int, ...]
    outputs: tuple[str, ...]
    opset: int
    dtype: str
    last: bool

    @property
    def ops(self):
        """Of its nodes: what stands in their field 4."""
        return {re.search(rb"(?s)\x22.([A-Z][A-Za-z0-9]+)", one)[1].decode() for one in self.nodes}


CASES: dict[str, Case] = {}


def case(name, nodes, constants, shape=(1, 4, 8, 10), outs=("y",), opset=17, dtype="float32", names=None):
    CASES[name] = Case(nodes, constants, shape, outs, opset, dtype, names == "nhwc")


def w(*shape):
    return R.standard_normal(shape).astype(np.float32)


def wholes(*values):
    return np.array(values, np.int64)


def floats(*values):
    return np.array(values, np.float32)


def whole(value):
    return np.array(value, np.int64)


conv = n("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1])
W4 = w(4, 4, 3, 3)
# hardswish paddle-like
case(
    "paddle hardswish",
    [
        conv,
        n("Add", ["c", "three"], ["a"]),
        n("Clip", ["a", "lo", "hi"], ["b"]),
        n("Mul", ["c", "b"], ["d"]),
        n("Div", ["d", "six"], ["y"]),
    ],
    {"w": W4, "three": floats(3), "lo": np.float32(0), "hi": np.float32(6), "six": floats(6)},
)
case(
    "hardswish relu6 clip6",
    [
        conv,
        n("Add", ["c", "three"], ["a"]),
        n("Clip", ["a"], ["b"], min=0.0, max=6.0),
        n("Mul", ["c", "b"], ["d"]),
        n("Mul", ["d", "s"], ["y"]),
    ],
    {"w": W4, "three": np.float32(3), "s": np.float32(1 / 6)},
    opset=9,
)
case(
    "hardsigmoid mul",
    [conv, n("HardSigmoid", ["c"], ["a"], alpha=1 / 6, beta=0.5), n("Mul", ["c", "a"], ["y"])],
    {"w": W4},
)
case("silu", [conv, n("Sigmoid", ["c"], ["a"]), n("Mul", ["c", "a"], ["y"])], {"w": W4})
case("mish", [conv, n("Softplus", ["c"], ["a"]), n("Tanh", ["a"], ["b"]), n("Mul", ["c", "b"], ["y"])], {"w": W4})
case(
    "gelu erf",
    [
        conv,
        n("Div", ["c", "r"], ["a"]),
        n("Erf", ["a"], ["b"]),
        n("Add", ["b", "one"], ["d"]),
        n("Mul", ["c", "d"], ["e"]),
        n("Mul", ["e", "h"], ["y"]),
    ],
    {"w": W4, "r": np.float32(2**0.5), "one": np.float32(1), "h": np.float32(0.5)},
)
case("Gelu op20", [conv, n("Gelu", ["c"], ["y"])], {"w": W4}, opset=20)
case("Mish op18", [conv, n("Mish", ["c"], ["y"])], {"w": W4}, opset=18)
case("HardSwish op14", [conv, n("HardSwish", ["c"], ["y"])], {"w": W4}, opset=14)
case("Selu", [conv, n("Selu", ["c"], ["y"])], {"w": W4})
case("Celu", [conv, n("Celu", ["c"], ["y"], alpha=0.7)], {"w": W4})
case("ThresholdedRelu", [conv, n("ThresholdedRelu", ["c"], ["y"], alpha=0.3)], {"w": W4})
case("Softsign", [conv, n("Softsign", ["c"], ["y"])], {"w": W4})
case("Erf", [conv, n("Erf", ["c"], ["y"])], {"w": W4})
# SE
case(
    "SE",
    [
        conv,
        n("GlobalAveragePool", ["c"], ["g"]),
        n("Conv", ["g", "a", "ab"], ["h"]),
        n("Relu", ["h"], ["r"]),
        n("Conv", ["r", "b"], ["k"]),
        n("HardSigmoid", ["k"], ["s"]),
        n("Mul", ["s", "c"], ["y"]),
    ],
    {"w": W4, "a": w(2, 4, 1, 1), "ab": w(2), "b": w(4, 2, 1, 1)},
)
case(
    "SE gemm",
    [
        conv,
        n("ReduceMean", ["c"], ["g"], axes=[2, 3], keepdims=0),
        n("Gemm", ["g", "a", "ab"], ["h"], transB=1),
        n("Relu", ["h"], ["r"]),
        n("MatMul", ["r", "b"], ["k"]),
        n("Sigmoid", ["k"], ["s"]),
        n("Unsqueeze", ["s", "ax"], ["u"]),
        n("Mul", ["c", "u"], ["y"]),
    ],
    {"w": W4, "a": w(2, 4), "ab": w(2), "b": w(2, 4), "ax": wholes(2, 3)},
)
case(
    "SE reduce18",
    [
        conv,
        n("ReduceMean", ["c", "ax"], ["g"]),
        n("Conv", ["g", "b"], ["k"]),
        n("Sigmoid", ["k"], ["s"]),
        n("Mul", ["c", "s"], ["y"]),
    ],
    {"w": W4, "b": w(4, 4, 1, 1), "ax": wholes(-1, -2)},
    opset=18,
)
case(
    "SE reshape",
    [
        conv,
        n("GlobalAveragePool", ["c"], ["g"]),
        n("Flatten", ["g"], ["f"]),
        n("Gemm", ["f", "a"], ["h"], transB=1),
        n("Reshape", ["h", "sh"], ["k"]),
        n("Mul", ["c", "k"], ["y"]),
    ],
    {"w": W4, "a": w(4, 4), "sh": wholes(1, -1, 1, 1)},
)
# channel shuffle
case(
    "channel shuffle",
    [
        conv,
        n("Reshape", ["c", "s1"], ["a"]),
        n("Transpose", ["a"], ["b"], perm=[0, 2, 1, 3, 4]),
        n("Reshape", ["b", "s2"], ["d"]),
        n("Split", ["d"], ["e", "f"], axis=1),
        n("Conv", ["f", "p"], ["g"]),
        n("Concat", ["e", "g"], ["y"], axis=1),
    ],
    {"w": W4, "s1": wholes(1, 2, 2, 8, 10), "s2": wholes(1, 4, 8, 10), "p": w(2, 2, 1, 1)},
)
case(
    "split sizes 13",
    [
        n("Split", ["x", "sp"], ["a", "y"], axis=1),
    ],
    {"sp": wholes(1, 3)},
)
case("split attr 11", [n("Split", ["x"], ["a", "y"], axis=1, split=[1, 3])], {}, opset=11)
case("split 18 num", [n("Split", ["x"], ["a", "b", "y"], axis=2, num_outputs=3)], {}, opset=18)
# group norm (pytorch): reshape -> InstanceNorm -> reshape -> mul add
case(
    "groupnorm",
    [
        n("Reshape", ["x", "s1"], ["a"]),
        n("InstanceNormalization", ["a", "one", "zero"], ["b"]),
        n("Shape", ["x"], ["sh"]),
        n("Reshape", ["b", "sh"], ["d"]),
        n("Mul", ["d", "g"], ["e"]),
        n("Add", ["e", "b_"], ["y"]),
    ],
    {"s1": wholes(0, 2, -1), "one": floats(1, 1), "zero": floats(0, 0), "g": w(4, 1, 1), "b_": w(4, 1, 1)},
)
case(
    "GroupNormalization 18",
    [n("GroupNormalization", ["x", "g", "b"], ["y"], num_groups=2)],
    {"g": w(2), "b": w(2)},
    opset=18,
)
case(
    "GroupNormalization 21",
    [n("GroupNormalization", ["x", "g", "b"], ["y"], num_groups=2)],
    {"g": w(4), "b": w(4)},
    opset=21,
)
case(
    "LayerNormalization nhwc",
    [
        n("Transpose", ["x"], ["t"], perm=[0, 2, 3, 1]),
        n("LayerNormalization", ["t", "g", "b"], ["l"], axis=-1, epsilon=1e-6),
        n("Transpose", ["l"], ["y"], perm=[0, 3, 1, 2]),
    ],
    {"g": w(4), "b": w(4)},
)
case(
    "layernorm parts",
    [
        n("ReduceMean", ["x"], ["m"], axes=[1]),
        n("Sub", ["x", "m"], ["d"]),
        n("Pow", ["d", "two"], ["p"]),
        n("ReduceMean", ["p"], ["v"], axes=[1]),
        n("Add", ["v", "eps"], ["ve"]),
        n("Sqrt", ["ve"], ["s"]),
        n("Div", ["d", "s"], ["y"]),
    ],
    {"two": np.float32(2), "eps": np.float32(1e-5)},
)
case("LpNorm", [n("LpNormalization", ["x"], ["y"], axis=1)], {})
case("ReduceL2", [n("ReduceL2", ["x"], ["l"], axes=[1]), n("Div", ["x", "l"], ["y"])], {})
case("ReduceL1", [n("ReduceL1", ["x"], ["y"], axes=[1])], {})
case("ReduceSumSquare", [n("ReduceSumSquare", ["x"], ["y"], axes=[1])], {})
case("ReduceLogSumExp", [n("ReduceLogSumExp", ["x"], ["y"], axes=[1])], {})
case("LogSoftmax", [n("LogSoftmax", ["x"], ["y"], axis=1)], {})
case("Softmax11 axis1", [n("Softmax", ["x"], ["y"], axis=1)], {}, opset=11)
case(
    "spatial softmax",
    [n("Reshape", ["x", "s"], ["a"]), n("Softmax", ["a"], ["b"], axis=2), n("Reshape", ["b", "s2"], ["y"])],
    {"s": wholes(1, 4, -1), "s2": wholes(1, 4, 8, 10)},
)
# soft-argmax / DSNT
case(
    "soft argmax",
    [
        n("Reshape", ["x", "s"], ["a"]),
        n("Softmax", ["a"], ["b"], axis=2),
        n("Mul", ["b", "gx"], ["cx"]),
        n("ReduceSum", ["cx", "ax"], ["ex"], keepdims=0),
        n("Mul", ["b", "gy"], ["cy"]),
        n("ReduceSum", ["cy", "ax"], ["ey"], keepdims=0),
        n("Unsqueeze", ["ex", "ax"], ["ux"]),
        n("Unsqueeze", ["ey", "ax"], ["uy"]),
        n("Concat", ["ux", "uy"], ["y"], axis=-1),
    ],
    {
        "s": wholes(1, 4, -1),
        "ax": wholes(2),
        "gx": np.tile(np.arange(10), 8).astype("f4"),
        "gy": np.repeat(np.arange(8), 10).astype("f4"),
    },
)
case(
    "soft argmax matmul",
    [n("Reshape", ["x", "s"], ["a"]), n("Softmax", ["a"], ["b"], axis=2), n("MatMul", ["b", "g"], ["y"])],
    {"s": wholes(1, 4, -1), "g": w(80, 2)},
)
# resize
for mode in ("nearest", "linear"):
    for ct in ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"):
        case(
            f"resize {mode} {ct} scales",
            [n("Resize", ["x", "", "sc"], ["y"], mode=mode, coordinate_transformation_mode=ct, nearest_mode="floor")],
            {"sc": floats(1, 1, 2, 2)},
        )
        case(
            f"resize {mode} {ct} sizes",
            [n("Resize", ["x", "", "", "sz"], ["y"], mode=mode, coordinate_transformation_mode=ct)],
            {"sz": wholes(1, 4, 13, 7)},
        )
case("resize10", [n("Resize", ["x", "sc"], ["y"], mode="nearest")], {"sc": floats(1, 1, 2, 3)}, opset=10)
case(
    "resize11 roi",
    [n("Resize", ["x", "roi", "sc"], ["y"], mode="linear", coordinate_transformation_mode="asymmetric")],
    {"roi": np.zeros(0, np.float32), "sc": floats(1, 1, 2, 2)},
    opset=11,
)
case(
    "resize 18 axes",
    [n("Resize", ["x", "", "", "sz"], ["y"], mode="linear", axes=[2, 3])],
    {"sz": wholes(16, 20)},
    opset=18,
)
case("upsample9", [n("Upsample", ["x", "sc"], ["y"], mode="nearest")], {"sc": floats(1, 1, 2, 2)}, opset=9)
case("upsample7", [n("Upsample", ["x"], ["y"], mode="nearest", scales=[1.0, 1.0, 2.0, 2.0])], {}, opset=7)
case(
    "resize by shape arithmetic",
    [
        n("Shape", ["x"], ["sh"]),
        n("Slice", ["sh", "i2", "i4", "i0"], ["hw"]),
        n("Mul", ["hw", "two"], ["h2"]),
        n("Slice", ["sh", "i0", "i2", "i0"], ["bc"]),
        n("Concat", ["bc", "h2"], ["sz"], axis=0),
        n(
            "Resize",
            ["x", "", "", "sz"],
            ["y"],
            mode="nearest",
            coordinate_transformation_mode="asymmetric",
            nearest_mode="floor",
        ),
    ],
    {"i2": wholes(2), "i4": wholes(4), "i0": wholes(0), "two": wholes(2)},
)
case(
    "resize floor cast",
    [
        n("Shape", ["x"], ["sh"]),
        n("Gather", ["sh", "k"], ["h"], axis=0),
        n("Cast", ["h"], ["hf"], to=1),
        n("Mul", ["hf", "sc"], ["hm"]),
        n("Floor", ["hm"], ["fl"]),
        n("Cast", ["fl"], ["hi"], to=7),
        n("Unsqueeze", ["hi", "z"], ["hu"]),
        n("Concat", ["one", "hu", "wd"], ["sz"], axis=0),
        n("Resize", ["x", "", "", "sz"], ["y"]),
    ],
    {"k": whole(2), "sc": np.float32(1.5), "z": wholes(0), "one": wholes(1, 4), "wd": wholes(15)},
)
# pads
case("pad2", [n("Pad", ["x"], ["y"], pads=[0, 0, 1, 2, 0, 3, 1, 0], value=1.5)], {}, opset=10)
case(
    "pad11 const",
    [n("Pad", ["x", "p", "v"], ["y"])],
    {"p": wholes(0, 0, 1, 2, 0, 0, 1, 0), "v": np.float32(-1)},
    opset=11,
)
case("pad reflect", [n("Pad", ["x", "p"], ["y"], mode="reflect")], {"p": wholes(0, 0, 1, 2, 0, 0, 1, 3)})
case("pad edge", [n("Pad", ["x", "p"], ["y"], mode="edge")], {"p": wholes(0, 0, 1, 2, 0, 0, 1, 3)})
case("pad18 axes", [n("Pad", ["x", "p", "", "ax"], ["y"])], {"p": wholes(1, 2, 1, 3), "ax": wholes(2, 3)}, opset=18)
case("pad negative", [n("Pad", ["x", "p"], ["y"])], {"p": wholes(0, 0, -1, 2, 0, 0, 1, -3)})
case(
    "pad pytorch cast",
    [
        n("ConstantOfShape", ["four"], ["z"], value=np.zeros(1, np.int64)),
        n("Concat", ["lp", "z"], ["cc"], axis=0),
        n("Reshape", ["cc", "m2"], ["r"]),
        n("Slice", ["r", "m1", "mi", "i0", "m1"], ["fl"]),
        n("Transpose", ["fl"], ["tr"], perm=[1, 0]),
        n("Reshape", ["tr", "m1"], ["rs"]),
        n("Cast", ["rs"], ["p"], to=7),
        n("Pad", ["x", "p"], ["y"]),
    ],
    {
        "four": wholes(4),
        "lp": wholes(1, 2, 3, 1),
        "m2": wholes(-1, 2),
        "m1": wholes(-1),
        "mi": wholes(-(2**63 - 1)),
        "i0": wholes(0),
    },
)
# squeeze etc
case("squeeze attr 11", [n("GlobalAveragePool", ["x"], ["g"]), n("Squeeze", ["g"], ["y"], axes=[2, 3])], {}, opset=11)
case("squeeze in 13", [n("GlobalAveragePool", ["x"], ["g"]), n("Squeeze", ["g", "a"], ["y"])], {"a": wholes(3, 2)})
case(
    "unsqueeze 11",
    [n("GlobalAveragePool", ["x"], ["g"]), n("Flatten", ["g"], ["f"]), n("Unsqueeze", ["f"], ["y"], axes=[2, 3])],
    {},
    opset=11,
)
# conv transposes
case(
    "ct op",
    [n("ConvTranspose", ["x", "w"], ["y"], strides=[2, 2], pads=[1, 1, 1, 1], output_padding=[1, 1])],
    {"w": w(4, 3, 3, 3)},
)
case("ct k2s2", [n("ConvTranspose", ["x", "w", "b"], ["y"], strides=[2, 2])], {"w": w(4, 3, 2, 2), "b": w(3)})
case(
    "ct group",
    [n("ConvTranspose", ["x", "w"], ["y"], strides=[2, 2], pads=[1, 1, 1, 1], group=4, kernel_shape=[4, 4])],
    {"w": w(4, 1, 4, 4)},
)
case("conv dil", [n("Conv", ["x", "w"], ["y"], dilations=[2, 2], pads=[2, 2, 2, 2])], {"w": W4})
case(
    "conv1d",
    [n("Reshape", ["x", "s"], ["a"]), n("Conv", ["a", "w"], ["b"], pads=[1, 1]), n("Relu", ["b"], ["y"])],
    {"s": wholes(1, 4, 80), "w": w(5, 4, 3)},
)
case(
    "conv weights via identity+transposes",
    [n("Transpose", ["wk"], ["wt"], perm=[3, 2, 0, 1]), n("Conv", ["x", "wt"], ["y"], pads=[1, 1, 1, 1])],
    {"wk": w(3, 3, 4, 5)},
)
case(
    "tf2onnx nhwc",
    [
        n("Transpose", ["x"], ["t"], perm=[0, 3, 1, 2]),
        n("Conv", ["t", "w", "b"], ["c"], auto_pad="SAME_UPPER", strides=[2, 2], dilations=[1, 1]),
        n("Relu", ["c"], ["r"]),
        n("Transpose", ["r"], ["t2"], perm=[0, 2, 3, 1]),
        n("Mul", ["t2", "sc"], ["m"]),
        n("Add", ["m", "of"], ["a"]),
        n("Transpose", ["a"], ["t3"], perm=[0, 3, 1, 2]),
        n("MaxPool", ["t3"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
        n("Transpose", ["p"], ["y"], perm=[0, 2, 3, 1]),
    ],
    {"w": w(6, 3, 3, 3), "b": w(6), "sc": w(6), "of": w(6)},
    shape=(1, 12, 16, 3),
    names="nhwc",
)
case(
    "reshape chains",
    [
        conv,
        n("Shape", ["c"], ["s"]),
        n("Gather", ["s", "i0"], ["b"], axis=0),
        n("Unsqueeze", ["b", "z"], ["bu"]),
        n("Concat", ["bu", "m1"], ["sh"], axis=0),
        n("Reshape", ["c", "sh"], ["f"]),
        n("Gemm", ["f", "g", "gb"], ["y"], transB=1),
    ],
    {"w": W4, "i0": whole(0), "z": wholes(0), "m1": wholes(-1), "g": w(5, 320), "gb": w(5)},
)
case(
    "flatten gemm two",
    [
        conv,
        n("Flatten", ["c"], ["f"]),
        n("Gemm", ["f", "g"], ["h"], transB=1),
        n("Relu", ["h"], ["r"]),
        n("Gemm", ["r", "g2"], ["y"], transB=0),
    ],
    {"w": W4, "g": w(7, 320), "g2": w(7, 3)},
)
# SimCC attention tail
K = {
    "w": W4,
    "s": wholes(1, 4, 80),
    "m": w(80, 16),
    "q": w(16, 8),
    "k": w(16, 8),
    "v": w(16, 8),
    "sc": np.float32(8**0.5),
    "o": w(8, 16),
}
case(
    "simcc attention",
    [
        conv,
        n("Reshape", ["c", "s"], ["a"]),
        n("MatMul", ["a", "m"], ["t"]),
        n("MatMul", ["t", "q"], ["Q"]),
        n("MatMul", ["t", "k"], ["Kk"]),
        n("MatMul", ["t", "v"], ["V"]),
        n("Transpose", ["Kk"], ["KT"], perm=[0, 2, 1]),
        n("MatMul", ["Q", "KT"], ["l"]),
        n("Div", ["l", "sc"], ["ls"]),
        n("Softmax", ["ls"], ["p"], axis=-1),
        n("MatMul", ["p", "V"], ["pv"]),
        n("MatMul", ["pv", "o"], ["y"]),
    ],
    K,
)
case(
    "rtmpose gau",
    [
        conv,
        n("Reshape", ["c", "s"], ["a"]),
        n("MatMul", ["a", "m"], ["t"]),
        n("ReduceL2", ["t"], ["nl"], axes=[2]),
        n("Mul", ["nl", "sc2"], ["nm"]),
        n("Clip", ["nm", "eps"], ["nc"]),
        n("Div", ["t", "nc"], ["nn"]),
        n("Mul", ["nn", "g"], ["gg"]),
        n("MatMul", ["gg", "q"], ["uv"]),
        n("Sigmoid", ["uv"], ["sg"]),
        n("Mul", ["uv", "sg"], ["si"]),
        n("Split", ["si", "sp"], ["u", "vv"], axis=2),
        n("Transpose", ["vv"], ["vt"], perm=[0, 2, 1]),
        n("MatMul", ["u", "vt"], ["qk"]),
        n("Relu", ["qk"], ["rl"]),
        n("Mul", ["rl", "rl"], ["sq"]),
        n("MatMul", ["sq", "vv"], ["y"]),
    ],
    {
        "w": W4,
        "s": wholes(1, 4, 80),
        "m": w(80, 16),
        "q": w(16, 8),
        "sc2": np.float32(0.25),
        "eps": np.float32(1e-5),
        "g": np.float32(1.3),
        "sp": wholes(4, 4),
    },
    opset=13,
)
case("einsum bchw,oc", [n("Einsum", ["x", "w"], ["y"], equation="bchw,oc->bohw")], {"w": w(3, 4)})
case(
    "einsum nlc,ck",
    [n("Reshape", ["x", "s"], ["a"]), n("Einsum", ["a", "w"], ["y"], equation="nlc,ck->nlk")],
    {"s": wholes(1, 4, 80), "w": w(80, 5)},
)
case(
    "einsum attn",
    [n("Reshape", ["x", "s"], ["a"]), n("Einsum", ["a", "a"], ["y"], equation="bnd,bmd->bnm")],
    {"s": wholes(1, 4, 80)},
)
case(
    "const node + expand",
    [
        n("Constant", [], ["k"], value=w(1, 4, 1, 1)),
        n("Shape", ["x"], ["sh"]),
        n("Expand", ["k", "sh"], ["e"]),
        n("Add", ["x", "e"], ["y"]),
    ],
    {},
)
case(
    "expand tensor",
    [
        n("GlobalAveragePool", ["x"], ["g"]),
        n("Shape", ["x"], ["sh"]),
        n("Expand", ["g", "sh"], ["e"]),
        n("Concat", ["x", "e"], ["y"], axis=1),
    ],
    {},
)
case(
    "tile tensor",
    [n("GlobalAveragePool", ["x"], ["g"]), n("Tile", ["g", "r"], ["e"]), n("Sub", ["x", "e"], ["y"])],
    {"r": wholes(1, 1, 8, 10)},
)
case(
    "where const",
    [n("Greater", ["x", "z"], ["g"]), n("Where", ["g", "x", "k"], ["y"])],
    {"z": np.float32(0), "k": np.float32(-3)},
)
case(
    "range coordconv",
    [
        n("Shape", ["x"], ["sh"]),
        n("Gather", ["sh", "k3"], ["wd"], axis=0),
        n("Range", ["i0", "wd", "i1"], ["r"]),
        n("Cast", ["r"], ["rf"], to=1),
        n("Reshape", ["rf", "s"], ["rr"]),
        n("Add", ["x", "rr"], ["y"]),
    ],
    {"k3": whole(3), "i0": whole(0), "i1": whole(1), "s": wholes(1, 1, 1, -1)},
)
case(
    "nonzero const",
    [n("NonZero", ["m"], ["nz"]), n("Squeeze", ["nz", "z"], ["sq"]), n("Gather", ["x", "sq"], ["y"], axis=1)],
    {"m": floats(1, 0, 1, 1), "z": wholes(0)},
)
case("gather 2 idx", [n("Gather", ["x", "k"], ["y"], axis=1)], {"k": wholes(3, 1, 1)})
case(
    "scatter const",
    [n("ScatterND", ["d", "i", "u"], ["k"]), n("Mul", ["x", "k"], ["y"])],
    {"d": w(1, 4, 1, 1), "i": np.array([[0, 1, 0, 0]], np.int64), "u": floats(5)},
)
case(
    "slice step",
    [n("Slice", ["x", "a", "b", "ax", "st"], ["y"])],
    {"a": wholes(0, 1), "b": wholes(2**63 - 1, 2**63 - 1), "ax": wholes(2, 3), "st": wholes(2, 2)},
)
case("slice attr9", [n("Slice", ["x"], ["y"], starts=[1], ends=[3], axes=[1])], {}, opset=9)
case(
    "slice neg",
    [n("Slice", ["x", "a", "b", "ax", "st"], ["y"])],
    {"a": wholes(-1), "b": wholes(-(2**63)), "ax": wholes(3), "st": wholes(-1)},
)
case(
    "focus yolov5",
    [
        *[n("Slice", ["x", f"a{i}{j}", "e", "ax", "st"], [f"s{i}{j}"]) for i in (0, 1) for j in (0, 1)],
        n("Concat", ["s00", "s10", "s01", "s11"], ["cc"], axis=1),
        n("Conv", ["cc", "w"], ["y"], pads=[1, 1, 1, 1]),
    ],
    {
        "a00": wholes(0, 0),
        "a01": wholes(0, 1),
        "a10": wholes(1, 0),
        "a11": wholes(1, 1),
        "e": wholes(2**63 - 1, 2**63 - 1),
        "ax": wholes(2, 3),
        "st": wholes(2, 2),
        "w": w(5, 16, 3, 3),
    },
)
case(
    "spp maxpool",
    [
        n("MaxPool", ["x"], ["a"], kernel_shape=[5, 5], pads=[2, 2, 2, 2], strides=[1, 1]),
        n("MaxPool", ["a"], ["b"], kernel_shape=[5, 5], pads=[2, 2, 2, 2], strides=[1, 1]),
        n("Concat", ["x", "a", "b"], ["y"], axis=1),
    ],
    {},
)
case(
    "maxpool ceil",
    [n("MaxPool", ["x"], ["y"], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)],
    {},
    shape=(1, 4, 9, 12),
)
case("maxpool same", [n("MaxPool", ["x"], ["y"], kernel_shape=[3, 3], strides=[2, 2], auto_pad="SAME_UPPER")], {})
case("maxpool indices unused", [n("MaxPool", ["x"], ["y", "ind"], kernel_shape=[2, 2], strides=[2, 2])], {})
case(
    "avgpool pads",
    [n("AveragePool", ["x"], ["y"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], count_include_pad=1)],
    {},
)
case(
    "avgpool ceil",
    [n("AveragePool", ["x"], ["y"], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)],
    {},
    shape=(1, 4, 9, 12),
    opset=19,
)
case("dropout mask unused", [n("Dropout", ["x"], ["d", "mask"], ratio=0.3), n("Relu", ["d"], ["y"])], {}, opset=11)
case("dropout13", [n("Dropout", ["x", "r"], ["d"]), n("Relu", ["d"], ["y"])], {"r": np.float32(0.5)})
case(
    "bn training outputs",
    [conv, n("BatchNormalization", ["c", "s", "b", "m", "v"], ["bn"]), n("Relu", ["bn"], ["y"])],
    {"w": W4, "s": w(4), "b": w(4), "m": w(4), "v": abs(w(4)) + 1},
    opset=9,
)
case(
    "bn opset7 spatial",
    [conv, n("BatchNormalization", ["c", "s", "b", "m", "v"], ["y"], epsilon=1e-3, momentum=0.9)],
    {"w": W4, "s": w(4), "b": w(4), "m": w(4), "v": abs(w(4)) + 1},
    opset=8,
)
case("clip no max", [n("Clip", ["x", "lo"], ["y"])], {"lo": np.float32(0)})
case("clip min only 6", [n("Clip", ["x"], ["y"], min=0.0)], {}, opset=7)
case("prelu 1ch", [n("PRelu", ["x", "s"], ["y"])], {"s": w(1)})
case("prelu c11", [n("PRelu", ["x", "s"], ["y"])], {"s": w(4, 1, 1)})
case("max 3", [n("Max", ["x", "k", "z"], ["y"])], {"k": np.float32(-0.2), "z": w(4, 1, 1)})
case("sum mean", [n("Sum", ["x", "x"], ["a"]), n("Mean", ["a", "x"], ["y"])], {})
case("d2s crd", [n("DepthToSpace", ["x"], ["y"], blocksize=2, mode="CRD")], {}, shape=(1, 8, 4, 4))
case(
    "pixelshuffle reshape",
    [
        n("Reshape", ["x", "a"], ["b"]),
        n("Transpose", ["b"], ["c"], perm=[0, 1, 4, 2, 5, 3]),
        n("Reshape", ["c", "d"], ["y"]),
    ],
    {"a": wholes(1, 2, 2, 2, 4, 4), "d": wholes(1, 2, 8, 8)},
    shape=(1, 8, 4, 4),
)
case("s2d", [n("SpaceToDepth", ["x"], ["y"], blocksize=2)], {})
case(
    "argmax chain",
    [
        n("Reshape", ["x", "s"], ["a"]),
        n("ArgMax", ["a"], ["i"], axis=2, keepdims=0),
        n("Cast", ["i"], ["f"], to=1),
        n("Div", ["f", "wd"], ["q"]),
        n("Floor", ["q"], ["y"]),
    ],
    {"s": wholes(1, 4, -1), "wd": np.float32(10)},
)
case(
    "mod div int",
    [
        n("Reshape", ["x", "s"], ["a"]),
        n("ArgMax", ["a"], ["i"], axis=2),
        n("Mod", ["i", "w"], ["m"]),
        n("Div", ["i", "w"], ["d"]),
        n("Concat", ["m", "d"], ["y"], axis=2),
    ],
    {"s": wholes(1, 4, -1), "w": whole(10)},
)
case(
    "matmul batch heads",
    [n("Reshape", ["x", "s"], ["a"]), n("Transpose", ["a"], ["t"], perm=[0, 1, 3, 2]), n("MatMul", ["a", "t"], ["y"])],
    {"s": wholes(1, 2, 16, 10)},
)
case(
    "fp16 weights cast",
    [n("Cast", ["wh"], ["w"], to=1), n("Conv", ["x", "w"], ["y"], pads=[1, 1, 1, 1])],
    {"wh": W4.astype(np.float16)},
)
case(
    "concat pixels",
    [
        n("Reshape", ["x", "s"], ["a"]),
        n("Transpose", ["a"], ["t"], perm=[0, 2, 1]),
        n("Concat", ["t", "t"], ["y"], axis=1),
    ],
    {"s": wholes(1, 4, -1)},
)
case(
    "ssd heads",
    [
        n("Conv", ["x", "w"], ["c"]),
        n("Transpose", ["c"], ["t"], perm=[0, 2, 3, 1]),
        n("Reshape", ["t", "s"], ["a"]),
        n("Conv", ["x", "w2"], ["c2"], strides=[2, 2]),
        n("Transpose", ["c2"], ["t2"], perm=[0, 2, 3, 1]),
        n("Reshape", ["t2", "s"], ["a2"]),
        n("Concat", ["a", "a2"], ["y"], axis=1),
    ],
    {"w": w(12, 4, 1, 1), "w2": w(18, 4, 1, 1), "s": wholes(1, -1, 6)},
)
case(
    "u8 input",
    [n("Cast", ["x"], ["f"], to=1), n("Div", ["f", "k"], ["d"]), n("Conv", ["d", "w"], ["y"], pads=[1, 1, 1, 1])],
    {"k": np.float32(255), "w": W4},
    dtype="uint8",
)
case(
    "u8 transpose normalise",
    [
        n("Cast", ["x"], ["f"], to=1),
        n("Sub", ["f", "m"], ["a"]),
        n("Div", ["a", "s"], ["d"]),
        n("Conv", ["d", "w"], ["y"], pads=[1, 1, 1, 1]),
    ],
    {"m": w(1, 4, 1, 1) * 9 + 100, "s": abs(w(1, 4, 1, 1)) + 50, "w": W4},
    dtype="uint8",
)
case("mvn", [n("MeanVarianceNormalization", ["x"], ["y"])], {})
case(
    "mvn of small deviations",
    [n("Mul", ["x", "s"], ["a"]), n("MeanVarianceNormalization", ["a"], ["y"])],
    {"s": floats(1e-4)},
)
case(
    "all places of values that are often minus infinity",
    [n("Relu", ["x"], ["r"]), n("Div", ["o", "r"], ["d"]), n("TopK", ["d", "k"], ["v", "y"], axis=1)],
    {"k": wholes(4), "o": floats(-1)},
)
case("einsum conv1x1 reversed", [n("Einsum", ["w", "x"], ["y"], equation="oc,bchw->bohw")], {"w": w(3, 4)})
case(
    "matmul const first",
    [n("Reshape", ["x", "s"], ["a"]), n("MatMul", ["m", "a"], ["y"])],
    {"s": wholes(1, 4, 80), "m": w(6, 4)},
)
case(
    "gemm transA",
    [n("Reshape", ["x", "s"], ["a"]), n("Gemm", ["a", "m"], ["y"], transA=1)],
    {"s": wholes(4, 80), "m": w(4, 5)},
)
case(
    "GatherND const",
    [n("GatherND", ["k", "i"], ["g"]), n("Mul", ["x", "g"], ["y"])],
    {"k": floats(1, 2, 3), "i": np.array([1], np.int64)},
)
case(
    "log exp pow",
    [
        n("Abs", ["x"], ["a"]),
        n("Add", ["a", "o"], ["b"]),
        n("Log", ["b"], ["l"]),
        n("Pow", ["b", "p"], ["q"]),
        n("Add", ["l", "q"], ["y"]),
    ],
    {"o": np.float32(0.5), "p": np.float32(1.7)},
)
case(
    "sin cos const",
    [n("Sin", ["k"], ["s"]), n("Cos", ["k"], ["c"]), n("Add", ["s", "c"], ["a"]), n("Add", ["x", "a"], ["y"])],
    {"k": w(4, 1, 1)},
)
case(
    "not and or",
    [
        n("Greater", ["x", "z"], ["g"]),
        n("Less", ["x", "o"], ["l"]),
        n("And", ["g", "l"], ["a"]),
        n("Not", ["a"], ["na"]),
        n("Cast", ["na"], ["y"], to=1),
    ],
    {"z": np.float32(0), "o": np.float32(1)},
)
case("ELU/leaky", [n("Elu", ["x"], ["a"]), n("LeakyRelu", ["a"], ["y"])], {})
case("identity out", [conv, n("Identity", ["c"], ["y"])], {"w": W4})
case(
    "const initializer out of node attr floats",
    [
        n("Constant", [], ["k"], value_floats=[1.0, 2.0, 3.0, 4.0]),
        n("Reshape", ["k", "s"], ["r"]),
        n("Mul", ["x", "r"], ["y"]),
    ],
    {"s": wholes(1, 4, 1, 1)},
)
case("ReduceMean no axes", [n("ReduceMean", ["x"], ["y"])], {})
case("global pool max", [n("GlobalMaxPool", ["x"], ["y"])], {})
case("reducemax ch", [n("ReduceMax", ["x"], ["m"], axes=[1]), n("Sub", ["x", "m"], ["y"])], {})
case("running sums", [n("CumSum", ["k", "a"], ["s"]), n("Mul", ["x", "s"], ["y"])], {"k": w(4, 1, 1), "a": whole(0)})
case("log of sums", [n("Exp", ["x"], ["e"]), n("ReduceLogSum", ["e"], ["y"], axes=[1])], {})


@pytest.mark.parametrize("name", CASES)
def test_what_exporters_write(name, tmp_path):
    one = CASES[name]
    file = tmp_path / "m.onnx"
    file.write_bytes(model(one.nodes, {"x": (one.dtype, one.shape)}, list(one.outputs), one.constants, one.opset))
    session = judge(file)
    if session is None:
        pytest.skip("onnxruntime is not installed")
    rng = np.random.default_rng(1)
    x = rng.standard_normal(one.shape).astype("f4") if one.dtype == "float32" else rng.integers(0, 255, one.shape)
    x = x.astype(one.dtype)
    found = run(file, {"x": x}, one.last)
    for output, wanted in zip(one.outputs, session.run(list(one.outputs), {"x": x}), strict=True):
        made = found[output]
        assert made.shape == wanted.shape
        assert np.allclose(made, wanted, rtol=1e-4, atol=1e-4 * max(1e-6, np.abs(wanted.astype(float)).max()))
