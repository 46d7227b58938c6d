"""ONNX files: the protobuf wire format, as far as a network for inference needs it (https://onnx.ai/onnx/repo-docs/IR.html).

A file may be anything: what it announces is checked against the bytes that are there before memory is taken, and every
complaint is a DefinitionError of one sentence.
"""

from __future__ import annotations

import hashlib
import math
import os
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError

Array = npt.NDArray[Any]
Attribute: TypeAlias = "int | float | str | Array | tuple[Any, ...] | Graph | None"
"""None: of a kind that no network here needs (a type, sparse weights)."""

TYPES: Mapping[int, str] = {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16",
    11: "float64", 12: "uint32", 13: "uint64",
}  # fmt: skip
"""NumPy types by ONNX's numbers; strings, complex and narrower types have no place in a network of images."""
_BFLOAT16 = 16
"""Of constants, which are read as the floats that they are."""

_MOST_BYTES = 1 << 31
"""Of a file: what one protobuf message may hold."""
_MOST_NODES = 1 << 16
_MOST_CALLS = 1 << 13
_DEEPEST = 16
"""Functions or graphs within each other."""
_MOST_AXES = 16


class _Wrong(Exception):
    """What is wrong with the bytes; becomes a DefinitionError that names the file."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A node of the graph: its operator, the tensors it takes ("" for none) and makes, its attributes, and its message
    as it is in the file."""

    op: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Attribute]
    name: str = ""
    domain: str = ""
    data: bytes | memoryview = field(default=b"", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph inside a node: nodes, constants by name, names of the outputs; `captured`: what values that come from
    around it are called in it, and around it."""

    nodes: tuple[Operation, ...]
    constants: Mapping[str, Array]
    outputs: tuple[str, ...]
    captured: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Declared:
    """An input or output of the graph: a number stands for a known length, a text for one that is not ("" for any)."""

    name: str
    dtype: str
    shape: tuple[int | str, ...] | None


@dataclass(frozen=True, slots=True)
class Model:
    """What a file says.

    Args:
        file: where it was read.
        opset: version of ONNX's own operators.
        inputs: without those that have a value (`constants`).
        constants: tensors by name.
        digest: SHA-256 of the file and of the data beside it, in hexadecimal.
        domains: versions of other sets of operators, by name.
    """

    file: str
    opset: int
    inputs: tuple[Declared, ...]
    outputs: tuple[Declared, ...]
    nodes: tuple[Operation, ...]
    constants: Mapping[str, Array]
    digest: str
    domains: Mapping[str, int] = field(default_factory=dict)


SHIPPED = "shipped:"
"""Before the name of a model that comes with the program, so that pipelines and recordings name it alike everywhere."""
_LIBRARY = Path(__file__).parents[2] / "pipelines" / "library"


def read(file: str | Path) -> Model:
    """Read a model: a file, or "shipped:NAME" for one of pipelines/library.

    Raises:
        DefinitionError: it cannot be read or is no ONNX model; one sentence.
    """
    path = _LIBRARY / str(file).removeprefix(SHIPPED) if str(file).startswith(SHIPPED) else Path(file)
    data = _bytes(path)
    try:
        return _Reader(path).model(data)
    except _Wrong as error:
        raise DefinitionError(f"{path} is not an ONNX model that can be read: {error}") from None
    except UnicodeDecodeError:
        raise DefinitionError(f"{path} is not an ONNX model that can be read: a name is no text") from None


def digest(file: str | Path) -> str:
    """`Model.digest` of a file; raises as `read`."""
    return read(file).digest


def _bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise DefinitionError(f"{path} is a folder, not an ONNX model")
        if path.stat().st_size >= _MOST_BYTES:
            raise DefinitionError(f"{path} has 2 GB or more; put its weights into a file beside it")
        return path.read_bytes()
    except FileNotFoundError:
        raise DefinitionError(f"there is no model {path}; name one, as by --set NODE.model=FILE") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise DefinitionError(f"the model {path} cannot be read: {reason}") from None


Field = tuple[int, int, Any]
"""Number, wire type (0 varint, 1 eight bytes, 2 bytes, 5 four bytes), value."""


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise _Wrong("it ends in the middle of a number")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, at
    raise _Wrong("a number has more than ten bytes")


def _fields(data: memoryview) -> Iterator[Field]:
    """The fields of a message, in order."""
    at, end = 0, len(data)
    while at < end:
        key, at = (data[at], at + 1) if data[at] < 0x80 else _varint(data, at)  # most numbers have one byte
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = _varint(data, at)
            yield number, wire, value
            continue
        if wire == 2:
            length, at = (data[at], at + 1) if at < end and data[at] < 0x80 else _varint(data, at)
        elif wire in (1, 5):
            length = 8 if wire == 1 else 4
        else:
            raise _Wrong(f"a field has the wire type {wire}, which no writer uses")
        last = at + length
        if last > end:
            raise _Wrong("a field is longer than what is left of the file")
        yield number, wire, data[at:last]
        at = last


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def _message(wire: int, value: Any) -> memoryview:
    if wire != 2:
        raise _Wrong("a number is where a message belongs")
    assert isinstance(value, memoryview)
    return value


def _text(wire: int, value: Any) -> str:
    return str(_message(wire, value), "utf-8")


def _whole(wire: int, value: Any) -> int:
    if wire != 0:
        raise _Wrong("bytes stand where a whole number belongs")
    return _signed(value)


def _wholes(wire: int, value: Any) -> list[int]:
    """One whole number, or a packed list of them."""
    if wire == 0:
        return [_signed(value)]
    data, found, at = _message(wire, value), [], 0
    if all(byte < 0x80 for byte in data):
        return list(data)
    while at < len(data):
        number, at = _varint(data, at)
        found.append(_signed(number))
    return found


def _floats(wire: int, value: Any, kind: str = "f") -> list[float]:
    """One float, or a packed list of them."""
    size = struct.calcsize(kind)
    if wire not in (2, {4: 5, 8: 1}[size]) or len(value) % size:
        raise _Wrong("a list of floats has another length than its bytes")
    return list(struct.unpack(f"<{len(value) // size}{kind}", value))


def field_of(number: int, wire: int, value: Any) -> bytes:
    """A field as `_fields` gives it, written again."""
    data = bytes(value) if wire else varint(value)
    return varint(number << 3 | wire) + (varint(len(data)) if wire == 2 else b"") + data


def varint(value: int) -> bytes:
    """A whole number, seven bits a byte; negative ones as 64 bits."""
    value &= (1 << 64) - 1
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def _refers(data: memoryview) -> tuple[str, str] | None:
    """(name, attribute of the caller) of an attribute that is one of the caller's; None of others."""
    own = other = ""
    for number, wire, value in _fields(data):
        own = _text(wire, value) if number == 1 else own
        other = _text(wire, value) if number == 21 else other
    return (own, other) if other else None


@dataclass(frozen=True, slots=True)
class Function:
    """An operator that a file defines by others; `defaults` are attributes of calls that do not say them."""

    name: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    nodes: tuple[Operation, ...]
    defaults: Mapping[str, tuple[Attribute, memoryview]]


def renamed(
    node: Operation, names: Mapping[str, str], prefix: str, attributes: Mapping[str, tuple[Attribute, memoryview]]
) -> Operation:
    """A node of a function or of a graph inside a node, as it stands where that is used.

    Args:
        names: what its values are called there; others are called as they are, behind `prefix`.
        attributes: of the caller, with their messages; attributes of the node may refer to them.
    """

    def name(old: str) -> str:
        return names[old] if old in names else prefix + old if old else ""

    parts: list[bytes] = []
    found = dict(node.attributes)
    for number, wire, value in _fields(memoryview(node.data)):
        refers = _refers(_message(wire, value)) if number == 5 else None
        if number in (1, 2):
            parts.append(field_of(number, 2, name(_text(wire, value)).encode()))
        elif refers is None:
            parts.append(field_of(number, wire, value))
        else:
            own, other = refers
            found.pop(own, None)
            if other in attributes:
                found[own], message = attributes[other]
                rest = [field_of(n, w, v) for n, w, v in _fields(message) if n != 1]
                parts.append(field_of(5, 2, field_of(1, 2, own.encode()) + b"".join(rest)))
    for key, inner in found.items():
        if isinstance(inner, Graph):
            found[key] = replace(inner, captured={k: name(v) for k, v in inner.captured.items()})
    return replace(node, inputs=tuple(map(name, node.inputs)), outputs=tuple(map(name, node.outputs)),
                   attributes=found, data=b"".join(parts))  # fmt: skip


class _Reader:
    """Reads one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.hash = hashlib.sha256()
        self.depth = 0

    def model(self, data: bytes) -> Model:
        self.hash.update(data)
        opset, graph = 0, None
        domains: dict[str, int] = {}
        functions: list[Function] = []
        for number, wire, value in _fields(memoryview(data)):
            if number == 7:
                graph = _message(wire, value)
            elif number == 8:
                domain, version = "", 0
                for n, w, v in _fields(_message(wire, value)):
                    domain = _text(w, v) if n == 1 else domain
                    version = _whole(w, v) if n == 2 else version
                if domain in ("", "ai.onnx"):
                    opset = version
                else:
                    domains[domain] = version
            elif number == 25:
                functions.append(self.function(_message(wire, value)))
        if graph is None:
            raise _Wrong("it has no graph")
        if opset < 1:
            raise _Wrong("it does not say by which version of the operators it is written")
        made = self.graph(graph, opset, domains)
        return replace(made, nodes=self.expanded(made.nodes, functions)) if functions else made

    def function(self, data: memoryview) -> Function:
        """An operator that the file defines by others (FunctionProto)."""
        texts = {1: "", 10: ""}
        lists: dict[int, list[str]] = {4: [], 5: []}
        nodes: list[Operation] = []
        defaults: dict[str, tuple[Attribute, memoryview]] = {}
        for number, wire, value in _fields(data):
            if number in texts:
                texts[number] = _text(wire, value)
            elif number in lists:
                lists[number].append(_text(wire, value))
            elif number == 7:
                nodes.append(self.node(_message(wire, value)))
            elif number == 11:
                key, default = self.attribute(_message(wire, value))
                defaults[key] = default, _message(wire, value)
        return Function(texts[1], texts[10], tuple(lists[4]), tuple(lists[5]), tuple(nodes), defaults)

    def expanded(self, nodes: Sequence[Operation], functions: Sequence[Function]) -> tuple[Operation, ...]:
        """Nodes with those that are calls of functions replaced by what these do."""
        known = {(f.domain, f.name): f for f in functions}
        made: list[Operation] = []
        waiting = [(node, 0) for node in reversed(nodes)]
        calls = 0
        while waiting:
            node, depth = waiting.pop()
            found = known.get((node.domain, node.op))
            if found is None:
                made.append(node)
            else:
                calls += 1
                if depth >= _DEEPEST:
                    raise _Wrong(f"its function {found.name!r} calls itself, or calls go too deep")
                given = {key: (value, raw) for n, w, raw in _fields(memoryview(node.data)) if n == 5
                         for key, value in (self.attribute(_message(w, raw)),)}  # fmt: skip
                names = dict.fromkeys(found.outputs, "") | dict(zip(found.outputs, node.outputs, strict=False))
                names = {k: v or f"{calls}/{k}" for k, v in names.items()}
                names |= dict.fromkeys(found.inputs, "") | dict(zip(found.inputs, node.inputs, strict=False))
                inner = [renamed(n, names, f"{calls}/", {**found.defaults, **given}) for n in found.nodes]
                waiting += [(one, depth + 1) for one in reversed(inner)]
            if calls > _MOST_CALLS:
                raise _Wrong(f"it calls its functions more than {_MOST_CALLS} times")
            if len(made) + len(waiting) > _MOST_NODES:
                raise _Wrong(f"it has more than {_MOST_NODES} nodes")
        return tuple(made)

    def graph(self, data: memoryview, opset: int, domains: Mapping[str, int]) -> Model:
        nodes: list[Operation] = []
        constants: dict[str, Array] = {}
        inputs: list[Declared] = []
        outputs: list[Declared] = []
        for number, wire, value in _fields(data):
            if number == 1:
                nodes.append(self.node(_message(wire, value)))
                if len(nodes) > _MOST_NODES:
                    raise _Wrong(f"it has more than {_MOST_NODES} nodes")
            elif number == 5:
                name, array = self.tensor(_message(wire, value))
                constants[name] = array
            elif number == 11:
                inputs.append(_declared(_message(wire, value)))
            elif number == 12:
                outputs.append(_declared(_message(wire, value)))
            elif number == 15:
                raise _Wrong("it has sparse weights, which are not read")
        inputs = [i for i in inputs if i.name not in constants]
        return Model(str(self.path), opset, tuple(inputs), tuple(outputs), tuple(nodes), constants,
                     self.hash.hexdigest(), domains)  # fmt: skip

    def node(self, data: memoryview) -> Operation:
        inputs: list[str] = []
        outputs: list[str] = []
        attributes: dict[str, Attribute] = {}
        texts = {3: "", 4: "", 7: ""}
        for number, wire, value in _fields(data):
            if number in (1, 2):
                (inputs if number == 1 else outputs).append(_text(wire, value))
            elif number in texts:
                texts[number] = _text(wire, value)
            elif number == 5:
                name, attribute = self.attribute(_message(wire, value))
                attributes[name] = attribute
        domain = "" if texts[7] == "ai.onnx" else texts[7]
        for inner in attributes.values():
            if isinstance(inner, Graph):
                inputs += [name for name in inner.captured.values() if name not in inputs]
        return Operation(texts[4], tuple(inputs), tuple(outputs), attributes, texts[3], domain, data)

    def attribute(self, data: memoryview) -> tuple[str, Attribute]:
        name, kind = "", 0
        one: dict[int, Attribute] = {}
        many: dict[int, list[Any]] = {7: [], 8: [], 9: []}
        for number, wire, value in _fields(data):
            match number:
                case 1:
                    name = _text(wire, value)
                case 2:
                    one[1] = (_floats(wire, value) or [0.0])[0]
                case 3:
                    one[2] = _whole(wire, value)
                case 4:
                    one[3] = str(_message(wire, value), "utf-8", "replace")
                case 5:
                    one[4] = self.tensor(_message(wire, value))[1]
                case 6:
                    one[5] = self.inner(_message(wire, value))
                case 7:
                    many[7] += _floats(wire, value)
                case 8:
                    many[8] += _wholes(wire, value)
                case 9:
                    many[9].append(str(_message(wire, value), "utf-8", "replace"))
                case 20:
                    kind = _whole(wire, value)
        if kind in (6, 7, 8):
            return name, tuple(many[kind + 1])
        if kind == 0 and len(one) == 1:  # of old files: what there is
            return name, next(iter(one.values()))
        left_out: dict[int, Attribute] = {1: 0.0, 2: 0, 3: ""}
        return name, one.get(kind, left_out.get(kind))

    def inner(self, data: memoryview) -> Graph:
        """A graph inside a node."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _Wrong("graphs lie in graphs too deep")
        made = self.graph(data, 0, {})
        self.depth -= 1
        there = {*made.constants, *(name for node in made.nodes for name in node.outputs)}
        there |= {one.name for one in made.inputs}
        used = dict.fromkeys(name for node in made.nodes for name in node.inputs if name and name not in there)
        used |= dict.fromkeys(one.name for one in made.outputs if one.name not in there)
        return Graph(made.nodes, made.constants, tuple(one.name for one in made.outputs),
                     {name: name for name in used})  # fmt: skip

    def tensor(self, data: memoryview) -> tuple[str, Array]:
        name, kind, outside = "", 0, False
        dims: list[int] = []
        raw: memoryview | None = None
        numbers: list[int | float] = []
        beside: dict[str, str] = {}
        for number, wire, value in _fields(data):
            match number:
                case 1:
                    dims += _wholes(wire, value)
                case 2:
                    kind = _whole(wire, value)
                case 3:
                    raise _Wrong("a tensor is cut into segments, which is not read")
                case 4:
                    numbers += _floats(wire, value)
                case 5 | 7 | 11:
                    numbers += _wholes(wire, value)
                case 8:
                    name = _text(wire, value)
                case 9:
                    raw = _message(wire, value)
                case 10:
                    numbers += _floats(wire, value, "d")
                case 13:
                    entry = {n: _text(w, v) for n, w, v in _fields(_message(wire, value))}
                    beside[entry.get(1, "")] = entry.get(2, "")
                case 14:
                    outside = _whole(wire, value) == 1
        if kind not in TYPES and kind != _BFLOAT16:
            raise _Wrong(f"tensor {name!r} has the element type {kind}, which is not read")
        if len(dims) > _MOST_AXES or any(d < 0 for d in dims):
            raise _Wrong(f"tensor {name!r} has the shape {dims[:_MOST_AXES]}")
        dtype = np.dtype(TYPES.get(kind, "uint16"))
        if outside:
            raw = self.data_beside(name, beside)
        found = _array(name, dtype, dims, raw, numbers)
        if kind == _BFLOAT16:
            found = (found.astype(np.uint32) << 16).view(np.float32)
            found.flags.writeable = False
        return name, found

    def data_beside(self, name: str, where: Mapping[str, str]) -> memoryview:
        """External data: a part of a file beside the model."""
        location = where.get("location", "")
        file = self.path.parent / location
        if not location or "\0" in location or os.path.isabs(location) or ".." in Path(location).parts:
            raise _Wrong(f"tensor {name!r} lies in {location!r}, which is not a file beside the model")
        try:
            offset, length = int(where.get("offset") or 0), int(where.get("length") or -1)
        except ValueError:
            raise _Wrong(f"tensor {name!r} lies at no number of bytes in {location!r}") from None
        try:
            there = file.resolve()
            if not there.is_relative_to(self.path.parent.resolve()) or not there.is_file():
                raise _Wrong(f"tensor {name!r} lies in {location!r}, and there is no such file beside the model")
            size = there.stat().st_size
            length = size - offset if length < 0 else length
            if offset < 0 or length < 0 or offset + length > size:
                raise _Wrong(f"{location!r}, beside the model, ends before tensor {name!r}")
            data = memoryview(np.memmap(there, np.uint8, "r", offset, (length,)) if length else b"")  # type: ignore[arg-type]
        except OSError as error:
            raise _Wrong(f"{location!r}, in which tensor {name!r} lies, cannot be read: {error.strerror}") from None
        self.hash.update(data)
        return data


def _array(name: str, dtype: np.dtype[Any], dims: Sequence[int], raw: memoryview | None, numbers: list[Any]) -> Array:
    """The values of a tensor, read-only; weights keep the memory of the file."""
    count = math.prod(dims)
    there = (len(raw) // dtype.itemsize if len(raw) % dtype.itemsize == 0 else -1) if raw is not None else len(numbers)
    if there != count:
        raise _Wrong(f"tensor {name!r} should have {count} values of {dtype} and has others")
    if raw is not None:
        found: Array = np.frombuffer(raw, dtype.newbyteorder("<")).astype(dtype, copy=False)
    elif dtype == np.float16:  # its bits as whole numbers
        found = np.array([int(n) & 0xFFFF for n in numbers], np.uint16).view(np.float16)
    else:
        try:
            found = np.array(numbers, dtype)
        except (OverflowError, ValueError, TypeError):
            raise _Wrong(f"tensor {name!r} has a value that is not one of {dtype}") from None
    if not found.flags.aligned:
        found = found.copy()
    found.flags.writeable = False
    return found.reshape(tuple(dims))


def _declared(data: memoryview) -> Declared:
    name, dtype, shape = "", "", None
    for number, wire, value in _fields(data):
        if number == 1:
            name = _text(wire, value)
        elif number == 2:
            for n, w, v in _fields(_message(wire, value)):
                if n == 1:
                    dtype, shape = _tensor_type(_message(w, v))
    return Declared(name, dtype, shape)


def _tensor_type(data: memoryview) -> tuple[str, tuple[int | str, ...] | None]:
    dtype, shape = "", None
    for number, wire, value in _fields(data):
        if number == 1:
            kind = _whole(wire, value)
            dtype = TYPES.get(kind, f"type {kind}")
        elif number == 2:
            dims: list[int | str] = []
            for n, w, v in _fields(_message(wire, value)):
                if n != 1:
                    continue
                dim: int | str = ""
                for k, x, y in _fields(_message(w, v)):
                    dim = _whole(x, y) if k == 1 else _text(x, y) if k == 2 else dim
                dims.append(dim)
            shape = tuple(dims[:_MOST_AXES])
    return dtype, shape
