"""What is measured: networks in ONNX files, and the inputs that they are given."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError, InputError
from kernels.networks.bodies import model_body, shape_of
from kernels.networks.onnx_reader import Model, read

Array = npt.NDArray[Any]
INT8 = ("QuantizeLinear", "DequantizeLinear", "QLinearConv", "ConvInteger", "QLinearMatMul", "MatMulInteger",
        "DynamicQuantizeLinear")  # fmt: skip
"""Operators of quantised networks."""
MOST_VALUES = 1 << 28
"""Of an input."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A network.

    Args:
        name: for people.
        file: the ONNX file.
        inputs: random values by name, as ONNX has them: floats from -1 to 1, whole numbers from the whole range.
        outputs: names.
        kind: "f32" or "int8".
        macs: multiply-adds of a run as the importer counts them; None where it does not understand the network.
        why: what it does not understand.
    """

    name: str
    file: Path
    inputs: Mapping[str, Array]
    outputs: tuple[str, ...]
    kind: str
    macs: int | None
    why: str = ""

    @property
    def taken(self) -> str:
        """The inputs for people, as "1x3x128x128"."""
        return ", ".join("x".join(map(str, array.shape)) + (f" {array.dtype}" if array.dtype != np.float32 else "")
                         for array in self.inputs.values())  # fmt: skip


def subject(file: Path, name: str, size: int) -> Subject:
    """The network in a file.

    Args:
        size: height and width where the file leaves them open.

    Raises:
        InputError: it cannot be read, or what it takes is not known or too much.
    """
    try:
        model = read(file)
        shapes = {one.name: shape_of(one, {2: size, 3: size}) for one in model.inputs}
    except DefinitionError as error:
        raise InputError(str(error)) from None
    rng = np.random.default_rng(1)
    inputs: dict[str, Array] = {}
    for one in model.inputs:
        shape = shapes[one.name]
        if math.prod(shape) > MOST_VALUES:
            raise InputError(f"{file}: input {one.name!r} has {math.prod(shape)} values, which is too much")
        dtype = np.dtype(one.dtype or "float32")
        inputs[one.name] = (rng.uniform(-1, 1, shape).astype(dtype) if dtype.kind == "f" else
                            rng.integers(0, 256, shape, np.uint8).astype(dtype))  # fmt: skip
    macs, why = _counted(model, shapes)
    kind = "int8" if any(node.op in INT8 for node in model.nodes) else "f32"
    return Subject(name, file, inputs, tuple(one.name for one in model.outputs), kind, macs, why)


def _counted(model: Model, shapes: Mapping[str, tuple[int, ...]]) -> tuple[int | None, str]:
    try:
        return model_body(model, shapes).macs, ""
    except DefinitionError as error:
        return None, str(error)
