"""ONNX files written: the inverse of `kernels.networks.onnx_reader`, as far as graphs of tensors need it.

Source of the field numbers: onnx.proto (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.networks.onnx_reader import TYPES, varint

NUMBERS: Mapping[str, int] = {name: number for number, name in TYPES.items()}
"""ONNX's numbers of element types by NumPy's names."""
IR_VERSION = 8
"""Of the file format; onnxruntime takes newer operators under it, too."""
Dims = Sequence[int | str]
"""Lengths of axes; a text is the name of one that is not known."""


def field(number: int, value: int | float | str | bytes) -> bytes:
    """One field: a whole number, a float of four bytes, a text, or bytes (a message)."""
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def tensor(name: str, array: npt.ArrayLike) -> bytes:
    """A TensorProto: its values as raw bytes, little-endian.

    Raises:
        KeyError: a type that ONNX has not.
    """
    values = np.asarray(array)
    raw = np.ascontiguousarray(values, values.dtype.newbyteorder("<")).tobytes()
    dims = b"".join(field(1, int(n)) for n in values.shape)
    return dims + field(2, NUMBERS[values.dtype.name]) + field(8, name) + field(9, raw)


def attribute(name: str, value: Any) -> bytes:
    """An AttributeProto: an array, a text, a number, or a sequence of texts, floats or whole numbers."""
    made = field(1, name)
    match value:
        case np.ndarray():
            return made + field(5, tensor("", value)) + field(20, 4)
        case str():
            return made + field(4, value) + field(20, 3)
        case float():
            return made + field(2, value) + field(20, 1)
        case int():
            return made + field(3, value) + field(20, 2)
    number, kind = {str: (9, 8), float: (7, 6)}.get(type(value[0]) if value else int, (8, 7))
    return made + b"".join(field(number, v) for v in value) + field(20, kind)


def node(
    op: str, inputs: Sequence[str], outputs: Sequence[str], domain: str = "", name: str = "", **attributes: Any
) -> bytes:
    """A NodeProto.

    Args:
        inputs, outputs: names of tensors; "" for one that is left out.
        attributes: as `attribute` takes them.
    """
    made = b"".join(field(1, i) for i in inputs) + b"".join(field(2, o) for o in outputs)
    made += field(3, name or f"{op}_{outputs[0]}") + field(4, op) + (field(7, domain) if domain else b"")
    return made + b"".join(field(5, attribute(k, v)) for k, v in attributes.items())


def declared(name: str, dtype: str = "", shape: Dims | None = None) -> bytes:
    """A ValueInfoProto: an input or output of the graph; without a type readers have to find it."""
    if not dtype:
        return field(1, name)
    made = field(1, NUMBERS[dtype])
    if shape is not None:
        dims = b"".join(field(1, field(1, n) if isinstance(n, int) else field(2, n)) for n in shape)
        made += field(2, dims)
    return field(1, name) + field(2, field(1, made))


def model(
    nodes: Sequence[bytes], inputs: Mapping[str, tuple[str, Dims]], outputs: Sequence[bytes | str],
    constants: Mapping[str, npt.ArrayLike] | None = None, opset: int = 17, domains: Mapping[str, int] | None = None,
) -> bytes:  # fmt: skip
    """A whole file.

    Args:
        nodes: messages (`node`), each after those it takes from.
        inputs: element type and shape by name.
        outputs: names, or messages (`declared`) where the type is to be said.
        constants: initialisers.
        opset: version of ONNX's own operators.
        domains: versions of other sets of operators.
    """
    tensors = [tensor(name, array) for name, array in (constants or {}).items()]
    return graph_model(nodes, tensors, inputs, outputs, opset, domains)


def graph_model(
    nodes: Sequence[bytes], tensors: Sequence[bytes], inputs: Mapping[str, tuple[str, Dims]],
    outputs: Sequence[bytes | str], opset: int, domains: Mapping[str, int] | None = None,
) -> bytes:  # fmt: skip
    """As `model`, with the initialisers as messages (`tensor`)."""
    graph = b"".join(field(1, n) for n in nodes) + field(2, "graph")
    graph += b"".join(field(5, t) for t in tensors)
    graph += b"".join(field(11, declared(name, *kind)) for name, kind in inputs.items())
    graph += b"".join(field(12, declared(o) if isinstance(o, str) else o) for o in outputs)
    versions = {"": opset, **(domains or {})}
    return field(1, IR_VERSION) + field(7, graph) + b"".join(
        field(8, field(1, name) + field(2, version)) for name, version in versions.items()
    )  # fmt: skip
