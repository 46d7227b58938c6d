"""Files of networks that somebody damaged, or wrote in bad faith: bytes changed, and values that are no good."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from kernels.codegen.layers_lower import lower_layers
from kernels.codegen.layers_target import Target
from kernels.errors import DefinitionError
from kernels.executors.networks import evaluated
from kernels.fusion.compose import compose
from kernels.fusion.normal import Unsupported
from kernels.ir.image import U8, ImageType
from kernels.networks.onnx_reader import Model, read
from kernels.networks.onnx_writer import graph_model, node, tensor
from kernels.stages.network import network

SOURCE = ImageType(U8, 24, 32, 3)
WHOLES = (-(2**63), -(2**31), -7, -1, 0, 1, 2, 3, 5, 17, 300, 65536, 2**20, 2**31 - 1, 2**31, 2**40, 2**62, 2**63 - 1)
NUMBERS = (0.0, -1.0, 1e-30, 1e30, float("inf"), float("-inf"), float("nan"), 0.5, 3.0)
ATTRIBUTES = ("group", "axis", "kernel_shape", "pads", "strides", "dilations", "perm", "to", "mode", "auto_pad",
              "alpha", "epsilon", "axes", "blocksize", "output_shape")  # fmt: skip
TEXTS = ("", "linear", "SAME_UPPER", "reflect", "\n", "x" * 300, "é")


def whole(file: Path, lower: bool = True) -> None:
    """Read, bind to a picture, cut into nodes and lowered, as a pipeline does.

    Raises:
        DefinitionError: what is wrong, in a sentence.
    """
    made = network.expand([SOURCE], {"model": str(file), "host": False})
    if not lower:
        return
    parts = made.pieces.parts
    body = compose(parts, [(part.id, "out") for part in parts[-1:]])
    try:
        lower_layers(body, Target.of("x86_64", "generic", ""), evaluated)
    except Unsupported as error:
        raise DefinitionError(str(error)) from None


def written(model: Model) -> bytes:
    """A model as a file again."""
    nodes = [node(n.op, n.inputs, n.outputs, n.domain, n.name,
                  **{k: v for k, v in n.attributes.items() if v is not None}) for n in model.nodes]  # fmt: skip
    inputs = {i.name: (i.dtype, i.shape or ()) for i in model.inputs}
    tensors = [tensor(name, array) for name, array in model.constants.items()]
    return graph_model(nodes, tensors, inputs, [o.name for o in model.outputs], model.opset, model.domains)


def bytes_changed(data: bytes, rng: random.Random) -> bytes:
    """A few bytes changed, left out, added or repeated; mostly where the graph stands and not in the weights."""
    found = bytearray(data)
    ends = len(data) - 1
    for _ in range(rng.choice((1, 1, 2, 8))):
        near = rng.choice((rng.randrange(min(len(found), 4096)), max(0, len(found) - 1 - rng.randrange(2048))))
        at = rng.choice((rng.randrange(len(found)), near, near))
        match rng.randrange(6):
            case 0:
                found[at] = rng.randrange(256)
            case 1:
                found[at] ^= 1 << rng.randrange(8)
            case 2:
                del found[at : at + rng.randrange(1, 9)]
            case 3:
                found[at:at] = rng.randbytes(rng.randrange(1, 9))
            case 4:
                found[at : at + 9] = b"\xff" * rng.choice((1, 5, 9))
            case 5 if ends:
                del found[rng.randrange(len(found)) :]
        if not found:
            return b""
    return bytes(found)


def values_changed(model: Model, rng: random.Random) -> bytes:
    """Attributes, shapes, constants and names of other values than the model can have."""
    nodes = list(model.nodes)
    constants: dict[str, Any] = dict(model.constants)
    inputs = list(model.inputs)
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(nodes))
        one = nodes[at]
        match rng.randrange(9):
            case 0 | 1 if one.attributes:
                name = rng.choice(list(one.attributes))
                nodes[at] = replace(one, attributes={**one.attributes, name: _other(one.attributes[name], rng)})
            case 2:
                name = rng.choice(ATTRIBUTES)
                nodes[at] = replace(
                    one, attributes={**one.attributes, name: _other(rng.choice((1, (1, 1), "", 1.0)), rng)}
                )
            case 3 if one.inputs:  # another value, perhaps one that this node makes, or that nobody makes
                names = [n for other in nodes for n in other.outputs] + list(constants) + ["", "nobody"]
                given = list(one.inputs)
                given[rng.randrange(len(given))] = rng.choice(names)
                nodes[at] = replace(one, inputs=tuple(given))
            case 4 if constants:
                name = rng.choice(list(constants))
                constants[name] = _array(constants[name], rng)
            case 5 if constants:
                del constants[rng.choice(list(constants))]
            case 6:
                shape = list(inputs[0].shape or ())
                if shape:
                    shape[rng.randrange(len(shape))] = rng.choice((*WHOLES, "any"))
                inputs[0] = replace(inputs[0], shape=rng.choice((tuple(shape), tuple(shape[:-1]), (*shape, 1))))
            case 7:
                nodes[at] = replace(one, op=rng.choice([n.op for n in nodes] + ["Softmax", "Resize", "Expand", "Tile"]))
            case _:
                nodes[at] = replace(one, outputs=tuple(rng.choice(nodes).outputs))
    return written(Model(model.file, rng.choice((model.opset, model.opset, 7, 9, 11, 13, 18)), tuple(inputs),
                         model.outputs, tuple(nodes), constants, ""))  # fmt: skip


def _other(value: Any, rng: random.Random) -> Any:
    if isinstance(value, tuple):
        count = rng.choice((len(value), len(value), 0, 1, len(value) + 1))
        pick = NUMBERS if value and isinstance(value[0], float) else WHOLES
        return tuple(rng.choice(pick) if rng.random() < 0.5 or k >= len(value) else value[k] for k in range(count))
    if isinstance(value, np.ndarray):
        return _array(value, rng)
    return rng.choice((WHOLES, WHOLES, NUMBERS, TEXTS) if isinstance(value, int) else (NUMBERS, TEXTS, WHOLES))[
        rng.randrange(7)
    ]


def _array(array: Any, rng: random.Random) -> Any:
    made = np.array(array)
    match rng.randrange(5):
        case 0 if made.size:
            values = NUMBERS if made.dtype.kind == "f" else WHOLES
            with np.errstate(all="ignore"):
                made.reshape(-1)[rng.randrange(made.size)] = np.asarray(rng.choice(values)).astype(made.dtype)
        case 1:
            made = made.reshape(-1)
        case 2 if made.ndim:
            made = made[: rng.randrange(made.shape[0] + 1)]
        case 3:
            made = made.astype(rng.choice(("float32", "int64", "uint8", "int8", "float16", "bool")))
        case _:
            made = made[np.newaxis]
    return made


def generated() -> Mapping[str, bytes]:
    """Small models in which every kind of operator stands."""
    rng = np.random.default_rng(0)

    def w(*shape: int) -> Any:
        return rng.standard_normal(shape).astype(np.float32)

    wholes = {"s": [1, -1, 4], "two": [2], "axes": [2, 3], "from": [0], "to": [9], "pads": [0, 0, 1, 1, 0, 2, 1, 1],
              "first": [0], "sizes": [1, 4, 20, 10]}  # fmt: skip
    constants = {k: np.array(v, np.int64) for k, v in wholes.items()} | {
        "w": w(4, 3, 3, 3), "b": w(4), "d": w(4, 1, 3, 3), "p": w(8, 4, 1, 1), "q": w(8, 4, 1, 1), "u": w(8, 2, 4, 4),
        "m": w(8, 5), "slope": w(4, 1, 1), "mean": w(4), "var": np.abs(w(4)) + 1,
        "scales": np.array([1, 1, 2, 2], "f4"),
        "low": np.array(0, np.float32), "high": np.array(6, np.float32), "sc": np.array(0.1, np.float32),
        "z": np.array(3, np.uint8), "none": np.zeros(0, np.float32), "half": np.array([[[[0.5]]]], np.float32),
    }  # fmt: skip
    trunk = [
        node("Conv", ["x", "w", "b"], ["c0"], pads=[1, 1, 1, 1], strides=[2, 2]),
        node("BatchNormalization", ["c0", "b", "b", "mean", "var"], ["n0"], epsilon=1e-3),
        node("Clip", ["n0", "low", "high"], ["a0"]),
        node("Conv", ["a0", "d"], ["c1"], group=4, pads=[1, 1, 1, 1]), node("PRelu", ["c1", "slope"], ["a1"]),
        node("Add", ["a1", "a0"], ["r"]),
    ]  # fmt: skip
    graphs = {
        "heads": ([*trunk, node("Conv", ["r", "p"], ["h0"]), node("Conv", ["r", "q"], ["h1"]),
                   node("Relu", ["h1"], ["h2"]), node("Transpose", ["h0"], ["t"], perm=[0, 2, 3, 1]),
                   node("Reshape", ["t", "s"], ["boxes"])],
                  ["boxes", "h2"]),
        "unet": ([*trunk, node("MaxPool", ["r"], ["mp"], kernel_shape=[2, 2], strides=[2, 2]),
                  node("Resize", ["mp", "", "scales"], ["up"], mode="linear"),
                  node("Concat", ["up", "r"], ["j"], axis=1), node("ConvTranspose", ["j", "u"], ["big"], strides=[2, 2],
                                                                  pads=[1, 1, 1, 1]),
                  node("Sigmoid", ["big"], ["y"])], ["y"]),
        "shapes": ([*trunk, node("Shape", ["r"], ["sh"]), node("Gather", ["sh", "first"], ["n"]),
                    node("Slice", ["r", "from", "to", "two"], ["cut"]), node("Pad", ["cut", "pads"], ["pd"]),
                    node("ReduceMean", ["pd"], ["mn"], axes=[2, 3]), node("Flatten", ["mn"], ["f"]),
                    node("Split", ["pd"], ["s0", "s1"], axis=1), node("DepthToSpace", ["r"], ["ds"], blocksize=2),
                    node("Softmax", ["s0"], ["sm"], axis=1), node("Unsqueeze", ["f", "first"], ["un"]),
                    node("Concat", ["n", "n"], ["nn"], axis=0), node("Squeeze", ["un", "first"], ["sq"])],
                   ["sm", "s1", "ds", "sq"]),
        "peaks": ([*trunk, node("ReduceMax", ["r"], ["mx"], axes=[2, 3]), node("Reshape", ["r", "s"], ["rs"]),
                   node("ArgMax", ["rs"], ["am"], axis=1), node("GlobalAveragePool", ["r"], ["ga"]),
                   node("Mul", ["r", "ga"], ["se"]), node("AveragePool", ["se"], ["av"], kernel_shape=[3, 3]),
                   node("InstanceNormalization", ["av", "b", "b"], ["y"]), node("Mul", ["r", "half"], ["h"])],
                  ["mx", "am", "y", "h"]),
        "quantised": ([node("QuantizeLinear", ["x", "sc", "z"], ["qx"]),
                       node("DequantizeLinear", ["qx", "sc", "z"], ["dx"]),
                       node("Conv", ["dx", "w"], ["c"], dilations=[2, 2]),
                       node("QuantizeLinear", ["c", "sc", "z"], ["y"])],
                      ["y"]),
    }  # fmt: skip
    kind = {"x": ("float32", (1, 3, 12, 16))}
    tensors = [tensor(k, v) for k, v in constants.items()]
    return {name: graph_model(nodes, tensors, kind, outputs, 17) for name, (nodes, outputs) in graphs.items()}


def models(folder: Path) -> dict[str, tuple[bytes, Model]]:
    """The generated ones as bytes and as read."""
    found = {}
    for name, data in generated().items():
        (folder / "model.onnx").write_bytes(data)
        found[name] = data, read(folder / "model.onnx")
    return found
