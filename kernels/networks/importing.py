"""A model as expressions: every node of its graph through the table of operators, what is constant computed at once."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from kernels.errors import DefinitionError, ExprError
from kernels.ir.expr import Expr
from kernels.ir.image import ImageType
from kernels.networks import onnx_host, operators
from kernels.networks.calls import COMPUTING, MOVING, OPERATORS, Array, Call, Known
from kernels.networks.dequantised import moved
from kernels.networks.onnx_host import Tail
from kernels.networks.onnx_reader import Declared, Graph, Model, Operation, renamed
from kernels.networks.onnx_writer import node as written
from kernels.networks.tensors import Tensor, laid


@cache
def load_operators() -> None:
    """Import every operator family once."""
    for module in pkgutil.iter_modules(operators.__path__):
        importlib.import_module(f"{operators.__name__}.{module.name}")


MOST_SIDE = 1 << 15
MOST_PIXELS = 1 << 26
"""Of an input: along a side, and in all (8192 x 8192)."""


class NotUnderstood(DefinitionError):
    """An operator, or a way of using it, is not understood; names the node."""


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
        folded: operators whose constants went into the weights of the layer before them, with that layer as it is then.
        tail: what runs in onnxruntime; it makes the wanted outputs that `outputs` does not have.
    """

    outputs: Mapping[str, Tensor]
    marks: tuple[Mark, ...]
    folded: tuple[Mark, ...] = ()
    tail: Tail | None = None


def input_roles(declared: Declared, channels: int) -> str:
    """Where the axes of an input of a model lie (see `tensors.laid`): ONNX's order, or channels last.

    Raises:
        ExprError: it is no image of so many channels.
    """
    shape = declared.shape
    if shape is None or len(shape) != 4:
        axes = "unknown axes" if shape is None else f"{len(shape)} axes"
        raise ExprError(f"input {declared.name!r} has {axes}; export the model for an image (1, channels, "
                        "height, width)")  # fmt: skip
    if shape[1] == channels:
        return "1cyx"
    if shape[3] == channels:  # Keras leaves height and width open: (1, ?, ?, 3)
        return "1yxc"
    if not isinstance(shape[1], int):
        return "1cyx"
    raise ExprError(f"input {declared.name!r} takes {shape[1]} channels, but gets {channels}")


def wanted_size(declared: Declared, roles: str) -> tuple[int | None, int | None]:
    """(height, width) that an input must have; None where it takes any.

    Raises:
        ExprError: no memory holds such a picture.
    """
    shape = declared.shape or ()
    lengths = (shape[roles.index(name)] for name in "yx")
    height, width = (n if isinstance(n, int) and n > 0 else None for n in lengths)
    if max(height or 1, width or 1) > MOST_SIDE or (height or 1) * (width or 1) > MOST_PIXELS:
        raise ExprError(f"input {declared.name!r} takes {width or 'any'}x{height or 'any'} pixels, which no memory "
                        "holds")  # fmt: skip
    return height, width


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


@np.errstate(all="ignore")
def imported(
    model: Model, inputs: Mapping[str, Known], outputs: Sequence[str] = (), fold: bool = True, host: bool = False
) -> Imported:
    """The model over its inputs.

    Args:
        inputs: a tensor for each input, or a constant.
        outputs: which outputs are wanted; all if none is named.
        fold: whether batch normalisations, and sums with and products by constants, go into the weights of the
            contraction before them. The folded weights are what the network means then.
        host: whether what is not understood, and all that depends on it, may run in onnxruntime.

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
    folded: list[Mark] = []
    numbers = {id(node): i for i, node in enumerate(model.nodes)}
    behind: list[Operation] = []
    kept: list[Operation] = []
    hosted: set[str] = set()
    reason = ""
    waiting = list(reversed(needed))
    while waiting:
        node = waiting.pop()
        if not hosted.isdisjoint(node.inputs):
            behind.append(node)
            hosted.update(filter(None, node.outputs))
            continue
        branch = _branch(node, known)
        if branch is not None:
            inner, constants = _inlined(node, branch)
            known.update(constants)
            uses.update(name for one in inner for name in one.inputs if name)
            uses.subtract(name for name in node.inputs if name)
            numbers.update((id(one), numbers[id(node)]) for one in inner)
            kept += inner  # so that no other node gets the same `id`
            waiting += reversed(inner)
            continue
        number = numbers[id(node)]
        values = tuple(known.get(n) if n else None for n in node.inputs)
        call = Call(node, values, model.opset, tuple(uses[n] for n in node.inputs), fold)
        try:
            made = _run(model, node, number, known, call, uses)
        except NotUnderstood as error:
            if not (host and onnx_host.THERE):
                raise DefinitionError(f"{error}; {_way_out(_title(node))}") from None
            reason = reason or str(error)
            behind.append(node)
            hosted.update(filter(None, node.outputs))
            continue
        for k, (name, value) in enumerate(made):
            known[name] = value
            if not isinstance(value, Tensor) or _title(node) not in COMPUTING:
                continue
            mark = Mark(f"{node.op.lower()}_{number}" + (f"_{k}" if k else ""), value.volume)
            layer = _folded_into(value.volume, values, marks)
            if layer is None:
                marks.append(mark)
            else:
                folded.append(mark)
                marks[layer] = replace(marks[layer], value=value.volume)
    found: dict[str, Tensor] = {}
    for name in wanted:
        if name in hosted:
            continue
        output = known.get(name)
        if not isinstance(output, Tensor):
            others = ", ".join(n for n in wanted if n in hosted or isinstance(known.get(n), Tensor))
            rest = f", the same for every frame; name those to keep in `output`: {others}" if others else ""
            why = f"is a constant{rest}" if output is not None else "is made by no node"
            raise DefinitionError(f"{model.file}: its output {name!r} {why}")
        found[name] = output
    tail = _tail(behind, known, tuple(n for n in wanted if n in hosted), reason) if behind else None
    return Imported(found, tuple(marks), tuple(folded), tail)


def _way_out(operator: str) -> str:
    """What a user can do about a node that is not understood."""
    if not onnx_host.THERE:
        way = f"with the extra onnx-host ({onnx_host.EXTRA}) a stage `network` runs it in onnxruntime"
    else:
        way = "a stage `network` with host = true runs it in onnxruntime"
    own = f", or write {_shown(operator)} in a file of yours for --plugin (kernels/README.md shows one)"
    return way + (own if operator not in OPERATORS else "")


def _branch(node: Operation, known: Mapping[str, Known]) -> Graph | None:
    """The graph that an If on a constant takes."""
    condition = known.get(node.inputs[0]) if node.op == "If" and not node.domain and node.inputs else None
    if condition is None or isinstance(condition, Tensor) or np.size(condition) != 1:
        return None
    found = node.attributes.get("then_branch" if np.any(condition) else "else_branch")
    return found if isinstance(found, Graph) and len(found.outputs) == len(node.outputs) else None


def _inlined(node: Operation, graph: Graph) -> tuple[list[Operation], dict[str, Array]]:
    """The nodes of a branch, in their order, and its constants, under names that nothing else has."""
    prefix = f"{node.outputs[0]}/"
    names = dict(graph.captured)
    inner = [renamed(one, names, prefix, {}) for one in graph.nodes]
    constants = {prefix + name: value for name, value in graph.constants.items()}
    for inside, outside in zip(graph.outputs, node.outputs, strict=True):
        inside = names.get(inside, prefix + inside)
        inner.append(Operation("Identity", (inside,), (outside,), {}, data=written("Identity", [inside], [outside])))
    return inner, constants


def _tail(nodes: Sequence[Operation], known: Mapping[str, Known], outputs: tuple[str, ...], reason: str) -> Tail:
    taken = dict.fromkeys(name for node in nodes for name in node.inputs if name in known)
    values = {name: known[name] for name in taken}
    tensors = {name: value for name, value in values.items() if isinstance(value, Tensor)}
    constants = {name: value for name, value in values.items() if not isinstance(value, Tensor)}
    if not tensors:
        raise DefinitionError(f"{reason}, and depends on no picture")
    return Tail(tuple(nodes), tensors, constants, outputs, reason)


def _folded_into(made: Expr, values: Sequence[Known | None], marks: Sequence[Mark]) -> int | None:
    """The layer that became `made` when an operator of some values was folded into it; None where none was."""
    if made.op != "contract":
        return None
    before = {value.volume for value in values if isinstance(value, Tensor) and value.volume.op == "contract"}
    found = (i for i, mark in enumerate(marks) if mark.value in before and mark.value.src[0] is made.src[0])
    return next(found, None)


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


def _title(node: Operation) -> str:
    """Its operator's name in the table."""
    return f"{node.domain}.{node.op}" if node.domain else node.op


def _run(
    model: Model, node: Operation, number: int, known: Mapping[str, Known], call: Call, uses: Mapping[str, int]
) -> list[tuple[str, Known]]:
    """What one node makes, by name.

    Raises:
        DefinitionError: its operator, or this way of using it, is not understood; names it.
    """
    operator = _title(node)
    where = f"{model.file}: node {_shown(node.name) or number} ({_shown(operator)})"
    function = OPERATORS.get(operator)
    if function is None:
        raise NotUnderstood(f"{where} is an operator that is not understood")
    missing = [n for n in node.inputs if n and n not in known]
    if missing:
        raise DefinitionError(f"{where} takes {_shown(missing[0])!r}, which nothing makes")
    try:
        made = moved(call) if operator in MOVING else function(call)
    except ExprError as error:
        raise NotUnderstood(f"{where}: {error}") from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # Attributes and shapes of a file may be anything; no operator lists every way in which they can be wrong.
        raise DefinitionError(f"{where}: its inputs and attributes do not fit ({error})") from None
    results: Sequence[Known] = made if isinstance(made, list | tuple) else (made,)
    for name in node.outputs[len(results) :]:
        if name in uses:
            raise NotUnderstood(f"{where}: its output {_shown(name)!r} is used, which is not understood")
    return [(name, value) for name, value in zip(node.outputs, results, strict=False) if name]
