"""What an operator of ONNX gets and gives while a network is imported, and the table of operators.

An operator family is one file in `kernels/networks/operators/`: functions that are registered under ONNX's names, take
a `Call` and return the values of its outputs. A value is a `Tensor` (computed for each frame) or a NumPy array (a
constant, weights or the result of arithmetic on shapes).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from kernels.errors import ExprError
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import dtype_of
from kernels.ir.ops import OPS, convert
from kernels.ir.volumes import vector
from kernels.networks.onnx_reader import Operation
from kernels.networks.tensors import Tensor, arranged, internal

Array = npt.NDArray[Any]
Known = Tensor | Array
Function = Callable[["Call"], "Known | Sequence[Known]"]

OPERATORS: dict[str, Function] = {}
"""By ONNX's name; those of another set of operators behind its name and a point ("com.microsoft.Gelu")."""
COMPUTING: set[str] = set()
"""Those that are a layer of their own; the others only move or rename values and go into the layers that use them."""
MOVING: set[str] = set()
"""Those whose results are values that come in, of whatever type: they move a quantiser's whole numbers as they are."""


def operator(*names: str, computes: bool = True, moves: bool = False) -> Callable[[Function], Function]:
    """Register a function for operators.

    Args:
        computes: whether its result is a layer.
        moves: whether its results are values that come in, or the largest of some.
    """

    def register(function: Function) -> Function:
        for name in names:
            OPERATORS[name] = function
            if computes:
                COMPUTING.add(name)
            if moves:
                MOVING.add(name)
        return function

    return register


@dataclass(frozen=True)
class Call:
    """One node of the graph with its values.

    Args:
        operation: as the file has it.
        inputs: values; None for an input that is left out.
        opset: version of the operators.
        uses: how many nodes and outputs take the value of each input.
        fold: whether constants go into the weights of the contraction before them.
    """

    operation: Operation
    inputs: tuple[Known | None, ...]
    opset: int
    uses: tuple[int, ...]
    fold: bool = True

    @property
    def op(self) -> str:
        return self.operation.op

    def given(self, index: int) -> Known | None:
        """Input `index`, None where it is left out."""
        return self.inputs[index] if index < len(self.inputs) else None

    def value(self, index: int) -> Known:
        """Input `index`.

        Raises:
            ExprError: it is left out.
        """
        found = self.given(index)
        if found is None:
            raise ExprError(f"it needs input {index}")
        return found

    def tensor(self, index: int = 0) -> Tensor:
        """Input `index`, which must be computed.

        Raises:
            ExprError: it is missing or a constant.
        """
        found = self.value(index)
        if not isinstance(found, Tensor):
            raise ExprError(f"its input {index} is a constant, which is only understood of arithmetic on shapes")
        return found

    def constant(self, index: int, default: Array | None = None) -> Array:
        """Input `index`, which must be a constant.

        Raises:
            ExprError: it is missing and there is no default, or it is computed.
        """
        found = self.given(index)
        if found is None:
            found = default
        if found is None:
            raise ExprError(f"it needs input {index}")
        if isinstance(found, Tensor):
            raise ExprError(f"its input {index} must be a constant, but is computed for each frame")
        return found

    def weights(self, index: int, default: Array | None = None) -> Array:
        """A constant in the type in which tensors are computed."""
        return internal(self.constant(index, default))

    def whole(self, name: str, default: int) -> int:
        """An attribute that is a whole number."""
        found = self.operation.attributes.get(name, default)
        if not isinstance(found, int):
            raise ExprError(f"its attribute {name} must be a whole number")
        return found

    def number(self, name: str, default: float) -> float:
        """An attribute that is a number."""
        found = self.operation.attributes.get(name, default)
        if not isinstance(found, int | float):
            raise ExprError(f"its attribute {name} must be a number")
        return float(found)

    def text(self, name: str, default: str) -> str:
        """An attribute that is a text."""
        found = self.operation.attributes.get(name, default)
        if not isinstance(found, str):
            raise ExprError(f"its attribute {name} must be a text")
        return found

    def wholes(self, name: str, default: Sequence[int] | None = None) -> tuple[int, ...]:
        """An attribute that is a list of whole numbers."""
        found = self.operation.attributes.get(name, default)
        if found is None:
            raise ExprError(f"it needs the attribute {name}")
        if not isinstance(found, Sequence) or not all(isinstance(n, int) for n in found):
            raise ExprError(f"its attribute {name} must be a list of whole numbers")
        return tuple(found)

    def listed(self, index: int, name: str, default: Sequence[int] | None = None) -> tuple[int, ...] | None:
        """Whole numbers that newer operators take as input `index` and older ones as an attribute; None for neither."""
        if self.given(index) is not None:
            return tuple(int(n) for n in self.constant(index).reshape(-1))
        if name in self.operation.attributes:
            return self.wholes(name)
        return None if default is None else tuple(default)

    def axis(self, default: int, rank: int) -> int:
        """The attribute `axis`, counted from the front."""
        return front(self.whole("axis", default), rank)


class Scaled(np.ndarray[Any, Any]):
    """Constant floats that come from whole numbers: value = (number - zero) * scale.

    What NumPy makes of them (views, parts) has no numbers.

    Attributes:
        numbers: None where they are not known.
        scale, zero: one, or one along the axis `along`.
    """

    numbers: Array | None = None
    scale: Array
    zero: Array
    along: int = 0


def front(axis: int, rank: int) -> int:
    """An axis counted from the front.

    Raises:
        ExprError: there is no such axis.
    """
    if not -rank <= axis < rank:
        raise ExprError(f"a tensor of {rank} axes has no axis {axis}")
    return axis % rank


@overload
def pointwise(function: Callable[[Expr], Expr], value: Tensor) -> Tensor: ...
@overload
def pointwise(function: Callable[[Expr], Expr], value: Known) -> Known: ...
def pointwise(function: Callable[[Expr], Expr], value: Known) -> Known:
    """A function of each value."""
    return value.over(function(value.volume)) if isinstance(value, Tensor) else of_constants(function, value)


def of_constants(function: Callable[[Expr], Expr], values: Array) -> Array:
    """A function of each value of a constant, computed at once, with the bits that it has of a tensor's."""
    if not values.size:
        return values
    found: dict[Expr, Array] = {}
    made = function(vector(internal(values).reshape(-1)))
    with np.errstate(all="ignore"):
        for node in postorder([made]):
            src = [found[s] for s in node.src]
            if node.op in ("const", "vector"):
                found[node] = np.asarray(node.arg if node.op == "const" else node.arg.array, node.dtype.numpy)
            else:
                found[node] = convert(src[0], node.dtype) if node.op == "convert" else OPS[node.op].numpy(*src)
    return np.broadcast_to(found[made], values.size).reshape(values.shape).astype(values.dtype)


@overload
def floats(value: Tensor) -> Tensor: ...
@overload
def floats(value: Known) -> Known: ...
def floats(value: Known) -> Known:
    """The value, which must be of floats.

    Raises:
        ExprError: it is of whole numbers.
    """
    dtype = value.volume.dtype if isinstance(value, Tensor) else dtype_of(internal(np.zeros(0, value.dtype)).dtype)
    if not dtype.is_float:
        raise ExprError(f"it takes floats, not {dtype}; cast them first")
    return value


def channels_first(tensor: Tensor) -> Expr:
    """An image as ONNX has it (1, C, H, W), or a line (1, C, W), as a volume.

    Raises:
        ExprError: of another number of axes.
    """
    return arranged(tensor, image_roles(tensor))


def image_roles(tensor: Tensor) -> str:
    """Where the axes of an image, or of a line, lie.

    Raises:
        ExprError: of another number of axes.
    """
    rank = len(tensor.axes)
    if rank not in (3, 4):
        raise ExprError(f"it takes images (1, channels, height, width), not a tensor of {rank} axes")
    return "1cyx" if rank == 4 else "1cx"


def scalar(values: Array) -> float | int:
    """The one value of a constant.

    Raises:
        ExprError: there are several.
    """
    if np.size(values) != 1:
        raise ExprError(f"it takes one number, not {np.size(values)}")
    found: float | int = np.asarray(values).reshape(-1)[0].item()
    return found
