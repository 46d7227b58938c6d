"""A small writer of ONNX files for tests, so that no test needs the package `onnx`."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernels.networks.onnx_reader import TYPES

NUMBERS = {name: number for number, name in TYPES.items()}


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def field(number: int, value: int | bytes | str | float) -> bytes:
    """One field: a whole number, bytes (a message or a text), or a float of four bytes."""
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def tensor(name: str, array: Any, raw: bool = True) -> bytes:
    array = np.asarray(array)
    made = b"".join(field(1, int(n)) for n in array.shape) + field(2, NUMBERS[array.dtype.name]) + field(8, name)
    if raw:
        return made + field(9, array.tobytes())
    if array.dtype == np.float32:
        return made + field(4, array.tobytes())
    return made + b"".join(field(7 if array.dtype == np.int64 else 5, int(v)) for v in array.reshape(-1))


def attribute(name: str, value: Any) -> bytes:
    made = field(1, name)
    if isinstance(value, np.ndarray):
        return made + field(5, tensor("", value)) + field(20, 4)
    if isinstance(value, str):
        return made + field(4, value) + field(20, 3)
    if isinstance(value, float):
        return made + field(2, value) + field(20, 1)
    if isinstance(value, int):
        return made + field(3, value) + field(20, 2)
    if value and isinstance(value[0], float):
        return made + b"".join(field(7, v) for v in value) + field(20, 6)
    return made + b"".join(field(8, v) for v in value) + field(20, 7)


def node(op: str, inputs: Sequence[str], outputs: Sequence[str], domain: str = "", **attributes: Any) -> bytes:
    made = b"".join(field(1, i) for i in inputs) + b"".join(field(2, o) for o in outputs)
    made += field(3, f"the_{op}_{outputs[0]}") + field(4, op) + (field(7, domain) if domain else b"")
    return made + b"".join(field(5, attribute(k, v)) for k, v in attributes.items())


def declared(name: str, dtype: str, shape: Sequence[int | str]) -> bytes:
    dims = b"".join(field(1, field(1, n) if isinstance(n, int) else field(2, n)) for n in shape)
    return field(1, name) + field(2, field(1, field(1, NUMBERS[dtype]) + field(2, dims)))


def model(
    nodes: Sequence[bytes], inputs: Mapping[str, tuple[str, Sequence[int | str]]], outputs: Sequence[str],
    constants: Mapping[str, Any] | None = None, opset: int = 17, raw: bool = True,
) -> bytes:  # fmt: skip
    """A whole file; the types of outputs are not said, which readers must bear."""
    graph = b"".join(field(1, n) for n in nodes) + field(2, "graph")
    graph += b"".join(field(5, tensor(k, v, raw)) for k, v in (constants or {}).items())
    graph += b"".join(field(11, declared(k, *v)) for k, v in inputs.items())
    graph += b"".join(field(12, field(1, o)) for o in outputs)
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, opset))
