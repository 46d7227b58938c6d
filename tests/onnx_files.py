"""ONNX files for tests, so that no test needs the package `onnx`: the writer, with forms that only old files have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernels.networks.onnx_writer import NUMBERS, field, graph_model
from kernels.networks.onnx_writer import node as written_node
from kernels.networks.onnx_writer import tensor as raw_tensor


def tensor(name: str, array: Any, raw: bool = True) -> bytes:
    """A tensor; not `raw`: its values a field each, or packed floats, as old exporters write them."""
    if raw:
        return raw_tensor(name, array)
    array = np.asarray(array)
    made = b"".join(field(1, int(n)) for n in array.shape) + field(2, NUMBERS[array.dtype.name]) + field(8, name)
    if array.dtype == np.float32:
        return made + field(4, array.tobytes())
    return made + b"".join(field(7 if array.dtype == np.int64 else 5, int(v)) for v in array.reshape(-1))


def node(op: str, inputs: Sequence[str], outputs: Sequence[str], domain: str = "", **attributes: Any) -> bytes:
    return written_node(op, inputs, outputs, domain, f"the_{op}_{outputs[0]}", **attributes)


def model(
    nodes: Sequence[bytes], inputs: Mapping[str, tuple[str, Sequence[int | str]]], outputs: Sequence[str],
    constants: Mapping[str, Any] | None = None, opset: int = 17, raw: bool = True,
) -> bytes:  # fmt: skip
    """A whole file; the types of outputs are not said, which readers must bear."""
    tensors = [tensor(k, v, raw) for k, v in (constants or {}).items()]
    domains = {"com.microsoft": 1} if any(b"com.microsoft" in one for one in nodes) else {}
    return graph_model(nodes, tensors, inputs, outputs, opset, domains)
