"""A model as expressions: every node of its graph through the table of operators, what is constant computed at once."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from kernels.errors import DefinitionError, ExprError
from kernels.ir.expr import Expr
from kernels.ir.image import ImageType
from kernels.networks import operators
from kernels.networks.calls import COMPUTING, MOVING, OPERATORS, Call, Known
from kernels.networks.dequantised import moved
from kernels.networks.onnx_reader import Declared, Model, Operation
from kernels.networks.tensors import Tensor, laid


@cache
def load_operators() -> None:
    """Import every operator family once."""
    for module in pkgutil.iter_modules(operators.__path__):
        importlib.import_module(f"{operators.__name__}.{module.name}")


@dataclass(frozen=True)
class Mark:
    """A value that a layer makes.

    Args:
        name: of the layer: its operator and the number of its node in the file, as "conv_12".
        value: the volume.
    """

    name: str
    value: Expr


@dataclass(frozen=True)
class Imported:
    """A model over some images.

    Args:
        outputs: tensors by the model's names, in the order of the file or of the request.
        marks: what layers make, in order.
    """

    outputs: Mapping[str, Tensor]
    marks: tuple[Mark, ...]


def input_roles(declared: Declared, channels: int) -> str:
    """Where the axes of an input of a model lie (see `tensors.laid`): ONNX's order, or channels last.

    Raises:
        ExprError: it is no image of so many channels.
    """
    shape = declared.shape
    if shape is None or len(shape) != 4:
        axes = "unknown axes" if shape is None else f"{len(shape)} axes"
        raise ExprError(f"input {declared.name!r} has {axes}; a frame goes into an image (1, channels, height, width)")
    if shape[1] == channels or not isinstance(shape[1], int):
        return "1cyx"
    if shape[3] == channels:
        return "1yxc"
    raise ExprError(f"input {declared.name!r} takes {shape[1]} channels, but gets {channels}")


def wanted_size(declared: Declared, roles: str) -> tuple[int | None, int | None]:
    """(height, width) that an input must have; None where it takes any."""
    shape = declared.shape or ()
    height, width = (shape[roles.index(name)] for name in "yx")
    return (height if isinstance(height, int) and height > 0 else None,
            width if isinstance(width, int) and width > 0 else None)  # fmt: skip


def bound_input(declared: Declared, type_: ImageType, volume: Expr) -> Tensor:
    """An input of a model that is a picture of this type.

    Args:
        declared: what the model says of it.
        type_: of the picture.
        volume: the picture, in the type that the model takes.

    Raises:
        ExprError: it does not fit: axes, channels, size, batch.
    """
    roles = input_roles(declared, type_.channels)
    assert declared.shape is not None
    batch = declared.shape[0]
    if isinstance(batch, int) and batch not in (0, 1, -1):
        raise ExprError(f"input {declared.name!r} takes {batch} images at once; export the model for one")
    height, width = wanted_size(declared, roles)
    if (height or type_.height, width or type_.width) != (type_.height, type_.width):
        raise ExprError(f"input {declared.name!r} takes {width or 'any'}x{height or 'any'} pixels, but gets "
                        f"{type_.width}x{type_.height}; put a `resize` stage before it")  # fmt: skip
    return laid(volume, roles)


def imported(model: Model, inputs: Mapping[str, Tensor], outputs: Sequence[str] = ()) -> Imported:
    """The model over its inputs.

    Args:
        inputs: a tensor for each input.
        outputs: which outputs are wanted; all if none is named.

    Raises:
        DefinitionError: an operator, or a way of using it, is not understood; names the node.
    """
    load_operators()
    wanted = tuple(outputs) or tuple(o.name for o in model.outputs)
    needed = _needed(model, wanted)
    uses = Counter(name for node in needed for name in node.inputs if name)
    uses.update(wanted)
    known: dict[str, Known] = dict(model.constants)
    known.update(inputs)
    marks: list[Mark] = []
    numbers = {id(node): i for i, node in enumerate(model.nodes)}
    for node in needed:
        _run(model, node, numbers[id(node)], known, uses, marks)
    found: dict[str, Tensor] = {}
    for name in wanted:
        value = known.get(name)
        if not isinstance(value, Tensor):
            why = "is a constant" if value is not None else "is made by no node"
            raise DefinitionError(f"{model.file}: its output {name!r} {why}")
        found[name] = value
    return Imported(found, tuple(marks))


def _needed(model: Model, wanted: Sequence[str]) -> list[Operation]:
    """The nodes that the outputs need, in an order in which they can run.

    Raises:
        DefinitionError: an unknown output, or values that go in a circle.
    """
    maker = {name: node for node in model.nodes for name in node.outputs if name}
    there = {*maker, *model.constants, *(i.name for i in model.inputs)}
    for name in wanted:
        if name not in there:
            names = ", ".join(o.name for o in model.outputs)
            raise DefinitionError(f"{model.file} has no output {name!r}; it has {names}")
    order: list[Operation] = []
    state: dict[int, int] = {}  # 1 while its inputs are looked at, 2 when done
    for name in wanted:
        stack = [maker[name]] if name in maker else []
        while stack:
            node = stack[-1]
            if state.get(id(node)) == 2:
                stack.pop()
                continue
            rest = [maker[n] for n in node.inputs if n in maker and state.get(id(maker[n])) != 2]
            if state.get(id(node)) == 1 and rest:
                raise DefinitionError(f"{model.file}: the values of its graph go in a circle")
            state[id(node)] = 1
            if any(state.get(id(n)) == 1 for n in rest):
                raise DefinitionError(f"{model.file}: the values of its graph go in a circle")
            if rest:
                stack += rest
                continue
            state[id(node)] = 2
            order.append(node)
            stack.pop()
    return order


def _shown(text: str) -> str:
    """A name of a file in a sentence: one line, not too long."""
    return (text if text.isprintable() else ascii(text))[:120]


def _run(
    model: Model, node: Operation, number: int, known: dict[str, Known], uses: Mapping[str, int], marks: list[Mark]
) -> None:
    """One node: its outputs into `known`, its layer into `marks`."""
    operator = f"{node.domain}.{node.op}" if node.domain else node.op
    where = f"{model.file}: node {_shown(node.name) or number} ({_shown(operator)})"
    function = None if node.domain else OPERATORS.get(node.op)
    if function is None:
        raise DefinitionError(f"{where} is an operator that is not understood")
    missing = [n for n in node.inputs if n and n not in known]
    if missing:
        raise DefinitionError(f"{where} takes {missing[0]!r}, which nothing makes")
    values = tuple(known[n] if n else None for n in node.inputs)
    call = Call(node, values, model.opset, tuple(uses.get(n, 0) for n in node.inputs))
    try:
        with np.errstate(all="ignore"):
            made = moved(call) if node.op in MOVING else function(call)
    except ExprError as error:
        raise DefinitionError(f"{where}: {error}") from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # Attributes and shapes of a file may be anything; no operator lists every way in which they can be wrong.
        raise DefinitionError(f"{where}: its inputs and attributes do not fit ({error})") from None
    results: Sequence[Known] = made if isinstance(made, list | tuple) else (made,)
    for i, (name, value) in enumerate(zip(node.outputs, results, strict=False)):
        if not name:
            continue
        known[name] = value
        if isinstance(value, Tensor) and node.op in COMPUTING:
            marks.append(Mark(f"{node.op.lower()}_{number}" + (f"_{i}" if i else ""), value.volume))
    for name in node.outputs[len(results) :]:
        if name in uses:
            raise DefinitionError(f"{where}: its output {name!r} is used, which is not understood")
